/* SPDX-License-Identifier: MIT */
#include "exec/bind/sampler_binding.h"

#include <float.h>
#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/constant_packing.h"
#include "exec/bind/context.h"
#include "exec/bind/group_builder.h"
#include "exec/bind/shader.h"
#include "exec/bind/texture_binding.h"
#include "exec/bind/texture_sharing.h"
#include "exec/bind/uav.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/sampler.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/dummy.h"
#include "exec/state/state.h"
#include "gpu/webgpu.h"
#include "wgsl/draw_block.h"

/* The sampler in a slot. Null when the handle names none, which ag_bind_sampler() reports. */
static struct ag_sampler *resolve(struct ag_binder *binder, struct ag_sampler_slot *slot)
{
    if (slot->handle && !slot->sampler)
        slot->sampler = ag_map_get(&binder->objects->samplers, slot->handle);
    return slot->sampler;
}

static bool has_floors(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage)
{
    for (uint32_t i = 0; binder->objects->has_level_floors && i < AG_RESOURCE_SLOTS; i++) {
        const struct ag_texture_view *view = ag_texture_of_slot(binder, &context->stages[stage].resources[i]);
        if (view && view->texture->min_lod > 0)
            return true;
    }
    return false;
}

/* Which constant buffers with computed indices have more registers than the shader declares. A uniform buffer
 * would end where the declaration does. */
static uint16_t long_cbuffers(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                              const struct ag_shader_program *program)
{
    uint16_t bits = 0;
    for (uint32_t i = 0; program->has_indexed_registers && i < AG_CBUFFER_SLOTS; i++)
        if (program->indexed_registers[i] &&
            ag_constants_bound(binder, context, stage, i) > program->indexed_registers[i] * UINT64_C(16))
            bits |= (uint16_t)(1u << i);
    return bits;
}

struct ag_sampling ag_sampling_of(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  struct ag_shader_program *program)
{
    struct ag_sampling bits;
    memset(&bits, 0, sizeof bits);
    if (!program)
        return bits;
    bits.floors = has_floors(binder, context, stage);
    bits.long_cbuffers = long_cbuffers(binder, context, stage, program);
    if (program->cbuffer_slots & (program->cbuffer_slots - 1u)) /* one is not packed */
        bits.apart_cbuffers = binder->packs_nothing
                                  ? UINT16_MAX
                                  : ag_constants_apart(binder, context, stage, program->cbuffer_slots);
    bits.arena_uavs = program->has_uavs && ag_uavs_share_arena(binder, context, stage);
    ag_textures_compare(binder, context, stage, program, bits.textures);
    ag_textures_share(binder, context, stage, program, bits.textures);
    for (uint32_t i = 0; program->sampler_slots >> i; i++) {
        const struct ag_sampler *sampler =
            program->sampler_slots >> i & 1 ? resolve(binder, &context->stages[stage].samplers[i]) : NULL;
        if (!sampler)
            continue;
        if (ag_sampler_is_emulated(&sampler->desc) || (bits.floors && ag_sampler_compares(&sampler->desc)))
            bits.emulated |= (uint16_t)(1u << i);
        if (ag_sampler_has_bias(&sampler->desc) && !ag_sampler_compares(&sampler->desc))
            bits.biased |= (uint16_t)(1u << i);
    }
    return bits;
}

void ag_samplers_states(const struct ag_context *context, enum agpu_stage stage,
                        uint8_t states[AG_SAMPLER_STATES_BYTES])
{
    struct ag_sampler_desc empty;
    ag_sampler_default(&empty);
    memset(states, 0, AG_SAMPLER_STATES_BYTES);
    for (uint32_t i = 0; i < AG_SAMPLER_SLOTS; i++) {
        const struct ag_sampler *sampler = context->stages[stage].samplers[i].sampler;
        uint8_t *to = states + 32 * (size_t)i;
        const struct ag_sampler_desc *desc = sampler ? &sampler->desc : &empty;
        const uint32_t comparison =
            ag_sampler_compares(desc) ? desc->comparison : AEROGPU_EXT_COMPARISON_NEVER;
        for (uint32_t c = 0; c < 4; c++)
            ag_store_u32(to + 4 * (size_t)c, ag_bits_from_float(desc->border_color[c]));
        ag_store_u32(to + 16, desc->filter | (uint32_t)desc->address_u << 12 |
                                  (uint32_t)desc->address_v << 15 | (uint32_t)desc->address_w << 18 |
                                  comparison << 24);
        ag_store_u32(to + 20, ag_bits_from_float(desc->mip_lod_bias));
        ag_store_u32(to + 24, ag_bits_from_float(desc->min_lod));
        ag_store_u32(to + 28, ag_bits_from_float(desc->max_lod));
    }
}

enum ag_outcome ag_bind_sampler(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item)
{
    WGPUSamplerBindingType type =
        ag_sampler_binding_type((enum agpu_binding_kind)binding->kind, binding->filtered);
    bool comparison = type == WGPUSamplerBindingType_Comparison;
    struct ag_sampler_slot *slot = &builder->context->stages[builder->stage].samplers[binding->slot];
    if (!resolve(builder->binder, slot) && slot->handle) {
        ag_group_warn_handle(builder, AG_SPACE_SAMPLERS, "s", binding->slot, slot->handle);
        slot->handle = 0;
    }
    if (slot->sampler && !slot->sampler->gpu)
        return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_EXEC_REFUSED_OBJECT,
                                    "s%u of the %s is a sampler that cannot be expressed", binding->slot,
                                    agpu_stage_name(builder->stage));
    if (!slot->sampler || (comparison && !ag_sampler_compares(&slot->sampler->desc))) {
        item->sampler = ag_dummy_sampler(builder->binder->recorder, type, &item->id);
    } else if (!comparison) {
        item->sampler = ag_sampler_plain(builder->binder->objects, slot->sampler,
                                         type == WGPUSamplerBindingType_NonFiltering, &item->id);
    } else {
        item->sampler = slot->sampler->gpu;
        item->id = slot->sampler->id;
    }
    const struct ag_sampler_desc *desc = slot->sampler ? &slot->sampler->desc : NULL;
    ag_group_set_view(builder, binding, ag_bits_from_float(desc ? desc->mip_lod_bias : 0),
                      ag_bits_from_float(desc ? desc->min_lod : -FLT_MAX),
                      ag_bits_from_float(desc ? desc->max_lod : FLT_MAX));
    return AG_DONE;
}
