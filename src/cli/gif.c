/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <gif_lib.h>

#include "base/bytes.h"
#include "cli/palette.h"
#include "cli/picture.h"

static bool put_loop(GifFileType *gif)
{
    static const unsigned char forever[3] = {1, 0, 0};
    return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(gif, sizeof forever, forever) == GIF_OK &&
           EGifPutExtensionTrailer(gif) == GIF_OK;
}

static bool put_delay(GifFileType *gif, uint32_t delay_ms)
{
    const GraphicsControlBlock control = {
        .DisposalMode = DISPOSE_DO_NOT,
        .DelayTime = (int)((delay_ms + 5) / 10),
        .TransparentColor = NO_TRANSPARENT_COLOR,
    };
    GifByteType bytes[4];
    EGifGCBToExtension(&control, bytes);
    return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes) == GIF_OK;
}

static ColorMapObject *colour_map(const struct cli_palette *palette)
{
    ColorMapObject *const map = GifMakeMapObject(256, NULL);
    for (uint32_t i = 0; map != NULL && i < 256; i++) {
        map->Colors[i].Red = palette->colours[i][0];
        map->Colors[i].Green = palette->colours[i][1];
        map->Colors[i].Blue = palette->colours[i][2];
    }
    return map;
}

static bool put_rows(GifFileType *gif, const struct cli_picture *picture, const struct cli_palette *palette)
{
    assert(picture->width > 0);
    GifByteType *const row = malloc(picture->width);
    bool good = row != NULL;
    for (uint32_t y = 0; good && y < picture->height; y++) {
        const uint8_t *const from = &picture->pixels[(size_t)4 * y * picture->width];
        for (uint32_t x = 0; x < picture->width; x++)
            row[x] = palette->nearest[cli_palette_cell(&from[4 * (size_t)x])];
        good = EGifPutLine(gif, row, (int)picture->width) == GIF_OK;
    }
    free(row);
    return good;
}

static bool put_frame(GifFileType *gif, const struct cli_picture *picture, struct cli_palette *palette,
                      uint32_t delay_ms)
{
    if (!put_delay(gif, delay_ms) || !cli_palette_make(palette, picture))
        return false;
    ColorMapObject *const map = colour_map(palette);
    const bool good =
        map != NULL &&
        EGifPutImageDesc(gif, 0, 0, (int)picture->width, (int)picture->height, false, map) == GIF_OK &&
        put_rows(gif, picture, palette);
    GifFreeMapObject(map);
    return good;
}

static bool put_frames(GifFileType *gif, const cli_pictures *pictures, uint32_t delay_ms)
{
    struct cli_palette *const palette = malloc(sizeof *palette);
    uint32_t width = 0, height = 0;
    for (size_t i = 0; i < pictures->count; i++) {
        width = pictures->data[i].width > width ? pictures->data[i].width : width;
        height = pictures->data[i].height > height ? pictures->data[i].height : height;
    }
    EGifSetGifVersion(gif, true);
    bool good = palette != NULL && width <= UINT16_MAX && height <= UINT16_MAX &&
                EGifPutScreenDesc(gif, (int)width, (int)height, 8, 0, NULL) == GIF_OK && put_loop(gif);
    for (size_t i = 0; good && i < pictures->count; i++)
        good = put_frame(gif, &pictures->data[i], palette, delay_ms);
    free(palette);
    return good;
}

bool cli_write_gif(const char *path, const cli_pictures *pictures, uint32_t delay_ms,
                   const struct agpu_diag_sink *sink)
{
    int error = 0;
    GifFileType *const gif = EGifOpenFileName(path, false, &error);
    bool good = gif != NULL && put_frames(gif, pictures, delay_ms);
    if (gif != NULL) {
        error = gif->Error;
        good = EGifCloseFile(gif, error != 0 ? NULL : &error) == GIF_OK && good;
    }
    const char *const reason = error != 0 ? GifErrorString(error) : NULL;
    if (!good)
        ag_report(sink, AGPU_DIAG_FILE_UNWRITABLE, AGPU_ERROR, ag_place_none(), "cannot write %s: %s", path,
                  reason != NULL ? reason : "the picture does not fit a GIF");
    return good;
}
