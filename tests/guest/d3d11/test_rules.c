/* SPDX-License-Identifier: MIT
 *
 * Rules of calls that programs meet seldom: what fails, what is dropped, and what is allowed all the same.
 */
#include "runtime.h"

#include <string.h>

static HRESULT predicate_of(D3D11_QUERY type)
{
    const D3D11_QUERY_DESC desc = {type, 0};
    return ID3D11Device_CreatePredicate(device, &desc, NULL);
}

static HRESULT query_of(D3D11_QUERY type)
{
    const D3D11_QUERY_DESC desc = {type, 0};
    return ID3D11Device_CreateQuery(device, &desc, NULL);
}

/* Predicates of all streams, and of samples, have a function of their own; those of one stream are queries.
 */
static void predicates_of_one_stream_are_queries(void **state)
{
    (void)state;
    assert_int_equal(predicate_of(D3D11_QUERY_OCCLUSION_PREDICATE), S_FALSE);
    assert_int_equal(predicate_of(D3D11_QUERY_SO_OVERFLOW_PREDICATE), S_FALSE);
    assert_int_equal(predicate_of(D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM0), E_INVALIDARG);
    assert_int_equal(query_of(D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM0), S_FALSE);
    assert_int_equal(predicate_of(D3D11_QUERY_OCCLUSION), E_INVALIDARG);
}

static void queries_are_asked_without_a_size(void **state)
{
    (void)state;
    const D3D11_QUERY_DESC desc = {D3D11_QUERY_EVENT, 0};
    ID3D11Query *query;
    BOOL answer = 7;
    HRESULT result;
    assert_int_equal(ID3D11Device_CreateQuery(device, &desc, &query), S_OK);
    ID3D11DeviceContext_End(context, (ID3D11Asynchronous *)query);
    while ((result = ID3D11DeviceContext_GetData(context, (ID3D11Asynchronous *)query, NULL, 0, 0)) ==
           S_FALSE)
        continue;
    assert_int_equal(result, S_OK);
    assert_int_equal(ID3D11DeviceContext_GetData(context, (ID3D11Asynchronous *)query, &answer, 0, 0), S_OK);
    assert_int_equal(answer, 7);
    assert_int_equal(ID3D11DeviceContext_GetData(context, (ID3D11Asynchronous *)query, &answer, 3, 0),
                     E_INVALIDARG);
    ID3D11Query_Release(query);
}

static void failed_maps_give_nothing(void **state)
{
    (void)state;
    ID3D11Buffer *buffer = runtime_buffer(16, D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, NULL);
    ID3D11DeviceContext *deferred;
    D3D11_MAPPED_SUBRESOURCE mapped = {.pData = buffer};
    assert_int_equal(
        ID3D11DeviceContext_Map(context, (ID3D11Resource *)buffer, 0, D3D11_MAP_READ, 0, &mapped),
        E_INVALIDARG);
    assert_null(mapped.pData);
    /* A list does not know what the buffer has. */
    assert_int_equal(ID3D11Device_CreateDeferredContext(device, 0, &deferred), S_OK);
    assert_int_equal(ID3D11DeviceContext_Map(deferred, (ID3D11Resource *)buffer, 0,
                                             D3D11_MAP_WRITE_NO_OVERWRITE, 0, &mapped),
                     D3D11_ERROR_DEFERRED_CONTEXT_MAP_WITHOUT_INITIAL_DISCARD);
    ID3D11DeviceContext_Release(deferred);
    ID3D11Buffer_Release(buffer);
}

