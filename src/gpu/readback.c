/* SPDX-License-Identifier: MIT
 *
 * The pool of readback buffers.
 */
#include "gpu/readback.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/vec.h"
#include "gpu/request.h"

#define SMALLEST_BUFFER 256
#define MOST_USED_BYTES (UINT64_C(256) << 20)
#define MOST_USED 1024

/* Exists until it is released and no callback is pending. */
struct ag_readback {
    struct agpu_gpu *gpu;
    enum ag_readback_state state;
    bool released;
    WGPUBuffer buffer;
    uint64_t size;
    const uint8_t *data;
    struct ag_readback_pool *pool; /* while the readback lingers: released, and not filled yet */
};

struct ag_readback_pool {
    struct agpu_gpu *gpu;
    uint64_t idle_limit_bytes;
    uint64_t idle_bytes;
    uint64_t most_bytes;
    uint64_t used_bytes; /* of the readbacks that are taken and not released */
    uint32_t used_count;
    uint64_t lingering_bytes;
    uint32_t lingering_count; /* the pool exists until there are none */
    bool destroyed;
    AG_VEC(struct ag_readback *) idle; /* oldest first */
};

struct ag_readback_pool *ag_readback_pool_create(struct agpu_gpu *gpu, uint64_t idle_limit_bytes)
{
    struct ag_readback_pool *const pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    pool->gpu = gpu;
    pool->idle_limit_bytes = idle_limit_bytes;
    pool->most_bytes = MOST_USED_BYTES;
    return pool;
}

void ag_readback_pool_bound(struct ag_readback_pool *pool, uint64_t most_bytes)
{
    pool->most_bytes = most_bytes;
}

bool ag_readback_pool_is_full(const struct ag_readback_pool *pool)
{
    return pool->used_count >= MOST_USED || pool->used_bytes >= pool->most_bytes;
}

bool ag_readback_pool_lingers(const struct ag_readback_pool *pool)
{
    return pool->lingering_count >= MOST_USED || pool->lingering_bytes >= pool->most_bytes;
}

static struct ag_readback *use(struct ag_readback_pool *pool, struct ag_readback *readback)
{
    ag_gpu_clear_new_buffer(pool->gpu, readback->buffer, readback->size);
    pool->used_count++;
    pool->used_bytes += readback->size;
    return readback;
}

static void free_readback(struct ag_readback *readback)
{
    wgpuBufferRelease(readback->buffer);
    free(readback);
}

void ag_readback_pool_destroy(struct ag_readback_pool *pool)
{
    if (pool == NULL)
        return;
    for (size_t i = 0; i < pool->idle.count; i++)
        free_readback(pool->idle.data[i]);
    ag_vec_fini(&pool->idle);
    pool->destroyed = true;
    if (pool->lingering_count == 0)
        free(pool);
}

/* Rounds up to a power of two, and above 1 MiB to whole mebibytes, so that a buffer fits many requests. */
static uint64_t buffer_size(uint64_t size)
{
    const uint64_t mebibyte = UINT64_C(1) << 20;
    if (size > mebibyte)
        return ag_align_up(size, mebibyte);
    uint64_t rounded = SMALLEST_BUFFER;
    while (rounded < size)
        rounded *= 2;
    return rounded;
}

static struct ag_readback *take_idle(struct ag_readback_pool *pool, uint64_t size)
{
    for (size_t i = pool->idle.count; i-- > 0;) {
        struct ag_readback *const readback = pool->idle.data[i];
        if (readback->size != size)
            continue;
        for (size_t j = i + 1; j < pool->idle.count; j++)
            pool->idle.data[j - 1] = pool->idle.data[j];
        pool->idle.count--;
        pool->idle_bytes -= size;
        return readback;
    }
    return NULL;
}

