/* SPDX-License-Identifier: MIT */
#include "exec/bind/uav_counters.h"

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/uav_counter.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/upload_ring.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

#define COUNTER_BYTES 4
#define COUNTERS_BYTES ((uint64_t)AG_UAV_SLOTS * COUNTER_BYTES)

void ag_uav_counters_bind(struct ag_binder *binder, struct ag_bind_item *item)
{
    if (!binder->uav_counters) {
        binder->uav_counters = ag_host_create_buffer(
            binder->host, COUNTERS_BYTES,
            WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "bound counters");
        binder->uav_counters_id = ag_host_id(binder->host);
    }
    item->buffer = binder->uav_counters;
    item->id = binder->uav_counters_id;
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

/* The counter of a module's binding: the counter of the bound view, or of the buffer when the binding has
 * no view. Null when the binding has no counter. */
static struct ag_uav_counter *counter_of(struct ag_context *context, enum agpu_stage stage,
                                         const struct agpu_module *module, uint32_t index)
{
    const struct agpu_binding *binding = &module->bindings[index];
    if (binding->space != AGPU_SPACE_UAV || binding->kind != AGPU_BIND_STORAGE_BUFFER_READ_WRITE)
        return NULL;
    const struct ag_buffer_slot *slot = &context->stages[stage].uavs[binding->slot];
    return slot->bound ? &slot->bound->counter : slot->buffer ? &slot->buffer->counter : NULL;
}

bool ag_uav_counter_copy(struct ag_binder *binder, const struct ag_uav_counter *counter, WGPUBuffer to,
                         uint64_t offset)
{
    WGPUCommandEncoder encoder = ag_recorder_encoder(binder->recorder);
    struct ag_upload_slice slice;
    if (!counter->is_set && counter->gpu) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, counter->gpu, 0, to, offset, COUNTER_BYTES);
        return true;
    }
    if (!ag_upload_ring_alloc(binder->recorder, COUNTER_BYTES, &slice))
        return false;
    ag_store_u32(slice.bytes, counter->is_set ? counter->value : 0);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, slice.gpu, slice.offset, to, offset, COUNTER_BYTES);
    return true;
}

bool ag_uav_counters_load(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                          const struct agpu_module *module)
{
    if (!uses_counters(module))
        return true;
    wgpuCommandEncoderClearBuffer(ag_recorder_encoder(binder->recorder), binder->uav_counters, 0,
                                  COUNTERS_BYTES);
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct ag_uav_counter *counter = counter_of(context, stage, module, i);
        if (counter && (counter->is_set || counter->gpu) &&
            !ag_uav_counter_copy(binder, counter, binder->uav_counters,
                                 module->bindings[i].slot * UINT64_C(4)))
            return false;
    }
    return true;
}

void ag_uav_counters_store(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                           const struct agpu_module *module)
{
    if (!uses_counters(module))
        return;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        struct ag_uav_counter *counter = counter_of(context, stage, module, i);
        if (!counter)
            continue;
        if (!counter->gpu)
            counter->gpu = ag_host_create_buffer(
                binder->host, COUNTER_BYTES, WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "counter");
        wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(binder->recorder), binder->uav_counters,
                                             module->bindings[i].slot * UINT64_C(4), counter->gpu, 0,
                                             COUNTER_BYTES);
        counter->is_set = false;
    }
}
