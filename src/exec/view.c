/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/bind.h"
#include "exec/exec.h"

void agpu_view_init(struct agpu_texture_view *view, struct agpu_texture *texture, uint32_t dxgi)
{
    memset(view, 0, sizeof *view);
    view->texture = texture;
    view->dxgi = dxgi;
    view->format = agpu_host_format(texture->blocks    ? agpu_host_format_decoded(dxgi)
                                    : texture->widened ? agpu_host_format_widened(dxgi)
                                                       : dxgi);
    view->mip_count = texture->mips;
    view->layer_count = texture->layers;
}

void agpu_view_fini(struct agpu_exec *exec, struct agpu_texture_view *view)
{
    agpu_pass_forget_view(exec, view);
    for (uint32_t shape = 0; shape < AGPU_SHAPE_COUNT; shape++) {
        if (!view->shapes[shape].gpu)
            continue;
        agpu_bind_forget(exec, view->shapes[shape].id);
        wgpuTextureViewRelease(view->shapes[shape].gpu);
        view->shapes[shape].gpu = NULL;
    }
}

WGPUTextureView agpu_view_subresource(const struct agpu_texture_view *view, uint32_t mip, uint32_t layer)
{
    const WGPUTextureViewDescriptor descriptor = {
        .format = view->format->texture,
        .dimension = WGPUTextureViewDimension_2D,
        .baseMipLevel = mip,
        .mipLevelCount = 1,
        .baseArrayLayer = layer,
        .arrayLayerCount = 1,
        .aspect = WGPUTextureAspect_All,
    };
    return wgpuTextureCreateView(view->texture->gpu, &descriptor);
}

static WGPUTextureView create_shape(const struct agpu_texture_view *view, enum agpu_view_shape shape)
{
    static const struct {
        WGPUTextureViewDimension dimension;
        uint32_t layers; /* 0: all that there are */
    } shapes[AGPU_SHAPE_COUNT] = {
        [AGPU_SHAPE_TARGET] = {WGPUTextureViewDimension_2D,        1},
        [AGPU_SHAPE_2D] = {WGPUTextureViewDimension_2D,        1},
        [AGPU_SHAPE_2D_ARRAY] = {WGPUTextureViewDimension_2DArray,   0},
        [AGPU_SHAPE_CUBE] = {WGPUTextureViewDimension_Cube,      6},
        [AGPU_SHAPE_CUBE_ARRAY] = {WGPUTextureViewDimension_CubeArray, 0},
    };
    bool cube = shape == AGPU_SHAPE_CUBE || shape == AGPU_SHAPE_CUBE_ARRAY;
    bool depth = agpu_host_format_has(view->format, AGPU_FORMAT_DEPTH);
    uint32_t layers = shapes[shape].layers ? shapes[shape].layers : view->layer_count;
    if (shape == AGPU_SHAPE_CUBE_ARRAY)
        layers -= layers % 6;
    if (layers == 0 || layers > view->layer_count || (cube && view->texture->width != view->texture->height))
        return NULL;
    const WGPUTextureViewDescriptor descriptor = {
        .format = depth && shape != AGPU_SHAPE_TARGET ? WGPUTextureFormat_Undefined : view->format->texture,
        .dimension = shapes[shape].dimension,
        .baseMipLevel = view->base_mip,
        .mipLevelCount = shape == AGPU_SHAPE_TARGET ? 1 : view->mip_count,
        .baseArrayLayer = view->base_layer,
        .arrayLayerCount = layers,
        .aspect = depth && shape != AGPU_SHAPE_TARGET ? WGPUTextureAspect_DepthOnly : WGPUTextureAspect_All,
    };
    return wgpuTextureCreateView(view->texture->gpu, &descriptor);
}

WGPUTextureView agpu_view_shape(struct agpu_exec *exec, struct agpu_texture_view *view,
                                enum agpu_view_shape shape, uint64_t *id)
{
    if (!view->shapes[shape].gpu) {
        view->shapes[shape].gpu = create_shape(view, shape);
        view->shapes[shape].id = agpu_exec_id(exec);
    }
    if (id)
        *id = view->shapes[shape].id;
    return view->shapes[shape].gpu;
}

/* ---- Depth as a colour that shaders filter ------------------------------------------------------------ */

static struct agpu_texture *create_readable(struct agpu_exec *exec, const struct agpu_texture *texture)
{
    const struct agpu_texture_desc desc = {
        .dxgi = AGPU_DXGI_R32_FLOAT,
        .width = texture->width,
        .height = texture->height,
        .mips = texture->mips,
        .layers = texture->layers,
        .layout = texture->layout,
    };
    return agpu_texture_create(exec, &desc);
}

static void copy_depth(struct agpu_exec *exec, struct agpu_texture *from, struct agpu_texture *to,
                       uint32_t mip)
{
    WGPUExtent3D extent = {agpu_mip_size(from->width, mip), agpu_mip_size(from->height, mip), from->layers};
    uint64_t pitch = agpu_align_up((uint64_t)extent.width * 4, 256);
    WGPUBuffer buffer = agpu_exec_create_buffer(exec, pitch * extent.height * extent.depthOrArrayLayers,
                                                WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
    const WGPUTexelCopyBufferInfo between = {
        .buffer = buffer, .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = extent.height}
    };
    const WGPUTexelCopyTextureInfo source = {
        .texture = from->gpu, .mipLevel = mip, .aspect = WGPUTextureAspect_DepthOnly};
    const WGPUTexelCopyTextureInfo destination = {
        .texture = to->gpu, .mipLevel = mip, .aspect = WGPUTextureAspect_All};
    WGPUCommandEncoder encoder = agpu_exec_encoder(exec);
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &source, &between, &extent);
    wgpuCommandEncoderCopyBufferToTexture(encoder, &between, &destination, &extent);
    wgpuBufferRelease(buffer);
}

struct agpu_texture_view *agpu_view_readable(struct agpu_exec *exec, struct agpu_texture_view *view)
{
    struct agpu_texture *texture = view->texture;
    if (!texture->readable) {
        texture->readable = create_readable(exec, texture);
        if (!texture->readable) {
            agpu_exec_no_memory(exec);
            return NULL;
        }
    }
    if (texture->readable_version != texture->version) {
        for (uint32_t mip = 0; mip < texture->mips; mip++)
            copy_depth(exec, texture, texture->readable, mip);
        texture->readable_version = texture->version;
        agpu_exec_mark_used(exec, &texture->readable->resource);
    }
    struct agpu_texture_view *readable = &texture->readable->whole;
    if (readable->base_mip != view->base_mip || readable->mip_count != view->mip_count ||
        readable->base_layer != view->base_layer || readable->layer_count != view->layer_count) {
        agpu_view_fini(exec, readable);
        readable->base_mip = view->base_mip;
        readable->mip_count = view->mip_count;
        readable->base_layer = view->base_layer;
        readable->layer_count = view->layer_count;
    }
    return readable;
}
