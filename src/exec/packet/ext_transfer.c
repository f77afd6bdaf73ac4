/* SPDX-License-Identifier: MIT
 *
 * The extension's packets that move bytes: UpdateSubresource, what Map needs, CopyResource,
 * CopySubresourceRegion, and the discards.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "abi/texture_layout.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
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
#include "exec/object/texture.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/record/encoder.h"
#include "exec/record/throttle.h"
#include "exec/transfer/buffer_copy.h"
#include "exec/transfer/buffer_upload.h"
#include "exec/transfer/copy.h"
#include "exec/transfer/copy_formats.h"
#include "exec/transfer/resolve.h"
#include "exec/transfer/subresource.h"
#include "exec/transfer/texture_pull.h"
#include "exec/transfer/texture_upload.h"
#include "format/format.h"
#include "gpu/webgpu.h"

static enum agpu_status check_multisampled(struct ag_execution *execution,
                                           const struct ag_subresource_box *box)
{
    if (!box->texture || box->texture->sample_count == 1)
        return AGPU_OK;
    return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                        "the bytes of a multisampled texture are nobody's");
}

static bool is_depth(const struct ag_texture *texture)
{
    return ag_host_format_has(texture->format, AG_FORMAT_DEPTH);
}

/* ---- UpdateSubresource -------------------------------------------------------------------------------- */

static enum agpu_status check_update(struct ag_execution *execution, uint32_t flags,
                                     const struct ag_subresource_box *box)
{
    const uint32_t known = AEROGPU_EXT_UPDATE_BOX | AEROGPU_EXT_UPDATE_DISCARD |
                           AEROGPU_EXT_UPDATE_NO_OVERWRITE | AEROGPU_EXT_UPDATE_INITIAL;
    if (flags & ~known || (flags & AEROGPU_EXT_UPDATE_DISCARD && flags & AEROGPU_EXT_UPDATE_NO_OVERWRITE))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "no update has the flags 0x%" PRIx32,
                            flags);
    if (box->buffer && box->buffer->resource.bind == AEROGPU_EXT_BIND_CONSTANT_BUFFER &&
        (box->x % 16 != 0 || box->width % 16 != 0))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a part of a constant buffer begins and ends at multiples of 16 bytes");
    if (box->buffer && box->buffer->stride &&
        (box->x % box->buffer->stride != 0 || box->width % box->buffer->stride != 0))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a part of a structured buffer is whole structures");
    if (box->texture && box->texture->resource.usage & AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL &&
        !(flags & AEROGPU_EXT_UPDATE_INITIAL))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a depth target cannot be updated");
    return check_multisampled(execution, box);
}

/* Rows of texels or blocks in one slice of a box, or bytes of a buffer's box. */
struct part {
    uint32_t slice;
    uint64_t first, count; /* rows; bytes of a buffer */
};

static bool write_part(struct ag_execution *execution, const struct ag_subresource_box *box,
                       const struct ag_box_layout *layout, const struct part *part, const uint8_t *bytes,
                       uint64_t pitch)
{
    if (box->buffer)
        return ag_buffer_write(execution->copier, box->buffer, box->x + part->first, bytes, part->count);
    const struct ag_host_format *format = box->texture->format;
    const struct ag_copy_side side = ag_box_side(box, part->slice);
    const struct ag_unit_rect rect = {side.mip,
                                      side.slice,
                                      side.x / format->block_width,
                                      side.y / format->block_height + (uint32_t)part->first,
                                      (uint32_t)(layout->row_bytes / format->bytes),
                                      (uint32_t)part->count};
    return ag_texture_pull(execution->copier, box->texture) &&
           ag_texture_write_rect(execution->copier, box->texture, &rect, bytes, pitch);
}

/* Where a part begins among the bytes that are given. */
static uint64_t first_byte(const struct ag_box_layout *layout, const struct part *part)
{
    return part->slice * layout->slice_pitch + part->first * layout->row_pitch;
}

