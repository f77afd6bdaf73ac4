/* SPDX-License-Identifier: MIT
 *
 * The server and native clients of it, of good and of bad will.
 *
 *     test_serve TOOL DRIVER
 */
#include "../support/corpus.h"
#include "../support/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "aerogpu/abi/shared.h"
#include "base/clock.h"
#include "program.h"
#include "scene/png.h"
#include "visitor.h"

/* Of 20 ms each, for what a server does soon: a minute, on a machine that others use. */
#define MOST_NAPS 3000

static const char *tool, *driver;

static void nap(long milliseconds)
{
    const struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static void start(struct server *server, const char *const *more)
{
    const char *arguments[16] = {"--driver", driver};
    for (uint32_t i = 0; more != NULL && more[i] != NULL; i++)
        arguments[2 + i] = more[i];
    assert_true(server_start(server, tool, arguments));
}

static void open_client(struct client *client, const struct server *server)
{
    assert_true(client_open(client, server->socket));
    client_prepare(client);
}

/* ---- Good will ---------------------------------------------------------------------------------------- */

static void a_client_draws_a_triangle(void **state)
{
    (void)state;
    struct server server = {.output = "yes"};
    struct client client;
    char path[128];
    size_t size;
    uint32_t width, height;
    uint8_t *pixels;
    start(&server, NULL);
    open_client(&client, &server);
    client_draw_one(&client);
    assert_false(guest_socket_shows_windows(client.socket));
    snprintf(path, sizeof path, "%s/client-0.png", server.output);
    uint8_t *const file = ag_corpus_read_file(path, &size);
    assert_non_null(file);
    assert_int_equal(ag_png_decode(file, size, ag_place_none(), NULL, &width, &height, &pixels), AGPU_OK);
    assert_int_equal(width, SIDE);
    assert_int_equal(height, SIDE);
    assert_memory_equal(pixels, client.picture.bytes, SIDE * SIDE * 4);
    free(pixels);
    free(file);
    client_close(&client);
    assert_int_equal(server_end(&server), 0);
}

/* Each has its own handles, registers and errors. */
static void clients_do_not_meet(void **state)
{
    (void)state;
    struct server server = {0};
    struct client clients[3];
    struct guest_errors errors;
    uint64_t fence;
    start(&server, (const char *const[]){"--window", NULL});
    for (uint32_t i = 0; i < 3; i++)
        open_client(&clients[i], &server);
    assert_true(guest_socket_shows_windows(clients[0].socket));
    client_say(&clients[1], "EXT_READ_CAPS kind=77 target_alloc_id=1\n");
    assert_int_equal(guest_stream_submit(&clients[1].stream, 0, &fence), GUEST_OK);
    assert_int_equal(guest_device_wait(clients[1].device, fence, UINT64_MAX), GUEST_OK);
    guest_device_errors(clients[1].device, &errors);
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.code, AEROGPU_ERROR_BACKEND);
    assert_int_equal(errors.fence, fence);
    for (uint32_t i = 0; i < 3; i += 2) {
        client_draw_one(&clients[i]);
        guest_device_errors(clients[i].device, &errors);
        assert_int_equal(errors.count, 0);
    }
    for (uint32_t i = 0; i < 3; i++)
        client_close(&clients[i]);
    assert_int_equal(server_end(&server), 0);
}

/* Three fences of one period each, without a scanout. */
static void presents_wait_for_the_display(void **state)
{
    (void)state;
    struct server server = {0};
    struct client client;
    uint64_t fence;
    start(&server, NULL);
    open_client(&client, &server);
    client_draw_one(&client);
    const uint64_t before = ag_clock_ns();
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(client_draw(&client, 1, &fence), GUEST_OK);
    assert_int_equal(guest_device_wait(client.device, fence, UINT64_MAX), GUEST_OK);
    /* The first period may have begun before. */
    assert_true(ag_clock_ns() - before >= UINT64_C(33000000));
    client_close(&client);
    assert_int_equal(server_end(&server), 0);
}

static void serves_so_many_presents(void **state)
{
    (void)state;
    struct server server = {0};
    struct client client;
    uint64_t fence;
    start(&server, (const char *const[]){"--frames", "2", NULL});
    open_client(&client, &server);
    client_draw_one(&client);
    client_draw(&client, 0, &fence);
    assert_int_equal(server_wait(&server), 0);
    assert_int_equal(guest_device_wait(client.device, fence + 1, UINT64_MAX), GUEST_DEVICE_LOST);
    assert_true(guest_device_is_lost(client.device));
    client_close(&client);
    assert_int_equal(rmdir(server.folder), 0);
}

