/* SPDX-License-Identifier: MIT */
#include "exec/packet/present.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/record/encoder.h"
#include "exec/record/flush.h"
#include "exec/transfer/texture_pull.h"
#include "exec/transfer/write_back.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"
#include "gpu/webgpu.h"

/* The first colour target. Null when there is none to show. */
static struct ag_texture_view *find_target(struct ag_execution *execution)
{
    struct ag_context *context = execution->context;
    for (uint32_t i = 0; i < context->target_count; i++) {
        struct ag_target_slot *slot = &context->targets[i];
        if (slot->handle == 0)
            continue;
        if (!slot->view)
            slot->view = ag_handle_view(execution->objects, slot->handle);
        if (!slot->view)
            ag_host_warn_handle(execution->host, AG_SPACE_RESOURCES, slot->handle,
                                "a present of handle %" PRIu32 ", which names no texture, shows nothing",
                                slot->handle);
        return slot->view;
    }
    ag_host_warn(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a present without a colour target shows nothing");
    return NULL;
}

/* The format in which a display shows the texels. */
static const struct ag_host_format *shown_format(const struct ag_texture *texture)
{
    return ag_host_format_has(ag_host_format(texture->dxgi), AG_FORMAT_BIASED) ? ag_host_format(texture->dxgi)
                                                                               : texture->format;
}

static bool is_shown(const struct ag_host_format *format)
{
    const uint8_t texel[8] = {0};
    uint8_t rgba[4];
    return ag_host_format_display_row(format, texel, rgba, 1);
}

static enum agpu_status read_target(struct ag_execution *execution, struct ag_texture_view *view,
                                    uint32_t scanout_id, uint32_t flags)
{
    struct ag_texture *texture = view->texture;
    WGPUExtent3D extent = ag_view_extent(view);
    extent.depthOrArrayLayers = 1;
    uint64_t pitch = ag_align_up((uint64_t)extent.width * texture->format->host_bytes, 256);
    if (!ag_texture_use(execution->copier, texture))
        return AGPU_REFUSED;
    struct ag_write_back *write_back =
        ag_write_back_add(execution->copier, AG_WRITE_BACK_PRESENT, pitch * extent.height);
    if (!write_back)
        return AGPU_NO_MEMORY;
    write_back->format = shown_format(texture);
    write_back->width = extent.width;
    write_back->height = extent.height;
    write_back->host_pitch = (uint32_t)pitch;
    write_back->scanout_id = scanout_id;
    write_back->present_flags = flags;
    write_back->abi_format = texture->abi_format;
    const WGPUTexelCopyTextureInfo from = {
        .texture = texture->gpu,
        .mipLevel = view->base_mip,
        .origin = {0, 0, view->base_layer},
        .aspect = WGPUTextureAspect_All,
    };
    const WGPUTexelCopyBufferInfo to = {
        .buffer = ag_readback_buffer(write_back->readback),
        .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = extent.height},
    };
    ag_gpu_copy_to_buffer(execution->host->gpu, ag_recorder_encoder(execution->recorder), &from, &to,
                          &extent);
    execution->host->counts.presents++;
    return AGPU_OK;
}

enum agpu_status ag_present(struct ag_execution *execution, uint32_t scanout_id, uint32_t flags)
{
    enum agpu_status status = AGPU_OK;
    struct ag_texture_view *view = find_target(execution);
    if (view && !is_shown(shown_format(view->texture))) {
        ag_host_report(execution->host, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR,
                       "a %s texture cannot be shown", view->texture->format->name);
        view = NULL;
    }
    if (view && view->texture->sample_count > 1) {
        ag_host_report(execution->host, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR,
                       "a multisampled texture cannot be shown before it is resolved");
        view = NULL;
    }
    if (view)
        status = read_target(execution, view, scanout_id, flags);
    ag_recorder_flush(execution->recorder);
    return status;
}
