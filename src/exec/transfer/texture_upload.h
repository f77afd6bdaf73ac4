/* SPDX-License-Identifier: MIT
 *
 * Bytes in the guest's packed layout into textures.
 */
#ifndef AG_EXEC_TRANSFER_TEXTURE_UPLOAD_H
#define AG_EXEC_TRANSFER_TEXTURE_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_copier;
struct ag_texture;
struct ag_unit_rect;

/* Bytes in packed layout at this point of the stream. False when it was reported. */
bool ag_texture_write(struct ag_copier *copier, struct ag_texture *texture, uint64_t offset,
                      const uint8_t *data, uint64_t size);
bool ag_texture_write_rect(struct ag_copier *copier, struct ag_texture *texture,
                           const struct ag_unit_rect *rect, const uint8_t *data, uint64_t pitch);

/* Memory for texels on their way into a texture, in the texture's own bytes. Texels take effect at this point
 * of the stream. False when memory is exhausted (reported). */
struct ag_texture_upload {
    uint8_t *bytes;
    uint64_t pitch; /* from row to row */
    bool staged;    /* through the encoder, since it has used the texture */
    WGPUBuffer buffer;
    uint64_t offset;
};

bool ag_texture_upload_begin(struct ag_copier *copier, const struct ag_texture *texture, uint64_t row_bytes,
                             uint32_t rows, struct ag_texture_upload *upload);
void ag_texture_upload_end(struct ag_copier *copier, struct ag_texture *texture, uint32_t mip,
                           const WGPUOrigin3D *origin, const WGPUExtent3D *extent,
                           struct ag_texture_upload *upload);

#endif
