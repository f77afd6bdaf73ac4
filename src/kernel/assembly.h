/* SPDX-License-Identifier: MIT
 *
 * Input assembly as compute kernels: turns the vertices of a draw into lists of primitives and of their
 * vertices (AG_EXPAND_PRIMITIVES, AG_EXPAND_VERTICES). Strip restarts in index buffers are found on the
 * GPU, so indices may come from anywhere. Each corner of a primitive becomes a vertex of its own.
 */
#ifndef AG_KERNEL_ASSEMBLY_H
#define AG_KERNEL_ASSEMBLY_H

#include "kernel/kernel.h"
#include "wgsl/expansion.h"

/* How a topology forms primitives. */
struct ag_assembly {
    uint32_t topology;      /* enum of the ABI: D3D_PRIMITIVE_TOPOLOGY, and the triangle fan */
    uint32_t list_vertices; /* lists: vertices of a primitive; 0: a strip or fan */
    /* Strips and fans: the number of the first primitive's last vertex, and how many vertices further the
     * next primitive's last vertex is; 1 for lists. */
    uint32_t first_end;
    uint32_t step;
    uint32_t corners; /* vertices of a primitive that the next stage gets */
    bool neighbours;  /* the next stage gets adjacent vertices */
};

/* `neighbours`: the next stage reads adjacent vertices if the topology has them. False for an unknown
 * topology. */
bool ag_assembly_init(struct ag_assembly *assembly, uint32_t topology, bool neighbours);

/* How many primitives `vertices` vertices form without restarts. */
uint32_t ag_assembly_primitives(const struct ag_assembly *assembly, uint32_t vertices);

/* A draw's indices; all zeros for a draw without indices. */
struct ag_assembly_indices {
    uint32_t bytes; /* bytes of an index: 2 or 4 */
    uint32_t base;  /* byte offset of the draw's first index in the buffer */
    uint32_t limit; /* size of the buffer in bytes: reads beyond it are 0 */
};

/* A part of a draw. Without restarts: the primitives [first, first + primitives) of each instance. With
 * restarts: the primitives that end at positions [begin, end), at most `primitives` of them. The parts of one
 * instance are done in order. */
struct ag_assembly_part {
    uint32_t first, primitives;
    uint32_t first_instance, instances;
    uint32_t begin, end;
};

struct ag_assembly_kernels {
    struct ag_kernel kernel;
};

void ag_assembly_kernels_init(struct ag_assembly_kernels *kernels, struct agpu_gpu *gpu);
void ag_assembly_kernels_fini(struct ag_assembly_kernels *kernels);

#define AG_ASSEMBLY_BLOCK_BYTES 80
/* Bytes of `runs` for each primitive, behind AG_LIST_HEADER_WORDS words. */
#define AG_ASSEMBLY_RUN_BYTES 8

void ag_assembly_block(const struct ag_assembly *assembly, const struct ag_assembly_indices *indices,
                       uint32_t vertices, bool restarts, const struct ag_assembly_part *part,
                       uint8_t block[AG_ASSEMBLY_BLOCK_BYTES]);

struct ag_assembly_buffers {
    struct ag_buffer_range block;      /* ag_assembly_block(), uniform */
    struct ag_buffer_range indices;    /* any buffer if there are no indices */
    struct ag_buffer_range runs;       /* scratch: carries state from part to part of a draw */
    struct ag_buffer_range vertices;   /* written */
    struct ag_buffer_range primitives; /* written */
};

/* For lists whose vertices the draw itself fetches: writes the indices without restarts, and without
 * primitives that restarts leave incomplete, to buffers.vertices (32 bits each), and the arguments of an
 * indexed indirect draw to buffers.primitives. buffers.runs is bound but not used. */
#define AG_INDEXED_ARGUMENT_BYTES 20

struct ag_assembly_draw {
    uint32_t vertices, instances, first_instance;
    int32_t base_vertex;
};

void ag_assembly_strip_block(const struct ag_assembly *assembly, const struct ag_assembly_indices *indices,
                             const struct ag_assembly_draw *draw, uint8_t block[AG_ASSEMBLY_BLOCK_BYTES]);
/* False when memory is exhausted (reported by who makes the bind groups); nothing is dispatched then. */
bool ag_assembly_record_strip(struct ag_assembly_kernels *kernels, WGPUComputePassEncoder pass,
                              const struct ag_assembly_buffers *buffers, uint32_t vertices);

/* Records the dispatches for a part. `finds`: looks for the restarts of the part, which is not necessary if
 * `runs` still describes the same positions. Changes the pass's pipeline and group 0. False as above. */
bool ag_assembly_record(struct ag_assembly_kernels *kernels, WGPUComputePassEncoder pass,
                        const struct ag_assembly_buffers *buffers, const struct ag_assembly_part *part,
                        bool finds);

#endif
