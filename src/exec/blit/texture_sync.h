/* SPDX-License-Identifier: MIT
 *
 * Textures that exist in several formats (object/texture_cast.h): bytes are copied to the format in which
 * they are needed.
 */
#ifndef AG_EXEC_BLIT_TEXTURE_SYNC_H
#define AG_EXEC_BLIT_TEXTURE_SYNC_H

struct ag_blitter;
struct ag_pending_clear;
struct ag_texture;
struct ag_texture_view;

/* Brings subresources up to date in the texture's own format, or in a cast's. */
void ag_texture_sync(struct ag_blitter *blitter, struct ag_texture *texture);
void ag_view_sync(struct ag_blitter *blitter, const struct ag_texture_view *view);
/* Performs the clears that wait for the texture, brings the view up to date and marks the texture as used. */
void ag_view_refresh(struct ag_blitter *blitter, struct ag_texture_view *view);
/* Clears one mip and layer, now or with the next pass that renders to it. */
void ag_view_clear(struct ag_blitter *blitter, const struct ag_pending_clear *value);

#endif
