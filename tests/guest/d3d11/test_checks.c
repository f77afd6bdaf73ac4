/* SPDX-License-Identifier: MIT
 *
 * What creations and calls answer to parameters that are wrong, or unusual and right.
 */
#include "runtime.h"

#include <stdbool.h>
#include <string.h>

struct buffer_case {
    D3D11_BUFFER_DESC desc;
    bool has_data;
    HRESULT result;
};

/* ByteWidth, Usage, BindFlags, CPUAccessFlags, MiscFlags, StructureByteStride */
static const struct buffer_case buffer_cases[] = {
    {{4, D3D11_USAGE_DEFAULT, 0, 0, 0, 0},                                                                     false, S_OK        },
    {{0, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0},                                              false, E_INVALIDARG},
    {{16, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0},                                           false, S_OK        },
    {{20, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0},                                           false, E_INVALIDARG},
    {{1 << 17, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0},                                      false, S_OK        },
    {{16, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER | D3D11_BIND_VERTEX_BUFFER, 0, 0, 0},
     false,                                                                                                           E_INVALIDARG},
    {{16, D3D11_USAGE_DEFAULT, D3D11_BIND_DEPTH_STENCIL, 0, 0, 0},                                             false, E_INVALIDARG},
    {{16, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, D3D11_CPU_ACCESS_WRITE, 0, 0},                        false, E_INVALIDARG},
    {{16, D3D11_USAGE_IMMUTABLE, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0},                                           false, E_INVALIDARG},
    {{16, D3D11_USAGE_IMMUTABLE, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0},                                           true,  S_OK        },
    {{16, D3D11_USAGE_IMMUTABLE, D3D11_BIND_STREAM_OUTPUT, 0, 0, 0},                                           true,  E_INVALIDARG},
    {{16, D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, D3D11_CPU_ACCESS_WRITE, 0, 0},                        false, S_OK        },
    {{16, D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, D3D11_CPU_ACCESS_READ, 0, 0},                         false, E_INVALIDARG},
    {{16, D3D11_USAGE_DYNAMIC, D3D11_BIND_UNORDERED_ACCESS, D3D11_CPU_ACCESS_WRITE, 0, 0},
     false,                                                                                                           E_INVALIDARG},
    {{16, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ | D3D11_CPU_ACCESS_WRITE, 0, 0},                       false, S_OK        },
    {{16, D3D11_USAGE_STAGING, D3D11_BIND_VERTEX_BUFFER, D3D11_CPU_ACCESS_READ, 0, 0},                         false, E_INVALIDARG},
    {{16, D3D11_USAGE_STAGING, 0, 0, 0, 0},                                                                    false, E_INVALIDARG},
    {{32, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 8},
     false,                                                                                                           S_OK        },
    {{32, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 0},
     false,                                                                                                           E_INVALIDARG},
    {{32, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 5},
     false,                                                                                                           E_INVALIDARG},
    {{32, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 12},
     false,                                                                                                           E_INVALIDARG},
    {{32, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS, 0},
     false,                                                                                                           E_INVALIDARG},
    {{32, D3D11_USAGE_DEFAULT, D3D11_BIND_UNORDERED_ACCESS, 0, D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS, 0},
     false,                                                                                                           S_OK        },
    {{32, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, D3D11_RESOURCE_MISC_GENERATE_MIPS, 0},
     false,                                                                                                           E_INVALIDARG},
};

static void buffers(void **state)
{
    (void)state;
    static const UINT bytes[8];
    const D3D11_SUBRESOURCE_DATA data = {.pSysMem = bytes};
    for (size_t i = 0; i < sizeof buffer_cases / sizeof buffer_cases[0]; i++) {
        const struct buffer_case *c = &buffer_cases[i];
        ID3D11Buffer *buffer;
        const HRESULT result =
            ID3D11Device_CreateBuffer(device, &c->desc, c->has_data ? &data : NULL, &buffer);
        if (result != c->result)
            print_error("buffer %u\n", (unsigned)i);
        assert_int_equal(result, c->result);
        assert_int_equal(buffer != NULL, result == S_OK);
        /* Without a place for the object only the parameters are looked at. */
        assert_int_equal(ID3D11Device_CreateBuffer(device, &c->desc, c->has_data ? &data : NULL, NULL),
                         c->result == S_OK ? S_FALSE : c->result);
        if (buffer)
            ID3D11Buffer_Release(buffer);
    }
}

