/* SPDX-License-Identifier: MIT */
#include "exec/blit/texture_sync.h"

#include "abi/texture_layout.h"
#include "exec/blit/blitter.h"
#include "exec/blit/texture_recode.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "format/format.h"
#include "gpu/webgpu.h"

/* One of the texture's WebGPU textures. */
struct copy {
    WGPUTexture gpu;
    const struct ag_host_format *format;
};

/* A WebGPU texture whose bit is in `set`. */
static struct copy copy_in(const struct ag_texture *texture, uint32_t set)
{
    if (set & AG_CAST_OWN)
        return (struct copy){texture->gpu, texture->format};
    for (const struct ag_texture_cast *cast = texture->casts; cast; cast = cast->next)
        if (set & cast->bit)
            return (struct copy){cast->gpu, cast->format};
    return (struct copy){NULL, NULL};
}

/* Copies a slice. A failure is reported and leaves the old texels. */
static void copy_slice(struct ag_blitter *blitter, const struct ag_texture *texture, const struct copy *from,
                       const struct copy *to, uint32_t mip, uint32_t slice)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    const struct ag_recoded_side source = {
        from->format, from->gpu, mip, {0, 0, slice}
    };
    const struct ag_recoded_side destination = {
        to->format, to->gpu, mip, {0, 0, slice}
    };
    ag_texture_recode(blitter, &destination, &source, layout->width, layout->height);
}

static void sync_subresource(struct ag_blitter *blitter, struct ag_texture *texture, uint32_t bit,
                             uint32_t mip, uint32_t layer)
{
    uint32_t *current = &texture->current[mip + layer * texture->mips];
    if (*current & bit)
        return;
    ag_pass_settle(blitter->recorder, texture); /* the contents include pending clears */
    const struct copy from = copy_in(texture, *current), to = copy_in(texture, bit);
    if (texture->dimension == AG_TEXTURE_3D)
        for (uint32_t slice = 0; slice < ag_texture_slices(texture, mip); slice++)
            copy_slice(blitter, texture, &from, &to, mip, slice);
    else
        copy_slice(blitter, texture, &from, &to, mip, layer);
    ag_recorder_mark_used(blitter->recorder, &texture->resource);
    *current |= bit;
}

void ag_texture_sync(struct ag_blitter *blitter, struct ag_texture *texture)
{
    for (uint32_t layer = 0; texture->current && layer < texture->layers; layer++)
        for (uint32_t mip = 0; mip < texture->mips; mip++)
            sync_subresource(blitter, texture, AG_CAST_OWN, mip, layer);
}

void ag_view_refresh(struct ag_blitter *blitter, struct ag_texture_view *view)
{
    ag_pass_settle(blitter->recorder, view->texture);
    ag_view_sync(blitter, view);
    ag_recorder_mark_used(blitter->recorder, &view->texture->resource);
}

void ag_view_clear(struct ag_blitter *blitter, const struct ag_pending_clear *value)
{
    /* All slices of a mip share a bit of ag_texture.current, and the slices that are not cleared stay. */
    if (value->view->texture->dimension == AG_TEXTURE_3D)
        ag_view_sync(blitter, value->view);
    ag_pass_clear(blitter->recorder, value);
}

void ag_view_sync(struct ag_blitter *blitter, const struct ag_texture_view *view)
{
    uint32_t begin, end, bit = view->cast ? view->cast->bit : AG_CAST_OWN;
    ag_view_layer_range(view, &begin, &end);
    for (uint32_t layer = begin; view->texture->current && layer < end; layer++)
        for (uint32_t i = 0; i < view->mip_count; i++)
            sync_subresource(blitter, view->texture, bit, view->base_mip + i, layer);
}
