/* SPDX-License-Identifier: MIT */
#include "serve/mapping.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "aerogpu/abi/ext.h"
#include "base/bytes.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

/* Words of the mapping, which the client may write while they are read. */
static uint32_t load_word(const struct ag_mapping *mapping, uint64_t offset)
{
    return atomic_load((const _Atomic uint32_t *)(const void *)(mapping->bytes + offset));
}

static void store_word(struct ag_mapping *mapping, uint64_t offset, uint32_t value)
{
    atomic_store((_Atomic uint32_t *)(void *)(mapping->bytes + offset), value);
}

#define CONTROL(member) offsetof(struct aerogpu_shared_control, member)

/* ---- Life --------------------------------------------------------------------------------------------- */

static bool make_file(struct ag_mapping *mapping, uint64_t size)
{
    mapping->descriptor = memfd_create("aerogpu-client", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (mapping->descriptor < 0)
        return false;
    if (ftruncate(mapping->descriptor, (off_t)size) != 0 ||
        fcntl(mapping->descriptor, F_ADD_SEALS, SEALS) != 0)
        return false;
    void *const memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, mapping->descriptor, 0);
    mapping->bytes = memory != MAP_FAILED ? memory : NULL;
    mapping->size = size;
    return mapping->bytes != NULL;
}

bool ag_mapping_init(struct ag_mapping *mapping, uint64_t size, uint32_t flags)
{
    *mapping = (struct ag_mapping){.descriptor = -1};
    if (!make_file(mapping, size)) {
        ag_mapping_fini(mapping);
        return false;
    }
    const struct aerogpu_shared_control control = {
        .magic = AEROGPU_SHARED_MAGIC,
        .version = AEROGPU_SHARED_VERSION,
        .size_bytes = size,
        .flags = flags,
        .state = AEROGPU_SHARED_STATE_STARTING,
        .host_sleeps = 1,
    };
    memcpy(mapping->bytes, &control, sizeof control);
    return true;
}

void ag_mapping_fini(struct ag_mapping *mapping)
{
    if (mapping->bytes != NULL)
        munmap(mapping->bytes, (size_t)mapping->size);
    if (mapping->descriptor >= 0)
        close(mapping->descriptor);
    *mapping = (struct ag_mapping){.descriptor = -1};
}

/* ---- The client's memory ------------------------------------------------------------------------------ */

static bool is_memory(const struct ag_mapping *mapping, uint64_t gpa, size_t size)
{
    return gpa >= AEROGPU_SHARED_MEMORY_OFFSET && ag_range_fits(gpa, size, mapping->size);
}

static bool read_memory(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct ag_mapping *const mapping = user;
    if (!is_memory(mapping, gpa, size))
        return false;
    memcpy(to, mapping->bytes + gpa, size);
    return true;
}

static bool write_memory(void *user, uint64_t gpa, const void *from, size_t size)
{
    const struct ag_mapping *const mapping = user;
    if (!is_memory(mapping, gpa, size))
        return false;
    memcpy(mapping->bytes + gpa, from, size);
    return true;
}

static const void *map_memory(void *user, uint64_t gpa, size_t size)
{
    const struct ag_mapping *const mapping = user;
    return is_memory(mapping, gpa, size) ? mapping->bytes + gpa : NULL;
}

struct agpu_guest_memory ag_mapping_memory(struct ag_mapping *mapping)
{
    return (struct agpu_guest_memory){
        .size = sizeof(struct agpu_guest_memory),
        .read = read_memory,
        .write = write_memory,
        .user = mapping,
        .map = map_memory,
    };
}

/* ---- Registers ---------------------------------------------------------------------------------------- */

bool ag_mapping_has_writes(const struct ag_mapping *mapping)
{
    return load_word(mapping, CONTROL(posted)) != mapping->taken;
}

