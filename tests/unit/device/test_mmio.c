/* SPDX-License-Identifier: MIT */
#include "machine.h"

static void identifies_itself(void **state)
{
    struct machine *machine = *state;
    assert_int_equal(reg(machine, 0x0000), 0x55504741);
    assert_int_equal(reg(machine, 0x0004), 0x00010004);
    assert_int_equal(reg(machine, 0x0008), 0x3F);
    assert_int_equal(reg(machine, 0x000C), 0);
    assert_int_equal(reg(machine, 0x0430), 16666667);
}

static void vblank_feature_goes_with_the_refresh(void **state)
{
    (void)state;
    struct machine machine;
    const struct agpu_device_options none = {.refresh_millihertz = UINT32_MAX};
    machine_start_bare(&machine, &none);
    assert_int_equal(reg(&machine, 0x0008), 0x37);
    assert_int_equal(reg(&machine, 0x0430), 0);
    machine_stop(&machine);
    const struct agpu_device_options fast = {.refresh_millihertz = 144000};
    machine_start_bare(&machine, &fast);
    assert_int_equal(reg(&machine, 0x0430), 6944445); /* rounded up */
    machine_stop(&machine);
    const struct agpu_device_options slow = {.refresh_millihertz = 1};
    machine_start_bare(&machine, &slow);
    assert_int_equal(reg(&machine, 0x0430), 0xFFFFFFFF);
    machine_stop(&machine);
}

static void read_write_registers_store(void **state)
{
    (void)state;
    static const uint32_t stored[] = {
        0x0100, 0x0104, 0x0108, 0x0120, 0x0124, 0x0304, 0x0404, 0x0408, 0x0410, 0x0414,
        0x0418, 0x0504, 0x0508, 0x050C, 0x0510, 0x0514, 0x0518, 0x0520, 0x0524, 0x0528,
    };
    struct machine machine;
    machine_start_bare(&machine, NULL);
    for (size_t i = 0; i < sizeof stored / sizeof stored[0]; i++)
        set_reg(&machine, stored[i], 0xA5000000u + stored[i]);
    for (size_t i = 0; i < sizeof stored / sizeof stored[0]; i++)
        assert_int_equal(reg(&machine, stored[i]), 0xA5000000u + stored[i]);
    machine_stop(&machine);
}

/* Formats that there are not read as AEROGPU_FORMAT_INVALID, whatever enables reads as 1. */
static void registers_keep_what_they_understand(void **state)
{
    struct machine *machine = *state;
    static const uint32_t enables[] = {AEROGPU_MMIO_REG_SCANOUT0_ENABLE, AEROGPU_MMIO_REG_CURSOR_ENABLE};
    static const uint32_t formats[] = {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_MMIO_REG_CURSOR_FORMAT};
    for (size_t i = 0; i < 2; i++) {
        set_reg(machine, enables[i], 0x80000000);
        assert_int_equal(reg(machine, enables[i]), 1);
        set_reg(machine, enables[i], 0);
        assert_int_equal(reg(machine, enables[i]), 0);
        set_reg(machine, formats[i], AEROGPU_FORMAT_B5G6R5_UNORM);
        assert_int_equal(reg(machine, formats[i]), AEROGPU_FORMAT_B5G6R5_UNORM);
        set_reg(machine, formats[i], 11);
        assert_int_equal(reg(machine, formats[i]), AEROGPU_FORMAT_INVALID);
        set_reg(machine, formats[i], AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB);
        assert_int_equal(reg(machine, formats[i]), AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB);
        set_reg(machine, formats[i], 0xFFFFFFFF);
        assert_int_equal(reg(machine, formats[i]), AEROGPU_FORMAT_INVALID);
    }
}

static void read_only_and_write_only_registers(void **state)
{
    struct machine *machine = *state;
    static const uint32_t read_only[] = {0x0000, 0x0004, 0x0008, 0x000C, 0x0130, 0x0134, 0x0300, 0x0310,
                                         0x0314, 0x0318, 0x031C, 0x0420, 0x0424, 0x0428, 0x042C, 0x0430};
    for (size_t i = 0; i < sizeof read_only / sizeof read_only[0]; i++) {
        const uint32_t before = reg(machine, read_only[i]);
        set_reg(machine, read_only[i], ~before);
        assert_int_equal(reg(machine, read_only[i]), before);
    }
    assert_int_equal(reg(machine, 0x0200), 0);
    assert_int_equal(reg(machine, 0x0308), 0);
}

