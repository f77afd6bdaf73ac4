/* SPDX-License-Identifier: MIT
 *
 * Entry functions of stages that run as compute passes: they read entries of a list and input records, and
 * write output records (translate.h, expansion).
 */
#include "base/bytes.h"
#include "wgsl/binding.h"
#include "wgsl/emit.h"
#include "wgsl/expansion.h"
#include "wgsl/inlined.h"

/* Primitives of at most so many vertices have a `let` for the position of each vertex's record. */
#define MAX_NAMED_VERTICES 6

static bool has_primitives(enum agpu_flavour flavour)
{
    return flavour == AGPU_FLAVOUR_GEOMETRY || flavour == AGPU_FLAVOUR_HULL_POINTS ||
           flavour == AGPU_FLAVOUR_HULL_PATCH;
}

/* The variable of a binding; the module will declare the variable. */
static const char *binding_name(struct ag_wgsl_emitter *emitter, enum ag_expand_binding binding)
{
    static const char *const names[] = {"vertices", "primitives", "points",  "inputs",
                                        "outputs",  "patches",    "factors", "emits"};
    if (emitter->options->is_inlined) /* records are variables; control points are the vertices */
        return binding == AG_EXPAND_PATCHES || binding == AG_EXPAND_FACTORS
                   ? names[binding - AG_BINDING_INTERNAL]
               : binding == AG_EXPAND_OUTPUTS && emitter->program->flavour == AGPU_FLAVOUR_DOMAIN
                   ? AG_INLINED_MADE
                   : names[AG_EXPAND_INPUTS - AG_BINDING_INTERNAL];
    emitter->expand_bindings |= 1u << (binding - AG_BINDING_INTERNAL);
    return names[binding - AG_BINDING_INTERNAL];
}

/* ---- Planning ----------------------------------------------------------------------------------------- */

static const struct {
    const char *variable;
    uint8_t system_value;
    uint32_t flavours;
} builtins[AG_IR_INPUT_KIND_COUNT] = {
    [AG_IR_INPUT_VERTEX_ID] = {"vertex_id",        AGPU_SV_VERTEX_ID,    1u << AGPU_FLAVOUR_VERTEX_AS_COMPUTE},
    [AG_IR_INPUT_INSTANCE_ID] = {"instance_id",      AGPU_SV_INSTANCE_ID,  1u << AGPU_FLAVOUR_VERTEX_AS_COMPUTE},
    [AG_IR_INPUT_PRIMITIVE_ID] = {"primitive_id",     AGPU_SV_PRIMITIVE_ID,
                               1u << AGPU_FLAVOUR_GEOMETRY | 1u << AGPU_FLAVOUR_HULL_POINTS |
                                      1u << AGPU_FLAVOUR_HULL_PATCH | 1u << AGPU_FLAVOUR_DOMAIN              },
    [AG_IR_INPUT_GS_INSTANCE_ID] = {"gs_instance_id",   AGPU_SV_NONE,         1u << AGPU_FLAVOUR_GEOMETRY         },
    [AG_IR_INPUT_CONTROL_POINT_ID] = {"control_point_id", AGPU_SV_NONE,         1u << AGPU_FLAVOUR_HULL_POINTS      },
    [AG_IR_INPUT_DOMAIN_POINT] = {"domain_point",     AGPU_SV_NONE,         1u << AGPU_FLAVOUR_DOMAIN           },
};

