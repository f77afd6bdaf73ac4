/* SPDX-License-Identifier: MIT
 *
 * Declares the bindings and module-scope variables that the body mentions, and describes the bindings
 * (reflection).
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/emit.h"
#include "wgsl/expansion.h"
#include "wgsl/linkage.h"

#define COUNTER_SLOTS (AG_BINDING_STAGE_INTERNAL - AG_BINDING_UAV)

static const char *const format_names[AGPU_STORAGE_FORMAT_COUNT] = {
    [AGPU_STORAGE_RGBA8_UNORM] = "rgba8unorm",   [AGPU_STORAGE_RGBA8_SNORM] = "rgba8snorm",
    [AGPU_STORAGE_RGBA8_UINT] = "rgba8uint",     [AGPU_STORAGE_RGBA8_SINT] = "rgba8sint",
    [AGPU_STORAGE_BGRA8_UNORM] = "bgra8unorm",   [AGPU_STORAGE_RGBA16_UINT] = "rgba16uint",
    [AGPU_STORAGE_RGBA16_SINT] = "rgba16sint",   [AGPU_STORAGE_RGBA16_FLOAT] = "rgba16float",
    [AGPU_STORAGE_R32_UINT] = "r32uint",         [AGPU_STORAGE_R32_SINT] = "r32sint",
    [AGPU_STORAGE_R32_FLOAT] = "r32float",       [AGPU_STORAGE_RG32_UINT] = "rg32uint",
    [AGPU_STORAGE_RG32_SINT] = "rg32sint",       [AGPU_STORAGE_RG32_FLOAT] = "rg32float",
    [AGPU_STORAGE_RGBA32_UINT] = "rgba32uint",   [AGPU_STORAGE_RGBA32_SINT] = "rgba32sint",
    [AGPU_STORAGE_RGBA32_FLOAT] = "rgba32float",
};

static const char *const access_names[] = {
    [AGPU_STORAGE_WRITE] = "write",
    [AGPU_STORAGE_READ] = "read",
    [AGPU_STORAGE_READ_WRITE] = "read_write",
};

/* ---- What a binding is -------------------------------------------------------------------------------- */

static enum agpu_sample_type sample_type(const struct ag_ir_resource *resource)
{
    if (resource->compared)
        return AGPU_SAMPLE_DEPTH;
    switch (resource->return_type) {
    case AGPU_RETURN_SINT:
        return AGPU_SAMPLE_SINT;
    case AGPU_RETURN_UINT:
        return AGPU_SAMPLE_UINT;
    default:
        return ag_wgsl_is_filtered(resource) ? AGPU_SAMPLE_FLOAT : AGPU_SAMPLE_UNFILTERABLE_FLOAT;
    }
}

static enum agpu_binding_kind binding_kind(const struct ag_ir_resource *resource)
{
    switch ((enum agpu_binding_space)resource->space) {
    case AGPU_SPACE_CBUFFER:
        return resource->in_storage ? AGPU_BIND_STORAGE_BUFFER_READ : AGPU_BIND_UNIFORM_BUFFER;
    case AGPU_SPACE_SAMPLER:
        return resource->is_comparison ? AGPU_BIND_COMPARISON_SAMPLER : AGPU_BIND_SAMPLER;
    case AGPU_SPACE_UAV:
        return ag_wgsl_is_texture(resource) && !ag_wgsl_is_buffered_texture(resource)
                   ? AGPU_BIND_STORAGE_TEXTURE
                   : AGPU_BIND_STORAGE_BUFFER_READ_WRITE;
    case AGPU_SPACE_RESOURCE:
    case AGPU_SPACE_INTERNAL:
        break;
    }
    return ag_wgsl_is_texture(resource) ? AGPU_BIND_SAMPLED_TEXTURE : AGPU_BIND_STORAGE_BUFFER_READ;
}

/* ---- Text --------------------------------------------------------------------------------------------- */

static const char *texture_shape(const struct ag_ir_resource *resource)
{
    static const char *const shapes[AGPU_DIMENSION_COUNT] = {
        [AGPU_DIMENSION_TEXTURE1D] = "2d",
        [AGPU_DIMENSION_TEXTURE2D] = "2d",
        [AGPU_DIMENSION_TEXTURE2DMS] = "multisampled_2d",
        [AGPU_DIMENSION_TEXTURE3D] = "3d",
        [AGPU_DIMENSION_TEXTURE2DMSARRAY] = "2d_array",
        [AGPU_DIMENSION_TEXTURECUBE] = "cube",
        [AGPU_DIMENSION_TEXTURE1DARRAY] = "2d_array",
        [AGPU_DIMENSION_TEXTURE2DARRAY] = "2d_array",
        [AGPU_DIMENSION_TEXTURECUBEARRAY] = "cube_array",
    };
    return shapes[resource->dimension];
}

