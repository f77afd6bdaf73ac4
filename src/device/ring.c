/* SPDX-License-Identifier: MIT
 *
 * The doorbell: from the ring header to consumed descriptors. (Spec: ABI 4.4 R1-R10, 4.5, 13 M1 and M10.)
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/bytes.h"
#include "device/state.h"

#define SLOT_MIN_BYTES ((uint32_t)sizeof(struct aerogpu_submit_desc))

/* An error of the ring itself belongs to no submission, so its fence is 0. */
static void AG_PRINTF(3, 4)
    fail_ring(struct agpu_device *device, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(&device->callbacks.diagnostics, code, AGPU_ERROR, ag_place_none(), format, arguments);
    va_end(arguments);
    ag_record_error(device, agpu_diag_error_register(code), 0);
}

static bool write_head(struct agpu_device *device, uint32_t head)
{
    return ag_dma_write(device, device->ring.gpa + offsetof(struct aerogpu_ring_header, head), &head,
                        sizeof head);
}

static void discard(struct agpu_device *device)
{
    uint32_t tail;
    if (!ag_dma_read(device, device->ring.gpa + offsetof(struct aerogpu_ring_header, tail), &tail,
                     sizeof tail) ||
        !write_head(device, tail))
        ag_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_GUEST_MEMORY, AGPU_WARNING,
                  ag_place_none(), "the ring's head and tail at 0x%llx cannot be reached",
                  (unsigned long long)device->ring.gpa);
}

static bool header_wraps(const struct agpu_device *device)
{
    uint64_t end;
    return !ag_add_u64(device->ring.gpa, sizeof(struct aerogpu_ring_header), &end);
}

void ag_ring_discard(struct agpu_device *device)
{
    if (device->ring.gpa == 0)
        return;
    if (header_wraps(device))
        fail_ring(device, AGPU_DIAG_DEVICE_RING_RANGE, "a ring at 0x%llx passes the end of memory",
                  (unsigned long long)device->ring.gpa);
    else
        discard(device);
}

void ag_ring_forget_load(struct agpu_device *device)
{
    ag_submission_load_drop(device->queue.load);
    device->queue.load = NULL;
}

/* Checks the registers (R2, R3) before guest memory is touched. */
static bool check_registers(struct agpu_device *device)
{
    const struct ring_registers *ring = &device->ring;
    const uint32_t size = ring->size_bytes > sizeof(struct aerogpu_ring_header)
                              ? ring->size_bytes
                              : (uint32_t)sizeof(struct aerogpu_ring_header);
    uint64_t end;
    if (ring->gpa == 0 || ring->size_bytes == 0) {
        fail_ring(device, AGPU_DIAG_DEVICE_RING, "doorbell without a ring address or a ring size");
        return false;
    }
    if (!ag_add_u64(ring->gpa, size, &end)) {
        fail_ring(device, AGPU_DIAG_DEVICE_RING_RANGE,
                  "a ring of %u bytes at 0x%llx passes the end of memory", size,
                  (unsigned long long)ring->gpa);
        if (!header_wraps(device))
            discard(device);
        return false;
    }
    return true;
}

/* Checks our copy of the header (R4-R8). This implies R10: every slot lies inside the range of the
 * registers. */
static bool check_header(struct agpu_device *device, const struct aerogpu_ring_header *header)
{
    const char *problem = NULL;
    const uint64_t layout_bytes =
        sizeof *header + (uint64_t)header->entry_count * header->entry_stride_bytes; /* cannot wrap */
    if (header->magic != AEROGPU_RING_MAGIC)
        problem = "the ring header's magic is wrong";
    else if (header->abi_version >> 16 != AEROGPU_ABI_MAJOR)
        problem = "the ring header's major version is not ours";
    else if (header->entry_count == 0 || (header->entry_count & (header->entry_count - 1)) != 0)
        problem = "the ring's entry count is not a power of two";
    else if (header->entry_stride_bytes < SLOT_MIN_BYTES)
        problem = "the ring's entry stride is below 64";
    else if (layout_bytes > header->size_bytes)
        problem = "the ring's entries do not fit its size";
    else if (header->size_bytes > device->ring.size_bytes)
        problem = "the ring header's size is above RING_SIZE_BYTES";
    if (problem == NULL)
        return true;
    fail_ring(device, AGPU_DIAG_DEVICE_RING, "%s", problem);
    return false;
}

