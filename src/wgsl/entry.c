/* SPDX-License-Identifier: MIT
 *
 * The entry function: its structures and parameters, the code before the program's first instruction, and
 * returns.
 */
#include "wgsl/emit.h"
#include "wgsl/inlined.h"
#include "wgsl/options.h"

/* ---- Structures --------------------------------------------------------------------------------------- */

static bool is_at_sample(uint32_t interpolation)
{
    return interpolation == AGPU_INTERPOLATE_LINEAR_SAMPLE ||
           interpolation == AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE;
}

static bool is_at_centroid(uint32_t interpolation)
{
    return interpolation == AGPU_INTERPOLATE_LINEAR_CENTROID ||
           interpolation == AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_CENTROID;
}

static bool covers_register(const struct ag_ir_array *array, uint32_t number)
{
    return array->kind == AG_IR_REGISTER_INPUT && array->used && number >= array->number &&
           number - array->number < array->length;
}

/* An input is declared only if something reads it. */
static void find_used_inputs(struct ag_wgsl_emitter *emitter)
{
    const struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < emitter->inputs.count; i++) {
        struct ag_wgsl_member *member = &emitter->inputs.data[i];
        const struct ag_ir_input *input = &program->inputs.data[member->index];
        member->used = program->variables.data[input->variable].home != NULL;
        for (size_t k = 0; k < program->arrays.count; k++)
            member->used = member->used || covers_register(&program->arrays.data[k], input->number);
        if (!member->used || ag_ir_uses_records(program->flavour))
            continue;
        if (input->kind == AG_IR_INPUT_PRIMITIVE_ID)
            emitter->needs |= AGPU_NEED_PRIMITIVE_INDEX;
        if (input->kind == AG_IR_INPUT_SAMPLE_INDEX || is_at_sample(input->interpolation))
            emitter->per_sample = true;
    }
}

/* Whether the input stands for itself among the parameters. The group's number is another parameter, and of a
 * group that is no workgroup the entry function computes all others. */
static bool is_special(const struct ag_wgsl_emitter *emitter, const struct ag_wgsl_member *member)
{
    return emitter->program->turns > 0 ||
           emitter->program->inputs.data[member->index].kind == AG_IR_INPUT_GROUP_ID;
}

void ag_wgsl_structs(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out)
{
    if (ag_ir_uses_records(emitter->program->flavour))
        return;
    if (emitter->outputs.count == 0)
        return;
    ag_strbuf_append(out, "struct Output {\n");
    for (size_t i = 0; i < emitter->outputs.count; i++)
        ag_strbuf_printf(out, "\t%s %s: %s,\n", emitter->outputs.data[i].attributes,
                         emitter->outputs.data[i].name, emitter->outputs.data[i].type);
    ag_strbuf_append(out, "}\n\n");
}

/* ---- Prologue ----------------------------------------------------------------------------------------- */

/* D3D's w is the interpolated w, WGSL's is its reciprocal. D3D's x and y are the pixel's centre unless the
 * declaration asks for the sample or the centroid (D3D11.3 16.3.1, sheet 9.4). WGSL has no modifiers for its
 * position: a shader runs for each sample only if something depends on the sample's index. */
static void write_position(struct ag_wgsl_emitter *emitter, const struct ag_ir_input *input)
{
    if (is_at_sample(input->interpolation)) {
        emitter->uses_draw_block = true;
        ag_wgsl_require(emitter, AG_WGSL_SAMPLE_POSITION, 1);
        ag_wgsl_require(emitter, AG_WGSL_GUEST_SAMPLE, 1);
        ag_wgsl_line(emitter,
                     "let place = sample_position(draw.sample_count, "
                     "guest_sample(draw.sample_count, %s));",
                     emitter->place);
        ag_wgsl_line(emitter, "let position = vec4f(floor(rasterized.xy) + 0.5 + place, "
                              "rasterized.z, 1.0 / rasterized.w);");
    } else if (is_at_centroid(input->interpolation) && !emitter->per_sample) {
        emitter->uses_draw_block = true;
        ag_wgsl_require(emitter, AG_WGSL_CENTROID, 1);
        ag_wgsl_require(emitter, AG_WGSL_GUEST_MASK, 1);
        ag_wgsl_line(emitter,
                     "let place = centroid(draw.sample_count, "
                     "guest_mask(draw.sample_count, %s) & draw.sample_mask);",
                     emitter->place);
        ag_wgsl_line(emitter, "let moved = rasterized.zw + place.x * dpdxFine(rasterized.zw) + "
                              "place.y * dpdyFine(rasterized.zw);");
        ag_wgsl_line(emitter, "let position = vec4f(floor(rasterized.xy) + 0.5 + place, moved.x, "
                              "1.0 / moved.y);");
    } else if (emitter->per_sample && !is_at_centroid(input->interpolation)) {
        ag_wgsl_line(emitter, "let position = vec4f(floor(rasterized.xy) + 0.5, rasterized.z, "
                              "1.0 / rasterized.w);");
    } else {
        ag_wgsl_line(emitter, "let position = vec4f(rasterized.xyz, 1.0 / rasterized.w);");
    }
}

