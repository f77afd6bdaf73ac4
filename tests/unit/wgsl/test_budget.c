/* SPDX-License-Identifier: MIT
 *
 * The budget of loops that may never end: which loops pay, and that they end on a driver with values that
 * follow from the number of iterations. Usage: test_budget driver
 */
#include "../../support/shader_text.h"

#include "base/bytes.h"
#include "compute_run.h"
#include "module_text.h"
#include "wgsl/options.h"

#define BUDGET 1000

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

static struct agpu_module *translate_loops(const char *group, const char *code)
{
    const struct ag_translate_options options = {.loop_budget = BUDGET};
    char text[4096];
    snprintf(text, sizeof text,
             "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\ndcl_uav_raw u0\n"
             "dcl_input vThreadIDInGroupFlattened\ndcl_tgsm_raw g0, 256\ndcl_temps 6\ndcl_thread_group %s\n"
             "mov r0.xyzw, l(0, 0, 0, 0)\nld_raw r1.xyzw, l(0), t0.xyzw\n%s"
             "ishl r5.x, vThreadIDInGroupFlattened.x, l(4)\nstore_raw u0.xyzw, r5.x, r0.xyzw\nret\n",
             group, code);
    return translate(text, &options);
}

/* ---- Who pays ------------------------------------------------------------------------------------------ */

struct loop_case {
    const char *code;
    unsigned paying; /* loops */
    uint32_t in[4], out[4];
};

/* clang-format off */
static const struct loop_case cases[] = {
    /* between constants, up and down, tested before the step */
    {"loop\nige r2.x, r0.x, l(10)\nbreakc_nz r2.x\niadd r0.x, r0.x, l(3)\nendloop\n", 0, {0}, {12, 0, 0, 0}},
    {"mov r0.x, l(-4)\nloop\nilt r2.x, l(4), r0.x\nbreakc_nz r2.x\niadd r0.x, r0.x, l(1)\nendloop\n", 0, {0}, {5, 0, 0, 0}},
    {"mov r0.x, l(7)\nloop\nige r2.x, r0.x, l(0)\nbreakc_z r2.x\niadd r0.x, r0.x, l(-1)\nendloop\n", 0, {0}, {UINT32_MAX, 0, 0, 0}},
    {"loop\nult r2.x, r0.x, l(8)\nif_nz r2.x\niadd r0.y, r0.y, l(2)\nelse\nbreak\nendif\niadd r0.x, r0.x, l(1)\nendloop\n", 1, {0}, {8, 16, 0, 0}},
    {"loop\nuge r2.x, r0.x, l(8)\nbreakc_nz r2.x\niadd r0.y, r0.y, l(2)\niadd r0.x, r0.x, l(1)\nendloop\n", 0, {0}, {8, 16, 0, 0}},
    /* a subroutine is a loop that runs once; so is one that ends in a break */
    {"loop\niadd r0.x, r0.x, l(1)\nbreak\nendloop\n", 0, {0}, {1, 0, 0, 0}},
    /* the limit comes from outside */
    {"loop\nige r2.x, r0.x, r1.x\nbreakc_nz r2.x\niadd r0.x, r0.x, l(1)\nendloop\n", 1, {20}, {20, 0, 0, 0}},
    /* never ends: the 1001st iteration is not made */
    {"loop\niadd r0.x, r0.x, l(1)\nendloop\n", 1, {0}, {BUDGET, 0, 0, 0}},
    {"loop\nieq r2.x, r0.y, l(1)\nbreakc_nz r2.x\niadd r0.x, r0.x, l(1)\nendloop\niadd r0.z, r0.z, l(5)\n", 1, {0}, {BUDGET, 0, 5, 0}},
    /* a step in the wrong direction, of nothing, under a condition, or begun anew */
    {"loop\nige r2.x, r0.x, l(10)\nbreakc_nz r2.x\niadd r0.x, r0.x, l(-1)\niadd r0.y, r0.y, l(1)\nendloop\n", 1, {0}, {UINT32_MAX - BUDGET + 1, BUDGET, 0, 0}},
    {"loop\nige r2.x, r0.x, l(10)\nbreakc_nz r2.x\niadd r0.x, r0.x, l(0)\niadd r0.y, r0.y, l(1)\nendloop\n", 1, {0}, {0, BUDGET, 0, 0}},
    {"loop\nige r2.x, r0.x, l(10)\nbreakc_nz r2.x\niadd r0.y, r0.y, l(1)\nif_nz r1.x\niadd r0.x, r0.x, l(1)\nendif\nendloop\n", 1, {0}, {0, BUDGET, 0, 0}},
    {"loop\nige r2.x, r0.x, l(10)\nbreakc_nz r2.x\niadd r0.x, r0.x, l(1)\niadd r0.y, r0.y, l(1)\nif_z r1.x\nmov r0.x, l(2)\nendif\nendloop\n", 1, {0}, {2, BUDGET, 0, 0}},
    {"loop\nige r2.x, r0.x, l(10)\nbreakc_nz r2.x\niadd r0.y, r0.y, l(1)\ncontinuec_z r1.x\niadd r0.x, r0.x, l(1)\nendloop\n", 1, {0}, {0, BUDGET, 0, 0}},
    /* an inner loop that goes on where it stopped does not begin again */
    {"loop\nige r2.x, r0.y, l(3)\nbreakc_nz r2.x\nloop\nige r2.y, r0.x, l(5)\nbreakc_nz r2.y\niadd r0.x, r0.x, l(1)\nendloop\n"
     "iadd r0.y, r0.y, l(1)\nendloop\n", 0, {0}, {5, 3, 0, 0}},
    /* an iteration of the outer loop costs 1, and the inner loop's most: 8 + 2 times 1 */
    {"loop\nbreakc_nz r1.x\nmov r0.x, l(0)\nloop\nige r2.y, r0.x, l(8)\nbreakc_nz r2.y\niadd r0.x, r0.x, l(1)\niadd r0.z, r0.z, l(1)\nendloop\n"
     "iadd r0.y, r0.y, l(1)\nendloop\n", 1, {0}, {8, BUDGET / 11, BUDGET / 11 * 8, 0}},
    /* more than is given for nothing */
    {"loop\nige r2.x, r0.x, l(1000000)\nbreakc_nz r2.x\niadd r0.x, r0.x, l(1)\nendloop\n", 1, {0}, {BUDGET, 0, 0, 0}},
    /* two loops share what there is */
    {"loop\nige r2.x, r0.x, r1.x\nbreakc_nz r2.x\niadd r0.x, r0.x, l(1)\nendloop\nloop\niadd r0.y, r0.y, l(1)\nendloop\n",
     2, {300}, {300, BUDGET - 301, 0, 0}},
    /* inside a switch and a subroutine */
    {"switch r1.x\ncase l(0)\nloop\niadd r0.x, r0.x, l(1)\nendloop\nbreak\ndefault\nbreak\nendswitch\niadd r0.y, r0.y, l(1)\n", 1, {0}, {BUDGET, 1, 0, 0}},
};
/* clang-format on */

