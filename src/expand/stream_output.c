/* SPDX-License-Identifier: MIT */
#include "expand/stream_output.h"

#include <string.h>

#include "base/bytes.h"
#include "expand/kernels.h"

enum { PLACE, WRITE };

void agpu_stream_output_kernels_init(struct agpu_stream_output_kernels *kernels, struct agpu_gpu *gpu)
{
    const struct agpu_kernel_desc desc = {
        .label = "stream output",
        .wgsl = agpu_stream_output_wgsl,
        .wgsl_length = agpu_stream_output_wgsl_length,
        .binding_count = 8,
        .written = 0xF8,
        .block_bytes = AGPU_STREAM_OUTPUT_BLOCK_BYTES,
        .entries = {[PLACE] = "place", [WRITE] = "write"},
    };
    agpu_kernel_init(&kernels->kernel, gpu, &desc);
}

void agpu_stream_output_kernels_fini(struct agpu_stream_output_kernels *kernels)
{
    agpu_kernel_fini(&kernels->kernel);
}

void agpu_stream_output_block(const struct agpu_stream_output *output,
                              uint8_t block[AGPU_STREAM_OUTPUT_BLOCK_BYTES])
{
    uint32_t count = 0;
    memset(block, 0, AGPU_STREAM_OUTPUT_BLOCK_BYTES);
    for (uint32_t i = 0; i < output->place_count; i++) {
        const struct agpu_stream_output_place *place = &output->places[i];
        uint8_t *to = block + 64 + 16 * count;
        if (place->stream != output->stream)
            continue;
        agpu_store_u32(to, place->source);
        agpu_store_u32(to + 4, place->slot);
        agpu_store_u32(to + 8, place->offset);
        count++;
    }
    agpu_store_u32(block, output->vertices);
    agpu_store_u32(block + 4, output->registers);
    agpu_store_u32(block + 8, count);
    agpu_store_u32(block + 12, output->slots);
    for (uint32_t i = 0; i < AGPU_STREAM_OUTPUT_SLOTS; i++) {
        agpu_store_u32(block + 16 + 4 * i, output->strides[i]);
        agpu_store_u32(block + 32 + 4 * i, output->sizes[i]);
    }
    agpu_store_u32(block + 48, output->stream);
}

void agpu_stream_output_record(const struct agpu_stream_output_kernels *kernels, WGPUComputePassEncoder pass,
                               const struct agpu_stream_output_buffers *buffers,
                               const struct agpu_stream_output *output, uint64_t primitives)
{
    const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS] = {
        buffers->block,      buffers->primitives, buffers->records,    buffers->state,
        buffers->targets[0], buffers->targets[1], buffers->targets[2], buffers->targets[3]};
    if (!agpu_kernel_bind(&kernels->kernel, pass, ranges))
        return;
    agpu_kernel_dispatch_one(&kernels->kernel, pass, PLACE);
    agpu_kernel_dispatch(&kernels->kernel, pass, WRITE, primitives * output->vertices);
}
