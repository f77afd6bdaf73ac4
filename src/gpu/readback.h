/* SPDX-License-Identifier: MIT
 *
 * Bytes coming back from the GPU without waiting: take a buffer from the pool, record copies into it, begin
 * after the submit, ask now and then whether the bytes are there.
 */
#ifndef AGPU_GPU_READBACK_H
#define AGPU_GPU_READBACK_H

#include "gpu/gpu.h"

struct agpu_readback_pool;
struct agpu_readback;

/* Keeps up to `idle_limit_bytes` of unused buffers. `gpu` is borrowed. Null when out of memory. */
struct agpu_readback_pool *agpu_readback_pool_create(struct agpu_gpu *gpu, uint64_t idle_limit_bytes);
/* Accepts null. All readbacks must have been released. */
void agpu_readback_pool_destroy(struct agpu_readback_pool *pool);

/* A readback of at least `size` bytes; null when out of memory or when `size` exceeds the device's limit. */
struct agpu_readback *agpu_readback_take(struct agpu_readback_pool *pool, uint64_t size);
/* The destination of copies: MapRead | CopyDst, the content starts at offset 0. */
WGPUBuffer agpu_readback_buffer(const struct agpu_readback *readback);

/* Starts waiting for the work submitted so far. Once per readback. */
void agpu_readback_begin(struct agpu_readback *readback);

enum agpu_readback_state {
    AGPU_READBACK_RECORDING, /* not begun */
    AGPU_READBACK_PENDING,
    AGPU_READBACK_READY,
    AGPU_READBACK_FAILED, /* the device was lost or had no memory */
};

/* The state as of the last agpu_gpu_poll(). */
enum agpu_readback_state agpu_readback_state(const struct agpu_readback *readback);
/* The bytes when READY, else null; valid until release. */
const uint8_t *agpu_readback_data(const struct agpu_readback *readback);

/* Gives the buffer back, in any state. Accepts null. */
void agpu_readback_release(struct agpu_readback_pool *pool, struct agpu_readback *readback);

#endif
