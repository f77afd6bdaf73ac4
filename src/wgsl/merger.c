/* SPDX-License-Identifier: MIT
 *
 * What the output merger does in the pixel shader because WebGPU's does it otherwise: alpha to coverage, the
 * depth of 24-bit formats, depth bias, tests in front of the shader, samples in planes.
 */
#include "wgsl/draw_block.h"
#include "wgsl/emit.h"
#include "wgsl/options.h"

/* ---- Alpha to coverage -------------------------------------------------------------------------------- */

/* Whether the output has an alpha to take coverage from. Integers have none. */
static bool has_alpha(const struct ag_ir_output *output)
{
    return output->kind == AG_IR_OUTPUT_REGISTER && output->number == 0 && (output->mask & 8) &&
           output->component_type != AGPU_COMPONENT_UINT && output->component_type != AGPU_COMPONENT_SINT;
}

/* A mask that the shader writes disables alpha to coverage (D3D11.3 17.18). */
void ag_wgsl_plan_alpha(struct ag_wgsl_emitter *emitter)
{
    struct ag_ir_program *program = emitter->program;
    struct ag_ir_output *alpha = NULL;
    uint32_t index = 0;
    if (program->stage != AGPU_STAGE_PIXEL || !emitter->options->alpha_to_coverage)
        return;
    for (uint32_t i = 0; i < program->outputs.count; i++) {
        if (program->outputs.data[i].kind == AG_IR_OUTPUT_COVERAGE)
            return;
        if (has_alpha(&program->outputs.data[i])) {
            alpha = &program->outputs.data[i];
            index = i;
        }
    }
    if (alpha == NULL)
        return;
    alpha->used = true; /* also where no target takes the output */
    struct ag_wgsl_member *member =
        ag_wgsl_add_output(emitter, index, "sample_mask", "@builtin(sample_mask)", "u32");
    if (member == NULL)
        return;
    member->is_alpha_mask = true;
    member->value.register_index = 0xff;
    member->value.component_type = AGPU_COMPONENT_UINT;
}

/* Alpha below half a step and NaN cover nothing, alpha within half a step of 1 and above covers all. Eight
 * samples are four on the host. */
static void write_alpha_mask(struct ag_strbuf *out)
{
    ag_strbuf_append(out, "fn alpha_mask(count: u32, alpha: f32) -> u32 {\n"
                          "\tlet steps = min(count, 4u);\n"
                          "\tlet covered = u32(clamp(number(alpha), 0.0, 1.0) * f32(steps) + 0.5);\n"
                          "\treturn host_mask(steps, (1u << covered) - 1u);\n"
                          "}\n\n");
}

void ag_wgsl_append_alpha_mask(struct ag_wgsl_emitter *emitter, struct ag_ir_expr *output)
{
    static const uint8_t lane[1] = {3};
    const struct ag_ir_expr *alpha = ag_ir_narrow(emitter->program, output, 1, lane);
    ag_wgsl_require(emitter, AG_WGSL_NUMBER, 1);
    ag_wgsl_require(emitter, AG_WGSL_HOST_MASK, 1);
    if (!emitter->uses_alpha_mask)
        write_alpha_mask(&emitter->functions);
    emitter->uses_alpha_mask = true;
    emitter->uses_draw_block = true;
    ag_strbuf_append(&emitter->body, "alpha_mask(draw.sample_count, ");
    ag_wgsl_expr(emitter, alpha, AG_IR_F32, false);
    ag_strbuf_append_char(&emitter->body, ')');
}

/* ---- Packed floats ------------------------------------------------------------------------------------ */

/* Floats without a sign are rounded towards zero; what is too large is the largest, infinity and NaN stay,
 * and negative numbers are 0 (D3D11.3 3.2.2). */
void ag_wgsl_append_packed(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *value)
{
    if (!emitter->uses_packed)
        ag_strbuf_append(&emitter->functions,
                         "fn packed(x: f32, lost: u32) -> f32 {\n"
                         "\tlet bits = bitcast<u32>(x);\n"
                         "\tif ((bits & 0x7fffffffu) > 0x7f800000u || bits == 0x7f800000u) {\n"
                         "\t\treturn x;\n"
                         "\t}\n"
                         "\tif ((bits >> 31u) != 0u) {\n"
                         "\t\treturn 0.0;\n"
                         "\t}\n"
                         "\tlet steps = f32(1u << (23u - lost)) * 16384.0;\n"
                         "\tlet normal = bitcast<f32>(min(bits, 0x477fffffu) & ~((1u << lost) - 1u));\n"
                         "\treturn select(normal, floor(x * steps) / steps, bits < 0x38800000u);\n"
                         "}\n\n"
                         "fn packed_floats(v: vec4f) -> vec4f {\n"
                         "\treturn vec4f(packed(v.x, 17u), packed(v.y, 17u), packed(v.z, 18u), v.w);\n"
                         "}\n\n");
    emitter->uses_packed = true;
    ag_strbuf_append(&emitter->body, "packed_floats(");
    ag_wgsl_expr(emitter, value, AG_IR_F32, false);
    ag_strbuf_append_char(&emitter->body, ')');
}

