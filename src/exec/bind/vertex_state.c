/* SPDX-License-Identifier: MIT */
#include "exec/bind/vertex_state.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/index_scan.h"
#include "exec/bind/shader.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/transfer/buffer_upload.h"
#include "format/format.h"
#include "gpu/webgpu.h"

static enum agpu_attribute_class class_of(const struct ag_host_format *format)
{
    return format->class == AG_CLASS_UINT   ? AGPU_ATTRIBUTE_UINT
           : format->class == AG_CLASS_SINT ? AGPU_ATTRIBUTE_SINT
                                            : AGPU_ATTRIBUTE_FLOAT;
}

/* Finds the buffer that the slot's handle names. The slot becomes empty when the handle names none. */
static void resolve_slot(struct ag_binder *binder, struct ag_context *context, uint32_t slot)
{
    struct ag_vertex_buffer_slot *binding = &context->vertex_buffers[slot];
    if (binding->handle == 0 || binding->buffer)
        return;
    binding->buffer = ag_handle_buffer(binder->objects, binding->handle);
    if (binding->buffer)
        return;
    ag_host_warn_handle(binder->host, AG_SPACE_RESOURCES, binding->handle,
                        "vertex buffer %" PRIu32 ": handle %" PRIu32 " names no buffer", slot,
                        binding->handle);
    binding->handle = 0;
}

static int find_buffer(struct ag_vertex_state *state, uint32_t slot)
{
    for (uint32_t i = 0; i < state->buffer_count; i++)
        if (state->buffers[i].slot == slot)
            return (int)i;
    return -1;
}

/* Whether WebGPU's fixed function fetches the element exactly as Direct3D does. */
static bool is_fixed(const struct ag_binder *binder, const struct ag_input_element *element,
                     const struct ag_vertex_buffer_slot *slot)
{
    uint32_t bytes = element->format->vertex_bytes, limit = binder->host->limits.maxVertexBufferArrayStride;
    return element->format->vertex && slot->stride % 4 == 0 && slot->stride <= limit &&
           slot->offset % 4 == 0 && element->offset % (bytes < 4 ? bytes : 4) == 0 &&
           element->offset <= limit && element->offset + bytes <= limit &&
           (slot->stride == 0 || element->offset + bytes <= slot->stride) &&
           !(element->per_instance && element->step_rate > 1);
}

/* Adds an attribute that fixed function fetches. False when the element has to be pulled. */
static bool add_fixed(const struct ag_binder *binder, const struct ag_context *context,
                      const struct ag_input_element *element, uint32_t location,
                      struct ag_vertex_state *state)
{
    const struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[element->slot];
    /* With a step rate of 0, every instance reads the first element, as with a stride of 0. */
    uint32_t stride = element->per_instance && element->step_rate == 0 ? 0 : slot->stride;
    int index = find_buffer(state, element->slot);
    if (!is_fixed(binder, element, slot))
        return false;
    if (index < 0) {
        if (state->buffer_count == AG_MAX_VERTEX_BUFFERS ||
            state->buffer_count == binder->host->limits.maxVertexBuffers)
            return false;
        index = (int)state->buffer_count++;
        state->buffers[index].slot = (uint8_t)element->slot;
        state->buffers[index].stride = stride;
        state->buffers[index].per_instance = element->per_instance;
    }
    struct ag_vertex_buffer *buffer = &state->buffers[index];
    if (buffer->stride != stride || buffer->per_instance != element->per_instance)
        return false;
    uint32_t end = element->offset + element->format->vertex_bytes;
    if (end > buffer->last_bytes)
        buffer->last_bytes = (uint16_t)end;
    state->attributes[state->attribute_count++] = (struct ag_vertex_attribute){
        .offset = (uint16_t)element->offset,
        .format = (uint8_t)element->format->vertex,
        .location = (uint8_t)location,
        .buffer = (uint8_t)index,
    };
    return true;
}

