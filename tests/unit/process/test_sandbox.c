/* SPDX-License-Identifier: MIT
 *
 * What a GPU process cannot do once its driver is open. Arguments: the program of probe_process.c, a driver.
 */
#include "../../support/test.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "aerogpu/process_executor.h"
#include "process/owner.h"

#define SKIPPED 77

static const char *program;
static enum agpu_driver driver;
static char lost[256];
static int shown = -1; /* what the owner of the last process has for its standard error */

static void on_gpu_diag(void *user, const struct agpu_diag *diag)
{
    (void)user;
    snprintf(lost, sizeof lost, "%s", diag->message);
}

/* Opens a process that gets a descriptor for its standard error. */
static struct agpu_executor *open_probe_with(int error)
{
    const struct agpu_gpu_options gpu = {.size = sizeof gpu, .driver = driver};
    const struct agpu_process_executor_options options = {
        .size = sizeof options, .program = program, .gpu = &gpu};
    const struct agpu_diag_sink sink = {on_gpu_diag, NULL};
    struct agpu_executor *executor = NULL;
    const int own = dup(STDERR_FILENO);
    lost[0] = '\0';
    dup2(error, STDERR_FILENO);
    const enum agpu_status status = agpu_process_executor_create(&options, &sink, &executor);
    dup2(own, STDERR_FILENO);
    close(own);
    assert_int_equal(status, AGPU_OK);
    assert_int_equal(agpu_process_executor_wait(executor, AGPU_NO_TIMEOUT), AGPU_OK);
    return executor;
}

/* Opens a process whose standard error can be read here. */
static struct agpu_executor *open_probe(int *said)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(shown);
    shown = ends[1];
    *said = ends[0];
    return open_probe_with(shown);
}

/* All that the owner passes on up to a line "end". */
static void read_lines(struct agpu_executor *executor, int from, char *text, size_t size)
{
    struct pollfd ready = {.fd = from, .events = POLLIN};
    size_t length = 0;
    text[0] = '\0';
    while (length + 1 < size && strstr(text, "end\n") == NULL) {
        executor->poll(executor);
        if (poll(&ready, 1, 1) == 0)
            continue;
        const ssize_t got = read(from, text + length, size - 1 - length);
        assert_true(got > 0);
        length += (size_t)got;
        text[length] = '\0';
    }
}

static void nothing_but_memory_and_time(void **state)
{
    (void)state;
    char text[4096];
    int said;
    struct agpu_executor *const executor = open_probe(&said);
    kill((pid_t)agpu_process_executor_pid(executor), SIGUSR1);
    read_lines(executor, said, text, sizeof text);
    assert_string_equal(text, "read a file: refused\n"
                              "write a file: refused\n"
                              "list a folder: refused\n"
                              "look at a file: refused\n"
                              "take a file away: refused\n"
                              "make a socket: refused\n"
                              "send a descriptor: no such call\n"
                              "signal the owner: no such call\n"
                              "make a process: no such call\n"
                              "make a process that shares memory: no such call\n"
                              "send to an address: no such call\n"
                              "make memory executable: allowed\n"
                              "read from standard error: Bad file descriptor\n"
                              "end\n");
    assert_true(access("probe.out", F_OK) != 0);
    /* It did not block for the process, which is not the owner's concern. */
    assert_int_equal(fcntl(shown, F_GETFL) & O_NONBLOCK, 0);
    executor->destroy(executor);
    close(said);
}

/* All that is in a file, which has at least as much as ends with a line "end". */
static void read_file(struct agpu_executor *executor, int file, char *text, size_t size)
{
    const struct timespec nap = {0, 1000000};
    do {
        executor->poll(executor);
        const ssize_t got = pread(file, text, size - 1, 0);
        assert_true(got >= 0);
        text[got] = '\0';
        nanosleep(&nap, NULL);
    } while (strstr(text, "\nend\n") == NULL);
}

