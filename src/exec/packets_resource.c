/* SPDX-License-Identifier: MIT
 *
 * Packets that make, fill and share resources.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "exec/bc.h"
#include "exec/exec.h"
#include "exec/packets.h"
#include "exec/share.h"

#define MAX_BLOCK_BYTES (UINT64_C(256) << 20)

/* ---- Creation ----------------------------------------------------------------------------------------- */

/* The range of guest memory that a new or rebound resource mirrors must be there now. */
static enum agpu_status check_backing(struct agpu_exec *exec, struct agpu_backing backing, uint64_t size)
{
    uint64_t gpa;
    if (backing.alloc_id == 0 ||
        agpu_guest_resolve(exec, backing.alloc_id, backing.offset, size, false, &gpa))
        return AGPU_OK;
    return AGPU_REFUSED;
}

/* A live handle may be created again when it is the original of an equal resource (spec: ABI choice 5). */
static enum agpu_status check_handle(struct agpu_exec *exec, uint32_t handle, enum agpu_resource_kind kind,
                                     struct agpu_resource **existing)
{
    struct agpu_handle *entry = agpu_handle_find(exec, handle);
    *existing = NULL;
    if (handle == 0)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name an object");
    if (!entry)
        return AGPU_OK;
    if (entry->kind != AGPU_HANDLE_RESOURCE || entry->resource->kind != kind)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " is taken", handle);
    *existing = entry->resource;
    return AGPU_OK;
}

static enum agpu_status differs(struct agpu_exec *exec, uint32_t handle)
{
    return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE,
                          "handle %" PRIu32 " names a resource with other properties", handle);
}

static void bind_buffer_backing(struct agpu_buffer *buffer, struct agpu_backing backing)
{
    buffer->resource.backing = backing;
    buffer->guest_dirty = (struct agpu_interval){0, backing.alloc_id ? buffer->size : 0};
}

enum agpu_status agpu_on_create_buffer(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_buffer *wire = AGPU_PACKET(packet, create_buffer);
    const struct agpu_backing backing = {wire->backing_alloc_id, wire->backing_offset_bytes};
    struct agpu_resource *existing;
    enum agpu_status status = check_handle(exec, wire->buffer_handle, AGPU_RESOURCE_BUFFER, &existing);
    if (status != AGPU_OK)
        return status;
    if (wire->size_bytes == 0 || wire->size_bytes % 4 != 0)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                              "a buffer's size is a multiple of 4 and not 0: %" PRIu64, wire->size_bytes);
    if (wire->size_bytes > exec->limits.maxBufferSize)
        return agpu_exec_fail(exec, AGPU_DIAG_GPU_LIMIT,
                              "a buffer of %" PRIu64 " bytes exceeds the device's %" PRIu64, wire->size_bytes,
                              exec->limits.maxBufferSize);
    status = check_backing(exec, backing, wire->size_bytes);
    if (status != AGPU_OK)
        return status;
    struct agpu_buffer *buffer = (struct agpu_buffer *)existing;
    if (buffer) {
        if (buffer->size != wire->size_bytes || buffer->resource.usage != wire->usage_flags)
            return differs(exec, wire->buffer_handle);
        bind_buffer_backing(buffer, backing);
        return AGPU_OK;
    }
    buffer = agpu_buffer_create(exec, wire->size_bytes, wire->usage_flags);
    if (!buffer)
        return agpu_exec_no_memory(exec);
    buffer->resource.handle = wire->buffer_handle;
    buffer->resource.references = 1;
    bind_buffer_backing(buffer, backing);
    if (!agpu_handle_add(exec, wire->buffer_handle, AGPU_HANDLE_RESOURCE, &buffer->resource, NULL)) {
        agpu_buffer_destroy(exec, buffer);
        return agpu_exec_no_memory(exec);
    }
    return AGPU_OK;
}

