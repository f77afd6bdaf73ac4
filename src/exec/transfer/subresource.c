/* SPDX-License-Identifier: MIT */
#include "exec/transfer/subresource.h"

#include <inttypes.h>

#include "abi/texture_layout.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/copy.h"
#include "format/format.h"

static enum agpu_status no_subresource(struct ag_copier *copier, uint32_t handle, uint32_t subresource)
{
    return ag_host_drop(copier->host, AGPU_DIAG_EXEC_RANGE,
                        "resource %" PRIu32 " has no subresource %" PRIu32, handle, subresource);
}

static enum agpu_status leaves(struct ag_copier *copier, uint32_t handle, const struct aerogpu_ext_box *box)
{
    return ag_host_drop(copier->host, AGPU_DIAG_EXEC_RANGE,
                        "the box from %" PRIu32 ", %" PRIu32 ", %" PRIu32 " to %" PRIu32 ", %" PRIu32
                        ", %" PRIu32 " leaves a subresource of resource %" PRIu32,
                        box->left, box->top, box->front, box->right, box->bottom, box->back, handle);
}

static bool is_empty(const struct aerogpu_ext_box *box)
{
    return box->left >= box->right || box->top >= box->bottom || box->front >= box->back;
}

static enum agpu_status box_of_buffer(struct ag_copier *copier, uint32_t handle,
                                      const struct aerogpu_ext_box *box, struct ag_subresource_box *out)
{
    out->height = out->depth = 1;
    out->width = out->buffer->size;
    out->whole = true;
    if (!box)
        return AGPU_OK;
    if (box->top != 0 || box->bottom != 1 || box->front != 0 || box->back != 1 ||
        box->right > out->buffer->size)
        return leaves(copier, handle, box);
    out->x = box->left;
    out->width = box->right - box->left;
    out->whole = out->width == out->buffer->size;
    return AGPU_OK;
}

static bool cuts(uint32_t begin, uint32_t end, uint32_t size, uint32_t block)
{
    return begin % block != 0 || (end % block != 0 && end != size);
}

/* The end of a box that may include the texels of the last block that are beyond the mip. */
static uint32_t inside(uint32_t end, uint32_t size, uint32_t block)
{
    return end > size && end <= ag_end_of_blocks(size, block) ? size : end;
}

static enum agpu_status box_of_texture(struct ag_copier *copier, uint32_t handle,
                                       const struct aerogpu_ext_box *box, struct ag_subresource_box *out)
{
    const struct ag_texture *texture = out->texture;
    const struct ag_mip_layout *mip = &texture->layout.mips[out->mip];
    const uint32_t block_width = texture->format->block_width, block_height = texture->format->block_height;
    out->width = mip->width;
    out->height = mip->height;
    out->depth = mip->slices;
    out->whole = true;
    if (!box)
        return AGPU_OK;
    const uint32_t right = inside(box->right, mip->width, block_width),
                   bottom = inside(box->bottom, mip->height, block_height);
    if (right > mip->width || bottom > mip->height || box->back > mip->slices)
        return leaves(copier, handle, box);
    if (cuts(box->left, right, mip->width, block_width) || cuts(box->top, bottom, mip->height, block_height))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "the box cuts through blocks of %" PRIu32 "x%" PRIu32 " texels", block_width,
                            block_height);
    out->x = box->left;
    out->y = box->top;
    out->z = box->front;
    out->width = right - box->left;
    out->height = bottom - box->top;
    out->depth = box->back - box->front;
    out->whole = out->width == mip->width && out->height == mip->height && out->depth == mip->slices;
    return AGPU_OK;
}

enum agpu_status ag_subresource_box(struct ag_copier *copier, uint32_t handle, uint32_t subresource,
                                    const struct aerogpu_ext_box *box, struct ag_subresource_box *out)
{
    *out = (struct ag_subresource_box){
        .texture = ag_handle_texture(copier->objects, handle),
        .buffer = ag_handle_buffer(copier->objects, handle),
    };
    if (!out->texture && !out->buffer)
        return ag_host_drop_handle(copier->host, AG_SPACE_RESOURCES, handle,
                                   "handle %" PRIu32 " names no buffer or texture", handle);
    out->empty = box && is_empty(box);
    if (out->buffer)
        return subresource != 0 ? no_subresource(copier, handle, subresource)
               : out->empty     ? AGPU_OK
                                : box_of_buffer(copier, handle, box, out);
    if (subresource >= (uint64_t)out->texture->mips * out->texture->layers)
        return no_subresource(copier, handle, subresource);
    out->mip = subresource % out->texture->mips;
    out->layer = subresource / out->texture->mips;
    return out->empty ? AGPU_OK : box_of_texture(copier, handle, box, out);
}

void ag_box_layout(const struct ag_subresource_box *box, uint32_t row_pitch, uint32_t depth_pitch,
                   struct ag_box_layout *layout)
{
    const struct ag_host_format *format = box->texture ? box->texture->format : NULL;
    const uint32_t block_width = format ? format->block_width : 1;
    const uint32_t block_height = format ? format->block_height : 1;
    layout->rows = (box->height + block_height - 1) / block_height;
    layout->row_bytes = (box->width + block_width - 1) / block_width * (format ? format->bytes : 1);
    layout->row_pitch = row_pitch ? row_pitch : layout->row_bytes;
    const uint64_t slice_bytes = layout->row_pitch * (layout->rows - 1) + layout->row_bytes;
    layout->slice_pitch = depth_pitch ? depth_pitch : layout->row_pitch * layout->rows;
    layout->bytes =
        layout->slice_pitch * (box->depth - 1) + slice_bytes; /* factors of 32 bits do not overflow */
}

struct ag_copy_side ag_box_side(const struct ag_subresource_box *box, uint32_t slice)
{
    return (struct ag_copy_side){
        .texture = box->texture,
        .mip = box->mip,
        .slice = box->texture->dimension == AG_TEXTURE_3D ? box->z + slice : box->layer,
        .x = (uint32_t)box->x,
        .y = box->y,
    };
}
