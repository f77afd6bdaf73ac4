/* SPDX-License-Identifier: MIT
 *
 * Work in slices: a call gives the thread back with work left, later calls go on, and nothing of the result
 * changes. Write-backs of a stream that has very many are delivered while the stream still runs.
 */
#include "../../support/test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../support/snapshot_bytes.h"
#include "aerogpu/abi/ext.h"
#include "host.h"

enum {
    TARGET = 1,
    SOURCE,
    BACKED,
    VERTEX_SHADER,
    GEOMETRY_SHADER,
    PIXEL_SHADER,
    STEPS = 400,
    LONG_STREAM = 1000 * STEPS
};

#define LONG_TURN_MS 2000
#define BUDGET (UINT64_C(32) << 20)

static struct host host;

/* Clears a target of one pixel STEPS times; the last clear is to `red`. */
static void write_clears(struct agpu_writer *writer, float red)
{
    for (uint32_t i = 1; i <= STEPS; i++)
        agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, (const float[4]){i == STEPS ? red : 0.5f, 0, 0, 1}, 1,
                         0);
    agpu_write_present(writer, 0, 0);
}

static struct agpu_writer begin(void)
{
    struct agpu_writer writer;
    const uint32_t target = TARGET;
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       1, 1);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    return writer;
}

/* Polls to the end. Returns how many polls found work left that needs no GPU. */
static uint32_t poll_to_the_end(void)
{
    uint32_t more = 0;
    do
        more += agpu_executor_has_more(host.executor);
    while (host.executor->poll(host.executor));
    assert_false(agpu_executor_has_more(host.executor));
    return more;
}

static void gives_the_thread_back(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    write_clears(&writer, 1);
    host_submit(&host, &writer, NULL, 0);
    assert_int_equal(host.completed_count, 0);
    assert_true(agpu_executor_has_more(host.executor));
    write_clears(&writer, 0);
    host_submit(&host, &writer, NULL, 0);
    assert_true(poll_to_the_end() > 10);
    assert_int_equal(host.completed_count, 2);
    assert_int_equal(host.last_completed, 1);
    assert_int_equal(host.present_count, 2);
    assert_int_equal(host_pixel(&host, 0, 0), 0x000000FF);
    assert_int_equal(host_counters(&host).clears, 2 * STEPS);
    agpu_writer_fini(&writer);
}

static uint32_t more_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Streams that end within a slice: a call does not run, or complete, all that have come in. */
static void queues_are_run_in_parts(void **state)
{
    (void)state;
    enum { QUEUED = 1000, MOST_IN_A_CALL = QUEUED / 10 };
    struct agpu_writer writer = begin();
    host_write_frame(&writer, SOURCE);
    for (uint32_t i = 1; i <= QUEUED; i++) {
        struct agpu_submission submission = host_prepare(&host, &writer, NULL, 0);
        submission.has_next = true;
        host.executor->submit(host.executor, &submission);
        agpu_writer_reset(&writer);
        host.context_id++;
        agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_POINTLIST);
    }
    uint32_t most_run = 0, most_completed = 0;
    for (bool is_busy = true; is_busy;) {
        const uint64_t packets = host_counters(&host).packets;
        const uint32_t completed = host.completed_count;
        is_busy = host.executor->poll(host.executor);
        most_run = more_of(most_run, (uint32_t)(host_counters(&host).packets - packets));
        most_completed = more_of(most_completed, host.completed_count - completed);
    }
    assert_int_equal(host.completed_count, QUEUED);
    assert_int_equal(host.last_completed, QUEUED - 1);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_int_equal(host.present_count, 1);
    assert_in_range(most_run, 1, MOST_IN_A_CALL);
    assert_in_range(most_completed, 1, MOST_IN_A_CALL);
    agpu_writer_fini(&writer);
}

