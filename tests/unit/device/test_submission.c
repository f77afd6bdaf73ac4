/* SPDX-License-Identifier: MIT */
#include "machine.h"

/* Submits a descriptor that must be rejected: not executed, its fence completed, the error recorded with it.
 */
static void assert_rejected(struct machine *machine, const struct aerogpu_submit_desc *desc, uint32_t code,
                            enum agpu_diag_code diag)
{
    const uint32_t before = machine->received_count;
    const uint32_t head = ring_head(machine);
    enqueue(machine, desc);
    ring_doorbell(machine);
    assert_int_equal(machine->received_count, before);
    assert_int_equal(ring_head(machine), head + 1);
    assert_int_equal(completed_fence(machine), desc->signal_fence);
    assert_error(machine, code, desc->signal_fence, diag);
}

static const struct agpu_submission *assert_accepted(struct machine *machine,
                                                     const struct aerogpu_submit_desc *desc)
{
    const uint32_t before = machine->received_count;
    enqueue(machine, desc);
    ring_doorbell(machine);
    assert_no_error(machine);
    assert_int_equal(machine->received_count, before + 1);
    assert_int_equal(completed_fence(machine), desc->signal_fence);
    return &machine->received[before].submission;
}

static struct aerogpu_submit_desc table_desc(struct machine *machine, uint64_t fence,
                                             const struct aerogpu_alloc_entry *entries, uint32_t count,
                                             uint32_t stride)
{
    const struct aerogpu_alloc_table_header header = {.magic = AEROGPU_ALLOC_TABLE_MAGIC,
                                                      .abi_version = AEROGPU_ABI_VERSION_U32,
                                                      .size_bytes = 24 + count * stride,
                                                      .entry_count = count,
                                                      .entry_stride_bytes = stride};
    memcpy(machine->ram + TABLE, &header, sizeof header);
    for (uint32_t i = 0; i < count; i++)
        memcpy(machine->ram + TABLE + 24 + i * stride, &entries[i], sizeof entries[i]);
    struct aerogpu_submit_desc desc = empty_desc(fence);
    desc.alloc_table_gpa = TABLE;
    desc.alloc_table_size_bytes = header.size_bytes;
    return desc;
}

static const struct aerogpu_alloc_entry two_entries[2] = {
    {.alloc_id = 7, .flags = AEROGPU_ALLOC_FLAG_READONLY, .gpa = 0,  .size_bytes = 4096},
    {.alloc_id = 0x80000001,             .gpa = UINT64_MAX - 4096,                            .size_bytes = 4096},
};

/* D1-D5 */
static void descriptor_rules(void **state)
{
    struct machine *machine = *state;
    struct aerogpu_submit_desc desc = empty_desc(1);
    desc.desc_size_bytes = 63;
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_DESCRIPTOR);
    desc = empty_desc(2);
    desc.desc_size_bytes = RING_STRIDE + 1;
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_DESCRIPTOR);
    desc = empty_desc(3);
    desc.cmd_gpa = COMMANDS;
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_DESCRIPTOR);
    desc = empty_desc(4);
    desc.cmd_size_bytes = 24;
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_DESCRIPTOR);
    desc = empty_desc(5);
    desc.cmd_gpa = UINT64_MAX - 22;
    desc.cmd_size_bytes = 24;
    assert_rejected(machine, &desc, AEROGPU_ERROR_OOB, AGPU_DIAG_DEVICE_DESCRIPTOR_RANGE);
    desc = empty_desc(6);
    desc.alloc_table_gpa = TABLE;
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_DESCRIPTOR);
    desc = empty_desc(7);
    desc.alloc_table_size_bytes = 24;
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_DESCRIPTOR);
    desc = empty_desc(8);
    desc.alloc_table_gpa = UINT64_MAX - 22;
    desc.alloc_table_size_bytes = 24;
    assert_rejected(machine, &desc, AEROGPU_ERROR_OOB, AGPU_DIAG_DEVICE_DESCRIPTOR_RANGE);
    assert_int_equal(machine->diag_submission, 7); /* rejected ones count */
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 8);
    desc = empty_desc(9);
    desc.engine_id = 3;
    desc.reserved0 = UINT64_MAX;
    assert_int_equal(assert_accepted(machine, &desc)->number, 8);
}

