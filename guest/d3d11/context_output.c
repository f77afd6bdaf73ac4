/* SPDX-License-Identifier: MIT
 *
 * The output merger, and unordered access views of compute shaders.
 */
#include "guest/d3d11/hazard.h"

#include <string.h>

/* ---- Targets and unordered access views ---------------------------------------------------------------- */

struct outputs {
    bool keeps_targets, keeps_uavs;
    UINT target_count;
    struct rt_view *targets[UMD_RENDER_TARGET_SLOTS];
    struct rt_view *depth;
    UINT uav_start, uav_count;
    struct rt_view *uavs[RT_UAV_SLOTS];
    const UINT *initial_counts;
};

/* Views of one set have as many samples and slices as each other. (Spec: D3D11 runtime, M15.) */
static bool is_consistent(const struct outputs *set)
{
    const struct rt_view *first = set->depth;
    for (UINT i = 0; i < set->target_count; i++) {
        const struct rt_view *view = set->targets[i];
        if (!view)
            continue;
        if (!first)
            first = view;
        if (view->resource->samples.Count != first->resource->samples.Count ||
            view->shape.array_layer_count != first->shape.array_layer_count)
            return false;
    }
    return true;
}

/* No subresource is two outputs of one call. */
static bool has_overlaps(const struct outputs *set)
{
    for (UINT i = 0; i < set->target_count; i++) {
        for (UINT other = i + 1; other < set->target_count; other++)
            if (rt_views_overlap(set->targets[i], set->targets[other]))
                return true;
        for (UINT other = 0; other < set->uav_count; other++)
            if (rt_views_overlap(set->targets[i], set->uavs[other]))
                return true;
    }
    for (UINT i = 0; i < set->uav_count; i++)
        for (UINT other = i + 1; other < set->uav_count; other++)
            if (rt_views_overlap(set->uavs[i], set->uavs[other]))
                return true;
    return false;
}

static UINT count_slots(struct rt_object *const *slots, UINT count)
{
    while (count > 0 && !slots[count - 1])
        count--;
    return count;
}

static void end_others(struct rt_context *context, const struct rt_view *view, UINT slots)
{
    if (!view)
        return;
    rt_hazard_end_inputs(context, view);
    rt_hazard_end_outputs(context, view, slots);
}

/* What becomes an output leaves the places that this call does not replace. */
static void end_hazards(struct rt_context *context, const struct outputs *set)
{
    UINT slots = RT_OUTPUTS_COMPUTE_UAVS | RT_OUTPUTS_STREAM;
    if (set->keeps_uavs)
        slots |= RT_OUTPUTS_OUTPUT_UAVS;
    for (UINT i = 0; !set->keeps_targets && i < set->target_count; i++)
        end_others(context, set->targets[i], slots);
    if (!set->keeps_targets)
        end_others(context, set->depth, slots);
    slots = RT_OUTPUTS_COMPUTE_UAVS | RT_OUTPUTS_STREAM;
    if (set->keeps_targets)
        slots |= RT_OUTPUTS_TARGETS;
    for (UINT i = 0; !set->keeps_uavs && i < set->uav_count; i++)
        end_others(context, set->uavs[i], slots);
}

static struct rt_object *object_of(struct rt_view *view)
{
    return view ? &view->object : NULL;
}

static bool bind_targets(struct rt_context *context, const struct outputs *set)
{
    struct rt_bindings *b = context->bindings;
    bool changed = false;
    for (UINT i = 0; i < UMD_RENDER_TARGET_SLOTS; i++)
        changed |= rt_context_bind(context, &b->targets[i],
                                   object_of(i < set->target_count ? set->targets[i] : NULL));
    b->target_count = count_slots(b->targets, UMD_RENDER_TARGET_SLOTS);
    return rt_context_bind(context, &b->depth_stencil_view, object_of(set->depth)) || changed;
}