static void reset_drops_what_is_left(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    write_clears(&writer, 1);
    host_submit(&host, &writer, NULL, 0);
    assert_true(agpu_executor_has_more(host.executor));
    host_reset(&host);
    do
        assert_false(host.executor->poll(host.executor));
    while (agpu_executor_has_more(host.executor)); /* objects are freed in parts */
    assert_int_equal(host.completed_count, 0);
    agpu_writer_fini(&writer);
}

/* Draws a white point through a geometry shader that may emit too many vertices for the vertex shader. */
static void write_expanded_draw(struct agpu_writer *writer)
{
    host_assemble_shader(writer, VERTEX_SHADER, AGPU_STREAM_STAGE_VERTEX,
                         "vs_4_0\n.out SV_Position0 o0.xyzw float position\n"
                         "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    host_assemble_shader(writer, GEOMETRY_SHADER, AGPU_STREAM_STAGE_GEOMETRY,
                         "gs_4_0\n.in SV_Position0 v0.xyzw float position\n"
                         ".out SV_Position0 o0.xyzw float position\n"
                         "dcl_input_siv v[1][0].xyzw, position\ndcl_inputprimitive point\n"
                         "dcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\ndcl_maxout 9\n"
                         "mov o0.xyzw, v[0][0].xyzw\nemit\nret\n");
    host_assemble_shader(writer, PIXEL_SHADER, AGPU_STREAM_STAGE_PIXEL,
                         "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
                         "mov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n");
    agpu_write_bind_shaders(writer, VERTEX_SHADER, PIXEL_SHADER, 0, GEOMETRY_SHADER);
    agpu_write_set_viewport(writer, 0, 0, 1, 1, 0, 1);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_POINTLIST);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 0, 0, 1}, 1, 0);
    agpu_write_draw(writer, 1, 1, 0, 0);
}

/* What the reset drops was recorded for the draw, and is recorded again for the next one of its kind. */
static void reset_drops_lists_of_expanded_draws(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    write_expanded_draw(&writer);
    write_clears(&writer, 1);
    host_submit(&host, &writer, NULL, 0);
    while (host_counters(&host).draws == 0)
        assert_true(host.executor->poll(host.executor));
    assert_int_equal(host.completed_count, 0);
    agpu_writer_fini(&writer);
    writer = begin(); /* with a reset */
    write_expanded_draw(&writer);
    agpu_write_present(&writer, 0, 0);
    host_submit(&host, &writer, NULL, 0);
    poll_to_the_end();
    assert_int_equal(host_pixel(&host, 0, 0), 0xFFFFFFFF);
    agpu_writer_fini(&writer);
}

/* Copies word i to offset 4 * i of guest memory, each copy with a write-back of its own. */
static void write_word_copies(struct agpu_writer *writer, uint32_t words, uint32_t first)
{
    agpu_write_create_buffer(writer, SOURCE, AEROGPU_RESOURCE_USAGE_STORAGE, words * 4, 0, 0);
    agpu_write_create_buffer(writer, BACKED, AEROGPU_RESOURCE_USAGE_STORAGE, words * 4, 1, 0);
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t word = first + i;
        agpu_write_upload_resource(writer, SOURCE, i * UINT64_C(4), &word, sizeof word);
    }
    for (uint32_t i = 0; i < words; i++)
        agpu_write_copy_buffer(writer, BACKED, i * UINT64_C(4), SOURCE, i * UINT64_C(4), 4,
                               AEROGPU_COPY_FLAG_WRITEBACK_DST);
    agpu_write_destroy_resource(writer, SOURCE);
    agpu_write_destroy_resource(writer, BACKED);
}

