/* SPDX-License-Identifier: MIT
 *
 * Two deferred contexts record half a picture each; the immediate context executes both lists.
 */
#include "example.h"

#include "deferred_shaders.h"

#define HALF (EXAMPLE_SIDE / 2)

static const FLOAT colours[2][4] = {
    {1, 0, 0, 1},
    {0, 1, 0, 1}
};

struct objects {
    ID3D11VertexShader *vs;
    ID3D11PixelShader *ps;
    ID3D11Buffer *colours[2];
    ID3D11DeviceContext *contexts[2];
    ID3D11CommandList *lists[2];
};

static HRESULT make(const struct example *e, struct objects *o)
{
    HRESULT result = ID3D11Device_CreateVertexShader(e->device, full_vs, sizeof full_vs, NULL, &o->vs);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreatePixelShader(e->device, constant_ps, sizeof constant_ps, NULL, &o->ps);
    for (int i = 0; i < 2 && SUCCEEDED(result); i++) {
        result = example_buffer(e, colours[i], sizeof colours[i], D3D11_BIND_CONSTANT_BUFFER, &o->colours[i]);
        if (SUCCEEDED(result))
            result = ID3D11Device_CreateDeferredContext(e->device, 0, &o->contexts[i]);
    }
    return result;
}

static HRESULT record(const struct example *e, struct objects *o, int half)
{
    const D3D11_VIEWPORT place = {(FLOAT)(half * HALF), 0, HALF, EXAMPLE_SIDE, 0, 1};
    ID3D11DeviceContext *context = o->contexts[half];
    example_bind(context, e->target, o->vs, o->ps, &place);
    ID3D11DeviceContext_PSSetConstantBuffers(context, 0, 1, &o->colours[half]);
    ID3D11DeviceContext_Draw(context, 3, 0);
    return ID3D11DeviceContext_FinishCommandList(context, FALSE, &o->lists[half]);
}

HRESULT example_draw(const struct example *e)
{
    struct objects o = {0};
    HRESULT result = make(e, &o);
    ID3D11DeviceContext_ClearRenderTargetView(e->context, e->target, example_black);
    for (int i = 0; i < 2 && SUCCEEDED(result); i++)
        result = record(e, &o, i);
    for (int i = 0; i < 2 && SUCCEEDED(result); i++)
        ID3D11DeviceContext_ExecuteCommandList(e->context, o.lists[i], FALSE);
    for (int i = 0; i < 2; i++) {
        example_release(o.lists[i]);
        example_release(o.contexts[i]);
        example_release(o.colours[i]);
    }
    example_release(o.ps);
    example_release(o.vs);
    return result;
}
