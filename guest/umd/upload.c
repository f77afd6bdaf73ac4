/* SPDX-License-Identifier: MIT
 *
 * Uploads: short ones inside of their packet, others out of blocks of the heap.
 */
#include "guest/umd/upload.h"

#include "guest/core/memory.h"

/* Up to here bytes travel inside of the packet. */
#define INLINE_BYTES 1024u

/* How much one block takes of a long upload. */
#define PART_BYTES (UINT64_C(8) << 20)

/* What is uploaded, in rows of blocks and slices. Bytes of buffers are rows of one byte. */
struct geometry {
    struct aerogpu_ext_box box;
    bool is_whole, is_buffer;
    uint32_t block_height;
    uint32_t row_bytes, rows, slices;
};

static uint32_t blocks(uint32_t texels, uint32_t block)
{
    return texels / block + (texels % block != 0);
}

static bool find_geometry(const struct umd_upload *upload, struct geometry *geometry)
{
    const struct umd_resource *resource = upload->resource;
    struct umd_extent extent;
    umd_resource_extent(resource, upload->subresource, &extent);
    const struct aerogpu_ext_box whole = {0, 0, 0, extent.width, extent.height, extent.depth};
    geometry->is_whole = upload->box == NULL;
    geometry->box = upload->box != NULL ? *upload->box : whole;
    geometry->block_height = 1;
    const struct aerogpu_ext_box *box = &geometry->box;
    if (box->left >= box->right || box->top >= box->bottom || box->front >= box->back)
        return false;
    geometry->is_buffer = resource->desc.dimension == UMD_BUFFER;
    if (geometry->is_buffer) {
        geometry->rows = box->right - box->left;
        geometry->row_bytes = geometry->slices = 1;
        return true;
    }
    uint32_t block_width;
    const uint32_t bytes = umd_format_bytes(resource->desc.format, &block_width, &geometry->block_height);
    geometry->row_bytes = blocks(box->right - box->left, block_width) * bytes;
    geometry->rows = blocks(box->bottom - box->top, geometry->block_height);
    geometry->slices = box->back - box->front;
    return true;
}

/* ---- Packets ------------------------------------------------------------------------------------------- */

static void *packet_of(const struct umd_uploader *uploader, uint64_t size)
{
    if (uploader->context != NULL)
        return umd_long_packet(uploader->context, AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, size);
    return guest_stream_long_packet(&uploader->device->creations, AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, size);
}

static enum umd_status block_of(const struct umd_uploader *uploader, uint64_t size, struct guest_block *block)
{
    if (uploader->context != NULL)
        return umd_context_block(uploader->context, size, block);
    enum guest_status status = guest_block_allocate(uploader->device->guest, size, block);
    if (status == GUEST_NO_MEMORY &&
        guest_stream_submit(&uploader->device->creations, AEROGPU_SUBMIT_FLAG_NONE, NULL) == GUEST_OK)
        status = guest_block_allocate(uploader->device->guest, size, block);
    return umd_status_from(status);
}

static void retire(const struct umd_uploader *uploader, struct guest_block *block)
{
    guest_stream_retire(uploader->context != NULL ? &uploader->context->stream : &uploader->device->creations,
                        block);
}

/* A part of an upload: some rows of one slice, or whole slices. */
struct part {
    uint32_t slice, slices;
    uint32_t row, rows;
};

static uint64_t bytes_of(const struct geometry *geometry, const struct part *part)
{
    return (uint64_t)geometry->row_bytes * part->rows * part->slices;
}

static void copy_rows(const struct umd_upload *upload, const struct geometry *geometry,
                      const struct part *part, uint8_t *to)
{
    for (uint32_t slice = 0; slice < part->slices; slice++) {
        const size_t pitch = geometry->is_buffer ? 1 : upload->row_pitch;
        const uint8_t *from =
            upload->data + (size_t)(part->slice + slice) * upload->depth_pitch + part->row * pitch;
        if (pitch == geometry->row_bytes) {
            memcpy(to, from, (size_t)geometry->row_bytes * part->rows);
            to += (size_t)geometry->row_bytes * part->rows;
            continue;
        }
        for (uint32_t row = 0; row < part->rows; row++, from += pitch, to += geometry->row_bytes)
            memcpy(to, from, geometry->row_bytes);
    }
}

static void place(struct aerogpu_ext_box *box, const struct geometry *geometry, const struct part *part)
{
    *box = geometry->box;
    if (geometry->is_buffer) {
        box->left = geometry->box.left + part->row;
        box->right = box->left + part->rows;
        return;
    }
    box->top = geometry->box.top + part->row * geometry->block_height;
    if (part->row + part->rows < geometry->rows)
        box->bottom = box->top + part->rows * geometry->block_height;
    box->front = geometry->box.front + part->slice;
    box->back = box->front + part->slices;
}

static void fill_packet(struct aerogpu_cmd_ext_update_subresource *packet, const struct umd_upload *upload,
                        const struct geometry *geometry, const struct part *part)
{
    const bool is_whole =
        geometry->is_whole && part->rows == geometry->rows && part->slices == geometry->slices;
    const bool is_first = part->row == 0 && part->slice == 0;
    packet->resource_handle = upload->resource->object.handle;
    packet->subresource = upload->subresource;
    packet->flags = upload->flags & ~(is_first ? 0u : (uint32_t)AEROGPU_EXT_UPDATE_DISCARD);
    packet->flags |= is_whole ? 0u : (uint32_t)AEROGPU_EXT_UPDATE_BOX;
    place(&packet->box, geometry, part);
    packet->row_pitch_bytes = geometry->is_buffer ? 0 : geometry->row_bytes;
    packet->depth_pitch_bytes = geometry->is_buffer ? 0 : geometry->row_bytes * part->rows;
    packet->source_alloc_id = 0;
    packet->source_offset_bytes = 0;
    packet->data_size_bytes = 0;
}

