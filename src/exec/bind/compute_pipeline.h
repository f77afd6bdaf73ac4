/* SPDX-License-Identifier: MIT
 *
 * Compute pipelines of dispatches, cached by program and by what their bindings ask of the translation.
 */
#ifndef AG_EXEC_BIND_COMPUTE_PIPELINE_H
#define AG_EXEC_BIND_COMPUTE_PIPELINE_H

#include <stdint.h>

#include "exec/bind/shader.h"
#include "exec/host/outcome.h"
#include "exec/host/shared_cache.h"
#include "gpu/webgpu.h"

struct ag_binder;

struct ag_compute_pipeline {
    uint64_t program_id;
    struct ag_uav_aliases aliases;
    struct ag_sampling sampling;
    WGPUComputePipeline gpu; /* null until the compilation is done, and when the pipeline is refused */
    struct ag_compilation *compilation;
    struct ag_refusal refusal;
    struct ag_shader_program *program;
    struct ag_shader_variant *variant;
    uint64_t hash;                  /* of the key */
    struct ag_shared_member recent; /* in ag_binder.recent_compute */
};

enum ag_outcome ag_compute_pipeline_get(struct ag_binder *binder, struct ag_shader_program *program,
                                        const struct ag_uav_aliases *aliases,
                                        const struct ag_sampling *sampling,
                                        struct ag_compute_pipeline **pipeline);

/* Drops the pipelines that were made of a program. */
void ag_compute_pipelines_forget_program(struct ag_binder *binder, const struct ag_shader_program *program);
/* Of a pipeline that is out of the map. */
void ag_compute_pipeline_destroy(struct ag_binder *binder, struct ag_compute_pipeline *pipeline);

#endif