static const char *variable_shape(const struct ag_ir_resource *resource)
{
    if (ag_wgsl_has_faces(resource))
        return "2d_array";
    if (resource->dimension != AGPU_DIMENSION_TEXTURE2DMS)
        return texture_shape(resource);
    return resource->facts & AG_TEXTURE_ONE_SAMPLE ? "2d"
           : resource->facts & AG_TEXTURE_LAYERS   ? "2d_array"
                                                   : texture_shape(resource);
}

static void append_type(struct ag_wgsl_emitter *emitter, const struct ag_ir_resource *resource,
                        struct ag_strbuf *out)
{
    switch (binding_kind(resource)) {
    case AGPU_BIND_UNIFORM_BUFFER:
        ag_strbuf_printf(out, "array<%s, %u>",
                         ag_wgsl_type(resource->holds_floats ? AG_IR_F32 : AG_IR_U32, 4),
                         resource->registers_used);
        break;
    case AGPU_BIND_STORAGE_BUFFER_READ:
    case AGPU_BIND_STORAGE_BUFFER_READ_WRITE:
        ag_strbuf_append(out, resource->space == AGPU_SPACE_CBUFFER
                                  ? resource->holds_floats ? "array<vec4f>" : "array<vec4u>"
                              : resource->atomic ? "array<atomic<u32>>"
                                                 : "array<u32>");
        break;
    case AGPU_BIND_SAMPLED_TEXTURE:
        if (resource->compared)
            ag_strbuf_printf(out, "texture_depth_%s", texture_shape(resource));
        else
            ag_strbuf_printf(out, "texture_%s<%s>", variable_shape(resource),
                             ag_wgsl_type(ag_ir_resource_type(resource), 1));
        break;
    case AGPU_BIND_STORAGE_TEXTURE:
        ag_strbuf_printf(out, "texture_storage_%s<%s, %s>", texture_shape(resource),
                         format_names[ag_wgsl_storage_format(emitter, resource)],
                         access_names[ag_wgsl_storage_access(resource)]);
        break;
    case AGPU_BIND_SAMPLER:
        ag_strbuf_append(out, "sampler");
        break;
    case AGPU_BIND_COMPARISON_SAMPLER:
        ag_strbuf_append(out, "sampler_comparison");
        break;
    }
}

static const char *address_space(const struct ag_ir_resource *resource)
{
    switch (binding_kind(resource)) {
    case AGPU_BIND_UNIFORM_BUFFER:
        return "<uniform>";
    case AGPU_BIND_STORAGE_BUFFER_READ:
        return "<storage, read>";
    case AGPU_BIND_STORAGE_BUFFER_READ_WRITE:
        return "<storage, read_write>";
    case AGPU_BIND_SAMPLED_TEXTURE:
    case AGPU_BIND_STORAGE_TEXTURE:
    case AGPU_BIND_SAMPLER:
    case AGPU_BIND_COMPARISON_SAMPLER:
        break;
    }
    return "";
}

uint32_t ag_wgsl_shared_words(const struct ag_ir_resource *resource)
{
    return (resource->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER ? resource->stride * resource->count
                                                                    : resource->count) /
           4;
}

#define TEXT_OF(number) #number
#define NUMBER_TEXT(number) TEXT_OF(number)

