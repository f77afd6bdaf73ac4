/* SPDX-License-Identifier: MIT
 *
 * Recoding: copies between textures of different formats that keep the guest's bytes, as
 * CopySubresourceRegion and texture casts need. Where the host keeps UNORM or SNORM components as floats, the
 * texel codec converts them to the guest's bytes and back.
 */
#ifndef AG_EXEC_BLIT_TEXTURE_RECODE_H
#define AG_EXEC_BLIT_TEXTURE_RECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_blitter;
struct ag_host_format;

/* One side of the copy. */
struct ag_recoded_side {
    const struct ag_host_format *format;
    WGPUTexture gpu;
    uint32_t mip;
    WGPUOrigin3D origin;
};

/* Records the copy of `width` x `height` texels of one slice of `from`. Both formats can be recoded
 * (ag_texture_can_recode()), and have as many bytes for a block or texel. An open render pass is ended.
 * False when memory is exhausted (reported). */
bool ag_texture_recode(struct ag_blitter *blitter, const struct ag_recoded_side *to,
                       const struct ag_recoded_side *from, uint32_t width, uint32_t height);

#endif
