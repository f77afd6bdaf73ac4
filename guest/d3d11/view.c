/* SPDX-License-Identifier: MIT
 *
 * The four kinds of views: their descriptions, their methods, their creation.
 */
#include "guest/d3d11/view.h"

#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/format.h"

#include <stdlib.h>
#include <string.h>

/* The newer descriptions begin like the older ones and have a plane at the end of each case; one is made of
 * the other by its bytes. */
_Static_assert(sizeof(D3D11_SHADER_RESOURCE_VIEW_DESC) <= sizeof(D3D11_SHADER_RESOURCE_VIEW_DESC1),
               "the newer description contains the older one");

/* ---- Shader resource views ----------------------------------------------------------------------------- */

static bool shape_of_srv(const D3D11_SHADER_RESOURCE_VIEW_DESC1 *d, struct umd_view_desc *s)
{
    s->dimension = d->ViewDimension;
    s->format = d->Format;
    switch (d->ViewDimension) {
    case D3D11_SRV_DIMENSION_BUFFER:
        s->first_element = d->Buffer.FirstElement;
        s->element_count = d->Buffer.NumElements;
        return true;
    case D3D11_SRV_DIMENSION_BUFFEREX:
        s->dimension = AEROGPU_EXT_DIMENSION_BUFFER;
        s->first_element = d->BufferEx.FirstElement;
        s->element_count = d->BufferEx.NumElements;
        s->flags = d->BufferEx.Flags & D3D11_BUFFEREX_SRV_FLAG_RAW ? AEROGPU_EXT_VIEW_FLAG_RAW : 0;
        return !(d->BufferEx.Flags & ~(UINT)D3D11_BUFFEREX_SRV_FLAG_RAW);
    case D3D11_SRV_DIMENSION_TEXTURE1DARRAY:
        s->base_array_layer = d->Texture1DArray.FirstArraySlice;
        s->array_layer_count = d->Texture1DArray.ArraySize;
        break;
    case D3D11_SRV_DIMENSION_TEXTURE2DARRAY:
        s->base_array_layer = d->Texture2DArray.FirstArraySlice;
        s->array_layer_count = d->Texture2DArray.ArraySize;
        break;
    case D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY:
        s->base_array_layer = d->Texture2DMSArray.FirstArraySlice;
        s->array_layer_count = d->Texture2DMSArray.ArraySize;
        return true;
    case D3D11_SRV_DIMENSION_TEXTURECUBEARRAY:
        s->base_array_layer = d->TextureCubeArray.First2DArrayFace;
        if (d->TextureCubeArray.NumCubes != AEROGPU_EXT_ALL && d->TextureCubeArray.NumCubes > UINT16_MAX)
            return false;
        s->array_layer_count = d->TextureCubeArray.NumCubes == AEROGPU_EXT_ALL
                                   ? AEROGPU_EXT_ALL
                                   : d->TextureCubeArray.NumCubes * RT_CUBE_FACES;
        break;
    default:
        break;
    }
    /* All other cases begin with mips. */
    s->base_mip_level = d->Texture2D.MostDetailedMip;
    s->mip_level_count = d->Texture2D.MipLevels;
    return d->ViewDimension > D3D11_SRV_DIMENSION_BUFFER &&
           d->ViewDimension <= D3D11_SRV_DIMENSION_TEXTURECUBEARRAY;
}

static UINT plane_of_srv(const D3D11_SHADER_RESOURCE_VIEW_DESC1 *d)
{
    return d->ViewDimension == D3D11_SRV_DIMENSION_TEXTURE2D        ? d->Texture2D.PlaneSlice
           : d->ViewDimension == D3D11_SRV_DIMENSION_TEXTURE2DARRAY ? d->Texture2DArray.PlaneSlice
                                                                    : 0;
}

