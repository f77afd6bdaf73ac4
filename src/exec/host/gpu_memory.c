/* SPDX-License-Identifier: MIT */
#include "exec/host/gpu_memory.h"

#include <string.h>

#include "exec/host/account.h"
#include "exec/host/host.h"
#include "gpu/gpu.h"

static void give(struct ag_host *host, struct ag_account *account, uint64_t bytes)
{
    ag_budget_give(&host->accounts, &host->gpu_memory.budget, AG_MEMORY_OF_GPU, account, bytes);
}

static void settle(struct ag_host *host)
{
    struct ag_gpu_memory *memory = &host->gpu_memory;
    const uint64_t completed = ag_gpu_completed_serial(host->gpu);
    size_t done = 0;
    for (; done < memory->released.count && memory->released.data[done].serial <= completed; done++)
        give(host, memory->released.data[done].account, memory->released.data[done].bytes);
    memory->released.count -= done;
    if (done && memory->released.count)
        memmove(memory->released.data, memory->released.data + done,
                memory->released.count * sizeof memory->released.data[0]);
}

bool ag_gpu_memory_take(struct ag_host *host, struct ag_account *account, uint64_t bytes)
{
    struct ag_budget *budget = &host->gpu_memory.budget;
    if (bytes <= budget->limit_bytes &&
        !ag_budget_has(&host->accounts, budget, AG_MEMORY_OF_GPU, account, bytes))
        settle(host);
    return ag_budget_take(&host->accounts, budget, AG_MEMORY_OF_GPU, account, bytes);
}

void ag_gpu_memory_give(struct ag_host *host, struct ag_account *account, uint64_t bytes)
{
    struct ag_gpu_memory *memory = &host->gpu_memory;
    const uint64_t serial = ag_gpu_signalled_serial(host->gpu) + 1;
    if (!bytes)
        return;
    memory->gave = true;
    if (memory->released.count) {
        struct ag_gpu_memory_release *last = &memory->released.data[memory->released.count - 1];
        if (last->serial == serial && last->account == account) {
            last->bytes += bytes;
            return;
        }
    }
    settle(host);
    const struct ag_gpu_memory_release release = {serial, bytes, account};
    if (!ag_vec_push(&memory->released, release))
        give(host, account, bytes);
}

uint64_t ag_gpu_memory_awaited(struct ag_host *host)
{
    const struct ag_gpu_memory *memory = &host->gpu_memory;
    if (!memory->released.count || memory->budget.used_bytes <= memory->budget.limit_bytes / 2)
        return 0;
    settle(host);
    return memory->released.count ? memory->released.data[memory->released.count - 1].serial : 0;
}

void ag_gpu_memory_clear(struct ag_host *host)
{
    ag_vec_fini(&host->gpu_memory.released);
    host->gpu_memory.budget.used_bytes = 0;
    ag_accounts_forget(&host->accounts, AG_MEMORY_OF_GPU);
}
