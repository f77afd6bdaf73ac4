/* SPDX-License-Identifier: MIT */
#include "exec/draw.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"

/* All that a draw needs, made before its pass is opened: making it may end the pass. */
struct prepared_draw {
    struct agpu_attachments attachments;
    struct agpu_raster_area area;
    bool visible; /* the area is not empty */
    struct agpu_index_source indices;
    struct agpu_draw draw; /* the guest's, or the one that reads pulled vertices */
    struct agpu_pipeline *pipeline;
    struct agpu_vertex_source vertices[AGPU_MAX_VERTEX_BUFFERS];
    struct agpu_bound_group groups[4];
    uint32_t group_count;
};

/* ---- Preparation -------------------------------------------------------------------------------------- */

static bool check_expansion(struct agpu_exec *exec, const struct agpu_context *context)
{
    static const enum agpu_stage stages[] = {AGPU_STAGE_GEOMETRY, AGPU_STAGE_HULL, AGPU_STAGE_DOMAIN};
    const char *what = NULL;
    for (uint32_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (context->shaders[stages[i]])
            what = agpu_stage_name(stages[i]);
    if (!context->shaders[AGPU_STAGE_HULL] != !context->shaders[AGPU_STAGE_DOMAIN]) {
        agpu_exec_report(exec, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                         "a hull shader without a domain shader, or the reverse: the draw is skipped");
        return false;
    }
    if (what) {
        agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED, "draws with a %s are not supported", what);
        return false;
    }
    if (context->topology >= AEROGPU_TOPOLOGY_PATCHLIST_1) {
        agpu_exec_report(exec, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                         "patches without a hull and a domain shader: the draw is skipped");
        return false;
    }
    return true;
}

static void begin_draw_block(const struct agpu_draw *draw, const struct agpu_context *context,
                             const struct agpu_raster_area *area, struct agpu_draw_block *block)
{
    memset(block, 0, sizeof *block);
    agpu_store_u32(block->bytes + AGPU_DRAW_BLOCK_BASE_VERTEX,
                   draw->indexed ? (uint32_t)draw->base_vertex : draw->first);
    agpu_store_u32(block->bytes + AGPU_DRAW_BLOCK_BASE_INSTANCE, draw->first_instance);
    agpu_store_u32(block->bytes + AGPU_DRAW_BLOCK_SAMPLE_MASK, context->sample_mask);
    agpu_store_u32(block->bytes + AGPU_DRAW_BLOCK_DEPTH_RANGE,
                   agpu_bits_from_float(area->viewport.min_depth));
    agpu_store_u32(block->bytes + AGPU_DRAW_BLOCK_DEPTH_RANGE + 4,
                   agpu_bits_from_float(area->viewport.max_depth));
    agpu_store_u32(block->bytes + AGPU_DRAW_BLOCK_SAMPLE_COUNT, 1);
    float range = area->viewport.max_depth - area->viewport.min_depth;
    agpu_store_u32(block->bytes + AGPU_DRAW_BLOCK_DEPTH_BIAS,
                   agpu_bits_from_float(range > 0 ? agpu_depth_bias_of(&context->rasterizer) / range : 0));
}

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

static bool bind_groups(struct agpu_exec *exec, struct agpu_context *context, struct prepared_draw *prepared,
                        bool *failed)
{
    const struct agpu_pipeline *pipeline = prepared->pipeline;
    struct agpu_draw_block block;
    begin_draw_block(&prepared->draw, context, &prepared->area, &block);
    if (!agpu_bind_stage(exec, context, AGPU_STAGE_VERTEX, pipeline->vertex, pipeline->vertex_program, &block,
                         &prepared->groups[0], failed))
        return false;
    keep_group(prepared, 0);
    prepared->groups[1].offset_count = 0;
    if (!pipeline->pixel)
        prepared->groups[1].gpu = agpu_bind_empty(exec);
    else if (!agpu_bind_stage(exec, context, AGPU_STAGE_PIXEL, pipeline->pixel, pipeline->pixel_program,
                              &block, &prepared->groups[1], failed))
        return false;
    if (!prepared->groups[1].gpu)
        return false;
    keep_group(prepared, 1);
    if (!pipeline->uses_draw_block)
        return true;
    prepared->groups[2].offset_count = 0;
    prepared->groups[2].gpu = agpu_bind_empty(exec);
    if (!prepared->groups[2].gpu)
        return false;
    keep_group(prepared, 2);
    if (!agpu_bind_draw_block(exec, &block, &prepared->groups[3]))
        return false;
    keep_group(prepared, 3);
    return true;
}

/* Guest bytes of the targets come in before anything is drawn over them. */
static bool pull_targets(struct agpu_exec *exec, const struct agpu_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (attachments->colors[i] && !agpu_texture_pull(exec, attachments->colors[i]->texture))
            return false;
    return !attachments->depth || agpu_texture_pull(exec, attachments->depth->texture);
}

