/* SPDX-License-Identifier: MIT */
#include "exec/blit/texture_plane.h"

#include "base/bytes.h"
#include "exec/blit/blit.h"
#include "exec/blit/blitter.h"
#include "exec/blit/kernels.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

/* The uniform block of the kernel: struct Plane of texture_plane.wgsl. Pitches are in words. */
struct plane_block {
    uint32_t width, rows, from_pitch, to_pitch;
    uint32_t stencil;
    uint32_t padding[3];
};

static struct ag_kernel *get_kernel(struct ag_blitter *blitter)
{
    const struct ag_kernel_desc desc = {
        .label = "planes of depth",
        .wgsl = ag_texture_plane_wgsl,
        .wgsl_length = ag_texture_plane_wgsl_length,
        .binding_count = 3,
        .written = 1u << 2,
        .block_bytes = sizeof(struct plane_block),
        .entries = {"main"},
    };
    return ag_bind_kernel_make(blitter->recorder, &blitter->plane_reader, &desc);
}

static struct ag_texture *create_readable(struct ag_blitter *blitter, const struct ag_texture *texture,
                                          bool stencil)
{
    const struct ag_texture_desc desc = {
        .handle = texture->resource.handle,
        .role = stencil ? "stencil of texture" : "depth of texture",
        .dxgi = stencil ? AG_DXGI_R8G8_UINT : AG_DXGI_R32_FLOAT,
        .width = texture->width,
        .height = texture->height,
        .mips = texture->mips,
        .layers = texture->layers,
        .layout = texture->layout,
    };
    return ag_texture_create(blitter->objects, &desc);
}

/* A buffer that a mip with all its layers is copied to or from. */
struct staging {
    WGPUBuffer buffer;
    uint64_t pitch, size;
};

static struct staging make_staging(struct ag_blitter *blitter, const WGPUExtent3D *extent, uint32_t bytes)
{
    struct staging staging = {.pitch = ag_align_up((uint64_t)extent->width * bytes, 256)};
    staging.size = staging.pitch * extent->height * extent->depthOrArrayLayers;
    staging.buffer = ag_host_create_buffer(
        blitter->host, staging.size,
        WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "plane of depth");
    return staging;
}

static bool convert(struct ag_blitter *blitter, const struct staging *from, const struct staging *to,
                    const WGPUExtent3D *extent, bool stencil)
{
    const struct plane_block block = {
        .width = extent->width,
        .rows = extent->height * extent->depthOrArrayLayers,
        .from_pitch = (uint32_t)(from->pitch / 4),
        .to_pitch = (uint32_t)(to->pitch / 4),
        .stencil = stencil,
    };
    struct ag_kernel_run run = {
        .kernel = get_kernel(blitter),
        .block = &block,
        .block_bytes = sizeof block,
        .ranges = {[1] = {.buffer = from->buffer, .size = from->size},
                   {.buffer = to->buffer, .size = to->size}},
        .invocations = (uint64_t)block.width * block.rows,
    };
    return ag_bind_kernel_run(blitter->recorder, ag_recorder_encoder(blitter->recorder), &run);
}

bool ag_depth_is_copied(const struct ag_host *host, const struct ag_texture *texture)
{
    return ag_host_texture_format(host, texture->format) != WGPUTextureFormat_Depth24PlusStencil8;
}

/* Draws read what WebGPU does not copy. */
static bool draw_depth(struct ag_blitter *blitter, const struct ag_texture *from, const struct ag_texture *to,
                       uint32_t mip)
{
    for (uint32_t layer = 0; layer < from->layers; layer++) {
        if (!ag_blit(blitter, AG_BLIT_DEPTH, ag_view_subresource(&to->whole, mip, layer), to->format,
                     ag_view_plane(&from->whole, mip, layer), 0))
            return false;
    }
    return true;
}

static bool copy_plane(struct ag_blitter *blitter, const struct ag_texture *from, const struct ag_texture *to,
                       uint32_t mip, bool stencil)
{
    if (!stencil && !ag_depth_is_copied(blitter->host, from))
        return draw_depth(blitter, from, to, mip);
    const WGPUExtent3D extent = {ag_mip_size(from->width, mip), ag_mip_size(from->height, mip), from->layers};
    const bool converts = stencil || from->format->host_bytes == 2;
    const struct staging source = make_staging(blitter, &extent, stencil ? 1 : from->format->host_bytes);
    struct staging result = source;
    bool done = true;
    const WGPUTexelCopyTextureInfo texels = {
        .texture = from->gpu,
        .mipLevel = mip,
        .aspect = stencil ? WGPUTextureAspect_StencilOnly : WGPUTextureAspect_DepthOnly,
    };
    const WGPUTexelCopyBufferInfo memory = {
        .buffer = source.buffer,
        .layout = {.bytesPerRow = (uint32_t)source.pitch, .rowsPerImage = extent.height}
    };
    ag_gpu_copy_to_buffer(blitter->host->gpu, ag_recorder_encoder(blitter->recorder), &texels, &memory,
                          &extent);
    if (converts) {
        result = make_staging(blitter, &extent, to->format->host_bytes);
        done = convert(blitter, &source, &result, &extent, stencil);
    }
    const WGPUTexelCopyTextureInfo colours = {
        .texture = to->gpu, .mipLevel = mip, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo made = {
        .buffer = result.buffer,
        .layout = {.bytesPerRow = (uint32_t)result.pitch, .rowsPerImage = extent.height}
    };
    if (done)
        ag_gpu_copy_to_texture(blitter->host->gpu, ag_recorder_encoder(blitter->recorder), &made, &colours,
                               &extent);
    wgpuBufferRelease(source.buffer);
    if (converts)
        wgpuBufferRelease(result.buffer);
    return done;
}

static bool bring_up_to_date(struct ag_blitter *blitter, const struct ag_texture *texture,
                             struct ag_readable *readable, bool stencil)
{
    if (!readable->texture) {
        readable->texture = create_readable(blitter, texture, stencil);
        if (!readable->texture) {
            ag_host_no_memory(blitter->host);
            return false;
        }
    }
    if (readable->version == texture->version)
        return true;
    for (uint32_t mip = 0; mip < texture->mips; mip++)
        if (!copy_plane(blitter, texture, readable->texture, mip, stencil))
            return false;
    readable->version = texture->version;
    ag_recorder_mark_used(blitter->recorder, &readable->texture->resource);
    return true;
}

struct ag_texture *ag_texture_depth(struct ag_blitter *blitter, struct ag_texture *texture)
{
    return bring_up_to_date(blitter, texture, &texture->readable[0], false) ? texture->readable[0].texture
                                                                            : NULL;
}

struct ag_texture_view *ag_view_readable(struct ag_blitter *blitter, struct ag_texture_view *view)
{
    const bool stencil = !ag_host_format_has(view->format, AG_FORMAT_DEPTH);
    struct ag_readable *plane = &view->texture->readable[stencil];
    if (!bring_up_to_date(blitter, view->texture, plane, stencil))
        return NULL;
    struct ag_texture_view *readable = &plane->texture->whole;
    if (readable->base_mip != view->base_mip || readable->mip_count != view->mip_count ||
        readable->base_layer != view->base_layer || readable->layer_count != view->layer_count) {
        ag_view_fini(blitter->objects, readable);
        readable->base_mip = view->base_mip;
        readable->mip_count = view->mip_count;
        readable->base_layer = view->base_layer;
        readable->layer_count = view->layer_count;
    }
    return readable;
}
