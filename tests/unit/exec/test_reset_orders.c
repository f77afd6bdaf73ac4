/* SPDX-License-Identifier: MIT
 *
 * Frames, polls, resets, snapshots and lost devices in random order, in slices of one part each. Behind the
 * last reset there is nothing left of before, and a frame is right.
 */
#include "../../support/test.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../fuzz/random.h"
#include "../../support/snapshot_bytes.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/text.h"
#include "base/diag.h"
#include "gpu/gpu.h"
#include "host.h"

#define SEEDS 6
#define STEPS 120
#define MEBIBYTE (UINT64_C(1) << 20)
/* Calls that are far more than what a test asks for takes. */
#define MOST_CALLS UINT64_C(20000000)

static const char *driver;
static struct host host;
static uint64_t random_state;
static bool resets_in_present;
static struct {
    uint32_t resets, saves, loads, losses;
} done;

static uint32_t below(uint32_t count)
{
    return next_random(&random_state) % count;
}

static void reset(void)
{
    host.executor->reset(host.executor);
    done.resets++;
}

static void on_presented(void *user)
{
    (void)user;
    if (!resets_in_present)
        return;
    resets_in_present = false;
    reset();
}

/* ---- Frames -------------------------------------------------------------------------------------------- */

struct text {
    char bytes[4096];
    size_t size;
};

static void add(struct text *text, const char *format, ...) AG_PRINTF(2, 3);

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text->bytes + text->size, sizeof text->bytes - text->size, format, arguments);
    va_end(arguments);
    assert_in_range(size, 1, sizeof text->bytes - text->size - 1);
    text->size += (size_t)size;
}

static void submit_text(const struct text *text)
{
    struct agpu_writer writer;
    uint8_t *stream;
    size_t size;
    assert_int_equal(agpu_text_assemble(text->bytes, text->size, NULL, NULL, &stream, &size), AGPU_OK);
    agpu_writer_init_growing(&writer, NULL);
    struct agpu_submission submission = host_prepare(&host, &writer, NULL, 0);
    submission.stream = stream;
    submission.stream_size = (uint32_t)size;
    submission.has_next = below(2);
    host.executor->submit(host.executor, &submission);
    agpu_writer_fini(&writer);
    agpu_free(stream);
}

static void submit(struct agpu_writer *writer)
{
    struct agpu_submission submission = host_prepare(&host, writer, NULL, 0);
    submission.has_next = below(2);
    host.executor->submit(host.executor, &submission);
    agpu_writer_fini(writer);
}

/* A texture, some views, an alias that may outlive the handle it was made of, active queries and a handle
 * that is refused. */
static void submit_objects(uint32_t first)
{
    static const char target[] = "CREATE_TEXTURE2D texture_handle=%u usage_flags=RENDER_TARGET "
                                 "format=R8G8B8A8_UNORM width=%u height=16 "
                                 "mip_levels=1 array_layers=1\n";
    struct text text = {.size = 0};
    add(&text, target, first, 16);
    for (uint32_t i = below(6); i > 0; i--)
        add(&text,
            "CREATE_TEXTURE_VIEW view_handle=%u texture_handle=%u format=R8G8B8A8_UNORM mip_level_count=1 "
            "array_layer_count=1\n",
            first + 10 + i, first);
    add(&text, "EXPORT_SHARED_SURFACE resource_handle=%u share_token=%u\n", first, first + 1);
    add(&text, "IMPORT_SHARED_SURFACE out_resource_handle=%u share_token=%u\n", first + 30, first + 1);
    if (below(2))
        add(&text, "DESTROY_RESOURCE resource_handle=%u\n", first);
    add(&text, "EXT_CREATE_QUERY object_handle=%u type=OCCLUSION_PREDICATE\n", first + 40);
    add(&text, "EXT_CREATE_QUERY object_handle=%u type=PIPELINE_STATISTICS\n", first + 41);
    add(&text, "EXT_BEGIN_QUERY query_handle=%u\nEXT_BEGIN_QUERY query_handle=%u\n", first + 40, first + 41);
    add(&text, target, first + 60, 90000);
    submit_text(&text);
}

/* Shaders that other frames have, too, and a draw without a target. */
static void submit_draw(uint32_t first)
{
    struct agpu_writer writer;
    char listing[256];
    agpu_writer_init_growing(&writer, NULL);
    host_assemble_shader(
        &writer, first + 2, AGPU_STREAM_STAGE_VERTEX,
        "vs_5_0\n.out SV_Position0 o0.xyzw float position\ndcl_output_siv o0.xyzw, position\n"
        "mov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    snprintf(listing, sizeof listing,
             "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
             "mov o0.xyzw, l(%u.0, 1.0, 1.0, 1.0)\nret\n",
             below(4));
    host_assemble_shader(&writer, first + 3, AGPU_STREAM_STAGE_PIXEL, listing);
    if (below(2))
        host_assemble_shader(&writer, first + 4, AGPU_STREAM_STAGE_PIXEL, listing);
    agpu_write_bind_shaders(&writer, first + 2, first + 3, 0, 0);
    agpu_write_set_viewport(&writer, 0, 0, (float)(1 + below(64)), (float)(1 + below(64)), 0, 1);
    agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_POINTLIST);
    agpu_write_draw(&writer, 1, 1, 0, 0);
    agpu_write_create_sampler(&writer, first + 50, AEROGPU_SAMPLER_FILTER_NEAREST,
                              AEROGPU_SAMPLER_ADDRESS_REPEAT, AEROGPU_SAMPLER_ADDRESS_REPEAT,
                              AEROGPU_SAMPLER_ADDRESS_REPEAT);
    submit(&writer);
}

