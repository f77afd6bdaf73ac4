/* SPDX-License-Identifier: MIT
 *
 * What plain and expanded draws have in common: the draw block, the contents of the targets before and after
 * a draw, and the state of the open render pass.
 */
#ifndef AG_EXEC_DRAW_DRAW_STATE_H
#define AG_EXEC_DRAW_DRAW_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/draw/drawer.h"
#include "exec/host/outcome.h"
#include "exec/record/bind_group.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "gpu/webgpu.h"

struct ag_attachments;
struct ag_context;
struct ag_draw;
struct ag_draw_block;
struct ag_index_source;
struct ag_pipeline;
struct ag_raster_area;
struct ag_vertex_source;
struct agpu_module;

/* Fills in the draw block except the views, which bind.h fills in. */
void ag_draw_block_begin(const struct ag_draw *draw, const struct ag_context *context,
                         const struct ag_raster_area *area, const struct ag_attachments *attachments,
                         struct ag_draw_block *block);

/* The same for a block that a draw on the same attachments has filled in. */
void ag_draw_block_update(const struct ag_draw *draw, const struct ag_context *context,
                          const struct ag_raster_area *area, const struct ag_attachments *attachments,
                          struct ag_draw_block *block);

/* Brings the targets up to date before a draw. */
enum ag_outcome ag_targets_pull(struct ag_drawer *drawer, const struct ag_attachments *attachments);

/* Notes that a draw writes the targets. */
void ag_targets_written(const struct ag_attachments *attachments);

/* The module of the pixel stage when it may write memory, else null. */
const struct agpu_module *ag_pipeline_writes(const struct ag_pipeline *pipeline);

/* Set the pipeline, the dynamic state, the bind groups (those of `which`, a bit for each) and the buffers of
 * the open pass, as far as they change. */
void ag_draw_set_pipeline(struct ag_drawer *drawer, WGPURenderPipeline pipeline);
void ag_draw_set_state(struct ag_drawer *drawer, const struct ag_context *context,
                       const struct ag_pipeline *pipeline, const struct ag_raster_area *area);
/* The two parts of the state: viewport and scissor, and the constants that the output merger takes. */
void ag_draw_set_area(struct ag_drawer *drawer, const struct ag_pipeline *pipeline,
                      const struct ag_raster_area *area);
void ag_draw_set_constants(struct ag_drawer *drawer, const float blend_factor[4], uint32_t stencil_reference,
                           const struct ag_pipeline *pipeline);
void ag_draw_set_groups(struct ag_drawer *drawer, const struct ag_bound_group *groups, uint32_t which);
/* Sets one group, which is known to change. */
static inline void ag_draw_set_group(struct ag_drawer *drawer, uint32_t index,
                                     const struct ag_bound_group *group)
{
    struct ag_pass *pass = &drawer->recorder->pass;
    ag_throttle_add_binding(drawer->recorder, group->offset_count);
    wgpuRenderPassEncoderSetBindGroup(pass->encoder, index, group->gpu, group->offset_count, group->offsets);
    pass->groups[index].gpu = group->gpu;
    pass->groups[index].offset_count = group->offset_count;
    for (uint32_t i = 0; i < group->offset_count; i++)
        pass->groups[index].offsets[i] = group->offsets[i];
}

/* Sets one group if it changes. */
static inline void ag_draw_change_group(struct ag_drawer *drawer, uint32_t index,
                                        const struct ag_bound_group *group)
{
    const struct ag_pass_group *has = &drawer->recorder->pass.groups[index];
    bool same = has->gpu == group->gpu && has->offset_count == group->offset_count;
    for (uint32_t i = 0; same && i < group->offset_count; i++)
        same = has->offsets[i] == group->offsets[i];
    if (!same)
        ag_draw_set_group(drawer, index, group);
}

void ag_draw_set_vertices(struct ag_drawer *drawer, const struct ag_vertex_source *sources, uint32_t count);
void ag_draw_set_indices(struct ag_drawer *drawer, const struct ag_index_source *indices);

#endif
