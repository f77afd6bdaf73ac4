/* SPDX-License-Identifier: MIT
 *
 * The heap: finding runs in constant time by bins of sizes, merging neighbours, small blocks, retired blocks.
 */
#include "guest/core/heap.h"

#include "guest/core/memory.h"

/* ---- Bins ---------------------------------------------------------------------------------------------- */

static uint32_t highest_bit(uint32_t value)
{
    return 31u - (uint32_t)__builtin_clz(value);
}

/* The bin that a run of `length` pages is in: runs of a bin have at least the bin's length. */
static uint32_t bin_of(uint32_t length)
{
    if (length < 4)
        return length;
    const uint32_t bits = highest_bit(length);
    return bits * 4 + ((length >> (bits - 2)) & 3);
}

/* The first bin whose runs all have `length` pages. */
static uint32_t bin_for(uint32_t length)
{
    if (length < 4)
        return length;
    const uint32_t bits = highest_bit(length);
    const uint32_t step = UINT32_C(1) << (bits - 2);
    return bin_of(length + step - 1);
}

static void insert_run(struct guest_heap *heap, uint32_t page, uint32_t length)
{
    const uint32_t bin = bin_of(length);
    struct guest_page *first = &heap->pages[page], *last = &heap->pages[page + length - 1];
    last->length = length;
    last->is_free = true;
    *first = (struct guest_page){.length = length, .is_free = true, .next = heap->bins[bin]};
    if (first->next != 0)
        heap->pages[first->next - 1].previous = page + 1;
    heap->bins[bin] = page + 1;
    heap->used_bins[bin / 32] |= UINT32_C(1) << (bin % 32);
}

static void remove_run(struct guest_heap *heap, uint32_t page)
{
    const struct guest_page *run = &heap->pages[page];
    const uint32_t bin = bin_of(run->length);
    if (run->next != 0)
        heap->pages[run->next - 1].previous = run->previous;
    if (run->previous != 0)
        heap->pages[run->previous - 1].next = run->next;
    else
        heap->bins[bin] = run->next;
    if (heap->bins[bin] == 0)
        heap->used_bins[bin / 32] &= ~(UINT32_C(1) << (bin % 32));
}

static void mark_used(struct guest_heap *heap, uint32_t page, uint32_t length)
{
    heap->pages[page].length = heap->pages[page + length - 1].length = length;
    heap->pages[page].is_free = heap->pages[page + length - 1].is_free = false;
}

/* The first bin from `bin` on that has runs; GUEST_HEAP_BINS: none. */
static uint32_t find_bin(const struct guest_heap *heap, uint32_t bin)
{
    for (uint32_t word = bin / 32; word < GUEST_HEAP_BINS / 32; word++) {
        uint32_t bits = heap->used_bins[word];
        if (word == bin / 32)
            bits &= ~UINT32_C(0) << (bin % 32);
        if (bits != 0)
            return word * 32 + (uint32_t)__builtin_ctz(bits);
    }
    return GUEST_HEAP_BINS;
}

/* A run of at least `length` pages; page_count: none. Runs of the bin below may fit, too, which is looked at
 * when nothing else does. */
static uint32_t find_run(const struct guest_heap *heap, uint32_t length)
{
    const uint32_t bin = find_bin(heap, bin_for(length));
    if (bin < GUEST_HEAP_BINS)
        return heap->bins[bin] - 1;
    for (uint32_t next = heap->bins[bin_of(length)]; next != 0; next = heap->pages[next - 1].next)
        if (heap->pages[next - 1].length >= length)
            return next - 1;
    return heap->page_count;
}

/* ---- Runs ---------------------------------------------------------------------------------------------- */

static bool allocate_run(struct guest_heap *heap, uint32_t length, uint32_t *page)
{
    *page = find_run(heap, length);
    if (*page == heap->page_count)
        return false;
    const uint32_t found = heap->pages[*page].length;
    remove_run(heap, *page);
    if (found > length)
        insert_run(heap, *page + length, found - length);
    mark_used(heap, *page, length);
    return true;
}

static void free_run(struct guest_heap *heap, uint32_t page, uint32_t length)
{
    if (page > 0 && heap->pages[page - 1].is_free) {
        const uint32_t before = heap->pages[page - 1].length;
        page -= before;
        length += before;
        remove_run(heap, page);
    }
    const uint32_t behind = page + length;
    if (behind < heap->page_count && heap->pages[behind].is_free) {
        length += heap->pages[behind].length;
        remove_run(heap, behind);
    }
    insert_run(heap, page, length);
}

/* ---- Small blocks -------------------------------------------------------------------------------------- */

static uint32_t small_index(uint32_t size)
{
    uint32_t index = 0;
    while (GUEST_HEAP_SMALLEST << index < size)
        index++;
    return index;
}

/* Room for `more` offsets, so that whatever is cut can be given back. */
static bool reserve_small(struct guest_heap *heap, struct guest_small_blocks *blocks, uint32_t more)
{
    const uint32_t capacity = blocks->capacity + more;
    const struct guest_allocator *allocator = heap->allocator;
    uint32_t *offsets = allocator->allocate(allocator->user, (size_t)capacity * sizeof *offsets);
    if (offsets == NULL)
        return false;
    if (blocks->count != 0)
        memcpy(offsets, blocks->offsets, blocks->count * sizeof *offsets);
    allocator->release(allocator->user, blocks->offsets);
    blocks->offsets = offsets;
    blocks->capacity = capacity;
    return true;
}

