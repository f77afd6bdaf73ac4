/* SPDX-License-Identifier: MIT
 *
 * Copies of texels of 16 bits between textures that hold them as RGBA8, to be rendered to, and as floats, to
 * be read exactly. The value is the same of 5, 6 or 1 bits on both sides.
 */
#include "exec/blit/texture_convert.h"

#include "base/bytes.h"
#include "exec/blit/blitter.h"
#include "exec/blit/kernels.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "format/format.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

/* The uniform block of the kernel, laid out as struct Convert in texture_convert.wgsl. */
struct convert_block {
    uint32_t bits[4]; /* of the components; 0: there is none, it is 1 */
    uint32_t width, height;
    uint32_t from_pitch, to_pitch; /* words */
    uint32_t widens;
    uint32_t padding[3];
};

static const struct ag_kernel *get_kernel(struct ag_blitter *blitter)
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

/* Memory for a rectangle of a texture on its way. */
struct passage {
    WGPUTexelCopyBufferInfo memory;
    WGPUTexelCopyTextureInfo texels;
    uint64_t size;
};

static bool open_passage(struct ag_blitter *blitter, const struct ag_texel_rect *rect, uint32_t width,
                         uint32_t height, struct passage *passage)
{
    uint64_t pitch = ag_align_up((uint64_t)width * rect->texture->format->host_bytes, 256);
    passage->size = pitch * height;
    passage->memory = (WGPUTexelCopyBufferInfo){
        .buffer = ag_recorder_scratch_buffer(
            blitter->recorder, passage->size,
            WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "converted texels"),
        .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = height},
    };
    passage->texels = (WGPUTexelCopyTextureInfo){
        .texture = rect->texture->gpu,
        .mipLevel = rect->mip,
        .origin = {rect->x, rect->y, rect->layer},
        .aspect = WGPUTextureAspect_All,
    };
    return passage->memory.buffer != NULL;
}

bool ag_texture_convert(struct ag_blitter *blitter, const struct ag_texel_rect *to,
                        const struct ag_texel_rect *from, uint32_t width, uint32_t height)
{
    const struct ag_components components = ag_host_format_components(from->texture->format);
    const WGPUExtent3D extent = {width, height, 1};
    struct convert_block block = {.width = width, .height = height, .widens = to->texture->widened ? 1 : 0};
    struct passage source, result;
    if (!open_passage(blitter, from, width, height, &source) ||
        !open_passage(blitter, to, width, height, &result))
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
    wgpuCommandEncoderCopyTextureToBuffer(ag_recorder_encoder(blitter->recorder), &source.texels,
                                          &source.memory, &extent);
    if (!ag_bind_kernel_run(blitter->recorder, ag_recorder_encoder(blitter->recorder), &run))
        return false;
    wgpuCommandEncoderCopyBufferToTexture(ag_recorder_encoder(blitter->recorder), &result.memory,
                                          &result.texels, &extent);
    return true;
}
