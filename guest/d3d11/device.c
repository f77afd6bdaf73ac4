/* SPDX-License-Identifier: MIT
 *
 * ID3D11Device to ID3D11Device5: the table of methods, and what belongs to no file of its own.
 */
#include "guest/d3d11/class_linkage.h"
#include "guest/d3d11/context.h"
#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/exchange.h"
#include "guest/d3d11/fence.h"
#include "guest/d3d11/query.h"
#include "guest/d3d11/removal_event.h"
#include "guest/d3d11/shader.h"
#include "guest/d3d11/share.h"
#include "guest/d3d11/view.h"

#include <stdlib.h>
#include <string.h>

RT_UNKNOWN_METHODS(ID3D11Device5)
RT_PRIVATE_DATA_METHODS(ID3D11Device5)

HRESULT rt_result(enum umd_status status)
{
    switch (status) {
    case UMD_OK:
        return S_OK;
    case UMD_NO_MEMORY:
        return E_OUTOFMEMORY;
    case UMD_INVALID:
        return E_INVALIDARG;
    case UMD_WAS_STILL_DRAWING:
        return DXGI_ERROR_WAS_STILL_DRAWING;
    case UMD_DEVICE_REMOVED:
        return DXGI_ERROR_DEVICE_REMOVED;
    default:
        return DXGI_ERROR_UNSUPPORTED;
    }
}

HRESULT rt_device_removed_reason(struct rt_device *device, bool wait)
{
    switch (umd_device_removed_reason(device->umd, wait)) {
    case UMD_NOT_REMOVED:
        return S_OK;
    case UMD_REMOVED_HUNG:
        return DXGI_ERROR_DEVICE_HUNG;
    case UMD_REMOVED_GONE:
        return DXGI_ERROR_DEVICE_REMOVED;
    default:
        return DXGI_ERROR_DRIVER_INTERNAL_ERROR;
    }
}

/* ---- What the device is -------------------------------------------------------------------------------- */

RT_METHOD(D3D_FEATURE_LEVEL) get_feature_level(ID3D11Device5 *self)
{
    return rt_device_of(self)->level;
}

RT_METHOD(UINT) get_creation_flags(ID3D11Device5 *self)
{
    return rt_device_of(self)->flags;
}

RT_METHOD(HRESULT) get_removed_reason(ID3D11Device5 *self)
{
    return rt_device_removed_reason(rt_device_of(self), true);
}

RT_METHOD(HRESULT) set_exception_mode(ID3D11Device5 *self, UINT flags)
{
    if (flags & ~(UINT)D3D11_RAISE_FLAG_DRIVER_INTERNAL_ERROR)
        return E_INVALIDARG;
    rt_device_of(self)->exception_mode = flags;
    return S_OK;
}

RT_METHOD(UINT) get_exception_mode(ID3D11Device5 *self)
{
    return rt_device_of(self)->exception_mode;
}

/* ---- Contexts ------------------------------------------------------------------------------------------ */

#define IMMEDIATE(name, I)                                                                                   \
    RT_METHOD(void) name(ID3D11Device5 *self, I **out)                                                       \
    {                                                                                                        \
        *out = rt_object_return(&rt_device_of(self)->immediate->object);                                     \
    }
IMMEDIATE(get_immediate, ID3D11DeviceContext)
IMMEDIATE(get_immediate1, ID3D11DeviceContext1)
IMMEDIATE(get_immediate2, ID3D11DeviceContext2)
IMMEDIATE(get_immediate3, ID3D11DeviceContext3)

static HRESULT create_deferred_context(ID3D11Device5 *self, UINT flags, void **out)
{
    struct rt_device *device = rt_device_of(self);
    struct rt_context *context;
    HRESULT result;
    if (out)
        *out = NULL;
    if (flags)
        return E_INVALIDARG;
    if (device->flags & D3D11_CREATE_DEVICE_SINGLETHREADED)
        return DXGI_ERROR_INVALID_CALL;
    if (!out)
        return S_FALSE;
    result = rt_context_create(device, true, flags, &context);
    if (FAILED(result))
        return result;
    *out = rt_object_return(&context->object);
    rt_object_let_go(&context->object);
    return S_OK;
}

#define DEFERRED(name, I)                                                                                    \
    RT_METHOD(HRESULT) name(ID3D11Device5 *self, UINT flags, I **out)                                        \
    {                                                                                                        \
        return create_deferred_context(self, flags, (void **)out);                                           \
    }
DEFERRED(create_deferred, ID3D11DeviceContext)
DEFERRED(create_deferred1, ID3D11DeviceContext1)
DEFERRED(create_deferred2, ID3D11DeviceContext2)
DEFERRED(create_deferred3, ID3D11DeviceContext3)

/* ---- Counters, of which the device has none ---------------------------------------------------------- */

