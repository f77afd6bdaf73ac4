/* SPDX-License-Identifier: MIT
 *
 * The device as its driver sees it: start, registers, errors, fences, descriptors. (Spec: ABI 2, 4 and 13.)
 */
#include "guest/core/device.h"

#include <stdatomic.h>

#include "guest/core/memory.h"

/* The shared region: ring, fence page and allocation table in pages of their own, the heap behind them. */
#define RING_BYTES                                                                                           \
    ((uint32_t)(sizeof(struct aerogpu_ring_header) + GUEST_RING_ENTRIES * sizeof(struct aerogpu_submit_desc)))
#define RING_PAGES ((RING_BYTES + GUEST_PAGE_BYTES - 1) / GUEST_PAGE_BYTES)
#define FENCE_OFFSET (RING_PAGES * GUEST_PAGE_BYTES)
#define TABLE_OFFSET (FENCE_OFFSET + GUEST_PAGE_BYTES)
#define HEAP_OFFSET (TABLE_OFFSET + GUEST_PAGE_BYTES)

void guest_device_lock(struct guest_device *device)
{
    if (device->bus.lock != NULL)
        device->bus.lock(device->bus.user, GUEST_LOCK_DEVICE);
}

void guest_device_unlock(struct guest_device *device)
{
    if (device->bus.unlock != NULL)
        device->bus.unlock(device->bus.user, GUEST_LOCK_DEVICE);
}

/* ---- Registers ----------------------------------------------------------------------------------------- */

uint32_t guest_device_read(struct guest_device *device, uint32_t offset)
{
    return device->bus.read(device->bus.user, offset);
}

void guest_device_write(struct guest_device *device, uint32_t offset, uint32_t value)
{
    device->bus.write(device->bus.user, offset, value);
}

static uint32_t peek(struct guest_device *device, uint32_t offset)
{
    return device->bus.peek != NULL ? device->bus.peek(device->bus.user, offset)
                                    : guest_device_read(device, offset);
}

