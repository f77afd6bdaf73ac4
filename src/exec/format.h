/* SPDX-License-Identifier: MIT
 *
 * The one table of formats on the host: what a DXGI format is for WebGPU, as a texture and as a vertex
 * element.
 */
#ifndef AG_EXEC_FORMAT_H
#define AG_EXEC_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

/* DXGI_FORMAT numbers, and two of our own for what the wire has and DXGI lacks. */
enum ag_dxgi_format {
    AG_DXGI_UNKNOWN = 0,
    AG_DXGI_R32G32B32A32_TYPELESS = 1,
    AG_DXGI_R32G32B32A32_FLOAT = 2,
    AG_DXGI_R32G32B32A32_UINT = 3,
    AG_DXGI_R32G32B32A32_SINT = 4,
    AG_DXGI_R32G32B32_TYPELESS = 5,
    AG_DXGI_R32G32B32_FLOAT = 6,
    AG_DXGI_R32G32B32_UINT = 7,
    AG_DXGI_R32G32B32_SINT = 8,
    AG_DXGI_R16G16B16A16_TYPELESS = 9,
    AG_DXGI_R16G16B16A16_FLOAT = 10,
    AG_DXGI_R16G16B16A16_UNORM = 11,
    AG_DXGI_R16G16B16A16_UINT = 12,
    AG_DXGI_R16G16B16A16_SNORM = 13,
    AG_DXGI_R16G16B16A16_SINT = 14,
    AG_DXGI_R32G32_TYPELESS = 15,
    AG_DXGI_R32G32_FLOAT = 16,
    AG_DXGI_R32G32_UINT = 17,
    AG_DXGI_R32G32_SINT = 18,
    AG_DXGI_R32G8X24_TYPELESS = 19,
    AG_DXGI_D32_FLOAT_S8X24_UINT = 20,
    AG_DXGI_R32_FLOAT_X8X24_TYPELESS = 21,
    AG_DXGI_X32_TYPELESS_G8X24_UINT = 22,
    AG_DXGI_R10G10B10A2_TYPELESS = 23,
    AG_DXGI_R10G10B10A2_UNORM = 24,
    AG_DXGI_R10G10B10A2_UINT = 25,
    AG_DXGI_R11G11B10_FLOAT = 26,
    AG_DXGI_R8G8B8A8_TYPELESS = 27,
    AG_DXGI_R8G8B8A8_UNORM = 28,
    AG_DXGI_R8G8B8A8_UNORM_SRGB = 29,
    AG_DXGI_R8G8B8A8_UINT = 30,
    AG_DXGI_R8G8B8A8_SNORM = 31,
    AG_DXGI_R8G8B8A8_SINT = 32,
    AG_DXGI_R16G16_TYPELESS = 33,
    AG_DXGI_R16G16_FLOAT = 34,
    AG_DXGI_R16G16_UNORM = 35,
    AG_DXGI_R16G16_UINT = 36,
    AG_DXGI_R16G16_SNORM = 37,
    AG_DXGI_R16G16_SINT = 38,
    AG_DXGI_R32_TYPELESS = 39,
    AG_DXGI_D32_FLOAT = 40,
    AG_DXGI_R32_FLOAT = 41,
    AG_DXGI_R32_UINT = 42,
    AG_DXGI_R32_SINT = 43,
    AG_DXGI_R24G8_TYPELESS = 44,
    AG_DXGI_D24_UNORM_S8_UINT = 45,
    AG_DXGI_R24_UNORM_X8_TYPELESS = 46,
    AG_DXGI_X24_TYPELESS_G8_UINT = 47,
    AG_DXGI_R8G8_TYPELESS = 48,
    AG_DXGI_R8G8_UNORM = 49,
    AG_DXGI_R8G8_UINT = 50,
    AG_DXGI_R8G8_SNORM = 51,
    AG_DXGI_R8G8_SINT = 52,
    AG_DXGI_R16_TYPELESS = 53,
    AG_DXGI_R16_FLOAT = 54,
    AG_DXGI_D16_UNORM = 55,
    AG_DXGI_R16_UNORM = 56,
    AG_DXGI_R16_UINT = 57,
    AG_DXGI_R16_SNORM = 58,
    AG_DXGI_R16_SINT = 59,
    AG_DXGI_R8_TYPELESS = 60,
    AG_DXGI_R8_UNORM = 61,
    AG_DXGI_R8_UINT = 62,
    AG_DXGI_R8_SNORM = 63,
    AG_DXGI_R8_SINT = 64,
    AG_DXGI_A8_UNORM = 65,
    AG_DXGI_R1_UNORM = 66,
    AG_DXGI_R9G9B9E5_SHAREDEXP = 67,
    AG_DXGI_R8G8_B8G8_UNORM = 68,
    AG_DXGI_G8R8_G8B8_UNORM = 69,
    AG_DXGI_BC1_TYPELESS = 70,
    AG_DXGI_BC1_UNORM = 71,
    AG_DXGI_BC1_UNORM_SRGB = 72,
    AG_DXGI_BC2_TYPELESS = 73,
    AG_DXGI_BC2_UNORM = 74,
    AG_DXGI_BC2_UNORM_SRGB = 75,
    AG_DXGI_BC3_TYPELESS = 76,
    AG_DXGI_BC3_UNORM = 77,
    AG_DXGI_BC3_UNORM_SRGB = 78,
    AG_DXGI_BC4_TYPELESS = 79,
    AG_DXGI_BC4_UNORM = 80,
    AG_DXGI_BC4_SNORM = 81,
    AG_DXGI_BC5_TYPELESS = 82,
    AG_DXGI_BC5_UNORM = 83,
    AG_DXGI_BC5_SNORM = 84,
    AG_DXGI_B5G6R5_UNORM = 85,
    AG_DXGI_B5G5R5A1_UNORM = 86,
    AG_DXGI_B8G8R8A8_UNORM = 87,
    AG_DXGI_B8G8R8X8_UNORM = 88,
    AG_DXGI_R10G10B10_XR_BIAS_A2_UNORM = 89,
    AG_DXGI_B8G8R8A8_TYPELESS = 90,
    AG_DXGI_B8G8R8A8_UNORM_SRGB = 91,
    AG_DXGI_B8G8R8X8_TYPELESS = 92,
    AG_DXGI_B8G8R8X8_UNORM_SRGB = 93,
    AG_DXGI_BC6H_TYPELESS = 94,
    AG_DXGI_BC6H_UF16 = 95,
    AG_DXGI_BC6H_SF16 = 96,
    AG_DXGI_BC7_TYPELESS = 97,
    AG_DXGI_BC7_UNORM = 98,
    AG_DXGI_BC7_UNORM_SRGB = 99,
    AG_DXGI_B4G4R4A4_UNORM = 115,
    AG_DXGI_R8G8B8X8_UNORM = 120,      /* no DXGI number: the wire's format 4 */
    AG_DXGI_R8G8B8X8_UNORM_SRGB = 121, /* no DXGI number: the wire's format 10 */
    AG_DXGI_DECODED_UNORM = 122,       /* no DXGI number: blocks that the CPU decoded */
    AG_DXGI_DECODED_UNORM_SRGB = 123,
    AG_DXGI_B5G6R5_FLOAT = 124, /* no DXGI numbers: texels of 16 bits, exact for shaders */
    AG_DXGI_B5G5R5A1_FLOAT = 125,
    AG_DXGI_DECODED_OPAQUE = 126, /* no DXGI number: pairs of texels that the CPU decoded */
    AG_DXGI_COUNT
};

