/* SPDX-License-Identifier: MIT
 *
 * Resources that several devices have. What they have in common is a share: the token under which the host
 * knows the resource, and the keyed mutex. Each device has a resource object of its own.
 *
 * Two kinds of handles name a share: numbers, for IDXGIResource::GetSharedHandle(), and objects of the
 * operating system, for IDXGIResource1::CreateSharedHandle(). Neither keeps the resource: the last resource
 * object does. A process has a device of its own on the host: what it shares with other processes is in
 * contents (contents.h) as soon as there is a handle.
 */
#ifndef RT_D3D11_SHARE_H
#define RT_D3D11_SHARE_H

#include "guest/d3d11/resource.h"

#define RT_SHARED_FLAGS ((UINT)D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX)

/* Under the lock of the process. */
struct rt_share {
    struct rt_share *next;
    uint64_t token;               /* at this process's device of the host */
    struct rt_token name;         /* for everybody: that of the process that made it */
    struct rt_resource *members;  /* at least one */
    UINT64 key;                   /* with which the mutex can be acquired, as long as there are no contents */
    struct rt_resource *holder;   /* who has acquired it; NULL: nobody of this process */
    bool is_abandoned;            /* whoever had it has ended, as long as there are no contents */
    struct rt_contents *contents; /* NULL: no handle was asked for, so that no other process has it */
    uint64_t order;               /* later shares have higher ones, and stand in front of earlier ones */
};

/* All of the process, under its lock. */
struct rt_share *rt_shares(void);

/* Of a resource that was just made with one of the flags: tells the host its token. */
HRESULT rt_share_create(struct rt_resource *resource);
/* The resource ends; one that has acquired the mutex abandons it. */
void rt_share_leave(struct rt_resource *resource);

HRESULT rt_share_number(struct rt_resource *resource, HANDLE *handle);
HRESULT rt_share_handle(struct rt_resource *resource, const SECURITY_ATTRIBUTES *attributes, DWORD access,
                        const WCHAR *name, HANDLE *handle);

/* ID3D11Device::OpenSharedResource(), OpenSharedResource1() and OpenSharedResourceByName(). */
HRESULT STDMETHODCALLTYPE rt_device_open_number(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out);
HRESULT STDMETHODCALLTYPE rt_device_open_handle(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out);
HRESULT STDMETHODCALLTYPE rt_device_open_name(ID3D11Device5 *self, LPCWSTR name, DWORD access, REFIID iid,
                                              void **out);
/* Whether a handle of either kind names a share, of this process or of another. */
bool rt_share_is_known(HANDLE handle);

/* For anything else that devices share, under the lock of the process. 0: 4,096 other processes share, and
 * none is left. */
uint64_t rt_share_new_token(void);
/* Whether a handle is a number, which names resources alone. */
bool rt_share_is_number(HANDLE handle);

/* IDXGIKeyedMutex (keyed_mutex.c). */
HRESULT rt_share_acquire(struct rt_resource *resource, UINT64 key, DWORD milliseconds);
HRESULT rt_share_release(struct rt_resource *resource, UINT64 key);

#endif
