/* SPDX-License-Identifier: MIT
 *
 * Blits: draws that fill one subresource of a texture with texels computed from another texture: mips, one
 * sample of a multisampled texture, the mean of the samples.
 */
#ifndef AG_EXEC_BLIT_BLIT_H
#define AG_EXEC_BLIT_BLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/blit/blitter.h"
#include "gpu/webgpu.h"

struct ag_host_format;

/* Records a blit from the view `from` to all of the view `to`, which has `format`, and releases both
 * views. An open render pass is ended. False when memory is exhausted (reported). */
bool ag_blit(struct ag_blitter *blitter, enum ag_blit_kind kind, WGPUTextureView to,
             const struct ag_host_format *format, WGPUTextureView from, uint32_t parameter);

/* The same for some components of `to` alone, which a plane of samples has. */
bool ag_blit_components(struct ag_blitter *blitter, enum ag_blit_kind kind, WGPUTextureView to,
                        const struct ag_host_format *format, WGPUColorWriteMask components,
                        WGPUTextureView from, uint32_t parameter);

/* Releases pipelines and layouts. */
void ag_blits_fini(struct ag_blits *blits);

#endif