static void plan_input(struct ag_wgsl_emitter *emitter, uint32_t index)
{
    struct ag_ir_program *program = emitter->program;
    const struct ag_ir_input *input = &program->inputs.data[index];
    struct ag_ir_variable *variable = &program->variables.data[input->variable];
    struct ag_wgsl_member member = {
        .index = index,
        .value = {.register_index = (uint8_t)(input->number == AG_IR_NONE ? 0xff : input->number),
                  .mask = input->mask,
                  .location = 0xff,
                  .component_type = input->component_type,
                  .system_value = builtins[input->kind].system_value},
    };
    if (input->kind == AG_IR_INPUT_REGISTER) {
        variable->name = ag_wgsl_text(emitter, "v%u", input->number);
        variable->type = AG_IR_U32;
        variable->width = 4;
    } else if (builtins[input->kind].flavours >> program->flavour & 1) {
        variable->name = builtins[input->kind].variable;
    } else {
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_SYSTEM_VALUE, input->offset,
                     "%s shaders have no such input", agpu_stage_name(program->stage));
    }
    if (variable->name == NULL || !ag_vec_push(&emitter->inputs, member))
        ag_ir_no_memory(program);
}

/* Maps the name of a declaration to the system value of a signature. Declarations name every edge of a patch
 * separately; signatures give all edges one system value. */
static uint8_t system_value_of(uint32_t name)
{
    static const uint8_t values[AGPU_NAME_COUNT - AGPU_NAME_FINAL_QUAD_U_EQ_0_EDGE_TESS_FACTOR] = {
        AGPU_SV_QUAD_EDGE_TESS_FACTOR,  AGPU_SV_QUAD_EDGE_TESS_FACTOR,   AGPU_SV_QUAD_EDGE_TESS_FACTOR,
        AGPU_SV_QUAD_EDGE_TESS_FACTOR,  AGPU_SV_QUAD_INSIDE_TESS_FACTOR, AGPU_SV_QUAD_INSIDE_TESS_FACTOR,
        AGPU_SV_TRI_EDGE_TESS_FACTOR,   AGPU_SV_TRI_EDGE_TESS_FACTOR,    AGPU_SV_TRI_EDGE_TESS_FACTOR,
        AGPU_SV_TRI_INSIDE_TESS_FACTOR, AGPU_SV_LINE_DETAIL_TESS_FACTOR, AGPU_SV_LINE_DENSITY_TESS_FACTOR,
    };
    uint32_t first = AGPU_NAME_FINAL_QUAD_U_EQ_0_EDGE_TESS_FACTOR;
    return name >= first && name < AGPU_NAME_COUNT ? values[name - first] : (uint8_t)name;
}

static void plan_output(struct ag_wgsl_emitter *emitter, uint32_t index)
{
    struct ag_ir_output *output = &emitter->program->outputs.data[index];
    const struct ag_wgsl_member member = {
        .index = index,
        .value = {.register_index = (uint8_t)output->number,
                  .mask = output->mask,
                  .location = 0xff,
                  .component_type = output->component_type,
                  .system_value = system_value_of(output->system_value)},
        .used = output->kind == AG_IR_OUTPUT_REGISTER,
    };
    output->used = true;
    output->type = AG_IR_U32;
    if (!ag_vec_push(&emitter->outputs, member))
        ag_ir_no_memory(emitter->program);
}

void ag_wgsl_plan_records(struct ag_wgsl_emitter *emitter)
{
    struct ag_ir_program *program = emitter->program;
    for (uint32_t i = 0; i < program->inputs.count && program->status == AGPU_OK; i++)
        plan_input(emitter, i);
    for (uint32_t i = 0; i < program->outputs.count && program->status == AGPU_OK; i++)
        plan_output(emitter, i);
}

/* ---- Prologue ----------------------------------------------------------------------------------------- */

static bool uses(const struct ag_wgsl_emitter *emitter, enum ag_ir_input_kind kind)
{
    for (size_t i = 0; i < emitter->inputs.count; i++)
        if (emitter->program->inputs.data[emitter->inputs.data[i].index].kind == kind &&
            emitter->inputs.data[i].used)
            return true;
    return false;
}

/* Ends the invocation if its number is beyond the end of the list, and sets `entry` to its entry's first
 * word. */
