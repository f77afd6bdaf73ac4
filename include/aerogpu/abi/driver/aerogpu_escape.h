/* SPDX-License-Identifier: MIT
 *
 * The name under which guest drivers include aerogpu/abi/escape.h.
 */
#ifndef AEROGPU_ABI_DRIVER_AEROGPU_ESCAPE_H
#define AEROGPU_ABI_DRIVER_AEROGPU_ESCAPE_H

#include "aerogpu/abi/escape.h"

#endif
