/* SPDX-License-Identifier: MIT
 *
 * The WebGPU device: creation, loss and replacement, and the queue's timeline.
 */
#include "gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/table.h"
#include "gpu/blob_cache.h"
#include "gpu/device.h"
#include "gpu/library.h"
#include "gpu/worker.h"

#define DEFAULT_PATIENCE_NS (UINT64_C(10) * 1000000000)
/* Between two polls the GPU stands still for so long at most: a process that was stopped in between has not
 * waited. */
#define LONGEST_GAP_NS (UINT64_C(1) * 1000000000)
/* How often a library that owes no answer is asked all the same: it may have lost the device, or have objects
 * to delete. */
#define IDLE_PERIOD_NS UINT64_C(200000)

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

static void drop_next(struct agpu_gpu *gpu)
{
    if (gpu->next_device != NULL)
        wgpuDeviceRelease(gpu->next_device);
    if (gpu->next_instance != NULL)
        wgpuInstanceRelease(gpu->next_instance);
    gpu->next_device = NULL;
    gpu->next_instance = NULL;
}

static enum agpu_status learn_device(struct agpu_gpu *gpu)
{
    gpu->queue = wgpuDeviceGetQueue(gpu->device);
    gpu->features = ag_device_features(gpu->device);
    const WGPUStatus got = wgpuDeviceGetLimits(gpu->device, &gpu->limits);
    /* Buffers consist of whole words, but some drivers report 2^32 - 1. */
    gpu->limits.maxBufferSize &= ~UINT64_C(3);
    if (got != WGPUStatus_Success || !ag_device_describe(gpu->device, &gpu->record)) {
        ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
                  "the device does not tell its limits");
        return AGPU_MISSING;
    }
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
    made->patience_ns = DEFAULT_PATIENCE_NS;
    made->link = ag_device_link_create(made);
    made->abandonments = ag_abandonments_create();
    if (made->link == NULL || made->abandonments == NULL) {
        agpu_gpu_destroy(made);
        return ag_report_no_memory(sink);
    }
    const bool adopted = options.instance != NULL || options.device != NULL;
    status = adopted ? adopt_device(made, &options) : ag_gpu_open(made, &options);
    if (status == AGPU_OK)
        status = learn_device(made);
    if (status != AGPU_OK) {
        agpu_gpu_destroy(made);
        return status;
    }
    *gpu = made;
    return AGPU_OK;
}

/* ---- Abandoning a device that hangs ------------------------------------------------------------------- */

void ag_gpu_abandon(struct agpu_gpu *gpu)
{
    if (gpu->abandoned)
        return;
    gpu->lost = gpu->abandoned = true;
    gpu->completed_serial = gpu->signalled_serial;
    gpu->stalled_ns = 0;
    ag_device_link_cut(gpu->link);
}

/* A device of the embedder's is the embedder's business. */
void ag_gpu_let_go(struct agpu_gpu *gpu)
{
    const struct ag_abandoned_device old = {gpu->instance, gpu->device, gpu->queue, gpu->link};
    gpu->instance = NULL;
    gpu->device = NULL;
    gpu->queue = NULL;
    gpu->link = NULL;
    gpu->abandoned = false;
    if (gpu->owns_device) {
        ag_gpu_leave(gpu, &old);
        return;
    }
    wgpuQueueRelease(old.queue);
    wgpuDeviceRelease(old.device);
    wgpuInstanceRelease(old.instance);
    ag_device_link_release(old.link);
}

uint64_t ag_gpu_stalled_ns(const struct agpu_gpu *gpu)
{
    return gpu->stalled_ns;
}

void ag_gpu_set_patience(struct agpu_gpu *gpu, uint64_t patience_ns)
{
    gpu->patience_ns = patience_ns;
}

bool ag_gpu_has_answered(const struct agpu_gpu *gpu)
{
    return gpu->completed_serial == gpu->signalled_serial && gpu->link->requests == NULL;
}

struct ag_device_link *ag_gpu_link(const struct agpu_gpu *gpu)
{
    return gpu->link;
}

/* ---- Replacing a lost device -------------------------------------------------------------------------- */

enum agpu_status agpu_gpu_replace_device(struct agpu_gpu *gpu, void *instance, void *device)
{
    if (gpu->owns_device || instance == NULL || device == NULL) {
        ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
                  "only an embedder's device is replaced, by an instance and a device of the embedder");
        return AGPU_REFUSED;
    }
    drop_next(gpu);
    gpu->next_instance = instance;
    gpu->next_device = device;
    wgpuInstanceAddRef(gpu->next_instance);
    wgpuDeviceAddRef(gpu->next_device);
    return AGPU_OK;
}

