/* SPDX-License-Identifier: MIT */
#include "exec/bind/bind.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/context.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/bind/target_copy.h"
#include "exec/bind/typed_buffer.h"
#include "exec/bind/uav.h"
#include "exec/bind/uav_counters.h"
#include "exec/blit/samples.h"
#include "exec/blit/texels.h"
#include "exec/blit/texture_plane.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/object/sampler.h"
#include "exec/object/texture.h"
#include "exec/object/uav_counter.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/dummy.h"
#include "exec/record/recorder.h"
#include "exec/record/upload_ring.h"
#include "exec/state/slots.h"
#include "exec/state/state.h"
#include "exec/transfer/buffer_upload.h"
#include "exec/transfer/texture_pull.h"
#include "format/format.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/expansion.h"

/* The bind group that is being made, and the part of the draw block that describes its views. */
struct group_builder {
    struct ag_binder *binder;
    struct ag_context *context;
    enum agpu_stage stage;
    const struct agpu_module *module;
    const struct ag_shader_program *program;
    struct ag_draw_block *block;
    uint32_t sinks; /* how many dummy storage buffers are bound (ag_dummy_sink()) */
    struct ag_bind_item items[AG_MAX_STAGE_BINDINGS];
    uint32_t count;
};

/* Fills in the binding's vec4<u32> among the views of the draw block, if the module reads it. */
static void set_view(struct group_builder *builder, const struct agpu_binding *binding, uint32_t x,
                     uint32_t y, uint32_t z)
{
    const struct agpu_module *module = builder->module;
    for (uint32_t i = 0; i < module->view_count; i++) {
        uint32_t entry = module->view_base + i;
        if (module->views[i] != binding->binding || entry >= AG_DRAW_BLOCK_VIEW_COUNT)
            continue;
        uint8_t *to = builder->block->bytes + AG_DRAW_BLOCK_VIEWS + 16 * (size_t)entry;
        ag_store_u32(to, x);
        ag_store_u32(to + 4, y);
        ag_store_u32(to + 8, z);
        ag_store_u32(to + 12, 0);
    }
}

/* Fills in the fourth word of that vec4<u32>, which set_view() leaves 0. */
static void set_view_end(struct group_builder *builder, const struct agpu_binding *binding, uint32_t w)
{
    const struct agpu_module *module = builder->module;
    for (uint32_t i = 0; i < module->view_count; i++)
        if (module->views[i] == binding->binding && module->view_base + i < AG_DRAW_BLOCK_VIEW_COUNT)
            ag_store_u32(
                builder->block->bytes + AG_DRAW_BLOCK_VIEWS + 16 * ((size_t)module->view_base + i) + 12, w);
}

static enum ag_outcome stop_at_handle(struct group_builder *builder, const char *what, uint32_t slot,
                                      uint32_t handle)
{
    const enum ag_handle_space space = what[0] == 's' ? AG_SPACE_SAMPLERS : AG_SPACE_RESOURCES;
    return ag_host_stop_handle(builder->binder->host, space, handle,
                               "%s%" PRIu32 " of the %s: handle %" PRIu32 " names nothing fit", what, slot,
                               agpu_stage_name(builder->stage), handle);
}

/* ---- Constants ---------------------------------------------------------------------------------------- */

/* The declaration of the program's immediate constant buffer, or null. */
static const struct agpu_instruction *find_icb(const struct agpu_shader *shader)
{
    for (uint32_t i = 0; i < shader->program.instruction_count; i++) {
        const struct agpu_instruction *instruction = &shader->program.instructions[i];
        if (instruction->opcode == AGPU_OP_CUSTOMDATA && instruction->data_count > 1 &&
            instruction->controls == AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER)
            return instruction;
    }
    return NULL;
}

/* Binds the class instances in the interface slots (aerogpu/translate.h). A call through an empty slot is
 * undefined in Direct3D, so that the draw is skipped when a slot that the shader uses is empty. */
