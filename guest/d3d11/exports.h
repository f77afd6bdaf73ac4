/* SPDX-License-Identifier: MIT
 *
 * Functions that the DLLs export and the public headers do not declare everywhere.
 */
#ifndef RT_D3D11_EXPORTS_H
#define RT_D3D11_EXPORTS_H

#include "guest/d3d11/com.h"

HRESULT WINAPI CreateDXGIFactory(REFIID iid, void **out);
HRESULT WINAPI CreateDXGIFactory1(REFIID iid, void **out);
HRESULT WINAPI CreateDXGIFactory2(UINT flags, REFIID iid, void **out);
HRESULT WINAPI DXGIGetDebugInterface1(UINT flags, REFIID iid, void **out);

/* What d3d10.dll and DXGI of Windows call of d3d11.dll; some programs do, too. */
HRESULT WINAPI D3D11CoreCreateDevice(IDXGIFactory *factory, IDXGIAdapter *adapter, UINT flags,
                                     const D3D_FEATURE_LEVEL *levels, UINT level_count, ID3D11Device **out);

#endif
