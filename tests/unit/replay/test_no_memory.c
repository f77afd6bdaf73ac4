/* SPDX-License-Identifier: MIT
 *
 * Captures when an allocation fails, each in turn: recording, reading, replaying and trimming say so, and
 * nothing is leaked.
 */
#include "support/test.h"

#include <string.h>

#include "aerogpu/capture.h"
#include "capture/capture.h"
#include "replay/replay.h"
#include "support/failing_memory.h"

static struct ag_scene *loaded;
static uint8_t captured[1 << 16];
static size_t captured_size;

static bool append(void *user, const void *data, size_t size)
{
    size_t *const length = user;
    assert_true(size <= sizeof captured - *length);
    memcpy(captured + *length, data, size);
    *length += size;
    return true;
}

static bool discard(void *user, const void *data, size_t size)
{
    (void)user;
    (void)data;
    return size != 0;
}

/* What a recording says that was not refused: all of it. */
static void check_recording(void)
{
    struct ag_capture *capture;
    struct ag_scene_report outcome;
    struct agpu_executor *executor = agpu_null_executor_create();
    const struct ag_scene_options options = {.executor = executor};
    assert_int_equal(ag_capture_read(captured, captured_size, NULL, &capture), AGPU_OK);
    assert_int_equal(ag_replay_run(capture, &options, NULL, &outcome), AGPU_OK);
    assert_int_equal(outcome.submissions, 2);
    ag_scene_report_fini(&outcome);
    ag_capture_destroy(capture);
    agpu_executor_destroy(executor);
}

/* The recorder may fail while the run goes on: finish says so. */
static bool records(void)
{
    struct agpu_capture_recorder *recorder;
    struct ag_scene_report outcome;
    struct agpu_executor *executor = agpu_null_executor_create();
    captured_size = 0;
    const struct agpu_capture_options options = {.write = append, .user = &captured_size, .text = "a test"};
    enum agpu_status status = agpu_capture_recorder_create(&options, NULL, &recorder);
    if (executor != NULL && status == AGPU_OK) {
        const struct ag_scene_options scene_options = {.executor = executor,
                                                       .tap = agpu_capture_recorder_tap(recorder)};
        const enum agpu_status run = ag_scene_run(loaded, &scene_options, NULL, &outcome);
        status = agpu_capture_recorder_finish(recorder, NULL);
        status = status == AGPU_OK ? run : status;
        ag_scene_report_fini(&outcome);
    }
    const bool failed = failing_memory_disarm();
    if (!failed)
        assert_int_equal(status, AGPU_OK);
    if (status == AGPU_OK && executor != NULL)
        check_recording();
    agpu_capture_recorder_destroy(recorder);
    agpu_executor_destroy(executor);
    return failed;
}

static struct ag_capture *recorded;

static bool reads(void)
{
    struct ag_capture *capture;
    const enum agpu_status status = ag_capture_read(captured, captured_size, NULL, &capture);
    const bool failed = failing_memory_disarm();
    assert_int_equal(status, failed ? AGPU_NO_MEMORY : AGPU_OK);
    assert_true(failed == (capture == NULL));
    ag_capture_destroy(capture);
    return failed;
}

static bool replays(void)
{
    struct ag_scene_report outcome;
    struct agpu_executor *executor = agpu_null_executor_create();
    if (executor == NULL)
        return failing_memory_disarm();
    const struct ag_scene_options options = {.executor = executor};
    const enum agpu_status status = ag_replay_run(recorded, &options, NULL, &outcome);
    const bool failed = failing_memory_disarm();
    assert_true(failed == (status != AGPU_OK));
    ag_scene_report_fini(&outcome);
    agpu_executor_destroy(executor);
    return failed;
}

/* The chunks' compression may go without its memory, and a hash unnoted: only then it succeeds all the same.
 */
static bool trims(void)
{
    const enum agpu_status status = ag_capture_trim(recorded, 0, 0, discard, NULL, NULL);
    const bool failed = failing_memory_disarm();
    assert_true(status == AGPU_OK || (failed && status == AGPU_NO_MEMORY));
    return failed;
}

static void captures_may_fail(void **state)
{
    (void)state;
    static const char scene[] = "aerogpu-scene 1\n"
                                "mem @ram at=0x1000 size=64 : u32 1 2 3\n"
                                "alloc 7 @ram\n"
                                "submit fence=3 {\n"
                                "    CREATE_BUFFER buffer_handle=$b size_bytes=16\n"
                                "    CLEAR flags=COLOR\n"
                                "    PRESENT\n"
                                "}\n"
                                "submit {\n"
                                "    PRESENT\n"
                                "}\n";
    assert_int_equal(ag_scene_load("x.scene", scene, sizeof scene - 1, 0, NULL, &loaded), AGPU_OK);
    assert_true(failing_memory_each(records) > 10);
    ag_scene_destroy(loaded);
    assert_true(failing_memory_each(reads) > 5);
    assert_int_equal(ag_capture_read(captured, captured_size, NULL, &recorded), AGPU_OK);
    assert_true(failing_memory_each(replays) > 5);
    assert_true(failing_memory_each(trims) > 5);
    ag_capture_destroy(recorded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
