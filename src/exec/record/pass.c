/* SPDX-License-Identifier: MIT */
#include "exec/record/pass.h"

#include <stddef.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/translate.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/attachment_resizing.h"
#include "exec/record/encoder.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"
#include "exec/record/sample_planes.h"
#include "exec/record/target_range.h"
#include "exec/record/throttle.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

/* ---- Pending clears ----------------------------------------------------------------------------------- */

static void remove_pending(struct ag_pass *pass, uint32_t index)
{
    memmove(&pass->pending[index], &pass->pending[index + 1],
            (pass->pending_count - index - 1) * sizeof pass->pending[0]);
    pass->pending_count--;
}

static struct ag_pending_clear *find_pending(struct ag_pass *pass, const struct ag_texture_view *view,
                                             uint32_t mip, uint32_t layer)
{
    for (uint32_t i = 0; i < pass->pending_count; i++) {
        struct ag_pending_clear *clear = &pass->pending[i];
        if (clear->view->texture == view->texture && clear->view->format == view->format &&
            clear->mip == mip && clear->layer == layer)
            return clear;
    }
    return NULL;
}

static WGPURenderPassDepthStencilAttachment depth_attachment(WGPUTextureView gpu,
                                                             const struct ag_host_format *format,
                                                             uint32_t flags,
                                                             const struct ag_pending_clear *clear)
{
    uint32_t aspects = clear ? clear->aspects : 0;
    WGPURenderPassDepthStencilAttachment attachment = {
        .view = gpu,
        .depthReadOnly = (flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH) != 0,
        .stencilReadOnly = (flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL) != 0,
    };
    if (ag_host_format_has(format, AG_FORMAT_DEPTH) && !attachment.depthReadOnly) {
        attachment.depthLoadOp = aspects & AG_CLEAR_ASPECT_DEPTH ? WGPULoadOp_Clear : WGPULoadOp_Load;
        attachment.depthStoreOp = WGPUStoreOp_Store;
        attachment.depthClearValue = clear ? clear->depth : 0;
    }
    if (ag_host_format_has(format, AG_FORMAT_STENCIL) && !attachment.stencilReadOnly) {
        attachment.stencilLoadOp = aspects & AG_CLEAR_ASPECT_STENCIL ? WGPULoadOp_Clear : WGPULoadOp_Load;
        attachment.stencilStoreOp = WGPUStoreOp_Store;
        attachment.stencilClearValue = clear ? clear->stencil : 0;
    }
    return attachment;
}

/* WebGPU's depthSlice of an attachment. */
static uint32_t slice_of(const struct ag_texture_view *view, uint32_t layer)
{
    return view->texture->dimension == AG_TEXTURE_3D ? layer : WGPU_DEPTH_SLICE_UNDEFINED;
}

/* An attachment of a layer of the view, or of one plane of the samples there. */
static WGPURenderPassColorAttachment color_attachment(const struct ag_texture_view *view, WGPUTextureView gpu,
                                                      uint32_t layer, const struct ag_pending_clear *clear,
                                                      uint32_t plane)
{
    return (WGPURenderPassColorAttachment){
        .view = gpu,
        .depthSlice = slice_of(view, layer),
        .loadOp = clear ? WGPULoadOp_Clear : WGPULoadOp_Load,
        .storeOp = WGPUStoreOp_Store,
        .clearValue = clear ? ag_plane_color(view, &clear->color, plane) : (WGPUColor){0, 0, 0, 0},
    };
}

