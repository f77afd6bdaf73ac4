/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "base/bytes.h"

/* Assembles, lists again without comments, and compares. */
static void assert_lists_as(const char *source, const char *expected)
{
    struct last_diag last;
    struct agpu_shader *shader = shader_of(source, &last);
    char *text;
    size_t length;
    assert_int_equal(agpu_disassemble(shader, AGPU_DISASM_DEFAULT, NULL, &text, &length), AGPU_OK);
    assert_int_equal(length, strlen(text));
    char *body = malloc(length + 1);
    assert_non_null(body);
    size_t used = 0;
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        const size_t bytes_of_line = (size_t)(strchr(line, '\n') - line) + 1;
        if (strncmp(line, "//", 2) == 0)
            continue;
        memcpy(body + used, line, bytes_of_line);
        used += bytes_of_line;
    }
    body[used] = '\0';
    assert_string_equal(body, expected);
    free(body);
    agpu_free(text);
    agpu_shader_destroy(shader);
}

static void assert_same(const char *source)
{
    assert_lists_as(source, source);
}

/* The examples of dxbc-format 6.3 to 6.6. */
static void instructions_of_the_format_sheet(void **state)
{
    (void)state;
    assert_same(
        "ps_5_0\n"
        "mad_sat r0.x, r1.x, r2.x, r3.x\n"
        "breakc_z r3.w\n"
        "sample_aoffimmi(0,-3,0) r0.xyzw, v0.xyxx, t0.xyzw, s0\n"
        "ld_indexable(buffer)(uint,uint,uint,uint) r0.x, r1.xxxx, t2.xyzw\n"
        "ld_structured_indexable(structured_buffer, stride=32)(mixed,mixed,mixed,mixed) r0.x, r0.y, l(4), "
        "t1.xxxx\n"
        "mov [precise] r0.xyzw, r1.xyzw\n"
        "sample_l_indexable [precise(x)](texture2d)(float,float,float,float) r0.x, r1.xyxx, t0.xyzw, s0, "
        "l(0.0)\n"
        "resinfo_indexable(texture2d)(float,float,float,float)_uint r0.xy, l(0), t0.xyzw\n"
        "sampleinfo_uint r0.x, t3.x\n"
        "gather4 r0.xyzw, v0.xyxx, t0.xyzw, s0.x\n"
        "ret\n");
    assert_same("cs_5_0\n"
                "dcl_tgsm_raw g0, 256\n"
                "dcl_tgsm_structured g1, 16, 64\n"
                "dcl_thread_group 16, 4, 1\n"
                "sync_uglobal_g_t\n"
                "sync_ugroup_g\n"
                "atomic_iadd g0, r0.x, l(1)\n"
                "imm_atomic_iadd r1.x, u0, r0.x, l(1)\n"
                "store_raw g0.x, r0.x, r1.x\n"
                "mov r0.x, vThreadIDInGroupFlattened.x\n"
                "ret\n");
    assert_same("ps_4_0\nresinfo_uint r0.xy, l(0), t0.xyzw\nresinfo_rcpfloat r0.xy, l(0), t0.xyzw\n");
}

static void declarations_of_the_format_sheet(void **state)
{
    (void)state;
    assert_same("ps_5_0\n"
                "dcl_globalFlags refactoringAllowed | skipOptimization\n"
                "dcl_immediateConstantBuffer { { 0, 1.0, 0, 0},\n"
                "                              { 2.0, 0, 0, 0} }\n"
                "dcl_constantbuffer CB3[8], immediateIndexed\n"
                "dcl_sampler s2, mode_comparison\n"
                "dcl_resource_texture2darray (uint,uint,uint,uint) t5\n"
                "dcl_resource_texture2dms(8) (float,float,float,float) t0\n"
                "dcl_resource_raw t1\n"
                "dcl_resource_structured t2, 24\n"
                "dcl_uav_typed_texture3d (float,float,float,float) u0\n"
                "dcl_uav_typed_buffer_glc (uint,uint,uint,uint) u3\n"
                "dcl_uav_raw u1\n"
                "dcl_uav_structured_opc u2, 8\n"
                "dcl_input_ps linear centroid v1.xy\n"
                "dcl_input_ps_siv linear noperspective v0.xy, position\n"
                "dcl_input_ps_sgv constant v2.x, is_front_face\n"
                "dcl_input vCoverage\n"
                "dcl_output o0.xyzw\n"
                "dcl_output oDepth\n"
                "dcl_output oMask\n"
                "dcl_temps 6\n"
                "dcl_indexableTemp x1[16], 4\n"
                "ret\n");
    assert_same("ps_5_1\n"
                "dcl_constantbuffer CB0[2:2][8], dynamicIndexed, space=1\n"
                "dcl_sampler S0[2:2], mode_default, space=0\n"
                "dcl_resource_texture2d (float,float,float,float) T0[0:3], space=0\n"
                "dcl_resource_structured T1[4:*], 16, space=2\n"
                "mov r0.x, CB0[2][7].x\n"
                "ld r0.xyzw, r1.xyzw, T0[r0.x + 4].xyzw\n");
}

