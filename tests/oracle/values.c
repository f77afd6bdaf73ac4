/* SPDX-License-Identifier: MIT
 *
 * Operand values where implementations go wrong, and which results D3D11 lets pass for which.
 */
#include <math.h>

#include "base/bytes.h"
#include "oracle.h"

#define INFINITY_BITS 0x7f800000u
#define SIGN 0x80000000u

/* ---- Random numbers (splitmix64) ---------------------------------------------------------------------- */

uint32_t oracle_next(struct oracle_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 32);
}

uint32_t oracle_below(struct oracle_random *random, uint32_t limit)
{
    return (uint32_t)((uint64_t)oracle_next(random) * limit >> 32);
}

bool oracle_chance(struct oracle_random *random, uint32_t percent)
{
    return oracle_below(random, 100) < percent;
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

/* clang-format off */
static const uint32_t floats[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x80400000, /* zeros, denormals */
    0x00800000, 0x80800000, 0x00800001, 0x7f7fffff, 0xff7fffff, 0x7f000000, /* the ends of the range */
    0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0xffbfffff, /* INF, quiet and signalling NaN */
    0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800001, /* about 1 and a half */
    0x3fc00000, 0x40200000, 0xc0200000, 0x40600000, 0x3effffff, 0xaedbe6ff, /* ties; a tiny negative number */
    0x3eaaaaab, 0x40490fdb, 0xbfc90fdb, 0x439d1463, 0x47c35000, 0xc2c88000, /* thirds and angles */
    0x4b000001, 0xcb7fffff, 0x4affffff, 0x4f000000, 0xcf000000, 0x4effffff, /* about 2^23, 2^31, 2^32 */
    0xcf000001, 0x4f7fffff, 0x4f800000, 0x42fd0000, 0x43000000, 0xc3150000, /* ends of exp */
    0x477fe000, 0x477fefff, 0x477ff000, 0x47800000, 0x38800000, 0x387fffff, /* ends of the halves */
    0x33800000, 0xb37fffff, 0x7e800001, 0xfe000000, 0x5f7ffff0, 0xa0000000, /* reciprocals of denormals */
};

static const uint32_t integers[] = {
    0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 24, 30, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x100,
    0x1ff, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff, 0x8000, 0x8001, 0xffff, 0x10000, 0x00ff00ff, 0xff00ff00,
    0x01020304, 0x04030201, 0x12345678, 0x55555555, 0xaaaaaaaa, 0x40000000, 0x7ffffffe, 0x7fffffff,
    0x80000000, 0x80000001, 0xc0000000, 0xdeadbeef, 0xfe000001, 0xffff0000, 0xffff8000, 0xffffff80, 0xfffffffe,
    0xffffffff, 0x00ffffff, 0x01000001, 0x80000080, 0xffffffe0,
};

static const uint32_t conditions[] = {0, 1, 0x80000000, 0xffffffff, 0, 0x7fc00000, 0x3f800000, 0x00000100};

/* Low word, high word. */
static const uint32_t doubles[] = {
    0, 0, 0, 0x80000000, 1, 0, 1, 0x80000000, 0xffffffff, 0x000fffff, 0, 0x00100000,
    0xffffffff, 0x7fefffff, 0xffffffff, 0xffefffff, 0, 0x7ff00000, 0, 0xfff00000, 0, 0x7ff80000, 1, 0xfff00000,
    0, 0x3ff00000, 0, 0xbff00000, 1, 0x3ff00000, 0xffffffff, 0x3fefffff, 0, 0x3fe00000, 0, 0x40080000,
    0x55555555, 0x3fd55555, 0x54442d18, 0xc00921fb, 0xffc00000, 0x41dfffff, 0, 0x41e00000, 0, 0xc1e00000,
    0x00200000, 0xc1e00000, 0xffe00000, 0x41efffff, 0, 0x41f00000, 0xe0000000, 0x47efffff, 0xf0000000, 0x47efffff,
    0, 0x36a00000, 0, 0x36900000, 0, 0x380fffff, 0, 0x43300000, 1, 0x43300000, 0, 0x3cb00000, 0, 0x7fe00000,
};
/* clang-format on */

struct oracle_values oracle_values_of_kind(char kind)
{
    switch (kind) {
    case 'i':
    case 'u':
        return (struct oracle_values){integers, AG_COUNT_OF(integers)};
    case 'c':
        return (struct oracle_values){conditions, AG_COUNT_OF(conditions)};
    case 'd':
        return (struct oracle_values){doubles, AG_COUNT_OF(doubles)};
    default:
        return (struct oracle_values){floats, AG_COUNT_OF(floats)};
    }
}

/* ---- Results ------------------------------------------------------------------------------------------ */

static bool is_nan(uint32_t bits)
{
    return (bits & ~SIGN) > INFINITY_BITS;
}

/* Steps between two floats of one sign; a great number otherwise. */
static uint32_t ulps(uint32_t a, uint32_t b)
{
    if ((a ^ b) & SIGN)
        return UINT32_MAX;
    return a > b ? a - b : b - a;
}

static bool is_within(uint32_t got, uint32_t want, double relative, double absolute)
{
    const double g = (double)ag_float_from_bits(got), w = (double)ag_float_from_bits(want);
    if (!isfinite(g) || !isfinite(w))
        return false;
    return fabs(g - w) <= fabs(w) * relative + absolute;
}

/* Products between the largest denormal and the least normal number: those who flush before they round have 0
 * where others have the least normal number. */
static bool is_flushed_early(uint32_t opcode, uint32_t got, uint32_t want)
{
    if (opcode == AGPU_OP_MAD)
        return (want & ~SIGN) <= 0x01800000 && is_within(got, want, 0, 0x1p-126);
    return (opcode == AGPU_OP_MUL || opcode == AGPU_OP_DIV) && (want & ~SIGN) == 0x00800000 &&
           got == (want & SIGN);
}

/* Sections 3.1.3.2, 22.10.6, 22.10.8, 22.10.18 to 22.10.21. Denormals may be flushed before they are rounded.
 */
static bool is_close(uint32_t opcode, uint32_t got, uint32_t want, uint32_t source)
{
    const double denormal = (want & INFINITY_BITS) == 0 ? 0x1p-126 : 0.0;
    switch (opcode) {
    case AGPU_OP_DIV: /* a reciprocal to 1 ULP times a, to half an ULP */
        return !is_nan(want) && ulps(got, want) <= 2;
    case AGPU_OP_SQRT:
        return !is_nan(want) && ulps(got, want) <= 1;
    case AGPU_OP_RCP:
    case AGPU_OP_RSQ:
    case AGPU_OP_EXP:
        return is_within(got, want, 0x1p-21, denormal);
    case AGPU_OP_LOG: /* absolute for arguments from 0.5 to 2, whose logarithms are those from -1 to 1 */
        return (want & ~SIGN) <= 0x3f800000 ? is_within(got, want, 0, 0x1p-21)
                                            : is_within(got, want, 0x1p-21, 0);
    case AGPU_OP_SINCOS: { /* far from 0 only the range is promised */
        const bool far = (source & ~SIGN) > 0x439d1463 && (source & ~SIGN) < INFINITY_BITS;
        return is_within(got, far ? 0 : want, 0, far ? 1.0 : 0.0008);
    }
    default:
        return false;
    }
}

static uint32_t dot_terms(uint32_t opcode)
{
    return opcode == AGPU_OP_DP2 ? 2 : opcode == AGPU_OP_DP3 ? 3 : opcode == AGPU_OP_DP4 ? 4 : 0;
}

/* A dot product is as good as the worst order of its steps; what leaves the range on the way may stay outside
 * or come back (3.1.3.2); refactoring may add components of one vector first. Vectors with INF or NaN are
 * left to the interpreter. */
static bool is_dot(const struct oracle_result *result, uint32_t got, uint32_t terms)
{
    double exact = 0, size = 0, sums[2] = {0};
    for (uint32_t i = 0; i < terms; i++) {
        const double term = (double)ag_float_from_bits(result->source[0][i]) *
                            (double)ag_float_from_bits(result->source[1][i]);
        exact += term;
        size += fabs(term);
        for (uint32_t k = 0; k < 2; k++)
            sums[k] += fabs((double)ag_float_from_bits(result->source[k][i]));
    }
    if (!isfinite(size))
        return false;
    if (fmax(size, fmax(sums[0], sums[1])) * 1.000001 > 0x1.fffffep+127)
        return true;
    if (result->saturated)
        exact = exact < 0 ? 0 : exact > 1 ? 1 : exact;
    const double g = (double)ag_float_from_bits(got);
    return isfinite(g) && fabs(g - exact) <= 2 * terms * (size * 0x1p-24 + 0x1p-126);
}

bool oracle_allows(const struct oracle_result *result, uint32_t got, uint32_t want)
{
    if (got == want)
        return true;
    if (result->opcode == AGPU_OP_F32TOF16) /* any NaN of a half, its sign kept or not */
        return (want & 0x7fff) > 0x7c00 && (got & 0x7fff) > 0x7c00 && got >> 16 == 0;
    if (result->kind != 'f')
        return false;
    if (is_nan(got) && is_nan(want))
        return true;
    const bool zero_by_order =
        result->opcode == AGPU_OP_MIN || result->opcode == AGPU_OP_MAX || result->saturated;
    if (zero_by_order && (got & ~SIGN) == 0 && (want & ~SIGN) == 0)
        return true;
    if (is_flushed_early(result->opcode, got, want))
        return true;
    const uint32_t terms = dot_terms(result->opcode);
    return terms != 0 ? is_dot(result, got, terms)
                      : is_close(result->opcode, got, want, result->source[0][0]);
}

/* Section 3.1.4: exact, but for the reciprocal. */
bool oracle_allows_double(const struct oracle_result *result, uint64_t got, uint64_t want)
{
    const uint64_t magnitude = UINT64_MAX >> 1, infinity = UINT64_C(0x7ff0000000000000);
    if (got == want)
        return true;
    if (result->kind != 'd')
        return false;
    if ((got & magnitude) > infinity && (want & magnitude) > infinity)
        return true;
    if ((got & magnitude) == 0 && (want & magnitude) == 0)
        return result->opcode == AGPU_OP_DMIN || result->opcode == AGPU_OP_DMAX || result->saturated;
    return result->opcode == AGPU_OP_DRCP && (want & magnitude) <= infinity &&
           (got == want + 1 || got + 1 == want);
}
