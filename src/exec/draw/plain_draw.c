/* SPDX-License-Identifier: MIT */
#include "exec/draw/plain_draw.h"

#include <string.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/bind.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/uav.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/index.h"
#include "exec/draw/raster.h"
#include "exec/draw/vertex_pull.h"
#include "exec/host/host.h"
#include "exec/object/sample_count.h"
#include "exec/record/bind_group.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/state/state.h"
#include "gpu/webgpu.h"

/* Everything that a draw needs. All of it is made before the render pass, since making it may end an open
 * pass. */
struct prepared_draw {
    struct ag_attachments attachments;
    struct ag_raster_area area;
    bool visible; /* viewport and scissor leave some texels */
    struct ag_index_source indices;
    struct ag_draw draw; /* the guest's draw, changed when it reads pulled vertices */
    struct ag_pipeline *pipeline;
    struct ag_vertex_source vertices[AG_MAX_VERTEX_BUFFERS];
    struct ag_bound_group groups[4];
    uint32_t group_count;
};

/* ---- Preparation -------------------------------------------------------------------------------------- */

static void keep_group(struct prepared_draw *prepared, uint32_t index)
{
    wgpuBindGroupAddRef(prepared->groups[index].gpu);
    prepared->group_count = index + 1;
}

static void release_groups(struct prepared_draw *prepared)
{
    for (uint32_t i = 0; i < prepared->group_count; i++)
        wgpuBindGroupRelease(prepared->groups[i].gpu);
}

static bool bind_groups(struct ag_drawer *drawer, struct ag_context *context, struct prepared_draw *prepared,
                        bool *failed)
{
    const struct ag_pipeline *pipeline = prepared->pipeline;
    struct ag_draw_block block;
    ag_draw_block_begin(&prepared->draw, context, &prepared->area, prepared->attachments.sample_count,
                        &block);
    if (!ag_bind_stage(drawer->binder, context, AGPU_STAGE_VERTEX, pipeline->vertex, pipeline->vertex_program,
                       &block, &prepared->groups[0], failed))
        return false;
    keep_group(prepared, 0);
    prepared->groups[1].offset_count = 0;
    if (!pipeline->pixel_program)
        prepared->groups[1].gpu = ag_bind_empty(drawer->recorder);
    else if (!ag_bind_stage(drawer->binder, context, AGPU_STAGE_PIXEL, pipeline->pixel,
                            pipeline->pixel_program, &block, &prepared->groups[1], failed))
        return false;
    if (!prepared->groups[1].gpu)
        return false;
    keep_group(prepared, 1);
    if (!pipeline->uses_draw_block)
        return true;
    prepared->groups[2].offset_count = 0;
    prepared->groups[2].gpu = ag_bind_empty(drawer->recorder);
    if (!prepared->groups[2].gpu)
        return false;
    keep_group(prepared, 2);
    if (!ag_bind_draw_block(drawer->binder, &block, &prepared->groups[3]))
        return false;
    keep_group(prepared, 3);
    return true;
}

static bool fetch_vertices(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw,
                           struct prepared_draw *prepared, bool *failed)
{
    const struct ag_vertex_state *state = &prepared->pipeline->key.vertex;
    prepared->draw = *draw;
    if (state->pulled)
        return ag_vertex_pull(drawer, context, state, &prepared->draw, prepared->vertices, failed);
    return ag_vertex_sources_init(drawer->binder, context, state, prepared->vertices, failed);
}

static bool load_uavs(struct ag_drawer *drawer, struct ag_context *context,
                      const struct prepared_draw *prepared)
{
    const struct agpu_module *module = ag_pipeline_writes(prepared->pipeline);
    return !module || ag_uavs_load(drawer->binder, context, AGPU_STAGE_PIXEL, module);
}

static bool prepare(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw,
                    struct prepared_draw *prepared, bool *failed)
{
    WGPUIndexFormat strip = WGPUIndexFormat_Undefined;
    prepared->visible =
        ag_raster_area_init(context, 0, prepared->attachments.width, prepared->attachments.height,
                            drawer->host->limits.maxTextureDimension2D, &prepared->area);
    if (!ag_index_source_init(drawer, context, draw, &prepared->indices, failed))
        return false;
    uint32_t topology = prepared->indices.topology;
    if (draw->indexed && (topology == AG_TOPOLOGY_LINE_STRIP || topology == AG_TOPOLOGY_TRIANGLE_STRIP))
        strip = prepared->indices.format;
    prepared->pipeline =
        ag_pipeline_get(drawer->binder, context, draw, &prepared->attachments, topology, strip, failed);
    if (!prepared->pipeline)
        return false;
    if (!ag_targets_pull(drawer, &prepared->attachments)) {
        *failed = true;
        return false;
    }
    return fetch_vertices(drawer, context, draw, prepared, failed) &&
           bind_groups(drawer, context, prepared, failed) && load_uavs(drawer, context, prepared);
}

/* ---- Recording ---------------------------------------------------------------------------------------- */

static void record(struct ag_drawer *drawer, const struct ag_context *context,
                   const struct prepared_draw *prepared)
{
    const struct ag_draw *draw = &prepared->draw;
    WGPURenderPassEncoder encoder = ag_pass_begin(drawer->recorder, &prepared->attachments);
    const struct ag_index_source *indices = &prepared->indices;
    ag_draw_set_pipeline(drawer, prepared->pipeline->gpu);
    ag_draw_set_state(drawer, context, &prepared->area);
    ag_draw_set_groups(drawer, prepared->groups, prepared->group_count);
    for (uint32_t i = 0; i < prepared->pipeline->vertex_state.buffer_count; i++)
        wgpuRenderPassEncoderSetVertexBuffer(encoder, i, prepared->vertices[i].buffer,
                                             prepared->vertices[i].offset, prepared->vertices[i].size);
    if (!indices->buffer) {
        wgpuRenderPassEncoderDraw(encoder, draw->count, draw->instance_count, draw->first,
                                  draw->first_instance);
        return;
    }
    wgpuRenderPassEncoderSetIndexBuffer(encoder, indices->buffer, indices->format, indices->offset,
                                        indices->size);
    if (indices->arguments) {
        wgpuRenderPassEncoderDrawIndexedIndirect(encoder, indices->arguments, 0);
        return;
    }
    wgpuRenderPassEncoderDrawIndexed(encoder, indices->count, draw->instance_count, indices->first,
                                     draw->indexed ? draw->base_vertex : (int32_t)draw->first,
                                     draw->first_instance);
}

bool ag_plain_draw(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw,
                   const struct ag_attachments *attachments, bool *failed)
{
    struct prepared_draw prepared;
    memset(&prepared, 0, sizeof prepared);
    memcpy(&prepared.attachments, attachments, sizeof *attachments);
    bool drawn = prepare(drawer, context, draw, &prepared, failed);
    bool visible = drawn && prepared.visible &&
                   ag_samples_host_mask(attachments->sample_count, context->sample_mask) &&
                   (!prepared.indices.buffer || prepared.indices.count);
    if (visible) {
        const struct agpu_module *module = ag_pipeline_writes(prepared.pipeline);
        if (module)
            ag_pass_end(drawer->recorder);
        record(drawer, context, &prepared);
        ag_targets_written(&prepared.attachments);
        if (module) {
            ag_pass_end(drawer->recorder);
            ag_uavs_store(drawer->binder, context, AGPU_STAGE_PIXEL, module);
        }
    }
    release_groups(&prepared);
    return drawn;
}
