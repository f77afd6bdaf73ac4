/* SPDX-License-Identifier: MIT
 *
 * Copies of bytes between WebGPU buffers, which WebGPU itself copies by words.
 */
#ifndef AG_EXEC_BLIT_BYTE_COPY_H
#define AG_EXEC_BLIT_BYTE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_blitter;

/* Any bytes from one WebGPU buffer to another. False when memory is exhausted (reported). */
struct ag_byte_place {
    WGPUBuffer buffer;
    uint64_t offset;
};

bool ag_bytes_copy(struct ag_blitter *blitter, WGPUCommandEncoder encoder, const struct ag_byte_place *to,
                   const struct ag_byte_place *from, uint64_t size);

#endif
