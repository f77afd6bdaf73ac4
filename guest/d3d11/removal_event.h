/* SPDX-License-Identifier: MIT
 *
 * Events of the program for devices that are removed: a thread of the process asks as long as there are some.
 */
#ifndef RT_D3D11_REMOVAL_EVENT_H
#define RT_D3D11_REMOVAL_EVENT_H

#include "guest/d3d11/device.h"

HRESULT STDMETHODCALLTYPE rt_device_register_removed(ID3D11Device5 *self, HANDLE event, DWORD *cookie);
void STDMETHODCALLTYPE rt_device_unregister_removed(ID3D11Device5 *self, DWORD cookie);

/* The device ends: none of its events is set any more. */
void rt_removal_events_forget(struct rt_device *device);

#endif