static void layouts_have_elements(void **state)
{
    (void)state;
    static const D3D11_INPUT_ELEMENT_DESC element = {
        "POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};
    SIZE_T size;
    void *code = runtime_assemble(full_screen_vs, &size);
    assert_int_equal(ID3D11Device_CreateInputLayout(device, NULL, 0, code, size, NULL), E_INVALIDARG);
    assert_int_equal(ID3D11Device_CreateInputLayout(device, &element, 0, code, size, NULL), S_FALSE);
    runtime_free(code);
}

static void unknown_formats_can_nothing(void **state)
{
    (void)state;
    UINT got = 7;
    assert_int_equal(ID3D11Device_CheckFormatSupport(device, DXGI_FORMAT_UNKNOWN, &got), E_FAIL);
    assert_int_equal(got, 0);
    assert_int_equal(ID3D11Device_CheckFormatSupport(device, (DXGI_FORMAT)5000, &got), E_FAIL);
    assert_int_equal(ID3D11Device_CheckMultisampleQualityLevels(device, DXGI_FORMAT_UNKNOWN, 4, &got), S_OK);
    assert_int_equal(got, 0);
    got = 7;
    assert_int_equal(ID3D11Device_CheckMultisampleQualityLevels(device, (DXGI_FORMAT)5000, 4, &got),
                     E_INVALIDARG);
    assert_int_equal(got, 7);
}

static UINT support_of(DXGI_FORMAT format)
{
    UINT support = 0;
    ID3D11Device_CheckFormatSupport(device, format, &support);
    return support;
}

/* Gathers, and blending into signed norms, came with feature level 10_1. */
static void level_10_0_can_less(void **state)
{
    (void)state;
    assert_false(support_of(DXGI_FORMAT_R8G8B8A8_UNORM) & D3D11_FORMAT_SUPPORT_SHADER_GATHER);
    assert_false(support_of(DXGI_FORMAT_R32_FLOAT) & D3D11_FORMAT_SUPPORT_SHADER_GATHER_COMPARISON);
    assert_false(support_of(DXGI_FORMAT_R8G8B8A8_SNORM) & D3D11_FORMAT_SUPPORT_BLENDABLE);
    assert_true(support_of(DXGI_FORMAT_R8G8B8A8_UNORM) & D3D11_FORMAT_SUPPORT_BLENDABLE);
}

static void level_10_0_has_single_cubes(void **state)
{
    (void)state;
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_SHADER_RESOURCE);
    desc.MiscFlags = D3D11_RESOURCE_MISC_TEXTURECUBE;
    desc.ArraySize = 6;
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, NULL, NULL), S_FALSE);
    desc.ArraySize = 12;
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, NULL, NULL), E_INVALIDARG);
}

static HRESULT texture_of(DXGI_FORMAT format, D3D11_USAGE usage, UINT binds, UINT cpu, UINT misc)
{
    D3D11_TEXTURE2D_DESC desc = texture_desc(binds);
    desc.Format = format;
    desc.Usage = usage;
    desc.CPUAccessFlags = cpu;
    desc.MiscFlags = misc;
    return ID3D11Device_CreateTexture2D(device, &desc, NULL, NULL);
}

static void gdi_draws_into_targets_of_its_order(void **state)
{
    (void)state;
    const UINT gdi = D3D11_RESOURCE_MISC_GDI_COMPATIBLE, target = D3D11_BIND_RENDER_TARGET;
    assert_int_equal(texture_of(DXGI_FORMAT_B8G8R8A8_UNORM, D3D11_USAGE_DEFAULT, target, 0, gdi), S_FALSE);
    assert_int_equal(texture_of(DXGI_FORMAT_B8G8R8A8_UNORM_SRGB, D3D11_USAGE_DEFAULT, target, 0, gdi),
                     S_FALSE);
    assert_int_equal(texture_of(DXGI_FORMAT_B8G8R8X8_UNORM, D3D11_USAGE_DEFAULT, target, 0, gdi),
                     E_INVALIDARG);
    assert_int_equal(texture_of(DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, target, 0, gdi),
                     E_INVALIDARG);
    assert_int_equal(
        texture_of(DXGI_FORMAT_B8G8R8A8_UNORM, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ, gdi),
        E_INVALIDARG);
}