static void open_list(struct ag_wgsl_emitter *emitter, enum ag_expand_binding binding, const char *number,
                      uint32_t words)
{
    const char *list = binding_name(emitter, binding);
    ag_wgsl_line(emitter, "if (%s >= %s[0]) { return; }", number, list);
    ag_wgsl_line(emitter, "entry = %du + %s * %uu;", AG_LIST_HEADER_WORDS, number, words);
}

static void open_vertices(struct ag_wgsl_emitter *emitter)
{
    const struct ag_ir_program *program = emitter->program;
    const bool is_inlined = emitter->options->is_inlined;
    uint32_t registers = program->expansion.input_registers;
    if (!is_inlined) {
        open_list(emitter, AG_EXPAND_VERTICES, "number", 2);
        ag_wgsl_find_set(emitter, "number");
        if (uses(emitter, AG_IR_INPUT_VERTEX_ID))
            ag_wgsl_line(emitter, "let vertex_id = vertices[entry];");
        if (uses(emitter, AG_IR_INPUT_INSTANCE_ID))
            ag_wgsl_line(emitter, "let instance_id = vertices[entry + 1u];");
    }
    for (size_t i = 0; i < emitter->inputs.count; i++) {
        const struct ag_ir_input *input = &program->inputs.data[emitter->inputs.data[i].index];
        if (input->kind != AG_IR_INPUT_REGISTER || !emitter->inputs.data[i].used)
            continue;
        if (is_inlined)
            ag_wgsl_line(emitter, "let v%u = " AG_INLINED_FETCH "%u(number);", input->number, input->number);
        else if (input->number < registers)
            ag_wgsl_line(emitter, "let v%u = %s[number * %uu + %uu];", input->number,
                         binding_name(emitter, AG_EXPAND_INPUTS), registers, input->number);
        else
            ag_wgsl_line(emitter, "let v%u = vec4<u32>();", input->number);
    }
}

static void open_primitives(struct ag_wgsl_emitter *emitter)
{
    const struct agpu_expansion *expansion = &emitter->program->expansion;
    enum agpu_flavour flavour = emitter->program->flavour;
    uint32_t invocations = flavour == AGPU_FLAVOUR_GEOMETRY      ? expansion->instances
                           : flavour == AGPU_FLAVOUR_HULL_POINTS ? expansion->output_points
                                                                 : 1;
    if (invocations == 0) { /* a hull shader without output control points */
        emitter->uses_opaque_zero = true;
        ag_wgsl_line(emitter, "if (opaque_zero == 0u) { return; }");
        invocations = 1;
    }
    if (invocations > 1)
        ag_wgsl_line(emitter, "let primitive = number / %uu;", invocations);
    open_list(emitter, AG_EXPAND_PRIMITIVES, invocations > 1 ? "primitive" : "number",
              1 + expansion->vertices);
    ag_wgsl_find_set(emitter, invocations > 1 ? "primitive" : "number");
    if (uses(emitter, AG_IR_INPUT_PRIMITIVE_ID))
        ag_wgsl_line(emitter, "let primitive_id = primitives[entry];");
    if (uses(emitter, AG_IR_INPUT_GS_INSTANCE_ID))
        ag_wgsl_line(emitter, "let gs_instance_id = number %% %uu;", invocations);
    if (uses(emitter, AG_IR_INPUT_CONTROL_POINT_ID))
        ag_wgsl_line(emitter, "let control_point_id = number %% %uu;", invocations);
    for (uint32_t v = 0; v < expansion->vertices && expansion->vertices <= MAX_NAMED_VERTICES; v++)
        if (expansion->input_registers > 0)
            ag_wgsl_line(emitter, "let vertex%u = primitives[entry + %uu] * %uu;", v, v + 1,
                         expansion->input_registers);
}

/* The vertices are those of one primitive. */
static void name_inlined_vertices(struct ag_wgsl_emitter *emitter)
{
    const struct agpu_expansion *expansion = &emitter->program->expansion;
    for (uint32_t v = 0; v < expansion->vertices && expansion->vertices <= MAX_NAMED_VERTICES; v++)
        if (expansion->input_registers > 0)
            ag_wgsl_line(emitter, "let vertex%u = %uu;", v, v * expansion->input_registers);
}

