/* SPDX-License-Identifier: MIT
 *
 * What becomes of what a GPU process writes to its standard error. Argument: the program of
 * writing_process.c.
 */
#include "../../support/test.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "aerogpu/process_executor.h"
#include "base/clock.h"
#include "process/owner.h"

#define LINE "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n" /* 64 bytes */
#define ENDED "the GPU device was lost: the GPU process ended with status 7"

static const char *program;

struct heard {
    char lost[256], warning[256];
    uint32_t warnings;
};

static void on_diag(void *user, const struct agpu_diag *diag)
{
    struct heard *const heard = user;
    if (diag->severity == AGPU_WARNING) {
        assert_int_equal(diag->code, AGPU_DIAG_GPU_PROCESS);
        snprintf(heard->warning, sizeof heard->warning, "%s", diag->message);
        heard->warnings++;
    } else {
        snprintf(heard->lost, sizeof heard->lost, "%s", diag->message);
    }
}

/* Starts a process whose owner has `error` as its standard error. The texts may be null. */
static struct agpu_executor *start(struct heard *heard, int error, const char *text, const char *times)
{
    const char *const arguments[] = {program, text, times, NULL};
    const struct agpu_process_executor_options options = {
        .size = sizeof options,
        .program = program,
        .arguments = arguments,
        .start_timeout_ms = AGPU_NO_TIMEOUT,
    };
    const struct agpu_diag_sink sink = {on_diag, heard};
    struct agpu_executor *executor = NULL;
    *heard = (struct heard){.warnings = 0};
    const int own = dup(STDERR_FILENO);
    dup2(error, STDERR_FILENO);
    const enum agpu_status status = agpu_process_executor_create(&options, &sink, &executor);
    dup2(own, STDERR_FILENO);
    close(own);
    assert_int_equal(status, AGPU_OK);
    ag_owner_of(executor)->end_wait_ns = UINT64_C(60000000000);
    return executor;
}

/* Polls when there is something to be polled for, until the process has ended. */
static void poll_to_the_end(struct agpu_executor *executor, const struct heard *heard)
{
    struct pollfd said = {.fd = agpu_process_executor_descriptor(executor), .events = POLLIN};
    while (heard->lost[0] == '\0') {
        poll(&said, 1, -1);
        executor->poll(executor);
    }
    assert_string_equal(heard->lost, ENDED);
}

static void all_is_passed_on(void **state)
{
    (void)state;
    struct heard heard;
    char text[1024] = "";
    FILE *const file = tmpfile();
    assert_non_null(file);
    assert_int_equal(write(fileno(file), "before\n", 7), 7);
    struct agpu_executor *const executor =
        start(&heard, fileno(file), "a\tword\033[2J \xC2\x9B \xC3\xA9\r\n", "2");
    poll_to_the_end(executor, &heard);
    executor->destroy(executor);
    assert_int_equal(write(fileno(file), "after\n", 6), 6);
    assert_true(pread(fileno(file), text, sizeof text - 1, 0) > 0);
    assert_string_equal(text, "before\n"
                              "a\tword?[2J ?? \xC3\xA9?\n"
                              "a\tword?[2J ?? \xC3\xA9?\n"
                              "after\n");
    assert_int_equal(heard.warnings, 0);
    fclose(file);
}

/* The process writes 32 MiB and ends: it was not kept waiting. */
static void much_is_left_out(void **state)
{
    (void)state;
    struct heard heard;
    FILE *const file = tmpfile();
    assert_non_null(file);
    const uint64_t begin = ag_clock_ns();
    struct agpu_executor *const executor = start(&heard, fileno(file), LINE, "524288");
    poll_to_the_end(executor, &heard);
    const uint64_t seconds = (ag_clock_ns() - begin) / UINT64_C(1000000000) + 1;
    const off_t size = lseek(fileno(file), 0, SEEK_END);
    assert_in_range(size, AG_ERROR_BURST_BYTES - 4096,
                    AG_ERROR_BURST_BYTES + seconds * AG_ERROR_BYTES_PER_SECOND);
    assert_in_range(heard.warnings, 1, 1 + seconds / 15);
    assert_string_equal(
        heard.warning, "the GPU process writes more to standard error than 65536 bytes a second, or than can "
                       "be written there; some of it is left out");
    executor->destroy(executor);
    fclose(file);
}

