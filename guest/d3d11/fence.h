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
/* What the device submits from now on comes after the value. DXGI_ERROR_INVALID_CALL: nobody has signalled
 * it, nor is there another process that may. */
HRESULT rt_fence_wait(struct rt_fence *fence, UINT64 value);
/* In front of a submission: waits for what another process has to signal. */
void rt_fence_await(struct rt_device *device);
void rt_fence_forget_waits(struct rt_device *device);
/* Sets the events of values that have come, and tells who asks how far the fences are. */
void rt_fence_look(void);

HRESULT STDMETHODCALLTYPE rt_device_create_fence(ID3D11Device5 *self, UINT64 value, D3D11_FENCE_FLAG flags,
                                                 REFIID iid, void **out);
HRESULT STDMETHODCALLTYPE rt_device_open_fence(ID3D11Device5 *self, HANDLE handle, REFIID iid, void **out);

#endif
