/* SPDX-License-Identifier: MIT */
#include "exec/bind/overflow_choice.h"

#include <stdint.h>

#include "aerogpu/translate.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/options.h"

bool ag_overflow_owns(const struct agpu_binding *binding)
{
    return binding->space == AGPU_SPACE_INTERNAL &&
           (binding->binding == AG_BINDING_OVERFLOW || binding->binding == AG_BINDING_ARENA ||
            binding->binding == AG_BINDING_UAV_ARENA || ag_overflow_array(binding));
}

uint32_t ag_overflow_array(const struct agpu_binding *binding)
{
    const uint32_t array = binding->binding - (uint32_t)AG_BINDING_TEXTURE_ARRAYS;
    return binding->space == AGPU_SPACE_INTERNAL && array <= AG_TEXTURE_ARRAYS ? array : 0;
}

/* What a stage binds. */
struct binding_counts {
    uint32_t uniforms, storages, textures, samplers;
    uint32_t views; /* in the draw block */
};

/* A point sampler beside a filtering one. */
static bool is_twin(const struct agpu_binding *binding)
{
    return binding->space == AGPU_SPACE_SAMPLER && binding->binding >= AG_BINDING_POINT_SAMPLERS;
}

static void move(struct ag_overflow *overflow, const struct agpu_binding *binding)
{
    const uint32_t bit = UINT32_C(1) << binding->slot % 32;
    if (is_twin(binding))
        overflow->point_samplers |= (uint16_t)bit;
    else if (binding->space == AGPU_SPACE_CBUFFER)
        overflow->cbuffers |= (uint16_t)bit;
    else if (binding->space == AGPU_SPACE_RESOURCE)
        overflow->resources[binding->slot / 32] |= bit;
    else
        overflow->uavs[binding->slot / 32] |= bit;
}

static bool any(const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (words[i])
            return true;
    return false;
}

static bool is_buffer(const struct agpu_binding *binding)
{
    return binding->kind == AGPU_BIND_STORAGE_BUFFER_READ ||
           binding->kind == AGPU_BIND_STORAGE_BUFFER_READ_WRITE;
}

/* The resource of a binding number. */
static struct agpu_binding resource_at(uint16_t number)
{
    struct agpu_binding resource = {.space = AGPU_SPACE_INTERNAL};
    if (number < AG_BINDING_TEXTURE)
        resource = (struct agpu_binding){.space = AGPU_SPACE_CBUFFER, .slot = number};
    else if (number < AG_BINDING_SAMPLER)
        resource = (struct agpu_binding){.space = AGPU_SPACE_RESOURCE,
                                         .slot = (uint16_t)(number - AG_BINDING_TEXTURE)};
    else if (number >= AG_BINDING_UAV && number < AG_BINDING_STAGE_INTERNAL)
        resource =
            (struct agpu_binding){.space = AGPU_SPACE_UAV, .slot = (uint16_t)(number - AG_BINDING_UAV)};
    return resource;
}

/* The views that the module can have in the draw block. The vertex shader leaves half of them to the pixel
 * shader. */
static uint32_t view_room(const struct agpu_module *module)
{
    const uint32_t room = AG_DRAW_BLOCK_VIEW_COUNT - module->view_base;
    const bool leaves = module->stage != AGPU_STAGE_COMPUTE && module->stage != AGPU_STAGE_PIXEL;
    return leaves && room > AG_DRAW_BLOCK_VIEW_COUNT / 2 ? AG_DRAW_BLOCK_VIEW_COUNT / 2 : room;
}

/* The last resource with a view that can move. False when there is none. */
static bool find_view(const struct agpu_module *module, const struct ag_overflow *overflow,
                      struct agpu_binding *found)
{
    for (uint32_t i = module->view_count; i-- > 0;) {
        *found = resource_at(module->views[i]);
        if (found->space != AGPU_SPACE_INTERNAL &&
            !ag_overflow_has(overflow, (enum agpu_binding_space)found->space, found->slot))
            return true;
    }
    return false;
}

/* A uniform buffer of the module that is going to be a part of the pack. */
static bool joins_pack(const struct ag_overflow *overflow, const struct agpu_binding *binding)
{
    return binding->space == AGPU_SPACE_CBUFFER && (overflow->packed >> binding->slot & 1) != 0;
}

/* The smallest uniform buffer that the pack has room for, or null; also when the pack would have no other.
 * `has_sets`: the pack has one set of constants at least, and what it is for. */
static const struct agpu_binding *find_packable(const WGPULimits *limits, const struct agpu_module *module,
                                                bool has_sets, const struct ag_overflow *overflow)
{
    const struct agpu_binding *first = NULL, *second = NULL;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < module->packed_count; i++)
        bytes += module->packed[i].bytes;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (joins_pack(overflow, binding))
            bytes += binding->bytes;
        if (ag_is_constant_pack(binding) || binding->kind != AGPU_BIND_UNIFORM_BUFFER ||
            binding->space != AGPU_SPACE_CBUFFER || joins_pack(overflow, binding) ||
            ag_overflow_has(overflow, AGPU_SPACE_CBUFFER, binding->slot))
            continue;
        if (!first || binding->bytes < first->bytes) {
            second = first;
            first = binding;
        } else if (!second || binding->bytes < second->bytes) {
            second = binding;
        }
    }
    if (!first || (!bytes && !second))
        return NULL;
    const uint64_t all = bytes + first->bytes + (bytes ? 0 : second->bytes);
    return ag_constant_pack_bytes(has_sets, all) <= limits->maxUniformBufferBindingSize ? first : NULL;
}

