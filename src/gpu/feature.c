/* SPDX-License-Identifier: MIT
 *
 * The tables of features and limits.
 */
#include "gpu/feature.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/bytes.h"

struct feature_info {
    WGPUFeatureName webgpu_name;
    const char *spelling;
};

static const struct feature_info feature_table[AG_GPU_FEATURE_COUNT] = {
#define FEATURE_ROW(name, suffix, text) [AG_GPU_FEATURE_##name] = {WGPUFeatureName_##suffix, text},
    AG_GPU_FEATURES(FEATURE_ROW)
#undef FEATURE_ROW
};

static_assert(AG_GPU_FEATURE_COUNT <= 64, "a feature set is one 64-bit word");

ag_gpu_feature_set ag_adapter_features(WGPUAdapter adapter)
{
    ag_gpu_feature_set set = 0;
    for (unsigned i = 0; i < AG_GPU_FEATURE_COUNT; i++) {
        if (wgpuAdapterHasFeature(adapter, feature_table[i].webgpu_name))
            set |= (uint64_t)1 << i;
    }
    return set;
}

ag_gpu_feature_set ag_device_features(WGPUDevice device)
{
    ag_gpu_feature_set set = 0;
    for (unsigned i = 0; i < AG_GPU_FEATURE_COUNT; i++) {
        if (wgpuDeviceHasFeature(device, feature_table[i].webgpu_name))
            set |= (uint64_t)1 << i;
    }
    return set;
}

ag_gpu_feature_set ag_feature_named(const char *spelling)
{
    for (unsigned i = 0; i < AG_GPU_FEATURE_COUNT; i++) {
        if (strcmp(feature_table[i].spelling, spelling) == 0)
            return (uint64_t)1 << i;
    }
    return 0;
}

uint32_t ag_feature_set_names(ag_gpu_feature_set set, WGPUFeatureName names[AG_GPU_FEATURE_COUNT])
{
    uint32_t count = 0;
    for (unsigned i = 0; i < AG_GPU_FEATURE_COUNT; i++) {
        if (set >> i & 1)
            names[count++] = feature_table[i].webgpu_name;
    }
    return count;
}

uint32_t ag_feature_set_spellings(ag_gpu_feature_set set, const char *spellings[AG_GPU_FEATURE_COUNT])
{
    uint32_t count = 0;
    for (unsigned i = 0; i < AG_GPU_FEATURE_COUNT; i++) {
        if (set >> i & 1)
            spellings[count++] = feature_table[i].spelling;
    }
    return count;
}

struct limit_field {
    const char *name;
    size_t offset;
    size_t size;
};

/* clang-format off */
#define LIMIT(field) {#field, offsetof(WGPULimits, field), sizeof((WGPULimits *)0)->field}
/* clang-format on */

static const struct limit_field limit_fields[] = {
    LIMIT(maxTextureDimension1D),
    LIMIT(maxTextureDimension2D),
    LIMIT(maxTextureDimension3D),
    LIMIT(maxTextureArrayLayers),
    LIMIT(maxBindGroups),
    LIMIT(maxBindGroupsPlusVertexBuffers),
    LIMIT(maxBindingsPerBindGroup),
    LIMIT(maxDynamicUniformBuffersPerPipelineLayout),
    LIMIT(maxDynamicStorageBuffersPerPipelineLayout),
    LIMIT(maxSampledTexturesPerShaderStage),
    LIMIT(maxSamplersPerShaderStage),
    LIMIT(maxStorageBuffersPerShaderStage),
    LIMIT(maxStorageTexturesPerShaderStage),
    LIMIT(maxUniformBuffersPerShaderStage),
    LIMIT(maxUniformBufferBindingSize),
    LIMIT(maxStorageBufferBindingSize),
    LIMIT(minUniformBufferOffsetAlignment),
    LIMIT(minStorageBufferOffsetAlignment),
    LIMIT(maxVertexBuffers),
    LIMIT(maxBufferSize),
    LIMIT(maxVertexAttributes),
    LIMIT(maxVertexBufferArrayStride),
    LIMIT(maxInterStageShaderVariables),
    LIMIT(maxColorAttachments),
    LIMIT(maxColorAttachmentBytesPerSample),
    LIMIT(maxComputeWorkgroupStorageSize),
    LIMIT(maxComputeInvocationsPerWorkgroup),
    LIMIT(maxComputeWorkgroupSizeX),
    LIMIT(maxComputeWorkgroupSizeY),
    LIMIT(maxComputeWorkgroupSizeZ),
    LIMIT(maxComputeWorkgroupsPerDimension),
    LIMIT(maxImmediateSize),
};

static_assert(AG_COUNT_OF(limit_fields) == AG_GPU_LIMIT_COUNT, "every limit has a name");

void ag_limits_by_name(const WGPULimits *limits, struct agpu_adapter_limit named[AG_GPU_LIMIT_COUNT])
{
    for (size_t i = 0; i < AG_GPU_LIMIT_COUNT; i++) {
        const unsigned char *const field = (const unsigned char *)limits + limit_fields[i].offset;
        named[i].name = limit_fields[i].name;
        named[i].value = limit_fields[i].size == 8 ? ag_load_u64(field) : ag_load_u32(field);
    }
}
