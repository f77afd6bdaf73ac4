/* SPDX-License-Identifier: MIT
 *
 * malloc() in few bytes: a page loads the module over a network. Chunks lie behind each other up to a
 * sentinel at the end of memory; neighbours that are free become one. Free chunks are in lists by size, four
 * lists for each power of two. Memory grows and never shrinks, as WebAssembly's does.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16
#define PAGE_BYTES ((size_t)65536)
#define LISTS (4 * 8 * sizeof(size_t))
#define LOOKED_AT 16 /* chunks of a list that may be too small */
#define MOST_BYTES (SIZE_MAX / 2)

/* In front of the bytes of a chunk, which are aligned. */
struct chunk {
    size_t size_before;            /* of the chunk in front; 0 for the first one */
    size_t size;                   /* with this header; bit 0: in use */
    struct chunk *next, *previous; /* of a free chunk, in its list */
};

#define HEADER offsetof(struct chunk, next)
#define LEAST_SIZE ((sizeof(struct chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static struct chunk *lists[LISTS];
static struct chunk *sentinel; /* in use, and nothing behind it; null before the first call */

static size_t size_of(const struct chunk *chunk)
{
    return chunk->size & ~(size_t)1;
}

static bool is_used(const struct chunk *chunk)
{
    return (chunk->size & 1) != 0;
}

static struct chunk *at(struct chunk *chunk, size_t offset)
{
    return (struct chunk *)(void *)((char *)chunk + offset);
}

static struct chunk *behind(struct chunk *chunk)
{
    return at(chunk, size_of(chunk));
}

/* The list of a size: all chunks of later lists are larger. */
static size_t list_of(size_t size)
{
    const size_t units = size / ALIGNMENT;
    const unsigned log = (unsigned)(8 * sizeof(unsigned long long) - 1) - (unsigned)__builtin_clzll(units);
    return 4 * log + (log < 2 ? 0 : (units >> (log - 2)) & 3);
}

static void leave_list(struct chunk *chunk)
{
    if (chunk->previous != NULL)
        chunk->previous->next = chunk->next;
    else
        lists[list_of(chunk->size)] = chunk->next;
    if (chunk->next != NULL)
        chunk->next->previous = chunk->previous;
}

/* Makes a chunk of this size free, together with free neighbours. */
static void release(struct chunk *chunk, size_t size)
{
    struct chunk *const next = at(chunk, size);
    if (next != sentinel && !is_used(next)) {
        leave_list(next);
        size += next->size;
    }
    struct chunk *const before = (struct chunk *)(void *)((char *)chunk - chunk->size_before);
    if (chunk->size_before != 0 && !is_used(before)) {
        leave_list(before);
        size += before->size;
        chunk = before;
    }
    chunk->size = size;
    behind(chunk)->size_before = size;
    struct chunk **const list = &lists[list_of(size)];
    chunk->previous = NULL;
    chunk->next = *list;
    if (*list != NULL)
        (*list)->previous = chunk;
    *list = chunk;
}

/* Uses so much of a chunk that is in no list, and frees the rest. */
static void use(struct chunk *chunk, size_t whole, size_t size)
{
    const size_t rest = whole - size;
    if (rest < LEAST_SIZE)
        size = whole;
    chunk->size = size | 1;
    struct chunk *const next = at(chunk, size);
    next->size_before = size;
    if (rest >= LEAST_SIZE)
        release(next, rest);
}

#ifdef __wasm__
extern char __heap_base; /* where the module's own data end */
#endif

/* Adds memory behind the last chunk. */
static bool grow(size_t size)
{
    const size_t pages = (size + 2 * ALIGNMENT + PAGE_BYTES - 1) / PAGE_BYTES;
    const size_t before = __builtin_wasm_memory_grow(0, pages);
    if (before == SIZE_MAX)
        return false;
    struct chunk *first = sentinel;
    if (first == NULL) {
        const size_t start = ((size_t)&__heap_base + HEADER + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - HEADER;
        first = (struct chunk *)start;
        first->size_before = 0;
    }
    sentinel = (struct chunk *)((before + pages) * PAGE_BYTES - HEADER);
    sentinel->size = 1;
    release(first, (size_t)sentinel - (size_t)first);
    return true;
}

/* A free chunk of at least this size, which leaves its list. */
static struct chunk *take(size_t size)
{
    size_t list = list_of(size);
    struct chunk *chunk = lists[list];
    for (unsigned looked_at = 0; chunk != NULL && chunk->size < size; looked_at++)
        chunk = looked_at < LOOKED_AT ? chunk->next : NULL;
    while (chunk == NULL && ++list < LISTS)
        chunk = lists[list];
    if (chunk != NULL)
        leave_list(chunk);
    return chunk;
}

static struct chunk *chunk_of(void *bytes)
{
    return (struct chunk *)(void *)((char *)bytes - HEADER);
}

static size_t chunk_size(size_t bytes)
{
    const size_t size = (bytes + HEADER + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return size < LEAST_SIZE ? LEAST_SIZE : size;
}

/* By another name than malloc(), whose use with memset() compilers take for calloc(). */
static void *allocate(size_t bytes)
{
    const size_t size = chunk_size(bytes);
    if (bytes > MOST_BYTES)
        return NULL;
    struct chunk *chunk = take(size);
    if (chunk == NULL && grow(size))
        chunk = take(size);
    if (chunk == NULL)
        return NULL;
    use(chunk, chunk->size, size);
    return at(chunk, HEADER);
}

void *malloc(size_t bytes)
{
    return allocate(bytes);
}

void free(void *bytes)
{
    if (bytes != NULL)
        release(chunk_of(bytes), size_of(chunk_of(bytes)));
}

void *calloc(size_t count, size_t size)
{
    void *const bytes = size == 0 || count <= MOST_BYTES / size ? allocate(count * size) : NULL;
    if (bytes != NULL)
        memset(bytes, 0, count * size);
    return bytes;
}

/* Grows in place where the neighbour is free. */
void *realloc(void *old, size_t bytes)
{
    if (old == NULL || bytes > MOST_BYTES)
        return old == NULL ? malloc(bytes) : NULL;
    struct chunk *const chunk = chunk_of(old), *const next = behind(chunk);
    const size_t size = chunk_size(bytes), had = size_of(chunk);
    size_t whole = had;
    if (whole < size && !is_used(next) && whole + next->size >= size) {
        leave_list(next);
        whole += next->size;
    }
    if (whole >= size) {
        use(chunk, whole, size);
        return old;
    }
    void *const copy = malloc(bytes);
    if (copy == NULL)
        return NULL;
    memcpy(copy, old, had - HEADER);
    free(old);
    return copy;
}
