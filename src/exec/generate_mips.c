/* SPDX-License-Identifier: MIT */
#include "exec/generate_mips.h"

#include "exec/exec.h"
#include "exec/fill.h"

static enum agpu_status check(struct ag_exec *exec, const struct ag_texture_view *view)
{
    const struct ag_texture *texture = view->texture;
    if (!(texture->resource.misc & AEROGPU_EXT_MISC_GENERATE_MIPS))
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                            "a texture without GENERATE_MIPS generates no mips");
    if (view->format->class != AG_CLASS_FLOAT || !ag_host_format_has(view->format, AG_FORMAT_RENDERABLE))
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT, "no mips are generated of %s", view->format->name);
    return AGPU_OK;
}

enum agpu_status ag_generate_mips(struct ag_exec *exec, struct ag_texture_view *view)
{
    const bool volume = view->texture->dimension == AG_TEXTURE_3D;
    enum agpu_status status = check(exec, view);
    if (status != AGPU_OK)
        return status;
    for (uint32_t i = 1; i < view->mip_count; i++) {
        const uint32_t mip = view->base_mip + i;
        const uint32_t count = volume ? ag_texture_slices(view->texture, mip) : view->layer_count;
        ag_load_limit(exec); /* may submit, and what comes then has to know the texture */
        if (!ag_view_use(exec, view))
            return AGPU_REFUSED;
        for (uint32_t slice = 0; slice < count; slice++) {
            const uint32_t layer = view->base_layer + slice;
            if (!ag_fill(exec, volume ? AG_FILL_MIP_OF_VOLUME : AG_FILL_MIP,
                         ag_view_subresource(view, mip, layer), view->format,
                         ag_view_subresource(view, mip - 1, layer), layer))
                return AGPU_NO_MEMORY;
            ag_view_written_at(view, mip, layer);
        }
    }
    return AGPU_OK;
}
