/* SPDX-License-Identifier: MIT
 *
 * A GPU process from its start: gives up what it can, hears what it is to do, opens the GPU, gives up the
 * rest, and works.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "exec/submit/exec.h"
#include "gpu/gpu.h"
#include "process/device_files.h"
#include "process/gpu_process.h"
#include "process/sandbox.h"
#include "process/start.h"

/* What the process holds. */
struct holding {
    struct ag_gpu_process process;
    struct ag_started started;
    uint8_t *shared;
    struct agpu_gpu *gpu;
    struct agpu_cache *cache; /* or null */
    struct agpu_executor *executor;
};

/* ---- The first message -------------------------------------------------------------------------------- */

static const char *map_regions(struct ag_gpu_process *process, const struct ag_start *start,
                               const int *descriptors)
{
    for (uint32_t i = 0; i < start->region_count; i++) {
        const struct ag_start_region *const region = &start->regions[i];
        void *const bytes = mmap(NULL, region->size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptors[i],
                                 (off_t)region->offset);
        if (bytes == MAP_FAILED)
            return "guest memory cannot be mapped";
        process->regions[i] = (struct ag_mapped_region){region->gpa, region->size, bytes};
        process->region_count++;
    }
    return NULL;
}

static const char *unpack(struct holding *holding, const struct ag_message *message, const int *descriptors,
                          uint32_t count)
{
    struct ag_gpu_process *const process = &holding->process;
    if (message->kind != AG_MESSAGE_START || count == 0)
        return "the first message is none that starts a GPU process";
    holding->shared = ag_shared_memory_map(descriptors[0]);
    if (holding->shared == NULL)
        return "the shared memory is not what this version makes";
    ag_gpu_process_init(process, AG_SOCKET_DESCRIPTOR, holding->shared);
    if (!ag_range_fits(message->position % AG_RING_BYTES, message->size, AG_RING_BYTES) ||
        !ag_start_unpack(&holding->started, ag_channel_bytes(&process->channel, message), message->size) ||
        holding->started.start.region_count != count - 1)
        return "owner and GPU process are of different versions";
    ag_channel_consume(&process->channel, message);
    return map_regions(process, &holding->started.start, descriptors + 1);
}

static const char *receive_start(struct holding *holding)
{
    int descriptors[AG_DESCRIPTORS];
    uint32_t count;
    struct ag_message message;
    const struct ag_channel channel = {.socket = AG_SOCKET_DESCRIPTOR};
    enum ag_channel_result result;
    do {
        count = AG_DESCRIPTORS;
        ag_channel_wait(&channel, UINT64_MAX);
        result = ag_channel_receive_descriptors(AG_SOCKET_DESCRIPTOR, &message, descriptors, &count);
    } while (result == AG_CHANNEL_LATER);
    const char *const problem = result == AG_CHANNEL_DONE ? unpack(holding, &message, descriptors, count)
                                                          : "there is no owner at the socket";
    for (uint32_t i = 0; i < count; i++)
        close(descriptors[i]);
    return problem;
}

/* ---- The GPU ------------------------------------------------------------------------------------------ */

static void say_ready(struct holding *holding)
{
    struct ag_gpu_process *const process = &holding->process;
    struct agpu_adapter_info info = {.size = sizeof info};
    struct ag_strbuf bytes = {0};
    agpu_gpu_info(holding->gpu, &info);
    ag_adapter_pack(&bytes, &info);
    struct ag_message message = ag_message_of(AG_MESSAGE_READY, process->epoch);
    uint8_t *const to = !bytes.failed && bytes.length <= AG_PIECE_BYTES
                            ? ag_gpu_process_reserve(process, &message, (uint32_t)bytes.length)
                            : NULL;
    if (to != NULL) {
        memcpy(to, bytes.data, bytes.length);
        ag_gpu_process_send(process, &message);
    }
    ag_strbuf_fini(&bytes);
}

static void say_failed(struct ag_gpu_process *process, enum agpu_status status)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_FAILED, process->epoch);
    message.as.failed.status = status;
    ag_gpu_process_send(process, &message);
}

