/* SPDX-License-Identifier: MIT
 *
 * The frame ring's chunks.
 */
#include "gpu/frame_ring.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/vec.h"
#include "gpu/request.h"

#define DEFAULT_CHUNK_BYTES (UINT64_C(1) << 20)
#define DEFAULT_LIMIT_BYTES (UINT64_C(64) << 20)
#define DEFAULT_ALIGNMENT 256

enum chunk_state {
    CHUNK_OPEN,      /* slices are cut from it */
    CHUNK_CLOSED,    /* full, or flushed and no longer writable; used by work that is not submitted yet */
    CHUNK_IN_FLIGHT, /* used by submitted work */
    CHUNK_MAPPING,   /* mapped chunks: used by submitted work, and writable when that work is done */
    CHUNK_FREE,
    CHUNK_LOST, /* mapping the chunk again failed */
};

/* A buffer. It exists until the ring has dropped it and no callback is pending. */
struct chunk {
    enum chunk_state state;
    bool dropped;
    struct ag_frame_window window;
    uint64_t flushed; /* bytes of `window.used` that have been handed to the GPU */
    uint64_t serial;  /* the signal that follows its last use */
    bool pending;     /* flushed for work that is not submitted yet */
};

struct ag_frame_ring {
    struct agpu_gpu *gpu;
    WGPUBufferUsage usage;
    uint64_t chunk_bytes;
    uint64_t limit_bytes;
    uint32_t alignment;
    const char *label;
    bool mapped;
    uint64_t total_bytes;
    struct chunk *open;             /* null, or an element of `chunks` */
    struct ag_frame_window *window; /* of the open chunk, or null */
    AG_VEC(struct chunk *) chunks;
};

struct ag_frame_ring *ag_frame_ring_create(struct agpu_gpu *gpu, const struct ag_frame_ring_options *options)
{
    struct ag_frame_ring *const ring = calloc(1, sizeof *ring);
    if (ring == NULL)
        return NULL;
    ring->gpu = gpu;
    ring->mapped = (options->usage & WGPUBufferUsage_MapWrite) != 0;
    ring->usage = ring->mapped ? options->usage : options->usage | WGPUBufferUsage_CopyDst;
    ring->chunk_bytes = options->chunk_bytes != 0 ? options->chunk_bytes : DEFAULT_CHUNK_BYTES;
    ring->limit_bytes = options->limit_bytes != 0 ? options->limit_bytes : DEFAULT_LIMIT_BYTES;
    if (ring->limit_bytes > INT64_MAX)
        ring->limit_bytes = INT64_MAX;
    ring->alignment = options->alignment != 0 ? options->alignment : DEFAULT_ALIGNMENT;
    ring->label = options->label;
    return ring;
}

static void free_chunk(struct ag_frame_ring *ring, struct chunk *chunk)
{
    wgpuBufferRelease(chunk->window.buffer);
    if (!ring->mapped)
        free(chunk->window.data);
    free(chunk);
}

/* If a map callback is pending, the callback frees the chunk. */
static void drop_chunk(struct ag_frame_ring *ring, struct chunk *chunk)
{
    ring->total_bytes -= chunk->window.size;
    if (chunk->state != CHUNK_MAPPING) {
        free_chunk(ring, chunk);
        return;
    }
    chunk->dropped = true;
    wgpuBufferRelease(chunk->window.buffer);
}

void ag_frame_ring_destroy(struct ag_frame_ring *ring)
{
    if (ring == NULL)
        return;
    for (size_t i = 0; i < ring->chunks.count; i++)
        drop_chunk(ring, ring->chunks.data[i]);
    ag_vec_fini(&ring->chunks);
    free(ring);
}

static uint8_t *chunk_memory(const struct ag_frame_ring *ring, WGPUBuffer buffer, uint64_t size)
{
    /* Zeroed, because gaps between slices are copied to the GPU and must not contain other data of the
     * host. */
    if (!ring->mapped)
        return calloc(1, (size_t)size);
    return wgpuBufferGetMappedRange(buffer, 0, (size_t)size);
}

