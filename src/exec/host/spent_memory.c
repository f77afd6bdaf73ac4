/* SPDX-License-Identifier: MIT */
#include "exec/host/spent_memory.h"

#include <stdlib.h>

#include "exec/host/progress.h"

/* What the C library takes for large enough to merge for it. */
#define LARGE_BYTES 4096u

void ag_spent_memory_merge(struct ag_spent_memory *spent)
{
    void *volatile large = malloc(LARGE_BYTES); /* which no compiler leaves out */
    free(large);
    spent->small = 0;
}

void ag_spent_memory_add(struct ag_spent_memory *spent, void *memory, size_t size)
{
    const struct ag_spent_block block = {memory, size};
    if (size <= AG_PART_BYTES || !ag_vec_push(&spent->blocks, block))
        free(memory);
}

bool ag_spent_memory_free_part(struct ag_spent_memory *spent)
{
    if (spent->blocks.count == 0)
        return false;
    struct ag_spent_block *const block = &spent->blocks.data[spent->blocks.count - 1];
    void *const rest =
        block->size > AG_PART_BYTES ? realloc(block->memory, block->size - AG_PART_BYTES) : NULL;
    if (rest) {
        *block = (struct ag_spent_block){rest, block->size - AG_PART_BYTES};
        return true;
    }
    free(block->memory);
    return --spent->blocks.count != 0;
}

void ag_spent_memory_fini(struct ag_spent_memory *spent)
{
    for (size_t i = 0; i < spent->blocks.count; i++)
        free(spent->blocks.data[i].memory);
    ag_vec_fini(&spent->blocks);
}
