/* SPDX-License-Identifier: MIT
 *
 * Copies, updates and maps of resources, and what swap chains do with their buffers.
 */
#include "runtime.h"

#include <string.h>

static void textures_of_all_dimensions_are_copied(void **state)
{
    (void)state;
    static const UINT row[4] = {0xff000001, 0xff000002, 0xff000003, 0xff000004};
    const D3D11_TEXTURE1D_DESC line_desc = {
        .Width = 4, .MipLevels = 1, .ArraySize = 1, .Format = DXGI_FORMAT_R8G8B8A8_UNORM};
    const D3D11_TEXTURE3D_DESC volume_desc = {
        .Width = 4, .Height = 4, .Depth = 2, .MipLevels = 1, .Format = DXGI_FORMAT_R8G8B8A8_UNORM};
    const D3D11_SUBRESOURCE_DATA initial = {.pSysMem = row, .SysMemPitch = sizeof row};
    const D3D11_BOX box = {0, 0, 0, 4, 1, 1}, back = {1, 2, 1, 3, 3, 2};
    D3D11_TEXTURE2D_DESC desc = texture_desc(0);
    ID3D11Texture1D *line;
    ID3D11Texture3D *volume;
    ID3D11Texture2D *plane;
    desc.Width = desc.Height = 4;
    plane = runtime_texture(&desc);
    assert_int_equal(ID3D11Device_CreateTexture1D(device, &line_desc, &initial, &line), S_OK);
    assert_int_equal(ID3D11Device_CreateTexture3D(device, &volume_desc, NULL, &volume), S_OK);
    /* The line into row 2 of the plane, the plane into slice 1 of the volume, two texels of that into the
     * plane. */
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)plane, 0, 0, 2, 0,
                                              (ID3D11Resource *)line, 0, &box);
    assert_int_equal(runtime_texel(context, plane, 3, 2), 0xff000004);
    assert_int_equal(runtime_texel(context, plane, 3, 1), 0);
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)volume, 0, 0, 0, 1,
                                              (ID3D11Resource *)plane, 0, NULL);
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)plane, 0, 0, 0, 0,
                                              (ID3D11Resource *)volume, 0, &back);
    assert_int_equal(runtime_texel(context, plane, 0, 0), 0xff000002);
    assert_int_equal(runtime_texel(context, plane, 1, 0), 0xff000003);
    assert_int_equal(runtime_texel(context, plane, 2, 0), 0);
    ID3D11Texture1D_Release(line);
    ID3D11Texture2D_Release(plane);
    ID3D11Texture3D_Release(volume);
}

static UINT first_word(ID3D11Buffer *buffer)
{
    ID3D11Buffer *staging = runtime_buffer(16, D3D11_USAGE_STAGING, 0, NULL);
    D3D11_MAPPED_SUBRESOURCE mapped;
    UINT word;
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)staging, (ID3D11Resource *)buffer);
    assert_int_equal(
        ID3D11DeviceContext_Map(context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped), S_OK);
    word = *(const UINT *)mapped.pData;
    ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)staging, 0);
    ID3D11Buffer_Release(staging);
    return word;
}