/* Reads the rows alone: a pitch may be far larger than a row, and the bytes between rows are not read. */
static bool read_part(struct ag_execution *execution, const struct ag_box_layout *layout,
                      const struct part *part, uint64_t gpa, uint8_t *to)
{
    const uint64_t first = gpa + first_byte(layout, part);
    if (layout->row_pitch == layout->row_bytes)
        return ag_guest_read(execution->host, first, to, part->count * layout->row_bytes);
    for (uint64_t row = 0; row < part->count; row++, to += layout->row_bytes)
        if (!ag_guest_read(execution->host, first + row * layout->row_pitch, to, layout->row_bytes))
            return false;
    return true;
}

static bool pull_part(struct ag_execution *execution, const struct ag_subresource_box *box,
                      const struct ag_box_layout *layout, const struct part *part, uint64_t gpa)
{
    const uint8_t *mapped = ag_guest_map(execution->host, gpa + first_byte(layout, part),
                                         (part->count - 1) * layout->row_pitch + layout->row_bytes);
    if (mapped)
        return write_part(execution, box, layout, part, mapped, layout->row_pitch);
    uint8_t *bytes = malloc((size_t)(part->count * layout->row_bytes));
    if (!bytes) {
        ag_host_no_memory(execution->host);
        return false;
    }
    const bool done = read_part(execution, layout, part, gpa, bytes) &&
                      write_part(execution, box, layout, part, bytes, layout->row_bytes);
    free(bytes);
    return done;
}

/* Bytes of a buffer are rows of one byte, so that parts may end anywhere. */
static struct ag_box_layout rows_of(const struct ag_subresource_box *box, const struct ag_box_layout *layout)
{
    struct ag_box_layout rows = *layout;
    if (!box->buffer)
        return rows;
    rows.rows = 0;
    rows.row_bytes = rows.row_pitch = 1;
    return rows;
}

/* The bytes of an update: in the packet, or in guest memory where `data` is null. */
struct update_source {
    const uint8_t *data;
    uint64_t gpa;
};

static bool store_part(struct ag_execution *execution, const struct ag_subresource_box *box,
                       const struct ag_box_layout *layout, const struct part *part,
                       const struct update_source *source)
{
    return source->data ? write_part(execution, box, layout, part, source->data + first_byte(layout, part),
                                     layout->row_pitch)
                        : pull_part(execution, box, layout, part, source->gpa);
}

/* Stores a part of the rows, in some slices at most. */
static enum agpu_status store(struct ag_execution *execution, const struct ag_subresource_box *box,
                              const struct ag_box_layout *layout, const struct update_source *source)
{
    struct ag_progress *progress = &execution->progress;
    const struct ag_box_layout rows = rows_of(box, layout);
    const uint64_t rows_of_slice = box->buffer ? box->width : rows.rows, all = rows_of_slice * box->depth;
    const uint64_t bytes = box->buffer ? AG_PART_UPLOADED_BYTES : ag_texture_part_bytes(box->texture);
    const uint64_t most = rows.row_bytes < bytes ? bytes / rows.row_bytes : 1;
    uint64_t at = progress->done, left = most;
    execution->host->counts.uploads += ag_progress_is_new(progress);
    if (box->buffer && ag_progress_is_new(progress) && all > most)
        ag_buffer_write_begin(execution->copier, box->buffer, box->x, box->width);
    for (uint32_t n = 0; at < all && left > 0 && n < AG_PART_PASSES; n++) {
        struct part part = {(uint32_t)(at / rows_of_slice), at % rows_of_slice, 0};
        part.count = rows_of_slice - part.first < left ? rows_of_slice - part.first : left;
        if (!store_part(execution, box, &rows, &part, source))
            return AGPU_REFUSED;
        at += part.count;
        left -= part.count;
    }
    if (at < all)
        ag_progress_pause(progress, at);
    return AGPU_OK;
}

