/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "machine.h"

#include <stdlib.h>

static void set_scanout(struct machine *machine, uint32_t width, uint32_t height, uint32_t format,
                        uint32_t pitch, uint64_t gpa)
{
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_WIDTH, width);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, height);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_FORMAT, format);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, pitch);
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 8, gpa);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
}

static void set_cursor(struct machine *machine, uint32_t width, uint32_t height, uint32_t format,
                       uint32_t pitch, uint64_t gpa)
{
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_WIDTH, width);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_HEIGHT, height);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_FORMAT, format);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES, pitch);
    agpu_device_mmio_write(machine->device, AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, 8, gpa);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_ENABLE, 1);
}

/* One pixel as stored and as read; and one RGBA8 pixel and what storing it leaves. */
static const struct {
    uint32_t format, size;
    uint8_t stored[4], read[4];
    uint8_t shown[4], written[4];
} cases[] = {
    {1,  4, {1, 2, 3, 4}, {3, 2, 1, 4},            {10, 20, 30, 40},         {30, 20, 10, 40} },
    {2,  4, {1, 2, 3, 4}, {3, 2, 1, 255},          {10, 20, 30, 40},         {30, 20, 10, 255}},
    {3,  4, {1, 2, 3, 4}, {1, 2, 3, 4},            {10, 20, 30, 40},         {10, 20, 30, 40} },
    {4,  4, {1, 2, 3, 4}, {1, 2, 3, 255},          {10, 20, 30, 40},         {10, 20, 30, 255}},
 /* 0x8C51: red 10001, green 100010, blue 10001 */
    {5,  2, {0x51, 0x8C}, {0x8C, 0x8A, 0x8C, 255}, {0x8F, 0x8B, 0x8F, 0},    {0x51, 0x8C}     },
 /* 0xC631: alpha 1, red 10001, green 10001, blue 10001 */
    {6,  2, {0x31, 0xC6}, {0x8C, 0x8C, 0x8C, 255}, {0x8F, 0x8F, 0x8F, 0x80}, {0x31, 0xC6}     },
    {6,  2, {0xFF, 0x7F}, {255, 255, 255, 0},      {255, 255, 255, 0x7F},    {0xFF, 0x7F}     },
    {7,  4, {1, 2, 3, 4}, {3, 2, 1, 4},            {10, 20, 30, 40},         {30, 20, 10, 40} },
    {8,  4, {1, 2, 3, 4}, {3, 2, 1, 255},          {10, 20, 30, 40},         {30, 20, 10, 255}},
    {9,  4, {1, 2, 3, 4}, {1, 2, 3, 4},            {10, 20, 30, 40},         {10, 20, 30, 40} },
    {10, 4, {1, 2, 3, 4}, {1, 2, 3, 255},          {10, 20, 30, 40},         {10, 20, 30, 255}},
};

static void reads_and_stores_every_format(void **state)
{
    struct machine *machine = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t width = 0, height = 0;
        uint8_t *pixels = NULL;
        set_scanout(machine, 1, 1, cases[i].format, cases[i].size, FRAME_BUFFER);
        memcpy(machine->ram + FRAME_BUFFER, cases[i].stored, 4);
        assert_int_equal(agpu_device_read_scanout(machine->device, &width, &height, &pixels), AGPU_OK);
        assert_int_equal(width, 1);
        assert_int_equal(height, 1);
        assert_memory_equal(pixels, cases[i].read, 4);
        agpu_free(pixels);

        memset(machine->ram + FRAME_BUFFER, 0xEE, 8);
        const struct agpu_present present = {.width = 1, .height = 1, .format = 3, .pixels = cases[i].shown};
        machine_show(machine, &present);
        assert_memory_equal(machine->ram + FRAME_BUFFER, cases[i].written, cases[i].size);
        assert_int_equal(machine->ram[FRAME_BUFFER + cases[i].size], 0xEE);

        memset(machine->ram + FRAME_BUFFER, 0xEE, 8);
        const uint8_t *const shown = cases[i].shown, bgra[4] = {shown[2], shown[1], shown[0], shown[3]};
        const struct agpu_present swapped = {
            .width = 1, .height = 1, .format = 1, .pixels = bgra, .order = AGPU_PIXELS_BGRA8};
        machine_show(machine, &swapped);
        assert_memory_equal(machine->ram + FRAME_BUFFER, cases[i].written, cases[i].size);
        assert_int_equal(machine->ram[FRAME_BUFFER + cases[i].size], 0xEE);
    }
}

