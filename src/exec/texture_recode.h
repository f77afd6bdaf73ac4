/* SPDX-License-Identifier: MIT
 *
 * Texels from one WebGPU texture to another of a different format: the guest's bytes stay the same, and where
 * the host keeps UNORM or SNORM components as floats, kernels make bytes of these and the reverse.
 */
#ifndef AG_EXEC_TEXTURE_RECODE_H
#define AG_EXEC_TEXTURE_RECODE_H

#include "format/format.h"
#include "gpu/webgpu.h"

struct ag_exec;

struct ag_recoded_side {
    const struct ag_host_format *format;
    WGPUTexture gpu;
    uint32_t mip;
    WGPUOrigin3D origin;
};

/* Whether the host's bytes of a texel are the guest's, or floats that a kernel makes of them. */
bool ag_texture_can_recode(const struct ag_host_format *format);

/* Records the copy of a rectangle of one slice, outside of any pass; both formats can be recoded and have as
 * many bytes and blocks of one size. False when memory is exhausted (reported). */
bool ag_texture_recode(struct ag_exec *exec, const struct ag_recoded_side *to,
                       const struct ag_recoded_side *from, uint32_t width, uint32_t height);

#endif
