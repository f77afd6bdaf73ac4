/* SPDX-License-Identifier: MIT
 *
 * PNG files, likeness of pictures, and guest memory.
 */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/compare.h"
#include "scene/memory.h"
#include "scene/png.h"

static void png_round_trip(void **state)
{
    (void)state;
    uint8_t pixels[3 * 5 * 4], *data, *back;
    uint32_t width, height;
    size_t size;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * 37);
    assert_int_equal(ag_png_encode(pixels, 3, 5, NULL, &data, &size), AGPU_OK);
    assert_int_equal(ag_png_decode(data, size, ag_place_none(), NULL, &width, &height, &back), AGPU_OK);
    assert_int_equal(width, 3);
    assert_int_equal(height, 5);
    assert_memory_equal(back, pixels, sizeof pixels);
    free(back);
    for (size_t cut = 0; cut < size - 12; cut += 7) {
        if (ag_png_decode(data, cut, ag_place_none(), NULL, &width, &height, &back) == AGPU_OK)
            free(back);
    }
    assert_int_equal(ag_png_decode("no picture", 10, ag_place_none(), NULL, &width, &height, &back),
                     AGPU_REFUSED);
    assert_null(back);
    free(data);
}

static void likeness(void **state)
{
    (void)state;
    uint8_t a[16 * 16 * 4], b[16 * 16 * 4];
    for (size_t i = 0; i < sizeof a; i++)
        a[i] = b[i] = (uint8_t)(i * 7);
    assert_true(scene_psnr(a, b, 16, 16) == 1000.0);
    assert_true(fabs(scene_ssim(a, b, 16, 16) - 1.0) < 1e-12);
    /* Every channel off by one: 20 log10(255) = 48.1308 dB. */
    memset(a, 100, sizeof a);
    memset(b, 101, sizeof b);
    assert_true(fabs(scene_psnr(a, b, 16, 16) - 48.1308) < 1e-3);
    /* Two flat pictures have only the luminance term: (2ab + C1) / (a^2 + b^2 + C1), C1 = 6.5025. */
    memset(b, 200, sizeof b);
    const double want = (2.0 * 100 * 200 + 6.5025) / (100.0 * 100 + 200.0 * 200 + 6.5025);
    assert_true(fabs(scene_ssim(a, b, 16, 16) - want) < 1e-9);
    assert_true(fabs(scene_ssim(a, b, 3, 2) - want) < 1e-9);
}

static void memory_ranges(void **state)
{
    (void)state;
    struct scene_memory memory = {0};
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {0};
    assert_non_null(scene_memory_add(&memory, 0x1004, 4));
    assert_non_null(scene_memory_add(&memory, 0x1000, 4));
    assert_non_null(scene_memory_add(&memory, UINT64_MAX - 3, 4));
    assert_null(scene_memory_add(&memory, 0x1007, 1));
    assert_null(scene_memory_add(&memory, 0xFFF, 2));
    assert_null(scene_memory_add(&memory, UINT64_MAX - 9, 16));
    assert_null(scene_memory_add(&memory, 0, 0));
    assert_true(scene_memory_write(&memory, 0x1000, bytes, 8));
    assert_true(scene_memory_read(&memory, 0x1002, back, 6));
    assert_memory_equal(back, bytes + 2, 6);
    assert_false(scene_memory_read(&memory, 0x1001, back, 8));
    assert_false(scene_memory_read(&memory, 0xFFF, back, 2));
    assert_true(scene_memory_read(&memory, UINT64_MAX - 3, back, 4));
    assert_false(scene_memory_read(&memory, UINT64_MAX - 3, back, 5));
    assert_true(scene_memory_read(&memory, 0x5000, back, 0));
    scene_memory_remove(&memory, 0x1004);
    assert_false(scene_memory_write(&memory, 0x1000, bytes, 5));
    scene_memory_fini(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png_round_trip),
        cmocka_unit_test(likeness),
        cmocka_unit_test(memory_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
