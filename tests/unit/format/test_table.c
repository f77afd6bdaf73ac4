/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "base/half.h"
#include "format/format.h"

/* Direct3D 11's numbers are those of dxgiformat.h up to B4G4R4A4, and three of video. Each has a row, and the
 * host has what is no video. */
static void has_no_holes(void **state)
{
    (void)state;
    for (uint32_t dxgi = 1; dxgi <= AG_DXGI_B4G4R4A4_UNORM; dxgi++) {
        const struct ag_host_format *format = ag_dxgi_format(dxgi);
        assert_non_null(format);
        assert_int_equal(ag_dxgi_from_name(format->name, strlen(format->name)), dxgi);
        const bool is_video = dxgi >= AG_DXGI_AYUV && dxgi <= AG_DXGI_A8P8;
        assert_int_equal(format->class == AG_CLASS_VIDEO, is_video);
        assert_ptr_equal(ag_host_format(dxgi), is_video ? NULL : format);
    }
    assert_int_equal(AG_DXGI_B4G4R4A4_UNORM, 115);
    for (uint32_t dxgi = AG_DXGI_B4G4R4A4_UNORM + 1; dxgi < AG_DXGI_P208; dxgi++)
        assert_null(ag_dxgi_format(dxgi));
    for (uint32_t dxgi = AG_DXGI_P208; dxgi <= AG_DXGI_V408; dxgi++) {
        assert_int_equal(ag_dxgi_format(dxgi)->class, AG_CLASS_VIDEO);
        assert_null(ag_host_format(dxgi));
    }
    for (uint32_t own = AG_DXGI_LAST + 1; own < AG_DXGI_COUNT; own++) {
        const struct ag_host_format *format = ag_host_format(own);
        assert_non_null(format);
        assert_null(ag_dxgi_format(own));
        assert_int_equal(ag_dxgi_from_name(format->name, strlen(format->name)), AG_DXGI_UNKNOWN);
        assert_int_equal(ag_host_format_from_abi(AEROGPU_EXT_FORMAT(own)), AG_DXGI_UNKNOWN);
    }
    assert_int_equal(ag_dxgi_from_name("R32", 3), AG_DXGI_UNKNOWN);
    assert_int_equal(ag_dxgi_from_name("R32G32_FLOATS", 12), AG_DXGI_R32G32_FLOAT);
    assert_null(ag_dxgi_format(AG_DXGI_UNKNOWN));
    assert_null(ag_host_format(AG_DXGI_UNKNOWN));
    assert_null(ag_host_format(AG_DXGI_COUNT));
    assert_null(ag_host_format(UINT32_MAX));
}

/* What names say of formats: bits of components, numbers, depth. */
static void rows_agree_with_their_names(void **state)
{
    (void)state;
    for (uint32_t dxgi = 1; dxgi < AG_DXGI_COUNT; dxgi++) {
        const struct ag_host_format *format = ag_host_format(dxgi);
        const bool is_own = dxgi > AG_DXGI_LAST;
        uint32_t bits = 0;
        if (!format)
            continue;
        for (const char *c = format->name; c[0] >= 'A' && c[0] <= 'Z' && c[1] >= '0' && c[1] <= '9';) {
            bits += (uint32_t)strtoul(c + 1, (char **)&c, 10);
            c += *c == '_' && c[1] >= 'A' && c[1] <= 'Z' && c[2] >= '0' && c[2] <= '9'; /* R8G8_B8G8 */
        }
        if (format->block_width != 4 && format->bytes && !strstr(format->name, "TYPELESS") &&
            !strstr(format->name, "S8") && !strstr(format->name, "SHAREDEXP") &&
            !strstr(format->name, "XR_BIAS") && !strstr(format->name, "DECODED"))
            assert_int_equal(bits, format->bytes * 8u);
        assert_int_equal(format->block_width == 4, strncmp(format->name, "BC", 2) == 0);
        assert_int_equal(ag_host_format_has(format, AG_FORMAT_SRGB), strstr(format->name, "_SRGB") != NULL);
        if (!is_own && strstr(format->name, "_UNORM") && format->class == AG_CLASS_FLOAT)
            assert_int_equal(format->number, AG_NUMBER_UNORM);
        if (strstr(format->name, "_SNORM"))
            assert_int_equal(format->number, AG_NUMBER_SNORM);
        if (strstr(format->name, "_SINT"))
            assert_int_equal(format->class, AG_CLASS_SINT);
        if (strstr(format->name, "_UINT") && format->class != AG_CLASS_DEPTH)
            assert_int_equal(format->class, AG_CLASS_UINT);
        if (format->name[0] == 'D' && format->name[1] < 'A')
            assert_int_equal(format->class, AG_CLASS_DEPTH);
        if (format->vertex_bytes)
            assert_int_equal(format->vertex_bytes, format->bytes);
        assert_int_equal(format->texture != WGPUTextureFormat_Undefined,
                         format->host_bytes && format->texture_name);
    }
}

