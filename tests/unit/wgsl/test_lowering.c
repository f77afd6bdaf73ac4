/* SPDX-License-Identifier: MIT
 *
 * What WGSL lacks and how it is expressed all the same (docs/decisions.md, L).
 */
#include "module_text.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/options.h"

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
    assert_has(module, "let r1x = 1u;");
    assert_has(module, "(r1x != 0u)");
    agpu_module_destroy(module);
}

/* Where the level would be finer than the clamp, the clamp is the level. */
static void level_clamps_choose_the_coarser(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate_feedback("sample_cl_s r0.xyzw, null, v0.xyxx, t0.xyzw, s0, v0.z\nmov o0.xyzw, r0.xyzw\n");
    assert_has(module, "select(textureSample(t0, s0, v0_TEXCOORD0.xy), "
                       "textureSampleLevel(t0, s0, v0_TEXCOORD0.xy, v0_TEXCOORD0.z), ");
    assert_has(module, "lt(t0_lod_clamped(t0_lod(v0_TEXCOORD0.xy), draw.views[1]).y, v0_TEXCOORD0.z)");
    agpu_module_destroy(module);
    module = translate_feedback(
        "sample_d_cl_s r0.xyzw, null, v0.xyxx, t0.xyzw, s0, v0.xyxx, v0.yxyy, v0.z\nmov o0.xyzw, r0.xyzw\n");
    assert_has(module, "textureSampleGrad(");
    assert_has(module, "t0_lod_of(v0_TEXCOORD0.xy, v0_TEXCOORD0.xy, v0_TEXCOORD0.yx)");
    agpu_module_destroy(module);
}

/* A clamp past the last level, or past the sampler's, leaves nothing; a comparison gives 0. Its level is the
 * clamp itself: a bias of the sampler was in what it is compared with. */
static void level_clamps_may_leave_nothing(void **state)
{
    (void)state;
    const struct ag_translate_options options = {.biased_samplers = 1};
    char text[2048];
    snprintf(text, sizeof text, feedback_text,
             "sample_cl_s r0.xyzw, null, v0.xyxx, t0.xyzw, s0, v0.z\nmov o0.xyzw, r0.xyzw\n");
    struct agpu_module *module = translate(text, &options);
    assert_has(module, "t0_within(select(textureSampleBias(");
    assert_has(module, "textureSampleLevel(t0, s0, v0_TEXCOORD0.xy, v0_TEXCOORD0.z)");
    assert_has(module, "let last = min(f32(textureNumLevels(t0) - 1u), bitcast<f32>(s.z));");
    assert_int_equal(module->view_count, 2);
    agpu_module_destroy(module);
    module = translate_feedback("dcl_sampler s1, mode_comparison\n"
                                "sample_c_cl_s r0.x, null, v0.xyxx, t0.xxxx, s1, v0.z, l(3.5)\n"
                                "mov o0.xyzw, r0.xxxx\n");
    assert_has(module, "t0_within(vec4f(textureSampleCompare(");
    agpu_module_destroy(module);
}

static void lod_comes_from_derivatives(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate_feedback("lod r0.xy, v0.xyxx, t0.xyzw, s0\nmov o0.xyzw, r0.xyyy\n");
    assert_has(module, "t0_lod_of(p, dpdx(p), dpdy(p))");
    assert_lacks(module, "var s0"); /* the sampler's bias and bounds are in the draw block */
    assert_has(module, "max(min(level, bitcast<f32>(s.z)), bitcast<f32>(s.y))");
    assert_int_equal(module->unbound_count, 1);
    assert_int_equal(module->unbound[0].binding, AG_BINDING_SAMPLER);
    assert_int_equal(module->views[0], AG_BINDING_TEXTURE); /* tells whether there is a texture */
    assert_int_equal(module->views[1], AG_BINDING_SAMPLER);
    agpu_module_destroy(module);
}