static bool cut_slab(struct guest_heap *heap, struct guest_small_blocks *blocks, uint32_t size)
{
    const uint32_t count = GUEST_HEAP_SLAB_PAGES * GUEST_PAGE_BYTES / size;
    uint32_t page;
    if (!reserve_small(heap, blocks, count) || !allocate_run(heap, GUEST_HEAP_SLAB_PAGES, &page))
        return false;
    for (uint32_t i = count; i-- > 0;)
        blocks->offsets[blocks->count++] = page * GUEST_PAGE_BYTES + i * size;
    return true;
}

static bool allocate_small(struct guest_heap *heap, uint32_t size, struct guest_block *block)
{
    const uint32_t index = small_index(size);
    struct guest_small_blocks *blocks = &heap->small[index];
    block->size = GUEST_HEAP_SMALLEST << index;
    if (blocks->count == 0 && !cut_slab(heap, blocks, block->size))
        return false;
    block->offset = blocks->offsets[--blocks->count];
    return true;
}

/* ---- Blocks -------------------------------------------------------------------------------------------- */

bool guest_heap_allocate(struct guest_heap *heap, uint64_t size, struct guest_block *block)
{
    if (size > (uint64_t)heap->page_count * GUEST_PAGE_BYTES)
        return false;
    if (size <= GUEST_HEAP_SMALLEST << (GUEST_HEAP_SMALL_SIZES - 1)) {
        if (!allocate_small(heap, (uint32_t)size, block))
            return false;
    } else {
        const uint32_t length = (uint32_t)((size + GUEST_PAGE_BYTES - 1) / GUEST_PAGE_BYTES);
        uint32_t page;
        if (!allocate_run(heap, length, &page))
            return false;
        block->offset = page * GUEST_PAGE_BYTES;
        block->size = length * GUEST_PAGE_BYTES;
    }
    block->bytes = heap->bytes + block->offset;
    return true;
}

void guest_heap_free(struct guest_heap *heap, uint32_t offset, uint32_t size)
{
    if (size >= GUEST_PAGE_BYTES) {
        free_run(heap, offset / GUEST_PAGE_BYTES, size / GUEST_PAGE_BYTES);
        return;
    }
    struct guest_small_blocks *blocks = &heap->small[small_index(size)];
    blocks->offsets[blocks->count++] = offset;
}

/* ---- Retired blocks ------------------------------------------------------------------------------------ */

static bool grow_retired(struct guest_heap *heap)
{
    const uint32_t capacity = heap->retired_capacity != 0 ? heap->retired_capacity * 2 : 256;
    const struct guest_allocator *allocator = heap->allocator;
    struct guest_retired *retired = allocator->allocate(allocator->user, capacity * sizeof *retired);
    if (retired == NULL)
        return false;
    for (uint32_t i = 0; i < heap->retired_count; i++)
        retired[i] = heap->retired[(heap->retired_first + i) & (heap->retired_capacity - 1)];
    allocator->release(allocator->user, heap->retired);
    heap->retired = retired;
    heap->retired_first = 0;
    heap->retired_capacity = capacity;
    return true;
}

bool guest_heap_retire(struct guest_heap *heap, const struct guest_block *block, uint64_t fence)
{
    if (heap->retired_count == heap->retired_capacity && !grow_retired(heap))
        return false;
    const uint32_t mask = heap->retired_capacity - 1;
    if (heap->retired_count != 0) {
        const uint64_t last = heap->retired[(heap->retired_first + heap->retired_count - 1) & mask].fence;
        fence = fence > last ? fence : last;
    }
    heap->retired[(heap->retired_first + heap->retired_count) & mask] =
        (struct guest_retired){fence, block->offset, block->size};
    heap->retired_count++;
    return true;
}

void guest_heap_reap(struct guest_heap *heap, uint64_t completed)
{
    while (heap->retired_count != 0 && heap->retired[heap->retired_first].fence <= completed) {
        const struct guest_retired *retired = &heap->retired[heap->retired_first];
        guest_heap_free(heap, retired->offset, retired->size);
        heap->retired_first = (heap->retired_first + 1) & (heap->retired_capacity - 1);
        heap->retired_count--;
    }
}

uint64_t guest_heap_next_fence(const struct guest_heap *heap)
{
    return heap->retired_count != 0 ? heap->retired[heap->retired_first].fence : 0;
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

bool guest_heap_init(struct guest_heap *heap, const struct guest_allocator *allocator, uint8_t *bytes,
                     uint64_t size)
{
    const uint64_t pages = size / GUEST_PAGE_BYTES;
    *heap = (struct guest_heap){.allocator = allocator, .bytes = bytes};
    heap->page_count = pages < GUEST_HEAP_MOST_PAGES ? (uint32_t)pages : GUEST_HEAP_MOST_PAGES;
    if (heap->page_count == 0)
        return false;
    const size_t table_bytes = (size_t)heap->page_count * sizeof *heap->pages;
    heap->pages = allocator->allocate(allocator->user, table_bytes);
    if (heap->pages == NULL)
        return false;
    memset(heap->pages, 0, table_bytes);
    insert_run(heap, 0, heap->page_count);
    return true;
}

void guest_heap_fini(struct guest_heap *heap)
{
    const struct guest_allocator *allocator = heap->allocator;
    for (uint32_t i = 0; i < GUEST_HEAP_SMALL_SIZES; i++)
        allocator->release(allocator->user, heap->small[i].offsets);
    allocator->release(allocator->user, heap->retired);
    allocator->release(allocator->user, heap->pages);
}
