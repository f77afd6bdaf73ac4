/* SPDX-License-Identifier: MIT */
#include "machine.h"

static uint32_t config(struct machine *machine, uint32_t offset)
{
    return agpu_device_config_read(machine->device, offset, 4);
}

static void set_config(struct machine *machine, uint32_t offset, uint32_t size, uint32_t value)
{
    agpu_device_config_write(machine->device, offset, size, value);
}

static void has_its_identity(void **state)
{
    struct machine *machine = *state;
    assert_int_equal(config(machine, 0x00), 0x0001A3A0);
    assert_int_equal(config(machine, 0x08), 0x03000000);
    assert_int_equal(config(machine, 0x2C), 0x0001A3A0);
    assert_int_equal(agpu_device_config_read(machine->device, 0x0E, 1), 0); /* plain header */
    assert_int_equal(agpu_device_config_read(machine->device, 0x34, 1), 0); /* no capabilities */
    assert_int_equal(agpu_device_config_read(machine->device, 0x3D, 1), 1); /* INTA# */
    assert_int_equal(config(machine, 0xFC), 0);
    assert_int_equal(config(machine, 0x100), 0xFFFFFFFF);
    set_config(machine, 0x00, 4, 0);
    set_config(machine, 0x08, 4, 0);
    assert_int_equal(config(machine, 0x00), 0x0001A3A0);
    assert_int_equal(config(machine, 0x08), 0x03000000);
}

static void bars_report_their_sizes(void **state)
{
    struct machine *machine = *state;
    set_config(machine, 0x10, 4, 0xFFFFFFFF);
    set_config(machine, 0x14, 4, 0xFFFFFFFF);
    assert_int_equal(config(machine, 0x10), 0xFFFF0000); /* 64 KiB, memory, 32-bit */
    assert_int_equal(config(machine, 0x14), 0xFC000008); /* 64 MiB, prefetchable */
    for (uint32_t offset = 0x18; offset <= 0x30; offset += 4) {
        set_config(machine, offset, 4, 0xFFFFFFFF);
        if (offset != 0x2C)
            assert_int_equal(config(machine, offset), 0);
    }
    set_config(machine, 0x10, 4, 0xE0001234);
    assert_int_equal(config(machine, 0x10), 0xE0000000);
}

static void narrow_accesses_touch_their_bytes(void **state)
{
    struct machine *machine = *state;
    assert_int_equal(agpu_device_config_read(machine->device, 0x00, 1), 0xA0);
    assert_int_equal(agpu_device_config_read(machine->device, 0x01, 1), 0xA3);
    assert_int_equal(agpu_device_config_read(machine->device, 0x02, 2), 0x0001);
    assert_int_equal(agpu_device_config_read(machine->device, 0x01, 2), 0x01A3);
    set_config(machine, 0x3C, 1, 0x0B);
    assert_int_equal(config(machine, 0x3C), 0x0000010B);
    set_config(machine, 0x12, 2, 0xE123);
    assert_int_equal(config(machine, 0x10), 0xE1230000);
    set_config(machine, 0xFE, 4, 0xFFFFFFFF);
    assert_int_equal(agpu_device_config_read(machine->device, 0xFE, 4), 0xFFFF0000);
}

static void command_bits_stick(void **state)
{
    struct machine *machine = *state;
    assert_int_equal(config(machine, 0x04) & 0xFFFF, 0x0006);
    set_config(machine, 0x04, 2, 0xFFFF);
    assert_int_equal(config(machine, 0x04) & 0xFFFF, 0x0406);
    set_config(machine, 0x04, 2, 0);
    assert_int_equal(config(machine, 0x04) & 0xFFFF, 0);
}

static void decode_off_at_start_when_asked(void **state)
{
    (void)state;
    struct machine machine;
    const struct agpu_device_options options = {.pci_decode_off = true};
    machine_start_bare(&machine, &options);
    assert_int_equal(config(&machine, 0x04), 0);
    assert_int_equal(reg(&machine, AEROGPU_MMIO_REG_MAGIC), 0xFFFFFFFF);
    assert_int_equal(agpu_device_mmio_read(machine.device, 0, 1), 0xFF);
    assert_true(agpu_device_mmio_read(machine.device, 0, 8) == UINT64_MAX);
    set_reg(&machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, 77);
    set_config(&machine, 0x04, 2, 2);
    assert_int_equal(reg(&machine, AEROGPU_MMIO_REG_MAGIC), 0x55504741);
    assert_int_equal(reg(&machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES), 0);
    machine_stop(&machine);
}

