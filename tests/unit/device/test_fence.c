/* SPDX-License-Identifier: MIT */
#include "machine.h"

static void finish_and_poll(struct machine *machine, uint32_t number, uint32_t error)
{
    machine_finish(machine, number, error);
    machine_poll(machine, 0);
}

/* Four submissions, numbers 0-3, that wait for the test. */
static void submit_manually(struct machine *machine, const uint64_t *fences, const uint32_t *flags,
                            uint32_t count)
{
    machine->manual = true;
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
    for (uint32_t i = 0; i < count; i++)
        submit_fence(machine, fences[i], flags != NULL ? flags[i] : 0);
}

static bool take_irq(struct machine *machine)
{
    const bool was = (reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS) & AEROGPU_IRQ_FENCE) != 0;
    assert_int_equal(was, machine->irq);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_FENCE);
    return was;
}

static void completes_in_submission_order(void **state)
{
    struct machine *machine = *state;
    submit_manually(machine, (uint64_t[]){10, 20, 30}, NULL, 3);
    assert_true(agpu_device_poll(machine->device, machine->now_ns));
    finish_and_poll(machine, 2, 0);
    finish_and_poll(machine, 1, 0);
    assert_int_equal(completed_fence(machine), 0);
    assert_false(take_irq(machine));
    finish_and_poll(machine, 0, 0);
    assert_int_equal(completed_fence(machine), 30);
    assert_int_equal(ram_u64(machine, FENCE_PAGE + 8), 30);
    assert_true(take_irq(machine));
    assert_int_equal(machine->page_fence_at_irq, 30);
    assert_false(agpu_device_poll(machine->device, machine->now_ns));
}

static void finishing_twice_counts_once(void **state)
{
    struct machine *machine = *state;
    submit_manually(machine, (uint64_t[]){1, 2}, NULL, 2);
    finish_and_poll(machine, 0, 0);
    finish_and_poll(machine, 0, AEROGPU_ERROR_BACKEND);
    finish_and_poll(machine, 77, AEROGPU_ERROR_BACKEND);
    assert_int_equal(completed_fence(machine), 1);
    assert_no_error(machine);
}

static void never_goes_back(void **state)
{
    struct machine *machine = *state;
    submit_manually(machine, (uint64_t[]){10, 4, 10, 0, 11}, NULL, 5);
    finish_and_poll(machine, 0, 0);
    assert_int_equal(completed_fence(machine), 10);
    assert_true(take_irq(machine));
    finish_and_poll(machine, 1, 0);
    finish_and_poll(machine, 2, 0);
    finish_and_poll(machine, 3, 0);
    assert_int_equal(completed_fence(machine), 10);
    assert_false(take_irq(machine));
    finish_and_poll(machine, 4, 0);
    assert_int_equal(completed_fence(machine), 11);
}

static void sixty_four_bits(void **state)
{
    struct machine *machine = *state;
    submit_fence(machine, UINT64_C(0xFFFFFFFF00000001), 0);
    submit_fence(machine, UINT64_MAX, 0);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO), 0xFFFFFFFF);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_COMPLETED_FENCE_HI), 0xFFFFFFFF);
}

static void equal_fences_complete_with_the_last(void **state)
{
    struct machine *machine = *state;
    submit_manually(machine, (uint64_t[]){5, 0, 5, 6}, (uint32_t[]){0, 0, AEROGPU_SUBMIT_FLAG_NO_IRQ, 0}, 4);
    finish_and_poll(machine, 0, 0);
    finish_and_poll(machine, 1, 0);
    assert_int_equal(completed_fence(machine), 0);
    finish_and_poll(machine, 2, 0);
    assert_int_equal(completed_fence(machine), 5);
    assert_true(take_irq(machine)); /* one of the two wanted it */
}

static void a_late_equal_fence_moves_nothing(void **state)
{
    struct machine *machine = *state;
    submit_manually(machine, (uint64_t[]){5}, NULL, 1);
    finish_and_poll(machine, 0, 0);
    assert_true(take_irq(machine));
    submit_fence(machine, 5, 0);
    finish_and_poll(machine, 1, 0);
    assert_int_equal(completed_fence(machine), 5);
    assert_false(take_irq(machine));
}

static void no_irq_is_quiet(void **state)
{
    struct machine *machine = *state;
    const uint32_t quiet = AEROGPU_SUBMIT_FLAG_NO_IRQ;
    submit_manually(machine, (uint64_t[]){1, 2, 3, 4}, (uint32_t[]){quiet, quiet, 0, quiet}, 4);
    finish_and_poll(machine, 0, 0);
    assert_int_equal(completed_fence(machine), 1);
    assert_int_equal(ram_u64(machine, FENCE_PAGE + 8), 1);
    assert_false(take_irq(machine));
    machine_finish(machine, 2, 0);
    machine_finish(machine, 3, 0);
    finish_and_poll(machine, 1, 0); /* 2, 3 and 4 at once: 3 wants it */
    assert_int_equal(completed_fence(machine), 4);
    assert_true(take_irq(machine));
}

