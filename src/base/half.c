/* SPDX-License-Identifier: MIT */
#include "base/half.h"

#include "base/bytes.h"

uint16_t ag_half_from_float(float value)
{
    const uint32_t bits = ag_bits_from_float(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest >= 0x7f800000)
        return (uint16_t)(sign | (rest > 0x7f800000 ? 0x7e00 | (rest >> 13 & 0x3ff) : 0x7c00));
    if (rest >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    if (rest < 0x33000000)
        return (uint16_t)sign;
    uint32_t mantissa, shift;
    uint32_t base = 0;
    if (rest < 0x38800000) {
        shift = 126 - (rest >> 23);
        mantissa = (rest & 0x7fffff) | 0x800000;
    } else {
        shift = 13;
        mantissa = rest & 0x7fffff;
        base = ((rest >> 23) - 112) << 10;
    }
    const uint32_t dropped = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
    uint32_t result = base + (mantissa >> shift);
    if (dropped > half || (dropped == half && (result & 1) != 0))
        result++;
    return (uint16_t)(sign | result);
}

float ag_float_from_half(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31,
                   mantissa = half & 0x3ff;
    if (exponent == 31)
        return ag_float_from_bits(sign | 0x7f800000 | mantissa << 13);
    if (exponent != 0)
        return ag_float_from_bits(sign | (exponent + 112) << 23 | mantissa << 13);
    const float magnitude = (float)mantissa / 16777216.0f;
    return sign != 0 ? -magnitude : magnitude;
}
