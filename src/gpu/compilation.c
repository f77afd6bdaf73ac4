/* SPDX-License-Identifier: MIT */
#include "gpu/compilation.h"

#include <stdlib.h>

#include "base/clock.h"
#include "gpu/device.h"
#include "gpu/worker.h"

/* Exists until it is released and no callback is pending. */
struct ag_compilation {
    struct ag_compilation *next, **place; /* in the list of those that are pending; else place is null */
    struct ag_task *task;                 /* what the worker does, or has done; null: the library does it */
    struct ag_worker *worker;             /* null: it was done at once */
    struct agpu_gpu *gpu;
    uint64_t serial;
    uint64_t start_ns;
    enum ag_compilation_state state;
    bool released;
    WGPUFuture future;
    WGPURenderPipeline render;
    WGPUComputePipeline compute;
    char message[AG_WEBGPU_MESSAGE_SIZE];
};

/* ---- At once ------------------------------------------------------------------------------------------- */

static void count_since(struct agpu_gpu *gpu, uint64_t start_ns)
{
    gpu->compile_ns += ag_clock_ns() - start_ns;
}

WGPURenderPipeline ag_gpu_create_render_pipeline(struct agpu_gpu *gpu,
                                                 const WGPURenderPipelineDescriptor *descriptor)
{
    const uint64_t start_ns = ag_clock_ns();
    const WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(ag_gpu_maker(gpu), descriptor);
    count_since(gpu, start_ns);
    return pipeline;
}

WGPUComputePipeline ag_gpu_create_compute_pipeline(struct agpu_gpu *gpu,
                                                   const WGPUComputePipelineDescriptor *descriptor)
{
    const uint64_t start_ns = ag_clock_ns();
    const WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(ag_gpu_maker(gpu), descriptor);
    count_since(gpu, start_ns);
    return pipeline;
}

uint64_t ag_gpu_compile_ns(const struct agpu_gpu *gpu)
{
    return gpu->compile_ns;
}

/* ---- Meanwhile ----------------------------------------------------------------------------------------- */

static void leave_list(struct ag_compilation *compilation)
{
    if (compilation->place == NULL)
        return;
    *compilation->place = compilation->next;
    if (compilation->next != NULL)
        compilation->next->place = compilation->place;
    compilation->place = NULL;
}

static void destroy(struct ag_compilation *compilation)
{
    if (compilation->render != NULL)
        wgpuRenderPipelineRelease(compilation->render);
    if (compilation->compute != NULL)
        wgpuComputePipelineRelease(compilation->compute);
    free(compilation);
}

static void settle(struct ag_compilation *compilation, WGPURenderPipeline render, WGPUComputePipeline compute)
{
    compilation->render = render;
    compilation->compute = compute;
    compilation->state = render != NULL || compute != NULL ? AG_COMPILATION_DONE : AG_COMPILATION_FAILED;
    if (compilation->serial != 0)
        compilation->gpu->pending_compilation_count--;
    if (compilation->released) {
        destroy(compilation);
        return;
    }
    leave_list(compilation);
    count_since(compilation->gpu, compilation->start_ns);
}

static void give_up(void *user)
{
    settle(user, NULL, NULL);
}

/* The compilation that a library's answer is for, with the reason where nothing was made; null when nobody
 * waits. */
static struct ag_compilation *answered(void *request, WGPUCreatePipelineAsyncStatus status,
                                       WGPUStringView message)
{
    struct ag_compilation *const compilation = ag_gpu_request_end(request);
    if (compilation != NULL && status != WGPUCreatePipelineAsyncStatus_Success)
        ag_webgpu_message(message, compilation->message, sizeof compilation->message);
    return compilation;
}

static void on_render(WGPUCreatePipelineAsyncStatus status, WGPURenderPipeline pipeline,
                      WGPUStringView message, void *userdata1, void *userdata2)
{
    (void)userdata2;
    struct ag_compilation *const compilation = answered(userdata1, status, message);
    if (compilation != NULL)
        settle(compilation, status == WGPUCreatePipelineAsyncStatus_Success ? pipeline : NULL, NULL);
    else if (pipeline != NULL)
        wgpuRenderPipelineRelease(pipeline);
}

