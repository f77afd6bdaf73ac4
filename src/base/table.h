/* SPDX-License-Identifier: MIT
 *
 * Tables of the public headers that grow at their end: the first member is `uint32_t size`, the caller's
 * sizeof, or 0 for the table as it was in 0.2. Library and caller each know a part of such a table.
 */
#ifndef AG_BASE_TABLE_H
#define AG_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a member ends: for the last member of 0.2 the size of the table at that time. */
#define AG_MEMBER_END(type, member) (offsetof(type, member) + sizeof(((const type *)0)->member))

/* Whether the caller's table, whose size of 0.2 is `first`, holds a member. */
#define AG_TABLE_HAS(type, table, first, member)                                                             \
    (ag_table_size((table)->size, first) >= AG_MEMBER_END(type, member))

/* The bytes of a table that says `size`. */
static inline size_t ag_table_size(uint32_t size, size_t first)
{
    return size != 0 ? size : first;
}

/* Fills all `known` bytes of `to`: from `from` (null: a table of zeros) what both sides know, zeros behind
 * it. */
void ag_table_read(void *to, size_t known, size_t first, const void *from);

/* Writes what both sides know of `from`, `known` bytes, into the caller's table, but not its size. */
void ag_table_write(void *to, size_t known, size_t first, const void *from);

#endif
