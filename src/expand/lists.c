/* SPDX-License-Identifier: MIT */
#include "expand/lists.h"

#include <string.h>

#include "base/bytes.h"
#include "expand/kernels.h"

enum { COPY, ARGUMENTS };

void agpu_list_kernels_init(struct agpu_list_kernels *kernels, struct agpu_gpu *gpu)
{
    const struct agpu_kernel_desc desc = {
        .label = "lists of primitives",
        .wgsl = agpu_lists_wgsl,
        .wgsl_length = agpu_lists_wgsl_length,
        .binding_count = 3,
        .written = 1u << 2,
        .block_bytes = AGPU_LIST_BLOCK_BYTES,
        .entries = {[COPY] = "copy", [ARGUMENTS] = "arguments"},
    };
    agpu_kernel_init(&kernels->kernel, gpu, &desc);
}

void agpu_list_kernels_fini(struct agpu_list_kernels *kernels)
{
    agpu_kernel_fini(&kernels->kernel);
}

void agpu_list_block(const struct agpu_list_part *part, uint8_t block[AGPU_LIST_BLOCK_BYTES])
{
    memset(block, 0, AGPU_LIST_BLOCK_BYTES);
    agpu_store_u32(block, part->vertices);
    agpu_store_u32(block + 4, part->first);
    agpu_store_u32(block + 8, part->limit);
}

static bool bind(const struct agpu_list_kernels *kernels, WGPUComputePassEncoder pass,
                 const struct agpu_list_buffers *buffers)
{
    const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS] = {buffers->block, buffers->from,
                                                                   buffers->to};
    return agpu_kernel_bind(&kernels->kernel, pass, ranges);
}

void agpu_list_record_copy(const struct agpu_list_kernels *kernels, WGPUComputePassEncoder pass,
                           const struct agpu_list_buffers *buffers, const struct agpu_list_part *part)
{
    if (bind(kernels, pass, buffers))
        agpu_kernel_dispatch(&kernels->kernel, pass, COPY, part->limit);
}

void agpu_list_record_arguments(const struct agpu_list_kernels *kernels, WGPUComputePassEncoder pass,
                                const struct agpu_list_buffers *buffers)
{
    if (bind(kernels, pass, buffers))
        agpu_kernel_dispatch_one(&kernels->kernel, pass, ARGUMENTS);
}
