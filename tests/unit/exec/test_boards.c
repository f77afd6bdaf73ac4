/* SPDX-License-Identifier: MIT
 *
 * Attacks by way of a device (attack.h, board.h): rings full of heavy streams, addresses of the device's own
 * registers in every place where a guest may name one, configuration space that changes while work is in
 * flight, displays of the worst sizes.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aerogpu/abi/ext.h"
#include "attack.h"
#include "board.h"

#define UNFINISHED_NS UINT64_C(100000000)

/* ---- Doorbells ----------------------------------------------------------------------------------------- */

enum { LISTED = 50000 };

/* A stream that executes command list 1, which has very many packets. */
static struct aerogpu_submit_desc place_heavy(struct board *board)
{
    struct agpu_writer writer, packets;
    struct aerogpu_cmd_ext_create_command_list list = {.object_handle = 1};
    const size_t head = sizeof(struct aerogpu_cmd_stream_header);
    uint32_t size;
    agpu_writer_init_growing(&writer, NULL);
    agpu_writer_init_growing(&packets, NULL);
    for (uint32_t i = 0; i < LISTED; i++)
        agpu_write_set_scissor(&packets, 0, 0, 1, 1);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_COMMAND_LIST, &list, sizeof list, packets.data + head,
                      packets.size - head);
    board_submit(board, &writer);
    board_work(board, UINT64_MAX);
    attack_write_text(&writer, "EXT_EXECUTE_COMMAND_LIST list_handle=1\n");
    const uint32_t stream = board_place(board, &writer, &size);
    agpu_writer_fini(&packets);
    agpu_writer_fini(&writer);
    return board_desc(board, stream, size);
}

static void fill_ring(struct board *board, struct aerogpu_submit_desc *desc, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        desc->signal_fence = ++board->fence;
        board_enqueue(board, desc);
    }
}

static void a_ring_of_heavy_streams(void **state)
{
    (void)state;
    struct board board;
    board_open(&board);
    struct aerogpu_submit_desc heavy = place_heavy(&board);
    fill_ring(&board, &heavy, BOARD_RING_ENTRIES);
    board_ring(&board);
    board_work(&board, UNFINISHED_NS);
    board_show(&board, true);
    heavy = place_heavy(&board);
    fill_ring(&board, &heavy, 200);
    board_ring(&board);
    board_show(&board, false);
    attack_check_times("1,024 descriptors of a list of 50,000 packets", &board.times);
    board_close(&board);
}

static void a_doorbell_for_each_heavy_stream(void **state)
{
    (void)state;
    struct board board;
    board_open(&board);
    struct aerogpu_submit_desc heavy = place_heavy(&board);
    for (uint32_t i = 0; i < 500; i++) {
        fill_ring(&board, &heavy, 1);
        for (uint32_t rings = 0; rings < 20; rings++)
            board_ring(&board);
    }
    board_work(&board, UNFINISHED_NS);
    board_show(&board, true);
    attack_check_times("500 descriptors with 20 doorbells each", &board.times);
    board_close(&board);
}

/* ---- Displays ------------------------------------------------------------------------------------------ */

/* Into the guest's frame buffer, with its pitch. */
static void set_scanout(struct board *board, uint32_t width, uint32_t height, uint32_t format, uint32_t pitch,
                        uint64_t gpa)
{
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_WIDTH, width);
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, height);
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_FORMAT, format);
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, pitch);
    board_write_64(board, AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, gpa);
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
}

static void present_large_pictures(struct board *board, const char *name)
{
    board->times = (struct attack_times){0};
    board_submit_text(board,
                      "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET format=B8G8R8A8_UNORM "
                      "width=4096 height=2048 mip_levels=1 array_layers=1\nSET_RENDER_TARGETS colors=[1]\n"
                      "PRESENT\nPRESENT\nPRESENT\nPRESENT\n");
    board_work(board, UINT64_MAX);
    assert_int_equal(board_completed(board), board->fence);
    attack_check_times(name, &board->times);
    board_show(board, true);
}

