/* SPDX-License-Identifier: MIT
 *
 * Tiled resource feedback: the opcodes with suffix _s are the plain opcodes with one more destination, a
 * status, behind the first. All tiles are always resident here, so the status is a constant (decision D20).
 */
#include <string.h>

#include "ir/build.h"

#define RESIDENT 1u

/* row->op is the plain opcode; row->op2 is 1 when the last operand clamps the level of detail. */
void ag_ir_build_feedback(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                          const struct ag_ir_row *row)
{
    struct agpu_operand operands[AGPU_MAX_OPERANDS];
    struct agpu_instruction plain = *insn;
    struct ag_ir_row plain_row = ag_ir_rows[row->op];
    plain_row.op2 = row->op2;
    operands[0] = insn->operands[0];
    memcpy(&operands[1], &insn->operands[2], (insn->operand_count - 2u) * sizeof operands[0]);
    plain.operands = operands;
    plain.operand_count--;
    plain_row.build(builder, &plain, &plain_row);
    if (ag_ir_destination_mask(&insn->operands[1]) != 0)
        ag_ir_write(builder, insn, 1, ag_ir_const(builder->program, 1, RESIDENT));
}

void ag_ir_build_check_mapped(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                              const struct ag_ir_row *row)
{
    (void)row;
    uint32_t mask = ag_ir_destination_mask(&insn->operands[0]);
    if (mask == 0)
        return;
    struct ag_ir_expr *status = ag_ir_source(builder, insn, 1, 'u', mask);
    ag_ir_write(builder, insn, 0,
                ag_ir_binary(builder->program, AG_IR_INE, status, ag_ir_const(builder->program, 1, 0)));
}
