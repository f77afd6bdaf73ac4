/* SPDX-License-Identifier: MIT
 *
 * Executors with a persistent cache, one after the other: the later one translates nothing, and begins
 * pipelines before draws need them.
 */
#include "../../support/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../../support/memory_store.h"
#include "base/bytes.h"
#include "base/map.h"
#include "cache/cache.h"
#include "exec/bind/pipeline.h"
#include "host.h"

enum { TARGET = 1, VERTEX, PIXEL, COMPUTE };

#define SIZE 16

static struct host host;
static struct memory_store store;
static struct agpu_cache *cache;
static const char *driver;

static const char vertex_text[] = "vs_4_0\n"
                                  ".in SV_VertexID0 v0.x uint vertex_id\n"
                                  ".out SV_Position0 o0.xyzw float position\n"
                                  "dcl_input_sgv v0.x, vertex_id\n"
                                  "dcl_output_siv o0.xyzw, position\n"
                                  "dcl_temps 1\n"
                                  "ishl r0.x, v0.x, l(1)\n"
                                  "and r0.x, r0.x, l(2)\n"
                                  "and r0.y, v0.x, l(2)\n"
                                  "itof r0.xy, r0.xyxx\n"
                                  "mad o0.xy, r0.xyxx, l(2.0, -2.0, 0.0, 0.0), l(-1.0, 1.0, 0.0, 0.0)\n"
                                  "mov o0.zw, l(0.0, 0.0, 0.0, 1.0)\n"
                                  "ret\n";

/* Green, or what else `color` says. */
static void write_pixel_shader(struct agpu_writer *writer, const char *color)
{
    char text[512];
    snprintf(text, sizeof text,
             "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\nmov o0.xyzw, l(%s)\nret\n", color);
    host_assemble_shader(writer, PIXEL, AGPU_STREAM_STAGE_PIXEL, text);
}

static int open_host(void **state)
{
    const struct agpu_cache_store callbacks = memory_store_callbacks(&store);
    (void)state;
    assert_int_equal(agpu_cache_create(&callbacks, NULL, &cache), AGPU_OK);
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .slice_us = AGPU_NO_SLICE,
        .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT,
        .cache = cache,
    };
    return host_open_with(&host, driver, "", &options);
}

static int close_host(void **state)
{
    (void)state;
    host_close(&host);
    agpu_cache_destroy(cache);
    return 0;
}

static void renew_host(void)
{
    close_host(NULL);
    assert_int_equal(open_host(NULL), 0);
    host_reset(&host);
}

static int forget(void **state)
{
    (void)state;
    memory_store_clear(&store);
    return 0;
}

static void write_objects(struct agpu_writer *writer, const char *color)
{
    agpu_writer_init_growing(writer, NULL);
    host_write_texture(writer, TARGET, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       SIZE, SIZE);
    host_assemble_shader(writer, VERTEX, AGPU_STREAM_STAGE_VERTEX, vertex_text);
    write_pixel_shader(writer, color);
}

static void write_draw(struct agpu_writer *writer)
{
    const aerogpu_handle_t target = TARGET;
    const float black[4] = {0};
    agpu_write_set_render_targets(writer, 1, &target, 0);
    agpu_write_set_viewport(writer, 0, 0, SIZE, SIZE, 0, 1);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, black, 1, 0);
    agpu_write_bind_shaders(writer, VERTEX, PIXEL, 0, 0);
    agpu_write_draw(writer, 3, 1, 0, 0);
    agpu_write_present(writer, 0, 0);
}

/* Creates all in one submission and draws in another; in between, an idle guest. */
static void draw(const char *color)
{
    struct agpu_writer writer;
    write_objects(&writer, color);
    host_run_ok(&host, &writer);
    do
        host.executor->poll(host.executor);
    while (agpu_executor_has_more(host.executor));
    write_draw(&writer);
    host_run_ok(&host, &writer);
    agpu_writer_fini(&writer);
}

static struct agpu_cache_statistics statistics(void)
{
    struct agpu_cache_statistics all = {.size = sizeof all};
    agpu_cache_statistics(cache, &all);
    return all;
}

static void assert_found_everything(void)
{
    const struct agpu_cache_statistics all = statistics();
    const struct agpu_counters counts = host_counters(&host);
    assert_int_equal(all.modules.hits, all.modules.loads);
    assert_int_equal(all.pipelines.hits, all.pipelines.loads);
    assert_int_equal(all.modules.stores + all.pipelines.stores + all.refused, 0);
    assert_true(counts.shaders_translated > 0);
    assert_int_equal(counts.shaders_cached, counts.shaders_translated);
}