static bool check_case(const struct loop_case *c)
{
    uint32_t out[4];
    struct agpu_module *module = translate_loops("1, 1, 1", c->code);
    bool good = count_of(module, "if (spend(") == c->paying;
    if (!good)
        print_error("%u loops should pay in\n%s\n", c->paying, module->wgsl);
    compute_run(gpu, module, c->in, 4, out, 4, 1);
    for (uint32_t i = 0; i < 4; i++) {
        if (out[i] == c->out[i])
            continue;
        print_error("%sword %u is %u, should be %u\n", c->code, i, out[i], c->out[i]);
        good = false;
    }
    agpu_module_destroy(module);
    return good;
}

static void loops_that_may_never_end_pay(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++)
        wrong += !check_case(&cases[i]);
    assert_int_equal(wrong, 0);
    assert_int_equal(gpu_log.count, 0);
}

/* Every thread meets the others at the barrier as often as they do. */
static void threads_leave_together(void **state)
{
    (void)state;
    uint32_t in[4] = {0}, out[16 * 4];
    struct agpu_module *module = translate_loops(
        "16, 1, 1", "loop\nbreakc_nz r1.x\niadd r0.x, r0.x, l(1)\natomic_iadd g0, l(0), l(1)\n"
                    "sync_g_t\nld_raw r0.y, l(0), g0.x\nsync_g_t\nendloop\n");
    assert_has(module, "shared_decision(select(0u, 1u, spend(1u)), thread_index)");
    compute_run(gpu, module, in, 4, out, AG_COUNT_OF(out), 1);
    for (uint32_t thread = 0; thread < 16; thread++) {
        assert_int_equal(out[thread * 4], BUDGET);
        assert_int_equal(out[thread * 4 + 1], BUDGET * 16);
    }
    agpu_module_destroy(module);
}

static void no_budget_no_counting(void **state)
{
    (void)state;
    struct agpu_module *module = translate("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_temps "
                                           "1\ndcl_thread_group 1, 1, 1\nloop\nendloop\nret\n",
                                           NULL);
    assert_lacks(module, "spend");
    assert_lacks(module, "loop_budget");
    agpu_module_destroy(module);
}

int main(int argc, char **argv)
{
    const int opened = compute_open(argc, argv, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_that_may_never_end_pay),
        cmocka_unit_test(threads_leave_together),
        cmocka_unit_test(no_budget_no_counting),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/budget", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
