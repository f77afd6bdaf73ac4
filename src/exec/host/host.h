/* SPDX-License-Identifier: MIT
 *
 * The host: the WebGPU device that everything runs on, guest memory, diagnostics and statistics. This is the
 * lowest room. The executor owns the only struct ag_host, and every room above points at that struct.
 */
#ifndef AG_EXEC_HOST_HOST_H
#define AG_EXEC_HOST_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/executor.h"
#include "base/map.h"
#include "exec/host/account.h"
#include "exec/host/effort.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host_memory.h"
#include "exec/host/report.h"
#include "exec/host/spent_memory.h"
#include "gpu/feature.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

struct ag_host_format;
struct ag_readback_pool;
struct agpu_gpu;

struct ag_host {
    /* The GPU and its WebGPU device. The embedder owns `gpu`. */
    struct agpu_gpu *gpu;
    WGPUDevice device;
    WGPUQueue queue;
    WGPULimits limits;
    struct ag_readback_pool *readbacks;
    /* Features that the device may have and the embedder forbids. */
    ag_gpu_feature_set without;
    /* The device was lost: every submission fails until a reset brings another device. */
    bool lost;
    /* A snapshot is being loaded: guest memory behind resources is looked for when it is needed. */
    bool loading;
    /* The GPU ran out of memory, so that some WebGPU objects may be invalid. */
    bool starved;
    /* Views of textures or pipelines were released since commands were submitted last: the library deletes
     * them when work is done, and some drivers then wait for all work (ag_exec.works_in_turns). */
    bool released_objects;
    /* Some of them are deleted only by the poll after that which finds the submitted commands done. */
    bool deletes_objects;
    /* Somebody looks at the windows of the guest. */
    bool is_looked_at;
    /* Takes presented textures, if anybody does (struct agpu_executor_events). */
    bool (*shown)(void *user, const struct agpu_shown *shown);
    void *shown_user;

    /* Diagnostics, statistics, and the last id given to a WebGPU object. Ids are never reused, so that no
     * cache takes a new object for a released one. */
    struct ag_reporter reports;
    struct agpu_counters counts;
    uint64_t next_id;

    /* The set of refused handles (refused_handle.h). */
    struct ag_map refused_handles;

    struct ag_accounts accounts;
    struct ag_gpu_memory gpu_memory;
    struct ag_budget host_memory;
    struct ag_effort effort;
    struct ag_spent_memory spent;

    /* Guest memory: the embedder's callbacks, and the allocation table of the submission being executed,
     * which is null between two submissions. */
    struct agpu_guest_memory memory;
    struct ag_guest_allocations *allocations;
    /* Where write-backs go instead, if anywhere. */
    struct ag_guest_post guest_post;
};

/* A new id for a WebGPU object, from 1. */
static inline uint64_t ag_host_id(struct ag_host *host)
{
    return ++host->next_id;
}

/* Whether the device has the feature and the embedder allows its use. */
static inline bool ag_host_has(const struct ag_host *host, enum ag_gpu_feature feature)
{
    return ag_gpu_has(host->gpu, feature) && !(host->without >> feature & 1);
}

/* WebGPU's texture of a format. Depth with stencil is floats where the device has those, as guests' words of
 * 24 bits are then exact on every driver, else depth24plus-stencil8. */
WGPUTextureFormat ag_host_texture_format(const struct ag_host *host, const struct ag_host_format *format);

/* Whether textures of the format can be rendered to on this device. */
bool ag_host_renders(const struct ag_host *host, const struct ag_host_format *format);

/* The format that targets of a colour format have on this device: the format itself, or halves in place of
 * packed floats that are not rendered to. */
uint32_t ag_host_rendered(const struct ag_host *host, uint32_t dxgi);

/* Creates a WebGPU buffer of `size` bytes, rounded up to a multiple of 4. The caller releases the buffer. */
WGPUBuffer ag_host_create_buffer(struct ag_host *host, uint64_t size, WGPUBufferUsage usage,
                                 const char *label);

/* Releases a view that commands of before may use. */
void ag_host_release_view(struct ag_host *host, WGPUTextureView view);

#endif
