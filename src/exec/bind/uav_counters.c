/* SPDX-License-Identifier: MIT */
#include "exec/bind/uav_counters.h"

#include <inttypes.h>

#include "abi/packet_effect.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/uav_counter.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/upload_ring.h"
#include "exec/state/slots.h"
#include "gpu/webgpu.h"

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

/* The counter of the view in a slot, or of the buffer when the slot has no view. Null when nothing
 * counts there, or nothing is bound. */
static struct ag_uav_counter *counter_of(struct ag_context *context, enum agpu_stage stage, uint64_t counted,
                                         uint32_t slot_index)
{
    const struct ag_buffer_slot *slot = &context->stages[stage].uavs[slot_index];
    if (!(counted >> slot_index & 1))
        return NULL;
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

/* A buffer in two slots has one counter (A21), which the shader counts with as if there were two. */
static void check_shared(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                         uint64_t counted)
{
    for (uint32_t i = 1; i < AG_UAV_SLOTS; i++) {
        const struct ag_uav_counter *counter = counter_of(context, stage, counted, i);
        for (uint32_t j = 0; j < i && counter; j++)
            if (counter_of(context, stage, counted, j) == counter)
                ag_host_warn(binder->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW,
                             "u%" PRIu32 " and u%" PRIu32 " of the %s have one counter: each counts from "
                             "the number it had, and what the latter counts is kept",
                             j, i, agpu_stage_name(stage));
    }
}

bool ag_uav_counters_load(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                          uint64_t counted)
{
    if (!counted)
        return true;
    check_shared(binder, context, stage, counted);
    wgpuCommandEncoderClearBuffer(ag_recorder_encoder(binder->recorder), binder->uav_counters, 0,
                                  COUNTERS_BYTES);
    for (uint32_t i = 0; i < AG_UAV_SLOTS; i++) {
        const struct ag_uav_counter *counter = counter_of(context, stage, counted, i);
        if (counter && (counter->is_set || counter->gpu) &&
            !ag_uav_counter_copy(binder, counter, binder->uav_counters, i * (uint64_t)COUNTER_BYTES))
            return false;
    }
    return true;
}

void ag_uav_counters_store(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                           uint64_t counted)
{
    if (!counted)
        return;
    for (uint32_t i = 0; i < AG_UAV_SLOTS; i++) {
        struct ag_uav_counter *counter = counter_of(context, stage, counted, i);
        if (!counter)
            continue;
        if (!counter->gpu)
            counter->gpu = ag_host_create_buffer(
                binder->host, COUNTER_BYTES, WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "counter");
        wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(binder->recorder), binder->uav_counters,
                                             i * (uint64_t)COUNTER_BYTES, counter->gpu, 0, COUNTER_BYTES);
        counter->is_set = false;
    }
}
