/* SPDX-License-Identifier: MIT */
#include "guest/transport/socket.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "guest/transport/shared.h"

#define DEFAULT_MEMORY_BYTES (UINT64_C(64) << 20)
#define PAUSE_NS 20000

enum { MEMORY, DOORBELL, INTERRUPT, DESCRIPTORS };

struct guest_socket {
    struct guest_shared shared; /* first: the bus's user */
    int socket;
    int descriptors[DESCRIPTORS];
    pthread_mutex_t locks[GUEST_LOCK_COUNT];
};

/* ---- The line ----------------------------------------------------------------------------------------- */

static bool ring(void *user)
{
    const struct guest_socket *guest = user;
    const uint64_t one = 1;
    return write(guest->descriptors[DOORBELL], &one, sizeof one) > 0 || errno == EAGAIN || errno == EINTR;
}

static bool is_there(void *user)
{
    const struct guest_socket *guest = user;
    char byte;
    const ssize_t got = recv(guest->socket, &byte, sizeof byte, MSG_DONTWAIT | MSG_PEEK);
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

static bool sleep_for(void *user, uint64_t timeout_ns)
{
    const struct guest_socket *guest = user;
    uint64_t count;
    struct pollfd descriptors[] = {
        {.fd = guest->descriptors[INTERRUPT], .events = POLLIN},
        {.fd = guest->socket,                 .events = POLLIN},
    };
    const struct timespec timeout = {(time_t)(timeout_ns / 1000000000), (long)(timeout_ns % 1000000000)};
    if (ppoll(descriptors, 2, timeout_ns != UINT64_MAX ? &timeout : NULL, NULL) < 0)
        return true;
    if ((descriptors[0].revents & POLLIN) != 0)
        return read(guest->descriptors[INTERRUPT], &count, sizeof count) > 0 || errno == EAGAIN;
    return descriptors[1].revents == 0;
}

static void pause_for(void *user)
{
    const struct timespec pause = {0, PAUSE_NS};
    (void)user;
    nanosleep(&pause, NULL);
}

static uint64_t now_ns(void *user)
{
    struct timespec now;
    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* ---- The rest of the bus ------------------------------------------------------------------------------- */

static void lock(void *user, uint32_t number)
{
    pthread_mutex_lock(&((struct guest_socket *)user)->locks[number]);
}

static void unlock(void *user, uint32_t number)
{
    pthread_mutex_unlock(&((struct guest_socket *)user)->locks[number]);
}

/* ---- Connecting --------------------------------------------------------------------------------------- */

static bool connect_to(struct guest_socket *guest, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path, strlen(path) + 1);
    guest->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    return guest->socket >= 0 &&
           connect(guest->socket, (const struct sockaddr *)&address, sizeof address) == 0;
}

static bool receive(struct guest_socket *guest, struct aerogpu_shared_answer *answer)
{
    struct iovec part = {answer, sizeof *answer};
    union {
        struct cmsghdr header; /* for its alignment */
        char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
    ssize_t got;
    do
        got = recvmsg(guest->socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const struct cmsghdr *const header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(DESCRIPTORS * sizeof(int)))
        memcpy(guest->descriptors, CMSG_DATA(header), DESCRIPTORS * sizeof(int));
    return got == (ssize_t)sizeof *answer && answer->magic == AEROGPU_SHARED_MAGIC;
}

/* What the server said, or null when the descriptors came. */
static const char *ask(struct guest_socket *guest, uint64_t size)
{
    static const char *const refusals[] = {
        [AEROGPU_SHARED_RESULT_VERSION] = "the server has another version",
        [AEROGPU_SHARED_RESULT_QUOTA] = "the server does not give a client that much memory",
        [AEROGPU_SHARED_RESULT_FULL] = "the server has as many clients as it takes",
        [AEROGPU_SHARED_RESULT_FAILED] = "the server has no memory left",
    };
    const struct aerogpu_shared_hello hello = {AEROGPU_SHARED_MAGIC, AEROGPU_SHARED_VERSION, size};
    struct aerogpu_shared_answer answer = {0};
    if (send(guest->socket, &hello, sizeof hello, MSG_NOSIGNAL) != (ssize_t)sizeof hello ||
        !receive(guest, &answer))
        return "the server does not answer";
    if (answer.result != AEROGPU_SHARED_RESULT_WELCOME)
        return answer.result < sizeof refusals / sizeof refusals[0] ? refusals[answer.result]
                                                                    : "the server refuses";
    return answer.size_bytes == size && guest->descriptors[INTERRUPT] >= 0 ? NULL
                                                                           : "the server's answer is none";
}

static const char *map(struct guest_socket *guest, uint64_t size)
{
    static const struct guest_shared_line line = {.ring = ring,
                                                  .sleep = sleep_for,
                                                  .is_there = is_there,
                                                  .pause = pause_for,
                                                  .now_ns = now_ns,
                                                  .lock = lock,
                                                  .unlock = unlock};
    void *const memory =
        mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, guest->descriptors[MEMORY], 0);
    if (memory == MAP_FAILED)
        return "the server's memory cannot be mapped";
    guest_shared_init(&guest->shared, memory, size, &line);
    return guest_shared_start(&guest->shared);
}

struct guest_socket *guest_socket_open(const char *path, uint64_t memory_bytes, const char **problem)
{
    const uint64_t size = memory_bytes != 0 ? memory_bytes : DEFAULT_MEMORY_BYTES;
    struct guest_socket *const guest = calloc(1, sizeof *guest);
    const char *why = "out of memory";
    if (guest != NULL) {
        guest->socket = -1;
        for (uint32_t i = 0; i < DESCRIPTORS; i++)
            guest->descriptors[i] = -1;
        for (uint32_t i = 0; i < GUEST_LOCK_COUNT; i++)
            pthread_mutex_init(&guest->locks[i], NULL);
        why = connect_to(guest, path) ? ask(guest, size) : "there is no server";
        if (why == NULL)
            why = map(guest, size);
    }
    if (problem != NULL)
        *problem = why;
    if (why == NULL)
        return guest;
    guest_socket_close(guest);
    return NULL;
}

void guest_socket_close(struct guest_socket *guest)
{
    if (guest == NULL)
        return;
    if (guest->shared.bytes != NULL)
        munmap(guest->shared.bytes, (size_t)guest->shared.size);
    for (uint32_t i = 0; i < DESCRIPTORS; i++)
        if (guest->descriptors[i] >= 0)
            close(guest->descriptors[i]);
    if (guest->socket >= 0)
        close(guest->socket);
    for (uint32_t i = 0; i < GUEST_LOCK_COUNT; i++)
        pthread_mutex_destroy(&guest->locks[i]);
    free(guest);
}

const struct guest_bus *guest_socket_bus(const struct guest_socket *guest)
{
    return &guest->shared.bus;
}

bool guest_socket_shows_windows(const struct guest_socket *guest)
{
    return guest_shared_shows_windows(&guest->shared);
}
