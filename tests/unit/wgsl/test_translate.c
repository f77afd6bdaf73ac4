/* SPDX-License-Identifier: MIT
 *
 * Whole translations: what D3D's rules demand of the text and of the reflection.
 */
#include "module_text.h"
#include "wgsl/binding.h"
#include "wgsl/emit.h"
#include "wgsl/options.h"

static const char textured[] = "ps_4_0\n"
                               ".in TEXCOORD0 v1.xy float\n"
                               ".out SV_Target0 o0.xyzw float\n"
                               "dcl_constantbuffer cb2[8], immediateIndexed\n"
                               "dcl_sampler s3, mode_default\n"
                               "dcl_sampler s4, mode_default\n"
                               "dcl_resource_texture2d (float,float,float,float) t5\n"
                               "dcl_resource_texture2d (float,float,float,float) t6\n"
                               "dcl_input_ps linear v1.xy\n"
                               "dcl_output o0.xyzw\n"
                               "dcl_temps 1\n"
                               "sample r0.xyzw, v1.xyxx, t5.xyzw, s3\n"
                               "mul o0.xyzw, r0.xyzw, cb2[4].xyzw\n"
                               "ret\n";

static void binds_only_what_is_used(void **state)
{
    (void)state;
    struct agpu_module *module = translate(textured, NULL);
    assert_int_equal(module->binding_count, 3);
    const struct agpu_binding *cbuffer = binding_at(module, AG_GROUP_PIXEL, AG_BINDING_CBUFFER + 2);
    assert_non_null(cbuffer);
    assert_int_equal(cbuffer->kind, AGPU_BIND_UNIFORM_BUFFER);
    assert_int_equal(cbuffer->bytes, 5 * 16);
    const struct agpu_binding *texture = binding_at(module, AG_GROUP_PIXEL, AG_BINDING_TEXTURE + 5);
    assert_non_null(texture);
    assert_int_equal(texture->kind, AGPU_BIND_SAMPLED_TEXTURE);
    assert_int_equal(texture->sample_type, AGPU_SAMPLE_FLOAT);
    assert_true(texture->filtered);
    assert_non_null(binding_at(module, AG_GROUP_PIXEL, AG_BINDING_SAMPLER + 3));
    assert_false(module->uses_draw_block);
    assert_int_equal(module->inputs[0].location, 1);
    agpu_module_destroy(module);
}

/* The line that has a sample in it must have come from the first instruction with the opcode. */
static void assert_sample_comes_from(uint32_t opcode, const struct ag_translate_options *options)
{
    struct agpu_shader *shader = shader_from_text(textured);
    struct agpu_module *module;
    assert_int_equal(ag_translate(shader, options, NULL, &module), AGPU_OK);
    uint32_t offset = 0;
    for (uint32_t i = 0; offset == 0 && i < shader->program.instruction_count; i++)
        if (shader->program.instructions[i].opcode == opcode)
            offset = shader->program.instructions[i].offset;
    uint32_t line = 0;
    for (const char *c = module->wgsl; c != strstr(module->wgsl, "textureSample("); c++)
        line += *c == '\n';
    assert_true(line < module->line_count);
    assert_int_equal(module->line_offsets[line], offset);
    assert_int_equal(module->line_offsets[0], UINT32_MAX);
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
}

/* A value that moves to its only reader is on the reader's line; with annotations nothing moves. */
static void traces_lines_to_instructions(void **state)
{
    (void)state;
    assert_sample_comes_from(AGPU_OP_MUL, NULL);
    assert_sample_comes_from(AGPU_OP_SAMPLE, &(struct ag_translate_options){.annotate = true});
}

static void gives_the_same_text_twice(void **state)
{
    (void)state;
    struct agpu_module *a = translate(textured, NULL), *b = translate(textured, NULL);
    assert_string_equal(a->wgsl, b->wgsl);
    agpu_module_destroy(a);
    agpu_module_destroy(b);
}

/* A computed index is checked: by the declared registers, and by the bound range, from the draw block. */
static void reads_indexed_constants_within_bounds(void **state)
{
    (void)state;
    const struct ag_translate_options options = {.view_base = 7};
    struct agpu_module *module = translate("vs_4_0\n"
                                           ".in INDEX0 v0.x uint\n"
                                           ".out SV_Position0 o0.xyzw float position\n"
                                           "dcl_constantbuffer cb1[64], dynamicIndexed\n"
                                           "dcl_input v0.x\n"
                                           "dcl_output_siv o0.xyzw, position\n"
                                           "dcl_temps 1\n"
                                           "mov r0.x, v0.x\n"
                                           "mov o0.xyzw, cb1[r0.x + 2].xyzw\n"
                                           "ret\n",
                                           &options);
    const struct agpu_binding *cbuffer = binding_at(module, AG_GROUP_VERTEX, 1);
    assert_non_null(cbuffer);
    assert_int_equal(cbuffer->kind, AGPU_BIND_UNIFORM_BUFFER);
    assert_int_equal(cbuffer->bytes, 64 * 16);
    assert_has(module, "index < min(view.y / 16u, 64u)");
    assert_true(module->uses_draw_block);
    assert_int_equal(module->view_count, 1);
    assert_int_equal(module->views[0], 1);
    assert_int_equal(module->view_base, 7);
    assert_has(module, "draw.views[7]");
    assert_has(module, "+ 2u");
    agpu_module_destroy(module);
}

/* Sheet 1.1: bits survive a move; WGSL's constant expressions may be neither NaN nor infinite. */
static void lets_special_immediates_through(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_4_0\n"
                                           ".out SV_Target0 o0.xyzw float\n"
                                           "dcl_output o0.xyzw\n"
                                           "dcl_temps 1\n"
                                           "mul r0.x, l(3e38), l(3e38)\n"
                                           "mov r0.y, l(0x7fa00000)\n"
                                           "mov r0.zw, l(0x7f800000, 0x00000001, 0x7f800000, 0x00000001)\n"
                                           "mov o0.xyzw, r0.xyzw\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, "bitcast<f32>(opaque(0x7f61b1e6u)) * ");
    assert_has(module, "exact(0x7fa00000u)");
    assert_has(module, "var<private> opaque_zero: u32 = 0u;");
    agpu_module_destroy(module);
}

