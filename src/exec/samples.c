/* SPDX-License-Identifier: MIT */
#include "exec/samples.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/fill.h"
#include "format/format.h"

/* ---- Counts ------------------------------------------------------------------------------------------- */

#define HOST_SAMPLES 4

uint32_t ag_samples_host(uint32_t count)
{
    return count > 1 ? HOST_SAMPLES : 1;
}

uint32_t ag_samples_host_index(uint32_t count, uint32_t index)
{
    static const uint8_t of_two[2] = {3, 0}, of_eight[8] = {0, 3, 1, 0, 2, 2, 3, 1};
    return count == 2 ? of_two[index & 1] : count == 8 ? of_eight[index & 7] : index;
}

uint32_t ag_samples_host_mask(uint32_t count, uint32_t mask)
{
    static const uint8_t guests_of_two[HOST_SAMPLES] = {2, 1, 2, 1};
    static const uint8_t guests_of_eight[HOST_SAMPLES] = {0x09, 0x84, 0x30, 0x42};
    const uint8_t *guests = count == 2 ? guests_of_two : guests_of_eight;
    uint32_t host = 0;
    if (count != 2 && count != 8)
        return mask & (count == 4 ? 15u : 1u);
    for (uint32_t i = 0; i < HOST_SAMPLES; i++)
        host |= mask & guests[i] ? 1u << i : 0;
    return host;
}

/* ---- Samples as layers -------------------------------------------------------------------------------- */

static struct ag_texture *create_unpacked(struct ag_exec *exec, const struct ag_texture *texture)
{
    const struct ag_texture_desc desc = {
        .dxgi = texture->format->class == AG_CLASS_DEPTH ? (uint32_t)AG_DXGI_R32_FLOAT : texture->host_dxgi,
        .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
        .width = texture->width,
        .height = texture->height,
        .mips = 1,
        .layers = texture->layers * texture->sample_count,
        .layout = texture->layout,
    };
    struct ag_texture *unpacked = ag_texture_create(exec, &desc);
    if (!unpacked)
        ag_exec_no_memory(exec);
    return unpacked;
}

static enum ag_fill_kind fill_of(const struct ag_host_format *format)
{
    return format->class == AG_CLASS_UINT   ? AG_FILL_SAMPLE_UINT
           : format->class == AG_CLASS_SINT ? AG_FILL_SAMPLE_SINT
                                            : AG_FILL_SAMPLE_FLOAT;
}

static bool unpack(struct ag_exec *exec, struct ag_texture *texture)
{
    struct ag_texture_view own;
    ag_view_init(&own, texture, texture->host_dxgi);
    ag_pass_settle(exec, texture->unpacked);
    for (uint32_t i = 0; i < texture->layers * texture->sample_count; i++) {
        const uint32_t slice = i / texture->sample_count, sample = i % texture->sample_count;
        if (!ag_fill(exec, fill_of(texture->format), ag_view_subresource(&texture->unpacked->whole, 0, i),
                     texture->unpacked->format, ag_view_plane(&own, slice),
                     ag_samples_host_index(texture->sample_count, sample)))
            return false;
    }
    texture->unpacked_version = texture->version;
    ag_exec_mark_used(exec, &texture->unpacked->resource);
    return true;
}

struct ag_texture_view *ag_view_samples(struct ag_exec *exec, struct ag_texture_view *view)
{
    struct ag_texture *texture = view->texture;
    const uint32_t count = texture->sample_count;
    if (!texture->unpacked) {
        texture->unpacked = create_unpacked(exec, texture);
        texture->unpacked_version = 0;
    }
    if (!texture->unpacked || (texture->unpacked_version != texture->version && !unpack(exec, texture)))
        return NULL;
    struct ag_texture_view *whole = &texture->unpacked->whole;
    const uint32_t dxgi = texture->format->class == AG_CLASS_DEPTH ? (uint32_t)AG_DXGI_R32_FLOAT : view->dxgi;
    if (whole->base_layer != view->base_layer * count || whole->layer_count != view->layer_count * count ||
        whole->dxgi != dxgi) {
        ag_view_fini(exec, whole);
        ag_view_init(whole, texture->unpacked, dxgi);
        whole->base_layer = view->base_layer * count;
        whole->layer_count = view->layer_count * count;
    }
    return whole;
}

