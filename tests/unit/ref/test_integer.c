/* SPDX-License-Identifier: MIT
 *
 * Integers, bits, moves and conversions: sections 22.9, 22.11 to 22.13.
 */
#include <stdio.h>

#include "harness.h"

static uint32_t op1(const char *mnemonic, uint32_t a)
{
    return harness_op(mnemonic, 0, 1, a, 0, 0, 0);
}

static uint32_t op2(const char *mnemonic, uint32_t a, uint32_t b)
{
    return harness_op(mnemonic, 0, 2, a, b, 0, 0);
}

static uint32_t op3(const char *mnemonic, uint32_t a, uint32_t b, uint32_t c)
{
    return harness_op(mnemonic, 0, 3, a, b, c, 0);
}

/* Both destinations of an opcode with two, o0.x and o1.x. */
static void assert_pair(const char *mnemonic, uint32_t a, uint32_t b, uint32_t first, uint32_t second)
{
    char body[128];
    struct ag_ref_invocation vertex;
    const uint32_t input[2][4] = {
        {a, a, a, a},
        {b, b, b, b}
    };
    snprintf(body, sizeof body, "%s o0.x, o1.x, v0.x, v1.x", mnemonic);
    harness_vertex(body, 0, input, 2, &vertex);
    assert_int_equal(vertex.output[0][0], first);
    assert_int_equal(vertex.output[1][0], second);
}

static void test_products(void **state)
{
    (void)state;
    assert_pair("umul", 0xffffffff, 0xffffffff, 0xfffffffe, 1);
    assert_pair("imul", 0xffffffff, 0xffffffff, 0, 1);
    assert_pair("imul", 0x80000000, 2, 0xffffffff, 0);
    assert_int_equal(op3("imad", 0x10000, 0x10000, 7), 7);
    assert_int_equal(op3("umad", 0xffffffff, 2, 3), 1);
}

static void test_carry(void **state)
{
    (void)state;
    assert_pair("uaddc", 0xffffffff, 2, 1, 1);
    assert_pair("uaddc", 1, 2, 3, 0);
    assert_pair("usubb", 1, 2, 0xffffffff, 1);
    assert_pair("usubb", 2, 1, 1, 0);
}

static void test_udiv(void **state)
{
    (void)state;
    assert_pair("udiv", 17, 5, 3, 2);
    assert_pair("udiv", 17, 0, 0xffffffff, 0xffffffff);
    assert_pair("udiv", 0x80000000, 0xffffffff, 0, 0x80000000);
}

/* Both results come from the old operands: section 1.3 of the rules. */
static void test_udiv_aliasing(void **state)
{
    (void)state;
    struct ag_ref_invocation vertex;
    const uint32_t input[1][4] = {
        {17, 5, 0, 0}
    };
    harness_vertex("mov r0.xy, v0.xyxx\nudiv r0.x, r0.y, r0.x, r0.y\nmov o0.xy, r0.xyxx\n"
                   "udiv null, o1.x, v0.x, v0.y",
                   0, input, 1, &vertex);
    assert_int_equal(vertex.output[0][0], 3);
    assert_int_equal(vertex.output[0][1], 2);
    assert_int_equal(vertex.output[1][0], 2);
}

static void test_sources_first(void **state)
{
    (void)state;
    struct ag_ref_invocation vertex;
    const uint32_t input[1][4] = {
        {0x11223344, 0x55667788, 0, 0}
    };
    harness_vertex("mov r0.xyzw, v0.xyzw\nubfe r0.xyzw, l(8, 8, 8, 8), l(16, 16, 8, 8), r0.yxxy\n"
                   "mov o0.xyzw, r0.xyzw",
                   0, input, 1, &vertex);
    const uint32_t expected[4] = {0x66, 0x22, 0x33, 0x77};
    assert_memory_equal(vertex.output[0], expected, sizeof expected);
}

static void test_swapc(void **state)
{
    (void)state;
    struct ag_ref_invocation vertex;
    const uint32_t input[3][4] = {
        {0x80000000, 0,  1,  0 },
        {10,         11, 12, 13},
        {20,         21, 22, 23}
    };
    harness_vertex("mov r0.xyzw, v1.xyzw\nmov r1.xyzw, v2.xyzw\n"
                   "swapc r0.xyzw, r1.xyzw, v0.xyzw, r0.xyzw, r1.xyzw\n"
                   "mov o0.xyzw, r0.xyzw\nmov o1.xyzw, r1.xyzw",
                   0, input, 3, &vertex);
    const uint32_t first[4] = {20, 11, 22, 13}, second[4] = {10, 21, 12, 23};
    assert_memory_equal(vertex.output[0], first, sizeof first);
    assert_memory_equal(vertex.output[1], second, sizeof second);
}