/* The compiler tells when an enumerator has no case. */
static uint32_t dxgi_of(enum aerogpu_format format)
{
    switch (format) {
    case AEROGPU_FORMAT_INVALID:
        return AG_DXGI_UNKNOWN;
    case AEROGPU_FORMAT_B8G8R8A8_UNORM:
        return AG_DXGI_B8G8R8A8_UNORM;
    case AEROGPU_FORMAT_B8G8R8X8_UNORM:
        return AG_DXGI_B8G8R8X8_UNORM;
    case AEROGPU_FORMAT_R8G8B8A8_UNORM:
        return AG_DXGI_R8G8B8A8_UNORM;
    case AEROGPU_FORMAT_R8G8B8X8_UNORM:
        return AG_DXGI_R8G8B8X8_UNORM;
    case AEROGPU_FORMAT_B5G6R5_UNORM:
        return AG_DXGI_B5G6R5_UNORM;
    case AEROGPU_FORMAT_B5G5R5A1_UNORM:
        return AG_DXGI_B5G5R5A1_UNORM;
    case AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB:
        return AG_DXGI_B8G8R8A8_UNORM_SRGB;
    case AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB:
        return AG_DXGI_B8G8R8X8_UNORM_SRGB;
    case AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB:
        return AG_DXGI_R8G8B8A8_UNORM_SRGB;
    case AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB:
        return AG_DXGI_R8G8B8X8_UNORM_SRGB;
    case AEROGPU_FORMAT_D24_UNORM_S8_UINT:
        return AG_DXGI_D24_UNORM_S8_UINT;
    case AEROGPU_FORMAT_D32_FLOAT:
        return AG_DXGI_D32_FLOAT;
    case AEROGPU_FORMAT_BC1_RGBA_UNORM:
        return AG_DXGI_BC1_UNORM;
    case AEROGPU_FORMAT_BC1_RGBA_UNORM_SRGB:
        return AG_DXGI_BC1_UNORM_SRGB;
    case AEROGPU_FORMAT_BC2_RGBA_UNORM:
        return AG_DXGI_BC2_UNORM;
    case AEROGPU_FORMAT_BC2_RGBA_UNORM_SRGB:
        return AG_DXGI_BC2_UNORM_SRGB;
    case AEROGPU_FORMAT_BC3_RGBA_UNORM:
        return AG_DXGI_BC3_UNORM;
    case AEROGPU_FORMAT_BC3_RGBA_UNORM_SRGB:
        return AG_DXGI_BC3_UNORM_SRGB;
    case AEROGPU_FORMAT_BC7_RGBA_UNORM:
        return AG_DXGI_BC7_UNORM;
    case AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB:
        return AG_DXGI_BC7_UNORM_SRGB;
    }
    return AG_DXGI_UNKNOWN;
}

static void knows_every_abi_format(void **state)
{
    (void)state;
    for (uint32_t abi_format = 0; abi_format < 256; abi_format++) {
        const uint32_t dxgi = dxgi_of((enum aerogpu_format)abi_format);
        const struct ag_host_format *format = ag_host_format(dxgi);
        assert_int_equal(ag_host_format_from_abi(abi_format), dxgi);
        assert_ptr_equal(ag_abi_format(abi_format), format);
        if (format) {
            assert_int_equal(ag_abi_format_from_name(format->abi_name, strlen(format->abi_name)), abi_format);
            assert_int_not_equal(format->texture, WGPUTextureFormat_Undefined);
        }
    }
    assert_int_equal(ag_host_format_from_abi(UINT32_MAX), AG_DXGI_UNKNOWN);
    assert_null(ag_abi_format(AEROGPU_EXT_FORMAT(AG_DXGI_R8G8B8A8_UNORM)));
    assert_int_equal(ag_host_format_from_abi(AEROGPU_EXT_FORMAT(AG_DXGI_R8G8B8A8_UNORM)),
                     AG_DXGI_R8G8B8A8_UNORM);
    assert_int_equal(ag_host_format_from_abi(AEROGPU_EXT_FORMAT(AG_DXGI_NV12)), AG_DXGI_UNKNOWN);
}