static void delivers_write_backs_of_running_streams(void **state)
{
    (void)state;
    enum { WORDS = 3000, STREAMS = 3 };
    struct agpu_writer writer = begin();
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 1, .gpa = GUEST_BASE, .size_bytes = 65536};
    for (uint32_t i = 0; i < STREAMS; i++) {
        write_word_copies(&writer, WORDS, 1 + i * WORDS);
        agpu_write_present(&writer, 0, 0);
        host_submit(&host, &writer, &allocation, 1);
        if (i == 0) /* submitted and not recorded, since read-backs of more than 1,024 words wait */
            assert_int_equal(host.completed_count, 0);
    }
    poll_to_the_end();
    assert_int_equal(host.completed_count, STREAMS);
    assert_int_equal(host.last_completed, STREAMS - 1);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_int_equal(host.present_count, STREAMS);
    assert_true(host_counters(&host).streams_paused >= STREAMS * (WORDS / 1024));
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t word;
        memcpy(&word, host.guest + i * sizeof word, sizeof word);
        assert_int_equal(word, 1 + (STREAMS - 1) * WORDS + i);
    }
    agpu_writer_fini(&writer);
}

static void reset_drops_write_backs_of_running_streams(void **state)
{
    (void)state;
    enum { WORDS = 3000 };
    struct agpu_writer writer = begin();
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 1, .gpa = GUEST_BASE, .size_bytes = 65536};
    write_word_copies(&writer, WORDS, 1);
    host_submit(&host, &writer, &allocation, 1);
    while (host_counters(&host).streams_paused == 0)
        host.executor->poll(host.executor);
    host_reset(&host);
    assert_false(host.executor->poll(host.executor));
    assert_int_equal(host.completed_count, 0);
    agpu_writer_fini(&writer);
}

/* A guest that makes and destroys buffers without end gets them all: a stream waits until the GPU has let go
 * of what was destroyed. */
static void memory_comes_back(void **state)
{
    (void)state;
    enum { BUFFERS = 64 };
    struct agpu_writer writer = begin();
    for (uint32_t i = 0; i < BUFFERS; i++) {
        agpu_write_create_buffer(&writer, SOURCE, AEROGPU_RESOURCE_USAGE_STORAGE, BUDGET / 3, 0, 0);
        agpu_write_create_buffer(&writer, BACKED, AEROGPU_RESOURCE_USAGE_STORAGE, BUDGET / 3, 0, 0);
        agpu_write_copy_buffer(&writer, BACKED, 0, SOURCE, 0, BUDGET / 3 / 4 * 4, 0);
        agpu_write_destroy_resource(&writer, SOURCE);
        agpu_write_destroy_resource(&writer, BACKED);
    }
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    assert_true(host_counters(&host).streams_paused > BUFFERS / 2);
    agpu_writer_fini(&writer);
}

/* The creation that exceeds the budget is refused, and so are small objects without end. */
static void memory_is_bounded(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    agpu_write_create_buffer(&writer, SOURCE, AEROGPU_RESOURCE_USAGE_STORAGE, BUDGET / 3, 0, 0);
    agpu_write_create_buffer(&writer, BACKED, AEROGPU_RESOURCE_USAGE_STORAGE, BUDGET, 0, 0);
    write_clears(&writer, 1);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_MEMORY);
    assert_int_equal(host.first_packet, 3);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
    for (uint32_t i = 0; i < BUDGET / 4096; i++)
        agpu_write_create_buffer(&writer, 100 + i, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_MEMORY);
    host_reset(&host);
    host_run_ok(&host, &writer);
    agpu_writer_fini(&writer);
}

static void add_hangs(void *user, const struct agpu_context_counters *counters)
{
    if (counters->context_id == 1)
        *(uint64_t *)user = counters->hangs;
}

/* Clears that take longer than a turn. */
static void submit_long(struct agpu_writer *writer)
{
    const uint32_t target = TARGET;
    agpu_write_set_render_targets(writer, 1, &target, 0);
    for (uint32_t i = 0; i < LONG_STREAM / STEPS; i++)
        write_clears(writer, 1);
    host_submit(&host, writer, NULL, 0);
}

static void submit_short(struct agpu_writer *writer)
{
    const uint32_t target = TARGET;
    agpu_write_set_render_targets(writer, 1, &target, 0);
    write_clears(writer, 0.2f);
    host_submit(&host, writer, NULL, 0);
}

