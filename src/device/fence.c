/* SPDX-License-Identifier: MIT
 *
 * Outstanding submissions from the ring to their fence. (Spec: ABI 4.5, 4.6; limits: 14.)
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "device/state.h"

static void free_buffers(struct pending_submission *pending)
{
    free(pending->stream);
    free(pending->allocations);
    pending->stream = NULL;
    pending->allocations = NULL;
    pending->submission.stream = NULL;
    pending->submission.allocations = NULL;
}

/* ---- The queue in front of the executor ---------------------------------------------------------------- */

static struct pending_submission *next_queued(struct pending_submission *pending)
{
    while (pending != NULL && pending->state != SUBMISSION_QUEUED)
        pending = pending->next;
    return pending;
}

static void leave_queue(struct fence_state *fences, struct pending_submission *pending,
                        enum submission_state state)
{
    pending->state = state;
    fences->queued_count--;
    fences->queued_bytes -= pending->size_bytes;
    fences->oldest_queued = next_queued(pending->next);
}

static void drop_oldest_queued(struct agpu_device *device)
{
    struct pending_submission *pending = device->fences.oldest_queued;
    struct agpu_place place = AGPU_NO_PLACE;
    place.submission = pending->submission.number;
    ag_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_QUEUE_FULL, AGPU_ERROR, place,
              "the executor took no submission while %u with %llu bytes were waiting; the oldest is dropped",
              device->fences.queued_count, (unsigned long long)device->fences.queued_bytes);
    leave_queue(&device->fences, pending, SUBMISSION_DONE);
    free_buffers(pending);
    pending->error = agpu_diag_error_register(AGPU_DIAG_DEVICE_QUEUE_FULL);
    pending->waits_for_vblank = false;
}

static bool executor_is_ready(struct agpu_executor *executor)
{
    return !AG_EXECUTOR_HAS(executor, ready) || executor->ready == NULL || executor->ready(executor);
}

void ag_fences_run(struct agpu_device *device)
{
    struct fence_state *fences = &device->fences;
    struct agpu_executor *executor = device->executor;
    while (fences->oldest_queued != NULL && executor_is_ready(executor)) {
        struct pending_submission *pending = fences->oldest_queued;
        leave_queue(fences, pending, SUBMISSION_RUNNING);
        fences->running_bytes += pending->size_bytes;
        executor->submit(executor, &pending->submission);
        free_buffers(pending);
    }
    while (fences->oldest_queued != NULL &&
           (fences->queued_count > AG_QUEUE_LIMIT || fences->queued_bytes > AG_QUEUE_LIMIT_BYTES))
        drop_oldest_queued(device);
}

bool ag_fences_have_room(const struct agpu_device *device)
{
    return device->fences.count < AG_OUTSTANDING_LIMIT && device->fences.running_bytes < AG_QUEUE_LIMIT_BYTES;
}

/* ---- The order of completion --------------------------------------------------------------------------- */

void ag_fences_push(struct agpu_device *device, struct pending_submission *pending)
{
    struct fence_state *fences = &device->fences;
    struct pending_submission *previous = fences->newest_signal;
    if (pending->submission.fence != 0) {
        if (previous != NULL && previous->submission.fence == pending->submission.fence) {
            pending->wants_irq |= previous->wants_irq;
            pending->waits_for_vblank |= previous->waits_for_vblank;
            previous->waits_for_vblank = false;
            previous->merged = true;
        }
        fences->newest_signal = pending;
    }
    if (fences->newest != NULL)
        fences->newest->next = pending;
    else
        fences->oldest = pending;
    fences->newest = pending;
    fences->count++;
    if (pending->state == SUBMISSION_QUEUED) {
        fences->queued_count++;
        fences->queued_bytes += pending->size_bytes;
        if (fences->oldest_queued == NULL)
            fences->oldest_queued = pending;
    }
}