/* ---- Planes of samples -------------------------------------------------------------------------------- */

/* D3D11_BLEND, those that do not depend on the target. */
enum blend {
    BLEND_ZERO = 1,
    BLEND_ONE,
    BLEND_SRC_COLOR,
    BLEND_INV_SRC_COLOR,
    BLEND_SRC_ALPHA,
    BLEND_INV_SRC_ALPHA,
    BLEND_FACTOR = 14,
    BLEND_INV_FACTOR,
    BLEND_SRC1_COLOR,
    BLEND_INV_SRC1_COLOR,
    BLEND_SRC1_ALPHA,
    BLEND_INV_SRC1_ALPHA,
};

bool ag_wgsl_blends_source1(const struct ag_wgsl_emitter *emitter)
{
    const struct ag_target_factors *factors = &emitter->options->target_factors[0];
    return emitter->program->stage == AGPU_STAGE_PIXEL &&
           (factors->source >= BLEND_SRC1_COLOR || factors->destination >= BLEND_SRC1_COLOR ||
            factors->source_alpha >= BLEND_SRC1_COLOR || factors->destination_alpha >= BLEND_SRC1_COLOR);
}

static bool has_factors(const struct ag_target_factors *factors)
{
    return (factors->source | factors->destination | factors->source_alpha | factors->destination_alpha) != 0;
}

void ag_wgsl_plan_planes(struct ag_wgsl_emitter *emitter, uint32_t index, enum ag_ir_type type)
{
    struct ag_ir_program *program = emitter->program;
    const struct ag_translate_options *options = emitter->options;
    struct ag_ir_output *output = &program->outputs.data[index];
    const uint32_t n = output->number;
    const uint32_t first = ag_target_location(options->target_planes, options->target_mask, n);
    output->type = (uint8_t)type;
    output->used = true;
    for (uint32_t plane = 0; plane < options->target_planes[n]; plane++) {
        const char *name = ag_wgsl_text(emitter, "o%u_%u", n, plane);
        const char *location = ag_wgsl_text(emitter, "@location(%u)", first + plane);
        struct ag_wgsl_member *member =
            ag_wgsl_add_output(emitter, index, name, location,
                               type != AG_IR_F32                          ? "vec4u"
                               : has_factors(&options->target_factors[n]) ? "vec4f"
                                                                          : "f32");
        if (member == NULL)
            return;
        member->is_plane = true;
        member->plane = (uint8_t)plane;
        member->value = (struct agpu_stage_value){
            .register_index = (uint8_t)n,
            .mask = 15,
            .location = (uint8_t)(first + plane),
            .component_type = type == AG_IR_F32 ? AGPU_COMPONENT_FLOAT : AGPU_COMPONENT_UINT,
        };
    }
}

/* The blend factor, which has the range of the target's numbers (D3D11.3 17.5). */
static void append_constant(struct ag_wgsl_emitter *emitter, uint32_t target, char component)
{
    struct ag_strbuf *out = &emitter->body;
    emitter->uses_draw_block = true;
    if (emitter->options->target_bits[target] == 0)
        ag_strbuf_printf(out, "draw.blend.%c", component);
    else
        ag_strbuf_printf(out, "clamp(draw.blend.%c, %s, 1.0)", component,
                         emitter->options->target_snorm >> target & 1 ? "-1.0" : "0.0");
}

