/* SPDX-License-Identifier: MIT
 *
 * What a shader returns: outputs as members of the entry function's result, in the way that the rasterizer
 * and the targets of WebGPU need them.
 */
#include "wgsl/emit.h"
#include "wgsl/options.h"

static uint32_t width_of(const struct ag_wgsl_member *member)
{
    uint32_t width = 1;
    for (uint32_t c = 0; c < 4; c++)
        if (member->value.mask >> c & 1)
            width = c + 1;
    return width;
}

/* The order of clip distances does not matter, because all are tested alike. */
static void append_clip_distances(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt,
                                  const struct ag_wgsl_member *member)
{
    struct ag_ir_program *program = emitter->program;
    uint32_t number = 0, end = member->first_distance + member->distance_count;
    ag_strbuf_printf(&emitter->body, "%s(", member->type);
    for (size_t i = 0; i < program->outputs.count; i++) {
        const struct ag_ir_output *output = &program->outputs.data[i];
        if (output->kind != AG_IR_OUTPUT_CLIP_DISTANCE || stmt->outputs[i] == NULL)
            continue;
        for (uint8_t c = 0; c < 4; c++) {
            if (!(output->mask >> c & 1) || number++ < member->first_distance || number > end)
                continue;
            ag_strbuf_append(&emitter->body, number > member->first_distance + 1u ? ", " : "");
            ag_wgsl_expr(emitter, ag_ir_narrow(program, stmt->outputs[i], 1, &c), AG_IR_F32, false);
        }
    }
    ag_strbuf_append_char(&emitter->body, ')');
}

static void append_biased(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *position)
{
    if (!emitter->uses_depth_bias)
        ag_wgsl_write_biased(&emitter->functions);
    emitter->uses_depth_bias = true;
    emitter->uses_draw_block = true;
    ag_strbuf_append(&emitter->body, "biased(");
    ag_wgsl_expr(emitter, position, AG_IR_F32, false);
    ag_strbuf_append(&emitter->body, ", draw.depth_bias)");
}

/* A position, with what D3D's rasterizer does and WebGPU's does not. */
static void append_position(struct ag_wgsl_emitter *emitter, struct ag_ir_expr *position)
{
    static const uint8_t w[1] = {3};
    const struct ag_ir_expr *last = ag_ir_narrow(emitter->program, position, 1, w);
    const bool may_be_zero = last->op != AG_IR_CONST || last->u.bits[0] << 1 == 0;
    if (may_be_zero) {
        ag_wgsl_require(emitter, AG_WGSL_NONZERO_W, 1);
        ag_strbuf_append(&emitter->body, "nonzero_w(");
    }
    if (emitter->options->depth_bias)
        append_biased(emitter, position);
    else
        ag_wgsl_expr(emitter, position, AG_IR_F32, false);
    ag_strbuf_append(&emitter->body, may_be_zero ? ")" : "");
}

static uint32_t max_of_bits(uint32_t bits)
{
    return bits == 0 ? UINT32_MAX : (1u << (bits & 31)) - 1;
}

/* Rounds a float to the nearest value of a UNORM or SNORM target whose device format is a float format; NaN
 * becomes 0 (D3D11.3 3.2.3). */
static void append_normalized(struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output,
                              const struct ag_ir_expr *value)
{
    const bool is_signed = emitter->options->target_snorm >> output->number & 1;
    const uint32_t bits = emitter->options->target_bits[output->number] - (is_signed ? 1u : 0u);
    const uint32_t green = emitter->options->target_green_bits[output->number];
    const uint32_t alpha = emitter->options->target_alpha_bits[output->number];
    ag_wgsl_require(emitter, AG_WGSL_NUMBER, 4);
    if (!emitter->uses_normalized)
        ag_strbuf_append(&emitter->functions,
                         "fn normalized(value: vec4f, least: f32, most: vec4f) -> vec4f {\n"
                         "\tlet scaled = clamp(number4(value), vec4f(least), vec4f(1.0)) * most;\n"
                         "\treturn trunc(scaled + select(vec4f(0.5), vec4f(-0.5), scaled < vec4f())) / "
                         "most;\n"
                         "}\n\n");
    emitter->uses_normalized = true;
    ag_strbuf_append(&emitter->body, "normalized(");
    ag_wgsl_expr(emitter, value, AG_IR_F32, false);
    if (green == 0 && alpha == 0)
        ag_strbuf_printf(&emitter->body, ", %s, vec4f(%u.0))", is_signed ? "-1.0" : "0.0", max_of_bits(bits));
    else
        ag_strbuf_printf(&emitter->body, ", 0.0, vec4f(%u.0, %u.0, %u.0, %u.0))", max_of_bits(bits),
                         max_of_bits(green ? green : bits), max_of_bits(bits),
                         max_of_bits(alpha ? alpha : bits));
}