static void write_prologue(struct ag_wgsl_emitter *emitter)
{
    const struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < emitter->inputs.count; i++) {
        const struct ag_wgsl_member *member = &emitter->inputs.data[i];
        const struct ag_ir_input *input = &program->inputs.data[member->index];
        if (!member->used)
            continue;
        switch ((enum ag_ir_input_kind)input->kind) {
        case AG_IR_INPUT_VERTEX_ID:
            emitter->uses_draw_block = true;
            ag_wgsl_line(emitter, "let vertex_id = vertex_index - draw.base_vertex;");
            break;
        case AG_IR_INPUT_INSTANCE_ID:
            emitter->uses_draw_block = true;
            ag_wgsl_line(emitter, "let instance_id = instance_index - draw.base_instance;");
            break;
        case AG_IR_INPUT_POSITION:
            write_position(emitter, input);
            break;
        case AG_IR_INPUT_SAMPLE_INDEX:
            emitter->uses_draw_block = true;
            ag_wgsl_require(emitter, AG_WGSL_GUEST_SAMPLE, 1);
            ag_wgsl_line(emitter, "let sample_index = guest_sample(draw.sample_count, rasterized_sample);");
            break;
        case AG_IR_INPUT_COVERAGE:
            emitter->uses_draw_block = true;
            ag_wgsl_require(emitter, AG_WGSL_GUEST_MASK, 1);
            ag_wgsl_line(emitter, "let coverage = guest_mask(draw.sample_count, rasterized_mask) & "
                                  "draw.sample_mask;");
            break;
        default:
            break;
        }
    }
}

/* WGSL zero-initialises module-scope variables, but SwiftShader does so only with an initialiser that is not
 * a null constant (docs/translator.md). */
static void zero_array(struct ag_wgsl_emitter *emitter, const char *prefix, const struct ag_ir_array *array)
{
    emitter->uses_opaque_zero = true;
    const bool by_turn = emitter->program->has_turn_loops;
    if (by_turn)
        ag_wgsl_open(emitter, "for (var turn = 0u; turn < %uu; turn++)", emitter->program->turns);
    ag_wgsl_open(emitter, "for (var i = 0u; i < %uu; i++)", array->length);
    ag_wgsl_line(emitter, "%s%u%s[i] = vec4u(opaque_zero);", prefix, array->number, by_turn ? "[turn]" : "");
    ag_wgsl_close(emitter);
    if (by_turn)
        ag_wgsl_close(emitter);
}

static void zero_arrays(struct ag_wgsl_emitter *emitter)
{
    const struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < program->arrays.count; i++) {
        const struct ag_ir_array *array = &program->arrays.data[i];
        if (array->kind == AG_IR_REGISTER_TEMP && array->used)
            zero_array(emitter, "x", array);
        else if (array->kind == AG_IR_REGISTER_OUTPUT)
            zero_array(emitter, "orange", array);
    }
}

