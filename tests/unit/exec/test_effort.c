/* SPDX-License-Identifier: MIT
 *
 * Packets that are light as a rule and copy much: the clock is read behind each of them. Memory that they
 * leave goes in parts.
 */
#include "../../support/test.h"

#include <stdlib.h>
#include <time.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "exec/host/effort.h"
#include "exec/host/progress.h"
#include "exec/host/spent_memory.h"
#include "host.h"

#define PACKETS 128u
#define LARGE_BYTES ((uint32_t)AG_EFFORT_OF_LOOK)
#define SMALL_BYTES 64u
#define HANDLE_BUFFER 1u
#define PARTS 5u

static struct host host;
static uint32_t looks;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

/* Time stands still, so that packets are looked at for nothing but what they copy. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (clock != CLOCK_MONOTONIC)
        return __real_clock_gettime(clock, now);
    looks++;
    *now = (struct timespec){.tv_sec = 1000};
    return 0;
}

/* The looks at the clock while uploads of so many bytes are executed, with other packets between them. */
static uint32_t looks_of_uploads(uint32_t size)
{
    static uint8_t bytes[LARGE_BYTES];
    struct agpu_writer writer;
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, HANDLE_BUFFER, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, sizeof bytes, 0,
                             0);
    for (uint32_t i = 0; i < PACKETS; i++) {
        agpu_write_upload_resource(&writer, HANDLE_BUFFER, 0, bytes, size);
        agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_POINTLIST + i % 2);
    }
    looks = 0;
    host_submit(&host, &writer, NULL, 0);
    const uint32_t count = looks;
    host_wait(&host);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    agpu_writer_fini(&writer);
    return count;
}

static void packets_that_copy_much_are_looked_at(void **state)
{
    (void)state;
    assert_in_range(looks_of_uploads(SMALL_BYTES), 1, PACKETS / 4);
    assert_in_range(looks_of_uploads(LARGE_BYTES), PACKETS, 3 * PACKETS);
    assert_in_range(looks_of_uploads(LARGE_BYTES / 4), PACKETS / 4, PACKETS / 2);
}

static void memory_goes_in_parts(void **state)
{
    struct ag_spent_memory spent = {0};
    const size_t sizes[] = {1, PARTS * AG_PART_BYTES, AG_PART_BYTES + 1};
    uint32_t parts = 0;
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(sizes); i++)
        ag_spent_memory_add(&spent, malloc(sizes[i]), sizes[i]);
    while (parts < 2 * PARTS && ag_spent_memory_free_part(&spent))
        parts++;
    assert_int_equal(parts, PARTS + 2 - 1); /* the last part leaves nothing */
    assert_int_equal(spent.blocks.count, 0);
    ag_spent_memory_fini(&spent);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_that_copy_much_are_looked_at),
        cmocka_unit_test(memory_goes_in_parts),
    };
    const struct agpu_executor_options options = {.size = sizeof options, .slice_us = 1000000};
    if (argc != 2)
        return 1;
    const int opened = host_open_with(&host, argv[1], NULL, &options);
    const int failed = opened == 0 ? cmocka_run_group_tests(tests, NULL, NULL) : opened;
    host_close(&host);
    return failed;
}
