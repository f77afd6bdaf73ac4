/* SPDX-License-Identifier: MIT
 *
 * Kernels that copy a part of a list of primitives to another list, or make the arguments of an indirect draw
 * from a list.
 */
#ifndef AG_KERNEL_LISTS_H
#define AG_KERNEL_LISTS_H

#include "kernel/kernel.h"
#include "wgsl/expansion.h"

struct ag_list_kernels {
    struct ag_kernel kernel;
};

void ag_list_kernels_init(struct ag_list_kernels *kernels, struct agpu_gpu *gpu);
void ag_list_kernels_fini(struct ag_list_kernels *kernels);

#define AG_LIST_BLOCK_BYTES 16
#define AG_DRAW_ARGUMENT_BYTES 16

struct ag_list_part {
    uint32_t vertices; /* vertices of a primitive */
    uint32_t first, limit;
};
void ag_list_block(const struct ag_list_part *part, uint8_t block[AG_LIST_BLOCK_BYTES]);

struct ag_list_buffers {
    struct ag_buffer_range block; /* ag_list_block(), uniform */
    struct ag_buffer_range from;
    struct ag_buffer_range to;
};

/* Records a copy of at most part->limit primitives, from part->first on. False when memory is exhausted, here
 * and below. */
bool ag_list_record_copy(struct ag_list_kernels *kernels, WGPUComputePassEncoder pass,
                         const struct ag_list_buffers *buffers, const struct ag_list_part *part);
/* Records the making of AG_DRAW_ARGUMENT_BYTES of arguments: part->vertices vertices for each primitive of
 * the list, and one instance, whose number is part->first. */
bool ag_list_record_arguments(struct ag_list_kernels *kernels, WGPUComputePassEncoder pass,
                              const struct ag_list_buffers *buffers);

#endif
