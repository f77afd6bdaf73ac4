/* SPDX-License-Identifier: MIT
 *
 * Pipelines are made while the executor goes on: a stream pauses at the draw or dispatch that needs one, and
 * what it does then does not depend on how long that takes. A pipeline that takes too long is refused.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "host.h"

enum { BUFFER = 1, SHADER, OTHER };

static struct host host;

/* Adds `add` to the first word of u0. */
static void write_shader(struct agpu_writer *writer, uint32_t handle, const char *add)
{
    char listing[512] = "cs_5_0\ndcl_uav_raw u0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
                        "ld_raw r0.x, l(0), u0.xxxx\niadd r0.x, r0.x, l(";
    strncat(listing, add, 8);
    strcat(listing, ")\nstore_raw u0.x, l(0), r0.x\nret\n");
    host_assemble_shader(writer, handle, AGPU_STREAM_STAGE_COMPUTE, listing);
}

static void write_dispatch(struct agpu_writer *writer, uint32_t shader)
{
    agpu_write_bind_shaders(writer, 0, 0, shader, 0);
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
}

static struct agpu_writer begin(void)
{
    return host_begin_storing(&host, BUFFER);
}

static const struct aerogpu_alloc_entry allocation = {.alloc_id = 1, .gpa = GUEST_BASE, .size_bytes = 4096};

static uint32_t word(void)
{
    uint32_t value;
    memcpy(&value, host.guest, sizeof value);
    return value;
}

static void write_read_back(struct agpu_writer *writer)
{
    agpu_write_create_buffer(writer, OTHER + 1, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 1, 0);
    agpu_write_copy_buffer(writer, OTHER + 1, 0, BUFFER, 0, 4, AEROGPU_COPY_FLAG_WRITEBACK_DST);
    agpu_write_destroy_resource(writer, OTHER + 1);
}

/* Each dispatch happens once and in its place, and is counted once. */
static void packets_happen_once(void **state)
{
    struct agpu_writer writer = begin();
    (void)state;
    write_shader(&writer, SHADER, "10");
    write_shader(&writer, OTHER, "100");
    write_dispatch(&writer, SHADER);
    write_dispatch(&writer, OTHER);
    write_dispatch(&writer, SHADER);
    write_read_back(&writer);
    const uint32_t packets = 3 + 2 + 6 + 3;
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(word(), 121);
    const struct agpu_counters counts = host_counters(&host);
    assert_int_equal(counts.packets, packets);
    assert_int_equal(counts.dispatches, 3);
    assert_int_equal(counts.pipelines, 2);
    assert_int_equal(counts.pipeline_hits, 1);
    assert_true(counts.pipeline_ns > 0);
    agpu_writer_fini(&writer);
}

/* The call that needs a new pipeline comes back before the pipeline is made, and its stream goes on later. */
static void submit_does_not_wait(void **state)
{
    struct agpu_writer writer = begin();
    (void)state;
    write_shader(&writer, SHADER, "5");
    write_dispatch(&writer, SHADER);
    write_read_back(&writer);
    host_submit(&host, &writer, &allocation, 1);
    assert_int_equal(host_counters(&host).dispatches, 0);
    assert_int_equal(host.completed_count, 0);
    host_wait(&host);
    assert_int_equal(host_counters(&host).dispatches, 1);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_int_equal(word(), 6);
    agpu_writer_fini(&writer);
}

/* Drops a stream that pauses, with its shader. */
static void reset_while_compiling(void **state)
{
    struct agpu_writer writer = begin();
    (void)state;
    write_shader(&writer, SHADER, "7");
    write_dispatch(&writer, SHADER);
    host_submit(&host, &writer, &allocation, 1);
    host_reset(&host);
    assert_false(host.executor->poll(host.executor));
    assert_int_equal(host.completed_count, 0);
    agpu_writer_fini(&writer);
}

/* Destroys the shader behind the dispatch that needs it, in the same stream. */
static void shaders_die_behind_their_dispatch(void **state)
{
    struct agpu_writer writer = begin();
    (void)state;
    write_shader(&writer, SHADER, "9");
    write_dispatch(&writer, SHADER);
    agpu_write_destroy_shader(&writer, SHADER);
    write_read_back(&writer);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(word(), 10);
    agpu_writer_fini(&writer);
}

