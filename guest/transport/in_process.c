/* SPDX-License-Identifier: MIT
 *
 * Guest and device in one process.
 */
#include "guest/transport/in_process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aerogpu/abi/pci.h"
#include "guest/transport/allocator.h"

#define DEFAULT_MEMORY_BYTES (UINT64_C(64) << 20)
#define MEMORY_GPA UINT64_C(0x100000)
#define PAGE_BYTES 4096u
#define SLEEP_NS 20000

struct guest_in_process {
    struct guest_bus bus;
    struct agpu_device *device;
    struct agpu_executor *executor;
    pthread_mutex_t locks[GUEST_LOCK_COUNT];
    pthread_mutex_t device_lock; /* calls of the device */
    atomic_bool lost;
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* ---- The device's side --------------------------------------------------------------------------------- */

static uint8_t *bytes_at(struct guest_in_process *transport, uint64_t gpa, size_t size)
{
    const struct guest_region *region = &transport->bus.memory;
    if (gpa < region->gpa || gpa - region->gpa > region->size || size > region->size - (gpa - region->gpa))
        return NULL;
    return region->bytes + (gpa - region->gpa);
}

static bool read_memory(void *user, uint64_t gpa, void *to, size_t size)
{
    const uint8_t *bytes = bytes_at(user, gpa, size);
    if (bytes == NULL)
        return false;
    memcpy(to, bytes, size);
    return true;
}

static bool write_memory(void *user, uint64_t gpa, const void *from, size_t size)
{
    uint8_t *bytes = bytes_at(user, gpa, size);
    if (bytes == NULL)
        return false;
    memcpy(bytes, from, size);
    return true;
}

/* ---- The guest's side ---------------------------------------------------------------------------------- */

static uint32_t read_register(void *user, uint32_t offset)
{
    struct guest_in_process *transport = user;
    pthread_mutex_lock(&transport->device_lock);
    const uint32_t value = (uint32_t)agpu_device_mmio_read(transport->device, offset, 4);
    pthread_mutex_unlock(&transport->device_lock);
    return value;
}

static void write_register(void *user, uint32_t offset, uint32_t value)
{
    struct guest_in_process *transport = user;
    pthread_mutex_lock(&transport->device_lock);
    agpu_device_mmio_write(transport->device, offset, 4, value);
    pthread_mutex_unlock(&transport->device_lock);
}

static bool is_lost(void *user)
{
    return atomic_load(&((struct guest_in_process *)user)->lost);
}

static void ring_doorbell(void *user)
{
    if (!is_lost(user))
        write_register(user, AEROGPU_MMIO_REG_DOORBELL, 1);
}

static uint64_t completed_fence(struct guest_in_process *transport)
{
    return (uint64_t)read_register(transport, AEROGPU_MMIO_REG_COMPLETED_FENCE_HI) << 32 |
           read_register(transport, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO);
}

static enum guest_status wait_for_fence(void *user, uint64_t fence, uint64_t timeout_ns)
{
    struct guest_in_process *transport = user;
    const uint64_t start = now_ns();
    for (;;) {
        if (is_lost(transport))
            return GUEST_DEVICE_LOST;
        pthread_mutex_lock(&transport->device_lock);
        agpu_device_poll(transport->device, now_ns());
        const bool has_more = agpu_executor_has_more(transport->executor);
        pthread_mutex_unlock(&transport->device_lock);
        if (completed_fence(transport) >= fence)
            return GUEST_OK;
        if (now_ns() - start >= timeout_ns)
            return GUEST_TIMEOUT;
        const struct timespec pause = {0, SLEEP_NS};
        if (!has_more)
            nanosleep(&pause, NULL);
    }
}

static void lock(void *user, uint32_t number)
{
    pthread_mutex_lock(&((struct guest_in_process *)user)->locks[number]);
}

static void unlock(void *user, uint32_t number)
{
    pthread_mutex_unlock(&((struct guest_in_process *)user)->locks[number]);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static bool make_device(struct guest_in_process *transport, const struct guest_in_process_options *options)
{
    const struct agpu_device_callbacks callbacks = {
        .size = sizeof callbacks,
        .memory = {.size = sizeof callbacks.memory,
                   .read = read_memory,
                   .write = write_memory,
                   .user = transport},
        .presented = options->presented,
        .diagnostics = options->diagnostics,
        .user = options->user,
    };
    const struct agpu_device_options device_options = {.size = sizeof device_options, .tap = options->tap};
    return agpu_device_create(&device_options, &callbacks, options->executor, now_ns(), &transport->device) ==
           AGPU_OK;
}

struct guest_in_process *guest_in_process_create(const struct guest_in_process_options *options)
{
    struct guest_in_process *transport = calloc(1, sizeof *transport);
    if (transport == NULL)
        return NULL;
    const uint64_t size = options->memory_bytes != 0 ? options->memory_bytes : DEFAULT_MEMORY_BYTES;
    transport->executor = options->executor;
    transport->bus = (struct guest_bus){
        .read = read_register,
        .write = write_register,
        .doorbell = ring_doorbell,
        .wait = wait_for_fence,
        .is_lost = is_lost,
        .lock = lock,
        .unlock = unlock,
        .user = transport,
        .allocator = guest_c_allocator(),
        .memory = {NULL, MEMORY_GPA, size - size % PAGE_BYTES},
    };
    transport->bus.memory.bytes = aligned_alloc(PAGE_BYTES, (size_t)transport->bus.memory.size);
    if (transport->bus.memory.bytes == NULL || !make_device(transport, options)) {
        free(transport->bus.memory.bytes);
        free(transport);
        return NULL;
    }
    for (uint32_t i = 0; i < GUEST_LOCK_COUNT; i++)
        pthread_mutex_init(&transport->locks[i], NULL);
    pthread_mutex_init(&transport->device_lock, NULL);
    return transport;
}

void guest_in_process_destroy(struct guest_in_process *transport)
{
    if (transport == NULL)
        return;
    agpu_device_destroy(transport->device);
    for (uint32_t i = 0; i < GUEST_LOCK_COUNT; i++)
        pthread_mutex_destroy(&transport->locks[i]);
    pthread_mutex_destroy(&transport->device_lock);
    free(transport->bus.memory.bytes);
    free(transport);
}

const struct guest_bus *guest_in_process_bus(struct guest_in_process *transport)
{
    return &transport->bus;
}

struct agpu_device *guest_in_process_device(struct guest_in_process *transport)
{
    return transport->device;
}

void guest_in_process_lose(struct guest_in_process *transport)
{
    atomic_store(&transport->lost, true);
}
