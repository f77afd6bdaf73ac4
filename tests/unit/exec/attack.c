/* SPDX-License-Identifier: MIT */
#include "attack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../support/test.h"
#include "../../support/webgpu_meter.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/text.h"

#if defined(__has_feature)
#define HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define HAS_ADDRESS_SANITIZER 0
#endif
/* The sanitizer keeps what was freed, so that the process has more than the host holds, and makes all slower.
 */
#if defined(__SANITIZE_ADDRESS__) || HAS_ADDRESS_SANITIZER
#define MEASURES false
#else
#define MEASURES true
#endif

#define MEBIBYTE (UINT64_C(1) << 20)
#define SECOND_NS UINT64_C(1000000000)
#define GPU_BUDGET (128 * MEBIBYTE)
#define HOST_BUDGET (64 * MEBIBYTE)
#define IN_FLIGHT (64 * MEBIBYTE)
#define READBACKS (32 * MEBIBYTE)
#define SLICE_US 2000
#define GPU_TIMEOUT_MS 60000 /* software drivers clear 64 MiB slowly on a busy machine */
/* The bounds that a call and the process may not exceed. Times are generous, since machines differ: five
 * hundred slices of the thread's own time, of which twenty are ours; 64 MiB beside what the options name, of
 * which uploads are an eighth of what is in flight, twice. */
#define MOST_CALL_NS (500 * UINT64_C(1000) * SLICE_US)
#define MOST_OUR_NS (20 * UINT64_C(1000) * SLICE_US)
#define MOST_BYTES (GPU_BUDGET + HOST_BUDGET + IN_FLIGHT + IN_FLIGHT / 4 + READBACKS + 64 * MEBIBYTE)
/* In one step, whatever the machine. */
#define MOST_STEP_CALLS 8192
#define MOST_STEP_BYTES (8 * MEBIBYTE)
/* In which another context's frame, or one behind a reset, is shown: a turn of work, one of compilers, and
 * what the GPU has. An executor ends when a driver has compiled what it is at. */
#define MOST_WAIT_NS (2 * SECOND_NS + 2 * ATTACK_TURN_MS * UINT64_C(1000000))
#define MOST_END_NS (10 * SECOND_NS)
/* How long an attack runs before the guest resets the device, or the embedder destroys it. */
#define UNFINISHED_NS (SECOND_NS / 10)

struct host attacked;
static const char *driver;
static bool makes_steps;
static uint64_t memory_before;

static uint64_t clock_of(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

/* ---- Memory of the process ----------------------------------------------------------------------------- */

/* A line of /proc/self/status in bytes; 0 where there is none. */
static uint64_t memory_of(const char *name)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            sscanf(line + strlen(name), ": %llu", &kib);
    fclose(file);
    return kib * 1024;
}

/* The peak becomes what the process has now, where the kernel allows it. */
void attack_note_memory(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    memory_before = memory_of("VmRSS");
    if (!file)
        return;
    fputs("5", file);
    fclose(file);
}

