/* SPDX-License-Identifier: MIT
 *
 * A device as a whole: life, time, reset, and what the executor tells it.
 */
#include <stdlib.h>

#include "device/state.h"

#define FIXED_FEATURES                                                                                       \
    (AEROGPU_FEATURE_FENCE_PAGE | AEROGPU_FEATURE_CURSOR | AEROGPU_FEATURE_SCANOUT |                         \
     AEROGPU_FEATURE_TRANSFER | AEROGPU_FEATURE_ERROR_INFO)

static void on_presented(void *user, const struct agpu_present *present)
{
    struct agpu_device *device = user;
    const bool has_pixels = present->pixels != NULL;
    if (has_pixels && device->tap.presented != NULL)
        device->tap.presented(device->tap.user, present);
    while (has_pixels && !ag_scanout_store(device, present))
        continue;
    device->stored = (struct stored_picture){0};
    if (device->callbacks.presented != NULL && (has_pixels || device->callbacks.looks != NULL))
        device->callbacks.presented(device->callbacks.user, present);
}

static bool prepare(void *user, const struct agpu_present *present)
{
    return present->pixels == NULL || ag_scanout_store(user, present);
}

static bool looks(void *user)
{
    const struct agpu_device *device = user;
    const struct agpu_device_callbacks *callbacks = &device->callbacks;
    return device->tap.presented != NULL || ((callbacks->presented != NULL || callbacks->shown != NULL) &&
                                             (callbacks->looks == NULL || callbacks->looks(callbacks->user)));
}

static bool on_shown(void *user, const struct agpu_shown *shown)
{
    const struct agpu_device *device = user;
    const bool is_read = device->callbacks.shown(device->callbacks.user, shown);
    return is_read || device->tap.presented != NULL || ag_scanout_takes(device, shown->scanout_id);
}

/* Notes the completion only: the function that called into the executor completes fences when the call
 * returns. */
static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct agpu_device *device = user;
    if (device->tap.executed != NULL)
        device->tap.executed(device->tap.user, submission, error);
    ag_submission_queue_finish(device, submission, error);
}

static void on_device_lost(void *user)
{
    struct agpu_device *device = user;
    device->gpu_losses++;
}

enum agpu_status agpu_device_create(const struct agpu_device_options *options,
                                    const struct agpu_device_callbacks *callbacks,
                                    struct agpu_executor *executor, uint64_t now_ns,
                                    struct agpu_device **device)
{
    struct agpu_device_options all;
    struct agpu_device_callbacks calls;
    ag_table_read(&all, sizeof all, AG_MEMBER_END(struct agpu_device_options, tap), options);
    ag_table_read(&calls, sizeof calls, AG_MEMBER_END(struct agpu_device_callbacks, now_ns), callbacks);
    const struct agpu_guest_memory given = calls.memory;
    ag_table_read(&calls.memory, sizeof given, AG_MEMBER_END(struct agpu_guest_memory, reserved), &given);
    const struct agpu_diag_sink *sink = &calls.diagnostics;
    if (executor == NULL || calls.memory.read == NULL || calls.memory.write == NULL) {
        ag_report(sink, AGPU_DIAG_DEVICE_ARGUMENT, AGPU_ERROR, ag_place_none(),
                  "a device needs an executor and both guest memory callbacks");
        return AGPU_REFUSED;
    }
    struct agpu_device *made = calloc(1, sizeof *made);
    if (made == NULL)
        return ag_report_no_memory(sink);
    made->callbacks = calls;
    const uint32_t per_second =
        all.diagnostics_per_second != 0 ? all.diagnostics_per_second : AGPU_DEFAULT_DIAGNOSTICS_PER_SECOND;
    made->callbacks.diagnostics = ag_diag_limiter_init(&made->limiter, sink, per_second);
    made->executor = executor;
    ag_table_read(&made->tap, sizeof made->tap, AG_MEMBER_END(struct agpu_device_tap, user), all.tap);
    made->boot_ns = now_ns;
    made->now_ns = now_ns;
    if (AG_EXECUTOR_HAS(executor, extension))
        made->extension = executor->extension;
    made->features = FIXED_FEATURES | (made->extension ? AEROGPU_EXT_FEATURE : 0);
    made->pci_decode_off = all.pci_decode_off;
    ag_pci_init(made, all.pci_decode_off);
    ag_vblank_init(made, all.refresh_millihertz);
    const struct agpu_executor_events events = {
        .size = sizeof events,
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = made->callbacks.diagnostics,
        .user = made,
        .device_lost = on_device_lost,
        .looks = looks,
        .shown = calls.shown != NULL ? on_shown : NULL,
        .takes_any_layout =
            made->tap.presented == NULL && (calls.presented == NULL || calls.takes_any_layout),
        .prepare = made->tap.presented == NULL ? prepare : NULL, /* a tap hears of the picture first */
    };
    const struct agpu_guest_memory memory = {.size = sizeof memory,
                                             .read = ag_executor_dma_read,
                                             .write = ag_executor_dma_write,
                                             .user = made,
                                             .map = ag_executor_dma_map};
    executor->attach(executor, &events, &memory);
    if (made->tap.created != NULL)
        made->tap.created(made->tap.user, &all, now_ns);
    *device = made;
    return AGPU_OK;
}

