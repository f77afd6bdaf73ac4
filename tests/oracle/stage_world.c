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
#include "wgsl/binding.h"
#include "wgsl/options.h"

#define CONSTANT_BYTES 65536u
#define BUFFER_ELEMENTS 256u
#define TEXTURE_SIZE 8u
#define TEXTURE_LAYERS 3u
#define TEXTURE_LEVELS 4u
#define FILTER_COMPARISON 0x80u /* of D3D11_FILTER */
#define BASE_BOOL 1
#define BASE_INT 2
#define BASE_UINT 19

uint32_t stage_float(struct oracle_random *random)
{
    if (oracle_chance(random, 15))
        return ag_bits_from_float((float)((int32_t)oracle_below(random, 9) - 4) * 0.5f);
    const uint32_t exponent = 124 + oracle_below(random, 5); /* from an eighth to 4 */
    const uint32_t sign = oracle_chance(random, 30) ? 0x80000000u : 0;
    return sign | exponent << 23 | oracle_next(random) >> 9;
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
        ag_store_u32(data + at, oracle_below(random, type->base_type == BASE_BOOL ? 2 : 5));
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
        ag_store_u32(data + i, stage_float(random));
    if (shader->rdef != NULL)
        fill_by_reflection(random, data, shader->rdef, slot);
    world->constant_buffers[slot] = (struct ag_ref_constant_buffer){data, CONSTANT_BYTES};
    return true;
}

/* ---- Views -------------------------------------------------------------------------------------------- */

static void shape_view(struct ag_ref_view *view, bool has_levels, bool flat_cubes)
{
    const bool is_1d =
        view->dimension == AGPU_DIMENSION_TEXTURE1D || view->dimension == AGPU_DIMENSION_TEXTURE1DARRAY;
    const bool is_cube =
        view->dimension == AGPU_DIMENSION_TEXTURECUBE || view->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY;
    const bool is_array = view->dimension == AGPU_DIMENSION_TEXTURE1DARRAY ||
                          view->dimension == AGPU_DIMENSION_TEXTURE2DARRAY ||
                          view->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY;
    view->width = has_levels && !is_cube ? 2 * TEXTURE_SIZE : TEXTURE_SIZE;
    view->height = is_1d ? 1 : TEXTURE_SIZE;
    view->depth = view->dimension == AGPU_DIMENSION_TEXTURE3D ? TEXTURE_SIZE : 1;
    view->layers = (is_array ? TEXTURE_LAYERS : 1) * (is_cube ? 6 : 1);
    view->samples = view->dimension == AGPU_DIMENSION_TEXTURE2DMS ? 4 : 1;
    view->mips = has_levels && view->samples == 1 && !(is_cube && flat_cubes) ? TEXTURE_LEVELS : 1;
    view->size = ag_ref_texture_size(view);
}

static struct ag_ref_format texel_format(const struct agpu_binding *binding)
{
    if (binding->kind == AGPU_BIND_STORAGE_TEXTURE)
        return gpu_storage_format(binding->storage_format);
    const enum ag_ref_format_kind kind = binding->return_type == AGPU_RETURN_SINT   ? AG_REF_SINT
                                         : binding->return_type == AGPU_RETURN_UINT ? AG_REF_UINT
                                                                                    : AG_REF_FLOAT;
    if (binding->kind != AGPU_BIND_SAMPLED_TEXTURE)
        return ag_ref_format_make(kind, 32, binding->dimension == AGPU_DIMENSION_BUFFER ? 4 : 1);
    if (binding->sample_type == AGPU_SAMPLE_DEPTH)
        return ag_ref_format_make(AG_REF_FLOAT, 32, 1);
    /* What is filtered needs no feature with 16 bits, and neither do samples. */
    const bool small = binding->sample_type == AGPU_SAMPLE_FLOAT || binding->multisampled;
    return ag_ref_format_make(kind, small ? 16 : 32, 4);
}

/* A number that the format holds exactly. With a middle, floats are no more than a quarter from it. */
static void fill_texel(struct oracle_random *random, const struct ag_ref_format *format, bool is_depth,
                       const float *middle, uint8_t *texel)
{
    uint32_t value[4];
    for (uint32_t i = 0; i < 4; i++)
        value[i] = format->kind == AG_REF_UINT || format->kind == AG_REF_SINT ? oracle_below(random, 8)
                   : is_depth ? ag_bits_from_float((float)oracle_below(random, 4097) / 4096.0f)
                   : middle != NULL
                       ? ag_bits_from_float(middle[i] + (float)oracle_below(random, 257) / 512.0f - 0.25f)
                       : stage_float(random);
    ag_ref_format_store(format, value, texel);
}

/* Structures and raw buffers: words of unknown type. */
static void fill_words(struct oracle_random *random, const struct ag_ref_view *view)
{
    for (uint64_t i = 0; i + 4 <= view->size; i += 4)
        ag_store_u32((uint8_t *)view->data + i, stage_float(random));
}

