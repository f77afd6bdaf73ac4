/* SPDX-License-Identifier: MIT
 *
 * Emulates samplers that WebGPU lacks (options.emulated_samplers): level, texel addresses, border colour,
 * comparison and filter weights are computed in WGSL (sheet 6.6, D3D11.3 7.18).
 *
 * Cubes that are arrays of faces have functions of their own. All other textures are treated as
 * three-dimensional. A dimension that the texture lacks has size 1 and coordinate
 * 0.5, which is never outside. Filter, address modes and border colour are read from a uniform, so that one
 * module serves all samplers.
 *
 * Whatever the sampler is, comparisons with textures of colour formats are done here, too, since WGSL
 * compares only with textures of depth, and so is all sampling of textures whose floats the device does not
 * filter. A cube then is an array of its faces. Of textures in the arena, calls alone are written here: their
 * functions are those of arena.c.
 */
#include "wgsl/emit.h"
#include "wgsl/filter_text.h"
#include "wgsl/shape.h"

bool ag_wgsl_is_emulated(const struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const struct ag_ir_resource *sampler = &emitter->program->resources.data[expr->access->sampler];
    const struct ag_ir_resource *texture = &emitter->program->resources.data[expr->access->resource];
    if (ag_wgsl_in_arena(texture) || (texture->facts & AG_TEXTURE_UNFILTERABLE) != 0 ||
        (texture->compared_by_hand && ag_wgsl_compares((enum ag_ir_op)expr->op)))
        return true;
    const bool has_no_twin = emitter->options->overflow != NULL && sampler->filters && sampler->slot < 16 &&
                             (emitter->options->overflow->point_samplers >> sampler->slot & 1) != 0;
    if (has_no_twin && !ag_wgsl_shape(texture)->is_cube &&
        ag_wgsl_never_filters(texture, (enum ag_ir_op)expr->op))
        return true;
    /* Cube maps ignore address modes. */
    return sampler->slot < 16 && (emitter->options->emulated_samplers >> sampler->slot & 1) != 0 &&
           !ag_wgsl_shape(texture)->is_cube;
}

/* ---- Functions ---------------------------------------------------------------------------------------- */

/* Writes t#_tap: one texel at any index, or the border colour. */
static void write_tap(struct ag_wgsl_emitter *emitter, uint32_t id, const char *name)
{
    struct ag_strbuf *out = &emitter->functions;
    const struct ag_ir_resource *texture = &emitter->program->resources.data[id];
    const struct ag_wgsl_shape *shape = ag_wgsl_shape(texture);
    const char *type = ag_wgsl_type(ag_ir_resource_type(texture), 4);
    ag_wgsl_require(emitter, AG_WGSL_TEXEL_ADDRESS, 1);
    ag_wgsl_require(emitter, AG_WGSL_BORDER, 1);
    ag_strbuf_printf(out,
                     "fn %s_tap(at: vec3i, size: vec3i, level: u32, slice: u32, s: u32) -> %s "
                     "{\n" AG_FILTER_ADDRESS "\t\treturn %s(border(s, %s.w));\n"
                     "\t}\n",
                     name, type, type, ag_wgsl_view(emitter, id));
    ag_strbuf_append(out, texture->compared ? "\treturn vec4f(textureLoad(" : "\treturn textureLoad(");
    ag_strbuf_printf(out, "%s, %s%s", ag_wgsl_texture_variable(emitter, id), shape->is_3d ? "i" : "i.xy",
                     ag_wgsl_layer(emitter, id));
    if (shape->is_array)
        ag_strbuf_printf(out, ", min(slice, %s - 1u)", ag_wgsl_slice_count(emitter, id));
    ag_strbuf_append(out, texture->compared ? ", level), 0.0, 0.0, 1.0);\n}\n\n" : ", level);\n}\n\n");
}

