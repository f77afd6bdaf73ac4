/* SPDX-License-Identifier: MIT */
#include "expand/emission.h"

#include <string.h>

#include "base/bytes.h"
#include "expand/kernels.h"

enum { COUNT, PLACE, WRITE };

uint32_t agpu_emission_primitives(const struct agpu_emission *emission)
{
    return emission->max_vertices < emission->vertices ? 0
                                                       : emission->max_vertices - (emission->vertices - 1);
}

void agpu_emission_kernels_init(struct agpu_emission_kernels *kernels, struct agpu_gpu *gpu)
{
    const struct agpu_kernel_desc desc = {
        .label = "emitted primitives",
        .wgsl = agpu_emission_wgsl,
        .wgsl_length = agpu_emission_wgsl_length,
        .binding_count = 5,
        .written = 1u << 3 | 1u << 4,
        .block_bytes = AGPU_EMISSION_BLOCK_BYTES,
        .entries = {[COUNT] = "count", [PLACE] = "place", [WRITE] = "write"},
    };
    agpu_kernel_init(&kernels->kernel, gpu, &desc);
}

void agpu_emission_kernels_fini(struct agpu_emission_kernels *kernels)
{
    agpu_kernel_fini(&kernels->kernel);
}

void agpu_emission_block(const struct agpu_emission *emission, uint8_t block[AGPU_EMISSION_BLOCK_BYTES])
{
    memset(block, 0, AGPU_EMISSION_BLOCK_BYTES);
    agpu_store_u32(block, emission->max_vertices);
    agpu_store_u32(block + 4, emission->instances);
    agpu_store_u32(block + 8, emission->vertices);
    agpu_store_u32(block + 12, emission->stream);
}

void agpu_emission_record(const struct agpu_emission_kernels *kernels, WGPUComputePassEncoder pass,
                          const struct agpu_emission_buffers *buffers, uint64_t invocations)
{
    const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS] = {
        buffers->block, buffers->inputs, buffers->emits, buffers->counts, buffers->primitives};
    if (!agpu_kernel_bind(&kernels->kernel, pass, ranges))
        return;
    agpu_kernel_dispatch(&kernels->kernel, pass, COUNT, invocations);
    agpu_kernel_dispatch_one(&kernels->kernel, pass, PLACE);
    agpu_kernel_dispatch(&kernels->kernel, pass, WRITE, invocations);
}
