/* SPDX-License-Identifier: MIT */
#include "exec/format.h"

#include <math.h>
#include <string.h>

#include "abi/dxgi.h"
#include "abi/text_value.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "wgsl/draw_block.h"

#define RENDER AG_FORMAT_RENDERABLE
#define BLEND AG_FORMAT_BLENDABLE
#define FILTER AG_FORMAT_FILTERABLE
#define COLOUR (RENDER | BLEND | FILTER)
#define SRGB AG_FORMAT_SRGB
#define NO_ALPHA AG_FORMAT_NO_ALPHA
#define DEPTH AG_FORMAT_DEPTH
#define STENCIL AG_FORMAT_STENCIL

#define TEXTURE(format) .texture = WGPUTextureFormat_##format
#define VERTEX(format, size, number, width)                                                                  \
    .vertex = WGPUVertexFormat_##format, .vertex_bytes = (size), .vertex_number = AG_NUMBER_##number,        \
    .vertex_bits = (width)
/* Vertex elements that only the executor's own fetch reads. */
#define FETCHED(order, size, number)                                                                         \
    .vertex_bytes = (size), .vertex_number = AG_NUMBER_##number, .vertex_order = AG_ORDER_##order
#define ORDER(order) .vertex_order = AG_ORDER_##order

/* A format as it is: name, bytes, class, flags, cost as a target. */
#define PLAIN(dxgi, size, kind, bits, cost, ...)                                                             \
    [AG_DXGI_##dxgi] = {.name = #dxgi,                                                                       \
                        .bytes = (size),                                                                     \
                        .block_width = 1,                                                                    \
                        .block_height = 1,                                                                   \
                        .host_bytes = (size),                                                                \
                        .class = AG_CLASS_##kind,                                                            \
                        .flags = (bits),                                                                     \
                        .sample_bytes = (cost),                                                              \
                        __VA_ARGS__}
/* One whose bytes change on the way. */
#define CONVERTED(dxgi, size, host, how, kind, bits, cost, ...)                                              \
    [AG_DXGI_##dxgi] = {.name = #dxgi,                                                                       \
                        .bytes = (size),                                                                     \
                        .block_width = 1,                                                                    \
                        .block_height = 1,                                                                   \
                        .host_bytes = (host),                                                                \
                        .class = AG_CLASS_##kind,                                                            \
                        .conversion = AG_CONVERT_##how,                                                      \
                        .flags = (bits),                                                                     \
                        .sample_bytes = (cost),                                                              \
                        __VA_ARGS__}
/* Components that WebGPU lacks as a target, or at all: floats. */
#define NORM(dxgi, size, host, ...) CONVERTED(dxgi, size, host, FLOATS, FLOAT, RENDER, host, __VA_ARGS__)
#define BLOCK(dxgi, size, bits, ...)                                                                         \
    [AG_DXGI_##dxgi] = {.name = #dxgi,                                                                       \
                        .bytes = (size),                                                                     \
                        .block_width = 4,                                                                    \
                        .block_height = 4,                                                                   \
                        .host_bytes = (size),                                                                \
                        .class = AG_CLASS_FLOAT,                                                             \
                        .flags = FILTER | (bits),                                                            \
                        __VA_ARGS__}
#define TYPELESS(dxgi, size, side)                                                                           \
    [AG_DXGI_##dxgi] = {.name = #dxgi,                                                                       \
                        .bytes = (size),                                                                     \
                        .block_width = (side),                                                               \
                        .block_height = (side),                                                              \
                        .host_bytes = (size),                                                                \
                        .class = AG_CLASS_TYPELESS}
/* Two texels that share a word: the CPU tells them apart. */
#define PAIR(dxgi)                                                                                           \
    [AG_DXGI_##dxgi] = {.name = #dxgi,                                                                       \
                        .bytes = 4,                                                                          \
                        .block_width = 2,                                                                    \
                        .block_height = 1,                                                                   \
                        .host_bytes = 4,                                                                     \
                        .class = AG_CLASS_FLOAT,                                                             \
                        .flags = FILTER | NO_ALPHA,                                                          \
                        TEXTURE(RGBA8Unorm)}
#define TWIN(dxgi) .twin = AG_DXGI_##dxgi

