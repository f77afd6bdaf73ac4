/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/palette.h"
#include "cli/picture.h"

/* A picture of one colour a quarter: red, green, blue, white. */
static struct cli_picture quarters(uint32_t size)
{
    static const uint8_t colours[4][4] = {
        {255, 0,   0,   255},
        {0,   255, 0,   255},
        {0,   0,   255, 255},
        {255, 255, 255, 255}
    };
    struct cli_picture picture = {size, size, malloc((size_t)4 * size * size)};
    assert_non_null(picture.pixels);
    for (uint32_t y = 0; y < size; y++) {
        for (uint32_t x = 0; x < size; x++)
            memcpy(&picture.pixels[4 * ((size_t)y * size + x)],
                   colours[2 * (y >= size / 2) + (x >= size / 2)], 4);
    }
    return picture;
}

static void few_colours_stay_exact(void **state)
{
    (void)state;
    struct cli_palette *const palette = malloc(sizeof *palette);
    struct cli_picture picture = quarters(8);
    assert_true(cli_palette_make(palette, &picture));
    assert_int_equal(palette->count, 4);
    for (size_t i = 0; i < 64; i++) {
        const uint8_t *const pixel = picture.pixels + 4 * i;
        assert_memory_equal(palette->colours[palette->nearest[cli_palette_cell(pixel)]], pixel, 3);
    }
    cli_picture_fini(&picture);
    free(palette);
}

static void many_colours_share_256(void **state)
{
    (void)state;
    struct cli_palette *const palette = malloc(sizeof *palette);
    struct cli_picture picture = quarters(64);
    for (uint32_t i = 0; i < 64 * 64; i++) {
        picture.pixels[4 * i] = (uint8_t)(4 * (i % 64));
        picture.pixels[4 * i + 1] = (uint8_t)(4 * (i / 64));
        picture.pixels[4 * i + 2] = 128;
    }
    assert_true(cli_palette_make(palette, &picture));
    assert_int_equal(palette->count, 256);
    for (size_t i = 0; i < 64 * 64; i++) {
        const uint8_t *const pixel = picture.pixels + 4 * i;
        const uint8_t *const colour = palette->colours[palette->nearest[cli_palette_cell(pixel)]];
        assert_in_range(abs(colour[0] - pixel[0]), 0, 24);
        assert_in_range(abs(colour[1] - pixel[1]), 0, 24);
    }
    cli_picture_fini(&picture);
    free(palette);
}

static void png_reads_back(void **state)
{
    (void)state;
    char path[] = "picture-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    struct cli_picture picture = quarters(16), back;
    picture.pixels[3] = 17;
    assert_true(cli_write_png(path, picture.pixels, 16, 16, NULL));
    assert_true(cli_read_png(path, &back, NULL));
    assert_int_equal(back.width, 16);
    assert_int_equal(back.height, 16);
    assert_memory_equal(back.pixels, picture.pixels, 4 * 16 * 16);
    cli_picture_fini(&back);
    cli_picture_fini(&picture);
    unlink(path);
}

static void contact_sheets_show_every_picture(void **state)
{
    (void)state;
    cli_pictures pictures = {0};
    for (int i = 0; i < 3; i++)
        assert_true(ag_vec_push(&pictures, quarters(512)));
    struct cli_picture sheet = cli_contact_sheet(&pictures);
    assert_non_null(sheet.pixels);
    /* A square picture is scaled to 240 by 240: two by two cells with gaps of 4. */
    assert_int_equal(sheet.width, 2 * 244 + 4);
    assert_int_equal(sheet.height, 2 * 244 + 4);
    const uint8_t *const third = &sheet.pixels[4 * ((size_t)(248 + 10) * sheet.width + 4 + 10)];
    const uint8_t *const fourth = &sheet.pixels[4 * ((size_t)(248 + 10) * sheet.width + 248 + 10)];
    assert_memory_equal(third, ((const uint8_t[]){255, 0, 0, 255}), 4);
    assert_memory_equal(fourth, ((const uint8_t[]){32, 32, 32, 255}), 4);
    cli_picture_fini(&sheet);
    cli_pictures_fini(&pictures);
}

static void gifs_begin_like_gifs(void **state)
{
    (void)state;
    char path[] = "picture-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    unlink(path);
    cli_pictures pictures = {0};
    assert_true(ag_vec_push(&pictures, quarters(16)));
    assert_true(ag_vec_push(&pictures, quarters(32)));
    assert_true(cli_write_gif(path, &pictures, 100, NULL));
    FILE *const gif = fopen(path, "rb");
    assert_non_null(gif);
    uint8_t head[10] = {0};
    assert_int_equal(fread(head, 1, sizeof head, gif), sizeof head);
    fclose(gif);
    assert_memory_equal(head, "GIF89a\x20\x00\x20\x00", 10);
    cli_pictures_fini(&pictures);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_colours_stay_exact), cmocka_unit_test(many_colours_share_256),
        cmocka_unit_test(png_reads_back),         cmocka_unit_test(contact_sheets_show_every_picture),
        cmocka_unit_test(gifs_begin_like_gifs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
