/* SPDX-License-Identifier: MIT
 *
 * A hash map from 64-bit keys to pointers: handle tables (the key is the guest's handle) and caches (the key
 * is a hash; the value keeps what was hashed, and whoever looks up compares it).
 */
#ifndef AGPU_BASE_MAP_H
#define AGPU_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agpu_map_slot;

struct agpu_map {
    struct agpu_map_slot *slots;
    size_t count;    /* live entries */
    size_t capacity; /* 0 or a power of two */
};

/* A zeroed map is an empty one. Values are the caller's: fini frees none of them. */
void agpu_map_fini(struct agpu_map *map);
void agpu_map_clear(struct agpu_map *map);

/* The value of a key, or null. */
void *agpu_map_get(const struct agpu_map *map, uint64_t key);

/* Sets or replaces. `value` is not null. False when out of memory; the map is then unchanged. */
bool agpu_map_put(struct agpu_map *map, uint64_t key, void *value);

/* Removes and returns the value, or null. */
void *agpu_map_remove(struct agpu_map *map, uint64_t key);

/* Visits all entries in no particular order; start with *cursor = 0. The map may not change meanwhile,
 * except that the entry just returned may be removed with agpu_map_remove when the walk restarts. */
bool agpu_map_next(const struct agpu_map *map, size_t *cursor, uint64_t *key, void **value);

/* XXH3 of bytes, the hash used for all caches. */
uint64_t agpu_hash_bytes(const void *data, size_t size);
uint64_t agpu_hash_combine(uint64_t seed, uint64_t value);

#endif