/* What a driver that flushes denormals folds before it knows the other operand: 0 * x, x / huge, x / x. */
static void hides_what_drivers_fold(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_4_0\n"
                                           ".in A0 v0.xyzw float\n"
                                           ".out SV_Target0 o0.xyzw float\n"
                                           "dcl_input_ps linear v0.xyzw\n"
                                           "dcl_output o0.xyzw\n"
                                           "mul o0.x, v0.x, l(0x80400000)\n"
                                           "div o0.y, v0.x, l(0x7f000000)\n"
                                           "div o0.z, v0.x, v0.x\n"
                                           "div o0.w, v0.x, l(0x7e000000)\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, " * exact(0x80400000u)");
    assert_has(module, " / exact(0x7f000000u)");
    assert_has(module, " / keep(");
    assert_null(strstr(module->wgsl, "exact(0x7e000000u)")); /* 1 / 2^125 is normal */
    assert_true(module->uses_draw_block);
    agpu_module_destroy(module);
}

/* A value of unknown origin that is also looked at as an integer stays bits. */
static void keeps_bits_of_unknown_origin(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_4_0\n"
                                           ".out SV_Target0 o0.xyzw float\n"
                                           "dcl_constantbuffer cb0[1], immediateIndexed\n"
                                           "dcl_output o0.xyzw\n"
                                           "dcl_temps 2\n"
                                           "mov r0.xyzw, cb0[0].xyzw\n"
                                           "and r1.xyzw, r0.xyzw, l(255, 255, 255, 255)\n"
                                           "utof r1.xyzw, r1.xyzw\n"
                                           "mad o0.xyzw, r0.xyzw, l(2.0, 2.0, 2.0, 2.0), r1.xyzw\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, "let r0xyzw = cb0[0];");
    assert_has(module, "fma(bitcast<vec4f>(r0xyzw), ");
    agpu_module_destroy(module);
}

/* Sheet 1.3: both results of udiv come from the old operands. */
static void computes_both_results_first(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_4_0\n"
                                           ".in A0 v0.xy uint\n"
                                           ".out SV_Target0 o0.xy uint\n"
                                           "dcl_input_ps constant v0.xy\n"
                                           "dcl_output o0.xy\n"
                                           "dcl_temps 1\n"
                                           "mov r0.xy, v0.xyxx\n"
                                           "udiv r0.x, r0.y, r0.x, r0.y\n"
                                           "mov o0.xy, r0.xyxx\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, "umod(r0xy.x, r0xy.y)");
    assert_has(module, "udiv(r0xy.x, r0xy.y)");
    agpu_module_destroy(module);
}

static void guards_loops_without_exit(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_4_0\n"
                                           ".out SV_Target0 o0.x float\n"
                                           "dcl_output o0.x\n"
                                           "loop\n"
                                           "endloop\n"
                                           "mov o0.x, l(1.0)\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, "if (opaque_zero != 0u) { break; }");
    agpu_module_destroy(module);
}

