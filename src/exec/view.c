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
    view->layer_count = agpu_texture_slices(texture, 0);
}

struct agpu_view *agpu_view_create(struct agpu_exec *exec, uint32_t handle, struct agpu_resource *resource)
{
    struct agpu_view *view = calloc(1, sizeof *view);
    if (!view || !agpu_handle_add(exec, handle, AGPU_HANDLE_VIEW, resource, view)) {
        free(view);
        return NULL;
    }
    view->handle = handle;
    view->resource = resource;
    view->next = resource->views;
    resource->views = view;
    return view;
}

void agpu_views_destroy(struct agpu_exec *exec, struct agpu_resource *resource)
{
    while (resource->views) {
        struct agpu_view *view = resource->views;
        resource->views = view->next;
        if (resource->kind == AGPU_RESOURCE_TEXTURE)
            agpu_view_fini(exec, &view->texture);
        free(view);
    }
}

WGPUTexture agpu_view_gpu(const struct agpu_texture_view *view)
{
    return view->cast ? view->cast->gpu : view->texture->gpu;
}

bool agpu_view_is_read_only(const struct agpu_texture_view *view)
{
    return (view->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH) != 0 &&
           (!agpu_host_format_has(view->format, AGPU_FORMAT_STENCIL) ||
            (view->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL) != 0);
}

bool agpu_view_use(struct agpu_exec *exec, struct agpu_texture_view *view)
{
    if (!agpu_texture_pull(exec, view->texture))
        return false;
    agpu_pass_settle(exec, view->texture);
    agpu_view_sync(exec, view);
    agpu_exec_mark_used(exec, &view->texture->resource);
    return true;
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

static bool is_volume(const struct agpu_texture_view *view)
{
    return view->texture->dimension == AGPU_TEXTURE_3D;
}

WGPUTextureView agpu_view_subresource(const struct agpu_texture_view *view, uint32_t mip, uint32_t layer)
{
    const WGPUTextureViewDescriptor descriptor = {
        .format = view->format->texture,
        .dimension = is_volume(view) ? WGPUTextureViewDimension_3D : WGPUTextureViewDimension_2D,
        .baseMipLevel = mip,
        .mipLevelCount = 1,
        .baseArrayLayer = is_volume(view) ? 0 : layer,
        .arrayLayerCount = 1,
        .aspect = WGPUTextureAspect_All,
    };
    return wgpuTextureCreateView(agpu_view_gpu(view), &descriptor);
}

/* What WebGPU is asked for, but for the ranges. */
struct shape_row {
    WGPUTextureViewDimension dimension;
    uint32_t layers; /* 0: all that there are */
    bool cube, volume;
};

static const struct shape_row shapes[AGPU_SHAPE_COUNT] = {
    [AGPU_SHAPE_2D] = {WGPUTextureViewDimension_2D,        1, false, false},
    [AGPU_SHAPE_2D_ARRAY] = {WGPUTextureViewDimension_2DArray,   0, false, false},
    [AGPU_SHAPE_CUBE] = {WGPUTextureViewDimension_Cube,      6, true,  false},
    [AGPU_SHAPE_CUBE_ARRAY] = {WGPUTextureViewDimension_CubeArray, 0, true,  false},
    [AGPU_SHAPE_3D] = {WGPUTextureViewDimension_3D,        1, false, true },
};

/* What a shader sees of depth formats: one plane. */
static WGPUTextureAspect aspect_of(const struct agpu_host_format *format)
{
    return agpu_host_format_has(format, AGPU_FORMAT_DEPTH)     ? WGPUTextureAspect_DepthOnly
           : agpu_host_format_has(format, AGPU_FORMAT_STENCIL) ? WGPUTextureAspect_StencilOnly
                                                               : WGPUTextureAspect_All;
}

static WGPUTextureView create_shape(const struct agpu_texture_view *view, enum agpu_view_shape shape)
{
    const struct shape_row *row = &shapes[shape];
    if (shape == AGPU_SHAPE_TARGET)
        return agpu_view_subresource(view, view->base_mip, view->base_layer);
    if (row->volume != is_volume(view) || (row->cube && view->texture->width != view->texture->height))
        return NULL;
    uint32_t layers = row->layers ? row->layers : view->layer_count;
    if (shape == AGPU_SHAPE_CUBE_ARRAY)
        layers -= layers % 6;
    if (layers == 0 || layers > view->layer_count)
        return NULL;
    WGPUTextureAspect aspect = aspect_of(view->format);
    const WGPUTextureViewDescriptor descriptor = {
        .format = aspect == WGPUTextureAspect_All ? view->format->texture : WGPUTextureFormat_Undefined,
        .dimension = row->dimension,
        .baseMipLevel = view->base_mip,
        .mipLevelCount = view->mip_count,
        .baseArrayLayer = row->volume ? 0 : view->base_layer,
        .arrayLayerCount = layers,
        .aspect = aspect,
    };
    return wgpuTextureCreateView(agpu_view_gpu(view), &descriptor);
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
