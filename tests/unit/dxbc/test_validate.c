/* SPDX-License-Identifier: MIT
 *
 * What the validator refuses: for each code, programs with one mistake each.
 */
#include "support.h"

#include "base/bytes.h"

struct mistake {
    const char *text;
    const char *at; /* the mnemonic of the instruction that is reported; "" for the program as a whole */
};

/* A signature-less shader from assembly: its token stream alone. */
static struct agpu_shader *bare_shader(const char *text)
{
    struct last_diag last;
    struct agpu_shader *container = shader_of(text, &last), *shader;
    assert_int_equal(agpu_shader_parse_tokens(container->program.tokens,
                                              (size_t)container->program.token_count * 4, NULL, NULL,
                                              &shader),
                     AGPU_OK);
    agpu_shader_destroy(container);
    return shader;
}

static const char *mnemonic_at(const struct agpu_program *program, uint64_t offset)
{
    for (uint32_t i = 0; i < program->instruction_count; i++)
        if ((uint64_t)program->instructions[i].offset * 4 == offset)
            return agpu_opcode_info(program->instructions[i].opcode)->mnemonic;
    return "";
}

static void assert_mistakes(const char *slug, const struct mistake *mistakes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct last_diag last;
        const struct agpu_diag_sink sink = sink_of(&last);
        struct agpu_shader *shader = bare_shader(mistakes[i].text);
        const enum agpu_status status = agpu_validate(shader, &sink);
        if (status != AGPU_REFUSED || last.errors != 1 || strcmp(agpu_diag_slug(last.diag.code), slug) != 0)
            fail_msg("%s: %u errors, the last %s: %s in\n%s", slug, last.errors,
                     last.errors == 0 ? "none" : agpu_diag_slug(last.diag.code), last.message,
                     mistakes[i].text);
        const char *at = mnemonic_at(&shader->program, last.diag.place.offset);
        if (strcmp(at, mistakes[i].at) != 0)
            fail_msg("%s at '%s' instead of '%s': %s in\n%s", slug, at, mistakes[i].at, last.message,
                     mistakes[i].text);
        agpu_shader_destroy(shader);
    }
}

#define ASSERT_MISTAKES(slug, ...)                                                                           \
    do {                                                                                                     \
        static const struct mistake mistakes[] = {__VA_ARGS__};                                              \
        assert_mistakes((slug), mistakes, AG_COUNT_OF(mistakes));                                            \
    } while (0)

static void assert_valid(const char *text)
{
    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    struct agpu_shader *shader = bare_shader(text);
    if (agpu_validate(shader, &sink) != AGPU_OK)
        fail_msg("%s: %s in\n%s", agpu_diag_slug(last.diag.code), last.message, text);
    assert_int_equal(last.errors, 0);
    agpu_shader_destroy(shader);
}

#define CS "cs_5_0\ndcl_thread_group 1, 1, 1\n"
#define GS "gs_5_0\ndcl_inputprimitive triangle\n"
#define HS                                                                                                   \
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"                  \
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"                 \
    "dcl_tessellator_output_primitive output_triangle_cw\n"