/* A picture of very many short rows takes few calls of the embedder. */
static void short_rows_are_read_together(void **state)
{
    enum { ROWS = 3000, PITCH = 8 };
    struct machine *machine = *state;
    uint32_t width = 0, height = 0;
    uint8_t *pixels = NULL;
    memset(machine->ram + FRAME_BUFFER, 0xEE, ROWS * PITCH);
    for (uint32_t y = 0; y < ROWS; y++)
        memcpy(machine->ram + FRAME_BUFFER + (size_t)y * PITCH, &y, 4);
    set_scanout(machine, 1, ROWS, AEROGPU_FORMAT_R8G8B8A8_UNORM, PITCH, FRAME_BUFFER);
    machine->reads = 0;
    assert_int_equal(agpu_device_read_scanout(machine->device, &width, &height, &pixels), AGPU_OK);
    assert_int_equal(height, ROWS);
    assert_true(machine->reads <= 2);
    for (uint32_t y = 0; y < ROWS; y++)
        assert_memory_equal(pixels + (size_t)y * 4, &y, 4);
    agpu_free(pixels);
    /* What lies between rows that are far apart is not read. */
    set_scanout(machine, 1, 8, AEROGPU_FORMAT_R8G8B8A8_UNORM, 8192, FRAME_BUFFER);
    machine->reads = 0;
    assert_int_equal(agpu_device_read_scanout(machine->device, &width, &height, &pixels), AGPU_OK);
    assert_int_equal(machine->reads, 8);
    agpu_free(pixels);
}

static void pitch_separates_rows(void **state)
{
    struct machine *machine = *state;
    uint32_t width, height;
    uint8_t *pixels;
    set_scanout(machine, 3, 2, AEROGPU_FORMAT_R8G8B8A8_UNORM, 20, FRAME_BUFFER + 2);
    for (uint32_t i = 0; i < 64; i++)
        machine->ram[FRAME_BUFFER + i] = (uint8_t)i;
    assert_int_equal(agpu_device_read_scanout(machine->device, &width, &height, &pixels), AGPU_OK);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(pixels[i], 2 + i);
        assert_int_equal(pixels[12 + i], 22 + i);
    }
    agpu_free(pixels);
}

static void assert_unreadable(struct machine *machine)
{
    uint32_t width, height;
    uint8_t *pixels;
    machine->diag_count = 0;
    assert_int_equal(agpu_device_read_scanout(machine->device, &width, &height, &pixels), AGPU_REFUSED);
    assert_int_equal(machine->diag, AGPU_DIAG_DEVICE_SCANOUT);
    assert_int_equal(machine->diag_count, 1);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 0);
}

/* M9 */
static void unreadable_registers_are_refused(void **state)
{
    struct machine *machine = *state;
    static const uint32_t unshowable[] = {0, 11, 31, 32, 33, 64, 71, 72, 0xFFFFFFFF, 0x8000001C};
    assert_unreadable(machine); /* disabled */
    set_scanout(machine, 0, 4, 1, 16, FRAME_BUFFER);
    assert_unreadable(machine);
    set_scanout(machine, 4, 0, 1, 16, FRAME_BUFFER);
    assert_unreadable(machine);
    set_scanout(machine, 4, 4, 1, 15, FRAME_BUFFER);
    assert_unreadable(machine);
    set_scanout(machine, 0x40000001, 1, 1, 4, FRAME_BUFFER); /* width * 4 wraps 32 bits */
    assert_unreadable(machine);
    set_scanout(machine, 4096, 4097, 5, 8192, FRAME_BUFFER); /* above 64 MiB as RGBA8 */
    assert_unreadable(machine);
    set_scanout(machine, 1, 65537, 5, 2, FRAME_BUFFER); /* higher than any display */
    assert_unreadable(machine);
    set_scanout(machine, 0xFFFFFFFF, 0xFFFFFFFF, 5, 0xFFFFFFFF, FRAME_BUFFER);
    assert_unreadable(machine);
    set_scanout(machine, 4, 2, 1, 32, UINT64_MAX - 46);
    assert_unreadable(machine);
    for (size_t i = 0; i < sizeof unshowable / sizeof unshowable[0]; i++) {
        set_scanout(machine, 4, 4, unshowable[i], 64, FRAME_BUFFER);
        assert_unreadable(machine);
    }
    set_scanout(machine, 4, 4, 1, 16, FRAME_BUFFER);
    agpu_device_config_write(machine->device, 0x04, 2, 0x2);
    assert_unreadable(machine);
}

