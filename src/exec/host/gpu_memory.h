/* SPDX-License-Identifier: MIT
 *
 * The budget of GPU memory: what the objects of a guest may take together, with the copies of them that the
 * host keeps. Real exhaustion is reported by no driver in time, and ends processes; so that bytes are counted
 * before WebGPU is asked for them. Memory counts until the GPU has finished the work that may use it.
 */
#ifndef AG_EXEC_HOST_GPU_MEMORY_H
#define AG_EXEC_HOST_GPU_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "exec/host/account.h"

struct ag_host;

/* What an object takes beside its bytes: structures of the host, of WebGPU and of the driver. */
#define AG_GPU_OBJECT_BYTES 4096u

/* Bytes of destroyed objects, which are free when the queue has reached the signal. */
struct ag_gpu_memory_release {
    uint64_t serial, bytes;
    struct ag_account *account;
};

struct ag_gpu_memory {
    struct ag_budget budget; /* used by live objects, and by those that the GPU may still use */
    bool gave;               /* since this was set to false */
    AG_VEC(struct ag_gpu_memory_release) released; /* the oldest signal first */
};

/* Counts the bytes of an object that is to be made, in an account (account.h). False when they exceed what
 * the account may have: nothing is counted and the object may not be made (not reported). */
bool ag_gpu_memory_take(struct ag_host *host, struct ag_account *account, uint64_t bytes);

/* An object was destroyed, which the commands recorded so far may use. */
void ag_gpu_memory_give(struct ag_host *host, struct ag_account *account, uint64_t bytes);

/* The signal of the queue to wait for before the next object is made: 0, unless memory is short and some will
 * be free then. The signal may not have been placed yet. */
uint64_t ag_gpu_memory_awaited(struct ag_host *host);

/* A new WebGPU device has no memory in use. */
void ag_gpu_memory_clear(struct ag_host *host);

#endif