static void sound_programs_pass(void **state)
{
    (void)state;
    assert_valid("vs_4_0\ndcl_input v0.xyz\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, v0.y\n"
                 "mov o0.xyzw, r0.xxxx\nret\n");
    assert_valid(CS "sync_g_t\nret\n");
    /* What an index cannot reach need not be declared, in a range or as its base. */
    assert_valid("vs_5_0\ndcl_input v0.x\ndcl_output o1.x\ndcl_output o4.x\ndcl_temps 1\n"
                 "dcl_indexrange o1.x 4\nmov o[r0.x + 1].x, v0.x\nmov o[r0.x + 3].x, v0.x\nret\n");
    assert_valid(GS "dcl_stream m0\ndcl_outputtopology trianglestrip\ndcl_output o0.xyzw\ndcl_maxout 3\n"
                    "mov o0.xyzw, l(0,0,0,0)\nemit_stream m0\ncut_stream m0\nret\n");
    assert_valid(HS
                 "hs_fork_phase\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\nmov o0.x, l(1.0)\nret\n");
    /* A domain shader that reads no control points; compilers declare tbuffers as mixed. */
    assert_valid("ds_5_0\ndcl_input_control_point_count 0\ndcl_tessellator_domain domain_tri\nret\n");
    assert_valid("ps_4_0\ndcl_resource_buffer (mixed,mixed,mixed,mixed) t0\ndcl_temps 1\n"
                 "ld r0.xyzw, l(0, 0, 0, 0), t0.xyzw\nret\n");
    /* Compilers make it of abort() for every model that they have. */
    assert_valid("ps_4_0\ndcl_input_ps linear v0.x\nif_nz v0.x\nabort\nendif\nret\n");
    assert_valid(
        "ps_4_0\ndcl_temps 1\nswitch r0.x\ncase l(1)\nmov r0.y, l(1)\nbreak\ndefault\nbreak\nendswitch\n"
        "loop\nif_nz r0.x\nbreak\nelse\ncontinue\nendif\nendloop\nret\n");
}

static void undeclared_registers(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.undeclared", {"ps_4_0\ndcl_temps 2\nmov r2.x, l(1.0)\nret\n", "mov"},
        {"ps_4_0\ndcl_temps 1\nmov r0.x, r1.x\nret\n", "mov"},
        {"ps_4_0\ndcl_temps 1\nmov r0.x, v0.x\nret\n", "mov"},
        {"ps_4_0\ndcl_input_ps linear v0.xy\ndcl_temps 1\nmov r0.x, v0.z\nret\n", "mov"},
        {"ps_4_0\nmov o0.x, l(1.0)\nret\n", "mov"},
        {"ps_4_0\ndcl_output o0.xy\nmov o0.xyz, l(1.0, 1.0, 1.0, 1.0)\nret\n", "mov"},
        {"ps_4_0\nmov oDepth, l(1.0)\nret\n", "mov"},
        {"ps_4_0\ndcl_temps 1\nmov r0.x, x0[0].x\nret\n", "mov"},
        {"ps_4_0\ndcl_temps 1\nmov r0.x, cb0[0].x\nret\n", "mov"},
        {"ps_4_0\ndcl_temps 1\nmov r0.x, icb[r0.x + 0].x\nret\n", "mov"},
        {"ps_4_0\ndcl_temps 1\ndcl_sampler s0, mode_default\nsample r0.xyzw, r0.xyxx, t0.xyzw, s0\nret\n",
         "sample"},
        {"ps_4_0\ndcl_temps 1\ndcl_resource_texture2d (float,float,float,float) t0\n"
         "sample r0.xyzw, r0.xyxx, t0.xyzw, s0\nret\n",
         "sample"},
        {CS "dcl_temps 1\nstore_raw u0.x, r0.x, r0.x\nret\n", "store_raw"},
        {CS "dcl_temps 1\nstore_raw g0.x, r0.x, r0.x\nret\n", "store_raw"},
        {CS "dcl_temps 1\nmov r0.x, vThreadID.x\nret\n", "mov"},
        {CS "dcl_temps 1\ndcl_input vThreadID.x\nmov r0.x, vThreadID.y\nret\n", "mov"},
        {GS "dcl_maxout 1\nemit_stream m1\nret\n", "emit_stream"},
        {"vs_4_0\ndcl_input v0.x\ndcl_indexrange v0.x 2\nret\n", "dcl_indexrange"},
        {"vs_5_0\ndcl_output o1.x\ndcl_output o4.x\ndcl_indexrange o1.x 4\nmov o3.x, l(1.0)\nret\n", "mov"});
}

