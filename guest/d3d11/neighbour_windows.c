/* SPDX-License-Identifier: MIT
 *
 * Named objects of the session: an event for each process, a section and a mutex for each piece of memory.
 */
#include "guest/d3d11/neighbour.h"
#include "guest/d3d11/platform.h"

#include <stdlib.h>

#define LOCK_MS 2000
#define NAME_CHARACTERS 64

/* "Local\AeroGPU", a word, and a number as 16 digits. */
static void write_name(WCHAR name[NAME_CHARACTERS], const WCHAR *word, uint64_t number)
{
    static const WCHAR prefix[] = L"Local\\AeroGPU ";
    size_t at = 0;
    for (size_t i = 0; prefix[i]; i++)
        name[at++] = prefix[i];
    for (size_t i = 0; word[i]; i++)
        name[at++] = word[i];
    for (int digit = 15; digit >= 0; digit--)
        name[at++] = L"0123456789abcdef"[number >> 4 * digit & 15];
    name[at] = 0;
}

/* ---- Processes ----------------------------------------------------------------------------------------- */

/* Who makes the object of a number first has it; the end of the process closes the object. */
static bool take_number(uint32_t number)
{
    WCHAR name[NAME_CHARACTERS];
    write_name(name, L"process ", number);
    const HANDLE object = CreateMutexW(NULL, FALSE, name);
    if (object && GetLastError() != ERROR_ALREADY_EXISTS)
        return true;
    if (object)
        CloseHandle(object);
    return false;
}

/* Numbers of processes are multiples of four. */
bool rt_process_number(uint32_t count, uint32_t *number)
{
    static bool is_taken;
    static uint32_t taken;
    for (uint32_t i = 0; !is_taken && i < count; i++) {
        taken = (GetCurrentProcessId() / 4 + i) % count;
        is_taken = take_number(taken);
    }
    *number = taken;
    return is_taken;
}

/* The event of this process, by whose name others know that it lives. */
static HANDLE own_event;

uint64_t rt_process_id(void)
{
    static uint64_t id;
    uint32_t number;
    LARGE_INTEGER now;
    WCHAR name[NAME_CHARACTERS];
    if (id || !rt_process_number(1u << RT_PROCESS_BITS, &number))
        return id;
    QueryPerformanceCounter(&now);
    id = ((uint64_t)GetCurrentProcessId() << 36 ^ (uint64_t)now.QuadPart) << RT_PROCESS_BITS | number;
    write_name(name, L"listener ", id);
    own_event = CreateEventW(NULL, FALSE, FALSE, name);
    if (!own_event)
        id = 0;
    return id;
}

static HANDLE open_event(uint64_t id)
{
    WCHAR name[NAME_CHARACTERS];
    write_name(name, L"listener ", id);
    return OpenEventW(EVENT_MODIFY_STATE, FALSE, name);
}

bool rt_process_lives(uint64_t id)
{
    const HANDLE event = open_event(id);
    if (event)
        CloseHandle(event);
    return event != NULL;
}

void rt_process_tell(uint64_t id)
{
    const HANDLE event = open_event(id);
    if (!event)
        return;
    SetEvent(event);
    CloseHandle(event);
}

static void listen_for_others(void *user)
{
    void (*const told)(void) = (void (*)(void))(uintptr_t)user;
    while (WaitForSingleObject(own_event, INFINITE) == WAIT_OBJECT_0)
        told();
}

bool rt_process_listen(void (*told)(void))
{
    static bool is_listening;
    if (!is_listening)
        is_listening = rt_process_id() && rt_thread_start(listen_for_others, (void *)(uintptr_t)told);
    return is_listening;
}

/* ---- Sections of memory -------------------------------------------------------------------------------- */

struct rt_section_system {
    HANDLE mapping, mutex;
};

static bool finish(struct rt_section *section, uint32_t name)
{
    MEMORY_BASIC_INFORMATION information;
    WCHAR text[NAME_CHARACTERS];
    write_name(text, L"lock ", name);
    section->system->mutex = CreateMutexW(NULL, FALSE, text);
    section->bytes = MapViewOfFile(section->system->mapping, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, 0);
    if (!section->system->mutex || !section->bytes ||
        !VirtualQuery(section->bytes, &information, sizeof(information))) {
        rt_section_close(section);
        return false;
    }
    section->size = information.RegionSize;
    return true;
}

bool rt_section_create(struct rt_section *section, uint32_t name, uint64_t size)
{
    WCHAR text[NAME_CHARACTERS];
    *section = (struct rt_section){.system = calloc(1, sizeof(*section->system))};
    if (!section->system)
        return false;
    write_name(text, L"section ", name);
    section->system->mapping = CreateFileMappingW(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE,
                                                  (DWORD)(size >> 32), (DWORD)size, text);
    if (!section->system->mapping || GetLastError() == ERROR_ALREADY_EXISTS) {
        rt_section_close(section);
        return false;
    }
    return finish(section, name);
}

bool rt_section_open(struct rt_section *section, uint32_t name)
{
    WCHAR text[NAME_CHARACTERS];
    *section = (struct rt_section){.system = calloc(1, sizeof(*section->system))};
    if (!section->system)
        return false;
    write_name(text, L"section ", name);
    section->system->mapping = OpenFileMappingW(FILE_MAP_READ | FILE_MAP_WRITE, FALSE, text);
    if (!section->system->mapping) {
        rt_section_close(section);
        return false;
    }
    return finish(section, name);
}

void rt_section_close(struct rt_section *section)
{
    if (section->bytes)
        UnmapViewOfFile(section->bytes);
    if (section->system && section->system->mutex)
        CloseHandle(section->system->mutex);
    if (section->system && section->system->mapping)
        CloseHandle(section->system->mapping);
    free(section->system);
    *section = (struct rt_section){0};
}

bool rt_section_lock(struct rt_section *section)
{
    const DWORD result = WaitForSingleObject(section->system->mutex, LOCK_MS);
    return result == WAIT_OBJECT_0 || result == WAIT_ABANDONED;
}

void rt_section_unlock(struct rt_section *section)
{
    ReleaseMutex(section->system->mutex);
}
