/* SPDX-License-Identifier: MIT */
#include "machine.h"

static void consumes_in_order(void **state)
{
    struct machine *machine = *state;
    for (uint32_t i = 0; i < RING_ENTRIES; i++) {
        struct aerogpu_submit_desc desc = empty_desc(100 + i);
        desc.context_id = i;
        enqueue(machine, &desc);
    }
    ring_doorbell(machine);
    assert_int_equal(machine->received_count, RING_ENTRIES);
    for (uint32_t i = 0; i < RING_ENTRIES; i++) {
        const struct agpu_submission *submission = &machine->received[i].submission;
        assert_int_equal(submission->number, i);
        assert_int_equal(submission->context_id, i);
        assert_int_equal(submission->fence, 100 + i);
        assert_null(submission->stream);
        assert_int_equal(submission->stream_size, 0);
        assert_false(submission->has_allocation_table);
    }
    assert_int_equal(ring_head(machine), RING_ENTRIES);
    assert_int_equal(completed_fence(machine), 107);
    assert_no_error(machine);
}

static void counters_wrap(void **state)
{
    struct machine *machine = *state;
    set_ram_u32(machine, RING + 24, 0xFFFFFFFE);
    set_ram_u32(machine, RING + 28, 0xFFFFFFFE);
    for (uint32_t i = 1; i <= 4; i++) {
        const struct aerogpu_submit_desc desc = empty_desc(i);
        enqueue(machine, &desc);
    }
    ring_doorbell(machine);
    assert_int_equal(ring_head(machine), 2);
    assert_int_equal(completed_fence(machine), 4);
}

static void wide_slots_are_stepped_over(void **state)
{
    struct machine *machine = *state;
    write_ring_header(machine, 4, 100);
    for (uint32_t i = 1; i <= 4; i++) {
        struct aerogpu_submit_desc desc = empty_desc(i);
        desc.desc_size_bytes = 100; /* a later minor's */
        enqueue(machine, &desc);
    }
    ring_doorbell(machine);
    assert_int_equal(completed_fence(machine), 4);
    assert_no_error(machine);
}

static void any_minor_is_good(void **state)
{
    struct machine *machine = *state;
    set_ram_u32(machine, RING + 4, 0x0001FFFF);
    submit_fence(machine, 1, 0);
    assert_int_equal(completed_fence(machine), 1);
    assert_no_error(machine);
}

/* R1 */
static void a_disabled_ring_is_left_alone(void **state)
{
    struct machine *machine = *state;
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, 0);
    submit_fence(machine, 1, 0);
    assert_int_equal(machine->reads, 0);
    assert_int_equal(ring_head(machine), 0);
    assert_int_equal(ram_u32(machine, FENCE_PAGE), 0);
    assert_no_error(machine);
}

/* R2 */
static void a_ring_needs_address_and_size(void **state)
{
    struct machine *machine = *state;
    set_reg(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, 0);
    submit_fence(machine, 1, 0);
    assert_error(machine, AEROGPU_ERROR_CMD_DECODE, 0, AGPU_DIAG_DEVICE_RING);
    set_reg(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, RING_SIZE);
    set_reg(machine, AEROGPU_MMIO_REG_RING_GPA_LO, 0);
    ring_doorbell(machine);
    assert_error(machine, AEROGPU_ERROR_CMD_DECODE, 0, AGPU_DIAG_DEVICE_RING);
    assert_int_equal(ring_head(machine), 0);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 2);
}

/* R3: a ring whose size passes the end of memory. Its head is still set where its words are in memory. */
static void a_ring_may_not_wrap(void **state)
{
    struct machine *machine = *state;
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_RING_GPA_LO, 8, UINT64_MAX - 127);
    set_reg(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, 128);
    set_ram_u32(machine, RAM_SIZE - 128 + 28, 5); /* the tail, where the top of memory is */
    ring_doorbell(machine);
    assert_error(machine, AEROGPU_ERROR_OOB, 0, AGPU_DIAG_DEVICE_RING_RANGE);
    assert_int_equal(ram_u32(machine, RAM_SIZE - 128 + 24), 5);
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_RING_GPA_LO, 8, UINT64_MAX - 15);
    set_reg(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, 1); /* counts as 64 */
    ring_doorbell(machine);
    assert_error(machine, AEROGPU_ERROR_OOB, 0, AGPU_DIAG_DEVICE_RING_RANGE);
}

/* So it is at a reset, which has nothing to set there. */
static void a_reset_notices_a_ring_that_wraps(void **state)
{
    struct machine *machine = *state;
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_RING_GPA_LO, 8, UINT64_MAX - 15);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
    assert_error(machine, AEROGPU_ERROR_OOB, 0, AGPU_DIAG_DEVICE_RING_RANGE);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 1);
}

