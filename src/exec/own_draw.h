/* SPDX-License-Identifier: MIT
 *
 * What the host's own draws share: fills, clears of rectangles, bytes that become depth.
 */
#ifndef AG_EXEC_OWN_DRAW_H
#define AG_EXEC_OWN_DRAW_H

#include <stdbool.h>

#include "base/map.h"
#include "format/format.h"
#include "gpu/webgpu.h"

struct ag_exec;

/* Puts a new pipeline into a map of them, which owns it then. Null when memory is exhausted (reported). */
WGPURenderPipeline ag_own_pipeline_keep(struct ag_exec *exec, struct ag_map *pipelines, uint64_t key,
                                        WGPURenderPipeline pipeline);
/* Releases them all, and the map. */
void ag_own_pipelines_fini(struct ag_map *pipelines);

/* Overwrites depth, and the bits of stencil that are in the mask by the reference. */
WGPUDepthStencilState ag_overwriting_state(const struct ag_host_format *format, bool depth,
                                           uint32_t stencil_mask);
/* Keeps what is there and is not drawn over. */
WGPURenderPassDepthStencilAttachment ag_kept_depth(const struct ag_host_format *format, WGPUTextureView view);

#endif
