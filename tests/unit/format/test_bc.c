/* SPDX-License-Identifier: MIT
 *
 * Blocks and the texels that the definition of their format gives (D3D11.3 19.5, and the tables of BC7
 * there).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "format/bc.h"

static bool decode_block(uint32_t dxgi, const uint8_t *block, uint8_t *texels)
{
    return ag_bc_decode(ag_host_format(dxgi), block, texels);
}

static void expect_texel(const uint8_t *texels, uint32_t number, uint8_t r, uint8_t g, uint8_t b, uint8_t a)
{
    const uint8_t *texel = texels + 4 * (size_t)number;
    if (texel[0] != r || texel[1] != g || texel[2] != b || texel[3] != a)
        print_error("texel %u is %u %u %u %u, should be %u %u %u %u\n", number, texel[0], texel[1], texel[2],
                    texel[3], r, g, b, a);
    assert_true(texel[0] == r && texel[1] == g && texel[2] == b && texel[3] == a);
}

/* ---- Pairs --------------------------------------------------------------------------------------------- */

/* Red, green, blue, green of the second texel; or each after the other. */
static void pairs_share_red_and_blue(void **state)
{
    (void)state;
    const uint8_t block[4] = {10, 20, 30, 40};
    uint8_t texels[AG_BC_TEXELS_BYTES];
    assert_true(decode_block(AG_DXGI_R8G8_B8G8_UNORM, block, texels));
    expect_texel(texels, 0, 10, 20, 30, 255);
    expect_texel(texels, 1, 10, 40, 30, 255);
    assert_true(decode_block(AG_DXGI_G8R8_G8B8_UNORM, block, texels));
    expect_texel(texels, 0, 20, 10, 40, 255);
    expect_texel(texels, 1, 20, 30, 40, 255);
}

/* ---- BC1 to BC3 --------------------------------------------------------------------------------------- */

/* White is 0xFFFF, black 0; indices 0, 1, 2, 3 in the first row, then 3, 2, 1, 0. */
static void bc1_has_four_colors(void **state)
{
    (void)state;
    const uint8_t block[8] = {0xFF, 0xFF, 0x00, 0x00, 0xE4, 0x1B, 0x00, 0x55};
    uint8_t texels[AG_BC_TEXELS_BYTES];
    assert_true(decode_block(AG_DXGI_BC1_UNORM, block, texels));
    expect_texel(texels, 0, 255, 255, 255, 255);
    expect_texel(texels, 1, 0, 0, 0, 255);
    expect_texel(texels, 2, 170, 170, 170, 255);
    expect_texel(texels, 3, 85, 85, 85, 255);
    expect_texel(texels, 4, 85, 85, 85, 255);
    expect_texel(texels, 7, 255, 255, 255, 255);
    expect_texel(texels, 8, 255, 255, 255, 255);
    expect_texel(texels, 15, 0, 0, 0, 255);
}

/* The first colour is not greater than the second: half way between them, and transparent black. */
static void bc1_has_three_colors(void **state)
{
    (void)state;
    const uint8_t block[8] = {0x00, 0x00, 0x00, 0xF8, 0xE4, 0xFF, 0xFF, 0xFF}; /* black, red */
    uint8_t texels[AG_BC_TEXELS_BYTES];
    assert_true(decode_block(AG_DXGI_BC1_UNORM_SRGB, block, texels));
    expect_texel(texels, 0, 0, 0, 0, 255);
    expect_texel(texels, 1, 255, 0, 0, 255);
    expect_texel(texels, 2, 128, 0, 0, 255);
    expect_texel(texels, 3, 0, 0, 0, 0);
    expect_texel(texels, 15, 0, 0, 0, 0);
}

/* Blue above green as numbers would give three colours in BC1; here there are four. Alphas are nibbles. */
static void bc2_has_alphas_of_four_bits(void **state)
{
    (void)state;
    const uint8_t block[16] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE,
                               0x1F, 0x00, 0xE0, 0x07, 0xE4, 0x00, 0x00, 0x00};
    uint8_t texels[AG_BC_TEXELS_BYTES];
    assert_true(decode_block(AG_DXGI_BC2_UNORM, block, texels));
    expect_texel(texels, 0, 0, 0, 255, 0);
    expect_texel(texels, 1, 0, 255, 0, 17);
    expect_texel(texels, 2, 0, 85, 170, 34);
    expect_texel(texels, 3, 0, 170, 85, 51);
    expect_texel(texels, 15, 0, 0, 255, 255);
}

