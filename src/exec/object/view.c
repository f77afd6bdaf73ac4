/* SPDX-License-Identifier: MIT */
#include "exec/object/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/object/creation.h"
#include "exec/object/objects.h"
#include "exec/object/observer.h"
#include "exec/object/resource.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/object/texture_desc.h"
#include "exec/object/uav_counter.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

void ag_texels_fini(struct ag_objects *objects, struct ag_view *view)
{
    if (!view->texels.gpu)
        return;
    ag_objects_gpu_object_dies(objects, view->texels.id);
    wgpuBufferRelease(view->texels.gpu);
    ag_gpu_memory_give(objects->host, view->texels.account, view->texels.size);
    view->texels.gpu = NULL;
}

void ag_view_init(struct ag_texture_view *view, struct ag_texture *texture, uint32_t dxgi)
{
    memset(view, 0, sizeof *view);
    view->texture = texture;
    view->dxgi = dxgi;
    view->format = ag_host_format(texture->blocks    ? ag_host_format_decoded(dxgi)
                                  : texture->widened ? ag_host_format_widened(dxgi)
                                                     : dxgi);
    view->mip_count = texture->mips;
    view->layer_count = ag_texture_slices(texture, 0);
}

void ag_view_destroy(struct ag_objects *objects, struct ag_view *view)
{
    if (view->resource->kind == AG_RESOURCE_TEXTURE)
        ag_view_fini(objects, &view->texture);
    if (view->buffer.widened.gpu) {
        ag_objects_gpu_object_dies(objects, view->buffer.widened.id);
        wgpuBufferRelease(view->buffer.widened.gpu);
        ag_gpu_memory_give(objects->host, view->buffer.widened.account,
                           ag_buffer_view_widened_bytes(&view->buffer));
    }
    ag_texels_fini(objects, view);
    ag_uav_counter_fini(&view->counter);
    ag_creation_drop(objects->host, &view->creation);
    ag_host_memory_give(objects->host, view->account, AG_HOST_OBJECT_BYTES);
    free(view);
}

void ag_views_destroy(struct ag_objects *objects, struct ag_resource *resource)
{
    while (resource->views) {
        struct ag_view *view = resource->views;
        resource->views = view->next;
        ag_view_destroy(objects, view);
    }
}

WGPUTexture ag_view_gpu(const struct ag_texture_view *view)
{
    return view->cast ? view->cast->gpu : view->texture->gpu;
}

const char *ag_view_kind_name(enum aerogpu_ext_view_kind kind)
{
    static const char *const names[] = {
        [AEROGPU_EXT_VIEW_SHADER_RESOURCE] = "shader resource",
        [AEROGPU_EXT_VIEW_RENDER_TARGET] = "render target",
        [AEROGPU_EXT_VIEW_DEPTH_STENCIL] = "depth-stencil",
        [AEROGPU_EXT_VIEW_UNORDERED_ACCESS] = "unordered access",
    };
    return names[kind];
}

const struct ag_host_format *ag_view_format(const struct ag_view *view)
{
    return view->resource->kind == AG_RESOURCE_TEXTURE ? view->texture.format : view->buffer.format;
}

WGPUExtent3D ag_view_extent(const struct ag_texture_view *view)
{
    return (WGPUExtent3D){ag_mip_size(view->texture->width, view->base_mip),
                          ag_mip_size(view->texture->height, view->base_mip), view->layer_count};
}

WGPUTexelCopyTextureInfo ag_view_place(const struct ag_texture_view *view)
{
    return (WGPUTexelCopyTextureInfo){
        .texture = ag_view_gpu(view),
        .mipLevel = view->base_mip,
        .origin = {0, 0, view->base_layer},
        .aspect = WGPUTextureAspect_All,
    };
}

bool ag_view_is_read_only(const struct ag_texture_view *view)
{
    return (view->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH) != 0 &&
           (!ag_host_format_has(view->format, AG_FORMAT_STENCIL) ||
            (view->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL) != 0);
}

void ag_view_fini(struct ag_objects *objects, struct ag_texture_view *view)
{
    ag_objects_texture_view_dies(objects, view);
    for (uint32_t dimension = 0; dimension < AG_VIEW_DIMENSION_COUNT; dimension++) {
        if (!view->gpu_views[dimension].gpu)
            continue;
        ag_objects_gpu_object_dies(objects, view->gpu_views[dimension].id);
        ag_host_release_view(objects->host, view->gpu_views[dimension].gpu);
        view->gpu_views[dimension].gpu = NULL;
    }
}

