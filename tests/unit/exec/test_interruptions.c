/* SPDX-License-Identifier: MIT
 *
 * What a guest and its machine do in the middle of heavy work (attack.h, board.h): resets, configuration
 * space, snapshots. Calls keep their times, and afterwards a frame is shown.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/snapshot_bytes.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/executor.h"
#include "attack.h"
#include "board.h"
#include "busy_work.h"

/* ---- Work ---------------------------------------------------------------------------------------------- */

static void upload(struct agpu_writer *writer)
{
    enum { BYTES = 24 << 20 };
    uint8_t *bytes = calloc(1, BYTES);
    assert_non_null(bytes);
    agpu_write_create_buffer(writer, 1, AEROGPU_RESOURCE_USAGE_STORAGE, BYTES, 0, 0);
    agpu_write_upload_resource(writer, 1, 0, bytes, BYTES);
    free(bytes);
}

static void execute_lists(struct agpu_writer *writer)
{
    struct agpu_writer packets;
    struct aerogpu_cmd_ext_create_command_list list = {.object_handle = 1};
    const struct aerogpu_cmd_ext_execute_command_list execute = {.list_handle = 1, .flags = 1};
    const size_t head = sizeof(struct aerogpu_cmd_stream_header);
    agpu_writer_init_growing(&packets, NULL);
    for (uint32_t i = 0; i < 50000; i++)
        agpu_write_set_scissor(&packets, 0, 0, 1, 1);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_COMMAND_LIST, &list, sizeof list, packets.data + head,
                      packets.size - head);
    for (uint32_t i = 0; i < 10; i++)
        agpu_write_packet(writer, AEROGPU_CMD_EXT_EXECUTE_COMMAND_LIST, &execute, sizeof execute, NULL, 0);
    agpu_writer_fini(&packets);
}

