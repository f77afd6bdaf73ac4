/* SPDX-License-Identifier: MIT
 *
 * Uploads of the guest's bytes into textures, at the current point of the stream. Packet handlers and
 * texture_pull.h call these functions.
 */
#ifndef AG_EXEC_TRANSFER_TEXTURE_UPLOAD_H
#define AG_EXEC_TRANSFER_TEXTURE_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_copier;
struct ag_texture;
struct ag_unit_rect;

/* ---- The guest's bytes -------------------------------------------------------------------------------- */

/* Uploads bytes at an offset in packed layout, or a rectangle of one subresource with `pitch` bytes from
 * row to row. False when memory is exhausted (reported). */
bool ag_texture_write(struct ag_copier *copier, struct ag_texture *texture, uint64_t offset,
                      const uint8_t *data, uint64_t size);
bool ag_texture_write_rect(struct ag_copier *copier, struct ag_texture *texture,
                           const struct ag_unit_rect *rect, const uint8_t *data, uint64_t pitch);

/* How many bytes of guests are a part of an upload: conversions take longer than copies. */
uint64_t ag_texture_part_bytes(const struct ag_texture *texture);

/* How many of `size` bytes at an offset in packed layout are the next part of an upload, which ends between
 * two rows of texels or blocks. */
uint64_t ag_texture_part(const struct ag_texture *texture, uint64_t offset, uint64_t size);

/* ---- The host's texels -------------------------------------------------------------------------------- */

/* Memory for texels in the format of the WebGPU texture. The upload goes through the queue when no
 * recorded command uses the texture, else it is staged. */
struct ag_texture_upload {
    uint8_t *bytes; /* where the caller writes */
    uint64_t pitch; /* bytes from row to row */
    bool staged;    /* the bytes are in a slice of the upload ring, from which the encoder copies */
    WGPUBuffer buffer;
    uint64_t offset; /* of the slice */
};

/* Begin takes memory for `rows` rows; false when memory is exhausted (reported). The caller writes the
 * rows, and end uploads them to the texels at `origin`. */
bool ag_texture_upload_begin(struct ag_copier *copier, const struct ag_texture *texture, uint64_t row_bytes,
                             uint32_t rows, struct ag_texture_upload *upload);
void ag_texture_upload_end(struct ag_copier *copier, struct ag_texture *texture, uint32_t mip,
                           const WGPUOrigin3D *origin, const WGPUExtent3D *extent,
                           struct ag_texture_upload *upload);

#endif
