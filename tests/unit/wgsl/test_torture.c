/* SPDX-License-Identifier: MIT
 *
 * Programs that are legal in Direct3D and awkward in WGSL: constants that WGSL refuses to compute, flow it
 * cannot prove uniform or finite, and sizes near its limits. Every module must pass Dawn's own checks.
 */
#include "../../support/module_size.h"

#include "aerogpu/gpu.h"
#include "base/bytes.h"
#include "base/strbuf.h"
#include "module_text.h"
#include "wgsl/options.h"

static struct agpu_gpu *gpu;

static bool dawn_takes(const struct agpu_module *module)
{
    struct first_error error = {0};
    const struct agpu_diag_sink sink = {keep_first_error, &error};
    if (agpu_gpu_check_wgsl(gpu, module->wgsl, module->wgsl_length, &sink) == AGPU_OK)
        return true;
    print_error("%s\n", error.message);
    return false;
}

static const char pixel_head[] =
    "ps_5_0\n.in TEXCOORD0 v0.xyzw float\n.in A0 v1.xyzw uint\n.out SV_Target0 o0.xyzw float\n"
    "dcl_globalFlags refactoringAllowed\n"
    "dcl_immediateConstantBuffer { { 1.0, 0, 0, 0}, { 0x7fc00000, 0, 0, 0} }\n"
    "dcl_constantbuffer cb0[4], immediateIndexed\ndcl_sampler s0, mode_default\n"
    "dcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_input_ps linear v0.xyzw\ndcl_input_ps constant v1.xyzw\ndcl_output o0.xyzw\n"
    "dcl_temps 4\ndcl_indexableTemp x0[4], 4\n";
static const char pixel_tail[] = "mov o0.xyzw, r0.xyzw\nret\n";
static const char compute_head[] =
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\ndcl_uav_raw u0\n"
    "dcl_input vThreadID.xyz\ndcl_input vThreadGroupID.xyz\ndcl_temps 4\ndcl_tgsm_raw g0, 256\n"
    "dcl_thread_group 8, 1, 1\nmov r0.xyzw, vThreadID.xyzx\n"
    "ld_raw r1.xyzw, r0.x, t0.xyzw\n";
static const char compute_tail[] = "store_raw u0.xyzw, r0.x, r0.xyzw\nret\n";

static bool check(const char *head, const char *code, const char *tail)
{
    struct ag_strbuf text = {0};
    ag_strbuf_append(&text, head);
    ag_strbuf_append(&text, code);
    ag_strbuf_append(&text, tail);
    struct agpu_module *module = translate(ag_strbuf_text(&text), NULL);
    const bool good = dawn_takes(module);
    if (!good && strlen(code) < 1000)
        print_error("%s\n%s\n", code, module->wgsl);
    agpu_module_destroy(module);
    ag_strbuf_fini(&text);
    return good;
}

static void check_all(const char *head, const char *const *codes, size_t count, const char *tail)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !check(head, codes[i], tail);
    assert_int_equal(wrong, 0);
}

/* ---- Constants ---------------------------------------------------------------------------------------- */