static void describe_srv(const struct rt_view *view, D3D11_SHADER_RESOURCE_VIEW_DESC1 *d)
{
    const struct umd_view_desc *s = &view->shape;
    memset(d, 0, sizeof(*d));
    d->Format = (DXGI_FORMAT)s->format;
    d->ViewDimension = (D3D11_SRV_DIMENSION)s->dimension;
    switch (s->dimension) {
    case AEROGPU_EXT_DIMENSION_BUFFER:
        if (view->is_extended_buffer) {
            d->ViewDimension = D3D11_SRV_DIMENSION_BUFFEREX;
            d->BufferEx.Flags = s->flags & AEROGPU_EXT_VIEW_FLAG_RAW ? D3D11_BUFFEREX_SRV_FLAG_RAW : 0;
        }
        d->BufferEx.FirstElement = s->first_element;
        d->BufferEx.NumElements = s->element_count;
        return;
    case AEROGPU_EXT_DIMENSION_TEXTURE2DMS:
        return;
    case AEROGPU_EXT_DIMENSION_TEXTURE2DMSARRAY:
        d->Texture2DMSArray.FirstArraySlice = s->base_array_layer;
        d->Texture2DMSArray.ArraySize = s->array_layer_count;
        return;
    case AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY:
    case AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY:
        d->Texture2DArray.FirstArraySlice = s->base_array_layer;
        d->Texture2DArray.ArraySize = s->array_layer_count;
        break;
    case AEROGPU_EXT_DIMENSION_TEXTURECUBEARRAY:
        d->TextureCubeArray.First2DArrayFace = s->base_array_layer;
        d->TextureCubeArray.NumCubes = s->array_layer_count / RT_CUBE_FACES;
        break;
    default:
        break;
    }
    d->Texture2D.MostDetailedMip = s->base_mip_level;
    d->Texture2D.MipLevels = s->mip_level_count;
}

/* ---- Render target views ------------------------------------------------------------------------------- */

static bool shape_of_rtv(const D3D11_RENDER_TARGET_VIEW_DESC1 *d, struct umd_view_desc *s)
{
    s->dimension = d->ViewDimension;
    s->format = d->Format;
    switch (d->ViewDimension) {
    case D3D11_RTV_DIMENSION_BUFFER:
        s->first_element = d->Buffer.FirstElement;
        s->element_count = d->Buffer.NumElements;
        return true;
    case D3D11_RTV_DIMENSION_TEXTURE2DMS:
        return true;
    case D3D11_RTV_DIMENSION_TEXTURE2DMSARRAY:
        s->base_array_layer = d->Texture2DMSArray.FirstArraySlice;
        s->array_layer_count = d->Texture2DMSArray.ArraySize;
        return true;
    case D3D11_RTV_DIMENSION_TEXTURE1DARRAY:
    case D3D11_RTV_DIMENSION_TEXTURE2DARRAY:
    case D3D11_RTV_DIMENSION_TEXTURE3D:
        /* A mip, the first slice and their number in all three. */
        s->base_array_layer = d->Texture2DArray.FirstArraySlice;
        s->array_layer_count = d->Texture2DArray.ArraySize;
        break;
    default:
        break;
    }
    s->base_mip_level = d->Texture2D.MipSlice;
    return d->ViewDimension > D3D11_RTV_DIMENSION_BUFFER && d->ViewDimension <= D3D11_RTV_DIMENSION_TEXTURE3D;
}

static UINT plane_of_rtv(const D3D11_RENDER_TARGET_VIEW_DESC1 *d)
{
    return d->ViewDimension == D3D11_RTV_DIMENSION_TEXTURE2D        ? d->Texture2D.PlaneSlice
           : d->ViewDimension == D3D11_RTV_DIMENSION_TEXTURE2DARRAY ? d->Texture2DArray.PlaneSlice
                                                                    : 0;
}

static void describe_rtv(const struct rt_view *view, D3D11_RENDER_TARGET_VIEW_DESC1 *d)
{
    const struct umd_view_desc *s = &view->shape;
    memset(d, 0, sizeof(*d));
    d->Format = (DXGI_FORMAT)s->format;
    d->ViewDimension = (D3D11_RTV_DIMENSION)s->dimension;
    switch (s->dimension) {
    case AEROGPU_EXT_DIMENSION_BUFFER:
        d->Buffer.FirstElement = s->first_element;
        d->Buffer.NumElements = s->element_count;
        return;
    case AEROGPU_EXT_DIMENSION_TEXTURE2DMS:
        return;
    case AEROGPU_EXT_DIMENSION_TEXTURE2DMSARRAY:
        d->Texture2DMSArray.FirstArraySlice = s->base_array_layer;
        d->Texture2DMSArray.ArraySize = s->array_layer_count;
        return;
    case AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY:
    case AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY:
    case AEROGPU_EXT_DIMENSION_TEXTURE3D:
        d->Texture2DArray.FirstArraySlice = s->base_array_layer;
        d->Texture2DArray.ArraySize = s->array_layer_count;
        break;
    default:
        break;
    }
    d->Texture2D.MipSlice = s->base_mip_level;
}

/* ---- Depth-stencil views, whose dimensions count from 1D textures on ----------------------------------- */

