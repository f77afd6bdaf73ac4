/* SPDX-License-Identifier: MIT */
#include "exec/context.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exec/exec.h"

void agpu_context_clear_state(struct agpu_context *context)
{
    const uint32_t id = context->id;
    const bool ended = context->ended;
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        free(context->stages[stage].constants.floats);
        free(context->stages[stage].constants.integers);
        free(context->stages[stage].constants.bools);
        free(context->stages[stage].instances);
    }
    memset(context, 0, sizeof *context);
    context->id = id;
    context->ended = ended;
    context->viewport_count = AGPU_VIEWPORT_SLOTS; /* none of them is set: they are empty */
    context->topology = AGPU_TOPOLOGY_TRIANGLE_LIST;
    agpu_blend_default(&context->blend);
    agpu_depth_stencil_default(&context->depth_stencil);
    agpu_rasterizer_default(&context->rasterizer);
    for (uint32_t i = 0; i < 4; i++)
        context->blend_factor[i] = 1;
    context->sample_mask = UINT32_MAX;
}

void agpu_context_save(struct agpu_context *context, struct agpu_context *saved)
{
    *saved = *context;
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        context->stages[stage].constants = (struct agpu_constant_registers){0};
        context->stages[stage].instances = NULL;
    }
    agpu_context_clear_state(context);
}

void agpu_context_restore(struct agpu_context *context, const struct agpu_context *saved)
{
    const bool ended = context->ended;
    agpu_context_clear_state(context);
    *context = *saved;
    context->ended |= ended;
}

struct agpu_context *agpu_context_get(struct agpu_exec *exec, uint32_t id)
{
    struct agpu_context *context = agpu_map_get(&exec->contexts, id);
    if (context)
        return context;
    if (exec->contexts.count >= AGPU_MAX_CONTEXTS) {
        agpu_exec_report(exec, AGPU_DIAG_EXEC_ARGUMENT, AGPU_ERROR,
                         "context %" PRIu32 " is one more than the %d that there may be", id,
                         AGPU_MAX_CONTEXTS);
        return NULL;
    }
    context = calloc(1, sizeof *context);
    if (!context || !agpu_map_put(&exec->contexts, id, context)) {
        free(context);
        agpu_exec_no_memory(exec);
        return NULL;
    }
    context->id = id;
    agpu_context_clear_state(context);
    context->viewport_count = 0; /* the ABI's initial state */
    return context;
}

static void destroy_context(struct agpu_context *context)
{
    agpu_context_clear_state(context); /* frees what it owns */
    free(context);
}

void agpu_contexts_clear(struct agpu_exec *exec)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(&exec->contexts, &cursor, &key, &value))
        destroy_context(value);
    agpu_map_fini(&exec->contexts);
    exec->context = NULL;
}

/* ---- Dying objects ------------------------------------------------------------------------------------ */

static void trim_targets(struct agpu_context *context)
{
    while (context->target_count && context->targets[context->target_count - 1].handle == 0)
        context->target_count--;
}

static void unbind_targets(struct agpu_context *context, const struct agpu_resource *resource)
{
    for (uint32_t i = 0; i < context->target_count; i++) {
        struct agpu_target_slot *slot = &context->targets[i];
        if (slot->view && &slot->view->texture->resource == resource)
            *slot = (struct agpu_target_slot){0};
    }
    trim_targets(context);
    if (context->depth_target.view && &context->depth_target.view->texture->resource == resource)
        context->depth_target = (struct agpu_target_slot){0};
}

static void unbind_inputs(struct agpu_context *context, const struct agpu_resource *resource)
{
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        for (uint32_t i = 0; i < AGPU_RESOURCE_SLOTS; i++) {
            struct agpu_resource_slot *slot = &context->stages[stage].resources[i];
            if ((slot->buffer && &slot->buffer->resource == resource) ||
                (slot->view && &slot->view->texture->resource == resource))
                *slot = (struct agpu_resource_slot){0};
        }
    }
}

static void unbind_uavs(struct agpu_context *context, const struct agpu_resource *resource)
{
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        for (uint32_t i = 0; i < AGPU_UAV_SLOTS; i++) {
            struct agpu_buffer_slot *slot = &context->stages[stage].uavs[i];
            if ((slot->buffer && &slot->buffer->resource == resource) ||
                (slot->bound && slot->bound->resource == resource))
                *slot = (struct agpu_buffer_slot){0};
        }
    }
}

static void unbind_buffer(struct agpu_context *context, const struct agpu_resource *resource)
{
    for (uint32_t i = 0; i < AGPU_STREAM_OUTPUT_SLOTS; i++)
        if (context->stream_outputs[i].buffer && &context->stream_outputs[i].buffer->resource == resource)
            context->stream_outputs[i] = (struct agpu_stream_output_target){0};
    for (uint32_t i = 0; i < AGPU_VERTEX_BUFFER_SLOTS; i++) {
        struct agpu_vertex_buffer_slot *slot = &context->vertex_buffers[i];
        if (slot->buffer && &slot->buffer->resource == resource)
            *slot = (struct agpu_vertex_buffer_slot){0};
    }
    if (context->index_buffer.buffer && &context->index_buffer.buffer->resource == resource) {
        context->index_buffer.buffer = NULL;
        context->index_buffer.handle = 0;
    }
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        for (uint32_t i = 0; i < AGPU_CBUFFER_SLOTS; i++) {
            struct agpu_buffer_slot *slot = &context->stages[stage].cbuffers[i];
            if (slot->buffer && &slot->buffer->resource == resource)
                *slot = (struct agpu_buffer_slot){0};
        }
    }
}

