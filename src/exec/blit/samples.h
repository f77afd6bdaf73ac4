/* SPDX-License-Identifier: MIT
 *
 * Multisampling. WebGPU has one sample and four: targets of two and of eight have four on the host, where
 * each sample of the guest is the host's nearest one (decision X40).
 */
#ifndef AG_EXEC_BLIT_SAMPLES_H
#define AG_EXEC_BLIT_SAMPLES_H

struct ag_blitter;
struct ag_texture_view;

/* What a shader that declares an array of multisampled textures reads: all samples of the view's slices,
 * which is up to date, as layers of a texture with one sample. Null when it was reported. */
struct ag_texture_view *ag_view_samples(struct ag_blitter *blitter, struct ag_texture_view *view);

#endif
