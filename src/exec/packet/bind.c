/* SPDX-License-Identifier: MIT
 *
 * Packets that bind resources and samplers to slots.
 */
#include <inttypes.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/context.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/uav_counter.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/state/slots.h"

static enum agpu_status check_slots(struct ag_execution *execution, const char *what, uint32_t start,
                                    uint32_t count, uint32_t limit)
{
    if (start <= limit && count <= limit - start)
        return AGPU_OK;
    return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                        "%s %" PRIu32 " + %" PRIu32 " leave the %" PRIu32 " slots: nothing is bound", what,
                        start, count, limit);
}

static struct ag_buffer *find_buffer(struct ag_execution *execution, uint32_t handle)
{
    return handle ? ag_handle_buffer(execution->objects, handle) : NULL;
}

enum agpu_status ag_on_set_vertex_buffers(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_vertex_buffers *wire = AGPU_PACKET(packet, set_vertex_buffers);
    enum agpu_status status = check_slots(execution, "vertex buffers", wire->start_slot, wire->buffer_count,
                                          AG_VERTEX_BUFFER_SLOTS);
    execution->changes_nothing = status == AGPU_OK;
    for (uint32_t i = 0; status == AGPU_OK && i < wire->buffer_count; i++) {
        const struct aerogpu_vertex_buffer_binding *binding = agpu_packet_element(packet, i);
        struct ag_vertex_buffer_slot slot = {
            .handle = binding->buffer,
            .buffer = find_buffer(execution, binding->buffer),
            .stride = binding->stride_bytes,
            .offset = binding->offset_bytes,
        };
        if (slot.buffer && ag_context_writes_buffer(execution->context, slot.buffer))
            slot = (struct ag_vertex_buffer_slot){0};
        struct ag_vertex_buffer_slot *to = &execution->context->vertex_buffers[wire->start_slot + i];
        execution->changes_nothing &= to->handle == slot.handle && to->buffer == slot.buffer &&
                                      to->stride == slot.stride && to->offset == slot.offset;
        *to = slot;
    }
    return status;
}

enum agpu_status ag_on_set_index_buffer(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_index_buffer *wire = AGPU_PACKET(packet, set_index_buffer);
    const bool known = wire->format <= AEROGPU_INDEX_FORMAT_UINT32;
    const uint32_t handle = known ? wire->buffer : 0;
    if (!known && wire->buffer)
        ag_host_warn(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                     "unknown index format %" PRIu32 ": no index buffer is bound", wire->format);
    struct ag_buffer *buffer = find_buffer(execution, handle);
    const bool written = buffer && ag_context_writes_buffer(execution->context, buffer);
    const struct ag_index_buffer_slot slot = {
        .handle = written ? 0 : handle,
        .buffer = written ? NULL : buffer,
        .wide = wire->format == AEROGPU_INDEX_FORMAT_UINT32,
        .offset = wire->offset_bytes,
    };
    struct ag_index_buffer_slot *to = &execution->context->index_buffer;
    execution->changes_nothing = to->handle == slot.handle && to->buffer == slot.buffer &&
                                 to->wide == slot.wide && to->offset == slot.offset;
    *to = slot;
    return AGPU_OK;
}

enum agpu_status ag_on_set_texture(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_texture *wire = AGPU_PACKET(packet, set_texture);
    enum agpu_status status = check_slots(execution, "textures", wire->slot, 1, AG_RESOURCE_SLOTS);
    if (status != AGPU_OK)
        return status;
    struct ag_resource_slot slot = {.handle = wire->texture};
    if (wire->texture) {
        slot.view = ag_handle_view(execution->objects, wire->texture);
        slot.buffer = slot.view ? NULL : ag_handle_buffer(execution->objects, wire->texture);
    }
    execution->changes_nothing =
        !ag_context_bind_resource(execution->context, packet->stage, wire->slot, slot);
    return AGPU_OK;
}

