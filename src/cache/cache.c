/* SPDX-License-Identifier: MIT */
#include "cache/cache.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/table.h"
#include "cache/source_version.h"

struct counts {
    atomic_uint_least64_t loads, hits, stores;
};

struct agpu_cache {
    struct agpu_cache_store store;
    void (*end)(void *user);
    struct counts counts[AG_CACHE_KINDS];
    atomic_uint_least64_t refused;
};

/* What is in front of key and value, which follow in this order. */
struct entry_header {
    char magic[8];
    uint32_t kind; /* enum ag_cache_kind */
    uint32_t value_size;
    uint64_t key_size;
    uint64_t version; /* of what made the value */
    uint64_t hash;    /* of the header in front of `hash`, and of key and value */
};

_Static_assert(sizeof(struct entry_header) == AG_CACHE_HEADER_BYTES, "processes know the size");

static const char magic[8] = {'A', 'G', 'P', 'U', 'C', 'A', 'C', '1'};

/* What this library makes depends on its sources. The WebGPU library's own keys name its version. */
static const uint64_t versions[AG_CACHE_KINDS] = {
    [AG_CACHE_MODULES] = AG_SOURCE_VERSION,
    [AG_CACHE_PIPELINES] = AG_SOURCE_VERSION,
    [AG_CACHE_BLOBS] = 1,
};

static uint64_t hash_of(const struct entry_header *header, const uint8_t *bytes)
{
    return ag_hash_combine(ag_hash_bytes(header, offsetof(struct entry_header, hash)),
                           ag_hash_bytes(bytes, (size_t)(header->key_size + header->value_size)));
}

/* The module of a page, which has the short hash anyway, does without the long one: an entry of another key
 * with the same name is refused. */
static void name_of(enum ag_cache_kind kind, const void *key, size_t key_size,
                    uint8_t name[AGPU_CACHE_NAME_BYTES])
{
#ifdef AG_SMALL_HASH
    const struct {
        uint64_t low64, high64;
    } hash = {ag_hash_bytes(key, key_size), 0};
#else
    const XXH128_hash_t hash = XXH3_128bits(key, key_size);
#endif
    const uint64_t parts[2] = {hash.low64,
                               hash.high64 ^ ag_hash_combine(versions[kind] + (uint64_t)kind, hash.low64)};
    _Static_assert(sizeof parts == AGPU_CACHE_NAME_BYTES, "a name has two parts");
    memcpy(name, parts, sizeof parts);
}

/* ---- Life --------------------------------------------------------------------------------------------- */

enum agpu_status ag_cache_create(const struct agpu_cache_store *store, void (*end)(void *user),
                                 const struct agpu_diag_sink *sink, struct agpu_cache **cache)
{
    *cache = calloc(1, sizeof **cache);
    if (*cache == NULL)
        return ag_report_no_memory(sink);
    ag_table_read(&(*cache)->store, sizeof(*cache)->store, AG_MEMBER_END(struct agpu_cache_store, user),
                  store);
    (*cache)->end = end;
    return AGPU_OK;
}

enum agpu_status agpu_cache_create(const struct agpu_cache_store *store, const struct agpu_diag_sink *sink,
                                   struct agpu_cache **cache)
{
    return ag_cache_create(store, NULL, sink, cache);
}

void agpu_cache_destroy(struct agpu_cache *cache)
{
    if (cache != NULL && cache->end != NULL)
        cache->end(cache->store.user);
    free(cache);
}

static struct agpu_cache_counts counts_of(const struct counts *counts)
{
    return (struct agpu_cache_counts){
        .loads = atomic_load_explicit(&counts->loads, memory_order_relaxed),
        .hits = atomic_load_explicit(&counts->hits, memory_order_relaxed),
        .stores = atomic_load_explicit(&counts->stores, memory_order_relaxed),
    };
}

void agpu_cache_statistics(const struct agpu_cache *cache, struct agpu_cache_statistics *statistics)
{
    const struct agpu_cache_statistics all = {
        .modules = counts_of(&cache->counts[AG_CACHE_MODULES]),
        .pipelines = counts_of(&cache->counts[AG_CACHE_PIPELINES]),
        .blobs = counts_of(&cache->counts[AG_CACHE_BLOBS]),
        .refused = atomic_load_explicit(&cache->refused, memory_order_relaxed),
    };
    ag_table_write(statistics, sizeof all, AG_MEMBER_END(struct agpu_cache_statistics, refused), &all);
}

