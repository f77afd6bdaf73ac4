/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/share.h"

#include "guest/d3d11/hazard.h"

#include <stdlib.h>

struct rt_share {
    struct rt_share *next;
    uint64_t token;
    struct rt_resource *members; /* at least one */
    UINT64 key;                  /* with which the mutex can be acquired */
    struct rt_resource *holder;  /* who has acquired it; NULL: nobody */
    bool is_abandoned;           /* whoever had it has ended */
};

/* All of the process, under its lock. */
static struct rt_share *shares;
static uint64_t last_count;

/* Handles of the operating system are multiples of four, and pointers, too. Above the mark a number is the
 * token, or as much of it as a pointer has room for. */
#define NUMBER_MARK 2u
#define NUMBER_SHIFT 2
/* A token counts the shares of the process, around its number, which no other process has: 32 bits of the
 * handle have that and the low bits of the count. */
#define COUNT_BITS 18
#define PROCESS_BITS 12

static HANDLE number_of(uint64_t token)
{
    return (HANDLE)(((uintptr_t)token << NUMBER_SHIFT) | NUMBER_MARK);
}

static uint64_t token_of(uint32_t process, uint64_t count)
{
    const uint64_t low = count & ((UINT64_C(1) << COUNT_BITS) - 1), high = count >> COUNT_BITS;
    return high << (COUNT_BITS + PROCESS_BITS) | (uint64_t)process << COUNT_BITS | low;
}

uint64_t rt_share_new_token(void)
{
    uint32_t process;
    return rt_process_number(1u << PROCESS_BITS, &process) ? token_of(process, ++last_count) : 0;
}

bool rt_share_is_number(HANDLE handle)
{
    return ((uintptr_t)handle & 3) == NUMBER_MARK;
}

/* Under the lock of the process. */
static struct rt_share *find(uint64_t token)
{
    for (struct rt_share *share = shares; share; share = share->next)
        if (share->token == token)
            return share;
    return NULL;
}

static struct rt_share *find_number(HANDLE number)
{
    for (struct rt_share *share = shares; share; share = share->next)
        if (number_of(share->token) == number)
            return share;
    return NULL;
}

static void join(struct rt_share *share, struct rt_resource *resource)
{
    resource->share = share;
    resource->next_member = share->members;
    share->members = resource;
}

HRESULT rt_share_create(struct rt_resource *resource)
{
    struct rt_share *share = calloc(1, sizeof(*share));
    if (!share)
        return E_OUTOFMEMORY;
    rt_process_lock();
    /* Where pointers have 32 bits, numbers come again: those that are in use are passed over. */
    do
        share->token = rt_share_new_token();
    while (share->token && find_number(number_of(share->token)));
    if (!share->token) {
        rt_process_unlock();
        free(share);
        return E_OUTOFMEMORY;
    }
    share->next = shares;
    shares = share;
    join(share, resource);
    rt_process_unlock();
    return rt_result(umd_share_resource(resource->object.device->umd, resource->umd, share->token));
}

void rt_share_leave(struct rt_resource *resource)
{
    struct rt_share *share = resource->share, **at;
    struct rt_resource **member;
    if (!share)
        return;
    rt_process_lock();
    for (member = &share->members; *member != resource;)
        member = &(*member)->next_member;
    *member = resource->next_member;
    if (share->holder == resource) {
        share->holder = NULL;
        share->is_abandoned = true;
        rt_process_wake();
    }
    if (!share->members) {
        for (at = &shares; *at != share;)
            at = &(*at)->next;
        *at = share->next;
        free(share);
    }
    rt_process_unlock();
}

/* ---- Handles ------------------------------------------------------------------------------------------- */

HRESULT rt_share_number(struct rt_resource *resource, HANDLE *handle)
{
    if (!handle)
        return E_INVALIDARG;
    *handle = NULL;
    if (!resource->share || (resource->misc_flags & D3D11_RESOURCE_MISC_SHARED_NTHANDLE))
        return E_INVALIDARG;
    *handle = number_of(resource->share->token);
    return S_OK;
}

HRESULT rt_share_handle(struct rt_resource *resource, const SECURITY_ATTRIBUTES *attributes, DWORD access,
                        const WCHAR *name, HANDLE *handle)
{
    if (!handle)
        return E_INVALIDARG;
    *handle = NULL;
    if (!resource->share || !(resource->misc_flags & D3D11_RESOURCE_MISC_SHARED_NTHANDLE) ||
        !(access & (DXGI_SHARED_RESOURCE_READ | DXGI_SHARED_RESOURCE_WRITE)) ||
        (access & ~(DXGI_SHARED_RESOURCE_READ | DXGI_SHARED_RESOURCE_WRITE)))
        return E_INVALIDARG;
    return rt_token_handle_create(attributes, name, resource->share->token, handle);
}

bool rt_share_is_known(HANDLE handle)
{
    uint64_t token = 0;
    bool is_known;
    if (!rt_share_is_number(handle) && rt_token_handle_read(handle, &token) != S_OK)
        return false;
    rt_process_lock();
    is_known = (rt_share_is_number(handle) ? find_number(handle) : find(token)) != NULL;
    rt_process_unlock();
    return is_known;
}

/* ---- Opening ------------------------------------------------------------------------------------------- */