static void redeclared_registers(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.redeclared", {"ps_4_0\ndcl_temps 1\ndcl_temps 2\nret\n", "dcl_temps"},
        {"vs_4_0\ndcl_input v0.xy\ndcl_input v0.yz\nret\n", "dcl_input"},
        {"ps_4_0\ndcl_output oDepth\ndcl_output oDepth\nret\n", "dcl_output"},
        {"ps_4_0\ndcl_sampler s1, mode_default\ndcl_sampler s1, mode_default\nret\n", "dcl_sampler"},
        {"ps_4_0\ndcl_indexableTemp x0[4], 4\ndcl_indexableTemp x0[2], 4\nret\n", "dcl_indexableTemp"},
        {CS "dcl_thread_group 2, 1, 1\nret\n", "dcl_thread_group"},
        {"ps_4_0\ndcl_immediateConstantBuffer { { 1, 0, 0, 0} }\n"
         "dcl_immediateConstantBuffer { { 1, 0, 0, 0} }\nret\n",
         "customdata"});
}

static void registers_beyond_the_model(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.register-range",
                    {"ps_4_0\ndcl_constantbuffer CB14[1], immediateIndexed\nret\n", "dcl_constantbuffer"},
                    {"ps_4_0\ndcl_sampler s16, mode_default\nret\n", "dcl_sampler"},
                    {"ps_4_0\ndcl_resource_texture2d (float,float,float,float) t128\nret\n", "dcl_resource"},
                    {"cs_4_0\ndcl_uav_raw u1\ndcl_thread_group 1, 1, 1\nret\n", "dcl_uav_raw"},
                    {"vs_4_0\ndcl_input v16.x\nret\n", "dcl_input"},
                    {"ps_4_0\ndcl_input_ps linear v32.x\nret\n", "dcl_input_ps"},
                    {"ps_5_0\ndcl_output o8.x\nret\n", "dcl_output"});
}

static void indices(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.index",
        {"ps_4_0\ndcl_constantbuffer CB0[2], immediateIndexed\ndcl_temps 1\nmov r0.x, cb0[2].x\nret\n",
         "mov"},
        {"ps_4_0\ndcl_temps 1\ndcl_indexableTemp x0[4], 4\nmov r0.x, x0[4].x\nret\n", "mov"},
        {"vs_4_0\ndcl_input v0.x\ndcl_input v1.x\ndcl_temps 1\nmov r0.x, v[r0.x + 0].x\nret\n", "mov"},
        {GS "dcl_input v[3][0].x\ndcl_temps 1\ndcl_maxout 1\nmov r0.x, v[3][0].x\nret\n", "mov"},
        {"ps_4_0\ndcl_constantbuffer CB0[2], dynamicIndexed\ndcl_output o0.x\ndcl_temps 1\n"
         "mov r0.x, cb0[o0.x + 0].x\nret\n",
         "mov"});
}

static void values_of_declarations(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.declaration",
        {"ps_4_0\ndcl_constantbuffer CB0[4097], immediateIndexed\nret\n", "dcl_constantbuffer"},
        {"ps_5_0\ndcl_resource_structured t0, 2052\nret\n", "dcl_resource_structured"},
        {"ps_5_0\ndcl_resource_structured t0, 6\nret\n", "dcl_resource_structured"},
        {"ps_5_0\ndcl_uav_typed_texturecube (float,float,float,float) u0\nret\n", "dcl_uav_typed"},
        {"ps_4_0\ndcl_resource_texture2d (float,float,float,0) t0\nret\n", "dcl_resource"},
        {"ps_4_0\ndcl_indexableTemp x0[4], 5\nret\n", "dcl_indexableTemp"},
        {"ps_4_0\ndcl_input_ps undefined v0.x\nret\n", "dcl_input_ps"},
        {"gs_5_0\ndcl_inputprimitive undefined\ndcl_maxout 1\nret\n", "dcl_inputprimitive"},
        {GS "dcl_outputtopology trianglelist\ndcl_maxout 1\nret\n", "dcl_outputtopology"},
        {GS "dcl_maxout 1025\nret\n", "dcl_maxout"},
        {GS "dcl_maxout 1\ndcl_gsinstances 33\nret\n", "dcl_gsinstances"},
        {GS "dcl_stream m4\ndcl_maxout 1\nret\n", "dcl_stream"},
        {"ds_5_0\ndcl_input_control_point_count 33\ndcl_tessellator_domain domain_tri\nret\n",
         "dcl_input_control_point_count"},
        {"hs_5_0\nhs_decls\ndcl_input_control_point_count 0\ndcl_output_control_point_count 0\n"
         "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
         "dcl_tessellator_output_primitive output_triangle_cw\nhs_fork_phase\nret\n",
         "dcl_input_control_point_count"},
        {"ds_5_0\ndcl_input_control_point_count 3\ndcl_tessellator_domain domain_undefined\nret\n",
         "dcl_tessellator_domain"},
        {HS "dcl_hs_max_tessfactor l(65.0)\nhs_fork_phase\nret\n", "dcl_hs_max_tessfactor"},
        {"vs_4_0\ndcl_input o0.x\nret\n", "dcl_input"});
}