static bool is_volume(const struct ag_texture_view *view)
{
    return view->texture->dimension == AG_TEXTURE_3D;
}

/* The aspect that shaders read: a WebGPU view for shaders has depth or stencil alone. */
static WGPUTextureAspect aspect_of(const struct ag_host_format *format)
{
    return ag_host_format_has(format, AG_FORMAT_DEPTH)     ? WGPUTextureAspect_DepthOnly
           : ag_host_format_has(format, AG_FORMAT_STENCIL) ? WGPUTextureAspect_StencilOnly
                                                           : WGPUTextureAspect_All;
}

/* The WebGPU texture that has a layer of the texture, or a plane of the layer's samples. */
static WGPUTexture texture_of(const struct ag_texture_view *view, uint32_t layer, uint32_t plane)
{
    return view->texture->slices ? ag_texture_plane_place(view->texture, 0, layer, plane).texture
                                 : ag_view_gpu(view);
}

/* What WebGPU views of colours are viewed as. Views of depth have their texture's format. */
static WGPUTextureFormat viewed_as(const struct ag_texture_view *view, WGPUTextureAspect aspect)
{
    if (aspect != WGPUTextureAspect_All)
        return WGPUTextureFormat_Undefined;
    return view->texture->planes.count ? view->texture->planes.texture : view->format->texture;
}

/* A view of WebGPU has all uses of its texture unless told otherwise, and none that its format lacks: texels
 * with sRGB are not stored to. */
static WGPUTextureUsage usage_of(const struct ag_texture_view *view)
{
    if (!ag_texture_is_unordered(view->texture) || !ag_host_format_has(view->format, AG_FORMAT_SRGB))
        return WGPUTextureUsage_None;
    return ag_host_format_has(view->format, AG_FORMAT_RENDERABLE)
               ? WGPUTextureUsage_TextureBinding | WGPUTextureUsage_RenderAttachment
               : WGPUTextureUsage_TextureBinding;
}

static bool has_layers(const struct ag_texture_view *view)
{
    return !is_volume(view) && !view->texture->slices;
}

static const char *label_of(const struct ag_texture_view *view, struct ag_label *label)
{
    const uint32_t texture = view->texture->resource.handle;
    return view->handle
               ? ag_label_format(label, "view %" PRIu32 " of texture %" PRIu32, view->handle, texture)
               : ag_label_format(label, "view of texture %" PRIu32, texture);
}

static WGPUTextureView create_plane(const struct ag_texture_view *view, uint32_t mip, uint32_t layer,
                                    WGPUTextureAspect aspect)
{
    struct ag_label label;
    const WGPUTextureViewDescriptor descriptor = {
        .label = ag_webgpu_string(label_of(view, &label)),
        .format = viewed_as(view, aspect),
        .dimension = WGPUTextureViewDimension_2D,
        .baseMipLevel = mip,
        .mipLevelCount = 1,
        .baseArrayLayer = has_layers(view) ? layer : 0,
        .arrayLayerCount = 1,
        .aspect = aspect,
        .usage = usage_of(view),
    };
    return wgpuTextureCreateView(texture_of(view, layer, 0), &descriptor);
}

WGPUTextureView ag_view_plane(const struct ag_texture_view *view, uint32_t mip, uint32_t layer)
{
    return create_plane(view, mip, layer, aspect_of(view->format));
}

WGPUTextureView ag_view_aspect(const struct ag_texture_view *view, WGPUTextureAspect aspect)
{
    return create_plane(view, view->base_mip, view->base_layer, aspect);
}

static WGPUTextureView create_attachment(const struct ag_texture_view *view, uint32_t mip, uint32_t layer,
                                         uint32_t plane)
{
    struct ag_label label;
    const WGPUTextureViewDescriptor descriptor = {
        .label = ag_webgpu_string(label_of(view, &label)),
        .format = viewed_as(view, aspect_of(view->format)),
        .dimension = is_volume(view) ? WGPUTextureViewDimension_3D : WGPUTextureViewDimension_2D,
        .baseMipLevel = mip,
        .mipLevelCount = 1,
        .baseArrayLayer = has_layers(view) ? layer : 0,
        .arrayLayerCount = 1,
        .aspect = WGPUTextureAspect_All,
        .usage = usage_of(view),
    };
    return wgpuTextureCreateView(texture_of(view, layer, plane), &descriptor);
}

