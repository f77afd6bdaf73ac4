/* SPDX-License-Identifier: MIT
 *
 * Textures: what their variables are, loads, sizes and levels of detail. Samples are in sample.c.
 *
 * WGSL lacks most operations on 1D textures, so those are 2D textures of height 1 (sheet 6.8). A texture that
 * is compared with a reference is declared as texture_depth_*. WGSL samples depth textures neither with a
 * bias or gradients nor at a fractional level. If a shader also samples without comparison, the texture
 * therefore gets a second variable, a plain float texture.
 */
#include "wgsl/emit.h"
#include "wgsl/shape.h"

static const struct ag_wgsl_shape shapes[AGPU_DIMENSION_COUNT] = {
    [AGPU_DIMENSION_TEXTURE1D] = {1, false, true,  false, false},
    [AGPU_DIMENSION_TEXTURE2D] = {2, false, false, false, false},
    [AGPU_DIMENSION_TEXTURE2DMS] = {2, false, false, false, false},
    [AGPU_DIMENSION_TEXTURE3D] = {3, false, false, false, true },
    [AGPU_DIMENSION_TEXTURECUBE] = {3, false, false, true,  false},
    [AGPU_DIMENSION_TEXTURE1DARRAY] = {1, true,  true,  false, false},
    [AGPU_DIMENSION_TEXTURE2DARRAY] = {2, true,  false, false, false},
    [AGPU_DIMENSION_TEXTURE2DMSARRAY] = {2, true,  false, false, false},
    [AGPU_DIMENSION_TEXTURECUBEARRAY] = {3, true,  false, true,  false},
};

const struct ag_wgsl_shape *ag_wgsl_shape(const struct ag_ir_resource *texture)
{
    return &shapes[texture->dimension];
}

bool ag_wgsl_uses_plain_texture(const struct ag_ir_resource *texture, enum ag_ir_op op)
{
    const bool samples =
        op == AG_IR_SAMPLE || op == AG_IR_SAMPLE_BIAS || op == AG_IR_SAMPLE_LEVEL || op == AG_IR_SAMPLE_GRAD;
    if (texture->facts & AG_TEXTURE_UNFILTERABLE)
        return false;
    if (ag_wgsl_has_faces(texture))
        return samples || op == AG_IR_GATHER;
    return texture->compared && samples;
}

bool ag_wgsl_has_faces(const struct ag_ir_resource *texture)
{
    const bool unfilterable = (texture->facts & AG_TEXTURE_UNFILTERABLE) != 0 && !texture->overflows;
    return (texture->compared_by_hand || unfilterable) && shapes[texture->dimension].is_cube;
}

bool ag_wgsl_is_filtered(const struct ag_ir_resource *texture)
{
    return texture->filtered && !ag_wgsl_has_faces(texture) &&
           (texture->facts & AG_TEXTURE_UNFILTERABLE) == 0;
}

bool ag_wgsl_never_filters(const struct ag_ir_resource *texture, enum ag_ir_op op)
{
    return (texture->compared && !ag_wgsl_uses_plain_texture(texture, op)) ||
           ag_ir_resource_type(texture) != AG_IR_F32;
}

/* ---- Loads -------------------------------------------------------------------------------------------- */

static const char *coordinate_type(const struct ag_wgsl_shape *shape)
{
    return ag_wgsl_type(AG_IR_U32, shape->coordinates + (shape->is_array ? 1u : 0u));
}

const char *ag_wgsl_texel_place(const struct ag_wgsl_shape *shape)
{
    if (shape->is_1d)
        return shape->is_array ? "vec2u(p.x, 0u), p.y" : "vec2u(p, 0u)";
    return shape->is_array ? "p.xy, p.z" : "p";
}

const char *ag_wgsl_texel_outside(const struct ag_wgsl_shape *shape)
{
    if (shape->is_1d)
        return shape->is_array ? "p.x >= size.x || p.y >= " : "p >= size.x";
    return shape->is_array ? "any(p.xy >= size) || p.z >= " : "any(p >= size)";
}