/* Index ranges over inputs are arrays, which are filled from the inputs first. */
static void fill_ranges(struct ag_wgsl_emitter *emitter)
{
    struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < program->arrays.count; i++) {
        const struct ag_ir_array *array = &program->arrays.data[i];
        if (array->kind != AG_IR_REGISTER_INPUT || !array->used)
            continue;
        for (uint32_t r = 0; r < array->length; r++) {
            const struct ag_ir_register *reg = &program->registers.data[array->register_id + r];
            struct ag_ir_expr *read = ag_ir_expr_new(program, AG_IR_READ, 4, 0);
            for (uint32_t c = 0; c < 4; c++) {
                read->u.id[c] = reg->variable[c];
                read->component[c] = reg->component[c];
            }
            ag_wgsl_line_start(emitter);
            ag_strbuf_printf(&emitter->body, "vrange%u[%u] = ", array->number, r);
            ag_wgsl_expr(emitter, read, AG_IR_U32, false);
            ag_strbuf_append_char(&emitter->body, ';');
            ag_wgsl_line_end(emitter);
        }
    }
}

/* ---- Return ------------------------------------------------------------------------------------------- */

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

static bool is_logical(const struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output)
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
    if (is_logical(emitter, output))
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

/* If one thread evaluates conditions for its group, every thread needs its index: the shader's own input, or
 * an added parameter. */
static const char *name_invocation(struct ag_wgsl_emitter *emitter)
{
    if (!emitter->program->shares_conditions)
        return "";
    for (size_t i = 0; i < emitter->inputs.count; i++) {
        struct ag_wgsl_member *member = &emitter->inputs.data[i];
        if (emitter->program->inputs.data[member->index].kind != AG_IR_INPUT_THREAD_INDEX)
            continue;
        member->used = true;
        emitter->invocation = "thread_index";
        return "";
    }
    emitter->invocation = "invocation";
    return "@builtin(local_invocation_index) invocation: u32";
}

static bool needs_position(const struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output)
{
    return output->bound != 0 || (is_logical(emitter, output) && ag_logic_reads(emitter->options->logic));
}

/* Whether an input of a kind is used; with `wants`, one whose interpolation fulfils that. */
static bool uses_input(const struct ag_wgsl_emitter *emitter, enum ag_ir_input_kind kind,
                       bool (*wants)(uint32_t interpolation))
{
    for (size_t i = 0; i < emitter->inputs.count; i++) {
        const struct ag_wgsl_member *member = &emitter->inputs.data[i];
        const struct ag_ir_input *input = &emitter->program->inputs.data[member->index];
        if (member->used && input->kind == kind && (wants == NULL || wants(input->interpolation)))
            return true;
    }
    return false;
}

/* A bounded or rounded depth, or a logic operation that reads the target, needs the rasterizer's position:
 * the shader's own input, or an added parameter. */
static const char *name_rasterized(struct ag_wgsl_emitter *emitter)
{
    bool is_bound = ag_wgsl_tests_early(emitter) || emitter->program->reads_reciprocal_w;
    for (size_t i = 0; i < emitter->outputs.count; i++)
        if (emitter->outputs.data[i].is_drawn_depth)
            is_bound = true;
        else if (emitter->outputs.data[i].index != AG_IR_NONE)
            is_bound =
                is_bound ||
                needs_position(emitter, &emitter->program->outputs.data[emitter->outputs.data[i].index]);
    return is_bound && !uses_input(emitter, AG_IR_INPUT_POSITION, NULL)
               ? "@builtin(position) rasterized: vec4f"
               : "";
}

/* A position at a sample needs the sample's index, one at the centroid needs the coverage: the shader's own
 * input, or an added parameter. */
static const char *name_place(struct ag_wgsl_emitter *emitter)
{
    if (uses_input(emitter, AG_IR_INPUT_POSITION, is_at_sample)) {
        emitter->place = "rasterized_sample";
        return uses_input(emitter, AG_IR_INPUT_SAMPLE_INDEX, NULL)
                   ? ""
                   : "@builtin(sample_index) rasterized_sample: u32";
    }
    if (uses_input(emitter, AG_IR_INPUT_POSITION, is_at_centroid) && !emitter->per_sample) {
        emitter->place = "rasterized_mask";
        return uses_input(emitter, AG_IR_INPUT_COVERAGE, NULL) ? ""
                                                               : "@builtin(sample_mask) rasterized_mask: u32";
    }
    return "";
}