/* ---- ResolveSubresource ------------------------------------------------------------------------------- */

/* A typed texture is resolved as what it is, a typeless one as a format of its family. */
static bool resolves_as(const struct ag_texture *texture, uint32_t dxgi)
{
    return texture->dxgi == dxgi ||
           (ag_format_typeless(texture->dxgi) == texture->dxgi && ag_format_typeless(dxgi) == texture->dxgi);
}

static enum agpu_status check_resolve(struct ag_exec *exec,
                                      const struct aerogpu_cmd_ext_resolve_subresource *wire, uint32_t dxgi,
                                      const struct ag_texture *to, const struct ag_texture *from)
{
    const struct ag_host_format *format = ag_host_format(dxgi);
    if (!to || !from)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no texture",
                            to ? wire->src_texture : wire->dst_texture);
    if (from->sample_count == 1 || to->sample_count != 1)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                            "several samples are resolved into one, not %" PRIu32 " into %" PRIu32,
                            from->sample_count, to->sample_count);
    if (!format || !resolves_as(to, dxgi) || !resolves_as(from, dxgi))
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT, "format %" PRIu32 " is not that of both textures",
                            wire->format);
    if (format->class != AG_CLASS_FLOAT || !ag_host_format_has(format, AG_FORMAT_RENDERABLE))
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT, "%s is not resolved", format->name);
    if (to->dimension == AG_TEXTURE_3D || wire->src_subresource >= from->layers ||
        wire->dst_subresource >= to->mips * to->layers)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_RANGE,
                            "no subresource %" PRIu32 " is resolved into subresource %" PRIu32,
                            wire->src_subresource, wire->dst_subresource);
    const uint32_t mip = wire->dst_subresource % to->mips;
    if (ag_mip_size(to->width, mip) != from->width || ag_mip_size(to->height, mip) != from->height)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a resolve does not change the size");
    if (to->widened)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                            "a resolve into %s that is no render target is not supported", format->name);
    return AGPU_OK;
}

/* The texture in the format, where it has a view of it. */
static bool init_view(struct ag_exec *exec, struct ag_texture *texture, uint32_t dxgi,
                      struct ag_texture_view *view)
{
    const struct ag_host_format *host = ag_host_format(texture->host_dxgi);
    ag_view_init(view, texture, dxgi);
    if (dxgi == texture->host_dxgi || host->srgb_counterpart == dxgi)
        return true;
    if (ag_texture_can_cast(texture, dxgi)) {
        view->cast = ag_texture_cast(exec, texture, dxgi);
        return view->cast != NULL;
    }
    ag_exec_fail(exec, AGPU_DIAG_EXEC_UNSUPPORTED, "a resolve of %s as %s is not supported", host->name,
                 view->format->name);
    return false;
}

enum agpu_status ag_samples_resolve(struct ag_exec *exec,
                                    const struct aerogpu_cmd_ext_resolve_subresource *wire)
{
    struct ag_texture *to = ag_handle_texture(exec, wire->dst_texture);
    struct ag_texture *from = ag_handle_texture(exec, wire->src_texture);
    const uint32_t dxgi = ag_host_format_from_abi(wire->format);
    struct ag_texture_view target, source;
    enum agpu_status status = check_resolve(exec, wire, dxgi, to, from);
    if (status != AGPU_OK)
        return status;
    const uint32_t mip = wire->dst_subresource % to->mips, layer = wire->dst_subresource / to->mips;
    ag_load_limit(exec);
    if (!init_view(exec, to, dxgi, &target) || !init_view(exec, from, dxgi, &source) ||
        !ag_view_use(exec, &source) || !ag_view_use(exec, &target))
        return AGPU_REFUSED;
    if (!ag_fill(exec, AG_FILL_MEAN_OF_SAMPLES, ag_view_subresource(&target, mip, layer), target.format,
                 ag_view_subresource(&source, 0, wire->src_subresource), 0))
        return AGPU_NO_MEMORY;
    ag_view_written_at(&target, mip, layer);
    exec->counts.copies++;
    return AGPU_OK;
}
