/* SPDX-License-Identifier: MIT
 *
 * IDXGIFactory to IDXGIFactory6, and the functions that create them.
 */
#include "guest/d3d11/dxgi_objects.h"
#include "guest/d3d11/exports.h"
#include "guest/d3d11/share.h"
#include "guest/d3d11/swap_chain.h"

#include <stdlib.h>

#define WINDOW_ASSOCIATION_FLAGS                                                                             \
    (DXGI_MWA_NO_WINDOW_CHANGES | DXGI_MWA_NO_ALT_ENTER | DXGI_MWA_NO_PRINT_SCREEN)

static struct rt_factory *factory_of(IDXGIFactory6 *self)
{
    return (struct rt_factory *)RT_OBJECT(self);
}

static HRESULT no_parent(struct rt_object *object, REFIID iid, void **out)
{
    (void)object;
    (void)iid;
    if (out)
        *out = NULL;
    return E_NOINTERFACE;
}

RT_DXGI_OBJECT_METHODS(IDXGIFactory6, no_parent)

/* ---- Adapters ------------------------------------------------------------------------------------------ */

/* The list of adapters has one element. */
static HRESULT enumerate(IDXGIFactory6 *self, UINT index, REFIID iid, void **out)
{
    struct rt_adapter *adapter;
    HRESULT result;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    if (index > 0 || FAILED(rt_adapter_create(factory_of(self), &adapter)))
        return DXGI_ERROR_NOT_FOUND;
    result = rt_object_query(&adapter->object, iid, out);
    rt_object_release(&adapter->object);
    return result;
}

RT_METHOD(HRESULT) enum_adapters(IDXGIFactory6 *self, UINT index, IDXGIAdapter **out)
{
    return enumerate(self, index, &IID_IDXGIAdapter, (void **)out);
}

RT_METHOD(HRESULT) enum_adapters1(IDXGIFactory6 *self, UINT index, IDXGIAdapter1 **out)
{
    return enumerate(self, index, &IID_IDXGIAdapter1, (void **)out);
}

RT_METHOD(HRESULT)
enum_by_preference(IDXGIFactory6 *self, UINT index, DXGI_GPU_PREFERENCE preference, REFIID iid, void **out)
{
    (void)preference;
    return enumerate(self, index, iid, out);
}

RT_METHOD(HRESULT) enum_warp(IDXGIFactory6 *self, REFIID iid, void **out)
{
    return enumerate(self, 0, iid, out);
}

RT_METHOD(HRESULT) enum_by_luid(IDXGIFactory6 *self, LUID luid, REFIID iid, void **out)
{
    IDXGIAdapter *adapter;
    DXGI_ADAPTER_DESC desc;
    HRESULT result;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    result = enumerate(self, 0, &IID_IDXGIAdapter, (void **)&adapter);
    if (FAILED(result))
        return result;
    adapter->lpVtbl->GetDesc(adapter, &desc);
    result = desc.AdapterLuid.LowPart == luid.LowPart && desc.AdapterLuid.HighPart == luid.HighPart
                 ? adapter->lpVtbl->QueryInterface(adapter, iid, out)
                 : DXGI_ERROR_NOT_FOUND;
    adapter->lpVtbl->Release(adapter);
    return result;
}

RT_METHOD(HRESULT) create_software_adapter(IDXGIFactory6 *self, HMODULE module, IDXGIAdapter **out)
{
    (void)self;
    (void)module;
    if (out)
        *out = NULL;
    return DXGI_ERROR_UNSUPPORTED;
}

/* ---- Windows ------------------------------------------------------------------------------------------- */

/* association_count: the window has none. */
static UINT association_of(const struct rt_factory *factory, HWND window)
{
    UINT i = 0;
    while (i < factory->association_count && factory->associations[i].window != window)
        i++;
    return i;
}

UINT rt_factory_flags_of(const struct rt_factory *factory, HWND window)
{
    const UINT i = association_of(factory, window);
    return i < factory->association_count ? factory->associations[i].flags : 0;
}

/* Under the lock of the process. */
static HRESULT associate(struct rt_factory *factory, HWND window, UINT flags)
{
    const size_t size = sizeof(factory->associations[0]);
    const UINT i = association_of(factory, window);
    if (i == factory->association_count) {
        void *grown = realloc(factory->associations, (i + 1) * size);
        if (!grown)
            return E_OUTOFMEMORY;
        factory->associations = grown;
        factory->association_count++;
    }
    factory->associations[i].window = window;
    factory->associations[i].flags = flags;
    return S_OK;
}

/* No window: what was said of any is forgotten. */
RT_METHOD(HRESULT) make_window_association(IDXGIFactory6 *self, HWND window, UINT flags)
{
    struct rt_factory *factory = factory_of(self);
    HRESULT result = S_OK;
    if (flags & ~(UINT)WINDOW_ASSOCIATION_FLAGS)
        return DXGI_ERROR_INVALID_CALL;
    rt_process_lock();
    if (window)
        result = associate(factory, window, flags);
    else
        factory->association_count = 0;
    rt_process_unlock();
    return result;
}

