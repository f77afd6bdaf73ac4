/* SPDX-License-Identifier: MIT
 *
 * Choices that the specification leaves to implementations.
 */
#include <stdio.h>

#include "harness.h"

/* The result of `instruction` on v0.x and v1.x with its rounding moved by a seed. */
static uint32_t moved(struct harness *harness, float a, float b, uint64_t seed)
{
    struct ag_ref_invocation vertex = {
        .input = {{bits(a)}, {bits(b)}}
    };
    const struct ag_ref_bindings bindings = {0};
    const struct ag_ref_options options = {.perturb = seed};
    assert_int_equal(ag_ref_run_vertex(harness->program, &bindings, &options, &harness->sink, &vertex),
                     AGPU_OK);
    return vertex.output[0][0];
}

static void open_instruction(struct harness *harness, const char *instruction)
{
    char listing[400];
    snprintf(listing, sizeof listing,
             "vs_5_0\n.in A0 v0.x float\n.in B0 v1.x float\n.out O0 o0.x float\ndcl_input v0.x\n"
             "dcl_input v1.x\ndcl_output o0.x\n%s\nret\n",
             instruction);
    harness_open(harness, listing);
}

/* What is exact in any order stays; what rounds moves by a unit in the last place, up and down. */
static void test_rounding_moves(void **state)
{
    (void)state;
    struct harness harness;
    const uint32_t ninth = bits(0x1.c71c74p-4f); /* the product of two thirds' neighbours, rounded */
    bool up = false, down = false;
    open_instruction(&harness, "mul o0.x, v0.x, v1.x");
    for (uint64_t seed = 1; seed <= 32; seed++) {
        assert_int_equal(moved(&harness, 1.5f, 2.0f, seed), bits(3.0f));
        const uint32_t result = moved(&harness, 0x1.555556p-2f, 0x1.555556p-2f, seed);
        assert_in_range(result, ninth - 2, ninth + 2);
        up = up || result > ninth;
        down = down || result < ninth;
    }
    assert_true(up && down);
    harness_close(&harness);
}

static uint32_t coarse(struct harness *harness, uint32_t flags)
{
    static const float values[4] = {0.0f, 1.0f, 0.0f, 3.0f};
    struct ag_ref_invocation pixels[4] = {0};
    const struct ag_ref_bindings bindings = {0};
    const struct ag_ref_options options = {.flags = flags};
    for (uint32_t i = 0; i < 4; i++)
        pixels[i].input[0][0] = bits(values[i]);
    assert_int_equal(ag_ref_run_quad(harness->program, &bindings, &options, &harness->sink, pixels), AGPU_OK);
    return pixels[0].output[0][0];
}

/* Coarse derivatives are one of the quad's two (section 22.5.2). */
static void test_rows_of_derivatives(void **state)
{
    (void)state;
    struct harness harness;
    harness_open(&harness, "ps_5_0\n.in A0 v0.x float\n.out SV_Target0 o0.x float\n"
                           "dcl_input_ps linear v0.x\ndcl_output o0.x\nderiv_rtx_coarse o0.x, v0.x\nret\n");
    assert_int_equal(coarse(&harness, 0), bits(1.0f));
    assert_int_equal(coarse(&harness, AG_REF_LOWER_ROW), bits(3.0f));
    harness_close(&harness);
}

/* Of two threads that store to one word the last to run wins. */
static void test_order_of_threads(void **state)
{
    (void)state;
    struct harness harness;
    static const uint32_t groups[3] = {2, 1, 1};
    harness_open(&harness, "cs_5_0\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_thread_group 2, 1, 1\n"
                           "store_raw u0.x, l(0), vThreadID.x\nret\n");
    for (uint32_t backwards = 0; backwards < 2; backwards++) {
        uint32_t word = 77;
        struct ag_ref_view view = {.dimension = AGPU_DIMENSION_RAW_BUFFER, .data = &word, .size = 4};
        const struct ag_ref_bindings bindings = {.unordered = &view, .unordered_count = 1};
        const struct ag_ref_options options = {.flags = backwards != 0 ? AG_REF_BACKWARDS : 0};
        assert_int_equal(ag_ref_dispatch(harness.program, &bindings, &options, &harness.sink, groups),
                         AGPU_OK);
        assert_int_equal(word, backwards != 0 ? 0 : 3);
    }
    harness_close(&harness);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding_moves),
        cmocka_unit_test(test_rows_of_derivatives),
        cmocka_unit_test(test_order_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
