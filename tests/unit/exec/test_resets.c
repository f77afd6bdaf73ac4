/* SPDX-License-Identifier: MIT
 *
 * Objects that go, very many of them at a time: by a reset, which frees them in parts, and one by one. Slices
 * are of one part each, so that nothing here depends on how fast the machine is.
 */
#include "../../support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "../../support/snapshot_bytes.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/text.h"
#include "gpu/gpu.h"
#include "host.h"

#define COUNT 4000u
/* What one call may free, and the bytes that most objects count as beside their contents. */
#define MOST_AT_ONCE 256u
#define OBJECT_BYTES 4096u
#define MEBIBYTE (UINT64_C(1) << 20)

static const char *driver;
static struct host host;

/* ---- Objects ------------------------------------------------------------------------------------------- */

static void write_query(struct agpu_writer *writer, uint32_t i)
{
    const struct aerogpu_cmd_ext_create_query query = {.object_handle = i, .type = AEROGPU_EXT_QUERY_EVENT};
    const struct aerogpu_cmd_ext_end_query end = {.query_handle = i};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_QUERY, &query, sizeof query, NULL, 0);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_END_QUERY, &end, sizeof end, NULL, 0);
}

static void write_active_query(struct agpu_writer *writer, uint32_t i)
{
    const struct aerogpu_cmd_ext_create_query query = {.object_handle = i,
                                                       .type = AEROGPU_EXT_QUERY_OCCLUSION};
    const struct aerogpu_cmd_ext_begin_query begin = {.query_handle = i};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_QUERY, &query, sizeof query, NULL, 0);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_BEGIN_QUERY, &begin, sizeof begin, NULL, 0);
}

static void write_buffer(struct agpu_writer *writer, uint32_t i)
{
    agpu_write_create_buffer(writer, i, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 64, 0, 0);
}

static void write_texture(struct agpu_writer *writer, uint32_t i)
{
    host_write_texture(writer, i, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
}

/* All of one texture. */
static void write_view(struct agpu_writer *writer, uint32_t i)
{
    const struct aerogpu_cmd_create_texture_view view = {.view_handle = 1 + i,
                                                         .texture_handle = 1,
                                                         .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                                         .mip_level_count = 1,
                                                         .array_layer_count = 1};
    if (i == 1)
        write_texture(writer, 1);
    agpu_write_create_texture_view(writer, &view);
}

static void write_sampler(struct agpu_writer *writer, uint32_t i)
{
    agpu_write_create_sampler(writer, i, AEROGPU_SAMPLER_FILTER_NEAREST, AEROGPU_SAMPLER_ADDRESS_REPEAT,
                              AEROGPU_SAMPLER_ADDRESS_REPEAT, AEROGPU_SAMPLER_ADDRESS_REPEAT);
}

static void write_shader(struct agpu_writer *writer, uint32_t i)
{
    char listing[256];
    snprintf(listing, sizeof listing,
             "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
             "mov o0.xyzw, l(%u.0, 1.0, 1.0, 1.0)\nret\n",
             i);
    host_assemble_shader(writer, i, AGPU_STREAM_STAGE_PIXEL, listing);
}

static const struct kind {
    const char *name;
    void (*write)(struct agpu_writer *writer, uint32_t i);
    uint32_t count;
} kinds[] = {
    {"queries",        write_query,        COUNT    },
    {"active queries", write_active_query, COUNT    },
    {"buffers",        write_buffer,       COUNT    },
    {"textures",       write_texture,      COUNT    },
    {"views",          write_view,         COUNT    },
    {"samplers",       write_sampler,      COUNT    },
    {"shaders",        write_shader,       COUNT / 8},
};

/* ---- The executor -------------------------------------------------------------------------------------- */

static uint32_t slice_us = 1;

static int open(uint64_t host_memory_bytes)
{
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .slice_us = slice_us,
        .turn_ms = AGPU_NO_TURN,
        .host_memory_bytes = host_memory_bytes,
    };
    const int opened = host_open_with(&host, driver, NULL, &options);
    if (opened == 0)
        host_reset(&host);
    return opened;
}

