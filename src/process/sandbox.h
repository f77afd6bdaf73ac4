/* SPDX-License-Identifier: MIT
 *
 * What a GPU process gives up once its driver is open: files, other processes, the network, privileges.
 */
#ifndef AG_PROCESS_SANDBOX_H
#define AG_PROCESS_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/process_executor.h"

/* Before anything else: closes descriptors that nobody gave it, asks to die with its parent, sets the limits,
 * leaves no core behind, and gives up capabilities and the gain of new ones. False when one of these cannot
 * be had. */
bool ag_sandbox_prepare(void);
bool ag_sandbox_limit(uint64_t address_space_bytes, uint32_t processor_seconds);

/* For all threads of the process and for good; other processes cannot look into it then, either. False when
 * the kernel has no such filter. */
bool ag_sandbox_enter(enum agpu_sandbox sandbox);

#endif