bool ag_gpu_has_replacement(const struct agpu_gpu *gpu)
{
    return gpu->next_device != NULL;
}

void ag_gpu_start_worker(struct agpu_gpu *gpu)
{
    if (gpu->worker == NULL && gpu->device != NULL && !gpu->lost)
        gpu->worker = ag_worker_create(gpu->device);
}

/* The lost device has dropped its work. */
static enum ag_gpu_revival use_device(struct agpu_gpu *gpu, WGPUDevice device)
{
    const bool has_worker = gpu->worker != NULL;
    ag_worker_destroy(gpu->worker);
    gpu->worker = NULL;
    if (gpu->queue != NULL)
        wgpuQueueRelease(gpu->queue);
    if (gpu->device != NULL)
        wgpuDeviceRelease(gpu->device);
    gpu->device = device;
    gpu->completed_serial = gpu->signalled_serial;
    gpu->loss_is_final_reported = false;
    gpu->lost = learn_device(gpu) != AGPU_OK;
    if (has_worker)
        ag_gpu_start_worker(gpu);
    return gpu->lost ? AG_GPU_GONE : AG_GPU_REVIVED;
}

static enum ag_gpu_revival use_replacement(struct agpu_gpu *gpu)
{
    const WGPUDevice device = gpu->next_device;
    if (device == NULL) {
        if (!gpu->loss_is_final_reported)
            ag_report(&gpu->sink, AGPU_DIAG_GPU_LOST, AGPU_ERROR, ag_place_none(),
                      "the embedder's GPU device was lost, and the embedder has given no other");
        gpu->loss_is_final_reported = true;
        return AG_GPU_GONE;
    }
    if (gpu->abandoned) {
        struct ag_device_link *const link = ag_device_link_create(gpu);
        if (link == NULL)
            return AG_GPU_GONE;
        ag_gpu_let_go(gpu);
        gpu->link = link;
    } else {
        wgpuInstanceRelease(gpu->instance);
    }
    gpu->instance = gpu->next_instance;
    gpu->next_instance = NULL;
    gpu->next_device = NULL;
    return use_device(gpu, device);
}

enum ag_gpu_revival ag_gpu_revive(struct agpu_gpu *gpu)
{
    if (!gpu->lost)
        return AG_GPU_REVIVED;
    if (!gpu->owns_device)
        return use_replacement(gpu);
    const enum ag_gpu_revival revival = ag_gpu_reopen(gpu);
    return revival == AG_GPU_REVIVED ? use_device(gpu, gpu->opening.device) : revival;
}

/* ---- The end ------------------------------------------------------------------------------------------ */

/* WebGPU answers all that is pending when an instance goes. */
static void close_device(struct agpu_gpu *gpu)
{
    if (gpu->queue != NULL)
        wgpuQueueRelease(gpu->queue);
    if (gpu->device != NULL && gpu->owns_device)
        wgpuDeviceDestroy(gpu->device);
    if (gpu->device != NULL)
        wgpuDeviceRelease(gpu->device);
    if (gpu->instance != NULL)
        wgpuInstanceRelease(gpu->instance);
    if (gpu->link != NULL)
        ag_blob_cache_cut(gpu->link->blobs);
    ag_device_link_release(gpu->link);
}

/* Whether the GPU, the library and the worker have nothing left to do for a device. */
static bool is_at_rest(struct agpu_gpu *gpu)
{
    return (gpu->worker == NULL || ag_worker_rest(gpu->worker, gpu->patience_ns)) &&
           (gpu->lost || ag_gpu_settle(gpu));
}

/* An embedder's device goes on with its work, and what it answers reaches the link alone. Destroying a device
 * that was made here waits for the GPU. */
void agpu_gpu_destroy(struct agpu_gpu *gpu)
{
    if (gpu == NULL)
        return;
    gpu->closing = true;
    gpu->sink = (struct agpu_diag_sink){0};
    drop_next(gpu);
    if (gpu->device != NULL && gpu->owns_device && !gpu->abandoned && !is_at_rest(gpu))
        ag_gpu_abandon(gpu);
    ag_worker_destroy(gpu->worker);
    if (gpu->link != NULL)
        gpu->link->gpu = NULL;
    if (gpu->abandoned)
        ag_gpu_let_go(gpu);
    else
        close_device(gpu);
    ag_abandonments_release(gpu->abandonments);
    free(gpu);
}

