/* SPDX-License-Identifier: MIT
 *
 * Random content for all that a module binds. Constants that reflection data call integers are small, for
 * they count and index; everything else of unknown type is floats.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "gpu_bind.h"
#include "stage.h"

#define CONSTANT_BYTES 65536u
#define BUFFER_ELEMENTS 256u
#define TEXTURE_SIZE 8u
#define TEXTURE_LAYERS 3u
#define BASE_BOOL 1
#define BASE_INT 2
#define BASE_UINT 19

uint32_t stage_float(struct oracle_random *random)
{
    if (oracle_chance(random, 15))
        return agpu_bits_from_float((float)((int32_t)oracle_below(random, 9) - 4) * 0.5f);
    const uint32_t exponent = 124 + oracle_below(random, 5); /* from an eighth to 4 */
    return (oracle_chance(random, 30) ? 0x80000000u : 0) | exponent << 23 | oracle_next(random) >> 9;
}

uint32_t stage_word(struct oracle_random *random, uint32_t component_type)
{
    if (component_type == AGPU_COMPONENT_UINT || component_type == AGPU_COMPONENT_SINT)
        return oracle_below(random, 8);
    return stage_float(random);
}

/* ---- Constants ---------------------------------------------------------------------------------------- */

static void fill_variable(struct oracle_random *random, uint8_t *data, const struct agpu_rdef_type *type,
                          uint32_t offset, uint32_t size)
{
    for (uint32_t i = 0; i < type->member_count; i++)
        fill_variable(random, data, type->members[i].type, offset + type->members[i].offset,
                      i + 1 < type->member_count ? type->members[i + 1].offset - type->members[i].offset
                                                 : size - type->members[i].offset);
    if (type->base_type != BASE_BOOL && type->base_type != BASE_INT && type->base_type != BASE_UINT)
        return;
    for (uint32_t at = offset; at + 4 <= offset + size && at + 4 <= CONSTANT_BYTES; at += 4)
        agpu_store_u32(data + at, oracle_below(random, type->base_type == BASE_BOOL ? 2 : 5));
}

static void fill_by_reflection(struct oracle_random *random, uint8_t *data, const struct agpu_rdef *rdef,
                               uint32_t slot)
{
    const char *name = NULL;
    for (uint32_t i = 0; i < rdef->binding_count; i++)
        if (rdef->bindings[i].input_type == 0 && rdef->bindings[i].bind_point == slot)
            name = rdef->bindings[i].name;
    for (uint32_t i = 0; i < rdef->cbuffer_count; i++) {
        const struct agpu_rdef_cbuffer *buffer = &rdef->cbuffers[i];
        if (name == NULL || strcmp(buffer->name, name) != 0)
            continue;
        for (uint32_t k = 0; k < buffer->variable_count; k++)
            if (buffer->variables[k].type != NULL && buffer->variables[k].offset < CONSTANT_BYTES)
                fill_variable(random, data, buffer->variables[k].type, buffer->variables[k].offset,
                              buffer->variables[k].size);
    }
}

static bool fill_constants(struct stage_world *world, struct oracle_random *random,
                           const struct agpu_shader *shader, uint32_t slot)
{
    uint8_t *data = malloc(CONSTANT_BYTES);
    if (data == NULL)
        return false;
    for (uint32_t i = 0; i < CONSTANT_BYTES; i += 4)
        agpu_store_u32(data + i, stage_float(random));
    if (shader->rdef != NULL)
        fill_by_reflection(random, data, shader->rdef, slot);
    world->constant_buffers[slot] = (struct agpu_ref_constant_buffer){data, CONSTANT_BYTES};
    return true;
}

/* ---- Views -------------------------------------------------------------------------------------------- */

