/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include "abi/texture_layout.h"
#include "base/bytes.h"

/* 5x3 RGBA8, 2 mips, 2 layers, pitch 32: the ABI's own example. */
static void test_layout_of_the_example(void **state)
{
    (void)state;
    struct ag_texture_layout layout;
    const struct ag_texture_shape shape = {5, 3, 2, 2, 32, 4, 1, 1, 0, 0};
    assert_int_equal(ag_texture_layout_init(&layout, &shape), AG_LAYOUT_OK);
    assert_int_equal(layout.mips[0].row_bytes, 20);
    assert_int_equal(layout.mips[0].pitch_bytes, 32);
    assert_int_equal(layout.mips[0].size_bytes, 96);
    assert_int_equal(layout.mips[1].width, 2);
    assert_int_equal(layout.mips[1].height, 1);
    assert_int_equal(layout.mips[1].pitch_bytes, 8);
    assert_int_equal(layout.mips[1].size_bytes, 8);
    assert_int_equal(layout.layer_size_bytes, 104);
    assert_int_equal(layout.size_bytes, 208);
    assert_int_equal(ag_texture_layout_offset(&layout, 0, 0), 0);
    assert_int_equal(ag_texture_layout_offset(&layout, 1, 0), 96);
    assert_int_equal(ag_texture_layout_offset(&layout, 0, 1), 104);
    assert_int_equal(ag_texture_layout_offset(&layout, 1, 1), 200);
}

static void test_locate(void **state)
{
    (void)state;
    struct ag_texture_layout layout;
    const struct ag_texture_shape shape = {5, 3, 2, 2, 32, 4, 1, 1, 0, 0};
    assert_int_equal(ag_texture_layout_init(&layout, &shape), AG_LAYOUT_OK);
    static const struct {
        uint64_t offset;
        uint32_t mip, layer;
        uint64_t inside;
    } places[] = {
        {0,   0, 0, 0 },
        {95,  0, 0, 95},
        {96,  1, 0, 0 },
        {103, 1, 0, 7 },
        {104, 0, 1, 0 },
        {207, 1, 1, 7 }
    };
    for (size_t i = 0; i < AG_COUNT_OF(places); i++) {
        uint32_t mip, layer;
        uint64_t inside;
        assert_true(ag_texture_layout_locate(&layout, places[i].offset, &mip, &layer, &inside));
        assert_int_equal(mip, places[i].mip);
        assert_int_equal(layer, places[i].layer);
        assert_int_equal(inside, places[i].inside);
    }
    uint32_t mip, layer;
    uint64_t inside;
    assert_false(ag_texture_layout_locate(&layout, 208, &mip, &layer, &inside));
}

/* BC1, 10x6 with 4 mips: 3x2, 2x1, 1x1 and 1x1 blocks of 8 bytes. */
static void test_layout_of_blocks(void **state)
{
    (void)state;
    struct ag_texture_layout layout;
    const struct ag_texture_shape shape = {10, 6, 4, 1, 0, 8, 4, 4, 0, 0};
    assert_int_equal(ag_texture_layout_init(&layout, &shape), AG_LAYOUT_OK);
    static const uint64_t sizes[] = {48, 16, 8, 8}, offsets[] = {0, 48, 64, 72};
    for (uint32_t mip = 0; mip < 4; mip++) {
        assert_int_equal(layout.mips[mip].size_bytes, sizes[mip]);
        assert_int_equal(layout.mips[mip].offset, offsets[mip]);
    }
    assert_int_equal(layout.mips[0].rows, 2);
    assert_int_equal(layout.size_bytes, 80);
}

static void test_layout_of_a_volume(void **state)
{
    (void)state;
    static const struct {
        uint64_t offset;
        uint32_t mip, slice;
        uint64_t inside;
    } places[] = {
        {0,   0, 0, 0 },
        {99,  0, 0, 99},
        {205, 0, 2, 5 },
        {399, 0, 3, 99},
        {400, 1, 0, 0 },
        {417, 1, 1, 1 },
        {435, 2, 0, 3 },
    };
    struct ag_texture_layout layout;
    const struct ag_texture_shape shape = {4, 4, 3, 1, 20, 4, 1, 1, 4, 100};
    assert_int_equal(ag_texture_layout_init(&layout, &shape), AG_LAYOUT_OK);
    assert_int_equal(layout.mips[0].slices, 4);
    assert_int_equal(layout.mips[0].slice_bytes, 100);
    assert_int_equal(layout.mips[1].slices, 2);
    assert_int_equal(layout.mips[1].slice_bytes, 16);
    assert_int_equal(layout.mips[2].slices, 1);
    assert_int_equal(layout.size_bytes, 436);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint32_t mip, slice;
        uint64_t inside;
        assert_true(ag_texture_layout_locate(&layout, places[i].offset, &mip, &slice, &inside));
        assert_int_equal(mip, places[i].mip);
        assert_int_equal(slice, places[i].slice);
        assert_int_equal(inside, places[i].inside);
        assert_int_equal(ag_texture_layout_offset(&layout, mip, slice) + inside, places[i].offset);
    }
    assert_false(ag_texture_layout_locate(&layout, 436, &(uint32_t){0}, &(uint32_t){0}, &(uint64_t){0}));
}

