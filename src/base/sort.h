/* SPDX-License-Identifier: MIT
 *
 * Sorting of what a guest sends very many of, in a time that is linear in the count whatever the guest chose.
 */
#ifndef AG_BASE_SORT_H
#define AG_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key in the upper 32 bits, and what belongs to it below. */
static inline uint64_t ag_keyed(uint32_t key, uint32_t value)
{
    return (uint64_t)key << 32 | value;
}

/* Sorts items by their keys; those of one key keep their order. False without memory: nothing is sorted. */
bool ag_sort_keyed(uint64_t *items, size_t count);

/* One of the passes that ag_sort_keyed() makes, from 0 on, from one array into another. */
#define AG_SORT_PASSES 3
void ag_sort_keyed_pass(const uint64_t *from, uint64_t *to, size_t count, uint32_t pass);

#endif
