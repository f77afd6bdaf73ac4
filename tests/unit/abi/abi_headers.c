/* SPDX-License-Identifier: MIT
 *
 * Compiled as C99, C11 and C++17, for Linux and for Windows: the static assertions are the test.
 */
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/escape.h"
#include "aerogpu/abi/escape_debug.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/abi/wddm.h"

AEROGPU_STATIC_ASSERT(AEROGPU_ABI_VERSION_U32 == 0x00010004u, "the ABI is 1.4");
AEROGPU_STATIC_ASSERT(AEROGPU_EXT_FEATURE == UINT64_C(0x8000000000000000), "feature bit 63");
AEROGPU_STATIC_ASSERT(AEROGPU_EXT_OPCODE(5u) == 0x80000005u, "extension opcodes");
AEROGPU_STATIC_ASSERT(AEROGPU_EXT_FORMAT_DXGI(AEROGPU_EXT_FORMAT(28u)) == 28u, "extension formats");
AEROGPU_STATIC_ASSERT(AEROGPU_IRQ_ERROR == 0x80000000u, "interrupt bit 31");
AEROGPU_STATIC_ASSERT(AEROGPU_FEATURE_ERROR_INFO == 32u, "feature bit 5");
