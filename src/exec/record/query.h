/* SPDX-License-Identifier: MIT
 *
 * Queries and predication (D3D11.3 20). A query's results are numbers that the processor counts as it records
 * and numbers in slots that the GPU fills; they meet when the submission that ends the query is done, where
 * the result goes to guest memory before the fence. Only a predicate makes a stream wait for them.
 */
#ifndef AG_EXEC_RECORD_QUERY_H
#define AG_EXEC_RECORD_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "exec/object/ext_object.h"
#include "gpu/webgpu.h"

struct aerogpu_ext_query_result;
struct ag_query_set;
struct ag_recorder;

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

/* ---- Types and life of a query ------------------------------------------------------------------------ */

/* The name of an enum aerogpu_ext_query, or null when there is no such type. */
const char *ag_query_type_name(uint32_t type);
/* Of an existing type: whether it has a Begin, whether it can be a predicate, whether it counts anything. */
bool ag_query_type_begins(uint32_t type);
bool ag_query_type_is_predicate(uint32_t type);
bool ag_query_type_counts(uint32_t type);

/* ---- Counting ----------------------------------------------------------------------------------------- */

/* Whether a query of the current context counts `counter`. */
bool ag_queries_want(const struct ag_recorder *recorder, enum ag_query_counter counter);
/* The processor knows how many. */
void ag_queries_add(struct ag_recorder *recorder, enum ag_query_counter counter, uint64_t count);

/* For pass.c. `uncounted` is that of the pass's attachments. */
/* The set of occlusion slots that a new pass attaches, or null. */
WGPUQuerySet ag_queries_pass_set(struct ag_recorder *recorder, bool uncounted);
/* Whether the open pass can count what comes next. */
bool ag_queries_fit_pass(const struct ag_recorder *recorder, bool uncounted);
/* Begins or ends a slot of the open pass, as the next draws are to be counted. */
void ag_queries_sample(struct ag_recorder *recorder, WGPURenderPassEncoder encoder, bool uncounted);
/* Before the pass ends. */
void ag_queries_stop_sampling(struct ag_recorder *recorder, WGPURenderPassEncoder encoder);

/* For what counts: a slot of a set, for every query that wants the counter. */
void ag_queries_add_slot(struct ag_recorder *recorder, enum ag_query_counter counter, uint32_t scale,
                         struct ag_query_set *set, uint32_t slot);

/* ---- Results ------------------------------------------------------------------------------------------ */

/* A set of the run whose numbers have not come, or null. */
const struct ag_query_set *ag_query_run_missing_set(const struct ag_recorder *recorder,
                                                    const struct ag_query_run *run);
/* Null when memory is exhausted (reported). */
struct ag_query_run *ag_query_run_create(struct ag_recorder *recorder, const struct ag_query *query,
                                         uint32_t context_id);
/* The number in a slot, times `scale`, is added to the counter once the slot's set is read. */
void ag_query_run_add_part(struct ag_recorder *recorder, struct ag_query_run *run, struct ag_query_set *set,
                           uint32_t slot, enum ag_query_counter counter, uint32_t scale);
bool ag_query_run_is_ready(const struct ag_recorder *recorder, const struct ag_query_run *run);
void ag_query_run_release(struct ag_recorder *recorder, struct ag_query_run *run);
/* The result of a ready run; the bytes of it that hold something. */
uint32_t ag_query_run_result(const struct ag_query_run *run, struct aerogpu_ext_query_result *result);

#endif