/* The texel's position in the arena; samples are slices there. */
static const char *arena_place(const struct ag_wgsl_shape *shape, bool multisampled)
{
    if (multisampled)
        return "vec3u(p, level)";
    if (shape->is_1d)
        return shape->is_array ? "vec3u(p.x, 0u, p.y)" : "vec3u(p, 0u, 0u)";
    return shape->is_array || shape->is_3d ? "p" : "vec3u(p, 0u)";
}

/* The size of a level is computed from the size of level 0, because lavapipe answers textureDimensions() for
 * all threads with the level of one thread. */
static void write_size(struct ag_wgsl_emitter *emitter, uint32_t id, const struct ag_wgsl_shape *shape,
                       bool has_levels)
{
    const char *type = ag_wgsl_type(AG_IR_U32, shape->is_3d ? 3 : 2);
    const char *dimensions = ag_wgsl_dimensions(emitter, id);
    if (has_levels)
        ag_strbuf_printf(&emitter->functions, "\tlet size = max(%s >> %s(level), %s(1u));\n", dimensions,
                         type, type);
    else
        ag_strbuf_printf(&emitter->functions, "\tlet size = %s;\n", dimensions);
}

/* The result of loads out of range is 0 in the components that the format has, and the default in others: 0,
 * and 1 for alpha (D3D11.3 22.4.6). WGSL allows several results. */
static const char *absent_text(struct ag_wgsl_emitter *emitter, uint32_t id, const char *view)
{
    const enum ag_ir_type type = ag_ir_resource_type(&emitter->program->resources.data[id]);
    return ag_wgsl_text(emitter, "%s(0, 0, 0, %s((%s.z >> 1u) & 1u))", ag_wgsl_type(type, 4),
                        ag_wgsl_type(type, 1), view);
}

static void write_texel_helper(struct ag_wgsl_emitter *emitter, uint32_t id, const char *name)
{
    const struct ag_ir_resource *texture = &emitter->program->resources.data[id];
    struct ag_strbuf *out = &emitter->functions;
    const struct ag_wgsl_shape *shape = &shapes[texture->dimension];
    bool multisampled = texture->dimension == AGPU_DIMENSION_TEXTURE2DMS;
    bool one_sample = multisampled && (texture->facts & AG_TEXTURE_ONE_SAMPLE) != 0;
    bool in_layers = multisampled && (texture->facts & AG_TEXTURE_LAYERS) != 0;
    const char *result = ag_wgsl_type(ag_ir_resource_type(texture), 4);
    const char *absent = absent_text(emitter, id, ag_wgsl_view(emitter, id));
    const char *in_arena = NULL;
    if (ag_wgsl_in_arena(texture))
        in_arena =
            ag_wgsl_arena_texel(emitter, id, arena_place(shape, multisampled), multisampled ? "0u" : "level");
    if (multisampled && !one_sample && !in_layers)
        ag_wgsl_require(emitter, AG_WGSL_HOST_SAMPLE, 1);
    ag_strbuf_printf(out, "fn %s_texel(p: %s, level: u32) -> %s {\n", name, coordinate_type(shape), result);
    if (multisampled) {
        ag_strbuf_printf(out, "\tlet samples = %s.w;\n\tif (level >= samples) {\n\t\treturn %s;\n\t}\n",
                         ag_wgsl_view(emitter, id), absent);
    } else {
        ag_strbuf_printf(out, "\tif (level >= %s) {\n\t\treturn %s;\n\t}\n", ag_wgsl_level_count(emitter, id),
                         absent);
    }
    if (emitter->options->level_floors && !multisampled)
        ag_strbuf_printf(out, "\tif (level < (%s.z >> 16u)) {\n\t\treturn %s;\n\t}\n",
                         ag_wgsl_view(emitter, id), absent);
    write_size(emitter, id, shape, !multisampled);
    ag_strbuf_printf(out, "\tif (%s%s) {\n\t\treturn %s;\n\t}\n", ag_wgsl_texel_outside(shape),
                     shape->is_array ? ag_wgsl_slice_count(emitter, id) : "", absent);
    if (in_arena != NULL)
        ag_strbuf_printf(out, "\treturn %s;\n}\n\n", in_arena);
    else if (texture->compared)
        ag_strbuf_printf(out, "\treturn vec4f(textureLoad(%s, %s, level), 0.0, 0.0, 1.0);\n}\n\n", name,
                         ag_wgsl_texel_place(shape));
    else
        ag_strbuf_printf(out, "\treturn textureLoad(%s, %s%s, %s);\n}\n\n",
                         ag_wgsl_texture_variable(emitter, id), ag_wgsl_texel_place(shape),
                         ag_wgsl_layer(emitter, id),
                         one_sample     ? "0"
                         : in_layers    ? "level, 0"
                         : multisampled ? "host_sample(samples, level)"
                                        : "level");
}

