/* SPDX-License-Identifier: MIT
 *
 * Waits by polling, with rising delays.
 */
#include "gpu/wait.h"

#include <time.h>

#include "base/clock.h"
#include "gpu/gpu.h"
#include "gpu/open.h"

#define SHORTEST_SLEEP_NS 20000
#define LONGEST_SLEEP_NS 1000000

/* A sleep that grows each time; false once the deadline has passed. */
struct backoff {
    uint64_t start_ns, timeout_ns;
    long sleep_ns;
};

static bool backoff_sleep(struct backoff *backoff)
{
    if (backoff->timeout_ns != UINT64_MAX && ag_clock_ns() - backoff->start_ns >= backoff->timeout_ns)
        return false;
    const struct timespec pause = {.tv_nsec = backoff->sleep_ns};
    nanosleep(&pause, NULL);
    if (backoff->sleep_ns < LONGEST_SLEEP_NS)
        backoff->sleep_ns *= 2;
    return true;
}

static struct backoff backoff_start(uint64_t timeout_ns)
{
    return (struct backoff){
        .start_ns = ag_clock_ns(), .timeout_ns = timeout_ns, .sleep_ns = SHORTEST_SLEEP_NS};
}

bool ag_wait_future(WGPUInstance instance, WGPUFuture future, uint64_t timeout_ns)
{
    WGPUFutureWaitInfo info = {.future = future};
    struct backoff backoff = backoff_start(timeout_ns);
    for (;;) {
        if (wgpuInstanceWaitAny(instance, 1, &info, 0) == WGPUWaitStatus_Success && info.completed)
            return true;
        if (!backoff_sleep(&backoff))
            return false;
    }
}

bool ag_gpu_wait_opening(struct agpu_gpu *gpu)
{
    struct backoff backoff = backoff_start(UINT64_MAX);
    for (;;) {
        wgpuInstanceProcessEvents(gpu->instance);
        const enum ag_opening_stage before = gpu->opening.stage;
        const enum ag_opening_result result = ag_opening_step(gpu);
        if (result != AG_OPENING_PENDING)
            return result == AG_OPENING_DONE;
        if (gpu->opening.stage == before)
            backoff_sleep(&backoff);
    }
}

bool ag_gpu_wait_flag(struct agpu_gpu *gpu, const bool *flag, uint64_t timeout_ns)
{
    struct backoff backoff = backoff_start(timeout_ns);
    while (!*flag) {
        ag_gpu_poll(gpu);
        if (!*flag && !backoff_sleep(&backoff))
            return false;
    }
    return true;
}

bool ag_gpu_wait_serial(struct agpu_gpu *gpu, uint64_t serial, uint64_t timeout_ns)
{
    struct backoff backoff = backoff_start(timeout_ns);
    for (;;) {
        ag_gpu_poll(gpu);
        if (ag_gpu_completed_serial(gpu) >= serial)
            return !ag_gpu_is_lost(gpu);
        if (!backoff_sleep(&backoff))
            return false;
    }
}

bool ag_gpu_wait_idle(struct agpu_gpu *gpu, uint64_t timeout_ns)
{
    return ag_gpu_wait_serial(gpu, ag_gpu_signal(gpu), timeout_ns);
}

bool ag_gpu_wait_answers(struct agpu_gpu *gpu, uint64_t timeout_ns)
{
    struct backoff backoff = backoff_start(timeout_ns);
    for (;;) {
        ag_gpu_poll(gpu);
        if (ag_gpu_has_answered(gpu))
            return true;
        if (!backoff_sleep(&backoff))
            return false;
    }
}