static enum ag_outcome bind_instances(struct group_builder *builder, const struct agpu_binding *binding,
                                      struct ag_bound_range *range)
{
    const struct ag_class_instances *instances = builder->context->stages[builder->stage].instances;
    const uint32_t slots = (uint32_t)(binding->bytes / AG_CLASS_INSTANCE_BYTES);
    uint32_t words[AG_MAX_CLASS_INSTANCES][AG_CLASS_INSTANCE_BYTES / 4] = {{0}};
    for (uint32_t i = 0; i < slots; i++) {
        if (i >= AG_MAX_CLASS_INSTANCES || !instances || i >= instances->count ||
            instances->slots[i].function_table == AEROGPU_EXT_ALL)
            return ag_host_skip_undefined(builder->binder->host,
                                          "interface slot %" PRIu32 " of the %s holds no class instance", i,
                                          agpu_stage_name(builder->stage));
        const struct aerogpu_ext_class_instance *instance = &instances->slots[i];
        words[i][0] = instance->constant_buffer;
        words[i][1] = instance->constant_offset_bytes / 16;
        words[i][2] = instance->texture;
        words[i][3] = instance->sampler;
        words[i][4] = instance->function_table;
    }
    return ag_bind_bytes(builder->binder, words, (uint64_t)slots * AG_CLASS_INSTANCE_BYTES, binding->bytes,
                         range);
}

