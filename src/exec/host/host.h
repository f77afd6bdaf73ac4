/* SPDX-License-Identifier: MIT
 *
 * The ground room: the WebGPU device that everything runs on, guest memory, diagnostics and counters. Every
 * room above has a pointer to it.
 */
#ifndef AG_EXEC_HOST_HOST_H
#define AG_EXEC_HOST_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/executor.h"
#include "base/map.h"
#include "exec/host/report.h"
#include "gpu/feature.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

struct ag_guest_allocations;
struct ag_readback_pool;
struct agpu_gpu;

struct ag_host {
    struct agpu_gpu *gpu; /* borrowed */
    WGPUDevice device;
    WGPUQueue queue;
    WGPULimits limits;
    struct ag_readback_pool *readbacks;
    ag_gpu_feature_set without; /* features that the embedder forbids */
    bool lost;    /* the loss was noticed; everything fails until a reset brings another device */
    bool starved; /* an allocation failed on the GPU, so that objects may not exist */

    struct ag_reporter reports;
    struct ag_map refused_handles; /* refused_handle.h */
    struct agpu_counters counts;
    uint64_t next_id; /* of WebGPU objects; never reused, so caches cannot mistake one for another */

    struct agpu_guest_memory memory;                /* the embedder's callbacks */
    const struct ag_guest_allocations *allocations; /* of the submission being executed; null between two */
};

static inline uint64_t ag_host_id(struct ag_host *host)
{
    return ++host->next_id;
}

/* Whether the device has the feature and the embedder lets it be used. */
static inline bool ag_host_has(const struct ag_host *host, enum ag_gpu_feature feature)
{
    return ag_gpu_has(host->gpu, feature) && !(host->without >> feature & 1);
}

/* A new WebGPU buffer of at least `size` bytes, a multiple of 4. */
WGPUBuffer ag_host_create_buffer(struct ag_host *host, uint64_t size, WGPUBufferUsage usage,
                                 const char *label);

#endif
