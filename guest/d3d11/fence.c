/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/fence.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PENDING = 64 };

/* Signals whose submissions may still be in flight, oldest first, and events that wait for values to come. */
struct rt_fence {
    struct rt_object object;
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

static struct rt_fence *fence_of(ID3D11Fence *self)
{
    return (struct rt_fence *)RT_OBJECT(self);
}

RT_CHILD_METHODS(ID3D11Fence)

static void take_first(struct rt_fence *fence)
{
    fence->completed = fence->pending[0].value;
    fence->pending_count--;
    memmove(fence->pending, fence->pending + 1, fence->pending_count * sizeof(fence->pending[0]));
}

static void set_events(struct rt_fence *fence)
{
    UINT kept = 0;
    for (UINT i = 0; i < fence->waiter_count; i++) {
        if (fence->waiters[i].value <= fence->completed)
            rt_event_set(fence->waiters[i].event);
        else
            fence->waiters[kept++] = fence->waiters[i];
    }
    fence->waiter_count = kept;
}

static void update(struct rt_fence *fence)
{
    const UINT64 done = umd_completed_fence(fence->object.device->umd);
    while (fence->pending_count > 0 && fence->pending[0].submission <= done)
        take_first(fence);
    set_events(fence);
}

/* Waits for signals that are with the GPU until the value is reached. False if no such signal is. */
static bool wait_for(struct rt_fence *fence, UINT64 value)
{
    while (fence->completed < value && fence->pending_count > 0) {
        if (umd_wait_for_fence(fence->object.device->umd, fence->pending[0].submission, UINT64_MAX) != UMD_OK)
            return false;
        take_first(fence);
    }
    set_events(fence);
    return fence->completed >= value;
}

HRESULT rt_fence_signal(struct rt_fence *fence, struct umd_context *context, UINT64 value)
{
    uint64_t submission = 0;
    const HRESULT result = rt_result(umd_flush(context, &submission));
    if (FAILED(result))
        return result;
    rt_mutex_lock(&fence->mutex);
    update(fence);
    if (fence->pending_count == MOST_PENDING)
        wait_for(fence, fence->pending[0].value);
    fence->pending[fence->pending_count].submission = submission;
    fence->pending[fence->pending_count++].value = value;
    /* There is no thread that could set an event when the value comes: who waits for it gets it here. */
    for (UINT i = 0; i < fence->waiter_count; i++) {
        if (fence->waiters[i].value <= value) {
            wait_for(fence, value);
            break;
        }
    }
    rt_mutex_unlock(&fence->mutex);
    return S_OK;
}

bool rt_fence_is_signalled(struct rt_fence *fence, UINT64 value)
{
    bool is_signalled;
    rt_mutex_lock(&fence->mutex);
    is_signalled = fence->completed >= value;
    for (UINT i = 0; i < fence->pending_count; i++)
        is_signalled |= fence->pending[i].value >= value;
    rt_mutex_unlock(&fence->mutex);
    return is_signalled;
}

RT_METHOD(HRESULT)
create_shared(ID3D11Fence *self, const SECURITY_ATTRIBUTES *attributes, DWORD access, const WCHAR *name,
              HANDLE *out)
{
    (void)self;
    (void)attributes;
    (void)access;
    (void)name;
    if (out)
        *out = NULL;
    return E_INVALIDARG;
}

RT_METHOD(UINT64) get_completed(ID3D11Fence *self)
{
    struct rt_fence *fence = fence_of(self);
    UINT64 value;
    rt_mutex_lock(&fence->mutex);
    update(fence);
    value = fence->completed;
    rt_mutex_unlock(&fence->mutex);
    return value;
}

static HRESULT add_waiter(struct rt_fence *fence, UINT64 value, HANDLE event)
{
    void *grown = realloc(fence->waiters, (fence->waiter_count + 1) * sizeof(fence->waiters[0]));
    if (!grown)
        return E_OUTOFMEMORY;
    fence->waiters = grown;
    fence->waiters[fence->waiter_count].value = value;
    fence->waiters[fence->waiter_count++].event = event;
    return S_OK;
}

/* Without an event the call waits itself, which it cannot for a value that nobody has signalled. */
RT_METHOD(HRESULT) set_event(ID3D11Fence *self, UINT64 value, HANDLE event)
{
    struct rt_fence *fence = fence_of(self);
    HRESULT result = S_OK;
    rt_mutex_lock(&fence->mutex);
    update(fence);
    if (wait_for(fence, value)) {
        if (event)
            rt_event_set(event);
    } else {
        result = event ? add_waiter(fence, value, event) : DXGI_ERROR_INVALID_CALL;
    }
    rt_mutex_unlock(&fence->mutex);
    return result;
}

static const ID3D11FenceVtbl methods = {
    RT_CHILD_SLOTS(ID3D11Fence),
    .CreateSharedHandle = create_shared,
    .GetCompletedValue = get_completed,
    .SetEventOnCompletion = set_event,
};

static void destroy(struct rt_object *object)
{
    struct rt_fence *fence = (struct rt_fence *)object;
    free(fence->waiters);
    rt_mutex_fini(&fence->mutex);
    rt_object_fini(object);
    free(fence);
}

static const struct rt_class fence_class = {RT_CLASS_FENCE, {&methods}, destroy, NULL};

HRESULT STDMETHODCALLTYPE rt_device_create_fence(ID3D11Device5 *self, UINT64 value, D3D11_FENCE_FLAG flags,
                                                 REFIID iid, void **out)
{
    struct rt_fence *fence;
    HRESULT result;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    /* Fences for other devices or processes do not exist here. */
    if (flags != D3D11_FENCE_FLAG_NONE)
        return E_INVALIDARG;
    fence = calloc(1, sizeof(*fence));
    if (!fence)
        return E_OUTOFMEMORY;
    rt_object_init(&fence->object, &fence_class, rt_device_of(self));
    rt_mutex_init(&fence->mutex);
    fence->completed = value;
    result = rt_object_query(&fence->object, iid, out);
    rt_object_release(&fence->object);
    return result;
}