/* Clamps integers to the range of a target that has fewer bits than the device's format (D3D11.3 3.2.3.7). */
static void append_clamped(struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output,
                           const struct ag_ir_expr *value)
{
    struct ag_strbuf *out = &emitter->body;
    bool is_signed = output->type == AG_IR_I32;
    uint32_t bits = emitter->options->target_bits[output->number] - (is_signed ? 1u : 0u);
    uint32_t alpha = emitter->options->target_alpha_bits[output->number];
    uint32_t most = (1u << (bits & 31)) - 1, most_alpha = alpha == 0 ? most : (1u << (alpha & 31)) - 1;
    ag_strbuf_append(out, is_signed ? "clamp(" : "min(");
    ag_wgsl_expr(emitter, value, (enum ag_ir_type)output->type, false);
    if (is_signed)
        ag_strbuf_printf(out, ", vec4i(-%u), vec4i(%u))", most + 1, most);
    else if (most_alpha == most)
        ag_strbuf_printf(out, ", vec4u(%u))", most);
    else
        ag_strbuf_printf(out, ", vec4u(%u, %u, %u, %u))", most, most, most, most_alpha);
}

bool ag_wgsl_is_logical(const struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output)
{
    return emitter->options->logic != 0 && emitter->program->stage == AGPU_STAGE_PIXEL &&
           output->kind == AG_IR_OUTPUT_REGISTER && output->type == AG_IR_U32 && output->number < 8;
}

/* Writes the logic operation of output bits s and target bits d as a sum of products. */
static void write_logic(struct ag_strbuf *out, uint32_t logic)
{
    static const char *const products[] = {"~s & ~d", "~s & d", "s & ~d", "s & d"};
    ag_strbuf_append(out, "fn logic(s: vec4u, d: vec4u) -> vec4u {\n\treturn vec4u()");
    for (uint32_t i = 0; i < 4; i++)
        if (logic >> i & 1)
            ag_strbuf_printf(out, " | (%s)", products[i]);
    ag_strbuf_append(out, ";\n}\n\n");
}

/* Logic operations (D3D11.3 17.7) combine the output, converted to the target's format, with the target's
 * contents. */
static void append_logic(struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output,
                         const struct ag_ir_expr *value)
{
    struct ag_strbuf *out = &emitter->body;
    const uint32_t target = output->number, bits = emitter->options->target_bits[target];
    const uint32_t alpha = emitter->options->target_alpha_bits[target];
    if (!emitter->uses_logic)
        write_logic(&emitter->functions, emitter->options->logic);
    emitter->uses_logic = true;
    ag_strbuf_append(out, "logic(");
    if (bits != 0)
        append_clamped(emitter, output, value);
    else
        ag_wgsl_expr(emitter, value, AG_IR_U32, false);
    if (ag_logic_reads(emitter->options->logic)) {
        emitter->destinations |= (uint8_t)(1u << target);
        ag_strbuf_printf(out, ", textureLoad(destination%u, vec2u(rasterized.xy), 0)", target);
    } else {
        ag_strbuf_append(out, ", vec4u()");
    }
    ag_strbuf_append(out, ")");
    if (bits != 0)
        ag_strbuf_printf(out, " & vec4u(%uu, %uu, %uu, %uu)", max_of_bits(bits), max_of_bits(bits),
                         max_of_bits(bits), max_of_bits(alpha != 0 ? alpha : bits));
}

/* NaN becomes 0. If the shader promised a bound on the depth, the depth is clamped to the bound (D3D11.3
 * 16.9.3). */
static void append_depth(struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output,
                         const struct ag_ir_expr *value)
{
    struct ag_strbuf *out = &emitter->body;
    const bool is_bound = output->bound != AG_IR_DEPTH_ANY;
    const bool rounds = emitter->options->pixel_depth & AG_PIXEL_DEPTH_ROUND;
    ag_wgsl_require(emitter, AG_WGSL_IS_NAN, 1);
    if (rounds)
        ag_wgsl_append_depth_function(emitter, 0);
    if (is_bound)
        ag_strbuf_append(out, output->bound == AG_IR_DEPTH_AT_LEAST ? "max(" : "min(");
    ag_strbuf_append(out, "select(");
    ag_wgsl_expr(emitter, value, AG_IR_F32, false);
    ag_strbuf_append(out, ", 0.0, is_nan(");
    ag_wgsl_expr(emitter, value, AG_IR_F32, false);
    ag_strbuf_append(out, "))");
    if (is_bound)
        ag_strbuf_append(out, ", rasterized.z)");
    if (rounds)
        ag_strbuf_append_char(out, ')');
}

