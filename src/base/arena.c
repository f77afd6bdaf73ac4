/* SPDX-License-Identifier: MIT
 *
 * The arena's blocks.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

#define FIRST_BLOCK_BYTES ((size_t)16 * 1024)
#define SHORT_TEXT 256
#define LARGEST_BLOCK_BYTES ((size_t)4 * 1024 * 1024)

struct ag_arena_block {
    struct ag_arena_block *next;
    size_t capacity;
    alignas(max_align_t) unsigned char data[];
};

void ag_arena_init(struct ag_arena *arena, size_t limit_bytes)
{
    *arena = (struct ag_arena){.limit_bytes = limit_bytes};
}

static void free_chain(struct ag_arena_block *block)
{
    while (block != NULL) {
        struct ag_arena_block *next = block->next;
        free(block);
        block = next;
    }
}

void ag_arena_fini(struct ag_arena *arena)
{
    free_chain(arena->head);
    *arena = (struct ag_arena){0};
}

void ag_arena_reset(struct ag_arena *arena)
{
    if (arena->head != NULL && arena->head->capacity > LARGEST_BLOCK_BYTES) {
        free_chain(arena->head);
        arena->head = NULL;
        arena->at = arena->end = NULL;
    } else if (arena->head != NULL) {
        free_chain(arena->head->next);
        arena->head->next = NULL;
        arena->at = arena->head->data;
    }
    arena->used_bytes = 0;
    arena->failed = false;
    arena->reached_limit = false;
}

static bool add_block(struct ag_arena *arena, size_t at_least)
{
    size_t capacity = arena->head == NULL ? FIRST_BLOCK_BYTES : arena->head->capacity * 2;
    if (capacity > LARGEST_BLOCK_BYTES)
        capacity = LARGEST_BLOCK_BYTES;
    if (capacity < at_least)
        capacity = at_least;
    if (capacity > SIZE_MAX - sizeof(struct ag_arena_block))
        return false;
    struct ag_arena_block *block = malloc(sizeof *block + capacity);
    if (block == NULL)
        return false;
    block->capacity = capacity;
    block->next = arena->head;
    arena->head = block;
    arena->at = block->data;
    arena->end = block->data + capacity;
    return true;
}

void ag_arena_expect(struct ag_arena *arena, size_t bytes)
{
    if (arena->head == NULL && bytes > FIRST_BLOCK_BYTES)
        add_block(arena, bytes < LARGEST_BLOCK_BYTES ? bytes : LARGEST_BLOCK_BYTES);
}

static void *refuse(struct ag_arena *arena)
{
    arena->failed = true;
    arena->reached_limit = true;
    return NULL;
}

void *ag_arena_alloc_block(struct ag_arena *arena, size_t size, size_t alignment)
{
    const size_t limit = arena->limit_bytes == 0 ? SIZE_MAX - alignment : arena->limit_bytes;
    if (size > limit || arena->used_bytes > limit - size)
        return refuse(arena);
    if (!add_block(arena, size + alignment)) {
        arena->failed = true;
        return NULL;
    }
    return ag_arena_alloc_raw(arena, size, alignment);
}

void *ag_arena_alloc_array(struct ag_arena *arena, size_t count, size_t size, size_t alignment)
{
    if (size != 0 && count > SIZE_MAX / size)
        return refuse(arena);
    return ag_arena_alloc(arena, count * size, alignment);
}

void *ag_arena_memdup(struct ag_arena *arena, const void *data, size_t size, size_t alignment)
{
    void *copy = ag_arena_alloc_raw(arena, size, alignment);
    if (copy != NULL && size != 0)
        memcpy(copy, data, size);
    return copy;
}

char *ag_arena_strndup(struct ag_arena *arena, const char *text, size_t length)
{
    char *copy = ag_arena_alloc_raw(arena, length + 1, 1);
    if (copy == NULL)
        return NULL;
    if (length != 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *ag_arena_strdup(struct ag_arena *arena, const char *text)
{
    return ag_arena_strndup(arena, text, strlen(text));
}

char *ag_arena_vprintf(struct ag_arena *arena, const char *format, va_list arguments)
{
    char text[SHORT_TEXT];
    const size_t length = ag_format(text, sizeof text, format, arguments);
    if (length < sizeof text)
        return ag_arena_strndup(arena, text, length);
    char *copy = ag_arena_alloc(arena, length + 1, 1);
    if (copy != NULL)
        ag_format(copy, length + 1, format, arguments);
    return copy;
}

char *ag_arena_printf(struct ag_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *const text = ag_arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}
