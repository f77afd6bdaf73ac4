/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include "aerogpu/stream.h"

#define NONE AGPU_STREAM_STAGE_NONE

static enum agpu_stream_stage decoded(uint32_t stage, uint32_t stage_ex, uint32_t minor)
{
    enum agpu_stream_stage effective = NONE;
    return agpu_stage_decode(stage, stage_ex, minor, &effective) ? effective : NONE;
}

/* The words that carry no stage_ex: whatever it holds, in whatever minor, is ignored. */
static void test_plain_stages(void **state)
{
    (void)state;
    static const uint32_t minors[] = {0, 2, 3, 4, 100};
    static const uint32_t extended[] = {0, 1, 2, 3, 4, 5, 6, 0xffffffff};
    for (size_t i = 0; i < sizeof minors / sizeof *minors; i++) {
        for (size_t j = 0; j < sizeof extended / sizeof *extended; j++) {
            assert_int_equal(decoded(0, extended[j], minors[i]), AGPU_STREAM_STAGE_VERTEX);
            assert_int_equal(decoded(1, extended[j], minors[i]), AGPU_STREAM_STAGE_PIXEL);
            assert_int_equal(decoded(3, extended[j], minors[i]), AGPU_STREAM_STAGE_GEOMETRY);
            assert_int_equal(decoded(4, extended[j], minors[i]), NONE);
            assert_int_equal(decoded(5, extended[j], minors[i]), NONE);
            assert_int_equal(decoded(0xffffffff, extended[j], minors[i]), NONE);
        }
    }
}

static void test_compute_before_minor_3_ignores_stage_ex(void **state)
{
    (void)state;
    for (uint32_t minor = 0; minor < 3; minor++) {
        for (uint32_t extended = 0; extended < 8; extended++)
            assert_int_equal(decoded(2, extended, minor), AGPU_STREAM_STAGE_COMPUTE);
    }
}

static void test_compute_carries_stage_ex(void **state)
{
    (void)state;
    for (uint32_t minor = 3; minor < 6; minor++) {
        assert_int_equal(decoded(2, 0, minor), AGPU_STREAM_STAGE_COMPUTE);
        assert_int_equal(decoded(2, 1, minor), NONE);
        assert_int_equal(decoded(2, 2, minor), AGPU_STREAM_STAGE_GEOMETRY);
        assert_int_equal(decoded(2, 3, minor), AGPU_STREAM_STAGE_HULL);
        assert_int_equal(decoded(2, 4, minor), AGPU_STREAM_STAGE_DOMAIN);
        assert_int_equal(decoded(2, 5, minor), AGPU_STREAM_STAGE_COMPUTE);
        assert_int_equal(decoded(2, 6, minor), NONE);
        assert_int_equal(decoded(2, 0x80000000, minor), NONE);
    }
}

static void check_encoding(enum agpu_stream_stage stage, uint32_t minor, uint32_t word, uint32_t extended)
{
    uint32_t got_word, got_extended;
    assert_true(agpu_stage_encode(stage, minor, &got_word, &got_extended));
    assert_int_equal(got_word, word);
    assert_int_equal(got_extended, extended);
}

static void test_encoding(void **state)
{
    (void)state;
    check_encoding(AGPU_STREAM_STAGE_VERTEX, 4, 0, 0);
    check_encoding(AGPU_STREAM_STAGE_PIXEL, 4, 1, 0);
    check_encoding(AGPU_STREAM_STAGE_COMPUTE, 4, 2, 0);
    check_encoding(AGPU_STREAM_STAGE_GEOMETRY, 4, 3, 0);
    check_encoding(AGPU_STREAM_STAGE_GEOMETRY, 0, 3, 0);
    check_encoding(AGPU_STREAM_STAGE_HULL, 3, 2, 3);
    check_encoding(AGPU_STREAM_STAGE_DOMAIN, 3, 2, 4);
    uint32_t word, extended;
    assert_false(agpu_stage_encode(AGPU_STREAM_STAGE_HULL, 2, &word, &extended));
    assert_false(agpu_stage_encode(AGPU_STREAM_STAGE_DOMAIN, 2, &word, &extended));
    assert_false(agpu_stage_encode(NONE, 4, &word, &extended));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_stages),
        cmocka_unit_test(test_compute_before_minor_3_ignores_stage_ex),
        cmocka_unit_test(test_compute_carries_stage_ex),
        cmocka_unit_test(test_encoding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
