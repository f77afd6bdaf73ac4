/* SPDX-License-Identifier: MIT */
#include "exec/bind/constant_buffer.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/uav.h"
#include "exec/blit/byte_copy.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/record/dummy.h"
#include "exec/record/encoder.h"
#include "exec/record/recorder.h"
#include "exec/record/upload_ring.h"
#include "exec/state/slots.h"
#include "exec/transfer/buffer_upload.h"
#include "gpu/webgpu.h"

#define MAX_BOUND_BYTES ((uint64_t)AG_CONSTANT_REGISTERS * AG_REGISTER_BYTES)

bool ag_constants_same(const struct ag_constant_source *a, const struct ag_constant_source *b)
{
    return a->bytes == b->bytes && a->buffer == b->buffer && a->version == b->version &&
           a->offset == b->offset && a->bound == b->bound;
}

/* Binds a buffer that has no shadow: in place when the guest's range has all bytes that the shader reads,
 * else as a copy that is padded with zeros. */
static enum ag_outcome bind_gpu_buffer(struct ag_binder *binder, struct ag_buffer *buffer, uint64_t offset,
                                       uint64_t bound, uint64_t need, bool in_place,
                                       struct ag_bound_range *range)
{
    if (!ag_buffer_use(binder->copier, buffer))
        return AG_STOPPED;
    if (in_place && bound >= need && offset % binder->recorder->ring.alignment == 0) {
        *range = (struct ag_bound_range){buffer->gpu, buffer->id, offset, need, bound};
        return AG_DONE;
    }
    WGPUBuffer scratch = ag_recorder_scratch_buffer(
        binder->recorder, ag_align_up(need, 4),
        WGPUBufferUsage_CopyDst | WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage, "constants and zeros");
    if (!scratch)
        return AG_OUT_OF_MEMORY;
    const struct ag_byte_place to = {scratch, 0}, from = {buffer->gpu, offset};
    if (bound && !ag_bytes_copy(binder->blitter, ag_recorder_encoder(binder->recorder), &to, &from,
                                bound < need ? bound : need))
        return AG_OUT_OF_MEMORY;
    *range = (struct ag_bound_range){scratch, ag_host_id(binder->host), 0, need, bound};
    return AG_DONE;
}

static enum ag_outcome bind_zeros(struct ag_binder *binder, uint64_t need, struct ag_bound_range *range)
{
    *range = (struct ag_bound_range){NULL, 0, 0, need, 0};
    range->buffer = ag_dummy_zeros(binder->recorder, &range->id);
    return AG_DONE;
}

/* The part of the slot's buffer that the shader sees, of at most AG_CONSTANT_REGISTERS registers. */
static void find_range(const struct ag_buffer_slot *slot, const struct ag_buffer *buffer, uint64_t *offset,
                       uint64_t *bound)
{
    *offset = slot->offset < buffer->size ? slot->offset : buffer->size;
    *bound = buffer->size - *offset;
    if (slot->size && slot->size < *bound)
        *bound = slot->size;
    if (*bound > MAX_BOUND_BYTES)
        *bound = MAX_BOUND_BYTES;
}

uint64_t ag_constants_bound(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                            uint32_t index)
{
    const struct ag_stage_bindings *bindings = &context->stages[stage];
    const struct ag_buffer_slot *slot = &bindings->cbuffers[index];
    const struct ag_buffer *buffer =
        slot->handle && !slot->buffer ? ag_handle_buffer(binder->objects, slot->handle) : slot->buffer;
    uint64_t offset, bound;
    if (!buffer)
        return index == 0 && bindings->constants.floats ? MAX_BOUND_BYTES : 0;
    find_range(slot, buffer, &offset, &bound);
    return bound;
}

enum ag_outcome ag_constants_find(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct agpu_binding *binding, struct ag_constant_source *source)
{
    struct ag_stage_bindings *bindings = &context->stages[stage];
    struct ag_buffer_slot *slot = &bindings->cbuffers[binding->slot];
    *source = (struct ag_constant_source){0};
    if (slot->handle && !slot->buffer)
        slot->buffer = ag_handle_buffer(binder->objects, slot->handle);
    if (slot->handle && !slot->buffer) {
        ag_host_warn_handle(binder->host, AG_SPACE_RESOURCES, slot->handle,
                            "constant buffer %u of the %s names no buffer: handle %" PRIu32, binding->slot,
                            agpu_stage_name(stage), slot->handle);
        *slot = (struct ag_buffer_slot){0};
    }
    if (!slot->buffer) {
        if (binding->slot == 0 && bindings->constants.floats)
            *source = (struct ag_constant_source){.bytes = bindings->constants.floats,
                                                  .version = bindings->constants.version,
                                                  .bound = MAX_BOUND_BYTES};
        return AG_DONE;
    }
    struct ag_buffer *buffer = slot->buffer;
    source->buffer = buffer;
    source->slot_offset = slot->offset;
    source->slot_size = slot->size;
    find_range(slot, buffer, &source->offset, &source->bound);
    if (!ag_buffer_pull(binder->copier, buffer))
        return AG_STOPPED;
    source->bytes = buffer->shadow;
    source->version = buffer->version;
    return AG_DONE;
}

enum ag_outcome ag_bind_constants(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct agpu_binding *binding, struct ag_bound_range *range)
{
    struct ag_constant_source source;
    const enum ag_outcome outcome = ag_constants_find(binder, context, stage, binding, &source);
    if (outcome != AG_DONE)
        return outcome;
    const uint64_t need = ag_constants_need(binding, source.bound);
    if (source.bytes) {
        const struct ag_bound_range *uploaded = ag_constants_upload(binder, binding, &source);
        if (!uploaded)
            return AG_OUT_OF_MEMORY;
        *range = *uploaded;
        range->size = need;
        return AG_DONE;
    }
    if (!source.buffer)
        return bind_zeros(binder, need, range);
    bool in_place = stage != AGPU_STAGE_COMPUTE && !ag_context_pixels_write(context, source.buffer);
    return bind_gpu_buffer(binder, source.buffer, source.offset, source.bound, need, in_place, range);
}

enum ag_outcome ag_bind_bytes(struct ag_binder *binder, const void *data, uint64_t size, uint64_t need,
                              struct ag_bound_range *range)
{
    struct ag_upload_slice slice;
    uint64_t bytes = need > size ? need : size;
    if (!ag_upload_ring_alloc(binder->recorder, bytes, &slice))
        return AG_OUT_OF_MEMORY;
    memcpy(slice.bytes, data, (size_t)size);
    *range = (struct ag_bound_range){slice.gpu, slice.id, slice.offset, ag_align_up(bytes, 16), size};
    return AG_DONE;
}
