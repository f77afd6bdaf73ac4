/* SPDX-License-Identifier: MIT
 *
 * Packets of the extension about shaders: signatures, bare tokens, input layouts by register, class
 * instances.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/input_layout.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/bind/shader_program.h"
#include "exec/bind/shader_source.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/ext_object.h"
#include "exec/object/input_layout.h"
#include "exec/object/stream_output_declaration.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"

#define MAX_SIGNATURE_ELEMENTS (32 * 4) /* an element for each component of each register */

enum agpu_status ag_on_ext_create_signature(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_signature *wire = AGPU_PACKET(packet, ext_create_signature);
    enum agpu_status status;
    if (packet->payload_count > MAX_SIGNATURE_ELEMENTS)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a signature of %" PRIu32 " elements has more than %d", packet->payload_count,
                            MAX_SIGNATURE_ELEMENTS);
    for (uint32_t i = 0; i < packet->payload_count; i++) {
        const struct aerogpu_ext_signature_element *element = agpu_packet_element(packet, i);
        if (element->mask > 0xF || element->stream > 3)
            return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                "element %" PRIu32 " of a signature has mask 0x%" PRIx32
                                " and stream %" PRIu32,
                                i, element->mask, element->stream);
    }
    struct ag_signature_object *signature = ag_ext_object_create(
        execution->objects, wire->object_handle, AG_EXT_OBJECT_SIGNATURE,
        sizeof *signature + packet->payload_count * sizeof signature->elements[0], &status);
    if (!signature)
        return status;
    signature->count = packet->payload_count;
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct aerogpu_ext_signature_element *element = agpu_packet_element(packet, i);
        signature->elements[i] = (struct agpu_driver_element){
            .system_value = element->system_value,
            .register_index = element->register_index,
            .mask = (uint8_t)element->mask,
            .stream = (uint8_t)element->stream,
            .component_type = element->component_type,
            .min_precision = element->min_precision,
        };
    }
    return AGPU_OK;
}

/* ---- Shaders ------------------------------------------------------------------------------------------ */

static bool find_signature(struct ag_execution *execution, uint32_t handle,
                           const struct ag_signature_object **signature)
{
    *signature = ag_ext_object_find(execution->objects, handle, AG_EXT_OBJECT_SIGNATURE);
    if (handle == 0 || *signature)
        return true;
    ag_host_fail_handle(execution->host, AG_SPACE_EXT_OBJECTS, handle,
                        "handle %" PRIu32 " names no signature", handle);
    return false;
}

static bool find_stream_output(struct ag_execution *execution,
                               const struct aerogpu_cmd_ext_create_shader *wire,
                               const struct ag_stream_output_object **stream_output)
{
    *stream_output = ag_ext_object_find(execution->objects, wire->stream_output, AG_EXT_OBJECT_STREAM_OUTPUT);
    if (wire->stream_output == 0)
        return true;
    if (!*stream_output) {
        ag_host_fail_handle(execution->host, AG_SPACE_EXT_OBJECTS, wire->stream_output,
                            "handle %" PRIu32 " names no stream-output declaration", wire->stream_output);
        return false;
    }
    if (wire->program == AEROGPU_EXT_PROGRAM_GEOMETRY)
        return true;
    ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "only a geometry program has stream output");
    return false;
}

/* Creates a shader of bare tokens with signatures, or of a container with a stream-output declaration. */
static enum agpu_status create_from_parts(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_shader *wire = AGPU_PACKET(packet, ext_create_shader);
    struct ag_shader_parts parts = {.program = packet->payload, .size = packet->payload_size};
    struct ag_shader_source source;
    if (!find_signature(execution, wire->input_signature, &parts.signatures[AG_SOURCE_INPUT]) ||
        !find_signature(execution, wire->output_signature, &parts.signatures[AG_SOURCE_OUTPUT]) ||
        !find_signature(execution, wire->patch_constant_signature,
                        &parts.signatures[AG_SOURCE_PATCH_CONSTANT]) ||
        !find_stream_output(execution, wire, &parts.stream_output))
        return AGPU_REFUSED;
    if (parts.size == 0 && !parts.stream_output)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a shader without a program is a geometry stage with stream output");
    uint8_t *packed = ag_shader_source_pack(&parts, &source.size);
    if (!packed)
        return ag_host_no_memory(execution->host);
    source.bytes = packed;
    enum agpu_status status =
        ag_shader_create(execution->binder, wire->shader_handle, (enum agpu_stage)wire->program, &source);
    free(packed);
    return status;
}