static enum ag_outcome bind_uniform(struct group_builder *builder, const struct agpu_binding *binding,
                                    struct ag_bind_item *item)
{
    struct ag_bound_range range;
    enum ag_outcome outcome;
    if (binding->binding == AG_BINDING_SAMPLER_STATES) {
        uint8_t states[AG_SAMPLER_STATES_BYTES];
        ag_samplers_states(builder->context, builder->stage, states);
        outcome = ag_bind_bytes(builder->binder, states, sizeof states, binding->bytes, &range);
    } else if (binding->space == AGPU_SPACE_INTERNAL && binding->binding == AG_BINDING_CLASS_INSTANCES) {
        outcome = bind_instances(builder, binding, &range);
    } else if (binding->space == AGPU_SPACE_INTERNAL) {
        const struct agpu_instruction *icb = find_icb(builder->program->shader);
        const uint32_t nothing = 0;
        outcome = ag_bind_bytes(builder->binder, icb ? icb->data : &nothing,
                                icb ? icb->data_count * UINT64_C(4) : 4, binding->bytes, &range);
    } else {
        outcome = ag_bind_constants(builder->binder, builder->context, builder->stage, binding, &range);
    }
    if (outcome != AG_DONE)
        return outcome;
    item->id = range.id;
    item->buffer = range.buffer;
    item->offset = range.offset;
    item->size = range.size;
    set_view(builder, binding, 0, (uint32_t)range.bound, (uint32_t)(range.bound / 16));
    return AG_DONE;
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

static uint32_t element_bytes(const struct agpu_binding *binding)
{
    if (binding->structure_stride)
        return binding->structure_stride;
    return binding->dimension == AGPU_DIMENSION_BUFFER ? 16 : 4; /* typed elements have four words */
}

/* Clamps a range to the buffer. A size of 0 means the rest of the buffer. */
static void clamp_range(const struct ag_buffer *buffer, uint64_t *offset, uint64_t *size)
{
    if (*offset > buffer->size)
        *offset = buffer->size;
    if (*size == 0 || *size > buffer->size - *offset)
        *size = buffer->size - *offset;
}

/* Binds from an aligned offset at or below `offset`; the draw block tells the shader the difference. */
static enum ag_outcome bind_range(struct group_builder *builder, const struct agpu_binding *binding,
                                  struct ag_buffer *buffer, uint64_t offset, uint64_t size,
                                  struct ag_bind_item *item)
{
    struct ag_binder *binder = builder->binder;
    uint64_t alignment = binder->host->limits.minStorageBufferOffsetAlignment;
    clamp_range(buffer, &offset, &size);
    uint64_t base = offset & ~(alignment - 1), first = offset - base;
    uint64_t end = ag_align_up(buffer->size, 4);
    uint64_t length = ag_align_up(first + size, 4);
    if (length < binding->bytes)
        length = ag_align_up(binding->bytes, 4);
    if (length > binder->host->limits.maxStorageBufferBindingSize)
        return ag_host_skip_refused(binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "buffer slot %u of the %s is a view of %" PRIu64
                                    " bytes, more than the device binds",
                                    binding->slot, agpu_stage_name(builder->stage), size);
    if (length == 0)
        length = 4;
    if (base + length > end) { /* the rest is less than a binding must have, which therefore begins earlier */
        uint64_t least = length < end ? length : end;
        base = (end - least) & ~(alignment - 1);
        first = offset - base;
        length = end - base;
    }
    if (length < binding->bytes)
        return ag_host_skip_refused(
            binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
            "buffer slot %u of the %s needs %" PRIu64 " bytes and its buffer has %" PRIu64, binding->slot,
            agpu_stage_name(builder->stage), binding->bytes, buffer->size);
    item->id = buffer->id;
    item->buffer = buffer->gpu;
    item->offset = base;
    item->size = length;
    set_view(builder, binding, (uint32_t)first, (uint32_t)size, (uint32_t)(size / element_bytes(binding)));
    return AG_DONE;
}

static bool is_typed(const struct agpu_binding *binding)
{
    return binding->dimension == AGPU_DIMENSION_BUFFER && !binding->structure_stride;
}

static bool is_four_words(const struct ag_host_format *format)
{
    return format->vertex_bytes == 16;
}

static bool is_opaque(const struct ag_host_format *format)
{
    return (ag_format_border(format) & AG_VIEW_BORDER_ALPHA) == 0;
}

/* Binds the elements of a typed view as four words each, which is what shaders load (X61). */
static enum ag_outcome bind_widened(struct group_builder *builder, const struct agpu_binding *binding,
                                    struct ag_buffer_view *view, struct ag_bind_item *item)
{
    const enum ag_outcome outcome = ag_buffer_view_widen(builder->binder, view);
    if (outcome != AG_DONE)
        return outcome;
    item->buffer = view->widened.gpu;
    item->id = view->widened.id;
    item->size = view->count * UINT64_C(16);
    set_view(builder, binding, 0, (uint32_t)item->size, view->count);
    set_view_end(builder, binding, is_opaque(view->format));
    return AG_DONE;
}

static enum ag_outcome bind_srv_buffer(struct group_builder *builder, const struct agpu_binding *binding,
                                       struct ag_bind_item *item)
{
    struct ag_resource_slot *slot = &builder->context->stages[builder->stage].resources[binding->slot];
    if (slot->handle && !slot->buffer && !slot->view) {
        slot->buffer = ag_handle_buffer(builder->binder->objects, slot->handle);
        if (!slot->buffer)
            return stop_at_handle(builder, "t", binding->slot, slot->handle);
        if (ag_context_writes_buffer(builder->context, slot->buffer))
            *slot = (struct ag_resource_slot){0};
    }
    if (!slot->buffer) {
        item->buffer = ag_dummy_zeros(builder->binder->recorder, &item->id);
        item->size = ag_align_up(binding->bytes > 16 ? binding->bytes : 16, 4);
        set_view(builder, binding, 0, 0, 0);
        return AG_DONE;
    }
    if (!ag_buffer_use(builder->binder->copier, slot->buffer))
        return AG_STOPPED;
    struct ag_buffer_view *view = slot->bound ? &slot->bound->buffer : NULL;
    if (view && is_typed(binding) && view->format && !is_four_words(view->format))
        return bind_widened(builder, binding, view, item);
    return bind_range(builder, binding, slot->buffer, view ? view->offset : slot->offset,
                      view ? view->size : slot->size, item);
}

/* Reports writable bindings that overlap, which WebGPU refuses. */
static enum ag_outcome check_aliases(struct group_builder *builder, const struct ag_bind_item *item)
{
    for (uint32_t i = 0; i < builder->count; i++) {
        const struct ag_bind_item *other = &builder->items[i];
        if (other->id == item->id && other->buffer && other->offset < item->offset + item->size &&
            item->offset < other->offset + other->size)
            return ag_host_skip_refused(
                builder->binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                "the %s has two views of the same bytes of a buffer, one of them writable",
                agpu_stage_name(builder->stage));
    }
    return AG_DONE;
}

/* Whether several slots have views of the buffer, which then are one variable of the module (struct
 * ag_uav_aliases). */
static bool is_shared(const struct group_builder *builder, const struct ag_buffer *buffer)
{
    const struct agpu_module *module = builder->module;
    for (uint32_t i = 0; i < module->unbound_count; i++)
        if (module->unbound[i].space == AGPU_SPACE_UAV &&
            builder->context->stages[builder->stage].uavs[module->unbound[i].slot].buffer == buffer)
            return true;
    return false;
}

static void slot_range(const struct ag_buffer_slot *slot, uint64_t *offset, uint64_t *size)
{
    *offset = slot->bound ? slot->bound->buffer.offset : slot->offset;
    *size = slot->bound ? slot->bound->buffer.size : slot->size;
}

/* Binds the whole buffer, for a variable that several views share; the draw block tells the shader each
 * view's part. */
static enum ag_outcome bind_shared(struct group_builder *builder, const struct agpu_binding *binding,
                                   const struct ag_buffer_slot *slot, struct ag_bind_item *item)
{
    const struct ag_buffer *buffer = slot->buffer;
    uint64_t offset, size;
    slot_range(slot, &offset, &size);
    clamp_range(buffer, &offset, &size);
    item->id = buffer->id;
    item->buffer = buffer->gpu;
    item->size = ag_align_up(buffer->size, 4);
    if (item->size > builder->binder->host->limits.maxStorageBufferBindingSize)
        return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "u%u of the %s is one of several views of a buffer of %" PRIu64
                                    " bytes, more than the device binds as a whole",
                                    binding->slot, agpu_stage_name(builder->stage), buffer->size);
    set_view(builder, binding, (uint32_t)offset, (uint32_t)size, (uint32_t)(size / element_bytes(binding)));
    return AG_DONE;
}

