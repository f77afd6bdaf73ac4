/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "base/format.h"
#include "format/format.h"

/* ---- The words of a row -------------------------------------------------------------------------------- */

/* Texels that the host keeps as they are: their bytes. */
#define PLAIN(size) .bytes = (size), .block_width = 1, .block_height = 1, .host_bytes = (size)
/* Texels whose bytes change on the way: the guest's, the host's, and how. */
#define CONVERTED(size, host_size, how)                                                                      \
    .bytes = (size), .block_width = 1, .block_height = 1, .host_bytes = (host_size),                         \
    .conversion = AG_CONVERT_##how
/* Blocks of 4x4 texels, and their decoder. */
#define BLOCK(size, by)                                                                                      \
    .bytes = (size), .block_width = 4, .block_height = 4, .host_bytes = (size), .decoder = AG_DECODER_##by
/* Two texels that share a word: the processor tells them apart. */
#define PAIR(by) .bytes = 4, .block_width = 2, .block_height = 1, .host_bytes = 4, .decoder = AG_DECODER_##by
/* Bytes, side of a block, and what the host keeps the texels as. */
#define TYPELESS(size, side, kept)                                                                           \
    .bytes = (size), .block_width = (side), .block_height = (side), .host_bytes = (size),                    \
    .class = AG_CLASS_TYPELESS, .host = AG_DXGI_##kept
/* Bytes and texels of a block, which the host has no textures of. */
#define VIDEO(size, across)                                                                                  \
    .bytes = (size), .block_width = (across), .block_height = 1, .class = AG_CLASS_VIDEO

#define FAMILY(bits) .typeless = AG_DXGI_##bits##_TYPELESS

/* What components hold, and their bits where all have as many. */
#define NUMBERS(kind, bits) .class = CLASS_OF_##kind, .number = AG_NUMBER_##kind, .component_bits = (bits)
#define CLASS_OF_FLOAT AG_CLASS_FLOAT
#define CLASS_OF_UNORM AG_CLASS_FLOAT
#define CLASS_OF_SNORM AG_CLASS_FLOAT
#define CLASS_OF_UINT AG_CLASS_UINT
#define CLASS_OF_SINT AG_CLASS_SINT
#define DEPTH_NUMBERS(kind) .class = AG_CLASS_DEPTH, .number = AG_NUMBER_##kind
#define ORDER(components) .order = AG_ORDER_##components
#define CHANNELS(count) .channels = (count)

/* WebGPU's texture, and what it costs as a target (its render target pixel byte cost). */
#define TEXTURE(format) .texture = WGPUTextureFormat_##format, .texture_name = #format
#define TARGET(format, cost) TEXTURE(format), .sample_bytes = (cost)

#define FLAGS(bits) .flags = (bits)
#define RENDER AG_FORMAT_RENDERABLE
#define FILTER AG_FORMAT_FILTERABLE
#define COLOUR (RENDER | AG_FORMAT_BLENDABLE | FILTER)
#define SRGB AG_FORMAT_SRGB
#define NO_ALPHA AG_FORMAT_NO_ALPHA
#define ALPHA_ONLY AG_FORMAT_ALPHA_ONLY
#define DEPTH AG_FORMAT_DEPTH
#define DEPTH_FLOAT AG_FORMAT_DEPTH_FLOAT
#define STENCIL AG_FORMAT_STENCIL
#define DISPLAY AG_FORMAT_DISPLAYED
#define INDEX AG_FORMAT_INDEX
#define ATOMIC AG_FORMAT_ATOMIC
#define BIASED AG_FORMAT_BIASED

/* Vertex elements: WebGPU's, or those that only the executor's own fetch reads. */
#define VERTEX(format, size) .vertex = WGPUVertexFormat_##format, FETCHED(size)
#define FETCHED(size) .vertex_bytes = (size)

