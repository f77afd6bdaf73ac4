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

void agpu_sampler_destroy(struct agpu_exec *exec, struct agpu_sampler *sampler)
{
    if (!sampler)
        return;
    agpu_bind_forget(exec, sampler->id);
    if (sampler->gpu)
        wgpuSamplerRelease(sampler->gpu);
    free(sampler);
}
