/* SPDX-License-Identifier: MIT
 *
 * Control flow, section 22.7, and what a program that cannot run is told.
 */
#include <stdio.h>

#include "harness.h"

static uint32_t run(const char *body, uint32_t x)
{
    struct ag_ref_invocation vertex;
    const uint32_t input[1][4] = {
        {x, 0, 0, 0}
    };
    harness_vertex(body, 0, input, 1, &vertex);
    return vertex.output[0][0];
}

static void test_if(void **state)
{
    (void)state;
    const char *body = "mov o0.x, l(1)\nif_nz v0.x\nmov o0.x, l(2)\nelse\nmov o0.x, l(3)\nendif\n"
                       "if_z v0.x\niadd r0.x, l(0), l(0)\nelse\nendif";
    assert_int_equal(run(body, 0), 3);
    assert_int_equal(run(body, 1), 2);
    assert_int_equal(run(body, NEGATIVE), 2); /* -0.0 has a bit set */
    assert_int_equal(run("if_z v0.x\nmov o0.x, l(9)\nendif", NEGATIVE), 0);
}

static void test_loop(void **state)
{
    (void)state;
    /* The sum of the odd numbers below x. */
    const char *body =
        "loop\nuge r0.z, r0.x, v0.x\nbreakc_nz r0.z\nmov r0.w, r0.x\niadd r0.x, r0.x, l(1)\n"
        "and r1.x, r0.w, l(1)\ncontinuec_z r1.x\niadd r0.y, r0.y, r0.w\nendloop\nmov o0.x, r0.y";
    assert_int_equal(run(body, 0), 0);
    assert_int_equal(run(body, 10), 25);
    /* An inner break leaves the inner loop only. */
    assert_int_equal(
        run("loop\nige r0.z, r0.x, l(3)\nbreakc_nz r0.z\nloop\niadd r0.y, r0.y, l(1)\nbreak\nendloop\n"
            "iadd r0.x, r0.x, l(1)\nendloop\nmov o0.x, r0.y",
            0),
        3);
}

static void test_switch(void **state)
{
    (void)state;
    /* Two labels share a body; the second body falls into the third; default stands in the middle. */
    const char *body = "switch v0.x\ncase l(1)\ncase l(2)\nmov o0.x, l(12)\nbreak\n"
                       "default\nmov o0.x, l(99)\nbreak\n"
                       "case l(3)\nmov r0.x, l(30)\ncase l(-4)\niadd o0.x, r0.x, l(4)\nbreak\nendswitch\n"
                       "iadd r0.y, r0.y, l(1)";
    assert_int_equal(run(body, 1), 12);
    assert_int_equal(run(body, 2), 12);
    assert_int_equal(run(body, 3), 34);
    assert_int_equal(run(body, 0xfffffffc), 4);
    assert_int_equal(run(body, 7), 99);
    assert_int_equal(run("switch v0.x\ncase l(1)\nmov o0.x, l(5)\nbreak\nendswitch", 2), 0);
}

/* continue inside a switch belongs to the loop around it. */
static void test_switch_in_loop(void **state)
{
    (void)state;
    const char *body =
        "loop\nige r0.y, r0.x, l(4)\nbreakc_nz r0.y\niadd r0.x, r0.x, l(1)\nswitch r0.x\n"
        "case l(2)\ncontinue\ncase l(3)\nbreak\ndefault\niadd r0.z, r0.z, l(100)\nbreak\nendswitch\n"
        "iadd r0.z, r0.z, l(1)\nendloop\nmov o0.x, r0.z";
    assert_int_equal(run(body, 0), 203);
}

static void test_call(void **state)
{
    (void)state;
    const char *body =
        "mov r0.x, v0.x\ncall l0\ncallc_nz v0.x, l1\nmov o0.x, r0.x\nret\n"
        "label l0\niadd r0.x, r0.x, l(10)\ncall l1\nret\n"
        "label l1\nretc_z r0.x\niadd r0.x, r0.x, l(100)\nif_nz r0.x\nret\nendif\nmov r0.x, l(0)";
    assert_int_equal(run(body, 0), 110);
    assert_int_equal(run(body, 1), 211);
}

/* 32 return addresses: deeper calls are skipped. */
static void test_call_depth(void **state)
{
    (void)state;
    assert_int_equal(run("call l0\nmov o0.x, r0.x\nret\nlabel l0\niadd r0.x, r0.x, l(1)\ncall l0", 0), 32);
}

static void test_ret(void **state)
{
    (void)state;
    const char *body = "mov o0.x, l(1)\nloop\nretc_nz v0.x\nmov o0.x, l(2)\nret\nendloop\nmov o0.x, l(3)";
    assert_int_equal(run(body, 1), 1);
    assert_int_equal(run(body, 0), 2);
}

