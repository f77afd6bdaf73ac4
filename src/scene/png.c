/* SPDX-License-Identifier: MIT
 *
 * Reads and writes PNG files with libspng.
 */
#include "scene/png.h"

#include <spng.h>
#include <stdlib.h>

static enum agpu_status refuse(const struct agpu_diag_sink *sink, struct agpu_place place, const char *what)
{
    ag_report(sink, AGPU_DIAG_SCENE_PNG, AGPU_ERROR, place, "the PNG cannot be used: %s", what);
    return AGPU_REFUSED;
}

static int decode(spng_ctx *context, const void *data, size_t size, uint32_t *width, uint32_t *height,
                  uint8_t **pixels)
{
    struct spng_ihdr header;
    size_t bytes;
    int error = spng_set_image_limits(context, AG_PNG_MAX_SIDE, AG_PNG_MAX_SIDE);
    if (error == 0)
        error = spng_set_png_buffer(context, data, size);
    if (error == 0)
        error = spng_get_ihdr(context, &header);
    if (error == 0)
        error = spng_decoded_image_size(context, SPNG_FMT_RGBA8, &bytes);
    if (error != 0)
        return error;
    *pixels = malloc(bytes);
    if (*pixels == NULL)
        return SPNG_EMEM;
    *width = header.width;
    *height = header.height;
    return spng_decode_image(context, *pixels, bytes, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
}

enum agpu_status ag_png_decode(const void *data, size_t size, struct agpu_place place,
                               const struct agpu_diag_sink *sink, uint32_t *width, uint32_t *height,
                               uint8_t **pixels)
{
    *pixels = NULL;
    spng_ctx *context = spng_ctx_new(0);
    if (context == NULL)
        return ag_report_no_memory(sink);
    const int error = decode(context, data, size, width, height, pixels);
    spng_ctx_free(context);
    if (error == 0)
        return AGPU_OK;
    free(*pixels);
    *pixels = NULL;
    return error == SPNG_EMEM ? ag_report_no_memory(sink) : refuse(sink, place, spng_strerror(error));
}

enum agpu_status ag_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height,
                               const struct agpu_diag_sink *sink, uint8_t **data, size_t *size)
{
    *data = NULL;
    *size = 0;
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    if (context == NULL)
        return ag_report_no_memory(sink);
    struct spng_ihdr header = {
        .width = width,
        .height = height,
        .bit_depth = 8,
        .color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA,
    };
    int error = spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    if (error == 0)
        error = spng_set_ihdr(context, &header);
    if (error == 0)
        error = spng_encode_image(context, pixels, (size_t)width * height * 4, SPNG_FMT_PNG,
                                  SPNG_ENCODE_FINALIZE);
    if (error == 0)
        *data = spng_get_png_buffer(context, size, &error);
    spng_ctx_free(context);
    if (error == 0 && *data != NULL)
        return AGPU_OK;
    return error == SPNG_EMEM ? ag_report_no_memory(sink)
                              : refuse(sink, ag_place_none(), spng_strerror(error));
}