static void joins_cases_that_fall_through(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_4_0\n"
                                           ".in A0 v0.x uint\n"
                                           ".out SV_Target0 o0.x float\n"
                                           "dcl_constantbuffer cb0[3], immediateIndexed\n"
                                           "dcl_input_ps constant v0.x\n"
                                           "dcl_output o0.x\n"
                                           "dcl_temps 1\n"
                                           "mov r0.x, l(0)\n"
                                           "switch v0.x\n"
                                           "case l(1)\n"
                                           "add r0.x, r0.x, cb0[1].x\n"
                                           "case l(2)\n"
                                           "case l(3)\n"
                                           "add r0.x, r0.x, cb0[2].x\n"
                                           "break\n"
                                           "endswitch\n"
                                           "mov o0.x, r0.x\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, "case 1u, 2u, 3u: {");
    assert_has(module, "case 2u, 3u: {");
    assert_has(module, "default: {");
    assert_int_equal(count_of(module, "cb0[1].x"), 1);
    assert_int_equal(count_of(module, "cb0[2].x"), 1); /* nothing is written twice */
    agpu_module_destroy(module);
}

#define CONSTANTS                                                                                            \
    "vs_4_0\n.in A0 v0.xyzw float\n.out SV_Position0 o0.xyzw float position\n"                               \
    "dcl_constantbuffer cb0[3], immediateIndexed\ndcl_constantbuffer cb1[8], dynamicIndexed\n"               \
    "dcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_temps 2\n"

/* Buffers that only float arithmetic looks at are floats; one integer among them, or one bare move, and all
 * are words. */
static void constants_are_what_is_done_with_them(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate(CONSTANTS "mul r0.xyzw, v0.xyzw, cb0[1].xyzw\nftoi r1.x, v0.x\n"
                            "mad o0.xyzw, r0.xyzw, cb1[r1.x + 1].wzyx, cb0[2].xyzw\nret\n",
                  NULL);
    assert_has(module, "cb0: array<vec4f, 3>");
    assert_has(module, "cb1: array<vec4f, 8>");
    assert_has(module, "fn cb1_load(index: u32) -> vec4f {");
    assert_lacks(module, "bitcast<vec4f>(cb");
    struct agpu_module_statistics statistics;
    struct agpu_shader *shader = shader_from_text(CONSTANTS "mov o0.xyzw, v0.xyzw\nret\n");
    agpu_module_count(module, shader, &statistics);
    assert_int_equal(statistics.instructions, 2);
    assert_int_equal(statistics.bytes, module->wgsl_length);
    agpu_shader_destroy(shader);
    agpu_module_destroy(module);
    module = translate(CONSTANTS
                       "iadd r0.x, cb0[0].w, l(1)\nitof r0.x, r0.x\nmul o0.xyzw, r0.xxxx, cb0[1].xyzw\nret\n",
                       NULL);
    assert_has(module, "cb0: array<vec4u, 2>");
    assert_has(module, "bitcast<vec4f>(cb0[1])");
    agpu_module_destroy(module);
    module = translate(
        CONSTANTS
        "mov r0.xyzw, cb0[1].xyzw\niadd r1.xyzw, r0.xyzw, r0.xyzw\nmul o0.xyzw, r0.xyzw, r1.xyzw\nret\n",
        NULL);
    assert_has(module, "cb0: array<vec4u, 2>");
    agpu_module_destroy(module);
}

/* D3D's ids exclude the base values (sheet 14, D1). */
static void counts_ids_from_zero(void **state)
{
    (void)state;
    struct agpu_module *module = translate("vs_4_0\n"
                                           ".in SV_VertexID0 v0.x uint vertex_id\n"
                                           ".out SV_Position0 o0.xyzw float position\n"
                                           "dcl_input_sgv v0.x, vertex_id\n"
                                           "dcl_output_siv o0.xyzw, position\n"
                                           "utof o0.xyzw, v0.xxxx\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, "vertex_index - draw.base_vertex");
    assert_has(module, "@invariant @builtin(position)");
    assert_non_null(binding_at(module, AG_GROUP_INTERNAL, AG_BINDING_DRAW_BLOCK));
    agpu_module_destroy(module);
}

/* D3D's pixel position has w, WGSL's 1/w. */
static void turns_the_position_round(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_4_0\n"
                                           ".in SV_Position0 v0.xyzw float position\n"
                                           ".out SV_Target0 o0.xyzw float\n"
                                           "dcl_input_ps_siv linear noperspective v0.xyzw, position\n"
                                           "dcl_output o0.xyzw\n"
                                           "mov o0.xyzw, v0.xyzw\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, "1.0 / rasterized.w");
    assert_int_equal(module->inputs[0].system_value, AGPU_SV_POSITION);
    assert_int_equal(module->inputs[0].location, 0xff);
    agpu_module_destroy(module);
}

/* Outputs without a number must not share a name, and a UAV in slot 32 not that of a type. */
static void gives_everything_its_own_name(void **state)
{
    (void)state;
    struct agpu_module *module = translate("ps_5_0\n"
                                           ".out SV_Target0 o0.xyzw float\n"
                                           ".out SV_Coverage0 oMask.x uint\n"
                                           ".out SV_Depth0 oDepth.x float\n"
                                           "dcl_constantbuffer CB0[1], immediateIndexed\n"
                                           "dcl_output o0.xyzw\n"
                                           "dcl_output oMask\n"
                                           "dcl_output oDepth\n"
                                           "mov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\n"
                                           "mov oDepth, cb0[0].w\n"
                                           "mov oMask, cb0[0].z\n"
                                           "ret\n",
                                           NULL);
    assert_has(module, "let o_depthx = bitcast<f32>(cb0[0].w);");
    assert_has(module, "let o_coveragex = cb0[0].z;");
    agpu_module_destroy(module);
    module = translate("cs_5_0\n"
                       "dcl_uav_raw u32\n"
                       "dcl_thread_group 1, 1, 1\n"
                       "store_raw u32.x, l(0), l(1)\n"
                       "ret\n",
                       NULL);
    assert_has(module, "var<storage, read_write> u32_uav:");
    agpu_module_destroy(module);
}

static void follows_target_classes(void **state)
{
    (void)state;
    const char text[] = "ps_4_0\n"
                        ".out SV_Target0 o0.xyzw float\n"
                        ".out SV_Target1 o1.xyzw float\n"
                        "dcl_output o0.xyzw\n"
                        "dcl_output o1.xyzw\n"
                        "mov o0.xyzw, l(1, 2, 3, 4)\n"
                        "mov o1.xyzw, l(1.0, 1.0, 1.0, 1.0)\n"
                        "ret\n";
    struct ag_translate_options options = {.target_classes = {AGPU_TARGET_UINT}, .target_mask = 1};
    struct agpu_module *module = translate(text, &options);
    assert_int_equal(module->output_count, 1);
    assert_int_equal(module->outputs[0].component_type, AGPU_COMPONENT_UINT);
    assert_has(module, "vec4u(1u, 2u, 3u, 4u)");
    agpu_module_destroy(module);
    options = (struct ag_translate_options){.dual_source = true};
    module = translate(text, &options);
    assert_has(module, "@location(0) @blend_src(0)");
    assert_has(module, "@location(0) @blend_src(1)");
    assert_int_equal(module->needs, AGPU_NEED_DUAL_SOURCE_BLENDING);
    agpu_module_destroy(module);
}

static void absent_attributes_read_zero(void **state)
{
    (void)state;
    uint8_t classes[AGPU_MAX_REGISTERS] = {AGPU_ATTRIBUTE_FLOAT, AGPU_ATTRIBUTE_ABSENT};
    const struct ag_translate_options options = {.attribute_classes = classes};
    struct agpu_module *module = translate("vs_4_0\n"
                                           ".in POSITION0 v0.xyzw float\n"
                                           ".in COLOR0 v1.xyzw float\n"
                                           ".out SV_Position0 o0.xyzw float position\n"
                                           "dcl_input v0.xyzw\n"
                                           "dcl_input v1.xyzw\n"
                                           "dcl_output_siv o0.xyzw, position\n"
                                           "div o0.xyzw, v1.xyzw, v1.xyzw\n"
                                           "ret\n",
                                           &options);
    assert_int_equal(module->input_count, 0);
    assert_lacks(module, "v1_");
    assert_has(module, "exact4(vec4u(0u)) / ");
    agpu_module_destroy(module);
}

/* Sheet 2.3: without refactoringAllowed a sum keeps its summands apart; with it, nothing is in the way. */
static void keeps_the_order_of_sums(void **state)
{
    (void)state;
    char text[512];
    const char *const flags[] = {"", "dcl_globalFlags refactoringAllowed\n"};
    for (unsigned i = 0; i < 2; i++) {
        snprintf(
            text, sizeof text,
            "ps_4_0\n.in A0 v0.xyzw float\n.out SV_Target0 o0.xyzw float\n%sdcl_input_ps linear v0.xyzw\n"
            "dcl_output o0.xyzw\ndcl_temps 1\nadd r0.xyzw, v0.xyzw, v0.yxwz\n"
            "add o0.xyzw, r0.xyzw, -v0.yxwz\nret\n",
            flags[i]);
        struct agpu_module *module = translate(text, NULL);
        if (i == 0)
            assert_has(module, "keep4(v0_A0 + v0_A0.yxwz) - ");
        else
            assert_lacks(module, "keep4");
        agpu_module_destroy(module);
    }
}

/* r1 is read once and moves; r0 is read twice, r2 in a loop, and stay. Whoever reads the text has them all.
 */
static void moves_values_to_their_only_reader(void **state)
{
    (void)state;
    static const char text[] =
        "ps_4_0\n.in A0 v0.xyzw float\n.out SV_Target0 o0.xyzw float\ndcl_input_ps linear v0.xyzw\n"
        "dcl_output o0.xyzw\ndcl_temps 4\nmul r0.xyzw, v0.xyzw, v0.yxwz\nexp r1.xyzw, r0.yxwz\n"
        "div r3.xyzw, r0.xyzw, r1.wzyx\nlog r2.xyzw, v0.xyzw\n"
        "loop\nge r0.x, r3.x, l(8.0)\nbreakc_nz r0.x\nadd r3.xyzw, r3.xyzw, r2.xyzw\nendloop\n"
        "mov o0.xyzw, r3.xyzw\nret\n";
    const struct ag_translate_options annotated = {.annotate = true};
    struct agpu_module *module = translate(text, NULL);
    assert_has(module, "let r0xyzw = v0_A0 * v0_A0.yxwz;\n\tvar r3xyzw = r0xyzw / "
                       "fexp4(r0xyzw.yxwz).wzyx;\n\tlet r2xyzw = flog4(v0_A0);\n");
    agpu_module_destroy(module);
    module = translate(text, &annotated);
    assert_has(module, "let r1xyzw = fexp4(r0xyzw.yxwz);");
    agpu_module_destroy(module);
}

/* What is read from memory or from a variable that changes moves only as far as nothing is written. */
static void moves_loads_up_to_the_next_write(void **state)
{
    (void)state;
    struct agpu_module *module = translate(
        "cs_5_0\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 2\ndcl_thread_group 1, 1, 1\n"
        "ld_raw r0.x, vThreadID.x, u0.xxxx\niadd r1.x, r0.x, l(1)\nstore_raw u0.x, l(4), r1.x\n"
        "ld_raw r0.x, vThreadID.x, u0.xxxx\nstore_raw u0.x, l(0), l(7)\niadd r1.x, r0.x, l(2)\n"
        "store_raw u0.x, l(4), r1.x\nmov r0.x, l(0)\nmov r1.x, l(0)\n"
        "loop\nige r0.y, r0.x, l(9)\nbreakc_nz r0.y\n"
        "mov r0.z, r1.x\nimul null, r0.z, r0.z, l(5)\nstore_raw u0.x, r0.x, r0.z\n"
        "mov r0.z, r1.x\niadd r1.x, r1.x, r0.x\nimul null, r0.z, r0.z, l(6)\nstore_raw u0.x, r0.x, r0.z\n"
        "iadd r0.x, r0.x, l(1)\nendloop\nstore_raw u0.x, l(8), r1.x\nret\n",
        NULL);
    assert_has(module, "let r1x = u0_load(thread_id.x) + 1u;\n\tu0_store(4u, r1x);\n");
    assert_has(module, "let r0x = u0_load(thread_id.x);\n\tu0_store(0u, 7u);\n\tlet r1x2 = r0x + 2u;\n");
    assert_has(module, "if (bitcast<i32>(r0x2) >= 9i) {\n");
    assert_has(module, "let r0z = r1x3 * 5u;\n");
    assert_has(module, "let r0z2 = r1x3;\n\t\tr1x3 = r1x3 + r0x2;\n\t\tlet r0z3 = r0z2 * 6u;\n");
    agpu_module_destroy(module);
}

/* A sum with a negated term is a difference, whichever term it is. */
static void writes_sums_of_negated_terms_as_differences(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate("ps_4_0\n.in A0 v0.xyzw float\n.out SV_Target0 o0.xyzw float\ndcl_input_ps linear v0.xyzw\n"
                  "dcl_output o0.xyzw\ndcl_temps 1\nadd r0.x, -v0.x, l(1.0)\nadd r0.y, v0.x, -v0.y\n"
                  "add r0.z, -v0.x, -v0.y\nadd r0.w, -v0.x, l(-1.0)\nmov o0.xyzw, r0.xyzw\nret\n",
                  NULL);
    assert_has(module, "vec4f(1.0 - v0_A0.x, v0_A0.x - v0_A0.y, (-v0_A0.x) - v0_A0.y, -1.0 - v0_A0.x)");
    agpu_module_destroy(module);
}

/* Of several variables in one vector, those that are read nowhere else; outputs like other readers. */
static void moves_values_into_vectors(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate("ps_4_0\n.in A0 v0.xyzw float\n.out SV_Target0 o0.xyzw float\ndcl_input_ps linear v0.xyzw\n"
                  "dcl_output o0.xyzw\ndcl_temps 2\nexp r0.x, v0.y\nlog r0.y, v0.z\nmul r0.zw, v0.xxxy, l(0, "
                  "0, 3.0, 3.0)\n"
                  "div r1.x, r0.y, v0.x\nmul o0.xyzw, r0.xyzw, r1.xxxx\nret\n",
                  NULL);
    assert_has(module, "vec4f(fexp(v0_A0.y), r0y, v0_A0.xy * 3.0) * (r0y / v0_A0.x)");
    assert_lacks(module, "let o0xyzw");
    agpu_module_destroy(module);
}

/* WGSL would compute them when it compiles, and refuse what overflows. */
static void leaves_choices_of_constants_in_variables(void **state)
{
    (void)state;
    struct agpu_module *module = translate(
        "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\ndcl_temps 1\n"
        "movc r0.x, l(1), l(3.0e38), l(1.0)\nmul o0.xyzw, r0.xxxx, l(10.0, 10.0, 10.0, 10.0)\nret\n",
        NULL);
    assert_has(module, "let r0x = select(1.0, 3e+38, true);");
    assert_has(module, "vec4f(r0x) * vec4f(10.0)");
    agpu_module_destroy(module);
}

/* Nothing but names, spaces and what numbers can do without. */
static void is_terse_for_compilers(void **state)
{
    (void)state;
    static const char text[] =
        "ps_4_0\n.in A0 v0.xyzw float\n.out SV_Target0 o0.xyzw float\n"
        "dcl_constantbuffer CB0[1], immediateIndexed\ndcl_input_ps linear v0.xyzw\n"
        "dcl_output o0.xyzw\ndcl_temps 1\n"
        "mul r0.xyzw, v0.xyzw, l(0.5, 1.0, 10.0, -0.25)\nadd r0.xyzw, -r0.yxwz, r0.xyzw\n"
        "mad o0.xyzw, r0.xyzw, r0.wzyx, -cb0[0].xyzw\nret\n";
    const struct ag_translate_options terse = {.is_terse = true},
                                      annotated = {.is_terse = true, .annotate = true};
    struct agpu_module *module = translate(text, &terse);
    assert_has(module, "@fragment\nfn main(@location(0)v0:vec4f)->Output{\n");
    assert_has(module, "=v0*vec4f(.5,1.,10.,-.25);\n");
    assert_lacks(module, "\t");
    assert_lacks(module, "r0xyzw");
    assert_lacks(module, "\n\n");
    assert_int_equal(module->line_count, count_of(module, "\n"));
    agpu_module_destroy(module);
    module = translate(text, &annotated);
    assert_has(module, "r0xyzw2 = ");
    agpu_module_destroy(module);
}

struct terse_case {
    const char *text, *terse;
};

static void assert_terse(char *(*append)(char *to, const struct ag_strbuf *text),
                         const struct terse_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ag_strbuf text = {0};
        char terse[64];
        ag_strbuf_append(&text, cases[i].text);
        *append(terse, &text) = '\0';
        assert_string_equal(terse, cases[i].terse);
        ag_strbuf_fini(&text);
    }
}

static void drops_only_what_separates_nothing(void **state)
{
    (void)state;
    static const struct terse_case cases[] = {
        {"let a = b - -c;\n\tvar d: u32;\n",  "let a=b- -c;\nvar d:u32;\n"    },
        {"a & &b | c - d, e & f\n",           "a& &b|c-d,e&f\n"               },
        {"var<private> x: array<u32> = y;\n", "var<private>x:array<u32> =y;\n"},
        {"x0 * 10.0 + 0.5 - 0.05 * 0.0\n",    "x0*10.+.5-.05*0.\n"            },
        {"0.0625, 100.0e+5, 10.25, v.x0\n",   ".0625,100.0e+5,10.25,v.x0\n"   },
        {"0x00u + 0u, a0.x, 1.0e-05, 20\n",   "0x00u+0u,a0.x,1.0e-05,20\n"    },
        {"    return 0;\n\n}\n",              "return 0;\n}\n"                },
    };
    assert_terse(ag_wgsl_append_terse, cases, sizeof cases / sizeof cases[0]);
}

/* The entry function's text is written without most spaces and zeros: the others of what its writers share
 * are dropped, its lines stay. */
static void drops_spaces_of_the_body(void **state)
{
    (void)state;
    static const struct terse_case cases[] = {
        {"let A=x- -y*z- (w);\n\n",              "let A=x- -y*z-(w);\n\n"         },
        {"return vec4f(A, B, C, 0u);\n",         "return vec4f(A,B,C,0u);\n"      },
        {"if (A) { break; }\nlet a = b & &c;\n", "if(A){break;}\nlet a=b& &c;\n"  },
        {"abcdefgh ijklmnop, qrstuvwx\n",        "abcdefgh ijklmnop,qrstuvwx\n"   },
        {"abcdefg hijklmno pqrstuv (wxyz) {",    "abcdefg hijklmno pqrstuv(wxyz){"},
        {"",                                     ""                               },
    };
    assert_terse(ag_wgsl_append_terse_body, cases, sizeof cases / sizeof cases[0]);
}

/* What is written for compilers has no zeros that say nothing. */
static void writes_short_numbers(void **state)
{
    (void)state;
    const struct ag_translate_options terse = {.is_terse = true};
    struct agpu_module *module =
        translate("ps_4_0\n.in COLOR0 v0.xyzw float\n.out SV_Target0 o0.xyzw float\n"
                  "dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\n"
                  "mad o0.xyzw, v0.xyzw, l(0.5, -0.25, 1.0, -10.0), l(0.0, 100.5, 0.05, 10.0)\nret\n",
                  &terse);
    assert_has(module, "fma(v0,vec4f(.5,-.25,1.,-10.),vec4f(0.,100.5,.05,10.))");
    agpu_module_destroy(module);
}

/* Only the members of the draw block that the text mentions, where they are. */
static void declares_what_it_reads_of_the_draw_block(void **state)
{
    (void)state;
    const struct ag_translate_options terse = {.is_terse = true};
    struct agpu_module *module =
        translate("vs_4_0\n.in ID0 v0.x uint vertex_id\n.in ID1 v1.x uint instance_id\n"
                  ".out SV_Position0 o0.xyzw float position\ndcl_input_sgv v0.x, vertex_id\n"
                  "dcl_input_sgv v1.x, instance_id\ndcl_output_siv o0.xyzw, position\n"
                  "mov o0.x, v0.x\nmov o0.y, v1.x\nmov o0.z, l(0x00000001)\nmov o0.w, l(1.0)\nret\n",
                  &terse);
    assert_has(module,
               "struct DrawBlock{\nbase_vertex:u32,\nbase_instance:u32,\n@size(16)gap0:u32,\nzero:u32,\n}\n");
    agpu_module_destroy(module);
}

/* Drivers make (a * b + d) + c of (a * b + c) + d, which rounds elsewhere. */
static void keeps_the_order_of_fused_sums(void **state)
{
    (void)state;
    struct agpu_module *module = translate(
        "ps_4_0\n.in A0 v0.xyzw float\n.out SV_Target0 o0.xyzw float\ndcl_input_ps linear v0.xyzw\n"
        "dcl_output o0.xyzw\ndcl_temps 2\nmad r0.xyzw, v0.xyzw, v0.yxwz, v0.zwxy\n"
        "mad r1.xyzw, v0.xyzw, v0.xyzw, r0.xyzw\nadd o0.xyzw, r1.xyzw, l(2.5, 2.5, 2.5, 2.5)\nret\n",
        NULL);
    assert_has(module, "keep4(fma(v0_A0, v0_A0.yxwz, v0_A0.zwxy)))");
    assert_has(module, "keep4(fma(v0_A0, v0_A0, keep4(");
    agpu_module_destroy(module);
}

/* D3D11.3 3.2.3.6: NaN becomes 0; WGSL does not say. */
static void stores_no_nan_in_normalised_formats(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate("cs_5_0\ndcl_globalFlags refactoringAllowed\n"
                  "dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u0\n"
                  "dcl_uav_typed_texture2d (float,float,float,float) u1\ndcl_constantbuffer CB0[1], "
                  "immediateIndexed\ndcl_thread_group 1, 1, 1\n"
                  "store_uav_typed u0.xyzw, l(0, 0, 0, 0), cb0[0].xyzw\n"
                  "store_uav_typed u1.xyzw, l(0, 0, 0, 0), cb0[0].xyzw\nret\n",
                  NULL);
    assert_has(module, "textureStore(u0, p0, number4(");
    assert_lacks(module, "textureStore(u1, p1, number4(");
    agpu_module_destroy(module);
}

/* A counter that nothing set before the loop is zero, but not for WGSL's proof. */
static void shares_conditions_on_what_was_never_written(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_temps 1\n"
                  "dcl_thread_group 8, 1, 1\nloop\nuge r0.y, r0.x, l(3)\nbreakc_nz r0.y\n"
                  "iadd r0.x, r0.x, l(1)\nsync_g_t\nendloop\nstore_raw u0.x, l(0), r0.x\nret\n",
                  NULL);
    assert_has(module, "if (shared_decision(");
    agpu_module_destroy(module);
}

