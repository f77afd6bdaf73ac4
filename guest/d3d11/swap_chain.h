/* SPDX-License-Identifier: MIT
 *
 * IDXGISwapChain to IDXGISwapChain4.
 */
#ifndef RT_D3D11_SWAP_CHAIN_H
#define RT_D3D11_SWAP_CHAIN_H

#include "guest/d3d11/dxgi_objects.h"

/* `window` is NULL of a chain for composition, `fullscreen` NULL of a windowed one. */
HRESULT rt_swap_chain_create(struct rt_factory *factory, IUnknown *device, HWND window,
                             const DXGI_SWAP_CHAIN_DESC1 *desc,
                             const DXGI_SWAP_CHAIN_FULLSCREEN_DESC *fullscreen, REFIID iid, void **out);

#endif