enum agpu_status ag_on_ext_update_subresource(struct ag_execution *execution,
                                              const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_update_subresource *wire = AGPU_PACKET(packet, ext_update_subresource);
    struct ag_subresource_box box;
    struct ag_box_layout layout;
    enum agpu_status status =
        ag_subresource_box(execution->copier, wire->resource_handle, wire->subresource,
                           wire->flags & AEROGPU_EXT_UPDATE_BOX ? &wire->box : NULL, &box);
    if (status == AGPU_OK)
        status = check_update(execution, wire->flags, &box);
    if (status != AGPU_OK || box.empty)
        return status;
    if (box.texture)
        ag_kept_draw_note(execution->drawer->kept, AG_CHANGES_ALL, AGPU_STAGE_COUNT);
    ag_box_layout(&box, wire->row_pitch_bytes, wire->depth_pitch_bytes, &layout);
    struct update_source source = {0};
    if (wire->source_alloc_id) {
        if (!ag_guest_resolve(execution->host, wire->source_alloc_id, wire->source_offset_bytes, layout.bytes,
                              false, &source.gpa))
            return AGPU_REFUSED;
        return store(execution, &box, &layout, &source);
    }
    if (wire->data_size_bytes < layout.bytes)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_RANGE,
                            "the box has %" PRIu64 " bytes, the packet %" PRIu32, layout.bytes,
                            wire->data_size_bytes);
    source.data = packet->payload;
    return store(execution, &box, &layout, &source);
}

/* ---- Map for reading ---------------------------------------------------------------------------------- */

/* Reads a part of a box of a texture that is in use: some slices, or some rows of one. */
static enum agpu_status read_texels(struct ag_execution *execution, const struct ag_subresource_box *box,
                                    const struct ag_box_layout *layout, uint64_t gpa)
{
    struct ag_progress *progress = &execution->progress;
    const struct ag_texture *texture = box->texture;
    const uint32_t block_height = texture->format->block_height, width = (uint32_t)box->width;
    const uint32_t slice = (uint32_t)(progress->done / layout->rows);
    const uint32_t row = (uint32_t)(progress->done % layout->rows), y = row * block_height;
    uint32_t rows = ag_copy_rows_at_once(texture, width, layout->rows), slices = 1;
    if (rows == layout->rows)
        slices = ag_copy_slices_at_once(texture, width, rows);
    if (rows > layout->rows - row)
        rows = layout->rows - row;
    if (slices > box->depth - slice)
        slices = box->depth - slice;
    struct ag_copy_reading reading = {
        .side = ag_box_side(box, slice),
        .width = width,
        .height = box->height - y < rows * block_height ? box->height - y : rows * block_height,
        .slices = slices,
        .gpa = gpa + slice * layout->slice_pitch + row * layout->row_pitch,
        .pitch = layout->row_pitch,
        .slice_pitch = layout->slice_pitch,
    };
    reading.side.y += y;
    const enum agpu_status status = ag_copy_read_texels(execution->copier, &reading);
    const uint64_t done = progress->done + (uint64_t)slices * rows;
    if (status == AGPU_OK && done < (uint64_t)layout->rows * box->depth)
        ag_progress_pause(progress, done);
    return status;
}

/* Reads a part of the box `box` of a buffer that is in use. */
static enum agpu_status read_bytes(struct ag_execution *execution, const struct ag_subresource_box *box,
                                   uint64_t gpa)
{
    struct ag_progress *progress = &execution->progress;
    const uint64_t done = progress->done, left = box->width - done;
    const uint64_t size = left < AG_PART_BYTES ? left : AG_PART_BYTES;
    const enum agpu_status status =
        ag_copy_read_buffer(execution->copier, box->buffer, box->x + done, size, gpa + done);
    if (status == AGPU_OK && size < left)
        ag_progress_pause(progress, done + size);
    return status;
}

static enum agpu_status read_box(struct ag_execution *execution, const struct ag_subresource_box *box,
                                 const struct ag_box_layout *layout, uint64_t gpa)
{
    if (!(box->buffer ? ag_buffer_use(execution->copier, box->buffer)
                      : ag_texture_use(execution->copier, box->texture)))
        return AGPU_REFUSED;
    return box->buffer ? read_bytes(execution, box, gpa) : read_texels(execution, box, layout, gpa);
}