/* Records a render pass of its own for a clear. */
static void perform(struct ag_recorder *recorder, const struct ag_pending_clear *clear)
{
    const uint32_t planes = clear->view->texture->planes.count;
    WGPUTextureView gpu[AG_MAX_SAMPLE_PLANES] = {ag_view_subresource(clear->view, clear->mip, clear->layer)};
    WGPURenderPassDescriptor descriptor = {.label = ag_webgpu_string("clear")};
    WGPURenderPassColorAttachment colors[AG_MAX_SAMPLE_PLANES];
    WGPURenderPassDepthStencilAttachment depth;
    for (uint32_t i = 1; i < planes; i++)
        gpu[i] = ag_view_samples_of_plane(clear->view, clear->layer, i);
    if (clear->aspects & AG_CLEAR_ASPECT_COLOR) {
        descriptor.colorAttachmentCount = planes ? planes : 1;
        descriptor.colorAttachments = colors;
        for (size_t i = 0; i < descriptor.colorAttachmentCount; i++)
            colors[i] = color_attachment(clear->view, gpu[i], clear->layer, clear, (uint32_t)i);
    } else {
        depth = depth_attachment(gpu[0], clear->view->format, 0, clear);
        descriptor.depthStencilAttachment = &depth;
    }
    WGPURenderPassEncoder encoder =
        wgpuCommandEncoderBeginRenderPass(ag_recorder_encoder(recorder), &descriptor);
    wgpuRenderPassEncoderEnd(encoder);
    wgpuRenderPassEncoderRelease(encoder);
    for (uint32_t i = 0; i < AG_MAX_SAMPLE_PLANES && gpu[i]; i++)
        wgpuTextureViewRelease(gpu[i]);
    ag_recorder_mark_used(recorder, &clear->view->texture->resource);
    recorder->host->counts.render_passes++;
    ag_throttle_add_pass(recorder, ag_texture_subresources(clear->view->texture));
}

static bool is_depth_of(const struct ag_pass *pass, const struct ag_texture *texture)
{
    return pass->encoder && pass->attachments.depth && pass->attachments.depth->texture == texture;
}

/* Whether the open pass writes to the texture, and not merely has it as a read-only depth target. */
static bool renders_to(const struct ag_pass *pass, const struct ag_texture *texture)
{
    if (!pass->encoder)
        return false;
    if (is_depth_of(pass, texture))
        return !ag_view_is_read_only(pass->attachments.depth);
    for (uint32_t i = 0; i < pass->attachments.color_count; i++)
        if (pass->attachments.colors[i] && pass->attachments.colors[i]->texture == texture)
            return true;
    return false;
}

void ag_pass_clear(struct ag_recorder *recorder, const struct ag_pending_clear *value)
{
    struct ag_pass *pass = &recorder->pass;
    if (renders_to(pass, value->view->texture) || is_depth_of(pass, value->view->texture))
        ag_pass_end(recorder);
    struct ag_pending_clear *clear = find_pending(pass, value->view, value->mip, value->layer);
    if (!clear) {
        /* Pending clears of one subresource through views in different formats would have to keep their
         * order. */
        for (uint32_t i = pass->pending_count; i-- > 0;) {
            const struct ag_pending_clear other = pass->pending[i];
            if (other.view->texture != value->view->texture || other.mip != value->mip ||
                other.layer != value->layer)
                continue;
            remove_pending(pass, i);
            perform(recorder, &other);
        }
        if (pass->pending_count == AG_MAX_PENDING_CLEARS) {
            const struct ag_pending_clear oldest = pass->pending[0];
            remove_pending(pass, 0);
            perform(recorder, &oldest);
        }
        clear = &pass->pending[pass->pending_count++];
        *clear = *value;
        ag_view_written_at(value->view, value->mip, value->layer);
        return;
    }
    clear->aspects |= value->aspects;
    if (value->aspects & AG_CLEAR_ASPECT_COLOR)
        clear->color = value->color;
    if (value->aspects & AG_CLEAR_ASPECT_DEPTH)
        clear->depth = value->depth;
    if (value->aspects & AG_CLEAR_ASPECT_STENCIL)
        clear->stencil = value->stencil;
    ag_view_written_at(value->view, value->mip, value->layer);
}

void ag_pass_settle(struct ag_recorder *recorder, const struct ag_texture *texture)
{
    struct ag_pass *pass = &recorder->pass;
    if (renders_to(pass, texture))
        ag_pass_end(recorder);
    for (uint32_t i = 0; i < pass->pending_count;) {
        const struct ag_pending_clear clear = pass->pending[i];
        if (clear.view->texture != texture) {
            i++;
            continue;
        }
        remove_pending(pass, i);
        perform(recorder, &clear);
    }
}