/* Polls until nothing is to be done. */
static void work(void)
{
    while (host.executor->poll(host.executor) || agpu_executor_has_more(host.executor))
        continue;
}

static void submit(struct agpu_writer *writer)
{
    host.last_error = UINT32_MAX;
    host_submit(&host, writer, NULL, 0);
}

/* Runs a stream to its end, which has no error. */
static void run(struct agpu_writer *writer)
{
    submit(writer);
    work();
    if (host.last_error)
        print_message("%s\n", host.first_message);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    agpu_writer_fini(writer);
}

static void make(const struct kind *kind, uint32_t count)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t i = 1; i <= count; i++)
        kind->write(&writer, i);
    run(&writer);
}

/* There is nothing of before: handles are free, and a frame is shown. */
static void show_frame(void)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_buffer(&writer, 1);
    agpu_write_destroy_resource(&writer, 1);
    host_write_frame(&writer, 1);
    run(&writer);
    assert_int_equal(host.diag_count, 0);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
}

/* Leaves an executor that has reset and has not freed much. Returns what there was. */
static uint64_t begin_reset(const struct kind *kind)
{
    assert_int_equal(open(0), 0);
    make(kind, kind->count);
    const uint64_t bytes = host_charged_bytes(&host);
    host_reset(&host);
    assert_true(agpu_executor_has_more(host.executor));
    assert_true(host_charged_bytes(&host) >= bytes / 2);
    return bytes;
}

/* ---- Resets -------------------------------------------------------------------------------------------- */

/* What is left stays charged, and each call frees a part of it. */
static void objects_are_freed_in_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const uint64_t bytes = begin_reset(&kinds[i]);
        uint64_t calls = 0, most = 0;
        for (uint64_t before = host_charged_bytes(&host), now; agpu_executor_has_more(host.executor);
             before = now) {
            assert_false(host.executor->poll(host.executor));
            now = host_charged_bytes(&host);
            assert_true(now <= before);
            most = before - now > most ? before - now : most;
            calls++;
        }
        print_message("%-14s %" PRIu64 " calls, at most %" PRIu64 " KiB in one\n", kinds[i].name, calls,
                      most / 1024);
        assert_int_equal(host_charged_bytes(&host), 0);
        assert_true(calls >= kinds[i].count / MOST_AT_ONCE);
        assert_true(most <= bytes / kinds[i].count * MOST_AT_ONCE);
        show_frame();
        host_close(&host);
    }
}

/* So many MiB of packets without a meaning. */
static void write_markers(struct agpu_writer *writer, uint32_t mebibytes)
{
    static char text[65536];
    memset(text, 'a', sizeof text - 1);
    for (uint64_t i = 0; i < mebibytes * MEBIBYTE / sizeof text; i++)
        agpu_write_debug_marker(writer, text);
}

/* A stream behind a reset has all memory for itself, and so has a submission that is large. */
static void memory_is_free_behind_a_reset(void **state)
{
    (void)state;
    struct agpu_writer writer;
    const uint32_t most = 3000; /* of 3,640 that nine tenths of the budget have */
    assert_int_equal(open(16 * MEBIBYTE), 0);
    for (uint32_t i = 0; i < 3; i++) {
        make(&kinds[0], most);
        host_reset(&host);
    }
    make(&kinds[0], most);
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    write_markers(&writer, 2);
    run(&writer);
    show_frame();
    host_close(&host);
}

