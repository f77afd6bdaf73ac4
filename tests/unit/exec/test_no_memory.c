/* SPDX-License-Identifier: MIT
 *
 * Scenes on an executor whose allocations fail: the guest gets its fences, and either an error or what it
 * gets otherwise. Afterwards the same executor plays the scene as ever.
 *
 *     test_exec_no_memory DRIVER SCENE...
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/corpus.h"
#include "../../support/failing_memory.h"
#include "../gpu/fixture.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/executor.h"
#include "aerogpu/text.h"
#include "base/map.h"
#include "gpu/gpu.h"
#include "gpu/wait.h"
#include "scene/scene.h"

#define MORE_FAILURES 2      /* for each scene */
#define COMPUTED_FAILURES 20 /* where a driver takes its time for each */

/* ---- An executor's calls, and what it calls ------------------------------------------------------------ */

/* Memory may fail in the executor's own functions alone. */
struct proxy {
    struct agpu_executor table; /* first */
    struct agpu_executor *executor;
    struct agpu_executor_events events;
    struct agpu_guest_memory memory;
    unsigned out_of_memory; /* reports */
    unsigned submitted, completed;
};

static struct agpu_gpu *gpu;
static struct proxy proxy;

static void on_presented(void *user, const struct agpu_present *present)
{
    const bool before = failing_memory_set_aside(true);
    (void)user;
    if (proxy.events.presented != NULL)
        proxy.events.presented(proxy.events.user, present);
    failing_memory_set_aside(before);
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    const bool before = failing_memory_set_aside(true);
    (void)user;
    proxy.completed++;
    if (proxy.events.completed != NULL)
        proxy.events.completed(proxy.events.user, submission, error);
    failing_memory_set_aside(before);
}

static void on_report(void *user, const struct agpu_diag *diag)
{
    const bool before = failing_memory_set_aside(true);
    (void)user;
    proxy.out_of_memory += diag->code == AGPU_DIAG_OUT_OF_MEMORY || diag->code == AGPU_DIAG_GPU_OUT_OF_MEMORY;
    if (proxy.events.diagnostics.report != NULL)
        proxy.events.diagnostics.report(proxy.events.diagnostics.user, diag);
    failing_memory_set_aside(before);
}

static bool on_read(void *user, uint64_t gpa, void *to, size_t size)
{
    const bool before = failing_memory_set_aside(true);
    (void)user;
    const bool good = proxy.memory.read(proxy.memory.user, gpa, to, size);
    failing_memory_set_aside(before);
    return good;
}

static bool on_write(void *user, uint64_t gpa, const void *from, size_t size)
{
    const bool before = failing_memory_set_aside(true);
    (void)user;
    const bool good = proxy.memory.write(proxy.memory.user, gpa, from, size);
    failing_memory_set_aside(before);
    return good;
}

static void submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    const bool before = failing_memory_set_aside(false);
    (void)executor;
    proxy.submitted++;
    proxy.executor->submit(proxy.executor, submission);
    failing_memory_set_aside(before);
}

static bool poll_work(struct agpu_executor *executor)
{
    const bool before = failing_memory_set_aside(false);
    (void)executor;
    const bool outstanding = proxy.executor->poll(proxy.executor);
    failing_memory_set_aside(before);
    return outstanding;
}

static void reset(struct agpu_executor *executor)
{
    const bool before = failing_memory_set_aside(false);
    (void)executor;
    proxy.executor->reset(proxy.executor);
    failing_memory_set_aside(before);
}

static void attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                   const struct agpu_guest_memory *memory)
{
    (void)executor;
    proxy.events = events != NULL ? *events : (struct agpu_executor_events){0};
    proxy.memory = memory != NULL ? *memory : (struct agpu_guest_memory){0};
    const struct agpu_executor_events ours = {
        .presented = on_presented, .completed = on_completed, .diagnostics = {.report = on_report}};
    const struct agpu_guest_memory guest = {.read = on_read, .write = on_write};
    proxy.executor->attach(proxy.executor, &ours, memory != NULL ? &guest : NULL);
}

