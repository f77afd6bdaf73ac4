/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "format/bc.h"

/* Bits of a block, least significant first. */
struct bit_reader {
    const uint8_t *bytes;
    uint32_t at;
};

struct mode {
    uint8_t subsets, partition_bits, rotation_bits, selection_bits;
    uint8_t color_bits, alpha_bits;
    uint8_t endpoint_p, shared_p; /* low bits that each endpoint, or each subset's pair, has in common */
    uint8_t index_bits, second_bits;
};

static const struct mode modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0},
    {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3},
    {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0},
    {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

/* clang-format off */
static const uint8_t weights2[4] = {0, 21, 43, 64};
static const uint8_t weights3[8] = {0, 9, 18, 27, 37, 46, 55, 64};
static const uint8_t weights4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

/* Bit i: texel i is of subset 1. */
static const uint16_t partitions2[64] = {
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8, 0xFF00, 0xFFF0, 0xF000,
    0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE, 0x088C, 0x3110, 0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C,
    0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696, 0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660,
    0x0272, 0x04E4, 0x4E40, 0x2720, 0xC936, 0x936C, 0x39C6, 0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22,
};

/* Bits 2 i and 2 i + 1: the subset of texel i. */
static const uint32_t partitions3[64] = {
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050,
    0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250,
    0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040, 0xA4A45000, 0x1A1A0500,
    0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200,
    0xA9A58000, 0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50,
    0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600,
    0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254,
};

/* The texel of a subset whose index has an implied high bit of 0; subset 0's is texel 0. */
static const uint8_t anchors2[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
    15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6,
    6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
};
static const uint8_t anchors3[2][64] = {
    {
        3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3,
        3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15,
        8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15,
        3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3,
    },
    {
        15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8,
        15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8,
        15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8,
        15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8,
    },
};
/* clang-format on */

static uint32_t read_bits(struct bit_reader *reader, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++, reader->at++)
        value |= (uint32_t)(reader->bytes[reader->at / 8] >> reader->at % 8 & 1) << i;
    return value;
}

static uint32_t subset_of(const struct mode *mode, uint32_t partition, uint32_t texel)
{
    if (mode->subsets == 2)
        return partitions2[partition] >> texel & 1;
    return mode->subsets == 3 ? partitions3[partition] >> 2 * texel & 3 : 0;
}

static bool is_anchor(const struct mode *mode, uint32_t partition, uint32_t texel)
{
    if (texel == 0)
        return true;
    if (mode->subsets == 2)
        return texel == anchors2[partition];
    return mode->subsets == 3 && (texel == anchors3[0][partition] || texel == anchors3[1][partition]);
}

/* Endpoint e of subset s is number 2 s + e. */
static void read_endpoints(struct bit_reader *reader, const struct mode *mode, uint8_t endpoints[6][4])
{
    uint32_t values[6][4], count = mode->subsets * 2u, p[6] = {0};
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t e = 0; e < count; e++)
            values[e][c] = read_bits(reader, c < 3 ? mode->color_bits : mode->alpha_bits);
    bool has_p = mode->endpoint_p || mode->shared_p;
    for (uint32_t e = 0; e < count && has_p; e++)
        p[e] = mode->shared_p && e % 2 ? p[e - 1] : read_bits(reader, 1);
    for (uint32_t e = 0; e < count; e++) {
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t bits = c < 3 ? mode->color_bits : mode->alpha_bits, value = values[e][c];
            if (bits == 0) {
                endpoints[e][c] = 255;
                continue;
            }
            if (has_p) {
                value = value << 1 | p[e];
                bits++;
            }
            value <<= 8 - bits;
            endpoints[e][c] = (uint8_t)(value | value >> bits);
        }
    }
}

static void read_indices(struct bit_reader *reader, const struct mode *mode, uint32_t partition,
                         uint32_t bits, uint8_t indices[16])
{
    for (uint32_t i = 0; i < 16; i++)
        indices[i] = (uint8_t)read_bits(reader, is_anchor(mode, partition, i) ? bits - 1 : bits);
}

static uint8_t interpolate(uint32_t a, uint32_t b, uint32_t index, uint32_t bits)
{
    const uint8_t *weights = bits == 2 ? weights2 : bits == 3 ? weights3 : weights4;
    return (uint8_t)(((64 - weights[index]) * a + weights[index] * b + 32) >> 6);
}

void ag_bc7_decode(const uint8_t block[16], uint8_t texels[AG_BC_TEXELS_BYTES])
{
    struct bit_reader reader = {block, 0};
    uint32_t number = 0;
    while (number < 8 && read_bits(&reader, 1) == 0)
        number++;
    if (number == 8) {
        memset(texels, 0, AG_BC_TEXELS_BYTES);
        return;
    }
    const struct mode *mode = &modes[number];
    uint8_t endpoints[6][4], first[16], second[16];
    uint32_t partition = read_bits(&reader, mode->partition_bits);
    uint32_t rotation = read_bits(&reader, mode->rotation_bits);
    bool swapped = read_bits(&reader, mode->selection_bits) != 0;
    read_endpoints(&reader, mode, endpoints);
    read_indices(&reader, mode, partition, mode->index_bits, first);
    if (mode->second_bits)
        read_indices(&reader, mode, partition, mode->second_bits, second);
    for (uint32_t i = 0; i < 16; i++) {
        const size_t subset = subset_of(mode, partition, i);
        const uint8_t *a = endpoints[2 * subset], *b = endpoints[2 * subset + 1];
        uint8_t *texel = texels + 4 * (size_t)i;
        for (uint32_t c = 0; c < 4; c++) {
            bool from_second = mode->second_bits && (c == 3) != swapped;
            texel[c] = interpolate(a[c], b[c], from_second ? second[i] : first[i],
                                   from_second ? mode->second_bits : mode->index_bits);
        }
        if (rotation) {
            uint8_t alpha = texel[3];
            texel[3] = texel[rotation - 1];
            texel[rotation - 1] = alpha;
        }
    }
}
