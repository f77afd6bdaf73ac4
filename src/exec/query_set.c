/* SPDX-License-Identifier: MIT */
#include "exec/query_set.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "exec/exec.h"

static const struct {
    uint32_t slot_bytes;
    WGPUQueryType type; /* 0: words in a buffer */
} kinds[AG_QUERY_SET_KIND_COUNT] = {
    [AG_QUERY_SET_OCCLUSION] = {8, WGPUQueryType_Occlusion},
    [AG_QUERY_SET_TIMESTAMP] = {8, WGPUQueryType_Timestamp},
    [AG_QUERY_SET_COUNT] = {4, (WGPUQueryType)0       },
};

static struct ag_query_set *create(struct ag_exec *exec, enum ag_query_set_kind kind)
{
    struct ag_query_set *set = calloc(1, sizeof *set);
    if (!set) {
        ag_exec_no_memory(exec);
        return NULL;
    }
    set->references = 1;
    set->kind = kind;
    WGPUBufferUsage usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
    if (kinds[kind].type) {
        const WGPUQuerySetDescriptor descriptor = {.type = kinds[kind].type, .count = AG_QUERY_SET_SLOTS};
        set->gpu = wgpuDeviceCreateQuerySet(exec->device, &descriptor);
        usage |= WGPUBufferUsage_QueryResolve;
    }
    set->resolved = ag_exec_create_buffer(exec, (uint64_t)AG_QUERY_SET_SLOTS * kinds[kind].slot_bytes, usage);
    return set;
}

struct ag_query_set *ag_query_set_open(struct ag_exec *exec, enum ag_query_set_kind kind)
{
    struct ag_query_set **open = &exec->queries.open[kind];
    if (*open && (*open)->used == AG_QUERY_SET_SLOTS) {
        if (!ag_vec_push(&exec->queries.full, *open)) {
            ag_exec_no_memory(exec);
            return NULL;
        }
        *open = NULL;
    }
    if (!*open)
        *open = create(exec, kind);
    return *open;
}

uint32_t ag_query_set_take(struct ag_query_set *set)
{
    set->references++;
    return set->used++;
}

void ag_query_set_release(struct ag_exec *exec, struct ag_query_set *set)
{
    if (!set || --set->references)
        return;
    ag_readback_release(exec->readbacks, set->readback);
    if (set->gpu)
        wgpuQuerySetRelease(set->gpu);
    wgpuBufferRelease(set->resolved);
    free(set);
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static void record_copy(struct ag_exec *exec, struct ag_query_set *set)
{
    const uint64_t size = (uint64_t)set->used * kinds[set->kind].slot_bytes;
    set->readback = ag_readback_take(exec->readbacks, size);
    if (!set->readback) {
        ag_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                       "no memory to read the GPU's queries back");
        return;
    }
    WGPUCommandEncoder encoder = ag_exec_encoder(exec);
    if (set->gpu)
        wgpuCommandEncoderResolveQuerySet(encoder, set->gpu, 0, set->used, set->resolved, 0);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, set->resolved, 0, ag_readback_buffer(set->readback), 0,
                                         size);
}

void ag_query_sets_read(struct ag_exec *exec)
{
    struct ag_queries *queries = &exec->queries;
    for (uint32_t kind = 0; kind < AG_QUERY_SET_KIND_COUNT; kind++) {
        struct ag_query_set *set = queries->open[kind];
        queries->open[kind] = NULL;
        if (set && !ag_vec_push(&queries->full, set)) {
            ag_exec_no_memory(exec);
            ag_query_set_release(exec, set);
        }
    }
    ag_pass_end(exec);
    for (size_t i = 0; i < queries->full.count; i++)
        record_copy(exec, queries->full.data[i]);
    ag_exec_flush(exec);
    for (size_t i = 0; i < queries->full.count; i++) {
        struct ag_query_set *set = queries->full.data[i];
        if (set->readback)
            ag_readback_begin(set->readback);
        set->begun = true;
        ag_query_set_release(exec, set);
    }
    queries->full.count = 0;
}

void ag_query_sets_clear(struct ag_exec *exec)
{
    struct ag_queries *queries = &exec->queries;
    for (uint32_t kind = 0; kind < AG_QUERY_SET_KIND_COUNT; kind++) {
        ag_query_set_release(exec, queries->open[kind]);
        queries->open[kind] = NULL;
    }
    for (size_t i = 0; i < queries->full.count; i++)
        ag_query_set_release(exec, queries->full.data[i]);
    ag_vec_fini(&queries->full);
}

bool ag_query_set_is_ready(const struct ag_exec *exec, const struct ag_query_set *set)
{
    if (exec->lost)
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
