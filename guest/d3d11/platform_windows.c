/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/platform.h"

#include <stdlib.h>

void rt_mutex_init(struct rt_mutex *mutex)
{
    InitializeCriticalSection(&mutex->section);
}

void rt_mutex_fini(struct rt_mutex *mutex)
{
    DeleteCriticalSection(&mutex->section);
}

void rt_mutex_lock(struct rt_mutex *mutex)
{
    EnterCriticalSection(&mutex->section);
}

void rt_mutex_unlock(struct rt_mutex *mutex)
{
    LeaveCriticalSection(&mutex->section);
}

uintptr_t rt_thread(void)
{
    return GetCurrentThreadId();
}

static SRWLOCK process_lock = SRWLOCK_INIT;

struct start {
    void (*run)(void *user);
    void *user;
};

static DWORD WINAPI run_thread(void *given)
{
    const struct start start = *(const struct start *)given;
    free(given);
    start.run(start.user);
    return 0;
}

/* The code of a thread that ends with the process has to stay until then. */
bool rt_thread_start(void (*run)(void *user), void *user)
{
    struct start *const start = malloc(sizeof(*start));
    HMODULE module;
    HANDLE thread = NULL;
    if (!start)
        return false;
    *start = (struct start){run, user};
    if (GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                           (LPCWSTR)(const void *)&process_lock, &module))
        thread = CreateThread(NULL, 0, run_thread, start, 0, NULL);
    if (thread)
        CloseHandle(thread);
    else
        free(start);
    return thread != NULL;
}

void rt_process_lock(void)
{
    AcquireSRWLockExclusive(&process_lock);
}

void rt_process_unlock(void)
{
    ReleaseSRWLockExclusive(&process_lock);
}

static CONDITION_VARIABLE process_condition = CONDITION_VARIABLE_INIT;

void rt_process_wait(DWORD milliseconds)
{
    SleepConditionVariableSRW(&process_condition, &process_lock, milliseconds, 0);
}

void rt_process_wake(void)
{
    WakeAllConditionVariable(&process_condition);
}

/* ---- Handles with a token ------------------------------------------------------------------------------ */

/* What the section of memory behind a handle has. */
struct token_record {
    uint64_t magic;
    struct rt_token token;
};

#define TOKEN_MAGIC 0x4e454b4f54555047u

HRESULT rt_token_handle_create(const SECURITY_ATTRIBUTES *attributes, const WCHAR *name,
                               const struct rt_token *token, HANDLE *handle)
{
    SECURITY_ATTRIBUTES copy = {.nLength = sizeof(copy)};
    struct token_record *record;
    HANDLE made;
    if (attributes)
        copy = *attributes;
    made = CreateFileMappingW(INVALID_HANDLE_VALUE, &copy, PAGE_READWRITE, 0, sizeof(*record), name);
    if (!made)
        return name ? E_INVALIDARG : E_OUTOFMEMORY;
    if (GetLastError() == ERROR_ALREADY_EXISTS) {
        CloseHandle(made);
        return DXGI_ERROR_NAME_ALREADY_EXISTS;
    }
    record = MapViewOfFile(made, FILE_MAP_WRITE, 0, 0, sizeof(*record));
    if (!record) {
        CloseHandle(made);
        return E_OUTOFMEMORY;
    }
    *record = (struct token_record){TOKEN_MAGIC, *token};
    UnmapViewOfFile(record);
    *handle = made;
    return S_OK;
}

HRESULT rt_token_handle_open(const WCHAR *name, HANDLE *handle)
{
    *handle = OpenFileMappingW(FILE_MAP_READ, FALSE, name);
    return *handle ? S_OK : E_INVALIDARG;
}

HRESULT rt_token_handle_read(HANDLE handle, struct rt_token *token)
{
    const struct token_record *view = MapViewOfFile(handle, FILE_MAP_READ, 0, 0, sizeof(*view));
    if (!view)
        return E_INVALIDARG;
    const struct token_record record = *view;
    UnmapViewOfFile(view);
    *token = record.token;
    return record.magic == TOKEN_MAGIC ? S_OK : E_INVALIDARG;
}

void rt_token_handle_close(HANDLE handle)
{
    CloseHandle(handle);
}

/* ---- Events and semaphores ----------------------------------------------------------------------------- */

void rt_event_set(HANDLE event)
{
    SetEvent(event);
}

HANDLE rt_semaphore_create(LONG count, LONG most)
{
    return CreateSemaphoreW(NULL, count, most, NULL);
}

void rt_semaphore_release(HANDLE semaphore, LONG count)
{
    ReleaseSemaphore(semaphore, count, NULL);
}

void rt_semaphore_close(HANDLE semaphore)
{
    CloseHandle(semaphore);
}

HANDLE rt_semaphore_duplicate(HANDLE semaphore)
{
    HANDLE made = NULL;
    if (semaphore)
        DuplicateHandle(GetCurrentProcess(), semaphore, GetCurrentProcess(), &made, 0, FALSE,
                        DUPLICATE_SAME_ACCESS);
    return made;
}