/* A submission that is larger than the budget is refused, and waits for nothing that a reset has left. */
static void what_never_fits_frees_nothing(void **state)
{
    (void)state;
    struct agpu_writer writer;
    assert_int_equal(open(16 * MEBIBYTE), 0);
    make(&kinds[0], 3000);
    host_reset(&host);
    const uint64_t bytes = host_charged_bytes(&host);
    agpu_writer_init_growing(&writer, NULL);
    write_markers(&writer, 17);
    submit(&writer);
    agpu_writer_fini(&writer);
    assert_int_equal(host.last_error, AEROGPU_ERROR_INTERNAL);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_MEMORY);
    assert_true(host_charged_bytes(&host) >= bytes / 2);
    show_frame();
    host_close(&host);
}

/* So are streams that waited, and those that come meanwhile. */
static void streams_are_freed_in_parts(void **state)
{
    (void)state;
    enum { STREAMS = 20 };
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    assert_int_equal(open(0), 0);
    for (uint32_t resets = 0; resets < 3; resets++) {
        for (uint32_t i = 0; i < STREAMS; i++) {
            write_markers(&writer, 1);
            struct agpu_submission submission = host_prepare(&host, &writer, NULL, 0);
            submission.has_next = true;
            host.executor->submit(host.executor, &submission);
            agpu_writer_reset(&writer);
        }
        const uint64_t bytes = host_charged_bytes(&host);
        assert_true(bytes >= STREAMS * MEBIBYTE);
        host_reset(&host);
        assert_true(host_charged_bytes(&host) >= bytes - 2 * MEBIBYTE);
        host.executor->poll(host.executor);
        host.executor->poll(host.executor);
    }
    uint64_t most = 0;
    for (uint64_t before = host_charged_bytes(&host), now; agpu_executor_has_more(host.executor);
         before = now) {
        host.executor->poll(host.executor);
        now = host_charged_bytes(&host);
        most = before - now > most ? before - now : most;
    }
    assert_true(most <= 8 * MEBIBYTE);
    assert_int_equal(host_charged_bytes(&host), 0);
    assert_int_equal(host.completed_count, 0);
    show_frame();
    agpu_writer_fini(&writer);
    host_close(&host);
}

static void resets_follow_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const uint64_t bytes = begin_reset(&kinds[i]);
        for (uint32_t n = 0; n < 20; n++) {
            host.executor->poll(host.executor);
            host_reset(&host);
            assert_true(n != 0 || host_charged_bytes(&host) >= bytes / 2);
        }
        show_frame();
        make(&kinds[i], 100);
        host_reset(&host);
        show_frame();
        assert_int_equal(host_charged_bytes(&host), 0);
        host_close(&host);
    }
}

/* A reset frees all where slices have no end. */
static void resets_without_slices_free_all(void **state)
{
    (void)state;
    slice_us = AGPU_NO_SLICE;
    assert_int_equal(open(0), 0);
    slice_us = 1;
    make(&kinds[0], COUNT);
    host_reset(&host);
    assert_false(agpu_executor_has_more(host.executor));
    assert_int_equal(host_charged_bytes(&host), 0);
    show_frame();
    host_close(&host);
}

/* A handle of before the reset names no shader. */
static void handles_of_before_name_no_shader(void **state)
{
    (void)state;
    struct agpu_writer writer;
    assert_int_equal(open(0), 0);
    agpu_writer_init_growing(&writer, NULL);
    host_assemble_shader(&writer, 1, AGPU_STREAM_STAGE_VERTEX,
                         "vs_4_0\n.out SV_Position0 o0.xyzw float position\n"
                         "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    run(&writer);
    host_reset(&host);
    work();
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_bind_shaders(&writer, 1, 0, 0, 0);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    run(&writer);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_HANDLE);
    assert_int_equal(host_counters(&host).draws_skipped, 1);
    show_frame();
    host_close(&host);
}

static void executors_end_meanwhile(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        begin_reset(&kinds[i]);
        host.executor->poll(host.executor);
        host_close(&host);
    }
}

