/* SPDX-License-Identifier: MIT
 *
 * A GPU process that on a signal tries what it must not, and says on standard error what came of it:
 *
 *     SIGUSR1: a line for each attempt with the error it failed with, then "end"
 *     SIGUSR2: starts a program
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "aerogpu/process_executor.h"
#include "process/descriptors.h"

#define TRY(what, failed)                                                                                    \
    do {                                                                                                     \
        const bool has_failed = (failed);                                                                    \
        say(what, has_failed, errno);                                                                        \
    } while (0)

static void say(const char *what, bool failed, int error)
{
    const char *const outcome = !failed           ? "allowed"
                                : error == EACCES ? "refused"
                                : error == ENOSYS ? "no such call"
                                                  : strerror(error);
    char line[128];
    const int length = snprintf(line, sizeof line, "%s: %s\n", what, outcome);
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        _exit(9);
}

/* To the owner, whose socket is the only one. */
static ssize_t send_descriptor(void)
{
    const int descriptor = STDERR_FILENO;
    union {
        struct cmsghdr header; /* for its alignment */
        char bytes[CMSG_SPACE(sizeof descriptor)];
    } control = {
        .header = {
                   .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof descriptor)}
    };
    const struct msghdr message = {.msg_control = &control, .msg_controllen = sizeof control.bytes};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
    return sendmsg(AG_SOCKET_DESCRIPTOR, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void try_all(int number)
{
    struct stat status;
    (void)number;
    errno = 0;
    TRY("read a file", open("/etc/passwd", O_RDONLY) < 0);
    TRY("write a file", open("probe.out", O_WRONLY | O_CREAT, 0600) < 0);
    TRY("list a folder", open("/", O_RDONLY | O_DIRECTORY) < 0);
    TRY("look at a file", stat("/etc/passwd", &status) != 0);
    TRY("take a file away", unlink("probe.out") != 0);
    TRY("make a socket", socket(AF_INET, SOCK_STREAM, 0) < 0);
    TRY("send a descriptor", send_descriptor() < 0);
    TRY("signal the owner", kill(getppid(), 0) != 0);
    /* fork() takes the allocator's locks, which the interrupted thread may have. */
    const long child = syscall(SYS_clone, (long)SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0)
        _exit(0);
    TRY("make a process", child < 0);
    TRY("make a process that shares memory",
        syscall(SYS_clone, (long)(CLONE_VM | CLONE_VFORK | SIGCHLD), NULL, NULL, NULL, NULL) < 0);
    TRY("send to an address",
        syscall(SYS_sendto, AG_SOCKET_DESCRIPTOR, "", 0, MSG_NOSIGNAL, UINT64_C(1) << 32, 16) < 0);
    void *const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    TRY("make memory executable", code == MAP_FAILED || mprotect(code, 4096, PROT_READ | PROT_EXEC) != 0);
    fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK);
    char byte;
    TRY("read from standard error", read(STDERR_FILENO, &byte, sizeof byte) < 0);
    if (write(STDERR_FILENO, "end\n", 4) < 0)
        _exit(9);
}

static void start_a_program(int number)
{
    (void)number;
    execl("/bin/true", "true", (char *)NULL);
}

int main(void)
{
    char message[256];
    const struct sigaction tries = {.sa_handler = try_all}, starts = {.sa_handler = start_a_program};
    sigaction(SIGUSR1, &tries, NULL);
    sigaction(SIGUSR2, &starts, NULL);
    _exit(agpu_gpu_process_main(message, sizeof message));
}
