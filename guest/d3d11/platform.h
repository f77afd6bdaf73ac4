/* SPDX-License-Identifier: MIT
 *
 * What the runtime needs of the operating system: Windows for the DLLs, POSIX for the native build.
 */
#ifndef RT_D3D11_PLATFORM_H
#define RT_D3D11_PLATFORM_H

#include "guest/d3d11/com.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef _WIN32
struct rt_mutex {
    CRITICAL_SECTION section;
};
#else
#include <pthread.h>
struct rt_mutex {
    pthread_mutex_t mutex;
};
#endif

/* Recursive. */
void rt_mutex_init(struct rt_mutex *mutex);
void rt_mutex_fini(struct rt_mutex *mutex);
void rt_mutex_lock(struct rt_mutex *mutex);
void rt_mutex_unlock(struct rt_mutex *mutex);

/* A number of the calling thread, which is not 0. */
uintptr_t rt_thread(void);

/* Runs a function by a thread of its own. False: there is no memory for it. */
bool rt_thread_start(void (*run)(void *user), void *user);

/* The mutex of the process, for what all devices share. */
void rt_process_lock(void);
void rt_process_unlock(void);
/* Gives the mutex away until somebody wakes all who wait, or so many milliseconds have gone by; spurious
 * wakes are possible. INFINITE: no time. */
void rt_process_wait(DWORD milliseconds);
void rt_process_wake(void);

/* What a handle names: a number, and the process that made the handle (neighbour.h). */
struct rt_token {
    uint64_t number, maker;
};

/* Handles of the operating system that carry a token: the program closes them (CloseHandle on Windows),
 * copies them, and finds them by name. On POSIX they are pointers, of this process alone, which
 * rt_token_handle_close() ends. DXGI_ERROR_NAME_ALREADY_EXISTS, E_INVALIDARG of what is no such handle. */
HRESULT rt_token_handle_create(const SECURITY_ATTRIBUTES *attributes, const WCHAR *name,
                               const struct rt_token *token, HANDLE *handle);
HRESULT rt_token_handle_open(const WCHAR *name, HANDLE *handle);
HRESULT rt_token_handle_read(HANDLE handle, struct rt_token *token);
void rt_token_handle_close(HANDLE handle);

/* Sets an event of the program. On POSIX a HANDLE of an event is a pointer to an _Atomic int, which
 * becomes 1. */
void rt_event_set(HANDLE event);

/* A semaphore with a count and the most that the count may become, for
 * IDXGISwapChain2::GetFrameLatencyWaitableObject(); NULL where there are none. */
HANDLE rt_semaphore_create(LONG count, LONG most);
void rt_semaphore_release(HANDLE semaphore, LONG count);
void rt_semaphore_close(HANDLE semaphore);
HANDLE rt_semaphore_duplicate(HANDLE semaphore);

/* The size of the client area of a window; false if there is no such window. */
bool rt_window_size(HWND window, UINT *width, UINT *height);

bool rt_window_is_minimized(HWND window);
/* Whether anybody can see what is drawn there. */
bool rt_window_is_seen(HWND window);
/* Draws a picture over its client area: bytes R, G, B, A, rows of 4 * width bytes, the top row first. */
void rt_window_draw(HWND window, const uint8_t *pixels, UINT width, UINT height);
/* Makes its client area that large. */
void rt_window_resize(HWND window, UINT width, UINT height);

/* A window as it was before it filled the screen. */
struct rt_window_place {
    RECT rect;
    LONG style, extended_style;
};
/* Lets a window without a frame fill a rectangle of the desktop; again with NULL, if it does already. False:
 * there is no such window, or it is a part of another one. */
bool rt_window_fill(HWND window, const RECT *rect, struct rt_window_place *before);
void rt_window_put_back(HWND window, const struct rt_window_place *place);

/* The thread whose messages a window's are; 0: there is no such window. */
uintptr_t rt_window_thread(HWND window);
/* Calls `pressed` whenever Alt and Enter are pressed in a window of the thread, which is the one that hears
 * of it. NULL: it cannot. */
void *rt_keys_watch(uintptr_t thread, void (*pressed)(HWND window));
void rt_keys_unwatch(void *watch);

/* The size of the display as the desktop has it, whatever mode a program has given it. */
void rt_display_size(UINT *width, UINT *height);
/* Gives the display another size, if it has a mode for that. */
bool rt_display_resize(UINT width, UINT height);
void rt_display_restore(void);

/* A bitmap that GDI draws into: bytes B, G, R, A, rows of 4 * width bytes, the top row first. On POSIX its
 * HDC is the pointer to the bytes. */
struct rt_bitmap {
    HDC dc;
    void *bitmap; /* the operating system's */
    uint8_t *pixels;
};
bool rt_bitmap_create(UINT width, UINT height, struct rt_bitmap *bitmap);
void rt_bitmap_destroy(struct rt_bitmap *bitmap);
/* Waits until what GDI was told is in the bytes. */
void rt_bitmap_flush(void);

/* The rectangle of the desktop. */
RECT rt_desktop_rect(void);
/* The monitor that it begins on; NULL: none. */
HMONITOR rt_desktop_monitor(void);

/* QueryPerformanceCounter and its frequency. */
int64_t rt_ticks(void);
int64_t rt_ticks_per_second(void);
/* Blocks until the next of `rate` equal parts of a second begins. */
void rt_wait_for_tick(uint32_t rate);

/* Stops the program for whoever debugs it; without a debugger it goes on. */
void rt_debug_break(void);
/* A text for whoever debugs the program. */
void rt_debug_output(const char *text);

#endif