static void open_inlined_primitive(struct ag_wgsl_emitter *emitter)
{
    name_inlined_vertices(emitter);
    ag_wgsl_line(emitter, "var emitted = 0u;");
    ag_wgsl_line(emitter, "var length = 0u;");
    ag_wgsl_line(emitter, "var left = asked;");
    ag_wgsl_line(emitter, "var wanted = " AG_INLINED_PLACE "(left, corner);");
}

static void open_points(struct ag_wgsl_emitter *emitter)
{
    ag_wgsl_line(emitter, "entry = %du + number * 4u;", AG_LIST_HEADER_WORDS);
    ag_wgsl_line(emitter, "patch_number = %s[entry + 2u];", binding_name(emitter, AG_EXPAND_POINTS));
    ag_wgsl_find_set(emitter, "patch_number");
    if (uses(emitter, AG_IR_INPUT_PRIMITIVE_ID))
        ag_wgsl_line(emitter, "let primitive_id = points[entry + 3u];");
    if (!uses(emitter, AG_IR_INPUT_DOMAIN_POINT))
        return;
    ag_wgsl_line(emitter,
                 "let uv = vec2<f32>(bitcast<f32>(points[entry]), bitcast<f32>(points[entry + 1u]));");
    ag_wgsl_line(emitter, "let domain_point = vec3<f32>(uv, 1.0 - uv.x - uv.y);");
}

static void open_inlined_patch(struct ag_wgsl_emitter *emitter)
{
    name_inlined_vertices(emitter);
    ag_wgsl_line(emitter, "let number = patch_number;");
}

static void open_inlined_point(struct ag_wgsl_emitter *emitter)
{
    if (uses(emitter, AG_IR_INPUT_DOMAIN_POINT))
        ag_wgsl_line(emitter, "let domain_point = vec3<f32>(uv, 1.0 - uv.x - uv.y);");
    ag_wgsl_line(emitter, "let record = 0u;");
}

static void refill(struct ag_wgsl_emitter *emitter)
{
    if (emitter->helper_widths[AG_WGSL_SPEND] != 0)
        ag_wgsl_line(emitter, "loop_budget = %uu;", emitter->program->loop_budget);
}

void ag_wgsl_write_refill(struct ag_wgsl_emitter *emitter)
{
    ag_wgsl_open(emitter, "fn " AG_INLINED_REFILL "()");
    refill(emitter);
    ag_wgsl_close(emitter);
}

void ag_wgsl_write_point_loop(struct ag_wgsl_emitter *emitter)
{
    ag_wgsl_line(emitter, "@compute @workgroup_size(%d)", AG_EXPAND_WORKGROUP);
    ag_wgsl_open(emitter, "fn main(@builtin(global_invocation_id) invocation: vec3<u32>, "
                          "@builtin(num_workgroups) groups: vec3<u32>)");
    ag_wgsl_open(emitter, "for (var number = invocation.x; number < points[0]; number += groups.x * %du)",
                 AG_EXPAND_WORKGROUP);
    refill(emitter);
    ag_wgsl_line(emitter, "shade(number);");
    ag_wgsl_close(emitter);
    ag_wgsl_close(emitter);
}

const char *ag_wgsl_inlined_parameters(const struct ag_wgsl_emitter *emitter)
{
    switch (emitter->program->flavour) {
    case AGPU_FLAVOUR_GEOMETRY:
        return "primitive_id: u32, gs_instance_id: u32, asked: u32, corner: u32";
    case AGPU_FLAVOUR_HULL_PATCH:
        return "primitive_id: u32";
    case AGPU_FLAVOUR_DOMAIN:
        return "primitive_id: u32, uv: vec2<f32>";
    default:
        return "vertex_id: u32, instance_id: u32, number: u32, record: u32";
    }
}

