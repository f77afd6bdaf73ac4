/* SPDX-License-Identifier: MIT
 *
 * The name under which guest drivers include aerogpu/abi/ring.h.
 */
#ifndef AEROGPU_ABI_DRIVER_AEROGPU_RING_H
#define AEROGPU_ABI_DRIVER_AEROGPU_RING_H

#include "aerogpu/abi/ring.h"

#endif