struct texture_case {
    D3D11_TEXTURE2D_DESC desc;
    HRESULT result;
};

#define RGBA8 DXGI_FORMAT_R8G8B8A8_UNORM
#define SRV D3D11_BIND_SHADER_RESOURCE
#define RTV D3D11_BIND_RENDER_TARGET
#define DSV D3D11_BIND_DEPTH_STENCIL
#define UAV D3D11_BIND_UNORDERED_ACCESS

/* Width, Height, MipLevels, ArraySize, Format, SampleDesc, Usage, BindFlags, CPUAccessFlags, MiscFlags */
static const struct texture_case texture_cases[] = {
    {{8, 8, 1, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                                       S_OK        },
    {{0, 8, 1, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                                       E_INVALIDARG},
    {{8, 8, 1, 0, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                                       E_INVALIDARG},
    {{8, 8, 4, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                                       S_OK        },
    {{8, 8, 5, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                                       E_INVALIDARG},
    {{1 << 20, 8, 1, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                                 E_INVALIDARG},
    {{8, 8, 1, 1, RGBA8, {0, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                                       E_INVALIDARG},
    {{8, 8, 1, 1, RGBA8, {3, 0}, D3D11_USAGE_DEFAULT, RTV, 0, 0},                                       E_INVALIDARG},
    {{8, 8, 1, 1, RGBA8, {4, 0}, D3D11_USAGE_DEFAULT, RTV, 0, 0},                                       S_OK        },
    {{8, 8, 1, 1, RGBA8, {4, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                                       S_OK        },
    {{8, 8, 1, 1, RGBA8, {4, 7}, D3D11_USAGE_DEFAULT, RTV, 0, 0},                                       E_INVALIDARG},
    {{8, 8, 1, 1, RGBA8, {4, 0xffffffff}, D3D11_USAGE_DEFAULT, RTV, 0, 0},                              S_OK        },
    {{8, 8, 2, 1, RGBA8, {4, 0}, D3D11_USAGE_DEFAULT, RTV, 0, 0},                                       E_INVALIDARG},
    {{8, 8, 1, 1, RGBA8, {4, 0}, D3D11_USAGE_DEFAULT, UAV, 0, 0},                                       E_INVALIDARG},
    {{8, 8, 1, 1, DXGI_FORMAT_UNKNOWN, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                         E_INVALIDARG},
    {{8, 8, 1, 1, DXGI_FORMAT_R9G9B9E5_SHAREDEXP, {1, 0}, D3D11_USAGE_DEFAULT, RTV, 0, 0},              E_INVALIDARG},
    {{8, 8, 0, 1, DXGI_FORMAT_R32G32B32_FLOAT, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                 S_OK        },
    {{8, 8, 1, 1, DXGI_FORMAT_R32G32B32_TYPELESS, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},              S_OK        },
    {{8, 8, 1, 1, DXGI_FORMAT_R32G32B32_UINT, {1, 0}, D3D11_USAGE_DEFAULT, RTV, 0, 0},                  E_INVALIDARG},
    {{8, 8, 1, 1, DXGI_FORMAT_R32G32B32_FLOAT, {1, 0}, D3D11_USAGE_DEFAULT, UAV, 0, 0},                 E_INVALIDARG},
    {{8, 8, 1, 1, DXGI_FORMAT_R32G32B32_FLOAT, {4, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                 E_INVALIDARG},
    {{8, 8, 1, 1, DXGI_FORMAT_D32_FLOAT, {1, 0}, D3D11_USAGE_DEFAULT, DSV, 0, 0},                       S_OK        },
    {{8, 8, 1, 1, DXGI_FORMAT_D32_FLOAT, {1, 0}, D3D11_USAGE_DEFAULT, DSV | SRV, 0, 0},                 E_INVALIDARG},
    {{8, 8, 1, 1, DXGI_FORMAT_R32_TYPELESS, {1, 0}, D3D11_USAGE_DEFAULT, DSV | SRV, 0, 0},              S_OK        },
    {{8, 8, 1, 1, DXGI_FORMAT_R24_UNORM_X8_TYPELESS, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},           E_INVALIDARG},
    {{8, 8, 1, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, DSV, 0, 0},                                       E_INVALIDARG},
    {{8, 8, 1, 1, DXGI_FORMAT_R32_TYPELESS, {1, 0}, D3D11_USAGE_DEFAULT, DSV | RTV, 0, 0},              E_INVALIDARG},
    {{8, 8, 1, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0},                  E_INVALIDARG},
    {{8, 8, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                       S_OK        },
    {{10, 8, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0},                      E_INVALIDARG},
    {{8, 8, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, D3D11_USAGE_DEFAULT, RTV, 0, 0},                       E_INVALIDARG},
    {{8, 8, 1, 5, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, D3D11_RESOURCE_MISC_TEXTURECUBE},         E_INVALIDARG},
    {{8, 8, 1, 6, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, D3D11_RESOURCE_MISC_TEXTURECUBE},         S_OK        },
    {{8, 8, 1, 7, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, D3D11_RESOURCE_MISC_TEXTURECUBE},         S_OK        },
    {{8, 4, 1, 6, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, D3D11_RESOURCE_MISC_TEXTURECUBE},         E_INVALIDARG},
    {{8, 8, 0, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, D3D11_RESOURCE_MISC_GENERATE_MIPS},
     E_INVALIDARG                                                                                                   },
    {{8, 8, 0, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV | RTV, 0, D3D11_RESOURCE_MISC_GENERATE_MIPS}, S_OK        },
    {{8, 8, 1, 1, RGBA8, {1, 0}, D3D11_USAGE_DYNAMIC, SRV, D3D11_CPU_ACCESS_WRITE, 0},                  S_OK        },
    {{8, 8, 2, 1, RGBA8, {1, 0}, D3D11_USAGE_DYNAMIC, SRV, D3D11_CPU_ACCESS_WRITE, 0},                  E_INVALIDARG},
    {{8, 8, 1, 1, RGBA8, {1, 0}, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ, 0},                     S_OK        },
    {{8, 8, 1, 1, RGBA8, {1, 0}, D3D11_USAGE_DEFAULT, SRV, 0, 0x40000},                                 E_INVALIDARG},
};

static void textures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texture_cases / sizeof texture_cases[0]; i++) {
        const struct texture_case *c = &texture_cases[i];
        ID3D11Texture2D *texture;
        const HRESULT result = ID3D11Device_CreateTexture2D(device, &c->desc, NULL, &texture);
        if (result != c->result)
            print_error("texture %u\n", (unsigned)i);
        assert_int_equal(result, c->result);
        if (texture)
            ID3D11Texture2D_Release(texture);
    }
}

static void mips_are_counted(void **state)
{
    (void)state;
    D3D11_TEXTURE2D_DESC desc = texture_desc(SRV);
    ID3D11Texture2D *texture;
    desc.Width = 17;
    desc.MipLevels = 0;
    texture = runtime_texture(&desc);
    ID3D11Texture2D_GetDesc(texture, &desc);
    assert_int_equal(desc.MipLevels, 5);
    ID3D11Texture2D_Release(texture);
}

/* ---- Views --------------------------------------------------------------------------------------------- */

static void views_of_whole_textures(void **state)
{
    (void)state;
    D3D11_TEXTURE2D_DESC desc = texture_desc(SRV | RTV);
    D3D11_SHADER_RESOURCE_VIEW_DESC srv_desc;
    D3D11_RENDER_TARGET_VIEW_DESC rtv_desc;
    ID3D11ShaderResourceView *srv;
    ID3D11RenderTargetView *rtv;
    ID3D11Texture2D *texture;
    desc.ArraySize = 6;
    desc.MipLevels = 3;
    desc.MiscFlags = D3D11_RESOURCE_MISC_TEXTURECUBE;
    texture = runtime_texture(&desc);
    assert_int_equal(ID3D11Device_CreateShaderResourceView(device, (ID3D11Resource *)texture, NULL, &srv),
                     S_OK);
    ID3D11ShaderResourceView_GetDesc(srv, &srv_desc);
    assert_int_equal(srv_desc.ViewDimension, D3D11_SRV_DIMENSION_TEXTURECUBE);
    assert_int_equal(srv_desc.Format, RGBA8);
    assert_int_equal(srv_desc.TextureCube.MipLevels, 3);
    ID3D11ShaderResourceView_Release(srv);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)texture, NULL, &rtv),
                     S_OK);
    ID3D11RenderTargetView_GetDesc(rtv, &rtv_desc);
    assert_int_equal(rtv_desc.ViewDimension, D3D11_RTV_DIMENSION_TEXTURE2DARRAY);
    assert_int_equal(rtv_desc.Texture2DArray.ArraySize, 6);
    ID3D11RenderTargetView_Release(rtv);
    ID3D11Texture2D_Release(texture);
}

static HRESULT try_srv(ID3D11Texture2D *texture, D3D11_SHADER_RESOURCE_VIEW_DESC desc)
{
    return ID3D11Device_CreateShaderResourceView(device, (ID3D11Resource *)texture, &desc, NULL);
}

static void views_are_checked(void **state)
{
    (void)state;
    D3D11_TEXTURE2D_DESC desc = texture_desc(SRV);
    ID3D11Texture2D *texture;
    ID3D11RenderTargetView *rtv;
    desc.MipLevels = 2;
    texture = runtime_texture(&desc);
    const D3D11_SHADER_RESOURCE_VIEW_DESC good = {
        RGBA8, D3D11_SRV_DIMENSION_TEXTURE2D, {.Texture2D = {0, 2}}};
    D3D11_SHADER_RESOURCE_VIEW_DESC bad = good;
    assert_int_equal(try_srv(texture, good), S_FALSE);
    bad.TextureCubeArray.First2DArrayFace = 77; /* behind what a 2D view has */
    assert_int_equal(try_srv(texture, bad), S_FALSE);
    bad.Texture2D.MipLevels = 3;
    assert_int_equal(try_srv(texture, bad), E_INVALIDARG);
    bad.Texture2D.MipLevels = 0;
    assert_int_equal(try_srv(texture, bad), E_INVALIDARG);
    bad.Texture2D.MostDetailedMip = 1;
    bad.Texture2D.MipLevels = ~0u;
    assert_int_equal(try_srv(texture, bad), S_FALSE);
    bad = good;
    bad.Format = DXGI_FORMAT_R8G8B8A8_UINT; /* the texture is of a typed format */
    assert_int_equal(try_srv(texture, bad), E_INVALIDARG);
    bad = good;
    bad.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE3D;
    assert_int_equal(try_srv(texture, bad), E_INVALIDARG);
    bad.ViewDimension = D3D11_SRV_DIMENSION_TEXTURECUBE;
    assert_int_equal(try_srv(texture, bad), E_INVALIDARG);
    bad.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2DMS; /* of one sample */
    assert_int_equal(try_srv(texture, bad), S_FALSE);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)texture, NULL, &rtv),
                     E_INVALIDARG);
    assert_null(rtv);
    ID3D11Texture2D_Release(texture);
}

static void buffer_views_are_checked(void **state)
{
    (void)state;
    const D3D11_BUFFER_DESC desc = {64, D3D11_USAGE_DEFAULT, UAV, 0, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED,
                                    16};
    D3D11_UNORDERED_ACCESS_VIEW_DESC view = {
        DXGI_FORMAT_UNKNOWN, D3D11_UAV_DIMENSION_BUFFER, {.Buffer = {0, 4, 0}}};
    ID3D11Buffer *buffer;
    ID3D11Resource *resource;
    assert_int_equal(ID3D11Device_CreateBuffer(device, &desc, NULL, &buffer), S_OK);
    resource = (ID3D11Resource *)buffer;
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, resource, NULL, NULL), S_FALSE);
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, resource, &view, NULL), S_FALSE);
    view.Buffer.Flags = D3D11_BUFFER_UAV_FLAG_COUNTER;
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, resource, &view, NULL), S_FALSE);
    view.Buffer.Flags |= D3D11_BUFFER_UAV_FLAG_APPEND;
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, resource, &view, NULL), E_INVALIDARG);
    view.Buffer.Flags = 0;
    view.Buffer.NumElements = 5;
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, resource, &view, NULL), E_INVALIDARG);
    view.Buffer.NumElements = 4;
    view.Format = DXGI_FORMAT_R32_UINT;
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, resource, &view, NULL), E_INVALIDARG);
    ID3D11Buffer_Release(buffer);
}

