/* SPDX-License-Identifier: MIT
 *
 * Entries of a persistent cache. An entry is found by its whole key: the store's name for it is the XXH3-128
 * of the key, and the entry has the key again, so that two keys with one name are told apart. Everything here
 * may be called from any thread.
 */
#ifndef AG_CACHE_CACHE_H
#define AG_CACHE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/cache.h"

enum ag_cache_kind { AG_CACHE_MODULES, AG_CACHE_PIPELINES, AG_CACHE_BLOBS, AG_CACHE_KINDS };

/* The most bytes of an entry. */
#define AG_CACHE_ENTRY_BYTES ((size_t)16 << 20)

/* What is in front of key and value of an entry, in bytes. */
#define AG_CACHE_HEADER_BYTES 40

/* Bytes that were found; `data` is inside of `memory`. */
struct ag_cache_value {
    const uint8_t *data;
    size_t size;
    void *memory;
};

/* False when there is no such entry, or memory is exhausted. What was found is freed by
 * ag_cache_value_fini(). */
bool ag_cache_load(struct agpu_cache *cache, enum ag_cache_kind kind, const void *key, size_t key_size,
                   struct ag_cache_value *value);
void ag_cache_value_fini(struct ag_cache_value *value);

/* What is too large, or finds no memory, is not kept. */
void ag_cache_store(struct agpu_cache *cache, enum ag_cache_kind kind, const void *key, size_t key_size,
                    const void *value, size_t size);

/* For an entry whose value turned out to be none: counts it as refused instead of found. */
void ag_cache_refuse(struct agpu_cache *cache, enum ag_cache_kind kind);

/* What the store has under a name, and what it is given, unchecked: for a cache in another process. */
void ag_cache_load_raw(const struct agpu_cache *cache, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                       void (*take)(void *taker, const void *bytes, size_t size), void *taker);
void ag_cache_store_raw(const struct agpu_cache *cache, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                        const void *bytes, size_t size);

/* A cache of the library's own: `end`, which may be null, is called with the store's `user` at the end. */
enum agpu_status ag_cache_create(const struct agpu_cache_store *store, void (*end)(void *user),
                                 const struct agpu_diag_sink *sink, struct agpu_cache **cache);

#endif
