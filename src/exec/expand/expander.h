/* SPDX-License-Identifier: MIT
 *
 * The expander: draws with stages that WebGPU does not have. It has the buffers and kernels with which
 * compute passes make primitives out of vertices; the kernels themselves and the sizes of buffers come from
 * the layer `kernel`. The executor owns the only struct ag_expander; packet handlers call draw.h, which also
 * makes plain draws.
 */
#ifndef AG_EXEC_EXPAND_EXPANDER_H
#define AG_EXEC_EXPAND_EXPANDER_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/draw/vertex_pull.h"
#include "exec/expand/inlined_draw.h"
#include "exec/record/resident_block.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/emission.h"
#include "kernel/lists.h"
#include "kernel/pieces.h"
#include "kernel/plan.h"
#include "kernel/tessellator.h"

struct ag_binder;
struct ag_blitter;
struct ag_copier;
struct ag_counted_draw;
struct ag_drawer;
struct ag_expansion_batch;
struct ag_host;
struct ag_objects;
struct ag_recorder;

#define AG_EXPAND_SETS 16

#define AG_EXPAND_KEPT_REGISTERS 8

/* What lists of input assembly are. */
struct ag_expand_lists_key {
    bool is_kept; /* false: they cannot be used again */
    uint32_t context;
    uint64_t buffers_lost;         /* struct ag_recorder */
    uint64_t vertices, primitives; /* the buffers */
    uint8_t block[AG_ASSEMBLY_BLOCK_BYTES];
};

/* The last lists that a set of buffers got, and the inputs of their vertices. They are as good for the next
 * draw without indices that has the same block, and fetches the same, if nothing was lost since: commands
 * that WebGPU refuses end their context, which others do not depend on. */
struct ag_expand_lists {
    struct ag_expand_lists_key key;
    uint64_t inputs; /* the buffer; 0: inputs were not fetched for these lists, or are of more registers */
    uint32_t registers;
    struct ag_vertex_fetch fetches[AG_EXPAND_KEPT_REGISTERS];
};

/* The buffers and kernels of expanded draws (pool.h). */
struct ag_expand_pool {
    /* Sets of buffers, each buffer made on its first use. */
    struct {
        WGPUBuffer gpu;
        uint64_t id, size;
    } sets[AG_EXPAND_SETS][AG_EXPAND_BUFFER_COUNT];
    uint64_t shared_bytes; /* of all sets but the first */
    struct ag_expand_lists lists_of[AG_EXPAND_SETS];
    /* The set of the current draw. The draws of the open pass read this set and those before it. */
    uint32_t set;

    /* Kernels, made on their first use. */
    bool has_kernels, has_tessellator;
    struct ag_emission_kernels emission;
    struct ag_list_kernels lists;
    struct ag_tessellator tessellator;
    struct ag_piece_kernels pieces;
};

struct ag_expander {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;
    struct ag_copier *copier;
    struct ag_binder *binder;
    struct ag_drawer *drawer;

    struct ag_expand_pool expand_pool;
    struct ag_counted_draw *counted; /* that of the stream at hand */
    struct ag_inlined_draw inlined;  /* the last inlined draw */
    struct ag_resident_block inlined_block;
    struct ag_expansion_batch *batch; /* draws whose compute passes are to be recorded; the executor's */
};

#endif
