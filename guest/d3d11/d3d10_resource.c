/* SPDX-License-Identifier: MIT
 *
 * ID3D10Buffer and ID3D10Texture1D to ID3D10Texture3D, which are mapped themselves; and their views.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/resource.h"
#include "guest/d3d11/view.h"

#include <stddef.h>
#include <string.h>

/* ---- Flags that have other numbers --------------------------------------------------------------------- */

static const struct {
    UINT flag, newer;
} misc_flags[] = {
    {D3D10_RESOURCE_MISC_GENERATE_MIPS,     D3D11_RESOURCE_MISC_GENERATE_MIPS    },
    {D3D10_RESOURCE_MISC_SHARED,            D3D11_RESOURCE_MISC_SHARED           },
    {D3D10_RESOURCE_MISC_TEXTURECUBE,       D3D11_RESOURCE_MISC_TEXTURECUBE      },
    {D3D10_RESOURCE_MISC_SHARED_KEYEDMUTEX, D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX},
    {D3D10_RESOURCE_MISC_GDI_COMPATIBLE,    D3D11_RESOURCE_MISC_GDI_COMPATIBLE   },
};

/* False if there are flags that Direct3D 10 does not have. */
static bool newer_misc_flags(UINT flags, UINT *newer)
{
    *newer = 0;
    for (size_t i = 0; i < sizeof(misc_flags) / sizeof(misc_flags[0]); i++) {
        *newer |= flags & misc_flags[i].flag ? misc_flags[i].newer : 0;
        flags &= ~misc_flags[i].flag;
    }
    return flags == 0;
}

/* What a resource of Direct3D 11 has beyond them is not told. */
static UINT older_misc_flags(UINT flags)
{
    UINT older = 0;
    for (size_t i = 0; i < sizeof(misc_flags) / sizeof(misc_flags[0]); i++)
        older |= flags & misc_flags[i].newer ? misc_flags[i].flag : 0;
    return older;
}

bool rt_d3d10_has_resource(const struct rt_resource *resource)
{
    const UINT newer = D3D11_RESOURCE_MISC_BUFFER_STRUCTURED | D3D11_RESOURCE_MISC_RESOURCE_CLAMP;
    return !(resource->misc_flags & newer);
}

#define KNOWN_BINDS                                                                                          \
    ((UINT)D3D10_BIND_VERTEX_BUFFER | D3D10_BIND_INDEX_BUFFER | D3D10_BIND_CONSTANT_BUFFER |                 \
     D3D10_BIND_SHADER_RESOURCE | D3D10_BIND_STREAM_OUTPUT | D3D10_BIND_RENDER_TARGET |                      \
     D3D10_BIND_DEPTH_STENCIL)

/* ---- Methods ------------------------------------------------------------------------------------------- */

#define RESOURCE_METHODS(I)                                                                                  \
    RT_D3D10_CHILD_METHODS(I)                                                                                \
    RT_METHOD(void) I##_get_type(I *self, D3D10_RESOURCE_DIMENSION *dimension)                               \
    {                                                                                                        \
        *dimension = (D3D10_RESOURCE_DIMENSION)rt_resource_of(self)->dimension;                              \
    }                                                                                                        \
    RT_METHOD(void) I##_set_priority(I *self, UINT priority)                                                 \
    {                                                                                                        \
        rt_resource_of(self)->eviction_priority = priority;                                                  \
    }                                                                                                        \
    RT_METHOD(UINT) I##_get_priority(I *self)                                                                \
    {                                                                                                        \
        return rt_resource_of(self)->eviction_priority;                                                      \
    }
#define RESOURCE_SLOTS(I)                                                                                    \
    RT_D3D10_CHILD_SLOTS(I), .GetType = I##_get_type, .SetEvictionPriority = I##_set_priority,               \
                             .GetEvictionPriority = I##_get_priority

RESOURCE_METHODS(ID3D10Buffer)
RESOURCE_METHODS(ID3D10Texture1D)
RESOURCE_METHODS(ID3D10Texture2D)
RESOURCE_METHODS(ID3D10Texture3D)

static HRESULT map(void *self, UINT subresource, D3D10_MAP type, UINT flags, D3D11_MAPPED_SUBRESOURCE *mapped)
{
    struct rt_resource *resource = rt_resource_of(self);
    struct rt_context *context = rt_enter(rt_immediate_of(resource->object.device));
    const HRESULT result =
        rt_context_map_resource(context, resource, subresource, (D3D11_MAP)type, flags, mapped);
    rt_leave(context);
    return result;
}

