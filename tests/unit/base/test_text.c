/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static void words_are_compared_without_case(void **state)
{
    (void)state;
    assert_true(ag_same_word("SV_Target", "sv_tARGET"));
    assert_true(ag_same_word("", ""));
    assert_true(ag_same_word("AZ", "az"));
    assert_false(ag_same_word("SV_Target", "SV_Targe"));
    assert_false(ag_same_word("SV_Targe", "SV_Target"));
    assert_false(ag_same_word("", "a"));
}

/* What differs by 32 and is no letter is another word. */
static void only_letters_have_case(void **state)
{
    (void)state;
    assert_false(ag_same_word("@", "`"));
    assert_false(ag_same_word("[", "{"));
    assert_false(ag_same_word("\xC4", "\xE4"));
    assert_true(ag_same_word("\xC4", "\xC4"));
}

static void assert_becomes_plain(const char *given, const char *expected)
{
    char text[64];
    snprintf(text, sizeof text, "%s", given);
    ag_text_make_plain(text, strlen(text));
    assert_string_equal(text, expected);
}

/* ISO/IEC 6429: C0, DEL, and C1, which is U+0080 to U+009F. */
static void control_characters_go(void **state)
{
    (void)state;
    assert_becomes_plain("", "");
    assert_becomes_plain("a ~", "a ~");
    assert_becomes_plain("\x1b[2J\ra\nb\x7f", "?[2J?a?b?");
    assert_becomes_plain("\xC2\x9BJ\xC2\x80", "??J??");
    assert_becomes_plain("\xC2\xA0 \xC4\x9B \xE2\x82\xAC \xC2", "\xC2\xA0 \xC4\x9B \xE2\x82\xAC \xC2");
}

static void ends_of_texts_stay(void **state)
{
    (void)state;
    char texts[] = "a\0\n\0b\n";
    ag_text_make_plain(texts, 5);
    assert_memory_equal(texts, "a\0?\0b\n", sizeof texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_compared_without_case),
        cmocka_unit_test(only_letters_have_case),
        cmocka_unit_test(control_characters_go),
        cmocka_unit_test(ends_of_texts_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