WGPUTextureView ag_view_subresource(const struct ag_texture_view *view, uint32_t mip, uint32_t layer)
{
    return create_attachment(view, mip, layer, 0);
}

WGPUTextureView ag_view_samples_of_plane(const struct ag_texture_view *view, uint32_t layer, uint32_t plane)
{
    return create_attachment(view, 0, layer, plane);
}

/* The descriptor of each dimension; base mip and base layer come from the view. */
struct dimension_row {
    WGPUTextureViewDimension dimension;
    uint32_t layers; /* 0: all layers of the view */
    bool cube, volume;
};

static const struct dimension_row dimensions[AG_VIEW_DIMENSION_PLANE] = {
    [AG_VIEW_DIMENSION_2D] = {WGPUTextureViewDimension_2D,        1, false, false},
    [AG_VIEW_DIMENSION_2D_ARRAY] = {WGPUTextureViewDimension_2DArray,   0, false, false},
    [AG_VIEW_DIMENSION_CUBE] = {WGPUTextureViewDimension_Cube,      6, true,  false},
    [AG_VIEW_DIMENSION_CUBE_ARRAY] = {WGPUTextureViewDimension_CubeArray, 0, true,  false},
    [AG_VIEW_DIMENSION_3D] = {WGPUTextureViewDimension_3D,        1, false, true },
};

static WGPUTextureView create_of_dimension(const struct ag_texture_view *view,
                                           enum ag_view_dimension dimension)
{
    if (dimension == AG_VIEW_DIMENSION_TARGET)
        return ag_view_subresource(view, view->base_mip, view->base_layer);
    if (dimension >= AG_VIEW_DIMENSION_PLANE)
        return ag_view_samples_of_plane(view, view->base_layer, dimension - AG_VIEW_DIMENSION_PLANE + 1);
    const struct dimension_row *row = &dimensions[dimension];
    if (view->texture->slices)
        return dimension == AG_VIEW_DIMENSION_2D && !view->texture->planes.count
                   ? ag_view_plane(view, 0, view->base_layer)
                   : NULL;
    if (row->volume != is_volume(view) || (row->cube && view->texture->width != view->texture->height))
        return NULL;
    uint32_t layers = row->layers ? row->layers : view->layer_count;
    if (dimension == AG_VIEW_DIMENSION_CUBE_ARRAY)
        layers -= layers % 6;
    if (layers == 0 || layers > view->layer_count)
        return NULL;
    WGPUTextureAspect aspect = aspect_of(view->format);
    struct ag_label label;
    const WGPUTextureViewDescriptor descriptor = {
        .label = ag_webgpu_string(label_of(view, &label)),
        .format = aspect == WGPUTextureAspect_All ? view->format->texture : WGPUTextureFormat_Undefined,
        .dimension = row->dimension,
        .baseMipLevel = view->base_mip,
        .mipLevelCount = view->mip_count,
        .baseArrayLayer = row->volume ? 0 : view->base_layer,
        .arrayLayerCount = layers,
        .aspect = aspect,
        .usage = usage_of(view),
    };
    return wgpuTextureCreateView(ag_view_gpu(view), &descriptor);
}

WGPUTextureView ag_view_of_dimension(struct ag_objects *objects, struct ag_texture_view *view,
                                     enum ag_view_dimension dimension, uint64_t *id)
{
    if (!view->gpu_views[dimension].gpu) {
        view->gpu_views[dimension].gpu = create_of_dimension(view, dimension);
        view->gpu_views[dimension].id = ag_host_id(objects->host);
    }
    if (id)
        *id = view->gpu_views[dimension].id;
    return view->gpu_views[dimension].gpu;
}

static enum ag_view_dimension dimension_of_plane(uint32_t plane)
{
    return (enum ag_view_dimension)(plane == 0 ? (uint32_t)AG_VIEW_DIMENSION_TARGET
                                               : (uint32_t)AG_VIEW_DIMENSION_PLANE + plane - 1);
}

WGPUTextureView ag_view_of_plane(struct ag_objects *objects, struct ag_texture_view *view, uint32_t plane)
{
    return ag_view_of_dimension(objects, view, dimension_of_plane(plane), NULL);
}

void ag_view_release_attachments(struct ag_texture_view *view)
{
    for (uint32_t plane = 0; plane < AG_MAX_SAMPLE_PLANES; plane++)
        if (view->gpu_views[dimension_of_plane(plane)].gpu)
            wgpuTextureViewRelease(view->gpu_views[dimension_of_plane(plane)].gpu);
}
