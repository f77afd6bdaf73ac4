/* SPDX-License-Identifier: MIT
 *
 * Vertices go through a shader into a buffer, which is drawn as often as it was filled.
 */
#include "example.h"

#include "stream_output_shaders.h"

static const FLOAT corners[3][4] = {
    {-1, 1,  0.5f, 1},
    {3,  1,  0.5f, 1},
    {-1, -3, 0.5f, 1}
};
static const FLOAT orange[4] = {1, 0.5f, 0, 1};
static const D3D11_INPUT_ELEMENT_DESC element = {
    "POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};
static const D3D11_SO_DECLARATION_ENTRY entry = {0, "SV_Position", 0, 0, 4, 0};
static const UINT stride = sizeof corners[0], offset = 0;

struct objects {
    ID3D11VertexShader *half, *position;
    ID3D11GeometryShader *gs;
    ID3D11PixelShader *ps;
    ID3D11InputLayout *layout;
    ID3D11Buffer *corners, *halves, *colour;
};

static HRESULT make(const struct example *e, struct objects *o)
{
    const D3D11_BUFFER_DESC desc = {.ByteWidth = sizeof corners,
                                    .BindFlags = D3D11_BIND_STREAM_OUTPUT | D3D11_BIND_VERTEX_BUFFER};
    HRESULT result = ID3D11Device_CreateVertexShader(e->device, half_vs, sizeof half_vs, NULL, &o->half);
    if (SUCCEEDED(result))
        result =
            ID3D11Device_CreateVertexShader(e->device, position_vs, sizeof position_vs, NULL, &o->position);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateGeometryShaderWithStreamOutput(
            e->device, half_vs, sizeof half_vs, &entry, 1, &stride, 1, D3D11_SO_NO_RASTERIZED_STREAM, NULL,
            &o->gs);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreatePixelShader(e->device, constant_ps, sizeof constant_ps, NULL, &o->ps);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateInputLayout(e->device, &element, 1, half_vs, sizeof half_vs, &o->layout);
    if (SUCCEEDED(result))
        result = example_buffer(e, corners, sizeof corners, D3D11_BIND_VERTEX_BUFFER, &o->corners);
    if (SUCCEEDED(result))
        result = example_buffer(e, orange, sizeof orange, D3D11_BIND_CONSTANT_BUFFER, &o->colour);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateBuffer(e->device, &desc, NULL, &o->halves);
    return result;
}

static void draw(const struct example *e, const struct objects *o)
{
    const D3D11_VIEWPORT whole = {0, 0, EXAMPLE_SIDE, EXAMPLE_SIDE, 0, 1};
    ID3D11DeviceContext_ClearRenderTargetView(e->context, e->target, example_black);
    example_bind(e->context, e->target, o->half, NULL, &whole);
    ID3D11DeviceContext_IASetInputLayout(e->context, o->layout);
    ID3D11DeviceContext_IASetVertexBuffers(e->context, 0, 1, (ID3D11Buffer *const *)&o->corners, &stride,
                                           &offset);
    ID3D11DeviceContext_GSSetShader(e->context, o->gs, NULL, 0);
    ID3D11DeviceContext_SOSetTargets(e->context, 1, (ID3D11Buffer *const *)&o->halves, &offset);
    ID3D11DeviceContext_Draw(e->context, 3, 0);
    ID3D11DeviceContext_SOSetTargets(e->context, 0, NULL, NULL);
    ID3D11DeviceContext_GSSetShader(e->context, NULL, NULL, 0);
    example_bind(e->context, e->target, o->position, o->ps, &whole);
    ID3D11DeviceContext_IASetVertexBuffers(e->context, 0, 1, (ID3D11Buffer *const *)&o->halves, &stride,
                                           &offset);
    ID3D11DeviceContext_PSSetConstantBuffers(e->context, 0, 1, (ID3D11Buffer *const *)&o->colour);
    ID3D11DeviceContext_DrawAuto(e->context);
}

HRESULT example_draw(const struct example *e)
{
    struct objects o = {0};
    const HRESULT result = make(e, &o);
    if (SUCCEEDED(result))
        draw(e, &o);
    example_release(o.half);
    example_release(o.position);
    example_release(o.gs);
    example_release(o.ps);
    example_release(o.layout);
    example_release(o.corners);
    example_release(o.halves);
    example_release(o.colour);
    return result;
}
