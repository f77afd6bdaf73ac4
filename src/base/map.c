/* SPDX-License-Identifier: MIT
 *
 * An open-addressing hash table.
 */
#include "base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Collisions use linear probing. Deletion shifts later entries back, so there are no tombstones, and a slot
 * with a null value ends a probe. */
struct ag_map_slot {
    uint64_t key;
    void *value;
};

void ag_map_fini(struct ag_map *map)
{
    free(map->slots);
    *map = (struct ag_map){0};
}

void ag_map_clear(struct ag_map *map)
{
    if (map->slots != NULL)
        memset(map->slots, 0, map->capacity * sizeof *map->slots);
    map->count = 0;
}

/* Guests choose keys, so the hash is seeded with the table's address: a guest cannot prepare keys that all
 * collide. */
static size_t home_of(const struct ag_map *map, uint64_t key)
{
    uint64_t hash = key ^ (uint64_t)(uintptr_t)map->slots;
    hash = (hash ^ hash >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    hash = (hash ^ hash >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return (size_t)(hash ^ hash >> 33) & (map->capacity - 1);
}

/* The slot of a key, or the empty slot where it would go. */
static size_t find_slot(const struct ag_map *map, uint64_t key)
{
    assert(map->slots != NULL);
    size_t i = home_of(map, key);
    while (map->slots[i].value != NULL && map->slots[i].key != key)
        i = (i + 1) & (map->capacity - 1);
    return i;
}

void *ag_map_get(const struct ag_map *map, uint64_t key)
{
    return map->count == 0 ? NULL : map->slots[find_slot(map, key)].value;
}

static bool grow(struct ag_map *map)
{
    struct ag_map larger = {.capacity = map->capacity == 0 ? 16 : map->capacity * 2};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    assert(map->slots != NULL || map->capacity == 0);
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].value != NULL)
            larger.slots[find_slot(&larger, map->slots[i].key)] = map->slots[i];
    }
    larger.count = map->count;
    free(map->slots);
    *map = larger;
    return true;
}

bool ag_map_put(struct ag_map *map, uint64_t key, void *value)
{
    if (map->count != 0) {
        const size_t found = find_slot(map, key);
        if (map->slots[found].value != NULL) {
            map->slots[found].value = value;
            return true;
        }
    }
    if ((map->count + 1) * 4 > map->capacity * 3 && !grow(map))
        return false;
    map->slots[find_slot(map, key)] = (struct ag_map_slot){key, value};
    map->count++;
    return true;
}

void *ag_map_remove(struct ag_map *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    const size_t mask = map->capacity - 1;
    size_t hole = find_slot(map, key);
    void *value = map->slots[hole].value;
    if (value == NULL)
        return NULL;
    for (size_t i = (hole + 1) & mask; map->slots[i].value != NULL; i = (i + 1) & mask) {
        const size_t home = home_of(map, map->slots[i].key);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole] = (struct ag_map_slot){0};
    map->count--;
    return value;
}

bool ag_map_next(const struct ag_map *map, size_t *cursor, uint64_t *key, void **value)
{
    while (*cursor < map->capacity) {
        const struct ag_map_slot *slot = &map->slots[(*cursor)++];
        if (slot->value != NULL) {
            *key = slot->key;
            *value = slot->value;
            return true;
        }
    }
    return false;
}

uint64_t ag_hash_bytes(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

uint64_t ag_hash_combine(uint64_t seed, uint64_t value)
{
    const uint64_t pair[2] = {seed, value};
    return XXH3_64bits(pair, sizeof pair);
}
