/* SPDX-License-Identifier: MIT */
#include "exec/draw/raster.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/context.h"
#include "exec/bind/shader.h"
#include "exec/draw/drawer.h"
#include "exec/draw/stream_output.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/dummy.h"
#include "exec/record/encoder.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"
#include "exec/record/sample_planes.h"
#include "exec/state/rect.h"
#include "exec/state/state.h"
#include "exec/transfer/texture_pull.h"
#include "format/format.h"
#include "gpu/webgpu.h"

/* ---- Targets ------------------------------------------------------------------------------------------ */

/* Whether a colour target before `before` is the same subresource, which Direct3D leaves undefined and
 * WebGPU refuses. */
static bool is_attached(const struct ag_attachments *attachments, const struct ag_texture_view *view,
                        uint32_t before)
{
    for (uint32_t i = 0; i < before; i++) {
        const struct ag_texture_view *other = attachments->colors[i];
        if (other && other->texture == view->texture && other->base_mip == view->base_mip &&
            other->base_layer == view->base_layer)
            return true;
    }
    return false;
}

static enum ag_outcome add_size(struct ag_drawer *drawer, const struct ag_texture_view *view,
                                struct ag_attachments *attachments)
{
    const WGPUExtent3D extent = ag_view_extent(view);
    const uint32_t samples = view->texture->sample_count;
    if (attachments->width == 0) {
        attachments->width = extent.width;
        attachments->height = extent.height;
        attachments->sample_count = samples;
    }
    if (attachments->sample_count != samples)
        return ag_host_skip_undefined(
            drawer->host, "render targets have %" PRIu32 " and %" PRIu32 " samples; the draw is skipped",
            attachments->sample_count, samples);
    if (attachments->width == extent.width && attachments->height == extent.height)
        return AG_DONE;
    /* Direct3D allows a larger depth target; texels outside the colour targets are not drawn. */
    if (view == attachments->depth && extent.width >= attachments->width &&
        extent.height >= attachments->height && samples == 1)
        return AG_DONE;
    return ag_host_skip_undefined(drawer->host,
                                  "render targets differ in size: %" PRIu32 "x%" PRIu32 " and %" PRIu32
                                  "x%" PRIu32 "; the draw is skipped",
                                  attachments->width, attachments->height, extent.width, extent.height);
}

/* Whether an occlusion query counts what the draw rasterizes, be it for the invocations of the pixel shader:
 * with or without targets (D3D11.3 20.4.6). */
static bool counts_pixels(const struct ag_drawer *drawer, bool shades)
{
    return ag_queries_want(drawer->recorder, AG_QUERY_COUNTER_SAMPLES_PASSED) ||
           (shades && ag_queries_want(drawer->recorder, AG_QUERY_COUNTER_PS_INVOCATIONS));
}

bool ag_draw_rasterizes(struct ag_drawer *drawer, const struct ag_context *context)
{
    const bool tests = context->depth_stencil.depth_enable || context->depth_stencil.stencil_enable;
    return (tests || ag_stage_is_bound(drawer->binder, context, AGPU_STAGE_PIXEL)) &&
           !ag_stream_output_only(drawer, context);
}

/* A draw without targets matters only when its pixel shader stores, or when somebody counts its pixels: the
 * viewports then bound the pixels (D3D11.3 16.11). WebGPU requires a target, which is a dummy of their size.
 */
static enum ag_outcome add_dummy(struct ag_drawer *drawer, const struct ag_context *context, bool shades,
                                 struct ag_attachments *attachments)
{
    const struct ag_shader_program *pixel = ag_shader_at(drawer->binder, context, AGPU_STAGE_PIXEL);
    const float limit = (float)drawer->host->limits.maxTextureDimension2D;
    float right = 0, bottom = 0;
    if (!(pixel && pixel->has_uavs) && !counts_pixels(drawer, shades))
        return AG_DONE;
    for (uint32_t i = 0; i < context->viewport_count; i++) {
        const struct ag_viewport *viewport = &context->viewports[i];
        right = fmaxf(right, fminf(ceilf(viewport->x + viewport->width), limit));
        bottom = fmaxf(bottom, fminf(ceilf(viewport->y + viewport->height), limit));
    }
    if (!(right >= 1 && bottom >= 1))
        return AG_DONE;
    struct ag_texture *texture;
    const enum ag_outcome outcome =
        ag_dummy_target(drawer->recorder, (uint32_t)right, (uint32_t)bottom, &texture);
    if (outcome != AG_DONE)
        return outcome;
    attachments->colors[0] = &texture->whole;
    attachments->color_count = 1;
    attachments->width = texture->width;
    attachments->height = texture->height;
    attachments->sample_count = 1;
    return AG_DONE;
}

static enum ag_outcome add_color(struct ag_drawer *drawer, struct ag_context *context, uint32_t index,
                                 bool used, struct ag_attachments *attachments)
{
    struct ag_texture_view *view =
        ag_context_target(drawer->objects, context, &context->targets[index], false);
    if (!view || !used)
        return AG_DONE;
    if (is_attached(attachments, view, index))
        return ag_host_skip_undefined(drawer->host,
                                      "colour target %" PRIu32 " is bound twice; the draw is skipped", index);
    attachments->colors[index] = view;
    attachments->color_count = index + 1;
    return add_size(drawer, view, attachments);
}

