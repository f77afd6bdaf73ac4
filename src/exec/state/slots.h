/* SPDX-License-Identifier: MIT
 *
 * How many slots and contexts there are.
 */
#ifndef AG_EXEC_STATE_SLOTS_H
#define AG_EXEC_STATE_SLOTS_H

#include <stdint.h>

#include "abi/packet_effect.h"

#define AG_CONSTANT_REGISTERS 4096
/* Contexts that are ready for a stream; all other contexts are packed, in so many bytes. */
#define AG_LIVE_CONTEXTS 128
#define AG_PACKED_CONTEXTS_BYTES (UINT64_C(32) << 20)
#define AG_D3D9_RENDER_STATES 256
#define AG_D3D9_SAMPLER_STATES 16

#endif
