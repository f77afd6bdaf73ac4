/* SPDX-License-Identifier: MIT
 *
 * Logic operations read what their target holds. WebGPU cannot, so pixel shaders read a copy (decision X25).
 */
#include "exec/draw.h"
#include "exec/exec.h"
#include "wgsl/options.h"

static bool is_read(const struct ag_texture_view *view)
{
    return view && view->format->class == AG_CLASS_UINT;
}

bool ag_destinations_read(const struct ag_context *context, const struct ag_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (is_read(attachments->colors[i]) &&
            ag_logic_reads(ag_blend_logic(ag_blend_target_of(&context->blend, i))))
            return true;
    return false;
}

static void release(struct ag_exec *exec, struct ag_destination *copy)
{
    if (!copy->gpu)
        return;
    ag_bind_forget(exec, copy->id);
    wgpuTextureViewRelease(copy->view);
    wgpuTextureRelease(copy->gpu);
    *copy = (struct ag_destination){0};
}

static void reserve(struct ag_exec *exec, struct ag_destination *copy, const struct ag_texture_view *view)
{
    const WGPUTextureFormat format = view->format->texture;
    const WGPUExtent3D extent = ag_view_extent(view);
    if (copy->gpu && copy->format == format && copy->width == extent.width && copy->height == extent.height)
        return;
    release(exec, copy);
    const WGPUTextureDescriptor descriptor = {
        .usage = WGPUTextureUsage_TextureBinding | WGPUTextureUsage_CopyDst,
        .dimension = WGPUTextureDimension_2D,
        .size = {extent.width, extent.height, 1},
        .format = format,
        .mipLevelCount = 1,
        .sampleCount = 1,
    };
    copy->gpu = wgpuDeviceCreateTexture(exec->device, &descriptor);
    copy->view = wgpuTextureCreateView(copy->gpu, NULL);
    copy->id = ag_exec_id(exec);
    copy->format = format;
    copy->width = extent.width;
    copy->height = extent.height;
}

bool ag_destinations_reserve(struct ag_exec *exec, const struct ag_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        if (!is_read(attachments->colors[i]))
            continue;
        if (attachments->colors[i]->texture->sample_count > 1) {
            ag_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                                 "a logic operation that reads a multisampled target is not supported");
            return false;
        }
        reserve(exec, &exec->destinations[i], attachments->colors[i]);
    }
    return true;
}

void ag_destinations_copy(struct ag_exec *exec, const struct ag_attachments *attachments,
                          const uint32_t rectangle[4])
{
    const WGPUExtent3D extent = {rectangle[2], rectangle[3], 1};
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        const struct ag_texture_view *view = attachments->colors[i];
        if (!is_read(view))
            continue;
        ag_pass_settle(exec, view->texture); /* clears that wait, and the open pass */
        WGPUTexelCopyTextureInfo from = ag_view_place(view);
        from.origin.x = rectangle[0];
        from.origin.y = rectangle[1];
        const WGPUTexelCopyTextureInfo to = {
            .texture = exec->destinations[i].gpu,
            .origin = {rectangle[0], rectangle[1], 0},
            .aspect = WGPUTextureAspect_All,
        };
        wgpuCommandEncoderCopyTextureToTexture(ag_exec_encoder(exec), &from, &to, &extent);
        ag_exec_mark_used(exec, &view->texture->resource);
    }
}

WGPUTextureView ag_destination_view(const struct ag_exec *exec, uint32_t index, uint64_t *id)
{
    *id = exec->destinations[index].id;
    return exec->destinations[index].view;
}

void ag_destinations_clear(struct ag_exec *exec)
{
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        release(exec, &exec->destinations[i]);
}