static const struct {
    const char *name, *type;
    uint32_t offset, bytes;
} draw_block[] = {
    {"base_vertex",   "u32",                                                     AG_DRAW_BLOCK_BASE_VERTEX,   4 },
    {"base_instance", "u32",                                                     AG_DRAW_BLOCK_BASE_INSTANCE, 4 },
    {"depth_bias",    "f32",                                                     AG_DRAW_BLOCK_DEPTH_BIAS,    4 },
    {"sample_mask",   "u32",                                                     AG_DRAW_BLOCK_SAMPLE_MASK,   4 },
    {"depth_range",   "vec2f",                                                   AG_DRAW_BLOCK_DEPTH_RANGE,   8 },
    {"zero",          "u32",                                                     AG_DRAW_BLOCK_ZERO,          4 },
    {"sample_count",  "u32",                                                     AG_DRAW_BLOCK_SAMPLE_COUNT,  4 },
    {"bias",          "vec4f",                                                   AG_DRAW_BLOCK_BIAS,          16},
    {"extent",        "vec4f",                                                   AG_DRAW_BLOCK_EXTENT,        16},
    {"blend",         "vec4f",                                                   AG_DRAW_BLOCK_BLEND,         16},
    {"views",         "array<vec4u, " NUMBER_TEXT(AG_DRAW_BLOCK_VIEW_COUNT) ">", AG_DRAW_BLOCK_VIEWS,
     16 * AG_DRAW_BLOCK_VIEW_COUNT                                                                              },
};

/* Declares those members (bit n: row n), where they are in the block. */
static void write_draw_block(struct ag_strbuf *out, uint32_t members)
{
    uint32_t end = 0, gaps = 0;
    ag_strbuf_append(out, "struct DrawBlock {\n");
    for (size_t i = 0; i < AG_COUNT_OF(draw_block); i++) {
        if (!(members >> i & 1))
            continue;
        if (draw_block[i].offset > end)
            ag_strbuf_printf(out, "\t@size(%u) gap%u: u32,\n", draw_block[i].offset - end, gaps++);
        ag_strbuf_printf(out, "\t%s: %s,\n", draw_block[i].name, draw_block[i].type);
        end = draw_block[i].offset + draw_block[i].bytes;
    }
    ag_strbuf_printf(out, "}\n@group(%d) @binding(%d) var<uniform> draw: DrawBlock;\n", AG_GROUP_INTERNAL,
                     AG_BINDING_DRAW_BLOCK);
}

void ag_wgsl_write_draw_block(struct ag_strbuf *out)
{
    write_draw_block(out, UINT32_MAX);
}

/* The members of the draw block that a text mentions. */
static uint32_t mentioned_members(const struct ag_strbuf *text)
{
    static const char object[] = "draw.";
    uint32_t members = 0;
    for (const char *at = ag_strbuf_text(text); (at = strstr(at, object)) != NULL;) {
        at += sizeof object - 1;
        for (size_t i = 0; i < AG_COUNT_OF(draw_block); i++) {
            const size_t length = strlen(draw_block[i].name);
            if (strncmp(at, draw_block[i].name, length) == 0)
                members |= 1u << i;
        }
    }
    return members;
}

