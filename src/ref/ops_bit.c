/* SPDX-License-Identifier: MIT
 *
 * Moves and bit operations, sections 22.9 and 22.11: no bit of a value is touched that the opcode does not
 * name. Counts use their low five bits.
 */
#include "ref/number.h"
#include "ref/ops.h"

static uint32_t reverse(uint32_t bits)
{
    uint32_t reversed = 0;
    for (uint32_t i = 0; i < 32; i++)
        reversed |= (bits >> i & 1) << (31 - i);
    return reversed;
}

static uint32_t count(uint32_t bits)
{
    uint32_t ones = 0;
    for (; bits != 0; bits &= bits - 1)
        ones++;
    return ones;
}

static uint32_t first_high(uint32_t bits)
{
    for (uint32_t i = 0; i < 32; i++) {
        if (bits >> (31 - i) & 1)
            return i;
    }
    return UINT32_MAX;
}

static uint32_t shift_signed(uint32_t bits, uint32_t by)
{
    return bits & AG_REF_SIGN ? ~(~bits >> by) : bits >> by;
}

/* Moves the field up to bit 31, so that a right shift extends it. A field that reaches beyond bit 31 is not
 * moved. */
static uint32_t field_left(uint32_t width, uint32_t offset, uint32_t value)
{
    return width + offset < 32 ? value << (32 - width - offset) : value >> offset << (32 - width);
}

static uint32_t extract(uint32_t width, uint32_t offset, uint32_t value)
{
    if (width == 0)
        return 0;
    return width + offset < 32 ? field_left(width, offset, value) >> (32 - width) : value >> offset;
}

static uint32_t extract_signed(uint32_t width, uint32_t offset, uint32_t value)
{
    if (width == 0)
        return 0;
    return width + offset < 32 ? shift_signed(field_left(width, offset, value), 32 - width)
                               : shift_signed(value, offset);
}

static uint32_t insert(uint32_t width, uint32_t offset, uint32_t value, uint32_t base)
{
    const uint32_t mask = ((1u << width) - 1) << offset;
    return (value << offset & mask) | (base & ~mask);
}

/* clang-format off */
#define BIT_OPS(X)                                                                                           \
    X(MOV, a)                                                                                                \
    X(MOVC, a != 0 ? b : c)                                                                                  \
    X(SWAPC, a != 0 ? c : b)                                                                                 \
    X(AND, a & b)                                                                                            \
    X(OR, a | b)                                                                                             \
    X(XOR, a ^ b)                                                                                            \
    X(NOT, ~a)                                                                                               \
    X(ISHL, a << (b & 31))                                                                                   \
    X(USHR, a >> (b & 31))                                                                                   \
    X(ISHR, shift_signed(a, b & 31))                                                                         \
    X(UBFE, extract(a & 31, b & 31, c))                                                                      \
    X(IBFE, extract_signed(a & 31, b & 31, c))                                                               \
    X(BFI, insert(a & 31, b & 31, c, d))                                                                     \
    X(BFREV, reverse(a))                                                                                     \
    X(COUNTBITS, count(a))                                                                                   \
    X(FIRSTBIT_HI, first_high(a))                                                                            \
    X(FIRSTBIT_LO, first_high(reverse(a)))                                                                   \
    X(FIRSTBIT_SHI, first_high(a & AG_REF_SIGN ? ~a : a))

#define BIT_FUNCTION(name, expression)                                                                       \
    static uint32_t first_##name(const struct ag_ref_lane *lane)                                           \
    {                                                                                                        \
        const uint32_t a = lane->a, b = lane->b, c = lane->c, d = lane->d;                                   \
        (void)b, (void)c, (void)d;                                                                           \
        return expression;                                                                                   \
    }
BIT_OPS(BIT_FUNCTION)

static uint32_t second_SWAPC(const struct ag_ref_lane *lane)
{
    return lane->a != 0 ? lane->b : lane->c;
}

#define BIT_ROW(name, expression) [AGPU_OP_##name].first = first_##name,
const struct ag_ref_op ag_ref_bit_ops[AGPU_OPCODE_LIMIT] = {
    BIT_OPS(BIT_ROW)
    [AGPU_OP_SWAPC].second = second_SWAPC,
};
/* clang-format on */
