/* SPDX-License-Identifier: MIT
 *
 * Blocks of texels on the CPU, for textures that WebGPU does not take as they are: compressed ones (D3D11.3
 * 19.5) and pairs of texels that share red and blue.
 */
#ifndef AG_FORMAT_BC_H
#define AG_FORMAT_BC_H

#include <stdbool.h>
#include <stdint.h>

#include "format/format.h"

#define AG_BC_TEXELS_BYTES 64 /* 4x4 texels of RGBA8, row by row */

/* A block of a format to RGBA8; sRGB values stay encoded. The two texels of pairs are the first of the 4x4.
 * False for formats whose row names no decoder: nothing is written. `block` null asks whether there is one.
 */
bool ag_bc_decode(const struct ag_host_format *format, const uint8_t *block,
                  uint8_t texels[AG_BC_TEXELS_BYTES]);

/* BC7 alone (bc7.c). Blocks of no mode are (0, 0, 0, 0). */
void ag_bc7_decode(const uint8_t block[16], uint8_t texels[AG_BC_TEXELS_BYTES]);

#endif
