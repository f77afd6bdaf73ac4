/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "format/format.h"

static void check_unpack(uint32_t format, const uint8_t *bytes, uint8_t r, uint8_t g, uint8_t b, uint8_t a)
{
    uint8_t rgba[4];
    ag_format_unpack_rgba8(ag_abi_format(format), bytes, rgba);
    const uint8_t expected[4] = {r, g, b, a};
    assert_memory_equal(rgba, expected, 4);
}

static void test_unpack(void **state)
{
    (void)state;
    const uint8_t bytes[4] = {1, 2, 3, 4};
    check_unpack(AEROGPU_FORMAT_B8G8R8A8_UNORM, bytes, 3, 2, 1, 4);
    check_unpack(AEROGPU_FORMAT_B8G8R8X8_UNORM, bytes, 3, 2, 1, 255);
    check_unpack(AEROGPU_FORMAT_R8G8B8A8_UNORM, bytes, 1, 2, 3, 4);
    check_unpack(AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB, bytes, 1, 2, 3, 255);
    check_unpack(AEROGPU_FORMAT_B5G6R5_UNORM, (const uint8_t[]){0x00, 0xf8}, 255, 0, 0, 255);
    check_unpack(AEROGPU_FORMAT_B5G6R5_UNORM, (const uint8_t[]){0xe0, 0x07}, 0, 255, 0, 255);
    check_unpack(AEROGPU_FORMAT_B5G6R5_UNORM, (const uint8_t[]){0x1f, 0x00}, 0, 0, 255, 255);
    /* 5 bits 16 -> 16 << 3 | 16 >> 2 = 132; 6 bits 33 -> 33 << 2 | 33 >> 4 = 134 */
    check_unpack(AEROGPU_FORMAT_B5G6R5_UNORM, (const uint8_t[]){0x30, 0x84}, 132, 134, 132, 255);
    check_unpack(AEROGPU_FORMAT_B5G5R5A1_UNORM, (const uint8_t[]){0x00, 0x80}, 0, 0, 0, 255);
    check_unpack(AEROGPU_FORMAT_B5G5R5A1_UNORM, (const uint8_t[]){0x00, 0x7c}, 255, 0, 0, 0);
    check_unpack(AEROGPU_FORMAT_B5G5R5A1_UNORM, (const uint8_t[]){0xe0, 0x03}, 0, 255, 0, 0);
}

static void test_pack(void **state)
{
    (void)state;
    uint8_t out[4];
    ag_format_pack_rgba8(ag_abi_format(AEROGPU_FORMAT_B8G8R8X8_UNORM), (const uint8_t[]){10, 20, 30, 40},
                         out);
    assert_memory_equal(out, ((const uint8_t[]){30, 20, 10, 255}), 4);
    ag_format_pack_rgba8(ag_abi_format(AEROGPU_FORMAT_R8G8B8A8_UNORM), (const uint8_t[]){10, 20, 30, 40},
                         out);
    assert_memory_equal(out, ((const uint8_t[]){10, 20, 30, 40}), 4);
    /* Truncation: 0x87 >> 3 = 16, 0x87 >> 2 = 33, 0x0f >> 3 = 1. */
    ag_format_pack_rgba8(ag_abi_format(AEROGPU_FORMAT_B5G6R5_UNORM), (const uint8_t[]){0x87, 0x87, 0x0f, 0},
                         out);
    assert_int_equal(ag_load_u16(out), 16 << 11 | 33 << 5 | 1);
    ag_format_pack_rgba8(ag_abi_format(AEROGPU_FORMAT_B5G5R5A1_UNORM), (const uint8_t[]){255, 0, 8, 0x80},
                         out);
    assert_int_equal(ag_load_u16(out), 1 << 15 | 31 << 10 | 1);
    ag_format_pack_rgba8(ag_abi_format(AEROGPU_FORMAT_B5G5R5A1_UNORM), (const uint8_t[]){0, 0, 0, 0x7f}, out);
    assert_int_equal(ag_load_u16(out), 0);
}

/* Every 16-bit pattern survives being expanded and repacked. */
static void test_packed_formats_round_trip(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 0x10000; value++) {
        for (uint32_t format = AEROGPU_FORMAT_B5G6R5_UNORM; format <= AEROGPU_FORMAT_B5G5R5A1_UNORM;
             format++) {
            uint8_t in[2], rgba[4], out[2];
            ag_store_u16(in, (uint16_t)value);
            ag_format_unpack_rgba8(ag_abi_format(format), in, rgba);
            ag_format_pack_rgba8(ag_abi_format(format), rgba, out);
            assert_memory_equal(in, out, 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unpack),
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_packed_formats_round_trip),
    };
    return cmocka_run_group_tests_name("format/picture", tests, NULL, NULL);
}
