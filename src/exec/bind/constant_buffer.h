/* SPDX-License-Identifier: MIT
 *
 * Constant buffers and other bytes that shaders read as uniforms. Bytes that the CPU knows are copied into
 * the upload ring, so that a constant buffer that changes between draws does not end the render pass.
 */
#ifndef AG_EXEC_BIND_CONSTANT_BUFFER_H
#define AG_EXEC_BIND_CONSTANT_BUFFER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/record/recorder.h"
#include "exec/record/upload_ring.h"

#define AG_REGISTER_BYTES 16

/* Finds the bytes of the constant buffer in the binding's slot of a stage. */
enum ag_outcome ag_constants_find(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct agpu_binding *binding, struct ag_constant_source *source);

/* Whether a slot has the range of the buffer that a source was found in, and the CPU still knows its bytes:
 * then the source differs from what would be found in nothing but the version, which is that of the buffer.
 * No resource may have been destroyed meanwhile. */
static inline bool ag_constants_are_in(const struct ag_buffer_slot *slot,
                                       const struct ag_constant_source *source)
{
    const struct ag_buffer *buffer = slot->buffer;
    return buffer && buffer == source->buffer && source->bytes && buffer->shadow == source->bytes &&
           slot->offset == source->slot_offset && slot->size == source->slot_size &&
           ag_interval_is_empty(buffer->guest_dirty);
}

/* The same as ag_constants_find(), in less time where the slot has what a source was found in before. */
static inline enum ag_outcome ag_constants_follow(struct ag_binder *binder, struct ag_context *context,
                                                  enum agpu_stage stage, const struct agpu_binding *binding,
                                                  const struct ag_constant_source *before,
                                                  struct ag_constant_source *source)
{
    if (!ag_constants_are_in(&context->stages[stage].cbuffers[binding->slot], before))
        return ag_constants_find(binder, context, stage, binding, source);
    *source = *before;
    source->version = before->buffer->version;
    return AG_DONE;
}

/* Fills constants with bytes, and with zeros behind them. */
static inline void ag_constants_fill(uint8_t *to, uint64_t size, const uint8_t *from, uint64_t bytes)
{
    ag_copy_few(to, from, (size_t)bytes);
    if (bytes < size)
        memset(to + bytes, 0, (size_t)(size - bytes));
}

/* Whether two sources have the same contents at the same place. */
bool ag_constants_same(const struct ag_constant_source *a, const struct ag_constant_source *b);

/* The size of the binding. A storage buffer ends where the guest's range ends, since the shader reads its
 * length. */
static inline uint64_t ag_constants_need(const struct agpu_binding *binding, uint64_t bound)
{
    if (binding->kind == AGPU_BIND_UNIFORM_BUFFER)
        return ag_align_up(binding->bytes, AG_REGISTER_BYTES);
    uint64_t bytes = ag_align_up(bound, AG_REGISTER_BYTES);
    uint64_t least = binding->bytes > AG_REGISTER_BYTES ? binding->bytes : AG_REGISTER_BYTES;
    return bytes > least ? bytes : least;
}

#define AG_SHARED_CONSTANT_BYTES 256

/* The bytes of a slice. So many of those that are bound go along, so that stages whose shaders read more or
 * fewer registers share the slice. */
static inline uint64_t ag_constants_slice(uint64_t bound, uint64_t need)
{
    const uint64_t shared =
        bound < AG_SHARED_CONSTANT_BYTES ? ag_align_up(bound, AG_REGISTER_BYTES) : AG_SHARED_CONSTANT_BYTES;
    return need > shared ? need : shared;
}

static inline struct ag_constant_entry *ag_constants_entry(struct ag_binder *binder, uint64_t version,
                                                           uint64_t offset)
{
    const uint64_t mix = (version ^ offset << 32) * UINT64_C(0x9E3779B97F4A7C15);
    return &binder->constants[(mix >> 32) % AG_CONSTANT_CACHE];
}

/* Binds bytes of a source that the CPU knows: what was uploaded already, or a new slice of the ring. The
 * range is that of the slice, whose binding may be shorter, and valid until the next call. Null when memory
 * is exhausted (reported). */
static inline const struct ag_bound_range *ag_constants_upload(struct ag_binder *binder,
                                                               const struct agpu_binding *binding,
                                                               const struct ag_constant_source *source)
{
    const uint64_t need = ag_constants_need(binding, source->bound), epoch = binder->recorder->ring.epoch;
    struct ag_constant_entry *entry = ag_constants_entry(binder, source->version, source->offset);
    if (entry->version == source->version && entry->offset == source->offset &&
        entry->bound == source->bound && entry->range.size >= need && entry->epoch == epoch)
        return &entry->range;
    const uint64_t bytes = ag_constants_slice(source->bound, need);
    struct ag_upload_slice slice;
    if (!ag_upload_ring_alloc_raw(binder->recorder, bytes, &slice))
        return NULL;
    ag_constants_fill(slice.bytes, bytes, source->bytes + source->offset,
                      source->bound < bytes ? source->bound : bytes);
    *entry = (struct ag_constant_entry){
        source->version,
        source->offset,
        source->bound,
        epoch,
        {slice.gpu, slice.id, slice.offset, bytes, source->bound}
    };
    return &entry->range;
}

/* How many bytes of it the shader sees. 0 when no buffer is bound. */
uint64_t ag_constants_bound(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                            uint32_t index);

/* Finds or uploads the bytes of the constant buffer in the binding's slot of a stage. */
enum ag_outcome ag_bind_constants(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct agpu_binding *binding, struct ag_bound_range *range);
/* Uploads bytes that never change, such as an immediate constant buffer, padded with zeros to `need`
 * bytes. */
enum ag_outcome ag_bind_bytes(struct ag_binder *binder, const void *data, uint64_t size, uint64_t need,
                              struct ag_bound_range *range);

#endif