/* 240 and 30 are seven steps of 30 apart. Indices of three bits, from the lowest on: 0 to 7 twice. */
static void bc3_has_eight_alphas(void **state)
{
    (void)state;
    const uint8_t block[16] = {240, 30, 0x88, 0xC6, 0xFA, 0x88, 0xC6, 0xFA};
    static const uint8_t alphas[8] = {240, 30, 210, 180, 150, 120, 90, 60};
    uint8_t texels[AG_BC_TEXELS_BYTES];
    assert_true(decode_block(AG_DXGI_BC3_UNORM, block, texels));
    for (uint32_t i = 0; i < 16; i++)
        expect_texel(texels, i, 0, 0, 0, alphas[i % 8]);
}

static void bc3_has_six_alphas_and_both_ends(void **state)
{
    (void)state;
    const uint8_t block[16] = {20, 70, 0x88, 0xC6, 0xFA, 0x88, 0xC6, 0xFA};
    static const uint8_t alphas[8] = {20, 70, 30, 40, 50, 60, 0, 255};
    uint8_t texels[AG_BC_TEXELS_BYTES];
    assert_true(decode_block(AG_DXGI_BC3_UNORM_SRGB, block, texels));
    for (uint32_t i = 0; i < 16; i++)
        expect_texel(texels, i, 0, 0, 0, alphas[i % 8]);
}

/* ---- BC7 ---------------------------------------------------------------------------------------------- */

struct bits {
    uint8_t block[16];
    uint32_t at;
};

static void put(struct bits *bits, uint32_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, bits->at++)
        bits->block[bits->at / 8] |= (uint8_t)((value >> i & 1) << bits->at % 8);
}

static struct bits begin_mode(uint32_t mode)
{
    struct bits bits = {0};
    put(&bits, UINT32_C(1) << mode, mode + 1);
    return bits;
}

/* Values of one component, endpoint after endpoint. */
static void put_all(struct bits *bits, const uint32_t *values, uint32_t count, uint32_t width)
{
    for (uint32_t i = 0; i < count; i++)
        put(bits, values[i], width);
}

/* From 0 up and round again, of one subset: the first texel is its anchor, with one bit less. */
static void put_rising_indices(struct bits *bits, uint32_t width)
{
    for (uint32_t i = 0; i < 16; i++)
        put(bits, i % (1u << width), i == 0 ? width - 1 : width);
}

static void decode(const struct bits *bits, uint8_t texels[AG_BC_TEXELS_BYTES])
{
    assert_int_equal(bits->at, 128);
    assert_true(decode_block(AG_DXGI_BC7_UNORM, bits->block, texels));
}

/* Between 0 and 255: (64 - w) * 0 + w * 255, rounded, for the weights of two, three and four bits. */
static const uint8_t ramp2[4] = {0, 84, 171, 255};
static const uint8_t ramp3[8] = {0, 36, 72, 108, 147, 183, 219, 255};
static const uint8_t ramp4[16] = {0, 16, 36, 52, 68, 84, 104, 120, 135, 151, 171, 187, 203, 219, 239, 255};

/* Three subsets by partition 8, whose rows are 0, 0, 1 and 2: anchors are texels 0, 8 and 15. Four bits and
 * one of its own for each endpoint. Red grows in subset 0, green in 1, blue in 2. */
