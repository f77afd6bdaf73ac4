/* SPDX-License-Identifier: MIT
 *
 * Devices that are made here: an adapter is looked for, then its device is asked for.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "gpu/blob_cache.h"
#include "gpu/open.h"
#include "gpu/wait.h"

static void on_uncaptured_error(const WGPUDevice *device, WGPUErrorType type, WGPUStringView message,
                                void *userdata1, void *userdata2)
{
    (void)device;
    (void)userdata2;
    const struct agpu_gpu *const gpu = ((const struct ag_device_link *)userdata1)->gpu;
    char text[AG_WEBGPU_MESSAGE_SIZE];
    if (gpu == NULL)
        return;
    ag_report(&gpu->sink, ag_diag_code_of_error(type), AGPU_ERROR, ag_place_none(), "%s",
              ag_webgpu_message(message, text, sizeof text));
}

static void on_device_lost(const WGPUDevice *device, WGPUDeviceLostReason reason, WGPUStringView message,
                           void *userdata1, void *userdata2)
{
    (void)device;
    (void)userdata2;
    struct ag_device_link *const link = userdata1;
    struct agpu_gpu *const gpu = link->gpu;
    if (gpu != NULL)
        gpu->lost = true;
    if (gpu != NULL && !gpu->closing && reason != WGPUDeviceLostReason_FailedCreation) {
        char text[AG_WEBGPU_MESSAGE_SIZE];
        ag_report(&gpu->sink, AGPU_DIAG_GPU_LOST, AGPU_ERROR, ag_place_none(), "the GPU device was lost: %s",
                  ag_webgpu_message(message, text, sizeof text));
    }
    ag_device_link_release(link);
}

static void take_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                        void *userdata1, void *userdata2)
{
    (void)userdata2;
    struct ag_device_link *const link = userdata1;
    struct agpu_gpu *const gpu = link->gpu;
    if (gpu != NULL)
        gpu->opening.answered = true;
    if (status == WGPURequestDeviceStatus_Success) {
        if (gpu != NULL)
            gpu->opening.device = device;
        else
            wgpuDeviceRelease(device);
    } else if (gpu != NULL && !gpu->closing) {
        char text[AG_WEBGPU_MESSAGE_SIZE];
        ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
                  "the adapter gives no device: %s", ag_webgpu_message(message, text, sizeof text));
    }
    ag_device_link_release(link);
}

/* Reads the limits of an adapter, which tell whether the library's structures are those of gpu/webgpu.h. A
 * library of another version has the same names of functions, and takes each argument for something else. */
static bool read_limits(const struct agpu_gpu *gpu, WGPUAdapter adapter, WGPULimits *limits)
{
    struct ag_told_limits told;
    static const unsigned char nothing[sizeof told.behind];
    uint64_t value, least;
    ag_adapter_limits(adapter, &told); /* which has succeeded when the adapter was found */
    const char *const impossible = ag_limits_find_impossible(&told.limits, &value, &least);
    *limits = told.limits;
    if (memcmp(told.behind, nothing, sizeof nothing) != 0)
        ag_report(&gpu->sink, AGPU_DIAG_GPU_LIBRARY_VERSION, AGPU_ERROR, ag_place_none(),
                  "the WebGPU library has more limits than are known, and is of another version");
    else if (impossible != NULL)
        ag_report(&gpu->sink, AGPU_DIAG_GPU_LIBRARY_VERSION, AGPU_ERROR, ag_place_none(),
                  "the WebGPU library is of another version: it says that %s is %" PRIu64
                  ", which is %" PRIu64 " at %s",
                  impossible, value, least, strncmp(impossible, "min", 3) == 0 ? "most" : "least");
    else
        return true;
    return false;
}

