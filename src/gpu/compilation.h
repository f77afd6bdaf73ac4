/* SPDX-License-Identifier: MIT
 *
 * Pipelines, made at once or while the caller goes on. Drivers take milliseconds to minutes for a pipeline.
 * The time is counted (ag_gpu_compile_ns()).
 */
#ifndef AG_GPU_COMPILATION_H
#define AG_GPU_COMPILATION_H

#include "gpu/gpu.h"

WGPURenderPipeline ag_gpu_create_render_pipeline(struct agpu_gpu *gpu,
                                                 const WGPURenderPipelineDescriptor *descriptor);
WGPUComputePipeline ag_gpu_create_compute_pipeline(struct agpu_gpu *gpu,
                                                   const WGPUComputePipelineDescriptor *descriptor);

/* A pipeline that the library makes on a thread of its own. */
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

enum ag_compilation_state ag_compilation_state(const struct ag_compilation *compilation);

/* A number for ag_compilation_is_awaited(), of the gpu's life. */
uint64_t ag_compilation_serial(const struct ag_compilation *compilation);

/* Nanoseconds since the compilation began. */
uint64_t ag_compilation_age_ns(const struct ag_compilation *compilation);

/* Waits until the compilation is not pending. False when it is after the timeout. */
bool ag_compilation_wait(struct ag_compilation *compilation, uint64_t timeout_ns);

/* What was made, which the caller owns from then on; null when nothing was. */
WGPURenderPipeline ag_compilation_take_render(struct ag_compilation *compilation);
WGPUComputePipeline ag_compilation_take_compute(struct ag_compilation *compilation);

/* What the library said of a failure, else "". */
const char *ag_compilation_message(const struct ag_compilation *compilation);

/* Also while pending: the library's thread goes on, and what it makes is released. Accepts null. */
void ag_compilation_release(struct ag_compilation *compilation);

/* Whether the compilation with this number is pending, is not released, and is younger. */
bool ag_compilation_is_awaited(const struct agpu_gpu *gpu, uint64_t serial, uint64_t timeout_ns);

/* How many compilations the library is at work on, those that were released included. */
uint32_t ag_compilations_pending(const struct agpu_gpu *gpu);

/* Nanoseconds spent on shader modules and pipelines. */
uint64_t ag_gpu_compile_ns(const struct agpu_gpu *gpu);

#endif
