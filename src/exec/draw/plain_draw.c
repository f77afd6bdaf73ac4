/* SPDX-License-Identifier: MIT */
#include "exec/draw/plain_draw.h"

#include <string.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/bind.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/uav.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/index.h"
#include "exec/draw/kept_draw.h"
#include "exec/draw/raster.h"
#include "exec/draw/vertex_pull.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/object/sample_count.h"
#include "exec/record/bind_group.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/state/state.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

/* ---- Preparation -------------------------------------------------------------------------------------- */

/* A group without bindings, of a stage that has none. */
static enum ag_outcome bind_nothing(struct ag_drawer *drawer, struct ag_bound_group *group)
{
    group->offset_count = 0;
    group->gpu = ag_bind_group_empty(drawer->recorder);
    return group->gpu ? AG_DONE : AG_OUT_OF_MEMORY;
}

static enum ag_outcome bind_group(struct ag_drawer *drawer, struct ag_context *context,
                                  struct ag_prepared_draw *prepared, uint32_t index,
                                  struct ag_bound_group *group)
{
    const struct ag_pipeline *pipeline = prepared->pipeline;
    struct ag_draw_block *block = &prepared->block;
    switch (index) {
    case AG_GROUP_VERTEX:
        return ag_bind_stage(drawer->binder, context, AGPU_STAGE_VERTEX, pipeline->vertex,
                             pipeline->vertex_program, block, group);
    case AG_GROUP_PIXEL:
        if (pipeline->pixel_program)
            return ag_bind_stage(drawer->binder, context, AGPU_STAGE_PIXEL, pipeline->pixel,
                                 pipeline->pixel_program, block, group);
        return bind_nothing(drawer, group);
    case AG_GROUP_INTERNAL:
        return ag_bind_draw_block(drawer->binder, block, group);
    default:
        return bind_nothing(drawer, group);
    }
}

enum ag_outcome ag_prepared_draw_bind(struct ag_drawer *drawer, struct ag_context *context,
                                      struct ag_prepared_draw *prepared, uint32_t index)
{
    struct ag_bound_group group;
    const enum ag_outcome outcome = bind_group(drawer, context, prepared, index, &group);
    if (outcome != AG_DONE)
        return outcome;
    wgpuBindGroupAddRef(group.gpu);
    ag_prepared_draw_let_go(prepared, index);
    prepared->groups[index] = group;
    prepared->held |= UINT32_C(1) << index;
    return AG_DONE;
}

void ag_prepared_draw_release(struct ag_prepared_draw *prepared)
{
    for (uint32_t i = 0; i < AG_COUNT_OF(prepared->groups); i++) {
        ag_prepared_draw_let_go(prepared, i);
        prepared->groups[i].gpu = NULL;
    }
    prepared->recorded = false;
}

void ag_prepared_draw_clear(struct ag_prepared_draw *prepared)
{
    ag_prepared_draw_release(prepared);
    memset(prepared, 0, sizeof *prepared);
}

static enum ag_outcome bind_groups(struct ag_drawer *drawer, struct ag_context *context,
                                   struct ag_prepared_draw *prepared)
{
    prepared->group_count = prepared->pipeline->uses_draw_block ? 4 : 2;
    prepared->groups_destroyed = drawer->recorder->groups_destroyed;
    ag_draw_block_begin(&prepared->draw, context, &prepared->area, &prepared->attachments, &prepared->block);
    for (uint32_t i = 0; i < prepared->group_count; i++) {
        const enum ag_outcome outcome = ag_prepared_draw_bind(drawer, context, prepared, i);
        if (outcome != AG_DONE)
            return outcome;
    }
    return AG_DONE;
}

static enum ag_outcome fetch_vertices(struct ag_drawer *drawer, struct ag_context *context,
                                      const struct ag_draw *draw, struct ag_prepared_draw *prepared)
{
    const struct ag_vertex_state *state = &prepared->pipeline->key.vertex;
    prepared->draw = *draw;
    if (state->pulled)
        return ag_vertex_pull(drawer, context, state, &prepared->draw, prepared->vertices, &prepared->pulled);
    return ag_vertex_sources_init(drawer->binder, context, state, prepared->vertices);
}

static enum ag_outcome load_uavs(struct ag_drawer *drawer, struct ag_context *context,
                                 struct ag_prepared_draw *prepared)
{
    prepared->writers.stage = AGPU_STAGE_PIXEL;
    ag_uav_writers_add(&prepared->writers, ag_pipeline_writes(prepared->pipeline));
    return prepared->writers.count ? ag_uavs_load(drawer->binder, context, &prepared->writers) : AG_DONE;
}

