/* SPDX-License-Identifier: MIT
 *
 * CPU data for the open encoder: constants, staged uploads, rewritten indices. Slices live until the encoder
 * is submitted.
 */
#ifndef AGPU_EXEC_RING_H
#define AGPU_EXEC_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/frame_ring.h"

struct agpu_exec;

#define AGPU_RING_ALIGNMENT 256

struct agpu_ring {
    struct agpu_frame_ring *frames;
    uint64_t epoch; /* changes when slices end: those of an older one are gone. From 1 */
};

struct agpu_ring_slice {
    WGPUBuffer gpu;
    uint64_t id; /* of `gpu` */
    uint64_t offset;
    uint8_t *bytes; /* zeroed */
};

bool agpu_ring_init(struct agpu_exec *exec);
void agpu_ring_fini(struct agpu_exec *exec);

/* A slice of `size` bytes at a multiple of AGPU_RING_ALIGNMENT, usable as uniform, read-only storage, vertex,
 * index and copy source. False when memory is exhausted (reported). */
bool agpu_ring_alloc(struct agpu_exec *exec, uint64_t size, struct agpu_ring_slice *slice);
/* Before the encoder's submission, and after it with the signal that follows it. */
void agpu_ring_flush(struct agpu_exec *exec);
void agpu_ring_submitted(struct agpu_exec *exec, uint64_t serial);

#endif
