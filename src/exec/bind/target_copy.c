/* SPDX-License-Identifier: MIT */
#include "exec/bind/target_copy.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/state/state.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "wgsl/options.h"

static bool is_read(const struct ag_texture_view *view)
{
    return view && view->format->class == AG_CLASS_UINT;
}

bool ag_target_copies_needed(const struct ag_context *context, const struct ag_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (is_read(attachments->colors[i]) &&
            ag_logic_reads(ag_blend_logic(ag_blend_target_of(&context->blend, i))))
            return true;
    return false;
}

static void release(struct ag_binder *binder, struct ag_target_copy *copy)
{
    if (!copy->gpu)
        return;
    ag_bind_groups_forget(binder->recorder, copy->id);
    ag_host_release_view(binder->host, copy->view);
    wgpuTextureRelease(copy->gpu);
    *copy = (struct ag_target_copy){0};
}

static void reserve(struct ag_binder *binder, struct ag_target_copy *copy, const struct ag_texture_view *view)
{
    const WGPUTextureFormat format = view->format->texture;
    const WGPUExtent3D extent = ag_view_extent(view);
    if (copy->gpu && copy->format == format && copy->width == extent.width && copy->height == extent.height)
        return;
    release(binder, copy);
    struct ag_label label;
    ag_label_format(&label, "copy of texture %" PRIu32, view->texture->resource.handle);
    const WGPUTextureDescriptor descriptor = {
        .label = ag_webgpu_string(label.text),
        .usage = WGPUTextureUsage_TextureBinding | WGPUTextureUsage_CopyDst,
        .dimension = WGPUTextureDimension_2D,
        .size = {extent.width, extent.height, 1},
        .format = format,
        .mipLevelCount = 1,
        .sampleCount = 1,
    };
    copy->gpu = wgpuDeviceCreateTexture(ag_gpu_maker(binder->host->gpu), &descriptor);
    const WGPUTextureViewDescriptor whole = {.label = ag_webgpu_string(label.text),
                                             .mipLevelCount = 1,
                                             .arrayLayerCount = 1,
                                             .aspect = WGPUTextureAspect_All};
    copy->view = wgpuTextureCreateView(copy->gpu, &whole);
    copy->id = ag_host_id(binder->host);
    copy->format = format;
    copy->width = extent.width;
    copy->height = extent.height;
}

enum ag_outcome ag_target_copies_reserve(struct ag_binder *binder, const struct ag_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        if (!is_read(attachments->colors[i]))
            continue;
        if (attachments->colors[i]->texture->sample_count > 1)
            return ag_host_skip_refused(
                binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                "a logic operation that reads a multisampled target is not supported");
        reserve(binder, &binder->target_copies[i], attachments->colors[i]);
    }
    return AG_DONE;
}

void ag_target_copies_record(struct ag_binder *binder, const struct ag_attachments *attachments,
                             const uint32_t rectangle[4])
{
    const WGPUExtent3D extent = {rectangle[2], rectangle[3], 1};
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        const struct ag_texture_view *view = attachments->colors[i];
        if (!is_read(view))
            continue;
        ag_pass_settle(binder->recorder, view->texture); /* performs pending clears and ends the open pass */
        WGPUTexelCopyTextureInfo from = ag_view_place(view);
        from.origin.x = rectangle[0];
        from.origin.y = rectangle[1];
        const WGPUTexelCopyTextureInfo to = {
            .texture = binder->target_copies[i].gpu,
            .origin = {rectangle[0], rectangle[1], 0},
            .aspect = WGPUTextureAspect_All,
        };
        wgpuCommandEncoderCopyTextureToTexture(ag_recorder_encoder(binder->recorder), &from, &to, &extent);
        ag_recorder_mark_used(binder->recorder, &view->texture->resource);
    }
}

WGPUTextureView ag_target_copy_view(const struct ag_binder *binder, uint32_t index, uint64_t *id)
{
    *id = binder->target_copies[index].id;
    return binder->target_copies[index].view;
}

void ag_target_copies_clear(struct ag_binder *binder)
{
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        release(binder, &binder->target_copies[i]);
}
