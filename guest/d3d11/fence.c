/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/fence.h"

#include "guest/d3d11/exchange.h"
#include "guest/d3d11/gpu.h"
#include "guest/d3d11/link.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PENDING = 64 };
#define LOOK_MS 5

/* What processes have in common of a fence. */
struct common {
    struct rt_link_header link;
    uint64_t completed;
};

/* Signals whose submissions may still be in flight, oldest first, and events that wait for values to come.
 * The devices of a process number their submissions together, so that fences of several can have one. */
struct rt_timeline {
    struct rt_timeline *next; /* of those that are shared, under the lock of the process */
    struct rt_token name;     /* nothing: not shared */
    UINT user_count;          /* fences, and waits; under the lock of the process */
    struct rt_mutex mutex;
    struct rt_link *link; /* NULL: no handle was asked for, so that no other process has it */
    UINT64 completed;
    struct {
        UINT64 submission, value;
    } pending[MOST_PENDING];
    UINT pending_count;
    struct {
        UINT64 value;
        HANDLE event;
    } * waiters;
    UINT waiter_count;
    unsigned round; /* of rt_fence_look() */
};

struct rt_fence {
    struct rt_object object;
    struct rt_timeline *timeline;
};

static struct rt_timeline *shared;

static struct rt_fence *fence_of(ID3D11Fence *self)
{
    return (struct rt_fence *)RT_OBJECT(self);
}

RT_CHILD_METHODS(ID3D11Fence)

/* ---- Values, under the mutex of the timeline ------------------------------------------------------------
 */

static void complete(struct rt_timeline *timeline, UINT64 value)
{
    timeline->completed = value;
    if (!timeline->link || !rt_link_lock(timeline->link))
        return;
    ((struct common *)(void *)timeline->link->section.bytes)->completed = value;
    rt_link_unlock(timeline->link);
}

/* What another process has signalled. */
static void read_common(struct rt_timeline *timeline)
{
    if (!timeline->link || timeline->pending_count > 0 || !rt_link_lock(timeline->link))
        return;
    timeline->completed = ((const struct common *)(const void *)timeline->link->section.bytes)->completed;
    rt_link_unlock(timeline->link);
}

static void take_first(struct rt_timeline *timeline)
{
    const UINT64 value = timeline->pending[0].value;
    timeline->pending_count--;
    memmove(timeline->pending, timeline->pending + 1, timeline->pending_count * sizeof(timeline->pending[0]));
    complete(timeline, value);
}

static void set_events(struct rt_timeline *timeline)
{
    UINT kept = 0;
    for (UINT i = 0; i < timeline->waiter_count; i++) {
        if (timeline->waiters[i].value <= timeline->completed)
            rt_event_set(timeline->waiters[i].event);
        else
            timeline->waiters[kept++] = timeline->waiters[i];
    }
    timeline->waiter_count = kept;
}

static void update(struct rt_timeline *timeline, struct guest_device *guest)
{
    const UINT64 done = guest_device_completed_fence(guest);
    while (timeline->pending_count > 0 && timeline->pending[0].submission <= done)
        take_first(timeline);
    read_common(timeline);
    set_events(timeline);
}

/* Waits for signals that are with the GPU until the value is reached. False if no such signal is. */
static bool wait_for(struct rt_timeline *timeline, struct guest_device *guest, UINT64 value)
{
    while (timeline->completed < value && timeline->pending_count > 0) {
        if (guest_device_wait(guest, timeline->pending[0].submission, UINT64_MAX) != GUEST_OK)
            return false;
        take_first(timeline);
    }
    read_common(timeline);
    set_events(timeline);
    return timeline->completed >= value;
}

static struct guest_device *guest_of(const struct rt_device *device)
{
    return umd_adapter_guest(device->adapter->umd);
}

static bool has_waiter(const struct rt_timeline *timeline, UINT64 value)
{
    for (UINT i = 0; i < timeline->waiter_count; i++)
        if (timeline->waiters[i].value <= value)
            return true;
    return false;
}

/* For one more signal. What is signalled may be less than what was completed: the signal is waited for, not
 * its value. False: the device is lost. */
static bool make_room(struct rt_timeline *timeline, struct guest_device *guest)
{
    if (timeline->pending_count < MOST_PENDING)
        return true;
    if (guest_device_wait(guest, timeline->pending[0].submission, UINT64_MAX) != GUEST_OK)
        return false;
    take_first(timeline);
    set_events(timeline);
    return true;
}

