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

WGPUSampler agpu_sampler_point(struct agpu_exec *exec, struct agpu_sampler *sampler, uint64_t *id)
{
    if (!sampler->point) {
        struct agpu_sampler_desc desc = sampler->desc;
        WGPUSamplerDescriptor descriptor;
        const char *missing;
        desc.filter &= ~(uint32_t)(AGPU_FILTER_MIP_LINEAR | AGPU_FILTER_MAG_LINEAR | AGPU_FILTER_MIN_LINEAR |
                                   AGPU_FILTER_ANISOTROPIC);
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