static void order_of_declarations(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.declaration-order",
        {"ps_4_0\ndcl_temps 1\nmov r0.x, l(1.0)\ndcl_sampler s0, mode_default\nret\n", "dcl_sampler"},
        {"ps_4_0\ndcl_temps 1\ndcl_globalFlags refactoringAllowed\nret\n", "dcl_globalFlags"});
}

static void missing_declarations(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.missing-declaration", {"cs_5_0\nret\n", ""}, {"gs_5_0\ndcl_maxout 1\nret\n", ""},
                    {"gs_5_0\ndcl_inputprimitive point\nret\n", ""},
                    {"ds_5_0\ndcl_input_control_point_count 3\nret\n", ""},
                    {"ds_5_0\ndcl_tessellator_domain domain_tri\nret\n", ""});
}

static void destinations(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.destination", {"vs_4_0\ndcl_input v0.x\nmov v0.x, l(1.0)\nret\n", "mov"},
        {"vs_4_0\ndcl_constantbuffer CB0[1], immediateIndexed\nmov cb0[0].x, l(1.0)\nret\n", "mov"},
        {"vs_4_0\nmov null, l(1.0)\nret\n", "mov"},
        {"vs_5_0\ndcl_temps 1\nuaddc null, r0.x, r0.x, r0.x\nret\n", "uaddc"});
}

static void sources(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.source", {"vs_4_0\ndcl_output o0.x\ndcl_temps 1\nmov r0.x, o0.x\nret\n", "mov"},
                    {"vs_4_0\ndcl_temps 1\nmov r0.x, null\nret\n", "mov"},
                    {"ps_4_0\ndcl_temps 1\ndcl_resource_texture2d (float,float,float,float) t0\n"
                     "mov r0.x, t0.x\nret\n",
                     "mov"},
                    {"ps_5_0\ndcl_globalFlags enableDoublePrecisionFloatOps\ndcl_temps 1\n"
                     "dadd r0.xy, r0.xyxy, l(1.0, 1.0, 1.0, 1.0)\nret\n",
                     "dadd"});
}

static void modifiers(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.modifier", {"vs_4_0\ndcl_temps 1\nand r0.x, -r0.x, r0.y\nret\n", "and"},
                    {"vs_4_0\ndcl_temps 1\niadd r0.x, |r0.x|, r0.y\nret\n", "iadd"},
                    {"vs_4_0\ndcl_temps 1\nmovc r0.x, -r0.x, r0.y, r0.z\nret\n", "movc"},
                    {"vs_4_0\ndcl_temps 1\nif_nz -r0.x\nendif\nret\n", "if"});
    assert_valid("vs_4_0\ndcl_temps 1\niadd r0.x, -r0.x, r0.y\nmov r0.x, -|r0.x|\nret\n");
}

