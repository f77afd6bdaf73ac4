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

struct ag_account;
struct ag_host;

/* What an object takes beside its contents: structures of the host, of WebGPU and of the driver. */
#define AG_HOST_OBJECT_BYTES 4096u

/* What another handle of a resource takes. */
#define AG_HOST_ALIAS_BYTES 256u

/* What a shader takes for each byte of its source, parsed and translated. */
#define AG_HOST_SHADER_FACTOR 64u

/* Whether the budget has room for so many bytes more of the context at work. */
bool ag_host_memory_has(const struct ag_host *host, uint64_t bytes);

/* Counts bytes of an account (account.h). False when they exceed what the account may have: nothing is
 * counted (not reported). */
bool ag_host_memory_take(struct ag_host *host, struct ag_account *account, uint64_t bytes);
void ag_host_memory_give(struct ag_host *host, struct ag_account *account, uint64_t bytes);

/* ag_host_memory_take() for the object that a packet makes, in the account of the context at work, which the
 * object keeps. AGPU_REFUSED, when the budget is exceeded, is reported (exec.memory). */
enum agpu_status ag_host_memory_charge(struct ag_host *host, uint64_t bytes);

#endif
