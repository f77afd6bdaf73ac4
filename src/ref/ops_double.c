/* SPDX-License-Identifier: MIT
 *
 * Double precision, sections 22.14 to 22.17.6: IEEE 754 with denormals, which C's double implements.
 */
#include <math.h>

#include "ref/number.h"
#include "ref/ops.h"

/* clang-format off */
#define ARITHMETIC_OPS(X)                                                                                    \
    X(DADD, a + b)                                                                                           \
    X(DMUL, a * b)                                                                                           \
    X(DDIV, a / b)                                                                                           \
    X(DRCP, 1.0 / a)                                                                                         \
    X(DFMA, fma(a, b, c))                                                                                    \
    X(ITOD, (double)ag_ref_signed(word))                                                                   \
    X(UTOD, (double)word)                                                                                    \
    X(FTOD, (double)ag_float_from_bits(ag_ref_flush_by(word, lane->flags)))

#define BITS_OPS(X)                                                                                          \
    X(DMIN, ag_ref_minimum64(lane->a, lane->b))                                                            \
    X(DMAX, ag_ref_maximum64(lane->a, lane->b))                                                            \
    X(DMOV, lane->a)                                                                                         \
    X(DMOVC, lane->word != 0 ? lane->a : lane->b)

#define NARROW_OPS(X)                                                                                        \
    X(DEQ, a == b ? UINT32_MAX : 0)                                                                          \
    X(DNE, a != b ? UINT32_MAX : 0)                                                                          \
    X(DLT, a < b ? UINT32_MAX : 0)                                                                           \
    X(DGE, a >= b ? UINT32_MAX : 0)                                                                          \
    X(DTOF, ag_ref_flush_by(ag_bits_from_float((float)a), lane->flags))                                  \
    X(DTOI, ag_ref_to_int(a))                                                                              \
    X(DTOU, ag_ref_to_uint(a))

#define DEFINE(type, which, name, expression)                                                                \
    static type which##_##name(const struct ag_ref_double_lane *lane)                                      \
    {                                                                                                        \
        const double a = ag_ref_double_from_bits(lane->a);                                                 \
        const double b = ag_ref_double_from_bits(lane->b);                                                 \
        const double c = ag_ref_double_from_bits(lane->c);                                                 \
        const uint32_t word = lane->word;                                                                    \
        (void)a, (void)b, (void)c, (void)word;                                                               \
        return expression;                                                                                   \
    }
#define ARITHMETIC_FUNCTION(name, expression)                                                                \
    DEFINE(uint64_t, wide, name, ag_ref_bits_from_double(expression))
#define BITS_FUNCTION(name, expression) DEFINE(uint64_t, wide, name, expression)
#define NARROW_FUNCTION(name, expression) DEFINE(uint32_t, narrow, name, expression)
ARITHMETIC_OPS(ARITHMETIC_FUNCTION)
BITS_OPS(BITS_FUNCTION)
NARROW_OPS(NARROW_FUNCTION)

#define WIDE_ROW(name, expression) [AGPU_OP_##name].wide = wide_##name,
#define NARROW_ROW(name, expression) [AGPU_OP_##name].narrow = narrow_##name,
const struct ag_ref_double_op ag_ref_double_ops[AGPU_OPCODE_LIMIT] = {
    ARITHMETIC_OPS(WIDE_ROW)
    BITS_OPS(WIDE_ROW)
    NARROW_OPS(NARROW_ROW)
};
/* clang-format on */
