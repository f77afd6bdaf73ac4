/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/bytes.h"
#include "stage.h"

/* The variants are samples of what is allowed: the span of them counts this many times. */
#define SPAN 3.0
#define LEAST_RELATIVE 0x1p-20
#define LEAST_ABSOLUTE 0x1p-22
/* Wider spans say nothing: a part of the number, and for small ones a fixed amount. */
#define WIDE_RELATIVE 0.02
#define WIDE_ABSOLUTE 0.01

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

static double number(uint32_t bits)
{
    return (double)ag_float_from_bits(bits);
}

static enum stage_verdict judge_floats(const struct stage_number *n)
{
    double low = INFINITY, high = -INFINITY;
    uint32_t odd = 0;
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++) {
        const double value = number(n->want[i]);
        odd += isfinite(value) ? 0 : 1;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    if (odd == STAGE_VARIANTS) {
        const bool nan = is_nan(n->want[0]);
        for (uint32_t i = 1; i < STAGE_VARIANTS; i++)
            if (nan != is_nan(n->want[i]) || (!nan && n->want[i] != n->want[0]))
                return STAGE_WIDE;
        return nan                    ? is_nan(n->got) ? STAGE_AGREES : STAGE_DIFFERS
               : n->got == n->want[0] ? STAGE_AGREES
                                      : STAGE_DIFFERS;
    }
    const double size = fmax(fabs(low), fabs(high)), span = high - low;
    if (odd != 0 || span > size * WIDE_RELATIVE + WIDE_ABSOLUTE)
        return STAGE_WIDE;
    const double margin = SPAN * span + size * LEAST_RELATIVE + LEAST_ABSOLUTE + n->step;
    const double got = number(n->got);
    return got >= low - margin && got <= high + margin ? STAGE_AGREES : STAGE_DIFFERS;
}

/* Denormals may be flushed, also of values that no arithmetic made. */
static bool is_tiny(uint32_t bits)
{
    return (bits & 0x7f800000) == 0;
}

/* What rounding does not move is exact. */
static bool is_exactly(uint32_t got, uint32_t want)
{
    return got == want || (is_nan(got) && is_nan(want)) || (is_tiny(got) && is_tiny(want));
}

enum stage_verdict stage_judge(const struct stage_number *number)
{
    bool same = true, known = false;
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++) {
        same = same && number->want[i] == number->want[0];
        known = known || number->got == number->want[i];
    }
    if (known)
        return STAGE_AGREES;
    if (number->is_integer)
        return same ? STAGE_DIFFERS : STAGE_WIDE;
    if (same && number->step == 0)
        return is_exactly(number->got, number->want[0]) ? STAGE_AGREES : STAGE_DIFFERS;
    return judge_floats(number);
}