void ag_wgsl_declarations(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out)
{
    const struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        const char *name = emitter->resources[i].name;
        if (emitter->resources[i].point_bound)
            ag_strbuf_printf(out, "@group(%u) @binding(%u) var %s_point: sampler;\n", ag_wgsl_group(emitter),
                             AG_BINDING_POINT_SAMPLERS + resource->slot, name);
        if (emitter->resources[i].plain_bound)
            ag_strbuf_printf(out, "@group(%u) @binding(%u) var %s_plain: texture_%s<f32>;\n",
                             ag_wgsl_group(emitter), AG_BINDING_PLAIN_TEXTURES + resource->slot, name,
                             texture_shape(resource));
        if (!emitter->resources[i].bound || emitter->resources[i].variable != i || resource->overflows ||
            resource->packed)
            continue;
        if (resource->space == AGPU_SPACE_INTERNAL) {
            ag_strbuf_printf(out, "var<workgroup> %s: array<%s, %u>;\n", name,
                             resource->atomic ? "atomic<u32>" : "u32", ag_wgsl_shared_words(resource));
            continue;
        }
        ag_strbuf_append(out, "@group(");
        ag_strbuf_append_unsigned(out, ag_wgsl_group(emitter));
        ag_strbuf_append(out, ") @binding(");
        ag_strbuf_append_unsigned(out, ag_wgsl_binding(resource));
        ag_strbuf_append(out, ") var");
        ag_strbuf_append(out, address_space(resource));
        ag_strbuf_append_char(out, ' ');
        ag_strbuf_append(out, name);
        ag_strbuf_append(out, ": ");
        append_type(emitter, resource, out);
        ag_strbuf_append(out, ";\n");
    }
    if (emitter->uses_counters)
        ag_strbuf_printf(out,
                         "@group(%u) @binding(%d) var<storage, read_write> counters: "
                         "array<atomic<u32>, %d>;\n",
                         ag_wgsl_group(emitter), AG_BINDING_UAV_COUNTERS, COUNTER_SLOTS);
    if (emitter->uses_instances || emitter->uses_instance_tables)
        ag_strbuf_printf(out, "@group(%u) @binding(%d) var<uniform> instances: array<vec4u, %u>;\n",
                         ag_wgsl_group(emitter), AG_BINDING_CLASS_INSTANCES, program->instance_slots * 2);
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        if (emitter->destinations >> i & 1)
            ag_strbuf_printf(out, "@group(%u) @binding(%u) var destination%u: texture_2d<u32>;\n",
                             ag_wgsl_group(emitter), AG_BINDING_DESTINATIONS + i, i);
    if (ag_wgsl_tests_early(emitter))
        ag_strbuf_printf(out,
                         "@group(%u) @binding(%d) var early_depth: texture_depth_2d;\n"
                         "@group(%u) @binding(%d) var early_stencil: texture_2d<u32>;\n",
                         ag_wgsl_group(emitter), AG_BINDING_EARLY_DEPTH, ag_wgsl_group(emitter),
                         AG_BINDING_EARLY_STENCIL);
    if (emitter->uses_sampler_states)
        ag_strbuf_printf(out, "@group(%u) @binding(%d) var<uniform> sampler_states: array<vec4u, %d>;\n",
                         ag_wgsl_group(emitter), AG_BINDING_SAMPLER_STATES, AG_SAMPLER_STATES_BYTES / 16);
    ag_wgsl_declare_pack(emitter, out);
    ag_wgsl_declare_overflow(emitter, out);
    ag_wgsl_declare_records(emitter, out);
    if (emitter->uses_draw_block && !emitter->options->is_inlined)
        write_draw_block(out, emitter->is_terse
                                  ? mentioned_members(&emitter->functions) | mentioned_members(&emitter->body)
                                  : UINT32_MAX);
    if (emitter->uses_opaque_zero)
        ag_strbuf_append(out, "var<private> opaque_zero: u32 = 0u;\n");
    if (emitter->guards_writes)
        ag_strbuf_append(out, "var<private> discarded: u32 = 0u;\n");
    if (emitter->helper_widths[AG_WGSL_SPEND] != 0)
        ag_strbuf_printf(out, "var<private> loop_budget: u32 = %uu;\n", program->loop_budget);
    if (ag_wgsl_has_decision(emitter))
        ag_strbuf_append(out, "var<workgroup> decision: u32;\n");
    ag_wgsl_declare_arrays(emitter, out);
}

/* ---- Reflection --------------------------------------------------------------------------------------- */

static uint64_t min_binding_bytes(const struct ag_ir_resource *resource)
{
    switch (binding_kind(resource)) {
    case AGPU_BIND_UNIFORM_BUFFER:
        return (uint64_t)resource->registers_used * 16;
    case AGPU_BIND_STORAGE_BUFFER_READ:
    case AGPU_BIND_STORAGE_BUFFER_READ_WRITE:
        return resource->space == AGPU_SPACE_CBUFFER ? 16 : 4;
    case AGPU_BIND_SAMPLED_TEXTURE:
    case AGPU_BIND_STORAGE_TEXTURE:
    case AGPU_BIND_SAMPLER:
    case AGPU_BIND_COMPARISON_SAMPLER:
        break;
    }
    return 0;
}

static int compare_bindings(const void *a, const void *b)
{
    const struct agpu_binding *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->binding > y->binding) - (x->binding < y->binding);
}

/* A storage texture, or a buffer of one word a texel in its place. */
static bool has_storage_format(const struct ag_ir_resource *resource)
{
    return resource->space == AGPU_SPACE_UAV && ag_wgsl_is_texture(resource) && !resource->wide;
}

