/* SPDX-License-Identifier: MIT
 *
 * Snapshots of executors in GPU processes: what moves between a process and this one runs on as before, and
 * a process that goes in the middle takes nothing with it.
 *
 *     test_process_snapshots TOOL DRIVER SCENE...
 */
#include "../../support/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "../../support/no_ram.h"
#include "../../support/snapshot_run.h"
#include "../exec/host.h"
#include "../gpu/fixture.h"
#include "aerogpu/device.h"
#include "aerogpu/process_executor.h"
#include "started_process.h"

enum { BUFFER = 1, BACKED };

#define BUFFER_BYTES (24 << 20) /* more than the ring between the processes */
#define DAMAGED_BYTES 40        /* of a snapshot, for which loading is tried */

static const char *program;
static enum agpu_driver driver;
static struct agpu_gpu *gpu; /* of this process */
static struct agpu_adapter_info adapter = {.size = sizeof adapter};
static struct snapshot_scenes scenes;

static struct agpu_executor *open_process(uint32_t slice_us, const struct agpu_guest_region *region)
{
    const struct agpu_executor_options options = {
        .size = sizeof options, .slice_us = slice_us, .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT};
    return started_process(program, driver, &options, region);
}

static void nap(void)
{
    const struct timespec pause = {0, 50000};
    nanosleep(&pause, NULL);
}

/* ---- Runs ---------------------------------------------------------------------------------------------- */

static struct agpu_executor *open_near(const struct snapshot_run *run)
{
    const struct agpu_executor_options options = {
        .size = sizeof options, .slice_us = run->slice_us, .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT};
    struct agpu_executor *executor = NULL;
    agpu_webgpu_executor_create(gpu, &options, NULL, &executor);
    return executor;
}

static struct agpu_executor *open_near_alone(struct snapshot_run *run, uint32_t renewal)
{
    (void)renewal;
    return open_near(run);
}

static struct agpu_executor *open_near_first(struct snapshot_run *run, uint32_t renewal)
{
    return renewal % 2 == 0 ? open_near(run) : open_process(run->slice_us, NULL);
}

static struct agpu_executor *open_process_first(struct snapshot_run *run, uint32_t renewal)
{
    return renewal % 4 < 2 ? open_process(run->slice_us, NULL) : open_near(run);
}

/* From here into a process and back; from a process into another one. */
static void moves_between_processes(void **state)
{
    static const struct {
        struct agpu_executor *(*open)(struct snapshot_run *run, uint32_t renewal);
        uint32_t slice_us, polls;
    } ways[] = {
        {open_near_first,    AGPU_NO_SLICE, 0},
        {open_process_first, AGPU_NO_SLICE, 0},
        {open_near_first,    1,             3},
        {open_process_first, 1,             5},
    };
    (void)state;
    for (uint32_t i = 0; i < scenes.count; i++) {
        struct snapshot_run run = {.open = open_near_alone, .slice_us = AGPU_NO_SLICE};
        struct ag_scene_report straight, report;
        snapshot_run_play(&run, scenes.scenes[i], &adapter, &straight);
        for (uint32_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
            run.open = ways[way].open;
            run.slice_us = ways[way].slice_us;
            run.polls = ways[way].polls;
            run.period = 1;
            snapshot_run_play(&run, scenes.scenes[i], &adapter, &report);
            assert_true(snapshot_run_is_same(&straight, &report));
            ag_scene_report_fini(&report);
        }
        ag_scene_report_fini(&straight);
        snapshot_run_fini(&run);
    }
}

/* ---- Damage -------------------------------------------------------------------------------------------- */

/* A device and a process that have refused a snapshot take the right one. */
static void damage_is_refused(void **state)
{
    struct snapshot_run run = {.open = open_near_alone, .slice_us = AGPU_NO_SLICE, .period = 1};
    const struct agpu_device_callbacks callbacks = {.memory = no_ram()};
    struct ag_scene_report report;
    struct agpu_device *device;
    (void)state;
    snapshot_run_play(&run, scenes.scenes[0], &adapter, &report);
    ag_scene_report_fini(&report);
    struct snapshot_bytes *const snapshot = &run.last;
    struct agpu_executor *const executor = open_process(0, NULL);
    const int64_t pid = agpu_process_executor_pid(executor);
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
    assert_int_equal(agpu_process_executor_pid(executor), pid); /* which no snapshot has killed */
    agpu_device_destroy(device);
    agpu_executor_destroy(executor);
    snapshot_run_fini(&run);
}

