/* SPDX-License-Identifier: MIT */
#include "exec/transfer/resolve.h"

#include <inttypes.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "exec/blit/blitter.h"
#include "exec/blit/samples.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/sample_count.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/flush.h"
#include "exec/record/throttle.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_pull.h"
#include "format/format.h"

/* A typed texture is resolved in its own format, a typeless texture in any format of its family. */
static bool resolves_as(const struct ag_texture *texture, uint32_t dxgi)
{
    return texture->dxgi == dxgi ||
           (ag_format_typeless(texture->dxgi) == texture->dxgi && ag_format_typeless(dxgi) == texture->dxgi);
}

static enum agpu_status check_resolve(struct ag_copier *copier,
                                      const struct aerogpu_cmd_ext_resolve_subresource *wire, uint32_t dxgi,
                                      const struct ag_texture *to, const struct ag_texture *from)
{
    struct ag_format_name name;
    const struct ag_host_format *format = ag_host_format(dxgi);
    if (!to || !from)
        return ag_host_drop_handle(
            copier->host, AG_SPACE_RESOURCES, to ? wire->src_texture : wire->dst_texture,
            "handle %" PRIu32 " names no texture", to ? wire->src_texture : wire->dst_texture);
    if (from->sample_count == 1 || to->sample_count != 1)
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "several samples are resolved into one, not %" PRIu32 " into %" PRIu32,
                            from->sample_count, to->sample_count);
    if (!format || !resolves_as(to, dxgi) || !resolves_as(from, dxgi))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_FORMAT, "%s is not the format of both textures",
                            ag_format_name_of_abi(wire->format, &name));
    if (format->class != AG_CLASS_FLOAT || !ag_host_format_has(format, AG_FORMAT_RENDERABLE))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_FORMAT, "%s is not resolved", format->name);
    if (to->dimension == AG_TEXTURE_3D || wire->src_subresource >= from->layers ||
        wire->dst_subresource >= to->mips * to->layers)
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_RANGE,
                            "no subresource %" PRIu32 " is resolved into subresource %" PRIu32,
                            wire->src_subresource, wire->dst_subresource);
    const uint32_t mip = wire->dst_subresource % to->mips;
    if (ag_mip_size(to->width, mip) != from->width || ag_mip_size(to->height, mip) != from->height)
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_ARGUMENT, "a resolve does not change the size");
    if (to->widened)
        return ag_host_drop_refused(copier->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "a resolve into %s that is no render target is not supported",
                                    format->name);
    return AGPU_OK;
}

/* Makes a view of the whole texture in the format, through a cast where WebGPU requires one. */
static enum agpu_status init_view(struct ag_copier *copier, struct ag_texture *texture, uint32_t dxgi,
                                  struct ag_texture_view *view)
{
    const struct ag_host_format *host = ag_host_format(texture->host_dxgi);
    const uint32_t rendered = ag_host_rendered(copier->host, dxgi);
    const bool own = rendered == texture->host_dxgi || host->srgb_counterpart == dxgi;
    view->format = ag_host_format(rendered);
    if (!own && rendered == dxgi && !ag_texture_can_cast(texture, dxgi))
        return ag_host_drop_refused(copier->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "a resolve of %s as %s is not supported", host->name, view->format->name);
    const enum agpu_status status = ag_view_init_rendered(copier->objects, view, texture, dxgi);
    if (status == AGPU_REFUSED)
        return ag_host_drop_refused(copier->host, AGPU_DIAG_EXEC_MEMORY,
                                    "a resolve as %s needs a copy of the texture, which exceeds the budget "
                                    "of GPU memory",
                                    view->format->name);
    return status;
}

enum agpu_status ag_samples_resolve(struct ag_copier *copier,
                                    const struct aerogpu_cmd_ext_resolve_subresource *wire)
{
    struct ag_texture *to = ag_handle_texture(copier->objects, wire->dst_texture);
    struct ag_texture *from = ag_handle_texture(copier->objects, wire->src_texture);
    const uint32_t dxgi = ag_host_format_from_abi(wire->format);
    struct ag_texture_view target, source;
    enum agpu_status status = check_resolve(copier, wire, dxgi, to, from);
    if (status != AGPU_OK)
        return status;
    const uint32_t mip = wire->dst_subresource % to->mips, layer = wire->dst_subresource / to->mips;
    ag_throttle_limit(copier->recorder);
    status = init_view(copier, to, dxgi, &target);
    if (status == AGPU_OK)
        status = init_view(copier, from, dxgi, &source);
    if (status != AGPU_OK)
        return status;
    if (!ag_view_use(copier, &source) || !ag_view_use(copier, &target))
        return AGPU_REFUSED;
    if (!ag_samples_blit(copier->blitter, &target, mip, layer, &source, wire->src_subresource,
                         AG_MEAN_OF_SAMPLES))
        return AGPU_NO_MEMORY;
    ag_throttle_add_texels(copier->recorder,
                           (uint64_t)from->width * from->height * ag_samples_host(from->sample_count));
    ag_view_written_at(&target, mip, layer);
    copier->host->counts.copies++;
    return AGPU_OK;
}
