/* SPDX-License-Identifier: MIT */
#include "board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../support/test.h"
#include "aerogpu/text.h"

/* ---- What the device calls ----------------------------------------------------------------------------- */

static bool overlaps(uint64_t gpa, size_t size, uint64_t base, uint64_t bar_size)
{
    return gpa < base ? size > base - gpa : gpa - base < bar_size;
}

/* Null where there is no memory. */
static uint8_t *find(struct board *board, uint64_t gpa, size_t size)
{
    board->accesses++;
    board->own_accesses += overlaps(gpa, size, BOARD_REGISTERS, AEROGPU_PCI_BAR0_SIZE_BYTES) ||
                           overlaps(gpa, size, BOARD_VRAM, AEROGPU_PCI_BAR1_SIZE_BYTES);
    return !board->is_deaf && gpa <= BOARD_RAM_BYTES && size <= BOARD_RAM_BYTES - gpa ? board->ram + gpa
                                                                                      : NULL;
}

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    const uint8_t *const from = find(user, gpa, size);
    if (from)
        memcpy(to, from, size);
    return from != NULL;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    uint8_t *const to = find(user, gpa, size);
    if (to)
        memcpy(to, from, size);
    return to != NULL;
}

static void presented(void *user, const struct agpu_present *present)
{
    struct board *const board = user;
    if (!present->pixels)
        return;
    board->presents++;
    memcpy(&board->last_pixel, present->pixels, sizeof board->last_pixel);
}

static void report(void *user, const struct agpu_diag *diag)
{
    struct board *const board = user;
    if (getenv("AG_TEST_VERBOSE"))
        print_message("  %s: %s\n", agpu_diag_slug(diag->code), diag->message);
    assert_int_not_equal(agpu_diag_error_register(diag->code), AEROGPU_ERROR_INTERNAL);
    if (board->first_message[0])
        return;
    board->first_diag = diag->code;
    snprintf(board->first_message, sizeof board->first_message, "%s", diag->message);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

void board_program(struct board *board)
{
    const struct aerogpu_ring_header header = {
        .magic = AEROGPU_RING_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .size_bytes = sizeof header + BOARD_RING_ENTRIES * 64,
        .entry_count = BOARD_RING_ENTRIES,
        .entry_stride_bytes = 64,
    };
    memcpy(board->ram + BOARD_RING, &header, sizeof header);
    board->tail = 0;
    board->stream = BOARD_STREAMS;
    agpu_device_config_write(board->device, 0x10, 4, BOARD_REGISTERS);
    agpu_device_config_write(board->device, 0x14, 4, BOARD_VRAM);
    agpu_device_config_write(board->device, 0x04, 2, 6);
    board_write_64(board, AEROGPU_MMIO_REG_RING_GPA_LO, BOARD_RING);
    board_write(board, AEROGPU_MMIO_REG_RING_SIZE_BYTES, header.size_bytes);
    board_write_64(board, AEROGPU_MMIO_REG_FENCE_GPA_LO, BOARD_FENCE_PAGE);
    board_write(board, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
}

void board_open_on(struct board *board, struct agpu_executor *executor)
{
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = read_ram, .write = write_ram, .user = board},
        .presented = presented,
        .diagnostics = {report,                board                            },
        .user = board,
    };
    *board = (struct board){.ram = calloc(1, BOARD_RAM_BYTES),
                            .executor = executor,
                            .context_id = 1,
                            .allocation_gpa = BOARD_TARGET,
                            .allocation_bytes = BOARD_TARGET_BYTES};
    assert_non_null(board->ram);
    assert_int_equal(agpu_device_create(NULL, &callbacks, executor, 0, &board->device), AGPU_OK);
    board_program(board);
}

void board_open(struct board *board)
{
    board_open_on(board, attacked.executor);
}

void board_close(struct board *board)
{
    agpu_device_destroy(board->device);
    free(board->ram);
    if (board->executor == attacked.executor)
        host_attach(&attacked);
}

/* ---- Registers ----------------------------------------------------------------------------------------- */

void board_write(struct board *board, uint32_t offset, uint32_t value)
{
    const uint64_t begin_ns = attack_begin_call();
    agpu_device_mmio_write(board->device, offset, 4, value);
    attack_end_poll(&board->times, begin_ns);
}

void board_write_64(struct board *board, uint32_t offset, uint64_t value)
{
    board_write(board, offset, (uint32_t)value);
    board_write(board, offset + 4, (uint32_t)(value >> 32));
}

