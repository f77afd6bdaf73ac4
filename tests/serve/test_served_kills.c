/* SPDX-License-Identifier: MIT
 *
 * Kills at random moments of clients, of GPU processes and of servers. The other side notices and goes on; no
 * process, no file and no descriptor stays.
 *
 *     test_served_kills TOOL DRIVER SECONDS SEED
 *
 * The seconds are those of all tests together.
 */
#include "../support/test.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "program.h"
#include "visitor.h"

#define TESTS 4
#define MOST_CLIENTS 4
#define MOST_PROCESSES 64
#define VISITOR_BYTES (UINT64_C(2) << 20)
#define LONGEST_LIFE_MS 400
#define PATIENCE_MS 60000
/* What a server may have more, in the end, than ever between two rounds of the first half. */
#define GROWTH_BYTES (UINT64_C(32) << 20)

static const char *tool, *driver;
static uint64_t test_ns;
static uint64_t random_state;
static char folder[64]; /* where clients come through files */

static uint32_t next_random(uint32_t below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % below;
}

static void nap(long milliseconds)
{
    const struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

/* ---- What there is ------------------------------------------------------------------------------------ */

/* The parent of a process, or 0. */
static pid_t parent_of(pid_t pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *const file = fopen(path, "r");
    if (file == NULL)
        return 0;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    const char *const behind = strrchr(text, ')'); /* of the name; then come a state and the parent */
    return behind != NULL && strlen(behind) > 4 ? (pid_t)strtol(behind + 4, NULL, 10) : 0;
}

static uint32_t children_of(pid_t parent, pid_t *children)
{
    uint32_t count = 0;
    DIR *const processes = opendir("/proc");
    assert_non_null(processes);
    for (const struct dirent *entry = readdir(processes); entry != NULL; entry = readdir(processes)) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && parent_of(pid) == parent && count < MOST_PROCESSES)
            children[count++] = pid;
    }
    closedir(processes);
    return count;
}

static uint64_t resident_bytes(pid_t pid)
{
    char path[64];
    unsigned long long pages = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu %llu", &pages, &resident), 2);
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Of what is in /dev/shm, names of other programs may come and go, and what `aerogpu run PROGRAM.exe` and
 * other runs of this test keep there is of tests that run beside this one. */
static bool is_of_others(const char *name)
{
    return !begins_with(name, "aerogpu") || begins_with(name, "aerogpu-run-") ||
           (begins_with(name, "aerogpu-kills-") && strcmp(name, strrchr(folder, '/') + 1) != 0);
}

static uint32_t shared_files(void)
{
    uint32_t count = 0;
    DIR *const files = opendir("/dev/shm");
    if (files == NULL)
        return 0;
    for (const struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files))
        count += !is_of_others(entry->d_name);
    closedir(files);
    return count;
}

/* Processes whose parent was killed become children of this one: it waits until all of them have ended. */
static void expect_no_process(void)
{
    pid_t pid = 0;
    for (uint32_t i = 0; i < PATIENCE_MS && (pid = waitpid(-1, NULL, WNOHANG)) >= 0; i += pid == 0)
        if (pid == 0)
            nap(1);
    assert_int_equal(pid, -1);
    assert_int_equal(errno, ECHILD);
}

/* ---- Servers and clients ------------------------------------------------------------------------------ */

static const char *const *arguments_of(bool has_process)
{
    static const char *arguments[] = {"--driver", NULL, "--shm", folder, NULL, NULL};
    arguments[1] = driver;
    arguments[4] = has_process ? "--process" : NULL;
    return arguments;
}

static void open_client(struct client *client, const struct server *server)
{
    assert_true(client_open(client, server->socket));
    client_prepare(client);
    client_draw_one(client);
}

/* What a client's process says in the end. */
enum client_end {
    CLIENT_WAS_LOST = 3,
    CLIENT_NEVER_CAME = 4,
};

/* Draws without end. */
static void draw_on(const struct server *server)
{
    struct client client;
    uint64_t fence;
    if (!client_open(&client, server->socket))
        _exit(CLIENT_NEVER_CAME);
    client_prepare(&client);
    enum guest_status status = GUEST_OK;
    while (status == GUEST_OK) { /* the fences that were reached count */
        status = client_draw(&client, 0, &fence);
        if (status == GUEST_OK && fence % 4 == 0)
            status = guest_device_wait(client.device, fence, UINT64_MAX);
    }
    _exit(status == GUEST_DEVICE_LOST && guest_device_is_lost(client.device) ? CLIENT_WAS_LOST : 1);
}