/* Each operation on each pair of literals. */
static void no_operation_on_literals_is_an_error(void **state)
{
    static const char *const operations[] = {
        "add",  "mul",  "div",  "min",  "max",  "lt",  "ge",  "eq",  "ne",   "dp2",
        "dp4",  "iadd", "ishl", "ishr", "ushr", "and", "or",  "xor", "imin", "imax",
        "umin", "umax", "ilt",  "ige",  "ult",  "uge", "ieq", "ine",
    };
    static const char *const singles[] = {
        "mov",      "frc",      "round_ne", "round_ni",  "round_z",     "rcp",         "rsq",
        "sqrt",     "exp",      "log",      "ftoi",      "ftou",        "itof",        "utof",
        "not",      "ineg",     "bfrev",    "countbits", "firstbit_hi", "firstbit_lo", "firstbit_shi",
        "f32tof16", "f16tof32", "mov_sat",  "deriv_rtx", "deriv_rty",
    };
    static const char *const literals[] = {
        "l(0, 0, 0, 0)",
        "l(1.0, -1.0, 0.0, 0x80000000)",
        "l(0x7f7fffff, 0xff7fffff, 0x7f7fffff, 0x00800000)",
        "l(0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001)",
        "l(1, 31, 32, 40)",
        "l(-1, 0x7fffffff, 0x80000000, 2)",
    };
    struct ag_strbuf code = {0};
    (void)state;
    for (size_t o = 0; o < AG_COUNT_OF(operations); o++)
        for (size_t a = 0; a < AG_COUNT_OF(literals); a++)
            for (size_t b = 0; b < AG_COUNT_OF(literals); b++)
                ag_strbuf_printf(&code, "%s r1.%s, %s, %s\niadd r0.xyzw, r0.xyzw, r1.xyzw\n", operations[o],
                                 strncmp(operations[o], "dp", 2) == 0 ? "x" : "xyzw", literals[a],
                                 literals[b]);
    for (size_t o = 0; o < AG_COUNT_OF(singles); o++)
        for (size_t a = 0; a < AG_COUNT_OF(literals); a++)
            ag_strbuf_printf(&code, "%s r1.xyzw, %s\niadd r0.xyzw, r0.xyzw, r1.xyzw\n", singles[o],
                             literals[a]);
    for (size_t a = 0; a < AG_COUNT_OF(literals); a++)
        for (size_t b = 0; b < AG_COUNT_OF(literals); b++)
            ag_strbuf_printf(&code,
                             "udiv r1.xyzw, r2.xyzw, %s, %s\niadd r0.xyzw, r1.xyzw, r2.xyzw\n"
                             "umul r1.xyzw, r2.xyzw, %s, %s\niadd r0.xyzw, r1.xyzw, r2.xyzw\n"
                             "mad r1.xyzw, %s, %s, l(1.0, 1.0, 1.0, 1.0)\niadd r0.xyzw, r0.xyzw, r1.xyzw\n"
                             "ubfe r1.xyzw, %s, %s, l(1, 2, 3, 4)\niadd r0.xyzw, r0.xyzw, r1.xyzw\n"
                             "movc r1.xyzw, %s, %s, l(1, 2, 3, 4)\niadd r0.xyzw, r0.xyzw, r1.xyzw\n",
                             literals[a], literals[b], literals[a], literals[b], literals[a], literals[b],
                             literals[a], literals[b], literals[a], literals[b]);
    assert_false(code.failed);
    assert_true(check(pixel_head, code.data, pixel_tail));
    ag_strbuf_fini(&code);
}

static void constant_places_may_be_outside(void **state)
{
    static const char *const codes[] = {
        "mov r0.xyzw, icb[1].xyzw\n",
        "mov r0.xyzw, icb[v1.x + 7].xyzw\n",
        "mov x0[3].xyzw, v0.xyzw\nmov r0.xyzw, x0[v1.x + 9].xyzw\n",
        "mov x0[v1.y + 4].xyzw, v0.xyzw\nmov r0.xyzw, x0[v1.x + 0].xyzw\n",
        "ld r0.xyzw, l(-1, 70000, 0, 99), t0.xyzw\n",
        "ld_aoffimmi(-8,7,0) r0.xyzw, l(0, 0, 0, 0), t0.xyzw\n",
        "sample_aoffimmi(-8,7,0) r0.xyzw, v0.xyxx, t0.xyzw, s0\n",
        "sample_l r0.xyzw, l(0x7fc00000, 0x7f800000, 0, 0), t0.xyzw, s0, l(0x7fc00000)\n",
        "resinfo r0.xyzw, l(77), t0.xyzw\n",
    };
    (void)state;
    check_all(pixel_head, codes, AG_COUNT_OF(codes), pixel_tail);
}

/* ---- Flow --------------------------------------------------------------------------------------------- */

static void flow_that_seems_endless_or_dead(void **state)
{
    static const char *const codes[] = {
        "loop\nendloop\n",
        "loop\nloop\nendloop\nendloop\n",
        "loop\nif_nz v1.x\ncontinue\nelse\ncontinue\nendif\nendloop\n",
        "loop\ndiscard_nz v1.x\nendloop\n",
        "loop\nretc_nz v1.x\nendloop\n",
        "loop\nbreak\nadd r0.x, r0.x, l(1.0)\nendloop\n",
        "loop\nswitch v1.x\ncase l(0)\nbreak\ndefault\ncontinue\nendswitch\nendloop\n",
        "loop\nswitch v1.x\ncase l(0)\nret\ndefault\nret\nendswitch\nendloop\n",
        "switch v1.x\nendswitch\n",
        "switch l(3)\ndefault\nbreak\nendswitch\n",
        "switch v1.x\ncase l(-1)\ncase l(0x80000000)\ndefault\nadd r0.x, r0.x, l(1.0)\nbreak\nendswitch\n",
        "if_nz l(0)\nret\nendif\nif_nz l(1)\nadd r0.x, r0.x, l(1.0)\nelse\nendif\n",
        "ret\nadd r0.x, r0.x, l(1.0)\n",
        "if_nz v1.x\nret\nelse\nret\nendif\nadd r0.x, r0.x, l(1.0)\n",
        "loop\nbreakc_nz v1.x\ncontinuec_nz v1.y\nif_nz v1.z\nbreak\nelse\ncontinue\nendif\nendloop\n",
    };
    (void)state;
    check_all(pixel_head, codes, AG_COUNT_OF(codes), pixel_tail);
}