static void missing_memory_is_reported(void **state)
{
    struct machine *machine = *state;
    uint32_t width, height;
    uint8_t *pixels;
    set_scanout(machine, 4, 4, 1, 16, RAM_SIZE - 32);
    assert_int_equal(agpu_device_read_scanout(machine->device, &width, &height, &pixels), AGPU_REFUSED);
    assert_int_equal(machine->diag, AGPU_DIAG_DEVICE_GUEST_MEMORY);
}

static void a_frame_in_vram(void **state)
{
    struct machine *machine = *state;
    uint32_t width, height;
    uint8_t *pixels;
    const uint8_t bytes[4] = {1, 2, 3, 4};
    agpu_device_config_write(machine->device, 0x14, 4, 0xE0000000);
    const uint32_t offset = AEROGPU_PCI_BAR1_VBE_LFB_OFFSET_BYTES;
    assert_true(agpu_device_vram_write(machine->device, offset, bytes, 4));
    set_scanout(machine, 2, 1, AEROGPU_FORMAT_B8G8R8X8_UNORM, 8, 0xE0000000 + offset);
    assert_int_equal(agpu_device_read_scanout(machine->device, &width, &height, &pixels), AGPU_OK);
    assert_memory_equal(pixels, ((uint8_t[]){3, 2, 1, 255, 0, 0, 0, 255}), 8);
    agpu_free(pixels);
}

static const uint8_t picture[2 * 2 * 4] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4};

static void presents_are_clipped(void **state)
{
    struct machine *machine = *state;
    const struct agpu_present present = {.width = 2, .height = 2, .format = 3, .pixels = picture};
    /* A larger scanout keeps what the picture does not cover. */
    memset(machine->ram + FRAME_BUFFER, 0xEE, 256);
    set_scanout(machine, 3, 3, AEROGPU_FORMAT_R8G8B8A8_UNORM, 16, FRAME_BUFFER);
    machine_show(machine, &present);
    static const uint8_t expected[36] = {
        1, 1, 1, 1, 2, 2, 2,    2,    0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 3,    3,
        3, 3, 4, 4, 4, 4, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE};
    assert_memory_equal(machine->ram + FRAME_BUFFER, expected, sizeof expected);
    /* A smaller one takes the corner. */
    memset(machine->ram + FRAME_BUFFER, 0xEE, 256);
    set_scanout(machine, 1, 1, AEROGPU_FORMAT_R8G8B8A8_UNORM, 16, FRAME_BUFFER);
    machine_show(machine, &present);
    assert_memory_equal(machine->ram + FRAME_BUFFER, picture, 4);
    assert_int_equal(machine->ram[FRAME_BUFFER + 4], 0xEE);
    assert_int_equal(machine->ram[FRAME_BUFFER + 16], 0xEE);
    assert_int_equal(machine->presents, 2);
}

static void presents_have_rows_with_padding(void **state)
{
    struct machine *machine = *state;
    static const uint8_t padded[20] = {1, 1, 1, 1, 2, 2, 2, 2, 9, 9, 9, 9, 3, 3, 3, 3, 4, 4, 4, 4};
    const struct agpu_present present = {
        .width = 2, .height = 2, .format = 3, .pixels = padded, .pitch_bytes = 12};
    set_scanout(machine, 2, 2, AEROGPU_FORMAT_R8G8B8A8_UNORM, 8, FRAME_BUFFER);
    machine_show(machine, &present);
    assert_memory_equal(machine->ram + FRAME_BUFFER, picture, sizeof picture);
}

