/* SPDX-License-Identifier: MIT
 *
 * Arithmetic, logic, conversions, moves.
 */
#include "ir/build.h"

char agpu_ir_operand_kind(const struct agpu_instruction *insn, uint32_t index)
{
    const struct agpu_opcode_info *info = agpu_opcode_info(insn->opcode);
    return index < info->operand_count ? info->operands[index * 3 + 1] : 'b';
}

static struct agpu_ir_expr *build_operation(struct agpu_ir_builder *builder,
                                            const struct agpu_instruction *insn, enum agpu_ir_op op,
                                            uint32_t first_source, uint32_t mask)
{
    uint32_t count = insn->operand_count > first_source ? insn->operand_count - first_source : 0;
    if (op == AGPU_IR_READ) /* a plain move */
        return agpu_ir_source(builder, insn, first_source, agpu_ir_operand_kind(insn, first_source), mask);
    struct agpu_ir_expr *expr =
        agpu_ir_expr_new(builder->program, op, agpu_ir_lane_count(mask), count > 4 ? 4 : count);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        expr->args[i] = agpu_ir_source(builder, insn, first_source + i,
                                       agpu_ir_operand_kind(insn, first_source + i), mask);
    return expr;
}

void agpu_ir_build_alu(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                       const struct agpu_ir_row *row)
{
    uint32_t mask = agpu_ir_destination_mask(&insn->operands[0]);
    if (mask == 0)
        return;
    if (row->detail)
        builder->program->derivatives = true;
    agpu_ir_write(builder, insn, 0, build_operation(builder, insn, (enum agpu_ir_op)row->op, 1, mask));
}

/* Two results of the same sources: both are computed before either is written. */
void agpu_ir_build_pair(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                        const struct agpu_ir_row *row)
{
    uint32_t masks[2] = {agpu_ir_destination_mask(&insn->operands[0]),
                         agpu_ir_destination_mask(&insn->operands[1])};
    struct agpu_ir_expr *values[2] = {NULL, NULL};
    for (uint32_t i = 0; i < 2; i++)
        if (masks[i] != 0)
            values[i] =
                build_operation(builder, insn, (enum agpu_ir_op)(i == 0 ? row->op : row->op2), 2, masks[i]);
    if (values[0] != NULL && values[1] != NULL)
        values[1] = agpu_ir_scratch(builder, insn, values[1]);
    for (uint32_t i = 0; i < 2; i++)
        if (values[i] != NULL)
            agpu_ir_write(builder, insn, i, values[i]);
}

void agpu_ir_build_dot(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                       const struct agpu_ir_row *row)
{
    uint32_t mask = (1u << row->detail) - 1;
    struct agpu_ir_expr *a = agpu_ir_source(builder, insn, 1, 'f', mask);
    struct agpu_ir_expr *b = agpu_ir_source(builder, insn, 2, 'f', mask);
    agpu_ir_write(builder, insn, 0, agpu_ir_binary(builder->program, AGPU_IR_DOT, a, b));
}

/* dest0 = condition ? b : a, dest1 = condition ? a : b. */
void agpu_ir_build_swapc(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                         const struct agpu_ir_row *row)
{
    (void)row;
    struct agpu_ir_expr *values[2] = {NULL, NULL};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t mask = agpu_ir_destination_mask(&insn->operands[i]);
        if (mask == 0)
            continue;
        values[i] = agpu_ir_expr_new(builder->program, AGPU_IR_SELECT, agpu_ir_lane_count(mask), 3);
        values[i]->args[0] = agpu_ir_source(builder, insn, 2, 'c', mask);
        values[i]->args[1 + i] = agpu_ir_source(builder, insn, 4, 'b', mask);
        values[i]->args[2 - i] = agpu_ir_source(builder, insn, 3, 'b', mask);
    }
    if (values[0] != NULL && values[1] != NULL)
        values[1] = agpu_ir_scratch(builder, insn, values[1]);
    for (uint32_t i = 0; i < 2; i++)
        if (values[i] != NULL)
            agpu_ir_write(builder, insn, i, values[i]);
}
