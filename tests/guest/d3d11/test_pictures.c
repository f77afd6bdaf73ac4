/* SPDX-License-Identifier: MIT
 *
 * What programs draw: triangles, constants that change, command lists, copies, queries, swap chains.
 */
#include "runtime.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

static const FLOAT black[4] = {0, 0, 0, 1}, red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1},
                   blue[4] = {0, 0, 1, 1};

/* A target, and a pipeline that fills it with the colour of a dynamic constant buffer. */
struct scene {
    ID3D11Texture2D *texture;
    ID3D11RenderTargetView *target;
    ID3D11VertexShader *vs;
    ID3D11PixelShader *ps;
    ID3D11Buffer *colour;
};

static struct scene begin(void)
{
    const D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_RENDER_TARGET);
    struct scene s = {.texture = runtime_texture(&desc),
                      .vs = runtime_vs(full_screen_vs),
                      .ps = runtime_ps(constant_color_ps),
                      .colour = runtime_buffer(16, D3D11_USAGE_DYNAMIC, D3D11_BIND_CONSTANT_BUFFER, NULL)};
    assert_int_equal(
        ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)s.texture, NULL, &s.target), S_OK);
    return s;
}

static void bind(ID3D11DeviceContext *to, const struct scene *s)
{
    const D3D11_VIEWPORT viewport = {0, 0, SIDE, SIDE, 0, 1};
    ID3D11DeviceContext_OMSetRenderTargets(to, 1, (ID3D11RenderTargetView *const *)&s->target, NULL);
    ID3D11DeviceContext_RSSetViewports(to, 1, &viewport);
    ID3D11DeviceContext_IASetPrimitiveTopology(to, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D11DeviceContext_VSSetShader(to, s->vs, NULL, 0);
    ID3D11DeviceContext_PSSetShader(to, s->ps, NULL, 0);
    ID3D11DeviceContext_PSSetConstantBuffers(to, 0, 1, (ID3D11Buffer *const *)&s->colour);
}

static void set_colour(ID3D11DeviceContext *of, ID3D11Buffer *buffer, const FLOAT colour[4])
{
    D3D11_MAPPED_SUBRESOURCE mapped;
    assert_int_equal(
        ID3D11DeviceContext_Map(of, (ID3D11Resource *)buffer, 0, D3D11_MAP_WRITE_DISCARD, 0, &mapped), S_OK);
    memcpy(mapped.pData, colour, 16);
    ID3D11DeviceContext_Unmap(of, (ID3D11Resource *)buffer, 0);
}

static void end(struct scene *s)
{
    ID3D11DeviceContext_ClearState(context);
    assert_int_equal(ID3D11RenderTargetView_Release(s->target), 0);
    assert_int_equal(ID3D11Texture2D_Release(s->texture), 0);
    assert_int_equal(ID3D11VertexShader_Release(s->vs), 0);
    assert_int_equal(ID3D11PixelShader_Release(s->ps), 0);
    assert_int_equal(ID3D11Buffer_Release(s->colour), 0);
}

static void a_triangle_is_drawn(void **state)
{
    (void)state;
    /* The lower left half, in front of black. */
    static const FLOAT vertices[3][4] = {
        {-1, 1,  0, 1},
        {1,  -1, 0, 1},
        {-1, -1, 0, 1}
    };
    static const D3D11_INPUT_ELEMENT_DESC element = {
        "POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};
    struct scene s = begin();
    ID3D11Buffer *buffer =
        runtime_buffer(sizeof vertices, D3D11_USAGE_IMMUTABLE, D3D11_BIND_VERTEX_BUFFER, vertices);
    ID3D11VertexShader *vs = runtime_vs(position_vs);
    ID3D11InputLayout *layout;
    UINT stride = 16, offset = 0;
    SIZE_T size;
    void *code = runtime_assemble(position_vs, &size);
    assert_int_equal(ID3D11Device_CreateInputLayout(device, &element, 1, code, size, &layout), S_OK);
    runtime_free(code);
    bind(context, &s);
    ID3D11DeviceContext_VSSetShader(context, vs, NULL, 0);
    ID3D11DeviceContext_IASetInputLayout(context, layout);
    ID3D11DeviceContext_IASetVertexBuffers(context, 0, 1, &buffer, &stride, &offset);
    ID3D11DeviceContext_ClearRenderTargetView(context, s.target, black);
    set_colour(context, s.colour, red);
    /* The triangle is the other way round: nothing is culled. */
    const D3D11_RASTERIZER_DESC raster = {.FillMode = D3D11_FILL_SOLID, .CullMode = D3D11_CULL_NONE};
    ID3D11RasterizerState *rasterizer;
    assert_int_equal(ID3D11Device_CreateRasterizerState(device, &raster, &rasterizer), S_OK);
    ID3D11DeviceContext_RSSetState(context, rasterizer);
    ID3D11DeviceContext_Draw(context, 3, 0);
    /* Released while they are bound and the draw is in flight. */
    ID3D11RasterizerState_Release(rasterizer);
    ID3D11InputLayout_Release(layout);
    ID3D11VertexShader_Release(vs);
    ID3D11Buffer_Release(buffer);
    assert_int_equal(runtime_texel(context, s.texture, 1, SIDE - 2), RED);
    assert_int_equal(runtime_texel(context, s.texture, SIDE - 2, 1), BLACK);
    end(&s);
}

static void each_draw_sees_its_constants(void **state)
{
    (void)state;
    struct scene s = begin();
    bind(context, &s);
    ID3D11DeviceContext_ClearRenderTargetView(context, s.target, black);
    for (UINT i = 0; i < SIDE; i++) {
        const D3D11_VIEWPORT row = {0, (FLOAT)i, SIDE, 1, 0, 1};
        const FLOAT colour[4] = {(FLOAT)i / 255.0f, 0, 0, 1};
        set_colour(context, s.colour, colour);
        ID3D11DeviceContext_RSSetViewports(context, 1, &row);
        ID3D11DeviceContext_Draw(context, 3, 0);
    }
    for (UINT i = 0; i < SIDE; i += 5)
        assert_int_equal(runtime_texel(context, s.texture, 3, i), BLACK | i);
    end(&s);
}

static void lists_are_recorded_and_executed(void **state)
{
    (void)state;
    struct scene s = begin();
    ID3D11DeviceContext *deferred;
    ID3D11CommandList *list, *second;
    ID3D11RenderTargetView *bound;
    D3D11_PRIMITIVE_TOPOLOGY topology;
    assert_int_equal(ID3D11Device_CreateDeferredContext(device, 0, &deferred), S_OK);
    assert_int_equal(ID3D11DeviceContext_GetType(deferred), D3D11_DEVICE_CONTEXT_DEFERRED);
    bind(deferred, &s);
    set_colour(deferred, s.colour, green);
    ID3D11DeviceContext_Draw(deferred, 3, 0);
    assert_int_equal(ID3D11DeviceContext_FinishCommandList(deferred, TRUE, &list), S_OK);
    /* The state was kept: the next list draws with it. */
    set_colour(deferred, s.colour, blue);
    ID3D11DeviceContext_Draw(deferred, 3, 0);
    assert_int_equal(ID3D11DeviceContext_FinishCommandList(deferred, FALSE, &second), S_OK);
    ID3D11DeviceContext_OMGetRenderTargets(deferred, 1, &bound, NULL);
    assert_null(bound);
    assert_int_equal(ID3D11DeviceContext_FinishCommandList(context, FALSE, NULL), DXGI_ERROR_INVALID_CALL);

    ID3D11DeviceContext_IASetPrimitiveTopology(context, D3D11_PRIMITIVE_TOPOLOGY_POINTLIST);
    ID3D11DeviceContext_ClearRenderTargetView(context, s.target, black);
    ID3D11DeviceContext_ExecuteCommandList(context, list, TRUE);
    ID3D11DeviceContext_IAGetPrimitiveTopology(context, &topology);
    assert_int_equal(topology, D3D11_PRIMITIVE_TOPOLOGY_POINTLIST);
    assert_int_equal(runtime_texel(context, s.texture, 8, 8), GREEN);
    ID3D11DeviceContext_ExecuteCommandList(context, second, FALSE);
    ID3D11DeviceContext_IAGetPrimitiveTopology(context, &topology);
    assert_int_equal(topology, D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED);
    assert_int_equal(runtime_texel(context, s.texture, 8, 8), BLUE);
    assert_int_equal(ID3D11CommandList_Release(list), 0);
    assert_int_equal(ID3D11CommandList_Release(second), 0);
    assert_int_equal(ID3D11DeviceContext_Release(deferred), 0);
    end(&s);
}

/* A list keeps what it uses. */
static void lists_outlive_references(void **state)
{
    (void)state;
    struct scene s = begin();
    const D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_SHADER_RESOURCE);
    D3D11_SUBRESOURCE_DATA data = {.SysMemPitch = SIDE * 4};
    UINT texels[SIDE * SIDE];
    ID3D11DeviceContext *deferred;
    ID3D11CommandList *list;
    ID3D11Texture2D *texture;
    ID3D11ShaderResourceView *view;
    ID3D11PixelShader *ps = runtime_ps(texture_ps);
    for (UINT i = 0; i < SIDE * SIDE; i++)
        texels[i] = 0xff123456;
    data.pSysMem = texels;
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, &data, &texture), S_OK);
    assert_int_equal(ID3D11Device_CreateShaderResourceView(device, (ID3D11Resource *)texture, NULL, &view),
                     S_OK);
    assert_int_equal(ID3D11Device_CreateDeferredContext(device, 0, &deferred), S_OK);
    bind(deferred, &s);
    ID3D11DeviceContext_PSSetShader(deferred, ps, NULL, 0);
    ID3D11DeviceContext_PSSetShaderResources(deferred, 0, 1, &view);
    ID3D11DeviceContext_Draw(deferred, 3, 0);
    assert_int_equal(ID3D11DeviceContext_FinishCommandList(deferred, FALSE, &list), S_OK);
    ID3D11DeviceContext_Release(deferred);
    ID3D11PixelShader_Release(ps);
    ID3D11ShaderResourceView_Release(view);
    ID3D11Texture2D_Release(texture);
    ID3D11DeviceContext_ExecuteCommandList(context, list, FALSE);
    assert_int_equal(runtime_texel(context, s.texture, 8, 8), 0xff123456);
    ID3D11CommandList_Release(list);
    end(&s);
}