/* The GPU may keep any alpha behind an X8 format, which guests see as 255 in a format that has alpha. */
static void presents_without_alpha_are_opaque(void **state)
{
    struct machine *machine = *state;
    static const uint8_t bgrx[4] = {10, 20, 30, 7}, bgra[4] = {10, 20, 30, 255},
                         white[4] = {255, 255, 255, 0};
    const struct agpu_present as_it_is = {.width = 1,
                                          .height = 1,
                                          .format = AEROGPU_FORMAT_B8G8R8X8_UNORM,
                                          .pixels = bgrx,
                                          .order = AGPU_PIXELS_BGRA8};
    set_scanout(machine, 1, 1, AEROGPU_FORMAT_B8G8R8A8_UNORM, 4, FRAME_BUFFER);
    machine_show(machine, &as_it_is);
    assert_memory_equal(machine->ram + FRAME_BUFFER, bgra, 4);
    struct agpu_present narrowed = as_it_is;
    narrowed.pixels = white;
    set_scanout(machine, 1, 1, AEROGPU_FORMAT_B5G5R5A1_UNORM, 2, FRAME_BUFFER);
    machine_show(machine, &narrowed);
    assert_int_equal(ag_load_u16(machine->ram + FRAME_BUFFER), 0xFFFF);
}

static void presents_elsewhere_are_only_passed_on(void **state)
{
    struct machine *machine = *state;
    struct agpu_present present = {.width = 2, .height = 2, .format = 3, .pixels = picture};
    memset(machine->ram + FRAME_BUFFER, 0xEE, 16);
    set_scanout(machine, 2, 2, AEROGPU_FORMAT_R8G8B8A8_UNORM, 8, FRAME_BUFFER);
    present.scanout_id = 1;
    machine_show(machine, &present);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
    present.scanout_id = 0;
    machine_show(machine, &present);
    assert_int_equal(machine->presents, 2);
    assert_int_equal(machine->ram[FRAME_BUFFER], 0xEE);
    assert_int_equal(machine->diag_count, 0);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 7);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
    machine_show(machine, &present);
    assert_int_equal(machine->presents, 3);
    assert_int_equal(machine->ram[FRAME_BUFFER], 0xEE);
    assert_int_equal(machine->diag, AGPU_DIAG_DEVICE_SCANOUT);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_COUNT), 0);
}

static void presents_come_before_their_fence(void **state)
{
    struct machine *machine = *state;
    machine->manual = true;
    submit_fence(machine, 7, AEROGPU_SUBMIT_FLAG_PRESENT);
    const struct agpu_present present = {.width = 2, .height = 2, .format = 3, .pixels = picture};
    machine_show(machine, &present);
    machine_finish(machine, 0, AEROGPU_ERROR_NONE);
    assert_int_equal(machine->completed_at_present, 0);
    machine_poll(machine, 0);
    assert_int_equal(completed_fence(machine), 7);
}

/* An executor may have a picture stored in parts; what is stored is not stored again when it is shown. */
static void large_presents_are_stored_in_parts(void **state)
{
    enum { WIDTH = 400, HEIGHT = 450 };
    struct machine *machine = *state;
    uint8_t *const pixels = malloc(WIDTH * HEIGHT * 4), *const stored = machine->ram + FRAME_BUFFER;
    const struct agpu_present present = {.width = WIDTH, .height = HEIGHT, .format = 3, .pixels = pixels};
    const size_t size = WIDTH * HEIGHT * 4;
    assert_non_null(pixels);
    memset(pixels, 0x55, size);
    set_scanout(machine, WIDTH, HEIGHT, AEROGPU_FORMAT_R8G8B8A8_UNORM, WIDTH * 4, FRAME_BUFFER);
    assert_false(machine->events.prepare(machine->events.user, &present));
    assert_int_equal(stored[0], 0x55);
    assert_int_equal(stored[size - 1], 0);
    while (!machine->events.prepare(machine->events.user, &present))
        continue;
    assert_memory_equal(stored, pixels, size);
    stored[0] = 1;
    machine_show(machine, &present);
    assert_int_equal(machine->presents, 1);
    assert_int_equal(stored[0], 1);
    /* The same memory may be another picture's, behind a reset at the latest. */
    assert_false(machine->events.prepare(machine->events.user, &present));
    assert_int_equal(stored[0], 0x55);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
    memset(stored, 0, size);
    machine_show(machine, &present);
    assert_memory_equal(stored, pixels, size);
    free(pixels);
}