static enum agpu_status check_texture_format(struct agpu_exec *exec, struct agpu_texture_desc *desc)
{
    const struct agpu_host_format *format = agpu_host_format(desc->dxgi);
    const uint32_t targets = AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL |
                             AEROGPU_RESOURCE_USAGE_SCANOUT;
    if (!format || format->texture == WGPUTextureFormat_Undefined)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT, "format %" PRIu32 " is no texture format",
                              desc->abi_format);
    if (agpu_host_format_has(format, AGPU_FORMAT_STENCIL) &&
        !agpu_exec_has(exec, AGPU_GPU_FEATURE_DEPTH32FLOAT_STENCIL8))
        return agpu_exec_fail(exec, AGPU_DIAG_GPU_FEATURE, "this device has no float depth with stencil");
    if (format->block == 1)
        return AGPU_OK;
    if (desc->usage & targets)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT, "a %s texture can be no target and no scanout",
                              format->name);
    desc->decoded = desc->width % 4 != 0 || desc->height % 4 != 0 ||
                    !agpu_exec_has(exec, AGPU_GPU_FEATURE_TEXTURE_COMPRESSION_BC);
    if (desc->decoded && !agpu_bc_decode(desc->dxgi, NULL, NULL))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                              "a %s texture of %" PRIu32 "x%" PRIu32
                              " texels is not supported: WebGPU does not take it and it cannot be decoded",
                              format->name, desc->width, desc->height);
    return AGPU_OK;
}

static enum agpu_status check_texture_size(struct agpu_exec *exec, struct agpu_texture_desc *desc)
{
    const struct agpu_host_format *format = agpu_host_format(desc->dxgi);
    const struct agpu_texture_shape shape = {
        .width = desc->width,
        .height = desc->height,
        .mip_levels = desc->mips,
        .array_layers = desc->layers,
        .row_pitch_bytes = desc->row_pitch,
        .bytes_per_unit = format->bytes,
        .block_size = format->block,
    };
    enum agpu_layout_problem problem = agpu_texture_layout_init(&desc->layout, &shape);
    if (problem != AGPU_LAYOUT_OK)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                              "a %s texture of %" PRIu32 "x%" PRIu32 ", %" PRIu32 " mips and %" PRIu32
                              " layers: %s",
                              format->name, desc->width, desc->height, desc->mips, desc->layers,
                              agpu_layout_problem_text(problem));
    if (desc->width > exec->limits.maxTextureDimension2D ||
        desc->height > exec->limits.maxTextureDimension2D ||
        desc->layers > exec->limits.maxTextureArrayLayers)
        return agpu_exec_fail(exec, AGPU_DIAG_GPU_LIMIT,
                              "a texture of %" PRIu32 "x%" PRIu32 " with %" PRIu32
                              " layers exceeds the device's %" PRIu32 " and %" PRIu32,
                              desc->width, desc->height, desc->layers, exec->limits.maxTextureDimension2D,
                              exec->limits.maxTextureArrayLayers);
    if (desc->decoded && desc->layout.size_bytes > MAX_BLOCK_BYTES)
        return agpu_exec_fail(exec, AGPU_DIAG_GPU_LIMIT,
                              "a texture of %" PRIu64 " bytes in blocks that must be decoded is too large",
                              desc->layout.size_bytes);
    if (desc->backed && desc->row_pitch == 0)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a texture in guest memory needs a row pitch");
    return AGPU_OK;
}

static bool same_texture(const struct agpu_texture *texture, const struct agpu_texture_desc *desc)
{
    return texture->abi_format == desc->abi_format && texture->width == desc->width &&
           texture->height == desc->height && texture->mips == desc->mips &&
           texture->layers == desc->layers && texture->row_pitch == desc->row_pitch &&
           texture->resource.usage == desc->usage;
}

static void bind_texture_backing(struct agpu_texture *texture, struct agpu_backing backing)
{
    texture->resource.backing = backing;
    texture->guest_dirty = backing.alloc_id != 0;
}

