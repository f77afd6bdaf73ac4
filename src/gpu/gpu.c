/* SPDX-License-Identifier: MIT
 *
 * The WebGPU device: creation, loss and replacement, and the queue's timeline.
 */
#include "gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/table.h"
#include "gpu/adapter.h"
#include "gpu/library.h"
#include "gpu/wait.h"

#define DEFAULT_COPY_ROW_ALIGNMENT 256

struct agpu_gpu {
    struct agpu_diag_sink sink;
    WGPUInstance instance;
    WGPUDevice device;
    WGPUQueue queue;
    bool owns_device; /* created here, not lent by the embedder */
    bool closing;
    bool lost;
    /* Of a device created here. */
    enum agpu_driver driver;
    enum agpu_limits limit_kind;
    ag_gpu_feature_set without;
    WGPULimits limits;
    uint32_t copy_row_alignment;
    ag_gpu_feature_set features;
    struct ag_adapter_record record;
    uint64_t signalled_serial;
    uint64_t completed_serial;
};

enum agpu_diag_code ag_diag_code_of_error(WGPUErrorType type)
{
    switch (type) {
    case WGPUErrorType_OutOfMemory:
        return AGPU_DIAG_GPU_OUT_OF_MEMORY;
    case WGPUErrorType_Unknown:
        return AGPU_DIAG_GPU_LOST;
    case WGPUErrorType_NoError:
    case WGPUErrorType_Validation:
    case WGPUErrorType_Internal:
    case WGPUErrorType_Force32:
        break;
    }
    return AGPU_DIAG_GPU_VALIDATION;
}

static void on_uncaptured_error(const WGPUDevice *device, WGPUErrorType type, WGPUStringView message,
                                void *userdata1, void *userdata2)
{
    (void)device;
    (void)userdata2;
    const struct agpu_gpu *const gpu = userdata1;
    char text[AG_WEBGPU_MESSAGE_SIZE];
    ag_report(&gpu->sink, ag_diag_code_of_error(type), AGPU_ERROR, ag_place_none(), "%s",
              ag_webgpu_message(message, text, sizeof text));
}

static void on_device_lost(const WGPUDevice *device, WGPUDeviceLostReason reason, WGPUStringView message,
                           void *userdata1, void *userdata2)
{
    (void)device;
    (void)userdata2;
    struct agpu_gpu *const gpu = userdata1;
    gpu->lost = true;
    if (gpu->closing || reason == WGPUDeviceLostReason_FailedCreation)
        return;
    char text[AG_WEBGPU_MESSAGE_SIZE];
    ag_report(&gpu->sink, AGPU_DIAG_GPU_LOST, AGPU_ERROR, ag_place_none(), "the GPU device was lost: %s",
              ag_webgpu_message(message, text, sizeof text));
}

struct device_answer {
    WGPUDevice device;
    const struct agpu_diag_sink *sink;
};

static void take_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                        void *userdata1, void *userdata2)
{
    (void)userdata2;
    struct device_answer *const answer = userdata1;
    if (status == WGPURequestDeviceStatus_Success) {
        answer->device = device;
        return;
    }
    char text[AG_WEBGPU_MESSAGE_SIZE];
    ag_report(answer->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
              "the adapter gives no device: %s", ag_webgpu_message(message, text, sizeof text));
}

