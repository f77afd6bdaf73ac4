/* SPDX-License-Identifier: MIT
 *
 * Loads, the reference sampler, gathers and queries: sections 7.18, 22.4 and 5.8.
 */
#include <float.h>
#include <stdio.h>

#include "harness.h"

static const char *const dimension_names[AGPU_DIMENSION_COUNT] = {
    [AGPU_DIMENSION_TEXTURE1D] = "texture1d",
    [AGPU_DIMENSION_TEXTURE2D] = "texture2d",
    [AGPU_DIMENSION_TEXTURE2DMS] = "texture2dms",
    [AGPU_DIMENSION_TEXTURE3D] = "texture3d",
    [AGPU_DIMENSION_TEXTURECUBE] = "texturecube",
    [AGPU_DIMENSION_TEXTURE1DARRAY] = "texture1darray",
    [AGPU_DIMENSION_TEXTURE2DARRAY] = "texture2darray",
    [AGPU_DIMENSION_TEXTURE2DMSARRAY] = "texture2dmsarray",
    [AGPU_DIMENSION_TEXTURECUBEARRAY] = "texturecubearray",
};

struct scene {
    struct ag_ref_view view;
    struct ag_ref_sampler sampler;
    uint32_t input[4]; /* v0 */
    uint32_t output[4];
};

static struct scene make_scene(enum agpu_resource_dimension dimension, void *texels, uint32_t width,
                               uint32_t height)
{
    struct scene scene = {0};
    scene.view = (struct ag_ref_view){.dimension = dimension,
                                      .data = texels,
                                      .format = ag_ref_format_make(AG_REF_FLOAT, 32, 1),
                                      .width = width,
                                      .height = height,
                                      .depth = 1,
                                      .layers = 1,
                                      .mips = 1,
                                      .samples = 1};
    scene.sampler = (struct ag_ref_sampler){
        .address = {AG_REF_CLAMP, AG_REF_CLAMP, AG_REF_CLAMP},
          .min_lod = -FLT_MAX, .max_lod = FLT_MAX
    };
    return scene;
}

static void run(struct scene *scene, const char *body)
{
    char listing[2048];
    struct harness harness;
    struct ag_ref_invocation vertex = {0};
    const uint64_t size = ag_ref_texture_size(&scene->view);
    struct ag_ref_view view = scene->view;
    view.size = size;
    const struct ag_ref_bindings bindings = {
        .resources = &view, .samplers = &scene->sampler, .resource_count = 1, .sampler_count = 1};
    snprintf(listing, sizeof listing,
             "vs_5_0\ndcl_sampler s0, mode_default\ndcl_resource_%s%s (float,float,float,float) t0\n"
             "dcl_resource_texture2d (float,float,float,float) t1\n"
             "dcl_input v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n%s\nret\n",
             dimension_names[scene->view.dimension], scene->view.samples > 1 ? "(4)" : "", body);
    harness_open(&harness, listing);
    memcpy(vertex.input[0], scene->input, sizeof scene->input);
    assert_int_equal(ag_ref_run_vertex(harness.program, &bindings, NULL, &harness.sink, &vertex), AGPU_OK);
    harness_close(&harness);
    memcpy(scene->output, vertex.output[0], sizeof scene->output);
}

static void run_at(struct scene *scene, const char *body, float x, float y, float z, float w)
{
    const float input[4] = {x, y, z, w};
    memcpy(scene->input, input, sizeof input);
    run(scene, body);
}

static float result_at(struct scene *scene, const char *body, float x, float y, float z, float w)
{
    run_at(scene, body, x, y, z, w);
    return number(scene->output[0]);
}

static void assert_output(const struct scene *scene, float x, float y, float z, float w)
{
    const float expected[4] = {x, y, z, w};
    assert_memory_equal(scene->output, expected, sizeof expected);
}

/* ---- Loads -------------------------------------------------------------------------------------------- */

