/* SPDX-License-Identifier: MIT
 *
 * What plain and expanded draws have in common: the draw block, guest bytes of the targets, and the state of
 * the open pass.
 */
#ifndef AG_EXEC_DRAW_DRAW_STATE_H
#define AG_EXEC_DRAW_DRAW_STATE_H

#include <stdint.h>

#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_attachments;
struct ag_bound_group;
struct ag_context;
struct ag_draw;
struct ag_draw_block;
struct ag_drawer;
struct ag_pipeline;
struct ag_raster_area;
struct agpu_module;

/* All but the views of the stages; `samples` of the targets, 0 without any. */
void ag_draw_block_begin(const struct ag_draw *draw, const struct ag_context *context,
                         const struct ag_raster_area *area, uint32_t samples, struct ag_draw_block *block);
/* Guest bytes of the targets come in before anything is drawn over them. */
enum ag_outcome ag_targets_pull(struct ag_drawer *drawer, const struct ag_attachments *attachments);
void ag_targets_written(const struct ag_attachments *attachments);
/* The module of a draw that may write memory, or null. */
const struct agpu_module *ag_pipeline_writes(const struct ag_pipeline *pipeline);
/* For the open pass, as far as it does not have them already. */
void ag_draw_set_pipeline(struct ag_drawer *drawer, WGPURenderPipeline pipeline);
void ag_draw_set_state(struct ag_drawer *drawer, const struct ag_context *context,
                       const struct ag_raster_area *area);
void ag_draw_set_groups(struct ag_drawer *drawer, const struct ag_bound_group *groups, uint32_t count);

#endif
