/* SPDX-License-Identifier: MIT
 *
 * The AeroGPU extension: the number ranges in which the rest of Direct3D 11 travels beside ABI 1.4.
 *
 * The ABI minor stays 4. A host that has the extension sets the feature bit; one that has not skips the
 * opcodes as it skips every unknown opcode. Freestanding C99 and C++.
 */
#ifndef AEROGPU_ABI_EXT_H
#define AEROGPU_ABI_EXT_H

#include <stdint.h>

/* Feature bit 63: the host executes extension opcodes and formats. */
#define AEROGPU_EXT_FEATURE (UINT64_C(1) << 63)

/* Extension opcodes are AEROGPU_EXT_OPCODE(n), n from 0. */
#define AEROGPU_EXT_OPCODE_BASE UINT32_C(0x80000000)
#define AEROGPU_EXT_OPCODE(n) (AEROGPU_EXT_OPCODE_BASE | (n))
#define AEROGPU_EXT_IS_OPCODE(opcode) (((opcode)&AEROGPU_EXT_OPCODE_BASE) != 0)

/* A format word with the high bit set holds a DXGI_FORMAT number in the other bits. */
#define AEROGPU_EXT_FORMAT_BASE UINT32_C(0x80000000)
#define AEROGPU_EXT_FORMAT(dxgi) (AEROGPU_EXT_FORMAT_BASE | (dxgi))
#define AEROGPU_EXT_IS_FORMAT(format) (((format)&AEROGPU_EXT_FORMAT_BASE) != 0)
#define AEROGPU_EXT_FORMAT_DXGI(format) ((format) & ~AEROGPU_EXT_FORMAT_BASE)

#endif