/* Draws the alias, under the query and perhaps predicated by its result, and a command list, and presents. */
static void submit_present(uint32_t first)
{
    struct text text = {.size = 0};
    add(&text, "SET_RENDER_TARGETS colors=[%u]\nDRAW vertex_count=1 instance_count=1\n", first + 30);
    add(&text, "EXT_END_QUERY query_handle=%u\n", first + 40);
    if (below(2))
        add(&text, "EXT_SET_PREDICATION query_handle=%u value=%u\nDRAW vertex_count=1 instance_count=1\n",
            first + 40, below(2));
    add(&text,
        "EXT_CREATE_COMMAND_LIST object_handle=%u {\n SET_RENDER_TARGETS colors=[%u]\n"
        " CLEAR flags=COLOR color_rgba_f32=[0 1 0 1]\n}\n",
        first + 45, first + 30);
    add(&text, "EXT_EXECUTE_COMMAND_LIST list_handle=%u\n", first + 45);
    if (below(2))
        add(&text, "EXT_DESTROY_OBJECT object_handle=%u\n", first + 40);
    add(&text, "SET_RENDER_TARGETS colors=[%u]\nPRESENT scanout_id=0\n", first + 30);
    submit_text(&text);
}

static void submit_long_stream(void)
{
    static char marker[65536];
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    memset(marker, 'a', sizeof marker - 1);
    for (uint32_t i = 0; i < MEBIBYTE / sizeof marker; i++)
        agpu_write_debug_marker(&writer, marker);
    submit(&writer);
}

static void submit_frame(void)
{
    host.context_id = 1 + below(4);
    const uint32_t first = 1000 * host.context_id;
    submit_objects(first);
    submit_draw(first);
    submit_present(first);
    if (below(3) == 0)
        submit_long_stream();
}

/* ---- What interrupts them ------------------------------------------------------------------------------ */

static void poll_some(void)
{
    for (uint32_t i = below(60); i > 0; i--)
        host.executor->poll(host.executor);
}

static void work(void)
{
    for (uint64_t calls = 0; host.executor->poll(host.executor) || agpu_executor_has_more(host.executor);
         calls++)
        assert_true(calls < MOST_CALLS);
}

/* A snapshot, unless a reset comes between, and perhaps what it holds again. */
static void save(void)
{
    struct snapshot_bytes snapshot = {0};
    const struct agpu_snapshot_writer to = snapshot_bytes_writer(&snapshot);
    enum agpu_save_state state;
    if (host.executor->save_begin(host.executor, &to) != AGPU_OK)
        return;
    for (uint64_t calls = 0; (state = host.executor->save_poll(host.executor)) == AGPU_SAVE_BUSY; calls++) {
        assert_true(calls < MOST_CALLS);
        host.executor->poll(host.executor);
        if (below(40) == 0) {
            reset();
            free(snapshot.data);
            return;
        }
    }
    done.saves++;
    if (state == AGPU_SAVE_DONE && below(2)) {
        const struct agpu_snapshot_reader from = snapshot_bytes_reader(&snapshot);
        reset();
        for (uint32_t i = below(3); i > 0; i--)
            host.executor->poll(host.executor);
        if (host.executor->load(host.executor, &from) == AGPU_OK)
            done.loads++;
        else
            reset();
    }
    free(snapshot.data);
}

static void reset_in_present(void)
{
    resets_in_present = true;
}

static void lose_device(void)
{
    if (below(8) > 0)
        return;
    ag_gpu_abandon(host.gpu);
    done.losses++;
}

static void (*const steps[])(void) = {
    submit_frame, submit_frame, submit_frame,     submit_frame, poll_some,   poll_some,
    poll_some,    reset,        reset_in_present, save,         lose_device, work,
};

/* ---- The end ------------------------------------------------------------------------------------------- */

static void expect_nothing_of_before(void)
{
    struct agpu_writer writer;
    resets_in_present = false;
    reset();
    work();
    assert_int_equal(host_charged_bytes(&host), 0);
    agpu_writer_init_growing(&writer, NULL);
    host.context_id = 1;
    host.last_error = UINT32_MAX;
    host_write_frame(&writer, 1000);
    host_submit(&host, &writer, NULL, 0);
    work();
    if (host.last_error != AEROGPU_ERROR_NONE)
        print_message("%s\n", host.first_message);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
    agpu_writer_fini(&writer);
}

static void orders_leave_nothing(void **state)
{
    (void)state;
    memset(&done, 0, sizeof done);
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        random_state = seed;
        const struct agpu_executor_options options = {
            .size = sizeof options,
            .slice_us = 1,
            .turn_ms = AGPU_NO_TURN,
            .host_memory_bytes = seed % 2 ? 16 * MEBIBYTE : 0,
        };
        assert_int_equal(host_open_with(&host, driver, NULL, &options), 0);
        host.presented = on_presented;
        for (uint32_t step = 0; step < STEPS; step++)
            steps[below(sizeof steps / sizeof steps[0])]();
        if (seed % 3 < 2)
            expect_nothing_of_before();
        host_close(&host);
    }
    print_message("%u resets, %u snapshots, %u loaded, %u devices lost\n", done.resets, done.saves,
                  done.loads, done.losses);
    assert_true(done.resets > 0 && done.saves > 0 && done.loads > 0 && done.losses > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders_leave_nothing)};
    if (argc < 2)
        return 1;
    driver = argv[1];
    const int opened = host_open(&host, driver, NULL);
    if (opened != 0)
        return opened;
    host_close(&host);
    host_leave(cmocka_run_group_tests_name("exec/reset_orders", tests, NULL, NULL));
}
