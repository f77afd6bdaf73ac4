/* SPDX-License-Identifier: MIT */
#include "exec/record/query_recording.h"

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "base/clock.h"
#include "base/vec.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/record/encoder.h"
#include "exec/record/flush.h"
#include "exec/record/pass.h"
#include "exec/record/query.h"
#include "exec/record/query_set.h"
#include "exec/record/recorder.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"
#include "gpu/webgpu.h"

void ag_queries_add_from(struct ag_recorder *recorder, enum ag_query_counter counter, uint32_t scale,
                         WGPUBuffer buffer, uint64_t offset)
{
    if (!ag_queries_want(recorder, counter))
        return;
    struct ag_query_set *set = ag_query_set_open(recorder, AG_QUERY_SET_COUNT);
    if (!set)
        return;
    const uint32_t slot = ag_query_set_take(set);
    wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(recorder), buffer, offset, set->resolved,
                                         (uint64_t)slot * 4, 4);
    ag_queries_add_slot(recorder, counter, scale, set, slot);
    ag_query_set_release(recorder, set);
}

/* The set of active runs is about to change, so that later draws need another slot. */
static void split_samples(struct ag_recorder *recorder)
{
    if (recorder->pass.encoder)
        ag_queries_stop_sampling(recorder, recorder->pass.encoder);
}

static void remove_active(struct ag_recorder *recorder, size_t index)
{
    struct ag_queries *queries = &recorder->queries;
    split_samples(recorder);
    queries->active.data[index] = queries->active.data[--queries->active.count];
}

static void deactivate(struct ag_recorder *recorder, struct ag_query *query)
{
    struct ag_queries *queries = &recorder->queries;
    for (size_t i = 0; i < queries->active.count; i++) {
        if (queries->active.data[i] != query->active)
            continue;
        remove_active(recorder, i);
        break;
    }
}

void ag_queries_end_context(struct ag_recorder *recorder, uint32_t context_id)
{
    struct ag_queries *queries = &recorder->queries;
    for (size_t i = queries->active.count; i-- > 0;) {
        if (queries->active.data[i]->context_id != context_id)
            continue;
        remove_active(recorder, i);
    }
}

enum agpu_status ag_query_begin(struct ag_recorder *recorder, struct ag_query *query, uint32_t context_id)
{
    struct ag_query_run *run = ag_query_run_create(recorder, query, context_id);
    if (!run)
        return AGPU_NO_MEMORY;
    if (query->active) { /* a second Begin without an End */
        deactivate(recorder, query);
        ag_query_run_release(recorder, query->active);
    }
    query->active = run;
    if (!ag_query_type_counts(query->type))
        return AGPU_OK;
    split_samples(recorder);
    return ag_vec_push(&recorder->queries.active, run) ? AGPU_OK : ag_host_no_memory(recorder->host);
}

/* Without timestamp-query a time is that of the processor, and TIMESTAMP_DISJOINT says that it is no measure
 * of the GPU's work. */
static void take_time_of_processor(const struct ag_query *query, struct ag_query_run *run)
{
    run->counters[AG_QUERY_COUNTER_DISJOINT] = 1;
    if (query->type == AEROGPU_EXT_QUERY_TIMESTAMP)
        run->counters[AG_QUERY_COUNTER_TIMESTAMP] = ag_clock_ns();
}

/* Records a timestamp behind the commands recorded so far, at the end of an empty compute pass. */
static bool take_time(struct ag_recorder *recorder, struct ag_query_run *run)
{
    struct ag_query_set *set = ag_query_set_open(recorder, AG_QUERY_SET_TIMESTAMP);
    if (!set)
        return false;
    const uint32_t slot = ag_query_set_take(set);
    const WGPUPassTimestampWrites writes = {.querySet = set->gpu,
                                            .beginningOfPassWriteIndex = WGPU_QUERY_SET_INDEX_UNDEFINED,
                                            .endOfPassWriteIndex = slot};
    const WGPUComputePassDescriptor descriptor = {.label = ag_webgpu_string("timestamp"),
                                                  .timestampWrites = &writes};
    ag_pass_settle_all(recorder);
    WGPUComputePassEncoder pass =
        wgpuCommandEncoderBeginComputePass(ag_recorder_encoder(recorder), &descriptor);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    ag_query_run_add_part(recorder, run, set, slot, AG_QUERY_COUNTER_TIMESTAMP, 1);
    ag_query_set_release(recorder, set);
    return true;
}

struct ag_query_run *ag_query_end(struct ag_recorder *recorder, struct ag_query *query, uint32_t context_id)
{
    struct ag_query_run *run = query->active;
    if (run)
        deactivate(recorder, query);
    else
        run = ag_query_run_create(recorder, query, context_id);
    query->active = NULL;
    if (!run)
        return NULL;
    ag_query_run_release(recorder, query->last);
    query->last = run;
    if (!ag_host_has(recorder->host, AG_GPU_FEATURE_TIMESTAMP_QUERY)) {
        take_time_of_processor(query, run);
        return run;
    }
    return query->type == AEROGPU_EXT_QUERY_TIMESTAMP && !take_time(recorder, run) ? NULL : run;
}

void ag_query_fini(struct ag_recorder *recorder, struct ag_query *query)
{
    if (query->active)
        deactivate(recorder, query);
    ag_query_run_release(recorder, query->active);
    ag_query_run_release(recorder, query->last);
}

void ag_queries_clear(struct ag_recorder *recorder)
{
    ag_query_set_release(recorder, recorder->queries.pass_set);
    recorder->queries.pass_set = NULL;
    recorder->queries.sampling = false;
    ag_query_sets_clear(recorder);
    ag_vec_fini(&recorder->queries.active);
}

static void record_copy(struct ag_recorder *recorder, struct ag_query_set *set)
{
    const uint64_t size = (uint64_t)set->used * ag_query_set_slot_bytes(set);
    set->readback = ag_readback_take(recorder->host->readbacks, size);
    if (!set->readback) {
        ag_host_report(recorder->host, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                       "no memory to read the GPU's queries back");
        return;
    }
    WGPUCommandEncoder encoder = ag_recorder_encoder(recorder);
    if (set->gpu)
        wgpuCommandEncoderResolveQuerySet(encoder, set->gpu, 0, set->used, set->resolved, 0);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, set->resolved, 0, ag_readback_buffer(set->readback), 0,
                                         size);
}

void ag_query_sets_read(struct ag_recorder *recorder)
{
    struct ag_queries *queries = &recorder->queries;
    for (uint32_t kind = 0; kind < AG_QUERY_SET_KIND_COUNT; kind++)
        ag_query_set_close(recorder, (enum ag_query_set_kind)kind);
    ag_pass_end(recorder);
    for (struct ag_query_set *set = queries->full; set; set = set->next)
        record_copy(recorder, set);
    ag_recorder_flush(recorder);
    for (struct ag_query_set *set; (set = queries->full) != NULL;) {
        queries->full = set->next;
        if (set->readback)
            ag_readback_begin(set->readback);
        set->begun = true;
        set->next = NULL;
        *queries->reading_end = set;
        queries->reading_end = &set->next;
    }
}
