/* SPDX-License-Identifier: MIT
 *
 * Records: the memory in which vertex, geometry, hull and domain shaders that run as compute passes hand
 * their outputs to the next stage (translate.h, expansion). This file computes the sizes of records from the
 * declarations, before any code is built, and builds reads of them.
 */
#include "ir/build.h"
#include "wgsl/expansion.h"
#include "wgsl/options.h"

#define MAX_CONTROL_POINTS 32
#define MAX_GS_INSTANCES 32
#define MAX_GS_VERTICES 1024

/* ---- Sizes -------------------------------------------------------------------------------------------- */

/* The declarations are visited in order; `phase` follows along. */
struct measure {
    struct ag_ir_builder *builder;
    struct agpu_expansion *expansion;
    uint16_t phase; /* hull shaders: the opcode of the current phase, or 0 before the first */
    bool has_control_point_phase;
};

static void raise(uint32_t *registers, uint32_t count)
{
    if (*registers < count)
        *registers = count;
}

/* One past the number of the register that a declaration names. */
static uint32_t end_of(const struct measure *measure, const struct agpu_instruction *dcl)
{
    const struct agpu_operand *o = &dcl->operands[0];
    uint64_t number = o->index_count == 0 ? 0 : o->index[o->index_count - 1].immediate;
    if (o->index_count != 0 && number < AGPU_MAX_REGISTERS)
        return (uint32_t)number + 1;
    ag_ir_refuse_declaration(measure->builder, dcl, AGPU_DIAG_TRANSLATE_OPERAND, "no such register");
    return 0;
}

static void measure_input(struct measure *measure, const struct agpu_instruction *dcl)
{
    switch (dcl->operands[0].type) {
    case AGPU_OPERAND_INPUT:
    case AGPU_OPERAND_INPUT_CONTROL_POINT:
        raise(&measure->expansion->input_registers, end_of(measure, dcl));
        break;
    case AGPU_OPERAND_INPUT_PATCH_CONSTANT:
        raise(&measure->expansion->patch_registers, end_of(measure, dcl));
        break;
    default:
        break;
    }
}

static void measure_output(struct measure *measure, const struct agpu_instruction *dcl)
{
    if (dcl->operands[0].type != AGPU_OPERAND_OUTPUT)
        return;
    bool is_constant = measure->phase == AGPU_OP_HS_FORK_PHASE || measure->phase == AGPU_OP_HS_JOIN_PHASE;
    raise(is_constant ? &measure->expansion->patch_registers : &measure->expansion->record_registers,
          end_of(measure, dcl));
    uint32_t name = dcl->opcode == AGPU_OP_DCL_OUTPUT ? 0 : ag_ir_data_at(dcl, 0);
    const uint8_t stream = (uint8_t)(1u << measure->builder->stream);
    if (is_constant)
        return;
    if (name == AGPU_NAME_RENDER_TARGET_ARRAY_INDEX)
        measure->expansion->writes_layer |= stream;
    if (name == AGPU_NAME_VIEWPORT_ARRAY_INDEX)
        measure->expansion->writes_viewport |= stream;
}

/* Enforces a limit of D3D11, which also keeps products of these numbers small. */
static uint32_t limited(const struct measure *measure, const struct agpu_instruction *dcl, uint32_t value,
                        uint32_t limit)
{
    if (value <= limit)
        return value;
    ag_ir_refuse_declaration(measure->builder, dcl, AGPU_DIAG_TRANSLATE_LIMIT, "more than Direct3D 11 has");
    return 0;
}

static uint32_t vertices_of(const struct measure *measure, const struct agpu_instruction *dcl)
{
    static const uint8_t vertices[] = {0, 1, 2, 3, 0, 0, 4, 6};
    uint32_t primitive = dcl->controls & 0x3f;
    uint32_t count = primitive < sizeof vertices ? vertices[primitive] : primitive - 7;
    if (count == 0 || count > MAX_CONTROL_POINTS)
        ag_ir_refuse_declaration(measure->builder, dcl, AGPU_DIAG_TRANSLATE_OPERAND, "no such primitive");
    return count;
}

