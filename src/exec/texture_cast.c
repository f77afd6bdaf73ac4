/* SPDX-License-Identifier: MIT
 *
 * Views in formats that WebGPU does not make of a texture. The texture then has another WebGPU texture for
 * each such format, and each subresource knows which of them have its contents; bytes are copied when a view
 * needs them where they are not.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/format_family.h"
#include "exec/texture_recode.h"

#define OWN UINT32_C(1) /* the bit of the texture's own format */

/* Direct3D lets every typeless format of 32 bits be an unordered access view of whole words. */
static bool is_word(uint32_t dxgi)
{
    return dxgi == AGPU_DXGI_R32_FLOAT || dxgi == AGPU_DXGI_R32_UINT || dxgi == AGPU_DXGI_R32_SINT;
}

bool agpu_texture_can_cast(const struct agpu_texture *texture, uint32_t dxgi)
{
    const struct agpu_host_format *format = agpu_host_format(dxgi);
    const uint32_t family = agpu_format_typeless(texture->dxgi);
    const bool related = agpu_format_typeless(dxgi) == family ||
                         (is_word(dxgi) && texture->format->bytes == 4 && family == texture->dxgi);
    return agpu_format_is_cast(texture->dxgi) && related && texture->sample_count == 1 && !texture->blocks &&
           format && format->class != AGPU_CLASS_DEPTH &&
           format->block_width == texture->format->block_width && format->bytes == texture->format->bytes &&
           agpu_texture_can_recode(format) && agpu_texture_can_recode(texture->format);
}

static bool begin_tracking(struct agpu_texture *texture)
{
    size_t count = (size_t)texture->mips * texture->layers;
    if (texture->current)
        return true;
    texture->current = malloc(count * sizeof *texture->current);
    for (size_t i = 0; texture->current && i < count; i++)
        texture->current[i] = OWN;
    return texture->current != NULL;
}

static WGPUTexture create_gpu(struct agpu_exec *exec, const struct agpu_texture *texture,
                              const struct agpu_host_format *format)
{
    const struct agpu_host_format *twin = format->twin ? agpu_host_format(format->twin) : NULL;
    WGPUTextureDescriptor descriptor = {
        .usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst | WGPUTextureUsage_TextureBinding,
        .dimension =
            texture->dimension == AGPU_TEXTURE_3D ? WGPUTextureDimension_3D : WGPUTextureDimension_2D,
        .size = {texture->width, texture->height, agpu_texture_slices(texture, 0)},
        .format = format->texture,
        .mipLevelCount = texture->mips,
        .sampleCount = 1,
        .viewFormatCount = twin ? 1 : 0,
        .viewFormats = twin ? &twin->texture : NULL,
    };
    if (agpu_host_format_has(format, AGPU_FORMAT_RENDERABLE))
        descriptor.usage |= WGPUTextureUsage_RenderAttachment;
    return wgpuDeviceCreateTexture(exec->device, &descriptor);
}

struct agpu_texture_cast *agpu_texture_cast(struct agpu_exec *exec, struct agpu_texture *texture,
                                            uint32_t dxgi)
{
    uint32_t last = OWN;
    for (struct agpu_texture_cast *cast = texture->casts; cast; cast = cast->next) {
        if (cast->dxgi == dxgi || cast->format->twin == dxgi)
            return cast;
        last = cast->bit > last ? cast->bit : last;
    }
    struct agpu_texture_cast *cast = calloc(1, sizeof *cast);
    if (!cast || !begin_tracking(texture)) {
        free(cast);
        agpu_exec_no_memory(exec);
        return NULL;
    }
    cast->dxgi = dxgi;
    cast->format = agpu_host_format(dxgi);
    cast->bit = last << 1; /* a family has fewer than 31 formats */
    cast->gpu = create_gpu(exec, texture, cast->format);
    cast->next = texture->casts;
    texture->casts = cast;
    return cast;
}

