/* SPDX-License-Identifier: MIT */
#include "device/picture.h"

#include <stdlib.h>

#include "base/bytes.h"

/* ---- Rows ---------------------------------------------------------------------------------------------- */

/* sRGB formats hold the same bytes as their twins, and RGBA8 pictures hold values as stored. Between the
 * 8-bit orders the way there is the way back; X bytes are opaque both ways. */
static inline void convert_8888(const uint8_t *from, uint8_t *to, uint32_t count, bool swap, bool opaque)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pixel = agpu_load_u32(from + (size_t)i * 4);
        if (swap)
            pixel = (pixel & 0xFF00FF00) | (pixel >> 16 & 0xFF) | (pixel & 0xFF) << 16;
        if (opaque)
            pixel |= 0xFF000000;
        agpu_store_u32(to + (size_t)i * 4, pixel);
    }
}

static void convert_rgba(const uint8_t *from, uint8_t *to, uint32_t count)
{
    convert_8888(from, to, count, false, false);
}

static void convert_rgbx(const uint8_t *from, uint8_t *to, uint32_t count)
{
    convert_8888(from, to, count, false, true);
}

static void convert_bgra(const uint8_t *from, uint8_t *to, uint32_t count)
{
    convert_8888(from, to, count, true, false);
}

static void convert_bgrx(const uint8_t *from, uint8_t *to, uint32_t count)
{
    convert_8888(from, to, count, true, true);
}

static inline uint8_t widen5(uint32_t value)
{
    value &= 0x1F;
    return (uint8_t)(value << 3 | value >> 2);
}

static inline uint8_t widen6(uint32_t value)
{
    value &= 0x3F;
    return (uint8_t)(value << 2 | value >> 4);
}

static void read_b5g6r5(const uint8_t *from, uint8_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, from += 2, to += 4) {
        const uint32_t pixel = agpu_load_u16(from);
        to[0] = widen5(pixel >> 11);
        to[1] = widen6(pixel >> 5);
        to[2] = widen5(pixel);
        to[3] = 0xFF;
    }
}

static void write_b5g6r5(const uint8_t *from, uint8_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, from += 4, to += 2)
        agpu_store_u16(to, (uint16_t)(from[0] >> 3 << 11 | from[1] >> 2 << 5 | from[2] >> 3));
}

static void read_b5g5r5a1(const uint8_t *from, uint8_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, from += 2, to += 4) {
        const uint32_t pixel = agpu_load_u16(from);
        to[0] = widen5(pixel >> 10);
        to[1] = widen5(pixel >> 5);
        to[2] = widen5(pixel);
        to[3] = pixel >> 15 != 0 ? 0xFF : 0;
    }
}

static void write_b5g5r5a1(const uint8_t *from, uint8_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, from += 4, to += 2)
        agpu_store_u16(
            to, (uint16_t)(from[3] >> 7 << 15 | from[0] >> 3 << 10 | from[1] >> 3 << 5 | from[2] >> 3));
}

/* ---- Formats ------------------------------------------------------------------------------------------- */

static const struct pixel_format pixel_formats[] = {
    [AEROGPU_FORMAT_B8G8R8A8_UNORM] = {4, convert_bgra,  convert_bgra  },
    [AEROGPU_FORMAT_B8G8R8X8_UNORM] = {4, convert_bgrx,  convert_bgrx  },
    [AEROGPU_FORMAT_R8G8B8A8_UNORM] = {4, convert_rgba,  convert_rgba  },
    [AEROGPU_FORMAT_R8G8B8X8_UNORM] = {4, convert_rgbx,  convert_rgbx  },
    [AEROGPU_FORMAT_B5G6R5_UNORM] = {2, read_b5g6r5,   write_b5g6r5  },
    [AEROGPU_FORMAT_B5G5R5A1_UNORM] = {2, read_b5g5r5a1, write_b5g5r5a1},
    [AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB] = {4, convert_bgra,  convert_bgra  },
    [AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB] = {4, convert_bgrx,  convert_bgrx  },
    [AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB] = {4, convert_rgba,  convert_rgba  },
    [AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB] = {4, convert_rgbx,  convert_rgbx  },
};

