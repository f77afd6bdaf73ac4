/* SPDX-License-Identifier: MIT
 *
 * An open-addressing hash table.
 */
#include "base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifndef AG_SMALL_HASH
#include <xxhash.h>
#endif

#include "base/bytes.h"

/* Collisions use linear probing. Deletion shifts later entries back, so there are no tombstones, and a slot
 * with a null value ends a probe. */
struct ag_map_slot {
    uint64_t key;
    void *value;
};

/* A large table grows a few entries with each that is added, so that none takes long. Slots below `moved` are
 * in the larger table, and stay for the probes of the others. */
struct ag_map_rest {
    struct ag_map_slot *slots;
    size_t capacity, moved;
};

#define MOVED_AT_ONCE ((size_t)4096)
#define MOVED_WITH_EACH ((size_t)16)

/* Whether a slot of the rest has an entry: the value of one that was removed is the table itself. */
static bool is_taken(const struct ag_map_rest *rest, const struct ag_map_slot *slot)
{
    return slot->value != NULL && slot->value != rest->slots;
}

static void drop_rest(struct ag_map *map)
{
    if (map->rest != NULL)
        free(map->rest->slots);
    free(map->rest);
    map->rest = NULL;
}

void ag_map_fini(struct ag_map *map)
{
    drop_rest(map);
    free(map->slots);
    *map = (struct ag_map){0};
}

void ag_map_clear(struct ag_map *map)
{
    drop_rest(map);
    if (map->slots != NULL)
        memset(map->slots, 0, map->capacity * sizeof *map->slots);
    map->count = 0;
}

/* Guests choose keys, so the hash is seeded with the table's address: a guest cannot prepare keys that all
 * collide. */
static size_t home_of(const struct ag_map_slot *slots, size_t capacity, uint64_t key)
{
    uint64_t hash = key ^ (uint64_t)(uintptr_t)slots;
    hash = (hash ^ hash >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    hash = (hash ^ hash >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return (size_t)(hash ^ hash >> 33) & (capacity - 1);
}

/* The slot of a key, or the empty slot where it would go. */
static size_t find_in(const struct ag_map_slot *slots, size_t capacity, uint64_t key)
{
    assert(slots != NULL);
    size_t i = home_of(slots, capacity, key);
    while (slots[i].value != NULL && slots[i].key != key)
        i = (i + 1) & (capacity - 1);
    return i;
}

static size_t find_slot(const struct ag_map *map, uint64_t key)
{
    return find_in(map->slots, map->capacity, key);
}

/* The slot of an entry that has not moved yet, or null. */
static struct ag_map_slot *find_rest(const struct ag_map *map, uint64_t key)
{
    const struct ag_map_rest *const rest = map->rest;
    if (rest == NULL)
        return NULL;
    const size_t i = find_in(rest->slots, rest->capacity, key);
    return i >= rest->moved && is_taken(rest, &rest->slots[i]) ? &rest->slots[i] : NULL;
}

/* The slot of an entry, in either table, or null. */
static struct ag_map_slot *find_entry(const struct ag_map *map, uint64_t key)
{
    struct ag_map_slot *const slot = &map->slots[find_slot(map, key)];
    return slot->value != NULL ? slot : find_rest(map, key);
}

void *ag_map_get(const struct ag_map *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    const struct ag_map_slot *const slot = find_entry(map, key);
    return slot != NULL ? slot->value : NULL;
}

static void move(struct ag_map *map, size_t count)
{
    struct ag_map_rest *const rest = map->rest;
    for (; count > 0 && rest->moved < rest->capacity; count--) {
        const struct ag_map_slot *const slot = &rest->slots[rest->moved++];
        if (is_taken(rest, slot))
            map->slots[find_slot(map, slot->key)] = *slot;
    }
    if (rest->moved == rest->capacity)
        drop_rest(map);
}

static bool grow(struct ag_map *map)
{
    const size_t capacity = map->capacity == 0 ? 16 : map->capacity * 2;
    if (map->rest != NULL)
        move(map, SIZE_MAX);
    struct ag_map_slot *const slots = calloc(capacity, sizeof *slots);
    struct ag_map_rest *const rest = slots != NULL ? malloc(sizeof *rest) : NULL;
    if (rest == NULL) {
        free(slots);
        return false;
    }
    *rest = (struct ag_map_rest){.slots = map->slots, .capacity = map->capacity};
    map->slots = slots;
    map->capacity = capacity;
    map->rest = rest;
    move(map, MOVED_AT_ONCE);
    return true;
}

bool ag_map_put(struct ag_map *map, uint64_t key, void *value)
{
    if (map->count != 0) {
        struct ag_map_slot *const slot = find_entry(map, key);
        if (slot != NULL) {
            slot->value = value;
            return true;
        }
    }
    if ((map->count + 1) * 4 > map->capacity * 3 && !grow(map))
        return false;
    if (map->rest != NULL)
        move(map, MOVED_WITH_EACH);
    map->slots[find_slot(map, key)] = (struct ag_map_slot){key, value};
    map->count++;
    return true;
}

static void *remove_rest(struct ag_map *map, uint64_t key)
{
    struct ag_map_slot *const slot = find_rest(map, key);
    if (slot == NULL)
        return NULL;
    void *const value = slot->value;
    slot->value = map->rest->slots;
    map->count--;
    return value;
}

void *ag_map_remove(struct ag_map *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    const size_t mask = map->capacity - 1;
    size_t hole = find_slot(map, key);
    void *value = map->slots[hole].value;
    if (value == NULL)
        return remove_rest(map, key);
    for (size_t i = (hole + 1) & mask; map->slots[i].value != NULL; i = (i + 1) & mask) {
        const size_t home = home_of(map->slots, map->capacity, map->slots[i].key);
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
    const struct ag_map_rest *const rest = map->rest;
    const size_t left = rest != NULL ? rest->capacity - rest->moved : 0;
    while (*cursor < map->capacity + left) {
        const size_t i = (*cursor)++;
        const struct ag_map_slot *const slot =
            i < map->capacity ? &map->slots[i] : &rest->slots[rest->moved + (i - map->capacity)];
        if (i < map->capacity ? slot->value != NULL : is_taken(rest, slot)) {
            *key = slot->key;
            *value = slot->value;
            return true;
        }
    }
    return false;
}

#ifdef AG_SMALL_HASH
/* A page's module is downloaded: what follows takes a twentieth of the bytes of XXH3, and as long for short
 * keys. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9FB21C651E98DF25);
    return hash ^ hash >> 32;
}

uint64_t ag_hash_bytes(const void *data, size_t size)
{
    const uint8_t *const bytes = data;
    uint64_t hash = mix(UINT64_C(0xC4CEB9FE1A85EC53), size), rest = 0;
    size_t at = 0;
    for (; size - at >= sizeof rest; at += sizeof rest)
        hash = mix(hash, ag_load_u64(bytes + at));
    for (; at < size; at++)
        rest = rest << 8 | bytes[at];
    return mix(mix(hash, rest), 0);
}

uint64_t ag_hash_combine(uint64_t seed, uint64_t value)
{
    return mix(mix(mix(UINT64_C(0xC4CEB9FE1A85EC53), seed), value), 0);
}
#else
uint64_t ag_hash_bytes(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

uint64_t ag_hash_combine(uint64_t seed, uint64_t value)
{
    const uint64_t pair[2] = {seed, value};
    return XXH3_64bits(pair, sizeof pair);
}
#endif