enum agpu_driver ag_gpu_driver(const struct agpu_gpu *gpu)
{
    return gpu->record.driver;
}

void ag_gpu_clear_new_buffer(struct agpu_gpu *gpu, WGPUBuffer buffer, uint64_t size)
{
    static const uint8_t zeros[1 << 16];
    if (ag_gpu_driver(gpu) != AGPU_DRIVER_NULL || buffer == NULL)
        return;
    for (uint64_t offset = 0; offset < size; offset += sizeof zeros)
        wgpuQueueWriteBuffer(ag_gpu_writer(gpu), buffer, offset, zeros,
                             size - offset < sizeof zeros ? (size_t)(size - offset) : sizeof zeros);
}

void ag_gpu_copy_to_buffer(const struct agpu_gpu *gpu, WGPUCommandEncoder encoder,
                           const WGPUTexelCopyTextureInfo *from, const WGPUTexelCopyBufferInfo *to,
                           const WGPUExtent3D *extent)
{
    if (ag_gpu_driver(gpu) != AGPU_DRIVER_NULL)
        wgpuCommandEncoderCopyTextureToBuffer(encoder, from, to, extent);
}

void ag_gpu_copy_to_texture(const struct agpu_gpu *gpu, WGPUCommandEncoder encoder,
                            const WGPUTexelCopyBufferInfo *from, const WGPUTexelCopyTextureInfo *to,
                            const WGPUExtent3D *extent)
{
    if (ag_gpu_driver(gpu) != AGPU_DRIVER_NULL)
        wgpuCommandEncoderCopyBufferToTexture(encoder, from, to, extent);
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

static void measure_stall(struct agpu_gpu *gpu, uint64_t now)
{
    const uint64_t gap = now - gpu->polled_ns < LONGEST_GAP_NS ? now - gpu->polled_ns : LONGEST_GAP_NS;
    const bool moves =
        gpu->completed_serial == gpu->signalled_serial || gpu->completed_serial >= gpu->awaited_serial;
    gpu->stalled_ns = moves ? 0 : gpu->stalled_ns + gap;
    gpu->awaited_serial = gpu->completed_serial + 1;
    gpu->polled_ns = now;
}

static void poll_at(struct agpu_gpu *gpu, uint64_t now)
{
    gpu->asked_ns = now;
    wgpuInstanceProcessEvents(gpu->instance);
    if (!gpu->owns_device && !gpu->lost)
        notice_loss(gpu);
    measure_stall(gpu, now);
}

void ag_gpu_poll(struct agpu_gpu *gpu)
{
    if (!gpu->abandoned)
        poll_at(gpu, ag_clock_ns());
}

void ag_gpu_poll_answers(struct agpu_gpu *gpu)
{
    if (gpu->abandoned)
        return;
    const uint64_t now = ag_clock_ns();
    if (!ag_gpu_has_answered(gpu) || now - gpu->asked_ns >= IDLE_PERIOD_NS)
        poll_at(gpu, now);
}

/* A pointer holds 32 bits on some hosts: they are the low word of a serial that was signalled. */
static void on_work_done(WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1,
                         void *userdata2)
{
    (void)message;
    (void)status; /* the work is over, whether it failed or not */
    struct ag_device_link *const link = userdata1;
    struct agpu_gpu *const gpu = link->gpu;
    if (gpu != NULL) {
        const uint32_t age = (uint32_t)gpu->signalled_serial - (uint32_t)(uintptr_t)userdata2;
        const uint64_t serial = gpu->signalled_serial - age;
        if (serial > gpu->completed_serial)
            gpu->completed_serial = serial;
    }
    ag_device_link_release(link);
}

uint64_t ag_gpu_signal(struct agpu_gpu *gpu)
{
    const uint64_t serial = ++gpu->signalled_serial;
    if (gpu->abandoned || gpu->queue == NULL) {
        gpu->completed_serial = serial;
        return serial;
    }
    if (serial == gpu->completed_serial + 1) { /* the GPU was idle */
        gpu->awaited_serial = serial;
        gpu->polled_ns = ag_clock_ns();
    }
    const WGPUQueueWorkDoneCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_work_done,
        .userdata1 = gpu->link,
        .userdata2 = (void *)(uintptr_t)(uint32_t)serial,
    };
    ag_device_link_take(gpu->link);
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
