/* SPDX-License-Identifier: MIT
 *
 * What a new texture holds before anything was written: zeros as its format decodes them, and alpha 1 where
 * the format has no alpha.
 */
#ifndef AG_EXEC_TRANSFER_TEXTURE_CONTENTS_H
#define AG_EXEC_TRANSFER_TEXTURE_CONTENTS_H

struct ag_copier;
struct ag_texture;
struct ag_texture_desc;

/* A texture of the guest. Null when memory is exhausted. The description was checked. */
struct ag_texture *ag_texture_create_filled(struct ag_copier *copier, const struct ag_texture_desc *desc);

#endif