/* R4-R8: one broken word each; the good ring works again afterwards. */
static void header_words_are_checked(void **state)
{
    struct machine *machine = *state;
    static const struct {
        uint32_t offset, value;
    } broken[] = {
        {0,  0x474E5240     }, /* R4 magic */
        {4,  0x00020004     }, /* R4 major */
        {4,  0x00000004     }, /* R4 major */
        {12, 0              }, /* R5 */
        {12, 6              }, /* R5 */
        {16, 63             }, /* R6 */
        {16, 0              }, /* R6 */
        {8,  64 + 8 * 64 - 1}, /* R7 */
        {8,  0              }, /* R7 */
        {12, 0x80000000     }, /* R7, product past 32 bits */
        {16, 0xFFFFFFFF     }, /* R7 */
        {8,  RING_SIZE + 1  }, /* R8 */
        {8,  0xFFFFFFFF     }, /* R8 */
    };
    const struct aerogpu_submit_desc desc = empty_desc(50);
    enqueue(machine, &desc);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        const uint32_t good = ram_u32(machine, RING + broken[i].offset);
        set_ram_u32(machine, RING + broken[i].offset, broken[i].value);
        ring_doorbell(machine);
        assert_error(machine, AEROGPU_ERROR_CMD_DECODE, 0, AGPU_DIAG_DEVICE_RING);
        assert_int_equal(ring_head(machine), 0);
        set_ram_u32(machine, RING + broken[i].offset, good);
    }
    ring_doorbell(machine);
    assert_int_equal(completed_fence(machine), 50);
    assert_no_error(machine);
}

/* R9 */
static void an_overfull_ring_is_emptied(void **state)
{
    struct machine *machine = *state;
    set_ram_u32(machine, RING + 24, 10);
    set_ram_u32(machine, RING + 28, 10 + RING_ENTRIES + 1);
    ring_doorbell(machine);
    assert_error(machine, AEROGPU_ERROR_CMD_DECODE, 0, AGPU_DIAG_DEVICE_RING);
    assert_int_equal(ring_head(machine), 10 + RING_ENTRIES + 1);
    assert_int_equal(machine->received_count, 0);
    set_ram_u32(machine, RING + 24, 5);
    set_ram_u32(machine, RING + 28, 4); /* a tail behind the head */
    ring_doorbell(machine);
    assert_error(machine, AEROGPU_ERROR_CMD_DECODE, 0, AGPU_DIAG_DEVICE_RING);
    assert_int_equal(ring_head(machine), 4);
    ring_doorbell(machine); /* nothing pending is nothing to do */
    assert_no_error(machine);
    submit_fence(machine, 8, 0);
    assert_int_equal(completed_fence(machine), 8);
}

static void unreadable_memory_is_an_error(void **state)
{
    struct machine *machine = *state;
    set_reg(machine, AEROGPU_MMIO_REG_RING_GPA_LO, RAM_SIZE);
    ring_doorbell(machine);
    assert_error(machine, AEROGPU_ERROR_OOB, 0, AGPU_DIAG_DEVICE_GUEST_MEMORY);
    /* The header is in RAM, its second slot is not. */
    const uint32_t base = RAM_SIZE - 128;
    memcpy(machine->ram + base, machine->ram + RING, 64);
    set_ram_u32(machine, base + 28, 2);
    set_reg(machine, AEROGPU_MMIO_REG_RING_GPA_LO, base);
    const struct aerogpu_submit_desc desc = empty_desc(3);
    memcpy(machine->ram + base + 64, &desc, sizeof desc);
    ring_doorbell(machine);
    assert_error(machine, AEROGPU_ERROR_OOB, 0, AGPU_DIAG_DEVICE_GUEST_MEMORY);
    assert_int_equal(completed_fence(machine), 3);
    assert_int_equal(ram_u32(machine, base + 24), 2);
}

/* Whatever the guest does to the header after it was read counts for the next doorbell. */
static void move_tail(struct machine *machine, uint64_t gpa, size_t size)
{
    (void)size;
    if (gpa >= RING + 64 && gpa < RING + RING_SIZE) {
        set_ram_u32(machine, RING + 28, 0x12345678);
        set_ram_u32(machine, RING + 24, 0x9ABCDEF0);
        set_ram_u32(machine, RING + 12, 1u << 31);
        set_ram_u32(machine, RING + 16, 0xFFFFFFFF);
    }
}

static void the_header_is_read_once(void **state)
{
    struct machine *machine = *state;
    for (uint32_t i = 1; i <= 3; i++) {
        const struct aerogpu_submit_desc desc = empty_desc(i);
        enqueue(machine, &desc);
    }
    machine->before_read = move_tail;
    ring_doorbell(machine);
    assert_int_equal(completed_fence(machine), 3);
    assert_int_equal(machine->received_count, 3);
    assert_int_equal(ring_head(machine), 3);
    assert_no_error(machine);
}