static void regions_are_copied(void **state)
{
    (void)state;
    struct scene s = begin();
    const D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_SHADER_RESOURCE);
    ID3D11Texture2D *other = runtime_texture(&desc);
    const D3D11_BOX box = {0, 0, 0, 4, 4, 1}, outside = {0, 0, 0, SIDE + 1, 4, 1}, one = {5, 6, 0, 6, 7, 1};
    UINT texel = 0xff654321;
    ID3D11Resource *from = (ID3D11Resource *)s.texture, *to = (ID3D11Resource *)other;
    ID3D11DeviceContext_ClearRenderTargetView(context, s.target, green);
    ID3D11DeviceContext_CopySubresourceRegion(context, to, 0, 8, 8, 0, from, 0, &box);
    assert_int_equal(runtime_texel(context, other, 7, 8), 0);
    assert_int_equal(runtime_texel(context, other, 8, 8), GREEN);
    assert_int_equal(runtime_texel(context, other, 11, 11), GREEN);
    assert_int_equal(runtime_texel(context, other, 12, 11), 0);
    /* Regions that are not inside, in either, do nothing. */
    ID3D11DeviceContext_CopySubresourceRegion(context, to, 0, 0, 0, 0, from, 0, &outside);
    ID3D11DeviceContext_CopySubresourceRegion(context, to, 0, SIDE - 3, 0, 0, from, 0, &box);
    assert_int_equal(runtime_texel(context, other, 0, 0), 0);
    assert_int_equal(runtime_texel(context, other, SIDE - 2, 0), 0);
    ID3D11DeviceContext_UpdateSubresource(context, to, 0, &one, &texel, 4, 0);
    assert_int_equal(runtime_texel(context, other, 5, 6), 0xff654321);
    assert_int_equal(runtime_texel(context, other, 6, 6), 0);
    ID3D11Texture2D_Release(other);
    end(&s);
}

