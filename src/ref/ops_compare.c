/* SPDX-License-Identifier: MIT
 *
 * Comparisons, section 22.6: the result is all ones or all zeros. C's operators on floats behave as D3D's:
 * they are false for NaN, except !=, which is true, and they ignore the sign of zero.
 */
#include "ref/number.h"
#include "ref/ops.h"

/* clang-format off */
#define COMPARE_OPS(X)                                                                                       \
    X(EQ, f(a) == f(b))                                                                                      \
    X(NE, f(a) != f(b))                                                                                      \
    X(LT, f(a) < f(b))                                                                                       \
    X(GE, f(a) >= f(b))                                                                                      \
    X(IEQ, lane->a == lane->b)                                                                               \
    X(INE, lane->a != lane->b)                                                                               \
    X(ILT, ag_ref_signed(lane->a) < ag_ref_signed(lane->b))                                              \
    X(IGE, ag_ref_signed(lane->a) >= ag_ref_signed(lane->b))                                             \
    X(ULT, lane->a < lane->b)                                                                                \
    X(UGE, lane->a >= lane->b)                                                                               \
    X(CHECK_ACCESS_FULLY_MAPPED, lane->a != 0)

#define f(operand) ag_float_from_bits(ag_ref_flush_by(lane->operand, lane->flags))
#define COMPARE_FUNCTION(name, expression)                                                                   \
    static uint32_t first_##name(const struct ag_ref_lane *lane)                                           \
    {                                                                                                        \
        return (expression) ? UINT32_MAX : 0;                                                                \
    }
COMPARE_OPS(COMPARE_FUNCTION)

#define COMPARE_ROW(name, expression) [AGPU_OP_##name].first = first_##name,
const struct ag_ref_op ag_ref_compare_ops[AGPU_OPCODE_LIMIT] = {COMPARE_OPS(COMPARE_ROW)};
/* clang-format on */