static bool shape_of_dsv(const D3D11_DEPTH_STENCIL_VIEW_DESC *d, struct umd_view_desc *s)
{
    s->dimension = d->ViewDimension + 1u;
    s->format = d->Format;
    s->flags = (d->Flags & D3D11_DSV_READ_ONLY_DEPTH ? AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH : 0) |
               (d->Flags & D3D11_DSV_READ_ONLY_STENCIL ? AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL : 0);
    switch (d->ViewDimension) {
    case D3D11_DSV_DIMENSION_TEXTURE2DMS:
        break;
    case D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY:
        s->base_array_layer = d->Texture2DMSArray.FirstArraySlice;
        s->array_layer_count = d->Texture2DMSArray.ArraySize;
        break;
    case D3D11_DSV_DIMENSION_TEXTURE1DARRAY:
    case D3D11_DSV_DIMENSION_TEXTURE2DARRAY:
        s->base_array_layer = d->Texture2DArray.FirstArraySlice;
        s->array_layer_count = d->Texture2DArray.ArraySize;
        s->base_mip_level = d->Texture2DArray.MipSlice;
        break;
    default:
        s->base_mip_level = d->Texture2D.MipSlice;
        break;
    }
    return d->ViewDimension > D3D11_DSV_DIMENSION_UNKNOWN &&
           d->ViewDimension <= D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY &&
           !(d->Flags & ~(UINT)(D3D11_DSV_READ_ONLY_DEPTH | D3D11_DSV_READ_ONLY_STENCIL));
}

static void describe_dsv(const struct rt_view *view, D3D11_DEPTH_STENCIL_VIEW_DESC *d)
{
    const struct umd_view_desc *s = &view->shape;
    memset(d, 0, sizeof(*d));
    d->Format = (DXGI_FORMAT)s->format;
    d->ViewDimension = (D3D11_DSV_DIMENSION)(s->dimension - 1);
    d->Flags = (s->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH ? (UINT)D3D11_DSV_READ_ONLY_DEPTH : 0) |
               (s->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL ? (UINT)D3D11_DSV_READ_ONLY_STENCIL : 0);
    switch (d->ViewDimension) {
    case D3D11_DSV_DIMENSION_TEXTURE2DMS:
        break;
    case D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY:
        d->Texture2DMSArray.FirstArraySlice = s->base_array_layer;
        d->Texture2DMSArray.ArraySize = s->array_layer_count;
        break;
    case D3D11_DSV_DIMENSION_TEXTURE1DARRAY:
    case D3D11_DSV_DIMENSION_TEXTURE2DARRAY:
        d->Texture2DArray.FirstArraySlice = s->base_array_layer;
        d->Texture2DArray.ArraySize = s->array_layer_count;
        d->Texture2DArray.MipSlice = s->base_mip_level;
        break;
    default:
        d->Texture2D.MipSlice = s->base_mip_level;
        break;
    }
}

/* ---- Unordered access views ---------------------------------------------------------------------------- */

static const struct {
    UINT flag, packet;
} uav_flags[] = {
    {D3D11_BUFFER_UAV_FLAG_RAW,     AEROGPU_EXT_VIEW_FLAG_RAW    },
    {D3D11_BUFFER_UAV_FLAG_APPEND,  AEROGPU_EXT_VIEW_FLAG_APPEND },
    {D3D11_BUFFER_UAV_FLAG_COUNTER, AEROGPU_EXT_VIEW_FLAG_COUNTER},
};

static bool shape_of_uav(const D3D11_UNORDERED_ACCESS_VIEW_DESC1 *d, struct umd_view_desc *s)
{
    UINT unknown;
    s->dimension = d->ViewDimension;
    s->format = d->Format;
    switch (d->ViewDimension) {
    case D3D11_UAV_DIMENSION_BUFFER:
        unknown = d->Buffer.Flags;
        s->first_element = d->Buffer.FirstElement;
        s->element_count = d->Buffer.NumElements;
        for (size_t i = 0; i < sizeof(uav_flags) / sizeof(uav_flags[0]); i++) {
            s->flags |= d->Buffer.Flags & uav_flags[i].flag ? uav_flags[i].packet : 0;
            unknown &= ~uav_flags[i].flag;
        }
        return unknown == 0;
    case D3D11_UAV_DIMENSION_TEXTURE1DARRAY:
    case D3D11_UAV_DIMENSION_TEXTURE2DARRAY:
    case D3D11_UAV_DIMENSION_TEXTURE3D:
        s->base_array_layer = d->Texture2DArray.FirstArraySlice;
        s->array_layer_count = d->Texture2DArray.ArraySize;
        break;
    case D3D11_UAV_DIMENSION_TEXTURE1D:
    case D3D11_UAV_DIMENSION_TEXTURE2D:
        break;
    default:
        return false;
    }
    s->base_mip_level = d->Texture2D.MipSlice;
    return true;
}

