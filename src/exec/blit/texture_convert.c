/* SPDX-License-Identifier: MIT */
#include "exec/blit/texture_convert.h"

#include "base/bytes.h"
#include "exec/blit/blitter.h"
#include "exec/blit/kernels.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

/* The uniform block of the kernel: struct Convert of texture_convert.wgsl. */
struct convert_block {
    uint32_t bits[4]; /* bits of each component in the guest's texel; 0: missing, reads as 1 */
    uint32_t width, height;
    uint32_t from_pitch, to_pitch; /* words */
    uint32_t widens;
    uint32_t padding[3];
};

static struct ag_kernel *get_kernel(struct ag_blitter *blitter)
{
    const struct ag_kernel_desc desc = {
        .label = "texel conversion",
        .wgsl = ag_texture_convert_wgsl,
        .wgsl_length = ag_texture_convert_wgsl_length,
        .binding_count = 3,
        .written = 1u << 2,
        .block_bytes = sizeof(struct convert_block),
        .entries = {"main"},
    };
    return ag_bind_kernel_make(blitter->recorder, &blitter->texel_converter, &desc);
}

/* A rectangle of a texture, and a buffer that its texels are copied to or from. */
struct staging {
    WGPUTexelCopyBufferInfo memory;
    WGPUTexelCopyTextureInfo texels;
    uint64_t size;
};

static bool make_staging(struct ag_blitter *blitter, const struct ag_texel_rect *rect, uint32_t width,
                         uint32_t height, struct staging *staging)
{
    uint64_t pitch = ag_align_up((uint64_t)width * rect->texture->format->host_bytes, 256);
    staging->size = pitch * height;
    staging->memory = (WGPUTexelCopyBufferInfo){
        .buffer = ag_recorder_scratch_buffer(
            blitter->recorder, staging->size,
            WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "converted texels"),
        .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = height},
    };
    staging->texels = (WGPUTexelCopyTextureInfo){
        .texture = rect->texture->gpu,
        .mipLevel = rect->mip,
        .origin = {rect->x, rect->y, rect->layer},
        .aspect = WGPUTextureAspect_All,
    };
    return staging->memory.buffer != NULL;
}

bool ag_texture_convert(struct ag_blitter *blitter, const struct ag_texel_rect *to,
                        const struct ag_texel_rect *from, uint32_t width, uint32_t height)
{
    const struct ag_components components = ag_host_format_components(from->texture->format);
    const WGPUExtent3D extent = {width, height, 1};
    struct convert_block block = {.width = width, .height = height, .widens = to->texture->widened ? 1 : 0};
    struct staging source, result;
    if (!make_staging(blitter, from, width, height, &source) ||
        !make_staging(blitter, to, width, height, &result))
        return false;
    block.from_pitch = source.memory.layout.bytesPerRow / 4;
    block.to_pitch = result.memory.layout.bytesPerRow / 4;
    for (uint32_t c = 0; c < 4; c++)
        block.bits[c] = components.bits[c];
    struct ag_kernel_run run = {
        .kernel = get_kernel(blitter),
        .block = &block,
        .block_bytes = sizeof block,
        .ranges = {[1] = {.buffer = source.memory.buffer, .size = source.size},
                   {.buffer = result.memory.buffer, .size = result.size}},
        .invocations = (uint64_t)width * height,
    };
    ag_gpu_copy_to_buffer(blitter->host->gpu, ag_recorder_encoder(blitter->recorder), &source.texels,
                          &source.memory, &extent);
    if (!ag_bind_kernel_run(blitter->recorder, ag_recorder_encoder(blitter->recorder), &run))
        return false;
    ag_gpu_copy_to_texture(blitter->host->gpu, ag_recorder_encoder(blitter->recorder), &result.memory,
                           &result.texels, &extent);
    return true;
}
