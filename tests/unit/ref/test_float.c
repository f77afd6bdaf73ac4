/* SPDX-License-Identifier: MIT
 *
 * Float arithmetic: the special values of section 22.10 and the rules of 3.1.3.
 */
#include <math.h>

#include "harness.h"

#define DENORMAL 0x00000001u
#define ONE 0x3f800000u
#define MINUS_INF (NEGATIVE | INF_BITS)

static uint32_t op1(const char *mnemonic, uint32_t a)
{
    return harness_op(mnemonic, 0, 1, a, 0, 0, 0);
}

static uint32_t op2(const char *mnemonic, uint32_t a, uint32_t b)
{
    return harness_op(mnemonic, 0, 2, a, b, 0, 0);
}

/* One row of the table of special values. NAN_BITS stands for any NaN. */
static const struct special_row {
    const char *mnemonic;
    uint32_t minus_infinity, minus_zero, minus_denormal, plus_zero, plus_denormal, plus_infinity;
} special_rows[] = {
  /* clang-format off */
    {"rcp", NEGATIVE, MINUS_INF, MINUS_INF, INF_BITS, INF_BITS, 0},
    {"rsq", NAN_BITS, MINUS_INF, MINUS_INF, INF_BITS, INF_BITS, 0},
    {"sqrt", NAN_BITS, NEGATIVE, NEGATIVE, 0, 0, INF_BITS},
    {"log", NAN_BITS, MINUS_INF, MINUS_INF, MINUS_INF, MINUS_INF, INF_BITS},
    {"exp", 0, ONE, ONE, ONE, ONE, INF_BITS},
    {"frc", NAN_BITS, 0, 0, 0, 0, NAN_BITS},
    {"round_ne", MINUS_INF, NEGATIVE, NEGATIVE, 0, 0, INF_BITS},
    {"round_ni", MINUS_INF, NEGATIVE, NEGATIVE, 0, 0, INF_BITS},
    {"round_pi", MINUS_INF, NEGATIVE, NEGATIVE, 0, 0, INF_BITS},
    {"round_z", MINUS_INF, NEGATIVE, NEGATIVE, 0, 0, INF_BITS},
  /* clang-format on */
};

static void assert_special(const char *mnemonic, uint32_t source, uint32_t expected)
{
    const uint32_t found = op1(mnemonic, source);
    if (expected == NAN_BITS ? !is_nan(found) : found != expected)
        fail_msg("%s(0x%08x) is 0x%08x, not 0x%08x", mnemonic, source, found, expected);
}

static void test_special_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof special_rows / sizeof *special_rows; i++) {
        const struct special_row *row = &special_rows[i];
        assert_special(row->mnemonic, NEGATIVE | INF_BITS, row->minus_infinity);
        assert_special(row->mnemonic, NEGATIVE, row->minus_zero);
        assert_special(row->mnemonic, NEGATIVE | DENORMAL, row->minus_denormal);
        assert_special(row->mnemonic, 0, row->plus_zero);
        assert_special(row->mnemonic, DENORMAL, row->plus_denormal);
        assert_special(row->mnemonic, INF_BITS, row->plus_infinity);
        assert_special(row->mnemonic, NAN_BITS, NAN_BITS);
    }
    assert_true(is_nan(op1("rsq", bits(-4.0f))));
    assert_true(is_nan(op1("sqrt", bits(-4.0f))));
    assert_true(is_nan(op1("log", bits(-1.0f))));
}

static void test_ordinary_values(void **state)
{
    (void)state;
    assert_int_equal(op1("rcp", bits(4.0f)), bits(0.25f));
    assert_int_equal(op1("rsq", bits(16.0f)), bits(0.25f));
    assert_int_equal(op1("log", bits(8.0f)), bits(3.0f));
    assert_int_equal(op1("exp", bits(-2.0f)), bits(0.25f));
    assert_int_equal(op1("frc", bits(-0.25f)), bits(0.75f));
    assert_int_equal(op1("frc", bits(-1e-10f)), 0x3f7fffff);
    assert_int_equal(op1("round_ne", bits(2.5f)), bits(2.0f));
    assert_int_equal(op1("round_ne", bits(3.5f)), bits(4.0f));
    assert_int_equal(op1("round_ne", bits(-0.5f)), NEGATIVE);
    assert_int_equal(op1("round_ni", bits(-1.5f)), bits(-2.0f));
    assert_int_equal(op1("round_pi", bits(-1.5f)), bits(-1.0f));
    assert_int_equal(op1("round_z", bits(-1.5f)), bits(-1.0f));
}