static UINT plane_of_uav(const D3D11_UNORDERED_ACCESS_VIEW_DESC1 *d)
{
    return d->ViewDimension == D3D11_UAV_DIMENSION_TEXTURE2D        ? d->Texture2D.PlaneSlice
           : d->ViewDimension == D3D11_UAV_DIMENSION_TEXTURE2DARRAY ? d->Texture2DArray.PlaneSlice
                                                                    : 0;
}

static void describe_uav(const struct rt_view *view, D3D11_UNORDERED_ACCESS_VIEW_DESC1 *d)
{
    const struct umd_view_desc *s = &view->shape;
    memset(d, 0, sizeof(*d));
    d->Format = (DXGI_FORMAT)s->format;
    d->ViewDimension = (D3D11_UAV_DIMENSION)s->dimension;
    switch (s->dimension) {
    case AEROGPU_EXT_DIMENSION_BUFFER:
        d->Buffer.FirstElement = s->first_element;
        d->Buffer.NumElements = s->element_count;
        for (size_t i = 0; i < sizeof(uav_flags) / sizeof(uav_flags[0]); i++)
            d->Buffer.Flags |= s->flags & uav_flags[i].packet ? uav_flags[i].flag : 0;
        return;
    case AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY:
    case AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY:
    case AEROGPU_EXT_DIMENSION_TEXTURE3D:
        d->Texture2DArray.FirstArraySlice = s->base_array_layer;
        d->Texture2DArray.ArraySize = s->array_layer_count;
        break;
    default:
        break;
    }
    d->Texture2D.MipSlice = s->base_mip_level;
}

/* ---- Methods ------------------------------------------------------------------------------------------- */

#define VIEW_METHODS(I)                                                                                      \
    RT_CHILD_METHODS(I)                                                                                      \
    RT_METHOD(void) I##_get_resource(I *self, ID3D11Resource **out)                                          \
    {                                                                                                        \
        *out = rt_object_return(&rt_view_of(self)->resource->object);                                        \
    }
#define VIEW_SLOTS(I) RT_CHILD_SLOTS(I), .GetResource = I##_get_resource

/* GetDesc1() and GetDesc() of a view with two descriptions. */
#define VIEW_DESCRIPTIONS(I, describe, newer, older)                                                         \
    RT_METHOD(void) I##_get_desc1(I *self, newer *desc)                                                      \
    {                                                                                                        \
        describe(rt_view_of(self), desc);                                                                    \
    }                                                                                                        \
    RT_METHOD(void) I##_get_desc(I *self, older *desc)                                                       \
    {                                                                                                        \
        newer desc1;                                                                                         \
        describe(rt_view_of(self), &desc1);                                                                  \
        memcpy(desc, &desc1, sizeof(*desc));                                                                 \
    }

VIEW_METHODS(ID3D11ShaderResourceView1)
VIEW_METHODS(ID3D11RenderTargetView1)
VIEW_METHODS(ID3D11UnorderedAccessView1)
VIEW_METHODS(ID3D11DepthStencilView)
VIEW_DESCRIPTIONS(ID3D11ShaderResourceView1, describe_srv, D3D11_SHADER_RESOURCE_VIEW_DESC1,
                  D3D11_SHADER_RESOURCE_VIEW_DESC)
VIEW_DESCRIPTIONS(ID3D11RenderTargetView1, describe_rtv, D3D11_RENDER_TARGET_VIEW_DESC1,
                  D3D11_RENDER_TARGET_VIEW_DESC)
VIEW_DESCRIPTIONS(ID3D11UnorderedAccessView1, describe_uav, D3D11_UNORDERED_ACCESS_VIEW_DESC1,
                  D3D11_UNORDERED_ACCESS_VIEW_DESC)

RT_METHOD(void) get_desc_of_dsv(ID3D11DepthStencilView *self, D3D11_DEPTH_STENCIL_VIEW_DESC *desc)
{
    describe_dsv(rt_view_of(self), desc);
}

