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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_buffers_are_zeros),
    };
    const int opened = argc < 2 ? 1 : host_open(&host, argv[1], "");
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests_name("exec/null", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