/* The size of a level comes from the first one's: lavapipe gives all threads that of one thread's level. */
static void sizes_levels_itself(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate("vs_5_0\n.in A0 v0.x uint\n.out SV_Position0 o0.xyzw float position\n"
                  "dcl_globalFlags refactoringAllowed\ndcl_resource_texture3d (float,float,float,float) t0\n"
                  "dcl_input v0.x\ndcl_output_siv o0.xyzw, position\n"
                  "resinfo_indexable(texture3d)(float,float,float,float)_uint o0.xyzw, v0.x, t0.xyzw\nret\n",
                  NULL);
    assert_has(module, "max(textureDimensions(t0) >> vec3u(level), vec3u(1u))");
    agpu_module_destroy(module);
}

/* A position of which only z and w are declared still has them in their places. */
static void reads_the_position_in_its_place(void **state)
{
    (void)state;
    struct agpu_module *module = translate(
        "ps_4_0\n.in SV_Position0 v0.xyzw float position read=0xc\n.out SV_Target0 o0.xyzw float\n"
        "dcl_globalFlags refactoringAllowed\ndcl_input_ps_siv linear noperspective v0.zw, position\n"
        "dcl_output o0.xyzw\nmul o0.xyzw, v0.zzww, v0.wzwz\nret\n",
        NULL);
    assert_has(module, "position.zzww * position.wzwz");
    agpu_module_destroy(module);
}

