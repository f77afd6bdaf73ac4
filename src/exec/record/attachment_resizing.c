/* SPDX-License-Identifier: MIT */
#include "exec/record/attachment_resizing.h"

#include <inttypes.h>

#include "aerogpu/translate.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/object/view.h"
#include "exec/record/encoder.h"
#include "exec/record/recorder.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

bool ag_attachments_need_resizing(const struct ag_attachments *attachments)
{
    if (!attachments->color_count || !attachments->depth)
        return false;
    const WGPUExtent3D depth = ag_view_extent(attachments->depth);
    return depth.width != attachments->width || depth.height != attachments->height;
}

static void create(struct ag_recorder *recorder, const struct ag_texture_view *target,
                   const struct ag_texture_view *depth, struct ag_resized_attachment *resized)
{
    const WGPUExtent3D extent = ag_view_extent(depth);
    struct ag_label label;
    ag_label_format(&label, "resized texture %" PRIu32, target->texture->resource.handle);
    const WGPUTextureDescriptor descriptor = {
        .label = ag_webgpu_string(label.text),
        .usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst | WGPUTextureUsage_RenderAttachment,
        .dimension = WGPUTextureDimension_2D,
        .size = {extent.width, extent.height, 1},
        .format = (target->cast ? target->cast->format : target->texture->format)->texture,
        .mipLevelCount = 1,
        .sampleCount = 1,
        .viewFormatCount = 1,
        .viewFormats = &target->format->texture,
    };
    const WGPUTextureViewDescriptor view = {
        .label = ag_webgpu_string(label.text),
        .format = target->format->texture,
        .dimension = WGPUTextureViewDimension_2D,
        .mipLevelCount = 1,
        .arrayLayerCount = 1,
        .aspect = WGPUTextureAspect_All,
    };
    resized->texture = wgpuDeviceCreateTexture(ag_gpu_maker(recorder->host->gpu), &descriptor);
    resized->view = wgpuTextureCreateView(resized->texture, &view);
}

static void copy(struct ag_recorder *recorder, const struct ag_attachments *attachments,
                 const struct ag_texture_view *target, const struct ag_resized_attachment *resized, bool back)
{
    const WGPUExtent3D extent = {attachments->width, attachments->height, 1};
    const WGPUTexelCopyTextureInfo own = ag_view_place(target);
    const WGPUTexelCopyTextureInfo other = {.texture = resized->texture, .aspect = WGPUTextureAspect_All};
    wgpuCommandEncoderCopyTextureToTexture(ag_recorder_encoder(recorder), back ? &other : &own,
                                           back ? &own : &other, &extent);
}

void ag_resized_attachments_begin(struct ag_recorder *recorder, const struct ag_attachments *attachments,
                                  struct ag_resized_attachment resized[AGPU_MAX_RENDER_TARGETS])
{
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        if (!attachments->colors[i])
            continue;
        create(recorder, attachments->colors[i], attachments->depth, &resized[i]);
        copy(recorder, attachments, attachments->colors[i], &resized[i], false);
    }
}

void ag_resized_attachments_end(struct ag_recorder *recorder, const struct ag_attachments *attachments,
                                struct ag_resized_attachment resized[AGPU_MAX_RENDER_TARGETS])
{
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        if (!resized[i].texture)
            continue;
        copy(recorder, attachments, attachments->colors[i], &resized[i], true);
        wgpuTextureViewRelease(resized[i].view);
        wgpuTextureRelease(resized[i].texture);
        resized[i] = (struct ag_resized_attachment){0};
    }
}