/* clang-format off */
static const struct ag_host_format formats[AG_DXGI_COUNT] = {
    TYPELESS(R32G32B32A32_TYPELESS, 16, 1),
    PLAIN(R32G32B32A32_FLOAT, 16, FLOAT, RENDER, 16, TEXTURE(RGBA32Float), VERTEX(Float32x4, 16, FLOAT, 32)),
    PLAIN(R32G32B32A32_UINT, 16, UINT, RENDER, 16, TEXTURE(RGBA32Uint), VERTEX(Uint32x4, 16, UINT, 32)),
    PLAIN(R32G32B32A32_SINT, 16, SINT, RENDER, 16, TEXTURE(RGBA32Sint), VERTEX(Sint32x4, 16, SINT, 32)),
    TYPELESS(R32G32B32_TYPELESS, 12, 1),
    PLAIN(R32G32B32_FLOAT, 12, FLOAT, 0, 0, VERTEX(Float32x3, 12, FLOAT, 32)),
    PLAIN(R32G32B32_UINT, 12, UINT, 0, 0, VERTEX(Uint32x3, 12, UINT, 32)),
    PLAIN(R32G32B32_SINT, 12, SINT, 0, 0, VERTEX(Sint32x3, 12, SINT, 32)),
    TYPELESS(R16G16B16A16_TYPELESS, 8, 1),
    PLAIN(R16G16B16A16_FLOAT, 8, FLOAT, COLOUR, 8, TEXTURE(RGBA16Float), VERTEX(Float16x4, 8, FLOAT, 16)),
    NORM(R16G16B16A16_UNORM, 8, 16, TEXTURE(RGBA32Float), VERTEX(Unorm16x4, 8, UNORM, 16)),
    PLAIN(R16G16B16A16_UINT, 8, UINT, RENDER, 8, TEXTURE(RGBA16Uint), VERTEX(Uint16x4, 8, UINT, 16)),
    NORM(R16G16B16A16_SNORM, 8, 16, TEXTURE(RGBA32Float), VERTEX(Snorm16x4, 8, SNORM, 16)),
    PLAIN(R16G16B16A16_SINT, 8, SINT, RENDER, 8, TEXTURE(RGBA16Sint), VERTEX(Sint16x4, 8, SINT, 16)),
    TYPELESS(R32G32_TYPELESS, 8, 1),
    PLAIN(R32G32_FLOAT, 8, FLOAT, RENDER, 8, TEXTURE(RG32Float), VERTEX(Float32x2, 8, FLOAT, 32)),
    PLAIN(R32G32_UINT, 8, UINT, RENDER, 8, TEXTURE(RG32Uint), VERTEX(Uint32x2, 8, UINT, 32)),
    PLAIN(R32G32_SINT, 8, SINT, RENDER, 8, TEXTURE(RG32Sint), VERTEX(Sint32x2, 8, SINT, 32)),
    TYPELESS(R32G8X24_TYPELESS, 8, 1),
    CONVERTED(D32_FLOAT_S8X24_UINT, 8, 4, D32S8X24, DEPTH, RENDER | DEPTH | STENCIL | AG_FORMAT_DEPTH_FLOAT,
              0, TEXTURE(Depth32FloatStencil8)),
    CONVERTED(R32_FLOAT_X8X24_TYPELESS, 8, 4, D32S8X24, DEPTH, DEPTH | AG_FORMAT_DEPTH_FLOAT, 0,
              TEXTURE(Depth32FloatStencil8)),
    CONVERTED(X32_TYPELESS_G8X24_UINT, 8, 4, D32S8X24, UINT, STENCIL, 0, TEXTURE(Depth32FloatStencil8)),
    TYPELESS(R10G10B10A2_TYPELESS, 4, 1),
    PLAIN(R10G10B10A2_UNORM, 4, FLOAT, COLOUR, 8, TEXTURE(RGB10A2Unorm), VERTEX(Unorm10_10_10_2, 4, UNORM, 0), ORDER(R10G10B10A2)),
    PLAIN(R10G10B10A2_UINT, 4, UINT, RENDER, 8, TEXTURE(RGB10A2Uint), FETCHED(R10G10B10A2, 4, UINT)),
    PLAIN(R11G11B10_FLOAT, 4, FLOAT, COLOUR | NO_ALPHA, 8, TEXTURE(RG11B10Ufloat), FETCHED(R11G11B10, 4, FLOAT)),
    TYPELESS(R8G8B8A8_TYPELESS, 4, 1),
    PLAIN(R8G8B8A8_UNORM, 4, FLOAT, COLOUR, 8, TEXTURE(RGBA8Unorm), VERTEX(Unorm8x4, 4, UNORM, 8),
          TWIN(R8G8B8A8_UNORM_SRGB)),
    PLAIN(R8G8B8A8_UNORM_SRGB, 4, FLOAT, COLOUR | SRGB, 8, TEXTURE(RGBA8UnormSrgb), VERTEX(Unorm8x4, 4, UNORM, 8),
          TWIN(R8G8B8A8_UNORM)),
    PLAIN(R8G8B8A8_UINT, 4, UINT, RENDER, 4, TEXTURE(RGBA8Uint), VERTEX(Uint8x4, 4, UINT, 8)),
    NORM(R8G8B8A8_SNORM, 4, 16, TEXTURE(RGBA32Float), VERTEX(Snorm8x4, 4, SNORM, 8)),
    PLAIN(R8G8B8A8_SINT, 4, SINT, RENDER, 4, TEXTURE(RGBA8Sint), VERTEX(Sint8x4, 4, SINT, 8)),
    TYPELESS(R16G16_TYPELESS, 4, 1),
    PLAIN(R16G16_FLOAT, 4, FLOAT, COLOUR, 4, TEXTURE(RG16Float), VERTEX(Float16x2, 4, FLOAT, 16)),
    NORM(R16G16_UNORM, 4, 8, TEXTURE(RG32Float), VERTEX(Unorm16x2, 4, UNORM, 16)),
    PLAIN(R16G16_UINT, 4, UINT, RENDER, 4, TEXTURE(RG16Uint), VERTEX(Uint16x2, 4, UINT, 16)),
    NORM(R16G16_SNORM, 4, 8, TEXTURE(RG32Float), VERTEX(Snorm16x2, 4, SNORM, 16)),
    PLAIN(R16G16_SINT, 4, SINT, RENDER, 4, TEXTURE(RG16Sint), VERTEX(Sint16x2, 4, SINT, 16)),
    TYPELESS(R32_TYPELESS, 4, 1),
    PLAIN(D32_FLOAT, 4, DEPTH, RENDER | DEPTH | AG_FORMAT_DEPTH_FLOAT, 0, TEXTURE(Depth32Float)),
    PLAIN(R32_FLOAT, 4, FLOAT, RENDER, 4, TEXTURE(R32Float), VERTEX(Float32, 4, FLOAT, 32)),
    PLAIN(R32_UINT, 4, UINT, RENDER, 4, TEXTURE(R32Uint), VERTEX(Uint32, 4, UINT, 32)),
    PLAIN(R32_SINT, 4, SINT, RENDER, 4, TEXTURE(R32Sint), VERTEX(Sint32, 4, SINT, 32)),
    TYPELESS(R24G8_TYPELESS, 4, 1),
    CONVERTED(D24_UNORM_S8_UINT, 4, 4, D24S8, DEPTH, RENDER | DEPTH | STENCIL, 0, TEXTURE(Depth32FloatStencil8)),
    CONVERTED(R24_UNORM_X8_TYPELESS, 4, 4, D24S8, DEPTH, DEPTH, 0, TEXTURE(Depth32FloatStencil8)),
    CONVERTED(X24_TYPELESS_G8_UINT, 4, 4, D24S8, UINT, STENCIL, 0, TEXTURE(Depth32FloatStencil8)),
    TYPELESS(R8G8_TYPELESS, 2, 1),
    PLAIN(R8G8_UNORM, 2, FLOAT, COLOUR, 2, TEXTURE(RG8Unorm), VERTEX(Unorm8x2, 2, UNORM, 8)),
    PLAIN(R8G8_UINT, 2, UINT, RENDER, 2, TEXTURE(RG8Uint), VERTEX(Uint8x2, 2, UINT, 8)),
    NORM(R8G8_SNORM, 2, 8, TEXTURE(RG32Float), VERTEX(Snorm8x2, 2, SNORM, 8)),
    PLAIN(R8G8_SINT, 2, SINT, RENDER, 2, TEXTURE(RG8Sint), VERTEX(Sint8x2, 2, SINT, 8)),
    TYPELESS(R16_TYPELESS, 2, 1),
    PLAIN(R16_FLOAT, 2, FLOAT, COLOUR, 2, TEXTURE(R16Float), VERTEX(Float16, 2, FLOAT, 16)),
    PLAIN(D16_UNORM, 2, DEPTH, RENDER | DEPTH, 0, TEXTURE(Depth16Unorm)),
    NORM(R16_UNORM, 2, 4, TEXTURE(R32Float), VERTEX(Unorm16, 2, UNORM, 16)),
    PLAIN(R16_UINT, 2, UINT, RENDER, 2, TEXTURE(R16Uint), VERTEX(Uint16, 2, UINT, 16)),
    NORM(R16_SNORM, 2, 4, TEXTURE(R32Float), VERTEX(Snorm16, 2, SNORM, 16)),
    PLAIN(R16_SINT, 2, SINT, RENDER, 2, TEXTURE(R16Sint), VERTEX(Sint16, 2, SINT, 16)),
    TYPELESS(R8_TYPELESS, 1, 1),
    PLAIN(R8_UNORM, 1, FLOAT, COLOUR, 1, TEXTURE(R8Unorm), VERTEX(Unorm8, 1, UNORM, 8)),
    PLAIN(R8_UINT, 1, UINT, RENDER, 1, TEXTURE(R8Uint), VERTEX(Uint8, 1, UINT, 8)),
    NORM(R8_SNORM, 1, 4, TEXTURE(R32Float), VERTEX(Snorm8, 1, SNORM, 8)),
    PLAIN(R8_SINT, 1, SINT, RENDER, 1, TEXTURE(R8Sint), VERTEX(Sint8, 1, SINT, 8)),
    CONVERTED(A8_UNORM, 1, 4, A8, FLOAT, COLOUR | AG_FORMAT_ALPHA_ONLY, 8, TEXTURE(RGBA8Unorm)),
    PLAIN(R1_UNORM, 1, FLOAT, 0, 0, TEXTURE(Undefined)),
    PLAIN(R9G9B9E5_SHAREDEXP, 4, FLOAT, FILTER | NO_ALPHA, 0, TEXTURE(RGB9E5Ufloat)),
    PAIR(R8G8_B8G8_UNORM),
    PAIR(G8R8_G8B8_UNORM),
    TYPELESS(BC1_TYPELESS, 8, 4),
    BLOCK(BC1_UNORM, 8, 0, TEXTURE(BC1RGBAUnorm), TWIN(BC1_UNORM_SRGB)),
    BLOCK(BC1_UNORM_SRGB, 8, SRGB, TEXTURE(BC1RGBAUnormSrgb), TWIN(BC1_UNORM)),
    TYPELESS(BC2_TYPELESS, 16, 4),
    BLOCK(BC2_UNORM, 16, 0, TEXTURE(BC2RGBAUnorm), TWIN(BC2_UNORM_SRGB)),
    BLOCK(BC2_UNORM_SRGB, 16, SRGB, TEXTURE(BC2RGBAUnormSrgb), TWIN(BC2_UNORM)),
    TYPELESS(BC3_TYPELESS, 16, 4),
    BLOCK(BC3_UNORM, 16, 0, TEXTURE(BC3RGBAUnorm), TWIN(BC3_UNORM_SRGB)),
    BLOCK(BC3_UNORM_SRGB, 16, SRGB, TEXTURE(BC3RGBAUnormSrgb), TWIN(BC3_UNORM)),
    TYPELESS(BC4_TYPELESS, 8, 4),
    BLOCK(BC4_UNORM, 8, 0, TEXTURE(BC4RUnorm)),
    BLOCK(BC4_SNORM, 8, 0, TEXTURE(BC4RSnorm)),
    TYPELESS(BC5_TYPELESS, 16, 4),
    BLOCK(BC5_UNORM, 16, 0, TEXTURE(BC5RGUnorm)),
    BLOCK(BC5_SNORM, 16, 0, TEXTURE(BC5RGSnorm)),
    CONVERTED(B5G6R5_UNORM, 2, 4, B5G6R5, FLOAT, COLOUR | NO_ALPHA, 8, TEXTURE(RGBA8Unorm),
              FETCHED(B5G6R5, 2, UNORM)),
    CONVERTED(B5G5R5A1_UNORM, 2, 4, B5G5R5A1, FLOAT, COLOUR, 8, TEXTURE(RGBA8Unorm),
              FETCHED(B5G5R5A1, 2, UNORM)),
    PLAIN(B8G8R8A8_UNORM, 4, FLOAT, COLOUR, 8, TEXTURE(BGRA8Unorm), VERTEX(Unorm8x4BGRA, 4, UNORM, 8), ORDER(B8G8R8A8),
          TWIN(B8G8R8A8_UNORM_SRGB)),
    CONVERTED(B8G8R8X8_UNORM, 4, 4, OPAQUE, FLOAT, COLOUR | NO_ALPHA, 8, TEXTURE(BGRA8Unorm),
              TWIN(B8G8R8X8_UNORM_SRGB), FETCHED(B8G8R8X8, 4, UNORM)),
    PLAIN(R10G10B10_XR_BIAS_A2_UNORM, 4, FLOAT, 0, 0, TEXTURE(Undefined)),
    TYPELESS(B8G8R8A8_TYPELESS, 4, 1),
    PLAIN(B8G8R8A8_UNORM_SRGB, 4, FLOAT, COLOUR | SRGB, 8, TEXTURE(BGRA8UnormSrgb), VERTEX(Unorm8x4BGRA, 4, UNORM, 8), ORDER(B8G8R8A8),
          TWIN(B8G8R8A8_UNORM)),
    TYPELESS(B8G8R8X8_TYPELESS, 4, 1),
    CONVERTED(B8G8R8X8_UNORM_SRGB, 4, 4, OPAQUE, FLOAT, COLOUR | SRGB | NO_ALPHA, 8, TEXTURE(BGRA8UnormSrgb),
              TWIN(B8G8R8X8_UNORM)),
    TYPELESS(BC6H_TYPELESS, 16, 4),
    BLOCK(BC6H_UF16, 16, NO_ALPHA, TEXTURE(BC6HRGBUfloat)),
    BLOCK(BC6H_SF16, 16, NO_ALPHA, TEXTURE(BC6HRGBFloat)),
    TYPELESS(BC7_TYPELESS, 16, 4),
    BLOCK(BC7_UNORM, 16, 0, TEXTURE(BC7RGBAUnorm), TWIN(BC7_UNORM_SRGB)),
    BLOCK(BC7_UNORM_SRGB, 16, SRGB, TEXTURE(BC7RGBAUnormSrgb), TWIN(BC7_UNORM)),
    CONVERTED(B4G4R4A4_UNORM, 2, 4, B4G4R4A4, FLOAT, COLOUR, 8, TEXTURE(RGBA8Unorm),
              FETCHED(B4G4R4A4, 2, UNORM)),
    CONVERTED(R8G8B8X8_UNORM, 4, 4, OPAQUE, FLOAT, COLOUR | NO_ALPHA, 8, TEXTURE(RGBA8Unorm),
              TWIN(R8G8B8X8_UNORM_SRGB)),
    CONVERTED(R8G8B8X8_UNORM_SRGB, 4, 4, OPAQUE, FLOAT, COLOUR | SRGB | NO_ALPHA, 8, TEXTURE(RGBA8UnormSrgb),
              TWIN(R8G8B8X8_UNORM)),
    CONVERTED(B5G6R5_FLOAT, 2, 16, B5G6R5, FLOAT, NO_ALPHA, 0, TEXTURE(RGBA32Float), FETCHED(B5G6R5, 2, UNORM)),
    CONVERTED(B5G5R5A1_FLOAT, 2, 16, B5G5R5A1, FLOAT, 0, 0, TEXTURE(RGBA32Float), FETCHED(B5G5R5A1, 2, UNORM)),
    PLAIN(DECODED_UNORM, 4, FLOAT, FILTER, 0, TEXTURE(RGBA8Unorm), TWIN(DECODED_UNORM_SRGB)),
    PLAIN(DECODED_UNORM_SRGB, 4, FLOAT, FILTER | SRGB, 0, TEXTURE(RGBA8UnormSrgb), TWIN(DECODED_UNORM)),
    PLAIN(DECODED_OPAQUE, 4, FLOAT, FILTER | NO_ALPHA, 0, TEXTURE(RGBA8Unorm)),
};