/* The factor of component `c`. That of a target without a second source is 0 for the latter. */
static void append_factor(struct ag_wgsl_emitter *emitter, uint32_t factor, uint32_t target, char c)
{
    struct ag_strbuf *out = &emitter->body;
    const bool is_alpha = factor == BLEND_SRC_ALPHA || factor == BLEND_INV_SRC_ALPHA ||
                          factor == BLEND_SRC1_ALPHA || factor == BLEND_INV_SRC1_ALPHA;
    const char component = is_alpha ? 'w' : c;
    if (factor == BLEND_INV_SRC_COLOR || factor == BLEND_INV_SRC_ALPHA || factor == BLEND_INV_FACTOR ||
        factor == BLEND_INV_SRC1_COLOR || factor == BLEND_INV_SRC1_ALPHA)
        ag_strbuf_append(out, "1.0 - ");
    switch ((enum blend)factor) {
    case BLEND_ZERO: /* times infinity and NaN, a factor that compilers know would be left out */
        emitter->uses_draw_block = true;
        ag_strbuf_append(out, "f32(draw.zero)");
        return;
    case BLEND_ONE:
        ag_strbuf_append(out, "1.0");
        return;
    case BLEND_FACTOR:
    case BLEND_INV_FACTOR:
        append_constant(emitter, target, component);
        return;
    case BLEND_SRC_COLOR:
    case BLEND_INV_SRC_COLOR:
    case BLEND_SRC_ALPHA:
    case BLEND_INV_SRC_ALPHA:
        ag_strbuf_printf(out, "merged%u.%c", target, component);
        return;
    case BLEND_SRC1_COLOR:
    case BLEND_INV_SRC1_COLOR:
    case BLEND_SRC1_ALPHA:
    case BLEND_INV_SRC1_ALPHA:
        if (emitter->has_source1)
            ag_strbuf_printf(out, "merged1.%c", component);
        else
            ag_strbuf_append(out, "0.0");
        return;
    }
}

void ag_wgsl_append_plane(struct ag_wgsl_emitter *emitter, const struct ag_wgsl_member *member)
{
    struct ag_strbuf *out = &emitter->body;
    const struct ag_ir_output *output = &emitter->program->outputs.data[member->index];
    const uint32_t n = output->number;
    const struct ag_target_factors *factors = &emitter->options->target_factors[n];
    const char c = "xyzw"[member->plane & 3];
    if (output->type != AG_IR_F32) {
        if (!emitter->uses_halves)
            ag_strbuf_append(&emitter->functions,
                             "fn halves(v: vec2u) -> vec4u {\n"
                             "\treturn vec4u(v.x & 0xffffu, v.x >> 16u, v.y & 0xffffu, v.y >> 16u);\n"
                             "}\n\n");
        emitter->uses_halves = true;
        ag_strbuf_printf(out, "halves(bitcast<vec2u>(merged%u.%s))", n, member->plane ? "zw" : "xy");
        return;
    }
    if (!has_factors(factors)) {
        ag_strbuf_printf(out, "merged%u.%c", n, c);
        return;
    }
    const uint32_t source = c == 'w' ? factors->source_alpha : factors->source;
    const uint32_t destination = c == 'w' ? factors->destination_alpha : factors->destination;
    ag_strbuf_printf(out, "vec4f(merged%u.%c", n, c);
    if (source != 0 && source != BLEND_ONE) {
        ag_strbuf_append(out, " * (");
        append_factor(emitter, source, n, c);
        ag_strbuf_append_char(out, ')');
    }
    ag_strbuf_append(out, ", 0.0, 0.0, ");
    append_factor(emitter, destination != 0 ? destination : BLEND_ONE, n, c);
    ag_strbuf_append_char(out, ')');
}

/* ---- Depth bias in vertex shaders --------------------------------------------------------------------- */

/* WebGPU's depth bias is in units of the depth buffer's float format, or of what the driver takes for a step,
 * not in steps of Direct3D's format (decision D14), and lines have none. */
void ag_wgsl_write_biased(struct ag_strbuf *out)
{
    ag_strbuf_append(out, "fn biased(p: vec4f, bias: f32) -> vec4f {\n"
                          "\tlet z = p.z + bias * p.w;\n"
                          "\tif (p.z >= 0.0 && z < 0.0) {\n"
                          "\t\treturn vec4f(p.xy, 0.0, p.w);\n"
                          "\t}\n"
                          "\treturn vec4f(p.xy, select(z, p.w, p.z <= p.w && z > p.w), p.w);\n"
                          "}\n\n");
}

static void write_limited_bias(struct ag_strbuf *out)
{
    ag_strbuf_append(out, "fn limited_bias(constant: f32, slope: f32) -> f32 {\n"
                          "\tlet bias = constant + draw.bias.y * slope;\n"
                          "\tlet least = select(bias, max(bias, draw.bias.z), draw.bias.z < 0.0);\n"
                          "\treturn select(least, min(bias, draw.bias.z), draw.bias.z > 0.0);\n"
                          "}\n\n");
}

/* D3D11.3 15.10. Where depth is float, a step is that of the largest depth of the triangle. A triangle that
 * reaches behind the eye has no slope here. */