void ag_pass_settle_all(struct ag_recorder *recorder)
{
    while (recorder->pass.pending_count)
        ag_pass_settle(recorder, recorder->pass.pending[0].view->texture);
}

void ag_pass_forget_view(struct ag_recorder *recorder, const struct ag_texture_view *view)
{
    struct ag_pass *pass = &recorder->pass;
    bool whole = view == &view->texture->whole;
    if (pass->encoder) {
        bool used = pass->attachments.depth == view;
        for (uint32_t i = 0; i < pass->attachments.color_count; i++)
            used |= pass->attachments.colors[i] == view;
        if (used)
            ag_pass_end(recorder);
    }
    for (uint32_t i = pass->pending_count; i-- > 0;) {
        if (pass->pending[i].view != view)
            continue;
        if (whole) { /* the texture is about to be destroyed */
            remove_pending(pass, i);
        } else {
            const struct ag_pending_clear clear = pass->pending[i];
            remove_pending(pass, i);
            perform(recorder, &clear);
        }
    }
}

/* A new pass begins without pipeline, bind groups and buffers, and with WebGPU's initial dynamic state.
 * Pending clears stay. */
static void begin_state(struct ag_pass *pass, const struct ag_attachments *attachments, bool is_resized)
{
    memset(pass, 0, offsetof(struct ag_pass, pending));
    memcpy(&pass->attachments, attachments, sizeof *attachments);
    if (is_resized) /* no draw is visible in nothing, which is what stays noted */
        return;
    pass->viewport[2] = (float)attachments->width;
    pass->viewport[3] = (float)attachments->height;
    pass->viewport[5] = 1;
    pass->scissor[2] = attachments->width;
    pass->scissor[3] = attachments->height;
}

/* ---- Passes ------------------------------------------------------------------------------------------- */

static bool same_attachments(const struct ag_attachments *a, const struct ag_attachments *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Takes the pending clear that becomes the load operation of an attachment. Other pending clears of the
 * texture are performed. */
static bool take_pending(struct ag_recorder *recorder, struct ag_texture_view *view,
                         struct ag_pending_clear *taken)
{
    struct ag_pass *pass = &recorder->pass;
    struct ag_pending_clear *clear = find_pending(pass, view, view->base_mip, view->base_layer);
    bool found = clear != NULL;
    if (found) {
        *taken = *clear;
        remove_pending(pass, (uint32_t)(clear - pass->pending));
    }
    ag_pass_settle(recorder, view->texture);
    return found;
}

/* The colour attachments of a pass, with pending clears as load operations. Returns how many there are. */
static uint32_t begin_colors(struct ag_recorder *recorder, const struct ag_attachments *attachments,
                             const struct ag_resized_attachment resized[AGPU_MAX_RENDER_TARGETS],
                             WGPURenderPassColorAttachment colors[AGPU_MAX_RENDER_TARGETS])
{
    uint8_t first[AGPU_MAX_RENDER_TARGETS];
    const uint32_t count = ag_attachments_locate(attachments, first);
    for (uint32_t i = 0; i < count; i++)
        colors[i] = (WGPURenderPassColorAttachment){.depthSlice = WGPU_DEPTH_SLICE_UNDEFINED};
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        struct ag_texture_view *view = attachments->colors[i];
        struct ag_pending_clear taken;
        if (!view)
            continue;
        const struct ag_pending_clear *clear = take_pending(recorder, view, &taken) ? &taken : NULL;
        if (resized[i].texture) {
            colors[first[i]] = color_attachment(view, resized[i].view, view->base_layer, clear, 0);
            colors[first[i]].depthSlice = WGPU_DEPTH_SLICE_UNDEFINED;
        }
        for (uint32_t plane = 0; !resized[i].texture && plane < ag_texture_plane_count(view->texture);
             plane++)
            colors[first[i] + plane] = color_attachment(
                view, ag_view_of_plane(recorder->objects, view, plane), view->base_layer, clear, plane);
        ag_recorder_mark_used(recorder, &view->texture->resource);
    }
    return count;
}

