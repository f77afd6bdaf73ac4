/* SPDX-License-Identifier: MIT */
#include "exec/record/dummy.h"

#include "abi/packet_effect.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/record/recorder.h"
#include "exec/state/state.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

WGPUBuffer ag_dummy_zeros(struct ag_recorder *recorder, uint64_t *id)
{
    struct ag_dummies *dummies = &recorder->dummies;
    if (!dummies->zeros) {
        dummies->zeros =
            ag_host_create_buffer(recorder->host, AG_ZERO_BYTES,
                                  WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex |
                                      WGPUBufferUsage_Index | WGPUBufferUsage_CopySrc,
                                  "zeros");
        dummies->zeros_id = ag_host_id(recorder->host);
    }
    *id = dummies->zeros_id;
    return dummies->zeros;
}

WGPUBuffer ag_dummy_sink(struct ag_recorder *recorder, uint32_t index, uint64_t *id)
{
    struct ag_dummies *dummies = &recorder->dummies;
    if (!dummies->sinks[index].gpu) {
        dummies->sinks[index].gpu = ag_host_create_buffer(recorder->host, AG_DUMMY_SINK_BYTES,
                                                          WGPUBufferUsage_Storage, "sink of stores");
        dummies->sinks[index].id = ag_host_id(recorder->host);
    }
    *id = dummies->sinks[index].id;
    return dummies->sinks[index].gpu;
}

static uint32_t type_index(enum agpu_sample_type type)
{
    switch (type) {
    case AGPU_SAMPLE_FLOAT:
    case AGPU_SAMPLE_UNFILTERABLE_FLOAT:
        return 0;
    case AGPU_SAMPLE_DEPTH:
        return 1;
    case AGPU_SAMPLE_SINT:
        return 2;
    case AGPU_SAMPLE_UINT:
        return 3;
    }
    return 0;
}

WGPUTextureView ag_dummy_texture(struct ag_recorder *recorder, enum agpu_sample_type type,
                                 WGPUTextureViewDimension dimension, bool multisampled, uint64_t *id)
{
    static const WGPUTextureFormat formats[4] = {WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_Depth32Float,
                                                 WGPUTextureFormat_RGBA8Sint, WGPUTextureFormat_RGBA8Uint};
    uint32_t kind = type_index(type), ms = multisampled ? 1 : 0;
    if (!recorder->dummies.textures[kind][dimension][ms].view) {
        bool volume = dimension == WGPUTextureViewDimension_3D;
        bool cube =
            dimension == WGPUTextureViewDimension_Cube || dimension == WGPUTextureViewDimension_CubeArray;
        const WGPUTextureDescriptor descriptor = {
            .label = ag_webgpu_string("zero texel"),
            .usage = WGPUTextureUsage_TextureBinding | (ms ? WGPUTextureUsage_RenderAttachment : 0),
            .dimension = volume ? WGPUTextureDimension_3D : WGPUTextureDimension_2D,
            .size = {1, 1, cube ? 6 : 1},
            .format = formats[kind],
            .mipLevelCount = 1,
            .sampleCount = ms ? 4 : 1,
        };
        WGPUTexture texture = wgpuDeviceCreateTexture(ag_gpu_maker(recorder->host->gpu), &descriptor);
        const WGPUTextureViewDescriptor view = {
            .label = ag_webgpu_string("zero texel"),
            .format = formats[kind],
            .dimension = dimension,
            .mipLevelCount = 1,
            .arrayLayerCount = cube ? 6 : 1,
            .aspect = WGPUTextureAspect_All,
        };
        recorder->dummies.textures[kind][dimension][ms].gpu = texture;
        recorder->dummies.textures[kind][dimension][ms].view = wgpuTextureCreateView(texture, &view);
        recorder->dummies.textures[kind][dimension][ms].id = ag_host_id(recorder->host);
    }
    *id = recorder->dummies.textures[kind][dimension][ms].id;
    return recorder->dummies.textures[kind][dimension][ms].view;
}

static uint32_t sampler_index(WGPUSamplerBindingType type)
{
    return type == WGPUSamplerBindingType_Comparison     ? 2
           : type == WGPUSamplerBindingType_NonFiltering ? 1
                                                         : 0;
}