static struct chunk *create_chunk(struct ag_frame_ring *ring, uint64_t size)
{
    if (size > ring->limit_bytes || ring->total_bytes > ring->limit_bytes - size)
        return NULL;
    if (size > ag_gpu_limits(ring->gpu)->maxBufferSize || size > SIZE_MAX)
        return NULL;
    struct chunk *const chunk = calloc(1, sizeof *chunk);
    if (chunk == NULL || !ag_vec_reserve(&ring->chunks, ring->chunks.count + 1)) {
        free(chunk);
        return NULL;
    }
    const WGPUBufferDescriptor descriptor = {
        .label = ag_webgpu_string(ring->label),
        .usage = ring->usage,
        .size = size,
        .mappedAtCreation = ring->mapped,
    };
    chunk->window.buffer = wgpuDeviceCreateBuffer(ag_gpu_maker(ring->gpu), &descriptor);
    chunk->window.data = chunk->window.buffer != NULL ? chunk_memory(ring, chunk->window.buffer, size) : NULL;
    if (chunk->window.data == NULL) {
        if (chunk->window.buffer != NULL)
            wgpuBufferRelease(chunk->window.buffer);
        free(chunk);
        return NULL;
    }
    chunk->window.size = size;
    chunk->state = CHUNK_FREE;
    ring->total_bytes += size;
    ring->chunks.data[ring->chunks.count++] = chunk;
    return chunk;
}

static void settle(struct chunk *chunk, bool is_mapped)
{
    if (chunk->dropped) {
        free(chunk);
        return;
    }
    chunk->window.data = NULL;
    if (is_mapped)
        chunk->window.data = wgpuBufferGetMappedRange(chunk->window.buffer, 0, (size_t)chunk->window.size);
    chunk->state = chunk->window.data != NULL ? CHUNK_FREE : CHUNK_LOST;
}

static void give_up(void *user)
{
    settle(user, false);
}

static void on_mapped(WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2)
{
    (void)message;
    (void)userdata2;
    struct chunk *const chunk = ag_gpu_request_end(userdata1);
    if (chunk != NULL)
        settle(chunk, status == WGPUMapAsyncStatus_Success);
}

static void start_mapping(const struct ag_frame_ring *ring, struct chunk *chunk)
{
    struct ag_gpu_request *const request = ag_gpu_request_begin(ag_gpu_link(ring->gpu), give_up, chunk);
    if (request == NULL) {
        chunk->state = CHUNK_LOST;
        return;
    }
    const WGPUBufferMapCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_mapped,
        .userdata1 = request,
    };
    chunk->state = CHUNK_MAPPING;
    wgpuBufferMapAsync(chunk->window.buffer, WGPUMapMode_Write, 0, (size_t)chunk->window.size, callback);
}

/* Drops chunks that cannot be used again: those that failed to map, and free chunks made for one large
 * slice. */
static void collect(struct ag_frame_ring *ring)
{
    const uint64_t completed = ag_gpu_completed_serial(ring->gpu);
    size_t kept = 0;
    for (size_t i = 0; i < ring->chunks.count; i++) {
        struct chunk *const chunk = ring->chunks.data[i];
        if (chunk->state == CHUNK_IN_FLIGHT && chunk->serial <= completed)
            chunk->state = CHUNK_FREE;
        const bool is_single = chunk->state == CHUNK_FREE && chunk->window.size != ring->chunk_bytes;
        if (chunk->state == CHUNK_LOST || is_single)
            drop_chunk(ring, chunk);
        else
            ring->chunks.data[kept++] = chunk;
    }
    ring->chunks.count = kept;
}

static struct chunk *take_chunk(struct ag_frame_ring *ring, uint64_t bytes)
{
    collect(ring);
    if (bytes > ring->chunk_bytes)
        return create_chunk(ring, bytes);
    for (size_t i = 0; i < ring->chunks.count; i++) {
        if (ring->chunks.data[i]->state == CHUNK_FREE)
            return ring->chunks.data[i];
    }
    return create_chunk(ring, ring->chunk_bytes);
}

