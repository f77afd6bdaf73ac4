/* SPDX-License-Identifier: MIT
 *
 * A WebGPU device that is lost inside a GPU process, and a process that is lost with its device: the guest
 * hears of either once, and goes on.
 *
 *     test_process_loss TOOL DRIVER
 */
#include "../../support/test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>

#include "../../support/no_ram.h"
#include "../exec/busy_work.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/device.h"
#include "aerogpu/process_executor.h"
#include "started_process.h"

enum { TARGET = 1 };

#define GPU_TIMEOUT_MS 2000 /* a frame on a busy machine is no hang */

static const char *program;
static enum agpu_driver driver;
static struct host host;
static uint32_t losses;

static void on_device_lost(void *user)
{
    (void)user;
    losses++;
}

static struct agpu_executor *open_process(void)
{
    const struct agpu_executor_options options = {.size = sizeof options,
                                                  .slice_us = AGPU_NO_SLICE,
                                                  .loop_budget = AGPU_NO_LOOP_BUDGET,
                                                  .gpu_timeout_ms = GPU_TIMEOUT_MS};
    return started_process(program, driver, &options, NULL);
}

static void open_host(void)
{
    host = (struct host){.next_submission = 0};
    losses = 0;
    assert_true(host_open_on(&host, open_process()));
    host.device_lost = on_device_lost;
}

static uint32_t run_frame(struct agpu_writer *writer, uint32_t context_id)
{
    host.context_id = context_id;
    host_write_frame(writer, TARGET);
    return host_run(&host, writer, NULL, 0);
}

static void assert_frame(struct agpu_writer *writer)
{
    host.present_count = 0;
    assert_int_equal(run_frame(writer, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(host.present_count, 1);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
}

/* Two submissions of two contexts are in flight when the GPU hangs. */
static void lose_device(struct agpu_writer *writer)
{
    host.context_id = 1;
    busy_work_write(writer, BUSY_WORK_HANG);
    host_submit(&host, writer, NULL, 0);
    host.context_id = 2;
    host_write_frame(writer, TARGET);
    host_submit(&host, writer, NULL, 0);
    host.completed_count = 0;
    host_wait(&host);
    assert_int_equal(host.completed_count, 2);
    assert_int_equal(host.last_error, AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_HANG);
}

static void a_device_is_lost_in_its_process(void **state)
{
    struct agpu_writer writer;
    (void)state;
    open_host();
    agpu_writer_init_growing(&writer, NULL);
    assert_frame(&writer);
    for (uint32_t i = 1; i <= 2; i++) {
        const int64_t pid = agpu_process_executor_pid(host.executor);
        lose_device(&writer);
        assert_int_equal(losses, i);
        assert_int_equal(agpu_process_executor_pid(host.executor), pid); /* which lives */
        for (uint32_t id = 1; id <= 2; id++) {
            assert_int_equal(run_frame(&writer, id), AEROGPU_ERROR_BACKEND);
            assert_int_equal(host.first_diag, AGPU_DIAG_GPU_LOST);
        }
        host_reset(&host);
        assert_frame(&writer); /* of another process */
        assert_true(agpu_process_executor_pid(host.executor) != pid);
        assert_int_equal(losses, i);
    }
    agpu_writer_fini(&writer);
    host_close(&host);
}

static void a_process_is_lost_with_its_device(void **state)
{
    struct agpu_writer writer;
    (void)state;
    open_host();
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t i = 1; i <= 2; i++) {
        const int64_t pid = agpu_process_executor_pid(host.executor);
        assert_frame(&writer);
        host_write_frame(&writer, TARGET);
        host_submit(&host, &writer, NULL, 0);
        assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
        while (agpu_process_executor_pid(host.executor) == pid)
            host.executor->poll(host.executor);
        assert_int_equal(losses, i);
        assert_int_equal(run_frame(&writer, 1), AEROGPU_ERROR_BACKEND);
        assert_int_equal(losses, i); /* all work fails for one loss */
        host_reset(&host);
        assert_frame(&writer);
    }
    agpu_writer_fini(&writer);
    host_close(&host);
}

/* A process that dies with a lost device is no second loss. */
static void a_loss_is_told_once(void **state)
{
    struct agpu_writer writer;
    (void)state;
    open_host();
    agpu_writer_init_growing(&writer, NULL);
    const int64_t pid = agpu_process_executor_pid(host.executor);
    lose_device(&writer);
    assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
    while (agpu_process_executor_pid(host.executor) == pid)
        host.executor->poll(host.executor);
    assert_int_equal(run_frame(&writer, 3), AEROGPU_ERROR_BACKEND);
    assert_int_equal(losses, 1);
    host_reset(&host);
    assert_frame(&writer);
    assert_int_equal(losses, 1);
    agpu_writer_fini(&writer);
    host_close(&host);
}

/* The guest counts losses in a register. */
static void the_guest_sees_the_loss(void **state)
{
    const struct agpu_device_callbacks callbacks = {.memory = no_ram()};
    struct agpu_device *device;
    (void)state;
    struct agpu_executor *const executor = open_process();
    assert_int_equal(agpu_device_create(NULL, &callbacks, executor, 0, &device), AGPU_OK);
    assert_int_equal(agpu_device_mmio_read(device, AEROGPU_MMIO_REG_EXT_GPU_LOSSES, 4), 0);
    assert_int_equal(kill((pid_t)agpu_process_executor_pid(executor), SIGKILL), 0);
    while (agpu_process_executor_pid(executor) != 0)
        agpu_device_poll(device, 1);
    assert_int_equal(agpu_device_mmio_read(device, AEROGPU_MMIO_REG_EXT_GPU_LOSSES, 4), 1);
    agpu_device_destroy(device);
    agpu_executor_destroy(executor);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_is_lost_in_its_process),
        cmocka_unit_test(a_process_is_lost_with_its_device),
        cmocka_unit_test(a_loss_is_told_once),
        cmocka_unit_test(the_guest_sees_the_loss),
    };
    char icd[1024];
    if (argc != 3 || !agpu_driver_from_name(argv[2], &driver))
        return 1;
    program = argv[1];
    if (!agpu_driver_icd_path(driver, icd, sizeof icd))
        return HOST_SKIPPED;
    setenv("VK_DRIVER_FILES", icd, 1);
    return cmocka_run_group_tests_name("process/loss", tests, NULL, NULL);
}
