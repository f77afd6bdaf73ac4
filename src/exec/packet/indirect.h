/* SPDX-License-Identifier: MIT
 *
 * Arguments of a packet that are in a buffer, where only the GPU may know them.
 */
#ifndef AG_EXEC_PACKET_INDIRECT_H
#define AG_EXEC_PACKET_INDIRECT_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "gpu/webgpu.h"

struct ag_execution;

#define AG_MAX_ARGUMENTS 5

/* Reads `count` words, at most AG_MAX_ARGUMENTS, at `offset`, a multiple of 4, of a buffer, as they are
 * after the commands recorded so far. On the first call *known is false: the stream waits for a read-back,
 * the handler returns without an effect, and the packet is executed again; the second call has the words.
 * Reported when not AGPU_OK. */
enum agpu_status ag_arguments_read(struct ag_execution *execution, WGPUBuffer buffer, uint64_t offset,
                                   uint32_t count, uint32_t *words, bool *known);

#endif
