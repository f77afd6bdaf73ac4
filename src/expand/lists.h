/* SPDX-License-Identifier: MIT
 *
 * Lists of primitives made from lists of primitives, and the arguments of indirect draws made from them.
 */
#ifndef AGPU_EXPAND_LISTS_H
#define AGPU_EXPAND_LISTS_H

#include "expand/kernel.h"

struct agpu_list_kernels {
    struct agpu_kernel kernel;
};

void agpu_list_kernels_init(struct agpu_list_kernels *kernels, struct agpu_gpu *gpu);
void agpu_list_kernels_fini(struct agpu_list_kernels *kernels);

#define AGPU_LIST_BLOCK_BYTES 16
#define AGPU_DRAW_ARGUMENT_BYTES 16

struct agpu_list_part {
    uint32_t vertices; /* of a primitive */
    uint32_t first, limit;
};
void agpu_list_block(const struct agpu_list_part *part, uint8_t block[AGPU_LIST_BLOCK_BYTES]);

struct agpu_list_buffers {
    struct agpu_buffer_range block; /* agpu_list_block(), uniform */
    struct agpu_buffer_range from;
    struct agpu_buffer_range to;
};

/* Records a copy of at most part->limit primitives from part->first on. */
void agpu_list_record_copy(const struct agpu_list_kernels *kernels, WGPUComputePassEncoder pass,
                           const struct agpu_list_buffers *buffers, const struct agpu_list_part *part);
/* AGPU_DRAW_ARGUMENT_BYTES for a draw of part->vertices for each primitive of the list, with one instance,
 * which is part->first. */
void agpu_list_record_arguments(const struct agpu_list_kernels *kernels, WGPUComputePassEncoder pass,
                                const struct agpu_list_buffers *buffers);

#endif
