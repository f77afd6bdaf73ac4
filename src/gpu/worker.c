/* SPDX-License-Identifier: MIT */
#include "gpu/worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "gpu/detached.h"

/* Belongs to its owner, and to the thread when the owner leaves it with a task. */
struct ag_worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wakes;  /* the thread: there are tasks, or the owner is gone */
    pthread_cond_t rested; /* the owner: a task is done, or the thread is ready */
    WGPUDevice device;     /* until the thread is ready */
    struct ag_task *first, **last;
    struct ag_task *at_hand;
    bool ready, ends;
    bool ownerless; /* the thread frees the worker */
};

static void init(struct ag_worker *worker, WGPUDevice device)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->wakes, NULL);
    pthread_cond_init(&worker->rested, &attributes);
    pthread_condattr_destroy(&attributes);
    worker->device = device;
    worker->last = &worker->first;
}

static void fini(struct ag_worker *worker)
{
    pthread_cond_destroy(&worker->rested);
    pthread_cond_destroy(&worker->wakes);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

/* ---- The thread ---------------------------------------------------------------------------------------- */

static void ignore(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                   void *userdata1, void *userdata2)
{
    (void)status;
    (void)type;
    (void)message;
    (void)userdata1;
    (void)userdata2;
}

/* Dawn makes a thread's list of error scopes when the thread pushes its first one, in a table without a lock;
 * afterwards threads only look their own one up. */
static void make_scopes(WGPUDevice device)
{
    const WGPUPopErrorScopeCallbackInfo callback = {.mode = WGPUCallbackMode_AllowSpontaneous,
                                                    .callback = ignore};
    wgpuDevicePushErrorScope(device, WGPUErrorFilter_Validation);
    wgpuDevicePopErrorScope(device, callback);
}

static struct ag_task *take_first(struct ag_worker *worker)
{
    struct ag_task *const task = worker->first;
    worker->first = task->next;
    if (worker->first == NULL)
        worker->last = &worker->first;
    return task;
}

/* With the lock, which is open while the task runs. */
static void run_first(struct ag_worker *worker)
{
    struct ag_task *const task = take_first(worker);
    worker->at_hand = task;
    pthread_mutex_unlock(&worker->lock);
    task->run(task);
    pthread_mutex_lock(&worker->lock);
    if (task->released)
        task->destroy(task);
    else
        task->done = true;
    worker->at_hand = NULL;
    pthread_cond_signal(&worker->rested);
}

static void *work(void *user)
{
    struct ag_worker *const worker = user;
    make_scopes(worker->device);
    pthread_mutex_lock(&worker->lock);
    worker->ready = true;
    pthread_cond_signal(&worker->rested);
    while (!worker->ends) {
        if (worker->first != NULL)
            run_first(worker);
        else
            pthread_cond_wait(&worker->wakes, &worker->lock);
    }
    const bool ownerless = worker->ownerless;
    pthread_mutex_unlock(&worker->lock);
    if (ownerless)
        fini(worker);
    return NULL;
}

/* ---- The owner ----------------------------------------------------------------------------------------- */

struct ag_worker *ag_worker_create(WGPUDevice device)
{
    struct ag_worker *const worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return NULL;
    init(worker, device);
    if (!ag_joinable_start(work, worker, &worker->thread)) {
        fini(worker);
        return NULL;
    }
    pthread_mutex_lock(&worker->lock);
    while (!worker->ready)
        pthread_cond_wait(&worker->rested, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
    return worker;
}

static void drop_tasks(struct ag_worker *worker)
{
    while (worker->first != NULL) {
        struct ag_task *const task = take_first(worker);
        task->destroy(task);
    }
}

void ag_worker_destroy(struct ag_worker *worker)
{
    if (worker == NULL)
        return;
    pthread_mutex_lock(&worker->lock);
    drop_tasks(worker);
    worker->ends = true;
    worker->ownerless = worker->at_hand != NULL;
    const bool is_left = worker->ownerless;
    if (is_left)
        pthread_detach(worker->thread);
    pthread_cond_signal(&worker->wakes);
    pthread_mutex_unlock(&worker->lock);
    if (is_left)
        return;
    pthread_join(worker->thread, NULL);
    fini(worker);
}

static struct timespec deadline_in(uint64_t timeout_ns)
{
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    const uint64_t nanoseconds = (uint64_t)deadline.tv_nsec + timeout_ns % 1000000000;
    deadline.tv_sec += (time_t)(timeout_ns / 1000000000 + nanoseconds / 1000000000);
    deadline.tv_nsec = (long)(nanoseconds % 1000000000);
    return deadline;
}

/* With the lock: until the thread has ended a task. False after the deadline. */
static bool wait(struct ag_worker *worker, uint64_t timeout_ns, const struct timespec *deadline)
{
    if (timeout_ns != UINT64_MAX)
        return pthread_cond_timedwait(&worker->rested, &worker->lock, deadline) == 0;
    return pthread_cond_wait(&worker->rested, &worker->lock) == 0;
}

bool ag_worker_rest(struct ag_worker *worker, uint64_t timeout_ns)
{
    const struct timespec deadline = deadline_in(timeout_ns);
    bool in_time = true;
    pthread_mutex_lock(&worker->lock);
    while (worker->at_hand != NULL && in_time)
        in_time = wait(worker, timeout_ns, &deadline);
    const bool rests = worker->at_hand == NULL;
    pthread_mutex_unlock(&worker->lock);
    return rests;
}

bool ag_worker_has_done(struct ag_worker *worker, const struct ag_task *task)
{
    pthread_mutex_lock(&worker->lock);
    const bool is_done = task->done;
    pthread_mutex_unlock(&worker->lock);
    return is_done;
}

bool ag_worker_wait(struct ag_worker *worker, const struct ag_task *task, uint64_t timeout_ns)
{
    const struct timespec deadline = deadline_in(timeout_ns);
    bool in_time = true;
    pthread_mutex_lock(&worker->lock);
    while (!task->done && in_time)
        in_time = wait(worker, timeout_ns, &deadline);
    const bool is_done = task->done;
    pthread_mutex_unlock(&worker->lock);
    return is_done;
}

void ag_worker_begin(struct ag_worker *worker, struct ag_task *task)
{
    task->next = NULL;
    pthread_mutex_lock(&worker->lock);
    *worker->last = task;
    worker->last = &task->next;
    pthread_cond_signal(&worker->wakes);
    pthread_mutex_unlock(&worker->lock);
}

/* Takes a task that is not begun out of the queue. */
static void leave_queue(struct ag_worker *worker, struct ag_task *task)
{
    struct ag_task **place = &worker->first;
    while (*place != task)
        place = &(*place)->next;
    *place = task->next;
    if (task->next == NULL)
        worker->last = place;
}

void ag_worker_hurry(struct ag_worker *worker, struct ag_task *task)
{
    pthread_mutex_lock(&worker->lock);
    if (worker->at_hand != task && !task->done) {
        leave_queue(worker, task);
        task->next = worker->first;
        if (worker->first == NULL)
            worker->last = &task->next;
        worker->first = task;
    }
    pthread_mutex_unlock(&worker->lock);
}

void ag_worker_release(struct ag_worker *worker, struct ag_task *task)
{
    pthread_mutex_lock(&worker->lock);
    const bool at_hand = worker->at_hand == task;
    if (!at_hand && !task->done)
        leave_queue(worker, task);
    task->released = true;
    pthread_mutex_unlock(&worker->lock);
    if (!at_hand)
        task->destroy(task);
}