static struct agpu_binding reflect_resource(const struct ag_wgsl_emitter *emitter,
                                            const struct ag_ir_resource *resource)
{
    enum agpu_binding_kind kind = binding_kind(resource);
    const bool multisampled = resource->dimension == AGPU_DIMENSION_TEXTURE2DMS;
    const bool in_layers = multisampled && resource->facts & AG_TEXTURE_LAYERS;
    return (struct agpu_binding){
        .group = (uint8_t)ag_wgsl_group(emitter),
        .binding = (uint16_t)ag_wgsl_binding(resource),
        .kind = (uint8_t)kind,
        .space = resource->space,
        .slot = (uint16_t)resource->slot,
        .bytes = min_binding_bytes(resource),
        .structure_stride = resource->stride,
        .dimension = in_layers ? AGPU_DIMENSION_TEXTURE2DMSARRAY : resource->dimension,
        .sample_type = (uint8_t)(kind == AGPU_BIND_SAMPLED_TEXTURE ? sample_type(resource) : 0),
        .return_type = resource->return_type,
        .multisampled = multisampled && !in_layers && (resource->facts & AG_TEXTURE_ONE_SAMPLE) == 0,
        .faces = ag_wgsl_has_faces(resource),
        .filtered = kind == AGPU_BIND_SAMPLER ? resource->filters : ag_wgsl_is_filtered(resource),
        .storage_format = has_storage_format(resource) ? ag_wgsl_storage_format(emitter, resource) : 0,
        .storage_access = (uint8_t)(kind == AGPU_BIND_STORAGE_TEXTURE ? ag_wgsl_storage_access(resource) : 0),
    };
}

/* Bindings without a WGSL variable of their own: only their draw block entry is read, or they alias another
 * UAV. */
static uint32_t reflect_unbound(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings)
{
    const struct ag_ir_program *program = emitter->program;
    uint32_t count = 0;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_wgsl_resource *written = &emitter->resources[i];
        bool viewed = written->view != AG_IR_NONE && !written->bound;
        if (program->resources.data[i].space != AGPU_SPACE_INTERNAL &&
            !program->resources.data[i].overflows && (viewed || written->variable != i))
            bindings[count++] = reflect_resource(emitter, &program->resources.data[i]);
    }
    qsort(bindings, count, sizeof bindings[0], compare_bindings);
    return count;
}

static struct agpu_binding early_binding(const struct ag_wgsl_emitter *emitter, uint32_t binding,
                                         uint32_t slot)
{
    const bool is_depth = binding == AG_BINDING_EARLY_DEPTH;
    return (struct agpu_binding){
        .group = (uint8_t)ag_wgsl_group(emitter),
        .binding = (uint16_t)binding,
        .kind = AGPU_BIND_SAMPLED_TEXTURE,
        .space = AGPU_SPACE_INTERNAL,
        .slot = (uint16_t)slot,
        .dimension = AGPU_DIMENSION_TEXTURE2D,
        .sample_type = is_depth ? AGPU_SAMPLE_DEPTH : AGPU_SAMPLE_UINT,
        .return_type = is_depth ? AGPU_RETURN_FLOAT : AGPU_RETURN_UINT,
    };
}

/* Constant buffers in the pack, in the order of its members. */
static uint32_t reflect_packed(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings)
{
    const struct ag_ir_program *program = emitter->program;
    uint32_t count = 0, offset = 0;
    for (size_t i = 0; i < program->resources.count; i++) {
        if (!ag_wgsl_is_in_pack(emitter, i))
            continue;
        bindings[count] = reflect_resource(emitter, &program->resources.data[i]);
        bindings[count].pack_offset = offset;
        offset += (uint32_t)bindings[count++].bytes;
    }
    return count;
}

/* Resources in the overflow block. */
static uint32_t reflect_overflow(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings)
{
    const struct ag_ir_program *program = emitter->program;
    uint32_t count = 0;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        const struct ag_wgsl_resource *written = &emitter->resources[i];
        if (!resource->overflows || (!written->bound && written->view == AG_IR_NONE))
            continue;
        bindings[count] = reflect_resource(emitter, resource);
        bindings[count].texture_array =
            (uint8_t)(ag_wgsl_is_texture(resource) ? ag_wgsl_array_of(resource) : 0);
        bindings[count++].overflow_row = (uint16_t)resource->overflow_row;
    }
    qsort(bindings, count, sizeof bindings[0], compare_bindings);
    return count;
}

