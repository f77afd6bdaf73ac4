/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/hazard.h"

static const struct rt_view *view_in(struct rt_object *slot)
{
    return (const struct rt_view *)slot;
}

/* Whether a slot has a view of what a range of a resource touches. */
static bool touches(struct rt_object *slot, const struct rt_resource *resource, const struct rt_range *range)
{
    const struct rt_view *view = view_in(slot);
    return view && view->resource == resource && rt_ranges_overlap(&view->range, range);
}

/* A depth-stencil view writes the planes that are not read only. */
static struct rt_range written_range(const struct rt_view *output)
{
    struct rt_range written = output->range;
    written.planes = output->written_planes;
    return written;
}

/* Whether an output writes what a range of a resource touches. */
static bool writes(const struct rt_view *output, const struct rt_resource *resource,
                   const struct rt_range *range)
{
    struct rt_range written;
    if (!output || output->resource != resource)
        return false;
    written = written_range(output);
    return rt_ranges_overlap(&written, range);
}

static const struct rt_range whole_buffer = {0, 1, 0, 1, RT_PLANE_COLOUR_OR_DEPTH};

static bool is_written(const struct rt_context *context, const struct rt_resource *resource,
                       const struct rt_range *range)
{
    const struct rt_bindings *b = context->bindings;
    if (!(resource->bind_flags & RT_OUTPUT_BINDS))
        return false;
    for (UINT i = 0; i < b->target_count; i++)
        if (writes(view_in(b->targets[i]), resource, range))
            return true;
    if (writes(view_in(b->depth_stencil_view), resource, range))
        return true;
    for (UINT i = 0; i < b->output_uavs.count; i++)
        if (writes(view_in(b->output_uavs.views[i]), resource, range))
            return true;
    for (UINT i = 0; i < b->compute_uavs.count; i++)
        if (writes(view_in(b->compute_uavs.views[i]), resource, range))
            return true;
    for (UINT i = 0; i < UMD_STREAM_OUTPUT_SLOTS; i++)
        if (b->stream_output[i] == &resource->object)
            return true;
    return false;
}

bool rt_hazard_allows_view(const struct rt_context *context, const struct rt_view *view)
{
    return !is_written(context, view->resource, &view->range);
}

bool rt_hazard_allows_buffer(const struct rt_context *context, const struct rt_resource *buffer)
{
    return !is_written(context, buffer, &whole_buffer);
}

/* ---- Inputs -------------------------------------------------------------------------------------------- */

static void end_views(struct rt_context *context, const struct rt_resource *resource,
                      const struct rt_range *written)
{
    for (UINT stage = 0; stage < UMD_STAGE_COUNT; stage++) {
        struct rt_stage_bindings *bound = &context->bindings->stages[stage];
        for (UINT slot = 0; slot < bound->view_count; slot++) {
            if (!touches(bound->views[slot], resource, written))
                continue;
            rt_bind(context->bindings, &bound->views[slot], NULL);
            umd_set_shader_resources(context->umd, (enum umd_stage)stage, slot, 1, NULL);
        }
    }
}

static void end_assembler_inputs(struct rt_context *context, const struct rt_resource *buffer)
{
    struct rt_bindings *b = context->bindings;
    for (UINT slot = 0; slot < UMD_VERTEX_BUFFER_SLOTS; slot++) {
        if (b->vertex_buffers[slot].buffer != &buffer->object)
            continue;
        rt_bind(b, &b->vertex_buffers[slot].buffer, NULL);
        umd_ia_set_vertex_buffers(context->umd, slot, 1, NULL, NULL, NULL);
    }
    if (b->index_buffer == &buffer->object) {
        rt_bind(b, &b->index_buffer, NULL);
        umd_ia_set_index_buffer(context->umd, NULL, DXGI_FORMAT_R16_UINT, 0);
    }
}

static void end_inputs(struct rt_context *context, const struct rt_resource *resource,
                       const struct rt_range *written)
{
    if (resource->bind_flags & D3D11_BIND_SHADER_RESOURCE)
        end_views(context, resource, written);
    if (resource->bind_flags & (D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER))
        end_assembler_inputs(context, resource);
}

void rt_hazard_end_inputs(struct rt_context *context, const struct rt_view *output)
{
    const struct rt_range written = written_range(output);
    end_inputs(context, output->resource, &written);
}

void rt_hazard_end_buffer_inputs(struct rt_context *context, const struct rt_resource *buffer)
{
    end_inputs(context, buffer, &whole_buffer);
}

/* ---- Outputs ------------------------------------------------------------------------------------------- */