static const uint8_t abi_formats[] = {
    [AEROGPU_FORMAT_B8G8R8A8_UNORM] = AG_DXGI_B8G8R8A8_UNORM,
    [AEROGPU_FORMAT_B8G8R8X8_UNORM] = AG_DXGI_B8G8R8X8_UNORM,
    [AEROGPU_FORMAT_R8G8B8A8_UNORM] = AG_DXGI_R8G8B8A8_UNORM,
    [AEROGPU_FORMAT_R8G8B8X8_UNORM] = AG_DXGI_R8G8B8X8_UNORM,
    [AEROGPU_FORMAT_B5G6R5_UNORM] = AG_DXGI_B5G6R5_UNORM,
    [AEROGPU_FORMAT_B5G5R5A1_UNORM] = AG_DXGI_B5G5R5A1_UNORM,
    [AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB] = AG_DXGI_B8G8R8A8_UNORM_SRGB,
    [AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB] = AG_DXGI_B8G8R8X8_UNORM_SRGB,
    [AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB] = AG_DXGI_R8G8B8A8_UNORM_SRGB,
    [AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB] = AG_DXGI_R8G8B8X8_UNORM_SRGB,
    [AEROGPU_FORMAT_D24_UNORM_S8_UINT] = AG_DXGI_D24_UNORM_S8_UINT,
    [AEROGPU_FORMAT_D32_FLOAT] = AG_DXGI_D32_FLOAT,
    [AEROGPU_FORMAT_BC1_RGBA_UNORM] = AG_DXGI_BC1_UNORM,
    [AEROGPU_FORMAT_BC1_RGBA_UNORM_SRGB] = AG_DXGI_BC1_UNORM_SRGB,
    [AEROGPU_FORMAT_BC2_RGBA_UNORM] = AG_DXGI_BC2_UNORM,
    [AEROGPU_FORMAT_BC2_RGBA_UNORM_SRGB] = AG_DXGI_BC2_UNORM_SRGB,
    [AEROGPU_FORMAT_BC3_RGBA_UNORM] = AG_DXGI_BC3_UNORM,
    [AEROGPU_FORMAT_BC3_RGBA_UNORM_SRGB] = AG_DXGI_BC3_UNORM_SRGB,
    [AEROGPU_FORMAT_BC7_RGBA_UNORM] = AG_DXGI_BC7_UNORM,
    [AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB] = AG_DXGI_BC7_UNORM_SRGB,
};
/* clang-format on */

