/* SPDX-License-Identifier: MIT */
#include "exec/draw.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/expand_draw.h"

/* All that a draw needs, made before its pass is opened: making it may end the pass. */
struct prepared_draw {
    struct ag_attachments attachments;
    struct ag_raster_area area;
    bool visible; /* the area is not empty */
    struct ag_index_source indices;
    struct ag_draw draw; /* the guest's, or the one that reads pulled vertices */
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

static bool bind_groups(struct ag_exec *exec, struct ag_context *context, struct prepared_draw *prepared,
                        bool *failed)
{
    const struct ag_pipeline *pipeline = prepared->pipeline;
    struct ag_draw_block block;
    ag_draw_block_begin(&prepared->draw, context, &prepared->area, prepared->attachments.sample_count,
                        &block);
    if (!ag_bind_stage(exec, context, AGPU_STAGE_VERTEX, pipeline->vertex, pipeline->vertex_program, &block,
                       &prepared->groups[0], failed))
        return false;
    keep_group(prepared, 0);
    prepared->groups[1].offset_count = 0;
    if (!pipeline->pixel_program)
        prepared->groups[1].gpu = ag_bind_empty(exec);
    else if (!ag_bind_stage(exec, context, AGPU_STAGE_PIXEL, pipeline->pixel, pipeline->pixel_program, &block,
                            &prepared->groups[1], failed))
        return false;
    if (!prepared->groups[1].gpu)
        return false;
    keep_group(prepared, 1);
    if (!pipeline->uses_draw_block)
        return true;
    prepared->groups[2].offset_count = 0;
    prepared->groups[2].gpu = ag_bind_empty(exec);
    if (!prepared->groups[2].gpu)
        return false;
    keep_group(prepared, 2);
    if (!ag_bind_draw_block(exec, &block, &prepared->groups[3]))
        return false;
    keep_group(prepared, 3);
    return true;
}

static bool fetch_vertices(struct ag_exec *exec, struct ag_context *context, const struct ag_draw *draw,
                           struct prepared_draw *prepared, bool *failed)
{
    const struct ag_vertex_state *state = &prepared->pipeline->key.vertex;
    prepared->draw = *draw;
    if (state->pulled)
        return ag_vertex_pull(exec, context, state, &prepared->draw, prepared->vertices, failed);
    return ag_vertex_sources_init(exec, context, state, prepared->vertices, failed);
}

static bool load_uavs(struct ag_exec *exec, struct ag_context *context, const struct prepared_draw *prepared)
{
    const struct agpu_module *module = ag_pipeline_writes(prepared->pipeline);
    return !module || ag_uavs_load(exec, context, AGPU_STAGE_PIXEL, module);
}

static bool prepare(struct ag_exec *exec, struct ag_context *context, const struct ag_draw *draw,
                    struct prepared_draw *prepared, bool *failed)
{
    WGPUIndexFormat strip = WGPUIndexFormat_Undefined;
    prepared->visible =
        ag_raster_area_init(context, 0, prepared->attachments.width, prepared->attachments.height,
                            exec->limits.maxTextureDimension2D, &prepared->area);
    if (!ag_index_source_init(exec, context, draw, &prepared->indices, failed))
        return false;
    uint32_t topology = prepared->indices.topology;
    if (draw->indexed && (topology == AG_TOPOLOGY_LINE_STRIP || topology == AG_TOPOLOGY_TRIANGLE_STRIP))
        strip = prepared->indices.format;
    prepared->pipeline =
        ag_pipeline_get(exec, context, draw, &prepared->attachments, topology, strip, failed);
    if (!prepared->pipeline)
        return false;
    if (!ag_targets_pull(exec, &prepared->attachments)) {
        *failed = true;
        return false;
    }
    return fetch_vertices(exec, context, draw, prepared, failed) &&
           bind_groups(exec, context, prepared, failed) && load_uavs(exec, context, prepared);
}

/* ---- Recording ---------------------------------------------------------------------------------------- */

static void record(struct ag_exec *exec, const struct ag_context *context,
                   const struct prepared_draw *prepared)
{
    const struct ag_draw *draw = &prepared->draw;
    WGPURenderPassEncoder encoder = ag_pass_begin(exec, &prepared->attachments);
    const struct ag_index_source *indices = &prepared->indices;
    ag_draw_set_pipeline(exec, prepared->pipeline->gpu);
    ag_draw_set_state(exec, context, &prepared->area);
    ag_draw_set_groups(exec, prepared->groups, prepared->group_count);
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

static bool draw_into(struct ag_exec *exec, const struct ag_draw *draw, bool expanded,
                      const struct ag_attachments *attachments, bool *failed)
{
    struct ag_context *context = exec->context;
    if (expanded)
        return ag_draw_expanded(exec, context, draw, attachments, failed);
    struct prepared_draw prepared;
    memset(&prepared, 0, sizeof prepared);
    memcpy(&prepared.attachments, attachments, sizeof *attachments);
    bool drawn = prepare(exec, context, draw, &prepared, failed);
    bool visible = drawn && prepared.visible &&
                   ag_samples_host_mask(attachments->sample_count, context->sample_mask) &&
                   (!prepared.indices.buffer || prepared.indices.count);
    if (visible) {
        const struct agpu_module *module = ag_pipeline_writes(prepared.pipeline);
        if (module)
            ag_pass_end(exec);
        record(exec, context, &prepared);
        ag_targets_written(&prepared.attachments);
        if (module) {
            ag_pass_end(exec);
            ag_uavs_store(exec, context, AGPU_STAGE_PIXEL, module);
        }
    }
    release_groups(&prepared);
    return drawn;
}

/* A draw that is made several times may not store several times. */
static bool stores_nothing(struct ag_exec *exec)
{
    const struct ag_shader_program *pixel = ag_shader_at(exec, exec->context, AGPU_STAGE_PIXEL);
    if (!pixel || !pixel->has_uavs)
        return true;
    ag_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                         "a pixel shader that writes buffers has more colour targets than fit in one pass");
    return false;
}

/* Draws into some of the targets after the others: every part tests against depth as it was before. */
static bool draw_in_parts(struct ag_exec *exec, const struct ag_draw *draw, bool expanded,
                          const struct ag_attachments *attachments, bool *failed)
{
    struct ag_attachments parts[AGPU_MAX_RENDER_TARGETS];
    struct ag_texture *depths[AGPU_MAX_RENDER_TARGETS] = {0};
    uint32_t count = ag_attachments_split(attachments, exec->limits.maxColorAttachmentBytesPerSample, parts);
    bool drawn = stores_nothing(exec);
    for (uint32_t i = 1; i < count && drawn && attachments->depth; i++) {
        depths[i] = ag_attachments_copy_depth(exec, attachments->depth);
        drawn = depths[i] != NULL;
        if (drawn)
            parts[i].depth = &depths[i]->whole;
    }
    for (uint32_t i = 0; i < count && drawn; i++) {
        exec->queries.paused = i > 0; /* the guest sees one draw */
        drawn = draw_into(exec, draw, expanded, &parts[i], failed);
    }
    exec->queries.paused = false;
    for (uint32_t i = 1; i < count; i++)
        ag_texture_destroy(exec, depths[i]);
    return drawn;
}

static bool check_vertex_shader(struct ag_exec *exec, const struct ag_context *context, bool *failed)
{
    if (ag_shader_at(exec, context, AGPU_STAGE_VERTEX))
        return true;
    ag_draw_needs_vertex_shader(exec, failed);
    return false;
}

static bool make_attachments(struct ag_exec *exec, struct ag_context *context,
                             struct ag_attachments *attachments, bool *failed)
{
    memset(attachments, 0, sizeof *attachments);
    return ag_stream_output_only(exec, context) || ag_attachments_init(exec, context, attachments, failed);
}

enum agpu_status ag_draw(struct ag_exec *exec, const struct ag_draw *draw)
{
    struct ag_context *context = exec->context;
    struct ag_attachments attachments;
    bool failed = false, drawn = false, expanded = false;
    if (draw->count == 0 || draw->instance_count == 0)
        return AGPU_OK;
    exec->draw_number++;
    if (!ag_work_check_draw(exec, draw)) {
        exec->counts.draws_skipped++;
        return AGPU_OK;
    }
    ag_uavs_resolve(exec, context, AGPU_STAGE_PIXEL);
    if (make_attachments(exec, context, &attachments, &failed) &&
        ag_expansion_decide(exec, context, draw, &attachments, &expanded, &failed)) {
        bool fits = ag_attachments_bytes(&attachments) <= exec->limits.maxColorAttachmentBytesPerSample;
        if (!attachments.color_count && !attachments.depth && !ag_stream_output_active(exec, context))
            drawn = check_vertex_shader(exec, context, &failed); /* nothing of it can be seen */
        else
            drawn = fits ? draw_into(exec, draw, expanded, &attachments, &failed)
                         : draw_in_parts(exec, draw, expanded, &attachments, &failed);
    }
    if (drawn) {
        exec->counts.draws++;
        ag_queries_count_draw(exec, context, draw);
    } else {
        exec->counts.draws_skipped++;
    }
    return failed ? AGPU_REFUSED : AGPU_OK;
}