static void open_inlined(struct ag_wgsl_emitter *emitter)
{
    switch (emitter->program->flavour) {
    case AGPU_FLAVOUR_GEOMETRY:
        open_inlined_primitive(emitter);
        break;
    case AGPU_FLAVOUR_HULL_PATCH:
        open_inlined_patch(emitter);
        break;
    case AGPU_FLAVOUR_DOMAIN:
        open_inlined_point(emitter);
        break;
    default:
        open_vertices(emitter);
        break;
    }
}

void ag_wgsl_open_records(struct ag_wgsl_emitter *emitter)
{
    enum agpu_flavour flavour = emitter->program->flavour;
    const struct agpu_expansion *expansion = &emitter->program->expansion;
    if (emitter->options->is_inlined) {
        open_inlined(emitter);
        return;
    }
    if (flavour != AGPU_FLAVOUR_DOMAIN)
        ag_wgsl_line(emitter, "let number = invocation.x + invocation.y * (groups.x * %du);",
                     AG_EXPAND_WORKGROUP);
    if (flavour == AGPU_FLAVOUR_VERTEX_AS_COMPUTE)
        open_vertices(emitter);
    else if (flavour == AGPU_FLAVOUR_DOMAIN)
        open_points(emitter);
    else
        open_primitives(emitter);
    if (flavour == AGPU_FLAVOUR_HULL_PATCH)
        ag_wgsl_line(emitter, "patch_number = number;");
    if (flavour == AGPU_FLAVOUR_GEOMETRY) {
        ag_wgsl_line(emitter, "let first = number * %uu;", expansion->max_vertices);
        ag_wgsl_line(emitter, "var emitted = 0u;");
        ag_wgsl_line(emitter, "var begins = 15u;");
    } else if (expansion->record_registers > 0 && flavour != AGPU_FLAVOUR_HULL_PATCH) {
        ag_wgsl_line(emitter, "let record = number * %uu;", expansion->record_registers);
    }
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

struct record_source {
    enum ag_expand_binding binding;
    const char *function;
    uint32_t vertices, registers;
};

static struct record_source source_of(const struct ag_wgsl_emitter *emitter, enum ag_ir_record record)
{
    const struct agpu_expansion *expansion = &emitter->program->expansion;
    switch (record) {
    case AG_IR_RECORD_CONTROL:
        return (struct record_source){AG_EXPAND_OUTPUTS, "control_point_load", expansion->output_points,
                                      expansion->record_registers};
    case AG_IR_RECORD_CONSTANT:
        return (struct record_source){AG_EXPAND_PATCHES, "patch_constant_load", 1,
                                      expansion->patch_registers};
    case AG_IR_RECORD_INPUT:
    case AG_IR_RECORD_COUNT:
        break;
    }
    return (struct record_source){AG_EXPAND_INPUTS, "input_load", expansion->vertices,
                                  expansion->input_registers};
}

/* Writes the load function for run-time indices; it returns 0 out of range. */
static void write_load(struct ag_wgsl_emitter *emitter, const struct record_source *source, bool by_primitive)
{
    struct ag_strbuf *out = &emitter->functions;
    const char *name = binding_name(emitter, source->binding);
    ag_strbuf_printf(out,
                     "fn %s(vertex: u32, index: u32) -> vec4<u32> {\n"
                     "    if (vertex >= %uu || index >= %uu) {\n"
                     "        return vec4<u32>();\n"
                     "    }\n",
                     source->function, source->vertices, source->registers);
    if (by_primitive && emitter->options->is_inlined)
        ag_strbuf_printf(out, "    return %s[vertex * %uu + index];\n}\n\n", name, source->registers);
    else if (by_primitive)
        ag_strbuf_printf(out, "    return %s[primitives[entry + 1u + vertex] * %uu + index];\n}\n\n", name,
                         source->registers);
    else
        ag_strbuf_printf(out, "    return %s[(patch_number * %uu + vertex) * %uu + index];\n}\n\n", name,
                         source->vertices, source->registers);
}

void ag_wgsl_record(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    enum ag_ir_record record = (enum ag_ir_record)expr->u.id[0];
    const struct record_source source = source_of(emitter, record);
    bool by_primitive = record == AG_IR_RECORD_INPUT && has_primitives(emitter->program->flavour);
    const struct ag_ir_expr *vertex = expr->args[0], *index = expr->args[1];
    bool fixed_index = index->op == AG_IR_CONST, fixed_vertex = vertex->op == AG_IR_CONST;
    if ((fixed_index && index->u.bits[0] >= source.registers) ||
        (fixed_vertex && vertex->u.bits[0] >= source.vertices)) {
        ag_strbuf_append(out, "vec4<u32>()");
    } else if (fixed_index && fixed_vertex && by_primitive && source.vertices <= MAX_NAMED_VERTICES) {
        ag_strbuf_printf(out, "%s[vertex%u + %uu]", binding_name(emitter, source.binding), vertex->u.bits[0],
                         index->u.bits[0]);
    } else if (fixed_index && fixed_vertex && !by_primitive) {
        ag_strbuf_printf(out, "%s[patch_number * %uu + %uu]", binding_name(emitter, source.binding),
                         source.vertices * source.registers,
                         vertex->u.bits[0] * source.registers + index->u.bits[0]);
    } else {
        if (!(emitter->record_loads >> record & 1))
            write_load(emitter, &source, by_primitive);
        emitter->record_loads |= 1u << record;
        ag_strbuf_printf(out, "%s(", source.function);
        ag_wgsl_expr(emitter, vertex, AG_IR_U32, false);
        ag_strbuf_append(out, ", ");
        ag_wgsl_expr(emitter, index, AG_IR_U32, false);
        ag_strbuf_append_char(out, ')');
    }
    ag_wgsl_swizzle(out, expr->component, expr->width, 4);
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static const struct ag_ir_expr *value_of(const struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt,
                                         uint32_t number)
{
    const struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; stmt->outputs != NULL && i < program->outputs.count; i++)
        if (program->outputs.data[i].kind == AG_IR_OUTPUT_REGISTER &&
            program->outputs.data[i].number == number && stmt->outputs[i] != NULL)
            return stmt->outputs[i];
    return NULL;
}

/* Writes all registers of a record to elements of `name`, from `first` on. */
static void write_elements(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt, const char *name,
                           const char *first, uint32_t registers)
{
    for (uint32_t r = 0; r < registers; r++) {
        const struct ag_ir_expr *value = value_of(emitter, stmt, r);
        ag_wgsl_line_start(emitter);
        ag_strbuf_printf(&emitter->body, "%s[%s + %uu] = ", name, first, r);
        if (value == NULL)
            ag_strbuf_append(&emitter->body, "vec4<u32>()");
        else
            ag_wgsl_expr(emitter, value, AG_IR_U32, false);
        ag_strbuf_append_char(&emitter->body, ';');
        ag_wgsl_line_end(emitter);
    }
}

/* Writes all registers of a record, the first of which is element `first` of the binding. */
static void write_record(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt,
                         enum ag_expand_binding binding, const char *first, uint32_t registers)
{
    if (registers > 0)
        write_elements(emitter, stmt, binding_name(emitter, binding), first, registers);
}

static void append_factor(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt, uint32_t word)
{
    struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < program->outputs.count; i++) {
        const struct ag_ir_output *output = &program->outputs.data[i];
        if (output->kind != AG_IR_OUTPUT_TESS_FACTOR || output->factor != word || stmt->outputs[i] == NULL)
            continue;
        uint8_t component = 0;
        while (!(output->mask >> component & 1) && component < 3)
            component++;
        ag_wgsl_expr(emitter, ag_ir_narrow(program, stmt->outputs[i], 1, &component), AG_IR_U32, false);
        return;
    }
    ag_strbuf_append(&emitter->body, "0u");
}