static void measure_one(struct measure *measure, const struct agpu_instruction *insn)
{
    struct agpu_expansion *expansion = measure->expansion;
    switch (insn->opcode) {
    case AGPU_OP_HS_CONTROL_POINT_PHASE:
        measure->has_control_point_phase = true;
        measure->phase = insn->opcode;
        break;
    case AGPU_OP_HS_FORK_PHASE:
    case AGPU_OP_HS_JOIN_PHASE:
        measure->phase = insn->opcode;
        break;
    case AGPU_OP_DCL_INPUT:
    case AGPU_OP_DCL_INPUT_SGV:
    case AGPU_OP_DCL_INPUT_SIV:
        measure_input(measure, insn);
        break;
    case AGPU_OP_DCL_OUTPUT:
    case AGPU_OP_DCL_OUTPUT_SGV:
    case AGPU_OP_DCL_OUTPUT_SIV:
        measure_output(measure, insn);
        break;
    case AGPU_OP_DCL_STREAM:
        ag_ir_declare_stream(measure->builder, insn);
        break;
    case AGPU_OP_DCL_INPUTPRIMITIVE:
        expansion->vertices = vertices_of(measure, insn);
        break;
    case AGPU_OP_DCL_MAXOUT:
        expansion->max_vertices = limited(measure, insn, ag_ir_data_at(insn, 0), MAX_GS_VERTICES);
        break;
    case AGPU_OP_DCL_GSINSTANCES:
        expansion->instances = limited(measure, insn, ag_ir_data_at(insn, 0), MAX_GS_INSTANCES);
        break;
    case AGPU_OP_DCL_INPUT_CONTROL_POINT_COUNT:
        expansion->vertices = limited(measure, insn, insn->controls & 0x3f, MAX_CONTROL_POINTS);
        break;
    case AGPU_OP_DCL_OUTPUT_CONTROL_POINT_COUNT:
        expansion->output_points = limited(measure, insn, insn->controls & 0x3f, MAX_CONTROL_POINTS);
        break;
    default:
        break;
    }
}

/* Without a control point phase, the control points are copies of the inputs, in the registers that are
 * declared. */
static void measure_copies(struct measure *measure)
{
    const struct agpu_signature *signature = &measure->builder->shader->output;
    struct agpu_expansion *expansion = measure->expansion;
    for (uint32_t i = 0; measure->builder->options->input_registers == 0 && i < signature->count; i++)
        if (signature->elements[i].register_index < AGPU_MAX_REGISTERS)
            raise(&expansion->input_registers, signature->elements[i].register_index + 1);
    expansion->record_registers = expansion->input_registers;
}

void ag_ir_measure_records(struct ag_ir_builder *builder)
{
    const struct ag_translate_options *options = builder->options;
    struct ag_ir_program *program = builder->program;
    struct measure measure = {.builder = builder, .expansion = &program->expansion};
    for (uint32_t i = 0; i < builder->source->instruction_count && program->status == AGPU_OK; i++) {
        const struct agpu_instruction *insn = &builder->source->instructions[i];
        const struct agpu_opcode_info *info = agpu_opcode_info(insn->opcode);
        if ((info->flags & AGPU_OPF_DECLARATION) && insn->operand_count >= info->operand_count)
            measure_one(&measure, insn);
    }
    builder->stream = 0;
    struct agpu_expansion *expansion = &program->expansion;
    if (options->input_registers != 0)
        expansion->input_registers = options->input_registers;
    if (options->patch_registers != 0 && program->stage == AGPU_STAGE_DOMAIN)
        expansion->patch_registers = options->patch_registers;
    if (program->stage == AGPU_STAGE_HULL && !measure.has_control_point_phase)
        measure_copies(&measure);
    if (program->stage == AGPU_STAGE_GEOMETRY && expansion->instances == 0)
        expansion->instances = 1;
    /* A hull shader may put out no control points, and a domain shader that reads none declares 0 of them. */
    const bool takes_primitives = program->stage == AGPU_STAGE_GEOMETRY || program->stage == AGPU_STAGE_HULL;
    if (takes_primitives && expansion->vertices == 0 && program->status == AGPU_OK)
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_OPERAND, 0,
                     "how many vertices a primitive has is not declared");
    if (options->input_registers > AGPU_MAX_REGISTERS || options->patch_registers > AGPU_MAX_REGISTERS)
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_LIMIT, 0, "records have at most %d registers",
                     AGPU_MAX_REGISTERS);
    program->thread_group[0] = AG_EXPAND_WORKGROUP;
    program->thread_group[1] = program->thread_group[2] = 1;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

