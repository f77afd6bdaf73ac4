/* SPDX-License-Identifier: MIT */
#include "machine.h"

#define sequence(machine) reg64((machine), AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO)
#define vblank_time(machine) reg64((machine), AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_LO)

static void enable(struct machine *machine, uint32_t value)
{
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, value);
}

static bool vblank_pending(struct machine *machine)
{
    return (reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS) & AEROGPU_IRQ_SCANOUT_VBLANK) != 0;
}

static void present(struct machine *machine, uint64_t fence, uint32_t flags)
{
    const struct aerogpu_submit_desc desc = present_desc(machine, fence, flags);
    enqueue(machine, &desc);
    ring_doorbell(machine);
}

static void ticks_once_per_period(void **state)
{
    struct machine *machine = *state;
    assert_true(agpu_device_next_event_ns(machine->device) == UINT64_MAX);
    machine_poll(machine, 10 * PERIOD_NS);
    assert_int_equal(sequence(machine), 0);
    enable(machine, 1);
    const uint64_t start = machine->now_ns;
    assert_int_equal(agpu_device_next_event_ns(machine->device), start + PERIOD_NS);
    machine_poll(machine, PERIOD_NS - 1);
    assert_int_equal(sequence(machine), 0);
    machine_poll(machine, 1);
    assert_int_equal(sequence(machine), 1);
    assert_int_equal(vblank_time(machine), start + PERIOD_NS - BOOT_NS);
    machine_poll(machine, PERIOD_NS + 5);
    assert_int_equal(sequence(machine), 2);
    assert_int_equal(vblank_time(machine), start + 2 * PERIOD_NS - BOOT_NS);
    assert_int_equal(agpu_device_next_event_ns(machine->device), start + 3 * PERIOD_NS);
    enable(machine, 1); /* is enabled already: the phase stays */
    assert_int_equal(agpu_device_next_event_ns(machine->device), start + 3 * PERIOD_NS);
    agpu_device_poll(machine->device, 0); /* time does not go back */
    assert_int_equal(sequence(machine), 2);
    enable(machine, 0);
    machine_poll(machine, 10 * PERIOD_NS);
    assert_int_equal(sequence(machine), 2);
    assert_true(agpu_device_next_event_ns(machine->device) == UINT64_MAX);
}

/* Writes happen when they are made, not at the last poll: what is due comes before them. */
static void writes_have_a_time_of_their_own(void **state)
{
    struct machine *machine = *state;
    machine->now_ns += 1000; /* nobody polls */
    enable(machine, 1);
    assert_int_equal(agpu_device_next_event_ns(machine->device), machine->now_ns + PERIOD_NS);
    machine->now_ns += 3 * PERIOD_NS;
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
    assert_int_equal(sequence(machine), 3);
    assert_false(vblank_pending(machine)); /* they were before the interrupt was enabled */
    machine_poll(machine, 0);
    assert_false(vblank_pending(machine));
    machine_poll(machine, PERIOD_NS);
    assert_true(vblank_pending(machine));
}

static void presents_after_an_edge_wait_for_the_next(void **state)
{
    struct machine *machine = *state;
    enable(machine, 1);
    present(machine, 1, AEROGPU_PRESENT_FLAG_VSYNC);
    machine->now_ns += PERIOD_NS + 1000;
    present(machine, 2, AEROGPU_PRESENT_FLAG_VSYNC); /* the tick that was due lets the first one go */
    assert_int_equal(completed_fence(machine), 1);
    machine_poll(machine, 0);
    assert_int_equal(completed_fence(machine), 1);
    machine_poll(machine, PERIOD_NS - 1001);
    assert_int_equal(completed_fence(machine), 1);
    machine_poll(machine, 1);
    assert_int_equal(completed_fence(machine), 2);
}

/* Work that is done is noticed before the tick, as in a poll. */
static void a_tick_at_a_write_sees_finished_work(void **state)
{
    struct machine *machine = *state;
    machine->manual = true;
    enable(machine, 1);
    present(machine, 1, AEROGPU_PRESENT_FLAG_VSYNC);
    machine_finish(machine, 0, AEROGPU_ERROR_NONE);
    machine->now_ns += PERIOD_NS;
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_X, 1);
    assert_int_equal(completed_fence(machine), 1);
}

