/* SPDX-License-Identifier: MIT
 *
 * Indices as WebGPU takes them. Topologies that WebGPU lacks become lists; cuts, odd offsets and indices
 * past the end of the buffer are rewritten.
 */
#ifndef AG_EXEC_DRAW_INDEX_H
#define AG_EXEC_DRAW_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_assembly_indices;
struct ag_buffer_range;
struct ag_context;
struct ag_draw;
struct ag_drawer;

struct ag_index_source {
    WGPUBuffer buffer;
    WGPUIndexFormat format;
    uint64_t offset, size;
    uint32_t first, count;
    uint32_t topology;    /* fans and adjacency become lists */
    WGPUBuffer arguments; /* null, or of the indirect draw, at offset 0: only the GPU knows the count */
};

/* The indices of a draw as WebGPU takes them: cut out, padded, or made up for topologies that WebGPU lacks.
 * `count` may come out 0. */
enum ag_outcome ag_index_source_init(struct ag_drawer *drawer, struct ag_context *context,
                                     const struct ag_draw *draw, struct ag_index_source *source);
/* Resolves the context's index buffer and brings in its guest bytes. */
enum ag_outcome ag_index_buffer_resolve(struct ag_drawer *drawer, struct ag_context *context);
/* Whether the indices of such a draw cannot be used as they are: topologies that WebGPU lacks, odd offsets,
 * instances that an indirect draw cannot begin with. */
bool ag_indices_need_rewriting(const struct ag_drawer *drawer, const struct ag_context *context,
                               const struct ag_draw *draw);
/* The indices of a draw for a kernel: where they are in *range, which is zeros when there is no buffer. */
enum ag_outcome ag_indices_for_kernel(struct ag_drawer *drawer, struct ag_context *context,
                                      const struct ag_draw *draw, struct ag_assembly_indices *indices,
                                      struct ag_buffer_range *range);
/* Whole primitives of `count` vertices between two cuts. */
uint32_t ag_topology_primitives(uint32_t topology, uint32_t count);
bool ag_topology_is_wireframe(const struct ag_context *context);

#endif
