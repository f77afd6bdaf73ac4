/* SPDX-License-Identifier: MIT
 *
 * What the WebGPU library keeps of its compiler and the driver's, in the persistent cache. The library asks
 * on threads of its own, as long as its device lives, which may be longer than the gpu.
 */
#ifndef AG_GPU_BLOB_CACHE_H
#define AG_GPU_BLOB_CACHE_H

#include "aerogpu/cache.h"
#include "gpu/webgpu.h"

struct ag_blob_cache;

/* Null when memory is exhausted (not reported). */
struct ag_blob_cache *ag_blob_cache_create(struct agpu_cache *cache);

/* What is chained to the descriptor of the device. */
WGPUDawnCacheDeviceDescriptor ag_blob_cache_descriptor(struct ag_blob_cache *blobs);

/* The platform's: from now on there is nothing in the cache, and nothing is kept. Accepts null. */
void ag_blob_cache_cut(struct ag_blob_cache *blobs);
/* The platform's: the device is gone. Accepts null. */
void ag_blob_cache_destroy(struct ag_blob_cache *blobs);

#endif
