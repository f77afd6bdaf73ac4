/* SPDX-License-Identifier: MIT */
#include "guest/transport/folder.h"

#include <windows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest/transport/shared.h"

#define DEFAULT_MEMORY_BYTES (UINT64_C(512) << 20)
/* How long the server may take to answer: it opens its GPU later. */
#define ANSWER_MS 10000

struct guest_folder {
    struct guest_shared shared; /* first: the bus's user */
    HANDLE doorbell, interrupt;
    LARGE_INTEGER frequency;
    CRITICAL_SECTION locks[GUEST_LOCK_COUNT];
};

/* ---- The line ----------------------------------------------------------------------------------------- */

static bool ring(void *user)
{
    const struct guest_folder *folder = user;
    DWORD written;
    return WriteFile(folder->doorbell, "!", 1, &written, NULL) && written == 1;
}

/* A FIFO without a reader takes nothing. */
static bool is_there(void *user)
{
    return ring(user);
}

static uint64_t now_ns(void *user)
{
    const struct guest_folder *folder = user;
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    const uint64_t ticks = (uint64_t)now.QuadPart, per_second = (uint64_t)folder->frequency.QuadPart;
    return ticks / per_second * UINT64_C(1000000000) + ticks % per_second * UINT64_C(1000000000) / per_second;
}

/* Files have no time-outs: a wait with one looks again and again instead. */
static bool sleep_for(void *user, uint64_t timeout_ns)
{
    const struct guest_folder *folder = user;
    char byte;
    DWORD got;
    if (timeout_ns == UINT64_MAX)
        return ReadFile(folder->interrupt, &byte, 1, &got, NULL) && got == 1;
    Sleep(1);
    return is_there(user);
}

static void pause_for(void *user)
{
    (void)user;
    if (!SwitchToThread())
        Sleep(1);
}

/* ---- The rest of the bus ------------------------------------------------------------------------------- */

static void lock(void *user, uint32_t number)
{
    EnterCriticalSection(&((struct guest_folder *)user)->locks[number]);
}

static void unlock(void *user, uint32_t number)
{
    LeaveCriticalSection(&((struct guest_folder *)user)->locks[number]);
}

/* ---- Connecting --------------------------------------------------------------------------------------- */

struct path {
    char text[MAX_PATH];
};

/* A name in the server's directory, as Windows spells the path. False: it is too long. */
static bool path_of(struct path *path, const char *folder, const char *name)
{
    const char *const drive = folder[0] == '/' ? "Z:" : "";
    const int length = snprintf(path->text, sizeof path->text, "%s%s/%s", drive, folder, name);
    for (char *at = path->text; *at != '\0'; at++)
        *at = *at == '/' ? '\\' : *at;
    return length > 0 && (size_t)length < sizeof path->text;
}

static HANDLE open_file(const char *folder, const char *name, DWORD access)
{
    struct path path;
    if (!path_of(&path, folder, name))
        return INVALID_HANDLE_VALUE;
    return CreateFileA(path.text, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                       OPEN_EXISTING, 0, NULL);
}

/* A name that the server makes some time after the call. */
static HANDLE wait_for_file(const char *folder, uint64_t number, const char *suffix, DWORD access)
{
    char name[48];
    snprintf(name, sizeof name, "%08lx%08lx.%s", (unsigned long)(number >> 32),
             (unsigned long)(number & 0xFFFFFFFF), suffix);
    for (uint32_t i = 0; i < ANSWER_MS; i++) {
        const HANDLE file = open_file(folder, name, access);
        if (file != INVALID_HANDLE_VALUE)
            return file;
        Sleep(1);
    }
    return INVALID_HANDLE_VALUE;
}

/* A number that no other client of the server has. */
static uint64_t new_name(const struct guest_folder *folder)
{
    LARGE_INTEGER now;
    (void)folder;
    QueryPerformanceCounter(&now);
    return (uint64_t)GetCurrentProcessId() << 40 ^ (uint64_t)GetCurrentThreadId() << 24 ^
           (uint64_t)now.QuadPart;
}

