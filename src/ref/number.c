/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on bits of numbers.
 */
#include "ref/number.h"

#include <math.h>

uint32_t ag_ref_saturate(uint32_t bits)
{
    if (ag_ref_is_nan(bits) || (bits & AG_REF_SIGN) != 0)
        return 0;
    return bits > AG_REF_ONE ? AG_REF_ONE : bits;
}

uint64_t ag_ref_saturate64(uint64_t bits)
{
    const uint64_t one = UINT64_C(0x3ff0000000000000);
    if (ag_ref_is_nan64(bits) || bits >> 63 != 0)
        return 0;
    return bits > one ? one : bits;
}

/* Positive when a is above b, with -0 below +0. Floats are ordered as sign and magnitude. */
static int order(uint64_t a, uint64_t b, uint64_t sign)
{
    const uint64_t key_a = a & sign ? ~a : a | sign;
    const uint64_t key_b = b & sign ? ~b : b | sign;
    const uint64_t width = sign | (sign - 1);
    return ((key_a & width) > (key_b & width)) - ((key_a & width) < (key_b & width));
}

uint32_t ag_ref_minimum(uint32_t a, uint32_t b)
{
    if (ag_ref_is_nan(a) || ag_ref_is_nan(b))
        return ag_ref_is_nan(a) ? b : a;
    return order(a, b, AG_REF_SIGN) <= 0 ? a : b;
}

uint32_t ag_ref_maximum(uint32_t a, uint32_t b)
{
    if (ag_ref_is_nan(a) || ag_ref_is_nan(b))
        return ag_ref_is_nan(a) ? b : a;
    return order(a, b, AG_REF_SIGN) >= 0 ? a : b;
}

uint64_t ag_ref_minimum64(uint64_t a, uint64_t b)
{
    if (ag_ref_is_nan64(a) || ag_ref_is_nan64(b))
        return ag_ref_is_nan64(a) ? b : a;
    return order(a, b, UINT64_C(1) << 63) <= 0 ? a : b;
}

uint64_t ag_ref_maximum64(uint64_t a, uint64_t b)
{
    if (ag_ref_is_nan64(a) || ag_ref_is_nan64(b))
        return ag_ref_is_nan64(a) ? b : a;
    return order(a, b, UINT64_C(1) << 63) >= 0 ? a : b;
}

uint32_t ag_ref_to_int(double value)
{
    if (isnan(value))
        return 0;
    if (value >= 2147483647.0)
        return INT32_MAX;
    if (value <= -2147483648.0)
        return AG_REF_SIGN;
    return (uint32_t)(int32_t)value;
}

uint32_t ag_ref_to_uint(double value)
{
    if (isnan(value) || value <= 0.0)
        return 0;
    return value >= 4294967295.0 ? UINT32_MAX : (uint32_t)value;
}

uint32_t ag_ref_narrow_float(uint32_t bits, uint32_t mantissa, bool has_sign)
{
    const uint32_t sign = has_sign ? (bits >> 31) << (mantissa + 5) : 0;
    const uint32_t magnitude = bits & ~AG_REF_SIGN;
    const uint32_t infinity = 0x1fu << mantissa;
    if (magnitude > AG_REF_INFINITY)
        return sign | infinity | 1u << (mantissa - 1);
    if (!has_sign && bits >> 31 != 0)
        return 0;
    if (magnitude == AG_REF_INFINITY)
        return sign | infinity;
    const int exponent = (int)(magnitude >> 23) - 127;
    if (exponent > 15)
        return sign | (infinity - 1);
    if (exponent >= -14)
        return sign | (uint32_t)(exponent + 15) << mantissa | (magnitude & 0x7fffff) >> (23 - mantissa);
    const uint32_t shift = (uint32_t)(-14 - exponent) + 23 - mantissa;
    return sign | (shift < 24 ? ((magnitude & 0x7fffff) | 0x800000) >> shift : 0);
}

uint32_t ag_ref_widen_float(uint32_t small, uint32_t mantissa, bool has_sign)
{
    const uint32_t sign = has_sign ? (small >> (mantissa + 5) & 1) << 31 : 0;
    const uint32_t exponent = small >> mantissa & 0x1f;
    const uint32_t fraction = small & ((1u << mantissa) - 1);
    if (exponent == 0x1f)
        return sign | AG_REF_INFINITY | fraction << (23 - mantissa);
    if (exponent != 0)
        return sign | (exponent + 112) << 23 | fraction << (23 - mantissa);
    return sign | ag_bits_from_float(ldexpf((float)fraction, -14 - (int)mantissa));
}

uint32_t ag_ref_array_slice(float coordinate, uint32_t count)
{
    if (!(coordinate > 0.0f) || count == 0)
        return 0;
    const float nearest = rintf(coordinate);
    return nearest >= (float)count ? count - 1 : (uint32_t)nearest;
}
