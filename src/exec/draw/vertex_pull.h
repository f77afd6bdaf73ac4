/* SPDX-License-Identifier: MIT
 *
 * Vertex pulling: fetching vertex elements with a kernel (blit/element_fetch.h) before the draw, where
 * WebGPU's fixed function does not fetch as Direct3D does, and for vertex shaders that run as compute passes.
 * Reasons are strides and offsets that are not aligned, step rates above 1, formats that WebGPU lacks, many
 * buffers, and reads past the end.
 */
#ifndef AG_EXEC_DRAW_VERTEX_PULL_H
#define AG_EXEC_DRAW_VERTEX_PULL_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/translate.h"
#include "exec/bind/vertex_state.h"
#include "exec/blit/element_fetch.h"
#include "exec/host/outcome.h"
#include "exec/record/upload_ring.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

struct ag_buffer;
struct ag_context;
struct ag_draw;
struct ag_drawer;
struct ag_vertex_arena;

/* Vertices and instances, by the numbers that a draw has them by. The vertices may go on beyond 2^32 - 1,
 * with 0. */
struct ag_pull_range {
    uint32_t first_vertex, vertex_count, first_instance, instance_count;
};

/* Records the kernel for a pulled state of ag_vertex_state_init(). *draw is changed to read the kernel's
 * buffers, which hold *range: no draw has a first instance then. */
enum ag_outcome ag_vertex_pull(struct ag_drawer *drawer, struct ag_context *context,
                               const struct ag_vertex_state *state, struct ag_draw *draw,
                               struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS],
                               struct ag_pull_range *range);

/* Whether a draw may read more vertices or instances than ag_vertex_pull() has room for, and whether one with
 * a pulled state does. Only the CPU's indices are looked at. */
bool ag_vertex_pull_may_exceed(const struct ag_context *context, const struct ag_draw *draw);
bool ag_vertex_pull_exceeds(const struct ag_drawer *drawer, const struct ag_context *context,
                            const struct ag_vertex_state *state, const struct ag_draw *draw);

/* What a register of records is fetched from: nothing else decides on it but the list of vertices. */
struct ag_vertex_fetch {
    struct ag_element_block block;
    uint64_t source, version; /* the buffer and its contents; 0: there is none */
};

/* The inputs of a vertex shader that runs as a compute pass: a record of registers (AG_EXPAND_INPUTS) for
 * each vertex of a list. Registers that no element feeds are 0. Valid until the commands being recorded
 * are submitted. */
struct ag_vertex_records {
    uint32_t registers;                                 /* how many registers a record has */
    struct ag_buffer_range sources[AGPU_MAX_REGISTERS]; /* null buffers: registers are 0 */
    struct ag_vertex_fetch fetches[AGPU_MAX_REGISTERS];
    struct ag_upload_slice blocks[AGPU_MAX_REGISTERS];
    WGPUBindGroup groups[AGPU_MAX_REGISTERS]; /* references */
    uint32_t bound;                           /* how many groups there are */
};

/* Before the pass is begun; the state as ag_vertex_state_init() left it, pulled or not. */
enum ag_outcome ag_vertex_records_init(struct ag_drawer *drawer, struct ag_context *context,
                                       const struct ag_vertex_state *state, const struct ag_draw *draw,
                                       uint32_t registers, struct ag_vertex_records *records);

/* Binds the list of vertices and the records, from when on other contents of the guest's buffers do not
 * matter. False when memory is exhausted (reported). */
bool ag_vertex_records_bind(struct ag_drawer *drawer, struct ag_vertex_records *records,
                            const struct ag_buffer_range *vertices, const struct ag_buffer_range *to);

/* Records the dispatches for at most `limit` vertices of the list that is bound, in an open compute pass, of
 * which the pipeline and bind group 0 change. */
void ag_vertex_records_pull(struct ag_drawer *drawer, WGPUComputePassEncoder pass,
                            const struct ag_vertex_records *records, uint64_t limit);

/* Releases what was bound. */
void ag_vertex_records_release(struct ag_vertex_records *records);

void ag_vertex_arena_fini(struct ag_vertex_arena *arena);

#endif
