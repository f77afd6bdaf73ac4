/* SPDX-License-Identifier: MIT
 *
 * Conversions between numbers of 32 bits or fewer, section 22.13.
 */
#include "ref/number.h"
#include "ref/ops.h"

/* clang-format off */
#define CONVERT_OPS(X)                                                                                       \
    X(FTOI, ag_ref_to_int((double)ag_float_from_bits(a)))                                                \
    X(FTOU, ag_ref_to_uint((double)ag_float_from_bits(a)))                                               \
    X(ITOF, ag_bits_from_float((float)ag_ref_signed(a)))                                                 \
    X(UTOF, ag_bits_from_float((float)a))                                                                  \
    X(F32TOF16, ag_ref_narrow_float(a, 10, true))                                                          \
    X(F16TOF32, ag_ref_widen_float(a & 0xffff, 10, true))

#define CONVERT_FUNCTION(name, expression)                                                                   \
    static uint32_t first_##name(const struct ag_ref_lane *lane)                                           \
    {                                                                                                        \
        const uint32_t a = lane->a;                                                                          \
        return expression;                                                                                   \
    }
CONVERT_OPS(CONVERT_FUNCTION)

#define CONVERT_ROW(name, expression) [AGPU_OP_##name].first = first_##name,
const struct ag_ref_op ag_ref_convert_ops[AGPU_OPCODE_LIMIT] = {CONVERT_OPS(CONVERT_ROW)};
/* clang-format on */