/* The guest shows another frame buffer while a picture is stored. */
static void presents_are_stored_in_one_place(void **state)
{
    enum { WIDTH = 256, HEIGHT = 480, SIZE = WIDTH * HEIGHT * 2, OTHER = FRAME_BUFFER + SIZE };
    struct machine *machine = *state;
    uint8_t *const pixels = malloc(WIDTH * HEIGHT * 4);
    const struct agpu_present present = {.width = WIDTH, .height = HEIGHT, .format = 3, .pixels = pixels};
    assert_non_null(pixels);
    memset(pixels, 0xFF, WIDTH * HEIGHT * 4);
    set_scanout(machine, WIDTH, HEIGHT, AEROGPU_FORMAT_B5G6R5_UNORM, WIDTH * 2, FRAME_BUFFER);
    assert_false(machine->events.prepare(machine->events.user, &present));
    set_scanout(machine, WIDTH, HEIGHT, AEROGPU_FORMAT_B5G6R5_UNORM, WIDTH * 2, OTHER);
    while (!machine->events.prepare(machine->events.user, &present))
        continue;
    assert_memory_equal(machine->ram + OTHER, pixels, SIZE);
    /* What is stored stays where it is. */
    memset(machine->ram + FRAME_BUFFER, 0, SIZE);
    set_scanout(machine, WIDTH, HEIGHT, AEROGPU_FORMAT_B5G6R5_UNORM, WIDTH * 2, FRAME_BUFFER);
    machine_show(machine, &present);
    assert_int_equal(machine->ram[FRAME_BUFFER], 0);
    free(pixels);
}

static void cursor_is_read(void **state)
{
    struct machine *machine = *state;
    struct agpu_cursor cursor;
    uint8_t *pixels;
    memcpy(machine->ram + FRAME_BUFFER, picture, sizeof picture);
    set_cursor(machine, 2, 2, AEROGPU_FORMAT_B8G8R8A8_UNORM, 8, FRAME_BUFFER);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_X, (uint32_t)-5);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_Y, 70000);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_HOT_X, 1);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_HOT_Y, 2);
    assert_int_equal(agpu_device_read_cursor(machine->device, &cursor, &pixels), AGPU_OK);
    assert_int_equal(cursor.x, -5);
    assert_int_equal(cursor.y, 70000);
    assert_int_equal(cursor.hot_x, 1);
    assert_int_equal(cursor.hot_y, 2);
    assert_int_equal(cursor.width, 2);
    assert_int_equal(cursor.height, 2);
    assert_memory_equal(pixels, picture, sizeof picture);
    agpu_free(pixels);
}

static void assert_no_cursor(struct machine *machine)
{
    struct agpu_cursor cursor;
    uint8_t *pixels;
    assert_int_equal(agpu_device_read_cursor(machine->device, &cursor, &pixels), AGPU_REFUSED);
    assert_int_equal(machine->diag, AGPU_DIAG_DEVICE_CURSOR);
}

static void bad_cursors_are_refused(void **state)
{
    struct machine *machine = *state;
    assert_no_cursor(machine);
    set_cursor(machine, 2, 2, AEROGPU_FORMAT_B5G6R5_UNORM, 8, FRAME_BUFFER); /* not 32 bits */
    assert_no_cursor(machine);
    set_cursor(machine, 1024, 1025, AEROGPU_FORMAT_B8G8R8A8_UNORM, 4096, FRAME_BUFFER); /* above 4 MiB */
    assert_no_cursor(machine);
    set_cursor(machine, 2, 2, AEROGPU_FORMAT_B8G8R8A8_UNORM, 7, FRAME_BUFFER);
    assert_no_cursor(machine);
    set_cursor(machine, 2, 2, AEROGPU_FORMAT_B8G8R8A8_UNORM, 8, FRAME_BUFFER);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_ENABLE, 0);
    assert_no_cursor(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MACHINE(reads_and_stores_every_format),
        WITH_MACHINE(short_rows_are_read_together),
        WITH_MACHINE(pitch_separates_rows),
        WITH_MACHINE(unreadable_registers_are_refused),
        WITH_MACHINE(missing_memory_is_reported),
        WITH_MACHINE(a_frame_in_vram),
        WITH_MACHINE(presents_are_clipped),
        WITH_MACHINE(presents_have_rows_with_padding),
        WITH_MACHINE(presents_without_alpha_are_opaque),
        WITH_MACHINE(presents_elsewhere_are_only_passed_on),
        WITH_MACHINE(presents_come_before_their_fence),
        WITH_MACHINE(large_presents_are_stored_in_parts),
        WITH_MACHINE(presents_are_stored_in_one_place),
        WITH_MACHINE(cursor_is_read),
        WITH_MACHINE(bad_cursors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
