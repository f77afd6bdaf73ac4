/* SPDX-License-Identifier: MIT */
#include "exec/object/texture_cast.h"

#include <inttypes.h>
#include <stdlib.h>

#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/objects.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

/* Direct3D allows unordered access views of these formats for every typeless 32-bit format. */
static bool is_word(uint32_t dxgi)
{
    return dxgi == AG_DXGI_R32_FLOAT || dxgi == AG_DXGI_R32_UINT || dxgi == AG_DXGI_R32_SINT;
}

bool ag_texture_can_recode(const struct ag_host_format *format)
{
    return format->texture != WGPUTextureFormat_Undefined &&
           (format->conversion == AG_CONVERT_FLOATS || format->conversion == AG_CONVERT_THREE ||
            (format->host_bytes == format->bytes &&
             (format->conversion == AG_CONVERT_NONE || format->conversion == AG_CONVERT_OPAQUE)));
}

bool ag_texture_can_cast(const struct ag_texture *texture, uint32_t dxgi)
{
    const struct ag_host_format *format = ag_host_format(dxgi);
    const uint32_t family = ag_format_typeless(texture->dxgi);
    const bool related = ag_format_typeless(dxgi) == family ||
                         (is_word(dxgi) && texture->format->bytes == 4 && family == texture->dxgi);
    return ag_format_is_cast(texture->dxgi) && related && texture->sample_count == 1 && !texture->blocks &&
           format && format->class != AG_CLASS_DEPTH && format->block_width == texture->format->block_width &&
           format->bytes == texture->format->bytes && ag_texture_can_recode(format) &&
           ag_texture_can_recode(texture->format);
}

static bool begin_tracking(struct ag_texture *texture)
{
    size_t count = (size_t)texture->mips * texture->layers;
    if (texture->current)
        return true;
    texture->current = malloc(count * sizeof *texture->current);
    for (size_t i = 0; texture->current && i < count; i++)
        texture->current[i] = AG_CAST_OWN;
    return texture->current != NULL;
}

static WGPUTexture create_gpu(struct ag_objects *objects, const struct ag_texture *texture,
                              const struct ag_host_format *format)
{
    const struct ag_host_format *counterpart =
        format->srgb_counterpart ? ag_host_format(format->srgb_counterpart) : NULL;
    struct ag_label label;
    WGPUTextureDescriptor descriptor = {
        .label = ag_webgpu_string(
            ag_label_format(&label, "texture %" PRIu32 " as %s", texture->resource.handle, format->name)),
        .usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst | WGPUTextureUsage_TextureBinding,
        .dimension = texture->dimension == AG_TEXTURE_3D ? WGPUTextureDimension_3D : WGPUTextureDimension_2D,
        .size = {texture->width, texture->height, ag_texture_slices(texture, 0)},
        .format = format->texture,
        .mipLevelCount = texture->mips,
        .sampleCount = 1,
        .viewFormatCount = counterpart ? 1 : 0,
        .viewFormats = counterpart ? &counterpart->texture : NULL,
    };
    if (ag_host_format_has(format, AG_FORMAT_RENDERABLE))
        descriptor.usage |= WGPUTextureUsage_RenderAttachment;
    if (ag_texture_is_storage(objects->host, texture, format))
        descriptor.usage |= WGPUTextureUsage_StorageBinding;
    return wgpuDeviceCreateTexture(ag_gpu_maker(objects->host->gpu), &descriptor);
}

enum agpu_status ag_texture_cast(struct ag_objects *objects, struct ag_texture *texture, uint32_t dxgi,
                                 struct ag_texture_cast **found)
{
    uint32_t last = AG_CAST_OWN;
    for (struct ag_texture_cast *cast = texture->casts; cast; cast = cast->next) {
        if (cast->dxgi == dxgi || cast->format->srgb_counterpart == dxgi) {
            *found = cast;
            return AGPU_OK;
        }
        last = cast->bit > last ? cast->bit : last;
    }
    const struct ag_host_format *format = ag_host_format(dxgi);
    const uint64_t bytes = texture->layout.size_bytes / texture->format->bytes * format->host_bytes;
    if (!ag_gpu_memory_take(objects->host, texture->resource.account, bytes))
        return AGPU_REFUSED;
    struct ag_texture_cast *cast = calloc(1, sizeof *cast);
    if (!cast || !begin_tracking(texture)) {
        free(cast);
        ag_gpu_memory_give(objects->host, texture->resource.account, bytes);
        return ag_host_no_memory(objects->host);
    }
    texture->resource.gpu_bytes += bytes;
    cast->dxgi = dxgi;
    cast->format = format;
    cast->bit = last << 1; /* fits, since a family has fewer than 31 formats */
    cast->gpu = create_gpu(objects, texture, cast->format);
    cast->next = texture->casts;
    texture->casts = cast;
    *found = cast;
    return AGPU_OK;
}

enum agpu_status ag_view_init_rendered(struct ag_objects *objects, struct ag_texture_view *view,
                                       struct ag_texture *texture, uint32_t dxgi)
{
    const struct ag_host_format *own = ag_host_format(texture->host_dxgi);
    const uint32_t rendered = ag_host_rendered(objects->host, dxgi);
    ag_view_init(view, texture, rendered);
    if (rendered == texture->host_dxgi || own->srgb_counterpart == rendered)
        return AGPU_OK;
    return ag_texture_cast(objects, texture, rendered, &view->cast);
}

void ag_texture_casts_fini(struct ag_texture *texture)
{
    while (texture->casts) {
        struct ag_texture_cast *cast = texture->casts;
        texture->casts = cast->next;
        wgpuTextureRelease(cast->gpu);
        free(cast);
    }
    free(texture->current);
    texture->current = NULL;
}

void ag_view_layer_range(const struct ag_texture_view *view, uint32_t *begin, uint32_t *end)
{
    bool volume = view->texture->dimension == AG_TEXTURE_3D;
    *begin = volume ? 0 : view->base_layer;
    *end = volume ? 1 : view->base_layer + view->layer_count;
}

void ag_view_written_at(const struct ag_texture_view *view, uint32_t mip, uint32_t layer)
{
    struct ag_texture *texture = view->texture;
    texture->version++;
    if (!texture->current)
        return;
    if (texture->dimension == AG_TEXTURE_3D)
        layer = 0;
    texture->current[mip + layer * texture->mips] = view->cast ? view->cast->bit : AG_CAST_OWN;
}

void ag_view_written(const struct ag_texture_view *view)
{
    uint32_t begin, end;
    ag_view_layer_range(view, &begin, &end);
    for (uint32_t layer = begin; layer < end; layer++)
        ag_view_written_at(view, view->base_mip, layer);
}