static void copy_description(struct rt_resource *to, const struct rt_resource *from)
{
    to->dimension = from->dimension;
    to->format = from->format;
    to->width = from->width;
    to->height = from->height;
    to->depth = from->depth;
    to->mips = from->mips;
    to->layers = from->layers;
    to->samples = from->samples;
    to->usage = from->usage;
    to->bind_flags = from->bind_flags;
    to->cpu_access = from->cpu_access;
    to->misc_flags = from->misc_flags;
    to->structure_stride = from->structure_stride;
    to->usage_of_dxgi = from->usage_of_dxgi;
}

/* Under the lock of the process: what the share is described by is the description of any member. */
static HRESULT make_member(struct rt_device *device, struct rt_share *share, bool has_nt_handle,
                           struct rt_resource **out)
{
    struct rt_resource *made;
    if (!share) {
        rt_debug_output(
            "a shared handle names no resource of this process: its resources have ended, or another "
            "process made them, which has a device of its own");
        return E_INVALIDARG;
    }
    if (((share->members->misc_flags & D3D11_RESOURCE_MISC_SHARED_NTHANDLE) != 0) != has_nt_handle)
        return E_INVALIDARG;
    made = calloc(1, sizeof(*made));
    if (!made)
        return E_OUTOFMEMORY;
    rt_object_init(&made->object, share->members->object.class, device);
    copy_description(made, share->members);
    join(share, made);
    *out = made;
    return S_OK;
}

/* By its number; NULL: by its token. */
static HRESULT open_share(ID3D11Device5 *self, HANDLE number, uint64_t token, REFIID iid, void **out)
{
    struct rt_resource *made;
    HRESULT result;
    rt_process_lock();
    result = make_member(rt_device_of(self), number ? find_number(number) : find(token), !number, &made);
    if (FAILED(result)) {
        rt_process_unlock();
        return result;
    }
    /* Before the other members can end. */
    result = rt_resource_open(made, made->share->token);
    rt_process_unlock();
    if (SUCCEEDED(result))
        result = rt_object_query(&made->object, iid, out);
    rt_object_release(&made->object);
    return result;
}

HRESULT STDMETHODCALLTYPE rt_device_open_number(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out)
{
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (!rt_share_is_number(handle))
        return E_INVALIDARG;
    return open_share(self, handle, 0, iid, out);
}

HRESULT STDMETHODCALLTYPE rt_device_open_handle(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out)
{
    uint64_t token;
    HRESULT result;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (rt_share_is_number(handle))
        return E_INVALIDARG;
    result = rt_token_handle_read(handle, &token);
    return FAILED(result) ? result : open_share(self, NULL, token, iid, out);
}

HRESULT STDMETHODCALLTYPE rt_device_open_name(ID3D11Device5 *self, LPCWSTR name, DWORD access, REFIID iid,
                                              void **out)
{
    HANDLE handle;
    HRESULT result;
    (void)access; /* the host has no rights to take away */
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (!name)
        return E_INVALIDARG;
    result = rt_token_handle_open(name, &handle);
    if (FAILED(result))
        return result;
    result = rt_device_open_handle(self, handle, iid, out);
    rt_token_handle_close(handle);
    return result;
}

/* ---- The keyed mutex ----------------------------------------------------------------------------------- */

/* Under the lock of the process: waits until nobody has the mutex and it has the key. */
static HRESULT wait_for_key(struct rt_share *share, UINT64 key, DWORD milliseconds)
{
    const int64_t end = rt_ticks() + (int64_t)milliseconds * (rt_ticks_per_second() / 1000);
    while ((share->holder || share->key != key) && !share->is_abandoned) {
        const int64_t rest = (end - rt_ticks()) / (rt_ticks_per_second() / 1000);
        if (milliseconds != INFINITE && rest <= 0)
            return WAIT_TIMEOUT;
        rt_process_wait(milliseconds == INFINITE ? INFINITE : (DWORD)rest);
    }
    return S_OK;
}

HRESULT rt_share_acquire(struct rt_resource *resource, UINT64 key, DWORD milliseconds)
{
    struct rt_share *share = resource->share;
    HRESULT result;
    if (!share)
        return DXGI_ERROR_INVALID_CALL;
    rt_process_lock();
    result = share->holder == resource ? DXGI_ERROR_INVALID_CALL : wait_for_key(share, key, milliseconds);
    if (result == S_OK) {
        if (share->is_abandoned)
            result = WAIT_ABANDONED;
        share->is_abandoned = false;
        share->holder = resource;
    }
    rt_process_unlock();
    return result;
}

/* What the device has recorded comes before what the next holder does, and the resource leaves its slots. */
HRESULT rt_share_release(struct rt_resource *resource, UINT64 key)
{
    struct rt_share *share = resource->share;
    struct rt_context *context;
    bool is_holder;
    HRESULT result = DXGI_ERROR_INVALID_CALL;
    if (!share)
        return DXGI_ERROR_INVALID_CALL;
    rt_process_lock();
    is_holder = share->holder == resource;
    rt_process_unlock();
    if (!is_holder)
        return DXGI_ERROR_INVALID_CALL;
    context = rt_enter(rt_immediate_of(resource->object.device));
    rt_hazard_end_bindings(context, resource);
    umd_flush(context->umd, NULL);
    rt_leave(context);
    rt_process_lock();
    /* Another thread may have given it back meanwhile, and another device may have it. */
    if (share->holder == resource) {
        share->holder = NULL;
        share->key = key;
        rt_process_wake();
        result = S_OK;
    }
    rt_process_unlock();
    return result;
}
