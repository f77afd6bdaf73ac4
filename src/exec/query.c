/* SPDX-License-Identifier: MIT */
#include "exec/query.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/packets.h"
#include "exec/stream.h"

/* ---- Types -------------------------------------------------------------------------------------------- */

#define BIT(counter) (UINT32_C(1) << AG_COUNTER_##counter)
#define STREAM(number) (BIT(SO_WRITTEN) << (number) | BIT(SO_NEEDED) << (number))
#define STREAMS (STREAM(0) | STREAM(1) | STREAM(2) | STREAM(3))

/* Moments are nanoseconds of the GPU's clock, which WebGPU promises to be steady. */
#define TIMESTAMP_FREQUENCY UINT64_C(1000000000)

struct query_type {
    const char *name;
    uint32_t counters; /* BIT() of those that it wants */
    bool begins;       /* has a Begin */
    bool predicate;
    /* The words of its result; their number. */
    uint32_t (*answer)(const struct query_type *type, const uint64_t counters[AG_COUNTER_COUNT],
                       uint64_t *words);
};

static uint32_t answer_event(const struct query_type *type, const uint64_t counters[AG_COUNTER_COUNT],
                             uint64_t *words)
{
    (void)type;
    (void)counters;
    words[0] = 1;
    return 1;
}

static uint32_t answer_occlusion(const struct query_type *type, const uint64_t counters[AG_COUNTER_COUNT],
                                 uint64_t *words)
{
    (void)type;
    words[0] = counters[AG_COUNTER_SAMPLES_PASSED];
    return 1;
}

static uint32_t answer_occlusion_predicate(const struct query_type *type,
                                           const uint64_t counters[AG_COUNTER_COUNT], uint64_t *words)
{
    (void)type;
    words[0] = counters[AG_COUNTER_SAMPLES_PASSED] != 0;
    return 1;
}

static uint32_t answer_timestamp(const struct query_type *type, const uint64_t counters[AG_COUNTER_COUNT],
                                 uint64_t *words)
{
    (void)type;
    words[0] = counters[AG_COUNTER_TIMESTAMP];
    return 1;
}

static uint32_t answer_disjoint(const struct query_type *type, const uint64_t counters[AG_COUNTER_COUNT],
                                uint64_t *words)
{
    (void)type;
    (void)counters;
    words[0] = TIMESTAMP_FREQUENCY;
    words[1] = 0;
    return 2;
}

static uint32_t answer_statistics(const struct query_type *type, const uint64_t counters[AG_COUNTER_COUNT],
                                  uint64_t *words)
{
    (void)type;
    memcpy(words, counters, AG_COUNTER_STATISTICS * sizeof *words);
    return AG_COUNTER_STATISTICS;
}

/* Of the one stream whose counters it wants. */
static uint32_t answer_stream(const struct query_type *type, const uint64_t counters[AG_COUNTER_COUNT],
                              uint64_t *words)
{
    uint32_t stream = 0;
    while (!(type->counters & STREAM(stream)))
        stream++;
    words[0] = counters[AG_COUNTER_SO_WRITTEN + stream];
    words[1] = counters[AG_COUNTER_SO_NEEDED + stream];
    return 2;
}

