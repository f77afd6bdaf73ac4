/* SPDX-License-Identifier: MIT
 *
 * A guest that does anything at all: random accesses, random memory, memory that changes while it is read.
 * The device must stay inside its promises; sanitizers watch the rest. AEROGPU_TEST_ROUNDS makes it longer.
 */
#include "machine.h"

#include <stdlib.h>

#include "../../support/pictures.h"

static uint64_t seed;

static uint64_t noise(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Values that are near the edges of everything. */
static uint64_t any_value(void)
{
    static const uint64_t edges[] = {0,          1,          2,          3,          23,
                                     24,         63,         64,         65,         RING,
                                     FENCE_PAGE, COMMANDS,   TABLE,      RAM_SIZE,   0x7FFFFFFF,
                                     0x80000000, 0xFFFFFFFF, UINT64_MAX, 0xD0000000, 0xD3FFFFF0};
    switch (noise() % 4) {
    case 0:
        return edges[noise() % (sizeof edges / sizeof edges[0])];
    case 1:
        return edges[noise() % (sizeof edges / sizeof edges[0])] + noise() % 17 - 8;
    case 2:
        return noise() % RAM_SIZE;
    default:
        return noise();
    }
}

static void scribble(struct machine *machine, uint32_t base, uint32_t size)
{
    set_ram_u32(machine, base + (uint32_t)(noise() % (size / 4)) * 4, (uint32_t)any_value());
}

static void scribble_before_read(struct machine *machine, uint64_t gpa, size_t size)
{
    (void)gpa;
    (void)size;
    if (noise() % 4 == 0) {
        scribble(machine, RING, 64 + RING_ENTRIES * RING_STRIDE);
        scribble(machine, COMMANDS, 64);
        scribble(machine, TABLE, 128);
    }
}

/* A good submission with a stream and a table, so that noise starts from something deep. */
static void good_submission(struct machine *machine)
{
    const uint32_t packets[] = {AEROGPU_CMD_PRESENT, 16, 0, (uint32_t)(noise() & 1), AEROGPU_CMD_NOP, 8};
    struct aerogpu_submit_desc desc = stream_desc(machine, noise() % 64, packets, 6);
    const struct aerogpu_alloc_table_header header = {.magic = AEROGPU_ALLOC_TABLE_MAGIC,
                                                      .abi_version = AEROGPU_ABI_VERSION_U32,
                                                      .size_bytes = 24 + 2 * 32,
                                                      .entry_count = 2,
                                                      .entry_stride_bytes = 32};
    const struct aerogpu_alloc_entry entries[2] = {
        {.alloc_id = 1, .gpa = 0,  .size_bytes = 1},
        {.alloc_id = 2, .gpa = 64, .size_bytes = 1}
    };
    memcpy(machine->ram + TABLE, &header, sizeof header);
    memcpy(machine->ram + TABLE + 24, entries, sizeof entries);
    desc.alloc_table_gpa = TABLE;
    desc.alloc_table_size_bytes = header.size_bytes;
    write_ring_header(machine, RING_ENTRIES, RING_STRIDE);
    set_ram_u32(machine, RING + 24, 0);
    set_ram_u32(machine, RING + 28, 0);
    for (uint64_t i = noise() % RING_ENTRIES + 1; i > 0; i--)
        enqueue(machine, &desc);
    set_reg(machine, AEROGPU_MMIO_REG_RING_GPA_LO, RING);
    set_reg(machine, AEROGPU_MMIO_REG_RING_GPA_HI, 0);
    set_reg(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, RING_SIZE);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
}

static void good_scanout(struct machine *machine)
{
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_WIDTH, (uint32_t)(noise() % 16 + 1));
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, (uint32_t)(noise() % 16 + 1));
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_FORMAT, (uint32_t)(noise() % 10 + 1));
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, (uint32_t)(noise() % 64 + 8));
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 8, any_value());
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
}

static void show(struct machine *machine)
{
    static const uint8_t pixels[8 * 8 * 4];
    const struct agpu_present present = {.width = (uint32_t)(noise() % 9),
                                         .height = (uint32_t)(noise() % 9),
                                         .scanout_id = noise() % 8 == 0,
                                         .pixels = pixels};
    machine_show(machine, &present);
}

