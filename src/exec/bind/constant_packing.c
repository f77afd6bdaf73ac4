/* SPDX-License-Identifier: MIT */
#include "exec/bind/constant_packing.h"

#include <stdlib.h>

#include "aerogpu/translate.h"
#include "exec/bind/context.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/record/bind_group_layout.h"
#include "wgsl/options.h"

/* A buffer of its own takes up to 256 bytes of the ring each time that it changes; two of them that change
 * take no more in a pack. More is copied only where buffers would have fixed offsets, and each change would
 * make a bind group. */
#define FEW_BYTES 512u
#define MOST_BYTES 8192u

struct ag_constant_packing ag_constant_packing_of(const struct ag_binder *binder, enum agpu_stage stage,
                                                  uint16_t apart)
{
    const uint32_t dynamic = ag_dynamic_uniforms(&binder->host->limits, stage);
    return (struct ag_constant_packing){
        .few_bytes = FEW_BYTES,
        .most_bytes = MOST_BYTES,
        .few_buffers = (uint16_t)(dynamic > 0 ? dynamic - 1 : 0), /* the pack has an offset, too */
        .apart = apart,
    };
}

uint16_t ag_constants_apart(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                            uint16_t slots)
{
    uint16_t bits = 0;
    for (uint32_t i = 0; slots >> i; i++) {
        const struct ag_buffer_slot *slot = &context->stages[stage].cbuffers[i];
        if (!(slots >> i & 1) || !slot->handle)
            continue;
        const struct ag_buffer *buffer =
            slot->buffer ? slot->buffer : ag_handle_buffer(binder->objects, slot->handle);
        if (buffer && !buffer->shadow)
            bits |= (uint16_t)(1u << i);
    }
    return bits;
}

struct ag_constant_pack *ag_constant_pack_create(const struct agpu_module *module)
{
    struct ag_constant_pack *pack = module->packed_count ? calloc(1, sizeof *pack) : NULL;
    for (uint32_t i = 0; pack && i < module->binding_count; i++)
        if (ag_is_constant_pack(&module->bindings[i]))
            pack->bytes = module->bindings[i].bytes;
    for (uint32_t i = 0; pack && i < module->packed_count; i++)
        pack->parts[pack->count++] = (struct ag_packed_part){.slot = module->packed[i].slot,
                                                             .first = module->packed[i].pack_offset,
                                                             .bytes = (uint32_t)module->packed[i].bytes};
    if (pack && module->constant_sets) {
        const struct ag_packed_part *last = &pack->parts[pack->count - 1];
        pack->most_sets = module->constant_sets;
        pack->first_set = ag_constant_sets_offset(pack->most_sets);
        pack->set_bytes = last->first + last->bytes;
    }
    return pack;
}
