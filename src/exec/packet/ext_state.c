/* SPDX-License-Identifier: MIT
 *
 * The extension's state objects, samplers, viewports and scissors.
 */
#include <inttypes.h>
#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/bind/context_set.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/ext_object.h"
#include "exec/object/sampler.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/state/rect.h"
#include "exec/state/state.h"
#include "exec/state/state_ext.h"

struct blend_state {
    struct ag_ext_object object; /* the first member */
    struct ag_blend_desc desc;
};

struct depth_stencil_state {
    struct ag_ext_object object;
    struct ag_depth_stencil_desc desc;
};

struct rasterizer_state {
    struct ag_ext_object object;
    struct ag_rasterizer_desc desc;
};

/* ---- Creation ----------------------------------------------------------------------------------------- */

static enum agpu_status refuse(struct ag_execution *execution, enum ag_ext_object_kind kind,
                               const char *problem)
{
    return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a %s with %s",
                        ag_ext_object_kind_name(kind), problem);
}

enum agpu_status ag_on_ext_create_blend_state(struct ag_execution *execution,
                                              const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_blend_state *wire = AGPU_PACKET(packet, ext_create_blend_state);
    struct ag_blend_desc desc;
    enum agpu_status status;
    const char *problem = ag_blend_from_ext(
        wire, (const struct aerogpu_ext_blend_target *)(const void *)packet->payload, &desc);
    if (problem)
        return refuse(execution, AG_EXT_OBJECT_BLEND_STATE, problem);
    struct blend_state *state = ag_ext_object_create(execution->objects, wire->object_handle,
                                                     AG_EXT_OBJECT_BLEND_STATE, sizeof *state, &status);
    if (state)
        state->desc = desc;
    return status;
}

enum agpu_status ag_on_ext_create_depth_stencil_state(struct ag_execution *execution,
                                                      const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_depth_stencil_state *wire =
        AGPU_PACKET(packet, ext_create_depth_stencil_state);
    struct ag_depth_stencil_desc desc;
    enum agpu_status status;
    const char *problem = ag_depth_stencil_from_ext(wire, &desc);
    if (problem)
        return refuse(execution, AG_EXT_OBJECT_DEPTH_STENCIL_STATE, problem);
    struct depth_stencil_state *state = ag_ext_object_create(
        execution->objects, wire->object_handle, AG_EXT_OBJECT_DEPTH_STENCIL_STATE, sizeof *state, &status);
    if (state)
        state->desc = desc;
    return status;
}

enum agpu_status ag_on_ext_create_rasterizer_state(struct ag_execution *execution,
                                                   const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_rasterizer_state *wire =
        AGPU_PACKET(packet, ext_create_rasterizer_state);
    struct ag_rasterizer_desc desc;
    enum agpu_status status;
    const char *problem = ag_rasterizer_from_ext(wire, &desc);
    if (problem)
        return refuse(execution, AG_EXT_OBJECT_RASTERIZER_STATE, problem);
    struct rasterizer_state *state = ag_ext_object_create(
        execution->objects, wire->object_handle, AG_EXT_OBJECT_RASTERIZER_STATE, sizeof *state, &status);
    if (state)
        state->desc = desc;
    return status;
}