/* WGSL takes a structure of inputs for varying, so what a group has in common is a parameter of its own. */
static void knows_that_a_group_has_one_number(void **state)
{
    (void)state;
    struct agpu_module *module =
        translate("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input vThreadGroupID.x\n"
                  "dcl_input vThreadIDInGroupFlattened\ndcl_uav_raw u0\ndcl_temps 1\n"
                  "dcl_thread_group 8, 1, 1\nif_nz vThreadGroupID.x\nsync_g_t\nendif\n"
                  "store_raw u0.x, vThreadIDInGroupFlattened.x, l(1)\nret\n",
                  NULL);
    assert_has(module, "fn main(@builtin(workgroup_id) group_id: vec3u, @builtin(");
    assert_lacks(module, "shared_decision");
    agpu_module_destroy(module);
}

/* WGSL wants proof that a barrier is met by all threads; D3D believes the author. */
static void shares_conditions_around_barriers(void **state)
{
    (void)state;
    const char text[] = "cs_5_0\n"
                        "dcl_globalFlags refactoringAllowed\n"
                        "dcl_uav_raw u0\n"
                        "dcl_temps 1\n"
                        "dcl_tgsm_raw g0, 16\n"
                        "dcl_thread_group 4, 1, 1\n"
                        "ld_raw r0.x, l(0), u0.xxxx\n"
                        "%s"
                        "store_raw g0.x, l(4), r0.x\n"
                        "sync_g_t\n"
                        "%s"
                        "ret\n";
    char made[1024];
    snprintf(made, sizeof made, text, "if_nz r0.x\n", "endif\n");
    struct agpu_module *module = translate(made, NULL);
    assert_has(module, "if (shared_decision(select(0u, 1u, ");
    assert_has(module, "@builtin(local_invocation_index) invocation: u32");
    agpu_module_destroy(module);
    snprintf(made, sizeof made, text, "", "if_nz r0.x\nstore_raw u0.x, l(0), l(1)\nendif\n");
    module = translate(made, NULL);
    assert_lacks(module, "shared_decision");
    assert_int_equal(module->workgroup_bytes, 16);
    assert_int_equal(module->workgroup_size[0], 4);
    assert_true(module->writes_memory);
    agpu_module_destroy(module);
}