enum agpu_status ag_on_ext_read_subresource(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_read_subresource *wire = AGPU_PACKET(packet, ext_read_subresource);
    struct ag_subresource_box box;
    struct ag_box_layout layout;
    uint64_t gpa;
    if (wire->flags & ~(uint32_t)AEROGPU_EXT_UPDATE_BOX)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "no reading has the flags 0x%" PRIx32,
                            wire->flags);
    enum agpu_status status = ag_subresource_box(execution->copier, wire->resource_handle, wire->subresource,
                                                 wire->flags ? &wire->box : NULL, &box);
    if (status == AGPU_OK)
        status = check_multisampled(execution, &box);
    if (status != AGPU_OK || box.empty)
        return status;
    ag_box_layout(&box, wire->row_pitch_bytes, wire->depth_pitch_bytes, &layout);
    if (!ag_guest_resolve(execution->host, wire->target_alloc_id, wire->target_offset_bytes, layout.bytes,
                          true, &gpa))
        return AGPU_REFUSED;
    return read_box(execution, &box, &layout, gpa);
}

/* ---- Copies ------------------------------------------------------------------------------------------- */

/* The box of the destination for the box `from` of the source. Whole blocks are copied, of which a small mip
 * has not all texels. */
static enum agpu_status place(struct ag_execution *execution, uint32_t handle, uint32_t subresource,
                              const uint32_t at[3], const struct ag_subresource_box *from,
                              struct ag_subresource_box *to)
{
    enum agpu_status status = ag_subresource_box(execution->copier, handle, subresource, NULL, to);
    if (status != AGPU_OK)
        return status;
    if ((to->texture != NULL) != (from->texture != NULL))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "nothing is copied between buffers and textures");
    struct aerogpu_ext_box box = {at[0], at[1], at[2], 0, 0, 0};
    uint64_t right = at[0] + from->width, bottom = at[1] + (uint64_t)from->height,
             back = at[2] + (uint64_t)from->depth;
    if (to->texture) {
        const struct ag_host_format *target = to->texture->format, *source = from->texture->format;
        right = at[0] + ag_end_of_blocks(from->width, source->block_width) / source->block_width *
                            target->block_width;
        bottom = at[1] + ag_end_of_blocks(from->height, source->block_height) / source->block_height *
                             target->block_height;
    }
    box.right = right > UINT32_MAX ? UINT32_MAX : (uint32_t)right;
    box.bottom = bottom > UINT32_MAX ? UINT32_MAX : (uint32_t)bottom;
    box.back = back > UINT32_MAX ? UINT32_MAX : (uint32_t)back;
    if (!to->texture && right > to->buffer->size)
        box.right = UINT32_MAX;
    return ag_subresource_box(execution->copier, handle, subresource, &box, to);
}

/* Whether both boxes are the same texels of one subresource, of which a copy changes nothing. */
static bool is_same_box(const struct ag_subresource_box *to, const struct ag_subresource_box *from)
{
    return to->buffer == from->buffer && to->texture == from->texture && to->mip == from->mip &&
           to->layer == from->layer && to->x == from->x && to->y == from->y && to->z == from->z;
}

