/* SPDX-License-Identifier: MIT
 *
 * Pixel quads: derivatives, discard, helper pixels, evaluation of inputs, outputs.
 */
#include <float.h>
#include <stdio.h>

#include "harness.h"

static const char head[] = "ps_5_0\ndcl_sampler s0, mode_default\n"
                           "dcl_resource_texture2d (float,float,float,float) t0\ndcl_uav_raw u1\n"
                           "dcl_input_ps linear v0.xyzw\ndcl_input_ps constant v1.xyzw\ndcl_output o0.xyzw\n"
                           "dcl_temps 4\n";

struct quad {
    struct ag_ref_invocation pixels[4];
    uint32_t memory[8]; /* u1 */
    struct ag_ref_view texture;
    struct ag_ref_sampler sampler;
    uint32_t samples;
};

/* v0 of the four pixels: x to the right 1, y down 10. */
static struct quad make_quad(void)
{
    struct quad quad = {0};
    for (uint32_t i = 0; i < 4; i++) {
        quad.pixels[i].input[0][0] = bits(5.0f + (float)(i & 1));
        quad.pixels[i].input[0][1] = bits(100.0f + 10.0f * (float)(i >> 1));
        quad.pixels[i].input[0][2] = bits((float)(i * i));
        quad.pixels[i].input[1][0] = bits((float)i);
        quad.pixels[i].coverage = 1;
    }
    return quad;
}

static void run(struct quad *quad, const char *body)
{
    char listing[4096];
    struct harness harness;
    struct ag_ref_view unordered[2] = {
        [1] = {.dimension = AGPU_DIMENSION_RAW_BUFFER, .data = quad->memory, .size = sizeof quad->memory}
    };
    const struct ag_ref_bindings bindings = {.resources = &quad->texture,
                                             .resource_count = 1,
                                             .samplers = &quad->sampler,
                                             .sampler_count = 1,
                                             .unordered = unordered,
                                             .unordered_count = 2,
                                             .rasterizer_samples = quad->samples};
    snprintf(listing, sizeof listing, "%s%s\nret\n", head, body);
    harness_open(&harness, listing);
    assert_int_equal(ag_ref_run_quad(harness.program, &bindings, NULL, &harness.sink, quad->pixels), AGPU_OK);
    harness_close(&harness);
}

static float output(const struct quad *quad, uint32_t pixel, uint32_t lane)
{
    return number(quad->pixels[pixel].output[0][lane]);
}

static void assert_lane(const struct quad *quad, uint32_t lane, float a, float b, float c, float d)
{
    const float expected[4] = {a, b, c, d};
    for (uint32_t i = 0; i < 4; i++)
        assert_true(output(quad, i, lane) == expected[i]);
}

/* z is 0 1 / 4 9: fine derivatives differ by row and column, coarse ones do not. */
static void test_derivatives(void **state)
{
    (void)state;
    struct quad quad = make_quad();
    run(&quad, "deriv_rtx_fine o0.x, v0.z\nderiv_rty_fine o0.y, v0.z\nderiv_rtx_coarse o0.z, v0.z\n"
               "deriv_rty_coarse o0.w, v0.z");
    assert_lane(&quad, 0, 1, 1, 5, 5);
    assert_lane(&quad, 1, 4, 8, 4, 8);
    assert_lane(&quad, 2, 1, 1, 1, 1);
    assert_lane(&quad, 3, 4, 4, 4, 4);
    run(&quad, "deriv_rtx_sat o0.x, -v0.y\nderiv_rty o0.y, -|v0.y|\nderiv_rtx o0.zw, v0.yyyx");
    assert_lane(&quad, 0, 0, 0, 0, 0);
    assert_lane(&quad, 1, -10, -10, -10, -10);
    assert_lane(&quad, 3, 1, 1, 1, 1);
}