static void devices_are_lost_meanwhile(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (uint32_t resets = 0; resets < 2; resets++) {
            begin_reset(&kinds[i]);
            ag_gpu_abandon(host.gpu);
            host.executor->poll(host.executor);
            if (resets)
                host_reset(&host);
            work();
            assert_int_equal(host_charged_bytes(&host), 0);
            show_frame();
            host_close(&host);
        }
    }
}

/* The objects of a lost device are freed in parts, and another device comes when all are: for a submission
 * of another context that is there before, too. */
static void losses_free_in_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct agpu_writer writer;
        assert_int_equal(open(0), 0);
        make(&kinds[i], kinds[i].count);
        const uint64_t bytes = host_charged_bytes(&host);
        ag_gpu_abandon(host.gpu);
        assert_false(host.executor->poll(host.executor));
        assert_false(host.executor->ready(host.executor));
        assert_true(agpu_executor_has_more(host.executor));
        assert_true(host_charged_bytes(&host) >= bytes / 2);
        agpu_writer_init_growing(&writer, NULL);
        host.context_id = 2;
        host_write_frame(&writer, 1);
        run(&writer);
        assert_true(host.executor->ready(host.executor));
        assert_int_equal(host.diag_count, 0);
        assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
        assert_int_equal(host_charged_bytes(&host), 0);
        host_reset(&host);
        show_frame();
        host_close(&host);
    }
}

/* ---- Snapshots ----------------------------------------------------------------------------------------- */

static struct snapshot_bytes save(void)
{
    struct snapshot_bytes snapshot = {0};
    const struct agpu_snapshot_writer to = snapshot_bytes_writer(&snapshot);
    enum agpu_save_state saved;
    assert_int_equal(host.executor->save_begin(host.executor, &to), AGPU_OK);
    while ((saved = host.executor->save_poll(host.executor)) == AGPU_SAVE_BUSY)
        continue;
    assert_int_equal(saved, AGPU_SAVE_DONE);
    return snapshot;
}

static void load(const struct snapshot_bytes *snapshot)
{
    struct snapshot_bytes copied = *snapshot;
    const struct agpu_snapshot_reader from = snapshot_bytes_reader(&copied);
    assert_int_equal(host.executor->load(host.executor, &from), AGPU_OK);
}

/* Snapshots that are begun behind a reset have nothing of what it has left, and others are loaded there. */
static void snapshots_are_of_what_there_is(void **state)
{
    (void)state;
    struct snapshot_bytes full, empty, left;
    assert_int_equal(open(0), 0);
    empty = save();
    make(&kinds[0], 100);
    full = save();
    host_close(&host);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        begin_reset(&kinds[i]);
        left = save();
        assert_int_equal(left.size, empty.size);
        free(left.data);
        host_close(&host);
        begin_reset(&kinds[i]);
        load(&full);
        assert_true(host_charged_bytes(&host) >= 100 * (uint64_t)OBJECT_BYTES &&
                    host_charged_bytes(&host) < 200 * (uint64_t)OBJECT_BYTES);
        host_reset(&host);
        show_frame();
        host_close(&host);
    }
    free(empty.data);
    free(full.data);
}

/* ---- One by one ---------------------------------------------------------------------------------------- */

static void submit_text(const char *text)
{
    struct agpu_writer writer;
    uint8_t *stream;
    size_t size;
    assert_int_equal(agpu_text_assemble(text, strlen(text), NULL, NULL, &stream, &size), AGPU_OK);
    agpu_writer_init_growing(&writer, NULL);
    host.raw_stream = stream;
    host.raw_size = (uint32_t)size;
    submit(&writer);
    agpu_writer_fini(&writer);
    agpu_free(stream);
}

static void run_text(const char *text)
{
    submit_text(text);
    work();
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
}

