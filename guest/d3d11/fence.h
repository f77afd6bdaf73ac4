/* SPDX-License-Identifier: MIT
 *
 * ID3D11Fence: a number that the GPU raises.
 */
#ifndef RT_D3D11_FENCE_H
#define RT_D3D11_FENCE_H

#include "guest/d3d11/device.h"

struct rt_fence;

/* The value is the fence's when all work before is done. */
HRESULT rt_fence_signal(struct rt_fence *fence, struct umd_context *context, UINT64 value);
/* Whether a signal with this value, or a larger one, has been given to the GPU. */
bool rt_fence_is_signalled(struct rt_fence *fence, UINT64 value);

HRESULT STDMETHODCALLTYPE rt_device_create_fence(ID3D11Device5 *self, UINT64 value, D3D11_FENCE_FLAG flags,
                                                 REFIID iid, void **out);
/* By a handle of this process. */
HRESULT STDMETHODCALLTYPE rt_device_open_fence(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out);

#endif