/* Binds a dummy storage buffer for an empty slot: stores have no effect, and the view's size is 0 in the
 * draw block. */
static enum ag_outcome bind_sink(struct group_builder *builder, const struct agpu_binding *binding,
                                 struct ag_bind_item *item)
{
    if (binding->bytes > AG_DUMMY_SINK_BYTES)
        return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "u%u of the %s is not bound", binding->slot,
                                    agpu_stage_name(builder->stage));
    item->buffer = ag_dummy_sink(builder->binder->recorder, builder->sinks++, &item->id);
    item->size = AG_DUMMY_SINK_BYTES;
    set_view(builder, binding, 0, 0, 0);
    return AG_DONE;
}

static enum ag_outcome check_collisions(struct group_builder *builder, const struct agpu_binding *binding)
{
    const struct ag_buffer_slot *slots = builder->context->stages[builder->stage].uavs;
    for (uint32_t i = 0; i < AG_WIRE_UAV_SLOTS; i++) {
        if (i == binding->slot || !(builder->program->uav_slots >> i & 1) ||
            !ag_uavs_collide(&slots[i], &slots[binding->slot]))
            continue;
        return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "u%" PRIu32 " and u%u of the %s are typed views of the same bytes", i,
                                    binding->slot, agpu_stage_name(builder->stage));
    }
    return AG_DONE;
}

static enum ag_outcome bind_texels(struct group_builder *builder, const struct agpu_binding *binding,
                                   struct ag_view *view, struct ag_bind_item *item)
{
    const WGPUExtent3D extent = ag_texels_extent(view);
    enum ag_outcome outcome = check_collisions(builder, binding);
    if (outcome != AG_DONE)
        return outcome;
    if (!ag_view_contents_use(builder->binder->copier, view))
        return AG_STOPPED;
    outcome = ag_texels_bind(builder->binder->blitter, view, item);
    if (outcome != AG_DONE)
        return outcome;
    if (view->resource->kind == AG_RESOURCE_BUFFER) {
        set_view(builder, binding, 0, (uint32_t)item->size, extent.width);
        set_view_end(builder, binding, is_opaque(view->buffer.format));
        return AG_DONE;
    }
    set_view(builder, binding, extent.width, extent.height, extent.depthOrArrayLayers);
    set_view_end(builder, binding, (uint32_t)item->size | is_opaque(view->texture.format));
    return AG_DONE;
}

