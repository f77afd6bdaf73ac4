/* SPDX-License-Identifier: MIT
 *
 * In a browser adapters and devices come by promises, which only the page can wait for: it lends its device.
 */
#include "base/diag.h"
#include "gpu/blob_cache.h"
#include "gpu/device.h"

enum agpu_status ag_gpu_open(struct agpu_gpu *gpu, const struct agpu_gpu_options *options)
{
    (void)options;
    ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
              "a page asks for its device itself and lends it");
    return AGPU_MISSING;
}

enum ag_gpu_revival ag_gpu_reopen(struct agpu_gpu *gpu)
{
    ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
              "a page replaces a lost device itself");
    return AG_GPU_GONE;
}

/* Nothing of a page's device is waited for, and none is made here. */
bool ag_gpu_settle(struct agpu_gpu *gpu)
{
    return ag_gpu_has_answered(gpu);
}

void ag_gpu_leave(struct agpu_gpu *gpu, const struct ag_abandoned_device *device)
{
    (void)gpu;
    (void)device;
}

void ag_gpu_wait_for(struct agpu_gpu *gpu, WGPUFuture future, uint64_t timeout_ns)
{
    (void)gpu;
    (void)future;
    (void)timeout_ns;
}

/* A page's device keeps what the browser keeps. */
void ag_blob_cache_cut(struct ag_blob_cache *blobs)
{
    (void)blobs;
}

void ag_blob_cache_destroy(struct ag_blob_cache *blobs)
{
    (void)blobs;
}

bool ag_gpu_makes_pipelines_at_once(void)
{
    return true;
}
