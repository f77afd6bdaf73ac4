/* SPDX-License-Identifier: MIT */
#include "process/error_relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

/* What a pipe takes as a whole or not at all. */
#define CHUNK_BYTES 4096
/* A poll reads so many chunks, and the end of a process all that a pipe holds. */
#define CHUNKS_OF_A_POLL 4
#define CHUNKS_OF_A_PIPE 17
#define SECOND_NS UINT64_C(1000000000)
/* Until a burst may be passed on again. */
#define BURST_NS (AG_ERROR_BURST_BYTES * SECOND_NS / AG_ERROR_BYTES_PER_SECOND)

/* ---- Our standard error ------------------------------------------------------------------------------- */

/* Without waiting, if that can be: by a descriptor of our own, since others that have ours, and its flags,
 * may want to wait. Files are shared with their position, so that nobody overwrites what another has written.
 */
static int open_own(mode_t mode)
{
    int own = -1;
    if (S_ISFIFO(mode) || S_ISCHR(mode))
        own = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return own >= 0 ? own : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* A pipe that nobody reads sends SIGPIPE, which would end the embedder. */
static ssize_t write_without_signal(int to, const char *text, size_t size)
{
    const struct timespec no_time = {0, 0};
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    const ssize_t written = write(to, text, size);
    const int error = errno;
    if (written < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE))
        sigtimedwait(&broken, NULL, &no_time);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

/* Whether all was written. What could not be opened anew may wait, and is looked at first. */
static bool put(const struct ag_error_relay *relay, const char *text, size_t size)
{
    struct pollfd ready = {.fd = relay->to, .events = POLLOUT};
    if (relay->to_is_socket)
        return send(relay->to, text, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
    return poll(&ready, 1, 0) > 0 && write_without_signal(relay->to, text, size) == (ssize_t)size;
}

/* ---- The rate ----------------------------------------------------------------------------------------- */

static void refill(struct ag_error_relay *relay)
{
    const uint64_t now = ag_clock_ns();
    const uint64_t passed_ns = now - relay->refilled_ns;
    const uint64_t bytes =
        (passed_ns < BURST_NS ? passed_ns : BURST_NS) * AG_ERROR_BYTES_PER_SECOND / SECOND_NS;
    if (bytes == 0)
        return;
    const uint64_t room = AG_ERROR_BURST_BYTES - relay->bytes;
    relay->bytes += bytes < room ? bytes : room;
    relay->refilled_ns =
        passed_ns < BURST_NS ? relay->refilled_ns + bytes * SECOND_NS / AG_ERROR_BYTES_PER_SECOND : now;
    if (relay->bytes == AG_ERROR_BURST_BYTES)
        relay->leaves_out = false;
}

static void pass_text(struct ag_error_relay *relay, const char *text, size_t size)
{
    if (relay->to < 0)
        return;
    refill(relay);
    if (!relay->leaves_out && size <= relay->bytes && put(relay, text, size))
        relay->bytes -= size;
    else
        relay->leaves_out = relay->is_untold = true;
}

/* ---- The pipe ----------------------------------------------------------------------------------------- */

/* People read it in terminals. Lines and tabs stay, and the first half of a control character, the other of
 * which may come next, does not. */
static void make_plain(char *text, size_t size)
{
    size_t from = 0;
    for (size_t at = 0; at < size; at++) {
        if (text[at] != '\n' && text[at] != '\t')
            continue;
        ag_text_make_plain(text + from, at - from);
        from = at + 1;
    }
    ag_text_make_plain(text + from, size - from);
    if ((unsigned char)text[size - 1] == 0xC2)
        text[size - 1] = '?';
}

/* False: there is no more. */
static bool pass_chunk(struct ag_error_relay *relay, int *pipe)
{
    char text[CHUNK_BYTES];
    const ssize_t size = read(*pipe, text, sizeof text);
    if (size > 0) {
        make_plain(text, (size_t)size);
        pass_text(relay, text, (size_t)size);
        return true;
    }
    if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
        close(*pipe); /* which else would be readable for ever */
        *pipe = -1;
    }
    return false;
}

static void pass_chunks(struct ag_error_relay *relay, int *pipe, uint32_t most)
{
    while (*pipe >= 0 && most-- > 0 && pass_chunk(relay, pipe))
        continue;
}

/* ---- Life --------------------------------------------------------------------------------------------- */

void ag_error_relay_init(struct ag_error_relay *relay)
{
    *relay = (struct ag_error_relay){.to = -1, .bytes = AG_ERROR_BURST_BYTES, .refilled_ns = ag_clock_ns()};
}

static void forget(struct ag_error_relay *relay)
{
    if (relay->to >= 0)
        close(relay->to);
    relay->to = -1;
}

void ag_error_relay_begin(struct ag_error_relay *relay)
{
    struct stat status;
    forget(relay);
    if (fstat(STDERR_FILENO, &status) != 0)
        return;
    relay->to = open_own(status.st_mode);
    relay->to_is_socket = S_ISSOCK(status.st_mode);
}

void ag_error_relay_pass(struct ag_error_relay *relay, int *pipe)
{
    pass_chunks(relay, pipe, CHUNKS_OF_A_POLL);
}

void ag_error_relay_end(struct ag_error_relay *relay, int *pipe)
{
    pass_chunks(relay, pipe, CHUNKS_OF_A_PIPE);
    forget(relay);
}

bool ag_error_relay_tells(struct ag_error_relay *relay)
{
    if (!relay->is_untold || (relay->told_ns != 0 && ag_clock_ns() - relay->told_ns < BURST_NS))
        return false;
    relay->is_untold = false;
    relay->told_ns = ag_clock_ns();
    return true;
}
