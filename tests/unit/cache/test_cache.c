/* SPDX-License-Identifier: MIT
 *
 * Entries of a cache in a store of the embedder's, which hands out whatever it likes.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"

#define MOST_ENTRIES 8

/* A store in memory. */
struct entry {
    uint8_t name[AGPU_CACHE_NAME_BYTES];
    uint8_t *bytes;
    size_t size;
};

static struct entry entries[MOST_ENTRIES];
static size_t entry_count;
static const struct entry *instead; /* is handed out whatever is asked for */

static struct entry *find(const uint8_t name[AGPU_CACHE_NAME_BYTES])
{
    for (size_t i = 0; i < entry_count; i++)
        if (memcmp(entries[i].name, name, AGPU_CACHE_NAME_BYTES) == 0)
            return &entries[i];
    return NULL;
}

static void load(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                 void (*take)(void *taker, const void *bytes, size_t size), void *taker)
{
    const struct entry *const entry = instead != NULL ? instead : find(name);
    assert_ptr_equal(user, entries);
    if (entry != NULL)
        take(taker, entry->bytes, entry->size);
}

static void store(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES], const void *bytes, size_t size)
{
    struct entry *entry = find(name);
    assert_ptr_equal(user, entries);
    if (entry == NULL) {
        assert_true(entry_count < MOST_ENTRIES);
        entry = &entries[entry_count++];
        memcpy(entry->name, name, AGPU_CACHE_NAME_BYTES);
    }
    free(entry->bytes);
    entry->bytes = malloc(size);
    entry->size = size;
    assert_non_null(entry->bytes);
    memcpy(entry->bytes, bytes, size);
}

static struct agpu_cache *create(void)
{
    const struct agpu_cache_store callbacks = {
        .size = sizeof callbacks, .load = load, .store = store, .user = entries};
    struct agpu_cache *cache;
    assert_int_equal(agpu_cache_create(&callbacks, NULL, &cache), AGPU_OK);
    return cache;
}

static int forget(void **state)
{
    (void)state;
    for (size_t i = 0; i < entry_count; i++)
        free(entries[i].bytes);
    memset(entries, 0, sizeof entries);
    entry_count = 0;
    instead = NULL;
    return 0;
}

static bool has(struct agpu_cache *cache, enum ag_cache_kind kind, const char *key, const char *value)
{
    struct ag_cache_value found;
    if (!ag_cache_load(cache, kind, key, strlen(key), &found))
        return false;
    assert_int_equal(found.size, strlen(value));
    assert_memory_equal(found.data, value, found.size);
    ag_cache_value_fini(&found);
    return true;
}

static void put(struct agpu_cache *cache, enum ag_cache_kind kind, const char *key, const char *value)
{
    ag_cache_store(cache, kind, key, strlen(key), value, strlen(value));
}

static struct agpu_cache_statistics statistics_of(const struct agpu_cache *cache)
{
    struct agpu_cache_statistics statistics = {.size = sizeof statistics};
    agpu_cache_statistics(cache, &statistics);
    return statistics;
}

static void finds_what_was_stored(void **state)
{
    (void)state;
    struct agpu_cache *cache = create();
    assert_false(has(cache, AG_CACHE_MODULES, "a key", "a value"));
    put(cache, AG_CACHE_MODULES, "a key", "a value");
    put(cache, AG_CACHE_BLOBS, "a key", "another value");
    put(cache, AG_CACHE_MODULES, "an empty value", "");
    assert_true(has(cache, AG_CACHE_MODULES, "a key", "a value"));
    assert_true(has(cache, AG_CACHE_BLOBS, "a key", "another value"));
    assert_true(has(cache, AG_CACHE_MODULES, "an empty value", ""));
    assert_false(has(cache, AG_CACHE_PIPELINES, "a key", ""));
    put(cache, AG_CACHE_MODULES, "a key", "a newer value");
    assert_true(has(cache, AG_CACHE_MODULES, "a key", "a newer value"));
    const struct agpu_cache_statistics statistics = statistics_of(cache);
    assert_int_equal(statistics.modules.loads, 4);
    assert_int_equal(statistics.modules.hits, 3);
    assert_int_equal(statistics.modules.stores, 3);
    assert_int_equal(statistics.blobs.hits, 1);
    assert_int_equal(statistics.pipelines.loads, 1);
    assert_int_equal(statistics.pipelines.hits, 0);
    assert_int_equal(statistics.refused, 0);
    agpu_cache_destroy(cache);
}

