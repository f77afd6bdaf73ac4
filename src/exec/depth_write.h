/* SPDX-License-Identifier: MIT
 *
 * Guest bytes into depth textures. WebGPU copies nothing into floats of depth and stencil by whole mips only,
 * so that these are draws: one for depth and one for each bit that any stencil value has.
 */
#ifndef AG_EXEC_DEPTH_WRITE_H
#define AG_EXEC_DEPTH_WRITE_H

#include "base/map.h"
#include "exec/object.h"

/* What such draws need, made when first needed. */
struct ag_depth_writer {
    WGPUShaderModule module;
    WGPUBindGroupLayout layout;
    struct ag_map pipelines; /* by format and what is written */
};

/* A rectangle of texels from rows of guest bytes. Depth beyond [0, 1] is clamped. False when memory is
 * exhausted (reported). */
bool ag_depth_write(struct ag_exec *exec, struct ag_texture *texture, const struct ag_unit_rect *rect,
                    const uint8_t *guest, uint64_t pitch);

void ag_depth_writer_fini(struct ag_depth_writer *writer);

#endif
