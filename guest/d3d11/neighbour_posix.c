/* SPDX-License-Identifier: MIT
 *
 * Sockets of Linux whose names are no files: one for each number of a process, by which others ask it for
 * memory and wake it, and one for its id, by which they know that it lives. Memory is files without names,
 * which cannot change their size. Those of other users get no answer.
 */
#include "guest/d3d11/neighbour.h"
#include "guest/d3d11/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS 2000
#define LOCK_PAUSE_NS 50000
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define LETTER_MAGIC 0x54544c41u

enum letter_kind { LETTER_WAKE = 1, LETTER_OPEN, LETTER_GIVEN, LETTER_NONE };

struct letter {
    uint32_t magic, kind, name;
};

struct address {
    struct sockaddr_un name;
    socklen_t size;
};

/* Behind a null byte, where names are no files. */
static struct address address_of(const char *word, uint64_t number)
{
    struct address address = {.name = {.sun_family = AF_UNIX}};
    const int length = snprintf(address.name.sun_path + 1, sizeof(address.name.sun_path) - 1,
                                "aerogpu-%s-%llx", word, (unsigned long long)number);
    address.size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    return address;
}

static int new_socket(void)
{
    return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

/* Who binds a name first has it; the end of the process closes the socket. -1: somebody has it. */
static int take_name(const char *word, uint64_t number)
{
    const struct address address = address_of(word, number);
    const int made = new_socket(), yes = 1;
    if (made >= 0 && setsockopt(made, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) == 0 &&
        bind(made, (const struct sockaddr *)&address.name, address.size) == 0)
        return made;
    if (made >= 0)
        close(made);
    return -1;
}

/* ---- Letters ------------------------------------------------------------------------------------------- */

/* Keeps the first of those that came with a letter. */
static void take_descriptors(struct cmsghdr *from, int *first)
{
    const size_t count = (from->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(from) + i * sizeof(int), sizeof(int));
        if (*first < 0)
            *first = descriptor;
        else
            close(descriptor);
    }
}

/* From a user like this one; false: of another user, or none. */
static bool receive(int from, struct letter *letter, struct address *sender, int *descriptor)
{
    struct iovec part = {letter, sizeof(*letter)};
    union {
        struct cmsghdr header; /* for its alignment */
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_name = &sender->name,
                             .msg_namelen = sizeof(sender->name),
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control.bytes)};
    const ssize_t got = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    bool is_known = false;
    *descriptor = -1;
    if (got < 0)
        return false;
    sender->size = message.msg_namelen;
    for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
        struct ucred credentials;
        if (at->cmsg_level == SOL_SOCKET && at->cmsg_type == SCM_CREDENTIALS) {
            memcpy(&credentials, CMSG_DATA(at), sizeof(credentials));
            is_known = credentials.uid == getuid();
        } else if (at->cmsg_level == SOL_SOCKET && at->cmsg_type == SCM_RIGHTS) {
            take_descriptors(at, descriptor);
        }
    }
    is_known = is_known && got == (ssize_t)sizeof(*letter) && letter->magic == LETTER_MAGIC;
    if (!is_known && *descriptor >= 0)
        close(*descriptor);
    return is_known;
}

static bool post(int from, const struct address *to, enum letter_kind kind, uint32_t name, int descriptor)
{
    struct letter letter = {LETTER_MAGIC, (uint32_t)kind, name};
    struct iovec part = {&letter, sizeof(letter)};
    union {
        struct cmsghdr header; /* for its alignment */
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct address copy = *to;
    struct msghdr message = {
        .msg_name = &copy.name, .msg_namelen = copy.size, .msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof(control.bytes);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(descriptor));
    }
    return sendmsg(from, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof(letter);
}

/* ---- Processes ----------------------------------------------------------------------------------------- */

static int mailbox = -1; /* that of the number */

bool rt_process_number(uint32_t count, uint32_t *number)
{
    static uint32_t taken;
    for (uint32_t i = 0; mailbox < 0 && i < count; i++) {
        taken = ((uint32_t)getpid() + i) % count;
        mailbox = take_name("process", taken);
    }
    *number = taken;
    return mailbox >= 0;
}

uint64_t rt_process_id(void)
{
    static uint64_t id;
    uint32_t number;
    if (id || !rt_process_number(1u << RT_PROCESS_BITS, &number))
        return id;
    id = ((uint64_t)getpid() << 36 ^ (uint64_t)rt_ticks()) << RT_PROCESS_BITS | number;
    if (take_name("listener", id) < 0)
        id = 0;
    return id;
}

bool rt_process_lives(uint64_t id)
{
    const struct address address = address_of("listener", id);
    const int probe = new_socket();
    const bool lives =
        probe >= 0 && (connect(probe, (const struct sockaddr *)&address.name, address.size) == 0);
    if (probe >= 0)
        close(probe);
    return lives;
}

void rt_process_tell(uint64_t id)
{
    const struct address address = address_of("process", id & ((1u << RT_PROCESS_BITS) - 1));
    const int from = new_socket();
    if (from < 0)
        return;
    post(from, &address, LETTER_WAKE, 0, -1);
    close(from);
}

/* ---- Sections of memory -------------------------------------------------------------------------------- */

struct rt_section_system {
    struct rt_section_system *next; /* of those that others may ask for */
    uint32_t name;
    bool is_made;
    int descriptor; /* open for this process alone, whose lock it has */
    pthread_mutex_t mutex;
};

static struct rt_section_system *made_here;
static pthread_mutex_t made_here_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Under the mutex. NULL: this process has made none of this name. */
static const struct rt_section_system *find_made(uint32_t name)
{
    const struct rt_section_system *found = made_here;
    while (found && found->name != name)
        found = found->next;
    return found;
}

static void answer(const struct letter *letter, const struct address *sender)
{
    const struct rt_section_system *found;
    pthread_mutex_lock(&made_here_mutex);
    found = find_made(letter->name);
    post(mailbox, sender, found ? LETTER_GIVEN : LETTER_NONE, letter->name, found ? found->descriptor : -1);
    pthread_mutex_unlock(&made_here_mutex);
}

static void listen_for_others(void *user)
{
    void (*const told)(void) = (void (*)(void))(uintptr_t)user;
    struct letter letter;
    struct address sender;
    int descriptor;
    for (;;) {
        if (!receive(mailbox, &letter, &sender, &descriptor))
            continue;
        if (descriptor >= 0)
            close(descriptor);
        if (letter.kind == LETTER_OPEN)
            answer(&letter, &sender);
        else if (letter.kind == LETTER_WAKE)
            told();
    }
}

bool rt_process_listen(void (*told)(void))
{
    static bool is_listening;
    if (!is_listening)
        is_listening = rt_process_id() && rt_thread_start(listen_for_others, (void *)(uintptr_t)told);
    return is_listening;
}

/* Takes the descriptor over. The file is opened anew: what two processes have by one description has one lock
 * for both. */
static bool finish(struct rt_section *section, uint32_t name, int descriptor)
{
    char path[40];
    struct stat status;
    struct rt_section_system *const system = calloc(1, sizeof(*system));
    snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
    *section = (struct rt_section){.system = system};
    if (!system) {
        close(descriptor);
        return false;
    }
    pthread_mutex_init(&system->mutex, NULL);
    system->name = name;
    system->descriptor = open(path, O_RDWR | O_CLOEXEC);
    close(descriptor);
    if (system->descriptor >= 0 && (fcntl(system->descriptor, F_GET_SEALS) & SEALS) == SEALS &&
        fstat(system->descriptor, &status) == 0 && status.st_size > 0) {
        void *const bytes =
            mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, system->descriptor, 0);
        section->bytes = bytes != MAP_FAILED ? bytes : NULL;
        section->size = (uint64_t)status.st_size;
    }
    if (section->bytes)
        return true;
    rt_section_close(section);
    return false;
}