/* The rate is the owner's, not that of each of its processes. */
static void processes_share_a_rate(void **state)
{
    (void)state;
    struct heard heard;
    FILE *const file = tmpfile();
    assert_non_null(file);
    const uint64_t begin = ag_clock_ns();
    struct agpu_executor *const executor = start(&heard, fileno(file), LINE, "32768");
    const int own = dup(STDERR_FILENO);
    for (uint32_t i = 0; i < 3; i++) {
        heard.lost[0] = '\0';
        poll_to_the_end(executor, &heard);
        dup2(fileno(file), STDERR_FILENO);
        while (agpu_process_executor_pid(executor) == 0 && i < 2) {
            executor->reset(executor);
            executor->poll(executor);
        }
        dup2(own, STDERR_FILENO);
    }
    close(own);
    const uint64_t seconds = (ag_clock_ns() - begin) / UINT64_C(1000000000) + 1;
    assert_in_range(lseek(fileno(file), 0, SEEK_END), AG_ERROR_BURST_BYTES - 4096,
                    AG_ERROR_BURST_BYTES + seconds * AG_ERROR_BYTES_PER_SECOND);
    executor->destroy(executor);
    fclose(file);
}

static void a_process_that_writes_for_ever_is_ended(void **state)
{
    (void)state;
    struct heard heard;
    FILE *const file = tmpfile();
    assert_non_null(file);
    struct agpu_executor *const executor = start(&heard, fileno(file), LINE, "18446744073709551615");
    while (heard.warnings == 0)
        executor->poll(executor);
    executor->destroy(executor);
    assert_string_equal(heard.lost, "");
    fclose(file);
}

/* A pipe that is full, and that nobody reads. It would block its owner for ever; its flags stay. */
static void a_full_pipe_keeps_nobody_waiting(void **state)
{
    (void)state;
    struct heard heard;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct agpu_executor *const executor = start(&heard, ends[1], LINE, "4096");
    poll_to_the_end(executor, &heard);
    executor->poll(executor);
    assert_in_range(heard.warnings, 1, 10);
    assert_int_equal(fcntl(ends[1], F_GETFL) & O_NONBLOCK, 0);
    executor->destroy(executor);
    close(ends[0]);
    close(ends[1]);
}

/* Nor does one whose reader is gone end its owner by a signal. */
static void a_broken_pipe_ends_nobody(void **state)
{
    (void)state;
    struct heard heard;
    sigset_t pending;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct agpu_executor *const executor = start(&heard, ends[1], LINE, "4096");
    close(ends[0]);
    poll_to_the_end(executor, &heard);
    executor->destroy(executor);
    sigpending(&pending);
    assert_false(sigismember(&pending, SIGPIPE));
    close(ends[1]);
}

static void a_socket_keeps_nobody_waiting(void **state)
{
    (void)state;
    struct heard heard;
    char text[sizeof LINE] = "";
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    struct agpu_executor *const executor = start(&heard, ends[1], LINE, "16384");
    poll_to_the_end(executor, &heard);
    executor->poll(executor);
    assert_in_range(heard.warnings, 1, 10);
    assert_int_equal(recv(ends[0], text, sizeof text - 1, 0), sizeof text - 1);
    assert_string_equal(text, LINE);
    executor->destroy(executor);
    close(ends[0]);
    close(ends[1]);
}

/* A device on which every write fails. */
static void a_full_device_keeps_nobody_waiting(void **state)
{
    (void)state;
    struct heard heard;
    const int full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0);
    struct agpu_executor *const executor = start(&heard, full, LINE, "65536");
    poll_to_the_end(executor, &heard);
    executor->poll(executor);
    assert_in_range(heard.warnings, 1, 10); /* one in 16 s */
    executor->destroy(executor);
    close(full);
}

/* The end of a pipe is readable for ever, and nothing to poll for. */
static void a_closed_end_wakes_nobody(void **state)
{
    (void)state;
    struct heard heard;
    struct agpu_executor *const executor = start(&heard, STDERR_FILENO, NULL, NULL);
    struct pollfd said = {.fd = agpu_process_executor_descriptor(executor), .events = POLLIN};
    assert_int_equal(poll(&said, 1, -1), 1);
    executor->poll(executor);
    assert_int_equal(poll(&said, 1, 20), 0);
    assert_string_equal(heard.lost, "");
    executor->destroy(executor);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_passed_on),
        cmocka_unit_test(much_is_left_out),
        cmocka_unit_test(processes_share_a_rate),
        cmocka_unit_test(a_process_that_writes_for_ever_is_ended),
        cmocka_unit_test(a_full_pipe_keeps_nobody_waiting),
        cmocka_unit_test(a_broken_pipe_ends_nobody),
        cmocka_unit_test(a_socket_keeps_nobody_waiting),
        cmocka_unit_test(a_full_device_keeps_nobody_waiting),
        cmocka_unit_test(a_closed_end_wakes_nobody),
    };
    if (argc != 2)
        return 1;
    program = argv[1];
    return cmocka_run_group_tests_name("process/error_relay", tests, NULL, NULL);
}
