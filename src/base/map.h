/* SPDX-License-Identifier: MIT
 *
 * A hash map from 64-bit keys to pointers: handle tables (the key is the guest's handle) and caches (the key
 * is a hash; the value keeps what was hashed, and whoever looks up compares it).
 */
#ifndef AG_BASE_MAP_H
#define AG_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ag_map_slot;
struct ag_map_rest;

struct ag_map {
    struct ag_map_slot *slots;
    size_t count;             /* live entries */
    size_t capacity;          /* 0 or a power of two */
    struct ag_map_rest *rest; /* of the smaller table of before, while entries move; or null */
};

/* A zeroed map is valid and empty. ag_map_fini() does not free the values, which belong to the caller. */
void ag_map_fini(struct ag_map *map);
void ag_map_clear(struct ag_map *map);

/* The value of a key, or null. */
void *ag_map_get(const struct ag_map *map, uint64_t key);

/* Sets or replaces a value, which must not be null. False when memory runs out; the map is then unchanged.
 * Replacing needs no memory. */
bool ag_map_put(struct ag_map *map, uint64_t key, void *value);

/* Removes and returns the value, or null. */
void *ag_map_remove(struct ag_map *map, uint64_t key);

/* Visits all entries in no particular order; *cursor starts at 0. The map must not change during the walk,
 * except that the caller may remove the entry just returned and either start the walk again or set the cursor
 * back by one; the walk may then see an entry twice. */
bool ag_map_next(const struct ag_map *map, size_t *cursor, uint64_t *key, void **value);

/* The hash that all caches use: XXH3, or in a page a shorter one. */
uint64_t ag_hash_bytes(const void *data, size_t size);
uint64_t ag_hash_combine(uint64_t seed, uint64_t value);

#endif
