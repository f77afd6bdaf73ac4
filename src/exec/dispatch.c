/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/draw.h"
#include "exec/exec.h"
#include "wgsl/binding.h"

static struct ag_shader_program *find_program(struct ag_exec *exec, const struct ag_context *context,
                                              enum agpu_stage stage)
{
    struct ag_shader_program *program = ag_shader_at(exec, context, stage);
    if (!program)
        ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "a dispatch needs a %s; handle %" PRIu32 " names none",
                     agpu_stage_name(stage), context->shaders[stage]);
    else if (program->shader->program.stage != AGPU_STAGE_COMPUTE) {
        ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a dispatch cannot run a %s shader",
                     agpu_stage_name(program->shader->program.stage));
        return NULL;
    }
    return program;
}

static void record(struct ag_exec *exec, const struct ag_compute_pipeline *pipeline,
                   const struct ag_bound_group *group, const struct ag_bound_group *internal,
                   const struct ag_dispatch *dispatch)
{
    const uint32_t *groups = dispatch->groups;
    WGPUBindGroup empty = ag_bind_empty(exec);
    ag_load_add_binding(exec, group->offset_count);
    ag_load_add_binding(exec, internal ? internal->offset_count : 0);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(ag_exec_encoder(exec), NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline->gpu);
    wgpuComputePassEncoderSetBindGroup(pass, 0, empty, 0, NULL);
    wgpuComputePassEncoderSetBindGroup(pass, 1, empty, 0, NULL);
    wgpuComputePassEncoderSetBindGroup(pass, AG_GROUP_COMPUTE, group->gpu, group->offset_count,
                                       group->offsets);
    if (internal)
        wgpuComputePassEncoderSetBindGroup(pass, AG_GROUP_INTERNAL, internal->gpu, internal->offset_count,
                                           internal->offsets);
    if (dispatch->arguments)
        wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass, dispatch->arguments, 0);
    else
        wgpuComputePassEncoderDispatchWorkgroups(pass, groups[0], groups[1], groups[2]);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

enum agpu_status ag_dispatch(struct ag_exec *exec, enum agpu_stage stage, const struct ag_dispatch *dispatch)
{
    const uint32_t *groups = dispatch->groups;
    struct ag_context *context = exec->context;
    struct ag_bound_group group, internal;
    struct ag_draw_block block;
    struct ag_uav_aliases aliases;
    bool failed = false;
    if (!dispatch->arguments && (groups[0] == 0 || groups[1] == 0 || groups[2] == 0))
        return AGPU_OK;
    struct ag_shader_program *program = find_program(exec, context, stage);
    if (!program)
        return AGPU_REFUSED;
    uint32_t limit = exec->limits.maxComputeWorkgroupsPerDimension;
    if (groups[0] > limit || groups[1] > limit || groups[2] > limit) {
        ag_exec_report(exec, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                       "a dispatch of %" PRIu32 "x%" PRIu32 "x%" PRIu32
                       " groups is skipped: the limit is %" PRIu32,
                       groups[0], groups[1], groups[2], limit);
        return AGPU_OK;
    }
    const uint32_t *thread_group = program->facts.thread_group;
    if (!ag_work_check_dispatch(exec, groups, thread_group))
        return AGPU_OK;
    ag_uavs_resolve(exec, context, stage);
    ag_uavs_alias(context, stage, program, &aliases);
    const struct ag_sampler_bits samplers = ag_samplers_bits(exec, context, stage, program);
    struct ag_compute_pipeline *pipeline = ag_compute_pipeline_get(exec, program, &aliases, &samplers);
    if (!pipeline)
        return AGPU_OK;
    memset(&block, 0, sizeof block);
    if (!ag_bind_stage(exec, context, stage, pipeline->variant, program, &block, &group, &failed))
        return failed ? AGPU_REFUSED : AGPU_OK;
    wgpuBindGroupAddRef(group.gpu);
    bool uses_block = pipeline->variant->module->uses_draw_block;
    if ((!uses_block || ag_bind_draw_block(exec, &block, &internal)) &&
        ag_uavs_load(exec, context, stage, pipeline->variant->module) &&
        (!dispatch->arguments || ag_work_bound(exec, dispatch->arguments, thread_group))) {
        record(exec, pipeline, &group, uses_block ? &internal : NULL, dispatch);
        ag_uavs_store(exec, context, stage, pipeline->variant->module);
        ag_queries_count_dispatch(exec, groups, thread_group);
        exec->counts.dispatches++;
    }
    wgpuBindGroupRelease(group.gpu);
    return AGPU_OK;
}
