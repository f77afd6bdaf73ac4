/* SPDX-License-Identifier: MIT
 *
 * Bytes on their way into buffers: uploads from the stream, and guest memory that backs a buffer. Packet
 * handlers write buffers; everyone who records a use of a buffer calls ag_buffer_use() before.
 */
#ifndef AG_EXEC_TRANSFER_BUFFER_UPLOAD_H
#define AG_EXEC_TRANSFER_BUFFER_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/object/buffer.h"
#include "exec/record/encoder.h"
#include "exec/transfer/copier.h"

/* Writes `size` bytes at `offset`: into the shadow, when the buffer has one, else to the WebGPU buffer at
 * this point of the stream. False when memory is exhausted (reported). */
bool ag_buffer_write(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset, const void *data,
                     uint64_t size);

/* Before the first of several parts of an upload: what all of it covers need not be read from guest memory,
 * nor stay as commands have it. */
void ag_buffer_write_begin(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset,
                           uint64_t size);

/* ag_buffer_write() for the next part of an upload of `size` bytes at `offset`, of which `done` are written.
 * Returns how many are written then; 0: false. */
uint64_t ag_buffer_write_part(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset,
                              const uint8_t *data, uint64_t size, uint64_t done);

/* Whether the newest bytes are in the shadow, so that a write changes nothing else. */
static inline bool ag_buffer_is_shadowed(const struct ag_buffer *buffer)
{
    return buffer->shadow && ag_interval_is_empty(buffer->guest_dirty);
}

/* Whether what is newer in the shadow is uploaded before a write: it is much, or so far from the write that
 * what lies between is not to be uploaded with both. */
static inline bool ag_buffer_scatters(const struct ag_buffer *buffer, uint64_t offset, uint64_t size)
{
    const uint64_t most = AG_PART_UPLOADED_BYTES;
    const struct ag_interval stale = buffer->gpu_stale;
    return buffer->size > most && !ag_interval_is_empty(stale) &&
           (offset > stale.end + most || offset + size + most < stale.begin ||
            stale.end - stale.begin >= most);
}

/* Stores bytes in the shadow. */
static inline void ag_buffer_store(struct ag_buffer *buffer, uint64_t offset, const void *data, uint64_t size)
{
    const uint64_t end = ag_align_up(offset + size, 4);
    const struct ag_interval words = {offset & ~UINT64_C(3), end < buffer->size ? end : buffer->size};
    if (buffer->blocks)
        ag_buffer_shadow_changes(buffer, offset, size);
    ag_copy_few(buffer->shadow + offset, data, (size_t)size);
    if (words.begin < buffer->gpu_stale.begin || words.end > buffer->gpu_stale.end)
        buffer->gpu_stale = ag_interval_union(buffer->gpu_stale, words);
}

/* Uploads the bytes whose newest contents are in guest memory. False when guest memory cannot be read or
 * memory is exhausted (reported). */
bool ag_buffer_pull(struct ag_copier *copier, struct ag_buffer *buffer);

/* Brings the WebGPU buffer up to date, from guest memory and the shadow, and marks the buffer as used by
 * the open encoder. May rename the buffer. False when guest memory cannot be read or memory is exhausted
 * (reported). */
bool ag_buffer_bring(struct ag_copier *copier, struct ag_buffer *buffer);
static inline bool ag_buffer_use(struct ag_copier *copier, struct ag_buffer *buffer)
{
    if (!ag_interval_is_empty(buffer->guest_dirty) || !ag_interval_is_empty(buffer->gpu_stale))
        return ag_buffer_bring(copier, buffer);
    ag_recorder_mark_used(copier->recorder, &buffer->resource);
    return true;
}

#endif