static void tables_arrive(void **state)
{
    struct machine *machine = *state;
    struct aerogpu_submit_desc desc = table_desc(machine, 1, two_entries, 2, 32);
    const struct agpu_submission *submission = assert_accepted(machine, &desc);
    assert_true(submission->has_allocation_table);
    assert_int_equal(submission->allocation_count, 2);
    assert_memory_equal(machine->received[0].allocations, two_entries, sizeof two_entries);
    /* A wider stride, room at the end, a later minor. */
    desc = table_desc(machine, 2, two_entries, 2, 44);
    desc.alloc_table_size_bytes += 100;
    set_ram_u32(machine, TABLE + 4, 0x0001FFFF);
    assert_accepted(machine, &desc);
    assert_memory_equal(machine->received[1].allocations, two_entries, sizeof two_entries);
    desc = table_desc(machine, 3, NULL, 0, 32);
    submission = assert_accepted(machine, &desc);
    assert_true(submission->has_allocation_table);
    assert_int_equal(submission->allocation_count, 0);
}

/* T1-T6 */
static void table_header_rules(void **state)
{
    struct machine *machine = *state;
    static const struct {
        uint32_t offset, value, code;
        enum agpu_diag_code diag;
    } broken[] = {
        {0,  0x434F4C40,  AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE      }, /* T2 */
        {4,  0x00020004,  AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE      }, /* T2 */
        {8,  23,          AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE      }, /* T3 */
        {8,  24 + 64 + 1, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE      }, /* T3 */
        {16, 31,          AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE      }, /* T5 */
        {12, 3,           AEROGPU_ERROR_OOB,        AGPU_DIAG_DEVICE_ALLOC_TABLE_RANGE}, /* T6 */
        {12, 0x08000000,  AEROGPU_ERROR_OOB,        AGPU_DIAG_DEVICE_ALLOC_TABLE_RANGE}, /* T6: 2^32 */
        {16, 0x80000000,  AEROGPU_ERROR_OOB,        AGPU_DIAG_DEVICE_ALLOC_TABLE_RANGE}, /* T6: 2^32 */
    };
    for (uint32_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        const struct aerogpu_submit_desc desc = table_desc(machine, i + 1, two_entries, 2, 32);
        set_ram_u32(machine, TABLE + broken[i].offset, broken[i].value);
        assert_rejected(machine, &desc, broken[i].code, broken[i].diag);
    }
    struct aerogpu_submit_desc desc = table_desc(machine, 20, two_entries, 2, 32);
    desc.alloc_table_size_bytes = 23; /* T1 */
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE);
    desc = table_desc(machine, 21, two_entries, 2, 32);
    desc.alloc_table_size_bytes = 0x40000000;
    set_ram_u32(machine, TABLE + 8, (16u << 20) + 1); /* T4 */
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE);
    desc = table_desc(machine, 22, two_entries, 2, 32);
    desc.alloc_table_gpa = RAM_SIZE - 24; /* the header is there, its entries are not */
    memcpy(machine->ram + RAM_SIZE - 24, machine->ram + TABLE, 24);
    assert_rejected(machine, &desc, AEROGPU_ERROR_OOB, AGPU_DIAG_DEVICE_GUEST_MEMORY);
}

