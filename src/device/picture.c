/* SPDX-License-Identifier: MIT */
#include "device/picture.h"

#include <stdlib.h>

#include "base/bytes.h"

/* ---- Rows ---------------------------------------------------------------------------------------------- */

/* Between the order of pixels and the 8-bit formats the way there is the way back: sRGB formats hold the same
 * bytes as their counterparts, and X bytes are opaque both ways. */
static void convert_8888(const uint8_t *from, uint8_t *to, uint32_t count,
                         const struct ag_host_format *format, enum agpu_pixel_order order, bool is_opaque)
{
    const struct ag_components components = ag_host_format_components(format);
    const bool swap = (components.shift[0] != 0) != (order == AGPU_PIXELS_BGRA8);
    ag_format_swap_8888(from, to, count, swap, is_opaque || components.bits[3] == 0 ? 0xFF000000 : 0);
}

static void unpack_row(const struct ag_host_format *format, const uint8_t *from, uint8_t *to, uint32_t count)
{
    if (format->bytes == 4) {
        convert_8888(from, to, count, format, AGPU_PIXELS_RGBA8, false);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        ag_format_unpack_rgba8(format, from + (size_t)i * format->bytes, to + (size_t)i * 4);
}

/* Alpha of an opaque picture may be anything. */
static void pack_row(const struct ag_host_format *format, const uint8_t *from, uint8_t *to, uint32_t count,
                     enum agpu_pixel_order order, bool is_opaque)
{
    const uint32_t red = order == AGPU_PIXELS_BGRA8 ? 2 : 0;
    if (format->bytes == 4) {
        convert_8888(from, to, count, format, order, is_opaque);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t alpha = is_opaque ? UINT8_MAX : from[4 * i + 3];
        const uint8_t rgba[4] = {from[4 * i + red], from[4 * i + 1], from[4 * i + 2 - red], alpha};
        ag_format_pack_rgba8(format, rgba, to + i * format->bytes);
    }
}

/* Whether pixels of the order are the format's bytes. */
static bool is_stored_as_it_is(const struct ag_host_format *format, enum agpu_pixel_order order)
{
    const struct ag_components components = ag_host_format_components(format);
    return format->bytes == 4 && components.bits[3] != 0 &&
           (components.shift[0] != 0) == (order == AGPU_PIXELS_BGRA8);
}

uint32_t ag_picture_format(uint32_t format)
{
    return ag_abi_format(format) != NULL ? format : AEROGPU_FORMAT_INVALID;
}

/* Null for what cannot be shown: unknown, depth and block formats. */
static const struct ag_host_format *find_format(uint32_t format)
{
    const struct ag_host_format *info = ag_abi_format(format);
    return info != NULL && info->block_width == 1 && info->class != AG_CLASS_DEPTH ? info : NULL;
}

/* ---- Pictures ------------------------------------------------------------------------------------------ */

/* No display has more, and each row takes a call of the embedder. */
#define MOST_ROWS UINT32_C(65536)

const char *ag_picture_init(struct picture *picture, const struct picture_registers *registers,
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
    const uint64_t row_bytes = (uint64_t)picture->width * picture->format->bytes;
    if (picture->pitch_bytes < row_bytes)
        return "its pitch is smaller than a row";
    if ((uint64_t)picture->width * picture->height > limit_bytes / 4 || picture->height > MOST_ROWS)
        return "it is too large";
    if (!ag_add_u64(picture->gpa, (uint64_t)(picture->height - 1) * picture->pitch_bytes, &end) ||
        !ag_add_u64(end, row_bytes, &end))
        return "it passes the end of memory";
    return NULL;
}

static enum agpu_status report_row(struct agpu_device *device, const char *verb, uint64_t gpa)
{
    ag_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_GUEST_MEMORY, AGPU_WARNING, ag_place_none(),
              "a row of pixels at 0x%llx cannot be %s", (unsigned long long)gpa, verb);
    return AGPU_REFUSED;
}

/* Rows are read in bands of this many bytes of guest memory: a guest may name very many rows of a few bytes.
 * More bytes than this between two rows take longer to read than another call. */
#define BAND_BYTES 65536u
#define GAP_BYTES 512u

static uint32_t rows_of_band(const struct picture *picture)
{
    const uint64_t gap = picture->pitch_bytes - (uint64_t)picture->width * picture->format->bytes;
    return gap <= GAP_BYTES && picture->pitch_bytes < BAND_BYTES ? BAND_BYTES / picture->pitch_bytes : 1;
}