/* The high half first and again: a carry between the two looks shows. */
static uint64_t peek_u64(struct guest_device *device, uint32_t low_offset, uint32_t high_offset)
{
    uint32_t low, high, again;
    do {
        high = peek(device, high_offset);
        low = peek(device, low_offset);
        again = peek(device, high_offset);
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

static void write_u64(struct guest_device *device, uint32_t low_offset, uint32_t high_offset, uint64_t value)
{
    guest_device_write(device, high_offset, (uint32_t)(value >> 32));
    guest_device_write(device, low_offset, (uint32_t)value);
}

/* ---- Start --------------------------------------------------------------------------------------------- */

static bool is_supported(struct guest_device *device)
{
    if (guest_device_read(device, AEROGPU_MMIO_REG_MAGIC) != AEROGPU_MMIO_MAGIC ||
        guest_device_read(device, AEROGPU_MMIO_REG_ABI_VERSION) >> 16 != AEROGPU_ABI_MAJOR)
        return false;
    device->features = (uint64_t)guest_device_read(device, AEROGPU_MMIO_REG_FEATURES_HI) << 32 |
                       guest_device_read(device, AEROGPU_MMIO_REG_FEATURES_LO);
    if ((device->features & AEROGPU_EXT_FEATURE) != 0) {
        device->ext_version = guest_device_read(device, AEROGPU_MMIO_REG_EXT_VERSION);
        device->first_gpu_losses = guest_device_read(device, AEROGPU_MMIO_REG_EXT_GPU_LOSSES);
    }
    return true;
}

static void write_table(struct guest_device *device, uint8_t *table, uint64_t heap_bytes)
{
    const struct aerogpu_alloc_entry entry = {
        .alloc_id = GUEST_HEAP_ALLOC_ID, .gpa = device->heap_gpa, .size_bytes = heap_bytes};
    const struct aerogpu_alloc_table_header header = {
        .magic = AEROGPU_ALLOC_TABLE_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .size_bytes = sizeof header + sizeof entry,
        .entry_count = 1,
        .entry_stride_bytes = sizeof entry,
    };
    memcpy(table, &header, sizeof header);
    memcpy(table + sizeof header, &entry, sizeof entry);
    device->table_bytes = header.size_bytes;
}

static void start_ring(struct guest_device *device)
{
    const struct guest_region *region = &device->bus.memory;
    const struct aerogpu_ring_header header = {
        .magic = AEROGPU_RING_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .size_bytes = RING_BYTES,
        .entry_count = GUEST_RING_ENTRIES,
        .entry_stride_bytes = sizeof(struct aerogpu_submit_desc),
    };
    memcpy(region->bytes, &header, sizeof header);
    device->ring = (volatile struct aerogpu_ring_header *)(void *)region->bytes;
    guest_device_write(device, AEROGPU_MMIO_REG_RING_CONTROL, 0);
    write_u64(device, AEROGPU_MMIO_REG_RING_GPA_LO, AEROGPU_MMIO_REG_RING_GPA_HI, region->gpa);
    guest_device_write(device, AEROGPU_MMIO_REG_RING_SIZE_BYTES, RING_BYTES);
    if ((device->features & AEROGPU_FEATURE_FENCE_PAGE) != 0) {
        memset(region->bytes + FENCE_OFFSET, 0, GUEST_PAGE_BYTES);
        write_u64(device, AEROGPU_MMIO_REG_FENCE_GPA_LO, AEROGPU_MMIO_REG_FENCE_GPA_HI,
                  region->gpa + FENCE_OFFSET);
        device->fence_page =
            (const volatile struct aerogpu_fence_page *)(const void *)(region->bytes + FENCE_OFFSET);
    }
    guest_device_write(device, AEROGPU_MMIO_REG_RING_CONTROL,
                       AEROGPU_RING_CONTROL_RESET | AEROGPU_RING_CONTROL_ENABLE);
    device->first_errors = guest_device_read(device, AEROGPU_MMIO_REG_ERROR_COUNT);
}

enum guest_status guest_device_create(const struct guest_bus *bus, struct guest_device **result)
{
    const struct guest_allocator *allocator = &bus->allocator;
    *result = NULL;
    if (bus->memory.size < GUEST_LEAST_REGION_BYTES)
        return GUEST_NO_MEMORY;
    struct guest_device *device = allocator->allocate(allocator->user, sizeof *device);
    if (device == NULL)
        return GUEST_NO_MEMORY;
    *device = (struct guest_device){.bus = *bus, .next_handle = 1, .next_context = 1};
    if (!is_supported(device)) {
        allocator->release(allocator->user, device);
        return GUEST_UNSUPPORTED;
    }
    if (!guest_heap_init(&device->heap, &device->bus.allocator, bus->memory.bytes + HEAP_OFFSET,
                         bus->memory.size - HEAP_OFFSET)) {
        allocator->release(allocator->user, device);
        return GUEST_NO_MEMORY;
    }
    device->heap_gpa = bus->memory.gpa + HEAP_OFFSET;
    device->table_gpa = bus->memory.gpa + TABLE_OFFSET;
    write_table(device, bus->memory.bytes + TABLE_OFFSET,
                (uint64_t)device->heap.page_count * GUEST_PAGE_BYTES);
    start_ring(device);
    *result = device;
    return GUEST_OK;
}

void guest_device_destroy(struct guest_device *device)
{
    if (device == NULL)
        return;
    guest_device_write(device, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
    guest_device_write(device, AEROGPU_MMIO_REG_RING_CONTROL, 0);
    write_u64(device, AEROGPU_MMIO_REG_FENCE_GPA_LO, AEROGPU_MMIO_REG_FENCE_GPA_HI, 0);
    guest_heap_fini(&device->heap);
    const struct guest_allocator allocator = device->bus.allocator;
    allocator.release(allocator.user, device);
}

/* ---- What it says -------------------------------------------------------------------------------------- */

const struct guest_allocator *guest_device_allocator(const struct guest_device *device)
{
    return &device->bus.allocator;
}

uint64_t guest_device_features(const struct guest_device *device)
{
    return device->features;
}

uint32_t guest_device_ext_version(const struct guest_device *device)
{
    return device->ext_version;
}

void guest_device_lock_user(struct guest_device *device)
{
    if (device->bus.lock != NULL)
        device->bus.lock(device->bus.user, GUEST_LOCK_USER);
}

void guest_device_unlock_user(struct guest_device *device)
{
    if (device->bus.unlock != NULL)
        device->bus.unlock(device->bus.user, GUEST_LOCK_USER);
}

static uint32_t count_up(struct guest_device *device, uint32_t *counter)
{
    guest_device_lock(device);
    const uint32_t number = *counter;
    *counter = number + 1 != 0 ? number + 1 : 1;
    guest_device_unlock(device);
    return number;
}

aerogpu_handle_t guest_device_new_handle(struct guest_device *device)
{
    return count_up(device, &device->next_handle);
}

uint32_t guest_device_new_context(struct guest_device *device)
{
    return count_up(device, &device->next_context);
}

void guest_device_errors(struct guest_device *device, struct guest_errors *errors)
{
    *errors = (struct guest_errors){0};
    if ((device->features & AEROGPU_FEATURE_ERROR_INFO) == 0)
        return;
    errors->count = peek(device, AEROGPU_MMIO_REG_ERROR_COUNT) - device->first_errors;
    if (errors->count == 0)
        return;
    errors->code = peek(device, AEROGPU_MMIO_REG_ERROR_CODE);
    errors->fence = peek_u64(device, AEROGPU_MMIO_REG_ERROR_FENCE_LO, AEROGPU_MMIO_REG_ERROR_FENCE_HI);
}

uint32_t guest_device_gpu_losses(struct guest_device *device)
{
    if (device->ext_version == 0)
        return 0;
    return peek(device, AEROGPU_MMIO_REG_EXT_GPU_LOSSES) - device->first_gpu_losses;
}

bool guest_device_is_lost(struct guest_device *device)
{
    return device->bus.is_lost != NULL && device->bus.is_lost(device->bus.user);
}

/* ---- Fences -------------------------------------------------------------------------------------------- */

uint64_t guest_device_completed_fence(struct guest_device *device)
{
    if (device->fence_page == NULL || device->bus.peek != NULL)
        return peek_u64(device, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, AEROGPU_MMIO_REG_COMPLETED_FENCE_HI);
    const volatile uint32_t *words =
        (const volatile uint32_t *)(const volatile void *)&device->fence_page->completed_fence;
    uint32_t low, high;
    do {
        high = words[1];
        low = words[0];
    } while (high != words[1]);
    /* What the device stored before the fence is seen by whoever saw the fence. */
    atomic_thread_fence(memory_order_acquire);
    return (uint64_t)high << 32 | low;
}

uint64_t guest_device_submitted_fence(struct guest_device *device)
{
    guest_device_lock(device);
    const uint64_t fence = device->submitted;
    guest_device_unlock(device);
    return fence;
}

enum guest_status guest_device_wait(struct guest_device *device, uint64_t fence, uint64_t timeout_ns)
{
    for (;;) {
        if (guest_device_completed_fence(device) >= fence)
            return GUEST_OK;
        if (guest_device_is_lost(device))
            return GUEST_DEVICE_LOST;
        /* Without time, too: a device in the same process goes on when it is asked. */
        const enum guest_status status = device->bus.wait(device->bus.user, fence, timeout_ns);
        if (status != GUEST_OK)
            return guest_device_completed_fence(device) >= fence ? GUEST_OK : status;
    }
}

/* ---- Blocks -------------------------------------------------------------------------------------------- */

enum guest_status guest_block_allocate(struct guest_device *device, uint64_t size, struct guest_block *block)
{
    for (;;) {
        guest_device_lock(device);
        bool found = guest_heap_allocate(&device->heap, size, block);
        if (!found) {
            guest_heap_reap(&device->heap, guest_device_completed_fence(device));
            found = guest_heap_allocate(&device->heap, size, block);
        }
        const uint64_t next = found ? 0 : guest_heap_next_fence(&device->heap);
        guest_device_unlock(device);
        if (found)
            return GUEST_OK;
        *block = (struct guest_block){0};
        if (next == 0)
            return GUEST_NO_MEMORY;
        const enum guest_status status = guest_device_wait(device, next, UINT64_MAX);
        if (status != GUEST_OK)
            return status;
    }
}

void guest_block_free(struct guest_device *device, struct guest_block *block)
{
    if (block->bytes == NULL)
        return;
    guest_device_lock(device);
    guest_heap_free(&device->heap, block->offset, block->size);
    guest_device_unlock(device);
    *block = (struct guest_block){0};
}

void guest_block_free_after(struct guest_device *device, struct guest_block *block, uint64_t fence)
{
    if (block->bytes == NULL)
        return;
    guest_device_lock(device);
    /* What cannot be remembered stays taken. */
    guest_heap_retire(&device->heap, block, fence);
    guest_device_unlock(device);
    *block = (struct guest_block){0};
}

/* ---- Submissions --------------------------------------------------------------------------------------- */

/* Under the lock: all blocks of the submission wait for its fence. False: there is no memory to remember. */
static bool retire_all(struct guest_device *device, const struct guest_submission *submission, uint64_t fence)
{
    bool all =
        submission->command_bytes == 0 || guest_heap_retire(&device->heap, &submission->commands, fence);
    for (uint32_t i = 0; i < submission->retired_count; i++)
        all = all && guest_heap_retire(&device->heap, &submission->retired[i], fence);
    return all;
}

static void write_descriptor(struct guest_device *device, const struct guest_submission *submission,
                             uint64_t fence)
{
    const struct aerogpu_submit_desc desc = {
        .desc_size_bytes = sizeof desc,
        .flags = submission->flags,
        .context_id = submission->context_id,
        .cmd_gpa = submission->command_bytes != 0 ? device->heap_gpa + submission->commands.offset : 0,
        .cmd_size_bytes = submission->command_bytes,
        .alloc_table_gpa = device->table_gpa,
        .alloc_table_size_bytes = device->table_bytes,
        .signal_fence = fence,
    };
    uint8_t *slots = device->bus.memory.bytes + sizeof(struct aerogpu_ring_header);
    memcpy(slots + (size_t)(device->tail % GUEST_RING_ENTRIES) * sizeof desc, &desc, sizeof desc);
    atomic_thread_fence(memory_order_release);
    device->ring->tail = ++device->tail;
    /* The device's word of whether it sleeps is read after the tail is seen. */
    atomic_thread_fence(memory_order_seq_cst);
}

enum guest_status guest_device_submit(struct guest_device *device, const struct guest_submission *submission,
                                      uint64_t *fence)
{
    guest_device_lock(device);
    while (device->tail - device->ring->head >= GUEST_RING_ENTRIES) {
        /* The entry that the slot had is taken before its fence completes. */
        const uint64_t oldest = device->submitted - (GUEST_RING_ENTRIES - 1);
        guest_device_unlock(device);
        const enum guest_status status = guest_device_wait(device, oldest, UINT64_MAX);
        if (status != GUEST_OK)
            return status;
        guest_device_lock(device);
    }
    const uint64_t number = device->submitted + 1;
    const bool remembered = retire_all(device, submission, number);
    write_descriptor(device, submission, number);
    device->submitted = number;
    device->bus.doorbell(device->bus.user);
    guest_heap_reap(&device->heap, guest_device_completed_fence(device));
    guest_device_unlock(device);
    *fence = number;
    /* Blocks that nobody remembers stay taken: a guest without private memory is at its end. */
    return remembered ? GUEST_OK : GUEST_NO_MEMORY;
}