HRESULT rt_fence_signal(struct rt_fence *fence, struct umd_context *context, UINT64 value)
{
    struct rt_timeline *timeline = fence->timeline;
    struct guest_device *guest = guest_of(fence->object.device);
    uint64_t submission = 0;
    const HRESULT result = rt_result(umd_flush(context, &submission));
    if (FAILED(result))
        return result;
    rt_exchange_publish();
    rt_mutex_lock(&timeline->mutex);
    update(timeline, guest);
    if (!make_room(timeline, guest)) {
        rt_mutex_unlock(&timeline->mutex);
        return DXGI_ERROR_DEVICE_REMOVED;
    }
    timeline->pending[timeline->pending_count].submission = submission;
    timeline->pending[timeline->pending_count++].value = value;
    /* No thread looks at the GPU until the value comes: who waits for it gets it here. */
    const bool is_for_others = timeline->link && rt_link_has_others(timeline->link);
    if (is_for_others || has_waiter(timeline, value))
        wait_for(timeline, guest, value);
    if (is_for_others)
        rt_link_tell_others(timeline->link);
    rt_mutex_unlock(&timeline->mutex);
    return S_OK;
}

static bool is_signalled(struct rt_timeline *timeline, struct guest_device *guest, UINT64 value)
{
    bool is_signalled;
    rt_mutex_lock(&timeline->mutex);
    update(timeline, guest);
    is_signalled = timeline->completed >= value;
    for (UINT i = 0; i < timeline->pending_count; i++)
        is_signalled |= timeline->pending[i].value >= value;
    rt_mutex_unlock(&timeline->mutex);
    return is_signalled;
}

/* ---- Values that other processes signal ---------------------------------------------------------------- */

static bool may_come(struct rt_timeline *timeline)
{
    return timeline->link && !atomic_load(&timeline->link->is_broken) && rt_link_has_others(timeline->link);
}

/* Until the value is there. False: nobody is left who could signal it. */
static bool wait_for_others(struct rt_timeline *timeline, struct guest_device *guest, UINT64 value)
{
    while (!is_signalled(timeline, guest, value)) {
        if (!may_come(timeline))
            return is_signalled(timeline, guest, value);
        rt_process_lock();
        rt_process_wait(LOOK_MS);
        rt_process_unlock();
    }
    return true;
}

static void leave_timeline(struct rt_timeline *timeline);

/* One queue executes everything in order: what this process has signalled before is done before what comes
 * now. What another one signals the next submission waits for, by the thread that submits. */
HRESULT rt_fence_wait(struct rt_fence *fence, UINT64 value)
{
    struct rt_device *device = fence->object.device;
    if (is_signalled(fence->timeline, guest_of(device), value))
        return S_OK;
    if (!may_come(fence->timeline))
        return DXGI_ERROR_INVALID_CALL;
    if (device->fence_wait_count == RT_MOST_FENCE_WAITS)
        rt_fence_await(device);
    rt_process_lock();
    fence->timeline->user_count++;
    rt_process_unlock();
    device->fence_waits[device->fence_wait_count++] = (struct rt_fence_wait){fence->timeline, value};
    return S_OK;
}

void rt_fence_await(struct rt_device *device)
{
    bool came = true;
    for (UINT i = 0; i < device->fence_wait_count; i++)
        came &=
            wait_for_others(device->fence_waits[i].timeline, guest_of(device), device->fence_waits[i].value);
    rt_fence_forget_waits(device);
    /* As a GPU that waits for ever. */
    if (!came)
        umd_remove_device(device->umd, UMD_REMOVED_HUNG);
}

void rt_fence_forget_waits(struct rt_device *device)
{
    while (device->fence_wait_count > 0)
        leave_timeline(device->fence_waits[--device->fence_wait_count].timeline);
}

/* ---- Methods ------------------------------------------------------------------------------------------- */

/* Another process may open it from now on. */
static void offer(struct rt_timeline *timeline)
{
    struct rt_link *link = calloc(1, sizeof(*link));
    bool listens;
    rt_process_lock();
    listens = rt_exchange_listen();
    rt_process_unlock();
    rt_mutex_lock(&timeline->mutex);
    if (link && listens && !timeline->link &&
        rt_link_make(link, RT_LINK_FENCE, rt_link_name(timeline->name.number), sizeof(struct common))) {
        timeline->link = link;
        link = NULL;
        complete(timeline, timeline->completed);
    }
    rt_mutex_unlock(&timeline->mutex);
    free(link);
}

RT_METHOD(HRESULT)
create_shared(ID3D11Fence *self, const SECURITY_ATTRIBUTES *attributes, DWORD access, const WCHAR *name,
              HANDLE *out)
{
    struct rt_timeline *timeline = fence_of(self)->timeline;
    (void)access; /* the host has no rights to take away */
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (!timeline->name.number)
        return E_INVALIDARG;
    offer(timeline);
    return rt_token_handle_create(attributes, name, &timeline->name, out);
}