static const struct ag_vertex_components orders[] = {
    [AG_ORDER_R10G10B10A2] = {{0, 10, 20, 30}, {10, 10, 10, 2}},
    [AG_ORDER_R11G11B10] = {{0, 11, 22, 0},  {11, 11, 10, 0}},
    [AG_ORDER_B8G8R8A8] = {{16, 8, 0, 24},  {8, 8, 8, 8}   },
    [AG_ORDER_B8G8R8X8] = {{16, 8, 0, 0},   {8, 8, 8, 0}   },
    [AG_ORDER_B5G6R5] = {{11, 5, 0, 0},   {5, 6, 5, 0}   },
    [AG_ORDER_B5G5R5A1] = {{10, 5, 0, 15},  {5, 5, 5, 1}   },
    [AG_ORDER_B4G4R4A4] = {{8, 4, 0, 12},   {4, 4, 4, 4}   },
};

struct ag_vertex_components ag_host_format_components(const struct ag_host_format *format)
{
    struct ag_vertex_components components = {{0}, {0}};
    if (format->vertex_order != AG_ORDER_PLAIN)
        return orders[format->vertex_order];
    for (uint32_t i = 0; i < 4 && (i + 1) * format->vertex_bits <= format->vertex_bytes * 8u; i++) {
        components.shift[i] = (uint8_t)(i * format->vertex_bits);
        components.bits[i] = format->vertex_bits;
    }
    return components;
}

