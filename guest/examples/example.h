/* SPDX-License-Identifier: MIT
 *
 * What the examples have in common. Each draws one picture of 64 by 64 texels; example.c is a program with a
 * window around one, and what a picture has to be says the example's file of expectations: `x y red green
 * blue`.
 */
#ifndef AEROGPU_EXAMPLE_H
#define AEROGPU_EXAMPLE_H

#ifndef COBJMACROS
#define COBJMACROS
#endif
#ifndef CINTERFACE
#define CINTERFACE
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <d3d11.h>

#define EXAMPLE_SIDE 64

struct example {
    ID3D11Device *device;
    ID3D11DeviceContext *context;
    ID3D11Texture2D *buffer;        /* R8G8B8A8_UNORM */
    ID3D11RenderTargetView *target; /* of it */
};

/* Draws the picture. */
HRESULT example_draw(const struct example *example);

static inline void example_release(void *object)
{
    IUnknown *unknown = object;
    if (unknown)
        unknown->lpVtbl->Release(unknown);
}

/* A buffer that has its bytes from the beginning. */
static inline HRESULT example_buffer(const struct example *example, const void *bytes, UINT size,
                                     UINT bind_flags, ID3D11Buffer **out)
{
    const D3D11_BUFFER_DESC desc = {
        .ByteWidth = size, .Usage = D3D11_USAGE_IMMUTABLE, .BindFlags = bind_flags};
    const D3D11_SUBRESOURCE_DATA data = {.pSysMem = bytes};
    return ID3D11Device_CreateBuffer(example->device, &desc, &data, out);
}

/* Draws into a rectangle of the target, with these shaders, from no vertex buffers. */
static inline void example_bind(ID3D11DeviceContext *to, ID3D11RenderTargetView *target,
                                ID3D11VertexShader *vs, ID3D11PixelShader *ps, const D3D11_VIEWPORT *viewport)
{
    ID3D11DeviceContext_OMSetRenderTargets(to, 1, (ID3D11RenderTargetView *const *)&target, NULL);
    ID3D11DeviceContext_RSSetViewports(to, 1, viewport);
    ID3D11DeviceContext_IASetPrimitiveTopology(to, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D11DeviceContext_VSSetShader(to, vs, NULL, 0);
    ID3D11DeviceContext_PSSetShader(to, ps, NULL, 0);
}

static const FLOAT example_black[4] = {0, 0, 0, 1};

#endif
