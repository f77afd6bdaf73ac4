/* SPDX-License-Identifier: MIT
 *
 * Records the list kernels (lists.wgsl).
 */
#include "kernel/lists.h"

#include <string.h>

#include "base/bytes.h"
#include "kernel/kernels.h"

enum { COPY, ARGUMENTS };

void ag_list_kernels_init(struct ag_list_kernels *kernels, struct agpu_gpu *gpu)
{
    const struct ag_kernel_desc desc = {
        .label = "lists of primitives",
        .wgsl = ag_lists_wgsl,
        .wgsl_length = ag_lists_wgsl_length,
        .binding_count = 3,
        .written = 1u << 2,
        .block_bytes = AG_LIST_BLOCK_BYTES,
        .entries = {[COPY] = "copy", [ARGUMENTS] = "arguments"},
    };
    ag_kernel_init(&kernels->kernel, gpu, &desc);
}

void ag_list_kernels_fini(struct ag_list_kernels *kernels)
{
    ag_kernel_fini(&kernels->kernel);
}

void ag_list_block(const struct ag_list_part *part, uint8_t block[AG_LIST_BLOCK_BYTES])
{
    memset(block, 0, AG_LIST_BLOCK_BYTES);
    ag_store_u32(block, part->vertices);
    ag_store_u32(block + 4, part->first);
    ag_store_u32(block + 8, part->limit);
}

static bool bind(struct ag_list_kernels *kernels, WGPUComputePassEncoder pass,
                 const struct ag_list_buffers *buffers)
{
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {buffers->block, buffers->from, buffers->to};
    return ag_kernel_bind(&kernels->kernel, pass, ranges);
}

bool ag_list_record_copy(struct ag_list_kernels *kernels, WGPUComputePassEncoder pass,
                         const struct ag_list_buffers *buffers, const struct ag_list_part *part)
{
    if (!bind(kernels, pass, buffers))
        return false;
    ag_kernel_dispatch(&kernels->kernel, pass, COPY, part->limit);
    return true;
}

bool ag_list_record_arguments(struct ag_list_kernels *kernels, WGPUComputePassEncoder pass,
                              const struct ag_list_buffers *buffers)
{
    if (!bind(kernels, pass, buffers))
        return false;
    ag_kernel_dispatch_one(&kernels->kernel, pass, ARGUMENTS);
    return true;
}
