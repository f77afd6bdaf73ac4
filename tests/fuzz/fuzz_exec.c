/* SPDX-License-Identifier: MIT
 *
 * Any submissions, in any contexts, with any allocation tables, and resets, on the WebGPU executor. The
 * device has no driver behind it, but WebGPU's validation: nothing that the executor asks of WebGPU may be
 * invalid. Submissions complete in order, once, all of them; memory stays within the budgets, and an input
 * may take so much of the processor and no more.
 *
 * FUZZ_DRIVER in the environment names another driver.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../unit/gpu/fixture.h"
#include "aerogpu/executor.h"
#include "exec_input.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>
#define HEAP_BYTES() __sanitizer_get_current_allocated_bytes()
#endif
#endif
#ifndef HEAP_BYTES
#define HEAP_BYTES() ((size_t)0)
#endif

#define GPU_MEMORY_BYTES (UINT64_C(64) << 20)
#define HOST_MEMORY_BYTES (UINT64_C(32) << 20)
#define IN_FLIGHT_BYTES (UINT64_C(32) << 20)
#define SLACK_BYTES (UINT64_C(64) << 20) /* of what no budget counts: pipelines, the compiler, caches */
#define WORK_BUDGET (1u << 16)
#define MOST_RECORDS 64

/* Of the processor, with sanitizers: for an input and for each of its bytes. */
#define BASE_NS UINT64_C(4000000000)
#define NS_OF_A_BYTE UINT64_C(200000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct machine {
    struct agpu_gpu *gpu;
    struct agpu_executor *executor;
    uint8_t ram[EXEC_RAM_BYTES];
    uint32_t submitted, completed;
    size_t heap_bytes; /* before the input */
};

static void fail(const char *what)
{
    fprintf(stderr, "fuzz_exec: %s\n", what);
    abort();
}

/* ---- What the executor calls --------------------------------------------------------------------------- */

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct machine *const machine = user;
    const uint64_t at = gpa % EXEC_RAM_BYTES;
    if (!ag_range_fits(at, size, EXEC_RAM_BYTES))
        return false;
    memcpy(to, machine->ram + at, size);
    return true;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct machine *const machine = user;
    const uint64_t at = gpa % EXEC_RAM_BYTES;
    if (!ag_range_fits(at, size, EXEC_RAM_BYTES))
        return false;
    memcpy(machine->ram + at, from, size);
    return true;
}

static void on_presented(void *user, const struct agpu_present *present)
{
    static volatile uint8_t sum;
    const size_t size = (size_t)present->width * present->height * 4;
    (void)user;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + present->pixels[i]);
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct machine *const machine = user;
    if (submission != machine->completed++ || submission >= machine->submitted)
        fail("a submission completed out of order");
    if (error == AEROGPU_ERROR_INTERNAL)
        fail("a submission completed with an error of the host");
}

static void on_diag(void *user, const struct agpu_diag *diag)
{
    (void)user;
    if (getenv("FUZZ_VERBOSE"))
        fprintf(stderr, "%s: %s\n", agpu_diag_slug(diag->code), diag->message);
    if (agpu_diag_error_register(diag->code) == AEROGPU_ERROR_INTERNAL)
        fail(diag->message);
}

/* ---- The machine --------------------------------------------------------------------------------------- */

static struct machine *machine_create(void)
{
    struct machine *const machine = calloc(1, sizeof *machine);
    const char *const name = getenv("FUZZ_DRIVER");
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .work_budget = WORK_BUDGET,
        .gpu_memory_bytes = GPU_MEMORY_BYTES,
        .host_memory_bytes = HOST_MEMORY_BYTES,
        .in_flight_bytes = IN_FLIGHT_BYTES,
        .readback_bytes = IN_FLIGHT_BYTES,
        .pipeline_count = AGPU_LEAST_PIPELINE_COUNT,
    };
    enum agpu_driver driver = AGPU_DRIVER_NULL;
    struct diag_log log;
    if (!machine || (name && !agpu_driver_from_name(name, &driver)))
        fail("there is no such driver");
    const int opened = fixture_open(driver, &log, &machine->gpu);
    if (opened != 0)
        exit(opened);
    if (agpu_webgpu_executor_create(machine->gpu, &options, NULL, &machine->executor) != AGPU_OK)
        fail("there is no executor");
    const struct agpu_executor_events events = {
        .size = sizeof events,
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = {.report = on_diag},
        .user = machine,
    };
    const struct agpu_guest_memory memory = {.read = read_ram, .write = write_ram, .user = machine};
    machine->executor->attach(machine->executor, &events, &memory);
    return machine;
}

