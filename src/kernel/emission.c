/* SPDX-License-Identifier: MIT
 *
 * Records the emission kernels (emission.wgsl).
 */
#include "kernel/emission.h"

#include <string.h>

#include "base/bytes.h"
#include "kernel/kernels.h"

enum { COUNT, PLACE, WRITE, MAKE };

uint32_t ag_emission_vertices(uint32_t topology)
{
    /* By D3D10_SB_PRIMITIVE_TOPOLOGY: point lists, line strips and triangle strips. */
    static const uint8_t vertices[] = {0, 1, 0, 2, 0, 3};
    return topology < AG_COUNT_OF(vertices) ? vertices[topology] : 0;
}

uint32_t ag_emission_primitives(const struct ag_emission *emission)
{
    return emission->max_vertices < emission->vertices ? 0
                                                       : emission->max_vertices - (emission->vertices - 1);
}

void ag_emission_kernels_init(struct ag_emission_kernels *kernels, struct agpu_gpu *gpu)
{
    const struct ag_kernel_desc desc = {
        .label = "emitted primitives",
        .wgsl = ag_emission_wgsl,
        .wgsl_length = ag_emission_wgsl_length,
        .binding_count = 6,
        .written = 1u << 3 | 1u << 4 | 1u << 5,
        .block_bytes = AG_EMISSION_BLOCK_BYTES,
        .entries = {[COUNT] = "count", [PLACE] = "place", [WRITE] = "write", [MAKE] = "make"},
    };
    ag_kernel_init(&kernels->kernel, gpu, &desc);
}

void ag_emission_kernels_fini(struct ag_emission_kernels *kernels)
{
    ag_kernel_fini(&kernels->kernel);
}

void ag_emission_block(const struct ag_emission *emission, uint32_t drawn,
                       uint8_t block[AG_EMISSION_BLOCK_BYTES])
{
    memset(block, 0, AG_EMISSION_BLOCK_BYTES);
    ag_store_u32(block, emission->max_vertices);
    ag_store_u32(block + 4, emission->instances);
    ag_store_u32(block + 8, emission->vertices);
    ag_store_u32(block + 12, emission->stream);
    ag_store_u32(block + 16, drawn);
}

bool ag_emission_record(struct ag_emission_kernels *kernels, WGPUComputePassEncoder pass,
                        const struct ag_emission_buffers *buffers, uint64_t invocations)
{
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {buffers->block,      buffers->inputs,
                                                               buffers->emits,      buffers->counts,
                                                               buffers->primitives, buffers->arguments};
    if (!ag_kernel_bind(&kernels->kernel, pass, ranges))
        return false;
    if (invocations <= AG_EXPAND_WORKGROUP) {
        ag_kernel_dispatch_one(&kernels->kernel, pass, MAKE);
        return true;
    }
    ag_kernel_dispatch(&kernels->kernel, pass, COUNT, invocations);
    ag_kernel_dispatch_one(&kernels->kernel, pass, PLACE);
    ag_kernel_dispatch(&kernels->kernel, pass, WRITE, invocations);
    return true;
}