void attack_check_memory(const char *name)
{
    const uint64_t peak = memory_of("VmHWM"), grown = peak > memory_before ? peak - memory_before : 0;
    print_message("%-44s %-11s %4" PRIu64 " MiB more\n", name, driver, grown / MEBIBYTE);
    assert_true(!MEASURES || grown <= MOST_BYTES);
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

static uint64_t more_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t attack_now_ns(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

uint64_t attack_begin_call(void)
{
    webgpu_meter_begin();
    return clock_of(CLOCK_THREAD_CPUTIME_ID);
}

/* Returns how much of the call was ours. */
static uint64_t end_call(struct attack_times *times, uint64_t begin_ns)
{
    const uint64_t spent = clock_of(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
    const struct webgpu_meter meter = webgpu_meter_read();
    times->longest_ns = more_of(times->longest_ns, spent);
    times->most_calls = more_of(times->most_calls, meter.calls);
    times->most_bytes = more_of(times->most_bytes, meter.bytes);
    if (meter.longest_ns > times->library_ns) {
        times->library_ns = meter.longest_ns;
        times->library = meter.longest;
    }
    return spent - meter.spent_ns;
}

void attack_end_poll(struct attack_times *times, uint64_t begin_ns)
{
    times->poll_ns = more_of(times->poll_ns, end_call(times, begin_ns));
}

static void *copy_bytes(const void *bytes, size_t size)
{
    void *const copy = malloc(size ? size : 1);
    assert_non_null(copy);
    return size ? memcpy(copy, bytes, size) : copy;
}

static void note_given(void *user)
{
    *(bool *)user = true;
}

/* The executor gets the bytes for its own, as it gets them from a device. */
void attack_submit(struct agpu_writer *writer, const struct aerogpu_alloc_entry *allocations, uint32_t count,
                   struct attack_times *times)
{
    bool is_given = false;
    struct agpu_submission submission = host_prepare(&attacked, writer, allocations, count);
    void *const stream = copy_bytes(submission.stream, submission.stream_size);
    void *const table = copy_bytes(allocations, count * sizeof *allocations);
    submission.stream = stream;
    submission.allocations = table;
    submission.give = note_given;
    submission.user = &is_given;
    const uint64_t begin_ns = attack_begin_call();
    attacked.executor->submit(attacked.executor, &submission);
    times->submit_ns = more_of(times->submit_ns, end_call(times, begin_ns));
    if (!is_given) {
        free(stream);
        free(table);
    }
    agpu_writer_reset(writer);
    attacked.raw_stream = NULL;
}

static void submit(struct agpu_writer *writer, struct attack_times *times)
{
    static const struct aerogpu_alloc_entry guest = {
        .alloc_id = 1, .gpa = GUEST_BASE, .size_bytes = GUEST_BYTES};
    attack_submit(writer, &guest, 1, times);
}

void attack_work(struct attack_times *times, uint64_t most_ns)
{
    const uint64_t begin = clock_of(CLOCK_MONOTONIC);
    for (bool outstanding = true; outstanding && clock_of(CLOCK_MONOTONIC) - begin < most_ns;) {
        const struct timespec nap = {.tv_nsec = 200000};
        const uint64_t begin_ns = attack_begin_call();
        outstanding = attacked.executor->poll(attacked.executor);
        attack_end_poll(times, begin_ns);
        if (!agpu_executor_has_more(attacked.executor))
            nanosleep(&nap, NULL);
    }
}

void attack_check_times(const char *name, const struct attack_times *times)
{
    print_message("%-44s %-11s longest call %7.1f ms; of ours poll() %5.1f ms, submit() %5.1f ms; %s() %6.1f "
                  "ms; %" PRIu64 " calls of WebGPU, %" PRIu64 " KiB written\n",
                  name, driver, (double)times->longest_ns / 1e6, (double)times->poll_ns / 1e6,
                  (double)times->submit_ns / 1e6, times->library ? times->library : "nothing",
                  (double)times->library_ns / 1e6, times->most_calls, times->most_bytes / 1024);
    if (makes_steps) {
        assert_true(times->most_calls <= MOST_STEP_CALLS);
        assert_true(times->most_bytes <= MOST_STEP_BYTES);
    }
    assert_true(!MEASURES || times->longest_ns < MOST_CALL_NS);
    assert_true(!MEASURES || times->poll_ns < MOST_OUR_NS);
    assert_true(!MEASURES || times->submit_ns < MOST_OUR_NS);
}

/* ---- An attack ----------------------------------------------------------------------------------------- */

void attack_write_frame(struct agpu_writer *writer, float red)
{
    const uint32_t target = 0x7FFFFFF0;
    host_write_texture(writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4,
                       4);
    agpu_write_set_render_targets(writer, 1, &target, 0);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, (const float[4]){red, 0, 0, 1}, 1, 0);
    agpu_write_present(writer, 0, 0);
    agpu_write_destroy_resource(writer, target);
}

void attack_write_text(struct agpu_writer *writer, const char *text)
{
    uint8_t *stream;
    size_t size, at = sizeof(struct aerogpu_cmd_stream_header);
    struct agpu_diag_sink sink = {0};
    assert_int_equal(agpu_text_assemble(text, strlen(text), NULL, &sink, &stream, &size), AGPU_OK);
    while (at < size) {
        const struct aerogpu_cmd_hdr *const packet = (const void *)(stream + at);
        agpu_write_raw(writer, packet->opcode, packet + 1, packet->size_bytes - sizeof *packet);
        at += packet->size_bytes;
    }
    agpu_free(stream);
}

void attack_write_points(struct agpu_writer *writer)
{
    host_assemble_shader(writer, 1, AGPU_STREAM_STAGE_VERTEX,
                         "vs_4_0\n.in SV_VertexID0 v0.x uint vertex_id\n"
                         ".out SV_Position0 o0.xyzw float position\ndcl_input_sgv v0.x, vertex_id\n"
                         "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    host_assemble_shader(writer, 2, AGPU_STREAM_STAGE_PIXEL,
                         "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
                         "mov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n");
    agpu_write_bind_shaders(writer, 1, 2, 0, 0);
    agpu_write_set_viewport(writer, 0, 0, 1, 1, 0, 1);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_POINTLIST);
}

static void say_problem(void)
{
    if (attacked.first_message[0])
        print_message("  %s\n", attacked.first_message);
}

/* What the attack sends, for a second and a third time. */
struct copied_stream {
    uint8_t *bytes;
    uint32_t size;
};

static struct copied_stream copy_of(struct agpu_writer *writer)
{
    struct copied_stream copied = {.size = attacked.raw_size};
    if (!attacked.raw_stream) {
        assert_int_equal(agpu_writer_finish(writer), AGPU_OK);
        copied.size = (uint32_t)writer->size;
    }
    copied.bytes = malloc(copied.size);
    assert_non_null(copied.bytes);
    memcpy(copied.bytes, attacked.raw_stream ? attacked.raw_stream : writer->data, copied.size);
    return copied;
}

/* Time of the process and the time that passed. */
struct stopwatch {
    uint64_t began_ns, processors_ns;
};

static struct stopwatch stopwatch_begin(void)
{
    return (struct stopwatch){clock_of(CLOCK_MONOTONIC), clock_of(CLOCK_PROCESS_CPUTIME_ID)};
}

/* How long this takes where nothing else runs: not longer than it took, nor than all processors together
 * worked on it, of which one at a time may have. */
static uint64_t stopwatch_ns(const struct stopwatch *watch)
{
    const uint64_t passed = clock_of(CLOCK_MONOTONIC) - watch->began_ns,
                   worked = clock_of(CLOCK_PROCESS_CPUTIME_ID) - watch->processors_ns;
    return passed < worked ? passed : worked;
}

/* In two contexts, an attack and a frame. */
static uint64_t be_shown(struct agpu_writer *writer, struct agpu_writer *frame, struct attack_times *times)
{
    const struct stopwatch watch = stopwatch_begin();
    const uint32_t completed = attacked.completed_count;
    submit(writer, times);
    say_problem();
    attacked.context_id = 2;
    attack_write_frame(frame, 1);
    submit(frame, times);
    attack_work(times, UINT64_MAX);
    const uint64_t frame_ns = stopwatch_ns(&watch);
    say_problem();
    assert_int_equal(attacked.completed_count, completed + 2);
    assert_int_equal(attacked.last_error, AEROGPU_ERROR_NONE);
    assert_int_equal(attacked.present_width, 4);
    assert_int_equal(host_pixel(&attacked, 0, 0) & 0xFFFFFF00, 0xFF000000);
    return frame_ns;
}

/* The attack is on its way. */
static void begin(const struct copied_stream *stream, struct agpu_writer *unused, struct attack_times *times)
{
    attacked.context_id = 3;
    attacked.raw_stream = stream->bytes;
    attacked.raw_size = stream->size;
    submit(unused, times);
    attack_work(times, UNFINISHED_NS);
}

static uint64_t be_reset(struct agpu_writer *frame)
{
    const struct stopwatch watch = stopwatch_begin();
    host_reset(&attacked);
    attack_write_frame(frame, 0.5f);
    assert_int_equal(host_run(&attacked, frame, NULL, 0), AEROGPU_ERROR_NONE);
    assert_int_equal(host_pixel(&attacked, 0, 0) & 0x00FFFFFF, 0x0000FF);
    return stopwatch_ns(&watch);
}

static int open_host(void)
{
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .slice_us = makes_steps ? 1 : SLICE_US,
        .gpu_memory_bytes = GPU_BUDGET,
        .host_memory_bytes = HOST_BUDGET,
        .pipeline_count = ATTACK_PIPELINES,
        .in_flight_bytes = IN_FLIGHT,
        .readback_bytes = READBACKS,
        .turn_ms = ATTACK_TURN_MS,
        .gpu_timeout_ms = GPU_TIMEOUT_MS,
    };
    const int result = host_open_with(&attacked, driver, NULL, &options);
    attacked.most_kept = 64; /* what the embedder copies is not what a call takes */
    if (result == 0)
        host_reset(&attacked);
    return result;
}

