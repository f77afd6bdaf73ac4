/* SPDX-License-Identifier: MIT */
#include "exec/bind/context.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "exec/bind/binder.h"
#include "exec/bind/context_set.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/object/sampler.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/state/slots.h"
#include "exec/state/state.h"
#include "format/format.h"
#include "kernel/stream_output.h"

void ag_context_clear_state(struct ag_context *context)
{
    const uint32_t id = context->id;
    const uint64_t used = context->used;
    const bool ended = context->ended;
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        free(context->stages[stage].constants.floats);
        free(context->stages[stage].constants.integers);
        free(context->stages[stage].constants.bools);
        free(context->stages[stage].instances);
    }
    memset(context, 0, sizeof *context);
    context->id = id;
    context->used = used;
    context->ended = ended;
    ag_context_use_extension(context); /* viewports and scissors are empty */
    ag_blend_default(&context->blend);
    ag_depth_stencil_default(&context->depth_stencil);
    ag_rasterizer_default(&context->rasterizer);
    for (uint32_t i = 0; i < 4; i++)
        context->blend_factor[i] = 1;
    context->sample_mask = UINT32_MAX;
}

void ag_context_use_extension(struct ag_context *context)
{
    if (!context->viewport_count)
        context->viewport_count = AG_VIEWPORT_SLOTS;
    if (!context->scissor_count)
        context->scissor_count = AG_VIEWPORT_SLOTS;
}

/* Moves the state, with everything that the context owns; the id of `to` stays. */
static void move_state(struct ag_context *to, struct ag_context *from)
{
    *to = *from;
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        from->stages[stage].constants = (struct ag_constant_registers){0};
        from->stages[stage].instances = NULL;
    }
}

struct ag_context *ag_context_save(struct ag_context *context)
{
    struct ag_context *saved = malloc(sizeof *saved);
    if (!saved)
        return NULL;
    move_state(saved, context);
    ag_context_clear_state(context);
    return saved;
}

void ag_context_restore(struct ag_context *context, struct ag_context *saved)
{
    const bool ended = context->ended;
    ag_context_clear_state(context); /* frees what the context owns */
    move_state(context, saved);
    context->ended |= ended;
}

void ag_context_destroy(struct ag_context *context)
{
    if (!context)
        return;
    ag_context_clear_state(context); /* frees what the context owns */
    free(context);
}

/* ---- Objects that are destroyed ----------------------------------------------------------------------- */

static void trim_targets(struct ag_context *context)
{
    while (context->target_count && context->targets[context->target_count - 1].handle == 0)
        context->target_count--;
}

static void unbind_targets(struct ag_context *context, const struct ag_resource *resource)
{
    for (uint32_t i = 0; i < context->target_count; i++) {
        struct ag_target_slot *slot = &context->targets[i];
        if (slot->view && &slot->view->texture->resource == resource)
            *slot = (struct ag_target_slot){0};
    }
    trim_targets(context);
    if (context->depth_target.view && &context->depth_target.view->texture->resource == resource)
        context->depth_target = (struct ag_target_slot){0};
}

static void unbind_inputs(struct ag_context *context, const struct ag_resource *resource)
{
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        for (uint32_t i = 0; i < context->stages[stage].resource_count; i++) {
            struct ag_resource_slot *slot = &context->stages[stage].resources[i];
            if ((slot->buffer && &slot->buffer->resource == resource) ||
                (slot->view && &slot->view->texture->resource == resource))
                *slot = (struct ag_resource_slot){0};
        }
    }
}

static void unbind_uavs(struct ag_context *context, const struct ag_resource *resource)
{
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        struct ag_stage_bindings *bindings = &context->stages[stage];
        AG_EACH_UAV(bindings, i)
        {
            const struct ag_buffer_slot *slot = &bindings->uavs[i];
            if ((slot->buffer && &slot->buffer->resource == resource) ||
                (slot->bound && slot->bound->resource == resource))
                ag_stage_set_uav(bindings, i, (struct ag_buffer_slot){0});
        }
    }
}

