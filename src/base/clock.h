/* SPDX-License-Identifier: MIT
 *
 * The host's monotonic time: for counters and time limits, never for what a guest sees.
 */
#ifndef AG_BASE_CLOCK_H
#define AG_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some fixed moment. */
static inline uint64_t ag_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#endif