static void bc7_mode_0(void **state)
{
    (void)state;
    struct bits bits = begin_mode(0);
    uint8_t texels[AG_BC_TEXELS_BYTES];
    put(&bits, 8, 4);
    put_all(&bits, (const uint32_t[6]){0, 15, 0, 0, 0, 0}, 6, 4);
    put_all(&bits, (const uint32_t[6]){0, 0, 0, 15, 0, 0}, 6, 4);
    put_all(&bits, (const uint32_t[6]){0, 0, 0, 0, 0, 15}, 6, 4);
    put_all(&bits, (const uint32_t[6]){0, 1, 0, 1, 0, 1}, 6, 1);
    for (uint32_t i = 0; i < 16; i++)
        put(&bits, i == 0 ? 0 : i == 8 ? 3 : i == 15 ? 2 : i % 8, i == 0 || i == 8 || i == 15 ? 2 : 3);
    decode(&bits, texels);
    /* The bits that endpoints 1, 3 and 5 have of their own lift their zeros to 1 of 31: 8 of 255. */
    static const uint8_t low[8] = {0, 1, 2, 3, 5, 6, 7, 8};
    for (uint32_t i = 0; i < 8; i++)
        expect_texel(texels, i, ramp3[i], low[i], low[i], 255);
    expect_texel(texels, 8, low[3], ramp3[3], low[3], 255);
    expect_texel(texels, 9, low[1], ramp3[1], low[1], 255);
    expect_texel(texels, 11, low[3], ramp3[3], low[3], 255);
    expect_texel(texels, 12, low[4], low[4], ramp3[4], 255);
    expect_texel(texels, 15, low[2], low[2], ramp3[2], 255);
}

/* Two subsets by partition 13: the upper and the lower half; anchors 0 and 15. Six bits and one for each
 * subset: 127 in the first, and 1 of 127, which is 2 of 255, for its black end. */
static void bc7_mode_1(void **state)
{
    (void)state;
    struct bits bits = begin_mode(1);
    uint8_t texels[AG_BC_TEXELS_BYTES];
    put(&bits, 13, 6);
    put_all(&bits, (const uint32_t[4]){0, 63, 63, 0}, 4, 6);
    put_all(&bits, (const uint32_t[4]){0, 63, 0, 0}, 4, 6);
    put_all(&bits, (const uint32_t[4]){0, 63, 0, 0}, 4, 6);
    put_all(&bits, (const uint32_t[2]){1, 0}, 2, 1);
    for (uint32_t i = 0; i < 16; i++)
        put(&bits, i == 15 ? 0 : i % 8, i == 0 || i == 15 ? 2 : 3);
    decode(&bits, texels);
    expect_texel(texels, 0, 2, 2, 2, 255);
    expect_texel(texels, 1, 38, 38, 38, 255); /* (55 * 2 + 9 * 255 + 32) / 64 */
    expect_texel(texels, 7, 255, 255, 255, 255);
    expect_texel(texels, 8, 253, 0, 0, 255);  /* 126 of 127 */
    expect_texel(texels, 12, 107, 0, 0, 255); /* (27 * 253 + 32) / 64 */
    expect_texel(texels, 14, 36, 0, 0, 255);  /* (9 * 253 + 32) / 64 */
    expect_texel(texels, 15, 253, 0, 0, 255);
}

/* Three subsets by partition 8, as above. Five bits, indices of two. */
static void bc7_mode_2(void **state)
{
    (void)state;
    struct bits bits = begin_mode(2);
    uint8_t texels[AG_BC_TEXELS_BYTES];
    put(&bits, 8, 6);
    put_all(&bits, (const uint32_t[6]){0, 31, 0, 0, 0, 0}, 6, 5);
    put_all(&bits, (const uint32_t[6]){0, 0, 0, 31, 0, 0}, 6, 5);
    put_all(&bits, (const uint32_t[6]){0, 0, 0, 0, 0, 31}, 6, 5);
    for (uint32_t i = 0; i < 16; i++)
        put(&bits, i == 0 || i == 8 ? 0 : i == 15 ? 1 : i % 4, i == 0 || i == 8 || i == 15 ? 1 : 2);
    decode(&bits, texels);
    for (uint32_t i = 0; i < 8; i++)
        expect_texel(texels, i, ramp2[i % 4], 0, 0, 255);
    for (uint32_t i = 8; i < 12; i++)
        expect_texel(texels, i, 0, ramp2[i % 4], 0, 255);
    for (uint32_t i = 12; i < 15; i++)
        expect_texel(texels, i, 0, 0, ramp2[i % 4], 255);
    expect_texel(texels, 15, 0, 0, 84, 255);
}

