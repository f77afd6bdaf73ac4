/* SPDX-License-Identifier: MIT
 *
 * Rows of host bytes as a display shows them.
 */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/half.h"
#include "format/format.h"
#include "format/norm.h"

static bool is_bgra(WGPUTextureFormat format)
{
    return format == WGPUTextureFormat_BGRA8Unorm || format == WGPUTextureFormat_BGRA8UnormSrgb;
}

static bool is_rgba(WGPUTextureFormat format)
{
    return format == WGPUTextureFormat_RGBA8Unorm || format == WGPUTextureFormat_RGBA8UnormSrgb;
}

void ag_format_swap_8888(const uint8_t *from, uint8_t *to, size_t count, bool swap, uint32_t alpha)
{
    if (!swap && alpha == 0) {
        memcpy(to, from, 4 * count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t texel = ag_load_u32(from + 4 * i);
        const uint32_t swapped = (texel & 0xFF00FF00) | (texel >> 16 & 0xFF) | (texel & 0xFF) << 16;
        ag_store_u32(to + 4 * i, (swap ? swapped : texel) | alpha);
    }
}

static void display_bytes(const struct ag_host_format *format, const uint8_t *host, uint8_t *rgba,
                          size_t count)
{
    ag_format_swap_8888(host, rgba, count, is_bgra(format->texture),
                        ag_host_format_has(format, AG_FORMAT_NO_ALPHA) ? 0xFF000000 : 0);
}

static void display_ten_bits(const struct ag_host_format *format, const uint8_t *host, uint8_t *rgba,
                             size_t count)
{
    const bool biased = ag_host_format_has(format, AG_FORMAT_BIASED);
    const int32_t black = biased ? 384 : 0, white = biased ? 894 : 1023;
    for (size_t i = 0; i < count; i++) {
        const uint32_t word = ag_load_u32(host + 4 * i);
        for (uint32_t c = 0; c < 3; c++) {
            const int32_t value = (int32_t)(word >> 10 * c & 1023);
            const int32_t clamped = value < black ? black : value > white ? white : value;
            rgba[4 * i + c] = (uint8_t)(((clamped - black) * 255 + (white - black) / 2) / (white - black));
        }
        rgba[4 * i + 3] = (uint8_t)((word >> 30) * 85);
    }
}

/* D3D11.3 3.2.3.6. */
static float encode_srgb(float linear)
{
    if (linear <= 0.0031308f)
        return 12.92f * linear;
    /* The power of 1 / 2.4 is that of 5 / 12: the cube root of two square roots, which Halley's method finds.
     */
    const double wide = linear, cube = sqrt(sqrt(wide * wide * wide * wide * wide));
    double root = 0.3 + 0.7 * cube;
    for (int i = 0; i < 4; i++) {
        const double third = root * root * root;
        root *= (third + 2 * cube) / (2 * third + cube);
    }
    return (float)(1.055 * root - 0.055);
}

static void display_floats(const struct ag_host_format *format, const uint8_t *host, uint8_t *rgba,
                           size_t count)
{
    (void)format;
    for (size_t i = 0; i < 4 * count; i++) {
        const float value = ag_float_from_half(ag_load_u16(host + 2 * i));
        const float clamped = value > 1 ? 1 : value > 0 ? value : 0; /* NaN is 0 */
        rgba[i] = (uint8_t)ag_norm_from_float(8, i % 4 < 3 ? encode_srgb(clamped) : clamped, false);
    }
}

typedef void (*display_row)(const struct ag_host_format *format, const uint8_t *host, uint8_t *rgba,
                            size_t count);

static display_row find_display(const struct ag_host_format *format)
{
    if (is_bgra(format->texture) || is_rgba(format->texture))
        return display_bytes;
    if (format->texture == WGPUTextureFormat_RGB10A2Unorm || ag_host_format_has(format, AG_FORMAT_BIASED))
        return display_ten_bits;
    return format->texture == WGPUTextureFormat_RGBA16Float ? display_floats : NULL;
}

bool ag_host_format_display_row(const struct ag_host_format *format, const uint8_t *host, uint8_t *rgba,
                                uint32_t count)
{
    const display_row display = find_display(format);
    if (display != NULL)
        display(format, host, rgba, count);
    return display != NULL;
}

bool ag_host_format_is_shown_as_it_is(const struct ag_host_format *format, bool *bgra)
{
    *bgra = is_bgra(format->texture);
    return *bgra || is_rgba(format->texture);
}