static bool bind_uavs(struct rt_context *context, struct rt_uav_bindings *bound, const struct outputs *set)
{
    bool changed = false;
    for (UINT slot = 0; slot < RT_UAV_SLOTS; slot++) {
        const bool is_set = slot >= set->uav_start && slot - set->uav_start < set->uav_count;
        changed |= rt_context_bind(context, &bound->views[slot],
                                   object_of(is_set ? set->uavs[slot - set->uav_start] : NULL));
    }
    bound->count = count_slots(bound->views, RT_UAV_SLOTS);
    return changed;
}

void rt_context_tell_outputs(struct rt_context *context, UINT keep, UINT uav_start, UINT uav_count,
                             const UINT *counts)
{
    const struct rt_bindings *b = context->bindings;
    struct umd_view *targets[UMD_RENDER_TARGET_SLOTS], *uavs[RT_UAV_SLOTS];
    for (UINT i = 0; i < b->target_count; i++)
        targets[i] = rt_umd_view(context, b->targets[i]);
    for (UINT i = 0; i < uav_count; i++)
        uavs[i] = rt_umd_view(context, b->output_uavs.views[uav_start + i]);
    const struct umd_render_targets set = {
        .keep = keep,
        .target_count = b->target_count,
        .targets = targets,
        .depth_stencil = rt_umd_view(context, b->depth_stencil_view),
        .uav_start_slot = uav_start,
        .uav_count = uav_count,
        .uavs = uavs,
        .initial_counts = counts,
    };
    umd_set_render_targets(context->umd, &set);
}

static void set_outputs(struct rt_context *context, const struct outputs *set)
{
    UINT keep = 0;
    bool changed = false;
    if (!is_consistent(set) || has_overlaps(set)) {
        rt_message(&context->object.device->messages, D3D11_MESSAGE_ID_OMSETRENDERTARGETS_INVALIDVIEW);
        return;
    }
    end_hazards(context, set);
    if (set->keeps_targets)
        keep |= AEROGPU_EXT_KEEP_RENDER_TARGETS;
    else
        changed |= bind_targets(context, set);
    if (set->keeps_uavs)
        keep |= AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS;
    else
        changed |= bind_uavs(context, &context->bindings->output_uavs, set) || set->initial_counts;
    if (changed)
        rt_context_tell_outputs(context, keep, set->uav_start, set->keeps_uavs ? 0 : set->uav_count,
                                set->initial_counts);
}

static bool take_targets(struct outputs *set, UINT count, ID3D11RenderTargetView *const *targets,
                         ID3D11DepthStencilView *depth)
{
    if (count > UMD_RENDER_TARGET_SLOTS)
        return false;
    set->target_count = count;
    for (UINT i = 0; i < count; i++)
        set->targets[i] = rt_view_of(targets ? targets[i] : NULL);
    set->depth = rt_view_of(depth);
    return true;
}

static bool take_uavs(const struct rt_context *context, struct outputs *set, UINT start, UINT count,
                      ID3D11UnorderedAccessView *const *uavs, const UINT *initial_counts)
{
    const UINT slots = umd_adapter_uav_slots(context->object.device->adapter->umd);
    if (start > slots || count > slots - start)
        return false;
    set->uav_start = start;
    set->uav_count = count;
    set->initial_counts = count ? initial_counts : NULL;
    for (UINT i = 0; i < count; i++)
        set->uavs[i] = rt_view_of(uavs ? uavs[i] : NULL);
    return true;
}

