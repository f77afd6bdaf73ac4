/* SPDX-License-Identifier: MIT
 *
 * Kills of the GPU process at random moments of running demos, half of which save and load the device now and
 * then. The host lives, the guest sees a lost device at most, the next run on the same executor is whole, and
 * nothing leaks.
 *
 *     test_kills TOOL DRIVER KILLS SEED SCENE...
 */
#include "../../support/test.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "aerogpu/process_executor.h"
#include "base/clock.h"
#include "scene/scene.h"
#include "started_process.h"

#define SKIPPED 77
#define MOST_SCENES 16
#define MOST_TEXT 512
#define SNAPSHOT_PERIOD 8 /* submissions, after the first one */
/* Memory that the process may have grown by between two kills of the second half, which find everything
 * allocated that is kept; sanitizers keep what was freed for a while. */
#define GROWTH_BYTES (UINT64_C(64) << 20)

static const char *program;
static enum agpu_driver driver;
static uint32_t kills;
static uint64_t random_state;
static struct ag_scene *scenes[MOST_SCENES];
static uint32_t scene_count;

static uint32_t next_random(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

/* ---- What a process holds ---------------------------------------------------------------------------- */

/* Of what is in /dev/shm, names of other programs may come and go, and what `aerogpu run PROGRAM.exe` and
 * kills of servers keep there is of tests that run beside this one. */
static bool is_of_others(const char *name)
{
    return strncmp(name, "aerogpu", strlen("aerogpu")) != 0 ||
           strncmp(name, "aerogpu-run-", strlen("aerogpu-run-")) == 0 ||
           strncmp(name, "aerogpu-kills-", strlen("aerogpu-kills-")) == 0;
}

static bool is_of_nobody(const char *name)
{
    (void)name;
    return false;
}

static uint32_t count_entries(const char *path, bool (*is_left_out)(const char *name))
{
    uint32_t count = 0;
    DIR *const folder = opendir(path);
    if (folder == NULL)
        return 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        count += !is_left_out(entry->d_name);
    closedir(folder);
    return count;
}

static uint64_t resident_bytes(void)
{
    unsigned long long pages = 0, resident = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu %llu", &pages, &resident), 2);
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* ---- The killer -------------------------------------------------------------------------------------- */

struct killer {
    pthread_t thread;
    int64_t pid;
    uint64_t after_ns;
};

static void *kill_later(void *user)
{
    const struct killer *const killer = user;
    const struct timespec pause = {(time_t)(killer->after_ns / 1000000000),
                                   (long)(killer->after_ns % 1000000000)};
    nanosleep(&pause, NULL);
    kill((pid_t)killer->pid, SIGKILL);
    return NULL;
}

/* ---- Runs -------------------------------------------------------------------------------------------- */

/* The device that is loaded has the executor of the one that was saved, which is reset between the two. */
static struct agpu_executor *renew(void *user)
{
    return user;
}

/* What a run says that should have passed. */
static void keep_first_error(void *user, const struct agpu_diag *diag)
{
    char *const text = user;
    if (diag->severity == AGPU_ERROR && text[0] == '\0')
        snprintf(text, MOST_TEXT, "%s: %s", agpu_diag_slug(diag->code), diag->message);
}

/* `text` is an error of the run, or "". */
static bool run_scene(struct agpu_executor *executor, struct ag_scene *scene, bool has_snapshots,
                      char text[MOST_TEXT])
{
    struct ag_scene_report report;
    struct agpu_adapter_info adapter = {.size = sizeof adapter, .driver = "none"};
    agpu_process_executor_info(executor, &adapter);
    const struct ag_scene_options options = {
        .executor = executor,
        .adapter = &adapter,
        .timeout_ms = UINT32_MAX,
        .snapshot_period = has_snapshots ? SNAPSHOT_PERIOD : 0,
        .snapshot_first = 1,
        .renew = renew,
        .user = executor,
    };
    const struct agpu_diag_sink sink = {.report = keep_first_error, .user = text};
    text[0] = '\0';
    const enum agpu_status status = ag_scene_run(scene, &options, &sink, &report);
    const bool passed = report.result == AG_SCENE_PASSED;
    /* A run that was killed fails its checks, or has no device to go on with; it does not hang. */
    if (!passed)
        assert_true(status == AGPU_REFUSED || (has_snapshots && status == AGPU_INTERNAL));
    ag_scene_report_fini(&report);
    return passed;
}

/* Kills the process within one run of a scene, from its start to a little behind its usual end, which is that
 * of the last run whose kill came too late. */
static bool run_killed(struct agpu_executor *executor, struct ag_scene *scene, bool has_snapshots,
                       uint64_t *usual_ns)
{
    const uint64_t start = ag_clock_ns();
    char text[MOST_TEXT];
    struct killer killer = {.pid = agpu_process_executor_pid(executor)};
    assert_true(killer.pid > 0);
    killer.after_ns = next_random() % (*usual_ns + *usual_ns / 16 + 1);
    assert_int_equal(pthread_create(&killer.thread, NULL, kill_later, &killer), 0);
    const bool passed = run_scene(executor, scene, has_snapshots, text);
    if (passed)
        *usual_ns = ag_clock_ns() - start;
    pthread_join(killer.thread, NULL);
    return passed;
}

/* Notices that a process is gone that was killed while idle, and lets the guest's reset start another, unless
 * the end of the run has done so. */
static void replace(struct agpu_executor *executor, int64_t killed)
{
    const struct timespec nap = {0, 200000};
    while (agpu_process_executor_pid(executor) == killed) {
        executor->poll(executor);
        nanosleep(&nap, NULL);
    }
    if (agpu_process_executor_pid(executor) == 0)
        executor->reset(executor);
    assert_int_equal(agpu_process_executor_wait(executor, AGPU_NO_TIMEOUT), AGPU_OK);
}

static void survives_kills(void **state)
{
    (void)state;
    const uint32_t shared_files = count_entries("/dev/shm", is_of_others);
    const uint32_t descriptors_before = count_entries("/proc/self/fd", is_of_nobody);
    struct agpu_executor *const executor = started_process(program, driver, NULL, NULL);
    const uint32_t descriptors = count_entries("/proc/self/fd", is_of_nobody);
    uint64_t half_bytes = 0, usual_ns[2][MOST_SCENES] = {0};
    uint32_t lost[2] = {0};
    char text[MOST_TEXT];
    for (uint32_t i = 0; i < kills; i++) {
        const uint32_t at = i % scene_count;
        const bool has_snapshots = i / scene_count % 2 == 1;
        struct ag_scene *const scene = scenes[at];
        const uint64_t start = ag_clock_ns();
        /* The guest goes on after the last kill. */
        if (!run_scene(executor, scene, has_snapshots, text))
            fail_msg("after %u kills, %s%s: %s", i, ag_scene_title(scene),
                     has_snapshots ? " with snapshots" : "", text);
        if (i < 2 * scene_count)
            usual_ns[has_snapshots][at] = ag_clock_ns() - start;
        const int64_t pid = agpu_process_executor_pid(executor);
        lost[has_snapshots] += !run_killed(executor, scene, has_snapshots, &usual_ns[has_snapshots][at]);
        replace(executor, pid);
        assert_int_equal(count_entries("/proc/self/fd", is_of_nobody), descriptors);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), 0); /* one child, and no zombie */
        if (i == kills / 2)
            half_bytes = resident_bytes();
    }
    assert_true(resident_bytes() < half_bytes + GROWTH_BYTES);
    executor->destroy(executor);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(count_entries("/proc/self/fd", is_of_nobody), descriptors_before);
    assert_int_equal(count_entries("/dev/shm", is_of_others), shared_files);
    printf("%u kills, %u runs that saw a lost device, and %u with snapshots\n", kills, lost[0], lost[1]);
}