/* ---- Refusals ----------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    const char *mnemonic; /* the instruction the diagnostic points at */
    enum agpu_diag_code code;
} refusals[] = {
    {"ps_5_0\n.out SV_Target0 o0.xy float\ndcl_globalFlags enableDoublePrecisionFloatOps\ndcl_output o0.xy\n"
     "dcl_temps 1\nmov r0.xyzw, l(0, 0, 0, 0)\ndadd r0.x, r0.xyxy, r0.zwzw\nmov o0.xy, r0.xyxx\nret\n", "dadd",           AGPU_DIAG_TRANSLATE_OPERAND     },
    {"ps_4_0\n.out SV_Target0 o0.x float\ndcl_output o0.x\nmov o0.x, l(0)\nendif\nret\n",                    "endif",
     AGPU_DIAG_TRANSLATE_FLOW                                                                                                                                  },
    {"ps_4_0\n.out SV_Target0 o0.x float\ndcl_output o0.x\nmov o0.x, l(0)\nbreak\nret\n",                    "break",
     AGPU_DIAG_TRANSLATE_FLOW                                                                                                                                  },
    {"ps_4_0\n.out SV_Target0 o0.x float\ndcl_output o0.x\ndcl_temps 1\nmov o0.x, r1.x\nret\n",              "mov",
     AGPU_DIAG_TRANSLATE_OPERAND                                                                                                                               },
    {"cs_5_1\ndcl_uav_raw U0[1:1], space=0\ndcl_uav_typed_buffer (uint,uint,uint,uint) U1[1:1], space=1\n"
     "dcl_thread_group 1, 1, 1\nret\n",                                                                 "dcl_uav_typed",  AGPU_DIAG_TRANSLATE_RESOURCE    },
    {"ps_4_0\n.out SV_Target0 o0.x float\ndcl_output o0.x\nmov o0.x, cb0[0].x\nret\n",                       "mov",
     AGPU_DIAG_TRANSLATE_RESOURCE                                                                                                                              },
    {"ps_5_0\n.out SV_Target0 o0.x float\ndcl_input vInnerCoverage\ndcl_output o0.x\n"
     "utof o0.x, vInnerCoverage.x\nret\n",                                                              "dcl_input",      AGPU_DIAG_TRANSLATE_SYSTEM_VALUE},
    {"vs_5_0\n.out SV_Position0 o0.xyzw float position\ndcl_uav_raw u0\ndcl_output_siv o0.xyzw, position\n"
     "mov o0.xyzw, l(0, 0, 0, 0)\nstore_raw u0.x, l(0), l(1)\nret\n",                                   "dcl_uav_raw",    AGPU_DIAG_TRANSLATE_RESOURCE    },
    {"cs_5_0\ndcl_uav_typed_texture2dmsarray(4) (uint,uint,uint,uint) u0\ndcl_input vThreadID.xyz\n"
     "dcl_thread_group 1, 1, 1\natomic_iadd u0, vThreadID.xyzz, l(1)\nret\n",                           "dcl_uav_typed",  AGPU_DIAG_TRANSLATE_RESOURCE    },
    {"cs_5_0\ndcl_uav_typed_texturecube (uint,uint,uint,uint) u0\ndcl_input vThreadID.xyz\n"
     "dcl_thread_group 1, 1, 1\nstore_uav_typed u0.xyzw, vThreadID.xyzz, l(1, 1, 1, 1)\nret\n",         "dcl_uav_typed",  AGPU_DIAG_TRANSLATE_RESOURCE    },
 /* WebGPU has the stencil reference of the pass alone. */
    {"ps_5_0\n.out SV_StencilRef oStencilRef.x uint\ndcl_output oStencilRef\nmov oStencilRef, l(1)\nret\n",
     "dcl_output",                                                                                                             AGPU_DIAG_TRANSLATE_SYSTEM_VALUE},
 /* Numbers that would shift or index too far, or be cut to a byte. */
    {"gs_5_0\ndcl_inputprimitive point\ndcl_stream m32771\ndcl_outputtopology pointlist\n"
     "dcl_output_siv o0.xyzw, position\ndcl_maxout 1\nret\n",                                           "dcl_stream",     AGPU_DIAG_TRANSLATE_OPERAND     },
    {"gs_5_0\ndcl_inputprimitive point\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\n"
     "dcl_maxout 1\nemit_stream m4\nret\n",                                                             "emit_stream",    AGPU_DIAG_TRANSLATE_OPERAND     },
    {"vs_5_0\n.out SV_Position0 o0.xyzw float position\ndcl_output_siv o0.xyzw, 257\nret\n",                 "dcl_output_siv",
     AGPU_DIAG_TRANSLATE_SYSTEM_VALUE                                                                                                                          },
 /* Two defaults that fall into one another become one case. The error is at the last one. */
    {"ps_4_0\n.in A0 v0.x uint\n.out SV_Target0 o0.x float\ndcl_input_ps constant v0.x\ndcl_output o0.x\n"
     "mov o0.x, l(0)\nswitch v0.x\ndefault\nmov o0.x, l(1)\ncase l(2)\nmov o0.x, l(2)\ndefault\n"
     "mov o0.x, l(3)\nbreak\nendswitch\nret\n",                                                         "default",        AGPU_DIAG_TRANSLATE_FLOW        },
};

