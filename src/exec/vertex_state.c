/* SPDX-License-Identifier: MIT
 *
 * From an input layout and vertex buffer slots to what WebGPU's fixed-function fetch can do.
 */
#include "exec/vertex_state.h"

#include <inttypes.h>
#include <string.h>

#include "exec/exec.h"

static enum agpu_attribute_class class_of(const struct agpu_host_format *format)
{
    return format->class == AGPU_CLASS_UINT   ? AGPU_ATTRIBUTE_UINT
           : format->class == AGPU_CLASS_SINT ? AGPU_ATTRIBUTE_SINT
                                              : AGPU_ATTRIBUTE_FLOAT;
}

/* Resolves the slot's handle; false (reported) when it names no buffer. */
static bool resolve_slot(struct agpu_exec *exec, struct agpu_context *context, uint32_t slot, bool *failed)
{
    struct agpu_vertex_buffer_slot *binding = &context->vertex_buffers[slot];
    if (binding->handle == 0 || binding->buffer)
        return true;
    binding->buffer = agpu_handle_buffer(exec, binding->handle);
    if (binding->buffer)
        return true;
    agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE,
                   "vertex buffer %" PRIu32 ": handle %" PRIu32 " names no buffer", slot, binding->handle);
    *failed = true;
    return false;
}

static int find_buffer(struct agpu_vertex_state *state, uint32_t slot)
{
    for (uint32_t i = 0; i < state->buffer_count; i++)
        if (state->buffers[i].slot == slot)
            return (int)i;
    return -1;
}

/* What stands between an element and WebGPU, or null. */
static const char *obstacle(const struct agpu_exec *exec, const struct agpu_input_element *element,
                            uint32_t stride, uint32_t offset_of_slot)
{
    uint32_t bytes = element->format ? element->format->vertex_bytes : 0;
    if (!element->format)
        return "its format is not a vertex format of WebGPU";
    if (stride % 4 != 0)
        return "the stride is not a multiple of 4";
    if (stride > exec->limits.maxVertexBufferArrayStride)
        return "the stride exceeds the device's limit";
    if (offset_of_slot % 4 != 0)
        return "the buffer's offset is not a multiple of 4";
    if (element->offset % (bytes < 4 ? bytes : 4) != 0)
        return "its offset is not a multiple of its size";
    if (element->offset > UINT16_MAX || element->offset + bytes > exec->limits.maxVertexBufferArrayStride)
        return "its offset exceeds the device's limit";
    if (stride != 0 && element->offset + bytes > stride)
        return "it ends past the stride";
    if (element->per_instance && element->step_rate > 1)
        return "its instance step rate is above 1";
    return NULL;
}

static bool add_element(struct agpu_exec *exec, const struct agpu_context *context,
                        const struct agpu_input_element *element, uint32_t location,
                        struct agpu_vertex_state *state)
{
    const struct agpu_vertex_buffer_slot *slot = &context->vertex_buffers[element->slot];
    /* A step rate of 0 never advances: the same as a stride of 0. */
    uint32_t stride = element->per_instance && element->step_rate == 0 ? 0 : slot->stride;
    const char *why = obstacle(exec, element, stride, slot->offset);
    int index = find_buffer(state, element->slot);
    if (!why && index < 0 &&
        (state->buffer_count == AGPU_MAX_VERTEX_BUFFERS ||
         state->buffer_count == exec->limits.maxVertexBuffers))
        why = "more vertex buffers are used than WebGPU binds";
    if (!why && index >= 0 && state->buffers[index].stride != stride)
        why = "its slot is used with two step rates";
    if (why) {
        agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                               "an input element of slot %" PRIu32 " cannot be fetched: %s", element->slot,
                               why);
        return false;
    }
    if (index < 0) {
        index = (int)state->buffer_count++;
        state->buffers[index].slot = (uint8_t)element->slot;
        state->buffers[index].stride = stride;
        state->buffers[index].per_instance = element->per_instance;
    }
    uint32_t end = element->offset + element->format->vertex_bytes;
    if (end > state->buffers[index].last_bytes)
        state->buffers[index].last_bytes = (uint16_t)end;
    state->attributes[state->attribute_count++] = (struct agpu_vertex_attribute){
        .offset = (uint16_t)element->offset,
        .format = (uint8_t)element->format->vertex,
        .location = (uint8_t)location,
        .buffer = (uint8_t)index,
        .bytes = element->format->vertex_bytes,
    };
    return true;
}

/* The match is the same from draw to draw. */
static bool match_layout(struct agpu_exec *exec, struct agpu_context *context,
                         const struct agpu_shader_program *program, bool *failed)
{
    if (context->input_layout_handle && !context->input_layout)
        context->input_layout = agpu_map_get(&exec->input_layouts, context->input_layout_handle);
    if (context->input_layout_handle && !context->input_layout) {
        agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "input layout: handle %" PRIu32 " names none",
                       context->input_layout_handle);
        *failed = true;
        return false;
    }
    uint64_t layout_id = context->input_layout ? context->input_layout->id : 0;
    if (context->match.program_id == program->id && context->match.layout_id == layout_id)
        return true;
    context->match.program_id = 0;
    if (!agpu_layout_object_match(exec, context->input_layout, program->shader, context->match.elements))
        return false;
    context->match.program_id = program->id;
    context->match.layout_id = layout_id;
    return true;
}

bool agpu_vertex_state_init(struct agpu_exec *exec, struct agpu_context *context,
                            const struct agpu_shader_program *program, struct agpu_vertex_state *state,
                            uint8_t classes[AGPU_MAX_REGISTERS], bool *failed)
{
    memset(state, 0, sizeof *state);
    memset(classes, AGPU_ATTRIBUTE_ABSENT, AGPU_MAX_REGISTERS);
    if (!match_layout(exec, context, program, failed))
        return false;
    for (uint32_t v = 0; v < AGPU_MAX_REGISTERS; v++) {
        int8_t index = context->match.elements[v];
        if (index < 0 || !(program->inputs >> v & 1))
            continue;
        const struct agpu_input_element *element = &context->input_layout->elements[index];
        if (!resolve_slot(exec, context, element->slot, failed))
            return false;
        if (!context->vertex_buffers[element->slot].buffer)
            continue; /* nothing bound: all components read 0 */
        if (!add_element(exec, context, element, v, state))
            return false;
        classes[v] = (uint8_t)class_of(element->format);
    }
    return true;
}

/* Locations are the module's; attributes that it does not read go. */
void agpu_vertex_state_place(struct agpu_vertex_state *state, const struct agpu_module *module)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        struct agpu_vertex_attribute attribute = state->attributes[i];
        for (uint32_t j = 0; j < module->input_count; j++) {
            if (module->inputs[j].register_index != attribute.location || module->inputs[j].location == 0xFF)
                continue;
            attribute.location = module->inputs[j].location;
            state->attributes[kept++] = attribute;
            break;
        }
    }
    state->attribute_count = kept;
}