static void queries_count_and_predicate(void **state)
{
    (void)state;
    struct scene s = begin();
    const D3D11_QUERY_DESC occlusion = {D3D11_QUERY_OCCLUSION, 0},
                           predicate = {D3D11_QUERY_OCCLUSION_PREDICATE, 0};
    const D3D11_VIEWPORT nothing = {0, 0, 0, 0, 0, 1};
    ID3D11Query *query;
    ID3D11Predicate *any;
    UINT64 samples = 0;
    HRESULT result;
    assert_int_equal(ID3D11Device_CreateQuery(device, &occlusion, &query), S_OK);
    assert_int_equal(ID3D11Device_CreatePredicate(device, &predicate, &any), S_OK);
    bind(context, &s);
    ID3D11DeviceContext_ClearRenderTargetView(context, s.target, black);
    set_colour(context, s.colour, red);
    ID3D11DeviceContext_Begin(context, (ID3D11Asynchronous *)query);
    ID3D11DeviceContext_Draw(context, 3, 0);
    ID3D11DeviceContext_End(context, (ID3D11Asynchronous *)query);
    do
        result =
            ID3D11DeviceContext_GetData(context, (ID3D11Asynchronous *)query, &samples, sizeof samples, 0);
    while (result == S_FALSE);
    assert_int_equal(result, S_OK);
    assert_int_equal(samples, SIDE * SIDE);
    ID3D11DeviceContext_Begin(context, (ID3D11Asynchronous *)any);
    ID3D11DeviceContext_RSSetViewports(context, 1, &nothing);
    ID3D11DeviceContext_Draw(context, 3, 0);
    ID3D11DeviceContext_End(context, (ID3D11Asynchronous *)any);
    bind(context, &s);
    set_colour(context, s.colour, green);
    /* Nothing passed: with the value FALSE what follows is not drawn. */
    ID3D11DeviceContext_SetPredication(context, any, FALSE);
    ID3D11DeviceContext_Draw(context, 3, 0);
    ID3D11DeviceContext_SetPredication(context, NULL, FALSE);
    assert_int_equal(runtime_texel(context, s.texture, 8, 8), RED);
    assert_int_equal(ID3D11Query_Release(query), 0);
    assert_int_equal(ID3D11Predicate_Release(any), 0);
    end(&s);
}

