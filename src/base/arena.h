/* SPDX-License-Identifier: MIT
 *
 * Memory that is freed all at once: one arena per shader, per scene, per submission.
 */
#ifndef AG_BASE_ARENA_H
#define AG_BASE_ARENA_H

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"

struct ag_arena_block;

struct ag_arena {
    struct ag_arena_block *head;
    unsigned char *at, *end; /* the free part of the newest block */
    size_t used_bytes;       /* the sum of all allocations since init or reset */
    size_t limit_bytes;      /* allocations past it fail; 0 is no limit */
    bool failed;             /* an allocation did, since init or reset */
    bool reached_limit;      /* ... past the limit, rather than for want of the host's memory */
};

/* `limit_bytes` caps how much memory hostile input can make us allocate; 0 means no cap. A zeroed arena is
 * valid. */
void ag_arena_init(struct ag_arena *arena, size_t limit_bytes);
void ag_arena_fini(struct ag_arena *arena);

/* Makes the first block as large as the caller expects to need, at most 4 MiB. Changes nothing when there is
 * a block, or no memory: allocations then find out. */
void ag_arena_expect(struct ag_arena *arena, size_t bytes);

/* Frees everything but keeps the limit and the newest block for reuse, unless that is larger than 4 MiB. */
void ag_arena_reset(struct ag_arena *arena);

/* Allocates in a new block what does not fit into the newest one; null when the limit or memory is
 * exhausted. */
void *ag_arena_alloc_block(struct ag_arena *arena, size_t size, size_t alignment);

/* Returns uninitialised memory, or null when the limit or the host's memory is exhausted. `alignment` is a
 * power of two, at most that of max_align_t. ag_arena_alloc_raw() and ag_arena_alloc() are inline, because
 * most allocations are small and have a constant size. */
static inline void *ag_arena_alloc_raw(struct ag_arena *arena, size_t size, size_t alignment)
{
    if (size == 0)
        size = 1;
    const size_t padding = (size_t)(-(uintptr_t)arena->at & (alignment - 1));
    const size_t room = (size_t)(arena->end - arena->at);
    const size_t limit = arena->limit_bytes == 0 ? SIZE_MAX : arena->limit_bytes;
    if (size > room || padding > room - size || size > limit - arena->used_bytes)
        return ag_arena_alloc_block(arena, size, alignment);
    unsigned char *const data = arena->at + padding;
    arena->at = data + size;
    arena->used_bytes += size;
    return data;
}

/* Like ag_arena_alloc_raw(), but zeroed. */
static inline void *ag_arena_alloc(struct ag_arena *arena, size_t size, size_t alignment)
{
    void *const data = ag_arena_alloc_raw(arena, size, alignment);
    return data == NULL ? NULL : memset(data, 0, size);
}

/* Like ag_arena_alloc() for `count` elements; null when count * size overflows. A count of 0 gives a valid
 * pointer. */
void *ag_arena_alloc_array(struct ag_arena *arena, size_t count, size_t size, size_t alignment);

void *ag_arena_memdup(struct ag_arena *arena, const void *data, size_t size, size_t alignment);
char *ag_arena_strndup(struct ag_arena *arena, const char *text, size_t length);
char *ag_arena_strdup(struct ag_arena *arena, const char *text);
char *ag_arena_printf(struct ag_arena *arena, const char *format, ...) AG_PRINTF(2, 3);
char *ag_arena_vprintf(struct ag_arena *arena, const char *format, va_list arguments) AG_PRINTF(2, 0);

#define AG_ARENA_NEW(arena, type) ((type *)ag_arena_alloc((arena), sizeof(type), alignof(type)))
#define AG_ARENA_ARRAY(arena, type, count)                                                                   \
    ((type *)ag_arena_alloc_array((arena), (count), sizeof(type), alignof(type)))

#endif