/* Whether a descriptor is a socket that programs get which the process starts. */
static bool is_inherited_socket(pid_t pid, const char *descriptor)
{
    char path[64], target[16] = "", line[64];
    unsigned flags = O_CLOEXEC;
    snprintf(path, sizeof path, "/proc/%ld/fd/%.8s", (long)pid, descriptor);
    if (readlink(path, target, sizeof target - 1) < 0 || strncmp(target, "socket:", 7) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/%ld/fdinfo/%.8s", (long)pid, descriptor);
    FILE *const info = fopen(path, "r");
    while (info != NULL && fgets(line, sizeof line, info) != NULL)
        sscanf(line, "flags: %o", &flags);
    if (info != NULL)
        fclose(info);
    return (flags & O_CLOEXEC) == 0;
}

/* A program that keeps a client's socket keeps the client from hearing that the server is gone. */
static void sockets_are_not_inherited(void **state)
{
    (void)state;
    struct server server = {0};
    struct client client;
    char path[64];
    start(&server, NULL);
    open_client(&client, &server);
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)server.pid);
    DIR *const folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        assert_false(strtol(entry->d_name, NULL, 10) > 2 && is_inherited_socket(server.pid, entry->d_name));
    closedir(folder);
    client_close(&client);
    assert_int_equal(server_end(&server), 0);
}

/* ---- Quotas ------------------------------------------------------------------------------------------- */

static void quotas_hold(void **state)
{
    (void)state;
    struct server server = {0};
    struct client client, second;
    const char *problem;
    start(&server, (const char *const[]){"--clients", "1", "--client-memory", "16", NULL});
    assert_null(guest_socket_open(server.socket, UINT64_C(17) << 20, &problem));
    assert_string_equal(problem, "the server does not give a client that much memory");
    assert_null(guest_socket_open(server.socket, UINT64_MAX - 4095, &problem));
    assert_string_equal(problem, "the server does not give a client that much memory");
    assert_null(guest_socket_open(server.socket, 4096, &problem));
    open_client(&client, &server);
    assert_null(guest_socket_open(server.socket, UINT64_C(8) << 20, &problem));
    assert_string_equal(problem, "the server has as many clients as it takes");
    client_draw_one(&client);
    client_close(&client);
    /* The place is free once the server has noticed. */
    bool open = false;
    for (uint32_t i = 0; i < MOST_NAPS && !open; i++) {
        open = client_open(&second, server.socket);
        if (!open)
            nap(20);
    }
    assert_true(open);
    client_prepare(&second);
    client_draw_one(&second);
    client_close(&second);
    assert_int_equal(server_end(&server), 0);
}

/* ---- Bad will ----------------------------------------------------------------------------------------- */

static _Atomic uint32_t *word_at(const struct client *client, uint64_t offset)
{
    uint8_t *const mapping = guest_socket_bus(client->socket)->memory.bytes - AEROGPU_SHARED_MEMORY_OFFSET;
    return (_Atomic uint32_t *)(void *)(mapping + offset);
}

static void too_many_writes_end_a_client(void **state)
{
    (void)state;
    struct server server = {0};
    struct client bad, good;
    start(&server, NULL);
    open_client(&bad, &server);
    open_client(&good, &server);
    atomic_store(word_at(&bad, offsetof(struct aerogpu_shared_control, posted)), 0x80000000u);
    for (uint32_t i = 0; i < MOST_NAPS && !guest_device_is_lost(bad.device); i++)
        nap(20);
    assert_true(guest_device_is_lost(bad.device));
    client_draw_one(&good);
    client_close(&bad);
    client_close(&good);
    assert_int_equal(server_end(&server), 0);
}

/* Writes everywhere in the mapping until told to stop, but for the counter whose misuse ends the client. */
struct scribbler {
    struct client *client;
    atomic_bool stop;
    uint64_t random;
};

static void *scribble(void *user)
{
    struct scribbler *const scribbler = user;
    const uint64_t size = guest_socket_bus(scribbler->client->socket)->memory.size;
    while (!atomic_load(&scribbler->stop)) {
        scribbler->random = scribbler->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t bits = (uint32_t)(scribbler->random >> 33);
        /* Mostly where ring, fence page, tables and streams are. */
        const uint64_t span = bits % 4 != 0 ? UINT64_C(0x20000) : size;
        const uint64_t offset = (uint64_t)bits * 4 % span;
        if (offset != offsetof(struct aerogpu_shared_control, posted))
            atomic_store(word_at(scribbler->client, offset), bits % 3 == 0 ? bits : bits % 64);
    }
    return NULL;
}