void ag_wgsl_write_edge_bias(struct ag_strbuf *out)
{
    write_limited_bias(out);
    ag_strbuf_append(out,
                     "fn edge_bias(a: vec4f, b: vec4f, c: vec4f) -> f32 {\n"
                     "\tlet range = draw.depth_range.y - draw.depth_range.x;\n"
                     "\tif (!(range > 0.0)) {\n"
                     "\t\treturn 0.0;\n"
                     "\t}\n"
                     "\tlet scale = vec3f(0.5 * draw.extent.xy, range);\n"
                     "\tlet p = a.xyz / a.w * scale;\n"
                     "\tlet q = b.xyz / b.w * scale;\n"
                     "\tlet r = c.xyz / c.w * scale;\n"
                     "\tlet u = q - p;\n"
                     "\tlet v = r - p;\n"
                     "\tlet area = u.x * v.y - u.y * v.x;\n"
                     "\tlet gradient = abs(vec2f(u.z * v.y - v.z * u.y, v.z * u.x - u.z * v.x) / area);\n"
                     "\tlet visible = a.w > 0.0 && b.w > 0.0 && c.w > 0.0;\n"
                     "\tlet slope = select(0.0, max(gradient.x, gradient.y), visible && area != 0.0);\n"
                     "\tlet depth = draw.depth_range.x + select(range, max(max(p.z, q.z), r.z), visible);\n"
                     "\tlet step = bitcast<f32>(bitcast<u32>(depth) & 0x7f800000u) * 0x1p-23;\n"
                     "\tlet constant = draw.bias.x * select(1.0, step, draw.bias.w != 0.0);\n"
                     "\treturn limited_bias(constant, slope) / range;\n"
                     "}\n\n");
}

/* ---- Depth in pixel shaders --------------------------------------------------------------------------- */

/* The nearest of the values k / (2^24 - 1). Their floats are the next ones above k * 2^-24, which is exact:
 * the rest, k * 2^-48 and more, is above half of the last place and below all of it. Divisions need not be
 * exact in WGSL, and drivers rearrange sums. */
void ag_wgsl_write_depth_function(struct ag_strbuf *out, uint32_t pixel_depth)
{
    const bool biases = pixel_depth & AG_PIXEL_DEPTH_BIAS;
    if (biases)
        write_limited_bias(out);
    ag_strbuf_printf(out, "fn drawn_depth(z: f32%s) -> f32 {\n", biases ? ", slope: f32" : "");
    ag_strbuf_printf(out, "\tlet depth = z%s;\n", biases ? " + limited_bias(draw.bias.x, slope)" : "");
    ag_strbuf_append(out,
                     pixel_depth & AG_PIXEL_DEPTH_ROUND
                         ? "\tlet k = round(clamp(depth, 0.0, 1.0) * 16777215.0);\n"
                           "\treturn bitcast<f32>(bitcast<u32>(k * 0x1p-24) + select(0u, 1u, k > 0.0));\n"
                           "}\n\n"
                         : "\treturn depth;\n"
                           "}\n\n");
}

void ag_wgsl_plan_depth(struct ag_wgsl_emitter *emitter)
{
    const struct ag_ir_program *program = emitter->program;
    if (program->stage != AGPU_STAGE_PIXEL || emitter->options->pixel_depth == 0)
        return;
    for (uint32_t i = 0; i < program->outputs.count; i++)
        if (program->outputs.data[i].kind == AG_IR_OUTPUT_DEPTH && program->outputs.data[i].used)
            return;
    struct ag_wgsl_member *member =
        ag_wgsl_add_output(emitter, AG_IR_NONE, "depth", "@builtin(frag_depth)", "f32");
    if (member == NULL)
        return;
    member->is_drawn_depth = true;
    member->value.component_type = AGPU_COMPONENT_FLOAT;
}

void ag_wgsl_append_depth_function(struct ag_wgsl_emitter *emitter, uint32_t more)
{
    const uint32_t pixel_depth = (emitter->options->pixel_depth & AG_PIXEL_DEPTH_ROUND) | more;
    if (!emitter->uses_drawn_depth)
        ag_wgsl_write_depth_function(&emitter->functions, pixel_depth);
    emitter->uses_drawn_depth = true;
    if (pixel_depth & AG_PIXEL_DEPTH_BIAS)
        emitter->uses_draw_block = true;
    ag_strbuf_append(&emitter->body, "drawn_depth(");
}