static void test_ld(void **state)
{
    (void)state;
    /* 4x2 with mips of 2x1 and 1x1. */
    float texels[11] = {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 30};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 4, 2);
    scene.view.mips = 3;
    run(&scene, "ld o0.xyzw, l(3, 1, 7, 0), t0.xyzw");
    assert_output(&scene, 13, 0, 0, 1);
    run(&scene, "ld o0.xyzw, l(1, 0, 0, 1), t0.wxyz");
    assert_output(&scene, 1, 21, 0, 0);
    run(&scene, "ld o0.xyzw, l(4, 0, 0, 0), t0.xyzw");
    assert_output(&scene, 0, 0, 0, 1);
    run(&scene, "ld o0.xyzw, l(0, 0, 0, 3), t0.xyzw");
    assert_output(&scene, 0, 0, 0, 1);
    run(&scene, "ld o0.xyzw, l(0, 0, 0, 0), t1.xyzw");
    assert_output(&scene, 0, 0, 0, 0);
}

/* Offsets move the unsigned coordinate, not the array slice. */
static void test_ld_offsets(void **state)
{
    (void)state;
    float texels[8] = {0, 1, 2, 3, 10, 11, 12, 13};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 4, 2);
    run(&scene, "ld_aoffimmi(-1,0,0) o0.xyzw, l(0, 0, 0, 0), t0.xyzw");
    assert_output(&scene, 0, 0, 0, 1);
    run(&scene, "ld_aoffimmi(-1,1,5) o0.xyzw, l(2, 0, 0, 0), t0.xyzw");
    assert_output(&scene, 11, 0, 0, 1);
    scene = make_scene(AGPU_DIMENSION_TEXTURE1DARRAY, texels, 4, 1);
    scene.view.layers = 2;
    run(&scene, "ld_aoffimmi(2,1,1) o0.xyzw, l(1, 0, 0, 0), t0.xyzw");
    assert_output(&scene, 3, 0, 0, 1);
    run(&scene, "ld o0.xyzw, l(1, 1, 0, 0), t0.xyzw");
    assert_output(&scene, 11, 0, 0, 1);
    run(&scene, "ld o0.xyzw, l(1, 2, 0, 0), t0.xyzw");
    assert_output(&scene, 0, 0, 0, 1);
}

static void test_ldms(void **state)
{
    (void)state;
    float texels[8] = {0, 1, 2, 3, 10, 11, 12, 13};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2DMS, texels, 2, 1);
    scene.view.samples = 4;
    run(&scene, "ldms o0.xyzw, l(1, 0, 0, 0), t0.xyzw, l(2)");
    assert_output(&scene, 12, 0, 0, 1);
    run(&scene, "ldms o0.xyzw, l(1, 0, 0, 0), t0.xyzw, l(4)");
    assert_output(&scene, 0, 0, 0, 1);
}

static void test_resource_clamp(void **state)
{
    (void)state;
    float texels[7] = {0, 0, 0, 0, 1, 1, 2};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE1D, texels, 4, 1);
    scene.view.mips = 3;
    scene.view.min_lod = 1.25f;
    scene.sampler.filter = AG_REF_FILTER_MIP_LINEAR;
    run(&scene, "ld o0.xyzw, l(0, 0, 0, 1), t0.xyzw");
    assert_output(&scene, 1, 0, 0, 1);
    assert_true(result_at(&scene, "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, l(0.0)", 0, 0, 0, 0) == 1.25f);
    scene.view.min_lod = 2.5f;
    assert_true(result_at(&scene, "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, l(2.0)", 0, 0, 0, 0) == 0.0f);
}

/* ---- Addresses ---------------------------------------------------------------------------------------- */

static const struct address_row {
    float u;
    float wrap, mirror, clamp, border, mirror_once;
} address_rows[] = {
    {0.125f,  10, 10, 10, 10,   10},
    {0.875f,  13, 13, 13, 13,   13},
    {-0.125f, 13, 10, 10, 0.5f, 10},
    {-0.375f, 12, 11, 10, 0.5f, 11},
    {1.125f,  10, 13, 13, 0.5f, 13},
    {1.375f,  11, 12, 13, 0.5f, 13},
    {-1.125f, 13, 13, 10, 0.5f, 13},
    {2.125f,  10, 10, 13, 0.5f, 13},
    {1e30f,   10, 10, 13, 0.5f, 13},
    {-1.875f, 10, 10, 10, 0.5f, 13},
};