enum agpu_status ag_on_ext_create_shader(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_shader *wire = AGPU_PACKET(packet, ext_create_shader);
    const struct ag_shader_source source = {packet->payload, packet->payload_size};
    if (wire->program >= AGPU_STAGE_COUNT)
        return ag_host_malformed(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                 "%" PRIu32 " is no type of program", wire->program);
    if (wire->stream_output == 0 && packet->payload_size >= 4 &&
        ag_load_u32(packet->payload) == AGPU_FOURCC('D', 'X', 'B', 'C'))
        return ag_shader_create(execution->binder, wire->shader_handle, (enum agpu_stage)wire->program,
                                &source);
    return create_from_parts(execution, packet);
}

/* ---- Input layouts ------------------------------------------------------------------------------------ */

enum agpu_status ag_on_ext_create_input_layout(struct ag_execution *execution,
                                               const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_input_layout *wire = AGPU_PACKET(packet, ext_create_input_layout);
    struct ag_input_layout layout = {.element_count = packet->payload_count};
    if (packet->payload_count > AG_INPUT_LAYOUT_MAX_ELEMENTS)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "an input layout of %" PRIu32 " elements", packet->payload_count);
    for (uint32_t i = 0; i < layout.element_count; i++) {
        const struct aerogpu_ext_input_element *element = agpu_packet_element(packet, i);
        if (element->input_register >= AGPU_MAX_REGISTERS)
            return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                "element %" PRIu32 " of an input layout feeds register %" PRIu32, i,
                                element->input_register);
        layout.elements[i] = (struct aerogpu_input_layout_element_dxgi){
            .semantic_index = element->input_register,
            .dxgi_format = AEROGPU_EXT_FORMAT_DXGI(element->format),
            .input_slot = element->input_slot,
            .aligned_byte_offset = element->aligned_byte_offset,
            .input_slot_class = element->input_slot_class,
            .instance_data_step_rate = element->instance_data_step_rate,
        };
    }
    if (ag_input_layout_check(&layout, execution->host->reports.place, &execution->host->reports.sink) !=
        AGPU_OK)
        return AGPU_REFUSED;
    return ag_input_layout_object_add(execution->objects, wire->input_layout_handle, &layout, true);
}

/* ---- Class instances ---------------------------------------------------------------------------------- */

enum agpu_status ag_on_ext_set_class_instances(struct ag_execution *execution,
                                               const struct agpu_packet *packet)
{
    struct ag_class_instances **instances = &execution->context->stages[packet->stage].instances;
    if (packet->payload_count > AG_MAX_CLASS_INSTANCES)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "%" PRIu32 " class instances are more than the %d slots of a shader",
                            packet->payload_count, AG_MAX_CLASS_INSTANCES);
    for (uint32_t i = 0; i < packet->payload_count; i++) {
        const struct aerogpu_ext_class_instance *instance = agpu_packet_element(packet, i);
        if (instance->function_table != AEROGPU_EXT_ALL && instance->constant_offset_bytes % 16 != 0)
            return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                "the data of class instance %" PRIu32 " begin at byte %" PRIu32
                                ", no multiple of 16",
                                i, instance->constant_offset_bytes);
    }
    if (!*instances)
        *instances = calloc(1, sizeof **instances);
    if (!*instances)
        return ag_host_no_memory(execution->host);
    (*instances)->count = packet->payload_count;
    memcpy((*instances)->slots, packet->payload,
           packet->payload_count * sizeof(struct aerogpu_ext_class_instance));
    return AGPU_OK;
}
