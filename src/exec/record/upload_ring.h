/* SPDX-License-Identifier: MIT
 *
 * CPU data for the open encoder: constants, staged uploads, rewritten indices. Slices live until the encoder
 * is submitted.
 */
#ifndef AG_EXEC_RECORD_UPLOAD_RING_H
#define AG_EXEC_RECORD_UPLOAD_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_recorder;

#define AG_UPLOAD_RING_ALIGNMENT 256

struct ag_upload_slice {
    WGPUBuffer gpu;
    uint64_t id; /* of `gpu` */
    uint64_t offset;
    uint8_t *bytes; /* zeroed */
};

bool ag_upload_ring_init(struct ag_recorder *recorder);
void ag_upload_ring_fini(struct ag_recorder *recorder);
/* A slice of `size` bytes at a multiple of AG_UPLOAD_RING_ALIGNMENT, usable as uniform, read-only storage,
 * vertex, index and copy source. False when memory is exhausted (reported). */
bool ag_upload_ring_alloc(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice);
/* Before the encoder's submission, and after it with the signal that follows it. */
void ag_upload_ring_flush(struct ag_recorder *recorder);
void ag_upload_ring_submitted(struct ag_recorder *recorder, uint64_t serial);

#endif