static void append_size(struct ag_strbuf *out, const struct ag_wgsl_shape *shape, const char *name)
{
    if (shape->is_3d)
        ag_strbuf_printf(out, "textureDimensions(%s, 0)", name);
    else
        ag_strbuf_printf(out, "vec3u(textureDimensions(%s, 0), 1u)", name);
}

/* The minimum level: the sampler's, or the texture's if that is larger (options.level_floors). */
static const char *floor_text(struct ag_wgsl_emitter *emitter, uint32_t id)
{
    if (!emitter->options->level_floors)
        return "bounds.x";
    return ag_wgsl_text(emitter, "max(bounds.x, f32(%s.z >> 8u) / 256.0)", ag_wgsl_view(emitter, id));
}

/* Writes t#_four of a cube: four texels of a level, or the comparisons with them, in the order of gather4
 * (sheet 6.5), across the edges of faces. At a corner, where three faces meet, the fourth is the mean of the
 * others (D3D11.3 7.18.12). `first` is the texel at (-, -), `slice` the cube. */
static void write_four(struct ag_wgsl_emitter *emitter, uint32_t id, const char *name)
{
    ag_wgsl_require(emitter, AG_WGSL_COMPARED, 1);
    ag_wgsl_require(emitter, AG_WGSL_CUBE_TEXEL, 1);
    ag_strbuf_printf(
        &emitter->functions,
        "fn %s_four(first: vec2i, face: u32, slice: u32, level: u32, s: u32, compares: bool, x: f32) -> "
        "array<vec4f, 4> {\n"
        "\tlet size = i32(max(textureDimensions(%s, 0).x >> level, 1u));\n"
        "\tlet cube = min(slice, %s - 1u);\n"
        "\tvar four = array<vec4f, 4>();\n"
        "\tvar absent = 4u;\n"
        "\tfor (var c = 0u; c < 4u; c++) {\n"
        "\t\tlet at = first + vec2i(select(0, 1, c == 1u || c == 2u), select(0, 1, c < 2u));\n"
        "\t\tif (all((at < vec2i()) | (at >= vec2i(size)))) {\n"
        "\t\t\tabsent = c;\n"
        "\t\t\tcontinue;\n"
        "\t\t}\n"
        "\t\tlet texel = cube_texel(face, at, size);\n"
        "\t\tlet value = textureLoad(%s, texel.xy, cube * 6u + u32(texel.z), level);\n"
        "\t\tfour[c] = select(value, vec4f(compared(x, value.x, s)), compares);\n"
        "\t}\n"
        "\tif (absent < 4u) {\n"
        "\t\tfour[absent] = (four[0] + four[1] + four[2] + four[3]) / 3.0;\n"
        "\t}\n"
        "\treturn four;\n"
        "}\n\n",
        name, name, ag_wgsl_slice_count(emitter, id), name);
}

/* Write t#_at and t#_gathered of a cube that is an array of faces. */
static void write_faces_at(struct ag_wgsl_emitter *emitter, const char *name)
{
    ag_strbuf_printf(&emitter->functions,
                     "fn %s_at(p: vec3f, level: u32, linear: bool, offset: vec3i, slice: u32, s: u32, "
                     "compares: bool, x: f32) -> vec4f {\n"
                     "\tlet place = cube_face(p);\n"
                     "\tlet size = f32(max(textureDimensions(%s, 0).x >> level, 1u));\n"
                     "\tlet scaled = place.xy * size - select(0.0, 0.5, linear);\n"
                     "\tlet low = min(floor(scaled), vec2f(size - 1.0));\n"
                     "\tlet four = %s_four(vec2i(low), u32(place.z), slice, level, s, compares, x);\n"
                     "\tif (!linear) {\n"
                     "\t\treturn four[3];\n"
                     "\t}\n"
                     "\tlet w = scaled - low;\n"
                     "\treturn mix(mix(four[3], four[2], w.x), mix(four[0], four[1], w.x), w.y);\n"
                     "}\n\n",
                     name, name, name);
}