/* Derivatives where threads of a quad part ways: undefined in D3D, an error in WGSL unless it is told. */
static void derivatives_in_any_flow(void **state)
{
    static const char *const codes[] = {
        "if_nz v1.x\nsample r0.xyzw, v0.xyxx, t0.xyzw, s0\nendif\n",
        "loop\nsample r1.xyzw, r0.xyxx, t0.xyzw, s0\nadd r0.xyzw, r0.xyzw, r1.xyzw\nlt r1.x, r0.x, "
        "l(1.0)\nbreakc_z r1.x\nendloop\n",
        "discard_nz v1.x\nderiv_rtx_fine r0.xyzw, v0.xyzw\n",
        "retc_nz v1.x\nlod r0.xy, v0.xyxx, t0.xyzw, s0\n",
        "switch v1.x\ncase l(1)\nsample_b r0.xyzw, v0.xyxx, t0.xyzw, s0, "
        "v0.z\nbreak\ndefault\nderiv_rty_coarse r0.x, v0.x\nbreak\nendswitch\n",
    };
    (void)state;
    check_all(pixel_head, codes, AG_COUNT_OF(codes), pixel_tail);
}

static void barriers_in_any_flow(void **state)
{
    static const char *const codes[] = {
        "sync_g_t\nif_nz r0.x\nsync_g_t\nendif\n",
        "if_nz vThreadGroupID.x\nsync_g_t\nelse\nsync_uglobal_g_t\nendif\n",
        "loop\nsync_g_t\nige r2.x, r3.x, r1.x\nbreakc_nz r2.x\niadd r3.x, r3.x, l(1)\nendloop\n",
        "loop\nbreakc_nz r0.x\nloop\nbreakc_nz r1.x\nsync_g_t\niadd r1.x, r1.x, l(1)\nendloop\niadd r0.x, "
        "r0.x, l(1)\nendloop\nsync_g_t\n",
        "retc_nz r0.x\nsync_g_t\n",
        "switch r0.x\ncase l(0)\nsync_g_t\nbreak\ncase l(1)\nsync_g_t\ndefault\nbreak\nendswitch\nsync_g_t\n",
        "loop\natomic_iadd g0, l(0), l(1)\nsync_g_t\nld_raw r2.x, l(0), g0.x\nsync_g_t\nbreakc_nz "
        "r2.x\ncontinuec_nz r0.y\nsync_uglobal_g_t\nendloop\n",
        "loop\nif_nz r0.x\nret\nendif\nsync_g_t\nendloop\n",
        "call l0\nsync_g_t\nstore_raw u0.x, r0.x, r0.x\nret\nlabel l0\nretc_nz r0.x\nloop\nretc_nz "
        "r1.x\nsync_g_t\nendloop\n",
        /* a break that leaves a switch keeps no thread from the loop's barrier */
        "loop\nsync_g_t\nbreakc_nz r0.x\nswitch r1.x\ncase l(0)\nif_nz r0.y\nbreak\nendif\nmov r2.x, "
        "r0.y\nbreak\ndefault\nbreak\nendswitch\nendloop\n",
        "loop\nbreakc_nz r0.x\nsync_g_t\nswitch r1.x\ncase l(0)\nmov r2.x, r0.y\ncase "
        "l(1)\nbreak\nendswitch\nendloop\n",
        "switch r1.x\ncase l(0)\nif_nz r0.y\nbreak\nendif\nsync_g_t\nbreak\ndefault\nbreak\nendswitch\n",
    };
    (void)state;
    check_all(compute_head, codes, AG_COUNT_OF(codes), compute_tail);
}

/* ---- Sizes -------------------------------------------------------------------------------------------- */

static void repeat(struct ag_strbuf *code, const char *text, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ag_strbuf_append(code, text);
}

