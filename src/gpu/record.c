/* SPDX-License-Identifier: MIT */
#include "gpu/record.h"

#include <string.h>

#include "base/bytes.h"
#include "base/format.h"
#include "base/table.h"
#include "gpu/library.h"

static void copy_view(char *to, size_t size, WGPUStringView view)
{
    if (view.data == NULL)
        view = (WGPUStringView){"", 0};
    const size_t length = view.length == WGPU_STRLEN ? strlen(view.data) : view.length;
    ag_text_format(to, size, "%.*s", (int)(length < size ? length : size - 1), view.data);
}

static const char *backend_name(WGPUBackendType backend)
{
    static const char *const names[] = {
        [WGPUBackendType_Undefined] = "unknown", [WGPUBackendType_Null] = "null",
        [WGPUBackendType_WebGPU] = "webgpu",     [WGPUBackendType_D3D11] = "d3d11",
        [WGPUBackendType_D3D12] = "d3d12",       [WGPUBackendType_Metal] = "metal",
        [WGPUBackendType_Vulkan] = "vulkan",     [WGPUBackendType_OpenGL] = "opengl",
        [WGPUBackendType_OpenGLES] = "opengles",
    };
    return (size_t)backend < AG_COUNT_OF(names) ? names[backend] : names[WGPUBackendType_Undefined];
}

/* Browsers tell the architecture where they keep the device's name to themselves. */
static enum agpu_driver classify(const WGPUAdapterInfo *info, const char *texts)
{
    char architecture[32];
    copy_view(architecture, sizeof architecture, info->architecture);
    if (info->backendType == WGPUBackendType_Null)
        return AGPU_DRIVER_NULL;
    if (strstr(texts, "llvmpipe") != NULL)
        return AGPU_DRIVER_LAVAPIPE;
    if (strstr(texts, "SwiftShader") != NULL || strcmp(architecture, "swiftshader") == 0)
        return AGPU_DRIVER_SWIFTSHADER;
    return AGPU_DRIVER_NATIVE;
}

static void describe(const WGPUAdapterInfo *info, struct ag_adapter_record *record)
{
    char device[256], description[256], texts[sizeof device + sizeof description + 2];
    copy_view(device, sizeof device, info->device);
    copy_view(description, sizeof description, info->description);
    ag_text_format(texts, sizeof texts, "%s%s%s", device, description[0] != '\0' ? ", " : "", description);
    copy_view(record->name, sizeof record->name, (WGPUStringView){texts, WGPU_STRLEN});
    copy_view(record->backend, sizeof record->backend,
              (WGPUStringView){backend_name(info->backendType), WGPU_STRLEN});
    record->driver = classify(info, texts);
}

bool ag_adapter_describe(WGPUAdapter adapter, struct ag_adapter_record *record)
{
    WGPUAdapterInfo info = {0};
    struct ag_told_limits told;
    if (wgpuAdapterGetInfo(adapter, &info) != WGPUStatus_Success)
        return false;
    describe(&info, record);
    wgpuAdapterInfoFreeMembers(info);
    record->feature_count = ag_feature_set_spellings(ag_adapter_features(adapter), record->features);
    if (ag_adapter_limits(adapter, &told) != WGPUStatus_Success)
        return false;
    ag_limits_by_name(&told.limits, record->limits);
    return true;
}

bool ag_device_describe(WGPUDevice device, struct ag_adapter_record *record)
{
    WGPUAdapterInfo info = {0};
    WGPULimits limits = {0};
    if (wgpuDeviceGetAdapterInfo(device, &info) != WGPUStatus_Success)
        return false;
    describe(&info, record);
    wgpuAdapterInfoFreeMembers(info);
    record->feature_count = ag_feature_set_spellings(ag_device_features(device), record->features);
    if (wgpuDeviceGetLimits(device, &limits) != WGPUStatus_Success)
        return false;
    ag_limits_by_name(&limits, record->limits);
    return true;
}

void ag_adapter_record_public(const struct ag_adapter_record *record, struct agpu_adapter_info *info)
{
    const struct agpu_adapter_info all = {
        .name = record->name,
        .driver = agpu_driver_name(record->driver),
        .backend = record->backend,
        .library = ag_webgpu_library_path(),
        .features = record->features,
        .feature_count = record->feature_count,
        .limits = record->limits,
        .limit_count = AG_GPU_LIMIT_COUNT,
    };
    ag_table_write(info, sizeof all, AG_MEMBER_END(struct agpu_adapter_info, limit_count), &all);
}