struct ag_readback *ag_readback_take(struct ag_readback_pool *pool, uint64_t size)
{
    const uint64_t limit = ag_gpu_limits(pool->gpu)->maxBufferSize;
    if (size > limit || size > INT64_MAX)
        return NULL;
    uint64_t rounded = buffer_size(size);
    if (rounded > limit)
        rounded = ag_align_up(size, 4);
    if (rounded > limit)
        return NULL;
    struct ag_readback *readback = take_idle(pool, rounded);
    if (readback != NULL)
        return use(pool, readback);
    readback = calloc(1, sizeof *readback);
    if (readback == NULL)
        return NULL;
    const WGPUBufferDescriptor descriptor = {
        .label = ag_webgpu_string("readback"),
        .usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst,
        .size = rounded,
    };
    readback->gpu = pool->gpu;
    readback->size = rounded;
    readback->buffer = wgpuDeviceCreateBuffer(ag_gpu_maker(pool->gpu), &descriptor);
    if (readback->buffer == NULL) {
        free(readback);
        return NULL;
    }
    return use(pool, readback);
}

WGPUBuffer ag_readback_buffer(const struct ag_readback *readback)
{
    return readback->buffer;
}

static void end_lingering(const struct ag_readback *readback)
{
    struct ag_readback_pool *const pool = readback->pool;
    pool->lingering_bytes -= readback->size;
    if (--pool->lingering_count == 0 && pool->destroyed)
        free(pool);
}

static void settle(struct ag_readback *readback, bool is_mapped)
{
    if (readback->released) {
        end_lingering(readback);
        free_readback(readback);
        return;
    }
    if (is_mapped)
        readback->data = wgpuBufferGetConstMappedRange(readback->buffer, 0, (size_t)readback->size);
    readback->state = readback->data != NULL ? AG_READBACK_READY : AG_READBACK_FAILED;
}

static void give_up(void *user)
{
    settle(user, false);
}

static void on_mapped(WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2)
{
    (void)message;
    (void)userdata2;
    struct ag_readback *const readback = ag_gpu_request_end(userdata1);
    if (readback != NULL)
        settle(readback, status == WGPUMapAsyncStatus_Success);
}

void ag_readback_begin(struct ag_readback *readback)
{
    struct ag_gpu_request *const request =
        ag_gpu_request_begin(ag_gpu_link(readback->gpu), give_up, readback);
    if (request == NULL) {
        readback->state = AG_READBACK_FAILED;
        return;
    }
    const WGPUBufferMapCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_mapped,
        .userdata1 = request,
    };
    readback->state = AG_READBACK_PENDING;
    wgpuBufferMapAsync(readback->buffer, WGPUMapMode_Read, 0, (size_t)readback->size, callback);
}

enum ag_readback_state ag_readback_state(const struct ag_readback *readback)
{
    return readback->state;
}

const uint8_t *ag_readback_data(const struct ag_readback *readback)
{
    return readback->data;
}

static void drop_oldest(struct ag_readback_pool *pool)
{
    struct ag_readback *const oldest = pool->idle.data[0];
    for (size_t i = 1; i < pool->idle.count; i++)
        pool->idle.data[i - 1] = pool->idle.data[i];
    pool->idle.count--;
    pool->idle_bytes -= oldest->size;
    free_readback(oldest);
}

void ag_readback_release(struct ag_readback_pool *pool, struct ag_readback *readback)
{
    if (readback == NULL)
        return;
    pool->used_count--;
    pool->used_bytes -= readback->size;
    if (readback->state == AG_READBACK_PENDING) {
        readback->released = true;
        readback->pool = pool;
        pool->lingering_bytes += readback->size;
        pool->lingering_count++;
        return;
    }
    const bool reusable = readback->state != AG_READBACK_FAILED && readback->size <= pool->idle_limit_bytes;
    if (!reusable || !ag_vec_reserve(&pool->idle, pool->idle.count + 1)) {
        free_readback(readback);
        return;
    }
    if (readback->state == AG_READBACK_READY)
        wgpuBufferUnmap(readback->buffer);
    readback->state = AG_READBACK_RECORDING;
    readback->data = NULL;
    while (pool->idle.count > 0 && pool->idle_bytes + readback->size > pool->idle_limit_bytes)
        drop_oldest(pool);
    pool->idle.data[pool->idle.count++] = readback;
    pool->idle_bytes += readback->size;
}
