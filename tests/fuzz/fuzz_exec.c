/* SPDX-License-Identifier: MIT
 *
 * Any submissions, in any contexts, with any allocation tables, and resets, on the WebGPU executor. The
 * device has no driver behind it, but WebGPU's validation: nothing that the executor asks of WebGPU may be
 * invalid. Submissions complete in order, once, all of them; memory stays within the budgets, and an input
 * may take so much of the processor and no more. What is saved at any moment is loaded again.
 *
 * FUZZ_DRIVER in the environment names another driver.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../support/memory_store.h"
#include "../support/snapshot_bytes.h"
#include "../unit/gpu/fixture.h"
#include "aerogpu/executor.h"
#include "aerogpu/stream.h"
#include "exec/submit/exec.h"
#include "exec_input.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"
#include "kernel/plan.h"

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
#define LITTLE_GPU_MEMORY_BYTES (UINT64_C(1) << 20)
#define HOST_MEMORY_BYTES (UINT64_C(32) << 20)
#define IN_FLIGHT_BYTES (UINT64_C(32) << 20)
/* What expanded draws keep for the largest of them, whatever the budgets (D24): two budgets of the plan, and
 * an eighth. */
#define EXPANDED_BYTES ((uint64_t)AG_TESSELLATION_BUDGET / 8 * 18)
#define SLACK_BYTES (UINT64_C(64) << 20) /* of what no budget counts: pipelines, the compiler, caches */
#define WORK_BUDGET (1u << 16)
#define LITTLE_SLICE_US 50
#define MOST_RECORDS 64
#define SMALL_GROUP 64

/* Of the processor, with sanitizers: for an input, for each of its bytes, and for each packet that it has
 * executed, since lists come to millions. */
#define BASE_NS UINT64_C(4000000000)
#define NS_OF_A_BYTE UINT64_C(200000)
#define NS_OF_A_PACKET UINT64_C(4000)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct machine {
    struct agpu_gpu *gpus[2]; /* with all limits, and with the default ones */
    struct agpu_executor *executor;
    uint32_t variant;
    struct exec_record last; /* the last submission */
    uint8_t ram[EXEC_RAM_BYTES];
    uint32_t submitted, completed;
    uint32_t pictures; /* that were offered to the display */
    bool was_unsound;  /* a stream that no device hands over was among those submitted */
    struct memory_store store;
    struct agpu_cache *cache;
    size_t heap_bytes; /* before the input */
    uint64_t packets;  /* that the input has executed, but for those that the executor still counts */
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
    const size_t size = present->pixels ? (size_t)present->width * present->height * 4 : 0;
    (void)user;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + present->pixels[i]);
}

static bool on_shown(void *user, const struct agpu_shown *shown)
{
    struct machine *const machine = user;
    if (!shown->device || !shown->texture)
        fail("a picture without a texture is shown");
    return machine->pictures++ % 2 == 0;
}

