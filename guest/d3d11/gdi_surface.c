/* SPDX-License-Identifier: MIT
 *
 * IDXGISurface1::GetDC(): GDI draws into a bitmap in the program's memory, which has what the texture has and
 * goes back to the texture when the program is done.
 */
#include "guest/d3d11/gdi_surface.h"

#include "guest/d3d11/context.h"
#include "guest/d3d11/platform.h"

#include <stdlib.h>
#include <string.h>

struct rt_gdi_surface {
    struct rt_bitmap bitmap;
};

static D3D11_TEXTURE2D_DESC staging_desc(const struct rt_resource *texture)
{
    return (D3D11_TEXTURE2D_DESC){
        .Width = texture->width,
        .Height = texture->height,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = texture->format,
        .SampleDesc.Count = 1,
        .Usage = D3D11_USAGE_STAGING,
        .CPUAccessFlags = D3D11_CPU_ACCESS_READ,
    };
}

/* The texture's texels to the bitmap. */
static HRESULT fill(struct rt_resource *texture, uint8_t *pixels)
{
    struct rt_device *device = texture->object.device;
    ID3D11DeviceContext4 *const context = rt_immediate_of(device);
    const D3D11_TEXTURE2D_DESC desc = staging_desc(texture);
    const size_t row_bytes = (size_t)4 * texture->width;
    D3D11_MAPPED_SUBRESOURCE mapped;
    ID3D11Texture2D *staging;
    HRESULT result =
        rt_device_create_texture2d((ID3D11Device5 *)&device->object.faces[0], &desc, NULL, &staging);
    if (FAILED(result))
        return result;
    rt_context_copy_resource(context, (ID3D11Resource *)staging, (ID3D11Resource *)&texture->object.faces[0]);
    result = rt_context_map(context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped);
    if (SUCCEEDED(result)) {
        for (UINT y = 0; y < texture->height; y++)
            memcpy(pixels + y * row_bytes, (const uint8_t *)mapped.pData + (size_t)y * mapped.RowPitch,
                   row_bytes);
        rt_context_unmap(context, (ID3D11Resource *)staging, 0);
    }
    staging->lpVtbl->Release(staging);
    return result;
}

HRESULT rt_gdi_surface_begin(struct rt_resource *texture, bool discard, HDC *dc)
{
    struct rt_gdi_surface *surface;
    HRESULT result = S_OK;
    *dc = NULL;
    if (!(texture->misc_flags & D3D11_RESOURCE_MISC_GDI_COMPATIBLE) || texture->gdi)
        return DXGI_ERROR_INVALID_CALL;
    surface = calloc(1, sizeof(*surface));
    if (!surface || !rt_bitmap_create(texture->width, texture->height, &surface->bitmap)) {
        free(surface);
        return E_OUTOFMEMORY;
    }
    if (!discard)
        result = fill(texture, surface->bitmap.pixels);
    if (FAILED(result)) {
        rt_bitmap_destroy(&surface->bitmap);
        free(surface);
        return result;
    }
    texture->gdi = surface;
    *dc = surface->bitmap.dc;
    return S_OK;
}

/* The part of a rectangle that is on the texture. */
static D3D11_BOX box_of(const struct rt_resource *texture, const RECT *dirty)
{
    const LONG width = (LONG)texture->width, height = (LONG)texture->height;
    D3D11_BOX box = {0, 0, 0, texture->width, texture->height, 1};
    if (!dirty)
        return box;
    box.left = (UINT)(dirty->left < 0 ? 0 : dirty->left < width ? dirty->left : width);
    box.top = (UINT)(dirty->top < 0 ? 0 : dirty->top < height ? dirty->top : height);
    box.right = (UINT)(dirty->right < 0 ? 0 : dirty->right < width ? dirty->right : width);
    box.bottom = (UINT)(dirty->bottom < 0 ? 0 : dirty->bottom < height ? dirty->bottom : height);
    return box;
}

HRESULT rt_gdi_surface_end(struct rt_resource *texture, const RECT *dirty)
{
    const D3D11_BOX box = box_of(texture, dirty);
    const UINT row_bytes = 4 * texture->width;
    if (!texture->gdi)
        return DXGI_ERROR_INVALID_CALL;
    rt_bitmap_flush();
    if (box.left < box.right && box.top < box.bottom)
        rt_context_update_subresource(
            rt_immediate_of(texture->object.device), (ID3D11Resource *)&texture->object.faces[0], 0, &box,
            texture->gdi->bitmap.pixels + (size_t)box.top * row_bytes + (size_t)4 * box.left, row_bytes, 0);
    rt_gdi_surface_drop(texture);
    return S_OK;
}

void rt_gdi_surface_drop(struct rt_resource *texture)
{
    if (!texture->gdi)
        return;
    rt_bitmap_destroy(&texture->gdi->bitmap);
    free(texture->gdi);
    texture->gdi = NULL;
}
