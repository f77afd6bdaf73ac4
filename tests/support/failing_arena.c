/* SPDX-License-Identifier: MIT
 *
 * The arena of base/arena.h in the place of its own file: each piece is an allocation, so that every one may
 * fail and sanitizers see where it ends.
 */
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

struct ag_arena_block {
    struct ag_arena_block *next;
    alignas(max_align_t) unsigned char data[];
};

void ag_arena_init(struct ag_arena *arena, size_t limit_bytes)
{
    *arena = (struct ag_arena){.limit_bytes = limit_bytes};
}

void ag_arena_reset(struct ag_arena *arena)
{
    while (arena->head != NULL) {
        struct ag_arena_block *const next = arena->head->next;
        free(arena->head);
        arena->head = next;
    }
    arena->used_bytes = 0;
    arena->failed = false;
    arena->reached_limit = false;
}

void ag_arena_fini(struct ag_arena *arena)
{
    ag_arena_reset(arena);
    *arena = (struct ag_arena){0};
}

void ag_arena_expect(struct ag_arena *arena, size_t bytes)
{
    (void)arena;
    (void)bytes;
}

static void *refuse(struct ag_arena *arena)
{
    arena->failed = true;
    arena->reached_limit = true;
    return NULL;
}

/* Nobody's piece has room behind it, so that everybody comes here. */
static void *allocate(struct ag_arena *arena, size_t size)
{
    const size_t limit = arena->limit_bytes == 0 ? SIZE_MAX : arena->limit_bytes;
    struct ag_arena_block *block;
    if (size > SIZE_MAX - sizeof *block || size > limit || arena->used_bytes > limit - size)
        return refuse(arena);
    block = malloc(sizeof *block + size);
    if (block == NULL) {
        arena->failed = true;
        return NULL;
    }
    block->next = arena->head;
    arena->head = block;
    arena->used_bytes += size;
    return block->data;
}

void *ag_arena_alloc_block(struct ag_arena *arena, size_t size, size_t alignment)
{
    (void)alignment;
    return allocate(arena, size);
}

void *ag_arena_alloc_array(struct ag_arena *arena, size_t count, size_t size, size_t alignment)
{
    (void)alignment;
    if (size != 0 && count > SIZE_MAX / size)
        return refuse(arena);
    void *const data = allocate(arena, count * size);
    return data == NULL ? NULL : memset(data, 0, count * size);
}

static void *copy(struct ag_arena *arena, const void *data, size_t size, size_t room)
{
    void *const piece = allocate(arena, room);
    if (piece != NULL && size != 0)
        memcpy(piece, data, size);
    return piece;
}

void *ag_arena_memdup(struct ag_arena *arena, const void *data, size_t size, size_t alignment)
{
    (void)alignment;
    return copy(arena, data, size, size);
}

static char *copy_text(struct ag_arena *arena, const char *text, size_t length)
{
    char *const piece = copy(arena, text, length, length + 1);
    if (piece != NULL)
        piece[length] = '\0';
    return piece;
}

char *ag_arena_strndup(struct ag_arena *arena, const char *text, size_t length)
{
    return copy_text(arena, text, length);
}

char *ag_arena_strdup(struct ag_arena *arena, const char *text)
{
    return copy_text(arena, text, strlen(text));
}

char *ag_arena_vprintf(struct ag_arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *const text = length < 0 ? NULL : allocate(arena, (size_t)length + 1);
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *ag_arena_printf(struct ag_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *const text = ag_arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}
