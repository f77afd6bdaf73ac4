/* SPDX-License-Identifier: MIT
 *
 * A page's module has one thread: there is never a worker to call these functions with.
 */
#include "gpu/worker.h"

struct ag_worker *ag_worker_create(WGPUDevice device)
{
    (void)device;
    return NULL;
}

void ag_worker_destroy(struct ag_worker *worker)
{
    (void)worker;
}

bool ag_worker_rest(struct ag_worker *worker, uint64_t timeout_ns)
{
    (void)worker;
    (void)timeout_ns;
    return true;
}

void ag_worker_begin(struct ag_worker *worker, struct ag_task *task)
{
    (void)worker;
    (void)task;
}

void ag_worker_hurry(struct ag_worker *worker, struct ag_task *task)
{
    (void)worker;
    (void)task;
}

bool ag_worker_has_done(struct ag_worker *worker, const struct ag_task *task)
{
    (void)worker;
    (void)task;
    return true;
}

bool ag_worker_wait(struct ag_worker *worker, const struct ag_task *task, uint64_t timeout_ns)
{
    (void)worker;
    (void)task;
    (void)timeout_ns;
    return true;
}

void ag_worker_release(struct ag_worker *worker, struct ag_task *task)
{
    (void)worker;
    (void)task;
}
