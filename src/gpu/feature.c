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
    enum agpu_limits least; /* device that may have it */
};

static_assert(AGPU_LIMITS_ADAPTER < AGPU_LIMITS_BROWSER && AGPU_LIMITS_BROWSER < AGPU_LIMITS_DEFAULT,
              "the greater, the less a device has");

static const struct feature_info feature_table[AG_GPU_FEATURE_COUNT] = {
#define FEATURE_ROW(name, suffix, text, least)                                                               \
    [AG_GPU_FEATURE_##name] = {WGPUFeatureName_##suffix, text, AGPU_LIMITS_##least},
    AG_GPU_FEATURES(FEATURE_ROW)
#undef FEATURE_ROW
};

static_assert(AG_GPU_FEATURE_COUNT <= 64, "a feature set is one 64-bit word");

static const char *const limits_names[] = {
    [AGPU_LIMITS_ADAPTER] = "adapter",
    [AGPU_LIMITS_BROWSER] = "browser",
    [AGPU_LIMITS_DEFAULT] = "default",
};

const char *agpu_limits_name(enum agpu_limits limits)
{
    return (size_t)limits < AG_COUNT_OF(limits_names) ? limits_names[limits] : "unknown";
}

bool agpu_limits_from_name(const char *name, enum agpu_limits *limits)
{
    for (size_t i = 0; i < AG_COUNT_OF(limits_names); i++) {
        if (strcmp(limits_names[i], name) == 0) {
            *limits = (enum agpu_limits)i;
            return true;
        }
    }
    return false;
}

ag_gpu_feature_set ag_limits_features(enum agpu_limits limits)
{
    ag_gpu_feature_set set = 0;
    for (unsigned i = 0; i < AG_GPU_FEATURE_COUNT; i++) {
        if (feature_table[i].least >= limits)
            set |= (uint64_t)1 << i;
    }
    return set;
}

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
    uint64_t lowered[AGPU_LIMITS_DEFAULT + 1]; /* what devices of a kind have; 0: what the adapter has */
};

/* clang-format off */
#define LIMIT(field, browser, standard)                                                                     \
    {#field, offsetof(WGPULimits, field), sizeof((WGPULimits *)0)->field,                                    \
     {[AGPU_LIMITS_BROWSER] = (browser), [AGPU_LIMITS_DEFAULT] = (standard)}}
/* clang-format on */

static const struct limit_field limit_fields[] = {
    LIMIT(maxTextureDimension1D, 8192, 8192),
    LIMIT(maxTextureDimension2D, 8192, 8192),
    LIMIT(maxTextureDimension3D, 2048, 2048),
    LIMIT(maxTextureArrayLayers, 256, 256),
    LIMIT(maxBindGroups, 4, 4),
    LIMIT(maxBindGroupsPlusVertexBuffers, 24, 24),
    LIMIT(maxBindingsPerBindGroup, 1000, 1000),
    LIMIT(maxDynamicUniformBuffersPerPipelineLayout, 8, 8),
    LIMIT(maxDynamicStorageBuffersPerPipelineLayout, 4, 4),
    LIMIT(maxSampledTexturesPerShaderStage, 16, 16),
    LIMIT(maxSamplersPerShaderStage, 16, 16),
    LIMIT(maxStorageBuffersPerShaderStage, 10, 8),
    LIMIT(maxStorageTexturesPerShaderStage, 4, 4),
    LIMIT(maxUniformBuffersPerShaderStage, 12, 12),
    LIMIT(maxUniformBufferBindingSize, 65536, 65536),
    LIMIT(maxStorageBufferBindingSize, 1073741824, 134217728),
    LIMIT(minUniformBufferOffsetAlignment, 256, 256),
    LIMIT(minStorageBufferOffsetAlignment, 256, 256),
    LIMIT(maxVertexBuffers, 8, 8),
    LIMIT(maxBufferSize, 1073741824, 268435456),
    LIMIT(maxVertexAttributes, 16, 16),
    LIMIT(maxVertexBufferArrayStride, 2048, 2048),
    LIMIT(maxInterStageShaderVariables, 28, 16),
    LIMIT(maxColorAttachments, 8, 8),
    LIMIT(maxColorAttachmentBytesPerSample, 128, 32),
    LIMIT(maxComputeWorkgroupStorageSize, 32768, 16384),
    LIMIT(maxComputeInvocationsPerWorkgroup, 256, 256),
    LIMIT(maxComputeWorkgroupSizeX, 256, 256),
    LIMIT(maxComputeWorkgroupSizeY, 256, 256),
    LIMIT(maxComputeWorkgroupSizeZ, 64, 64),
    LIMIT(maxComputeWorkgroupsPerDimension, 65535, 65535),
    LIMIT(maxImmediateSize, 64, 64),
};

static_assert(AG_COUNT_OF(limit_fields) == AG_GPU_LIMIT_COUNT, "every limit has a name");

static uint64_t limit_value(const struct limit_field *limit, const WGPULimits *limits)
{
    const unsigned char *const field = (const unsigned char *)limits + limit->offset;
    return limit->size == 8 ? ag_load_u64(field) : ag_load_u32(field);
}

void ag_limits_by_name(const WGPULimits *limits, struct agpu_adapter_limit named[AG_GPU_LIMIT_COUNT])
{
    for (size_t i = 0; i < AG_GPU_LIMIT_COUNT; i++) {
        named[i].name = limit_fields[i].name;
        named[i].value = limit_value(&limit_fields[i], limits);
    }
}

/* Alignments are the smaller, the better; they are powers of two. */
static uint64_t worse(const char *name, uint64_t a, uint64_t b)
{
    const bool smaller = strncmp(name, "min", 3) != 0;
    return (a < b) == smaller ? a : b;
}

WGPUStatus ag_adapter_limits(WGPUAdapter adapter, struct ag_told_limits *told)
{
    memset(told, 0, sizeof *told);
    return wgpuAdapterGetLimits(adapter, &told->limits);
}

const char *ag_limits_find_impossible(const WGPULimits *limits, uint64_t *value, uint64_t *least)
{
    for (size_t i = 0; i < AG_GPU_LIMIT_COUNT; i++) {
        const struct limit_field *const limit = &limit_fields[i];
        const bool is_alignment = strncmp(limit->name, "min", 3) == 0;
        *value = limit_value(limit, limits);
        *least = limit->lowered[AGPU_LIMITS_DEFAULT];
        if (limit->offset == offsetof(WGPULimits, maxImmediateSize))
            continue;
        if (worse(limit->name, *value, *least) != *least ||
            (is_alignment && (*value == 0 || (*value & (*value - 1)) != 0)))
            return limit->name;
    }
    return NULL;
}

void ag_limits_lower(enum agpu_limits kind, WGPULimits *limits)
{
    for (size_t i = 0; i < AG_GPU_LIMIT_COUNT; i++) {
        const struct limit_field *const limit = &limit_fields[i];
        unsigned char *const field = (unsigned char *)limits + limit->offset;
        if (limit->lowered[kind] == 0)
            continue;
        const uint64_t value = worse(limit->name, limit_value(limit, limits), limit->lowered[kind]);
        if (limit->size == 8)
            ag_store_u64(field, value);
        else
            ag_store_u32(field, (uint32_t)value);
    }
}
