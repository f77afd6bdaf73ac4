/* SPDX-License-Identifier: MIT */
#include "exec/draw/dispatch.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "exec/bind/bind.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/bind/uav.h"
#include "exec/draw/drawer.h"
#include "exec/draw/statistics.h"
#include "exec/draw/work_limits.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/throttle.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

static struct ag_shader_program *find_program(struct ag_drawer *drawer, const struct ag_context *context,
                                              enum agpu_stage stage)
{
    struct ag_shader_program *program = ag_shader_at(drawer->binder, context, stage);
    if (!program)
        ag_host_fail_handle(drawer->host, AG_SPACE_SHADERS, context->shaders[stage],
                            "a dispatch needs a %s; handle %" PRIu32 " names none", agpu_stage_name(stage),
                            context->shaders[stage]);
    else if (program->shader->program.stage != AGPU_STAGE_COMPUTE) {
        ag_host_fail(drawer->host, AGPU_DIAG_EXEC_ARGUMENT, "a dispatch cannot run a %s shader",
                     agpu_stage_name(program->shader->program.stage));
        return NULL;
    }
    return program;
}

static void record(struct ag_drawer *drawer, const struct ag_compute_pipeline *pipeline,
                   const struct ag_bound_group *group, const struct ag_bound_group *internal,
                   const struct ag_dispatch *dispatch)
{
    const uint32_t *groups = dispatch->groups;
    WGPUBindGroup empty = ag_bind_empty(drawer->recorder);
    ag_throttle_add_binding(drawer->recorder, group->offset_count);
    ag_throttle_add_binding(drawer->recorder, internal ? internal->offset_count : 0);
    WGPUComputePassEncoder pass = ag_compute_pass_begin(ag_recorder_encoder(drawer->recorder), "dispatch");
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

enum agpu_status ag_dispatch(struct ag_drawer *drawer, struct ag_context *context, enum agpu_stage stage,
                             const struct ag_dispatch *dispatch)
{
    const uint32_t *groups = dispatch->groups;
    struct ag_bound_group group, internal;
    struct ag_draw_block block;
    struct ag_uav_aliases aliases;
    bool failed = false;
    if (!dispatch->arguments && (groups[0] == 0 || groups[1] == 0 || groups[2] == 0))
        return AGPU_OK;
    struct ag_shader_program *program = find_program(drawer, context, stage);
    if (!program)
        return AGPU_REFUSED;
    uint32_t limit = drawer->host->limits.maxComputeWorkgroupsPerDimension;
    if (groups[0] > limit || groups[1] > limit || groups[2] > limit) {
        ag_host_report(drawer->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                       "a dispatch of %" PRIu32 "x%" PRIu32 "x%" PRIu32
                       " groups is skipped: the limit is %" PRIu32,
                       groups[0], groups[1], groups[2], limit);
        return AGPU_OK;
    }
    const uint32_t *thread_group = program->facts.thread_group;
    if (!ag_work_limits_check_dispatch(drawer, groups, thread_group))
        return AGPU_OK;
    ag_uavs_resolve(drawer->binder, context, stage);
    ag_uavs_alias(context, stage, program, &aliases);
    const struct ag_sampler_bits samplers = ag_samplers_bits(drawer->binder, context, stage, program);
    struct ag_compute_pipeline *pipeline =
        ag_compute_pipeline_get(drawer->binder, program, &aliases, &samplers);
    if (!pipeline)
        return AGPU_OK;
    memset(&block, 0, sizeof block);
    if (!ag_bind_stage(drawer->binder, context, stage, pipeline->variant, program, &block, &group, &failed))
        return failed ? AGPU_REFUSED : AGPU_OK;
    wgpuBindGroupAddRef(group.gpu);
    bool uses_block = pipeline->variant->module->uses_draw_block;
    if ((!uses_block || ag_bind_draw_block(drawer->binder, &block, &internal)) &&
        ag_uavs_load(drawer->binder, context, stage, pipeline->variant->module) &&
        (!dispatch->arguments || ag_work_limits_bound_indirect(drawer, dispatch->arguments, thread_group))) {
        record(drawer, pipeline, &group, uses_block ? &internal : NULL, dispatch);
        ag_uavs_store(drawer->binder, context, stage, pipeline->variant->module);
        ag_queries_count_dispatch(drawer, groups, thread_group);
        drawer->host->counts.dispatches++;
    }
    wgpuBindGroupRelease(group.gpu);
    return AGPU_OK;
}
