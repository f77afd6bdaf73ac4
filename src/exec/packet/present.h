/* SPDX-License-Identifier: MIT
 *
 * PRESENT: a read-back of the first colour target.
 */
#ifndef AG_EXEC_PACKET_PRESENT_H
#define AG_EXEC_PACKET_PRESENT_H

#include <stdint.h>

#include "aerogpu/diag.h"

struct ag_execution;

/* Hands the first colour target to the display once its pixels are there. */
enum agpu_status ag_present(struct ag_execution *execution, uint32_t scanout_id, uint32_t flags);

#endif
