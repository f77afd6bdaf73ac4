/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/hazard.h"

static const struct rt_view *view_in(struct rt_object *slot)
{
    return (const struct rt_view *)slot;
}

/* Whether an output writes what a range of a resource touches. A depth-stencil view writes the planes that
 * are not read only. */
static bool writes(const struct rt_view *output, const struct rt_resource *resource,
                   const struct rt_range *range)
{
    struct rt_range written;
    if (!output || output->resource != resource)
        return false;
    written = output->range;
    written.planes = output->written_planes;
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
            const struct rt_view *view = view_in(bound->views[slot]);
            if (!view || view->resource != resource || !rt_ranges_overlap(&view->range, written))
                continue;
            rt_bind(&bound->views[slot], NULL);
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
        rt_bind(&b->vertex_buffers[slot].buffer, NULL);
        umd_ia_set_vertex_buffers(context->umd, slot, 1, NULL, NULL, NULL);
    }
    if (b->index_buffer == &buffer->object) {
        rt_bind(&b->index_buffer, NULL);
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
    struct rt_range written = output->range;
    written.planes = output->written_planes;
    end_inputs(context, output->resource, &written);
}

void rt_hazard_end_buffer_inputs(struct rt_context *context, const struct rt_resource *buffer)
{
    end_inputs(context, buffer, &whole_buffer);
}

/* ---- Outputs ------------------------------------------------------------------------------------------- */

static bool is_same_output(const struct rt_object *slot, const struct rt_resource *resource,
                           const struct rt_range *range)
{
    const struct rt_view *view = (const struct rt_view *)slot;
    return view && view->resource == resource && rt_ranges_overlap(&view->range, range);
}

static void end_targets(struct rt_context *context, const struct rt_resource *resource,
                        const struct rt_range *range)
{
    struct rt_bindings *b = context->bindings;
    bool changed = false;
    for (UINT i = 0; i < b->target_count; i++)
        if (is_same_output(b->targets[i], resource, range))
            changed |= rt_bind(&b->targets[i], NULL);
    if (is_same_output(b->depth_stencil_view, resource, range))
        changed |= rt_bind(&b->depth_stencil_view, NULL);
    if (changed) {
        struct umd_view *targets[UMD_RENDER_TARGET_SLOTS];
        for (UINT i = 0; i < b->target_count; i++)
            targets[i] = rt_umd_view(b->targets[i]);
        const struct umd_render_targets set = {.keep = AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS,
                                               .target_count = b->target_count,
                                               .targets = targets,
                                               .depth_stencil = rt_umd_view(b->depth_stencil_view)};
        umd_set_render_targets(context->umd, &set);
    }
}

static bool end_uavs(struct rt_uav_bindings *uavs, const struct rt_resource *resource,
                     const struct rt_range *range, UINT *slot)
{
    for (*slot = 0; *slot < uavs->count; (*slot)++)
        if (is_same_output(uavs->views[*slot], resource, range))
            return rt_bind(&uavs->views[*slot], NULL);
    return false;
}

static void end_output_uavs(struct rt_context *context, const struct rt_resource *resource,
                            const struct rt_range *range)
{
    struct rt_uav_bindings *uavs = &context->bindings->output_uavs;
    struct umd_view *views[RT_UAV_SLOTS];
    bool changed = false;
    UINT slot;
    while (end_uavs(uavs, resource, range, &slot))
        changed = true;
    if (!changed)
        return;
    for (UINT i = 0; i < uavs->count; i++)
        views[i] = rt_umd_view(uavs->views[i]);
    const struct umd_render_targets set = {
        .keep = AEROGPU_EXT_KEEP_RENDER_TARGETS, .uav_count = uavs->count, .uavs = views};
    umd_set_render_targets(context->umd, &set);
}

static void end_compute_uavs(struct rt_context *context, const struct rt_resource *resource,
                             const struct rt_range *range)
{
    UINT slot;
    while (end_uavs(&context->bindings->compute_uavs, resource, range, &slot))
        umd_cs_set_unordered_access_views(context->umd, slot, 1, NULL, NULL);
}

static void end_stream_output(struct rt_context *context, const struct rt_resource *resource)
{
    struct rt_bindings *b = context->bindings;
    struct umd_resource *buffers[UMD_STREAM_OUTPUT_SLOTS];
    UINT offsets[UMD_STREAM_OUTPUT_SLOTS];
    bool changed = false;
    for (UINT i = 0; i < UMD_STREAM_OUTPUT_SLOTS; i++) {
        if (b->stream_output[i] == &resource->object)
            changed |= rt_bind(&b->stream_output[i], NULL);
        buffers[i] = rt_umd_resource(b->stream_output[i]);
        offsets[i] = AEROGPU_EXT_STREAM_OUTPUT_APPEND;
    }
    if (changed)
        umd_so_set_targets(context->umd, UMD_STREAM_OUTPUT_SLOTS, buffers, offsets);
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
