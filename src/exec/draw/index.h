/* SPDX-License-Identifier: MIT
 *
 * The indices of a draw, as WebGPU or a kernel reads them. Topologies that WebGPU lacks become lists. Cut
 * values, offsets that are not aligned, and indices past the end of the buffer are rewritten, by the CPU when
 * it knows the indices.
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

struct ag_index_source;
typedef enum ag_outcome (*ag_index_maker)(struct ag_drawer *, struct ag_context *, const struct ag_draw *,
                                          struct ag_index_source *);

/* The indices of a plain draw. */
struct ag_index_source {
    ag_index_maker make; /* null: there are none, or the source strips */
    WGPUBuffer buffer;
    WGPUIndexFormat format;
    uint64_t offset, size;
    uint32_t first, count;
    uint32_t topology; /* the topology to draw: a list in place of a fan or of adjacency */
    /* Only the GPU knows how many indices of a list are left without its cut values: a kernel makes buffer
     * and arguments, when ag_index_source_strip() records it. */
    bool strips;
    WGPUBuffer arguments; /* of an indirect draw, at offset 0; null: the draw is direct */
};

/* Finds what indices a plain draw has, without the buffer that it reads them from: topology and format are
 * those of its pipeline. */
enum ag_outcome ag_index_source_init(struct ag_drawer *drawer, struct ag_context *context,
                                     const struct ag_draw *draw, struct ag_index_source *source);

/* Finds or rewrites the indices. A draw that waits for its pipeline is executed again, and would upload them
 * each time. source->count may become 0. */
enum ag_outcome ag_index_source_make(struct ag_drawer *drawer, struct ag_context *context,
                                     const struct ag_draw *draw, struct ag_index_source *source);

/* Makes the indices of a source that strips. The draw is the one that is recorded: pulled vertices have moved
 * its base vertex and first instance. */
enum ag_outcome ag_index_source_strip(struct ag_drawer *drawer, struct ag_context *context,
                                      const struct ag_draw *draw, struct ag_index_source *source);

/* Looks up the context's index buffer and brings it up to date. */
enum ag_outcome ag_index_buffer_resolve(struct ag_drawer *drawer, struct ag_context *context);

/* Whether indices that only the GPU knows would have to be rewritten: for a topology that WebGPU lacks, an
 * offset that is not aligned, or a first instance that an indirect draw cannot have. */
bool ag_indices_need_rewriting(const struct ag_drawer *drawer, const struct ag_context *context,
                               const struct ag_draw *draw);

/* The most indices that the CPU rewrites for a draw. */
#define AG_MOST_REWRITTEN_INDICES (UINT32_C(1) << 18)

/* Whether a draw has so many vertices that its topology or its unaligned indices are not rewritten by the
 * CPU: the draw is expanded. The index buffer is resolved. */
bool ag_indices_exceed_rewriting(const struct ag_context *context, const struct ag_draw *draw);

/* Describes the indices of a draw for a kernel. *range is the buffer, or zeros when no index buffer is
 * bound. */
enum ag_outcome ag_indices_for_kernel(struct ag_drawer *drawer, struct ag_context *context,
                                      const struct ag_draw *draw, struct ag_assembly_indices *indices,
                                      struct ag_buffer_range *range);

/* How many whole primitives `count` vertices without a cut make. */
uint32_t ag_topology_primitives(uint32_t topology, uint32_t count);

/* Whether the draw is of triangles of which only the edges are drawn. */
bool ag_topology_is_wireframe(const struct ag_context *context);

#endif
