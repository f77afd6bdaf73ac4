/* SPDX-License-Identifier: MIT
 *
 * Multisampled textures as arrays, for shaders that declare Texture2DMSArray, which WGSL does not have, and
 * for textures whose samples are in planes; samples and their means.
 */
#ifndef AG_EXEC_BLIT_SAMPLES_H
#define AG_EXEC_BLIT_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

struct ag_blitter;
struct ag_texture_view;

#define AG_MEAN_OF_SAMPLES UINT32_MAX

/* Records blits of one sample of the host, or of the mean of all (AG_MEAN_OF_SAMPLES), from a slice of a
 * multisampled texture to one subresource. An open render pass is ended. False when memory is exhausted
 * (reported). */
bool ag_samples_blit(struct ag_blitter *blitter, const struct ag_texture_view *to, uint32_t mip,
                     uint32_t layer, const struct ag_texture_view *from, uint32_t slice, uint32_t sample);

/* The view that such a shader reads: a copy of the texture that has every sample of the guest as a layer,
 * brought up to date. `view` is up to date before. An open render pass is ended. Null when memory is
 * exhausted (reported). */
struct ag_texture_view *ag_view_samples(struct ag_blitter *blitter, struct ag_texture_view *view);

#endif
