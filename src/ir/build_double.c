/* SPDX-License-Identifier: MIT
 *
 * Double-precision instructions. A double is a pair of lanes, xy or zw, and an instruction works on up to two
 * of them. 32-bit sources and results have one lane for each pair, in order.
 */
#include "ir/build.h"

static struct ag_ir_expr *build_one(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                    enum ag_ir_op op, uint32_t pair, bool wide)
{
    const uint32_t count = insn->operand_count < 4 ? insn->operand_count - 1u : 3;
    struct ag_ir_expr *args[3] = {NULL, NULL, NULL};
    for (uint32_t i = 0; i < count; i++) {
        char kind = ag_ir_operand_kind(insn, 1 + i);
        args[i] = ag_ir_source(builder, insn, 1 + i, kind, kind == 'd' ? 3u << (2 * pair) : 1u << pair);
    }
    if (op == AG_IR_READ) /* a move */
        return args[0];
    struct ag_ir_expr *expr = ag_ir_expr_new(builder->program, op, wide ? 2 : 1, count);
    for (uint32_t i = 0; i < count && i < expr->arg_count; i++)
        expr->args[i] = args[i];
    struct ag_ir_expr *values[2] = {expr, NULL};
    ag_ir_share(builder, insn, values);
    return values[0];
}

/* Two values, the first of them a read, as one vector. */
static struct ag_ir_expr *join(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                               struct ag_ir_expr *first, struct ag_ir_expr *second)
{
    const struct ag_ir_expr *parts[2] = {first, ag_ir_scratch(builder, insn, second)};
    struct ag_ir_expr *both =
        ag_ir_expr_new(builder->program, AG_IR_READ, parts[0]->width + 0u + parts[1]->width, 0);
    for (uint32_t i = 0; i < both->width && builder->program->status == AGPU_OK; i++) {
        const struct ag_ir_expr *part = parts[i / parts[0]->width];
        both->u.id[i] = part->u.id[i % parts[0]->width];
        both->component[i] = part->component[i % parts[0]->width];
    }
    return both;
}

void ag_ir_build_double(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                        const struct ag_ir_row *row)
{
    bool wide = ag_ir_operand_kind(insn, 0) == 'd';
    uint32_t mask = ag_ir_destination_mask(&insn->operands[0]), lanes = ag_ir_lane_count(mask);
    bool has_first = wide ? (mask & 3) == 3 : lanes > 0, has_second = wide ? (mask & 12) == 12 : lanes > 1;
    uint32_t whole = (has_first ? 3u : 0u) | (has_second ? 12u : 0u);
    if (wide ? whole != mask : lanes > 2) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_OPERAND, insn->offset,
                     "%s writes half of a double", agpu_opcode_info(insn->opcode)->mnemonic);
        return;
    }
    struct ag_ir_expr *values[2] = {NULL, NULL};
    for (uint32_t pair = 0; pair < 2; pair++) {
        if (pair == 0 ? !has_first : !has_second)
            continue;
        values[pair] = build_one(builder, insn, (enum ag_ir_op)row->op, pair, wide);
        if (wide && insn->saturate)
            values[pair] = ag_ir_unary(builder->program, AG_IR_DSATURATE, values[pair]);
        if (pair == 0 && has_second)
            values[pair] = ag_ir_scratch(builder, insn, values[pair]);
    }
    struct agpu_instruction plain = *insn;
    plain.saturate = insn->saturate && !wide;
    if (has_first && has_second)
        values[0] = join(builder, insn, values[0], values[1]);
    if (has_first || has_second)
        ag_ir_write(builder, &plain, 0, has_first ? values[0] : values[1]);
}
