/* SPDX-License-Identifier: MIT
 *
 * The state of the gpu, for the files that open, replace and close its device.
 *
 * Callbacks of WebGPU hold the gpu's address and come when WebGPU likes, so that the struct lives until the
 * last of them has come: each counts as a holder, and so does the owner.
 */
#ifndef AG_GPU_DEVICE_H
#define AG_GPU_DEVICE_H

#include "gpu/adapter.h"
#include "gpu/gpu.h"

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

struct agpu_gpu {
    struct agpu_diag_sink sink;
    WGPUInstance instance;
    WGPUDevice device;
    WGPUQueue queue;
    bool owns_device; /* created here, not lent by the embedder */
    bool closing;
    bool lost;
    uint32_t holders; /* the owner and the callbacks that have not come */
    /* Of a device created here. */
    enum agpu_driver driver;
    enum agpu_limits limit_kind;
    ag_gpu_feature_set without;
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
};

/* The platform's: makes the device that the options ask for and waits for it. AGPU_MISSING is reported. */
enum agpu_status ag_gpu_open(struct agpu_gpu *gpu, const struct agpu_gpu_options *options);
/* The platform's: asks for a device like the lost one, or moves on with what was asked. Once revived,
 * opening.device belongs to the caller. */
enum ag_gpu_revival ag_gpu_reopen(struct agpu_gpu *gpu);

/* A callback with the gpu's address was asked for, or has come. The last release frees the gpu. */
void ag_gpu_hold(struct agpu_gpu *gpu);
void ag_gpu_release(struct agpu_gpu *gpu);

#endif