static bool call(const char *folder, uint64_t name, uint64_t size)
{
    const struct aerogpu_shared_request request = {AEROGPU_SHARED_MAGIC, AEROGPU_SHARED_VERSION, size, name};
    const HANDLE requests = open_file(folder, AEROGPU_SHARED_FOLDER_CONNECT, GENERIC_WRITE);
    DWORD written = 0;
    if (requests == INVALID_HANDLE_VALUE)
        return false;
    const bool good = WriteFile(requests, &request, sizeof request, &written, NULL);
    CloseHandle(requests);
    return good && written == sizeof request;
}

static const char *map(struct guest_folder *folder, HANDLE memory, uint64_t size)
{
    static const struct guest_shared_line line = {.ring = ring,
                                                  .sleep = sleep_for,
                                                  .is_there = is_there,
                                                  .pause = pause_for,
                                                  .now_ns = now_ns,
                                                  .lock = lock,
                                                  .unlock = unlock};
    const HANDLE section = CreateFileMappingA(memory, NULL, PAGE_READWRITE, 0, 0, NULL);
    uint8_t *const bytes =
        section != NULL ? MapViewOfFile(section, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, (SIZE_T)size) : NULL;
    if (section != NULL)
        CloseHandle(section);
    if (bytes == NULL)
        return "the server's memory cannot be mapped";
    guest_shared_init(&folder->shared, bytes, size, &line);
    if (!ring(folder)) /* the names go */
        return "the server is gone";
    return guest_shared_start(&folder->shared);
}

static const char *connect_to(struct guest_folder *folder, const char *path, uint64_t size)
{
    const uint64_t name = new_name(folder);
    if (!call(path, name, size))
        return "there is no server";
    const HANDLE memory = wait_for_file(path, name, "memory", GENERIC_READ | GENERIC_WRITE);
    if (memory == INVALID_HANDLE_VALUE)
        return "the server does not take this program";
    folder->doorbell = wait_for_file(path, name, "doorbell", GENERIC_WRITE);
    folder->interrupt = wait_for_file(path, name, "interrupt", GENERIC_READ);
    const char *const problem =
        folder->doorbell != INVALID_HANDLE_VALUE && folder->interrupt != INVALID_HANDLE_VALUE
            ? map(folder, memory, size)
            : "the server's files cannot be opened";
    CloseHandle(memory);
    return problem;
}

struct guest_folder *guest_folder_open(const char *path, uint64_t memory_bytes, const char **problem)
{
    const uint64_t size = memory_bytes != 0 ? memory_bytes : DEFAULT_MEMORY_BYTES;
    struct guest_folder *const folder = calloc(1, sizeof *folder);
    const char *why = "out of memory";
    if (folder != NULL) {
        folder->doorbell = folder->interrupt = INVALID_HANDLE_VALUE;
        QueryPerformanceFrequency(&folder->frequency);
        for (uint32_t i = 0; i < GUEST_LOCK_COUNT; i++)
            InitializeCriticalSection(&folder->locks[i]);
        why = connect_to(folder, path, size);
    }
    if (problem != NULL)
        *problem = why;
    if (why == NULL)
        return folder;
    guest_folder_close(folder);
    return NULL;
}

void guest_folder_close(struct guest_folder *folder)
{
    if (folder == NULL)
        return;
    if (folder->shared.bytes != NULL)
        UnmapViewOfFile(folder->shared.bytes);
    if (folder->doorbell != INVALID_HANDLE_VALUE)
        CloseHandle(folder->doorbell);
    if (folder->interrupt != INVALID_HANDLE_VALUE)
        CloseHandle(folder->interrupt);
    for (uint32_t i = 0; i < GUEST_LOCK_COUNT; i++)
        DeleteCriticalSection(&folder->locks[i]);
    free(folder);
}

const struct guest_bus *guest_folder_bus(const struct guest_folder *folder)
{
    return &folder->shared.bus;
}

bool guest_folder_shows_windows(const struct guest_folder *folder)
{
    return guest_shared_shows_windows(&folder->shared);
}