static void says_what_and_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct first_error error = {0};
        const struct agpu_diag_sink sink = {keep_first_error, &error};
        struct agpu_shader *shader = shader_from_text(refusals[i].text);
        struct agpu_module *module;
        uint64_t offset = 0;
        for (uint32_t k = 0; k < shader->program.instruction_count; k++) {
            const struct agpu_instruction *insn = &shader->program.instructions[k];
            if (strcmp(agpu_opcode_info(insn->opcode)->mnemonic, refusals[i].mnemonic) == 0)
                offset = (uint64_t)insn->offset * 4;
        }
        assert_int_equal(ag_translate(shader, NULL, &sink, &module), AGPU_REFUSED);
        assert_null(module);
        assert_string_equal(agpu_diag_slug(error.code), agpu_diag_slug(refusals[i].code));
        assert_int_equal(error.offset, offset);
        agpu_shader_destroy(shader);
    }
}

/* What a vertex shader stores it stores in a compute pass (decision L17). */
static void vertex_shaders_store_in_compute(void **state)
{
    (void)state;
    const struct ag_translate_options options = {.flavour = AGPU_FLAVOUR_VERTEX_AS_COMPUTE};
    struct agpu_module *module =
        translate("vs_5_0\n.out SV_Position0 o0.xyzw float position\ndcl_uav_raw u0\n"
                  "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0, 0, 0, 0)\n"
                  "store_raw u0.x, l(0), l(1)\nret\n",
                  &options);
    assert_has(module, "@compute");
    assert_true(module->writes_memory);
    agpu_module_destroy(module);
}

