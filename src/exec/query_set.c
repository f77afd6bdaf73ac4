/* SPDX-License-Identifier: MIT */
#include "exec/query_set.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "exec/exec.h"

static const struct {
    uint32_t slot_bytes;
    WGPUQueryType type; /* 0: words in a buffer */
} kinds[AGPU_QUERY_SET_KIND_COUNT] = {
    [AGPU_QUERY_SET_OCCLUSION] = {8, WGPUQueryType_Occlusion},
    [AGPU_QUERY_SET_TIMESTAMP] = {8, WGPUQueryType_Timestamp},
    [AGPU_QUERY_SET_COUNT] = {4, (WGPUQueryType)0       },
};

static struct agpu_query_set *create(struct agpu_exec *exec, enum agpu_query_set_kind kind)
{
    struct agpu_query_set *set = calloc(1, sizeof *set);
    if (!set) {
        agpu_exec_no_memory(exec);
        return NULL;
    }
    set->references = 1;
    set->kind = kind;
    WGPUBufferUsage usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
    if (kinds[kind].type) {
        const WGPUQuerySetDescriptor descriptor = {.type = kinds[kind].type, .count = AGPU_QUERY_SET_SLOTS};
        set->gpu = wgpuDeviceCreateQuerySet(exec->device, &descriptor);
        usage |= WGPUBufferUsage_QueryResolve;
    }
    set->resolved =
        agpu_exec_create_buffer(exec, (uint64_t)AGPU_QUERY_SET_SLOTS * kinds[kind].slot_bytes, usage);
    return set;
}

struct agpu_query_set *agpu_query_set_open(struct agpu_exec *exec, enum agpu_query_set_kind kind)
{
    struct agpu_query_set **open = &exec->queries.open[kind];
    if (*open && (*open)->used == AGPU_QUERY_SET_SLOTS) {
        if (!agpu_vec_push(&exec->queries.full, *open)) {
            agpu_exec_no_memory(exec);
            return NULL;
        }
        *open = NULL;
    }
    if (!*open)
        *open = create(exec, kind);
    return *open;
}

uint32_t agpu_query_set_take(struct agpu_query_set *set)
{
    set->references++;
    return set->used++;
}

void agpu_query_set_release(struct agpu_exec *exec, struct agpu_query_set *set)
{
    if (!set || --set->references)
        return;
    agpu_readback_release(exec->readbacks, set->readback);
    if (set->gpu)
        wgpuQuerySetRelease(set->gpu);
    wgpuBufferRelease(set->resolved);
    free(set);
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static void record_copy(struct agpu_exec *exec, struct agpu_query_set *set)
{
    const uint64_t size = (uint64_t)set->used * kinds[set->kind].slot_bytes;
    set->readback = agpu_readback_take(exec->readbacks, size);
    if (!set->readback) {
        agpu_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                         "no memory to read the GPU's queries back");
        return;
    }
    WGPUCommandEncoder encoder = agpu_exec_encoder(exec);
    if (set->gpu)
        wgpuCommandEncoderResolveQuerySet(encoder, set->gpu, 0, set->used, set->resolved, 0);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, set->resolved, 0, agpu_readback_buffer(set->readback), 0,
                                         size);
}

void agpu_query_sets_read(struct agpu_exec *exec)
{
    struct agpu_queries *queries = &exec->queries;
    for (uint32_t kind = 0; kind < AGPU_QUERY_SET_KIND_COUNT; kind++) {
        struct agpu_query_set *set = queries->open[kind];
        queries->open[kind] = NULL;
        if (set && !agpu_vec_push(&queries->full, set)) {
            agpu_exec_no_memory(exec);
            agpu_query_set_release(exec, set);
        }
    }
    agpu_pass_end(exec);
    for (size_t i = 0; i < queries->full.count; i++)
        record_copy(exec, queries->full.data[i]);
    agpu_exec_flush(exec);
    for (size_t i = 0; i < queries->full.count; i++) {
        struct agpu_query_set *set = queries->full.data[i];
        if (set->readback)
            agpu_readback_begin(set->readback);
        set->begun = true;
        agpu_query_set_release(exec, set);
    }
    queries->full.count = 0;
}

void agpu_query_sets_clear(struct agpu_exec *exec)
{
    struct agpu_queries *queries = &exec->queries;
    for (uint32_t kind = 0; kind < AGPU_QUERY_SET_KIND_COUNT; kind++) {
        agpu_query_set_release(exec, queries->open[kind]);
        queries->open[kind] = NULL;
    }
    for (size_t i = 0; i < queries->full.count; i++)
        agpu_query_set_release(exec, queries->full.data[i]);
    agpu_vec_fini(&queries->full);
}

bool agpu_query_set_is_ready(const struct agpu_exec *exec, const struct agpu_query_set *set)
{
    if (exec->lost)
        return true;
    return set->begun && (!set->readback || agpu_readback_state(set->readback) != AGPU_READBACK_PENDING);
}

uint64_t agpu_query_set_value(const struct agpu_query_set *set, uint32_t slot)
{
    const uint8_t *bytes = set->readback ? agpu_readback_data(set->readback) : NULL;
    if (!bytes)
        return 0;
    return kinds[set->kind].slot_bytes == 8 ? agpu_load_u64(bytes + (size_t)slot * 8)
                                            : agpu_load_u32(bytes + (size_t)slot * 4);
}