/* What a shader sees in a texel or a vertex element. */
enum ag_host_class {
    AG_CLASS_FLOAT = 0, /* float, unorm, snorm */
    AG_CLASS_UINT,
    AG_CLASS_SINT,
    AG_CLASS_DEPTH, /* depth, perhaps with stencil */
    AG_CLASS_TYPELESS,
};

/* How guest bytes and the bytes of the WebGPU texture differ. */
enum ag_conversion {
    AG_CONVERT_NONE = 0,
    AG_CONVERT_OPAQUE, /* the fourth byte is unused: 255 on the host */
    AG_CONVERT_B5G6R5,
    AG_CONVERT_B5G5R5A1,
    AG_CONVERT_B4G4R4A4,
    AG_CONVERT_D24S8,    /* packed depth and stencil: two planes on the host */
    AG_CONVERT_D32S8X24, /* likewise */
    AG_CONVERT_FLOATS,   /* UNORM and SNORM components that are single floats on the host */
    AG_CONVERT_A8,       /* alpha alone: the last of four components on the host */
};

enum ag_host_format_flag {
    AG_FORMAT_RENDERABLE = 1 << 0,
    AG_FORMAT_BLENDABLE = 1 << 1,
    AG_FORMAT_FILTERABLE = 1 << 2,
    AG_FORMAT_SRGB = 1 << 3,
    AG_FORMAT_DEPTH = 1 << 4,
    AG_FORMAT_STENCIL = 1 << 5,
    AG_FORMAT_NO_ALPHA = 1 << 6, /* three components kept in four: alpha is 1 */
    AG_FORMAT_DEPTH_FLOAT = 1 << 7,
    AG_FORMAT_ALPHA_ONLY = 1 << 8, /* the other components are 0, and nothing writes them */
};

/* What the bits of a vertex element's component mean. */
enum ag_number {
    AG_NUMBER_FLOAT = 0, /* 32, 16, 11 or 10 bits; the last two without a sign */
    AG_NUMBER_UNORM,
    AG_NUMBER_SNORM,
    AG_NUMBER_UINT,
    AG_NUMBER_SINT,
};

