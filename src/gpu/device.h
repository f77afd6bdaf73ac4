/* SPDX-License-Identifier: MIT
 *
 * The state of the gpu, for the files that open, replace and close its device. Callbacks of WebGPU come when
 * WebGPU likes and reach the gpu through the link of their device (gpu/request.h).
 */
#ifndef AG_GPU_DEVICE_H
#define AG_GPU_DEVICE_H

#include "gpu/abandon.h"
#include "gpu/adapter.h"
#include "gpu/gpu.h"
#include "gpu/request.h"

/* A device that is being asked for. */
enum ag_opening_stage {
    AG_OPENING_NONE,
    AG_OPENING_ADAPTER,
    AG_OPENING_DEVICE,
};

struct ag_opening {
    enum ag_opening_stage stage;
    struct ag_adapter_search search;
    bool answered;
    WGPUDevice device;
};

struct ag_worker;

#define AG_MOST_WAITING_SCOPES 4

struct agpu_gpu {
    struct agpu_diag_sink sink;
    WGPUInstance instance;
    WGPUDevice device;
    WGPUQueue queue;
    bool owns_device; /* created here, not lent by the embedder */
    bool closing;
    bool lost;
    bool abandoned; /* lost, because the GPU works for the device without end */
    struct ag_device_link *link;
    struct ag_abandonments *abandonments;
    /* Of a device created here. */
    enum agpu_driver driver;
    enum agpu_limits limit_kind;
    ag_gpu_feature_set without;
    struct agpu_cache *cache; /* or null */
    struct ag_opening opening;
    /* What the embedder gave in place of a device that was lost. */
    WGPUInstance next_instance;
    WGPUDevice next_device;
    bool loss_is_final_reported; /* since the last device came */
    WGPULimits limits;
    ag_gpu_feature_set features;
    struct ag_adapter_record record;
    uint64_t signalled_serial;
    uint64_t completed_serial;
    /* How long the oldest signal has been waited for, as of the last poll. */
    uint64_t awaited_serial, stalled_ns, polled_ns;
    uint64_t asked_ns; /* when the library was asked last */
    uint64_t patience_ns;
    /* Pipelines that are being made (gpu/compilation.h), and the time for modules and pipelines. */
    struct ag_compilation *pending_compilations; /* a list */
    uint32_t pending_compilation_count;          /* those that are released included */
    uint64_t last_compilation, compile_ns;
    struct ag_worker *worker; /* or null; of the present device */
    /* The innermost error scopes that are not open, the outer ones first. */
    WGPUErrorFilter waiting_scopes[AG_MOST_WAITING_SCOPES];
    uint32_t waiting_scope_count;
};

/* The platform's: makes the device that the options ask for and waits for it. AGPU_MISSING is reported. */
enum agpu_status ag_gpu_open(struct agpu_gpu *gpu, const struct agpu_gpu_options *options);
/* The platform's: asks for a device like the lost one, or moves on with what was asked. Once revived,
 * opening.device belongs to the caller. */
enum ag_gpu_revival ag_gpu_reopen(struct agpu_gpu *gpu);

/* The platform's: waits until a device that was made here has answered everything. False when that takes
 * longer than the patience. */
bool ag_gpu_settle(struct agpu_gpu *gpu);
/* The platform's: waits for an answer, for at most so long; a page does not wait. */
void ag_gpu_wait_for(struct agpu_gpu *gpu, WGPUFuture future, uint64_t timeout_ns);

/* Whether a pipeline is made in the call that asks for one. In a browser the call does not wait for the
 * compiler, which is in another process, and nothing can wait for a promise. */
bool ag_gpu_makes_pipelines_at_once(void);
/* The platform's: leaves an abandoned device that was made here to a thread. */
void ag_gpu_leave(struct agpu_gpu *gpu, const struct ag_abandoned_device *device);

/* Lets go of an abandoned device. There is no device, instance or link then. */
void ag_gpu_let_go(struct agpu_gpu *gpu);

#endif