static char *read_file(const char *path, size_t *size)
{
    enum { MOST = 1 << 24 };
    FILE *const file = fopen(path, "rb");
    char *const bytes = malloc(MOST);
    if (file == NULL || bytes == NULL)
        exit(1);
    *size = fread(bytes, 1, MOST, file);
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives_kills)};
    char icd[1024];
    if (argc < 6 || argc - 5 > MOST_SCENES || !agpu_driver_from_name(argv[2], &driver))
        return 1;
    program = argv[1];
    kills = (uint32_t)strtoul(argv[3], NULL, 10);
    random_state = strtoull(argv[4], NULL, 10);
    if (!agpu_driver_icd_path(driver, icd, sizeof icd)) {
        printf("skipped: the Vulkan driver %s is not installed\n", argv[2]);
        return SKIPPED;
    }
    setenv("VK_DRIVER_FILES", icd, 1);
    for (int i = 5; i < argc; i++) {
        size_t size;
        char *const text = read_file(argv[i], &size);
        if (ag_scene_load(argv[i], text, size, 0, NULL, &scenes[scene_count++]) != AGPU_OK)
            return 1;
        free(text);
    }
    const int failed = cmocka_run_group_tests_name("process/kills", tests, NULL, NULL);
    for (uint32_t i = 0; i < scene_count; i++)
        ag_scene_destroy(scenes[i]);
    return failed;
}
