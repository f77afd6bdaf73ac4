/* SPDX-License-Identifier: MIT */
#include "exec/draw/draw_state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/uav.h"
#include "exec/bind/vertex_state.h"
#include "exec/blit/texture_sync.h"
#include "exec/draw/drawer.h"
#include "exec/draw/index.h"
#include "exec/draw/raster.h"
#include "exec/host/outcome.h"
#include "exec/object/texture_cast.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/state/rect.h"
#include "exec/state/state.h"
#include "exec/transfer/texture_pull.h"
#include "format/format.h"
#include "format/norm.h"
#include "gpu/webgpu.h"
#include "wgsl/draw_block.h"

static void store_float(struct ag_draw_block *block, uint32_t offset, float value)
{
    ag_store_u32(block->bytes + offset, ag_bits_from_float(value));
}

static void store_bias(const struct ag_rasterizer_desc *rasterizer, const struct ag_raster_area *area,
                       const struct ag_host_format *format, struct ag_draw_block *block)
{
    const float range = area->viewport.max_depth - area->viewport.min_depth;
    store_float(block, AG_DRAW_BLOCK_DEPTH_BIAS,
                range > 0 ? ag_depth_bias_clamped(rasterizer, format) / range : 0);
    store_float(block, AG_DRAW_BLOCK_BIAS, ag_depth_bias_constant(rasterizer, format));
    store_float(block, AG_DRAW_BLOCK_BIAS + 4, rasterizer->slope_scaled_depth_bias);
    store_float(block, AG_DRAW_BLOCK_BIAS + 8, rasterizer->depth_bias_clamp);
    store_float(block, AG_DRAW_BLOCK_BIAS + 12, ag_host_format_has(format, AG_FORMAT_DEPTH_FLOAT) ? 1 : 0);
}

void ag_draw_block_begin(const struct ag_draw *draw, const struct ag_context *context,
                         const struct ag_raster_area *area, const struct ag_attachments *attachments,
                         struct ag_draw_block *block)
{
    memset(block, 0, sizeof *block);
    ag_draw_block_update(draw, context, area, attachments, block);
}

void ag_draw_block_update(const struct ag_draw *draw, const struct ag_context *context,
                          const struct ag_raster_area *area, const struct ag_attachments *attachments,
                          struct ag_draw_block *block)
{
    const uint32_t samples = attachments->sample_count;
    ag_store_u32(block->bytes + AG_DRAW_BLOCK_BASE_VERTEX,
                 draw->indexed ? (uint32_t)draw->base_vertex : draw->first);
    ag_store_u32(block->bytes + AG_DRAW_BLOCK_BASE_INSTANCE, draw->first_instance);
    ag_store_u32(block->bytes + AG_DRAW_BLOCK_SAMPLE_MASK, context->sample_mask);
    ag_store_u32(block->bytes + AG_DRAW_BLOCK_DEPTH_RANGE, ag_bits_from_float(area->viewport.min_depth));
    ag_store_u32(block->bytes + AG_DRAW_BLOCK_DEPTH_RANGE + 4, ag_bits_from_float(area->viewport.max_depth));
    ag_store_u32(block->bytes + AG_DRAW_BLOCK_SAMPLE_COUNT, samples ? samples : 1);
    store_float(block, AG_DRAW_BLOCK_EXTENT, area->viewport.width);
    store_float(block, AG_DRAW_BLOCK_EXTENT + 4, area->viewport.height);
    store_float(block, AG_DRAW_BLOCK_EXTENT + 8, (float)context->stencil_reference);
    for (uint32_t i = 0; i < 4; i++)
        store_float(block, AG_DRAW_BLOCK_BLEND + 4 * i, context->blend_factor[i]);
    if (attachments->depth)
        store_bias(&context->rasterizer, area, attachments->depth->format, block);
}

static enum ag_outcome pull(struct ag_drawer *drawer, const struct ag_texture_view *view)
{
    if (!view)
        return AG_DONE;
    if (!ag_texture_pull(drawer->copier, view->texture))
        return AG_STOPPED;
    ag_view_sync(drawer->blitter, view);
    return AG_DONE;
}

enum ag_outcome ag_targets_pull(struct ag_drawer *drawer, const struct ag_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        const enum ag_outcome outcome = pull(drawer, attachments->colors[i]);
        if (outcome != AG_DONE)
            return outcome;
    }
    return pull(drawer, attachments->depth);
}

void ag_targets_written(const struct ag_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (attachments->colors[i])
            ag_view_written(attachments->colors[i]);
    if (attachments->depth && !ag_view_is_read_only(attachments->depth))
        ag_view_written(attachments->depth);
}

const struct agpu_module *ag_pipeline_writes(const struct ag_pipeline *pipeline)
{
    return pipeline->pixel && ag_uavs_used(pipeline->pixel->module) ? pipeline->pixel->module : NULL;
}

/* Depth is clamped to the viewport's range behind the pixel shader: rounded depth to rounded ends. */
static float range_end(const struct ag_pipeline *pipeline, float depth)
{
    return pipeline->key.depth_rounded ? ag_float_from_depth24(ag_depth24_from_float(depth)) : depth;
}

