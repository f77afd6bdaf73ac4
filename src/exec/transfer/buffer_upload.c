/* SPDX-License-Identifier: MIT */
#include "exec/transfer/buffer_upload.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/blit/byte_copy.h"
#include "exec/host/effort.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/resource.h"
#include "exec/record/encoder.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "exec/transfer/copier.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

/* Writes through the queue. The last bytes of the buffer are padded to a word, which WebGPU requires. */
static void queue_write(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset,
                        const uint8_t *data, uint64_t size)
{
    uint8_t last[4] = {0};
    uint64_t words = size & ~UINT64_C(3);
    ag_throttle_add_upload(copier->recorder, size);
    if (words)
        wgpuQueueWriteBuffer(ag_gpu_writer(copier->host->gpu), buffer->gpu, offset, data, (size_t)words);
    if (words == size)
        return;
    memcpy(last, data + words, (size_t)(size - words));
    wgpuQueueWriteBuffer(ag_gpu_writer(copier->host->gpu), buffer->gpu, offset + words, last, sizeof last);
}

/* Copies the bytes, with zeros up to a whole word. */
static bool stage(struct ag_copier *copier, const uint8_t *data, uint64_t size, struct ag_upload_slice *slice)
{
    if (!ag_upload_ring_alloc_raw(copier->recorder, ag_align_up(size, 4), slice))
        return false;
    memcpy(slice->bytes, data, (size_t)size);
    memset(slice->bytes + size, 0, (size_t)(ag_align_up(size, 4) - size));
    return true;
}

static bool write_gpu(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset,
                      const uint8_t *data, uint64_t size)
{
    if (ag_recorder_in_use(copier->recorder, &buffer->resource) && offset == 0 && size == buffer->size)
        ag_buffer_rename(copier->objects, buffer);
    if (!ag_recorder_in_use(copier->recorder, &buffer->resource)) {
        queue_write(copier, buffer, offset, data, size);
        return true;
    }
    struct ag_upload_slice slice;
    uint64_t words = ag_align_up(size, 4);
    if (!stage(copier, data, size, &slice))
        return false;
    wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_upload_encoder(copier->recorder, &buffer->resource),
                                         slice.gpu, slice.offset, buffer->gpu, offset, words);
    return true;
}

/* Uploads bytes that begin or end inside a word, of which only the GPU knows the other bytes. */
static bool merge_gpu(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset,
                      const uint8_t *data, uint64_t size)
{
    struct ag_upload_slice slice;
    if (!stage(copier, data, size, &slice))
        return false;
    const struct ag_byte_place to = {buffer->gpu, offset}, from = {slice.gpu, slice.offset};
    if (!ag_bytes_copy(copier->blitter, ag_recorder_upload_encoder(copier->recorder, &buffer->resource), &to,
                       &from, size))
        return false;
    if (!ag_recorder_in_use(copier->recorder, &buffer->resource)) /* no later upload goes through the queue */
        buffer->resource.used_in = copier->recorder->encoder_number;
    return true;
}

/* Uploads what is newer in the shadow. */
static bool write_stale(struct ag_copier *copier, struct ag_buffer *buffer)
{
    struct ag_interval stale = buffer->gpu_stale;
    /* With all bytes written, write_gpu() renames a buffer in use and the render pass stays open. */
    if (ag_recorder_in_use(copier->recorder, &buffer->resource) && buffer->size <= AG_SMALL_BUFFER_BYTES)
        stale = (struct ag_interval){0, buffer->size};
    if (!write_gpu(copier, buffer, stale.begin, buffer->shadow + stale.begin, stale.end - stale.begin))
        return false;
    buffer->gpu_stale = (struct ag_interval){0, 0};
    return true;
}