static void check_memory(const struct machine *machine)
{
    const size_t bytes = HEAP_BYTES();
    if (bytes > machine->heap_bytes && bytes - machine->heap_bytes > GPU_MEMORY_BYTES + HOST_MEMORY_BYTES +
                                                                         2 * IN_FLIGHT_BYTES + SLACK_BYTES)
        fail("memory grew beyond the budgets");
}

static void wait_idle(struct machine *machine)
{
    const struct timespec nap = {.tv_nsec = 50000};
    while (machine->executor->poll(machine->executor)) {
        check_memory(machine);
        if (!machine->executor->has_more(machine->executor))
            nanosleep(&nap, NULL);
    }
    if (machine->completed != machine->submitted)
        fail("a submission never completed");
}

static void reset(struct machine *machine)
{
    machine->executor->reset(machine->executor);
    machine->submitted = machine->completed = 0;
}

/* ---- Records ------------------------------------------------------------------------------------------- */

/* The device hands over tables that are right: numbers that are not 0 and not there twice, ranges of some
 * length. */
static uint32_t read_table(const struct exec_record *record, struct aerogpu_alloc_entry *table)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < record->allocation_count; i++) {
        const uint8_t *const from = record->body + (size_t)i * EXEC_ALLOCATION_BYTES;
        const struct aerogpu_alloc_entry entry = {
            .alloc_id = ag_load_u32(from), .gpa = ag_load_u32(from + 4), .size_bytes = ag_load_u32(from + 8)};
        bool is_new = entry.alloc_id != 0 && entry.size_bytes != 0;
        for (uint32_t k = 0; k < count; k++)
            is_new = is_new && table[k].alloc_id != entry.alloc_id;
        if (is_new)
            table[count++] = entry;
    }
    return count;
}

static void submit(struct machine *machine, const struct exec_record *record)
{
    struct aerogpu_alloc_entry table[EXEC_MOST_ALLOCATIONS];
    const uint32_t table_bytes = record->allocation_count * EXEC_ALLOCATION_BYTES;
    if (record->size < table_bytes)
        return;
    const uint32_t stream_size = record->size - table_bytes;
    const struct agpu_submission submission = {
        .number = machine->submitted++,
        .context_id = record->context,
        .stream = stream_size ? record->body + table_bytes : NULL,
        .stream_size = stream_size,
        .allocations = table,
        .allocation_count = record->has_table ? read_table(record, table) : 0,
        .has_allocation_table = record->has_table,
    };
    machine->executor->submit(machine->executor, &submission);
    check_memory(machine);
}

static void fill_memory(struct machine *machine, const struct exec_record *record)
{
    for (uint32_t i = 4; i < record->size; i++)
        machine->ram[(ag_load_u32(record->body) + i - 4) % EXEC_RAM_BYTES] = record->body[i];
}

static void play(struct machine *machine, const struct exec_record *record)
{
    switch ((enum exec_record_kind)record->kind) {
    case EXEC_RECORD_SUBMISSION:
        submit(machine, record);
        break;
    case EXEC_RECORD_MEMORY:
        fill_memory(machine, record);
        break;
    case EXEC_RECORD_RESET:
        reset(machine);
        break;
    case EXEC_RECORD_WAIT:
    case EXEC_RECORD_KINDS:
        wait_idle(machine);
        break;
    }
}

static uint64_t processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct machine *machine;
    struct exec_record record;
    size_t at = 0;
    if (!machine)
        machine = machine_create();
    memset(machine->ram, 0, sizeof machine->ram);
    machine->heap_bytes = HEAP_BYTES();
    const uint64_t begin_ns = processor_ns();
    for (uint32_t i = 0; i < MOST_RECORDS && exec_record_next(data, size, &at, &record); i++)
        play(machine, &record);
    wait_idle(machine);
    reset(machine);
    if (HEAP_BYTES() && processor_ns() - begin_ns > BASE_NS + size * NS_OF_A_BYTE)
        fail("the input took more of the processor than its size allows");
    return 0;
}
