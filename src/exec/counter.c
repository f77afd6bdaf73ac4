/* SPDX-License-Identifier: MIT
 *
 * Append and consume counters. A shader sees the counters of all its slots in one buffer; between uses
 * each stays with the buffer it belongs to (D3D11.3 5.3.10).
 */
#include "base/bytes.h"
#include "exec/exec.h"
#include "wgsl/binding.h"

#define COUNTER_BYTES 4
#define COUNTERS_BYTES (AG_UAV_SLOTS * COUNTER_BYTES)

void ag_counter_set(struct ag_uav_counter *counter, uint32_t initial_count)
{
    if (initial_count == AG_COUNTER_KEEP)
        return;
    counter->value = initial_count;
    counter->is_set = true;
}

void ag_counter_fini(struct ag_uav_counter *counter)
{
    if (counter->gpu)
        wgpuBufferRelease(counter->gpu);
    *counter = (struct ag_uav_counter){0};
}

void ag_counters_bind(struct ag_exec *exec, struct ag_bind_item *item)
{
    if (!exec->uav_counters) {
        exec->uav_counters = ag_exec_create_buffer(exec, COUNTERS_BYTES,
                                                   WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc |
                                                       WGPUBufferUsage_CopyDst);
        exec->uav_counters_id = ag_exec_id(exec);
    }
    item->buffer = exec->uav_counters;
    item->id = exec->uav_counters_id;
    item->size = COUNTERS_BYTES;
}

static bool uses_counters(const struct agpu_module *module)
{
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (module->bindings[i].space == AGPU_SPACE_INTERNAL &&
            module->bindings[i].binding == AG_BINDING_UAV_COUNTERS)
            return true;
    return false;
}

/* The counter of a module's binding, if it is an unordered access slot with one: the view's, or that of the
 * buffer where no view is bound. */
static struct ag_uav_counter *counter_of(struct ag_context *context, enum agpu_stage stage,
                                         const struct agpu_module *module, uint32_t index)
{
    const struct agpu_binding *binding = &module->bindings[index];
    if (binding->space != AGPU_SPACE_UAV || binding->kind != AGPU_BIND_STORAGE_BUFFER_READ_WRITE)
        return NULL;
    const struct ag_buffer_slot *slot = &context->stages[stage].uavs[binding->slot];
    return slot->bound ? &slot->bound->counter : slot->buffer ? &slot->buffer->counter : NULL;
}

bool ag_counter_copy(struct ag_exec *exec, const struct ag_uav_counter *counter, WGPUBuffer to,
                     uint64_t offset)
{
    WGPUCommandEncoder encoder = ag_exec_encoder(exec);
    struct ag_ring_slice slice;
    if (!counter->is_set && counter->gpu) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, counter->gpu, 0, to, offset, COUNTER_BYTES);
        return true;
    }
    if (!ag_ring_alloc(exec, COUNTER_BYTES, &slice))
        return false;
    ag_store_u32(slice.bytes, counter->is_set ? counter->value : 0);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, slice.gpu, slice.offset, to, offset, COUNTER_BYTES);
    return true;
}

bool ag_counters_load(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage,
                      const struct agpu_module *module)
{
    if (!uses_counters(module))
        return true;
    wgpuCommandEncoderClearBuffer(ag_exec_encoder(exec), exec->uav_counters, 0, COUNTERS_BYTES);
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct ag_uav_counter *counter = counter_of(context, stage, module, i);
        if (counter && (counter->is_set || counter->gpu) &&
            !ag_counter_copy(exec, counter, exec->uav_counters, module->bindings[i].slot * UINT64_C(4)))
            return false;
    }
    return true;
}

void ag_counters_store(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage,
                       const struct agpu_module *module)
{
    if (!uses_counters(module))
        return;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        struct ag_uav_counter *counter = counter_of(context, stage, module, i);
        if (!counter)
            continue;
        if (!counter->gpu)
            counter->gpu =
                ag_exec_create_buffer(exec, COUNTER_BYTES, WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
        wgpuCommandEncoderCopyBufferToBuffer(ag_exec_encoder(exec), exec->uav_counters,
                                             module->bindings[i].slot * UINT64_C(4), counter->gpu, 0,
                                             COUNTER_BYTES);
        counter->is_set = false;
    }
}
