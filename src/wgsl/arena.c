/* SPDX-License-Identifier: MIT
 *
 * Resources of the overflow block (overflow.h), which have no binding of their own. Buffers are words of an
 * arena and go through memory.c like others. Textures in the arena are read by functions that all of them
 * share: a texture is the first row of its record, and a kind, the sum of AG_ARENA_*.
 *
 * At a corner of a cube, where three faces meet, the fourth texel is that of a clamped direction here;
 * functions of textures with a binding take the mean of the others (sampler.c).
 */
#include <string.h>

#include "wgsl/binding.h"
#include "wgsl/emit.h"
#include "wgsl/shape.h"

/* The kinds of textures that the helpers tell apart. */
#define AG_ARENA_3D 1u
#define AG_ARENA_CUBE 2u
#define AG_ARENA_INTEGER 4u

/* ---- Records ------------------------------------------------------------------------------------------ */

static bool is_chosen(const struct ag_translate_options *options, const struct ag_ir_resource *resource)
{
    uint32_t slot = resource->slot;
    if (ag_wgsl_is_texture(resource) && ag_wgsl_array_of(resource) != 0)
        return true;
    /* Views of one buffer are together. */
    if (resource->space == AGPU_SPACE_UAV && options->uav_aliases != NULL && slot < AGPU_MAX_UAVS &&
        !ag_wgsl_is_texture(resource))
        slot = options->uav_aliases[slot];
    return ag_overflow_has(options->overflow, (enum agpu_binding_space)resource->space, slot);
}

static uint32_t rows_of(const struct ag_ir_resource *resource)
{
    if (!ag_wgsl_is_texture(resource) || ag_wgsl_array_of(resource) != 0)
        return AG_OVERFLOW_BUFFER_ROWS;
    return resource->space == AGPU_SPACE_UAV ? AG_OVERFLOW_UAV_TEXTURE_ROWS : AG_OVERFLOW_TEXTURE_ROWS;
}

uint32_t ag_wgsl_choose_overflow(struct ag_ir_program *program, const struct ag_translate_options *options)
{
    uint32_t rows = 0;
    for (size_t i = 0; options->overflow != NULL && i < program->resources.count; i++) {
        struct ag_ir_resource *resource = &program->resources.data[i];
        resource->overflows = is_chosen(options, resource);
        if (!resource->overflows)
            continue;
        resource->overflow_row = rows;
        if (ag_wgsl_array_of(resource) == 0)
            resource->compared = resource->compared_by_hand = false; /* texels are compared in WGSL */
        resource->atomic |= resource->space == AGPU_SPACE_UAV; /* the arena has one type for all of them */
        rows += rows_of(resource);
    }
    return rows;
}

/* ---- Text --------------------------------------------------------------------------------------------- */

const char *ag_wgsl_overflow_row(struct ag_wgsl_emitter *emitter, uint32_t resource, uint32_t row)
{
    const uint32_t first = emitter->program->resources.data[resource].overflow_row;
    emitter->uses_overflow = true;
    emitter->resources[resource].view = first;
    return ag_wgsl_text(emitter, "overflow[%u]", first + row);
}

const char *ag_wgsl_dimensions(struct ag_wgsl_emitter *emitter, uint32_t resource)
{
    const struct ag_ir_resource *texture = &emitter->program->resources.data[resource];
    if (ag_wgsl_in_arena(texture))
        return ag_wgsl_text(emitter, "%s.%s", ag_wgsl_overflow_row(emitter, resource, AG_OVERFLOW_ROW_SIZE),
                            ag_wgsl_shape(texture)->is_3d ? "xyz" : "xy");
    return ag_wgsl_text(emitter, "textureDimensions(%s)", ag_wgsl_texture_variable(emitter, resource));
}

const char *ag_wgsl_level_count(struct ag_wgsl_emitter *emitter, uint32_t resource)
{
    const struct ag_ir_resource *texture = &emitter->program->resources.data[resource];
    if (ag_wgsl_in_arena(texture))
        return ag_wgsl_text(emitter, "%s.w", ag_wgsl_overflow_row(emitter, resource, AG_OVERFLOW_ROW_SIZE));
    if (ag_wgsl_array_of(texture) != 0) /* 0 when the slot is empty, unlike that of its array */
        return ag_wgsl_text(emitter, "%s.x", ag_wgsl_view(emitter, resource));
    return ag_wgsl_text(emitter, "textureNumLevels(%s)", emitter->resources[resource].name);
}

