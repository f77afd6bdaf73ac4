/* SPDX-License-Identifier: MIT */
#include "visitor.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "aerogpu/abi/shared.h"

#define MOST_TRIES 500

bool visitor_call(const char *folder, uint64_t name, uint64_t size)
{
    char path[160];
    const struct aerogpu_shared_request request = {AEROGPU_SHARED_MAGIC, AEROGPU_SHARED_VERSION, size, name};
    snprintf(path, sizeof path, "%s/%s", folder, AEROGPU_SHARED_FOLDER_CONNECT);
    const int connect = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    const bool written = connect >= 0 && write(connect, &request, sizeof request) == (ssize_t)sizeof request;
    if (connect >= 0)
        close(connect);
    return written;
}

static int open_name(const char *folder, uint64_t name, const char *suffix, int mode)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    char path[160];
    snprintf(path, sizeof path, "%s/%016llx.%s", folder, (unsigned long long)name, suffix);
    for (uint32_t i = 0; i < MOST_TRIES; i++) {
        const int descriptor = open(path, mode | O_CLOEXEC);
        if (descriptor >= 0)
            return descriptor;
        nanosleep(&nap, NULL);
    }
    return -1;
}

bool visitor_open(struct visitor *visitor, const char *folder, uint64_t name, uint64_t size)
{
    *visitor = (struct visitor){.memory = -1, .doorbell = -1, .interrupt = -1, .size = size};
    if (!visitor_call(folder, name, size))
        return false;
    visitor->memory = open_name(folder, name, "memory", O_RDWR);
    if (visitor->memory >= 0)
        visitor->doorbell = open_name(folder, name, "doorbell", O_WRONLY);
    if (visitor->doorbell >= 0)
        visitor->interrupt = open_name(folder, name, "interrupt", O_RDONLY);
    if (visitor->interrupt < 0)
        return false;
    void *const mapping = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, visitor->memory, 0);
    visitor->mapping = mapping != MAP_FAILED ? mapping : NULL;
    return visitor->mapping != NULL && visitor_ring(visitor);
}

bool visitor_ring(const struct visitor *visitor)
{
    return write(visitor->doorbell, "", 1) == 1;
}

void visitor_close(struct visitor *visitor)
{
    const int descriptors[] = {visitor->memory, visitor->doorbell, visitor->interrupt};
    for (int i = 0; i < 3; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
    if (visitor->mapping != NULL)
        munmap(visitor->mapping, visitor->size);
}
