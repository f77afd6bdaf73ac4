/* SPDX-License-Identifier: MIT
 *
 * The vertex shader that draws the primitives of an expansion. It reads them from a list and records; of the
 * guest's program it uses the declarations alone.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/format.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/emit.h"
#include "wgsl/expansion.h"
#include "wgsl/helpers.h"
#include "wgsl/inlined.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"
#include "wgsl/raster_outputs.h"

#define MAX_VIEWPORTS 16
/* Outside of every clip volume, with depth clipping or without. */
#define OUTSIDE "vec4<f32>(2.0, 2.0, 2.0, 1.0)"

struct expanded {
    const struct agpu_shader *producer;
    const struct ag_expanded_options *options;
    struct ag_wgsl_raster_outputs raster;
    struct ag_strbuf text;
};

/* ---- Text --------------------------------------------------------------------------------------------- */

static uint32_t width_of(uint32_t mask)
{
    return mask >> 3 & 1 ? 4 : mask >> 2 & 1 ? 3 : mask >> 1 & 1 ? 2 : 1;
}

static bool crosses(const struct expanded *expanded, uint32_t number)
{
    const struct ag_linkage *linkage = expanded->options->linkage;
    return linkage != NULL && linkage->registers[number].interpolation != 0;
}

/* Whether clip distances are output as interpolated values. */
static bool lowers_clipping(const struct expanded *expanded)
{
    return ag_wgsl_clip_parts(expanded->options->linkage) > 0;
}

static bool has_builtin_clipping(const struct expanded *expanded)
{
    return expanded->raster.clip.count > 0 && !lowers_clipping(expanded);
}

static bool tests_faces(const struct expanded *expanded)
{
    return expanded->options->edges && expanded->options->culled != AG_CULLED_NONE &&
           expanded->raster.has_position;
}

static bool biases_edges(const struct expanded *expanded)
{
    return expanded->options->depth_bias == AG_DEPTH_BIAS_EDGES && expanded->raster.has_position;
}

static enum agpu_interpolation interpolation_of(const struct ag_linkage *linkage, uint32_t number)
{
    return linkage->registers[number].flat_uint
               ? AGPU_INTERPOLATE_CONSTANT
               : (enum agpu_interpolation)linkage->registers[number].interpolation;
}

static void write_output_struct(struct expanded *expanded)
{
    const struct ag_linkage *linkage = expanded->options->linkage;
    struct ag_strbuf *out = &expanded->text;
    ag_strbuf_append(out, "struct Output {\n    @invariant @builtin(position) position: vec4<f32>,\n");
    if (has_builtin_clipping(expanded))
        ag_strbuf_printf(out, "    @builtin(clip_distances) clip_distances: array<f32, %u>,\n",
                         expanded->raster.clip.count);
    for (uint32_t r = 0; r < AGPU_MAX_REGISTERS; r++)
        if (crosses(expanded, r))
            ag_strbuf_printf(out, "    @location(%u)%s o%u: %s,\n", linkage->registers[r].location,
                             ag_wgsl_interpolation(interpolation_of(linkage, r)), r,
                             ag_wgsl_type(linkage->registers[r].flat_uint ? AG_IR_U32 : AG_IR_F32,
                                          width_of(linkage->registers[r].mask)));
    for (uint32_t part = 0; part < ag_wgsl_clip_parts(linkage); part++) {
        ag_strbuf_append(out, "    ");
        ag_wgsl_clip_member(linkage, part, out);
        ag_strbuf_append(out, ",\n");
    }
    ag_strbuf_append(out, "}\n\n");
}

static bool uses_draw_block(const struct ag_expanded_options *options)
{
    const struct ag_inlined_options *inlined = options->inlined;
    return options->depth_bias != 0 ||
           (inlined && (inlined->vertex->uses_draw_block || inlined->producer->uses_draw_block));
}

