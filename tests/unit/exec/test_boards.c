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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_heavy_streams),
        cmocka_unit_test(a_doorbell_for_each_heavy_stream),
        cmocka_unit_test(pictures_in_the_guests_frame_buffer),
    };
    attack_main(argc, argv, "exec/boards", tests, sizeof tests / sizeof tests[0]);
}
