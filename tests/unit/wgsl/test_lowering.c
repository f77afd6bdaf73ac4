/* SPDX-License-Identifier: MIT
 *
 * What WGSL lacks and how it is expressed all the same (docs/decisions.md, L).
 */
#include "module_text.h"

/* ---- Tiled resources, level of detail ----------------------------------------------------------------- */

static const char feedback_text[] = "ps_5_0\n"
                                    ".in TEXCOORD0 v0.xyz float\n"
                                    ".out SV_Target0 o0.xyzw float\n"
                                    "dcl_globalFlags refactoringAllowed\n"
                                    "dcl_sampler s0, mode_default\n"
                                    "dcl_resource_texture2d (float,float,float,float) t0\n"
                                    "dcl_input_ps linear v0.xyz\n"
                                    "dcl_output o0.xyzw\n"
                                    "dcl_temps 3\n"
                                    "%s"
                                    "ret\n";

static struct agpu_module *translate_feedback(const char *code)
{
    char text[2048];
    snprintf(text, sizeof text, feedback_text, code);
    return translate(text, NULL);
}

/* Everything is resident: the status is a constant, and so is the answer about it. */
static void feedback_is_always_mapped(void **state)
{
    (void)state;
    struct agpu_module *module = translate_feedback("sample_l_s r0.xyzw, r1.x, v0.xyxx, t0.xyzw, s0, l(1.0)\n"
                                                    "check_access_fully_mapped r1.y, r1.x\n"
                                                    "movc o0.xyzw, r1.yyyy, r0.xyzw, l(0, 0, 0, 0)\n");
    assert_has(module, "textureSampleLevel(t0, s0, ");
    assert_has(module, "let r1_x = 1u;");
    assert_has(module, "let r1_y = r1_x != 0u;");
    agpu_module_destroy(module);
}

/* Where the level would be finer than the clamp, the clamp is the level. */
static void level_clamps_choose_the_coarser(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate_feedback("sample_cl_s r0.xyzw, null, v0.xyxx, t0.xyzw, s0, v0.z\nmov o0.xyzw, r0.xyzw\n");
    assert_has(module, "select(textureSample(t0, s0, input.v0_TEXCOORD0.xy), "
                       "textureSampleLevel(t0, s0, input.v0_TEXCOORD0.xy, input.v0_TEXCOORD0.z), ");
    assert_has(module, "lt(t0_lod(input.v0_TEXCOORD0.xy).y, input.v0_TEXCOORD0.z)");
    agpu_module_destroy(module);
    module = translate_feedback(
        "sample_d_cl_s r0.xyzw, null, v0.xyxx, t0.xyzw, s0, v0.xyxx, v0.yxyy, v0.z\nmov o0.xyzw, r0.xyzw\n");
    assert_has(module, "textureSampleGrad(");
    assert_has(module, "t0_lod_of(input.v0_TEXCOORD0.xy, input.v0_TEXCOORD0.xy, input.v0_TEXCOORD0.yx).y");
    agpu_module_destroy(module);
}

static void lod_comes_from_derivatives(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate_feedback("lod r0.xy, v0.xyxx, t0.xyzw, s0\nmov o0.xyzw, r0.xyyy\n");
    assert_has(module, "t0_lod_of(p, dpdx(p), dpdy(p))");
    assert_lacks(module, "var s0"); /* what it asks of the sampler is nothing WGSL could use */
    agpu_module_destroy(module);
}

/* ---- Text --------------------------------------------------------------------------------------------- */

static void scalar_helpers_hold_plain_literals(void **state)
{
    (void)state;
    struct agpu_module *module = translate_feedback("mov_sat r0.x, v0.x\nmov o0.xyzw, r0.xxxx\n");
    assert_has(module, "(bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u");
    assert_has(module, "clamp(x, 0.0, 1.0)");
    assert_lacks(module, "f32(0.0)");
    agpu_module_destroy(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feedback_is_always_mapped),
        cmocka_unit_test(level_clamps_choose_the_coarser),
        cmocka_unit_test(lod_comes_from_derivatives),
        cmocka_unit_test(scalar_helpers_hold_plain_literals),
    };
    return cmocka_run_group_tests_name("wgsl/lowering", tests, NULL, NULL);
}