static void declarations_of_geometry_and_hull_shaders(void **state)
{
    (void)state;
    assert_same("gs_5_0\n"
                "dcl_input v[3][1].xyz\n"
                "dcl_input vPrim\n"
                "dcl_inputprimitive lineadj\n"
                "dcl_stream m1\n"
                "dcl_outputtopology trianglestrip\n"
                "dcl_output_siv o0.xyzw, position\n"
                "dcl_maxout 12\n"
                "dcl_gsinstances 4\n"
                "mov o0.xyzw, v[r0.x + 0][2].xyzw\n"
                "emit_stream m1\n");
    assert_same("hs_5_0\n"
                "hs_decls\n"
                "dcl_input_control_point_count 3\n"
                "dcl_tessellator_domain domain_quad\n"
                "dcl_tessellator_partitioning partitioning_integer\n"
                "dcl_tessellator_output_primitive output_triangle_cw\n"
                "dcl_hs_max_tessfactor l(16.0)\n"
                "hs_fork_phase\n"
                "dcl_hs_fork_phase_instance_count 2\n"
                "dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\n"
                "dcl_indexrange o0.x 4\n"
                "mov o[r0.x + 0].x, vicp[0][4].x\n"
                "ret\n");
}

static void declarations_of_class_linkage(void **state)
{
    (void)state;
    assert_same("ps_5_0\n"
                "dcl_function_body fb2\n"
                "dcl_function_table ft0 = {fb0, fb2}\n"
                "dcl_interface fp0[1][2] = {ft0, ft1}\n"
                "dcl_interface_dynamicindexed fp1[4][1] = {ft2}\n"
                "fcall fp1[r0.x + 2][3]\n"
                "ret\n"
                "label fb0\n"
                "mov r0.x, this[0].y\n");
}

static void blocks_are_indented(void **state)
{
    (void)state;
    assert_lists_as(
        "ps_4_0\nloop\nif_nz r0.x\nbreak\nelse\nswitch r0.y\ncase l(1)\nmov r0.x, l(2)\nbreak\ndefault\n"
        "break\nendswitch\nendif\nendloop\nret\n",
        "ps_4_0\nloop\n  if_nz r0.x\n    break\n  else\n    switch r0.y\n      case l(1)\n"
        "      mov r0.x, l(2)\n      break\n      default\n      break\n    endswitch\n  endif\n"
        "endloop\nret\n");
}

static void literals_keep_their_bits(void **state)
{
    (void)state;
    /* NaN, infinity and denormals have no decimal form; small integers stay integers in integer operands. */
    assert_same("ps_5_0\n"
                "add r0.xyzw, r0.xyzw, l(0.1, -0.0, 1e-10, 16777216.0)\n"
                "add r0.xyzw, r0.xyzw, l(0x7fc00000, 0xff800000, 0x00000001, 3.4028235e+38)\n"
                "iadd r0.xyzw, r0.xyzw, l(-1, 10000, 0x00002711, 0x80000000)\n"
                "mov r0.xyzw, l(0,1.0,-0.0,3)\n"
                "dadd r0.xyzw, r0.xyzw, d(1.5l, 0x7ff8000000000000l)\n");
    assert_lists_as("ps_5_0\nadd r0.x, r0.x, l(0x3f800000)\nmul r0.x, r0.x, l(0.333333343)\n",
                    "ps_5_0\nadd r0.x, r0.x, l(1.0)\nmul r0.x, r0.x, l(0.33333334)\n");
}

