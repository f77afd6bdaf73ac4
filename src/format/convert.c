/* SPDX-License-Identifier: MIT
 *
 * Rows of texels between guest memory and what the host keeps.
 */
#include <string.h>

#include "base/bytes.h"
#include "format/format.h"
#include "format/norm.h"

/* To the nearest of the other width's values. */
static uint8_t expand5(uint32_t v)
{
    return (uint8_t)((v * 255 + 15) / 31);
}

static uint8_t expand6(uint32_t v)
{
    return (uint8_t)((v * 255 + 31) / 63);
}

static uint32_t narrow(uint32_t v, uint32_t most)
{
    return (v * most + 127) / 255;
}

static void expand_texel16(enum ag_conversion conversion, uint32_t v, uint8_t *rgba)
{
    if (conversion == AG_CONVERT_B5G6R5) {
        rgba[0] = expand5(v >> 11 & 31);
        rgba[1] = expand6(v >> 5 & 63);
        rgba[2] = expand5(v & 31);
        rgba[3] = 255;
    } else if (conversion == AG_CONVERT_B5G5R5A1) {
        rgba[0] = expand5(v >> 10 & 31);
        rgba[1] = expand5(v >> 5 & 31);
        rgba[2] = expand5(v & 31);
        rgba[3] = v >> 15 ? 255 : 0;
    } else {
        rgba[0] = (uint8_t)((v >> 8 & 15) * 17);
        rgba[1] = (uint8_t)((v >> 4 & 15) * 17);
        rgba[2] = (uint8_t)((v & 15) * 17);
        rgba[3] = (uint8_t)((v >> 12 & 15) * 17);
    }
}

static uint16_t pack_texel16(enum ag_conversion conversion, const uint8_t *rgba)
{
    uint32_t r = rgba[0], g = rgba[1], b = rgba[2], a = rgba[3];
    if (conversion == AG_CONVERT_B5G6R5)
        return (uint16_t)(narrow(r, 31) << 11 | narrow(g, 63) << 5 | narrow(b, 31));
    if (conversion == AG_CONVERT_B5G5R5A1)
        return (uint16_t)(narrow(a, 1) << 15 | narrow(r, 31) << 10 | narrow(g, 31) << 5 | narrow(b, 31));
    return (uint16_t)(narrow(a, 15) << 12 | narrow(r, 15) << 8 | narrow(g, 15) << 4 | narrow(b, 15));
}

/* To four floats and back. */
static void expand_texel_exactly(const struct ag_components *components, uint32_t v, uint8_t *host)
{
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t most = (1u << components->bits[c]) - 1;
        float value = most ? (float)(v >> components->shift[c] & most) / (float)most : 1;
        ag_store_u32(host + 4 * (size_t)c, ag_bits_from_float(value));
    }
}

static uint16_t pack_texel_exactly(const struct ag_components *components, const uint8_t *host)
{
    uint32_t v = 0;
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t most = (1u << components->bits[c]) - 1;
        const float value = ag_float_from_bits(ag_load_u32(host + 4 * (size_t)c));
        const float clamped = value > 1 ? 1 : value > 0 ? value : 0; /* NaN is 0 */
        v |= (uint32_t)(clamped * (float)most + 0.5f) << components->shift[c];
    }
    return (uint16_t)v;
}

/* D3D11.3 3.2.3.1, 3.2.3.3. */
static float float_from_norm(uint32_t bits, uint32_t value, bool is_signed)
{
    if (!is_signed)
        return (float)value / (float)((1u << bits) - 1);
    const int32_t number = (int32_t)(value << (32 - bits)) >> (32 - bits);
    const float result = (float)number / (float)((1u << (bits - 1)) - 1);
    return result < -1 ? -1 : result;
}

uint32_t ag_norm_from_float(uint32_t bits, float value, bool is_signed)
{
    const float most = (float)((1u << (bits - (is_signed ? 1 : 0))) - 1), least = is_signed ? -1 : 0;
    const float clamped = value > 1 ? 1 : value >= least ? value : value < least ? least : 0;
    const float scaled = clamped * most;
    return (uint32_t)(int32_t)(scaled < 0 ? scaled - 0.5f : scaled + 0.5f) & ((1u << bits) - 1);
}

float ag_float_from_depth24(uint32_t value)
{
    return (float)(value / 16777215.0);
}

uint32_t ag_depth24_from_float(float depth)
{
    const double fixed = (double)depth * 16777215.0 + 0.5;
    return !(fixed > 0) ? 0 : fixed < 16777215.0 ? (uint32_t)fixed : 16777215;
}

static void expand_floats(const struct ag_host_format *format, const uint8_t *guest, uint8_t *host,
                          uint32_t count)
{
    const uint32_t bytes = format->component_bits / 8u, components = count * (format->bytes / bytes);
    for (size_t i = 0; i < components; i++) {
        const uint32_t value = bytes == 2 ? ag_load_u16(guest + 2 * i) : guest[i];
        const float number =
            float_from_norm(format->component_bits, value, format->number == AG_NUMBER_SNORM);
        ag_store_u32(host + 4 * i, ag_bits_from_float(number));
    }
}

