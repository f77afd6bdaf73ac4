/* SPDX-License-Identifier: MIT
 *
 * One patch of three control points becomes many triangles.
 */
#include "example.h"

#include "tessellation_shaders.h"

HRESULT example_draw(const struct example *e)
{
    const D3D11_VIEWPORT whole = {0, 0, EXAMPLE_SIDE, EXAMPLE_SIDE, 0, 1};
    ID3D11VertexShader *vs = NULL;
    ID3D11HullShader *hs = NULL;
    ID3D11DomainShader *ds = NULL;
    ID3D11PixelShader *ps = NULL;
    HRESULT result = ID3D11Device_CreateVertexShader(e->device, place_vs, sizeof place_vs, NULL, &vs);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateHullShader(e->device, corners_hs, sizeof corners_hs, NULL, &hs);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateDomainShader(e->device, corners_ds, sizeof corners_ds, NULL, &ds);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreatePixelShader(e->device, triangle_ps, sizeof triangle_ps, NULL, &ps);
    if (SUCCEEDED(result)) {
        ID3D11DeviceContext_ClearRenderTargetView(e->context, e->target, example_black);
        example_bind(e->context, e->target, vs, ps, &whole);
        ID3D11DeviceContext_IASetPrimitiveTopology(e->context,
                                                   D3D11_PRIMITIVE_TOPOLOGY_3_CONTROL_POINT_PATCHLIST);
        ID3D11DeviceContext_HSSetShader(e->context, hs, NULL, 0);
        ID3D11DeviceContext_DSSetShader(e->context, ds, NULL, 0);
        ID3D11DeviceContext_Draw(e->context, 3, 0);
        ID3D11DeviceContext_HSSetShader(e->context, NULL, NULL, 0);
        ID3D11DeviceContext_DSSetShader(e->context, NULL, NULL, 0);
    }
    example_release(ps);
    example_release(ds);
    example_release(hs);
    example_release(vs);
    return result;
}
