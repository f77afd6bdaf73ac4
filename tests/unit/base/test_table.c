/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"

/* A table as it was first, and as this library knows it. */
struct first {
    uint32_t size;
    uint32_t a;
};

struct known {
    uint32_t size;
    uint32_t a;
    uint64_t b;
};

/* What a later version might have. */
struct later {
    struct known known;
    uint64_t c;
};

#define FIRST AG_MEMBER_END(struct known, a)

static void tables_without_a_size_are_the_first(void **state)
{
    (void)state;
    const struct known given = {.a = 1, .b = 2};
    struct known got;
    ag_table_read(&got, sizeof got, FIRST, &given);
    assert_int_equal(got.size, sizeof got);
    assert_int_equal(got.a, 1);
    assert_int_equal(got.b, 0);
    assert_true(AG_TABLE_HAS(struct known, &given, FIRST, a));
    assert_false(AG_TABLE_HAS(struct known, &given, FIRST, b));
}

static void older_tables_are_read_to_their_end(void **state)
{
    (void)state;
    struct first *given = malloc(sizeof *given); /* so that sanitizers see a byte too many */
    struct known got;
    assert_non_null(given);
    *given = (struct first){.size = sizeof *given, .a = 3};
    ag_table_read(&got, sizeof got, FIRST, given);
    assert_int_equal(got.a, 3);
    assert_int_equal(got.b, 0);
    given->size = 4; /* before its members */
    ag_table_read(&got, sizeof got, FIRST, given);
    assert_int_equal(got.a, 0);
    free(given);
}

static void later_tables_are_read_as_far_as_they_are_known(void **state)
{
    (void)state;
    const struct later given = {
        .known = {.size = sizeof given, .a = 4, .b = 5},
          .c = 6
    };
    struct known got;
    ag_table_read(&got, sizeof got, FIRST, &given);
    assert_int_equal(got.size, sizeof got);
    assert_int_equal(got.a, 4);
    assert_int_equal(got.b, 5);
    assert_true(AG_TABLE_HAS(struct known, &given.known, FIRST, b));
}

static void no_table_is_all_zeros(void **state)
{
    (void)state;
    struct known got;
    memset(&got, 0xFF, sizeof got);
    ag_table_read(&got, sizeof got, FIRST, NULL);
    assert_int_equal(got.a, 0);
    assert_int_equal(got.b, 0);
}

static void no_more_is_written_than_the_caller_has(void **state)
{
    (void)state;
    const struct known from = {.size = 99, .a = 7, .b = 8};
    struct later to = {
        .known = {.a = 1, .b = 1},
          .c = 1
    };
    ag_table_write(&to, sizeof from, FIRST, &from); /* no size: the first */
    assert_int_equal(to.known.size, 0);
    assert_int_equal(to.known.a, 7);
    assert_int_equal(to.known.b, 1);
    to.known.size = sizeof to; /* later than the library: what it knows */
    ag_table_write(&to, sizeof from, FIRST, &from);
    assert_int_equal(to.known.size, sizeof to);
    assert_int_equal(to.known.b, 8);
    assert_int_equal(to.c, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_without_a_size_are_the_first),
        cmocka_unit_test(older_tables_are_read_to_their_end),
        cmocka_unit_test(later_tables_are_read_as_far_as_they_are_known),
        cmocka_unit_test(no_table_is_all_zeros),
        cmocka_unit_test(no_more_is_written_than_the_caller_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