/* The executor goes on from its own snapshot. */
static void save_and_load(void)
{
    struct snapshot_bytes snapshot = {0};
    const struct agpu_snapshot_writer to = snapshot_bytes_writer(&snapshot);
    assert_int_equal(host.executor->save_begin(host.executor, &to), AGPU_OK);
    enum agpu_save_state saved;
    do
        saved = host.executor->save_poll(host.executor);
    while (saved == AGPU_SAVE_BUSY);
    assert_int_equal(saved, AGPU_SAVE_DONE);
    host.executor->reset(host.executor);
    const struct agpu_snapshot_reader from = snapshot_bytes_reader(&snapshot);
    assert_int_equal(host.executor->load(host.executor, &from), AGPU_OK);
    free(snapshot.data);
}

static void a_turn_ends_while_others_wait(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    submit_long(&writer);
    poll_to_the_end();
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_int_equal(host.present_count, LONG_STREAM / STEPS);
    submit_long(&writer);
    host.context_id = 2;
    submit_short(&writer);
    poll_to_the_end();
    uint64_t hangs = 0;
    agpu_executor_visit_contexts(host.executor, add_hangs, &hangs);
    assert_int_equal(hangs, 1);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_TIME);
    assert_int_equal(host.completed_count, 3);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_true(host.present_count < 2 * LONG_STREAM / STEPS);
    assert_int_equal(host_pixel(&host, 0, 0), 0x330000FF);
    host.context_id = 1;
    submit_short(&writer);
    poll_to_the_end();
    assert_int_equal(host.last_error, AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_TIME);
    save_and_load();
    submit_short(&writer);
    poll_to_the_end();
    assert_int_equal(host.last_error, AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_TIME);
    const struct aerogpu_cmd_ext_destroy_context end = {.context_id = 1};
    host.context_id = 2;
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_DESTROY_CONTEXT, &end, sizeof end, NULL, 0);
    host_run_ok(&host, &writer);
    host.context_id = 1;
    submit_short(&writer);
    poll_to_the_end();
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    agpu_writer_fini(&writer);
}

/* The stream makes and destroys an object, which takes long, and comes so often that the turn of its context
 * ends in between. Of what is made in part, nothing is left that a snapshot could not tell. */
static void end_turn_in_creation(struct agpu_writer *creation)
{
    enum { TIMES = 60 };
    struct agpu_writer writer = begin();
    uint64_t hangs = 0;
    host_run_ok(&host, &writer);
    assert_int_equal(agpu_writer_finish(creation), AGPU_OK);
    for (uint32_t i = 0; i < TIMES; i++) {
        host.raw_stream = creation->data;
        host.raw_size = (uint32_t)creation->size;
        host_submit(&host, &writer, NULL, 0);
    }
    host.context_id = 2;
    submit_short(&writer);
    poll_to_the_end();
    agpu_executor_visit_contexts(host.executor, add_hangs, &hangs);
    assert_int_equal(hangs, 1);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    save_and_load();
    submit_short(&writer);
    poll_to_the_end();
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    agpu_writer_fini(&writer);
}

static void textures_in_part_end_with_their_context(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    /* DXGI_FORMAT_R8G8_B8G8_UNORM, which is decoded */
    host_write_ext_texture(&writer, SOURCE, AEROGPU_EXT_FORMAT_BASE | 68, 2048, 2048,
                           AEROGPU_EXT_BIND_SHADER_RESOURCE);
    agpu_write_destroy_resource(&writer, SOURCE);
    end_turn_in_creation(&writer);
    agpu_writer_fini(&writer);
}

