/* SPDX-License-Identifier: MIT
 *
 * Snapshots at random moments of scenes: the rest of the run is the same on the same driver, and nearly so on
 * another one. Snapshots of these moments with some bytes changed are refused or loaded, and do nothing else.
 *
 *     test_moments DRIVER OTHER MOMENTS CHANGES SEED SCENE...
 *
 * MOMENTS of each scene are tried on either driver, and CHANGES of each scene's snapshots.
 */
#include "../../support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/snapshot_run.h"
#include "../gpu/fixture.h"
#include "aerogpu/device.h"
#include "aerogpu/executor.h"
#include "base/bytes.h"
#include "gpu/gpu.h"

#define HEADER_BYTES 32                    /* of a section (docs/snapshots.md) */
#define MOST_POLLS 40                      /* before a save, and of a device that took a changed snapshot */
#define SNAPSHOT_CHANGES 100               /* of each moment whose snapshot is changed */
#define BUDGET_BYTES (UINT64_C(256) << 20) /* of GPU memory and host memory, for changed snapshots */

static struct agpu_gpu *gpus[2]; /* the driver's, and the other one's or null */
static struct agpu_adapter_info adapter = {.size = sizeof adapter};
static struct snapshot_scenes scenes;
static uint32_t moments, changes;
static uint64_t seed, random_state;

static uint32_t next_random(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

static struct agpu_executor *open_on(struct agpu_gpu *gpu, uint32_t slice_us, uint64_t budget)
{
    const struct agpu_executor_options options = {.size = sizeof options,
                                                  .slice_us = slice_us,
                                                  .gpu_memory_bytes = budget,
                                                  .host_memory_bytes = budget,
                                                  .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT};
    struct agpu_executor *executor = NULL;
    agpu_webgpu_executor_create(gpu, &options, NULL, &executor);
    return executor;
}

static struct agpu_executor *open_same(struct snapshot_run *run, uint32_t renewal)
{
    (void)renewal;
    return open_on(gpus[0], run->slice_us, 0);
}

static struct agpu_executor *open_other(struct snapshot_run *run, uint32_t renewal)
{
    return open_on(gpus[renewal % 2], run->slice_us, 0);
}

/* ---- Moments ------------------------------------------------------------------------------------------- */

/* After any submission, with up to three before it that wait as well; before, within or behind the work for
 * them: slices are short, and some of them pass. */
static void choose_moment(struct snapshot_run *run, uint32_t submissions)
{
    static const uint32_t slices_us[] = {AGPU_NO_SLICE, 1, 1, 50, 500, 2000};
    run->period = UINT32_MAX;
    run->first = 1 + next_random() % submissions;
    run->ahead = next_random() % 4;
    run->polls = next_random() % MOST_POLLS;
    run->slice_us = slices_us[next_random() % AG_COUNT_OF(slices_us)];
}

static void fail_at(const struct snapshot_run *run, uint32_t scene, uint32_t moment)
{
    fail_msg("scene %" PRIu32 ", moment %" PRIu32 " (seed %" PRIu64 "): after submission %" PRIu32
             ", %" PRIu32 " before it, %" PRIu32 " polls, slices of %" PRIu32 " us",
             scene, moment, seed, run->first, run->ahead, run->polls, run->slice_us);
}

static void try_moments(struct agpu_executor *(*open)(struct snapshot_run *run, uint32_t renewal),
                        bool (*is_as)(const struct ag_scene_report *a, const struct ag_scene_report *b))
{
    random_state = seed;
    for (uint32_t i = 0; i < scenes.count; i++) {
        struct snapshot_run run = {.open = open_same, .slice_us = AGPU_NO_SLICE};
        struct ag_scene_report straight, report;
        snapshot_run_play(&run, scenes.scenes[i], &adapter, &straight);
        run.open = open;
        for (uint32_t moment = 0; moment < moments; moment++) {
            choose_moment(&run, straight.submissions);
            snapshot_run_play(&run, scenes.scenes[i], &adapter, &report);
            if (run.renewals != 2 || !is_as(&straight, &report))
                fail_at(&run, i, moment);
            ag_scene_report_fini(&report);
        }
        ag_scene_report_fini(&straight);
        snapshot_run_fini(&run);
    }
}

static void the_rest_of_a_run_is_the_same(void **state)
{
    (void)state;
    try_moments(open_same, snapshot_run_is_same);
}

static void another_driver_goes_on(void **state)
{
    (void)state;
    if (!gpus[1])
        skip();
    try_moments(open_other, snapshot_run_is_close);
}

/* ---- Changed bytes ------------------------------------------------------------------------------------- */

/* Guest memory that reads as zeros. */
static bool read_zeros(void *user, uint64_t gpa, void *to, size_t size)
{
    (void)user;
    (void)gpa;
    memset(to, 0, size);
    return true;
}

static bool write_nothing(void *user, uint64_t gpa, const void *from, size_t size)
{
    (void)user;
    (void)gpa;
    (void)from;
    (void)size;
    return true;
}

/* Where a random section begins, and how many bytes it has. */
static size_t choose_section(const struct snapshot_bytes *snapshot, size_t *size)
{
    size_t count = 0, chosen = 0;
    for (size_t at = 0; at < snapshot->size;) {
        const size_t bytes = HEADER_BYTES + (size_t)ag_load_u64(snapshot->data + at + 16);
        if (next_random() % ++count == 0) {
            chosen = at;
            *size = bytes;
        }
        at += bytes;
    }
    return chosen;
}

static void change_bytes(uint8_t *bytes, size_t size)
{
    static const uint32_t numbers[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0x10000};
    const uint32_t way = next_random() % 4;
    if (way == 0)
        bytes[0] ^= (uint8_t)(1 << next_random() % 8);
    else if (way == 1)
        bytes[0] = (uint8_t)next_random();
    else if (way == 2 && size >= sizeof(uint32_t))
        ag_store_u32(bytes, numbers[next_random() % AG_COUNT_OF(numbers)]);
    else
        bytes[0] = (uint8_t)(bytes[0] + 1);
}

/* One to three places in random sections, of which there are many small ones: the structure is hit more often
 * than contents are. */
static void change(struct snapshot_bytes *changed)
{
    for (uint32_t places = 1 + next_random() % 3; places != 0; places--) {
        size_t size = HEADER_BYTES;
        const size_t section = choose_section(changed, &size);
        const size_t at = next_random() % size;
        /* Sizes of sections stay, so that the next place is found. */
        if (at / 8 != 2)
            change_bytes(changed->data + section + at, at < 16 ? 16 - at : size - at);
    }
}

struct outcome {
    uint32_t refused, loaded;
};

static void load_changed(struct agpu_executor *executor, struct snapshot_bytes *changed, bool is_sealed,
                         bool is_other, struct outcome *outcome)
{
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = read_zeros, .write = write_nothing}
    };
    struct agpu_device *device;
    assert_int_equal(agpu_device_create(NULL, &callbacks, executor, 0, &device), AGPU_OK);
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(changed);
    const enum agpu_status status = agpu_device_load(device, &reader, 0);
    if (status == AGPU_OK)
        outcome->loaded++;
    else
        outcome->refused++;
    assert_true(status == AGPU_OK || status == AGPU_REFUSED);
    assert_true(is_sealed || !is_other || status == AGPU_REFUSED);
    for (uint32_t i = 0; i < MOST_POLLS && status == AGPU_OK; i++)
        agpu_device_poll(device, UINT64_C(1000000) * i);
    agpu_device_destroy(device);
}