/* ---- A process in the middle --------------------------------------------------------------------------- */

/* A buffer that takes a while to save. */
static void fill(struct host *host)
{
    struct agpu_writer writer;
    uint8_t *const bytes = malloc(BUFFER_BYTES);
    assert_non_null(bytes);
    for (size_t i = 0; i < BUFFER_BYTES; i++)
        bytes[i] = (uint8_t)(i * 13 + i / 65536);
    host_reset(host);
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, BUFFER, AEROGPU_RESOURCE_USAGE_STORAGE, BUFFER_BYTES, 0, 0);
    agpu_write_upload_resource(&writer, BUFFER, 0, bytes, BUFFER_BYTES);
    assert_int_equal(host_run(host, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    agpu_writer_fini(&writer);
    free(bytes);
}

/* The last bytes of the buffer are what they were. */
static void look_at_buffer(struct host *host, uint64_t gpa)
{
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = gpa, .size_bytes = 0x10000};
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, BACKED, 0, 0x10000, 7, 0);
    agpu_write_copy_buffer(&writer, BACKED, 0, BUFFER, BUFFER_BYTES - 0x10000, 0x10000,
                           AEROGPU_COPY_FLAG_WRITEBACK_DST);
    host_submit(host, &writer, &allocation, 1);
    agpu_writer_fini(&writer);
}

static void assert_buffer(const uint8_t *bytes)
{
    for (size_t i = 0; i < 0x10000; i += 257) {
        const size_t at = BUFFER_BYTES - 0x10000 + i;
        assert_int_equal(bytes[i], (uint8_t)(at * 13 + at / 65536));
    }
}

static void open_far(struct host *host, const struct agpu_guest_region *region)
{
    *host = (struct host){.next_submission = 0};
    assert_true(host_open_on(host, open_process(AGPU_NO_SLICE, region)));
    fill(host);
}

static enum agpu_save_state save_to_the_end(struct agpu_executor *executor)
{
    enum agpu_save_state state;
    while ((state = executor->save_poll(executor)) == AGPU_SAVE_BUSY)
        nap();
    return state;
}

static void save(struct host *host, struct snapshot_bytes *snapshot)
{
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(snapshot);
    snapshot->size = 0;
    assert_int_equal(host->executor->save_begin(host->executor, &writer), AGPU_OK);
    assert_int_equal(save_to_the_end(host->executor), AGPU_SAVE_DONE);
    assert_true(snapshot->size > BUFFER_BYTES);
}

/* The process is gone, which the executor notices; its guest resets. */
static void begin_again(struct host *host)
{
    while (agpu_process_executor_pid(host->executor) != 0)
        host->executor->poll(host->executor);
    fill(host);
}

static void a_process_is_killed_while_it_saves(void **state)
{
    struct host host;
    struct snapshot_bytes snapshot = {0};
    uint32_t failures = 0;
    (void)state;
    open_far(&host, NULL);
    for (uint32_t polls = 0; polls < 4; polls++) {
        const struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
        snapshot.size = 0;
        host.diag_count = 0;
        assert_int_equal(host.executor->save_begin(host.executor, &writer), AGPU_OK);
        enum agpu_save_state saved = AGPU_SAVE_BUSY;
        for (uint32_t i = 0; i < polls && saved == AGPU_SAVE_BUSY; i++)
            saved = host.executor->save_poll(host.executor);
        assert_int_equal(kill((pid_t)agpu_process_executor_pid(host.executor), SIGKILL), 0);
        if (saved == AGPU_SAVE_BUSY)
            saved = save_to_the_end(host.executor);
        if (saved == AGPU_SAVE_FAILED) {
            assert_int_equal(host.first_diag, AGPU_DIAG_SNAPSHOT_STATE);
            assert_string_equal(host.first_message, "the GPU process was lost while the device was saved");
            failures++;
        }
        begin_again(&host);
    }
    assert_true(failures != 0);
    save(&host, &snapshot);
    look_at_buffer(&host, GUEST_BASE);
    host_wait(&host);
    assert_buffer(host.guest);
    host_close(&host);
    free(snapshot.data);
}