static enum ag_outcome add_depth(struct ag_drawer *drawer, struct ag_texture_view *view,
                                 struct ag_attachments *attachments)
{
    attachments->depth = view;
    return view ? add_size(drawer, view, attachments) : AG_DONE;
}

/* With two blend sources only target 0 is drawn, since what others get is undefined (D3D11.3 17.6) and WebGPU
 * has none beside it. */
static void keep_dual_source(const struct ag_context *context, struct ag_attachments *attachments)
{
    if (!attachments->colors[0])
        return;
    const struct ag_blend_target first = ag_blend_drawn(&context->blend, 0, attachments->colors[0]->format);
    if (!ag_blend_uses_source1(&first))
        return;
    memset(attachments->colors + 1, 0, sizeof attachments->colors - sizeof attachments->colors[0]);
    attachments->color_count = 1;
}

bool ag_attachments_hold_norms(const struct ag_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (attachments->colors[i] && attachments->colors[i]->format->conversion == AG_CONVERT_FLOATS)
            return true;
    return false;
}

static void note_excess(const struct ag_context *context, struct ag_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        if (!attachments->colors[i] || attachments->colors[i]->format->conversion != AG_CONVERT_FLOATS)
            continue;
        const struct ag_host_format *format = attachments->colors[i]->format;
        const struct ag_blend_target blend = ag_blend_drawn(&context->blend, i, format);
        const uint8_t excess = ag_blend_excess(&blend, format);
        attachments->exceeds_most |= (uint8_t)((excess & AG_BLEND_EXCEEDS_MOST ? 1u : 0u) << i);
        attachments->exceeds_least |= (uint8_t)((excess & AG_BLEND_EXCEEDS_LEAST ? 1u : 0u) << i);
        attachments->exceeds_each |= (excess & AG_BLEND_EXCEEDS_EACH) != 0;
    }
}

enum ag_outcome ag_attachments_init(struct ag_drawer *drawer, struct ag_context *context,
                                    struct ag_attachments *attachments)
{
    enum ag_outcome outcome = AG_DONE;
    const bool shades = ag_stage_is_bound(drawer->binder, context, AGPU_STAGE_PIXEL);
    memset(attachments, 0, sizeof *attachments);
    attachments->unshaded = !shades && ag_queries_want(drawer->recorder, AG_QUERY_COUNTER_PS_INVOCATIONS);
    struct ag_texture_view *depth = ag_context_target(drawer->objects, context, &context->depth_target, true);
    if (!ag_draw_rasterizes(drawer, context))
        return AG_DONE;
    /* Without a pixel shader, a draw does not change colour targets (D3D11.3 16.9.1). They are there for the
     * pixels and samples that are counted. */
    const bool uses_colors = shades || (!depth && counts_pixels(drawer, shades));
    for (uint32_t i = 0; i < context->target_count && outcome == AG_DONE; i++)
        outcome = add_color(drawer, context, i, uses_colors, attachments);
    keep_dual_source(context, attachments);
    note_excess(context, attachments);
    if (outcome == AG_DONE)
        outcome = add_depth(drawer, depth, attachments);
    if (outcome != AG_DONE || attachments->color_count || attachments->depth)
        return outcome;
    return add_dummy(drawer, context, shades, attachments);
}

/* ---- Attachments for several passes ------------------------------------------------------------------- */

bool ag_attachments_fit(const struct ag_host *host, const struct ag_attachments *attachments)
{
    uint8_t first[AGPU_MAX_RENDER_TARGETS];
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (attachments->colors[i])
            bytes += attachments->colors[i]->format->sample_bytes;
    return bytes <= host->limits.maxColorAttachmentBytesPerSample &&
           ag_attachments_locate(attachments, first) <= host->limits.maxColorAttachments;
}

uint32_t ag_attachments_split(const struct ag_host *host, const struct ag_attachments *attachments,
                              struct ag_attachments parts[AGPU_MAX_RENDER_TARGETS])
{
    struct ag_attachments larger;
    uint32_t count = 0;
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        if (!attachments->colors[i])
            continue;
        if (count) {
            memcpy(&larger, &parts[count - 1], sizeof larger);
            larger.colors[i] = attachments->colors[i];
            larger.color_count = i + 1;
        }
        if (count && ag_attachments_fit(host, &larger)) {
            memcpy(&parts[count - 1], &larger, sizeof larger);
            continue;
        }
        memcpy(&parts[count], attachments, sizeof *attachments);
        memset(parts[count].colors, 0, sizeof parts[count].colors);
        parts[count].colors[i] = attachments->colors[i];
        parts[count++].color_count = i + 1;
    }
    return count;
}

