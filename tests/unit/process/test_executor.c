/* SPDX-License-Identifier: MIT
 *
 * The executor in a GPU process beside the one in this process: the same results, failures among them.
 * Arguments: the tool, a driver.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../exec/host.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/process_executor.h"

enum { TARGET = 1, BUFFER, BACKED, TEXTURE_BACKED };

static const char *program;
static enum agpu_driver driver;
static struct host near, far; /* in this process, and in another */

static struct agpu_executor *open_process(const struct agpu_guest_region *region)
{
    const struct agpu_gpu_options gpu = {.size = sizeof gpu, .driver = driver};
    const struct agpu_executor_options executor_options = {.size = sizeof executor_options,
                                                           .slice_us = AGPU_NO_SLICE};
    const struct agpu_process_executor_options options = {
        .size = sizeof options,
        .program = program,
        .gpu = &gpu,
        .executor = &executor_options,
        .regions = region,
        .region_count = region != NULL,
        .hang_timeout_ms = AGPU_NO_TIMEOUT,
        .submission_timeout_ms = AGPU_NO_TIMEOUT,
    };
    struct agpu_executor *executor = NULL;
    if (agpu_process_executor_create(&options, NULL, &executor) != AGPU_OK ||
        agpu_process_executor_wait(executor, AGPU_NO_TIMEOUT) != AGPU_OK)
        exit(1);
    return executor;
}

static struct agpu_writer begin(struct host *host)
{
    struct agpu_writer writer;
    host_reset(host);
    agpu_writer_init_growing(&writer, NULL);
    return writer;
}

/* Everything that a host heard, and its memory, is the same. */
static void assert_same(void)
{
    const struct agpu_counters a = host_counters(&near), b = host_counters(&far);
    assert_int_equal(near.completed_count, far.completed_count);
    assert_int_equal(near.last_error, far.last_error);
    assert_int_equal(near.present_count, far.present_count);
    assert_int_equal(near.diag_count, far.diag_count);
    if (near.diag_count != 0) {
        assert_int_equal(near.first_diag, far.first_diag);
        assert_int_equal(near.first_packet, far.first_packet);
        assert_string_equal(near.first_packet_name, far.first_packet_name);
        assert_string_equal(near.first_message, far.first_message);
    }
    assert_memory_equal(near.guest, far.guest, GUEST_BYTES);
    assert_int_equal(a.packets, b.packets);
    assert_int_equal(a.draws, b.draws);
    assert_int_equal(a.uploads, b.uploads);
    assert_int_equal(a.writeback_bytes, b.writeback_bytes);
}

struct seen_contexts {
    struct agpu_context_counters contexts[4];
    uint32_t count;
};

static void see_context(void *user, const struct agpu_context_counters *counters)
{
    struct seen_contexts *seen = user;
    assert_int_equal(counters->size, sizeof *counters);
    assert_true(seen->count < 4);
    seen->contexts[seen->count++] = *counters;
}

static struct seen_contexts contexts_of(const struct host *host)
{
    struct seen_contexts seen = {.count = 0};
    host->executor->visit_contexts(host->executor, see_context, &seen);
    return seen;
}

/* Runs the same on both. */
static void run_both(void (*run)(struct host *host))
{
    run(&near);
    run(&far);
    assert_same();
}

/* ---- What both do ------------------------------------------------------------------------------------ */