static void act(struct machine *machine)
{
    static const uint32_t blocks[] = {0x000, 0x100, 0x120, 0x200, 0x300, 0x400, 0x420, 0x500};
    const uint64_t offset = blocks[noise() % 8] + noise() % 0x30;
    switch (noise() % 16) {
    case 0:
        agpu_device_mmio_read(machine->device, any_value(), (uint32_t)(noise() % 10));
        break;
    case 1:
        agpu_device_mmio_write(machine->device, any_value(), (uint32_t)(noise() % 10), any_value());
        break;
    case 2:
    case 3:
    case 4:
        agpu_device_mmio_write(machine->device, offset, 1u << noise() % 4, any_value());
        break;
    case 5:
        agpu_device_config_write(machine->device, (uint32_t)noise() % 0x104, 1u << noise() % 3,
                                 (uint32_t)any_value());
        agpu_device_config_read(machine->device, (uint32_t)any_value(), (uint32_t)noise() % 6);
        break;
    case 6:
        agpu_device_config_write(machine->device, 0x04, 2, 6);
        good_submission(machine);
        break;
    case 7:
        scribble(machine, RING, 64 + RING_ENTRIES * RING_STRIDE);
        break;
    case 8:
        scribble(machine, COMMANDS, 64);
        scribble(machine, TABLE, 96);
        break;
    case 9:
        read_pictures(machine->device);
        show(machine);
        break;
    case 10:
        machine->manual = noise() & 1;
        machine->busy = noise() % 4 == 0;
        break;
    case 11:
        machine_finish(machine, (uint32_t)(noise() % 64), (uint32_t)any_value());
        break;
    case 12:
        agpu_device_poll(machine->device,
                         noise() % 64 == 0 ? noise() >> 8 : (machine->now_ns += PERIOD_NS / 3));
        break;
    case 13:
        if (noise() & 1)
            set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, noise() & 1);
        else
            good_scanout(machine);
        break;
    default:
        ring_doorbell(machine);
        break;
    }
}

static void drop_received(struct machine *machine)
{
    for (uint32_t i = 0; i < machine->received_count; i++) {
        free(machine->received[i].stream);
        free(machine->received[i].allocations);
    }
    machine->received_count = 0;
}

static void survives(void **state)
{
    (void)state;
    const char *text = getenv("AEROGPU_TEST_ROUNDS");
    const unsigned long rounds = text != NULL ? strtoul(text, NULL, 10) : 60;
    for (unsigned long round = 0; round < rounds; round++) {
        struct machine machine;
        seed = (round + 1) * UINT64_C(0x9E3779B97F4A7C15);
        machine_start(&machine, NULL);
        uint64_t fence = 0;
        unsigned resets = 0;
        for (unsigned step = 0; step < 2000; step++) {
            machine.before_read = noise() & 1 ? scribble_before_read : NULL;
            act(&machine);
            drop_received(&machine);
            /* Whatever happens, the completed fence only goes back by a reset. */
            agpu_device_config_write(machine.device, 0x04, 1,
                                     agpu_device_config_read(machine.device, 0x04, 1) | 2);
            const uint64_t now = completed_fence(&machine);
            assert_true(now >= fence || machine.resets != resets);
            fence = now;
            resets = machine.resets;
        }
        /* And afterwards the device still works. */
        machine.before_read = NULL;
        machine.manual = machine.busy = false;
        agpu_device_config_write(machine.device, 0x10, 4, 0xC0000000); /* no BAR lies over its memory */
        agpu_device_config_write(machine.device, 0x14, 4, 0xD0000000);
        agpu_device_config_write(machine.device, 0x04, 2, 6);
        set_reg(&machine, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
        set_reg(&machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
        agpu_device_mmio_write(machine.device, AEROGPU_MMIO_REG_FENCE_GPA_LO, 8, FENCE_PAGE);
        good_submission(&machine);
        ring_doorbell(&machine);
        submit_fence(&machine, 1000, 0);
        assert_int_equal(completed_fence(&machine), 1000);
        assert_int_equal(ram_u64(&machine, FENCE_PAGE + 8), 1000);
        machine_stop(&machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
