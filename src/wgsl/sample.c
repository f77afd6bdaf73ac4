/* SPDX-License-Identifier: MIT
 *
 * Samples and gathers by WGSL's functions. What these cannot do is in sampler.c.
 */
#include "wgsl/emit.h"
#include "wgsl/shape.h"

static const char *const functions[AG_IR_OP_COUNT] = {
    [AG_IR_SAMPLE] = "textureSample",
    [AG_IR_SAMPLE_BIAS] = "textureSampleBias",
    [AG_IR_SAMPLE_LEVEL] = "textureSampleLevel",
    [AG_IR_SAMPLE_GRAD] = "textureSampleGrad",
    [AG_IR_SAMPLE_CMP] = "textureSampleCompare",
    [AG_IR_SAMPLE_CMP_LEVEL] = "textureSampleCompareLevel",
    [AG_IR_GATHER] = "textureGather",
    [AG_IR_GATHER_PO] = "textureGather",
    [AG_IR_GATHER_CMP] = "textureGatherCompare",
    [AG_IR_GATHER_PO_CMP] = "textureGatherCompare",
};

bool ag_wgsl_compares(enum ag_ir_op op)
{
    return op == AG_IR_SAMPLE_CMP || op == AG_IR_SAMPLE_CMP_LEVEL || op == AG_IR_GATHER_CMP ||
           op == AG_IR_GATHER_PO_CMP;
}

static const struct ag_ir_resource *texture_of(const struct ag_wgsl_emitter *emitter,
                                               const struct ag_ir_expr *expr)
{
    return &emitter->program->resources.data[expr->access->resource];
}

void ag_wgsl_lanes(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, uint32_t first,
                   uint32_t count)
{
    uint8_t lanes[4];
    for (uint32_t i = 0; i < count; i++)
        lanes[i] = (uint8_t)(first + i);
    ag_wgsl_expr(emitter, ag_ir_narrow(emitter->program, (struct ag_ir_expr *)expr, count, lanes), AG_IR_F32,
                 false);
}

/* Appends the coordinates as a float vector. 1D textures get `second` as second component. */
static void append_coordinates(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                               const struct ag_wgsl_shape *shape, const char *second)
{
    struct ag_strbuf *out = &emitter->body;
    if (shape->is_1d)
        ag_strbuf_append(out, "vec2f(");
    ag_wgsl_lanes(emitter, expr, 0, shape->coordinates);
    if (shape->is_1d)
        ag_strbuf_printf(out, ", %s)", second);
}

static void append_slice(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                         const struct ag_wgsl_shape *shape)
{
    if (!shape->is_array) {
        ag_strbuf_append(&emitter->body, ag_wgsl_layer(emitter, expr->access->resource));
        return;
    }
    ag_wgsl_require(emitter, AG_WGSL_SLICE, 1);
    ag_strbuf_append(&emitter->body, ", slice(");
    ag_wgsl_lanes(emitter, expr->args[0], shape->coordinates, 1);
    ag_strbuf_append_char(&emitter->body, ')');
}

static void append_offsets(struct ag_wgsl_emitter *emitter, const struct ag_ir_access *access,
                           const struct ag_wgsl_shape *shape)
{
    if (!access->has_offsets)
        return;
    if (shape->is_3d)
        ag_strbuf_printf(&emitter->body, ", vec3i(%d, %d, %d)", access->offsets[0], access->offsets[1],
                         access->offsets[2]);
    else
        ag_strbuf_printf(&emitter->body, ", vec2i(%d, %d)", access->offsets[0], access->offsets[1]);
}

/* Offsets at run time are signed six-bit numbers; the coordinates move by whole texels (sheet 6.5). */
static void append_runtime_offsets(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                                   const char *texture)
{
    ag_strbuf_append(&emitter->body, " + vec2f(extractBits(");
    ag_wgsl_expr(emitter, expr->args[1], AG_IR_I32, true);
    ag_strbuf_printf(&emitter->body, ", 0u, 6u)) / vec2f(textureDimensions(%s, 0))", texture);
}

/* A texture that must not be filtered needs a non-filtering sampler. If the sampler filters other textures, a
 * second, non-filtering sampler variable is used. */