/* A whole subresource, for a place where only a part of it fits. */
static void copies_end_with_their_destination(void **state)
{
    (void)state;
    static const UINT texels[16] = {0xff000000, 0xff000001, 0xff000002, 0xff000003, 0xff000010, 0xff000011,
                                    0xff000012, 0xff000013, 0xff000020, 0xff000021, 0xff000022, 0xff000023,
                                    0xff000030, 0xff000031, 0xff000032, 0xff000033};
    static const UINT words[4] = {1, 2, 3, 4}, zeros[4] = {0, 0, 0, 0};
    const D3D11_BOX last = {12, 0, 0, 16, 1, 1};
    D3D11_TEXTURE2D_DESC desc = texture_desc(0);
    ID3D11Texture2D *from, *to;
    ID3D11Buffer *front = runtime_buffer(16, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, words);
    ID3D11Buffer *back = runtime_buffer(16, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, zeros);
    desc.Width = desc.Height = 4;
    from = runtime_texture(&desc);
    to = runtime_texture(&desc);
    ID3D11DeviceContext_UpdateSubresource(context, (ID3D11Resource *)from, 0, NULL, texels, 16, 0);
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)to, 0, 1, 2, 0,
                                              (ID3D11Resource *)from, 0, NULL);
    assert_int_equal(runtime_texel(context, to, 0, 3), 0);
    assert_int_equal(runtime_texel(context, to, 3, 1), 0);
    assert_int_equal(runtime_texel(context, to, 1, 2), 0xff000000);
    assert_int_equal(runtime_texel(context, to, 3, 3), 0xff000012);
    /* Beside it. */
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)to, 0, 4, 0, 0,
                                              (ID3D11Resource *)from, 0, NULL);
    assert_int_equal(runtime_texel(context, to, 3, 1), 0);
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)back, 0, 8, 0, 0,
                                              (ID3D11Resource *)front, 0, NULL);
    assert_int_equal(first_word(back), 0);
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)front, 0, 0, 0, 0,
                                              (ID3D11Resource *)back, 0, &last);
    assert_int_equal(first_word(front), 2);
    ID3D11Buffer_Release(front);
    ID3D11Buffer_Release(back);
    ID3D11Texture2D_Release(from);
    ID3D11Texture2D_Release(to);
}

static ID3D11Texture2D *mipped(UINT side, DXGI_FORMAT format, D3D11_USAGE usage,
                               const D3D11_SUBRESOURCE_DATA *data)
{
    const D3D11_TEXTURE2D_DESC desc = {
        .Width = side,
        .Height = side,
        .MipLevels = 2,
        .ArraySize = 1,
        .Format = format,
        .SampleDesc = {1, 0},
        .Usage = usage,
        .BindFlags = usage == D3D11_USAGE_STAGING ? 0 : D3D11_BIND_SHADER_RESOURCE,
        .CPUAccessFlags = usage == D3D11_USAGE_STAGING ? D3D11_CPU_ACCESS_READ : 0
    };
    ID3D11Texture2D *texture;
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, data, &texture), S_OK);
    return texture;
}

/* The first bytes of both mips of texels that have blocks of a texture copied into them. */
static void copy_blocks(UINT blocks_side, UINT texels_side, UINT found[2])
{
    static const uint8_t bytes[9 * 16] = {1};
    const D3D11_SUBRESOURCE_DATA data[2] = {
        {.pSysMem = bytes, .SysMemPitch = 48},
        {.pSysMem = bytes, .SysMemPitch = 48}
    };
    ID3D11Texture2D *blocks = mipped(blocks_side, DXGI_FORMAT_BC3_UNORM, D3D11_USAGE_DEFAULT, data);
    ID3D11Texture2D *texels = mipped(texels_side, DXGI_FORMAT_R32G32B32A32_UINT, D3D11_USAGE_DEFAULT, NULL);
    ID3D11Texture2D *staging = mipped(texels_side, DXGI_FORMAT_R32G32B32A32_UINT, D3D11_USAGE_STAGING, NULL);
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)texels, (ID3D11Resource *)blocks);
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)staging, (ID3D11Resource *)texels);
    for (UINT mip = 0; mip < 2; mip++) {
        D3D11_MAPPED_SUBRESOURCE mapped;
        assert_int_equal(
            ID3D11DeviceContext_Map(context, (ID3D11Resource *)staging, mip, D3D11_MAP_READ, 0, &mapped),
            S_OK);
        found[mip] = *(const UINT *)mapped.pData;
        ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)staging, mip);
    }
    ID3D11Texture2D_Release(staging);
    ID3D11Texture2D_Release(texels);
    ID3D11Texture2D_Release(blocks);
}

static void mips_have_as_many_blocks_as_texels(void **state)
{
    (void)state;
    UINT found[2];
    copy_blocks(8, 2, found);
    assert_int_equal(found[0], 1);
    assert_int_equal(found[1], 1);
    /* The second mip has 2 by 2 blocks and one texel. */
    copy_blocks(12, 3, found);
    assert_int_equal(found[0], 0);
    assert_int_equal(found[1], 0);
}

