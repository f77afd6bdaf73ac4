/* SPDX-License-Identifier: MIT
 *
 * Direct3D 10 and 10.1: the same objects with other interfaces.
 */
#include "runtime.h"

#include "guest/d3d11/d3d10_exports.h"

#include <string.h>

static ID3D10Device1 *device10;

static int begin(void **state)
{
    runtime_begin(state);
    assert_int_equal(D3D10CreateDevice1(NULL, D3D10_DRIVER_TYPE_HARDWARE, NULL, 0, D3D10_FEATURE_LEVEL_10_1,
                                        D3D10_1_SDK_VERSION, &device10),
                     S_OK);
    return 0;
}

static int end(void **state)
{
    ID3D10Device1_ClearState(device10);
    ID3D10Device1_Flush(device10);
    assert_int_equal(ID3D10Device1_Release(device10), 0);
    return runtime_end(state);
}

#define D3D10_TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

static bool has(void *object, REFIID iid)
{
    IUnknown *unknown = object, *found = NULL;
    const HRESULT result = IUnknown_QueryInterface(unknown, iid, (void **)&found);
    if (result == S_OK)
        IUnknown_Release(found);
    else
        assert_int_equal(result, E_NOINTERFACE);
    return result == S_OK;
}

/* ---- Devices ------------------------------------------------------------------------------------------- */

static void devices_have_interfaces(void **state)
{
    (void)state;
    ID3D10Multithread *threads;
    ID3D10Device *same;
    ID3D10Buffer *buffer;
    const D3D10_BUFFER_DESC desc = {
        .ByteWidth = 16, .Usage = D3D10_USAGE_DEFAULT, .BindFlags = D3D10_BIND_VERTEX_BUFFER};
    assert_true(has(device10, &IID_ID3D10Device));
    assert_true(has(device10, &IID_ID3D11Device));
    assert_true(has(device10, &IID_IDXGIDevice));
    assert_false(has(device10, &IID_ID3D10Texture2D));
    assert_false(has(device, &IID_ID3D10Device));
    assert_int_equal(ID3D10Device1_GetFeatureLevel(device10), D3D10_FEATURE_LEVEL_10_1);
    assert_int_equal(ID3D10Device1_GetCreationFlags(device10), 0);
    assert_int_equal(ID3D10Device1_QueryInterface(device10, &IID_ID3D10Multithread, (void **)&threads), S_OK);
    assert_true(ID3D10Multithread_GetMultithreadProtected(threads));
    ID3D10Multithread_Release(threads);
    assert_int_equal(ID3D10Device1_CreateBuffer(device10, &desc, NULL, &buffer), S_OK);
    assert_true(has(buffer, &IID_ID3D10DeviceChild));
    assert_true(has(buffer, &IID_ID3D10Resource));
    assert_true(has(buffer, &IID_ID3D11Buffer));
    assert_true(has(buffer, &IID_IDXGIResource));
    assert_false(has(buffer, &IID_ID3D10Texture2D));
    ID3D10Buffer_GetDevice(buffer, &same);
    assert_ptr_equal(same, device10);
    ID3D10Device_Release(same);
    assert_int_equal(ID3D10Buffer_Release(buffer), 0);
}

/* Slots with a buffer tell that writing goes on behind what was written, the others nothing. */
static void offsets_of_stream_output_are_told(void **state)
{
    (void)state;
    const D3D10_BUFFER_DESC desc = {
        .ByteWidth = 16, .Usage = D3D10_USAGE_DEFAULT, .BindFlags = D3D10_BIND_STREAM_OUTPUT};
    UINT offsets[2] = {0, 7};
    ID3D10Buffer *buffer, *got[2];
    assert_int_equal(ID3D10Device1_CreateBuffer(device10, &desc, NULL, &buffer), S_OK);
    ID3D10Device1_SOSetTargets(device10, 1, &buffer, offsets);
    ID3D10Device1_SOGetTargets(device10, 2, got, offsets);
    assert_ptr_equal(got[0], buffer);
    assert_null(got[1]);
    assert_int_equal(offsets[0], 0xffffffff);
    assert_int_equal(offsets[1], 0);
    ID3D10Buffer_Release(got[0]);
    ID3D10Buffer_Release(buffer);
}

static ID3D11Buffer *newer_buffer(UINT binds, UINT misc)
{
    const D3D11_BUFFER_DESC desc = {
        .ByteWidth = 16, .BindFlags = binds, .MiscFlags = misc, .StructureByteStride = 16};
    ID3D11Buffer *buffer;
    assert_int_equal(ID3D11Device_CreateBuffer(device, &desc, NULL, &buffer), S_OK);
    return buffer;
}

/* Resources of a device of Direct3D 11 have the older interfaces, unless they are structured or clamped. They
 * tell of no older device before a state of contexts has made the device one. */
