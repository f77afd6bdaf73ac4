/* SPDX-License-Identifier: MIT
 *
 * The oracle: translated programs, run by a driver, must leave in memory what the reference interpreter
 * leaves there. Compute programs only; what they see is described once, by the interpreter's own bindings.
 */
#ifndef AG_TESTS_ORACLE_H
#define AG_TESTS_ORACLE_H

#include "../unit/gpu/fixture.h"
#include "aerogpu/translate.h"
#include "base/strbuf.h"
#include "ref/ref.h"

/* ---- Random numbers ----------------------------------------------------------------------------------- */

struct oracle_random {
    uint64_t state;
};

uint32_t oracle_next(struct oracle_random *random);
/* A number below `limit`, which is not 0. */
uint32_t oracle_below(struct oracle_random *random, uint32_t limit);
bool oracle_chance(struct oracle_random *random, uint32_t percent);

/* ---- Programs ----------------------------------------------------------------------------------------- */

#define ORACLE_SLOTS AGPU_MAX_UAVS

/* What happened to a job on the GPU. */
enum oracle_outcome {
    ORACLE_RAN,
    ORACLE_NOT_TRANSLATED, /* `diag` says why */
    ORACLE_NOT_COMPILED,   /* the module or its pipeline was refused */
    ORACLE_LOST,           /* the driver never came back */
};

/* What a vertex shader that runs as a compute pass reads and writes (aerogpu/translate.h, "Expansion"). */
struct oracle_records {
    const uint32_t *vertices; /* a list: header, then vertex and instance number of each */
    uint32_t vertex_count;
    const uint32_t *inputs; /* records of module->expansion.input_registers */
    uint64_t input_bytes;
    uint8_t *outputs; /* records of module->expansion.record_registers, malloc'ed */
};

/* One program and what it sees. The GPU works on copies of the memory behind `bindings`; result[n] is what it
 * left in u[n], as many bytes as the view has. */
struct oracle_job {
    const struct agpu_shader *shader;
    const struct ag_ref_bindings *bindings;
    uint32_t groups[3];
    const uint8_t *uav_formats;     /* enum agpu_storage_format[AGPU_MAX_UAVS], or null */
    uint8_t most_nesting;           /* as the translator takes it */
    uint32_t most_invocations;      /* of a workgroup, as the translator takes it */
    struct oracle_records *records; /* or null */

    enum oracle_outcome outcome;
    enum agpu_diag_code code; /* of the first error */
    char message[1024];
    uint8_t *result[ORACLE_SLOTS];
    uint32_t counters[ORACLE_SLOTS];
    struct agpu_module *module; /* the caller may have translated already; null when not translated */
};

/* Runs the jobs beside each other: all pipelines are made at once, all work is submitted at once. False when
 * the device is gone or memory ran out. The caller ends each job with oracle_job_fini(). */
bool oracle_gpu_run(struct agpu_gpu *gpu, struct oracle_job *jobs, uint32_t count);
void oracle_job_fini(struct oracle_job *job);

/* The shader of a listing, or null after printing the first problem to `sink`. The caller destroys it. */
struct agpu_shader *oracle_assemble(const char *text, size_t length, const struct agpu_diag_sink *sink);

/* Keeps the first error of a call. */
struct oracle_error {
    struct agpu_diag_sink sink;
    enum agpu_diag_code code; /* AGPU_DIAG_NONE: none yet */
    char message[1024];
};
void oracle_error_init(struct oracle_error *error);

/* ---- Values and what may come out --------------------------------------------------------------------- */

struct oracle_values {
    const uint32_t *words;
    uint32_t count;
};

/* Operand values worth trying for an operand of the opcode table's kind; doubles are pairs of words. */
struct oracle_values oracle_values_of_kind(char kind);

/* What a word of a result is. */
struct oracle_result {
    uint32_t opcode;
    char kind;      /* 'f': arithmetic on floats made it, so that any NaN is as good as another; else bits */
    bool saturated; /* _sat */
    uint32_t source[2][4]; /* of dot products the two vectors, else the first source's lane first; modifiers
                              applied */
};

/* Whether D3D11 allows `got` where the interpreter computed `want`. */
bool oracle_allows(const struct oracle_result *result, uint32_t got, uint32_t want);
/* The same for doubles; kind 'd' stands for arithmetic. */
bool oracle_allows_double(const struct oracle_result *result, uint64_t got, uint64_t want);

/* ---- The tests -------------------------------------------------------------------------------------- */

struct oracle_options {
    uint64_t seed;    /* opcodes */
    uint64_t first;   /* random: number of the first program; a multiple of 16, else the one below */
    uint32_t count;   /* random: programs, rounded up to whole modules; 0 means until `seconds` are over */
    uint32_t seconds; /* 0: no limit */
    const char *only; /* opcodes: this mnemonic alone; shaders: paths with this in them */
    const char *save; /* folder for failing programs, or null */
    const char *file; /* replay: a program that was saved */
    const char *const *paths; /* shaders: files and folders */
    uint32_t path_count;
    const char *shared;   /* shaders: the source root beside which the shared corpus is */
    const char *known;    /* shaders: file of those that differ, with their reasons */
    uint32_t part, parts; /* shaders, opcodes: every parts-th from number `part` on */
    uint32_t invocations; /* random, replay, shaders: of a workgroup, at most; 0: as many as threads */
    bool textures;        /* random: programs with textures */
    bool states;          /* random, replay: flow control as a machine of states */
    bool filters;         /* shaders: those with samplers alone, on textures with levels and filters */
    bool print;           /* say more */
};

/* 0 when everything agreed. */
int oracle_opcodes(struct agpu_gpu *gpu, const struct oracle_options *options);
int oracle_formats(struct agpu_gpu *gpu, const struct oracle_options *options);
int oracle_programs(struct agpu_gpu *gpu, const struct oracle_options *options);
int oracle_replay(struct agpu_gpu *gpu, const struct oracle_options *options);
int oracle_shaders(enum agpu_driver driver, const struct oracle_options *options);

#endif