/* Discarded pixels still lend their values; writes before a discard stay, later ones do not happen. */
static void test_discard(void **state)
{
    (void)state;
    struct quad quad = make_quad();
    run(&quad, "atomic_iadd u1, l(0), l(1)\nftou r0.x, v1.x\nand r0.y, r0.x, l(1)\nishr r0.z, r0.x, l(1)\n"
               "ieq r0.y, r0.y, r0.z\ndiscard_nz r0.y\nimm_atomic_iadd r1.x, u1, l(4), l(1)\n"
               "store_raw u1.x, l(8), v1.x\nderiv_rtx_fine o0.x, v0.x\nutof o0.y, r1.x");
    assert_int_equal(quad.memory[0], 4);
    assert_int_equal(quad.memory[1], 2);
    assert_int_equal(quad.memory[2], bits(2.0f)); /* by pixel 2, not by the discarded 3 */
    assert_true(quad.pixels[0].discarded && quad.pixels[3].discarded);
    assert_false(quad.pixels[1].discarded || quad.pixels[2].discarded);
    assert_lane(&quad, 0, 1, 1, 1, 1);
    assert_true(output(&quad, 3, 1) == 0.0f);
}

static void test_helpers(void **state)
{
    (void)state;
    struct quad quad = make_quad();
    quad.pixels[0].helper = quad.pixels[3].helper = true;
    run(&quad, "imm_atomic_iadd r0.x, u1, l(0), l(1)\nstore_raw u1.x, l(4), v1.x\nderiv_rty_fine o0.x, v0.y");
    assert_int_equal(quad.memory[0], 2);
    assert_int_equal(quad.memory[1], bits(2.0f));
    assert_lane(&quad, 0, 10, 10, 10, 10);
}

/* Pixels that went another way have no part in a derivative and do not hang the quad. */
static void test_divergence(void **state)
{
    (void)state;
    struct quad quad = make_quad();
    run(&quad,
        "lt r0.x, v1.x, l(2.0)\nif_nz r0.x\nderiv_rtx_fine o0.x, v0.x\nelse\nderiv_rtx_fine o0.x, -v0.x\n"
        "endif\nderiv_rtx_fine o0.y, v0.x\neq r0.y, v1.x, l(0.0)\nretc_nz r0.y\nderiv_rtx_fine o0.z, v0.x");
    assert_lane(&quad, 0, 1, 1, -1, -1);
    assert_lane(&quad, 1, 1, 1, 1, 1);
    assert_lane(&quad, 2, 0, 0, 1, 1);
}

/* 16 texels wide with constant mips: 2 texels a pixel are mip 1, and the bias adds. */
static void test_implicit_lod(void **state)
{
    (void)state;
    static float texels[16 * 16 + 8 * 8 + 4 * 4];
    for (uint32_t i = 256; i < 256 + 64; i++)
        texels[i] = 1;
    for (uint32_t i = 320; i < 336; i++)
        texels[i] = 2;
    struct quad quad = make_quad();
    quad.texture = (struct ag_ref_view){.dimension = AGPU_DIMENSION_TEXTURE2D,
                                        .data = texels,
                                        .size = sizeof texels,
                                        .format = ag_ref_format_make(AG_REF_FLOAT, 32, 1),
                                        .width = 16,
                                        .height = 16,
                                        .depth = 1,
                                        .layers = 1,
                                        .mips = 3,
                                        .samples = 1};
    quad.sampler = (struct ag_ref_sampler){
        .filter = 0x15,
        .address = {AG_REF_WRAP, AG_REF_WRAP, AG_REF_WRAP},
        .min_lod = -FLT_MAX,
        .max_lod = FLT_MAX
    };
    run(&quad,
        "mul r0.xy, v0.xyxx, l(0.125, 0.00625, 0.0, 0.0)\nsample o0.x, r0.xyxx, t0.xyzw, s0\n"
        "sample_b o0.y, r0.xyxx, t0.yxzw, s0, l(0.5)\nlod r1.xy, r0.xyxx, t0.xyzw, s0\nmov o0.z, r1.x\n"
        "mul r0.xy, r0.xyxx, l(0.25, 0.25, 0.0, 0.0)\nlod o0.w, r0.xyxx, t0.xxxy, s0");
    assert_lane(&quad, 0, 1, 1, 1, 1);
    assert_lane(&quad, 1, 1.5f, 1.5f, 1.5f, 1.5f);
    assert_lane(&quad, 2, 1, 1, 1, 1);
    assert_lane(&quad, 3, -1, -1, -1, -1);
}

