/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include "gpu/gpu.h"

static void assert_message(const char *from, const char *expected)
{
    char text[64];
    assert_string_equal(ag_webgpu_message(ag_webgpu_string(from), text, sizeof text), expected);
}

static void test_lines_become_one(void **state)
{
    (void)state;
    assert_message("one line", "one line");
    assert_message("first\n - second\n\n   third\n", "first - second third");
    assert_message("what\n    at Function (file.cpp:12)\n    at Other (file.cpp:13)\n", "what");
    assert_message("", "");
}

static void test_views(void **state)
{
    (void)state;
    char text[8];
    assert_string_equal(ag_webgpu_message((WGPUStringView){NULL, WGPU_STRLEN}, text, sizeof text), "");
    assert_string_equal(ag_webgpu_message((WGPUStringView){NULL, 0}, text, sizeof text), "");
    assert_string_equal(ag_webgpu_message((WGPUStringView){"abcdef", 3}, text, sizeof text), "abc");
}

static void test_long_messages_are_cut(void **state)
{
    (void)state;
    char text[6];
    assert_string_equal(ag_webgpu_message(ag_webgpu_string("abc\ndefgh"), text, sizeof text), "abc d");
    assert_string_equal(ag_webgpu_message(ag_webgpu_string("abcdefgh"), text, 1), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_become_one),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
