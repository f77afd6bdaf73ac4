/* SPDX-License-Identifier: MIT */
#include "guest/transport/shared.h"

#include <string.h>

#include "aerogpu/abi/pci.h"
#include "guest/transport/allocator.h"

/* Looks at a fence before the thread sleeps, about twenty microseconds. */
#define SPINS 2000

#define CONTROL(member) offsetof(struct aerogpu_shared_control, member)

static uint32_t load_word(const struct guest_shared *shared, uint64_t offset)
{
    return atomic_load((const _Atomic uint32_t *)(const void *)(shared->bytes + offset));
}

static void store_word(struct guest_shared *shared, uint64_t offset, uint32_t value)
{
    atomic_store((_Atomic uint32_t *)(void *)(shared->bytes + offset), value);
}

static bool is_lost(void *user)
{
    const struct guest_shared *shared = user;
    return atomic_load(&shared->is_gone) || load_word(shared, CONTROL(state)) != AEROGPU_SHARED_STATE_RUNNING;
}

/* After a pause in which the server did nothing: is the server there? */
static bool look_for_server(struct guest_shared *shared)
{
    if (is_lost(shared))
        return false;
    if (shared->line.is_there(shared))
        return true;
    atomic_store(&shared->is_gone, true);
    return false;
}

/* The caller's stores are ordered before the look at the server's word. */
static void wake_server(struct guest_shared *shared)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (load_word(shared, CONTROL(host_sleeps)) != 0 && !shared->line.ring(shared))
        atomic_store(&shared->is_gone, true);
}

/* ---- Registers ---------------------------------------------------------------------------------------- */

static void lock_posting(struct guest_shared *shared)
{
    while (atomic_flag_test_and_set_explicit(&shared->posting, memory_order_acquire))
        shared->line.pause(shared);
}

/* Waits until the server has taken all writes but `left`. False: the server is gone. */
static bool wait_for_taken(struct guest_shared *shared, uint32_t left)
{
    for (uint32_t i = 0; shared->posted - load_word(shared, CONTROL(taken)) > left; i++) {
        if (i < SPINS)
            continue;
        wake_server(shared);
        if (!look_for_server(shared))
            return false;
        shared->line.pause(shared);
    }
    return true;
}

static void write_register(void *user, uint32_t offset, uint32_t value)
{
    struct guest_shared *shared = user;
    lock_posting(shared);
    if (!is_lost(shared) && wait_for_taken(shared, AEROGPU_SHARED_WRITES - 1)) {
        const uint64_t slot =
            AEROGPU_SHARED_WRITES_OFFSET +
            (uint64_t)(shared->posted % AEROGPU_SHARED_WRITES) * sizeof(struct aerogpu_shared_write);
        store_word(shared, slot, offset);
        store_word(shared, slot + 4, value);
        store_word(shared, CONTROL(posted), ++shared->posted);
        wake_server(shared);
    }
    atomic_flag_clear_explicit(&shared->posting, memory_order_release);
}

static void ring_doorbell(void *user)
{
    write_register(user, AEROGPU_MMIO_REG_DOORBELL, 1);
}

/* As a read of a PCI device does, the read waits for the writes before. */
static uint32_t read_register(void *user, uint32_t offset)
{
    struct guest_shared *shared = user;
    if (offset % 4 != 0 || offset >= AEROGPU_SHARED_REGISTERS_BYTES)
        return 0;
    lock_posting(shared);
    wait_for_taken(shared, 0);
    atomic_flag_clear_explicit(&shared->posting, memory_order_release);
    return load_word(shared, AEROGPU_SHARED_REGISTERS_OFFSET + offset);
}

/* ---- Waiting ------------------------------------------------------------------------------------------ */

/* The host stores completed fences after the other registers. */
static uint32_t peek_register(void *user, uint32_t offset)
{
    return offset < AEROGPU_SHARED_REGISTERS_BYTES ? load_word(user, AEROGPU_SHARED_REGISTERS_OFFSET + offset)
                                                   : 0;
}

static bool is_complete(const struct guest_shared *shared, uint64_t fence)
{
    const uint64_t low = AEROGPU_SHARED_REGISTERS_OFFSET + AEROGPU_MMIO_REG_COMPLETED_FENCE_LO,
                   high = AEROGPU_SHARED_REGISTERS_OFFSET + AEROGPU_MMIO_REG_COMPLETED_FENCE_HI;
    uint32_t words[2];
    do {
        words[1] = load_word(shared, high);
        words[0] = load_word(shared, low);
    } while (words[1] != load_word(shared, high));
    return ((uint64_t)words[1] << 32 | words[0]) >= fence;
}

