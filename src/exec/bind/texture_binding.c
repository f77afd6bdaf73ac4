/* SPDX-License-Identifier: MIT */
#include "exec/bind/texture_binding.h"

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/group_builder.h"
#include "exec/bind/shader.h"
#include "exec/blit/decoded_blocks.h"
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
#include "wgsl/options.h"

enum ag_view_dimension ag_texture_binding_dimension(const struct agpu_binding *binding)
{
    switch ((int)ag_binding_view_dimension(binding)) {
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

/* What shaders get of a view: AG_TEXTURE_CLASS. 0 for views that shaders do not read. */
static uint8_t class_of(const struct ag_host_format *format)
{
    switch ((enum ag_host_class)format->class) {
    case AG_CLASS_FLOAT:
    case AG_CLASS_DEPTH:
        return AG_TEXTURE_FLOAT;
    case AG_CLASS_SINT:
        return AG_TEXTURE_SINT;
    case AG_CLASS_UINT:
        return AG_TEXTURE_UINT;
    case AG_CLASS_TYPELESS:
    case AG_CLASS_VIDEO:
        break;
    }
    return 0;
}

bool ag_texture_filters(const struct ag_host *host, const struct ag_host_format *format)
{
    return (format->class != AG_CLASS_FLOAT && format->class != AG_CLASS_DEPTH) ||
           ag_host_format_has(format, AG_FORMAT_FILTERABLE) ||
           ag_host_has(host, AG_GPU_FEATURE_FLOAT32_FILTERABLE);
}

static uint8_t facts_of(const struct ag_host *host, const struct ag_declared_texture *declared,
                        const struct ag_texture_view *view)
{
    const uint8_t class = class_of(view->format);
    uint8_t facts = class == declared->class ? 0 : class;
    if (declared->compared && view->format->class == AG_CLASS_FLOAT)
        facts |= AG_TEXTURE_COLOR;
    if (declared->sampled && !ag_texture_filters(host, view->format))
        facts |= AG_TEXTURE_UNFILTERABLE | (declared->compared ? AG_TEXTURE_COLOR : 0);
    if (declared->has_samples && view->texture->sample_count == 1)
        facts |= AG_TEXTURE_ONE_SAMPLE;
    if (declared->has_samples && view->texture->planes.count)
        facts |= AG_TEXTURE_LAYERS;
    return facts;
}

/* Signed and unsigned integers differ in nothing that a load shows. */
static bool is_told(uint8_t declared, uint8_t class)
{
    return class != 0 && (declared == AG_TEXTURE_FLOAT || class == AG_TEXTURE_FLOAT);
}

const struct ag_texture_view *ag_texture_of_slot(const struct ag_binder *binder,
                                                 const struct ag_resource_slot *slot)
{
    return slot->handle && !slot->view && !slot->buffer ? ag_handle_view(binder->objects, slot->handle)
                                                        : slot->view;
}

void ag_textures_compare(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                         const struct ag_shader_program *program, uint8_t facts[AG_MAX_TEXTURES])
{
    for (uint32_t i = 0; i < program->texture_count; i++) {
        const struct ag_declared_texture *declared = &program->textures[i];
        const struct ag_texture_view *view =
            ag_texture_of_slot(binder, &context->stages[stage].resources[declared->slot]);
        if (!view)
            continue;
        facts[declared->slot] = facts_of(binder->host, declared, view);
        if (is_told(declared->class, facts[declared->slot] & AG_TEXTURE_CLASS))
            ag_host_warn(binder->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW,
                         "t%u of the %s: the type of a %s view is not what the shader declares; loads give "
                         "the bits of the view's type, samples of integers 0",
                         declared->slot, agpu_stage_name(stage), view->format->name);
    }
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

/* SetResourceMinLOD counted from the view's first mip, in 1/256 (D3D11.3 7.18.8: LODs have eight bits of
 * fraction). */
static uint32_t level_floor(const struct ag_texture_view *view)
{
    float level = view->texture->min_lod - (float)view->base_mip;
    return level > 0 ? (uint32_t)(level * 256 + 0.5f) : 0;
}

/* Makes the view that the guest bound ready for the shader and describes it in the draw block. *resolved
 * becomes null when the view is not what the shader declares, or what is read in its place. */
static enum ag_outcome resolve_view(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                    struct ag_texture_view **resolved)
{
    struct ag_texture_view *view = *resolved;
    const uint32_t samples = view->texture->sample_count, layers = view->layer_count;
    const bool of_samples = binding->dimension == AGPU_DIMENSION_TEXTURE2DMS ||
                            binding->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY;
    *resolved = NULL;
    if (!class_fits(binding, view->format) ||
        ag_texture_binding_dimension(binding) == AG_VIEW_DIMENSION_COUNT ||
        (samples > 1 ? !of_samples : binding->multisampled)) {
        ag_host_warn(builder->binder->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW,
                     "t%u of the %s: a %s texture is not what the shader declares; it reads 0", binding->slot,
                     agpu_stage_name(builder->stage), view->format->name);
        return AG_DONE;
    }
    if (!ag_view_use(builder->binder->copier, view))
        return AG_STOPPED;
    if (ag_group_tells(builder, binding)) {
        ag_group_set_view(builder, binding, of_samples ? 1 : view->mip_count,
                          binding->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY ? layers / 6 : layers,
                          (view->format->number == AG_NUMBER_UNORM ? AG_VIEW_UNORM : 0) |
                              level_floor(view) << AG_VIEW_FLOOR_SHIFT |
                              (ag_format_is_opaque(view->format) ? AG_VIEW_OPAQUE : 0));
        ag_group_set_view_end(builder, binding, of_samples ? samples : ag_format_border(view->format));
    }
    const bool plane =
        view->format->class == AG_CLASS_DEPTH || ag_host_format_has(view->format, AG_FORMAT_STENCIL);
    if (samples > 1 && (!binding->multisampled || builder->rows))
        view = ag_view_samples(builder->binder->blitter, view);
    else if (samples == 1 && plane && (binding->sample_type != AGPU_SAMPLE_DEPTH || builder->rows))
        view = ag_view_readable(builder->binder->blitter, view);
    const enum agpu_flavour flavour = builder->module->flavour;
    if (view && (builder->rows || (flavour != AGPU_FLAVOUR_VERTEX && flavour != AGPU_FLAVOUR_PIXEL)) &&
        !ag_view_decode_blocks(builder->binder->blitter, view))
        return AG_OUT_OF_MEMORY;
    *resolved = view;
    return view ? AG_DONE : AG_OUT_OF_MEMORY;
}

enum ag_outcome ag_resolve_texture(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                   struct ag_texture_view **view)
{
    struct ag_resource_slot *slot = &builder->context->stages[builder->stage].resources[binding->slot];
    if (slot->handle && !slot->view && !slot->buffer) {
        slot->view = ag_handle_view(builder->binder->objects, slot->handle);
        if (!slot->view)
            ag_group_warn_handle(builder, AG_SPACE_RESOURCES, "t", binding->slot, slot->handle);
        if (!slot->view || ag_context_writes_view(builder->context, slot->view))
            *slot = (struct ag_resource_slot){0};
    }
    ag_group_set_view(builder, binding, 0, 0, 0);
    *view = slot->view;
    return *view ? resolve_view(builder, binding, view) : AG_DONE;
}

enum ag_outcome ag_bind_texture(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item)
{
    const WGPUTextureViewDimension dimension = ag_binding_view_dimension(binding);
    struct ag_texture_view *view;
    const enum ag_outcome outcome = ag_resolve_texture(builder, binding, &view);
    if (outcome != AG_DONE)
        return outcome;
    if (view)
        item->view = ag_view_of_dimension(builder->binder->objects, view,
                                          ag_texture_binding_dimension(binding), &item->id);
    if (view && !item->view)
        ag_group_set_view(builder, binding, 0, 0, 0);
    if (!item->view)
        item->view = ag_dummy_texture(builder->binder->recorder, (enum agpu_sample_type)binding->sample_type,
                                      dimension, binding->multisampled, &item->id);
    return AG_DONE;
}
