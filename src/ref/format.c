/* SPDX-License-Identifier: MIT
 *
 * Texel formats, sections 3.1.5, 3.1.6 and 3.2.
 */
#include <math.h>

#include "ref/number.h"

struct ag_ref_format ag_ref_format_make(enum ag_ref_format_kind kind, uint32_t bits, uint32_t count)
{
    struct ag_ref_format format = {.kind = (uint8_t)kind, .bytes = (uint8_t)(bits * count / 8)};
    for (uint32_t i = 0; i < count; i++)
        format.channel[i] = (struct ag_ref_channel){(uint8_t)(i * bits), (uint8_t)bits};
    return format;
}

/* ---- Bit fields --------------------------------------------------------------------------------------- */

static uint32_t low_bits(uint32_t count)
{
    return count >= 32 ? UINT32_MAX : (1u << count) - 1;
}

static uint32_t read_bits(const uint8_t *texel, struct ag_ref_channel channel)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < channel.bits; i++) {
        const uint32_t at = channel.offset + i;
        bits |= (uint32_t)(texel[at / 8] >> at % 8 & 1) << i;
    }
    return bits;
}

static void write_bits(uint8_t *texel, struct ag_ref_channel channel, uint32_t bits)
{
    for (uint32_t i = 0; i < channel.bits; i++) {
        const uint32_t at = channel.offset + i;
        const uint32_t cleared = texel[at / 8] & ~(1u << at % 8);
        texel[at / 8] = (uint8_t)(cleared | (bits >> i & 1) << at % 8);
    }
}

/* ---- Loading ------------------------------------------------------------------------------------------ */

static float unorm_to_float(uint32_t bits, uint32_t width)
{
    return (float)((double)bits / (double)low_bits(width));
}

static float snorm_to_float(uint32_t bits, uint32_t width)
{
    const double scaled = (double)ag_ref_sign_extend(bits, width) / (double)low_bits(width - 1);
    return scaled < -1.0 ? -1.0f : (float)scaled;
}

static float srgb_to_float(uint32_t bits, uint32_t width)
{
    const double c = (double)bits / (double)low_bits(width);
    return (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
}

static uint32_t widen(uint32_t bits, uint32_t width)
{
    switch (width) {
    case 16:
        return ag_ref_widen_float(bits, 10, true);
    case 11:
        return ag_ref_widen_float(bits, 6, false);
    case 10:
        return ag_ref_widen_float(bits, 5, false);
    default:
        return bits;
    }
}

static uint32_t load_channel(enum ag_ref_format_kind kind, uint32_t bits, uint32_t width, bool is_alpha)
{
    switch (kind) {
    case AG_REF_TYPELESS:
    case AG_REF_UINT:
    case AG_REF_SHARED_EXP:
        return bits;
    case AG_REF_SINT:
        return (uint32_t)ag_ref_sign_extend(bits, width);
    case AG_REF_UNORM:
        return ag_bits_from_float(unorm_to_float(bits, width));
    case AG_REF_UNORM_SRGB:
        return ag_bits_from_float(is_alpha ? unorm_to_float(bits, width) : srgb_to_float(bits, width));
    case AG_REF_SNORM:
        return ag_bits_from_float(snorm_to_float(bits, width));
    case AG_REF_FLOAT:
        return widen(bits, width);
    }
    return bits;
}

static const struct ag_ref_channel shared_exponent[4] = {
    {0,  9},
    {9,  9},
    {18, 9},
    {27, 5}
};

static void load_shared_exponent(const uint8_t *texel, uint32_t value[4])
{
    const int exponent = (int)read_bits(texel, shared_exponent[3]) - 15 - 9;
    for (uint32_t i = 0; i < 3; i++)
        value[i] = ag_bits_from_float(ldexpf((float)read_bits(texel, shared_exponent[i]), exponent));
    value[3] = AG_REF_ONE;
}

void ag_ref_format_load(const struct ag_ref_format *format, const void *texel, uint32_t value[4])
{
    const enum ag_ref_format_kind kind = (enum ag_ref_format_kind)format->kind;
    const bool is_integer = kind == AG_REF_UINT || kind == AG_REF_SINT;
    if (kind == AG_REF_SHARED_EXP) {
        load_shared_exponent(texel, value);
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        const struct ag_ref_channel channel = format->channel[i];
        if (channel.bits != 0)
            value[i] = load_channel(kind, read_bits(texel, channel), channel.bits, i == 3);
        else
            value[i] = i < 3 ? 0 : is_integer ? 1 : AG_REF_ONE;
    }
}

/* ---- Storing ------------------------------------------------------------------------------------------ */

static uint32_t float_to_unorm(uint32_t bits, uint32_t width)
{
    const double c = (double)ag_float_from_bits(ag_ref_saturate(bits));
    return (uint32_t)(c * (double)low_bits(width) + 0.5);
}

static uint32_t float_to_snorm(uint32_t bits, uint32_t width)
{
    if (ag_ref_is_nan(bits))
        return 0;
    const double c = fmax(-1.0, fmin(1.0, (double)ag_float_from_bits(bits))) * (double)low_bits(width - 1);
    return (uint32_t)(int32_t)(c >= 0.0 ? c + 0.5 : c - 0.5);
}

static uint32_t float_to_srgb(uint32_t bits, uint32_t width)
{
    const double c = (double)ag_float_from_bits(ag_ref_saturate(bits));
    const double encoded = c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1.0 / 2.4) - 0.055;
    return (uint32_t)(encoded * (double)low_bits(width) + 0.5);
}

