/* SPDX-License-Identifier: MIT */
#include "exec/bind/constant_pack.h"

#include <string.h>

#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/constant_packing.h"
#include "exec/bind/context.h"
#include "exec/blit/byte_copy.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/record/encoder.h"
#include "exec/record/recorder.h"
#include "exec/record/upload_ring.h"
#include "exec/transfer/buffer_upload.h"

/* Whether a slot has the same range of the same buffer as before, whose bytes are in the shadow. Notes other
 * contents of the buffer. */
static inline bool is_known(const struct ag_buffer_slot *slot, struct ag_constant_pack *pack,
                            struct ag_packed_part *part)
{
    const struct ag_buffer *buffer = slot->buffer;
    if (!ag_constants_are_in(slot, &part->source) || buffer->id != part->id)
        return false;
    if (buffer->version != part->source.version) {
        part->source.version = buffer->version;
        pack->epoch = 0;
    }
    return true;
}

static enum ag_outcome find_part(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                 const struct agpu_binding *binding, struct ag_constant_pack *pack,
                                 struct ag_packed_part *part)
{
    struct ag_constant_source source;
    const enum ag_outcome outcome = ag_constants_find(binder, context, stage, binding, &source);
    if (outcome != AG_DONE)
        return outcome;
    if (!ag_constants_same(&source, &part->source))
        pack->epoch = 0;
    part->source = source;
    part->bound = source.bound < part->bytes ? (uint32_t)source.bound : part->bytes;
    part->known = source.bytes ? part->bound : 0;
    part->from = source.bytes ? source.bytes + source.offset : NULL;
    part->id = source.buffer ? source.buffer->id : 0;
    return AG_DONE;
}

/* Looks all parts up. *on_gpu: only the GPU knows the contents of some. */
static enum ag_outcome find_parts(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct agpu_module *module, struct ag_constant_pack *pack,
                                  bool *on_gpu)
{
    const struct ag_buffer_slot *const slots = context->stages[stage].cbuffers;
    *on_gpu = false;
    if (pack->epoch != binder->recorder->ring.epoch)
        pack->epoch = 0;
    const struct ag_packed_part *const end = pack->parts + pack->count;
    for (struct ag_packed_part *part = pack->parts; part < end; part++) {
        if (is_known(&slots[part->slot], pack, part))
            continue;
        const enum ag_outcome outcome =
            find_part(binder, context, stage, &module->packed[part - pack->parts], pack, part);
        if (outcome != AG_DONE)
            return outcome;
        *on_gpu |= part->source.buffer && !part->source.bytes;
    }
    return AG_DONE;
}

/* Puts contents that only the GPU knows into a copy of the slice. */
static enum ag_outcome copy_parts(struct ag_binder *binder, const struct ag_constant_pack *pack,
                                  const struct ag_upload_slice *slice, struct ag_bound_range *range)
{
    WGPUBuffer scratch = ag_recorder_scratch_buffer(
        binder->recorder, pack->bytes,
        WGPUBufferUsage_CopyDst | WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage, "packed constants");
    if (!scratch)
        return AG_OUT_OF_MEMORY;
    wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(binder->recorder), slice->gpu, slice->offset,
                                         scratch, 0, pack->bytes);
    for (uint32_t i = 0; i < pack->count; i++) {
        const struct ag_packed_part *part = &pack->parts[i];
        struct ag_buffer *buffer = part->source.buffer;
        if (!buffer || part->source.bytes || !part->bound)
            continue;
        if (!ag_buffer_use(binder->copier, buffer))
            return AG_STOPPED;
        const struct ag_byte_place to = {scratch, pack->first_set + part->first},
                                   from = {buffer->gpu, part->source.offset};
        if (!ag_bytes_copy(binder->blitter, ag_recorder_encoder(binder->recorder), &to, &from, part->bound))
            return AG_OUT_OF_MEMORY;
    }
    *range = (struct ag_bound_range){scratch, ag_host_id(binder->host), 0, pack->bytes, pack->bytes};
    return AG_DONE;
}

static void fill_parts(const struct ag_constant_pack *pack, uint8_t *bytes)
{
    const struct ag_packed_part *const end = pack->parts + pack->count;
    for (const struct ag_packed_part *part = pack->parts; part < end; part++)
        ag_constants_fill(bytes + part->first, part->bytes, part->from, part->known);
}