static void fences_are_signalled(void **state)
{
    (void)state;
    ID3D11Device5 *newer_device;
    ID3D11DeviceContext4 *newer;
    ID3D11Fence *fence;
    _Atomic int event = 0, later = 0;
    ID3D11Device_QueryInterface(device, &IID_ID3D11Device5, (void **)&newer_device);
    ID3D11DeviceContext_QueryInterface(context, &IID_ID3D11DeviceContext4, (void **)&newer);
    assert_int_equal(
        ID3D11Device5_CreateFence(newer_device, 3, D3D11_FENCE_FLAG_NONE, &IID_ID3D11Fence, (void **)&fence),
        S_OK);
    assert_int_equal(ID3D11Fence_GetCompletedValue(fence), 3);
    assert_int_equal(ID3D11Fence_SetEventOnCompletion(fence, 5, (HANDLE)&later), S_OK);
    assert_int_equal(later, 0);
    assert_int_equal(ID3D11DeviceContext4_Signal(newer, fence, 4), S_OK);
    assert_int_equal(ID3D11DeviceContext4_Wait(newer, fence, 4), S_OK);
    assert_int_equal(ID3D11Fence_SetEventOnCompletion(fence, 4, (HANDLE)&event), S_OK);
    assert_int_equal(event, 1);
    assert_int_equal(ID3D11Fence_GetCompletedValue(fence), 4);
    assert_int_equal(ID3D11DeviceContext4_Signal(newer, fence, 5), S_OK);
    assert_int_equal(later, 1);
    assert_int_equal(ID3D11Fence_Release(fence), 0);
    ID3D11DeviceContext4_Release(newer);
    ID3D11Device5_Release(newer_device);
}

static void *signal_later(void *fence)
{
    ID3D11DeviceContext4 *newer = interface_of(context, &IID_ID3D11DeviceContext4);
    const struct timespec pause = {0, 30000000};
    nanosleep(&pause, NULL);
    ID3D11DeviceContext4_Signal(newer, fence, 2);
    ID3D11DeviceContext4_Release(newer);
    return NULL;
}

