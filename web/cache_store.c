/* SPDX-License-Identifier: MIT */
#include "cache_store.h"

#include <stdlib.h>

#define IMPORT(name) __attribute__((import_module("aerogpu"), import_name(#name)))

/* The bytes, which are freed with free(); null for none. */
IMPORT(cache_load) void *host_cache_load(const uint8_t *name, size_t *size);
IMPORT(cache_store) void host_cache_store(const uint8_t *name, const void *bytes, size_t size);

static void load(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                 void (*take)(void *taker, const void *bytes, size_t size), void *taker)
{
    size_t size = 0;
    void *const bytes = host_cache_load(name, &size);
    (void)user;
    if (bytes != NULL)
        take(taker, bytes, size);
    free(bytes);
}

static void store(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES], const void *bytes, size_t size)
{
    (void)user;
    host_cache_store(name, bytes, size);
}

struct agpu_cache *web_cache_create(const struct agpu_diag_sink *sink)
{
    const struct agpu_cache_store callbacks = {.size = sizeof callbacks, .load = load, .store = store};
    struct agpu_cache *cache;
    agpu_cache_create(&callbacks, sink, &cache);
    return cache;
}

struct web_shader_counts web_shader_counts_of(struct agpu_executor *executor)
{
    struct agpu_counters counters = {.size = sizeof counters};
    executor->counters(executor, &counters);
    return (struct web_shader_counts){(uint32_t)counters.shaders_translated,
                                      (uint32_t)counters.shaders_cached};
}