enum agpu_status ag_on_ext_create_sampler(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_sampler *wire = AGPU_PACKET(packet, ext_create_sampler);
    struct ag_sampler_desc desc;
    if (wire->sampler_handle == 0)
        return ag_host_malformed(execution->host, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name a sampler");
    const char *problem = ag_sampler_from_ext(wire, &desc);
    if (problem)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a sampler with %s", problem);
    return ag_sampler_define(execution->objects, wire->sampler_handle, &desc);
}

/* ---- Setting ------------------------------------------------------------------------------------------ */

/* The object that the handle names. Null, which stands for the default state, when the handle is 0, refused,
 * or names no object of that kind (a warning). */
static const void *find(struct ag_execution *execution, uint32_t handle, enum ag_ext_object_kind kind)
{
    const void *state = ag_ext_object_find(execution->objects, handle, kind);
    if (handle && !state)
        ag_host_warn_handle(execution->host, AG_SPACE_EXT_OBJECTS, handle,
                            "handle %" PRIu32 " names no %s: the default state is set", handle,
                            ag_ext_object_kind_name(kind));
    return state;
}

/* The context copies the description, so that the state stays set when the object is destroyed. */
enum agpu_status ag_on_ext_set_blend_state(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_blend_state *wire = AGPU_PACKET(packet, ext_set_blend_state);
    const struct blend_state *state = find(execution, wire->state_handle, AG_EXT_OBJECT_BLEND_STATE);
    ag_context_use_extension(execution->context);
    if (state)
        execution->context->blend = state->desc;
    else
        ag_blend_default(&execution->context->blend);
    for (uint32_t i = 0; i < 4; i++)
        execution->context->blend_factor[i] = ag_blend_constant(wire->blend_factor_f32[i]);
    execution->context->sample_mask = wire->sample_mask;
    return AGPU_OK;
}

enum agpu_status ag_on_ext_set_depth_stencil_state(struct ag_execution *execution,
                                                   const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_depth_stencil_state *wire =
        AGPU_PACKET(packet, ext_set_depth_stencil_state);
    const struct depth_stencil_state *state =
        find(execution, wire->state_handle, AG_EXT_OBJECT_DEPTH_STENCIL_STATE);
    ag_context_use_extension(execution->context);
    if (state)
        execution->context->depth_stencil = state->desc;
    else
        ag_depth_stencil_default(&execution->context->depth_stencil);
    execution->context->stencil_reference = wire->stencil_ref & 0xFF;
    return AGPU_OK;
}

enum agpu_status ag_on_ext_set_rasterizer_state(struct ag_execution *execution,
                                                const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_rasterizer_state *wire = AGPU_PACKET(packet, ext_set_rasterizer_state);
    ag_context_use_extension(execution->context);
    const struct rasterizer_state *state =
        find(execution, wire->state_handle, AG_EXT_OBJECT_RASTERIZER_STATE);
    if (state)
        execution->context->rasterizer = state->desc;
    else
        ag_rasterizer_default(&execution->context->rasterizer);
    return AGPU_OK;
}

/* ---- Viewports and scissors --------------------------------------------------------------------------- */

/* The viewports that RSSetViewports accepts (D3D11.3 15.6.1): finite, within +-32768, depths in order and in
 * [0, 1]. */
static bool is_viewport(const struct ag_viewport *viewport)
{
    return viewport->x >= -32768 && viewport->y >= -32768 && viewport->width >= 0 && viewport->height >= 0 &&
           viewport->x + viewport->width <= 32767 && viewport->y + viewport->height <= 32767 &&
           viewport->min_depth >= 0 && viewport->min_depth <= viewport->max_depth && viewport->max_depth <= 1;
}

enum agpu_status ag_on_ext_set_viewports(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_viewports *wire = AGPU_PACKET(packet, ext_set_viewports);
    struct ag_viewport viewports[AG_VIEWPORT_SLOTS] = {0};
    if (wire->viewport_count > AG_VIEWPORT_SLOTS)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "%" PRIu32 " viewports are more than %d", wire->viewport_count,
                            AG_VIEWPORT_SLOTS);
    for (uint32_t i = 0; i < wire->viewport_count; i++) {
        const struct aerogpu_ext_viewport *from = agpu_packet_element(packet, i);
        viewports[i] = (struct ag_viewport){
            ag_float_from_bits(from->x_f32),         ag_float_from_bits(from->y_f32),
            ag_float_from_bits(from->width_f32),     ag_float_from_bits(from->height_f32),
            ag_float_from_bits(from->min_depth_f32), ag_float_from_bits(from->max_depth_f32),
        };
        if (ag_viewport_is_off(&viewports[i]))
            viewports[i] = (struct ag_viewport){0};
        else if (!is_viewport(&viewports[i]))
            return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                "viewport %" PRIu32 " leaves the range of viewports: none is set", i);
    }
    ag_context_use_extension(execution->context);
    memcpy(execution->context->viewports, viewports, sizeof viewports);
    execution->context->viewport_count = AG_VIEWPORT_SLOTS; /* viewports past the packet's are empty */
    return AGPU_OK;
}

enum agpu_status ag_on_ext_set_scissors(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_scissors *wire = AGPU_PACKET(packet, ext_set_scissors);
    if (wire->rect_count > AG_VIEWPORT_SLOTS)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "%" PRIu32 " scissors are more than %d",
                            wire->rect_count, AG_VIEWPORT_SLOTS);
    ag_context_use_extension(execution->context);
    memset(execution->context->scissors, 0, sizeof execution->context->scissors);
    for (uint32_t i = 0; i < wire->rect_count; i++) {
        const struct aerogpu_ext_rect *from = agpu_packet_element(packet, i);
        execution->context->scissors[i] =
            (struct ag_scissor){from->left, from->top, from->right, from->bottom};
    }
    execution->context->scissor_count = AG_VIEWPORT_SLOTS; /* scissors past the packet's are empty */
    return AGPU_OK;
}

enum agpu_status ag_on_ext_destroy_context(struct ag_execution *execution, const struct agpu_packet *packet)
{
    ag_context_end(execution->binder, execution->context,
                   AGPU_PACKET(packet, ext_destroy_context)->context_id);
    return AGPU_OK;
}

enum agpu_status ag_on_ext_clear_state(struct ag_execution *execution, const struct agpu_packet *packet)
{
    (void)packet;
    ag_context_clear_state(execution->context);
    return AGPU_OK;
}