/* Of any stream whose counters it wants. */
static uint32_t answer_overflow(const struct query_type *type, const uint64_t counters[AG_COUNTER_COUNT],
                                uint64_t *words)
{
    words[0] = 0;
    for (uint32_t stream = 0; stream < AG_STREAM_OUTPUT_SLOTS; stream++)
        if (type->counters & STREAM(stream))
            words[0] |= counters[AG_COUNTER_SO_WRITTEN + stream] != counters[AG_COUNTER_SO_NEEDED + stream];
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

/* ---- Runs --------------------------------------------------------------------------------------------- */

static struct ag_query_run *create_run(struct ag_exec *exec, const struct ag_query *query)
{
    struct ag_query_run *run = calloc(1, sizeof *run);
    if (!run) {
        ag_exec_no_memory(exec);
        return NULL;
    }
    run->references = 1;
    run->type = query->type;
    run->context_id = exec->context->id;
    return run;
}

void ag_query_run_release(struct ag_exec *exec, struct ag_query_run *run)
{
    if (!run || --run->references)
        return;
    for (size_t i = 0; i < run->parts.count; i++)
        ag_query_set_release(exec, run->parts.data[i].set);
    ag_vec_fini(&run->parts);
    free(run);
}

/* A part whose number has not come, or null. */
static const struct ag_query_set *missing_set(const struct ag_exec *exec, const struct ag_query_run *run)
{
    for (size_t i = 0; i < run->parts.count; i++)
        if (!ag_query_set_is_ready(exec, run->parts.data[i].set))
            return run->parts.data[i].set;
    return NULL;
}

bool ag_query_run_is_ready(const struct ag_exec *exec, const struct ag_query_run *run)
{
    return !missing_set(exec, run);
}

uint32_t ag_query_run_result(const struct ag_query_run *run, struct aerogpu_ext_query_result *result)
{
    uint64_t counters[AG_COUNTER_COUNT], words[AG_COUNT_OF(result->data)] = {0};
    memcpy(counters, run->counters, sizeof counters);
    for (size_t i = 0; i < run->parts.count; i++) {
        const struct ag_query_part *part = &run->parts.data[i];
        counters[part->counter] += ag_query_set_value(part->set, part->slot) * part->scale;
    }
    const uint32_t count = types[run->type].answer(&types[run->type], counters, words);
    *result = (struct aerogpu_ext_query_result){.is_ready = 1, .data_bytes = count * 8};
    memcpy(result->data, words, count * sizeof words[0]);
    return (uint32_t)offsetof(struct aerogpu_ext_query_result, data) + count * 8;
}

static void add_part(struct ag_exec *exec, struct ag_query_run *run, struct ag_query_set *set, uint32_t slot,
                     enum ag_query_counter counter, uint32_t scale)
{
    const struct ag_query_part part = {set, slot, counter, scale};
    set->references++;
    if (ag_vec_push(&run->parts, part))
        return;
    set->references--;
    ag_exec_no_memory(exec);
}

static bool run_wants(const struct ag_exec *exec, const struct ag_query_run *run,
                      enum ag_query_counter counter)
{
    return run->context_id == exec->context->id && (types[run->type].counters >> counter & 1);
}

/* ---- Counting ----------------------------------------------------------------------------------------- */

bool ag_queries_want(const struct ag_exec *exec, enum ag_query_counter counter)
{
    if (exec->queries.paused)
        return false;
    for (size_t i = 0; i < exec->queries.active.count; i++)
        if (run_wants(exec, exec->queries.active.data[i], counter))
            return true;
    return false;
}

void ag_queries_add(struct ag_exec *exec, enum ag_query_counter counter, uint64_t count)
{
    for (size_t i = 0; i < exec->queries.active.count; i++)
        if (run_wants(exec, exec->queries.active.data[i], counter))
            exec->queries.active.data[i]->counters[counter] += count;
}

/* A slot of a set for every run that wants the counter. */
static void add_slot(struct ag_exec *exec, enum ag_query_counter counter, uint32_t scale,
                     struct ag_query_set *set, uint32_t slot)
{
    for (size_t i = 0; i < exec->queries.active.count; i++)
        if (run_wants(exec, exec->queries.active.data[i], counter))
            add_part(exec, exec->queries.active.data[i], set, slot, counter, scale);
}

void ag_queries_add_from(struct ag_exec *exec, enum ag_query_counter counter, uint32_t scale,
                         WGPUBuffer buffer, uint64_t offset)
{
    if (!ag_queries_want(exec, counter))
        return;
    struct ag_query_set *set = ag_query_set_open(exec, AG_QUERY_SET_COUNT);
    if (!set)
        return;
    const uint32_t slot = ag_query_set_take(set);
    wgpuCommandEncoderCopyBufferToBuffer(ag_exec_encoder(exec), buffer, offset, set->resolved,
                                         (uint64_t)slot * 4, 4);
    add_slot(exec, counter, scale, set, slot);
    ag_query_set_release(exec, set);
}

void ag_queries_count_draw(struct ag_exec *exec, const struct ag_context *context, const struct ag_draw *draw)
{
    if (!ag_queries_want(exec, AG_COUNTER_IA_VERTICES))
        return;
    const uint64_t instances = draw->instance_count;
    const uint64_t vertices = draw->count * instances;
    const uint64_t primitives = ag_topology_primitives(context->topology, draw->count) * instances;
    ag_queries_add(exec, AG_COUNTER_IA_VERTICES, vertices);
    ag_queries_add(exec, AG_COUNTER_IA_PRIMITIVES, primitives);
    ag_queries_add(exec, AG_COUNTER_VS_INVOCATIONS, vertices);
    const struct ag_shader_program *geometry = ag_shader_at(exec, context, AGPU_STAGE_GEOMETRY);
    if ((geometry && !geometry->passes_through) || ag_shader_at(exec, context, AGPU_STAGE_HULL))
        return; /* what comes out of them, the GPU tells */
    ag_queries_add(exec, AG_COUNTER_C_INVOCATIONS, primitives);
    ag_queries_add(exec, AG_COUNTER_C_PRIMITIVES, primitives);
}

void ag_queries_count_dispatch(struct ag_exec *exec, const uint32_t groups[3], const uint32_t threads[3])
{
    uint64_t invocations = 1;
    for (uint32_t i = 0; i < 3; i++)
        invocations *= (uint64_t)groups[i] * threads[i];
    ag_queries_add(exec, AG_COUNTER_CS_INVOCATIONS, invocations);
}

/* ---- Samples ------------------------------------------------------------------------------------------ */

/* Pixel shaders count as run for the samples that pass: what early tests reject need not be counted
 * (D3D11.3 20.4.7). */
static bool wants_samples(const struct ag_exec *exec)
{
    return ag_queries_want(exec, AG_COUNTER_SAMPLES_PASSED) ||
           ag_queries_want(exec, AG_COUNTER_PS_INVOCATIONS);
}

WGPUQuerySet ag_queries_pass_set(struct ag_exec *exec)
{
    struct ag_queries *queries = &exec->queries;
    ag_query_set_release(exec, queries->pass_set);
    queries->pass_set = wants_samples(exec) ? ag_query_set_open(exec, AG_QUERY_SET_OCCLUSION) : NULL;
    if (!queries->pass_set)
        return NULL;
    queries->pass_set->references++;
    return queries->pass_set->gpu;
}

bool ag_queries_fit_pass(const struct ag_exec *exec)
{
    const struct ag_query_set *set = exec->queries.pass_set;
    return exec->queries.sampling || !wants_samples(exec) || (set && set->used < AG_QUERY_SET_SLOTS);
}

void ag_queries_sample(struct ag_exec *exec, WGPURenderPassEncoder encoder)
{
    struct ag_queries *queries = &exec->queries;
    if (!wants_samples(exec)) {
        ag_queries_stop_sampling(exec, encoder);
        return;
    }
    if (queries->sampling || !queries->pass_set)
        return;
    const uint32_t slot = ag_query_set_take(queries->pass_set);
    wgpuRenderPassEncoderBeginOcclusionQuery(encoder, slot);
    queries->sampling = true;
    add_slot(exec, AG_COUNTER_SAMPLES_PASSED, 1, queries->pass_set, slot);
    add_slot(exec, AG_COUNTER_PS_INVOCATIONS, 1, queries->pass_set, slot);
    ag_query_set_release(exec, queries->pass_set);
}

void ag_queries_stop_sampling(struct ag_exec *exec, WGPURenderPassEncoder encoder)
{
    if (exec->queries.sampling)
        wgpuRenderPassEncoderEndOcclusionQuery(encoder);
    exec->queries.sampling = false;
}

/* Which runs count changes: what follows is in slots of its own. */
static void split_samples(struct ag_exec *exec)
{
    if (exec->pass.encoder)
        ag_queries_stop_sampling(exec, exec->pass.encoder);
}

/* ---- Begin and End ------------------------------------------------------------------------------------ */

static void deactivate(struct ag_exec *exec, struct ag_query *query)
{
    struct ag_queries *queries = &exec->queries;
    for (size_t i = 0; i < queries->active.count; i++) {
        if (queries->active.data[i] != query->active)
            continue;
        split_samples(exec);
        queries->active.data[i] = queries->active.data[--queries->active.count];
        break;
    }
}

static struct ag_query *find(struct ag_exec *exec, uint32_t handle)
{
    struct ag_query *query = ag_ext_object_find(exec, handle, AG_EXT_OBJECT_QUERY);
    if (!query)
        ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no query", handle);
    return query;
}

enum agpu_status ag_on_ext_create_query(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_query *wire = AGPU_PACKET(packet, ext_create_query);
    enum agpu_status status;
    if (wire->type >= AG_COUNT_OF(types))
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "%" PRIu32 " is no type of query", wire->type);
    if ((wire->flags & AEROGPU_EXT_QUERY_FLAG_PREDICATE_HINT) && !types[wire->type].predicate)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a query of type %s is no predicate",
                            types[wire->type].name);
    struct ag_query *query =
        ag_ext_object_create(exec, wire->object_handle, AG_EXT_OBJECT_QUERY, sizeof *query, &status);
    if (!query)
        return status;
    query->type = wire->type;
    query->flags = wire->flags;
    return AGPU_OK;
}