/* Another cache on the same store, as of a later process. */
static void outlives_the_cache(void **state)
{
    (void)state;
    struct agpu_cache *cache = create();
    put(cache, AG_CACHE_BLOBS, "key", "value");
    agpu_cache_destroy(cache);
    cache = create();
    assert_true(has(cache, AG_CACHE_BLOBS, "key", "value"));
    agpu_cache_destroy(cache);
}

/* Every bit of an entry, and every length, is looked at. */
static void refuses_damaged_entries(void **state)
{
    (void)state;
    struct agpu_cache *cache = create();
    put(cache, AG_CACHE_MODULES, "the key", "the value");
    struct entry *const entry = &entries[0];
    const size_t size = entry->size;
    uint64_t refused = 0;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        entry->bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(has(cache, AG_CACHE_MODULES, "the key", "the value"));
        assert_int_equal(statistics_of(cache).refused, ++refused);
        entry->bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (entry->size = 0; entry->size < size; entry->size++) {
        assert_false(has(cache, AG_CACHE_MODULES, "the key", "the value"));
        assert_int_equal(statistics_of(cache).refused, ++refused);
    }
    assert_true(has(cache, AG_CACHE_MODULES, "the key", "the value"));
    entry->bytes[size - 1] ^= 1;
    assert_false(has(cache, AG_CACHE_MODULES, "the key", "the value"));
    put(cache, AG_CACHE_MODULES, "the key", "the value");
    assert_true(has(cache, AG_CACHE_MODULES, "the key", "the value"));
    agpu_cache_destroy(cache);
}

/* As with two keys that have one name. */
static void refuses_entries_of_other_keys(void **state)
{
    (void)state;
    struct agpu_cache *cache = create();
    put(cache, AG_CACHE_MODULES, "key 1", "value 1");
    put(cache, AG_CACHE_MODULES, "key 2", "value 2");
    put(cache, AG_CACHE_BLOBS, "key 3", "value 3");
    instead = &entries[1];
    assert_false(has(cache, AG_CACHE_MODULES, "key 1", "value 1"));
    assert_true(has(cache, AG_CACHE_MODULES, "key 2", "value 2"));
    instead = &entries[2];
    assert_false(has(cache, AG_CACHE_MODULES, "key 3", "value 3"));
    assert_int_equal(statistics_of(cache).refused, 2);
    agpu_cache_destroy(cache);
}

static void keeps_nothing_that_is_too_large(void **state)
{
    (void)state;
    struct agpu_cache *cache = create();
    uint8_t *const bytes = calloc(1, AG_CACHE_ENTRY_BYTES + 1);
    assert_non_null(bytes);
    ag_cache_store(cache, AG_CACHE_MODULES, "key", 3, bytes, AG_CACHE_ENTRY_BYTES + 1);
    ag_cache_store(cache, AG_CACHE_MODULES, "key", 3, bytes, AG_CACHE_ENTRY_BYTES - 2);
    assert_int_equal(entry_count, 0);
    free(bytes);
    agpu_cache_destroy(cache);
}

/* A table of an embedder that only reads, or gives nothing. */
static void lives_without_callbacks(void **state)
{
    (void)state;
    const struct agpu_cache_store nothing = {.size = sizeof nothing};
    struct agpu_cache *cache;
    assert_int_equal(agpu_cache_create(&nothing, NULL, &cache), AGPU_OK);
    put(cache, AG_CACHE_MODULES, "key", "value");
    assert_false(has(cache, AG_CACHE_MODULES, "key", "value"));
    assert_false(has(NULL, AG_CACHE_MODULES, "key", "value"));
    put(NULL, AG_CACHE_MODULES, "key", "value");
    agpu_cache_destroy(cache);
    agpu_cache_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(finds_what_was_stored, forget),
        cmocka_unit_test_teardown(outlives_the_cache, forget),
        cmocka_unit_test_teardown(refuses_damaged_entries, forget),
        cmocka_unit_test_teardown(refuses_entries_of_other_keys, forget),
        cmocka_unit_test_teardown(keeps_nothing_that_is_too_large, forget),
        cmocka_unit_test_teardown(lives_without_callbacks, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
