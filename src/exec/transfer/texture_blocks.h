/* SPDX-License-Identifier: MIT
 *
 * Uploads to block-compressed textures that are decoded for WebGPU: the guest's blocks are kept, and the
 * texels of those that change are uploaded.
 */
#ifndef AG_EXEC_TRANSFER_TEXTURE_BLOCKS_H
#define AG_EXEC_TRANSFER_TEXTURE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct ag_copier;
struct ag_texture;

/* For textures with `blocks`: new guest bytes, and bytes of `blocks` that changed. */
bool ag_texture_write_blocks(struct ag_copier *copier, struct ag_texture *texture, uint64_t offset,
                             const uint8_t *data, uint64_t size);
bool ag_texture_upload_blocks(struct ag_copier *copier, struct ag_texture *texture, uint64_t offset,
                              uint64_t size);

#endif
