/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "base/arena.h"

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct ag_arena arena;
    ag_arena_init(&arena, 0);
    for (size_t size = 1; size < 5000; size += 97) {
        unsigned char *bytes = ag_arena_alloc(&arena, size, 16);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xA5, size);
    }
    ag_arena_fini(&arena);
}

static void allocations_do_not_overlap(void **state)
{
    (void)state;
    struct ag_arena arena;
    ag_arena_init(&arena, 0);
    uint32_t *numbers[1000];
    for (uint32_t i = 0; i < 1000; i++) {
        numbers[i] = AG_ARENA_ARRAY(&arena, uint32_t, 1 + i % 50);
        for (uint32_t k = 0; k <= i % 50; k++)
            numbers[i][k] = i;
    }
    for (uint32_t i = 0; i < 1000; i++) {
        for (uint32_t k = 0; k <= i % 50; k++)
            assert_int_equal(numbers[i][k], i);
    }
    ag_arena_fini(&arena);
}

static void expectations_are_no_promises(void **state)
{
    (void)state;
    struct ag_arena arena;
    ag_arena_init(&arena, 1000);
    ag_arena_expect(&arena, 100000);
    char *const one = ag_arena_alloc(&arena, 900, 1);
    assert_non_null(one);
    ag_arena_expect(&arena, 200000);
    assert_ptr_equal(ag_arena_alloc(&arena, 50, 1), one + 900);
    assert_null(ag_arena_alloc(&arena, 51, 1));
    assert_true(arena.reached_limit);
    ag_arena_fini(&arena);
}

static void the_limit_holds(void **state)
{
    (void)state;
    struct ag_arena arena;
    ag_arena_init(&arena, 1000);
    assert_non_null(ag_arena_alloc(&arena, 600, 1));
    assert_null(ag_arena_alloc(&arena, 401, 1));
    assert_non_null(ag_arena_alloc(&arena, 400, 1));
    assert_null(ag_arena_alloc(&arena, 1, 1));
    ag_arena_reset(&arena);
    assert_non_null(ag_arena_alloc(&arena, 1000, 1));
    ag_arena_fini(&arena);
}

static void products_that_overflow_fail(void **state)
{
    (void)state;
    struct ag_arena arena;
    ag_arena_init(&arena, 0);
    volatile size_t most = SIZE_MAX; /* compilers object to a constant */
    assert_null(ag_arena_alloc_array(&arena, most / 2, 4, 4));
    assert_null(ag_arena_alloc(&arena, most, 8));
    assert_null(ag_arena_alloc_raw(&arena, most, 8));
    assert_non_null(ag_arena_alloc_array(&arena, 0, 4, 4));
    ag_arena_fini(&arena);
}

static void text_is_copied_and_formatted(void **state)
{
    (void)state;
    struct ag_arena arena;
    ag_arena_init(&arena, 0);
    assert_string_equal(ag_arena_strndup(&arena, "abcdef", 3), "abc");
    assert_string_equal(ag_arena_strndup(&arena, NULL, 0), "");
    assert_string_equal(ag_arena_printf(&arena, "%s-%d", "x", 7), "x-7");
    ag_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned), cmocka_unit_test(allocations_do_not_overlap),
        cmocka_unit_test(expectations_are_no_promises), cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(products_that_overflow_fail),  cmocka_unit_test(text_is_copied_and_formatted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
