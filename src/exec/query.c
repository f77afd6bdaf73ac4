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

#define BIT(counter) (UINT32_C(1) << AGPU_COUNTER_##counter)
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
    uint32_t (*answer)(const struct query_type *type, const uint64_t counters[AGPU_COUNTER_COUNT],
                       uint64_t *words);
};

static uint32_t answer_event(const struct query_type *type, const uint64_t counters[AGPU_COUNTER_COUNT],
                             uint64_t *words)
{
    (void)type;
    (void)counters;
    words[0] = 1;
    return 1;
}

static uint32_t answer_occlusion(const struct query_type *type, const uint64_t counters[AGPU_COUNTER_COUNT],
                                 uint64_t *words)
{
    (void)type;
    words[0] = counters[AGPU_COUNTER_SAMPLES_PASSED];
    return 1;
}

static uint32_t answer_occlusion_predicate(const struct query_type *type,
                                           const uint64_t counters[AGPU_COUNTER_COUNT], uint64_t *words)
{
    (void)type;
    words[0] = counters[AGPU_COUNTER_SAMPLES_PASSED] != 0;
    return 1;
}

static uint32_t answer_timestamp(const struct query_type *type, const uint64_t counters[AGPU_COUNTER_COUNT],
                                 uint64_t *words)
{
    (void)type;
    words[0] = counters[AGPU_COUNTER_TIMESTAMP];
    return 1;
}

static uint32_t answer_disjoint(const struct query_type *type, const uint64_t counters[AGPU_COUNTER_COUNT],
                                uint64_t *words)
{
    (void)type;
    (void)counters;
    words[0] = TIMESTAMP_FREQUENCY;
    words[1] = 0;
    return 2;
}

static uint32_t answer_statistics(const struct query_type *type, const uint64_t counters[AGPU_COUNTER_COUNT],
                                  uint64_t *words)
{
    (void)type;
    memcpy(words, counters, AGPU_COUNTER_STATISTICS * sizeof *words);
    return AGPU_COUNTER_STATISTICS;
}

/* Of the one stream whose counters it wants. */
static uint32_t answer_stream(const struct query_type *type, const uint64_t counters[AGPU_COUNTER_COUNT],
                              uint64_t *words)
{
    uint32_t stream = 0;
    while (!(type->counters & STREAM(stream)))
        stream++;
    words[0] = counters[AGPU_COUNTER_SO_WRITTEN + stream];
    words[1] = counters[AGPU_COUNTER_SO_NEEDED + stream];
    return 2;
}