const char *ag_wgsl_slice_count(struct ag_wgsl_emitter *emitter, uint32_t resource)
{
    const struct ag_ir_resource *texture = &emitter->program->resources.data[resource];
    if (!ag_wgsl_in_arena(texture))
        return ag_wgsl_text(emitter, "textureNumLayers(%s)%s", emitter->resources[resource].name,
                            ag_wgsl_has_faces(texture) ? " / 6u" : "");
    const char *size = ag_wgsl_overflow_row(emitter, resource, AG_OVERFLOW_ROW_SIZE);
    return ag_wgsl_text(emitter, ag_wgsl_shape(texture)->is_cube ? "%s.z / 6u" : "%s.z", size);
}

const char *ag_wgsl_texture_variable(struct ag_wgsl_emitter *emitter, uint32_t resource)
{
    const char *name = ag_wgsl_resource_name(emitter, resource);
    const uint32_t array = ag_wgsl_array_of(&emitter->program->resources.data[resource]);
    if (array == 0)
        return name;
    emitter->uses_texture_arrays |= (uint8_t)(1u << array);
    return ag_wgsl_text(emitter, "textures%u", array);
}

const char *ag_wgsl_layer(struct ag_wgsl_emitter *emitter, uint32_t resource)
{
    if (ag_wgsl_array_of(&emitter->program->resources.data[resource]) == 0)
        return "";
    return ag_wgsl_text(emitter, ", %s.y", ag_wgsl_overflow_row(emitter, resource, AG_OVERFLOW_ROW_VIEW));
}

const char *ag_wgsl_arena_texel(struct ag_wgsl_emitter *emitter, uint32_t resource, const char *place,
                                const char *level)
{
    const struct ag_ir_resource *texture = &emitter->program->resources.data[resource];
    ag_wgsl_overflow_row(emitter, resource, AG_OVERFLOW_ROW_VIEW);
    emitter->uses_arena = true;
    ag_wgsl_require(emitter, AG_WGSL_ARENA_TEXEL, 1);
    return ag_wgsl_text(emitter, "bitcast<%s>(arena_texel(%uu, %s, %s))",
                        ag_wgsl_type(ag_ir_resource_type(texture), 4), texture->overflow_row, place, level);
}

void ag_wgsl_arena_call(struct ag_wgsl_emitter *emitter, uint32_t resource, bool gathers)
{
    struct ag_strbuf *out = &emitter->body;
    const struct ag_ir_resource *texture = &emitter->program->resources.data[resource];
    const struct ag_wgsl_shape *shape = ag_wgsl_shape(texture);
    const enum ag_ir_type type = ag_ir_resource_type(texture);
    const uint32_t kind = (shape->is_3d ? AG_ARENA_3D : 0) | (shape->is_cube ? AG_ARENA_CUBE : 0) |
                          (type != AG_IR_F32 ? AG_ARENA_INTEGER : 0);
    ag_wgsl_overflow_row(emitter, resource, AG_OVERFLOW_ROW_VIEW);
    emitter->uses_arena = true;
    ag_wgsl_require(emitter, gathers ? AG_WGSL_ARENA_GATHERED : AG_WGSL_ARENA_SAMPLED, 1);
    if (gathers)
        ag_strbuf_printf(out, "bitcast<%s>(arena_gathered(", ag_wgsl_type(type, 4));
    else
        ag_strbuf_append(out, "arena_sampled(");
    ag_strbuf_printf(out, "%uu, %uu, ", texture->overflow_row, kind);
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

struct arena_binding {
    bool used;
    uint16_t binding;
    uint8_t kind; /* enum agpu_binding_kind */
    const char *text;
    uint32_t bytes; /* the least size */
};

static uint32_t list_bindings(const struct ag_wgsl_emitter *emitter, struct arena_binding rows[3])
{
    const struct arena_binding all[] = {
        {emitter->uses_overflow,  AG_BINDING_OVERFLOW,  AGPU_BIND_STORAGE_BUFFER_READ,
         "<storage, read> overflow: array<vec4u>",              16},
        {emitter->uses_arena,     AG_BINDING_ARENA,     AGPU_BIND_STORAGE_BUFFER_READ,
         "<storage, read> arena: array<u32>",                   4 },
        {emitter->uses_uav_arena, AG_BINDING_UAV_ARENA, AGPU_BIND_STORAGE_BUFFER_READ_WRITE,
         "<storage, read_write> uav_arena: array<atomic<u32>>", 4 },
    };
    memcpy(rows, all, sizeof all);
    return 3;
}

/* The first texture that is mentioned of an array: all of them are alike, but that only those which are
 * sampled have to be filtered. */
static const struct ag_ir_resource *member_of(const struct ag_wgsl_emitter *emitter, uint32_t array,
                                              bool *filtered)
{
    const struct ag_ir_program *program = emitter->program;
    const struct ag_ir_resource *first = NULL;
    *filtered = false;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *texture = &program->resources.data[i];
        if (!texture->overflows || !emitter->resources[i].bound || ag_wgsl_array_of(texture) != array)
            continue;
        *filtered |= ag_wgsl_is_filtered(texture);
        first = first == NULL ? texture : first;
    }
    return first;
}