/* Bytes and blocks (D3D11.3 19.1). */
static void knows_sizes(void **state)
{
    (void)state;
    static const struct {
        uint32_t dxgi, bytes, width, height;
    } rows[] = {
        {AG_DXGI_R32G32B32_FLOAT,   12, 1, 1},
        {AG_DXGI_R32G8X24_TYPELESS, 8,  1, 1},
        {AG_DXGI_R8G8_B8G8_UNORM,   4,  2, 1},
        {AG_DXGI_BC1_UNORM,         8,  4, 4},
        {AG_DXGI_BC4_TYPELESS,      8,  4, 4},
        {AG_DXGI_BC7_UNORM,         16, 4, 4},
        {AG_DXGI_YUY2,              4,  2, 1},
        {AG_DXGI_NV12,              0,  1, 1},
        {AG_DXGI_R1_UNORM,          0,  1, 1},
    };
    for (size_t i = 0; i < AG_COUNT_OF(rows); i++) {
        const struct ag_host_format *format = ag_dxgi_format(rows[i].dxgi);
        assert_int_equal(format->bytes, rows[i].bytes);
        assert_int_equal(format->block_width, rows[i].width);
        assert_int_equal(format->block_height, rows[i].height);
    }
}

/* Components of vertex elements: little-endian words, the first-named component lowest (but DXGI's 565, 5551
 * and 4444, where blue is lowest), none across a word. */
static void finds_components(void **state)
{
    (void)state;
    static const struct {
        uint32_t dxgi;
        struct ag_components components;
    } rows[] = {
        {AG_DXGI_R32G32B32_FLOAT,  {{0, 32, 64, 0}, {32, 32, 32, 0}} },
        {AG_DXGI_R16G16_SNORM,     {{0, 16, 0, 0}, {16, 16, 0, 0}}   },
        {AG_DXGI_R8G8B8A8_UINT,    {{0, 8, 16, 24}, {8, 8, 8, 8}}    },
        {AG_DXGI_R8_UNORM,         {{0, 0, 0, 0}, {8, 0, 0, 0}}      },
        {AG_DXGI_B8G8R8A8_UNORM,   {{16, 8, 0, 24}, {8, 8, 8, 8}}    },
        {AG_DXGI_R10G10B10A2_UINT, {{0, 10, 20, 30}, {10, 10, 10, 2}}},
        {AG_DXGI_R11G11B10_FLOAT,  {{0, 11, 22, 0}, {11, 11, 10, 0}} },
        {AG_DXGI_B5G6R5_UNORM,     {{11, 5, 0, 0}, {5, 6, 5, 0}}     },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ag_components found = ag_host_format_components(ag_host_format(rows[i].dxgi));
        assert_memory_equal(&found, &rows[i].components, sizeof found);
    }
}

/* The vertex formats that a host must know (spec: ABI 9.1). */
static void knows_the_vertex_formats(void **state)
{
    (void)state;
    static const uint8_t known[] = {
        AG_DXGI_R32G32B32A32_FLOAT,
        AG_DXGI_R32G32B32A32_UINT,
        AG_DXGI_R32G32B32A32_SINT,
        AG_DXGI_R32G32B32_FLOAT,
        AG_DXGI_R32G32B32_UINT,
        AG_DXGI_R32G32B32_SINT,
        AG_DXGI_R16G16B16A16_FLOAT,
        AG_DXGI_R16G16B16A16_UNORM,
        AG_DXGI_R16G16B16A16_UINT,
        AG_DXGI_R16G16B16A16_SNORM,
        AG_DXGI_R16G16B16A16_SINT,
        AG_DXGI_R32G32_FLOAT,
        AG_DXGI_R32G32_UINT,
        AG_DXGI_R32G32_SINT,
        AG_DXGI_R10G10B10A2_UNORM,
        AG_DXGI_R8G8B8A8_UNORM,
        AG_DXGI_R8G8B8A8_UNORM_SRGB,
        AG_DXGI_R8G8B8A8_UINT,
        AG_DXGI_R8G8B8A8_SNORM,
        AG_DXGI_R8G8B8A8_SINT,
        AG_DXGI_R16G16_FLOAT,
        AG_DXGI_R16G16_UNORM,
        AG_DXGI_R16G16_UINT,
        AG_DXGI_R16G16_SNORM,
        AG_DXGI_R16G16_SINT,
        AG_DXGI_R32_FLOAT,
        AG_DXGI_R32_UINT,
        AG_DXGI_R32_SINT,
        AG_DXGI_R8G8_UNORM,
        AG_DXGI_R8G8_UINT,
        AG_DXGI_R8G8_SNORM,
        AG_DXGI_R8G8_SINT,
        AG_DXGI_R16_FLOAT,
        AG_DXGI_R16_UNORM,
        AG_DXGI_R16_UINT,
        AG_DXGI_R16_SNORM,
        AG_DXGI_R16_SINT,
        AG_DXGI_B8G8R8A8_UNORM,
        AG_DXGI_B8G8R8A8_UNORM_SRGB,
    };
    for (size_t i = 0; i < sizeof known; i++) {
        const struct ag_host_format *format = ag_host_format(known[i]);
        assert_int_not_equal(format->vertex, 0);
        assert_int_equal(format->vertex_bytes, format->bytes);
    }
    assert_int_equal(ag_host_format(AG_DXGI_D32_FLOAT)->vertex, 0);
    assert_int_equal(ag_host_format(AG_DXGI_BC1_UNORM)->vertex, 0);
}