static void request_device(struct agpu_gpu *gpu, WGPUAdapter adapter)
{
    static const char *const disabled[] = {"timestamp_quantization"};
    /* RenderDoc sets the variable for programs that it launches. For others the driver's own copies of labels
     * would be a third of the cost of a small texture. */
    static const char *const enabled[] = {"use_user_defined_labels_in_backend"};
    const bool is_captured = getenv("ENABLE_VULKAN_RENDERDOC_CAPTURE") != NULL;
    WGPUDawnTogglesDescriptor toggles = {
        .chain = {.sType = WGPUSType_DawnTogglesDescriptor},
        .enabledToggleCount = is_captured ? AG_COUNT_OF(enabled) : 0,
        .enabledToggles = enabled,
        .disabledToggleCount = gpu->limit_kind == AGPU_LIMITS_ADAPTER ? AG_COUNT_OF(disabled) : 0,
        .disabledToggles = disabled,
    };
    WGPUDawnCacheDeviceDescriptor cache;
    if (gpu->link->blobs == NULL && gpu->cache != NULL)
        gpu->link->blobs = ag_blob_cache_create(gpu->cache);
    if (gpu->link->blobs != NULL) {
        cache = ag_blob_cache_descriptor(gpu->link->blobs);
        toggles.chain.next = &cache.chain;
    }
    WGPUFeatureName features[AG_GPU_FEATURE_COUNT];
    const ag_gpu_feature_set wanted = ag_limits_features(gpu->limit_kind) & ~gpu->without;
    const uint32_t feature_count = ag_feature_set_names(ag_adapter_features(adapter) & wanted, features);
    WGPULimits limits;
    if (!read_limits(gpu, adapter, &limits)) {
        gpu->opening.answered = true;
        return;
    }
    ag_limits_lower(gpu->limit_kind, &limits);
    const WGPUDeviceLostCallbackInfo lost = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_device_lost,
        .userdata1 = gpu->link,
    };
    const WGPUUncapturedErrorCallbackInfo uncaptured = {.callback = on_uncaptured_error,
                                                        .userdata1 = gpu->link};
    const WGPUDeviceDescriptor descriptor = {
        .nextInChain = &toggles.chain,
        .label = ag_webgpu_string("aerogpu"),
        .requiredFeatureCount = feature_count,
        .requiredFeatures = features,
        .requiredLimits = &limits,
        .deviceLostCallbackInfo = lost,
        .uncapturedErrorCallbackInfo = uncaptured,
    };
    const WGPURequestDeviceCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = take_device,
        .userdata1 = gpu->link,
    };
    ag_device_link_take(gpu->link); /* the loss */
    ag_device_link_take(gpu->link); /* the answer */
    wgpuAdapterRequestDevice(adapter, &descriptor, callback);
}

static enum agpu_status wanted_driver(const struct agpu_gpu_options *options,
                                      const struct agpu_diag_sink *sink, enum agpu_driver *driver)
{
    *driver = options->driver;
    const char *const named = getenv("AEROGPU_DRIVER");
    if (*driver != AGPU_DRIVER_DEFAULT || named == NULL || named[0] == '\0')
        return AGPU_OK;
    if (agpu_driver_from_name(named, driver))
        return AGPU_OK;
    ag_report(sink, AGPU_DIAG_GPU_NO_ADAPTER, AGPU_ERROR, ag_place_none(),
              "AEROGPU_DRIVER names no driver: %s (lavapipe, swiftshader, native or null)", named);
    return AGPU_MISSING;
}

static enum agpu_status prepare(struct agpu_gpu *gpu, const struct agpu_gpu_options *options)
{
    enum agpu_status status = wanted_driver(options, &gpu->sink, &gpu->driver);
    if (status != AGPU_OK)
        return status;
    gpu->limit_kind = options->limits;
    for (uint32_t i = 0; i < options->without_count; i++)
        gpu->without |= ag_feature_named(options->without[i]);
    gpu->cache = options->cache;
    gpu->instance = ag_instance_create(gpu->limit_kind);
    if (gpu->instance == NULL) {
        ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_ADAPTER, AGPU_ERROR, ag_place_none(),
                  "the WebGPU library makes no instance");
        return AGPU_MISSING;
    }
    gpu->owns_device = true;
    return AGPU_OK;
}

static void begin(struct agpu_gpu *gpu)
{
    gpu->opening = (struct ag_opening){.stage = AG_OPENING_ADAPTER};
    ag_adapter_search_begin(&gpu->opening.search, gpu->instance, gpu->driver);
}

