/* SPDX-License-Identifier: MIT
 *
 * Flow control that cannot keep its shape: blocks that nest deeper than WGSL parsers take, and subroutines
 * whose calls would double a program at every level. Usage: test_states driver
 */
#include "base/bytes.h"
#include "base/strbuf.h"
#include "compute_run.h"
#include "module_text.h"
#include "wgsl/options.h"

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

static const char head[] =
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\ndcl_uav_raw u0\n"
    "dcl_tgsm_raw g0, 64\ndcl_input vThreadIDInGroupFlattened\ndcl_temps 6\n"
    "dcl_thread_group 1, 1, 1\nmov r0.xyzw, l(0, 0, 0, 0)\nld_raw r1.xyzw, l(0), t0.xyzw\n";
static const char store[] = "store_raw u0.xyzw, l(0), r0.xyzw\nret\n";

static void repeat(struct ag_strbuf *code, const char *text, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ag_strbuf_append(code, text);
}

/* The module of `code` with the result stored behind it, and subroutines behind that; null when refused. */
static struct agpu_module *translate_flow(const char *code, const char *subroutines,
                                          const struct ag_translate_options *options,
                                          enum agpu_diag_code *why)
{
    struct ag_strbuf text = {0};
    struct first_error error = {0};
    const struct agpu_diag_sink sink = {keep_first_error, &error};
    struct agpu_module *module = NULL;
    ag_strbuf_printf(&text, "%s%s%s%s", head, code, store, subroutines);
    assert_false(text.failed);
    struct agpu_shader *shader = shader_from_text(ag_strbuf_text(&text));
    if (ag_translate(shader, options, &sink, &module) != AGPU_OK && why == NULL)
        print_error("%s\n", error.message);
    if (why != NULL)
        *why = error.code;
    agpu_shader_destroy(shader);
    ag_strbuf_fini(&text);
    return module;
}

static void expect_words(const char *code, const char *subroutines,
                         const struct ag_translate_options *options, const uint32_t in[4], uint32_t x,
                         uint32_t y, uint32_t z, uint32_t w)
{
    const uint32_t want[4] = {x, y, z, w};
    uint32_t out[4];
    struct agpu_module *module = translate_flow(code, subroutines, options, NULL);
    assert_non_null(module);
    compute_run(gpu, module, in, 4, out, 4, 1);
    for (uint32_t i = 0; i < 4; i++) {
        if (out[i] != want[i])
            print_error("%s%sword %u is %u, should be %u\n%s\n", code, subroutines, i, out[i], want[i],
                        module->wgsl);
        assert_int_equal(out[i], want[i]);
    }
    agpu_module_destroy(module);
}

/* ---- Depth -------------------------------------------------------------------------------------------- */

/* 64 levels, Direct3D's most. r1.x is as many as are entered; what stands behind each block runs for those.
 */
static void ifs_of_every_depth(void **state)
{
    struct ag_strbuf code = {0};
    (void)state;
    for (unsigned i = 0; i < 64; i++)
        ag_strbuf_printf(&code, "ult r2.x, l(%u), r1.x\nif_nz r2.x\niadd r0.x, r0.x, l(1)\n", i);
    repeat(&code, "iadd r0.y, r0.y, l(1)\nelse\niadd r0.z, r0.z, l(1)\nendif\n", 64);
    for (uint32_t entered = 0; entered <= 64; entered += entered == 0 || entered == 63 ? 1 : 31)
        expect_words(code.data, "", NULL, (const uint32_t[4]){entered}, entered, entered, entered < 64, 0);
    ag_strbuf_fini(&code);
}

/* Each of 64 loops runs once, but the innermost, which runs three times, and the outermost, twice. */
static void loops_of_every_depth(void **state)
{
    struct ag_strbuf code = {0};
    (void)state;
    ag_strbuf_append(&code, "loop\nige r2.x, r0.w, l(2)\nbreakc_nz r2.x\niadd r0.w, r0.w, l(1)\n");
    repeat(&code, "loop\niadd r0.x, r0.x, l(1)\n", 62);
    ag_strbuf_append(&code,
                     "mov r3.x, l(0)\nloop\nige r2.x, r3.x, l(3)\nbreakc_nz r2.x\niadd r3.x, r3.x, l(1)\n"
                     "iadd r0.z, r0.z, l(1)\ncontinue\nendloop\n");
    repeat(&code, "iadd r0.y, r0.y, l(1)\nbreak\nendloop\n", 62);
    ag_strbuf_append(&code, "endloop\n");
    expect_words(code.data, "", NULL, (const uint32_t[4]){0}, 124, 124, 6, 2);
    ag_strbuf_fini(&code);
}

