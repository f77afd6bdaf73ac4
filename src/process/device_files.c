/* SPDX-License-Identifier: MIT */
#include "process/device_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "process/descriptors.h"

#define MOST_FILES 32
#define MOST_PATH 64
#define FOLDER "/dev/"

/* To the broker: a file that may be opened later, or one to open now; an empty path ends the first kind. The
 * answer has the thread that asked and, unless the file is refused, a descriptor. */
struct request {
    int32_t thread;
    int32_t flags;
    char path[MOST_PATH];
};

struct answer {
    int32_t thread;
};

union rights {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

/* ---- The broker --------------------------------------------------------------------------------------- */

static bool receive_request(int socket, struct request *request)
{
    ssize_t size;
    do {
        size = recv(socket, request, sizeof *request, 0);
    } while (size < 0 && errno == EINTR);
    request->path[sizeof request->path - 1] = '\0';
    return size == sizeof *request;
}

static bool send_answer(int socket, int32_t thread, int file)
{
    struct answer answer = {thread};
    struct iovec bytes = {&answer, sizeof answer};
    union rights rights = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
    if (file >= 0) {
        message.msg_control = rights.bytes;
        message.msg_controllen = sizeof rights.bytes;
        rights.header = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof file)};
        memcpy(CMSG_DATA(&rights.header), &file, sizeof file);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0;
}

static bool is_known(const struct request *files, uint32_t count, const char *path)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(files[i].path, path) == 0)
            return true;
    return false;
}

/* The process that asks has only the descriptors, and is believed nothing but the place in the list. */
static bool serve(int socket, const struct request *files, uint32_t count)
{
    struct request request;
    int file = -1;
    if (!receive_request(socket, &request))
        return false;
    if (is_known(files, count, request.path))
        file = open(request.path, (request.flags & (O_ACCMODE | O_NONBLOCK)) | O_NOCTTY | O_CLOEXEC);
    const bool good = send_answer(socket, request.thread, file);
    if (file >= 0)
        close(file);
    return good;
}

static void broker_main(int socket, pid_t owner)
{
    struct request files[MOST_FILES], named;
    uint32_t count = 0;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != owner)
        _exit(1);
    for (int i = 0; i < 64; i++)
        if (i != socket)
            close(i);
    while (receive_request(socket, &named) && named.path[0] != '\0')
        if (count < MOST_FILES && !is_known(files, count, named.path))
            files[count++] = named;
    while (serve(socket, files, count))
        continue;
    _exit(0);
}

pid_t ag_device_files_begin(void)
{
    int ends[2];
    const pid_t owner = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    pid_t broker = fork();
    if (broker == 0)
        broker_main(ends[1], owner);
    close(ends[1]);
    if (ends[0] != AG_DEVICE_FILES_DESCRIPTOR) {
        if (dup2(ends[0], AG_DEVICE_FILES_DESCRIPTOR) < 0)
            broker = -1;
        close(ends[0]);
    }
    return broker;
}

