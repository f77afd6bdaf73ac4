/* SPDX-License-Identifier: MIT
 *
 * Where clients come in, without a server behind it.
 */
#include "../support/test.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "serve/endpoint.h"

#define REQUESTS 100u

struct taken {
    uint32_t count;
    uint64_t last;
};

static enum aerogpu_shared_result take(void *user, uint64_t size, int socket, uint64_t name)
{
    struct taken *const taken = user;
    assert_int_equal(size, 8192);
    assert_int_equal(socket, -1);
    assert_int_equal(name, taken->last + 1);
    taken->last = name;
    taken->count++;
    return AEROGPU_SHARED_RESULT_QUOTA;
}

/* Whoever writes requests without end would keep the server from all others. */
static void a_look_takes_some_requests(void **state)
{
    (void)state;
    char folder[] = P_tmpdir "/aerogpu-endpoint-XXXXXX";
    struct ag_folder_endpoint endpoint;
    struct taken taken = {0};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(ag_folder_endpoint_open(&endpoint, folder, NULL), AGPU_OK);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const struct aerogpu_shared_request request = {AEROGPU_SHARED_MAGIC, AEROGPU_SHARED_VERSION, 8192,
                                                       i + 1};
        assert_int_equal(write(endpoint.requests, &request, sizeof request), sizeof request);
    }
    ag_folder_endpoint_look(&endpoint, take, &taken);
    assert_in_range(taken.count, 1, REQUESTS / 2);
    for (uint32_t i = 0; i < REQUESTS; i++)
        ag_folder_endpoint_look(&endpoint, take, &taken);
    assert_int_equal(taken.count, REQUESTS);
    ag_folder_endpoint_close(&endpoint);
    assert_int_equal(rmdir(folder), 0);
}

static void open_socket(struct ag_socket_endpoint *endpoint, char path[64])
{
    snprintf(path, 64, "%s/aerogpu-endpoint-%ld", P_tmpdir, (long)getpid());
    assert_int_equal(ag_socket_endpoint_open(endpoint, path, NULL), AGPU_OK);
}

static int call(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int caller = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    assert_true(caller >= 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    assert_int_equal(connect(caller, (const struct sockaddr *)&address, sizeof address), 0);
    return caller;
}

/* Whether something is to be read at once of what the endpoint waits for. */
static bool is_called(const struct ag_socket_endpoint *endpoint, int *timeout_ms)
{
    struct pollfd descriptors[AG_SOCKET_CALLERS + 1];
    *timeout_ms = -1;
    const uint32_t count = ag_socket_endpoint_wait(endpoint, descriptors, timeout_ms);
    return poll(descriptors, count, 0) > 0;
}

static enum aerogpu_shared_result take_socket(void *user, uint64_t size, int socket, uint64_t name)
{
    struct taken *const taken = user;
    assert_int_equal(size, 8192);
    assert_int_equal(name, 0);
    assert_true(socket >= 0);
    taken->count++;
    return AEROGPU_SHARED_RESULT_QUOTA;
}

/* More callers than there are places, who say nothing: a server that waited for the next one would not rest
 * until the first ones' time is up. */
static void silent_callers_let_the_server_rest(void **state)
{
    (void)state;
    const struct aerogpu_shared_hello hello = {
        .magic = AEROGPU_SHARED_MAGIC, .version = AEROGPU_SHARED_VERSION, .size_bytes = 8192};
    struct ag_socket_endpoint endpoint;
    struct taken taken = {0};
    int callers[AG_SOCKET_CALLERS + 1], timeout_ms;
    char path[64];
    open_socket(&endpoint, path);
    assert_false(is_called(&endpoint, &timeout_ms));
    assert_int_equal(timeout_ms, -1);
    for (uint32_t i = 0; i < AG_SOCKET_CALLERS; i++) {
        callers[i] = call(path);
        assert_true(is_called(&endpoint, &timeout_ms));
        ag_socket_endpoint_look(&endpoint, take_socket, &taken);
    }
    callers[AG_SOCKET_CALLERS] = call(path);
    assert_false(is_called(&endpoint, &timeout_ms));
    assert_in_range(timeout_ms, 0, 5001);
    ag_socket_endpoint_look(&endpoint, take_socket, &taken);
    assert_int_equal(taken.count, 0);
    /* One of them speaks, which makes room for the last one. */
    assert_int_equal(send(callers[7], &hello, sizeof hello, 0), sizeof hello);
    assert_true(is_called(&endpoint, &timeout_ms));
    ag_socket_endpoint_look(&endpoint, take_socket, &taken);
    assert_int_equal(taken.count, 1);
    assert_true(is_called(&endpoint, &timeout_ms));
    for (uint32_t i = 0; i <= AG_SOCKET_CALLERS; i++)
        close(callers[i]);
    ag_socket_endpoint_close(&endpoint);
}

/* A server that has no descriptor left for who calls tries again a little later. */
static void a_server_without_descriptors_rests(void **state)
{
    (void)state;
    struct ag_socket_endpoint endpoint;
    struct taken taken = {0};
    struct rlimit limit, none;
    int timeout_ms;
    char path[64];
    open_socket(&endpoint, path);
    const int caller = call(path);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    ag_socket_endpoint_look(&endpoint, take_socket, &taken);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(endpoint.caller_count, 0);
    assert_false(is_called(&endpoint, &timeout_ms));
    assert_in_range(timeout_ms, 0, 101);
    while (!is_called(&endpoint, &timeout_ms))
        poll(NULL, 0, timeout_ms);
    ag_socket_endpoint_look(&endpoint, take_socket, &taken);
    assert_int_equal(endpoint.caller_count, 1);
    close(caller);
    ag_socket_endpoint_close(&endpoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_takes_some_requests),
        cmocka_unit_test(silent_callers_let_the_server_rest),
        cmocka_unit_test(a_server_without_descriptors_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
