/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "aerogpu/translate.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/output_hazard.h"
#include "exec/expand/draw.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/ext_object.h"
#include "exec/object/handle.h"
#include "exec/object/stream_output_declaration.h"
#include "exec/object/uav_counter.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/packet/indirect.h"
#include "kernel/stream_output.h"

#define MAX_STRIDE 2048

/* ---- Declarations ------------------------------------------------------------------------------------- */

static enum agpu_status refuse(struct ag_execution *execution, uint32_t index, const char *what)
{
    return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                        "element %" PRIu32 " of a stream-output declaration %s", index, what);
}

/* Appends the components of an element to the vertex layout of its buffer. */
static enum agpu_status add_element(struct ag_execution *execution, uint32_t index,
                                    const struct aerogpu_ext_stream_output_element *element,
                                    uint32_t ends[AG_STREAM_OUTPUT_SLOTS],
                                    struct ag_stream_output_declaration *declaration)
{
    const uint32_t low = element->mask & (~element->mask + 1);
    const bool gap = element->register_index == AEROGPU_EXT_STREAM_OUTPUT_GAP;
    if (element->stream > AG_MAX_STREAM || element->output_slot >= AG_STREAM_OUTPUT_SLOTS)
        return refuse(execution, index, "names no stream or no buffer");
    if (element->mask == 0 || element->mask > 0xF || (((element->mask + low) & element->mask) != 0))
        return refuse(execution, index, "names components that do not follow each other");
    if (!gap && element->register_index >= AGPU_MAX_REGISTERS)
        return refuse(execution, index, "names no register");
    for (uint32_t stream = 0; stream <= AG_MAX_STREAM; stream++)
        if (stream != element->stream && (declaration->stream_slots[stream] >> element->output_slot & 1))
            return refuse(execution, index, "shares a buffer with another stream");
    declaration->streams |= UINT32_C(1) << element->stream;
    declaration->stream_slots[element->stream] |= UINT32_C(1) << element->output_slot;
    for (uint32_t component = 0; component < 4; component++) {
        if (!(element->mask >> component & 1))
            continue;
        const struct ag_stream_output_place place = {
            .stream = (uint8_t)element->stream,
            .source = (uint8_t)(4 * element->register_index + component),
            .slot = (uint8_t)element->output_slot,
            .offset = ends[element->output_slot],
        };
        ends[element->output_slot] += 4;
        if (gap)
            continue;
        if (declaration->place_count == AG_STREAM_OUTPUT_COMPONENTS)
            return refuse(execution, index, "is more than 128 components allow");
        declaration->places[declaration->place_count++] = place;
    }
    return AGPU_OK;
}

static enum agpu_status fill_declaration(struct ag_execution *execution, const struct agpu_packet *packet,
                                         struct ag_stream_output_declaration *declaration)
{
    const struct aerogpu_cmd_ext_create_stream_output *wire = AGPU_PACKET(packet, ext_create_stream_output);
    uint32_t ends[AG_STREAM_OUTPUT_SLOTS] = {0};
    declaration->rasterized_stream = wire->rasterized_stream;
    if (wire->rasterized_stream > AG_MAX_STREAM &&
        wire->rasterized_stream != AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "stream %" PRIu32 " cannot be rasterized", wire->rasterized_stream);
    for (uint32_t i = 0; i < packet->payload_count; i++) {
        enum agpu_status status =
            add_element(execution, i, agpu_packet_element(packet, i), ends, declaration);
        if (status != AGPU_OK)
            return status;
    }
    for (uint32_t i = 0; i < AG_STREAM_OUTPUT_SLOTS; i++) {
        const uint32_t stride = ends[i] ? wire->stride_bytes[i] : 0; /* nothing looks at unused slots */
        if (stride % 4 != 0 || stride > MAX_STRIDE || ends[i] > MAX_STRIDE || (stride && stride < ends[i]))
            return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                "a stride of %" PRIu32 " bytes does not fit the %" PRIu32
                                " bytes that go to buffer %" PRIu32,
                                stride, ends[i], i);
        declaration->strides[i] = stride ? stride : ends[i];
    }
    return AGPU_OK;
}