/* The last block of a mip has texels beyond the mip's edge, which a whole block of another texture fills. */
static void whole_blocks_are_copied_to_small_mips(void **state)
{
    (void)state;
    static const uint8_t ones[9 * 16] = {1}, twos[4 * 16] = {2}, zeros[9 * 16];
    const D3D11_SUBRESOURCE_DATA nothing[2] = {
        {.pSysMem = zeros, .SysMemPitch = 48},
        {.pSysMem = zeros, .SysMemPitch = 48}
    };
    const D3D11_SUBRESOURCE_DATA one[2] = {
        {.pSysMem = ones, .SysMemPitch = 48},
        {.pSysMem = twos, .SysMemPitch = 32}
    };
    ID3D11Texture2D *to = mipped(12, DXGI_FORMAT_BC3_UNORM, D3D11_USAGE_DEFAULT, nothing);
    ID3D11Texture2D *from = mipped(8, DXGI_FORMAT_BC3_UNORM, D3D11_USAGE_DEFAULT, one);
    ID3D11Texture2D *staging = mipped(12, DXGI_FORMAT_BC3_UNORM, D3D11_USAGE_STAGING, NULL);
    D3D11_MAPPED_SUBRESOURCE mapped;
    /* 8 by 8 texels into 6 by 6, 4 by 4 into its last block, of which it has 2 by 2. */
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)to, 1, 0, 0, 0,
                                              (ID3D11Resource *)from, 0, NULL);
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)to, 1, 4, 4, 0,
                                              (ID3D11Resource *)from, 1, NULL);
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)staging, (ID3D11Resource *)to);
    assert_int_equal(
        ID3D11DeviceContext_Map(context, (ID3D11Resource *)staging, 1, D3D11_MAP_READ, 0, &mapped), S_OK);
    assert_int_equal(*(const uint8_t *)mapped.pData, 1);
    assert_int_equal(((const uint8_t *)mapped.pData)[mapped.RowPitch + 16], 2);
    ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)staging, 1);
    ID3D11Texture2D_Release(staging);
    ID3D11Texture2D_Release(from);
    ID3D11Texture2D_Release(to);
}

/* The word of a texture of shared exponents that a copy leaves in one of R32_UINT. */
static UINT copied_exponents(void)
{
    static const UINT texels[4] = {0x12345678, 0x12345678, 0x12345678, 0x12345678};
    const D3D11_SUBRESOURCE_DATA data[2] = {
        {.pSysMem = texels, .SysMemPitch = 8},
        {.pSysMem = texels, .SysMemPitch = 4}
    };
    ID3D11Texture2D *from = mipped(2, DXGI_FORMAT_R9G9B9E5_SHAREDEXP, D3D11_USAGE_DEFAULT, data);
    ID3D11Texture2D *to = mipped(2, DXGI_FORMAT_R32_UINT, D3D11_USAGE_DEFAULT, NULL);
    ID3D11Texture2D *staging = mipped(2, DXGI_FORMAT_R32_UINT, D3D11_USAGE_STAGING, NULL);
    D3D11_MAPPED_SUBRESOURCE mapped;
    UINT found;
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)to, (ID3D11Resource *)from);
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)staging, (ID3D11Resource *)to);
    assert_int_equal(
        ID3D11DeviceContext_Map(context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped), S_OK);
    found = *(const UINT *)mapped.pData;
    ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)staging, 0);
    ID3D11Texture2D_Release(staging);
    ID3D11Texture2D_Release(to);
    ID3D11Texture2D_Release(from);
    return found;
}