/* A texture that is compared has depth alone: what gather takes from its other channels is 0, 0 and 1. */
static void other_channels_of_depth_are_constants(void **state)
{
    (void)state;
    static const char *const expected[][2] = {
        {"s0.w", "vec4f(1.0)"        },
        {"s0.y", "vec4f(0.0)"        },
        {"s0.x", "textureGather(t0, "}
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char code[256];
        snprintf(code, sizeof code,
                 "dcl_sampler s1, mode_comparison\n"
                 "gather4 r0.xyzw, v0.xyxx, t0.xyzw, %s\n"
                 "sample_c_lz r1.x, v0.xyxx, t0.xxxx, s1, v0.z\n"
                 "add o0.xyzw, r0.xyzw, r1.xxxx\n",
                 expected[i][0]);
        struct agpu_module *module = translate_feedback(code);
        assert_has(module, expected[i][1]);
        agpu_module_destroy(module);
    }
}

/* ---- Class linkage, resources chosen at run time ------------------------------------------------------- */

static void calls_of_interfaces_switch_on_the_table(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_5_0\n"
                                           ".out SV_Target0 o0.x float\n"
                                           "dcl_globalFlags refactoringAllowed\n"
                                           "dcl_constantbuffer cb1[4], immediateIndexed\n"
                                           "dcl_function_body fb0\n"
                                           "dcl_function_body fb1\n"
                                           "dcl_function_table ft3 = {fb0}\n"
                                           "dcl_function_table ft5 = {fb1}\n"
                                           "dcl_interface fp2[1][1] = {ft3, ft5}\n"
                                           "dcl_output o0.x\n"
                                           "dcl_temps 2\n"
                                           "mov r0.x, l(0)\n"
                                           "fcall fp2[0][0]\n"
                                           "mov o0.x, r0.x\n"
                                           "ret\n"
                                           "label fb0\n"
                                           "mov r0.x, l(1.0)\n"
                                           "ret\n"
                                           "label fb1\n"
                                           "mov r1.xy, this[2].yxyy\n"
                                           "mov r0.x, cb[r1.y + 0][r1.x + 1].z\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, "switch (instance_table(2u))");
    assert_has(module, "case 3u: {");
    assert_has(module, "case 5u: {");
    assert_has(module, "instance_data(2u).yx");
    assert_has(
        module,
        "case 1u: { return cb1_load(index); }"); /* cb1 is the only constant buffer there is to choose */
    const struct agpu_binding *instances = binding_at(module, AG_GROUP_PIXEL, AG_BINDING_CLASS_INSTANCES);
    assert_non_null(instances);
    assert_int_equal(instances->kind, AGPU_BIND_UNIFORM_BUFFER);
    assert_int_equal(instances->bytes, 3 * AG_CLASS_INSTANCE_BYTES);
    agpu_module_destroy(module);
}

/* ---- Places in the pixel ------------------------------------------------------------------------------ */

static void evaluation_extrapolates_from_the_centre(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate_feedback("eval_snapped r0.xyz, v0.xyzx, l(4, 7, 0, 0)\nmov o0.xyzw, r0.xyzz\n");
    assert_has(module, "= rasterized.w;");
    assert_has(module, "= v0_TEXCOORD0.xyz * tmp");
    assert_has(module, "dpdxFine(tmp");
    assert_has(module, "dpdyFine(tmp");
    assert_has(module, "0.0625");
    agpu_module_destroy(module);
    module = translate_feedback("eval_centroid r0.xyz, v0.xyzx\nmov o0.xyzw, r0.xyzz\n");
    assert_has(module, "centroid(draw.sample_count, coverage)");
    agpu_module_destroy(module);
}

/* ---- Resources that WebGPU does not have -------------------------------------------------------------- */

static void atomics_make_a_texture_view_a_buffer(void **state)
{
    (void)state;
    struct agpu_module *module = translate("cs_5_0\n"
                                           "dcl_globalFlags refactoringAllowed\n"
                                           "dcl_uav_typed_texture2d (uint,uint,uint,uint) u2\n"
                                           "dcl_input vThreadID.xy\n"
                                           "dcl_thread_group 1, 1, 1\n"
                                           "atomic_umax u2, vThreadID.xyxx, l(7)\n"
                                           "ret\n",
                                           NULL);
    const struct agpu_binding *view = binding_at(module, AG_GROUP_COMPUTE, AG_BINDING_UAV + 2);
    assert_non_null(view);
    assert_int_equal(view->kind, AGPU_BIND_STORAGE_BUFFER_READ_WRITE);
    assert_int_equal(view->dimension, AGPU_DIMENSION_TEXTURE2D);
    assert_has(module, "array<atomic<u32>>");
    assert_has(module, "(p.y * view.x + p.x) * 4u");
    agpu_module_destroy(module);
}

