/* SPDX-License-Identifier: MIT */
#include "exec/object/sampler.h"

#include <inttypes.h>
#include <stdlib.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/objects.h"
#include "exec/object/observer.h"
#include "exec/state/state.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

struct ag_sampler *ag_sampler_create(struct ag_objects *objects, uint32_t handle,
                                     const struct ag_sampler_desc *desc)
{
    struct ag_label label;
    WGPUSamplerDescriptor descriptor;
    const char *missing;
    struct ag_sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return NULL;
    sampler->handle = handle;
    sampler->desc = *desc;
    sampler->id = ag_host_id(objects->host);
    if (!ag_sampler_to_webgpu(desc, &descriptor, &missing)) {
        ag_host_report(objects->host, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR,
                       "a sampler with %s is not supported", missing);
        return sampler;
    }
    descriptor.label = ag_webgpu_string(ag_label_format(&label, "sampler %" PRIu32, handle));
    sampler->gpu = wgpuDeviceCreateSampler(objects->host->device, &descriptor);
    return sampler;
}

enum agpu_status ag_sampler_define(struct ag_objects *objects, uint32_t handle,
                                   const struct ag_sampler_desc *desc)
{
    struct ag_sampler *sampler = ag_sampler_create(objects, handle, desc);
    struct ag_sampler *old = ag_map_get(&objects->samplers, handle);
    if (!sampler)
        return ag_host_no_memory(objects->host);
    if (old) { /* contexts that have the sampler bound keep their pointer */
        struct ag_sampler swapped = *old;
        *old = *sampler;
        *sampler = swapped;
        ag_sampler_destroy(objects, sampler);
        return AGPU_OK;
    }
    if (!ag_map_put(&objects->samplers, handle, sampler)) {
        ag_sampler_destroy(objects, sampler);
        return ag_host_no_memory(objects->host);
    }
    return AGPU_OK;
}

WGPUSampler ag_sampler_point(struct ag_objects *objects, struct ag_sampler *sampler, uint64_t *id)
{
    if (!sampler->point) {
        struct ag_sampler_desc desc = sampler->desc;
        WGPUSamplerDescriptor descriptor;
        struct ag_label label;
        const char *missing;
        desc.filter &= ~(uint32_t)(AEROGPU_EXT_FILTER_MIP_LINEAR | AEROGPU_EXT_FILTER_MAG_LINEAR |
                                   AEROGPU_EXT_FILTER_MIN_LINEAR | AEROGPU_EXT_FILTER_ANISOTROPIC);
        ag_sampler_to_webgpu(&desc, &descriptor, &missing);
        descriptor.label =
            ag_webgpu_string(ag_label_format(&label, "sampler %" PRIu32 " without filter", sampler->handle));
        sampler->point = wgpuDeviceCreateSampler(objects->host->device, &descriptor);
        sampler->point_id = ag_host_id(objects->host);
    }
    *id = sampler->point_id;
    return sampler->point;
}

void ag_sampler_destroy(struct ag_objects *objects, struct ag_sampler *sampler)
{
    if (!sampler)
        return;
    ag_objects_gpu_object_dies(objects, sampler->id);
    if (sampler->gpu)
        wgpuSamplerRelease(sampler->gpu);
    if (sampler->point) {
        ag_objects_gpu_object_dies(objects, sampler->point_id);
        wgpuSamplerRelease(sampler->point);
    }
    free(sampler);
}