static uint32_t reflect_bindings(struct ag_wgsl_emitter *emitter, const struct agpu_module *module,
                                 struct agpu_binding *bindings)
{
    const struct ag_ir_program *program = emitter->program;
    uint32_t count = 0;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        if (emitter->resources[i].point_bound)
            bindings[count++] = (struct agpu_binding){
                .group = (uint8_t)ag_wgsl_group(emitter),
                .binding = (uint16_t)(AG_BINDING_POINT_SAMPLERS + resource->slot),
                .kind = AGPU_BIND_SAMPLER,
                .space = AGPU_SPACE_SAMPLER,
                .slot = (uint16_t)resource->slot,
            };
        if (emitter->resources[i].plain_bound)
            bindings[count++] = (struct agpu_binding){
                .group = (uint8_t)ag_wgsl_group(emitter),
                .binding = (uint16_t)(AG_BINDING_PLAIN_TEXTURES + resource->slot),
                .kind = AGPU_BIND_SAMPLED_TEXTURE,
                .space = AGPU_SPACE_RESOURCE,
                .slot = (uint16_t)resource->slot,
                .dimension = resource->dimension,
                .sample_type = AGPU_SAMPLE_FLOAT,
                .return_type = resource->return_type,
                .filtered = true,
            };
        if (emitter->resources[i].bound && emitter->resources[i].variable == i &&
            resource->space != AGPU_SPACE_INTERNAL && !resource->overflows && !resource->packed)
            bindings[count++] = reflect_resource(emitter, resource);
    }
    if (emitter->uses_counters)
        bindings[count++] = (struct agpu_binding){
            .group = (uint8_t)ag_wgsl_group(emitter),
            .binding = AG_BINDING_UAV_COUNTERS,
            .kind = AGPU_BIND_STORAGE_BUFFER_READ_WRITE,
            .space = AGPU_SPACE_INTERNAL,
            .bytes = (uint64_t)COUNTER_SLOTS * 4,
        };
    if (emitter->uses_instances || emitter->uses_instance_tables)
        bindings[count++] = (struct agpu_binding){
            .group = (uint8_t)ag_wgsl_group(emitter),
            .binding = AG_BINDING_CLASS_INSTANCES,
            .kind = AGPU_BIND_UNIFORM_BUFFER,
            .space = AGPU_SPACE_INTERNAL,
            .bytes = (uint64_t)program->instance_slots * AG_CLASS_INSTANCE_BYTES,
        };
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        if (emitter->destinations >> i & 1)
            bindings[count++] = (struct agpu_binding){
                .group = (uint8_t)ag_wgsl_group(emitter),
                .binding = (uint16_t)(AG_BINDING_DESTINATIONS + i),
                .kind = AGPU_BIND_SAMPLED_TEXTURE,
                .space = AGPU_SPACE_INTERNAL,
                .slot = (uint16_t)i,
                .dimension = AGPU_DIMENSION_TEXTURE2D,
                .sample_type = AGPU_SAMPLE_UINT,
                .return_type = AGPU_RETURN_UINT,
            };
    if (ag_wgsl_tests_early(emitter) && emitter->options->early_test.depth != 0)
        bindings[count++] = early_binding(emitter, AG_BINDING_EARLY_DEPTH, AG_SLOT_EARLY_DEPTH);
    if (ag_wgsl_tests_early(emitter) && emitter->options->early_test.stencil_front != 0)
        bindings[count++] = early_binding(emitter, AG_BINDING_EARLY_STENCIL, AG_SLOT_EARLY_STENCIL);
    if (emitter->uses_sampler_states)
        bindings[count++] = (struct agpu_binding){
            .group = (uint8_t)ag_wgsl_group(emitter),
            .binding = AG_BINDING_SAMPLER_STATES,
            .kind = AGPU_BIND_UNIFORM_BUFFER,
            .space = AGPU_SPACE_INTERNAL,
            .bytes = AG_SAMPLER_STATES_BYTES,
        };
    if (module->packed_count != 0)
        bindings[count++] = ag_wgsl_reflect_pack(emitter, module);
    count += ag_wgsl_reflect_arenas(emitter, &bindings[count]);
    count += ag_wgsl_reflect_records(emitter, &bindings[count]);
    if (emitter->uses_draw_block)
        bindings[count++] = (struct agpu_binding){
            .group = AG_GROUP_INTERNAL,
            .binding = AG_BINDING_DRAW_BLOCK,
            .kind = AGPU_BIND_UNIFORM_BUFFER,
            .space = AGPU_SPACE_INTERNAL,
            .bytes = AG_DRAW_BLOCK_BYTES,
        };
    qsort(bindings, count, sizeof bindings[0], compare_bindings);
    return count;
}