static void resources(void **state)
{
    (void)state;
#define PS_S "ps_5_0\ndcl_temps 1\ndcl_sampler s0, mode_default\n"
    ASSERT_MISTAKES(
        "dxbc.resource",
        {PS_S "dcl_resource_buffer (float,float,float,float) t0\nsample r0.xyzw, r0.xyxx, t0.xyzw, s0\nret\n",
         "sample"},
        {PS_S "dcl_resource_texture2d (float,float,float,float) t0\n"
              "sample_c_lz r0.x, r0.xyxx, t0.xxxx, s0, r0.x\nret\n",
         "sample_c_lz"},
        {PS_S "dcl_resource_texturecube (float,float,float,float) t0\nld r0.xyzw, r0.xyzw, t0.xyzw\nret\n",
         "ld"},
        {PS_S
         "dcl_resource_texture2d (float,float,float,float) t0\nldms r0.xyzw, r0.xyzw, t0.xyzw, l(0)\nret\n",
         "ldms"},
        {PS_S "dcl_resource_raw t0\nresinfo r0.xyzw, l(0), t0.xyzw\nret\n", "resinfo"},
        {PS_S "dcl_resource_texture2d (float,float,float,float) t0\nbufinfo r0.x, t0.x\nret\n", "bufinfo"},
        {PS_S "dcl_resource_structured t0, 16\nld_raw r0.x, r0.x, t0.x\nret\n", "ld_raw"},
        {PS_S "dcl_resource_raw t0\nld_structured r0.x, r0.x, l(0), t0.x\nret\n", "ld_structured"},
        {PS_S "dcl_resource_texture3d (float,float,float,float) t0\ngather4 r0.xyzw, r0.xyxx, t0.xyzw, "
              "s0.x\nret\n",
         "gather4"},
        {PS_S "dcl_resource_texturecube (float,float,float,float) t0\n"
              "sample_aoffimmi(1,0,0) r0.xyzw, r0.xyzx, t0.xyzw, s0\nret\n",
         "sample"},
        {PS_S "dcl_resource_raw t0\nstore_raw t0.x, r0.x, r0.x\nret\n", "store_raw"},
        {PS_S "dcl_uav_raw u0\nimm_atomic_alloc r0.x, u0\nret\n", "imm_atomic_alloc"});
}

static void stages(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.stage", {"vs_4_0\ndcl_output oDepth\nret\n", "dcl_output"},
        {CS "dcl_output o0.x\nret\n", "dcl_output"}, {"vs_5_0\ndcl_input vThreadID.x\nret\n", "dcl_input"},
        {"vs_5_0\ndcl_input vicp[3][0].x\nret\n", "dcl_input"}, {"ps_5_0\nsync_g_t\nret\n", "sync"},
        {HS "hs_fork_phase\ndcl_input v[3][0].x\nret\n", "dcl_input"},
        {HS "hs_fork_phase\ndcl_input vJoinInstanceID\nret\n", "dcl_input"});
}

static void features(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.feature", {"ps_5_0\ndcl_temps 1\ndadd r0.xy, r0.xyxy, r0.xyxy\nret\n", "dadd"},
                    {"ps_5_0\ndcl_temps 1\nddiv r0.xy, r0.xyxy, r0.xyxy\nret\n", "ddiv"},
                    {"ps_5_0\ndcl_temps 1\nmsad r0.x, r0.x, r0.x, r0.x\nret\n", "msad"},
                    {"ps_4_0\ndcl_resource_raw t0\nret\n", "dcl_resource_raw"},
                    {"ps_5_0\ndcl_temps 1\nmov r0.x {min16f}, r0.x {min16f}\nret\n", "mov"});
}