/* Inside a hull shader patch constants are still registers: a join phase reads what fork phases wrote. */
static struct ag_ir_expr *read_own_constant(struct ag_ir_builder *builder,
                                            const struct agpu_instruction *insn,
                                            const struct agpu_operand *operand, uint32_t mask)
{
    const struct agpu_operand_index *index = &operand->index[0];
    if (builder->constant_array != AG_IR_NONE)
        return ag_ir_read_array(builder, operand, mask, builder->constant_array,
                                ag_ir_build_index(builder, insn, index));
    if (index->relative == NULL && index->immediate < AGPU_MAX_REGISTERS &&
        builder->output_register[index->immediate] != AG_IR_NONE)
        return ag_ir_read_register(builder, operand, mask, builder->output_register[index->immediate]);
    return ag_ir_const(builder->program, ag_ir_lane_count(mask), 0);
}

static enum ag_ir_record record_of(const struct agpu_operand *operand)
{
    switch (operand->type) {
    case AGPU_OPERAND_OUTPUT_CONTROL_POINT:
        return AG_IR_RECORD_CONTROL;
    case AGPU_OPERAND_INPUT_PATCH_CONSTANT:
        return AG_IR_RECORD_CONSTANT;
    default:
        return AG_IR_RECORD_INPUT;
    }
}

static bool flavour_has(enum agpu_flavour flavour, enum ag_ir_record record)
{
    switch (record) {
    case AG_IR_RECORD_INPUT:
        return flavour >= AGPU_FLAVOUR_GEOMETRY;
    case AG_IR_RECORD_CONTROL:
        return flavour == AGPU_FLAVOUR_HULL_PATCH;
    case AG_IR_RECORD_CONSTANT:
        return flavour == AGPU_FLAVOUR_DOMAIN;
    case AG_IR_RECORD_COUNT:
        break;
    }
    return false;
}

struct ag_ir_expr *ag_ir_read_record(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                     const struct agpu_operand *operand, uint32_t mask)
{
    struct ag_ir_program *program = builder->program;
    enum ag_ir_record record = record_of(operand);
    bool has_vertex = record != AG_IR_RECORD_CONSTANT;
    if (program->flavour == AGPU_FLAVOUR_HULL_PATCH && record == AG_IR_RECORD_CONSTANT &&
        operand->index_count == 1)
        return read_own_constant(builder, insn, operand, mask);
    if (!flavour_has(program->flavour, record) || operand->index_count != (has_vertex ? 2 : 1)) {
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_OPERAND, insn->offset,
                     "an operand of type %u of %s is not what this stage has", operand->type,
                     agpu_opcode_info(insn->opcode)->mnemonic);
        return ag_ir_const(program, ag_ir_lane_count(mask), 0);
    }
    struct ag_ir_expr *expr = ag_ir_lanes_of(builder, AG_IR_RECORD, operand, mask, 2);
    expr->u.id[0] = record;
    expr->args[0] =
        has_vertex ? ag_ir_build_index(builder, insn, &operand->index[0]) : ag_ir_const(program, 1, 0);
    expr->args[1] = ag_ir_build_index(builder, insn, &operand->index[has_vertex ? 1 : 0]);
    return expr;
}