/* Moves keep every bit: NaN payloads and denormals. */
static void test_moves(void **state)
{
    (void)state;
    static const uint32_t patterns[] = {0xffbfffca, 0x7fa00000, 0x00000001, 0x80000001, 0x09909909};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        assert_int_equal(op1("mov", patterns[i]), patterns[i]);
        assert_int_equal(op3("movc", NEGATIVE, patterns[i], 7), patterns[i]);
        assert_int_equal(op3("movc", 0, 7, patterns[i]), patterns[i]);
    }
}

static void test_fields(void **state)
{
    (void)state;
    assert_int_equal(op3("ubfe", 32, 0, 0xffffffff), 0);
    assert_int_equal(op3("ubfe", 8, 28, 0xf0000000), 0xf);
    assert_int_equal(op3("ubfe", 4, 4, 0x12345678), 7);
    assert_int_equal(op3("ubfe", 31, 0, 0xffffffff), 0x7fffffff);
    assert_int_equal(op3("ubfe", 36, 36, 0x12345678), 7);
    assert_int_equal(op3("ibfe", 4, 28, 0x80000000), 0xfffffff8);
    assert_int_equal(op3("ibfe", 4, 0, 0x0000000a), 0xfffffffa);
    assert_int_equal(op3("ibfe", 0, 5, 0xffffffff), 0);
    assert_int_equal(op3("ibfe", 31, 4, 0x80000000), 0xf8000000);
    assert_int_equal(harness_op("bfi", 0, 4, 32, 0, 0xffffffff, 0x12345678), 0x12345678);
    assert_int_equal(harness_op("bfi", 0, 4, 8, 28, 0xff, 0x12345678), 0xf2345678);
    assert_int_equal(harness_op("bfi", 0, 4, 8, 8, 0xab, 0x12345678), 0x1234ab78);
}

static void test_bit_counts(void **state)
{
    (void)state;
    assert_int_equal(op1("firstbit_hi", 0x10000000), 3);
    assert_int_equal(op1("firstbit_hi", 0), 0xffffffff);
    assert_int_equal(op1("firstbit_lo", 1), 0);
    assert_int_equal(op1("firstbit_lo", 0x10000000), 28);
    assert_int_equal(op1("firstbit_lo", 0), 0xffffffff);
    assert_int_equal(op1("firstbit_shi", 0xf0000000), 4);
    assert_int_equal(op1("firstbit_shi", 0x00800000), 8);
    assert_int_equal(op1("firstbit_shi", 0), 0xffffffff);
    assert_int_equal(op1("firstbit_shi", 0xffffffff), 0xffffffff);
    assert_int_equal(op1("countbits", 0xf00f0001), 9);
    assert_int_equal(op1("bfrev", 0x12345678), 0x1e6a2c48);
    assert_int_equal(op1("not", 0x0f0f0f0f), 0xf0f0f0f0);
}

static void test_shifts(void **state)
{
    (void)state;
    assert_int_equal(op2("ishl", 1, 33), 2);
    assert_int_equal(op2("ushr", 0x80000000, 31), 1);
    assert_int_equal(op2("ushr", 0x80000000, 32), 0x80000000);
    assert_int_equal(op2("ishr", 0x80000000, 4), 0xf8000000);
    assert_int_equal(op2("ishr", 0x40000000, 0xffffffe4), 0x04000000);
}

static void test_integer_order(void **state)
{
    (void)state;
    assert_int_equal(op2("imin", 0x80000000, 1), 0x80000000);
    assert_int_equal(op2("imax", 0x80000000, 1), 1);
    assert_int_equal(op2("umin", 0x80000000, 1), 1);
    assert_int_equal(op2("umax", 0x80000000, 1), 0x80000000);
    assert_int_equal(op2("ilt", 0xffffffff, 0), 0xffffffff);
    assert_int_equal(op2("ult", 0xffffffff, 0), 0);
    assert_int_equal(op2("ige", 0xffffffff, 0), 0);
    assert_int_equal(op2("uge", 0xffffffff, 0), 0xffffffff);
    assert_int_equal(op2("ieq", 3, 3), 0xffffffff);
    assert_int_equal(op2("ine", 3, 3), 0);
    assert_int_equal(op1("ineg", 0x80000000), 0x80000000);
}