/* Reads rows with what lies between them, or row by row where that is no memory. */
static enum agpu_status read_band(struct agpu_device *device, const struct picture *picture, uint32_t first,
                                  uint32_t rows, uint8_t *band)
{
    const size_t row_bytes = (size_t)picture->width * picture->format->bytes;
    const uint64_t gpa = picture->gpa + (uint64_t)first * picture->pitch_bytes;
    if (ag_dma_read(device, gpa, band, (size_t)(rows - 1) * picture->pitch_bytes + row_bytes))
        return AGPU_OK;
    for (uint32_t y = 0; y < rows; y++) {
        const size_t offset = (size_t)y * picture->pitch_bytes;
        if (!ag_dma_read(device, gpa + offset, band + offset, row_bytes))
            return report_row(device, "read", gpa + offset);
    }
    return AGPU_OK;
}

enum agpu_status ag_picture_read(struct agpu_device *device, const struct picture *picture, uint8_t **pixels)
{
    const size_t row_bytes = (size_t)picture->width * picture->format->bytes;
    const size_t out_row_bytes = (size_t)picture->width * 4;
    const uint32_t most = rows_of_band(picture);
    enum agpu_status status = AGPU_OK;
    uint8_t *band = malloc((size_t)(most - 1) * picture->pitch_bytes + row_bytes);
    uint8_t *out = malloc(out_row_bytes * picture->height);
    if (band == NULL || out == NULL)
        status = ag_report_no_memory(&device->callbacks.diagnostics);
    for (uint32_t first = 0; first < picture->height && status == AGPU_OK; first += most) {
        const uint32_t rows = picture->height - first < most ? picture->height - first : most;
        status = read_band(device, picture, first, rows, band);
        for (uint32_t y = 0; y < rows && status == AGPU_OK; y++)
            unpack_row(picture->format, band + (size_t)y * picture->pitch_bytes,
                       out + (first + y) * out_row_bytes, picture->width);
    }
    free(band);
    if (status == AGPU_OK)
        *pixels = out;
    else
        free(out);
    return status;
}

/* Stores a row of a present, by way of `row` unless that is null. */
static bool write_row(struct agpu_device *device, const struct picture *picture, uint64_t gpa,
                      const uint8_t *from, uint8_t *row, uint32_t columns, enum agpu_pixel_order order,
                      bool is_opaque)
{
    if (row != NULL)
        pack_row(picture->format, from, row, columns, order, is_opaque);
    return ag_dma_write(device, gpa, row != NULL ? row : from, (size_t)columns * picture->format->bytes);
}

/* What one call stores: so many pixels, of which a row costs some more. */
#define PART_PIXELS (UINT64_C(1) << 17)
#define PIXELS_OF_ROW 64u

static uint32_t rows_of_part(uint32_t columns)
{
    const uint64_t rows = PART_PIXELS / ((uint64_t)columns + PIXELS_OF_ROW);
    return rows != 0 ? (uint32_t)rows : 1;
}

bool ag_picture_write(struct agpu_device *device, const struct picture *picture,
                      const struct agpu_present *present, uint32_t *done)
{
    const enum agpu_pixel_order order = (enum agpu_pixel_order)present->order;
    const uint32_t columns = present->width < picture->width ? present->width : picture->width;
    const uint32_t rows = present->height < picture->height ? present->height : picture->height;
    const size_t pitch = present->pitch_bytes != 0 ? present->pitch_bytes : (size_t)present->width * 4;
    const struct ag_host_format *const shown = ag_abi_format(present->format);
    const bool is_opaque = shown != NULL && ag_host_format_has(shown, AG_FORMAT_NO_ALPHA);
    const bool as_it_is = is_stored_as_it_is(picture->format, order) && !is_opaque;
    if (columns == 0 || *done >= rows)
        return true;
    const uint32_t part = rows_of_part(columns), end = rows - *done < part ? rows : *done + part;
    uint8_t *row = as_it_is ? NULL : malloc((size_t)columns * picture->format->bytes);
    bool stored = row != NULL || as_it_is;
    if (!stored)
        ag_report_no_memory(&device->callbacks.diagnostics);
    for (; *done < end && stored; ++*done) {
        const uint64_t gpa = picture->gpa + (uint64_t)*done * picture->pitch_bytes;
        stored =
            write_row(device, picture, gpa, present->pixels + *done * pitch, row, columns, order, is_opaque);
        if (!stored)
            report_row(device, "written", gpa);
    }
    free(row);
    return !stored || *done == rows;
}