static void unbind_buffer(struct ag_context *context, const struct ag_resource *resource)
{
    for (uint32_t i = 0; i < AG_STREAM_OUTPUT_SLOTS; i++)
        if (context->stream_outputs[i].buffer && &context->stream_outputs[i].buffer->resource == resource)
            context->stream_outputs[i] = (struct ag_stream_output_target){0};
    for (uint32_t i = 0; i < AG_VERTEX_BUFFER_SLOTS; i++) {
        struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[i];
        if (slot->buffer && &slot->buffer->resource == resource)
            *slot = (struct ag_vertex_buffer_slot){0};
    }
    if (context->index_buffer.buffer && &context->index_buffer.buffer->resource == resource) {
        context->index_buffer.buffer = NULL;
        context->index_buffer.handle = 0;
    }
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        for (uint32_t i = 0; i < AG_CBUFFER_SLOTS; i++) {
            struct ag_buffer_slot *slot = &context->stages[stage].cbuffers[i];
            if (slot->buffer && &slot->buffer->resource == resource)
                *slot = (struct ag_buffer_slot){0};
        }
    }
}

static void unbind_resource(struct ag_context *context, const void *resource)
{
    unbind_targets(context, resource);
    unbind_inputs(context, resource);
    unbind_uavs(context, resource);
    unbind_buffer(context, resource);
}

bool ag_contexts_forget_resource(struct ag_binder *binder, const struct ag_resource *resource, uint64_t *done)
{
    return ag_contexts_visit(binder, (uintptr_t)resource, unbind_resource, resource, done);
}

static void unbind_view(struct ag_context *context, const void *object)
{
    const struct ag_view *view = object;
    for (uint32_t i = 0; i < context->target_count; i++)
        if (context->targets[i].view == &view->texture)
            context->targets[i] = (struct ag_target_slot){0};
    trim_targets(context);
    if (context->depth_target.view == &view->texture)
        context->depth_target = (struct ag_target_slot){0};
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        struct ag_stage_bindings *bindings = &context->stages[stage];
        for (uint32_t i = 0; i < bindings->resource_count; i++)
            if (bindings->resources[i].bound == view || bindings->resources[i].view == &view->texture)
                bindings->resources[i] = (struct ag_resource_slot){0};
        AG_EACH_UAV(bindings, i)
        if (bindings->uavs[i].bound == view)
            ag_stage_set_uav(bindings, i, (struct ag_buffer_slot){0});
    }
}

bool ag_contexts_forget_view(struct ag_binder *binder, const struct ag_view *view, uint64_t *done)
{
    return ag_contexts_visit(binder, (uintptr_t)view->resource, unbind_view, view, done);
}

static void forget_predicate(struct ag_context *context, const void *query)
{
    if (context->predicate == *(const uint32_t *)query)
        context->predicate_skips = false;
}

bool ag_contexts_forget_predicate(struct ag_binder *binder, uint32_t query, uint64_t *done)
{
    return ag_contexts_visit(binder, query, forget_predicate, &query, done);
}

static void unbind_sampler(struct ag_context *context, const void *sampler)
{
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++)
        for (uint32_t i = 0; i < AG_SAMPLER_SLOTS; i++)
            if (context->stages[stage].samplers[i].sampler == sampler)
                context->stages[stage].samplers[i] = (struct ag_sampler_slot){0};
}

bool ag_contexts_forget_sampler(struct ag_binder *binder, const struct ag_sampler *sampler, uint64_t *done)
{
    return ag_contexts_visit(binder, (uintptr_t)sampler, unbind_sampler, sampler, done);
}

static void unbind_input_layout(struct ag_context *context, const void *layout)
{
    if (context->input_layout != layout)
        return;
    context->input_layout = NULL;
    context->input_layout_handle = 0;
}

bool ag_contexts_forget_input_layout(struct ag_binder *binder, const struct ag_input_layout_object *layout,
                                     uint64_t *done)
{
    return ag_contexts_visit(binder, (uintptr_t)layout, unbind_input_layout, layout, done);
}

/* ---- Hazards ------------------------------------------------------------------------------------------ */

/* Whether the view shows depth or stencil of a target that only reads them. */
static bool is_only_read(const struct ag_texture_view *view, const struct ag_texture_view *target)
{
    bool depth = ag_host_format_has(view->format, AG_FORMAT_DEPTH);
    bool stencil = ag_host_format_has(view->format, AG_FORMAT_STENCIL);
    return (depth || stencil) && (!depth || target->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH) &&
           (depth || target->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL);
}