/* The first texel of depth that a copy of R16_UNORM is to leave in a target of depth of the level. */
static UINT copied_to_depth(void)
{
    static const UINT16 texels[2][4] =
        {
            {0x1234, 0x1234, 0x1234, 0x1234}
    },
                        zeros[2][4];
    D3D11_TEXTURE2D_DESC desc = {
        .Width = 4,
        .Height = 2,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = DXGI_FORMAT_R16_UNORM,
        .SampleDesc = {1, 0},
        .BindFlags = D3D11_BIND_SHADER_RESOURCE
    };
    const D3D11_SUBRESOURCE_DATA data = {.pSysMem = texels, .SysMemPitch = 8},
                                 zero = {.pSysMem = zeros, .SysMemPitch = 8};
    ID3D11Texture2D *from, *to, *staging;
    D3D11_MAPPED_SUBRESOURCE mapped;
    UINT found;
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, &data, &from), S_OK);
    desc.Format = DXGI_FORMAT_D16_UNORM;
    desc.BindFlags = D3D11_BIND_DEPTH_STENCIL;
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, &zero, &to), S_OK);
    desc.BindFlags = 0;
    desc.Usage = D3D11_USAGE_STAGING;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, NULL, &staging), S_OK);
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)to, (ID3D11Resource *)from);
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)staging, (ID3D11Resource *)to);
    assert_int_equal(
        ID3D11DeviceContext_Map(context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped), S_OK);
    found = *(const UINT16 *)mapped.pData;
    ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)staging, 0);
    ID3D11Texture2D_Release(staging);
    ID3D11Texture2D_Release(to);
    ID3D11Texture2D_Release(from);
    return found;
}

/* Copies between families, and of colours to depth, came with feature level 10_1. */
static void bits_are_copied_from_10_1_on(void **state)
{
    (void)state;
    assert_int_equal(copied_exponents(), 0x12345678);
    assert_int_equal(copied_to_depth(), 0x1234);
}

static void bits_are_not_copied_on_10_0(void **state)
{
    (void)state;
    assert_int_equal(copied_exponents(), 0);
    assert_int_equal(copied_to_depth(), 0);
}

/* The CPU writes staging resources by mapping them. */
static void staging_resources_are_not_updated(void **state)
{
    (void)state;
    static const UINT before[4] = {1, 2, 3, 4}, after[4] = {5, 6, 7, 8};
    ID3D11Buffer *staging = runtime_buffer(16, D3D11_USAGE_STAGING, 0, before);
    ID3D11DeviceContext_UpdateSubresource(context, (ID3D11Resource *)staging, 0, NULL, after, 0, 0);
    assert_int_equal(first_word(staging), 1);
    ID3D11Buffer_Release(staging);
}

/* Feature level 11_0: buffers that shaders see are mapped in place, and show what the device has written. */
static void default_buffers_are_mapped(void **state)
{
    (void)state;
    static const UINT values[4] = {9, 9, 9, 9};
    D3D11_BUFFER_DESC desc = {.ByteWidth = 16,
                              .BindFlags = D3D11_BIND_UNORDERED_ACCESS | D3D11_BIND_SHADER_RESOURCE,
                              .CPUAccessFlags = D3D11_CPU_ACCESS_READ | D3D11_CPU_ACCESS_WRITE};
    const D3D11_UNORDERED_ACCESS_VIEW_DESC shape = {.Format = DXGI_FORMAT_R32_UINT,
                                                    .ViewDimension = D3D11_UAV_DIMENSION_BUFFER,
                                                    .Buffer = {.NumElements = 4}};
    D3D11_FEATURE_DATA_D3D11_OPTIONS1 options;
    D3D11_MAPPED_SUBRESOURCE mapped;
    ID3D11UnorderedAccessView *view;
    ID3D11Buffer *buffer;
    assert_int_equal(
        ID3D11Device_CheckFeatureSupport(device, D3D11_FEATURE_D3D11_OPTIONS1, &options, sizeof options),
        S_OK);
    assert_true(options.MapOnDefaultBuffers);
    assert_int_equal(ID3D11Device_CreateBuffer(device, &desc, NULL, &buffer), S_OK);
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, (ID3D11Resource *)buffer, &shape, &view),
                     S_OK);
    ID3D11DeviceContext_ClearUnorderedAccessViewUint(context, view, values);
    assert_int_equal(
        ID3D11DeviceContext_Map(context, (ID3D11Resource *)buffer, 0, D3D11_MAP_READ_WRITE, 0, &mapped),
        S_OK);
    assert_int_equal(*(const UINT *)mapped.pData, 9);
    *(UINT *)mapped.pData = 11;
    ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)buffer, 0);
    assert_int_equal(first_word(buffer), 11);
    ID3D11UnorderedAccessView_Release(view);
    ID3D11Buffer_Release(buffer);
    /* What the input assembler sees is not. */
    desc.BindFlags = D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_VERTEX_BUFFER;
    assert_int_equal(ID3D11Device_CreateBuffer(device, &desc, NULL, NULL), E_INVALIDARG);
}

