/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a snapshot of a device on the WebGPU executor, with checksums that match. The device has no
 * driver behind it. A snapshot is refused, and the device is as new, or it is loaded: then the guest's
 * contexts draw, what is saved is loaded again, and nothing else happens.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../support/snapshot_bytes.h"
#include "../unit/gpu/fixture.h"
#include "aerogpu/device.h"
#include "aerogpu/executor.h"
#include "aerogpu/stream_writer.h"
#include "gpu/gpu.h"

#define RAM_BYTES (1u << 16)
#define GPU_MEMORY_BYTES (UINT64_C(64) << 20)
#define HOST_MEMORY_BYTES (UINT64_C(64) << 20)
#define WORK_BUDGET (1u << 16)
#define MOST_NAPS 100000 /* of NAP_NS each: ten seconds or more */
#define NAP_NS 100000
#define CONTEXTS 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct agpu_gpu *gpu;
static uint8_t ram[RAM_BYTES];

static void fail(const char *what)
{
    fprintf(stderr, "fuzz_snapshot: %s\n", what);
    abort();
}

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    (void)user;
    if (gpa > RAM_BYTES || size > RAM_BYTES - gpa)
        return false;
    memcpy(to, ram + gpa, size);
    return true;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    (void)user;
    if (gpa > RAM_BYTES || size > RAM_BYTES - gpa)
        return false;
    memcpy(ram + gpa, from, size);
    return true;
}

/* ---- A machine --------------------------------------------------------------------------------------- */

struct machine {
    struct agpu_executor *executor;
    struct agpu_device *device;
};

static void start(struct machine *machine)
{
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .gpu_memory_bytes = GPU_MEMORY_BYTES,
        .host_memory_bytes = HOST_MEMORY_BYTES,
        .work_budget = WORK_BUDGET,
    };
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = read_ram, .write = write_ram}
    };
    if (agpu_webgpu_executor_create(gpu, &options, NULL, &machine->executor) != AGPU_OK ||
        agpu_device_create(NULL, &callbacks, machine->executor, 0, &machine->device) != AGPU_OK)
        fail("no device");
}

static void stop(struct machine *machine)
{
    agpu_device_destroy(machine->device);
    agpu_executor_destroy(machine->executor);
}

static enum agpu_status load(struct machine *machine, struct snapshot_bytes *snapshot)
{
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(snapshot);
    return agpu_device_load(machine->device, &reader, 0);
}

/* The executor's worker may have to wait for a processor. */
static void nap(uint32_t naps, const char *what)
{
    if (naps == MOST_NAPS)
        fail(what);
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

static void wait(struct machine *machine)
{
    uint32_t naps = 0;
    while (machine->executor->poll(machine->executor))
        if (!machine->executor->has_more(machine->executor))
            nap(naps++, "work that was loaded does not end");
}

/* ---- What happens to a device that was loaded -------------------------------------------------------- */

static void draw(struct machine *machine, uint32_t context)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    agpu_write_dispatch(&writer, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
    if (agpu_writer_finish(&writer) != AGPU_OK)
        fail("no memory");
    const struct agpu_submission submission = {.number = UINT32_MAX,
                                               .context_id = context,
                                               .stream = writer.data,
                                               .stream_size = (uint32_t)writer.size};
    machine->executor->submit(machine->executor, &submission);
    agpu_writer_fini(&writer);
}

/* Whether the device could be saved. */
static bool save(struct machine *machine, struct snapshot_bytes *snapshot)
{
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(snapshot);
    enum agpu_save_state state = AGPU_SAVE_FAILED;
    if (agpu_device_save_begin(machine->device, &writer) == AGPU_OK)
        for (uint32_t naps = 0; (state = agpu_device_save_poll(machine->device)) == AGPU_SAVE_BUSY; naps++)
            nap(naps, "a save does not end");
    return state == AGPU_SAVE_DONE;
}

/* Whatever a device has loaded can be saved, and loaded again into one that holds the same. */
static void save_and_load(struct machine *machine)
{
    struct snapshot_bytes first = {0}, second = {0};
    struct machine other;
    const bool is_saved = save(machine, &first);
    stop(machine);
    start(&other);
    if (is_saved && load(&other, &first) != AGPU_OK)
        fail("what was saved is not loaded");
    if (is_saved && save(&other, &second) &&
        snapshot_bytes_sum(first.data, first.size) != snapshot_bytes_sum(second.data, second.size))
        fail("what was loaded is not what was saved");
    stop(&other);
    free(first.data);
    free(second.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag_log log;
    struct snapshot_bytes snapshot = {.size = size, .data = malloc(size + 1)};
    struct machine machine;
    diag_log_init(&log);
    if (!gpu && fixture_open(AGPU_DRIVER_NULL, &log, &gpu) != 0)
        fail("no gpu");
    if (size)
        memcpy(snapshot.data, data, size);
    snapshot_bytes_seal(snapshot.data, size);
    memset(ram, 0, sizeof ram);
    start(&machine);
    if (load(&machine, &snapshot) == AGPU_OK) {
        wait(&machine);
        for (uint32_t context = 0; context < CONTEXTS; context++)
            draw(&machine, context);
        wait(&machine);
        save_and_load(&machine);
    } else {
        stop(&machine);
    }
    free(snapshot.data);
    return 0;
}