static void sample_arrays_have_a_layer_a_sample(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_5_0\n"
                                           ".out SV_Target0 o0.xyzw float\n"
                                           "dcl_globalFlags refactoringAllowed\n"
                                           "dcl_resource_texture2dmsarray(4) (float,float,float,float) t0\n"
                                           "dcl_output o0.xyzw\n"
                                           "ldms o0.xyzw, l(1, 2, 3, 0), t0.xyzw, l(1)\n"
                                           "ret\n",
                                           NULL);
    const struct agpu_binding *texture = binding_at(module, AG_GROUP_PIXEL, AG_BINDING_TEXTURE);
    assert_non_null(texture);
    assert_false(texture->multisampled);
    assert_has(module, "texture_2d_array<f32>");
    assert_has(module, "p.z * view.w + sample");
    agpu_module_destroy(module);
}

/* ---- Depth, targets, samplers -------------------------------------------------------------------------- */

#define SHADOW                                                                                               \
    "ps_5_0\n.in TEXCOORD0 v0.xyzw float\n.out SV_Target0 o0.xyzw float\ndcl_globalFlags "                   \
    "refactoringAllowed\n"                                                                                   \
    "dcl_sampler s0, mode_default\ndcl_sampler s1, mode_comparison\n"                                        \
    "dcl_resource_texture2d (float,float,float,float) t3\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\n" \
    "dcl_temps 2\n"

/* What is compared with and sampled plainly has two variables: WGSL has a depth texture for the one only. */
static void a_compared_texture_may_be_sampled(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate(SHADOW "sample_c_lz r0.x, v0.xyxx, t3.xxxx, s1, v0.z\n"
                         "sample_b r1.xyzw, v0.xyxx, t3.xyzw, s0, v0.w\nadd o0.xyzw, r0.xxxx, r1.xyzw\nret\n",
                  NULL);
    const struct agpu_binding *depth = binding_at(module, AG_GROUP_PIXEL, AG_BINDING_TEXTURE + 3);
    const struct agpu_binding *plain = binding_at(module, AG_GROUP_PIXEL, AG_BINDING_PLAIN_TEXTURES + 3);
    const struct agpu_binding *sampler = binding_at(module, AG_GROUP_PIXEL, AG_BINDING_SAMPLER);
    assert_non_null(depth);
    assert_non_null(plain);
    assert_non_null(sampler);
    assert_int_equal(depth->sample_type, AGPU_SAMPLE_DEPTH);
    assert_int_equal(plain->sample_type, AGPU_SAMPLE_FLOAT);
    assert_int_equal(plain->slot, 3);
    assert_true(plain->filtered);
    assert_true(sampler->filtered);
    assert_has(module, "textureSampleCompareLevel(t3, s1, ");
    assert_has(module, "textureSampleBias(t3_plain, s0, ");
    agpu_module_destroy(module);
}

/* D3D11.3 22.4.18: against UNORM formats the reference is clamped; the draw says which they are. */
static void references_know_the_format(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate(SHADOW "sample_c o0.xyzw, v0.xyxx, t3.xxxx, s1, v0.z\nret\n", NULL);
    assert_has(module, "reference(v0_TEXCOORD0.z, draw.views[0].z)");
    assert_int_equal(module->view_count, 1);
    assert_int_equal(module->views[0], AG_BINDING_TEXTURE + 3);
    assert_null(binding_at(module, AG_GROUP_PIXEL, AG_BINDING_PLAIN_TEXTURES + 3));
    agpu_module_destroy(module);
}