/* Multisampled array textures are 2D arrays with a layer for each sample of each slice (decision L6). */
static void write_sample_helper(struct ag_wgsl_emitter *emitter, uint32_t id, const char *name)
{
    const struct ag_ir_resource *texture = &emitter->program->resources.data[id];
    const char *result = ag_wgsl_type(ag_ir_resource_type(texture), 4);
    const char *view = ag_wgsl_view(emitter, id);
    const char *in_arena = NULL;
    if (ag_wgsl_in_arena(texture))
        in_arena = ag_wgsl_arena_texel(emitter, id, "vec3u(p.xy, p.z * view.w + sample)", "0u");
    ag_strbuf_printf(&emitter->functions,
                     "fn %s_texel(p: vec3u, sample: u32) -> %s {\n"
                     "\tlet view = %s;\n"
                     "\tif (sample >= view.w || p.z >= view.y || any(p.xy >= %s)) {\n"
                     "\t\treturn %s;\n"
                     "\t}\n",
                     name, result, view, ag_wgsl_dimensions(emitter, id), absent_text(emitter, id, "view"));
    if (in_arena != NULL)
        ag_strbuf_printf(&emitter->functions, "\treturn %s;\n}\n\n", in_arena);
    else
        ag_strbuf_printf(&emitter->functions,
                         "\treturn textureLoad(%s, p.xy, p.z * view.w + sample, 0);\n}\n\n", name);
}

static void append_texel(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    const struct ag_ir_resource *texture = &emitter->program->resources.data[expr->access->resource];
    const struct ag_ir_access *access = expr->access;
    const char *name = ag_wgsl_resource_name(emitter, access->resource);
    if (ag_wgsl_need(emitter, access->resource, AG_WGSL_TEXEL)) {
        if (texture->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY)
            write_sample_helper(emitter, access->resource, name);
        else
            write_texel_helper(emitter, access->resource, name);
    }
    ag_strbuf_printf(out, "%s_texel(", name);
    ag_wgsl_expr(emitter, expr->args[0], AG_IR_U32, access->has_offsets);
    if (access->has_offsets) {
        struct ag_ir_expr *offsets = ag_ir_const(emitter->program, expr->args[0]->width, 0);
        for (uint32_t i = 0; i < offsets->width && i < 3; i++)
            offsets->u.bits[i] = (uint32_t)(int32_t)access->offsets[i];
        ag_strbuf_append(out, " + ");
        ag_wgsl_literal(emitter, offsets, AG_IR_U32, expr->args[0]->op == AG_IR_CONST);
    }
    ag_strbuf_append(out, ", ");
    ag_wgsl_expr(emitter, expr->args[1], AG_IR_U32, false);
    ag_strbuf_append_char(out, ')');
}

/* ---- Queries ------------------------------------------------------------------------------------------ */