/* What is left when the resources of *overflow have moved. Textures in the arena need the states of samplers,
 * which are a uniform buffer. */
static struct binding_counts count(const struct agpu_module *module, const struct ag_overflow *overflow)
{
    const bool reads = any(overflow->resources, 4), writes = any(overflow->uavs, 2);
    bool has_states = false, samples = false, joins = false, has_pack = false,
         has_block = reads || writes || overflow->cbuffers;
    struct binding_counts counts = {0};
    counts.storages += reads ? 1 : 0;
    counts.storages += writes ? 1 : 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        const bool texture = binding->kind == AGPU_BIND_SAMPLED_TEXTURE;
        has_states |= binding->binding == AG_BINDING_SAMPLER_STATES;
        counts.textures += ag_overflow_array(binding) != 0;
        has_block |= ag_overflow_array(binding) != 0;
        if (ag_overflow_owns(binding))
            continue;
        if (ag_overflow_has(overflow, (enum agpu_binding_space)binding->space, binding->slot)) {
            samples |= texture;
            continue;
        }
        const bool emulated = is_twin(binding) && overflow->point_samplers >> binding->slot & 1;
        samples |= emulated;
        counts.samplers += binding->space == AGPU_SPACE_SAMPLER && !emulated;
        counts.uniforms += binding->kind == AGPU_BIND_UNIFORM_BUFFER && !joins_pack(overflow, binding);
        joins |= joins_pack(overflow, binding);
        has_pack |= ag_is_constant_pack(binding);
        counts.storages += is_buffer(binding);
        counts.textures += texture;
    }
    /* The draw block is bound to both stages of a draw when one of them reads it. */
    counts.uniforms += !module->uses_draw_block &&
                       (module->flavour == AGPU_FLAVOUR_VERTEX || module->flavour == AGPU_FLAVOUR_PIXEL);
    counts.uniforms += joins && !has_pack;
    counts.storages += has_block;
    counts.uniforms += samples && !has_states;
    for (uint32_t i = 0; i < module->view_count; i++) {
        const struct agpu_binding resource = resource_at(module->views[i]);
        counts.views += !ag_overflow_has(overflow, (enum agpu_binding_space)resource.space, resource.slot);
    }
    return counts;
}

/* Among the bindings of a kind and a space the last one, and textures that no sampler filters before others,
 * since the arena costs these the least. Null when there is none. */
static const struct agpu_binding *find_last(const struct agpu_module *module,
                                            const struct ag_overflow *overflow, enum agpu_binding_space space,
                                            enum agpu_binding_kind kind)
{
    const struct agpu_binding *found = NULL;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (binding->space != (uint8_t)space || binding->kind != (uint8_t)kind ||
            ag_overflow_has(overflow, (enum agpu_binding_space)binding->space, binding->slot))
            continue;
        if (!found || !binding->filtered || found->filtered)
            found = binding;
    }
    return found;
}

static const struct agpu_binding *find_twin(const struct agpu_module *module,
                                            const struct ag_overflow *overflow)
{
    const struct agpu_binding *found = NULL;
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (is_twin(&module->bindings[i]) && !(overflow->point_samplers >> module->bindings[i].slot & 1))
            found = &module->bindings[i];
    return found;
}

static const struct agpu_binding *find_buffer(const struct agpu_module *module,
                                              const struct ag_overflow *overflow)
{
    static const struct {
        enum agpu_binding_space space;
        enum agpu_binding_kind kind;
    } order[] = {
        {AGPU_SPACE_CBUFFER,  AGPU_BIND_STORAGE_BUFFER_READ      },
        {AGPU_SPACE_RESOURCE, AGPU_BIND_STORAGE_BUFFER_READ      },
        {AGPU_SPACE_UAV,      AGPU_BIND_STORAGE_BUFFER_READ_WRITE},
    };
    const struct agpu_binding *found = NULL;
    for (uint32_t i = 0; i < sizeof order / sizeof order[0] && !found; i++)
        found = find_last(module, overflow, order[i].space, order[i].kind);
    return found;
}

bool ag_overflow_choose(const WGPULimits *limits, const struct agpu_module *module, bool has_sets,
                        struct ag_overflow *overflow)
{
    bool moved = false;
    for (;;) {
        const struct binding_counts counts = count(module, overflow);
        const struct agpu_binding *next = NULL, *packed = NULL;
        struct agpu_binding viewed;
        if (counts.textures > limits->maxSampledTexturesPerShaderStage)
            next = find_last(module, overflow, AGPU_SPACE_RESOURCE, AGPU_BIND_SAMPLED_TEXTURE);
        else if (counts.samplers > limits->maxSamplersPerShaderStage && find_twin(module, overflow))
            next = find_twin(module, overflow);
        else if (counts.uniforms > limits->maxUniformBuffersPerShaderStage &&
                 (packed = find_packable(limits, module, has_sets, overflow)) != NULL)
            overflow->packed |= (uint16_t)(1u << packed->slot);
        else if (counts.uniforms > limits->maxUniformBuffersPerShaderStage)
            next = find_last(module, overflow, AGPU_SPACE_CBUFFER, AGPU_BIND_UNIFORM_BUFFER);
        else if (counts.storages > limits->maxStorageBuffersPerShaderStage)
            next = find_buffer(module, overflow);
        else if (counts.views > view_room(module) && find_view(module, overflow, &viewed))
            next = &viewed;
        if (!next && !packed)
            return moved;
        if (next)
            move(overflow, next);
        moved = true;
    }
}