void STDMETHODCALLTYPE rt_context_om_set_render_targets(ID3D11DeviceContext4 *self, UINT count,
                                                        ID3D11RenderTargetView *const *targets,
                                                        ID3D11DepthStencilView *depth)
{
    struct rt_context *context = rt_enter(self);
    struct outputs set = {0};
    if (take_targets(&set, count, targets, depth))
        set_outputs(context, &set);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_om_set_render_targets_and_uavs(ID3D11DeviceContext4 *self, UINT count,
                                                                 ID3D11RenderTargetView *const *targets,
                                                                 ID3D11DepthStencilView *depth,
                                                                 UINT uav_start, UINT uav_count,
                                                                 ID3D11UnorderedAccessView *const *uavs,
                                                                 const UINT *initial_counts)
{
    struct rt_context *context = rt_enter(self);
    struct outputs set = {.keeps_targets = count == D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL,
                          .keeps_uavs = uav_count == D3D11_KEEP_UNORDERED_ACCESS_VIEWS};
    if ((set.keeps_targets || take_targets(&set, count, targets, depth)) &&
        (set.keeps_uavs || take_uavs(context, &set, uav_start, uav_count, uavs, initial_counts)))
        set_outputs(context, &set);
    rt_leave(context);
}

static void get_targets(struct rt_context *context, UINT count, ID3D11RenderTargetView **targets,
                        ID3D11DepthStencilView **depth)
{
    for (UINT i = 0; targets && i < count; i++)
        targets[i] = i < UMD_RENDER_TARGET_SLOTS ? rt_object_return(context->bindings->targets[i]) : NULL;
    if (depth)
        *depth = rt_object_return(context->bindings->depth_stencil_view);
}

static void get_uavs(const struct rt_uav_bindings *bound, UINT start, UINT count,
                     ID3D11UnorderedAccessView **uavs)
{
    for (UINT i = 0; uavs && i < count; i++)
        uavs[i] = start + i < RT_UAV_SLOTS ? rt_object_return(bound->views[start + i]) : NULL;
}

void STDMETHODCALLTYPE rt_context_om_get_render_targets(ID3D11DeviceContext4 *self, UINT count,
                                                        ID3D11RenderTargetView **targets,
                                                        ID3D11DepthStencilView **depth)
{
    struct rt_context *context = rt_enter(self);
    get_targets(context, count, targets, depth);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_om_get_render_targets_and_uavs(ID3D11DeviceContext4 *self, UINT count,
                                                                 ID3D11RenderTargetView **targets,
                                                                 ID3D11DepthStencilView **depth,
                                                                 UINT uav_start, UINT uav_count,
                                                                 ID3D11UnorderedAccessView **uavs)
{
    struct rt_context *context = rt_enter(self);
    get_targets(context, count, targets, depth);
    get_uavs(&context->bindings->output_uavs, uav_start, uav_count, uavs);
    rt_leave(context);
}

/* ---- Compute shaders ----------------------------------------------------------------------------------- */

static void tell_compute_uavs(struct rt_context *context, UINT start, UINT count, const UINT *counts)
{
    struct umd_view *views[RT_UAV_SLOTS];
    for (UINT i = 0; i < count; i++)
        views[i] = rt_umd_view(context, context->bindings->compute_uavs.views[start + i]);
    umd_cs_set_unordered_access_views(context->umd, start, count, views, counts);
}

void STDMETHODCALLTYPE rt_context_cs_set_uavs(ID3D11DeviceContext4 *self, UINT start, UINT count,
                                              ID3D11UnorderedAccessView *const *uavs,
                                              const UINT *initial_counts)
{
    struct rt_context *context = rt_enter(self);
    struct rt_uav_bindings *bound = &context->bindings->compute_uavs;
    struct outputs set = {0};
    if (!take_uavs(context, &set, start, count, uavs, initial_counts)) {
        rt_leave(context);
        return;
    }
    if (has_overlaps(&set)) {
        rt_message(&context->object.device->messages,
                   D3D11_MESSAGE_ID_DEVICE_CSSETUNORDEREDACCESSVIEWS_INVALIDVIEW);
        rt_leave(context);
        return;
    }
    for (UINT i = 0; i < count; i++) {
        const struct rt_view *view = set.uavs[i];
        const UINT slots = RT_OUTPUTS_TARGETS | RT_OUTPUTS_OUTPUT_UAVS | RT_OUTPUTS_STREAM;
        if (!view)
            continue;
        rt_hazard_end_inputs(context, view);
        /* The slot that has it already keeps it: its counter stays. */
        rt_hazard_end_outputs(context, view,
                              bound->views[start + i] == &view->object ? slots
                                                                       : slots | RT_OUTPUTS_COMPUTE_UAVS);
    }
    for (UINT i = 0; i < count; i++)
        rt_context_bind(context, &bound->views[start + i], object_of(set.uavs[i]));
    if (start + count > bound->count)
        bound->count = start + count;
    bound->count = count_slots(bound->views, bound->count);
    tell_compute_uavs(context, start, count, initial_counts);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_cs_get_uavs(ID3D11DeviceContext4 *self, UINT start, UINT count,
                                              ID3D11UnorderedAccessView **uavs)
{
    struct rt_context *context = rt_enter(self);
    get_uavs(&context->bindings->compute_uavs, start, count, uavs);
    rt_leave(context);
}

/* ---- Blend and depth-stencil states -------------------------------------------------------------------- */

static void tell_blend(struct rt_context *context)
{
    const struct rt_state *state = (const struct rt_state *)rt_own(context, context->bindings->blend);
    umd_set_blend_state(context->umd, state ? state->umd.blend : NULL, context->bindings->blend_factor,
                        context->bindings->sample_mask);
}

void STDMETHODCALLTYPE rt_context_om_set_blend_state(ID3D11DeviceContext4 *self, ID3D11BlendState *blend,
                                                     const FLOAT factor[4], UINT sample_mask)
{
    static const FLOAT ones[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    struct rt_context *context = rt_enter(self);
    struct rt_bindings *b = context->bindings;
    bool changed = b->sample_mask != sample_mask;
    if (!factor)
        factor = ones;
    changed |= memcmp(b->blend_factor, factor, sizeof(b->blend_factor)) != 0;
    memcpy(b->blend_factor, factor, sizeof(b->blend_factor));
    b->sample_mask = sample_mask;
    if (rt_context_bind(context, &b->blend, blend ? RT_OBJECT(blend) : NULL) || changed)
        tell_blend(context);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_om_get_blend_state(ID3D11DeviceContext4 *self, ID3D11BlendState **blend,
                                                     FLOAT factor[4], UINT *sample_mask)
{
    struct rt_context *context = rt_enter(self);
    if (blend)
        *blend = rt_object_return(context->bindings->blend);
    if (factor)
        memcpy(factor, context->bindings->blend_factor, sizeof(context->bindings->blend_factor));
    if (sample_mask)
        *sample_mask = context->bindings->sample_mask;
    rt_leave(context);
}

static void tell_depth_stencil(struct rt_context *context)
{
    const struct rt_state *state = (const struct rt_state *)rt_own(context, context->bindings->depth_stencil);
    umd_set_depth_stencil_state(context->umd, state ? state->umd.depth_stencil : NULL,
                                context->bindings->stencil_ref);
}

void STDMETHODCALLTYPE rt_context_om_set_depth_stencil_state(ID3D11DeviceContext4 *self,
                                                             ID3D11DepthStencilState *state, UINT reference)
{
    struct rt_context *context = rt_enter(self);
    struct rt_bindings *b = context->bindings;
    const bool changed = b->stencil_ref != reference;
    b->stencil_ref = reference;
    if (rt_context_bind(context, &b->depth_stencil, state ? RT_OBJECT(state) : NULL) || changed)
        tell_depth_stencil(context);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_om_get_depth_stencil_state(ID3D11DeviceContext4 *self,
                                                             ID3D11DepthStencilState **state, UINT *reference)
{
    struct rt_context *context = rt_enter(self);
    if (state)
        *state = rt_object_return(context->bindings->depth_stencil);
    if (reference)
        *reference = context->bindings->stencil_ref;
    rt_leave(context);
}

void rt_context_apply_outputs(struct rt_context *context)
{
    const struct rt_bindings *b = context->bindings;
    rt_context_tell_outputs(context, 0, 0, b->output_uavs.count, NULL);
    if (b->compute_uavs.count)
        tell_compute_uavs(context, 0, b->compute_uavs.count, NULL);
    tell_blend(context);
    tell_depth_stencil(context);
}