static void keep_first_warning(void *user, const struct agpu_diag *diag)
{
    struct first_error *first = user;
    if (diag->severity == AGPU_WARNING && first->count++ == 0) {
        first->code = diag->code;
        first->offset = diag->place.offset;
    }
}

/* What has no effect here is a warning with the place of its instruction (decision D20). */
static void warns_of_what_has_no_effect(void **state)
{
    (void)state;
    struct first_error warning = {0};
    const struct agpu_diag_sink sink = {keep_first_warning, &warning};
    struct agpu_shader *shader =
        shader_from_text("ps_5_0\n.out SV_Target0 o0.x float\ndcl_input vCycleCounter.x\n"
                         "dcl_output o0.x\nutof o0.x, vCycleCounter.x\nret\n");
    struct agpu_module *module;
    assert_int_equal(agpu_translate(shader, NULL, &sink, &module), AGPU_OK);
    assert_int_equal(warning.count, 1);
    assert_int_equal(warning.code, AGPU_DIAG_TRANSLATE_IGNORED);
    assert_int_equal(warning.offset, (uint64_t)shader->program.instructions[0].offset * 4);
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
}

static void refuses_uses_that_do_not_fit(void **state)
{
    (void)state;
    struct agpu_shader *shader = shader_from_text(textured);
    struct agpu_module *module;
    const struct ag_translate_options options = {.flavour = AGPU_FLAVOUR_VERTEX};
    assert_int_equal(ag_translate(shader, &options, NULL, &module), AGPU_REFUSED);
    assert_null(module);
    agpu_shader_destroy(shader);
}

/* What the guest binds has numbers below 240, what the translator adds from there on, and all are below the
 * 1,000 that every device of WebGPU has in a group. */
static void binding_numbers_fit_a_group(void **state)
{
    (void)state;
    assert_true(AG_BINDING_CBUFFER + 14 <= AG_BINDING_TEXTURE);
    assert_true(AG_BINDING_TEXTURE + 128 <= AG_BINDING_SAMPLER);
    assert_true(AG_BINDING_SAMPLER + 16 <= AG_BINDING_UAV);
    assert_true(AG_BINDING_UAV + 64 <= AG_BINDING_STAGE_INTERNAL);
    assert_int_equal(AG_BINDING_STAGE_INTERNAL, 240);
    assert_true(AG_BINDING_TEXTURE_ARRAYS + AG_TEXTURE_ARRAYS < AG_BINDING_PLAIN_TEXTURES);
    assert_true(AG_BINDING_PLAIN_TEXTURES + 128 <= AG_BINDING_POINT_SAMPLERS);
    assert_true(AG_BINDING_POINT_SAMPLERS + 16 <= 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binds_only_what_is_used),
        cmocka_unit_test(traces_lines_to_instructions),
        cmocka_unit_test(gives_the_same_text_twice),
        cmocka_unit_test(reads_indexed_constants_within_bounds),
        cmocka_unit_test(lets_special_immediates_through),
        cmocka_unit_test(hides_what_drivers_fold),
        cmocka_unit_test(keeps_bits_of_unknown_origin),
        cmocka_unit_test(computes_both_results_first),
        cmocka_unit_test(guards_loops_without_exit),
        cmocka_unit_test(joins_cases_that_fall_through),
        cmocka_unit_test(constants_are_what_is_done_with_them),
        cmocka_unit_test(counts_ids_from_zero),
        cmocka_unit_test(turns_the_position_round),
        cmocka_unit_test(gives_everything_its_own_name),
        cmocka_unit_test(follows_target_classes),
        cmocka_unit_test(absent_attributes_read_zero),
        cmocka_unit_test(keeps_the_order_of_sums),
        cmocka_unit_test(keeps_the_order_of_fused_sums),
        cmocka_unit_test(moves_values_to_their_only_reader),
        cmocka_unit_test(moves_loads_up_to_the_next_write),
        cmocka_unit_test(writes_sums_of_negated_terms_as_differences),
        cmocka_unit_test(moves_values_into_vectors),
        cmocka_unit_test(leaves_choices_of_constants_in_variables),
        cmocka_unit_test(is_terse_for_compilers),
        cmocka_unit_test(drops_only_what_separates_nothing),
        cmocka_unit_test(drops_spaces_of_the_body),
        cmocka_unit_test(writes_short_numbers),
        cmocka_unit_test(declares_what_it_reads_of_the_draw_block),
        cmocka_unit_test(knows_that_a_group_has_one_number),
        cmocka_unit_test(reads_the_position_in_its_place),
        cmocka_unit_test(sizes_levels_itself),
        cmocka_unit_test(shares_conditions_on_what_was_never_written),
        cmocka_unit_test(stores_no_nan_in_normalised_formats),
        cmocka_unit_test(shares_conditions_around_barriers),
        cmocka_unit_test(says_what_and_where),
        cmocka_unit_test(vertex_shaders_store_in_compute),
        cmocka_unit_test(warns_of_what_has_no_effect),
        cmocka_unit_test(refuses_uses_that_do_not_fit),
        cmocka_unit_test(binding_numbers_fit_a_group),
    };
    return cmocka_run_group_tests_name("wgsl/translate", tests, NULL, NULL);
}
