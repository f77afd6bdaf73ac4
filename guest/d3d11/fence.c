/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/fence.h"

#include "guest/d3d11/share.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PENDING = 64 };

/* Signals whose submissions may still be in flight, oldest first, and events that wait for values to come.
 * The devices of a process number their submissions together, so that fences of several can have one. */
struct timeline {
    struct timeline *next; /* of those that are shared, under the lock of the process */
    uint64_t token;        /* 0: not shared */
    UINT fence_count;
    struct rt_mutex mutex;
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
};

struct rt_fence {
    struct rt_object object;
    struct timeline *timeline;
};

static struct timeline *shared;

static struct rt_fence *fence_of(ID3D11Fence *self)
{
    return (struct rt_fence *)RT_OBJECT(self);
}

RT_CHILD_METHODS(ID3D11Fence)

static void take_first(struct timeline *timeline)
{
    timeline->completed = timeline->pending[0].value;
    timeline->pending_count--;
    memmove(timeline->pending, timeline->pending + 1, timeline->pending_count * sizeof(timeline->pending[0]));
}

static void set_events(struct timeline *timeline)
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

static void update(struct timeline *timeline, struct umd_device *umd)
{
    const UINT64 done = umd_completed_fence(umd);
    while (timeline->pending_count > 0 && timeline->pending[0].submission <= done)
        take_first(timeline);
    set_events(timeline);
}

/* Waits for signals that are with the GPU until the value is reached. False if no such signal is. */
static bool wait_for(struct timeline *timeline, struct umd_device *umd, UINT64 value)
{
    while (timeline->completed < value && timeline->pending_count > 0) {
        if (umd_wait_for_fence(umd, timeline->pending[0].submission, UINT64_MAX) != UMD_OK)
            return false;
        take_first(timeline);
    }
    set_events(timeline);
    return timeline->completed >= value;
}

HRESULT rt_fence_signal(struct rt_fence *fence, struct umd_context *context, UINT64 value)
{
    struct timeline *timeline = fence->timeline;
    struct umd_device *umd = fence->object.device->umd;
    uint64_t submission = 0;
    const HRESULT result = rt_result(umd_flush(context, &submission));
    if (FAILED(result))
        return result;
    rt_mutex_lock(&timeline->mutex);
    update(timeline, umd);
    if (timeline->pending_count == MOST_PENDING)
        wait_for(timeline, umd, timeline->pending[0].value);
    timeline->pending[timeline->pending_count].submission = submission;
    timeline->pending[timeline->pending_count++].value = value;
    /* There is no thread that could set an event when the value comes: who waits for it gets it here. */
    for (UINT i = 0; i < timeline->waiter_count; i++) {
        if (timeline->waiters[i].value <= value) {
            wait_for(timeline, umd, value);
            break;
        }
    }
    rt_mutex_unlock(&timeline->mutex);
    return S_OK;
}

bool rt_fence_is_signalled(struct rt_fence *fence, UINT64 value)
{
    struct timeline *timeline = fence->timeline;
    bool is_signalled;
    rt_mutex_lock(&timeline->mutex);
    is_signalled = timeline->completed >= value;
    for (UINT i = 0; i < timeline->pending_count; i++)
        is_signalled |= timeline->pending[i].value >= value;
    rt_mutex_unlock(&timeline->mutex);
    return is_signalled;
}

RT_METHOD(HRESULT)
create_shared(ID3D11Fence *self, const SECURITY_ATTRIBUTES *attributes, DWORD access, const WCHAR *name,
              HANDLE *out)
{
    const uint64_t token = fence_of(self)->timeline->token;
    (void)access; /* the host has no rights to take away */
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    return token ? rt_token_handle_create(attributes, name, token, out) : E_INVALIDARG;
}

RT_METHOD(UINT64) get_completed(ID3D11Fence *self)
{
    struct rt_fence *fence = fence_of(self);
    UINT64 value;
    rt_mutex_lock(&fence->timeline->mutex);
    update(fence->timeline, fence->object.device->umd);
    value = fence->timeline->completed;
    rt_mutex_unlock(&fence->timeline->mutex);
    return value;
}