static bool spin(const struct guest_shared *shared, uint64_t fence)
{
    for (uint32_t i = 0; i < SPINS; i++)
        if (is_complete(shared, fence))
            return true;
    return false;
}

/* One sleep, from the one thread that may. False: the server is gone. */
static bool sleep_once(struct guest_shared *shared, uint64_t fence, uint64_t timeout_ns)
{
    store_word(shared, CONTROL(wait_fence), (uint32_t)fence);
    store_word(shared, CONTROL(wait_fence) + 4, (uint32_t)(fence >> 32));
    store_word(shared, CONTROL(waits), ++shared->waits);
    atomic_thread_fence(memory_order_seq_cst);
    return is_complete(shared, fence) || (!is_lost(shared) && shared->line.sleep(shared, timeout_ns));
}

static enum guest_status wait_for_fence(void *user, uint64_t fence, uint64_t timeout_ns)
{
    struct guest_shared *shared = user;
    if (spin(shared, fence))
        return GUEST_OK;
    const uint64_t start = shared->line.now_ns(shared);
    while (!is_complete(shared, fence)) {
        const uint64_t gone = shared->line.now_ns(shared) - start;
        if (gone >= timeout_ns)
            return GUEST_TIMEOUT;
        if (is_lost(shared))
            return GUEST_DEVICE_LOST;
        if (atomic_flag_test_and_set_explicit(&shared->sleeping, memory_order_acquire)) {
            shared->line.pause(shared);
            continue;
        }
        const bool there =
            sleep_once(shared, fence, timeout_ns == UINT64_MAX ? UINT64_MAX : timeout_ns - gone);
        atomic_flag_clear_explicit(&shared->sleeping, memory_order_release);
        if (!there)
            atomic_store(&shared->is_gone, true);
    }
    return GUEST_OK;
}

/* ---- Life --------------------------------------------------------------------------------------------- */

/* Opening a GPU takes a server some tenths of a second. */
static bool wait_for_start(struct guest_shared *shared)
{
    while (load_word(shared, CONTROL(state)) == AEROGPU_SHARED_STATE_STARTING) {
        if (!shared->line.is_there(shared))
            return false;
        shared->line.pause(shared);
    }
    return !is_lost(shared);
}

void guest_shared_init(struct guest_shared *shared, uint8_t *bytes, uint64_t size,
                       const struct guest_shared_line *line)
{
    shared->bytes = bytes;
    shared->size = size;
    shared->line = *line;
    shared->bus.read = read_register;
    shared->bus.write = write_register;
    shared->bus.doorbell = ring_doorbell;
    shared->bus.wait = wait_for_fence;
    shared->bus.peek = peek_register;
    shared->bus.is_lost = is_lost;
    shared->bus.lock = line->lock;
    shared->bus.unlock = line->unlock;
    shared->bus.allocator = guest_c_allocator();
    shared->bus.user = shared;
    shared->bus.memory = (struct guest_region){
        .bytes = bytes + AEROGPU_SHARED_MEMORY_OFFSET,
        .gpa = AEROGPU_SHARED_MEMORY_OFFSET,
        .size = size - AEROGPU_SHARED_MEMORY_OFFSET,
    };
    atomic_flag_clear(&shared->posting);
    atomic_flag_clear(&shared->sleeping);
}

static bool is_known(const struct guest_shared *shared)
{
    struct aerogpu_shared_control control;
    memcpy(&control, shared->bytes, sizeof control);
    return control.magic == AEROGPU_SHARED_MAGIC && control.version == AEROGPU_SHARED_VERSION &&
           control.size_bytes == shared->size && shared->size >= AEROGPU_SHARED_LEAST_BYTES;
}

const char *guest_shared_start(struct guest_shared *shared)
{
    return is_known(shared) && wait_for_start(shared)
               ? NULL
               : "the server has no GPU, or its memory is none of ours";
}

bool guest_shared_shows_windows(const struct guest_shared *shared)
{
    return (load_word(shared, CONTROL(flags)) & AEROGPU_SHARED_FLAG_SHOW_WINDOWS) != 0;
}