static bool fetch_vertices(struct agpu_exec *exec, struct agpu_context *context, const struct agpu_draw *draw,
                           struct prepared_draw *prepared, bool *failed)
{
    const struct agpu_vertex_state *state = &prepared->pipeline->key.vertex;
    prepared->draw = *draw;
    if (state->pulled)
        return agpu_vertex_pull(exec, context, state, &prepared->draw, prepared->vertices, failed);
    return agpu_vertex_sources_init(exec, context, state, prepared->vertices, failed);
}

/* The draw's own module, when it may write memory. */
static const struct agpu_module *writing_module(const struct agpu_pipeline *pipeline)
{
    return pipeline->pixel && agpu_uavs_used(pipeline->pixel->module) ? pipeline->pixel->module : NULL;
}

static bool load_counters(struct agpu_exec *exec, struct agpu_context *context,
                          const struct prepared_draw *prepared)
{
    const struct agpu_module *module = writing_module(prepared->pipeline);
    return !module || agpu_counters_load(exec, context, AGPU_STAGE_PIXEL, module);
}

static bool prepare(struct agpu_exec *exec, struct agpu_context *context, const struct agpu_draw *draw,
                    struct prepared_draw *prepared, bool *failed)
{
    WGPUIndexFormat strip = WGPUIndexFormat_Undefined;
    prepared->visible =
        agpu_raster_area_init(context, prepared->attachments.width, prepared->attachments.height,
                              exec->limits.maxTextureDimension2D, &prepared->area);
    if (!agpu_index_source_init(exec, context, draw, &prepared->indices, failed))
        return false;
    uint32_t topology = prepared->indices.topology;
    if (draw->indexed && (topology == AGPU_TOPOLOGY_LINE_STRIP || topology == AGPU_TOPOLOGY_TRIANGLE_STRIP))
        strip = prepared->indices.format;
    prepared->pipeline =
        agpu_pipeline_get(exec, context, draw, &prepared->attachments, topology, strip, failed);
    if (!prepared->pipeline)
        return false;
    if (!pull_targets(exec, &prepared->attachments)) {
        *failed = true;
        return false;
    }
    return fetch_vertices(exec, context, draw, prepared, failed) &&
           bind_groups(exec, context, prepared, failed) && load_counters(exec, context, prepared);
}

/* ---- Recording ---------------------------------------------------------------------------------------- */

static void set_dynamic_state(struct agpu_exec *exec, const struct agpu_context *context,
                              const struct agpu_raster_area *area)
{
    struct agpu_pass *pass = &exec->pass;
    const struct agpu_viewport *v = &area->viewport;
    const float viewport[6] = {v->x, v->y, v->width, v->height, v->min_depth, v->max_depth};
    if (!pass->viewport_set || memcmp(pass->viewport, viewport, sizeof viewport) != 0) {
        wgpuRenderPassEncoderSetViewport(pass->encoder, v->x, v->y, v->width, v->height, v->min_depth,
                                         v->max_depth);
        memcpy(pass->viewport, viewport, sizeof viewport);
        pass->viewport_set = true;
    }
    if (!pass->scissor_set || memcmp(pass->scissor, area->scissor, sizeof pass->scissor) != 0) {
        wgpuRenderPassEncoderSetScissorRect(pass->encoder, area->scissor[0], area->scissor[1],
                                            area->scissor[2], area->scissor[3]);
        memcpy(pass->scissor, area->scissor, sizeof pass->scissor);
        pass->scissor_set = true;
    }
    const float *factor = context->blend_factor;
    if (!pass->blend_constant_set || memcmp(pass->blend_constant, factor, sizeof pass->blend_constant) != 0) {
        const WGPUColor color = {(double)factor[0], (double)factor[1], (double)factor[2], (double)factor[3]};
        wgpuRenderPassEncoderSetBlendConstant(pass->encoder, &color);
        memcpy(pass->blend_constant, factor, sizeof pass->blend_constant);
        pass->blend_constant_set = true;
    }
    if (!pass->stencil_set || pass->stencil_reference != context->stencil_reference) {
        wgpuRenderPassEncoderSetStencilReference(pass->encoder, context->stencil_reference);
        pass->stencil_reference = context->stencil_reference;
        pass->stencil_set = true;
    }
}

static void set_groups(struct agpu_exec *exec, const struct prepared_draw *prepared)
{
    struct agpu_pass *pass = &exec->pass;
    for (uint32_t i = 0; i < prepared->group_count; i++) {
        const struct agpu_bound_group *group = &prepared->groups[i];
        if (pass->groups[i] == group->gpu && group->offset_count == 0)
            continue;
        wgpuRenderPassEncoderSetBindGroup(pass->encoder, i, group->gpu, group->offset_count, group->offsets);
        pass->groups[i] = group->gpu;
    }
}