void agpu_device_destroy(struct agpu_device *device)
{
    if (device == NULL)
        return;
    agpu_device_save_cancel(device);
    ag_submission_queue_reset(device);
    device->executor->reset(device->executor);
    free(device->vram);
    free(device);
}

enum agpu_status agpu_device_reset(struct agpu_device *device)
{
    if (device->tap.mmio_write != NULL || device->tap.submitted != NULL) {
        ag_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_ARGUMENT, AGPU_ERROR, ag_place_none(),
                  "a device that is recorded is not reset");
        return AGPU_REFUSED;
    }
    agpu_device_save_cancel(device);
    ag_submission_queue_reset(device);
    device->executor->reset(device->executor);
    free(device->vram);
    const struct agpu_device before = *device;
    *device = (struct agpu_device){
        .callbacks = before.callbacks,
        .executor = before.executor,
        .tap = before.tap,
        .pci_decode_off = before.pci_decode_off,
        .features = before.features,
        .extension = before.extension,
        .boot_ns = before.now_ns,
        .now_ns = before.now_ns,
        .irq.line = before.irq.line,
        .limiter = before.limiter,
        .vblank.period_ns = before.vblank.period_ns,
    };
    ag_pci_init(device, device->pci_decode_off);
    ag_irq_update(device);
    return AGPU_OK;
}

void ag_device_reset(struct agpu_device *device)
{
    agpu_device_save_cancel(device);
    ag_submission_queue_reset(device);
    device->executor->reset(device->executor);
    device->stored = (struct stored_picture){0};
    device->next_submission = 0;
    device->irq.status = 0;
    device->error = (struct error_registers){0};
    device->ring.doorbell_pending = false;
    device->ring.reset_pending = true;
    device->queue.page_stale = true;
    if (ag_pci_dma_enabled(device))
        ag_device_resume_dma(device);
}

void ag_device_resume_dma(struct agpu_device *device)
{
    if (device->ring.reset_pending) {
        device->ring.reset_pending = false;
        ag_ring_discard(device);
    }
    ag_fence_page_flush(device);
    if (device->ring.doorbell_pending)
        ag_ring_doorbell(device);
}

void ag_device_poll_executor(struct agpu_device *device)
{
    if (!ag_pci_dma_enabled(device))
        return;
    device->executor->poll(device->executor);
    ag_submission_queue_run(device);
    ag_submission_queue_advance(device);
}

static void set_time(struct agpu_device *device, uint64_t now_ns)
{
    if (now_ns <= device->now_ns)
        return;
    device->now_ns = now_ns;
    if (device->tap.time != NULL)
        device->tap.time(device->tap.user, now_ns, ag_vblank_is_due(device));
}

void ag_device_take_time(struct agpu_device *device)
{
    if (device->callbacks.now_ns == NULL)
        return;
    set_time(device, device->callbacks.now_ns(device->callbacks.user));
    if (!ag_vblank_is_due(device))
        return;
    ag_device_poll_executor(device); /* as in agpu_device_poll() */
    ag_vblank_advance(device);
}

bool agpu_device_poll(struct agpu_device *device, uint64_t now_ns)
{
    set_time(device, now_ns);
    /* Completes work first, so that a frame that is done at the time of a tick is shown by that tick. */
    ag_device_poll_executor(device);
    ag_vblank_advance(device);
    if (device->ring.doorbell_pending && ag_submission_queue_have_room(device))
        ag_ring_doorbell(device);
    ag_irq_update(device);
    ag_diag_limiter_catch_up(&device->limiter);
    return device->queue.oldest != NULL || device->ring.doorbell_pending;
}

uint64_t agpu_device_next_event_ns(const struct agpu_device *device)
{
    const bool has_more = agpu_executor_has_more(device->executor) ||
                          (device->ring.doorbell_pending && ag_submission_queue_have_room(device));
    if (ag_pci_dma_enabled(device) && has_more)
        return device->now_ns;
    return ag_vblank_running(device) ? device->vblank.next_tick_ns : UINT64_MAX;
}
