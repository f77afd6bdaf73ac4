/* SPDX-License-Identifier: MIT
 *
 * Uploads to block-compressed textures that are decoded for WebGPU (object/texture_desc.c says which). The
 * CPU keeps the guest's blocks in ag_texture.blocks, and the texels of changed blocks are uploaded.
 */
#ifndef AG_EXEC_TRANSFER_TEXTURE_BLOCKS_H
#define AG_EXEC_TRANSFER_TEXTURE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct ag_copier;
struct ag_texture;

/* Store guest bytes in ag_texture.blocks and upload their texels, or upload the texels of bytes that
 * changed there. Offsets are in packed layout. False when memory is exhausted (reported). */
bool ag_texture_write_blocks(struct ag_copier *copier, struct ag_texture *texture, uint64_t offset,
                             const uint8_t *data, uint64_t size);
bool ag_texture_upload_blocks(struct ag_copier *copier, struct ag_texture *texture, uint64_t offset,
                              uint64_t size);

#endif