void agpu_contexts_forget_resource(struct agpu_exec *exec, const struct agpu_resource *resource)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(&exec->contexts, &cursor, &key, &value)) {
        unbind_targets(value, resource);
        unbind_inputs(value, resource);
        unbind_uavs(value, resource);
        unbind_buffer(value, resource);
    }
}

static void unbind_view(struct agpu_context *context, const struct agpu_view *view)
{
    for (uint32_t i = 0; i < context->target_count; i++)
        if (context->targets[i].view == &view->texture)
            context->targets[i] = (struct agpu_target_slot){0};
    trim_targets(context);
    if (context->depth_target.view == &view->texture)
        context->depth_target = (struct agpu_target_slot){0};
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        struct agpu_stage_bindings *bindings = &context->stages[stage];
        for (uint32_t i = 0; i < AGPU_RESOURCE_SLOTS; i++)
            if (bindings->resources[i].bound == view || bindings->resources[i].view == &view->texture)
                bindings->resources[i] = (struct agpu_resource_slot){0};
        for (uint32_t i = 0; i < AGPU_UAV_SLOTS; i++)
            if (bindings->uavs[i].bound == view)
                bindings->uavs[i] = (struct agpu_buffer_slot){0};
    }
}

void agpu_contexts_forget_view(struct agpu_exec *exec, const struct agpu_view *view)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(&exec->contexts, &cursor, &key, &value))
        unbind_view(value, view);
}

void agpu_contexts_forget_sampler(struct agpu_exec *exec, const struct agpu_sampler *sampler)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(&exec->contexts, &cursor, &key, &value)) {
        struct agpu_context *context = value;
        for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++)
            for (uint32_t i = 0; i < AGPU_SAMPLER_SLOTS; i++)
                if (context->stages[stage].samplers[i].sampler == sampler)
                    context->stages[stage].samplers[i] = (struct agpu_sampler_slot){0};
    }
}

void agpu_contexts_forget_input_layout(struct agpu_exec *exec, const struct agpu_layout_object *layout)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(&exec->contexts, &cursor, &key, &value)) {
        struct agpu_context *context = value;
        if (context->input_layout == layout) {
            context->input_layout = NULL;
            context->input_layout_handle = 0;
        }
    }
}

/* ---- Hazards ------------------------------------------------------------------------------------------ */

/* Depth or stencil that a view shows and its target only reads. */
static bool is_only_read(const struct agpu_texture_view *view, const struct agpu_texture_view *target)
{
    bool depth = agpu_host_format_has(view->format, AGPU_FORMAT_DEPTH);
    bool stencil = agpu_host_format_has(view->format, AGPU_FORMAT_STENCIL);
    return (depth || stencil) && (!depth || target->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH) &&
           (depth || target->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL);
}

bool agpu_view_is_target(const struct agpu_texture_view *view, const struct agpu_texture_view *target)
{
    if (!target || target->texture != view->texture || is_only_read(view, target))
        return false;
    uint32_t layers = target->all_layers ? target->layer_count : 1;
    return target->base_mip >= view->base_mip && target->base_mip - view->base_mip < view->mip_count &&
           target->base_layer < view->base_layer + view->layer_count &&
           view->base_layer < target->base_layer + layers;
}

bool agpu_context_writes_view(const struct agpu_context *context, const struct agpu_texture_view *view)
{
    for (uint32_t i = 0; i < context->target_count; i++)
        if (agpu_view_is_target(view, context->targets[i].view))
            return true;
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++)
        for (uint32_t i = 0; i < AGPU_UAV_SLOTS; i++)
            if (context->stages[stage].uavs[i].bound &&
                agpu_view_is_target(view, &context->stages[stage].uavs[i].bound->texture))
                return true;
    return agpu_view_is_target(view, context->depth_target.view);
}

bool agpu_context_writes_buffer(const struct agpu_context *context, const struct agpu_buffer *buffer)
{
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++)
        for (uint32_t i = 0; i < AGPU_UAV_SLOTS; i++)
            if (context->stages[stage].uavs[i].buffer == buffer)
                return true;
    return false;
}

void agpu_context_bind_resource(struct agpu_context *context, enum agpu_stream_stage stage, uint32_t index,
                                struct agpu_resource_slot slot)
{
    if ((slot.view && agpu_context_writes_view(context, slot.view)) ||
        (slot.buffer && agpu_context_writes_buffer(context, slot.buffer)))
        slot = (struct agpu_resource_slot){0};
    context->stages[stage].resources[index] = slot;
}

void agpu_context_bound_as_uav(struct agpu_context *context, const struct agpu_buffer *buffer)
{
    unbind_inputs(context, &buffer->resource);
}

void agpu_context_bound_as_target(struct agpu_context *context, const struct agpu_texture_view *view)
{
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        for (uint32_t i = 0; i < AGPU_RESOURCE_SLOTS; i++) {
            struct agpu_resource_slot *slot = &context->stages[stage].resources[i];
            if (slot->view && agpu_view_is_target(slot->view, view))
                *slot = (struct agpu_resource_slot){0};
        }
    }
}