static void minimum_precision_is_listed(void **state)
{
    (void)state;
    assert_same("ps_5_0\n"
                "dcl_input_ps linear v0.xyzw {min16f}\n"
                "mov r0.xy {min16f}, |v0.xyxx {min16f}|\n"
                "utof r1.x {min16f}, r0.x {min16u as min16f}\n"
                "mov r1.x {min2_8f}, -r0.x {def32 as min2_8f}\n");
}

static void other_dialects_are_read(void **state)
{
    (void)state;
    assert_lists_as("ps_5_0\n"
                    "dcl_constantbuffer cb0[4], immediateIndexed // comment\n"
                    "dcl_input_ps_sgv v1.x, sampleIndex\n"
                    "/* 12 */ sample_l(1,0,0) r0.xyzw, v0.xyxx, t0.xyzw, s0, l(0.000000)\n"
                    "ret \n",
                    "ps_5_0\n"
                    "dcl_constantbuffer CB0[4], immediateIndexed\n"
                    "dcl_input_ps_sgv constant v1.x, sampleIndex\n"
                    "sample_l_aoffimmi(1,0,0) r0.xyzw, v0.xyxx, t0.xyzw, s0, l(0.0)\n"
                    "ret\n");
    assert_lists_as("cs_5_0\nsync_sat_ugroup_g\n", "cs_5_0\nsync_ugroup_g\n");
}

static void signatures_are_directives(void **state)
{
    (void)state;
    static const char source[] = "vs_4_0\n"
                                 ".in POSITION0 v0.xy float\n"
                                 ".in \"odd name2\"7 v1.xyzw uint read=0x3\n"
                                 ".out SV_Position0 o0.xyzw float position\n"
                                 ".out COLOR1 o1.xyz float unwritten=0xc\n"
                                 "dcl_input v0.xy\n"
                                 "ret\n";
    assert_same(source);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(agpu_assemble(source, strlen(source), NULL, &bytes, &size), AGPU_OK);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse(bytes, size, 0, NULL, &shader), AGPU_OK);
    assert_int_equal(shader->input.count, 2);
    assert_int_equal(shader->input.elements[0].rw_mask, 3);
    assert_string_equal(shader->input.elements[1].semantic_name, "odd name2");
    assert_int_equal(shader->input.elements[1].semantic_index, 7);
    assert_int_equal(shader->input.elements[1].mask, 15);
    assert_int_equal(shader->input.elements[1].rw_mask, 3);
    assert_int_equal(shader->output.elements[0].system_value, AGPU_SV_POSITION);
    assert_int_equal(shader->output.elements[0].rw_mask, 0);
    assert_int_equal(shader->output.elements[1].semantic_index, 1);
    assert_int_equal(shader->output.elements[1].rw_mask, 12);
    assert_int_equal(shader->chunk_count, 3);
    agpu_shader_destroy(shader);
    agpu_free(bytes);
}

/* A name may have any bytes; in a comment an end of line would make an instruction of what follows. */
static void names_stay_in_their_comments(void **state)
{
    (void)state;
    assert_same("vs_4_0\n"
                ".in \"A\\x0anop // \"0 v0.xy float\n"
                ".in \"\\x1b[2J\"0 v1.x float\n"
                "dcl_input v0.xy\n"
                "ret\n");
    struct last_diag last;
    struct agpu_shader *shader = shader_of("vs_4_0\n.in \"A\\x0aB\"0 v0.xy float\nret\n", &last);
    char *text;
    size_t length;
    assert_int_equal(agpu_disassemble(shader, AGPU_DISASM_DEFAULT, NULL, &text, &length), AGPU_OK);
    assert_non_null(strstr(text, "\n// A?B                      0   xy "));
    agpu_free(text);
    agpu_shader_destroy(shader);
}

static void signature_tables_stand_above(void **state)
{
    (void)state;
    struct agpu_shader *shader = parse_file("vs_palette.vs_4_0.dxbc");
    char *text;
    size_t length;
    assert_int_equal(agpu_disassemble(shader, 0, NULL, &text, &length), AGPU_OK);
    assert_non_null(strstr(text, "// NORMAL                   0   xyz         1     NONE   float   xyz \n"));
    assert_non_null(strstr(text, "// BLENDINDICES             0   xyzw        2     NONE    uint   xyzw\n"));
    assert_non_null(strstr(text, "// SV_Position              0   xyzw        0      POS   float   xyzw\n"));
    assert_non_null(strstr(text, "// Approximately 42 instruction slots used\n")); /* its STAT says 42 */
    agpu_free(text);
    agpu_shader_destroy(shader);
}