/* Pipelines of which none is another one. */
static void compile(struct agpu_writer *writer)
{
    const struct aerogpu_unordered_access_buffer_binding binding = {.buffer = 1};
    char listing[4096];
    agpu_write_create_buffer(writer, 1, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 0, 0);
    agpu_write_set_unordered_access_buffers(writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &binding);
    for (uint32_t i = 1; i <= 4; i++) {
        char *end =
            listing + sprintf(listing, "cs_5_0\ndcl_uav_raw u0\ndcl_temps 2\ndcl_thread_group 16, 4, 1\n"
                                       "ld_raw r0.xyzw, l(0), u0.xyzw\nmov r1.xyzw, l(1.0)\n");
        for (uint32_t k = 0; k < 16 + i; k++)
            end += sprintf(end, "sincos r0.xyzw, r1.xyzw, r0.xyzw\n");
        sprintf(end, "store_raw u0.xyzw, l(0), r0.xyzw\nret\n");
        host_assemble_shader(writer, i, AGPU_STREAM_STAGE_COMPUTE, listing);
        agpu_write_bind_shaders(writer, 0, 0, i, 0);
        agpu_write_dispatch(writer, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
    }
}

/* A tenth of a second of the GPU. */
static void keep_busy(struct agpu_writer *writer)
{
    busy_work_write(writer, 50000);
}

static void read_slices(struct agpu_writer *writer)
{
    attack_write_text(
        writer, "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE3D format=DXGI_R8G8B8A8_UNORM width=4 "
                "height=4 depth=2048 mip_levels=1 array_size=1 sample_count=1 bind_flags=SHADER_RESOURCE\n");
    for (uint32_t i = 0; i < 10; i++)
        attack_write_text(writer, "EXT_READ_SUBRESOURCE resource_handle=1 target_alloc_id=1\n");
}

static void show_pictures(struct agpu_writer *writer)
{
    attack_write_text(
        writer,
        "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET format=B8G8R8A8_UNORM width=2048 "
        "height=2048 mip_levels=1 array_layers=1\nSET_RENDER_TARGETS colors=[1]\nPRESENT\nPRESENT\n"
        "EXT_PRESENT texture_handle=1 swap_chain=1 target_alloc_id=1\n");
}

static void destroy_views(struct agpu_writer *writer)
{
    host_write_texture(writer, 1, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
    for (uint32_t i = 0; i < 6000; i++) {
        const struct aerogpu_cmd_create_texture_view view = {.view_handle = 10 + i,
                                                             .texture_handle = 1,
                                                             .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                                             .mip_level_count = 1,
                                                             .array_layer_count = 1};
        agpu_write_create_texture_view(writer, &view);
    }
    agpu_write_destroy_resource(writer, 1);
}

static void make_mips(struct agpu_writer *writer)
{
    attack_write_text(writer,
                      "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE2D format=DXGI_R8G8B8A8_UNORM "
                      "width=64 height=64 depth=1 mip_levels=7 array_size=512 sample_count=1 "
                      "bind_flags=SHADER_RESOURCE|RENDER_TARGET misc_flags=GENERATE_MIPS\n"
                      "EXT_CREATE_VIEW view_handle=2 resource_handle=1 kind=SHADER_RESOURCE "
                      "dimension=TEXTURE2DARRAY mip_level_count=7 array_layer_count=512\n"
                      "EXT_GENERATE_MIPS view_handle=2\nEXT_GENERATE_MIPS view_handle=2\n");
}

/* A large texture in guest memory, which comes in parts before it is copied. */
static void pull(struct agpu_writer *writer)
{
    attack_write_text(
        writer, "CREATE_TEXTURE2D texture_handle=1 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=2048 "
                "height=2048 mip_levels=1 array_layers=1 row_pitch_bytes=8192 backing_alloc_id=1\n"
                "CREATE_TEXTURE2D texture_handle=2 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=2048 "
                "height=2048 mip_levels=1 array_layers=1\n"
                "RESOURCE_DIRTY_RANGE resource_handle=1 size_bytes=16777216\n"
                "COPY_TEXTURE2D dst_texture=2 src_texture=1 width=2048 height=2048\n");
}

static const struct {
    const char *name;
    void (*write)(struct agpu_writer *writer);
} works[] = {
    {"an upload of 24 MiB",               upload       },
    {"10 times a list of 50,000 packets", execute_lists},
    {"4 pipelines",                       compile      },
    {"a busy GPU",                        keep_busy    },
    {"10 readings of 2,048 slices",       read_slices  },
    {"pictures of 2,048 by 2,048",        show_pictures},
    {"6,000 views that go",               destroy_views},
    {"mips of 512 layers",                make_mips    },
    {"a texture in guest memory",         pull         },
};
enum { WORKS = sizeof works / sizeof works[0] };

/* Work is on its way, and has had so many polls. */
static void begin(struct board *board, uint32_t work, uint32_t polls)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_WIDTH, 2048);
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, 2048);
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B5G6R5_UNORM);
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 4096);
    board_write_64(board, AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, BOARD_TARGET);
    board_write(board, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
    works[work].write(&writer);
    board_submit(board, &writer);
    while (polls-- != 0 && board_poll(board))
        board_rest(board);
    agpu_writer_fini(&writer);
}

/* What happens in between, after which the ring may be gone (true), or work goes on. */
typedef bool interruption(struct board *board);

static void interrupt_all(const char *name, interruption *happens)
{
    static const uint32_t moments[] = {0, 2, 12};
    struct board board;
    board_open(&board);
    attack_note_memory();
    for (uint32_t work = 0; work < WORKS; work++)
        for (uint32_t i = 0; i < sizeof moments / sizeof moments[0]; i++) {
            begin(&board, work, moments[i]);
            const bool is_gone = happens(&board);
            board_show(&board, is_gone);
            board_show(&board, true);
        }
    attack_check_times(name, &board.times);
    attack_check_memory(name);
    board_close(&board);
}

/* ---- Configuration space ------------------------------------------------------------------------------- */

static void set_command(struct board *board, uint32_t command)
{
    const uint64_t begin_ns = attack_begin_call();
    agpu_device_config_write(board->device, 0x04, 2, command);
    attack_end_poll(&board->times, begin_ns);
}

static bool reset_ring(struct board *board)
{
    (void)board;
    return true;
}

static bool reset_function(struct board *board)
{
    assert_int_equal(agpu_device_reset(board->device), AGPU_OK);
    board_program(board);
    board->fence = 0;
    return false;
}

/* Guest memory is left alone meanwhile. */
static bool stop_mastering(struct board *board)
{
    set_command(board, 2);
    const uint32_t accesses = board->accesses;
    for (uint32_t i = 0; i < 10; i++) {
        board_ring(board);
        board_poll(board);
    }
    assert_int_equal(board->accesses, accesses);
    set_command(board, 6);
    return false;
}