static enum ag_outcome bind_uav(struct group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item)
{
    struct ag_buffer_slot *slot = &builder->context->stages[builder->stage].uavs[binding->slot];
    uint64_t offset, size;
    if (slot->handle && !slot->buffer && !slot->bound) {
        slot->buffer = ag_handle_buffer(builder->binder->objects, slot->handle);
        if (!slot->buffer)
            return stop_at_handle(builder, "u", binding->slot, slot->handle);
        ag_uav_counter_set(&slot->buffer->counter, slot->initial_count);
    }
    if (!ag_uav_fits(binding, slot)) {
        if (slot->handle)
            ag_host_report(
                builder->binder->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                "u%u of the %s: the view is not what the shader declares; it reads 0 and keeps nothing",
                binding->slot, agpu_stage_name(builder->stage));
        return bind_sink(builder, binding, item);
    }
    enum ag_outcome outcome;
    if (slot->bound && ag_texels_needed(slot->bound)) {
        outcome = bind_texels(builder, binding, slot->bound, item);
    } else {
        assert(slot->buffer); /* of a view that fits, too */
        if (!ag_buffer_use(builder->binder->copier, slot->buffer))
            return AG_STOPPED;
        slot_range(slot, &offset, &size);
        outcome = is_shared(builder, slot->buffer)
                      ? bind_shared(builder, binding, slot, item)
                      : bind_range(builder, binding, slot->buffer, offset, size, item);
    }
    return outcome == AG_DONE ? check_aliases(builder, item) : outcome;
}

/* ---- Textures and samplers ---------------------------------------------------------------------------- */

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

static enum ag_outcome check_filter(struct group_builder *builder, const struct agpu_binding *binding,
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
static enum ag_outcome resolve_texture(struct group_builder *builder, const struct agpu_binding *binding,
                                       struct ag_texture_view *view, struct ag_bind_item *item)
{
    WGPUTextureViewDimension dimension = ag_webgpu_view_dimension(binding->dimension);
    enum ag_view_dimension view_dimension = view_dimension_of(dimension);
    const uint32_t samples = view->texture->sample_count;
    const bool of_samples = binding->multisampled || binding->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY;
    if (!class_fits(binding, view->format) || view_dimension == AG_VIEW_DIMENSION_COUNT ||
        of_samples != (samples > 1)) {
        ag_host_report(builder->binder->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                       "t%u of the %s: a %s texture is not what the shader declares; it reads 0",
                       binding->slot, agpu_stage_name(builder->stage), view->format->name);
        return AG_DONE;
    }
    if (!ag_view_use(builder->binder->copier, view))
        return AG_STOPPED;
    uint32_t mips = view->mip_count, layers = view->layer_count;
    const uint32_t border = ag_format_border(view->format);
    uint32_t number = (view->format->flags & (AG_FORMAT_DEPTH | AG_FORMAT_DEPTH_FLOAT)) == AG_FORMAT_DEPTH
                          ? AG_VIEW_UNORM
                          : 0;
    number |= level_floor(view) << AG_VIEW_FLOOR_SHIFT | (is_opaque(view->format) ? AG_VIEW_OPAQUE : 0);
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
        set_view(builder, binding, mips,
                 binding->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY ? layers / 6 : layers, number);
        set_view_end(builder, binding, samples > 1 ? samples : border);
    }
    return AG_DONE;
}

static enum ag_outcome bind_texture(struct group_builder *builder, const struct agpu_binding *binding,
                                    struct ag_bind_item *item)
{
    struct ag_resource_slot *slot = &builder->context->stages[builder->stage].resources[binding->slot];
    if (slot->handle && !slot->view && !slot->buffer) {
        slot->view = ag_handle_view(builder->binder->objects, slot->handle);
        if (!slot->view)
            return stop_at_handle(builder, "t", binding->slot, slot->handle);
        if (ag_context_writes_view(builder->context, slot->view))
            *slot = (struct ag_resource_slot){0};
    }
    set_view(builder, binding, 0, 0, 0);
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

static enum ag_outcome bind_sampler(struct group_builder *builder, const struct agpu_binding *binding,
                                    struct ag_bind_item *item)
{
    WGPUSamplerBindingType type =
        ag_sampler_binding_type((enum agpu_binding_kind)binding->kind, binding->filtered);
    bool comparison = type == WGPUSamplerBindingType_Comparison;
    struct ag_sampler_slot *slot = &builder->context->stages[builder->stage].samplers[binding->slot];
    if (slot->handle && !slot->sampler)
        slot->sampler = ag_map_get(&builder->binder->objects->samplers, slot->handle);
    if (slot->handle && !slot->sampler)
        return stop_at_handle(builder, "s", binding->slot, slot->handle);
    if (slot->sampler && !slot->sampler->gpu)
        return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_EXEC_REFUSED_OBJECT,
                                    "s%u of the %s is a sampler that cannot be expressed", binding->slot,
                                    agpu_stage_name(builder->stage));
    bool compares = slot->sampler && ag_sampler_compares(&slot->sampler->desc);
    if (!slot->sampler || compares != comparison) {
        item->sampler = ag_dummy_sampler(builder->binder->recorder, type, &item->id);
    } else if (type == WGPUSamplerBindingType_NonFiltering) {
        item->sampler = ag_sampler_point(builder->binder->objects, slot->sampler, &item->id);
    } else {
        item->sampler = slot->sampler->gpu;
        item->id = slot->sampler->id;
    }
    const struct ag_sampler_desc *desc = slot->sampler ? &slot->sampler->desc : NULL;
    set_view(builder, binding, ag_bits_from_float(desc ? desc->mip_lod_bias : 0),
             ag_bits_from_float(desc ? desc->min_lod : -FLT_MAX),
             ag_bits_from_float(desc ? desc->max_lod : FLT_MAX));
    return AG_DONE;
}