/* Sizes are those of the view. A level out of range has sizes 0 with the right mip count; if nothing is
 * bound, all are 0 (sheet 6.3), which the draw block's entry says. */
static void write_info_helper(struct ag_wgsl_emitter *emitter, uint32_t id, const char *name)
{
    struct ag_strbuf *out = &emitter->functions;
    const struct ag_ir_resource *texture = &emitter->program->resources.data[id];
    const struct ag_wgsl_shape *shape = &shapes[texture->dimension];
    bool is_samples = texture->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY;
    bool has_levels = texture->space == AGPU_SPACE_RESOURCE &&
                      texture->dimension != AGPU_DIMENSION_TEXTURE2DMS && !is_samples;
    const char *view = ag_wgsl_view(emitter, id);
    if (ag_wgsl_is_buffered_texture(texture)) {
        ag_strbuf_printf(out,
                         "fn %s_info(level: u32) -> vec4u {\n"
                         "\tlet view = %s;\n"
                         "\tlet mips = min(view.w, 1u);\n"
                         "\treturn vec4u(select(vec3u(), %s, level < mips), mips);\n"
                         "}\n\n",
                         name, view,
                         shape->is_1d && shape->is_array   ? "vec3u(view.xz, 0u)"
                         : shape->is_1d                    ? "vec3u(view.x, 0u, 0u)"
                         : shape->is_array || shape->is_3d ? "view.xyz"
                                                           : "vec3u(view.xy, 0u)");
        return;
    }
    ag_strbuf_printf(out, "fn %s_info(level: u32) -> vec4u {\n", name);
    ag_strbuf_printf(out, "\tlet mips = %s.x;\n\tif (level >= mips) {\n", view);
    ag_strbuf_append(out, "\t\treturn vec4u(0u, 0u, 0u, mips);\n\t}\n");
    write_size(emitter, id, shape, has_levels);
    ag_strbuf_append(out, "\treturn vec4u(size.x, ");
    if (shape->is_1d && shape->is_array)
        ag_strbuf_printf(out, "%s, 0u, mips);\n}\n\n", ag_wgsl_slice_count(emitter, id));
    else if (shape->is_1d)
        ag_strbuf_append(out, "0u, 0u, mips);\n}\n\n");
    else if (is_samples)
        ag_strbuf_printf(out, "size.y, %s.y, mips);\n}\n\n", view);
    else if (shape->is_array)
        ag_strbuf_printf(out, "size.y, %s, mips);\n}\n\n", ag_wgsl_slice_count(emitter, id));
    else
        ag_strbuf_printf(out, "size.y, %s, mips);\n}\n\n", shape->is_3d ? "size.z" : "0u");
}

static void append_info(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const char *name = ag_wgsl_resource_name(emitter, expr->access->resource);
    if (ag_wgsl_need(emitter, expr->access->resource, AG_WGSL_INFO))
        write_info_helper(emitter, expr->access->resource, name);
    ag_strbuf_printf(&emitter->body, "%s_info(", name);
    ag_wgsl_expr(emitter, expr->args[0], AG_IR_U32, false);
    ag_strbuf_append_char(&emitter->body, ')');
}

/* Sheet 6.4, D3D11.3 7.18.11. Only the lengths of the gradients matter, so the signs of a cube's faces do
 * not. */