static void on_compute(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
                       WGPUStringView message, void *userdata1, void *userdata2)
{
    (void)userdata2;
    struct ag_compilation *const compilation = answered(userdata1, status, message);
    if (compilation != NULL)
        settle(compilation, NULL, status == WGPUCreatePipelineAsyncStatus_Success ? pipeline : NULL);
    else if (pipeline != NULL)
        wgpuComputePipelineRelease(pipeline);
}

/* A compilation that is over: what was made belongs to it. */
static struct ag_compilation *made(struct agpu_gpu *gpu, WGPURenderPipeline render,
                                   WGPUComputePipeline compute)
{
    struct ag_compilation *const compilation = calloc(1, sizeof *compilation);
    if (compilation == NULL) {
        if (render != NULL)
            wgpuRenderPipelineRelease(render);
        if (compute != NULL)
            wgpuComputePipelineRelease(compute);
        return NULL;
    }
    compilation->gpu = gpu;
    compilation->start_ns = ag_clock_ns();
    settle(compilation, render, compute);
    return compilation;
}

static void enter_list(struct ag_compilation *compilation, struct agpu_gpu *gpu)
{
    *compilation = (struct ag_compilation){
        .next = gpu->pending_compilations,
        .place = &gpu->pending_compilations,
        .gpu = gpu,
        .serial = ++gpu->last_compilation,
        .start_ns = ag_clock_ns(),
    };
    if (gpu->pending_compilations != NULL)
        gpu->pending_compilations->place = &compilation->next;
    gpu->pending_compilations = compilation;
    gpu->pending_compilation_count++;
}

static struct ag_compilation *begin(struct agpu_gpu *gpu, struct ag_gpu_request **request)
{
    struct ag_compilation *const compilation = calloc(1, sizeof *compilation);
    *request = compilation != NULL ? ag_gpu_request_begin(ag_gpu_link(gpu), give_up, compilation) : NULL;
    if (*request == NULL) {
        free(compilation);
        return NULL;
    }
    enter_list(compilation, gpu);
    return compilation;
}

struct ag_compilation *ag_compile_render_pipeline(struct agpu_gpu *gpu,
                                                  const WGPURenderPipelineDescriptor *descriptor)
{
    struct ag_gpu_request *request;
    if (ag_gpu_makes_pipelines_at_once())
        return made(gpu, ag_gpu_create_render_pipeline(gpu, descriptor), NULL);
    struct ag_compilation *const compilation = begin(gpu, &request);
    if (compilation == NULL)
        return NULL;
    const WGPUCreateRenderPipelineAsyncCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_render,
        .userdata1 = request,
    };
    compilation->future = wgpuDeviceCreateRenderPipelineAsync(ag_gpu_maker(gpu), descriptor, callback);
    return compilation;
}

struct ag_compilation *ag_compile_compute_pipeline(struct agpu_gpu *gpu,
                                                   const WGPUComputePipelineDescriptor *descriptor)
{
    struct ag_gpu_request *request;
    if (ag_gpu_makes_pipelines_at_once())
        return made(gpu, NULL, ag_gpu_create_compute_pipeline(gpu, descriptor));
    struct ag_compilation *const compilation = begin(gpu, &request);
    if (compilation == NULL)
        return NULL;
    const WGPUCreateComputePipelineAsyncCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_compute,
        .userdata1 = request,
    };
    compilation->future = wgpuDeviceCreateComputePipelineAsync(ag_gpu_maker(gpu), descriptor, callback);
    return compilation;
}

/* ---- On the worker ------------------------------------------------------------------------------------- */

struct ag_compilation *ag_compile_task(struct agpu_gpu *gpu, struct ag_task *task, bool at_once)
{
    struct ag_compilation *const compilation = calloc(1, sizeof *compilation);
    if (compilation == NULL) {
        task->destroy(task);
        return NULL;
    }
    if (at_once || gpu->worker == NULL) {
        task->run(task);
        *compilation = (struct ag_compilation){.gpu = gpu, .task = task, .state = AG_COMPILATION_DONE};
        return compilation;
    }
    enter_list(compilation, gpu);
    compilation->task = task;
    compilation->worker = gpu->worker;
    ag_worker_begin(gpu->worker, task);
    return compilation;
}