bool ag_mapping_take_writes(struct ag_mapping *mapping, struct agpu_device *device, uint32_t *count)
{
    const uint32_t posted = load_word(mapping, CONTROL(posted)) - mapping->taken;
    *count = 0;
    if (posted > AEROGPU_SHARED_WRITES)
        return false;
    for (; *count < posted; ++*count, mapping->taken++) {
        const uint64_t slot =
            AEROGPU_SHARED_WRITES_OFFSET +
            (uint64_t)(mapping->taken % AEROGPU_SHARED_WRITES) * sizeof(struct aerogpu_shared_write);
        const uint32_t offset = load_word(mapping, slot), value = load_word(mapping, slot + 4);
        agpu_device_mmio_write(device, offset, 4, value);
    }
    return true;
}

/* Registers that change without a write of the client's. The fence is the last: who has seen it sees its
 * errors. */
static const uint16_t live[] = {
    AEROGPU_MMIO_REG_IRQ_STATUS,
    AEROGPU_MMIO_REG_ERROR_CODE,
    AEROGPU_MMIO_REG_ERROR_FENCE_LO,
    AEROGPU_MMIO_REG_ERROR_FENCE_HI,
    AEROGPU_MMIO_REG_ERROR_COUNT,
    AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO,
    AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_HI,
    AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_LO,
    AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_HI,
    AEROGPU_MMIO_REG_EXT_GPU_LOSSES,
    AEROGPU_MMIO_REG_COMPLETED_FENCE_LO,
    AEROGPU_MMIO_REG_COMPLETED_FENCE_HI,
};

static bool is_live(uint32_t offset)
{
    for (size_t i = 0; i < AG_COUNT_OF(live); i++)
        if (live[i] == offset)
            return true;
    return false;
}

static void store_register(struct ag_mapping *mapping, struct agpu_device *device, uint32_t offset)
{
    store_word(mapping, AEROGPU_SHARED_REGISTERS_OFFSET + offset,
               (uint32_t)agpu_device_mmio_read(device, offset, 4));
}

void ag_mapping_store_registers(struct ag_mapping *mapping, struct agpu_device *device, bool all)
{
    for (uint32_t offset = 0; all && offset < AEROGPU_SHARED_REGISTERS_BYTES; offset += 4)
        if (!is_live(offset))
            store_register(mapping, device, offset);
    for (size_t i = 0; i < AG_COUNT_OF(live); i++)
        store_register(mapping, device, live[i]);
    store_word(mapping, CONTROL(taken), mapping->taken);
}

/* ---- Sleep -------------------------------------------------------------------------------------------- */

static uint64_t completed_fence(struct agpu_device *device)
{
    return agpu_device_mmio_read(device, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8);
}

bool ag_mapping_wants_interrupt(struct ag_mapping *mapping, struct agpu_device *device)
{
    const uint32_t waits = load_word(mapping, CONTROL(waits));
    if (waits != mapping->seen_waits) {
        mapping->seen_waits = waits;
        mapping->wait_fence = load_word(mapping, CONTROL(wait_fence)) |
                              (uint64_t)load_word(mapping, CONTROL(wait_fence) + 4) << 32;
    }
    if (waits == mapping->waits || completed_fence(device) < mapping->wait_fence)
        return false;
    mapping->waits = waits;
    return true;
}

void ag_mapping_set_sleeping(struct ag_mapping *mapping, bool sleeps)
{
    store_word(mapping, CONTROL(host_sleeps), sleeps);
    atomic_thread_fence(memory_order_seq_cst);
}

void ag_mapping_set_running(struct ag_mapping *mapping)
{
    store_word(mapping, CONTROL(state), AEROGPU_SHARED_STATE_RUNNING);
}

void ag_mapping_set_ended(struct ag_mapping *mapping)
{
    store_word(mapping, CONTROL(state), AEROGPU_SHARED_STATE_ENDED);
    store_word(mapping, CONTROL(host_sleeps), 0);
}
