/* SPDX-License-Identifier: MIT
 *
 * Input assembly as compute kernels: from the vertices of a draw to lists of primitives and of their
 * vertices, as AG_EXPAND_PRIMITIVES and AG_EXPAND_VERTICES have them. Restarts in index buffers are found
 * on the GPU, so it does not matter who wrote the indices. Every corner of a primitive is a vertex of its
 * own.
 */
#ifndef AG_EXPAND_ASSEMBLY_H
#define AG_EXPAND_ASSEMBLY_H

#include "expand/kernel.h"
#include "wgsl/expansion.h"

/* How a topology makes primitives. */
struct ag_assembly {
    uint32_t topology;      /* enum of the ABI: D3D_PRIMITIVE_TOPOLOGY, and the triangle fan */
    uint32_t list_vertices; /* vertices of a list's primitive; 0: a strip or fan */
    uint32_t first_end;     /* strips and fans: number of the first primitive's last vertex, */
    uint32_t step;          /* and vertices from there to the next; 1 for lists */
    uint32_t corners;       /* of a primitive as the next stage sees it */
    bool neighbours;        /* the next stage sees adjacent vertices */
};

/* `neighbours`: the next stage takes adjacent vertices where the topology has them. False for a topology that
 * there is not. */
bool ag_assembly_init(struct ag_assembly *assembly, uint32_t topology, bool neighbours);

/* Primitives of `vertices` vertices without restarts. */
uint32_t ag_assembly_primitives(const struct ag_assembly *assembly, uint32_t vertices);

/* A draw's indices; all zeros: it has none. */
struct ag_assembly_indices {
    uint32_t bytes; /* of one: 2 or 4 */
    uint32_t base;  /* byte of the draw's first index in the buffer */
    uint32_t limit; /* bytes of the buffer: reads past it are 0 */
};

/* A part of a draw. Without restarts primitives [first, first + primitives) of each of the instances; with
 * them the primitives that end at positions [begin, end), at most `primitives`. Parts of one instance come in
 * order. */
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
#define AG_ASSEMBLY_RUN_BYTES 8 /* of `runs` for each primitive, behind AG_LIST_HEADER_WORDS words */

void ag_assembly_block(const struct ag_assembly *assembly, const struct ag_assembly_indices *indices,
                       uint32_t vertices, bool restarts, const struct ag_assembly_part *part,
                       uint8_t block[AG_ASSEMBLY_BLOCK_BYTES]);

struct ag_assembly_buffers {
    struct ag_buffer_range block;      /* ag_assembly_block(), uniform */
    struct ag_buffer_range indices;    /* anything when there are none */
    struct ag_buffer_range runs;       /* scratch: keeps what it is given from part to part of a draw */
    struct ag_buffer_range vertices;   /* written */
    struct ag_buffer_range primitives; /* written */
};

/* For lists whose vertices the draw itself fetches: their indices without restarts and what these make
 * incomplete, 32 bits a piece, in buffers.vertices, and the arguments of an indirect draw with indices in
 * buffers.primitives. buffers.runs is not touched, but bound. */
#define AG_INDEXED_ARGUMENT_BYTES 20

struct ag_assembly_draw {
    uint32_t vertices, instances, first_instance;
    int32_t base_vertex;
};

void ag_assembly_strip_block(const struct ag_assembly *assembly, const struct ag_assembly_indices *indices,
                             const struct ag_assembly_draw *draw, uint8_t block[AG_ASSEMBLY_BLOCK_BYTES]);
void ag_assembly_record_strip(const struct ag_assembly_kernels *kernels, WGPUComputePassEncoder pass,
                              const struct ag_assembly_buffers *buffers, uint32_t vertices);

/* Records the dispatches for a part. `finds`: its restarts are to be looked for; not so when `runs` has the
 * same positions from the part before. Changes the pass's pipeline and group 0. */
void ag_assembly_record(const struct ag_assembly_kernels *kernels, WGPUComputePassEncoder pass,
                        const struct ag_assembly_buffers *buffers, const struct ag_assembly_part *part,
                        bool finds);

#endif
