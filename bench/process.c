/* SPDX-License-Identifier: MIT
 *
 * What a GPU process costs beside the executor in this process: draws, submissions and presents, and bytes
 * between guest memory and the GPU, which a process asks for or has mapped. How many a second, and what
 * processor time each takes, which other programs on the machine change less.
 *
 *     bench_process DRIVER TOOL
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/process_executor.h"
#include "aerogpu/stream_writer.h"
#include "base/clock.h"
#include "cli/driver.h"

#define GUEST_GPA (UINT64_C(1) << 32)
#define GUEST_BYTES (UINT32_C(16) << 20)
#define FIGURE_NS UINT64_C(1000000000)
#define MOST_IN_FLIGHT 32

enum { TARGET = 1, VERTEX_SHADER, PIXEL_SHADER, BACKED, COPY, PICTURE, PICTURE_BACKED };

struct machine {
    struct agpu_executor *executor;
    pid_t pid;      /* of the GPU process; 0: there is none */
    int descriptor; /* to wait for the executor; -1: there is none */
    uint8_t *guest;
    uint32_t submitted, completed, errors;
};

/* ---- The machine ------------------------------------------------------------------------------------- */

static bool is_guest(uint64_t gpa, size_t size)
{
    return gpa >= GUEST_GPA && gpa - GUEST_GPA <= GUEST_BYTES && size <= GUEST_BYTES - (gpa - GUEST_GPA);
}

static bool read_guest(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct machine *const machine = user;
    if (is_guest(gpa, size))
        memcpy(to, machine->guest + (gpa - GUEST_GPA), size);
    return is_guest(gpa, size);
}

static bool write_guest(void *user, uint64_t gpa, const void *from, size_t size)
{
    const struct machine *const machine = user;
    if (is_guest(gpa, size))
        memcpy(machine->guest + (gpa - GUEST_GPA), from, size);
    return is_guest(gpa, size);
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct machine *const machine = user;
    (void)submission;
    machine->completed++;
    machine->errors += error != AEROGPU_ERROR_NONE;
}

static void attach(struct machine *machine)
{
    const struct agpu_executor_events events = {
        .size = sizeof events, .completed = on_completed, .user = machine};
    const struct agpu_guest_memory memory = {
        .size = sizeof memory, .read = read_guest, .write = write_guest, .user = machine};
    machine->executor->attach(machine->executor, &events, &memory);
}

/* Lets the executor work until no more than so many submissions are in flight. It
 * sleeps where an executor can be waited for. */
static void wait_for(struct machine *machine, uint32_t most)
{
    struct pollfd said = {.fd = machine->descriptor, .events = POLLIN};
    while (machine->submitted - machine->completed > most) {
        machine->executor->poll(machine->executor);
        if (machine->submitted - machine->completed > most && machine->descriptor >= 0)
            poll(&said, 1, 1);
    }
}

static void submit(struct machine *machine, const struct agpu_writer *writer)
{
    static const struct aerogpu_alloc_entry allocation = {
        .alloc_id = 7, .gpa = GUEST_GPA, .size_bytes = GUEST_BYTES};
    const struct agpu_submission submission = {
        .number = machine->submitted++,
        .context_id = 1,
        .fence = machine->submitted,
        .stream = writer->data,
        .stream_size = (uint32_t)writer->size,
        .allocations = &allocation,
        .allocation_count = 1,
        .has_allocation_table = true,
    };
    machine->executor->submit(machine->executor, &submission);
}

/* ---- Streams ----------------------------------------------------------------------------------------- */

static void write_shader(struct agpu_writer *writer, uint32_t handle, enum agpu_stream_stage stage,
                         const char *listing)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (agpu_assemble(listing, strlen(listing), NULL, &bytes, &size) == AGPU_OK)
        agpu_write_create_shader_dxbc(writer, handle, stage, bytes, (uint32_t)size);
    agpu_free(bytes);
}

static void write_texture(struct agpu_writer *writer, uint32_t handle, uint32_t width, uint32_t height,
                          uint32_t alloc_id)
{
    const struct aerogpu_cmd_create_texture2d texture = {
        .texture_handle = handle,
        .usage_flags = alloc_id ? AEROGPU_RESOURCE_USAGE_TEXTURE : AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .width = width,
        .height = height,
        .mip_levels = 1,
        .array_layers = 1,
        .row_pitch_bytes = alloc_id ? width * 4 : 0,
        .backing_alloc_id = alloc_id,
    };
    agpu_write_create_texture2d(writer, &texture);
}