static void test_address_modes(void **state)
{
    (void)state;
    const char *body = "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, l(0.0)";
    float texels[4] = {10, 11, 12, 13};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE1D, texels, 4, 1);
    scene.sampler.border_color[0] = 0.5f;
    for (size_t i = 0; i < sizeof address_rows / sizeof *address_rows; i++) {
        const struct address_row *row = &address_rows[i];
        const float expected[] = {row->wrap, row->mirror, row->clamp, row->border, row->mirror_once};
        for (uint32_t mode = AG_REF_WRAP; mode <= AG_REF_MIRROR_ONCE; mode++) {
            scene.sampler.address[0] = mode;
            const float found = result_at(&scene, body, row->u, 0, 0, 0);
            if (found != expected[mode - 1])
                fail_msg("u %g, mode %u: %g, not %g", (double)row->u, mode, (double)found,
                         (double)expected[mode - 1]);
        }
    }
}

/* Half the weight is border, with what R8_SNORM has of it, clamped. */
static void test_border_color(void **state)
{
    (void)state;
    int8_t texels[2] = {127, 127};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE1D, texels, 2, 1);
    scene.view.format = ag_ref_format_make(AG_REF_SNORM, 8, 1);
    scene.sampler.filter = AG_REF_FILTER_MAG_LINEAR | AG_REF_FILTER_MIN_LINEAR;
    scene.sampler.address[0] = AG_REF_BORDER;
    const float border[4] = {-3.0f, 7.0f, 7.0f, 7.0f};
    memcpy(scene.sampler.border_color, border, sizeof border);
    run_at(&scene, "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, l(0.0)", 0, 0, 0, 0);
    assert_output(&scene, 0, 0, 0, 1);
    run_at(&scene, "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, l(0.0)", -1, 0, 0, 0);
    assert_output(&scene, -1, 0, 0, 1);
}

static void test_array_slice(void **state)
{
    (void)state;
    const char *body = "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, l(0.0)";
    static const float slices[][2] = {
        {1.5f, 2},
        {2.5f, 2},
        {0.5f, 0},
        {-3,   0},
        {9,    3},
        {1.4f, 1}
    };
    float texels[4] = {0, 1, 2, 3};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2DARRAY, texels, 1, 1);
    scene.view.layers = 4;
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++)
        assert_true(result_at(&scene, body, 0, 0, slices[i][0], 0) == slices[i][1]);
    assert_true(result_at(&scene, body, 0, 0, number(NAN_BITS), 0) == 0);
}

/* ---- Filters ------------------------------------------------------------------------------------------ */

static void test_linear(void **state)
{
    (void)state;
    const char *body = "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, l(0.0)";
    float texels[4] = {0, 1, 2, 3};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 2, 2);
    scene.sampler.filter = AG_REF_FILTER_MAG_LINEAR;
    assert_true(result_at(&scene, body, 0.5f, 0.5f, 0, 0) == 1.5f);
    assert_true(result_at(&scene, body, 0.25f, 0.25f, 0, 0) == 0.0f);
    assert_true(result_at(&scene, body, 0.375f, 0.75f, 0, 0) == 2.25f);
    assert_true(result_at(&scene, body, -4.0f, 0.5f, 0, 0) == 1.0f);
    /* A texel of weight 0 does not reach the result, not even as NaN. */
    texels[1] = number(NAN_BITS);
    assert_true(result_at(&scene, body, 0.25f, 0.25f, 0, 0) == 0.0f);
    scene.sampler.filter = AG_REF_FILTER_MIN_LINEAR;
    assert_true(result_at(&scene, body, 0.25f, 0.5f, 0, 0) == 2.0f);
}

static void test_offsets(void **state)
{
    (void)state;
    float texels[8] = {0, 1, 2, 3, 10, 11, 12, 13};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 4, 2);
    scene.sampler.address[0] = AG_REF_WRAP;
    const char *body = "sample_l_aoffimmi(-1,1,7) o0.xyzw, v0.xyzw, t0.xyzw, s0, l(0.0)";
    assert_true(result_at(&scene, body, 0.125f, 0.25f, 0, 0) == 13.0f);
    assert_true(result_at(&scene, body, 0.625f, 0.25f, 0, 0) == 11.0f);
}

