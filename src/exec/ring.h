/* SPDX-License-Identifier: MIT
 *
 * CPU data for the open encoder: constants, staged uploads, rewritten indices. Slices live until the encoder
 * is submitted.
 */
#ifndef AG_EXEC_RING_H
#define AG_EXEC_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/frame_ring.h"

struct ag_exec;

#define AG_RING_ALIGNMENT 256

struct ag_ring {
    struct ag_frame_ring *frames;
    uint64_t epoch; /* changes when slices end: those of an older one are gone. From 1 */
};

struct ag_ring_slice {
    WGPUBuffer gpu;
    uint64_t id; /* of `gpu` */
    uint64_t offset;
    uint8_t *bytes; /* zeroed */
};

bool ag_ring_init(struct ag_exec *exec);
void ag_ring_fini(struct ag_exec *exec);

/* A slice of `size` bytes at a multiple of AG_RING_ALIGNMENT, usable as uniform, read-only storage, vertex,
 * index and copy source. False when memory is exhausted (reported). */
bool ag_ring_alloc(struct ag_exec *exec, uint64_t size, struct ag_ring_slice *slice);
/* Before the encoder's submission, and after it with the signal that follows it. */
void ag_ring_flush(struct ag_exec *exec);
void ag_ring_submitted(struct ag_exec *exec, uint64_t serial);

#endif