RT_METHOD(UINT64) get_completed(ID3D11Fence *self)
{
    struct rt_fence *fence = fence_of(self);
    UINT64 value;
    rt_mutex_lock(&fence->timeline->mutex);
    update(fence->timeline, guest_of(fence->object.device));
    value = fence->timeline->completed;
    rt_mutex_unlock(&fence->timeline->mutex);
    return value;
}

static HRESULT add_waiter(struct rt_timeline *timeline, UINT64 value, HANDLE event)
{
    void *grown = realloc(timeline->waiters, (timeline->waiter_count + 1) * sizeof(timeline->waiters[0]));
    if (!grown)
        return E_OUTOFMEMORY;
    timeline->waiters = grown;
    timeline->waiters[timeline->waiter_count].value = value;
    timeline->waiters[timeline->waiter_count++].event = event;
    return S_OK;
}

/* For a signal of any thread or process. False: the device is removed. */
static bool wait_for_signal(struct rt_fence *fence, UINT64 value)
{
    struct rt_device *device = fence->object.device;
    while (!is_signalled(fence->timeline, guest_of(device), value)) {
        if (FAILED(rt_device_removed_reason(device, false)))
            return false;
        rt_process_lock();
        rt_process_wait(LOOK_MS);
        rt_process_unlock();
    }
    return true;
}

/* Without an event the call waits itself. */
RT_METHOD(HRESULT) set_event(ID3D11Fence *self, UINT64 value, HANDLE event)
{
    struct rt_fence *fence = fence_of(self);
    struct rt_timeline *timeline = fence->timeline;
    struct guest_device *guest = guest_of(fence->object.device);
    HRESULT result = S_OK;
    if (!event && !wait_for_signal(fence, value))
        return DXGI_ERROR_DEVICE_REMOVED;
    rt_mutex_lock(&timeline->mutex);
    update(timeline, guest);
    if (wait_for(timeline, guest, value)) {
        if (event)
            rt_event_set(event);
    } else {
        result = event ? add_waiter(timeline, value, event) : DXGI_ERROR_DEVICE_REMOVED;
    }
    rt_mutex_unlock(&timeline->mutex);
    return result;
}

static const ID3D11FenceVtbl methods = {
    RT_CHILD_SLOTS(ID3D11Fence),
    .CreateSharedHandle = create_shared,
    .GetCompletedValue = get_completed,
    .SetEventOnCompletion = set_event,
};

/* ---- The object ---------------------------------------------------------------------------------------- */

/* Under the lock of the process. */
static struct rt_timeline *find(const struct rt_token *name)
{
    struct rt_timeline *timeline = shared;
    while (timeline && (timeline->name.number != name->number || timeline->name.maker != name->maker))
        timeline = timeline->next;
    return timeline;
}

static void leave_timeline(struct rt_timeline *timeline)
{
    struct rt_timeline **at = &shared;
    bool is_last;
    rt_process_lock();
    is_last = --timeline->user_count == 0;
    if (is_last && timeline->name.number) {
        while (*at != timeline)
            at = &(*at)->next;
        *at = timeline->next;
    }
    rt_process_unlock();
    if (!is_last)
        return;
    if (timeline->link)
        rt_link_close(timeline->link);
    free(timeline->link);
    free(timeline->waiters);
    rt_mutex_fini(&timeline->mutex);
    free(timeline);
}

/* `name`: nothing, or that of a shared one. */
static struct rt_timeline *make_timeline(UINT64 value, const struct rt_token *name)
{
    struct rt_timeline *timeline = calloc(1, sizeof(*timeline));
    if (!timeline)
        return NULL;
    rt_mutex_init(&timeline->mutex);
    timeline->completed = value;
    timeline->user_count = 1;
    timeline->name = *name;
    if (name->number) {
        rt_process_lock();
        timeline->next = shared;
        shared = timeline;
        rt_process_unlock();
    }
    return timeline;
}

