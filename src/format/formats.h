/* SPDX-License-Identifier: MIT
 *
 * The one list of formats: what they are for Direct3D 11, how the host keeps them and what they can do. The
 * constants, the table (table.c), the names in texts and docs/formats.md are made of it; nothing else lists
 * formats. table.c says what the words of a row mean.
 *
 *     X(NAME, number, memory, family, numbers, host texture, capabilities, vertex element, relations)
 *
 * NAME      DXGI's without DXGI_FORMAT_.
 * number    of DXGI_FORMAT. Direct3D 11 has 1 to 115 and 130 to 132. The rows behind those are the host's
 * own: two formats that the ABI has and DXGI lacks, and what texels become that WebGPU does not take.
 */
#ifndef AG_FORMAT_FORMATS_H
#define AG_FORMAT_FORMATS_H

/* clang-format off */
#define AG_FORMATS(X)                                                                                        \
    X(R32G32B32A32_TYPELESS, 1, TYPELESS(16, 1, R32G32B32A32_FLOAT), FAMILY(R32G32B32A32))                   \
    X(R32G32B32A32_FLOAT, 2, PLAIN(16), FAMILY(R32G32B32A32), NUMBERS(FLOAT, 32), TARGET(RGBA32Float, 16),   \
      FLAGS(RENDER), VERTEX(Float32x4, 16))                                                                  \
    X(R32G32B32A32_UINT, 3, PLAIN(16), FAMILY(R32G32B32A32), NUMBERS(UINT, 32), TARGET(RGBA32Uint, 16),      \
      FLAGS(RENDER), VERTEX(Uint32x4, 16))                                                                   \
    X(R32G32B32A32_SINT, 4, PLAIN(16), FAMILY(R32G32B32A32), NUMBERS(SINT, 32), TARGET(RGBA32Sint, 16),      \
      FLAGS(RENDER), VERTEX(Sint32x4, 16))                                                                   \
    X(R32G32B32_TYPELESS, 5, TYPELESS(12, 1, R32G32B32_FLOAT), FAMILY(R32G32B32))                            \
    X(R32G32B32_FLOAT, 6, CONVERTED(12, 16, THREE), FAMILY(R32G32B32), NUMBERS(FLOAT, 32),                   \
      TEXTURE(RGBA32Float), FLAGS(NO_ALPHA), VERTEX(Float32x3, 12))                                          \
    X(R32G32B32_UINT, 7, CONVERTED(12, 16, THREE), FAMILY(R32G32B32), NUMBERS(UINT, 32),                     \
      TEXTURE(RGBA32Uint), FLAGS(NO_ALPHA), VERTEX(Uint32x3, 12))                                            \
    X(R32G32B32_SINT, 8, CONVERTED(12, 16, THREE), FAMILY(R32G32B32), NUMBERS(SINT, 32),                     \
      TEXTURE(RGBA32Sint), FLAGS(NO_ALPHA), VERTEX(Sint32x3, 12))                                            \
    X(R16G16B16A16_TYPELESS, 9, TYPELESS(8, 1, R16G16B16A16_FLOAT), FAMILY(R16G16B16A16))                    \
    X(R16G16B16A16_FLOAT, 10, PLAIN(8), FAMILY(R16G16B16A16), NUMBERS(FLOAT, 16), TARGET(RGBA16Float, 8),    \
      FLAGS(COLOUR | DISPLAY), VERTEX(Float16x4, 8))                                                         \
    X(R16G16B16A16_UNORM, 11, CONVERTED(8, 16, FLOATS), FAMILY(R16G16B16A16), NUMBERS(UNORM, 16),            \
      TARGET(RGBA32Float, 16), FLAGS(RENDER), VERTEX(Unorm16x4, 8))                                          \
    X(R16G16B16A16_UINT, 12, PLAIN(8), FAMILY(R16G16B16A16), NUMBERS(UINT, 16), TARGET(RGBA16Uint, 8),       \
      FLAGS(RENDER), VERTEX(Uint16x4, 8))                                                                    \
    X(R16G16B16A16_SNORM, 13, CONVERTED(8, 16, FLOATS), FAMILY(R16G16B16A16), NUMBERS(SNORM, 16),            \
      TARGET(RGBA32Float, 16), FLAGS(RENDER), VERTEX(Snorm16x4, 8))                                          \
    X(R16G16B16A16_SINT, 14, PLAIN(8), FAMILY(R16G16B16A16), NUMBERS(SINT, 16), TARGET(RGBA16Sint, 8),       \
      FLAGS(RENDER), VERTEX(Sint16x4, 8))                                                                    \
    X(R32G32_TYPELESS, 15, TYPELESS(8, 1, R32G32_FLOAT), FAMILY(R32G32))                                     \
    X(R32G32_FLOAT, 16, PLAIN(8), FAMILY(R32G32), NUMBERS(FLOAT, 32), TARGET(RG32Float, 8), FLAGS(RENDER),   \
      VERTEX(Float32x2, 8))                                                                                  \
    X(R32G32_UINT, 17, PLAIN(8), FAMILY(R32G32), NUMBERS(UINT, 32), TARGET(RG32Uint, 8), FLAGS(RENDER),      \
      VERTEX(Uint32x2, 8))                                                                                   \
    X(R32G32_SINT, 18, PLAIN(8), FAMILY(R32G32), NUMBERS(SINT, 32), TARGET(RG32Sint, 8), FLAGS(RENDER),      \
      VERTEX(Sint32x2, 8))                                                                                   \
    X(R32G8X24_TYPELESS, 19, TYPELESS(8, 1, D32_FLOAT_S8X24_UINT), FAMILY(R32G8X24),                         \
      DEPTH_HOST(D32_FLOAT_S8X24_UINT))                                                                      \
    X(D32_FLOAT_S8X24_UINT, 20, CONVERTED(8, 4, D32S8X24), FAMILY(R32G8X24), DEPTH_NUMBERS(FLOAT),           \
      TEXTURE(Depth32FloatStencil8), FLAGS(RENDER | DEPTH | STENCIL | DEPTH_FLOAT),                          \
      DEPTH_HOST(D32_FLOAT_S8X24_UINT))                                                                      \
    X(R32_FLOAT_X8X24_TYPELESS, 21, CONVERTED(8, 4, D32S8X24), FAMILY(R32G8X24), DEPTH_NUMBERS(FLOAT),       \
      TEXTURE(Depth32FloatStencil8), FLAGS(DEPTH | DEPTH_FLOAT), DEPTH_SEEN(R32_FLOAT_X8X24_TYPELESS))       \
    X(X32_TYPELESS_G8X24_UINT, 22, CONVERTED(8, 4, D32S8X24), FAMILY(R32G8X24), NUMBERS(UINT, 0),            \
      TEXTURE(Depth32FloatStencil8), FLAGS(STENCIL), DEPTH_SEEN(X32_TYPELESS_G8X24_UINT))                    \
    X(R10G10B10A2_TYPELESS, 23, TYPELESS(4, 1, R10G10B10A2_UNORM), FAMILY(R10G10B10A2))                      \
    X(R10G10B10A2_UNORM, 24, PLAIN(4), FAMILY(R10G10B10A2), NUMBERS(UNORM, 0), ORDER(R10G10B10A2),           \
      TARGET(RGB10A2Unorm, 8), FLAGS(COLOUR | DISPLAY), VERTEX(Unorm10_10_10_2, 4))                          \
    X(R10G10B10A2_UINT, 25, PLAIN(4), FAMILY(R10G10B10A2), NUMBERS(UINT, 0), ORDER(R10G10B10A2),             \
      TARGET(RGB10A2Uint, 8), FLAGS(RENDER), FETCHED(4))                                                     \
    X(R11G11B10_FLOAT, 26, PLAIN(4), NUMBERS(FLOAT, 0), ORDER(R11G11B10), TARGET(RG11B10Ufloat, 8),          \
      FLAGS(COLOUR | NO_ALPHA), FETCHED(4))                                                                  \
    X(R8G8B8A8_TYPELESS, 27, TYPELESS(4, 1, R8G8B8A8_UNORM), FAMILY(R8G8B8A8))                               \
    X(R8G8B8A8_UNORM, 28, PLAIN(4), FAMILY(R8G8B8A8), NUMBERS(UNORM, 8), TARGET(RGBA8Unorm, 8),              \
      FLAGS(COLOUR | DISPLAY), VERTEX(Unorm8x4, 4), SRGB_COUNTERPART(R8G8B8A8_UNORM_SRGB),                   \
      ABI(R8G8B8A8_UNORM))                                                                                   \
    X(R8G8B8A8_UNORM_SRGB, 29, PLAIN(4), FAMILY(R8G8B8A8), NUMBERS(UNORM, 8), TARGET(RGBA8UnormSrgb, 8),     \
      FLAGS(COLOUR | SRGB | DISPLAY), VERTEX(Unorm8x4, 4), SRGB_COUNTERPART(R8G8B8A8_UNORM),                 \
      ABI(R8G8B8A8_UNORM_SRGB))                                                                              \
    X(R8G8B8A8_UINT, 30, PLAIN(4), FAMILY(R8G8B8A8), NUMBERS(UINT, 8), TARGET(RGBA8Uint, 4),                 \
      FLAGS(RENDER), VERTEX(Uint8x4, 4))                                                                     \
    X(R8G8B8A8_SNORM, 31, CONVERTED(4, 16, FLOATS), FAMILY(R8G8B8A8), NUMBERS(SNORM, 8),                     \
      TARGET(RGBA32Float, 16), FLAGS(RENDER), VERTEX(Snorm8x4, 4))                                           \
    X(R8G8B8A8_SINT, 32, PLAIN(4), FAMILY(R8G8B8A8), NUMBERS(SINT, 8), TARGET(RGBA8Sint, 4),                 \
      FLAGS(RENDER), VERTEX(Sint8x4, 4))                                                                     \
    X(R16G16_TYPELESS, 33, TYPELESS(4, 1, R16G16_FLOAT), FAMILY(R16G16))                                     \
    X(R16G16_FLOAT, 34, PLAIN(4), FAMILY(R16G16), NUMBERS(FLOAT, 16), TARGET(RG16Float, 4), FLAGS(COLOUR),   \
      VERTEX(Float16x2, 4))                                                                                  \
    X(R16G16_UNORM, 35, CONVERTED(4, 8, FLOATS), FAMILY(R16G16), NUMBERS(UNORM, 16), TARGET(RG32Float, 8),   \
      FLAGS(RENDER), VERTEX(Unorm16x2, 4))                                                                   \
    X(R16G16_UINT, 36, PLAIN(4), FAMILY(R16G16), NUMBERS(UINT, 16), TARGET(RG16Uint, 4),                     \
      FLAGS(RENDER), VERTEX(Uint16x2, 4))                                                                    \
    X(R16G16_SNORM, 37, CONVERTED(4, 8, FLOATS), FAMILY(R16G16), NUMBERS(SNORM, 16), TARGET(RG32Float, 8),   \
      FLAGS(RENDER), VERTEX(Snorm16x2, 4))                                                                   \
    X(R16G16_SINT, 38, PLAIN(4), FAMILY(R16G16), NUMBERS(SINT, 16), TARGET(RG16Sint, 4),                     \
      FLAGS(RENDER), VERTEX(Sint16x2, 4))                                                                    \
    X(R32_TYPELESS, 39, TYPELESS(4, 1, R32_FLOAT), FAMILY(R32), DEPTH_HOST(D32_FLOAT))                       \
    X(D32_FLOAT, 40, PLAIN(4), FAMILY(R32), DEPTH_NUMBERS(FLOAT), TEXTURE(Depth32Float),                     \
      FLAGS(RENDER | DEPTH | DEPTH_FLOAT), DEPTH_HOST(D32_FLOAT), ABI(D32_FLOAT))                            \
    X(R32_FLOAT, 41, PLAIN(4), FAMILY(R32), NUMBERS(FLOAT, 32), TARGET(R32Float, 4), FLAGS(RENDER),          \
      VERTEX(Float32, 4), DEPTH_SEEN(D32_FLOAT))                                                             \
    X(R32_UINT, 42, PLAIN(4), FAMILY(R32), NUMBERS(UINT, 32), TARGET(R32Uint, 4),                            \
      FLAGS(RENDER | INDEX | ATOMIC), VERTEX(Uint32, 4))                                                     \
    X(R32_SINT, 43, PLAIN(4), FAMILY(R32), NUMBERS(SINT, 32), TARGET(R32Sint, 4), FLAGS(RENDER | ATOMIC),    \
      VERTEX(Sint32, 4))                                                                                     \
    X(R24G8_TYPELESS, 44, TYPELESS(4, 1, D24_UNORM_S8_UINT), FAMILY(R24G8), DEPTH_HOST(D24_UNORM_S8_UINT))   \
    X(D24_UNORM_S8_UINT, 45, CONVERTED(4, 4, D24S8), FAMILY(R24G8), DEPTH_NUMBERS(UNORM),                    \
      TEXTURE(Depth32FloatStencil8), FLAGS(RENDER | DEPTH | STENCIL), DEPTH_HOST(D24_UNORM_S8_UINT),         \
      ABI(D24_UNORM_S8_UINT))                                                                                \
    X(R24_UNORM_X8_TYPELESS, 46, CONVERTED(4, 4, D24S8), FAMILY(R24G8), DEPTH_NUMBERS(UNORM),                \
      TEXTURE(Depth32FloatStencil8), FLAGS(DEPTH), DEPTH_SEEN(R24_UNORM_X8_TYPELESS))                        \
    X(X24_TYPELESS_G8_UINT, 47, CONVERTED(4, 4, D24S8), FAMILY(R24G8), NUMBERS(UINT, 0),                     \
      TEXTURE(Depth32FloatStencil8), FLAGS(STENCIL), DEPTH_SEEN(X24_TYPELESS_G8_UINT))                       \
    X(R8G8_TYPELESS, 48, TYPELESS(2, 1, R8G8_UNORM), FAMILY(R8G8))                                           \
    X(R8G8_UNORM, 49, PLAIN(2), FAMILY(R8G8), NUMBERS(UNORM, 8), TARGET(RG8Unorm, 2), FLAGS(COLOUR),         \
      VERTEX(Unorm8x2, 2))                                                                                   \
    X(R8G8_UINT, 50, PLAIN(2), FAMILY(R8G8), NUMBERS(UINT, 8), TARGET(RG8Uint, 2), FLAGS(RENDER),            \
      VERTEX(Uint8x2, 2))                                                                                    \
    X(R8G8_SNORM, 51, CONVERTED(2, 8, FLOATS), FAMILY(R8G8), NUMBERS(SNORM, 8), TARGET(RG32Float, 8),        \
      FLAGS(RENDER), VERTEX(Snorm8x2, 2))                                                                    \
    X(R8G8_SINT, 52, PLAIN(2), FAMILY(R8G8), NUMBERS(SINT, 8), TARGET(RG8Sint, 2), FLAGS(RENDER),            \
      VERTEX(Sint8x2, 2))                                                                                    \
    X(R16_TYPELESS, 53, TYPELESS(2, 1, R16_FLOAT), FAMILY(R16), DEPTH_HOST(D16_UNORM))                       \
    X(R16_FLOAT, 54, PLAIN(2), FAMILY(R16), NUMBERS(FLOAT, 16), TARGET(R16Float, 2), FLAGS(COLOUR),          \
      VERTEX(Float16, 2))                                                                                    \
    X(D16_UNORM, 55, PLAIN(2), FAMILY(R16), DEPTH_NUMBERS(UNORM), TEXTURE(Depth16Unorm),                     \
      FLAGS(RENDER | DEPTH), DEPTH_HOST(D16_UNORM))                                                          \
    X(R16_UNORM, 56, CONVERTED(2, 4, FLOATS), FAMILY(R16), NUMBERS(UNORM, 16), TARGET(R32Float, 4),          \
      FLAGS(RENDER), VERTEX(Unorm16, 2), DEPTH_SEEN(D16_UNORM))                                              \
    X(R16_UINT, 57, PLAIN(2), FAMILY(R16), NUMBERS(UINT, 16), TARGET(R16Uint, 2),                            \
      FLAGS(RENDER | INDEX), VERTEX(Uint16, 2))                                                              \
    X(R16_SNORM, 58, CONVERTED(2, 4, FLOATS), FAMILY(R16), NUMBERS(SNORM, 16), TARGET(R32Float, 4),          \
      FLAGS(RENDER), VERTEX(Snorm16, 2))                                                                     \
    X(R16_SINT, 59, PLAIN(2), FAMILY(R16), NUMBERS(SINT, 16), TARGET(R16Sint, 2), FLAGS(RENDER),             \
      VERTEX(Sint16, 2))                                                                                     \
    X(R8_TYPELESS, 60, TYPELESS(1, 1, R8_UNORM), FAMILY(R8))                                                 \
    X(R8_UNORM, 61, PLAIN(1), FAMILY(R8), NUMBERS(UNORM, 8), TARGET(R8Unorm, 1), FLAGS(COLOUR),              \
      VERTEX(Unorm8, 1))                                                                                     \
    X(R8_UINT, 62, PLAIN(1), FAMILY(R8), NUMBERS(UINT, 8), TARGET(R8Uint, 1), FLAGS(RENDER),                 \
      VERTEX(Uint8, 1))                                                                                      \
    X(R8_SNORM, 63, CONVERTED(1, 4, FLOATS), FAMILY(R8), NUMBERS(SNORM, 8), TARGET(R32Float, 4),             \
      FLAGS(RENDER), VERTEX(Snorm8, 1))                                                                      \
    X(R8_SINT, 64, PLAIN(1), FAMILY(R8), NUMBERS(SINT, 8), TARGET(R8Sint, 1), FLAGS(RENDER),                 \
      VERTEX(Sint8, 1))                                                                                      \
    X(A8_UNORM, 65, CONVERTED(1, 4, A8), NUMBERS(UNORM, 0), TARGET(RGBA8Unorm, 8),                           \
      FLAGS(COLOUR | ALPHA_ONLY))                                                                            \
    X(R1_UNORM, 66, PLAIN(0), NUMBERS(UNORM, 0))                                                             \
    X(R9G9B9E5_SHAREDEXP, 67, PLAIN(4), NUMBERS(FLOAT, 0), TEXTURE(RGB9E5Ufloat), FLAGS(FILTER | NO_ALPHA))  \
    X(R8G8_B8G8_UNORM, 68, PAIR(R8G8_B8G8), NUMBERS(UNORM, 0), TEXTURE(RGBA8Unorm),                          \
      FLAGS(FILTER | NO_ALPHA))                                                                              \
    X(G8R8_G8B8_UNORM, 69, PAIR(G8R8_G8B8), NUMBERS(UNORM, 0), TEXTURE(RGBA8Unorm),                          \
      FLAGS(FILTER | NO_ALPHA))                                                                              \
    X(BC1_TYPELESS, 70, TYPELESS(8, 4, BC1_UNORM), FAMILY(BC1))                                              \
    X(BC1_UNORM, 71, BLOCK(8, BC1), FAMILY(BC1), NUMBERS(UNORM, 0), TEXTURE(BC1RGBAUnorm), FLAGS(FILTER),    \
      SRGB_COUNTERPART(BC1_UNORM_SRGB), ABI(BC1_RGBA_UNORM))                                                 \
    X(BC1_UNORM_SRGB, 72, BLOCK(8, BC1), FAMILY(BC1), NUMBERS(UNORM, 0), TEXTURE(BC1RGBAUnormSrgb),          \
      FLAGS(FILTER | SRGB), SRGB_COUNTERPART(BC1_UNORM), ABI(BC1_RGBA_UNORM_SRGB))                           \
    X(BC2_TYPELESS, 73, TYPELESS(16, 4, BC2_UNORM), FAMILY(BC2))                                             \
    X(BC2_UNORM, 74, BLOCK(16, BC2), FAMILY(BC2), NUMBERS(UNORM, 0), TEXTURE(BC2RGBAUnorm), FLAGS(FILTER),   \
      SRGB_COUNTERPART(BC2_UNORM_SRGB), ABI(BC2_RGBA_UNORM))                                                 \
    X(BC2_UNORM_SRGB, 75, BLOCK(16, BC2), FAMILY(BC2), NUMBERS(UNORM, 0), TEXTURE(BC2RGBAUnormSrgb),         \
      FLAGS(FILTER | SRGB), SRGB_COUNTERPART(BC2_UNORM), ABI(BC2_RGBA_UNORM_SRGB))                           \
    X(BC3_TYPELESS, 76, TYPELESS(16, 4, BC3_UNORM), FAMILY(BC3))                                             \
    X(BC3_UNORM, 77, BLOCK(16, BC3), FAMILY(BC3), NUMBERS(UNORM, 0), TEXTURE(BC3RGBAUnorm), FLAGS(FILTER),   \
      SRGB_COUNTERPART(BC3_UNORM_SRGB), ABI(BC3_RGBA_UNORM))                                                 \
    X(BC3_UNORM_SRGB, 78, BLOCK(16, BC3), FAMILY(BC3), NUMBERS(UNORM, 0), TEXTURE(BC3RGBAUnormSrgb),         \
      FLAGS(FILTER | SRGB), SRGB_COUNTERPART(BC3_UNORM), ABI(BC3_RGBA_UNORM_SRGB))                           \
    X(BC4_TYPELESS, 79, TYPELESS(8, 4, BC4_UNORM), FAMILY(BC4))                                              \
    X(BC4_UNORM, 80, BLOCK(8, NONE), FAMILY(BC4), NUMBERS(UNORM, 0), CHANNELS(1), TEXTURE(BC4RUnorm),        \
      FLAGS(FILTER))                                                                                         \
    X(BC4_SNORM, 81, BLOCK(8, NONE), FAMILY(BC4), NUMBERS(SNORM, 0), CHANNELS(1), TEXTURE(BC4RSnorm),        \
      FLAGS(FILTER))                                                                                         \
    X(BC5_TYPELESS, 82, TYPELESS(16, 4, BC5_UNORM), FAMILY(BC5))                                             \
    X(BC5_UNORM, 83, BLOCK(16, NONE), FAMILY(BC5), NUMBERS(UNORM, 0), CHANNELS(2), TEXTURE(BC5RGUnorm),      \
      FLAGS(FILTER))                                                                                         \
    X(BC5_SNORM, 84, BLOCK(16, NONE), FAMILY(BC5), NUMBERS(SNORM, 0), CHANNELS(2), TEXTURE(BC5RGSnorm),      \
      FLAGS(FILTER))                                                                                         \
    X(B5G6R5_UNORM, 85, CONVERTED(2, 4, B5G6R5), NUMBERS(UNORM, 0), ORDER(B5G6R5), TARGET(RGBA8Unorm, 8),    \
      FLAGS(COLOUR | NO_ALPHA), FETCHED(2), WIDENED(B5G6R5_FLOAT), ABI(B5G6R5_UNORM))                        \
    X(B5G5R5A1_UNORM, 86, CONVERTED(2, 4, B5G5R5A1), NUMBERS(UNORM, 0), ORDER(B5G5R5A1),                     \
      TARGET(RGBA8Unorm, 8), FLAGS(COLOUR), FETCHED(2), WIDENED(B5G5R5A1_FLOAT), ABI(B5G5R5A1_UNORM))        \
    X(B8G8R8A8_UNORM, 87, PLAIN(4), FAMILY(B8G8R8A8), NUMBERS(UNORM, 8), ORDER(B8G8R8A8),                    \
      TARGET(BGRA8Unorm, 8), FLAGS(COLOUR | DISPLAY), VERTEX(Unorm8x4BGRA, 4),                               \
      SRGB_COUNTERPART(B8G8R8A8_UNORM_SRGB), ABI(B8G8R8A8_UNORM))                                            \
    X(B8G8R8X8_UNORM, 88, CONVERTED(4, 4, OPAQUE), FAMILY(B8G8R8X8), NUMBERS(UNORM, 0), ORDER(B8G8R8X8),     \
      TARGET(BGRA8Unorm, 8), FLAGS(COLOUR | NO_ALPHA), FETCHED(4), SRGB_COUNTERPART(B8G8R8X8_UNORM_SRGB),    \
      ABI(B8G8R8X8_UNORM))                                                                                   \
    X(R10G10B10_XR_BIAS_A2_UNORM, 89, PLAIN(4), FAMILY(R10G10B10A2), NUMBERS(UNORM, 0), FLAGS(BIASED),       \
      HOST(R10G10B10A2_UNORM))                                                                               \
    X(B8G8R8A8_TYPELESS, 90, TYPELESS(4, 1, B8G8R8A8_UNORM), FAMILY(B8G8R8A8))                               \
    X(B8G8R8A8_UNORM_SRGB, 91, PLAIN(4), FAMILY(B8G8R8A8), NUMBERS(UNORM, 8), ORDER(B8G8R8A8),               \
      TARGET(BGRA8UnormSrgb, 8), FLAGS(COLOUR | SRGB | DISPLAY), VERTEX(Unorm8x4BGRA, 4),                    \
      SRGB_COUNTERPART(B8G8R8A8_UNORM), ABI(B8G8R8A8_UNORM_SRGB))                                            \
    X(B8G8R8X8_TYPELESS, 92, TYPELESS(4, 1, B8G8R8X8_UNORM), FAMILY(B8G8R8X8))                               \
    X(B8G8R8X8_UNORM_SRGB, 93, CONVERTED(4, 4, OPAQUE), FAMILY(B8G8R8X8), NUMBERS(UNORM, 0),                 \
      ORDER(B8G8R8X8), TARGET(BGRA8UnormSrgb, 8), FLAGS(COLOUR | SRGB | NO_ALPHA),                           \
      SRGB_COUNTERPART(B8G8R8X8_UNORM), ABI(B8G8R8X8_UNORM_SRGB))                                            \
    X(BC6H_TYPELESS, 94, TYPELESS(16, 4, BC6H_UF16), FAMILY(BC6H))                                           \
    X(BC6H_UF16, 95, BLOCK(16, NONE), FAMILY(BC6H), NUMBERS(FLOAT, 0), TEXTURE(BC6HRGBUfloat),               \
      FLAGS(FILTER | NO_ALPHA))                                                                              \
    X(BC6H_SF16, 96, BLOCK(16, NONE), FAMILY(BC6H), NUMBERS(FLOAT, 0), TEXTURE(BC6HRGBFloat),                \
      FLAGS(FILTER | NO_ALPHA))                                                                              \
    X(BC7_TYPELESS, 97, TYPELESS(16, 4, BC7_UNORM), FAMILY(BC7))                                             \
    X(BC7_UNORM, 98, BLOCK(16, BC7), FAMILY(BC7), NUMBERS(UNORM, 0), TEXTURE(BC7RGBAUnorm), FLAGS(FILTER),   \
      SRGB_COUNTERPART(BC7_UNORM_SRGB), ABI(BC7_RGBA_UNORM))                                                 \
    X(BC7_UNORM_SRGB, 99, BLOCK(16, BC7), FAMILY(BC7), NUMBERS(UNORM, 0), TEXTURE(BC7RGBAUnormSrgb),         \
      FLAGS(FILTER | SRGB), SRGB_COUNTERPART(BC7_UNORM), ABI(BC7_RGBA_UNORM_SRGB))                           \
    X(AYUV, 100, VIDEO(4, 1))                                                                                \
    X(Y410, 101, VIDEO(4, 1))                                                                                \
    X(Y416, 102, VIDEO(8, 1))                                                                                \
    X(NV12, 103, VIDEO(0, 1))                                                                                \
    X(P010, 104, VIDEO(0, 1))                                                                                \
    X(P016, 105, VIDEO(0, 1))                                                                                \
    X(420_OPAQUE, 106, VIDEO(0, 1))                                                                          \
    X(YUY2, 107, VIDEO(4, 2))                                                                                \
    X(Y210, 108, VIDEO(8, 2))                                                                                \
    X(Y216, 109, VIDEO(8, 2))                                                                                \
    X(NV11, 110, VIDEO(0, 1))                                                                                \
    X(AI44, 111, VIDEO(1, 1))                                                                                \
    X(IA44, 112, VIDEO(1, 1))                                                                                \
    X(P8, 113, VIDEO(1, 1))                                                                                  \
    X(A8P8, 114, VIDEO(2, 1))                                                                                \
    X(B4G4R4A4_UNORM, 115, CONVERTED(2, 4, B4G4R4A4), NUMBERS(UNORM, 0), ORDER(B4G4R4A4),                    \
      TARGET(RGBA8Unorm, 8), FLAGS(COLOUR), FETCHED(2))                                                      \
    X(P208, 130, VIDEO(0, 1))                                                                                \
    X(V208, 131, VIDEO(0, 1))                                                                                \
    X(V408, 132, VIDEO(0, 1))                                                                                \
    X(R8G8B8X8_UNORM, 133, CONVERTED(4, 4, OPAQUE), NUMBERS(UNORM, 0), ORDER(R8G8B8X8),                      \
      TARGET(RGBA8Unorm, 8), FLAGS(COLOUR | NO_ALPHA), SRGB_COUNTERPART(R8G8B8X8_UNORM_SRGB),                \
      ABI(R8G8B8X8_UNORM))                                                                                   \
    X(R8G8B8X8_UNORM_SRGB, 134, CONVERTED(4, 4, OPAQUE), NUMBERS(UNORM, 0), ORDER(R8G8B8X8),                 \
      TARGET(RGBA8UnormSrgb, 8), FLAGS(COLOUR | SRGB | NO_ALPHA), SRGB_COUNTERPART(R8G8B8X8_UNORM),          \
      ABI(R8G8B8X8_UNORM_SRGB))                                                                              \
    X(DECODED_UNORM, 135, PLAIN(4), NUMBERS(UNORM, 0), TEXTURE(RGBA8Unorm), FLAGS(FILTER),                   \
      SRGB_COUNTERPART(DECODED_UNORM_SRGB))                                                                  \
    X(DECODED_UNORM_SRGB, 136, PLAIN(4), NUMBERS(UNORM, 0), TEXTURE(RGBA8UnormSrgb), FLAGS(FILTER | SRGB),   \
      SRGB_COUNTERPART(DECODED_UNORM))                                                                       \
    X(B5G6R5_FLOAT, 137, CONVERTED(2, 16, B5G6R5), NUMBERS(UNORM, 0), ORDER(B5G6R5), TEXTURE(RGBA32Float),   \
      FLAGS(NO_ALPHA), FETCHED(2))                                                                           \
    X(B5G5R5A1_FLOAT, 138, CONVERTED(2, 16, B5G5R5A1), NUMBERS(UNORM, 0), ORDER(B5G5R5A1),                   \
      TEXTURE(RGBA32Float), FETCHED(2))                                                                      \
    X(DECODED_OPAQUE, 139, PLAIN(4), NUMBERS(UNORM, 0), TEXTURE(RGBA8Unorm), FLAGS(FILTER | NO_ALPHA))       \
    X(R11G11B10_HALVES, 140, CONVERTED(4, 8, HALVES), NUMBERS(FLOAT, 0), ORDER(R11G11B10),                   \
      TARGET(RGBA16Float, 8), FLAGS(COLOUR | NO_ALPHA))
/* clang-format on */

/* A constant for each row: AG_DXGI_R8G8B8A8_UNORM. */
enum ag_dxgi_format {
    AG_DXGI_UNKNOWN = 0,
#define X(name, number, ...) AG_DXGI_##name = (number),
    AG_FORMATS(X)
#undef X
        AG_DXGI_COUNT,
    AG_DXGI_LAST = AG_DXGI_V408, /* of DXGI */
};

#endif