static void counters(struct agpu_executor *executor, struct agpu_counters *counts)
{
    (void)executor;
    proxy.executor->counters(proxy.executor, counts);
}

static enum agpu_status open_proxy(const struct agpu_executor_options *options)
{
    struct agpu_executor *executor;
    const enum agpu_status status = agpu_webgpu_executor_create(gpu, options, NULL, &executor);
    proxy = (struct proxy){
        .table =
            {.submit = submit, .poll = poll_work, .reset = reset, .attach = attach, .counters = counters},
        .executor = executor,
    };
    proxy.table.extension = executor != NULL ? executor->extension : 0;
    return status;
}

/* What the GPU's callbacks hold goes with them. */
static void close_proxy(void)
{
    agpu_executor_destroy(proxy.executor);
    ag_gpu_wait_idle(gpu, SECOND_NS);
    ag_gpu_poll(gpu);
}

/* ---- Runs of a scene ----------------------------------------------------------------------------------- */

static const struct ag_scene *scene;
static const char *scene_path;
static unsigned scenes, failures, silent;

static bool computes; /* the driver does */

/* What came of a run: what was reported and, where the driver computes anything, the checks and the pictures.
 */
static uint64_t wanted;

/* Notes come again when what they are about is made again. */
static uint64_t hash_of(const struct agpu_diag *diag)
{
    if (diag->severity == AGPU_NOTE)
        return 0;
    return ag_hash_combine((uint64_t)diag->code << 32 | diag->place.submission, diag->place.packet);
}

static uint64_t run_scene(void)
{
    struct ag_scene_report report;
    struct agpu_adapter_info adapter = {.size = sizeof adapter};
    agpu_gpu_info(gpu, &adapter);
    const struct ag_scene_options options = {.executor = &proxy.table, .adapter = &adapter};
    const bool before = failing_memory_set_aside(true);
    ag_scene_run(scene, &options, NULL, &report);
    failing_memory_set_aside(before);
    assert_int_equal(proxy.completed, proxy.submitted);
    uint64_t hash = 0;
    for (size_t i = 0; i < report.diags.count; i++) {
        const uint64_t reported = hash_of(&report.diags.data[i].diag);
        hash = reported ? ag_hash_combine(hash, reported) : hash;
    }
    for (size_t i = 0; computes && i < report.checks.count; i++)
        hash = ag_hash_combine(hash, report.checks.data[i].result);
    for (size_t i = 0; computes && i < report.presents.count; i++)
        hash = ag_hash_combine(hash, report.presents.data[i].hash);
    ag_scene_report_fini(&report);
    return hash;
}

static bool plays(void)
{
    uint32_t without_count;
    const char *const *const without = ag_scene_without(scene, &without_count);
    const struct agpu_executor_options options = {.size = sizeof options,
                                                  .without = without,
                                                  .without_count = without_count,
                                                  .slice_us = AGPU_NO_SLICE,
                                                  .translate_in_calls = true};
    const enum agpu_status status = open_proxy(&options);
    if (status != AGPU_OK) {
        assert_true(failing_memory_disarm());
        assert_int_equal(status, AGPU_NO_MEMORY);
        return true;
    }
    const uint64_t result = run_scene();
    const bool failed = failing_memory_disarm();
    if (!failed || proxy.out_of_memory == 0) {
        silent += failed;
        assert_int_equal(result, wanted);
    }
    if (failed) {
        proxy.executor->reset(proxy.executor);
        assert_int_equal(run_scene(), wanted);
    }
    close_proxy();
    return failed;
}

static void find_wanted(void)
{
    uint32_t without_count;
    const char *const *const without = ag_scene_without(scene, &without_count);
    const struct agpu_executor_options options = {.size = sizeof options,
                                                  .without = without,
                                                  .without_count = without_count,
                                                  .slice_us = AGPU_NO_SLICE,
                                                  .translate_in_calls = true};
    assert_int_equal(open_proxy(&options), AGPU_OK);
    wanted = run_scene();
    close_proxy();
}

