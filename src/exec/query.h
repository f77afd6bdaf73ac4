/* SPDX-License-Identifier: MIT
 *
 * Queries and predication (D3D11.3 20). A query's results are numbers that the processor counts as it records
 * and numbers in slots that the GPU fills; they meet when the submission that ends the query is done, where
 * the result goes to guest memory before the fence. Only a predicate makes a stream wait for them.
 */
#ifndef AGPU_EXEC_QUERY_H
#define AGPU_EXEC_QUERY_H

#include "base/vec.h"
#include "exec/ext_object.h"
#include "exec/query_set.h"

struct agpu_context;
struct agpu_draw;
struct agpu_exec;
struct agpu_transfer;

/* What is counted. The first ones are D3D11_QUERY_DATA_PIPELINE_STATISTICS in its order. */
enum agpu_query_counter {
    AGPU_COUNTER_IA_VERTICES,
    AGPU_COUNTER_IA_PRIMITIVES,
    AGPU_COUNTER_VS_INVOCATIONS,
    AGPU_COUNTER_GS_INVOCATIONS,
    AGPU_COUNTER_GS_PRIMITIVES,
    AGPU_COUNTER_C_INVOCATIONS,
    AGPU_COUNTER_C_PRIMITIVES,
    AGPU_COUNTER_PS_INVOCATIONS,
    AGPU_COUNTER_HS_INVOCATIONS,
    AGPU_COUNTER_DS_INVOCATIONS,
    AGPU_COUNTER_CS_INVOCATIONS,
    AGPU_COUNTER_STATISTICS, /* so many of them */

    AGPU_COUNTER_SAMPLES_PASSED = AGPU_COUNTER_STATISTICS,
    AGPU_COUNTER_TIMESTAMP,
    AGPU_COUNTER_SO_WRITTEN,                              /* + stream: primitives written, */
    AGPU_COUNTER_SO_NEEDED = AGPU_COUNTER_SO_WRITTEN + 4, /* + stream: and that there was no room for, too */
    AGPU_COUNTER_COUNT = AGPU_COUNTER_SO_NEEDED + 4
};

struct agpu_query_part {
    struct agpu_query_set *set; /* a reference */
    uint32_t slot;
    enum agpu_query_counter counter;
    uint32_t scale;
};

/* From a Begin (or an End without one) to its result. */
struct agpu_query_run {
    uint32_t references; /* the query's own, that of the list of those that count, those of transfers */
    uint32_t type;       /* enum aerogpu_ext_query */
    uint32_t context_id;
    uint64_t counters[AGPU_COUNTER_COUNT]; /* what the processor counted */
    AGPU_VEC(struct agpu_query_part) parts;
};

struct agpu_query {
    struct agpu_ext_object object; /* first */
    uint32_t type, flags;
    struct agpu_query_run *active; /* begun and not ended */
    struct agpu_query_run *last;   /* of the last End */
};

/* What the executor holds. */
struct agpu_queries {
    AGPU_VEC(struct agpu_query_run *) active;
    struct agpu_query_set *open[AGPU_QUERY_SET_KIND_COUNT];
    AGPU_VEC(struct agpu_query_set *) full;
    struct agpu_query_set *pass_set; /* occlusion slots of the open pass, or null; a reference */
    bool sampling;                   /* a slot of it is being counted */
    bool paused;                     /* draws that the guest did not ask for */
};

/* Drops what the queries of a dying device hold. */
void agpu_queries_clear(struct agpu_exec *exec);
void agpu_query_fini(struct agpu_exec *exec, struct agpu_ext_object *object);

/* ---- Counting ----------------------------------------------------------------------------------------- */

/* The current context counts `counter`. */
bool agpu_queries_want(const struct agpu_exec *exec, enum agpu_query_counter counter);
/* The processor knows how many. */
void agpu_queries_add(struct agpu_exec *exec, enum agpu_query_counter counter, uint64_t count);
/* The word at a multiple of 4 in a buffer with CopySrc tells, times `scale`, once what is recorded so far is
 * done. */
void agpu_queries_add_from(struct agpu_exec *exec, enum agpu_query_counter counter, uint32_t scale,
                           WGPUBuffer buffer, uint64_t offset);
/* A draw or dispatch that the guest asked for. */
void agpu_queries_count_draw(struct agpu_exec *exec, const struct agpu_context *context,
                             const struct agpu_draw *draw);
void agpu_queries_count_dispatch(struct agpu_exec *exec, const uint32_t groups[3], const uint32_t threads[3]);

/* For pass.c: the set that a new pass attaches, or null; whether the open pass can count what comes next; the
 * next draws of the open pass are counted, or not; before the pass ends. */
WGPUQuerySet agpu_queries_pass_set(struct agpu_exec *exec);
bool agpu_queries_fit_pass(const struct agpu_exec *exec);
void agpu_queries_sample(struct agpu_exec *exec, WGPURenderPassEncoder encoder);
void agpu_queries_stop_sampling(struct agpu_exec *exec, WGPURenderPassEncoder encoder);

/* ---- Results ------------------------------------------------------------------------------------------ */

bool agpu_query_run_is_ready(const struct agpu_exec *exec, const struct agpu_query_run *run);
void agpu_query_run_release(struct agpu_exec *exec, struct agpu_query_run *run);

struct aerogpu_ext_query_result;
/* The result of a ready run; the bytes of it that hold something. */
uint32_t agpu_query_run_result(const struct agpu_query_run *run, struct aerogpu_ext_query_result *result);

#endif
