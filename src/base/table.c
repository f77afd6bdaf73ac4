/* SPDX-License-Identifier: MIT */
#include "base/table.h"

#include <string.h>

/* Bytes that both sides know. */
static size_t common_bytes(const void *table, size_t known, size_t first)
{
    uint32_t size;
    memcpy(&size, table, sizeof size);
    const size_t theirs = ag_table_size(size, first);
    return theirs < known ? theirs : known;
}

void ag_table_read(void *to, size_t known, size_t first, const void *from)
{
    const uint32_t size = (uint32_t)known;
    memset(to, 0, known);
    if (from != NULL)
        memcpy(to, from, common_bytes(from, known, first));
    memcpy(to, &size, sizeof size);
}

void ag_table_write(void *to, size_t known, size_t first, const void *from)
{
    const size_t size = common_bytes(to, known, first);
    if (size > sizeof(uint32_t))
        memcpy((char *)to + sizeof(uint32_t), (const char *)from + sizeof(uint32_t), size - sizeof(uint32_t));
}
