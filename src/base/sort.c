/* SPDX-License-Identifier: MIT */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

static uint32_t digit(uint64_t item, uint32_t pass)
{
    return (uint32_t)(item >> (32 + pass * DIGIT_BITS)) & (DIGITS - 1);
}

void ag_sort_keyed_pass(const uint64_t *from, uint64_t *to, size_t count, uint32_t pass)
{
    size_t next[DIGITS] = {0}, before = 0;
    for (size_t i = 0; i < count; i++)
        next[digit(from[i], pass)]++;
    for (uint32_t i = 0; i < DIGITS; i++) {
        const size_t here = next[i];
        next[i] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++)
        to[next[digit(from[i], pass)]++] = from[i];
}

bool ag_sort_keyed(uint64_t *items, size_t count)
{
    if (count < 2)
        return true;
    uint64_t *other = malloc(count * sizeof *other);
    if (!other)
        return false;
    uint64_t *from = items, *to = other;
    for (uint32_t pass = 0; pass < AG_SORT_PASSES; pass++) {
        ag_sort_keyed_pass(from, to, count, pass);
        uint64_t *const sorted = to;
        to = from;
        from = sorted;
    }
    memcpy(items, from, count * sizeof *items); /* an odd number of passes ends in the other array */
    free(other);
    return true;
}
