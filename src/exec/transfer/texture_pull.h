/* SPDX-License-Identifier: MIT
 *
 * Textures and views before their use by the GPU: contents come in from guest memory, pending clears are
 * performed, casts are brought up to date. Everyone who records a use of a texture calls one of these
 * functions before. False when guest memory cannot be read or memory is exhausted (reported).
 */
#ifndef AG_EXEC_TRANSFER_TEXTURE_PULL_H
#define AG_EXEC_TRANSFER_TEXTURE_PULL_H

#include <stdbool.h>

struct ag_copier;
struct ag_texture;
struct ag_texture_view;
struct ag_view;

/* Uploads the texture from guest memory, when the newest contents are there. */
bool ag_texture_pull(struct ag_copier *copier, struct ag_texture *texture);

/* Brings the whole texture up to date in its own format and marks it as used by the open encoder. */
bool ag_texture_use(struct ag_copier *copier, struct ag_texture *texture);

/* Brings the view's subresources up to date in the view's format and marks the texture as used by the open
 * encoder. */
bool ag_view_use(struct ag_copier *copier, struct ag_texture_view *view);

/* Brings the view of a texture, or the buffer of a view of a buffer, up to date, and marks the resource as
 * used. */
bool ag_view_contents_use(struct ag_copier *copier, struct ag_view *view);

#endif
