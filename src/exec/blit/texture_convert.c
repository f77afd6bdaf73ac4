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

/* ---- Buffers ------------------------------------------------------------------------------------------ */

#define LEAST_BYTES (UINT64_C(64) << 10)
/* The most bytes of a buffer that is kept for the next copy. */
#define MOST_KEPT_BYTES (UINT64_C(16) << 20)
#define USAGE (WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst)

void ag_converted_texels_fini(struct ag_converted_texels *texels)
{
    if (texels->gpu)
        wgpuBufferRelease(texels->gpu);
    *texels = (struct ag_converted_texels){0};
}

/* Makes the kept buffer larger. Commands that were recorded keep the old one. */
static bool grow(struct ag_blitter *blitter, struct ag_converted_texels *texels, uint64_t size)
{
    uint64_t larger = texels->size ? texels->size : LEAST_BYTES;
    while (larger < size)
        larger *= 2;
    if (texels->gpu) {
        if (!ag_recorder_keep_until_flush(blitter->recorder, texels->gpu))
            return false;
        ag_bind_groups_forget(blitter->recorder, texels->id);
    }
    *texels = (struct ag_converted_texels){
        .gpu = ag_host_create_buffer(blitter->host, larger, USAGE, "converted texels"),
        .id = ag_host_id(blitter->host),
        .size = larger,
    };
    return texels->gpu != NULL;
}

/* A buffer for `size` bytes of one copy: copies are executed one after the other, and share the kept one. */
static struct ag_buffer_range get_buffer(struct ag_blitter *blitter, struct ag_converted_texels *texels,
                                         uint64_t size)
{
    if (size > MOST_KEPT_BYTES)
        return (struct ag_buffer_range){
            .buffer = ag_recorder_scratch_buffer(blitter->recorder, size, USAGE, "converted texels"),
            .size = size};
    if (size > texels->size && !grow(blitter, texels, size))
        return (struct ag_buffer_range){0};
    return (struct ag_buffer_range){.buffer = texels->gpu, .size = texels->size, .id = texels->id};
}

/* ---- Copies ------------------------------------------------------------------------------------------- */

/* A rectangle of a texture, and a buffer that its texels are copied to or from. */
struct staging {
    WGPUTexelCopyBufferInfo memory;
    WGPUTexelCopyTextureInfo texels;
    struct ag_buffer_range range;
};

static bool make_staging(struct ag_blitter *blitter, struct ag_converted_texels *kept,
                         const struct ag_texel_rect *rect, uint32_t width, uint32_t height,
                         struct staging *staging)
{
    uint64_t pitch = ag_align_up((uint64_t)width * rect->texture->format->host_bytes, 256);
    staging->range = get_buffer(blitter, kept, pitch * height);
    staging->memory = (WGPUTexelCopyBufferInfo){
        .buffer = staging->range.buffer,
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
    if (!make_staging(blitter, &blitter->unconverted, from, width, height, &source) ||
        !make_staging(blitter, &blitter->converted, to, width, height, &result))
        return false;
    block.from_pitch = source.memory.layout.bytesPerRow / 4;
    block.to_pitch = result.memory.layout.bytesPerRow / 4;
    for (uint32_t c = 0; c < 4; c++)
        block.bits[c] = components.bits[c];
    struct ag_kernel_run run = {
        .kernel = get_kernel(blitter),
        .block = &block,
        .block_bytes = sizeof block,
        .ranges = {[1] = source.range, result.range},
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