/* ---- Swap chains --------------------------------------------------------------------------------------- */

static IDXGIFactory2 *factory_of_device(void)
{
    IDXGIFactory2 *factory;
    IDXGIAdapter *adapter;
    IDXGIDevice *dxgi;
    assert_int_equal(ID3D11Device_QueryInterface(device, &IID_IDXGIDevice, (void **)&dxgi), S_OK);
    assert_int_equal(IDXGIDevice_GetAdapter(dxgi, &adapter), S_OK);
    assert_int_equal(IDXGIAdapter_GetParent(adapter, &IID_IDXGIFactory2, (void **)&factory), S_OK);
    IDXGIAdapter_Release(adapter);
    IDXGIDevice_Release(dxgi);
    return factory;
}

static IDXGISwapChain1 *make_chain(DXGI_SWAP_EFFECT effect, UINT count)
{
    const DXGI_SWAP_CHAIN_DESC1 desc = {
        .Width = SIDE,
        .Height = SIDE,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {1, 0},
        .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
        .BufferCount = count,
        .SwapEffect = effect
    };
    IDXGIFactory2 *const factory = factory_of_device();
    IDXGISwapChain1 *chain;
    assert_int_equal(
        IDXGIFactory2_CreateSwapChainForComposition(factory, (IUnknown *)device, &desc, NULL, &chain), S_OK);
    IDXGIFactory2_Release(factory);
    return chain;
}

static ID3D11Texture2D *buffer_of(IDXGISwapChain1 *chain, UINT index)
{
    ID3D11Texture2D *buffer;
    assert_int_equal(IDXGISwapChain1_GetBuffer(chain, index, &IID_ID3D11Texture2D, (void **)&buffer), S_OK);
    return buffer;
}

static void clear(ID3D11Texture2D *buffer, DXGI_FORMAT format, const FLOAT colour[4])
{
    const D3D11_RENDER_TARGET_VIEW_DESC shape = {.Format = format,
                                                 .ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2D};
    ID3D11RenderTargetView *view;
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)buffer, &shape, &view),
                     S_OK);
    ID3D11DeviceContext_ClearRenderTargetView(context, view, colour);
    ID3D11RenderTargetView_Release(view);
}

/* With samples, too, unless buffers are flipped. */
static void sequential_buffers_have_samples(void **state)
{
    (void)state;
    static const FLOAT red[4] = {1, 0, 0, 1};
    DXGI_SWAP_CHAIN_DESC desc = {
        .BufferDesc = {.Width = SIDE, .Height = SIDE, .Format = DXGI_FORMAT_R8G8B8A8_UNORM},
        .SampleDesc = {4,             0                          },
        .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
        .BufferCount = 2,
        .OutputWindow = (HWND)(uintptr_t)4,
        .Windowed = TRUE,
        .SwapEffect = DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL
    };
    D3D11_TEXTURE2D_DESC single = texture_desc(D3D11_BIND_RENDER_TARGET);
    IDXGIFactory2 *const factory = factory_of_device();
    IDXGISwapChain1 *chain;
    assert_int_equal(
        IDXGIFactory2_CreateSwapChain(factory, (IUnknown *)device, &desc, (IDXGISwapChain **)&chain),
        DXGI_ERROR_INVALID_CALL);
    desc.SwapEffect = DXGI_SWAP_EFFECT_SEQUENTIAL;
    assert_int_equal(
        IDXGIFactory2_CreateSwapChain(factory, (IUnknown *)device, &desc, (IDXGISwapChain **)&chain), S_OK);
    IDXGIFactory2_Release(factory);
    ID3D11Texture2D *buffers[2] = {buffer_of(chain, 0), buffer_of(chain, 1)}, *resolved;
    ID3D11RenderTargetView *view;
    single.Width = single.Height = SIDE;
    resolved = runtime_texture(&single);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)buffers[0], NULL, &view),
                     S_OK);
    ID3D11DeviceContext_ClearRenderTargetView(context, view, red);
    ID3D11RenderTargetView_Release(view);
    assert_int_equal(IDXGISwapChain1_Present(chain, 0, 0), S_OK);
    ID3D11DeviceContext_ResolveSubresource(context, (ID3D11Resource *)resolved, 0,
                                           (ID3D11Resource *)buffers[1], 0, DXGI_FORMAT_R8G8B8A8_UNORM);
    assert_int_equal(runtime_texel(context, resolved, 3, 3), RED);
    ID3D11Texture2D_Release(resolved);
    ID3D11Texture2D_Release(buffers[0]);
    ID3D11Texture2D_Release(buffers[1]);
    assert_int_equal(IDXGISwapChain1_Release(chain), 0);
}