static void component_counts(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.components",
                    {"ps_5_0\ndcl_globalFlags enableDoublePrecisionFloatOps\ndcl_temps 1\n"
                     "dadd r0.xyz, r0.xyxy, r0.xyxy\nret\n",
                     "dadd"},
                    {"ps_4_0\ndcl_temps 1\ndcl_indexableTemp x0[4], 2\nmov x0[0].z, l(1.0)\nret\n", "mov"});
    /* The assembler gives every operand its shape, so the others are tokens: mov r0, r0 and dcl_input v0. */
    static const uint32_t no_components[] = {VS_4_0,     11, 0x02000068, 1, 0x05000036,
                                             0x00100012, 0,  0x00100000, 0, 0x0100003e};
    static const uint32_t masked_source[] = {VS_4_0,     11, 0x02000068, 1, 0x05000036,
                                             0x00100012, 0,  0x00100012, 0, 0x0100003e};
    static const uint32_t empty_mask[] = {VS_4_0,     11, 0x02000068, 1, 0x05000036,
                                          0x00100002, 0,  0x0010000a, 0, 0x0100003e};
    static const uint32_t *const streams[] = {no_components, masked_source, empty_mask};
    for (size_t i = 0; i < AG_COUNT_OF(streams); i++) {
        struct last_diag last;
        const struct agpu_diag_sink sink = sink_of(&last);
        struct agpu_shader *shader;
        uint32_t tokens[10];
        memcpy(tokens, streams[i], sizeof tokens);
        tokens[1] = 10;
        assert_int_equal(agpu_shader_parse_tokens(tokens, sizeof tokens, NULL, NULL, &shader), AGPU_OK);
        assert_int_equal(agpu_validate(shader, &sink), AGPU_REFUSED);
        assert_int_equal(last.errors, 1);
        assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.components");
        assert_int_equal(last.diag.place.offset, 16);
        agpu_shader_destroy(shader);
    }
}

static void nesting(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.nesting", {"ps_4_0\nelse\nret\n", "else"}, {"ps_4_0\nendif\nret\n", "endif"},
                    {"ps_4_0\nendloop\nret\n", "endloop"}, {"ps_4_0\nendswitch\nret\n", "endswitch"},
                    {"ps_4_0\nif_nz l(1)\nelse\nelse\nendif\nret\n", "else"}, {"ps_4_0\nloop\nret\n", "loop"},
                    {"ps_4_0\nif_nz l(1)\nret\nlabel l0\nret\n", "if"});
}

static void jumps(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.jump", {"ps_4_0\nbreak\nret\n", "break"}, {"ps_4_0\nbreakc_nz l(1)\nret\n", "breakc"},
        {"ps_4_0\ncontinue\nret\n", "continue"},
        {"ps_4_0\nswitch l(1)\ncase l(1)\ncontinuec_z l(1)\nbreak\nendswitch\nret\n", "continuec"});
}

static void cases(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.case", {"ps_4_0\ncase l(1)\nret\n", "case"}, {"ps_4_0\ndefault\nret\n", "default"},
                    {"ps_4_0\nswitch l(1)\ncase l(1)\nbreak\ncase l(1)\nbreak\nendswitch\nret\n", "case"},
                    {"ps_4_0\nswitch l(1)\ndefault\nbreak\ndefault\nbreak\nendswitch\nret\n", "default"},
                    {"ps_4_0\ndcl_temps 1\nswitch l(1)\ncase r0.x\nbreak\nendswitch\nret\n", "case"},
                    {"ps_4_0\nswitch l(1)\nnop\ncase l(1)\nbreak\nendswitch\nret\n", "nop"});
}

static void labels(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.label", {"ps_4_0\ncall l3\nret\n", "call"},
                    {"ps_4_0\ncallc_nz l(1), l3\nret\nlabel l2\nret\n", "callc"},
                    {"ps_4_0\nret\nlabel l0\nret\nlabel l0\nret\n", "label"},
                    {"ps_5_0\nfcall fp0[0][0]\nret\n", "fcall"});
    assert_valid("ps_4_0\ncall l0\nret\nlabel l0\nret\n");
}

