/* SPDX-License-Identifier: MIT
 *
 * Packets about fixed-function state and targets.
 */
#include <inttypes.h>
#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/bind/output_hazard.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/packet/target_set.h"
#include "exec/state/rect.h"
#include "exec/state/slots.h"
#include "exec/state/state.h"

enum agpu_status ag_on_set_blend_state(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_blend_state *wire = &AGPU_PACKET(packet, set_blend_state)->state;
    ag_blend_from_abi(wire, &execution->context->blend);
    for (uint32_t i = 0; i < 4; i++)
        execution->context->blend_factor[i] = ag_blend_constant(wire->blend_constant_rgba_f32[i]);
    execution->context->sample_mask = wire->sample_mask;
    return AGPU_OK;
}

enum agpu_status ag_on_set_depth_stencil_state(struct ag_execution *execution,
                                               const struct agpu_packet *packet)
{
    const struct ag_depth_stencil_desc before = execution->context->depth_stencil;
    ag_depth_stencil_from_abi(&AGPU_PACKET(packet, set_depth_stencil_state)->state,
                              &execution->context->depth_stencil);
    execution->changes_nothing = memcmp(&before, &execution->context->depth_stencil, sizeof before) == 0;
    return AGPU_OK;
}

enum agpu_status ag_on_set_rasterizer_state(struct ag_execution *execution, const struct agpu_packet *packet)
{
    ag_rasterizer_from_abi(&AGPU_PACKET(packet, set_rasterizer_state)->state,
                           &execution->context->rasterizer);
    return AGPU_OK;
}

static struct ag_target_slot find_target(struct ag_execution *execution, uint32_t handle)
{
    return (struct ag_target_slot){handle, handle ? ag_handle_view(execution->objects, handle) : NULL};
}

enum agpu_status ag_on_set_render_targets(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_render_targets *wire = AGPU_PACKET(packet, set_render_targets);
    const uint32_t count = wire->color_count;
    if (count > AEROGPU_MAX_RENDER_TARGETS)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "%" PRIu32 " colour targets are more than %u: the bound targets stay", count,
                            AEROGPU_MAX_RENDER_TARGETS);
    struct ag_target_slot slots[AEROGPU_MAX_RENDER_TARGETS];
    const struct ag_target_slot depth = find_target(execution, wire->depth_stencil);
    for (uint32_t i = 0; i < count; i++)
        slots[i] = find_target(execution, wire->colors[i]);
    const enum agpu_status status = ag_target_set_check(execution, slots, count, &depth);
    if (status != AGPU_OK)
        return status;
    ag_target_set_bind(execution->context, slots, count, &depth);
    return AGPU_OK;
}

enum agpu_status ag_on_set_viewport(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_viewport *wire = AGPU_PACKET(packet, set_viewport);
    struct ag_viewport viewport = {
        .x = ag_float_from_bits(wire->x_f32),
        .y = ag_float_from_bits(wire->y_f32),
        .width = ag_float_from_bits(wire->width_f32),
        .height = ag_float_from_bits(wire->height_f32),
        .min_depth = ag_float_from_bits(wire->min_depth_f32),
        .max_depth = ag_float_from_bits(wire->max_depth_f32),
    };
    if (ag_viewport_is_off(&viewport))
        viewport = (struct ag_viewport){0};
    execution->changes_nothing = execution->context->viewport_count == 1 &&
                                 memcmp(&execution->context->viewports[0], &viewport, sizeof viewport) == 0;
    execution->context->viewports[0] = viewport;
    execution->context->viewport_count = 1;
    return AGPU_OK;
}

enum agpu_status ag_on_set_scissor(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_scissor *wire = AGPU_PACKET(packet, set_scissor);
    const struct ag_scissor all = {0, 0, INT64_MAX, INT64_MAX};
    const struct ag_scissor scissor = {wire->x, wire->y, (int64_t)wire->x + wire->width,
                                       (int64_t)wire->y + wire->height};
    const bool none = wire->width <= 0 || wire->height <= 0; /* nothing is scissored (A7) */
    for (uint32_t i = 0; none && i < AG_VIEWPORT_SLOTS; i++)
        execution->context->scissors[i] = all;
    if (!none)
        execution->context->scissors[0] = scissor;
    execution->context->scissor_count = none ? AG_VIEWPORT_SLOTS : 1;
    return AGPU_OK;
}

enum agpu_status ag_on_set_primitive_topology(struct ag_execution *execution,
                                              const struct agpu_packet *packet)
{
    execution->context->topology = AGPU_PACKET(packet, set_primitive_topology)->topology;
    return AGPU_OK;
}

/* ---- Direct3D 9 --------------------------------------------------------------------------------------- */

static void report_d3d9(struct ag_execution *execution)
{
    if (!execution->context->d3d9_reported)
        ag_host_report(execution->host, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_WARNING,
                       "Direct3D 9 state of context %" PRIu32 " is kept but changes nothing",
                       execution->context->id);
    execution->context->d3d9_reported = true;
}

enum agpu_status ag_on_set_sampler_state(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_sampler_state *wire = AGPU_PACKET(packet, set_sampler_state);
    if (wire->slot >= AG_SAMPLER_SLOTS || wire->state >= AG_D3D9_SAMPLER_STATES)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "sampler %" PRIu32 " has no state %" PRIu32, wire->slot, wire->state);
    report_d3d9(execution);
    execution->context->sampler_states[packet->stage][wire->slot][wire->state] = wire->value;
    return AGPU_OK;
}

enum agpu_status ag_on_set_render_state(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_set_render_state *wire = AGPU_PACKET(packet, set_render_state);
    if (wire->state >= AG_D3D9_RENDER_STATES)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "there is no render state %" PRIu32,
                            wire->state);
    report_d3d9(execution);
    execution->context->render_states[wire->state] = wire->value;
    return AGPU_OK;
}
