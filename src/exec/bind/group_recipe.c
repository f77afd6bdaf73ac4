/* SPDX-License-Identifier: MIT */
#include "exec/bind/group_recipe.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/constant_pack.h"
#include "exec/bind/context.h"
#include "exec/bind/shader.h"
#include "exec/bind/texture_binding.h"
#include "exec/blit/texture_sync.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/object/objects.h"
#include "exec/object/sampler.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/state/state.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

/* ---- Making ------------------------------------------------------------------------------------------- */

static bool add_part(struct ag_group_recipe *recipe, const struct ag_shader_variant *variant,
                     const struct agpu_binding *binding)
{
    struct ag_recipe_part *part = &recipe->parts[recipe->count++];
    *part = (struct ag_recipe_part){.kind = binding->kind, .slot = (uint8_t)binding->slot};
    switch ((enum agpu_binding_kind)binding->kind) {
    case AGPU_BIND_UNIFORM_BUFFER:
        if (!ag_is_constant_pack(binding) && (binding->space != AGPU_SPACE_CBUFFER ||
                                              recipe->constants_count == variant->layout->dynamic_uniforms))
            return false;
        recipe->constants[recipe->constants_count++] = binding;
        return true;
    case AGPU_BIND_SAMPLED_TEXTURE:
        part->dimension = (uint8_t)ag_texture_binding_dimension(binding);
        return binding->space == AGPU_SPACE_RESOURCE && part->dimension != AG_VIEW_DIMENSION_COUNT;
    case AGPU_BIND_SAMPLER:
    case AGPU_BIND_COMPARISON_SAMPLER:
        part->is_unfilterable =
            ag_sampler_binding_type((enum agpu_binding_kind)binding->kind, binding->filtered) ==
            WGPUSamplerBindingType_NonFiltering;
        return binding->space == AGPU_SPACE_SAMPLER;
    case AGPU_BIND_STORAGE_BUFFER_READ:
    case AGPU_BIND_STORAGE_BUFFER_READ_WRITE:
    case AGPU_BIND_STORAGE_TEXTURE:
        break;
    }
    return false;
}

static bool add_parts(struct ag_group_recipe *recipe, const struct ag_shader_variant *variant)
{
    const struct agpu_module *module = variant->module;
    if (variant->expansion || module->view_count || module->unbound_count || module->overflow_count)
        return false;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (binding->group == AG_GROUP_INTERNAL)
            continue;
        if (recipe->count == AG_RECIPE_PARTS || !add_part(recipe, variant, binding))
            return false;
    }
    return true;
}

static bool decides_variant(const struct ag_binder *binder, const struct ag_group_recipe *recipe,
                            const struct ag_shader_variant *variant)
{
    static const struct ag_sampling nothing;
    const struct ag_shader_program *program = variant->program;
    uint32_t samplers = 0, textures = 0;
    for (uint32_t i = 0; i < recipe->count; i++) {
        samplers |= recipe->parts[i].kind == AGPU_BIND_SAMPLER ||
                            recipe->parts[i].kind == AGPU_BIND_COMPARISON_SAMPLER
                        ? UINT32_C(1) << recipe->parts[i].slot
                        : 0;
        textures += recipe->parts[i].kind == AGPU_BIND_SAMPLED_TEXTURE;
    }
    return memcmp(&variant->key->sampling, &nothing, sizeof nothing) == 0 &&
           (program->sampler_slots & ~samplers) == 0 && program->texture_count == textures &&
           program->texture_bindings <= binder->host->limits.maxSampledTexturesPerShaderStage &&
           !program->has_indexed_registers && !program->has_uavs;
}

void ag_group_recipe_make(const struct ag_binder *binder, struct ag_shader_variant *variant)
{
    struct ag_group_recipe recipe = {0};
    if (variant->recipe || !add_parts(&recipe, variant))
        return;
    recipe.decides_variant = decides_variant(binder, &recipe, variant);
    variant->recipe = malloc(sizeof recipe);
    if (variant->recipe)
        *variant->recipe = recipe;
}

bool ag_group_decides_variant(const struct ag_binder *binder, const struct ag_shader_variant *variant)
{
    return variant->recipe && variant->recipe->decides_variant && !binder->objects->has_level_floors;
}

/* ---- Recalling ---------------------------------------------------------------------------------------- */