/* M2 */
static void unknown_registers_read_zero(void **state)
{
    struct machine *machine = *state;
    static const uint32_t unknown[] = {0x0010, 0x00FC, 0x0128, 0x0204, 0x030C,
                                       0x041C, 0x0434, 0x052C, 0xFFFC};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        set_reg(machine, unknown[i], 0xFFFFFFFF);
        assert_int_equal(reg(machine, unknown[i]), 0);
    }
    assert_true(agpu_device_mmio_read(machine->device, 0x10000, 4) == 0xFFFFFFFF);
    assert_true(agpu_device_mmio_read(machine->device, 0xFFFE, 4) == 0xFFFFFFFF);
    assert_true(agpu_device_mmio_read(machine->device, UINT64_MAX, 8) == UINT64_MAX);
    assert_true(agpu_device_mmio_read(machine->device, 0, 3) == 0xFFFFFF);
    agpu_device_mmio_write(machine->device, UINT64_MAX - 1, 4, 0);
    agpu_device_mmio_write(machine->device, 0x100, 16, 0);
}

static void accesses_of_every_size(void **state)
{
    struct machine *machine = *state;
    struct agpu_device *device = machine->device;
    assert_int_equal(agpu_device_mmio_read(device, 0, 1), 0x41);
    assert_int_equal(agpu_device_mmio_read(device, 3, 1), 0x55);
    assert_int_equal(agpu_device_mmio_read(device, 2, 2), 0x5550);
    assert_int_equal(agpu_device_mmio_read(device, 3, 2), 0x0455);
    assert_true(agpu_device_mmio_read(device, 0, 8) == UINT64_C(0x0001000455504741));
    assert_true(agpu_device_mmio_read(device, 1, 8) == UINT64_C(0x3F00010004555047));

    agpu_device_mmio_write(device, 0x0100, 8, UINT64_C(0x1122334455667788));
    assert_int_equal(reg(machine, 0x0100), 0x55667788);
    assert_int_equal(reg(machine, 0x0104), 0x11223344);
    agpu_device_mmio_write(device, 0x0101, 1, 0xFFAA);
    assert_int_equal(reg(machine, 0x0100), 0x5566AA88);
    agpu_device_mmio_write(device, 0x0103, 2, 0xBBCC);
    assert_int_equal(reg(machine, 0x0100), 0xCC66AA88);
    assert_int_equal(reg(machine, 0x0104), 0x112233BB);
    agpu_device_mmio_write(device, 0x0102, 4, 0xD4D3D2D1);
    assert_int_equal(reg(machine, 0x0100), 0xD2D1AA88);
    assert_int_equal(reg(machine, 0x0104), 0x1122D4D3);
}

static void a_byte_rings_the_doorbell(void **state)
{
    struct machine *machine = *state;
    const struct aerogpu_submit_desc desc = empty_desc(4);
    enqueue(machine, &desc);
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_DOORBELL + 2, 1, 0);
    assert_int_equal(completed_fence(machine), 4);
}

/* M5 */
static void interrupts_latch_only_while_enabled(void **state)
{
    struct machine *machine = *state;
    submit_fence(machine, 1, 0);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS), 0);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS), 0);
    assert_false(machine->irq);
    submit_fence(machine, 2, 0);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS), AEROGPU_IRQ_FENCE);
    assert_true(machine->irq);
    assert_int_equal(machine->page_fence_at_irq, 2);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS), 0);
    assert_false(machine->irq);
}

static void errors_latch_even_when_masked(void **state)
{
    struct machine *machine = *state;
    set_reg(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, 0);
    ring_doorbell(machine);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS), AEROGPU_IRQ_ERROR);
    assert_false(machine->irq);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_ERROR);
    assert_true(machine->irq);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
    assert_false(machine->irq);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS), AEROGPU_IRQ_ERROR);
}

