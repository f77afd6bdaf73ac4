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

/* The executor takes the buffers over. */
static void give_buffers(void *user)
{
    struct pending_submission *const pending = user;
    pending->stream = NULL;
    pending->allocations = NULL;
}

/* ---- The queue in front of the executor ---------------------------------------------------------------- */

static struct pending_submission *next_queued(struct pending_submission *pending)
{
    while (pending != NULL && pending->state != SUBMISSION_QUEUED)
        pending = pending->next;
    return pending;
}

static void leave_queue(struct submission_queue *queue, struct pending_submission *pending,
                        enum submission_state state)
{
    pending->state = state;
    queue->queued_count--;
    queue->queued_bytes -= pending->size_bytes;
    queue->oldest_queued = next_queued(pending->next);
}

/* Ends the waiting of a submission for vblanks. */
static void stop_waiting(struct submission_queue *queue, struct pending_submission *pending)
{
    queue->paced_count -= pending->paced;
    pending->paced = false;
    pending->vblanks = 0;
}

static void drop_oldest_queued(struct agpu_device *device)
{
    struct pending_submission *pending = device->queue.oldest_queued;
    struct agpu_place place = AGPU_NO_PLACE;
    place.submission = pending->submission.number;
    ag_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_QUEUE_FULL, AGPU_ERROR, place,
              "the executor took no submission while %u with %llu bytes were waiting; the oldest is dropped",
              device->queue.queued_count, (unsigned long long)device->queue.queued_bytes);
    leave_queue(&device->queue, pending, SUBMISSION_DONE);
    free_buffers(pending);
    pending->error = agpu_diag_error_register(AGPU_DIAG_DEVICE_QUEUE_FULL);
    stop_waiting(&device->queue, pending);
}

static bool executor_is_ready(struct agpu_executor *executor)
{
    return !AG_EXECUTOR_HAS(executor, ready) || executor->ready == NULL || executor->ready(executor);
}

void ag_submission_queue_run(struct agpu_device *device)
{
    struct submission_queue *queue = &device->queue;
    struct agpu_executor *executor = device->executor;
    while (queue->oldest_queued != NULL && !device->save && executor_is_ready(executor)) {
        struct pending_submission *pending = queue->oldest_queued;
        leave_queue(queue, pending, SUBMISSION_RUNNING);
        queue->running_bytes += pending->size_bytes;
        pending->submission.give = give_buffers;
        pending->submission.user = pending;
        pending->submission.has_next = queue->oldest_queued != NULL;
        executor->submit(executor, &pending->submission);
        free_buffers(pending);
    }
    while (queue->oldest_queued != NULL && !device->save &&
           (queue->queued_count > AG_QUEUE_LIMIT || queue->queued_bytes > AG_QUEUE_LIMIT_BYTES))
        drop_oldest_queued(device);
}

bool ag_submission_queue_have_room(const struct agpu_device *device)
{
    /* What the guest rings for during a save stays in the ring. */
    return !device->save && device->queue.count < AG_OUTSTANDING_LIMIT &&
           device->queue.running_bytes < AG_QUEUE_LIMIT_BYTES;
}

/* ---- The order of completion --------------------------------------------------------------------------- */

static void append(struct submission_queue *queue, struct pending_submission *pending)
{
    if (queue->newest != NULL)
        queue->newest->next = pending;
    else
        queue->oldest = pending;
    queue->newest = pending;
    queue->count++;
    if (pending->state == SUBMISSION_QUEUED) {
        queue->queued_count++;
        queue->queued_bytes += pending->size_bytes;
        if (queue->oldest_queued == NULL)
            queue->oldest_queued = pending;
    }
}

void ag_submission_queue_restore(struct agpu_device *device, struct pending_submission *pending)
{
    append(&device->queue, pending);
    if (pending->submission.fence != 0)
        device->queue.newest_signal = pending;
    if (pending->state == SUBMISSION_RUNNING)
        device->queue.running_bytes += pending->size_bytes;
    device->queue.paced_count += pending->paced;
}

void ag_submission_free(struct pending_submission *pending)
{
    free_buffers(pending);
    free(pending);
}

void ag_submission_queue_push(struct agpu_device *device, struct pending_submission *pending)
{
    struct submission_queue *queue = &device->queue;
    struct pending_submission *previous = queue->newest_signal;
    if (pending->submission.fence != 0) {
        if (previous != NULL && previous->submission.fence == pending->submission.fence) {
            pending->wants_irq |= previous->wants_irq;
            pending->vblanks = pending->vblanks > previous->vblanks ? pending->vblanks : previous->vblanks;
            pending->paced |= previous->paced;
            stop_waiting(queue, previous);
            previous->merged = true;
        }
        queue->newest_signal = pending;
    }
    append(queue, pending);
    if (pending->paced) {
        ag_vblank_pace(device);
        queue->paced_count++;
    }
}

