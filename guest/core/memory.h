/* SPDX-License-Identifier: MIT
 *
 * What a guest has or brings of a C library: compilers call these functions, too.
 */
#ifndef GUEST_CORE_MEMORY_H
#define GUEST_CORE_MEMORY_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *one, const void *other, size_t size);

#endif
