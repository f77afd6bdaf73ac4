/* SPDX-License-Identifier: MIT
 *
 * The functions that create devices.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/exports.h"

static const D3D_FEATURE_LEVEL default_levels[] = {D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_10_1,
                                                   D3D_FEATURE_LEVEL_10_0};

#define KNOWN_FLAGS                                                                                          \
    ((UINT)D3D11_CREATE_DEVICE_SINGLETHREADED | D3D11_CREATE_DEVICE_DEBUG |                                  \
     D3D11_CREATE_DEVICE_SWITCH_TO_REF | D3D11_CREATE_DEVICE_PREVENT_INTERNAL_THREADING_OPTIMIZATIONS |      \
     D3D11_CREATE_DEVICE_BGRA_SUPPORT | D3D11_CREATE_DEVICE_DEBUGGABLE |                                     \
     D3D11_CREATE_DEVICE_PREVENT_ALTERING_LAYER_SETTINGS_FROM_REGISTRY |                                     \
     D3D11_CREATE_DEVICE_DISABLE_GPU_TIMEOUT | D3D11_CREATE_DEVICE_VIDEO_SUPPORT)

/* A device of an adapter is of unknown type, another has a type; software has a module. */
static HRESULT check_type(const IDXGIAdapter *adapter, D3D_DRIVER_TYPE type, HMODULE module)
{
    if ((type == D3D_DRIVER_TYPE_SOFTWARE) != (module != NULL))
        return E_INVALIDARG;
    if (adapter)
        return type == D3D_DRIVER_TYPE_UNKNOWN ? S_OK : E_INVALIDARG;
    switch (type) {
    case D3D_DRIVER_TYPE_HARDWARE:
    case D3D_DRIVER_TYPE_REFERENCE:
    case D3D_DRIVER_TYPE_WARP:
        return S_OK;
    case D3D_DRIVER_TYPE_NULL:
    case D3D_DRIVER_TYPE_SOFTWARE:
        return DXGI_ERROR_UNSUPPORTED;
    default:
        return E_INVALIDARG;
    }
}

/* The first level of the program's list that the adapter has. */
static HRESULT choose_level(const struct rt_adapter *adapter, const D3D_FEATURE_LEVEL *levels, UINT count,
                            D3D_FEATURE_LEVEL *chosen)
{
    const D3D_FEATURE_LEVEL most = (D3D_FEATURE_LEVEL)umd_adapter_features(adapter->umd)->feature_level;
    for (UINT i = 0; i < count; i++) {
        if (levels[i] > most || levels[i] < D3D_FEATURE_LEVEL_10_0)
            continue;
        *chosen = levels[i];
        return S_OK;
    }
    return DXGI_ERROR_UNSUPPORTED;
}

HRESULT rt_device_open_adapter(IDXGIAdapter *given, bool is_first_version, struct rt_adapter **out)
{
    struct rt_factory *factory;
    HRESULT result;
    if (given) {
        *out = rt_adapter_of((IUnknown *)given);
        if (!*out)
            return E_INVALIDARG;
        rt_object_add_ref(&(*out)->object);
        return S_OK;
    }
    result = rt_factory_create(0, is_first_version, &factory);
    if (FAILED(result))
        return result;
    result = rt_adapter_create(factory, out);
    rt_object_release(&factory->object);
    return result;
}

static HRESULT create(struct rt_adapter *adapter, UINT flags, D3D_FEATURE_LEVEL level,
                      ID3D11Device **device_out, ID3D11DeviceContext **context_out)
{
    struct rt_device *device;
    const HRESULT result = rt_device_create(adapter, level, flags, &device);
    if (FAILED(result))
        return result;
    if (context_out)
        *context_out = rt_object_return(&device->immediate->object);
    if (device_out)
        *device_out = rt_object_return(&device->object);
    rt_object_release(&device->object);
    return device_out || context_out ? S_OK : S_FALSE;
}