static void write_bindings(struct expanded *expanded)
{
    struct ag_strbuf *out = &expanded->text;
    if (!expanded->options->inlined)
        ag_strbuf_printf(out, "@group(%d) @binding(%d) var<storage, read> primitives: array<u32>;\n",
                         AG_GROUP_INTERNAL, AG_EXPAND_PRIMITIVES);
    if (!expanded->options->inlined && expanded->options->record_registers > 0)
        ag_strbuf_printf(out, "@group(%d) @binding(%d) var<storage, read> inputs: array<vec4<u32>>;\n",
                         AG_GROUP_INTERNAL, AG_EXPAND_INPUTS);
    if (expanded->options->pieces)
        ag_strbuf_printf(out, "@group(%d) @binding(%d) var<storage, read> arguments: array<u32>;\n",
                         AG_GROUP_INTERNAL, AG_EXPAND_ARGUMENTS);
    if (uses_draw_block(expanded->options))
        ag_wgsl_write_draw_block(out);
    ag_strbuf_append_char(out, '\n');
}

/* Appends a register of a record; `record` is the record's first element. */
static void append_register(struct expanded *expanded, const char *record, uint32_t number)
{
    if (expanded->options->inlined)
        ag_strbuf_printf(&expanded->text, AG_INLINED_MADE "[%u]", number);
    else
        ag_strbuf_printf(&expanded->text, "inputs[%s + %uu]", record, number);
}

/* Appends a component of a record, as u32; `record` is the record's first element. */
static void append_word(struct expanded *expanded, const char *record, struct ag_wgsl_component at)
{
    append_register(expanded, record, at.number);
    ag_strbuf_printf(&expanded->text, ".%c", "xyzw"[at.component]);
}

static void write_selection(struct expanded *expanded)
{
    const struct ag_wgsl_raster_outputs *raster = &expanded->raster;
    struct ag_strbuf *out = &expanded->text;
    if (expanded->options->layers != 0) {
        ag_strbuf_append(out, "    let layer = ");
        if (raster->has_layer)
            append_word(expanded, "leading", raster->layer);
        else
            ag_strbuf_append(out, "0u");
        ag_strbuf_printf(out,
                         ";\n    if (select(layer, 0u, layer >= %uu) != (instance_index & 0xffffu)) { "
                         "position = " OUTSIDE "; }\n",
                         expanded->options->layers);
    }
    if (!expanded->options->selects_viewport)
        return;
    ag_strbuf_append(out, "    let viewport = ");
    if (raster->has_viewport)
        append_word(expanded, "leading", raster->viewport);
    else
        ag_strbuf_append(out, "0u");
    ag_strbuf_printf(
        out,
        ";\n    let viewports = (instance_index >> 16u) ^ 1u;\n"
        "    if (((viewports >> select(viewport, 0u, viewport >= %uu)) & 1u) == 0u) { position = " OUTSIDE
        "; }\n",
        MAX_VIEWPORTS);
}

static void write_corners(struct expanded *expanded)
{
    for (uint32_t v = 0; v < 3 && (tests_faces(expanded) || biases_edges(expanded)); v++)
        ag_strbuf_printf(&expanded->text, "    let corner%u = bitcast<vec4<f32>>(inputs[record%u + %uu]);\n",
                         v, v, expanded->raster.position);
}

/* Moves edges of back-facing triangles outside. The determinant p0 . (p1 x p2) of x, y and w has the sign of
 * the triangle's area even if a vertex lies behind the eye. Up in clip space is up on the target. */
static void write_faces(struct expanded *expanded)
{
    struct ag_strbuf *out = &expanded->text;
    if (!tests_faces(expanded))
        return;
    ag_strbuf_printf(
        out,
        "    if (%s(dot(corner0.xyw, cross(corner1.xyw - corner0.xyw, corner2.xyw - corner0.xyw)) < 0.0)) { "
        "position = " OUTSIDE "; }\n",
        expanded->options->culled == AG_CULLED_CLOCKWISE ? "" : "!");
}