/* Copies a part's worth of slices, each of which may go through a buffer, or one strip of one. */
static enum agpu_status copy_textures(struct ag_execution *execution, const struct ag_subresource_box *to,
                                      const struct ag_subresource_box *from)
{
    struct ag_progress *progress = &execution->progress;
    const struct ag_copy_side first_to = ag_box_side(to, 0), first_from = ag_box_side(from, 0);
    const uint32_t strips = ag_copy_strips(&first_from, &first_to, (uint32_t)from->width, from->height);
    const uint64_t all = (uint64_t)from->depth * strips, left = all - progress->done;
    const uint64_t most = strips > 1 ? 1 : AG_PART_PASSES;
    const uint64_t end = progress->done + ag_lesser(left, most);
    enum agpu_status status = AGPU_OK;
    if (!ag_texture_use(execution->copier, from->texture) || !ag_texture_use(execution->copier, to->texture))
        return AGPU_REFUSED;
    const bool backwards = to->texture == from->texture && to->z > from->z; /* slices may overlap */
    uint64_t n = progress->done;
    for (; n < end && status == AGPU_OK; n++) {
        if (n > progress->done && !ag_throttle_has_room(execution->recorder))
            break;
        const uint32_t slice = (uint32_t)(n / strips), i = backwards ? from->depth - 1 - slice : slice;
        const struct ag_copy_side destination = ag_box_side(to, i), source = ag_box_side(from, i);
        status = ag_copy_strip(execution->copier, &destination, &source, (uint32_t)from->width, from->height,
                               (uint32_t)(n % strips));
    }
    ag_texture_written(to->texture);
    if (status == AGPU_OK && n < all)
        ag_progress_pause(progress, n);
    return status;
}

/* Checks that the destination has writable guest memory for the write-back. */
static enum agpu_status check_written_back(struct ag_execution *execution,
                                           const struct ag_subresource_box *to)
{
    uint64_t gpa;
    if (to->buffer)
        return ag_copy_check_write_back(execution->copier, &to->buffer->resource, to->x, to->width, &gpa);
    for (uint32_t i = 0; i < to->depth; i++) {
        const struct ag_copy_side side = ag_box_side(to, i);
        enum agpu_status status =
            ag_copy_check_rect(execution->copier, &side, (uint32_t)to->width, to->height, &gpa);
        if (status != AGPU_OK)
            return status;
    }
    return AGPU_OK;
}

/* Reads a part of a box that has guest memory behind it, into that memory. */
static enum agpu_status write_back(struct ag_execution *execution, const struct ag_subresource_box *to)
{
    enum agpu_status status;
    uint64_t gpa;
    if (!to->texture) {
        status = ag_copy_check_write_back(execution->copier, &to->buffer->resource, to->x, to->width, &gpa);
        return status == AGPU_OK ? read_bytes(execution, to, gpa) : status;
    }
    const struct ag_mip_layout *mip = &to->texture->layout.mips[to->mip];
    const struct ag_copy_side first = ag_box_side(to, 0);
    struct ag_box_layout layout;
    status = ag_copy_check_rect(execution->copier, &first, (uint32_t)to->width, to->height, &gpa);
    if (status != AGPU_OK)
        return status;
    ag_box_layout(to, 0, 0, &layout);
    layout.row_pitch = mip->pitch_bytes;
    layout.slice_pitch = mip->slice_bytes;
    return read_texels(execution, to, &layout, gpa);
}

/* Direct3D copies depth-stencil and multisampled textures only in whole subresources. */
static enum agpu_status check_wholes(struct ag_execution *execution, const struct ag_subresource_box *to,
                                     const struct ag_subresource_box *from)
{
    const struct ag_texture *texture = from->texture;
    if ((is_depth(texture) || is_depth(to->texture) || texture->sample_count > 1) &&
        (!from->whole || !to->whole))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "depth and multisampled textures are copied by whole subresources");
    return AGPU_OK;
}

#define STAGES_OF_COPY 2

/* What is copied between two boxes, and then read back when the packet asks for that. Each is a stage of the
 * progress, from `first` on. */