bool ag_buffer_write(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset, const void *data,
                     uint64_t size)
{
    struct ag_interval written = {offset, offset + size};
    if (size == 0)
        return true;
    copier->host->counts.upload_bytes += size;
    buffer->version = ag_host_id(copier->host);
    if (!ag_interval_is_empty(buffer->guest_dirty)) {
        /* The upload is newer than guest memory, which need not be read when the upload covers it. */
        if (written.begin <= buffer->guest_dirty.begin && written.end >= buffer->guest_dirty.end)
            buffer->guest_dirty = (struct ag_interval){0, 0};
        else if (!ag_buffer_pull(copier, buffer))
            return false;
    }
    if (!buffer->shadow && offset == 0 && size == buffer->size &&
        ag_buffer_keeps_shadow(size, buffer->resource.usage))
        /* The CPU knows all bytes again. Without memory, the buffer goes on without a shadow. */
        buffer->shadow = calloc(1, (size_t)ag_buffer_host_size(buffer));
    if (!buffer->shadow)
        return offset % 4 == 0 && (size % 4 == 0 || written.end == buffer->size)
                   ? write_gpu(copier, buffer, offset, data, size)
                   : merge_gpu(copier, buffer, offset, data, size);
    if (ag_buffer_scatters(buffer, offset, size) && !write_stale(copier, buffer))
        return false;
    ag_effort_add(&copier->host->effort, size);
    ag_buffer_store(buffer, offset, data, size);
    return true;
}

void ag_buffer_write_begin(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset, uint64_t size)
{
    const bool is_whole = offset == 0 && size == buffer->size;
    if (offset <= buffer->guest_dirty.begin && offset + size >= buffer->guest_dirty.end)
        buffer->guest_dirty = (struct ag_interval){0, 0};
    if (!is_whole)
        return;
    const bool knows_again = !buffer->shadow && ag_buffer_keeps_shadow(size, buffer->resource.usage);
    if (knows_again)
        buffer->shadow = calloc(1, (size_t)ag_buffer_host_size(buffer));
    if (buffer->shadow)
        buffer->gpu_stale = (struct ag_interval){0, 0};
    if ((knows_again && buffer->shadow) || ag_recorder_in_use(copier->recorder, &buffer->resource))
        ag_buffer_rename(copier->objects, buffer);
}

uint64_t ag_buffer_write_part(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset,
                              const uint8_t *data, uint64_t size, uint64_t done)
{
    uint64_t end = size;
    if (size - done > AG_PART_UPLOADED_BYTES) /* parts behind the first begin at words */
        end = ((offset + done + AG_PART_UPLOADED_BYTES) & ~UINT64_C(3)) - offset;
    if (done == 0 && end < size)
        ag_buffer_write_begin(copier, buffer, offset, size);
    return ag_buffer_write(copier, buffer, offset + done, data, end - done) ? end : 0;
}

bool ag_buffer_pull(struct ag_copier *copier, struct ag_buffer *buffer)
{
    struct ag_interval dirty = buffer->guest_dirty;
    uint64_t gpa, size = dirty.end - dirty.begin;
    if (ag_interval_is_empty(dirty))
        return true;
    if (!ag_guest_find(copier->host, buffer->resource.backing.alloc_id,
                       buffer->resource.backing.offset + dirty.begin, size, &gpa))
        return false;
    uint8_t *bytes = malloc((size_t)size);
    if (!bytes) {
        ag_host_no_memory(copier->host);
        return false;
    }
    bool done = ag_guest_pull(copier->host, gpa, bytes, size);
    if (done) {
        buffer->guest_dirty = (struct ag_interval){0, 0};
        done = ag_buffer_write(copier, buffer, dirty.begin, bytes, size);
    }
    free(bytes);
    return done;
}

bool ag_buffer_bring(struct ag_copier *copier, struct ag_buffer *buffer)
{
    if (!ag_buffer_pull(copier, buffer))
        return false;
    if (!ag_interval_is_empty(buffer->gpu_stale) && !write_stale(copier, buffer))
        return false;
    ag_recorder_mark_used(copier->recorder, &buffer->resource);
    return true;
}