static void as_deep_as_dawn_takes(void **state)
{
    struct ag_strbuf code = {0};
    (void)state;
    repeat(&code, "if_nz v1.x\n", 58);
    ag_strbuf_append(&code, "add r0.x, v0.x, l(1.0)\n");
    repeat(&code, "else\nadd r0.y, r0.y, l(1.0)\nendif\n", 58);
    assert_true(check(pixel_head, code.data, pixel_tail));
    ag_strbuf_clear(&code);
    repeat(&code, "loop\nbreakc_nz r0.x\n", 57);
    ag_strbuf_append(&code, "add r0.x, v0.x, l(1.0)\n");
    repeat(&code, "endloop\n", 57);
    assert_true(check(pixel_head, code.data, pixel_tail));
    ag_strbuf_clear(&code);
    repeat(&code, "switch v1.x\ncase l(1)\n", 38);
    ag_strbuf_append(&code, "add r0.x, v0.x, l(1.0)\n");
    repeat(&code, "break\ndefault\nbreak\nendswitch\n", 38);
    assert_true(check(pixel_head, code.data, pixel_tail));
    ag_strbuf_fini(&code);
}

/* What is deeper becomes states. */
static void as_deep_as_direct3d_takes(void **state)
{
    static const char *const levels[][2] = {
        {"if_nz v1.x\n",             "else\nadd r0.y, r0.y, l(1.0)\nendif\n"},
        {"loop\nbreakc_nz r0.x\n",   "endloop\n"                            },
        {"switch v1.x\ncase l(1)\n", "break\ndefault\nbreak\nendswitch\n"   },
    };
    struct ag_strbuf code = {0};
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(levels); i++)
        for (unsigned depth = 36; depth <= 64; depth++) {
            ag_strbuf_clear(&code);
            repeat(&code, levels[i][0], depth);
            ag_strbuf_append(&code, "sample r0.xyzw, v0.xyxx, t0.xyzw, s0\nmov x0[v1.x].x, r0.x\n");
            repeat(&code, levels[i][1], depth);
            assert_true(check(pixel_head, code.data, pixel_tail));
        }
    ag_strbuf_fini(&code);
}

/* Around a barrier all threads are at the same state; without one, blocks of such a program are refused by
 * name. */
static void deep_barriers(void **state)
{
    struct ag_strbuf code = {0};
    struct first_error error = {0};
    const struct agpu_diag_sink sink = {keep_first_error, &error};
    struct agpu_module *module;
    (void)state;
    repeat(&code, "if_nz r0.x\n", 64);
    ag_strbuf_append(&code, "sync_g_t\n");
    repeat(&code, "endif\n", 64);
    assert_true(check(compute_head, code.data, compute_tail));
    ag_strbuf_clear(&code);
    ag_strbuf_append(&code, compute_head);
    ag_strbuf_append(&code, "sync_g_t\n");
    repeat(&code, "if_nz r0.x\n", 64);
    repeat(&code, "endif\n", 64);
    ag_strbuf_append(&code, compute_tail);
    struct agpu_shader *shader = shader_from_text(code.data);
    assert_int_equal(ag_translate(shader, NULL, &sink, &module), AGPU_REFUSED);
    assert_int_equal(error.code, AGPU_DIAG_TRANSLATE_LIMIT);
    agpu_shader_destroy(shader);
    ag_strbuf_fini(&code);
}

static void long_programs(void **state)
{
    struct ag_strbuf code = {0};
    (void)state;
    repeat(&code,
           "mad r0.xyzw, r0.yzwx, v0.xyzw, l(0.5, 1.5, 2.5, 3.5)\nlt r1.x, r0.x, v0.y\nmovc r0.xy, r1.xxxx, "
           "r0.zwzz, v0.xyxx\n",
           4000);
    assert_true(check(pixel_head, code.data, pixel_tail));
    ag_strbuf_clear(&code);
    ag_strbuf_append(&code, "switch v1.x\n");
    for (unsigned i = 0; i < 900; i++)
        ag_strbuf_printf(&code, "case l(%u)\nadd r0.x, r0.x, l(%u.5)\n%s", i, i, i % 3 == 0 ? "" : "break\n");
    ag_strbuf_append(&code, "default\nbreak\nendswitch\n");
    assert_true(check(pixel_head, code.data, pixel_tail));
    ag_strbuf_fini(&code);
}

/* ---- Resources chosen at run time --------------------------------------------------------------------- */

