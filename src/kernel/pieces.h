/* SPDX-License-Identifier: MIT
 *
 * A kernel that finds the pieces of a list: primitives of patches that follow one another, which are drawn
 * with state of their own (ag_expanded_options.pieces).
 */
#ifndef AG_KERNEL_PIECES_H
#define AG_KERNEL_PIECES_H

#include "kernel/kernel.h"
#include "wgsl/expansion.h"

struct ag_piece_kernels {
    struct ag_kernel kernel;
};

void ag_piece_kernels_init(struct ag_piece_kernels *kernels, struct agpu_gpu *gpu);
void ag_piece_kernels_fini(struct ag_piece_kernels *kernels);
/* Begins to make the pipeline. False when memory is exhausted (not reported). */
bool ag_piece_kernels_begin(struct ag_piece_kernels *kernels);

struct ag_pieces {
    uint32_t vertices; /* of a primitive */
    uint32_t drawn;    /* vertices that the draw has for each primitive */
    uint32_t count;
    uint32_t first_patches[AG_MOST_PIECES]; /* of each piece, ascending */
};

#define AG_PIECES_BLOCK_BYTES (16 + 4 * AG_MOST_PIECES)
void ag_pieces_block(const struct ag_pieces *pieces, uint8_t block[AG_PIECES_BLOCK_BYTES]);

struct ag_piece_buffers {
    struct ag_buffer_range block;     /* ag_pieces_block(), uniform */
    struct ag_buffer_range list;      /* AG_EXPAND_PRIMITIVES, as the tessellator writes it */
    struct ag_buffer_range arguments; /* written: those of piece n at AG_DRAW_ARGUMENT_BYTES * (n + 1) */
};

/* Records the dispatch. Changes the pass's pipeline and group 0. False when memory is exhausted. */
bool ag_pieces_record(struct ag_piece_kernels *kernels, WGPUComputePassEncoder pass,
                      const struct ag_piece_buffers *buffers, uint32_t count);

#endif