/* At the entry, where control flow is uniform and the slope is known. */
void ag_wgsl_write_drawn_depth(struct ag_wgsl_emitter *emitter)
{
    const uint32_t biases = emitter->options->pixel_depth & AG_PIXEL_DEPTH_BIAS;
    bool is_drawn = false;
    for (size_t i = 0; i < emitter->outputs.count; i++)
        is_drawn |= emitter->outputs.data[i].is_drawn_depth;
    if (!is_drawn)
        return;
    ag_wgsl_line_start(emitter);
    ag_strbuf_append(&emitter->body, "let drawn = ");
    ag_wgsl_append_depth_function(emitter, biases);
    ag_strbuf_append(&emitter->body, "rasterized.z");
    if (biases)
        ag_strbuf_append(&emitter->body, ", max(abs(dpdxFine(rasterized.z)), abs(dpdyFine(rasterized.z)))");
    ag_strbuf_append(&emitter->body, ");");
    ag_wgsl_line_end(emitter);
}

/* ---- Tests in front of the shader --------------------------------------------------------------------- */

bool ag_wgsl_tests_early(const struct ag_wgsl_emitter *emitter)
{
    return emitter->program->stage == AGPU_STAGE_PIXEL &&
           (emitter->options->early_test.depth != 0 || emitter->options->early_test.stencil_front != 0);
}

/* D3D11_COMPARISON_FUNC. */
enum comparison {
    COMPARISON_NEVER = 1,
    COMPARISON_LESS,
    COMPARISON_EQUAL,
    COMPARISON_LESS_EQUAL,
    COMPARISON_GREATER,
    COMPARISON_NOT_EQUAL,
    COMPARISON_GREATER_EQUAL,
    COMPARISON_ALWAYS,
};

/* Writes a statement that returns false where the comparison is false. */
static void write_comparison(struct ag_strbuf *out, uint32_t comparison, const char *condition,
                             const char *left, const char *right)
{
    static const char *const operators[] = {
        [COMPARISON_LESS] = "<",    [COMPARISON_EQUAL] = "==",     [COMPARISON_LESS_EQUAL] = "<=",
        [COMPARISON_GREATER] = ">", [COMPARISON_NOT_EQUAL] = "!=", [COMPARISON_GREATER_EQUAL] = ">=",
    };
    if (comparison == COMPARISON_ALWAYS)
        return;
    if (comparison == COMPARISON_NEVER)
        ag_strbuf_printf(out, "\tif (%s) { return false; }\n", condition);
    else
        ag_strbuf_printf(out, "\tif (%s && !(%s %s %s)) { return false; }\n", condition, left,
                         operators[comparison], right);
}

static void write_early_function(struct ag_wgsl_emitter *emitter)
{
    const struct ag_early_test *test = &emitter->options->early_test;
    struct ag_strbuf *out = &emitter->functions;
    ag_strbuf_append(out, "fn early_visible(place: vec2u, z: f32, front: bool) -> bool {\n");
    if (test->depth != 0) {
        ag_strbuf_append(out, "\tlet stored = textureLoad(early_depth, place, 0);\n");
        if (test->depth_bits == 16)
            write_comparison(out, test->depth, "true", "round(z * 65535.0)", "round(stored * 65535.0)");
        else
            write_comparison(out, test->depth, "true", "z", "stored");
    }
    if (test->stencil_front != 0) {
        ag_strbuf_printf(out,
                         "\tlet value = textureLoad(early_stencil, place, 0).x & %uu;\n"
                         "\tlet reference = u32(draw.extent.z) & %uu;\n",
                         test->stencil_mask, test->stencil_mask);
        write_comparison(out, test->stencil_front, "front", "reference", "value");
        write_comparison(out, test->stencil_back, "!front", "reference", "value");
    }
    ag_strbuf_append(out, "\treturn true;\n}\n\n");
}

void ag_wgsl_write_early_test(struct ag_wgsl_emitter *emitter)
{
    if (!ag_wgsl_tests_early(emitter))
        return;
    write_early_function(emitter);
    emitter->uses_draw_block = true;
    ag_wgsl_line_start(emitter);
    ag_strbuf_append(&emitter->body, "if (!early_visible(vec2u(rasterized.xy), ");
    if (emitter->uses_drawn_depth)
        ag_strbuf_append(&emitter->body, "drawn");
    else
        ag_strbuf_append(&emitter->body, "clamp(rasterized.z, draw.depth_range.x, draw.depth_range.y)");
    ag_strbuf_printf(&emitter->body, ", %s)) { %sdiscard; }", emitter->face,
                     emitter->guards_writes ? "discarded = 1u; " : "");
    ag_wgsl_line_end(emitter);
}
