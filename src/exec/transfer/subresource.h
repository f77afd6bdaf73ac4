/* SPDX-License-Identifier: MIT
 *
 * Boxes of subresources as the extension's packets name them: mip + slice * mips, texels, and bytes of
 * buffers.
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

/* A box that is inside its subresource and does not cut through blocks. Of a buffer: x and width are bytes.
 */
struct ag_subresource_box {
    struct ag_texture *texture; /* or */
    struct ag_buffer *buffer;
    uint32_t mip, layer; /* layer 0 of volumes, whose slices are z */
    uint64_t x, width;
    uint32_t y, z, height, depth;
    bool whole; /* all of the subresource */
    bool empty; /* nothing is to be done */
};

/* Reported when not AGPU_OK. `box` null: the whole subresource. */
enum agpu_status ag_subresource_box(struct ag_copier *copier, uint32_t handle, uint32_t subresource,
                                    const struct aerogpu_ext_box *box, struct ag_subresource_box *out);

/* Where the bytes of a box are in linear memory. */
struct ag_box_layout {
    uint64_t row_bytes, row_pitch, slice_pitch;
    uint32_t rows;  /* of units */
    uint64_t bytes; /* from the first byte to the last */
};

/* Pitches of 0 are tight. Reported when not AGPU_OK. */
enum agpu_status ag_box_layout(struct ag_copier *copier, const struct ag_subresource_box *box,
                               uint32_t row_pitch, uint32_t depth_pitch, struct ag_box_layout *layout);
/* The slice of a box for copies. */
struct ag_copy_side ag_box_side(const struct ag_subresource_box *box, uint32_t slice);

#endif
