/* SPDX-License-Identifier: MIT
 *
 * The budget of host memory: what the objects of a guest and its submissions that wait may take together on
 * the host, beside the GPU's memory (gpu_memory.h). Bytes are counted before they are allocated, and before
 * WebGPU is asked for an object.
 */
#ifndef AG_EXEC_HOST_HOST_MEMORY_H
#define AG_EXEC_HOST_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"

struct ag_host;

/* What an object takes beside its contents: structures of the host, of WebGPU and of the driver. */
#define AG_HOST_OBJECT_BYTES 4096u

/* What a shader takes for each byte of its source, parsed and translated. */
#define AG_HOST_SHADER_FACTOR 64u

struct ag_host_memory {
    uint64_t limit_bytes; /* UINT64_MAX: none */
    uint64_t used_bytes;
};

/* Whether the budget has room for so many bytes more. */
bool ag_host_memory_has(const struct ag_host *host, uint64_t bytes);

/* Counts bytes. False when they exceed the budget: nothing is counted (not reported). */
bool ag_host_memory_take(struct ag_host *host, uint64_t bytes);
void ag_host_memory_give(struct ag_host *host, uint64_t bytes);

/* ag_host_memory_take() for the object that a packet makes: AGPU_REFUSED, when the budget is exceeded, is
 * reported (exec.memory). */
enum agpu_status ag_host_memory_charge(struct ag_host *host, uint64_t bytes);

#endif
