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
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/object/texture.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/record/encoder.h"
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
    const uint32_t known =
        AEROGPU_EXT_UPDATE_BOX | AEROGPU_EXT_UPDATE_DISCARD | AEROGPU_EXT_UPDATE_NO_OVERWRITE;
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
    if (box->texture && box->texture->resource.usage & AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a depth target cannot be updated");
    return check_multisampled(execution, box);
}

static bool store(struct ag_execution *execution, const struct ag_subresource_box *box,
                  const struct ag_box_layout *layout, const uint8_t *data)
{
    execution->host->counts.uploads++;
    if (box->buffer)
        return ag_buffer_write(execution->copier, box->buffer, box->x, data, box->width);
    const struct ag_host_format *format = box->texture->format;
    if (!ag_texture_pull(execution->copier, box->texture))
        return false;
    for (uint32_t i = 0; i < box->depth; i++) {
        const struct ag_copy_side side = ag_box_side(box, i);
        const struct ag_unit_rect rect = {side.mip,
                                          side.slice,
                                          side.x / format->block_width,
                                          side.y / format->block_height,
                                          (uint32_t)(layout->row_bytes / format->bytes),
                                          layout->rows};
        if (!ag_texture_write_rect(execution->copier, box->texture, &rect, data + i * layout->slice_pitch,
                                   layout->row_pitch))
            return false;
    }
    return true;
}

/* Reads the rows alone: a pitch may be far larger than a row, and the bytes between rows are not read. */
static bool read_rows(struct ag_execution *execution, const struct ag_subresource_box *box,
                      const struct ag_box_layout *layout, uint64_t gpa, uint8_t *to)
{
    for (uint32_t slice = 0; slice < box->depth; slice++)
        for (uint32_t row = 0; row < layout->rows; row++, to += layout->row_bytes)
            if (!ag_guest_read(execution->host, gpa + slice * layout->slice_pitch + row * layout->row_pitch,
                               to, layout->row_bytes))
                return false;
    return true;
}

static enum agpu_status store_from_guest(struct ag_execution *execution, const struct ag_subresource_box *box,
                                         const struct ag_box_layout *layout, uint32_t alloc_id,
                                         uint64_t offset)
{
    struct ag_box_layout tight;
    uint64_t gpa;
    if (!ag_guest_resolve(execution->host, alloc_id, offset, layout->bytes, false, &gpa))
        return AGPU_REFUSED;
    ag_box_layout(box, 0, 0, &tight);
    uint8_t *bytes = malloc((size_t)tight.bytes);
    if (!bytes)
        return ag_host_no_memory(execution->host);
    bool done = tight.row_pitch == layout->row_pitch && tight.slice_pitch == layout->slice_pitch
                    ? ag_guest_read(execution->host, gpa, bytes, tight.bytes)
                    : read_rows(execution, box, layout, gpa, bytes);
    done = done && store(execution, box, &tight, bytes);
    free(bytes);
    return done ? AGPU_OK : AGPU_REFUSED;
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
    ag_box_layout(&box, wire->row_pitch_bytes, wire->depth_pitch_bytes, &layout);
    if (wire->source_alloc_id)
        return store_from_guest(execution, &box, &layout, wire->source_alloc_id, wire->source_offset_bytes);
    if (wire->data_size_bytes < layout.bytes)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_RANGE,
                            "the box has %" PRIu64 " bytes, the packet %" PRIu32, layout.bytes,
                            wire->data_size_bytes);
    return store(execution, &box, &layout, packet->payload) ? AGPU_OK : AGPU_REFUSED;
}

/* ---- Map for reading ---------------------------------------------------------------------------------- */