void ag_submission_queue_finish(struct agpu_device *device, uint32_t number, uint32_t error)
{
    struct pending_submission *pending = device->queue.oldest;
    while (pending != NULL && (pending->state != SUBMISSION_RUNNING || pending->submission.number != number))
        pending = pending->next;
    /* Ignores an executor that reports a submission twice, or one that a reset has dropped. */
    if (pending == NULL)
        return;
    pending->state = SUBMISSION_DONE;
    pending->error = error;
    device->queue.running_bytes -= pending->size_bytes;
}

static bool is_held(const struct agpu_device *device, const struct pending_submission *pending)
{
    return pending->vblanks != 0 && pending->submission.fence > device->queue.completed;
}

static void complete_oldest(struct agpu_device *device)
{
    struct submission_queue *queue = &device->queue;
    struct pending_submission *pending = queue->oldest;
    const uint64_t fence = pending->submission.fence;
    if (device->tap.completed != NULL)
        device->tap.completed(device->tap.user, pending->submission.number, fence, pending->error);
    queue->oldest = pending->next;
    queue->count--;
    stop_waiting(queue, pending);
    if (queue->newest == pending)
        queue->newest = NULL;
    if (queue->newest_signal == pending)
        queue->newest_signal = NULL;
    if (pending->error != AEROGPU_ERROR_NONE)
        ag_record_error(device, pending->error, fence);
    if (!pending->merged && fence > queue->completed) {
        queue->completed = fence;
        queue->page_stale = true;
        if (pending->wants_irq)
            ag_irq_raise(device, AEROGPU_IRQ_FENCE);
    }
    free_buffers(pending);
    free(pending);
}

void ag_submission_queue_advance(struct agpu_device *device)
{
    const struct submission_queue *queue = &device->queue;
    while (queue->oldest != NULL && queue->oldest->state == SUBMISSION_DONE &&
           !is_held(device, queue->oldest))
        complete_oldest(device);
    ag_fence_page_flush(device);
}

void ag_submission_queue_vblank(struct agpu_device *device)
{
    struct pending_submission *oldest = device->queue.oldest;
    if (oldest == NULL || oldest->state != SUBMISSION_DONE)
        return;
    if (oldest->vblanks > 1)
        oldest->vblanks--;
    else
        stop_waiting(&device->queue, oldest);
    ag_submission_queue_advance(device);
}

void ag_submission_queue_release(struct agpu_device *device)
{
    for (struct pending_submission *pending = device->queue.oldest; pending != NULL; pending = pending->next)
        pending->vblanks = pending->paced ? pending->vblanks : 0;
    ag_submission_queue_advance(device);
}

void ag_submission_queue_reset(struct agpu_device *device)
{
    ag_submission_load_drop(device->queue.load);
    struct pending_submission *pending = device->queue.oldest;
    while (pending != NULL) {
        struct pending_submission *next = pending->next;
        free_buffers(pending);
        free(pending);
        pending = next;
    }
    device->queue = (struct submission_queue){.page_gpa = device->queue.page_gpa};
}

/* ---- The fence page ------------------------------------------------------------------------------------ */

void ag_fence_page_flush(struct agpu_device *device)
{
    struct submission_queue *queue = &device->queue;
    if (!queue->page_stale || !ag_pci_dma_enabled(device))
        return;
    queue->page_stale = false;
    if (queue->page_gpa == 0)
        return;
    uint8_t bytes[16];
    ag_store_u32(bytes, AEROGPU_FENCE_PAGE_MAGIC);
    ag_store_u32(bytes + 4, AEROGPU_ABI_VERSION_U32);
    ag_store_u64(bytes + 8, queue->completed);
    /* Write-backs become visible first, for a guest processor that polls the page. */
    atomic_thread_fence(memory_order_release);
    if (!ag_dma_write(device, queue->page_gpa, bytes, sizeof bytes))
        ag_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_GUEST_MEMORY, AGPU_WARNING,
                  ag_place_none(), "the fence page at 0x%llx cannot be written",
                  (unsigned long long)queue->page_gpa);
}

void ag_fence_page_write(struct agpu_device *device)
{
    device->queue.page_stale = true;
    ag_fence_page_flush(device);
}
