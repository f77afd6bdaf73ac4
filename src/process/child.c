/* SPDX-License-Identifier: MIT */
#include "process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "gpu/detached.h"
#include "process/channel.h"
#include "process/descriptors.h"

#ifdef SYS_pidfd_open
#define HAS_PIDFD 1
#else
#define HAS_PIDFD 0
#endif

/* Descriptors of ours that the child does not get lie above those that it does, so that none is in the way of
 * another. */
#define FIRST_OWN_DESCRIPTOR (AG_SOCKET_DESCRIPTOR + 1)

extern char **environ;

/* ---- Starting ----------------------------------------------------------------------------------------- */

/* Both ends of a connection: the first ours, the second the child's. */
struct ends {
    int ours, theirs;
};

static void close_ends(const struct ends *ends)
{
    if (ends->ours >= 0)
        close(ends->ours);
    if (ends->theirs >= 0)
        close(ends->theirs);
}

static bool move_ends(struct ends *ends, const int pair[2])
{
    *ends = (struct ends){.ours = fcntl(pair[0], F_DUPFD_CLOEXEC, FIRST_OWN_DESCRIPTOR),
                          .theirs = fcntl(pair[1], F_DUPFD_CLOEXEC, FIRST_OWN_DESCRIPTOR)};
    close(pair[0]);
    close(pair[1]);
    return ends->ours >= 0 && ends->theirs >= 0;
}

static bool open_sockets(struct ends *ends)
{
    int pair[2];
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0 && move_ends(ends, pair);
}

/* The child may wait for us, and we do not for the child. */
static bool open_error(struct ends *ends)
{
    int pair[2];
    return pipe2(pair, O_CLOEXEC) == 0 && move_ends(ends, pair) &&
           fcntl(ends->ours, F_SETFL, O_NONBLOCK) == 0;
}

/* Standard input and output are nothing, standard error goes to us, the socket is where the child looks. */
static int arrange_descriptors(posix_spawn_file_actions_t *actions, int socket, int own_error)
{
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(actions, own_error, STDERR_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(actions, socket, AG_SOCKET_DESCRIPTOR);
    return error;
}

/* No signal is blocked or ignored in the child, and it is its own process group: a terminal's interrupt is
 * for the owner. */
static int arrange_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                         POSIX_SPAWN_SETPGROUP);
    if (error == 0)
        error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0)
        error = posix_spawnattr_setsigdefault(attributes, &all);
    if (error == 0)
        error = posix_spawnattr_setpgroup(attributes, 0);
    return error;
}

/* posix_spawn() does not copy the owner's page tables, which for an emulator with a large guest takes long.
 */
static int spawn(pid_t *pid, int socket, int own_error, const char *program, const char *const *arguments,
                 const char *const *environment)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = arrange_descriptors(&actions, socket, own_error);
        if (error == 0)
            error = arrange_signals(&attributes);
        if (error == 0)
            error = posix_spawn(pid, program, &actions, &attributes, (char *const *)arguments,
                                environment != NULL ? (char *const *)environment : environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int open_handle(pid_t pid)
{
#if HAS_PIDFD
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    return -1;
#endif
}

static void close_all(struct ag_child *child)
{
    if (child->socket >= 0)
        close(child->socket);
    if (child->error >= 0)
        close(child->error);
    if (child->shared_descriptor >= 0)
        close(child->shared_descriptor);
    ag_shared_memory_unmap(child->shared);
    child->socket = child->error = child->shared_descriptor = -1;
    child->shared = NULL;
}

bool ag_child_start(struct ag_child *child, const char *program, const char *const *arguments,
                    const char *const *environment, char *problem, size_t size)
{
    struct ends sockets = {-1, -1}, errors = {-1, -1};
    pid_t pid = 0;
    *child = (struct ag_child){
        .handle = -1, .socket = -1, .error = -1, .shared_descriptor = ag_shared_memory_create()};
    if (child->shared_descriptor >= 0)
        child->shared = ag_shared_memory_map(child->shared_descriptor);
    if (child->shared == NULL || !open_sockets(&sockets) || !open_error(&errors)) {
        snprintf(problem, size, "there is no memory or no descriptor for a GPU process");
        close_ends(&sockets);
        close_ends(&errors);
        close_all(child);
        return false;
    }
    child->socket = sockets.ours;
    child->error = errors.ours;
    const int error = spawn(&pid, sockets.theirs, errors.theirs, program, arguments, environment);
    close(sockets.theirs);
    close(errors.theirs);
    if (error != 0) {
        snprintf(problem, size, "the GPU process %s cannot be started: %s", program, strerror(error));
        close_all(child);
        return false;
    }
    child->pid = pid;
    child->handle = open_handle(pid);
    return true;
}

/* ---- Ending ------------------------------------------------------------------------------------------- */

static void note_end(struct ag_child *child)
{
    child->pid = 0;
    if (child->handle >= 0)
        close(child->handle);
    child->handle = -1;
}

bool ag_child_has_ended(struct ag_child *child)
{
    if (child->pid == 0)
        return true;
    const pid_t ended = waitpid((pid_t)child->pid, &child->status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno != ECHILD))
        return false;
    child->has_status = ended > 0; /* else somebody else has taken the status */
    note_end(child);
    return true;
}

static void send_kill(const struct ag_child *child)
{
#if HAS_PIDFD
    if (child->handle >= 0) {
        syscall(SYS_pidfd_send_signal, child->handle, SIGKILL, NULL, 0);
        return;
    }
#endif
    kill((pid_t)child->pid, SIGKILL);
}

void ag_child_kill(struct ag_child *child)
{
    if (child->pid != 0)
        send_kill(child);
    close_all(child);
}

bool ag_child_wait(struct ag_child *child, uint64_t most_ns)
{
    const uint64_t start = ag_clock_ns();
    const struct timespec nap = {0, 200000};
    while (!ag_child_has_ended(child)) {
        if (ag_clock_ns() - start >= most_ns)
            return false;
        nanosleep(&nap, NULL);
    }
    return true;
}

static void *take_status(void *user)
{
    while (waitpid((pid_t)(intptr_t)user, NULL, 0) < 0 && errno == EINTR)
        continue;
    return NULL;
}

void ag_child_leave(struct ag_child *child, uint64_t most_ns)
{
    if (ag_child_wait(child, most_ns))
        return;
    if (ag_detached_start(take_status, (void *)(intptr_t)child->pid))
        note_end(child);
    else /* without memory; what was killed ends */
        ag_child_wait(child, UINT64_MAX);
}

void ag_child_describe_end(const struct ag_child *child, char *text, size_t size)
{
    if (child->pid != 0 || !child->has_status)
        snprintf(text, size, "ended");
    else if (WIFSIGNALED(child->status))
        snprintf(text, size, "was killed by signal %d", WTERMSIG(child->status));
    else
        snprintf(text, size, "ended with status %d", WEXITSTATUS(child->status));
}