/* Contents move towards buffer 0, and what was shown to the last one; predicates do not stop them. */
static void sequential_buffers_exchange_contents(void **state)
{
    (void)state;
    static const FLOAT red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
    const D3D11_QUERY_DESC desc = {D3D11_QUERY_OCCLUSION_PREDICATE, 0};
    IDXGISwapChain1 *chain = make_chain(DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL, 3);
    ID3D11Texture2D *buffers[3] = {buffer_of(chain, 0), buffer_of(chain, 1), buffer_of(chain, 2)};
    ID3D11RenderTargetView *view, *bound;
    ID3D11Predicate *predicate;
    assert_int_equal(ID3D11Device_CreatePredicate(device, &desc, &predicate), S_OK);
    ID3D11DeviceContext_Begin(context, (ID3D11Asynchronous *)predicate);
    ID3D11DeviceContext_End(context, (ID3D11Asynchronous *)predicate);
    clear(buffers[0], DXGI_FORMAT_R8G8B8A8_UNORM, red);
    ID3D11DeviceContext_SetPredication(context, predicate, FALSE);
    assert_int_equal(IDXGISwapChain1_Present(chain, 0, 0), S_OK);
    ID3D11DeviceContext_SetPredication(context, NULL, FALSE);
    assert_int_equal(runtime_texel(context, buffers[0], 3, 3), 0);
    assert_int_equal(runtime_texel(context, buffers[2], 3, 3), RED);
    clear(buffers[0], DXGI_FORMAT_R8G8B8A8_UNORM, green);
    /* What is shown out of turn stays where it is, and bound. */
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)buffers[0], NULL, &view),
                     S_OK);
    ID3D11DeviceContext_OMSetRenderTargets(context, 1, &view, NULL);
    assert_int_equal(IDXGISwapChain1_Present(chain, 0, DXGI_PRESENT_DO_NOT_SEQUENCE), S_OK);
    ID3D11DeviceContext_OMGetRenderTargets(context, 1, &bound, NULL);
    assert_ptr_equal(bound, view);
    ID3D11RenderTargetView_Release(bound);
    ID3D11RenderTargetView_Release(view);
    assert_int_equal(runtime_texel(context, buffers[0], 3, 3), GREEN);
    assert_int_equal(runtime_texel(context, buffers[2], 3, 3), RED);
    assert_int_equal(IDXGISwapChain1_Present(chain, 0, 0), S_OK);
    assert_int_equal(runtime_texel(context, buffers[1], 3, 3), RED);
    assert_int_equal(runtime_texel(context, buffers[2], 3, 3), GREEN);
    ID3D11Predicate_Release(predicate);
    for (UINT i = 0; i < 3; i++)
        ID3D11Texture2D_Release(buffers[i]);
    IDXGISwapChain1_Release(chain);
}

/* Buffers are cleared in sRGB by a view of it, whatever they are; those behind the first are only read. */
static void back_buffers_have_views_of_their_own(void **state)
{
    (void)state;
    static const FLOAT half[4] = {0.5f, 0.5f, 0.5f, 1};
    IDXGISwapChain1 *chain = make_chain(DXGI_SWAP_EFFECT_FLIP_DISCARD, 2);
    ID3D11Texture2D *first = buffer_of(chain, 0), *second = buffer_of(chain, 1);
    clear(first, DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, half);
    assert_int_equal(runtime_texel(context, first, 3, 3), 0xffbcbcbc);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)second, NULL, NULL),
                     E_INVALIDARG);
    ID3D11Texture2D_Release(first);
    ID3D11Texture2D_Release(second);
    IDXGISwapChain1_Release(chain);
}