/* Other formats, see format.h; and the ABI's. */
#define HOST(other) .host = AG_DXGI_##other
#define DEPTH_HOST(other) .host_depth = AG_DXGI_##other
#define DEPTH_SEEN(other) .depth_seen = AG_DXGI_##other
#define WIDENED(other) .widened = AG_DXGI_##other
#define SRGB_COUNTERPART(other) .srgb_counterpart = AG_DXGI_##other
#define ABI(format) .abi_format = AEROGPU_FORMAT_##format, .abi_name = #format

/* ---- The table ----------------------------------------------------------------------------------------- */

static const struct ag_host_format formats[AG_DXGI_COUNT] = {
#define X(format, number, ...) [AG_DXGI_##format] = {.name = #format, __VA_ARGS__},
    AG_FORMATS(X)
#undef X
};

_Static_assert(AG_DXGI_COUNT <= UINT8_MAX, "rows and pipelines' keys hold numbers of formats in bytes");

static const struct ag_host_format *row(uint32_t dxgi)
{
    return dxgi < AG_DXGI_COUNT && formats[dxgi].name ? &formats[dxgi] : NULL;
}

const struct ag_host_format *ag_host_format(uint32_t dxgi)
{
    const struct ag_host_format *format = row(dxgi);
    return format && format->class != AG_CLASS_VIDEO ? format : NULL;
}

const struct ag_host_format *ag_dxgi_format(uint32_t dxgi)
{
    return dxgi <= AG_DXGI_LAST ? row(dxgi) : NULL;
}

static bool is_name(const char *candidate, const char *name, size_t length)
{
    return candidate && strlen(candidate) == length && memcmp(candidate, name, length) == 0;
}

uint32_t ag_dxgi_from_name(const char *name, size_t length)
{
    for (uint32_t dxgi = 0; dxgi <= AG_DXGI_LAST; dxgi++)
        if (is_name(formats[dxgi].name, name, length))
            return dxgi;
    return AG_DXGI_UNKNOWN;
}

/* ---- The ABI's formats --------------------------------------------------------------------------------- */

const struct ag_host_format *ag_abi_format(uint32_t abi_format)
{
    for (uint32_t dxgi = 0; abi_format && dxgi < AG_DXGI_COUNT; dxgi++)
        if (formats[dxgi].abi_format == abi_format)
            return &formats[dxgi];
    return NULL;
}

uint32_t ag_abi_format_from_name(const char *name, size_t length)
{
    for (uint32_t dxgi = 0; dxgi < AG_DXGI_COUNT; dxgi++)
        if (is_name(formats[dxgi].abi_name, name, length))
            return formats[dxgi].abi_format;
    return AEROGPU_FORMAT_INVALID;
}

uint32_t ag_host_format_from_abi(uint32_t abi_format)
{
    const uint32_t number = AEROGPU_EXT_FORMAT_DXGI(abi_format);
    if (AEROGPU_EXT_IS_FORMAT(abi_format))
        return ag_dxgi_format(number) && ag_host_format(number) ? number : AG_DXGI_UNKNOWN;
    const struct ag_host_format *format = ag_abi_format(abi_format);
    return format ? (uint32_t)(format - formats) : AG_DXGI_UNKNOWN;
}

static const char *name_of(const struct ag_host_format *format, uint32_t number, struct ag_format_name *name)
{
    if (format)
        return format->name;
    ag_text_format(name->unknown, sizeof name->unknown, "format %" PRIu32, number);
    return name->unknown;
}

const char *ag_format_name_of_abi(uint32_t abi_format, struct ag_format_name *name)
{
    return name_of(AEROGPU_EXT_IS_FORMAT(abi_format) ? ag_dxgi_format(AEROGPU_EXT_FORMAT_DXGI(abi_format))
                                                     : ag_abi_format(abi_format),
                   abi_format, name);
}

const char *ag_format_name_of_dxgi(uint32_t dxgi, struct ag_format_name *name)
{
    return name_of(ag_dxgi_format(dxgi), dxgi, name);
}

/* ---- Relations ----------------------------------------------------------------------------------------- */

