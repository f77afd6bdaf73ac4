/* SPDX-License-Identifier: MIT
 *
 * By how much two drivers may differ: rounding passes everywhere, and anything passes in one element of 200.
 */
#include "support/test.h"

#include <string.h>

#include "base/bytes.h"
#include "replay/tolerance.h"

static void channels_may_differ_by_three(void **state)
{
    static const uint8_t a[8] = {10, 20, 30, 40, 50, 60, 70, 80}, b[8] = {13, 20, 30, 40, 50, 60, 70, 76};
    (void)state;
    const struct replay_difference difference = replay_compare_pictures(a, b, 2);
    assert_int_equal(difference.count, 2);
    assert_int_equal(difference.different, 2);
    assert_int_equal(difference.far, 1);
    assert_int_equal(difference.most, 4);
    assert_false(replay_is_tolerated(&difference));
}

static void one_element_in_two_hundred_may_differ_by_anything(void **state)
{
    (void)state;
    assert_true(replay_is_tolerated(&(struct replay_difference){.count = 200, .different = 1, .far = 1}));
    assert_false(replay_is_tolerated(&(struct replay_difference){.count = 199, .different = 1, .far = 1}));
    assert_true(replay_is_tolerated(&(struct replay_difference){.count = 4, .different = 4}));
}

static uint64_t far_words(uint32_t a, uint32_t b)
{
    uint8_t left[4], right[4];
    ag_store_u32(left, a);
    ag_store_u32(right, b);
    return replay_compare_bytes(left, right, sizeof left).far;
}

static void words_are_close_as_bytes_halves_or_floats(void **state)
{
    (void)state;
    assert_int_equal(far_words(0x01020304, 0x04050607), 0); /* channels */
    assert_int_equal(far_words(0x3c003bff, 0x3bff3c00), 0); /* halves around 1 */
    assert_int_equal(far_words(0x3f800000, 0x3f800180), 0); /* floats around 1 */
    assert_int_equal(far_words(0x3f800000, 0x3f880000), 1); /* 1 and 1.0625 */
    assert_int_equal(far_words(0x7fc00000, 0x7f800001), 0); /* NaN is NaN */
    assert_int_equal(far_words(0x7f800000, 0x7f000000), 1); /* infinity is no number */
}

static void bytes_behind_the_last_word_count(void **state)
{
    static const uint8_t a[5] = {1, 2, 3, 4, 0}, b[5] = {1, 2, 3, 4, 200};
    (void)state;
    const struct replay_difference difference = replay_compare_bytes(a, b, sizeof a);
    assert_int_equal(difference.count, 2);
    assert_int_equal(difference.different, 1);
    assert_int_equal(difference.far, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_may_differ_by_three),
        cmocka_unit_test(one_element_in_two_hundred_may_differ_by_anything),
        cmocka_unit_test(words_are_close_as_bytes_halves_or_floats),
        cmocka_unit_test(bytes_behind_the_last_word_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