static void test_msad(void **state)
{
    (void)state;
    /* Bytes of the reference that are 0 do not count: |0x10-0x20| + |0xff-0x01| + 5. */
    assert_int_equal(op3("msad", 0x00ff1000, 0x55012077, 5), 0x10 + 0xfe + 5);
    assert_int_equal(op3("msad", 0x00000005, 0x00000001, 0xfffffffe), 0xffffffff);
}

static void test_to_integer(void **state)
{
    (void)state;
    assert_int_equal(op1("ftoi", bits(3e9f)), 0x7fffffff);
    assert_int_equal(op1("ftoi", bits(-3e9f)), 0x80000000);
    assert_int_equal(op1("ftoi", bits(-1.9f)), 0xffffffff);
    assert_int_equal(op1("ftoi", NAN_BITS), 0);
    assert_int_equal(op1("ftoi", NEGATIVE | INF_BITS), 0x80000000);
    assert_int_equal(op1("ftou", bits(5e9f)), 0xffffffff);
    assert_int_equal(op1("ftou", INF_BITS), 0xffffffff);
    assert_int_equal(op1("ftou", bits(-1.0f)), 0);
    assert_int_equal(op1("ftou", NEGATIVE), 0);
    assert_int_equal(op1("ftou", bits(4294967040.0f)), 0xffffff00);
    assert_int_equal(op1("ftou", NAN_BITS), 0);
    assert_int_equal(op1("ftou", bits(2.9f)), 2);
}

static void test_to_float(void **state)
{
    (void)state;
    assert_int_equal(op1("itof", 0xffffffff), bits(-1.0f));
    assert_int_equal(op1("utof", 0xffffffff), bits(4294967296.0f));
    assert_int_equal(op1("itof", 0x01000001), bits(16777216.0f));
    assert_int_equal(op1("utof", 0x01000003), bits(16777220.0f));
}

/* Narrowing rounds towards zero and never makes an infinity of a number: section 3.2.2. */
static void test_half(void **state)
{
    (void)state;
    assert_int_equal(op1("f32tof16", bits(1.0f)), 0x3c00);
    assert_int_equal(op1("f32tof16", bits(65504.0f)), 0x7bff);
    assert_int_equal(op1("f32tof16", bits(1e9f)), 0x7bff);
    assert_int_equal(op1("f32tof16", bits(-1e9f)), 0xfbff);
    assert_int_equal(op1("f32tof16", INF_BITS), 0x7c00);
    assert_int_equal(op1("f32tof16", 0x3f801fff), 0x3c00);
    assert_int_equal(op1("f32tof16", 0x33800000), 0x0001);
    assert_int_equal(op1("f32tof16", 0x337fffff), 0x0000);
    assert_int_equal(op1("f32tof16", 0x387fffff), 0x03ff);
    assert_int_equal(op1("f32tof16", NEGATIVE), 0x8000);
    assert_int_equal(op1("f32tof16", NAN_BITS) & 0x7c00, 0x7c00);
    assert_int_not_equal(op1("f32tof16", 0x7f800001) & 0x03ff, 0);
    assert_int_equal(op1("f16tof32", 0xffff3c00), bits(1.0f));
    assert_int_equal(op1("f16tof32", 0x0001), 0x33800000);
    assert_int_equal(op1("f16tof32", 0x83ff), 0xb87fc000);
    assert_int_equal(op1("f16tof32", 0xfc00), NEGATIVE | INF_BITS);
    assert_true(is_nan(op1("f16tof32", 0x7e00)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),      cmocka_unit_test(test_carry),
        cmocka_unit_test(test_udiv),          cmocka_unit_test(test_udiv_aliasing),
        cmocka_unit_test(test_sources_first), cmocka_unit_test(test_swapc),
        cmocka_unit_test(test_moves),         cmocka_unit_test(test_fields),
        cmocka_unit_test(test_bit_counts),    cmocka_unit_test(test_shifts),
        cmocka_unit_test(test_integer_order), cmocka_unit_test(test_msad),
        cmocka_unit_test(test_to_integer),    cmocka_unit_test(test_to_float),
        cmocka_unit_test(test_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
