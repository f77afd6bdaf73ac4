/* SPDX-License-Identifier: MIT */
#include "exec/draw/dispatch.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/bind.h"
#include "exec/bind/binder.h"
#include "exec/bind/compute_pipeline.h"
#include "exec/bind/context.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/bind/storage_texture.h"
#include "exec/bind/uav.h"
#include "exec/draw/drawer.h"
#include "exec/draw/statistics.h"
#include "exec/draw/work_limits.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

static enum ag_outcome find_program(struct ag_drawer *drawer, const struct ag_context *context,
                                    enum agpu_stage stage, struct ag_shader_program **program)
{
    *program = ag_shader_in_slot(drawer->binder, context, stage);
    if (!*program && context->shaders[stage]) {
        ag_host_warn_handle(drawer->host, AG_SPACE_SHADERS, context->shaders[stage],
                            "the bound %s, handle %" PRIu32 ", does not exist; dispatches are skipped",
                            agpu_stage_name(stage), context->shaders[stage]);
        return AG_SKIPPED;
    }
    if (!*program)
        return ag_host_skip_undefined(drawer->host, "a dispatch without a %s is skipped",
                                      agpu_stage_name(stage));
    if ((*program)->shader->program.stage != AGPU_STAGE_COMPUTE)
        return ag_host_skip_undefined(drawer->host, "a dispatch cannot run a %s shader and is skipped",
                                      agpu_stage_name((*program)->shader->program.stage));
    return AG_DONE;
}

/* The groups that WebGPU dispatches, and the threads that one dispatch may ask for. */
static enum ag_outcome check_groups(struct ag_drawer *drawer, const uint32_t groups[3],
                                    const uint32_t thread_group[3])
{
    const uint32_t limit = drawer->host->limits.maxComputeWorkgroupsPerDimension;
    if (groups[0] > limit || groups[1] > limit || groups[2] > limit)
        return ag_host_skip_undefined(drawer->host,
                                      "a dispatch of %" PRIu32 "x%" PRIu32 "x%" PRIu32
                                      " groups is skipped: the limit is %" PRIu32,
                                      groups[0], groups[1], groups[2], limit);
    return ag_work_limits_check_dispatch(drawer, groups, thread_group);
}

/* Sets the group of the draw block, which is the last dispatch's as a rule. */
static void set_block(struct ag_recorder *recorder, WGPUComputePassEncoder pass,
                      const struct ag_bound_group *internal)
{
    struct ag_pass_group *has = &recorder->compute_block;
    if (has->gpu == internal->gpu && has->offsets[0] == internal->offsets[0])
        return;
    ag_throttle_add_binding(recorder, internal->offset_count);
    wgpuComputePassEncoderSetBindGroup(pass, AG_GROUP_INTERNAL, internal->gpu, internal->offset_count,
                                       internal->offsets);
    has->gpu = internal->gpu;
    has->offsets[0] = internal->offsets[0];
}

static void record(struct ag_drawer *drawer, const struct ag_compute_pipeline *pipeline,
                   const struct ag_bound_group *group, const struct ag_bound_group *internal,
                   const struct ag_dispatch *dispatch)
{
    const uint32_t *groups = dispatch->groups;
    ag_throttle_add_binding(drawer->recorder, group->offset_count);
    WGPUComputePassEncoder pass = ag_recorder_compute_pass(drawer->recorder, pipeline->gpu);
    wgpuComputePassEncoderSetBindGroup(pass, AG_GROUP_COMPUTE, group->gpu, group->offset_count,
                                       group->offsets);
    if (internal)
        set_block(drawer->recorder, pass, internal);
    if (dispatch->arguments)
        wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass, dispatch->arguments, 0);
    else
        wgpuComputePassEncoderDispatchWorkgroups(pass, groups[0], groups[1], groups[2]);
}

/* What is bound, brought to the form that the shader accesses. */
static enum ag_outcome prepare_groups(struct ag_drawer *drawer, struct ag_context *context,
                                      const struct ag_compute_pipeline *pipeline,
                                      const struct ag_draw_block *block, struct ag_bound_group *internal,
                                      const struct ag_uav_writers *writers)
{
    const struct agpu_module *module = pipeline->variant->module;
    enum ag_outcome outcome = AG_DONE;
    if (module->uses_draw_block)
        outcome = ag_bind_draw_block(drawer->binder, block, internal);
    if (outcome == AG_DONE)
        outcome = ag_uavs_load(drawer->binder, context, writers);
    return outcome;
}

enum ag_outcome ag_dispatch(struct ag_drawer *drawer, struct ag_context *context, enum agpu_stage stage,
                            const struct ag_dispatch *dispatch)
{
    const uint32_t *groups = dispatch->groups;
    struct ag_bound_group group, internal;
    struct ag_draw_block block;
    struct ag_uav_aliases aliases;
    struct ag_shader_program *program;
    struct ag_compute_pipeline *pipeline;
    if (!dispatch->arguments && (groups[0] == 0 || groups[1] == 0 || groups[2] == 0))
        return AG_DONE;
    enum ag_outcome outcome = find_program(drawer, context, stage, &program);
    if (outcome != AG_DONE)
        return outcome;
    const uint32_t *thread_group = program->facts.thread_group;
    outcome = check_groups(drawer, groups, thread_group);
    if (outcome != AG_DONE)
        return outcome;
    ag_uavs_resolve(drawer->binder, context, stage);
    ag_uavs_alias(context, stage, program, &aliases);
    ag_storage_textures_choose(drawer->binder, context, stage, program, &aliases);
    const struct ag_sampling sampling = ag_sampling_of(drawer->binder, context, stage, program);
    outcome = ag_compute_pipeline_get(drawer->binder, program, &aliases, &sampling, &pipeline);
    if (outcome != AG_DONE)
        return outcome;
    memset(&block, 0, sizeof block);
    outcome = ag_bind_stage(drawer->binder, context, stage, pipeline->variant, program, &block, &group);
    if (outcome != AG_DONE)
        return outcome;
    wgpuBindGroupAddRef(group.gpu);
    struct ag_uav_writers writers = {.stage = stage};
    ag_uav_writers_add(&writers, pipeline->variant->module);
    outcome = prepare_groups(drawer, context, pipeline, &block, &internal, &writers);
    if (outcome == AG_DONE && dispatch->arguments)
        outcome = ag_work_limits_bound_indirect(drawer, dispatch->arguments, thread_group);
    if (outcome == AG_DONE) {
        const bool uses_block = pipeline->variant->module->uses_draw_block;
        record(drawer, pipeline, &group, uses_block ? &internal : NULL, dispatch);
        ag_uavs_store(drawer->binder, context, &writers);
        ag_queries_count_dispatch(drawer, groups, thread_group);
        drawer->host->counts.dispatches++;
    }
    wgpuBindGroupRelease(group.gpu);
    return outcome;
}