enum agpu_status agpu_on_create_texture2d(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_texture2d *wire = AGPU_PACKET(packet, create_texture2d);
    const struct agpu_backing backing = {wire->backing_alloc_id, wire->backing_offset_bytes};
    struct agpu_texture_desc desc = {
        .abi_format = wire->format,
        .dxgi = agpu_host_format_from_abi(wire->format),
        .usage = wire->usage_flags,
        .width = wire->width,
        .height = wire->height,
        .mips = wire->mip_levels,
        .layers = wire->array_layers,
        .row_pitch = wire->row_pitch_bytes,
        .backed = backing.alloc_id != 0,
    };
    struct agpu_resource *existing;
    enum agpu_status status = check_handle(exec, wire->texture_handle, AGPU_RESOURCE_TEXTURE, &existing);
    if (status == AGPU_OK)
        status = check_texture_format(exec, &desc);
    if (status == AGPU_OK)
        status = check_texture_size(exec, &desc);
    if (status == AGPU_OK)
        status = check_backing(exec, backing, desc.layout.size_bytes);
    if (status != AGPU_OK)
        return status;
    struct agpu_texture *texture = (struct agpu_texture *)existing;
    if (texture) {
        if (!same_texture(texture, &desc))
            return differs(exec, wire->texture_handle);
        bind_texture_backing(texture, backing);
        return AGPU_OK;
    }
    texture = agpu_texture_create(exec, &desc);
    if (!texture)
        return agpu_exec_no_memory(exec);
    texture->resource.handle = wire->texture_handle;
    texture->resource.references = 1;
    bind_texture_backing(texture, backing);
    if (!agpu_handle_add(exec, wire->texture_handle, AGPU_HANDLE_RESOURCE, &texture->resource, NULL)) {
        agpu_texture_destroy(exec, texture);
        return agpu_exec_no_memory(exec);
    }
    return AGPU_OK;
}

static enum agpu_status check_view(struct agpu_exec *exec, const struct aerogpu_cmd_create_texture_view *wire,
                                   const struct agpu_texture *texture, uint32_t dxgi)
{
    if (wire->view_handle == 0 || agpu_handle_find(exec, wire->view_handle))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " %s", wire->view_handle,
                              wire->view_handle ? "is taken" : "cannot name an object");
    if (!texture)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no texture",
                              wire->texture_handle);
    if (dxgi == AGPU_DXGI_UNKNOWN || (dxgi != texture->dxgi && dxgi != texture->format->twin))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT, "a %s texture cannot be seen as format %" PRIu32,
                              texture->format->name, wire->format);
    if (wire->mip_level_count == 0 || wire->array_layer_count == 0 ||
        !agpu_range_fits(wire->base_mip_level, wire->mip_level_count, texture->mips) ||
        !agpu_range_fits(wire->base_array_layer, wire->array_layer_count, texture->layers))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_RANGE,
                              "mips %" PRIu32 " + %" PRIu32 " and layers %" PRIu32 " + %" PRIu32
                              " are not inside a texture of %" PRIu32 " mips and %" PRIu32 " layers",
                              wire->base_mip_level, wire->mip_level_count, wire->base_array_layer,
                              wire->array_layer_count, texture->mips, texture->layers);
    return AGPU_OK;
}

enum agpu_status agpu_on_create_texture_view(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_texture_view *wire = AGPU_PACKET(packet, create_texture_view);
    struct agpu_texture *texture = agpu_handle_texture(exec, wire->texture_handle);
    uint32_t dxgi = agpu_host_format_from_abi(wire->format);
    enum agpu_status status = check_view(exec, wire, texture, dxgi);
    if (status != AGPU_OK)
        return status;
    struct agpu_texture_view *view = malloc(sizeof *view);
    if (!view || !agpu_handle_add(exec, wire->view_handle, AGPU_HANDLE_VIEW, &texture->resource, view)) {
        free(view);
        return agpu_exec_no_memory(exec);
    }
    agpu_view_init(view, texture, dxgi);
    view->handle = wire->view_handle;
    view->base_mip = wire->base_mip_level;
    view->mip_count = wire->mip_level_count;
    view->base_layer = wire->base_array_layer;
    view->layer_count = wire->array_layer_count;
    view->next = texture->views;
    texture->views = view;
    return AGPU_OK;
}

enum agpu_status agpu_on_destroy_resource(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    agpu_handle_destroy_resource(exec, AGPU_PACKET(packet, destroy_resource)->resource_handle);
    return AGPU_OK;
}

enum agpu_status agpu_on_destroy_texture_view(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    agpu_handle_destroy_view(exec, AGPU_PACKET(packet, destroy_texture_view)->view_handle);
    return AGPU_OK;
}

/* ---- Contents ----------------------------------------------------------------------------------------- */

