/* SPDX-License-Identifier: MIT */
#include "exec/object/sampler.h"

#include <inttypes.h>
#include <stdlib.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/report.h"
#include "exec/object/creation.h"
#include "exec/object/objects.h"
#include "exec/object/observer.h"
#include "exec/state/state.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

/* Null when memory is exhausted (not reported). A sampler that WebGPU cannot express is reported and made
 * without `gpu`. */
static struct ag_sampler *create(struct ag_objects *objects, uint32_t handle,
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
    const enum agpu_status status = ag_host_memory_charge(objects->host, AG_HOST_OBJECT_BYTES);
    if (status != AGPU_OK)
        return status;
    struct ag_sampler *sampler = create(objects, handle, desc);
    struct ag_sampler *old = ag_map_get(&objects->samplers, handle);
    if (!sampler) {
        ag_host_memory_give(objects->host, objects->host->accounts.current, AG_HOST_OBJECT_BYTES);
        return ag_host_no_memory(objects->host);
    }
    sampler->account = objects->host->accounts.current;
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

WGPUSampler ag_sampler_plain(struct ag_objects *objects, struct ag_sampler *sampler, bool point, uint64_t *id)
{
    struct ag_sampler_variant *variant = point ? &sampler->point : &sampler->plain;
    if (!point && !ag_sampler_compares(&sampler->desc)) {
        *id = sampler->id;
        return sampler->gpu;
    }
    if (!variant->gpu) {
        struct ag_sampler_desc desc = sampler->desc;
        WGPUSamplerDescriptor descriptor;
        struct ag_label label;
        const char *missing;
        desc.filter &= ~(uint32_t)AEROGPU_EXT_FILTER_COMPARISON;
        if (point)
            desc.filter &= ~(uint32_t)(AEROGPU_EXT_FILTER_MIP_LINEAR | AEROGPU_EXT_FILTER_MAG_LINEAR |
                                       AEROGPU_EXT_FILTER_MIN_LINEAR | AEROGPU_EXT_FILTER_ANISOTROPIC);
        ag_sampler_to_webgpu(&desc, &descriptor, &missing);
        descriptor.label = ag_webgpu_string(ag_label_format(
            &label, "sampler %" PRIu32 " without %s", sampler->handle, point ? "filter" : "comparison"));
        variant->gpu = wgpuDeviceCreateSampler(objects->host->device, &descriptor);
        variant->id = ag_host_id(objects->host);
    }
    *id = variant->id;
    return variant->gpu;
}

static void end_variant(struct ag_objects *objects, struct ag_sampler_variant *variant)
{
    if (!variant->gpu)
        return;
    ag_objects_gpu_object_dies(objects, variant->id);
    wgpuSamplerRelease(variant->gpu);
}

void ag_sampler_destroy(struct ag_objects *objects, struct ag_sampler *sampler)
{
    if (!sampler)
        return;
    ag_creation_drop(objects->host, &sampler->creation);
    ag_objects_gpu_object_dies(objects, sampler->id);
    if (sampler->gpu)
        wgpuSamplerRelease(sampler->gpu);
    end_variant(objects, &sampler->plain);
    end_variant(objects, &sampler->point);
    ag_host_memory_give(objects->host, sampler->account, AG_HOST_OBJECT_BYTES);
    free(sampler);
}