/* Of formats that no vertex element has. */
static uint32_t border_of_texture(const struct ag_host_format *format)
{
    const bool is_float = format->texture == WGPUTextureFormat_BC6HRGBUfloat ||
                          format->texture == WGPUTextureFormat_BC6HRGBFloat ||
                          format->texture == WGPUTextureFormat_RGB9E5Ufloat;
    switch ((int)format->texture) {
    case WGPUTextureFormat_BC4RSnorm:
        return 1 | AG_VIEW_BORDER_SNORM;
    case WGPUTextureFormat_BC5RGSnorm:
        return 3 | AG_VIEW_BORDER_SNORM;
    case WGPUTextureFormat_BC4RUnorm:
        return 1 | AG_VIEW_BORDER_UNORM;
    case WGPUTextureFormat_BC5RGUnorm:
        return 3 | AG_VIEW_BORDER_UNORM;
    default:
        break;
    }
    const uint32_t components = ag_host_format_has(format, AG_FORMAT_NO_ALPHA) ? 7 : 15;
    return components | (is_float ? 0 : AG_VIEW_BORDER_UNORM);
}

uint32_t ag_host_format_border(const struct ag_host_format *format)
{
    const struct ag_vertex_components components = ag_host_format_components(format);
    uint32_t border = 0;
    if (format->class == AG_CLASS_DEPTH)
        return 1 | (ag_host_format_has(format, AG_FORMAT_DEPTH_FLOAT) ? 0 : AG_VIEW_BORDER_UNORM);
    if (format->vertex_bytes == 0)
        return border_of_texture(format);
    for (uint32_t i = 0; i < 4; i++)
        border |= (components.bits[i] != 0 ? UINT32_C(1) : 0) << i;
    return border | (format->vertex_number == AG_NUMBER_UNORM   ? AG_VIEW_BORDER_UNORM
                     : format->vertex_number == AG_NUMBER_SNORM ? AG_VIEW_BORDER_SNORM
                                                                : 0);
}

