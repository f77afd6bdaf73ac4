/* SPDX-License-Identifier: MIT
 *
 * What getters answer, and what leaves its slot when a resource becomes something else.
 */
#include "runtime.h"

#include <string.h>

struct views {
    ID3D11Texture2D *texture;
    ID3D11Resource *resource;
    ID3D11ShaderResourceView *srv;
    ID3D11RenderTargetView *rtv;
    ID3D11UnorderedAccessView *uav;
};

static struct views make_views(void)
{
    const D3D11_TEXTURE2D_DESC desc =
        texture_desc(D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_RENDER_TARGET | D3D11_BIND_UNORDERED_ACCESS);
    struct views v = {.texture = runtime_texture(&desc)};
    v.resource = (ID3D11Resource *)v.texture;
    assert_int_equal(ID3D11Device_CreateShaderResourceView(device, v.resource, NULL, &v.srv), S_OK);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, v.resource, NULL, &v.rtv), S_OK);
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, v.resource, NULL, &v.uav), S_OK);
    return v;
}

static void end_views(struct views *v)
{
    ID3D11ShaderResourceView_Release(v->srv);
    ID3D11RenderTargetView_Release(v->rtv);
    ID3D11UnorderedAccessView_Release(v->uav);
    ID3D11Texture2D_Release(v->texture);
}

/* Compares what a slot holds, without keeping the reference that the getter gives. */
static void is_same(void *got, const void *wanted)
{
    assert_ptr_equal(got, wanted);
    if (got)
        IUnknown_Release((IUnknown *)got);
}

static void has_srv(UINT slot, const void *wanted)
{
    ID3D11ShaderResourceView *got;
    ID3D11DeviceContext_PSGetShaderResources(context, slot, 1, &got);
    is_same(got, wanted);
}

static void has_target(UINT slot, const void *wanted)
{
    ID3D11RenderTargetView *got[8];
    ID3D11DeviceContext_OMGetRenderTargets(context, 8, got, NULL);
    assert_ptr_equal(got[slot], wanted);
    for (UINT i = 0; i < 8; i++)
        if (got[i])
            ID3D11RenderTargetView_Release(got[i]);
}

static void has_compute_uav(UINT slot, const void *wanted)
{
    ID3D11UnorderedAccessView *got;
    ID3D11DeviceContext_CSGetUnorderedAccessViews(context, slot, 1, &got);
    is_same(got, wanted);
}

static void an_output_ends_inputs(void **state)
{
    (void)state;
    struct views v = make_views();
    ID3D11DeviceContext_PSSetShaderResources(context, 5, 1, &v.srv);
    has_srv(5, v.srv);
    ID3D11DeviceContext_OMSetRenderTargets(context, 1, &v.rtv, NULL);
    has_srv(5, NULL);
    has_target(0, v.rtv);
    /* And it cannot become an input while it is an output. */
    ID3D11DeviceContext_PSSetShaderResources(context, 5, 1, &v.srv);
    has_srv(5, NULL);
    ID3D11DeviceContext_OMSetRenderTargets(context, 0, NULL, NULL);
    ID3D11DeviceContext_PSSetShaderResources(context, 5, 1, &v.srv);
    has_srv(5, v.srv);
    ID3D11DeviceContext_CSSetUnorderedAccessViews(context, 2, 1, &v.uav, NULL);
    has_srv(5, NULL);
    ID3D11DeviceContext_ClearState(context);
    end_views(&v);
}

static void an_output_ends_older_outputs(void **state)
{
    (void)state;
    struct views v = make_views();
    ID3D11UnorderedAccessView *twice[] = {v.uav, v.uav}, *none = NULL;
    ID3D11DeviceContext_OMSetRenderTargets(context, 1, &v.rtv, NULL);
    ID3D11DeviceContext_CSSetUnorderedAccessViews(context, 0, 1, &v.uav, NULL);
    has_target(0, NULL);
    has_compute_uav(0, v.uav);
    ID3D11DeviceContext_OMSetRenderTargets(context, 1, &v.rtv, NULL);
    has_target(0, v.rtv);
    has_compute_uav(0, NULL);
    /* Twice in one call: the call is dropped. */
    ID3D11DeviceContext_CSSetUnorderedAccessViews(context, 0, 2, twice, NULL);
    has_target(0, v.rtv);
    has_compute_uav(0, NULL);
    /* From one slot to another. */
    ID3D11DeviceContext_CSSetUnorderedAccessViews(context, 0, 1, &v.uav, NULL);
    ID3D11DeviceContext_CSSetUnorderedAccessViews(context, 3, 1, &v.uav, NULL);
    has_compute_uav(0, NULL);
    has_compute_uav(3, v.uav);
    ID3D11DeviceContext_CSSetUnorderedAccessViews(context, 3, 1, &none, NULL);
    has_compute_uav(3, NULL);
    end_views(&v);
}