static void write_patch(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    uint32_t registers = emitter->program->expansion.patch_registers;
    if (registers > 0)
        ag_wgsl_line(emitter, "let record = number * %uu;", registers);
    write_record(emitter, stmt, AG_EXPAND_PATCHES, "record", registers);
    for (uint32_t half = 0; half < 2; half++) {
        ag_wgsl_line_start(emitter);
        ag_strbuf_printf(&emitter->body, "%s[number * 2u + %uu] = vec4<u32>(",
                         binding_name(emitter, AG_EXPAND_FACTORS), half);
        for (uint32_t word = 0; word < 4; word++) {
            ag_strbuf_append(&emitter->body, word > 0 ? ", " : "");
            append_factor(emitter, stmt, half * 4 + word);
        }
        ag_strbuf_append(&emitter->body, ");");
        ag_wgsl_line_end(emitter);
    }
}

void ag_wgsl_return_records(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    const struct agpu_expansion *expansion = &emitter->program->expansion;
    if (emitter->program->flavour == AGPU_FLAVOUR_HULL_PATCH)
        write_patch(emitter, stmt);
    else if (emitter->program->flavour == AGPU_FLAVOUR_GEOMETRY && emitter->options->is_inlined)
        ;
    else if (emitter->program->flavour == AGPU_FLAVOUR_GEOMETRY)
        ag_wgsl_line(emitter, "if (emitted < %uu) { %s[first + emitted] = 0u; }", expansion->max_vertices,
                     binding_name(emitter, AG_EXPAND_EMITS));
    else
        write_record(emitter, stmt, AG_EXPAND_OUTPUTS, "record", expansion->record_registers);
    ag_wgsl_line(emitter, "return;");
}