/* Brings a texture up to date. 0: the slot has none, or one that something else is bound in place of. */
static uint64_t texture_id(struct ag_binder *binder, const struct ag_resource_slot *slot,
                           const struct ag_recipe_part *part)
{
    struct ag_texture_view *view = slot->view;
    if (!view || !view->gpu_views[part->dimension].gpu || !ag_interval_is_empty(view->texture->guest_dirty))
        return 0;
    if (!view->texture->current && ag_pass_is_without(binder->recorder, view->texture))
        ag_recorder_mark_used(binder->recorder, &view->texture->resource);
    else
        ag_view_refresh(binder->blitter, view);
    return view->gpu_views[part->dimension].id;
}

static uint64_t sampler_id(struct ag_binder *binder, const struct ag_sampler_slot *slot,
                           const struct ag_recipe_part *part)
{
    uint64_t id;
    if (!slot->sampler || !slot->sampler->gpu)
        return 0;
    const bool compares = ag_sampler_compares(&slot->sampler->desc);
    if (part->kind == AGPU_BIND_COMPARISON_SAMPLER)
        return compares ? slot->sampler->id : 0;
    if (!compares && !part->is_unfilterable)
        return slot->sampler->id;
    ag_sampler_plain(binder->objects, slot->sampler, part->is_unfilterable, &id);
    return id;
}

/* Uploads constants that changed. 0: the group does not have them as a slice of the upload ring. */
static uint64_t constants_id(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                             const struct ag_shader_variant *variant, bool has_offset,
                             struct ag_group_constants *constants, struct ag_bound_group *group)
{
    const struct agpu_binding *binding = constants->binding;
    struct ag_constant_source source;
    struct ag_bound_range range;
    const uint8_t offset = constants->offset;
    if (ag_is_constant_pack(binding)) {
        if (ag_constant_pack_bind(binder, context, stage, variant->module, variant->pack, &range) != AG_DONE)
            return 0;
        group->offsets[offset] = (uint32_t)range.offset;
        group->buffers[offset] = range.id;
        return range.id;
    }
    if (ag_constants_follow(binder, context, stage, binding, &constants->source, &source) != AG_DONE ||
        !source.bytes)
        return 0;
    if (has_offset && ag_constants_same(&source, &constants->source))
        return group->buffers[offset];
    const struct ag_bound_range *uploaded = ag_constants_upload(binder, binding, &source);
    if (!uploaded)
        return 0;
    constants->source = source;
    group->offsets[offset] = (uint32_t)uploaded->offset;
    group->buffers[offset] = uploaded->id;
    return uploaded->id;
}

static bool find_ids(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                     const struct ag_shader_variant *variant, bool has_constants,
                     struct ag_group_constants *constants, struct ag_bound_group *group, uint64_t *ids)
{
    const struct ag_group_recipe *recipe = variant->recipe;
    const struct ag_stage_bindings *bindings = &context->stages[stage];
    uint32_t number = 0;
    for (uint32_t i = 0; i < recipe->count; i++) {
        const struct ag_recipe_part *part = &recipe->parts[i];
        switch ((enum agpu_binding_kind)part->kind) {
        case AGPU_BIND_UNIFORM_BUFFER:
            if (!has_constants)
                constants[number] =
                    (struct ag_group_constants){recipe->constants[number], {0}, (uint8_t)number};
            ids[i] = constants_id(binder, context, stage, variant, has_constants, &constants[number], group);
            number++;
            break;
        case AGPU_BIND_SAMPLED_TEXTURE:
            ids[i] = texture_id(binder, &bindings->resources[part->slot], part);
            break;
        default:
            ids[i] = sampler_id(binder, &bindings->samplers[part->slot], part);
            break;
        }
        if (!ids[i])
            return false;
    }
    group->offset_count = recipe->constants_count;
    return true;
}

bool ag_group_recall(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                     const struct ag_shader_variant *variant, bool has_constants,
                     struct ag_group_constants *constants, struct ag_bound_group *group)
{
    uint64_t ids[AG_RECIPE_PARTS];
    const struct ag_group_recipe *recipe = variant->recipe;
    if (!recipe || !find_ids(binder, context, stage, variant, has_constants, constants, group, ids))
        return false;
    const WGPUBindGroup gpu = ag_bind_group_recall(binder->recorder, variant->id, ids, recipe->count);
    group->gpu = gpu;
    return gpu != NULL;
}
