/* SPDX-License-Identifier: MIT
 *
 * How many slots Direct3D 11 has of each kind of binding.
 */
#ifndef AG_EXEC_STATE_SLOTS_H
#define AG_EXEC_STATE_SLOTS_H

#define AG_VERTEX_BUFFER_SLOTS 32
#define AG_RESOURCE_SLOTS 128
#define AG_SAMPLER_SLOTS 16
#define AG_CBUFFER_SLOTS 14
#define AG_UAV_SLOTS 64
#define AG_VIEWPORT_SLOTS 16
#define AG_CONSTANT_REGISTERS 4096
#define AG_MAX_CONTEXTS 1024
#define AG_D3D9_RENDER_STATES 256
#define AG_D3D9_SAMPLER_STATES 16
/* Slots whose views are of one buffer share a variable: 0, or one more than the slot that has it. */
#define AG_WIRE_UAV_SLOTS 8 /* what SET_UNORDERED_ACCESS_BUFFERS may name (spec: ABI 14) */

#endif
