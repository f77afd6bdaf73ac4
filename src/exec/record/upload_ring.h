/* SPDX-License-Identifier: MIT
 *
 * The upload ring: memory for bytes of the CPU that the commands being recorded read, such as constants,
 * staged uploads and rewritten indices. The recorder owns the ring. A slice is valid until the commands are
 * submitted.
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
    uint8_t *bytes; /* where the CPU writes; zeros at first */
};

/* Takes a slice of `size` bytes at a multiple of AG_UPLOAD_RING_ALIGNMENT, for uniform, read-only storage,
 * vertex and index buffers and as a copy source. False when memory is exhausted (reported). */
bool ag_upload_ring_alloc(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice);

/* The same, with any bytes in the slice, all of which the caller writes. */
bool ag_upload_ring_alloc_raw(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice);

/* False when memory is exhausted (not reported). */
bool ag_upload_ring_init(struct ag_recorder *recorder);
/* Begins with new memory; slices of before stay as they are for recorded commands. */
void ag_upload_ring_renew(struct ag_recorder *recorder);
void ag_upload_ring_fini(struct ag_recorder *recorder);

/* Called before the recorded commands are submitted, and after that with the signal that follows them. */
void ag_upload_ring_flush(struct ag_recorder *recorder);
void ag_upload_ring_submitted(struct ag_recorder *recorder, uint64_t serial);

#endif
