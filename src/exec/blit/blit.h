/* SPDX-License-Identifier: MIT
 *
 * Draws that fill a texture view from another: mips, single samples, means of samples.
 */
#ifndef AG_EXEC_BLIT_BLIT_H
#define AG_EXEC_BLIT_BLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/blit/blitter.h"
#include "gpu/webgpu.h"

struct ag_host_format;

/* Fills all of `to`, whose format is given; the views are released. False when it was reported. */
bool ag_blit(struct ag_blitter *blitter, enum ag_blit_kind kind, WGPUTextureView to,
             const struct ag_host_format *format, WGPUTextureView from, uint32_t parameter);
void ag_blits_fini(struct ag_blits *filler);

#endif
