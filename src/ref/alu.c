/* SPDX-License-Identifier: MIT
 *
 * Instructions that only compute. All sources are read before any destination is written.
 */
#include "ref/machine.h"

#include <math.h>

#include "ref/number.h"
#include "ref/ops.h"

static const struct ag_ref_op *const op_tables[] = {
    ag_ref_float_ops, ag_ref_compare_ops, ag_ref_integer_ops, ag_ref_bit_ops, ag_ref_convert_ops,
};

static const struct ag_ref_op *find_op(uint32_t opcode)
{
    for (uint32_t i = 0; i < AG_COUNT_OF(op_tables); i++) {
        if (op_tables[i][opcode].first != NULL)
            return &op_tables[i][opcode];
    }
    return NULL;
}

static void read_sources(const struct ag_ref_thread *thread, const struct ag_ref_code *code,
                         uint32_t source[4][4])
{
    const uint32_t first = code->info->destination_count;
    memset(source, 0, 16 * sizeof(uint32_t));
    for (uint32_t i = first; i < code->instruction->operand_count && i - first < 4; i++)
        ag_ref_read(thread, &code->instruction->operands[i], ag_ref_operand_kind(code->info, i),
                    source[i - first]);
}

static enum ag_ref_step run_lanes(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct ag_ref_op *op = find_op(code->instruction->opcode);
    uint32_t source[4][4], first[4] = {0}, second[4] = {0};
    const uint32_t opcode = code->instruction->opcode;
    const bool perturbs = ag_ref_may_perturb(thread, opcode);
    read_sources(thread, code, source);
    for (uint32_t i = 0; i < 4; i++) {
        const struct ag_ref_lane lane = {.a = source[0][i],
                                         .b = source[1][i],
                                         .c = source[2][i],
                                         .d = source[3][i],
                                         .flags = thread->run->flags};
        first[i] = op->first(&lane);
        if (op->second != NULL)
            second[i] = op->second(&lane);
        if (perturbs)
            first[i] = ag_ref_perturb(thread, opcode, &lane, source, i, first[i]);
        if (perturbs && op->second != NULL)
            second[i] = ag_ref_perturb(thread, opcode, &lane, source, 4 + i, second[i]);
    }
    ag_ref_write_result(thread, code, 0, first);
    if (op->second != NULL && code->info->destination_count == 2)
        ag_ref_write_result(thread, code, 1, second);
    return AG_REF_STEP_NEXT;
}

/* ---- Dot products ------------------------------------------------------------------------------------- */

static const uint8_t dot_components[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_DP2] = 2,
    [AGPU_OP_DP3] = 3,
    [AGPU_OP_DP4] = 4,
};

static enum ag_ref_step run_dot(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const uint32_t flags = thread->run->flags;
    uint32_t source[4][4], result[4];
    read_sources(thread, code, source);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < dot_components[code->instruction->opcode]; i++) {
        const float a = ag_float_from_bits(ag_ref_flush_by(source[0][i], flags));
        const float b = ag_float_from_bits(ag_ref_flush_by(source[1][i], flags));
        const float so_far = ag_float_from_bits(sum);
        const float product = ag_float_from_bits(ag_ref_flush_by(ag_bits_from_float(a * b), flags));
        const float next = i == 0 ? product : flags & AG_REF_FUSE_DOT ? fmaf(a, b, so_far) : so_far + product;
        sum = ag_ref_flush_by(ag_bits_from_float(next), flags);
    }
    const struct ag_ref_lane none = {0};
    if (ag_ref_may_perturb(thread, code->instruction->opcode))
        sum = ag_ref_perturb(thread, code->instruction->opcode, &none, source, 0, sum);
    for (uint32_t i = 0; i < 4; i++)
        result[i] = sum;
    ag_ref_write_result(thread, code, 0, result);
    return AG_REF_STEP_NEXT;
}

/* ---- Doubles ------------------------------------------------------------------------------------------ */

/* Component `i` of the sources: the pairs xy and zw of double operands, the components x and y of 32-bit
 * operands. */
static struct ag_ref_double_lane double_lane(const struct ag_ref_code *code, uint32_t flags,
                                             uint32_t source[4][4], uint32_t i)
{
    struct ag_ref_double_lane lane = {.flags = flags};
    uint64_t *const wide[] = {&lane.a, &lane.b, &lane.c};
    uint32_t next = 0;
    for (uint32_t k = code->info->destination_count; k < code->info->operand_count && next < 3; k++) {
        const uint32_t *value = source[k - code->info->destination_count];
        if (ag_ref_operand_kind(code->info, k) == 'd')
            *wide[next++] = ag_load_u64(&value[(size_t)2 * i]);
        else
            lane.word = value[i];
    }
    return lane;
}

static enum ag_ref_step run_double(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct ag_ref_double_op *op = &ag_ref_double_ops[code->instruction->opcode];
    uint32_t source[4][4], result[4] = {0}, narrow[2] = {0};
    read_sources(thread, code, source);
    for (uint32_t i = 0; i < 2; i++) {
        const struct ag_ref_double_lane lane = double_lane(code, thread->run->flags, source, i);
        if (op->wide != NULL)
            ag_store_u64(&result[(size_t)2 * i], op->wide(&lane));
        else
            narrow[i] = op->narrow(&lane);
    }
    /* The first 32-bit result is written to the first component of the mask, the second result to the next
     * component. */
    uint32_t next = 0;
    for (uint32_t i = 0; i < 4 && op->narrow != NULL; i++) {
        if (code->instruction->operands[0].mask >> i & 1)
            result[i] = narrow[next++ & 1];
    }
    ag_ref_write_result(thread, code, 0, result);
    return AG_REF_STEP_NEXT;
}

/* ---- Derivatives -------------------------------------------------------------------------------------- */

/* The axis of a derivative opcode, 'x' or 'y'. run.c has computed the fine derivatives, or for a coarse
 * opcode those of the upper row and the left column. */
static const char derivative_axis[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_DERIV_RTX] = 'x', [AGPU_OP_DERIV_RTX_COARSE] = 'x', [AGPU_OP_DERIV_RTX_FINE] = 'x',
    [AGPU_OP_DERIV_RTY] = 'y', [AGPU_OP_DERIV_RTY_COARSE] = 'y', [AGPU_OP_DERIV_RTY_FINE] = 'y',
};

static enum ag_ref_step run_derivative(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const uint32_t flags = thread->run->flags;
    uint32_t value[4];
    if (!thread->gradient.ready) {
        ag_ref_read(thread, &code->instruction->operands[1], 'f', value);
        for (uint32_t i = 0; i < 4; i++)
            thread->gradient.value[i] = ag_float_from_bits(ag_ref_flush_by(value[i], flags));
        return AG_REF_STEP_GRADIENT;
    }
    thread->gradient.ready = false;
    const bool is_x = derivative_axis[code->instruction->opcode] == 'x';
    for (uint32_t i = 0; i < 4; i++)
        value[i] = ag_ref_flush_by(ag_bits_from_float(is_x ? thread->gradient.dx[i] : thread->gradient.dy[i]),
                                   flags);
    ag_ref_write_result(thread, code, 0, value);
    return AG_REF_STEP_NEXT;
}

ag_ref_run_fn ag_ref_alu_run(uint32_t opcode)
{
    if (derivative_axis[opcode] != 0)
        return run_derivative;
    if (dot_components[opcode] != 0)
        return run_dot;
    if (ag_ref_double_ops[opcode].wide != NULL || ag_ref_double_ops[opcode].narrow != NULL)
        return run_double;
    return find_op(opcode) != NULL ? run_lanes : NULL;
}