enum agpu_status ag_on_ext_begin_query(struct ag_exec *exec, const struct agpu_packet *packet)
{
    struct ag_query *query = find(exec, AGPU_PACKET(packet, ext_begin_query)->query_handle);
    if (!query)
        return AGPU_REFUSED;
    if (!types[query->type].begins)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a query of type %s has no begin",
                            types[query->type].name);
    struct ag_query_run *run = create_run(exec, query);
    if (!run)
        return AGPU_NO_MEMORY;
    if (query->active) { /* begun twice: the first one is forgotten */
        deactivate(exec, query);
        ag_query_run_release(exec, query->active);
    }
    query->active = run;
    if (!types[query->type].counters)
        return AGPU_OK;
    split_samples(exec);
    return ag_vec_push(&exec->queries.active, run) ? AGPU_OK : ag_exec_no_memory(exec);
}

/* The moment when what is recorded so far is done. */
static bool take_time(struct ag_exec *exec, struct ag_query_run *run)
{
    struct ag_query_set *set = ag_query_set_open(exec, AG_QUERY_SET_TIMESTAMP);
    if (!set)
        return false;
    const uint32_t slot = ag_query_set_take(set);
    const WGPUPassTimestampWrites writes = {.querySet = set->gpu,
                                            .beginningOfPassWriteIndex = WGPU_QUERY_SET_INDEX_UNDEFINED,
                                            .endOfPassWriteIndex = slot};
    const WGPUComputePassDescriptor descriptor = {.timestampWrites = &writes};
    ag_pass_settle_all(exec);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(ag_exec_encoder(exec), &descriptor);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    add_part(exec, run, set, slot, AG_COUNTER_TIMESTAMP, 1);
    ag_query_set_release(exec, set);
    return true;
}

