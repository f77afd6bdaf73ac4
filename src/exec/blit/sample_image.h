/* SPDX-License-Identifier: MIT
 *
 * The samples of multisampled textures as images that are copied: WebGPU copies no multisampled texture to or
 * from memory. A slice has one image for its colours, or one for each plane of its samples, or one for depth
 * and one for stencil. An array has an image with a sample of the host in each layer. Snapshots use this.
 */
#ifndef AG_EXEC_BLIT_SAMPLE_IMAGE_H
#define AG_EXEC_BLIT_SAMPLE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_blitter;
struct ag_host_format;
struct ag_texture;

/* How many images each slice of a multisampled texture has. */
uint32_t ag_sample_image_count(const struct ag_texture *texture);

/* The format of an image: that of its texels in an array. */
const struct ag_host_format *ag_sample_image_format(const struct ag_texture *texture, uint32_t image);

/* Makes an array for an image, which the caller releases. */
WGPUTexture ag_sample_image_array(struct ag_blitter *blitter, const struct ag_texture *texture,
                                  uint32_t image);

/* Record that an image of a slice, which is up to date, is read into an array, or written from one. An open
 * render pass is ended. False when memory is exhausted (reported). */
bool ag_sample_image_read(struct ag_blitter *blitter, const struct ag_texture *texture, uint32_t slice,
                          uint32_t image, WGPUTexture array);
bool ag_sample_image_write(struct ag_blitter *blitter, struct ag_texture *texture, uint32_t slice,
                           uint32_t image, WGPUTexture array);

#endif
