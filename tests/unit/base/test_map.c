/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include "base/map.h"

/* xorshift: repeatable noise. */
static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void behaves_like_an_array(void **state)
{
    (void)state;
    enum { KEYS = 257 };
    static int values[KEYS];
    bool present[KEYS] = {false};
    size_t count = 0;
    struct ag_map map = {0};
    uint64_t seed = 42;
    for (int step = 0; step < 100000; step++) {
        const uint64_t key = next(&seed) % KEYS;
        if (next(&seed) & 1) {
            assert_true(ag_map_put(&map, key << 56 | key, &values[key]));
            count += !present[key];
            present[key] = true;
        } else {
            void *removed = ag_map_remove(&map, key << 56 | key);
            assert_ptr_equal(removed, present[key] ? &values[key] : NULL);
            count -= present[key];
            present[key] = false;
        }
        assert_int_equal(map.count, count);
        const uint64_t probe = next(&seed) % KEYS;
        assert_ptr_equal(ag_map_get(&map, probe << 56 | probe), present[probe] ? &values[probe] : NULL);
    }
    ag_map_fini(&map);
}

static void a_walk_sees_each_entry_once(void **state)
{
    (void)state;
    static int values[100];
    struct ag_map map = {0};
    for (uint64_t key = 0; key < 100; key++)
        assert_true(ag_map_put(&map, key * 1000, &values[key]));
    unsigned seen[100] = {0};
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&map, &cursor, &key, &value)) {
        assert_ptr_equal(value, &values[key / 1000]);
        seen[key / 1000]++;
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(seen[i], 1);
    ag_map_clear(&map);
    assert_null(ag_map_get(&map, 1000));
    ag_map_fini(&map);
}

static void an_empty_map_answers(void **state)
{
    (void)state;
    struct ag_map map = {0};
    assert_null(ag_map_get(&map, 0));
    assert_null(ag_map_remove(&map, 0));
    ag_map_clear(&map);
    ag_map_fini(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behaves_like_an_array),
        cmocka_unit_test(a_walk_sees_each_entry_once),
        cmocka_unit_test(an_empty_map_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