/* How many texels lie in the scissor rectangle, or in the viewport where that is less. */
static uint64_t texels_of(const struct ag_raster_area *area)
{
    const uint64_t in_scissor = (uint64_t)area->scissor[2] * area->scissor[3];
    const double in_viewport = ((double)area->viewport.width + 1) * ((double)area->viewport.height + 1);
    return in_viewport < (double)in_scissor ? (uint64_t)in_viewport : in_scissor;
}

void ag_draw_set_area(struct ag_drawer *drawer, const struct ag_pipeline *pipeline,
                      const struct ag_raster_area *area)
{
    struct ag_pass *pass = &drawer->recorder->pass;
    drawer->texels = texels_of(area) * pass->attachments.sample_count;
    const struct ag_viewport *v = &area->viewport;
    const float viewport[6] = {v->x,
                               v->y,
                               v->width,
                               v->height,
                               range_end(pipeline, v->min_depth),
                               range_end(pipeline, v->max_depth)};
    if (memcmp(pass->viewport, viewport, sizeof viewport) != 0) {
        wgpuRenderPassEncoderSetViewport(pass->encoder, viewport[0], viewport[1], viewport[2], viewport[3],
                                         viewport[4], viewport[5]);
        memcpy(pass->viewport, viewport, sizeof viewport);
    }
    if (memcmp(pass->scissor, area->scissor, sizeof pass->scissor) != 0) {
        wgpuRenderPassEncoderSetScissorRect(pass->encoder, area->scissor[0], area->scissor[1],
                                            area->scissor[2], area->scissor[3]);
        memcpy(pass->scissor, area->scissor, sizeof pass->scissor);
    }
}

void ag_draw_set_constants(struct ag_drawer *drawer, const float blend_factor[4], uint32_t stencil_reference,
                           const struct ag_pipeline *pipeline)
{
    struct ag_pass *pass = &drawer->recorder->pass;
    float factor[4];
    for (uint32_t i = 0; i < 4; i++) {
        factor[i] =
            pipeline->blend_constants & (i < 3 ? AG_BLEND_COLOR : AG_BLEND_ALPHA) ? blend_factor[i] : 0;
        if (pipeline->blend_constants & (AG_BLEND_UNORM | AG_BLEND_SNORM))
            factor[i] = fminf(fmaxf(factor[i], pipeline->blend_constants & AG_BLEND_SNORM ? -1.0F : 0.0F), 1);
    }
    if (memcmp(pass->blend_constant, factor, sizeof pass->blend_constant) != 0) {
        const WGPUColor color = {(double)factor[0], (double)factor[1], (double)factor[2], (double)factor[3]};
        wgpuRenderPassEncoderSetBlendConstant(pass->encoder, &color);
        memcpy(pass->blend_constant, factor, sizeof pass->blend_constant);
    }
    if (pass->stencil_reference != stencil_reference) {
        wgpuRenderPassEncoderSetStencilReference(pass->encoder, stencil_reference);
        pass->stencil_reference = stencil_reference;
    }
}

void ag_draw_set_state(struct ag_drawer *drawer, const struct ag_context *context,
                       const struct ag_pipeline *pipeline, const struct ag_raster_area *area)
{
    ag_draw_set_area(drawer, pipeline, area);
    ag_draw_set_constants(drawer, context->blend_factor, context->stencil_reference, pipeline);
}

void ag_draw_set_pipeline(struct ag_drawer *drawer, WGPURenderPipeline pipeline)
{
    if (drawer->recorder->pass.pipeline == (const void *)pipeline)
        return;
    wgpuRenderPassEncoderSetPipeline(drawer->recorder->pass.encoder, pipeline);
    drawer->recorder->pass.pipeline = pipeline;
}

void ag_draw_set_groups(struct ag_drawer *drawer, const struct ag_bound_group *groups, uint32_t which)
{
    for (uint32_t i = 0; which >> i; i++) {
        if (which >> i & 1)
            ag_draw_change_group(drawer, i, &groups[i]);
    }
}

/* Notes a range of a buffer; false when the encoder has the range already. */
static bool changes(struct ag_pass_range *has, WGPUBuffer buffer, uint64_t offset, uint64_t size)
{
    if (has->buffer == buffer && has->offset == offset && has->size == size)
        return false;
    *has = (struct ag_pass_range){buffer, offset, size};
    return true;
}

void ag_draw_set_vertices(struct ag_drawer *drawer, const struct ag_vertex_source *sources, uint32_t count)
{
    struct ag_pass *pass = &drawer->recorder->pass;
    static_assert(AG_MAX_VERTEX_BUFFERS <= AG_PASS_VERTEX_BUFFERS, "a pass notes every vertex buffer");
    for (uint32_t i = 0; i < count; i++)
        if (changes(&pass->vertices[i], sources[i].buffer, sources[i].offset, sources[i].size))
            wgpuRenderPassEncoderSetVertexBuffer(pass->encoder, i, sources[i].buffer, sources[i].offset,
                                                 sources[i].size);
}

void ag_draw_set_indices(struct ag_drawer *drawer, const struct ag_index_source *indices)
{
    struct ag_pass *pass = &drawer->recorder->pass;
    if (!changes(&pass->indices, indices->buffer, indices->offset, indices->size) &&
        pass->index_format == indices->format)
        return;
    pass->index_format = indices->format;
    wgpuRenderPassEncoderSetIndexBuffer(pass->encoder, indices->buffer, indices->format, indices->offset,
                                        indices->size);
}
