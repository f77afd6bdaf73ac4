/* SPDX-License-Identifier: MIT
 *
 * CLEAR: the bound targets as a whole.
 */
#ifndef AG_EXEC_PACKET_CLEAR_H
#define AG_EXEC_PACKET_CLEAR_H

#include "aerogpu/diag.h"

struct aerogpu_cmd_clear;
struct ag_execution;

/* Clears the bound targets as a whole, whatever viewport and scissor say (spec: ABI 12.7 F8). */
enum agpu_status ag_clear(struct ag_execution *execution, const struct aerogpu_cmd_clear *clear);

#endif