static struct agpu_binding array_binding(const struct ag_wgsl_emitter *emitter, uint32_t array)
{
    bool filtered;
    const struct ag_ir_resource *texture = member_of(emitter, array, &filtered);
    const enum ag_ir_type type = ag_ir_resource_type(texture);
    return (struct agpu_binding){
        .group = (uint8_t)ag_wgsl_group(emitter),
        .binding = (uint16_t)(AG_BINDING_TEXTURE_ARRAYS + array),
        .kind = AGPU_BIND_SAMPLED_TEXTURE,
        .space = AGPU_SPACE_INTERNAL,
        .dimension = AGPU_DIMENSION_TEXTURE2DARRAY,
        .sample_type = (uint8_t)(type == AG_IR_I32   ? AGPU_SAMPLE_SINT
                                 : type == AG_IR_U32 ? AGPU_SAMPLE_UINT
                                 : filtered          ? AGPU_SAMPLE_FLOAT
                                                     : AGPU_SAMPLE_UNFILTERABLE_FLOAT),
        .return_type = texture->return_type,
        .filtered = filtered,
    };
}

void ag_wgsl_declare_overflow(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *out)
{
    struct arena_binding rows[3];
    const uint32_t count = list_bindings(emitter, rows);
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].used)
            ag_strbuf_printf(out, "@group(%u) @binding(%u) var%s;\n", ag_wgsl_group(emitter), rows[i].binding,
                             rows[i].text);
    for (uint32_t i = 1; i <= AG_TEXTURE_ARRAYS; i++) {
        bool filtered;
        if (emitter->uses_texture_arrays >> i & 1)
            ag_strbuf_printf(out, "@group(%u) @binding(%u) var textures%u: texture_2d_array<%s>;\n",
                             ag_wgsl_group(emitter), AG_BINDING_TEXTURE_ARRAYS + i, i,
                             ag_wgsl_type(ag_ir_resource_type(member_of(emitter, i, &filtered)), 1));
    }
}

uint32_t ag_wgsl_reflect_arenas(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings)
{
    struct arena_binding rows[3];
    const uint32_t count = list_bindings(emitter, rows);
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].used)
            bindings[used++] = (struct agpu_binding){
                .group = (uint8_t)ag_wgsl_group(emitter),
                .binding = rows[i].binding,
                .kind = rows[i].kind,
                .space = AGPU_SPACE_INTERNAL,
                .bytes = rows[i].bytes,
            };
    for (uint32_t i = 1; i <= AG_TEXTURE_ARRAYS; i++)
        if (emitter->uses_texture_arrays >> i & 1)
            bindings[used++] = array_binding(emitter, i);
    return used;
}
