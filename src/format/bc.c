/* SPDX-License-Identifier: MIT */
#include "format/bc.h"

#include <string.h>

#include "base/bytes.h"

static void expand_565(uint32_t v, uint8_t rgba[4])
{
    uint32_t r = v >> 11 & 31, g = v >> 5 & 63, b = v & 31;
    rgba[0] = (uint8_t)(r << 3 | r >> 2);
    rgba[1] = (uint8_t)(g << 2 | g >> 4);
    rgba[2] = (uint8_t)(b << 3 | b >> 2);
    rgba[3] = 255;
}

/* The colours of BC1; BC2 and BC3 always have four of them. */
static void decode_colors(const uint8_t *block, bool four, uint8_t *texels)
{
    uint8_t colors[4][4];
    uint32_t first = ag_load_u16(block), second = ag_load_u16(block + 2);
    uint32_t indices = ag_load_u32(block + 4);
    four = four || first > second;
    expand_565(first, colors[0]);
    expand_565(second, colors[1]);
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t a = colors[0][c], b = colors[1][c];
        colors[2][c] = (uint8_t)(four ? (2 * a + b + 1) / 3 : (a + b + 1) / 2);
        colors[3][c] = (uint8_t)(four ? (a + 2 * b + 1) / 3 : 0);
    }
    for (size_t i = 0; i < 16; i++)
        memcpy(texels + 4 * i, colors[indices >> 2 * i & 3], 4);
}

static void decode_explicit_alpha(const uint8_t *block, uint8_t *texels)
{
    for (size_t i = 0; i < 16; i++)
        texels[4 * i + 3] = (uint8_t)((block[i / 2] >> i % 2 * 4 & 15) * 17);
}

static void decode_interpolated_alpha(const uint8_t *block, uint8_t *texels)
{
    uint8_t alphas[8] = {block[0], block[1], 0, 0, 0, 0, 0, 255};
    uint32_t a = block[0], b = block[1];
    uint64_t indices = ag_load_u64(block) >> 16;
    uint32_t steps = a > b ? 7 : 5;
    for (uint32_t i = 1; i < steps; i++)
        alphas[i + 1] = (uint8_t)(((steps - i) * a + i * b + steps / 2) / steps);
    for (size_t i = 0; i < 16; i++)
        texels[4 * i + 3] = alphas[indices >> 3 * i & 7];
}

/* Red and blue of both texels, and the green of each. */
static void decode_pair(const uint8_t *block, bool green_first, uint8_t *texels)
{
    const uint8_t *shared = block + green_first, *own = block + !green_first;
    for (size_t i = 0; i < 2; i++) {
        const uint8_t texel[4] = {shared[0], own[2 * i], shared[2], 255};
        memcpy(texels + 4 * i, texel, sizeof texel);
    }
}

static void decode_bc1(const uint8_t *block, uint8_t *texels)
{
    decode_colors(block, false, texels);
}

static void decode_bc2(const uint8_t *block, uint8_t *texels)
{
    decode_colors(block + 8, true, texels);
    decode_explicit_alpha(block, texels);
}

static void decode_bc3(const uint8_t *block, uint8_t *texels)
{
    decode_colors(block + 8, true, texels);
    decode_interpolated_alpha(block, texels);
}

static void decode_r8g8_b8g8(const uint8_t *block, uint8_t *texels)
{
    decode_pair(block, false, texels);
}

static void decode_g8r8_g8b8(const uint8_t *block, uint8_t *texels)
{
    decode_pair(block, true, texels);
}

typedef void (*block_decoder)(const uint8_t *block, uint8_t *texels);

static const block_decoder decoders[] = {
    [AG_DECODER_NONE] = NULL,
    [AG_DECODER_BC1] = decode_bc1,
    [AG_DECODER_BC2] = decode_bc2,
    [AG_DECODER_BC3] = decode_bc3,
    [AG_DECODER_BC7] = ag_bc7_decode,
    [AG_DECODER_R8G8_B8G8] = decode_r8g8_b8g8,
    [AG_DECODER_G8R8_G8B8] = decode_g8r8_g8b8,
};

bool ag_bc_decode(const struct ag_host_format *format, const uint8_t *block,
                  uint8_t texels[AG_BC_TEXELS_BYTES])
{
    const block_decoder decode = decoders[format->decoder];
    if (block && decode)
        decode(block, texels);
    return decode != NULL;
}
