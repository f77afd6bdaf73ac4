/* SPDX-License-Identifier: MIT
 *
 * Finds the adapter of a driver.
 */
#include "gpu/adapter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/strbuf.h"
#include "base/table.h"
#include "gpu/library.h"
#include "gpu/wait.h"

/* WebGPU cannot list adapters; it has only requests, each of which finds at most one. */
static const WGPURequestAdapterOptions vulkan_requests[] = {
    {.backendType = WGPUBackendType_Vulkan, .powerPreference = WGPUPowerPreference_HighPerformance},
    {.backendType = WGPUBackendType_Vulkan, .powerPreference = WGPUPowerPreference_LowPower       },
    {.backendType = WGPUBackendType_Vulkan, .forceFallbackAdapter = WGPU_TRUE                     },
};
static const WGPURequestAdapterOptions null_request = {.backendType = WGPUBackendType_Null};

WGPUInstance ag_instance_create(enum agpu_limits limits)
{
    static const char *const enabled[] = {"allow_unsafe_apis"};
    WGPUDawnTogglesDescriptor toggles = {
        .chain = {.sType = WGPUSType_DawnTogglesDescriptor},
        .enabledToggleCount = limits == AGPU_LIMITS_ADAPTER ? AG_COUNT_OF(enabled) : 0,
        .enabledToggles = enabled,
    };
    const WGPUInstanceDescriptor descriptor = {
        .nextInChain = &toggles.chain,
        .capabilities = {.timedWaitAnyEnable = WGPU_TRUE, .timedWaitAnyMaxCount = 1},
    };
    return wgpuCreateInstance(&descriptor);
}

static void take_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message,
                         void *userdata1, void *userdata2)
{
    (void)message;
    (void)userdata2;
    if (status == WGPURequestAdapterStatus_Success)
        *(WGPUAdapter *)userdata1 = adapter;
}

static WGPUAdapter request(WGPUInstance instance, const WGPURequestAdapterOptions *options)
{
    WGPUAdapter adapter = NULL;
    const WGPURequestAdapterCallbackInfo callback = {
        .mode = WGPUCallbackMode_WaitAnyOnly,
        .callback = take_adapter,
        .userdata1 = &adapter,
    };
    ag_wait_future(instance, wgpuInstanceRequestAdapter(instance, options, callback), UINT64_MAX);
    return adapter;
}

