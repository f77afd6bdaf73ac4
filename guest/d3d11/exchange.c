/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/exchange.h"

#include "guest/d3d11/contents.h"
#include "guest/d3d11/fence.h"
#include "guest/d3d11/link.h"

#include <stdatomic.h>
#include <stdlib.h>

/* How many shares have contents: nearly always none. */
static _Atomic unsigned offered;

static bool has_mutex(const struct rt_share *share)
{
    return (share->members->misc_flags & D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX) != 0;
}

static bool is_of(const struct rt_share *share, const struct rt_device *device)
{
    const struct rt_resource *member = share->members;
    while (member && member->object.device != device)
        member = member->next_member;
    return member != NULL;
}

bool rt_exchange_is_written(const struct rt_share *share)
{
    for (const struct rt_resource *member = share->members; member; member = member->next_member)
        if (member->umd && umd_resource_is_written(member->umd))
            return true;
    return false;
}

/* ---- All contents, one after the other ----------------------------------------------------------------- */

struct walk {
    uint64_t order;                 /* of the last share; the next one was made before it */
    const struct rt_device *device; /* whose shares; NULL: of all */
    struct rt_contents *contents;   /* held */
    bool has_mutex, is_written, is_made_here;
};

static struct walk begin(const struct rt_device *device)
{
    return (struct walk){.order = UINT64_MAX, .device = device};
}

static bool next(struct walk *walk)
{
    struct rt_share *share;
    rt_contents_let_go(walk->contents);
    rt_process_lock();
    for (share = rt_shares(); share && (!share->contents || share->order >= walk->order ||
                                        (walk->device && !is_of(share, walk->device)));)
        share = share->next;
    walk->contents = NULL;
    if (share) {
        walk->order = share->order;
        walk->contents = share->contents;
        walk->has_mutex = has_mutex(share);
        walk->is_written = rt_exchange_is_written(share);
        walk->is_made_here = share->name.number == share->token;
        rt_contents_hold(walk->contents);
    }
    rt_process_unlock();
    return walk->contents != NULL;
}

void rt_exchange_publish(void)
{
    struct walk walk = begin(NULL);
    if (!atomic_load_explicit(&offered, memory_order_relaxed))
        return;
    while (next(&walk))
        if (!walk.has_mutex && walk.is_written && rt_link_has_others(rt_contents_link(walk.contents)))
            rt_contents_publish(walk.contents);
}

void rt_exchange_before_submission(void *device)
{
    struct walk walk = begin(device);
    rt_fence_await(device);
    if (!atomic_load_explicit(&offered, memory_order_relaxed))
        return;
    while (next(&walk))
        if (!walk.has_mutex && rt_contents_are_newer(walk.contents))
            rt_contents_take(walk.contents, walk.is_written);
}

/* ---- What other processes want ------------------------------------------------------------------------- */

/* Who made the resource has what it was made with to publish, others what they have written. */
static void answer_questions(void)
{
    struct walk walk = begin(NULL);
    uint32_t number;
    while (next(&walk)) {
        if (!rt_link_is_asked(rt_contents_link(walk.contents), &number))
            continue;
        if ((!walk.is_made_here && !walk.is_written) || rt_contents_publish(walk.contents))
            rt_link_answer(rt_contents_link(walk.contents), number);
    }
}

/* By a thread of its own. */
static void on_told(void)
{
    answer_questions();
    rt_fence_look();
    rt_process_lock();
    rt_process_wake();
    rt_process_unlock();
}

bool rt_exchange_listen(void)
{
    return rt_process_listen(on_told);
}

/* ---- Offering and opening, one at a time --------------------------------------------------------------- */

static bool is_busy; /* under the lock of the process */

void rt_exchange_begin(void)
{
    rt_process_lock();
    while (is_busy)
        rt_process_wait(INFINITE);
    is_busy = true;
    rt_process_unlock();
}

void rt_exchange_end(void)
{
    rt_process_lock();
    is_busy = false;
    rt_process_wake();
    rt_process_unlock();
}

static bool listens(void)
{
    bool listens;
    rt_process_lock();
    listens = rt_exchange_listen();
    rt_process_unlock();
    return listens;
}

/* Under the lock of the process. */
static void give_contents(struct rt_share *share, struct rt_contents *contents)
{
    share->contents = contents;
    atomic_fetch_add(&offered, 1);
}

/* What the mutex was within the process it is for all now. */
static void offer_mutex(const struct rt_share *share, struct rt_contents *contents)
{
    if (!rt_link_lock(rt_contents_link(contents)))
        return;
    *rt_contents_mutex(contents) = (struct rt_contents_mutex){
        .key = share->key,
        .holder = share->holder ? rt_process_id() : 0,
        .is_abandoned = share->is_abandoned,
    };
    rt_link_unlock(rt_contents_link(contents));
}