/* Of the primitives that the invocation makes, one is asked for: the vertex is kept if it is the corner of
 * that one, and once all of its corners are there the invocation ends. */
static void emit_inlined(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    const struct agpu_expansion *expansion = &emitter->program->expansion;
    ag_wgsl_line(emitter, "if (emitted >= %uu) { return; }", expansion->max_vertices);
    ag_wgsl_line(emitter, "emitted = emitted + 1u;");
    if (stmt->stream != 0)
        return;
    ag_wgsl_line(emitter, "length = length + 1u;");
    ag_wgsl_open(emitter, "if (length == wanted)");
    write_elements(emitter, stmt, AG_INLINED_MADE, "0u", expansion->record_registers);
    ag_wgsl_close(emitter);
    ag_wgsl_open(emitter, "if (length == left + " AG_INLINED_CORNERS ")");
    ag_wgsl_line(emitter, AG_INLINED_EXISTS " = true;");
    ag_wgsl_line(emitter, "return;");
    ag_wgsl_close(emitter);
}

static void cut_inlined(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    if (stmt->stream != 0)
        return;
    ag_wgsl_line(emitter, "left = left - (length - min(length, " AG_INLINED_CORNERS " - 1u));");
    ag_wgsl_line(emitter, "length = 0u;");
    ag_wgsl_line(emitter, "wanted = " AG_INLINED_PLACE "(left, corner);");
}

/* An emit beyond the declared maximum ends the invocation (D3D11.3 22.3.5). */
void ag_wgsl_emit_vertex(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    const struct agpu_expansion *expansion = &emitter->program->expansion;
    if (emitter->options->is_inlined) {
        emit_inlined(emitter, stmt);
        return;
    }
    uint32_t t = emitter->temporaries++;
    const char *first = ag_wgsl_text(emitter, "record%u", t);
    ag_wgsl_line(emitter, "if (emitted >= %uu) { return; }", expansion->max_vertices);
    uint32_t word = AG_EMIT_VERTEX | stmt->stream << AG_EMIT_STREAM_SHIFT, bit = 1u << stmt->stream;
    ag_wgsl_line(emitter, "%s[first + emitted] = select(%uu, %uu, (begins & %uu) != 0u);",
                 binding_name(emitter, AG_EXPAND_EMITS), word, word | AG_EMIT_STRIP, bit);
    if (expansion->record_registers > 0)
        ag_wgsl_line(emitter, "let %s = (first + emitted) * %uu;", first, expansion->record_registers);
    write_record(emitter, stmt, AG_EXPAND_OUTPUTS, first, expansion->record_registers);
    ag_wgsl_line(emitter, "begins = begins & %uu;", 15u & ~bit);
    ag_wgsl_line(emitter, "emitted = emitted + 1u;");
}