static void offsets_and_tokens_are_comments(void **state)
{
    (void)state;
    static const uint32_t tokens[] = {0x02000068, 1, 0x0100003e};
    struct agpu_shader *shader;
    assert_int_equal(parse_tokens(VS_4_0, tokens, 3, NULL, &shader), AGPU_OK);
    char *text;
    size_t length;
    assert_int_equal(agpu_disassemble(shader, AGPU_DISASM_OFFSETS | AGPU_DISASM_RAW, NULL, &text, &length),
                     AGPU_OK);
    assert_string_equal(text, "vs_4_0\n"
                              "/*      2 */ dcl_temps 1 // 02000068 00000001\n"
                              "/*      4 */ ret // 0100003e\n"
                              "// Approximately 1 instruction slots used\n");
    agpu_free(text);
    agpu_shader_destroy(shader);
}

static void full_listings_rebuild_the_container(void **state)
{
    (void)state;
    static const char *const names[] = {
        "vs_palette.vs_4_0.dxbc",         "ps_min16.ps_5_0.dxbc",           "hs_quad_pow2_point.hs_5_0.dxbc",
        "gs_streams4_points.gs_5_0.dxbc", "ds_tri_plain.ds_5_0.dxbc",       "ps_interface_lights.ps_5_0.dxbc",
        "ps_message.ps_5_0.dxbc",         "cs_gsm_struct_scan.cs_5_0.dxbc", "ps_feedback_sample.ps_5_0.dxbc",
    };
    for (size_t i = 0; i < AG_COUNT_OF(names); i++) {
        size_t size, length, rebuilt;
        uint8_t *data = load(names[i], &size);
        struct agpu_shader *shader = parse_file(names[i]);
        char *text;
        uint8_t *bytes;
        assert_int_equal(agpu_disassemble(shader, AGPU_DISASM_FULL, NULL, &text, &length), AGPU_OK);
        assert_int_equal(agpu_assemble(text, length, NULL, &bytes, &rebuilt), AGPU_OK);
        assert_int_equal(rebuilt, size);
        assert_memory_equal(bytes, data, size);
        agpu_free(bytes);
        agpu_free(text);
        agpu_shader_destroy(shader);
        free(data);
    }
}

static void odd_encodings_are_kept_as_tokens(void **state)
{
    (void)state;
    static const uint32_t odd[] = {0x0100083e}; /* ret with a control bit */
    struct agpu_shader *shader;
    assert_int_equal(parse_tokens(VS_4_0, odd, 1, NULL, &shader), AGPU_OK);
    char *text;
    size_t length;
    assert_int_equal(agpu_disassemble(shader, AGPU_DISASM_FULL, NULL, &text, &length), AGPU_OK);
    assert_non_null(strstr(text, "\n.tokens 0x0100083e // ret\n"));
    uint8_t *bytes;
    size_t size;
    assert_int_equal(agpu_assemble(text, length, NULL, &bytes, &size), AGPU_OK);
    agpu_shader_destroy(shader);
    assert_int_equal(agpu_shader_parse(bytes, size, 0, NULL, &shader), AGPU_OK);
    assert_int_equal(shader->program.tokens[2], 0x0100083e);
    agpu_shader_destroy(shader);
    agpu_free(bytes);
    agpu_free(text);
}

