/* SPDX-License-Identifier: MIT
 *
 * What the host's own draws share: fills, clears of rectangles, bytes that become depth.
 */
#ifndef AGPU_EXEC_OWN_DRAW_H
#define AGPU_EXEC_OWN_DRAW_H

#include <stdbool.h>

#include "base/map.h"
#include "exec/format.h"

struct agpu_exec;

/* Puts a new pipeline into a map of them, which owns it then. Null when memory is exhausted (reported). */
WGPURenderPipeline agpu_own_pipeline_keep(struct agpu_exec *exec, struct agpu_map *pipelines, uint64_t key,
                                          WGPURenderPipeline pipeline);
/* Releases them all, and the map. */
void agpu_own_pipelines_fini(struct agpu_map *pipelines);

/* Overwrites depth, and the bits of stencil that are in the mask by the reference. */
WGPUDepthStencilState agpu_overwriting_state(const struct agpu_host_format *format, bool depth,
                                             uint32_t stencil_mask);
/* Keeps what is there and is not drawn over. */
WGPURenderPassDepthStencilAttachment agpu_kept_depth(const struct agpu_host_format *format,
                                                     WGPUTextureView view);

#endif