static void resources_of_newer_devices_have_older_interfaces(void **state)
{
    (void)state;
    const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
    ID3D11Buffer *buffer = newer_buffer(D3D11_BIND_UNORDERED_ACCESS, 0);
    ID3D11Buffer *raw = newer_buffer(D3D11_BIND_UNORDERED_ACCESS, D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS);
    ID3D11Buffer *structured =
        newer_buffer(D3D11_BIND_UNORDERED_ACCESS, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED);
    ID3D10Device *of_buffer = (ID3D10Device *)device10;
    ID3DDeviceContextState *made;
    ID3D11Device1 *newer;
    D3D10_BUFFER_DESC desc;
    ID3D10Buffer *older;
    assert_true(has(raw, &IID_ID3D10Buffer));
    assert_false(has(structured, &IID_ID3D10Buffer));
    assert_int_equal(ID3D11Buffer_QueryInterface(buffer, &IID_ID3D10Buffer, (void **)&older), S_OK);
    ID3D10Buffer_GetDesc(older, &desc);
    assert_int_equal(desc.BindFlags, D3D11_BIND_UNORDERED_ACCESS);
    ID3D10Buffer_GetDevice(older, &of_buffer);
    assert_null(of_buffer);
    assert_false(has(device, &IID_ID3D10Device));
    assert_int_equal(ID3D11Device_QueryInterface(device, &IID_ID3D11Device1, (void **)&newer), S_OK);
    assert_int_equal(ID3D11Device1_CreateDeviceContextState(newer, 0, &level, 1, D3D11_SDK_VERSION,
                                                            &IID_ID3D11Device1, NULL, &made),
                     S_OK);
    assert_true(has(device, &IID_ID3D10Device));
    ID3D10Buffer_GetDevice(older, &of_buffer);
    assert_non_null(of_buffer);
    ID3D10Device_Release(of_buffer);
    ID3DDeviceContextState_Release(made);
    ID3D11Device1_Release(newer);
    ID3D10Buffer_Release(older);
    ID3D11Buffer_Release(buffer);
    ID3D11Buffer_Release(raw);
    ID3D11Buffer_Release(structured);
}

static void creations_are_refused(void **state)
{
    (void)state;
    ID3D10Device *made = (ID3D10Device *)device10;
    ID3D10Device1 *made1;
    assert_int_equal(
        D3D10CreateDevice(NULL, D3D10_DRIVER_TYPE_HARDWARE, NULL, 0, D3D10_SDK_VERSION + 1, &made),
        E_INVALIDARG);
    assert_int_equal(D3D10CreateDevice(NULL, D3D10_DRIVER_TYPE_NULL, NULL, 0, D3D10_SDK_VERSION, &made),
                     DXGI_ERROR_UNSUPPORTED);
    assert_null(made);
    assert_int_equal(
        D3D10CreateDevice(NULL, D3D10_DRIVER_TYPE_HARDWARE, NULL, 0x8000, D3D10_SDK_VERSION, &made),
        E_INVALIDARG);
    assert_int_equal(D3D10CreateDevice1(NULL, D3D10_DRIVER_TYPE_HARDWARE, NULL, 0, D3D10_FEATURE_LEVEL_9_3,
                                        D3D10_1_SDK_VERSION, &made1),
                     E_NOTIMPL);
    assert_int_equal(D3D10CreateDevice(NULL, D3D10_DRIVER_TYPE_HARDWARE, NULL,
                                       D3D10_CREATE_DEVICE_SINGLETHREADED, D3D10_SDK_VERSION, &made),
                     S_OK);
    assert_int_equal(ID3D10Device_QueryInterface(made, &IID_ID3D10Device1, (void **)&made1), S_OK);
    assert_int_equal(ID3D10Device1_GetFeatureLevel(made1), D3D10_FEATURE_LEVEL_10_0);
    assert_string_equal(D3D10GetVertexShaderProfile(made), "vs_4_0");
    ID3D10Device1_Release(made1);
    assert_int_equal(ID3D10Device_Release(made), 0);
    assert_int_equal(D3D10CoreCreateDevice(NULL, NULL, 0, D3D_FEATURE_LEVEL_10_1, &made), S_OK);
    assert_string_equal(D3D10GetPixelShaderProfile(made), "ps_4_1");
    assert_int_equal(ID3D10Device_Release(made), 0);
}

/* A state of a context that emulates Direct3D 10 gives the device its interfaces. */
static void devices_emulate(void **state)
{
    (void)state;
    static const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_10_0;
    ID3D11Device1 *device1;
    ID3DDeviceContextState *context_state;
    assert_int_equal(ID3D11Device_QueryInterface(device, &IID_ID3D11Device1, (void **)&device1), S_OK);
    assert_int_equal(ID3D11Device1_CreateDeviceContextState(device1, 0, &level, 1, D3D11_SDK_VERSION,
                                                            &IID_ID3D10Device, NULL, &context_state),
                     S_OK);
    assert_true(has(device, &IID_ID3D10Device));
    ID3DDeviceContextState_Release(context_state);
    ID3D11Device1_Release(device1);
}

/* ---- Pictures ------------------------------------------------------------------------------------------ */

struct scene {
    ID3D10Texture2D *texture;
    ID3D10RenderTargetView *target;
    ID3D10VertexShader *vs;
    ID3D10PixelShader *ps;
    ID3D10Buffer *colour;
};

static ID3D10Texture2D *texture_of(UINT bind_flags, D3D10_USAGE usage, UINT cpu_access)
{
    const D3D10_TEXTURE2D_DESC desc = {
        .Width = SIDE,
        .Height = SIDE,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {1, 0},
        .Usage = usage,
        .BindFlags = bind_flags,
        .CPUAccessFlags = cpu_access,
    };
    ID3D10Texture2D *texture;
    assert_int_equal(ID3D10Device1_CreateTexture2D(device10, &desc, NULL, &texture), S_OK);
    return texture;
}

static ID3D10VertexShader *vs_of(const char *listing)
{
    ID3D10VertexShader *shader;
    SIZE_T size;
    void *bytes = runtime_assemble(listing, &size);
    assert_int_equal(ID3D10Device1_CreateVertexShader(device10, bytes, size, &shader), S_OK);
    runtime_free(bytes);
    return shader;
}