static void unmap(void *self, UINT subresource)
{
    struct rt_resource *resource = rt_resource_of(self);
    struct rt_context *context = rt_enter(rt_immediate_of(resource->object.device));
    rt_context_unmap_resource(context, resource, subresource);
    rt_leave(context);
}

/* What is mapped as a pointer alone. */
static HRESULT map_bytes(void *self, UINT subresource, D3D10_MAP type, UINT flags, void **data)
{
    D3D11_MAPPED_SUBRESOURCE mapped;
    HRESULT result;
    if (!data)
        return E_INVALIDARG;
    result = map(self, subresource, type, flags, &mapped);
    if (SUCCEEDED(result))
        *data = mapped.pData;
    return result;
}

RT_METHOD(HRESULT) map_buffer(ID3D10Buffer *self, D3D10_MAP type, UINT flags, void **data)
{
    return map_bytes(self, 0, type, flags, data);
}

RT_METHOD(void) unmap_buffer(ID3D10Buffer *self)
{
    unmap(self, 0);
}

RT_METHOD(HRESULT)
map_1d(ID3D10Texture1D *self, UINT subresource, D3D10_MAP type, UINT flags, void **data)
{
    return map_bytes(self, subresource, type, flags, data);
}

RT_METHOD(void) unmap_1d(ID3D10Texture1D *self, UINT subresource)
{
    unmap(self, subresource);
}

RT_METHOD(HRESULT)
map_2d(ID3D10Texture2D *self, UINT subresource, D3D10_MAP type, UINT flags, D3D10_MAPPED_TEXTURE2D *out)
{
    D3D11_MAPPED_SUBRESOURCE mapped;
    HRESULT result;
    if (!out)
        return E_INVALIDARG;
    result = map(self, subresource, type, flags, &mapped);
    if (SUCCEEDED(result))
        *out = (D3D10_MAPPED_TEXTURE2D){mapped.pData, mapped.RowPitch};
    return result;
}

RT_METHOD(void) unmap_2d(ID3D10Texture2D *self, UINT subresource)
{
    unmap(self, subresource);
}

RT_METHOD(HRESULT)
map_3d(ID3D10Texture3D *self, UINT subresource, D3D10_MAP type, UINT flags, D3D10_MAPPED_TEXTURE3D *out)
{
    D3D11_MAPPED_SUBRESOURCE mapped;
    HRESULT result;
    if (!out)
        return E_INVALIDARG;
    result = map(self, subresource, type, flags, &mapped);
    if (SUCCEEDED(result))
        *out = (D3D10_MAPPED_TEXTURE3D){mapped.pData, mapped.RowPitch, mapped.DepthPitch};
    return result;
}

RT_METHOD(void) unmap_3d(ID3D10Texture3D *self, UINT subresource)
{
    unmap(self, subresource);
}

/* ---- Descriptions -------------------------------------------------------------------------------------- */

RT_METHOD(void) desc_of_buffer(ID3D10Buffer *self, D3D10_BUFFER_DESC *desc)
{
    const struct rt_resource *r = rt_resource_of(self);
    *desc = (D3D10_BUFFER_DESC){r->width, (D3D10_USAGE)r->usage, r->bind_flags, 0, 0};
    desc->CPUAccessFlags = r->cpu_access;
    desc->MiscFlags = older_misc_flags(r->misc_flags);
}

RT_METHOD(void) desc_of_1d(ID3D10Texture1D *self, D3D10_TEXTURE1D_DESC *desc)
{
    const struct rt_resource *r = rt_resource_of(self);
    *desc = (D3D10_TEXTURE1D_DESC){
        .Width = r->width,
        .MipLevels = r->mips,
        .ArraySize = r->layers,
        .Format = r->format,
        .Usage = (D3D10_USAGE)r->usage,
        .BindFlags = r->bind_flags,
        .CPUAccessFlags = r->cpu_access,
        .MiscFlags = older_misc_flags(r->misc_flags),
    };
}

RT_METHOD(void) desc_of_2d(ID3D10Texture2D *self, D3D10_TEXTURE2D_DESC *desc)
{
    const struct rt_resource *r = rt_resource_of(self);
    *desc = (D3D10_TEXTURE2D_DESC){
        .Width = r->width,
        .Height = r->height,
        .MipLevels = r->mips,
        .ArraySize = r->layers,
        .Format = r->format,
        .SampleDesc = r->samples,
        .Usage = (D3D10_USAGE)r->usage,
        .BindFlags = r->bind_flags,
        .CPUAccessFlags = r->cpu_access,
        .MiscFlags = older_misc_flags(r->misc_flags),
    };
}