/* ---- Layouts, shaders, states, queries --------------------------------------------------------------- */

static void layouts_match_the_signature(void **state)
{
    (void)state;
    D3D11_INPUT_ELEMENT_DESC elements[] = {
        {"position", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0,                            D3D11_INPUT_PER_VERTEX_DATA, 0},
        {"COLOR",    0, RGBA8,                          0, D3D11_APPEND_ALIGNED_ELEMENT, D3D11_INPUT_PER_VERTEX_DATA, 0},
    };
    ID3D11InputLayout *layout;
    SIZE_T size;
    void *code = runtime_assemble(position_vs, &size);
    assert_int_equal(ID3D11Device_CreateInputLayout(device, elements, 2, code, size, &layout), S_OK);
    ID3D11InputLayout_Release(layout);
    /* An input without an element; a step rate of vertices; a format that is none; an odd offset. */
    assert_int_equal(ID3D11Device_CreateInputLayout(device, elements + 1, 1, code, size, &layout),
                     E_INVALIDARG);
    elements[0].InstanceDataStepRate = 1;
    assert_int_equal(ID3D11Device_CreateInputLayout(device, elements, 2, code, size, &layout), E_INVALIDARG);
    elements[0].InstanceDataStepRate = 0;
    elements[1].Format = DXGI_FORMAT_BC1_UNORM;
    assert_int_equal(ID3D11Device_CreateInputLayout(device, elements, 2, code, size, &layout), E_INVALIDARG);
    elements[1].Format = RGBA8;
    elements[1].AlignedByteOffset = 17;
    assert_int_equal(ID3D11Device_CreateInputLayout(device, elements, 2, code, size, &layout), E_INVALIDARG);
    assert_int_equal(ID3D11Device_CreateInputLayout(device, elements, 2, code, 12, &layout), E_INVALIDARG);
    runtime_free(code);
}