void ag_fences_finish(struct agpu_device *device, uint32_t number, uint32_t error)
{
    struct pending_submission *pending = device->fences.oldest;
    while (pending != NULL && (pending->state != SUBMISSION_RUNNING || pending->submission.number != number))
        pending = pending->next;
    /* Ignores an executor that reports a submission twice, or one that a reset has dropped. */
    if (pending == NULL)
        return;
    pending->state = SUBMISSION_DONE;
    pending->error = error;
    device->fences.running_bytes -= pending->size_bytes;
}

static bool is_held(const struct agpu_device *device, const struct pending_submission *pending)
{
    return pending->waits_for_vblank && pending->submission.fence > device->fences.completed;
}

static void complete_oldest(struct agpu_device *device)
{
    struct fence_state *fences = &device->fences;
    struct pending_submission *pending = fences->oldest;
    const uint64_t fence = pending->submission.fence;
    if (device->tap.completed != NULL)
        device->tap.completed(device->tap.user, pending->submission.number, fence, pending->error);
    fences->oldest = pending->next;
    fences->count--;
    if (fences->newest == pending)
        fences->newest = NULL;
    if (fences->newest_signal == pending)
        fences->newest_signal = NULL;
    if (pending->error != AEROGPU_ERROR_NONE)
        ag_record_error(device, pending->error, fence);
    if (!pending->merged && fence > fences->completed) {
        fences->completed = fence;
        fences->page_stale = true;
        if (pending->wants_irq)
            ag_irq_raise(device, AEROGPU_IRQ_FENCE);
    }
    free_buffers(pending);
    free(pending);
}

void ag_fences_advance(struct agpu_device *device)
{
    const struct fence_state *fences = &device->fences;
    while (fences->oldest != NULL && fences->oldest->state == SUBMISSION_DONE &&
           !is_held(device, fences->oldest))
        complete_oldest(device);
    ag_fence_page_flush(device);
}

void ag_fences_vblank(struct agpu_device *device)
{
    struct pending_submission *oldest = device->fences.oldest;
    if (oldest == NULL || oldest->state != SUBMISSION_DONE)
        return;
    oldest->waits_for_vblank = false;
    ag_fences_advance(device);
}

void ag_fences_release(struct agpu_device *device)
{
    for (struct pending_submission *pending = device->fences.oldest; pending != NULL; pending = pending->next)
        pending->waits_for_vblank = false;
    ag_fences_advance(device);
}

void ag_fences_reset(struct agpu_device *device)
{
    struct pending_submission *pending = device->fences.oldest;
    while (pending != NULL) {
        struct pending_submission *next = pending->next;
        free_buffers(pending);
        free(pending);
        pending = next;
    }
    device->fences = (struct fence_state){.page_gpa = device->fences.page_gpa};
}

/* ---- The fence page ------------------------------------------------------------------------------------ */

void ag_fence_page_flush(struct agpu_device *device)
{
    struct fence_state *fences = &device->fences;
    if (!fences->page_stale || !ag_pci_dma_enabled(device))
        return;
    fences->page_stale = false;
    if (fences->page_gpa == 0)
        return;
    uint8_t bytes[16];
    ag_store_u32(bytes, AEROGPU_FENCE_PAGE_MAGIC);
    ag_store_u32(bytes + 4, AEROGPU_ABI_VERSION_U32);
    ag_store_u64(bytes + 8, fences->completed);
    /* Write-backs become visible first, for a guest processor that polls the page. */
    atomic_thread_fence(memory_order_release);
    if (!ag_dma_write(device, fences->page_gpa, bytes, sizeof bytes))
        ag_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_GUEST_MEMORY, AGPU_WARNING,
                  ag_place_none(), "the fence page at 0x%llx cannot be written",
                  (unsigned long long)fences->page_gpa);
}

void ag_fence_page_write(struct agpu_device *device)
{
    device->fences.page_stale = true;
    ag_fence_page_flush(device);
}