static const char head[] = "vs_5_0\ndcl_input v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n";

static enum agpu_status run_whole(struct harness *harness, const char *body,
                                  const struct ag_ref_bindings *bindings, uint64_t budget, uint32_t *result)
{
    char listing[4096];
    struct ag_ref_invocation vertex = {0};
    const struct ag_ref_options options = {.step_budget = budget};
    snprintf(listing, sizeof listing, "%s%s", head, body);
    harness_open(harness, listing);
    const enum agpu_status status =
        ag_ref_run_vertex(harness->program, bindings, &options, &harness->sink, &vertex);
    *result = vertex.output[0][0];
    return status;
}

static void test_budget(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t result;
    assert_int_equal(run_whole(&harness, "mov o0.x, l(7)\nloop\nendloop\nret\n", NULL, 1000, &result),
                     AGPU_REFUSED);
    assert_int_equal(harness.last_code, AGPU_DIAG_REF_BUDGET);
    assert_int_equal(result, 7);
    harness_close(&harness);
}

static const char interfaces[] =
    "dcl_function_body fb0\ndcl_function_body fb1\ndcl_function_table ft0 = {fb0}\n"
    "dcl_function_table ft1 = {fb1}\ndcl_interface fp0[2][1] = {ft0, ft1}\n";
static const char calls[] = "fcall fp0[1][0]\nmov o0.x, r0.x\nret\nlabel fb0\nmov r0.x, l(100)\nret\n"
                            "label fb1\niadd r0.x, this[1].y, l(200)\nret\n";

static enum agpu_status run_interface(struct harness *harness, const struct ag_ref_bindings *bindings,
                                      uint32_t *result)
{
    char listing[2048];
    struct ag_ref_invocation vertex = {0};
    snprintf(listing, sizeof listing, "vs_5_0\n%sdcl_output o0.xyzw\ndcl_temps 1\n%s", interfaces, calls);
    harness_open(harness, listing);
    const enum agpu_status status =
        ag_ref_run_vertex(harness->program, bindings, NULL, &harness->sink, &vertex);
    *result = vertex.output[0][0];
    return status;
}

static void test_interfaces(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t result;
    const struct ag_ref_instance instances[2] = {
        {.table = 0           },
        { .table = 1, .data = {1, 5, 0, 0}}
    };
    const struct ag_ref_bindings bindings = {.instances = instances, .instance_count = 2};
    assert_int_equal(run_interface(&harness, &bindings, &result), AGPU_OK);
    assert_int_equal(result, 205);
    harness_close(&harness);
    assert_int_equal(run_interface(&harness, NULL, &result), AGPU_REFUSED);
    assert_int_equal(harness.last_code, AGPU_DIAG_REF_INSTANCE);
    harness_close(&harness);
}

static void assert_refused(const char *listing, enum agpu_diag_code code)
{
    struct harness harness;
    assert_int_equal(harness_try(&harness, listing), AGPU_REFUSED);
    assert_int_equal(harness.last_code, code);
    assert_null(harness.program);
    harness_close(&harness);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refused("gs_5_0\ndcl_inputprimitive triangle\ndcl_stream m0\ndcl_outputtopology trianglestrip\n"
                   "dcl_maxout 3\nret\n",
                   AGPU_DIAG_REF_STAGE);
    assert_refused("vs_5_0\nendif\nret\n", AGPU_DIAG_REF_FLOW);
    assert_refused("vs_5_0\nloop\nret\n", AGPU_DIAG_REF_FLOW);
    assert_refused("vs_5_0\nbreak\nret\n", AGPU_DIAG_REF_FLOW);
    assert_refused("vs_5_0\nif_nz l(1)\ncontinue\nendif\nret\n", AGPU_DIAG_REF_FLOW);
    assert_refused("vs_5_0\ndcl_temps 1\nloop\nif_nz r0.x\nendloop\nendif\nret\n", AGPU_DIAG_REF_FLOW);
    assert_refused("vs_5_0\ndcl_temps 1\nif_nz r0.x\nelse\nelse\nendif\nret\n", AGPU_DIAG_REF_FLOW);
    assert_refused("cs_5_0\ndcl_thread_group 64, 64, 1\nret\n", AGPU_DIAG_REF_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if),         cmocka_unit_test(test_loop),
        cmocka_unit_test(test_switch),     cmocka_unit_test(test_switch_in_loop),
        cmocka_unit_test(test_call),       cmocka_unit_test(test_call_depth),
        cmocka_unit_test(test_ret),        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_interfaces), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
