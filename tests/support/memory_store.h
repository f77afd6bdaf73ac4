/* SPDX-License-Identifier: MIT
 *
 * A store of a persistent cache in memory. On one thread.
 */
#ifndef AG_TESTS_MEMORY_STORE_H
#define AG_TESTS_MEMORY_STORE_H

#include <stdlib.h>
#include <string.h>

#include "aerogpu/cache.h"

#define MEMORY_STORE_ENTRIES 256

struct memory_store {
    struct {
        uint8_t name[AGPU_CACHE_NAME_BYTES];
        uint8_t *bytes;
        size_t size;
    } entries[MEMORY_STORE_ENTRIES];
    size_t count;
};

static inline size_t memory_store_find(const struct memory_store *store,
                                       const uint8_t name[AGPU_CACHE_NAME_BYTES])
{
    size_t at = 0;
    while (at < store->count && memcmp(store->entries[at].name, name, AGPU_CACHE_NAME_BYTES) != 0)
        at++;
    return at;
}

static inline void memory_store_load(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                                     void (*take)(void *taker, const void *bytes, size_t size), void *taker)
{
    const struct memory_store *const store = user;
    const size_t at = memory_store_find(store, name);
    if (at < store->count)
        take(taker, store->entries[at].bytes, store->entries[at].size);
}

static inline void memory_store_store(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                                      const void *bytes, size_t size)
{
    struct memory_store *const store = user;
    const size_t at = memory_store_find(store, name);
    uint8_t *const copy = at < MEMORY_STORE_ENTRIES ? malloc(size) : NULL;
    if (copy == NULL)
        return;
    memcpy(copy, bytes, size);
    if (at == store->count)
        memcpy(store->entries[store->count++].name, name, AGPU_CACHE_NAME_BYTES);
    free(store->entries[at].bytes);
    store->entries[at].bytes = copy;
    store->entries[at].size = size;
}

static inline void memory_store_clear(struct memory_store *store)
{
    for (size_t i = 0; i < store->count; i++)
        free(store->entries[i].bytes);
    memset(store, 0, sizeof *store);
}

static inline struct agpu_cache_store memory_store_callbacks(struct memory_store *store)
{
    return (struct agpu_cache_store){.size = sizeof(struct agpu_cache_store),
                                     .load = memory_store_load,
                                     .store = memory_store_store,
                                     .user = store};
}

#endif