static HRESULT add_waiter(struct timeline *timeline, UINT64 value, HANDLE event)
{
    void *grown = realloc(timeline->waiters, (timeline->waiter_count + 1) * sizeof(timeline->waiters[0]));
    if (!grown)
        return E_OUTOFMEMORY;
    timeline->waiters = grown;
    timeline->waiters[timeline->waiter_count].value = value;
    timeline->waiters[timeline->waiter_count++].event = event;
    return S_OK;
}

/* Without an event the call waits itself, which it cannot for a value that nobody has signalled. */
RT_METHOD(HRESULT) set_event(ID3D11Fence *self, UINT64 value, HANDLE event)
{
    struct rt_fence *fence = fence_of(self);
    struct timeline *timeline = fence->timeline;
    HRESULT result = S_OK;
    rt_mutex_lock(&timeline->mutex);
    update(timeline, fence->object.device->umd);
    if (wait_for(timeline, fence->object.device->umd, value)) {
        if (event)
            rt_event_set(event);
    } else {
        result = event ? add_waiter(timeline, value, event) : DXGI_ERROR_INVALID_CALL;
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

static struct timeline *find(uint64_t token)
{
    struct timeline *timeline = shared;
    while (timeline && timeline->token != token)
        timeline = timeline->next;
    return timeline;
}

static void leave_timeline(struct timeline *timeline)
{
    struct timeline **at = &shared;
    bool is_last;
    rt_process_lock();
    is_last = --timeline->fence_count == 0;
    if (is_last && timeline->token) {
        while (*at != timeline)
            at = &(*at)->next;
        *at = timeline->next;
    }
    rt_process_unlock();
    if (!is_last)
        return;
    free(timeline->waiters);
    rt_mutex_fini(&timeline->mutex);
    free(timeline);
}

static struct timeline *make_timeline(UINT64 value, bool is_shared)
{
    struct timeline *timeline = calloc(1, sizeof(*timeline));
    if (!timeline)
        return NULL;
    rt_mutex_init(&timeline->mutex);
    timeline->completed = value;
    timeline->fence_count = 1;
    if (!is_shared)
        return timeline;
    rt_process_lock();
    timeline->token = rt_share_new_token();
    if (timeline->token) {
        timeline->next = shared;
        shared = timeline;
    }
    rt_process_unlock();
    if (timeline->token)
        return timeline;
    leave_timeline(timeline);
    return NULL;
}

static void destroy(struct rt_object *object)
{
    leave_timeline(((struct rt_fence *)object)->timeline);
    rt_object_fini(object);
    free(object);
}

static const struct rt_class fence_class = {RT_CLASS_FENCE, {&methods}, destroy, NULL};

/* Takes over what the caller counted of the timeline. */
static HRESULT make(struct rt_device *device, struct timeline *timeline, REFIID iid, void **out)
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
    struct timeline *timeline;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    /* There is one adapter, and processes do not share. */
    if (flags != D3D11_FENCE_FLAG_NONE && flags != D3D11_FENCE_FLAG_SHARED)
        return E_INVALIDARG;
    timeline = make_timeline(value, flags == D3D11_FENCE_FLAG_SHARED);
    return timeline ? make(rt_device_of(self), timeline, iid, out) : E_OUTOFMEMORY;
}

HRESULT STDMETHODCALLTYPE rt_device_open_fence(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out)
{
    struct timeline *timeline;
    uint64_t token;
    HRESULT result;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (rt_share_is_number(handle))
        return E_INVALIDARG;
    result = rt_token_handle_read(handle, &token);
    if (FAILED(result))
        return result;
    rt_process_lock();
    timeline = find(token);
    if (timeline)
        timeline->fence_count++;
    rt_process_unlock();
    return timeline ? make(rt_device_of(self), timeline, iid, out) : E_INVALIDARG;
}