static void write_faces_gathered(struct ag_wgsl_emitter *emitter, const char *name)
{
    ag_strbuf_printf(&emitter->functions,
                     "fn %s_gathered(p: vec3f, offset: vec3i, slice: u32, s: u32, channel: u32, "
                     "compares: bool, x: f32) -> vec4f {\n"
                     "\tlet place = cube_face(p);\n"
                     "\tlet scaled = place.xy * f32(textureDimensions(%s, 0).x) - 0.5;\n"
                     "\tlet four = %s_four(vec2i(floor(scaled)), u32(place.z), slice, 0u, s, compares, "
                     "x);\n"
                     "\treturn vec4f(four[0][channel], four[1][channel], four[2][channel], "
                     "four[3][channel]);\n"
                     "}\n\n",
                     name, name, name);
}

/* Writes t#_at, which filters within one level. */
static void write_at(struct ag_wgsl_emitter *emitter, uint32_t id, const struct ag_wgsl_shape *shape,
                     const char *name)
{
    struct ag_strbuf *out = &emitter->functions;
    ag_wgsl_require(emitter, AG_WGSL_COMPARED, 1);
    ag_strbuf_printf(out,
                     "fn %s_at(p: vec3f, level: u32, linear: bool, offset: vec3i, slice: u32, s: u32, "
                     "compares: bool, x: f32) -> vec4f {\n"
                     "\tlet size = max(",
                     name);
    append_size(out, shape, ag_wgsl_texture_variable(emitter, id));
    ag_strbuf_printf(out,
                     " >> vec3u(level), vec3u(1u));\n" AG_FILTER_AT(
                         "p", "%s_tap(first + vec3i(corner), vec3i(size), level, slice, s)") "\n",
                     name);
}

/* Writes t#_sampled, which filters between levels, and what it calls. */
static void write_sampled(struct ag_wgsl_emitter *emitter, uint32_t id, const struct ag_wgsl_shape *shape,
                          const char *name)
{
    struct ag_strbuf *out = &emitter->functions;
    if (ag_wgsl_has_faces(&emitter->program->resources.data[id]))
        write_faces_at(emitter, name);
    else
        write_at(emitter, id, shape, name);
    ag_strbuf_printf(
        out,
        "fn %s_sampled(p: vec3f, lod: f32, offset: vec3i, slice: u32, s: u32, "
        "compares: bool, x: f32) -> vec4f {\n"
        "\tlet state = sampler_states[s * 2u + 1u];\n"
        "\tlet bounds = bitcast<vec2f>(state.zw);\n" AG_FILTER_LEVEL(
            "%s", "%s") "\tif ((state.x & 1u) == 0u) {\n"
                        "\t\treturn %s_at(p, u32(level + 0.5), linear, offset, slice, s, compares, x);\n"
                        "\t}\n"
                        "\tlet low = floor(level);\n"
                        "\tlet fine = %s_at(p, u32(low), linear, offset, slice, s, compares, x);\n"
                        "\tif (level == low) {\n"
                        "\t\treturn fine;\n"
                        "\t}\n"
                        "\treturn mix(fine, %s_at(p, u32(low) + 1u, linear, offset, slice, s, compares, x), "
                        "level - low);\n"
                        "}\n\n",
        name, floor_text(emitter, id), ag_wgsl_level_count(emitter, id), name, name, name);
}

