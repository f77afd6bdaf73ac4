/* SPDX-License-Identifier: MIT
 *
 * The heap in shared memory: runs of pages that merge when they are free, and small blocks of five sizes out
 * of runs. What it knows of them lies in private memory: the contents of shared memory are never read here.
 */
#ifndef GUEST_CORE_HEAP_H
#define GUEST_CORE_HEAP_H

#include "guest/core/core.h"

#define GUEST_PAGE_BYTES 4096u
#define GUEST_HEAP_BINS 160u     /* lists of free runs: 5 bits of size, each in 4 parts, and the small ones */
#define GUEST_HEAP_SMALLEST 128u /* bytes of the smallest block */
#define GUEST_HEAP_SMALL_SIZES 5u /* 128 to 2,048 bytes */
#define GUEST_HEAP_SLAB_PAGES 16u /* that small blocks are cut from */
#define GUEST_HEAP_MOST_PAGES 0xFFFFFu

/* The first and the last page of a run know its length. */
struct guest_page {
    uint32_t length; /* in pages */
    bool is_free;
    uint32_t next, previous; /* of its bin, by page + 1; 0: none */
};

/* A stack of offsets. */
struct guest_small_blocks {
    uint32_t *offsets;
    uint32_t count, capacity;
};

/* A block that is free once its fence is complete. */
struct guest_retired {
    uint64_t fence;
    uint32_t offset, size;
};

struct guest_heap {
    const struct guest_allocator *allocator;
    uint8_t *bytes;
    uint32_t page_count;
    struct guest_page *pages;
    uint32_t bins[GUEST_HEAP_BINS]; /* by page + 1 */
    uint32_t used_bins[GUEST_HEAP_BINS / 32];
    struct guest_small_blocks small[GUEST_HEAP_SMALL_SIZES];
    /* A ring in the order of fences. */
    struct guest_retired *retired;
    uint32_t retired_first, retired_count, retired_capacity; /* capacity: a power of two */
};

/* Over whole pages at `bytes`; at most GUEST_HEAP_MOST_PAGES of them are used. */
bool guest_heap_init(struct guest_heap *heap, const struct guest_allocator *allocator, uint8_t *bytes,
                     uint64_t size);
void guest_heap_fini(struct guest_heap *heap);

/* False: no such room now. */
bool guest_heap_allocate(struct guest_heap *heap, uint64_t size, struct guest_block *block);
void guest_heap_free(struct guest_heap *heap, uint32_t offset, uint32_t size);

/* Remembers the block until guest_heap_reap() is called with its fence and those of the blocks before it.
 * False: no private memory left. */
bool guest_heap_retire(struct guest_heap *heap, const struct guest_block *block, uint64_t fence);
void guest_heap_reap(struct guest_heap *heap, uint64_t completed);

/* The fence of the block that will be free first; 0: none is retired. */
uint64_t guest_heap_next_fence(const struct guest_heap *heap);

#endif