static bool may_need_devices(const struct ag_start *start)
{
    const enum agpu_driver driver = start->gpu.driver;
    return start->sandbox == AGPU_SANDBOX_DEVICES ||
           (start->sandbox == AGPU_SANDBOX_DRIVER &&
            (driver == AGPU_DRIVER_DEFAULT || driver == AGPU_DRIVER_NATIVE));
}

/* The filter for the driver that was found. */
static bool enter_sandbox(const struct holding *holding, pid_t broker)
{
    enum agpu_sandbox sandbox = (enum agpu_sandbox)holding->started.start.sandbox;
    if (sandbox == AGPU_SANDBOX_DRIVER)
        sandbox =
            ag_gpu_driver(holding->gpu) == AGPU_DRIVER_NATIVE ? AGPU_SANDBOX_DEVICES : AGPU_SANDBOX_SOFTWARE;
    if (sandbox == AGPU_SANDBOX_DEVICES && !ag_device_files_end())
        return false;
    if (sandbox != AGPU_SANDBOX_DEVICES && broker > 0)
        ag_device_files_forget(broker);
    return ag_sandbox_enter(sandbox);
}

static enum agpu_status open_gpu(struct holding *holding)
{
    struct ag_gpu_process *const process = &holding->process;
    struct ag_start *const start = &holding->started.start;
    const struct agpu_diag_sink sink = ag_remote_gpu_sink(process);
    const pid_t broker = may_need_devices(start) ? ag_device_files_begin() : 0;
    if (broker < 0)
        return ag_report_no_memory(&sink);
    enum agpu_status status = agpu_gpu_create(&start->gpu, &sink, &holding->gpu);
    if (status != AGPU_OK)
        return status;
    if (!enter_sandbox(holding, broker)) {
        ag_report(&sink, AGPU_DIAG_GPU_PROCESS, AGPU_ERROR, ag_place_none(),
                  "the kernel has no filter of system calls for the GPU process");
        return AGPU_MISSING;
    }
    const struct agpu_cache_store store = ag_remote_cache(process);
    if (start->has_cache)
        status = agpu_cache_create(&store, &sink, &holding->cache);
    if (status != AGPU_OK)
        return status;
    start->executor.cache = holding->cache;
    status = agpu_webgpu_executor_create(holding->gpu, &start->executor, &sink, &holding->executor);
    if (status != AGPU_OK)
        return status;
    const struct agpu_executor_events events = ag_remote_events(process);
    const struct agpu_guest_memory memory = ag_remote_memory(process);
    holding->executor->attach(holding->executor, &events, &memory);
    ag_exec_of(holding->executor)->host.guest_post = (struct ag_guest_post){ag_remote_memory_post, process};
    process->executor = holding->executor;
    return AGPU_OK;
}

/* ---- The process -------------------------------------------------------------------------------------- */

static const char *work(struct holding *holding)
{
    const struct ag_start *const start = &holding->started.start;
    const char *const problem = receive_start(holding);
    if (problem != NULL)
        return problem;
    if (!ag_sandbox_limit(start->address_space_bytes, start->processor_seconds))
        return "the limits of the process cannot be set";
    const enum agpu_status status = open_gpu(holding);
    if (status != AGPU_OK) {
        say_failed(&holding->process, status);
        return ""; /* the owner knows why */
    }
    say_ready(holding);
    ag_gpu_process_run(&holding->process);
    return holding->process.problem;
}

int agpu_gpu_process_main(char *message, size_t size)
{
    int type = 0;
    socklen_t type_size = sizeof type;
    const char *problem;
    if (getsockopt(AG_SOCKET_DESCRIPTOR, SOL_SOCKET, SO_TYPE, &type, &type_size) != 0 ||
        type != SOCK_SEQPACKET) {
        problem = "a GPU process is started by the program that uses it";
    } else if (!ag_sandbox_prepare()) {
        problem = "the GPU process cannot give up its privileges";
    } else {
        /* On the heap for good: threads of the driver may be at work when this returns, and nothing is
         * closed, since the process ends. */
        struct holding *const holding = calloc(1, sizeof *holding);
        problem = holding != NULL ? work(holding) : "out of memory";
    }
    snprintf(message, size, "%s", problem != NULL ? problem : "");
    return problem != NULL;
}
