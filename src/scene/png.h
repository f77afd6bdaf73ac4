/* SPDX-License-Identifier: MIT
 *
 * PNG files in memory, as RGBA8.
 */
#ifndef AG_SCENE_PNG_H
#define AG_SCENE_PNG_H

#include "base/diag.h"

#define AG_PNG_MAX_SIDE 16384u

/* Decodes a PNG of any format to RGBA8 rows. A damaged file is refused with scene.png. The caller frees
 * *pixels with free(). */
enum agpu_status ag_png_decode(const void *data, size_t size, struct agpu_place place,
                               const struct agpu_diag_sink *sink, uint32_t *width, uint32_t *height,
                               uint8_t **pixels);

/* Encodes RGBA8 rows of 4 * width bytes. The caller frees *data with free(). */
enum agpu_status ag_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height,
                               const struct agpu_diag_sink *sink, uint8_t **data, size_t *size);

#endif