/* `clips`, which may be null, is a linkage whose clip distances are added to the values. */
static struct agpu_stage_value *reflect_members(struct ag_arena *arena, const struct ag_wgsl_member *members,
                                                size_t member_count, const struct ag_linkage *clips,
                                                uint32_t *count)
{
    struct agpu_stage_value *values =
        AG_ARENA_ARRAY(arena, struct agpu_stage_value, member_count + AG_WGSL_MAX_CLIP_DISTANCES / 4);
    *count = 0;
    for (size_t i = 0; values != NULL && i < member_count; i++)
        if (members[i].used)
            values[(*count)++] = members[i].value;
    if (values != NULL)
        *count += ag_wgsl_clip_values(clips, &values[*count]);
    return values;
}

static void reflect_facts(const struct ag_wgsl_emitter *emitter, struct agpu_module *module)
{
    const struct ag_ir_program *program = emitter->program;
    module->stage = program->stage;
    module->flavour = program->flavour;
    module->expansion = program->expansion;
    module->entry_point = "main";
    module->uses_draw_block = emitter->uses_draw_block;
    module->view_count = emitter->view_count;
    module->view_base = emitter->options->view_base;
    module->needs = emitter->needs;
    module->discards |= program->discards;
    module->per_sample = emitter->per_sample;
    module->early_depth_stencil = program->global_flags & AGPU_GLOBAL_FORCE_EARLY_DEPTH_STENCIL;
    for (uint32_t i = 0; i < 3; i++)
        module->workgroup_size[i] = program->workgroup[i];
    for (size_t i = 0; i < program->outputs.count; i++) {
        module->writes_depth |= program->outputs.data[i].kind == AG_IR_OUTPUT_DEPTH;
        module->writes_sample_mask |= program->outputs.data[i].kind == AG_IR_OUTPUT_COVERAGE;
    }
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        bool is_shared = resource->space == AGPU_SPACE_INTERNAL;
        if (is_shared && emitter->resources[i].bound)
            module->workgroup_bytes += AG_WGSL_SHARED_BYTES(ag_wgsl_shared_words(resource));
        module->writes_memory |= !is_shared && (resource->stored || resource->atomic || resource->counted);
        if (resource->counted)
            module->counted |= UINT64_C(1) << resource->slot;
    }
    module->workgroup_bytes += ag_wgsl_has_decision(emitter) ? AG_WGSL_SHARED_BYTES(1) : 0;
}

bool ag_wgsl_reflect(struct ag_wgsl_emitter *emitter, struct ag_arena *arena, struct agpu_module *module)
{
    struct agpu_binding *bindings =
        AG_ARENA_ARRAY(arena, struct agpu_binding,
                       emitter->program->resources.count * 3 + 10 + AG_TEXTURE_ARRAYS +
                           AGPU_MAX_RENDER_TARGETS + AG_EXPAND_BINDING_COUNT);
    struct agpu_binding *unbound =
        AG_ARENA_ARRAY(arena, struct agpu_binding, emitter->program->resources.count);
    struct agpu_binding *overflow =
        AG_ARENA_ARRAY(arena, struct agpu_binding, emitter->program->resources.count);
    struct agpu_binding *packed =
        AG_ARENA_ARRAY(arena, struct agpu_binding, emitter->program->resources.count);
    if (bindings == NULL || unbound == NULL || overflow == NULL || packed == NULL)
        return false;
    module->packed_count = reflect_packed(emitter, packed);
    module->packed = packed;
    module->constant_sets = ag_wgsl_constant_sets(emitter);
    module->binding_count = reflect_bindings(emitter, module, bindings);
    module->bindings = bindings;
    module->unbound_count = reflect_unbound(emitter, unbound);
    module->unbound = unbound;
    module->overflow_count = reflect_overflow(emitter, overflow);
    module->overflow = overflow;
    module->overflow_rows = emitter->overflow_rows;
    const struct ag_linkage *clips =
        emitter->program->stage == AGPU_STAGE_PIXEL ? emitter->options->linkage : NULL;
    module->discards |= ag_wgsl_clip_parts(clips) > 0;
    module->inputs =
        reflect_members(arena, emitter->inputs.data, emitter->inputs.count, clips, &module->input_count);
    module->outputs =
        reflect_members(arena, emitter->outputs.data, emitter->outputs.count, NULL, &module->output_count);
    module->views = ag_arena_memdup(arena, emitter->views, emitter->view_count * sizeof emitter->views[0],
                                    alignof(uint16_t));
    reflect_facts(emitter, module);
    return module->inputs != NULL && module->outputs != NULL && module->views != NULL;
}