/* Null for what cannot be shown: unknown, depth and block formats. */
static const struct pixel_format *find_format(uint32_t format)
{
    if (format >= AGPU_COUNT_OF(pixel_formats) || pixel_formats[format].to_rgba8 == NULL)
        return NULL;
    return &pixel_formats[format];
}

/* ---- Pictures ------------------------------------------------------------------------------------------ */

const char *agpu_picture_init(struct picture *picture, const struct picture_registers *registers,
                              uint64_t limit_bytes)
{
    uint64_t end;
    *picture = (struct picture){
        .gpa = registers->address.gpa,
        .width = registers->width,
        .height = registers->height,
        .pitch_bytes = registers->pitch_bytes,
        .format = find_format(registers->format),
    };
    if (registers->enable == 0)
        return "it is disabled";
    if (picture->width == 0 || picture->height == 0)
        return "its width or height is 0";
    if (picture->format == NULL)
        return "its format cannot be shown";
    const uint64_t row_bytes = (uint64_t)picture->width * picture->format->bytes_per_pixel;
    if (picture->pitch_bytes < row_bytes)
        return "its pitch is smaller than a row";
    if ((uint64_t)picture->width * picture->height > limit_bytes / 4)
        return "it is too large";
    if (!agpu_add_u64(picture->gpa, (uint64_t)(picture->height - 1) * picture->pitch_bytes, &end) ||
        !agpu_add_u64(end, row_bytes, &end))
        return "it passes the end of memory";
    return NULL;
}

static enum agpu_status report_row(struct agpu_device *device, const char *verb, uint64_t gpa)
{
    agpu_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_GUEST_MEMORY, AGPU_WARNING,
                agpu_place_none(), "a row of pixels at 0x%llx cannot be %s", (unsigned long long)gpa, verb);
    return AGPU_REFUSED;
}

enum agpu_status agpu_picture_read(struct agpu_device *device, const struct picture *picture,
                                   uint8_t **pixels)
{
    const size_t row_bytes = (size_t)picture->width * picture->format->bytes_per_pixel;
    const size_t out_row_bytes = (size_t)picture->width * 4;
    enum agpu_status status = AGPU_OK;
    uint8_t *row = malloc(row_bytes);
    uint8_t *out = malloc(out_row_bytes * picture->height);
    if (row == NULL || out == NULL)
        status = agpu_report_no_memory(&device->callbacks.diagnostics);
    for (uint32_t y = 0; y < picture->height && status == AGPU_OK; y++) {
        const uint64_t gpa = picture->gpa + (uint64_t)y * picture->pitch_bytes;
        if (!agpu_dma_read(device, gpa, row, row_bytes))
            status = report_row(device, "read", gpa);
        else
            picture->format->to_rgba8(row, out + y * out_row_bytes, picture->width);
    }
    free(row);
    if (status == AGPU_OK)
        *pixels = out;
    else
        free(out);
    return status;
}

enum agpu_status agpu_picture_write(struct agpu_device *device, const struct picture *picture,
                                    const uint8_t *pixels, uint32_t width, uint32_t height)
{
    const uint32_t columns = width < picture->width ? width : picture->width;
    const uint32_t rows = height < picture->height ? height : picture->height;
    const size_t row_bytes = (size_t)columns * picture->format->bytes_per_pixel;
    if (row_bytes == 0)
        return AGPU_OK;
    uint8_t *row = malloc(row_bytes);
    if (row == NULL)
        return agpu_report_no_memory(&device->callbacks.diagnostics);
    enum agpu_status status = AGPU_OK;
    for (uint32_t y = 0; y < rows && status == AGPU_OK; y++) {
        const uint64_t gpa = picture->gpa + (uint64_t)y * picture->pitch_bytes;
        picture->format->from_rgba8(pixels + (size_t)y * width * 4, row, columns);
        if (!agpu_dma_write(device, gpa, row, row_bytes))
            status = report_row(device, "written", gpa);
    }
    free(row);
    return status;
}