RT_METHOD(HRESULT) create_counter(ID3D11Device5 *self, const D3D11_COUNTER_DESC *desc, ID3D11Counter **out)
{
    (void)self;
    (void)desc;
    if (out)
        *out = NULL;
    return E_INVALIDARG;
}

RT_METHOD(void) check_counter_info(ID3D11Device5 *self, D3D11_COUNTER_INFO *info)
{
    (void)self;
    memset(info, 0, sizeof(*info));
}

RT_METHOD(HRESULT)
check_counter(ID3D11Device5 *self, const D3D11_COUNTER_DESC *desc, D3D11_COUNTER_TYPE *type, UINT *active,
              LPSTR name, UINT *name_length, LPSTR units, UINT *units_length, LPSTR description,
              UINT *description_length)
{
    (void)self;
    (void)desc;
    (void)type;
    (void)active;
    (void)name;
    (void)name_length;
    (void)units;
    (void)units_length;
    (void)description;
    (void)description_length;
    return E_INVALIDARG;
}

/* ---- Tiles and subresources of processors, which it does not have ------------------------------------ */

RT_METHOD(void)
get_tiling(ID3D11Device5 *self, ID3D11Resource *resource, UINT *tiles, D3D11_PACKED_MIP_DESC *packed,
           D3D11_TILE_SHAPE *shape, UINT *count, UINT first, D3D11_SUBRESOURCE_TILING *tilings)
{
    (void)self;
    (void)resource;
    (void)first;
    if (tiles)
        *tiles = 0;
    if (packed)
        memset(packed, 0, sizeof(*packed));
    if (shape)
        memset(shape, 0, sizeof(*shape));
    if (tilings && count)
        memset(tilings, 0, *count * sizeof(*tilings));
    if (count)
        *count = 0;
}

/* They need a default texture that the processor may map, which cannot be created. */
RT_METHOD(void)
write_to_subresource(ID3D11Device5 *self, ID3D11Resource *resource, UINT subresource, const D3D11_BOX *box,
                     const void *data, UINT row_pitch, UINT depth_pitch)
{
    (void)self;
    (void)resource;
    (void)subresource;
    (void)box;
    (void)data;
    (void)row_pitch;
    (void)depth_pitch;
}

RT_METHOD(void)
read_from_subresource(ID3D11Device5 *self, void *data, UINT row_pitch, UINT depth_pitch,
                      ID3D11Resource *resource, UINT subresource, const D3D11_BOX *box)
{
    (void)self;
    (void)data;
    (void)row_pitch;
    (void)depth_pitch;
    (void)resource;
    (void)subresource;
    (void)box;
}

static const ID3D11Device5Vtbl methods = {
    RT_UNKNOWN_SLOTS(ID3D11Device5),
    RT_PRIVATE_DATA_SLOTS(ID3D11Device5),
    .CreateBuffer = rt_device_create_buffer,
    .CreateTexture1D = rt_device_create_texture1d,
    .CreateTexture2D = rt_device_create_texture2d,
    .CreateTexture3D = rt_device_create_texture3d,
    .CreateShaderResourceView = rt_device_create_srv,
    .CreateUnorderedAccessView = rt_device_create_uav,
    .CreateRenderTargetView = rt_device_create_rtv,
    .CreateDepthStencilView = rt_device_create_dsv,
    .CreateInputLayout = rt_device_create_input_layout,
    .CreateVertexShader = rt_device_create_vs,
    .CreateGeometryShader = rt_device_create_gs,
    .CreateGeometryShaderWithStreamOutput = rt_device_create_gs_with_so,
    .CreatePixelShader = rt_device_create_ps,
    .CreateHullShader = rt_device_create_hs,
    .CreateDomainShader = rt_device_create_ds,
    .CreateComputeShader = rt_device_create_cs,
    .CreateClassLinkage = rt_device_create_class_linkage,
    .CreateBlendState = rt_device_create_blend,
    .CreateDepthStencilState = rt_device_create_depth_stencil,
    .CreateRasterizerState = rt_device_create_rasterizer,
    .CreateSamplerState = rt_device_create_sampler,
    .CreateQuery = rt_device_create_query,
    .CreatePredicate = rt_device_create_predicate,
    .CreateCounter = create_counter,
    .CreateDeferredContext = create_deferred,
    .OpenSharedResource = rt_device_open_number,
    .CheckFormatSupport = rt_device_check_format_support,
    .CheckMultisampleQualityLevels = rt_device_check_sample_levels,
    .CheckCounterInfo = check_counter_info,
    .CheckCounter = check_counter,
    .CheckFeatureSupport = rt_device_check_feature,
    .GetFeatureLevel = get_feature_level,
    .GetCreationFlags = get_creation_flags,
    .GetDeviceRemovedReason = get_removed_reason,
    .GetImmediateContext = get_immediate,
    .SetExceptionMode = set_exception_mode,
    .GetExceptionMode = get_exception_mode,
    .GetImmediateContext1 = get_immediate1,
    .CreateDeferredContext1 = create_deferred1,
    .CreateBlendState1 = rt_device_create_blend1,
    .CreateRasterizerState1 = rt_device_create_rasterizer1,
    .CreateDeviceContextState = rt_device_create_context_state,
    .OpenSharedResource1 = rt_device_open_handle,
    .OpenSharedResourceByName = rt_device_open_name,
    .GetImmediateContext2 = get_immediate2,
    .CreateDeferredContext2 = create_deferred2,
    .GetResourceTiling = get_tiling,
    .CheckMultisampleQualityLevels1 = rt_device_check_sample_levels1,
    .CreateTexture2D1 = rt_device_create_texture2d1,
    .CreateTexture3D1 = rt_device_create_texture3d1,
    .CreateRasterizerState2 = rt_device_create_rasterizer2,
    .CreateShaderResourceView1 = rt_device_create_srv1,
    .CreateUnorderedAccessView1 = rt_device_create_uav1,
    .CreateRenderTargetView1 = rt_device_create_rtv1,
    .CreateQuery1 = rt_device_create_query1,
    .GetImmediateContext3 = get_immediate3,
    .CreateDeferredContext3 = create_deferred3,
    .WriteToSubresource = write_to_subresource,
    .ReadFromSubresource = read_from_subresource,
    .RegisterDeviceRemovedEvent = rt_device_register_removed,
    .UnregisterDeviceRemoved = rt_device_unregister_removed,
    .OpenSharedFence = rt_device_open_fence,
    .CreateFence = rt_device_create_fence,
};