static enum agpu_status send_result(struct ag_exec *exec, struct ag_query_run *run,
                                    const struct aerogpu_cmd_ext_end_query *wire)
{
    struct aerogpu_ext_query_result result;
    uint64_t gpa;
    if (!ag_guest_resolve(exec, wire->result_alloc_id, wire->result_offset_bytes,
                          ag_query_run_result(run, &result), true, &gpa))
        return AGPU_REFUSED;
    struct ag_transfer *transfer = ag_job_add_transfer(exec, AG_TRANSFER_QUERY, 0);
    if (!transfer)
        return AGPU_NO_MEMORY;
    transfer->gpa = gpa;
    transfer->query = run;
    run->references++;
    return AGPU_OK;
}

enum agpu_status ag_on_ext_end_query(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_end_query *wire = AGPU_PACKET(packet, ext_end_query);
    struct ag_query *query = find(exec, wire->query_handle);
    if (!query)
        return AGPU_REFUSED;
    if (types[query->type].begins && !query->active)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "query %" PRIu32 " ends and was not begun",
                            wire->query_handle);
    struct ag_query_run *run = query->active;
    if (run)
        deactivate(exec, query);
    else
        run = create_run(exec, query);
    query->active = NULL;
    if (!run)
        return AGPU_NO_MEMORY;
    ag_query_run_release(exec, query->last);
    query->last = run;
    if (query->type == AEROGPU_EXT_QUERY_TIMESTAMP && !take_time(exec, run))
        return AGPU_NO_MEMORY;
    return wire->result_alloc_id ? send_result(exec, run, wire) : AGPU_OK;
}

void ag_query_fini(struct ag_exec *exec, struct ag_ext_object *object)
{
    struct ag_query *query = (struct ag_query *)object;
    size_t cursor = 0;
    uint64_t key;
    void *value;
    if (query->active)
        deactivate(exec, query);
    while (ag_map_next(&exec->contexts, &cursor, &key, &value)) {
        struct ag_context *context = value;
        if (context->predicate == object->handle)
            context->predicate_skips = false;
    }
    ag_query_run_release(exec, query->active);
    ag_query_run_release(exec, query->last);
}

void ag_queries_clear(struct ag_exec *exec)
{
    ag_query_set_release(exec, exec->queries.pass_set);
    exec->queries.pass_set = NULL;
    exec->queries.sampling = false;
    ag_query_sets_clear(exec);
    ag_vec_fini(&exec->queries.active);
}

/* ---- Predication -------------------------------------------------------------------------------------- */

enum agpu_status ag_on_ext_set_predication(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_predication *wire = AGPU_PACKET(packet, ext_set_predication);
    struct ag_context *context = exec->context;
    struct aerogpu_ext_query_result result;
    context->predicate = wire->query_handle;
    context->predicate_skips = false;
    if (wire->query_handle == 0)
        return AGPU_OK;
    const struct ag_query *query = find(exec, wire->query_handle);
    if (!query)
        return AGPU_REFUSED;
    if (!types[query->type].predicate)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a query of type %s is no predicate",
                            types[query->type].name);
    if (query->active || !query->last) {
        ag_exec_report(exec, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                       "predicate %" PRIu32 " has no result, so that everything is drawn",
                       wire->query_handle);
        return AGPU_OK;
    }
    const struct ag_query_set *missing = missing_set(exec, query->last);
    if (!missing) {
        ag_query_run_result(query->last, &result);
        context->predicate_skips = (result.data[0] != 0) == (wire->value != 0);
    } else if (!(query->flags & AEROGPU_EXT_QUERY_FLAG_PREDICATE_HINT)) {
        /* A hint may be passed over, which costs less than waiting. */
        if (!missing->begun)
            ag_query_sets_read(exec);
        ag_stream_wait_for_bytes(exec, missing->readback, true);
    }
    return AGPU_OK;
}