const struct ag_host_format *ag_host_format(uint32_t dxgi)
{
    if (dxgi >= AG_DXGI_COUNT || !formats[dxgi].name)
        return NULL;
    return &formats[dxgi];
}

uint32_t ag_host_format_decoded(uint32_t dxgi)
{
    const struct ag_host_format *format = &formats[dxgi];
    return ag_host_format_has(format, AG_FORMAT_SRGB)       ? AG_DXGI_DECODED_UNORM_SRGB
           : ag_host_format_has(format, AG_FORMAT_NO_ALPHA) ? AG_DXGI_DECODED_OPAQUE
                                                            : AG_DXGI_DECODED_UNORM;
}

uint32_t ag_host_format_widened(uint32_t dxgi)
{
    return dxgi == AG_DXGI_B5G6R5_UNORM     ? AG_DXGI_B5G6R5_FLOAT
           : dxgi == AG_DXGI_B5G5R5A1_UNORM ? AG_DXGI_B5G5R5A1_FLOAT
                                            : 0;
}

uint32_t ag_host_format_from_abi(uint32_t abi_format)
{
    if (AEROGPU_EXT_IS_FORMAT(abi_format)) {
        uint32_t dxgi = AEROGPU_EXT_FORMAT_DXGI(abi_format);
        return ag_dxgi_info(dxgi) && ag_host_format(dxgi) ? dxgi : AG_DXGI_UNKNOWN;
    }
    if (abi_format >= AG_COUNT_OF(abi_formats))
        return AG_DXGI_UNKNOWN;
    return abi_formats[abi_format];
}

/* ---- Rows of texels ----------------------------------------------------------------------------------- */

/* To the nearest of the other width's values. */
static uint8_t expand5(uint32_t v)
{
    return (uint8_t)((v * 255 + 15) / 31);
}

static uint8_t expand6(uint32_t v)
{
    return (uint8_t)((v * 255 + 31) / 63);
}

static uint32_t narrow(uint32_t v, uint32_t most)
{
    return (v * most + 127) / 255;
}

static void expand_texel16(enum ag_conversion conversion, uint32_t v, uint8_t *rgba)
{
    if (conversion == AG_CONVERT_B5G6R5) {
        rgba[0] = expand5(v >> 11 & 31);
        rgba[1] = expand6(v >> 5 & 63);
        rgba[2] = expand5(v & 31);
        rgba[3] = 255;
    } else if (conversion == AG_CONVERT_B5G5R5A1) {
        rgba[0] = expand5(v >> 10 & 31);
        rgba[1] = expand5(v >> 5 & 31);
        rgba[2] = expand5(v & 31);
        rgba[3] = v >> 15 ? 255 : 0;
    } else {
        rgba[0] = (uint8_t)((v >> 8 & 15) * 17);
        rgba[1] = (uint8_t)((v >> 4 & 15) * 17);
        rgba[2] = (uint8_t)((v & 15) * 17);
        rgba[3] = (uint8_t)((v >> 12 & 15) * 17);
    }
}

static uint16_t pack_texel16(enum ag_conversion conversion, const uint8_t *rgba)
{
    uint32_t r = rgba[0], g = rgba[1], b = rgba[2], a = rgba[3];
    if (conversion == AG_CONVERT_B5G6R5)
        return (uint16_t)(narrow(r, 31) << 11 | narrow(g, 63) << 5 | narrow(b, 31));
    if (conversion == AG_CONVERT_B5G5R5A1)
        return (uint16_t)(narrow(a, 1) << 15 | narrow(r, 31) << 10 | narrow(g, 31) << 5 | narrow(b, 31));
    return (uint16_t)(narrow(a, 15) << 12 | narrow(r, 15) << 8 | narrow(g, 15) << 4 | narrow(b, 15));
}

/* To four floats and back. */
static void expand_texel_exactly(const struct ag_vertex_components *components, uint32_t v, uint8_t *host)
{
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t most = (1u << components->bits[c]) - 1;
        float value = most ? (float)(v >> components->shift[c] & most) / (float)most : 1;
        ag_store_u32(host + 4 * (size_t)c, ag_bits_from_float(value));
    }
}

