/* SPDX-License-Identifier: MIT
 *
 * The one table of formats: what a DXGI format is for guests and for WebGPU, as a texture and as a vertex
 * element. Its rows are in formats.h.
 */
#ifndef AG_FORMAT_FORMAT_H
#define AG_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/formats.h"
#include "gpu/webgpu_enums.h"

/* What a shader sees in a texel or a vertex element. */
enum ag_host_class {
    AG_CLASS_FLOAT = 0, /* float, unorm, snorm */
    AG_CLASS_UINT,
    AG_CLASS_SINT,
    AG_CLASS_DEPTH, /* depth, perhaps with stencil */
    AG_CLASS_TYPELESS,
    AG_CLASS_VIDEO, /* the host has none of these */
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
    AG_CONVERT_HALVES,   /* packed floats that are halves on the host, with an alpha of 1; on the GPU alone */
    AG_CONVERT_THREE,    /* three components of 32 bits, with a fourth on the host that is 1 */
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
    AG_FORMAT_DISPLAYED = 1 << 9,  /* swap chains have buffers of the format */
    AG_FORMAT_INDEX = 1 << 10,
    AG_FORMAT_ATOMIC = 1 << 11, /* unordered access views have atomic operations */
    AG_FORMAT_BIASED = 1 << 12, /* R10G10B10_XR_BIAS_A2: only a display tells it from R10G10B10A2 */
};

/* What the bits of a component mean. */
enum ag_number {
    AG_NUMBER_FLOAT = 0, /* 32, 16, 11 or 10 bits; the last two without a sign */
    AG_NUMBER_UNORM,
    AG_NUMBER_SNORM,
    AG_NUMBER_UINT,
    AG_NUMBER_SINT,
};

/* Where the components of a texel or a vertex element are. */
enum ag_component_order {
    AG_ORDER_PLAIN = 0, /* one after the other, of component_bits each */
    AG_ORDER_R10G10B10A2,
    AG_ORDER_R11G11B10,
    AG_ORDER_R8G8B8X8,
    AG_ORDER_B8G8R8A8,
    AG_ORDER_B8G8R8X8,
    AG_ORDER_B5G6R5,
    AG_ORDER_B5G5R5A1,
    AG_ORDER_B4G4R4A4,
};

/* First bit and width of each component, red first; width 0: there is none. None crosses a 32-bit word. */
struct ag_components {
    uint8_t shift[4], bits[4];
};

/* What the processor makes of blocks that WebGPU does not take (bc.h). */
enum ag_block_decoder {
    AG_DECODER_NONE = 0,
    AG_DECODER_BC1,
    AG_DECODER_BC2,
    AG_DECODER_BC3,
    AG_DECODER_BC7,
    AG_DECODER_R8G8_B8G8,
    AG_DECODER_G8R8_G8B8,
};

struct ag_host_format {
    const char *name;         /* DXGI's without DXGI_FORMAT_ */
    const char *abi_name;     /* the ABI's without AEROGPU_FORMAT_, or null */
    const char *texture_name; /* WebGPU's for `texture`, or null */
    uint8_t abi_format;       /* enum aerogpu_format; 0: the ABI has it in its extension alone */
    uint8_t bytes;            /* a texel, or a block, in guest memory; 0: neither (planar video, R1) */
    uint8_t block_width;      /* texels of a block: 4x4, 2x1 or, where there are none, 1x1 */
    uint8_t block_height;
    uint8_t host_bytes;        /* a texel or block of the WebGPU texture's colour plane */
    uint8_t class;             /* enum ag_host_class */
    uint8_t conversion;        /* enum ag_conversion */
    uint8_t decoder;           /* enum ag_block_decoder */
    uint16_t flags;            /* enum ag_host_format_flag */
    uint8_t sample_bytes;      /* what a colour target costs of maxColorAttachmentBytesPerSample */
    uint8_t typeless;          /* of its family, itself included, or 0 */
    uint8_t host;              /* the typed format that its texels are kept as; 0: itself */
    uint8_t host_depth;        /* the same for depth texels; 0: there is none */
    uint8_t depth_seen;        /* of a depth texel: see ag_format_depth_seen() */
    uint8_t widened;           /* see ag_host_format_widened() */
    uint8_t srgb_counterpart;  /* the format that differs only in sRGB, or 0 */
    WGPUTextureFormat texture; /* Undefined: no texture of this format */
    WGPUVertexFormat vertex;   /* 0: not a vertex format of WebGPU */
    uint8_t vertex_bytes;      /* 0: not a vertex format at all */
    uint8_t number;            /* enum ag_number; not of typeless formats */
    uint8_t component_bits;    /* 0: components differ, or are inside of blocks */
    uint8_t order;             /* enum ag_component_order */
    uint8_t channels;          /* of block formats that have fewer than three; else 0 */
};

/* The row of a format that the host has, or null for other numbers, those of video formats included. */
const struct ag_host_format *ag_host_format(uint32_t dxgi);

/* The row of a number of DXGI, video formats included and the host's own excluded, or null. */
const struct ag_host_format *ag_dxgi_format(uint32_t dxgi);

/* The number of a format of DXGI, without DXGI_FORMAT_; 0 for unknown names. */
uint32_t ag_dxgi_from_name(const char *name, size_t length);

/* The row of a format of the ABI, or null for AEROGPU_FORMAT_INVALID, unknown numbers and the extension's. */
const struct ag_host_format *ag_abi_format(uint32_t abi_format);

/* The number of a format of the ABI, without AEROGPU_FORMAT_; 0 for unknown names. */
uint32_t ag_abi_format_from_name(const char *name, size_t length);

