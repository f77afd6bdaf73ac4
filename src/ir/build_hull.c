/* SPDX-License-Identifier: MIT
 *
 * Hull shaders: one program with phases, of which two modules are made. The control point phase runs once for
 * each control point. All fork and then all join phases run one after another, once for each patch; D3D may
 * run them in parallel, but with the same results (D3D11.3 10.5).
 */
#include <string.h>

#include "ir/build.h"

#define MAX_PHASE_INSTANCES 128

/* One phase of the program. */
struct phase {
    uint32_t first, end; /* instructions; `first` is the token that begins the phase */
    uint32_t instances;
};

/* Finds the next phase at or behind instruction `from`; false when there is none. */
static bool next_phase(struct ag_ir_builder *builder, uint32_t from, struct phase *phase)
{
    const struct agpu_program *source = builder->source;
    *phase = (struct phase){.first = from, .instances = 1};
    while (phase->first < source->instruction_count &&
           !ag_ir_is_phase(source->instructions[phase->first].opcode))
        phase->first++;
    if (phase->first == source->instruction_count)
        return false;
    for (phase->end = phase->first + 1; phase->end < source->instruction_count; phase->end++) {
        const struct agpu_instruction *insn = &source->instructions[phase->end];
        if (ag_ir_is_phase(insn->opcode))
            break;
        if (insn->opcode != AGPU_OP_DCL_HS_FORK_PHASE_INSTANCE_COUNT &&
            insn->opcode != AGPU_OP_DCL_HS_JOIN_PHASE_INSTANCE_COUNT)
            continue;
        phase->instances = ag_ir_data_at(insn, 0);
        if (phase->instances > MAX_PHASE_INSTANCES)
            ag_ir_refuse_declaration(builder, insn, AGPU_DIAG_TRANSLATE_LIMIT, "more than Direct3D 11 has");
    }
    return true;
}

static uint32_t opcode_of(const struct ag_ir_builder *builder, const struct phase *phase)
{
    return builder->source->instructions[phase->first].opcode;
}

/* Every phase has temporaries of its own. */
static void declare_phase(struct ag_ir_builder *builder, const struct phase *phase)
{
    builder->temp_count = 0;
    if (builder->indexable != NULL)
        memset(builder->indexable, 0xff, AG_IR_MAX_ARRAYS * sizeof builder->indexable[0]);
    ag_ir_declare(builder, phase->first, phase->end);
}

/* ---- Control points ----------------------------------------------------------------------------------- */

static struct ag_ir_expr *read_copied(struct ag_ir_builder *builder, uint32_t number)
{
    struct ag_ir_expr *expr = ag_ir_expr_new(builder->program, AG_IR_RECORD, 4, 2);
    expr->u.id[0] = AG_IR_RECORD_INPUT;
    for (uint32_t c = 0; c < 4; c++)
        expr->component[c] = (uint8_t)c;
    expr->args[0] = ag_ir_read_builtin(builder, AG_IR_INPUT_CONTROL_POINT_ID);
    expr->args[1] = ag_ir_const(builder->program, 1, number);
    return expr;
}

static void copy_control_point(struct ag_ir_builder *builder)
{
    const struct agpu_instruction none = {.offset = AG_IR_NONE};
    for (uint32_t r = 0; r < builder->program->expansion.record_registers; r++) {
        ag_ir_add_register_output(builder, r, 15, AG_IR_NONE);
        ag_ir_assign(builder, &none, builder->output_register[r], 15, read_copied(builder, r));
    }
}

static void build_points(struct ag_ir_builder *builder)
{
    struct phase phase;
    uint32_t at = 0;
    while (next_phase(builder, at, &phase) && opcode_of(builder, &phase) != AGPU_OP_HS_CONTROL_POINT_PHASE)
        at = phase.end;
    if (phase.first == builder->source->instruction_count) {
        copy_control_point(builder);
        return;
    }
    declare_phase(builder, &phase);
    ag_ir_find_range_registers(builder);
    if (builder->program->status == AGPU_OK)
        ag_ir_build_segment(builder, phase.first + 1);
}

/* ---- Patch constants ---------------------------------------------------------------------------------- */

/* An index range over any patch constants turns all of them into one array, because the ranges of different
 * phases may overlap in any way. */
static void find_constant_array(struct ag_ir_builder *builder)
{
    const struct agpu_program *source = builder->source;
    uint32_t registers = builder->program->expansion.patch_registers;
    uint16_t phase = 0;
    for (uint32_t i = 0; i < source->instruction_count; i++) {
        const struct agpu_instruction *insn = &source->instructions[i];
        if (ag_ir_is_phase(insn->opcode))
            phase = insn->opcode;
        if (insn->opcode != AGPU_OP_DCL_INDEXRANGE || phase == 0 || phase == AGPU_OP_HS_CONTROL_POINT_PHASE ||
            registers == 0 || insn->operand_count == 0 || builder->constant_array != AG_IR_NONE)
            continue;
        if (insn->operands[0].type == AGPU_OPERAND_OUTPUT ||
            insn->operands[0].type == AGPU_OPERAND_INPUT_PATCH_CONSTANT)
            builder->constant_array = ag_ir_add_array(builder, AG_IR_REGISTER_OUTPUT, 0, registers);
    }
    for (uint32_t r = 0; r < registers; r++)
        builder->output_array[r] = builder->constant_array;
}

