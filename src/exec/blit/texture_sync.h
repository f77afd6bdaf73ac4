/* SPDX-License-Identifier: MIT
 *
 * Synchronisation of texture casts (object/texture_cast.h): copies of subresources to the WebGPU texture in
 * whose format they are used next.
 */
#ifndef AG_EXEC_BLIT_TEXTURE_SYNC_H
#define AG_EXEC_BLIT_TEXTURE_SYNC_H

struct ag_blitter;
struct ag_pending_clear;
struct ag_texture;
struct ag_texture_view;

/* Brings all subresources up to date in the texture's own format. Without memory the old texels stay
 * (reported). */
void ag_texture_sync(struct ag_blitter *blitter, struct ag_texture *texture);

/* Brings the view's subresources up to date in the view's format. Without memory the old texels stay
 * (reported). */
void ag_view_sync(struct ag_blitter *blitter, const struct ag_texture_view *view);

/* Performs the texture's pending clears, brings the view up to date and marks the texture as used. */
void ag_view_refresh(struct ag_blitter *blitter, struct ag_texture_view *view);

/* Clears one mip and layer of a view, like ag_pass_clear(), where a texture may have casts. */
void ag_view_clear(struct ag_blitter *blitter, const struct ag_pending_clear *value);

#endif
