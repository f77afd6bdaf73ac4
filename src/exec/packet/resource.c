/* SPDX-License-Identifier: MIT
 *
 * Packets of ABI 1.4 that create, fill and share resources.
 */
#include <inttypes.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/draw/drawer.h"
#include "exec/draw/kept_draw.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/object/share.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/transfer/buffer_upload.h"
#include "exec/transfer/pull_ahead.h"
#include "exec/transfer/resource.h"
#include "exec/transfer/texture_pull.h"
#include "exec/transfer/texture_upload.h"
#include "format/format.h"

/* ---- Creation ----------------------------------------------------------------------------------------- */

enum agpu_status ag_on_create_buffer(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_buffer *wire = AGPU_PACKET(packet, create_buffer);
    const struct ag_buffer_desc desc = {
        .handle = wire->buffer_handle,
        .size = wire->size_bytes,
        .usage = wire->usage_flags,
        .bind = AG_BIND_ANY,
    };
    const struct ag_backing backing = {wire->backing_alloc_id, wire->backing_offset_bytes};
    return ag_resource_create_buffer(execution->copier, wire->buffer_handle, &desc, backing);
}

enum agpu_status ag_on_create_texture2d(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_texture2d *wire = AGPU_PACKET(packet, create_texture2d);
    const struct ag_backing backing = {wire->backing_alloc_id, wire->backing_offset_bytes};
    struct ag_texture_desc desc = {
        .handle = wire->texture_handle,
        .abi_format = wire->format,
        .dxgi = ag_host_format_from_abi(wire->format),
        .usage = wire->usage_flags,
        .bind = AG_BIND_ANY,
        .width = wire->width,
        .height = wire->height,
        .mips = wire->mip_levels,
        .layers = wire->array_layers,
        .row_pitch = wire->row_pitch_bytes,
    };
    if (backing.alloc_id != 0 && desc.row_pitch == 0)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a texture in guest memory needs a row pitch");
    return ag_resource_create_texture(execution->copier, wire->texture_handle, &desc, backing,
                                      &execution->progress);
}

static enum agpu_status check_view(struct ag_execution *execution,
                                   const struct aerogpu_cmd_create_texture_view *wire,
                                   const struct ag_texture *texture, uint32_t dxgi)
{
    struct ag_format_name name;
    if (wire->view_handle == 0 || ag_handle_find(execution->objects, wire->view_handle))
        return ag_host_malformed(execution->host, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " %s",
                                 wire->view_handle, wire->view_handle ? "is taken" : "cannot name an object");
    if (!texture)
        return ag_host_malformed(execution->host, AGPU_DIAG_EXEC_HANDLE,
                                 "handle %" PRIu32 " names no texture", wire->texture_handle);
    if (dxgi == AG_DXGI_UNKNOWN || (dxgi != texture->host_dxgi && dxgi != texture->format->srgb_counterpart))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_FORMAT, "a %s texture cannot be seen as %s",
                            texture->format->name, ag_format_name_of_abi(wire->format, &name));
    if (texture->dimension == AG_TEXTURE_3D)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "CREATE_TEXTURE_VIEW makes no views of volumes");
    if (wire->mip_level_count == 0 || wire->array_layer_count == 0 ||
        !ag_range_fits(wire->base_mip_level, wire->mip_level_count, texture->mips) ||
        !ag_range_fits(wire->base_array_layer, wire->array_layer_count, texture->layers))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_RANGE,
                            "mips %" PRIu32 " + %" PRIu32 " and layers %" PRIu32 " + %" PRIu32
                            " are not inside a texture of %" PRIu32 " mips and %" PRIu32 " layers",
                            wire->base_mip_level, wire->mip_level_count, wire->base_array_layer,
                            wire->array_layer_count, texture->mips, texture->layers);
    return AGPU_OK;
}

enum agpu_status ag_on_create_texture_view(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_texture_view *wire = AGPU_PACKET(packet, create_texture_view);
    struct ag_texture *texture = ag_handle_texture(execution->objects, wire->texture_handle);
    uint32_t dxgi = ag_host_format_from_abi(wire->format);
    enum agpu_status status = check_view(execution, wire, texture, dxgi);
    if (status != AGPU_OK)
        return status;
    struct ag_view *view = ag_view_create(execution->objects, wire->view_handle, &texture->resource, &status);
    if (!view)
        return status;
    view->kind = AG_VIEW_PLAIN;
    ag_view_init(&view->texture, texture, dxgi);
    view->texture.handle = wire->view_handle;
    view->texture.base_mip = wire->base_mip_level;
    view->texture.mip_count = wire->mip_level_count;
    view->texture.base_layer = wire->base_array_layer;
    view->texture.layer_count = wire->array_layer_count;
    return AGPU_OK;
}

enum agpu_status ag_on_destroy_resource(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, destroy_resource)->resource_handle;
    execution->progress.more =
        ag_handle_destroy_resource_part(execution->objects, handle, &execution->progress);
    return AGPU_OK;
}

enum agpu_status ag_on_destroy_texture_view(struct ag_execution *execution, const struct agpu_packet *packet)
{
    execution->progress.more = ag_handle_destroy_view_part(
        execution->objects, AGPU_PACKET(packet, destroy_texture_view)->view_handle,
        &execution->progress.done);
    return AGPU_OK;
}