static void append_sampler(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    uint32_t id = expr->access->sampler;
    const struct ag_ir_resource *sampler = &emitter->program->resources.data[id];
    const bool never_filters = ag_wgsl_never_filters(texture_of(emitter, expr), (enum ag_ir_op)expr->op);
    if (sampler->is_comparison || !sampler->filters || !never_filters) {
        ag_strbuf_append(&emitter->body, ag_wgsl_resource_name(emitter, id));
        return;
    }
    emitter->resources[id].point_bound = true;
    ag_strbuf_printf(&emitter->body, "%s_point", emitter->resources[id].name);
}

static const char *texture_name(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    uint32_t id = expr->access->resource;
    if (!ag_wgsl_uses_plain_texture(texture_of(emitter, expr), (enum ag_ir_op)expr->op))
        return ag_wgsl_texture_variable(emitter, id);
    emitter->resources[id].plain_bound = true;
    return ag_wgsl_text(emitter, "%s_plain", emitter->resources[id].name);
}

/* The text of the sampler's own bias; null if it has none or the operation ignores it. */
static const char *sampler_bias(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const struct ag_ir_resource *sampler = &emitter->program->resources.data[expr->access->sampler];
    bool takes_bias = expr->op == AG_IR_SAMPLE || expr->op == AG_IR_SAMPLE_BIAS ||
                      expr->op == AG_IR_SAMPLE_LEVEL || expr->op == AG_IR_SAMPLE_GRAD;
    if (!takes_bias || expr->access->is_final || sampler->slot >= 16 ||
        !(emitter->options->biased_samplers >> sampler->slot & 1))
        return NULL;
    return ag_wgsl_text(emitter, "bitcast<f32>(%s.x)", ag_wgsl_view(emitter, expr->access->sampler));
}

/* Whether a level is a number that every driver clamps alike. */
static bool is_plain_level(const struct ag_ir_expr *level)
{
    const uint32_t size = level->op == AG_IR_CONST ? level->u.bits[0] & 0x7fffffffu : UINT32_MAX;
    return size <= 0x42800000u; /* 64 */
}

/* A level, or a bias of levels. A level that has been clamped already is final. */
static void append_level(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, uint32_t index,
                         bool primary)
{
    if (is_plain_level(expr->args[index]) || expr->access->is_final) {
        ag_wgsl_expr(emitter, expr->args[index], AG_IR_F32, primary);
        return;
    }
    ag_wgsl_call(emitter, AG_WGSL_MIP_LEVEL, 1);
    ag_strbuf_append_char(&emitter->body, '(');
    ag_wgsl_expr(emitter, expr->args[index], AG_IR_F32, false);
    ag_strbuf_append_char(&emitter->body, ')');
}

/* Appends an argument that follows the coordinates. To a bias or level the sampler's bias is added; gradients
 * are scaled by it, as a power of two; a reference value is clamped. */
static void append_sample_argument(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                                   uint32_t index, const struct ag_wgsl_shape *shape, const char *bias)
{
    struct ag_strbuf *out = &emitter->body;
    enum ag_ir_op op = (enum ag_ir_op)expr->op;
    if (op == AG_IR_SAMPLE_GRAD) {
        append_coordinates(emitter, expr->args[index], shape, "0.0");
        if (bias != NULL)
            ag_strbuf_printf(out, " * exp2(%s)", bias);
        return;
    }
    if (ag_wgsl_compares(op)) {
        ag_wgsl_call(emitter, AG_WGSL_REFERENCE, 1);
        ag_strbuf_append_char(out, '(');
        ag_wgsl_expr(emitter, expr->args[index], AG_IR_F32, false);
        ag_strbuf_printf(out, ", %s.z)", ag_wgsl_view(emitter, expr->access->resource));
        return;
    }
    append_level(emitter, expr, index, bias != NULL);
    if (bias != NULL)
        ag_strbuf_printf(out, " + %s", bias);
}

/* Samples at the level that WebGPU would compute, but at no finer level than the texture's minimum
 * (level_floors). */