/* Two subsets by partition 0: the left and the right half of each row. Seven bits and one for each endpoint.
 */
static void bc7_mode_3(void **state)
{
    (void)state;
    struct bits bits = begin_mode(3);
    uint8_t texels[AG_BC_TEXELS_BYTES];
    put(&bits, 0, 6);
    put_all(&bits, (const uint32_t[4]){0, 127, 100, 100}, 4, 7);
    put_all(&bits, (const uint32_t[4]){0, 127, 50, 50}, 4, 7);
    put_all(&bits, (const uint32_t[4]){0, 127, 0, 127}, 4, 7);
    put_all(&bits, (const uint32_t[4]){0, 1, 0, 0}, 4, 1);
    for (uint32_t i = 0; i < 16; i++)
        put(&bits, i == 15 ? 1 : i % 4, i == 0 || i == 15 ? 1 : 2);
    decode(&bits, texels);
    expect_texel(texels, 0, 0, 0, 0, 255);
    expect_texel(texels, 1, 84, 84, 84, 255);
    expect_texel(texels, 2, 200, 100, 171, 255); /* (43 * 254 + 32) / 64 */
    expect_texel(texels, 3, 200, 100, 254, 255);
    expect_texel(texels, 15, 200, 100, 83, 255); /* (21 * 254 + 32) / 64 */
}

/* Colours of five bits; red grows and green is full. Alphas of six bits grow. Indices of two bits, then of
 * three. Either way red ends up with the longer ones and alpha with the shorter. */
static void check_mode_4(uint32_t rotation, uint32_t exchanges)
{
    struct bits bits = begin_mode(4);
    uint8_t texels[AG_BC_TEXELS_BYTES];
    put(&bits, rotation, 2);
    put(&bits, exchanges, 1);
    put_all(&bits, (const uint32_t[2]){0, 31}, 2, 5);
    put_all(&bits, (const uint32_t[2]){31, 31}, 2, 5);
    put_all(&bits, (const uint32_t[2]){0, 0}, 2, 5);
    put_all(&bits, (const uint32_t[2]){0, 63}, 2, 6);
    put_rising_indices(&bits, 2);
    put_rising_indices(&bits, 3);
    decode(&bits, texels);
    for (uint32_t i = 0; i < 16; i++)
        expect_texel(texels, i, ramp3[i % 8], 255, 0, ramp2[i % 4]);
}

/* Red and alpha change places (rotation 1): colours have indices of two bits, alphas those of three. */
static void bc7_mode_4(void **state)
{
    (void)state;
    check_mode_4(1, 0);
}

/* Without that, and with the sets of indices exchanged: colours have those of three bits. */
static void bc7_mode_4_exchanges_indices(void **state)
{
    (void)state;
    check_mode_4(0, 1);
}

/* Blue and alpha change places (rotation 3). Seven bits for colours, eight for alphas, indices of two bits
 * each. */
static void bc7_mode_5(void **state)
{
    (void)state;
    struct bits bits = begin_mode(5);
    uint8_t texels[AG_BC_TEXELS_BYTES];
    put(&bits, 3, 2);
    put_all(&bits, (const uint32_t[2]){0, 127}, 2, 7);
    put_all(&bits, (const uint32_t[2]){127, 0}, 2, 7);
    put_all(&bits, (const uint32_t[2]){64, 64}, 2, 7); /* 1000000 repeats as 10000001: 129 */
    put_all(&bits, (const uint32_t[2]){10, 10}, 2, 8);
    put_rising_indices(&bits, 2);
    for (uint32_t i = 0; i < 16; i++)
        put(&bits, 0, i == 0 ? 1 : 2);
    decode(&bits, texels);
    for (uint32_t i = 0; i < 16; i++)
        expect_texel(texels, i, ramp2[i % 4], ramp2[3 - i % 4], 10, 129);
}