/* Opens `for (; id < count; id++)`; what is built next is its body. Null when there is no memory. */
static struct ag_ir_stmt *open_count(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                     uint32_t id, uint32_t count)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_stmt *loop = ag_ir_emit(builder, AG_IR_LOOP, insn->offset);
    if (loop == NULL)
        return NULL;
    loop->body = builder->block = ag_ir_block_new(program, builder->block);
    struct ag_ir_stmt *end = ag_ir_emit(builder, AG_IR_IF, insn->offset);
    if (end != NULL) {
        end->value =
            ag_ir_binary(program, AG_IR_UGE, ag_ir_read(program, id, 1), ag_ir_const(program, 1, count));
        end->body = builder->block = ag_ir_block_new(program, loop->body);
        ag_ir_emit(builder, AG_IR_BREAK, insn->offset);
        builder->block = loop->body;
    }
    return loop;
}

static void close_count(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t id,
                        struct ag_ir_stmt *loop)
{
    struct ag_ir_program *program = builder->program;
    ag_ir_assign(builder, insn, id, 1,
                 ag_ir_binary(program, AG_IR_IADD, ag_ir_read(program, id, 1), ag_ir_const(program, 1, 1)));
    builder->block = loop->block;
}

static uint32_t start_count(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    struct ag_ir_program *program = builder->program;
    const uint32_t id =
        ag_ir_add_register(program, AG_IR_REGISTER_SCRATCH, (uint32_t)program->registers.count);
    ag_ir_assign(builder, insn, id, 1, ag_ir_const(program, 1, 0));
    return id;
}

static void clear_array(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t array)
{
    struct ag_ir_program *program = builder->program;
    const uint32_t element = start_count(builder, insn);
    struct ag_ir_stmt *loop = open_count(builder, insn, element, program->arrays.data[array].length);
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_SET_ELEMENT, insn->offset);
    if (loop == NULL || stmt == NULL)
        return;
    stmt->array = array;
    stmt->index = ag_ir_read(program, element, 1);
    stmt->value = ag_ir_const(program, 4, 0);
    for (uint8_t c = 0; c < 4; c++)
        stmt->target_component[c] = c;
    close_count(builder, insn, element, loop);
}

/* What an instance leaves in temporaries the next one must not find there (D6). */
static void clear_temporaries(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    struct ag_ir_program *program = builder->program;
    for (uint32_t i = 0; i < builder->temp_count && program->status == AGPU_OK; i++)
        ag_ir_assign(builder, insn, builder->temp_base + i, 15, ag_ir_const(program, 4, 0));
    for (uint32_t i = 0; i < AG_IR_MAX_ARRAYS && program->status == AGPU_OK; i++) {
        const uint32_t array = ag_ir_indexable_array(builder, i);
        if (array != AG_IR_NONE && program->arrays.data[array].used)
            clear_array(builder, insn, array);
    }
}

static void build_instances(struct ag_ir_builder *builder, const struct phase *phase, uint32_t id)
{
    const struct agpu_instruction *insn = &builder->source->instructions[phase->first];
    struct ag_ir_stmt *loop = open_count(builder, insn, id, phase->instances);
    if (loop == NULL)
        return;
    ag_ir_inline(builder, insn->offset, phase->first);
    clear_temporaries(builder, insn);
    close_count(builder, insn, id, loop);
}

static void build_phase(struct ag_ir_builder *builder, const struct phase *phase)
{
    struct ag_ir_program *program = builder->program;
    const struct agpu_instruction *insn = &builder->source->instructions[phase->first];
    declare_phase(builder, phase);
    if (program->status != AGPU_OK)
        return;
    const uint32_t id = start_count(builder, insn);
    builder->special_input[AGPU_OPERAND_INPUT_FORK_INSTANCE_ID] = id;
    builder->special_input[AGPU_OPERAND_INPUT_JOIN_INSTANCE_ID] = id;
    if (phase->instances == 1)
        ag_ir_inline(builder, insn->offset, phase->first);
    else
        build_instances(builder, phase, id);
}

static void build_patch(struct ag_ir_builder *builder)
{
    static const uint16_t order[] = {AGPU_OP_HS_FORK_PHASE, AGPU_OP_HS_JOIN_PHASE};
    find_constant_array(builder);
    for (uint32_t i = 0; i < 2; i++) {
        struct phase phase;
        for (uint32_t at = 0; builder->program->status == AGPU_OK && next_phase(builder, at, &phase);
             at = phase.end)
            if (opcode_of(builder, &phase) == order[i])
                build_phase(builder, &phase);
    }
}

static bool has_control_point_phase(const struct agpu_program *source)
{
    for (uint32_t i = 0; i < source->instruction_count; i++)
        if (source->instructions[i].opcode == AGPU_OP_HS_CONTROL_POINT_PHASE)
            return true;
    return false;
}

void ag_ir_build_hull(struct ag_ir_builder *builder)
{
    struct agpu_expansion *expansion = &builder->program->expansion;
    struct phase first;
    expansion->copies_points =
        expansion->vertices == expansion->output_points && !has_control_point_phase(builder->source);
    next_phase(builder, 0, &first);
    ag_ir_declare(builder, 0, first.first);
    if (builder->program->status != AGPU_OK)
        return;
    if (builder->program->flavour == AGPU_FLAVOUR_HULL_POINTS)
        build_points(builder);
    else
        build_patch(builder);
    if (!builder->dead && builder->program->status == AGPU_OK)
        ag_ir_build_return(builder, AG_IR_NONE);
}
