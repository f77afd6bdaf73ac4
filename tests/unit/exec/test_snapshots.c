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

#include "../../support/no_ram.h"
#include "../../support/snapshot_run.h"
#include "../gpu/fixture.h"
#include "aerogpu/device.h"
#include "aerogpu/executor.h"
#include "gpu/gpu.h"

#define DAMAGED_BYTES 400 /* of a snapshot, for which loading is tried */

static struct agpu_gpu *gpus[2]; /* the driver's, and the other one's or null */
static struct agpu_adapter_info adapter = {.size = sizeof adapter};
static struct snapshot_scenes scenes;

static struct agpu_executor *open_on(struct agpu_gpu *gpu, const struct snapshot_run *run)
{
    const struct agpu_executor_options options = {
        .size = sizeof options, .slice_us = run->slice_us, .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT};
    struct agpu_executor *executor = NULL;
    agpu_webgpu_executor_create(gpu, &options, NULL, &executor);
    return executor;
}

static struct agpu_executor *open_same(struct snapshot_run *run, uint32_t renewal)
{
    (void)renewal;
    return open_on(gpus[0], run);
}

static struct agpu_executor *open_either(struct snapshot_run *run, uint32_t renewal)
{
    return open_on(gpus[renewal % 2], run);
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
    for (uint32_t i = 0; i < scenes.count; i++) {
        struct snapshot_run run = {.open = open_same, .slice_us = AGPU_NO_SLICE};
        struct ag_scene_report straight, report;
        snapshot_run_play(&run, scenes.scenes[i], &adapter, &straight);
        for (uint32_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
            run.slice_us = ways[way].slice_us;
            run.period = ways[way].period;
            run.polls = ways[way].polls;
            snapshot_run_play(&run, scenes.scenes[i], &adapter, &report);
            assert_true(snapshot_run_is_same(&straight, &report));
            ag_scene_report_fini(&report);
        }
        ag_scene_report_fini(&straight);
        snapshot_run_fini(&run);
    }
}

static void another_driver_goes_on(void **state)
{
    (void)state;
    if (!gpus[1])
        skip();
    for (uint32_t i = 0; i < scenes.count; i++) {
        struct snapshot_run run = {.open = open_same, .slice_us = AGPU_NO_SLICE};
        struct ag_scene_report straight, report;
        snapshot_run_play(&run, scenes.scenes[i], &adapter, &straight);
        run.open = open_either;
        run.period = 1;
        snapshot_run_play(&run, scenes.scenes[i], &adapter, &report);
        assert_true(snapshot_run_is_close(&straight, &report));
        ag_scene_report_fini(&straight);
        ag_scene_report_fini(&report);
        snapshot_run_fini(&run);
    }
}

/* A device and an executor that have refused a snapshot take the right one. */
static void damage_is_refused(void **state)
{
    struct snapshot_run run = {.open = open_same, .slice_us = AGPU_NO_SLICE};
    const struct agpu_device_callbacks callbacks = {.memory = no_ram()};
    struct ag_scene_report report;
    struct agpu_device *device;
    (void)state;
    run.period = 1;
    snapshot_run_play(&run, scenes.scenes[scenes.count - 1], &adapter, &report);
    ag_scene_report_fini(&report);
    struct snapshot_bytes *snapshot = &run.last;
    struct agpu_executor *executor = open_same(&run, 0);
    assert_int_equal(agpu_device_create(NULL, &callbacks, executor, 0, &device), AGPU_OK);
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
    agpu_executor_destroy(executor);
    snapshot_run_fini(&run);
}

/* ---- Main
 * --------------------------------------------------------------------------------------------------- */

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
    if (!snapshot_scenes_load(&scenes, argv + 3, argc - 3))
        return 1;
    const int opened = fixture_open(driver, &log, &gpus[0]);
    if (opened != 0)
        return opened;
    if (fixture_open(other, &log, &gpus[1]) != 0)
        gpus[1] = NULL;
    agpu_gpu_info(gpus[0], &adapter);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    agpu_gpu_destroy(gpus[1]);
    agpu_gpu_destroy(gpus[0]);
    return failed;
}