void agpu_texture_casts_fini(struct agpu_texture *texture)
{
    while (texture->casts) {
        struct agpu_texture_cast *cast = texture->casts;
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
    const struct agpu_host_format *format;
};

/* One of those that are in `set`. */
static struct copy copy_in(const struct agpu_texture *texture, uint32_t set)
{
    if (set & OWN)
        return (struct copy){texture->gpu, texture->format};
    for (const struct agpu_texture_cast *cast = texture->casts; cast; cast = cast->next)
        if (set & cast->bit)
            return (struct copy){cast->gpu, cast->format};
    return (struct copy){NULL, NULL};
}

/* A layer, or a slice of a volume. What fails was reported, and leaves the old texels. */
static void copy_slice(struct agpu_exec *exec, const struct agpu_texture *texture, const struct copy *from,
                       const struct copy *to, uint32_t mip, uint32_t slice)
{
    const struct agpu_mip_layout *layout = &texture->layout.mips[mip];
    const struct agpu_recoded_side source = {
        from->format, from->gpu, mip, {0, 0, slice}
    };
    const struct agpu_recoded_side destination = {
        to->format, to->gpu, mip, {0, 0, slice}
    };
    agpu_texture_recode(exec, &destination, &source, layout->width, layout->height);
}

static void sync_subresource(struct agpu_exec *exec, struct agpu_texture *texture, uint32_t bit, uint32_t mip,
                             uint32_t layer)
{
    uint32_t *current = &texture->current[mip + layer * texture->mips];
    if (*current & bit)
        return;
    agpu_pass_settle(exec, texture); /* clears that wait belong to the contents */
    const struct copy from = copy_in(texture, *current), to = copy_in(texture, bit);
    if (texture->dimension == AGPU_TEXTURE_3D)
        for (uint32_t slice = 0; slice < agpu_texture_slices(texture, mip); slice++)
            copy_slice(exec, texture, &from, &to, mip, slice);
    else
        copy_slice(exec, texture, &from, &to, mip, layer);
    agpu_exec_mark_used(exec, &texture->resource);
    *current |= bit;
}

void agpu_texture_sync(struct agpu_exec *exec, struct agpu_texture *texture)
{
    for (uint32_t layer = 0; texture->current && layer < texture->layers; layer++)
        for (uint32_t mip = 0; mip < texture->mips; mip++)
            sync_subresource(exec, texture, OWN, mip, layer);
}

/* The layers of a view as the texture counts them: a volume has one. */
static void layer_range(const struct agpu_texture_view *view, uint32_t *begin, uint32_t *end)
{
    bool volume = view->texture->dimension == AGPU_TEXTURE_3D;
    *begin = volume ? 0 : view->base_layer;
    *end = volume ? 1 : view->base_layer + view->layer_count;
}

void agpu_view_sync(struct agpu_exec *exec, const struct agpu_texture_view *view)
{
    uint32_t begin, end, bit = view->cast ? view->cast->bit : OWN;
    layer_range(view, &begin, &end);
    for (uint32_t layer = begin; view->texture->current && layer < end; layer++)
        for (uint32_t i = 0; i < view->mip_count; i++)
            sync_subresource(exec, view->texture, bit, view->base_mip + i, layer);
}

void agpu_view_written_at(const struct agpu_texture_view *view, uint32_t mip, uint32_t layer)
{
    struct agpu_texture *texture = view->texture;
    texture->version++;
    if (!texture->current)
        return;
    if (texture->dimension == AGPU_TEXTURE_3D)
        layer = 0;
    texture->current[mip + layer * texture->mips] = view->cast ? view->cast->bit : OWN;
}

void agpu_view_written(const struct agpu_texture_view *view)
{
    uint32_t begin, end;
    layer_range(view, &begin, &end);
    for (uint32_t layer = begin; layer < end; layer++)
        agpu_view_written_at(view, view->base_mip, layer);
}
