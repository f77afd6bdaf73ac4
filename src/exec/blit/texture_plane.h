/* SPDX-License-Identifier: MIT
 *
 * Planes of depth textures as colours: what shaders read of depth or stencil where WebGPU has no such view.
 */
#ifndef AG_EXEC_BLIT_TEXTURE_PLANE_H
#define AG_EXEC_BLIT_TEXTURE_PLANE_H

struct ag_blitter;
struct ag_texture_view;

/* For depth formats seen as colour: the same subresources of a copy of the plane that is up
 * to date. Null when it was reported. */
struct ag_texture_view *ag_view_readable(struct ag_blitter *blitter, struct ag_texture_view *view);

#endif