uint64_t board_completed(struct board *board)
{
    return agpu_device_mmio_read(board->device, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8);
}

/* ---- Submissions --------------------------------------------------------------------------------------- */

uint32_t board_place(struct board *board, struct agpu_writer *writer, uint32_t *size)
{
    assert_int_equal(agpu_writer_finish(writer), AGPU_OK);
    *size = (uint32_t)writer->size;
    if (*size > BOARD_TARGET - board->stream)
        board->stream = BOARD_STREAMS;
    assert_true(*size <= BOARD_TARGET - board->stream);
    const uint32_t stream = board->stream;
    memcpy(board->ram + stream, writer->data, *size);
    board->stream += (*size + 63) & ~UINT32_C(63);
    agpu_writer_reset(writer);
    return stream;
}

struct aerogpu_submit_desc board_desc(struct board *board, uint32_t stream, uint32_t size)
{
    const struct aerogpu_alloc_entry entries[2] = {
        {.alloc_id = 1, .gpa = BOARD_TARGET,          .size_bytes = BOARD_TARGET_BYTES     },
        {.alloc_id = 2, .gpa = board->allocation_gpa, .size_bytes = board->allocation_bytes},
    };
    const struct aerogpu_alloc_table_header table = {
        .magic = AEROGPU_ALLOC_TABLE_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .size_bytes = sizeof table + sizeof entries,
        .entry_count = 2,
        .entry_stride_bytes = sizeof entries[0],
    };
    memcpy(board->ram + BOARD_TABLE, &table, sizeof table);
    memcpy(board->ram + BOARD_TABLE + sizeof table, entries, sizeof entries);
    return (struct aerogpu_submit_desc){
        .desc_size_bytes = sizeof(struct aerogpu_submit_desc),
        .context_id = board->context_id,
        .cmd_gpa = stream,
        .cmd_size_bytes = size,
        .alloc_table_gpa = BOARD_TABLE,
        .alloc_table_size_bytes = table.size_bytes,
        .signal_fence = ++board->fence,
    };
}

void board_enqueue(struct board *board, const struct aerogpu_submit_desc *desc)
{
    const uint32_t slot = board->tail++ % BOARD_RING_ENTRIES;
    memcpy(board->ram + BOARD_RING + sizeof(struct aerogpu_ring_header) + slot * 64, desc, sizeof *desc);
    memcpy(board->ram + BOARD_RING + offsetof(struct aerogpu_ring_header, tail), &board->tail,
           sizeof board->tail);
}

void board_ring(struct board *board)
{
    board_write(board, AEROGPU_MMIO_REG_DOORBELL, 1);
}

void board_submit(struct board *board, struct agpu_writer *writer)
{
    uint32_t size;
    const uint32_t stream = board_place(board, writer, &size);
    const struct aerogpu_submit_desc desc = board_desc(board, stream, size);
    board->first_message[0] = 0;
    board_enqueue(board, &desc);
    board_ring(board);
}

void board_submit_text(struct board *board, const char *text)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    attack_write_text(&writer, text);
    board_submit(board, &writer);
    agpu_writer_fini(&writer);
}

/* ---- Time ---------------------------------------------------------------------------------------------- */

bool board_poll(struct board *board)
{
    const uint64_t begin_ns = attack_begin_call();
    const bool outstanding = agpu_device_poll(board->device, 0);
    attack_end_poll(&board->times, begin_ns);
    return outstanding;
}

void board_rest(struct board *board)
{
    const struct timespec nap = {.tv_nsec = 200000};
    if (!agpu_executor_has_more(board->executor))
        nanosleep(&nap, NULL);
}

void board_work(struct board *board, uint64_t most_ns)
{
    for (const uint64_t begin = attack_now_ns(); board_poll(board) && attack_now_ns() - begin < most_ns;)
        board_rest(board);
}

void board_show(struct board *board, bool resets)
{
    struct agpu_writer frame;
    const uint32_t context = board->context_id;
    if (resets) {
        board_write(board, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
        board_program(board);
        board->fence = 0;
    }
    const uint32_t presents = board->presents;
    agpu_writer_init_growing(&frame, NULL);
    attack_write_frame(&frame, 1);
    board->context_id = 0x7FFFFFF0;
    board_submit(board, &frame);
    board->context_id = context;
    board_work(board, UINT64_MAX);
    assert_int_equal(board_completed(board), board->fence);
    assert_true(board->presents > presents); /* of what was in flight, too */
    assert_int_equal(board->last_pixel & 0x00FFFFFF, 0x0000FF);
    agpu_writer_fini(&frame);
}