static void catches_up_at_most_1024(void **state)
{
    struct machine *machine = *state;
    enable(machine, 1);
    const uint64_t start = machine->now_ns;
    machine_poll(machine, 1024 * PERIOD_NS);
    assert_int_equal(sequence(machine), 1024);
    machine_poll(machine, 5000 * PERIOD_NS);
    assert_int_equal(sequence(machine), 2048);
    assert_int_equal(vblank_time(machine), start + 6024 * PERIOD_NS - BOOT_NS);
    assert_int_equal(agpu_device_next_event_ns(machine->device), start + 6025 * PERIOD_NS);
    agpu_device_poll(machine->device, UINT64_MAX);
    assert_int_equal(sequence(machine), 3072);
}

static void interrupts_follow_the_mask_of_the_moment(void **state)
{
    struct machine *machine = *state;
    enable(machine, 1);
    machine_poll(machine, PERIOD_NS);
    assert_false(vblank_pending(machine));
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
    machine_poll(machine, 0);
    assert_false(vblank_pending(machine)); /* nothing is delivered late */
    machine_poll(machine, 2 * PERIOD_NS);
    assert_true(vblank_pending(machine));
    assert_true(machine->irq);
    assert_int_equal(machine->irq_changes, 1);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_SCANOUT_VBLANK);
    assert_false(machine->irq);
    machine_poll(machine, PERIOD_NS);
    assert_true(machine->irq);
    enable(machine, 0);
    assert_false(vblank_pending(machine));
    assert_false(machine->irq);
}

static void vsync_presents_wait_for_a_tick_each(void **state)
{
    struct machine *machine = *state;
    enable(machine, 1);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
    present(machine, 1, AEROGPU_PRESENT_FLAG_VSYNC);
    submit_fence(machine, 2, 0);
    present(machine, 3, AEROGPU_PRESENT_FLAG_VSYNC);
    submit_fence(machine, 4, 0);
    assert_int_equal(machine->received_count, 4); /* executed all the same */
    assert_int_equal(ring_head(machine), 4);
    assert_true(agpu_device_poll(machine->device, machine->now_ns + PERIOD_NS - 1));
    assert_int_equal(completed_fence(machine), 0);
    assert_false(machine->irq);
    machine_poll(machine, PERIOD_NS);
    assert_int_equal(completed_fence(machine), 2);
    assert_true(machine->irq);
    machine_poll(machine, PERIOD_NS - 1);
    assert_int_equal(completed_fence(machine), 2);
    machine_poll(machine, 1);
    assert_int_equal(completed_fence(machine), 4);
    assert_int_equal(ram_u64(machine, FENCE_PAGE + 8), 4);
    assert_false(agpu_device_poll(machine->device, machine->now_ns));
}

static void work_that_is_not_done_misses_the_tick(void **state)
{
    struct machine *machine = *state;
    machine->manual = true;
    enable(machine, 1);
    present(machine, 1, AEROGPU_PRESENT_FLAG_VSYNC);
    machine_poll(machine, PERIOD_NS);
    assert_int_equal(completed_fence(machine), 0);
    machine_finish(machine, 0, AEROGPU_ERROR_NONE);
    machine_poll(machine, PERIOD_NS - 1);
    assert_int_equal(completed_fence(machine), 0);
    machine_poll(machine, 1);
    assert_int_equal(completed_fence(machine), 1);
}

/* The stream decides, whatever its other packets; the submit flag does not. */
static void the_stream_decides(void **state)
{
    struct machine *machine = *state;
    enable(machine, 1);
    struct aerogpu_submit_desc desc = empty_desc(1);
    desc.flags = AEROGPU_SUBMIT_FLAG_PRESENT;
    enqueue(machine, &desc);
    ring_doorbell(machine);
    assert_int_equal(completed_fence(machine), 1);
    present(machine, 2, 0);
    assert_int_equal(completed_fence(machine), 2);
    const uint32_t packets[] = {AEROGPU_CMD_NOP,
                                8,
                                0x7FFF,
                                12,
                                1,
                                AEROGPU_CMD_PRESENT,
                                16,
                                0,
                                0,
                                AEROGPU_CMD_PRESENT_EX,
                                24,
                                0,
                                3,
                                0,
                                0};
    desc = stream_desc(machine, 3, packets, 15);
    enqueue(machine, &desc);
    ring_doorbell(machine);
    assert_int_equal(completed_fence(machine), 2);
    machine_poll(machine, PERIOD_NS);
    assert_int_equal(completed_fence(machine), 3);
}