static void begins_what_was_drawn_before(void **state)
{
    (void)state;
    host_reset(&host);
    draw("0.0, 1.0, 0.0, 1.0");
    assert_int_equal(host_pixel(&host, 3, 3), 0x00ff00ff);
    assert_int_equal(host_counters(&host).shaders_cached, 0);
    assert_int_equal(host_counters(&host).pipelines, 1);
    assert_int_equal(host_counters(&host).pipelines_ahead, 0);
    assert_int_equal(statistics().pipelines.stores, 2);

    renew_host();
    draw("0.0, 1.0, 0.0, 1.0");
    assert_int_equal(host_pixel(&host, 3, 3), 0x00ff00ff);
    assert_int_equal(host_counters(&host).pipelines_ahead, 1);
    assert_int_equal(host_counters(&host).pipelines, 1);
    assert_int_equal(host_counters(&host).pipeline_hits, 0);
    assert_found_everything();
}

/* A pipeline is not begun for a partner that is not there, and is counted when a draw needs it. */
static void other_shaders_are_none_of_them(void **state)
{
    struct agpu_writer writer;
    (void)state;
    host_reset(&host);
    draw("0.0, 1.0, 0.0, 1.0");
    renew_host();
    draw("1.0, 0.0, 0.0, 1.0");
    assert_int_equal(host_pixel(&host, 3, 3), 0xff0000ff);
    assert_int_equal(host_counters(&host).pipelines_ahead, 0);
    assert_int_equal(host_counters(&host).pipelines, 1);

    renew_host(); /* now both are known */
    write_objects(&writer, "0.0, 1.0, 0.0, 1.0");
    host_run_ok(&host, &writer);
    do
        host.executor->poll(host.executor);
    while (agpu_executor_has_more(host.executor));
    assert_int_equal(host_counters(&host).pipelines_ahead, 1);
    assert_int_equal(host_counters(&host).pipelines, 0);
    agpu_writer_fini(&writer);
}

/* Shaders that die before their pipelines are begun, or while a driver makes them. */
static void shaders_may_die(void **state)
{
    struct agpu_writer writer;
    (void)state;
    host_reset(&host);
    draw("0.0, 1.0, 0.0, 1.0");
    for (uint32_t polls = 0; polls < 3; polls++) {
        renew_host();
        write_objects(&writer, "0.0, 1.0, 0.0, 1.0");
        host_submit(&host, &writer, NULL, 0);
        for (uint32_t i = 0; i < polls; i++)
            host.executor->poll(host.executor);
        host.executor->reset(host.executor);
        while (host.executor->poll(host.executor) || agpu_executor_has_more(host.executor))
            continue;
        agpu_writer_fini(&writer);
        host_reset(&host);
        draw("0.0, 1.0, 0.0, 1.0");
        assert_int_equal(host_pixel(&host, 3, 3), 0x00ff00ff);
    }
}

/* A list of pipelines of which every bit is turned, one after the other. */
static void damaged_entries_change_nothing(void **state)
{
    (void)state;
    host_reset(&host);
    draw("0.0, 1.0, 0.0, 1.0");
    for (size_t i = 0; i < store.count; i++)
        for (size_t at = i % 7; at < store.entries[i].size; at += 7)
            store.entries[i].bytes[at] ^= (uint8_t)(1u << at % 8);
    renew_host();
    draw("0.0, 1.0, 0.0, 1.0");
    assert_int_equal(host_pixel(&host, 3, 3), 0x00ff00ff);
    assert_int_equal(host_counters(&host).pipelines_ahead, 0);
    assert_int_equal(host_counters(&host).shaders_cached, 0);
    assert_true(statistics().refused > 0);
    renew_host();
    draw("0.0, 1.0, 0.0, 1.0");
    assert_found_everything();
}

/* ---- Entries that somebody else made ----------------------------------------------------------------- */

/* Places in the header of an entry. */
enum { VALUE_SIZE = 12, KEY_SIZE = 16, HASH = 32 };

/* The value of an entry, if the entry is a list of pipelines. */
static uint8_t *pipelines_of(size_t entry, uint32_t *size)
{
    uint8_t *const bytes = store.entries[entry].bytes;
    *size = ag_load_u32(bytes + VALUE_SIZE);
    return ag_load_u32(bytes + 8) == AG_CACHE_PIPELINES
               ? bytes + AG_CACHE_HEADER_BYTES + ag_load_u64(bytes + KEY_SIZE)
               : NULL;
}

/* Makes an entry whole whose value was changed. */
static void seal(size_t entry)
{
    uint8_t *const bytes = store.entries[entry].bytes;
    const uint64_t rest = store.entries[entry].size - AG_CACHE_HEADER_BYTES;
    const uint64_t hash = ag_hash_combine(ag_hash_bytes(bytes, HASH),
                                          ag_hash_bytes(bytes + AG_CACHE_HEADER_BYTES, (size_t)rest));
    memcpy(bytes + HASH, &hash, sizeof hash);
}