/* Whom another process, or whatever waits for one, is told by that something has changed. */
void rt_fence_look(void)
{
    static unsigned rounds; /* under the lock of the process */
    struct umd_adapter *adapter = NULL;
    struct rt_timeline *timeline = NULL;
    uint32_t number;
    unsigned round;
    rt_process_lock();
    round = ++rounds;
    for (;;) {
        for (timeline = shared; timeline && (timeline->round == round || !timeline->link);)
            timeline = timeline->next;
        if (!timeline)
            break;
        timeline->round = round;
        timeline->user_count++;
        rt_process_unlock();
        if (!adapter)
            adapter = rt_gpu_open();
        rt_mutex_lock(&timeline->mutex);
        if (adapter) {
            /* Who asks wants all that was signalled. */
            if (rt_link_is_asked(timeline->link, &number) &&
                (timeline->pending_count == 0 ||
                 wait_for(timeline, umd_adapter_guest(adapter),
                          timeline->pending[timeline->pending_count - 1].value)))
                rt_link_answer(timeline->link, number);
            update(timeline, umd_adapter_guest(adapter));
        }
        rt_mutex_unlock(&timeline->mutex);
        leave_timeline(timeline);
        rt_process_lock();
    }
    rt_process_unlock();
    if (adapter)
        rt_gpu_close();
}

static void destroy(struct rt_object *object)
{
    leave_timeline(((struct rt_fence *)object)->timeline);
    rt_object_fini(object);
    free(object);
}

static const struct rt_class fence_class = {RT_CLASS_FENCE, {&methods}, destroy, NULL};

/* Takes over what the caller counted of the timeline. */
static HRESULT make(struct rt_device *device, struct rt_timeline *timeline, REFIID iid, void **out)
{
    struct rt_fence *fence = calloc(1, sizeof(*fence));
    HRESULT result;
    if (!fence) {
        leave_timeline(timeline);
        return E_OUTOFMEMORY;
    }
    rt_object_init(&fence->object, &fence_class, device);
    fence->timeline = timeline;
    result = rt_object_query(&fence->object, iid, out);
    rt_object_release(&fence->object);
    return result;
}

HRESULT STDMETHODCALLTYPE rt_device_create_fence(ID3D11Device5 *self, UINT64 value, D3D11_FENCE_FLAG flags,
                                                 REFIID iid, void **out)
{
    struct rt_timeline *timeline;
    struct rt_token name = {0};
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    /* There is one adapter. */
    if (flags != D3D11_FENCE_FLAG_NONE && flags != D3D11_FENCE_FLAG_SHARED)
        return E_INVALIDARG;
    if (flags == D3D11_FENCE_FLAG_SHARED) {
        rt_process_lock();
        name = (struct rt_token){rt_share_new_token(), rt_process_id()};
        rt_process_unlock();
        if (!name.maker)
            return E_OUTOFMEMORY;
    }
    timeline = make_timeline(value, &name);
    return timeline ? make(rt_device_of(self), timeline, iid, out) : E_OUTOFMEMORY;
}

/* That of another process. */
static HRESULT open_foreign(const struct rt_token *name, struct rt_timeline **out)
{
    struct rt_link *link = calloc(1, sizeof(*link));
    bool listens;
    if (!link)
        return E_OUTOFMEMORY;
    rt_process_lock();
    listens = rt_exchange_listen();
    rt_process_unlock();
    if (!listens ||
        !rt_link_open(link, RT_LINK_FENCE, rt_link_name(name->number), name->maker, sizeof(struct common))) {
        free(link);
        return E_INVALIDARG;
    }
    rt_link_ask(link);
    *out = make_timeline(0, name);
    if (!*out) {
        rt_link_close(link);
        free(link);
        return E_OUTOFMEMORY;
    }
    rt_mutex_lock(&(*out)->mutex);
    (*out)->link = link;
    read_common(*out);
    rt_mutex_unlock(&(*out)->mutex);
    return S_OK;
}

/* NULL: this process does not have it. */
static struct rt_timeline *open_here(const struct rt_token *name)
{
    struct rt_timeline *timeline;
    rt_process_lock();
    timeline = find(name);
    if (timeline)
        timeline->user_count++;
    rt_process_unlock();
    return timeline;
}

static HRESULT open_timeline(const struct rt_token *name, struct rt_timeline **out)
{
    HRESULT result = S_OK;
    *out = open_here(name);
    if (*out)
        return S_OK;
    rt_exchange_begin();
    *out = open_here(name);
    if (!*out)
        result = open_foreign(name, out);
    rt_exchange_end();
    return result;
}

HRESULT STDMETHODCALLTYPE rt_device_open_fence(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out)
{
    struct rt_timeline *timeline;
    struct rt_token name;
    HRESULT result;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (rt_share_is_number(handle))
        return E_INVALIDARG;
    result = rt_token_handle_read(handle, &name);
    if (FAILED(result))
        return result;
    result = open_timeline(&name, &timeline);
    return SUCCEEDED(result) ? make(rt_device_of(self), timeline, iid, out) : result;
}