/* Of any stream whose counters it wants. */
static uint32_t answer_overflow(const struct query_type *type, const uint64_t counters[AGPU_COUNTER_COUNT],
                                uint64_t *words)
{
    words[0] = 0;
    for (uint32_t stream = 0; stream < AGPU_STREAM_OUTPUT_SLOTS; stream++)
        if (type->counters & STREAM(stream))
            words[0] |=
                counters[AGPU_COUNTER_SO_WRITTEN + stream] != counters[AGPU_COUNTER_SO_NEEDED + stream];
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

static struct agpu_query_run *create_run(struct agpu_exec *exec, const struct agpu_query *query)
{
    struct agpu_query_run *run = calloc(1, sizeof *run);
    if (!run) {
        agpu_exec_no_memory(exec);
        return NULL;
    }
    run->references = 1;
    run->type = query->type;
    run->context_id = exec->context->id;
    return run;
}

void agpu_query_run_release(struct agpu_exec *exec, struct agpu_query_run *run)
{
    if (!run || --run->references)
        return;
    for (size_t i = 0; i < run->parts.count; i++)
        agpu_query_set_release(exec, run->parts.data[i].set);
    agpu_vec_fini(&run->parts);
    free(run);
}

/* A part whose number has not come, or null. */
static const struct agpu_query_set *missing_set(const struct agpu_exec *exec,
                                                const struct agpu_query_run *run)
{
    for (size_t i = 0; i < run->parts.count; i++)
        if (!agpu_query_set_is_ready(exec, run->parts.data[i].set))
            return run->parts.data[i].set;
    return NULL;
}

bool agpu_query_run_is_ready(const struct agpu_exec *exec, const struct agpu_query_run *run)
{
    return !missing_set(exec, run);
}

uint32_t agpu_query_run_result(const struct agpu_query_run *run, struct aerogpu_ext_query_result *result)
{
    uint64_t counters[AGPU_COUNTER_COUNT], words[AGPU_COUNT_OF(result->data)] = {0};
    memcpy(counters, run->counters, sizeof counters);
    for (size_t i = 0; i < run->parts.count; i++) {
        const struct agpu_query_part *part = &run->parts.data[i];
        counters[part->counter] += agpu_query_set_value(part->set, part->slot) * part->scale;
    }
    const uint32_t count = types[run->type].answer(&types[run->type], counters, words);
    *result = (struct aerogpu_ext_query_result){.is_ready = 1, .data_bytes = count * 8};
    memcpy(result->data, words, count * sizeof words[0]);
    return (uint32_t)offsetof(struct aerogpu_ext_query_result, data) + count * 8;
}

static void add_part(struct agpu_exec *exec, struct agpu_query_run *run, struct agpu_query_set *set,
                     uint32_t slot, enum agpu_query_counter counter, uint32_t scale)
{
    const struct agpu_query_part part = {set, slot, counter, scale};
    set->references++;
    if (agpu_vec_push(&run->parts, part))
        return;
    set->references--;
    agpu_exec_no_memory(exec);
}

static bool run_wants(const struct agpu_exec *exec, const struct agpu_query_run *run,
                      enum agpu_query_counter counter)
{
    return run->context_id == exec->context->id && (types[run->type].counters >> counter & 1);
}

/* ---- Counting ----------------------------------------------------------------------------------------- */

bool agpu_queries_want(const struct agpu_exec *exec, enum agpu_query_counter counter)
{
    if (exec->queries.paused)
        return false;
    for (size_t i = 0; i < exec->queries.active.count; i++)
        if (run_wants(exec, exec->queries.active.data[i], counter))
            return true;
    return false;
}

void agpu_queries_add(struct agpu_exec *exec, enum agpu_query_counter counter, uint64_t count)
{
    for (size_t i = 0; i < exec->queries.active.count; i++)
        if (run_wants(exec, exec->queries.active.data[i], counter))
            exec->queries.active.data[i]->counters[counter] += count;
}

/* A slot of a set for every run that wants the counter. */
static void add_slot(struct agpu_exec *exec, enum agpu_query_counter counter, uint32_t scale,
                     struct agpu_query_set *set, uint32_t slot)
{
    for (size_t i = 0; i < exec->queries.active.count; i++)
        if (run_wants(exec, exec->queries.active.data[i], counter))
            add_part(exec, exec->queries.active.data[i], set, slot, counter, scale);
}

void agpu_queries_add_from(struct agpu_exec *exec, enum agpu_query_counter counter, uint32_t scale,
                           WGPUBuffer buffer, uint64_t offset)
{
    if (!agpu_queries_want(exec, counter))
        return;
    struct agpu_query_set *set = agpu_query_set_open(exec, AGPU_QUERY_SET_COUNT);
    if (!set)
        return;
    const uint32_t slot = agpu_query_set_take(set);
    wgpuCommandEncoderCopyBufferToBuffer(agpu_exec_encoder(exec), buffer, offset, set->resolved,
                                         (uint64_t)slot * 4, 4);
    add_slot(exec, counter, scale, set, slot);
    agpu_query_set_release(exec, set);
}

void agpu_queries_count_draw(struct agpu_exec *exec, const struct agpu_context *context,
                             const struct agpu_draw *draw)
{
    if (!agpu_queries_want(exec, AGPU_COUNTER_IA_VERTICES))
        return;
    const uint64_t instances = draw->instance_count;
    const uint64_t vertices = draw->count * instances;
    const uint64_t primitives = agpu_topology_primitives(context->topology, draw->count) * instances;
    agpu_queries_add(exec, AGPU_COUNTER_IA_VERTICES, vertices);
    agpu_queries_add(exec, AGPU_COUNTER_IA_PRIMITIVES, primitives);
    agpu_queries_add(exec, AGPU_COUNTER_VS_INVOCATIONS, vertices);
    const struct agpu_shader_program *geometry = agpu_shader_at(exec, context, AGPU_STAGE_GEOMETRY);
    if ((geometry && !geometry->passes_through) || agpu_shader_at(exec, context, AGPU_STAGE_HULL))
        return; /* what comes out of them, the GPU tells */
    agpu_queries_add(exec, AGPU_COUNTER_C_INVOCATIONS, primitives);
    agpu_queries_add(exec, AGPU_COUNTER_C_PRIMITIVES, primitives);
}

void agpu_queries_count_dispatch(struct agpu_exec *exec, const uint32_t groups[3], const uint32_t threads[3])
{
    uint64_t invocations = 1;
    for (uint32_t i = 0; i < 3; i++)
        invocations *= (uint64_t)groups[i] * threads[i];
    agpu_queries_add(exec, AGPU_COUNTER_CS_INVOCATIONS, invocations);
}

/* ---- Samples ------------------------------------------------------------------------------------------ */

/* Pixel shaders count as run for the samples that pass: what early tests reject need not be counted
 * (D3D11.3 20.4.7). */
static bool wants_samples(const struct agpu_exec *exec)
{
    return agpu_queries_want(exec, AGPU_COUNTER_SAMPLES_PASSED) ||
           agpu_queries_want(exec, AGPU_COUNTER_PS_INVOCATIONS);
}

WGPUQuerySet agpu_queries_pass_set(struct agpu_exec *exec)
{
    struct agpu_queries *queries = &exec->queries;
    agpu_query_set_release(exec, queries->pass_set);
    queries->pass_set = wants_samples(exec) ? agpu_query_set_open(exec, AGPU_QUERY_SET_OCCLUSION) : NULL;
    if (!queries->pass_set)
        return NULL;
    queries->pass_set->references++;
    return queries->pass_set->gpu;
}

bool agpu_queries_fit_pass(const struct agpu_exec *exec)
{
    const struct agpu_query_set *set = exec->queries.pass_set;
    return exec->queries.sampling || !wants_samples(exec) || (set && set->used < AGPU_QUERY_SET_SLOTS);
}

void agpu_queries_sample(struct agpu_exec *exec, WGPURenderPassEncoder encoder)
{
    struct agpu_queries *queries = &exec->queries;
    if (!wants_samples(exec)) {
        agpu_queries_stop_sampling(exec, encoder);
        return;
    }
    if (queries->sampling || !queries->pass_set)
        return;
    const uint32_t slot = agpu_query_set_take(queries->pass_set);
    wgpuRenderPassEncoderBeginOcclusionQuery(encoder, slot);
    queries->sampling = true;
    add_slot(exec, AGPU_COUNTER_SAMPLES_PASSED, 1, queries->pass_set, slot);
    add_slot(exec, AGPU_COUNTER_PS_INVOCATIONS, 1, queries->pass_set, slot);
    agpu_query_set_release(exec, queries->pass_set);
}

void agpu_queries_stop_sampling(struct agpu_exec *exec, WGPURenderPassEncoder encoder)
{
    if (exec->queries.sampling)
        wgpuRenderPassEncoderEndOcclusionQuery(encoder);
    exec->queries.sampling = false;
}

/* Which runs count changes: what follows is in slots of its own. */
static void split_samples(struct agpu_exec *exec)
{
    if (exec->pass.encoder)
        agpu_queries_stop_sampling(exec, exec->pass.encoder);
}

/* ---- Begin and End ------------------------------------------------------------------------------------ */

static void deactivate(struct agpu_exec *exec, struct agpu_query *query)
{
    struct agpu_queries *queries = &exec->queries;
    for (size_t i = 0; i < queries->active.count; i++) {
        if (queries->active.data[i] != query->active)
            continue;
        split_samples(exec);
        queries->active.data[i] = queries->active.data[--queries->active.count];
        break;
    }
}

static struct agpu_query *find(struct agpu_exec *exec, uint32_t handle)
{
    struct agpu_query *query = agpu_ext_object_find(exec, handle, AGPU_EXT_OBJECT_QUERY);
    if (!query)
        agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no query", handle);
    return query;
}

enum agpu_status agpu_on_ext_create_query(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_query *wire = AGPU_PACKET(packet, ext_create_query);
    enum agpu_status status;
    if (wire->type >= AGPU_COUNT_OF(types))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "%" PRIu32 " is no type of query", wire->type);
    if ((wire->flags & AEROGPU_EXT_QUERY_FLAG_PREDICATE_HINT) && !types[wire->type].predicate)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a query of type %s is no predicate",
                              types[wire->type].name);
    struct agpu_query *query =
        agpu_ext_object_create(exec, wire->object_handle, AGPU_EXT_OBJECT_QUERY, sizeof *query, &status);
    if (!query)
        return status;
    query->type = wire->type;
    query->flags = wire->flags;
    return AGPU_OK;
}