static void end_targets(struct rt_context *context, const struct rt_resource *resource,
                        const struct rt_range *range)
{
    struct rt_bindings *b = context->bindings;
    bool changed = false;
    for (UINT i = 0; i < b->target_count; i++)
        if (touches(b->targets[i], resource, range))
            changed |= rt_bind(b, &b->targets[i], NULL);
    if (touches(b->depth_stencil_view, resource, range))
        changed |= rt_bind(b, &b->depth_stencil_view, NULL);
    if (changed)
        rt_context_tell_outputs(context, AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS, 0, 0, NULL);
}

static bool end_uavs(struct rt_context *context, struct rt_uav_bindings *uavs,
                     const struct rt_resource *resource, const struct rt_range *range, UINT *slot)
{
    for (*slot = 0; *slot < uavs->count; (*slot)++)
        if (touches(uavs->views[*slot], resource, range))
            return rt_bind(context->bindings, &uavs->views[*slot], NULL);
    return false;
}

static void end_output_uavs(struct rt_context *context, const struct rt_resource *resource,
                            const struct rt_range *range)
{
    struct rt_uav_bindings *uavs = &context->bindings->output_uavs;
    bool changed = false;
    UINT slot;
    while (end_uavs(context, uavs, resource, range, &slot))
        changed = true;
    if (changed)
        rt_context_tell_outputs(context, AEROGPU_EXT_KEEP_RENDER_TARGETS, 0, uavs->count, NULL);
}

static void end_compute_uavs(struct rt_context *context, const struct rt_resource *resource,
                             const struct rt_range *range)
{
    UINT slot;
    while (end_uavs(context, &context->bindings->compute_uavs, resource, range, &slot))
        umd_cs_set_unordered_access_views(context->umd, slot, 1, NULL, NULL);
}

static void end_stream_output(struct rt_context *context, const struct rt_resource *resource)
{
    struct rt_bindings *b = context->bindings;
    bool changed = false;
    for (UINT i = 0; i < UMD_STREAM_OUTPUT_SLOTS; i++)
        if (b->stream_output[i] == &resource->object)
            changed |= rt_bind(b, &b->stream_output[i], NULL);
    if (changed)
        rt_context_tell_stream_output(context, NULL);
}

static void end_outputs(struct rt_context *context, const struct rt_resource *resource,
                        const struct rt_range *range, UINT slots)
{
    if (slots & RT_OUTPUTS_TARGETS)
        end_targets(context, resource, range);
    if (slots & RT_OUTPUTS_OUTPUT_UAVS)
        end_output_uavs(context, resource, range);
    if (slots & RT_OUTPUTS_COMPUTE_UAVS)
        end_compute_uavs(context, resource, range);
    if ((slots & RT_OUTPUTS_STREAM) && (resource->bind_flags & D3D11_BIND_STREAM_OUTPUT))
        end_stream_output(context, resource);
}

void rt_hazard_end_outputs(struct rt_context *context, const struct rt_view *output, UINT slots)
{
    end_outputs(context, output->resource, &output->range, slots);
}

void rt_hazard_end_buffer_outputs(struct rt_context *context, const struct rt_resource *buffer, UINT slots)
{
    end_outputs(context, buffer, &whole_buffer, slots);
}

/* ---- Both ---------------------------------------------------------------------------------------------- */

static void end_constants(struct rt_context *context, const struct rt_resource *buffer)
{
    for (UINT stage = 0; stage < UMD_STAGE_COUNT; stage++) {
        struct rt_stage_bindings *bound = &context->bindings->stages[stage];
        for (UINT slot = 0; slot < UMD_CONSTANT_BUFFER_SLOTS; slot++) {
            if (bound->constants[slot].buffer != &buffer->object)
                continue;
            rt_bind(context->bindings, &bound->constants[slot].buffer, NULL);
            umd_set_constant_buffers(context->umd, (enum umd_stage)stage, slot, 1, NULL, NULL, NULL);
        }
    }
}

void rt_hazard_end_bindings(struct rt_context *context, const struct rt_resource *resource)
{
    const struct rt_range everything = {0, resource->mips, 0, resource->layers,
                                        RT_PLANE_COLOUR_OR_DEPTH | RT_PLANE_STENCIL};
    end_inputs(context, resource, &everything);
    if (resource->bind_flags & D3D11_BIND_CONSTANT_BUFFER)
        end_constants(context, resource);
    end_outputs(context, resource, &everything,
                RT_OUTPUTS_TARGETS | RT_OUTPUTS_OUTPUT_UAVS | RT_OUTPUTS_COMPUTE_UAVS | RT_OUTPUTS_STREAM);
}