static void test_mips(void **state)
{
    (void)state;
    const char *body = "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, v0.w";
    float texels[7] = {0, 0, 0, 0, 1, 1, 2};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE1D, texels, 4, 1);
    scene.view.mips = 3;
    scene.sampler.filter = AG_REF_FILTER_MIP_LINEAR;
    assert_true(result_at(&scene, body, 0, 0, 0, 0.25f) == 0.25f);
    assert_true(result_at(&scene, body, 0, 0, 0, 9.0f) == 2.0f);
    assert_true(result_at(&scene, body, 0, 0, 0, -9.0f) == 0.0f);
    scene.sampler.mip_lod_bias = 0.5f;
    assert_true(result_at(&scene, body, 0, 0, 0, 0.25f) == 0.75f);
    scene.sampler.max_lod = 0.5f;
    assert_true(result_at(&scene, body, 0, 0, 0, 0.25f) == 0.5f);
    scene.sampler.min_lod = 1.5f; /* above max_lod: wins */
    assert_true(result_at(&scene, body, 0, 0, 0, 0.25f) == 1.5f);
    scene.sampler.filter = AG_REF_FILTER_POINT;
    assert_true(result_at(&scene, body, 0, 0, 0, 0.25f) == 2.0f);
    scene.sampler.min_lod = 0.49f;
    scene.sampler.max_lod = 0.25f;
    assert_true(result_at(&scene, body, 0, 0, 0, 0.25f) == 0.0f);
    scene.sampler.min_lod = 0.5f; /* half way: the coarser mip */
    assert_true(result_at(&scene, body, 0, 0, 0, 0.25f) == 1.0f);
}

static void test_sample_d(void **state)
{
    (void)state;
    float texels[21] = {0};
    for (uint32_t i = 16; i < 20; i++)
        texels[i] = 1;
    texels[20] = 2;
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 4, 4);
    scene.view.mips = 3;
    scene.sampler.filter = AG_REF_FILTER_MIP_LINEAR;
    const char *body = "sample_d o0.xyzw, l(0.5, 0.5, 0.0, 0.0), t0.xyzw, s0, v0.xyxx, v0.zwzz";
    assert_true(result_at(&scene, body, 0.5f, 0, 0, 0.25f) == 1.0f);
    assert_true(result_at(&scene, body, 0, 0.25f, 1.0f, 0) == 2.0f);
    assert_true(result_at(&scene, body, 0, 0, 0, 0) == 0.0f);
    /* Anisotropic: 4 texels by 1 is mip 0 with a ratio of 4, mip 1 when the ratio stops at 2. */
    scene.sampler.filter = 0x55;
    scene.sampler.max_anisotropy = 16;
    assert_true(result_at(&scene, body, 1.0f, 0, 0, 0.25f) == 0.0f);
    scene.sampler.max_anisotropy = 2;
    assert_true(result_at(&scene, body, 1.0f, 0, 0, 0.25f) == 1.0f);
}

/* Point sampling keeps every bit, in integer formats whatever the filter. */
static void test_integer_format(void **state)
{
    (void)state;
    uint32_t texels[2] = {0x7fa00001, 5};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE1D, texels, 2, 1);
    scene.view.format = ag_ref_format_make(AG_REF_UINT, 32, 1);
    scene.sampler.filter = 0x15;
    run_at(&scene, "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, l(0.0)", 0.3f, 0, 0, 0);
    assert_int_equal(scene.output[0], 0x7fa00001);
    assert_int_equal(scene.output[3], 1);
}

/* ---- Comparisons and gathers -------------------------------------------------------------------------- */

static void test_comparison(void **state)
{
    (void)state;
    static const uint8_t passes[][3] = {
  /* reference below, equal, above */
        [AG_REF_NEVER] = {0, 0, 0},
          [AG_REF_LESS] = {1, 0, 0},
          [AG_REF_EQUAL] = {0, 1, 0},
        [AG_REF_LESS_EQUAL] = {1, 1, 0},
          [AG_REF_GREATER] = {0, 0, 1},
          [AG_REF_NOT_EQUAL] = {1, 0, 1},
        [AG_REF_GREATER_EQUAL] = {0, 1, 1},
          [AG_REF_ALWAYS] = {1, 1, 1}
    };
    float texels[1] = {0.5f};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 1, 1);
    for (uint32_t function = AG_REF_NEVER; function <= AG_REF_ALWAYS; function++) {
        scene.sampler.comparison = function;
        for (uint32_t i = 0; i < 3; i++) {
            const float reference = 0.25f + 0.25f * (float)i;
            run_at(&scene, "sample_c_lz o0.xyzw, v0.xyxx, t0.xxxx, s0, v0.z", 0, 0, reference, 0);
            const float expected = passes[function][i] ? 1.0f : 0.0f;
            assert_output(&scene, expected, expected, expected, expected);
        }
        const float with_nan =
            result_at(&scene, "sample_c_lz o0.xyzw, v0.xyxx, t0.xxxx, s0, v0.z", 0, 0, number(NAN_BITS), 0);
        assert_true(with_nan == (function == AG_REF_NOT_EQUAL || function == AG_REF_ALWAYS ? 1.0f : 0.0f));
    }
}

