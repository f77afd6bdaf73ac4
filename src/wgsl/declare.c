/* SPDX-License-Identifier: MIT
 *
 * Declares the bindings and module-scope variables that the body mentions.
 */
#include <string.h>

#include "base/bytes.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/emit.h"

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

enum agpu_binding_kind ag_wgsl_binding_kind(const struct ag_ir_resource *resource)
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
    switch (ag_wgsl_binding_kind(resource)) {
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
    switch (ag_wgsl_binding_kind(resource)) {
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

/* The resource's variables: the second one of a sampler or texture, and its own. */
static void declare_resource(struct ag_wgsl_emitter *emitter, size_t index, struct ag_strbuf *out)
{
    const struct ag_ir_resource *resource = &emitter->program->resources.data[index];
    const struct ag_wgsl_resource *written = &emitter->resources[index];
    const char *name = written->name;
    if (written->point_bound)
        ag_strbuf_printf(out, "@group(%u) @binding(%u) var %s_point: sampler;\n", ag_wgsl_group(emitter),
                         AG_BINDING_POINT_SAMPLERS + resource->slot, name);
    if (written->plain_bound)
        ag_strbuf_printf(out, "@group(%u) @binding(%u) var %s_plain: texture_%s<f32>;\n",
                         ag_wgsl_group(emitter), AG_BINDING_PLAIN_TEXTURES + resource->slot, name,
                         texture_shape(resource));
    if (!written->bound || written->variable != index || resource->overflows || resource->packed)
        return;
    if (resource->space == AGPU_SPACE_INTERNAL) {
        ag_strbuf_printf(out, "var<workgroup> %s: array<%s, %u>;\n", name,
                         resource->atomic ? "atomic<u32>" : "u32", ag_wgsl_shared_words(resource));
        return;
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

/* Bindings that are no resources of the guest's. */
static void declare_internals(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out)
{
    const uint32_t group = ag_wgsl_group(emitter);
    if (emitter->uses_counters)
        ag_strbuf_printf(out,
                         "@group(%u) @binding(%d) var<storage, read_write> counters: "
                         "array<atomic<u32>, %d>;\n",
                         group, AG_BINDING_UAV_COUNTERS, AG_WGSL_COUNTERS);
    if (emitter->uses_instances || emitter->uses_instance_tables)
        ag_strbuf_printf(out, "@group(%u) @binding(%d) var<uniform> instances: array<vec4u, %u>;\n", group,
                         AG_BINDING_CLASS_INSTANCES, emitter->program->instance_slots * 2);
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        if (emitter->destinations >> i & 1)
            ag_strbuf_printf(out, "@group(%u) @binding(%u) var destination%u: texture_2d<u32>;\n", group,
                             AG_BINDING_DESTINATIONS + i, i);
    if (ag_wgsl_tests_early(emitter))
        ag_strbuf_printf(out,
                         "@group(%u) @binding(%d) var early_depth: texture_depth_2d;\n"
                         "@group(%u) @binding(%d) var early_stencil: texture_2d<u32>;\n",
                         group, AG_BINDING_EARLY_DEPTH, group, AG_BINDING_EARLY_STENCIL);
    if (emitter->uses_sampler_states)
        ag_strbuf_printf(out, "@group(%u) @binding(%d) var<uniform> sampler_states: array<vec4u, %d>;\n",
                         group, AG_BINDING_SAMPLER_STATES, AG_SAMPLER_STATES_BYTES / 16);
    ag_wgsl_declare_pack(emitter, out);
    ag_wgsl_declare_overflow(emitter, out);
    ag_wgsl_declare_records(emitter, out);
    if (emitter->uses_draw_block && !emitter->options->is_inlined)
        write_draw_block(out, emitter->is_terse
                                  ? mentioned_members(&emitter->functions) | mentioned_members(&emitter->body)
                                  : UINT32_MAX);
}

void ag_wgsl_declarations(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out)
{
    for (size_t i = 0; i < emitter->program->resources.count; i++)
        declare_resource(emitter, i, out);
    declare_internals(emitter, out);
    if (emitter->uses_opaque_zero)
        ag_strbuf_append(out, "var<private> opaque_zero: u32 = 0u;\n");
    if (emitter->guards_writes)
        ag_strbuf_append(out, "var<private> discarded: u32 = 0u;\n");
    if (emitter->helper_widths[AG_WGSL_SPEND] != 0)
        ag_strbuf_printf(out, "var<private> loop_budget: u32 = %uu;\n", emitter->program->loop_budget);
    if (ag_wgsl_has_decision(emitter))
        ag_strbuf_append(out, "var<workgroup> decision: u32;\n");
    ag_wgsl_declare_arrays(emitter, out);
}
