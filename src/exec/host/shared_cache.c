/* SPDX-License-Identifier: MIT */
#include "exec/host/shared_cache.h"

#include <stdbool.h>
#include <stddef.h>

/* A part is no less, so that what a packet has found in a cache outlives what the packet adds. */
#define LEAST_PART 8u

static const struct ag_account *account_of(const struct ag_recency *recency)
{
    return ((const struct ag_shared_member *)(const void *)recency)->account;
}

void ag_shared_cache_add(struct ag_accounts *accounts, struct ag_shared_cache *cache,
                         struct ag_shared_member *member, void *object, struct ag_account *account)
{
    ag_recency_use(&cache->recent, &member->recency, object);
    member->account = account;
    if (account)
        cache->sharers += ag_account_note_cached(accounts, account, cache->kind, true) == 1;
}

void ag_shared_cache_remove(struct ag_accounts *accounts, struct ag_shared_cache *cache,
                            struct ag_shared_member *member)
{
    if (!member->recency.member)
        return;
    ag_recency_remove(&cache->recent, &member->recency);
    if (member->account)
        cache->sharers -= ag_account_note_cached(accounts, member->account, cache->kind, false) == 0;
    member->account = NULL;
}

/* The member of an account that was not used for the longest time. */
static void *oldest_of(const struct ag_shared_cache *cache, const struct ag_account *account)
{
    const struct ag_recency *recency = cache->recent.oldest;
    while (recency && account_of(recency) != account)
        recency = recency->newer;
    return recency ? recency->member : NULL;
}

void *ag_shared_cache_victim(const struct ag_shared_cache *cache, const struct ag_account *account,
                             uint32_t size)
{
    const bool is_new = account && account->cached[cache->kind] == 0;
    const uint32_t sharers = cache->sharers + is_new;
    const uint32_t equal = sharers ? size / sharers : size;
    const uint32_t part = equal > LEAST_PART ? equal : LEAST_PART;
    if (account && account->cached[cache->kind] >= part)
        return oldest_of(cache, account);
    for (const struct ag_recency *recency = cache->recent.oldest; recency; recency = recency->newer) {
        const struct ag_account *owner = account_of(recency);
        if (!owner || owner->cached[cache->kind] > part)
            return recency->member;
    }
    return cache->recent.oldest ? cache->recent.oldest->member : NULL;
}

void *ag_shared_cache_spare(const struct ag_shared_cache *cache, const struct ag_account *account,
                            enum ag_memory_kind kind)
{
    void *own = account && account->cached[cache->kind] ? oldest_of(cache, account) : NULL;
    if (own)
        return own;
    for (const struct ag_recency *recency = cache->recent.oldest; recency; recency = recency->newer) {
        const struct ag_account *owner = account_of(recency);
        if (!owner || !account || owner->used_bytes[kind] > account->used_bytes[kind])
            return recency->member;
    }
    return NULL;
}
