/* SPDX-License-Identifier: MIT
 *
 * Arithmetic, logic, conversions and moves.
 */
#include "ir/build.h"

static struct ag_ir_expr *build_operation(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                          enum ag_ir_op op, uint32_t first_source, uint32_t mask)
{
    uint32_t count = insn->operand_count > first_source ? insn->operand_count - first_source : 0;
    if (op == AG_IR_READ) /* a move */
        return ag_ir_source(builder, insn, first_source, ag_ir_operand_kind(insn, first_source), mask);
    struct ag_ir_expr *expr =
        ag_ir_expr_new(builder->program, op, ag_ir_lane_count(mask), count > 4 ? 4 : count);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        expr->args[i] =
            ag_ir_source(builder, insn, first_source + i, ag_ir_operand_kind(insn, first_source + i), mask);
    return expr;
}

void ag_ir_build_alu(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                     const struct ag_ir_row *row)
{
    uint32_t mask = ag_ir_destination_mask(&insn->operands[0]);
    if (mask == 0)
        return;
    if (row->detail)
        builder->program->derivatives = true;
    ag_ir_write(builder, insn, 0, build_operation(builder, insn, (enum ag_ir_op)row->op, 1, mask));
}

static void share_pair(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                       struct ag_ir_expr *values[2], bool has_same_arguments)
{
    if (has_same_arguments) {
        ag_ir_share(builder, insn, values);
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct ag_ir_expr *one[2] = {values[i], NULL};
        if (values[i] != NULL)
            ag_ir_share(builder, insn, one);
        values[i] = one[0];
    }
}

/* Instructions with two results, both of which are computed before the first is written: a destination may
 * also be a source. */
void ag_ir_build_pair(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                      const struct ag_ir_row *row)
{
    uint32_t masks[2] = {ag_ir_destination_mask(&insn->operands[0]),
                         ag_ir_destination_mask(&insn->operands[1])};
    struct ag_ir_expr *values[2] = {NULL, NULL};
    for (uint32_t i = 0; i < 2; i++)
        if (masks[i] != 0)
            values[i] =
                build_operation(builder, insn, (enum ag_ir_op)(i == 0 ? row->op : row->op2), 2, masks[i]);
    share_pair(builder, insn, values, masks[0] == masks[1]);
    if (values[0] != NULL && values[1] != NULL)
        values[1] = ag_ir_scratch(builder, insn, values[1]);
    for (uint32_t i = 0; i < 2; i++)
        if (values[i] != NULL)
            ag_ir_write(builder, insn, i, values[i]);
}

void ag_ir_build_dot(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                     const struct ag_ir_row *row)
{
    uint32_t mask = (1u << row->detail) - 1;
    struct ag_ir_expr *a = ag_ir_source(builder, insn, 1, 'f', mask);
    struct ag_ir_expr *b = ag_ir_source(builder, insn, 2, 'f', mask);
    ag_ir_write(builder, insn, 0, ag_ir_binary(builder->program, AG_IR_DOT, a, b));
}

/* swapc: dest0 = condition ? b : a, dest1 = condition ? a : b. */
void ag_ir_build_swapc(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                       const struct ag_ir_row *row)
{
    (void)row;
    struct ag_ir_expr *values[2] = {NULL, NULL};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t mask = ag_ir_destination_mask(&insn->operands[i]);
        if (mask == 0)
            continue;
        values[i] = ag_ir_expr_new(builder->program, AG_IR_SELECT, ag_ir_lane_count(mask), 3);
        values[i]->args[0] = ag_ir_source(builder, insn, 2, 'c', mask);
        values[i]->args[1 + i] = ag_ir_source(builder, insn, 4, 'b', mask);
        values[i]->args[2 - i] = ag_ir_source(builder, insn, 3, 'b', mask);
    }
    if (values[0] != NULL && values[1] != NULL)
        values[1] = ag_ir_scratch(builder, insn, values[1]);
    for (uint32_t i = 0; i < 2; i++)
        if (values[i] != NULL)
            ag_ir_write(builder, insn, i, values[i]);
}
