/* SPDX-License-Identifier: MIT */
#include "exec/generate_mips.h"

#include "exec/exec.h"
#include "exec/fill.h"

static enum agpu_status check(struct agpu_exec *exec, const struct agpu_texture_view *view)
{
    const struct agpu_texture *texture = view->texture;
    if (!(texture->resource.misc & AEROGPU_EXT_MISC_GENERATE_MIPS))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                              "a texture without GENERATE_MIPS generates no mips");
    if (view->format->class != AGPU_CLASS_FLOAT ||
        !agpu_host_format_has(view->format, AGPU_FORMAT_RENDERABLE))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT, "no mips are generated of %s", view->format->name);
    return AGPU_OK;
}

enum agpu_status agpu_generate_mips(struct agpu_exec *exec, struct agpu_texture_view *view)
{
    const bool volume = view->texture->dimension == AGPU_TEXTURE_3D;
    enum agpu_status status = check(exec, view);
    if (status != AGPU_OK)
        return status;
    for (uint32_t i = 1; i < view->mip_count; i++) {
        const uint32_t mip = view->base_mip + i;
        const uint32_t count = volume ? agpu_texture_slices(view->texture, mip) : view->layer_count;
        agpu_load_limit(exec); /* may submit, and what comes then has to know the texture */
        if (!agpu_view_use(exec, view))
            return AGPU_REFUSED;
        for (uint32_t slice = 0; slice < count; slice++) {
            const uint32_t layer = view->base_layer + slice;
            if (!agpu_fill(exec, volume ? AGPU_FILL_MIP_OF_VOLUME : AGPU_FILL_MIP,
                           agpu_view_subresource(view, mip, layer), view->format,
                           agpu_view_subresource(view, mip - 1, layer), layer))
                return AGPU_NO_MEMORY;
            agpu_view_written_at(view, mip, layer);
        }
    }
    return AGPU_OK;
}