WGPUSampler ag_dummy_sampler(struct ag_recorder *recorder, WGPUSamplerBindingType type, uint64_t *id)
{
    uint32_t index = sampler_index(type);
    if (!recorder->dummies.samplers[index].gpu) {
        struct ag_sampler_desc desc;
        WGPUSamplerDescriptor descriptor;
        const char *missing;
        ag_sampler_default(&desc);
        if (type == WGPUSamplerBindingType_Comparison)
            desc.filter |= AEROGPU_EXT_FILTER_COMPARISON;
        if (type == WGPUSamplerBindingType_NonFiltering)
            desc.filter = 0;
        ag_sampler_to_webgpu(&desc, &descriptor, &missing);
        descriptor.label = ag_webgpu_string("default sampler");
        recorder->dummies.samplers[index].gpu = wgpuDeviceCreateSampler(recorder->host->device, &descriptor);
        recorder->dummies.samplers[index].id = ag_host_id(recorder->host);
    }
    *id = recorder->dummies.samplers[index].id;
    return recorder->dummies.samplers[index].gpu;
}

/* Powers of two, so that viewports that grow replace the target only some times. */
static uint32_t target_size(const struct ag_recorder *recorder, uint32_t needed)
{
    const uint32_t limit = recorder->host->limits.maxTextureDimension2D;
    uint32_t size = 1;
    while (size < needed)
        size *= 2;
    return size < limit ? size : limit;
}

/* Draws of both sizes have one target, unless that is much larger than either: as of one that is wide and one
 * that is high, of which nobody needs the product. */
static void join_target(const struct ag_texture *before, uint32_t *width, uint32_t *height)
{
    const uint32_t joint_width = before->width > *width ? before->width : *width;
    const uint32_t joint_height = before->height > *height ? before->height : *height;
    const uint64_t area = (uint64_t)*width * *height, area_before = (uint64_t)before->width * before->height;
    if ((uint64_t)joint_width * joint_height > 2 * (area > area_before ? area : area_before))
        return;
    *width = joint_width;
    *height = joint_height;
}

/* The target counts for the context whose draw was the first to need this size. */
enum ag_outcome ag_dummy_target(struct ag_recorder *recorder, uint32_t width, uint32_t height,
                                struct ag_texture **made)
{
    struct ag_host *const host = recorder->host;
    struct ag_texture **const target = &recorder->dummies.target;
    *made = *target;
    if (*target && (*target)->width >= width && (*target)->height >= height)
        return AG_DONE;
    uint32_t made_width = target_size(recorder, width), made_height = target_size(recorder, height);
    if (*target)
        join_target(*target, &made_width, &made_height);
    const struct ag_texture_desc desc = {
        .role = "target of draws without one",
        .dxgi = AG_DXGI_R8_UNORM,
        .width = made_width,
        .height = made_height,
        .mips = 1,
        .layers = 1,
    };
    const uint64_t bytes = AG_GPU_OBJECT_BYTES + (uint64_t)desc.width * desc.height;
    struct ag_account *const account = host->accounts.current;
    if (!ag_gpu_memory_take(host, account, bytes))
        return ag_host_skip_memory(host, bytes);
    struct ag_texture *const texture = ag_texture_create(recorder->objects, &desc);
    if (!texture) {
        ag_gpu_memory_give(host, account, bytes);
        ag_host_no_memory(host);
        return AG_OUT_OF_MEMORY;
    }
    texture->resource.account = account;
    texture->resource.gpu_bytes = bytes;
    ag_texture_destroy(recorder->objects, *target);
    *made = *target = texture;
    return AG_DONE;
}

void ag_dummy_target_drop(struct ag_recorder *recorder)
{
    ag_texture_destroy(recorder->objects, recorder->dummies.target);
    recorder->dummies.target = NULL;
}

void ag_dummies_clear(struct ag_recorder *recorder)
{
    struct ag_dummies *dummies = &recorder->dummies;
    ag_dummy_target_drop(recorder);
    if (dummies->zeros)
        wgpuBufferRelease(dummies->zeros);
    for (uint32_t i = 0; i < AG_UAV_SLOTS; i++)
        if (dummies->sinks[i].gpu)
            wgpuBufferRelease(dummies->sinks[i].gpu);
    for (uint32_t i = 0; i < 4 * 8 * 2; i++) {
        if (!dummies->textures[i / 16][i / 2 % 8][i % 2].gpu)
            continue;
        wgpuTextureViewRelease(dummies->textures[i / 16][i / 2 % 8][i % 2].view);
        wgpuTextureRelease(dummies->textures[i / 16][i / 2 % 8][i % 2].gpu);
    }
    for (uint32_t i = 0; i < AG_COUNT_OF(dummies->samplers); i++)
        if (dummies->samplers[i].gpu)
            wgpuSamplerRelease(dummies->samplers[i].gpu);
    *dummies = (struct ag_dummies){0};
}
