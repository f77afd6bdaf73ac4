/* SPDX-License-Identifier: MIT */
#include "exec/bind/uav_binding.h"

#include <assert.h>
#include <inttypes.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/buffer_binding.h"
#include "exec/bind/context.h"
#include "exec/bind/group_builder.h"
#include "exec/bind/shader.h"
#include "exec/bind/storage_texture.h"
#include "exec/bind/uav.h"
#include "exec/blit/texels.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/object/uav_counter.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/dummy.h"
#include "exec/state/slots.h"
#include "exec/state/state.h"
#include "exec/transfer/buffer_upload.h"
#include "exec/transfer/texture_pull.h"
#include "gpu/webgpu.h"

/* The slots that the module's unordered access views are in. */
static struct ag_buffer_slot *slots_of(const struct ag_group_builder *builder)
{
    return builder->context->stages[ag_uav_stage(builder->stage)].uavs;
}

/* Whether several slots have views of the buffer, which then are one variable of the module (struct
 * ag_uav_aliases). */
static bool is_shared(const struct ag_group_builder *builder, const struct ag_buffer *buffer)
{
    const struct agpu_module *module = builder->module;
    const struct ag_buffer_slot *slots = slots_of(builder);
    uint32_t views = 0;
    for (uint32_t i = 0; i < module->unbound_count; i++)
        if (module->unbound[i].space == AGPU_SPACE_UAV && slots[module->unbound[i].slot].buffer == buffer)
            return true;
    /* Stages of a draw share parts of the arena, whichever of the views each has. */
    for (uint32_t i = 0; builder->rows && i < AG_UAV_SLOTS; i++)
        views += slots[i].buffer == buffer;
    return views > 1;
}

static void slot_range(const struct ag_buffer_slot *slot, uint64_t *offset, uint64_t *size)
{
    *offset = slot->bound ? slot->bound->buffer.offset : slot->offset;
    *size = slot->bound ? slot->bound->buffer.size : slot->size;
}

/* Binds the whole buffer, for a variable that several views share; the draw block tells the shader each
 * view's part. */
static enum ag_outcome bind_shared(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                   const struct ag_buffer_slot *slot, struct ag_bind_item *item)
{
    const struct ag_buffer *buffer = slot->buffer;
    uint64_t offset, size;
    slot_range(slot, &offset, &size);
    ag_binding_clamp_range(buffer, &offset, &size);
    item->id = buffer->id;
    item->buffer = buffer->gpu;
    item->size = ag_align_up(buffer->size, 4);
    if (item->size > builder->binder->host->limits.maxStorageBufferBindingSize)
        return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "u%u of the %s is one of several views of a buffer of %" PRIu64
                                    " bytes, more than the device binds as a whole",
                                    binding->slot, agpu_stage_name(builder->stage), buffer->size);
    ag_group_set_view(builder, binding, (uint32_t)offset, (uint32_t)size,
                      (uint32_t)(size / ag_binding_element_bytes(binding)));
    return AG_DONE;
}

/* Binds a dummy storage buffer for an empty slot: stores have no effect, and the view's size is 0 in the
 * draw block. */
static enum ag_outcome bind_sink(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                 struct ag_bind_item *item)
{
    if (binding->bytes > AG_DUMMY_SINK_BYTES)
        return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "u%u of the %s is not bound", binding->slot,
                                    agpu_stage_name(builder->stage));
    item->buffer = ag_dummy_sink(builder->binder->recorder, builder->sinks++, &item->id);
    item->size = AG_DUMMY_SINK_BYTES;
    ag_group_set_view(builder, binding, 0, 0, 0);
    return AG_DONE;
}

static enum ag_outcome check_collisions(struct ag_group_builder *builder, const struct agpu_binding *binding)
{
    const struct ag_buffer_slot *slots = slots_of(builder);
    for (uint32_t i = 0; i < AG_UAV_SLOTS; i++) {
        if (i == binding->slot || !(builder->program->uav_slots >> i & 1) ||
            !ag_uavs_collide(&slots[i], &slots[binding->slot]))
            continue;
        return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "u%" PRIu32 " and u%u of the %s are typed views of the same bytes", i,
                                    binding->slot, agpu_stage_name(builder->stage));
    }
    return AG_DONE;
}

static enum ag_outcome bind_texels(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                   struct ag_view *view, struct ag_bind_item *item)
{
    const WGPUExtent3D extent = ag_texels_extent(view);
    enum ag_outcome outcome = check_collisions(builder, binding);
    if (outcome != AG_DONE)
        return outcome;
    if (!ag_view_contents_use(builder->binder->copier, view))
        return AG_STOPPED;
    const bool narrow = binding->storage_format != 0;
    outcome = ag_texels_bind(builder->binder->blitter, view, narrow, item);
    if (outcome != AG_DONE)
        return outcome;
    if (view->resource->kind == AG_RESOURCE_BUFFER) {
        ag_group_set_view(builder, binding, 0, (uint32_t)item->size, extent.width);
        ag_group_set_view_end(builder, binding, ag_format_is_opaque(view->buffer.format));
        return AG_DONE;
    }
    ag_group_set_view(builder, binding, extent.width, extent.height, extent.depthOrArrayLayers);
    const uint32_t opaque = narrow ? 0 : ag_format_is_opaque(view->texture.format);
    ag_group_set_view_end(builder, binding, (uint32_t)item->size | opaque);
    return AG_DONE;
}

enum ag_outcome ag_bind_uav(struct ag_group_builder *builder, const struct agpu_binding *binding,
                            struct ag_bind_item *item)
{
    struct ag_buffer_slot *slot = &slots_of(builder)[binding->slot];
    uint64_t offset, size;
    if (slot->handle && !slot->buffer && !slot->bound) {
        slot->buffer = ag_handle_buffer(builder->binder->objects, slot->handle);
        if (slot->buffer) {
            ag_uav_counter_set(&slot->buffer->counter, slot->initial_count);
        } else {
            ag_group_warn_handle(builder, AG_SPACE_RESOURCES, "u", binding->slot, slot->handle);
            ag_stage_set_uav(&builder->context->stages[ag_uav_stage(builder->stage)], binding->slot,
                             (struct ag_buffer_slot){0});
        }
    }
    if (!ag_uav_fits(binding, slot)) {
        if (slot->handle)
            ag_host_warn(
                builder->binder->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW,
                "u%u of the %s: the view is not what the shader declares; it reads 0 and keeps nothing",
                binding->slot, agpu_stage_name(builder->stage));
        return bind_sink(builder, binding, item);
    }
    enum ag_outcome outcome;
    if (binding->kind == AGPU_BIND_STORAGE_TEXTURE)
        return ag_storage_texture_bind(builder, binding, slot->bound, item);
    if (slot->bound && ag_texels_needed(slot->bound)) {
        outcome = bind_texels(builder, binding, slot->bound, item);
    } else {
        assert(slot->buffer); /* of a view that fits, too */
        if (!ag_buffer_use(builder->binder->copier, slot->buffer))
            return AG_STOPPED;
        slot_range(slot, &offset, &size);
        outcome = is_shared(builder, slot->buffer)
                      ? bind_shared(builder, binding, slot, item)
                      : ag_bind_buffer_range(builder, binding, slot->buffer, offset, size, item);
    }
    return outcome == AG_DONE ? ag_group_check_aliases(builder, item) : outcome;
}
