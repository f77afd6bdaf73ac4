/* SPDX-License-Identifier: MIT
 *
 * The allocator of guests that have a C library.
 */
#ifndef GUEST_TRANSPORT_ALLOCATOR_H
#define GUEST_TRANSPORT_ALLOCATOR_H

#include <stdlib.h>

#include "guest/core/core.h"

static inline void *guest_c_allocate(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static inline void guest_c_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static inline struct guest_allocator guest_c_allocator(void)
{
    return (struct guest_allocator){guest_c_allocate, guest_c_release, NULL};
}

#endif