static void ends(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.return", {"ps_4_0\nnop\n", "nop"}, {"ps_4_0\nnop\nlabel l0\nret\n", "label"},
                    {HS "hs_control_point_phase\nnop\nhs_fork_phase\nret\n", "hs_fork_phase"});
}

static void phases(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.phase", {HS "hs_join_phase\nret\nhs_fork_phase\nret\n", "hs_fork_phase"},
        {HS "hs_control_point_phase\nret\nhs_control_point_phase\nret\n", "hs_control_point_phase"},
        {HS "nop\nhs_fork_phase\nret\n", "nop"}, {HS "hs_fork_phase\nret\nhs_decls\nret\n", "hs_decls"});
}

static void thread_groups(void **state)
{
    (void)state;
    ASSERT_MISTAKES("dxbc.thread-group", {"cs_5_0\ndcl_thread_group 1025, 1, 1\nret\n", "dcl_thread_group"},
                    {"cs_5_0\ndcl_thread_group 32, 33, 1\nret\n", "dcl_thread_group"},
                    {"cs_5_0\ndcl_thread_group 1, 1, 65\nret\n", "dcl_thread_group"},
                    {"cs_5_0\ndcl_thread_group 0, 1, 1\nret\n", "dcl_thread_group"},
                    {"cs_4_0\ndcl_thread_group 1, 1, 2\nret\n", "dcl_thread_group"},
                    {"cs_4_0\ndcl_thread_group 769, 1, 1\nret\n", "dcl_thread_group"});
    assert_valid("cs_5_0\ndcl_thread_group 32, 32, 1\nret\n");
}

static void limits(void **state)
{
    (void)state;
    ASSERT_MISTAKES(
        "dxbc.limit", {"ps_4_0\ndcl_temps 4097\nret\n", "dcl_temps"},
        {"ps_4_0\ndcl_temps 4000\ndcl_indexableTemp x0[97], 4\nret\n", "dcl_indexableTemp"},
        {CS "dcl_tgsm_raw g0, 32772\nret\n", "dcl_tgsm_raw"},
        {CS "dcl_tgsm_raw g0, 32768\ndcl_tgsm_structured g1, 4, 1\nret\n", "dcl_tgsm_structured"},
        {"cs_4_0\ndcl_tgsm_structured g0, 16, 1025\ndcl_thread_group 1, 1, 1\nret\n", "dcl_tgsm_structured"});
    char text[2048] = "ps_4_0\n";
    for (int i = 0; i < 65; i++)
        strcat(text, "loop\n");
    for (int i = 0; i < 65; i++)
        strcat(text, "endloop\n");
    strcat(text, "ret\n");
    const struct mistake deep = {text, "loop"};
    assert_mistakes("dxbc.limit", &deep, 1);
}

