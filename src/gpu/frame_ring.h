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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "gpu/gpu.h"

struct ag_frame_ring_options {
    /* With MapWrite (then MapWrite | CopySrc): mapped memory, from which commands copy. Otherwise the buffer
     * is written through the queue, and CopyDst is added. */
    WGPUBufferUsage usage;
    uint64_t chunk_bytes; /* size of a buffer; a larger slice gets a buffer of its own. Default 1 MiB */
    uint64_t limit_bytes; /* limit for all buffers together. Default 64 MiB */
    uint32_t alignment;   /* of every slice, a power of two. Default 256 */
    const char *label;
};

struct ag_frame_ring;

/* `gpu` is borrowed. Null when memory runs out. GPU memory is allocated with the first slice. */
struct ag_frame_ring *ag_frame_ring_create(struct agpu_gpu *gpu, const struct ag_frame_ring_options *options);
/* Accepts null. Work in flight keeps the buffers that it uses. */
void ag_frame_ring_destroy(struct ag_frame_ring *ring);

struct ag_frame_slice {
    WGPUBuffer buffer; /* belongs to the ring; valid until the work that uses the slice is done */
    uint64_t offset;   /* a multiple of the alignment */
    uint64_t size;     /* the requested size, rounded up to 4 */
    uint8_t *data;     /* `size` writable bytes of undefined content, until flush */
};

/* The buffer that slices are cut from, while it has room. */
struct ag_frame_window {
    WGPUBuffer buffer;
    uint8_t *data; /* mapped memory, or memory of our own */
    uint64_t size;
    uint64_t used; /* bytes cut from the start */
};

/* The place where the ring has its window, or null where no buffer is open. Any call may put another one
 * there; the place stays for as long as the ring lives. */
struct ag_frame_window *const *ag_frame_ring_window(const struct ag_frame_ring *ring);

/* Cuts a slice of a ring with this alignment, without a call. False when the window has no room for it;
 * ag_frame_ring_alloc() may have. */
static inline bool ag_frame_window_cut(struct ag_frame_window *window, uint64_t bytes, uint32_t alignment,
                                       struct ag_frame_slice *slice)
{
    const uint64_t size = ag_align_up(bytes, 4);
    if (window == NULL || bytes == 0 || size < bytes)
        return false;
    const uint64_t offset = ag_align_up(window->used, alignment);
    if (!ag_range_fits(offset, size, window->size))
        return false;
    window->used = offset + size;
    *slice = (struct ag_frame_slice){window->buffer, offset, size, window->data + offset};
    return true;
}

/* Allocates a slice. False when the limit is reached and no chunk is free (the caller may submit, poll and
 * try again, or use another buffer), or when the device has no memory. */
bool ag_frame_ring_alloc(struct ag_frame_ring *ring, uint64_t bytes, struct ag_frame_slice *slice);

/* Makes all slices visible to commands that are submitted from now on. The slices may not be written
 * afterwards. */
void ag_frame_ring_flush(struct ag_frame_ring *ring);

/* Tells the ring that the work before signal `serial` uses the slices flushed since the last call. */
void ag_frame_ring_submitted(struct ag_frame_ring *ring, uint64_t serial);

/* The bytes of all buffers, and the number of buffers. */
uint64_t ag_frame_ring_bytes(const struct ag_frame_ring *ring);
uint32_t ag_frame_ring_chunk_count(const struct ag_frame_ring *ring);

#endif
