/* SPDX-License-Identifier: MIT
 *
 * Short-lived GPU memory that the processor writes and one submission reads: constants, staged uploads,
 * generated indices. A ring is a few buffers ("chunks") that are filled one after the other and used again
 * when the GPU is done with them. It never waits.
 *
 *     while recording:    agpu_frame_ring_alloc(ring, bytes, &slice), write to slice.data
 *     before the submit:  agpu_frame_ring_flush(ring)
 *     after the submit:   agpu_frame_ring_submitted(ring, agpu_gpu_signal(gpu))
 *
 * Buffers are few and long-lived, so either way to bind a slice pays: one bind group per buffer with dynamic
 * offsets (as many per pipeline layout as the device's limits say), or bind groups cached by buffer and
 * offset, which recur because a chunk is always cut from its start.
 */
#ifndef AGPU_GPU_FRAME_RING_H
#define AGPU_GPU_FRAME_RING_H

#include "gpu/gpu.h"

struct agpu_frame_ring_options {
    WGPUBufferUsage usage; /* with MapWrite (then MapWrite | CopySrc): mapped memory, copied from by commands;
                              else written through the queue, and CopyDst is added */
    uint64_t chunk_bytes;  /* size of a buffer; a larger slice gets a buffer of its own. Default 1 MiB */
    uint64_t limit_bytes;  /* all buffers together never exceed it. Default 64 MiB */
    uint32_t alignment;    /* of every slice, a power of two. Default 256 */
    const char *label;
};

struct agpu_frame_ring;

/* `gpu` is borrowed. Null when out of memory; no GPU memory is taken before the first slice. */
struct agpu_frame_ring *agpu_frame_ring_create(struct agpu_gpu *gpu,
                                               const struct agpu_frame_ring_options *options);
/* Accepts null. Work in flight keeps what it uses. */
void agpu_frame_ring_destroy(struct agpu_frame_ring *ring);

struct agpu_frame_slice {
    WGPUBuffer buffer; /* the ring's; valid until the work that uses it is done */
    uint64_t offset;   /* a multiple of the alignment */
    uint64_t size;     /* as asked for, rounded up to 4 */
    uint8_t *data;     /* `size` writable bytes of undefined content, until flush */
};

/* False when the limit is reached and nothing is free (submit, poll and try again, or use another buffer), or
 * when the device gives no memory. */
bool agpu_frame_ring_alloc(struct agpu_frame_ring *ring, uint64_t bytes, struct agpu_frame_slice *slice);

/* Makes all slices visible to commands submitted from now on; they may not be written any more. */
void agpu_frame_ring_flush(struct agpu_frame_ring *ring);

/* Says that the slices flushed since the last call are used by work that the signal `serial` follows. */
void agpu_frame_ring_submitted(struct agpu_frame_ring *ring, uint64_t serial);

/* Bytes of all buffers, and how many buffers there are. */
uint64_t agpu_frame_ring_bytes(const struct agpu_frame_ring *ring);
uint32_t agpu_frame_ring_chunk_count(const struct agpu_frame_ring *ring);

#endif
