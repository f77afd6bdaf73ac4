/* SPDX-License-Identifier: MIT
 *
 * The name under which guest drivers include aerogpu/abi/escape_debug.h.
 */
#ifndef AEROGPU_ABI_DRIVER_AEROGPU_DBGCTL_ESCAPE_H
#define AEROGPU_ABI_DRIVER_AEROGPU_DBGCTL_ESCAPE_H

#include "aerogpu/abi/escape_debug.h"

#endif