RT_METHOD(void) desc_of_3d(ID3D10Texture3D *self, D3D10_TEXTURE3D_DESC *desc)
{
    const struct rt_resource *r = rt_resource_of(self);
    *desc = (D3D10_TEXTURE3D_DESC){
        .Width = r->width,
        .Height = r->height,
        .Depth = r->depth,
        .MipLevels = r->mips,
        .Format = r->format,
        .Usage = (D3D10_USAGE)r->usage,
        .BindFlags = r->bind_flags,
        .CPUAccessFlags = r->cpu_access,
        .MiscFlags = older_misc_flags(r->misc_flags),
    };
}

const ID3D10BufferVtbl rt_d3d10_buffer_methods = {
    RESOURCE_SLOTS(ID3D10Buffer),
    .Map = map_buffer,
    .Unmap = unmap_buffer,
    .GetDesc = desc_of_buffer,
};

const ID3D10Texture1DVtbl rt_d3d10_texture1d_methods = {
    RESOURCE_SLOTS(ID3D10Texture1D),
    .Map = map_1d,
    .Unmap = unmap_1d,
    .GetDesc = desc_of_1d,
};

const ID3D10Texture2DVtbl rt_d3d10_texture2d_methods = {
    RESOURCE_SLOTS(ID3D10Texture2D),
    .Map = map_2d,
    .Unmap = unmap_2d,
    .GetDesc = desc_of_2d,
};

const ID3D10Texture3DVtbl rt_d3d10_texture3d_methods = {
    RESOURCE_SLOTS(ID3D10Texture3D),
    .Map = map_3d,
    .Unmap = unmap_3d,
    .GetDesc = desc_of_3d,
};

/* ---- Creation ------------------------------------------------------------------------------------------ */

_Static_assert(sizeof(D3D10_SUBRESOURCE_DATA) == sizeof(D3D11_SUBRESOURCE_DATA) &&
                   sizeof(D3D10_TEXTURE1D_DESC) == sizeof(D3D11_TEXTURE1D_DESC) &&
                   sizeof(D3D10_TEXTURE2D_DESC) == sizeof(D3D11_TEXTURE2D_DESC) &&
                   sizeof(D3D10_TEXTURE3D_DESC) == sizeof(D3D11_TEXTURE3D_DESC) &&
                   offsetof(D3D10_TEXTURE3D_DESC, MiscFlags) == offsetof(D3D11_TEXTURE3D_DESC, MiscFlags),
               "descriptions are those of Direct3D 11");

HRESULT STDMETHODCALLTYPE rt_d3d10_create_buffer(ID3D10Device1 *self, const D3D10_BUFFER_DESC *desc,
                                                 const D3D10_SUBRESOURCE_DATA *data, ID3D10Buffer **out)
{
    D3D11_BUFFER_DESC newer;
    if (out)
        *out = NULL;
    if (!desc || (desc->BindFlags & ~KNOWN_BINDS))
        return E_INVALIDARG;
    newer = (D3D11_BUFFER_DESC){desc->ByteWidth, (D3D11_USAGE)desc->Usage, desc->BindFlags, 0, 0, 0};
    newer.CPUAccessFlags = desc->CPUAccessFlags;
    if (!newer_misc_flags(desc->MiscFlags, &newer.MiscFlags))
        return E_INVALIDARG;
    return rt_d3d10_made(rt_device_create_buffer(rt_d3d10_device(self), &newer,
                                                 (const D3D11_SUBRESOURCE_DATA *)data, (ID3D11Buffer **)out),
                         out);
}

#define CREATE_TEXTURE(name, create, older, newer_desc, I10, I11)                                            \
    HRESULT STDMETHODCALLTYPE name(ID3D10Device1 *self, const older *desc,                                   \
                                   const D3D10_SUBRESOURCE_DATA *data, I10 **out)                            \
    {                                                                                                        \
        newer_desc newer;                                                                                    \
        if (out)                                                                                             \
            *out = NULL;                                                                                     \
        if (!desc || (desc->BindFlags & ~KNOWN_BINDS))                                                       \
            return E_INVALIDARG;                                                                             \
        memcpy(&newer, desc, sizeof(newer));                                                                 \
        if (!newer_misc_flags(desc->MiscFlags, &newer.MiscFlags))                                            \
            return E_INVALIDARG;                                                                             \
        return rt_d3d10_made(                                                                                \
            create(rt_d3d10_device(self), &newer, (const D3D11_SUBRESOURCE_DATA *)data, (I11 **)out), out);  \
    }