/* Offsets in sixteenths of a pixel from the centre, four bits each; constant inputs stay. */
static void test_eval(void **state)
{
    (void)state;
    struct quad quad = make_quad();
    quad.samples = 4;
    for (uint32_t i = 0; i < 4; i++)
        quad.pixels[i].coverage = i == 0 ? 0xf : 0x6;
    run(&quad, "eval_snapped o0.x, v0.x, l(0x18, 0, 0, 0)\neval_snapped o0.y, v0.y, l(0, 7, 0, 0)\n"
               "eval_sample_index o0.z, v0.x, l(1)\neval_centroid o0.w, v0.x");
    assert_lane(&quad, 0, 4.5f, 5.5f, 4.5f, 5.5f);
    assert_lane(&quad, 1, 104.375f, 104.375f, 114.375f, 114.375f);
    assert_lane(&quad, 2, 5.375f, 6.375f, 5.375f, 6.375f);
    assert_lane(&quad, 3, 5.0f, 6.375f, 5.375f, 6.375f);
    run(&quad, "eval_snapped o0.x, v1.x, l(8, 8, 0, 0)\nsampleinfo_uint o0.y, rasterizer.xxxx\n"
               "samplepos o0.zw, rasterizer.xxxy, l(3)");
    assert_lane(&quad, 0, 0, 1, 2, 3);
    assert_int_equal(quad.pixels[0].output[0][1], 4);
    assert_lane(&quad, 2, 0.125f, 0.125f, 0.125f, 0.125f);
    assert_lane(&quad, 3, 0.375f, 0.375f, 0.375f, 0.375f);
}

static void test_special_outputs(void **state)
{
    (void)state;
    struct harness harness;
    struct quad quad = make_quad();
    harness_open(&harness, "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_input vCoverage\ndcl_output o1.xyzw\n"
                           "dcl_output oDepth\ndcl_output oMask\nmov oDepth, v0.x\nmov oMask, vCoverage.x\n"
                           "mov o1.yw, v0.xxxy\nret\n");
    assert_int_equal(ag_ref_run_quad(harness.program, NULL, NULL, &harness.sink, quad.pixels), AGPU_OK);
    assert_true(quad.pixels[1].special_written[AG_REF_OUTPUT_DEPTH]);
    assert_int_equal(quad.pixels[1].special[AG_REF_OUTPUT_DEPTH], bits(6.0f));
    assert_int_equal(quad.pixels[1].special[AG_REF_OUTPUT_COVERAGE], 1);
    assert_false(quad.pixels[1].special_written[AG_REF_OUTPUT_STENCIL]);
    assert_int_equal(quad.pixels[1].written[1], 10);
    assert_int_equal(quad.pixels[1].written[0], 0);
    assert_int_equal(quad.pixels[1].output[1][0], 0);
    assert_int_equal(quad.pixels[1].steps, 4);
    harness_close(&harness);
}

/* Programs run in their own stage only, and derivatives need a quad. */
static void test_stages(void **state)
{
    (void)state;
    struct harness harness;
    struct ag_ref_invocation vertex = {0};
    harness_open(&harness, "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1, 1, 1, 1)\nret\n");
    assert_int_equal(ag_ref_run_vertex(harness.program, NULL, NULL, &harness.sink, &vertex), AGPU_REFUSED);
    assert_int_equal(harness.last_code, AGPU_DIAG_REF_STAGE);
    harness_close(&harness);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),     cmocka_unit_test(test_discard),
        cmocka_unit_test(test_helpers),         cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_implicit_lod),    cmocka_unit_test(test_eval),
        cmocka_unit_test(test_special_outputs), cmocka_unit_test(test_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