static void fill_view(struct oracle_random *random, const struct agpu_binding *binding, bool filters,
                      const struct ag_ref_view *view)
{
    float middle[4];
    const bool is_depth =
        binding->kind == AGPU_BIND_SAMPLED_TEXTURE && binding->sample_type == AGPU_SAMPLE_DEPTH;
    if (view->format.bytes == 0) {
        fill_words(random, view);
        return;
    }
    for (uint32_t i = 0; i < 4 && filters; i++)
        middle[i] = ag_float_from_bits(stage_float(random));
    for (uint64_t i = 0; i < view->size; i += view->format.bytes)
        fill_texel(random, &view->format, is_depth, filters ? middle : NULL, (uint8_t *)view->data + i);
}

static bool make_view(struct oracle_random *random, const struct agpu_binding *binding,
                      const struct stage_content *content, struct ag_ref_view *view)
{
    *view = (struct ag_ref_view){.dimension = (enum agpu_resource_dimension)binding->dimension,
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
            shape_view(view, content->filters && binding->kind == AGPU_BIND_SAMPLED_TEXTURE,
                       content->flat_cubes);
        break;
    }
    if (view->size == 0 || view->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY)
        return false;
    view->counter = BUFFER_ELEMENTS / 2;
    view->data = malloc((size_t)view->size);
    if (view->data == NULL)
        return false;
    fill_view(random, binding, content->filters, view);
    return true;
}

/* ---- The world ---------------------------------------------------------------------------------------- */

/* Samplers that WebGPU has not. */
static bool is_emulated(const struct ag_ref_sampler *sampler)
{
    bool emulated = sampler->filter & FILTER_COMPARISON && sampler->mip_lod_bias != 0.0f;
    for (uint32_t i = 0; i < 3; i++)
        emulated = emulated || sampler->address[i] > AG_REF_CLAMP;
    return emulated;
}

/* The same in every module of a shader. */
static struct ag_ref_sampler make_sampler(const struct stage_content *content, uint32_t slot)
{
    static const float biases[] = {0.0f, 0.0f, 0.75f, -0.5f};
    /* None halfway between two levels: of those WebGPU takes the finer one and Direct3D the coarser. */
    static const float ranges[][2] = {
        {0.0f,   32.0f},
        {0.0f,   32.0f},
        {0.625f, 2.25f},
        {1.25f,  32.0f}
    };
    static const uint8_t functions[] = {AG_REF_LESS, AG_REF_LESS_EQUAL, AG_REF_GREATER, AG_REF_GREATER_EQUAL};
    struct oracle_random random = {(content->seed ^ 0x5a3b1e) + slot};
    struct ag_ref_sampler sampler = {.comparison = AG_REF_LESS_EQUAL, .max_lod = 32.0f};
    for (uint32_t i = 0; i < 3; i++)
        sampler.address[i] = AG_REF_WRAP + oracle_below(&random, 3);
    if (!content->filters)
        return sampler;
    const uint32_t range = oracle_below(&random, 4), filters = oracle_below(&random, 8);
    sampler.filter = (filters & 1 ? AG_REF_FILTER_MIP_LINEAR : 0u) |
                     (filters & 2 ? AG_REF_FILTER_MAG_LINEAR : 0u) |
                     (filters & 4 ? AG_REF_FILTER_MIN_LINEAR : 0u);
    sampler.min_lod = ranges[range][0];
    sampler.max_lod = ranges[range][1];
    sampler.comparison = functions[oracle_below(&random, 4)];
    sampler.mip_lod_bias = biases[oracle_below(&random, 4)];
    sampler.filter |= content->comparing >> slot & 1 ? FILTER_COMPARISON : 0u;
    for (uint32_t i = 0; i < 3 && oracle_chance(&random, 50); i++)
        sampler.address[i] = AG_REF_WRAP + oracle_below(&random, 5);
    for (uint32_t i = 0; i < 4; i++)
        sampler.border_color[i] = (float)oracle_below(&random, 25) / 8.0f - 1.0f;
    return sampler;
}

static bool make_binding(struct stage_world *world, struct oracle_random *random,
                         const struct agpu_shader *shader, const struct agpu_binding *binding,
                         const struct stage_content *content)
{
    switch ((enum agpu_binding_space)binding->space) {
    case AGPU_SPACE_CBUFFER:
        return binding->slot < STAGE_CBUFFERS && fill_constants(world, random, shader, binding->slot);
    case AGPU_SPACE_RESOURCE:
        return binding->slot < STAGE_TEXTURES &&
               make_view(random, binding, content, &world->resources[binding->slot]);
    case AGPU_SPACE_SAMPLER:
        return binding->slot < STAGE_SAMPLERS;
    case AGPU_SPACE_UAV:
        return binding->slot < AGPU_MAX_UAVS &&
               make_view(random, binding, content, &world->unordered[binding->slot]);
    case AGPU_SPACE_INTERNAL:
        break;
    }
    return binding->binding != AG_BINDING_CLASS_INSTANCES;
}

