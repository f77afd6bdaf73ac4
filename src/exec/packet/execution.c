/* SPDX-License-Identifier: MIT */
#include "exec/packet/execution.h"

void ag_execution_wait_for_bytes(struct ag_execution *execution, const struct ag_readback *readback,
                                 bool again)
{
    execution->wait = (struct ag_wait){.readback = readback, .again = again};
}
