/* SPDX-License-Identifier: MIT
 *
 * What is known of the tessellation factors that a hull shader writes, in numbers worked out by hand.
 */
#include "module_text.h"

#include "base/bytes.h"

#define HULL                                                                                                 \
    "hs_5_0\n.in A0 v0.xyzw float\n.out A0 o0.xyzw float\n"                                                  \
    ".patch SV_TessFactor0 o0.x float tri_edge_tess_factor\n"                                                \
    ".patch SV_InsideTessFactor0 o3.x float tri_inside_tess_factor\nhs_decls\n"                              \
    "dcl_constantbuffer cb0[1], immediateIndexed\n"                                                          \
    "dcl_input_control_point_count 1\ndcl_output_control_point_count 1\ndcl_tessellator_domain domain_tri\n" \
    "dcl_tessellator_partitioning partitioning_integer\n"                                                    \
    "dcl_tessellator_output_primitive output_triangle_cw\n"                                                  \
    "hs_fork_phase\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\n"                                       \
    "dcl_output_siv o3.x, finalTriInsideTessFactor\ndcl_temps 2\n"

static uint8_t most_factor(const char *body)
{
    char text[4096];
    struct agpu_module *module;
    const struct agpu_translate_options options = {.size = sizeof options,
                                                   .flavour = AGPU_FLAVOUR_HULL_PATCH};
    snprintf(text, sizeof text, HULL "%s\nret\n", body);
    struct agpu_shader *shader = shader_from_text(text);
    assert_int_equal(agpu_translate(shader, &options, NULL, &module), AGPU_OK);
    const uint8_t most = module->expansion.most_factor;
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
    return most;
}

/* cb0[0] may be anything. */
static const struct {
    const char *body;
    uint8_t most;
} rows[] = {
    {"mov o0.x, l(3.0)\nmov o3.x, l(5.0)",                                                               5 },
    {"mov o0.x, l(0.0)\nmov o3.x, l(-1.0)",                                                              1 },
    {"mov o0.x, l(1.0)",                                                                                 1 },
    {"mov o0.x, l(2.25)\nmov o3.x, l(1.0)",                                                              3 },
    {"mov o0.x, cb0[0].x\nmov o3.x, l(1.0)",                                                             64},
    {"mov o0.x, l(1000.0)",                                                                              64},
    {"min o0.x, cb0[0].x, l(9.0)",                                                                       9 },
    {"max r0.x, cb0[0].x, l(1.0)\nmin o0.x, r0.x, l(16.0)",                                              16},
    {"min r0.x, cb0[0].x, l(16.0)\nmax o0.x, r0.x, l(20.0)",                                             20},
    {"min r0.x, cb0[0].x, cb0[0].y\nmov o0.x, r0.x",                                                     64},
    {"mad_sat r0.x, cb0[0].x, l(2.0), cb0[0].y\nmad o0.x, r0.x, l(11.0), l(1.0)",                        12},
    {"mul_sat r0.x, cb0[0].x, cb0[0].y\nmul o0.x, r0.x, -l(7.0)",                                        1 },
    {"mul_sat r0.x, cb0[0].x, cb0[0].y\nadd r0.x, r0.x, l(-1.0)\nmul o0.x, r0.x, l(-7.0)",               7 },
    {"mul_sat r0.x, cb0[0].x, cb0[0].y\nadd r0.x, r0.x, -l(3.0)\nmov o0.x, |r0.x|",                      3 },
    {"lt r0.x, cb0[0].x, cb0[0].y\nmovc o0.x, r0.x, l(4.0), l(6.0)",                                     6 },
    {"lt r0.x, cb0[0].x, cb0[0].y\nmovc o0.x, r0.x, l(6.0), l(4.0)",                                     6 },
    {"lt r0.x, cb0[0].x, cb0[0].y\nif_nz r0.x\nmov r1.x, l(8.0)\nelse\nmov r1.x, l(2.0)\nendif\n"
     "mov o0.x, r1.x",                                                                              8 },
    {"mul_sat r0.x, cb0[0].x, cb0[0].y\nmul r0.x, r0.x, l(7.5)\nround_pi o0.x, r0.x",                    8 },
    {"mul_sat r0.x, cb0[0].x, cb0[0].y\nmul r0.x, r0.x, l(-1.6)\nround_ne r0.x, r0.x\nmov o0.x, |r0.x|", 2 },
    {"mul_sat r0.x, cb0[0].x, cb0[0].y\nmul r0.x, r0.x, l(-1.6)\nround_z r0.x, r0.x\nmov o0.x, |r0.x|",  1 },
    {"frc r0.x, cb0[0].x\nmin o0.x, r0.x, l(9.0)",                                                       9 },
    {"frc r0.x, cb0[0].x\nmax o0.x, r0.x, l(9.0)",                                                       9 },
    {"mov r0.x, l(80.0)\nmul r0.x, r0.x, l(0.1)\nmov o0.x, r0.x",                                        9 },
    {"iadd r0.x, cb0[0].x, l(1)\nmov o0.x, r0.x",                                                        64},
    {"mov r0.x, l(0x7fc00000)\nmin o0.x, r0.x, cb0[0].x",                                                64},
    {"mov r0.x, l(1.0)\nmov r0.y, l(0)\nloop\nige r0.z, r0.y, cb0[0].x\nbreakc_nz r0.z\n"
     "add r0.x, r0.x, l(1.0)\niadd r0.y, r0.y, l(1)\nendloop\nmov o0.x, r0.x",                      64},
    {"mov r0.x, l(1.0)\nmov r0.y, l(0)\nloop\nige r0.z, r0.y, cb0[0].x\nbreakc_nz r0.z\n"
     "add r0.x, r0.x, l(1.0)\nmin r0.x, r0.x, l(10.0)\niadd r0.y, r0.y, l(1)\nendloop\n"
     "mov o0.x, r0.x",                                                                              10},
};

static void factors_are_bounded(void **state)
{
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(rows); i++) {
        const uint8_t most = most_factor(rows[i].body);
        if (most != rows[i].most)
            fail_msg("%s: %u, not %u", rows[i].body, most, rows[i].most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
