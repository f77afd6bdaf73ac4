/* SPDX-License-Identifier: MIT
 *
 * What a module of random programs runs on, and the verdict on it.
 */
#ifndef AG_TESTS_ORACLE_WORLD_H
#define AG_TESTS_ORACLE_WORLD_H

#include "generate.h"

/* The buffers of one module, filled from a seed. `bindings` points into it: it must not be moved. */
struct world {
    uint32_t constants[2][32];
    uint32_t t0[1024], t1[256];
    uint8_t *unordered[GENERATED_SLOTS];
    struct ag_ref_constant_buffer constant_buffers[2];
    uint8_t texels[5][2048]; /* of t3 to t7 */
    struct ag_ref_view resources[8], views[GENERATED_SLOTS];
    struct ag_ref_sampler samplers[2];
    struct ag_ref_bindings bindings;
};
bool world_init(struct world *world, uint64_t seed);
void world_fini(struct world *world);

enum verdict {
    VERDICT_AGREES,
    VERDICT_DIFFERS,    /* or the GPU side could not run it */
    VERDICT_NO_PROGRAM, /* does not assemble, or the interpreter refuses it: nothing to compare */
};

/* One module on its way: text, shader, what the interpreter left, what the GPU left. */
struct attempt {
    struct ag_strbuf text;
    struct agpu_shader *shader;
    struct world before, after; /* after: the interpreter's */
    struct oracle_job job;
    enum verdict verdict;
    char message[1200]; /* why not, or the first difference */
};

/* Assembles lines of a listing (those whose `keep` is true, all when null) and runs the interpreter. The
 * verdict is NO_PROGRAM or, for now, AGREES. */
void attempt_prepare(struct attempt *attempt, const struct listing *listing, const bool *keep, uint64_t seed);
/* Runs all that have a program on the GPU, at once, and judges. False when the device is gone. */
bool attempts_run(struct agpu_gpu *gpu, struct attempt *attempts, uint32_t count);
void attempt_fini(struct attempt *attempt);

/* Drops lines of a module that failed with `outcome` while it still fails so. What is left is in `keep`, of
 * listing->lines.count. */
void shrink(struct agpu_gpu *gpu, const struct listing *listing, uint64_t seed, enum oracle_outcome outcome,
            bool *keep);

#endif
