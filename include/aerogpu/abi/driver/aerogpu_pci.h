/* SPDX-License-Identifier: MIT
 *
 * The name under which guest drivers include aerogpu/abi/pci.h.
 */
#ifndef AEROGPU_ABI_DRIVER_AEROGPU_PCI_H
#define AEROGPU_ABI_DRIVER_AEROGPU_PCI_H

#include "aerogpu/abi/pci.h"

#endif
