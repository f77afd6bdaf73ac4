/* SPDX-License-Identifier: MIT */
#include "exec/record/query.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "base/vec.h"
#include "exec/host/report.h"
#include "exec/record/query_set.h"
#include "exec/record/recorder.h"
#include "gpu/webgpu.h"
#include "kernel/stream_output.h"

/* ---- Types -------------------------------------------------------------------------------------------- */

#define BIT(counter) (UINT32_C(1) << AG_QUERY_COUNTER_##counter)
#define STREAM(number) (BIT(SO_WRITTEN) << (number) | BIT(SO_NEEDED) << (number))
#define STREAMS (STREAM(0) | STREAM(1) | STREAM(2) | STREAM(3))
/* WebGPU's timestamps are nanoseconds of a steady clock, and so are those of ag_clock_ns(). */
#define TIMESTAMP_FREQUENCY UINT64_C(1000000000)

struct query_type {
    const char *name;
    uint32_t counters; /* BIT() of each counter that the result needs */
    bool begins;       /* the query has a Begin */
    bool predicate;    /* the query can be a predicate */
    /* Stores the result as 64-bit words and returns how many. */
    uint32_t (*answer)(const struct query_type *type, const uint64_t counters[AG_QUERY_COUNTER_COUNT],
                       uint64_t *words);
};

static uint32_t answer_event(const struct query_type *type, const uint64_t counters[AG_QUERY_COUNTER_COUNT],
                             uint64_t *words)
{
    (void)type;
    (void)counters;
    words[0] = 1;
    return 1;
}

static uint32_t answer_occlusion(const struct query_type *type,
                                 const uint64_t counters[AG_QUERY_COUNTER_COUNT], uint64_t *words)
{
    (void)type;
    words[0] = counters[AG_QUERY_COUNTER_SAMPLES_PASSED];
    return 1;
}

static uint32_t answer_occlusion_predicate(const struct query_type *type,
                                           const uint64_t counters[AG_QUERY_COUNTER_COUNT], uint64_t *words)
{
    (void)type;
    words[0] = counters[AG_QUERY_COUNTER_SAMPLES_PASSED] != 0;
    return 1;
}

static uint32_t answer_timestamp(const struct query_type *type,
                                 const uint64_t counters[AG_QUERY_COUNTER_COUNT], uint64_t *words)
{
    (void)type;
    words[0] = counters[AG_QUERY_COUNTER_TIMESTAMP];
    return 1;
}

static uint32_t answer_disjoint(const struct query_type *type,
                                const uint64_t counters[AG_QUERY_COUNTER_COUNT], uint64_t *words)
{
    (void)type;
    words[0] = TIMESTAMP_FREQUENCY;
    words[1] = counters[AG_QUERY_COUNTER_DISJOINT];
    return 2;
}

static uint32_t answer_statistics(const struct query_type *type,
                                  const uint64_t counters[AG_QUERY_COUNTER_COUNT], uint64_t *words)
{
    (void)type;
    memcpy(words, counters, AG_QUERY_COUNTER_STATISTICS * sizeof *words);
    return AG_QUERY_COUNTER_STATISTICS;
}

/* The type wants the counters of one stream. */
static uint32_t answer_stream(const struct query_type *type, const uint64_t counters[AG_QUERY_COUNTER_COUNT],
                              uint64_t *words)
{
    uint32_t stream = 0;
    while (!(type->counters & STREAM(stream)))
        stream++;
    words[0] = counters[AG_QUERY_COUNTER_SO_WRITTEN + stream];
    words[1] = counters[AG_QUERY_COUNTER_SO_NEEDED + stream];
    return 2;
}

/* The type wants the counters of one stream or of all. */
static uint32_t answer_overflow(const struct query_type *type,
                                const uint64_t counters[AG_QUERY_COUNTER_COUNT], uint64_t *words)
{
    words[0] = 0;
    for (uint32_t stream = 0; stream < AG_STREAM_OUTPUT_SLOTS; stream++)
        if (type->counters & STREAM(stream))
            words[0] |= counters[AG_QUERY_COUNTER_SO_WRITTEN + stream] !=
                        counters[AG_QUERY_COUNTER_SO_NEEDED + stream];
    return 1;
}

/* clang-format off */
#define STATISTICS ((BIT(STATISTICS) - 1) & ~BIT(PS_INVOCATIONS))

