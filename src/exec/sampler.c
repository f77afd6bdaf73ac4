/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/bind.h"
#include "exec/exec.h"
#include "wgsl/draw_block.h"

struct ag_sampler *ag_sampler_create(struct ag_exec *exec, const struct ag_sampler_desc *desc)
{
    WGPUSamplerDescriptor descriptor;
    const char *missing;
    struct ag_sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return NULL;
    sampler->desc = *desc;
    sampler->id = ag_exec_id(exec);
    if (!ag_sampler_to_webgpu(desc, &descriptor, &missing)) {
        ag_exec_report(exec, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR, "a sampler with %s is not supported",
                       missing);
        return sampler;
    }
    sampler->gpu = wgpuDeviceCreateSampler(exec->device, &descriptor);
    return sampler;
}

enum agpu_status ag_sampler_define(struct ag_exec *exec, uint32_t handle, const struct ag_sampler_desc *desc)
{
    struct ag_sampler *sampler = ag_sampler_create(exec, desc);
    struct ag_sampler *old = ag_map_get(&exec->samplers, handle);
    if (!sampler)
        return ag_exec_no_memory(exec);
    if (old) { /* whoever has it bound sees the new one */
        struct ag_sampler swapped = *old;
        *old = *sampler;
        *sampler = swapped;
        ag_sampler_destroy(exec, sampler);
        return AGPU_OK;
    }
    if (!ag_map_put(&exec->samplers, handle, sampler)) {
        ag_sampler_destroy(exec, sampler);
        return ag_exec_no_memory(exec);
    }
    return AGPU_OK;
}

WGPUSampler ag_sampler_point(struct ag_exec *exec, struct ag_sampler *sampler, uint64_t *id)
{
    if (!sampler->point) {
        struct ag_sampler_desc desc = sampler->desc;
        WGPUSamplerDescriptor descriptor;
        const char *missing;
        desc.filter &= ~(uint32_t)(AEROGPU_EXT_FILTER_MIP_LINEAR | AEROGPU_EXT_FILTER_MAG_LINEAR |
                                   AEROGPU_EXT_FILTER_MIN_LINEAR | AEROGPU_EXT_FILTER_ANISOTROPIC);
        ag_sampler_to_webgpu(&desc, &descriptor, &missing);
        sampler->point = wgpuDeviceCreateSampler(exec->device, &descriptor);
        sampler->point_id = ag_exec_id(exec);
    }
    *id = sampler->point_id;
    return sampler->point;
}

/* The sampler in a slot, or null: an unknown handle is the binder's to report. */
static struct ag_sampler *resolve(struct ag_exec *exec, struct ag_sampler_slot *slot)
{
    if (slot->handle && !slot->sampler)
        slot->sampler = ag_map_get(&exec->samplers, slot->handle);
    return slot->sampler;
}

static bool has_floors(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage)
{
    for (uint32_t i = 0; exec->has_level_floors && i < AG_RESOURCE_SLOTS; i++) {
        const struct ag_resource_slot *slot = &context->stages[stage].resources[i];
        const struct ag_texture_view *view =
            slot->handle && !slot->view && !slot->buffer ? ag_handle_view(exec, slot->handle) : slot->view;
        if (view && view->texture->min_lod > 0)
            return true;
    }
    return false;
}

struct ag_sampler_bits ag_samplers_bits(struct ag_exec *exec, struct ag_context *context,
                                        enum agpu_stage stage, const struct ag_shader_program *program)
{
    struct ag_sampler_bits bits = {.floors = program && has_floors(exec, context, stage)};
    for (uint32_t i = 0; i < AG_SAMPLER_SLOTS && program; i++) {
        const struct ag_sampler *sampler =
            program->sampler_slots >> i & 1 ? resolve(exec, &context->stages[stage].samplers[i]) : NULL;
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
    memset(states, 0, AG_SAMPLER_STATES_BYTES);
    for (uint32_t i = 0; i < AG_SAMPLER_SLOTS; i++) {
        const struct ag_sampler *sampler = context->stages[stage].samplers[i].sampler;
        uint8_t *to = states + 32 * (size_t)i;
        if (!sampler)
            continue;
        const struct ag_sampler_desc *desc = &sampler->desc;
        for (uint32_t c = 0; c < 4; c++)
            ag_store_u32(to + 4 * c, ag_bits_from_float(desc->border_color[c]));
        ag_store_u32(to + 16, desc->filter | (uint32_t)desc->address_u << 12 |
                                  (uint32_t)desc->address_v << 15 | (uint32_t)desc->address_w << 18 |
                                  (uint32_t)desc->comparison << 24);
        ag_store_u32(to + 20, ag_bits_from_float(desc->mip_lod_bias));
        ag_store_u32(to + 24, ag_bits_from_float(desc->min_lod));
        ag_store_u32(to + 28, ag_bits_from_float(desc->max_lod));
    }
}

void ag_sampler_destroy(struct ag_exec *exec, struct ag_sampler *sampler)
{
    if (!sampler)
        return;
    ag_bind_forget(exec, sampler->id);
    if (sampler->gpu)
        wgpuSamplerRelease(sampler->gpu);
    if (sampler->point) {
        ag_bind_forget(exec, sampler->point_id);
        wgpuSamplerRelease(sampler->point);
    }
    free(sampler);
}
