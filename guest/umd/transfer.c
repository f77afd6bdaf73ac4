/* SPDX-License-Identifier: MIT
 *
 * Copies, updates and resolves.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"
#include "guest/umd/dynamic.h"
#include "guest/umd/map.h"
#include "guest/umd/upload.h"

/* Pending bytes are there before the host reads them, or writes others over them. */
static void settle(struct umd_context *context, struct umd_resource *resource)
{
    if (!context->is_deferred)
        umd_settle(context, resource);
}

void umd_resource_copy(struct umd_context *context, struct umd_resource *destination,
                       struct umd_resource *source)
{
    settle(context, source);
    settle(context, destination);
    struct aerogpu_cmd_ext_copy_resource *packet =
        umd_packet(context, AEROGPU_CMD_EXT_COPY_RESOURCE, sizeof *packet);
    packet->dst_resource = umd_handle(destination);
    packet->src_resource = umd_handle(source);
    packet->flags = AEROGPU_COPY_FLAG_NONE;
    packet->reserved0 = 0;
    umd_resource_was_written(context, destination, AEROGPU_EXT_ALL);
}

void umd_resource_copy_region(struct umd_context *context, struct umd_resource *destination,
                              uint32_t destination_subresource, uint32_t x, uint32_t y, uint32_t z,
                              struct umd_resource *source, uint32_t source_subresource,
                              const struct aerogpu_ext_box *box)
{
    settle(context, source);
    settle(context, destination);
    struct aerogpu_cmd_ext_copy_subresource_region *packet =
        umd_packet(context, AEROGPU_CMD_EXT_COPY_SUBRESOURCE_REGION, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_copy_subresource_region){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_COPY_SUBRESOURCE_REGION, packet),
        .dst_resource = umd_handle(destination),
        .dst_subresource = destination_subresource,
        .dst_x = x,
        .dst_y = y,
        .dst_z = z,
        .src_resource = umd_handle(source),
        .src_subresource = source_subresource,
        .box_flags = box != NULL ? AEROGPU_EXT_UPDATE_BOX : 0,
    };
    if (box != NULL)
        packet->box = *box;
    umd_resource_was_written(context, destination, destination_subresource);
}

enum umd_status umd_resource_update_subresource(struct umd_context *context, struct umd_resource *resource,
                                                uint32_t subresource, const struct aerogpu_ext_box *box,
                                                const void *data, uint32_t row_pitch, uint32_t depth_pitch,
                                                uint32_t flags)
{
    const struct umd_uploader uploader = {context->device, context};
    const struct umd_upload upload = {
        .resource = resource,
        .subresource = subresource,
        .box = box,
        .data = data,
        .row_pitch = row_pitch,
        .depth_pitch = depth_pitch,
        .flags = flags,
    };
    settle(context, resource);
    const enum umd_status status = umd_upload_bytes(&uploader, &upload);
    umd_resource_was_written(context, resource, subresource);
    return status;
}

void umd_resource_resolve_subresource(struct umd_context *context, struct umd_resource *destination,
                                      uint32_t destination_subresource, struct umd_resource *source,
                                      uint32_t source_subresource, uint32_t format)
{
    struct aerogpu_cmd_ext_resolve_subresource *packet =
        umd_packet(context, AEROGPU_CMD_EXT_RESOLVE_SUBRESOURCE, sizeof *packet);
    packet->dst_texture = umd_handle(destination);
    packet->dst_subresource = destination_subresource;
    packet->src_texture = umd_handle(source);
    packet->src_subresource = source_subresource;
    packet->format = AEROGPU_EXT_FORMAT(format);
    packet->flags = AEROGPU_COPY_FLAG_NONE;
    umd_resource_was_written(context, destination, destination_subresource);
}

void umd_copy_structure_count(struct umd_context *context, struct umd_resource *destination, uint32_t offset,
                              struct umd_view *view)
{
    settle(context, destination);
    struct aerogpu_cmd_ext_copy_structure_count *packet =
        umd_packet(context, AEROGPU_CMD_EXT_COPY_STRUCTURE_COUNT, sizeof *packet);
    packet->dst_buffer = umd_handle(destination);
    packet->dst_offset_bytes = offset;
    packet->src_view = umd_handle(view);
    packet->flags = AEROGPU_COPY_FLAG_NONE;
    umd_resource_was_written(context, destination, 0);
}

void umd_set_resource_min_lod(struct umd_context *context, struct umd_resource *resource, float min_lod)
{
    struct aerogpu_cmd_ext_set_resource_min_lod *packet =
        umd_packet(context, AEROGPU_CMD_EXT_SET_RESOURCE_MIN_LOD, sizeof *packet);
    packet->texture_handle = umd_handle(resource);
    packet->min_lod_f32 = umd_bits(min_lod);
}

void umd_discard_resource(struct umd_context *context, struct umd_resource *resource)
{
    struct aerogpu_cmd_ext_discard_resource *packet =
        umd_packet(context, AEROGPU_CMD_EXT_DISCARD_RESOURCE, sizeof *packet);
    packet->resource_handle = umd_handle(resource);
    packet->reserved0 = 0;
}

void umd_discard_view(struct umd_context *context, struct umd_view *view, uint32_t rect_count,
                      const struct aerogpu_ext_rect *rects)
{
    struct aerogpu_cmd_ext_discard_view *packet;
    const uint64_t bytes = (uint64_t)rect_count * sizeof *rects;
    packet = umd_long_packet(context, AEROGPU_CMD_EXT_DISCARD_VIEW, sizeof *packet + bytes);
    if (packet == NULL)
        return;
    packet->view_handle = umd_handle(view);
    packet->rect_count = rect_count;
    if (rect_count != 0)
        memcpy(packet + 1, rects, (size_t)bytes);
}
