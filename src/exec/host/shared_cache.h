/* SPDX-License-Identifier: MIT
 *
 * Caches that the contexts of a guest share. A member belongs to the context that made it. The part of a
 * context is the size of the cache over the number of contexts that have members: a full cache drops members
 * of contexts that have more than their part, those that were not used for the longest time first, so that
 * no context loses members because another one makes many.
 */
#ifndef AG_EXEC_HOST_SHARED_CACHE_H
#define AG_EXEC_HOST_SHARED_CACHE_H

#include <stdint.h>

#include "exec/host/account.h"
#include "exec/host/recency.h"

struct ag_shared_member {
    struct ag_recency recency;  /* the first member of the struct */
    struct ag_account *account; /* of the context that made the member of the cache; null: none did */
};

struct ag_shared_cache {
    struct ag_recency_list recent;
    enum ag_shared_cache_kind kind;
    uint32_t sharers; /* accounts that have members */
};

/* `object` joins the cache as the member that was used last. */
void ag_shared_cache_add(struct ag_accounts *accounts, struct ag_shared_cache *cache,
                         struct ag_shared_member *member, void *object, struct ag_account *account);

/* Nothing happens to what is in no cache. */
void ag_shared_cache_remove(struct ag_accounts *accounts, struct ag_shared_cache *cache,
                            struct ag_shared_member *member);

static inline void ag_shared_cache_use(struct ag_shared_cache *cache, struct ag_shared_member *member)
{
    ag_recency_use(&cache->recent, &member->recency, member->recency.member);
}

/* The object that goes when an account adds one to a cache that holds `size`. Null: the cache is empty. */
void *ag_shared_cache_victim(const struct ag_shared_cache *cache, const struct ag_account *account,
                             uint32_t size);

/* The object that goes when an account is short of memory of a kind: its own, else one of an account that has
 * more of the memory. Null: there is none. */
void *ag_shared_cache_spare(const struct ag_shared_cache *cache, const struct ag_account *account,
                            enum ag_memory_kind kind);

#endif
