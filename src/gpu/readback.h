/* SPDX-License-Identifier: MIT
 *
 * Copies of GPU memory to the host without waiting: take a buffer from the pool, record copies into the
 * buffer, begin after the submit, and poll until the bytes have arrived.
 */
#ifndef AG_GPU_READBACK_H
#define AG_GPU_READBACK_H

#include "gpu/gpu.h"

struct ag_readback_pool;
struct ag_readback;

/* Keeps up to `idle_limit_bytes` of unused buffers. `gpu` is borrowed. Null when out of memory. */
struct ag_readback_pool *ag_readback_pool_create(struct agpu_gpu *gpu, uint64_t idle_limit_bytes);
/* Sets how many bytes in use make the pool full; 256 MiB before. */
void ag_readback_pool_bound(struct ag_readback_pool *pool, uint64_t most_bytes);
/* Whether the readbacks that were taken and not released are so many, or so large, that the caller should
 * release some before the next is taken: 1,024, or the bytes of the bound. Drivers map memory for each
 * readback. */
bool ag_readback_pool_is_full(const struct ag_readback_pool *pool);
/* Whether as much is held by readbacks that were released before the GPU had filled them, so that the caller
 * should wait for the GPU. */
bool ag_readback_pool_lingers(const struct ag_readback_pool *pool);
/* Accepts null. All readbacks must have been released. */
void ag_readback_pool_destroy(struct ag_readback_pool *pool);

/* Takes a readback of at least `size` bytes; null when memory runs out or `size` exceeds the device's
 * limit. */
struct ag_readback *ag_readback_take(struct ag_readback_pool *pool, uint64_t size);
/* The destination of copies: usage MapRead | CopyDst, data from offset 0 on. */
WGPUBuffer ag_readback_buffer(const struct ag_readback *readback);

/* Starts waiting for the work submitted so far. May be called once for each readback. */
void ag_readback_begin(struct ag_readback *readback);

enum ag_readback_state {
    AG_READBACK_RECORDING, /* ag_readback_begin() was not called */
    AG_READBACK_PENDING,
    AG_READBACK_READY,
    AG_READBACK_FAILED, /* the device was lost or had no memory */
};

/* The state as of the last ag_gpu_poll(). */
enum ag_readback_state ag_readback_state(const struct ag_readback *readback);
/* The bytes if the state is READY, otherwise null; valid until release. */
const uint8_t *ag_readback_data(const struct ag_readback *readback);

/* Gives the buffer back, in any state. Accepts null. */
void ag_readback_release(struct ag_readback_pool *pool, struct ag_readback *readback);

#endif
