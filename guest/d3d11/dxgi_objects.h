/* SPDX-License-Identifier: MIT
 *
 * DXGI's objects above a device: factories, the adapter, its output.
 */
#ifndef RT_D3D11_DXGI_OBJECTS_H
#define RT_D3D11_DXGI_OBJECTS_H

#include "guest/d3d11/object.h"
#include "guest/umd/umd.h"

struct rt_factory {
    struct rt_object object;
    UINT flags;
    /* What the program wants of windows, under the lock of the process. */
    struct {
        HWND window;
        UINT flags;
    } * associations;
    UINT association_count;
    bool is_first_version; /* of CreateDXGIFactory(), which has no IDXGIFactory1 */
};

struct rt_adapter {
    struct rt_object object;
    struct rt_factory *factory; /* a public reference */
    struct umd_adapter *umd;
};

struct rt_output {
    struct rt_object object;
    struct rt_adapter *adapter; /* a public reference */
};

extern const LUID rt_adapter_luid;

HRESULT rt_factory_create(UINT flags, bool is_first_version, struct rt_factory **out);
/* DXGI_MWA_ flags of a window. The lock of the process is held. */
UINT rt_factory_flags_of(const struct rt_factory *factory, HWND window);
/* E_FAIL if there is no device. */
HRESULT rt_adapter_create(struct rt_factory *factory, struct rt_adapter **out);
HRESULT rt_output_create(struct rt_adapter *adapter, struct rt_output **out);

/* The adapter behind an interface of this runtime; NULL of any other. */
struct rt_adapter *rt_adapter_of(IUnknown *unknown);

#endif
