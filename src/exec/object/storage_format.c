/* SPDX-License-Identifier: MIT */
#include "exec/object/storage_format.h"

#include <stdint.h>

#include "base/bytes.h"
#include "exec/host/host.h"
#include "format/format.h"
#include "gpu/feature.h"

static const WGPUTextureFormat textures[AGPU_STORAGE_FORMAT_COUNT] = {
    [AGPU_STORAGE_RGBA8_UNORM] = WGPUTextureFormat_RGBA8Unorm,
    [AGPU_STORAGE_RGBA8_SNORM] = WGPUTextureFormat_RGBA8Snorm,
    [AGPU_STORAGE_RGBA8_UINT] = WGPUTextureFormat_RGBA8Uint,
    [AGPU_STORAGE_RGBA8_SINT] = WGPUTextureFormat_RGBA8Sint,
    [AGPU_STORAGE_BGRA8_UNORM] = WGPUTextureFormat_BGRA8Unorm,
    [AGPU_STORAGE_RGBA16_UINT] = WGPUTextureFormat_RGBA16Uint,
    [AGPU_STORAGE_RGBA16_SINT] = WGPUTextureFormat_RGBA16Sint,
    [AGPU_STORAGE_RGBA16_FLOAT] = WGPUTextureFormat_RGBA16Float,
    [AGPU_STORAGE_R32_UINT] = WGPUTextureFormat_R32Uint,
    [AGPU_STORAGE_R32_SINT] = WGPUTextureFormat_R32Sint,
    [AGPU_STORAGE_R32_FLOAT] = WGPUTextureFormat_R32Float,
    [AGPU_STORAGE_RG32_UINT] = WGPUTextureFormat_RG32Uint,
    [AGPU_STORAGE_RG32_SINT] = WGPUTextureFormat_RG32Sint,
    [AGPU_STORAGE_RG32_FLOAT] = WGPUTextureFormat_RG32Float,
    [AGPU_STORAGE_RGBA32_UINT] = WGPUTextureFormat_RGBA32Uint,
    [AGPU_STORAGE_RGBA32_SINT] = WGPUTextureFormat_RGBA32Sint,
    [AGPU_STORAGE_RGBA32_FLOAT] = WGPUTextureFormat_RGBA32Float,
};

enum agpu_storage_format ag_storage_format(const struct ag_host *host, const struct ag_host_format *format)
{
    if (format->conversion != AG_CONVERT_NONE || (format->texture == WGPUTextureFormat_BGRA8Unorm &&
                                                  !ag_host_has(host, AG_GPU_FEATURE_BGRA8UNORM_STORAGE)))
        return AGPU_STORAGE_BY_TYPE;
    for (uint32_t i = 1; i < AG_COUNT_OF(textures); i++)
        if (textures[i] == format->texture)
            return (enum agpu_storage_format)i;
    return AGPU_STORAGE_BY_TYPE;
}

WGPUTextureFormat ag_storage_format_texture(enum agpu_storage_format format)
{
    return textures[format];
}

bool ag_storage_format_loads(enum agpu_storage_format format)
{
    return format == AGPU_STORAGE_R32_UINT || format == AGPU_STORAGE_R32_SINT ||
           format == AGPU_STORAGE_R32_FLOAT;
}
