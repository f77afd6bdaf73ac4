/* SPDX-License-Identifier: MIT
 *
 * Containers when an allocation fails, each in turn: what they held is still there.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "support/failing_memory.h"

enum { COUNT = 200 };

static bool vectors(void)
{
    AG_VEC(int) vec = {0};
    for (int i = 0; i < COUNT && ag_vec_push(&vec, i); i++)
        continue;
    const bool failed = failing_memory_disarm();
    assert_true(failed == (vec.count < COUNT));
    for (size_t i = 0; i < vec.count; i++)
        assert_int_equal(vec.data[i], i);
    assert_true(ag_vec_push(&vec, 7));
    assert_int_equal(ag_vec_last(&vec), 7);
    ag_vec_fini(&vec);
    return failed;
}

static bool maps(void)
{
    static int values[COUNT];
    struct ag_map map = {0};
    uint64_t added = 0;
    while (added < COUNT && ag_map_put(&map, added * 1000, &values[added]))
        added++;
    const bool failed = failing_memory_disarm();
    assert_true(failed == (added < COUNT));
    assert_int_equal(map.count, added);
    for (uint64_t i = 0; i < COUNT; i++)
        assert_ptr_equal(ag_map_get(&map, i * 1000), i < added ? &values[i] : NULL);
    assert_true(ag_map_put(&map, 5, &values[5]));
    ag_map_fini(&map);
    return failed;
}

/* Whatever room there is, what a map holds is replaced without memory. */
static bool replacements(void)
{
    static int values[COUNT];
    struct ag_map map = {0};
    bool failed = false;
    for (uint64_t i = 0; i < COUNT; i++) {
        failing_memory_disarm();
        assert_true(ag_map_put(&map, i * 1000, &values[i]));
        failing_memory_arm(0, true);
        for (uint64_t key = 0; key <= i; key++)
            assert_true(ag_map_put(&map, key * 1000, &values[i]));
        failed |= failing_memory_disarm();
        assert_int_equal(map.count, i + 1);
    }
    for (uint64_t i = 0; i < COUNT; i++)
        assert_ptr_equal(ag_map_get(&map, i * 1000), &values[COUNT - 1]);
    ag_map_fini(&map);
    return failed;
}

static bool buffers(void)
{
    struct ag_strbuf buffer = {0};
    for (int i = 0; i < COUNT; i++)
        ag_strbuf_printf(&buffer, "%d %400s", i, "");
    ag_strbuf_append_repeat(&buffer, 'x', 100000);
    const bool failed = failing_memory_disarm();
    assert_true(failed == buffer.failed);
    assert_int_equal(strlen(ag_strbuf_text(&buffer)), buffer.length);
    char *text = ag_strbuf_steal(&buffer);
    assert_true(failed == (text == NULL));
    free(text);
    assert_null(buffer.data);
    return failed;
}

static bool arenas(void)
{
    struct ag_arena arena = {0};
    bool got_all = true;
    for (int i = 0; i < 40; i++)
        got_all &= ag_arena_alloc(&arena, 3000, 8) != NULL;
    got_all &= ag_arena_printf(&arena, "%d", 1) != NULL;
    const bool failed = failing_memory_disarm();
    assert_true(failed != got_all);
    assert_string_equal(ag_arena_strdup(&arena, "text"), "text");
    ag_arena_fini(&arena);
    return failed;
}

static void containers_keep_what_they_hold(void **state)
{
    (void)state;
    assert_true(failing_memory_each(vectors) > 2);
    assert_true(failing_memory_each(maps) > 2);
    assert_int_equal(failing_memory_each(replacements), 0);
    assert_true(failing_memory_each(buffers) > 2);
    assert_true(failing_memory_each(arenas) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(containers_keep_what_they_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