static bool looks(void *user)
{
    const struct machine *const machine = user;
    return machine->pictures % 3 != 0;
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

static struct agpu_gpu *gpu_of(const struct machine *machine)
{
    return machine->gpus[machine->variant & EXEC_VARIANT_DEFAULT_LIMITS ? 1 : 0];
}

static void executor_create(struct machine *machine)
{
    static const char *const features[] = {
        "clip-distances",     "depth-clip-control", "dual-source-blending",     "float32-blendable",
        "float32-filterable", "bgra8unorm-storage", "rg11b10ufloat-renderable", "texture-compression-bc"};
    const uint32_t variant = machine->variant;
    const bool has_little = (variant & EXEC_VARIANT_LITTLE_MEMORY) != 0;
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .check_packets = (variant & EXEC_VARIANT_CHECK_PACKETS) != 0,
        .work_budget = WORK_BUDGET,
        .without = features,
        .without_count = variant & EXEC_VARIANT_WITHOUT_FEATURES ? AG_COUNT_OF(features) : 0,
        .most_invocations = variant & EXEC_VARIANT_SMALL_GROUPS ? SMALL_GROUP : 0,
        .gpu_memory_bytes = has_little ? LITTLE_GPU_MEMORY_BYTES : GPU_MEMORY_BYTES,
        .host_memory_bytes = HOST_MEMORY_BYTES,
        .in_flight_bytes = has_little ? LITTLE_GPU_MEMORY_BYTES : IN_FLIGHT_BYTES,
        .readback_bytes = has_little ? LITTLE_GPU_MEMORY_BYTES : IN_FLIGHT_BYTES,
        .pipeline_count = AGPU_LEAST_PIPELINE_COUNT,
        .slice_us = variant & EXEC_VARIANT_LITTLE_SLICES ? LITTLE_SLICE_US : 0,
        .cache = variant & EXEC_VARIANT_CACHE ? machine->cache : NULL,
    };
    const struct agpu_executor_events events = {
        .size = sizeof events,
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = {.report = on_diag},
        .user = machine,
        .looks = variant & EXEC_VARIANT_SHOWN ? looks : NULL,
        .shown = variant & EXEC_VARIANT_SHOWN ? on_shown : NULL,
    };
    const struct agpu_guest_memory memory = {.read = read_ram, .write = write_ram, .user = machine};
    if (agpu_webgpu_executor_create(gpu_of(machine), &options, NULL, &machine->executor) != AGPU_OK)
        fail("there is no executor");
    machine->executor->attach(machine->executor, &events, &memory);
    machine->submitted = machine->completed = 0;
}

static struct agpu_gpu *gpu_create(enum agpu_driver driver, enum agpu_limits limits)
{
    const struct agpu_gpu_options options = {.size = sizeof options, .driver = driver, .limits = limits};
    const struct agpu_diag_sink sink = {.report = on_diag};
    struct agpu_gpu *gpu = NULL;
    if (agpu_gpu_create(&options, &sink, &gpu) != AGPU_OK)
        fail("there is no device");
    return gpu;
}

static struct machine the_machine;

static void machine_fini(void)
{
    agpu_executor_destroy(the_machine.executor);
    agpu_cache_destroy(the_machine.cache);
    memory_store_clear(&the_machine.store);
    agpu_gpu_destroy(the_machine.gpus[0]);
    agpu_gpu_destroy(the_machine.gpus[1]);
}

static void machine_init(struct machine *machine)
{
    const char *const name = getenv("FUZZ_DRIVER");
    enum agpu_driver driver = AGPU_DRIVER_NULL;
    if (name && !agpu_driver_from_name(name, &driver))
        fail("there is no such driver");
    struct diag_log log;
    struct agpu_gpu *first;
    const int opened = fixture_open(driver, &log, &first);
    if (opened != 0)
        exit(opened);
    agpu_gpu_destroy(first);
    machine->gpus[0] = gpu_create(driver, AGPU_LIMITS_ADAPTER);
    machine->gpus[1] = gpu_create(driver, AGPU_LIMITS_DEFAULT);
    const struct agpu_cache_store store = memory_store_callbacks(&machine->store);
    if (agpu_cache_create(&store, NULL, &machine->cache) != AGPU_OK)
        fail("there is no cache");
    executor_create(machine);
    atexit(machine_fini);
}

