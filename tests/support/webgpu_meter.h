/* SPDX-License-Identifier: MIT
 *
 * What a thread spends in the WebGPU library, told from what it spends in our code: a program whose functions
 * of gpu/webgpu.h are wrapped (tools/generate_webgpu_meter.py) counts them here. Threads count for
 * themselves.
 */
#ifndef AG_TESTS_SUPPORT_WEBGPU_METER_H
#define AG_TESTS_SUPPORT_WEBGPU_METER_H

#include <stdint.h>

struct webgpu_meter {
    uint64_t calls;      /* of the library's functions; those out of its callbacks count, too */
    uint64_t bytes;      /* that the library copied for writes through the queue */
    uint64_t spent_ns;   /* of this thread's own time, in the library */
    uint64_t longest_ns; /* in one call */
    const char *longest; /* that call; or null */
};

/* Begins to count anew, and what was counted since. */
void webgpu_meter_begin(void);
struct webgpu_meter webgpu_meter_read(void);

/* For the wrappers. */
uint64_t webgpu_meter_enter(void);
void webgpu_meter_leave(const char *function, uint64_t begin_ns, uint64_t bytes);

#endif