/* The reference is rounded and clamped like depth of the texture's format: section 22.4.19. */
static void test_reference_precision(void **state)
{
    (void)state;
    uint16_t texels[1] = {0xffff};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 1, 1);
    scene.view.format = ag_ref_format_make(AG_REF_UNORM, 16, 1);
    scene.sampler.comparison = AG_REF_EQUAL;
    const char *body = "sample_c_lz o0.xyzw, v0.xyxx, t0.xxxx, s0, v0.z";
    assert_true(result_at(&scene, body, 0, 0, 2.0f, 0) == 1.0f);
    texels[0] = 0x8000;
    assert_true(result_at(&scene, body, 0, 0, 0.50001f, 0) == 1.0f);
    assert_true(result_at(&scene, body, 0, 0, 0.5001f, 0) == 0.0f);
}

static void test_percentage_closer(void **state)
{
    (void)state;
    float texels[4] = {0.1f, 0.9f, 0.9f, 0.9f};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 2, 2);
    scene.sampler.filter = 0x94;
    scene.sampler.comparison = AG_REF_LESS;
    assert_true(result_at(&scene, "sample_c_lz o0.xyzw, v0.xyxx, t0.xxxx, s0, v0.z", 0.5f, 0.5f, 0.5f, 0) ==
                0.75f);
}

static void test_gather(void **state)
{
    (void)state;
    float texels[2][2][2] = {
        {{0, 100}, {1, 101}},
        {{2, 102}, {3, 103}}
    };
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 2, 2);
    scene.view.format = ag_ref_format_make(AG_REF_FLOAT, 32, 2);
    run_at(&scene, "gather4 o0.xyzw, v0.xyxx, t0.xyzw, s0.x", 0.5f, 0.5f, 0, 0);
    assert_output(&scene, 2, 3, 1, 0);
    run_at(&scene, "gather4 o0.xyzw, v0.xyxx, t0.wzyx, s0.y", 0.5f, 0.5f, 0, 0);
    assert_output(&scene, 100, 101, 103, 102);
    run_at(&scene, "gather4 o0.xyzw, v0.xyxx, t0.xyzw, s0.w", 0.5f, 0.5f, 0, 0);
    assert_output(&scene, 1, 1, 1, 1);
    run_at(&scene, "gather4_aoffimmi(1,0,0) o0.xyzw, v0.xyxx, t0.xyzw, s0.x", 0.5f, 0.5f, 0, 0);
    assert_output(&scene, 3, 3, 1, 1);
    /* Six bits of the offset count: 63 is -1, 64 is 0. */
    run_at(&scene, "gather4_po o0.xyzw, v0.xyxx, l(63, 64, 0, 0), t0.xyzw, s0.x", 0.5f, 0.5f, 0, 0);
    assert_output(&scene, 2, 2, 0, 0);
    scene.sampler.comparison = AG_REF_LESS;
    run_at(&scene, "gather4_c o0.xyzw, v0.xyxx, t0.xyzw, s0.x, l(1.5)", 0.5f, 0.5f, 0, 0);
    assert_output(&scene, 1, 1, 0, 0);
}

/* ---- Cubes -------------------------------------------------------------------------------------------- */

static void test_cube_faces(void **state)
{
    (void)state;
    static const float rows[][4] = {
        {2,  0.5f, 1,    0},
        {-2, 0.5f, 1,    1},
        {1,  2,    0,    2},
        {1,  -2,   0,    3},
        {0,  1,    3,    4},
        {0,  1,    -3,   5},
        {1,  1,    1,    4},
        {1,  1,    0,    2},
        {1,  -1,   0.5f, 3},
        {-1, 1,    -1,   5},
    };
    float texels[6] = {0, 1, 2, 3, 4, 5};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURECUBE, texels, 1, 1);
    scene.view.layers = 6;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(result_at(&scene, "sample_l o0.xyzw, v0.xyzx, t0.xyzw, s0, l(0.0)", rows[i][0],
                              rows[i][1], rows[i][2], 0) == rows[i][3]);
}