CREATE_TEXTURE(rt_d3d10_create_texture1d, rt_device_create_texture1d, D3D10_TEXTURE1D_DESC,
               D3D11_TEXTURE1D_DESC, ID3D10Texture1D, ID3D11Texture1D)
CREATE_TEXTURE(rt_d3d10_create_texture2d, rt_device_create_texture2d, D3D10_TEXTURE2D_DESC,
               D3D11_TEXTURE2D_DESC, ID3D10Texture2D, ID3D11Texture2D)
CREATE_TEXTURE(rt_d3d10_create_texture3d, rt_device_create_texture3d, D3D10_TEXTURE3D_DESC,
               D3D11_TEXTURE3D_DESC, ID3D10Texture3D, ID3D11Texture3D)

/* ---- Views --------------------------------------------------------------------------------------------- */

/* Dimensions have the same numbers, and each has the same structure. A view of depth has flags since Direct3D
 * 11, and raw buffers are of Direct3D 11. */
_Static_assert(sizeof(D3D10_SHADER_RESOURCE_VIEW_DESC1) == sizeof(D3D11_SHADER_RESOURCE_VIEW_DESC) &&
                   sizeof(D3D10_RENDER_TARGET_VIEW_DESC) == sizeof(D3D11_RENDER_TARGET_VIEW_DESC) &&
                   sizeof(D3D10_SHADER_RESOURCE_VIEW_DESC) <= sizeof(D3D11_SHADER_RESOURCE_VIEW_DESC),
               "views are described as in Direct3D 11");

#define VIEW_METHODS(I)                                                                                      \
    RT_D3D10_CHILD_METHODS(I)                                                                                \
    RT_METHOD(void) I##_get_resource(I *self, ID3D10Resource **out)                                          \
    {                                                                                                        \
        *out = rt_d3d10_face(rt_object_return(&rt_view_of(self)->resource->object));                         \
    }
#define VIEW_SLOTS(I) RT_D3D10_CHILD_SLOTS(I), .GetResource = I##_get_resource

/* The description of the first face. */
#define FIND_DESC(self, I11, desc)                                                                           \
    do {                                                                                                     \
        I11 *first = (I11 *)(void *)&RT_OBJECT(self)->faces[0];                                              \
        first->lpVtbl->GetDesc(first, desc);                                                                 \
    } while (0)

VIEW_METHODS(ID3D10ShaderResourceView1)
VIEW_METHODS(ID3D10RenderTargetView)
VIEW_METHODS(ID3D10DepthStencilView)

RT_METHOD(void) desc1_of_srv(ID3D10ShaderResourceView1 *self, D3D10_SHADER_RESOURCE_VIEW_DESC1 *desc)
{
    D3D11_SHADER_RESOURCE_VIEW_DESC found;
    FIND_DESC(self, ID3D11ShaderResourceView, &found);
    memcpy(desc, &found, sizeof(*desc));
}

/* Direct3D 10.0 has no arrays of cubes: a view of one is described as an array of its faces. */
RT_METHOD(void) desc_of_srv(ID3D10ShaderResourceView1 *self, D3D10_SHADER_RESOURCE_VIEW_DESC *desc)
{
    D3D11_SHADER_RESOURCE_VIEW_DESC found;
    FIND_DESC(self, ID3D11ShaderResourceView, &found);
    if (found.ViewDimension == D3D11_SRV_DIMENSION_TEXTURECUBEARRAY) {
        const D3D11_TEXCUBE_ARRAY_SRV cubes = found.TextureCubeArray;
        found.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2DARRAY;
        found.Texture2DArray = (D3D11_TEX2D_ARRAY_SRV){
            cubes.MostDetailedMip, cubes.MipLevels, cubes.First2DArrayFace, cubes.NumCubes * RT_CUBE_FACES};
    }
    memcpy(desc, &found, sizeof(*desc));
}

RT_METHOD(void) desc_of_rtv(ID3D10RenderTargetView *self, D3D10_RENDER_TARGET_VIEW_DESC *desc)
{
    D3D11_RENDER_TARGET_VIEW_DESC found;
    FIND_DESC(self, ID3D11RenderTargetView, &found);
    memcpy(desc, &found, sizeof(*desc));
}

