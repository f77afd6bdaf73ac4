/* SPDX-License-Identifier: MIT
 *
 * Thread groups that are larger than the device's workgroups: what becomes of their size, which code runs for
 * each thread by itself, and that the results are those of a workgroup of that size. Usage: test_groups
 * driver
 */
#include "../../support/shader_text.h"

#include "base/bytes.h"
#include "compute_run.h"
#include "module_text.h"
#include "wgsl/options.h"

#define THREADS 30

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

static struct agpu_module *translate_group(const char *group, const char *code,
                                           struct ag_workgroup_limits limits)
{
    const struct ag_translate_options options = {.workgroup = limits, .loop_budget = 1000};
    char text[4096];
    snprintf(text, sizeof text,
             "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\ndcl_uav_raw u0\n"
             "dcl_input vThreadIDInGroupFlattened\ndcl_input vThreadIDInGroup.xyz\ndcl_input vThreadID.xyz\n"
             "dcl_input vThreadGroupID.xyz\ndcl_tgsm_structured g0, 4, 64\ndcl_temps 6\n"
             "dcl_indexableTemp x0[2], 4\ndcl_thread_group %s\n%s"
             "imad r5.x, vThreadGroupID.x, l(%d), vThreadIDInGroupFlattened.x\nishl r5.x, r5.x, l(2)\n"
             "store_raw u0.x, r5.x, r0.x\nret\n",
             group, code, THREADS);
    return translate(text, &options);
}

/* ---- Sizes -------------------------------------------------------------------------------------------- */

static void sizes_fit_the_device(void **state)
{
    /* clang-format off */
    static const struct {
        const char *group;
        struct ag_workgroup_limits limits;
        uint32_t size[3];
        const char *has; /* or null */
    } cases[] = {
        {"1024, 1, 1", {0, {0, 0, 0}},          {1024, 1, 1}, NULL},
        {"16, 16, 1",  {256, {256, 256, 64}},   {16, 16, 1},  NULL},
        {"1024, 1, 1", {256, {256, 256, 64}},   {256, 1, 1},  "index < 1024u; index += 256u"},
        {"32, 32, 1",  {256, {256, 256, 64}},   {256, 1, 1},  "thread_index / 32u % 32u"},
        {"10, 100, 1", {256, {256, 256, 64}},   {250, 1, 1},  "index < 1000u; index += 250u"},
        {"7, 11, 13",  {256, {256, 256, 64}},   {143, 1, 1},  "index < 1001u; index += 143u"},
        {"1021, 1, 1", {256, {256, 256, 64}},   {256, 1, 1},  "index < 1021u; index += 256u"},
        {"1, 512, 1",  {1024, {1024, 256, 64}}, {512, 1, 1},  "let thread_index = invocation;"},
        {"1, 1, 64",   {1024, {1024, 256, 32}}, {64, 1, 1},   "let thread_index = invocation;"},
        {"1, 1, 64",   {1024, {16, 16, 16}},    {16, 1, 1},   "index < 64u; index += 16u"},
        {"3, 1, 1",    {1, {0, 0, 0}},          {1, 1, 1},    "index < 3u; index += 1u"},
    };
    /* clang-format on */
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        struct agpu_module *module =
            translate_group(cases[i].group, "mov r0.x, vThreadID.x\n", cases[i].limits);
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(module->workgroup_size[k], cases[i].size[k]);
        if (cases[i].has != NULL)
            assert_has(module, cases[i].has);
        else
            assert_has(module, "@builtin(global_invocation_id)");
        agpu_module_destroy(module);
    }
}

/* A budget of loops is a thread's. */
static void budgets_are_for_each_thread(void **state)
{
    struct agpu_module *module =
        translate_group("30, 1, 1", "loop\nld_raw r0.x, l(0), t0.x\nbreakc_nz r0.x\nendloop\n",
                        (struct ag_workgroup_limits){.invocations = 10});
    (void)state;
    assert_has(module, "var<private> loop_budget: u32 = 3000u;");
    agpu_module_destroy(module);
}