/* Where the texels of +X and +Z lie: u of +X runs along -z, v down. */
static void test_cube_orientation(void **state)
{
    (void)state;
    float texels[24];
    for (uint32_t i = 0; i < 24; i++)
        texels[i] = (float)i;
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURECUBE, texels, 2, 2);
    scene.view.layers = 6;
    const char *body = "sample_l o0.xyzw, v0.xyzx, t0.xyzw, s0, l(0.0)";
    assert_true(result_at(&scene, body, 1, 0.5f, 0.5f, 0) == 0);
    assert_true(result_at(&scene, body, 1, 0.5f, -0.5f, 0) == 1);
    assert_true(result_at(&scene, body, 1, -0.5f, 0.5f, 0) == 2);
    assert_true(result_at(&scene, body, -0.5f, 0.5f, 1, 0) == 16);
    assert_true(result_at(&scene, body, 0.5f, -0.5f, 1, 0) == 19);
    assert_true(result_at(&scene, body, 0.5f, -0.5f, -1, 0) == 22);
    assert_true(result_at(&scene, body, -0.5f, 1, -0.5f, 0) == 8);
    assert_true(result_at(&scene, body, -0.5f, -1, -0.5f, 0) == 14);
}

static void test_cube_edges(void **state)
{
    (void)state;
    float texels[24];
    for (uint32_t i = 0; i < 24; i++)
        texels[i] = (float)(i / 4 * 10);
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURECUBE, texels, 2, 2);
    scene.view.layers = 6;
    scene.sampler.filter = 0x15;
    const char *body = "sample_l o0.xyzw, v0.xyzx, t0.xyzw, s0, l(0.0)";
    /* On the edge of +X (0) and +Z (40), and on the corner of +X, +Y (20) and +Z. */
    assert_true(result_at(&scene, body, 1, 0, 1, 0) == 20.0f);
    assert_true(result_at(&scene, body, 1, 1, 1, 0) == 20.0f);
    /* A neighbouring texel, not just its face: +Z's own column next to +X. */
    texels[17] = 44;
    texels[19] = 48;
    run_at(&scene, "gather4 o0.xyzw, v0.xyzx, t0.xyzw, s0.x", 1, 0, 0.9f, 0);
    assert_output(&scene, 48, 0, 0, 44);
}

static void test_cube_array(void **state)
{
    (void)state;
    float texels[12];
    for (uint32_t i = 0; i < 12; i++)
        texels[i] = (float)i;
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURECUBEARRAY, texels, 1, 1);
    scene.view.layers = 12;
    const char *body = "sample_l o0.xyzw, v0.xyzw, t0.xyzw, s0, l(0.0)";
    assert_true(result_at(&scene, body, 0, -1, 0, 0.75f) == 9.0f);
    assert_true(result_at(&scene, body, 0, -1, 0, 0.5f) == 3.0f);
    assert_true(result_at(&scene, body, 0, -1, 0, 7) == 9.0f);
}

/* ---- Queries ------------------------------------------------------------------------------------------ */

static const struct size_row {
    enum agpu_resource_dimension dimension;
    uint32_t layers, samples;
    uint32_t expected[4]; /* of 8 x 4 x 2 texels with 3 mips at mip 1 */
} size_rows[] = {
    {AGPU_DIMENSION_TEXTURE1D,        1,  1, {4, 0, 0, 3}},
    {AGPU_DIMENSION_TEXTURE1DARRAY,   5,  1, {4, 5, 0, 3}},
    {AGPU_DIMENSION_TEXTURE2D,        1,  1, {4, 2, 0, 3}},
    {AGPU_DIMENSION_TEXTURE2DARRAY,   5,  1, {4, 2, 5, 3}},
    {AGPU_DIMENSION_TEXTURE3D,        1,  1, {4, 2, 1, 3}},
    {AGPU_DIMENSION_TEXTURECUBE,      6,  1, {4, 2, 0, 3}},
    {AGPU_DIMENSION_TEXTURECUBEARRAY, 12, 1, {4, 2, 2, 3}},
};

