/* SPDX-License-Identifier: MIT
 *
 * The inside of a guest device: where ring, fence page and allocation table lie, and who may touch them.
 */
#ifndef GUEST_CORE_DEVICE_H
#define GUEST_CORE_DEVICE_H

#include "guest/core/core.h"
#include "guest/core/heap.h"

#define GUEST_RING_ENTRIES 256u

struct guest_device {
    struct guest_bus bus;
    uint64_t features;
    uint32_t ext_version;
    uint32_t first_gpu_losses;
    uint32_t first_errors;

    /* Under GUEST_LOCK_DEVICE. */
    struct guest_heap heap;
    volatile struct aerogpu_ring_header *ring;
    uint32_t tail;
    uint64_t submitted;
    uint32_t next_handle, next_context;

    const volatile struct aerogpu_fence_page *fence_page; /* null: the registers tell */
    uint64_t heap_gpa;
    uint64_t table_gpa;
    uint32_t table_bytes;
};

void guest_device_lock(struct guest_device *device);
void guest_device_unlock(struct guest_device *device);

/* One descriptor into the ring, and the blocks that are free after it. Waits while the ring is full. */
struct guest_submission {
    uint32_t context_id;
    uint32_t flags; /* enum aerogpu_submit_flags */
    struct guest_block commands;
    uint32_t command_bytes;
    const struct guest_block *retired; /* besides `commands` */
    uint32_t retired_count;
};
enum guest_status guest_device_submit(struct guest_device *device, const struct guest_submission *submission,
                                      uint64_t *fence);

#endif