/* The ring is reset while nothing may be written for it. */
static bool reset_without_mastering(struct board *board)
{
    set_command(board, 2);
    board_write(board, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
    board_poll(board);
    set_command(board, 6);
    return true;
}

static bool stop_decoding(struct board *board)
{
    set_command(board, 4);
    for (uint32_t i = 0; i < 10; i++) {
        board_ring(board);
        board_poll(board);
    }
    set_command(board, 6);
    return false;
}

/* Registers over what streams write. */
static bool move_registers(struct board *board)
{
    agpu_device_config_write(board->device, 0x10, 4, BOARD_TARGET);
    for (uint32_t i = 0; i < 10; i++)
        board_poll(board);
    agpu_device_config_write(board->device, 0x10, 4, BOARD_REGISTERS);
    return false;
}

/* Guest memory goes, and comes back. */
static bool unplug_memory(struct board *board)
{
    board->is_deaf = true;
    for (uint32_t i = 0; i < 10; i++)
        board_poll(board);
    board->is_deaf = false;
    return false;
}

static void ring_resets(void **state)
{
    (void)state;
    interrupt_all("resets of the ring", reset_ring);
}

static void function_resets(void **state)
{
    (void)state;
    interrupt_all("resets of the function", reset_function);
}

static void bus_mastering_off(void **state)
{
    (void)state;
    interrupt_all("bus mastering goes off and on", stop_mastering);
}

static void resets_without_bus_mastering(void **state)
{
    (void)state;
    interrupt_all("resets while bus mastering is off", reset_without_mastering);
}

static void decoding_off(void **state)
{
    (void)state;
    interrupt_all("decoding goes off and on", stop_decoding);
}

static void registers_that_move(void **state)
{
    (void)state;
    interrupt_all("registers move over the guest's memory", move_registers);
}

static void memory_that_goes(void **state)
{
    (void)state;
    interrupt_all("guest memory goes and comes", unplug_memory);
}

/* ---- Snapshots ----------------------------------------------------------------------------------------- */

/* Returns the last state, after so many polls at most. */
static enum agpu_save_state save(struct board *board, struct snapshot_bytes *snapshot, uint32_t polls)
{
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(snapshot);
    enum agpu_save_state state = AGPU_SAVE_BUSY;
    assert_int_equal(agpu_device_save_begin(board->device, &writer), AGPU_OK);
    while (state == AGPU_SAVE_BUSY && polls-- != 0) {
        state = agpu_device_save_poll(board->device);
        board_poll(board);
        board_rest(board);
    }
    return state;
}

/* On the same executor, and on one with less memory, which may refuse it and is then as good as new. */
static void load_with_less(struct snapshot_bytes *snapshot)
{
    const struct agpu_executor_options options = {
        .size = sizeof options, .gpu_memory_bytes = 1 << 20, .host_memory_bytes = 1 << 20};
    struct agpu_executor *executor = NULL;
    struct board board;
    assert_int_equal(agpu_webgpu_executor_create(attacked.gpu, &options, NULL, &executor), AGPU_OK);
    board_open_on(&board, executor);
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(snapshot);
    assert_int_equal(agpu_device_reset(board.device), AGPU_OK);
    const enum agpu_status status = agpu_device_load(board.device, &reader, 0);
    assert_true(status == AGPU_OK || status == AGPU_REFUSED);
    board_program(&board);
    board_show(&board, true);
    board_close(&board);
    executor->destroy(executor);
}

static bool save_and_load(struct board *board)
{
    struct snapshot_bytes snapshot = {0};
    assert_int_equal(save(board, &snapshot, UINT32_MAX), AGPU_SAVE_DONE);
    assert_int_equal(agpu_device_reset(board->device), AGPU_OK);
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(&snapshot);
    assert_int_equal(agpu_device_load(board->device, &reader, 0), AGPU_OK);
    load_with_less(&snapshot);
    free(snapshot.data);
    return false;
}

static bool save_in_part(struct board *board)
{
    struct snapshot_bytes snapshot = {0};
    save(board, &snapshot, 2);
    free(snapshot.data);
    agpu_device_save_cancel(board->device);
    return false;
}

static bool save_and_reset(struct board *board)
{
    struct snapshot_bytes snapshot = {0};
    save(board, &snapshot, 2);
    free(snapshot.data);
    return true;
}

static void snapshots(void **state)
{
    (void)state;
    interrupt_all("snapshots saved and loaded", save_and_load);
}

static void snapshots_that_end_early(void **state)
{
    (void)state;
    interrupt_all("snapshots that are cancelled", save_in_part);
    interrupt_all("snapshots that a reset ends", save_and_reset);
}

/* Objects of every section. */
static void write_objects(struct agpu_writer *writer)
{
    attack_write_points(writer);
    attack_write_text(writer, "CREATE_BUFFER buffer_handle=1 usage_flags=INDEX_BUFFER size_bytes=4096\n"
                              "CREATE_TEXTURE2D texture_handle=2 usage_flags=TEXTURE|RENDER_TARGET "
                              "format=R8G8B8A8_UNORM width=16 height=16 mip_levels=2 array_layers=2\n"
                              "CREATE_TEXTURE_VIEW view_handle=3 texture_handle=2 format=R8G8B8A8_UNORM "
                              "mip_level_count=1 array_layer_count=1\nCREATE_SAMPLER sampler_handle=4\n"
                              "EXPORT_SHARED_SURFACE resource_handle=2 share_token=7\n"
                              "EXT_CREATE_QUERY object_handle=1 type=OCCLUSION\n"
                              "SET_RENDER_TARGETS colors=[2]\nCLEAR flags=COLOR color_rgba_f32=[1 0 0 1]\n"
                              "SET_TEXTURE shader_stage=PIXEL texture=3\nDRAW vertex_count=1 "
                              "instance_count=1\n");
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t word = i;
        agpu_write_upload_resource(writer, 1, i * UINT64_C(4), &word, sizeof word);
    }
}