static void shaders_are_of_their_stage(void **state)
{
    (void)state;
    ID3D11PixelShader *shader;
    SIZE_T size;
    void *code = runtime_assemble(position_vs, &size);
    assert_int_equal(ID3D11Device_CreatePixelShader(device, code, size, NULL, &shader), E_INVALIDARG);
    assert_null(shader);
    assert_int_equal(ID3D11Device_CreateVertexShader(device, code, size, NULL, NULL), S_FALSE);
    assert_int_equal(ID3D11Device_CreateVertexShader(device, code, size - 4, NULL, NULL), E_INVALIDARG);
    runtime_free(code);
}

static void states_are_checked(void **state)
{
    (void)state;
    D3D11_RASTERIZER_DESC rasterizer = {.FillMode = D3D11_FILL_SOLID, .CullMode = D3D11_CULL_NONE};
    D3D11_BLEND_DESC blend = {
        .RenderTarget[0] = {TRUE, D3D11_BLEND_ONE, D3D11_BLEND_ZERO, D3D11_BLEND_OP_ADD, D3D11_BLEND_ONE,
                            D3D11_BLEND_ZERO, D3D11_BLEND_OP_ADD, 15}
    };
    assert_int_equal(ID3D11Device_CreateRasterizerState(device, &rasterizer, NULL), S_FALSE);
    rasterizer.CullMode = 0;
    assert_int_equal(ID3D11Device_CreateRasterizerState(device, &rasterizer, NULL), E_INVALIDARG);
    assert_int_equal(ID3D11Device_CreateBlendState(device, &blend, NULL), S_FALSE);
    blend.RenderTarget[0].SrcBlendAlpha = D3D11_BLEND_SRC_COLOR;
    assert_int_equal(ID3D11Device_CreateBlendState(device, &blend, NULL), E_INVALIDARG);
}

