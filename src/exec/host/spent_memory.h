/* SPDX-License-Identifier: MIT
 *
 * Spent memory: large blocks that nobody needs any more. The system takes a millisecond for some megabytes
 * that it gets back, so that they are freed in parts: before the next packet, and within the slices of later
 * calls, whenever these come. No budget counts them.
 */
#ifndef AG_EXEC_HOST_SPENT_MEMORY_H
#define AG_EXEC_HOST_SPENT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct ag_spent_block {
    void *memory;
    size_t size;
};

struct ag_spent_memory {
    AG_VEC(struct ag_spent_block) blocks;
    uint32_t small; /* blocks that were freed since they were merged */
};

#define AG_SMALL_SPENT 64u

/* For ag_spent_memory_note_small(). */
void ag_spent_memory_merge(struct ag_spent_memory *spent);

/* Takes over memory of malloc() that has so many bytes, or null. Blocks that are not large are freed at once.
 */
void ag_spent_memory_add(struct ag_spent_memory *spent, void *memory, size_t size);

/* A small block, or a few, were freed. The C library keeps such blocks apart, and merges all of them when a
 * larger one is asked for: a tenth of a microsecond each, ten milliseconds behind very many. So that one is
 * asked for behind every few. */
static inline void ag_spent_memory_note_small(struct ag_spent_memory *spent)
{
    if (++spent->small >= AG_SMALL_SPENT)
        ag_spent_memory_merge(spent);
}

/* Frees a part of a block. False when nothing is left. */
bool ag_spent_memory_free_part(struct ag_spent_memory *spent);

/* Frees all that is left. */
void ag_spent_memory_fini(struct ag_spent_memory *spent);

#endif
