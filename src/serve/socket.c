/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "serve/endpoint.h"

/* How long a client may take from its call to its hello. */
#define HELLO_NS (UINT64_C(5) * 1000000000)
#define BACKLOG 16
/* When there is no descriptor for another client, before it is tried again. */
#define REST_NS (UINT64_C(100) * 1000000)

static enum agpu_status refuse(const struct ag_socket_endpoint *endpoint, const struct agpu_diag_sink *sink,
                               const char *problem)
{
    ag_report(sink, AGPU_DIAG_SERVE_ADDRESS, AGPU_ERROR, ag_place_none(), "%s: %s", endpoint->path, problem);
    return AGPU_REFUSED;
}

/* Whether a socket is there on which nobody listens. */
static bool is_stale(const struct sockaddr_un *address)
{
    struct stat status;
    if (lstat(address->sun_path, &status) != 0 || !S_ISSOCK(status.st_mode))
        return false;
    const int probe = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool refused = probe >= 0 &&
                         connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 &&
                         errno == ECONNREFUSED;
    if (probe >= 0)
        close(probe);
    return refused;
}

enum agpu_status ag_socket_endpoint_open(struct ag_socket_endpoint *endpoint, const char *path,
                                         const struct agpu_diag_sink *sink)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *endpoint = (struct ag_socket_endpoint){.path = path, .listener = -1};
    if (path == NULL)
        return AGPU_OK;
    if (strlen(path) >= sizeof address.sun_path)
        return refuse(endpoint, sink, "the path is too long for a socket");
    memcpy(address.sun_path, path, strlen(path) + 1);
    if (is_stale(&address))
        unlink(path);
    const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0)
        return refuse(endpoint, sink, strerror(errno));
    if (bind(listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
        chmod(path, S_IRUSR | S_IWUSR) != 0 || listen(listener, BACKLOG) != 0) {
        const enum agpu_status status = refuse(
            endpoint, sink, errno == EADDRINUSE ? "another server, or a file, is there" : strerror(errno));
        close(listener);
        return status;
    }
    endpoint->listener = listener;
    return AGPU_OK;
}

void ag_socket_endpoint_close(struct ag_socket_endpoint *endpoint)
{
    if (endpoint->listener < 0)
        return;
    for (uint32_t i = 0; i < endpoint->caller_count; i++)
        close(endpoint->callers[i].socket);
    close(endpoint->listener);
    unlink(endpoint->path);
    endpoint->listener = -1;
}

bool ag_socket_answer(int socket, enum aerogpu_shared_result result, uint64_t size, const int descriptors[3])
{
    struct aerogpu_shared_answer answer = {
        .magic = AEROGPU_SHARED_MAGIC,
        .version = AEROGPU_SHARED_VERSION,
        .result = (uint32_t)result,
        .size_bytes = size,
    };
    struct iovec part = {&answer, sizeof answer};
    union {
        struct cmsghdr header; /* for its alignment */
        char bytes[CMSG_SPACE(3 * sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (result == AEROGPU_SHARED_RESULT_WELCOME) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(3 * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, 3 * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof answer;
}

static void refuse_caller(int socket, enum aerogpu_shared_result result)
{
    ag_socket_answer(socket, result, 0, NULL);
    close(socket);
}

/* Looks at what a caller has said. False: it is no caller any more. */
static bool hear(struct ag_caller *caller, ag_endpoint_take take, void *user)
{
    struct aerogpu_shared_hello hello;
    const ssize_t got = recv(caller->socket, &hello, sizeof hello, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) &&
        ag_clock_ns() < caller->deadline_ns)
        return true;
    if (got != (ssize_t)sizeof hello || hello.magic != AEROGPU_SHARED_MAGIC) {
        close(caller->socket);
    } else if (hello.version != AEROGPU_SHARED_VERSION) {
        refuse_caller(caller->socket, AEROGPU_SHARED_RESULT_VERSION);
    } else {
        const enum aerogpu_shared_result result = take(user, hello.size_bytes, caller->socket, 0);
        if (result != AEROGPU_SHARED_RESULT_WELCOME)
            refuse_caller(caller->socket, result);
    }
    return false;
}

uint32_t ag_socket_endpoint_wait(const struct ag_socket_endpoint *endpoint,
                                 struct pollfd descriptors[AG_SOCKET_CALLERS + 1], int *timeout_ms)
{
    const uint64_t now = ag_clock_ns();
    const bool has_room = endpoint->listener >= 0 && endpoint->caller_count < AG_SOCKET_CALLERS;
    const bool rests = now < endpoint->rests_until_ns;
    uint64_t next_ns = has_room && rests ? endpoint->rests_until_ns : UINT64_MAX;
    uint32_t count = 0;
    if (has_room && !rests)
        descriptors[count++] = (struct pollfd){.fd = endpoint->listener, .events = POLLIN};
    for (uint32_t i = 0; i < endpoint->caller_count; i++)
        descriptors[count++] = (struct pollfd){.fd = endpoint->callers[i].socket, .events = POLLIN};
    if (endpoint->caller_count != 0 && endpoint->callers[0].deadline_ns < next_ns)
        next_ns = endpoint->callers[0].deadline_ns;
    const uint64_t left_ms = next_ns > now ? (next_ns - now) / 1000000 + 1 : 0;
    if (next_ns != UINT64_MAX && (*timeout_ms < 0 || left_ms < (uint64_t)*timeout_ms))
        *timeout_ms = (int)left_ms;
    return count;
}

void ag_socket_endpoint_look(struct ag_socket_endpoint *endpoint, ag_endpoint_take take, void *user)
{
    if (endpoint->listener < 0)
        return;
    while (endpoint->caller_count < AG_COUNT_OF(endpoint->callers)) {
        const int socket = accept4(endpoint->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                endpoint->rests_until_ns = ag_clock_ns() + REST_NS;
            break;
        }
        endpoint->callers[endpoint->caller_count++] = (struct ag_caller){socket, ag_clock_ns() + HELLO_NS};
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < endpoint->caller_count; i++) {
        struct ag_caller caller = endpoint->callers[i];
        if (hear(&caller, take, user))
            endpoint->callers[kept++] = caller;
    }
    endpoint->caller_count = kept;
}
