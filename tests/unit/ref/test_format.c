/* SPDX-License-Identifier: MIT
 *
 * Texel formats: sections 3.1.5, 3.1.6, 3.2 and 19.3.2.
 */
#include "harness.h"

static uint32_t load(struct ag_ref_format format, uint64_t texel, uint32_t channel)
{
    uint32_t value[4];
    uint8_t bytes[16] = {0};
    memcpy(bytes, &texel, sizeof texel);
    ag_ref_format_load(&format, bytes, value);
    return value[channel];
}

static uint64_t store(struct ag_ref_format format, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    const uint32_t value[4] = {x, y, z, w};
    uint8_t bytes[16] = {0};
    uint64_t texel;
    ag_ref_format_store(&format, value, bytes);
    memcpy(&texel, bytes, sizeof texel);
    return texel;
}

static void test_normalised(void **state)
{
    (void)state;
    const struct ag_ref_format snorm = ag_ref_format_make(AG_REF_SNORM, 8, 2);
    assert_int_equal(load(snorm, 0x80, 0), bits(-1.0f));
    assert_int_equal(load(snorm, 0x81, 0), bits(-1.0f));
    assert_int_equal(load(snorm, 0x7f00, 1), bits(1.0f));
    assert_int_equal(load(snorm, 0, 2), 0);
    assert_int_equal(load(snorm, 0, 3), bits(1.0f));
    assert_int_equal(store(snorm, bits(-1.0f), bits(0.5f), 0, 0), 0x4081);
    assert_int_equal(store(snorm, NAN_BITS, bits(-9.0f), 0, 0), 0x8100);
    const struct ag_ref_format unorm = ag_ref_format_make(AG_REF_UNORM, 16, 2);
    assert_int_equal(load(unorm, 0xffff, 0), bits(1.0f));
    assert_int_equal(load(unorm, 0x3333, 0), bits(13107.0f / 65535.0f));
    assert_int_equal(store(unorm, bits(0.5f), INF_BITS, 0, 0), 0xffff8000);
}

/* Every texel survives being read and written back, but for the second -1 of SNORM. */
static void test_round_trips(void **state)
{
    (void)state;
    static const enum ag_ref_format_kind kinds[] = {AG_REF_UNORM, AG_REF_UNORM_SRGB, AG_REF_SNORM,
                                                    AG_REF_UINT, AG_REF_SINT};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct ag_ref_format format = ag_ref_format_make(kinds[k], 8, 1);
        for (uint32_t texel = 0; texel < 256; texel++) {
            const uint64_t back = store(format, load(format, texel, 0), 0, 0, 0);
            assert_int_equal(back, kinds[k] == AG_REF_SNORM && texel == 0x80 ? 0x81 : texel);
        }
    }
    const struct ag_ref_format half = ag_ref_format_make(AG_REF_FLOAT, 16, 1);
    for (uint32_t texel = 0; texel < 65536; texel++) {
        if ((texel & 0x7fff) <= 0x7c00)
            assert_int_equal(store(half, load(half, texel, 0), 0, 0, 0), texel);
    }
}

static void test_srgb(void **state)
{
    (void)state;
    const struct ag_ref_format format = ag_ref_format_make(AG_REF_UNORM_SRGB, 8, 4);
    assert_int_equal(load(format, 0, 0), 0);
    assert_int_equal(load(format, 0xff, 0), bits(1.0f));
    assert_int_equal(load(format, 0xff, 3), 0);
    assert_int_equal(load(format, 0x80000000, 3), bits(128.0f / 255.0f));
    /* 10 / 255 is on the straight part: 10 / 255 / 12.92. */
    assert_true(number(load(format, 10, 0)) > 0.0030352f && number(load(format, 10, 0)) < 0.0030354f);
    /* 188 is the code next to half the light. */
    assert_int_equal(store(format, bits(0.5f), 0, 0, bits(0.5f)), 0x800000bc);
}

static void test_integers(void **state)
{
    (void)state;
    const struct ag_ref_format sint = ag_ref_format_make(AG_REF_SINT, 16, 2);
    assert_int_equal(load(sint, 0x8000, 0), 0xffff8000);
    assert_int_equal(load(sint, 0, 3), 1);
    assert_int_equal(store(sint, 0x00012345, 0xffff0000, 0, 0), 0x80007fff);
    const struct ag_ref_format uint = ag_ref_format_make(AG_REF_UINT, 8, 4);
    assert_int_equal(store(uint, 300, 0xffffffff, 7, 0), 0x0007ffff);
}

