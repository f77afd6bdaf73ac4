/* SPDX-License-Identifier: MIT
 *
 * Finds the adapter of a driver.
 */
#include "gpu/adapter.h"

#include <string.h>

#include "base/bytes.h"
#include "base/format.h"
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

static bool driver_fits(enum agpu_driver wanted, enum agpu_driver found)
{
    return wanted == found || wanted == AGPU_DRIVER_DEFAULT;
}

static void report_no_adapter(enum agpu_driver driver, const struct ag_strbuf *found,
                              const struct agpu_diag_sink *sink)
{
    char icd[512], advice[640] = "";
    const char *const others = found->length > 0 ? ag_strbuf_text(found) : "none";
    if (agpu_driver_icd_path(driver, icd, sizeof icd))
        ag_text_format(advice, sizeof advice, "; set VK_DRIVER_FILES=%s to make Vulkan use it", icd);
    else if (driver == AGPU_DRIVER_LAVAPIPE || driver == AGPU_DRIVER_SWIFTSHADER)
        ag_text_format(advice, sizeof advice, "; its Vulkan driver is not installed");
    ag_report(sink, AGPU_DIAG_GPU_NO_ADAPTER, AGPU_ERROR, ag_place_none(),
              "no adapter for the driver %s, adapters found: %s%s", agpu_driver_name(driver), others, advice);
}

/* ---- Searching ---------------------------------------------------------------------------------------- */

static void take_answer(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message,
                        void *userdata1, void *userdata2)
{
    struct ag_adapter_search *const search = userdata1;
    search->answered = true;
    take_adapter(status, adapter, message, &search->adapter, userdata2);
}

static size_t request_count(const struct ag_adapter_search *search)
{
    return search->driver == AGPU_DRIVER_NULL ? 1 : AG_COUNT_OF(vulkan_requests);
}

static void request_next(struct ag_adapter_search *search)
{
    const WGPURequestAdapterOptions *const options =
        search->driver == AGPU_DRIVER_NULL ? &null_request : &vulkan_requests[search->request];
    const WGPURequestAdapterCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = take_answer,
        .userdata1 = search,
    };
    search->adapter = NULL;
    search->answered = false;
    wgpuInstanceRequestAdapter(search->instance, options, callback);
}

void ag_adapter_search_begin(struct ag_adapter_search *search, WGPUInstance instance, enum agpu_driver driver)
{
    *search = (struct ag_adapter_search){.instance = instance, .driver = driver};
    request_next(search);
}

/* Whether the answer is the adapter that is looked for; others are noted and released. */
static bool fits(struct ag_adapter_search *search)
{
    struct ag_adapter_record record = {0};
    if (search->adapter == NULL)
        return false;
    if (ag_adapter_describe(search->adapter, &record) && driver_fits(search->driver, record.driver))
        return true;
    if (strcmp(search->last, record.name) != 0)
        ag_strbuf_printf(&search->found, "%s%s", search->found.length > 0 ? "; " : "", record.name);
    memcpy(search->last, record.name, sizeof search->last);
    wgpuAdapterRelease(search->adapter);
    return false;
}

enum ag_search_result ag_adapter_search_step(struct ag_adapter_search *search,
                                             const struct agpu_diag_sink *sink, WGPUAdapter *adapter)
{
    if (!search->answered)
        return AG_SEARCH_PENDING;
    const bool found = fits(search);
    if (!found && ++search->request < request_count(search)) {
        request_next(search);
        return AG_SEARCH_PENDING;
    }
    *adapter = found ? search->adapter : NULL;
    if (!found)
        report_no_adapter(search->driver, &search->found, sink);
    ag_strbuf_fini(&search->found);
    return found ? AG_SEARCH_FOUND : AG_SEARCH_FAILED;
}

/* ---- Listing ------------------------------------------------------------------------------------------ */

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
        bool is_new = ag_adapter_describe(adapter, record) && driver_fits(driver, record->driver);
        wgpuAdapterRelease(adapter);
        if (record->driver == AGPU_DRIVER_NULL) /* it accepts what every feature adds, and can do nothing */
            record->feature_count = 0;
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