static void pictures_in_the_guests_frame_buffer(void **state)
{
    (void)state;
    struct board board;
    board_open(&board);
    set_scanout(&board, 4096, 2048, AEROGPU_FORMAT_B5G6R5_UNORM, 8192, BOARD_TARGET);
    present_large_pictures(&board, "4 presents of 4,096 by 2,048 into 16 bits");
    set_scanout(&board, 2048, 2048, AEROGPU_FORMAT_R8G8B8X8_UNORM, 8192, BOARD_TARGET);
    present_large_pictures(&board, "the same into 32 bits");
    set_scanout(&board, 1, 65535, AEROGPU_FORMAT_B8G8R8X8_UNORM, 256, BOARD_TARGET);
    present_large_pictures(&board, "the same into a column");
    board_close(&board);
}

/* As many rows as a scanout may have, each far from the next, and a cursor likewise. */
static void read_displays(struct board *board)
{
    struct agpu_cursor cursor;
    uint32_t width, height;
    uint8_t *pixels;
    const uint64_t begin_ns = attack_begin_call();
    if (agpu_device_read_scanout(board->device, &width, &height, &pixels) == AGPU_OK)
        agpu_free(pixels);
    if (agpu_device_read_cursor(board->device, &cursor, &pixels) == AGPU_OK)
        agpu_free(pixels);
    attack_end_poll(&board->times, begin_ns);
}

static void displays_of_the_worst_sizes(void **state)
{
    static const uint32_t sizes[] = {0, 1, 2048, 65535, 65536, 65537, 16777216, UINT32_MAX};
    static const uint32_t pitches[] = {0, 1, 4, 512, 1023, 65535, UINT32_MAX};
    static const uint64_t places[] = {0,
                                      BOARD_RAM_BYTES - 4,
                                      BOARD_REGISTERS,
                                      BOARD_VRAM - 4,
                                      BOARD_VRAM + UINT64_C(0x3FFFFFC),
                                      UINT64_MAX - 3,
                                      UINT64_MAX};
    (void)state;
    struct board board;
    board_open(&board);
    for (uint32_t i = 0; i < 8 * 8 * 7; i++) {
        const uint32_t width = sizes[i % 8], height = sizes[i / 8 % 8], pitch = pitches[i / 64];
        const uint64_t gpa = places[i % 7];
        set_scanout(&board, width, height, i % 2 ? AEROGPU_FORMAT_B5G6R5_UNORM : i, pitch, gpa);
        board_write(&board, AEROGPU_MMIO_REG_CURSOR_WIDTH, width);
        board_write(&board, AEROGPU_MMIO_REG_CURSOR_HEIGHT, height);
        board_write(&board, AEROGPU_MMIO_REG_CURSOR_FORMAT, AEROGPU_FORMAT_B8G8R8A8_UNORM);
        board_write(&board, AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES, pitch);
        board_write_64(&board, AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, gpa);
        board_write(&board, AEROGPU_MMIO_REG_CURSOR_ENABLE, 1);
        read_displays(&board);
        if (i % 16 == 0)
            board_show(&board, false);
    }
    assert_int_equal(board.own_accesses, 0);
    attack_check_times("448 scanouts and cursors", &board.times);
    board_show(&board, true);
    board_close(&board);
}

/* A thousand windows wait for the display, which is behind by years. */
static void vblanks_without_end(void **state)
{
    (void)state;
    struct board board;
    board_open(&board);
    board_write(&board, AEROGPU_MMIO_REG_IRQ_ENABLE, UINT32_MAX);
    board_submit_text(&board, "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET "
                              "format=R8G8B8A8_UNORM width=1 height=1 mip_levels=1 array_layers=1\n");
    for (uint32_t i = 0; i < 1000; i++)
        board_submit_text(&board, "EXT_PRESENT texture_handle=1 swap_chain=1 sync_interval=4\n");
    for (uint32_t i = 1; board_completed(&board) != board.fence; i++) {
        const struct timespec nap = {.tv_nsec = 100000};
        const uint64_t begin_ns = attack_begin_call();
        agpu_device_poll(board.device, i * UINT64_C(1000000000000));
        attack_end_poll(&board.times, begin_ns);
        board_write(&board, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, i % 2);
        nanosleep(&nap, NULL);
    }
    attack_check_times("1,000 windows that wait for vblanks", &board.times);
    board_show(&board, true);
    board_close(&board);
}