/* `x >= 0` is false for NaN too. */
static void write_culling(struct expanded *expanded)
{
    struct ag_strbuf *out = &expanded->text;
    const struct ag_wgsl_distances *cull = &expanded->raster.cull;
    for (uint32_t i = 0; i < cull->count; i++) {
        ag_strbuf_append(out, "    if (!(");
        for (uint32_t v = 0; v < expanded->options->vertices; v++) {
            char record[32];
            ag_text_format(record, sizeof record, "record%u", v);
            ag_strbuf_append(out, v > 0 ? " || is_kept(" : "is_kept(");
            append_word(expanded, record, cull->components[i]);
            ag_strbuf_append_char(out, ')');
        }
        ag_strbuf_append(out, ")) { position = " OUTSIDE "; }\n");
    }
}

static void append_value(struct expanded *expanded, uint32_t number)
{
    const struct ag_linkage *linkage = expanded->options->linkage;
    struct ag_strbuf *out = &expanded->text;
    const bool constant = interpolation_of(linkage, number) == AGPU_INTERPOLATE_CONSTANT;
    const char *record = expanded->options->edges && constant ? "leading" : "record";
    uint32_t width = width_of(linkage->registers[number].mask), id = linkage->registers[number].primitive_id;
    const char *type = ag_wgsl_type(AG_IR_U32, width);
    bool known = number < expanded->options->record_registers;
    const uint8_t *source = linkage->registers[number].source;
    const bool moved = (source[0] | source[1] | source[2] | source[3]) != 0;
    if (!linkage->registers[number].flat_uint)
        ag_strbuf_printf(out, "bitcast<%s>(", ag_wgsl_type(AG_IR_F32, width));
    if (id == 0 && known && !moved) {
        append_register(expanded, record, number);
        if (width < 4)
            ag_strbuf_printf(out, ".%.*s", (int)width, "xyz");
    } else {
        ag_strbuf_printf(out, "%s(", type);
        for (uint32_t c = 0; c < width; c++) {
            ag_strbuf_append(out, c > 0 ? ", " : "");
            if (id >> c & 1)
                ag_strbuf_append(out, expanded->options->inlined ? "primitive" : "primitives[entry]");
            else if (source[c] != 0)
                append_word(expanded, record,
                            (struct ag_wgsl_component){(uint8_t)((source[c] - 1) / 4),
                                                       (uint8_t)((source[c] - 1) % 4)});
            else if (known)
                append_word(expanded, record, (struct ag_wgsl_component){(uint8_t)number, (uint8_t)c});
            else
                ag_strbuf_append(out, "0u");
        }
        ag_strbuf_append_char(out, ')');
    }
    if (!linkage->registers[number].flat_uint)
        ag_strbuf_append_char(out, ')');
}

/* Appends `count` distances from `first` on. A distance that the record lacks is 0, which clips nothing. */
static void append_distances(struct expanded *expanded, uint32_t first, uint32_t count)
{
    const struct ag_wgsl_distances *clip = &expanded->raster.clip;
    struct ag_strbuf *out = &expanded->text;
    for (uint32_t i = first; i < first + count; i++) {
        ag_strbuf_append(out, i > first ? ", " : "");
        if (i >= clip->count) {
            ag_strbuf_append(out, "0.0");
            continue;
        }
        ag_strbuf_append(out, "bitcast<f32>(");
        append_word(expanded, "record", clip->components[i]);
        ag_strbuf_append_char(out, ')');
    }
    ag_strbuf_append(out, "),\n");
}

static void write_lowered_distances(struct expanded *expanded)
{
    const struct ag_linkage *linkage = expanded->options->linkage;
    for (uint32_t part = 0; part < ag_wgsl_clip_parts(linkage); part++) {
        uint32_t width = ag_wgsl_clip_width(linkage, part);
        ag_strbuf_printf(&expanded->text, "        %s(", ag_wgsl_type(AG_IR_F32, width));
        append_distances(expanded, part * 4, width);
    }
}