enum agpu_status agpu_on_ext_begin_query(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    struct agpu_query *query = find(exec, AGPU_PACKET(packet, ext_begin_query)->query_handle);
    if (!query)
        return AGPU_REFUSED;
    if (!types[query->type].begins)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a query of type %s has no begin",
                              types[query->type].name);
    struct agpu_query_run *run = create_run(exec, query);
    if (!run)
        return AGPU_NO_MEMORY;
    if (query->active) { /* begun twice: the first one is forgotten */
        deactivate(exec, query);
        agpu_query_run_release(exec, query->active);
    }
    query->active = run;
    if (!types[query->type].counters)
        return AGPU_OK;
    split_samples(exec);
    return agpu_vec_push(&exec->queries.active, run) ? AGPU_OK : agpu_exec_no_memory(exec);
}

/* The moment when what is recorded so far is done. */
static bool take_time(struct agpu_exec *exec, struct agpu_query_run *run)
{
    struct agpu_query_set *set = agpu_query_set_open(exec, AGPU_QUERY_SET_TIMESTAMP);
    if (!set)
        return false;
    const uint32_t slot = agpu_query_set_take(set);
    const WGPUPassTimestampWrites writes = {.querySet = set->gpu,
                                            .beginningOfPassWriteIndex = WGPU_QUERY_SET_INDEX_UNDEFINED,
                                            .endOfPassWriteIndex = slot};
    const WGPUComputePassDescriptor descriptor = {.timestampWrites = &writes};
    agpu_pass_settle_all(exec);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(agpu_exec_encoder(exec), &descriptor);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    add_part(exec, run, set, slot, AGPU_COUNTER_TIMESTAMP, 1);
    agpu_query_set_release(exec, set);
    return true;
}

