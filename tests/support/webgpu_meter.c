/* SPDX-License-Identifier: MIT */
#include "webgpu_meter.h"

#include <stdbool.h>
#include <time.h>

static _Thread_local struct webgpu_meter meter;
static _Thread_local uint32_t depth; /* the library's callbacks call it again */

static uint64_t thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void webgpu_meter_begin(void)
{
    meter = (struct webgpu_meter){0};
}

struct webgpu_meter webgpu_meter_read(void)
{
    return meter;
}

uint64_t webgpu_meter_enter(void)
{
    return depth++ == 0 ? thread_ns() : 0;
}

void webgpu_meter_leave(const char *function, uint64_t begin_ns, uint64_t bytes)
{
    meter.calls++;
    meter.bytes += bytes;
    if (--depth != 0)
        return;
    const uint64_t spent_ns = thread_ns() - begin_ns;
    meter.spent_ns += spent_ns;
    if (spent_ns <= meter.longest_ns)
        return;
    meter.longest_ns = spent_ns;
    meter.longest = function;
}
