/* SPDX-License-Identifier: MIT
 *
 * Multisampled textures as arrays, for shaders that declare Texture2DMSArray, which WGSL does not have.
 */
#ifndef AG_EXEC_BLIT_SAMPLES_H
#define AG_EXEC_BLIT_SAMPLES_H

struct ag_blitter;
struct ag_texture_view;

/* The view that such a shader reads: a copy of the texture that has every sample of the guest as a layer,
 * brought up to date. `view` is up to date before. An open render pass is ended. Null when memory is
 * exhausted (reported). */
struct ag_texture_view *ag_view_samples(struct ag_blitter *blitter, struct ag_texture_view *view);

#endif
