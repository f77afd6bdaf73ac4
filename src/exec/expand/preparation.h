/* SPDX-License-Identifier: MIT
 *
 * What an expanded draw needs before its passes are recorded: shaders, plan, buffers and bind groups. Making
 * them may end the open pass.
 */
#ifndef AG_EXEC_EXPAND_PREPARATION_H
#define AG_EXEC_EXPAND_PREPARATION_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_effect.h"
#include "base/vec.h"
#include "exec/bind/uav.h"
#include "exec/draw/raster.h"
#include "exec/draw/vertex_pull.h"
#include "exec/expand/counted_draw.h"
#include "exec/expand/stages.h"
#include "exec/host/outcome.h"
#include "exec/record/bind_group.h"
#include "exec/record/recorder.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/kernel.h"
#include "kernel/plan.h"

struct ag_context;
struct ag_draw;
struct ag_expander;
struct ag_pipeline;

struct ag_prepared_expansion {
    struct ag_expander *expander;
    struct ag_context *context;
    const struct ag_draw *guest;
    struct ag_attachments attachments;
    /* Draws that follow may join this one (expansion_batch.h), and the plan has room for so many primitives
     * of the guest's draws. Asked for by the caller. */
    bool joins;
    uint32_t join_units;
    /* Bit n: viewport n may be drawn to, its area is not empty, and no viewport before is the same. */
    uint32_t visible;
    struct ag_expand_stages stages;
    struct ag_expand_plan plan;
    bool reads_targets; /* every primitive is a pass of its own, behind a copy of the targets
                           (bind/target_copy.h) */
    bool by_primitive;  /* every primitive is a pass of its own, whether targets are read or not */
    bool has_overlaps;  /* ... for no other reason than viewports that overlap */
    struct ag_prepared_expansion
        *tests;    /* what each primitive's second pass draws with; null: there is none */
    bool is_split; /* the geometry shader takes the primitives of one step of the tessellator in several steps
                    */
    enum ag_counting counting;
    struct ag_counted_patches counted; /* with AG_COUNTING_DONE; else what there may be */
    bool divides; /* the stream may wait between two steps. Asked for by the caller, too */
    bool alone;   /* the compute passes cannot go ahead of the open render pass */

    struct ag_assembly_indices indices;
    struct ag_buffer_range index_range;
    bool rasterizes; /* primitives are drawn, and not only written to buffers */

    struct ag_uav_writers writers;
    bool writes_early; /* a shader in front of the rasterizer is among them */

    WGPUBindGroup empty;
    bool has_empty_groups; /* the compute pass has them already */
    struct {
        struct ag_bound_group own, lists; /* the group of the stage, and group 3 */
    } groups[AG_EXPAND_STAGE_COUNT];
    struct ag_pipeline *pipeline;

    /* What is not zeroed for each draw: of visible viewports, and references, since a group of the cache is
     * valid only until the next look-up. */
    struct ag_vertex_records records;
    struct ag_raster_area areas[AG_VIEWPORT_SLOTS];
    uint16_t same_viewports[AG_VIEWPORT_SLOTS]; /* bit m of n: viewport m is drawn as viewport n */
    struct ag_bound_group draw_groups[AG_VIEWPORT_SLOTS][4];
    AG_VEC(WGPUBindGroup) kept;
};

/* Whether pipeline statistics count the lists of the draw's steps. */
bool ag_prepared_is_counted(const struct ag_prepared_expansion *draw);

/* How many layers of the targets the draw may reach. */
uint32_t ag_prepared_layers(const struct ag_prepared_expansion *draw);

/* The list of primitives that the geometry shader reads. */
enum ag_expand_buffer ag_prepared_geometry_inputs(const struct ag_prepared_expansion *draw);

/* The list of primitives that the last stage made. */
enum ag_expand_buffer ag_prepared_made_primitives(const struct ag_prepared_expansion *draw);

/* The records of the vertices that the last stage made. */
enum ag_expand_buffer ag_prepared_made_records(const struct ag_prepared_expansion *draw);

/* How many vertices a primitive of the last stage has. */
uint32_t ag_prepared_vertices_made(const struct ag_prepared_expansion *draw);

/* How many vertices WebGPU draws for each of these primitives. */
uint32_t ag_prepared_drawn_vertices(const struct ag_prepared_expansion *draw);

/* Whether the shaders read numbers that begin at 0 in each draw. */
bool ag_prepared_reads_numbers(const struct ag_prepared_expansion *draw);

/* Binds what the draw in a viewport needs. */
enum ag_outcome ag_prepared_bind_draw(struct ag_prepared_expansion *draw, uint32_t viewport);

/* Releases what was prepared. */
void ag_prepared_release(struct ag_prepared_expansion *draw);

/* Prepares everything that may record copies, end the open pass or fail. */
enum ag_outcome ag_expanded_draw_prepare(struct ag_prepared_expansion *draw);

#endif
