/* SPDX-License-Identifier: MIT
 *
 * Resources chosen at run time: WGSL has no arrays of them, so the instruction stands in each case of a
 * switch over those that may be meant (decision L5). An index that names none of them reads 0 and writes
 * nothing.
 */
#include <string.h>

#include "ir/build.h"

#define MAX_CHOICES 128

/* Which index of a resource operand chooses: shader model 5.1 has the range's number in front. */
static uint32_t choosing_index(const struct ag_ir_builder *builder)
{
    return builder->program->major == 5 && builder->program->minor >= 1 ? 1 : 0;
}

static bool is_chosen(const struct ag_ir_builder *builder, const struct agpu_operand *o)
{
    uint32_t which = choosing_index(builder);
    bool is_resource = o->type == AGPU_OPERAND_CONSTANT_BUFFER || o->type == AGPU_OPERAND_SAMPLER ||
                       o->type == AGPU_OPERAND_RESOURCE || o->type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW;
    return is_resource && o->index_count > which && o->index[which].relative != NULL;
}

static bool compares(const struct ag_ir_row *row)
{
    enum ag_ir_op op = (enum ag_ir_op)(row->build == ag_ir_build_feedback ? ag_ir_rows[row->op].op : row->op);
    return op == AG_IR_SAMPLE_CMP || op == AG_IR_SAMPLE_CMP_LEVEL || op == AG_IR_GATHER_CMP ||
           op == AG_IR_GATHER_PO_CMP;
}

/* Whether a declared resource may be what the operand means: in 5.1 its range says so, else its kind. */
static bool may_be(const struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                   const struct ag_ir_row *row, const struct agpu_operand *o,
                   const struct ag_ir_resource *resource)
{
    if (resource->space != (uint8_t)ag_ir_space_of((enum agpu_operand_type)o->type))
        return false;
    if (choosing_index(builder) == 1)
        return resource->id == (uint32_t)o->index[0].immediate;
    if (o->type == AGPU_OPERAND_SAMPLER)
        return resource->is_comparison == compares(row);
    return o->type == AGPU_OPERAND_CONSTANT_BUFFER || !insn->has_dimension ||
           insn->dimension == resource->dimension;
}

/* The instruction with one operand replaced; null without memory. */
static struct agpu_instruction *replace(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                        uint32_t operand, const struct agpu_operand *by)
{
    struct agpu_instruction *copy =
        ag_arena_memdup(builder->program->arena, insn, sizeof *insn, alignof(struct agpu_instruction));
    struct agpu_operand *operands =
        ag_arena_memdup(builder->program->arena, insn->operands,
                        insn->operand_count * sizeof insn->operands[0], alignof(struct agpu_operand));
    if (copy == NULL || operands == NULL) {
        ag_ir_no_memory(builder->program);
        return NULL;
    }
    operands[operand] = *by;
    copy->operands = operands;
    return copy;
}

static void write_zeros(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    const char *kinds = agpu_opcode_info(insn->opcode)->operands;
    for (uint32_t i = 0; i < insn->operand_count && kinds[i * 3] == 'D'; i++) {
        uint32_t mask = ag_ir_destination_mask(&insn->operands[i]);
        if (kinds[i * 3 + 1] != 'R' && mask != 0)
            ag_ir_write(builder, insn, i, ag_ir_const(builder->program, ag_ir_lane_count(mask), 0));
        if (kinds[i * 3 + 2] == '\0')
            break;
    }
}

/* None of them: a constant reads 0 like any other source; nothing else goes on. */
static void build_none(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                       const struct ag_ir_row *row, uint32_t operand)
{
    if (insn->operands[operand].type != AGPU_OPERAND_CONSTANT_BUFFER) {
        write_zeros(builder, insn);
        return;
    }
    struct agpu_operand zero = insn->operands[operand];
    zero.type = AGPU_OPERAND_IMMEDIATE32;
    zero.index_count = 0;
    memset(zero.immediate, 0, sizeof zero.immediate);
    const struct agpu_instruction *without = replace(builder, insn, operand, &zero);
    if (without != NULL)
        ag_ir_build_instruction(builder, without, row);
}

static struct ag_ir_case *add_case(struct ag_ir_builder *builder, struct ag_ir_case ***tail,
                                   const struct ag_ir_resource *resource)
{
    struct ag_arena *arena = builder->program->arena;
    struct ag_ir_case *c = AG_ARENA_NEW(arena, struct ag_ir_case);
    uint32_t *label = AG_ARENA_NEW(arena, uint32_t);
    if (c == NULL || label == NULL) {
        ag_ir_no_memory(builder->program);
        return NULL;
    }
    c->is_default = resource == NULL;
    c->label_count = resource == NULL ? 0 : 1;
    *label = resource == NULL ? 0 : resource->slot;
    c->labels = label;
    c->body = ag_ir_block_new(builder->program, builder->block);
    **tail = c;
    *tail = &c->next;
    return c;
}

static void build_choice(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                         const struct ag_ir_row *row, uint32_t operand)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_block *outer = builder->block;
    const struct agpu_operand *o = &insn->operands[operand];
    uint32_t which = choosing_index(builder), choices = 0;
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_SWITCH, insn->offset);
    if (stmt == NULL)
        return;
    stmt->value = ag_ir_build_index(builder, insn, &o->index[which]);
    struct ag_ir_case **tail = &stmt->cases;
    for (size_t i = 0; i < program->resources.count && program->status == AGPU_OK; i++) {
        if (!may_be(builder, insn, row, o, &program->resources.data[i]))
            continue;
        struct agpu_operand fixed = *o;
        fixed.index[which].relative = NULL;
        fixed.index[which].immediate = program->resources.data[i].slot;
        const struct agpu_instruction *with = replace(builder, insn, operand, &fixed);
        struct ag_ir_case *c = add_case(builder, &tail, &program->resources.data[i]);
        if (with == NULL || c == NULL)
            return;
        if (++choices > MAX_CHOICES) {
            ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_LIMIT, insn->offset,
                         "%s chooses among more than %d resources", agpu_opcode_info(insn->opcode)->mnemonic,
                         MAX_CHOICES);
            return;
        }
        builder->block = c->body;
        ag_ir_build_instruction(builder, with, row);
        builder->block = outer;
    }
    struct ag_ir_case *c = add_case(builder, &tail, NULL);
    if (c == NULL)
        return;
    builder->block = c->body;
    build_none(builder, insn, row, operand);
    builder->block = outer;
    if (choices == 0)
        ag_ir_warn(program, AGPU_DIAG_TRANSLATE_IGNORED, insn->offset,
                   "%s chooses a resource at run time, but none that fits is declared: it reads 0",
                   agpu_opcode_info(insn->opcode)->mnemonic);
}

void ag_ir_build_instruction(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                             const struct ag_ir_row *row)
{
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        if (is_chosen(builder, &insn->operands[i])) {
            build_choice(builder, insn, row, i);
            return;
        }
    }
    row->build(builder, insn, row);
}