static enum agpu_status request_device(struct agpu_gpu *gpu, WGPUAdapter adapter)
{
    static const char *const disabled[] = {"timestamp_quantization"};
    /* RenderDoc sets the variable for programs that it launches. For others the driver's own copies of labels
     * would be a third of the cost of a small texture. */
    static const char *const enabled[] = {"use_user_defined_labels_in_backend"};
    const bool is_captured = getenv("ENABLE_VULKAN_RENDERDOC_CAPTURE") != NULL;
    WGPUDawnTogglesDescriptor toggles = {
        .chain = {.sType = WGPUSType_DawnTogglesDescriptor},
        .enabledToggleCount = is_captured ? sizeof enabled / sizeof enabled[0] : 0,
        .enabledToggles = enabled,
        .disabledToggleCount =
            gpu->limit_kind == AGPU_LIMITS_ADAPTER ? sizeof disabled / sizeof disabled[0] : 0,
        .disabledToggles = disabled,
    };
    WGPUFeatureName features[AG_GPU_FEATURE_COUNT];
    const ag_gpu_feature_set wanted = ag_limits_features(gpu->limit_kind) & ~gpu->without;
    const uint32_t feature_count = ag_feature_set_names(ag_adapter_features(adapter) & wanted, features);
    WGPULimits limits = {0};
    wgpuAdapterGetLimits(adapter, &limits);
    ag_limits_lower(gpu->limit_kind, &limits);
    const WGPUDeviceLostCallbackInfo lost = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_device_lost,
        .userdata1 = gpu,
    };
    const WGPUUncapturedErrorCallbackInfo uncaptured = {.callback = on_uncaptured_error, .userdata1 = gpu};
    const WGPUDeviceDescriptor descriptor = {
        .nextInChain = &toggles.chain,
        .label = ag_webgpu_string("aerogpu"),
        .requiredFeatureCount = feature_count,
        .requiredFeatures = features,
        .requiredLimits = &limits,
        .deviceLostCallbackInfo = lost,
        .uncapturedErrorCallbackInfo = uncaptured,
    };
    struct device_answer answer = {.sink = &gpu->sink};
    const WGPURequestDeviceCallbackInfo callback = {
        .mode = WGPUCallbackMode_WaitAnyOnly,
        .callback = take_device,
        .userdata1 = &answer,
    };
    ag_wait_future(gpu->instance, wgpuAdapterRequestDevice(adapter, &descriptor, callback), UINT64_MAX);
    gpu->device = answer.device;
    return gpu->device != NULL ? AGPU_OK : AGPU_MISSING;
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

static enum agpu_status make_device(struct agpu_gpu *gpu)
{
    WGPUAdapter adapter;
    enum agpu_status status = ag_adapter_request(gpu->instance, gpu->driver, &gpu->sink, &adapter);
    if (status != AGPU_OK)
        return status;
    status = request_device(gpu, adapter);
    wgpuAdapterRelease(adapter);
    return status;
}

static enum agpu_status open_device(struct agpu_gpu *gpu, const struct agpu_gpu_options *options)
{
    enum agpu_status status = wanted_driver(options, &gpu->sink, &gpu->driver);
    if (status != AGPU_OK)
        return status;
    gpu->limit_kind = options->limits;
    for (uint32_t i = 0; i < options->without_count; i++)
        gpu->without |= ag_feature_named(options->without[i]);
    gpu->instance = ag_instance_create(gpu->limit_kind);
    if (gpu->instance == NULL) {
        ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_ADAPTER, AGPU_ERROR, ag_place_none(),
                  "the WebGPU library makes no instance");
        return AGPU_MISSING;
    }
    gpu->owns_device = true;
    return make_device(gpu);
}

static enum agpu_status adopt_device(struct agpu_gpu *gpu, const struct agpu_gpu_options *options)
{
    if (options->instance == NULL || options->device == NULL) {
        ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
                  "an embedder's instance and device are given together, or neither");
        return AGPU_MISSING;
    }
    gpu->instance = options->instance;
    gpu->device = options->device;
    wgpuInstanceAddRef(gpu->instance);
    wgpuDeviceAddRef(gpu->device);
    return AGPU_OK;
}