/* Where the components of a vertex element are. */
enum ag_vertex_order {
    AG_ORDER_PLAIN = 0, /* one after the other, of vertex_bits each */
    AG_ORDER_R10G10B10A2,
    AG_ORDER_R11G11B10,
    AG_ORDER_B8G8R8A8,
    AG_ORDER_B8G8R8X8,
    AG_ORDER_B5G6R5,
    AG_ORDER_B5G5R5A1,
    AG_ORDER_B4G4R4A4,
};

/* First bit and width of each component, red first; width 0: there is none. None crosses a 32-bit word. */
struct ag_vertex_components {
    uint8_t shift[4], bits[4];
};

struct ag_host_format {
    const char *name;
    uint8_t bytes;       /* a texel, or a block, in guest memory */
    uint8_t block_width; /* texels of a block: 4x4, 2x1 or, where there are none, 1x1 */
    uint8_t block_height;
    uint8_t host_bytes;        /* a texel or block of the WebGPU texture's colour plane */
    uint8_t class;             /* enum ag_host_class */
    uint8_t conversion;        /* enum ag_conversion */
    uint16_t flags;            /* enum ag_host_format_flag */
    uint8_t sample_bytes;      /* what a colour target costs of maxColorAttachmentBytesPerSample */
    uint8_t twin;              /* the format that differs only in sRGB, or 0 */
    WGPUTextureFormat texture; /* Undefined: no texture of this format */
    WGPUVertexFormat vertex;   /* 0: not a vertex format of WebGPU */
    uint8_t vertex_bytes;      /* 0: not a vertex format at all */
    uint8_t vertex_number;     /* enum ag_number */
    uint8_t vertex_bits;
    uint8_t vertex_order; /* enum ag_vertex_order */
};

/* The row of a DXGI number, or null for a number that is not in the table. */
const struct ag_host_format *ag_host_format(uint32_t dxgi);

/* The DXGI number of a format of the ABI (enum aerogpu_format) or of the extension, or AG_DXGI_UNKNOWN. */
uint32_t ag_host_format_from_abi(uint32_t abi_format);

/* What blocks of a format become when the CPU decodes them. */
uint32_t ag_host_format_decoded(uint32_t dxgi);

/* What texels of 16 bits become where their exact values matter more than that they can be rendered to: four
 * floats. 0 for other formats. */
uint32_t ag_host_format_widened(uint32_t dxgi);

/* Where the components of a vertex format are. */
struct ag_vertex_components ag_host_format_components(const struct ag_host_format *format);

/* What a border colour becomes in textures of the format: AG_VIEW_BORDER_* (aerogpu/translate.h). */
uint32_t ag_host_format_border(const struct ag_host_format *format);

/* One row of texels from guest bytes to host bytes and back (not for depth formats). `count` is texels, or
 * blocks for block formats. */
void ag_host_format_expand_row(const struct ag_host_format *format, const uint8_t *guest, uint8_t *host,
                               uint32_t count);
void ag_host_format_pack_row(const struct ag_host_format *format, const uint8_t *host, uint8_t *guest,
                             uint32_t count);

/* Depth as words of floats, and stencil, 0 where there is none, as words; returns all bits of the latter. For
 * every depth format. */
uint32_t ag_host_format_expand_planes(const struct ag_host_format *format, const uint8_t *guest,
                                      uint8_t *depth, uint8_t *stencil, uint32_t count);

/* The reverse for depth with stencil, which are planes of floats and of bytes on the host. */
void ag_host_format_pack_planes(const struct ag_host_format *format, const uint8_t *depth,
                                const uint8_t *stencil, uint8_t *guest, uint32_t count);

/* R10G10B10_XR_BIAS_A2: texels of R10G10B10A2 that only a display tells from those. */
bool ag_host_format_is_biased(uint32_t dxgi);

/* One row of host bytes to RGBA8 for a display; alpha is 255 where the format has none. Ten bits are rounded;
 * floats are linear and are encoded as sRGB, 1 being white; with a bias, 384 is black and 894 is white. False
 * for formats that no display shows. */
bool ag_host_format_display_row(const struct ag_host_format *format, const uint8_t *host, uint8_t *rgba,
                                uint32_t count);

/* Texels along a side that `texels` become where blocks of `from` texels are copied as blocks of `to`. */
static inline uint32_t ag_texels_moved(uint64_t texels, uint32_t to, uint32_t from)
{
    return (uint32_t)(to == from ? texels : (texels + from - 1) / from * to);
}

static inline bool ag_host_format_has(const struct ag_host_format *format, enum ag_host_format_flag flag)
{
    return (format->flags & flag) != 0;
}

#endif
