/* SPDX-License-Identifier: MIT
 *
 * What the core needs of a C library, which every guest has or brings: compilers call these functions, too.
 */
#ifndef GUEST_CORE_MEMORY_H
#define GUEST_CORE_MEMORY_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int value, size_t size);

#endif
