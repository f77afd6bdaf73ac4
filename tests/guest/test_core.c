/* SPDX-License-Identifier: MIT
 *
 * The guest's core: on a device with the null executor, and on a bus whose other side does what a test says.
 */
#include <stdlib.h>
#include <string.h>

#include "guest/core/core.h"
#include "guest/core/heap.h"
#include "guest/transport/allocator.h"
#include "guest/transport/in_process.h"
#include "tests/support/test.h"

/* ---- The heap ------------------------------------------------------------------------------------------ */

#define HEAP_PAGES 512u

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void assert_apart(const struct guest_block *blocks, uint32_t count, uint32_t newest)
{
    const struct guest_block *a = &blocks[newest];
    for (uint32_t i = 0; i < count; i++) {
        const struct guest_block *b = &blocks[i];
        if (i != newest && b->bytes != NULL)
            assert_true(a->offset + a->size <= b->offset || b->offset + b->size <= a->offset);
    }
}

static void blocks_lie_apart_and_merge_again(void **state)
{
    (void)state;
    const struct guest_allocator allocator = guest_c_allocator();
    static uint8_t bytes[HEAP_PAGES * GUEST_PAGE_BYTES];
    struct guest_heap heap;
    struct guest_block blocks[64] = {{0}}, whole;
    uint32_t random = 7;
    assert_true(guest_heap_init(&heap, &allocator, bytes, sizeof bytes));
    for (uint32_t step = 0; step < 20000; step++) {
        const uint32_t i = next_random(&random) % 64;
        if (blocks[i].bytes != NULL) {
            guest_heap_free(&heap, blocks[i].offset, blocks[i].size);
            blocks[i].bytes = NULL;
            continue;
        }
        /* Whole pages, so that nothing stays cut into small blocks. */
        const uint32_t size = 2049 + next_random(&random) % (next_random(&random) % 8 == 0 ? 300000 : 20000);
        if (!guest_heap_allocate(&heap, size, &blocks[i])) {
            blocks[i].bytes = NULL;
            continue;
        }
        assert_true(blocks[i].size >= size && blocks[i].offset % GUEST_HEAP_SMALLEST == 0);
        assert_true(blocks[i].offset + blocks[i].size <= sizeof bytes);
        assert_ptr_equal(blocks[i].bytes, bytes + blocks[i].offset);
        assert_apart(blocks, 64, i);
    }
    for (uint32_t i = 0; i < 64; i++)
        if (blocks[i].bytes != NULL)
            guest_heap_free(&heap, blocks[i].offset, blocks[i].size);
    assert_true(guest_heap_allocate(&heap, sizeof bytes, &whole));
    assert_false(guest_heap_allocate(&heap, 1, &blocks[0]));
    guest_heap_fini(&heap);
}

static void small_blocks_lie_apart(void **state)
{
    (void)state;
    const struct guest_allocator allocator = guest_c_allocator();
    static uint8_t bytes[128 * GUEST_PAGE_BYTES];
    struct guest_heap heap;
    struct guest_block blocks[300] = {{0}};
    assert_true(guest_heap_init(&heap, &allocator, bytes, sizeof bytes));
    for (uint32_t i = 0; i < 300; i++) {
        const uint32_t size = 1 + i * 7 % 700;
        assert_true(guest_heap_allocate(&heap, size, &blocks[i]));
        assert_true(blocks[i].size >= size && blocks[i].size <= 1024);
        assert_apart(blocks, 300, i);
    }
    const uint32_t offset = blocks[5].offset;
    guest_heap_free(&heap, blocks[5].offset, blocks[5].size);
    assert_true(guest_heap_allocate(&heap, 36, &blocks[5]));
    assert_int_equal(blocks[5].offset, offset);
    guest_heap_fini(&heap);
}

static void retired_blocks_wait_for_their_fences(void **state)
{
    (void)state;
    const struct guest_allocator allocator = guest_c_allocator();
    static uint8_t bytes[4 * GUEST_PAGE_BYTES];
    struct guest_heap heap;
    struct guest_block block, again;
    assert_true(guest_heap_init(&heap, &allocator, bytes, sizeof bytes));
    assert_true(guest_heap_allocate(&heap, sizeof bytes, &block));
    assert_int_equal(guest_heap_next_fence(&heap), 0);
    assert_true(guest_heap_retire(&heap, &block, 9));
    assert_int_equal(guest_heap_next_fence(&heap), 9);
    guest_heap_reap(&heap, 8);
    assert_false(guest_heap_allocate(&heap, sizeof bytes, &again));
    guest_heap_reap(&heap, 9);
    assert_true(guest_heap_allocate(&heap, sizeof bytes, &again));
    guest_heap_fini(&heap);
}

