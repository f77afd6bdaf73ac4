/* SPDX-License-Identifier: MIT
 *
 * A picture by Direct3D 10: by the device that d3d10.dll makes, in a texture that both devices share.
 */
#include "example.h"

#include <d3d10.h>

#include "direct3d10_shaders.h"

static const FLOAT blue[4] = {0, 0, 1, 1};

struct objects {
    ID3D10Device *device;
    ID3D11Texture2D *texture; /* of Direct3D 11's device */
    ID3D10Texture2D *shared;  /* the same of Direct3D 10's */
    ID3D10RenderTargetView *target;
    ID3D10VertexShader *vs;
    ID3D10PixelShader *ps;
    ID3D10Buffer *colour;
    ID3D10RasterizerState *rasterizer;
};

static HRESULT share(const struct example *e, struct objects *o)
{
    const D3D11_TEXTURE2D_DESC desc = {
        .Width = EXAMPLE_SIDE,
        .Height = EXAMPLE_SIDE,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {1, 0},
        .BindFlags = D3D11_BIND_RENDER_TARGET,
        .MiscFlags = D3D11_RESOURCE_MISC_SHARED,
    };
    IDXGIResource *resource = NULL;
    HANDLE handle = NULL;
    HRESULT result = ID3D11Device_CreateTexture2D(e->device, &desc, NULL, &o->texture);
    if (SUCCEEDED(result))
        result = ID3D11Texture2D_QueryInterface(o->texture, &IID_IDXGIResource, (void **)&resource);
    if (SUCCEEDED(result))
        result = IDXGIResource_GetSharedHandle(resource, &handle);
    if (SUCCEEDED(result))
        result =
            ID3D10Device_OpenSharedResource(o->device, handle, &IID_ID3D10Texture2D, (void **)&o->shared);
    example_release(resource);
    return result;
}

static HRESULT make(const struct example *e, struct objects *o)
{
    const D3D10_BUFFER_DESC desc = {
        .ByteWidth = sizeof blue, .Usage = D3D10_USAGE_IMMUTABLE, .BindFlags = D3D10_BIND_CONSTANT_BUFFER};
    const D3D10_SUBRESOURCE_DATA data = {.pSysMem = blue};
    const D3D10_RASTERIZER_DESC rasterizer = {
        .FillMode = D3D10_FILL_SOLID, .CullMode = D3D10_CULL_NONE, .ScissorEnable = TRUE};
    HRESULT result =
        D3D10CreateDevice(NULL, D3D10_DRIVER_TYPE_HARDWARE, NULL, 0, D3D10_SDK_VERSION, &o->device);
    if (SUCCEEDED(result))
        result = share(e, o);
    if (SUCCEEDED(result))
        result =
            ID3D10Device_CreateRenderTargetView(o->device, (ID3D10Resource *)o->shared, NULL, &o->target);
    if (SUCCEEDED(result))
        result = ID3D10Device_CreateVertexShader(o->device, full_vs, sizeof full_vs, &o->vs);
    if (SUCCEEDED(result))
        result = ID3D10Device_CreatePixelShader(o->device, constant_ps, sizeof constant_ps, &o->ps);
    if (SUCCEEDED(result))
        result = ID3D10Device_CreateBuffer(o->device, &desc, &data, &o->colour);
    if (SUCCEEDED(result))
        result = ID3D10Device_CreateRasterizerState(o->device, &rasterizer, &o->rasterizer);
    return result;
}

static void draw(const struct objects *o)
{
    const D3D10_VIEWPORT whole = {0, 0, EXAMPLE_SIDE, EXAMPLE_SIDE, 0, 1};
    const D3D10_RECT quarter = {0, 0, EXAMPLE_SIDE / 2, EXAMPLE_SIDE / 2};
    ID3D10Device_ClearRenderTargetView(o->device, o->target, example_black);
    ID3D10Device_OMSetRenderTargets(o->device, 1, (ID3D10RenderTargetView *const *)&o->target, NULL);
    ID3D10Device_RSSetViewports(o->device, 1, &whole);
    ID3D10Device_RSSetScissorRects(o->device, 1, &quarter);
    ID3D10Device_RSSetState(o->device, o->rasterizer);
    ID3D10Device_IASetPrimitiveTopology(o->device, D3D10_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D10Device_VSSetShader(o->device, o->vs);
    ID3D10Device_PSSetShader(o->device, o->ps);
    ID3D10Device_PSSetConstantBuffers(o->device, 0, 1, (ID3D10Buffer *const *)&o->colour);
    ID3D10Device_Draw(o->device, 3, 0);
    ID3D10Device_ClearState(o->device);
    ID3D10Device_Flush(o->device);
}

HRESULT example_draw(const struct example *e)
{
    struct objects o = {0};
    const HRESULT result = make(e, &o);
    if (SUCCEEDED(result)) {
        draw(&o);
        ID3D11DeviceContext_CopyResource(e->context, (ID3D11Resource *)e->buffer,
                                         (ID3D11Resource *)o.texture);
    }
    example_release(o.rasterizer);
    example_release(o.colour);
    example_release(o.ps);
    example_release(o.vs);
    example_release(o.target);
    example_release(o.shared);
    example_release(o.texture);
    example_release(o.device);
    return result;
}
