/* SPDX-License-Identifier: MIT
 *
 * The textures that the guest of a capture filled: from uploads, and from its own memory.
 */
#ifndef AG_REPLAY_TEXTURES_H
#define AG_REPLAY_TEXTURES_H

#include "capture/capture.h"

/* One mip of one layer of a texture. */
struct ag_capture_texture {
    uint32_t handle;
    uint32_t submission, packet; /* of the packet that made the texture; submissions as in the summary */
    uint32_t mip, layer;
    uint32_t width, height;
    uint8_t *pixels; /* RGBA8, values as stored; valid during the call */
};

/* The limits of one texture, as the guest has it or as pictures, and of all textures together. */
#define AG_CAPTURE_TEXTURE_LIMIT_BYTES (UINT64_C(256) << 20)
#define AG_CAPTURE_TEXTURES_LIMIT_BYTES (UINT64_C(1) << 30)
#define AG_CAPTURE_TEXTURES_LIMIT 16384u /* each read is searched in all textures */

/* Visits every texture that submissions `from` to `to` made or filled, as it is after `to`. Textures that
 * only the GPU wrote, and formats without colour, are left out; so are textures past the limits, each with a
 * warning capture.limit, but those past the limit of their number with one together. AGPU_NO_MEMORY. */
enum agpu_status replay_visit_textures(const struct ag_capture *capture,
                                       const struct ag_capture_summary *summary, uint32_t from, uint32_t to,
                                       void (*visit)(void *user, const struct ag_capture_texture *texture),
                                       void *user, const struct agpu_diag_sink *sink);

#endif