HRESULT WINAPI D3D11CreateDevice(IDXGIAdapter *given, D3D_DRIVER_TYPE type, HMODULE module, UINT flags,
                                 const D3D_FEATURE_LEVEL *levels, UINT count, UINT sdk_version,
                                 ID3D11Device **device, D3D_FEATURE_LEVEL *chosen,
                                 ID3D11DeviceContext **context)
{
    struct rt_adapter *adapter;
    D3D_FEATURE_LEVEL level;
    HRESULT result;
    if (device)
        *device = NULL;
    if (context)
        *context = NULL;
    if (chosen)
        *chosen = (D3D_FEATURE_LEVEL)0;
    result = check_type(given, type, module);
    if (FAILED(result))
        return result;
    if (sdk_version != D3D11_SDK_VERSION || (flags & ~KNOWN_FLAGS) || (levels && count == 0))
        return E_INVALIDARG;
    if (!levels) {
        levels = default_levels;
        count = sizeof(default_levels) / sizeof(default_levels[0]);
    }
    result = rt_device_open_adapter(given, false, &adapter);
    if (FAILED(result))
        return result;
    result = choose_level(adapter, levels, count, &level);
    if (SUCCEEDED(result)) {
        if (chosen)
            *chosen = level;
        result = create(adapter, flags, level, device, context);
    }
    rt_object_release(&adapter->object);
    return result;
}

HRESULT rt_device_create_swap_chain(struct rt_device *device, const DXGI_SWAP_CHAIN_DESC *desc,
                                    IDXGISwapChain **out)
{
    IDXGIFactory *factory = (IDXGIFactory *)&device->adapter->factory->object.faces[0];
    DXGI_SWAP_CHAIN_DESC copy = *desc;
    return factory->lpVtbl->CreateSwapChain(factory, (IUnknown *)&device->object.faces[0], &copy, out);
}

HRESULT WINAPI D3D11CreateDeviceAndSwapChain(IDXGIAdapter *adapter, D3D_DRIVER_TYPE type, HMODULE module,
                                             UINT flags, const D3D_FEATURE_LEVEL *levels, UINT count,
                                             UINT sdk_version, const DXGI_SWAP_CHAIN_DESC *desc,
                                             IDXGISwapChain **swap_chain, ID3D11Device **device,
                                             D3D_FEATURE_LEVEL *chosen, ID3D11DeviceContext **context)
{
    ID3D11Device *made = NULL;
    HRESULT result;
    if (swap_chain)
        *swap_chain = NULL;
    if (device)
        *device = NULL;
    result =
        D3D11CreateDevice(adapter, type, module, flags, levels, count, sdk_version, &made, chosen, context);
    if (FAILED(result))
        return result;
    if (swap_chain && desc) {
        result = rt_device_create_swap_chain(rt_device_of(made), desc, swap_chain);
        if (FAILED(result)) {
            if (context) {
                (*context)->lpVtbl->Release(*context);
                *context = NULL;
            }
            if (chosen)
                *chosen = (D3D_FEATURE_LEVEL)0;
            made->lpVtbl->Release(made);
            return result;
        }
    }
    if (device)
        *device = made;
    else
        made->lpVtbl->Release(made);
    return device || context || (swap_chain && desc) ? S_OK : S_FALSE;
}

HRESULT WINAPI D3D11CoreCreateDevice(IDXGIFactory *factory, IDXGIAdapter *adapter, UINT flags,
                                     const D3D_FEATURE_LEVEL *levels, UINT count, ID3D11Device **out)
{
    (void)factory; /* the adapter has one */
    return D3D11CreateDevice(adapter, adapter ? D3D_DRIVER_TYPE_UNKNOWN : D3D_DRIVER_TYPE_HARDWARE, NULL,
                             flags, levels, count, D3D11_SDK_VERSION, out, NULL, NULL);
}
