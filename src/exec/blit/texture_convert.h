/* SPDX-License-Identifier: MIT
 *
 * Copies between textures of one format of which one keeps its texels as floats.
 */
#ifndef AG_EXEC_BLIT_TEXTURE_CONVERT_H
#define AG_EXEC_BLIT_TEXTURE_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

struct ag_blitter;
struct ag_texture;

/* A copy between textures of one format of which one is widened. False when memory is
 * exhausted (reported). */
struct ag_texel_rect {
    struct ag_texture *texture;
    uint32_t mip, layer, x, y;
};

bool ag_texture_convert(struct ag_blitter *blitter, const struct ag_texel_rect *to,
                        const struct ag_texel_rect *from, uint32_t width, uint32_t height);

#endif