static void change_snapshot(const struct snapshot_bytes *snapshot, uint32_t count, struct outcome *outcome)
{
    struct agpu_executor *const executor = open_on(gpus[0], 500, BUDGET_BYTES);
    struct snapshot_bytes changed = {.data = malloc(snapshot->size), .size = snapshot->size};
    assert_true(executor && changed.data);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_sealed = i % 8 != 0;
        memcpy(changed.data, snapshot->data, snapshot->size);
        change(&changed);
        const bool is_other = memcmp(changed.data, snapshot->data, snapshot->size) != 0;
        if (is_sealed)
            snapshot_bytes_seal(changed.data, changed.size);
        load_changed(executor, &changed, is_sealed, is_other, outcome);
    }
    free(changed.data);
    agpu_executor_destroy(executor);
}

static void changed_snapshots_are_refused_or_loaded(void **state)
{
    (void)state;
    random_state = seed + 1;
    for (uint32_t i = 0; i < scenes.count; i++) {
        struct snapshot_run run = {.open = open_same, .slice_us = AGPU_NO_SLICE};
        struct ag_scene_report straight, report;
        struct outcome outcome = {0};
        snapshot_run_play(&run, scenes.scenes[i], &adapter, &straight);
        for (uint32_t done = 0; done < changes; done += SNAPSHOT_CHANGES) {
            const uint32_t left = changes - done;
            choose_moment(&run, straight.submissions);
            snapshot_run_play(&run, scenes.scenes[i], &adapter, &report);
            ag_scene_report_fini(&report);
            change_snapshot(&run.last, left < SNAPSHOT_CHANGES ? left : SNAPSHOT_CHANGES, &outcome);
        }
        printf("scene %" PRIu32 ": %" PRIu32 " changed snapshots refused, %" PRIu32 " loaded\n", i,
               outcome.refused, outcome.loaded);
        ag_scene_report_fini(&straight);
        snapshot_run_fini(&run);
    }
}

/* ---- Main ---------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_of_a_run_is_the_same),
        cmocka_unit_test(another_driver_goes_on),
        cmocka_unit_test(changed_snapshots_are_refused_or_loaded),
    };
    struct diag_log log;
    enum agpu_driver driver, other;
    diag_log_init(&log);
    if (argc < 7 || !agpu_driver_from_name(argv[1], &driver) || !agpu_driver_from_name(argv[2], &other))
        return 1;
    moments = (uint32_t)strtoul(argv[3], NULL, 10);
    changes = (uint32_t)strtoul(argv[4], NULL, 10);
    seed = strtoull(argv[5], NULL, 10);
    if (!snapshot_scenes_load(&scenes, argv + 6, argc - 6))
        return 1;
    const int opened = fixture_open(driver, &log, &gpus[0]);
    if (opened != 0)
        return opened;
    if (fixture_open(other, &log, &gpus[1]) != 0)
        gpus[1] = NULL;
    agpu_gpu_info(gpus[0], &adapter);
    const int failed = cmocka_run_group_tests_name("exec/moments", tests, NULL, NULL);
    snapshot_scenes_fini(&scenes);
    agpu_gpu_destroy(gpus[1]);
    agpu_gpu_destroy(gpus[0]);
    return failed;
}