static bool read_header(struct agpu_device *device, struct aerogpu_ring_header *header)
{
    if (!ag_dma_read(device, device->ring.gpa, header, sizeof *header)) {
        fail_ring(device, AGPU_DIAG_DEVICE_GUEST_MEMORY, "the ring header at 0x%llx cannot be read",
                  (unsigned long long)device->ring.gpa);
        return false;
    }
    /* The tail must be read before the slots that it covers (O3). */
    atomic_thread_fence(memory_order_acquire);
    return check_header(device, header);
}

/* Begins to load the submission of the descriptor in one slot. */
static bool begin_load(struct agpu_device *device, const struct aerogpu_ring_header *header, uint64_t slot)
{
    struct aerogpu_submit_desc desc;
    if (!ag_dma_read(device, slot, &desc, sizeof desc)) {
        fail_ring(device, AGPU_DIAG_DEVICE_GUEST_MEMORY, "the ring slot at 0x%llx cannot be read",
                  (unsigned long long)slot);
        write_head(device, header->tail);
        return false;
    }
    device->queue.load = ag_submission_load_begin(device, slot, &desc, header->entry_stride_bytes);
    if (device->queue.load != NULL)
        return true;
    /* The descriptor stays in the ring, and a later poll tries again, because the guest waits for its
     * fence. */
    device->ring.doorbell_pending = true;
    fail_ring(device, AGPU_DIAG_OUT_OF_MEMORY, "out of memory");
    return false;
}

/* Takes the descriptor in one slot, for which *room has room. False when there is more to do for it than
 * that, when the ring is unusable or the host is out of memory. */
static bool consume(struct agpu_device *device, const struct aerogpu_ring_header *header, uint32_t counter,
                    uint64_t *room)
{
    const uint64_t slot = device->ring.gpa + sizeof *header +
                          (uint64_t)(counter % header->entry_count) * header->entry_stride_bytes;
    struct submission_queue *const queue = &device->queue;
    if (queue->load != NULL && !ag_submission_load_is_of(queue->load, slot)) /* the guest took it back */
        ag_ring_forget_load(device);
    if (queue->load == NULL && !begin_load(device, header, slot))
        return false;
    if (!ag_submission_load_step(queue->load, room)) {
        device->ring.doorbell_pending = true;
        return false;
    }
    struct pending_submission *const pending = ag_submission_load_end(queue->load);
    queue->load = NULL;
    ag_submission_queue_push(device, pending);
    const bool head_stored = write_head(device, counter + 1);
    if (!head_stored)
        fail_ring(device, AGPU_DIAG_DEVICE_GUEST_MEMORY, "the ring's head at 0x%llx cannot be written",
                  (unsigned long long)device->ring.gpa);
    return head_stored;
}

static void take_descriptors(struct agpu_device *device)
{
    struct aerogpu_ring_header header;
    if (!check_registers(device) || !read_header(device, &header))
        return;
    const uint32_t pending = header.tail - header.head;
    if (pending > header.entry_count) {
        fail_ring(device, AGPU_DIAG_DEVICE_RING, "%u pending entries in a ring of %u", pending,
                  header.entry_count);
        write_head(device, header.tail);
        return;
    }
    uint64_t room = AG_DOORBELL_LIMIT_BYTES;
    for (uint32_t i = 0; i < pending; i++) {
        const bool is_enough = i == AG_DOORBELL_LIMIT || room == 0;
        if (is_enough || !ag_submission_queue_have_room(device)) {
            device->ring.doorbell_pending = true;
            return;
        }
        if (!consume(device, &header, header.head + i, &room))
            return;
    }
}

void ag_ring_doorbell(struct agpu_device *device)
{
    device->ring.doorbell_pending = false;
    if ((device->ring.control & AEROGPU_RING_CONTROL_ENABLE) == 0)
        return;
    if (!ag_pci_dma_enabled(device)) {
        device->ring.doorbell_pending = true;
        return;
    }
    take_descriptors(device);
    ag_submission_queue_run(device);
    ag_submission_queue_advance(device);
    ag_fence_page_write(device);
}
