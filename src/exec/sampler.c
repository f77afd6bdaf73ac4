/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "exec/bind.h"
#include "exec/exec.h"

struct agpu_sampler *agpu_sampler_create(struct agpu_exec *exec, const struct agpu_sampler_desc *desc)
{
    WGPUSamplerDescriptor descriptor;
    const char *missing;
    struct agpu_sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return NULL;
    sampler->desc = *desc;
    sampler->id = agpu_exec_id(exec);
    if (!agpu_sampler_to_webgpu(desc, &descriptor, &missing)) {
        agpu_exec_report(exec, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR, "a sampler with %s is not supported",
                         missing);
        return sampler;
    }
    sampler->gpu = wgpuDeviceCreateSampler(exec->device, &descriptor);
    return sampler;
}

enum agpu_status agpu_sampler_define(struct agpu_exec *exec, uint32_t handle,
                                     const struct agpu_sampler_desc *desc)
{
    struct agpu_sampler *sampler = agpu_sampler_create(exec, desc);
    struct agpu_sampler *old = agpu_map_get(&exec->samplers, handle);
    if (!sampler)
        return agpu_exec_no_memory(exec);
    if (old) { /* whoever has it bound sees the new one */
        struct agpu_sampler swapped = *old;
        *old = *sampler;
        *sampler = swapped;
        agpu_sampler_destroy(exec, sampler);
        return AGPU_OK;
    }
    if (!agpu_map_put(&exec->samplers, handle, sampler)) {
        agpu_sampler_destroy(exec, sampler);
        return agpu_exec_no_memory(exec);
    }
    return AGPU_OK;
}

WGPUSampler agpu_sampler_point(struct agpu_exec *exec, struct agpu_sampler *sampler, uint64_t *id)
{
    if (!sampler->point) {
        struct agpu_sampler_desc desc = sampler->desc;
        WGPUSamplerDescriptor descriptor;
        const char *missing;
        desc.filter &= ~(uint32_t)(AEROGPU_EXT_FILTER_MIP_LINEAR | AEROGPU_EXT_FILTER_MAG_LINEAR | AEROGPU_EXT_FILTER_MIN_LINEAR |
                                   AEROGPU_EXT_FILTER_ANISOTROPIC);
        agpu_sampler_to_webgpu(&desc, &descriptor, &missing);
        sampler->point = wgpuDeviceCreateSampler(exec->device, &descriptor);
        sampler->point_id = agpu_exec_id(exec);
    }
    *id = sampler->point_id;
    return sampler->point;
}

void agpu_sampler_destroy(struct agpu_exec *exec, struct agpu_sampler *sampler)
{
    if (!sampler)
        return;
    agpu_bind_forget(exec, sampler->id);
    if (sampler->gpu)
        wgpuSamplerRelease(sampler->gpu);
    if (sampler->point) {
        agpu_bind_forget(exec, sampler->point_id);
        wgpuSamplerRelease(sampler->point);
    }
    free(sampler);
}