enum agpu_status ag_on_ext_create_stream_output(struct ag_execution *execution,
                                                const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, ext_create_stream_output)->object_handle;
    struct ag_stream_output_declaration declaration;
    memset(&declaration, 0, sizeof declaration);
    enum agpu_status status = fill_declaration(execution, packet, &declaration);
    if (status != AGPU_OK)
        return status;
    struct ag_stream_output_object *object = ag_ext_object_create(
        execution->objects, handle, AG_EXT_OBJECT_STREAM_OUTPUT, sizeof *object, &status);
    if (object)
        memcpy(&object->declaration, &declaration, sizeof declaration);
    return status;
}

/* ---- Targets ------------------------------------------------------------------------------------------ */

enum agpu_status ag_on_ext_set_stream_output_targets(struct ag_execution *execution,
                                                     const struct agpu_packet *packet)
{
    struct ag_context *context = execution->context;
    struct ag_stream_output_target targets[AG_STREAM_OUTPUT_SLOTS] = {{0}};
    if (packet->payload_count > AG_STREAM_OUTPUT_SLOTS)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "%" PRIu32 " stream-output buffers are more than %d", packet->payload_count,
                            AG_STREAM_OUTPUT_SLOTS);
    for (uint32_t i = 0; i < packet->payload_count; i++) {
        const struct aerogpu_ext_stream_output_target *wire = agpu_packet_element(packet, i);
        struct ag_buffer *buffer = wire->buffer ? ag_handle_buffer(execution->objects, wire->buffer) : NULL;
        if (wire->buffer && !buffer)
            ag_host_warn_handle(execution->host, AG_SPACE_RESOURCES, wire->buffer,
                                "handle %" PRIu32 " names no buffer for stream output", wire->buffer);
        if (wire->offset_bytes % 4 != 0 && wire->offset_bytes != AEROGPU_EXT_STREAM_OUTPUT_APPEND)
            return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                "a stream-output offset of %" PRIu32 " is no multiple of 4",
                                wire->offset_bytes);
        for (uint32_t j = 0; buffer && j < i; j++)
            if (targets[j].buffer == buffer)
                return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                    "buffer %" PRIu32 " is there for stream output twice", wire->buffer);
        targets[i] = (struct ag_stream_output_target){buffer ? wire->buffer : 0, buffer};
    }
    for (uint32_t i = 0; i < packet->payload_count; i++) {
        const struct aerogpu_ext_stream_output_target *wire = agpu_packet_element(packet, i);
        if (!targets[i].buffer)
            continue;
        ag_context_becomes_stream_output(context, targets[i].buffer);
        ag_uav_counter_set(&targets[i].buffer->filled, wire->offset_bytes); /* UINT32_MAX appends */
    }
    memcpy(context->stream_outputs, targets, sizeof targets);
    return AGPU_OK;
}

/* ---- DrawAuto ----------------------------------------------------------------------------------------- */

enum agpu_status ag_on_ext_draw_auto(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct ag_vertex_buffer_slot *slot = &execution->context->vertex_buffers[0];
    struct ag_buffer *buffer = slot->handle ? ag_handle_buffer(execution->objects, slot->handle) : NULL;
    uint32_t filled = 0;
    bool known = true;
    (void)packet;
    if (!buffer || slot->stride == 0) {
        ag_host_warn(execution->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW,
                     "DrawAuto without a buffer or a stride in slot 0: the draw is skipped");
        return AGPU_OK;
    }
    if (buffer->filled.is_set || !buffer->filled.gpu) {
        filled = buffer->filled.value;
    } else {
        enum agpu_status status = ag_arguments_read(execution, buffer->filled.gpu, 0, 1, &filled, &known);
        if (status != AGPU_OK || !known)
            return status;
    }
    const struct ag_draw draw = {.count = filled > slot->offset ? (filled - slot->offset) / slot->stride : 0,
                                 .instance_count = 1};
    return ag_outcome_status(ag_draw(execution->expander, execution->context, &draw));
}
