/* SPDX-License-Identifier: MIT
 *
 * Large shaders are translated, and modules made, by a thread: what a guest sees is what it sees without the
 * thread, whenever the thread is done, and nobody waits for it in the end.
 */
#include "../../support/test.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "host.h"

enum { BUFFER = 1, COPY, SHADER };

/* Lines that make a shader of some 11 KiB. */
#define LINES 300

static struct host host;

/* ---- Memory that fails on other threads ---------------------------------------------------------------- */

static _Thread_local bool is_main;
static atomic_int others_left; /* allocations of other threads until one fails; below 0: none fails */

static bool fails(void)
{
    return !is_main && atomic_load(&others_left) >= 0 && atomic_fetch_sub(&others_left, 1) == 0;
}

/* The linker's names: __wrap_f is called for f, __real_f is f. NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* ---- Streams ------------------------------------------------------------------------------------------- */

/* Multiplies and adds to the first word of u0, `lines` times, with further declarations and lines. */
static void write_shader_with(struct agpu_writer *writer, uint32_t handle, int seed, int lines,
                              const char *declarations, const char *end)
{
    static char listing[LINES * 48 + 512];
    char *at = listing + sprintf(listing,
                                 "cs_5_0\ndcl_uav_raw u0\ndcl_temps 2\n%sdcl_thread_group 1, 1, 1\n"
                                 "ld_raw r0.x, l(0), u0.xxxx\n",
                                 declarations);
    assert_true(lines <= LINES);
    for (int i = 0; i < lines; i++)
        at += sprintf(at, "imad r0.x, r0.x, l(%d), l(%d)\n", 3 + 2 * i, i + seed);
    sprintf(at, "%sstore_raw u0.x, l(0), r0.x\nret\n", end);
    host_assemble_shader(writer, handle, AGPU_STREAM_STAGE_COMPUTE, listing);
}

static void write_shader(struct agpu_writer *writer, uint32_t handle, int seed, int lines, const char *end)
{
    write_shader_with(writer, handle, seed, lines, "", end);
}

static uint32_t value_of(uint32_t value, int seed, int lines)
{
    for (int i = 0; i < lines; i++)
        value = value * (uint32_t)(3 + 2 * i) + (uint32_t)(i + seed);
    return value;
}

static struct agpu_writer begin(void)
{
    struct agpu_writer writer = host_begin_storing(&host, BUFFER);
    agpu_write_create_buffer(&writer, COPY, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 1, 0);
    return writer;
}

static void write_dispatch(struct agpu_writer *writer, uint32_t shader)
{
    agpu_write_bind_shaders(writer, 0, 0, shader, 0);
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
}

static const struct aerogpu_alloc_entry allocation = {.alloc_id = 1, .gpa = GUEST_BASE, .size_bytes = 4096};

static void write_read_back(struct agpu_writer *writer)
{
    agpu_write_copy_buffer(writer, COPY, 0, BUFFER, 0, 4, AEROGPU_COPY_FLAG_WRITEBACK_DST);
}

static uint32_t word(void)
{
    uint32_t value;
    memcpy(&value, host.guest, sizeof value);
    return value;
}

static void use_executor(bool translate_in_calls)
{
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT,
        .translate_in_calls = translate_in_calls,
    };
    agpu_executor_destroy(host.executor);
    host.executor = NULL;
    assert_int_equal(agpu_webgpu_executor_create(host.gpu, &options, NULL, &host.executor), AGPU_OK);
    host_attach(&host);
}

/* ---- The same as without a thread ---------------------------------------------------------------------- */

/* What a guest and its host see of a submission. */
struct seen {
    uint32_t error, diag_count, first_packet, word;
    enum agpu_diag_code first_diag;
    char packet_name[32], message[512];
    struct agpu_counters counts;
};

static struct seen run(struct agpu_writer *writer)
{
    struct seen seen;
    memset(&seen, 0, sizeof seen);
    seen.error = host_run(&host, writer, &allocation, 1);
    seen.diag_count = host.diag_count;
    if (host.diag_count > 0) {
        seen.first_diag = host.first_diag;
        seen.first_packet = host.first_packet;
        strcpy(seen.packet_name, host.first_packet_name);
        strcpy(seen.message, host.first_message);
    }
    seen.word = word();
    seen.counts = host_counters(&host);
    return seen;
}

enum { SUBMISSIONS = 6 };

static void play(struct seen seen[SUBMISSIONS])
{
    struct agpu_writer writer = begin();
    for (int i = 0; i < 8; i++) {
        write_shader(&writer, SHADER + (uint32_t)i, i, i % 2 ? LINES : 4, "");
        write_dispatch(&writer, SHADER + (uint32_t)i);
    }
    agpu_write_destroy_shader(&writer, SHADER);
    write_dispatch(&writer, SHADER + 7);
    write_read_back(&writer);
    seen[0] = run(&writer);
    /* A shader that is refused. */
    write_shader(&writer, SHADER, 100, LINES, "sampleinfo_uint r1.x, rasterizer.x\n");
    write_dispatch(&writer, SHADER);
    write_read_back(&writer);
    seen[1] = run(&writer);
    /* The same bytes under another handle, and as another stage. */
    write_shader(&writer, SHADER + 20, 100, LINES, "sampleinfo_uint r1.x, rasterizer.x\n");
    write_shader(&writer, SHADER + 21, 1, LINES, "");
    write_dispatch(&writer, SHADER + 21);
    write_read_back(&writer);
    seen[2] = run(&writer);
    uint32_t junk[2000] = {AGPU_FOURCC('D', 'X', 'B', 'C')};
    agpu_write_create_shader_dxbc(&writer, SHADER + 22, AGPU_STREAM_STAGE_COMPUTE, junk, sizeof junk);
    write_dispatch(&writer, SHADER + 21);
    write_read_back(&writer);
    seen[3] = run(&writer);
    /* The translator has remarks: about a fence that some threads may not reach, and why it refuses. */
    write_shader(&writer, SHADER + 23, 2, LINES, "if_nz r0.x\nsync_uglobal\nendif\n");
    write_dispatch(&writer, SHADER + 23);
    write_read_back(&writer);
    seen[4] = run(&writer);
    write_shader_with(&writer, SHADER + 24, 3, LINES, "dcl_indexableTemp x0[1300], 4\n",
                      "mov x0[r0.x + 2].x, l(9)\nmov r0.x, x0[r0.x + 2].x\n");
    seen[5] = run(&writer);
    agpu_writer_fini(&writer);
}