static void executor_errors_are_recorded(void **state)
{
    struct machine *machine = *state;
    submit_manually(machine, (uint64_t[]){8, 9}, NULL, 2);
    finish_and_poll(machine, 0, AEROGPU_ERROR_INTERNAL);
    assert_int_equal(completed_fence(machine), 8);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_CODE), 0xFFFF);
    assert_int_equal(reg64(machine, AEROGPU_MMIO_REG_ERROR_FENCE_LO), 8);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 1);
    finish_and_poll(machine, 1, AEROGPU_ERROR_BACKEND);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_CODE), 3);
    assert_int_equal(reg64(machine, AEROGPU_MMIO_REG_ERROR_FENCE_LO), 9);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 2);
}

/* Section 14: 256 submissions wait without a consumer; then the oldest goes. */
static void a_full_queue_drops_the_oldest(void **state)
{
    struct machine *machine = *state;
    machine->busy = true;
    for (uint32_t i = 1; i <= 256; i++)
        submit_fence(machine, i, 0);
    assert_no_error(machine);
    assert_int_equal(completed_fence(machine), 0);
    submit_fence(machine, 257, 0);
    assert_error(machine, AEROGPU_ERROR_BACKEND, 1, AGPU_DIAG_DEVICE_QUEUE_FULL);
    assert_int_equal(machine->diag_submission, 0);
    assert_int_equal(completed_fence(machine), 1);
    machine->busy = false;
    machine_poll(machine, 0);
    assert_int_equal(machine->received_count, 256);
    assert_int_equal(machine->received[0].submission.number, 1);
    assert_int_equal(completed_fence(machine), 257);
}

/* The same by bytes: the third stream of 48 MiB passes 128 MiB. */
static void the_queue_is_bounded_in_bytes(void **state)
{
    struct machine *machine = *state;
    enum { SIZE = 48 << 20 };
    const struct aerogpu_cmd_stream_header header = {
        .magic = AEROGPU_CMD_STREAM_MAGIC, .abi_version = AEROGPU_ABI_VERSION_U32, .size_bytes = SIZE};
    agpu_device_config_write(machine->device, 0x14, 4, 0xD0000000);
    assert_true(agpu_device_vram_write(machine->device, 0, &header, sizeof header));
    machine->busy = true;
    struct aerogpu_submit_desc desc = empty_desc(0);
    desc.cmd_gpa = 0xD0000000;
    desc.cmd_size_bytes = SIZE;
    for (uint64_t fence = 1; fence <= 3; fence++) {
        desc.signal_fence = fence;
        enqueue(machine, &desc);
        ring_doorbell(machine);
        while (ring_head(machine) != fence)
            machine_poll(machine, 0);
    }
    assert_error(machine, AEROGPU_ERROR_BACKEND, 1, AGPU_DIAG_DEVICE_QUEUE_FULL);
    assert_int_equal(completed_fence(machine), 1);
}

/* An executor that never finishes anything cannot make the device hold more and more: descriptors stay in
 * the ring. */
static void outstanding_work_is_bounded(void **state)
{
    struct machine *machine = *state;
    machine->manual = true;
    for (uint32_t i = 1; i <= 1024; i++)
        submit_fence(machine, i, 0);
    assert_int_equal(ring_head(machine), 1024);
    submit_fence(machine, 1025, 0);
    submit_fence(machine, 1026, 0);
    machine_poll(machine, 0);
    assert_int_equal(ring_head(machine), 1024);
    assert_int_equal(machine->received_count, 1024);
    finish_and_poll(machine, 0, 0); /* room for one */
    assert_int_equal(ring_head(machine), 1025);
    finish_and_poll(machine, 1, 0);
    assert_int_equal(ring_head(machine), 1026);
    assert_int_equal(machine->received[1025].submission.fence, 1026);
    assert_no_error(machine);
}

static void null_executor_completes_at_once(void **state)
{
    (void)state;
    struct machine machine;
    machine_start(&machine, NULL);
    struct agpu_executor *null = agpu_null_executor_create();
    struct agpu_device *scripted = machine.device;
    const struct agpu_device_callbacks callbacks = {.memory = machine.dma};
    assert_int_equal(agpu_device_create(NULL, &callbacks, null, 0, &machine.device), AGPU_OK);
    set_reg(&machine, AEROGPU_MMIO_REG_RING_GPA_LO, RING);
    set_reg(&machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, RING_SIZE);
    set_reg(&machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
    submit_fence(&machine, 31, 0);
    assert_int_equal(completed_fence(&machine), 31);
    struct agpu_counters counters = {0};
    null->counters(null, &counters);
    assert_int_equal(counters.submissions, 1);
    agpu_device_destroy(machine.device);
    agpu_executor_destroy(null);
    machine.device = scripted;
    machine_stop(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MACHINE(completes_in_submission_order),
        WITH_MACHINE(finishing_twice_counts_once),
        WITH_MACHINE(never_goes_back),
        WITH_MACHINE(sixty_four_bits),
        WITH_MACHINE(equal_fences_complete_with_the_last),
        WITH_MACHINE(a_late_equal_fence_moves_nothing),
        WITH_MACHINE(no_irq_is_quiet),
        WITH_MACHINE(executor_errors_are_recorded),
        WITH_MACHINE(a_full_queue_drops_the_oldest),
        WITH_MACHINE(the_queue_is_bounded_in_bytes),
        WITH_MACHINE(outstanding_work_is_bounded),
        cmocka_unit_test(null_executor_completes_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
