/* SPDX-License-Identifier: MIT
 *
 * Doubles: sections 22.14 to 22.17.6.
 */
#include <math.h>

#include "harness.h"

/* Runs `body` with the doubles a in v0.xy and b in v0.zw, c in v1.xy and d in v1.zw. */
static struct ag_ref_invocation run(const char *body, double a, double b, double c, double d)
{
    struct ag_ref_invocation vertex;
    const double value[4] = {a, b, c, d};
    uint32_t input[2][4];
    memcpy(input, value, sizeof input);
    harness_vertex(body, 0, (const uint32_t(*)[4])input, 2, &vertex);
    return vertex;
}

static double pair(const struct ag_ref_invocation *vertex, uint32_t reg, uint32_t lane)
{
    double value;
    memcpy(&value, &vertex->output[reg][2 * lane], sizeof value);
    return value;
}

static void test_arithmetic(void **state)
{
    (void)state;
    struct ag_ref_invocation vertex = run("dadd o0.xyzw, v0.xyzw, v1.xyzw\ndmul o1.xyzw, v0.xyzw, -v1.zwxy\n"
                                          "ddiv o2.xyzw, v0.xyzw, v1.xyzw\ndrcp o3.zw, v1.zwzw",
                                          1.5, 1e300, 0.25, 1e10);
    assert_true(pair(&vertex, 0, 0) == 1.75);
    assert_true(pair(&vertex, 0, 1) == 1e300 + 1e10);
    assert_true(pair(&vertex, 1, 0) == -1.5e10);
    assert_true(pair(&vertex, 1, 1) == -0.25e300);
    assert_true(pair(&vertex, 2, 0) == 6.0);
    assert_true(pair(&vertex, 3, 1) == 1e-10);
    assert_int_equal(vertex.written[3], 12);
}

static void test_denormals_stay(void **state)
{
    (void)state;
    const double least = ldexp(1.0, -1074);
    const struct ag_ref_invocation vertex = run("dadd o0.xyzw, v0.xyzw, v1.xyzw", least, least, 0.0, least);
    assert_true(pair(&vertex, 0, 0) == least);
    assert_true(pair(&vertex, 0, 1) == 2.0 * least);
}

/* (1 + 2^-30)^2 - (1 + 2^-29) is 2^-60 with one rounding, 0 with two. */
static void test_fused(void **state)
{
    (void)state;
    const double a = 1.0 + ldexp(1.0, -30), c = -1.0 - ldexp(1.0, -29);
    const struct ag_ref_invocation vertex = run("dfma o0.xy, v0.xyxy, v0.zwzw, v1.xyxy", a, a, c, 0.0);
    assert_true(pair(&vertex, 0, 0) == ldexp(1.0, -60));
}

static void test_comparisons(void **state)
{
    (void)state;
    const struct ag_ref_invocation vertex =
        run("dlt o0.xw, v0.xyzw, v1.xyzw\ndeq o1.y, v0.xyxy, v1.xyxy\ndne o2.xy, v0.xyzw, v0.xyzw\n"
            "dge o3.zw, v0.xyzw, v0.xyzw",
            1.0, NAN, 2.0, 0.0);
    assert_int_equal(vertex.output[0][0], 0xffffffff);
    assert_int_equal(vertex.output[0][3], 0);
    assert_int_equal(vertex.output[1][1], 0);
    assert_int_equal(vertex.output[2][0], 0);
    assert_int_equal(vertex.output[2][1], 0xffffffff);
    assert_int_equal(vertex.output[3][2], 0xffffffff);
    assert_int_equal(vertex.output[3][3], 0);
}

static void test_min_max(void **state)
{
    (void)state;
    const struct ag_ref_invocation vertex =
        run("dmin o0.xyzw, v0.xyzw, v1.xyzw\ndmax o1.xyzw, v0.xyzw, v1.xyzw", NAN, -0.0, 2.0, 0.0);
    assert_true(pair(&vertex, 0, 0) == 2.0 && pair(&vertex, 1, 0) == 2.0);
    assert_true(signbit(pair(&vertex, 0, 1)) && !signbit(pair(&vertex, 1, 1)));
}

static void test_conversions(void **state)
{
    (void)state;
    const struct ag_ref_invocation vertex = run(
        "dtof o0.yz, v0.xyzw\ndtoi o1.xy, v0.zwxy\ndtou o2.xy, v1.xyzw\nftod o3.xyzw, l(0.5, -2.0, 0.0, 0.0)",
        1.0 / 3.0, -3e9, 5e9, -1.0);
    assert_int_equal(vertex.output[0][1], 0x3eaaaaab);
    assert_int_equal(vertex.output[0][2], bits(-3e9f));
    assert_int_equal(vertex.output[1][0], 0x80000000);
    assert_int_equal(vertex.output[1][1], 0);
    assert_int_equal(vertex.output[2][0], 0xffffffff);
    assert_int_equal(vertex.output[2][1], 0);
    assert_true(pair(&vertex, 3, 0) == 0.5 && pair(&vertex, 3, 1) == -2.0);
    const struct ag_ref_invocation integers =
        run("itod o0.xyzw, l(-7, 9, 0, 0)\nutod o1.xyzw, l(-1, 9, 0, 0)", 0, 0, 0, 0);
    assert_true(pair(&integers, 0, 0) == -7.0 && pair(&integers, 0, 1) == 9.0);
    assert_true(pair(&integers, 1, 0) == 4294967295.0);
}

/* Section 22.17.2: the 32-bit side of a conversion keeps denormals or flushes them, as the choice says. */
static void test_denormal_floats(void **state)
{
    (void)state;
    for (uint32_t keep = 0; keep < 2; keep++) {
        struct ag_ref_invocation vertex;
        const double tiny = -0x1p-149;
        uint32_t input[1][4];
        memcpy(input[0], &tiny, sizeof tiny);
        harness_vertex("dtof o0.x, v0.xyxy\nftod o1.xy, l(0x80000001, 0, 0, 0)",
                       keep ? AG_REF_KEEP_DENORMALS : 0, (const uint32_t(*)[4])input, 1, &vertex);
        assert_int_equal(vertex.output[0][0], keep ? 0x80000001 : 0x80000000);
        assert_true(pair(&vertex, 1, 0) == (keep ? tiny : 0.0));
        assert_true(signbit(pair(&vertex, 1, 0)));
    }
}

static void test_moves(void **state)
{
    (void)state;
    const struct ag_ref_invocation vertex =
        run("dmov o0.xyzw, -|v0.xyzw|\ndmovc o1.xyzw, l(0, 1, 0, 0), v0.xyzw, v1.xyzw\n"
            "dmov_sat o2.xyzw, v1.xyzw",
            -3.0, 4.0, NAN, 6.0);
    assert_true(pair(&vertex, 0, 0) == -3.0 && pair(&vertex, 0, 1) == -4.0);
    assert_true(isnan(pair(&vertex, 1, 0)) && pair(&vertex, 1, 1) == 4.0);
    assert_true(pair(&vertex, 2, 0) == 0.0 && pair(&vertex, 2, 1) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_denormals_stay),
        cmocka_unit_test(test_fused),      cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_min_max),    cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_moves),      cmocka_unit_test(test_denormal_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
