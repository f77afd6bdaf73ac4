/* SPDX-License-Identifier: MIT
 *
 * The name under which guest drivers include aerogpu/abi/cmd.h.
 */
#ifndef AEROGPU_ABI_DRIVER_AEROGPU_CMD_H
#define AEROGPU_ABI_DRIVER_AEROGPU_CMD_H

#include "aerogpu/abi/cmd.h"

#endif
