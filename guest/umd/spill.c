/* SPDX-License-Identifier: MIT
 *
 * Private memory in place of a block, and its bytes in parts.
 */
#include "guest/umd/spill.h"

#include "guest/core/memory.h"
#include "guest/umd/upload.h"

/* How much is read at a time, if there is room for so much. */
#define PART_BYTES (UINT32_C(1) << 20)

enum umd_status umd_spill(struct umd_device *device, struct umd_subresource *subresource)
{
    if (subresource->memory == NULL)
        subresource->memory = umd_allocate(device, subresource->bytes);
    return subresource->memory != NULL ? UMD_OK : UMD_NO_MEMORY;
}

void umd_unspill(struct umd_device *device, struct umd_subresource *subresource)
{
    umd_release(device, subresource->memory);
    subresource->memory = NULL;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

/* Rows of one slice, or bytes of a buffer. */
struct part {
    struct aerogpu_ext_box box;
    uint32_t offset, bytes; /* where they lie in the memory */
};

static enum umd_status read_part(struct umd_context *context, struct umd_subresource *subresource,
                                 const struct part *part)
{
    struct guest_block block;
    enum umd_status status = umd_context_block(context, part->bytes, &block);
    if (status != UMD_OK)
        return status;
    struct aerogpu_cmd_ext_read_subresource *packet =
        umd_packet(context, AEROGPU_CMD_EXT_READ_SUBRESOURCE, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_read_subresource){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_READ_SUBRESOURCE, packet),
        .resource_handle = subresource->resource->object.handle,
        .subresource = umd_subresource_index(subresource),
        .flags = AEROGPU_EXT_UPDATE_BOX,
        .box = part->box,
        .row_pitch_bytes = subresource->row_pitch,
        .target_alloc_id = GUEST_HEAP_ALLOC_ID,
        .target_offset_bytes = block.offset,
    };
    status = umd_wait_for_ticket(context, umd_context_ticket(context), false);
    if (status == UMD_OK) {
        memcpy(subresource->memory + part->offset, block.bytes, part->bytes);
        guest_block_free(context->device->guest, &block);
    } else {
        guest_stream_retire(&context->stream, &block);
    }
    return status;
}

static enum umd_status read_buffer(struct umd_context *context, struct umd_subresource *subresource,
                                   uint32_t most)
{
    for (uint32_t at = 0; at < subresource->bytes; at += most) {
        const uint32_t left = subresource->resource->desc.width - at;
        const uint32_t bytes = left < most ? left : most;
        const struct part part = {
            {.left = at, .right = at + bytes, .bottom = 1, .back = 1},
            at, bytes
        };
        const enum umd_status status = read_part(context, subresource, &part);
        if (status != UMD_OK)
            return status;
    }
    return UMD_OK;
}

static enum umd_status read_texture(struct umd_context *context, struct umd_subresource *subresource,
                                    uint32_t most)
{
    struct umd_extent extent;
    uint32_t block_width, block_height;
    umd_format_bytes(subresource->resource->desc.format, &block_width, &block_height);
    umd_resource_extent(subresource->resource, umd_subresource_index(subresource), &extent);
    const uint32_t rows = most > subresource->row_pitch ? most / subresource->row_pitch : 1;
    for (uint32_t slice = 0; slice < extent.depth; slice++)
        for (uint32_t row = 0; row < extent.rows; row += rows) {
            const uint32_t count = rows < extent.rows - row ? rows : extent.rows - row;
            struct part part = {
                .box = {0, row * block_height, slice, extent.width, extent.height, slice + 1},
                .offset = slice * subresource->depth_pitch + row * subresource->row_pitch,
                .bytes = count * subresource->row_pitch
            };
            if (row + count < extent.rows)
                part.box.bottom = (row + count) * block_height;
            const enum umd_status status = read_part(context, subresource, &part);
            if (status != UMD_OK)
                return status;
        }
    return UMD_OK;
}

enum umd_status umd_read_spilled(struct umd_context *context, struct umd_subresource *subresource)
{
    enum umd_status status = UMD_NO_MEMORY;
    /* A heap that is nearly full may have room for less. */
    for (uint32_t most = PART_BYTES; most >= GUEST_PACKET_BYTES && status == UMD_NO_MEMORY; most /= 8)
        status = subresource->resource->desc.dimension == UMD_BUFFER
                     ? read_buffer(context, subresource, most)
                     : read_texture(context, subresource, most);
    if (status == UMD_OK)
        subresource->host_is_newer = false;
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

void umd_upload_spilled(struct umd_context *context, const struct umd_subresource *subresource,
                        uint32_t flags)
{
    /* Not even a row finds room: the program's bytes are lost, and with them the device. */
    if (umd_upload_mapped(context, subresource, subresource->memory, flags) != UMD_OK)
        umd_device_fails(context->device, GUEST_NO_MEMORY);
}
