/* SPDX-License-Identifier: MIT
 *
 * IDXGIDevice to IDXGIDevice3, a face of the device.
 */
#include "guest/d3d11/context.h"

#include <string.h>

#define MOST_PRIORITY 7

static HRESULT parent(struct rt_object *object, REFIID iid, void **out)
{
    return rt_object_query(&((struct rt_device *)object)->adapter->object, iid, out);
}

RT_DXGI_OBJECT_METHODS(IDXGIDevice3, parent)

RT_METHOD(HRESULT) get_adapter(IDXGIDevice3 *self, IDXGIAdapter **out)
{
    if (!out)
        return E_INVALIDARG;
    *out = rt_object_return(&rt_device_of(self)->adapter->object);
    return S_OK;
}

/* Surfaces are made as textures. */
RT_METHOD(HRESULT)
create_surface(IDXGIDevice3 *self, const DXGI_SURFACE_DESC *desc, UINT count, DXGI_USAGE usage,
               const DXGI_SHARED_RESOURCE *shared, IDXGISurface **out)
{
    ID3D11Device *device = (ID3D11Device *)&RT_OBJECT(self)->faces[0];
    D3D11_TEXTURE2D_DESC texture_desc;
    if (!desc || !out || shared)
        return E_INVALIDARG;
    texture_desc = (D3D11_TEXTURE2D_DESC){
        .Width = desc->Width,
        .Height = desc->Height,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = desc->Format,
        .SampleDesc = desc->SampleDesc,
        .BindFlags = (usage & DXGI_USAGE_RENDER_TARGET_OUTPUT ? (UINT)D3D11_BIND_RENDER_TARGET : 0) |
                     (usage & DXGI_USAGE_SHADER_INPUT ? (UINT)D3D11_BIND_SHADER_RESOURCE : 0) |
                     (usage & DXGI_USAGE_UNORDERED_ACCESS ? (UINT)D3D11_BIND_UNORDERED_ACCESS : 0),
    };
    memset(out, 0, count * sizeof(IDXGISurface *));
    for (UINT i = 0; i < count; i++) {
        ID3D11Texture2D *texture;
        HRESULT result = device->lpVtbl->CreateTexture2D(device, &texture_desc, NULL, &texture);
        if (SUCCEEDED(result)) {
            result = texture->lpVtbl->QueryInterface(texture, &IID_IDXGISurface, (void **)&out[i]);
            texture->lpVtbl->Release(texture);
        }
        if (FAILED(result)) {
            while (i-- > 0) {
                out[i]->lpVtbl->Release(out[i]);
                out[i] = NULL;
            }
            return result;
        }
    }
    return S_OK;
}

/* The host keeps everything resident. */
RT_METHOD(HRESULT)
query_residency(IDXGIDevice3 *self, IUnknown *const *resources, DXGI_RESIDENCY *residency, UINT count)
{
    (void)self;
    if (!resources || !residency)
        return E_INVALIDARG;
    for (UINT i = 0; i < count; i++)
        residency[i] = DXGI_RESIDENCY_FULLY_RESIDENT;
    return S_OK;
}

RT_METHOD(HRESULT) set_priority(IDXGIDevice3 *self, INT priority)
{
    if (priority < -MOST_PRIORITY || priority > MOST_PRIORITY)
        return E_INVALIDARG;
    rt_device_of(self)->thread_priority = priority;
    return S_OK;
}

RT_METHOD(HRESULT) get_priority(IDXGIDevice3 *self, INT *priority)
{
    if (!priority)
        return E_POINTER;
    *priority = rt_device_of(self)->thread_priority;
    return S_OK;
}

RT_METHOD(HRESULT) set_latency(IDXGIDevice3 *self, UINT latency)
{
    if (latency > RT_MOST_FRAME_LATENCY)
        return DXGI_ERROR_INVALID_CALL;
    rt_device_of(self)->frame_latency = latency ? latency : RT_DEFAULT_FRAME_LATENCY;
    return S_OK;
}

RT_METHOD(HRESULT) get_latency(IDXGIDevice3 *self, UINT *latency)
{
    if (!latency)
        return DXGI_ERROR_INVALID_CALL;
    *latency = rt_device_of(self)->frame_latency;
    return S_OK;
}

/* Memory that is offered stays, so that all of it can be reclaimed. */
RT_METHOD(HRESULT)
offer(IDXGIDevice3 *self, UINT count, IDXGIResource *const *resources, DXGI_OFFER_RESOURCE_PRIORITY priority)
{
    (void)self;
    return (count && !resources) || priority < DXGI_OFFER_RESOURCE_PRIORITY_LOW ||
                   priority > DXGI_OFFER_RESOURCE_PRIORITY_HIGH
               ? E_INVALIDARG
               : S_OK;
}

RT_METHOD(HRESULT) reclaim(IDXGIDevice3 *self, UINT count, IDXGIResource *const *resources, BOOL *discarded)
{
    (void)self;
    if (count && !resources)
        return E_INVALIDARG;
    for (UINT i = 0; discarded && i < count; i++)
        discarded[i] = FALSE;
    return S_OK;
}

/* As ID3D11DeviceContext3::Flush1() does. */
RT_METHOD(HRESULT) enqueue_event(IDXGIDevice3 *self, HANDLE event)
{
    if (!event)
        return E_INVALIDARG;
    rt_context_flush1(rt_immediate_of(rt_device_of(self)), D3D11_CONTEXT_TYPE_ALL, event);
    return S_OK;
}

RT_METHOD(void) trim(IDXGIDevice3 *self)
{
    (void)self;
}

const IDXGIDevice3Vtbl rt_dxgi_device_methods = {
    RT_DXGI_OBJECT_SLOTS(IDXGIDevice3),
    .GetAdapter = get_adapter,
    .CreateSurface = create_surface,
    .QueryResourceResidency = query_residency,
    .SetGPUThreadPriority = set_priority,
    .GetGPUThreadPriority = get_priority,
    .SetMaximumFrameLatency = set_latency,
    .GetMaximumFrameLatency = get_latency,
    .OfferResources = offer,
    .ReclaimResources = reclaim,
    .EnqueueSetEvent = enqueue_event,
    .Trim = trim,
};