static void read_only_depth_is_an_input(void **state)
{
    (void)state;
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_DEPTH_STENCIL | D3D11_BIND_SHADER_RESOURCE);
    D3D11_DEPTH_STENCIL_VIEW_DESC dsv_desc = {DXGI_FORMAT_D32_FLOAT, D3D11_DSV_DIMENSION_TEXTURE2D, 0, {{0}}};
    const D3D11_SHADER_RESOURCE_VIEW_DESC srv_desc = {
        DXGI_FORMAT_R32_FLOAT, D3D11_SRV_DIMENSION_TEXTURE2D, {.Texture2D = {0, 1}}};
    ID3D11DepthStencilView *written, *read;
    ID3D11ShaderResourceView *srv;
    ID3D11Texture2D *texture;
    desc.Format = DXGI_FORMAT_R32_TYPELESS;
    texture = runtime_texture(&desc);
    assert_int_equal(
        ID3D11Device_CreateDepthStencilView(device, (ID3D11Resource *)texture, &dsv_desc, &written), S_OK);
    dsv_desc.Flags = D3D11_DSV_READ_ONLY_DEPTH;
    assert_int_equal(ID3D11Device_CreateDepthStencilView(device, (ID3D11Resource *)texture, &dsv_desc, &read),
                     S_OK);
    assert_int_equal(
        ID3D11Device_CreateShaderResourceView(device, (ID3D11Resource *)texture, &srv_desc, &srv), S_OK);
    ID3D11DeviceContext_OMSetRenderTargets(context, 0, NULL, read);
    ID3D11DeviceContext_PSSetShaderResources(context, 0, 1, &srv);
    has_srv(0, srv);
    ID3D11DeviceContext_OMSetRenderTargets(context, 0, NULL, written);
    has_srv(0, NULL);
    ID3D11DeviceContext_ClearState(context);
    ID3D11DepthStencilView_Release(written);
    ID3D11DepthStencilView_Release(read);
    ID3D11ShaderResourceView_Release(srv);
    ID3D11Texture2D_Release(texture);
}

static void other_mips_are_other_subresources(void **state)
{
    (void)state;
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE);
    const D3D11_SHADER_RESOURCE_VIEW_DESC srv_desc = {
        desc.Format, D3D11_SRV_DIMENSION_TEXTURE2D, {.Texture2D = {0, 1}}};
    const D3D11_RENDER_TARGET_VIEW_DESC rtv_desc = {
        desc.Format, D3D11_RTV_DIMENSION_TEXTURE2D, {.Texture2D = {1}}};
    ID3D11ShaderResourceView *srv;
    ID3D11RenderTargetView *rtv;
    ID3D11Texture2D *texture;
    desc.MipLevels = 2;
    texture = runtime_texture(&desc);
    assert_int_equal(
        ID3D11Device_CreateShaderResourceView(device, (ID3D11Resource *)texture, &srv_desc, &srv), S_OK);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)texture, &rtv_desc, &rtv),
                     S_OK);
    ID3D11DeviceContext_PSSetShaderResources(context, 0, 1, &srv);
    ID3D11DeviceContext_OMSetRenderTargets(context, 1, &rtv, NULL);
    has_srv(0, srv);
    has_target(0, rtv);
    ID3D11DeviceContext_ClearState(context);
    ID3D11ShaderResourceView_Release(srv);
    ID3D11RenderTargetView_Release(rtv);
    ID3D11Texture2D_Release(texture);
}