static enum agpu_status send_result(struct agpu_exec *exec, struct agpu_query_run *run,
                                    const struct aerogpu_cmd_ext_end_query *wire)
{
    struct aerogpu_ext_query_result result;
    uint64_t gpa;
    if (!agpu_guest_resolve(exec, wire->result_alloc_id, wire->result_offset_bytes,
                            agpu_query_run_result(run, &result), true, &gpa))
        return AGPU_REFUSED;
    struct agpu_transfer *transfer = agpu_job_add_transfer(exec, AGPU_TRANSFER_QUERY, 0);
    if (!transfer)
        return AGPU_NO_MEMORY;
    transfer->gpa = gpa;
    transfer->query = run;
    run->references++;
    return AGPU_OK;
}

enum agpu_status agpu_on_ext_end_query(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_end_query *wire = AGPU_PACKET(packet, ext_end_query);
    struct agpu_query *query = find(exec, wire->query_handle);
    if (!query)
        return AGPU_REFUSED;
    if (types[query->type].begins && !query->active)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "query %" PRIu32 " ends and was not begun",
                              wire->query_handle);
    struct agpu_query_run *run = query->active;
    if (run)
        deactivate(exec, query);
    else
        run = create_run(exec, query);
    query->active = NULL;
    if (!run)
        return AGPU_NO_MEMORY;
    agpu_query_run_release(exec, query->last);
    query->last = run;
    if (query->type == AEROGPU_EXT_QUERY_TIMESTAMP && !take_time(exec, run))
        return AGPU_NO_MEMORY;
    return wire->result_alloc_id ? send_result(exec, run, wire) : AGPU_OK;
}

void agpu_query_fini(struct agpu_exec *exec, struct agpu_ext_object *object)
{
    struct agpu_query *query = (struct agpu_query *)object;
    size_t cursor = 0;
    uint64_t key;
    void *value;
    if (query->active)
        deactivate(exec, query);
    while (agpu_map_next(&exec->contexts, &cursor, &key, &value)) {
        struct agpu_context *context = value;
        if (context->predicate == object->handle)
            context->predicate_skips = false;
    }
    agpu_query_run_release(exec, query->active);
    agpu_query_run_release(exec, query->last);
}

void agpu_queries_clear(struct agpu_exec *exec)
{
    agpu_query_set_release(exec, exec->queries.pass_set);
    exec->queries.pass_set = NULL;
    exec->queries.sampling = false;
    agpu_query_sets_clear(exec);
    agpu_vec_fini(&exec->queries.active);
}

/* ---- Predication -------------------------------------------------------------------------------------- */

enum agpu_status agpu_on_ext_set_predication(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_predication *wire = AGPU_PACKET(packet, ext_set_predication);
    struct agpu_context *context = exec->context;
    struct aerogpu_ext_query_result result;
    context->predicate = wire->query_handle;
    context->predicate_skips = false;
    if (wire->query_handle == 0)
        return AGPU_OK;
    const struct agpu_query *query = find(exec, wire->query_handle);
    if (!query)
        return AGPU_REFUSED;
    if (!types[query->type].predicate)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a query of type %s is no predicate",
                              types[query->type].name);
    if (query->active || !query->last) {
        agpu_exec_report(exec, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                         "predicate %" PRIu32 " has no result, so that everything is drawn",
                         wire->query_handle);
        return AGPU_OK;
    }
    const struct agpu_query_set *missing = missing_set(exec, query->last);
    if (!missing) {
        agpu_query_run_result(query->last, &result);
        context->predicate_skips = (result.data[0] != 0) == (wire->value != 0);
    } else if (!(query->flags & AEROGPU_EXT_QUERY_FLAG_PREDICATE_HINT)) {
        /* A hint may be passed over, which costs less than waiting. */
        if (!missing->begun)
            agpu_query_sets_read(exec);
        agpu_stream_wait_for_bytes(exec, missing->readback, true);
    }
    return AGPU_OK;
}
