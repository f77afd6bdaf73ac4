/* SPDX-License-Identifier: MIT
 *
 * Boxes of subresources, as the extension's packets name them: subresource mip + layer * mips, a box in
 * texels, and in bytes for buffers. Packet handlers of transfers call these functions.
 */
#ifndef AG_EXEC_TRANSFER_SUBRESOURCE_H
#define AG_EXEC_TRANSFER_SUBRESOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "exec/transfer/copy.h"

struct aerogpu_ext_box;
struct ag_buffer;
struct ag_copier;
struct ag_texture;

/* A checked box: inside its subresource, with edges between blocks. */
struct ag_subresource_box {
    struct ag_texture *texture; /* null when the resource is a buffer */
    struct ag_buffer *buffer;   /* null when the resource is a texture */
    uint32_t mip, layer;        /* the layer of a volume is 0; its slices are z */
    uint64_t x, width;          /* texels, or bytes of a buffer */
    uint32_t y, z, height, depth;
    bool whole; /* the box is the whole subresource */
    bool empty; /* the box has no texels or bytes; the members above are not set, except the resource */
};

/* Checks a box of the resource that a handle names; `box` null means the whole subresource. Reported when not
 * AGPU_OK. */
enum agpu_status ag_subresource_box(struct ag_copier *copier, uint32_t handle, uint32_t subresource,
                                    const struct aerogpu_ext_box *box, struct ag_subresource_box *out);

/* How the bytes of a box lie in linear memory. */
struct ag_box_layout {
    uint64_t row_bytes, row_pitch, slice_pitch;
    uint32_t rows;  /* of texels or blocks, in each slice */
    uint64_t bytes; /* from the first to the last byte of the box */
};

/* Computes the layout of a box that is not empty. A pitch of 0 means no padding. With a pitch below a row or
 * a slice, rows or slices overlap (D3D11.3 5.5). */
void ag_box_layout(const struct ag_subresource_box *box, uint32_t row_pitch, uint32_t depth_pitch,
                   struct ag_box_layout *layout);

/* One slice of a box of a texture, from 0, as a side of a copy. */
struct ag_copy_side ag_box_side(const struct ag_subresource_box *box, uint32_t slice);

#endif
