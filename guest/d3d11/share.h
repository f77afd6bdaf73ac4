/* SPDX-License-Identifier: MIT
 *
 * Resources that several devices of a process have. What they have in common is a share: the token under
 * which the host knows the resource, and the keyed mutex. Each device has a resource object of its own.
 *
 * Two kinds of handles name a share: numbers, for IDXGIResource::GetSharedHandle(), and objects of the
 * operating system, for IDXGIResource1::CreateSharedHandle(). Neither keeps the resource: the last resource
 * object does. A process has a device of its own on the host, so that handles of other processes are refused.
 */
#ifndef RT_D3D11_SHARE_H
#define RT_D3D11_SHARE_H

#include "guest/d3d11/resource.h"

#define RT_SHARED_FLAGS ((UINT)D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX)

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
/* Whether a handle of either kind names a share of this process. */
bool rt_share_is_known(HANDLE handle);

/* For anything else that the devices of the process share, under the lock of the process. 0: 4,096 other
 * processes share, and none is left. */
uint64_t rt_share_new_token(void);
/* Whether a handle is a number, which names resources alone. */
bool rt_share_is_number(HANDLE handle);

/* IDXGIKeyedMutex. */
HRESULT rt_share_acquire(struct rt_resource *resource, UINT64 key, DWORD milliseconds);
HRESULT rt_share_release(struct rt_resource *resource, UINT64 key);

#endif
