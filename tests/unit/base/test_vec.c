/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include "base/vec.h"

struct pair {
    int a, b;
};

static void values_stay_in_order(void **state)
{
    (void)state;
    AG_VEC(struct pair) pairs = {0};
    for (int i = 0; i < 1000; i++)
        assert_true(ag_vec_push(&pairs, (struct pair){i, -i}));
    assert_int_equal(pairs.count, 1000);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(pairs.data[i].a, i);
        assert_int_equal(pairs.data[i].b, -i);
    }
    assert_int_equal(ag_vec_last(&pairs).a, 999);
    ag_vec_fini(&pairs);
    assert_null(pairs.data);
}

static void impossible_sizes_fail_and_leave_the_data(void **state)
{
    (void)state;
    AG_VEC(struct pair) pairs = {0};
    assert_true(ag_vec_push(&pairs, (struct pair){1, 2}));
    assert_false(ag_vec_reserve(&pairs, SIZE_MAX / 2));
    assert_int_equal(pairs.data[0].b, 2);
    ag_vec_fini(&pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stay_in_order),
        cmocka_unit_test(impossible_sizes_fail_and_leave_the_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