static void record(struct agpu_exec *exec, const struct agpu_context *context,
                   const struct prepared_draw *prepared)
{
    const struct agpu_draw *draw = &prepared->draw;
    WGPURenderPassEncoder encoder = agpu_pass_begin(exec, &prepared->attachments);
    const struct agpu_index_source *indices = &prepared->indices;
    if (exec->pass.pipeline != (const void *)prepared->pipeline->gpu) {
        wgpuRenderPassEncoderSetPipeline(encoder, prepared->pipeline->gpu);
        exec->pass.pipeline = prepared->pipeline->gpu;
    }
    set_dynamic_state(exec, context, &prepared->area);
    set_groups(exec, prepared);
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
    wgpuRenderPassEncoderDrawIndexed(encoder, indices->count, draw->instance_count, indices->first,
                                     draw->indexed ? draw->base_vertex : (int32_t)draw->first,
                                     draw->first_instance);
}

static void mark_targets(const struct agpu_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (attachments->colors[i])
            agpu_texture_written(attachments->colors[i]->texture);
    if (attachments->depth)
        agpu_texture_written(attachments->depth->texture);
}

static bool draw_into(struct agpu_exec *exec, const struct agpu_draw *draw,
                      const struct agpu_attachments *attachments, bool *failed)
{
    struct agpu_context *context = exec->context;
    struct prepared_draw prepared;
    memset(&prepared, 0, sizeof prepared);
    memcpy(&prepared.attachments, attachments, sizeof *attachments);
    bool drawn = prepare(exec, context, draw, &prepared, failed);
    bool visible = drawn && prepared.visible && (context->sample_mask & 1) &&
                   (!prepared.indices.buffer || prepared.indices.count);
    if (visible) {
        const struct agpu_module *module = writing_module(prepared.pipeline);
        if (module)
            agpu_pass_end(exec);
        record(exec, context, &prepared);
        mark_targets(&prepared.attachments);
        if (module) {
            agpu_pass_end(exec);
            agpu_counters_store(exec, context, AGPU_STAGE_PIXEL, module);
            agpu_uavs_written(context, AGPU_STAGE_PIXEL, module);
        }
    }
    release_groups(&prepared);
    return drawn;
}

/* A draw that is made several times may not store several times. */
static bool stores_nothing(struct agpu_exec *exec)
{
    uint32_t handle = exec->context->shaders[AGPU_STAGE_PIXEL];
    const struct agpu_shader_program *pixel = handle ? agpu_shader_find(exec, handle) : NULL;
    if (!pixel || !pixel->has_uavs)
        return true;
    agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                           "a pixel shader that writes buffers has more colour targets than fit in one pass");
    return false;
}

/* Draws into some of the targets after the others: every part tests against depth as it was before. */
static bool draw_in_parts(struct agpu_exec *exec, const struct agpu_draw *draw,
                          const struct agpu_attachments *attachments, bool *failed)
{
    struct agpu_attachments parts[AGPU_MAX_RENDER_TARGETS];
    struct agpu_texture *depths[AGPU_MAX_RENDER_TARGETS] = {0};
    uint32_t count =
        agpu_attachments_split(attachments, exec->limits.maxColorAttachmentBytesPerSample, parts);
    bool drawn = stores_nothing(exec);
    for (uint32_t i = 1; i < count && drawn && attachments->depth; i++) {
        depths[i] = agpu_attachments_copy_depth(exec, attachments->depth);
        drawn = depths[i] != NULL;
        if (drawn)
            parts[i].depth = &depths[i]->whole;
    }
    for (uint32_t i = 0; i < count && drawn; i++)
        drawn = draw_into(exec, draw, &parts[i], failed);
    for (uint32_t i = 1; i < count; i++)
        agpu_texture_destroy(exec, depths[i]);
    return drawn;
}

static bool check_vertex_shader(struct agpu_exec *exec, const struct agpu_context *context, bool *failed)
{
    uint32_t handle = context->shaders[AGPU_STAGE_VERTEX];
    *failed = !handle || !agpu_shader_find(exec, handle);
    if (*failed)
        agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a draw needs a vertex shader");
    return !*failed;
}

enum agpu_status agpu_draw(struct agpu_exec *exec, const struct agpu_draw *draw)
{
    struct agpu_context *context = exec->context;
    struct agpu_attachments attachments;
    bool failed = false, drawn = false;
    if (draw->count == 0 || draw->instance_count == 0)
        return AGPU_OK;
    exec->draw_number++;
    agpu_bind_groups_limit(exec);
    agpu_uavs_resolve(exec, context, AGPU_STAGE_PIXEL);
    if (agpu_attachments_init(exec, context, &attachments, &failed) && check_expansion(exec, context)) {
        bool fits = agpu_attachments_bytes(&attachments) <= exec->limits.maxColorAttachmentBytesPerSample;
        if (!attachments.color_count && !attachments.depth)
            drawn = check_vertex_shader(exec, context, &failed); /* nothing of it can be seen */
        else
            drawn = fits ? draw_into(exec, draw, &attachments, &failed)
                         : draw_in_parts(exec, draw, &attachments, &failed);
    }
    if (drawn)
        exec->counts.draws++;
    else
        exec->counts.draws_skipped++;
    return failed ? AGPU_REFUSED : AGPU_OK;
}