static void shape_view(struct agpu_ref_view *view)
{
    const bool is_1d =
        view->dimension == AGPU_DIMENSION_TEXTURE1D || view->dimension == AGPU_DIMENSION_TEXTURE1DARRAY;
    const bool is_cube =
        view->dimension == AGPU_DIMENSION_TEXTURECUBE || view->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY;
    const bool is_array = view->dimension == AGPU_DIMENSION_TEXTURE1DARRAY ||
                          view->dimension == AGPU_DIMENSION_TEXTURE2DARRAY ||
                          view->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY;
    view->width = TEXTURE_SIZE;
    view->height = is_1d ? 1 : TEXTURE_SIZE;
    view->depth = view->dimension == AGPU_DIMENSION_TEXTURE3D ? TEXTURE_SIZE : 1;
    view->layers = (is_array ? TEXTURE_LAYERS : 1) * (is_cube ? 6 : 1);
    view->mips = 1; /* no device computes the level of detail exactly */
    view->samples = view->dimension == AGPU_DIMENSION_TEXTURE2DMS ? 4 : 1;
    view->size = agpu_ref_texture_size(view);
}

static struct agpu_ref_format texel_format(const struct agpu_binding *binding)
{
    if (binding->kind == AGPU_BIND_STORAGE_TEXTURE)
        return gpu_storage_format(binding->storage_format);
    const enum agpu_ref_format_kind kind = binding->return_type == AGPU_RETURN_SINT   ? AGPU_REF_SINT
                                           : binding->return_type == AGPU_RETURN_UINT ? AGPU_REF_UINT
                                                                                      : AGPU_REF_FLOAT;
    if (binding->kind != AGPU_BIND_SAMPLED_TEXTURE)
        return agpu_ref_format_make(kind, 32, binding->dimension == AGPU_DIMENSION_BUFFER ? 4 : 1);
    if (binding->sample_type == AGPU_SAMPLE_DEPTH)
        return agpu_ref_format_make(AGPU_REF_FLOAT, 32, 1);
    /* What is filtered needs no feature with 16 bits, and neither do samples. */
    const bool small = binding->sample_type == AGPU_SAMPLE_FLOAT || binding->multisampled;
    return agpu_ref_format_make(kind, small ? 16 : 32, 4);
}

/* A number that the format holds exactly. */
static void fill_texel(struct oracle_random *random, const struct agpu_ref_format *format, bool is_depth,
                       uint8_t *texel)
{
    uint32_t value[4];
    for (uint32_t i = 0; i < 4; i++)
        value[i] = format->kind == AGPU_REF_UINT || format->kind == AGPU_REF_SINT ? oracle_below(random, 8)
                   : is_depth ? agpu_bits_from_float((float)oracle_below(random, 4097) / 4096.0f)
                              : stage_float(random);
    agpu_ref_format_store(format, value, texel);
}

/* Structures and raw buffers: words of unknown type. */
static void fill_words(struct oracle_random *random, const struct agpu_ref_view *view)
{
    for (uint64_t i = 0; i + 4 <= view->size; i += 4)
        agpu_store_u32((uint8_t *)view->data + i, stage_float(random));
}

static void fill_view(struct oracle_random *random, const struct agpu_binding *binding,
                      const struct agpu_ref_view *view)
{
    const bool is_depth =
        binding->kind == AGPU_BIND_SAMPLED_TEXTURE && binding->sample_type == AGPU_SAMPLE_DEPTH;
    if (view->format.bytes == 0) {
        fill_words(random, view);
        return;
    }
    for (uint64_t i = 0; i < view->size; i += view->format.bytes)
        if (view->samples > 1 && i > 0) /* one colour: see gpu_texture.c */
            memcpy((uint8_t *)view->data + i, view->data, view->format.bytes);
        else
            fill_texel(random, &view->format, is_depth, (uint8_t *)view->data + i);
}

static bool make_view(struct oracle_random *random, const struct agpu_binding *binding,
                      struct agpu_ref_view *view)
{
    *view = (struct agpu_ref_view){.dimension = (enum agpu_resource_dimension)binding->dimension,
                                   .stride = binding->structure_stride};
    switch (view->dimension) {
    case AGPU_DIMENSION_RAW_BUFFER:
        view->size = BUFFER_ELEMENTS * 16;
        break;
    case AGPU_DIMENSION_STRUCTURED_BUFFER:
        view->size = (uint64_t)BUFFER_ELEMENTS * view->stride;
        break;
    case AGPU_DIMENSION_BUFFER:
        view->format = texel_format(binding);
        view->size = (uint64_t)BUFFER_ELEMENTS * view->format.bytes;
        break;
    default:
        view->format = texel_format(binding);
        if (view->format.bytes != 0)
            shape_view(view);
        break;
    }
    if (view->size == 0 || view->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY)
        return false;
    view->counter = BUFFER_ELEMENTS / 2;
    view->data = malloc((size_t)view->size);
    if (view->data == NULL)
        return false;
    fill_view(random, binding, view);
    return true;
}