/* ---- A bus whose other side the test plays ----------------------------------------------------------- */

#define REGION_BYTES (2u << 20)

struct other_side {
    uint32_t registers[0x700 / 4];
    uint8_t *memory;
    uint32_t doorbells, waits;
    bool completes; /* a wait completes the fence that it waits for */
    bool lost;
};

static struct aerogpu_ring_header *ring_of(struct other_side *side)
{
    return (struct aerogpu_ring_header *)(void *)side->memory;
}

static uint32_t read_register(void *user, uint32_t offset)
{
    return ((struct other_side *)user)->registers[offset / 4];
}

static void write_register(void *user, uint32_t offset, uint32_t value)
{
    ((struct other_side *)user)->registers[offset / 4] = value;
}

static void ring_doorbell(void *user)
{
    ((struct other_side *)user)->doorbells++;
}

static enum guest_status wait_for_fence(void *user, uint64_t fence, uint64_t timeout_ns)
{
    struct other_side *side = user;
    (void)timeout_ns;
    side->waits++;
    if (!side->completes)
        return GUEST_TIMEOUT;
    side->registers[AEROGPU_MMIO_REG_COMPLETED_FENCE_LO / 4] = (uint32_t)fence;
    ring_of(side)->head = (uint32_t)fence;
    return GUEST_OK;
}

static bool is_lost(void *user)
{
    return ((struct other_side *)user)->lost;
}

static struct guest_device *open_side(struct other_side *side)
{
    memset(side, 0, sizeof *side);
    side->memory = aligned_alloc(GUEST_PAGE_BYTES, REGION_BYTES);
    side->completes = true;
    side->registers[AEROGPU_MMIO_REG_MAGIC / 4] = AEROGPU_MMIO_MAGIC;
    side->registers[AEROGPU_MMIO_REG_ABI_VERSION / 4] = AEROGPU_ABI_VERSION_U32;
    side->registers[AEROGPU_MMIO_REG_FEATURES_LO / 4] = (uint32_t)AEROGPU_FEATURE_ERROR_INFO;
    const struct guest_bus bus = {
        .read = read_register,
        .write = write_register,
        .doorbell = ring_doorbell,
        .wait = wait_for_fence,
        .is_lost = is_lost,
        .user = side,
        .allocator = guest_c_allocator(),
        .memory = {side->memory, 0x40000000, REGION_BYTES},
    };
    struct guest_device *device;
    assert_int_equal(guest_device_create(&bus, &device), GUEST_OK);
    return device;
}

static void close_side(struct other_side *side, struct guest_device *device)
{
    guest_device_destroy(device);
    free(side->memory);
}

static void descriptors_say_where_the_packets_are(void **state)
{
    (void)state;
    struct other_side side;
    struct guest_device *device = open_side(&side);
    struct guest_stream stream;
    guest_stream_init(&stream, device, 5, 0);
    struct aerogpu_cmd_draw *draw = guest_stream_packet(&stream, AEROGPU_CMD_DRAW, sizeof *draw);
    draw->vertex_count = 3;
    uint64_t fence;
    assert_int_equal(guest_stream_fence(&stream, 0), 0);
    assert_int_equal(guest_stream_submit(&stream, AEROGPU_SUBMIT_FLAG_NO_IRQ, &fence), GUEST_OK);
    assert_int_equal(fence, 1);
    assert_int_equal(guest_stream_fence(&stream, 0), 1);
    assert_int_equal(side.doorbells, 1);
    assert_int_equal(side.registers[AEROGPU_MMIO_REG_RING_GPA_LO / 4], 0x40000000);
    assert_int_equal(ring_of(&side)->magic, AEROGPU_RING_MAGIC);
    assert_int_equal(ring_of(&side)->tail, 1);
    struct aerogpu_submit_desc desc;
    memcpy(&desc, side.memory + sizeof(struct aerogpu_ring_header), sizeof desc);
    assert_int_equal(desc.context_id, 5);
    assert_int_equal(desc.flags, AEROGPU_SUBMIT_FLAG_NO_IRQ);
    assert_int_equal(desc.signal_fence, 1);
    assert_int_equal(desc.cmd_size_bytes, 24 + 24);
    const uint8_t *commands = side.memory + (desc.cmd_gpa - 0x40000000);
    struct aerogpu_cmd_stream_header header;
    memcpy(&header, commands, sizeof header);
    assert_int_equal(header.magic, AEROGPU_CMD_STREAM_MAGIC);
    assert_int_equal(header.size_bytes, 48);
    struct aerogpu_cmd_draw seen;
    memcpy(&seen, commands + 24, sizeof seen);
    assert_int_equal(seen.hdr.opcode, AEROGPU_CMD_DRAW);
    assert_int_equal(seen.hdr.size_bytes, 24);
    assert_int_equal(seen.vertex_count, 3);
    struct aerogpu_alloc_table_header table;
    struct aerogpu_alloc_entry entry;
    memcpy(&table, side.memory + (desc.alloc_table_gpa - 0x40000000), sizeof table);
    memcpy(&entry, side.memory + (desc.alloc_table_gpa - 0x40000000) + 24, sizeof entry);
    assert_int_equal(table.magic, AEROGPU_ALLOC_TABLE_MAGIC);
    assert_int_equal(table.entry_count, 1);
    assert_int_equal(entry.alloc_id, GUEST_HEAP_ALLOC_ID);
    assert_true(entry.gpa + entry.size_bytes == 0x40000000 + REGION_BYTES);
    guest_stream_fini(&stream);
    close_side(&side, device);
}

