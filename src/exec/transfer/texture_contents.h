/* SPDX-License-Identifier: MIT
 *
 * The initial contents of the guest's textures: the texels that zero bytes have in the texture's format, with
 * alpha 1 when the format has no alpha.
 */
#ifndef AG_EXEC_TRANSFER_TEXTURE_CONTENTS_H
#define AG_EXEC_TRANSFER_TEXTURE_CONTENTS_H

struct ag_copier;
struct ag_texture;
struct ag_texture_desc;

/* Makes the texture of a checked description, with its initial contents. Null when memory is exhausted
 * (which need not be reported). */
struct ag_texture *ag_texture_create_filled(struct ag_copier *copier, const struct ag_texture_desc *desc);

#endif
