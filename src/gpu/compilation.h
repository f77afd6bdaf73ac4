/* SPDX-License-Identifier: MIT
 *
 * Pipelines, modules and what else is made at once or while the caller goes on. Drivers take milliseconds to
 * minutes for a pipeline, the library milliseconds to a second for a module. The time is counted
 * (ag_gpu_compile_ns()).
 */
#ifndef AG_GPU_COMPILATION_H
#define AG_GPU_COMPILATION_H

#include "gpu/gpu.h"

struct ag_task;

WGPURenderPipeline ag_gpu_create_render_pipeline(struct agpu_gpu *gpu,
                                                 const WGPURenderPipelineDescriptor *descriptor);
WGPUComputePipeline ag_gpu_create_compute_pipeline(struct agpu_gpu *gpu,
                                                   const WGPUComputePipelineDescriptor *descriptor);

/* A pipeline that the library makes on a thread of its own, or a task of the gpu's worker. */
struct ag_compilation;

enum ag_compilation_state {
    AG_COMPILATION_PENDING,
    AG_COMPILATION_DONE,
    AG_COMPILATION_FAILED, /* an error, or the device is gone */
};

/* Null when memory is exhausted (not reported). */
struct ag_compilation *ag_compile_render_pipeline(struct agpu_gpu *gpu,
                                                  const WGPURenderPipelineDescriptor *descriptor);
struct ag_compilation *ag_compile_compute_pipeline(struct agpu_gpu *gpu,
                                                   const WGPUComputePipelineDescriptor *descriptor);

/* A task for the gpu's worker (gpu/worker.h), which the compilation owns from then on; done in this call when
 * the gpu has no worker or the caller says so. Null when memory is exhausted (not reported). */
struct ag_compilation *ag_compile_task(struct agpu_gpu *gpu, struct ag_task *task, bool at_once);
/* What is in the task belongs to the caller once the compilation is done. */
struct ag_task *ag_compilation_task(const struct ag_compilation *compilation);

/* The same for a shader module (ag_gpu_create_shader()). */
struct ag_compilation *ag_compile_module(struct agpu_gpu *gpu, const char *wgsl, size_t length,
                                         const char *label, bool at_once);
/* The module, which the caller owns from then on. `message` is what WebGPU found wrong with it, "" for
 * nothing; what it finds in a call of the caller's goes to the caller's error scopes. */
WGPUShaderModule ag_compilation_take_module(struct agpu_gpu *gpu, struct ag_compilation *compilation,
                                            const char **message);

enum ag_compilation_state ag_compilation_state(struct ag_compilation *compilation);

/* A number for ag_compilation_is_awaited(), of the gpu's life. */
uint64_t ag_compilation_serial(const struct ag_compilation *compilation);

/* Nanoseconds since the compilation began. */
uint64_t ag_compilation_age_ns(const struct ag_compilation *compilation);

/* Waits until the compilation is not pending. False when it is after the timeout. */
bool ag_compilation_wait(struct ag_compilation *compilation, uint64_t timeout_ns);

/* What was made, which the caller owns from then on; null when nothing was. */
WGPURenderPipeline ag_compilation_take_render(struct ag_compilation *compilation);
WGPUComputePipeline ag_compilation_take_compute(struct ag_compilation *compilation);

/* Somebody waits for it, so that the gpu's worker does it before others: what one context has begun takes no
 * time of another one. */
void ag_compilation_hurry(struct ag_compilation *compilation);

/* What the library said of a failure, else "". */
const char *ag_compilation_message(const struct ag_compilation *compilation);

/* Also while pending: the thread at work on it goes on, and what it makes is released. Accepts null. */
void ag_compilation_release(struct ag_compilation *compilation);

/* Whether the compilation with this number is pending, is not released, and is younger. */
bool ag_compilation_is_awaited(struct agpu_gpu *gpu, uint64_t serial, uint64_t timeout_ns);

/* How many compilations are pending, those of the library that were released included. */
uint32_t ag_compilations_pending(struct agpu_gpu *gpu);

/* Nanoseconds spent on shader modules and pipelines. */
uint64_t ag_gpu_compile_ns(const struct agpu_gpu *gpu);

#endif
