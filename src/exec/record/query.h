/* SPDX-License-Identifier: MIT
 *
 * Queries and predicates (D3D11.3 20). A query counts between its Begin and its End: a "run". Some counts are
 * known to the CPU when it records a draw; others are numbers in slots of query sets, which the GPU fills
 * (query_set.h). When the submission with the End is done, both are added and the result is written to guest
 * memory before the fence. Only a predicate makes a stream wait for a result. query_recording.h has Begin and
 * End.
 */
#ifndef AG_EXEC_RECORD_QUERY_H
#define AG_EXEC_RECORD_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "exec/object/ext_object.h"
#include "gpu/webgpu.h"

struct aerogpu_ext_query_result;
struct ag_attachments;
struct ag_query_set;
struct ag_recorder;

/* What queries count. The members of D3D11_QUERY_DATA_PIPELINE_STATISTICS come first, in the order of that
 * struct. */
enum ag_query_counter {
    AG_QUERY_COUNTER_IA_VERTICES,
    AG_QUERY_COUNTER_IA_PRIMITIVES,
    AG_QUERY_COUNTER_VS_INVOCATIONS,
    AG_QUERY_COUNTER_GS_INVOCATIONS,
    AG_QUERY_COUNTER_GS_PRIMITIVES,
    AG_QUERY_COUNTER_C_INVOCATIONS,
    AG_QUERY_COUNTER_C_PRIMITIVES,
    AG_QUERY_COUNTER_PS_INVOCATIONS,
    AG_QUERY_COUNTER_HS_INVOCATIONS,
    AG_QUERY_COUNTER_DS_INVOCATIONS,
    AG_QUERY_COUNTER_CS_INVOCATIONS,
    AG_QUERY_COUNTER_STATISTICS, /* the number of members of that struct */

    AG_QUERY_COUNTER_SAMPLES_PASSED = AG_QUERY_COUNTER_STATISTICS,
    AG_QUERY_COUNTER_TIMESTAMP,
    AG_QUERY_COUNTER_DISJOINT,   /* 1: times are not those of the GPU */
    AG_QUERY_COUNTER_SO_WRITTEN, /* + stream: primitives written to buffers */
    AG_QUERY_COUNTER_SO_NEEDED =
        AG_QUERY_COUNTER_SO_WRITTEN + 4, /* + stream: primitives written or without room */
    AG_QUERY_COUNTER_COUNT = AG_QUERY_COUNTER_SO_NEEDED + 4
};

/* A number that the GPU counts for a run: the slot's number times `scale` is added to the counter. */
struct ag_query_part {
    struct ag_query_set *set; /* a reference */
    uint32_t slot;
    enum ag_query_counter counter;
    uint32_t scale;
};

/* Parts in the order in which they were added. Very many runs may get a part each by one draw, so that none
 * of them copies those that it has. */
struct ag_query_parts {
    struct ag_query_parts *next;
    size_t count;
    struct ag_query_part items[10];
};

/* One use of a query, from Begin to the result; a query that has no Begin is used from its End on. */
struct ag_query_run {
    uint32_t references;                       /* held by the query and by write-backs */
    uint32_t type;                             /* enum aerogpu_ext_query */
    uint32_t context_id;                       /* of the context whose draws are counted */
    uint64_t counters[AG_QUERY_COUNTER_COUNT]; /* counted by the CPU */
    struct ag_query_parts *parts, *last_parts; /* counted by the GPU; null: none */
};

struct ag_query {
    struct ag_ext_object object; /* the first member */
    uint32_t type, flags;
    struct ag_query_run *active; /* between Begin and End; else null */
    struct ag_query_run *last;   /* of the last End; null before */
};

/* ---- Types -------------------------------------------------------------------------------------------- */

/* The name of an enum aerogpu_ext_query, or null when there is no such type. */
const char *ag_query_type_name(uint32_t type);

/* Whether queries of an existing type have a Begin, can be a predicate, count anything. */
bool ag_query_type_begins(uint32_t type);
bool ag_query_type_is_predicate(uint32_t type);
bool ag_query_type_counts(uint32_t type);

/* ---- Counting ----------------------------------------------------------------------------------------- */

/* Whether an active run of the context being executed counts `counter`. */
bool ag_queries_want(const struct ag_recorder *recorder, enum ag_query_counter counter);

/* Adds a count that the CPU knows to every active run that wants the counter. */
void ag_queries_add(struct ag_recorder *recorder, enum ag_query_counter counter, uint64_t count);

/* Adds a slot, times `scale`, to every active run that wants the counter. */
void ag_queries_add_slot(struct ag_recorder *recorder, enum ag_query_counter counter, uint32_t scale,
                         struct ag_query_set *set, uint32_t slot);

/* ---- Samples that pass, for pass.c -------------------------------------------------------------------- */

/* The occlusion query set that a new pass attaches. Null when no run counts samples. */
WGPUQuerySet ag_queries_pass_set(struct ag_recorder *recorder, const struct ag_attachments *attachments);

/* Whether the query set of the open pass has room for the next draws. */
bool ag_queries_fit_pass(const struct ag_recorder *recorder, const struct ag_attachments *attachments);

/* Begins an occlusion query in the open pass when the next draws are counted, and ends the open one when
 * they are not. */
void ag_queries_sample(struct ag_recorder *recorder, WGPURenderPassEncoder encoder,
                       const struct ag_attachments *attachments);

/* Ends the open occlusion query, if there is one; called before the pass ends. */
void ag_queries_stop_sampling(struct ag_recorder *recorder, WGPURenderPassEncoder encoder);

/* ---- Results ------------------------------------------------------------------------------------------ */

/* Makes a run, with one reference. Null when memory is exhausted (reported). */
struct ag_query_run *ag_query_run_create(struct ag_recorder *recorder, const struct ag_query *query,
                                         uint32_t context_id);

/* Drops a reference. `run` may be null. */
void ag_query_run_release(struct ag_recorder *recorder, struct ag_query_run *run);

/* Adds a slot, times `scale`, to one run. The run gets its own reference to the set. */
void ag_query_run_add_part(struct ag_recorder *recorder, struct ag_query_run *run, struct ag_query_set *set,
                           uint32_t slot, enum ag_query_counter counter, uint32_t scale);

/* Whether the GPU's numbers have been read back. */
bool ag_query_run_is_ready(const struct ag_recorder *recorder, const struct ag_query_run *run);

/* A set of the run that has not been read back yet. Null when the run is ready. */
const struct ag_query_set *ag_query_run_missing_set(const struct ag_recorder *recorder,
                                                    const struct ag_query_run *run);

/* What has been counted so far: what the GPU counts counts once its numbers are there. */
void ag_query_run_counters(const struct ag_query_run *run, uint64_t counters[AG_QUERY_COUNTER_COUNT]);

/* Fills in the result of a ready run. Returns how many bytes of *result are to be written to the guest. */
uint32_t ag_query_run_result(const struct ag_query_run *run, struct aerogpu_ext_query_result *result);

#endif
