/* SPDX-License-Identifier: MIT */
#include "exec/host/gpu_memory.h"

#include <string.h>

#include "exec/host/host.h"
#include "gpu/gpu.h"

static void settle(struct ag_host *host)
{
    struct ag_gpu_memory *memory = &host->gpu_memory;
    const uint64_t completed = ag_gpu_completed_serial(host->gpu);
    size_t done = 0;
    while (done < memory->released.count && memory->released.data[done].serial <= completed)
        memory->used_bytes -= memory->released.data[done++].bytes;
    memory->released.count -= done;
    if (done && memory->released.count)
        memmove(memory->released.data, memory->released.data + done,
                memory->released.count * sizeof memory->released.data[0]);
}

bool ag_gpu_memory_take(struct ag_host *host, uint64_t bytes)
{
    struct ag_gpu_memory *memory = &host->gpu_memory;
    if (bytes > memory->limit_bytes)
        return false;
    if (memory->used_bytes > memory->limit_bytes - bytes)
        settle(host);
    if (memory->used_bytes > memory->limit_bytes - bytes)
        return false;
    memory->used_bytes += bytes;
    return true;
}

void ag_gpu_memory_give(struct ag_host *host, uint64_t bytes)
{
    struct ag_gpu_memory *memory = &host->gpu_memory;
    const uint64_t serial = ag_gpu_signalled_serial(host->gpu) + 1;
    if (!bytes)
        return;
    if (memory->released.count && memory->released.data[memory->released.count - 1].serial == serial) {
        memory->released.data[memory->released.count - 1].bytes += bytes;
        return;
    }
    settle(host);
    const struct ag_gpu_memory_release release = {serial, bytes};
    if (!ag_vec_push(&memory->released, release))
        memory->used_bytes -= bytes;
}

uint64_t ag_gpu_memory_awaited(struct ag_host *host)
{
    const struct ag_gpu_memory *memory = &host->gpu_memory;
    if (!memory->released.count || memory->used_bytes <= memory->limit_bytes / 2)
        return 0;
    settle(host);
    return memory->released.count ? memory->released.data[memory->released.count - 1].serial : 0;
}

void ag_gpu_memory_clear(struct ag_host *host)
{
    ag_vec_fini(&host->gpu_memory.released);
    host->gpu_memory.used_bytes = 0;
}
