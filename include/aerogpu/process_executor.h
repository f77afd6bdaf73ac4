/* SPDX-License-Identifier: MIT
 *
 * The WebGPU executor in a process of its own, the GPU process: whatever a guest makes of the WebGPU library
 * and the driver, the embedder's process lives on. An embedder uses it like this:
 *
 *     const struct agpu_process_executor_options options = {
 *         .size = sizeof options, .program = "/usr/bin/aerogpu", .gpu = &gpu_options};
 *     struct agpu_executor *executor;
 *     if (agpu_process_executor_create(&options, sink, &executor) == AGPU_OK)
 *         agpu_device_create(&device_options, &callbacks, executor, now_ns, &device);
 *
 * and all else is as with any executor. Linux only, on x86-64 and aarch64.
 *
 * When the GPU process ends (a crash, kill -9, a driver that hangs), the guest sees a lost device: gpu.lost,
 * and AEROGPU_ERROR_BACKEND for all submissions until the guest resets the device. The reset starts a new
 * process, at most ten a second, and what is submitted meanwhile waits for it.
 *
 * Threads: all calls for one executor come from one thread, one at a time, which must live as long as the
 * executor: the kernel ends a GPU process when the thread that started it ends. Nothing here blocks but
 * agpu_process_executor_wait(). Nor do submit() and poll(), but that poll() waits up to 0.2 ms for what the
 * GPU process asks for next when it has just been given guest memory, within its slice.
 *
 * What the process writes to its standard error goes on, in polls, to what was descriptor 2 of the embedder
 * when the process was started: 64 KiB a second, in bursts of 1 MiB. docs/gpu-process.md has more.
 *
 * The embedder's SIGCHLD is left alone. A program that ignores SIGCHLD, or waits for children that it does
 * not know, may take the exit status away, which then is not in the message of gpu.lost.
 */
#ifndef AEROGPU_PROCESS_EXECUTOR_H
#define AEROGPU_PROCESS_EXECUTOR_H

#include "aerogpu/api.h"
#include "aerogpu/executor.h"
#include "aerogpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a GPU process may do once the driver is open (docs/gpu-process.md has the system calls). All but NONE:
 * no program is started, no socket made, no other process reached, and no file opened but those of DEVICES.
 */
enum agpu_sandbox {
    AGPU_SANDBOX_DRIVER,   /* the next for software drivers, DEVICES for others. Since 0.2 */
    AGPU_SANDBOX_SOFTWARE, /* memory, threads and time, and nothing else: enough for software drivers */
    AGPU_SANDBOX_DEVICES,  /* ioctl, and opening again the device files that the driver has open: for GPUs */
    AGPU_SANDBOX_NONE,     /* no filter: for finding out what a driver needs, not for guests */
};

/* Guest RAM that the embedder has as a file. */
struct agpu_guest_region {
    uint64_t gpa, size; /* a multiple of the page size, as is `offset` */
    int descriptor;     /* of memory that can be mapped for reading and writing; stays the embedder's */
    uint64_t offset;    /* where the region begins in it */
};

/* Zero is the default of every field but `program`. Everything is copied. */
struct agpu_process_executor_options {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h) */

    /* The program that is started, a path, and its arguments, the first of them its name, with a null pointer
     * at the end. It must call agpu_gpu_process_main() and be of the same version of this library. Null
     * arguments: those of the tool, {program, "gpu-process"}. */
    const char *program;
    const char *const *arguments;
    /* The environment of the process, with a null pointer at the end, where the WebGPU library and its
     * drivers look for VK_DRIVER_FILES and the like. Null: the caller's own. */
    const char *const *environment;

    /* The GPU that the process opens and its executor's options; null: defaults. An embedder's own device
     * (instance, device) cannot be used. Of caches the executor's is, by the process through its owner, and
     * not the gpu's. */
    const struct agpu_gpu_options *gpu;
    const struct agpu_executor_options *executor;

    /* Guest RAM that the process maps and reaches without asking: much faster, but it goes past the device.
     * A recorder (aerogpu/capture.h) does not hear of it, a BAR that the guest puts on top is not seen, and
     * the embedder's dirty tracking learns nothing. Other addresses go through the callbacks. At most 16. */
    const struct agpu_guest_region *regions;
    uint32_t region_count;

    enum agpu_sandbox sandbox;

    /* How long the process may take to open the GPU, to answer a ping while it has work, and for the oldest
     * submission to make progress, in milliseconds; then it is killed. Time in which nobody polls does not
     * count against it. What is left of a snapshot's load, once the process was given its last bytes, may
     * take six times the last of these. 0: AGPU_DEFAULT_..._TIMEOUT_MS; AGPU_NO_TIMEOUT: any. */
    uint32_t start_timeout_ms, hang_timeout_ms, submission_timeout_ms;

    /* Limits of the kernel on the process (RLIMIT_AS, RLIMIT_CPU). Drivers that compile to machine code want
     * gigabytes of addresses. 0: none. */
    uint64_t address_space_bytes;
    uint32_t processor_seconds;
};

#define AGPU_DEFAULT_START_TIMEOUT_MS 60000
#define AGPU_DEFAULT_HANG_TIMEOUT_MS 10000
#define AGPU_DEFAULT_SUBMISSION_TIMEOUT_MS 10000
#define AGPU_NO_TIMEOUT UINT32_MAX

/* Starts a GPU process and returns without waiting for it. The sink is kept, as agpu_gpu_create() keeps it:
 * what the GPU says by itself goes there, among it gpu.lost and why a GPU could not be opened. AGPU_REFUSED
 * (gpu.process) for options that cannot be, AGPU_MISSING (gpu.process) when the process cannot be started,
 * AGPU_NO_MEMORY; then *executor is null. Free with agpu_executor_destroy(), which kills the process. */
AGPU_API enum agpu_status agpu_process_executor_create(const struct agpu_process_executor_options *options,
                                                       const struct agpu_diag_sink *sink,
                                                       struct agpu_executor **executor);

/* Waits until the GPU is open, at most so long. AGPU_OK; what agpu_gpu_create() came to in the process;
 * AGPU_INTERNAL (gpu.lost) when the process ended or the time is up. */
AGPU_API enum agpu_status agpu_process_executor_wait(struct agpu_executor *executor, uint32_t timeout_ms);

/* The adapter, once the GPU is open; false before. Strings and arrays are valid until the next reset. */
AGPU_API bool agpu_process_executor_info(const struct agpu_executor *executor,
                                         struct agpu_adapter_info *info);

/* A descriptor for select, poll and epoll, the same for the executor's life and owned by it: readable when
 * the GPU process has said something, so that the executor (or its device) should be polled. Timeouts need
 * polls, too: every 100 ms or so while submissions are outstanding. */
AGPU_API int agpu_process_executor_descriptor(const struct agpu_executor *executor);

/* The process's id; 0 while there is none. */
AGPU_API int64_t agpu_process_executor_pid(const struct agpu_executor *executor);

/* The main function of a program that is started as a GPU process, before which it should open nothing.
 * Closes every descriptor but standard error and the owner's, dies with the owner. Returns the exit status;
 * when that is not 0, `message` is a sentence for the caller to print, or "" when the owner has been told. */
AGPU_API int agpu_gpu_process_main(char *message, size_t size);

#ifdef __cplusplus
}
#endif

#endif