/* R11G11B10: no sign, negative numbers become 0. */
static void test_small_floats(void **state)
{
    (void)state;
    const struct ag_ref_format format = {
        .kind = AG_REF_FLOAT, .bytes = 4, .channel = {{0, 11}, {11, 11}, {22, 10}}
    };
    const uint32_t one = 15u << 6 | 15u << 17 | 15u << 27;
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(load(format, one, i), bits(1.0f));
    assert_int_equal(store(format, bits(1.0f), bits(1.0f), bits(1.0f), 0), one);
    assert_int_equal(store(format, bits(-1.0f), NEGATIVE | INF_BITS, bits(1e9f), 0), 0x3dfu << 22);
    assert_int_equal(store(format, INF_BITS, 0, 0, 0), 0x7c0);
    assert_true(is_nan(load(format, store(format, NAN_BITS, 0, 0, 0), 0)));
    /* The least denormals: 2^-20 and 2^-19. */
    assert_int_equal(load(format, 1, 0), 0x35800000);
    assert_int_equal(load(format, 1u << 22, 2), 0x36000000);
}

static void test_shared_exponent(void **state)
{
    (void)state;
    const struct ag_ref_format format = {.kind = AG_REF_SHARED_EXP, .bytes = 4};
    const uint32_t texel = 16u << 27 | 128u << 18 | 256u << 9 | 64u;
    assert_int_equal(load(format, texel, 0), bits(0.25f));
    assert_int_equal(load(format, texel, 1), bits(1.0f));
    assert_int_equal(load(format, texel, 2), bits(0.5f));
    assert_int_equal(load(format, texel, 3), bits(1.0f));
    assert_int_equal(store(format, bits(0.25f), bits(1.0f), bits(0.5f), 0), texel);
    assert_int_equal(store(format, bits(1e9f), NAN_BITS, bits(-1.0f), 0), 31u << 27 | 511u);
}

/* Channels anywhere: BGRA, 10:10:10:2, and a stencil view that has green alone. */
static void test_channels(void **state)
{
    (void)state;
    const struct ag_ref_format bgra = {
        .kind = AG_REF_UNORM, .bytes = 4, .channel = {{16, 8}, {8, 8}, {0, 8}, {24, 8}}
    };
    assert_int_equal(load(bgra, 0x00ff0000, 0), bits(1.0f));
    assert_int_equal(store(bgra, 0, 0, bits(1.0f), 0), 0xff);
    const struct ag_ref_format packed = {
        .kind = AG_REF_UINT, .bytes = 4, .channel = {{0, 10}, {10, 10}, {20, 10}, {30, 2}}
    };
    assert_int_equal(load(packed, 0xc0000000 | 5u << 10, 1), 5);
    assert_int_equal(load(packed, 0xc0000000, 3), 3);
    const struct ag_ref_format stencil = {.kind = AG_REF_UINT, .bytes = 4, .channel = {[1] = {24, 8}}};
    assert_int_equal(load(stencil, 0x5a123456, 0), 0);
    assert_int_equal(load(stencil, 0x5a123456, 1), 0x5a);
}

static void test_layout(void **state)
{
    (void)state;
    const struct ag_ref_view view = {.dimension = AGPU_DIMENSION_TEXTURE2DARRAY,
                                     .format = ag_ref_format_make(AG_REF_UINT, 32, 1),
                                     .width = 5,
                                     .height = 3,
                                     .depth = 1,
                                     .layers = 2,
                                     .mips = 3,
                                     .samples = 1};
    /* 5x3, 2x1, 1x1: 18 texels a layer. */
    assert_int_equal(ag_ref_texture_size(&view), 2 * 18 * 4);
    assert_int_equal(ag_ref_texel_offset(&view, 1, 1, 1, 0, 0, 0), (18 + 15 + 1) * 4);
    struct ag_ref_view huge = view;
    huge.width = 100000;
    assert_int_equal(ag_ref_texture_size(&huge), 0);
    huge.width = 0;
    assert_int_equal(ag_ref_texture_size(&huge), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normalised),   cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_srgb),         cmocka_unit_test(test_integers),
        cmocka_unit_test(test_small_floats), cmocka_unit_test(test_shared_exponent),
        cmocka_unit_test(test_channels),     cmocka_unit_test(test_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
