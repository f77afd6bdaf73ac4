/* SPDX-License-Identifier: MIT
 *
 * Copies of any bytes between WebGPU buffers. WebGPU copies whole 32-bit words only.
 */
#ifndef AG_EXEC_BLIT_BYTE_COPY_H
#define AG_EXEC_BLIT_BYTE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_blitter;

struct ag_byte_place {
    WGPUBuffer buffer;
    uint64_t offset; /* bytes */
};

/* Records the copy of `size` bytes with the encoder, outside a pass. Both buffers have the usage Storage.
 * False when memory is exhausted (reported). */
bool ag_bytes_copy(struct ag_blitter *blitter, WGPUCommandEncoder encoder, const struct ag_byte_place *to,
                   const struct ag_byte_place *from, uint64_t size);

#endif