/* The first words of each section are numbers and sizes, and lists begin with how many they have. */
static void snapshots_that_claim_much(void **state)
{
    enum { WORDS = 48, HEADER = 32 };
    (void)state;
    struct snapshot_bytes snapshot = {0};
    struct agpu_writer writer;
    struct board board;
    uint32_t loaded = 0, refused = 0;
    board_open(&board);
    agpu_writer_init_growing(&writer, NULL);
    write_objects(&writer);
    board_submit(&board, &writer);
    board_work(&board, UINT64_MAX);
    assert_string_equal(board.first_message, "");
    assert_int_equal(save(&board, &snapshot, UINT32_MAX), AGPU_SAVE_DONE);
    attack_note_memory();
    for (size_t at = 0; at + HEADER <= snapshot.size;) {
        uint64_t size;
        memcpy(&size, snapshot.data + at + 16, sizeof size);
        for (uint32_t word = 0; word < WORDS && word * 4 + 4 <= size; word++) {
            static const uint32_t claims[] = {UINT32_MAX, 0x40000000, 0x00100000};
            uint8_t *const place = snapshot.data + at + HEADER + word * 4;
            uint32_t kept;
            memcpy(&kept, place, sizeof kept);
            for (uint32_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
                memcpy(place, &claims[i], sizeof claims[i]);
                snapshot_bytes_seal(snapshot.data, snapshot.size);
                assert_int_equal(agpu_device_reset(board.device), AGPU_OK);
                const struct agpu_snapshot_reader reader = snapshot_bytes_reader(&snapshot);
                const enum agpu_status status = agpu_device_load(board.device, &reader, 0);
                assert_true(status == AGPU_OK || status == AGPU_REFUSED);
                loaded += status == AGPU_OK;
                refused += status == AGPU_REFUSED;
            }
            memcpy(place, &kept, sizeof kept);
        }
        at += HEADER + (size_t)size;
    }
    print_message("%u snapshots loaded, %u refused\n", loaded, refused);
    assert_true(loaded != 0 && refused != 0);
    attack_check_memory("snapshots that claim much");
    assert_int_equal(agpu_device_reset(board.device), AGPU_OK);
    board_program(&board);
    board.fence = 0;
    board_show(&board, true);
    agpu_writer_fini(&writer);
    free(snapshot.data);
    board_close(&board);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_resets),
        cmocka_unit_test(function_resets),
        cmocka_unit_test(bus_mastering_off),
        cmocka_unit_test(resets_without_bus_mastering),
        cmocka_unit_test(decoding_off),
        cmocka_unit_test(registers_that_move),
        cmocka_unit_test(memory_that_goes),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(snapshots_that_end_early),
        cmocka_unit_test(snapshots_that_claim_much),
    };
    attack_main(argc, argv, "exec/interruptions", tests, sizeof tests / sizeof tests[0]);
}
