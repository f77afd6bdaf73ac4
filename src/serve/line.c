/* SPDX-License-Identifier: MIT */
#include "serve/line.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

/* How long a client may take from its request to its first ring. */
#define OPEN_NS (UINT64_C(10) * 1000000000)

static void close_one(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}

/* ---- Sockets ------------------------------------------------------------------------------------------ */

bool ag_line_init_socket(struct ag_line *line, int socket)
{
    *line = (struct ag_line){
        .doorbell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
        .interrupt = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
        .socket = socket,
        .folder = -1,
        .is_open = true,
    };
    if (line->doorbell >= 0 && line->interrupt >= 0)
        return true;
    ag_line_fini(line);
    return false;
}

/* ---- Folders ------------------------------------------------------------------------------------------ */

static const char *const suffixes[] = {"doorbell", "interrupt", "memory"};
enum { DOORBELL, INTERRUPT, MEMORY, NAMES };

struct name {
    char text[32];
};

static struct name name_of(uint64_t number, uint32_t kind)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "%016" PRIx64 ".%s", number, suffixes[kind]);
    return name;
}

bool ag_line_is_name(const char *text)
{
    const size_t digits = strspn(text, "0123456789abcdef");
    for (uint32_t i = 0; digits == 16 && text[digits] == '.' && i < NAMES; i++)
        if (strcmp(text + digits + 1, suffixes[i]) == 0)
            return true;
    return false;
}

static int make_fifo(int folder, uint64_t number, uint32_t kind, int mode)
{
    const struct name name = name_of(number, kind);
    if (mkfifoat(folder, name.text, S_IRUSR | S_IWUSR) != 0)
        return -1;
    const int descriptor = openat(folder, name.text, mode | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0)
        unlinkat(folder, name.text, 0);
    return descriptor;
}

static void remove_names(struct ag_line *line)
{
    for (uint32_t i = 0; i < NAMES && line->folder >= 0; i++)
        unlinkat(line->folder, name_of(line->name, i).text, 0);
    line->folder = -1;
}

/* The memory has no name but through the server's own table of descriptors, so that nothing stays when the
 * server ends. */
static bool name_memory(int folder, uint64_t number, int memory)
{
    char target[64];
    snprintf(target, sizeof target, "/proc/%ld/fd/%d", (long)getpid(), memory);
    return symlinkat(target, folder, name_of(number, MEMORY).text) == 0;
}

bool ag_line_init_folder(struct ag_line *line, int folder, uint64_t name, int memory)
{
    *line = (struct ag_line){.interrupt = -1, .socket = -1, .folder = -1, .name = name};
    line->doorbell = make_fifo(folder, name, DOORBELL, O_RDONLY);
    if (line->doorbell < 0)
        return false;
    line->folder = folder;
    line->deadline_ns = ag_clock_ns() + OPEN_NS;
    /* Both ends, so that the client can open the other end at any time, and reads an end when this process
     * ends. */
    line->interrupt = make_fifo(folder, name, INTERRUPT, O_RDWR);
    if (line->interrupt >= 0 && name_memory(folder, name, memory))
        return true;
    ag_line_fini(line);
    return false;
}

/* ---- Both --------------------------------------------------------------------------------------------- */

void ag_line_fini(struct ag_line *line)
{
    remove_names(line);
    close_one(line->doorbell);
    close_one(line->interrupt);
    close_one(line->socket);
    *line = (struct ag_line){.doorbell = -1, .interrupt = -1, .socket = -1, .folder = -1};
}

static enum ag_line_state look_at_socket(const struct ag_line *line)
{
    uint64_t count;
    char byte;
    const ssize_t got = recv(line->socket, &byte, sizeof byte, MSG_DONTWAIT);
    /* The client has nothing more to say there. */
    if (got >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
        return AG_LINE_GONE;
    return read(line->doorbell, &count, sizeof count) > 0 ? AG_LINE_RUNG : AG_LINE_QUIET;
}

static enum ag_line_state look_at_fifo(struct ag_line *line, uint64_t now_ns)
{
    char bytes[512];
    const ssize_t got = read(line->doorbell, bytes, sizeof bytes);
    if (got > 0) {
        line->is_open = true;
        remove_names(line);
        return AG_LINE_RUNG;
    }
    if (got == 0 && (line->is_open || now_ns >= line->deadline_ns))
        return AG_LINE_GONE;
    return AG_LINE_QUIET;
}

enum ag_line_state ag_line_look(struct ag_line *line, uint64_t now_ns)
{
    return line->socket >= 0 ? look_at_socket(line) : look_at_fifo(line, now_ns);
}

void ag_line_interrupt(const struct ag_line *line)
{
    const uint64_t one = 1;
    const ssize_t done = write(line->interrupt, &one, line->socket >= 0 ? sizeof one : 1);
    (void)done; /* full: the client has not read what was written before */
}

uint32_t ag_line_descriptors(const struct ag_line *line, struct pollfd descriptors[AG_LINE_DESCRIPTORS])
{
    uint32_t count = 0;
    descriptors[count++] = (struct pollfd){.fd = line->doorbell, .events = POLLIN};
    if (line->socket >= 0)
        descriptors[count++] = (struct pollfd){.fd = line->socket, .events = POLLIN};
    return count;
}