static void do_write_back_buffer(struct host *host)
{
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 0x20000};
    struct agpu_writer writer = begin(host);
    for (uint32_t i = 0; i < 0x10000; i++)
        host->guest[i] = (uint8_t)(i * 7 + i / 256);
    agpu_write_create_buffer(&writer, BACKED, 0, 0x20000, 7, 0);
    agpu_write_copy_buffer(&writer, BACKED, 0x10000, BACKED, 0, 0x10000, AEROGPU_COPY_FLAG_WRITEBACK_DST);
    assert_int_equal(host_run(host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_memory_equal(host->guest, host->guest + 0x10000, 0x10000);
    agpu_writer_fini(&writer);
}

/* Rows that lie apart in guest memory. */
static uint32_t write_back_texture(struct host *host, uint64_t gpa)
{
    enum { WIDTH = 100, HEIGHT = 300, PITCH = 512 };
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = gpa, .size_bytes = HEIGHT * PITCH};
    const uint32_t target = TARGET;
    struct agpu_writer writer = begin(host);
    host_write_texture(&writer, TARGET, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       WIDTH, HEIGHT);
    const struct aerogpu_cmd_create_texture2d backed = {
        .texture_handle = TEXTURE_BACKED,
        .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .width = WIDTH,
        .height = HEIGHT,
        .mip_levels = 1,
        .array_layers = 1,
        .row_pitch_bytes = PITCH,
        .backing_alloc_id = 7,
    };
    agpu_write_create_texture2d(&writer, &backed);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 1, 1}, 1, 0);
    const struct aerogpu_cmd_copy_texture2d copy = {
        .dst_texture = TEXTURE_BACKED,
        .src_texture = TARGET,
        .width = WIDTH,
        .height = HEIGHT,
        .flags = AEROGPU_COPY_FLAG_WRITEBACK_DST,
    };
    agpu_write_copy_texture2d(&writer, &copy);
    agpu_write_present(&writer, 0, 0);
    const uint32_t error = host_run(host, &writer, &allocation, 1);
    agpu_writer_fini(&writer);
    return error;
}

static void do_write_back_rows(struct host *host)
{
    assert_int_equal(write_back_texture(host, GUEST_BASE + 64), AEROGPU_ERROR_NONE);
    assert_int_equal(host_pixel(host, 0, 0), 0xFF00FFFF);
    assert_int_equal(host->guest[64 + 299 * 512], 0xFF);
    assert_int_equal(host->guest[64 + 299 * 512 + 1], 0);
    assert_int_equal(host->guest[64 + 299 * 512 + 400], 0); /* between two rows */
}

/* Row 100 and those behind it cannot be written; the picture is shown all the same. */
static void do_write_back_what_is_read_only(struct host *host)
{
    host->writable_bytes = 100 * 512 + 100;
    assert_int_equal(write_back_texture(host, GUEST_BASE), AEROGPU_ERROR_OOB);
    host->writable_bytes = 0;
    assert_int_equal(host->guest[99 * 512], 0xFF);
    assert_int_equal(host->guest[100 * 512], 0);
    assert_int_equal(host->diag_count, 1);
    assert_int_equal(host->first_diag, AGPU_DIAG_EXEC_GUEST_MEMORY);
    assert_string_equal(host->first_message, "guest memory at 0x1c800 (400 bytes) is not writable");
}

static void do_read_what_is_not_there(struct host *host)
{
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = 16, .size_bytes = 64};
    struct agpu_writer writer = begin(host);
    agpu_write_create_buffer(&writer, BACKED, AEROGPU_RESOURCE_USAGE_STORAGE, 64, 7, 0);
    agpu_write_create_buffer(&writer, BUFFER, AEROGPU_RESOURCE_USAGE_STORAGE, 64, 0, 0);
    agpu_write_copy_buffer(&writer, BUFFER, 0, BACKED, 0, 64, 0);
    assert_int_equal(host_run(host, &writer, &allocation, 1), AEROGPU_ERROR_OOB);
    assert_int_equal(host->first_diag, AGPU_DIAG_EXEC_GUEST_MEMORY);
    agpu_writer_fini(&writer);
}

/* There is memory at both ends of addresses, but an access does not go around. */
static void do_read_around_the_end(struct host *host)
{
    enum { EDGE = 1024, BEFORE = 1 << 20 };
    const struct aerogpu_alloc_entry allocation = {
        .alloc_id = 7, .gpa = UINT64_MAX - BEFORE + 1, .size_bytes = EDGE * EDGE * 4};
    const struct aerogpu_cmd_ext_update_subresource update = {.resource_handle = TARGET,
                                                              .source_alloc_id = 7};
    struct agpu_writer writer = begin(host);
    host->is_endless = true;
    host_write_texture(&writer, TARGET, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, EDGE,
                       EDGE);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, &update, sizeof update, NULL, 0);
    const uint32_t error = host_run(host, &writer, &allocation, 1);
    host->is_endless = false;
    assert_int_equal(error, AEROGPU_ERROR_OOB);
    assert_int_equal(host->first_diag, AGPU_DIAG_EXEC_GUEST_MEMORY);
    agpu_writer_fini(&writer);
}

