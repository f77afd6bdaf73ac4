/* SPDX-License-Identifier: MIT
 *
 * Copies between two textures of one 16-bit format, of which one is widened to floats (ag_texture.widened)
 * and the other is RGBA8.
 */
#ifndef AG_EXEC_BLIT_TEXTURE_CONVERT_H
#define AG_EXEC_BLIT_TEXTURE_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

struct ag_blitter;
struct ag_converted_texels;
struct ag_texture;

/* The subresource and the corner of a rectangle. */
struct ag_texel_rect {
    struct ag_texture *texture;
    uint32_t mip, layer, x, y;
};

/* Records the copy of a rectangle. An open render pass is ended. False when memory is exhausted
 * (reported). */
bool ag_texture_convert(struct ag_blitter *blitter, const struct ag_texel_rect *to,
                        const struct ag_texel_rect *from, uint32_t width, uint32_t height);

void ag_converted_texels_fini(struct ag_converted_texels *texels);

#endif