struct ag_task *ag_compilation_task(const struct ag_compilation *compilation)
{
    return compilation->task;
}

static void leave_worker(struct ag_compilation *compilation)
{
    compilation->gpu->pending_compilation_count--;
    leave_list(compilation);
}

/* Looks whether the worker is done. */
static void look(struct ag_compilation *compilation)
{
    if (compilation->state != AG_COMPILATION_PENDING || compilation->task == NULL ||
        !ag_worker_has_done(compilation->worker, compilation->task))
        return;
    compilation->state = AG_COMPILATION_DONE;
    leave_worker(compilation);
}

static void release_task(struct ag_compilation *compilation)
{
    struct ag_task *const task = compilation->task;
    if (compilation->state == AG_COMPILATION_PENDING) {
        leave_worker(compilation);
        ag_worker_release(compilation->worker, task);
    } else {
        task->destroy(task);
    }
    free(compilation);
}

/* ---- Either -------------------------------------------------------------------------------------------- */

enum ag_compilation_state ag_compilation_state(struct ag_compilation *compilation)
{
    look(compilation);
    return compilation->state;
}

uint64_t ag_compilation_serial(const struct ag_compilation *compilation)
{
    return compilation->serial;
}

uint64_t ag_compilation_age_ns(const struct ag_compilation *compilation)
{
    return ag_clock_ns() - compilation->start_ns;
}

void ag_compilation_hurry(struct ag_compilation *compilation)
{
    if (compilation->task != NULL && ag_compilation_state(compilation) == AG_COMPILATION_PENDING)
        ag_worker_hurry(compilation->worker, compilation->task);
}

bool ag_compilation_wait(struct ag_compilation *compilation, uint64_t timeout_ns)
{
    if (ag_compilation_state(compilation) != AG_COMPILATION_PENDING)
        return true;
    ag_compilation_hurry(compilation);
    if (compilation->task != NULL)
        ag_worker_wait(compilation->worker, compilation->task, timeout_ns);
    else
        ag_gpu_wait_for(compilation->gpu, compilation->future, timeout_ns);
    return ag_compilation_state(compilation) != AG_COMPILATION_PENDING;
}

WGPURenderPipeline ag_compilation_take_render(struct ag_compilation *compilation)
{
    const WGPURenderPipeline pipeline = compilation->render;
    compilation->render = NULL;
    return pipeline;
}

WGPUComputePipeline ag_compilation_take_compute(struct ag_compilation *compilation)
{
    const WGPUComputePipeline pipeline = compilation->compute;
    compilation->compute = NULL;
    return pipeline;
}

const char *ag_compilation_message(const struct ag_compilation *compilation)
{
    return compilation->message;
}

void ag_compilation_release(struct ag_compilation *compilation)
{
    if (compilation == NULL)
        return;
    if (compilation->task != NULL) {
        release_task(compilation);
        return;
    }
    leave_list(compilation);
    compilation->released = true;
    if (compilation->state != AG_COMPILATION_PENDING)
        destroy(compilation);
}

/* Of those that the worker has done since the last look, nobody may have asked. */
uint32_t ag_compilations_pending(struct agpu_gpu *gpu)
{
    for (struct ag_compilation *compilation = gpu->pending_compilations, *next; compilation != NULL;
         compilation = next) {
        next = compilation->next;
        look(compilation);
    }
    return gpu->pending_compilation_count;
}

bool ag_compilation_is_awaited(struct agpu_gpu *gpu, uint64_t serial, uint64_t timeout_ns)
{
    struct ag_compilation *compilation = gpu->pending_compilations;
    while (compilation != NULL && compilation->serial != serial)
        compilation = compilation->next;
    return compilation != NULL && ag_compilation_state(compilation) == AG_COMPILATION_PENDING &&
           ag_compilation_age_ns(compilation) < timeout_ns;
}