void rt_exchange_offer(struct rt_resource *resource)
{
    struct rt_share *const share = resource->share;
    struct rt_contents *contents = NULL;
    rt_exchange_begin();
    if (!share->contents && listens() && FAILED(rt_contents_make(resource, share->token, &contents)))
        rt_debug_output(
            "a shared resource cannot be opened by other processes: it has samples, or there is no "
            "memory");
    rt_process_lock();
    if (contents) {
        offer_mutex(share, contents);
        give_contents(share, contents);
    }
    rt_process_unlock();
    rt_exchange_end();
}

void rt_exchange_withdraw(struct rt_contents *contents)
{
    atomic_fetch_sub(&offered, 1);
    if (rt_contents_desc(contents)->misc_flags & D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX)
        rt_link_tell_others(rt_contents_link(contents)); /* it may be abandoned */
    rt_contents_let_go(contents);
}

bool rt_exchange_is_offered(const struct rt_token *token)
{
    struct rt_link link;
    const bool is_offered =
        listens() && rt_link_open(&link, RT_LINK_RESOURCE, rt_link_name(token->number), token->maker, 0);
    if (is_offered)
        rt_link_close(&link);
    return is_offered;
}

/* By what another process says of it: every rule is asked again. */
static HRESULT make_resource(ID3D11Device5 *device, const struct rt_contents_desc *desc, void **out)
{
    const D3D11_BUFFER_DESC buffer = {desc->width,      (D3D11_USAGE)desc->usage, desc->bind_flags,
                                      desc->cpu_access, desc->misc_flags,         desc->structure_stride};
    const D3D11_TEXTURE1D_DESC texture1d = {desc->width,
                                            desc->mips,
                                            desc->layers,
                                            (DXGI_FORMAT)desc->format,
                                            (D3D11_USAGE)desc->usage,
                                            desc->bind_flags,
                                            desc->cpu_access,
                                            desc->misc_flags};
    const D3D11_TEXTURE2D_DESC texture2d = {
        desc->width,
        desc->height,
        desc->mips,
        desc->layers,
        (DXGI_FORMAT)desc->format,
        {1, 0},
        (D3D11_USAGE)desc->usage,
        desc->bind_flags,
        desc->cpu_access,
        desc->misc_flags
    };
    const D3D11_TEXTURE3D_DESC1 texture3d = {desc->width,
                                             desc->height,
                                             desc->depth,
                                             desc->mips,
                                             (DXGI_FORMAT)desc->format,
                                             (D3D11_USAGE)desc->usage,
                                             desc->bind_flags,
                                             desc->cpu_access,
                                             desc->misc_flags,
                                             D3D11_TEXTURE_LAYOUT_UNDEFINED};
    if (!(desc->misc_flags & RT_SHARED_FLAGS))
        return E_INVALIDARG;
    switch (desc->dimension) {
    case D3D11_RESOURCE_DIMENSION_BUFFER:
        return rt_device_create_buffer(device, &buffer, NULL, (ID3D11Buffer **)out);
    case D3D11_RESOURCE_DIMENSION_TEXTURE1D:
        return rt_device_create_texture1d(device, &texture1d, NULL, (ID3D11Texture1D **)out);
    case D3D11_RESOURCE_DIMENSION_TEXTURE2D:
        return rt_device_create_texture2d(device, &texture2d, NULL, (ID3D11Texture2D **)out);
    case D3D11_RESOURCE_DIMENSION_TEXTURE3D:
        return desc->layers == 1
                   ? rt_device_create_texture3d1(device, &texture3d, NULL, (ID3D11Texture3D1 **)out)
                   : E_INVALIDARG;
    default:
        return E_INVALIDARG;
    }
}

static HRESULT open_contents(ID3D11Device5 *device, const struct rt_token *token, bool has_nt_handle,
                             struct rt_resource **out, struct rt_contents **contents)
{
    void *made = NULL;
    HRESULT result = rt_contents_open(token, contents);
    if (FAILED(result))
        return result;
    const UINT flag = rt_contents_desc(*contents)->misc_flags & D3D11_RESOURCE_MISC_SHARED_NTHANDLE;
    if (has_nt_handle == (flag != 0))
        result = make_resource(device, rt_contents_desc(*contents), &made);
    else
        result = E_INVALIDARG;
    if (SUCCEEDED(result)) {
        struct rt_resource *const resource = (struct rt_resource *)RT_OBJECT(made);
        result = rt_contents_bind(*contents, resource, resource->share->token);
        if (SUCCEEDED(result)) {
            *out = resource;
            return S_OK;
        }
    }
    if (made)
        rt_object_release(RT_OBJECT(made));
    rt_contents_let_go(*contents);
    *contents = NULL;
    return result;
}

HRESULT rt_exchange_open(ID3D11Device5 *device, const struct rt_token *token, bool has_nt_handle,
                         struct rt_resource **out)
{
    struct rt_contents *contents = NULL;
    const HRESULT result =
        listens() ? open_contents(device, token, has_nt_handle, out, &contents) : E_OUTOFMEMORY;
    if (!contents)
        return result;
    rt_process_lock();
    (*out)->share->name = (struct rt_token){token->number, rt_contents_link(contents)->maker};
    give_contents((*out)->share, contents);
    rt_process_unlock();
    return result;
}