static enum agpu_status copy_boxes(struct ag_execution *execution, const struct ag_subresource_box *to,
                                   const struct ag_subresource_box *from, uint32_t flags, uint64_t first)
{
    struct ag_progress *progress = &execution->progress;
    const bool writes_back = (flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
    enum agpu_status status = AGPU_OK;
    if (to->texture)
        status = check_wholes(execution, to, from);
    if (status == AGPU_OK && writes_back)
        status = check_written_back(execution, to);
    if (status != AGPU_OK)
        return status;
    if (progress->stage == first) {
        execution->host->counts.copies += progress->done == 0;
        if (!is_same_box(to, from))
            status = to->buffer ? ag_copy_bytes(execution->copier, to->buffer, to->x, from->buffer, from->x,
                                                from->width, progress)
                                : copy_textures(execution, to, from);
        if (status != AGPU_OK || progress->more)
            return status;
        *progress = (struct ag_progress){.stage = first + 1};
    }
    return writes_back ? write_back(execution, to) : AGPU_OK;
}

enum agpu_status ag_on_ext_copy_subresource_region(struct ag_execution *execution,
                                                   const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_copy_subresource_region *wire =
        AGPU_PACKET(packet, ext_copy_subresource_region);
    const uint32_t at[3] = {wire->dst_x, wire->dst_y, wire->dst_z};
    struct ag_subresource_box to = {0}, from = {0};
    enum agpu_status status = ag_copy_check_flags(execution->copier, wire->flags);
    if (status == AGPU_OK && wire->box_flags & ~(uint32_t)AEROGPU_EXT_UPDATE_BOX)
        status = ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                              "no copy has the box flags 0x%" PRIx32, wire->box_flags);
    if (status == AGPU_OK)
        status = ag_subresource_box(execution->copier, wire->src_resource, wire->src_subresource,
                                    wire->box_flags ? &wire->box : NULL, &from);
    if (status != AGPU_OK || from.empty)
        return status;
    status = place(execution, wire->dst_resource, wire->dst_subresource, at, &from, &to);
    if (status == AGPU_OK && to.texture)
        status = ag_copy_check_formats(execution->copier, to.texture, from.texture);
    return status == AGPU_OK ? copy_boxes(execution, &to, &from, wire->flags, 0) : status;
}

static bool same_units(const struct ag_texture *to, const struct ag_texture *from, uint32_t mip)
{
    const struct ag_host_format *const a = to->format, *const b = from->format;
    return ag_end_of_blocks(ag_mip_size(to->width, mip), a->block_width) / a->block_width ==
               ag_end_of_blocks(ag_mip_size(from->width, mip), b->block_width) / b->block_width &&
           ag_end_of_blocks(ag_mip_size(to->height, mip), a->block_height) / a->block_height ==
               ag_end_of_blocks(ag_mip_size(from->height, mip), b->block_height) / b->block_height;
}

/* Between blocks and texels every mip has as many of one as of the other. */
static bool same_shape(const struct ag_texture *to, const struct ag_texture *from)
{
    if (to->dimension != from->dimension || to->depth != from->depth || to->mips != from->mips ||
        to->layers != from->layers)
        return false;
    if (to->format->block_width == from->format->block_width &&
        to->format->block_height == from->format->block_height)
        return to->width == from->width && to->height == from->height;
    for (uint32_t mip = 0; mip < to->mips; mip++)
        if (!same_units(to, from, mip))
            return false;
    return true;
}

enum agpu_status ag_on_ext_copy_resource(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_copy_resource *wire = AGPU_PACKET(packet, ext_copy_resource);
    struct ag_subresource_box to = {0}, from = {0};
    enum agpu_status status = ag_copy_check_flags(execution->copier, wire->flags);
    if (status == AGPU_OK)
        status = ag_subresource_box(execution->copier, wire->src_resource, 0, NULL, &from);
    if (status == AGPU_OK)
        status = ag_subresource_box(execution->copier, wire->dst_resource, 0, NULL, &to);
    if (status != AGPU_OK)
        return status;
    if (to.texture == from.texture && to.buffer == from.buffer)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a resource cannot be copied onto itself");
    if ((to.texture != NULL) != (from.texture != NULL) ||
        (to.texture ? !same_shape(to.texture, from.texture) : to.buffer->size != from.buffer->size))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a resource is copied to one of its size and kind");
    if (to.texture)
        status = ag_copy_check_formats(execution->copier, to.texture, from.texture);
    if (status != AGPU_OK)
        return status;
    struct ag_progress *progress = &execution->progress;
    const uint32_t count = to.texture ? to.texture->mips * to.texture->layers : 1;
    const uint32_t begin = (uint32_t)(progress->stage / STAGES_OF_COPY);
    for (uint32_t i = begin; i < count && status == AGPU_OK; i++) {
        if (i == begin + AG_PART_PASSES || (i > begin && !ag_throttle_has_room(execution->recorder))) {
            ag_progress_pause(progress, 0);
            return AGPU_OK;
        }
        status = ag_subresource_box(execution->copier, wire->src_resource, i, NULL, &from);
        if (status == AGPU_OK)
            status = ag_subresource_box(execution->copier, wire->dst_resource, i, NULL, &to);
        if (status == AGPU_OK)
            status = copy_boxes(execution, &to, &from, wire->flags, i * (uint64_t)STAGES_OF_COPY);
        if (progress->more)
            return status;
        *progress = (struct ag_progress){.stage = (i + UINT64_C(1)) * STAGES_OF_COPY};
    }
    return status;
}

