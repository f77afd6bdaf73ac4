/* SPDX-License-Identifier: MIT
 *
 * A GPU that does not finish its work: the submission fails in time, a new device takes the place of the
 * one that hangs, and destroying does not wait for the GPU.
 */
#include "../../support/test.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "busy_work.h"

enum { TARGET = 1 };

#define SECOND_NS UINT64_C(1000000000)
#define HANG_MS 2000
/* Some times the timeout, which counts while the embedder polls, on a machine that other programs keep busy.
 */
#define MOST_HANG_NS (5 * HANG_MS * UINT64_C(1000000))

static struct host host;
static uint32_t losses;

/* Lets WebGPU delete what was released, for which lavapipe waits while it works. */
static void begin_idle(void)
{
    host_reset(&host);
    for (int i = 0; i < 50; i++) {
        host.executor->poll(host.executor);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void assert_frame(struct agpu_writer *writer, uint32_t context_id)
{
    const uint32_t presents = host.present_count;
    host.context_id = context_id;
    host_write_frame(writer, TARGET);
    host_run_ok(&host, writer);
    assert_int_equal(host.present_count, presents + 1);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
}

/* A loss of the device costs the two submissions in flight, which are of two contexts. */
static void hang(struct agpu_writer *writer)
{
    const uint32_t before = losses;
    const uint64_t start = ag_clock_ns();
    host.context_id = 1;
    busy_work_write(writer, BUSY_WORK_HANG);
    host_submit(&host, writer, NULL, 0);
    host.context_id = 2;
    host_write_frame(writer, TARGET);
    host_submit(&host, writer, NULL, 0);
    host.completed_count = 0;
    host_wait(&host);
    assert_true(ag_clock_ns() - start < MOST_HANG_NS);
    assert_int_equal(losses, before + 1);
    assert_int_equal(host.completed_count, 2);
    assert_int_equal(host.last_error, AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_HANG);
}

static void other_contexts_go_on_and_resets_bring_all_back(void **state)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    begin_idle();
    hang(&writer);
    for (uint32_t id = 1; id <= 2; id++) {
        host.context_id = id;
        host_write_frame(&writer, TARGET);
        assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
        assert_int_equal(host.first_diag, AGPU_DIAG_GPU_LOST);
    }
    assert_frame(&writer, 3);
    assert_int_equal(host_run_text(&host, "EXT_DESTROY_CONTEXT context_id=1\n"), AEROGPU_ERROR_NONE);
    assert_frame(&writer, 1);
    host_reset(&host);
    assert_frame(&writer, 2);
    agpu_writer_fini(&writer);
    (void)state;
}

/* While the GPU works for what the reset dropped, or on another device. */
static void resets_do_not_wait(void **state)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    begin_idle();
    busy_work_write(&writer, BUSY_WORK_HANG);
    host_submit(&host, &writer, NULL, 0);
    const uint64_t start = ag_clock_ns();
    while (ag_clock_ns() - start < 2 * SECOND_NS && host.executor->poll(host.executor))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    host_reset(&host);
    assert_frame(&writer, 1);
    agpu_writer_fini(&writer);
    (void)state;
}

/* The groups are done before any timeout, and so is the next frame. */
static void work_that_ends_is_no_hang(void **state)
{
    struct agpu_writer writer;
    const uint32_t before = losses;
    agpu_writer_init_growing(&writer, NULL);
    begin_idle();
    busy_work_write(&writer, 1000);
    host_run_ok(&host, &writer);
    assert_frame(&writer, 1);
    assert_int_equal(losses, before);
    agpu_writer_fini(&writer);
    (void)state;
}

/* Destroys executor and device while the GPU works for them. */
static int close_busy(void **state)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    begin_idle();
    busy_work_write(&writer, BUSY_WORK_HANG);
    host_submit(&host, &writer, NULL, 0);
    const uint64_t start = ag_clock_ns();
    host_close(&host);
    assert_true(ag_clock_ns() - start < MOST_HANG_NS);
    agpu_writer_fini(&writer);
    (void)state;
    return 0;
}

static void on_device_lost(void *user)
{
    (void)user;
    losses++;
}

static int open_with(const char *driver, uint32_t gpu_timeout_ms)
{
    const struct agpu_executor_options options = {
        .size = sizeof options, .loop_budget = AGPU_NO_LOOP_BUDGET, .gpu_timeout_ms = gpu_timeout_ms};
    const int result = host_open_with(&host, driver, NULL, &options);
    host.device_lost = on_device_lost;
    return result;
}

/* What hangs comes last: software drivers keep the processors busy with it until the process ends. */
int main(int argc, char **argv)
{
    const struct CMUnitTest patient[] = {
        cmocka_unit_test(work_that_ends_is_no_hang),
        cmocka_unit_test(resets_do_not_wait),
    };
    const struct CMUnitTest hanging[] = {
        cmocka_unit_test(other_contexts_go_on_and_resets_bring_all_back),
    };
    if (argc != 2)
        return 2;
    int result = open_with(argv[1], AGPU_NO_GPU_TIMEOUT - 1);
    if (result != 0)
        return result;
    result = cmocka_run_group_tests(patient, NULL, NULL);
    host_close(&host);
    if (result == 0)
        result = open_with(argv[1], HANG_MS);
    if (result == 0)
        result = cmocka_run_group_tests(hanging, NULL, close_busy);
    host_leave(result);
}
