/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "exec/exec.h"

WGPUTextureViewDimension agpu_view_dimension(uint8_t resource_dimension)
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

WGPUBuffer agpu_dummy_zeros(struct agpu_exec *exec, uint64_t *id)
{
    struct agpu_dummies *dummies = &exec->dummies;
    if (!dummies->zeros) {
        dummies->zeros = agpu_exec_create_buffer(exec, AGPU_ZERO_BYTES,
                                                 WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage |
                                                     WGPUBufferUsage_Vertex | WGPUBufferUsage_Index |
                                                     WGPUBufferUsage_CopySrc);
        dummies->zeros_id = agpu_exec_id(exec);
    }
    *id = dummies->zeros_id;
    return dummies->zeros;
}

WGPUBuffer agpu_dummy_sink(struct agpu_exec *exec, uint32_t index, uint64_t *id)
{
    struct agpu_dummies *dummies = &exec->dummies;
    if (!dummies->sinks[index].gpu) {
        dummies->sinks[index].gpu =
            agpu_exec_create_buffer(exec, AGPU_DUMMY_SINK_BYTES, WGPUBufferUsage_Storage);
        dummies->sinks[index].id = agpu_exec_id(exec);
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

WGPUTextureView agpu_dummy_texture(struct agpu_exec *exec, enum agpu_sample_type type,
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
        exec->dummies.textures[kind][dimension][ms].id = agpu_exec_id(exec);
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

WGPUSampler agpu_dummy_sampler(struct agpu_exec *exec, WGPUSamplerBindingType type, uint64_t *id)
{
    uint32_t index = sampler_index(type);
    if (!exec->dummies.samplers[index].gpu) {
        struct agpu_sampler_desc desc;
        WGPUSamplerDescriptor descriptor;
        const char *missing;
        agpu_sampler_default(&desc);
        if (type == WGPUSamplerBindingType_Comparison)
            desc.filter |= AEROGPU_EXT_FILTER_COMPARISON;
        if (type == WGPUSamplerBindingType_NonFiltering)
            desc.filter = 0;
        agpu_sampler_to_webgpu(&desc, &descriptor, &missing);
        exec->dummies.samplers[index].gpu = wgpuDeviceCreateSampler(exec->device, &descriptor);
        exec->dummies.samplers[index].id = agpu_exec_id(exec);
    }
    *id = exec->dummies.samplers[index].id;
    return exec->dummies.samplers[index].gpu;
}

struct agpu_texture *agpu_dummy_target(struct agpu_exec *exec, uint32_t width, uint32_t height)
{
    struct agpu_texture *target = exec->dummies.target;
    if (target && target->width >= width && target->height >= height)
        return target;
    const struct agpu_texture_desc desc = {
        .dxgi = AGPU_DXGI_R8_UNORM,
        .width = target && target->width > width ? target->width : width,
        .height = target && target->height > height ? target->height : height,
        .mips = 1,
        .layers = 1,
    };
    agpu_texture_destroy(exec, target);
    exec->dummies.target = agpu_texture_create(exec, &desc);
    if (!exec->dummies.target)
        agpu_exec_no_memory(exec);
    return exec->dummies.target;
}

void agpu_dummies_clear(struct agpu_exec *exec)
{
    struct agpu_dummies *dummies = &exec->dummies;
    agpu_texture_destroy(exec, dummies->target);
    if (dummies->zeros)
        wgpuBufferRelease(dummies->zeros);
    for (uint32_t i = 0; i < AGPU_UAV_SLOTS; i++)
        if (dummies->sinks[i].gpu)
            wgpuBufferRelease(dummies->sinks[i].gpu);
    for (uint32_t i = 0; i < 4 * 8 * 2; i++) {
        if (!dummies->textures[i / 16][i / 2 % 8][i % 2].gpu)
            continue;
        wgpuTextureViewRelease(dummies->textures[i / 16][i / 2 % 8][i % 2].view);
        wgpuTextureRelease(dummies->textures[i / 16][i / 2 % 8][i % 2].gpu);
    }
    for (uint32_t i = 0; i < AGPU_COUNT_OF(dummies->samplers); i++)
        if (dummies->samplers[i].gpu)
            wgpuSamplerRelease(dummies->samplers[i].gpu);
    *dummies = (struct agpu_dummies){0};
}