static const struct query_type types[] = {
    [AEROGPU_EXT_QUERY_EVENT] = {"EVENT", 0, false, false, answer_event},
    [AEROGPU_EXT_QUERY_OCCLUSION] = {"OCCLUSION", BIT(SAMPLES_PASSED), true, false, answer_occlusion},
    [AEROGPU_EXT_QUERY_TIMESTAMP] = {"TIMESTAMP", 0, false, false, answer_timestamp},
    [AEROGPU_EXT_QUERY_TIMESTAMP_DISJOINT] = {"TIMESTAMP_DISJOINT", 0, true, false, answer_disjoint},
    [AEROGPU_EXT_QUERY_PIPELINE_STATISTICS] =
        {"PIPELINE_STATISTICS", STATISTICS | BIT(PS_INVOCATIONS), true, false, answer_statistics},
    [AEROGPU_EXT_QUERY_OCCLUSION_PREDICATE] =
        {"OCCLUSION_PREDICATE", BIT(SAMPLES_PASSED), true, true, answer_occlusion_predicate},
    [AEROGPU_EXT_QUERY_SO_STATISTICS] = {"SO_STATISTICS", STREAM(0), true, false, answer_stream},
    [AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE] =
        {"SO_OVERFLOW_PREDICATE", STREAMS, true, true, answer_overflow},
    [AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM0] =
        {"SO_STATISTICS_STREAM0", STREAM(0), true, false, answer_stream},
    [AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE_STREAM0] =
        {"SO_OVERFLOW_PREDICATE_STREAM0", STREAM(0), true, true, answer_overflow},
    [AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM1] =
        {"SO_STATISTICS_STREAM1", STREAM(1), true, false, answer_stream},
    [AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE_STREAM1] =
        {"SO_OVERFLOW_PREDICATE_STREAM1", STREAM(1), true, true, answer_overflow},
    [AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM2] =
        {"SO_STATISTICS_STREAM2", STREAM(2), true, false, answer_stream},
    [AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE_STREAM2] =
        {"SO_OVERFLOW_PREDICATE_STREAM2", STREAM(2), true, true, answer_overflow},
    [AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM3] =
        {"SO_STATISTICS_STREAM3", STREAM(3), true, false, answer_stream},
    [AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE_STREAM3] =
        {"SO_OVERFLOW_PREDICATE_STREAM3", STREAM(3), true, true, answer_overflow},
};

/* clang-format on */

const char *ag_query_type_name(uint32_t type)
{
    return type < AG_COUNT_OF(types) ? types[type].name : NULL;
}

bool ag_query_type_begins(uint32_t type)
{
    return types[type].begins;
}

bool ag_query_type_is_predicate(uint32_t type)
{
    return types[type].predicate;
}

bool ag_query_type_counts(uint32_t type)
{
    return types[type].counters != 0;
}

/* The most numbers of the GPU that runs may wait for together. */
#define MOST_PARTS (UINT32_C(1) << 20)

/* ---- Runs --------------------------------------------------------------------------------------------- */

struct ag_query_run *ag_query_run_create(struct ag_recorder *recorder, const struct ag_query *query,
                                         uint32_t context_id)
{
    struct ag_query_run *run = calloc(1, sizeof *run);
    if (!run) {
        ag_host_no_memory(recorder->host);
        return NULL;
    }
    run->references = 1;
    run->type = query->type;
    run->context_id = context_id;
    return run;
}

void ag_query_run_release(struct ag_recorder *recorder, struct ag_query_run *run)
{
    if (!run || --run->references)
        return;
    for (struct ag_query_parts *parts; (parts = run->parts) != NULL;) {
        for (size_t i = 0; i < parts->count; i++)
            ag_query_set_release(recorder, parts->items[i].set);
        recorder->queries.part_count -= (uint32_t)parts->count;
        run->parts = parts->next;
        free(parts);
    }
    free(run);
}

const struct ag_query_set *ag_query_run_missing_set(const struct ag_recorder *recorder,
                                                    const struct ag_query_run *run)
{
    for (const struct ag_query_parts *parts = run->parts; parts; parts = parts->next)
        for (size_t i = 0; i < parts->count; i++)
            if (!ag_query_set_is_ready(recorder, parts->items[i].set))
                return parts->items[i].set;
    return NULL;
}

bool ag_query_run_is_ready(const struct ag_recorder *recorder, const struct ag_query_run *run)
{
    return !ag_query_run_missing_set(recorder, run);
}

void ag_query_run_counters(const struct ag_query_run *run, uint64_t counters[AG_QUERY_COUNTER_COUNT])
{
    memcpy(counters, run->counters, sizeof run->counters);
    for (const struct ag_query_parts *parts = run->parts; parts; parts = parts->next)
        for (size_t i = 0; i < parts->count; i++) {
            const struct ag_query_part *part = &parts->items[i];
            counters[part->counter] += ag_query_set_value(part->set, part->slot) * part->scale;
        }
}

uint32_t ag_query_run_result(const struct ag_query_run *run, struct aerogpu_ext_query_result *result)
{
    uint64_t counters[AG_QUERY_COUNTER_COUNT], words[AG_COUNT_OF(result->data)] = {0};
    ag_query_run_counters(run, counters);
    const uint32_t count = types[run->type].answer(&types[run->type], counters, words);
    *result = (struct aerogpu_ext_query_result){.is_ready = 1, .data_bytes = count * 8};
    memcpy(result->data, words, count * sizeof words[0]);
    return (uint32_t)offsetof(struct aerogpu_ext_query_result, data) + count * 8;
}

/* Room for one more part. Null: no memory. */
static struct ag_query_part *next_part(struct ag_query_run *run)
{
    struct ag_query_parts *parts = run->last_parts;
    if (!parts || parts->count == AG_COUNT_OF(parts->items)) {
        parts = malloc(sizeof *parts);
        if (!parts)
            return NULL;
        parts->next = NULL;
        parts->count = 0;
        *(run->parts ? &run->last_parts->next : &run->parts) = parts;
        run->last_parts = parts;
    }
    return &parts->items[parts->count++];
}

