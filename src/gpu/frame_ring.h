/* SPDX-License-Identifier: MIT
 *
 * Short-lived GPU memory that the processor writes and one submission reads: constants, staged uploads,
 * generated indices. A ring is a few buffers ("chunks") that are filled one after the other and used again
 * when the GPU is done with them. It never waits.
 *
 *     while recording:    ag_frame_ring_alloc(ring, bytes, &slice), write to slice.data
 *     before the submit:  ag_frame_ring_flush(ring)
 *     after the submit:   ag_frame_ring_submitted(ring, ag_gpu_signal(gpu))
 *
 * Buffers are few and long-lived, so either way to bind a slice pays: one bind group per buffer with dynamic
 * offsets (as many per pipeline layout as the device's limits say), or bind groups cached by buffer and
 * offset, which recur because a chunk is always cut from its start.
 */
#ifndef AG_GPU_FRAME_RING_H
#define AG_GPU_FRAME_RING_H

#include "gpu/gpu.h"

struct ag_frame_ring_options {
    WGPUBufferUsage usage; /* with MapWrite (then MapWrite | CopySrc): mapped memory, copied from by commands;
                              else written through the queue, and CopyDst is added */
    uint64_t chunk_bytes;  /* size of a buffer; a larger slice gets a buffer of its own. Default 1 MiB */
    uint64_t limit_bytes;  /* all buffers together never exceed it. Default 64 MiB */
    uint32_t alignment;    /* of every slice, a power of two. Default 256 */
    const char *label;
};

struct ag_frame_ring;

/* `gpu` is borrowed. Null when out of memory; no GPU memory is taken before the first slice. */
struct ag_frame_ring *ag_frame_ring_create(struct agpu_gpu *gpu, const struct ag_frame_ring_options *options);
/* Accepts null. Work in flight keeps what it uses. */
void ag_frame_ring_destroy(struct ag_frame_ring *ring);

struct ag_frame_slice {
    WGPUBuffer buffer; /* the ring's; valid until the work that uses it is done */
    uint64_t offset;   /* a multiple of the alignment */
    uint64_t size;     /* as asked for, rounded up to 4 */
    uint8_t *data;     /* `size` writable bytes of undefined content, until flush */
};

/* False when the limit is reached and nothing is free (submit, poll and try again, or use another buffer), or
 * when the device gives no memory. */
bool ag_frame_ring_alloc(struct ag_frame_ring *ring, uint64_t bytes, struct ag_frame_slice *slice);

/* Makes all slices visible to commands submitted from now on; they may not be written any more. */
void ag_frame_ring_flush(struct ag_frame_ring *ring);

/* Says that the slices flushed since the last call are used by work that the signal `serial` follows. */
void ag_frame_ring_submitted(struct ag_frame_ring *ring, uint64_t serial);

/* Bytes of all buffers, and how many buffers there are. */
uint64_t ag_frame_ring_bytes(const struct ag_frame_ring *ring);
uint32_t ag_frame_ring_chunk_count(const struct ag_frame_ring *ring);

#endif
