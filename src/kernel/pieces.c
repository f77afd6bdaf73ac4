/* SPDX-License-Identifier: MIT
 *
 * Records the kernel that finds pieces (pieces.wgsl).
 */
#include "kernel/pieces.h"

#include <string.h>

#include "base/bytes.h"
#include "kernel/kernels.h"

enum { PLACE };

void ag_piece_kernels_init(struct ag_piece_kernels *kernels, struct agpu_gpu *gpu)
{
    const struct ag_kernel_desc desc = {
        .label = "pieces of a list",
        .wgsl = ag_pieces_wgsl,
        .wgsl_length = ag_pieces_wgsl_length,
        .binding_count = 3,
        .written = 1u << 2,
        .block_bytes = AG_PIECES_BLOCK_BYTES,
        .entries = {[PLACE] = "place"},
    };
    ag_kernel_init(&kernels->kernel, gpu, &desc);
}

void ag_piece_kernels_fini(struct ag_piece_kernels *kernels)
{
    ag_kernel_fini(&kernels->kernel);
}

bool ag_piece_kernels_begin(struct ag_piece_kernels *kernels)
{
    return ag_kernel_begin(&kernels->kernel, PLACE);
}

void ag_pieces_block(const struct ag_pieces *pieces, uint8_t block[AG_PIECES_BLOCK_BYTES])
{
    memset(block, 0, AG_PIECES_BLOCK_BYTES);
    ag_store_u32(block, pieces->drawn);
    ag_store_u32(block + 4, pieces->vertices + 1);
    ag_store_u32(block + 8, pieces->count);
    for (uint32_t i = 0; i < pieces->count; i++)
        ag_store_u32(block + 16 + 4 * (size_t)i, pieces->first_patches[i]);
}

bool ag_pieces_record(struct ag_piece_kernels *kernels, WGPUComputePassEncoder pass,
                      const struct ag_piece_buffers *buffers, uint32_t count)
{
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {buffers->block, buffers->list,
                                                               buffers->arguments};
    if (!ag_kernel_bind(&kernels->kernel, pass, ranges))
        return false;
    ag_kernel_dispatch(&kernels->kernel, pass, PLACE, count);
    return true;
}
