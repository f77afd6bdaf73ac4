/* SPDX-License-Identifier: MIT */
#include "exec/record/query_set.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/vec.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/record/recorder.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"
#include "gpu/webgpu.h"

static const struct {
    uint32_t slot_bytes;
    WGPUQueryType type; /* 0: counts in a buffer, without a WebGPU query set */
} kinds[AG_QUERY_SET_KIND_COUNT] = {
    [AG_QUERY_SET_OCCLUSION] = {8, WGPUQueryType_Occlusion},
    [AG_QUERY_SET_TIMESTAMP] = {8, WGPUQueryType_Timestamp},
    [AG_QUERY_SET_COUNT] = {4, (WGPUQueryType)0       },
};

static struct ag_query_set *create(struct ag_recorder *recorder, enum ag_query_set_kind kind)
{
    struct ag_query_set *set = calloc(1, sizeof *set);
    if (!set) {
        ag_host_no_memory(recorder->host);
        return NULL;
    }
    set->references = 1;
    set->kind = kind;
    WGPUBufferUsage usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
    if (kinds[kind].type) {
        const WGPUQuerySetDescriptor descriptor = {
            .label = ag_webgpu_string("queries"), .type = kinds[kind].type, .count = AG_QUERY_SET_SLOTS};
        set->gpu = wgpuDeviceCreateQuerySet(ag_gpu_maker(recorder->host->gpu), &descriptor);
        usage |= WGPUBufferUsage_QueryResolve;
    }
    set->resolved = ag_host_create_buffer(
        recorder->host, (uint64_t)AG_QUERY_SET_SLOTS * kinds[kind].slot_bytes, usage, "results of queries");
    return set;
}

void ag_query_set_close(struct ag_recorder *recorder, enum ag_query_set_kind kind)
{
    struct ag_queries *queries = &recorder->queries;
    struct ag_query_set *set = queries->open[kind];
    queries->open[kind] = NULL;
    if (!set)
        return;
    set->next = queries->full;
    queries->full = set;
}

struct ag_query_set *ag_query_set_open(struct ag_recorder *recorder, enum ag_query_set_kind kind)
{
    struct ag_query_set **open = &recorder->queries.open[kind];
    if (*open && (*open)->used == AG_QUERY_SET_SLOTS)
        ag_query_set_close(recorder, kind);
    if (!*open)
        *open = create(recorder, kind);
    return *open;
}

uint32_t ag_query_set_slot_bytes(const struct ag_query_set *set)
{
    return kinds[set->kind].slot_bytes;
}

uint32_t ag_query_set_take(struct ag_query_set *set)
{
    set->references++;
    return set->used++;
}

static void release_gpu(struct ag_recorder *recorder, struct ag_query_set *set)
{
    ag_readback_release(recorder->host->readbacks, set->readback);
    if (set->gpu)
        wgpuQuerySetRelease(set->gpu);
    if (set->resolved)
        wgpuBufferRelease(set->resolved);
    set->readback = NULL;
    set->gpu = NULL;
    set->resolved = NULL;
}

void ag_query_set_release(struct ag_recorder *recorder, struct ag_query_set *set)
{
    if (!set || --set->references)
        return;
    release_gpu(recorder, set);
    free(set->values);
    free(set);
}

static uint64_t value_in(const struct ag_query_set *set, const uint8_t *bytes, uint32_t slot)
{
    return kinds[set->kind].slot_bytes == 8 ? ag_load_u64(bytes + (size_t)slot * 8)
                                            : ag_load_u32(bytes + (size_t)slot * 4);
}

/* Takes the numbers of a set. Without memory for them they stay where they are. */
static void take_values(struct ag_recorder *recorder, struct ag_query_set *set)
{
    const uint8_t *bytes = set->readback ? ag_readback_data(set->readback) : NULL;
    if (!bytes)
        return;
    set->values = malloc(set->used * sizeof *set->values);
    for (uint32_t slot = 0; set->values && slot < set->used; slot++)
        set->values[slot] = value_in(set, bytes, slot);
    if (set->values)
        release_gpu(recorder, set);
}

void ag_query_sets_settle(struct ag_recorder *recorder)
{
    struct ag_queries *queries = &recorder->queries;
    for (struct ag_query_set *set; (set = queries->reading) != NULL;) {
        if (!ag_query_set_is_ready(recorder, set))
            break;
        queries->reading = set->next;
        if (!queries->reading)
            queries->reading_end = &queries->reading;
        if (set->references > 1) /* a run has numbers of the set */
            take_values(recorder, set);
        ag_query_set_release(recorder, set);
    }
}

void ag_query_sets_clear(struct ag_recorder *recorder)
{
    struct ag_queries *queries = &recorder->queries;
    for (uint32_t kind = 0; kind < AG_QUERY_SET_KIND_COUNT; kind++)
        ag_query_set_close(recorder, (enum ag_query_set_kind)kind);
    for (struct ag_query_set *set; (set = queries->full) != NULL;) {
        queries->full = set->next;
        ag_query_set_release(recorder, set);
    }
    for (struct ag_query_set *set; (set = queries->reading) != NULL;) {
        queries->reading = set->next;
        ag_query_set_release(recorder, set);
    }
    queries->reading_end = &queries->reading;
}

bool ag_query_set_is_ready(const struct ag_recorder *recorder, const struct ag_query_set *set)
{
    if (recorder->host->lost)
        return true;
    return set->begun && (!set->readback || ag_readback_state(set->readback) != AG_READBACK_PENDING);
}

uint64_t ag_query_set_value(const struct ag_query_set *set, uint32_t slot)
{
    const uint8_t *bytes = set->readback ? ag_readback_data(set->readback) : NULL;
    return set->values ? set->values[slot] : bytes ? value_in(set, bytes, slot) : 0;
}