static void write_result(struct expanded *expanded)
{
    struct ag_strbuf *out = &expanded->text;
    uint32_t count = expanded->raster.clip.count;
    ag_strbuf_append(out, "    return Output(\n        position,\n");
    if (has_builtin_clipping(expanded)) {
        ag_strbuf_printf(out, "        array<f32, %u>(", count);
        append_distances(expanded, 0, count);
    }
    for (uint32_t r = 0; r < AGPU_MAX_REGISTERS; r++) {
        if (!crosses(expanded, r))
            continue;
        ag_strbuf_append(out, "        ");
        append_value(expanded, r);
        ag_strbuf_append(out, ",\n");
    }
    if (lowers_clipping(expanded))
        write_lowered_distances(expanded);
    ag_strbuf_append(out, "    );\n}\n");
}

/* The primitive's list entry, and the corner of the primitive that this vertex is. A vertex beyond the end of
 * the list uses the first entry, so that its reads stay in bounds; its position is outside anyway. */
static void write_entry(struct expanded *expanded)
{
    const struct ag_expanded_options *options = expanded->options;
    struct ag_strbuf *out = &expanded->text;
    if (options->inlined) {
        ag_wgsl_call_inlined(options->inlined, options->vertices, out);
        return;
    }
    if (options->pieces)
        ag_strbuf_printf(out,
                         "    let piece = (instance_index >> %du) * %du;\n"
                         "    let exists = vertex_index < arguments[piece];\n"
                         "    let place = vertex_index + arguments[piece + 2u];\n",
                         AG_PIECE_SHIFT, AG_PIECE_WORDS);
    const char *const place = options->pieces ? "place" : "vertex_index";
    ag_strbuf_printf(out, "    let number = %s / %uu;\n", place, options->edges ? 6u : options->vertices);
    if (options->edges)
        ag_strbuf_append(out, "    let corner = (vertex_index / 2u + vertex_index % 2u) % 3u;\n");
    else
        ag_strbuf_printf(out, "    let corner = vertex_index %% %uu;\n", options->vertices);
    if (!options->pieces)
        ag_strbuf_append(out, "    let exists = number < primitives[0];\n");
    ag_strbuf_printf(out, "    let entry = %du + select(0u, number, exists) * %uu;\n", AG_LIST_HEADER_WORDS,
                     options->vertices + 1u);
}

/* The first elements in INPUTS of records: of the vertex, of the primitive's leading vertex, and, where
 * culling or facing needs them, of all vertices. */
static void write_records(struct expanded *expanded)
{
    const struct ag_expanded_options *options = expanded->options;
    struct ag_strbuf *out = &expanded->text;
    const uint32_t registers = options->record_registers;
    if (registers == 0 || options->inlined)
        return;
    ag_strbuf_printf(out, "    let record = primitives[entry + 1u + corner] * %uu;\n", registers);
    const bool needs_all = expanded->raster.cull.count > 0 || tests_faces(expanded) || biases_edges(expanded);
    for (uint32_t v = 0; v < options->vertices && needs_all; v++)
        ag_strbuf_printf(out, "    let record%u = primitives[entry + %uu] * %uu;\n", v, v + 1, registers);
    if (options->layers != 0 || options->selects_viewport || options->edges)
        ag_strbuf_printf(out, "    let leading = primitives[entry + 1u] * %uu;\n", registers);
}

