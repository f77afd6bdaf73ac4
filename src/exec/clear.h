/* SPDX-License-Identifier: MIT */
#ifndef AGPU_EXEC_CLEAR_H
#define AGPU_EXEC_CLEAR_H

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"

struct agpu_exec;

/* Clears the bound targets as a whole, whatever viewport and scissor say (spec: ABI 12.7 F8). */
enum agpu_status agpu_clear(struct agpu_exec *exec, const struct aerogpu_cmd_clear *clear);

#endif