/* ---- Its own registers --------------------------------------------------------------------------------- */

/* Each reads or writes allocation 2. */
static const char *const engines[] = {
    "CREATE_BUFFER buffer_handle=1 usage_flags=STORAGE size_bytes=64 backing_alloc_id=2\n"
    "CREATE_BUFFER buffer_handle=2 usage_flags=STORAGE size_bytes=64\n"
    "RESOURCE_DIRTY_RANGE resource_handle=1 size_bytes=64\n"
    "COPY_BUFFER dst_buffer=2 src_buffer=1 size_bytes=64\n",
    "CREATE_BUFFER buffer_handle=1 usage_flags=INDEX_BUFFER size_bytes=64 backing_alloc_id=2\n"
    "CREATE_BUFFER buffer_handle=2 usage_flags=INDEX_BUFFER size_bytes=64\n"
    "RESOURCE_DIRTY_RANGE resource_handle=1 size_bytes=64\n"
    "COPY_BUFFER dst_buffer=2 src_buffer=1 size_bytes=64\n",
    "CREATE_BUFFER buffer_handle=1 usage_flags=STORAGE size_bytes=64 backing_alloc_id=2\n"
    "CREATE_BUFFER buffer_handle=2 usage_flags=STORAGE size_bytes=64\n"
    "COPY_BUFFER dst_buffer=1 src_buffer=2 size_bytes=64 flags=WRITEBACK_DST\n",
    "CREATE_TEXTURE2D texture_handle=1 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=4 height=4 "
    "mip_levels=1 array_layers=1 row_pitch_bytes=16 backing_alloc_id=2\n"
    "CREATE_TEXTURE2D texture_handle=2 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=4 height=4 "
    "mip_levels=1 array_layers=1\nRESOURCE_DIRTY_RANGE resource_handle=1 size_bytes=64\n"
    "COPY_TEXTURE2D dst_texture=2 src_texture=1 width=4 height=4\n",
    "CREATE_TEXTURE2D texture_handle=1 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=4 height=4 "
    "mip_levels=1 array_layers=1 row_pitch_bytes=16 backing_alloc_id=2\n"
    "CREATE_TEXTURE2D texture_handle=2 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=4 height=4 "
    "mip_levels=1 array_layers=1\nCOPY_TEXTURE2D dst_texture=1 src_texture=2 width=4 height=4 "
    "flags=WRITEBACK_DST\n",
    "EXT_CREATE_BUFFER buffer_handle=1 size_bytes=64 bind_flags=SHADER_RESOURCE\n"
    "EXT_UPDATE_SUBRESOURCE resource_handle=1 source_alloc_id=2\n",
    "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE3D format=DXGI_R8G8_UNORM width=4 height=4 depth=2 "
    "mip_levels=1 array_size=1 sample_count=1 bind_flags=SHADER_RESOURCE\n"
    "EXT_UPDATE_SUBRESOURCE resource_handle=1 source_alloc_id=2\n",
    "EXT_CREATE_BUFFER buffer_handle=1 size_bytes=64 bind_flags=SHADER_RESOURCE\n"
    "EXT_READ_SUBRESOURCE resource_handle=1 target_alloc_id=2\n",
    "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE3D format=DXGI_R8G8_UNORM width=4 height=4 depth=2 "
    "mip_levels=1 array_size=1 sample_count=1 bind_flags=SHADER_RESOURCE\n"
    "EXT_READ_SUBRESOURCE resource_handle=1 target_alloc_id=2\n",
    "EXT_CREATE_QUERY object_handle=1 type=EVENT\nEXT_END_QUERY query_handle=1 result_alloc_id=2\n",
    "EXT_CREATE_QUERY object_handle=1 type=OCCLUSION\nEXT_BEGIN_QUERY query_handle=1\n"
    "EXT_END_QUERY query_handle=1 result_alloc_id=2\n",
    "EXT_READ_CAPS kind=FEATURES target_alloc_id=2\n",
    "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=4 height=4 "
    "mip_levels=1 array_layers=1\nEXT_PRESENT texture_handle=1 swap_chain=1 target_alloc_id=2\n",
};

