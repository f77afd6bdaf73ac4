/* SPDX-License-Identifier: MIT
 *
 * Accounts: what each context of the guest has of the budgets of memory. What a context makes is charged to
 * its account and stays there, whoever uses or destroys it, until the memory is free; so that one context
 * cannot take what other contexts need.
 */
#ifndef AG_EXEC_HOST_ACCOUNT_H
#define AG_EXEC_HOST_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/executor.h"
#include "base/map.h"
#include "exec/host/recency.h"

struct ag_resource;

enum ag_memory_kind {
    AG_MEMORY_OF_GPU,
    AG_MEMORY_OF_HOST,
    AG_MEMORY_KINDS,
};

/* Caches whose members belong to contexts (shared_cache.h). */
enum ag_shared_cache_kind {
    AG_SHARED_IDLE_PROGRAMS,
    AG_SHARED_RENDER_PIPELINES,
    AG_SHARED_COMPUTE_PIPELINES,
    AG_SHARED_CACHE_KINDS,
};

/* Bytes that all contexts have together. */
struct ag_budget {
    uint64_t limit_bytes; /* UINT64_MAX: none */
    uint64_t used_bytes;
};

/* An account stays where it is while it has memory, members of caches or submissions. Objects that were made
 * for no context have null in its place. */
struct ag_account {
    uint32_t context_id;
    uint32_t submissions; /* in flight */
    uint64_t used_bytes[AG_MEMORY_KINDS], most_bytes[AG_MEMORY_KINDS];
    uint32_t cached[AG_SHARED_CACHE_KINDS]; /* members of each cache */
    struct agpu_context_counters counts;    /* but numbers of bytes, which are above */
    struct ag_recency idle;                 /* in a list while there is nothing of these */
    struct ag_resource *dirty;              /* those of object/dirty_resource.h, the newest first */

    /* For how long other contexts have waited for this one since a submission of another one was completed:
     * for its work, and for compilers of its pipelines. */
    uint64_t work_ns, compile_ns;
    uint64_t completed; /* submissions */
    uint64_t round;     /* how many submissions of others were completed when the above began */
};

struct ag_accounts {
    struct ag_map by_context; /* struct ag_account */
    struct ag_recency_list idle;
    uint32_t submissions;       /* in flight, of all accounts */
    struct ag_account *current; /* of the packet that is executed; null between two submissions */
    /* What one context may have of a budget where it is alone, in percent; several share: see
     * ag_budget_take(). */
    uint32_t share_percent;
    /* Shares do not count: what a snapshot has was within them, but was made in another order. */
    bool is_loading;
};

/* Idle accounts that are kept for what they have counted. */
#define AG_IDLE_ACCOUNTS 1024

/* The account of a context, made if there is none. Null when memory is exhausted (not reported). Idle
 * accounts may be dropped by the next call. */
struct ag_account *ag_account_get(struct ag_accounts *accounts, uint32_t context_id);

/* A submission of the account has begun to wait, or is done. */
void ag_account_begin(struct ag_accounts *accounts, struct ag_account *account);
void ag_account_end(struct ag_accounts *accounts, struct ag_account *account);

/* A member of a cache was made by the account, or goes. Returns how many members there are then. */
uint32_t ag_account_note_cached(struct ag_accounts *accounts, struct ag_account *account,
                                enum ag_shared_cache_kind kind, bool joins);

/* Counts bytes in a budget and in an account, which may be null. False when the budget does not have them, or
 * when less than a share of the budget would be free for other contexts: nothing is counted (not reported).
 * With P percent, an account may have P / (100 - P) times what remains free of the budget: P percent where
 * the other contexts have nothing, less where several have much, and never all. */
bool ag_budget_take(struct ag_accounts *accounts, struct ag_budget *budget, enum ag_memory_kind kind,
                    struct ag_account *account, uint64_t bytes);
bool ag_budget_has(const struct ag_accounts *accounts, const struct ag_budget *budget,
                   enum ag_memory_kind kind, const struct ag_account *account, uint64_t bytes);
void ag_budget_give(struct ag_accounts *accounts, struct ag_budget *budget, enum ag_memory_kind kind,
                    struct ag_account *account, uint64_t bytes);

/* Why a budget does not have so many bytes more for an account, as one sentence. */
struct ag_budget_text {
    char text[192];
};
const char *ag_budget_refusal(const struct ag_accounts *accounts, const struct ag_budget *budget,
                              enum ag_memory_kind kind, const struct ag_account *account, uint64_t bytes,
                              struct ag_budget_text *text);

/* All that accounts have counted begins anew, but their memory and what they had most. */
void ag_accounts_restart(struct ag_accounts *accounts);

/* The most that accounts had is what they have. */
void ag_accounts_forget_peaks(struct ag_accounts *accounts);

/* Calls `visit` with what each account has counted, in the order of their contexts' numbers. Those that have
 * counted nothing are left out. */
void ag_accounts_visit(const struct ag_accounts *accounts,
                       void (*visit)(void *user, const struct agpu_context_counters *counters), void *user);

/* Nobody has memory of the kind any more. */
void ag_accounts_forget(struct ag_accounts *accounts, enum ag_memory_kind kind);

/* Frees all accounts. */
void ag_accounts_fini(struct ag_accounts *accounts);

#endif