/* A wait without an event ends with the signal of another thread. */
static void threads_wait_for_fences(void **state)
{
    (void)state;
    ID3D11Device5 *newer = interface_of(device, &IID_ID3D11Device5);
    ID3D11Fence *fence;
    pthread_t thread;
    assert_int_equal(
        ID3D11Device5_CreateFence(newer, 0, D3D11_FENCE_FLAG_NONE, &IID_ID3D11Fence, (void **)&fence), S_OK);
    assert_int_equal(pthread_create(&thread, NULL, signal_later, fence), 0);
    assert_int_equal(ID3D11Fence_SetEventOnCompletion(fence, 2, NULL), S_OK);
    assert_int_equal(ID3D11Fence_GetCompletedValue(fence), 2);
    pthread_join(thread, NULL);
    ID3D11Fence_Release(fence);
    ID3D11Device5_Release(newer);
}

/* ---- Swap chains --------------------------------------------------------------------------------------- */

static IDXGIFactory2 *factory_of_device(void)
{
    IDXGIDevice *dxgi;
    IDXGIAdapter *adapter;
    IDXGIFactory2 *factory;
    ID3D11Device_QueryInterface(device, &IID_IDXGIDevice, (void **)&dxgi);
    IDXGIDevice_GetAdapter(dxgi, &adapter);
    assert_int_equal(IDXGIAdapter_GetParent(adapter, &IID_IDXGIFactory2, (void **)&factory), S_OK);
    IDXGIAdapter_Release(adapter);
    IDXGIDevice_Release(dxgi);
    return factory;
}

static const DXGI_SWAP_CHAIN_DESC1 flipped = {
    .Width = SIDE,
    .Height = SIDE,
    .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
    .SampleDesc = {1, 0},
    .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
    .BufferCount = 2,
    .SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD
};

static void presents_are_seen(void **state)
{
    (void)state;
    static const uint8_t texel[4] = {0, 255, 0, 255};
    IDXGIFactory2 *factory = factory_of_device();
    const ULONG before = count_of(device);
    IDXGISwapChain1 *chain;
    ID3D11Texture2D *buffer;
    ID3D11RenderTargetView *view, *bound;
    DXGI_SWAP_CHAIN_DESC1 desc;
    UINT count;
    assert_int_equal(
        IDXGIFactory2_CreateSwapChainForComposition(factory, (IUnknown *)device, &flipped, NULL, &chain),
        S_OK);
    assert_int_equal(count_of(device), before + 1);
    assert_int_equal(IDXGISwapChain1_GetBuffer(chain, 0, &IID_ID3D11Texture2D, (void **)&buffer), S_OK);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)buffer, NULL, &view),
                     S_OK);
    ID3D11Texture2D_Release(buffer);
    ID3D11DeviceContext_OMSetRenderTargets(context, 1, &view, NULL);
    ID3D11DeviceContext_ClearRenderTargetView(context, view, green);
    assert_int_equal(IDXGISwapChain1_Present(chain, 5, 0), DXGI_ERROR_INVALID_CALL);
    assert_int_equal(IDXGISwapChain1_Present(chain, 0, DXGI_PRESENT_TEST), S_OK);
    assert_int_equal(runtime_present_count, 0);
    assert_int_equal(IDXGISwapChain1_Present(chain, 0, 0), S_OK);
    /* What was flipped away is bound no more. */
    ID3D11DeviceContext_OMGetRenderTargets(context, 1, &bound, NULL);
    assert_null(bound);
    for (UINT i = 0; i < 5; i++)
        assert_int_equal(IDXGISwapChain1_Present(chain, 0, 0), S_OK);
    assert_int_equal(IDXGISwapChain1_GetLastPresentCount(chain, &count), S_OK);
    assert_int_equal(count, 6);
    assert_true(runtime_present_count > 0);
    assert_memory_equal(runtime_present_texel, texel, sizeof texel);
    /* A view keeps the size. */
    assert_int_equal(IDXGISwapChain1_ResizeBuffers(chain, 0, 8, 8, DXGI_FORMAT_UNKNOWN, 0),
                     DXGI_ERROR_INVALID_CALL);
    ID3D11RenderTargetView_Release(view);
    assert_int_equal(IDXGISwapChain1_ResizeBuffers(chain, 3, 8, 4, DXGI_FORMAT_UNKNOWN, 0), S_OK);
    assert_int_equal(IDXGISwapChain1_GetDesc1(chain, &desc), S_OK);
    assert_int_equal(desc.Width, 8);
    assert_int_equal(desc.Height, 4);
    assert_int_equal(desc.BufferCount, 3);
    assert_int_equal(desc.Format, DXGI_FORMAT_R8G8B8A8_UNORM);
    assert_int_equal(IDXGISwapChain1_Release(chain), 0);
    assert_int_equal(count_of(device), before);
    IDXGIFactory2_Release(factory);
}