void ag_query_run_add_part(struct ag_recorder *recorder, struct ag_query_run *run, struct ag_query_set *set,
                           uint32_t slot, enum ag_query_counter counter, uint32_t scale)
{
    if (recorder->queries.part_count >= MOST_PARTS) {
        ag_host_skip_refused(recorder->host, AGPU_DIAG_EXEC_MEMORY,
                             "the numbers of more than %u passes are counted by queries at a time, of which "
                             "one lacks now",
                             MOST_PARTS);
        return;
    }
    struct ag_query_part *part = next_part(run);
    if (!part) {
        ag_host_no_memory(recorder->host);
        return;
    }
    *part = (struct ag_query_part){set, slot, counter, scale};
    set->references++;
    recorder->queries.part_count++;
}

static bool run_wants(const struct ag_recorder *recorder, const struct ag_query_run *run,
                      enum ag_query_counter counter)
{
    return run->context_id == recorder->queries.context_id && (types[run->type].counters >> counter & 1);
}

/* ---- Counting ----------------------------------------------------------------------------------------- */

bool ag_queries_want(const struct ag_recorder *recorder, enum ag_query_counter counter)
{
    for (size_t i = 0; i < recorder->queries.active.count; i++)
        if (run_wants(recorder, recorder->queries.active.data[i], counter))
            return true;
    return false;
}

void ag_queries_add(struct ag_recorder *recorder, enum ag_query_counter counter, uint64_t count)
{
    for (size_t i = 0; i < recorder->queries.active.count; i++)
        if (run_wants(recorder, recorder->queries.active.data[i], counter))
            recorder->queries.active.data[i]->counters[counter] += count;
}

void ag_queries_add_slot(struct ag_recorder *recorder, enum ag_query_counter counter, uint32_t scale,
                         struct ag_query_set *set, uint32_t slot)
{
    for (size_t i = 0; i < recorder->queries.active.count; i++)
        if (run_wants(recorder, recorder->queries.active.data[i], counter))
            ag_query_run_add_part(recorder, recorder->queries.active.data[i], set, slot, counter, scale);
}

/* ---- Samples ------------------------------------------------------------------------------------------ */

/* A draw that counts for so many takes microseconds for that. */
#define MANY_RUNS 64

/* Samples that pass count as invocations of the pixel shader, if there is one. Direct3D need not count
 * invocations for samples that an early test rejects (D3D11.3 20.4.7). */
static bool wants_samples(const struct ag_recorder *recorder, const struct ag_attachments *attachments)
{
    return !attachments->uncounted &&
           (ag_queries_want(recorder, AG_QUERY_COUNTER_SAMPLES_PASSED) ||
            (!attachments->unshaded && ag_queries_want(recorder, AG_QUERY_COUNTER_PS_INVOCATIONS)));
}

WGPUQuerySet ag_queries_pass_set(struct ag_recorder *recorder, const struct ag_attachments *attachments)
{
    struct ag_queries *queries = &recorder->queries;
    ag_query_set_release(recorder, queries->pass_set);
    queries->pass_set =
        wants_samples(recorder, attachments) ? ag_query_set_open(recorder, AG_QUERY_SET_OCCLUSION) : NULL;
    if (!queries->pass_set)
        return NULL;
    queries->pass_set->references++;
    return queries->pass_set->gpu;
}

bool ag_queries_fit_pass(const struct ag_recorder *recorder, const struct ag_attachments *attachments)
{
    const struct ag_query_set *set = recorder->queries.pass_set;
    return recorder->queries.sampling || !wants_samples(recorder, attachments) ||
           (set && set->used < AG_QUERY_SET_SLOTS);
}

void ag_queries_sample(struct ag_recorder *recorder, WGPURenderPassEncoder encoder,
                       const struct ag_attachments *attachments)
{
    struct ag_queries *queries = &recorder->queries;
    recorder->throttle.grew |= queries->active.count >= MANY_RUNS;
    if (!wants_samples(recorder, attachments)) {
        ag_queries_stop_sampling(recorder, encoder);
        return;
    }
    if (queries->sampling || !queries->pass_set)
        return;
    const uint32_t slot = ag_query_set_take(queries->pass_set);
    wgpuRenderPassEncoderBeginOcclusionQuery(encoder, slot);
    queries->sampling = true;
    ag_queries_add_slot(recorder, AG_QUERY_COUNTER_SAMPLES_PASSED, 1, queries->pass_set, slot);
    if (!attachments->unshaded)
        ag_queries_add_slot(recorder, AG_QUERY_COUNTER_PS_INVOCATIONS, 1, queries->pass_set, slot);
    ag_query_set_release(recorder, queries->pass_set);
}

void ag_queries_stop_sampling(struct ag_recorder *recorder, WGPURenderPassEncoder encoder)
{
    if (recorder->queries.sampling)
        wgpuRenderPassEncoderEndOcclusionQuery(encoder);
    recorder->queries.sampling = false;
}