static struct agpu_module *translate_depth(const char *declarations, const char *code)
{
    char text[1024];
    snprintf(text, sizeof text,
             "ps_5_0\n.in SV_Position0 v0.xyzw float position\n.in A0 v1.x float\n%sdcl_globalFlags "
             "refactoringAllowed\n"
             "dcl_input_ps linear v1.x\n%s%sret\n",
             strstr(declarations, "oDepthGE") != NULL   ? ".out SV_DepthGreaterEqual oDepthGE.x float\n"
             : strstr(declarations, "oDepthLE") != NULL ? ".out SV_DepthLessEqual oDepthLE.x float\n"
                                                        : ".out SV_Depth oDepth.x float\n",
             declarations, code);
    return translate(text, NULL);
}

/* D3D11.3 16.9.3: what breaks the promise is clamped to the rasterizer's depth. */
static void conservative_depth_is_clamped(void **state)
{
    (void)state;
    struct agpu_module *module = translate_depth("dcl_output oDepthGE\n", "mov oDepthGE, v1.x\n");
    assert_has(module, "@builtin(position) rasterized: vec4f");
    assert_has(module, "max(select(");
    assert_has(module, ", rasterized.z)");
    agpu_module_destroy(module);
    module = translate_depth("dcl_input_ps_siv linear noperspective v0.xyzw, position\ndcl_output oDepthLE\n",
                             "add oDepthLE, v1.x, v0.w\n");
    assert_has(module, "min(select(");
    assert_has(module, ", rasterized.z)");
    assert_int_equal(count_of(module, "@builtin(position)"), 1);
    agpu_module_destroy(module);
    module = translate_depth("dcl_output oDepth\n", "mov oDepth, v1.x\n");
    assert_lacks(module, "rasterized");
    agpu_module_destroy(module);
}

static void sampler_bias_adds_to_every_level(void **state)
{
    (void)state;
    const struct ag_translate_options options = {.biased_samplers = 1};
    struct agpu_module *module = translate(
        SHADOW "sample r0.xyzw, v0.xyxx, t3.xyzw, s0\nsample_b r1.xyzw, v0.xyxx, t3.xyzw, s0, v0.w\n"
               "add r0.xyzw, r0.xyzw, r1.xyzw\nsample_l r1.xyzw, v0.xyxx, t3.xyzw, s0, v0.w\n"
               "add r0.xyzw, r0.xyzw, r1.xyzw\nsample_d r1.xyzw, v0.xyxx, t3.xyzw, s0, v0.xyxx, v0.yxyy\n"
               "add o0.xyzw, r0.xyzw, r1.xyzw\nret\n",
        &options);
    assert_int_equal(module->views[0], AG_BINDING_SAMPLER);
    assert_has(module, "textureSampleBias(t3, s0, v0_TEXCOORD0.xy, bitcast<f32>(draw.views[0].x))");
    assert_has(module,
               "textureSampleBias(t3, s0, v0_TEXCOORD0.xy, mip_level(v0_TEXCOORD0.w) + bitcast<f32>(");
    assert_has(module,
               "textureSampleLevel(t3, s0, v0_TEXCOORD0.xy, mip_level(v0_TEXCOORD0.w) + bitcast<f32>(");
    assert_has(module, "v0_TEXCOORD0.xy * exp2(bitcast<f32>(draw.views[0].x)), ");
    agpu_module_destroy(module);
}

