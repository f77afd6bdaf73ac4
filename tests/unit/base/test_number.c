/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/number.h"

static void assert_float(const char *text, uint32_t bits)
{
    float value = 0;
    assert_true(ag_float_from_text(text, strlen(text), &value));
    assert_int_equal(ag_bits_from_float(value), bits);
}

static void texts_are_the_shortest(void **state)
{
    (void)state;
    static const struct {
        uint32_t bits;
        const char *text;
    } cases[] = {
        {0x00000000, "0.0"          },
        {0x80000000, "-0.0"         },
        {0x3f800000, "1.0"          },
        {0x41200000, "10.0"         },
        {0x3dcccccd, "0.1"          },
        {0x3eaaaaab, "0.33333334"   },
        {0x47c35000, "100000.0"     },
        {0x4b189680, "1e+07"        },
        {0x7f7fffff, "3.4028235e+38"},
        {0x00000001, "1e-45"        },
        {0xc2f6e979, "-123.456"     },
    };
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        char text[AG_NUMBER_TEXT_BYTES];
        assert_int_equal(ag_float_text(ag_float_from_bits(cases[i].bits), text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
        assert_float(text, cases[i].bits);
    }
    char text[AG_NUMBER_TEXT_BYTES];
    ag_double_text(0.1, text);
    assert_string_equal(text, "0.1");
    ag_double_text(1.0 / 3.0, text);
    assert_string_equal(text, "0.3333333333333333");
}

/* What the C library gives with the fewest digits that read back. */
static void fewest_digits(float value, char *text, size_t size)
{
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, size, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
}

static void short_numbers_have_the_fewest_digits(void **state)
{
    (void)state;
    uint32_t bits = 0x38d1b717; /* 1e-4 and up */
    for (uint32_t i = 0; bits < ag_bits_from_float(1e7f); i++, bits += 1 + i % 39119) {
        char text[AG_NUMBER_TEXT_BYTES], digits[AG_NUMBER_TEXT_BYTES];
        float value = ag_float_from_bits(bits | (i << 31));
        const size_t length = ag_float_text(value, text);
        assert_int_equal(length, strlen(text));
        fewest_digits(value, digits, sizeof digits);
        if (strchr(digits, 'e') != NULL) /* such as 1e+02 */
            snprintf(digits, sizeof digits, "%.0f", (double)value);
        if (strchr(digits, '.') == NULL)
            strcat(digits, ".0");
        assert_string_equal(text, digits);
    }
}

static void every_exponent_reads_back(void **state)
{
    (void)state;
    uint32_t bits = 0x00012345;
    for (uint32_t i = 0; i < 20000; i++) {
        bits = bits * 1664525u + 1013904223u;
        if ((bits & 0x7f800000) == 0x7f800000)
            continue;
        char text[AG_NUMBER_TEXT_BYTES];
        ag_float_text(ag_float_from_bits(bits), text);
        assert_float(text, bits);
    }
}

static void only_decimal_numbers_are_read(void **state)
{
    (void)state;
    assert_float("1.5", 0x3fc00000);
    assert_float("+.5", 0x3f000000);
    assert_float("-2.", 0xc0000000);
    assert_float("1e3", 0x447a0000);
    assert_float("1E-2", 0x3c23d70a);
    float value;
    static const char *const wrong[] = {"",     ".",  "-",   "1,5", "1.5f", "inf",  "nan",
                                        "0x10", "1e", "1e+", " 1",  "1 ",   "1.5.2"};
    for (size_t i = 0; i < AG_COUNT_OF(wrong); i++)
        assert_false(ag_float_from_text(wrong[i], strlen(wrong[i]), &value));
    assert_true(ag_float_from_text("1e99", 4, &value));
    assert_true(isinf(value));
    /* Long numbers, and only the length counts. */
    char digits[401];
    memset(digits, '0', sizeof digits);
    digits[0] = '1';
    digits[1] = '.';
    digits[400] = '7';
    assert_true(ag_float_from_text(digits, 400, &value));
    assert_int_equal(ag_bits_from_float(value), 0x3f800000);
    double wide;
    assert_true(ag_double_from_text("0.1999", 3, &wide));
    assert_true(wide == 0.1);
}

/* Every power of two, where the gap below is half of the gap above, and what the C library makes of numbers
 * between two neighbours. */
static void doubles_are_as_exact(void **state)
{
    (void)state;
    for (int exponent = -1074; exponent < 1024; exponent++) {
        for (uint32_t i = 0; i < 3; i++) {
            char text[AG_NUMBER_TEXT_BYTES], digits[AG_NUMBER_TEXT_BYTES];
            const double value = nextafter(ldexp(1, exponent), i == 0   ? 0
                                                               : i == 1 ? 1e300
                                                                        : ldexp(1, exponent));
            int count = 1;
            for (; count <= 17; count++) {
                snprintf(digits, sizeof digits, "%.*e", count - 1, value);
                if (strtod(digits, NULL) == value)
                    break;
            }
            double back;
            const size_t length = ag_double_text(value, text);
            assert_true(ag_double_from_text(text, length, &back));
            assert_memory_equal(&back, &value, sizeof value);
            if (strchr(text, 'e') != NULL)
                assert_string_equal(text, digits);
        }
    }
}

static void ties_go_to_even(void **state)
{
    (void)state;
    assert_float("16777217", 0x4b800000);
    assert_float("16777217.0000000000000000000000000000000000000000000001", 0x4b800001);
    assert_float("16777219", 0x4b800002);
    assert_float("3.4028235677973367e38", 0x7f800000);
    assert_float("3.4028235677973366e38", 0x7f7fffff);
    assert_float("7.006492321624085e-46", 0x00000000);
    assert_float("7.006492321624086e-46", 0x00000001);
    assert_float("1e-99999999999999999999", 0x00000000);
    assert_float("-1e99999999999999999999", 0xff800000);
    assert_float("0e99999999999999999999", 0x00000000);
    char digits[1200]; /* half of the smallest float with a 1 behind hundreds of zeros */
    const int length = snprintf(digits, sizeof digits, "%.*f1", 1000, ldexp(1, -150));
    float value;
    assert_true(ag_float_from_text(digits, (size_t)length - 1, &value));
    assert_int_equal(ag_bits_from_float(value), 0);
    assert_true(ag_float_from_text(digits, (size_t)length, &value));
    assert_int_equal(ag_bits_from_float(value), 1);
}

static void fixed_places_are_for_people(void **state)
{
    (void)state;
    char text[AG_NUMBER_TEXT_BYTES];
    assert_int_equal(ag_fixed_text(-1.25, 1, text), 4);
    assert_string_equal(text, "-1.3");
    ag_fixed_text(0.00996, 4, text);
    assert_string_equal(text, "0.0100");
    ag_fixed_text(999999999.96, 1, text);
    assert_string_equal(text, "1000000000.0");
    ag_fixed_text(1e300, 1, text);
    assert_string_equal(text, "1e+300");
    ag_fixed_text((double)INFINITY, 4, text);
    assert_string_equal(text, "inf");
}

static void a_comma_locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "ru_RU.UTF-8", "de_DE"};
    size_t i = 0;
    while (i < AG_COUNT_OF(locales) && setlocale(LC_NUMERIC, locales[i]) == NULL)
        i++;
    if (i == AG_COUNT_OF(locales))
        return;
    texts_are_the_shortest(state);
    only_decimal_numbers_are_read(state);
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_the_shortest),      cmocka_unit_test(short_numbers_have_the_fewest_digits),
        cmocka_unit_test(every_exponent_reads_back),   cmocka_unit_test(only_decimal_numbers_are_read),
        cmocka_unit_test(doubles_are_as_exact),        cmocka_unit_test(ties_go_to_even),
        cmocka_unit_test(fixed_places_are_for_people), cmocka_unit_test(a_comma_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
