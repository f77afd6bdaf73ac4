/* SPDX-License-Identifier: MIT
 *
 * The extension's clears of views: ClearRenderTargetView, ClearDepthStencilView, ClearUnorderedAccessView and
 * ClearView.
 */
#include <inttypes.h>
#include <math.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/blit/texels.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/record/flush.h"
#include "exec/record/throttle.h"
#include "exec/state/rect.h"
#include "exec/transfer/clear.h"
#include "exec/transfer/clear_rects.h"
#include "exec/transfer/texture_pull.h"
#include "format/format.h"
#include "gpu/webgpu.h"

/* The rectangles that follow the packet's structure. */
static const struct aerogpu_ext_rect *rects_of(const struct agpu_packet *packet, uint32_t count)
{
    return count ? agpu_packet_element(packet, 0) : NULL;
}

enum agpu_status ag_on_ext_clear_render_target_view(struct ag_execution *execution,
                                                    const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_clear_render_target_view *wire =
        AGPU_PACKET(packet, ext_clear_render_target_view);
    struct ag_view *view;
    if (!ag_handle_view_of_kind(execution->objects, wire->view_handle, AEROGPU_EXT_VIEW_RENDER_TARGET, false,
                                &view))
        return AGPU_REFUSED;
    if (!view)
        return AGPU_OK;
    execution->host->counts.clears += ag_progress_is_new(&execution->progress);
    return ag_clear_color(execution->copier, &view->texture, wire->color_rgba_f32,
                          rects_of(packet, wire->rect_count), wire->rect_count, &execution->progress);
}

enum agpu_status ag_on_ext_clear_depth_stencil_view(struct ag_execution *execution,
                                                    const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_clear_depth_stencil_view *wire =
        AGPU_PACKET(packet, ext_clear_depth_stencil_view);
    struct ag_view *view;
    if (!ag_handle_view_of_kind(execution->objects, wire->view_handle, AEROGPU_EXT_VIEW_DEPTH_STENCIL, false,
                                &view))
        return AGPU_REFUSED;
    const uint32_t known = AEROGPU_EXT_CLEAR_DEPTH | AEROGPU_EXT_CLEAR_STENCIL;
    if (!view)
        return AGPU_OK;
    if (wire->flags & ~known || !wire->flags)
        ag_host_warn(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "0x%" PRIx32 " are no clear flags",
                     wire->flags);
    const uint32_t read_only =
        (view->texture.flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH ? AEROGPU_EXT_CLEAR_DEPTH : 0u) |
        (view->texture.flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL ? AEROGPU_EXT_CLEAR_STENCIL : 0u);
    const uint32_t cleared = wire->flags & known & ~read_only;
    if (wire->flags & read_only)
        ag_host_warn(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                     "what a view only reads is not cleared through it");
    if (!cleared)
        return AGPU_OK;
    execution->host->counts.clears += ag_progress_is_new(&execution->progress);
    const struct ag_depth_clear clear = {
        .depth = (cleared & AEROGPU_EXT_CLEAR_DEPTH) != 0,
        .stencil = (cleared & AEROGPU_EXT_CLEAR_STENCIL) != 0,
        .depth_bits = wire->depth_f32,
        .stencil_value = wire->stencil,
    };
    return ag_clear_depth_stencil(execution->copier, &view->texture, &clear,
                                  rects_of(packet, wire->rect_count), wire->rect_count, &execution->progress);
}

/* ---- Unordered access views --------------------------------------------------------------------------- */

/* ClearView gives floats also for integer formats: their whole part, NaN is 0 (D3D11.3 5.2.3.3). */
static uint32_t integer_of(uint32_t bits, bool is_signed)
{
    const double value = trunc((double)ag_float_from_bits(bits));
    const double least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    const double bounded = isnan(value) ? 0 : value < least ? least : value > most ? most : value;
    return is_signed ? (uint32_t)(int32_t)bounded : (uint32_t)bounded;
}

/* A rectangle of a structured buffer counts structures, and the clear counts words. */
static void to_words(const struct ag_view *view, struct ag_scissor *window)
{
    const int64_t words =
        view->resource->kind == AG_RESOURCE_BUFFER && !view->buffer.format ? view->buffer.stride / 4 : 1;
    window->left *= words;
    window->right *= words;
}

static bool fill_window(struct ag_execution *execution, struct ag_view *view,
                        const struct ag_texel_fill *fill, const struct ag_scissor *window)
{
    const bool buffer = view->resource->kind == AG_RESOURCE_BUFFER;
    const WGPUExtent3D extent = ag_texels_extent(view);
    /* Each goes through a copy of all texels of a texture. */
    ag_throttle_add_threads(execution->recorder, (uint64_t)(buffer ? view->buffer.count : extent.width) *
                                                     extent.height * extent.depthOrArrayLayers);
    return ag_view_contents_use(execution->copier, view) &&
           ag_texels_fill(execution->blitter, view, fill, window);
}

static enum agpu_status fill_rects(struct ag_execution *execution, struct ag_view *view,
                                   const struct ag_texel_fill *fill, const struct aerogpu_ext_rect *rects,
                                   uint32_t count)
{
    const WGPUExtent3D extent = ag_texels_extent(view);
    const bool buffer = view->resource->kind == AG_RESOURCE_BUFFER;
    const uint32_t width = buffer ? view->buffer.count : extent.width;
    struct ag_scissor window = {0, 0, extent.width, extent.height};
    if (!count && !fill_window(execution, view, fill, &window))
        return AGPU_REFUSED;
    const uint64_t done = execution->progress.done;
    for (uint64_t i = done; i < count; i++) {
        if (i == done + AG_PART_PASSES || (i > done && !ag_throttle_has_room(execution->recorder))) {
            ag_progress_pause(&execution->progress, i);
            return AGPU_OK;
        }
        ag_throttle_limit(execution->recorder);
        if (!ag_clear_window(&rects[i], width, extent.height, &window))
            continue;
        to_words(view, &window);
        if (!fill_window(execution, view, fill, &window))
            return AGPU_REFUSED;
    }
    return AGPU_OK;
}

enum agpu_status ag_on_ext_clear_unordered_access_view(struct ag_execution *execution,
                                                       const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_clear_unordered_access_view *wire =
        AGPU_PACKET(packet, ext_clear_unordered_access_view);
    struct ag_view *view;
    if (!ag_handle_view_of_kind(execution->objects, wire->view_handle, AEROGPU_EXT_VIEW_UNORDERED_ACCESS,
                                false, &view))
        return AGPU_REFUSED;
    if (!view)
        return AGPU_OK;
    const struct ag_host_format *format = ag_view_format(view);
    if (wire->is_float > 1 || (wire->is_float && !format))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "raw and structured views are cleared to words (is_float is %" PRIu32 ")",
                            wire->is_float);
    const bool integers = format && (format->class == AG_CLASS_UINT || format->class == AG_CLASS_SINT);
    if (wire->is_float && integers && !wire->rect_count) /* ClearView has rectangles */
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a view of integers is not cleared to floats");
    struct ag_texel_fill fill = {.bits = !wire->is_float};
    for (uint32_t i = 0; i < 4; i++)
        fill.values[i] = wire->is_float && integers
                             ? integer_of(wire->values[i], format->class == AG_CLASS_SINT)
                             : wire->values[i];
    execution->host->counts.clears += ag_progress_is_new(&execution->progress);
    return fill_rects(execution, view, &fill, rects_of(packet, wire->rect_count), wire->rect_count);
}