/* The lists of the two shaders, each in the place of the other's: a pixel shader is no vertex shader. */
static void pipelines_begin_with_vertex_shaders(void **state)
{
    (void)state;
    size_t entries[2], found = 0;
    uint32_t size = 0, size_before = 0;
    host_reset(&host);
    draw("0.0, 1.0, 0.0, 1.0");
    for (size_t i = 0; i < store.count; i++)
        if (pipelines_of(i, &size) && found < 2)
            entries[found++] = i;
    assert_int_equal(found, 2);
    uint8_t *const first = pipelines_of(entries[0], &size_before), *const second =
                                                                       pipelines_of(entries[1], &size);
    assert_int_equal(size, size_before);
    for (uint32_t at = 0; at < size; at++) {
        const uint8_t byte = first[at];
        first[at] = second[at];
        second[at] = byte;
    }
    seal(entries[0]);
    seal(entries[1]);
    renew_host();
    draw("0.0, 1.0, 0.0, 1.0");
    assert_int_equal(host_pixel(&host, 3, 3), 0x00ff00ff);
    assert_int_equal(statistics().refused, 0);
    assert_int_equal(host_counters(&host).pipelines_ahead, 0);
    assert_int_equal(host_counters(&host).pipelines, 1);
}

/* Whether so many bytes from `at` on are all of what a pipeline has of stages in its vertex shader. */
static bool is_inlined(size_t at, size_t count)
{
    const size_t begin = offsetof(struct ag_pipeline_key, inlined);
    return at >= begin && at + count <= begin + sizeof(struct ag_inlined_key);
}

/* Lists of pipelines in each of which some byte is the largest number. None of a list
 * is begun where no list can have such bytes; one may be of the other shader's list. */
static void made_up_pipelines_do_no_harm(void **state)
{
    enum { RECORDS = 32 };
    (void)state;
    uint32_t size = 1, inlined = 0;
    host_reset(&host);
    draw("0.0, 1.0, 0.0, 1.0");
    for (size_t i = 0; i < store.count; i++) {
        const uint8_t *const value = pipelines_of(i, &size);
        if (!value)
            continue;
        const size_t front = store.entries[i].size - size;
        for (uint32_t at = 0; at < size;) {
            const bool refused = is_inlined(at, RECORDS);
            uint8_t *const bytes = malloc(front + (size_t)RECORDS * size);
            assert_non_null(bytes);
            memcpy(bytes, store.entries[i].bytes, front);
            for (uint32_t record = 0; record < RECORDS; record++, at++) {
                uint8_t *const copy = bytes + front + (size_t)record * size;
                memcpy(copy, store.entries[i].bytes + front, size);
                copy[at % size] = 0xFF;
            }
            uint8_t *const before = store.entries[i].bytes;
            ag_store_u32(bytes + VALUE_SIZE, RECORDS * size);
            store.entries[i].bytes = bytes;
            store.entries[i].size = front + (size_t)RECORDS * size;
            seal(i);
            renew_host();
            draw("0.0, 1.0, 0.0, 1.0");
            assert_int_equal(host_pixel(&host, 3, 3), 0x00ff00ff);
            assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
            if (refused)
                assert_true(host_counters(&host).pipelines_ahead <= 1);
            inlined += refused;
            free(store.entries[i].bytes);
            store.entries[i].bytes = before;
            store.entries[i].size = front + size;
        }
    }
    assert_true(inlined > 0);
}

/* What a device is made with is part of what its translations are for. */
static void budgets_have_translations_of_their_own(void **state)
{
    (void)state;
    host_reset(&host);
    draw("0.0, 1.0, 0.0, 1.0");
    close_host(NULL);
    const struct agpu_cache_store callbacks = memory_store_callbacks(&store);
    assert_int_equal(agpu_cache_create(&callbacks, NULL, &cache), AGPU_OK);
    const struct agpu_executor_options options = {
        .size = sizeof options, .loop_budget = 1000, .cache = cache};
    assert_int_equal(host_open_with(&host, driver, "", &options), 0);
    host_reset(&host);
    draw("0.0, 1.0, 0.0, 1.0");
    assert_int_equal(host_counters(&host).shaders_cached, 0);
    assert_int_equal(host_pixel(&host, 3, 3), 0x00ff00ff);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(begins_what_was_drawn_before, forget),
        cmocka_unit_test_teardown(other_shaders_are_none_of_them, forget),
        cmocka_unit_test_teardown(shaders_may_die, forget),
        cmocka_unit_test_teardown(damaged_entries_change_nothing, forget),
        cmocka_unit_test_teardown(pipelines_begin_with_vertex_shaders, forget),
        cmocka_unit_test_teardown(made_up_pipelines_do_no_harm, forget),
        cmocka_unit_test_teardown(budgets_have_translations_of_their_own, forget),
    };
    if (argc != 2)
        return 1;
    driver = argv[1];
    const int opened = open_host(NULL);
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_host(NULL);
    memory_store_clear(&store);
    return failed;
}
