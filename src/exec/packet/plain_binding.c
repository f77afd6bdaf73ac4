/* SPDX-License-Identifier: MIT */
#include "exec/packet/plain_binding.h"

#include <stddef.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/context.h"
#include "exec/draw/drawer.h"
#include "exec/draw/kept_draw.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/state/slots.h"

/* The stage that a stage word names if it is one of plain draws; else AGPU_STREAM_STAGE_NONE. */
static inline enum agpu_stream_stage stage_of(uint32_t word)
{
    return word == AEROGPU_SHADER_STAGE_VERTEX  ? AGPU_STREAM_STAGE_VERTEX
           : word == AEROGPU_SHADER_STAGE_PIXEL ? AGPU_STREAM_STAGE_PIXEL
                                                : AGPU_STREAM_STAGE_NONE;
}

/* The buffer that a handle was found to name lately; else null. */
static inline struct ag_buffer *recent_buffer(const struct ag_execution *execution, uint32_t handle)
{
    return ag_recent_object_get(execution->objects, handle, AG_RECENT_BUFFER);
}

/* The view of a texture that a handle was found to name lately; else null. */
static inline struct ag_texture_view *recent_view(const struct ag_execution *execution, uint32_t handle)
{
    return ag_recent_object_get(execution->objects, handle, AG_RECENT_TEXTURE_VIEW);
}

/* Whether no output of the context is of this texture, as far as can be told in short. */
static inline bool is_no_output(const struct ag_context *context, const struct ag_texture *texture)
{
    for (uint32_t i = 0; i < context->target_count; i++)
        if (context->targets[i].view && context->targets[i].view->texture == texture)
            return false;
    return (!context->depth_target.view || context->depth_target.view->texture != texture) &&
           !ag_context_has_uavs(context);
}

static bool set_texture(struct ag_execution *execution, const uint8_t *data, uint32_t size, uint32_t changes)
{
    const struct aerogpu_cmd_set_texture *wire = (const void *)data;
    if (size != sizeof *wire || wire->slot >= AG_RESOURCE_SLOTS)
        return false;
    const enum agpu_stream_stage stage = stage_of(wire->shader_stage);
    struct ag_texture_view *view = recent_view(execution, wire->texture);
    if (stage == AGPU_STREAM_STAGE_NONE || !view)
        return false;
    struct ag_stage_bindings *bindings = &execution->context->stages[stage];
    struct ag_resource_slot *to = &bindings->resources[wire->slot];
    /* What became an output after it was bound is not in the slot any more. */
    if (to->view == view && to->handle == wire->texture && !to->bound)
        return true;
    if (!is_no_output(execution->context, view->texture))
        return false;
    *to = (struct ag_resource_slot){.handle = wire->texture, .view = view};
    if (wire->slot >= bindings->resource_count)
        bindings->resource_count = wire->slot + 1;
    ag_kept_draw_note(execution->drawer->kept, changes, stage);
    return true;
}

static bool set_samplers(struct ag_execution *execution, const uint8_t *data, uint32_t size, uint32_t changes)
{
    const struct aerogpu_cmd_set_samplers *wire = (const void *)data;
    if (size != sizeof *wire + 4 || wire->sampler_count != 1 || wire->start_slot >= AG_SAMPLER_SLOTS)
        return false;
    const enum agpu_stream_stage stage = stage_of(wire->shader_stage);
    if (stage == AGPU_STREAM_STAGE_NONE)
        return false;
    const uint32_t handle = ag_load_u32(data + sizeof *wire);
    struct ag_sampler_slot *to = &execution->context->stages[stage].samplers[wire->start_slot];
    if (to->sampler && to->handle == handle)
        return true;
    struct ag_sampler *sampler = ag_map_get(&execution->objects->samplers, handle);
    if (!sampler)
        return false;
    *to = (struct ag_sampler_slot){handle, sampler};
    ag_kept_draw_note(execution->drawer->kept, changes, stage);
    return true;
}

static bool set_vertex_buffers(struct ag_execution *execution, const uint8_t *data, uint32_t size,
                               uint32_t changes)
{
    const struct aerogpu_cmd_set_vertex_buffers *wire = (const void *)data;
    const struct aerogpu_vertex_buffer_binding *bindings = (const void *)(data + sizeof *wire);
    struct ag_buffer *buffers[2];
    const uint32_t count = wire->buffer_count;
    if (count == 0 || count > AG_COUNT_OF(buffers) || size != sizeof *wire + count * sizeof *bindings ||
        wire->start_slot > AG_VERTEX_BUFFER_SLOTS - count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        buffers[i] = recent_buffer(execution, bindings[i].buffer);
        if (!buffers[i] || ag_context_writes_buffer(execution->context, buffers[i]))
            return false;
    }
    bool same = true;
    for (uint32_t i = 0; i < count; i++) {
        struct ag_vertex_buffer_slot *to = &execution->context->vertex_buffers[wire->start_slot + i];
        same &= to->buffer == buffers[i] && to->handle == bindings[i].buffer &&
                to->stride == bindings[i].stride_bytes && to->offset == bindings[i].offset_bytes;
        *to = (struct ag_vertex_buffer_slot){bindings[i].buffer, buffers[i], bindings[i].stride_bytes,
                                             bindings[i].offset_bytes};
    }
    if (!same)
        ag_kept_draw_note(execution->drawer->kept, changes, AGPU_STREAM_STAGE_NONE);
    return true;
}

