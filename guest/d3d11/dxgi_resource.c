/* SPDX-License-Identifier: MIT
 *
 * DXGI's faces of resources: IDXGIResource1, IDXGISurface2, IDXGIKeyedMutex.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/gdi_surface.h"
#include "guest/d3d11/share.h"

static HRESULT parent(struct rt_object *object, REFIID iid, void **out)
{
    return rt_object_query_device(object, iid, out);
}

/* ---- IDXGIResource1 ------------------------------------------------------------------------------------ */

RT_DXGI_CHILD_METHODS(IDXGIResource1, parent)

RT_METHOD(HRESULT) get_shared_handle(IDXGIResource1 *self, HANDLE *handle)
{
    return rt_share_number(rt_resource_of(self), handle);
}

RT_METHOD(HRESULT)
create_shared_handle(IDXGIResource1 *self, const SECURITY_ATTRIBUTES *attributes, DWORD access,
                     const WCHAR *name, HANDLE *handle)
{
    return rt_share_handle(rt_resource_of(self), attributes, access, name, handle);
}

RT_METHOD(HRESULT) get_usage(IDXGIResource1 *self, DXGI_USAGE *usage)
{
    const struct rt_resource *resource = rt_resource_of(self);
    if (!usage)
        return DXGI_ERROR_INVALID_CALL;
    *usage = resource->usage_of_dxgi |
             (resource->bind_flags & D3D11_BIND_SHADER_RESOURCE ? DXGI_USAGE_SHADER_INPUT : 0) |
             (resource->bind_flags & D3D11_BIND_RENDER_TARGET ? DXGI_USAGE_RENDER_TARGET_OUTPUT : 0) |
             (resource->bind_flags & D3D11_BIND_UNORDERED_ACCESS ? DXGI_USAGE_UNORDERED_ACCESS : 0);
    return S_OK;
}

RT_METHOD(HRESULT) set_priority(IDXGIResource1 *self, UINT priority)
{
    rt_resource_of(self)->eviction_priority = priority;
    return S_OK;
}

RT_METHOD(HRESULT) get_priority(IDXGIResource1 *self, UINT *priority)
{
    if (!priority)
        return E_INVALIDARG;
    *priority = rt_resource_of(self)->eviction_priority;
    return S_OK;
}

RT_METHOD(HRESULT) create_subresource_surface(IDXGIResource1 *self, UINT index, IDXGISurface2 **out)
{
    struct rt_object *object = RT_OBJECT(self);
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (index >= rt_resource_subresources(rt_resource_of(self)))
        return E_INVALIDARG;
    /* A surface is a face of a texture of one subresource. */
    return FAILED(rt_object_query(object, &IID_IDXGISurface2, (void **)out)) ? DXGI_ERROR_UNSUPPORTED : S_OK;
}

const IDXGIResource1Vtbl rt_dxgi_resource_methods = {
    RT_DXGI_CHILD_SLOTS(IDXGIResource1),
    .GetSharedHandle = get_shared_handle,
    .GetUsage = get_usage,
    .SetEvictionPriority = set_priority,
    .GetEvictionPriority = get_priority,
    .CreateSubresourceSurface = create_subresource_surface,
    .CreateSharedHandle = create_shared_handle,
};

/* ---- IDXGISurface2 ------------------------------------------------------------------------------------- */

RT_DXGI_CHILD_METHODS(IDXGISurface2, parent)

RT_METHOD(HRESULT) get_desc(IDXGISurface2 *self, DXGI_SURFACE_DESC *desc)
{
    const struct rt_resource *texture = rt_resource_of(self);
    if (!desc)
        return E_INVALIDARG;
    *desc = (DXGI_SURFACE_DESC){texture->width, texture->height, texture->format, texture->samples};
    return S_OK;
}

static bool map_type_of(UINT flags, D3D11_MAP *type)
{
    switch (flags) {
    case DXGI_MAP_READ:
        *type = D3D11_MAP_READ;
        return true;
    case DXGI_MAP_WRITE:
        *type = D3D11_MAP_WRITE;
        return true;
    case DXGI_MAP_READ | DXGI_MAP_WRITE:
        *type = D3D11_MAP_READ_WRITE;
        return true;
    case DXGI_MAP_WRITE | DXGI_MAP_DISCARD:
        *type = D3D11_MAP_WRITE_DISCARD;
        return true;
    default:
        return false;
    }
}

RT_METHOD(HRESULT) map_surface(IDXGISurface2 *self, DXGI_MAPPED_RECT *rect, UINT flags)
{
    struct rt_resource *texture = rt_resource_of(self);
    D3D11_MAPPED_SUBRESOURCE mapped;
    struct rt_context *context;
    D3D11_MAP type;
    HRESULT result;
    if (!rect || !map_type_of(flags, &type))
        return E_INVALIDARG;
    context = rt_enter(rt_immediate_of(texture->object.device));
    result = rt_context_map_resource(context, texture, 0, type, 0, &mapped);
    rt_leave(context);
    if (SUCCEEDED(result))
        *rect = (DXGI_MAPPED_RECT){(INT)mapped.RowPitch, mapped.pData};
    return result;
}

RT_METHOD(HRESULT) unmap_surface(IDXGISurface2 *self)
{
    struct rt_resource *texture = rt_resource_of(self);
    struct rt_context *context;
    if (!texture->mapped || !texture->mapped[0])
        return DXGI_ERROR_INVALID_CALL;
    context = rt_enter(rt_immediate_of(texture->object.device));
    rt_context_unmap_resource(context, texture, 0);
    rt_leave(context);
    return S_OK;
}

RT_METHOD(HRESULT) get_dc(IDXGISurface2 *self, BOOL discard, HDC *dc)
{
    return dc ? rt_gdi_surface_begin(rt_resource_of(self), discard, dc) : E_INVALIDARG;
}

RT_METHOD(HRESULT) release_dc(IDXGISurface2 *self, RECT *dirty)
{
    return rt_gdi_surface_end(rt_resource_of(self), dirty);
}

RT_METHOD(HRESULT) get_resource(IDXGISurface2 *self, REFIID iid, void **out, UINT *subresource)
{
    if (!out || !subresource)
        return E_INVALIDARG;
    *subresource = 0;
    return rt_object_query(RT_OBJECT(self), iid, out);
}

const IDXGISurface2Vtbl rt_dxgi_surface_methods = {
    RT_DXGI_CHILD_SLOTS(IDXGISurface2),
    .GetDesc = get_desc,
    .Map = map_surface,
    .Unmap = unmap_surface,
    .GetDC = get_dc,
    .ReleaseDC = release_dc,
    .GetResource = get_resource,
};

/* ---- IDXGIKeyedMutex ----------------------------------------------------------------------------------- */

RT_DXGI_CHILD_METHODS(IDXGIKeyedMutex, parent)

RT_METHOD(HRESULT) acquire(IDXGIKeyedMutex *self, UINT64 key, DWORD milliseconds)
{
    return rt_share_acquire(rt_resource_of(self), key, milliseconds);
}

RT_METHOD(HRESULT) release(IDXGIKeyedMutex *self, UINT64 key)
{
    return rt_share_release(rt_resource_of(self), key);
}

const IDXGIKeyedMutexVtbl rt_dxgi_mutex_methods = {
    RT_DXGI_CHILD_SLOTS(IDXGIKeyedMutex),
    .AcquireSync = acquire,
    .ReleaseSync = release,
};
