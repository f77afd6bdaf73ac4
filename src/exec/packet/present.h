/* SPDX-License-Identifier: MIT
 *
 * PRESENT and PRESENT_EX: a read-back of the first colour target. EXT_PRESENT: of the texture that the packet
 * names, where somebody wants the picture.
 */
#ifndef AG_EXEC_PACKET_PRESENT_H
#define AG_EXEC_PACKET_PRESENT_H

#include <stdint.h>

#include "aerogpu/diag.h"

struct aerogpu_cmd_ext_present;
struct ag_execution;

/* Adds a write-back of the first colour target for the display and flushes. Reported when not AGPU_OK. */
enum agpu_status ag_present(struct ag_execution *execution, uint32_t scanout_id, uint32_t flags);

/* The same of EXT_PRESENT. */
enum agpu_status ag_present_window(struct ag_execution *execution,
                                   const struct aerogpu_cmd_ext_present *wire);

#endif