/* Windows answers NULL whatever was associated. */
RT_METHOD(HRESULT) get_window_association(IDXGIFactory6 *self, HWND *window)
{
    (void)self;
    if (!window)
        return DXGI_ERROR_INVALID_CALL;
    *window = NULL;
    return S_OK;
}

/* ---- Swap chains --------------------------------------------------------------------------------------- */

RT_METHOD(HRESULT)
create_swap_chain(IDXGIFactory6 *self, IUnknown *device, DXGI_SWAP_CHAIN_DESC *desc, IDXGISwapChain **out)
{
    DXGI_SWAP_CHAIN_DESC1 desc1;
    DXGI_SWAP_CHAIN_FULLSCREEN_DESC fullscreen;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    if (!device || !desc || !desc->OutputWindow)
        return DXGI_ERROR_INVALID_CALL;
    desc1 = (DXGI_SWAP_CHAIN_DESC1){
        .Width = desc->BufferDesc.Width,
        .Height = desc->BufferDesc.Height,
        .Format = desc->BufferDesc.Format,
        .SampleDesc = desc->SampleDesc,
        .BufferUsage = desc->BufferUsage,
        .BufferCount = desc->BufferCount,
        .Scaling = DXGI_SCALING_STRETCH,
        .SwapEffect = desc->SwapEffect,
        .AlphaMode = DXGI_ALPHA_MODE_IGNORE,
        .Flags = desc->Flags,
    };
    fullscreen = (DXGI_SWAP_CHAIN_FULLSCREEN_DESC){
        .RefreshRate = desc->BufferDesc.RefreshRate,
        .ScanlineOrdering = desc->BufferDesc.ScanlineOrdering,
        .Scaling = desc->BufferDesc.Scaling,
        .Windowed = desc->Windowed,
    };
    return rt_swap_chain_create(factory_of(self), device, desc->OutputWindow, &desc1, &fullscreen,
                                &IID_IDXGISwapChain, (void **)out);
}

RT_METHOD(HRESULT)
create_for_hwnd(IDXGIFactory6 *self, IUnknown *device, HWND window, const DXGI_SWAP_CHAIN_DESC1 *desc,
                const DXGI_SWAP_CHAIN_FULLSCREEN_DESC *fullscreen, IDXGIOutput *restrict_to,
                IDXGISwapChain1 **out)
{
    (void)restrict_to;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    if (!device || !desc || !window)
        return DXGI_ERROR_INVALID_CALL;
    return rt_swap_chain_create(factory_of(self), device, window, desc, fullscreen, &IID_IDXGISwapChain1,
                                (void **)out);
}

RT_METHOD(HRESULT)
create_for_core_window(IDXGIFactory6 *self, IUnknown *device, IUnknown *window,
                       const DXGI_SWAP_CHAIN_DESC1 *desc, IDXGIOutput *restrict_to, IDXGISwapChain1 **out)
{
    (void)self;
    (void)device;
    (void)window;
    (void)desc;
    (void)restrict_to;
    if (out)
        *out = NULL;
    return DXGI_ERROR_UNSUPPORTED;
}

RT_METHOD(HRESULT)
create_for_composition(IDXGIFactory6 *self, IUnknown *device, const DXGI_SWAP_CHAIN_DESC1 *desc,
                       IDXGIOutput *restrict_to, IDXGISwapChain1 **out)
{
    (void)restrict_to;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    /* Composition shows flipped buffers alone, of a size that the program gives. */
    if (!device || !desc || desc->SwapEffect < DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL || !desc->Width ||
        !desc->Height)
        return DXGI_ERROR_INVALID_CALL;
    return rt_swap_chain_create(factory_of(self), device, NULL, desc, NULL, &IID_IDXGISwapChain1,
                                (void **)out);
}

/* ---- What never changes -------------------------------------------------------------------------------- */

RT_METHOD(BOOL) is_current(IDXGIFactory6 *self)
{
    (void)self;
    return TRUE;
}

RT_METHOD(BOOL) is_stereo_enabled(IDXGIFactory6 *self)
{
    (void)self;
    return FALSE;
}

RT_METHOD(HRESULT) get_shared_luid(IDXGIFactory6 *self, HANDLE handle, LUID *luid)
{
    (void)self;
    if (!luid || !rt_share_is_known(handle))
        return E_INVALIDARG;
    *luid = rt_adapter_luid;
    return S_OK;
}

/* No present answers that its window is occluded: the host shows pictures of hidden windows, too, which only
 * the DLL's own drawing into windows leaves out. And no display turns stereo on. So a registration is a
 * cookie alone. */