static void lists_in_part_end_with_their_context(void **state)
{
    (void)state;
    enum { BYTES = 8 << 20 };
    const size_t head = sizeof(struct aerogpu_cmd_stream_header);
    const struct aerogpu_cmd_ext_create_command_list list = {.object_handle = SOURCE};
    const struct aerogpu_cmd_ext_destroy_object destroy = {.object_handle = SOURCE};
    struct agpu_writer writer, packets;
    uint8_t *bytes = calloc(1, BYTES);
    assert_non_null(bytes);
    agpu_writer_init_growing(&packets, NULL);
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_upload_resource(&packets, TARGET, 0, bytes, BYTES);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_COMMAND_LIST, &list, sizeof list, packets.data + head,
                      packets.size - head);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_DESTROY_OBJECT, &destroy, sizeof destroy, NULL, 0);
    end_turn_in_creation(&writer);
    free(bytes);
    agpu_writer_fini(&packets);
    agpu_writer_fini(&writer);
}

/* Longer than a turn. */
static void present_slowly(void *user)
{
    struct host *presented = user;
    presented->presented = NULL;
    nanosleep(&(struct timespec){.tv_sec = LONG_TURN_MS / 1000, .tv_nsec = 500000000}, NULL);
}

static void see_turns(void *user, const struct agpu_context_counters *counters)
{
    if (counters->context_id < 4)
        ((struct agpu_context_counters *)user)[counters->context_id] = *counters;
}

/* Delivering the picture of context 1 takes longer than a turn, while context 2 waits for the delivery of
 * read-backs, and context 3 for context 2. */
static void deliveries_count_for_those_who_ordered_them(void **state)
{
    (void)state;
    enum { WORDS = 3000 };
    struct agpu_context_counters seen[4] = {{0}};
    struct agpu_writer writer = begin();
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 1, .gpa = GUEST_BASE, .size_bytes = 65536};
    host.presented = present_slowly;
    submit_short(&writer);
    host.context_id = 2;
    write_word_copies(&writer, WORDS, 1);
    host_submit(&host, &writer, &allocation, 1);
    host.context_id = 3;
    submit_short(&writer);
    poll_to_the_end();
    assert_null(host.presented);
    assert_int_equal(host.completed_count, 3);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_int_equal(host.diag_count, 0);
    agpu_executor_visit_contexts(host.executor, see_turns, seen);
    assert_int_equal(seen[2].hangs, 0);
    assert_true(seen[1].longest_turn_ns >= LONG_TURN_MS * UINT64_C(1000000));
    for (host.context_id = 1; host.context_id <= 3; host.context_id++) {
        submit_short(&writer);
        poll_to_the_end();
        assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    }
    agpu_writer_fini(&writer);
}

static int open_with(const char *driver, uint32_t turn_ms)
{
    const struct agpu_executor_options options = {
        .size = sizeof options, .slice_us = 1, .gpu_memory_bytes = BUDGET, .turn_ms = turn_ms};
    return host_open_with(&host, driver, NULL, &options);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_thread_back),
        cmocka_unit_test(queues_are_run_in_parts),
        cmocka_unit_test(reset_drops_what_is_left),
        cmocka_unit_test(reset_drops_lists_of_expanded_draws),
        cmocka_unit_test(delivers_write_backs_of_running_streams),
        cmocka_unit_test(reset_drops_write_backs_of_running_streams),
        cmocka_unit_test(memory_comes_back),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(a_turn_ends_while_others_wait),
        cmocka_unit_test(textures_in_part_end_with_their_context),
        cmocka_unit_test(lists_in_part_end_with_their_context),
    };
    const struct CMUnitTest long_turns[] = {
        cmocka_unit_test(deliveries_count_for_those_who_ordered_them),
    };
    if (argc != 2)
        return 1;
    const int opened = open_with(argv[1], 20);
    if (opened != 0)
        return opened;
    int failed = cmocka_run_group_tests_name("exec/slices", tests, NULL, NULL);
    host_close(&host);
    if (failed == 0)
        failed = open_with(argv[1], LONG_TURN_MS);
    if (failed == 0) {
        failed = cmocka_run_group_tests_name("exec/slices, long turns", long_turns, NULL, NULL);
        host_close(&host);
    }
    return failed;
}
