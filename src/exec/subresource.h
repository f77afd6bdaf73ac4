/* SPDX-License-Identifier: MIT
 *
 * Boxes of subresources as the extension's packets name them: mip + slice * mips, texels, and bytes of
 * buffers.
 */
#ifndef AGPU_EXEC_SUBRESOURCE_H
#define AGPU_EXEC_SUBRESOURCE_H

#include "exec/copy.h"
#include "exec/object.h"

/* A box that is inside its subresource and does not cut through blocks. Of a buffer: x and width are bytes.
 */
struct agpu_subresource_box {
    struct agpu_texture *texture; /* or */
    struct agpu_buffer *buffer;
    uint32_t mip, layer; /* layer 0 of volumes, whose slices are z */
    uint64_t x, width;
    uint32_t y, z, height, depth;
    bool whole; /* all of the subresource */
    bool empty; /* nothing is to be done */
};

/* Reported when not AGPU_OK. `box` null: the whole subresource. */
enum agpu_status agpu_subresource_box(struct agpu_exec *exec, uint32_t handle, uint32_t subresource,
                                      const struct aerogpu_ext_box *box, struct agpu_subresource_box *out);

/* Where the bytes of a box are in linear memory. */
struct agpu_box_layout {
    uint64_t row_bytes, row_pitch, slice_pitch;
    uint32_t rows;  /* of units */
    uint64_t bytes; /* from the first byte to the last */
};
/* Pitches of 0 are tight. Reported when not AGPU_OK. */
enum agpu_status agpu_box_layout(struct agpu_exec *exec, const struct agpu_subresource_box *box,
                                 uint32_t row_pitch, uint32_t depth_pitch, struct agpu_box_layout *layout);

/* The slice of a box for copies. */
struct agpu_copy_side agpu_box_side(const struct agpu_subresource_box *box, uint32_t slice);

#endif
