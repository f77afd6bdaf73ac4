/* SPDX-License-Identifier: MIT
 *
 * Guest memory that has no RAM anywhere, for tests that need none.
 */
#ifndef AG_TESTS_NO_RAM_H
#define AG_TESTS_NO_RAM_H

#include "aerogpu/executor.h"

static inline bool no_ram_read(void *user, uint64_t gpa, void *to, size_t size)
{
    (void)user;
    (void)gpa;
    (void)to;
    (void)size;
    return false;
}

static inline bool no_ram_write(void *user, uint64_t gpa, const void *from, size_t size)
{
    (void)user;
    (void)gpa;
    (void)from;
    (void)size;
    return false;
}

static inline struct agpu_guest_memory no_ram(void)
{
    return (struct agpu_guest_memory){.read = no_ram_read, .write = no_ram_write};
}

#endif
