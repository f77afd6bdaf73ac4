/* SPDX-License-Identifier: MIT
 *
 * Views in formats that WebGPU does not make of a texture. The texture then has another WebGPU texture for
 * each such format, and each subresource knows which of them have its contents; bytes are copied when a view
 * needs them where they are not.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/texture_recode.h"
#include "format/format.h"

#define OWN UINT32_C(1) /* the bit of the texture's own format */

/* Direct3D lets every typeless format of 32 bits be an unordered access view of whole words. */
static bool is_word(uint32_t dxgi)
{
    return dxgi == AG_DXGI_R32_FLOAT || dxgi == AG_DXGI_R32_UINT || dxgi == AG_DXGI_R32_SINT;
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
        texture->current[i] = OWN;
    return texture->current != NULL;
}

static WGPUTexture create_gpu(struct ag_exec *exec, const struct ag_texture *texture,
                              const struct ag_host_format *format)
{
    const struct ag_host_format *counterpart =
        format->srgb_counterpart ? ag_host_format(format->srgb_counterpart) : NULL;
    WGPUTextureDescriptor descriptor = {
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
    return wgpuDeviceCreateTexture(exec->device, &descriptor);
}

struct ag_texture_cast *ag_texture_cast(struct ag_exec *exec, struct ag_texture *texture, uint32_t dxgi)
{
    uint32_t last = OWN;
    for (struct ag_texture_cast *cast = texture->casts; cast; cast = cast->next) {
        if (cast->dxgi == dxgi || cast->format->srgb_counterpart == dxgi)
            return cast;
        last = cast->bit > last ? cast->bit : last;
    }
    struct ag_texture_cast *cast = calloc(1, sizeof *cast);
    if (!cast || !begin_tracking(texture)) {
        free(cast);
        ag_exec_no_memory(exec);
        return NULL;
    }
    cast->dxgi = dxgi;
    cast->format = ag_host_format(dxgi);
    cast->bit = last << 1; /* a family has fewer than 31 formats */
    cast->gpu = create_gpu(exec, texture, cast->format);
    cast->next = texture->casts;
    texture->casts = cast;
    return cast;
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

/* ---- Contents ----------------------------------------------------------------------------------------- */

/* One of the WebGPU textures, with its format. */
struct copy {
    WGPUTexture gpu;
    const struct ag_host_format *format;
};

/* One of those that are in `set`. */
static struct copy copy_in(const struct ag_texture *texture, uint32_t set)
{
    if (set & OWN)
        return (struct copy){texture->gpu, texture->format};
    for (const struct ag_texture_cast *cast = texture->casts; cast; cast = cast->next)
        if (set & cast->bit)
            return (struct copy){cast->gpu, cast->format};
    return (struct copy){NULL, NULL};
}

/* A layer, or a slice of a volume. What fails was reported, and leaves the old texels. */
static void copy_slice(struct ag_exec *exec, const struct ag_texture *texture, const struct copy *from,
                       const struct copy *to, uint32_t mip, uint32_t slice)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    const struct ag_recoded_side source = {
        from->format, from->gpu, mip, {0, 0, slice}
    };
    const struct ag_recoded_side destination = {
        to->format, to->gpu, mip, {0, 0, slice}
    };
    ag_texture_recode(exec, &destination, &source, layout->width, layout->height);
}

static void sync_subresource(struct ag_exec *exec, struct ag_texture *texture, uint32_t bit, uint32_t mip,
                             uint32_t layer)
{
    uint32_t *current = &texture->current[mip + layer * texture->mips];
    if (*current & bit)
        return;
    ag_pass_settle(exec, texture); /* clears that wait belong to the contents */
    const struct copy from = copy_in(texture, *current), to = copy_in(texture, bit);
    if (texture->dimension == AG_TEXTURE_3D)
        for (uint32_t slice = 0; slice < ag_texture_slices(texture, mip); slice++)
            copy_slice(exec, texture, &from, &to, mip, slice);
    else
        copy_slice(exec, texture, &from, &to, mip, layer);
    ag_exec_mark_used(exec, &texture->resource);
    *current |= bit;
}

void ag_texture_sync(struct ag_exec *exec, struct ag_texture *texture)
{
    for (uint32_t layer = 0; texture->current && layer < texture->layers; layer++)
        for (uint32_t mip = 0; mip < texture->mips; mip++)
            sync_subresource(exec, texture, OWN, mip, layer);
}

/* The layers of a view as the texture counts them: a volume has one. */
static void layer_range(const struct ag_texture_view *view, uint32_t *begin, uint32_t *end)
{
    bool volume = view->texture->dimension == AG_TEXTURE_3D;
    *begin = volume ? 0 : view->base_layer;
    *end = volume ? 1 : view->base_layer + view->layer_count;
}

void ag_view_sync(struct ag_exec *exec, const struct ag_texture_view *view)
{
    uint32_t begin, end, bit = view->cast ? view->cast->bit : OWN;
    layer_range(view, &begin, &end);
    for (uint32_t layer = begin; view->texture->current && layer < end; layer++)
        for (uint32_t i = 0; i < view->mip_count; i++)
            sync_subresource(exec, view->texture, bit, view->base_mip + i, layer);
}

void ag_view_written_at(const struct ag_texture_view *view, uint32_t mip, uint32_t layer)
{
    struct ag_texture *texture = view->texture;
    texture->version++;
    if (!texture->current)
        return;
    if (texture->dimension == AG_TEXTURE_3D)
        layer = 0;
    texture->current[mip + layer * texture->mips] = view->cast ? view->cast->bit : OWN;
}

void ag_view_written(const struct ag_texture_view *view)
{
    uint32_t begin, end;
    layer_range(view, &begin, &end);
    for (uint32_t layer = begin; layer < end; layer++)
        ag_view_written_at(view, view->base_mip, layer);
}