/* The owner and its process write into one file, and neither overwrites what the other has written. */
static void files_have_all_that_is_said(void **state)
{
    (void)state;
    static const char before[] = "before\n", after[] = "after\n";
    char text[4096];
    FILE *const temporary = tmpfile();
    assert_non_null(temporary);
    const int file = fileno(temporary);
    assert_int_equal(write(file, before, strlen(before)), strlen(before));
    struct agpu_executor *const executor = open_probe_with(file);
    kill((pid_t)agpu_process_executor_pid(executor), SIGUSR1);
    read_file(executor, file, text, sizeof text);
    assert_int_equal(write(file, after, strlen(after)), strlen(after));
    read_file(executor, file, text, sizeof text);
    assert_memory_equal(text, "before\nread a file: refused\n", strlen("before\nread a file: refused\n"));
    assert_string_equal(strstr(text, "\nend\n"), "\nend\nafter\n");
    executor->destroy(executor);
    fclose(temporary);
}

static void a_program_is_the_end(void **state)
{
    (void)state;
    const struct timespec nap = {0, 1000000};
    int said;
    struct agpu_executor *const executor = open_probe(&said);
    ag_owner_of(executor)->end_wait_ns = UINT64_C(60000000000); /* until it is known how the process ended */
    kill((pid_t)agpu_process_executor_pid(executor), SIGUSR2);
    while (lost[0] == '\0') {
        executor->poll(executor);
        nanosleep(&nap, NULL);
    }
    assert_string_equal(lost, "the GPU device was lost: the GPU process was killed by signal 31");
    executor->destroy(executor);
    close(said);
}

/* A number behind a word in /proc/PID/status; UINT64_MAX: there is no such word. */
static uint64_t status_of(int64_t pid, const char *word, int base)
{
    char path[64], line[256];
    uint64_t value = UINT64_MAX;
    snprintf(path, sizeof path, "/proc/%lld/status", (long long)pid);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, word, strlen(word)) == 0)
            value = strtoull(line + strlen(word), NULL, base);
    fclose(file);
    return value;
}

static void has_no_privileges(void **state)
{
    (void)state;
    int said;
    struct agpu_executor *const executor = open_probe(&said);
    const int64_t pid = agpu_process_executor_pid(executor);
    assert_int_equal(status_of(pid, "NoNewPrivs:", 10), 1);
    assert_int_equal(status_of(pid, "Seccomp:", 10), 2);
    assert_int_equal(status_of(pid, "CapPrm:", 16), 0);
    assert_int_equal(status_of(pid, "CapEff:", 16), 0);
    executor->destroy(executor);
    close(said);
}

/* An owner, in a process that can be killed, says which GPU process it has. */
static void own_a_process(int to)
{
    int said;
    const int64_t pid = agpu_process_executor_pid(open_probe(&said));
    if (write(to, &pid, sizeof pid) == sizeof pid)
        for (;;)
            pause();
    _exit(1);
}

/* Gone, or dead and not yet waited for. */
static bool is_dead(int64_t pid)
{
    char path[64], line[256];
    bool dead = true;
    snprintf(path, sizeof path, "/proc/%lld/status", (long long)pid);
    FILE *const file = fopen(path, "r");
    if (file == NULL)
        return true;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "State:", 6) == 0)
            dead = strchr(line, 'Z') != NULL || strchr(line, 'X') != NULL;
    fclose(file);
    return dead;
}

static void dies_with_its_owner(void **state)
{
    (void)state;
    const struct timespec nap = {0, 1000000};
    int ends[2];
    int64_t pid = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t owner = fork();
    if (owner == 0)
        own_a_process(ends[1]);
    assert_int_equal(read(ends[0], &pid, sizeof pid), sizeof pid);
    assert_true(pid > 0 && !is_dead(pid));
    kill(owner, SIGKILL);
    waitpid(owner, NULL, 0);
    while (!is_dead(pid))
        nanosleep(&nap, NULL);
    close(ends[0]);
    close(ends[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_but_memory_and_time), cmocka_unit_test(files_have_all_that_is_said),
        cmocka_unit_test(a_program_is_the_end),        cmocka_unit_test(has_no_privileges),
        cmocka_unit_test(dies_with_its_owner),
    };
    char icd[1024];
    if (argc != 3 || !agpu_driver_from_name(argv[2], &driver))
        return 1;
    program = argv[1];
    if (driver != AGPU_DRIVER_NULL && !agpu_driver_icd_path(driver, icd, sizeof icd)) {
        printf("skipped: the Vulkan driver %s is not installed\n", argv[2]);
        return SKIPPED;
    }
    if (driver != AGPU_DRIVER_NULL)
        setenv("VK_DRIVER_FILES", icd, 1);
    return cmocka_run_group_tests_name("process/sandbox", tests, NULL, NULL);
}