static void predicates_are_queries(void **state)
{
    (void)state;
    D3D11_QUERY_DESC desc = {D3D11_QUERY_OCCLUSION, 0};
    ID3D11Query *query;
    ID3D11Predicate *predicate;
    BOOL answer;
    assert_int_equal(ID3D11Device_CreatePredicate(device, &desc, NULL), E_INVALIDARG);
    desc.MiscFlags = D3D11_QUERY_MISC_PREDICATEHINT;
    assert_int_equal(ID3D11Device_CreateQuery(device, &desc, &query), E_INVALIDARG);
    desc.Query = D3D11_QUERY_OCCLUSION_PREDICATE;
    assert_int_equal(ID3D11Device_CreateQuery(device, &desc, &query), S_OK);
    assert_int_equal(ID3D11Query_QueryInterface(query, &IID_ID3D11Predicate, (void **)&predicate), S_OK);
    ID3D11Predicate_Release(predicate);
    assert_int_equal(ID3D11Query_GetDataSize(query), sizeof(BOOL));
    assert_int_equal(
        ID3D11DeviceContext_GetData(context, (ID3D11Asynchronous *)query, &answer, sizeof answer, 0),
        DXGI_ERROR_INVALID_CALL);
    ID3D11Query_Release(query);
}

static void maps_are_checked(void **state)
{
    (void)state;
    ID3D11Buffer *dynamic = runtime_buffer(16, D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, NULL);
    ID3D11Buffer *staging = runtime_buffer(16, D3D11_USAGE_STAGING, 0, NULL);
    ID3D11Buffer *usual = runtime_buffer(16, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, NULL);
    D3D11_MAPPED_SUBRESOURCE mapped;
#define MAP(buffer, type, flags)                                                                             \
    ID3D11DeviceContext_Map(context, (ID3D11Resource *)buffer, 0, D3D11_MAP_##type, flags, &mapped)
    assert_int_equal(MAP(usual, READ, 0), E_INVALIDARG);
    assert_int_equal(MAP(dynamic, READ, 0), E_INVALIDARG);
    assert_int_equal(MAP(dynamic, WRITE, 0), E_INVALIDARG);
    assert_int_equal(MAP(dynamic, WRITE_DISCARD, D3D11_MAP_FLAG_DO_NOT_WAIT), E_INVALIDARG);
    assert_int_equal(MAP(staging, WRITE_DISCARD, 0), E_INVALIDARG);
    assert_int_equal(MAP(staging, WRITE, 0), E_INVALIDARG);
    assert_int_equal(MAP(dynamic, WRITE_DISCARD, 0), S_OK);
    assert_int_equal(MAP(dynamic, WRITE_NO_OVERWRITE, 0), E_INVALIDARG);
    ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)dynamic, 0);
    assert_int_equal(MAP(dynamic, WRITE_NO_OVERWRITE, 0), S_OK);
    ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)dynamic, 0);
    assert_int_equal(MAP(staging, READ, 0), S_OK);
    ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)staging, 0);
    assert_int_equal(
        ID3D11DeviceContext_Map(context, (ID3D11Resource *)staging, 1, D3D11_MAP_READ, 0, &mapped),
        E_INVALIDARG);
    ID3D11Buffer_Release(dynamic);
    ID3D11Buffer_Release(staging);
    ID3D11Buffer_Release(usual);
}