static bool is_second_texture_binding(const struct agpu_binding *binding)
{
    return binding->space == AGPU_SPACE_RESOURCE && binding->binding >= AG_BINDING_PLAIN_TEXTURES;
}

static const char *problem_of(const struct agpu_binding *binding)
{
    if (binding->space == AGPU_SPACE_INTERNAL)
        return "has class instances";
    if (binding->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY)
        return "has an array of multisampled textures";
    if (is_second_texture_binding(binding))
        return "compares with a texture and samples it";
    return "has a binding that cannot be filled";
}

/* Inputs taken at a sample or the centroid: the target really has but one. */
static bool is_inside_pixel(const struct agpu_module *module)
{
    for (uint32_t i = 0; i < module->input_count; i++)
        switch (module->inputs[i].interpolation) {
        case AGPU_INTERPOLATE_LINEAR_CENTROID:
        case AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_CENTROID:
        case AGPU_INTERPOLATE_LINEAR_SAMPLE:
        case AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE:
            return true;
        default:
            break;
        }
    return false;
}

bool stage_world_init(struct stage_world *world, const struct agpu_shader *shader,
                      const struct agpu_module *module, const struct stage_content *content,
                      const char **problem)
{
    struct oracle_random random = {content->seed};
    *world = (struct stage_world){0};
    world->bindings = (struct ag_ref_bindings){
        .constant_buffers = world->constant_buffers,
        .resources = world->resources,
        .samplers = world->samplers,
        .unordered = world->unordered,
        .constant_buffer_count = STAGE_CBUFFERS,
        .resource_count = STAGE_TEXTURES,
        .sampler_count = STAGE_SAMPLERS,
        .unordered_count = AGPU_MAX_UAVS,
        .rasterizer_samples = content->filters && !is_inside_pixel(module) ? 4 : 1,
    };
    for (uint32_t i = 0; i < STAGE_SAMPLERS; i++) /* modules do not bind those that they emulate */
        world->samplers[i] = make_sampler(content, i);
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        *problem = problem_of(binding);
        if (is_second_texture_binding(binding) || !make_binding(world, &random, shader, binding, content))
            return false;
    }
    *problem = "has too many bindings";
    return module->binding_count <= GPU_MAX_BINDINGS;
}

/* ---- Translation -------------------------------------------------------------------------------------- */

/* A format of the declared type for a view that is not loaded from: those are the ones of four channels. */
static uint32_t pick_format(struct oracle_random *random, const struct agpu_binding *binding)
{
    const struct ag_ref_format own = gpu_storage_format(binding->storage_format);
    if (own.bytes == 4 && own.channel[0].bits == 32)
        return binding->storage_format;
    uint32_t picked = binding->storage_format, seen = 0;
    for (uint32_t i = 1; i < AGPU_STORAGE_FORMAT_COUNT; i++)
        if (gpu_storage_format(i).kind == own.kind && oracle_below(random, ++seen) == 0)
            picked = i;
    return picked;
}

/* Whether the module computes indices into a constant buffer that is a uniform buffer of what the shader
 * declares. The world has more constants, so that the executor would bind a storage buffer. */
static bool ends_early(const struct agpu_module *module, const struct agpu_binding *binding)
{
    if (binding->space != AGPU_SPACE_CBUFFER || binding->kind != AGPU_BIND_UNIFORM_BUFFER ||
        binding->bytes >= CONSTANT_BYTES)
        return false;
    for (uint32_t i = 0; i < module->view_count; i++)
        if (module->views[i] == binding->slot)
            return true;
    return false;
}

bool stage_world_options(struct stage_content *content, const struct agpu_module *module,
                         uint8_t uav_formats[AGPU_MAX_UAVS], struct ag_translate_options *options)
{
    struct oracle_random random = {content->seed ^ 0xf0f0};
    bool any = false;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (binding->kind == AGPU_BIND_STORAGE_TEXTURE && binding->slot < AGPU_MAX_UAVS) {
            uav_formats[binding->slot] = (uint8_t)pick_format(&random, binding);
            options->uav_formats = uav_formats;
            any = any || uav_formats[binding->slot] != binding->storage_format;
        }
        if (ends_early(module, binding)) {
            options->storage_cbuffers |= (uint16_t)(1u << binding->slot);
            any = true;
        }
        if (binding->space != AGPU_SPACE_SAMPLER || binding->slot >= STAGE_SAMPLERS)
            continue;
        if (binding->kind == AGPU_BIND_COMPARISON_SAMPLER)
            content->comparing |= (uint16_t)(1u << binding->slot);
        const struct ag_ref_sampler sampler = make_sampler(content, binding->slot);
        if (is_emulated(&sampler))
            options->emulated_samplers |= (uint16_t)(1u << binding->slot);
        else if (sampler.mip_lod_bias != 0.0f)
            options->biased_samplers |= (uint16_t)(1u << binding->slot);
        any = any || is_emulated(&sampler) || sampler.mip_lod_bias != 0.0f;
    }
    return any;
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
        struct ag_ref_view *view = &to->unordered[i];
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
