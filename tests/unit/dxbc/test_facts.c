/* SPDX-License-Identifier: MIT */
#include "support.h"

static void facts_of(const char *text, struct agpu_shader_facts *facts)
{
    struct last_diag last;
    struct agpu_shader *shader = shader_of(text, &last);
    agpu_shader_facts(shader, facts);
    agpu_shader_destroy(shader);
    uint32_t sum = 0;
    for (int i = 0; i < AGPU_INSTRUCTION_COUNT; i++)
        sum += facts->classes[i];
    assert_int_equal(sum, facts->instructions);
}

static void instructions_are_classified(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum agpu_instruction_class expected;
    } cases[] = {
        {"add r0.x, r0.x, r0.x",                    AGPU_INSTRUCTION_FLOAT  },
        {"lt r0.x, r0.x, r0.x",                     AGPU_INSTRUCTION_FLOAT  },
        {"sincos r0.x, r0.y, r0.z",                 AGPU_INSTRUCTION_FLOAT  },
        {"iadd r0.x, r0.x, r0.x",                   AGPU_INSTRUCTION_INT    },
        {"ilt r0.x, r0.x, r0.x",                    AGPU_INSTRUCTION_INT    },
        {"and r0.x, r0.x, r0.x",                    AGPU_INSTRUCTION_UINT   },
        {"countbits r0.x, r0.x",                    AGPU_INSTRUCTION_UINT   },
        {"dadd r0.xy, r0.xyxy, r0.xyxy",            AGPU_INSTRUCTION_DOUBLE },
        {"dlt r0.x, r0.xyxy, r0.xyxy",              AGPU_INSTRUCTION_DOUBLE },
        {"ftoi r0.x, r0.x",                         AGPU_INSTRUCTION_CONVERT},
        {"dtof r0.x, r0.xyxy",                      AGPU_INSTRUCTION_CONVERT},
        {"f32tof16 r0.x, r0.x",                     AGPU_INSTRUCTION_CONVERT},
        {"mov r0.x, r0.x",                          AGPU_INSTRUCTION_MOVE   },
        {"movc r0.x, r0.x, r0.x, r0.x",             AGPU_INSTRUCTION_MOVE   },
        {"discard_nz r0.x",                         AGPU_INSTRUCTION_FLOW   },
        {"loop",                                    AGPU_INSTRUCTION_FLOW   },
        {"sample r0.xyzw, r0.xyxx, t0.xyzw, s0",    AGPU_INSTRUCTION_SAMPLE },
        {"gather4 r0.xyzw, r0.xyxx, t0.xyzw, s0.x", AGPU_INSTRUCTION_SAMPLE },
        {"ld r0.xyzw, r0.xyzw, t0.xyzw",            AGPU_INSTRUCTION_LOAD   },
        {"resinfo r0.xyzw, l(0), t0.xyzw",          AGPU_INSTRUCTION_LOAD   },
        {"store_raw u0.x, r0.x, r0.x",              AGPU_INSTRUCTION_STORE  },
        {"atomic_iadd u0, r0.x, r0.x",              AGPU_INSTRUCTION_ATOMIC },
        {"imm_atomic_alloc r0.x, u0",               AGPU_INSTRUCTION_ATOMIC },
        {"sync_uglobal",                            AGPU_INSTRUCTION_BARRIER},
        {"nop",                                     AGPU_INSTRUCTION_OTHER  },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        struct agpu_shader_facts facts;
        snprintf(text, sizeof text, "ps_5_0\n%s\n", cases[i].text);
        facts_of(text, &facts);
        if (facts.classes[cases[i].expected] != 1)
            fail_msg("%s is not '%s'", cases[i].text, agpu_instruction_class_name(cases[i].expected));
    }
}

static void registers_and_constants(void **state)
{
    (void)state;
    struct agpu_shader_facts facts;
    facts_of("ps_5_0\ndcl_globalFlags enableDoublePrecisionFloatOps\n"
             "dcl_immediateConstantBuffer { { 1, 0, 0, 0},\n{ 2, 0, 0, 0} }\n"
             "dcl_temps 3\ndcl_indexableTemp x0[4], 4\ndcl_indexableTemp x1[8], 2\nret\nlabel l0\nret\n",
             &facts);
    assert_int_equal(facts.instructions, 2);
    assert_int_equal(facts.declarations, 5);
    assert_int_equal(facts.temps, 3);
    assert_int_equal(facts.array_temps, 12);
    assert_int_equal(facts.constants, 2);
    assert_true(facts.feature_bits == 1);
    assert_string_equal(agpu_feature_name(0), "doubles");
    assert_null(agpu_feature_name(63));
}

static void facts_of_the_stages(void **state)
{
    (void)state;
    struct agpu_shader_facts facts;
    facts_of("cs_5_0\ndcl_tgsm_raw g0, 64\ndcl_tgsm_structured g1, 16, 3\ndcl_thread_group 8, 4, "
             "2\nsync_g_t\nret\n",
             &facts);
    assert_int_equal(facts.thread_group[0] * 100 + facts.thread_group[1] * 10 + facts.thread_group[2], 842);
    assert_int_equal(facts.shared_bytes, 64 + 48);
    assert_int_equal(facts.classes[AGPU_INSTRUCTION_BARRIER], 1);
    facts_of(
        "gs_5_0\ndcl_gsinstances 4\ndcl_inputprimitive lineadj\ndcl_stream m0\ndcl_outputtopology pointlist\n"
        "dcl_stream m2\ndcl_maxout 12\nemit_stream m2\nret\n",
        &facts);
    assert_int_equal(facts.input_primitive, 6);
    assert_int_equal(facts.output_topology, 1);
    assert_int_equal(facts.max_vertices, 12);
    assert_int_equal(facts.gs_instances, 4);
    assert_int_equal(facts.streams, 0x5);
    assert_int_equal(facts.classes[AGPU_INSTRUCTION_EMIT], 1);
    facts_of("hs_5_0\nhs_decls\ndcl_input_control_point_count 16\ndcl_output_control_point_count 4\n"
             "dcl_tessellator_domain domain_quad\ndcl_tessellator_partitioning partitioning_fractional_odd\n"
             "dcl_tessellator_output_primitive output_triangle_ccw\ndcl_hs_max_tessfactor l(12.5)\n"
             "hs_control_point_phase\ndcl_temps 5\nret\nhs_fork_phase\ndcl_temps 2\nret\nhs_fork_phase\nret\n"
             "hs_join_phase\nret\n",
             &facts);
    assert_int_equal(facts.input_control_points, 16);
    assert_int_equal(facts.output_control_points, 4);
    assert_int_equal(facts.domain, 3);
    assert_int_equal(facts.partitioning, 3);
    assert_int_equal(facts.output_primitive, 4);
    assert_true(facts.max_tess_factor == 12.5f);
    assert_int_equal(facts.control_point_phases, 1);
    assert_int_equal(facts.fork_phases, 2);
    assert_int_equal(facts.join_phases, 1);
    assert_int_equal(facts.temps, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_classified),
        cmocka_unit_test(registers_and_constants),
        cmocka_unit_test(facts_of_the_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