static void targets_of_one_set_are_alike(void **state)
{
    (void)state;
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_RENDER_TARGET);
    ID3D11Texture2D *textures[2];
    ID3D11RenderTargetView *views[2];
    textures[0] = runtime_texture(&desc);
    desc.SampleDesc.Count = 4;
    textures[1] = runtime_texture(&desc);
    for (UINT i = 0; i < 2; i++)
        assert_int_equal(
            ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)textures[i], NULL, &views[i]),
            S_OK);
    ID3D11DeviceContext_OMSetRenderTargets(context, 1, views, NULL);
    ID3D11DeviceContext_OMSetRenderTargets(context, 2, views, NULL);
    has_target(0, views[0]);
    has_target(1, NULL);
    ID3D11DeviceContext_ClearState(context);
    for (UINT i = 0; i < 2; i++) {
        ID3D11RenderTargetView_Release(views[i]);
        ID3D11Texture2D_Release(textures[i]);
    }
}

static void assembler_is_told_back(void **state)
{
    (void)state;
    ID3D11Buffer *buffer =
        runtime_buffer(256, D3D11_USAGE_DEFAULT,
                       D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_STREAM_OUTPUT, NULL);
    ID3D11Buffer *got[2];
    UINT stride = 12, offset = 24, strides[2], offsets[2];
    D3D11_PRIMITIVE_TOPOLOGY topology;
    DXGI_FORMAT format;
    ID3D11DeviceContext_IASetVertexBuffers(context, 7, 1, &buffer, &stride, &offset);
    ID3D11DeviceContext_IAGetVertexBuffers(context, 7, 2, got, strides, offsets);
    is_same(got[0], buffer);
    assert_null(got[1]);
    assert_int_equal(strides[0], 12);
    assert_int_equal(offsets[0], 24);
    assert_int_equal(strides[1], 0);
    ID3D11DeviceContext_IASetIndexBuffer(context, buffer, DXGI_FORMAT_R16_UINT, 6);
    ID3D11DeviceContext_IAGetIndexBuffer(context, &got[0], &format, &offset);
    is_same(got[0], buffer);
    assert_int_equal(format, DXGI_FORMAT_R16_UINT);
    assert_int_equal(offset, 6);
    ID3D11DeviceContext_IASetPrimitiveTopology(context, D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP);
    ID3D11DeviceContext_IAGetPrimitiveTopology(context, &topology);
    assert_int_equal(topology, D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP);
    /* The buffer becomes an output: both inputs end. */
    offset = 0;
    ID3D11DeviceContext_SOSetTargets(context, 1, &buffer, &offset);
    ID3D11DeviceContext_SOGetTargets(context, 1, got);
    is_same(got[0], buffer);
    ID3D11DeviceContext_IAGetVertexBuffers(context, 7, 1, got, strides, offsets);
    assert_null(got[0]);
    ID3D11DeviceContext_IAGetIndexBuffer(context, &got[0], &format, &offset);
    assert_null(got[0]);
    ID3D11DeviceContext_ClearState(context);
    ID3D11Buffer_Release(buffer);
}

static void rasterizer_is_told_back(void **state)
{
    (void)state;
    const D3D11_VIEWPORT viewports[2] = {
        {1, 2, 3, 4, 0,     1   },
        {0, 0, 8, 8, 0.25f, 0.5f}
    };
    const D3D11_VIEWPORT wrong = {0, 0, 8, 8, 1, 0.5f};
    const D3D11_RECT rect = {1, 2, 3, 4};
    D3D11_VIEWPORT got[16];
    D3D11_RECT rects[16];
    UINT count = 16;
    ID3D11DeviceContext_RSGetViewports(context, &count, NULL);
    assert_int_equal(count, 0);
    ID3D11DeviceContext_RSSetViewports(context, 2, viewports);
    ID3D11DeviceContext_RSSetViewports(context, 1, &wrong);
    count = 16;
    ID3D11DeviceContext_RSGetViewports(context, &count, got);
    assert_int_equal(count, 2);
    assert_memory_equal(got, viewports, sizeof viewports);
    ID3D11DeviceContext_RSSetScissorRects(context, 1, &rect);
    count = 16;
    ID3D11DeviceContext_RSGetScissorRects(context, &count, rects);
    assert_int_equal(count, 1);
    assert_memory_equal(rects, &rect, sizeof rect);
}