static bool set_index_buffer(struct ag_execution *execution, const uint8_t *data, uint32_t size,
                             uint32_t changes)
{
    const struct aerogpu_cmd_set_index_buffer *wire = (const void *)data;
    if (size != sizeof *wire || wire->format > AEROGPU_INDEX_FORMAT_UINT32)
        return false;
    struct ag_buffer *buffer = recent_buffer(execution, wire->buffer);
    if (!buffer || ag_context_writes_buffer(execution->context, buffer))
        return false;
    struct ag_index_buffer_slot *to = &execution->context->index_buffer;
    const bool wide = wire->format == AEROGPU_INDEX_FORMAT_UINT32;
    if (to->buffer != buffer || to->handle != wire->buffer || to->wide != wide ||
        to->offset != wire->offset_bytes)
        ag_kept_draw_note(execution->drawer->kept, changes, AGPU_STREAM_STAGE_NONE);
    *to = (struct ag_index_buffer_slot){wire->buffer, buffer, wide, wire->offset_bytes};
    return true;
}

static bool set_constant_buffers(struct ag_execution *execution, const uint8_t *data, uint32_t size,
                                 uint32_t changes)
{
    const struct aerogpu_cmd_set_constant_buffers *wire = (const void *)data;
    const struct aerogpu_constant_buffer_binding *binding = (const void *)(data + sizeof *wire);
    if (size != sizeof *wire + sizeof *binding || wire->buffer_count != 1 ||
        wire->start_slot >= AG_CBUFFER_SLOTS)
        return false;
    const enum agpu_stream_stage stage = stage_of(wire->shader_stage);
    struct ag_buffer *buffer = recent_buffer(execution, binding->buffer);
    if (stage == AGPU_STREAM_STAGE_NONE || !buffer)
        return false;
    struct ag_buffer_slot *to = &execution->context->stages[stage].cbuffers[wire->start_slot];
    if (to->buffer != buffer || to->handle != binding->buffer || to->offset != binding->offset_bytes ||
        to->size != binding->size_bytes || to->bound)
        ag_kept_draw_note(execution->drawer->kept, changes, stage);
    *to = (struct ag_buffer_slot){.handle = binding->buffer,
                                  .buffer = buffer,
                                  .offset = binding->offset_bytes,
                                  .size = binding->size_bytes};
    return true;
}

/* The two sizes that writers send. Handles are looked up by draws. */
static bool bind_shaders(struct ag_execution *execution, const uint8_t *data, uint32_t size, uint32_t changes)
{
    const struct aerogpu_cmd_bind_shaders *wire = (const void *)data;
    const struct aerogpu_cmd_bind_shaders_ex *extended = (const void *)data;
    const bool is_extended = size == sizeof *extended;
    if (!is_extended && size != sizeof *wire)
        return false;
    const uint32_t shaders[AGPU_STAGE_COUNT] = {
        [AGPU_STREAM_STAGE_VERTEX] = wire->vs,
        [AGPU_STREAM_STAGE_PIXEL] = wire->ps,
        [AGPU_STREAM_STAGE_COMPUTE] = wire->cs,
        [AGPU_STREAM_STAGE_GEOMETRY] = is_extended ? extended->gs : wire->reserved0,
        [AGPU_STREAM_STAGE_HULL] = is_extended ? extended->hs : 0,
        [AGPU_STREAM_STAGE_DOMAIN] = is_extended ? extended->ds : 0,
    };
    if (memcmp(shaders, execution->context->shaders, sizeof shaders) != 0)
        ag_kept_draw_note(execution->drawer->kept, changes, AGPU_STREAM_STAGE_NONE);
    memcpy(execution->context->shaders, shaders, sizeof shaders);
    return true;
}

ag_short_handler ag_plain_binding(uint32_t opcode)
{
    static const struct {
        uint32_t opcode;
        ag_short_handler handler;
    } handlers[] = {
        {AEROGPU_CMD_BIND_SHADERS,         bind_shaders        },
        {AEROGPU_CMD_SET_TEXTURE,          set_texture         },
        {AEROGPU_CMD_SET_SAMPLERS,         set_samplers        },
        {AEROGPU_CMD_SET_VERTEX_BUFFERS,   set_vertex_buffers  },
        {AEROGPU_CMD_SET_INDEX_BUFFER,     set_index_buffer    },
        {AEROGPU_CMD_SET_CONSTANT_BUFFERS, set_constant_buffers},
    };
    for (size_t i = 0; i < AG_COUNT_OF(handlers); i++)
        if (handlers[i].opcode == opcode)
            return handlers[i].handler;
    return NULL;
}