RT_METHOD(void) desc_of_dsv(ID3D10DepthStencilView *self, D3D10_DEPTH_STENCIL_VIEW_DESC *desc)
{
    D3D11_DEPTH_STENCIL_VIEW_DESC found;
    FIND_DESC(self, ID3D11DepthStencilView, &found);
    desc->Format = found.Format;
    desc->ViewDimension = (D3D10_DSV_DIMENSION)found.ViewDimension;
    memcpy(&desc->Texture2DArray, &found.Texture2DArray, sizeof(desc->Texture2DArray));
}

const ID3D10ShaderResourceView1Vtbl rt_d3d10_srv_methods = {
    VIEW_SLOTS(ID3D10ShaderResourceView1),
    .GetDesc = desc_of_srv,
    .GetDesc1 = desc1_of_srv,
};

const ID3D10RenderTargetViewVtbl rt_d3d10_rtv_methods = {
    VIEW_SLOTS(ID3D10RenderTargetView),
    .GetDesc = desc_of_rtv,
};

const ID3D10DepthStencilViewVtbl rt_d3d10_dsv_methods = {
    VIEW_SLOTS(ID3D10DepthStencilView),
    .GetDesc = desc_of_dsv,
};

static HRESULT create_srv(ID3D10Device1 *self, ID3D10Resource *resource,
                          const D3D11_SHADER_RESOURCE_VIEW_DESC *desc, D3D11_SRV_DIMENSION most, void **out)
{
    if (out)
        *out = NULL;
    if (desc && desc->ViewDimension > most)
        return E_INVALIDARG;
    return rt_d3d10_made(rt_device_create_srv(rt_d3d10_device(self), (ID3D11Resource *)resource, desc,
                                              (ID3D11ShaderResourceView **)out),
                         out);
}

HRESULT STDMETHODCALLTYPE rt_d3d10_create_srv(ID3D10Device1 *self, ID3D10Resource *resource,
                                              const D3D10_SHADER_RESOURCE_VIEW_DESC *desc,
                                              ID3D10ShaderResourceView **out)
{
    D3D11_SHADER_RESOURCE_VIEW_DESC newer;
    memset(&newer, 0, sizeof(newer));
    if (desc)
        memcpy(&newer, desc, sizeof(*desc));
    return create_srv(self, resource, desc ? &newer : NULL, D3D11_SRV_DIMENSION_TEXTURECUBE, (void **)out);
}

HRESULT STDMETHODCALLTYPE rt_d3d10_create_srv1(ID3D10Device1 *self, ID3D10Resource *resource,
                                               const D3D10_SHADER_RESOURCE_VIEW_DESC1 *desc,
                                               ID3D10ShaderResourceView1 **out)
{
    D3D11_SHADER_RESOURCE_VIEW_DESC newer;
    if (desc)
        memcpy(&newer, desc, sizeof(newer));
    return create_srv(self, resource, desc ? &newer : NULL, D3D11_SRV_DIMENSION_TEXTURECUBEARRAY,
                      (void **)out);
}

HRESULT STDMETHODCALLTYPE rt_d3d10_create_rtv(ID3D10Device1 *self, ID3D10Resource *resource,
                                              const D3D10_RENDER_TARGET_VIEW_DESC *desc,
                                              ID3D10RenderTargetView **out)
{
    D3D11_RENDER_TARGET_VIEW_DESC newer;
    if (desc)
        memcpy(&newer, desc, sizeof(newer));
    return rt_d3d10_made(rt_device_create_rtv(rt_d3d10_device(self), (ID3D11Resource *)resource,
                                              desc ? &newer : NULL, (ID3D11RenderTargetView **)out),
                         out);
}

HRESULT STDMETHODCALLTYPE rt_d3d10_create_dsv(ID3D10Device1 *self, ID3D10Resource *resource,
                                              const D3D10_DEPTH_STENCIL_VIEW_DESC *desc,
                                              ID3D10DepthStencilView **out)
{
    D3D11_DEPTH_STENCIL_VIEW_DESC newer;
    memset(&newer, 0, sizeof(newer));
    if (desc) {
        newer.Format = desc->Format;
        newer.ViewDimension = (D3D11_DSV_DIMENSION)desc->ViewDimension;
        memcpy(&newer.Texture2DArray, &desc->Texture2DArray, sizeof(newer.Texture2DArray));
    }
    return rt_d3d10_made(rt_device_create_dsv(rt_d3d10_device(self), (ID3D11Resource *)resource,
                                              desc ? &newer : NULL, (ID3D11DepthStencilView **)out),
                         out);
}
