/* SPDX-License-Identifier: MIT
 *
 * The initial contents of the guest's textures: the texels that zero bytes have in the texture's format, with
 * alpha 1 when the format has no alpha.
 */
#ifndef AG_EXEC_TRANSFER_TEXTURE_CONTENTS_H
#define AG_EXEC_TRANSFER_TEXTURE_CONTENTS_H

#include <stdbool.h>

struct ag_copier;
struct ag_progress;
struct ag_texture;

/* Writes a part of a new texture's initial contents. False when memory is exhausted (reported). */
bool ag_texture_fill(struct ag_copier *copier, struct ag_texture *texture, struct ag_progress *progress);

#endif
