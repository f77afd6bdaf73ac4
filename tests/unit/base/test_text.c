/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_compared_without_case),
        cmocka_unit_test(only_letters_have_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