/* Returns how long the executor took to end. */
static uint64_t be_destroyed(void)
{
    const struct stopwatch watch = stopwatch_begin();
    host_close(&attacked);
    const uint64_t spent = stopwatch_ns(&watch);
    assert_int_equal(open_host(), 0);
    return spent;
}

void attack(const char *name, struct agpu_writer *writer)
{
    struct attack_times times = {0};
    struct agpu_writer frame;
    const struct copied_stream again = copy_of(writer);
    agpu_writer_init_growing(&frame, NULL);
    attack_note_memory();
    const uint64_t frame_ns = be_shown(writer, &frame, &times);
    begin(&again, &frame, &times);
    const uint64_t reset_ns = be_reset(&frame);
    attack_check_times(name, &times);
    attack_check_memory(name);
    begin(&again, &frame, &times);
    const uint64_t end_ns = be_destroyed();
    print_message("%-44s %-11s other's frame %6.0f ms, frame after a reset %6.0f ms, end %6.0f ms\n", name,
                  driver, (double)frame_ns / 1e6, (double)reset_ns / 1e6, (double)end_ns / 1e6);
    assert_true(!MEASURES || (frame_ns < MOST_WAIT_NS && reset_ns < MOST_WAIT_NS && end_ns < MOST_END_NS));
    agpu_writer_fini(&frame);
    free(again.bytes);
}