static uint16_t pack_texel_exactly(const struct ag_vertex_components *components, const uint8_t *host)
{
    uint32_t v = 0;
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t most = (1u << components->bits[c]) - 1;
        float value = ag_float_from_bits(ag_load_u32(host + 4 * (size_t)c));
        v |= (uint32_t)(value * (float)most + 0.5f) << components->shift[c];
    }
    return (uint16_t)v;
}

/* D3D11.3 3.2.3.1, 3.2.3.3. */
static float norm_to_float(uint32_t bits, uint32_t value, bool is_signed)
{
    if (!is_signed)
        return (float)value / (float)((1u << bits) - 1);
    const int32_t number = (int32_t)(value << (32 - bits)) >> (32 - bits);
    const float result = (float)number / (float)((1u << (bits - 1)) - 1);
    return result < -1 ? -1 : result;
}

/* D3D11.3 3.2.3.2, 3.2.3.4: clamped, to the nearest; NaN is 0. */
static uint32_t float_to_norm(uint32_t bits, float value, bool is_signed)
{
    const float most = (float)((1u << (bits - (is_signed ? 1 : 0))) - 1), least = is_signed ? -1 : 0;
    const float clamped = value > 1 ? 1 : value >= least ? value : value < least ? least : 0;
    const float scaled = clamped * most;
    return (uint32_t)(int32_t)(scaled < 0 ? scaled - 0.5f : scaled + 0.5f) & ((1u << bits) - 1);
}

static void expand_floats(const struct ag_host_format *format, const uint8_t *guest, uint8_t *host,
                          uint32_t count)
{
    const uint32_t bytes = format->vertex_bits / 8u, components = count * (format->bytes / bytes);
    for (size_t i = 0; i < components; i++) {
        const uint32_t value = bytes == 2 ? ag_load_u16(guest + 2 * i) : guest[i];
        const float number =
            norm_to_float(format->vertex_bits, value, format->vertex_number == AG_NUMBER_SNORM);
        ag_store_u32(host + 4 * i, ag_bits_from_float(number));
    }
}

static void pack_floats(const struct ag_host_format *format, const uint8_t *host, uint8_t *guest,
                        uint32_t count)
{
    const uint32_t bytes = format->vertex_bits / 8u, components = count * (format->bytes / bytes);
    for (size_t i = 0; i < components; i++) {
        const float number = ag_float_from_bits(ag_load_u32(host + 4 * i));
        const uint32_t value =
            float_to_norm(format->vertex_bits, number, format->vertex_number == AG_NUMBER_SNORM);
        if (bytes == 2)
            ag_store_u16(guest + 2 * i, (uint16_t)value);
        else
            guest[i] = (uint8_t)value;
    }
}

void ag_host_format_expand_row(const struct ag_host_format *format, const uint8_t *guest, uint8_t *host,
                               uint32_t count)
{
    enum ag_conversion conversion = (enum ag_conversion)format->conversion;
    if (conversion == AG_CONVERT_FLOATS) {
        expand_floats(format, guest, host, count);
        return;
    }
    if (conversion == AG_CONVERT_A8) {
        for (size_t i = 0; i < count; i++)
            ag_store_u32(host + 4 * i, (uint32_t)guest[i] << 24);
        return;
    }
    if (format->bytes == 2 && format->host_bytes == 4) {
        for (uint32_t i = 0; i < count; i++)
            expand_texel16(conversion, ag_load_u16(guest + 2 * (size_t)i), host + 4 * (size_t)i);
        return;
    }
    if (format->bytes == 2 && format->host_bytes == 16) {
        const struct ag_vertex_components components = ag_host_format_components(format);
        for (uint32_t i = 0; i < count; i++)
            expand_texel_exactly(&components, ag_load_u16(guest + 2 * (size_t)i), host + 16 * (size_t)i);
        return;
    }
    memcpy(host, guest, (size_t)count * format->bytes);
    if (conversion == AG_CONVERT_OPAQUE)
        for (uint32_t i = 0; i < count; i++)
            host[4 * (size_t)i + 3] = 255;
}

void ag_host_format_pack_row(const struct ag_host_format *format, const uint8_t *host, uint8_t *guest,
                             uint32_t count)
{
    enum ag_conversion conversion = (enum ag_conversion)format->conversion;
    if (conversion == AG_CONVERT_FLOATS) {
        pack_floats(format, host, guest, count);
        return;
    }
    if (conversion == AG_CONVERT_A8) {
        for (size_t i = 0; i < count; i++)
            guest[i] = host[4 * i + 3];
        return;
    }
    if (format->bytes == 2 && format->host_bytes == 4) {
        for (uint32_t i = 0; i < count; i++)
            ag_store_u16(guest + 2 * (size_t)i, pack_texel16(conversion, host + 4 * (size_t)i));
        return;
    }
    if (format->bytes == 2 && format->host_bytes == 16) {
        const struct ag_vertex_components components = ag_host_format_components(format);
        for (uint32_t i = 0; i < count; i++)
            ag_store_u16(guest + 2 * (size_t)i, pack_texel_exactly(&components, host + 16 * (size_t)i));
        return;
    }
    memcpy(guest, host, (size_t)count * format->bytes);
    if (conversion == AG_CONVERT_OPAQUE)
        for (uint32_t i = 0; i < count; i++)
            guest[4 * (size_t)i + 3] = 255;
}