static void test_resinfo(void **state)
{
    (void)state;
    static float texels[8 * 4 * 2 * 2 * 12];
    for (size_t i = 0; i < sizeof size_rows / sizeof *size_rows; i++) {
        const struct size_row *row = &size_rows[i];
        struct scene scene = make_scene(row->dimension, texels, 8, 4);
        scene.view.depth = row->dimension == AGPU_DIMENSION_TEXTURE3D ? 2 : 1;
        scene.view.height =
            row->dimension == AGPU_DIMENSION_TEXTURE1D || row->dimension == AGPU_DIMENSION_TEXTURE1DARRAY ? 1
                                                                                                          : 4;
        scene.view.layers = row->layers;
        scene.view.mips = 3;
        run(&scene, "resinfo_uint o0.xyzw, l(1), t0.xyzw");
        assert_memory_equal(scene.output, row->expected, sizeof row->expected);
        run(&scene, "resinfo_uint o0.xyzw, l(7), t0.xyzw");
        const uint32_t nothing[4] = {0, 0, 0, 3};
        assert_memory_equal(scene.output, nothing, sizeof nothing);
    }
}

static void test_resinfo_types(void **state)
{
    (void)state;
    float texels[32 * 5];
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2DARRAY, texels, 8, 4);
    scene.view.layers = 5;
    run(&scene, "resinfo o0.xyzw, l(0), t0.wxyz");
    assert_output(&scene, 1, 8, 4, 5);
    run(&scene, "resinfo_rcpfloat o0.xyzw, l(0), t0.xyzw");
    assert_output(&scene, 0.125f, 0.25f, 5, 1);
    run(&scene, "resinfo_rcpfloat o0.xyzw, l(1), t0.xyzw");
    assert_output(&scene, number(INF_BITS), number(INF_BITS), 0, 1);
    run(&scene, "resinfo_rcpfloat o0.xyzw, l(0), t1.xyzw");
    assert_output(&scene, number(INF_BITS), number(INF_BITS), 0, 0);
    run(&scene, "resinfo_uint o0.xyzw, l(0), t1.xyzw");
    assert_output(&scene, 0, 0, 0, 0);
}

static void test_samples(void **state)
{
    (void)state;
    float texels[4];
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2DMS, texels, 1, 1);
    scene.view.samples = 4;
    run(&scene, "sampleinfo o0.xyzw, t0.xyzw");
    assert_output(&scene, 4, 0, 0, 0);
    run(&scene, "sampleinfo_uint o0.xyzw, t0.yxxx");
    const uint32_t count[4] = {0, 4, 4, 4};
    assert_memory_equal(scene.output, count, sizeof count);
    run(&scene, "samplepos o0.xyzw, t0.xyzw, l(1)");
    assert_output(&scene, 0.375f, -0.125f, 0, 0);
    run(&scene, "samplepos o0.xyzw, t0.xyzw, l(4)");
    assert_output(&scene, 0, 0, 0, 0);
}

static void test_status(void **state)
{
    (void)state;
    float texels[1] = {7};
    struct scene scene = make_scene(AGPU_DIMENSION_TEXTURE2D, texels, 1, 1);
    run(&scene, "ld_s o0.x, r0.x, l(0, 0, 0, 0), t0.xyzw\ncheck_access_fully_mapped o0.y, r0.x\n"
                "ld_s o0.z, null, l(0, 0, 0, 0), t0.xyxw");
    assert_int_equal(scene.output[0], bits(7));
    assert_int_equal(scene.output[1], 0xffffffff);
    assert_int_equal(scene.output[2], bits(7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ld),
        cmocka_unit_test(test_ld_offsets),
        cmocka_unit_test(test_ldms),
        cmocka_unit_test(test_resource_clamp),
        cmocka_unit_test(test_address_modes),
        cmocka_unit_test(test_border_color),
        cmocka_unit_test(test_array_slice),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_mips),
        cmocka_unit_test(test_sample_d),
        cmocka_unit_test(test_integer_format),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_reference_precision),
        cmocka_unit_test(test_percentage_closer),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_cube_faces),
        cmocka_unit_test(test_cube_orientation),
        cmocka_unit_test(test_cube_edges),
        cmocka_unit_test(test_cube_array),
        cmocka_unit_test(test_resinfo),
        cmocka_unit_test(test_resinfo_types),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