/* ---- Groups ------------------------------------------------------------------------------------------- */

static enum ag_outcome bind_one(struct group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item)
{
    switch ((enum agpu_binding_kind)binding->kind) {
    case AGPU_BIND_UNIFORM_BUFFER:
        return bind_uniform(builder, binding, item);
    case AGPU_BIND_STORAGE_BUFFER_READ:
        if (binding->space == AGPU_SPACE_RESOURCE)
            return bind_srv_buffer(builder, binding, item);
        return bind_uniform(builder, binding, item);
    case AGPU_BIND_STORAGE_BUFFER_READ_WRITE:
        if (binding->space == AGPU_SPACE_INTERNAL) {
            ag_uav_counters_bind(builder->binder, item);
            return AG_DONE;
        }
        return bind_uav(builder, binding, item);
    case AGPU_BIND_SAMPLED_TEXTURE:
        if (binding->space == AGPU_SPACE_INTERNAL) {
            item->view = ag_target_copy_view(builder->binder, binding->slot, &item->id);
            return item->view ? AG_DONE : AG_SKIPPED;
        }
        return bind_texture(builder, binding, item);
    case AGPU_BIND_SAMPLER:
    case AGPU_BIND_COMPARISON_SAMPLER:
        return bind_sampler(builder, binding, item);
    case AGPU_BIND_STORAGE_TEXTURE:
        break;
    }
    return AG_SKIPPED;
}

/* Fills in the draw block for slots that the module only asks about and does not bind. */
static enum ag_outcome note_unbound(struct group_builder *builder)
{
    uint32_t count = builder->count;
    builder->count = 0; /* items of these slots are not bound, so that they cannot overlap others */
    for (uint32_t i = 0; i < builder->module->unbound_count; i++) {
        struct ag_bind_item item = {0};
        const enum ag_outcome outcome = bind_one(builder, &builder->module->unbound[i], &item);
        if (outcome != AG_DONE)
            return outcome;
    }
    builder->count = count;
    return AG_DONE;
}

static void begin(struct group_builder *builder, struct ag_binder *binder, struct ag_context *context,
                  enum agpu_stage stage, const struct agpu_module *module,
                  const struct ag_shader_program *program, struct ag_draw_block *block)
{
    builder->binder = binder;
    builder->context = context;
    builder->stage = stage;
    builder->module = module;
    builder->program = program;
    builder->block = block;
    builder->sinks = 0;
    builder->count = 0;
}

/* Adds an item. The first uniform buffers of the group get dynamic offsets. */
static void add_item(struct group_builder *builder, bool uniform, const struct ag_bind_group_layout *layout,
                     struct ag_bound_group *group)
{
    struct ag_bind_item *item = &builder->items[builder->count++];
    if (uniform && group->offset_count < layout->dynamic_count) {
        group->offsets[group->offset_count++] = (uint32_t)item->offset;
        item->offset = 0;
    }
}

static struct ag_bind_item *next_item(struct group_builder *builder, uint32_t binding)
{
    struct ag_bind_item *item = &builder->items[builder->count];
    memset(item, 0, sizeof *item);
    item->binding = binding;
    return item;
}

/* The cached bind group of what the builder has. */
static enum ag_outcome get_group(struct group_builder *builder, const struct ag_bind_group_layout *layout,
                                 struct ag_bound_group *group)
{
    group->gpu = ag_bind_group_get(builder->binder->recorder, layout, builder->items, builder->count);
    return group->gpu ? AG_DONE : AG_OUT_OF_MEMORY;
}

