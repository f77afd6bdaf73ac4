/* SPDX-License-Identifier: MIT */
#include "exec/host/account.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/format.h"

/* ---- Accounts ----------------------------------------------------------------------------------------- */

static void drop(struct ag_accounts *accounts, struct ag_account *account)
{
    ag_recency_remove(&accounts->idle, &account->idle);
    ag_map_remove(&accounts->by_context, account->context_id);
    free(account);
}

static void settle(struct ag_accounts *accounts, struct ag_account *account)
{
    bool is_idle = account->submissions == 0;
    for (uint32_t kind = 0; kind < AG_MEMORY_KINDS; kind++)
        is_idle &= account->used_bytes[kind] == 0;
    for (uint32_t kind = 0; kind < AG_SHARED_CACHE_KINDS; kind++)
        is_idle &= account->cached[kind] == 0;
    if (is_idle)
        ag_recency_use(&accounts->idle, &account->idle, account);
    else
        ag_recency_remove(&accounts->idle, &account->idle);
}

struct ag_account *ag_account_get(struct ag_accounts *accounts, uint32_t context_id)
{
    struct ag_account *account = ag_map_get(&accounts->by_context, context_id);
    if (account)
        return account;
    while (accounts->idle.count >= AG_IDLE_ACCOUNTS)
        drop(accounts, accounts->idle.oldest->member);
    account = calloc(1, sizeof *account);
    if (!account || !ag_map_put(&accounts->by_context, context_id, account)) {
        free(account);
        return NULL;
    }
    account->context_id = context_id;
    settle(accounts, account);
    return account;
}

void ag_account_begin(struct ag_accounts *accounts, struct ag_account *account)
{
    account->submissions++;
    accounts->submissions++;
    settle(accounts, account);
}

void ag_account_end(struct ag_accounts *accounts, struct ag_account *account)
{
    account->submissions--;
    accounts->submissions--;
    settle(accounts, account);
}

uint32_t ag_account_note_cached(struct ag_accounts *accounts, struct ag_account *account,
                                enum ag_shared_cache_kind kind, bool joins)
{
    account->cached[kind] += joins ? 1 : UINT32_MAX;
    settle(accounts, account);
    return account->cached[kind];
}

void ag_accounts_forget(struct ag_accounts *accounts, enum ag_memory_kind kind)
{
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (ag_map_next(&accounts->by_context, &cursor, &id, &value)) {
        struct ag_account *account = value;
        account->used_bytes[kind] = 0;
        settle(accounts, account);
    }
}

void ag_accounts_restart(struct ag_accounts *accounts)
{
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (ag_map_next(&accounts->by_context, &cursor, &id, &value)) {
        struct ag_account *account = value;
        account->work_ns = account->compile_ns = 0;
        account->counts = (struct agpu_context_counters){0};
    }
}

void ag_accounts_forget_peaks(struct ag_accounts *accounts)
{
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (ag_map_next(&accounts->by_context, &cursor, &id, &value)) {
        struct ag_account *account = value;
        for (uint32_t kind = 0; kind < AG_MEMORY_KINDS; kind++)
            account->most_bytes[kind] = account->used_bytes[kind];
    }
}

static void visit_one(const struct ag_account *account,
                      void (*visit)(void *user, const struct agpu_context_counters *counters), void *user)
{
    struct agpu_context_counters counts = account->counts;
    counts.size = sizeof counts;
    counts.context_id = account->context_id;
    counts.gpu_bytes = account->used_bytes[AG_MEMORY_OF_GPU];
    counts.most_gpu_bytes = account->most_bytes[AG_MEMORY_OF_GPU];
    counts.host_bytes = account->used_bytes[AG_MEMORY_OF_HOST];
    counts.most_host_bytes = account->most_bytes[AG_MEMORY_OF_HOST];
    if (counts.submissions || counts.most_gpu_bytes || counts.most_host_bytes || counts.refusals)
        visit(user, &counts);
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = (*(const struct ag_account *const *)a)->context_id;
    const uint32_t y = (*(const struct ag_account *const *)b)->context_id;
    return (x > y) - (x < y);
}

