/* SPDX-License-Identifier: MIT
 *
 * The allocator of the module for browsers, on a memory that grows by pages as WebAssembly's does.
 */
#include "support/test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PAGE ((size_t)65536)
#define PAGES 1024

static char *memory; /* of the module, from a whole page on */
static size_t used_pages, most_pages;

static size_t fake_grow(int number, size_t pages)
{
    const size_t before = used_pages;
    (void)number;
    if (pages > most_pages - used_pages)
        return SIZE_MAX;
    used_pages += pages;
    return (size_t)memory / PAGE + before;
}

#define malloc web_malloc
#define free web_free
#define calloc web_calloc
#define realloc web_realloc
#define __builtin_wasm_memory_grow fake_grow
#define __heap_base (*memory)
void *web_malloc(size_t bytes);
void web_free(void *bytes);
void *web_calloc(size_t count, size_t size);
void *web_realloc(void *old, size_t bytes);
#include "../../../web/allocator.c"
#undef malloc
#undef free
#undef calloc
#undef realloc

struct block {
    unsigned char *bytes;
    size_t size;
    unsigned char fill;
};

#define BLOCKS 400

static uint64_t state_of_random = 1;

static uint32_t random_below(uint32_t most)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_of_random >> 33) % most;
}

/* Small ones mostly, and some of many pages. */
static size_t random_size(void)
{
    static const uint32_t most[] = {1, 40, 40, 300, 300, 5000, 5000, 60000, 700000};
    return random_below(most[random_below(sizeof most / sizeof most[0])]);
}

static void check(const struct block *block, size_t size)
{
    assert_int_equal((uintptr_t)block->bytes % ALIGNMENT, 0);
    for (size_t i = 0; i < size; i++)
        if (block->bytes[i] != block->fill)
            fail_msg("byte %zu of %zu is not what was written", i, block->size);
}

/* Every chunk from the first to the sentinel: sizes, neighbours, lists. */
static void check_heap(void)
{
    const size_t start = ((size_t)memory + HEADER + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - HEADER;
    struct chunk *chunk = (struct chunk *)start;
    size_t before = 0, free_chunks = 0, listed = 0;
    bool was_free = false;
    for (; chunk != sentinel; chunk = behind(chunk)) {
        assert_int_equal(chunk->size_before, before);
        assert_true(size_of(chunk) >= LEAST_SIZE && size_of(chunk) % ALIGNMENT == 0);
        assert_false(was_free && !is_used(chunk));
        was_free = !is_used(chunk);
        free_chunks += was_free;
        before = size_of(chunk);
    }
    assert_int_equal(chunk->size_before, before);
    for (size_t i = 0; i < LISTS; i++)
        for (const struct chunk *one = lists[i]; one != NULL; one = one->next, listed++) {
            assert_int_equal(list_of(one->size), i);
            assert_false(is_used(one));
        }
    assert_int_equal(listed, free_chunks);
}

static void set(struct block *block, size_t size)
{
    block->size = size;
    block->fill = (unsigned char)random_below(256);
    if (size != 0)
        memset(block->bytes, block->fill, size);
}

static void step(struct block *block)
{
    const size_t size = random_size();
    if (block->bytes == NULL) {
        block->bytes = random_below(4) ? web_malloc(size) : web_calloc(size, 1);
        if (block->bytes != NULL)
            set(block, size);
    } else if (random_below(3) == 0) {
        unsigned char *const moved = web_realloc(block->bytes, size);
        if (moved == NULL)
            return;
        block->bytes = moved;
        check(block, size < block->size ? size : block->size);
        set(block, size);
    } else {
        check(block, block->size);
        web_free(block->bytes);
        *block = (struct block){0};
    }
}

static void keeps_what_is_written(void **state)
{
    static struct block blocks[BLOCKS];
    (void)state;
    for (unsigned round = 0; round < 60000; round++) {
        step(&blocks[random_below(BLOCKS)]);
        if (round % 500 == 0)
            check_heap();
    }
    for (size_t i = 0; i < BLOCKS; i++)
        if (blocks[i].bytes != NULL) {
            check(&blocks[i], blocks[i].size);
            web_free(blocks[i].bytes);
            blocks[i] = (struct block){0};
        }
    check_heap();
    /* All is one chunk again. */
    size_t count = 0;
    for (size_t i = 0; i < LISTS; i++)
        for (const struct chunk *one = lists[i]; one != NULL; one = one->next)
            count++;
    assert_int_equal(count, 1);
}

static void clears_and_refuses(void **state)
{
    (void)state;
    unsigned char *const bytes = web_malloc(5000);
    assert_non_null(bytes);
    memset(bytes, 0xff, 5000);
    web_free(bytes);
    unsigned char *const zeros = web_calloc(50, 100);
    assert_non_null(zeros);
    for (size_t i = 0; i < 5000; i++)
        assert_int_equal(zeros[i], 0);
    assert_null(web_malloc(SIZE_MAX));
    assert_null(web_malloc(SIZE_MAX - 20));
    assert_null(web_calloc(SIZE_MAX / 2, 4));
    assert_null(web_realloc(zeros, SIZE_MAX - 8));
    assert_int_equal(zeros[4999], 0);
    web_free(zeros);
    web_free(NULL);
    void *const empty = web_malloc(0);
    assert_non_null(empty);
    web_free(empty);
    check_heap();
}

/* What does not fit is refused, and all that was there before can be used again. */
static void refuses_when_memory_ends(void **state)
{
    void *taken[PAGES];
    size_t count = 0;
    (void)state;
    most_pages = used_pages + 40;
    while (count < PAGES && (taken[count] = web_malloc(PAGE)) != NULL)
        count++;
    assert_true(count >= 39 && count < PAGES);
    assert_null(web_malloc(20 * PAGE));
    check_heap();
    while (count > 0)
        web_free(taken[--count]);
    void *const large = web_malloc(38 * PAGE);
    assert_non_null(large);
    web_free(large);
    check_heap();
    most_pages = PAGES;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_is_written),
        cmocka_unit_test(clears_and_refuses),
        cmocka_unit_test(refuses_when_memory_ends),
    };
    most_pages = PAGES;
    memory = aligned_alloc(PAGE, PAGES * PAGE);
    if (memory == NULL)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(memory);
    return failed;
}