void ag_wgsl_cut_strip(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    if (emitter->options->is_inlined)
        cut_inlined(emitter, stmt);
    else
        ag_wgsl_line(emitter, "begins = begins | %uu;", 1u << stmt->stream);
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

static const struct {
    bool vectors;
    uint32_t written; /* bit set by flavour: the binding is written */
} expand_bindings[] = {
    [AG_EXPAND_INPUTS - AG_BINDING_INTERNAL] = {true,  0                                                                                                 },
    [AG_EXPAND_OUTPUTS -
        AG_BINDING_INTERNAL] = {true,  1u << AGPU_FLAVOUR_VERTEX_AS_COMPUTE | 1u << AGPU_FLAVOUR_GEOMETRY |
                                          1u << AGPU_FLAVOUR_HULL_POINTS | 1u << AGPU_FLAVOUR_DOMAIN},
    [AG_EXPAND_PATCHES - AG_BINDING_INTERNAL] = {true,  1u << AGPU_FLAVOUR_HULL_PATCH                                                                     },
    [AG_EXPAND_FACTORS - AG_BINDING_INTERNAL] = {true,  1u << AGPU_FLAVOUR_HULL_PATCH                                                                     },
    [AG_EXPAND_EMITS - AG_BINDING_INTERNAL] = {false, 1u << AGPU_FLAVOUR_GEOMETRY                                                                       },
};

void ag_wgsl_declare_records(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out)
{
    enum agpu_flavour flavour = emitter->program->flavour;
    for (uint32_t i = 0; i < AG_COUNT_OF(expand_bindings); i++)
        if (emitter->expand_bindings >> i & 1)
            ag_strbuf_printf(out, "@group(%d) @binding(%u) var<storage, %s> %s: array<%s>;\n",
                             AG_GROUP_INTERNAL, AG_BINDING_INTERNAL + i,
                             expand_bindings[i].written >> flavour & 1 ? "read_write" : "read",
                             binding_name(emitter, (enum ag_expand_binding)(AG_BINDING_INTERNAL + i)),
                             expand_bindings[i].vectors ? "vec4<u32>" : "u32");
    const bool has_patches = flavour == AGPU_FLAVOUR_HULL_PATCH || flavour == AGPU_FLAVOUR_DOMAIN;
    if (emitter->options->is_inlined && has_patches)
        ag_strbuf_append(out, "const patch_number = 0u;\n");
    if (!ag_ir_uses_records(flavour) || emitter->options->is_inlined)
        return;
    ag_strbuf_append(out, "var<private> entry: u32;\n");
    if (has_patches)
        ag_strbuf_append(out, "var<private> patch_number: u32;\n");
}

uint32_t ag_wgsl_reflect_records(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < AG_COUNT_OF(expand_bindings); i++) {
        if (!(emitter->expand_bindings >> i & 1))
            continue;
        bool written = expand_bindings[i].written >> emitter->program->flavour & 1;
        bindings[count++] = (struct agpu_binding){
            .group = AG_GROUP_INTERNAL,
            .binding = (uint16_t)(AG_BINDING_INTERNAL + i),
            .kind = written ? AGPU_BIND_STORAGE_BUFFER_READ_WRITE : AGPU_BIND_STORAGE_BUFFER_READ,
            .space = AGPU_SPACE_INTERNAL,
            .bytes = expand_bindings[i].vectors ? 16 : 4,
        };
    }
    return count;
}