/* What lives between two barriers is one variable, what lives on is one for each thread. */
static void only_what_outlives_a_barrier_is_kept(void **state)
{
    struct agpu_module *module =
        translate_group("30, 1, 1",
                        "iadd r0.x, vThreadIDInGroupFlattened.x, l(1)\nimul null, r1.x, r0.x, r0.x\n"
                        "store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r1.x\nsync_g_t\n"
                        "ld_structured r2.x, l(3), l(0), g0.xxxx\niadd r0.x, r0.x, r2.x\n",
                        (struct ag_workgroup_limits){.invocations = 10});
    (void)state;
    assert_has(module, "var r0x: array<u32, 3>;");
    assert_int_equal(count_of(module, ": array<u32, 3>;"), 1);
    assert_int_equal(count_of(module, "for (var turn = 0u; turn < 3u; turn++)"), 2);
    assert_int_equal(count_of(module, "workgroupBarrier();"), 1);
    agpu_module_destroy(module);
}

/* ---- Results ------------------------------------------------------------------------------------------ */

struct group_case {
    const char *code;
    uint32_t out[4]; /* of the first threads */
};

#define PUT "store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.x\n"
#define OTHER "iadd r4.w, l(29), -vThreadIDInGroupFlattened.x\nld_structured r0.x, r4.w, l(0), g0.xxxx\n"

/* t0 is 1, 2, 3 and so on. */
/* clang-format off */
static const struct group_case cases[] = {
    {"imad r0.x, vThreadID.x, l(7), vThreadIDInGroup.y\n", {0, 7, 14, 21}},
    {"mov r0.x, vThreadIDInGroupFlattened.x\n" PUT "sync_g_t\n" OTHER, {29, 28, 27, 26}},
    /* a loop whose condition nobody can prove uniform */
    {"mov r0.x, vThreadIDInGroupFlattened.x\nmov r1.x, l(0)\n"
     "loop\n" PUT "sync_g_t\n" OTHER "iadd r0.x, r0.x, l(1)\niadd r1.x, r1.x, l(1)\nsync_g_t\n"
     "store_structured g0.x, l(63), l(0), r1.x\nsync_g_t\nld_structured r2.x, l(63), l(0), g0.xxxx\n"
     "ige r2.x, r2.x, l(3)\nbreakc_nz r2.x\nendloop\n", {32, 31, 30, 29}},
    /* continue of a loop with barriers */
    {"mov r0.x, vThreadIDInGroupFlattened.x\nmov r1.x, l(0)\n"
     "loop\nige r1.y, r1.x, l(6)\nbreakc_nz r1.y\niadd r1.x, r1.x, l(1)\nand r1.y, r1.x, l(1)\ncontinuec_nz r1.y\n"
     PUT "sync_g_t\n" OTHER "sync_g_t\nendloop\n", {29, 28, 27, 26}},
    /* branches and loops of single threads around which all go on */
    {"mov r0.x, l(0)\nmov r1.x, l(0)\n"
     "loop\nult r1.y, r1.x, vThreadIDInGroupFlattened.x\nbreakc_z r1.y\niadd r1.x, r1.x, l(1)\n"
     "iadd r0.x, r0.x, r1.x\nieq r1.y, r1.x, l(20)\nif_nz r1.y\nbreak\nendif\nendloop\n" PUT "sync_g_t\n" OTHER,
     {210, 210, 210, 210}},
    /* a temporary that is never written, one that some threads write, behind a barrier */
    {"ieq r2.x, vThreadIDInGroupFlattened.x, l(2)\nif_nz r2.x\nmov r1.x, l(40)\nendif\nsync_g_t\n"
     "iadd r0.x, r1.x, r3.z\n", {0, 0, 40, 0}},
    /* x# across barriers, read and written at run time */
    {"and r1.x, vThreadIDInGroupFlattened.x, l(1)\nmov x0[r1.x + 0].x, vThreadIDInGroupFlattened.x\nsync_g_t\n"
     "xor r1.y, r1.x, l(1)\niadd r0.x, x0[r1.x + 0].x, x0[r1.y + 0].x\niadd r0.x, r0.x, x0[0].y\n", {0, 1, 2, 3}},
    /* the whole group returns in front of a barrier, in a loop that has none */
    {"mov r0.x, l(5)\nmov r1.x, l(0)\nloop\niadd r1.x, r1.x, l(1)\nld_raw r1.y, l(4), t0.x\nieq r1.z, r1.x, r1.y\n"
     "if_nz r1.z\nishl r5.x, vThreadIDInGroupFlattened.x, l(2)\nstore_raw u0.x, r5.x, r1.x\nret\nendif\nendloop\n"
     "sync_g_t\n", {2, 2, 2, 2}},
    /* threads return from nested loops behind the last barrier */
    {"mov r0.x, l(100)\nsync_g_t\nmov r1.x, l(0)\nloop\nmov r2.x, l(0)\nloop\n"
     "imad r3.x, r1.x, l(2), r2.x\nieq r3.y, r3.x, vThreadIDInGroupFlattened.x\nif_nz r3.y\n"
     "ishl r5.x, vThreadIDInGroupFlattened.x, l(2)\nstore_raw u0.x, r5.x, r3.x\nret\nendif\n"
     "iadd r2.x, r2.x, l(1)\nige r2.y, r2.x, l(2)\nbreakc_nz r2.y\nendloop\n"
     "iadd r1.x, r1.x, l(1)\nige r1.y, r1.x, l(2)\nbreakc_nz r1.y\nendloop\n"
     "ult r3.x, l(6), vThreadIDInGroupFlattened.x\nif_nz r3.x\nmov r0.x, l(200)\nendif\n", {0, 1, 2, 3}},
    /* threads leave a switch behind its barrier; one returns there; the others go on */
    {"mov r0.x, vThreadIDInGroupFlattened.x\nld_raw r1.x, l(0), t0.x\nswitch r1.x\ncase l(1)\n" PUT "sync_g_t\n"
     OTHER "ult r2.x, vThreadIDInGroupFlattened.x, l(2)\nif_nz r2.x\niadd r0.x, r0.x, l(1000)\nbreak\nendif\n"
     "iadd r0.x, r0.x, l(100)\nbreak\ndefault\nmov r0.x, l(9)\nbreak\nendswitch\n"
     "iadd r0.x, r0.x, l(5)\n", {1034, 1033, 132, 131}},
    /* the same, with a barrier behind the switch */
    {"mov r0.x, vThreadIDInGroupFlattened.x\nld_raw r1.x, l(0), t0.x\nswitch r1.x\ncase l(1)\n" PUT "sync_g_t\n"
     OTHER "ult r2.x, vThreadIDInGroupFlattened.x, l(2)\nbreakc_nz r2.x\niadd r0.x, r0.x, l(100)\nbreak\n"
     "default\nmov r0.x, l(9)\nbreak\nendswitch\nsync_g_t\n" PUT "sync_g_t\n" OTHER, {100, 101, 102, 103}},
};
/* clang-format on */