/* A reader in whose middle the process is killed. */
struct deadly_reader {
    struct agpu_snapshot_reader inner;
    int64_t pid;
    size_t left; /* bytes until then */
};

static bool read_and_kill(void *user, void *bytes, size_t size)
{
    struct deadly_reader *const reader = user;
    if (reader->pid != 0 && size >= reader->left) {
        kill((pid_t)reader->pid, SIGKILL);
        reader->pid = 0;
    }
    reader->left -= size < reader->left ? size : reader->left;
    return reader->inner.read(reader->inner.user, bytes, size);
}

static void a_process_is_killed_while_it_loads(void **state)
{
    struct host host;
    struct snapshot_bytes snapshot = {0};
    (void)state;
    open_far(&host, NULL);
    save(&host, &snapshot);
    for (uint32_t part = 0; part < 4; part++) {
        host_reset(&host);
        assert_int_equal(agpu_process_executor_wait(host.executor, AGPU_NO_TIMEOUT), AGPU_OK);
        struct deadly_reader deadly = {.inner = snapshot_bytes_reader(&snapshot),
                                       .pid = agpu_process_executor_pid(host.executor),
                                       .left = snapshot.size / 4 * part};
        const struct agpu_snapshot_reader reader = {sizeof reader, read_and_kill, &deadly};
        assert_int_equal(host.executor->load(host.executor, &reader), AGPU_REFUSED);
        assert_int_equal(host.first_diag, AGPU_DIAG_SNAPSHOT_STATE);
        assert_string_equal(host.first_message, "the GPU process was lost while a snapshot was loaded");
    }
    host_reset(&host);
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(&snapshot);
    assert_int_equal(host.executor->load(host.executor, &reader), AGPU_OK);
    assert_int_equal(snapshot.at, snapshot.size);
    look_at_buffer(&host, GUEST_BASE);
    host_wait(&host);
    assert_buffer(host.guest);
    host_close(&host);
    free(snapshot.data);
}

/* ---- Order --------------------------------------------------------------------------------------------- */

static void a_writer_that_refuses_ends_the_save(void **state)
{
    struct host host;
    struct snapshot_bytes snapshot = {.limit = 3 << 20};
    (void)state;
    open_far(&host, NULL);
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
    assert_int_equal(host.executor->save_begin(host.executor, &writer), AGPU_OK);
    assert_int_equal(save_to_the_end(host.executor), AGPU_SAVE_FAILED);
    assert_int_equal(host.first_diag, AGPU_DIAG_SNAPSHOT_UNWRITABLE);
    look_at_buffer(&host, GUEST_BASE);
    host_wait(&host);
    assert_buffer(host.guest);
    snapshot.limit = 0;
    save(&host, &snapshot);
    host_close(&host);
    free(snapshot.data);
}

static void a_save_is_cancelled_and_begun_again(void **state)
{
    struct host host;
    struct snapshot_bytes snapshot = {0};
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
    (void)state;
    open_far(&host, NULL);
    for (uint32_t polls = 0; polls < 6; polls++) {
        assert_int_equal(host.executor->save_begin(host.executor, &writer), AGPU_OK);
        for (uint32_t i = 0; i < polls; i++) {
            host.executor->poll(host.executor);
            if (host.executor->save_poll(host.executor) != AGPU_SAVE_BUSY)
                break;
        }
        host.executor->save_cancel(host.executor);
    }
    save(&host, &snapshot);
    assert_int_equal(host.executor->save_poll(host.executor), AGPU_SAVE_FAILED);
    assert_int_equal(host.diag_count, 1); /* which is of that call */
    look_at_buffer(&host, GUEST_BASE);
    host_wait(&host);
    assert_buffer(host.guest);
    host_close(&host);
    free(snapshot.data);
}