static void features_are_told(void **state)
{
    (void)state;
    D3D11_FEATURE_DATA_THREADING threading;
    D3D11_FEATURE_DATA_D3D11_OPTIONS5 options5;
    D3D11_FEATURE_DATA_FORMAT_SUPPORT2 support = {.InFormat = DXGI_FORMAT_R32_UINT};
    UINT bits, levels;
    assert_int_equal(
        ID3D11Device_CheckFeatureSupport(device, D3D11_FEATURE_THREADING, &threading, sizeof threading),
        S_OK);
    assert_int_equal(
        ID3D11Device_CheckFeatureSupport(device, D3D11_FEATURE_THREADING, &threading, sizeof threading - 1),
        E_INVALIDARG);
    assert_int_equal(
        ID3D11Device_CheckFeatureSupport(device, D3D11_FEATURE_D3D11_OPTIONS5, &options5, sizeof options5),
        S_OK);
    assert_int_equal(
        ID3D11Device_CheckFeatureSupport(device, D3D11_FEATURE_FORMAT_SUPPORT2, &support, sizeof support),
        S_OK);
    assert_true(support.OutFormatSupport2 & D3D11_FORMAT_SUPPORT2_UAV_TYPED_LOAD);
    assert_int_equal(ID3D11Device_CheckFormatSupport(device, RGBA8, &bits), S_OK);
    assert_true(bits & D3D11_FORMAT_SUPPORT_RENDER_TARGET);
    assert_int_equal(ID3D11Device_CheckMultisampleQualityLevels(device, RGBA8, 4, &levels), S_OK);
    assert_int_equal(levels, 1);
    assert_int_equal(ID3D11Device_CheckMultisampleQualityLevels(device, RGBA8, 3, &levels), S_OK);
    assert_int_equal(levels, 0);
    assert_int_equal(ID3D11Device_CheckMultisampleQualityLevels(device, RGBA8, 0, &levels), E_FAIL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(buffers),
        RUNTIME_TEST(textures),
        RUNTIME_TEST(mips_are_counted),
        RUNTIME_TEST(views_of_whole_textures),
        RUNTIME_TEST(views_are_checked),
        RUNTIME_TEST(buffer_views_are_checked),
        RUNTIME_TEST(layouts_match_the_signature),
        RUNTIME_TEST(shaders_are_of_their_stage),
        RUNTIME_TEST(states_are_checked),
        RUNTIME_TEST(predicates_are_queries),
        RUNTIME_TEST(maps_are_checked),
        RUNTIME_TEST(features_are_told),
    };
    return runtime_main(argc, argv, "guest/d3d11/checks", tests, sizeof tests / sizeof tests[0]);
}