static void same_as_in_calls(void **state)
{
    static struct seen with[SUBMISSIONS], without[SUBMISSIONS];
    (void)state;
    use_executor(true);
    play(without);
    use_executor(false);
    play(with);
    for (int i = 0; i < SUBMISSIONS; i++) {
        /* What takes time, and how often a stream waits, is not the guest's to see. */
        with[i].counts.translate_ns = without[i].counts.translate_ns;
        with[i].counts.pipeline_ns = without[i].counts.pipeline_ns;
        with[i].counts.streams_paused = without[i].counts.streams_paused;
        assert_memory_equal(&with[i], &without[i], sizeof with[i]);
    }
    uint32_t value = 1;
    for (int i = 0; i < 8; i++)
        value = value_of(value, i, i % 2 ? LINES : 4);
    assert_int_equal(with[0].error, AEROGPU_ERROR_NONE);
    assert_int_equal(with[0].word, value_of(value, 7, LINES));
    assert_int_equal(with[0].counts.dispatches, 9);
    assert_int_equal(with[0].counts.pipelines, 8);
    assert_int_not_equal(with[1].error, AEROGPU_ERROR_NONE);
    assert_int_not_equal(with[3].error, AEROGPU_ERROR_NONE);
    assert_int_equal(with[4].error, AEROGPU_ERROR_NONE);
    assert_int_equal(with[4].first_diag, AGPU_DIAG_TRANSLATE_IGNORED);
    assert_int_equal(with[4].word, value_of(with[3].word, 2, LINES));
    assert_int_equal(with[5].error, AEROGPU_ERROR_BACKEND);
    assert_int_equal(with[5].first_diag, AGPU_DIAG_TRANSLATE_COST);
    assert_string_equal(with[5].packet_name, "CREATE_SHADER_DXBC");
}

/* ---- The end, at any moment ---------------------------------------------------------------------------- */

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Streams that pause are dropped with what the thread is at work on. */
static void ends_at_any_moment(void **state)
{
    enum { MOMENTS = 40, MOST_MS = 10000 }; /* on a machine that others use, too */
    (void)state;
    use_executor(false);
    for (int moment = 0; moment < MOMENTS; moment++) {
        struct agpu_writer writer = begin();
        for (int i = 0; i < 3; i++) {
            write_shader(&writer, SHADER, moment * 3 + i, LINES, "");
            write_dispatch(&writer, SHADER);
        }
        host_submit(&host, &writer, NULL, 0);
        const struct timespec pause = {.tv_nsec = moment * 200000};
        nanosleep(&pause, NULL);
        for (int i = 0; i < moment % 4; i++)
            host.executor->poll(host.executor);
        const uint64_t start_ms = now_ms();
        if (moment % 2)
            host_reset(&host);
        else
            use_executor(false);
        assert_true(now_ms() - start_ms < MOST_MS);
        agpu_writer_fini(&writer);
    }
    struct agpu_writer writer = begin();
    write_shader(&writer, SHADER, 5, LINES, "");
    write_dispatch(&writer, SHADER);
    write_read_back(&writer);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(word(), value_of(1, 5, LINES));
    agpu_writer_fini(&writer);
}

/* Memory that the thread lacks is memory that the submission lacks, and the next one may have it. */
static void memory_fails_on_the_thread(void **state)
{
    int failures = 0;
    (void)state;
    use_executor(false);
    for (int after = 0;; after++) {
        struct agpu_writer writer = begin();
        write_shader(&writer, SHADER, 9, LINES, "");
        write_dispatch(&writer, SHADER);
        write_read_back(&writer);
        atomic_store(&others_left, after);
        const uint32_t error = host_run(&host, &writer, &allocation, 1);
        const bool failed = atomic_exchange(&others_left, -1) < 0;
        if (error != AEROGPU_ERROR_NONE)
            assert_int_equal(host.first_diag, AGPU_DIAG_OUT_OF_MEMORY);
        /* The next try has the memory. */
        write_shader(&writer, SHADER, 9, LINES, "");
        agpu_write_upload_resource(&writer, BUFFER, 0, &(const uint32_t){1}, 4);
        write_dispatch(&writer, SHADER);
        write_read_back(&writer);
        assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
        assert_int_equal(word(), value_of(1, 9, LINES));
        agpu_writer_fini(&writer);
        failures += error != AEROGPU_ERROR_NONE;
        if (!failed)
            break;
    }
    assert_true(failures > 2);
    print_message("memory failed %d times\n", failures);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_in_calls),
        cmocka_unit_test(ends_at_any_moment),
        cmocka_unit_test(memory_fails_on_the_thread),
    };
    is_main = true;
    atomic_store(&others_left, -1);
    if (argc != 2)
        return 2;
    const struct agpu_executor_options options = {.size = sizeof options};
    int result = host_open_with(&host, argv[1], NULL, &options);
    if (result != 0)
        return result;
    result = cmocka_run_group_tests_name("exec/worker", tests, NULL, NULL);
    host_close(&host);
    return result;
}