/* Neither the sampler nor its view is bound: its uniform says what it is. */
static void emulated_samplers_load_texels(void **state)
{
    (void)state;
    const struct ag_translate_options options = {.emulated_samplers = 1, .biased_samplers = 1};
    struct agpu_module *module = translate(
        SHADOW "sample r0.xyzw, v0.xyxx, t3.xyzw, s0\nsample_b r1.xyzw, v0.xyxx, t3.xyzw, s0, v0.w\n"
               "add r0.xyzw, r0.xyzw, r1.xyzw\nsample_l r1.xyzw, v0.xyxx, t3.xyzw, s0, v0.w\n"
               "add o0.xyzw, r0.xyzw, r1.xyzw\nret\n",
        &options);
    assert_has(module, "@binding(380) var<uniform> sampler_states: array<vec4u, 32>;");
    assert_lacks(module, "textureSample");
    assert_lacks(module, "var s0:");
    assert_has(module, "t3_sampled(vec3f(v0_TEXCOORD0.xy, 0.5), t3_lod(v0_TEXCOORD0.xy), "
                       "vec3i(), 0u, 0u, false, 0.0)");
    assert_has(module, "t3_lod(v0_TEXCOORD0.xy) + v0_TEXCOORD0.w, ");
    assert_has(module, "0.5), v0_TEXCOORD0.w, vec3i()");
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        assert_int_not_equal(module->bindings[i].kind, AGPU_BIND_SAMPLER);
        if (module->bindings[i].binding == AG_BINDING_SAMPLER_STATES)
            bytes = module->bindings[i].bytes;
    }
    assert_int_equal(bytes, AG_SAMPLER_STATES_BYTES);
    agpu_module_destroy(module);
}

static void integers_meet_the_range_of_their_target(void **state)
{
    (void)state;
    static const char code[] =
        "ps_5_0\n.in A0 v0.xyzw uint\n.out SV_Target0 o0.xyzw uint\n.out SV_Target1 o1.xyzw int\n"
        ".out SV_Target2 o2.xyzw uint\n.out SV_Target3 o3.xyzw uint\n"
        "dcl_globalFlags refactoringAllowed\ndcl_input_ps constant v0.xyzw\n"
        "dcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_output o2.xyzw\ndcl_output o3.xyzw\n"
        "mov o0.xyzw, v0.xyzw\nmov o1.xyzw, v0.xyzw\nmov o2.xyzw, v0.xyzw\nmov o3.xyzw, v0.xyzw\nret\n";
    const struct ag_translate_options options = {
        .target_classes = {AGPU_TARGET_UINT, AGPU_TARGET_SINT, AGPU_TARGET_UINT, AGPU_TARGET_UINT},
        .target_bits = {8,                16,               10,               0               },
        .target_alpha_bits = {0,                0,                2,                0               },
    };
    struct agpu_module *module = translate(code, &options);
    assert_has(module, ", vec4u(255))");
    assert_has(module, ", vec4i(-32768), vec4i(32767))");
    assert_has(module, ", vec4u(1023, 1023, 1023, 3))");
    assert_int_equal(count_of(module, "min("), 2); /* nothing is above 32 bits */
    agpu_module_destroy(module);
}

static void logic_operations_read_the_target(void **state)
{
    (void)state;
    static const char code[] =
        "ps_5_0\n.in A0 v0.xyzw uint\n.out SV_Target0 o0.xyzw uint\n.out SV_Target1 o1.xyzw uint\n"
        "dcl_globalFlags refactoringAllowed\ndcl_input_ps constant v0.xyzw\n"
        "dcl_output o0.xyzw\ndcl_output o1.xyzw\n"
        "mov o0.xyzw, v0.xyzw\nmov o1.xyzw, v0.xyzw\nret\n";
    struct ag_translate_options options = {
        .target_classes = {AGPU_TARGET_UINT, AGPU_TARGET_UINT},
        .target_bits = {8,                0               },
        .logic = AG_LOGIC | 6, /* XOR */
    };
    struct agpu_module *module = translate(code, &options);
    assert_has(module, "return vec4u() | (~s & d) | (s & ~d);");
    assert_has(module, "@binding(370) var destination0: texture_2d<u32>;");
    assert_has(module, "@binding(371) var destination1: texture_2d<u32>;");
    assert_has(module, ", vec4u(255)), textureLoad(destination0, vec2u(rasterized.xy), 0)) & "
                       "vec4u(255u, 255u, 255u, 255u)");
    assert_has(module, ", textureLoad(destination1, vec2u(rasterized.xy), 0)),");
    agpu_module_destroy(module);
    options.logic = AG_LOGIC | 3; /* COPY_INVERTED */
    module = translate(code, &options);
    assert_has(module, "return vec4u() | (~s & ~d) | (~s & d);");
    assert_lacks(module, "destination");
    agpu_module_destroy(module);
}