/* sRGB has no such views, textures of its family have: the texture may be made, the view may not. */
static void srgb_textures_have_unordered_access_without_views(void **state)
{
    (void)state;
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_UNORDERED_ACCESS);
    desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM_SRGB;
    ID3D11Texture2D *texture = runtime_texture(&desc);
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, (ID3D11Resource *)texture, NULL, NULL),
                     E_INVALIDARG);
    ID3D11Texture2D_Release(texture);
    assert_int_equal(
        texture_of(DXGI_FORMAT_BC1_UNORM, D3D11_USAGE_DEFAULT, D3D11_BIND_UNORDERED_ACCESS, 0, 0),
        E_INVALIDARG);
}

/* ---- Stream output ------------------------------------------------------------------------------------- */

static const char two_outputs_gs[] = "gs_4_0\n"
                                     ".in SV_Position0 v0.xyzw float position\n"
                                     ".out SV_Position0 o0.xyzw float position\n"
                                     ".out COLOR0 o1.xyz float\n"
                                     "dcl_input_siv v[1][0].xyzw, position\n"
                                     "dcl_inputprimitive point\n"
                                     "dcl_outputtopology pointlist\n"
                                     "dcl_output_siv o0.xyzw, position\n"
                                     "dcl_output o1.xyz\n"
                                     "dcl_maxout 1\n"
                                     "mov o0.xyzw, v[0][0].xyzw\n"
                                     "mov o1.xyz, v[0][0].xyzx\n"
                                     "emit\n"
                                     "ret\n";

static HRESULT declare(const char *listing, const D3D11_SO_DECLARATION_ENTRY *entries, UINT count,
                       const UINT *strides, UINT stride_count, UINT rasterized)
{
    SIZE_T size;
    void *code = runtime_assemble(listing, &size);
    const HRESULT result = ID3D11Device_CreateGeometryShaderWithStreamOutput(
        device, code, size, entries, count, strides, stride_count, rasterized, NULL, NULL);
    runtime_free(code);
    return result;
}

#define NO_STREAM D3D11_SO_NO_RASTERIZED_STREAM

static void declarations_are_checked(void **state)
{
    (void)state;
    static const D3D11_SO_DECLARATION_ENTRY one[] =
        {
            {0, "SV_Position", 0, 0, 4, 0}
    },
                                            gap_alone[] = {{0, "SV_Position", 0, 0, 4, 0},
                                                           {0, NULL, 0, 0, 4, 1}},
                                            twice[] = {{0, "COLOR", 0, 0, 2, 0}, {0, "COLOR", 0, 1, 2, 1}},
                                            halves[] = {{0, "COLOR", 0, 0, 1, 0}, {0, "COLOR", 0, 1, 2, 1}};
    static const UINT strides[4] = {64, 64, 64, 64}, odd_second[2] = {64, 63}, none[1] = {0},
                      short_one[1] = {12};
    assert_int_equal(declare(two_outputs_gs, one, 1, strides, 1, NO_STREAM), S_FALSE);
    /* Strides of slots that nothing goes to do not count. */
    assert_int_equal(declare(two_outputs_gs, NULL, 0, strides, 1, NO_STREAM), S_FALSE);
    assert_int_equal(declare(two_outputs_gs, one, 1, odd_second, 2, NO_STREAM), S_FALSE);
    assert_int_equal(declare(two_outputs_gs, one, 1, odd_second + 1, 1, NO_STREAM), E_INVALIDARG);
    assert_int_equal(declare(two_outputs_gs, one, 1, none, 1, NO_STREAM), E_INVALIDARG);
    assert_int_equal(declare(two_outputs_gs, one, 1, short_one, 1, NO_STREAM), E_INVALIDARG);
    /* A slot of gaps alone; a slot without a stride; a component that goes out twice. */
    assert_int_equal(declare(two_outputs_gs, gap_alone, 2, strides, 2, NO_STREAM), E_INVALIDARG);
    assert_int_equal(declare(two_outputs_gs, halves, 2, strides, 1, NO_STREAM), E_INVALIDARG);
    assert_int_equal(declare(two_outputs_gs, halves, 2, strides, 2, NO_STREAM), S_FALSE);
    assert_int_equal(declare(two_outputs_gs, twice, 2, strides, 2, NO_STREAM), E_INVALIDARG);
    /* A vertex shader stands for what it declares. */
    assert_int_equal(declare(position_vs, NULL, 0, NULL, 0, NO_STREAM), E_INVALIDARG);
    assert_int_equal(declare(position_vs, one, 1, NULL, 0, NO_STREAM), S_FALSE);
}