static enum agpu_status read_box(struct ag_execution *execution, const struct ag_subresource_box *box,
                                 const struct ag_box_layout *layout, uint64_t gpa)
{
    enum agpu_status status = AGPU_OK;
    if (box->buffer) {
        if (!ag_buffer_use(execution->copier, box->buffer))
            return AGPU_REFUSED;
        return ag_copy_read_buffer(execution->copier, box->buffer, box->x, box->width, gpa);
    }
    if (!ag_texture_use(execution->copier, box->texture))
        return AGPU_REFUSED;
    for (uint32_t i = 0; i < box->depth && status == AGPU_OK; i++) {
        const struct ag_copy_side side = ag_box_side(box, i);
        status = ag_copy_read_rect(execution->copier, &side, (uint32_t)box->width, box->height,
                                   gpa + i * layout->slice_pitch, layout->row_pitch);
    }
    return status;
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

static enum agpu_status copy_textures(struct ag_execution *execution, const struct ag_subresource_box *to,
                                      const struct ag_subresource_box *from)
{
    enum agpu_status status = AGPU_OK;
    if (!ag_texture_use(execution->copier, from->texture) || !ag_texture_use(execution->copier, to->texture))
        return AGPU_REFUSED;
    const bool backwards = to->texture == from->texture && to->z > from->z; /* slices may overlap */
    for (uint32_t n = 0; n < from->depth && status == AGPU_OK; n++) {
        const uint32_t i = backwards ? from->depth - 1 - n : n;
        const struct ag_copy_side destination = ag_box_side(to, i), source = ag_box_side(from, i);
        status = ag_copy_rect(execution->copier, &destination, &source, (uint32_t)from->width, from->height);
    }
    ag_texture_written(to->texture);
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

static enum agpu_status write_back(struct ag_execution *execution, const struct ag_subresource_box *to)
{
    enum agpu_status status = AGPU_OK;
    uint64_t gpa;
    if (!to->texture) {
        status = ag_copy_check_write_back(execution->copier, &to->buffer->resource, to->x, to->width, &gpa);
        return status == AGPU_OK ? ag_copy_read_buffer(execution->copier, to->buffer, to->x, to->width, gpa)
                                 : status;
    }
    for (uint32_t i = 0; i < to->depth && status == AGPU_OK; i++) {
        const struct ag_copy_side side = ag_box_side(to, i);
        status = ag_copy_check_rect(execution->copier, &side, (uint32_t)to->width, to->height, &gpa);
        if (status == AGPU_OK)
            status = ag_copy_read_rect(execution->copier, &side, (uint32_t)to->width, to->height, gpa,
                                       to->texture->layout.mips[to->mip].pitch_bytes);
    }
    return status;
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

static enum agpu_status copy_boxes(struct ag_execution *execution, const struct ag_subresource_box *to,
                                   const struct ag_subresource_box *from, uint32_t flags)
{
    enum agpu_status status = AGPU_OK;
    if (to->texture)
        status = check_wholes(execution, to, from);
    if (status == AGPU_OK && flags & AEROGPU_COPY_FLAG_WRITEBACK_DST)
        status = check_written_back(execution, to);
    if (status != AGPU_OK)
        return status;
    execution->host->counts.copies++;
    if (!is_same_box(to, from))
        status = to->buffer
                     ? ag_copy_bytes(execution->copier, to->buffer, to->x, from->buffer, from->x, from->width)
                     : copy_textures(execution, to, from);
    if (status == AGPU_OK && flags & AEROGPU_COPY_FLAG_WRITEBACK_DST)
        status = write_back(execution, to);
    return status;
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
    return status == AGPU_OK ? copy_boxes(execution, &to, &from, wire->flags) : status;
}

static bool same_shape(const struct ag_texture *to, const struct ag_texture *from)
{
    return to->dimension == from->dimension && to->width == from->width && to->height == from->height &&
           to->depth == from->depth && to->mips == from->mips && to->layers == from->layers &&
           to->format->block_width == from->format->block_width;
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
    const uint32_t count = to.texture ? to.texture->mips * to.texture->layers : 1;
    for (uint32_t i = 0; i < count && status == AGPU_OK; i++) {
        status = ag_subresource_box(execution->copier, wire->src_resource, i, NULL, &from);
        if (status == AGPU_OK)
            status = ag_subresource_box(execution->copier, wire->dst_resource, i, NULL, &to);
        if (status == AGPU_OK)
            status = copy_boxes(execution, &to, &from, wire->flags);
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
    return status == AGPU_OK ? copy_boxes(execution, &to, &from, wire->flags) : status;
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
    if (status == AGPU_OK)
        status = ag_samples_resolve(execution->copier, wire);
    return status == AGPU_OK && writes_back ? write_back(execution, &to) : status;
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
