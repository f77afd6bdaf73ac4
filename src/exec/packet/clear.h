/* SPDX-License-Identifier: MIT
 *
 * The packet CLEAR of ABI 1.4, which clears the bound targets.
 */
#ifndef AG_EXEC_PACKET_CLEAR_H
#define AG_EXEC_PACKET_CLEAR_H

#include "aerogpu/diag.h"

struct aerogpu_cmd_clear;
struct ag_execution;

/* Clears the bound targets as a whole, without regard to viewport and scissor (spec: ABI 12.7 F8).
 * Reported when not AGPU_OK. */
enum agpu_status ag_clear(struct ag_execution *execution, const struct aerogpu_cmd_clear *clear);

#endif
