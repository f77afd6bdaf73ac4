/* SPDX-License-Identifier: MIT */
#include "exec/transfer/generate_mips.h"

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "exec/blit/blit.h"
#include "exec/blit/blitter.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/flush.h"
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
    if (!ag_host_renders(copier->host, view->format))
        return ag_host_drop_refused(copier->host, AGPU_DIAG_GPU_FEATURE,
                                    "mips of %s need rg11b10ufloat-renderable, which this device lacks",
                                    view->format->name);
    return AGPU_OK;
}

enum agpu_status ag_generate_mips(struct ag_copier *copier, struct ag_texture_view *view)
{
    const bool volume = view->texture->dimension == AG_TEXTURE_3D;
    enum agpu_status status = check(copier, view);
    if (status != AGPU_OK)
        return status;
    for (uint32_t i = 1; i < view->mip_count; i++) {
        const uint32_t mip = view->base_mip + i;
        const uint32_t count = volume ? ag_texture_slices(view->texture, mip) : view->layer_count;
        ag_throttle_limit(copier->recorder); /* a flush begins another encoder, which uses the texture, too */
        if (!ag_view_use(copier, view))
            return AGPU_REFUSED;
        for (uint32_t slice = 0; slice < count; slice++) {
            const uint32_t layer = view->base_layer + slice;
            if (!ag_blit(copier->blitter, volume ? AG_BLIT_MIP_OF_VOLUME : AG_BLIT_MIP,
                         ag_view_subresource(view, mip, layer), view->format,
                         ag_view_subresource(view, mip - 1, layer), layer))
                return AGPU_NO_MEMORY;
            ag_view_written_at(view, mip, layer);
        }
    }
    return AGPU_OK;
}