/* A stream that is larger than the ring between the processes, with a picture that is, too. */
static void do_upload_very_much(struct host *host)
{
    enum { BYTES = 24 << 20, EDGE = 2048 };
    const struct aerogpu_alloc_entry allocation = {
        .alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = GUEST_BYTES};
    const uint32_t target = TARGET;
    struct agpu_writer writer = begin(host);
    uint8_t *const bytes = malloc(BYTES);
    assert_non_null(bytes);
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(i * 13 + i / 65536);
    host_write_texture(&writer, TARGET, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       EDGE, EDGE);
    agpu_write_create_buffer(&writer, BUFFER, AEROGPU_RESOURCE_USAGE_STORAGE, BYTES, 0, 0);
    agpu_write_create_buffer(&writer, BACKED, AEROGPU_RESOURCE_USAGE_STORAGE, GUEST_BYTES, 7, 0);
    agpu_write_upload_resource(&writer, BUFFER, 0, bytes, BYTES);
    agpu_write_copy_buffer(&writer, BACKED, 0, BUFFER, BYTES - GUEST_BYTES, GUEST_BYTES,
                           AEROGPU_COPY_FLAG_WRITEBACK_DST);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 1, 0, 1}, 1, 0);
    agpu_write_present(&writer, 0, 0);
    assert_int_equal(host_run(host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_memory_equal(host->guest, bytes + BYTES - GUEST_BYTES, GUEST_BYTES);
    assert_int_equal(host->present_width, EDGE);
    assert_int_equal(host_pixel(host, EDGE - 1, EDGE - 1), 0x00FF00FF);
    free(bytes);
    agpu_writer_fini(&writer);
}

static void write_back_buffer(void **state)
{
    (void)state;
    run_both(do_write_back_buffer);
}

static void write_back_rows(void **state)
{
    (void)state;
    run_both(do_write_back_rows);
}

static void write_back_what_is_read_only(void **state)
{
    (void)state;
    run_both(do_write_back_what_is_read_only);
}

static void read_what_is_not_there(void **state)
{
    (void)state;
    run_both(do_read_what_is_not_there);
}

static void read_around_the_end(void **state)
{
    (void)state;
    run_both(do_read_around_the_end);
}

static void upload_very_much(void **state)
{
    (void)state;
    run_both(do_upload_very_much);
}

/* ---- What only a process has ------------------------------------------------------------------------- */

static void reset_drops_what_runs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        struct agpu_writer writer = begin(&far);
        const uint32_t target = TARGET;
        host_write_texture(&writer, TARGET, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                           AEROGPU_FORMAT_R8G8B8A8_UNORM, 256, 256);
        agpu_write_set_render_targets(&writer, 1, &target, 0);
        for (uint32_t j = 0; j < 20; j++)
            agpu_write_present(&writer, 0, 0);
        host_submit(&far, &writer, NULL, 0);
        for (uint32_t j = 0; j < i; j++)
            far.executor->poll(far.executor);
        host_reset(&far);
        assert_false(far.executor->poll(far.executor));
        agpu_writer_fini(&writer);
    }
    do_write_back_buffer(&far); /* and nothing of the dropped work comes now */
    assert_int_equal(far.present_count, 0);
    assert_int_equal(far.completed_count, 1);
}

/* Guest memory that the process maps, and of which no callback hears. */
static void maps_guest_memory(void **state)
{
    (void)state;
    struct host host = {.next_submission = 0};
    const int descriptor = memfd_create("guest", MFD_CLOEXEC);
    assert_true(descriptor >= 0 && ftruncate(descriptor, GUEST_BYTES) == 0);
    uint8_t *const guest = mmap(NULL, GUEST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    assert_true(guest != MAP_FAILED);
    const uint64_t gpa = UINT64_C(1) << 32;
    const struct agpu_guest_region region = {.gpa = gpa, .size = GUEST_BYTES, .descriptor = descriptor};
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = gpa, .size_bytes = 0x20000};
    assert_true(host_open_on(&host, open_process(&region)));
    struct agpu_writer writer = begin(&host);
    memset(guest, 0x5A, 0x10000);
    agpu_write_create_buffer(&writer, BACKED, 0, 0x20000, 7, 0);
    agpu_write_copy_buffer(&writer, BACKED, 0x10000, BACKED, 0, 0x10000, AEROGPU_COPY_FLAG_WRITEBACK_DST);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_memory_equal(guest, guest + 0x10000, 0x10000);
    agpu_writer_fini(&writer);
    host_close(&host);
    munmap(guest, GUEST_BYTES);
    close(descriptor);
}