static void no_scanout_no_waiting(void **state)
{
    struct machine *machine = *state;
    present(machine, 1, AEROGPU_PRESENT_FLAG_VSYNC);
    assert_int_equal(completed_fence(machine), 1);
    enable(machine, 1);
    for (uint64_t fence = 2; fence <= 5; fence++)
        present(machine, fence, AEROGPU_PRESENT_FLAG_VSYNC);
    assert_int_equal(completed_fence(machine), 1);
    enable(machine, 0); /* lets all of them go */
    assert_int_equal(completed_fence(machine), 5);
    assert_int_equal(ram_u64(machine, FENCE_PAGE + 8), 5);
}

static void no_vblank_no_waiting(void **state)
{
    (void)state;
    struct machine machine;
    const struct agpu_device_options options = {.refresh_millihertz = UINT32_MAX};
    machine_start(&machine, &options);
    enable(&machine, 1);
    present(&machine, 1, AEROGPU_PRESENT_FLAG_VSYNC);
    assert_int_equal(completed_fence(&machine), 1);
    assert_true(agpu_device_next_event_ns(machine.device) == UINT64_MAX);
    machine_poll(&machine, 100 * PERIOD_NS);
    assert_int_equal(sequence(&machine), 0);
    machine_stop(&machine);
}

/* A fence that asks for nothing holds nothing up; equal fences wait together, for one vblank. */
static void waiting_without_a_fence(void **state)
{
    struct machine *machine = *state;
    enable(machine, 1);
    present(machine, 0, AEROGPU_PRESENT_FLAG_VSYNC);
    submit_fence(machine, 1, 0);
    assert_int_equal(completed_fence(machine), 1);
    present(machine, 2, AEROGPU_PRESENT_FLAG_VSYNC);
    present(machine, 2, AEROGPU_PRESENT_FLAG_VSYNC);
    submit_fence(machine, 3, 0);
    assert_int_equal(completed_fence(machine), 1);
    machine_poll(machine, PERIOD_NS);
    assert_int_equal(completed_fence(machine), 3);
}

/* Rejected submissions are not paced, but stay behind those that are. */
static void rejections_are_not_paced(void **state)
{
    struct machine *machine = *state;
    enable(machine, 1);
    struct aerogpu_submit_desc bad = present_desc(machine, 1, AEROGPU_PRESENT_FLAG_VSYNC);
    bad.desc_size_bytes = 0;
    enqueue(machine, &bad);
    ring_doorbell(machine);
    assert_int_equal(completed_fence(machine), 1);
    assert_error(machine, AEROGPU_ERROR_CMD_DECODE, 1, AGPU_DIAG_DEVICE_DESCRIPTOR);
    present(machine, 2, AEROGPU_PRESENT_FLAG_VSYNC);
    bad.signal_fence = 3;
    enqueue(machine, &bad);
    ring_doorbell(machine);
    assert_int_equal(completed_fence(machine), 1);
    machine_poll(machine, PERIOD_NS);
    assert_int_equal(completed_fence(machine), 3);
}

static void reset_forgets_what_waits(void **state)
{
    struct machine *machine = *state;
    enable(machine, 1);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
    present(machine, 5, AEROGPU_PRESENT_FLAG_VSYNC);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, 3);
    machine_poll(machine, PERIOD_NS);
    assert_int_equal(completed_fence(machine), 0);
    assert_int_equal(sequence(machine), 1); /* the scanout goes on */
    assert_true(vblank_pending(machine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MACHINE(ticks_once_per_period),
        WITH_MACHINE(writes_have_a_time_of_their_own),
        WITH_MACHINE(presents_after_an_edge_wait_for_the_next),
        WITH_MACHINE(a_tick_at_a_write_sees_finished_work),
        WITH_MACHINE(catches_up_at_most_1024),
        WITH_MACHINE(interrupts_follow_the_mask_of_the_moment),
        WITH_MACHINE(vsync_presents_wait_for_a_tick_each),
        WITH_MACHINE(work_that_is_not_done_misses_the_tick),
        WITH_MACHINE(the_stream_decides),
        WITH_MACHINE(no_scanout_no_waiting),
        cmocka_unit_test(no_vblank_no_waiting),
        WITH_MACHINE(waiting_without_a_fence),
        WITH_MACHINE(rejections_are_not_paced),
        WITH_MACHINE(reset_forgets_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
