/* SPDX-License-Identifier: MIT
 *
 * Unordered access buffers around draws and dispatches.
 *
 * Within one render pass WebGPU neither orders the stores of two draws nor lets a buffer be written by one
 * draw and read by another, so a draw that has such buffers gets a pass of its own.
 */
#include <string.h>

#include "exec/bind.h"
#include "exec/exec.h"

bool agpu_uavs_used(const struct agpu_module *module)
{
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (module->bindings[i].kind == AGPU_BIND_STORAGE_BUFFER_READ_WRITE)
            return true;
    return false;
}

void agpu_uavs_written(struct agpu_context *context, enum agpu_stage stage, const struct agpu_module *module)
{
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        struct agpu_buffer *buffer =
            binding->kind == AGPU_BIND_STORAGE_BUFFER_READ_WRITE && binding->space == AGPU_SPACE_UAV
                ? context->stages[stage].uavs[binding->slot].buffer
                : NULL;
        if (buffer)
            agpu_buffer_written(buffer);
    }
}

void agpu_uavs_alias(const struct agpu_context *context, enum agpu_stage stage,
                     const struct agpu_shader_program *program, struct agpu_uav_aliases *aliases)
{
    const struct agpu_buffer_slot *slots = context->stages[stage].uavs;
    memset(aliases, 0, sizeof *aliases);
    for (uint32_t i = 1; i < AGPU_WIRE_UAV_SLOTS; i++) {
        if (!(program->uav_slots >> i & 1) || !slots[i].buffer)
            continue;
        for (uint32_t j = 0; j < i; j++) {
            if (!(program->uav_slots >> j & 1) || slots[j].buffer != slots[i].buffer)
                continue;
            aliases->slots[i] = aliases->slots[j] ? aliases->slots[j] : (uint8_t)(j + 1);
            break;
        }
    }
}

bool agpu_context_pixels_write(const struct agpu_context *context, const struct agpu_buffer *buffer)
{
    for (uint32_t i = 0; buffer && i < AGPU_WIRE_UAV_SLOTS; i++)
        if (context->stages[AGPU_STAGE_PIXEL].uavs[i].buffer == buffer)
            return true;
    return false;
}

static void resolve_vertices(struct agpu_exec *exec, struct agpu_context *context)
{
    for (uint32_t i = 0; i < AGPU_VERTEX_BUFFER_SLOTS; i++) {
        struct agpu_vertex_buffer_slot *slot = &context->vertex_buffers[i];
        struct agpu_buffer *buffer =
            slot->handle && !slot->buffer ? agpu_handle_buffer(exec, slot->handle) : slot->buffer;
        if (agpu_context_pixels_write(context, buffer))
            *slot = (struct agpu_vertex_buffer_slot){0};
    }
    struct agpu_buffer *indices = context->index_buffer.buffer;
    if (context->index_buffer.handle && !indices)
        indices = agpu_handle_buffer(exec, context->index_buffer.handle);
    if (agpu_context_pixels_write(context, indices)) {
        context->index_buffer.handle = 0;
        context->index_buffer.buffer = NULL;
    }
}

void agpu_uavs_resolve(struct agpu_exec *exec, struct agpu_context *context, enum agpu_stage stage)
{
    bool any = false;
    for (uint32_t i = 0; i < AGPU_WIRE_UAV_SLOTS; i++) {
        struct agpu_buffer_slot *slot = &context->stages[stage].uavs[i];
        if (slot->handle && !slot->buffer) {
            slot->buffer = agpu_handle_buffer(exec, slot->handle);
            if (slot->buffer) {
                agpu_context_bound_as_uav(context, slot->buffer);
                agpu_counter_set(&slot->buffer->counter, slot->initial_count);
            }
        }
        any |= slot->buffer != NULL;
    }
    if (any && stage == AGPU_STAGE_PIXEL)
        resolve_vertices(exec, context);
}