static void describes_its_adapter(void **state)
{
    (void)state;
    struct agpu_adapter_info a = {.size = sizeof a}, b = {.size = sizeof b};
    agpu_gpu_info(near.gpu, &a);
    assert_true(agpu_process_executor_info(far.executor, &b));
    assert_string_equal(a.name, b.name);
    assert_string_equal(a.driver, b.driver);
    assert_int_equal(a.feature_count, b.feature_count);
    for (uint32_t i = 0; i < a.feature_count; i++)
        assert_string_equal(a.features[i], b.features[i]);
    assert_int_equal(a.limit_count, b.limit_count);
    for (uint32_t i = 0; i < a.limit_count; i++) {
        assert_string_equal(a.limits[i].name, b.limits[i].name);
        assert_int_equal(a.limits[i].value, b.limits[i].value);
    }
}

/* Two contexts. */
static void do_work_of_contexts(struct host *host)
{
    struct agpu_writer writer = begin(host);
    assert_int_equal(contexts_of(host).count, 0);
    for (host->context_id = 3; host->context_id <= 5; host->context_id += 2) {
        agpu_write_create_buffer(&writer, BUFFER + host->context_id, AEROGPU_RESOURCE_USAGE_STORAGE,
                                 host->context_id << 20, 0, 0);
        host_run_ok(host, &writer);
    }
    host->context_id = 3;
    agpu_write_destroy_resource(&writer, BUFFER + 5);
    host_run_ok(host, &writer);
    agpu_writer_fini(&writer);
}

static void contexts_are_counted(void **state)
{
    (void)state;
    run_both(do_work_of_contexts);
    const struct seen_contexts a = contexts_of(&near), b = contexts_of(&far);
    assert_int_equal(a.count, 2);
    assert_int_equal(b.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(b.contexts[i].context_id, 3 + 2 * i);
        assert_int_equal(a.contexts[i].context_id, b.contexts[i].context_id);
        assert_int_equal(a.contexts[i].most_gpu_bytes, b.contexts[i].most_gpu_bytes);
        assert_int_equal(a.contexts[i].most_host_bytes, b.contexts[i].most_host_bytes);
        assert_int_equal(a.contexts[i].refusals, b.contexts[i].refusals);
        assert_int_equal(a.contexts[i].submissions, b.contexts[i].submissions);
        assert_true(b.contexts[i].work_ns > 0);
        assert_true(b.contexts[i].longest_latency_ns >= b.contexts[i].longest_turn_ns);
    }
    assert_int_equal(b.contexts[0].submissions, 2);
    assert_int_equal(b.contexts[1].submissions, 1);
    assert_true(b.contexts[0].most_gpu_bytes >= UINT64_C(3) << 20);
    host_reset(&far);
    assert_int_equal(contexts_of(&far).count, 0);
    host_reset(&near);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_are_counted),   cmocka_unit_test(write_back_buffer),
        cmocka_unit_test(write_back_rows),        cmocka_unit_test(write_back_what_is_read_only),
        cmocka_unit_test(read_what_is_not_there), cmocka_unit_test(read_around_the_end),
        cmocka_unit_test(upload_very_much),       cmocka_unit_test(reset_drops_what_runs),
        cmocka_unit_test(maps_guest_memory),      cmocka_unit_test(describes_its_adapter),
    };
    if (argc != 3 || !agpu_driver_from_name(argv[2], &driver))
        return 1;
    program = argv[1];
    const int opened = host_open(&near, argv[2], "");
    if (opened != 0)
        return opened;
    if (!host_open_on(&far, open_process(NULL)))
        return 1;
    const int failed = cmocka_run_group_tests_name("process/executor", tests, NULL, NULL);
    host_close(&far);
    host_close(&near);
    return failed;
}
