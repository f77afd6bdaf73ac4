/* SPDX-License-Identifier: MIT
 *
 * What a process behind the filter for devices can open: /dev/zero, which is open before the filter, stands
 * for a GPU's device file.
 */
#include "../../support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/device_files.h"
#include "process/sandbox.h"

#define THREADS 8
#define ROUNDS 400

/* What the process behind the filter found: 0, or the line of what was wrong. */
#define CHECK(good)                                                                                          \
    do {                                                                                                     \
        if (!(good))                                                                                         \
            return __LINE__;                                                                                 \
    } while (0)

static int open_for(int access)
{
    uint8_t byte = 1;
    const int file = open("/dev/zero", access | O_CLOEXEC);
    CHECK(file >= 0);
    CHECK((fcntl(file, F_GETFL) & O_ACCMODE) == access);
    CHECK(read(file, &byte, 1) == 1 && byte == 0);
    CHECK(close(file) == 0);
    return 0;
}

static int open_again(void)
{
    return open_for(O_RDWR);
}

static int look(void)
{
    struct stat status, open_status;
    const int file = open("/dev/zero", O_RDONLY);
    CHECK(file >= 0);
    CHECK(stat("/dev/zero", &status) == 0 && S_ISCHR(status.st_mode));
    CHECK(fstat(file, &open_status) == 0 && open_status.st_rdev == status.st_rdev);
    CHECK(close(file) == 0);
    CHECK(stat("/etc/passwd", &status) != 0 && errno == EACCES);
    return 0;
}

static int try_others(void)
{
    static const char *const paths[] = {
        "/etc/passwd",    "/dev/full",
        "/dev",           "/dev/../etc/passwd",
        "/dev/zero/",     "",
        "/dev/shm/probe", "/dev/a file whose name is longer than the names that a broker is ever told",
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        errno = 0;
        CHECK(open(paths[i], O_RDWR | O_CREAT, 0600) < 0 && errno == EACCES);
    }
    return 0;
}

/* Opens a file again and again for one kind of access, so that it notices when it gets a file of another
 * thread. */
struct opener {
    int access, wrong;
};

static void *open_often(void *argument)
{
    struct opener *const opener = argument;
    for (int i = 0; i < ROUNDS && opener->wrong == 0; i++)
        opener->wrong = open_for(opener->access);
    return NULL;
}

static int open_in_threads(void)
{
    pthread_t threads[THREADS];
    struct opener openers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        openers[i] = (struct opener){i % 2 == 0 ? O_RDWR : O_RDONLY, 0};
        CHECK(pthread_create(&threads[i], NULL, open_often, &openers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(openers[i].wrong == 0);
    }
    return 0;
}

/* Enters the filter as a GPU process does; tells the parent which process its broker is. */
static int enter(int to)
{
    const pid_t broker = ag_device_files_begin();
    CHECK(broker > 0);
    CHECK(open("/dev/zero", O_RDWR) >= 0 && open("/dev/zero", O_RDONLY) >= 0);
    CHECK(write(to, &broker, sizeof broker) == sizeof broker);
    CHECK(ag_device_files_end());
    CHECK(ag_sandbox_enter(AGPU_SANDBOX_DEVICES));
    return 0;
}

static int all(void)
{
    int wrong = open_again();
    if (wrong == 0)
        wrong = look();
    if (wrong == 0)
        wrong = try_others();
    if (wrong == 0)
        wrong = open_in_threads();
    return wrong;
}

/* The line that was wrong in a process behind the filter; *broker is its broker. */
static int run(int (*work)(void), pid_t *broker)
{
    int ends[2], wrong = -1;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        const int to = fcntl(ends[1], F_DUPFD, 16); /* away from the descriptors of a GPU process */
        wrong = enter(to);
        if (wrong == 0)
            wrong = work();
        _exit(write(to, &wrong, sizeof wrong) != sizeof wrong);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], broker, sizeof *broker), sizeof *broker);
    assert_int_equal(read(ends[0], &wrong, sizeof wrong), sizeof wrong);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ends[0]);
    return wrong;
}

static void device_files_can_be_opened_again(void **state)
{
    (void)state;
    pid_t broker;
    assert_int_equal(run(all, &broker), 0);
}

/* Neither gone nor dead and not waited for, as orphans are in a container without init. */
static bool is_running(pid_t pid)
{
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *const file = fopen(path, "r");
    if (file == NULL)
        return false;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *const state = strrchr(text, ')');
    return state != NULL && strchr("ZX", state[2]) == NULL;
}

static void the_broker_ends_with_its_process(void **state)
{
    (void)state;
    const struct timespec nap = {0, 1000000};
    pid_t broker;
    assert_int_equal(run(open_again, &broker), 0);
    for (int i = 0; i < 10000 && is_running(broker); i++)
        nanosleep(&nap, NULL);
    assert_false(is_running(broker));
}

static void a_broker_that_nobody_needs_ends(void **state)
{
    (void)state;
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        const pid_t broker = ag_device_files_begin();
        ag_device_files_forget(broker);
        _exit(broker <= 0 || kill(broker, 0) == 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_files_can_be_opened_again),
        cmocka_unit_test(the_broker_ends_with_its_process),
        cmocka_unit_test(a_broker_that_nobody_needs_ends),
    };
    return cmocka_run_group_tests_name("process/device_files", tests, NULL, NULL);
}