static void srgb_counterparts_agree(void **state)
{
    (void)state;
    for (uint32_t dxgi = 1; dxgi < AG_DXGI_COUNT; dxgi++) {
        const struct ag_host_format *format = ag_host_format(dxgi);
        if (!format || !format->srgb_counterpart) {
            assert_false(format && ag_host_format_has(format, AG_FORMAT_SRGB));
            continue;
        }
        const struct ag_host_format *counterpart = ag_host_format(format->srgb_counterpart);
        assert_int_equal(counterpart->srgb_counterpart, dxgi);
        assert_int_equal(counterpart->bytes, format->bytes);
        assert_int_equal(counterpart->conversion, format->conversion);
        assert_int_equal(counterpart->typeless, format->typeless);
        assert_int_not_equal(ag_host_format_has(counterpart, AG_FORMAT_SRGB),
                             ag_host_format_has(format, AG_FORMAT_SRGB));
    }
}

static void expands_and_packs_16_bits(void **state)
{
    (void)state;
    const uint8_t guest[] = {0xFF, 0xFF, 0x00, 0xF8, 0xE0, 0x07, 0x1F, 0x00, 0x10, 0x84};
    uint8_t host[20], back[10];
    const struct ag_host_format *b5g6r5 = ag_host_format(AG_DXGI_B5G6R5_UNORM);
    const uint8_t expected[20] = {255, 255, 255, 255, 255, 0,   0,   255, 0,   255,
                                  0,   255, 0,   0,   255, 255, 132, 130, 132, 255};
    ag_host_format_expand_row(b5g6r5, guest, host, 5);
    assert_memory_equal(host, expected, sizeof expected);
    ag_host_format_pack_row(b5g6r5, host, back, 5);
    assert_memory_equal(back, guest, sizeof guest);

    const struct ag_host_format *b5g5r5a1 = ag_host_format(AG_DXGI_B5G5R5A1_UNORM);
    const uint8_t guest1[] = {0x00, 0x80, 0x1F, 0x7C};
    const uint8_t expected1[] = {0, 0, 0, 255, 255, 0, 255, 0};
    ag_host_format_expand_row(b5g5r5a1, guest1, host, 2);
    assert_memory_equal(host, expected1, sizeof expected1);
    const uint8_t half[] = {4, 5, 15, 0x7F, 4, 5, 15, 0x80}; /* 0.49, 0.61 and 1.82 of 31 */
    ag_host_format_pack_row(b5g5r5a1, half, back, 2);
    assert_int_equal(back[0] | back[1] << 8, 0 << 10 | 1 << 5 | 2);
    assert_int_equal(back[2] | back[3] << 8, 0x8000 | 0 << 10 | 1 << 5 | 2);
}