uint32_t ag_host_format_expand_planes(const struct ag_host_format *format, const uint8_t *guest,
                                      uint8_t *depth, uint8_t *stencil, uint32_t count)
{
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++, guest += format->bytes) {
        uint32_t bits, value = 0;
        if (format->conversion == AG_CONVERT_D24S8) {
            const uint32_t word = ag_load_u32(guest);
            bits = ag_bits_from_float((float)((word & 0xFFFFFF) / 16777215.0));
            value = word >> 24;
        } else if (format->bytes == 2) {
            bits = ag_bits_from_float(norm_to_float(16, ag_load_u16(guest), false));
        } else {
            bits = ag_load_u32(guest);
            value = format->conversion == AG_CONVERT_D32S8X24 ? guest[4] : 0;
        }
        ag_store_u32(depth + 4 * i, bits);
        ag_store_u32(stencil + 4 * i, value);
        all |= value;
    }
    return all;
}

void ag_host_format_pack_planes(const struct ag_host_format *format, const uint8_t *depth,
                                const uint8_t *stencil, uint8_t *guest, uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = ag_load_u32(depth + 4 * i);
        if (format->conversion == AG_CONVERT_D24S8) {
            double fixed = (double)ag_float_from_bits(bits) * 16777215.0 + 0.5;
            ag_store_u32(guest + 4 * i, (uint32_t)fixed | (uint32_t)stencil[i] << 24);
        } else {
            ag_store_u32(guest + 8 * i, bits);
            ag_store_u32(guest + 8 * i + 4, stencil[i]);
        }
    }
}

static bool is_bgra(WGPUTextureFormat format)
{
    return format == WGPUTextureFormat_BGRA8Unorm || format == WGPUTextureFormat_BGRA8UnormSrgb;
}

static bool is_rgba(WGPUTextureFormat format)
{
    return format == WGPUTextureFormat_RGBA8Unorm || format == WGPUTextureFormat_RGBA8UnormSrgb;
}

bool ag_host_format_is_biased(uint32_t dxgi)
{
    return dxgi == AG_DXGI_R10G10B10_XR_BIAS_A2_UNORM;
}

static void display_bytes(const struct ag_host_format *format, const uint8_t *host, uint8_t rgba[4])
{
    const bool bgra = is_bgra(format->texture);
    rgba[0] = host[bgra ? 2 : 0];
    rgba[1] = host[1];
    rgba[2] = host[bgra ? 0 : 2];
    rgba[3] = ag_host_format_has(format, AG_FORMAT_NO_ALPHA) ? 255 : host[3];
}

static void display_ten_bits(const struct ag_host_format *format, const uint8_t *host, uint8_t rgba[4])
{
    const bool biased = format == &formats[AG_DXGI_R10G10B10_XR_BIAS_A2_UNORM];
    const int32_t black = biased ? 384 : 0, white = biased ? 894 : 1023;
    const uint32_t word = ag_load_u32(host);
    for (uint32_t c = 0; c < 3; c++) {
        const int32_t value = (int32_t)(word >> 10 * c & 1023);
        const int32_t clamped = value < black ? black : value > white ? white : value;
        rgba[c] = (uint8_t)(((clamped - black) * 255 + (white - black) / 2) / (white - black));
    }
    rgba[3] = (uint8_t)((word >> 30) * 85);
}

/* D3D11.3 3.2.3.6. */
static float encode_srgb(float linear)
{
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1 / 2.4f) - 0.055f;
}

static void display_floats(const struct ag_host_format *format, const uint8_t *host, uint8_t rgba[4])
{
    (void)format;
    for (uint32_t c = 0; c < 4; c++) {
        const float value = ag_text_float_from_half(ag_load_u16(host + 2 * (size_t)c));
        const float clamped = value > 1 ? 1 : value > 0 ? value : 0; /* NaN is 0 */
        rgba[c] = (uint8_t)float_to_norm(8, c < 3 ? encode_srgb(clamped) : clamped, false);
    }
}

typedef void (*display_texel)(const struct ag_host_format *format, const uint8_t *host, uint8_t rgba[4]);

static display_texel find_display(const struct ag_host_format *format)
{
    if (is_bgra(format->texture) || is_rgba(format->texture))
        return display_bytes;
    if (format == &formats[AG_DXGI_R10G10B10A2_UNORM] ||
        format == &formats[AG_DXGI_R10G10B10_XR_BIAS_A2_UNORM])
        return display_ten_bits;
    return format->texture == WGPUTextureFormat_RGBA16Float ? display_floats : NULL;
}

bool ag_host_format_display_row(const struct ag_host_format *format, const uint8_t *host, uint8_t *rgba,
                                uint32_t count)
{
    const display_texel display = find_display(format);
    for (size_t i = 0; display && i < count; i++)
        display(format, host + i * format->host_bytes, rgba + 4 * i);
    return display != NULL;
}