/* The writer is called inside save_poll() alone, however often the executor is polled meanwhile. */
static void bytes_come_when_they_are_asked_for(void **state)
{
    struct host host;
    struct snapshot_bytes snapshot = {0};
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
    (void)state;
    open_far(&host, NULL);
    assert_int_equal(host.executor->save_begin(host.executor, &writer), AGPU_OK);
    size_t before = snapshot.size;
    enum agpu_save_state saved;
    do {
        for (uint32_t i = 0; i < 200; i++) {
            host.executor->poll(host.executor);
            nap();
        }
        assert_int_equal(snapshot.size, before);
        saved = host.executor->save_poll(host.executor);
        before = snapshot.size;
    } while (saved == AGPU_SAVE_BUSY);
    assert_int_equal(saved, AGPU_SAVE_DONE);
    host_close(&host);
    free(snapshot.data);
}

/* A submission that waits is in the snapshot, and is not executed before the next poll: guest memory that the
 * process maps is that of the snapshot until then. */
static void nothing_is_executed_behind_a_snapshot(void **state)
{
    struct host host, other = {.next_submission = 0};
    struct snapshot_bytes snapshot = {0};
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
    const int descriptor = memfd_create("guest", MFD_CLOEXEC);
    (void)state;
    assert_true(descriptor >= 0 && ftruncate(descriptor, GUEST_BYTES) == 0);
    uint8_t *const guest = mmap(NULL, GUEST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    assert_true(guest != MAP_FAILED);
    const uint64_t gpa = UINT64_C(1) << 32;
    const struct agpu_guest_region region = {.gpa = gpa, .size = GUEST_BYTES, .descriptor = descriptor};
    open_far(&host, &region);
    assert_int_equal(host.executor->save_begin(host.executor, &writer), AGPU_OK);
    look_at_buffer(&host, gpa); /* which the process has to keep for later */
    const uint32_t completed = host.completed_count;
    assert_int_equal(save_to_the_end(host.executor), AGPU_SAVE_DONE);
    for (uint32_t i = 0; i < 1000; i++)
        nap();
    assert_int_equal(guest[0], 0);
    assert_int_equal(host.completed_count, completed);
    host_wait(&host);
    assert_buffer(guest);

    memset(guest, 0, GUEST_BYTES);
    assert_true(host_open_on(&other, open_process(AGPU_NO_SLICE, &region)));
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(&snapshot);
    assert_int_equal(other.executor->load(other.executor, &reader), AGPU_OK);
    assert_int_equal(snapshot.at, snapshot.size);
    host_close(&other);
    host_close(&host);
    free(snapshot.data);
    munmap(guest, GUEST_BYTES);
    close(descriptor);
}

static void what_has_executed_loads_nothing(void **state)
{
    struct host host;
    struct snapshot_bytes snapshot = {0};
    (void)state;
    open_far(&host, NULL);
    save(&host, &snapshot);
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(&snapshot);
    assert_int_equal(host.executor->load(host.executor, &reader), AGPU_REFUSED);
    assert_int_equal(host.first_diag, AGPU_DIAG_SNAPSHOT_STATE);
    assert_int_equal(snapshot.at, 0);
    host_close(&host);
    free(snapshot.data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_between_processes),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(a_process_is_killed_while_it_saves),
        cmocka_unit_test(a_process_is_killed_while_it_loads),
        cmocka_unit_test(a_writer_that_refuses_ends_the_save),
        cmocka_unit_test(a_save_is_cancelled_and_begun_again),
        cmocka_unit_test(bytes_come_when_they_are_asked_for),
        cmocka_unit_test(nothing_is_executed_behind_a_snapshot),
        cmocka_unit_test(what_has_executed_loads_nothing),
    };
    struct diag_log log;
    diag_log_init(&log);
    if (argc < 4 || !agpu_driver_from_name(argv[2], &driver))
        return 1;
    program = argv[1];
    if (!snapshot_scenes_load(&scenes, argv + 3, argc - 3))
        return 1;
    const int opened = fixture_open(driver, &log, &gpu);
    if (opened != 0)
        return opened;
    agpu_gpu_info(gpu, &adapter);
    const int failed = cmocka_run_group_tests_name("process/snapshots", tests, NULL, NULL);
    snapshot_scenes_fini(&scenes);
    agpu_gpu_destroy(gpu);
    return failed;
}
