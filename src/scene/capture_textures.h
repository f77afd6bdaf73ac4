/* SPDX-License-Identifier: MIT
 *
 * The textures that the guest of a capture filled: from uploads, and from its own memory.
 */
#ifndef AGPU_SCENE_CAPTURE_TEXTURES_H
#define AGPU_SCENE_CAPTURE_TEXTURES_H

#include "capture/capture.h"

/* One mip of one layer. */
struct capture_texture {
    uint32_t handle;
    uint32_t submission, packet; /* that made it; submissions as in the summary */
    uint32_t mip, layer;
    uint32_t width, height;
    uint8_t *pixels; /* RGBA8, values as stored; valid during the call */
};

/* Visits every texture that submissions `from` to `to` made or filled, as it is after `to`. Textures that
 * only the GPU wrote, and formats without colour, are left out. False when out of memory. */
bool capture_visit_textures(const struct agpu_capture *capture, const struct capture_summary *summary,
                            uint32_t from, uint32_t to,
                            void (*visit)(void *user, const struct capture_texture *texture), void *user);

#endif
