/* SPDX-License-Identifier: MIT */
#include "exec/host/host_memory.h"

#include "exec/host/account.h"
#include "exec/host/host.h"
#include "exec/host/report.h"

bool ag_host_memory_has(const struct ag_host *host, uint64_t bytes)
{
    return ag_budget_has(&host->accounts, &host->host_memory, AG_MEMORY_OF_HOST, host->accounts.current,
                         bytes);
}

bool ag_host_memory_take(struct ag_host *host, struct ag_account *account, uint64_t bytes)
{
    return ag_budget_take(&host->accounts, &host->host_memory, AG_MEMORY_OF_HOST, account, bytes);
}

void ag_host_memory_give(struct ag_host *host, struct ag_account *account, uint64_t bytes)
{
    ag_budget_give(&host->accounts, &host->host_memory, AG_MEMORY_OF_HOST, account, bytes);
    ag_spent_memory_note_small(&host->spent);
}

enum agpu_status ag_host_memory_charge(struct ag_host *host, uint64_t bytes)
{
    struct ag_account *account = host->accounts.current;
    struct ag_budget_text text;
    if (ag_host_memory_take(host, account, bytes))
        return AGPU_OK;
    return ag_host_fail(
        host, AGPU_DIAG_EXEC_MEMORY, "an object is not made: %s",
        ag_budget_refusal(&host->accounts, &host->host_memory, AG_MEMORY_OF_HOST, account, bytes, &text));
}
