/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "base/format.h"

static size_t format(char *out, size_t size, const char *text, ...) AG_PRINTF(3, 4);

static size_t format(char *out, size_t size, const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    const size_t length = ag_format(out, size, text, arguments);
    va_end(arguments);
    return length;
}

static void directives(void **state)
{
    (void)state;
    char out[64];
    assert_int_equal(format(out, sizeof out, "%s%u%%%c|%d|%d", "ab", 4294967295u, 'x', -2147483647 - 1, 0),
                     28);
    assert_string_equal(out, "ab4294967295%x|-2147483648|0");
    assert_int_equal(format(out, sizeof out, "0x%08xu 0x%08xu", 0x12ab, 0xffffffffu), 23);
    assert_string_equal(out, "0x000012abu 0xffffffffu");
    assert_int_equal(format(out, sizeof out, "%s", ""), 0);
    assert_string_equal(out, "");
}

static void others_are_left_to_the_library(void **state)
{
    (void)state;
    char out[64];
    assert_true(format(out, sizeof out, "%5u", 1u) == AG_FORMAT_FAILED);
    assert_true(format(out, sizeof out, "a%x", 1u) == AG_FORMAT_FAILED);
    assert_true(format(out, sizeof out, "%.2f", 1.0) == AG_FORMAT_FAILED);
}

static void the_text_must_fit_with_its_end(void **state)
{
    (void)state;
    char out[4] = "###";
    assert_int_equal(format(out, sizeof out, "%s", "abc"), 3);
    assert_string_equal(out, "abc");
    assert_true(format(out, sizeof out, "%s", "abcd") == AG_FORMAT_FAILED);
    assert_true(format(out, 0, "%s", "") == AG_FORMAT_FAILED);
}

static void unsigned_numbers(void **state)
{
    (void)state;
    char text[AG_UNSIGNED_TEXT_BYTES];
    assert_int_equal(ag_unsigned_text(0, text), 1);
    assert_int_equal(text[0], '0');
    assert_int_equal(ag_unsigned_text(UINT32_MAX, text), 10);
    assert_memory_equal(text, "4294967295", 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directives),
        cmocka_unit_test(others_are_left_to_the_library),
        cmocka_unit_test(the_text_must_fit_with_its_end),
        cmocka_unit_test(unsigned_numbers),
    };
    return cmocka_run_group_tests_name("base/format", tests, NULL, NULL);
}
