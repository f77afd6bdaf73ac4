/* SPDX-License-Identifier: MIT
 *
 * Memory that is freed all at once: one arena per shader, per scene, per submission.
 */
#ifndef AGPU_BASE_ARENA_H
#define AGPU_BASE_ARENA_H

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"

struct agpu_arena_block;

struct agpu_arena {
    struct agpu_arena_block *head;
    unsigned char *at, *end; /* what the newest block has left */
    size_t used_bytes;       /* sum of all allocations since init or reset */
    size_t limit_bytes;      /* allocations past it fail; 0 is no limit */
};

/* `limit_bytes` caps what hostile input can make us hold; 0 is no cap. A zeroed arena is a valid one. */
void agpu_arena_init(struct agpu_arena *arena, size_t limit_bytes);
void agpu_arena_fini(struct agpu_arena *arena);

/* Frees everything but keeps the limit and the newest block for reuse. */
void agpu_arena_reset(struct agpu_arena *arena);

/* A block of its own for what the newest one has no room for; null when limit or memory is exhausted. */
void *agpu_arena_alloc_block(struct agpu_arena *arena, size_t size, size_t alignment);

/* Memory of any content, or null when the limit or the host's memory is exhausted. `alignment` is a power of
 * two, at most that of max_align_t. Inline, as is the next: most allocations are small and of a known size.
 */
static inline void *agpu_arena_alloc_raw(struct agpu_arena *arena, size_t size, size_t alignment)
{
    if (size == 0)
        size = 1;
    const size_t padding = (size_t)(-(uintptr_t)arena->at & (alignment - 1));
    const size_t room = (size_t)(arena->end - arena->at);
    const size_t limit = arena->limit_bytes == 0 ? SIZE_MAX : arena->limit_bytes;
    if (size > room || padding > room - size || size > limit - arena->used_bytes)
        return agpu_arena_alloc_block(arena, size, alignment);
    unsigned char *const data = arena->at + padding;
    arena->at = data + size;
    arena->used_bytes += size;
    return data;
}

/* As above, zeroed. */
static inline void *agpu_arena_alloc(struct agpu_arena *arena, size_t size, size_t alignment)
{
    void *const data = agpu_arena_alloc_raw(arena, size, alignment);
    return data == NULL ? NULL : memset(data, 0, size);
}

/* As above for `count` elements; null when count * size overflows. A count of 0 gives a valid pointer. */
void *agpu_arena_alloc_array(struct agpu_arena *arena, size_t count, size_t size, size_t alignment);

void *agpu_arena_memdup(struct agpu_arena *arena, const void *data, size_t size, size_t alignment);
char *agpu_arena_strndup(struct agpu_arena *arena, const char *text, size_t length);
char *agpu_arena_strdup(struct agpu_arena *arena, const char *text);
char *agpu_arena_printf(struct agpu_arena *arena, const char *format, ...) AGPU_PRINTF(2, 3);

#define AGPU_ARENA_NEW(arena, type) ((type *)agpu_arena_alloc((arena), sizeof(type), alignof(type)))
#define AGPU_ARENA_ARRAY(arena, type, count)                                                                 \
    ((type *)agpu_arena_alloc_array((arena), (count), sizeof(type), alignof(type)))

#endif
