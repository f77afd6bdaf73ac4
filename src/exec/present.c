/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/bytes.h"
#include "exec/copy.h"
#include "exec/exec.h"

/* Null when there is nothing to show. */
static struct ag_texture_view *first_target(struct ag_exec *exec, bool *failed)
{
    struct ag_context *context = exec->context;
    for (uint32_t i = 0; i < context->target_count; i++) {
        struct ag_target_slot *slot = &context->targets[i];
        if (slot->handle == 0)
            continue;
        if (!slot->view)
            slot->view = ag_handle_view(exec, slot->handle);
        if (slot->view)
            return slot->view;
        ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "a present of handle %" PRIu32 ", which names no texture",
                     slot->handle);
        *failed = true;
        return NULL;
    }
    ag_exec_report(exec, AGPU_DIAG_EXEC_ARGUMENT, AGPU_WARNING,
                   "a present without a colour target shows nothing");
    return NULL;
}

/* What the texels mean to a display, which knows of a bias that no view has. */
static const struct ag_host_format *shown_format(const struct ag_texture *texture)
{
    return ag_host_format_is_biased(texture->dxgi) ? ag_host_format(texture->dxgi) : texture->format;
}

static bool is_shown(const struct ag_host_format *format)
{
    const uint8_t texel[8] = {0};
    uint8_t rgba[4];
    return ag_host_format_display_row(format, texel, rgba, 1);
}

static enum agpu_status read_target(struct ag_exec *exec, struct ag_texture_view *view, uint32_t scanout_id,
                                    uint32_t flags)
{
    struct ag_texture *texture = view->texture;
    WGPUExtent3D extent = ag_view_extent(view);
    extent.depthOrArrayLayers = 1;
    uint64_t pitch = ag_align_up((uint64_t)extent.width * texture->format->host_bytes, 256);
    if (!ag_texture_use(exec, texture))
        return AGPU_REFUSED;
    struct ag_transfer *transfer = ag_job_add_transfer(exec, AG_TRANSFER_PRESENT, pitch * extent.height);
    if (!transfer)
        return AGPU_NO_MEMORY;
    transfer->format = shown_format(texture);
    transfer->width = extent.width;
    transfer->height = extent.height;
    transfer->host_pitch = (uint32_t)pitch;
    transfer->scanout_id = scanout_id;
    transfer->present_flags = flags;
    transfer->abi_format = texture->abi_format;
    const WGPUTexelCopyTextureInfo from = {
        .texture = texture->gpu,
        .mipLevel = view->base_mip,
        .origin = {0, 0, view->base_layer},
        .aspect = WGPUTextureAspect_All,
    };
    const WGPUTexelCopyBufferInfo to = {
        .buffer = ag_readback_buffer(transfer->readback),
        .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = extent.height},
    };
    wgpuCommandEncoderCopyTextureToBuffer(ag_exec_encoder(exec), &from, &to, &extent);
    exec->counts.presents++;
    return AGPU_OK;
}

enum agpu_status ag_present(struct ag_exec *exec, uint32_t scanout_id, uint32_t flags)
{
    bool failed = false;
    enum agpu_status status = AGPU_OK;
    struct ag_texture_view *view = first_target(exec, &failed);
    if (failed)
        return AGPU_REFUSED;
    if (view && !is_shown(shown_format(view->texture))) {
        ag_exec_report(exec, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR, "a %s texture cannot be shown",
                       view->texture->format->name);
        view = NULL;
    }
    if (view && view->texture->sample_count > 1) {
        ag_exec_report(exec, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR,
                       "a multisampled texture cannot be shown before it is resolved");
        view = NULL;
    }
    if (view)
        status = read_target(exec, view, scanout_id, flags);
    ag_exec_flush(exec);
    return status;
}
