/* SPDX-License-Identifier: MIT
 *
 * Any bytes as what a guest does to the device: register, configuration and VRAM accesses, memory that
 * changes under a running ring, time. The executor finishes submissions after some polls. Fences never go
 * back except by a reset, the interrupt line is told about changes only, and everything that is outstanding
 * ends.
 */
#include <stdlib.h>
#include <string.h>

#include "../support/fake_executor.h"
#include "../support/pictures.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/device.h"

#define RAM_BYTES (1u << 16)
#define RING_GPA 0x1000u
#define RING_ENTRIES 8u
#define FENCE_GPA 0x800u
#define STREAM_GPA 0x4000u
#define PICTURE_EDGE 4
#define MOST_POLLS 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct machine {
    const uint8_t *data;
    size_t left;
    uint8_t ram[RAM_BYTES];
    struct agpu_device *device;
    uint64_t now_ns, last_fence;
    bool irq;
};

/* ---- The input ---------------------------------------------------------------------------------------- */

static uint64_t take(struct machine *machine, size_t bytes)
{
    uint64_t value = 0;
    if (bytes > machine->left)
        bytes = machine->left;
    memcpy(&value, machine->data, bytes);
    machine->data += bytes;
    machine->left -= bytes;
    return value;
}

static uint32_t take_u32(struct machine *machine)
{
    return (uint32_t)take(machine, 4);
}

/* ---- What the device calls ---------------------------------------------------------------------------- */

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct machine *machine = user;
    if (gpa > RAM_BYTES || size > RAM_BYTES - gpa)
        return false;
    memcpy(to, machine->ram + gpa, size);
    return true;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct machine *machine = user;
    if (gpa > RAM_BYTES || size > RAM_BYTES - gpa)
        return false;
    memcpy(machine->ram + gpa, from, size);
    return true;
}

static void set_irq(void *user, bool asserted)
{
    struct machine *machine = user;
    if (machine->irq == asserted)
        abort();
    machine->irq = asserted;
}

static void presented(void *user, const struct agpu_present *present)
{
    (void)user;
    if (present->width != PICTURE_EDGE || present->pixels == NULL)
        abort();
}

/* ---- What the guest does ------------------------------------------------------------------------------ */

static void check_fence(struct machine *machine)
{
    const uint64_t fence = agpu_device_mmio_read(machine->device, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8);
    if (fence != UINT64_MAX && fence < machine->last_fence)
        abort();
    if (fence != UINT64_MAX)
        machine->last_fence = fence;
}

static void write_register(struct machine *machine)
{
    const uint64_t offset = take(machine, 2);
    const uint32_t size = 1u << (take(machine, 1) & 3);
    const uint64_t value = take(machine, size);
    const uint64_t first = offset & ~(uint64_t)3, last = (offset + size - 1) & ~(uint64_t)3;
    agpu_device_mmio_write(machine->device, offset, size, value);
    if (first <= AEROGPU_MMIO_REG_RING_CONTROL && last >= AEROGPU_MMIO_REG_RING_CONTROL)
        machine->last_fence = 0; /* may have been a reset */
}

static void configure(struct machine *machine)
{
    const uint32_t offset = (uint32_t)take(machine, 2);
    const uint32_t size = 1u << take(machine, 1) % 3;
    agpu_device_config_write(machine->device, offset, size, take_u32(machine));
    (void)agpu_device_config_read(machine->device, offset + size, size);
}

static void write_memory(struct machine *machine)
{
    const uint32_t gpa = (uint32_t)take(machine, 2);
    size_t size = take(machine, 1);
    if (size > machine->left)
        size = machine->left;
    if (write_ram(machine, gpa, machine->data, size)) {
        machine->data += size;
        machine->left -= size;
    }
}

static void use_vram(struct machine *machine)
{
    uint8_t bytes[64] = {0};
    const uint64_t offset = take(machine, 4) & 0x7ffffff;
    const size_t size = take(machine, 1) % sizeof bytes;
    agpu_device_vram_write(machine->device, offset, machine->ram, size);
    agpu_device_vram_read(machine->device, offset + take(machine, 1), bytes, size);
}

static void look(struct machine *machine)
{
    read_pictures(machine->device);
}

/* A ring as a driver sets it up, so that what follows gets past the first checks. */
static void set_up_ring(struct machine *machine)
{
    const struct aerogpu_ring_header header = {
        .magic = AEROGPU_RING_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .size_bytes = 64 + RING_ENTRIES * 64,
        .entry_count = RING_ENTRIES,
        .entry_stride_bytes = 64,
    };
    write_ram(machine, RING_GPA, &header, sizeof header);
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_RING_GPA_LO, 8, RING_GPA);
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_RING_SIZE_BYTES, 4, header.size_bytes);
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_FENCE_GPA_LO, 8, FENCE_GPA);
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_RING_CONTROL, 4, AEROGPU_RING_CONTROL_ENABLE);
    machine->last_fence = 0;
}