static void a_scribbler_harms_only_itself(void **state)
{
    (void)state;
    struct server server = {0};
    struct client bad, good;
    struct scribbler scribbler = {.client = &bad, .random = 7};
    pthread_t thread;
    start(&server, NULL);
    open_client(&bad, &server);
    open_client(&good, &server);
    assert_int_equal(pthread_create(&thread, NULL, scribble, &scribbler), 0);
    const struct guest_bus *const bus = guest_socket_bus(bad.socket);
    for (uint32_t i = 0; i < 300; i++) {
        /* The bus alone: the core believes what it reads of its own memory. */
        if (i % 50 == 0)
            client_draw_one(&good);
        bus->write(bus->user, i % 7 == 0 ? AEROGPU_MMIO_REG_RING_CONTROL : AEROGPU_MMIO_REG_DOORBELL,
                   i % 7 == 0 ? AEROGPU_RING_CONTROL_ENABLE | AEROGPU_RING_CONTROL_RESET * (i % 2) : 1);
    }
    atomic_store(&scribbler.stop, true);
    pthread_join(thread, NULL);
    client_draw_one(&good);
    client_close(&good);
    client_close(&bad);
    assert_int_equal(server_end(&server), 0);
}

/* Whoever calls and says nothing, or nonsense, keeps nobody out. */
static void callers_without_manners_are_sent_away(void **state)
{
    (void)state;
    struct server server = {0};
    struct client client;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int callers[24];
    start(&server, NULL);
    memcpy(address.sun_path, server.socket, strlen(server.socket) + 1);
    for (uint32_t i = 0; i < 24; i++) {
        callers[i] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        assert_int_equal(connect(callers[i], (const struct sockaddr *)&address, sizeof address), 0);
        if (i < 22)
            assert_int_equal(send(callers[i], "nonsense", i % 8 + 1, MSG_NOSIGNAL), i % 8 + 1);
    }
    open_client(&client, &server);
    client_draw_one(&client);
    client_close(&client);
    for (uint32_t i = 0; i < 24; i++)
        close(callers[i]);
    assert_int_equal(server_end(&server), 0);
}

/* ---- Ends --------------------------------------------------------------------------------------------- */

static void one_server_at_a_place(void **state)
{
    (void)state;
    const char *const arguments[] = {"--driver", driver, NULL};
    struct server server = {0};
    start(&server, NULL);
    struct server second = server;
    assert_false(server_start_again(&second, tool, arguments));
    assert_int_equal(server_wait(&second), 1);
    assert_int_equal(server_end(&server), 0);
}

/* ---- The folder --------------------------------------------------------------------------------------- */

static void clients_come_through_a_folder(void **state)
{
    (void)state;
    const uint64_t size = UINT64_C(2) << 20;
    struct server server = {0};
    struct visitor visitor, second;
    char folder[128], byte;
    snprintf(folder, sizeof folder, "%s/aerogpu-folder-%ld", P_tmpdir, (long)getpid());
    start(&server, (const char *const[]){"--shm", folder, NULL});
    assert_true(visitor_open(&visitor, folder, 0x1234, size));
    assert_int_equal(ftruncate(visitor.memory, 4096), -1); /* nobody cuts it short */
    const struct aerogpu_shared_control *const control =
        (const struct aerogpu_shared_control *)(const void *)visitor.mapping;
    assert_int_equal(control->magic, AEROGPU_SHARED_MAGIC);
    assert_int_equal(control->size_bytes, size);
    for (uint32_t i = 0; i < MOST_NAPS && entries_of(folder) != 1; i++)
        nap(20);
    assert_int_equal(entries_of(folder), 1); /* the names are gone, "connect" is there */
    /* A name that is there, nonsense, and a size that is none. */
    assert_true(visitor_call(folder, 0x77, 4096));
    assert_true(visitor_call(folder, 0x78, UINT64_MAX));
    assert_true(visitor_open(&second, folder, 0x79, size));
    /* A killed server closes both FIFOs. */
    kill(server.pid, SIGKILL);
    assert_int_equal(server_wait(&server), -SIGKILL);
    assert_int_equal(read(visitor.interrupt, &byte, 1), 0);
    signal(SIGPIPE, SIG_IGN);
    assert_false(visitor_ring(&visitor));
    assert_int_equal(errno, EPIPE);
    assert_false(visitor_call(folder, 1, size));
    assert_true(
        server_start_again(&server, tool, (const char *const[]){"--driver", driver, "--shm", folder, NULL}));
    assert_true(visitor_call(folder, 2, size));
    assert_int_equal(server_end(&server), 0);
    /* The folder was there when the second came, who leaves it empty. */
    assert_int_equal(rmdir(folder), 0);
    visitor_close(&visitor);
    visitor_close(&second);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_draws_a_triangle),
        cmocka_unit_test(clients_do_not_meet),
        cmocka_unit_test(presents_wait_for_the_display),
        cmocka_unit_test(serves_so_many_presents),
        cmocka_unit_test(sockets_are_not_inherited),
        cmocka_unit_test(quotas_hold),
        cmocka_unit_test(too_many_writes_end_a_client),
        cmocka_unit_test(a_scribbler_harms_only_itself),
        cmocka_unit_test(callers_without_manners_are_sent_away),
        cmocka_unit_test(one_server_at_a_place),
        cmocka_unit_test(clients_come_through_a_folder),
    };
    const int status = program_arguments(argc, argv, &tool, &driver);
    if (status != 0)
        return status;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
