/* SPDX-License-Identifier: MIT
 *
 * Pictures of scenes in a browser: the page has decoded them before scenes see them, because the page has the
 * means.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "scene/png.h"

#define MAGIC "RGBA"
#define HEADER_BYTES 12 /* the magic, width, height; then rows */

enum agpu_status ag_png_decode(const void *data, size_t size, struct agpu_place place,
                               const struct agpu_diag_sink *sink, uint32_t *width, uint32_t *height,
                               uint8_t **pixels)
{
    uint32_t sides[2];
    *pixels = NULL;
    if (size < HEADER_BYTES || memcmp(data, MAGIC, 4) != 0) {
        ag_report(sink, AGPU_DIAG_SCENE_PNG, AGPU_ERROR, place, "the page has not decoded the picture");
        return AGPU_REFUSED;
    }
    memcpy(sides, (const char *)data + 4, sizeof sides);
    *pixels = malloc(size - HEADER_BYTES);
    if (*pixels == NULL)
        return ag_report_no_memory(sink);
    memcpy(*pixels, (const char *)data + HEADER_BYTES, size - HEADER_BYTES);
    *width = sides[0];
    *height = sides[1];
    return AGPU_OK;
}