static enum ag_opening_result step_adapter(struct agpu_gpu *gpu)
{
    WGPUAdapter adapter;
    switch (ag_adapter_search_step(&gpu->opening.search, &gpu->sink, &adapter)) {
    case AG_SEARCH_PENDING:
        break;
    case AG_SEARCH_FOUND:
        gpu->opening.stage = AG_OPENING_DEVICE;
        request_device(gpu, adapter);
        wgpuAdapterRelease(adapter);
        break;
    case AG_SEARCH_FAILED:
        gpu->opening.stage = AG_OPENING_NONE;
        return AG_OPENING_FAILED;
    }
    return AG_OPENING_PENDING;
}

enum ag_opening_result ag_opening_step(struct agpu_gpu *gpu)
{
    if (gpu->opening.stage == AG_OPENING_ADAPTER)
        return step_adapter(gpu);
    if (!gpu->opening.answered)
        return AG_OPENING_PENDING;
    gpu->opening.stage = AG_OPENING_NONE;
    return gpu->opening.device != NULL ? AG_OPENING_DONE : AG_OPENING_FAILED;
}

enum agpu_status ag_gpu_open(struct agpu_gpu *gpu, const struct agpu_gpu_options *options)
{
    const enum agpu_status status = prepare(gpu, options);
    if (status != AGPU_OK)
        return status;
    begin(gpu);
    if (!ag_gpu_wait_opening(gpu))
        return AGPU_MISSING;
    gpu->device = gpu->opening.device;
    return AGPU_OK;
}

/* Makes room for the device that takes an abandoned one's place: on an instance of its own, as the thread
 * keeps the other instance busy. False when there is none for now (reported). */
static bool begin_anew(struct agpu_gpu *gpu)
{
    if (ag_abandonments_count(gpu->abandonments) >= AG_MOST_ABANDONED) {
        ag_report(&gpu->sink, AGPU_DIAG_GPU_LOST, AGPU_ERROR, ag_place_none(),
                  "no other GPU device is made while the GPU still works for %d that were abandoned",
                  AG_MOST_ABANDONED);
        return false;
    }
    struct ag_device_link *const link = ag_device_link_create(gpu);
    const WGPUInstance instance = link != NULL ? ag_instance_create(gpu->limit_kind) : NULL;
    if (instance == NULL) {
        ag_device_link_release(link);
        ag_report_no_memory(&gpu->sink);
        return false;
    }
    ag_gpu_let_go(gpu);
    gpu->instance = instance;
    gpu->link = link;
    return true;
}

enum ag_gpu_revival ag_gpu_reopen(struct agpu_gpu *gpu)
{
    if (gpu->abandoned && !begin_anew(gpu))
        return AG_GPU_GONE;
    if (gpu->opening.stage == AG_OPENING_NONE)
        begin(gpu);
    /* A library that answers at once needs no other poll. */
    enum ag_opening_stage before;
    enum ag_opening_result result;
    do {
        before = gpu->opening.stage;
        wgpuInstanceProcessEvents(gpu->instance);
        result = ag_opening_step(gpu);
    } while (result == AG_OPENING_PENDING && gpu->opening.stage != before);
    if (result == AG_OPENING_DONE)
        return AG_GPU_REVIVED;
    return result == AG_OPENING_PENDING ? AG_GPU_REVIVING : AG_GPU_GONE;
}

bool ag_gpu_settle(struct agpu_gpu *gpu)
{
    return ag_gpu_wait_answers(gpu, gpu->patience_ns);
}

void ag_gpu_leave(struct agpu_gpu *gpu, const struct ag_abandoned_device *device)
{
    ag_abandon_device(gpu->abandonments, device);
}

void ag_gpu_wait_for(struct agpu_gpu *gpu, WGPUFuture future, uint64_t timeout_ns)
{
    ag_wait_future(gpu->instance, future, timeout_ns);
}

bool ag_gpu_makes_pipelines_at_once(void)
{
    return false;
}