static void submit_draw(struct guest_stream *stream)
{
    memset(guest_stream_packet(stream, AEROGPU_CMD_DRAW, 24), 0, 0);
    assert_int_equal(guest_stream_submit(stream, 0, NULL), GUEST_OK);
}

static void a_full_ring_waits_for_its_oldest_entry(void **state)
{
    (void)state;
    struct other_side side;
    struct guest_device *device = open_side(&side);
    struct guest_stream stream;
    guest_stream_init(&stream, device, 1, 1024);
    for (uint32_t i = 0; i < 256; i++)
        submit_draw(&stream);
    assert_int_equal(side.waits, 0);
    submit_draw(&stream);
    assert_int_equal(side.waits, 1);
    assert_int_equal(guest_device_completed_fence(device), 1);
    assert_int_equal(guest_device_submitted_fence(device), 257);
    /* Only so many fences are remembered: of older submissions there is a later one. */
    assert_int_equal(guest_stream_fence(&stream, 256), 257);
    assert_int_equal(guest_stream_fence(&stream, 0), 257 - 63);
    guest_stream_fini(&stream);
    close_side(&side, device);
}

static void a_full_heap_waits_for_retired_blocks(void **state)
{
    (void)state;
    struct other_side side;
    struct guest_device *device = open_side(&side);
    struct guest_stream stream;
    struct guest_block block, other;
    guest_stream_init(&stream, device, 1, 4096);
    assert_int_equal(guest_block_allocate(device, REGION_BYTES - (200 << 10), &block), GUEST_OK);
    assert_int_equal(guest_block_allocate(device, 1 << 20, &other), GUEST_NO_MEMORY);
    guest_stream_retire(&stream, &block);
    assert_null(block.bytes);
    assert_int_equal(guest_block_allocate(device, 1 << 20, &other), GUEST_NO_MEMORY);
    submit_draw(&stream);
    assert_int_equal(side.waits, 0);
    assert_int_equal(guest_block_allocate(device, 1 << 20, &other), GUEST_OK);
    assert_int_equal(side.waits, 1);
    guest_block_free(device, &other);
    guest_stream_fini(&stream);
    close_side(&side, device);
}

static void a_full_stream_is_submitted(void **state)
{
    (void)state;
    struct other_side side;
    struct guest_device *device = open_side(&side);
    struct guest_stream stream;
    guest_stream_init(&stream, device, 1, 4096);
    for (uint32_t i = 0; i < 1000; i++)
        memset(guest_stream_packet(&stream, AEROGPU_CMD_DRAW, 24), 0, 0);
    const uint32_t in_block = (4096 - 24) / 24;
    assert_int_equal(side.doorbells, (1000 - 1) / in_block);
    assert_true(guest_stream_has_packets(&stream));
    /* A packet that is longer than a block has one of its own. */
    assert_non_null(guest_stream_long_packet(&stream, AEROGPU_CMD_NOP, 100000));
    assert_int_equal(side.doorbells, 1 + (1000 - 1) / in_block);
    assert_null(guest_stream_long_packet(&stream, AEROGPU_CMD_NOP, 3 << 20));
    assert_int_equal(stream.status, GUEST_OK);
    assert_int_equal(guest_stream_submit(&stream, 0, NULL), GUEST_OK);
    guest_stream_fini(&stream);
    close_side(&side, device);
}

