/* SPDX-License-Identifier: MIT
 *
 * Scenes whose device is saved and loaded again and again while they run: on the same driver the pictures are
 * the same, on another one nearly so. Damaged snapshots are refused.
 *
 *     test_exec_snapshots DRIVER OTHER SCENE...
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/corpus.h"
#include "../../support/snapshot_bytes.h"
#include "../gpu/fixture.h"
#include "aerogpu/device.h"
#include "aerogpu/executor.h"
#include "gpu/gpu.h"
#include "scene/scene.h"

#define MOST_SCENES 16
#define CLOSE 8            /* of 255 */
#define MOST_OUTLIERS 0.02 /* pixels whose drivers disagree by more: edges of triangles */
#define DAMAGED_BYTES 400  /* of a snapshot, for which loading is tried */

static struct agpu_gpu *gpus[2]; /* the driver's, and the other one's or null */
static struct ag_scene *scenes[MOST_SCENES];
static uint32_t scene_count;

/* ---- Runs
 * --------------------------------------------------------------------------------------------------- */

/* A run, whose device is on one gpu and the next after each snapshot. */
struct run {
    struct agpu_executor *executor;
    uint32_t slice_us, renewals;
    bool alternates;
    struct snapshot_bytes last; /* snapshot */
};

static struct agpu_executor *renew(void *user)
{
    struct run *run = user;
    const struct agpu_executor_options options = {
        .size = sizeof options, .slice_us = run->slice_us, .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT};
    agpu_executor_destroy(run->executor);
    run->executor = NULL;
    agpu_webgpu_executor_create(gpus[run->alternates && run->renewals++ % 2], &options, NULL, &run->executor);
    return run->executor;
}

static void saved(void *user, const uint8_t *snapshot, size_t size)
{
    struct run *run = user;
    run->last.size = 0;
    snapshot_bytes_write(&run->last, snapshot, size);
}

static void play(struct run *run, const struct ag_scene *scene, uint32_t period, uint32_t polls,
                 struct ag_scene_report *report)
{
    struct agpu_adapter_info adapter = {.size = sizeof adapter};
    agpu_gpu_info(gpus[0], &adapter);
    const struct ag_scene_options options = {
        .executor = renew(run),
        .adapter = &adapter,
        .timeout_ms = 100000,
        .snapshot_period = period,
        .snapshot_polls = polls,
        .renew = renew,
        .saved = saved,
        .user = run,
    };
    assert_non_null(options.executor);
    ag_scene_run(scene, &options, NULL, report);
    agpu_executor_destroy(run->executor);
    run->executor = NULL;
    assert_int_equal(report->result, AG_SCENE_PASSED);
}

static double outliers(const struct ag_scene_present *a, const struct ag_scene_present *b)
{
    const size_t pixels = (size_t)a->width * a->height;
    size_t count = 0;
    for (size_t i = 0; i < pixels; i++) {
        bool differs = false;
        for (size_t c = 4 * i; c < 4 * i + 4; c++)
            differs |= abs(a->pixels[c] - b->pixels[c]) > CLOSE;
        count += differs;
    }
    return (double)count / (double)pixels;
}

/* ---- Tests
 * -------------------------------------------------------------------------------------------------- */

static void assert_same(const struct ag_scene_report *a, const struct ag_scene_report *b)
{
    assert_int_equal(a->presents.count, b->presents.count);
    for (size_t i = 0; i < a->presents.count; i++)
        assert_true(a->presents.data[i].hash == b->presents.data[i].hash);
}

/* The save begins while nothing, some packets or all of them are executed. */
static void the_rest_of_a_run_is_the_same(void **state)
{
    static const struct {
        uint32_t slice_us, period, polls;
    } ways[] = {
        {AGPU_NO_SLICE, 1, 0},
        {1,             1, 0},
        {1,             1, 3},
        {1,             2, 9},
        {200,           3, 1},
    };
    (void)state;
    for (uint32_t i = 0; i < scene_count; i++) {
        struct run run = {.slice_us = AGPU_NO_SLICE};
        struct ag_scene_report straight, report;
        play(&run, scenes[i], 0, 0, &straight);
        for (uint32_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
            run.slice_us = ways[way].slice_us;
            play(&run, scenes[i], ways[way].period, ways[way].polls, &report);
            assert_same(&straight, &report);
            ag_scene_report_fini(&report);
        }
        ag_scene_report_fini(&straight);
        free(run.last.data);
    }
}

