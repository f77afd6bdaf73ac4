/* SPDX-License-Identifier: MIT
 *
 * Uploads of some bytes of a texel or block, of which only the GPU knows the other bytes.
 */
#ifndef AG_EXEC_BLIT_PARTIAL_UPLOAD_H
#define AG_EXEC_BLIT_PARTIAL_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_blitter;
struct ag_texture;

/* Records the upload of bytes [begin, end) of the texel or block at `origin`; the other bytes stay. False
 * when memory is exhausted (reported). */
bool ag_texture_partial_upload(struct ag_blitter *blitter, struct ag_texture *texture, uint32_t mip,
                               const WGPUOrigin3D *origin, uint32_t begin, uint32_t end, const uint8_t *data);

#endif