/* M10 */
static void every_doorbell_writes_the_fence_page(void **state)
{
    struct machine *machine = *state;
    submit_fence(machine, UINT64_C(0x1122334455667788), 0);
    memset(machine->ram + FENCE_PAGE, 0xEE, 64);
    ring_doorbell(machine);
    assert_int_equal(ram_u32(machine, FENCE_PAGE), 0x434E4546);
    assert_int_equal(ram_u32(machine, FENCE_PAGE + 4), 0x00010004);
    assert_true(ram_u64(machine, FENCE_PAGE + 8) == UINT64_C(0x1122334455667788));
    assert_int_equal(machine->ram[FENCE_PAGE + 16], 0xEE); /* only 16 bytes */
    set_reg(machine, AEROGPU_MMIO_REG_FENCE_GPA_LO, 0);
    memset(machine->ram, 0xEE, 64);
    ring_doorbell(machine);
    assert_int_equal(ram_u32(machine, 0), 0xEEEEEEEE); /* 0 is none */
    assert_no_error(machine);
    set_reg(machine, AEROGPU_MMIO_REG_FENCE_GPA_LO, RAM_SIZE);
    ring_doorbell(machine);
    assert_int_equal(machine->diag, AGPU_DIAG_DEVICE_GUEST_MEMORY);
    assert_int_equal(machine->diag_severity, AGPU_WARNING);
}

/* Makes a ring of `entries` slots at `base`, with `pending` copies of a descriptor; fences count from 1. */
static void use_large_ring(struct machine *machine, uint32_t base, uint32_t entries, uint32_t pending,
                           struct aerogpu_submit_desc desc)
{
    const struct aerogpu_ring_header header = {.magic = AEROGPU_RING_MAGIC,
                                               .abi_version = AEROGPU_ABI_VERSION_U32,
                                               .size_bytes = 64 + entries * 64,
                                               .entry_count = entries,
                                               .entry_stride_bytes = 64,
                                               .tail = pending};
    memcpy(machine->ram + base, &header, sizeof header);
    for (uint32_t i = 0; i < pending; i++) {
        desc.signal_fence = i + 1;
        memcpy(machine->ram + base + 64 + (size_t)i * 64, &desc, sizeof desc);
    }
    set_reg(machine, AEROGPU_MMIO_REG_RING_GPA_LO, base);
    set_reg(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, header.size_bytes);
}

/* A minor adds, so that any is read; a major is another ring. */
static void any_minor_of_the_header_is_read(void **state)
{
    struct machine *machine = *state;
    static const uint32_t minors[] = {0, 3, 5, 0xFFFF};
    for (uint32_t i = 0; i < 4; i++) {
        set_ram_u32(machine, RING + 4, 1u << 16 | minors[i]);
        submit_fence(machine, i + 1, 0);
        assert_int_equal(completed_fence(machine), i + 1);
    }
    assert_no_error(machine);
}

/* A guest cannot keep the emulator in one register write: 1024 descriptors, even useless ones, are enough. */
static void a_doorbell_takes_so_many_descriptors(void **state)
{
    struct machine *machine = *state;
    struct aerogpu_submit_desc bad = empty_desc(0);
    bad.cmd_size_bytes = 1;
    use_large_ring(machine, FRAME_BUFFER, 4096, 2500, bad);
    ring_doorbell(machine);
    assert_int_equal(completed_fence(machine), 1024);
    assert_int_equal(ram_u32(machine, FRAME_BUFFER + 24), 1024);
    assert_true(agpu_device_poll(machine->device, machine->now_ns));
    assert_int_equal(completed_fence(machine), 2048);
    assert_false(agpu_device_poll(machine->device, machine->now_ns));
    assert_int_equal(completed_fence(machine), 2500);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 2500);
}

enum { MOST_BYTES = 4 << 20 };