static void ring_on(void)
{
    struct visitor visitor;
    signal(SIGPIPE, SIG_IGN);
    if (!visitor_open(&visitor, folder, (uint64_t)getpid(), VISITOR_BYTES))
        _exit(CLIENT_NEVER_CAME);
    while (visitor_ring(&visitor))
        nap(1);
    _exit(CLIENT_WAS_LOST);
}

/* A client in a process of its own. */
static pid_t fork_client(const struct server *server)
{
    const bool comes_through_the_folder = next_random(4) == 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child != 0)
        return child;
    if (comes_through_the_folder)
        ring_on();
    draw_on(server);
    abort();
}

/* ---- Kills -------------------------------------------------------------------------------------------- */

/* What the server has of its clients; all of it goes with them. */
struct footprint {
    uint32_t descriptors, processes;
};

static struct footprint footprint_of(const struct server *server)
{
    pid_t children[MOST_PROCESSES];
    return (struct footprint){descriptors_of(server->pid), children_of(server->pid, children)};
}

static void expect_footprint(const struct server *server, struct footprint want)
{
    struct footprint now = {0};
    for (uint32_t i = 0; i < PATIENCE_MS; i += 10) {
        now = footprint_of(server);
        if (now.descriptors == want.descriptors && now.processes == want.processes)
            return;
        nap(10);
    }
    fail_msg("the server has %u descriptors and %u processes, not %u and %u", now.descriptors, now.processes,
             want.descriptors, want.processes);
}

/* Whether a client ended by itself because it lost its device, or got none. */
static bool was_told(int status)
{
    return WIFEXITED(status) &&
           (WEXITSTATUS(status) == CLIENT_WAS_LOST || WEXITSTATUS(status) == CLIENT_NEVER_CAME);
}

/* One of the server's processes but that of the witness, which is the first. */
static void kill_gpu_process(const struct server *server, pid_t witness)
{
    pid_t children[MOST_PROCESSES];
    const uint32_t count = children_of(server->pid, children);
    const pid_t chosen = count != 0 ? children[next_random(count)] : 0;
    if (chosen > 0 && chosen != witness)
        kill(chosen, SIGKILL);
}

/* A few clients, which are killed one after the other. */
static uint32_t kill_some(const struct server *server, pid_t witness)
{
    pid_t clients[MOST_CLIENTS];
    const uint32_t count = 1 + next_random(MOST_CLIENTS);
    for (uint32_t i = 0; i < count; i++)
        clients[i] = fork_client(server);
    for (uint32_t i = 0; i < count; i++) {
        int status = 0;
        nap((long)next_random(LONGEST_LIFE_MS));
        if (witness > 0 && next_random(3) == 0) {
            kill_gpu_process(server, witness);
            nap((long)next_random(LONGEST_LIFE_MS / 4));
        }
        kill(clients[i], SIGKILL);
        assert_int_equal(waitpid(clients[i], &status, 0), clients[i]);
        /* One whose GPU process was killed while it started has no device to go on with. */
        assert_true(WIFSIGNALED(status) || (witness > 0 && was_told(status)));
    }
    return count;
}

static void killed_clients_leave_nothing(bool has_process)
{
    const uint64_t end_ns = ag_clock_ns() + test_ns;
    const uint32_t files = shared_files(), descriptors = descriptors_of(getpid());
    struct server server = {0};
    struct client client;
    pid_t children[MOST_PROCESSES] = {0};
    uint32_t killed = 0;
    assert_true(server_start(&server, tool, arguments_of(has_process)));
    open_client(&client, &server);
    assert_int_equal(children_of(server.pid, children), has_process);
    const struct footprint before = footprint_of(&server);
    uint64_t most_bytes = 0, bytes = 0;
    do {
        killed += kill_some(&server, children[0]);
        client_draw_one(&client);
        expect_footprint(&server, before);
        bytes = resident_bytes(server.pid);
        if (most_bytes == 0 || (bytes > most_bytes && ag_clock_ns() < end_ns - test_ns / 2))
            most_bytes = bytes;
    } while (ag_clock_ns() < end_ns);
    if (bytes > most_bytes + GROWTH_BYTES)
        fail_msg("the server has grown from %llu to %llu bytes", (unsigned long long)most_bytes,
                 (unsigned long long)bytes);
    client_draw_one(&client);
    client_close(&client);
    assert_int_equal(server_end(&server), 0);
    expect_no_process();
    assert_int_equal(shared_files(), files);
    assert_int_equal(descriptors_of(getpid()), descriptors);
    printf("%u clients killed\n", killed);
}

