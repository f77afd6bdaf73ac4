/* SPDX-License-Identifier: MIT
 *
 * Integer arithmetic, section 22.12. All operations wrap around.
 */
#include "ref/number.h"
#include "ref/ops.h"

/* Masked sum of absolute differences of bytes; overflow saturates (D11). */
static uint32_t masked_difference(uint32_t reference, uint32_t source, uint32_t sum)
{
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        const uint32_t r = reference >> shift & 0xff;
        const uint32_t s = source >> shift & 0xff;
        const uint32_t difference = r == 0 ? 0 : r > s ? r - s : s - r;
        sum = UINT32_MAX - sum < difference ? UINT32_MAX : sum + difference;
    }
    return sum;
}

static uint64_t signed_product(uint32_t a, uint32_t b)
{
    return (uint64_t)((int64_t)ag_ref_signed(a) * ag_ref_signed(b));
}

/* clang-format off */
#define INTEGER_OPS(X)                                                                                       \
    X(IADD, a + b)                                                                                           \
    X(IMAD, a * b + c)                                                                                       \
    X(UMAD, a * b + c)                                                                                       \
    X(INEG, 0 - a)                                                                                           \
    X(IMAX, ag_ref_signed(a) > ag_ref_signed(b) ? a : b)                                                 \
    X(IMIN, ag_ref_signed(a) < ag_ref_signed(b) ? a : b)                                                 \
    X(UMAX, a > b ? a : b)                                                                                   \
    X(UMIN, a < b ? a : b)                                                                                   \
    X(IMUL, (uint32_t)(signed_product(a, b) >> 32))                                                          \
    X(UMUL, (uint32_t)((uint64_t)a * b >> 32))                                                               \
    X(UDIV, b != 0 ? a / b : UINT32_MAX)                                                                     \
    X(UADDC, a + b)                                                                                          \
    X(USUBB, a - b)                                                                                          \
    X(MSAD, masked_difference(a, b, c))

#define SECOND_OPS(X)                                                                                        \
    X(IMUL, a * b)                                                                                           \
    X(UMUL, a * b)                                                                                           \
    X(UDIV, b != 0 ? a % b : UINT32_MAX)                                                                     \
    X(UADDC, (uint32_t)(a + b < a))                                                                          \
    X(USUBB, (uint32_t)(a < b))

#define DEFINE(which, name, expression)                                                                      \
    static uint32_t which##_##name(const struct ag_ref_lane *lane)                                         \
    {                                                                                                        \
        const uint32_t a = lane->a, b = lane->b, c = lane->c;                                                \
        (void)b, (void)c;                                                                                    \
        return expression;                                                                                   \
    }
#define FIRST_FUNCTION(name, expression) DEFINE(first, name, expression)
#define SECOND_FUNCTION(name, expression) DEFINE(second, name, expression)
INTEGER_OPS(FIRST_FUNCTION)
SECOND_OPS(SECOND_FUNCTION)

#define FIRST_ROW(name, expression) [AGPU_OP_##name].first = first_##name,
#define SECOND_ROW(name, expression) [AGPU_OP_##name].second = second_##name,
const struct ag_ref_op ag_ref_integer_ops[AGPU_OPCODE_LIMIT] = {
    INTEGER_OPS(FIRST_ROW)
    SECOND_OPS(SECOND_ROW)
};

#define ATOMIC_OPS(X)                                                                                        \
    X(AND, old & value)                                                                                      \
    X(OR, old | value)                                                                                       \
    X(XOR, old ^ value)                                                                                      \
    X(IADD, old + value)                                                                                     \
    X(IMAX, ag_ref_signed(old) > ag_ref_signed(value) ? old : value)                                     \
    X(IMIN, ag_ref_signed(old) < ag_ref_signed(value) ? old : value)                                     \
    X(UMAX, old > value ? old : value)                                                                       \
    X(UMIN, old < value ? old : value)                                                                       \
    X(EXCH, value)                                                                                           \
    X(CMP_EXCH, old == compare ? value : old)

#define ATOMIC_FUNCTION(name, expression)                                                                    \
    static uint32_t atomic_##name(uint32_t old, uint32_t compare, uint32_t value)                            \
    {                                                                                                        \
        (void)old, (void)compare;                                                                            \
        return expression;                                                                                   \
    }
ATOMIC_OPS(ATOMIC_FUNCTION)

#define IMM_ATOMIC_ROW(name, expression) [AGPU_OP_IMM_ATOMIC_##name] = atomic_##name,
const ag_ref_atomic_op ag_ref_atomic_ops[AGPU_OPCODE_LIMIT] = {
    ATOMIC_OPS(IMM_ATOMIC_ROW)
    [AGPU_OP_ATOMIC_AND] = atomic_AND,
    [AGPU_OP_ATOMIC_OR] = atomic_OR,
    [AGPU_OP_ATOMIC_XOR] = atomic_XOR,
    [AGPU_OP_ATOMIC_CMP_STORE] = atomic_CMP_EXCH,
    [AGPU_OP_ATOMIC_IADD] = atomic_IADD,
    [AGPU_OP_ATOMIC_IMAX] = atomic_IMAX,
    [AGPU_OP_ATOMIC_IMIN] = atomic_IMIN,
    [AGPU_OP_ATOMIC_UMAX] = atomic_UMAX,
    [AGPU_OP_ATOMIC_UMIN] = atomic_UMIN,
};
/* clang-format on */