static void count(atomic_uint_least64_t *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* ---- Entries ------------------------------------------------------------------------------------------ */

/* What a load looks for and finds. */
struct search {
    struct agpu_cache *cache;
    enum ag_cache_kind kind;
    const void *key;
    size_t key_size;
    struct ag_cache_value *value;
    bool found;
};

/* Whether bytes of a store are the entry that was looked for. */
static bool is_entry(const struct search *search, const uint8_t *bytes, size_t size,
                     struct entry_header *header)
{
    if (size < sizeof *header)
        return false;
    memcpy(header, bytes, sizeof *header);
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->kind == (uint32_t)search->kind &&
           header->version == versions[search->kind] && header->key_size == search->key_size &&
           header->value_size == size - sizeof *header - search->key_size &&
           size - sizeof *header >= search->key_size &&
           header->hash == hash_of(header, bytes + sizeof *header) &&
           memcmp(bytes + sizeof *header, search->key, search->key_size) == 0;
}

static void take_entry(void *taker, const void *bytes, size_t size)
{
    struct search *const search = taker;
    struct entry_header header;
    if (search->found)
        return;
    if (!is_entry(search, bytes, size, &header)) {
        count(&search->cache->refused);
        return;
    }
    uint8_t *const copy = malloc(header.value_size != 0 ? header.value_size : 1);
    if (copy == NULL)
        return;
    memcpy(copy, (const uint8_t *)bytes + sizeof header + search->key_size, header.value_size);
    *search->value = (struct ag_cache_value){copy, header.value_size, copy};
    search->found = true;
}

bool ag_cache_load(struct agpu_cache *cache, enum ag_cache_kind kind, const void *key, size_t key_size,
                   struct ag_cache_value *value)
{
    uint8_t name[AGPU_CACHE_NAME_BYTES];
    struct search search = {cache, kind, key, key_size, value, false};
    *value = (struct ag_cache_value){0};
    if (cache == NULL || cache->store.load == NULL)
        return false;
    name_of(kind, key, key_size, name);
    count(&cache->counts[kind].loads);
    cache->store.load(cache->store.user, name, take_entry, &search);
    if (search.found)
        count(&cache->counts[kind].hits);
    return search.found;
}

void ag_cache_value_fini(struct ag_cache_value *value)
{
    free(value->memory);
    *value = (struct ag_cache_value){0};
}

void ag_cache_store(struct agpu_cache *cache, enum ag_cache_kind kind, const void *key, size_t key_size,
                    const void *value, size_t size)
{
    uint8_t name[AGPU_CACHE_NAME_BYTES];
    struct entry_header header;
    if (cache == NULL || cache->store.store == NULL || key_size > AG_CACHE_ENTRY_BYTES ||
        size > AG_CACHE_ENTRY_BYTES - key_size)
        return;
    uint8_t *const bytes = malloc(sizeof header + key_size + size);
    if (bytes == NULL)
        return;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, magic, sizeof magic);
    header.kind = (uint32_t)kind;
    header.value_size = (uint32_t)size;
    header.key_size = key_size;
    header.version = versions[kind];
    memcpy(bytes + sizeof header, key, key_size);
    if (size != 0)
        memcpy(bytes + sizeof header + key_size, value, size);
    header.hash = hash_of(&header, bytes + sizeof header);
    memcpy(bytes, &header, sizeof header);
    name_of(kind, key, key_size, name);
    cache->store.store(cache->store.user, name, bytes, sizeof header + key_size + size);
    count(&cache->counts[kind].stores);
    free(bytes);
}

void ag_cache_refuse(struct agpu_cache *cache, enum ag_cache_kind kind)
{
    atomic_fetch_sub_explicit(&cache->counts[kind].hits, 1, memory_order_relaxed);
    count(&cache->refused);
}

void ag_cache_load_raw(const struct agpu_cache *cache, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                       void (*take)(void *taker, const void *bytes, size_t size), void *taker)
{
    if (cache != NULL && cache->store.load != NULL)
        cache->store.load(cache->store.user, name, take, taker);
}

void ag_cache_store_raw(const struct agpu_cache *cache, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                        const void *bytes, size_t size)
{
    if (cache != NULL && cache->store.store != NULL)
        cache->store.store(cache->store.user, name, bytes, size);
}