static void write_main(struct expanded *expanded)
{
    const struct ag_expanded_options *options = expanded->options;
    struct ag_strbuf *out = &expanded->text;
    if (options->depth_bias)
        ag_wgsl_write_biased(out);
    if (biases_edges(expanded))
        ag_wgsl_write_edge_bias(out);
    if (expanded->raster.cull.count > 0)
        ag_strbuf_append(out,
                         "fn is_kept(bits: u32) -> bool {\n    return bitcast<f32>(bits) >= 0.0;\n}\n\n");
    ag_strbuf_printf(out, "@vertex\nfn main(@builtin(vertex_index) vertex_index: u32%s) -> Output {\n",
                     options->layers != 0 || options->selects_viewport || options->inlined || options->pieces
                         ? ", @builtin(instance_index) instance_index: u32"
                         : "");
    write_entry(expanded);
    write_records(expanded);
    ag_strbuf_append(out, "    var position = ");
    if (expanded->raster.has_position) {
        ag_strbuf_append(out, "bitcast<vec4<f32>>(");
        append_register(expanded, "record", expanded->raster.position);
        ag_strbuf_append(out, ");\n");
    } else {
        ag_strbuf_append(out, "vec4<f32>();\n");
    }
    write_corners(expanded);
    if (biases_edges(expanded))
        ag_strbuf_append(out, "    position = biased(position, edge_bias(corner0, corner1, corner2));\n");
    else if (options->depth_bias == AG_DEPTH_BIAS_CONSTANT)
        ag_strbuf_append(out, "    position = biased(position, draw.depth_bias);\n");
    ag_strbuf_append(out, "    position.w = select(position.w, " AG_WGSL_LEAST_W ", position.w == 0.0);\n");
    write_selection(expanded);
    write_culling(expanded);
    write_faces(expanded);
    ag_strbuf_append(out, "    if (!exists) { position = " OUTSIDE "; }\n");
    write_result(expanded);
}

static void write_text(struct expanded *expanded)
{
    if (has_builtin_clipping(expanded))
        ag_strbuf_append(&expanded->text, "enable clip_distances;\n\n");
    write_bindings(expanded);
    if (expanded->options->inlined)
        ag_wgsl_write_inlined(expanded->options->inlined, expanded->options->vertices, &expanded->text);
    write_output_struct(expanded);
    write_main(expanded);
}

/* ---- Reflection --------------------------------------------------------------------------------------- */

/* The producer's bindings and those of the draw. */
static const struct agpu_binding *reflect_inlined(struct ag_arena *arena, const struct expanded *expanded,
                                                  uint32_t *count)
{
    const struct ag_inlined_options *inlined = expanded->options->inlined;
    struct agpu_binding *bindings =
        AG_ARENA_ARRAY(arena, struct agpu_binding, inlined->producer->binding_count + AG_INLINED_STREAMS + 3);
    *count = 0;
    if (bindings == NULL)
        return NULL;
    *count = ag_wgsl_reflect_inlined(inlined, bindings);
    if (uses_draw_block(expanded->options))
        bindings[(*count)++] = (struct agpu_binding){
            .group = AG_GROUP_INTERNAL,
            .binding = AG_BINDING_DRAW_BLOCK,
            .kind = AGPU_BIND_UNIFORM_BUFFER,
            .space = AGPU_SPACE_INTERNAL,
            .bytes = AG_DRAW_BLOCK_BYTES,
        };
    return bindings;
}

/* What the producer asks the executor for, which binds by the module. */
static bool adopt_producer(const struct ag_inlined_options *inlined, struct agpu_module *module)
{
    struct ag_arena *arena = &module->memory->arena;
    const struct agpu_module *producer = inlined->producer;
    struct agpu_binding *unbound = AG_ARENA_ARRAY(arena, struct agpu_binding, producer->unbound_count);
    struct agpu_binding *packed = AG_ARENA_ARRAY(arena, struct agpu_binding, producer->packed_count);
    uint16_t *views = AG_ARENA_ARRAY(arena, uint16_t, producer->view_count);
    if (unbound == NULL || packed == NULL || views == NULL)
        return false;
    if (producer->packed_count > 0)
        memcpy(packed, producer->packed, producer->packed_count * sizeof *packed);
    if (producer->unbound_count > 0)
        memcpy(unbound, producer->unbound, producer->unbound_count * sizeof *unbound);
    if (producer->view_count > 0)
        memcpy(views, producer->views, producer->view_count * sizeof *views);
    module->unbound = unbound;
    module->unbound_count = producer->unbound_count;
    module->packed = packed;
    module->packed_count = producer->packed_count;
    module->views = views;
    module->view_count = producer->view_count;
    module->view_base = producer->view_base;
    module->is_inlined = true;
    module->private_bytes = inlined->vertex->private_bytes + producer->private_bytes;
    module->compile_ms = inlined->vertex->compile_ms * ag_inlined_vertices(inlined) + producer->compile_ms;
    if (inlined->hull) {
        module->private_bytes += inlined->hull->private_bytes;
        module->compile_ms += inlined->hull->compile_ms;
    }
    return true;
}