void attack_of_text(const char *name, const char *head, const char *body, uint32_t times)
{
    const size_t size = strlen(head) + strlen(body) * times + 1;
    char *text = malloc(size), *end = text;
    uint8_t *stream;
    size_t stream_size;
    struct agpu_writer writer;
    struct agpu_diag_sink sink = {0};
    assert_non_null(text);
    end += snprintf(end, size, "%s", head);
    for (uint32_t i = 0; i < times; i++) {
        memcpy(end, body, strlen(body));
        end += strlen(body);
    }
    assert_int_equal(agpu_text_assemble(text, (size_t)(end - text), NULL, &sink, &stream, &stream_size),
                     AGPU_OK);
    free(text);
    agpu_writer_init_growing(&writer, NULL);
    attacked.raw_stream = stream;
    attacked.raw_size = (uint32_t)stream_size;
    attack(name, &writer);
    agpu_writer_fini(&writer);
    agpu_free(stream);
}

void attack_main(int argc, char **argv, const char *name, const struct CMUnitTest *tests, size_t count)
{
    if (argc < 2)
        host_leave(2);
    driver = argv[1];
    makes_steps = argc > 2 && strcmp(argv[2], "steps") == 0;
    if (argc > 2 + makes_steps)
        cmocka_set_test_filter(argv[2 + makes_steps]);
    const int opened = open_host();
    if (opened != 0)
        host_leave(opened);
    const int failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    host_close(&attacked);
    host_leave(failed);
}