static void begin_sets(struct ag_constant_pack *pack, uint8_t *bytes)
{
    ag_store_u32(bytes, 0);
    memset(bytes + 4, 0xFF, pack->first_set - 4u);
    pack->set_count = 1;
}

enum ag_outcome ag_constant_pack_bind(struct ag_binder *binder, struct ag_context *context,
                                      enum agpu_stage stage, const struct agpu_module *module,
                                      struct ag_constant_pack *pack, struct ag_bound_range *range)
{
    bool on_gpu;
    struct ag_upload_slice slice;
    const enum ag_outcome outcome = find_parts(binder, context, stage, module, pack, &on_gpu);
    if (outcome != AG_DONE)
        return outcome;
    if (pack->epoch && !pack->most_sets) {
        *range = pack->range;
        return AG_DONE;
    }
    if (!ag_upload_ring_alloc_raw(binder->recorder, pack->bytes, &slice))
        return AG_OUT_OF_MEMORY;
    pack->sets = NULL;
    if (pack->most_sets)
        begin_sets(pack, slice.bytes);
    fill_parts(pack, slice.bytes + pack->first_set);
    if (on_gpu)
        return copy_parts(binder, pack, &slice, range);
    const struct ag_bound_range made = {slice.gpu, slice.id, slice.offset, pack->bytes, pack->bytes};
    *range = pack->range = made;
    pack->epoch = binder->recorder->ring.epoch;
    pack->sets = pack->most_sets ? slice.bytes : NULL;
    return AG_DONE;
}

/* Whether some buffer has other contents than were uploaded. */
static inline bool has_changed(const struct ag_constant_pack *pack)
{
    const struct ag_packed_part *const end = pack->parts + pack->count;
    for (const struct ag_packed_part *part = pack->parts; part < end; part++)
        if (part->source.buffer && part->source.buffer->version != part->source.version)
            return true;
    return false;
}

/* As fill_parts(), with what the buffers have now. False: the processor does not know all of it. */
static inline bool fill_anew(struct ag_constant_pack *pack, uint8_t *bytes)
{
    const struct ag_packed_part *const end = pack->parts + pack->count;
    for (struct ag_packed_part *part = pack->parts; part < end; part++) {
        const struct ag_buffer *buffer = part->source.buffer;
        if (buffer && (buffer->shadow != part->source.bytes || !ag_interval_is_empty(buffer->guest_dirty)))
            return false;
        if (buffer)
            part->source.version = buffer->version;
        ag_constants_fill(bytes + part->first, part->bytes, part->from, part->known);
    }
    return true;
}

const struct ag_bound_range *ag_constant_pack_follow(struct ag_binder *binder, struct ag_constant_pack *pack)
{
    struct ag_upload_slice slice;
    if (!pack->epoch || pack->most_sets)
        return NULL;
    if (pack->epoch == binder->recorder->ring.epoch && !has_changed(pack))
        return &pack->range;
    pack->epoch = 0;
    if (!ag_upload_ring_alloc_raw(binder->recorder, pack->bytes, &slice) || !fill_anew(pack, slice.bytes))
        return NULL;
    pack->range = (struct ag_bound_range){slice.gpu, slice.id, slice.offset, pack->bytes, pack->bytes};
    pack->epoch = binder->recorder->ring.epoch;
    return &pack->range;
}

bool ag_constant_pack_add(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                          const struct agpu_module *module, struct ag_constant_pack *pack, uint32_t number)
{
    bool on_gpu;
    if (!pack->sets || pack->epoch != binder->recorder->ring.epoch ||
        find_parts(binder, context, stage, module, pack, &on_gpu) != AG_DONE || on_gpu)
        return false;
    if (pack->epoch)
        return true;
    if (pack->set_count == pack->most_sets)
        return false;
    ag_store_u32(pack->sets + 4 * (size_t)pack->set_count, number);
    fill_parts(pack, pack->sets + pack->first_set + (size_t)pack->set_count * pack->set_bytes);
    pack->set_count++;
    pack->epoch = binder->recorder->ring.epoch;
    return true;
}
