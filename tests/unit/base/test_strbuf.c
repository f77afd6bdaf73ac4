/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/strbuf.h"

static void pieces_join(void **state)
{
    (void)state;
    struct ag_strbuf buffer = {0};
    assert_string_equal(ag_strbuf_text(&buffer), "");
    ag_strbuf_append(&buffer, "one");
    ag_strbuf_append_char(&buffer, ' ');
    ag_strbuf_printf(&buffer, "%d-%s", 2, "two");
    ag_strbuf_append_repeat(&buffer, '.', 3);
    ag_strbuf_append_bytes(&buffer, "xyz", 2);
    assert_string_equal(ag_strbuf_text(&buffer), "one 2-two...xy");
    ag_strbuf_clear(&buffer);
    assert_string_equal(ag_strbuf_text(&buffer), "");
    ag_strbuf_fini(&buffer);
}

static void long_prints_are_whole(void **state)
{
    (void)state;
    struct ag_strbuf buffer = {0};
    ag_strbuf_append(&buffer, "<");
    ag_strbuf_printf(&buffer, "%5000d", 7);
    ag_strbuf_append(&buffer, ">");
    assert_int_equal(buffer.length, 5002);
    assert_int_equal(buffer.data[5000], '7');
    char *text = ag_strbuf_steal(&buffer);
    assert_int_equal(strlen(text), 5002);
    assert_null(buffer.data);
    free(text);
}

static void floats_read_back_to_the_same_bits(void **state)
{
    (void)state;
    static const uint32_t patterns[] = {0x00000000, 0x80000000, 0x3F800000, 0x3DCCCCCD,
                                        0x7F7FFFFF, 0x00000001, 0x00800000, 0x4B800001,
                                        0xC2F6E979, 0x3EAAAAAB, 0x322BCC77, 0x5F000000};
    for (size_t i = 0; i < AG_COUNT_OF(patterns); i++) {
        struct ag_strbuf buffer = {0};
        ag_strbuf_append_float(&buffer, ag_float_from_bits(patterns[i]));
        assert_int_equal(ag_bits_from_float(strtof(buffer.data, NULL)), patterns[i]);
        assert_non_null(strpbrk(buffer.data, ".e"));
        ag_strbuf_fini(&buffer);
    }
}

static void floats_are_short(void **state)
{
    (void)state;
    struct ag_strbuf buffer = {0};
    ag_strbuf_append_float(&buffer, 0.1f);
    ag_strbuf_append_char(&buffer, ' ');
    ag_strbuf_append_float(&buffer, 1.0f);
    ag_strbuf_append_char(&buffer, ' ');
    ag_strbuf_append_float(&buffer, -0.0f);
    ag_strbuf_append_char(&buffer, ' ');
    ag_strbuf_append_double(&buffer, 0.1);
    assert_string_equal(buffer.data, "0.1 1.0 -0.0 0.1");
    ag_strbuf_fini(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_join),
        cmocka_unit_test(long_prints_are_whole),
        cmocka_unit_test(floats_read_back_to_the_same_bits),
        cmocka_unit_test(floats_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
