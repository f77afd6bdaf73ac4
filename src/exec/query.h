/* SPDX-License-Identifier: MIT
 *
 * Queries and predication (D3D11.3 20). A query's results are numbers that the processor counts as it records
 * and numbers in slots that the GPU fills; they meet when the submission that ends the query is done, where
 * the result goes to guest memory before the fence. Only a predicate makes a stream wait for them.
 */
#ifndef AG_EXEC_QUERY_H
#define AG_EXEC_QUERY_H

#include "base/vec.h"
#include "exec/ext_object.h"
#include "exec/query_set.h"

struct ag_context;
struct ag_draw;
struct ag_exec;
struct ag_transfer;

/* What is counted. The first ones are D3D11_QUERY_DATA_PIPELINE_STATISTICS in its order. */
enum ag_query_counter {
    AG_COUNTER_IA_VERTICES,
    AG_COUNTER_IA_PRIMITIVES,
    AG_COUNTER_VS_INVOCATIONS,
    AG_COUNTER_GS_INVOCATIONS,
    AG_COUNTER_GS_PRIMITIVES,
    AG_COUNTER_C_INVOCATIONS,
    AG_COUNTER_C_PRIMITIVES,
    AG_COUNTER_PS_INVOCATIONS,
    AG_COUNTER_HS_INVOCATIONS,
    AG_COUNTER_DS_INVOCATIONS,
    AG_COUNTER_CS_INVOCATIONS,
    AG_COUNTER_STATISTICS, /* so many of them */

    AG_COUNTER_SAMPLES_PASSED = AG_COUNTER_STATISTICS,
    AG_COUNTER_TIMESTAMP,
    AG_COUNTER_SO_WRITTEN,                            /* + stream: primitives written, */
    AG_COUNTER_SO_NEEDED = AG_COUNTER_SO_WRITTEN + 4, /* + stream: and that there was no room for, too */
    AG_COUNTER_COUNT = AG_COUNTER_SO_NEEDED + 4
};

struct ag_query_part {
    struct ag_query_set *set; /* a reference */
    uint32_t slot;
    enum ag_query_counter counter;
    uint32_t scale;
};

/* From a Begin (or an End without one) to its result. */
struct ag_query_run {
    uint32_t references; /* the query's own, that of the list of those that count, those of transfers */
    uint32_t type;       /* enum aerogpu_ext_query */
    uint32_t context_id;
    uint64_t counters[AG_COUNTER_COUNT]; /* what the processor counted */
    AG_VEC(struct ag_query_part) parts;
};

struct ag_query {
    struct ag_ext_object object; /* first */
    uint32_t type, flags;
    struct ag_query_run *active; /* begun and not ended */
    struct ag_query_run *last;   /* of the last End */
};

/* What the executor holds. */
struct ag_queries {
    AG_VEC(struct ag_query_run *) active;
    struct ag_query_set *open[AG_QUERY_SET_KIND_COUNT];
    AG_VEC(struct ag_query_set *) full;
    struct ag_query_set *pass_set; /* occlusion slots of the open pass, or null; a reference */
    bool sampling;                 /* a slot of it is being counted */
    bool paused;                   /* draws that the guest did not ask for */
};

/* Drops what the queries of a dying device hold. */
void ag_queries_clear(struct ag_exec *exec);
void ag_query_fini(struct ag_exec *exec, struct ag_ext_object *object);

/* ---- Counting ----------------------------------------------------------------------------------------- */

/* The current context counts `counter`. */
bool ag_queries_want(const struct ag_exec *exec, enum ag_query_counter counter);
/* The processor knows how many. */
void ag_queries_add(struct ag_exec *exec, enum ag_query_counter counter, uint64_t count);
/* The word at a multiple of 4 in a buffer with CopySrc tells, times `scale`, once what is recorded so far is
 * done. */
void ag_queries_add_from(struct ag_exec *exec, enum ag_query_counter counter, uint32_t scale,
                         WGPUBuffer buffer, uint64_t offset);
/* A draw or dispatch that the guest asked for. */
void ag_queries_count_draw(struct ag_exec *exec, const struct ag_context *context,
                           const struct ag_draw *draw);
void ag_queries_count_dispatch(struct ag_exec *exec, const uint32_t groups[3], const uint32_t threads[3]);

/* For pass.c: the set that a new pass attaches, or null; whether the open pass can count what comes next; the
 * next draws of the open pass are counted, or not; before the pass ends. */
WGPUQuerySet ag_queries_pass_set(struct ag_exec *exec);
bool ag_queries_fit_pass(const struct ag_exec *exec);
void ag_queries_sample(struct ag_exec *exec, WGPURenderPassEncoder encoder);
void ag_queries_stop_sampling(struct ag_exec *exec, WGPURenderPassEncoder encoder);

/* ---- Results ------------------------------------------------------------------------------------------ */

bool ag_query_run_is_ready(const struct ag_exec *exec, const struct ag_query_run *run);
void ag_query_run_release(struct ag_exec *exec, struct ag_query_run *run);

struct aerogpu_ext_query_result;
/* The result of a ready run; the bytes of it that hold something. */
uint32_t ag_query_run_result(const struct ag_query_run *run, struct aerogpu_ext_query_result *result);

#endif