/* A stencil test in front of the shader needs the face: the shader's own input, or an added parameter. */
static const char *name_face(struct ag_wgsl_emitter *emitter)
{
    emitter->face = "true";
    if (!ag_wgsl_tests_early(emitter) || emitter->options->early_test.stencil_front == 0)
        return "";
    const bool own = uses_input(emitter, AG_IR_INPUT_FRONT_FACE, NULL);
    emitter->face = own ? "front_facing" : "rasterized_front";
    return own ? "" : "@builtin(front_facing) rasterized_front: bool";
}

static const char *group_parameter(const struct ag_wgsl_emitter *emitter)
{
    for (size_t i = 0; i < emitter->inputs.count; i++)
        if (emitter->inputs.data[i].used && is_special(emitter, &emitter->inputs.data[i]))
            return "@builtin(workgroup_id) group_id: vec3u";
    return "";
}

static bool discards_clipped(const struct ag_wgsl_emitter *emitter)
{
    return emitter->program->stage == AGPU_STAGE_PIXEL && ag_wgsl_clip_parts(emitter->options->linkage) > 0;
}

/* Comes before the whole program, so that clipped pixels have no effect. */
static void discard_clipped(struct ag_wgsl_emitter *emitter)
{
    ag_wgsl_clip_function(&emitter->functions);
    ag_wgsl_line_start(emitter);
    ag_strbuf_append(&emitter->body, "if (");
    ag_wgsl_clip_condition(emitter->options->linkage, &emitter->body);
    ag_strbuf_append(&emitter->body,
                     emitter->guards_writes ? ") { discarded = 1u; discard; }" : ") { discard; }");
    ag_wgsl_line_end(emitter);
}

static void append_parameter(struct ag_strbuf *parameters, const char *parameter)
{
    if (*parameter != '\0')
        ag_strbuf_printf(parameters, "%s%s", parameters->length != 0 ? ", " : "", parameter);
}

/* No structure, since WGSL's uniformity analysis treats all of a structure as divergent if any member is. */
static void append_inputs(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *parameters)
{
    for (size_t i = 0; i < emitter->inputs.count; i++) {
        const struct ag_wgsl_member *input = &emitter->inputs.data[i];
        if (input->used && !is_special(emitter, input))
            ag_strbuf_printf(parameters, "%s%s %s: %s", parameters->length != 0 ? ", " : "",
                             input->attributes, input->name, input->type);
    }
}

/* ---- Variables ---------------------------------------------------------------------------------------- */

#define MAX_TRACKED (1u << 20)
/* The cost of merging all variables behind a loop or switch, relative to that of an if. */
#define MERGE_COST 8

struct tracked {
    uint64_t merges;
    bool has_barrier;
};

static void count_merges(void *user, struct ag_ir_stmt *stmt)
{
    struct tracked *tracked = user;
    if (stmt->kind == AG_IR_LOOP || stmt->kind == AG_IR_SWITCH)
        tracked->merges += MERGE_COST;
    else if (stmt->kind == AG_IR_IF)
        tracked->merges++;
    tracked->has_barrier |= stmt->kind == AG_IR_BARRIER;
}

/* Tint's uniformity analysis follows each variable of a function through each loop, in more than quadratic
 * time: with thousands of both it takes minutes. Module-scope variables are not followed, and drivers make
 * them local again. In a program with barriers variables stay local, because module-scope variables are never
 * uniform. */
static bool wants_private_variables(const struct ag_ir_program *program)
{
    struct tracked tracked = {0};
    uint64_t variables = 0;
    for (size_t i = 0; i < program->variables.count; i++)
        variables += !program->variables.data[i].is_input && !program->variables.data[i].is_constant;
    ag_ir_walk(program->body, count_merges, &tracked);
    return !tracked.has_barrier && tracked.merges * variables > MAX_TRACKED;
}

/* ---- The function ------------------------------------------------------------------------------------- */