/* UNORM is v / (2^n - 1) to the nearest float (D3D11.3 3.2.3.2). */
static void widens_16_bits_exactly(void **state)
{
    (void)state;
    const uint8_t guest[] = {0x41, 0x08, 0x00, 0x80}; /* 1, 2, 1; 16, 0, 0 */
    uint8_t host[32], back[4];
    float values[8];
    const struct ag_host_format *b5g6r5 = ag_host_format(ag_host_format_widened(AG_DXGI_B5G6R5_UNORM));
    assert_int_equal(b5g6r5->host_bytes, 16);
    ag_host_format_expand_row(b5g6r5, guest, host, 2);
    memcpy(values, host, sizeof values);
    assert_true(values[0] == 1.0f / 31 && values[1] == 2.0f / 63 && values[2] == 1.0f / 31 && values[3] == 1);
    assert_true(values[4] == 16.0f / 31 && values[5] == 0 && values[6] == 0 && values[7] == 1);
    ag_host_format_pack_row(b5g6r5, host, back, 2);
    assert_memory_equal(back, guest, sizeof guest);

    const struct ag_host_format *b5g5r5a1 = ag_host_format(ag_host_format_widened(AG_DXGI_B5G5R5A1_UNORM));
    ag_host_format_expand_row(b5g5r5a1, guest, host, 2);
    memcpy(values, host, sizeof values);
    assert_true(values[0] == 2.0f / 31 && values[1] == 2.0f / 31 && values[2] == 1.0f / 31 && values[3] == 0);
    assert_true(values[4] == 0 && values[7] == 1);
    ag_host_format_pack_row(b5g5r5a1, host, back, 2);
    assert_memory_equal(back, guest, sizeof guest);
    assert_int_equal(ag_host_format_widened(AG_DXGI_R8G8B8A8_UNORM), 0);
}

static void makes_x8_opaque(void **state)
{
    (void)state;
    const uint8_t guest[] = {1, 2, 3, 4};
    uint8_t host[4], shown[4];
    const struct ag_host_format *format = ag_host_format(AG_DXGI_B8G8R8X8_UNORM);
    ag_host_format_expand_row(format, guest, host, 1);
    assert_int_equal(host[3], 255);
    host[3] = 7;
    assert_true(ag_host_format_display_row(format, host, shown, 1));
    assert_memory_equal(shown, ((uint8_t[]){3, 2, 1, 255}), 4);
    assert_false(ag_host_format_display_row(ag_host_format(AG_DXGI_D32_FLOAT), host, shown, 1));
}

/* Halves are linear light, which displays encode (D3D11.3 3.2.3.6); NaN and what is below 0 are 0. */
static void encodes_halves_for_displays(void **state)
{
    (void)state;
    const struct ag_host_format *const format = ag_host_format(AG_DXGI_R16G16B16A16_FLOAT);
    for (uint32_t half = 0; half <= UINT16_MAX; half++) {
        const uint16_t host[4] = {(uint16_t)half, (uint16_t)half, (uint16_t)half, (uint16_t)half};
        const double value = (double)ag_float_from_half((uint16_t)half);
        const double linear = value > 1 ? 1 : value > 0 ? value : 0;
        const double encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
        const uint8_t color = (uint8_t)(encoded * 255 + 0.5), alpha = (uint8_t)(linear * 255 + 0.5);
        uint8_t shown[4];
        assert_true(ag_host_format_display_row(format, (const uint8_t *)host, shown, 1));
        assert_memory_equal(shown, ((uint8_t[]){color, color, color, alpha}), 4);
    }
}

