/* SPDX-License-Identifier: MIT
 *
 * Within one render pass, WebGPU does not order the stores of two draws, and refuses a buffer that one draw
 * writes and another reads. A draw that writes buffers therefore gets a render pass of its own.
 */
#include "exec/bind/uav.h"

#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/output_hazard.h"
#include "exec/bind/shader.h"
#include "exec/bind/uav_arena.h"
#include "exec/bind/uav_counters.h"
#include "exec/blit/texels.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/object/texture_cast.h"
#include "exec/object/uav_counter.h"
#include "exec/object/view.h"
#include "exec/state/slots.h"

static bool is_writable(const struct agpu_binding *binding)
{
    return binding->space == AGPU_SPACE_UAV && (binding->kind == AGPU_BIND_STORAGE_BUFFER_READ_WRITE ||
                                                binding->kind == AGPU_BIND_STORAGE_TEXTURE);
}

bool ag_uavs_used(const struct agpu_module *module)
{
    for (uint32_t i = 0; i < ag_module_resource_count(module); i++) {
        const struct agpu_binding *binding = ag_module_resource(module, i);
        if (is_writable(binding))
            return true;
    }
    return module->counted != 0;
}

/* Storage buffers of a stage beside the views and the buffers that it declares: lists and records of expanded
 * draws, counters, long constant buffers. More of them make no difference but to devices of very few. */
#define OTHER_STORAGES 4

bool ag_uavs_share_arena(const struct ag_binder *binder, const struct ag_context *context,
                         enum agpu_stage stage)
{
    const uint32_t limit = binder->host->limits.maxStorageBuffersPerShaderStage;
    uint32_t writers = 0;
    bool is_full = false;
    for (uint32_t i = 0; stage != AGPU_STAGE_COMPUTE && i < AGPU_STAGE_COUNT; i++) {
        const struct ag_shader_program *program =
            i == AGPU_STAGE_COMPUTE ? NULL : ag_shader_at(binder, context, (enum agpu_stage)i);
        if (!program || !program->has_uavs)
            continue;
        is_full |= program->buffer_count + program->uav_count + OTHER_STORAGES > limit;
        writers++;
    }
    return writers > 1 && is_full;
}

enum agpu_stage ag_uav_stage(enum agpu_stage stage)
{
    return stage == AGPU_STAGE_COMPUTE ? AGPU_STAGE_COMPUTE : AGPU_STAGE_PIXEL;
}

bool ag_uavs_used_early(const struct ag_binder *binder, const struct ag_context *context)
{
    static const enum agpu_stage early[] = {AGPU_STAGE_VERTEX, AGPU_STAGE_HULL, AGPU_STAGE_DOMAIN,
                                            AGPU_STAGE_GEOMETRY};
    for (uint32_t i = 0; i < AG_COUNT_OF(early); i++) {
        const struct ag_shader_program *program = ag_shader_at(binder, context, early[i]);
        if (program && program->has_uavs)
            return true;
    }
    return false;
}

/* The resource dimension of a shader for each view dimension. */
static const uint8_t dimensions[] = {
    [AEROGPU_EXT_DIMENSION_BUFFER] = AGPU_DIMENSION_BUFFER,
    [AEROGPU_EXT_DIMENSION_TEXTURE1D] = AGPU_DIMENSION_TEXTURE1D,
    [AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY] = AGPU_DIMENSION_TEXTURE1DARRAY,
    [AEROGPU_EXT_DIMENSION_TEXTURE2D] = AGPU_DIMENSION_TEXTURE2D,
    [AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY] = AGPU_DIMENSION_TEXTURE2DARRAY,
    [AEROGPU_EXT_DIMENSION_TEXTURE3D] = AGPU_DIMENSION_TEXTURE3D,
};

