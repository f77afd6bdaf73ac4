/* SPDX-License-Identifier: MIT
 *
 * IDXGIKeyedMutex: excludes devices of this process, and those of other processes where there are contents,
 * which pass with the mutex.
 */
#include "guest/d3d11/contents.h"
#include "guest/d3d11/exchange.h"
#include "guest/d3d11/hazard.h"
#include "guest/d3d11/link.h"

/* Nobody tells that a process which has the mutex has ended. */
#define LOOK_MS 100

/* Under the lock of the process. S_OK or WAIT_ABANDONED: it is taken; WAIT_TIMEOUT: it cannot be taken yet.
 */
static HRESULT try_here(struct rt_share *share, UINT64 key)
{
    const bool was_abandoned = share->is_abandoned;
    if (share->key != key && !was_abandoned)
        return WAIT_TIMEOUT;
    share->is_abandoned = false;
    return was_abandoned ? WAIT_ABANDONED : S_OK;
}

static HRESULT try_everywhere(struct rt_contents *contents, UINT64 key)
{
    struct rt_contents_mutex *const mutex = rt_contents_mutex(contents);
    HRESULT result = WAIT_TIMEOUT;
    if (!rt_link_lock(rt_contents_link(contents)))
        return E_FAIL;
    if (mutex->holder && !rt_process_lives(mutex->holder)) {
        mutex->holder = 0;
        mutex->is_abandoned = 1;
    }
    if (!mutex->holder && (mutex->key == key || mutex->is_abandoned)) {
        result = mutex->is_abandoned ? WAIT_ABANDONED : S_OK;
        mutex->is_abandoned = 0;
        mutex->holder = rt_process_id();
    }
    rt_link_unlock(rt_contents_link(contents));
    return result;
}

/* Under the lock of the process. */
static HRESULT wait_for_key(struct rt_share *share, UINT64 key, DWORD milliseconds)
{
    const int64_t end = rt_ticks() + (int64_t)milliseconds * (rt_ticks_per_second() / 1000);
    for (;;) {
        HRESULT result = WAIT_TIMEOUT;
        if (!share->holder)
            result = share->contents ? try_everywhere(share->contents, key) : try_here(share, key);
        if (result != WAIT_TIMEOUT)
            return result;
        const int64_t rest = (end - rt_ticks()) / (rt_ticks_per_second() / 1000);
        if (milliseconds != INFINITE && rest <= 0)
            return WAIT_TIMEOUT;
        DWORD pause = milliseconds == INFINITE ? INFINITE : (DWORD)rest;
        if (share->contents && pause > LOOK_MS)
            pause = LOOK_MS;
        rt_process_wait(pause);
    }
}

HRESULT rt_share_acquire(struct rt_resource *resource, UINT64 key, DWORD milliseconds)
{
    struct rt_share *share = resource->share;
    struct rt_contents *contents;
    HRESULT result;
    if (!share)
        return DXGI_ERROR_INVALID_CALL;
    rt_process_lock();
    result = share->holder == resource ? DXGI_ERROR_INVALID_CALL : wait_for_key(share, key, milliseconds);
    if (result == S_OK || result == WAIT_ABANDONED)
        share->holder = resource;
    contents = share->contents;
    rt_process_unlock();
    if ((result == S_OK || result == WAIT_ABANDONED) && contents)
        rt_contents_take(contents, false);
    return result;
}

/* What the device has recorded comes before what the next holder does, and the resource leaves its slots. */
static void submit(struct rt_resource *resource)
{
    struct rt_context *context = rt_enter(rt_immediate_of(resource->object.device));
    rt_hazard_end_bindings(context, resource);
    umd_flush(context->umd, NULL);
    rt_leave(context);
}

/* Under the lock of the process. */
static void give_back(struct rt_share *share, UINT64 key)
{
    share->holder = NULL;
    share->key = key;
    if (share->contents && rt_link_lock(rt_contents_link(share->contents))) {
        rt_contents_mutex(share->contents)->holder = 0;
        rt_contents_mutex(share->contents)->key = key;
        rt_link_unlock(rt_contents_link(share->contents));
    }
    rt_process_wake();
}

HRESULT rt_share_release(struct rt_resource *resource, UINT64 key)
{
    struct rt_share *share = resource->share;
    struct rt_contents *contents;
    bool is_holder, is_written;
    HRESULT result = DXGI_ERROR_INVALID_CALL;
    if (!share)
        return DXGI_ERROR_INVALID_CALL;
    rt_process_lock();
    is_holder = share->holder == resource;
    is_written = rt_exchange_is_written(share);
    contents = share->contents;
    rt_process_unlock();
    if (!is_holder)
        return DXGI_ERROR_INVALID_CALL;
    submit(resource);
    if (contents && is_written && rt_link_has_others(rt_contents_link(contents)))
        rt_contents_publish(contents);
    rt_process_lock();
    /* Another thread may have given it back meanwhile, and another device may have it. */
    if (share->holder == resource) {
        give_back(share, key);
        result = S_OK;
    }
    contents = share->contents;
    rt_process_unlock();
    if (contents)
        rt_link_tell_others(rt_contents_link(contents));
    return result;
}