static enum umd_status upload_inline(const struct umd_uploader *uploader, const struct umd_upload *upload,
                                     const struct geometry *geometry, const struct part *part)
{
    const uint32_t bytes = (uint32_t)bytes_of(geometry, part);
    const uint32_t padded = (bytes + 3) & ~UINT32_C(3);
    struct aerogpu_cmd_ext_update_subresource *packet =
        packet_of(uploader, sizeof *packet + (uint64_t)padded);
    if (packet == NULL)
        return UMD_NO_MEMORY;
    fill_packet(packet, upload, geometry, part);
    packet->data_size_bytes = bytes;
    uint8_t *to = (uint8_t *)(packet + 1);
    copy_rows(upload, geometry, part, to);
    memset(to + bytes, 0, padded - bytes);
    return UMD_OK;
}

static enum umd_status upload_part(const struct umd_uploader *uploader, const struct umd_upload *upload,
                                   const struct geometry *geometry, const struct part *part)
{
    struct guest_block block;
    const uint64_t bytes = bytes_of(geometry, part);
    if (bytes <= INLINE_BYTES)
        return upload_inline(uploader, upload, geometry, part);
    const enum umd_status status = block_of(uploader, bytes, &block);
    if (status != UMD_OK)
        return status;
    copy_rows(upload, geometry, part, block.bytes);
    struct aerogpu_cmd_ext_update_subresource *packet = packet_of(uploader, sizeof *packet);
    fill_packet(packet, upload, geometry, part);
    packet->source_alloc_id = GUEST_HEAP_ALLOC_ID;
    packet->source_offset_bytes = block.offset;
    retire(uploader, &block);
    return UMD_OK;
}

/* ---- Whole uploads ------------------------------------------------------------------------------------- */

/* Rows of slices in parts of at most `most` bytes, or of one row. */
static enum umd_status upload_in_parts(const struct umd_uploader *uploader, const struct umd_upload *upload,
                                       const struct geometry *geometry, uint64_t most)
{
    const uint64_t fitting = most / geometry->row_bytes;
    const uint32_t rows = fitting == 0 ? 1 : fitting < geometry->rows ? (uint32_t)fitting : geometry->rows;
    for (uint32_t slice = 0; slice < geometry->slices; slice++)
        for (uint32_t row = 0; row < geometry->rows; row += rows) {
            const uint32_t left = geometry->rows - row;
            const struct part part = {slice, 1, row, rows < left ? rows : left};
            const enum umd_status status = upload_part(uploader, upload, geometry, &part);
            if (status != UMD_OK)
                return status;
        }
    return UMD_OK;
}

enum umd_status umd_upload_bytes(const struct umd_uploader *uploader, const struct umd_upload *upload)
{
    struct geometry geometry;
    if (!find_geometry(upload, &geometry))
        return UMD_OK;
    const struct part all = {0, geometry.slices, 0, geometry.rows};
    if (uploader->context != NULL && uploader->context->is_deferred)
        return upload_inline(uploader, upload, &geometry, &all);
    enum umd_status status = UMD_NO_MEMORY;
    if (bytes_of(&geometry, &all) <= PART_BYTES)
        status = upload_part(uploader, upload, &geometry, &all);
    /* A heap that is nearly full may have room for less. */
    for (uint64_t most = PART_BYTES / 16; most >= INLINE_BYTES && status == UMD_NO_MEMORY; most /= 8)
        status = upload_in_parts(uploader, upload, &geometry, most);
    return status;
}

/* ---- Out of mapped memory ------------------------------------------------------------------------------ */

enum umd_status umd_upload_mapped(struct umd_context *context, const struct umd_subresource *subresource,
                                  const uint8_t *bytes, uint32_t flags)
{
    const struct umd_uploader uploader = {context->device, context};
    const struct umd_upload upload = {
        .resource = subresource->resource,
        .subresource = umd_subresource_index(subresource),
        .data = bytes,
        .row_pitch = subresource->row_pitch,
        .depth_pitch = subresource->depth_pitch,
        .flags = flags,
    };
    umd_suspend_predication(context);
    const enum umd_status status = umd_upload_bytes(&uploader, &upload);
    umd_resume_predication(context);
    return status;
}

void umd_upload_block(struct umd_context *context, const struct umd_subresource *subresource, uint32_t flags)
{
    struct aerogpu_cmd_ext_update_subresource *packet =
        umd_packet(context, AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_update_subresource){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, packet),
        .resource_handle = subresource->resource->object.handle,
        .subresource = umd_subresource_index(subresource),
        .flags = flags,
        .row_pitch_bytes = subresource->row_pitch,
        .depth_pitch_bytes = subresource->depth_pitch,
        .source_alloc_id = GUEST_HEAP_ALLOC_ID,
        .source_offset_bytes = subresource->block.offset,
    };
}

void umd_upload_range(struct umd_context *context, const struct umd_resource *buffer,
                      const struct umd_range *range, uint32_t flags)
{
    struct aerogpu_cmd_ext_update_subresource *packet =
        umd_packet(context, AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_update_subresource){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, packet),
        .resource_handle = buffer->object.handle,
        .flags = flags | AEROGPU_EXT_UPDATE_BOX,
        .box = {.left = (uint32_t)range->begin, .right = (uint32_t)range->end, .bottom = 1, .back = 1},
        .source_alloc_id = GUEST_HEAP_ALLOC_ID,
        .source_offset_bytes = buffer->subresources[0].block.offset + range->begin,
    };
}