static void copy_view(char *to, size_t size, WGPUStringView view)
{
    if (view.data == NULL)
        view = (WGPUStringView){"", 0};
    const size_t length = view.length == WGPU_STRLEN ? strlen(view.data) : view.length;
    snprintf(to, size, "%.*s", (int)(length < size ? length : size - 1), view.data);
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

static enum agpu_driver classify(const WGPUAdapterInfo *info, const char *texts)
{
    if (info->backendType == WGPUBackendType_Null)
        return AGPU_DRIVER_NULL;
    if (strstr(texts, "llvmpipe") != NULL)
        return AGPU_DRIVER_LAVAPIPE;
    if (strstr(texts, "SwiftShader") != NULL)
        return AGPU_DRIVER_SWIFTSHADER;
    return AGPU_DRIVER_NATIVE;
}

static void describe(const WGPUAdapterInfo *info, struct ag_adapter_record *record)
{
    char device[256], description[256], texts[sizeof device + sizeof description + 2];
    copy_view(device, sizeof device, info->device);
    copy_view(description, sizeof description, info->description);
    snprintf(texts, sizeof texts, "%s%s%s", device, description[0] != '\0' ? ", " : "", description);
    copy_view(record->name, sizeof record->name, (WGPUStringView){texts, WGPU_STRLEN});
    copy_view(record->backend, sizeof record->backend,
              (WGPUStringView){backend_name(info->backendType), WGPU_STRLEN});
    record->driver = classify(info, texts);
}

static bool describe_adapter(WGPUAdapter adapter, struct ag_adapter_record *record)
{
    WGPUAdapterInfo info = {0};
    WGPULimits limits = {0};
    if (wgpuAdapterGetInfo(adapter, &info) != WGPUStatus_Success)
        return false;
    describe(&info, record);
    wgpuAdapterInfoFreeMembers(info);
    record->feature_count = ag_feature_set_spellings(ag_adapter_features(adapter), record->features);
    if (wgpuAdapterGetLimits(adapter, &limits) != WGPUStatus_Success)
        return false;
    ag_limits_by_name(&limits, record->limits);
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

static bool driver_fits(enum agpu_driver wanted, enum agpu_driver found)
{
    return wanted == found || wanted == AGPU_DRIVER_DEFAULT;
}

static enum agpu_status report_no_adapter(enum agpu_driver driver, const struct ag_strbuf *found,
                                          const struct agpu_diag_sink *sink)
{
    char icd[512], advice[640] = "";
    const char *const others = found->length > 0 ? ag_strbuf_text(found) : "none";
    if (agpu_driver_icd_path(driver, icd, sizeof icd))
        snprintf(advice, sizeof advice, "; set VK_DRIVER_FILES=%s to make Vulkan use it", icd);
    else if (driver == AGPU_DRIVER_LAVAPIPE || driver == AGPU_DRIVER_SWIFTSHADER)
        snprintf(advice, sizeof advice, "; its Vulkan driver is not installed");
    ag_report(sink, AGPU_DIAG_GPU_NO_ADAPTER, AGPU_ERROR, ag_place_none(),
              "no adapter for the driver %s, adapters found: %s%s", agpu_driver_name(driver), others, advice);
    return AGPU_MISSING;
}

static WGPUAdapter first_fitting(WGPUInstance instance, enum agpu_driver driver, struct ag_strbuf *found)
{
    char last[256] = "";
    for (size_t i = 0; i < AG_COUNT_OF(vulkan_requests); i++) {
        const WGPUAdapter adapter = request(instance, &vulkan_requests[i]);
        struct ag_adapter_record record = {0};
        if (adapter == NULL)
            continue;
        if (describe_adapter(adapter, &record) && driver_fits(driver, record.driver))
            return adapter;
        if (strcmp(last, record.name) != 0)
            ag_strbuf_printf(found, "%s%s", found->length > 0 ? "; " : "", record.name);
        memcpy(last, record.name, sizeof last);
        wgpuAdapterRelease(adapter);
    }
    return NULL;
}

enum agpu_status ag_adapter_request(WGPUInstance instance, enum agpu_driver driver,
                                    const struct agpu_diag_sink *sink, WGPUAdapter *adapter)
{
    struct ag_strbuf found = {0};
    if (driver == AGPU_DRIVER_NULL)
        *adapter = request(instance, &null_request);
    else
        *adapter = first_fitting(instance, driver, &found);
    enum agpu_status status = AGPU_OK;
    if (*adapter == NULL)
        status = report_no_adapter(driver, &found, sink);
    ag_strbuf_fini(&found);
    return status;
}

static bool same_adapter(const struct ag_adapter_record *a, const struct ag_adapter_record *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->backend, b->backend) == 0;
}

static void list_requests(WGPUInstance instance, enum agpu_driver driver,
                          void (*visit)(void *user, const struct agpu_adapter_info *info), void *user)
{
    struct ag_adapter_record seen[AG_COUNT_OF(vulkan_requests) + 1];
    size_t seen_count = 0;
    for (size_t i = 0; i <= AG_COUNT_OF(vulkan_requests); i++) {
        const bool is_null = i == AG_COUNT_OF(vulkan_requests);
        const WGPUAdapter adapter = request(instance, is_null ? &null_request : &vulkan_requests[i]);
        struct ag_adapter_record *const record = &seen[seen_count];
        if (adapter == NULL)
            continue;
        bool is_new = describe_adapter(adapter, record) && driver_fits(driver, record->driver);
        wgpuAdapterRelease(adapter);
        for (size_t j = 0; j < seen_count && is_new; j++)
            is_new = !same_adapter(&seen[j], record);
        if (!is_new)
            continue;
        struct agpu_adapter_info info = {.size = sizeof info};
        ag_adapter_record_public(record, &info);
        visit(user, &info);
        seen_count++;
    }
}

enum agpu_status agpu_gpu_list_adapters(const struct agpu_gpu_options *given,
                                        const struct agpu_diag_sink *sink,
                                        void (*visit)(void *user, const struct agpu_adapter_info *info),
                                        void *user)
{
    struct agpu_gpu_options options;
    ag_table_read(&options, sizeof options, AG_MEMBER_END(struct agpu_gpu_options, without_count), given);
    const enum agpu_status status = ag_webgpu_load(options.library, sink);
    if (status != AGPU_OK)
        return status;
    const WGPUInstance instance = ag_instance_create(AGPU_LIMITS_ADAPTER);
    if (instance == NULL) {
        ag_report(sink, AGPU_DIAG_GPU_NO_ADAPTER, AGPU_ERROR, ag_place_none(),
                  "the WebGPU library makes no instance");
        return AGPU_MISSING;
    }
    list_requests(instance, options.driver, visit, user);
    wgpuInstanceRelease(instance);
    return AGPU_OK;
}
