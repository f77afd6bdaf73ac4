/* SPDX-License-Identifier: MIT
 *
 * A query counts samples, and a predicate leaves a draw out.
 */
#include "example.h"

#include "queries_shaders.h"

#define HALF (EXAMPLE_SIDE / 2)

static const FLOAT colours[4][4] = {
    {0, 0, 1, 1},
    {0, 1, 0, 1},
    {1, 0, 0, 1},
    {1, 1, 0, 1}
};
enum { BLUE, GREEN, RED, YELLOW, COLOURS };

struct objects {
    ID3D11VertexShader *vs;
    ID3D11PixelShader *ps;
    ID3D11Buffer *colours[COLOURS];
    ID3D11Query *samples;
    ID3D11Predicate *predicate;
};

static HRESULT make(const struct example *e, struct objects *o)
{
    const D3D11_QUERY_DESC samples = {D3D11_QUERY_OCCLUSION, 0},
                           predicate = {D3D11_QUERY_OCCLUSION_PREDICATE, 0};
    HRESULT result = ID3D11Device_CreateVertexShader(e->device, full_vs, sizeof full_vs, NULL, &o->vs);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreatePixelShader(e->device, constant_ps, sizeof constant_ps, NULL, &o->ps);
    for (int i = 0; i < COLOURS && SUCCEEDED(result); i++)
        result = example_buffer(e, colours[i], sizeof colours[i], D3D11_BIND_CONSTANT_BUFFER, &o->colours[i]);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateQuery(e->device, &samples, &o->samples);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreatePredicate(e->device, &predicate, &o->predicate);
    return result;
}

/* Fills a quarter of the picture. */
static void fill(const struct example *e, const struct objects *o, int x, int y, int colour)
{
    const D3D11_VIEWPORT quarter = {(FLOAT)(x * HALF), (FLOAT)(y * HALF), HALF, HALF, 0, 1};
    example_bind(e->context, e->target, o->vs, o->ps, &quarter);
    ID3D11DeviceContext_PSSetConstantBuffers(e->context, 0, 1, &((struct objects *)o)->colours[colour]);
    ID3D11DeviceContext_Draw(e->context, 3, 0);
}

static HRESULT draw(const struct example *e, const struct objects *o)
{
    UINT64 count = 0;
    HRESULT result;
    ID3D11DeviceContext_ClearRenderTargetView(e->context, e->target, example_black);
    ID3D11DeviceContext_Begin(e->context, (ID3D11Asynchronous *)o->samples);
    fill(e, o, 0, 0, BLUE);
    ID3D11DeviceContext_End(e->context, (ID3D11Asynchronous *)o->samples);
    while ((result = ID3D11DeviceContext_GetData(e->context, (ID3D11Asynchronous *)o->samples, &count,
                                                 sizeof count, 0)) == S_FALSE)
        continue;
    if (FAILED(result))
        return result;
    fill(e, o, 1, 0, count == HALF * HALF ? GREEN : RED);
    /* Nothing is drawn between, so that the predicate is false, and what depends on it is left out. */
    ID3D11DeviceContext_Begin(e->context, (ID3D11Asynchronous *)o->predicate);
    ID3D11DeviceContext_End(e->context, (ID3D11Asynchronous *)o->predicate);
    ID3D11DeviceContext_SetPredication(e->context, o->predicate, FALSE);
    fill(e, o, 0, 1, RED);
    ID3D11DeviceContext_SetPredication(e->context, NULL, FALSE);
    fill(e, o, 1, 1, YELLOW);
    return S_OK;
}

HRESULT example_draw(const struct example *e)
{
    struct objects o = {0};
    HRESULT result = make(e, &o);
    if (SUCCEEDED(result))
        result = draw(e, &o);
    example_release(o.vs);
    example_release(o.ps);
    for (int i = 0; i < COLOURS; i++)
        example_release(o.colours[i]);
    example_release(o.samples);
    example_release(o.predicate);
    return result;
}
