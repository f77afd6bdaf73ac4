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
        set->gpu = wgpuDeviceCreateQuerySet(recorder->host->device, &descriptor);
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

void ag_query_set_release(struct ag_recorder *recorder, struct ag_query_set *set)
{
    if (!set || --set->references)
        return;
    ag_readback_release(recorder->host->readbacks, set->readback);
    if (set->gpu)
        wgpuQuerySetRelease(set->gpu);
    wgpuBufferRelease(set->resolved);
    free(set);
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
    if (!bytes)
        return 0;
    return kinds[set->kind].slot_bytes == 8 ? ag_load_u64(bytes + (size_t)slot * 8)
                                            : ag_load_u32(bytes + (size_t)slot * 4);
}