void ag_accounts_visit(const struct ag_accounts *accounts,
                       void (*visit)(void *user, const struct agpu_context_counters *counters), void *user)
{
    const struct ag_account **sorted = calloc(accounts->by_context.count + 1, sizeof *sorted);
    size_t count = 0, cursor = 0;
    uint64_t id;
    void *value;
    while (sorted && ag_map_next(&accounts->by_context, &cursor, &id, &value))
        sorted[count++] = value;
    if (count)
        qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 0; i < count; i++)
        visit_one(sorted[i], visit, user);
    free(sorted);
}

void ag_accounts_fini(struct ag_accounts *accounts)
{
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (ag_map_next(&accounts->by_context, &cursor, &id, &value))
        free(value);
    ag_map_fini(&accounts->by_context);
    accounts->idle = (struct ag_recency_list){0};
    accounts->current = NULL;
}

/* ---- Budgets ------------------------------------------------------------------------------------------ */

static bool fits(const struct ag_budget *budget, uint64_t bytes)
{
    return bytes <= budget->limit_bytes && budget->used_bytes <= budget->limit_bytes - bytes;
}

/* What has to remain free beside an account that has so many bytes. */
static uint64_t reserve(const struct ag_accounts *accounts, uint64_t bytes)
{
    const uint64_t percent = accounts->share_percent;
    return bytes / percent * (100 - percent) + bytes % percent * (100 - percent) / percent;
}

bool ag_budget_has(const struct ag_accounts *accounts, const struct ag_budget *budget,
                   enum ag_memory_kind kind, const struct ag_account *account, uint64_t bytes)
{
    if (!fits(budget, bytes))
        return false;
    if (!account || accounts->is_loading || budget->limit_bytes == UINT64_MAX)
        return true;
    return reserve(accounts, account->used_bytes[kind] + bytes) <=
           budget->limit_bytes - budget->used_bytes - bytes;
}

bool ag_budget_take(struct ag_accounts *accounts, struct ag_budget *budget, enum ag_memory_kind kind,
                    struct ag_account *account, uint64_t bytes)
{
    if (!ag_budget_has(accounts, budget, kind, account, bytes)) {
        if (account)
            account->counts.refusals++;
        return false;
    }
    budget->used_bytes += bytes;
    if (account && bytes) {
        account->used_bytes[kind] += bytes;
        if (account->used_bytes[kind] > account->most_bytes[kind])
            account->most_bytes[kind] = account->used_bytes[kind];
        settle(accounts, account);
    }
    return true;
}

void ag_budget_give(struct ag_accounts *accounts, struct ag_budget *budget, enum ag_memory_kind kind,
                    struct ag_account *account, uint64_t bytes)
{
    budget->used_bytes -= bytes;
    if (account && bytes) {
        account->used_bytes[kind] -= bytes;
        settle(accounts, account);
    }
}

const char *ag_budget_refusal(const struct ag_accounts *accounts, const struct ag_budget *budget,
                              enum ag_memory_kind kind, const struct ag_account *account, uint64_t bytes,
                              struct ag_budget_text *text)
{
    const char *const name = kind == AG_MEMORY_OF_GPU ? "GPU" : "host";
    if (!account || !fits(budget, bytes))
        ag_text_format(text->text, sizeof text->text,
                       "%" PRIu64 " bytes more than the %" PRIu64 " in use exceed the budget of %s memory",
                       bytes, budget->used_bytes, name);
    else
        ag_text_format(text->text, sizeof text->text,
                       "%" PRIu64 " bytes more than the %" PRIu64 " of context %" PRIu32
                       " leave other contexts less than %" PRIu64 " of the budget of %s memory",
                       bytes, account->used_bytes[kind], account->context_id,
                       reserve(accounts, account->used_bytes[kind] + bytes), name);
    return text->text;
}