enum ag_outcome ag_bind_stage(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                              const struct ag_shader_variant *variant,
                              const struct ag_shader_program *program, struct ag_draw_block *block,
                              struct ag_bound_group *group)
{
    struct group_builder builder;
    const struct agpu_module *module = variant->module;
    begin(&builder, binder, context, stage, module, program, block);
    group->offset_count = 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (binding->group == AG_GROUP_INTERNAL)
            continue;
        const enum ag_outcome outcome = bind_one(&builder, binding, next_item(&builder, binding->binding));
        if (outcome != AG_DONE)
            return outcome;
        add_item(&builder, binding->kind == AGPU_BIND_UNIFORM_BUFFER, variant->layout, group);
    }
    const enum ag_outcome outcome = note_unbound(&builder);
    return outcome == AG_DONE ? get_group(&builder, variant->layout, group) : outcome;
}

/* Uploads the draw block, unless the last one of this epoch was equal. */
static enum ag_outcome bind_block(struct ag_binder *binder, const struct ag_draw_block *block,
                                  struct ag_bind_item *item)
{
    if (binder->last_block_epoch != binder->recorder->ring.epoch ||
        memcmp(&binder->last_block, block, sizeof *block) != 0) {
        if (!ag_upload_ring_alloc(binder->recorder, sizeof *block, &binder->last_block_slice))
            return AG_OUT_OF_MEMORY;
        memcpy(binder->last_block_slice.bytes, block, sizeof *block);
        binder->last_block = *block;
        binder->last_block_epoch = binder->recorder->ring.epoch;
    }
    *item = (struct ag_bind_item){
        .binding = AG_BINDING_DRAW_BLOCK,
        .id = binder->last_block_slice.id,
        .buffer = binder->last_block_slice.gpu,
        .offset = binder->last_block_slice.offset,
        .size = sizeof *block,
    };
    return AG_DONE;
}

enum ag_outcome ag_bind_expansion(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct ag_shader_variant *variant,
                                  const struct ag_shader_program *program,
                                  const struct ag_bind_item lists[AG_EXPAND_BINDING_COUNT],
                                  struct ag_draw_block *block, struct ag_bound_group *group)
{
    struct group_builder builder;
    const struct agpu_module *module = variant->module;
    const struct ag_bind_group_layout *layout = variant->expansion;
    enum ag_outcome outcome;
    begin(&builder, binder, context, stage, module, program, block);
    group->offset_count = 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        uint32_t list = (uint32_t)binding->binding - AG_BINDING_INTERNAL;
        if (binding->group != AG_GROUP_INTERNAL || binding->binding == AG_BINDING_DRAW_BLOCK)
            continue;
        struct ag_bind_item *item = next_item(&builder, binding->binding);
        if (binding->binding >= AG_BINDING_INTERNAL && list < AG_EXPAND_BINDING_COUNT) {
            *item = lists[list];
            item->binding = binding->binding;
        } else {
            outcome = bind_one(&builder, binding, item);
            if (outcome != AG_DONE)
                return outcome;
        }
        add_item(&builder, binding->kind == AGPU_BIND_UNIFORM_BUFFER, layout, group);
    }
    outcome = note_unbound(&builder);
    if (outcome != AG_DONE)
        return outcome;
    if (module->uses_draw_block || module->flavour == AGPU_FLAVOUR_VERTEX) {
        outcome = bind_block(binder, block, next_item(&builder, AG_BINDING_DRAW_BLOCK));
        if (outcome != AG_DONE)
            return outcome;
        add_item(&builder, true, layout, group);
    }
    return get_group(&builder, layout, group);
}

enum ag_outcome ag_bind_draw_block(struct ag_binder *binder, const struct ag_draw_block *block,
                                   struct ag_bound_group *group)
{
    struct ag_bind_group_layout *layout = ag_bind_group_layout_of_draw_block(binder->recorder);
    struct ag_bind_item item;
    if (!layout)
        return AG_OUT_OF_MEMORY;
    const enum ag_outcome outcome = bind_block(binder, block, &item);
    if (outcome != AG_DONE)
        return outcome;
    group->offset_count = 1;
    group->offsets[0] = (uint32_t)item.offset;
    item.offset = 0;
    group->gpu = ag_bind_group_get(binder->recorder, layout, &item, 1);
    return group->gpu ? AG_DONE : AG_OUT_OF_MEMORY;
}