static bool fits_view(const struct agpu_binding *binding, const struct ag_view *view)
{
    const struct ag_buffer_view *buffer = &view->buffer;
    const bool raw = (buffer->flags & AEROGPU_EXT_VIEW_FLAG_RAW) != 0;
    if (view->resource->kind == AG_RESOURCE_TEXTURE)
        return view->texture.dimension < AG_COUNT_OF(dimensions) &&
               dimensions[view->texture.dimension] == binding->dimension;
    switch ((enum agpu_resource_dimension)binding->dimension) {
    case AGPU_DIMENSION_BUFFER:
        return buffer->format != NULL;
    case AGPU_DIMENSION_RAW_BUFFER:
        return raw;
    case AGPU_DIMENSION_STRUCTURED_BUFFER:
        return !raw && !buffer->format && buffer->stride == binding->structure_stride;
    default:
        return false;
    }
}

bool ag_uav_fits(const struct agpu_binding *binding, const struct ag_buffer_slot *slot)
{
    const bool texture = binding->dimension >= AGPU_DIMENSION_TEXTURE1D &&
                         binding->dimension <= AGPU_DIMENSION_TEXTURECUBEARRAY;
    return slot->bound ? fits_view(binding, slot->bound) : slot->buffer && !texture;
}

/* The slot of a binding. Null when the shader cannot write through the binding. */
static struct ag_buffer_slot *written_slot(struct ag_context *context, enum agpu_stage stage,
                                           const struct agpu_binding *binding)
{
    if (!is_writable(binding))
        return NULL;
    struct ag_buffer_slot *slot = &context->stages[stage].uavs[binding->slot];
    return ag_uav_fits(binding, slot) ? slot : NULL;
}

void ag_uav_writers_add(struct ag_uav_writers *writers, const struct agpu_module *module)
{
    if (module && ag_uavs_used(module))
        writers->modules[writers->count++] = module;
}

static uint64_t counted_by(const struct ag_uav_writers *writers)
{
    uint64_t counted = 0;
    for (uint32_t i = 0; i < writers->count; i++)
        counted |= writers->modules[i]->counted;
    return counted;
}

static enum ag_outcome load_texels(struct ag_binder *binder, struct ag_context *context,
                                   enum agpu_stage stage, const struct agpu_module *module)
{
    for (uint32_t i = 0; i < ag_module_resource_count(module); i++) {
        const struct agpu_binding *binding = ag_module_resource(module, i);
        const struct ag_buffer_slot *slot = written_slot(context, stage, binding);
        if (!slot || !slot->bound || !ag_texels_needed(slot->bound) ||
            binding->kind == AGPU_BIND_STORAGE_TEXTURE)
            continue;
        const enum ag_outcome outcome =
            ag_texels_load(binder->blitter, slot->bound, binding->storage_format != 0);
        if (outcome != AG_DONE)
            return outcome;
    }
    return AG_DONE;
}

enum ag_outcome ag_uavs_load(struct ag_binder *binder, struct ag_context *context,
                             const struct ag_uav_writers *writers)
{
    for (uint32_t i = 0; i < writers->count; i++) {
        const enum ag_outcome outcome = load_texels(binder, context, writers->stage, writers->modules[i]);
        if (outcome != AG_DONE)
            return outcome;
    }
    const enum ag_outcome outcome =
        ag_uav_arena_load(binder, context, writers->stage, writers->modules, writers->count);
    if (outcome != AG_DONE)
        return outcome;
    return ag_uav_counters_load(binder, context, writers->stage, counted_by(writers)) ? AG_DONE
                                                                                      : AG_OUT_OF_MEMORY;
}

static void store_texels(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                         const struct agpu_module *module)
{
    for (uint32_t i = 0; i < ag_module_resource_count(module); i++) {
        const struct agpu_binding *binding = ag_module_resource(module, i);
        const struct ag_buffer_slot *slot = written_slot(context, stage, binding);
        if (slot && binding->kind == AGPU_BIND_STORAGE_TEXTURE)
            ag_view_written(&slot->bound->texture);
        else if (slot && slot->bound && ag_texels_needed(slot->bound))
            ag_texels_store(binder->blitter, slot->bound, binding->storage_format != 0);
        else if (slot)
            ag_buffer_written(binder->host, slot->buffer);
    }
}

