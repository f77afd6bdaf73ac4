/* SPDX-License-Identifier: MIT
 *
 * Single precision arithmetic, sections 3.1.3 and 22.10. Functions such as exp are computed in double
 * precision and rounded once, which is well inside every tolerance of the specification.
 */
#include <math.h>

#include "ref/number.h"
#include "ref/ops.h"

/* X(name, input, expression). `input`: denormal inputs are flushed as the flags say, or always, for opcodes
 * whose class of result depends on that. */
/* clang-format off */
#define FLOAT_OPS(X)                                                                                         \
    X(ADD, BY_FLAGS, a + b)                                                                                  \
    X(MUL, BY_FLAGS, a * b)                                                                                  \
    X(DIV, BY_FLAGS, lane->flags & AG_REF_DIVIDE_BY_RECIPROCAL ? a * in(lane, out(lane, 1.0f / b)) : a / b)\
    X(MAD, BY_FLAGS, lane->flags & AG_REF_FUSE_MAD ? fmaf(a, b, c) : in(lane, out(lane, a * b)) + c)       \
    X(RCP, FLUSHED, 1.0f / a)                                                                                \
    X(SQRT, FLUSHED, sqrtf(a))                                                                               \
    X(RSQ, FLUSHED, (float)(1.0 / sqrt((double)a)))                                                          \
    X(LOG, FLUSHED, (float)log2((double)a))                                                                  \
    X(EXP, FLUSHED, (float)exp2((double)a))                                                                  \
    X(FRC, FLUSHED, a - floorf(a) >= 1.0f ? 0x1.fffffep-1f : a - floorf(a))                                  \
    X(ROUND_NE, FLUSHED, rintf(a))                                                                           \
    X(ROUND_NI, FLUSHED, floorf(a))                                                                          \
    X(ROUND_PI, FLUSHED, ceilf(a))                                                                           \
    X(ROUND_Z, FLUSHED, truncf(a))                                                                           \
    X(SINCOS, FLUSHED, (float)sin((double)a))
/* clang-format on */

static float in(const struct ag_ref_lane *lane, uint32_t bits)
{
    return ag_float_from_bits(ag_ref_flush_by(bits, lane->flags));
}

static uint32_t out(const struct ag_ref_lane *lane, float value)
{
    return ag_ref_flush_by(ag_bits_from_float(value), lane->flags);
}

#define INPUT_BY_FLAGS(bits) in(lane, bits)
#define INPUT_FLUSHED(bits) ag_float_from_bits(ag_ref_flush(bits))

#define FLOAT_FUNCTION(name, input, expression)                                                              \
    static uint32_t first_##name(const struct ag_ref_lane *lane)                                             \
    {                                                                                                        \
        const float a = INPUT_##input(lane->a), b = INPUT_##input(lane->b), c = INPUT_##input(lane->c);      \
        (void)b, (void)c;                                                                                    \
        return out(lane, expression);                                                                        \
    }
FLOAT_OPS(FLOAT_FUNCTION)

static uint32_t cosine(const struct ag_ref_lane *lane)
{
    return out(lane, (float)cos((double)INPUT_FLUSHED(lane->a)));
}

/* Compares flushed values; the result is flushed like any other. */
static uint32_t least(const struct ag_ref_lane *lane)
{
    return ag_ref_minimum(ag_ref_flush_by(lane->a, lane->flags), ag_ref_flush_by(lane->b, lane->flags));
}

static uint32_t greatest(const struct ag_ref_lane *lane)
{
    return ag_ref_maximum(ag_ref_flush_by(lane->a, lane->flags), ag_ref_flush_by(lane->b, lane->flags));
}

/* clang-format off */
#define FLOAT_ROW(name, input, expression) [AGPU_OP_##name].first = first_##name,
const struct ag_ref_op ag_ref_float_ops[AGPU_OPCODE_LIMIT] = {
    FLOAT_OPS(FLOAT_ROW)
    [AGPU_OP_SINCOS].second = cosine,
    [AGPU_OP_MIN].first = least,
    [AGPU_OP_MAX].first = greatest,
};
/* clang-format on */
