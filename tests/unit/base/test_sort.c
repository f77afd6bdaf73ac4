/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <stdlib.h>

#include "base/sort.h"

static void assert_sorted(const uint64_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        assert_true(items[i - 1] >> 32 < items[i] >> 32 ||
                    (items[i - 1] >> 32 == items[i] >> 32 && (uint32_t)items[i - 1] < (uint32_t)items[i]));
}

static void few(void **state)
{
    uint64_t items[] = {ag_keyed(UINT32_MAX, 0), ag_keyed(7, 1), ag_keyed(0, 2), ag_keyed(7, 3),
                        ag_keyed(1u << 31, 4)};
    (void)state;
    assert_true(ag_sort_keyed(items, 0));
    assert_true(ag_sort_keyed(items, 1));
    assert_int_equal(items[0], ag_keyed(UINT32_MAX, 0));
    assert_true(ag_sort_keyed(items, 5));
    assert_int_equal(items[0], ag_keyed(0, 2));
    assert_int_equal(items[1], ag_keyed(7, 1));
    assert_int_equal(items[2], ag_keyed(7, 3));
    assert_int_equal(items[3], ag_keyed(1u << 31, 4));
    assert_int_equal(items[4], ag_keyed(UINT32_MAX, 0));
}

/* Each item is still there: the values say where it was. */
static void many(void **state)
{
    enum { COUNT = 100000 };
    static uint64_t items[COUNT];
    static uint32_t keys[COUNT];
    static bool seen[COUNT];
    uint64_t random = 1;
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        keys[i] = i % 3 ? (uint32_t)(random >> 32) : (uint32_t)(random >> 60);
        items[i] = ag_keyed(keys[i], i);
    }
    assert_true(ag_sort_keyed(items, COUNT));
    assert_sorted(items, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t was = (uint32_t)items[i];
        assert_false(seen[was]);
        seen[was] = true;
        assert_int_equal(items[i] >> 32, keys[was]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
