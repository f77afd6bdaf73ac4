/* SPDX-License-Identifier: MIT
 *
 * How many slots and contexts there are.
 */
#ifndef AG_EXEC_STATE_SLOTS_H
#define AG_EXEC_STATE_SLOTS_H

#include "abi/packet_effect.h"

#define AG_CONSTANT_REGISTERS 4096
#define AG_MAX_CONTEXTS 1024
#define AG_D3D9_RENDER_STATES 256
#define AG_D3D9_SAMPLER_STATES 16

#endif
