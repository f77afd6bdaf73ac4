/* SPDX-License-Identifier: MIT
 *
 * Uploads of some bytes of a texel or block, whose other bytes only the GPU knows.
 */
#ifndef AG_EXEC_BLIT_PARTIAL_UPLOAD_H
#define AG_EXEC_BLIT_PARTIAL_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_blitter;
struct ag_texture;

/* Bytes [begin, end) of one texel or block, which stays as it is otherwise. */
bool ag_texture_partial_upload(struct ag_blitter *blitter, struct ag_texture *texture, uint32_t mip,
                               const WGPUOrigin3D *origin, uint32_t begin, uint32_t end, const uint8_t *data);

#endif