static enum agpu_status unknown_resource(struct agpu_exec *exec, uint32_t handle)
{
    return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no buffer or texture",
                          handle);
}

static enum agpu_status check_range(struct agpu_exec *exec, uint64_t offset, uint64_t size, uint64_t limit)
{
    if (agpu_range_fits(offset, size, limit))
        return AGPU_OK;
    return agpu_exec_fail(exec, AGPU_DIAG_EXEC_RANGE,
                          "%" PRIu64 " bytes at %" PRIu64 " leave a resource of %" PRIu64 " bytes", size,
                          offset, limit);
}

enum agpu_status agpu_on_resource_dirty_range(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_resource_dirty_range *wire = AGPU_PACKET(packet, resource_dirty_range);
    struct agpu_buffer *buffer = agpu_handle_buffer(exec, wire->resource_handle);
    struct agpu_texture *texture = agpu_handle_texture(exec, wire->resource_handle);
    uint64_t gpa, offset = wire->offset_bytes, size = wire->size_bytes;
    if (!buffer && !texture)
        return unknown_resource(exec, wire->resource_handle);
    const struct agpu_resource *resource = buffer ? &buffer->resource : &texture->resource;
    enum agpu_status status =
        check_range(exec, offset, size, buffer ? buffer->size : texture->layout.size_bytes);
    if (status != AGPU_OK || size == 0 || resource->backing.alloc_id == 0)
        return status;
    if (!agpu_guest_resolve(exec, resource->backing.alloc_id, resource->backing.offset + offset, size, false,
                            &gpa))
        return AGPU_REFUSED;
    if (buffer) {
        const struct agpu_interval dirty = {offset & ~UINT64_C(3), agpu_align_up(offset + size, 4)};
        buffer->guest_dirty = agpu_interval_union(buffer->guest_dirty, dirty);
    } else {
        texture->guest_dirty = true;
    }
    return AGPU_OK;
}

static enum agpu_status upload_texture(struct agpu_exec *exec, struct agpu_texture *texture, uint64_t offset,
                                       const uint8_t *data, uint64_t size)
{
    enum agpu_status status = check_range(exec, offset, size, texture->layout.size_bytes);
    if (status != AGPU_OK)
        return status;
    if (offset == 0 && size == texture->layout.size_bytes)
        texture->guest_dirty = false;
    if (!agpu_texture_pull(exec, texture) || !agpu_texture_write(exec, texture, offset, data, size))
        return AGPU_REFUSED;
    return AGPU_OK;
}

enum agpu_status agpu_on_upload_resource(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_upload_resource *wire = AGPU_PACKET(packet, upload_resource);
    struct agpu_buffer *buffer = agpu_handle_buffer(exec, wire->resource_handle);
    struct agpu_texture *texture = agpu_handle_texture(exec, wire->resource_handle);
    uint64_t offset = wire->offset_bytes, size = wire->size_bytes;
    if (!buffer && !texture)
        return unknown_resource(exec, wire->resource_handle);
    exec->counts.uploads++;
    if (size == 0)
        return AGPU_OK;
    if (texture)
        return upload_texture(exec, texture, offset, packet->payload, size);
    if (offset % 4 != 0 || size % 4 != 0)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                              "offset and size of a buffer upload are multiples of 4");
    enum agpu_status status = check_range(exec, offset, size, buffer->size);
    if (status != AGPU_OK)
        return status;
    return agpu_buffer_write(exec, buffer, offset, packet->payload, size) ? AGPU_OK : AGPU_REFUSED;
}

/* ---- Sharing ------------------------------------------------------------------------------------------ */

enum agpu_status agpu_on_export_shared_surface(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_export_shared_surface *wire = AGPU_PACKET(packet, export_shared_surface);
    return agpu_share_export(exec, wire->resource_handle, wire->share_token);
}

enum agpu_status agpu_on_import_shared_surface(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_import_shared_surface *wire = AGPU_PACKET(packet, import_shared_surface);
    return agpu_share_import(exec, wire->out_resource_handle, wire->share_token);
}

enum agpu_status agpu_on_release_shared_surface(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    return agpu_share_release(exec, AGPU_PACKET(packet, release_shared_surface)->share_token);
}