void ag_device_files_forget(pid_t broker)
{
    close(AG_DEVICE_FILES_DESCRIPTOR);
    while (waitpid(broker, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* ---- Asking ------------------------------------------------------------------------------------------- */

static bool send_request(const char *path, int flags, int32_t thread)
{
    struct request request = {.thread = thread, .flags = flags};
    if (strlen(path) >= sizeof request.path)
        return false;
    memcpy(request.path, path, strlen(path));
    ssize_t sent;
    do {
        sent = send(AG_DEVICE_FILES_DESCRIPTOR, &request, sizeof request, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == sizeof request;
}

/* Threads may ask at the same time: each leaves the answers of others where they are. */
static int receive_file(int32_t thread)
{
    struct answer answer = {0};
    struct iovec bytes = {&answer, sizeof answer};
    union rights rights = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
    while (answer.thread != thread) {
        const ssize_t size = recvmsg(AG_DEVICE_FILES_DESCRIPTOR, &message, MSG_PEEK);
        if (size == 0 || (size < 0 && errno != EINTR))
            return -1;
        if (size < 0 || answer.thread != thread)
            sched_yield();
    }
    message.msg_control = rights.bytes;
    message.msg_controllen = sizeof rights.bytes;
    int file = -1;
    if (recvmsg(AG_DEVICE_FILES_DESCRIPTOR, &message, MSG_CMSG_CLOEXEC) > 0 && message.msg_controllen != 0 &&
        rights.header.cmsg_len == CMSG_LEN(sizeof file))
        memcpy(&file, CMSG_DATA(&rights.header), sizeof file);
    return file;
}

/* A descriptor, or -EACCES. */
static int ask_for_file(const char *path, int flags)
{
    const int32_t thread = (int32_t)syscall(SYS_gettid);
    const int file =
        path != NULL && strncmp(path, FOLDER, strlen(FOLDER)) == 0 && send_request(path, flags, thread)
            ? receive_file(thread)
            : -1;
    return file >= 0 ? file : -EACCES;
}

static int look_at_descriptor(int file, struct stat *status)
{
    return syscall(SYS_fstat, file, status) == 0 ? 0 : -errno;
}

static int look_at_file(const char *path, struct stat *status)
{
    const int file = ask_for_file(path, O_RDWR);
    if (file < 0)
        return file;
    const int result = look_at_descriptor(file, status);
    close(file);
    return result;
}

/* fstat() of glibc is this call with an empty path. */
static int look_at(int folder, const char *path, struct stat *status, int flags)
{
    return path != NULL && path[0] == '\0' && flags == AT_EMPTY_PATH ? look_at_descriptor(folder, status)
                                                                     : look_at_file(path, status);
}

/* ---- Calls that the filter hands over ----------------------------------------------------------------- */

#if defined(__x86_64__)
static uintptr_t argument(const ucontext_t *context, int index)
{
    static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10};
    return (uintptr_t)context->uc_mcontext.gregs[registers[index]];
}

static void set_result(ucontext_t *context, int result)
{
    context->uc_mcontext.gregs[REG_RAX] = result;
}
#elif defined(__aarch64__)
static uintptr_t argument(const ucontext_t *context, int index)
{
    return (uintptr_t)context->uc_mcontext.regs[index];
}

static void set_result(ucontext_t *context, int result)
{
    context->uc_mcontext.regs[0] = (uint64_t)(int64_t)result;
}
#else
static uintptr_t argument(const ucontext_t *context, int index)
{
    (void)context, (void)index;
    return 0;
}

static void set_result(ucontext_t *context, int result)
{
    (void)context, (void)result;
}
#endif

static int answer_call(int number, const ucontext_t *context)
{
    switch (number) {
    case SYS_openat:
        return ask_for_file((const char *)argument(context, 1), (int)argument(context, 2));
    case SYS_newfstatat:
        return look_at((int)argument(context, 0), (const char *)argument(context, 1),
                       (struct stat *)argument(context, 2), (int)argument(context, 3));
#ifdef __x86_64__
    case SYS_open:
        return ask_for_file((const char *)argument(context, 0), (int)argument(context, 1));
    case SYS_stat:
        return look_at_file((const char *)argument(context, 0), (struct stat *)argument(context, 1));
#endif
    default:
        return -ENOSYS;
    }
}

static void on_call(int number, siginfo_t *info, void *context)
{
    const int error = errno;
    (void)number;
    set_result(context, answer_call(info->si_syscall, context));
    errno = error;
}

/* ---- What is open ------------------------------------------------------------------------------------- */

/* A device file that is open, by its path; false for other descriptors. */
static bool is_device_file(const char *descriptor, char *path, size_t size)
{
    char link[64];
    struct stat status;
    snprintf(link, sizeof link, "/proc/self/fd/%.16s", descriptor);
    const ssize_t length = readlink(link, path, size - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return strncmp(path, FOLDER, strlen(FOLDER)) == 0 && stat(path, &status) == 0 && S_ISCHR(status.st_mode);
}

static bool name_files(void)
{
    char path[MOST_PATH];
    DIR *const folder = opendir("/proc/self/fd");
    if (folder == NULL)
        return false;
    bool good = true;
    for (const struct dirent *entry = readdir(folder); entry != NULL && good; entry = readdir(folder))
        if (atoi(entry->d_name) > STDERR_FILENO && is_device_file(entry->d_name, path, sizeof path))
            good = send_request(path, 0, 0);
    closedir(folder);
    return good && send_request("", 0, 0);
}

bool ag_device_files_end(void)
{
    struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigset_t calls;
    sigemptyset(&calls);
    sigaddset(&calls, SIGSYS);
    return name_files() && sigaction(SIGSYS, &action, NULL) == 0 &&
           pthread_sigmask(SIG_UNBLOCK, &calls, NULL) == 0;
}
