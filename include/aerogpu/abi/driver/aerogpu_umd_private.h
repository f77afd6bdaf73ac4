/* SPDX-License-Identifier: MIT
 *
 * The name under which guest drivers include aerogpu/abi/wddm.h.
 */
#ifndef AEROGPU_ABI_DRIVER_AEROGPU_UMD_PRIVATE_H
#define AEROGPU_ABI_DRIVER_AEROGPU_UMD_PRIVATE_H

#include "aerogpu/abi/wddm.h"

#endif