/* ---- Text --------------------------------------------------------------------------------------------- */

static void scalar_helpers_hold_plain_literals(void **state)
{
    (void)state;
    struct agpu_module *module = translate_feedback("mov_sat r0.x, v0.x\nmov o0.xyzw, r0.xxxx\n");
    assert_has(module, "(bitcast<u32>(x) & 0x7fffffff) > 0x7f800000");
    assert_has(module, "clamp(x, 0.0, 1.0)");
    assert_lacks(module, "f32(0.0)");
    agpu_module_destroy(module);
}

/* ---- Fences -------------------------------------------------------------------------------------------- */

static struct agpu_module *translate_fence(const char *declaration, const char *code)
{
    char text[1024];
    snprintf(text, sizeof text,
             "cs_5_0\ndcl_globalFlags refactoringAllowed\n%s\ndcl_tgsm_raw g0, 16\n"
             "dcl_input vThreadIDInGroup.x\ndcl_temps 1\ndcl_thread_group 4, 1, 1\n"
             "store_raw g0.x, l(0), l(1)\nstore_raw u0.x, l(0), l(1)\n%s"
             "ld_raw r0.x, l(4), u0.xxxx\nstore_raw u0.x, l(8), r0.x\n"
             "ld_raw r0.x, l(4), g0.xxxx\nstore_raw u0.x, l(12), r0.x\nret\n",
             declaration, code);
    return translate(text, NULL);
}

/* A fence that all threads reach is a barrier; behind a return or in a branch the accesses are atomic. */
static void fences_become_barriers_or_atomics(void **state)
{
    (void)state;
    struct agpu_module *module = translate_fence("dcl_uav_raw u0", "sync_uglobal_g\n");
    assert_has(module, "\tstorageBarrier();\n\tworkgroupBarrier();\n");
    assert_lacks(module, "atomic");
    agpu_module_destroy(module);
    module = translate_fence("dcl_uav_raw u0", "if_nz vThreadIDInGroup.x\nsync_ugroup\nendif\n");
    assert_lacks(module, "Barrier");
    assert_has(module, "u0: array<atomic<u32>>;");
    assert_has(module, "g0: array<u32, 4>;");
    agpu_module_destroy(module);
    module = translate_fence("dcl_uav_raw u0", "retc_nz vThreadIDInGroup.x\nsync_g\n");
    assert_lacks(module, "Barrier");
    assert_has(module, "u0: array<u32>;");
    assert_has(module, "g0: array<atomic<u32>, 4>;");
    agpu_module_destroy(module);
    module = translate_fence("dcl_uav_raw_glc u0", "");
    assert_has(module, "atomicStore(&u0[");
    assert_has(module, "atomicLoad(&u0[");
    agpu_module_destroy(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feedback_is_always_mapped),
        cmocka_unit_test(level_clamps_choose_the_coarser),
        cmocka_unit_test(level_clamps_may_leave_nothing),
        cmocka_unit_test(lod_comes_from_derivatives),
        cmocka_unit_test(calls_of_interfaces_switch_on_the_table),
        cmocka_unit_test(evaluation_extrapolates_from_the_centre),
        cmocka_unit_test(atomics_make_a_texture_view_a_buffer),
        cmocka_unit_test(sample_arrays_have_a_layer_a_sample),
        cmocka_unit_test(other_channels_of_depth_are_constants),
        cmocka_unit_test(a_compared_texture_may_be_sampled),
        cmocka_unit_test(references_know_the_format),
        cmocka_unit_test(conservative_depth_is_clamped),
        cmocka_unit_test(sampler_bias_adds_to_every_level),
        cmocka_unit_test(emulated_samplers_load_texels),
        cmocka_unit_test(logic_operations_read_the_target),
        cmocka_unit_test(integers_meet_the_range_of_their_target),
        cmocka_unit_test(fences_become_barriers_or_atomics),
        cmocka_unit_test(scalar_helpers_hold_plain_literals),
    };
    return cmocka_run_group_tests_name("wgsl/lowering", tests, NULL, NULL);
}
