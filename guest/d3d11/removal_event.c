/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/removal_event.h"

#include <stdlib.h>

#define LOOK_MS 50

struct removal_event {
    struct removal_event *next;
    struct rt_device *device;
    HANDLE event;
    DWORD cookie;
};

/* Under the lock of the process. */
static struct removal_event *events;
static const struct rt_device *asked; /* without the lock */
static DWORD last_cookie;
static bool is_watched;

/* ---- The thread ---------------------------------------------------------------------------------------- */

/* Takes events of a device out of the list: all, or that of a cookie. Those of a device that is removed are
 * set, each once. */
static void take_out(const struct rt_device *device, DWORD cookie, bool is_removed)
{
    struct removal_event **at = &events, *event;
    while ((event = *at) != NULL) {
        if (event->device != device || (cookie && event->cookie != cookie)) {
            at = &event->next;
            continue;
        }
        if (is_removed)
            rt_event_set(event->event);
        *at = event->next;
        free(event);
    }
}

/* The device behind another one, of those that have events. */
static struct rt_device *next_device(const struct rt_device *before)
{
    struct rt_device *next = NULL;
    for (const struct removal_event *event = events; event; event = event->next)
        if ((uintptr_t)event->device > (uintptr_t)before &&
            (!next || (uintptr_t)event->device < (uintptr_t)next))
            next = event->device;
    return next;
}

static void ask_all(void)
{
    struct rt_device *device = NULL;
    while ((device = next_device(device)) != NULL) {
        asked = device;
        rt_process_unlock();
        const bool is_removed = FAILED(rt_device_removed_reason(device, false));
        rt_process_lock();
        if (is_removed)
            take_out(device, 0, true);
        asked = NULL;
        rt_process_wake();
    }
}

static void watch(void *user)
{
    (void)user;
    rt_process_lock();
    while (events) {
        ask_all();
        rt_process_wait(LOOK_MS);
    }
    is_watched = false;
    rt_process_unlock();
}

/* ---- Methods ------------------------------------------------------------------------------------------- */

/* A device that is removed already sets the event now. */
HRESULT STDMETHODCALLTYPE rt_device_register_removed(ID3D11Device5 *self, HANDLE event, DWORD *cookie)
{
    struct removal_event *made;
    if (!event || !cookie)
        return E_INVALIDARG;
    made = calloc(1, sizeof(*made));
    if (!made)
        return E_OUTOFMEMORY;
    rt_process_lock();
    if (!is_watched)
        is_watched = rt_thread_start(watch, NULL);
    const bool has_thread = is_watched;
    if (has_thread) {
        *made = (struct removal_event){events, rt_device_of(self), event, ++last_cookie};
        *cookie = made->cookie;
        events = made;
    }
    rt_process_unlock();
    if (!has_thread) {
        free(made);
        return E_OUTOFMEMORY;
    }
    if (FAILED(rt_device_removed_reason(rt_device_of(self), true))) {
        rt_process_lock();
        take_out(rt_device_of(self), 0, true);
        rt_process_unlock();
    }
    return S_OK;
}

void STDMETHODCALLTYPE rt_device_unregister_removed(ID3D11Device5 *self, DWORD cookie)
{
    rt_process_lock();
    if (cookie)
        take_out(rt_device_of(self), cookie, false);
    rt_process_unlock();
}

void rt_removal_events_forget(struct rt_device *device)
{
    rt_process_lock();
    take_out(device, 0, false);
    while (asked == device)
        rt_process_wait(INFINITE);
    rt_process_unlock();
}