/* One subset, seven bits and one for each endpoint, indices of four bits. */
static void bc7_mode_6(void **state)
{
    (void)state;
    struct bits bits = begin_mode(6);
    uint8_t texels[AG_BC_TEXELS_BYTES];
    for (uint32_t c = 0; c < 4; c++)
        put_all(&bits, (const uint32_t[2]){0, 127}, 2, 7);
    put_all(&bits, (const uint32_t[2]){0, 1}, 2, 1);
    put_rising_indices(&bits, 4);
    decode(&bits, texels);
    for (uint32_t i = 0; i < 16; i++)
        expect_texel(texels, i, ramp4[i], ramp4[i], ramp4[i], ramp4[i]);
}

/* Two subsets with alpha by partition 17, whose second subset are texels 1, 2, 3 and 7: its anchor is 2. Five
 * bits and one for each endpoint, indices of two. */
static void bc7_mode_7(void **state)
{
    (void)state;
    struct bits bits = begin_mode(7);
    uint8_t texels[AG_BC_TEXELS_BYTES];
    put(&bits, 17, 6);
    put_all(&bits, (const uint32_t[4]){0, 31, 0, 0}, 4, 5);
    put_all(&bits, (const uint32_t[4]){0, 0, 0, 31}, 4, 5);
    put_all(&bits, (const uint32_t[4]){0, 0, 0, 0}, 4, 5);
    put_all(&bits, (const uint32_t[4]){31, 31, 31, 0}, 4, 5);
    put_all(&bits, (const uint32_t[4]){1, 1, 0, 1}, 4, 1);
    for (uint32_t i = 0; i < 16; i++)
        put(&bits, i == 0 || i == 2 ? 1 : 3, i == 0 || i == 2 ? 1 : 2);
    decode(&bits, texels);
    expect_texel(texels, 1, 4, 255, 4, 4); /* 000001 repeats as 00000100 */
    expect_texel(texels, 3, 4, 255, 4, 4);
    expect_texel(texels, 7, 4, 255, 4, 4);
    expect_texel(texels, 2, 1, 84, 1, 170); /* alpha: (43 * 251 + 21 * 4 + 32) / 64 */
    expect_texel(texels, 0, 86, 4, 4, 255); /* (43 * 4 + 21 * 255 + 32) / 64 */
    expect_texel(texels, 4, 255, 4, 4, 255);
    expect_texel(texels, 15, 255, 4, 4, 255);
}

/* Without a mode bit the block is reserved: transparent black. */
static void bc7_reserved(void **state)
{
    (void)state;
    uint8_t block[16], texels[AG_BC_TEXELS_BYTES];
    memset(block, 0xFF, sizeof block);
    block[0] = 0;
    assert_true(decode_block(AG_DXGI_BC7_UNORM_SRGB, block, texels));
    for (uint32_t i = 0; i < 16; i++)
        expect_texel(texels, i, 0, 0, 0, 0);
}

static void knows_its_formats(void **state)
{
    (void)state;
    assert_true(decode_block(AG_DXGI_BC3_UNORM_SRGB, NULL, NULL));
    assert_false(decode_block(AG_DXGI_BC4_UNORM, NULL, NULL));
    assert_false(decode_block(AG_DXGI_R8G8B8A8_UNORM, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_share_red_and_blue),
        cmocka_unit_test(bc1_has_four_colors),
        cmocka_unit_test(bc1_has_three_colors),
        cmocka_unit_test(bc2_has_alphas_of_four_bits),
        cmocka_unit_test(bc3_has_eight_alphas),
        cmocka_unit_test(bc3_has_six_alphas_and_both_ends),
        cmocka_unit_test(bc7_mode_0),
        cmocka_unit_test(bc7_mode_1),
        cmocka_unit_test(bc7_mode_2),
        cmocka_unit_test(bc7_mode_3),
        cmocka_unit_test(bc7_mode_4),
        cmocka_unit_test(bc7_mode_4_exchanges_indices),
        cmocka_unit_test(bc7_mode_5),
        cmocka_unit_test(bc7_mode_6),
        cmocka_unit_test(bc7_mode_7),
        cmocka_unit_test(bc7_reserved),
        cmocka_unit_test(knows_its_formats),
    };
    return cmocka_run_group_tests_name("format/bc", tests, NULL, NULL);
}
