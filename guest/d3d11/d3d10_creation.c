/* SPDX-License-Identifier: MIT
 *
 * The functions of d3d10.dll, d3d10_1.dll and d3d10core.dll that create devices.
 */
#include "guest/d3d11/d3d10_exports.h"

#define KNOWN_FLAGS                                                                                          \
    ((UINT)D3D10_CREATE_DEVICE_SINGLETHREADED | D3D10_CREATE_DEVICE_DEBUG |                                  \
     D3D10_CREATE_DEVICE_SWITCH_TO_REF | D3D10_CREATE_DEVICE_PREVENT_INTERNAL_THREADING_OPTIMIZATIONS |      \
     D3D10_CREATE_DEVICE_ALLOW_NULL_FROM_MAP | D3D10_CREATE_DEVICE_BGRA_SUPPORT |                            \
     D3D10_CREATE_DEVICE_PREVENT_ALTERING_LAYER_SETTINGS_FROM_REGISTRY |                                     \
     D3D10_CREATE_DEVICE_STRICT_VALIDATION | D3D10_CREATE_DEVICE_DEBUGGABLE)

/* A device of Direct3D 10 has both kinds of interfaces, and excludes threads unless it is for one alone. */
static HRESULT create(IDXGIAdapter *given, UINT flags, D3D_FEATURE_LEVEL level, struct rt_device **out)
{
    struct rt_adapter *adapter;
    HRESULT result;
    if (flags & ~KNOWN_FLAGS)
        return E_INVALIDARG;
    if (level != D3D_FEATURE_LEVEL_10_0 && level != D3D_FEATURE_LEVEL_10_1)
        return level >= D3D_FEATURE_LEVEL_9_1 && level < D3D_FEATURE_LEVEL_10_0 ? E_NOTIMPL : E_INVALIDARG;
    result = rt_device_open_adapter(given, true, &adapter);
    if (FAILED(result))
        return result;
    result = rt_device_create(adapter, level, flags, out);
    rt_object_release(&adapter->object);
    if (FAILED(result))
        return result;
    atomic_store(&(*out)->is_d3d10, true);
    atomic_store(&(*out)->is_protected, !(flags & (UINT)D3D10_CREATE_DEVICE_SINGLETHREADED));
    return S_OK;
}

static HRESULT check_type(D3D10_DRIVER_TYPE type, HMODULE module)
{
    if ((type == D3D10_DRIVER_TYPE_SOFTWARE) != (module != NULL))
        return E_INVALIDARG;
    switch (type) {
    case D3D10_DRIVER_TYPE_HARDWARE:
    case D3D10_DRIVER_TYPE_REFERENCE:
    case D3D10_DRIVER_TYPE_WARP:
        return S_OK;
    case D3D10_DRIVER_TYPE_NULL:
    case D3D10_DRIVER_TYPE_SOFTWARE:
        return DXGI_ERROR_UNSUPPORTED;
    default:
        return E_INVALIDARG;
    }
}

/* `desc` and `chain` are NULL where no swap chain is wanted. */
static HRESULT create_all(IDXGIAdapter *adapter, D3D10_DRIVER_TYPE type, HMODULE module, UINT flags,
                          D3D_FEATURE_LEVEL level, const DXGI_SWAP_CHAIN_DESC *desc, IDXGISwapChain **chain,
                          void **out)
{
    struct rt_device *device;
    HRESULT result = check_type(type, module);
    if (chain)
        *chain = NULL;
    if (out)
        *out = NULL;
    if (FAILED(result))
        return result;
    result = create(adapter, flags, level, &device);
    if (FAILED(result))
        return result;
    if (desc && chain)
        result = rt_device_create_swap_chain(device, desc, chain);
    if (SUCCEEDED(result) && out)
        *out = rt_d3d10_face(rt_object_return(&device->object));
    rt_object_release(&device->object);
    return FAILED(result) || out || (desc && chain) ? result : S_FALSE;
}

HRESULT WINAPI D3D10CreateDevice(IDXGIAdapter *adapter, D3D10_DRIVER_TYPE type, HMODULE module, UINT flags,
                                 UINT sdk_version, ID3D10Device **device)
{
    return D3D10CreateDeviceAndSwapChain(adapter, type, module, flags, sdk_version, NULL, NULL, device);
}

HRESULT WINAPI D3D10CreateDeviceAndSwapChain(IDXGIAdapter *adapter, D3D10_DRIVER_TYPE type, HMODULE module,
                                             UINT flags, UINT sdk_version, DXGI_SWAP_CHAIN_DESC *desc,
                                             IDXGISwapChain **chain, ID3D10Device **device)
{
    if (sdk_version != D3D10_SDK_VERSION)
        return E_INVALIDARG;
    return create_all(adapter, type, module, flags, D3D_FEATURE_LEVEL_10_0, desc, chain, (void **)device);
}

HRESULT WINAPI D3D10CreateDevice1(IDXGIAdapter *adapter, D3D10_DRIVER_TYPE type, HMODULE module, UINT flags,
                                  D3D10_FEATURE_LEVEL1 level, UINT sdk_version, ID3D10Device1 **device)
{
    return D3D10CreateDeviceAndSwapChain1(adapter, type, module, flags, level, sdk_version, NULL, NULL,
                                          device);
}

HRESULT WINAPI D3D10CreateDeviceAndSwapChain1(IDXGIAdapter *adapter, D3D10_DRIVER_TYPE type, HMODULE module,
                                              UINT flags, D3D10_FEATURE_LEVEL1 level, UINT sdk_version,
                                              DXGI_SWAP_CHAIN_DESC *desc, IDXGISwapChain **chain,
                                              ID3D10Device1 **device)
{
    if (sdk_version != D3D10_1_SDK_VERSION)
        return E_INVALIDARG;
    return create_all(adapter, type, module, flags, (D3D_FEATURE_LEVEL)level, desc, chain, (void **)device);
}

HRESULT WINAPI D3D10CoreCreateDevice(IDXGIFactory *factory, IDXGIAdapter *adapter, UINT flags,
                                     D3D_FEATURE_LEVEL level, ID3D10Device **device)
{
    struct rt_device *made;
    HRESULT result;
    (void)factory; /* the adapter has one */
    if (!device)
        return E_INVALIDARG;
    *device = NULL;
    result = create(adapter, flags, level, &made);
    if (FAILED(result))
        return result;
    *device = rt_d3d10_face(&made->object.faces[0]);
    return S_OK;
}

/* There are no layers that could be put between the program and the device. */
HRESULT WINAPI D3D10CoreRegisterLayers(void)
{
    return S_OK;
}

HRESULT WINAPI D3D10RegisterLayers(void)
{
    return D3D10CoreRegisterLayers();
}
