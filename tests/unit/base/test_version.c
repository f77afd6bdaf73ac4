/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "aerogpu/version.h"

#if AGPU_VERSION < AGPU_MAKE_VERSION(0, 2, 0) ||                                                             \
    AGPU_VERSION != AGPU_VERSION_MAJOR * 1000000 + AGPU_VERSION_MINOR * 1000 + AGPU_VERSION_PATCH
#error "the number is not made of its parts"
#endif

static void test_numbers_order_versions(void **state)
{
    (void)state;
    static const int rising[] = {AGPU_MAKE_VERSION(0, 1, 999), AGPU_MAKE_VERSION(0, 2, 0),
                                 AGPU_MAKE_VERSION(0, 2, 1), AGPU_MAKE_VERSION(0, 999, 999),
                                 AGPU_MAKE_VERSION(1, 0, 0)};
    for (size_t i = 1; i < sizeof rising / sizeof rising[0]; i++)
        assert_true(rising[i - 1] < rising[i]);
}

static void test_library_tells_its_version(void **state)
{
    (void)state;
    char text[32];
    const uint32_t version = agpu_version();
    assert_int_equal(version, AGPU_VERSION);
    snprintf(text, sizeof text, "%u.%u.%u", (unsigned)(version / 1000000), (unsigned)(version / 1000 % 1000),
             (unsigned)(version % 1000));
    assert_string_equal(agpu_version_string(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_order_versions),
        cmocka_unit_test(test_library_tells_its_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