static enum ag_outcome prepare(struct ag_drawer *drawer, struct ag_context *context,
                               const struct ag_draw *draw, struct ag_prepared_draw *prepared)
{
    WGPUIndexFormat strip = WGPUIndexFormat_Undefined;
    prepared->visible =
        ag_raster_area_init(context, 0, prepared->attachments.width, prepared->attachments.height,
                            drawer->host->limits.maxTextureDimension2D, &prepared->area);
    enum ag_outcome outcome = ag_index_source_init(drawer, context, draw, &prepared->indices);
    if (outcome != AG_DONE)
        return outcome;
    uint32_t topology = prepared->indices.topology;
    if (draw->indexed && ag_topology_is_strip(topology))
        strip = prepared->indices.format;
    outcome = ag_pipeline_get(drawer->binder, context, draw, &prepared->attachments, topology, strip,
                              &prepared->pipeline);
    if (outcome == AG_DONE)
        outcome = ag_index_source_make(drawer, context, draw, &prepared->indices);
    if (outcome == AG_DONE)
        outcome = ag_targets_pull(drawer, &prepared->attachments);
    if (outcome == AG_DONE)
        outcome = fetch_vertices(drawer, context, draw, prepared);
    if (outcome == AG_DONE && prepared->indices.strips)
        outcome = ag_index_source_strip(drawer, context, &prepared->draw, &prepared->indices);
    if (outcome == AG_DONE)
        outcome = bind_groups(drawer, context, prepared);
    if (outcome == AG_DONE)
        outcome = load_uavs(drawer, context, prepared);
    return outcome;
}

/* ---- Recording ---------------------------------------------------------------------------------------- */

static void record(struct ag_drawer *drawer, const struct ag_context *context,
                   const struct ag_prepared_draw *prepared)
{
    const struct ag_draw *draw = &prepared->draw;
    ag_pipeline_wait_forbid(drawer->binder);
    WGPURenderPassEncoder encoder = ag_pass_begin(drawer->recorder, &prepared->attachments);
    const struct ag_index_source *indices = &prepared->indices;
    ag_draw_set_pipeline(drawer, prepared->pipeline->gpu);
    ag_draw_set_state(drawer, context, prepared->pipeline, &prepared->area);
    ag_draw_set_groups(drawer, prepared->groups, (1u << prepared->group_count) - 1);
    ag_draw_set_vertices(drawer, prepared->vertices, prepared->pipeline->vertex_state.buffer_count);
    ag_throttle_add_draw(drawer->recorder, drawer->texels, (uint64_t)draw->count * draw->instance_count);
    if (!indices->buffer) {
        wgpuRenderPassEncoderDraw(encoder, draw->count, draw->instance_count, draw->first,
                                  draw->first_instance);
        return;
    }
    ag_draw_set_indices(drawer, indices);
    if (indices->arguments) {
        wgpuRenderPassEncoderDrawIndexedIndirect(encoder, indices->arguments, 0);
        return;
    }
    wgpuRenderPassEncoderDrawIndexed(encoder, indices->count, draw->instance_count, indices->first,
                                     draw->indexed ? draw->base_vertex : (int32_t)draw->first,
                                     draw->first_instance);
}

enum ag_outcome ag_plain_draw(struct ag_drawer *drawer, struct ag_context *context,
                              const struct ag_draw *draw, const struct ag_attachments *attachments)
{
    struct ag_prepared_draw *prepared = &drawer->kept->prepared;
    ag_prepared_draw_clear(prepared);
    memcpy(&prepared->attachments, attachments, sizeof *attachments);
    const enum ag_outcome outcome = prepare(drawer, context, draw, prepared);
    prepared->recorded = outcome == AG_DONE && prepared->visible &&
                         ag_samples_host_mask(attachments->sample_count, context->sample_mask) &&
                         (!prepared->indices.buffer || prepared->indices.count);
    if (!prepared->recorded)
        return outcome;
    if (prepared->writers.count)
        ag_pass_end(drawer->recorder);
    record(drawer, context, prepared);
    ag_targets_written(&prepared->attachments);
    if (prepared->writers.count) {
        ag_pass_end(drawer->recorder);
        ag_uavs_store(drawer->binder, context, &prepared->writers);
    }
    return outcome;
}