static void append_floored(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                           const struct ag_wgsl_shape *shape)
{
    struct ag_strbuf *out = &emitter->body;
    const uint32_t id = expr->access->resource;
    const bool gradients = expr->op == AG_IR_SAMPLE_GRAD, given = expr->op == AG_IR_SAMPLE_LEVEL;
    const char *bias = sampler_bias(emitter, expr);
    ag_strbuf_printf(out, "textureSampleLevel(%s, ", texture_name(emitter, expr));
    append_sampler(emitter, expr);
    ag_strbuf_append(out, ", ");
    append_coordinates(emitter, expr->args[0], shape, "0.5");
    append_slice(emitter, expr, shape);
    ag_strbuf_append(out, ", max(");
    if (given) {
        append_level(emitter, expr, 1, bias != NULL);
    } else {
        ag_wgsl_write_lod(emitter, id, !gradients);
        ag_strbuf_printf(out, "%s_lod%s(", ag_wgsl_resource_name(emitter, id), gradients ? "_of" : "");
        for (uint32_t i = 0; i < (gradients ? 3u : 1u); i++) {
            ag_strbuf_append(out, i > 0 ? ", " : "");
            ag_wgsl_lanes(emitter, expr->args[i], 0, shape->coordinates);
        }
        ag_strbuf_append_char(out, ')');
    }
    if (expr->op == AG_IR_SAMPLE_BIAS) {
        ag_strbuf_append(out, " + ");
        append_level(emitter, expr, 1, true);
    }
    if (bias != NULL)
        ag_strbuf_printf(out, " + %s", bias);
    ag_strbuf_printf(out, ", f32(%s.z >> 8u) / 256.0)", ag_wgsl_view(emitter, id));
    append_offsets(emitter, expr->access, shape);
    ag_strbuf_append_char(out, ')');
}

static bool is_floored(const struct ag_wgsl_emitter *emitter, enum ag_ir_op op)
{
    return emitter->options->level_floors && (op == AG_IR_SAMPLE || op == AG_IR_SAMPLE_BIAS ||
                                              op == AG_IR_SAMPLE_LEVEL || op == AG_IR_SAMPLE_GRAD);
}

static void append_bound_sample(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    const struct ag_ir_resource *texture = texture_of(emitter, expr);
    const struct ag_wgsl_shape *shape = ag_wgsl_shape(texture);
    enum ag_ir_op op = (enum ag_ir_op)expr->op;
    if (ag_wgsl_is_emulated(emitter, expr)) {
        ag_wgsl_emulated(emitter, expr);
        return;
    }
    if (is_floored(emitter, op)) {
        append_floored(emitter, expr, shape);
        return;
    }
    const char *name = texture_name(emitter, expr);
    bool gathers = op == AG_IR_GATHER || op == AG_IR_GATHER_PO;
    bool runtime = op == AG_IR_GATHER_PO || op == AG_IR_GATHER_PO_CMP;
    if (gathers && texture->compared && expr->access->channel != 0) {
        ag_strbuf_printf(out, "vec4f(%s)", expr->access->channel == 3 ? "1.0" : "0.0");
        return; /* a depth view reads as (depth, 0, 0, 1) */
    }
    const char *bias = sampler_bias(emitter, expr);
    ag_strbuf_printf(out, "%s(", op == AG_IR_SAMPLE && bias != NULL ? "textureSampleBias" : functions[op]);
    if (gathers && !texture->compared)
        ag_strbuf_printf(out, "%u, ", expr->access->channel);
    ag_strbuf_printf(out, "%s, ", name);
    append_sampler(emitter, expr);
    ag_strbuf_append(out, ", ");
    append_coordinates(emitter, expr->args[0], shape, "0.5");
    if (runtime)
        append_runtime_offsets(emitter, expr, name);
    append_slice(emitter, expr, shape);
    for (uint32_t i = runtime ? 2 : 1; i < expr->arg_count; i++) {
        ag_strbuf_append(out, ", ");
        append_sample_argument(emitter, expr, i, shape, bias);
    }
    if (op == AG_IR_SAMPLE && bias != NULL)
        ag_strbuf_printf(out, ", %s", bias);
    append_offsets(emitter, expr->access, shape);
    ag_strbuf_append_char(out, ')');
}

/* What an array has in the layer of an empty slot is not 0. */
void ag_wgsl_sample(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const struct ag_ir_resource *texture = texture_of(emitter, expr);
    const bool is_layer = ag_wgsl_array_of(texture) != 0;
    if (is_layer)
        ag_strbuf_printf(&emitter->body, "select(%s(), ", ag_wgsl_type(ag_ir_resource_type(texture), 4));
    append_bound_sample(emitter, expr);
    if (is_layer)
        ag_strbuf_printf(&emitter->body, ", %s.x != 0u)", ag_wgsl_view(emitter, expr->access->resource));
}