static void pack_floats(const struct ag_host_format *format, const uint8_t *host, uint8_t *guest,
                        uint32_t count)
{
    const uint32_t bytes = format->component_bits / 8u, components = count * (format->bytes / bytes);
    for (size_t i = 0; i < components; i++) {
        const float number = ag_float_from_bits(ag_load_u32(host + 4 * i));
        const uint32_t value =
            ag_norm_from_float(format->component_bits, number, format->number == AG_NUMBER_SNORM);
        if (bytes == 2)
            ag_store_u16(guest + 2 * i, (uint16_t)value);
        else
            guest[i] = (uint8_t)value;
    }
}

static void expand_three(const struct ag_host_format *format, const uint8_t *guest, uint8_t *host,
                         uint32_t count)
{
    const uint32_t one = format->class == AG_CLASS_FLOAT ? ag_bits_from_float(1) : 1;
    for (size_t i = 0; i < count; i++) {
        memcpy(host + 16 * i, guest + 12 * i, 12);
        ag_store_u32(host + 16 * i + 12, one);
    }
}

void ag_host_format_expand_row(const struct ag_host_format *format, const uint8_t *guest, uint8_t *host,
                               uint32_t count)
{
    enum ag_conversion conversion = (enum ag_conversion)format->conversion;
    if (conversion == AG_CONVERT_FLOATS) {
        expand_floats(format, guest, host, count);
        return;
    }
    if (conversion == AG_CONVERT_THREE) {
        expand_three(format, guest, host, count);
        return;
    }
    if (conversion == AG_CONVERT_A8) {
        for (size_t i = 0; i < count; i++)
            ag_store_u32(host + 4 * i, (uint32_t)guest[i] << 24);
        return;
    }
    if (format->bytes == 2 && format->host_bytes == 4) {
        for (uint32_t i = 0; i < count; i++)
            expand_texel16(conversion, ag_load_u16(guest + 2 * (size_t)i), host + 4 * (size_t)i);
        return;
    }
    if (format->bytes == 2 && format->host_bytes == 16) {
        const struct ag_components components = ag_host_format_components(format);
        for (uint32_t i = 0; i < count; i++)
            expand_texel_exactly(&components, ag_load_u16(guest + 2 * (size_t)i), host + 16 * (size_t)i);
        return;
    }
    memcpy(host, guest, (size_t)count * format->bytes);
    if (conversion == AG_CONVERT_OPAQUE)
        for (uint32_t i = 0; i < count; i++)
            host[4 * (size_t)i + 3] = 255;
}

void ag_host_format_pack_row(const struct ag_host_format *format, const uint8_t *host, uint8_t *guest,
                             uint32_t count)
{
    enum ag_conversion conversion = (enum ag_conversion)format->conversion;
    if (conversion == AG_CONVERT_FLOATS) {
        pack_floats(format, host, guest, count);
        return;
    }
    if (conversion == AG_CONVERT_THREE) {
        for (size_t i = 0; i < count; i++)
            memcpy(guest + 12 * i, host + 16 * i, 12);
        return;
    }
    if (conversion == AG_CONVERT_A8) {
        for (size_t i = 0; i < count; i++)
            guest[i] = host[4 * i + 3];
        return;
    }
    if (format->bytes == 2 && format->host_bytes == 4) {
        for (uint32_t i = 0; i < count; i++)
            ag_store_u16(guest + 2 * (size_t)i, pack_texel16(conversion, host + 4 * (size_t)i));
        return;
    }
    if (format->bytes == 2 && format->host_bytes == 16) {
        const struct ag_components components = ag_host_format_components(format);
        for (uint32_t i = 0; i < count; i++)
            ag_store_u16(guest + 2 * (size_t)i, pack_texel_exactly(&components, host + 16 * (size_t)i));
        return;
    }
    memcpy(guest, host, (size_t)count * format->bytes);
    if (conversion == AG_CONVERT_OPAQUE)
        for (uint32_t i = 0; i < count; i++)
            guest[4 * (size_t)i + 3] = 255;
}

uint32_t ag_host_format_expand_planes(const struct ag_host_format *format, const uint8_t *guest,
                                      uint8_t *depth, uint8_t *stencil, uint32_t count)
{
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++, guest += format->bytes) {
        uint32_t bits, value = 0;
        if (format->conversion == AG_CONVERT_D24S8) {
            const uint32_t word = ag_load_u32(guest);
            bits = ag_bits_from_float(ag_float_from_depth24(word & 0xFFFFFF));
            value = word >> 24;
        } else if (format->bytes == 2) {
            bits = ag_bits_from_float(float_from_norm(16, ag_load_u16(guest), false));
        } else {
            bits = ag_load_u32(guest);
            value = format->conversion == AG_CONVERT_D32S8X24 ? guest[4] : 0;
        }
        ag_store_u32(depth + 4 * i, bits);
        ag_store_u32(stencil + 4 * i, value);
        all |= value;
    }
    return all;
}

void ag_host_format_pack_planes(const struct ag_host_format *format, const uint8_t *depth,
                                const uint8_t *stencil, uint8_t *guest, uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = ag_load_u32(depth + 4 * i);
        if (format->conversion == AG_CONVERT_D24S8) {
            const uint32_t value = ag_depth24_from_float(ag_float_from_bits(bits));
            ag_store_u32(guest + 4 * i, value | (uint32_t)stencil[i] << 24);
        } else {
            ag_store_u32(guest + 8 * i, bits);
            ag_store_u32(guest + 8 * i + 4, stencil[i]);
        }
    }
}