bool rt_window_is_minimized(HWND window)
{
    return IsIconic(window);
}

bool rt_window_is_seen(HWND window)
{
    return IsWindowVisible(window) && !IsIconic(window);
}

/* Masks say where red, green and blue are: GDI takes the bytes as they are. */
void rt_window_draw(HWND window, const uint8_t *pixels, UINT width, UINT height)
{
    const struct {
        BITMAPINFOHEADER header;
        DWORD masks[3];
    } info = {
        {.biSize = sizeof(info.header),
         .biWidth = (LONG)width,
         .biHeight = -(LONG)height,
         .biPlanes = 1,
         .biBitCount = 32,
         .biCompression = BI_BITFIELDS},
        {0x000000ff,              0x0000ff00, 0x00ff0000},
    };
    UINT to_width, to_height;
    HDC dc = GetDC(window);
    if (dc && rt_window_size(window, &to_width, &to_height))
        StretchDIBits(dc, 0, 0, (int)to_width, (int)to_height, 0, 0, (int)width, (int)height, pixels,
                      (const BITMAPINFO *)(const void *)&info, DIB_RGB_COLORS, SRCCOPY);
    if (dc)
        ReleaseDC(window, dc);
}

void rt_window_resize(HWND window, UINT width, UINT height)
{
    RECT rect = {0, 0, (LONG)width, (LONG)height};
    AdjustWindowRectEx(&rect, (DWORD)GetWindowLongW(window, GWL_STYLE), FALSE,
                       (DWORD)GetWindowLongW(window, GWL_EXSTYLE));
    SetWindowPos(window, NULL, 0, 0, rect.right - rect.left, rect.bottom - rect.top,
                 SWP_NOMOVE | SWP_NOZORDER | SWP_NOACTIVATE);
}

#define FRAME                                                                                                \
    ((LONG)(WS_POPUP | WS_MAXIMIZEBOX | WS_MINIMIZEBOX | WS_THICKFRAME | WS_SYSMENU | WS_DLGFRAME |          \
            WS_BORDER))
#define EXTENDED_FRAME                                                                                       \
    ((LONG)(WS_EX_DLGMODALFRAME | WS_EX_TOOLWINDOW | WS_EX_WINDOWEDGE | WS_EX_CLIENTEDGE | WS_EX_CONTEXTHELP))

bool rt_window_fill(HWND window, const RECT *rect, struct rt_window_place *before)
{
    struct rt_window_place now;
    if (!GetWindowRect(window, &now.rect) || (GetWindowLongW(window, GWL_STYLE) & WS_CHILD))
        return false;
    now.style = GetWindowLongW(window, GWL_STYLE);
    now.extended_style = GetWindowLongW(window, GWL_EXSTYLE);
    if (before) {
        *before = now;
        SetWindowLongW(window, GWL_STYLE, now.style & ~FRAME);
        SetWindowLongW(window, GWL_EXSTYLE, now.extended_style & ~EXTENDED_FRAME);
    }
    SetWindowPos(window, HWND_TOPMOST, rect->left, rect->top, rect->right - rect->left,
                 rect->bottom - rect->top, SWP_FRAMECHANGED | SWP_NOACTIVATE);
    return true;
}

void rt_window_put_back(HWND window, const struct rt_window_place *place)
{
    const RECT *rect = &place->rect;
    if (!IsWindow(window))
        return;
    SetWindowLongW(window, GWL_STYLE,
                   (place->style & ~(LONG)WS_VISIBLE) |
                       (GetWindowLongW(window, GWL_STYLE) & (LONG)WS_VISIBLE));
    SetWindowLongW(window, GWL_EXSTYLE, place->extended_style);
    SetWindowPos(window, place->extended_style & WS_EX_TOPMOST ? HWND_TOPMOST : HWND_NOTOPMOST, rect->left,
                 rect->top, rect->right - rect->left, rect->bottom - rect->top,
                 SWP_FRAMECHANGED | SWP_NOACTIVATE);
}

uintptr_t rt_window_thread(HWND window)
{
    return GetWindowThreadProcessId(window, NULL);
}

static void (*alt_enter)(HWND window);

static LRESULT CALLBACK on_message(int code, WPARAM removed, LPARAM given)
{
    const LPARAM alt = (LPARAM)KF_ALTDOWN << 16;
    const MSG *const message = (const MSG *)given;
    if (code == HC_ACTION && removed == PM_REMOVE && message->message == WM_SYSKEYDOWN &&
        message->wParam == VK_RETURN && (message->lParam & alt))
        alt_enter(message->hwnd);
    return CallNextHookEx(NULL, code, removed, given);
}

void *rt_keys_watch(uintptr_t thread, void (*pressed)(HWND window))
{
    alt_enter = pressed;
    return SetWindowsHookExW(WH_GETMESSAGE, on_message, NULL, (DWORD)thread);
}

