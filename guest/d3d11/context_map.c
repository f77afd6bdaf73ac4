/* SPDX-License-Identifier: MIT
 *
 * Map and Unmap.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/resource.h"

/* What a usage and its CPU access allow. */
static bool is_type_allowed(const struct rt_resource *resource, D3D11_MAP type)
{
    const UINT cpu = resource->cpu_access;
    switch (type) {
    case D3D11_MAP_READ:
        return (cpu & D3D11_CPU_ACCESS_READ) != 0;
    case D3D11_MAP_WRITE:
        return (cpu & D3D11_CPU_ACCESS_WRITE) && resource->usage != D3D11_USAGE_DYNAMIC;
    case D3D11_MAP_READ_WRITE:
        return (cpu & RT_CPU_ACCESS) == RT_CPU_ACCESS;
    case D3D11_MAP_WRITE_DISCARD:
        return resource->usage == D3D11_USAGE_DYNAMIC;
    case D3D11_MAP_WRITE_NO_OVERWRITE:
        return resource->usage == D3D11_USAGE_DYNAMIC &&
               resource->dimension == D3D11_RESOURCE_DIMENSION_BUFFER;
    default:
        return false;
    }
}

/* Contents of what a deferred context maps begin with WRITE_DISCARD in each list. */
static bool is_deferred_type_allowed(struct rt_context *context, struct rt_resource *resource, D3D11_MAP type)
{
    return type == D3D11_MAP_WRITE_DISCARD ||
           (type == D3D11_MAP_WRITE_NO_OVERWRITE && rt_uses_have(&context->discarded, &resource->object));
}

HRESULT rt_context_map_resource(struct rt_context *context, struct rt_resource *resource, UINT subresource,
                                D3D11_MAP type, UINT flags, D3D11_MAPPED_SUBRESOURCE *mapped)
{
    struct umd_mapped_subresource got = {0};
    HRESULT result;
    if (mapped)
        mapped->pData = NULL;
    if (!resource || !mapped || subresource >= rt_resource_subresources(resource) ||
        (flags & ~(UINT)D3D11_MAP_FLAG_DO_NOT_WAIT) || !is_type_allowed(resource, type))
        return E_INVALIDARG;
    /* What never waits has no such flag. */
    if (flags && (type == D3D11_MAP_WRITE_DISCARD || type == D3D11_MAP_WRITE_NO_OVERWRITE))
        return E_INVALIDARG;
    if (context->is_deferred && !is_deferred_type_allowed(context, resource, type))
        return type == D3D11_MAP_WRITE_NO_OVERWRITE ? D3D11_ERROR_DEFERRED_CONTEXT_MAP_WITHOUT_INITIAL_DISCARD
                                                    : E_INVALIDARG;
    if (!context->is_deferred && resource->mapped[subresource])
        return E_INVALIDARG;
    rt_context_use(context, &resource->object);
    result = rt_result(
        umd_resource_map(context->umd, resource->umd, subresource, (enum umd_map)type, flags, &got));
    if (FAILED(result))
        return result;
    *mapped = (D3D11_MAPPED_SUBRESOURCE){got.data, got.row_pitch, got.depth_pitch};
    if (!context->is_deferred)
        resource->mapped[subresource] = (uint8_t)type;
    else if (type == D3D11_MAP_WRITE_DISCARD && !rt_uses_have(&context->discarded, &resource->object) &&
             !rt_uses_add(&context->discarded, context->object.device, &resource->object))
        context->is_out_of_memory = true;
    return S_OK;
}

void rt_context_unmap_resource(struct rt_context *context, struct rt_resource *resource, UINT subresource)
{
    if (!resource || !resource->mapped || subresource >= rt_resource_subresources(resource))
        return;
    if (!context->is_deferred) {
        if (!resource->mapped[subresource])
            return;
        resource->mapped[subresource] = 0;
    }
    umd_resource_unmap(context->umd, resource->umd, subresource);
}

HRESULT STDMETHODCALLTYPE rt_context_map(ID3D11DeviceContext4 *self, ID3D11Resource *resource,
                                         UINT subresource, D3D11_MAP type, UINT flags,
                                         D3D11_MAPPED_SUBRESOURCE *mapped)
{
    struct rt_context *context = rt_enter(self);
    struct rt_resource *own = rt_own_resource(context, resource);
    const HRESULT result = rt_context_map_resource(context, own, subresource, type, flags, mapped);
    rt_leave(context);
    return result;
}

void STDMETHODCALLTYPE rt_context_unmap(ID3D11DeviceContext4 *self, ID3D11Resource *resource,
                                        UINT subresource)
{
    struct rt_context *context = rt_enter(self);
    rt_context_unmap_resource(context, rt_own_resource(context, resource), subresource);
    rt_leave(context);
}
