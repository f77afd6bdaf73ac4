/* SPDX-License-Identifier: MIT
 *
 * Numbers as bits: classes, flushing of denormals, and conversions that C has no operator for.
 */
#ifndef AG_REF_NUMBER_H
#define AG_REF_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "ref/ref.h"

#define AG_REF_SIGN 0x80000000u
#define AG_REF_INFINITY 0x7f800000u
#define AG_REF_ONE 0x3f800000u

static inline bool ag_ref_is_nan(uint32_t bits)
{
    return (bits & ~AG_REF_SIGN) > AG_REF_INFINITY;
}

static inline bool ag_ref_is_nan64(uint64_t bits)
{
    return (bits & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff0000000000000);
}

static inline uint32_t ag_ref_flush(uint32_t bits)
{
    return (bits & AG_REF_INFINITY) == 0 ? bits & AG_REF_SIGN : bits;
}

/* Flushes a denormal if the flags say so. */
static inline uint32_t ag_ref_flush_by(uint32_t bits, uint32_t flags)
{
    return flags & AG_REF_KEEP_DENORMALS ? bits : ag_ref_flush(bits);
}

static inline double ag_ref_double_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t ag_ref_bits_from_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline int32_t ag_ref_signed(uint32_t bits)
{
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The low `width` bits (1 to 32) as a signed number. */
static inline int32_t ag_ref_sign_extend(uint32_t bits, uint32_t width)
{
    const uint32_t sign = 1u << (width - 1);
    const uint32_t low = width < 32 ? bits & ((1u << width) - 1) : bits;
    return ag_ref_signed((low ^ sign) - sign);
}

/* The _sat modifier, sections 22.19.1 and 22.14.2: NaN gives 0. */
uint32_t ag_ref_saturate(uint32_t bits);
uint64_t ag_ref_saturate64(uint64_t bits);

/* minimumNumber and maximumNumber: if one operand is NaN the result is the other operand; -0 is below +0. */
uint32_t ag_ref_minimum(uint32_t a, uint32_t b);
uint32_t ag_ref_maximum(uint32_t a, uint32_t b);
uint64_t ag_ref_minimum64(uint64_t a, uint64_t b);
uint64_t ag_ref_maximum64(uint64_t a, uint64_t b);

/* Conversion to an integer: rounds toward zero, clamps to the range, and NaN gives 0. */
uint32_t ag_ref_to_int(double value);
uint32_t ag_ref_to_uint(double value);

/* A small float of 5 exponent bits and `mantissa` bits (10, 6 or 5), with or without a sign, in the low bits.
 * Narrowing rounds towards zero; without a sign negative numbers become 0. */
uint32_t ag_ref_narrow_float(uint32_t bits, uint32_t mantissa, bool has_sign);
uint32_t ag_ref_widen_float(uint32_t small, uint32_t mantissa, bool has_sign);

/* Rounds to the nearest even integer, as array slices are selected, and clamps to 0 .. count - 1; NaN gives
 * 0. */
uint32_t ag_ref_array_slice(float coordinate, uint32_t count);

#endif