/* The DXGI number of a format of the ABI (enum aerogpu_format) or of the extension, or AG_DXGI_UNKNOWN. */
uint32_t ag_host_format_from_abi(uint32_t abi_format);

/* What messages call a format: its name, or "format 999" where no format has the number. */
struct ag_format_name {
    char unknown[24];
};
/* `abi_format` is of the ABI or of the extension, `dxgi` a number of DXGI. The name is valid as long as
 * *name. */
const char *ag_format_name_of_abi(uint32_t abi_format, struct ag_format_name *name);
const char *ag_format_name_of_dxgi(uint32_t dxgi, struct ag_format_name *name);

/* ---- Families: a typeless format and the typed ones that views of it may have (D3D11.3 19.1.2) -------- */

/* The typeless format of the family, itself included; 0 for formats that are in none. */
uint32_t ag_format_typeless(uint32_t dxgi);

/* What the host keeps texels of a typeless format as, and depth texels of such a format; a typed format is
 * kept as itself. 0: there is no such format. (R10G10B10_XR_BIAS_A2 is kept as R10G10B10A2_UNORM.) */
uint32_t ag_format_host(uint32_t dxgi);
uint32_t ag_format_host_depth(uint32_t dxgi);

/* Whether textures of the format are seen as others of their family: typeless ones, and those with a bias. */
bool ag_format_is_cast(uint32_t dxgi);

/* What a shader sees of a depth texel: the depth format for its colour counterpart (R32_FLOAT), itself for a
 * format that names one of the planes; 0 for others. */
uint32_t ag_format_depth_seen(uint32_t dxgi);

/* ---- What the host makes of formats -------------------------------------------------------------------- */

/* What blocks of a format become when the CPU decodes them. */
uint32_t ag_host_format_decoded(uint32_t dxgi);

/* What texels of 16 bits become where their exact values matter more than that they can be rendered to: four
 * floats. 0 for other formats. */
uint32_t ag_host_format_widened(uint32_t dxgi);

/* Whether the host has more bits than the guest's components of 6 bits or fewer: what is drawn or cleared is
 * rounded, so that shaders see what the guest's bits can say. */
bool ag_format_rounds(const struct ag_host_format *format);

/* Where the components are; widths of 0 in block formats. */
struct ag_components ag_host_format_components(const struct ag_host_format *format);

/* ---- Samples ------------------------------------------------------------------------------------------ */

/* WebGPU has no textures of several samples with 32-bit integers, or with two or four components of 32 bits.
 * The samples are in other textures then, the planes: each has one component, as a float, or two components
 * of integers in halves, the low half first. */
struct ag_sample_planes {
    WGPUTextureFormat texture;
    uint8_t count; /* 0: WebGPU has samples of the format's own texture */
};

#define AG_MAX_SAMPLE_PLANES 4

struct ag_sample_planes ag_format_sample_planes(const struct ag_host_format *format);

/* ---- Rows of texels (convert.c, display.c) ------------------------------------------------------------ */

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

/* One row of host bytes to RGBA8 for a display; alpha is 255 where the format has none. Ten bits are rounded;
 * floats are linear and are encoded as sRGB, 1 being white; with a bias, 384 is black and 894 is white. False
 * for formats that no display shows. */
bool ag_host_format_display_row(const struct ag_host_format *format, const uint8_t *host, uint8_t *rgba,
                                uint32_t count);

/* Whether a display is shown texels of four bytes as they are, but for their order: BGRA8 or RGBA8. */
bool ag_host_format_is_shown_as_it_is(const struct ag_host_format *format, bool *is_bgra);

/* Texels of four bytes from or to RGBA8: with `swap` the first byte and the third change places, and the bits
 * of `alpha` are set. The way there is the way back. A frame is millions of texels: whole words, in a loop
 * that compilers turn into vectors. */
void ag_format_swap_8888(const uint8_t *from, uint8_t *to, size_t count, bool swap, uint32_t alpha);

/* ---- Pictures (picture.c) ----------------------------------------------------------------------------- */

/* One pixel of a colour format of the ABI that is not compressed, at `from`, as RGBA8: 5- and 6-bit channels
 * by bit replication, X8 alpha as 255, no sRGB conversion. (Spec: ABI 3.) */
void ag_format_unpack_rgba8(const struct ag_host_format *format, const void *from, uint8_t rgba[4]);

/* The inverse: 5- and 6-bit channels by truncation, 1-bit alpha from 0x80 on, X8 as 0xFF. */
void ag_format_pack_rgba8(const struct ag_host_format *format, const uint8_t rgba[4], void *to);

/* ---- Support (support.c) ------------------------------------------------------------------------------ */

/* What CheckFormatSupport answers, in the bits of enum aerogpu_ext_format_support and ..._support2. Some
 * depend on whether the device blends targets of 32-bit floats. */
struct ag_format_support {
    uint32_t bits, bits2;
};
struct ag_format_support ag_format_support(uint32_t dxgi, bool blends_float32);

/* Quality levels of targets with so many samples; 0: there are no such targets. */
uint32_t ag_format_sample_levels(const struct ag_host_format *format, uint32_t samples);

/* Texels along a side that `texels` become where blocks of `from` texels are copied as blocks of `to`. */
static inline uint32_t ag_texels_moved(uint64_t texels, uint32_t to, uint32_t from)
{
    return (uint32_t)(to == from ? texels : (texels + from - 1) / from * to);
}

/* `texels` rounded up to whole blocks. The last blocks of small mips have texels beyond the mip. */
static inline uint64_t ag_end_of_blocks(uint64_t texels, uint32_t block)
{
    return (texels + block - 1) / block * block;
}

static inline bool ag_host_format_has(const struct ag_host_format *format, enum ag_host_format_flag flag)
{
    return (format->flags & flag) != 0;
}

#endif