/* D3D11.3 19.1: every typeless format with the typed ones of as many bits. */
static void test_families(void **state)
{
    (void)state;
    static const struct {
        uint32_t dxgi, typeless, host, depth;
    } rows[] = {
        {AG_DXGI_R8G8B8A8_TYPELESS,          AG_DXGI_R8G8B8A8_TYPELESS,    AG_DXGI_R8G8B8A8_UNORM,          0                },
        {AG_DXGI_R8G8B8A8_SINT,              AG_DXGI_R8G8B8A8_TYPELESS,    AG_DXGI_R8G8B8A8_SINT,           0                },
        {AG_DXGI_B8G8R8A8_UNORM,             AG_DXGI_B8G8R8A8_TYPELESS,    AG_DXGI_B8G8R8A8_UNORM,          0                },
        {AG_DXGI_B8G8R8X8_UNORM,             AG_DXGI_B8G8R8X8_TYPELESS,    AG_DXGI_B8G8R8X8_UNORM,          0                },
        {AG_DXGI_R10G10B10_XR_BIAS_A2_UNORM, AG_DXGI_R10G10B10A2_TYPELESS, AG_DXGI_R10G10B10A2_UNORM,       0                },
        {AG_DXGI_R11G11B10_FLOAT,            0,                            AG_DXGI_R11G11B10_FLOAT,         0                },
        {AG_DXGI_A8_UNORM,                   0,                            AG_DXGI_A8_UNORM,                0                },
        {AG_DXGI_R9G9B9E5_SHAREDEXP,         0,                            AG_DXGI_R9G9B9E5_SHAREDEXP,      0                },
        {AG_DXGI_B4G4R4A4_UNORM,             0,                            AG_DXGI_B4G4R4A4_UNORM,          0                },
        {AG_DXGI_D32_FLOAT,                  AG_DXGI_R32_TYPELESS,         AG_DXGI_D32_FLOAT,               AG_DXGI_D32_FLOAT},
        {AG_DXGI_R32_TYPELESS,               AG_DXGI_R32_TYPELESS,         AG_DXGI_R32_FLOAT,               AG_DXGI_D32_FLOAT},
        {AG_DXGI_R32_FLOAT,                  AG_DXGI_R32_TYPELESS,         AG_DXGI_R32_FLOAT,               0                },
        {AG_DXGI_R16_TYPELESS,               AG_DXGI_R16_TYPELESS,         AG_DXGI_R16_FLOAT,               AG_DXGI_D16_UNORM},
        {AG_DXGI_R24G8_TYPELESS,             AG_DXGI_R24G8_TYPELESS,       AG_DXGI_D24_UNORM_S8_UINT,
         AG_DXGI_D24_UNORM_S8_UINT                                                                                           },
        {AG_DXGI_X32_TYPELESS_G8X24_UINT,    AG_DXGI_R32G8X24_TYPELESS,    AG_DXGI_X32_TYPELESS_G8X24_UINT, 0                },
        {AG_DXGI_BC6H_SF16,                  AG_DXGI_BC6H_TYPELESS,        AG_DXGI_BC6H_SF16,               0                },
        {AG_DXGI_BC7_UNORM_SRGB,             AG_DXGI_BC7_TYPELESS,         AG_DXGI_BC7_UNORM_SRGB,          0                },
        {AG_DXGI_UNKNOWN,                    0,                            AG_DXGI_UNKNOWN,                 0                },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(ag_format_typeless(rows[i].dxgi), rows[i].typeless);
        assert_int_equal(ag_format_host(rows[i].dxgi), rows[i].host);
        assert_int_equal(ag_format_host_depth(rows[i].dxgi), rows[i].depth);
    }
    assert_true(ag_format_is_cast(AG_DXGI_R8_TYPELESS));
    assert_true(ag_format_is_cast(AG_DXGI_R10G10B10_XR_BIAS_A2_UNORM));
    assert_false(ag_format_is_cast(AG_DXGI_R10G10B10A2_UNORM));
    assert_int_equal(ag_format_depth_seen(AG_DXGI_R32_FLOAT), AG_DXGI_D32_FLOAT);
    assert_int_equal(ag_format_depth_seen(AG_DXGI_R16_UNORM), AG_DXGI_D16_UNORM);
    assert_int_equal(ag_format_depth_seen(AG_DXGI_X24_TYPELESS_G8_UINT), AG_DXGI_X24_TYPELESS_G8_UINT);
    assert_int_equal(ag_format_depth_seen(AG_DXGI_R32_UINT), 0);
    for (uint32_t dxgi = 1; dxgi < AG_DXGI_COUNT; dxgi++) { /* a typeless format is of its own family */
        const struct ag_host_format *format = ag_host_format(dxgi);
        if (format && format->class == AG_CLASS_TYPELESS)
            assert_int_equal(ag_format_typeless(dxgi), dxgi);
        if (format && ag_format_typeless(dxgi))
            assert_int_equal(format->bytes, ag_host_format(ag_format_typeless(dxgi))->bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(has_no_holes),
        cmocka_unit_test(rows_agree_with_their_names),
        cmocka_unit_test(knows_sizes),
        cmocka_unit_test(knows_every_abi_format),
        cmocka_unit_test(knows_the_vertex_formats),
        cmocka_unit_test(finds_components),
        cmocka_unit_test(srgb_counterparts_agree),
        cmocka_unit_test(expands_and_packs_16_bits),
        cmocka_unit_test(widens_16_bits_exactly),
        cmocka_unit_test(makes_x8_opaque),
        cmocka_unit_test(encodes_halves_for_displays),
    };
    return cmocka_run_group_tests_name("format/table", tests, NULL, NULL);
}