static void open_stage(struct ag_wgsl_emitter *emitter)
{
    const char *more =
        emitter->program->stage == AGPU_STAGE_PIXEL ? name_rasterized(emitter) : name_invocation(emitter);
    struct ag_strbuf parameters = {0};
    append_parameter(&parameters, group_parameter(emitter));
    append_inputs(emitter, &parameters);
    append_parameter(&parameters, more);
    if (emitter->program->stage == AGPU_STAGE_PIXEL) {
        append_parameter(&parameters, name_place(emitter));
        append_parameter(&parameters, name_face(emitter));
    }
    for (uint32_t part = 0; discards_clipped(emitter) && part < ag_wgsl_clip_parts(emitter->options->linkage);
         part++) {
        ag_strbuf_append(&parameters, parameters.length != 0 ? ", " : "");
        ag_wgsl_clip_member(emitter->options->linkage, part, &parameters);
    }
    ag_wgsl_open(emitter, "fn main(%s)%s", ag_strbuf_text(&parameters),
                 emitter->outputs.count > 0 ? " -> Output" : "");
    if (parameters.failed)
        ag_ir_no_memory(emitter->program);
    ag_strbuf_fini(&parameters);
    ag_wgsl_write_drawn_depth(emitter);
    ag_wgsl_write_early_test(emitter);
    if (discards_clipped(emitter))
        discard_clipped(emitter);
    write_prologue(emitter);
}

/* The points of a tessellator are known to the GPU alone, and any number of workgroups shades them. */
static bool is_shaded_in_loop(const struct ag_wgsl_emitter *emitter)
{
    return emitter->program->flavour == AGPU_FLAVOUR_DOMAIN && !emitter->options->is_inlined;
}

static void open_pass(struct ag_wgsl_emitter *emitter)
{
    if (emitter->options->is_inlined) {
        ag_wgsl_open(emitter, "fn " AG_INLINED_FUNCTION "(%s)", ag_wgsl_inlined_parameters(emitter));
        ag_wgsl_open_records(emitter);
        return;
    }
    if (is_shaded_in_loop(emitter)) {
        ag_wgsl_open(emitter, "fn shade(number: u32)");
        ag_wgsl_open_records(emitter);
        return;
    }
    ag_wgsl_open(emitter, "fn main(@builtin(global_invocation_id) invocation: vec3u, "
                          "@builtin(num_workgroups) groups: vec3u)");
    ag_wgsl_open_records(emitter);
}

static bool discards_and_writes(const struct ag_wgsl_emitter *emitter)
{
    const struct ag_ir_program *program = emitter->program;
    bool writes = false;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        writes |=
            resource->space == AGPU_SPACE_UAV && (resource->stored || resource->atomic || resource->counted);
    }
    return writes && (program->discards || discards_clipped(emitter) || ag_wgsl_tests_early(emitter));
}

void ag_wgsl_entry(struct ag_wgsl_emitter *emitter)
{
    const struct ag_ir_program *program = emitter->program;
    emitter->offset = AG_IR_NONE;
    emitter->guards_writes = discards_and_writes(emitter);
    emitter->private_variables = wants_private_variables(program);
    find_used_inputs(emitter);
    if (program->flavour == AGPU_FLAVOUR_VERTEX)
        ag_wgsl_line(emitter, "@vertex");
    else if (program->flavour == AGPU_FLAVOUR_PIXEL)
        ag_wgsl_line(emitter, "@fragment");
    else if (program->turns == 0 && !is_shaded_in_loop(emitter) && !emitter->options->is_inlined)
        ag_wgsl_line(emitter, "@compute @workgroup_size(%u, %u, %u)", program->workgroup[0],
                     program->workgroup[1], program->workgroup[2]);
    if (program->turns > 0)
        ag_wgsl_open_group(emitter);
    else if (ag_ir_uses_records(program->flavour))
        open_pass(emitter);
    else
        open_stage(emitter);
    zero_arrays(emitter);
    fill_ranges(emitter);
    ag_wgsl_block(emitter, program->body);
    ag_wgsl_close(emitter);
    if (is_shaded_in_loop(emitter))
        ag_wgsl_write_point_loop(emitter);
    if (emitter->options->is_inlined && program->flavour == AGPU_FLAVOUR_VERTEX_AS_COMPUTE)
        ag_wgsl_write_refill(emitter);
    if (program->turns > 0)
        ag_wgsl_close_group(emitter);
}
