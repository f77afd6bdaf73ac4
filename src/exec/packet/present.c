/* SPDX-License-Identifier: MIT */
#include "exec/packet/present.h"

#include <inttypes.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/executor.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/record/encoder.h"
#include "exec/record/flush.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/subresource.h"
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

/* What a present shows, and for whom. */
struct shown {
    struct ag_texture *texture;
    uint32_t mip, layer, width, height;
    uint32_t scanout_id, flags, swap_chain, sync_interval;
    bool is_looked_at;
    bool stored; /* at `gpa`, by the guest's wish */
    uint64_t gpa;
};

static bool is_showable(struct ag_execution *execution, const struct ag_texture *texture)
{
    if (!is_shown(shown_format(texture))) {
        ag_host_report(execution->host, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR,
                       "a %s texture cannot be shown", texture->format->name);
        return false;
    }
    if (texture->sample_count > 1) {
        ag_host_report(execution->host, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR,
                       "a multisampled texture cannot be shown before it is resolved");
        return false;
    }
    return true;
}

static void read_texture(struct ag_execution *execution, const struct shown *shown,
                         const struct ag_write_back *write_back)
{
    const WGPUExtent3D extent = {shown->width, shown->height, 1};
    const WGPUTexelCopyTextureInfo from = {
        .texture = shown->texture->gpu,
        .mipLevel = shown->mip,
        .origin = {0, 0, shown->layer},
        .aspect = WGPUTextureAspect_All,
    };
    const WGPUTexelCopyBufferInfo to = {
        .buffer = ag_readback_buffer(write_back->readback),
        .layout = {.bytesPerRow = write_back->host_pitch, .rowsPerImage = extent.height},
    };
    ag_gpu_copy_to_buffer(execution->host->gpu, ag_recorder_encoder(execution->recorder), &from, &to,
                          &extent);
}

static enum agpu_shown_encoding encoding_of(const struct ag_texture *texture)
{
    if (ag_host_format_has(shown_format(texture), AG_FORMAT_BIASED))
        return AGPU_SHOWN_BIASED;
    const struct ag_host_format *format = texture->whole.format;
    return ag_host_format_has(format, AG_FORMAT_SRGB) || format->number == AG_NUMBER_FLOAT
               ? AGPU_SHOWN_LINEAR
               : AGPU_SHOWN_ENCODED;
}

/* Hands the texture to whoever shows textures; what was drawn to it is submitted before. Whether its bytes
 * are wanted, too. */
static bool is_read(struct ag_execution *execution, const struct shown *shown)
{
    const struct ag_host *host = execution->host;
    if (!host->shown || !shown->is_looked_at)
        return shown->is_looked_at || shown->stored;
    ag_recorder_flush(execution->recorder);
    const struct agpu_shown what = {
        .scanout_id = shown->scanout_id,
        .flags = shown->flags,
        .width = shown->width,
        .height = shown->height,
        .swap_chain = shown->swap_chain,
        .sync_interval = shown->sync_interval,
        .device = host->device,
        .texture = shown->texture->gpu,
        .mip = shown->mip,
        .layer = shown->layer,
        .encoding = encoding_of(shown->texture),
    };
    return host->shown(host->shown_user, &what) || shown->stored;
}

static enum agpu_status show(struct ag_execution *execution, const struct shown *shown)
{
    const struct ag_texture *texture = shown->texture;
    const uint64_t pitch = ag_align_up((uint64_t)shown->width * texture->format->host_bytes, 256);
    if (!is_showable(execution, texture))
        return AGPU_OK;
    if (!ag_texture_use(execution->copier, shown->texture))
        return AGPU_REFUSED;
    const bool wanted = is_read(execution, shown);
    struct ag_write_back *write_back =
        ag_write_back_add(execution->copier, AG_WRITE_BACK_PRESENT, wanted ? pitch * shown->height : 0);
    if (!write_back)
        return AGPU_NO_MEMORY;
    write_back->format = shown_format(texture);
    write_back->width = shown->width;
    write_back->height = shown->height;
    write_back->host_pitch = (uint32_t)pitch;
    write_back->scanout_id = shown->scanout_id;
    write_back->present_flags = shown->flags;
    write_back->abi_format = texture->abi_format;
    write_back->swap_chain = shown->swap_chain;
    write_back->sync_interval = shown->sync_interval;
    write_back->stored = shown->stored;
    write_back->gpa = shown->gpa;
    execution->copier->write_backs->reach_guest |= shown->stored;
    if (wanted)
        read_texture(execution, shown, write_back);
    execution->host->counts.presents++;
    return AGPU_OK;
}

enum agpu_status ag_present(struct ag_execution *execution, uint32_t scanout_id, uint32_t flags)
{
    enum agpu_status status = AGPU_OK;
    const struct ag_texture_view *view = find_target(execution);
    if (view) {
        const WGPUExtent3D extent = ag_view_extent(view);
        const struct shown shown = {
            .texture = view->texture,
            .mip = view->base_mip,
            .layer = view->base_layer,
            .width = extent.width,
            .height = extent.height,
            .scanout_id = scanout_id,
            .flags = flags,
            .is_looked_at = true,
        };
        status = show(execution, &shown);
    }
    ag_recorder_flush(execution->recorder);
    return status;
}

/* ---- Windows ------------------------------------------------------------------------------------------ */

/* Finds the subresource that EXT_PRESENT names. */
static enum agpu_status find_subresource(struct ag_execution *execution,
                                         const struct aerogpu_cmd_ext_present *wire, struct shown *shown)
{
    struct ag_subresource_box box;
    const enum agpu_status status =
        ag_subresource_box(execution->copier, wire->texture_handle, wire->subresource, NULL, &box);
    if (status != AGPU_OK)
        return status;
    if (!box.texture || box.texture->dimension == AG_TEXTURE_3D)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "resource %" PRIu32 " is no texture that a window can show",
                            wire->texture_handle);
    *shown = (struct shown){
        .texture = box.texture,
        .mip = box.mip,
        .layer = box.layer,
        .width = (uint32_t)box.width,
        .height = box.height,
        .scanout_id = AGPU_NO_SCANOUT,
        .swap_chain = wire->swap_chain,
        .sync_interval = wire->sync_interval,
        .is_looked_at = execution->host->is_looked_at,
    };
    return AGPU_OK;
}

enum agpu_status ag_present_window(struct ag_execution *execution, const struct aerogpu_cmd_ext_present *wire)
{
    struct shown shown;
    if (wire->sync_interval > AEROGPU_EXT_MOST_SYNC_INTERVAL || wire->flags != 0)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "no present has the sync interval %" PRIu32 " and the flags 0x%" PRIx32,
                            wire->sync_interval, wire->flags);
    enum agpu_status status = find_subresource(execution, wire, &shown);
    if (status != AGPU_OK)
        return status;
    if (wire->target_alloc_id != 0) {
        shown.stored = true;
        if (!ag_guest_resolve(execution->host, wire->target_alloc_id, wire->target_offset_bytes,
                              (uint64_t)shown.width * shown.height * 4, true, &shown.gpa))
            return AGPU_REFUSED;
    }
    status = show(execution, &shown);
    ag_recorder_flush(execution->recorder);
    return status;
}