/* Containers: the signatures must have what is declared. */
static void signatures_agree(void **state)
{
    (void)state;
    static const struct {
        const char *text, *slug;
    } cases[] = {
        {"vs_4_0\n.in A0 v0.xy float\ndcl_input v0.xyz\nret\n",                                       "dxbc.signature-mismatch"},
        {"vs_4_0\n.out A0 o0.xy float\ndcl_output o1.x\nret\n",                                       "dxbc.signature-mismatch"},
        {"vs_4_0\n.out A0 o0.xyzw float\ndcl_output_siv o0.xyzw, position\nret\n",                    "dxbc.signature-mismatch"},
        {"vs_4_0\n.in SV_VertexID0 v0.x uint vertex_id\ndcl_input_sgv v0.x, instance_id\nret\n",
         "dxbc.signature-mismatch"                                                                                             },
        {GS ".out A0 o0.xyzw float\ndcl_stream m1\ndcl_output o0.xyzw\ndcl_maxout 1\nret\n",
         "dxbc.signature-mismatch"                                                                                             },
        {"vs_4_0\n.in A0 v0.xy float\n.in B0 v0.yz float\nret\n",                                     "dxbc.signature"         },
        {"vs_4_0\n.in A0 v40.xy float\nret\n",                                                        "dxbc.signature"         },
        {"vs_4_0\n.in A0 v0.xy float\ndcl_input v0.xy\nret\n",                                        NULL                     },
        {GS ".out A0 o0.xyzw float stream=1\ndcl_stream m1\ndcl_output o0.xyzw\ndcl_maxout 1\nret\n", NULL                     },
        {HS ".patch SV_TessFactor0 o0.x float tri_edge_tess_factor\nhs_fork_phase\n"
            "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\nmov o0.x, l(1.0)\nret\n",      NULL                     },
    };
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        struct last_diag last;
        const struct agpu_diag_sink sink = sink_of(&last);
        uint8_t *bytes;
        size_t size;
        struct agpu_shader *shader;
        if (agpu_assemble(cases[i].text, strlen(cases[i].text), &sink, &bytes, &size) != AGPU_OK)
            fail_msg("%s in\n%s", last.message, cases[i].text);
        assert_int_equal(agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, NULL, &shader), AGPU_OK);
        const enum agpu_status status = agpu_validate(shader, &sink);
        if (status != (cases[i].slug == NULL ? AGPU_OK : AGPU_REFUSED) ||
            last.errors != (cases[i].slug != NULL) ||
            (cases[i].slug != NULL && strcmp(agpu_diag_slug(last.diag.code), cases[i].slug) != 0))
            fail_msg("%u errors, %s in\n%s", last.errors, last.message, cases[i].text);
        agpu_shader_destroy(shader);
        agpu_free(bytes);
    }
}

static void offsets_count_from_the_container(void **state)
{
    (void)state;
    static const char text[] = "ps_4_0\nnop\nmov r0.x, l(1.0)\nret\n";
    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    uint8_t *bytes;
    size_t size;
    struct agpu_shader *shader;
    assert_int_equal(agpu_assemble(text, strlen(text), NULL, &bytes, &size), AGPU_OK);
    assert_int_equal(agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, NULL, &shader), AGPU_OK);
    assert_int_equal(agpu_validate(shader, &sink), AGPU_REFUSED);
    assert_int_equal(ag_load_u32(bytes + last.diag.place.offset) & 0x7ff, AGPU_OP_MOV);
    agpu_shader_destroy(shader);
    agpu_free(bytes);
}

/* A program full of mistakes does not fill the host's log. */
static void reports_are_bounded(void **state)
{
    (void)state;
    char text[16 * 200 + 16] = "ps_4_0\n";
    for (int i = 0; i < 200; i++)
        strcat(text, "break\n");
    strcat(text, "ret\n");
    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    struct agpu_shader *shader = bare_shader(text);
    assert_int_equal(agpu_validate(shader, &sink), AGPU_REFUSED);
    assert_int_equal(last.errors, AGPU_VALIDATE_MOST_ERRORS);
    agpu_shader_destroy(shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_programs_pass),
        cmocka_unit_test(undeclared_registers),
        cmocka_unit_test(redeclared_registers),
        cmocka_unit_test(registers_beyond_the_model),
        cmocka_unit_test(indices),
        cmocka_unit_test(values_of_declarations),
        cmocka_unit_test(order_of_declarations),
        cmocka_unit_test(missing_declarations),
        cmocka_unit_test(destinations),
        cmocka_unit_test(sources),
        cmocka_unit_test(modifiers),
        cmocka_unit_test(resources),
        cmocka_unit_test(stages),
        cmocka_unit_test(features),
        cmocka_unit_test(component_counts),
        cmocka_unit_test(nesting),
        cmocka_unit_test(jumps),
        cmocka_unit_test(cases),
        cmocka_unit_test(labels),
        cmocka_unit_test(ends),
        cmocka_unit_test(phases),
        cmocka_unit_test(thread_groups),
        cmocka_unit_test(limits),
        cmocka_unit_test(signatures_agree),
        cmocka_unit_test(offsets_count_from_the_container),
        cmocka_unit_test(reports_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