static void defaults_come_back(void **state)
{
    (void)state;
    ID3D11BlendState *blend;
    ID3D11DepthStencilState *depth;
    FLOAT factor[4];
    const FLOAT other[4] = {0, 0.25f, 0.5f, 0.75f};
    UINT mask, reference;
    ID3D11DeviceContext_OMSetBlendState(context, NULL, other, 5);
    ID3D11DeviceContext_OMSetDepthStencilState(context, NULL, 9);
    ID3D11DeviceContext_OMGetBlendState(context, &blend, factor, &mask);
    assert_memory_equal(factor, other, sizeof other);
    assert_int_equal(mask, 5);
    ID3D11DeviceContext_ClearState(context);
    ID3D11DeviceContext_OMGetBlendState(context, &blend, factor, &mask);
    ID3D11DeviceContext_OMGetDepthStencilState(context, &depth, &reference);
    assert_null(blend);
    assert_null(depth);
    assert_true(factor[0] == 1 && factor[3] == 1);
    assert_int_equal(mask, 0xffffffff);
    assert_int_equal(reference, 0);
}

static void constants_have_ranges(void **state)
{
    (void)state;
    ID3D11Buffer *buffer = runtime_buffer(1024, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, NULL), *got;
    ID3D11DeviceContext1 *newer;
    UINT first = 16, count = 32;
    assert_int_equal(ID3D11DeviceContext_QueryInterface(context, &IID_ID3D11DeviceContext1, (void **)&newer),
                     S_OK);
    ID3D11DeviceContext1_VSSetConstantBuffers1(newer, 1, 1, &buffer, &first, &count);
    ID3D11DeviceContext1_VSGetConstantBuffers1(newer, 1, 1, &got, &first, &count);
    is_same(got, buffer);
    assert_int_equal(first, 16);
    assert_int_equal(count, 32);
    /* A range that is no multiple of 16 drops the call. */
    first = 8;
    ID3D11DeviceContext1_VSSetConstantBuffers1(newer, 1, 1, &buffer, &first, &count);
    ID3D11DeviceContext1_VSGetConstantBuffers1(newer, 1, 1, &got, &first, &count);
    is_same(got, buffer);
    assert_int_equal(first, 16);
    ID3D11DeviceContext_VSSetConstantBuffers(context, 1, 1, &buffer);
    ID3D11DeviceContext1_VSGetConstantBuffers1(newer, 1, 1, &got, &first, &count);
    is_same(got, buffer);
    assert_int_equal(first, 0);
    assert_int_equal(count, D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT);
    /* Offsets come with counts. */
    first = 16;
    ID3D11DeviceContext1_VSSetConstantBuffers1(newer, 1, 1, &buffer, &first, NULL);
    ID3D11DeviceContext1_VSGetConstantBuffers1(newer, 1, 1, &got, &first, &count);
    is_same(got, buffer);
    assert_int_equal(first, 0);
    /* A slot without a buffer has the whole range. */
    ID3D11DeviceContext1_VSGetConstantBuffers1(newer, 2, 1, &got, &first, &count);
    assert_null(got);
    assert_int_equal(count, D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT);
    ID3D11DeviceContext1_Release(newer);
    ID3D11DeviceContext_ClearState(context);
    ID3D11Buffer_Release(buffer);
}

static void states_of_contexts_are_made_for_any_device_interface(void **state)
{
    (void)state;
    const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
    static const IID *const devices[] = {&IID_ID3D11Device,  &IID_ID3D11Device1, &IID_ID3D11Device2,
                                         &IID_ID3D11Device3, &IID_ID3D11Device4, &IID_ID3D11Device5};
    ID3D11Device1 *newer;
    ID3D11Device_QueryInterface(device, &IID_ID3D11Device1, (void **)&newer);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        assert_int_equal(ID3D11Device1_CreateDeviceContextState(newer, 0, &level, 1, D3D11_SDK_VERSION,
                                                                devices[i], NULL, NULL),
                         S_FALSE);
    assert_int_equal(ID3D11Device1_CreateDeviceContextState(newer, 0, &level, 1, D3D11_SDK_VERSION,
                                                            &IID_ID3D11DeviceContext1, NULL, NULL),
                     E_INVALIDARG);
    ID3D11Device1_Release(newer);
}

