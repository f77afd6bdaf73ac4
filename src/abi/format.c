/* SPDX-License-Identifier: MIT
 *
 * The table of texture formats, and the conversion of their pixels to RGBA8.
 */
#include "abi/format.h"

#include "base/bytes.h"

#define COLOR(name, bytes, channels, dxgi_number)                                                            \
    .format = AEROGPU_FORMAT_##name, .bytes_per_unit = bytes, .block_size = 1,                               \
    .order = AG_CHANNELS_##channels, .dxgi = dxgi_number
#define BLOCK(name, bytes, dxgi_number)                                                                      \
    .format = AEROGPU_FORMAT_##name, .bytes_per_unit = bytes, .block_size = 4, .order = AG_CHANNELS_BLOCK,   \
    .dxgi = dxgi_number

/* clang-format off */
static const struct ag_format_info format_table[] = {
    {COLOR(B8G8R8A8_UNORM, 4, BGRA8, 87)},
    {COLOR(B8G8R8X8_UNORM, 4, BGRA8, 88), .is_x8 = true},
    {COLOR(R8G8B8A8_UNORM, 4, RGBA8, 28)},
    {COLOR(R8G8B8X8_UNORM, 4, RGBA8, 0), .is_x8 = true},
    {COLOR(B5G6R5_UNORM, 2, B5G6R5, 85)},
    {COLOR(B5G5R5A1_UNORM, 2, B5G5R5A1, 86)},
    {COLOR(B8G8R8A8_UNORM_SRGB, 4, BGRA8, 91), .is_srgb = true},
    {COLOR(B8G8R8X8_UNORM_SRGB, 4, BGRA8, 93), .is_x8 = true, .is_srgb = true},
    {COLOR(R8G8B8A8_UNORM_SRGB, 4, RGBA8, 29), .is_srgb = true},
    {COLOR(R8G8B8X8_UNORM_SRGB, 4, RGBA8, 0), .is_x8 = true, .is_srgb = true},
    {COLOR(D24_UNORM_S8_UINT, 4, NONE, 45), .is_depth = true, .has_stencil = true},
    {COLOR(D32_FLOAT, 4, NONE, 40), .is_depth = true},
    {BLOCK(BC1_RGBA_UNORM, 8, 71)},
    {BLOCK(BC1_RGBA_UNORM_SRGB, 8, 72), .is_srgb = true},
    {BLOCK(BC2_RGBA_UNORM, 16, 74)},
    {BLOCK(BC2_RGBA_UNORM_SRGB, 16, 75), .is_srgb = true},
    {BLOCK(BC3_RGBA_UNORM, 16, 77)},
    {BLOCK(BC3_RGBA_UNORM_SRGB, 16, 78), .is_srgb = true},
    {BLOCK(BC7_RGBA_UNORM, 16, 98)},
    {BLOCK(BC7_RGBA_UNORM_SRGB, 16, 99), .is_srgb = true},
};
/* clang-format on */

const struct ag_format_info *ag_format_info(uint32_t format)
{
    for (size_t i = 0; i < AG_COUNT_OF(format_table); i++) {
        if (format_table[i].format == format)
            return &format_table[i];
    }
    return NULL;
}

const struct ag_format_info *ag_format_table(size_t *count)
{
    *count = AG_COUNT_OF(format_table);
    return format_table;
}

static uint8_t expand(uint32_t value, uint32_t bits)
{
    return (uint8_t)(value << (8 - bits) | value >> (2 * bits - 8));
}

void ag_format_unpack_rgba8(const struct ag_format_info *format, const void *from, uint8_t rgba[4])
{
    const uint8_t *bytes = from;
    const uint32_t packed = format->bytes_per_unit == 2 ? ag_load_u16(from) : 0;
    switch ((enum ag_channel_order)format->order) {
    case AG_CHANNELS_RGBA8:
        memcpy(rgba, bytes, 4);
        break;
    case AG_CHANNELS_BGRA8:
        rgba[0] = bytes[2];
        rgba[1] = bytes[1];
        rgba[2] = bytes[0];
        rgba[3] = bytes[3];
        break;
    case AG_CHANNELS_B5G6R5:
        rgba[0] = expand(packed >> 11, 5);
        rgba[1] = expand(packed >> 5 & 63, 6);
        rgba[2] = expand(packed & 31, 5);
        rgba[3] = 255;
        break;
    case AG_CHANNELS_B5G5R5A1:
        rgba[0] = expand(packed >> 10 & 31, 5);
        rgba[1] = expand(packed >> 5 & 31, 5);
        rgba[2] = expand(packed & 31, 5);
        rgba[3] = packed >> 15 ? 255 : 0;
        break;
    case AG_CHANNELS_NONE:
    case AG_CHANNELS_BLOCK:
        memset(rgba, 0, 4);
        break;
    }
    if (format->is_x8)
        rgba[3] = 255;
}

void ag_format_pack_rgba8(const struct ag_format_info *format, const uint8_t rgba[4], void *to)
{
    uint8_t *bytes = to;
    const uint8_t alpha = format->is_x8 ? 255 : rgba[3];
    switch ((enum ag_channel_order)format->order) {
    case AG_CHANNELS_RGBA8:
        memcpy(bytes, rgba, 3);
        bytes[3] = alpha;
        break;
    case AG_CHANNELS_BGRA8:
        bytes[0] = rgba[2];
        bytes[1] = rgba[1];
        bytes[2] = rgba[0];
        bytes[3] = alpha;
        break;
    case AG_CHANNELS_B5G6R5:
        ag_store_u16(to, (uint16_t)(rgba[2] >> 3 | rgba[1] >> 2 << 5 | rgba[0] >> 3 << 11));
        break;
    case AG_CHANNELS_B5G5R5A1:
        ag_store_u16(to,
                     (uint16_t)(rgba[2] >> 3 | rgba[1] >> 3 << 5 | rgba[0] >> 3 << 10 | alpha >> 7 << 15));
        break;
    case AG_CHANNELS_NONE:
    case AG_CHANNELS_BLOCK:
        break;
    }
}
