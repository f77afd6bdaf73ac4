/* SPDX-License-Identifier: MIT
 *
 * What the host's own draws share (blit.c, depth_write.c, transfer/clear_rects.c): maps of pipelines, and
 * states of depth and stencil.
 */
#ifndef AG_EXEC_BLIT_PIPELINE_MAP_H
#define AG_EXEC_BLIT_PIPELINE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_blitter;
struct ag_host;
struct ag_host_format;
struct ag_map;

/* Puts a new pipeline into a map, which owns the pipeline from now on, and returns the pipeline. Null when
 * memory is exhausted (reported); the pipeline is released then. */
WGPURenderPipeline ag_pipeline_map_keep(struct ag_blitter *blitter, struct ag_map *pipelines, uint64_t key,
                                        WGPURenderPipeline pipeline);

/* Releases all pipelines and the map. */
void ag_pipeline_map_fini(struct ag_map *pipelines);

/* A state without tests that writes depth, if `depth`, and the stencil bits of the mask from the
 * reference. */
WGPUDepthStencilState ag_overwriting_state(const struct ag_host *host, const struct ag_host_format *format,
                                           bool depth, uint32_t stencil_mask);

/* An attachment that loads and stores depth and stencil. */
WGPURenderPassDepthStencilAttachment ag_kept_depth(const struct ag_host_format *format, WGPUTextureView view);

#endif