static uint32_t clamp_signed(uint32_t bits, uint32_t width)
{
    const int32_t most = (int32_t)low_bits(width - 1);
    const int32_t value = ag_ref_signed(bits);
    return (uint32_t)(value > most ? most : value < -most - 1 ? -most - 1 : value);
}

static uint32_t narrow(uint32_t bits, uint32_t width)
{
    switch (width) {
    case 16:
        return ag_ref_narrow_float(bits, 10, true);
    case 11:
        return ag_ref_narrow_float(bits, 6, false);
    case 10:
        return ag_ref_narrow_float(bits, 5, false);
    default:
        return bits;
    }
}

static uint32_t store_channel(enum ag_ref_format_kind kind, uint32_t bits, uint32_t width, bool is_alpha)
{
    switch (kind) {
    case AG_REF_TYPELESS:
    case AG_REF_SHARED_EXP:
        return bits;
    case AG_REF_UINT:
        return bits > low_bits(width) ? low_bits(width) : bits;
    case AG_REF_SINT:
        return clamp_signed(bits, width);
    case AG_REF_UNORM:
        return float_to_unorm(bits, width);
    case AG_REF_UNORM_SRGB:
        return is_alpha ? float_to_unorm(bits, width) : float_to_srgb(bits, width);
    case AG_REF_SNORM:
        return float_to_snorm(bits, width);
    case AG_REF_FLOAT:
        return narrow(bits, width);
    }
    return bits;
}

/* Section 19.3.2: the exponent of the largest component is shared by all three. */
static void store_shared_exponent(const uint32_t value[4], uint8_t *texel)
{
    const double most = 511.0 / 512.0 * 65536.0;
    double component[3], largest = 0.0;
    for (uint32_t i = 0; i < 3; i++) {
        const double c = ag_ref_is_nan(value[i]) ? 0.0 : (double)ag_float_from_bits(value[i]);
        component[i] = fmax(0.0, fmin(most, c));
        largest = fmax(largest, component[i]);
    }
    int exponent = largest > 0.0 ? ilogb(largest) + 1 : -15;
    exponent = exponent < -15 ? -15 : exponent;
    if (floor(ldexp(largest, 9 - exponent) + 0.5) >= 512.0)
        exponent++;
    for (uint32_t i = 0; i < 3; i++)
        write_bits(texel, shared_exponent[i], (uint32_t)floor(ldexp(component[i], 9 - exponent) + 0.5));
    write_bits(texel, shared_exponent[3], (uint32_t)(exponent + 15));
}

void ag_ref_format_store(const struct ag_ref_format *format, const uint32_t value[4], void *texel)
{
    const enum ag_ref_format_kind kind = (enum ag_ref_format_kind)format->kind;
    if (kind == AG_REF_SHARED_EXP) {
        store_shared_exponent(value, texel);
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        const struct ag_ref_channel channel = format->channel[i];
        if (channel.bits != 0)
            write_bits(texel, channel, store_channel(kind, value[i], channel.bits, i == 3));
    }
}
