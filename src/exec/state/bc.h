/* SPDX-License-Identifier: MIT
 *
 * Blocks of texels on the CPU, for textures that WebGPU does not take as they are: compressed ones (D3D11.3
 * 19.5) and pairs of texels that share red and blue.
 */
#ifndef AG_EXEC_STATE_BC_H
#define AG_EXEC_STATE_BC_H

#include <stdbool.h>
#include <stdint.h>

#define AG_BC_TEXELS_BYTES 64 /* 4x4 texels of RGBA8, row by row */

/* A block of a DXGI format to RGBA8; sRGB values stay encoded. False for formats other than BC1, BC2, BC3,
 * BC7, R8G8_B8G8 and G8R8_G8B8 (whose two texels are the first of the 4x4): nothing is written. `block` null
 * asks whether there is a decoder. */
bool ag_bc_decode(uint32_t dxgi, const uint8_t *block, uint8_t texels[AG_BC_TEXELS_BYTES]);

#endif