void ag_uavs_store(struct ag_binder *binder, struct ag_context *context, const struct ag_uav_writers *writers)
{
    ag_uav_counters_store(binder, context, writers->stage, counted_by(writers));
    ag_uav_arena_store(binder);
    for (uint32_t i = 0; i < writers->count; i++)
        store_texels(binder, context, writers->stage, writers->modules[i]);
}

/* Whether the shader accesses the bytes of the slot's buffer, and no buffer of texels. */
static bool is_plain(const struct ag_buffer_slot *slot)
{
    return slot->buffer && (!slot->bound || !ag_texels_needed(slot->bound));
}

static bool share(const struct ag_buffer_slot *a, const struct ag_buffer_slot *b)
{
    return is_plain(a) && is_plain(b) && a->buffer == b->buffer;
}

bool ag_uavs_collide(const struct ag_buffer_slot *a, const struct ag_buffer_slot *b)
{
    return a->bound && b->bound && !(is_plain(a) && is_plain(b)) && ag_uav_views_overlap(a->bound, b->bound);
}

void ag_uavs_alias(const struct ag_context *context, enum agpu_stage stage,
                   const struct ag_shader_program *program, struct ag_uav_aliases *aliases)
{
    const struct ag_buffer_slot *slots = context->stages[stage].uavs;
    memset(aliases, 0, sizeof *aliases);
    for (uint32_t i = 1; i < AG_UAV_SLOTS && program->uav_slots >> i; i++) {
        for (uint32_t j = 0; j < i && program->uav_slots >> i & 1; j++) {
            if (!(program->uav_slots >> j & 1) || !share(&slots[j], &slots[i]))
                continue;
            aliases->slots[i] = aliases->slots[j] ? aliases->slots[j] : (uint8_t)(j + 1);
            break;
        }
    }
}

bool ag_context_pixels_write(const struct ag_context *context, const struct ag_buffer *buffer)
{
    AG_EACH_UAV(&context->stages[AGPU_STAGE_PIXEL], i)
    if (buffer && context->stages[AGPU_STAGE_PIXEL].uavs[i].buffer == buffer)
        return true;
    return false;
}

static void resolve_vertices(struct ag_binder *binder, struct ag_context *context)
{
    for (uint32_t i = 0; i < AG_VERTEX_BUFFER_SLOTS; i++) {
        struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[i];
        struct ag_buffer *buffer =
            slot->handle && !slot->buffer ? ag_handle_buffer(binder->objects, slot->handle) : slot->buffer;
        if (ag_context_pixels_write(context, buffer))
            *slot = (struct ag_vertex_buffer_slot){0};
    }
    struct ag_buffer *indices = context->index_buffer.buffer;
    if (context->index_buffer.handle && !indices)
        indices = ag_handle_buffer(binder->objects, context->index_buffer.handle);
    if (ag_context_pixels_write(context, indices)) {
        context->index_buffer.handle = 0;
        context->index_buffer.buffer = NULL;
    }
}

void ag_uavs_resolve(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage)
{
    bool any = false;
    ag_uav_arena_begin(binder);
    AG_EACH_UAV(&context->stages[stage], i)
    {
        struct ag_buffer_slot *slot = &context->stages[stage].uavs[i];
        if (!slot->buffer && !slot->bound) {
            slot->buffer = ag_handle_buffer(binder->objects, slot->handle);
            if (slot->buffer) {
                ag_context_bound_as_uav(context, slot->buffer);
                ag_uav_counter_set(&slot->buffer->counter, slot->initial_count);
            }
        }
        any |= slot->buffer != NULL;
    }
    if (any && stage == AGPU_STAGE_PIXEL)
        resolve_vertices(binder, context);
}