/* In front of them, in them, on the doorbell, across their end and across those of VRAM. */
static const uint64_t own_places[] = {
    BOARD_REGISTERS - 4,
    BOARD_REGISTERS,
    BOARD_REGISTERS + AEROGPU_MMIO_REG_DOORBELL,
    BOARD_REGISTERS + AEROGPU_PCI_BAR0_SIZE_BYTES - 4,
    BOARD_VRAM - 4,
    BOARD_VRAM + AEROGPU_PCI_BAR1_SIZE_BYTES - 4,
};
enum { OWN_PLACES = sizeof own_places / sizeof own_places[0] };

static void transfers_to_its_own_registers(void **state)
{
    (void)state;
    struct board board;
    board_open(&board);
    for (uint32_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        for (uint32_t k = 0; k < OWN_PLACES; k++) {
            board.allocation_gpa = own_places[k];
            board.allocation_bytes = 65536;
            board_submit_text(&board, engines[i]);
            board_work(&board, UINT64_MAX);
            assert_int_equal(board_completed(&board), board.fence);
            assert_int_not_equal(board.first_message[0], 0);
            assert_int_equal(board.own_accesses, 0);
            board_show(&board, true);
        }
    /* VRAM itself is memory like any. */
    board.allocation_gpa = BOARD_VRAM;
    for (uint32_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        board_submit_text(&board, engines[i]);
        board_work(&board, UINT64_MAX);
        assert_string_equal(board.first_message, "");
        board_show(&board, true);
    }
    attack_check_times("transfers to registers of the device", &board.times);
    board_close(&board);
}

/* The ring, the fence page, the stream, the table and the frame buffer. */
static void rings_in_its_own_registers(void **state)
{
    (void)state;
    struct board board;
    board_open(&board);
    for (uint32_t k = 0; k < OWN_PLACES; k++) {
        board_write_64(&board, AEROGPU_MMIO_REG_RING_GPA_LO, own_places[k]);
        board_ring(&board);
        board_show(&board, true);
        board_write_64(&board, AEROGPU_MMIO_REG_FENCE_GPA_LO, own_places[k]);
        board_ring(&board);
        board_show(&board, false);
        board_show(&board, true);
        struct aerogpu_submit_desc desc = board_desc(&board, BOARD_STREAMS, 64);
        desc.cmd_gpa = own_places[k];
        board_enqueue(&board, &desc);
        desc = board_desc(&board, 0, 0);
        desc.alloc_table_gpa = own_places[k];
        board_enqueue(&board, &desc);
        board_ring(&board);
        set_scanout(&board, 4, 4, AEROGPU_FORMAT_B8G8R8X8_UNORM, 16, own_places[k]);
        read_displays(&board);
        board_show(&board, false);
        board_show(&board, true);
    }
    assert_int_equal(board.own_accesses, 0);
    attack_check_times("rings in registers of the device", &board.times);
    board_close(&board);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_heavy_streams),
        cmocka_unit_test(a_doorbell_for_each_heavy_stream),
        cmocka_unit_test(pictures_in_the_guests_frame_buffer),
        cmocka_unit_test(displays_of_the_worst_sizes),
        cmocka_unit_test(vblanks_without_end),
        cmocka_unit_test(transfers_to_its_own_registers),
        cmocka_unit_test(rings_in_its_own_registers),
    };
    attack_main(argc, argv, "exec/boards", tests, sizeof tests / sizeof tests[0]);
}