static void write_target(struct agpu_writer *writer, uint32_t target)
{
    agpu_write_set_render_targets(writer, 1, &target, 0);
}

static void write_objects(struct agpu_writer *writer)
{
    static const char vertex_listing[] =
        "vs_4_0\n.in SV_VertexID0 v0.x uint vertex_id\n"
        ".out SV_Position0 o0.xyzw float position\n"
        "dcl_input_sgv v0.x, vertex_id\ndcl_output_siv o0.xyzw, position\n"
        "dcl_temps 1\nutof r0.x, v0.x\n"
        "mad o0.xyzw, r0.xxxx, l(1.0, -1.0, 0.0, 0.0), l(-1.0, 1.0, 0.5, 1.0)\n"
        "ret\n";
    static const char pixel_listing[] = "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
                                        "mov o0.xyzw, l(1.0, 0.5, 0.25, 1.0)\nret\n";
    write_texture(writer, TARGET, 16, 16, 0);
    write_texture(writer, PICTURE, 1280, 720, 0);
    write_texture(writer, PICTURE_BACKED, 1280, 720, 7);
    write_shader(writer, VERTEX_SHADER, AGPU_STREAM_STAGE_VERTEX, vertex_listing);
    write_shader(writer, PIXEL_SHADER, AGPU_STREAM_STAGE_PIXEL, pixel_listing);
    agpu_write_create_buffer(writer, BACKED, AEROGPU_RESOURCE_USAGE_STORAGE, 8 << 20, 7, 0);
    agpu_write_create_buffer(writer, COPY, AEROGPU_RESOURCE_USAGE_STORAGE, 8 << 20, 0, 0);
    write_target(writer, TARGET);
    agpu_write_bind_shaders(writer, VERTEX_SHADER, PIXEL_SHADER, 0, 0);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
}

static void write_draws(struct agpu_writer *writer)
{
    write_target(writer, TARGET);
    for (uint32_t i = 0; i < 1000; i++)
        agpu_write_draw(writer, 3, 1, 0, 0);
}

static void write_small(struct agpu_writer *writer)
{
    write_target(writer, TARGET);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 1, 0, 1}, 1, 0);
}

static void write_present(struct agpu_writer *writer)
{
    write_target(writer, PICTURE);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 1, 0, 1}, 1, 0);
    agpu_write_present(writer, 0, 0);
}

static void write_pull(struct agpu_writer *writer)
{
    agpu_write_resource_dirty_range(writer, BACKED, 0, 8 << 20);
    agpu_write_copy_buffer(writer, COPY, 0, BACKED, 0, 8 << 20, 0);
}

static void write_back(struct agpu_writer *writer)
{
    const struct aerogpu_cmd_copy_texture2d copy = {
        .dst_texture = PICTURE_BACKED,
        .src_texture = PICTURE,
        .width = 1280,
        .height = 720,
        .flags = AEROGPU_COPY_FLAG_WRITEBACK_DST,
    };
    agpu_write_copy_texture2d(writer, &copy);
}

static const struct {
    const char *what, *unit;
    void (*write)(struct agpu_writer *writer);
    double count; /* units in one submission */
    uint32_t in_flight;
} figures[] = {
    {"draws, 1,000 in a submission",      "draw",       write_draws,   1000,     4             },
    {"submissions, 32 in flight",         "submission", write_small,   1,        MOST_IN_FLIGHT},
    {"submissions, one by one",           "submission", write_small,   1,        0             },
    {"presents of 1280x720",              "present",    write_present, 1,        2             },
    {"guest buffers of 8 MiB pulled",     "MB",         write_pull,    8.388608, 2             },
    {"textures of 1280x720 written back", "MB",         write_back,    3.6864,   2             },
};

/* ---- Figures
 * ------------------------------------------------------------------------------------------------ */

struct result {
    double rate;         /* units a second */
    double processor_us; /* for a unit, of all threads of both processes */
};

