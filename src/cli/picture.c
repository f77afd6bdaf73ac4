/* SPDX-License-Identifier: MIT */
#include "cli/picture.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/input.h"
#include "scene/png.h"

#define CELL_WIDTH 320
#define CELL_HEIGHT 240
#define CELL_GAP 4

struct cli_picture cli_picture_copy(const uint8_t *pixels, uint32_t width, uint32_t height)
{
    const size_t size = (size_t)4 * width * height;
    struct cli_picture picture = {width, height, malloc(size != 0 ? size : 1)};
    if (picture.pixels != NULL)
        memcpy(picture.pixels, pixels, size);
    return picture;
}

void cli_picture_fini(struct cli_picture *picture)
{
    free(picture->pixels);
    *picture = (struct cli_picture){0};
}

void cli_pictures_fini(cli_pictures *pictures)
{
    for (size_t i = 0; i < pictures->count; i++)
        cli_picture_fini(&pictures->data[i]);
    ag_vec_fini(pictures);
}

/* ---- PNG ---------------------------------------------------------------------------------------------- */

bool cli_write_png(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height,
                   const struct agpu_diag_sink *sink)
{
    uint8_t *data = NULL;
    size_t size = 0;
    const bool good = ag_png_encode(pixels, width, height, sink, &data, &size) == AGPU_OK &&
                      cli_write_file(path, data, size, sink);
    free(data);
    return good;
}

bool cli_read_png(const char *path, struct cli_picture *picture, const struct agpu_diag_sink *sink)
{
    *picture = (struct cli_picture){0};
    uint8_t *data = NULL;
    size_t size = 0;
    const bool good = cli_read_file(path, sink, &data, &size) &&
                      ag_png_decode(data, size, ag_place_none(), sink, &picture->width, &picture->height,
                                    &picture->pixels) == AGPU_OK;
    free(data);
    return good;
}

/* ---- Contact sheets ----------------------------------------------------------------------------------- */

/* The mean of the source pixels under one pixel of the cell. */
static void average(const struct cli_picture *from, uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1,
                    uint8_t to[4])
{
    uint64_t sum[4] = {0};
    assert(x0 < x1 && y0 < y1);
    for (uint32_t y = y0; y < y1; y++) {
        for (uint32_t x = x0; x < x1; x++) {
            for (uint32_t c = 0; c < 4; c++)
                sum[c] += from->pixels[4 * ((size_t)y * from->width + x) + c];
        }
    }
    const uint64_t count = (uint64_t)(x1 - x0) * (y1 - y0);
    for (uint32_t c = 0; c < 4; c++)
        to[c] = (uint8_t)((sum[c] + count / 2) / count);
}

static uint32_t scaled(uint32_t position, uint32_t from, uint32_t to)
{
    return (uint32_t)((uint64_t)position * from / to);
}

/* The size of a picture in the sheet: its own, or scaled down to fit a cell. */
static void fit(const struct cli_picture *picture, uint32_t *width, uint32_t *height)
{
    *width = picture->width;
    *height = picture->height;
    if (*width > CELL_WIDTH) {
        *height = scaled(CELL_WIDTH, *height, *width);
        *width = CELL_WIDTH;
    }
    if (*height > CELL_HEIGHT) {
        *width = scaled(CELL_HEIGHT, *width, *height);
        *height = CELL_HEIGHT;
    }
}

static void draw_cell(const struct cli_picture *sheet, uint32_t left, uint32_t top,
                      const struct cli_picture *picture)
{
    uint32_t width, height;
    fit(picture, &width, &height);
    for (uint32_t y = 0; y < height; y++) {
        const uint32_t y0 = scaled(y, picture->height, height);
        const uint32_t y1 = scaled(y + 1, picture->height, height);
        for (uint32_t x = 0; x < width; x++)
            average(picture, scaled(x, picture->width, width), scaled(x + 1, picture->width, width), y0, y1,
                    &sheet->pixels[4 * ((size_t)(top + y) * sheet->width + left + x)]);
    }
}

struct cli_picture cli_contact_sheet(const cli_pictures *pictures)
{
    uint32_t columns = 1, cell_width = 1, cell_height = 1;
    while ((size_t)columns * columns < pictures->count)
        columns++;
    for (size_t i = 0; i < pictures->count; i++) {
        uint32_t width, height;
        fit(&pictures->data[i], &width, &height);
        cell_width = width > cell_width ? width : cell_width;
        cell_height = height > cell_height ? height : cell_height;
    }
    const uint32_t rows = ((uint32_t)pictures->count + columns - 1) / columns;
    struct cli_picture sheet = {
        .width = columns * (cell_width + CELL_GAP) + CELL_GAP,
        .height = rows * (cell_height + CELL_GAP) + CELL_GAP,
    };
    sheet.pixels = malloc((size_t)4 * sheet.width * sheet.height);
    if (sheet.pixels == NULL)
        return sheet;
    for (size_t i = 0; i < (size_t)sheet.width * sheet.height; i++)
        ag_store_u32(&sheet.pixels[4 * i], UINT32_C(0xff202020));
    for (uint32_t i = 0; i < pictures->count; i++)
        draw_cell(&sheet, CELL_GAP + i % columns * (cell_width + CELL_GAP),
                  CELL_GAP + i / columns * (cell_height + CELL_GAP), &pictures->data[i]);
    return sheet;
}
