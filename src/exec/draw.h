/* SPDX-License-Identifier: MIT
 *
 * Draws and dispatches.
 */
#ifndef AG_EXEC_DRAW_H
#define AG_EXEC_DRAW_H

#include "exec/bind.h"
#include "exec/pipeline.h"
#include "exec/ring.h"
#include "expand/assembly.h"

struct ag_exec;

struct ag_draw {
    bool indexed;
    uint32_t count; /* vertices or indices */
    uint32_t instance_count;
    uint32_t first; /* vertex or index */
    int32_t base_vertex;
    uint32_t first_instance;
};

/* Not AGPU_OK stops the stream; a skipped draw is AGPU_OK. */
enum agpu_status ag_draw(struct ag_exec *exec, const struct ag_draw *draw);

#define AG_DISPATCH_ARGUMENT_BYTES 12

struct ag_dispatch {
    uint32_t groups[3];
    WGPUBuffer arguments; /* not null: the groups are there, in a storage buffer that nothing else uses */
};
enum agpu_status ag_dispatch(struct ag_exec *exec, enum agpu_stage stage, const struct ag_dispatch *dispatch);

/* ---- What one draw or dispatch may ask for (work.c) --------------------------------------------------- */

/* Whether it is within the budget of the executor's options; false: reported, and to be skipped. */
bool ag_work_check_draw(struct ag_exec *exec, const struct ag_draw *draw);
bool ag_work_check_dispatch(struct ag_exec *exec, const uint32_t groups[3], const uint32_t thread_group[3]);
/* A dispatch whose arguments only the GPU knows gets no groups when it is not; nothing reports that. False:
 * reported, and the dispatch may not be made. */
bool ag_work_bound(struct ag_exec *exec, WGPUBuffer arguments, const uint32_t thread_group[3]);

/* ---- What all draws do (draw_state.c) ----------------------------------------------------------------- */

struct ag_raster_area;

/* All but the views of the stages; `samples` of the targets, 0 without any. */
void ag_draw_block_begin(const struct ag_draw *draw, const struct ag_context *context,
                         const struct ag_raster_area *area, uint32_t samples, struct ag_draw_block *block);
/* Guest bytes of the targets come in before anything is drawn over them. */
bool ag_targets_pull(struct ag_exec *exec, const struct ag_attachments *attachments);
void ag_targets_written(const struct ag_attachments *attachments);
/* (destination.c) Whether the context's logic operation reads targets that are bound: every primitive then is
 * a pass of its own, behind a copy of what the targets hold. */
bool ag_destinations_read(const struct ag_context *context, const struct ag_attachments *attachments);
/* Memory for those copies, before anything is bound: false when it was refused. And a copy of rectangle x, y,
 * width, height, outside of any pass. */
bool ag_destinations_reserve(struct ag_exec *exec, const struct ag_attachments *attachments);
void ag_destinations_copy(struct ag_exec *exec, const struct ag_attachments *attachments,
                          const uint32_t rectangle[4]);
/* The module of a draw that may write memory, or null. */
const struct agpu_module *ag_pipeline_writes(const struct ag_pipeline *pipeline);
/* For the open pass, as far as it does not have them already. */
void ag_draw_set_pipeline(struct ag_exec *exec, WGPURenderPipeline pipeline);
void ag_draw_set_state(struct ag_exec *exec, const struct ag_context *context,
                       const struct ag_raster_area *area);
void ag_draw_set_groups(struct ag_exec *exec, const struct ag_bound_group *groups, uint32_t count);

/* ---- Targets, viewport, scissor (raster.c) ------------------------------------------------------------ */

/* What the context renders to. Nothing at all when the draw has no effect. False when it cannot go on:
 * reported; *failed: the stream stops. */
bool ag_attachments_init(struct ag_exec *exec, struct ag_context *context, struct ag_attachments *attachments,
                         bool *failed);

/* Bytes of a sample in all colour targets, as WebGPU counts them. */
uint32_t ag_attachments_bytes(const struct ag_attachments *attachments);
/* Divides the colour targets into parts of at most `limit` bytes; returns how many. */
uint32_t ag_attachments_split(const struct ag_attachments *attachments, uint32_t limit,
                              struct ag_attachments parts[AGPU_MAX_RENDER_TARGETS]);
/* A texture with the depth target's contents at this point. Null when it was reported. */
struct ag_texture *ag_attachments_copy_depth(struct ag_exec *exec, struct ag_texture_view *depth);

struct ag_raster_area {
    struct ag_viewport viewport;
    uint32_t scissor[4]; /* x, y, width, height, inside the targets */
};
/* Of viewport and scissor `index`. False when nothing can be drawn (spec: ABI 12.7 F6, F7). `max_size` is the
 * device's largest texture. */
bool ag_raster_area_init(const struct ag_context *context, uint32_t index, uint32_t width, uint32_t height,
                         uint32_t max_size, struct ag_raster_area *area);

/* ---- Indices (index.c) -------------------------------------------------------------------------------- */