/* T7-T9 */
static void table_entry_rules(void **state)
{
    struct machine *machine = *state;
    struct aerogpu_alloc_entry entries[3] = {
        two_entries[0], two_entries[1], {.alloc_id = 9, .size_bytes = 1}
    };
    struct aerogpu_submit_desc desc;
    entries[2].alloc_id = 0;
    desc = table_desc(machine, 1, entries, 3, 32);
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE);
    entries[2] = (struct aerogpu_alloc_entry){.alloc_id = 9};
    desc = table_desc(machine, 2, entries, 3, 32);
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE);
    entries[2] = (struct aerogpu_alloc_entry){.alloc_id = 9, .gpa = 2, .size_bytes = UINT64_MAX - 1};
    desc = table_desc(machine, 3, entries, 3, 40);
    assert_rejected(machine, &desc, AEROGPU_ERROR_OOB, AGPU_DIAG_DEVICE_ALLOC_TABLE_RANGE);
    entries[2] = (struct aerogpu_alloc_entry){.alloc_id = 7, .gpa = 0, .size_bytes = 4096};
    desc = table_desc(machine, 4, entries, 3, 32);
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_DEVICE_ALLOC_TABLE);
}

static void streams_arrive(void **state)
{
    struct machine *machine = *state;
    const uint32_t packets[] = {AEROGPU_CMD_NOP, 8, 0x0000FFFF, 12, 0xAABBCCDD};
    struct aerogpu_submit_desc desc = stream_desc(machine, 1, packets, 5);
    desc.cmd_size_bytes += 40; /* the buffer may be larger */
    desc.flags = AEROGPU_SUBMIT_FLAG_PRESENT;
    const struct agpu_submission *submission = assert_accepted(machine, &desc);
    assert_int_equal(submission->stream_size, 44);
    assert_int_equal(submission->flags, AEROGPU_SUBMIT_FLAG_PRESENT);
    assert_memory_equal(machine->received[0].stream, machine->ram + COMMANDS, 44);
    desc = stream_desc(machine, 2, NULL, 0);
    assert_int_equal(assert_accepted(machine, &desc)->stream_size, 24);
}

/* S1-S3 */
static void stream_rules(void **state)
{
    struct machine *machine = *state;
    static const struct {
        uint32_t offset, value, code;
        enum agpu_diag_code diag;
    } broken[] = {
        {0, 0x444D4340, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_ABI_STREAM_HEADER},
        {4, 0x00020000, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_ABI_STREAM_HEADER},
        {8, 20,         AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_ABI_STREAM_HEADER},
        {8, 0,          AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_ABI_STREAM_HEADER},
        {8, 26,         AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_ABI_STREAM_HEADER},
        {8, 36,         AEROGPU_ERROR_OOB,        AGPU_DIAG_ABI_STREAM_SIZE  },
    };
    const uint32_t nop[] = {AEROGPU_CMD_NOP, 8};
    for (uint32_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        const struct aerogpu_submit_desc desc = stream_desc(machine, i + 1, nop, 2);
        set_ram_u32(machine, COMMANDS + broken[i].offset, broken[i].value);
        assert_rejected(machine, &desc, broken[i].code, broken[i].diag);
        assert_int_equal(machine->diag_submission, i);
    }
    struct aerogpu_submit_desc desc = stream_desc(machine, 10, nop, 2);
    desc.cmd_size_bytes = 23;
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_ABI_STREAM_HEADER);
    desc = stream_desc(machine, 11, nop, 2);
    desc.cmd_size_bytes = 0x80000000;
    set_ram_u32(machine, COMMANDS + 8, (64u << 20) + 4);
    assert_rejected(machine, &desc, AEROGPU_ERROR_CMD_DECODE, AGPU_DIAG_ABI_STREAM_HEADER);
    desc = stream_desc(machine, 12, nop, 2);
    desc.cmd_gpa = RAM_SIZE - 8;
    assert_rejected(machine, &desc, AEROGPU_ERROR_OOB, AGPU_DIAG_DEVICE_GUEST_MEMORY);
    desc = stream_desc(machine, 13, nop, 2);
    memcpy(machine->ram + RAM_SIZE - 24, machine->ram + COMMANDS, 24);
    desc.cmd_gpa = RAM_SIZE - 24;
    assert_rejected(machine, &desc, AEROGPU_ERROR_OOB, AGPU_DIAG_DEVICE_GUEST_MEMORY);
}