static void states_of_contexts_are_exchanged(void **state)
{
    (void)state;
    const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
    ID3D11Device1 *newer_device;
    ID3D11DeviceContext1 *newer;
    ID3DDeviceContextState *other, *before, *after;
    ID3D11Buffer *buffer = runtime_buffer(16, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, NULL), *got;
    ID3D11Device_QueryInterface(device, &IID_ID3D11Device1, (void **)&newer_device);
    ID3D11DeviceContext_QueryInterface(context, &IID_ID3D11DeviceContext1, (void **)&newer);
    assert_int_equal(ID3D11Device1_CreateDeviceContextState(newer_device, 0, &level, 1, D3D11_SDK_VERSION,
                                                            &IID_ID3D11Device1, NULL, &other),
                     S_OK);
    ID3D11DeviceContext_GSSetConstantBuffers(context, 0, 1, &buffer);
    ID3D11DeviceContext1_SwapDeviceContextState(newer, other, &before);
    ID3D11DeviceContext_GSGetConstantBuffers(context, 0, 1, &got);
    assert_null(got);
    ID3D11DeviceContext1_SwapDeviceContextState(newer, before, &after);
    assert_ptr_equal(after, other);
    ID3D11DeviceContext_GSGetConstantBuffers(context, 0, 1, &got);
    is_same(got, buffer);
    ID3DDeviceContextState_Release(before);
    ID3DDeviceContextState_Release(after);
    ID3DDeviceContextState_Release(other);
    ID3D11DeviceContext1_Release(newer);
    ID3D11Device1_Release(newer_device);
    ID3D11Buffer_Release(buffer);
}

static void check_targets(ID3D11Buffer *first, ID3D11Buffer *second)
{
    ID3D11Buffer *got[2];
    ID3D11DeviceContext_SOGetTargets(context, 2, got);
    assert_ptr_equal(got[0], first);
    assert_ptr_equal(got[1], second);
    for (unsigned i = 0; i < 2; i++)
        if (got[i])
            ID3D11Buffer_Release(got[i]);
}

/* A call that Direct3D drops leaves what was bound before. */
static void targets_of_streams_are_dropped_whole(void **state)
{
    (void)state;
    const UINT none[5] = {0}, odd[2] = {0, 6}, rest[2] = {(UINT)-1, 4};
    ID3D11Buffer *a = runtime_buffer(64, D3D11_USAGE_DEFAULT, D3D11_BIND_STREAM_OUTPUT, NULL);
    ID3D11Buffer *b = runtime_buffer(64, D3D11_USAGE_DEFAULT, D3D11_BIND_STREAM_OUTPUT, NULL);
    ID3D11Buffer *const one[] = {a}, *const twice[] = {b, b}, *const both[] = {b, a};
    ID3D11Buffer *const many[5] = {b};
    ID3D11DeviceContext_SOSetTargets(context, 1, one, none);
    check_targets(a, NULL);
    ID3D11DeviceContext_SOSetTargets(context, 2, twice, none);
    check_targets(a, NULL);
    ID3D11DeviceContext_SOSetTargets(context, 2, both, odd);
    check_targets(a, NULL);
    ID3D11DeviceContext_SOSetTargets(context, 5, many, none);
    check_targets(a, NULL);
    ID3D11DeviceContext_SOSetTargets(context, 2, both, rest);
    check_targets(b, a);
    ID3D11DeviceContext_SOSetTargets(context, 0, NULL, NULL);
    check_targets(NULL, NULL);
    ID3D11Buffer_Release(a);
    ID3D11Buffer_Release(b);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(an_output_ends_inputs),
        RUNTIME_TEST(an_output_ends_older_outputs),
        RUNTIME_TEST(read_only_depth_is_an_input),
        RUNTIME_TEST(other_mips_are_other_subresources),
        RUNTIME_TEST(targets_of_one_set_are_alike),
        RUNTIME_TEST(assembler_is_told_back),
        RUNTIME_TEST(rasterizer_is_told_back),
        RUNTIME_TEST(defaults_come_back),
        RUNTIME_TEST(constants_have_ranges),
        RUNTIME_TEST(states_of_contexts_are_made_for_any_device_interface),
        RUNTIME_TEST(states_of_contexts_are_exchanged),
        RUNTIME_TEST(targets_of_streams_are_dropped_whole),
    };
    return runtime_main(argc, argv, "guest/d3d11/bindings", tests, sizeof tests / sizeof tests[0]);
}
