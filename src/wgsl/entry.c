/* SPDX-License-Identifier: MIT
 *
 * The entry function: its structures and parameters, and the code before the program's first instruction.
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

/* ---- Parameters --------------------------------------------------------------------------------------- */

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
    return output->bound != 0 ||
           (ag_wgsl_is_logical(emitter, output) && ag_logic_reads(emitter->options->logic));
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