static bool is_made_here(uint32_t name)
{
    bool is_made;
    pthread_mutex_lock(&made_here_mutex);
    is_made = find_made(name) != NULL;
    pthread_mutex_unlock(&made_here_mutex);
    return is_made;
}

bool rt_section_create(struct rt_section *section, uint32_t name, uint64_t size)
{
    const int made =
        is_made_here(name) ? -1 : memfd_create("aerogpu-shared", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (made < 0)
        return false;
    if (size > INT64_MAX || ftruncate(made, (off_t)size) != 0 || fcntl(made, F_ADD_SEALS, SEALS) != 0) {
        close(made);
        return false;
    }
    if (!finish(section, name, made))
        return false;
    pthread_mutex_lock(&made_here_mutex);
    section->system->is_made = true;
    section->system->next = made_here;
    made_here = section->system;
    pthread_mutex_unlock(&made_here_mutex);
    return true;
}

/* Until something can be read. A signal that the program handles ends no wait. */
static bool wait_to_read(int from)
{
    struct pollfd ready = {.fd = from, .events = POLLIN};
    const int64_t end = rt_ticks() + INT64_C(1000000) * WAIT_MS;
    int count;
    do {
        const int64_t rest = (end - rt_ticks()) / 1000000;
        count = poll(&ready, 1, rest > 0 ? (int)rest : 0);
    } while (count < 0 && errno == EINTR);
    return count == 1;
}

bool rt_section_open(struct rt_section *section, uint32_t name)
{
    const struct sockaddr_un any = {.sun_family = AF_UNIX}; /* a name that nobody else has */
    const struct address maker = address_of("process", name >> RT_SECTION_COUNT_BITS);
    const int from = new_socket(), yes = 1;
    struct letter letter = {0};
    struct address sender;
    int descriptor = -1;
    if (from < 0)
        return false;
    if (setsockopt(from, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) == 0 &&
        bind(from, (const struct sockaddr *)&any, sizeof(any.sun_family)) == 0 &&
        post(from, &maker, LETTER_OPEN, name, -1) && wait_to_read(from) &&
        !receive(from, &letter, &sender, &descriptor))
        descriptor = -1;
    close(from);
    if (descriptor < 0)
        return false;
    if (letter.kind == LETTER_GIVEN && letter.name == name)
        return finish(section, name, descriptor);
    close(descriptor);
    return false;
}

static void forget(struct rt_section_system *system)
{
    struct rt_section_system **at = &made_here;
    pthread_mutex_lock(&made_here_mutex);
    while (*at != system)
        at = &(*at)->next;
    *at = system->next;
    pthread_mutex_unlock(&made_here_mutex);
}

void rt_section_close(struct rt_section *section)
{
    struct rt_section_system *const system = section->system;
    if (section->bytes)
        munmap(section->bytes, (size_t)section->size);
    if (system) {
        if (system->is_made)
            forget(system);
        if (system->descriptor >= 0)
            close(system->descriptor);
        pthread_mutex_destroy(&system->mutex);
        free(system);
    }
    *section = (struct rt_section){0};
}

bool rt_section_lock(struct rt_section *section)
{
    const struct timespec pause = {0, LOCK_PAUSE_NS};
    const int64_t end = rt_ticks() + INT64_C(1000000) * WAIT_MS;
    pthread_mutex_lock(&section->system->mutex);
    while (flock(section->system->descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (rt_ticks() >= end) {
            pthread_mutex_unlock(&section->system->mutex);
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

void rt_section_unlock(struct rt_section *section)
{
    flock(section->system->descriptor, LOCK_UN);
    pthread_mutex_unlock(&section->system->mutex);
}