static void test_sincos(void **state)
{
    (void)state;
    struct ag_ref_invocation vertex;
    const uint32_t input[1][4] = {
        {NEGATIVE, INF_BITS, bits(1.5707963f), bits(1e30f)}
    };
    harness_vertex("sincos o0.xyzw, o1.xyzw, v0.xyzw", 0, input, 1, &vertex);
    assert_int_equal(vertex.output[0][0], NEGATIVE);
    assert_int_equal(vertex.output[1][0], ONE);
    assert_true(is_nan(vertex.output[0][1]) && is_nan(vertex.output[1][1]));
    assert_int_equal(vertex.output[0][2], ONE);
    assert_true(fabsf(number(vertex.output[0][3])) <= 1.0f);
    harness_vertex("sincos null, o1.xyzw, v0.xyzw", 0, input, 1, &vertex);
    assert_int_equal(vertex.output[1][0], ONE);
    assert_int_equal(vertex.written[0], 0);
}

static void test_division(void **state)
{
    (void)state;
    assert_true(is_nan(op2("div", 0, 0)));
    assert_true(is_nan(op2("div", INF_BITS, NEGATIVE | INF_BITS)));
    assert_int_equal(op2("div", ONE, NEGATIVE), NEGATIVE | INF_BITS);
    assert_int_equal(op2("div", ONE, DENORMAL), INF_BITS);
    assert_int_equal(op2("div", NEGATIVE | INF_BITS, bits(2.0f)), NEGATIVE | INF_BITS);
    assert_int_equal(op2("div", bits(1.0f), bits(3.0f)), 0x3eaaaaab);
    assert_true(is_nan(op2("div", DENORMAL, 0)));
    /* The other form that section 22.10.2 allows: 1 / 1e38 is a denormal and flushed, INF * 0 is NaN. */
    assert_int_equal(op2("div", INF_BITS, bits(1e38f)), INF_BITS);
    assert_true(is_nan(harness_op("div", AG_REF_DIVIDE_BY_RECIPROCAL, 2, INF_BITS, bits(1e38f), 0, 0)));
}

static void test_arithmetic(void **state)
{
    (void)state;
    assert_int_equal(op2("add", NEGATIVE, 0), 0);
    assert_true(is_nan(op2("add", INF_BITS, NEGATIVE | INF_BITS)));
    assert_true(is_nan(op2("mul", INF_BITS, 0)));
    assert_int_equal(op2("mul", NEGATIVE, ONE), NEGATIVE);
    assert_int_equal(op2("add", 0x00000001, 0x00000001), 0);
    assert_int_equal(op2("mul", NEGATIVE | DENORMAL, ONE), NEGATIVE);
    assert_int_equal(harness_op("mul", AG_REF_KEEP_DENORMALS, 2, DENORMAL, ONE, 0, 0), DENORMAL);
    /* 2^-126 * 0.5 is a denormal result. */
    assert_int_equal(op2("mul", 0x00800000, bits(0.5f)), 0);
    assert_int_equal(harness_op("mul", AG_REF_KEEP_DENORMALS, 2, 0x00800000, bits(0.5f), 0, 0), 0x00400000);
}

/* (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 exactly, and 0 when the product is rounded first. */
static void test_mad(void **state)
{
    (void)state;
    const uint32_t a = 0x3f800800, c = 0xbf801000;
    assert_int_equal(harness_op("mad", 0, 3, a, a, c, 0), 0);
    assert_int_equal(harness_op("mad", AG_REF_FUSE_MAD, 3, a, a, c, 0), 0x33800000);
    assert_int_equal(harness_op("mad", AG_REF_FUSE_DOT, 3, a, a, c, 0), 0);
}

static void test_dot(void **state)
{
    (void)state;
    struct ag_ref_invocation vertex;
    const uint32_t input[2][4] = {
        {bits(1.0f), bits(2.0f), bits(3.0f), bits(4.0f)},
        {bits(5.0f), bits(6.0f), bits(7.0f), bits(8.0f)}
    };
    harness_vertex("dp2 o0.xw, v0.xyzw, v1.xyzw\ndp3 o1.y, v0.xyzw, v1.xyzw\ndp4 o2.xyzw, v0.xyzw, v1.xyzw",
                   0, input, 2, &vertex);
    assert_int_equal(vertex.output[0][0], bits(17.0f));
    assert_int_equal(vertex.output[0][1], 0);
    assert_int_equal(vertex.output[0][3], bits(17.0f));
    assert_int_equal(vertex.written[0], 9);
    assert_int_equal(vertex.output[1][1], bits(38.0f));
    assert_int_equal(vertex.output[2][3], bits(70.0f));
}

