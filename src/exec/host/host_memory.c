/* SPDX-License-Identifier: MIT */
#include "exec/host/host_memory.h"

#include <inttypes.h>

#include "exec/host/host.h"
#include "exec/host/report.h"

bool ag_host_memory_has(const struct ag_host *host, uint64_t bytes)
{
    const struct ag_host_memory *memory = &host->host_memory;
    return bytes <= memory->limit_bytes && memory->used_bytes <= memory->limit_bytes - bytes;
}

bool ag_host_memory_take(struct ag_host *host, uint64_t bytes)
{
    if (!ag_host_memory_has(host, bytes))
        return false;
    host->host_memory.used_bytes += bytes;
    return true;
}

void ag_host_memory_give(struct ag_host *host, uint64_t bytes)
{
    host->host_memory.used_bytes -= bytes;
}

enum agpu_status ag_host_memory_charge(struct ag_host *host, uint64_t bytes)
{
    if (ag_host_memory_take(host, bytes))
        return AGPU_OK;
    return ag_host_fail(host, AGPU_DIAG_EXEC_MEMORY,
                        "an object of %" PRIu64 " bytes more than the %" PRIu64
                        " in use exceeds the budget of host memory",
                        bytes, host->host_memory.used_bytes);
}