/* Writes t#_gathered: four texels of the most detailed level, in the order of gather4 (sheet 6.5). */
static void write_gathered(struct ag_wgsl_emitter *emitter, uint32_t id, const char *name)
{
    struct ag_strbuf *out = &emitter->functions;
    const struct ag_ir_resource *texture = &emitter->program->resources.data[id];
    bool floats = ag_ir_resource_type(texture) == AG_IR_F32;
    if (ag_wgsl_has_faces(texture)) {
        write_faces_gathered(emitter, name);
        return;
    }
    const char *type = ag_wgsl_type(ag_ir_resource_type(texture), 4);
    if (floats)
        ag_wgsl_require(emitter, AG_WGSL_COMPARED, 1);
    ag_strbuf_printf(out,
                     "fn %s_gathered(p: vec3f, offset: vec3i, slice: u32, s: u32, channel: u32, "
                     "compares: bool, x: f32) -> %s {\n"
                     "\tlet size = ",
                     name, type);
    append_size(out, ag_wgsl_shape(texture), ag_wgsl_texture_variable(emitter, id));
    ag_strbuf_printf(out,
                     ";\n" AG_FILTER_FOUR("p", "%s", "%s_tap(first + corner, vec3i(size), 0u, slice, s)"),
                     type, name);
    ag_strbuf_append(out, floats ? "\t\tfour[c] = select(tap[channel], compared(x, tap.x, s), compares);\n"
                                 : "\t\tfour[c] = tap[channel];\n");
    ag_strbuf_append(out, "\t}\n\treturn four;\n}\n\n");
}

/* ---- Calls -------------------------------------------------------------------------------------------- */

static void append_place(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *coordinates,
                         const struct ag_wgsl_shape *shape)
{
    static const char *const ends[] = {"", ", 0.5, 0.5)", ", 0.5)", ")"};
    ag_strbuf_append(&emitter->body, "vec3f(");
    ag_wgsl_lanes(emitter, coordinates, 0, shape->coordinates);
    ag_strbuf_append(&emitter->body, ends[shape->coordinates]);
}

/* The level before the sampler's own bias and bounds, which t#_sampled applies. */
static void append_level(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                         const struct ag_wgsl_shape *shape, const char *name)
{
    struct ag_strbuf *out = &emitter->body;
    if (expr->op == AG_IR_SAMPLE_CMP_LEVEL) {
        ag_strbuf_append(out, "0.0");
        return;
    }
    if (expr->op == AG_IR_SAMPLE_LEVEL) {
        ag_wgsl_expr(emitter, expr->args[1], AG_IR_F32, expr->access->is_final);
        if (expr->access->is_final)
            ag_strbuf_printf(out, " - bitcast<f32>(sampler_states[%u].y)",
                             emitter->program->resources.data[expr->access->sampler].slot * 2 + 1);
        return;
    }
    ag_wgsl_write_lod(emitter, expr->access->resource, expr->op != AG_IR_SAMPLE_GRAD);
    ag_strbuf_printf(out, "%s_lod%s(", name, expr->op == AG_IR_SAMPLE_GRAD ? "_of" : "");
    ag_wgsl_lanes(emitter, expr->args[0], 0, shape->coordinates);
    for (uint32_t i = 1; i < 3 && expr->op == AG_IR_SAMPLE_GRAD; i++) {
        ag_strbuf_append(out, ", ");
        ag_wgsl_lanes(emitter, expr->args[i], 0, shape->coordinates);
    }
    ag_strbuf_append_char(out, ')');
    if (expr->op == AG_IR_SAMPLE_BIAS) {
        ag_strbuf_append(out, " + ");
        ag_wgsl_expr(emitter, expr->args[1], AG_IR_F32, true);
    }
}

static void append_offset(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                          const struct ag_wgsl_shape *shape, bool runtime)
{
    struct ag_strbuf *out = &emitter->body;
    const struct ag_ir_access *access = expr->access;
    if (runtime) {
        ag_strbuf_append(out, "vec3i(extractBits(");
        ag_wgsl_expr(emitter, expr->args[1], AG_IR_I32, true);
        ag_strbuf_append(out, ", 0u, 6u), 0)");
    } else if (access->has_offsets) {
        ag_strbuf_printf(out, "vec3i(%d, %d, %d)", access->offsets[0], shape->is_1d ? 0 : access->offsets[1],
                         shape->is_3d ? access->offsets[2] : 0);
    } else {
        ag_strbuf_append(out, "vec3i()");
    }
}