static enum agpu_status learn_device(struct agpu_gpu *gpu)
{
    WGPUDawnTexelCopyBufferRowAlignmentLimits rows = {
        .chain = {.sType = WGPUSType_DawnTexelCopyBufferRowAlignmentLimits},
    };
    gpu->queue = wgpuDeviceGetQueue(gpu->device);
    gpu->features = ag_device_features(gpu->device);
    gpu->copy_row_alignment = DEFAULT_COPY_ROW_ALIGNMENT;
    const bool has_rows = ag_gpu_has(gpu, AG_GPU_FEATURE_COPY_ROW_ALIGNMENT);
    gpu->limits.nextInChain = has_rows ? &rows.chain : NULL;
    const WGPUStatus got = wgpuDeviceGetLimits(gpu->device, &gpu->limits);
    gpu->limits.nextInChain = NULL;
    /* Buffers consist of whole words, but some drivers report 2^32 - 1. */
    gpu->limits.maxBufferSize &= ~UINT64_C(3);
    if (got != WGPUStatus_Success || !ag_device_describe(gpu->device, &gpu->record)) {
        ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
                  "the device does not tell its limits");
        return AGPU_MISSING;
    }
    const uint32_t alignment = rows.minTexelCopyBufferRowAlignment;
    if (has_rows && alignment > 0 && alignment < DEFAULT_COPY_ROW_ALIGNMENT)
        gpu->copy_row_alignment = alignment;
    return AGPU_OK;
}

enum agpu_status agpu_gpu_create(const struct agpu_gpu_options *given, const struct agpu_diag_sink *sink,
                                 struct agpu_gpu **gpu)
{
    struct agpu_gpu_options options;
    *gpu = NULL;
    ag_table_read(&options, sizeof options, AG_MEMBER_END(struct agpu_gpu_options, without_count), given);
    enum agpu_status status = ag_webgpu_load(options.library, sink);
    if (status != AGPU_OK)
        return status;
    struct agpu_gpu *const made = calloc(1, sizeof *made);
    if (made == NULL)
        return ag_report_no_memory(sink);
    ag_gpu_set_sink(made, sink);
    const bool adopted = options.instance != NULL || options.device != NULL;
    status = adopted ? adopt_device(made, &options) : open_device(made, &options);
    if (status == AGPU_OK)
        status = learn_device(made);
    if (status != AGPU_OK) {
        agpu_gpu_destroy(made);
        return status;
    }
    *gpu = made;
    return AGPU_OK;
}

enum agpu_status ag_gpu_revive(struct agpu_gpu *gpu)
{
    const WGPUDevice device = gpu->device;
    const WGPUQueue queue = gpu->queue;
    if (!gpu->lost)
        return AGPU_OK;
    if (!gpu->owns_device) {
        ag_report(&gpu->sink, AGPU_DIAG_GPU_LOST, AGPU_ERROR, ag_place_none(),
                  "the embedder's GPU device was lost; only the embedder can make another one");
        return AGPU_MISSING;
    }
    /* Returns at once, because the lost device has dropped its work. */
    ag_gpu_wait_serial(gpu, gpu->signalled_serial, UINT64_MAX);
    enum agpu_status status = make_device(gpu);
    if (status != AGPU_OK) {
        gpu->device = device;
        return status;
    }
    wgpuQueueRelease(queue);
    wgpuDeviceRelease(device);
    status = learn_device(gpu);
    gpu->lost = status != AGPU_OK;
    return status;
}

/* Waits for pending callbacks, which hold the gpu's address. */
static void drain(struct agpu_gpu *gpu)
{
    if (gpu->owns_device)
        wgpuDeviceDestroy(gpu->device);
    ag_gpu_wait_serial(gpu, gpu->signalled_serial, UINT64_MAX);
    if (gpu->owns_device)
        ag_gpu_wait_flag(gpu, &gpu->lost, UINT64_MAX);
}

void agpu_gpu_destroy(struct agpu_gpu *gpu)
{
    if (gpu == NULL)
        return;
    gpu->closing = true;
    if (gpu->device != NULL)
        drain(gpu);
    if (gpu->queue != NULL)
        wgpuQueueRelease(gpu->queue);
    if (gpu->device != NULL)
        wgpuDeviceRelease(gpu->device);
    if (gpu->instance != NULL)
        wgpuInstanceRelease(gpu->instance);
    free(gpu);
}

