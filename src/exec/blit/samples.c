/* SPDX-License-Identifier: MIT */
#include "exec/blit/samples.h"

#include "aerogpu/abi/cmd.h"
#include "exec/blit/blit.h"
#include "exec/blit/blitter.h"
#include "exec/host/report.h"
#include "exec/object/sample_count.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "format/format.h"

static struct ag_texture *create_unpacked(struct ag_blitter *blitter, const struct ag_texture *texture)
{
    const struct ag_texture_desc desc = {
        .handle = texture->resource.handle,
        .role = "samples of texture",
        .dxgi = texture->format->class == AG_CLASS_DEPTH ? (uint32_t)AG_DXGI_R32_FLOAT : texture->host_dxgi,
        .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
        .width = texture->width,
        .height = texture->height,
        .mips = 1,
        .layers = texture->layers * texture->sample_count,
        .layout = texture->layout,
    };
    struct ag_texture *unpacked = ag_texture_create(blitter->objects, &desc);
    if (!unpacked)
        ag_host_no_memory(blitter->host);
    return unpacked;
}

static enum ag_blit_kind blit_kind(const struct ag_texture_view *from, uint32_t sample)
{
    const bool planes = from->texture->planes.count != 0;
    if (sample == AG_MEAN_OF_SAMPLES)
        return planes ? AG_BLIT_MEAN_OF_PLANE : AG_BLIT_MEAN_OF_SAMPLES;
    return from->format->class == AG_CLASS_UINT   ? planes ? AG_BLIT_PLANE_UINT : AG_BLIT_SAMPLE_UINT
           : from->format->class == AG_CLASS_SINT ? planes ? AG_BLIT_PLANE_SINT : AG_BLIT_SAMPLE_SINT
           : planes                               ? AG_BLIT_PLANE_FLOAT
                                                  : AG_BLIT_SAMPLE_FLOAT;
}

bool ag_samples_blit(struct ag_blitter *blitter, const struct ag_texture_view *to, uint32_t mip,
                     uint32_t layer, const struct ag_texture_view *from, uint32_t slice, uint32_t sample)
{
    const enum ag_blit_kind kind = blit_kind(from, sample);
    const uint32_t planes = from->texture->planes.count;
    if (!planes)
        return ag_blit(blitter, kind, ag_view_subresource(to, mip, layer), to->format,
                       ag_view_plane(from, 0, slice), sample);
    for (uint32_t i = 0; i < planes; i++) {
        const uint32_t components = from->format->class == AG_CLASS_FLOAT ? 1u << i : 3u << (2 * i);
        if (!ag_blit_components(blitter, kind, ag_view_subresource(to, mip, layer), to->format, components,
                                ag_view_samples_of_plane(from, slice, i), sample))
            return false;
    }
    return true;
}

static bool unpack(struct ag_blitter *blitter, struct ag_texture *texture)
{
    struct ag_texture_view own;
    ag_view_init(&own, texture, texture->host_dxgi);
    ag_pass_settle(blitter->recorder, texture->unpacked);
    for (uint32_t i = 0; i < texture->layers * texture->sample_count; i++) {
        const uint32_t slice = i / texture->sample_count, sample = i % texture->sample_count;
        if (!ag_samples_blit(blitter, &texture->unpacked->whole, 0, i, &own, slice,
                             ag_samples_host_index(texture->sample_count, sample)))
            return false;
    }
    texture->unpacked_version = texture->version;
    ag_recorder_mark_used(blitter->recorder, &texture->unpacked->resource);
    return true;
}

struct ag_texture_view *ag_view_samples(struct ag_blitter *blitter, struct ag_texture_view *view)
{
    struct ag_texture *texture = view->texture;
    const uint32_t count = texture->sample_count;
    if (!texture->unpacked) {
        texture->unpacked = create_unpacked(blitter, texture);
        texture->unpacked_version = 0;
    }
    if (!texture->unpacked || (texture->unpacked_version != texture->version && !unpack(blitter, texture)))
        return NULL;
    struct ag_texture_view *whole = &texture->unpacked->whole;
    const uint32_t dxgi = texture->format->class == AG_CLASS_DEPTH ? (uint32_t)AG_DXGI_R32_FLOAT : view->dxgi;
    if (whole->base_layer != view->base_layer * count || whole->layer_count != view->layer_count * count ||
        whole->dxgi != dxgi) {
        ag_view_fini(blitter->objects, whole);
        ag_view_init(whole, texture->unpacked, dxgi);
        whole->base_layer = view->base_layer * count;
        whole->layer_count = view->layer_count * count;
    }
    return whole;
}