/* What an output has for its target. */
static void append_value(struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output,
                         const struct ag_ir_expr *value)
{
    const bool is_target =
        emitter->program->stage == AGPU_STAGE_PIXEL && output->kind == AG_IR_OUTPUT_REGISTER;
    const bool has_bits = is_target && emitter->options->target_bits[output->number] != 0;
    if (ag_wgsl_is_logical(emitter, output))
        append_logic(emitter, output, value);
    else if (has_bits && output->type == AG_IR_F32)
        append_normalized(emitter, output, value);
    else if (is_target && emitter->options->target_packed >> output->number & 1)
        ag_wgsl_append_packed(emitter, value);
    else if (has_bits)
        append_clamped(emitter, output, value);
    else
        ag_wgsl_expr(emitter, value, (enum ag_ir_type)output->type, false);
}

static void append_member(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt,
                          const struct ag_wgsl_member *member)
{
    static const uint8_t lanes[4] = {0, 1, 2, 3};
    struct ag_ir_program *program = emitter->program;
    struct ag_strbuf *out = &emitter->body;
    if (member->is_drawn_depth) {
        ag_strbuf_append(out, "drawn");
        return;
    }
    if (member->index == AG_IR_NONE) {
        if (member->distance_count > 0)
            append_clip_distances(emitter, stmt, member);
        else
            ag_strbuf_printf(out, "%s()", member->type);
        return;
    }
    if (member->is_alpha_mask) {
        ag_wgsl_append_alpha_mask(emitter, stmt->outputs[member->index]);
        return;
    }
    if (member->is_plane) {
        ag_wgsl_append_plane(emitter, member);
        return;
    }
    const struct ag_ir_output *output = &program->outputs.data[member->index];
    struct ag_ir_expr *value = stmt->outputs[member->index];
    uint32_t width = output->kind == AG_IR_OUTPUT_POSITION ? 4 : width_of(member);
    if (value->width > width)
        value = ag_ir_narrow(program, value, width, lanes);
    if (output->kind == AG_IR_OUTPUT_DEPTH) {
        append_depth(emitter, output, value);
        return;
    }
    if (output->kind == AG_IR_OUTPUT_COVERAGE) {
        emitter->uses_draw_block = true;
        ag_wgsl_require(emitter, AG_WGSL_HOST_MASK, 1);
        ag_strbuf_append(out, "host_mask(draw.sample_count, ");
        ag_wgsl_expr(emitter, value, AG_IR_U32, false);
        ag_strbuf_append_char(out, ')');
        return;
    }
    if (output->kind == AG_IR_OUTPUT_POSITION) {
        append_position(emitter, value);
        return;
    }
    append_value(emitter, output, value);
}

static void write_merged(struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output,
                         const struct ag_ir_expr *value)
{
    ag_wgsl_line_start(emitter);
    ag_strbuf_printf(&emitter->body, "let merged%u = ", output->number);
    append_value(emitter, output, value);
    ag_strbuf_append_char(&emitter->body, ';');
    ag_wgsl_line_end(emitter);
}

/* Targets whose samples are in planes: the value of each is a variable, and so is the second source. */
static void write_planes(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    const struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < emitter->outputs.count; i++) {
        const struct ag_wgsl_member *member = &emitter->outputs.data[i];
        if (!member->is_plane || member->plane != 0)
            continue;
        write_merged(emitter, &program->outputs.data[member->index], stmt->outputs[member->index]);
    }
    for (size_t i = 0; ag_wgsl_blends_source1(emitter) && i < program->outputs.count; i++) {
        const struct ag_ir_output *output = &program->outputs.data[i];
        if (output->kind != AG_IR_OUTPUT_REGISTER || output->number != 1)
            continue;
        emitter->has_source1 = true;
        write_merged(emitter, output, stmt->outputs[i]);
    }
}

void ag_wgsl_return(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    if (ag_ir_uses_records(emitter->program->flavour)) {
        ag_wgsl_return_records(emitter, stmt);
        return;
    }
    if (emitter->outputs.count == 0) {
        ag_wgsl_line(emitter, "return;");
        return;
    }
    write_planes(emitter, stmt);
    ag_wgsl_line(emitter, "return Output(");
    emitter->indent++;
    for (size_t i = 0; i < emitter->outputs.count; i++) {
        ag_wgsl_line_start(emitter);
        append_member(emitter, stmt, &emitter->outputs.data[i]);
        ag_strbuf_append_char(&emitter->body, ',');
        ag_wgsl_line_end(emitter);
    }
    emitter->indent--;
    ag_wgsl_line(emitter, ");");
}
