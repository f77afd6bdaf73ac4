/* SPDX-License-Identifier: MIT
 *
 * A target of four samples, whose texels at an edge are between two colours when it is resolved.
 */
#include "example.h"

#include "msaa_shaders.h"

#define EDGE 0.015625f /* the middle of column 32 */

static const FLOAT corners[4][4] = {
    {-1,   1,  0.5f, 1},
    {EDGE, 1,  0.5f, 1},
    {-1,   -1, 0.5f, 1},
    {EDGE, -1, 0.5f, 1}
};
static const FLOAT white[4] = {1, 1, 1, 1};
static const D3D11_INPUT_ELEMENT_DESC element = {
    "POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};

struct objects {
    ID3D11VertexShader *vs;
    ID3D11PixelShader *ps;
    ID3D11InputLayout *layout;
    ID3D11Buffer *corners, *colour;
    ID3D11Texture2D *texture;
    ID3D11RenderTargetView *target;
};

static HRESULT make(const struct example *e, struct objects *o)
{
    const D3D11_TEXTURE2D_DESC desc = {
        .Width = EXAMPLE_SIDE,
        .Height = EXAMPLE_SIDE,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {4, 0},
        .BindFlags = D3D11_BIND_RENDER_TARGET,
    };
    HRESULT result =
        ID3D11Device_CreateVertexShader(e->device, position_vs, sizeof position_vs, NULL, &o->vs);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreatePixelShader(e->device, constant_ps, sizeof constant_ps, NULL, &o->ps);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateInputLayout(e->device, &element, 1, position_vs, sizeof position_vs,
                                                &o->layout);
    if (SUCCEEDED(result))
        result = example_buffer(e, corners, sizeof corners, D3D11_BIND_VERTEX_BUFFER, &o->corners);
    if (SUCCEEDED(result))
        result = example_buffer(e, white, sizeof white, D3D11_BIND_CONSTANT_BUFFER, &o->colour);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateTexture2D(e->device, &desc, NULL, &o->texture);
    if (SUCCEEDED(result))
        result =
            ID3D11Device_CreateRenderTargetView(e->device, (ID3D11Resource *)o->texture, NULL, &o->target);
    return result;
}

static void draw(const struct example *e, const struct objects *o)
{
    const D3D11_VIEWPORT whole = {0, 0, EXAMPLE_SIDE, EXAMPLE_SIDE, 0, 1};
    const UINT stride = sizeof corners[0], offset = 0;
    ID3D11DeviceContext_ClearRenderTargetView(e->context, o->target, example_black);
    example_bind(e->context, o->target, o->vs, o->ps, &whole);
    ID3D11DeviceContext_IASetPrimitiveTopology(e->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
    ID3D11DeviceContext_IASetInputLayout(e->context, o->layout);
    ID3D11DeviceContext_IASetVertexBuffers(e->context, 0, 1, (ID3D11Buffer *const *)&o->corners, &stride,
                                           &offset);
    ID3D11DeviceContext_PSSetConstantBuffers(e->context, 0, 1, (ID3D11Buffer *const *)&o->colour);
    ID3D11DeviceContext_Draw(e->context, 4, 0);
    ID3D11DeviceContext_ResolveSubresource(e->context, (ID3D11Resource *)e->buffer, 0,
                                           (ID3D11Resource *)o->texture, 0, DXGI_FORMAT_R8G8B8A8_UNORM);
}

HRESULT example_draw(const struct example *e)
{
    struct objects o = {0};
    const HRESULT result = make(e, &o);
    if (SUCCEEDED(result))
        draw(e, &o);
    example_release(o.vs);
    example_release(o.ps);
    example_release(o.layout);
    example_release(o.corners);
    example_release(o.colour);
    example_release(o.target);
    example_release(o.texture);
    return result;
}