RT_METHOD(HRESULT) register_window(IDXGIFactory6 *self, HWND window, UINT message, DWORD *cookie)
{
    (void)self;
    (void)message;
    if (!window || !cookie)
        return DXGI_ERROR_INVALID_CALL;
    *cookie = 1;
    return S_OK;
}

RT_METHOD(HRESULT) register_event(IDXGIFactory6 *self, HANDLE event, DWORD *cookie)
{
    (void)self;
    if (!event || !cookie)
        return DXGI_ERROR_INVALID_CALL;
    *cookie = 1;
    return S_OK;
}

RT_METHOD(void) unregister(IDXGIFactory6 *self, DWORD cookie)
{
    (void)self;
    (void)cookie;
}

RT_METHOD(UINT) get_creation_flags(IDXGIFactory6 *self)
{
    return factory_of(self)->flags;
}

RT_METHOD(HRESULT) check_feature(IDXGIFactory6 *self, DXGI_FEATURE feature, void *data, UINT size)
{
    const BOOL allows_tearing = TRUE; /* a present of interval 0 waits for nothing */
    (void)self;
    if (!data || feature != DXGI_FEATURE_PRESENT_ALLOW_TEARING || size != sizeof(allows_tearing))
        return DXGI_ERROR_INVALID_CALL;
    *(BOOL *)data = allows_tearing;
    return S_OK;
}

static const IDXGIFactory6Vtbl methods = {
    RT_DXGI_OBJECT_SLOTS(IDXGIFactory6),
    .EnumAdapters = enum_adapters,
    .MakeWindowAssociation = make_window_association,
    .GetWindowAssociation = get_window_association,
    .CreateSwapChain = create_swap_chain,
    .CreateSoftwareAdapter = create_software_adapter,
    .EnumAdapters1 = enum_adapters1,
    .IsCurrent = is_current,
    .IsWindowedStereoEnabled = is_stereo_enabled,
    .CreateSwapChainForHwnd = create_for_hwnd,
    .CreateSwapChainForCoreWindow = create_for_core_window,
    .GetSharedResourceAdapterLuid = get_shared_luid,
    .RegisterStereoStatusWindow = register_window,
    .RegisterStereoStatusEvent = register_event,
    .UnregisterStereoStatus = unregister,
    .RegisterOcclusionStatusWindow = register_window,
    .RegisterOcclusionStatusEvent = register_event,
    .UnregisterOcclusionStatus = unregister,
    .CreateSwapChainForComposition = create_for_composition,
    .GetCreationFlags = get_creation_flags,
    .EnumAdapterByLuid = enum_by_luid,
    .EnumWarpAdapter = enum_warp,
    .CheckFeatureSupport = check_feature,
    .EnumAdapterByGpuPreference = enum_by_preference,
};

static bool offers(const struct rt_object *object, REFIID iid)
{
    return !((const struct rt_factory *)object)->is_first_version || !IsEqualGUID(iid, &IID_IDXGIFactory1);
}

static void destroy(struct rt_object *object)
{
    rt_object_fini(object);
    free(((struct rt_factory *)object)->associations);
    free(object);
}

static const struct rt_class factory_class = {
    .id = RT_CLASS_FACTORY,
    .methods = {&methods},
    .destroy = destroy,
    .offers = offers,
};

HRESULT rt_factory_create(UINT flags, bool is_first_version, struct rt_factory **out)
{
    struct rt_factory *factory = calloc(1, sizeof(*factory));
    if (!factory)
        return E_OUTOFMEMORY;
    rt_object_init(&factory->object, &factory_class, NULL);
    factory->flags = flags;
    factory->is_first_version = is_first_version;
    *out = factory;
    return S_OK;
}

static HRESULT create_and_query(UINT flags, bool is_first_version, REFIID iid, void **out)
{
    struct rt_factory *factory;
    HRESULT result;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    result = rt_factory_create(flags, is_first_version, &factory);
    if (FAILED(result))
        return result;
    result = rt_object_query(&factory->object, iid, out);
    rt_object_release(&factory->object);
    return result;
}

HRESULT WINAPI CreateDXGIFactory(REFIID iid, void **out)
{
    return create_and_query(0, true, iid, out);
}

HRESULT WINAPI CreateDXGIFactory1(REFIID iid, void **out)
{
    return create_and_query(0, false, iid, out);
}

HRESULT WINAPI CreateDXGIFactory2(UINT flags, REFIID iid, void **out)
{
    return create_and_query(flags, false, iid, out);
}

/* DXGI's own message queue belongs to the debug layer of DXGI, which is a separate installation on Windows,
 * too. */
HRESULT WINAPI DXGIGetDebugInterface1(UINT flags, REFIID iid, void **out)
{
    (void)flags;
    (void)iid;
    if (!out)
        return E_POINTER;
    *out = NULL;
    return E_NOINTERFACE;
}
