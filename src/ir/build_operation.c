/* SPDX-License-Identifier: MIT
 *
 * Operations that cost a driver's compiler much more than others.
 *
 * Drivers inline every function, so that sines and arithmetic of doubles, a hundred instructions each, are
 * compiled as often as a program has it, and some compilers take more than twice as long for twice as much. A
 * program with very many of them becomes a machine (build_machine.c), where each kind of operation has one
 * state, to which all instructions of that kind go and from which they come back.
 */
#include "ir/build.h"

/* Of a lane, which is a half of a double. */
static uint32_t cost_of(uint16_t opcode)
{
    switch (opcode) {
    case AGPU_OP_DADD:
        return AG_IR_COST_OF_DADD;
    case AGPU_OP_DMUL:
        return AG_IR_COST_OF_DMUL;
    case AGPU_OP_DDIV:
        return AG_IR_COST_OF_DDIV;
    case AGPU_OP_DRCP:
        return AG_IR_COST_OF_DRCP;
    case AGPU_OP_DFMA:
        return AG_IR_COST_OF_DFMA;
    case AGPU_OP_SINCOS:
        return AG_IR_COST_OF_SIN;
    default:
        return 0;
    }
}

uint32_t ag_ir_operation_cost(const struct agpu_instruction *insn)
{
    const uint32_t cost = cost_of(insn->opcode);
    if (cost == 0 || insn->operand_count == 0)
        return 0;
    const uint32_t lanes = ag_ir_lane_count(ag_ir_destination_mask(&insn->operands[0]));
    if (insn->opcode != AGPU_OP_SINCOS)
        return cost * ((lanes + 1) / 2) * 2;
    return cost * (lanes + ag_ir_lane_count(ag_ir_destination_mask(&insn->operands[1])));
}

static const bool takes_derivatives[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_SAMPLE] = true,
    [AGPU_OP_SAMPLE_B] = true,
    [AGPU_OP_SAMPLE_C] = true,
    [AGPU_OP_SAMPLE_CL_S] = true,
    [AGPU_OP_SAMPLE_B_CL_S] = true,
    [AGPU_OP_SAMPLE_C_CL_S] = true,
    [AGPU_OP_LOD] = true,
    [AGPU_OP_DERIV_RTX] = true,
    [AGPU_OP_DERIV_RTY] = true,
    [AGPU_OP_DERIV_RTX_COARSE] = true,
    [AGPU_OP_DERIV_RTY_COARSE] = true,
    [AGPU_OP_DERIV_RTX_FINE] = true,
    [AGPU_OP_DERIV_RTY_FINE] = true,
    [AGPU_OP_EVAL_CENTROID] = true,
    [AGPU_OP_EVAL_SAMPLE_INDEX] = true,
    [AGPU_OP_EVAL_SNAPPED] = true,
};

bool ag_ir_has_derivatives(const struct agpu_program *source)
{
    for (uint32_t at = 0; source->stage == AGPU_STAGE_PIXEL && at < source->instruction_count; at++)
        if (takes_derivatives[source->instructions[at].opcode])
            return true;
    return false;
}

void ag_ir_share(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                 struct ag_ir_expr *values[2])
{
    const uint32_t at = (uint32_t)(insn - builder->source->instructions);
    if (builder->shares_operations && builder->machine != NULL && at < builder->source->instruction_count &&
        builder->extents[at].calls)
        ag_ir_operate_in_machine(builder, insn, values);
}
