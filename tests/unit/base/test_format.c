/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <inttypes.h>
#include <stdio.h>
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

/* Each as the C library writes it. */
static void widths_sizes_and_precisions(void **state)
{
    (void)state;
    char out[128];
#define CHECK(text, ...)                                                                                     \
    do {                                                                                                     \
        char want[128];                                                                                      \
        assert_int_equal(format(out, sizeof out, __VA_ARGS__), snprintf(want, sizeof want, __VA_ARGS__));    \
        assert_string_equal(out, want);                                                                      \
        assert_string_equal(out, text);                                                                      \
    } while (0)
    CHECK("    7|7    |00007|-0007", "%5u|%-5u|%05u|%05d", 7u, 7u, 7u, -7);
    CHECK("ab  |  ab|abcdef", "%-4s|%4s|%4s", "ab", "ab", "abcdef");
    CHECK("abc|  a|x  |", "%.3s|%*s|%-3c|", "abcdef", 3, "a", 'x');
    CHECK("ab|", "%.*s|", 2, "abcdef");
    CHECK("ff FF 0xff", "%x %X 0x%x", 255u, 255u, 255u);
    CHECK("18446744073709551615 ffffffffffffffff", "%llu %llx", ~0ull, ~0ull);
    CHECK("00000000000000ab|-9223372036854775808", "%016" PRIx64 "|%" PRId64, UINT64_C(0xab), INT64_MIN);
    CHECK("12 34 -56", "%zu %lu %ld", (size_t)12, 34ul, -56l);
    CHECK("0", "%d", 0);
#undef CHECK
}

static void text_without_space_is_counted(void **state)
{
    (void)state;
    char out[4] = "###";
    assert_int_equal(format(out, sizeof out, "%s", "abc"), 3);
    assert_string_equal(out, "abc");
    assert_int_equal(format(out, sizeof out, "%s%5u", "wxyz", 1u), 9);
    assert_string_equal(out, "wxy");
    assert_int_equal(format(out, 0, "%s", "abcd"), 4);
    assert_string_equal(out, "wxy");
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
        cmocka_unit_test(widths_sizes_and_precisions),
        cmocka_unit_test(text_without_space_is_counted),
        cmocka_unit_test(unsigned_numbers),
    };
    return cmocka_run_group_tests_name("base/format", tests, NULL, NULL);
}