uint32_t ag_format_typeless(uint32_t dxgi)
{
    return row(dxgi) ? formats[dxgi].typeless : 0;
}

uint32_t ag_format_host(uint32_t dxgi)
{
    return row(dxgi) && formats[dxgi].host ? formats[dxgi].host : dxgi;
}

bool ag_format_is_cast(uint32_t dxgi)
{
    return ag_format_host(dxgi) != dxgi;
}

uint32_t ag_format_host_depth(uint32_t dxgi)
{
    return row(dxgi) ? formats[dxgi].host_depth : 0;
}

uint32_t ag_format_depth_seen(uint32_t dxgi)
{
    return row(dxgi) ? formats[dxgi].depth_seen : 0;
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
    return row(dxgi) ? formats[dxgi].widened : 0;
}

/* ---- Samples ------------------------------------------------------------------------------------------- */

bool ag_format_rounds(const struct ag_host_format *format)
{
    return format->conversion == AG_CONVERT_B5G6R5 || format->conversion == AG_CONVERT_B5G5R5A1 ||
           format->conversion == AG_CONVERT_B4G4R4A4;
}

struct ag_sample_planes ag_format_sample_planes(const struct ag_host_format *format)
{
    static const struct {
        WGPUTextureFormat texture;
        struct ag_sample_planes planes;
    } rows[] = {
        {WGPUTextureFormat_RG32Float,   {WGPUTextureFormat_R32Float, 2}  },
        {WGPUTextureFormat_RGBA32Float, {WGPUTextureFormat_R32Float, 4}  },
        {WGPUTextureFormat_R32Uint,     {WGPUTextureFormat_RG16Uint, 1}  },
        {WGPUTextureFormat_R32Sint,     {WGPUTextureFormat_RG16Uint, 1}  },
        {WGPUTextureFormat_RG32Uint,    {WGPUTextureFormat_RGBA16Uint, 1}},
        {WGPUTextureFormat_RG32Sint,    {WGPUTextureFormat_RGBA16Uint, 1}},
        {WGPUTextureFormat_RGBA32Uint,  {WGPUTextureFormat_RGBA16Uint, 2}},
        {WGPUTextureFormat_RGBA32Sint,  {WGPUTextureFormat_RGBA16Uint, 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].texture == format->texture)
            return rows[i].planes;
    return (struct ag_sample_planes){WGPUTextureFormat_Undefined, 0};
}

/* ---- Components ---------------------------------------------------------------------------------------- */

static const struct ag_components orders[] = {
    [AG_ORDER_R10G10B10A2] = {{0, 10, 20, 30}, {10, 10, 10, 2}},
    [AG_ORDER_R11G11B10] = {{0, 11, 22, 0},  {11, 11, 10, 0}},
    [AG_ORDER_R8G8B8X8] = {{0, 8, 16, 0},   {8, 8, 8, 0}   },
    [AG_ORDER_B8G8R8A8] = {{16, 8, 0, 24},  {8, 8, 8, 8}   },
    [AG_ORDER_B8G8R8X8] = {{16, 8, 0, 0},   {8, 8, 8, 0}   },
    [AG_ORDER_B5G6R5] = {{11, 5, 0, 0},   {5, 6, 5, 0}   },
    [AG_ORDER_B5G5R5A1] = {{10, 5, 0, 15},  {5, 5, 5, 1}   },
    [AG_ORDER_B4G4R4A4] = {{8, 4, 0, 12},   {4, 4, 4, 4}   },
};

struct ag_components ag_host_format_components(const struct ag_host_format *format)
{
    struct ag_components components = {{0}, {0}};
    if (format->order != AG_ORDER_PLAIN)
        return orders[format->order];
    for (uint32_t i = 0; i < 4 && (i + 1) * format->component_bits <= format->vertex_bytes * 8u; i++) {
        components.shift[i] = (uint8_t)(i * format->component_bits);
        components.bits[i] = format->component_bits;
    }
    return components;
}