/* R10G10B10_XR_BIAS_A2 has no views of its own: its targets are R10G10B10A2's, of which a display shows 384
 * as black and 894 as white (D3D11.3 3.2.3.8). */
static void extended_ranges_are_shown(void **state)
{
    (void)state;
    static const uint8_t texel[4] = {127, 255, 0, 255};
    static const float colour[4] = {638 / 1023.0f, 894 / 1023.0f, 384 / 1023.0f, 1};
    static char window;
    const D3D11_RENDER_TARGET_VIEW_DESC as_unorm = {.Format = DXGI_FORMAT_R10G10B10A2_UNORM,
                                                    .ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2D},
                                        as_bytes = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                                    .ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2D};
    IDXGIFactory2 *factory = factory_of_device();
    DXGI_SWAP_CHAIN_DESC1 desc = flipped;
    IDXGISwapChain1 *chain;
    ID3D11Texture2D *buffer;
    ID3D11RenderTargetView *view;
    desc.Format = DXGI_FORMAT_R10G10B10_XR_BIAS_A2_UNORM;
    desc.SwapEffect = DXGI_SWAP_EFFECT_DISCARD;
    desc.BufferCount = 1;
    assert_int_equal(IDXGIFactory2_CreateSwapChainForHwnd(factory, (IUnknown *)device, (HWND)&window, &desc,
                                                          NULL, NULL, &chain),
                     S_OK);
    assert_int_equal(IDXGISwapChain1_GetBuffer(chain, 0, &IID_ID3D11Texture2D, (void **)&buffer), S_OK);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)buffer, NULL, &view),
                     E_INVALIDARG);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)buffer, &as_bytes, &view),
                     E_INVALIDARG);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)buffer, &as_unorm, &view),
                     S_OK);
    ID3D11Texture2D_Release(buffer);
    ID3D11DeviceContext_ClearRenderTargetView(context, view, colour);
    ID3D11RenderTargetView_Release(view);
    assert_int_equal(IDXGISwapChain1_Present(chain, 0, 0), S_OK);
    ID3D11DeviceContext_Flush(context);
    for (UINT i = 0; i < 4; i++)
        assert_int_equal(IDXGISwapChain1_Present(chain, 0, 0), S_OK);
    assert_true(runtime_present_count > 0);
    assert_memory_equal(runtime_present_texel, texel, sizeof texel);
    assert_int_equal(IDXGISwapChain1_Release(chain), 0);
    IDXGIFactory2_Release(factory);
}

static void check_fullscreen(IDXGISwapChain1 *chain, BOOL is_full, IDXGIOutput *wanted)
{
    DXGI_SWAP_CHAIN_FULLSCREEN_DESC fullscreen_desc;
    DXGI_SWAP_CHAIN_DESC desc;
    IDXGIOutput *output = NULL;
    BOOL got = !is_full;
    assert_int_equal(IDXGISwapChain1_GetFullscreenState(chain, &got, &output), S_OK);
    assert_int_equal(got, is_full);
    assert_true(wanted ? output == wanted : (output != NULL) == (is_full != FALSE));
    if (output)
        IDXGIOutput_Release(output);
    assert_int_equal(IDXGISwapChain1_GetDesc(chain, &desc), S_OK);
    assert_int_equal(desc.Windowed, !is_full);
    assert_int_equal(IDXGISwapChain1_GetFullscreenDesc(chain, &fullscreen_desc), S_OK);
    assert_int_equal(fullscreen_desc.Windowed, !is_full);
}

