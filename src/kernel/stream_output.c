/* SPDX-License-Identifier: MIT
 *
 * Records the stream output kernels (stream_output.wgsl).
 */
#include "kernel/stream_output.h"

#include <string.h>

#include "base/bytes.h"
#include "kernel/kernels.h"

enum { PLACE, WRITE };

void ag_stream_output_kernels_init(struct ag_stream_output_kernels *kernels, struct agpu_gpu *gpu)
{
    const struct ag_kernel_desc desc = {
        .label = "stream output",
        .wgsl = ag_stream_output_wgsl,
        .wgsl_length = ag_stream_output_wgsl_length,
        .binding_count = 8,
        .written = 0xF8,
        .block_bytes = AG_STREAM_OUTPUT_BLOCK_BYTES,
        .entries = {[PLACE] = "place", [WRITE] = "write"},
    };
    ag_kernel_init(&kernels->kernel, gpu, &desc);
}

void ag_stream_output_kernels_fini(struct ag_stream_output_kernels *kernels)
{
    ag_kernel_fini(&kernels->kernel);
}

void ag_stream_output_block(const struct ag_stream_output *output,
                            uint8_t block[AG_STREAM_OUTPUT_BLOCK_BYTES])
{
    uint32_t count = 0;
    memset(block, 0, AG_STREAM_OUTPUT_BLOCK_BYTES);
    for (uint32_t i = 0; i < output->place_count; i++) {
        const struct ag_stream_output_place *place = &output->places[i];
        uint8_t *to = block + 64 + (size_t)16 * count;
        if (place->stream != output->stream)
            continue;
        ag_store_u32(to, place->source);
        ag_store_u32(to + 4, place->slot);
        ag_store_u32(to + 8, place->offset);
        count++;
    }
    ag_store_u32(block, output->vertices);
    ag_store_u32(block + 4, output->registers);
    ag_store_u32(block + 8, count);
    ag_store_u32(block + 12, output->slots);
    for (size_t i = 0; i < AG_STREAM_OUTPUT_SLOTS; i++) {
        ag_store_u32(block + 16 + 4 * i, output->strides[i]);
        ag_store_u32(block + 32 + 4 * i, output->sizes[i]);
    }
    ag_store_u32(block + 48, output->stream);
}

bool ag_stream_output_record(struct ag_stream_output_kernels *kernels, WGPUComputePassEncoder pass,
                             const struct ag_stream_output_buffers *buffers,
                             const struct ag_stream_output *output, uint64_t primitives)
{
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {
        buffers->block,      buffers->primitives, buffers->records,    buffers->state,
        buffers->targets[0], buffers->targets[1], buffers->targets[2], buffers->targets[3]};
    if (!ag_kernel_bind(&kernels->kernel, pass, ranges))
        return false;
    ag_kernel_dispatch_one(&kernels->kernel, pass, PLACE);
    ag_kernel_dispatch(&kernels->kernel, pass, WRITE, primitives * output->vertices);
    return true;
}