static void write_lod_helper(struct ag_wgsl_emitter *emitter, uint32_t id, const struct ag_wgsl_shape *shape,
                             const char *name)
{
    const char *dimensions = ag_wgsl_dimensions(emitter, id);
    struct ag_strbuf *out = &emitter->functions;
    const char *type = ag_wgsl_type(AG_IR_F32, shape->coordinates);
    ag_wgsl_require(emitter, AG_WGSL_LOG, 1);
    ag_strbuf_printf(out, "fn %s_lod_of(p: %s, dx: %s, dy: %s) -> f32 {\n", name, type, type, type);
    if (shape->is_cube) {
        ag_strbuf_append(out, "\tlet a = abs(p);\n"
                              "\tvar q = mat3x3<f32>(p, dx, dy);\n"
                              "\tif (a.y > a.z && a.y >= a.x) {\n"
                              "\t\tq = mat3x3<f32>(p.xzy, dx.xzy, dy.xzy);\n"
                              "\t} else if (a.x > a.z) {\n"
                              "\t\tq = mat3x3<f32>(p.zyx, dx.zyx, dy.zyx);\n"
                              "\t}\n");
        ag_strbuf_printf(out, "\tlet scale = 0.5 * f32(%s.x) / (q[0].z * q[0].z);\n", dimensions);
        ag_strbuf_append(out, "\tlet x = (q[1].xy * q[0].z - q[0].xy * q[1].z) * scale;\n"
                              "\tlet y = (q[2].xy * q[0].z - q[0].xy * q[2].z) * scale;\n");
    } else {
        ag_strbuf_printf(out, "\tlet size = %s(%s%s);\n", type, dimensions, shape->is_1d ? ".x" : "");
        ag_strbuf_append(out, "\tlet x = dx * size;\n\tlet y = dy * size;\n");
    }
    ag_strbuf_printf(out, "\treturn 0.5 * flog(%s);\n}\n\n",
                     shape->is_1d ? "max(x * x, y * y)" : "max(dot(x, x), dot(y, y))");
}

void ag_wgsl_write_lod(struct ag_wgsl_emitter *emitter, uint32_t id, bool of_quad)
{
    const struct ag_ir_resource *texture = &emitter->program->resources.data[id];
    const struct ag_wgsl_shape *shape = &shapes[texture->dimension];
    const char *name = ag_wgsl_resource_name(emitter, id);
    if (ag_wgsl_need(emitter, id, AG_WGSL_LOD_OF_GRADIENTS))
        write_lod_helper(emitter, id, shape, name);
    if (of_quad && ag_wgsl_need(emitter, id, AG_WGSL_LOD_OF_QUAD))
        ag_strbuf_printf(&emitter->functions,
                         "fn %s_lod(p: %s) -> f32 {\n"
                         "\treturn %s_lod_of(p, dpdx(p), dpdy(p));\n"
                         "}\n\n",
                         name, ag_wgsl_type(AG_IR_F32, shape->coordinates), name);
}

/* Two levels, both with the sampler's bias: within the bounds of sampler, texture and view, and unbounded.
 * Both are 0 if no texture is bound (D3D11.3 22.5.6). */
static void write_lod_clamped(struct ag_wgsl_emitter *emitter, uint32_t id, const char *name)
{
    struct ag_strbuf *out = &emitter->functions;
    ag_strbuf_printf(out,
                     "fn %s_lod_clamped(lod: f32, s: vec4u) -> vec2f {\n"
                     "\tif (%s.x == 0u) {\n"
                     "\t\treturn vec2f();\n"
                     "\t}\n"
                     "\tlet level = lod + bitcast<f32>(s.x);\n"
                     "\t%s wanted = max(min(level, bitcast<f32>(s.z)), bitcast<f32>(s.y));\n",
                     name, ag_wgsl_view(emitter, id), emitter->options->level_floors ? "var" : "let");
    if (emitter->options->level_floors)
        ag_strbuf_printf(out, "\twanted = max(wanted, f32(%s.z >> 8u) / 256.0);\n",
                         ag_wgsl_view(emitter, id));
    ag_strbuf_printf(out,
                     "\treturn vec2f(clamp(wanted, 0.0, f32(%s - 1u)), level);\n"
                     "}\n\n",
                     ag_wgsl_level_count(emitter, id));
}