static void swap_chains_fill_outputs(void **state)
{
    (void)state;
    static char window;
    const DXGI_SWAP_CHAIN_FULLSCREEN_DESC full = {.Windowed = FALSE};
    IDXGIFactory2 *factory = factory_of_device();
    const ULONG before = count_of(factory);
    IDXGISwapChain1 *chain;
    IDXGIOutput *output, *containing;
    assert_int_equal(IDXGIFactory2_CreateSwapChainForHwnd(factory, (IUnknown *)device, (HWND)&window,
                                                          &flipped, NULL, NULL, &chain),
                     S_OK);
    check_fullscreen(chain, FALSE, NULL);
    assert_int_equal(IDXGISwapChain1_GetContainingOutput(chain, &output), S_OK);
    assert_int_equal(IDXGISwapChain1_SetFullscreenState(chain, FALSE, output), DXGI_ERROR_INVALID_CALL);
    assert_int_equal(IDXGISwapChain1_SetFullscreenState(chain, TRUE, output), S_OK);
    check_fullscreen(chain, TRUE, output);
    assert_int_equal(IDXGISwapChain1_GetContainingOutput(chain, &containing), S_OK);
    assert_ptr_equal(containing, output);
    IDXGIOutput_Release(containing);
    assert_int_equal(IDXGISwapChain1_SetFullscreenState(chain, TRUE, NULL), S_OK);
    assert_int_equal(IDXGISwapChain1_ResizeBuffers(chain, 0, 8, 8, DXGI_FORMAT_UNKNOWN, 0), S_OK);
    assert_int_equal(IDXGISwapChain1_Present(chain, 0, 0), S_OK);
    assert_int_equal(IDXGISwapChain1_SetFullscreenState(chain, FALSE, NULL), S_OK);
    check_fullscreen(chain, FALSE, NULL);
    assert_int_equal(IDXGISwapChain1_SetFullscreenState(chain, FALSE, NULL), S_OK);
    assert_int_equal(IDXGIOutput_Release(output), 0);
    assert_int_equal(IDXGISwapChain1_Release(chain), 0);
    /* One that begins so, and ends so. */
    assert_int_equal(IDXGIFactory2_CreateSwapChainForHwnd(factory, (IUnknown *)device, (HWND)&window,
                                                          &flipped, &full, NULL, &chain),
                     S_OK);
    check_fullscreen(chain, TRUE, NULL);
    assert_int_equal(IDXGISwapChain1_Release(chain), 0);
    assert_int_equal(count_of(factory), before);
    IDXGIFactory2_Release(factory);
}

/* What is composed has no window, and none of its methods. */
static void composed_chains_have_no_window(void **state)
{
    (void)state;
    const DXGI_MODE_DESC mode = {.Width = SIDE, .Height = SIDE};
    IDXGIFactory2 *factory = factory_of_device();
    IDXGISwapChain1 *chain;
    IDXGIOutput *output;
    HWND window;
    assert_int_equal(
        IDXGIFactory2_CreateSwapChainForComposition(factory, (IUnknown *)device, &flipped, NULL, &chain),
        S_OK);
    assert_int_equal(IDXGISwapChain1_SetFullscreenState(chain, TRUE, NULL), DXGI_ERROR_INVALID_CALL);
    assert_int_equal(IDXGISwapChain1_ResizeTarget(chain, &mode), DXGI_ERROR_INVALID_CALL);
    assert_int_equal(IDXGISwapChain1_GetContainingOutput(chain, &output), DXGI_ERROR_INVALID_CALL);
    assert_null(output);
    assert_int_equal(IDXGISwapChain1_GetHwnd(chain, &window), DXGI_ERROR_INVALID_CALL);
    check_fullscreen(chain, FALSE, NULL);
    assert_int_equal(IDXGISwapChain1_Release(chain), 0);
    IDXGIFactory2_Release(factory);
}

