/* SPDX-License-Identifier: MIT
 *
 * Decoding of BC7 blocks.
 */
#ifndef AG_EXEC_STATE_BC7_H
#define AG_EXEC_STATE_BC7_H

#include <stdint.h>

#include "exec/state/bc.h"

/* BC7 alone (bc7.c). Blocks of no mode are (0, 0, 0, 0). */
void ag_bc7_decode(const uint8_t block[16], uint8_t texels[AG_BC_TEXELS_BYTES]);

#endif