enum agpu_status ag_on_set_samplers(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_samplers *wire = AGPU_PACKET(packet, set_samplers);
    enum agpu_status status =
        check_slots(execution, "samplers", wire->start_slot, wire->sampler_count, AG_SAMPLER_SLOTS);
    execution->changes_nothing = status == AGPU_OK;
    for (uint32_t i = 0; status == AGPU_OK && i < wire->sampler_count; i++) {
        const uint32_t handle = ag_load_u32(packet->payload + 4 * (size_t)i);
        struct ag_sampler_slot *to =
            &execution->context->stages[packet->stage].samplers[wire->start_slot + i];
        if (to->handle == handle && to->sampler)
            continue;
        execution->changes_nothing = false;
        *to = (struct ag_sampler_slot){
            .handle = handle,
            .sampler = handle ? ag_map_get(&execution->objects->samplers, handle) : NULL,
        };
    }
    return status;
}

enum agpu_status ag_on_set_constant_buffers(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_constant_buffers *wire = AGPU_PACKET(packet, set_constant_buffers);
    enum agpu_status status =
        check_slots(execution, "constant buffers", wire->start_slot, wire->buffer_count, AG_CBUFFER_SLOTS);
    execution->changes_nothing = status == AGPU_OK;
    for (uint32_t i = 0; status == AGPU_OK && i < wire->buffer_count; i++) {
        const struct aerogpu_constant_buffer_binding *binding = agpu_packet_element(packet, i);
        const struct ag_buffer_slot slot = {
            .handle = binding->buffer,
            .buffer = find_buffer(execution, binding->buffer),
            .offset = binding->offset_bytes,
            .size = binding->size_bytes,
        };
        struct ag_buffer_slot *to = &execution->context->stages[packet->stage].cbuffers[wire->start_slot + i];
        execution->changes_nothing &= to->handle == slot.handle && to->buffer == slot.buffer &&
                                      to->offset == slot.offset && to->size == slot.size && !to->bound;
        *to = slot;
    }
    return status;
}

enum agpu_status ag_on_set_shader_resource_buffers(struct ag_execution *execution,
                                                   const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_shader_resource_buffers *wire =
        AGPU_PACKET(packet, set_shader_resource_buffers);
    enum agpu_status status =
        check_slots(execution, "resource buffers", wire->start_slot, wire->buffer_count, AG_RESOURCE_SLOTS);
    for (uint32_t i = 0; status == AGPU_OK && i < wire->buffer_count; i++) {
        const struct aerogpu_shader_resource_buffer_binding *binding = agpu_packet_element(packet, i);
        const struct ag_resource_slot slot = {
            .handle = binding->buffer,
            .buffer = find_buffer(execution, binding->buffer),
            .offset = binding->offset_bytes,
            .size = binding->size_bytes,
        };
        ag_context_bind_resource(execution->context, packet->stage, wire->start_slot + i, slot);
    }
    return status;
}

enum agpu_status ag_on_set_unordered_access_buffers(struct ag_execution *execution,
                                                    const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_unordered_access_buffers *wire =
        AGPU_PACKET(packet, set_unordered_access_buffers);
    if (packet->stage == AGPU_STREAM_STAGE_VERTEX)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "the %s has no unordered access slots",
                            agpu_stage_name((enum agpu_stage)packet->stage));
    enum agpu_status status =
        check_slots(execution, "unordered access buffers", wire->start_slot, wire->uav_count, AG_UAV_SLOTS);
    for (uint32_t i = 0; status == AGPU_OK && i < wire->uav_count; i++) {
        const struct aerogpu_unordered_access_buffer_binding *binding = agpu_packet_element(packet, i);
        const struct ag_buffer_slot slot = {
            .handle = binding->buffer,
            .buffer = find_buffer(execution, binding->buffer),
            .offset = binding->offset_bytes,
            .size = binding->size_bytes,
            .initial_count = binding->initial_count,
        };
        if (slot.buffer) {
            ag_context_bound_as_uav(execution->context, slot.buffer);
            ag_uav_counter_set(&slot.buffer->counter, slot.initial_count);
        }
        ag_stage_set_uav(&execution->context->stages[packet->stage], wire->start_slot + i, slot);
    }
    return status;
}