static bool visit(void *user, const struct ag_corpus_file *file)
{
    struct ag_scene *loaded;
    (void)user;
    scene_path = file->path;
    if (getenv("AGPU_SHOW_FAILURES") != NULL)
        print_message("%s\n", file->path);
    if (ag_scene_load(file->path, file->data, file->size, 0, NULL, &loaded) != AGPU_OK)
        return true; /* that is what some scenes are for */
    scene = loaded;
    find_wanted();
    failures += computes ? failing_memory_spaced(plays, COMPUTED_FAILURES)
                         : failing_memory_some(plays, MORE_FAILURES);
    ag_scene_destroy(loaded);
    scenes++;
    return true;
}

/* ---- What was refused for want of memory --------------------------------------------------------------- */

static const char vertex_text[] = "vs_4_0\n"
                                  ".in SV_VertexID0 v0.x uint vertex_id\n"
                                  ".out SV_Position0 o0.xyzw float position\n"
                                  "dcl_input_sgv v0.x, vertex_id\n"
                                  "dcl_output_siv o0.xyzw, position\n"
                                  "dcl_temps 1\n"
                                  "utof r0.x, v0.x\n"
                                  "mad o0.xyzw, r0.xxxx, l(1.0, 0.5, 0.0, 0.0), l(0.0, 0.0, 0.5, 1.0)\n"
                                  "ret\n";

static const char pixel_text[] = "ps_4_0\n"
                                 ".out SV_Target0 o0.xyzw float\n"
                                 "dcl_output o0.xyzw\n"
                                 "mov o0.xyzw, l(1.0, 0.5, 0.25, 1.0)\n"
                                 "ret\n";

static const char compute_text[] = "cs_5_0\n"
                                   "dcl_uav_raw u0\n"
                                   "dcl_thread_group 1, 1, 1\n"
                                   "store_raw u0.x, l(0), l(7)\n"
                                   "ret\n";

static const struct blob {
    const char *name, *listing;
} blobs[] = {
    {"vs", vertex_text },
    {"ps", pixel_text  },
    {"cs", compute_text},
};
static uint8_t *blob_bytes[3];
static size_t blob_sizes[3];

static bool find_blob(void *user, const char *name, const uint8_t **data, size_t *size)
{
    (void)user;
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(blobs[i].name, name) != 0)
            continue;
        *data = blob_bytes[i];
        *size = blob_sizes[i];
        return true;
    }
    return false;
}

/* The same shaders and draws with handles of their own each time. */
static uint8_t *make_stream(unsigned first_handle, size_t *size)
{
    static const char format[] = "CREATE_TEXTURE2D texture_handle=$%u usage_flags=RENDER_TARGET "
                                 "format=R8G8B8A8_UNORM width=8 height=8 "
                                 "mip_levels=1 array_layers=1\n"
                                 "CREATE_SHADER_DXBC shader_handle=$%u stage=VERTEX : @vs\n"
                                 "CREATE_SHADER_DXBC shader_handle=$%u stage=PIXEL : @ps\n"
                                 "CREATE_SHADER_DXBC shader_handle=$%u stage=COMPUTE : @cs\n"
                                 "CREATE_BUFFER buffer_handle=$%u usage_flags=STORAGE size_bytes=64\n"
                                 "BIND_SHADERS vs=$%u ps=$%u cs=$%u\n"
                                 "SET_RENDER_TARGETS color_count=1 colors=[$%u]\n"
                                 "SET_PRIMITIVE_TOPOLOGY topology=TRIANGLELIST\n"
                                 "DRAW vertex_count=3 instance_count=1\n"
                                 "SET_UNORDERED_ACCESS_BUFFERS shader_stage=COMPUTE bindings=[{buffer=$%u}]\n"
                                 "DISPATCH group_count_x=1 group_count_y=1 group_count_z=1\n";
    static const struct agpu_text_sources sources = {.blob = find_blob};
    char text[sizeof format + 200];
    uint8_t *stream = NULL;
    const unsigned h = first_handle;
    const int length =
        snprintf(text, sizeof text, format, h, h + 1, h + 2, h + 3, h + 4, h + 1, h + 2, h + 3, h, h + 4);
    assert_int_equal(agpu_text_assemble(text, (size_t)length, &sources, NULL, &stream, size), AGPU_OK);
    return stream;
}