static void another_driver_goes_on(void **state)
{
    (void)state;
    if (!gpus[1])
        skip();
    for (uint32_t i = 0; i < scene_count; i++) {
        struct run run = {.slice_us = AGPU_NO_SLICE};
        struct ag_scene_report straight, report;
        play(&run, scenes[i], 0, 0, &straight);
        run.alternates = true;
        play(&run, scenes[i], 1, 0, &report);
        assert_int_equal(straight.presents.count, report.presents.count);
        for (size_t j = 0; j < straight.presents.count; j++)
            assert_true(outliers(&straight.presents.data[j], &report.presents.data[j]) < MOST_OUTLIERS);
        ag_scene_report_fini(&straight);
        ag_scene_report_fini(&report);
        free(run.last.data);
    }
}

static bool no_read(void *user, uint64_t gpa, void *to, size_t size)
{
    (void)user;
    (void)gpa;
    (void)to;
    (void)size;
    return false;
}

static bool no_write(void *user, uint64_t gpa, const void *from, size_t size)
{
    (void)user;
    (void)gpa;
    (void)from;
    (void)size;
    return false;
}

/* A device and an executor that have refused a snapshot take the right one. */
static void damage_is_refused(void **state)
{
    struct run run = {.slice_us = AGPU_NO_SLICE};
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = no_read, .write = no_write}
    };
    struct ag_scene_report report;
    struct agpu_device *device;
    (void)state;
    play(&run, scenes[scene_count - 1], 1, 0, &report);
    ag_scene_report_fini(&report);
    struct snapshot_bytes *snapshot = &run.last;
    assert_int_equal(agpu_device_create(NULL, &callbacks, renew(&run), 0, &device), AGPU_OK);
    for (size_t i = 0; i < DAMAGED_BYTES; i++) {
        const size_t at = snapshot->size / DAMAGED_BYTES * i;
        struct agpu_snapshot_reader reader = snapshot_bytes_reader(snapshot);
        snapshot->data[at] ^= (uint8_t)(1 << i % 8);
        assert_int_equal(agpu_device_load(device, &reader, 0), AGPU_REFUSED);
        snapshot->data[at] ^= (uint8_t)(1 << i % 8);
        struct snapshot_bytes cut = {.data = snapshot->data, .size = at};
        reader = snapshot_bytes_reader(&cut);
        assert_int_equal(agpu_device_load(device, &reader, 0), AGPU_REFUSED);
    }
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(snapshot);
    assert_int_equal(agpu_device_load(device, &reader, 0), AGPU_OK);
    assert_int_equal(snapshot->at, snapshot->size);
    agpu_device_destroy(device);
    agpu_executor_destroy(run.executor);
    free(snapshot->data);
}

/* ---- Main
 * --------------------------------------------------------------------------------------------------- */

static bool load_scene(const char *path)
{
    size_t size;
    uint8_t *data = ag_corpus_read_file(path, &size);
    const bool loaded =
        data && scene_count < MOST_SCENES &&
        ag_scene_load(path, data, size, AG_SCENE_LOAD_DEFAULT, NULL, &scenes[scene_count]) == AGPU_OK;
    scene_count += loaded;
    free(data);
    return loaded;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_of_a_run_is_the_same),
        cmocka_unit_test(another_driver_goes_on),
        cmocka_unit_test(damage_is_refused),
    };
    struct diag_log log;
    enum agpu_driver driver, other;
    diag_log_init(&log);
    if (argc < 4 || !agpu_driver_from_name(argv[1], &driver) || !agpu_driver_from_name(argv[2], &other))
        return 1;
    for (int i = 3; i < argc; i++)
        if (!load_scene(argv[i]))
            return 1;
    const int opened = fixture_open(driver, &log, &gpus[0]);
    if (opened != 0)
        return opened;
    if (fixture_open(other, &log, &gpus[1]) != 0)
        gpus[1] = NULL;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (uint32_t i = 0; i < scene_count; i++)
        ag_scene_destroy(scenes[i]);
    agpu_gpu_destroy(gpus[1]);
    agpu_gpu_destroy(gpus[0]);
    return failed;
}
