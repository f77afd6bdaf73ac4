/* SPDX-License-Identifier: MIT
 *
 * The smallest machine around an AeroGPU device: RAM in an array, an interrupt line, the null executor. It
 * plays both sides: the emulator (callbacks, poll) and the guest driver (ring, doorbell), submits one empty
 * submission and prints the fence that completes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/device.h"

enum {
    RAM_SIZE = 1 << 20,
    RING_ADDRESS = 0x10000,
    RING_ENTRIES = 16,
    FENCE_ADDRESS = 0x20000,
    CONFIG_COMMAND = 0x04,
    CONFIG_BAR0 = 0x10,
    BAR0_ADDRESS = 0x40000000,
};

struct machine {
    uint64_t now_ns;
    uint8_t *ram;
    struct agpu_executor *executor;
    struct agpu_device *device;
    bool interrupt;
};

/* ---- The emulator's side: what the device calls -------------------------------------------------------- */

static bool in_ram(uint64_t gpa, size_t size)
{
    return gpa <= RAM_SIZE && size <= RAM_SIZE - gpa;
}

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct machine *machine = user;
    if (!in_ram(gpa, size))
        return false;
    memcpy(to, machine->ram + gpa, size);
    return true;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct machine *machine = user;
    if (!in_ram(gpa, size))
        return false;
    memcpy(machine->ram + gpa, from, size);
    return true;
}

static void set_irq(void *user, bool asserted)
{
    ((struct machine *)user)->interrupt = asserted;
}

static void report(void *user, const struct agpu_diag *diag)
{
    (void)user;
    fprintf(stderr, "%s: %s\n", agpu_diag_slug(diag->code), diag->message);
}

/* The machine's clock, which writes of the guest are made at, too. */
static uint64_t now(void *user)
{
    return ((const struct machine *)user)->now_ns;
}

static bool machine_init(struct machine *machine)
{
    *machine = (struct machine){.ram = calloc(1, RAM_SIZE), .executor = agpu_null_executor_create()};
    if (machine->ram == NULL || machine->executor == NULL)
        return false;
    const struct agpu_device_options options = {.pci_decode_off = true};
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = read_ram, .write = write_ram, .user = machine},
        .set_irq = set_irq,
        .diagnostics = {.report = report},
        .user = machine,
        .now_ns = now,
    };
    return agpu_device_create(&options, &callbacks, machine->executor, 0, &machine->device) == AGPU_OK;
}

static void machine_fini(struct machine *machine)
{
    agpu_device_destroy(machine->device);
    agpu_executor_destroy(machine->executor);
    free(machine->ram);
}

/* ---- The guest's side: what an emulator traps and forwards --------------------------------------------- */

static uint32_t read_register(struct machine *machine, uint32_t offset)
{
    return (uint32_t)agpu_device_mmio_read(machine->device, offset, 4);
}

static void write_register(struct machine *machine, uint32_t offset, uint32_t value)
{
    agpu_device_mmio_write(machine->device, offset, 4, value);
}

/* Finds the size of BAR0, places it, and turns on memory decoding and bus mastering. */
static void assign_bar(struct machine *machine)
{
    agpu_device_config_write(machine->device, CONFIG_BAR0, 4, 0xFFFFFFFF);
    const uint32_t size = ~agpu_device_config_read(machine->device, CONFIG_BAR0, 4) + 1;
    agpu_device_config_write(machine->device, CONFIG_BAR0, 4, BAR0_ADDRESS);
    agpu_device_config_write(machine->device, CONFIG_COMMAND, 2, 0x6);
    printf("bar0: %" PRIu32 " bytes\n", size);
}

static void set_up_ring(struct machine *machine)
{
    const struct aerogpu_ring_header header = {
        .magic = AEROGPU_RING_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .size_bytes = sizeof header + RING_ENTRIES * sizeof(struct aerogpu_submit_desc),
        .entry_count = RING_ENTRIES,
        .entry_stride_bytes = sizeof(struct aerogpu_submit_desc),
    };
    memcpy(machine->ram + RING_ADDRESS, &header, sizeof header);
    write_register(machine, AEROGPU_MMIO_REG_RING_GPA_LO, RING_ADDRESS);
    write_register(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, header.size_bytes);
    write_register(machine, AEROGPU_MMIO_REG_FENCE_GPA_LO, FENCE_ADDRESS);
    write_register(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR);
    write_register(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
}

/* A descriptor without a command buffer: nothing to do but to signal its fence. */
static void submit(struct machine *machine, uint64_t fence)
{
    struct aerogpu_ring_header *ring = (void *)(machine->ram + RING_ADDRESS);
    const struct aerogpu_submit_desc desc = {.desc_size_bytes = sizeof desc, .signal_fence = fence};
    memcpy(machine->ram + RING_ADDRESS + sizeof *ring + ring->tail % RING_ENTRIES * sizeof desc, &desc,
           sizeof desc);
    ring->tail++;
    write_register(machine, AEROGPU_MMIO_REG_DOORBELL, 1);
}

int main(void)
{
    struct machine machine;
    int result = EXIT_FAILURE;
    if (machine_init(&machine)) {
        assign_bar(&machine);
        set_up_ring(&machine);
        submit(&machine, 42);
        /* A real event loop calls this at the device's next event, and again while it returns true. */
        while (agpu_device_poll(machine.device, machine.now_ns))
            machine.now_ns += 1000000;
        const uint32_t fence = read_register(&machine, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO);
        printf("completed fence: %" PRIu32 ", interrupt: %s\n", fence, machine.interrupt ? "high" : "low");
        write_register(&machine, AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_FENCE);
        printf("after acknowledging: %s\n", machine.interrupt ? "high" : "low");
        result = fence == 42 && !machine.interrupt ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    machine_fini(&machine);
    return result;
}