/* A resolve of one sample is a copy. */
static bool is_plain_copy(struct ag_execution *execution,
                          const struct aerogpu_cmd_ext_resolve_subresource *wire)
{
    const struct ag_texture *to = ag_handle_texture(execution->objects, wire->dst_texture);
    const struct ag_texture *from = ag_handle_texture(execution->objects, wire->src_texture);
    return to && from && to->sample_count == 1 && from->sample_count == 1;
}

static enum agpu_status copy_one_sample(struct ag_execution *execution,
                                        const struct aerogpu_cmd_ext_resolve_subresource *wire)
{
    struct ag_subresource_box to = {0}, from = {0};
    enum agpu_status status =
        ag_subresource_box(execution->copier, wire->src_texture, wire->src_subresource, NULL, &from);
    if (status == AGPU_OK)
        status = ag_subresource_box(execution->copier, wire->dst_texture, wire->dst_subresource, NULL, &to);
    if (status == AGPU_OK && (to.width != from.width || to.height != from.height || to.depth != from.depth))
        status = ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a resolve does not change the size");
    if (status == AGPU_OK)
        status = ag_copy_check_formats(execution->copier, to.texture, from.texture);
    return status == AGPU_OK ? copy_boxes(execution, &to, &from, wire->flags, 0) : status;
}

enum agpu_status ag_on_ext_resolve_subresource(struct ag_execution *execution,
                                               const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_resolve_subresource *wire = AGPU_PACKET(packet, ext_resolve_subresource);
    const bool writes_back = (wire->flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
    struct ag_subresource_box to = {0};
    enum agpu_status status = ag_copy_check_flags(execution->copier, wire->flags);
    if (status == AGPU_OK && is_plain_copy(execution, wire))
        return copy_one_sample(execution, wire);
    if (status == AGPU_OK)
        status = ag_subresource_box(execution->copier, wire->dst_texture, wire->dst_subresource, NULL, &to);
    if (status == AGPU_OK && writes_back && to.texture)
        status = check_written_back(execution, &to);
    if (status == AGPU_OK && ag_progress_is_new(&execution->progress))
        status = ag_samples_resolve(execution->copier, wire);
    if (status != AGPU_OK || !writes_back)
        return status;
    execution->progress.stage = 1;
    return write_back(execution, &to);
}

/* ---- Discards, which may keep the contents ------------------------------------------------------------ */

enum agpu_status ag_on_ext_discard_resource(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, ext_discard_resource)->resource_handle;
    if (ag_handle_buffer(execution->objects, handle) || ag_handle_texture(execution->objects, handle))
        return AGPU_OK;
    return ag_host_drop_handle(execution->host, AG_SPACE_RESOURCES, handle,
                               "handle %" PRIu32 " names no buffer or texture", handle);
}

enum agpu_status ag_on_ext_discard_view(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, ext_discard_view)->view_handle;
    if (ag_handle_any_view(execution->objects, handle))
        return AGPU_OK;
    return ag_host_drop_handle(execution->host, AG_SPACE_RESOURCES, handle,
                               "handle %" PRIu32 " names no view", handle);
}