static struct scene begin_scene(void)
{
    const D3D10_BUFFER_DESC desc = {.ByteWidth = 16,
                                    .Usage = D3D10_USAGE_DYNAMIC,
                                    .BindFlags = D3D10_BIND_CONSTANT_BUFFER,
                                    .CPUAccessFlags = D3D10_CPU_ACCESS_WRITE};
    const D3D10_VIEWPORT viewport = {0, 0, SIDE, SIDE, 0, 1};
    struct scene s = {.texture = texture_of(D3D10_BIND_RENDER_TARGET, D3D10_USAGE_DEFAULT, 0),
                      .vs = vs_of(full_screen_vs)};
    SIZE_T size;
    void *bytes = runtime_assemble(constant_color_ps, &size);
    assert_int_equal(ID3D10Device1_CreatePixelShader(device10, bytes, size, &s.ps), S_OK);
    runtime_free(bytes);
    assert_int_equal(
        ID3D10Device1_CreateRenderTargetView(device10, (ID3D10Resource *)s.texture, NULL, &s.target), S_OK);
    assert_int_equal(ID3D10Device1_CreateBuffer(device10, &desc, NULL, &s.colour), S_OK);
    ID3D10Device1_OMSetRenderTargets(device10, 1, &s.target, NULL);
    ID3D10Device1_RSSetViewports(device10, 1, &viewport);
    ID3D10Device1_IASetPrimitiveTopology(device10, D3D10_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D10Device1_VSSetShader(device10, s.vs);
    ID3D10Device1_PSSetShader(device10, s.ps);
    ID3D10Device1_PSSetConstantBuffers(device10, 0, 1, &s.colour);
    return s;
}

static void end_scene(struct scene *s)
{
    ID3D10Device1_ClearState(device10);
    assert_int_equal(ID3D10RenderTargetView_Release(s->target), 0);
    assert_int_equal(ID3D10Texture2D_Release(s->texture), 0);
    assert_int_equal(ID3D10VertexShader_Release(s->vs), 0);
    assert_int_equal(ID3D10PixelShader_Release(s->ps), 0);
    assert_int_equal(ID3D10Buffer_Release(s->colour), 0);
}

static void set_colour(ID3D10Buffer *buffer, FLOAT red, FLOAT green, FLOAT blue)
{
    const FLOAT colour[4] = {red, green, blue, 1};
    void *data;
    assert_int_equal(ID3D10Buffer_Map(buffer, D3D10_MAP_WRITE_DISCARD, 0, &data), S_OK);
    memcpy(data, colour, sizeof colour);
    ID3D10Buffer_Unmap(buffer);
}

static UINT texel(ID3D10Texture2D *texture, UINT x, UINT y)
{
    ID3D10Texture2D *staging = texture_of(0, D3D10_USAGE_STAGING, D3D10_CPU_ACCESS_READ);
    D3D10_MAPPED_TEXTURE2D mapped;
    UINT found;
    ID3D10Device1_CopyResource(device10, (ID3D10Resource *)staging, (ID3D10Resource *)texture);
    assert_int_equal(ID3D10Texture2D_Map(staging, 0, D3D10_MAP_READ, 0, &mapped), S_OK);
    memcpy(&found, (const uint8_t *)mapped.pData + (size_t)y * mapped.RowPitch + (size_t)x * 4, 4);
    ID3D10Texture2D_Unmap(staging, 0);
    assert_int_equal(ID3D10Texture2D_Release(staging), 0);
    return found;
}

/* The lower left half in red, in front of black. */
static void a_triangle_is_drawn_by_10(void **state)
{
    (void)state;
    static const FLOAT black[4] =
        {
            0, 0, 0, 1
    },
                       corners[3][4] = {{-1, 1, 0, 1}, {1, -1, 0, 1}, {-1, -1, 0, 1}};
    static const D3D10_INPUT_ELEMENT_DESC element = {
        "POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D10_INPUT_PER_VERTEX_DATA, 0};
    const D3D10_BUFFER_DESC desc = {
        .ByteWidth = sizeof corners, .Usage = D3D10_USAGE_IMMUTABLE, .BindFlags = D3D10_BIND_VERTEX_BUFFER};
    const D3D10_SUBRESOURCE_DATA data = {.pSysMem = corners};
    const D3D10_RASTERIZER_DESC raster = {.FillMode = D3D10_FILL_SOLID, .CullMode = D3D10_CULL_NONE};
    const UINT stride = 16, offset = 0;
    struct scene s = begin_scene();
    ID3D10VertexShader *vs = vs_of(position_vs);
    ID3D10RasterizerState *rasterizer;
    ID3D10InputLayout *layout;
    ID3D10Buffer *buffer;
    SIZE_T size;
    void *code = runtime_assemble(position_vs, &size);
    assert_int_equal(ID3D10Device1_CreateInputLayout(device10, &element, 1, code, size, &layout), S_OK);
    runtime_free(code);
    assert_int_equal(ID3D10Device1_CreateBuffer(device10, &desc, &data, &buffer), S_OK);
    assert_int_equal(ID3D10Device1_CreateRasterizerState(device10, &raster, &rasterizer), S_OK);
    ID3D10Device1_VSSetShader(device10, vs);
    ID3D10Device1_IASetInputLayout(device10, layout);
    ID3D10Device1_IASetVertexBuffers(device10, 0, 1, &buffer, &stride, &offset);
    ID3D10Device1_RSSetState(device10, rasterizer);
    ID3D10Device1_ClearRenderTargetView(device10, s.target, black);
    set_colour(s.colour, 1, 0, 0);
    ID3D10Device1_Draw(device10, 3, 0);
    ID3D10RasterizerState_Release(rasterizer);
    ID3D10InputLayout_Release(layout);
    ID3D10VertexShader_Release(vs);
    ID3D10Buffer_Release(buffer);
    assert_int_equal(texel(s.texture, 1, SIDE - 2), RED);
    assert_int_equal(texel(s.texture, SIDE - 2, 1), BLACK);
    end_scene(&s);
}

static void getters_return_faces_of_10(void **state)
{
    (void)state;
    struct scene s = begin_scene();
    ID3D10RenderTargetView *target;
    ID3D10DepthStencilView *depth;
    ID3D10VertexShader *vs;
    ID3D10GeometryShader *gs;
    ID3D10Buffer *buffers[2];
    D3D10_VIEWPORT viewports[2];
    D3D10_PRIMITIVE_TOPOLOGY topology;
    UINT count = 2;
    ID3D10Device1_OMGetRenderTargets(device10, 1, &target, &depth);
    assert_ptr_equal(target, s.target);
    assert_null(depth);
    ID3D10RenderTargetView_Release(target);
    ID3D10Device1_VSGetShader(device10, &vs);
    assert_ptr_equal(vs, s.vs);
    ID3D10VertexShader_Release(vs);
    ID3D10Device1_GSGetShader(device10, &gs);
    assert_null(gs);
    ID3D10Device1_PSGetConstantBuffers(device10, 0, 2, buffers);
    assert_ptr_equal(buffers[0], s.colour);
    assert_null(buffers[1]);
    ID3D10Buffer_Release(buffers[0]);
    ID3D10Device1_RSGetViewports(device10, &count, viewports);
    assert_int_equal(count, 1);
    assert_int_equal(viewports[0].Width, SIDE);
    assert_int_equal(viewports[1].Width, 0);
    ID3D10Device1_IAGetPrimitiveTopology(device10, &topology);
    assert_int_equal(topology, D3D10_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    end_scene(&s);
}

static void presents_by_10_are_seen(void **state)
{
    (void)state;
    const DXGI_SWAP_CHAIN_DESC1 desc = {
        .Width = SIDE,
        .Height = SIDE,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {1, 0},
        .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
        .BufferCount = 2,
        .SwapEffect = DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL,
    };
    static const FLOAT blue[4] = {0, 0, 1, 1};
    IDXGIFactory2 *factory;
    IDXGISwapChain1 *chain;
    ID3D10Texture2D *buffer;
    ID3D10RenderTargetView *target;
    ID3D10Device *same;
    assert_int_equal(CreateDXGIFactory1(&IID_IDXGIFactory2, (void **)&factory), S_OK);
    assert_int_equal(
        IDXGIFactory2_CreateSwapChainForComposition(factory, (IUnknown *)device10, &desc, NULL, &chain),
        S_OK);
    assert_int_equal(IDXGISwapChain1_GetBuffer(chain, 0, &IID_ID3D10Texture2D, (void **)&buffer), S_OK);
    assert_int_equal(IDXGISwapChain1_GetDevice(chain, &IID_ID3D10Device, (void **)&same), S_OK);
    assert_ptr_equal(same, device10);
    ID3D10Device_Release(same);
    assert_int_equal(ID3D10Device1_CreateRenderTargetView(device10, (ID3D10Resource *)buffer, NULL, &target),
                     S_OK);
    ID3D10Device1_ClearRenderTargetView(device10, target, blue);
    assert_int_equal(texel(buffer, 0, 0), BLUE);
    assert_int_equal(IDXGISwapChain1_Present(chain, 0, 0), S_OK);
    /* Waits for what was presented. */
    texel(buffer, 0, 0);
    assert_int_equal(runtime_present_count, 1);
    assert_int_equal(runtime_present_texel[2], 255);
    ID3D10RenderTargetView_Release(target);
    ID3D10Texture2D_Release(buffer);
    IDXGISwapChain1_Release(chain);
    IDXGIFactory2_Release(factory);
}

/* Direct3D 10 makes its factory as CreateDXGIFactory() does. */
static void the_factory_of_10_is_the_first(void **state)
{
    (void)state;
    IDXGIDevice *dxgi;
    IDXGIAdapter *adapter;
    IUnknown *factory;
    assert_int_equal(ID3D10Device1_QueryInterface(device10, &IID_IDXGIDevice, (void **)&dxgi), S_OK);
    assert_int_equal(IDXGIDevice_GetAdapter(dxgi, &adapter), S_OK);
    assert_int_equal(IDXGIAdapter_GetParent(adapter, &IID_IDXGIFactory1, (void **)&factory), E_NOINTERFACE);
    assert_int_equal(IDXGIAdapter_GetParent(adapter, &IID_IDXGIFactory, (void **)&factory), S_OK);
    IUnknown_Release(factory);
    IDXGIAdapter_Release(adapter);
    IDXGIDevice_Release(dxgi);
}

/* ---- Descriptions -------------------------------------------------------------------------------------- */

static void states_are_described(void **state)
{
    (void)state;
    D3D10_BLEND_DESC blend =
                         {
                             .BlendEnable = {FALSE, TRUE},
                             .SrcBlend = D3D10_BLEND_SRC_ALPHA,
                             .DestBlend = D3D10_BLEND_INV_SRC_ALPHA,
                             .BlendOp = D3D10_BLEND_OP_ADD,
                             .SrcBlendAlpha = D3D10_BLEND_ONE,
                             .DestBlendAlpha = D3D10_BLEND_ZERO,
                             .BlendOpAlpha = D3D10_BLEND_OP_MAX
    },
                     found;
    D3D10_BLEND_DESC1 found1;
    const D3D10_SAMPLER_DESC sampler = {.Filter = D3D10_FILTER_MIN_MAG_MIP_LINEAR,
                                        .AddressU = D3D10_TEXTURE_ADDRESS_WRAP,
                                        .AddressV = D3D10_TEXTURE_ADDRESS_CLAMP,
                                        .AddressW = D3D10_TEXTURE_ADDRESS_CLAMP,
                                        .ComparisonFunc = D3D10_COMPARISON_NEVER,
                                        .MaxLOD = 4};
    D3D10_SAMPLER_DESC found_sampler;
    ID3D10BlendState *made, *same;
    ID3D10BlendState1 *made1;
    ID3D10SamplerState *made_sampler;
    memset(blend.RenderTargetWriteMask, D3D10_COLOR_WRITE_ENABLE_ALL, 8);
    blend.RenderTargetWriteMask[2] = D3D10_COLOR_WRITE_ENABLE_RED;
    assert_int_equal(ID3D10Device1_CreateBlendState(device10, &blend, &made), S_OK);
    assert_int_equal(ID3D10Device1_CreateBlendState(device10, &blend, &same), S_OK);
    assert_ptr_equal(same, made);
    ID3D10BlendState_Release(same);
    ID3D10BlendState_GetDesc(made, &found);
    assert_memory_equal(&found, &blend, sizeof found);
    assert_int_equal(ID3D10BlendState_QueryInterface(made, &IID_ID3D10BlendState1, (void **)&made1), S_OK);
    ID3D10BlendState1_GetDesc1(made1, &found1);
    assert_true(found1.IndependentBlendEnable);
    assert_int_equal(found1.RenderTarget[1].SrcBlend, D3D10_BLEND_SRC_ALPHA);
    assert_int_equal(found1.RenderTarget[2].RenderTargetWriteMask, D3D10_COLOR_WRITE_ENABLE_RED);
    ID3D10BlendState1_Release(made1);
    assert_int_equal(ID3D10BlendState_Release(made), 0);
    assert_int_equal(ID3D10Device1_CreateSamplerState(device10, &sampler, &made_sampler), S_OK);
    ID3D10SamplerState_GetDesc(made_sampler, &found_sampler);
    assert_int_equal(found_sampler.AddressU, D3D10_TEXTURE_ADDRESS_WRAP);
    assert_true(found_sampler.MaxLOD == 4);
    assert_int_equal(ID3D10SamplerState_Release(made_sampler), 0);
}

/* Flags that have other numbers since Direct3D 11, and what Direct3D 10 does not have. */
static void resources_are_described(void **state)
{
    (void)state;
    D3D10_TEXTURE2D_DESC desc = {
        .Width = SIDE,
        .Height = SIDE,
        .MipLevels = 1,
        .ArraySize = 12,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {1, 0},
        .BindFlags = D3D10_BIND_SHADER_RESOURCE | D3D10_BIND_RENDER_TARGET,
        .MiscFlags = D3D10_RESOURCE_MISC_TEXTURECUBE | D3D10_RESOURCE_MISC_GENERATE_MIPS,
    };
    const D3D10_SHADER_RESOURCE_VIEW_DESC1 cubes = {
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .ViewDimension = D3D10_1_SRV_DIMENSION_TEXTURECUBEARRAY,
        .TextureCubeArray = {.MipLevels = 1, .NumCubes = 2},
    };
    D3D10_TEXTURE2D_DESC found;
    D3D10_SHADER_RESOURCE_VIEW_DESC found_view;
    D3D10_SHADER_RESOURCE_VIEW_DESC1 found_view1;
    ID3D10ShaderResourceView1 *view;
    ID3D10Texture2D *texture;
    ID3D10Resource *of;
    D3D10_RESOURCE_DIMENSION dimension;
    assert_int_equal(ID3D10Device1_CreateTexture2D(device10, &desc, NULL, &texture), S_OK);
    ID3D10Texture2D_GetDesc(texture, &found);
    assert_memory_equal(&found, &desc, sizeof found);
    ID3D10Texture2D_GetType(texture, &dimension);
    assert_int_equal(dimension, D3D10_RESOURCE_DIMENSION_TEXTURE2D);
    assert_int_equal(
        ID3D10Device1_CreateShaderResourceView1(device10, (ID3D10Resource *)texture, &cubes, &view), S_OK);
    ID3D10ShaderResourceView1_GetDesc1(view, &found_view1);
    assert_int_equal(found_view1.ViewDimension, D3D10_1_SRV_DIMENSION_TEXTURECUBEARRAY);
    assert_int_equal(found_view1.TextureCubeArray.NumCubes, 2);
    ID3D10ShaderResourceView1_GetDesc(view, &found_view);
    assert_int_equal(found_view.ViewDimension, D3D10_SRV_DIMENSION_TEXTURE2DARRAY);
    assert_int_equal(found_view.Texture2DArray.ArraySize, 12);
    ID3D10ShaderResourceView1_GetResource(view, &of);
    assert_ptr_equal(of, texture);
    ID3D10Resource_Release(of);
    ID3D10ShaderResourceView1_Release(view);
    assert_int_equal(ID3D10Texture2D_Release(texture), 0);
    /* Unordered access and structured buffers are of Direct3D 11. */
    desc.BindFlags = D3D11_BIND_UNORDERED_ACCESS;
    desc.MiscFlags = 0;
    assert_int_equal(ID3D10Device1_CreateTexture2D(device10, &desc, NULL, &texture), E_INVALIDARG);
    desc.BindFlags = D3D10_BIND_SHADER_RESOURCE;
    desc.MiscFlags = D3D11_RESOURCE_MISC_BUFFER_STRUCTURED;
    assert_int_equal(ID3D10Device1_CreateTexture2D(device10, &desc, NULL, &texture), E_INVALIDARG);
    assert_null(texture);
}

/* ---- Queries and stream output ------------------------------------------------------------------------- */

static HRESULT wait_for(ID3D10Query *query, void *data, UINT size)
{
    HRESULT result;
    while ((result = ID3D10Query_GetData(query, data, size, 0)) == S_FALSE)
        continue;
    return result;
}

static void queries_of_10_count(void **state)
{
    (void)state;
    const D3D10_QUERY_DESC occlusion = {D3D10_QUERY_OCCLUSION, 0},
                           statistics = {D3D10_QUERY_PIPELINE_STATISTICS, 0},
                           newer = {(D3D10_QUERY)D3D11_QUERY_SO_STATISTICS_STREAM0, 0};
    D3D10_QUERY_DATA_PIPELINE_STATISTICS counts;
    D3D10_QUERY_DESC found;
    struct scene s = begin_scene();
    ID3D10Query *samples, *pipeline, *none;
    UINT64 count = 0;
    assert_int_equal(ID3D10Device1_CreateQuery(device10, &occlusion, &samples), S_OK);
    assert_int_equal(ID3D10Device1_CreateQuery(device10, &statistics, &pipeline), S_OK);
    assert_int_equal(ID3D10Device1_CreateQuery(device10, &newer, &none), E_INVALIDARG);
    assert_null(none);
    assert_int_equal(ID3D10Query_GetDataSize(samples), 8);
    assert_int_equal(ID3D10Query_GetDataSize(pipeline), 64);
    ID3D10Query_GetDesc(pipeline, &found);
    assert_int_equal(found.Query, D3D10_QUERY_PIPELINE_STATISTICS);
    assert_false(has(samples, &IID_ID3D10Predicate));
    set_colour(s.colour, 0, 1, 0);
    ID3D10Query_Begin(samples);
    ID3D10Query_Begin(pipeline);
    ID3D10Device1_Draw(device10, 3, 0);
    ID3D10Query_End(pipeline);
    ID3D10Query_End(samples);
    assert_int_equal(wait_for(samples, &count, sizeof count), S_OK);
    assert_int_equal(count, SIDE * SIDE);
    assert_int_equal(ID3D10Query_GetData(pipeline, &counts, 88, 0), E_INVALIDARG);
    assert_int_equal(wait_for(pipeline, &counts, sizeof counts), S_OK);
    assert_int_equal(counts.IAVertices, 3);
    assert_int_equal(counts.IAPrimitives, 1);
    ID3D10Query_Release(samples);
    ID3D10Query_Release(pipeline);
    end_scene(&s);
}

static void geometry_is_streamed_out(void **state)
{
    (void)state;
    static const D3D10_SO_DECLARATION_ENTRY entry = {"SV_Position", 0, 0, 4, 0},
                                            second = {"SV_Position", 0, 0, 4, 1};
    const D3D10_BUFFER_DESC desc = {.ByteWidth = 48, .BindFlags = D3D10_BIND_STREAM_OUTPUT},
                            staging_desc = {.ByteWidth = 48,
                                            .Usage = D3D10_USAGE_STAGING,
                                            .CPUAccessFlags = D3D10_CPU_ACCESS_READ};
    static const UINT offset = 0;
    struct scene s = begin_scene();
    ID3D10GeometryShader *gs;
    ID3D10Buffer *buffer, *staging;
    void *data;
    SIZE_T size;
    void *code = runtime_assemble(full_screen_vs, &size);
    /* One stride, for one buffer, and none for several. */
    assert_int_equal(
        ID3D10Device1_CreateGeometryShaderWithStreamOutput(device10, code, size, &entry, 1, 0, &gs),
        E_INVALIDARG);
    assert_int_equal(
        ID3D10Device1_CreateGeometryShaderWithStreamOutput(device10, code, size, &second, 1, 16, &gs),
        E_INVALIDARG);
    assert_int_equal(
        ID3D10Device1_CreateGeometryShaderWithStreamOutput(device10, code, size, NULL, 0, 16, &gs),
        E_INVALIDARG);
    assert_int_equal(
        ID3D10Device1_CreateGeometryShaderWithStreamOutput(device10, code, size, &entry, 1, 16, &gs), S_OK);
    runtime_free(code);
    assert_int_equal(ID3D10Device1_CreateBuffer(device10, &desc, NULL, &buffer), S_OK);
    assert_int_equal(ID3D10Device1_CreateBuffer(device10, &staging_desc, NULL, &staging), S_OK);
    ID3D10Device1_GSSetShader(device10, gs);
    ID3D10Device1_SOSetTargets(device10, 1, &buffer, &offset);
    set_colour(s.colour, 0, 1, 0);
    ID3D10Device1_Draw(device10, 3, 0);
    ID3D10Device1_SOSetTargets(device10, 0, NULL, NULL);
    ID3D10Device1_CopyResource(device10, (ID3D10Resource *)staging, (ID3D10Resource *)buffer);
    assert_int_equal(ID3D10Buffer_Map(staging, D3D10_MAP_READ, 0, &data), S_OK);
    static const FLOAT wanted[3][4] = {
        {-1, 1,  0.5f, 1},
        {3,  1,  0.5f, 1},
        {-1, -3, 0.5f, 1}
    };
    assert_memory_equal(data, wanted, sizeof wanted);
    ID3D10Buffer_Unmap(staging);
    ID3D10GeometryShader_Release(gs);
    ID3D10Buffer_Release(buffer);
    ID3D10Buffer_Release(staging);
    end_scene(&s);
}

/* ---- State blocks -------------------------------------------------------------------------------------- */

static void masks_are_combined(void **state)
{
    (void)state;
    D3D10_STATE_BLOCK_MASK a, b, c;
    assert_int_equal(D3D10StateBlockMaskDisableAll(&a), S_OK);
    assert_int_equal(D3D10StateBlockMaskDisableAll(&b), S_OK);
    assert_int_equal(D3D10StateBlockMaskEnableCapture(&a, D3D10_DST_PS_SAMPLERS, 7, 2), S_OK);
    assert_int_equal(a.PSSamplers[0], 0x80);
    assert_int_equal(a.PSSamplers[1], 0x01);
    assert_true(D3D10StateBlockMaskGetSetting(&a, D3D10_DST_PS_SAMPLERS, 8));
    assert_false(D3D10StateBlockMaskGetSetting(&a, D3D10_DST_PS_SAMPLERS, 9));
    assert_int_equal(D3D10StateBlockMaskEnableCapture(&a, D3D10_DST_PS_SAMPLERS, 15, 2), E_INVALIDARG);
    assert_int_equal(D3D10StateBlockMaskEnableCapture(&a, D3D10_DST_PS, 0, 2), E_INVALIDARG);
    assert_int_equal(D3D10StateBlockMaskEnableCapture(&a, (D3D10_DEVICE_STATE_TYPES)0, 0, 1), E_INVALIDARG);
    assert_int_equal(D3D10StateBlockMaskEnableCapture(&b, D3D10_DST_PS_SAMPLERS, 8, 2), S_OK);
    assert_int_equal(D3D10StateBlockMaskUnion(&a, &b, &c), S_OK);
    assert_int_equal(c.PSSamplers[1], 0x03);
    assert_int_equal(D3D10StateBlockMaskIntersect(&a, &b, &c), S_OK);
    assert_int_equal(c.PSSamplers[0], 0x00);
    assert_int_equal(c.PSSamplers[1], 0x01);
    assert_int_equal(D3D10StateBlockMaskDifference(&a, &b, &c), S_OK);
    assert_int_equal(c.PSSamplers[0], 0x80);
    assert_int_equal(c.PSSamplers[1], 0x02);
    assert_int_equal(D3D10StateBlockMaskDisableCapture(&a, D3D10_DST_PS_SAMPLERS, 7, 1), S_OK);
    assert_int_equal(a.PSSamplers[0], 0);
}

static void state_blocks_bring_state_back(void **state)
{
    (void)state;
    D3D10_STATE_BLOCK_MASK mask;
    ID3D10StateBlock *block;
    ID3D10PixelShader *ps;
    ID3D10Buffer *buffer;
    D3D10_PRIMITIVE_TOPOLOGY topology;
    ID3D10Device *same;
    struct scene s = begin_scene();
    D3D10StateBlockMaskEnableAll(&mask);
    mask.IAPrimitiveTopology = 0;
    assert_int_equal(D3D10CreateStateBlock((ID3D10Device *)device10, &mask, &block), S_OK);
    assert_int_equal(block->lpVtbl->Capture(block), S_OK);
    ID3D10Device1_ClearState(device10);
    assert_int_equal(block->lpVtbl->Apply(block), S_OK);
    ID3D10Device1_PSGetShader(device10, &ps);
    assert_ptr_equal(ps, s.ps);
    ID3D10PixelShader_Release(ps);
    ID3D10Device1_PSGetConstantBuffers(device10, 0, 1, &buffer);
    assert_ptr_equal(buffer, s.colour);
    ID3D10Buffer_Release(buffer);
    ID3D10Device1_IAGetPrimitiveTopology(device10, &topology);
    assert_int_equal(topology, D3D10_PRIMITIVE_TOPOLOGY_UNDEFINED);
    /* What came back draws. */
    ID3D10Device1_IASetPrimitiveTopology(device10, D3D10_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    set_colour(s.colour, 0, 1, 0);
    ID3D10Device1_Draw(device10, 3, 0);
    assert_int_equal(texel(s.texture, SIDE - 1, SIDE - 1), GREEN);
    assert_int_equal(block->lpVtbl->GetDevice(block, &same), S_OK);
    assert_ptr_equal(same, device10);
    ID3D10Device_Release(same);
    assert_int_equal(block->lpVtbl->ReleaseAllDeviceObjects(block), S_OK);
    assert_int_equal(block->lpVtbl->Release(block), 0);
    end_scene(&s);
}

/* ---- What else d3d10.dll has --------------------------------------------------------------------------- */

static void blobs_have_bytes(void **state)
{
    (void)state;
    ID3D10Blob *blob;
    assert_int_equal(D3D10CreateBlob(100, &blob), S_OK);
    assert_int_equal(ID3D10Blob_GetBufferSize(blob), 100);
    memset(ID3D10Blob_GetBufferPointer(blob), 1, 100);
    assert_true(has(blob, &IID_ID3D10Blob));
    assert_int_equal(ID3D10Blob_Release(blob), 0);
}

static void compilers_are_refused(void **state)
{
    (void)state;
    ID3D10Blob *code = (ID3D10Blob *)device10;
    ID3D10Effect *effect = (ID3D10Effect *)device10;
    assert_int_equal(D3D10CompileShader("", 0, NULL, NULL, NULL, "main", "ps_4_0", 0, &code, NULL),
                     E_NOTIMPL);
    assert_null(code);
    assert_int_equal(
        D3D10CreateEffectFromMemory(&code, sizeof code, 0, (ID3D10Device *)device10, NULL, &effect),
        E_NOTIMPL);
    assert_null(effect);
}

/* What Direct3D 10 binds is hidden from Direct3D 11, whose own methods bind and draw nothing meanwhile. */
static void states_of_10_turn_methods_of_11_off(void **state)
{
    (void)state;
    const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_10_1;
    ID3D11Buffer *const buffer = newer_buffer(D3D11_BIND_CONSTANT_BUFFER, 0);
    ID3D11Buffer *got;
    ID3D10Buffer *older, *bound;
    ID3D11SamplerState *sampler = (ID3D11SamplerState *)(void *)&level;
    ID3DDeviceContextState *of_10, *before;
    ID3D11Device1 *newer_device;
    ID3D11DeviceContext1 *newer;
    ID3D10Device *as_10;
    UINT count = 4;
    D3D11_VIEWPORT viewports[4];
    ID3D11Device_QueryInterface(device, &IID_ID3D11Device1, (void **)&newer_device);
    ID3D11DeviceContext_QueryInterface(context, &IID_ID3D11DeviceContext1, (void **)&newer);
    assert_int_equal(ID3D11Device1_CreateDeviceContextState(newer_device, 0, &level, 1, D3D11_SDK_VERSION,
                                                            &IID_ID3D10Device1, NULL, &of_10),
                     S_OK);
    ID3D11DeviceContext_VSSetConstantBuffers(context, 0, 1, &buffer);
    ID3D11DeviceContext1_SwapDeviceContextState(newer, of_10, &before);
    assert_int_equal(ID3D11Device1_QueryInterface(newer_device, &IID_ID3D10Device, (void **)&as_10), S_OK);
    assert_int_equal(ID3D11Buffer_QueryInterface(buffer, &IID_ID3D10Buffer, (void **)&older), S_OK);
    ID3D10Device_PSSetConstantBuffers(as_10, 3, 1, &older);
    ID3D11DeviceContext_PSGetConstantBuffers(context, 3, 1, &got);
    assert_null(got);
    ID3D11DeviceContext_PSSetConstantBuffers(context, 4, 1, &buffer);
    ID3D11DeviceContext_ClearState(context);
    ID3D10Device_PSGetConstantBuffers(as_10, 4, 1, &bound);
    assert_null(bound);
    ID3D10Device_PSGetConstantBuffers(as_10, 3, 1, &bound);
    assert_ptr_equal(bound, older);
    ID3D10Buffer_Release(bound);
    ID3D11DeviceContext_RSGetViewports(context, &count, viewports);
    assert_int_equal(count, 0);
    ID3D11DeviceContext_VSGetSamplers(context, 0, 1, &sampler);
    assert_null(sampler);
    ID3D11DeviceContext1_SwapDeviceContextState(newer, before, NULL);
    ID3D11DeviceContext_VSGetConstantBuffers(context, 0, 1, &got);
    assert_ptr_equal(got, buffer);
    ID3D11Buffer_Release(got);
    ID3D11DeviceContext_PSGetConstantBuffers(context, 3, 1, &got);
    assert_null(got);
    ID3D11DeviceContext_ClearState(context);
    ID3D10Buffer_Release(older);
    ID3D10Device_Release(as_10);
    ID3DDeviceContextState_Release(before);
    ID3DDeviceContextState_Release(of_10);
    ID3D11DeviceContext1_Release(newer);
    ID3D11Device1_Release(newer_device);
    ID3D11Buffer_Release(buffer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        D3D10_TEST(devices_have_interfaces),
        D3D10_TEST(offsets_of_stream_output_are_told),
        D3D10_TEST(resources_of_newer_devices_have_older_interfaces),
        D3D10_TEST(states_of_10_turn_methods_of_11_off),
        D3D10_TEST(creations_are_refused),
        D3D10_TEST(devices_emulate),
        D3D10_TEST(a_triangle_is_drawn_by_10),
        D3D10_TEST(getters_return_faces_of_10),
        D3D10_TEST(presents_by_10_are_seen),
        D3D10_TEST(the_factory_of_10_is_the_first),
        D3D10_TEST(states_are_described),
        D3D10_TEST(resources_are_described),
        D3D10_TEST(queries_of_10_count),
        D3D10_TEST(geometry_is_streamed_out),
        D3D10_TEST(masks_are_combined),
        D3D10_TEST(state_blocks_bring_state_back),
        D3D10_TEST(blobs_have_bytes),
        D3D10_TEST(compilers_are_refused),
    };
    return runtime_main(argc, argv, "guest/d3d11/d3d10", tests, sizeof tests / sizeof tests[0]);
}