enum agpu_driver ag_gpu_driver(const struct agpu_gpu *gpu)
{
    return gpu->record.driver;
}

void ag_gpu_clear_new_buffer(const struct agpu_gpu *gpu, WGPUBuffer buffer, uint64_t size)
{
    static const uint8_t zeros[1 << 16];
    if (ag_gpu_driver(gpu) != AGPU_DRIVER_NULL || buffer == NULL)
        return;
    for (uint64_t offset = 0; offset < size; offset += sizeof zeros)
        wgpuQueueWriteBuffer(gpu->queue, buffer, offset, zeros,
                             size - offset < sizeof zeros ? (size_t)(size - offset) : sizeof zeros);
}

void agpu_gpu_info(const struct agpu_gpu *gpu, struct agpu_adapter_info *info)
{
    ag_adapter_record_public(&gpu->record, info);
}

WGPUInstance ag_gpu_instance(const struct agpu_gpu *gpu)
{
    return gpu->instance;
}

WGPUDevice ag_gpu_device(const struct agpu_gpu *gpu)
{
    return gpu->device;
}

WGPUQueue ag_gpu_queue(const struct agpu_gpu *gpu)
{
    return gpu->queue;
}

const WGPULimits *ag_gpu_limits(const struct agpu_gpu *gpu)
{
    return &gpu->limits;
}

bool ag_gpu_has(const struct agpu_gpu *gpu, enum ag_gpu_feature feature)
{
    return gpu->features >> feature & 1;
}

uint32_t ag_gpu_copy_row_alignment(const struct agpu_gpu *gpu)
{
    return gpu->copy_row_alignment;
}

bool ag_gpu_is_lost(const struct agpu_gpu *gpu)
{
    return gpu->lost;
}

void ag_gpu_set_sink(struct agpu_gpu *gpu, const struct agpu_diag_sink *sink)
{
    gpu->sink = sink != NULL ? *sink : (struct agpu_diag_sink){0};
}

/* An embedder's device reports its loss to the embedder, so the loss must be noticed in other ways. */
static void notice_loss(struct agpu_gpu *gpu)
{
    WGPUFutureWaitInfo info = {.future = wgpuDeviceGetLostFuture(gpu->device)};
    if (wgpuInstanceWaitAny(gpu->instance, 1, &info, 0) != WGPUWaitStatus_Success || !info.completed)
        return;
    gpu->lost = true;
    if (!gpu->closing)
        ag_report(&gpu->sink, AGPU_DIAG_GPU_LOST, AGPU_ERROR, ag_place_none(),
                  "the embedder's GPU device was lost");
}

void ag_gpu_poll(struct agpu_gpu *gpu)
{
    wgpuInstanceProcessEvents(gpu->instance);
    if (!gpu->owns_device && !gpu->lost)
        notice_loss(gpu);
}

static void on_work_done(WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1,
                         void *userdata2)
{
    (void)message;
    (void)status; /* the work is over, whether it failed or not */
    struct agpu_gpu *const gpu = userdata1;
    const uint64_t serial = (uintptr_t)userdata2;
    if (serial > gpu->completed_serial)
        gpu->completed_serial = serial;
}

uint64_t ag_gpu_signal(struct agpu_gpu *gpu)
{
    const uint64_t serial = ++gpu->signalled_serial;
    const WGPUQueueWorkDoneCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_work_done,
        .userdata1 = gpu,
        .userdata2 = (void *)(uintptr_t)serial,
    };
    wgpuQueueOnSubmittedWorkDone(gpu->queue, callback);
    return serial;
}

uint64_t ag_gpu_signalled_serial(const struct agpu_gpu *gpu)
{
    return gpu->signalled_serial;
}

uint64_t ag_gpu_completed_serial(const struct agpu_gpu *gpu)
{
    return gpu->completed_serial;
}
