/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/platform.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

struct start {
    void (*run)(void *user);
    void *user;
};

static void *run_thread(void *given)
{
    const struct start start = *(const struct start *)given;
    free(given);
    start.run(start.user);
    return NULL;
}

bool rt_thread_start(void (*run)(void *user), void *user)
{
    struct start *const start = malloc(sizeof(*start));
    pthread_t thread;
    if (!start)
        return false;
    *start = (struct start){run, user};
    if (pthread_create(&thread, NULL, run_thread, start) != 0) {
        free(start);
        return false;
    }
    pthread_detach(thread);
    return true;
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

static pthread_cond_t process_condition;
static pthread_once_t process_condition_once = PTHREAD_ONCE_INIT;

/* Times are those of rt_ticks(). */
static void make_condition(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&process_condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

void rt_process_wait(DWORD milliseconds)
{
    const int64_t end = rt_ticks() + (int64_t)milliseconds * 1000000;
    const struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
    pthread_once(&process_condition_once, make_condition);
    if (milliseconds == INFINITE)
        pthread_cond_wait(&process_condition, &process_mutex);
    else
        pthread_cond_timedwait(&process_condition, &process_mutex, &until);
}

void rt_process_wake(void)
{
    pthread_once(&process_condition_once, make_condition);
    pthread_cond_broadcast(&process_condition);
}

/* ---- Handles with a token ------------------------------------------------------------------------------ */

enum { MOST_NAME = 260 };

struct token_handle {
    struct token_handle *next;
    struct rt_token token;
    unsigned users;
    WCHAR name[MOST_NAME]; /* empty: none */
};

static struct token_handle *token_handles; /* under the mutex of the process */

static bool take_name(WCHAR *to, const WCHAR *from)
{
    size_t i = 0;
    for (; from && from[i]; i++) {
        if (i == MOST_NAME - 1)
            return false;
        to[i] = from[i];
    }
    to[i] = 0;
    return true;
}

static struct token_handle *find_name(const WCHAR *name)
{
    for (struct token_handle *h = token_handles; h; h = h->next)
        if (name[0] && memcmp(h->name, name, MOST_NAME * sizeof(*name)) == 0)
            return h;
    return NULL;
}

HRESULT rt_token_handle_create(const SECURITY_ATTRIBUTES *attributes, const WCHAR *name,
                               const struct rt_token *token, HANDLE *handle)
{
    struct token_handle *made = calloc(1, sizeof(*made));
    HRESULT result = S_OK;
    (void)attributes;
    if (!made)
        return E_OUTOFMEMORY;
    made->token = *token;
    made->users = 1;
    pthread_mutex_lock(&process_mutex);
    if (!take_name(made->name, name))
        result = E_INVALIDARG;
    else if (find_name(made->name))
        result = DXGI_ERROR_NAME_ALREADY_EXISTS;
    if (SUCCEEDED(result)) {
        made->next = token_handles;
        token_handles = made;
    }
    pthread_mutex_unlock(&process_mutex);
    if (FAILED(result)) {
        free(made);
        return result;
    }
    *handle = made;
    return S_OK;
}

HRESULT rt_token_handle_open(const WCHAR *name, HANDLE *handle)
{
    WCHAR wanted[MOST_NAME] = {0};
    struct token_handle *found = NULL;
    pthread_mutex_lock(&process_mutex);
    if (take_name(wanted, name))
        found = find_name(wanted);
    if (found)
        found->users++;
    pthread_mutex_unlock(&process_mutex);
    *handle = found;
    return found ? S_OK : E_INVALIDARG;
}

HRESULT rt_token_handle_read(HANDLE handle, struct rt_token *token)
{
    const struct token_handle *h;
    pthread_mutex_lock(&process_mutex);
    for (h = token_handles; h && h != handle;)
        h = h->next;
    if (h)
        *token = h->token;
    pthread_mutex_unlock(&process_mutex);
    return h ? S_OK : E_INVALIDARG;
}

void rt_token_handle_close(HANDLE handle)
{
    struct token_handle **at, *closed;
    pthread_mutex_lock(&process_mutex);
    for (at = &token_handles; *at && *at != handle;)
        at = &(*at)->next;
    closed = *at;
    if (closed && --closed->users > 0)
        closed = NULL;
    if (closed)
        *at = closed->next;
    pthread_mutex_unlock(&process_mutex);
    free(closed);
}

/* ---- Events and semaphores ----------------------------------------------------------------------------- */

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

bool rt_window_is_minimized(HWND window)
{
    (void)window;
    return false;
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

bool rt_window_fill(HWND window, const RECT *rect, struct rt_window_place *before)
{
    (void)window;
    (void)rect;
    (void)before;
    return true;
}

void rt_window_put_back(HWND window, const struct rt_window_place *place)
{
    (void)window;
    (void)place;
}

uintptr_t rt_window_thread(HWND window)
{
    (void)window;
    return 0;
}

void *rt_keys_watch(uintptr_t thread, void (*pressed)(HWND window))
{
    (void)thread;
    (void)pressed;
    return NULL;
}

void rt_keys_unwatch(void *watch)
{
    (void)watch;
}

void rt_display_size(UINT *width, UINT *height)
{
    const RECT rect = rt_desktop_rect();
    *width = (UINT)(rect.right - rect.left);
    *height = (UINT)(rect.bottom - rect.top);
}

bool rt_display_resize(UINT width, UINT height)
{
    (void)width;
    (void)height;
    return false;
}

void rt_display_restore(void)
{
}

bool rt_window_size(HWND window, UINT *width, UINT *height)
{
    (void)window;
    *width = *height = 0;
    return false;
}

bool rt_bitmap_create(UINT width, UINT height, struct rt_bitmap *bitmap)
{
    void *const pixels = calloc((size_t)width * height, 4);
    *bitmap = (struct rt_bitmap){.dc = pixels, .bitmap = pixels, .pixels = pixels};
    return pixels != NULL;
}

void rt_bitmap_destroy(struct rt_bitmap *bitmap)
{
    free(bitmap->bitmap);
}

void rt_bitmap_flush(void)
{
}

RECT rt_desktop_rect(void)
{
    const RECT rect = {0, 0, 1024, 768};
    return rect;
}

HMONITOR rt_desktop_monitor(void)
{
    return NULL;
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

void rt_debug_break(void)
{
}

void rt_debug_output(const char *text)
{
    fputs(text, stderr);
}
