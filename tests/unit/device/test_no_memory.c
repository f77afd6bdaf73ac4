/* SPDX-License-Identifier: MIT
 *
 * A host that runs out of memory, at every allocation in turn: the guest sees an error and its fence, and the
 * device works again once there is memory.
 */
#include "support/test.h"

#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/device.h"
#include "support/failing_memory.h"

enum { RING = 0x1000, COMMANDS = 0x3000, TABLE = 0x4000, PICTURE = 0x5000, RAM_BYTES = 0x6000 };

static uint8_t ram[RAM_BYTES];

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    (void)user;
    if (gpa > RAM_BYTES || size > RAM_BYTES - gpa)
        return false;
    memcpy(to, ram + gpa, size);
    return true;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    (void)user;
    if (gpa > RAM_BYTES || size > RAM_BYTES - gpa)
        return false;
    memcpy(ram + gpa, from, size);
    return true;
}

static unsigned reports;

static void report(void *user, const struct agpu_diag *diag)
{
    (void)user;
    reports += diag->code == AGPU_DIAG_OUT_OF_MEMORY;
}

static void set_reg(struct agpu_device *device, uint32_t offset, uint32_t value)
{
    agpu_device_mmio_write(device, offset, 4, value);
}

/* A ring with one submission that has a stream and a table of two, and a scanout of one pixel. */
static void write_guest(void)
{
    const struct aerogpu_ring_header ring = {.magic = AEROGPU_RING_MAGIC,
                                             .abi_version = AEROGPU_ABI_VERSION_U32,
                                             .size_bytes = 64 + 8 * 64,
                                             .entry_count = 8,
                                             .entry_stride_bytes = 64,
                                             .tail = 1};
    const struct aerogpu_cmd_stream_header stream = {
        .magic = AEROGPU_CMD_STREAM_MAGIC, .abi_version = AEROGPU_ABI_VERSION_U32, .size_bytes = 24};
    const struct aerogpu_alloc_table_header table = {.magic = AEROGPU_ALLOC_TABLE_MAGIC,
                                                     .abi_version = AEROGPU_ABI_VERSION_U32,
                                                     .size_bytes = 24 + 2 * 32,
                                                     .entry_count = 2,
                                                     .entry_stride_bytes = 32};
    const struct aerogpu_alloc_entry first = {.alloc_id = 1, .size_bytes = 4};
    const struct aerogpu_alloc_entry second = {.alloc_id = 2, .size_bytes = 4};
    const struct aerogpu_submit_desc desc = {.desc_size_bytes = 64,
                                             .cmd_gpa = COMMANDS,
                                             .cmd_size_bytes = 24,
                                             .alloc_table_gpa = TABLE,
                                             .alloc_table_size_bytes = 24 + 2 * 32,
                                             .signal_fence = 7};
    memset(ram, 0, sizeof ram);
    memcpy(ram + RING, &ring, sizeof ring);
    memcpy(ram + RING + 64, &desc, sizeof desc);
    memcpy(ram + COMMANDS, &stream, sizeof stream);
    memcpy(ram + TABLE, &table, sizeof table);
    memcpy(ram + TABLE + 24, &first, sizeof first);
    memcpy(ram + TABLE + 24 + 32, &second, sizeof second);
}

static void use_device(struct agpu_device *device)
{
    uint32_t width, height;
    uint8_t *pixels;
    set_reg(device, AEROGPU_MMIO_REG_RING_GPA_LO, RING);
    set_reg(device, AEROGPU_MMIO_REG_RING_SIZE_BYTES, 64 + 8 * 64);
    set_reg(device, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
    set_reg(device, AEROGPU_MMIO_REG_SCANOUT0_WIDTH, 1);
    set_reg(device, AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, 1);
    set_reg(device, AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM);
    set_reg(device, AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 4);
    set_reg(device, AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, PICTURE);
    set_reg(device, AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0);
    set_reg(device, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
    set_reg(device, AEROGPU_MMIO_REG_DOORBELL, 1);
    const enum agpu_status status = agpu_device_read_scanout(device, &width, &height, &pixels);
    if (status == AGPU_OK)
        agpu_free(pixels);
    else
        assert_int_equal(status, AGPU_NO_MEMORY);
    agpu_device_vram_write(device, 0, "x", 1);
}

static bool work(void)
{
    struct agpu_device *device = NULL;
    reports = 0;
    write_guest();
    struct agpu_executor *executor = agpu_null_executor_create();
    if (executor == NULL)
        return failing_memory_disarm();
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = read_ram, .write = write_ram},
        .diagnostics = {.report = report               },
    };
    const enum agpu_status status = agpu_device_create(NULL, &callbacks, executor, 0, &device);
    if (status == AGPU_OK)
        use_device(device);
    const bool failed = failing_memory_disarm();
    assert_true(failed == (reports != 0));
    if (status == AGPU_OK) {
        /* No doorbell is needed to go on. */
        agpu_device_poll(device, 1);
        assert_int_equal(agpu_device_mmio_read(device, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8), 7);
        assert_true(agpu_device_vram_write(device, 0, "x", 1));
    } else {
        assert_int_equal(status, AGPU_NO_MEMORY);
        assert_null(device);
    }
    agpu_device_destroy(device);
    agpu_executor_destroy(executor);
    return failed;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    /* Executor, device, submission, ids, stream and table, two for the picture, VRAM. */
    assert_true(failing_memory_each(work) >= 2 * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