/* Clears are predicated, and presents are not. */
static uint32_t clear_in(uint32_t context)
{
    host.context_id = context;
    run_text(
        "SET_RENDER_TARGETS colors=[1]\nCLEAR flags=COLOR color_rgba_f32=[0 1 0 1]\nPRESENT scanout_id=0\n");
    const uint32_t pixel = host_pixel(&host, 0, 0);
    host.context_id = 1;
    run_text("SET_RENDER_TARGETS colors=[1]\nCLEAR flags=COLOR color_rgba_f32=[1 0 0 1]\n");
    return pixel;
}

/* Contexts go on without a predicate that is destroyed, all of them, in parts. */
static void predicates_of_very_many_contexts(void **state)
{
    (void)state;
    enum { FIRST = 10, CONTEXTS = 6000 };
    uint32_t calls = 0;
    assert_int_equal(open(0), 0);
    run_text("CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=1 "
             "height=1 mip_levels=1 array_layers=1\n"
             "EXT_CREATE_QUERY object_handle=2 type=OCCLUSION_PREDICATE\n"
             "EXT_BEGIN_QUERY query_handle=2\nEXT_END_QUERY query_handle=2\n"
             "SET_RENDER_TARGETS colors=[1]\nCLEAR flags=COLOR color_rgba_f32=[1 0 0 1]\n");
    for (host.context_id = FIRST; host.context_id < FIRST + CONTEXTS; host.context_id++)
        run_text("EXT_SET_PREDICATION query_handle=2 value=0\n");
    assert_int_equal(clear_in(FIRST), 0xFF0000FF);
    assert_int_equal(clear_in(FIRST + CONTEXTS - 1), 0xFF0000FF);
    submit_text("EXT_DESTROY_OBJECT object_handle=2\n");
    while (host.executor->poll(host.executor))
        calls += agpu_executor_has_more(host.executor);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_true(calls >= CONTEXTS / 2048);
    for (uint32_t i = 0; i < CONTEXTS; i += 499)
        assert_int_equal(clear_in(FIRST + i), 0x00FF00FF);
    host_close(&host);
}

/* The C library merges small blocks that were freed all at once, and therefore often. */
static void small_blocks_are_merged(void **state)
{
    (void)state;
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    struct agpu_writer writer;
    size_t most = 0;
    assert_int_equal(open(0), 0);
    make(&kinds[0], 20000);
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t i = 1; i <= 20000; i++) {
        const struct aerogpu_cmd_ext_destroy_object destroy = {.object_handle = i};
        agpu_write_packet(&writer, AEROGPU_CMD_EXT_DESTROY_OBJECT, &destroy, sizeof destroy, NULL, 0);
    }
    const size_t before = mallinfo2().fsmblks; /* those of all threads */
    submit(&writer);
    while (host.executor->poll(host.executor)) {
        const size_t unmerged = mallinfo2().fsmblks;
        most = unmerged > before + most ? unmerged - before : most;
    }
    print_message("at most %zu bytes of small blocks\n", most);
    assert_true(most <= 64 * 1024);
    agpu_writer_fini(&writer);
    host_close(&host);
#else
    skip();
#endif
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_freed_in_parts),
        cmocka_unit_test(memory_is_free_behind_a_reset),
        cmocka_unit_test(what_never_fits_frees_nothing),
        cmocka_unit_test(streams_are_freed_in_parts),
        cmocka_unit_test(resets_follow_each_other),
        cmocka_unit_test(resets_without_slices_free_all),
        cmocka_unit_test(handles_of_before_name_no_shader),
        cmocka_unit_test(executors_end_meanwhile),
        cmocka_unit_test(devices_are_lost_meanwhile),
        cmocka_unit_test(losses_free_in_parts),
        cmocka_unit_test(snapshots_are_of_what_there_is),
        cmocka_unit_test(predicates_of_very_many_contexts),
        cmocka_unit_test(small_blocks_are_merged),
    };
    if (argc < 2)
        return 1;
    driver = argv[1];
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    const int opened = open(0);
    if (opened != 0)
        return opened;
    host_close(&host);
    host_leave(cmocka_run_group_tests_name("exec/resets", tests, NULL, NULL));
}