static void append_slice(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *coordinates,
                         const struct ag_wgsl_shape *shape)
{
    if (!shape->is_array) {
        ag_strbuf_append(&emitter->body, "0u");
        return;
    }
    ag_wgsl_require(emitter, AG_WGSL_SLICE, 1);
    ag_strbuf_append(&emitter->body, "u32(slice(");
    ag_wgsl_lanes(emitter, coordinates, shape->coordinates, 1);
    ag_strbuf_append(&emitter->body, "))");
}

static void append_reference(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, bool compares)
{
    struct ag_strbuf *out = &emitter->body;
    ag_strbuf_append(out, compares ? ", true, " : ", false, 0.0");
    if (!compares)
        return;
    ag_wgsl_call(emitter, AG_WGSL_REFERENCE, 1);
    ag_strbuf_append_char(out, '(');
    ag_wgsl_expr(emitter, expr->args[expr->arg_count - 1], AG_IR_F32, false);
    ag_strbuf_printf(out, ", %s.z)", ag_wgsl_view(emitter, expr->access->resource));
}

/* The functions that sample or gather a texture. */
static void write_functions(struct ag_wgsl_emitter *emitter, uint32_t id, bool gathers)
{
    const struct ag_ir_resource *texture = &emitter->program->resources.data[id];
    const char *name = ag_wgsl_resource_name(emitter, id);
    if (ag_wgsl_need(emitter, id, AG_WGSL_TAP)) {
        if (ag_wgsl_has_faces(texture))
            write_four(emitter, id, name);
        else
            write_tap(emitter, id, name);
    }
    if (gathers && ag_wgsl_need(emitter, id, AG_WGSL_GATHERED))
        write_gathered(emitter, id, name);
    if (!gathers && ag_wgsl_need(emitter, id, AG_WGSL_SAMPLED))
        write_sampled(emitter, id, ag_wgsl_shape(texture), name);
}

void ag_wgsl_emulated(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    uint32_t id = expr->access->resource;
    const struct ag_ir_resource *texture = &emitter->program->resources.data[id];
    const struct ag_wgsl_shape *shape = ag_wgsl_shape(texture);
    const char *name = ag_wgsl_resource_name(emitter, id);
    enum ag_ir_op op = (enum ag_ir_op)expr->op;
    bool runtime = op == AG_IR_GATHER_PO || op == AG_IR_GATHER_PO_CMP;
    bool gathers = runtime || op == AG_IR_GATHER || op == AG_IR_GATHER_CMP;
    bool compares = ag_wgsl_compares(op);
    emitter->uses_sampler_states = true;
    if (ag_wgsl_in_arena(texture)) {
        ag_wgsl_arena_call(emitter, id, gathers);
    } else {
        write_functions(emitter, id, gathers);
        ag_strbuf_printf(out, "%s_%s(", name, gathers ? "gathered" : "sampled");
    }
    append_place(emitter, expr->args[0], shape);
    ag_strbuf_append(out, ", ");
    if (!gathers) {
        append_level(emitter, expr, shape, name);
        ag_strbuf_append(out, ", ");
    }
    append_offset(emitter, expr, shape, runtime);
    ag_strbuf_append(out, ", ");
    append_slice(emitter, expr->args[0], shape);
    ag_strbuf_printf(out, ", %uu", emitter->program->resources.data[expr->access->sampler].slot);
    if (gathers)
        ag_strbuf_printf(out, ", %uu", compares ? 0u : expr->access->channel);
    append_reference(emitter, expr, compares);
    ag_strbuf_append(out, compares && !gathers ? ").x" : ")");
    if (ag_wgsl_in_arena(texture) && gathers)
        ag_strbuf_append_char(out, ')');
}
