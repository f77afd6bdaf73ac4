/* SPDX-License-Identifier: MIT
 *
 * The null driver executes nothing. What a guest sees of that is zeros, not what the host's memory held.
 */
#include "../../support/test.h"

#include <string.h>

#include "host.h"

static struct host host;

static void new_buffers_are_zeros(void **state)
{
    (void)state;
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 0x20000};
    struct agpu_writer writer;
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    memset(host.guest, 0xAA, 0x20000);
    agpu_write_create_buffer(&writer, 1, 0, 0x20000, 7, 0);
    agpu_write_create_buffer(&writer, 2, AEROGPU_RESOURCE_USAGE_STORAGE, 0x20000, 0, 0);
    agpu_write_copy_buffer(&writer, 1, 0, 2, 0, 0x20000, AEROGPU_COPY_FLAG_WRITEBACK_DST);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    for (uint32_t i = 0; i < 0x20000; i++)
        assert_int_equal(host.guest[i], 0);
    agpu_writer_fini(&writer);
}

/* The null backend wants pitches that are multiples of 2^32 - 1. */
static void textures_are_taken_and_read_as_zeros(void **state)
{
    (void)state;
    static const uint8_t texels[64 * 4] = {1, 2, 3, 4};
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 0x1000};
    struct agpu_writer writer;
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    memset(host.guest, 0xAA, 0x1000);
    const struct aerogpu_cmd_create_texture2d backed = {.texture_handle = 1,
                                                        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                                        .width = 8,
                                                        .height = 8,
                                                        .mip_levels = 1,
                                                        .array_layers = 1,
                                                        .row_pitch_bytes = 32,
                                                        .backing_alloc_id = 7};
    struct aerogpu_cmd_create_texture2d own = backed;
    const struct aerogpu_cmd_copy_texture2d copy = {.dst_texture = 1,
                                                    .src_texture = 2,
                                                    .width = 8,
                                                    .height = 8,
                                                    .flags = AEROGPU_COPY_FLAG_WRITEBACK_DST};
    own.texture_handle = 2;
    own.backing_alloc_id = 0;
    agpu_write_create_texture2d(&writer, &backed);
    agpu_write_create_texture2d(&writer, &own);
    agpu_write_upload_resource(&writer, 2, 0, texels, sizeof texels);
    agpu_write_copy_texture2d(&writer, &copy);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    for (uint32_t i = 0; i < sizeof texels; i++)
        assert_int_equal(host.guest[i], 0);
    agpu_writer_fini(&writer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_buffers_are_zeros),
        cmocka_unit_test(textures_are_taken_and_read_as_zeros),
    };
    const int opened = argc < 2 ? 1 : host_open(&host, argv[1], "");
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests_name("exec/null", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