static void append_lod(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    bool of_quad = expr->arg_count == 1;
    const char *name = ag_wgsl_resource_name(emitter, expr->access->resource);
    ag_wgsl_write_lod(emitter, expr->access->resource, of_quad);
    if (ag_wgsl_need(emitter, expr->access->resource, AG_WGSL_LOD_CLAMPED))
        write_lod_clamped(emitter, expr->access->resource, name);
    ag_strbuf_printf(out, "%s_lod_clamped(%s%s(", name, name, of_quad ? "_lod" : "_lod_of");
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        ag_strbuf_append(out, i > 0 ? ", " : "");
        ag_wgsl_expr(emitter, expr->args[i], AG_IR_F32, false);
    }
    ag_strbuf_printf(out, "), %s)", ag_wgsl_view(emitter, expr->access->sampler));
}

/* If the minimum level is beyond all levels, the components that the format has are 0 (D3D11.3 5.9.4.5.4). */
static void append_within(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    uint32_t id = expr->access->resource;
    const char *name = ag_wgsl_resource_name(emitter, id);
    if (ag_wgsl_need(emitter, id, AG_WGSL_WITHIN))
        ag_strbuf_printf(&emitter->functions,
                         "fn %s_within(x: vec4f, least: f32, s: vec4u) -> vec4f {\n"
                         "\tlet view = %s;\n"
                         "\tlet last = min(f32(%s - 1u), bitcast<f32>(s.z));\n"
                         "\tlet alpha = select(0.0, 1.0, view.x != 0u && (view.w & 8u) == 0u);\n"
                         "\treturn select(x, vec4f(0.0, 0.0, 0.0, alpha), least > last);\n"
                         "}\n\n",
                         name, ag_wgsl_view(emitter, id), ag_wgsl_level_count(emitter, id));
    ag_strbuf_printf(out, expr->width == 1 ? "%s_within(vec4f(" : "%s_within(", name);
    ag_wgsl_expr(emitter, expr->args[0], AG_IR_F32, false);
    ag_strbuf_append(out, expr->width == 1 ? "), " : ", ");
    ag_wgsl_expr(emitter, expr->args[1], AG_IR_F32, false);
    ag_strbuf_printf(out, expr->width == 1 ? ", %s).x" : ", %s)",
                     ag_wgsl_view(emitter, expr->access->sampler));
}

static void append_sample_count(struct ag_wgsl_emitter *emitter, const struct ag_ir_access *access)
{
    if (access->resource == AG_IR_NONE) {
        emitter->uses_draw_block = true;
        ag_strbuf_append(&emitter->body, "draw.sample_count");
        return;
    }
    ag_strbuf_printf(&emitter->body, "%s.w", ag_wgsl_view(emitter, access->resource));
}

void ag_wgsl_texture(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    switch (expr->op) {
    case AG_IR_TEXEL:
        append_texel(emitter, expr);
        break;
    case AG_IR_LOD:
        append_lod(emitter, expr);
        break;
    case AG_IR_WITHIN:
        append_within(emitter, expr);
        break;
    case AG_IR_RESINFO:
        append_info(emitter, expr);
        break;
    case AG_IR_SAMPLE_COUNT:
        append_sample_count(emitter, expr->access);
        break;
    case AG_IR_CENTROID:
        ag_wgsl_require(emitter, AG_WGSL_CENTROID, 1);
        ag_strbuf_append(&emitter->body, "centroid(");
        append_sample_count(emitter, expr->access);
        ag_strbuf_append(&emitter->body, ", ");
        ag_wgsl_expr(emitter, expr->args[0], AG_IR_U32, false);
        ag_strbuf_append_char(&emitter->body, ')');
        break;
    case AG_IR_SAMPLE_POSITION:
        ag_wgsl_require(emitter, AG_WGSL_SAMPLE_POSITION, 1);
        ag_strbuf_append(&emitter->body, "sample_position(");
        append_sample_count(emitter, expr->access);
        ag_strbuf_append(&emitter->body, ", ");
        ag_wgsl_expr(emitter, expr->args[0], AG_IR_U32, false);
        ag_strbuf_append_char(&emitter->body, ')');
        break;
    default:
        ag_wgsl_sample(emitter, expr);
        break;
    }
}