static struct agpu_executor *bare;
static uint32_t last_error;
static unsigned shortages, diags;

static void keep_error(void *user, uint32_t submission, uint32_t error)
{
    (void)user;
    (void)submission;
    last_error = error;
}

static void count_diag(void *user, const struct agpu_diag *diag)
{
    (void)user;
    diags++;
    shortages += diag->code == AGPU_DIAG_OUT_OF_MEMORY || diag->code == AGPU_DIAG_GPU_OUT_OF_MEMORY;
}

static uint32_t run_stream(uint32_t number, const uint8_t *stream, size_t size)
{
    const struct agpu_submission submission = {
        .number = number, .context_id = 1, .stream = stream, .stream_size = (uint32_t)size};
    last_error = UINT32_MAX;
    bare->submit(bare, &submission);
    while (bare->poll(bare))
        continue;
    return last_error;
}

static uint8_t *streams[2];
static size_t stream_sizes[2];

/* Without a reset in between, the second time all is well. */
static bool tries_again(void)
{
    const struct agpu_executor_events events = {.completed = keep_error,
                                                .diagnostics = {.report = count_diag}};
    const struct agpu_executor_options options = {.size = sizeof options, .translate_in_calls = true};
    if (agpu_webgpu_executor_create(gpu, &options, NULL, &bare) != AGPU_OK)
        return failing_memory_disarm();
    bare->attach(bare, &events, NULL);
    shortages = 0;
    const uint32_t error = run_stream(0, streams[0], stream_sizes[0]);
    const bool failed = failing_memory_disarm();
    if (shortages == 0)
        assert_int_equal(error, AEROGPU_ERROR_NONE);
    else
        assert_int_not_equal(error, AEROGPU_ERROR_NONE);
    diags = 0;
    assert_int_equal(run_stream(1, streams[1], stream_sizes[1]), AEROGPU_ERROR_NONE);
    assert_int_equal(diags, 0);
    struct agpu_counters counts = {.size = sizeof counts};
    bare->counters(bare, &counts);
    assert_true(counts.draws >= 1 && counts.dispatches >= 1);
    agpu_executor_destroy(bare);
    ag_gpu_wait_idle(gpu, SECOND_NS);
    ag_gpu_poll(gpu);
    return failed;
}

static void shortages_do_not_last(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(
            agpu_assemble(blobs[i].listing, strlen(blobs[i].listing), NULL, &blob_bytes[i], &blob_sizes[i]),
            AGPU_OK);
    for (unsigned i = 0; i < 2; i++)
        streams[i] = make_stream(10 + 10 * i, &stream_sizes[i]);
    assert_true((computes ? failing_memory_spaced(tries_again, COMPUTED_FAILURES)
                          : failing_memory_some(tries_again, 40)) > 15);
    for (size_t i = 0; i < 3; i++)
        agpu_free(blob_bytes[i]);
    for (unsigned i = 0; i < 2; i++)
        agpu_free(streams[i]);
}

/* ---- Scenes -------------------------------------------------------------------------------------------- */

static int path_count;
static char **paths;

static void every_scene(void **state)
{
    (void)state;
    for (int i = 0; i < path_count; i++)
        assert_true(ag_corpus_walk(paths[i], ".scene", visit, NULL) > 0);
    print_message("%u scenes, %u failures, %u without a report\n", scenes, failures, silent);
    assert_true(scenes > 0);
    assert_true(failures > 3 * scenes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shortages_do_not_last),
                                       cmocka_unit_test(every_scene)};
    enum agpu_driver driver;
    struct diag_log log;
    if (argc < 3 || !agpu_driver_from_name(argv[1], &driver))
        return 1;
    paths = argv + 2;
    path_count = argc - 2;
    computes = driver != AGPU_DRIVER_NULL;
    const int opened = fixture_open(driver, &log, &gpu);
    const int failed = opened == 0 ? cmocka_run_group_tests(tests, NULL, NULL) : opened;
    agpu_gpu_destroy(gpu);
    return failed;
}