static void check_memory(const struct machine *machine)
{
    const size_t bytes = HEAP_BYTES();
    const uint64_t most =
        GPU_MEMORY_BYTES + HOST_MEMORY_BYTES + 2 * IN_FLIGHT_BYTES + EXPANDED_BYTES + SLACK_BYTES;
    if (bytes > machine->heap_bytes && bytes - machine->heap_bytes > most)
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

static uint64_t counted_packets(const struct machine *machine)
{
    struct agpu_counters counters = {.size = sizeof counters};
    machine->executor->counters(machine->executor, &counters);
    return counters.packets;
}

static void reset(struct machine *machine)
{
    machine->packets += counted_packets(machine);
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

/* What a device has looked at before an executor sees the stream. */
static bool is_sound(const uint8_t *stream, uint32_t size)
{
    struct agpu_stream_reader reader;
    return size == 0 || (agpu_stream_reader_init(&reader, stream, size, NULL) == AGPU_OK &&
                         reader.header.size_bytes == size);
}

static void submit(struct machine *machine, const struct exec_record *record, uint32_t context_id)
{
    struct aerogpu_alloc_entry table[EXEC_MOST_ALLOCATIONS];
    const uint32_t table_bytes = record->allocation_count * EXEC_ALLOCATION_BYTES;
    if (record->size < table_bytes || !machine->executor->ready(machine->executor))
        return;
    const uint32_t stream_size = record->size - table_bytes;
    machine->was_unsound |= !is_sound(record->body + table_bytes, stream_size);
    const struct agpu_submission submission = {
        .number = machine->submitted++,
        .context_id = context_id,
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

static void repeat(struct machine *machine, uint32_t contexts)
{
    for (uint32_t i = 0; i < contexts && machine->last.body; i++)
        submit(machine, &machine->last, i);
}

static void lose_device(const struct machine *machine)
{
    wgpuDeviceForceLoss(ag_gpu_device(gpu_of(machine)), WGPUDeviceLostReason_Unknown,
                        ag_webgpu_string("the fuzzer"));
}

/* The old executor may have work in flight. */
static void replace_executor(struct machine *machine, uint32_t variant)
{
    machine->packets += counted_packets(machine);
    agpu_executor_destroy(machine->executor);
    machine->variant = variant;
    executor_create(machine);
}

static void check_context(void *user, const struct agpu_context_counters *counters)
{
    uint64_t *const submissions = user;
    *submissions += counters->submissions;
    if (counters->gpu_bytes > counters->most_gpu_bytes || counters->host_bytes > counters->most_host_bytes)
        fail("a context has more memory than it ever had");
}

static void ask_for_counters(const struct machine *machine)
{
    struct agpu_counters counters = {.size = sizeof counters};
    uint64_t submissions = 0;
    machine->executor->counters(machine->executor, &counters);
    machine->executor->visit_contexts(machine->executor, check_context, &submissions);
    if (submissions > counters.submissions)
        fail("contexts have completed more than was submitted");
}

/* Polls until the snapshot is whole, or so often. Whether it is whole. */
static bool save(struct machine *machine, struct snapshot_bytes *snapshot, uint32_t most_polls)
{
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(snapshot);
    struct agpu_executor *const executor = machine->executor;
    if (executor->save_begin(executor, &writer) != AGPU_OK)
        return false;
    enum agpu_save_state state;
    while ((state = executor->save_poll(executor)) == AGPU_SAVE_BUSY && most_polls-- > 0)
        executor->poll(executor);
    if (state == AGPU_SAVE_BUSY)
        executor->save_cancel(executor);
    return state == AGPU_SAVE_DONE;
}

/* Another executor has what the old one had, with what is outstanding; or nothing, where the snapshot is cut
 * off. */
static void load(struct machine *machine, struct snapshot_bytes *snapshot, bool is_cut)
{
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(snapshot);
    const uint32_t submitted = machine->submitted, completed = machine->completed;
    replace_executor(machine, machine->variant);
    const enum agpu_status status = machine->executor->load(machine->executor, &reader);
    if (status == AGPU_OK && is_cut)
        fail("a part of a snapshot is loaded");
    if (status != AGPU_OK && !is_cut && !machine->was_unsound)
        fail("what was saved is not loaded");
    if (status != AGPU_OK) {
        reset(machine);
        return;
    }
    machine->submitted = submitted;
    machine->completed = completed;
}

static void take_snapshot(struct machine *machine, uint32_t context)
{
    const enum exec_save kind = context % EXEC_SAVES;
    const uint32_t number = context / EXEC_SAVES;
    struct snapshot_bytes snapshot = {.limit = kind == EXEC_SAVE_UNWRITABLE ? number * number + 1 : 0};
    if (save(machine, &snapshot, kind == EXEC_SAVE_CANCELLED ? number : UINT32_MAX)) {
        if (kind == EXEC_SAVE_CUT)
            snapshot.size = snapshot.size * number / 256;
        load(machine, &snapshot, kind == EXEC_SAVE_CUT);
    }
    free(snapshot.data);
}

static void play(struct machine *machine, const struct exec_record *record)
{
    switch ((enum exec_record_kind)record->kind) {
    case EXEC_RECORD_SUBMISSION:
        machine->last = *record;
        submit(machine, record, record->context);
        break;
    case EXEC_RECORD_MEMORY:
        fill_memory(machine, record);
        break;
    case EXEC_RECORD_RESET:
        reset(machine);
        break;
    case EXEC_RECORD_REPEAT:
        repeat(machine, record->context);
        break;
    case EXEC_RECORD_LOSS:
        lose_device(machine);
        break;
    case EXEC_RECORD_EXECUTOR:
        replace_executor(machine, record->context);
        break;
    case EXEC_RECORD_COUNTERS:
        ask_for_counters(machine);
        break;
    case EXEC_RECORD_SAVE:
        take_snapshot(machine, record->context);
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

/* Flags of the fuzzer. The executor and the WebGPU library keep memory from one input to the next, in which
 * it would search for leaks behind each input; the sanitizer searches when the process ends. What it counts
 * to choose inputs takes most of the time where there is so much code. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static char flags[][20] = {"-detect_leaks=0", "-entropic=0"};
    const size_t given = (size_t)*argc;
    char **const longer = malloc((given + AG_COUNT_OF(flags) + 1) * sizeof *longer);
    if (!longer)
        return 1;
    memcpy(longer, *argv, given * sizeof *longer);
    for (size_t i = 0; i < AG_COUNT_OF(flags); i++)
        longer[given + i] = flags[i];
    longer[given + AG_COUNT_OF(flags)] = NULL;
    *argc += (int)AG_COUNT_OF(flags);
    *argv = longer;
    return 0;
}

/* An input begins with an executor that nothing has happened to. */
static void begin(struct machine *machine)
{
    if (!machine->gpus[0])
        machine_init(machine);
    else if (machine->variant != 0)
        replace_executor(machine, 0);
    memory_store_clear(&machine->store);
    machine->pictures = 0;
    machine->packets = 0;
    machine->was_unsound = false;
    memset(machine->ram, 0, sizeof machine->ram);
    machine->last = (struct exec_record){0};
    machine->heap_bytes = HEAP_BYTES();
}

/* A reset that is over leaves nothing of the guest, so that nothing counts for its budgets but what the GPU
 * may still use. */
static void check_given_back(const struct machine *machine)
{
    const struct ag_host *host = &ag_exec_of(machine->executor)->host;
    uint64_t gpu_bytes = host->gpu_memory.budget.used_bytes;
    for (size_t i = 0; i < host->gpu_memory.released.count; i++)
        gpu_bytes -= host->gpu_memory.released.data[i].bytes;
    if (host->host_memory.used_bytes)
        fail("host memory of a guest is counted after a reset");
    if (gpu_bytes)
        fail("GPU memory of a guest is counted after a reset");
}

/* Only programs that measure memory are fast enough to measure time. */
static bool took_longer(uint64_t begin_ns, uint64_t allowed_ns)
{
    return HEAP_BYTES() && processor_ns() - begin_ns > allowed_ns;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine *const machine = &the_machine;
    struct exec_record record;
    size_t at = 0;
    begin(machine);
    const uint64_t begin_ns = processor_ns();
    for (uint32_t i = 0; i < MOST_RECORDS && exec_record_next(data, size, &at, &record); i++)
        play(machine, &record);
    wait_idle(machine);
    reset(machine);
    /* Another device comes for one that was lost, and what the reset has left is freed in parts. */
    while (!machine->executor->ready(machine->executor) || agpu_executor_has_more(machine->executor))
        machine->executor->poll(machine->executor);
    check_given_back(machine);
    const uint64_t allowed_ns = BASE_NS + size * NS_OF_A_BYTE + machine->packets * NS_OF_A_PACKET;
    if (took_longer(begin_ns, allowed_ns))
        fail("the input took more of the processor than its size allows");
    return 0;
}
