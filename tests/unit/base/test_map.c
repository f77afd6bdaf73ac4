/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "base/map.h"

/* xorshift: repeatable noise. */
static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Puts and removes keys as they come; `puts` of eight steps put one. */
static void compare_with_an_array(uint64_t keys, int steps, uint64_t puts)
{
    enum { KEYS = 60000 };
    static int values[KEYS];
    static bool present[KEYS];
    size_t count = 0;
    memset(present, 0, sizeof present);
    struct ag_map map = {0};
    uint64_t seed = 42;
    for (int step = 0; step < steps; step++) {
        const uint64_t key = next(&seed) % keys;
        if (next(&seed) % 8 < puts) {
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
        const uint64_t probe = next(&seed) % keys;
        assert_ptr_equal(ag_map_get(&map, probe << 56 | probe), present[probe] ? &values[probe] : NULL);
    }
    size_t cursor = 0, walked = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&map, &cursor, &key, &value)) {
        assert_ptr_equal(value, &values[key & UINT64_C(0xFFFFFFFFFFFFFF)]);
        walked++;
    }
    assert_int_equal(walked, count);
    ag_map_fini(&map);
}

static void behaves_like_an_array(void **state)
{
    (void)state;
    compare_with_an_array(257, 100000, 4);
}

/* The table is so large that its entries move to a larger one by and by: the walk at the end sees both. */
static void grows_by_and_by(void **state)
{
    (void)state;
    for (int steps = 20000; steps < 100000; steps += 1000)
        compare_with_an_array(60000, steps, 6);
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

/* Also those that have not moved to the larger table, which may be removed while they are walked. */
static void a_walk_may_remove_what_it_sees(void **state)
{
    (void)state;
    enum { SMALLEST = 6000, LARGEST = 14000 };
    static int values[LARGEST];
    for (uint64_t count = SMALLEST; count < LARGEST; count += 100) {
        struct ag_map map = {0};
        size_t cursor = 0;
        uint64_t key;
        void *value;
        for (key = 0; key < count; key++)
            assert_true(ag_map_put(&map, key, &values[key]));
        while (ag_map_next(&map, &cursor, &key, &value)) {
            if (key % 2 != 0)
                continue;
            assert_ptr_equal(ag_map_remove(&map, key), &values[key]);
            cursor--;
        }
        assert_int_equal(map.count, count / 2);
        for (key = 0; key < count; key++)
            assert_ptr_equal(ag_map_get(&map, key), key % 2 != 0 ? &values[key] : NULL);
        ag_map_fini(&map);
    }
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
        cmocka_unit_test(behaves_like_an_array),       cmocka_unit_test(grows_by_and_by),
        cmocka_unit_test(a_walk_sees_each_entry_once), cmocka_unit_test(a_walk_may_remove_what_it_sees),
        cmocka_unit_test(an_empty_map_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
