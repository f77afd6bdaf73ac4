/* SPDX-License-Identifier: MIT
 *
 * Plain draws: draws with the stages that WebGPU has, a vertex shader and perhaps a pixel shader.
 * expand/draw.h calls ag_plain_draw().
 */
#ifndef AG_EXEC_DRAW_PLAIN_DRAW_H
#define AG_EXEC_DRAW_PLAIN_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/bind/binder.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/uav.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/index.h"
#include "exec/draw/raster.h"
#include "exec/draw/vertex_pull.h"
#include "exec/host/outcome.h"
#include "exec/record/bind_group.h"
#include "exec/record/recorder.h"

struct ag_context;
struct ag_drawer;
struct ag_pipeline;

/* Everything that a draw needs. All of it is made before the render pass, since making it may end an open
 * pass. */
struct ag_prepared_draw {
    struct ag_attachments attachments;
    struct ag_raster_area area;
    bool visible;  /* viewport and scissor leave some texels */
    bool recorded; /* the draw is in the open pass */
    struct ag_index_source indices;
    struct ag_draw draw; /* the guest's draw, changed when it reads pulled vertices */
    struct ag_pipeline *pipeline;
    struct ag_vertex_source vertices[AG_MAX_VERTEX_BUFFERS];
    struct ag_pull_range pulled; /* of a pulled state: what the sources hold */
    struct ag_bound_group groups[4];
    uint32_t group_count;
    uint32_t held; /* bit n: groups[n] is a reference; else it is the cache's, in which it has to be */
    struct ag_draw_block block;
    struct ag_uav_writers writers; /* the pixel shader, when it stores */
    uint64_t groups_destroyed;     /* ag_recorder.groups_destroyed before the groups were bound */
};

/* Binds the group with this index of a prepared draw, in place of the group that is bound there. */
enum ag_outcome ag_prepared_draw_bind(struct ag_drawer *drawer, struct ag_context *context,
                                      struct ag_prepared_draw *prepared, uint32_t index);

/* Releases the reference to a group, if it is one. */
static inline void ag_prepared_draw_let_go(struct ag_prepared_draw *prepared, uint32_t index)
{
    if (prepared->held >> index & 1)
        wgpuBindGroupRelease(prepared->groups[index].gpu);
    prepared->held &= ~(UINT32_C(1) << index);
}

/* Releases the groups of a prepared draw. */
void ag_prepared_draw_release(struct ag_prepared_draw *prepared);

/* Forgets a prepared draw. */
void ag_prepared_draw_clear(struct ag_prepared_draw *prepared);

/* Records a plain draw. AG_DONE also when the draw has no effect. What was prepared is in the drawer then
 * (kept_draw.h). */
enum ag_outcome ag_plain_draw(struct ag_drawer *drawer, struct ag_context *context,
                              const struct ag_draw *draw, const struct ag_attachments *attachments);

#endif
