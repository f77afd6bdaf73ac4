/* SPDX-License-Identifier: MIT */
#include "exec/transfer/generate_mips.h"

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "exec/blit/blit.h"
#include "exec/blit/blitter.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/flush.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_pull.h"
#include "format/format.h"

static enum agpu_status check(struct ag_copier *copier, const struct ag_texture_view *view)
{
    const struct ag_texture *texture = view->texture;
    if (!(texture->resource.misc & AEROGPU_EXT_MISC_GENERATE_MIPS))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a texture without GENERATE_MIPS generates no mips");
    if (view->format->class != AG_CLASS_FLOAT || !ag_host_format_has(view->format, AG_FORMAT_RENDERABLE))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_FORMAT, "no mips are generated of %s",
                            view->format->name);
    return AGPU_OK;
}

/* The same subresources for rendering, with a cast where WebGPU needs one. */
static enum agpu_status init_rendered(struct ag_copier *copier, const struct ag_texture_view *view,
                                      struct ag_texture_view *rendered)
{
    const enum agpu_status status =
        ag_view_init_rendered(copier->objects, rendered, view->texture, view->dxgi);
    rendered->base_mip = view->base_mip;
    rendered->mip_count = view->mip_count;
    rendered->base_layer = view->base_layer;
    rendered->layer_count = view->layer_count;
    if (status != AGPU_REFUSED)
        return status;
    return ag_host_drop_refused(
        copier->host, AGPU_DIAG_EXEC_MEMORY,
        "mips of %s need a copy of the texture, which exceeds the budget of GPU memory", view->format->name);
}

/* Whether what is recorded has to be submitted, or to wait, before more is recorded. */
static bool is_full(struct ag_copier *copier)
{
    return ag_throttle_open_is_full(copier->recorder) || !ag_throttle_has_room(copier->recorder);
}

/* Makes slices of one mip from slice `first` on, a part's worth. Returns the slice to go on with. */
static uint32_t make_mip(struct ag_copier *copier, struct ag_texture_view *view, uint32_t mip, uint32_t first,
                         uint32_t count)
{
    const bool volume = view->texture->dimension == AG_TEXTURE_3D;
    const uint32_t end = count - first < AG_PART_PASSES ? count : first + AG_PART_PASSES;
    const uint64_t texels =
        (uint64_t)ag_mip_size(view->texture->width, mip) * ag_mip_size(view->texture->height, mip);
    for (uint32_t slice = first; slice < end; slice++) {
        const uint32_t layer = view->base_layer + slice;
        if (slice > first && is_full(copier))
            return slice;
        if (!ag_blit(copier->blitter, volume ? AG_BLIT_MIP_OF_VOLUME : AG_BLIT_MIP,
                     ag_view_subresource(view, mip, layer), view->format,
                     ag_view_subresource(view, mip - 1, layer), layer))
            return UINT32_MAX;
        ag_view_written_at(view, mip, layer);
        ag_throttle_add_pass(copier->recorder, ag_texture_subresources(view->texture));
        ag_throttle_add_texels(copier->recorder, texels);
    }
    return end;
}

static enum agpu_status make_mips(struct ag_copier *copier, struct ag_texture_view *view,
                                  struct ag_progress *progress)
{
    const bool volume = view->texture->dimension == AG_TEXTURE_3D;
    uint32_t made = 0;
    for (uint32_t i = (uint32_t)progress->stage + 1; i < view->mip_count; i++) {
        const uint32_t mip = view->base_mip + i, first = (uint32_t)progress->done;
        const uint32_t count = volume ? ag_texture_slices(view->texture, mip) : view->layer_count;
        progress->stage = i - 1;
        if (made >= AG_PART_PASSES || (made != 0 && !ag_throttle_has_room(copier->recorder))) {
            progress->more = true;
            return AGPU_OK;
        }
        ag_throttle_limit(copier->recorder); /* a flush begins another encoder, which uses the texture, too */
        if (!ag_view_use(copier, view))
            return AGPU_REFUSED;
        const uint32_t end = make_mip(copier, view, mip, first, count);
        if (end == UINT32_MAX)
            return AGPU_NO_MEMORY;
        if (end < count) {
            ag_progress_pause(progress, end);
            return AGPU_OK;
        }
        made += end - first;
        progress->done = 0;
    }
    return AGPU_OK;
}

enum agpu_status ag_generate_mips(struct ag_copier *copier, struct ag_texture_view *view,
                                  struct ag_progress *progress)
{
    struct ag_texture_view rendered;
    enum agpu_status status = check(copier, view);
    if (status == AGPU_OK && ag_host_renders(copier->host, view->format))
        return make_mips(copier, view, progress);
    if (status == AGPU_OK)
        status = init_rendered(copier, view, &rendered);
    return status == AGPU_OK ? make_mips(copier, &rendered, progress) : status;
}
