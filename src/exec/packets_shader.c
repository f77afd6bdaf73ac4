/* SPDX-License-Identifier: MIT
 *
 * Packets about shaders, their constants, input layouts and samplers.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exec/exec.h"
#include "exec/packets.h"
#include "exec/shader_source.h"

#define REGISTER_BYTES 16

enum agpu_status ag_on_create_shader_dxbc(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_shader_dxbc *wire = AGPU_PACKET(packet, create_shader_dxbc);
    const struct ag_shader_source source = {packet->payload, packet->payload_size};
    return ag_shader_create(exec, wire->shader_handle, (enum agpu_stage)packet->stage, &source);
}

enum agpu_status ag_on_destroy_shader(struct ag_exec *exec, const struct agpu_packet *packet)
{
    ag_shader_release(exec, AGPU_PACKET(packet, destroy_shader)->shader_handle);
    return AGPU_OK;
}

enum agpu_status ag_on_bind_shaders(struct ag_exec *exec, const struct agpu_packet *packet)
{
    agpu_packet_shaders(packet, exec->context->shaders);
    return AGPU_OK;
}

/* ---- Constants ---------------------------------------------------------------------------------------- */

static enum agpu_status set_registers(struct ag_exec *exec, uint8_t **registers, uint32_t start,
                                      uint32_t count, const uint8_t *data)
{
    if (start > AG_CONSTANT_REGISTERS || count > AG_CONSTANT_REGISTERS - start)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_RANGE,
                            "constants %" PRIu32 " + %" PRIu32 " leave the %d registers of a stage", start,
                            count, AG_CONSTANT_REGISTERS);
    if (count == 0)
        return AGPU_OK;
    if (!*registers)
        *registers = calloc(AG_CONSTANT_REGISTERS, REGISTER_BYTES);
    if (!*registers)
        return ag_exec_no_memory(exec);
    memcpy(*registers + (size_t)start * REGISTER_BYTES, data, (size_t)count * REGISTER_BYTES);
    return AGPU_OK;
}

static struct ag_constant_registers *registers_of(struct ag_exec *exec, const struct agpu_packet *packet)
{
    struct ag_constant_registers *registers = &exec->context->stages[packet->stage].constants;
    registers->version = ag_exec_id(exec);
    return registers;
}

enum agpu_status ag_on_set_shader_constants_f(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_shader_constants_f *wire = AGPU_PACKET(packet, set_shader_constants_f);
    return set_registers(exec, &registers_of(exec, packet)->floats, wire->start_register, wire->vec4_count,
                         packet->payload);
}

enum agpu_status ag_on_set_shader_constants_i(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_shader_constants_i *wire = AGPU_PACKET(packet, set_shader_constants_i);
    return set_registers(exec, &registers_of(exec, packet)->integers, wire->start_register, wire->vec4_count,
                         packet->payload);
}

enum agpu_status ag_on_set_shader_constants_b(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_shader_constants_b *wire = AGPU_PACKET(packet, set_shader_constants_b);
    return set_registers(exec, &registers_of(exec, packet)->bools, wire->start_register, wire->bool_count,
                         packet->payload);
}

/* ---- Input layouts ------------------------------------------------------------------------------------ */

enum agpu_status ag_on_create_input_layout(struct ag_exec *exec, const struct agpu_packet *packet)
{
    struct ag_input_layout layout;
    if (ag_input_layout_parse(&layout, packet->payload, packet->payload_size, exec->place, &exec->sink) !=
        AGPU_OK)
        return AGPU_REFUSED;
    return ag_layout_object_add(exec, AGPU_PACKET(packet, create_input_layout)->input_layout_handle, &layout,
                                false);
}

enum agpu_status ag_on_destroy_input_layout(struct ag_exec *exec, const struct agpu_packet *packet)
{
    struct ag_layout_object *layout =
        ag_map_remove(&exec->input_layouts, AGPU_PACKET(packet, destroy_input_layout)->input_layout_handle);
    if (layout)
        ag_contexts_forget_input_layout(exec, layout);
    free(layout);
    return AGPU_OK;
}

enum agpu_status ag_on_set_input_layout(struct ag_exec *exec, const struct agpu_packet *packet)
{
    uint32_t handle = AGPU_PACKET(packet, set_input_layout)->input_layout_handle;
    exec->context->input_layout_handle = handle;
    exec->context->input_layout = handle ? ag_map_get(&exec->input_layouts, handle) : NULL;
    return AGPU_OK;
}

/* ---- Samplers ----------------------------------------------------------------------------------------- */

enum agpu_status ag_on_create_sampler(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_sampler *wire = AGPU_PACKET(packet, create_sampler);
    struct ag_sampler_desc desc;
    if (wire->sampler_handle == 0)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name a sampler");
    if (!ag_sampler_from_abi(wire, &desc))
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                            "unknown filter %" PRIu32 " or address mode %" PRIu32 ", %" PRIu32 ", %" PRIu32,
                            wire->filter, wire->address_u, wire->address_v, wire->address_w);
    return ag_sampler_define(exec, wire->sampler_handle, &desc);
}

enum agpu_status ag_on_destroy_sampler(struct ag_exec *exec, const struct agpu_packet *packet)
{
    struct ag_sampler *sampler =
        ag_map_remove(&exec->samplers, AGPU_PACKET(packet, destroy_sampler)->sampler_handle);
    if (sampler)
        ag_contexts_forget_sampler(exec, sampler);
    ag_sampler_destroy(exec, sampler);
    return AGPU_OK;
}