struct ag_index_source {
    WGPUBuffer buffer;
    WGPUIndexFormat format;
    uint64_t offset, size;
    uint32_t first, count;
    uint32_t topology;    /* fans and adjacency become lists */
    WGPUBuffer arguments; /* null, or of the indirect draw, at offset 0: only the GPU knows the count */
};
/* The indices of a draw as WebGPU takes them: cut out, padded, or made up for topologies that WebGPU lacks.
 * False when the draw cannot go on, as above; `count` may come out 0. */
bool ag_index_source_init(struct ag_exec *exec, struct ag_context *context, const struct ag_draw *draw,
                          struct ag_index_source *source, bool *failed);

/* Resolves the context's index buffer and brings in its guest bytes. False as above. */
bool ag_index_buffer_resolve(struct ag_exec *exec, struct ag_context *context, bool *failed);
/* Whether a draw with indices, whose buffer was resolved, has indices that only the GPU knows; and whether
 * there may be cuts among those it reads. */
bool ag_indices_unknown(const struct ag_context *context, const struct ag_draw *draw);
bool ag_indices_may_cut(const struct ag_context *context, const struct ag_draw *draw);
/* Whether the indices of such a draw cannot be used as they are: topologies that WebGPU lacks, odd offsets,
 * instances that an indirect draw cannot begin with. */
bool ag_indices_need_rewriting(const struct ag_exec *exec, const struct ag_context *context,
                               const struct ag_draw *draw);
/* The indices of a draw for a kernel: where they are in *range, which is zeros when there is no buffer. False
 * as above. */
bool ag_indices_for_kernel(struct ag_exec *exec, struct ag_context *context, const struct ag_draw *draw,
                           struct ag_assembly_indices *indices, struct ag_buffer_range *range, bool *failed);
/* Whole primitives of `count` vertices between two cuts. */
uint32_t ag_topology_primitives(uint32_t topology, uint32_t count);
bool ag_topology_is_wireframe(const struct ag_context *context);

/* Smallest and largest index that a draw with indices reads, without cuts; {0, 0} when there is none. False
 * when the CPU does not know them. After ag_index_source_init(). */
struct ag_index_bounds {
    uint32_t first, last;
};
bool ag_index_bounds_find(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_index_bounds *bounds);
/* The same, cheaper and perhaps too wide: of all that the index buffer holds. */
bool ag_index_bounds_guess(const struct ag_context *context, struct ag_index_bounds *bounds);

/* ---- Vertex buffers ----------------------------------------------------------------------------------- */

struct ag_vertex_source {
    WGPUBuffer buffer;
    uint64_t offset, size;
};
/* (vertex_state.c) Buffers of a vertex state that is not pulled. */
bool ag_vertex_sources_init(struct ag_exec *exec, struct ag_context *context,
                            const struct ag_vertex_state *state,
                            struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS], bool *failed);

/* (vertex_pull.c) Runs the kernel for a pulled state, as ag_vertex_state_init() left it. *draw becomes the
 * draw that reads the kernel's buffers, which begin with its first vertex and instance. */
bool ag_vertex_pull(struct ag_exec *exec, struct ag_context *context, const struct ag_vertex_state *state,
                    struct ag_draw *draw, struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS],
                    bool *failed);

/* The elements of a typed view, whose buffer is in use, as four words each: what a shader loads. False when
 * memory is exhausted (reported). */
bool ag_vertex_pull_elements(struct ag_exec *exec, const struct ag_buffer_view *view, WGPUBuffer to,
                             uint64_t id);

/* The inputs of a vertex shader that runs as a compute pass, as records (AG_EXPAND_INPUTS): the same kernel
 * for the vertices of a list. Registers that no element feeds are 0. Valid until the encoder is submitted. */
struct ag_vertex_records {
    uint32_t registers; /* of a record */
    const struct ag_buffer *sources[AGPU_MAX_REGISTERS];
    struct ag_ring_slice blocks[AGPU_MAX_REGISTERS];
};
/* Before the pass is begun; the state as ag_vertex_state_init() left it, pulled or not. False as above. */
bool ag_vertex_records_init(struct ag_exec *exec, struct ag_context *context,
                            const struct ag_vertex_state *state, const struct ag_draw *draw,
                            uint32_t registers, struct ag_vertex_records *records, bool *failed);
/* Records the dispatches for at most `limit` vertices of the list. Changes the pass's pipeline and group 0.
 */
void ag_vertex_records_pull(struct ag_exec *exec, WGPUComputePassEncoder pass,
                            const struct ag_vertex_records *records, const struct ag_buffer_range *vertices,
                            const struct ag_buffer_range *to, uint64_t limit);

/* The kernel, made when first needed, and memory for what it fetches for draws: each draw of the open pass
 * has its own part. */
struct ag_vertex_puller {
    struct ag_kernel kernel;
    WGPUBuffer arena;
    uint64_t arena_id, arena_size, arena_used;
};
void ag_vertex_puller_fini(struct ag_vertex_puller *puller);

#endif