/* The outermost fall through, as states; the others keep their shape. */
static void switches_of_every_depth(void **state)
{
    struct ag_strbuf code = {0};
    (void)state;
    repeat(&code, "switch r1.x\ncase l(3)\niadd r0.x, r0.x, l(1)\ncase l(4)\n", 40);
    repeat(&code, "switch r1.y\ncase l(2)\n", 24);
    ag_strbuf_append(&code, "iadd r0.w, r0.w, l(1)\n");
    repeat(&code, "iadd r0.y, r0.y, l(1)\nbreak\ndefault\niadd r0.z, r0.z, l(1)\nbreak\nendswitch\n", 64);
    const struct ag_translate_options options = {.most_nesting = 24};
    expect_words(code.data, "", &options, (const uint32_t[4]){3, 2}, 40, 64, 0, 1);
    expect_words(code.data, "", &options, (const uint32_t[4]){4, 2}, 0, 64, 0, 1);
    expect_words(code.data, "", &options, (const uint32_t[4]){4, 1}, 0, 40, 1, 0);
    expect_words(code.data, "", &options, (const uint32_t[4]){5, 2}, 0, 0, 1, 0);
    ag_strbuf_fini(&code);
}

/* A return, a break and a continue from inside of blocks that keep their shape in blocks that do not. */
static void jumps_out_of_states(void **state)
{
    /* clang-format off */
    static const struct {
        const char *code;
        uint32_t in, out[4];
    } cases[] = {
        {"loop\niadd r0.x, r0.x, l(1)\nswitch r1.x\ncase l(1)\nbreak\ndefault\nige r2.x, r0.x, l(3)\nif_nz r2.x\nstore_raw u0.x, "
         "l(0), l(77)\nret\nendif\ncontinue\nendswitch\niadd r0.y, r0.y, l(1)\nbreak\nendloop\n",
         1, {1, 1, 0, 0}},
        {"loop\niadd r0.x, r0.x, l(1)\nswitch r1.x\ncase l(1)\nbreak\ndefault\nige r2.x, r0.x, l(3)\nif_nz r2.x\nstore_raw u0.x, "
         "l(0), l(77)\nret\nendif\ncontinue\nendswitch\niadd r0.y, r0.y, l(1)\nbreak\nendloop\n",
         2, {77, 0, 0, 0}},
        {"loop\niadd r0.x, r0.x, l(1)\nige r2.x, r0.x, l(5)\nif_nz r2.x\nloop\niadd r0.y, r0.y, l(1)\nbreakc_nz r1.x\nendloop\n"
         "break\nendif\nuge r2.y, r0.x, l(3)\ncontinuec_nz r2.y\niadd r0.z, r0.z, l(1)\nendloop\niadd r0.w, r0.w, l(9)\n",
         1, {5, 1, 2, 9}},
        {"switch r1.x\ndefault\niadd r0.x, r0.x, l(1)\ncase l(6)\niadd r0.y, r0.y, l(1)\nif_nz r0.x\nbreak\nendif\ncase l(7)\n"
         "iadd r0.z, r0.z, l(1)\nendswitch\n",
         6, {0, 1, 1, 0}},
        {"switch r1.x\ndefault\niadd r0.x, r0.x, l(1)\ncase l(6)\niadd r0.y, r0.y, l(1)\nif_nz r0.x\nbreak\nendif\ncase l(7)\n"
         "iadd r0.z, r0.z, l(1)\nendswitch\n",
         9, {1, 1, 0, 0}},
    };
    /* clang-format on */
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++)
        for (uint8_t most = 0; most < 8; most++) {
            const struct ag_translate_options options = {.most_nesting = most};
            const uint32_t *out = cases[i].out;
            expect_words(cases[i].code, "", &options, (const uint32_t[4]){cases[i].in}, out[0], out[1],
                         out[2], out[3]);
        }
}

/* ---- Calls -------------------------------------------------------------------------------------------- */

/* Each of `levels` subroutines calls the next twice: 2^levels additions, in text of `levels`. */
static void doubling(struct ag_strbuf *text, unsigned levels)
{
    for (unsigned i = 0; i < levels; i++)
        ag_strbuf_printf(text, "label l%u\niadd r0.y, r0.y, l(1)\ncall l%u\ncall l%u\nret\n", i, i + 1,
                         i + 1);
    ag_strbuf_printf(text, "label l%u\niadd r0.x, r0.x, l(1)\nret\n", levels);
}

static void calls_that_double(void **state)
{
    struct ag_strbuf text = {0};
    (void)state;
    doubling(&text, 16);
    expect_words("call l0\n", text.data, NULL, (const uint32_t[4]){0}, 1u << 16, (1u << 16) - 1, 0, 0);
    ag_strbuf_clear(&text);
    doubling(&text, 31);
    struct agpu_module *module = translate_flow("callc_nz r1.x, l0\n", text.data, NULL, NULL);
    assert_non_null(module);
    assert_true(module->wgsl_length < 32 * 1024);
    agpu_module_destroy(module);
    ag_strbuf_fini(&text);
}