/* On POSIX a device context of GDI is a pointer to the bytes B, G, R, A of its bitmap. */
static void gdi_draws_into_textures(void **state)
{
    (void)state;
    const FLOAT orange[4] = {1, 0.5F, 0, 1};
    RECT dirty = {1, 1, 100, 2};
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_RENDER_TARGET);
    ID3D11RenderTargetView *target;
    ID3D11Texture2D *texture;
    IDXGISurface1 *surface;
    UINT *pixels;
    HDC dc, again;
    desc.Width = desc.Height = 4;
    desc.Format = DXGI_FORMAT_B8G8R8A8_UNORM;
    texture = runtime_texture(&desc);
    ID3D11Texture2D_QueryInterface(texture, &IID_IDXGISurface1, (void **)&surface);
    assert_int_equal(IDXGISurface1_GetDC(surface, FALSE, &dc), DXGI_ERROR_INVALID_CALL);
    IDXGISurface1_Release(surface);
    ID3D11Texture2D_Release(texture);
    desc.MiscFlags = D3D11_RESOURCE_MISC_GDI_COMPATIBLE;
    texture = runtime_texture(&desc);
    ID3D11Texture2D_QueryInterface(texture, &IID_IDXGISurface1, (void **)&surface);
    ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)texture, NULL, &target);
    ID3D11DeviceContext_ClearRenderTargetView(context, target, orange);
    assert_int_equal(IDXGISurface1_ReleaseDC(surface, NULL), DXGI_ERROR_INVALID_CALL);
    assert_int_equal(IDXGISurface1_GetDC(surface, FALSE, &dc), S_OK);
    assert_int_equal(IDXGISurface1_GetDC(surface, FALSE, &again), DXGI_ERROR_INVALID_CALL);
    pixels = (UINT *)(void *)dc;
    assert_int_equal(pixels[15], 0xffff8000);
    for (int i = 0; i < 16; i++)
        pixels[i] = 0x01020304;
    assert_int_equal(IDXGISurface1_ReleaseDC(surface, &dirty), S_OK);
    /* The second row from its second texel on. */
    assert_int_equal(runtime_texel(context, texture, 0, 1), 0xffff8000);
    assert_int_equal(runtime_texel(context, texture, 1, 1), 0x01020304);
    assert_int_equal(runtime_texel(context, texture, 3, 1), 0x01020304);
    assert_int_equal(runtime_texel(context, texture, 1, 2), 0xffff8000);
    assert_int_equal(IDXGISurface1_GetDC(surface, TRUE, &dc), S_OK);
    memset((void *)dc, 7, 64);
    assert_int_equal(IDXGISurface1_ReleaseDC(surface, NULL), S_OK);
    assert_int_equal(runtime_texel(context, texture, 3, 3), 0x07070707);
    /* What is not released ends with the texture. */
    assert_int_equal(IDXGISurface1_GetDC(surface, TRUE, &dc), S_OK);
    IDXGISurface1_Release(surface);
    ID3D11RenderTargetView_Release(target);
    ID3D11Texture2D_Release(texture);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        RUNTIME_TEST(copies_end_with_their_destination),
        RUNTIME_TEST(textures_of_all_dimensions_are_copied),
        RUNTIME_TEST(mips_have_as_many_blocks_as_texels),
        RUNTIME_TEST(whole_blocks_are_copied_to_small_mips),
        RUNTIME_TEST(bits_are_copied_from_10_1_on),
        RUNTIME_TEST_10(bits_are_not_copied_on_10_0),
        RUNTIME_TEST(staging_resources_are_not_updated),
        RUNTIME_TEST(default_buffers_are_mapped),
        RUNTIME_TEST(sequential_buffers_exchange_contents),
        RUNTIME_TEST(sequential_buffers_have_samples),
        RUNTIME_TEST(back_buffers_have_views_of_their_own),
        RUNTIME_TEST(gdi_draws_into_textures),
    };
    return runtime_main(argc, argv, "guest/d3d11/copies", tests, sizeof tests / sizeof tests[0]);
}