static void expect_results(const struct group_case *test, const char *group, uint32_t invocations)
{
    uint32_t in[64], out[2 * THREADS];
    for (uint32_t i = 0; i < AG_COUNT_OF(in); i++)
        in[i] = i + 1;
    struct agpu_module *module =
        translate_group(group, test->code, (struct ag_workgroup_limits){.invocations = invocations});
    compute_run(gpu, module, in, AG_COUNT_OF(in), out, AG_COUNT_OF(out), 1);
    for (unsigned i = 0; i < 4; i++)
        if (out[i] != test->out[i])
            print_error("thread %u of %s in %u: %u, not %u\n%s\n", i, group, invocations, out[i],
                        test->out[i], module->wgsl);
    assert_memory_equal(out, test->out, sizeof test->out);
    agpu_module_destroy(module);
}

/* 30 threads in workgroups that they fill, and that they do not: 4, 7 and 16 make idle turns. */
static void results_are_those_of_large_workgroups(void **state)
{
    static const uint32_t sizes[] = {0, 1, 4, 7, 10, 15, 16, 29};
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++)
        for (size_t k = 0; k < AG_COUNT_OF(sizes); k++)
            expect_results(&cases[i], "30, 1, 1", sizes[k]);
}

/* SV_GroupThreadID and SV_DispatchThreadID count x first. */
static void ids_are_those_of_large_workgroups(void **state)
{
    static const struct group_case test = {
        "imad r0.x, vThreadIDInGroup.y, l(16), vThreadIDInGroup.x\nimad r0.x, vThreadIDInGroup.z, l(256), "
        "r0.x\n"
        "imad r0.x, vThreadID.z, l(4096), r0.x\niadd r0.x, r0.x, vThreadID.y\n",
        {0, 1, 17, 18}
    };
    (void)state;
    expect_results(&test, "2, 3, 5", 0);
    expect_results(&test, "2, 3, 5", 10);
    expect_results(&test, "2, 3, 5", 7);
}

int main(int argc, char **argv)
{
    const int opened = compute_open(argc, argv, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_fit_the_device),
        cmocka_unit_test(budgets_are_for_each_thread),
        cmocka_unit_test(only_what_outlives_a_barrier_is_kept),
        cmocka_unit_test(results_are_those_of_large_workgroups),
        cmocka_unit_test(ids_are_those_of_large_workgroups),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/groups", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
