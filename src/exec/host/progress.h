/* SPDX-License-Identifier: MIT
 *
 * How far a packet has come that means much work. Such a packet is executed in parts, each of bounded work:
 * between two parts, the stream may wait for the GPU and the embedder may get its thread back. A submission's
 * execution owns the struct; handlers and transfers read where to go on, and note how far they came.
 */
#ifndef AG_EXEC_HOST_PROGRESS_H
#define AG_EXEC_HOST_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* What one part may do at most: render passes, copies of slices or dispatches; draws inside a pass; bytes. */
#define AG_PART_PASSES 64u
#define AG_PART_DRAWS 1024u
#define AG_PART_BYTES (UINT64_C(4) << 20)
/* Bytes that the processor copies, into memory that nobody has touched yet, and WebGPU once more. */
#define AG_PART_UPLOADED_BYTES (UINT64_C(1) << 20)

/* All zero before the first part of a packet. */
struct ag_progress {
    uint64_t stage; /* the step of the handler, in an order of the handler's own */
    uint64_t done;  /* items of the step that are done */
    bool more;      /* the packet is not done: another part follows */
};

/* The part ends after `done` items of the step. */
static inline void ag_progress_pause(struct ag_progress *progress, uint64_t done)
{
    progress->done = done;
    progress->more = true;
}

/* Whether the packet is at its first part. */
static inline bool ag_progress_is_new(const struct ag_progress *progress)
{
    return progress->stage == 0 && progress->done == 0;
}

#endif