/* A subroutine of three places, with returns in the middle of a loop, is entered and left where it should. */
static void calls_from_several_places(void **state)
{
    static const char code[] = "call l1\nloop\nige r2.x, r0.x, l(4)\nbreakc_nz r2.x\ncall l1\nendloop\n"
                               "callc_z r1.y, l1\ncallc_nz r1.y, l1\n";
    static const char subroutines[] =
        "label l1\niadd r0.x, r0.x, l(1)\nloop\niadd r0.y, r0.y, l(1)\nult r3.x, r0.y, l(3)\n"
        "retc_z r3.x\niadd r0.z, r0.z, l(1)\nendloop\nret\n";
    (void)state;
    for (uint8_t most = 0; most < 6; most++) {
        const struct ag_translate_options options = {.most_nesting = most};
        /* five calls: y goes 1, 2, 3 in the first, then one more in each */
        expect_words(code, subroutines, &options, (const uint32_t[4]){0}, 5, 7, 2, 0);
    }
}

static void calls_that_never_end_are_refused(void **state)
{
    enum agpu_diag_code why;
    struct ag_strbuf text = {0};
    (void)state;
    assert_null(translate_flow("call l1\n", "label l1\ncallc_nz r1.x, l1\nret\n", NULL, &why));
    assert_int_equal(why, AGPU_DIAG_TRANSLATE_FLOW);
    doubling(&text, 32); /* 33 subroutines deep */
    assert_null(translate_flow("call l0\n", text.data, NULL, &why));
    assert_int_equal(why, AGPU_DIAG_TRANSLATE_FLOW);
    ag_strbuf_fini(&text);
}

/* With barriers everything is inlined, so that all threads are at the same place; what grows too much is
 * named. */
static void doubling_around_barriers_is_refused(void **state)
{
    enum agpu_diag_code why;
    struct ag_strbuf text = {0};
    (void)state;
    doubling(&text, 24);
    assert_null(translate_flow("call l0\nsync_g_t\n", text.data, NULL, &why));
    assert_int_equal(why, AGPU_DIAG_TRANSLATE_LIMIT);
    ag_strbuf_fini(&text);
}

/* ---- Size --------------------------------------------------------------------------------------------- */

/* Hundreds of loops, each with variables of its own: these are the module's then, and the values the same. */
static void many_loops_and_variables(void **state)
{
    struct ag_strbuf code = {0}, subroutines = {0};
    (void)state;
    for (unsigned i = 0; i < 350; i++) {
        ag_strbuf_printf(&code, "call l%u\n", i);
        ag_strbuf_printf(&subroutines,
                         "label l%u\niadd r0.x, r0.x, l(1)\nretc_nz r1.x\niadd r0.y, r0.y, l(1)\nret\n", i);
    }
    struct agpu_module *module = translate_flow(code.data, subroutines.data, NULL, NULL);
    assert_non_null(module);
    assert_has(module, "var<private> r0x");
    agpu_module_destroy(module);
    expect_words(code.data, subroutines.data, NULL, (const uint32_t[4]){0}, 350, 350, 0, 0);
    ag_strbuf_fini(&code);
    ag_strbuf_fini(&subroutines);
}

/* ---- Budget ------------------------------------------------------------------------------------------- */

/* Calls pay as iterations do: 2^30 of them end after a thousand, and the program runs on. */
static void doubling_ends_with_the_budget(void **state)
{
    const struct ag_translate_options options = {.loop_budget = 1000};
    struct ag_strbuf text = {0};
    uint32_t out[4];
    (void)state;
    doubling(&text, 30);
    struct agpu_module *module = translate_flow("call l0\nmov r0.w, l(5)\n", text.data, &options, NULL);
    assert_non_null(module);
    assert_int_equal(count_of(module, "if (spend("), 1);
    compute_run(gpu, module, (const uint32_t[4]){0}, 4, out, 4, 1);
    agpu_module_destroy(module);
    ag_strbuf_fini(&text);
}

int main(int argc, char **argv)
{
    const int opened = compute_open(argc, argv, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ifs_of_every_depth),
        cmocka_unit_test(loops_of_every_depth),
        cmocka_unit_test(switches_of_every_depth),
        cmocka_unit_test(jumps_out_of_states),
        cmocka_unit_test(calls_that_double),
        cmocka_unit_test(calls_from_several_places),
        cmocka_unit_test(calls_that_never_end_are_refused),
        cmocka_unit_test(doubling_around_barriers_is_refused),
        cmocka_unit_test(many_loops_and_variables),
        cmocka_unit_test(doubling_ends_with_the_budget),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/states", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
