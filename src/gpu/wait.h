/* SPDX-License-Identifier: MIT
 *
 * Functions that wait for the GPU, for the creation of devices, for tools and for tests. Nothing that runs
 * inside a submission may call them.
 */
#ifndef AG_GPU_WAIT_H
#define AG_GPU_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct agpu_gpu;

/* Waits until a future with callback mode WaitAnyOnly has completed and its callback was called. False when
 * `timeout_ns` has passed (UINT64_MAX: never); the callback is then called later, at the latest when the
 * instance is released. */
bool ag_wait_future(WGPUInstance instance, WGPUFuture future, uint64_t timeout_ns);

/* Waits for the device that was asked for (gpu/open.h); false when there is none. */
bool ag_gpu_wait_opening(struct agpu_gpu *gpu);

/* Polls until ag_gpu_completed_serial() has reached `serial`; false on timeout or device loss. */
bool ag_gpu_wait_serial(struct agpu_gpu *gpu, uint64_t serial, uint64_t timeout_ns);

/* Polls until all submitted work is done and its callbacks were called; false on timeout or device loss. */
bool ag_gpu_wait_idle(struct agpu_gpu *gpu, uint64_t timeout_ns);

/* Polls until *flag is true; false on timeout. */
bool ag_gpu_wait_flag(struct agpu_gpu *gpu, const bool *flag, uint64_t timeout_ns);

/* Waits until nothing is outstanding, signals and requests. */
bool ag_gpu_wait_answers(struct agpu_gpu *gpu, uint64_t timeout_ns);

#endif
