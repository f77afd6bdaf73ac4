/* SPDX-License-Identifier: MIT
 *
 * A thread beside the caller's for what takes the processor long and touches nothing else: translations, and
 * the shader modules of one WebGPU device. It does one task at a time, in their order but for those that
 * somebody waits for. Who lets go of a task does not wait for its end.
 */
#ifndef AG_GPU_WORKER_H
#define AG_GPU_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_worker;

/* The first member of what a task works with. */
struct ag_task {
    void (*run)(struct ag_task *task);
    /* Frees the task: in the call that lets go of it, or on the thread when that is at work on it. */
    void (*destroy)(struct ag_task *task);
    /* The worker's. */
    struct ag_task *next;
    bool done; /* the results are there */
    bool released;
};

/* Null: there are no threads, or no memory (not reported). The device is for the modules of ag_task, whose
 * errors go to error scopes of the thread's own; nothing else of it may be in use during this call. */
struct ag_worker *ag_worker_create(WGPUDevice device);
/* Drops the tasks that are not begun. The thread ends in this call, or after the task at hand, whose owner
 * has let go of it. Accepts null. */
void ag_worker_destroy(struct ag_worker *worker);
/* Waits until no task is at hand. False after the timeout. */
bool ag_worker_rest(struct ag_worker *worker, uint64_t timeout_ns);

void ag_worker_begin(struct ag_worker *worker, struct ag_task *task);
/* A task that was begun is the next one, as somebody waits for it. */
void ag_worker_hurry(struct ag_worker *worker, struct ag_task *task);
bool ag_worker_has_done(struct ag_worker *worker, const struct ag_task *task);
/* False after the timeout. */
bool ag_worker_wait(struct ag_worker *worker, const struct ag_task *task, uint64_t timeout_ns);
/* The owner lets go of a task that was begun. */
void ag_worker_release(struct ag_worker *worker, struct ag_task *task);

#endif