static const ID3D11ShaderResourceView1Vtbl srv_methods = {
    VIEW_SLOTS(ID3D11ShaderResourceView1),
    .GetDesc = ID3D11ShaderResourceView1_get_desc,
    .GetDesc1 = ID3D11ShaderResourceView1_get_desc1,
};

static const ID3D11RenderTargetView1Vtbl rtv_methods = {
    VIEW_SLOTS(ID3D11RenderTargetView1),
    .GetDesc = ID3D11RenderTargetView1_get_desc,
    .GetDesc1 = ID3D11RenderTargetView1_get_desc1,
};

static const ID3D11UnorderedAccessView1Vtbl uav_methods = {
    VIEW_SLOTS(ID3D11UnorderedAccessView1),
    .GetDesc = ID3D11UnorderedAccessView1_get_desc,
    .GetDesc1 = ID3D11UnorderedAccessView1_get_desc1,
};

static const ID3D11DepthStencilViewVtbl dsv_methods = {
    VIEW_SLOTS(ID3D11DepthStencilView),
    .GetDesc = get_desc_of_dsv,
};

/* ---- Creation ------------------------------------------------------------------------------------------ */

static void destroy(struct rt_object *object)
{
    struct rt_view *view = (struct rt_view *)object;
    umd_destroy_view(object->device->umd, view->umd);
    rt_object_let_go(&view->resource->object);
    rt_object_fini(object);
    free(view);
}

static const struct rt_class classes[] = {
    [AEROGPU_EXT_VIEW_SHADER_RESOURCE] = {RT_CLASS_SHADER_RESOURCE_VIEW,
                                          {&srv_methods, [RT_FACE_D3D10] = &rt_d3d10_srv_methods},
                                          destroy,                                                          NULL},
    [AEROGPU_EXT_VIEW_RENDER_TARGET] = {RT_CLASS_RENDER_TARGET_VIEW,
                                          {&rtv_methods, [RT_FACE_D3D10] = &rt_d3d10_rtv_methods},
                                          destroy,                                                          NULL},
    [AEROGPU_EXT_VIEW_DEPTH_STENCIL] = {RT_CLASS_DEPTH_STENCIL_VIEW,
                                          {&dsv_methods, [RT_FACE_D3D10] = &rt_d3d10_dsv_methods},
                                          destroy,                                                          NULL},
    [AEROGPU_EXT_VIEW_UNORDERED_ACCESS] = {RT_CLASS_UNORDERED_ACCESS_VIEW, {&uav_methods},          destroy, NULL},
};

static UINT planes_of(const struct rt_view *view)
{
    switch ((DXGI_FORMAT)view->shape.format) {
    case DXGI_FORMAT_X24_TYPELESS_G8_UINT:
    case DXGI_FORMAT_X32_TYPELESS_G8X24_UINT:
        return RT_PLANE_STENCIL;
    default:
        return RT_PLANE_COLOUR_OR_DEPTH |
               (rt_format_has((DXGI_FORMAT)view->shape.format, RT_FORMAT_STENCIL) ? RT_PLANE_STENCIL : 0u);
    }
}

static void find_range(struct rt_view *view)
{
    const struct umd_view_desc *shape = &view->shape;
    const bool is_volume = view->resource->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D;
    const bool is_buffer = view->resource->dimension == D3D11_RESOURCE_DIMENSION_BUFFER;
    view->range = (struct rt_range){.mip = shape->base_mip_level,
                                    .mips = is_buffer ? 1 : shape->mip_level_count,
                                    .layer = is_volume ? 0 : shape->base_array_layer,
                                    .layers = is_volume || is_buffer ? 1 : shape->array_layer_count,
                                    .planes = planes_of(view)};
    view->written_planes = view->range.planes;
    if (shape->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH)
        view->written_planes &= ~(UINT)RT_PLANE_COLOUR_OR_DEPTH;
    if (shape->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL)
        view->written_planes &= ~(UINT)RT_PLANE_STENCIL;
}

static HRESULT create(ID3D11Device5 *self, ID3D11Resource *of, struct umd_view_desc *shape,
                      bool is_extended_buffer, void **out)
{
    struct rt_device *device = rt_device_of(self);
    struct rt_resource *resource = rt_resource_of(of);
    struct rt_view *view;
    HRESULT result = resource->object.device == device ? rt_view_complete(resource, shape) : E_INVALIDARG;
    if (FAILED(result))
        return result;
    if (!out)
        return S_FALSE;
    view = calloc(1, sizeof(*view));
    if (!view)
        return E_OUTOFMEMORY;
    result = rt_result(umd_create_view(device->umd, resource->umd, shape, &view->umd));
    if (FAILED(result)) {
        free(view);
        return result;
    }
    rt_object_init(&view->object, &classes[shape->kind], device);
    view->resource = resource;
    rt_object_hold(&resource->object);
    view->shape = *shape;
    view->is_extended_buffer = is_extended_buffer;
    find_range(view);
    *out = &view->object.faces[0];
    return S_OK;
}