static uint64_t clock_of(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static uint64_t processor_ns(const struct machine *machine)
{
    clockid_t process;
    uint64_t sum = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    if (machine->pid != 0 && clock_getcpuclockid(machine->pid, &process) == 0)
        sum += clock_of(process);
    return sum;
}

static struct result measure(struct machine *machine, size_t figure)
{
    struct agpu_writer writer;
    uint64_t start = 0, now;
    uint32_t count = 0;
    agpu_writer_init_growing(&writer, NULL);
    figures[figure].write(&writer);
    if (agpu_writer_finish(&writer) != AGPU_OK)
        return (struct result){0, 0};
    for (uint32_t warm = 0; warm < 3; warm++) {
        submit(machine, &writer);
        wait_for(machine, 0);
    }
    const uint64_t processor = processor_ns(machine);
    start = ag_clock_ns();
    do {
        submit(machine, &writer);
        wait_for(machine, figures[figure].in_flight);
        count++;
        now = ag_clock_ns();
    } while (now - start < FIGURE_NS);
    wait_for(machine, 0);
    now = ag_clock_ns();
    agpu_writer_fini(&writer);
    const double units = count * figures[figure].count;
    return (struct result){units / ((double)(now - start) * 1e-9),
                           (double)(processor_ns(machine) - processor) * 1e-3 / units};
}

static bool measure_all(struct machine *machine, struct result *results)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_objects(&writer);
    attach(machine);
    const bool written = agpu_writer_finish(&writer) == AGPU_OK;
    if (written) {
        submit(machine, &writer);
        wait_for(machine, 0);
        for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
            results[i] = measure(machine, i);
    }
    agpu_writer_fini(&writer);
    machine->executor->destroy(machine->executor);
    return written && machine->errors == 0;
}

static struct agpu_executor *open_process(const struct agpu_gpu_options *gpu, const char *tool, int guest)
{
    const struct agpu_guest_region region = {.gpa = GUEST_GPA, .size = GUEST_BYTES, .descriptor = guest};
    const struct agpu_process_executor_options options = {
        .size = sizeof options,
        .program = tool,
        .gpu = gpu,
        .regions = &region,
        .region_count = guest >= 0,
    };
    struct agpu_executor *executor = NULL;
    if (agpu_process_executor_create(&options, NULL, &executor) != AGPU_OK)
        return NULL;
    if (agpu_process_executor_wait(executor, AGPU_NO_TIMEOUT) == AGPU_OK)
        return executor;
    executor->destroy(executor);
    return NULL;
}

int main(int argc, char **argv)
{
    enum { NEAR, FAR, MAPPED, KINDS };
    struct result results[KINDS][sizeof figures / sizeof figures[0]];
    struct agpu_gpu_options gpu_options = {.size = sizeof gpu_options};
    struct agpu_gpu *gpu = NULL;
    if (argc != 3 || !agpu_driver_from_name(argv[1], &gpu_options.driver)) {
        fputs("usage: bench_process DRIVER TOOL\n", stderr);
        return 2;
    }
    const int descriptor = memfd_create("guest", MFD_CLOEXEC);
    if (descriptor < 0 || ftruncate(descriptor, GUEST_BYTES) != 0 ||
        cli_driver_open(&gpu_options, NULL, &gpu) != AGPU_OK)
        return 3;
    uint8_t *const guest = mmap(NULL, GUEST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (guest == MAP_FAILED)
        return 3;
    for (int kind = NEAR; kind < KINDS; kind++) {
        struct machine machine = {.descriptor = -1, .guest = guest};
        if (kind == NEAR && agpu_webgpu_executor_create(gpu, NULL, NULL, &machine.executor) != AGPU_OK)
            return 3;
        if (kind != NEAR)
            machine.executor = open_process(&gpu_options, argv[2], kind == MAPPED ? descriptor : -1);
        if (kind != NEAR && machine.executor != NULL)
            machine.descriptor = agpu_process_executor_descriptor(machine.executor);
        if (kind != NEAR && machine.executor != NULL)
            machine.pid = (pid_t)agpu_process_executor_pid(machine.executor);
        if (machine.executor == NULL || !measure_all(&machine, results[kind])) {
            fputs("bench_process: an executor does not work\n", stderr);
            return 1;
        }
    }
    printf("%-34s %-24s %-24s %-24s\n", "", "one process", "GPU process", "with mapped guest memory");
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        printf("%-34s", figures[i].what);
        for (int kind = NEAR; kind < KINDS; kind++)
            printf(" %8.0f/s %8.1f us  ", results[kind][i].rate, results[kind][i].processor_us);
        printf(" of a %s\n", figures[i].unit);
    }
    agpu_gpu_destroy(gpu);
    munmap(guest, GUEST_BYTES);
    close(descriptor);
    return 0;
}