static void test_min_max(void **state)
{
    (void)state;
    assert_int_equal(op2("min", NAN_BITS, bits(3.0f)), bits(3.0f));
    assert_int_equal(op2("min", bits(3.0f), NAN_BITS), bits(3.0f));
    assert_int_equal(op2("max", NAN_BITS, NEGATIVE | INF_BITS), NEGATIVE | INF_BITS);
    assert_true(is_nan(op2("max", NAN_BITS, 0xffffffff)));
    assert_int_equal(op2("min", NEGATIVE, 0), NEGATIVE);
    assert_int_equal(op2("min", 0, NEGATIVE), NEGATIVE);
    assert_int_equal(op2("max", NEGATIVE, 0), 0);
    assert_int_equal(op2("max", 0, NEGATIVE), 0);
    assert_int_equal(op2("min", bits(-5.0f), bits(-4.0f)), bits(-5.0f));
    assert_int_equal(op2("max", bits(-5.0f), bits(4.0f)), bits(4.0f));
}

static void test_saturate(void **state)
{
    (void)state;
    assert_int_equal(op1("mov_sat", NAN_BITS), 0);
    assert_int_equal(op1("mov_sat", bits(-3.0f)), 0);
    assert_int_equal(op1("mov_sat", NEGATIVE), 0);
    assert_int_equal(op1("mov_sat", bits(0.5f)), bits(0.5f));
    assert_int_equal(op1("mov_sat", INF_BITS), ONE);
    assert_int_equal(op2("add_sat", bits(0.75f), bits(0.75f)), ONE);
    assert_true(is_nan(op2("add", INF_BITS, NEGATIVE | INF_BITS)));
    assert_int_equal(op2("add_sat", INF_BITS, NEGATIVE | INF_BITS), 0);
}

static void test_comparisons(void **state)
{
    (void)state;
    static const char *const ordered[] = {"eq", "lt", "ge"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(op2(ordered[i], NAN_BITS, NAN_BITS), 0);
        assert_int_equal(op2(ordered[i], ONE, NAN_BITS), 0);
        assert_int_equal(op2(ordered[i], NAN_BITS, ONE), 0);
    }
    assert_int_equal(op2("ne", NAN_BITS, NAN_BITS), 0xffffffff);
    assert_int_equal(op2("ne", ONE, NAN_BITS), 0xffffffff);
    assert_int_equal(op2("ge", NEGATIVE, 0), 0xffffffff);
    assert_int_equal(op2("eq", NEGATIVE, 0), 0xffffffff);
    assert_int_equal(op2("lt", NEGATIVE, 0), 0);
    assert_int_equal(op2("lt", NEGATIVE | INF_BITS, INF_BITS), 0xffffffff);
    assert_int_equal(op2("lt", 0, DENORMAL), 0);
    assert_int_equal(harness_op("lt", AG_REF_KEEP_DENORMALS, 2, 0, DENORMAL, 0, 0), 0xffffffff);
}

static void test_modifiers(void **state)
{
    (void)state;
    struct ag_ref_invocation vertex;
    const uint32_t input[2][4] = {
        {bits(-2.0f), INF_BITS,   NAN_BITS, bits(3.0f)},
        {5,           0x80000000, 7,        0         }
    };
    harness_vertex("mov o0.xyzw, -|v0.xyzw|\nmov o1.xyzw, |v0.wzyx|\niadd o2.xyzw, v1.xyzw, -v1.yyyx", 0,
                   input, 2, &vertex);
    assert_int_equal(vertex.output[0][0], bits(-2.0f));
    assert_int_equal(vertex.output[0][1], NEGATIVE | INF_BITS);
    assert_true(is_nan(vertex.output[0][2]));
    assert_int_equal(vertex.output[0][3], bits(-3.0f));
    assert_int_equal(vertex.output[1][3], bits(2.0f));
    assert_int_equal(vertex.output[2][0], 0x80000005);
    assert_int_equal(vertex.output[2][1], 0);
    assert_int_equal(vertex.output[2][3], 0xfffffffb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_ordinary_values),
        cmocka_unit_test(test_sincos),
        cmocka_unit_test(test_division),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_mad),
        cmocka_unit_test(test_dot),
        cmocka_unit_test(test_min_max),
        cmocka_unit_test(test_saturate),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_modifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