static void errors_have_a_line_and_a_column(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *slug;
        uint32_t line, column;
        const char *message;
    } cases[] = {
        {"xs_4_0\n",                                                      "dxbc.syntax",  1, 1,  "expected a version such as vs_4_0 or ps_5_0 instead of 'xs_4_0'"},
        {"vs_4_0\n\nmoo r0.x, r1.x\n",                                    "dxbc.name",    3, 1,  "there is no instruction 'moo'"                                  },
        {"vs_4_0\nmov r0.x r1.x\n",                                       "dxbc.syntax",  2, 10, "expected ',' instead of 'r1.x'"                                 },
        {"vs_4_0\nmov r0.x, q1.x\n",                                      "dxbc.name",    2, 11, "there is no register file 'q'"                                  },
        {"vs_4_0\nmov r0, r1.xyzw\n",                                     "dxbc.syntax",  2, 7,
         "expected '.' and a component mask instead of ','"                                                                                                       },
        {"vs_4_0\nmov r0.yx, r1.xyzw\n",                                  "dxbc.syntax",  2, 9,
         "expected the components of a mask in the order xyzw instead of 'x'"                                                                                     },
        {"vs_4_0\nmov r0.x, r1.xy\n",                                     "dxbc.syntax",  2, 16,
         "expected one or four components before the end of the line"                                                                                             },
        {"vs_4_0\nif r0.x\n",                                             "dxbc.syntax",  2, 3,  "expected '_nz' or '_z' behind if"                               },
        {"vs_4_0\nand_sat r0.x, r0.x, r0.x\n",                            "dxbc.name",    2, 4,  "'_sat' does not belong to and"                                  },
        {"vs_4_0\ndcl_output_siv o0.xyzw, nowhere\n",                     "dxbc.syntax",  2, 25,
         "expected a system value name instead of 'nowhere'"                                                                                                      },
        {"ds_4_1\nret\n",                                                 "dxbc.model",   1, 1,  "there is no ds_4_1"                                             },
        {"vs_4_0\nadd r0.x, r0.x, r0.x\n  rcp r0.x, r0.x\n",              "dxbc.model",   3, 3,  "there is no rcp in vs_4_0"                                      },
        {"cs_5_0\nemit\n",                                                "dxbc.model",   2, 1,  "there is no emit in cs_5_0"                                     },
        {"vs_4_0\nret /* all\nof it\n",                                   "dxbc.syntax",  2, 5,
         "expected '*/' behind the comment that starts here"                                                                                                      },
        {"/* vs_4_0\nret\n",                                              "dxbc.syntax",  1, 1,  "expected '*/' behind the comment that starts here"              },
        {"vs_4_0\nmov r99999999999.x, l(1.0)\n",                          "dxbc.value",   2, 6,  "the register number is out of range"                            },
        {"ps_4_0\ndcl_resource_texture9d (float,float,float,float) t0\n", "dxbc.syntax",  2, 13,
         "expected a resource dimension such as _texture2d instead of '_texture9d'"                                                                               },
        {"vs_4_0\nmov l(1.0), r0.x\n",                                    "dxbc.syntax",  2, 5,  "expected a register instead of 'l(1.0)'"                        },
        {"vs_4_0\nret ret\n",                                             "dxbc.syntax",  2, 5,  "expected the end of the line instead of 'ret'"                  },
        {"vs_4_0\n.in v0.xy float\n",                                     "dxbc.syntax",  2, 7,  NULL                                                             },
        {"vs_4_0\nmov r0.x, cb0.x\n",                                     "dxbc.operand", 2, 11, "a cb register has 2 indices, not 1"                             },
        {"vs_4_0\nmov r0.x, l(1e99)\n",                                   "dxbc.value",   2, 13, "'1e99' does not fit a 32-bit float"                             },
        {"vs_4_0\n.chunk RDEF 4\n.hex 00\nret\n",                         "dxbc.chunk",   5, 1,  "chunk 0 states 4 bytes and lists 1"                             },
    };
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        struct last_diag last;
        const struct agpu_diag_sink sink = sink_of(&last);
        uint8_t *bytes;
        size_t size;
        assert_int_equal(agpu_assemble(cases[i].text, strlen(cases[i].text), &sink, &bytes, &size),
                         AGPU_REFUSED);
        assert_null(bytes);
        assert_int_equal(last.errors, 1);
        if (cases[i].message != NULL)
            assert_string_equal(last.message, cases[i].message);
        assert_string_equal(agpu_diag_slug(last.diag.code), cases[i].slug);
        assert_int_equal(last.diag.place.line, cases[i].line);
        if (cases[i].message != NULL)
            assert_int_equal(last.diag.place.column, cases[i].column);
    }
}

static void integers_in_float_operands_are_warned_about(void **state)
{
    (void)state;
    static const char text[] = "vs_4_0\nmul r0.x, r0.x, l(2)\n";
    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(agpu_assemble(text, strlen(text), &sink, &bytes, &size), AGPU_OK);
    assert_int_equal(last.warnings, 1);
    assert_int_equal(last.diag.place.line, 2);
    agpu_free(bytes);
}