void rt_keys_unwatch(void *watch)
{
    UnhookWindowsHookEx(watch);
}

void rt_display_size(UINT *width, UINT *height)
{
    DEVMODEW mode = {.dmSize = sizeof(mode)};
    const bool is_known = EnumDisplaySettingsW(NULL, ENUM_REGISTRY_SETTINGS, &mode) && mode.dmPelsWidth;
    *width = is_known ? mode.dmPelsWidth : (UINT)GetSystemMetrics(SM_CXSCREEN);
    *height = is_known ? mode.dmPelsHeight : (UINT)GetSystemMetrics(SM_CYSCREEN);
}

/* The pointer may go wherever there are displays now. */
static void free_pointer(void)
{
    const int left = GetSystemMetrics(SM_XVIRTUALSCREEN), top = GetSystemMetrics(SM_YVIRTUALSCREEN);
    const RECT displays = {left, top, left + GetSystemMetrics(SM_CXVIRTUALSCREEN),
                           top + GetSystemMetrics(SM_CYVIRTUALSCREEN)};
    ClipCursor(&displays);
}

bool rt_display_resize(UINT width, UINT height)
{
    DEVMODEW mode = {.dmSize = sizeof(mode),
                     .dmFields = DM_PELSWIDTH | DM_PELSHEIGHT,
                     .dmPelsWidth = width,
                     .dmPelsHeight = height};
    if (ChangeDisplaySettingsExW(NULL, &mode, NULL, CDS_FULLSCREEN, NULL) != DISP_CHANGE_SUCCESSFUL)
        return false;
    free_pointer();
    return true;
}

void rt_display_restore(void)
{
    ChangeDisplaySettingsExW(NULL, NULL, NULL, 0, NULL);
    free_pointer();
}

bool rt_window_size(HWND window, UINT *width, UINT *height)
{
    RECT rect;
    if (!GetClientRect(window, &rect))
        return false;
    *width = (UINT)(rect.right - rect.left);
    *height = (UINT)(rect.bottom - rect.top);
    return true;
}

/* What d3dkmthk.h declares, which mingw does not have: bitmaps over memory that is there already. */
struct dc_over_memory {
    void *memory;
    DWORD format;
    UINT width, height, pitch;
    HDC alike;
    PALETTEENTRY *colors;
    HDC dc;
    HANDLE bitmap;
};
struct dc_to_destroy {
    HDC dc;
    HANDLE bitmap;
};
LONG WINAPI D3DKMTCreateDCFromMemory(struct dc_over_memory *memory);
LONG WINAPI D3DKMTDestroyDCFromMemory(const struct dc_to_destroy *dc);
#define DC_A8R8G8B8 21

bool rt_bitmap_create(UINT width, UINT height, struct rt_bitmap *bitmap)
{
    struct dc_over_memory over = {.format = DC_A8R8G8B8,
                                  .width = width,
                                  .height = height,
                                  .pitch = 4 * width,
                                  .alike = CreateCompatibleDC(NULL)};
    over.memory = calloc((size_t)width * height, 4);
    const bool made = over.memory && over.alike && D3DKMTCreateDCFromMemory(&over) == 0;
    if (over.alike)
        DeleteDC(over.alike);
    *bitmap = (struct rt_bitmap){.dc = over.dc, .bitmap = over.bitmap, .pixels = over.memory};
    if (!made)
        free(over.memory);
    return made;
}

void rt_bitmap_destroy(struct rt_bitmap *bitmap)
{
    const struct dc_to_destroy dc = {bitmap->dc, bitmap->bitmap};
    D3DKMTDestroyDCFromMemory(&dc);
    free(bitmap->pixels);
}

void rt_bitmap_flush(void)
{
    GdiFlush();
}

RECT rt_desktop_rect(void)
{
    const RECT rect = {0, 0, GetSystemMetrics(SM_CXSCREEN), GetSystemMetrics(SM_CYSCREEN)};
    return rect;
}

HMONITOR rt_desktop_monitor(void)
{
    const POINT corner = {0, 0};
    return MonitorFromPoint(corner, MONITOR_DEFAULTTOPRIMARY);
}

int64_t rt_ticks(void)
{
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    return now.QuadPart;
}

int64_t rt_ticks_per_second(void)
{
    LARGE_INTEGER frequency;
    QueryPerformanceFrequency(&frequency);
    return frequency.QuadPart;
}

void rt_wait_for_tick(uint32_t rate)
{
    const int64_t part = rt_ticks_per_second() / rate;
    const int64_t rest = part - rt_ticks() % part;
    Sleep((DWORD)(rest * 1000 / rt_ticks_per_second()) + 1);
}

void rt_debug_break(void)
{
    if (IsDebuggerPresent())
        DebugBreak();
}

void rt_debug_output(const char *text)
{
    OutputDebugStringA(text);
}