bool ag_view_is_target(const struct ag_texture_view *view, const struct ag_texture_view *target)
{
    if (!target || target->texture != view->texture || is_only_read(view, target))
        return false;
    uint32_t layers = target->all_layers ? target->layer_count : 1;
    return target->base_mip >= view->base_mip && target->base_mip - view->base_mip < view->mip_count &&
           target->base_layer < view->base_layer + view->layer_count &&
           view->base_layer < target->base_layer + layers;
}

static inline bool is_of_target(const struct ag_texture_view *view, const struct ag_texture_view *target)
{
    return target && target->texture == view->texture && ag_view_is_target(view, target);
}

bool ag_context_writes_view(const struct ag_context *context, const struct ag_texture_view *view)
{
    for (uint32_t i = 0; i < context->target_count; i++)
        if (is_of_target(view, context->targets[i].view))
            return true;
    for (uint32_t stage = 0; ag_context_has_uavs(context) && stage < AGPU_STAGE_COUNT; stage++)
        AG_EACH_UAV(&context->stages[stage], i)
    if (context->stages[stage].uavs[i].bound &&
        is_of_target(view, &context->stages[stage].uavs[i].bound->texture))
        return true;
    return is_of_target(view, context->depth_target.view);
}

bool ag_context_writes_buffer(const struct ag_context *context, const struct ag_buffer *buffer)
{
    for (uint32_t stage = 0; ag_context_has_uavs(context) && stage < AGPU_STAGE_COUNT; stage++)
        AG_EACH_UAV(&context->stages[stage], i)
    if (context->stages[stage].uavs[i].buffer == buffer)
        return true;
    for (uint32_t i = 0; i < AG_STREAM_OUTPUT_SLOTS; i++)
        if (context->stream_outputs[i].buffer == buffer)
            return true;
    return false;
}

bool ag_context_bind_resource(struct ag_context *context, enum agpu_stream_stage stage, uint32_t index,
                              struct ag_resource_slot slot)
{
    struct ag_resource_slot *to = &context->stages[stage].resources[index];
    if ((slot.view && ag_context_writes_view(context, slot.view)) ||
        (slot.buffer && ag_context_writes_buffer(context, slot.buffer)))
        slot = (struct ag_resource_slot){0};
    const bool changes = to->handle != slot.handle || to->view != slot.view || to->buffer != slot.buffer ||
                         to->offset != slot.offset || to->size != slot.size || to->bound != slot.bound;
    *to = slot;
    if (slot.handle && index >= context->stages[stage].resource_count)
        context->stages[stage].resource_count = index + 1;
    return changes;
}

void ag_context_bound_as_uav(struct ag_context *context, const struct ag_buffer *buffer)
{
    unbind_inputs(context, &buffer->resource);
}

void ag_context_bound_as_target(struct ag_context *context, const struct ag_texture_view *view)
{
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        for (uint32_t i = 0; i < context->stages[stage].resource_count; i++) {
            struct ag_resource_slot *slot = &context->stages[stage].resources[i];
            if (slot->view && ag_view_is_target(slot->view, view))
                *slot = (struct ag_resource_slot){0};
        }
    }
}

struct ag_texture_view *ag_context_target(struct ag_objects *objects, struct ag_context *context,
                                          struct ag_target_slot *slot, bool depth)
{
    if (slot->handle == 0)
        return NULL;
    if (!slot->view) {
        slot->view = ag_handle_view(objects, slot->handle);
        if (slot->view)
            ag_context_bound_as_target(context, slot->view);
    }
    if (slot->view && ag_host_renders(objects->host, slot->view->format) &&
        ag_host_format_has(slot->view->format, AG_FORMAT_DEPTH) == depth)
        return slot->view;
    if (slot->view)
        ag_host_warn(objects->host, AGPU_DIAG_EXEC_ARGUMENT,
                     "a %s texture is no %s target: handle %" PRIu32 " is taken for 0",
                     slot->view->format->name, depth ? "depth" : "colour", slot->handle);
    else
        ag_host_warn_handle(objects->host, AG_SPACE_RESOURCES, slot->handle,
                            "render target handle %" PRIu32 " names no texture", slot->handle);
    *slot = (struct ag_target_slot){0};
    return NULL;
}
