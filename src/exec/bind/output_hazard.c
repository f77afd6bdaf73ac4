/* SPDX-License-Identifier: MIT */
#include "exec/bind/output_hazard.h"

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "exec/bind/context.h"
#include "exec/object/resource.h"
#include "exec/object/view.h"
#include "exec/state/slots.h"
#include "kernel/stream_output.h"

static uint32_t layers_of(const struct ag_texture_view *view)
{
    return view->all_layers ? view->layer_count : 1;
}

bool ag_targets_overlap(const struct ag_texture_view *a, const struct ag_texture_view *b)
{
    return a->texture == b->texture && a->base_mip == b->base_mip &&
           a->base_layer < b->base_layer + layers_of(b) && b->base_layer < a->base_layer + layers_of(a);
}

bool ag_uav_views_overlap(const struct ag_view *a, const struct ag_view *b)
{
    if (a->resource != b->resource)
        return false;
    if (a->resource->kind == AG_RESOURCE_TEXTURE)
        return ag_targets_overlap(&a->texture, &b->texture);
    return a->buffer.offset < b->buffer.offset + b->buffer.size &&
           b->buffer.offset < a->buffer.offset + a->buffer.size;
}

static void end_inputs(struct ag_context *context, const struct ag_buffer *buffer)
{
    for (uint32_t i = 0; i < AG_VERTEX_BUFFER_SLOTS; i++)
        if (context->vertex_buffers[i].buffer == buffer)
            context->vertex_buffers[i] = (struct ag_vertex_buffer_slot){0};
    if (context->index_buffer.buffer == buffer) {
        context->index_buffer.buffer = NULL;
        context->index_buffer.handle = 0;
    }
}

static void end_targets(struct ag_context *context, const struct ag_texture_view *view)
{
    for (uint32_t i = 0; i < context->target_count; i++)
        if (context->targets[i].view && ag_targets_overlap(context->targets[i].view, view))
            context->targets[i] = (struct ag_target_slot){0};
    if (context->depth_target.view && ag_targets_overlap(context->depth_target.view, view))
        context->depth_target = (struct ag_target_slot){0};
}

void ag_context_becomes_target(struct ag_context *context, const struct ag_texture_view *view)
{
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        struct ag_stage_bindings *bindings = &context->stages[stage];
        AG_EACH_UAV(bindings, i)
        {
            const struct ag_buffer_slot *slot = &bindings->uavs[i];
            if (slot->bound && !slot->buffer && ag_targets_overlap(&slot->bound->texture, view))
                ag_stage_set_uav(bindings, i, (struct ag_buffer_slot){0});
        }
    }
    ag_context_bound_as_target(context, view);
}

void ag_context_becomes_uav(struct ag_context *context, const struct ag_view *view)
{
    const struct ag_buffer *buffer = view->buffer.buffer;
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        struct ag_stage_bindings *bindings = &context->stages[stage];
        AG_EACH_UAV(bindings, i)
        if (bindings->uavs[i].bound && ag_uav_views_overlap(bindings->uavs[i].bound, view))
            ag_stage_set_uav(bindings, i, (struct ag_buffer_slot){0});
    }
    if (!buffer) {
        end_targets(context, &view->texture);
        ag_context_bound_as_target(context, &view->texture);
        return;
    }
    end_inputs(context, buffer);
    for (uint32_t i = 0; i < AG_STREAM_OUTPUT_SLOTS; i++)
        if (context->stream_outputs[i].buffer == buffer)
            context->stream_outputs[i] = (struct ag_stream_output_target){0};
    ag_context_bound_as_uav(context, buffer);
}

void ag_context_becomes_stream_output(struct ag_context *context, const struct ag_buffer *buffer)
{
    end_inputs(context, buffer);
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        struct ag_stage_bindings *bindings = &context->stages[stage];
        AG_EACH_UAV(bindings, i)
        if (bindings->uavs[i].buffer == buffer)
            ag_stage_set_uav(bindings, i, (struct ag_buffer_slot){0});
    }
    ag_context_bound_as_uav(context, buffer);
}