/* A shader that takes every driver longer than a millisecond. */
static void write_slow_shader(struct agpu_writer *writer, int lines)
{
    enum { MOST_LINES = 500, LINE = 64 };
    static char listing[MOST_LINES * LINE + 512];
    char *end = listing + sprintf(listing, "cs_5_0\ndcl_uav_raw u0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
                                           "ld_raw r0.x, l(0), u0.xxxx\n");
    assert_true(lines <= MOST_LINES);
    for (int i = 0; i < lines; i++)
        end += sprintf(end, "imad r0.x, r0.x, l(%d), l(%d)\n", 3 + 2 * i, i);
    strcpy(end, "store_raw u0.x, l(0), r0.x\nret\n");
    host_assemble_shader(writer, SHADER, AGPU_STREAM_STAGE_COMPUTE, listing);
}

static void slow_pipelines_are_refused(void **state)
{
    struct agpu_writer writer = begin();
    (void)state;
    write_slow_shader(&writer, 500);
    write_dispatch(&writer, SHADER);
    write_read_back(&writer);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_COMPILE);
    assert_string_equal(host.first_packet_name, "DISPATCH");
    assert_string_equal(host.first_message, "a pipeline cs 2 is not compiled after 1 ms");
    assert_int_equal(word(), 1); /* the stream went on */
    assert_int_equal(host_counters(&host).dispatches, 0);
    write_dispatch(&writer, SHADER);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_COMPILE);
    agpu_writer_fini(&writer);
}

/* What write_slow_shader() makes of 1. */
static uint32_t slow_value(int lines)
{
    uint32_t value = 1;
    for (int i = 0; i < lines; i++)
        value = value * (uint32_t)(3 + 2 * i) + (uint32_t)i;
    return value;
}

/* A dispatch whose pipeline makes another context wait for longer than a turn is skipped, and the context
 * lives on: the pipeline is there when it is made, while nobody waits. Where the driver was faster than a
 * turn, nothing was skipped. */
static void others_do_not_wait_for_pipelines(void **state)
{
    enum { LINES = 500 };
    struct agpu_writer writer = begin();
    (void)state;
    write_slow_shader(&writer, LINES);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    const uint32_t completed = host.completed_count;
    write_dispatch(&writer, SHADER);
    host_submit(&host, &writer, &allocation, 1);
    const bool is_made = host.completed_count > completed;
    host.context_id = 2;
    agpu_write_create_buffer(&writer, OTHER, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 0, 0);
    host_submit(&host, &writer, NULL, 0);
    host_wait(&host);
    assert_int_equal(host.completed_count, completed + 2);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    const bool is_skipped = host.diag_count > 0;
    assert_true(!is_skipped || (!is_made && host.first_diag == AGPU_DIAG_EXEC_COMPILE));
    host.context_id = 1;
    if (is_skipped)
        write_dispatch(&writer, SHADER);
    write_read_back(&writer);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(word(), slow_value(LINES));
    print_message("a dispatch was %s\n", is_skipped ? "skipped" : "made in time");
    agpu_writer_fini(&writer);
}

static int open_with(const char *driver, uint32_t pipeline_timeout_ms, uint32_t turn_ms)
{
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .slice_us = AGPU_NO_SLICE,
        .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT,
        .pipeline_timeout_ms = pipeline_timeout_ms,
        .turn_ms = turn_ms,
    };
    return host_open_with(&host, driver, NULL, &options);
}

static const struct CMUnitTest patient[] = {
    cmocka_unit_test(packets_happen_once),
    cmocka_unit_test(submit_does_not_wait),
    cmocka_unit_test(reset_while_compiling),
    cmocka_unit_test(shaders_die_behind_their_dispatch),
};
static const struct CMUnitTest impatient[] = {cmocka_unit_test(slow_pipelines_are_refused)};
static const struct CMUnitTest shared[] = {cmocka_unit_test(others_do_not_wait_for_pipelines)};

/* Slices have no end, so that only waits count for turns. */
static const struct {
    uint32_t pipeline_timeout_ms, turn_ms;
    const struct CMUnitTest *tests;
    size_t count;
} groups[] = {
    {AGPU_NO_PIPELINE_TIMEOUT, AGPU_NO_TURN, patient,   sizeof patient / sizeof patient[0]    },
    {1,                        AGPU_NO_TURN, impatient, sizeof impatient / sizeof impatient[0]},
    {AGPU_NO_PIPELINE_TIMEOUT, 2,            shared,    sizeof shared / sizeof shared[0]      },
};

int main(int argc, char **argv)
{
    int result = 0;
    if (argc != 2)
        return 2;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0] && result == 0; i++) {
        result = open_with(argv[1], groups[i].pipeline_timeout_ms, groups[i].turn_ms);
        if (result != 0)
            return result;
        result = _cmocka_run_group_tests("exec/pipelines", groups[i].tests, groups[i].count, NULL, NULL);
        host_close(&host);
    }
    return result;
}
