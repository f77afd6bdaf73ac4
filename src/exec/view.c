/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/bind.h"
#include "exec/exec.h"
#include "exec/texels.h"

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

void agpu_view_destroy(struct agpu_exec *exec, struct agpu_view *view)
{
    if (view->resource->kind == AGPU_RESOURCE_TEXTURE)
        agpu_view_fini(exec, &view->texture);
    if (view->buffer.widened.gpu) {
        agpu_bind_forget(exec, view->buffer.widened.id);
        wgpuBufferRelease(view->buffer.widened.gpu);
    }
    agpu_texels_fini(exec, view);
    agpu_counter_fini(&view->counter);
    free(view);
}

WGPUBuffer agpu_buffer_view_widen(struct agpu_exec *exec, struct agpu_buffer_view *view, uint64_t *id)
{
    const uint64_t bytes = view->count * UINT64_C(16);
    if (bytes > exec->limits.maxStorageBufferBindingSize ||
        view->buffer->size > exec->limits.maxStorageBufferBindingSize) {
        agpu_exec_skip_refused(exec, AGPU_DIAG_GPU_LIMIT,
                               "a typed view of %" PRIu32 " elements of a buffer of %" PRIu64
                               " bytes is more than the device binds",
                               view->count, view->buffer->size);
        return NULL;
    }
    if (!view->widened.gpu) {
        view->widened.gpu = agpu_exec_create_buffer(exec, bytes, WGPUBufferUsage_Storage);
        view->widened.id = agpu_exec_id(exec);
        view->widened.version = 0; /* contents have other numbers */
    }
    if (view->widened.version != view->buffer->version) {
        if (!agpu_vertex_pull_elements(exec, view, view->widened.gpu, view->widened.id))
            return NULL;
        view->widened.version = view->buffer->version;
    }
    *id = view->widened.id;
    return view->widened.gpu;
}

void agpu_views_destroy(struct agpu_exec *exec, struct agpu_resource *resource)
{
    while (resource->views) {
        struct agpu_view *view = resource->views;
        resource->views = view->next;
        agpu_view_destroy(exec, view);
    }
}

WGPUTexture agpu_view_gpu(const struct agpu_texture_view *view)
{
    return view->cast ? view->cast->gpu : view->texture->gpu;
}

const char *agpu_view_kind_name(enum aerogpu_ext_view_kind kind)
{
    static const char *const names[] = {
        [AEROGPU_EXT_VIEW_SHADER_RESOURCE] = "shader resource",
        [AEROGPU_EXT_VIEW_RENDER_TARGET] = "render target",
        [AEROGPU_EXT_VIEW_DEPTH_STENCIL] = "depth-stencil",
        [AEROGPU_EXT_VIEW_UNORDERED_ACCESS] = "unordered access",
    };
    return names[kind];
}

const struct agpu_host_format *agpu_view_format(const struct agpu_view *view)
{
    return view->resource->kind == AGPU_RESOURCE_TEXTURE ? view->texture.format : view->buffer.format;
}

WGPUExtent3D agpu_view_extent(const struct agpu_texture_view *view)
{
    return (WGPUExtent3D){agpu_mip_size(view->texture->width, view->base_mip),
                          agpu_mip_size(view->texture->height, view->base_mip), view->layer_count};
}

WGPUTexelCopyTextureInfo agpu_view_place(const struct agpu_texture_view *view)
{
    return (WGPUTexelCopyTextureInfo){
        .texture = agpu_view_gpu(view),
        .mipLevel = view->base_mip,
        .origin = {0, 0, view->base_layer},
        .aspect = WGPUTextureAspect_All,
    };
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

/* What shaders see of depth formats: one plane. */
static WGPUTextureAspect aspect_of(const struct agpu_host_format *format)
{
    return agpu_host_format_has(format, AGPU_FORMAT_DEPTH)     ? WGPUTextureAspect_DepthOnly
           : agpu_host_format_has(format, AGPU_FORMAT_STENCIL) ? WGPUTextureAspect_StencilOnly
                                                               : WGPUTextureAspect_All;
}

/* The WebGPU texture that a layer of the view is in. */
static WGPUTexture texture_of(const struct agpu_texture_view *view, uint32_t layer)
{
    return view->texture->slices ? view->texture->slices[layer] : agpu_view_gpu(view);
}

static bool has_layers(const struct agpu_texture_view *view)
{
    return !is_volume(view) && !view->texture->slices;
}

WGPUTextureView agpu_view_plane(const struct agpu_texture_view *view, uint32_t layer)
{
    const WGPUTextureAspect aspect = aspect_of(view->format);
    const WGPUTextureViewDescriptor descriptor = {
        .format = aspect == WGPUTextureAspect_All ? view->format->texture : WGPUTextureFormat_Undefined,
        .dimension = WGPUTextureViewDimension_2D,
        .mipLevelCount = 1,
        .baseArrayLayer = has_layers(view) ? layer : 0,
        .arrayLayerCount = 1,
        .aspect = aspect,
    };
    return wgpuTextureCreateView(texture_of(view, layer), &descriptor);
}

WGPUTextureView agpu_view_subresource(const struct agpu_texture_view *view, uint32_t mip, uint32_t layer)
{
    const WGPUTextureViewDescriptor descriptor = {
        .format = view->format->texture,
        .dimension = is_volume(view) ? WGPUTextureViewDimension_3D : WGPUTextureViewDimension_2D,
        .baseMipLevel = mip,
        .mipLevelCount = 1,
        .baseArrayLayer = has_layers(view) ? layer : 0,
        .arrayLayerCount = 1,
        .aspect = WGPUTextureAspect_All,
    };
    return wgpuTextureCreateView(texture_of(view, layer), &descriptor);
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

static WGPUTextureView create_shape(const struct agpu_texture_view *view, enum agpu_view_shape shape)
{
    const struct shape_row *row = &shapes[shape];
    if (shape == AGPU_SHAPE_TARGET)
        return agpu_view_subresource(view, view->base_mip, view->base_layer);
    if (view->texture->slices)
        return shape == AGPU_SHAPE_2D ? agpu_view_plane(view, view->base_layer) : NULL;
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