static void close_chunk(struct chunk *chunk)
{
    const bool all_submitted = !chunk->pending && chunk->flushed == chunk->window.used;
    chunk->state = all_submitted ? CHUNK_IN_FLIGHT : CHUNK_CLOSED;
}

/* null: none is open */
static void open_chunk(struct ag_frame_ring *ring, struct chunk *chunk)
{
    ring->open = chunk;
    ring->window = chunk != NULL ? &chunk->window : NULL;
}

static struct chunk *chunk_with_room(struct ag_frame_ring *ring, uint64_t bytes)
{
    struct chunk *chunk = ring->open;
    if (chunk != NULL &&
        ag_range_fits(ag_align_up(chunk->window.used, ring->alignment), bytes, chunk->window.size))
        return chunk;
    chunk = take_chunk(ring, bytes);
    if (chunk == NULL)
        return NULL;
    chunk->window.used = 0;
    chunk->flushed = 0;
    chunk->state = CHUNK_OPEN;
    if (ring->open != NULL && chunk->window.size == ring->chunk_bytes)
        close_chunk(ring->open);
    if (chunk->window.size == ring->chunk_bytes)
        open_chunk(ring, chunk);
    return chunk;
}

struct ag_frame_window *const *ag_frame_ring_window(const struct ag_frame_ring *ring)
{
    return &ring->window;
}

bool ag_frame_ring_alloc(struct ag_frame_ring *ring, uint64_t bytes, struct ag_frame_slice *slice)
{
    if (bytes > ring->limit_bytes)
        return false;
    const uint64_t size = ag_align_up(bytes > 0 ? bytes : 4, 4);
    struct chunk *const chunk = chunk_with_room(ring, size);
    if (chunk == NULL || !ag_frame_window_cut(&chunk->window, size, ring->alignment, slice))
        return false;
    if (chunk != ring->open)
        chunk->state = CHUNK_CLOSED;
    return true;
}

static void flush_chunk(struct ag_frame_ring *ring, struct chunk *chunk)
{
    if (ring->mapped) {
        wgpuBufferUnmap(chunk->window.buffer);
        chunk->window.data = NULL;
        chunk->state = CHUNK_CLOSED;
        if (ring->open == chunk)
            open_chunk(ring, NULL);
    } else {
        wgpuQueueWriteBuffer(ag_gpu_writer(ring->gpu), chunk->window.buffer, chunk->flushed,
                             chunk->window.data + chunk->flushed,
                             (size_t)(chunk->window.used - chunk->flushed));
    }
    chunk->flushed = chunk->window.used;
    chunk->pending = true;
}

void ag_frame_ring_flush(struct ag_frame_ring *ring)
{
    for (size_t i = 0; i < ring->chunks.count; i++) {
        struct chunk *const chunk = ring->chunks.data[i];
        const bool in_use = chunk->state == CHUNK_OPEN || chunk->state == CHUNK_CLOSED;
        if (in_use && chunk->flushed < chunk->window.used)
            flush_chunk(ring, chunk);
    }
}

void ag_frame_ring_submitted(struct ag_frame_ring *ring, uint64_t serial)
{
    for (size_t i = 0; i < ring->chunks.count; i++) {
        struct chunk *const chunk = ring->chunks.data[i];
        if (!chunk->pending)
            continue;
        chunk->pending = false;
        chunk->serial = serial;
        if (ring->mapped)
            start_mapping(ring, chunk);
        else if (chunk->state == CHUNK_CLOSED)
            close_chunk(chunk);
    }
}

uint64_t ag_frame_ring_bytes(const struct ag_frame_ring *ring)
{
    return ring->total_bytes;
}

uint32_t ag_frame_ring_chunk_count(const struct ag_frame_ring *ring)
{
    return (uint32_t)ring->chunks.count;
}
