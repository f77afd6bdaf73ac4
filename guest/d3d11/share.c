/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/share.h"

#include "guest/d3d11/contents.h"
#include "guest/d3d11/exchange.h"
#include "guest/d3d11/link.h"

#include <stdlib.h>

/* All of the process, under its lock. */
static struct rt_share *shares;
static uint64_t last_count, last_order;

struct rt_share *rt_shares(void)
{
    return shares;
}

/* Handles of the operating system are multiples of four, and pointers, too. Above the mark a number is the
 * token, or as much of it as a pointer has room for. */
#define NUMBER_MARK 2u
#define NUMBER_SHIFT 2
/* A token counts the shares of the process, around its number, which no other process has: 32 bits of the
 * handle have that and the low bits of the count. */
#define COUNT_BITS RT_SECTION_COUNT_BITS
#define PROCESS_BITS RT_PROCESS_BITS

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
    /* What a process before this one had, others may still have. */
    if (!last_count)
        last_count = (uint64_t)rt_ticks() & ((UINT64_C(1) << (COUNT_BITS - 1)) - 1);
    return rt_process_number(1u << PROCESS_BITS, &process) ? token_of(process, ++last_count) : 0;
}

bool rt_share_is_number(HANDLE handle)
{
    return ((uintptr_t)handle & 3) == NUMBER_MARK;
}

/* Under the lock of the process. */
static struct rt_share *find(const struct rt_token *name)
{
    for (struct rt_share *share = shares; share; share = share->next)
        if (share->name.number == name->number && share->name.maker == name->maker)
            return share;
    return NULL;
}

static struct rt_share *find_number(HANDLE number)
{
    for (struct rt_share *share = shares; share; share = share->next)
        if (number_of(share->name.number) == number)
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
    share->name = (struct rt_token){share->token, rt_process_id()};
    if (!share->name.maker) {
        rt_process_unlock();
        free(share);
        return E_OUTOFMEMORY;
    }
    share->order = ++last_order;
    share->next = shares;
    shares = share;
    join(share, resource);
    rt_process_unlock();
    return rt_result(umd_share_resource(resource->object.device->umd, resource->umd, share->token));
}

/* Under the lock of the process. */
static void abandon_mutex(struct rt_share *share)
{
    share->holder = NULL;
    share->is_abandoned = true;
    if (share->contents && rt_link_lock(rt_contents_link(share->contents))) {
        rt_contents_mutex(share->contents)->holder = 0;
        rt_contents_mutex(share->contents)->is_abandoned = 1;
        rt_link_unlock(rt_contents_link(share->contents));
    }
    rt_process_wake();
}

void rt_share_leave(struct rt_resource *resource)
{
    struct rt_share *share = resource->share, **at;
    struct rt_contents *contents = NULL;
    struct rt_resource **member;
    if (!share)
        return;
    rt_process_lock();
    for (member = &share->members; *member != resource;)
        member = &(*member)->next_member;
    *member = resource->next_member;
    if (share->holder == resource)
        abandon_mutex(share);
    if (!share->members) {
        for (at = &shares; *at != share;)
            at = &(*at)->next;
        *at = share->next;
        contents = share->contents;
        free(share);
    }
    rt_process_unlock();
    if (contents)
        rt_exchange_withdraw(contents);
}

/* ---- Handles ------------------------------------------------------------------------------------------- */

HRESULT rt_share_number(struct rt_resource *resource, HANDLE *handle)
{
    if (!handle)
        return E_INVALIDARG;
    *handle = NULL;
    if (!resource->share || (resource->misc_flags & D3D11_RESOURCE_MISC_SHARED_NTHANDLE))
        return E_INVALIDARG;
    rt_exchange_offer(resource);
    *handle = number_of(resource->share->name.number);
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
    rt_exchange_offer(resource);
    return rt_token_handle_create(attributes, name, &resource->share->name, handle);
}

bool rt_share_is_known(HANDLE handle)
{
    struct rt_token token = {.number = (uintptr_t)handle >> NUMBER_SHIFT};
    bool is_known;
    if (!rt_share_is_number(handle) && rt_token_handle_read(handle, &token) != S_OK)
        return false;
    rt_process_lock();
    is_known = (rt_share_is_number(handle) ? find_number(handle) : find(&token)) != NULL;
    rt_process_unlock();
    return is_known || rt_exchange_is_offered(&token);
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
    if (((share->members->misc_flags & D3D11_RESOURCE_MISC_SHARED_NTHANDLE) != 0) != has_nt_handle)
        return E_INVALIDARG;
    made = calloc(1, sizeof(*made));
    if (!made)
        return E_OUTOFMEMORY;
    rt_object_init(&made->object, share->members->object.class, device);
    copy_description(made, share->members);
    join(share, made);
    /* Before the other members can end. */
    *out = made;
    return rt_resource_open(made, share->token);
}

/* S_FALSE: this process has no such share. */
static HRESULT open_here(ID3D11Device5 *self, HANDLE number, const struct rt_token *name,
                         struct rt_resource **out)
{
    HRESULT result = S_FALSE;
    struct rt_share *share;
    rt_process_lock();
    share = number ? find_number(number) : find(name);
    if (share)
        result = make_member(rt_device_of(self), share, !number, out);
    rt_process_unlock();
    return result;
}

/* By its number; NULL: by what a handle says. A share that this process does not have another may have. */
static HRESULT open_share(ID3D11Device5 *self, HANDLE number, const struct rt_token *name, REFIID iid,
                          void **out)
{
    struct rt_resource *made = NULL;
    HRESULT result = open_here(self, number, name, &made);
    if (result == S_FALSE) {
        rt_exchange_begin();
        result = open_here(self, number, name, &made);
        if (result == S_FALSE)
            result = rt_exchange_open(self, name, !number, &made);
        rt_exchange_end();
    }
    if (SUCCEEDED(result))
        result = rt_object_query(&made->object, iid, out);
    if (made)
        rt_object_release(&made->object);
    return result;
}

HRESULT STDMETHODCALLTYPE rt_device_open_number(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out)
{
    const struct rt_token name = {.number = (uintptr_t)handle >> NUMBER_SHIFT};
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (!rt_share_is_number(handle))
        return E_INVALIDARG;
    return open_share(self, handle, &name, iid, out);
}

HRESULT STDMETHODCALLTYPE rt_device_open_handle(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out)
{
    struct rt_token name;
    HRESULT result;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (rt_share_is_number(handle))
        return E_INVALIDARG;
    result = rt_token_handle_read(handle, &name);
    return FAILED(result) ? result : open_share(self, NULL, &name, iid, out);
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