/* A descriptor in the next slot, and the doorbell. */
static void submit(struct machine *machine)
{
    uint32_t tail;
    const uint32_t kind = (uint32_t)take(machine, 1);
    const struct aerogpu_submit_desc desc = {
        .desc_size_bytes = kind & 1 ? take_u32(machine) : 64,
        .flags = (uint32_t)take(machine, 1),
        .context_id = (uint32_t)take(machine, 1),
        .engine_id = kind & 2 ? take_u32(machine) : 0,
        .cmd_gpa = kind & 4 ? take(machine, 8) : STREAM_GPA,
        .cmd_size_bytes = kind & 8 ? take_u32(machine) : (uint32_t)take(machine, 2),
        .alloc_table_gpa = kind & 16 ? take(machine, 2) : 0,
        .alloc_table_size_bytes = kind & 16 ? (uint32_t)take(machine, 2) : 0,
        .signal_fence = kind & 32 ? take(machine, 8) : machine->last_fence + take(machine, 1),
    };
    memcpy(&tail, machine->ram + RING_GPA + 28, sizeof tail);
    write_ram(machine, RING_GPA + 64 + tail % RING_ENTRIES * 64, &desc, sizeof desc);
    tail++;
    write_ram(machine, RING_GPA + 28, &tail, sizeof tail);
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_DOORBELL, 4, 1);
}

/* A stream with a present, and a table of one allocation behind it. */
static void set_up_stream(struct machine *machine)
{
    const struct aerogpu_cmd_stream_header header = {
        .magic = AEROGPU_CMD_STREAM_MAGIC, .abi_version = AEROGPU_ABI_VERSION_U32, .size_bytes = 24 + 16};
    const uint32_t present[4] = {AEROGPU_CMD_PRESENT, 16, (uint32_t)take(machine, 1),
                                 (uint32_t)take(machine, 1)};
    const struct aerogpu_alloc_table_header table = {.magic = AEROGPU_ALLOC_TABLE_MAGIC,
                                                     .abi_version = AEROGPU_ABI_VERSION_U32,
                                                     .size_bytes = 24 + 32,
                                                     .entry_count = 1,
                                                     .entry_stride_bytes = 32};
    const struct aerogpu_alloc_entry entry = {.alloc_id = 1, .gpa = take(machine, 2), .size_bytes = 64};
    write_ram(machine, STREAM_GPA, &header, sizeof header);
    write_ram(machine, STREAM_GPA + 24, present, sizeof present);
    write_ram(machine, STREAM_GPA + 40, &table, sizeof table);
    write_ram(machine, STREAM_GPA + 64, &entry, sizeof entry);
}

static void poll_once(struct machine *machine)
{
    machine->now_ns += take_u32(machine);
    agpu_device_poll(machine->device, machine->now_ns);
}

static void act(struct machine *machine)
{
    static void (*const actions[])(struct machine *) = {
        write_register, write_memory, submit,   poll_once, set_up_ring,
        set_up_stream,  configure,    use_vram, look,      write_register,
    };
    actions[take(machine, 1) % (sizeof actions / sizeof actions[0])](machine);
    (void)agpu_device_mmio_read(machine->device, take(machine, 2), 4);
    check_fence(machine);
}

/* With decoding and bus mastering on, a device that is only polled gets done with what it was given. */
static void finish(struct machine *machine)
{
    agpu_device_config_write(machine->device, 4, 2, 6);
    for (int i = 0; agpu_device_poll(machine->device, machine->now_ns); i++) {
        machine->now_ns += UINT64_C(16666667);
        if (i == MOST_POLLS)
            abort();
    }
    check_fence(machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t pixels[PICTURE_EDGE * PICTURE_EDGE * 4];
    static struct machine machine;
    memset(&machine, 0, sizeof machine);
    machine.data = data;
    machine.left = size;
    const uint32_t kind = (uint32_t)take(&machine, 1);
    const struct fake_executor_options fake = {
        .polls = kind & 3, .width = PICTURE_EDGE, .height = PICTURE_EDGE, .pixels = pixels, .plain = true};
    const struct agpu_device_options options = {.pci_decode_off = (kind & 4) != 0,
                                                .refresh_millihertz = kind & 8 ? UINT32_MAX : 0};
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = read_ram, .write = write_ram, .user = &machine},
        .set_irq = set_irq,
        .presented = presented,
        .user = &machine,
    };
    struct agpu_executor *executor = fake_executor_create(&fake);
    if (executor != NULL &&
        agpu_device_create(&options, &callbacks, executor, 0, &machine.device) == AGPU_OK) {
        while (machine.left != 0)
            act(&machine);
        finish(&machine);
        agpu_device_destroy(machine.device);
    }
    agpu_executor_destroy(executor);
    return 0;
}