static void acknowledging_clears_written_bits_only(void **state)
{
    struct machine *machine = *state;
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR);
    submit_fence(machine, 2, 0);
    set_ram_u32(machine, RING, 0);
    ring_doorbell(machine);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS), AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_FENCE);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS), AEROGPU_IRQ_ERROR);
    assert_true(machine->irq);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_ERROR);
    assert_false(machine->irq);
    assert_int_equal(machine->irq_changes, 2);
    /* The payload stays. */
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_CODE), AEROGPU_ERROR_CMD_DECODE);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 1);
}

/* M8 */
static void addresses_commit_with_their_high_half(void **state)
{
    struct machine *machine = *state;
    static const uint32_t block[2][3] = {
        {0x0400, 0x0414, 0x0418},
        {0x0500, 0x0520, 0x0524}
    };
    for (int i = 0; i < 2; i++) {
        set_reg(machine, block[i][0], 1);
        set_reg(machine, block[i][1], 0x1000);
        set_reg(machine, block[i][2], 0x2);
        set_reg(machine, block[i][1], 0x5000);
        assert_int_equal(reg(machine, block[i][1]), 0x5000);
        assert_int_equal(reg(machine, block[i][2]), 0x2);
        set_reg(machine, block[i][0], 0);
        assert_int_equal(reg(machine, block[i][1]), 0x1000); /* the held half is dropped */
        agpu_device_mmio_write(machine->device, block[i][1], 8, UINT64_C(0x700006000));
        assert_int_equal(reg(machine, block[i][1]), 0x6000);
        assert_int_equal(reg(machine, block[i][2]), 7);
    }
}

/* M3, M4 */
static void reset_starts_over(void **state)
{
    struct machine *machine = *state;
    machine->manual = true;
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
    submit_fence(machine, 3, 0);
    machine_finish(machine, 0, AEROGPU_ERROR_BACKEND);
    machine_poll(machine, 0);
    submit_fence(machine, 4, 0);
    assert_int_equal(completed_fence(machine), 3);
    assert_true(machine->irq);
    set_ram_u32(machine, RING + 28, 7); /* work that nobody has looked at */

    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET | AEROGPU_RING_CONTROL_ENABLE);
    assert_int_equal(machine->resets, 1);
    assert_int_equal(completed_fence(machine), 0);
    assert_int_equal(ram_u64(machine, FENCE_PAGE + 8), 0);
    assert_int_equal(ring_head(machine), 7);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS), 0);
    assert_false(machine->irq);
    for (uint32_t offset = 0x0310; offset <= 0x031C; offset += 4)
        assert_int_equal(reg(machine, offset), 0);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_RING_CONTROL), AEROGPU_RING_CONTROL_ENABLE);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_RING_GPA_LO), RING);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_FENCE_GPA_LO), FENCE_PAGE);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE), AEROGPU_IRQ_FENCE);

    /* What the executor still says about the dropped submission moves nothing; numbers start again. */
    machine_finish(machine, 1, AEROGPU_ERROR_NONE);
    machine_poll(machine, 0);
    assert_int_equal(completed_fence(machine), 0);
    machine->manual = false;
    submit_fence(machine, 1, 0);
    assert_int_equal(completed_fence(machine), 1);
    assert_int_equal(machine->received[machine->received_count - 1].submission.number, 0);

    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, 0xFFFFFFFC | AEROGPU_RING_CONTROL_RESET);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_RING_CONTROL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MACHINE(identifies_itself),
        cmocka_unit_test(vblank_feature_goes_with_the_refresh),
        cmocka_unit_test(read_write_registers_store),
        WITH_MACHINE(registers_keep_what_they_understand),
        WITH_MACHINE(read_only_and_write_only_registers),
        WITH_MACHINE(unknown_registers_read_zero),
        WITH_MACHINE(accesses_of_every_size),
        WITH_MACHINE(a_byte_rings_the_doorbell),
        WITH_MACHINE(interrupts_latch_only_while_enabled),
        WITH_MACHINE(errors_latch_even_when_masked),
        WITH_MACHINE(acknowledging_clears_written_bits_only),
        WITH_MACHINE(addresses_commit_with_their_high_half),
        WITH_MACHINE(reset_starts_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
