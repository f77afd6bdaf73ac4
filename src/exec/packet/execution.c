/* SPDX-License-Identifier: MIT */
#include "exec/packet/execution.h"

#include "exec/host/host.h"
#include "gpu/gpu.h"

void ag_execution_wait_for_bytes(struct ag_execution *execution, const struct ag_readback *readback)
{
    execution->wait = (struct ag_wait){.readback = readback, .again = true};
}

void ag_execution_wait_for_work(struct ag_execution *execution)
{
    execution->wait = (struct ag_wait){.serial = ag_gpu_signal(execution->host->gpu), .again = true};
}
