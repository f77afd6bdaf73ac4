/* SPDX-License-Identifier: MIT
 *
 * Packets about shaders, their constants, input layouts and samplers.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/input_layout.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/context.h"
#include "exec/bind/shader_program.h"
#include "exec/bind/shader_source.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/object/sampler.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/state/slots.h"
#include "exec/state/state.h"

#define REGISTER_BYTES 16

enum agpu_status ag_on_create_shader_dxbc(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_shader_dxbc *wire = AGPU_PACKET(packet, create_shader_dxbc);
    const struct ag_shader_source source = {packet->payload, packet->payload_size};
    /* A packed source is the host's own, whose sizes nobody checks. */
    if (source.size < 4 || ag_load_u32(source.bytes) != AGPU_FOURCC('D', 'X', 'B', 'C'))
        return ag_host_fail(execution->host, AGPU_DIAG_DXBC_CONTAINER,
                            "the bytes of a shader are no container");
    return ag_shader_create(execution->binder, wire->shader_handle, (enum agpu_stage)packet->stage, &source);
}

enum agpu_status ag_on_destroy_shader(struct ag_execution *execution, const struct agpu_packet *packet)
{
    ag_shader_release(execution->binder, AGPU_PACKET(packet, destroy_shader)->shader_handle);
    return AGPU_OK;
}

enum agpu_status ag_on_bind_shaders(struct ag_execution *execution, const struct agpu_packet *packet)
{
    uint32_t shaders[AGPU_STAGE_COUNT];
    static_assert(sizeof shaders == AGPU_STREAM_STAGE_COUNT * sizeof shaders[0],
                  "stages are those of streams");
    agpu_packet_shaders(packet, shaders);
    memcpy(execution->context->shaders, shaders, sizeof shaders);
    return AGPU_OK;
}

/* ---- Constants ---------------------------------------------------------------------------------------- */

static enum agpu_status set_registers(struct ag_execution *execution, uint8_t **registers, uint32_t start,
                                      uint32_t count, const uint8_t *data)
{
    if (start > AG_CONSTANT_REGISTERS || count > AG_CONSTANT_REGISTERS - start)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_RANGE,
                            "constants %" PRIu32 " + %" PRIu32 " leave the %d registers of a stage", start,
                            count, AG_CONSTANT_REGISTERS);
    if (count == 0)
        return AGPU_OK;
    if (!*registers)
        *registers = calloc(AG_CONSTANT_REGISTERS, REGISTER_BYTES);
    if (!*registers)
        return ag_host_no_memory(execution->host);
    memcpy(*registers + (size_t)start * REGISTER_BYTES, data, (size_t)count * REGISTER_BYTES);
    return AGPU_OK;
}

static struct ag_constant_registers *registers_of(struct ag_execution *execution,
                                                  const struct agpu_packet *packet)
{
    struct ag_constant_registers *registers = &execution->context->stages[packet->stage].constants;
    registers->version = ag_host_id(execution->host);
    return registers;
}

enum agpu_status ag_on_set_shader_constants_f(struct ag_execution *execution,
                                              const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_shader_constants_f *wire = AGPU_PACKET(packet, set_shader_constants_f);
    return set_registers(execution, &registers_of(execution, packet)->floats, wire->start_register,
                         wire->vec4_count, packet->payload);
}

enum agpu_status ag_on_set_shader_constants_i(struct ag_execution *execution,
                                              const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_shader_constants_i *wire = AGPU_PACKET(packet, set_shader_constants_i);
    return set_registers(execution, &registers_of(execution, packet)->integers, wire->start_register,
                         wire->vec4_count, packet->payload);
}

enum agpu_status ag_on_set_shader_constants_b(struct ag_execution *execution,
                                              const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_shader_constants_b *wire = AGPU_PACKET(packet, set_shader_constants_b);
    return set_registers(execution, &registers_of(execution, packet)->bools, wire->start_register,
                         wire->bool_count, packet->payload);
}

/* ---- Input layouts ------------------------------------------------------------------------------------ */

enum agpu_status ag_on_create_input_layout(struct ag_execution *execution, const struct agpu_packet *packet)
{
    struct ag_input_layout layout;
    if (ag_input_layout_parse(&layout, packet->payload, packet->payload_size, execution->host->reports.place,
                              &execution->host->reports.sink) != AGPU_OK)
        return AGPU_REFUSED;
    return ag_input_layout_object_add(
        execution->objects, AGPU_PACKET(packet, create_input_layout)->input_layout_handle, &layout, false);
}

enum agpu_status ag_on_destroy_input_layout(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, destroy_input_layout)->input_layout_handle;
    struct ag_map *const layouts = &execution->objects->input_layouts;
    const struct ag_input_layout_object *layout = ag_map_get(layouts, handle);
    struct ag_progress *const progress = &execution->progress;
    progress->more = layout && ag_contexts_forget_input_layout(execution->binder, layout, &progress->done);
    if (!progress->more)
        ag_input_layout_destroy(execution->objects, ag_map_remove(layouts, handle));
    return AGPU_OK;
}

enum agpu_status ag_on_set_input_layout(struct ag_execution *execution, const struct agpu_packet *packet)
{
    uint32_t handle = AGPU_PACKET(packet, set_input_layout)->input_layout_handle;
    execution->context->input_layout_handle = handle;
    execution->context->input_layout = handle ? ag_map_get(&execution->objects->input_layouts, handle) : NULL;
    return AGPU_OK;
}

/* ---- Samplers ----------------------------------------------------------------------------------------- */

enum agpu_status ag_on_create_sampler(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_sampler *wire = AGPU_PACKET(packet, create_sampler);
    struct ag_sampler_desc desc;
    if (wire->sampler_handle == 0)
        return ag_host_malformed(execution->host, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name a sampler");
    if (!ag_sampler_from_abi(wire, &desc))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "unknown filter %" PRIu32 " or address mode %" PRIu32 ", %" PRIu32 ", %" PRIu32,
                            wire->filter, wire->address_u, wire->address_v, wire->address_w);
    return ag_sampler_define(execution->objects, wire->sampler_handle, &desc);
}

enum agpu_status ag_on_destroy_sampler(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, destroy_sampler)->sampler_handle;
    struct ag_map *const samplers = &execution->objects->samplers;
    const struct ag_sampler *sampler = ag_map_get(samplers, handle);
    struct ag_progress *const progress = &execution->progress;
    progress->more = sampler && ag_contexts_forget_sampler(execution->binder, sampler, &progress->done);
    if (!progress->more)
        ag_sampler_destroy(execution->objects, ag_map_remove(samplers, handle));
    return AGPU_OK;
}