/* Feature level 10: stream 0 is rasterized, and several slots have one output each. */
static void declarations_of_level_10(void **state)
{
    (void)state;
    static const D3D11_SO_DECLARATION_ENTRY one[] =
        {
            {0, "SV_Position", 0, 0, 4, 0}
    },
                                            one_each[] = {{0, "SV_Position", 0, 0, 4, 0},
                                                          {0, "COLOR", 0, 0, 3, 3}},
                                            two_and_one[] = {{0, "SV_Position", 0, 0, 4, 0},
                                                             {0, "COLOR", 0, 0, 1, 0},
                                                             {0, "COLOR", 0, 1, 2, 1}};
    static const UINT stride = 64;
    assert_int_equal(declare(two_outputs_gs, one, 1, &stride, 1, 0), S_FALSE);
    assert_int_equal(declare(two_outputs_gs, one, 1, &stride, 1, NO_STREAM), E_INVALIDARG);
    assert_int_equal(declare(two_outputs_gs, one, 1, &stride, 1, 1), E_INVALIDARG);
    assert_int_equal(declare(two_outputs_gs, NULL, 0, &stride, 1, 0), E_INVALIDARG);
    assert_int_equal(declare(two_outputs_gs, one_each, 2, NULL, 0, 0), S_FALSE);
    assert_int_equal(declare(two_outputs_gs, two_and_one, 3, NULL, 0, 0), E_INVALIDARG);
}

/* Layers are chosen by geometry shaders, as the options say. */
static void vertex_shaders_choose_no_layer(void **state)
{
    (void)state;
    static const char listing[] = "vs_4_0\n"
                                  ".in POSITION0 v0.xyzw float\n"
                                  ".out SV_Position0 o0.xyzw float position\n"
                                  ".out SV_RenderTargetArrayIndex0 o1.x uint rendertarget_array_index\n"
                                  "dcl_input v0.xyzw\n"
                                  "dcl_output_siv o0.xyzw, position\n"
                                  "dcl_output_siv o1.x, rendertarget_array_index\n"
                                  "mov o0.xyzw, v0.xyzw\n"
                                  "mov o1.x, l(1)\n"
                                  "ret\n";
    SIZE_T size;
    void *code = runtime_assemble(listing, &size);
    D3D11_FEATURE_DATA_D3D11_OPTIONS3 options;
    assert_int_equal(
        ID3D11Device_CheckFeatureSupport(device, D3D11_FEATURE_D3D11_OPTIONS3, &options, sizeof options),
        S_OK);
    assert_false(options.VPAndRTArrayIndexFromAnyShaderFeedingRasterizer);
    assert_int_equal(ID3D11Device_CreateVertexShader(device, code, size, NULL, NULL), E_INVALIDARG);
    runtime_free(code);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        RUNTIME_TEST(predicates_of_one_stream_are_queries),
        RUNTIME_TEST(queries_are_asked_without_a_size),
        RUNTIME_TEST(failed_maps_give_nothing),
        RUNTIME_TEST(layouts_have_elements),
        RUNTIME_TEST(unknown_formats_can_nothing),
        RUNTIME_TEST_10(level_10_0_can_less),
        RUNTIME_TEST_10(level_10_0_has_single_cubes),
        RUNTIME_TEST(gdi_draws_into_targets_of_its_order),
        RUNTIME_TEST(srgb_textures_have_unordered_access_without_views),
        RUNTIME_TEST(declarations_are_checked),
        RUNTIME_TEST_10(declarations_of_level_10),
        RUNTIME_TEST(vertex_shaders_choose_no_layer),
    };
    return runtime_main(argc, argv, "guest/d3d11/rules", tests, sizeof tests / sizeof tests[0]);
}