/* ---- The object ---------------------------------------------------------------------------------------- */

/* What the program still had bound ends with the context. */
static void destroy(struct rt_object *object)
{
    struct rt_device *device = (struct rt_device *)object;
    rt_removal_events_forget(device);
    if (device->immediate) {
        rt_bindings_clear(device->immediate->bindings);
        rt_object_let_go(&device->immediate->object);
    }
    rt_object_fini(object);
    umd_destroy_device(device->umd);
    rt_fence_forget_waits(device);
    rt_object_release(&device->adapter->object);
    rt_state_cache_fini(&device->states);
    rt_info_queue_fini(&device->messages);
    rt_mutex_fini(&device->context_mutex);
    free(device);
}

/* Devices that have each other's objects bound would keep each other for ever. */
static void abandon(struct rt_object *object)
{
    struct rt_device *device = (struct rt_device *)object;
    if (device->immediate)
        rt_bindings_clear_foreign(device->immediate->bindings);
}

static bool offers(const struct rt_object *object, REFIID iid)
{
    const struct rt_device *device = (const struct rt_device *)object;
    switch (rt_interface_face(RT_CLASS_DEVICE, iid)) {
    case RT_FACE_INFO_QUEUE:
    case RT_FACE_DEBUG:
        return device->messages.is_on;
    case RT_FACE_D3D10:
        return atomic_load(&device->is_d3d10);
    default:
        return true;
    }
}

static const struct rt_class device_class = {
    .id = RT_CLASS_DEVICE,
    .methods = {&methods, &rt_dxgi_device_methods, &rt_multithread_methods, &rt_info_queue_methods,
                &rt_debug_methods, &rt_d3d10_device_methods},
    .destroy = destroy,
    .offers = offers,
    .abandon = abandon,
};

HRESULT rt_device_create(struct rt_adapter *adapter, D3D_FEATURE_LEVEL level, UINT flags,
                         struct rt_device **out)
{
    struct rt_device *device = calloc(1, sizeof(*device));
    HRESULT result;
    if (!device)
        return E_OUTOFMEMORY;
    result = rt_result(umd_create_device(adapter->umd, &device->umd));
    if (FAILED(result)) {
        free(device);
        return result;
    }
    rt_object_init(&device->object, &device_class, NULL);
    umd_watch_submissions(device->umd, rt_exchange_before_submission, device);
    device->adapter = adapter;
    rt_object_add_ref(&adapter->object);
    device->level = level;
    device->flags = flags;
    device->frame_latency = RT_DEFAULT_FRAME_LATENCY;
    rt_mutex_init(&device->context_mutex);
    rt_state_cache_init(&device->states);
    rt_info_queue_init(&device->messages, (flags & D3D11_CREATE_DEVICE_DEBUG) != 0);
    result = rt_context_create(device, false, 0, &device->immediate);
    if (FAILED(result)) {
        rt_object_release(&device->object);
        return result;
    }
    *out = device;
    return S_OK;
}

struct rt_device *rt_device_from_unknown(IUnknown *unknown)
{
    ID3D11Device5 *face = NULL;
    struct rt_device *device = NULL;
    if (!unknown || FAILED(unknown->lpVtbl->QueryInterface(unknown, &IID_ID3D11Device5, (void **)&face)))
        return NULL;
    if (face->lpVtbl == &methods)
        device = rt_device_of(face);
    face->lpVtbl->Release(face);
    return device;
}