/* Whether the buffer has all of elements [0, last]. */
static bool is_inside(const struct ag_vertex_buffer_slot *slot, const struct ag_vertex_buffer *buffer,
                      uint64_t last)
{
    uint64_t needed = last * buffer->stride + buffer->last_bytes;
    return slot->offset <= slot->buffer->size && needed <= slot->buffer->size - slot->offset;
}

static bool vertices_are_inside(const struct ag_context *context, const struct ag_vertex_state *state,
                                int64_t first, int64_t last)
{
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer *buffer = &state->buffers[i];
        if (buffer->per_instance)
            continue;
        /* A negative vertex number wraps around to one that is far outside the buffer, or to one inside. */
        if (first < 0 || !is_inside(&context->vertex_buffers[buffer->slot], buffer, (uint64_t)last))
            return false;
    }
    return true;
}

static bool instances_are_inside(const struct ag_context *context, const struct ag_vertex_state *state,
                                 const struct ag_draw *draw)
{
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer *buffer = &state->buffers[i];
        if (!buffer->per_instance)
            continue;
        if (buffer->stride == 0 &&
            draw->first_instance) /* every instance reads the element of first_instance */
            return false;
        if (!is_inside(&context->vertex_buffers[buffer->slot], buffer,
                       (uint64_t)draw->first_instance + draw->instance_count - 1))
            return false;
    }
    return true;
}

/* Whether no vertex is read outside its buffer, where fixed function gives other values than Direct3D. */
static bool reads_are_inside(const struct ag_context *context, const struct ag_vertex_state *state,
                             const struct ag_draw *draw)
{
    struct ag_index_bounds bounds;
    int64_t base = draw->base_vertex;
    if (!instances_are_inside(context, state, draw))
        return false;
    if (!draw->indexed)
        return vertices_are_inside(context, state, draw->first, (int64_t)draw->first + draw->count - 1);
    if (ag_index_bounds_guess(context, &bounds) &&
        vertices_are_inside(context, state, base + bounds.first, base + bounds.last))
        return true;
    if (!ag_index_bounds_find(context, draw, &bounds))
        return true; /* the CPU does not know the indices, so that WebGPU's own bounds checks have to do */
    return vertices_are_inside(context, state, base + bounds.first, base + bounds.last);
}

static void add_pulled(const struct ag_input_element *element, uint32_t location,
                       struct ag_vertex_state *state)
{
    static const WGPUVertexFormat formats[] = {
        [AGPU_ATTRIBUTE_FLOAT] = WGPUVertexFormat_Float32x4,
        [AGPU_ATTRIBUTE_UINT] = WGPUVertexFormat_Uint32x4,
        [AGPU_ATTRIBUTE_SINT] = WGPUVertexFormat_Sint32x4,
    };
    uint32_t index = 0;
    while (index < state->buffer_count && state->buffers[index].per_instance != element->per_instance)
        index++;
    struct ag_vertex_buffer *buffer = &state->buffers[index];
    if (index == state->buffer_count) {
        state->buffer_count++;
        buffer->per_instance = element->per_instance;
    }
    state->attributes[state->attribute_count++] = (struct ag_vertex_attribute){
        .offset = (uint16_t)buffer->stride,
        .format = (uint8_t)formats[class_of(element->format)],
        .location = (uint8_t)location,
        .buffer = (uint8_t)index,
    };
    buffer->stride += AG_PULLED_BYTES;
}