/* M1: MMIO works without bus mastering, memory is not touched; the doorbell is served later. */
static void a_doorbell_waits_for_bus_mastering(void **state)
{
    struct machine *machine = *state;
    set_config(machine, 0x04, 2, 0x2);
    submit_fence(machine, 9, 0);
    machine_poll(machine, 1);
    assert_int_equal(machine->reads, 0);
    assert_int_equal(ring_head(machine), 0);
    assert_int_equal(completed_fence(machine), 0);
    set_config(machine, 0x04, 2, 0x6);
    assert_int_equal(ring_head(machine), 1);
    assert_int_equal(completed_fence(machine), 9);
    assert_int_equal(ram_u64(machine, FENCE_PAGE + 8), 9);
}

/* M4: the memory half of a reset waits too, and drops the doorbell before it. */
static void a_reset_waits_for_bus_mastering(void **state)
{
    struct machine *machine = *state;
    submit_fence(machine, 5, 0);
    set_config(machine, 0x04, 2, 0x2);
    submit_fence(machine, 6, 0);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, 3);
    assert_int_equal(completed_fence(machine), 0);
    assert_int_equal(ram_u64(machine, FENCE_PAGE + 8), 5);
    assert_int_equal(ring_head(machine), 1);
    set_config(machine, 0x04, 2, 0x6);
    assert_int_equal(ring_head(machine), 2);
    assert_int_equal(ram_u64(machine, FENCE_PAGE + 8), 0);
    assert_int_equal(completed_fence(machine), 0);
}

/* M6 and the interrupt status bit of the PCI status register. */
static void interrupt_disable_gates_the_line(void **state)
{
    struct machine *machine = *state;
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
    submit_fence(machine, 1, 0);
    assert_true(machine->irq);
    assert_int_equal(config(machine, 0x04) >> 16, 0x0008);
    set_config(machine, 0x04, 2, 0x0406);
    assert_false(machine->irq);
    assert_int_equal(config(machine, 0x04) >> 16, 0x0008);
    set_config(machine, 0x04, 2, 0x0006);
    assert_true(machine->irq);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_FENCE);
    assert_false(machine->irq);
    assert_int_equal(config(machine, 0x04) >> 16, 0);
}

static void vram_keeps_bytes(void **state)
{
    struct machine *machine = *state;
    uint8_t bytes[4] = {9, 9, 9, 9};
    assert_true(agpu_device_vram_read(machine->device, AEROGPU_PCI_BAR1_SIZE_BYTES - 4, bytes, 4));
    assert_memory_equal(bytes, ((uint8_t[]){0, 0, 0, 0}), 4);
    assert_true(agpu_device_vram_write(machine->device, AEROGPU_PCI_BAR1_SIZE_BYTES - 2, "xy", 2));
    assert_true(agpu_device_vram_read(machine->device, AEROGPU_PCI_BAR1_SIZE_BYTES - 4, bytes, 4));
    assert_memory_equal(bytes, ((uint8_t[]){0, 0, 'x', 'y'}), 4);
    assert_false(agpu_device_vram_write(machine->device, AEROGPU_PCI_BAR1_SIZE_BYTES - 1, "xy", 2));
    assert_false(agpu_device_vram_read(machine->device, UINT64_MAX, bytes, 2));
    assert_memory_equal(bytes, ((uint8_t[]){0xFF, 0xFF, 'x', 'y'}), 4);
    set_config(machine, 0x04, 2, 0);
    assert_false(agpu_device_vram_read(machine->device, AEROGPU_PCI_BAR1_SIZE_BYTES - 4, bytes, 4));
    assert_int_equal(bytes[2], 0xFF);
}

/* M11: the fence page, or anything else, may lie in the aperture, wherever the guest has mapped it. */
static void dma_resolves_the_aperture(void **state)
{
    struct machine *machine = *state;
    uint64_t fence = 0;
    set_config(machine, 0x14, 4, 0xD0000000);
    set_reg(machine, AEROGPU_MMIO_REG_FENCE_GPA_LO, 0xD0001000);
    submit_fence(machine, 0x1122, 0);
    assert_true(agpu_device_vram_read(machine->device, 0x1008, &fence, 8));
    assert_int_equal(fence, 0x1122);
    assert_int_equal(machine->diag_count, 0);

    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct agpu_guest_memory *dma = &machine->dma;
    assert_true(dma->write(dma->user, 0xD0000000, bytes, 8));
    assert_true(dma->read(dma->user, 0xD3FFFFF8, bytes, 8));
    assert_int_equal(bytes[0], 0);
    assert_false(dma->read(dma->user, 0xD3FFFFF9, bytes, 8)); /* leaves it */
    assert_false(dma->read(dma->user, 0xCFFFFFFF, bytes, 8)); /* enters it */
    assert_false(dma->read(dma->user, UINT64_MAX - 3, bytes, 8));
    assert_true(dma->read(dma->user, 0, bytes, 8));
    set_config(machine, 0x04, 2, 0x4);
    assert_false(dma->read(dma->user, 0xD0000000, bytes, 8)); /* not decoded */
}