/* The same by bytes: of the submission that passes 4 MiB, a part is copied, and polls go on. */
static void a_doorbell_copies_so_many_bytes(void **state)
{
    enum { BYTES = 0xD0000, COPIED = BYTES - 24, TAKEN = MOST_BYTES / COPIED };
    struct machine *machine = *state;
    const uint32_t nop[] = {AEROGPU_CMD_NOP, COPIED};
    struct aerogpu_submit_desc desc = stream_desc(machine, 0, nop, 2);
    set_ram_u32(machine, COMMANDS + 8, BYTES);
    desc.cmd_size_bytes = BYTES;
    use_large_ring(machine, RING, 128, 128, desc);
    ring_doorbell(machine);
    assert_int_equal(ring_head(machine), TAKEN);
    assert_int_equal(completed_fence(machine), TAKEN);
    for (uint32_t polls = 1, before = TAKEN; before != 128; polls++) {
        assert_true(polls <= (uint64_t)128 * BYTES / MOST_BYTES);
        assert_int_equal(agpu_device_next_event_ns(machine->device), machine->now_ns);
        const bool is_busy = agpu_device_poll(machine->device, machine->now_ns);
        assert_true(ring_head(machine) - before <= TAKEN + 1);
        before = ring_head(machine);
        assert_int_equal(completed_fence(machine), before);
        assert_int_equal(is_busy, before != 128);
    }
    assert_no_error(machine);
}

/* Rings for a stream of which one doorbell copies a part. */
static void begin_copy(struct machine *machine)
{
    enum { BYTES = 6 << 20 };
    const struct aerogpu_cmd_stream_header header = {
        .magic = AEROGPU_CMD_STREAM_MAGIC, .abi_version = AEROGPU_ABI_VERSION_U32, .size_bytes = BYTES};
    agpu_device_config_write(machine->device, 0x14, 4, 0xD0000000);
    assert_true(agpu_device_vram_write(machine->device, 0, &header, sizeof header));
    struct aerogpu_submit_desc desc = empty_desc(1);
    desc.cmd_gpa = 0xD0000000;
    desc.cmd_size_bytes = BYTES;
    enqueue(machine, &desc);
    ring_doorbell(machine);
    assert_int_equal(ring_head(machine), 0);
}

/* A guest that rings, takes its descriptor back while the stream is copied and rings for another one. */
static void what_is_copied_may_be_taken_back(void **state)
{
    struct machine *machine = *state;
    begin_copy(machine);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE | AEROGPU_RING_CONTROL_RESET);
    assert_int_equal(ring_head(machine), 1);
    submit_fence(machine, 7, 0);
    assert_int_equal(ring_head(machine), 2);
    assert_int_equal(completed_fence(machine), 7);
    assert_no_error(machine);
}

/* A guest that ends its ring meanwhile and begins another in the same place. */
static void what_is_copied_ends_with_the_ring(void **state)
{
    struct machine *machine = *state;
    begin_copy(machine);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, 0);
    write_ring_header(machine, RING_ENTRIES, RING_STRIDE);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
    submit_fence(machine, 7, 0);
    assert_int_equal(ring_head(machine), 1);
    assert_int_equal(completed_fence(machine), 7);
    assert_no_error(machine);
}

/* An executor is told of the submissions that follow in the same call, so that all of them last no longer
 * than one. */
static void a_doorbell_tells_what_follows(void **state)
{
    struct machine *machine = *state;
    const struct aerogpu_submit_desc malformed = {.desc_size_bytes = 1, .signal_fence = 4};
    for (uint64_t fence = 1; fence <= 3; fence++) {
        const struct aerogpu_submit_desc desc = empty_desc(fence);
        enqueue(machine, &desc);
    }
    enqueue(machine, &malformed); /* which never gets there */
    ring_doorbell(machine);
    assert_int_equal(machine->received_count, 3);
    assert_true(machine->received[0].submission.has_next && machine->received[1].submission.has_next);
    assert_false(machine->received[2].submission.has_next);
    assert_int_equal(completed_fence(machine), 4);
    submit_fence(machine, 5, 0);
    assert_false(machine->received[3].submission.has_next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MACHINE(consumes_in_order),
        WITH_MACHINE(counters_wrap),
        WITH_MACHINE(wide_slots_are_stepped_over),
        WITH_MACHINE(any_minor_is_good),
        WITH_MACHINE(a_disabled_ring_is_left_alone),
        WITH_MACHINE(a_ring_needs_address_and_size),
        WITH_MACHINE(a_ring_may_not_wrap),
        WITH_MACHINE(any_minor_of_the_header_is_read),
        WITH_MACHINE(a_reset_notices_a_ring_that_wraps),
        WITH_MACHINE(header_words_are_checked),
        WITH_MACHINE(an_overfull_ring_is_emptied),
        WITH_MACHINE(unreadable_memory_is_an_error),
        WITH_MACHINE(the_header_is_read_once),
        WITH_MACHINE(every_doorbell_writes_the_fence_page),
        WITH_MACHINE(a_doorbell_takes_so_many_descriptors),
        WITH_MACHINE(a_doorbell_copies_so_many_bytes),
        WITH_MACHINE(what_is_copied_may_be_taken_back),
        WITH_MACHINE(what_is_copied_ends_with_the_ring),
        WITH_MACHINE(a_doorbell_tells_what_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
