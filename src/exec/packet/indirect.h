/* SPDX-License-Identifier: MIT
 *
 * Words that a packet needs and only the GPU has.
 */
#ifndef AG_EXEC_PACKET_INDIRECT_H
#define AG_EXEC_PACKET_INDIRECT_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "gpu/webgpu.h"

struct ag_execution;

#define AG_MAX_ARGUMENTS 5

/* `count` words at a multiple of 4 in a buffer, as they are when all that is recorded is done. *known is
 * false when the stream waits for them: the packet will be executed again, and then gets them. Before the
 * first call the packet must not have had an effect. */
enum agpu_status ag_arguments_read(struct ag_execution *execution, WGPUBuffer buffer, uint64_t offset,
                                   uint32_t count, uint32_t *words, bool *known);

#endif