/* ---- The world ---------------------------------------------------------------------------------------- */

static struct agpu_ref_sampler make_sampler(struct oracle_random *random)
{
    struct agpu_ref_sampler sampler = {.comparison = AGPU_REF_LESS_EQUAL, .max_lod = 32.0f};
    for (uint32_t i = 0; i < 3; i++)
        sampler.address[i] = AGPU_REF_WRAP + oracle_below(random, 3);
    return sampler;
}

static bool make_binding(struct stage_world *world, struct oracle_random *random,
                         const struct agpu_shader *shader, const struct agpu_binding *binding)
{
    switch ((enum agpu_binding_space)binding->space) {
    case AGPU_SPACE_CBUFFER:
        return binding->slot < STAGE_CBUFFERS && fill_constants(world, random, shader, binding->slot);
    case AGPU_SPACE_RESOURCE:
        return binding->slot < STAGE_TEXTURES && make_view(random, binding, &world->resources[binding->slot]);
    case AGPU_SPACE_SAMPLER:
        if (binding->slot < STAGE_SAMPLERS && world->samplers[binding->slot].address[0] == 0)
            world->samplers[binding->slot] = make_sampler(random);
        return binding->slot < STAGE_SAMPLERS;
    case AGPU_SPACE_UAV:
        return binding->slot < AGPU_MAX_UAVS && make_view(random, binding, &world->unordered[binding->slot]);
    case AGPU_SPACE_INTERNAL:
        break;
    }
    return binding->binding != AGPU_BINDING_CLASS_INSTANCES;
}

bool stage_world_init(struct stage_world *world, const struct agpu_shader *shader,
                      const struct agpu_module *module, uint64_t seed, const char **problem)
{
    struct oracle_random random = {seed};
    *world = (struct stage_world){0};
    world->bindings = (struct agpu_ref_bindings){
        .constant_buffers = world->constant_buffers,
        .resources = world->resources,
        .samplers = world->samplers,
        .unordered = world->unordered,
        .constant_buffer_count = STAGE_CBUFFERS,
        .resource_count = STAGE_TEXTURES,
        .sampler_count = STAGE_SAMPLERS,
        .unordered_count = AGPU_MAX_UAVS,
    };
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        *problem = binding->space == AGPU_SPACE_INTERNAL ? "has class instances"
                   : binding->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY
                       ? "has an array of multisampled textures"
                       : "has a binding that cannot be filled";
        if (!make_binding(world, &random, shader, binding))
            return false;
    }
    *problem = "has too many bindings";
    return module->binding_count <= GPU_MAX_BINDINGS;
}

bool stage_world_copy(struct stage_world *to, const struct stage_world *from)
{
    *to = *from;
    to->bindings.constant_buffers = to->constant_buffers;
    to->bindings.resources = to->resources;
    to->bindings.samplers = to->samplers;
    to->bindings.unordered = to->unordered;
    bool good = true;
    for (uint32_t i = 0; i < AGPU_MAX_UAVS; i++) {
        struct agpu_ref_view *view = &to->unordered[i];
        if (view->data == NULL)
            continue;
        view->data = malloc((size_t)view->size);
        good = good && view->data != NULL;
        if (view->data != NULL)
            memcpy(view->data, from->unordered[i].data, (size_t)view->size);
    }
    return good;
}

void stage_world_fini(struct stage_world *world, bool is_copy)
{
    for (uint32_t i = 0; i < AGPU_MAX_UAVS; i++)
        free(world->unordered[i].data);
    for (uint32_t i = 0; i < STAGE_TEXTURES && !is_copy; i++)
        free(world->resources[i].data);
    for (uint32_t i = 0; i < STAGE_CBUFFERS && !is_copy; i++)
        free((void *)(uintptr_t)world->constant_buffers[i].data);
}