/* Four sources that each choose among 14 buffers, a hundred times: one function, no copies. */
static void constant_buffers_by_index(void **state)
{
    struct ag_strbuf code = {0};
    (void)state;
    ag_strbuf_append(&code, "ps_5_0\n.in A0 v0.x uint\n.out SV_Target0 o0.xyzw float\n"
                            "dcl_globalFlags refactoringAllowed\n");
    for (unsigned i = 0; i < 14; i++)
        ag_strbuf_printf(&code, "dcl_constantbuffer CB%u[8], dynamicIndexed\n", i);
    ag_strbuf_append(&code, "dcl_input_ps constant v0.x\ndcl_output o0.xyzw\ndcl_temps 2\n"
                            "mov r0.xyzw, v0.xxxx\n");
    repeat(&code,
           "bfi r0.xyzw, cb[r0.x + 0][r0.x + 0].xyzw, cb[r0.y + 1][r0.z + 1].xyzw, cb[r0.z + 2][2].xyzw, "
           "cb[r0.w + 3][r0.x + 3].xyzw\nif_nz cb[r0.x + 1][3].x\nadd r0.x, r0.x, cb[r0.y + 0][4].y\nendif\n",
           100);
    ag_strbuf_append(&code, "mov o0.xyzw, r0.xyzw\nret\n");
    struct agpu_shader *shader = shader_from_text(ag_strbuf_text(&code));
    struct agpu_module *module;
    assert_int_equal(ag_translate(shader, NULL, NULL, &module), AGPU_OK);
    assert_true(module_is_bounded(shader, module));
    assert_true(dawn_takes(module));
    assert_int_equal(count_of(module, "case 13u:"), 1);
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
    ag_strbuf_fini(&code);
}

/* A texture and a sampler that one instruction chooses multiply: 8,192 copies are the most.
 */
static void copies_have_an_end(void **state)
{
    static const struct {
        unsigned samples;
        enum agpu_status status;
    } programs[] = {
        {4, AGPU_OK     },
        {5, AGPU_REFUSED}
    };
    (void)state;
    for (size_t p = 0; p < AG_COUNT_OF(programs); p++) {
        struct ag_strbuf code = {0};
        struct first_error error = {0};
        const struct agpu_diag_sink sink = {keep_first_error, &error};
        ag_strbuf_append(&code, "ps_5_0\n.in A0 v0.x uint\n.out SV_Target0 o0.xyzw float\n"
                                "dcl_globalFlags refactoringAllowed\n");
        for (unsigned i = 0; i < 16; i++)
            ag_strbuf_printf(&code, "dcl_sampler s%u, mode_default\n", i);
        for (unsigned i = 0; i < 110; i++)
            ag_strbuf_printf(&code, "dcl_resource_texture2d (float,float,float,float) t%u\n", i);
        ag_strbuf_append(&code, "dcl_input_ps constant v0.x\ndcl_output o0.xyzw\ndcl_temps 2\n"
                                "mov r0.xyzw, v0.xxxx\n");
        repeat(&code, "sample_l r0.xyzw, r0.xyxx, t[r0.x + 0].xyzw, s[r0.y + 0], l(0)\n",
               programs[p].samples);
        ag_strbuf_append(&code, "mov o0.xyzw, r0.xyzw\nret\n");
        struct agpu_shader *shader = shader_from_text(ag_strbuf_text(&code));
        struct agpu_module *module;
        assert_int_equal(ag_translate(shader, NULL, &sink, &module), programs[p].status);
        if (programs[p].status != AGPU_OK)
            assert_int_equal(error.code, AGPU_DIAG_TRANSLATE_LIMIT);
        agpu_module_destroy(module);
        agpu_shader_destroy(shader);
        ag_strbuf_fini(&code);
    }
}

int main(void)
{
    const struct agpu_gpu_options options = {.driver = AGPU_DRIVER_NULL};
    const struct agpu_diag_sink silent = {0};
    if (agpu_gpu_create(&options, &silent, &gpu) != AGPU_OK) {
        puts("skipped: no WebGPU library can be loaded");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_operation_on_literals_is_an_error),
        cmocka_unit_test(constant_places_may_be_outside),
        cmocka_unit_test(flow_that_seems_endless_or_dead),
        cmocka_unit_test(derivatives_in_any_flow),
        cmocka_unit_test(barriers_in_any_flow),
        cmocka_unit_test(as_deep_as_dawn_takes),
        cmocka_unit_test(as_deep_as_direct3d_takes),
        cmocka_unit_test(deep_barriers),
        cmocka_unit_test(long_programs),
        cmocka_unit_test(constant_buffers_by_index),
        cmocka_unit_test(copies_have_an_end),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/torture", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
