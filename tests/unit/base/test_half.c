/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include "base/half.h"

static void halves_round_trip(void **state)
{
    (void)state;
    for (uint32_t half = 0; half < 0x10000; half++) {
        const float value = ag_float_from_half((uint16_t)half);
        if ((half & 0x7c00) != 0x7c00 || (half & 0x3ff) == 0)
            assert_int_equal(ag_half_from_float(value), half);
    }
    assert_int_equal(ag_half_from_float(1.0f + 1.0f / 2048.0f), 0x3c00);
    assert_int_equal(ag_half_from_float(1.0f + 3.0f / 2048.0f), 0x3c02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_round_trip),
    };
    return cmocka_run_group_tests_name("base/half", tests, NULL, NULL);
}