/* Without the attachments behind the last one that is there. */
static size_t counted_colors(const WGPURenderPassDescriptor *descriptor)
{
    size_t count = descriptor->colorAttachmentCount;
    while (count && !descriptor->colorAttachments[count - 1].view)
        count--;
    return count;
}

static uint64_t subresources_of(const struct ag_attachments *attachments)
{
    uint64_t count = attachments->depth ? ag_texture_subresources(attachments->depth->texture) : 0;
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (attachments->colors[i])
            count += ag_texture_subresources(attachments->colors[i]->texture);
    return count;
}

WGPURenderPassEncoder ag_pass_begin(struct ag_recorder *recorder, const struct ag_attachments *attachments)
{
    struct ag_pass *pass = &recorder->pass;
    struct ag_resized_attachment resized[AGPU_MAX_RENDER_TARGETS] = {0};
    WGPURenderPassColorAttachment colors[AGPU_MAX_RENDER_TARGETS];
    WGPURenderPassDepthStencilAttachment depth;
    struct ag_pending_clear clear;
    if (pass->encoder && same_attachments(&pass->attachments, attachments) && !attachments->exceeds_each &&
        ag_queries_fit_pass(recorder, attachments)) {
        ag_queries_sample(recorder, pass->encoder, attachments);
        return pass->encoder;
    }
    ag_pass_end(recorder);
    const bool is_resized = ag_attachments_need_resizing(attachments);
    if (is_resized) {
        for (uint32_t i = 0; i < attachments->color_count; i++)
            if (attachments->colors[i])
                ag_pass_settle(recorder, attachments->colors[i]->texture);
        ag_resized_attachments_begin(recorder, attachments, resized);
    }
    WGPURenderPassDescriptor descriptor = {
        .label = ag_webgpu_string("draws"),
        .colorAttachmentCount = begin_colors(recorder, attachments, resized, colors),
        .colorAttachments = colors,
    };
    if (attachments->depth) {
        struct ag_texture_view *view = attachments->depth;
        bool cleared = false;
        if (view->flags) /* a read-only aspect has no load operation */
            ag_pass_settle(recorder, view->texture);
        else
            cleared = take_pending(recorder, view, &clear);
        depth =
            depth_attachment(ag_view_of_dimension(recorder->objects, view, AG_VIEW_DIMENSION_TARGET, NULL),
                             view->format, view->flags, cleared ? &clear : NULL);
        descriptor.depthStencilAttachment = &depth;
        ag_recorder_mark_used(recorder, &attachments->depth->texture->resource);
    }
    descriptor.occlusionQuerySet = ag_queries_pass_set(recorder, attachments);
    ag_recorder_note_colors(recorder, counted_colors(&descriptor));
    const bool has_front = ag_recorder_split(recorder);
    WGPURenderPassEncoder encoder = wgpuCommandEncoderBeginRenderPass(recorder->encoder, &descriptor);
    begin_state(pass, attachments, is_resized);
    recorder->pass_number++;
    pass->first_draw = recorder->draw_number;
    pass->has_front = has_front;
    memcpy(pass->resized, resized, sizeof resized);
    pass->encoder = encoder;
    recorder->host->counts.render_passes++;
    ag_throttle_add_pass(recorder, subresources_of(attachments));
    ag_queries_sample(recorder, encoder, attachments);
    return encoder;
}

void ag_pass_end(struct ag_recorder *recorder)
{
    struct ag_pass *pass = &recorder->pass;
    if (!pass->encoder)
        return;
    if (recorder->pass_ends)
        recorder->pass_ends(recorder->pass_ends_user);
    ag_queries_stop_sampling(recorder, pass->encoder);
    wgpuRenderPassEncoderEnd(pass->encoder);
    wgpuRenderPassEncoderRelease(pass->encoder);
    pass->encoder = NULL;
    ag_resized_attachments_end(recorder, &pass->attachments, pass->resized);
    if (pass->attachments.exceeds_most | pass->attachments.exceeds_least)
        ag_target_ranges_clamp(recorder, &pass->attachments);
}
