/* SPDX-License-Identifier: MIT
 *
 * Textures and views made ready for use by the GPU: guest bytes brought in, waiting clears performed.
 */
#ifndef AG_EXEC_TRANSFER_TEXTURE_PULL_H
#define AG_EXEC_TRANSFER_TEXTURE_PULL_H

#include <stdbool.h>

struct ag_copier;
struct ag_texture;
struct ag_texture_view;
struct ag_view;

bool ag_texture_pull(struct ag_copier *copier, struct ag_texture *texture);
/* Brings in guest bytes, performs pending clears and marks the texture as used by the encoder. */
bool ag_texture_use(struct ag_copier *copier, struct ag_texture *texture);
/* Brings in guest bytes and marks the texture as used; what the view shows is up to date in its own format.
 */
bool ag_view_use(struct ag_copier *copier, struct ag_texture_view *view);
/* The same of a view with a handle, of a texture or of a buffer. */
bool ag_view_contents_use(struct ag_copier *copier, struct ag_view *view);

#endif
