/* SPDX-License-Identifier: MIT
 *
 * Copies of one plane of a depth texture in a colour format, for shaders that sample depth or stencil in a
 * way that WebGPU's depth views do not allow: depth as R32_FLOAT, stencil as the green component of
 * R8G8_UINT, where Direct3D's X24_TYPELESS_G8_UINT has stencil.
 */
#ifndef AG_EXEC_BLIT_TEXTURE_PLANE_H
#define AG_EXEC_BLIT_TEXTURE_PLANE_H

#include <stdbool.h>

struct ag_blitter;
struct ag_host;
struct ag_texture;
struct ag_texture_view;

/* The view's subresources in the copy of its plane, which is brought up to date. `view` is up to date
 * before. An open render pass is ended. Null when memory is exhausted (reported). */
struct ag_texture_view *ag_view_readable(struct ag_blitter *blitter, struct ag_texture_view *view);

/* The copy of the depth of a whole texture in the same way. */
struct ag_texture *ag_texture_depth(struct ag_blitter *blitter, struct ag_texture *texture);

/* Whether WebGPU copies the depth of the texture to buffers. */
bool ag_depth_is_copied(const struct ag_host *host, const struct ag_texture *texture);

#endif
