/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/platform.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

void rt_mutex_init(struct rt_mutex *mutex)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void rt_mutex_fini(struct rt_mutex *mutex)
{
    pthread_mutex_destroy(&mutex->mutex);
}

void rt_mutex_lock(struct rt_mutex *mutex)
{
    pthread_mutex_lock(&mutex->mutex);
}

void rt_mutex_unlock(struct rt_mutex *mutex)
{
    pthread_mutex_unlock(&mutex->mutex);
}

uintptr_t rt_thread(void)
{
    static _Thread_local char place;
    return (uintptr_t)&place;
}

static pthread_mutex_t process_mutex = PTHREAD_MUTEX_INITIALIZER;

void rt_process_lock(void)
{
    pthread_mutex_lock(&process_mutex);
}

void rt_process_unlock(void)
{
    pthread_mutex_unlock(&process_mutex);
}

void rt_event_set(HANDLE event)
{
    atomic_store((_Atomic int *)event, 1);
}

HANDLE rt_semaphore_create(LONG count, LONG most)
{
    (void)count;
    (void)most;
    return NULL;
}

void rt_semaphore_release(HANDLE semaphore, LONG count)
{
    (void)semaphore;
    (void)count;
}

void rt_semaphore_close(HANDLE semaphore)
{
    (void)semaphore;
}

HANDLE rt_semaphore_duplicate(HANDLE semaphore)
{
    return semaphore;
}

bool rt_window_is_seen(HWND window)
{
    (void)window;
    return false;
}

void rt_window_draw(HWND window, const uint8_t *pixels, UINT width, UINT height)
{
    (void)window;
    (void)pixels;
    (void)width;
    (void)height;
}

void rt_window_resize(HWND window, UINT width, UINT height)
{
    (void)window;
    (void)width;
    (void)height;
}

bool rt_window_size(HWND window, UINT *width, UINT *height)
{
    (void)window;
    *width = *height = 0;
    return false;
}

RECT rt_desktop_rect(void)
{
    const RECT rect = {0, 0, 1024, 768};
    return rect;
}

int64_t rt_ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t rt_ticks_per_second(void)
{
    return 1000000000;
}

void rt_wait_for_tick(uint32_t rate)
{
    const int64_t part = rt_ticks_per_second() / rate;
    const struct timespec rest = {0, (long)(part - rt_ticks() % part)};
    nanosleep(&rest, NULL);
}

void rt_debug_output(const char *text)
{
    fputs(text, stderr);
}