/* ---- Contents ----------------------------------------------------------------------------------------- */

static enum agpu_status unknown_resource(struct ag_execution *execution, uint32_t handle)
{
    return ag_host_drop_handle(execution->host, AG_SPACE_RESOURCES, handle,
                               "handle %" PRIu32 " names no buffer or texture", handle);
}

static enum agpu_status check_range(struct ag_execution *execution, uint64_t offset, uint64_t size,
                                    uint64_t limit)
{
    if (ag_range_fits(offset, size, limit))
        return AGPU_OK;
    return ag_host_drop(execution->host, AGPU_DIAG_EXEC_RANGE,
                        "%" PRIu64 " bytes at %" PRIu64 " leave a resource of %" PRIu64 " bytes", size,
                        offset, limit);
}

enum agpu_status ag_on_resource_dirty_range(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_resource_dirty_range *wire = AGPU_PACKET(packet, resource_dirty_range);
    struct ag_buffer *buffer = ag_handle_buffer(execution->objects, wire->resource_handle);
    struct ag_texture *texture = ag_handle_texture(execution->objects, wire->resource_handle);
    uint64_t gpa, offset = wire->offset_bytes, size = wire->size_bytes;
    if (!buffer && !texture)
        return unknown_resource(execution, wire->resource_handle);
    struct ag_resource *resource = buffer ? &buffer->resource : &texture->resource;
    enum agpu_status status =
        check_range(execution, offset, size, buffer ? buffer->size : texture->layout.size_bytes);
    if (status != AGPU_OK || size == 0 || resource->backing.alloc_id == 0)
        return status;
    if (!ag_guest_resolve(execution->host, resource->backing.alloc_id, resource->backing.offset + offset,
                          size, false, &gpa))
        return AGPU_REFUSED;
    if (buffer) {
        const uint64_t end = ag_align_up(offset + size, 4);
        const struct ag_interval dirty = {offset & ~UINT64_C(3), end < buffer->size ? end : buffer->size};
        buffer->guest_dirty = ag_interval_union(buffer->guest_dirty, dirty);
    } else {
        texture->guest_dirty =
            ag_interval_union(texture->guest_dirty, (struct ag_interval){offset, offset + size});
    }
    ag_pull_note(execution->copier, resource);
    return AGPU_OK;
}

static enum agpu_status upload_texture(struct ag_execution *execution, struct ag_texture *texture,
                                       uint64_t offset, const uint8_t *data, uint64_t size)
{
    if (texture->sample_count > 1)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "the bytes of a multisampled texture are nobody's");
    enum agpu_status status = check_range(execution, offset, size, texture->layout.size_bytes);
    if (status != AGPU_OK)
        return status;
    ag_kept_draw_note(execution->drawer->kept, AG_CHANGES_ALL, AGPU_STAGE_COUNT);
    if (offset <= texture->guest_dirty.begin && offset + size >= texture->guest_dirty.end)
        texture->guest_dirty = (struct ag_interval){0, 0};
    struct ag_progress *const progress = &execution->progress;
    const uint64_t done = progress->done, part = ag_texture_part(texture, offset + done, size - done);
    if (!ag_texture_pull(execution->copier, texture) ||
        !ag_texture_write(execution->copier, texture, offset + done, data + done, part))
        return AGPU_REFUSED;
    if (done + part < size)
        ag_progress_pause(progress, done + part);
    return AGPU_OK;
}

enum agpu_status ag_on_upload_resource(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_upload_resource *wire = AGPU_PACKET(packet, upload_resource);
    struct ag_resource *resource = ag_handle_resource(execution->objects, wire->resource_handle);
    uint64_t offset = wire->offset_bytes, size = wire->size_bytes;
    if (!resource)
        return unknown_resource(execution, wire->resource_handle);
    execution->host->counts.uploads += ag_progress_is_new(&execution->progress);
    if (size == 0)
        return AGPU_OK;
    if (resource->kind == AG_RESOURCE_TEXTURE)
        return upload_texture(execution, (struct ag_texture *)resource, offset, packet->payload, size);
    struct ag_buffer *buffer = (struct ag_buffer *)resource;
    enum agpu_status status = check_range(execution, offset, size, buffer->size);
    if (status != AGPU_OK)
        return status;
    const uint64_t done = execution->progress.done;
    const uint64_t end =
        ag_buffer_write_part(execution->copier, buffer, offset, packet->payload + done, size, done);
    if (end != 0 && end < size)
        ag_progress_pause(&execution->progress, end);
    return end != 0 ? AGPU_OK : AGPU_REFUSED;
}

/* ---- Sharing ------------------------------------------------------------------------------------------ */

enum agpu_status ag_on_export_shared_surface(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_export_shared_surface *wire = AGPU_PACKET(packet, export_shared_surface);
    return ag_share_export(execution->objects, wire->resource_handle, wire->share_token);
}

enum agpu_status ag_on_import_shared_surface(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_import_shared_surface *wire = AGPU_PACKET(packet, import_shared_surface);
    return ag_share_import(execution->objects, wire->out_resource_handle, wire->share_token);
}

enum agpu_status ag_on_release_shared_surface(struct ag_execution *execution,
                                              const struct agpu_packet *packet)
{
    return ag_share_release(execution->objects, AGPU_PACKET(packet, release_shared_surface)->share_token);
}