static HRESULT create_srv(ID3D11Device5 *self, ID3D11Resource *resource,
                          const D3D11_SHADER_RESOURCE_VIEW_DESC1 *desc, bool has_plane, void **out)
{
    struct umd_view_desc shape = {.kind = AEROGPU_EXT_VIEW_SHADER_RESOURCE};
    const bool is_extended_buffer = desc && desc->ViewDimension == D3D11_SRV_DIMENSION_BUFFEREX;
    if (out)
        *out = NULL;
    if (!resource || (desc && (!shape_of_srv(desc, &shape) || (has_plane && plane_of_srv(desc)))))
        return E_INVALIDARG;
    return create(self, resource, &shape, is_extended_buffer, out);
}

static HRESULT create_rtv(ID3D11Device5 *self, ID3D11Resource *resource,
                          const D3D11_RENDER_TARGET_VIEW_DESC1 *desc, bool has_plane, void **out)
{
    struct umd_view_desc shape = {.kind = AEROGPU_EXT_VIEW_RENDER_TARGET};
    if (out)
        *out = NULL;
    if (!resource || (desc && (!shape_of_rtv(desc, &shape) || (has_plane && plane_of_rtv(desc)))))
        return E_INVALIDARG;
    return create(self, resource, &shape, false, out);
}

static HRESULT create_uav(ID3D11Device5 *self, ID3D11Resource *resource,
                          const D3D11_UNORDERED_ACCESS_VIEW_DESC1 *desc, bool has_plane, void **out)
{
    struct umd_view_desc shape = {.kind = AEROGPU_EXT_VIEW_UNORDERED_ACCESS};
    if (out)
        *out = NULL;
    if (!resource || (desc && (!shape_of_uav(desc, &shape) || (has_plane && plane_of_uav(desc)))))
        return E_INVALIDARG;
    return create(self, resource, &shape, false, out);
}

HRESULT STDMETHODCALLTYPE rt_device_create_dsv(ID3D11Device5 *self, ID3D11Resource *resource,
                                               const D3D11_DEPTH_STENCIL_VIEW_DESC *desc,
                                               ID3D11DepthStencilView **out)
{
    struct umd_view_desc shape = {.kind = AEROGPU_EXT_VIEW_DEPTH_STENCIL};
    if (out)
        *out = NULL;
    if (!resource || (desc && !shape_of_dsv(desc, &shape)))
        return E_INVALIDARG;
    return create(self, resource, &shape, false, (void **)out);
}

/* What an older description has behind its case is not the plane of a newer one. */
#define CREATE_VIEW(name, newer, older, I)                                                                   \
    HRESULT STDMETHODCALLTYPE rt_device_##name##1(ID3D11Device5 * self, ID3D11Resource * resource,           \
                                                  const newer *desc, I##1 * *out)                            \
    {                                                                                                        \
        return name(self, resource, desc, true, (void **)out);                                               \
    }                                                                                                        \
    HRESULT STDMETHODCALLTYPE rt_device_##name(ID3D11Device5 *self, ID3D11Resource *resource,                \
                                               const older *desc, I **out)                                   \
    {                                                                                                        \
        newer desc1 = {0};                                                                                   \
        if (desc)                                                                                            \
            memcpy(&desc1, desc, sizeof(*desc));                                                             \
        return name(self, resource, desc ? &desc1 : NULL, false, (void **)out);                              \
    }

CREATE_VIEW(create_srv, D3D11_SHADER_RESOURCE_VIEW_DESC1, D3D11_SHADER_RESOURCE_VIEW_DESC,
            ID3D11ShaderResourceView)
CREATE_VIEW(create_rtv, D3D11_RENDER_TARGET_VIEW_DESC1, D3D11_RENDER_TARGET_VIEW_DESC, ID3D11RenderTargetView)
CREATE_VIEW(create_uav, D3D11_UNORDERED_ACCESS_VIEW_DESC1, D3D11_UNORDERED_ACCESS_VIEW_DESC,
            ID3D11UnorderedAccessView)