static const struct agpu_binding *reflect_bindings(struct ag_arena *arena, const struct expanded *expanded,
                                                   uint32_t *count)
{
    if (expanded->options->inlined)
        return reflect_inlined(arena, expanded, count);
    const struct {
        bool used;
        uint16_t binding;
        enum agpu_binding_kind kind;
        uint64_t bytes;
    } rows[] = {
        {true,                                    AG_EXPAND_PRIMITIVES,  AGPU_BIND_STORAGE_BUFFER_READ, 4 },
        {expanded->options->record_registers > 0, AG_EXPAND_INPUTS,      AGPU_BIND_STORAGE_BUFFER_READ, 16},
        {expanded->options->pieces,               AG_EXPAND_ARGUMENTS,   AGPU_BIND_STORAGE_BUFFER_READ, 32},
        {expanded->options->depth_bias != 0,      AG_BINDING_DRAW_BLOCK, AGPU_BIND_UNIFORM_BUFFER,
         AG_DRAW_BLOCK_BYTES                                                                              },
    };
    struct agpu_binding *bindings = AG_ARENA_ARRAY(arena, struct agpu_binding, AG_COUNT_OF(rows));
    *count = 0;
    for (uint32_t i = 0; bindings != NULL && i < AG_COUNT_OF(rows); i++)
        if (rows[i].used)
            bindings[(*count)++] = (struct agpu_binding){
                .group = AG_GROUP_INTERNAL,
                .binding = rows[i].binding,
                .kind = (uint8_t)rows[i].kind,
                .space = AGPU_SPACE_INTERNAL,
                .bytes = rows[i].bytes,
            };
    return bindings;
}

static const struct agpu_stage_value *reflect_outputs(struct ag_arena *arena, const struct expanded *expanded,
                                                      uint32_t *count)
{
    const struct ag_linkage *linkage = expanded->options->linkage;
    struct agpu_stage_value *values = AG_ARENA_ARRAY(arena, struct agpu_stage_value,
                                                     AGPU_MAX_REGISTERS + 1 + AG_WGSL_MAX_CLIP_DISTANCES / 4);
    *count = 0;
    if (values == NULL)
        return NULL;
    values[(*count)++] = (struct agpu_stage_value){
        .register_index = expanded->raster.has_position ? expanded->raster.position : 0xff,
        .mask = 15,
        .location = 0xff,
        .component_type = AGPU_COMPONENT_FLOAT,
        .system_value = AGPU_SV_POSITION,
    };
    for (uint32_t r = 0; r < AGPU_MAX_REGISTERS; r++)
        if (crosses(expanded, r))
            values[(*count)++] = (struct agpu_stage_value){
                .register_index = (uint8_t)r,
                .mask = linkage->registers[r].mask,
                .location = linkage->registers[r].location,
                .component_type =
                    linkage->registers[r].flat_uint ? AGPU_COMPONENT_UINT : AGPU_COMPONENT_FLOAT,
                .system_value = linkage->registers[r].primitive_id != 0 ? AGPU_SV_PRIMITIVE_ID : AGPU_SV_NONE,
                .interpolation = (uint8_t)interpolation_of(linkage, r),
            };
    *count += ag_wgsl_clip_values(linkage, &values[*count]);
    return values;
}