static void a_lost_device_ends_waits_and_streams(void **state)
{
    (void)state;
    struct other_side side;
    struct guest_device *device = open_side(&side);
    struct guest_stream stream;
    guest_stream_init(&stream, device, 1, 4096);
    side.completes = false;
    for (uint32_t i = 0; i < 256; i++)
        submit_draw(&stream);
    assert_int_equal(guest_device_wait(device, 256, 1000), GUEST_TIMEOUT);
    assert_int_equal(guest_device_wait(device, 256, 0), GUEST_TIMEOUT);
    side.lost = true;
    assert_true(guest_device_is_lost(device));
    assert_int_equal(guest_device_wait(device, 256, UINT64_MAX), GUEST_DEVICE_LOST);
    memset(guest_stream_packet(&stream, AEROGPU_CMD_DRAW, 24), 0, 24);
    assert_int_equal(guest_stream_submit(&stream, 0, NULL), GUEST_DEVICE_LOST);
    /* Packets go nowhere from now on. */
    for (uint32_t i = 0; i < 1000; i++)
        memset(guest_stream_packet(&stream, AEROGPU_CMD_NOP, GUEST_PACKET_BYTES), 0xff, GUEST_PACKET_BYTES);
    assert_int_equal(stream.status, GUEST_DEVICE_LOST);
    assert_null(guest_stream_long_packet(&stream, AEROGPU_CMD_NOP, 100000));
    guest_stream_fini(&stream);
    close_side(&side, device);
}

static void other_devices_are_refused(void **state)
{
    (void)state;
    struct other_side side;
    close_side(&side, open_side(&side));
    struct guest_bus bus = {
        .read = read_register,
        .write = write_register,
        .user = &side,
        .allocator = guest_c_allocator(),
        .memory = {NULL, 0, REGION_BYTES},
    };
    struct guest_device *device;
    side.registers[AEROGPU_MMIO_REG_MAGIC / 4] = 0;
    assert_int_equal(guest_device_create(&bus, &device), GUEST_UNSUPPORTED);
    side.registers[AEROGPU_MMIO_REG_MAGIC / 4] = AEROGPU_MMIO_MAGIC;
    side.registers[AEROGPU_MMIO_REG_ABI_VERSION / 4] = 2u << 16;
    assert_int_equal(guest_device_create(&bus, &device), GUEST_UNSUPPORTED);
    bus.memory.size = 4096;
    assert_int_equal(guest_device_create(&bus, &device), GUEST_NO_MEMORY);
    assert_null(device);
}

/* ---- A device with the null executor ----------------------------------------------------------------- */

static void the_device_takes_what_is_submitted(void **state)
{
    (void)state;
    struct agpu_executor *executor = agpu_null_executor_create();
    const struct guest_in_process_options options = {.executor = executor, .memory_bytes = 4 << 20};
    struct guest_in_process *transport = guest_in_process_create(&options);
    struct guest_device *device;
    struct guest_stream stream;
    struct guest_errors errors;
    assert_int_equal(guest_device_create(guest_in_process_bus(transport), &device), GUEST_OK);
    guest_stream_init(&stream, device, 1, 4096);
    for (uint32_t i = 0; i < 1000; i++) {
        struct guest_block block;
        assert_int_equal(guest_block_allocate(device, 100000, &block), GUEST_OK);
        guest_stream_retire(&stream, &block);
        submit_draw(&stream);
    }
    assert_int_equal(guest_device_wait(device, 1000, UINT64_MAX), GUEST_OK);
    assert_int_equal(guest_device_completed_fence(device), 1000);
    struct agpu_counters counters = {.size = sizeof counters};
    executor->counters(executor, &counters);
    assert_int_equal(counters.submissions, 1000);
    guest_device_errors(device, &errors);
    assert_int_equal(errors.count, 0);
    /* A second device over the same bus starts again from fence 1. */
    guest_stream_fini(&stream);
    guest_device_destroy(device);
    assert_int_equal(guest_device_create(guest_in_process_bus(transport), &device), GUEST_OK);
    assert_int_equal(guest_device_completed_fence(device), 0);
    guest_stream_init(&stream, device, 1, 4096);
    submit_draw(&stream);
    assert_int_equal(guest_device_wait(device, 1, UINT64_MAX), GUEST_OK);
    guest_stream_fini(&stream);
    guest_device_destroy(device);
    guest_in_process_destroy(transport);
    agpu_executor_destroy(executor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_lie_apart_and_merge_again),
        cmocka_unit_test(small_blocks_lie_apart),
        cmocka_unit_test(retired_blocks_wait_for_their_fences),
        cmocka_unit_test(descriptors_say_where_the_packets_are),
        cmocka_unit_test(a_full_ring_waits_for_its_oldest_entry),
        cmocka_unit_test(a_full_heap_waits_for_retired_blocks),
        cmocka_unit_test(a_full_stream_is_submitted),
        cmocka_unit_test(a_lost_device_ends_waits_and_streams),
        cmocka_unit_test(other_devices_are_refused),
        cmocka_unit_test(the_device_takes_what_is_submitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
