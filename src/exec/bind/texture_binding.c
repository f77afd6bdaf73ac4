/* SPDX-License-Identifier: MIT */
#include "exec/bind/texture_binding.h"

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/group_builder.h"
#include "exec/blit/samples.h"
#include "exec/blit/texture_plane.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/dummy.h"
#include "exec/state/state.h"
#include "exec/transfer/texture_pull.h"
#include "format/format.h"
#include "gpu/webgpu.h"
#include "wgsl/draw_block.h"

static enum ag_view_dimension view_dimension_of(WGPUTextureViewDimension dimension)
{
    switch ((int)dimension) {
    case WGPUTextureViewDimension_2DArray:
        return AG_VIEW_DIMENSION_2D_ARRAY;
    case WGPUTextureViewDimension_Cube:
        return AG_VIEW_DIMENSION_CUBE;
    case WGPUTextureViewDimension_CubeArray:
        return AG_VIEW_DIMENSION_CUBE_ARRAY;
    case WGPUTextureViewDimension_2D:
        return AG_VIEW_DIMENSION_2D;
    case WGPUTextureViewDimension_3D:
        return AG_VIEW_DIMENSION_3D;
    }
    return AG_VIEW_DIMENSION_COUNT;
}

static bool class_fits(const struct agpu_binding *binding, const struct ag_host_format *format)
{
    switch ((enum agpu_sample_type)binding->sample_type) {
    case AGPU_SAMPLE_FLOAT:
    case AGPU_SAMPLE_UNFILTERABLE_FLOAT:
        return format->class == AG_CLASS_FLOAT || format->class == AG_CLASS_DEPTH;
    case AGPU_SAMPLE_DEPTH:
        return format->class == AG_CLASS_DEPTH;
    case AGPU_SAMPLE_SINT:
        return format->class == AG_CLASS_SINT;
    case AGPU_SAMPLE_UINT:
        return format->class == AG_CLASS_UINT;
    }
    return false;
}

static enum ag_outcome check_filter(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                    const struct ag_texture_view *view)
{
    if (!binding->filtered || binding->sample_type != AGPU_SAMPLE_FLOAT ||
        ag_host_format_has(view->format, AG_FORMAT_FILTERABLE) ||
        ag_host_has(builder->binder->host, AG_GPU_FEATURE_FLOAT32_FILTERABLE))
        return AG_DONE;
    return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                "t%u of the %s: this device does not filter %s textures", binding->slot,
                                agpu_stage_name(builder->stage), view->format->name);
}

/* SetResourceMinLOD counted from the view's first mip, in 1/256 (D3D11.3 7.18.8: LODs have eight bits of
 * fraction). */
static uint32_t level_floor(const struct ag_texture_view *view)
{
    float level = view->texture->min_lod - (float)view->base_mip;
    return level > 0 ? (uint32_t)(level * 256 + 0.5f) : 0;
}

/* Finds the WebGPU view for the view that the guest bound: item->view, which stays null when the binding gets
 * a dummy. */
static enum ag_outcome resolve_texture(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                       struct ag_texture_view *view, struct ag_bind_item *item)
{
    WGPUTextureViewDimension dimension = ag_webgpu_view_dimension(binding->dimension);
    enum ag_view_dimension view_dimension = view_dimension_of(dimension);
    const uint32_t samples = view->texture->sample_count;
    const bool of_samples = binding->multisampled || binding->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY;
    if (!class_fits(binding, view->format) || view_dimension == AG_VIEW_DIMENSION_COUNT ||
        of_samples != (samples > 1)) {
        ag_host_warn(builder->binder->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW,
                     "t%u of the %s: a %s texture is not what the shader declares; it reads 0", binding->slot,
                     agpu_stage_name(builder->stage), view->format->name);
        return AG_DONE;
    }
    if (!ag_view_use(builder->binder->copier, view))
        return AG_STOPPED;
    uint32_t mips = view->mip_count, layers = view->layer_count;
    const uint32_t border = ag_format_border(view->format);
    uint32_t number = (view->format->flags & (AG_FORMAT_DEPTH | AG_FORMAT_DEPTH_FLOAT)) == AG_FORMAT_DEPTH
                          ? AG_VIEW_UNORM
                          : 0;
    number |=
        level_floor(view) << AG_VIEW_FLOOR_SHIFT | (ag_format_is_opaque(view->format) ? AG_VIEW_OPAQUE : 0);
    const bool plane =
        view->format->class == AG_CLASS_DEPTH || ag_host_format_has(view->format, AG_FORMAT_STENCIL);
    if (samples > 1 && !binding->multisampled) {
        view = ag_view_samples(builder->binder->blitter, view);
        if (!view)
            return AG_OUT_OF_MEMORY;
    } else if (samples == 1 && plane && binding->sample_type != AGPU_SAMPLE_DEPTH) {
        view = ag_view_readable(builder->binder->blitter, view);
        if (!view)
            return AG_OUT_OF_MEMORY;
    }
    const enum ag_outcome outcome = check_filter(builder, binding, view);
    if (outcome != AG_DONE)
        return outcome;
    item->view = ag_view_of_dimension(builder->binder->objects, view, view_dimension, &item->id);
    if (item->view) {
        ag_group_set_view(builder, binding, mips,
                          binding->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY ? layers / 6 : layers,
                          number);
        ag_group_set_view_end(builder, binding, samples > 1 ? samples : border);
    }
    return AG_DONE;
}

enum ag_outcome ag_bind_texture(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item)
{
    struct ag_resource_slot *slot = &builder->context->stages[builder->stage].resources[binding->slot];
    if (slot->handle && !slot->view && !slot->buffer) {
        slot->view = ag_handle_view(builder->binder->objects, slot->handle);
        if (!slot->view)
            return ag_group_stop_at_handle(builder, "t", binding->slot, slot->handle);
        if (ag_context_writes_view(builder->context, slot->view))
            *slot = (struct ag_resource_slot){0};
    }
    ag_group_set_view(builder, binding, 0, 0, 0);
    if (slot->view) {
        const enum ag_outcome outcome = resolve_texture(builder, binding, slot->view, item);
        if (outcome != AG_DONE)
            return outcome;
    }
    if (!item->view)
        item->view =
            ag_dummy_texture(builder->binder->recorder, (enum agpu_sample_type)binding->sample_type,
                             ag_webgpu_view_dimension(binding->dimension), binding->multisampled, &item->id);
    return AG_DONE;
}