const uint32_t *ag_wgsl_no_offsets(struct ag_arena *arena, const struct ag_strbuf *text, uint32_t *count)
{
    *count = ag_wgsl_count_lines(text);
    uint32_t *offsets = AG_ARENA_ARRAY(arena, uint32_t, *count);
    if (offsets != NULL)
        memset(offsets, 0xff, *count * sizeof offsets[0]);
    return offsets;
}

static bool fill_module(const struct expanded *expanded, struct agpu_module *module)
{
    struct ag_arena *arena = &module->memory->arena;
    const struct ag_expanded_options *options = expanded->options;
    module->wgsl = ag_arena_strndup(arena, ag_strbuf_text(&expanded->text), expanded->text.length);
    module->wgsl_length = expanded->text.length;
    module->entry_point = "main";
    module->flavour = AGPU_FLAVOUR_VERTEX;
    module->stage = AGPU_STAGE_VERTEX;
    module->bindings = reflect_bindings(arena, expanded, &module->binding_count);
    module->outputs = reflect_outputs(arena, expanded, &module->output_count);
    module->uses_draw_block = uses_draw_block(options);
    module->needs = has_builtin_clipping(expanded) ? AGPU_NEED_CLIP_DISTANCES : 0;
    module->expansion = (struct agpu_expansion){
        .input_registers = options->record_registers,
        .vertices = options->vertices,
        .writes_layer = expanded->raster.has_layer,
        .writes_viewport = expanded->raster.has_viewport,
    };
    module->line_offsets = ag_wgsl_no_offsets(arena, &expanded->text, &module->line_count);
    if (options->inlined && !adopt_producer(options->inlined, module))
        return false;
    return !expanded->text.failed && module->wgsl != NULL && module->bindings != NULL &&
           module->outputs != NULL && module->line_offsets != NULL;
}

/* ---- The call ----------------------------------------------------------------------------------------- */

static enum agpu_status check(const struct expanded *expanded, const struct agpu_diag_sink *sink)
{
    const struct ag_expanded_options *options = expanded->options;
    enum agpu_stage stage = expanded->producer->program.stage;
    if (stage != AGPU_STAGE_VERTEX && stage != AGPU_STAGE_DOMAIN && stage != AGPU_STAGE_GEOMETRY) {
        ag_report(sink, AGPU_DIAG_TRANSLATE_STAGE, AGPU_ERROR, ag_place_offset(0),
                  "what a %s program makes cannot be drawn", agpu_stage_name(stage));
        return AGPU_REFUSED;
    }
    if (options->vertices >= 1 && options->vertices <= 3 && options->record_registers <= AGPU_MAX_REGISTERS)
        return AGPU_OK;
    ag_report(sink, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_ERROR, ag_place_none(),
              "primitives of %u vertices with %u registers", options->vertices, options->record_registers);
    return AGPU_REFUSED;
}

enum agpu_status ag_translate_expanded_vertex(const struct agpu_shader *producer,
                                              const struct ag_expanded_options *options,
                                              const struct agpu_diag_sink *sink, struct agpu_module **module)
{
    struct expanded expanded = {.producer = producer, .options = options};
    *module = NULL;
    enum agpu_status status = check(&expanded, sink);
    if (status != AGPU_OK)
        return status;
    const uint32_t stream = options->linkage ? options->linkage->stream : 0;
    if (!ag_wgsl_read_raster_outputs(&producer->program, stream, options->record_registers,
                                     &expanded.raster)) {
        ag_report(sink, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_ERROR, ag_place_none(),
                  "more than %d clip and cull distances", AG_WGSL_MAX_DISTANCES);
        return AGPU_REFUSED;
    }
    write_text(&expanded);
    struct agpu_module *made = ag_wgsl_module_new();
    if (made != NULL && fill_module(&expanded, made)) {
        *module = made;
    } else {
        agpu_module_destroy(made);
        status = ag_report_no_memory(sink);
    }
    ag_strbuf_fini(&expanded.text);
    return status;
}
