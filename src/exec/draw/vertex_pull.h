/* SPDX-License-Identifier: MIT
 *
 * Vertex data that WebGPU's fixed function does not fetch as Direct3D does: a kernel reads the elements
 * before the draw (blit/element_fetch.h).
 */
#ifndef AG_EXEC_DRAW_VERTEX_PULL_H
#define AG_EXEC_DRAW_VERTEX_PULL_H

#include <stdint.h>

#include "aerogpu/translate.h"
#include "exec/bind/vertex_state.h"
#include "exec/host/outcome.h"
#include "exec/record/upload_ring.h"
#include "gpu/webgpu.h"

struct ag_buffer;
struct ag_buffer_range;
struct ag_context;
struct ag_draw;
struct ag_drawer;
struct ag_vertex_arena;

/* Runs the kernel for a pulled state, as ag_vertex_state_init() left it. *draw becomes the
 * draw that reads the kernel's buffers, which begin with its first vertex and instance. */
enum ag_outcome ag_vertex_pull(struct ag_drawer *drawer, struct ag_context *context,
                               const struct ag_vertex_state *state, struct ag_draw *draw,
                               struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS]);

/* The inputs of a vertex shader that runs as a compute pass, as records (AG_EXPAND_INPUTS): the same kernel
 * for the vertices of a list. Registers that no element feeds are 0. Valid until the encoder is submitted. */
struct ag_vertex_records {
    uint32_t registers; /* of a record */
    const struct ag_buffer *sources[AGPU_MAX_REGISTERS];
    struct ag_upload_slice blocks[AGPU_MAX_REGISTERS];
};

/* Before the pass is begun; the state as ag_vertex_state_init() left it, pulled or not. */
enum ag_outcome ag_vertex_records_init(struct ag_drawer *drawer, struct ag_context *context,
                                       const struct ag_vertex_state *state, const struct ag_draw *draw,
                                       uint32_t registers, struct ag_vertex_records *records);
/* Records the dispatches for at most `limit` vertices of the list. Changes the pass's pipeline and group 0.
 */
void ag_vertex_records_pull(struct ag_drawer *drawer, WGPUComputePassEncoder pass,
                            const struct ag_vertex_records *records, const struct ag_buffer_range *vertices,
                            const struct ag_buffer_range *to, uint64_t limit);

void ag_vertex_arena_fini(struct ag_vertex_arena *arena);

#endif