/* Units of two texels beside each other, as pairs of texels are. */
static void test_units_that_are_not_square(void **state)
{
    (void)state;
    struct ag_texture_layout layout;
    const struct ag_texture_shape shape = {6, 3, 2, 1, 0, 4, 2, 1, 0, 0};
    assert_int_equal(ag_texture_layout_init(&layout, &shape), AG_LAYOUT_OK);
    assert_int_equal(layout.mips[0].row_bytes, 12);
    assert_int_equal(layout.mips[0].rows, 3);
    assert_int_equal(layout.mips[1].row_bytes, 8);
    assert_int_equal(layout.mips[1].rows, 1);
    assert_int_equal(layout.mips[1].offset, 36);
}

static enum ag_layout_problem problem_of(struct ag_texture_shape shape)
{
    struct ag_texture_layout layout;
    return ag_texture_layout_init(&layout, &shape);
}

static void test_layout_problems(void **state)
{
    (void)state;
    assert_int_equal(problem_of((struct ag_texture_shape){0, 1, 1, 1, 0, 4, 1, 1, 0, 0}), AG_LAYOUT_EMPTY);
    assert_int_equal(problem_of((struct ag_texture_shape){1, 0, 1, 1, 0, 4, 1, 1, 0, 0}), AG_LAYOUT_EMPTY);
    assert_int_equal(problem_of((struct ag_texture_shape){1, 1, 0, 1, 0, 4, 1, 1, 0, 0}), AG_LAYOUT_EMPTY);
    assert_int_equal(problem_of((struct ag_texture_shape){1, 1, 1, 0, 0, 4, 1, 1, 0, 0}), AG_LAYOUT_EMPTY);
    assert_int_equal(problem_of((struct ag_texture_shape){5, 3, 3, 1, 0, 4, 1, 1, 0, 0}), AG_LAYOUT_OK);
    assert_int_equal(problem_of((struct ag_texture_shape){5, 3, 4, 1, 0, 4, 1, 1, 0, 0}),
                     AG_LAYOUT_MIP_COUNT);
    assert_int_equal(problem_of((struct ag_texture_shape){1, 1, 33, 1, 0, 4, 1, 1, 0, 0}),
                     AG_LAYOUT_MIP_COUNT);
    assert_int_equal(problem_of((struct ag_texture_shape){5, 3, 1, 1, 19, 4, 1, 1, 0, 0}), AG_LAYOUT_PITCH);
    assert_int_equal(problem_of((struct ag_texture_shape){5, 3, 1, 1, 20, 4, 1, 1, 0, 0}), AG_LAYOUT_OK);
    assert_int_equal(problem_of((struct ag_texture_shape){UINT32_MAX, 1, 1, 1, 0, 4, 1, 1, 0, 0}),
                     AG_LAYOUT_OVERFLOW);
    assert_int_equal(
        problem_of((struct ag_texture_shape){1 << 20, UINT32_MAX, 1, UINT32_MAX, UINT32_MAX, 4, 1, 1, 0, 0}),
        AG_LAYOUT_OVERFLOW);
    assert_int_equal(problem_of((struct ag_texture_shape){1, UINT32_MAX, 32, 1, UINT32_MAX, 1, 1, 1, 0, 0}),
                     AG_LAYOUT_OK);
    assert_int_equal(problem_of((struct ag_texture_shape){4, 4, 3, 1, 0, 4, 1, 1, 7, 0}), AG_LAYOUT_OK);
    assert_int_equal(problem_of((struct ag_texture_shape){4, 4, 4, 1, 0, 4, 1, 1, 8, 0}), AG_LAYOUT_OK);
    assert_int_equal(problem_of((struct ag_texture_shape){4, 4, 4, 1, 0, 4, 1, 1, 7, 0}),
                     AG_LAYOUT_MIP_COUNT);
    assert_int_equal(problem_of((struct ag_texture_shape){4, 4, 1, 1, 0, 4, 1, 1, 2, 63}),
                     AG_LAYOUT_DEPTH_PITCH);
    assert_int_equal(problem_of((struct ag_texture_shape){4, 4, 1, 2, 0, 4, 1, 1, 2, 0}),
                     AG_LAYOUT_VOLUME_LAYERS);
    assert_int_equal(problem_of((struct ag_texture_shape){1, UINT32_MAX, 1, 1, UINT32_MAX, 1, 1, 1, 2, 0}),
                     AG_LAYOUT_OVERFLOW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout_of_the_example), cmocka_unit_test(test_locate),
        cmocka_unit_test(test_layout_of_blocks),      cmocka_unit_test(test_units_that_are_not_square),
        cmocka_unit_test(test_layout_of_a_volume),    cmocka_unit_test(test_layout_problems),
    };
    return cmocka_run_group_tests_name("abi/texture_layout", tests, NULL, NULL);
}