/* What the program needs decides on the chunks: dxbc-format 1.3. */
static void containers_get_their_stages_chunks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *chunks;
    } cases[] = {
        {"vs_4_0\nret\n",                                                "ISGN OSGN SHDR"     },
        {"cs_4_0\nret\n",                                                "ISGN OSGN SHEX"     },
        {"ps_5_0\nret\n",                                                "ISGN OSGN SHEX"     },
        {"gs_4_0\nret\n",                                                "ISGN OSGN SHDR"     },
        {"gs_5_0\nret\n",                                                "ISGN OSG5 SHEX"     },
        {"hs_5_0\nret\n",                                                "ISGN OSGN PCSG SHEX"},
        {"ds_5_0\nret\n",                                                "ISGN PCSG OSGN SHEX"},
        {"ps_5_0\n.in A0 v0.x float precision=min16f\nret\n",            "ISG1 OSG1 SHEX"     },
        {"ps_5_0\ndcl_globalFlags enableDoublePrecisionFloatOps\nret\n", "ISGN OSGN SHEX SFI0"},
        {"vs_4_0\ndcl_globalFlags enableRawAndStructuredBuffers\nret\n", "ISGN OSGN SHEX SFI0"},
        {"vs_5_0\ndcl_uav_raw u0\nret\n",                                "ISGN OSGN SHEX SFI0"},
    };
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        uint8_t *bytes;
        size_t size;
        assert_int_equal(agpu_assemble(cases[i].text, strlen(cases[i].text), NULL, &bytes, &size), AGPU_OK);
        struct agpu_shader *shader;
        assert_int_equal(agpu_shader_parse(bytes, size, 0, NULL, &shader), AGPU_OK);
        char names[64] = "";
        for (uint32_t k = 0; k < shader->chunk_count; k++) {
            if (k != 0)
                strcat(names, " ");
            strncat(names, (const char *)&shader->chunks[k].fourcc, 4);
        }
        assert_string_equal(names, cases[i].chunks);
        agpu_shader_destroy(shader);
        agpu_free(bytes);
    }
}

static void chunks_may_be_given_as_bytes(void **state)
{
    (void)state;
    static const char good[] = "vs_4_0\n.chunk PRIV 3\n.hex 0102 ff\n.chunk SHDR\n.chunk XHSH 0\nret\n";
    uint8_t *bytes;
    size_t size;
    assert_int_equal(agpu_assemble(good, strlen(good), NULL, &bytes, &size), AGPU_OK);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse(bytes, size, 0, NULL, &shader), AGPU_OK);
    assert_int_equal(shader->chunk_count, 3);
    assert_int_equal(shader->chunks[0].fourcc, AGPU_FOURCC('P', 'R', 'I', 'V'));
    assert_int_equal(shader->chunks[0].size, 3);
    assert_memory_equal(shader->chunks[0].data, "\x01\x02\xff", 3);
    assert_int_equal(shader->chunks[2].size, 0);
    agpu_shader_destroy(shader);
    agpu_free(bytes);

    static const char bad[] = "vs_4_0\n.chunk SHDR 4\n.hex 01020304\nret\n";
    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    assert_int_equal(agpu_assemble(bad, strlen(bad), &sink, &bytes, &size), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.chunk");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_of_the_format_sheet),
        cmocka_unit_test(declarations_of_the_format_sheet),
        cmocka_unit_test(declarations_of_geometry_and_hull_shaders),
        cmocka_unit_test(declarations_of_class_linkage),
        cmocka_unit_test(blocks_are_indented),
        cmocka_unit_test(literals_keep_their_bits),
        cmocka_unit_test(minimum_precision_is_listed),
        cmocka_unit_test(other_dialects_are_read),
        cmocka_unit_test(signatures_are_directives),
        cmocka_unit_test(names_stay_in_their_comments),
        cmocka_unit_test(signature_tables_stand_above),
        cmocka_unit_test(offsets_and_tokens_are_comments),
        cmocka_unit_test(full_listings_rebuild_the_container),
        cmocka_unit_test(odd_encodings_are_kept_as_tokens),
        cmocka_unit_test(errors_have_a_line_and_a_column),
        cmocka_unit_test(integers_in_float_operands_are_warned_about),
        cmocka_unit_test(chunks_may_be_given_as_bytes),
        cmocka_unit_test(containers_get_their_stages_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