/* A malformed packet is the executor's business. */
static void packets_are_not_judged(void **state)
{
    struct machine *machine = *state;
    const uint32_t packets[] = {AEROGPU_CMD_DRAW, 0xFFFFFFFF, AEROGPU_CMD_PRESENT, 16, 0, 1};
    const struct aerogpu_submit_desc desc = stream_desc(machine, 1, packets, 6);
    assert_int_equal(assert_accepted(machine, &desc)->stream_size, 48);
}

/* Another processor rewrites the words that were checked as soon as they have been read. */
static void rewrite_sizes(struct machine *machine, uint64_t gpa, size_t size)
{
    (void)size;
    if (gpa > COMMANDS && gpa < TABLE) {
        set_ram_u32(machine, COMMANDS + 8, 0xFFFFFFFC);
        set_ram_u32(machine, COMMANDS, 0);
    }
    if (gpa > TABLE && gpa < FRAME_BUFFER) {
        set_ram_u32(machine, TABLE + 12, 0x10000000);
        set_ram_u32(machine, TABLE + 8, 0xFFFFFFFF);
        set_ram_u32(machine, RING + 64 + 16, 0xDEAD0000); /* the descriptor's cmd_gpa */
    }
}

static void everything_is_copied_once(void **state)
{
    struct machine *machine = *state;
    const uint32_t nop[] = {AEROGPU_CMD_NOP, 8};
    struct aerogpu_submit_desc desc = table_desc(machine, 1, two_entries, 2, 32);
    const struct aerogpu_submit_desc stream = stream_desc(machine, 1, nop, 2);
    desc.cmd_gpa = stream.cmd_gpa;
    desc.cmd_size_bytes = stream.cmd_size_bytes;
    machine->before_read = rewrite_sizes;
    const struct agpu_submission *submission = assert_accepted(machine, &desc);
    assert_int_equal(submission->allocation_count, 2);
    assert_int_equal(submission->stream_size, 32);
    uint32_t word;
    memcpy(&word, machine->received[0].stream, 4);
    assert_int_equal(word, AEROGPU_CMD_STREAM_MAGIC);
    memcpy(&word, machine->received[0].stream + 8, 4);
    assert_int_equal(word, 32);
}

/* A rejected submission completes behind the work in front of it, and its error appears with it. */
static void rejections_keep_the_order(void **state)
{
    struct machine *machine = *state;
    machine->manual = true;
    submit_fence(machine, 1, 0);
    struct aerogpu_submit_desc bad = empty_desc(2);
    bad.cmd_size_bytes = 1;
    enqueue(machine, &bad);
    ring_doorbell(machine);
    submit_fence(machine, 3, 0);
    assert_int_equal(completed_fence(machine), 0);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 0);
    machine_finish(machine, 0, AEROGPU_ERROR_NONE);
    machine_poll(machine, 0);
    assert_int_equal(completed_fence(machine), 2);
    assert_error(machine, AEROGPU_ERROR_CMD_DECODE, 2, AGPU_DIAG_DEVICE_DESCRIPTOR);
    machine_finish(machine, 2, AEROGPU_ERROR_NONE);
    machine_poll(machine, 0);
    assert_int_equal(completed_fence(machine), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MACHINE(descriptor_rules),
        WITH_MACHINE(tables_arrive),
        WITH_MACHINE(table_header_rules),
        WITH_MACHINE(table_entry_rules),
        WITH_MACHINE(streams_arrive),
        WITH_MACHINE(stream_rules),
        WITH_MACHINE(packets_are_not_judged),
        WITH_MACHINE(everything_is_copied_once),
        WITH_MACHINE(rejections_keep_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