/* Whoever was there has lost its device, and whoever came too late was told. */
static void expect_lost(struct client *witness, const pid_t *clients, uint32_t count)
{
    uint64_t fence;
    enum guest_status status = GUEST_OK;
    while (status == GUEST_OK) {
        status = client_draw(witness, 0, &fence);
        if (status == GUEST_OK)
            status = guest_device_wait(witness->device, fence, UINT64_MAX);
    }
    assert_int_equal(status, GUEST_DEVICE_LOST);
    assert_true(guest_device_is_lost(witness->device));
    for (uint32_t i = 0; i < count; i++) {
        int ended = 0;
        assert_int_equal(waitpid(clients[i], &ended, 0), clients[i]);
        assert_true(was_told(ended));
    }
}

static void killed_servers_remove_the_device(bool has_process)
{
    const uint64_t end_ns = ag_clock_ns() + test_ns;
    const uint32_t files = shared_files(), descriptors = descriptors_of(getpid());
    struct server server = {0};
    uint32_t killed = 0;
    assert_true(server_start(&server, tool, arguments_of(has_process)));
    do {
        struct client witness;
        pid_t clients[MOST_CLIENTS];
        open_client(&witness, &server);
        const uint32_t count = next_random(MOST_CLIENTS + 1);
        for (uint32_t i = 0; i < count; i++)
            clients[i] = fork_client(&server);
        nap((long)next_random(LONGEST_LIFE_MS));
        kill(server.pid, SIGKILL);
        assert_int_equal(server_wait(&server), -SIGKILL);
        expect_lost(&witness, clients, count);
        client_close(&witness);
        expect_no_process(); /* its GPU processes end with it */
        killed++;
        if (next_random(3) == 0) { /* one that has hardly begun */
            server_launch(&server, tool, arguments_of(has_process));
            nap((long)next_random(20));
            kill(server.pid, SIGKILL);
            assert_int_equal(server_wait(&server), -SIGKILL);
            killed++;
        }
        /* What the dead left is no obstacle to the next. */
        assert_true(server_start_again(&server, tool, arguments_of(has_process)));
    } while (ag_clock_ns() < end_ns);
    struct client client;
    open_client(&client, &server);
    client_close(&client);
    assert_int_equal(server_end(&server), 0);
    expect_no_process();
    if (access(folder, F_OK) == 0)
        assert_int_equal(rmdir(folder), 0); /* empty, and of the first that was killed */
    assert_int_equal(shared_files(), files);
    assert_int_equal(descriptors_of(getpid()), descriptors);
    printf("%u servers killed\n", killed);
}

static void of_clients(void **state)
{
    (void)state;
    killed_clients_leave_nothing(false);
}

static void of_clients_with_gpu_processes(void **state)
{
    (void)state;
    killed_clients_leave_nothing(true);
}

static void of_servers(void **state)
{
    (void)state;
    killed_servers_remove_the_device(false);
}

static void of_servers_with_gpu_processes(void **state)
{
    (void)state;
    killed_servers_remove_the_device(true);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[TESTS] = {
        cmocka_unit_test(of_clients),
        cmocka_unit_test(of_clients_with_gpu_processes),
        cmocka_unit_test(of_servers),
        cmocka_unit_test(of_servers_with_gpu_processes),
    };
    if (argc != 5)
        return 2;
    const int status = program_arguments(argc, argv, &tool, &driver);
    if (status != 0)
        return status;
    test_ns = strtoull(argv[3], NULL, 10) * UINT64_C(1000000000) / TESTS;
    random_state = strtoull(argv[4], NULL, 10);
    snprintf(folder, sizeof folder, "/dev/shm/aerogpu-kills-%ld", (long)getpid());
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* The C library keeps free memory for each of the many threads that drivers begin and end; by itself it
     * looks like a leak. */
    setenv("MALLOC_ARENA_MAX", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
