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

#include "exec/host/host.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "gpu/frame_ring.h"
#include "gpu/webgpu.h"

struct ag_upload_slice {
    WGPUBuffer gpu;
    uint64_t id; /* of `gpu` */
    uint64_t offset;
    uint8_t *bytes; /* where the CPU writes; zeros at first */
};

/* Takes a slice of `size` bytes at a multiple of the ring's alignment, for uniform, read-only storage, vertex
 * and index buffers and as a copy source. False when memory is exhausted (reported). */
bool ag_upload_ring_alloc(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice);

/* A buffer of the ring has its address as its id. This bit tells such ids from those of ag_host_id().
 * Cached bind groups keep the buffer alive, so that no other buffer gets the address while they exist. */
#define AG_UPLOAD_RING_ID (UINT64_C(1) << 63)

/* Makes a slice of one of the frame ring, and counts it. */
static inline void ag_upload_ring_count(struct ag_recorder *recorder, const struct ag_frame_slice *frame,
                                        struct ag_upload_slice *slice)
{
    *slice = (struct ag_upload_slice){frame->buffer, AG_UPLOAD_RING_ID | (uint64_t)(uintptr_t)frame->buffer,
                                      frame->offset, frame->data};
    recorder->host->counts.constant_bytes += frame->size;
    ag_throttle_add_upload(recorder, frame->size);
}

/* Takes a slice of the buffer at hand, with any bytes in it, without a call. False when that has no room. */
static inline bool ag_upload_ring_cut(struct ag_recorder *recorder, uint64_t size,
                                      struct ag_upload_slice *slice)
{
    struct ag_frame_slice frame;
    if (!ag_frame_window_cut(*recorder->ring.window, size, recorder->ring.alignment, &frame))
        return false;
    ag_upload_ring_count(recorder, &frame, slice);
    return true;
}

/* Takes a slice of another buffer, which slices are cut from then on unless the slice is a large one. */
bool ag_upload_ring_go_on(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice);

/* As ag_upload_ring_alloc(), with any bytes in the slice, all of which the caller writes. */
static inline bool ag_upload_ring_alloc_raw(struct ag_recorder *recorder, uint64_t size,
                                            struct ag_upload_slice *slice)
{
    return ag_upload_ring_cut(recorder, size, slice) || ag_upload_ring_go_on(recorder, size, slice);
}

/* False when memory is exhausted (not reported). */
bool ag_upload_ring_init(struct ag_recorder *recorder);
/* Begins with new memory; slices of before stay as they are for recorded commands. */
void ag_upload_ring_renew(struct ag_recorder *recorder);
void ag_upload_ring_fini(struct ag_recorder *recorder);

/* Called before the recorded commands are submitted, and after that with the signal that follows them. */
void ag_upload_ring_flush(struct ag_recorder *recorder);
void ag_upload_ring_submitted(struct ag_recorder *recorder, uint64_t serial);

#endif
