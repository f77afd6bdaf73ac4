/* SPDX-License-Identifier: MIT
 *
 * Programs for the reference interpreter's tests, written as assembly.
 */
#ifndef AG_TESTS_REF_HARNESS_H
#define AG_TESTS_REF_HARNESS_H

#include <string.h>

#include "ref/ref.h"
#include "support/test.h"

struct harness {
    struct agpu_shader *shader;
    struct ag_ref_program *program;
    struct agpu_diag_sink sink; /* counts, and remembers the last code */
    enum agpu_diag_code last_code;
    uint32_t errors, warnings;
};

/* Assembles, parses and prepares a listing; a failure fails the test. */
void harness_open(struct harness *harness, const char *listing);
/* The same, but gives back what ag_ref_program_create() said. */
enum agpu_status harness_try(struct harness *harness, const char *listing);
void harness_close(struct harness *harness);

/* Runs `body` as a vertex shader with inputs v0 to v3, temporaries r0 to r7 and outputs o0 to o3, and `ret`
 * behind it. `flags` is enum ag_ref_flag. */
void harness_vertex(const char *body, uint32_t flags, const uint32_t (*input)[4], uint32_t input_count,
                    struct ag_ref_invocation *vertex);

/* One component-wise instruction with up to four sources in v0 to v3, all four lanes alike; gives o0.x. */
uint32_t harness_op(const char *mnemonic, uint32_t flags, uint32_t source_count, uint32_t a, uint32_t b,
                    uint32_t c, uint32_t d);

/* Runs a compute shader body over one group of x threads with u0 a raw buffer of `words` words (at `memory`)
 * and r0 to r7. `declarations` come before dcl_temps. Returns the status. */
enum agpu_status harness_compute(struct harness *harness, const char *declarations, const char *body,
                                 uint32_t x, struct ag_ref_bindings *bindings, uint32_t *memory,
                                 uint32_t words);

static inline uint32_t bits(float value)
{
    uint32_t pattern;
    memcpy(&pattern, &value, sizeof pattern);
    return pattern;
}

static inline float number(uint32_t pattern)
{
    float value;
    memcpy(&value, &pattern, sizeof value);
    return value;
}

static inline bool is_nan(uint32_t pattern)
{
    return (pattern & 0x7fffffff) > 0x7f800000;
}

#define NAN_BITS 0x7fc00000u
#define INF_BITS 0x7f800000u
#define NEGATIVE 0x80000000u

#endif