static void check_colour_space(IDXGIFactory2 *factory, DXGI_FORMAT format, DXGI_COLOR_SPACE_TYPE right,
                               DXGI_COLOR_SPACE_TYPE wrong)
{
    DXGI_SWAP_CHAIN_DESC1 desc = flipped;
    IDXGISwapChain1 *chain;
    IDXGISwapChain3 *newer;
    UINT support = 7;
    desc.Format = format;
    assert_int_equal(
        IDXGIFactory2_CreateSwapChainForComposition(factory, (IUnknown *)device, &desc, NULL, &chain), S_OK);
    newer = interface_of(chain, &IID_IDXGISwapChain3);
    assert_int_equal(IDXGISwapChain3_CheckColorSpaceSupport(newer, right, &support), S_OK);
    assert_int_equal(support, DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG_PRESENT);
    assert_int_equal(IDXGISwapChain3_SetColorSpace1(newer, right), S_OK);
    assert_int_equal(IDXGISwapChain3_CheckColorSpaceSupport(newer, wrong, &support), S_OK);
    assert_int_equal(support, 0);
    assert_int_equal(IDXGISwapChain3_SetColorSpace1(newer, wrong), E_INVALIDARG);
    IDXGISwapChain3_Release(newer);
    IDXGISwapChain1_Release(chain);
}

/* Floats are linear, bytes are not. */
static void swap_chains_have_a_colour_space(void **state)
{
    (void)state;
    const DXGI_COLOR_SPACE_TYPE srgb = DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709;
    const DXGI_COLOR_SPACE_TYPE linear = DXGI_COLOR_SPACE_RGB_FULL_G10_NONE_P709;
    IDXGIFactory2 *factory = factory_of_device();
    check_colour_space(factory, DXGI_FORMAT_B8G8R8A8_UNORM, srgb, linear);
    check_colour_space(factory, DXGI_FORMAT_R10G10B10A2_UNORM, srgb,
                       DXGI_COLOR_SPACE_RGB_FULL_G2084_NONE_P2020);
    check_colour_space(factory, DXGI_FORMAT_R16G16B16A16_FLOAT, linear, srgb);
    IDXGIFactory2_Release(factory);
}

static void swap_chains_are_checked(void **state)
{
    (void)state;
    IDXGIFactory2 *factory = factory_of_device();
    IDXGISwapChain1 *chain;
    DXGI_SWAP_CHAIN_DESC1 desc = flipped;
#define TRY() IDXGIFactory2_CreateSwapChainForComposition(factory, (IUnknown *)device, &desc, NULL, &chain)
    desc.BufferCount = 1;
    assert_int_equal(TRY(), DXGI_ERROR_INVALID_CALL);
    assert_null(chain);
    desc = flipped;
    desc.SampleDesc.Count = 4;
    assert_int_equal(TRY(), DXGI_ERROR_INVALID_CALL);
    desc = flipped;
    desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM_SRGB;
    assert_int_equal(TRY(), DXGI_ERROR_INVALID_CALL);
    desc = flipped;
    desc.SwapEffect = DXGI_SWAP_EFFECT_DISCARD;
    assert_int_equal(TRY(), DXGI_ERROR_INVALID_CALL);
    desc = flipped;
    desc.BufferCount = 17;
    assert_int_equal(TRY(), DXGI_ERROR_INVALID_CALL);
    assert_int_equal(
        IDXGIFactory2_CreateSwapChainForHwnd(factory, (IUnknown *)device, NULL, &flipped, NULL, NULL, &chain),
        DXGI_ERROR_INVALID_CALL);
    IDXGIFactory2_Release(factory);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(a_triangle_is_drawn),
        RUNTIME_TEST(each_draw_sees_its_constants),
        RUNTIME_TEST(lists_are_recorded_and_executed),
        RUNTIME_TEST(lists_outlive_references),
        RUNTIME_TEST(regions_are_copied),
        RUNTIME_TEST(queries_count_and_predicate),
        RUNTIME_TEST(fences_are_signalled),
        RUNTIME_TEST(threads_wait_for_fences),
        RUNTIME_TEST(presents_are_seen),
        RUNTIME_TEST(extended_ranges_are_shown),
        RUNTIME_TEST(swap_chains_fill_outputs),
        RUNTIME_TEST(composed_chains_have_no_window),
        RUNTIME_TEST(swap_chains_have_a_colour_space),
        RUNTIME_TEST(swap_chains_are_checked),
    };
    return runtime_main(argc, argv, "guest/d3d11/pictures", tests, sizeof tests / sizeof tests[0]);
}
