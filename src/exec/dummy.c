/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "exec/exec.h"

WGPUTextureViewDimension ag_view_dimension(uint8_t resource_dimension)
{
    static const uint8_t dimensions[AGPU_DIMENSION_COUNT] = {
        [AGPU_DIMENSION_TEXTURE1D] = WGPUTextureViewDimension_2D,
        [AGPU_DIMENSION_TEXTURE2D] = WGPUTextureViewDimension_2D,
        [AGPU_DIMENSION_TEXTURE2DMS] = WGPUTextureViewDimension_2D,
        [AGPU_DIMENSION_TEXTURE3D] = WGPUTextureViewDimension_3D,
        [AGPU_DIMENSION_TEXTURECUBE] = WGPUTextureViewDimension_Cube,
        [AGPU_DIMENSION_TEXTURE1DARRAY] = WGPUTextureViewDimension_2DArray,
        [AGPU_DIMENSION_TEXTURE2DARRAY] = WGPUTextureViewDimension_2DArray,
        [AGPU_DIMENSION_TEXTURE2DMSARRAY] = WGPUTextureViewDimension_2DArray,
        [AGPU_DIMENSION_TEXTURECUBEARRAY] = WGPUTextureViewDimension_CubeArray,
    };
    if (resource_dimension >= AGPU_DIMENSION_COUNT)
        return WGPUTextureViewDimension_Undefined;
    return (WGPUTextureViewDimension)dimensions[resource_dimension];
}

WGPUBuffer ag_dummy_zeros(struct ag_exec *exec, uint64_t *id)
{
    struct ag_dummies *dummies = &exec->dummies;
    if (!dummies->zeros) {
        dummies->zeros =
            ag_exec_create_buffer(exec, AG_ZERO_BYTES,
                                  WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex |
                                      WGPUBufferUsage_Index | WGPUBufferUsage_CopySrc);
        dummies->zeros_id = ag_exec_id(exec);
    }
    *id = dummies->zeros_id;
    return dummies->zeros;
}

WGPUBuffer ag_dummy_sink(struct ag_exec *exec, uint32_t index, uint64_t *id)
{
    struct ag_dummies *dummies = &exec->dummies;
    if (!dummies->sinks[index].gpu) {
        dummies->sinks[index].gpu = ag_exec_create_buffer(exec, AG_DUMMY_SINK_BYTES, WGPUBufferUsage_Storage);
        dummies->sinks[index].id = ag_exec_id(exec);
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

WGPUTextureView ag_dummy_texture(struct ag_exec *exec, enum agpu_sample_type type,
                                 WGPUTextureViewDimension dimension, bool multisampled, uint64_t *id)
{
    static const WGPUTextureFormat formats[4] = {WGPUTextureFormat_RGBA8Unorm, WGPUTextureFormat_Depth32Float,
                                                 WGPUTextureFormat_RGBA8Sint, WGPUTextureFormat_RGBA8Uint};
    uint32_t kind = type_index(type), ms = multisampled ? 1 : 0;
    if (!exec->dummies.textures[kind][dimension][ms].view) {
        bool volume = dimension == WGPUTextureViewDimension_3D;
        bool cube =
            dimension == WGPUTextureViewDimension_Cube || dimension == WGPUTextureViewDimension_CubeArray;
        const WGPUTextureDescriptor descriptor = {
            .usage = WGPUTextureUsage_TextureBinding | (ms ? WGPUTextureUsage_RenderAttachment : 0),
            .dimension = volume ? WGPUTextureDimension_3D : WGPUTextureDimension_2D,
            .size = {1, 1, cube ? 6 : 1},
            .format = formats[kind],
            .mipLevelCount = 1,
            .sampleCount = ms ? 4 : 1,
        };
        WGPUTexture texture = wgpuDeviceCreateTexture(exec->device, &descriptor);
        const WGPUTextureViewDescriptor view = {
            .format = formats[kind],
            .dimension = dimension,
            .mipLevelCount = 1,
            .arrayLayerCount = cube ? 6 : 1,
            .aspect = WGPUTextureAspect_All,
        };
        exec->dummies.textures[kind][dimension][ms].gpu = texture;
        exec->dummies.textures[kind][dimension][ms].view = wgpuTextureCreateView(texture, &view);
        exec->dummies.textures[kind][dimension][ms].id = ag_exec_id(exec);
    }
    *id = exec->dummies.textures[kind][dimension][ms].id;
    return exec->dummies.textures[kind][dimension][ms].view;
}

static uint32_t sampler_index(WGPUSamplerBindingType type)
{
    return type == WGPUSamplerBindingType_Comparison     ? 2
           : type == WGPUSamplerBindingType_NonFiltering ? 1
                                                         : 0;
}

WGPUSampler ag_dummy_sampler(struct ag_exec *exec, WGPUSamplerBindingType type, uint64_t *id)
{
    uint32_t index = sampler_index(type);
    if (!exec->dummies.samplers[index].gpu) {
        struct ag_sampler_desc desc;
        WGPUSamplerDescriptor descriptor;
        const char *missing;
        ag_sampler_default(&desc);
        if (type == WGPUSamplerBindingType_Comparison)
            desc.filter |= AEROGPU_EXT_FILTER_COMPARISON;
        if (type == WGPUSamplerBindingType_NonFiltering)
            desc.filter = 0;
        ag_sampler_to_webgpu(&desc, &descriptor, &missing);
        exec->dummies.samplers[index].gpu = wgpuDeviceCreateSampler(exec->device, &descriptor);
        exec->dummies.samplers[index].id = ag_exec_id(exec);
    }
    *id = exec->dummies.samplers[index].id;
    return exec->dummies.samplers[index].gpu;
}

struct ag_texture *ag_dummy_target(struct ag_exec *exec, uint32_t width, uint32_t height)
{
    struct ag_texture *target = exec->dummies.target;
    if (target && target->width >= width && target->height >= height)
        return target;
    const struct ag_texture_desc desc = {
        .dxgi = AG_DXGI_R8_UNORM,
        .width = target && target->width > width ? target->width : width,
        .height = target && target->height > height ? target->height : height,
        .mips = 1,
        .layers = 1,
    };
    ag_texture_destroy(exec, target);
    exec->dummies.target = ag_texture_create(exec, &desc);
    if (!exec->dummies.target)
        ag_exec_no_memory(exec);
    return exec->dummies.target;
}

void ag_dummies_clear(struct ag_exec *exec)
{
    struct ag_dummies *dummies = &exec->dummies;
    ag_texture_destroy(exec, dummies->target);
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