/* Matches input layout and vertex shader, unless the last draw's match is theirs. */
static enum ag_outcome match_layout(struct ag_binder *binder, struct ag_context *context,
                                    const struct ag_shader_program *program)
{
    if (context->input_layout_handle && !context->input_layout)
        context->input_layout = ag_map_get(&binder->objects->input_layouts, context->input_layout_handle);
    if (context->input_layout_handle && !context->input_layout) {
        if (ag_handle_is_refused(binder->host, AG_SPACE_INPUT_LAYOUTS, context->input_layout_handle))
            return AG_SKIPPED;
        ag_host_warn(binder->host, AGPU_DIAG_EXEC_HANDLE, "input layout: handle %" PRIu32 " names none",
                     context->input_layout_handle);
        context->input_layout_handle = 0;
    }
    uint64_t layout_id = context->input_layout ? context->input_layout->id : 0;
    if (context->match.program_id == program->id && context->match.layout_id == layout_id)
        return AG_DONE;
    context->match.program_id = 0;
    if (!ag_input_layout_object_match(binder->objects, context->input_layout, program->shader,
                                      context->match.elements))
        return AG_SKIPPED;
    context->match.program_id = program->id;
    context->match.layout_id = layout_id;
    return AG_DONE;
}

/* The element that feeds an input register from a buffer, or null: the register reads 0. */
static enum ag_outcome find_element(struct ag_binder *binder, struct ag_context *context,
                                    const struct ag_shader_program *program, uint32_t location,
                                    const struct ag_input_element **element)
{
    struct ag_format_name name;
    int8_t index = context->match.elements[location];
    *element = NULL;
    if (index < 0 || !(program->inputs >> location & 1))
        return AG_DONE;
    *element = &context->input_layout->elements[index];
    resolve_slot(binder, context, (*element)->slot);
    if (!context->vertex_buffers[(*element)->slot].buffer) {
        *element = NULL;
        return AG_DONE;
    }
    if ((*element)->format)
        return AG_DONE;
    return ag_host_skip_refused(binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                "an input element of slot %" PRIu32 " is %s, which is no vertex format",
                                (*element)->slot, ag_format_name_of_dxgi((*element)->dxgi, &name));
}

enum ag_outcome ag_vertex_state_init(struct ag_binder *binder, struct ag_context *context,
                                     const struct ag_draw *draw, const struct ag_shader_program *program,
                                     struct ag_vertex_state *state, uint8_t classes[AGPU_MAX_REGISTERS])
{
    const struct ag_input_element *elements[AGPU_MAX_REGISTERS];
    bool fixed = true;
    memset(state, 0, sizeof *state);
    memset(classes, AGPU_ATTRIBUTE_ABSENT, AGPU_MAX_REGISTERS);
    enum ag_outcome outcome = match_layout(binder, context, program);
    if (outcome != AG_DONE)
        return outcome;
    for (uint32_t v = 0; v < AGPU_MAX_REGISTERS; v++) {
        outcome = find_element(binder, context, program, v, &elements[v]);
        if (outcome != AG_DONE)
            return outcome;
        if (!elements[v])
            continue;
        classes[v] = (uint8_t)class_of(elements[v]->format);
        fixed = fixed && add_fixed(binder, context, elements[v], v, state);
    }
    if (fixed && reads_are_inside(context, state, draw))
        return AG_DONE;
    memset(state, 0, sizeof *state);
    state->pulled = 1;
    for (uint32_t v = 0; v < AGPU_MAX_REGISTERS; v++)
        if (elements[v])
            add_pulled(elements[v], v, state);
    return AG_DONE;
}

enum ag_outcome ag_vertex_sources_init(struct ag_binder *binder, struct ag_context *context,
                                       const struct ag_vertex_state *state,
                                       struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS])
{
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[state->buffers[i].slot];
        if (!ag_buffer_use(binder->copier, slot->buffer))
            return AG_STOPPED;
        uint64_t offset = slot->offset < slot->buffer->size ? slot->offset : slot->buffer->size;
        sources[i] = (struct ag_vertex_source){slot->buffer->gpu, offset, slot->buffer->size - offset};
    }
    return AG_DONE;
}

void ag_vertex_state_place(struct ag_vertex_state *state, const struct agpu_module *module)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        struct ag_vertex_attribute attribute = state->attributes[i];
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
