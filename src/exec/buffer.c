/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/bind.h"
#include "exec/exec.h"

#define EMPTY ((struct ag_interval){0, 0})

#define SMALL_BYTES 65536

/* Buffers whose bytes the CPU keeps: constants are renamed from the shadow, indices may need rewriting, and a
 * small buffer that changes between draws is renamed instead of splitting the pass. */
static bool keeps_shadow(uint64_t size, uint32_t usage)
{
    return size <= SMALL_BYTES ||
           (usage & (AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER | AEROGPU_RESOURCE_USAGE_INDEX_BUFFER)) != 0;
}

static bool is_empty(struct ag_interval interval)
{
    return interval.begin >= interval.end;
}

struct ag_interval ag_interval_union(struct ag_interval a, struct ag_interval b)
{
    if (is_empty(a))
        return b;
    if (is_empty(b))
        return a;
    return (struct ag_interval){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/* A buffer has whole words on the host. */
static uint64_t host_size(const struct ag_buffer *buffer)
{
    return ag_align_up(buffer->size, 4);
}

static WGPUBuffer create_gpu(struct ag_exec *exec, uint64_t size)
{
    WGPUBufferUsage usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst | WGPUBufferUsage_Vertex |
                            WGPUBufferUsage_Index | WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage |
                            WGPUBufferUsage_Indirect;
    return ag_exec_create_buffer(exec, size, usage);
}

struct ag_buffer *ag_buffer_create(struct ag_exec *exec, const struct ag_buffer_desc *desc)
{
    struct ag_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return NULL;
    buffer->size = desc->size;
    if (keeps_shadow(desc->size, desc->usage)) {
        buffer->shadow = calloc(1, (size_t)host_size(buffer));
        if (!buffer->shadow) {
            free(buffer);
            return NULL;
        }
    }
    buffer->resource.kind = AG_RESOURCE_BUFFER;
    buffer->resource.usage = desc->usage;
    buffer->resource.bind = desc->bind;
    buffer->resource.misc = desc->misc;
    buffer->stride = desc->stride;
    buffer->version = ag_exec_id(exec);
    buffer->gpu = create_gpu(exec, host_size(buffer));
    buffer->id = ag_exec_id(exec);
    return buffer;
}

void ag_buffer_destroy(struct ag_exec *exec, struct ag_buffer *buffer)
{
    if (!buffer)
        return;
    ag_views_destroy(exec, &buffer->resource);
    ag_bind_forget(exec, buffer->id);
    ag_counter_fini(&buffer->counter);
    ag_counter_fini(&buffer->filled);
    wgpuBufferRelease(buffer->gpu);
    free(buffer->shadow);
    free(buffer->scans);
    free(buffer);
}

/* A fresh WebGPU buffer in place of one that recorded work still reads. */
static void rename_gpu(struct ag_exec *exec, struct ag_buffer *buffer)
{
    ag_bind_forget(exec, buffer->id);
    wgpuBufferRelease(buffer->gpu);
    buffer->gpu = create_gpu(exec, host_size(buffer));
    buffer->id = ag_exec_id(exec);
    buffer->resource.used_in = 0;
}

/* Through the queue; the last bytes of a buffer are padded to a word. */
static void queue_write(struct ag_exec *exec, struct ag_buffer *buffer, uint64_t offset, const uint8_t *data,
                        uint64_t size)
{
    uint8_t last[4] = {0};
    uint64_t words = size & ~UINT64_C(3);
    if (words)
        wgpuQueueWriteBuffer(exec->queue, buffer->gpu, offset, data, (size_t)words);
    if (words == size)
        return;
    memcpy(last, data + words, (size_t)(size - words));
    wgpuQueueWriteBuffer(exec->queue, buffer->gpu, offset + words, last, sizeof last);
}

static bool write_gpu(struct ag_exec *exec, struct ag_buffer *buffer, uint64_t offset, const uint8_t *data,
                      uint64_t size)
{
    if (ag_exec_in_use(exec, &buffer->resource) && offset == 0 && size == buffer->size)
        rename_gpu(exec, buffer);
    if (!ag_exec_in_use(exec, &buffer->resource)) {
        queue_write(exec, buffer, offset, data, size);
        return true;
    }
    struct ag_ring_slice slice;
    uint64_t words = ag_align_up(size, 4);
    if (!ag_ring_alloc(exec, words, &slice))
        return false;
    memcpy(slice.bytes, data, (size_t)size);
    wgpuCommandEncoderCopyBufferToBuffer(ag_exec_upload_encoder(exec, &buffer->resource), slice.gpu,
                                         slice.offset, buffer->gpu, offset, words);
    return true;
}

/* Bytes among others of a word that only the GPU knows. */
static bool merge_gpu(struct ag_exec *exec, struct ag_buffer *buffer, uint64_t offset, const uint8_t *data,
                      uint64_t size)
{
    struct ag_ring_slice slice;
    if (!ag_ring_alloc(exec, ag_align_up(size, 4), &slice))
        return false;
    memcpy(slice.bytes, data, (size_t)size);
    const struct ag_byte_place to = {buffer->gpu, offset}, from = {slice.gpu, slice.offset};
    if (!ag_bytes_copy(exec, ag_exec_upload_encoder(exec, &buffer->resource), &to, &from, size))
        return false;
    if (!ag_exec_in_use(exec, &buffer->resource)) /* later bytes come after these */
        buffer->resource.used_in = exec->encoder_number;
    return true;
}

static struct ag_interval words_around(const struct ag_buffer *buffer, struct ag_interval bytes)
{
    uint64_t end = ag_align_up(bytes.end, 4);
    return (struct ag_interval){bytes.begin & ~UINT64_C(3), end < buffer->size ? end : buffer->size};
}

bool ag_buffer_write(struct ag_exec *exec, struct ag_buffer *buffer, uint64_t offset, const void *data,
                     uint64_t size)
{
    struct ag_interval written = {offset, offset + size};
    if (size == 0)
        return true;
    exec->counts.upload_bytes += size;
    buffer->version = ag_exec_id(exec);
    if (!is_empty(buffer->guest_dirty)) {
        /* The upload is newer than what the guest's memory holds in the same place. */
        if (written.begin <= buffer->guest_dirty.begin && written.end >= buffer->guest_dirty.end)
            buffer->guest_dirty = EMPTY;
        else if (!ag_buffer_pull(exec, buffer))
            return false;
    }
    if (!buffer->shadow && offset == 0 && size == buffer->size && keeps_shadow(size, buffer->resource.usage))
        buffer->shadow = calloc(
            1, (size_t)host_size(buffer)); /* known again as a whole; without memory it stays unknown */
    if (!buffer->shadow)
        return offset % 4 == 0 && (size % 4 == 0 || written.end == buffer->size)
                   ? write_gpu(exec, buffer, offset, data, size)
                   : merge_gpu(exec, buffer, offset, data, size);
    memcpy(buffer->shadow + offset, data, (size_t)size);
    buffer->gpu_stale = ag_interval_union(buffer->gpu_stale, words_around(buffer, written));
    return true;
}

bool ag_buffer_pull(struct ag_exec *exec, struct ag_buffer *buffer)
{
    struct ag_interval dirty = buffer->guest_dirty;
    uint64_t gpa, size = dirty.end - dirty.begin;
    if (is_empty(dirty))
        return true;
    if (!ag_guest_resolve(exec, buffer->resource.backing.alloc_id,
                          buffer->resource.backing.offset + dirty.begin, size, false, &gpa))
        return false;
    uint8_t *bytes = malloc((size_t)size);
    if (!bytes) {
        ag_exec_no_memory(exec);
        return false;
    }
    bool done = ag_guest_read(exec, gpa, bytes, size);
    if (done) {
        buffer->guest_dirty = EMPTY;
        done = ag_buffer_write(exec, buffer, dirty.begin, bytes, size);
    }
    free(bytes);
    return done;
}

bool ag_buffer_use(struct ag_exec *exec, struct ag_buffer *buffer)
{
    if (!ag_buffer_pull(exec, buffer))
        return false;
    if (!is_empty(buffer->gpu_stale)) {
        struct ag_interval stale = buffer->gpu_stale;
        /* The whole is known: writing all of it lets a buffer in use be renamed instead of splitting the
         * pass. */
        if (ag_exec_in_use(exec, &buffer->resource) && buffer->size <= SMALL_BYTES)
            stale = (struct ag_interval){0, buffer->size};
        if (!write_gpu(exec, buffer, stale.begin, buffer->shadow + stale.begin, stale.end - stale.begin))
            return false;
        buffer->gpu_stale = EMPTY;
    }
    ag_exec_mark_used(exec, &buffer->resource);
    return true;
}

void ag_buffer_written(struct ag_buffer *buffer)
{
    free(buffer->shadow);
    buffer->shadow = NULL;
    buffer->gpu_stale = EMPTY;
    buffer->version++;
}

void ag_buffer_copied(struct ag_exec *exec, struct ag_buffer *buffer, uint64_t offset,
                      const struct ag_buffer *source, uint64_t source_offset, uint64_t size)
{
    if (!buffer->shadow || !source->shadow) {
        ag_buffer_written(buffer);
        return;
    }
    memcpy(buffer->shadow + offset, source->shadow + source_offset, (size_t)size);
    buffer->version = ag_exec_id(exec);
}