static void creation_needs_memory_and_an_executor(void **state)
{
    (void)state;
    struct agpu_device *device = NULL;
    struct agpu_executor *executor = agpu_null_executor_create();
    const struct agpu_device_callbacks none = {0};
    assert_int_equal(agpu_device_create(NULL, &none, executor, 0, &device), AGPU_REFUSED);
    assert_int_equal(agpu_device_create(NULL, &none, NULL, 0, &device), AGPU_REFUSED);
    assert_null(device);
    agpu_device_destroy(NULL);
    agpu_executor_destroy(executor);
    agpu_executor_destroy(NULL);
}

/* The device does not access its own registers, wherever the guest mapped them: a fence page on the doorbell
 * would ring it, which would write the fence page. */
static void no_dma_into_the_registers(void **state)
{
    struct machine *machine = *state;
    const uint32_t bar = 0x40000;
    set_config(machine, 0x10, 4, bar);
    set_reg(machine, AEROGPU_MMIO_REG_FENCE_GPA_LO, bar + AEROGPU_MMIO_REG_DOORBELL);
    submit_fence(machine, 1, 0);
    assert_int_equal(machine->diag, AGPU_DIAG_DEVICE_GUEST_MEMORY);
    assert_int_equal(machine->diag_severity, AGPU_WARNING);
    assert_int_equal(completed_fence(machine), 1);
    uint8_t bytes[16] = {0};
    const struct agpu_guest_memory *dma = &machine->dma;
    assert_false(dma->write(dma->user, bar - 15, bytes, 16)); /* one byte in it */
    assert_true(dma->write(dma->user, bar - 16, bytes, 16));
    assert_false(dma->read(dma->user, bar + 0xFFFF, bytes, 2));
    assert_true(dma->read(dma->user, bar + 0x10000, bytes, 2));
    set_config(machine, 0x04, 2, 0x4); /* not decoded: memory as any other */
    assert_true(dma->write(dma->user, bar, bytes, 16));
}

/* A machine that routes such an access back to the device, because it keeps the BARs to itself. */
static void come_back(struct machine *machine, uint64_t gpa, size_t size)
{
    (void)gpa, (void)size;
    machine->before_read = NULL;
    set_reg(machine, AEROGPU_MMIO_REG_DOORBELL, 1);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_X, 7);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_CURSOR_X), 0xFFFFFFFF);
    assert_int_equal(agpu_device_config_read(machine->device, 0, 4), 0xFFFFFFFF);
    uint32_t word = 5;
    assert_false(agpu_device_vram_write(machine->device, 0, &word, 4));
    assert_false(agpu_device_vram_read(machine->device, 0, &word, 4));
    assert_int_equal(word, 0xFFFFFFFF);
}

static void guest_memory_does_not_come_back(void **state)
{
    struct machine *machine = *state;
    machine->before_read = come_back;
    submit_fence(machine, 1, 0);
    assert_null(machine->before_read);
    assert_int_equal(completed_fence(machine), 1);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_CURSOR_X), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MACHINE(has_its_identity),
        WITH_MACHINE(bars_report_their_sizes),
        WITH_MACHINE(narrow_accesses_touch_their_bytes),
        WITH_MACHINE(command_bits_stick),
        cmocka_unit_test(decode_off_at_start_when_asked),
        WITH_MACHINE(a_doorbell_waits_for_bus_mastering),
        WITH_MACHINE(a_reset_waits_for_bus_mastering),
        WITH_MACHINE(interrupt_disable_gates_the_line),
        WITH_MACHINE(vram_keeps_bytes),
        WITH_MACHINE(dma_resolves_the_aperture),
        cmocka_unit_test(creation_needs_memory_and_an_executor),
        WITH_MACHINE(no_dma_into_the_registers),
        WITH_MACHINE(guest_memory_does_not_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