enum ag_outcome ag_attachments_copy_depth(struct ag_drawer *drawer, struct ag_texture_view *depth,
                                          struct ag_texture **copy)
{
    const struct ag_texture *source = depth->texture;
    const struct ag_texture_desc desc = {
        .handle = source->resource.handle,
        .role = "depth of texture",
        .abi_format = source->abi_format,
        .dxgi = source->host_dxgi,
        .usage = source->resource.usage,
        .width = ag_mip_size(source->width, depth->base_mip),
        .height = ag_mip_size(source->height, depth->base_mip),
        .mips = 1,
        .layers = 1,
        .sample_count = source->sample_count,
    };
    if (!ag_texture_use(drawer->copier, depth->texture))
        return AG_SKIPPED;
    struct ag_texture *texture = ag_texture_create(drawer->objects, &desc);
    if (!texture) {
        ag_host_no_memory(drawer->host);
        return AG_OUT_OF_MEMORY;
    }
    const WGPUTexelCopyTextureInfo from = ag_texture_place(source, depth->base_mip, depth->base_layer);
    const WGPUTexelCopyTextureInfo to = {.texture = texture->gpu, .aspect = WGPUTextureAspect_All};
    const WGPUExtent3D extent = {desc.width, desc.height, 1};
    wgpuCommandEncoderCopyTextureToTexture(ag_recorder_encoder(drawer->recorder), &from, &to, &extent);
    ag_recorder_mark_used(drawer->recorder, &texture->resource);
    *copy = texture;
    return AG_DONE;
}

/* ---- Viewport and scissor ----------------------------------------------------------------------------- */

static float clamp01(float value)
{
    return value > 0 ? (value < 1 ? value : 1) : 0; /* a NaN becomes 0 */
}

static void effective_viewport(const struct ag_context *context, uint32_t index, uint32_t width,
                               uint32_t height, struct ag_viewport *viewport)
{
    const struct ag_viewport whole = {0, 0, (float)width, (float)height, 0, 1}, none = {0};
    *viewport = index < context->viewport_count          ? context->viewports[index]
                : index == 0 && !context->viewport_count ? whole
                                                         : none;
    if (!isfinite(viewport->x) || !isfinite(viewport->y) || !isfinite(viewport->width) ||
        !isfinite(viewport->height) || viewport->width < 0 || viewport->height < 0) {
        float min_depth = viewport->min_depth, max_depth = viewport->max_depth;
        *viewport = whole;
        viewport->min_depth = min_depth;
        viewport->max_depth = max_depth;
    }
    viewport->min_depth = clamp01(viewport->min_depth);
    viewport->max_depth = clamp01(viewport->max_depth);
    if (viewport->min_depth > viewport->max_depth) {
        float depth = viewport->min_depth;
        viewport->min_depth = viewport->max_depth;
        viewport->max_depth = depth;
    }
}

/* Cuts a viewport that exceeds WebGPU's bounds, which are near Direct3D's, to the target. */
static void bound_viewport(struct ag_viewport *viewport, uint32_t width, uint32_t height, uint32_t max_size)
{
    float limit = (float)max_size;
    if (viewport->width <= limit && viewport->height <= limit && viewport->x >= -2 * limit &&
        viewport->y >= -2 * limit && viewport->x + viewport->width <= 2 * limit - 1 &&
        viewport->y + viewport->height <= 2 * limit - 1)
        return;
    float right = fminf(viewport->x + viewport->width, (float)width);
    float bottom = fminf(viewport->y + viewport->height, (float)height);
    viewport->x = fmaxf(viewport->x, 0);
    viewport->y = fmaxf(viewport->y, 0);
    viewport->width = right - viewport->x;
    viewport->height = bottom - viewport->y;
}

/* Cuts [*begin, *end) to [low, high). */
static void cut(int64_t *begin, int64_t *end, int64_t low, int64_t high)
{
    if (*begin < low)
        *begin = low;
    if (*end > high)
        *end = high;
}

bool ag_raster_scissor_init(const struct ag_context *context, uint32_t index, uint32_t width, uint32_t height,
                            struct ag_raster_area *area)
{
    int64_t left = 0, top = 0, right = width, bottom = height;
    if (context->rasterizer.scissor && context->scissor_count) {
        const struct ag_scissor none = {0};
        const struct ag_scissor *scissor = index < context->scissor_count ? &context->scissors[index] : &none;
        cut(&left, &right, scissor->left, scissor->right);
        cut(&top, &bottom, scissor->top, scissor->bottom);
    }
    if (left >= right || top >= bottom)
        return false;
    area->scissor[0] = (uint32_t)left;
    area->scissor[1] = (uint32_t)top;
    area->scissor[2] = (uint32_t)(right - left);
    area->scissor[3] = (uint32_t)(bottom - top);
    return true;
}

bool ag_raster_area_init(const struct ag_context *context, uint32_t index, uint32_t width, uint32_t height,
                         uint32_t max_size, struct ag_raster_area *area)
{
    struct ag_viewport *viewport = &area->viewport;
    effective_viewport(context, index, width, height, viewport);
    if (viewport->width == 0 || viewport->height == 0 || viewport->x >= (float)width ||
        viewport->y >= (float)height || viewport->x + viewport->width <= 0 ||
        viewport->y + viewport->height <= 0)
        return false;
    bound_viewport(viewport, width, height, max_size);
    return ag_raster_scissor_init(context, index, width, height, area);
}
