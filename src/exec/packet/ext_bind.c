/* SPDX-License-Identifier: MIT
 *
 * The extension's packets that bind views.
 */
#include <inttypes.h>
#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/bind/output_hazard.h"
#include "exec/bind/uav_counters.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/object/uav_counter.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/packet/target_set.h"
#include "exec/state/slots.h"
#include "exec/transfer/buffer_copy.h"
#include "exec/transfer/buffer_upload.h"
#include "exec/transfer/copy.h"

#define COUNTED (AEROGPU_EXT_VIEW_FLAG_APPEND | AEROGPU_EXT_VIEW_FLAG_COUNTER)

static enum agpu_status find_shader_resource(struct ag_execution *execution, uint32_t handle,
                                             struct ag_resource_slot *slot)
{
    struct ag_view *view = NULL;
    *slot = (struct ag_resource_slot){0};
    if (handle &&
        !ag_handle_view_of_kind(execution->objects, handle, AEROGPU_EXT_VIEW_SHADER_RESOURCE, true, &view))
        return AGPU_REFUSED;
    if (!view)
        return AGPU_OK;
    slot->handle = handle;
    slot->bound = view;
    if (view->resource->kind == AG_RESOURCE_TEXTURE)
        slot->view = &view->texture;
    else
        slot->buffer = view->buffer.buffer;
    return AGPU_OK;
}

enum agpu_status ag_on_ext_set_shader_resources(struct ag_execution *execution,
                                                const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_shader_resources *wire = AGPU_PACKET(packet, ext_set_shader_resources);
    struct ag_resource_slot slots[AG_RESOURCE_SLOTS];
    enum agpu_status status = AGPU_OK;
    if (wire->start_slot > AG_RESOURCE_SLOTS || wire->view_count > AG_RESOURCE_SLOTS - wire->start_slot)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "shader resources %" PRIu32 " + %" PRIu32 " leave the %d slots", wire->start_slot,
                            wire->view_count, AG_RESOURCE_SLOTS);
    for (uint32_t i = 0; status == AGPU_OK && i < wire->view_count; i++)
        status = find_shader_resource(execution, agpu_packet_word(packet, i), &slots[i]);
    for (uint32_t i = 0; status == AGPU_OK && i < wire->view_count; i++)
        ag_context_bind_resource(execution->context, packet->stage, wire->start_slot + i, slots[i]);
    return status;
}

static enum agpu_status resolve_target(struct ag_execution *execution, uint32_t handle,
                                       enum aerogpu_ext_view_kind kind, struct ag_target_slot *slot)
{
    struct ag_view *view = NULL;
    *slot = (struct ag_target_slot){0};
    if (handle && !ag_handle_view_of_kind(execution->objects, handle, kind, true, &view))
        return AGPU_REFUSED;
    if (view)
        *slot = (struct ag_target_slot){.handle = handle, .view = &view->texture};
    return AGPU_OK;
}

/* ---- Unordered access views --------------------------------------------------------------------------- */

/* The slots of a packet, all of them checked before the first is bound. */
struct uav_slots {
    uint32_t start, count;
    struct ag_buffer_slot slots[AG_UAV_SLOTS];
};

static enum agpu_status find_uavs(struct ag_execution *execution, const struct agpu_packet *packet,
                                  uint32_t start, uint32_t count, struct uav_slots *uavs)
{
    *uavs = (struct uav_slots){.start = start, .count = count};
    if (start > AG_UAV_SLOTS || count > AG_UAV_SLOTS - start)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "unordered access views %" PRIu32 " + %" PRIu32 " leave the %d slots", start,
                            count, AG_UAV_SLOTS);
    for (uint32_t i = 0; i < count; i++) {
        const struct aerogpu_ext_unordered_access_binding *binding = agpu_packet_element(packet, i);
        struct ag_buffer_slot *slot = &uavs->slots[i];
        struct ag_view *view = NULL;
        if (binding->view && !ag_handle_view_of_kind(execution->objects, binding->view,
                                                     AEROGPU_EXT_VIEW_UNORDERED_ACCESS, false, &view))
            return AGPU_REFUSED;
        if (!view)
            continue;
        slot->handle = binding->view;
        slot->bound = view;
        slot->buffer = view->buffer.buffer;
        slot->initial_count = binding->initial_count;
        for (uint32_t j = 0; j < i; j++)
            if (uavs->slots[j].bound && ag_uav_views_overlap(uavs->slots[j].bound, view))
                return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                    "unordered access slots %" PRIu32 " and %" PRIu32
                                    " have a subresource or bytes in common: nothing is bound",
                                    start + j, start + i);
    }
    return AGPU_OK;
}

static void bind_uavs(struct ag_context *context, enum agpu_stage stage, const struct uav_slots *uavs)
{
    for (uint32_t i = 0; i < uavs->count; i++)
        if (uavs->slots[i].bound)
            ag_context_becomes_uav(context, uavs->slots[i].bound);
    for (uint32_t i = 0; i < uavs->count; i++) {
        const struct ag_buffer_slot *slot = &uavs->slots[i];
        ag_stage_set_uav(&context->stages[stage], uavs->start + i, *slot);
        if (slot->bound && slot->bound->buffer.flags & COUNTED)
            ag_uav_counter_set(&slot->bound->counter, slot->initial_count);
    }
}

enum agpu_status ag_on_ext_set_unordered_access_views(struct ag_execution *execution,
                                                      const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_unordered_access_views *wire =
        AGPU_PACKET(packet, ext_set_unordered_access_views);
    struct uav_slots uavs;
    if (packet->stage != AGPU_STREAM_STAGE_COMPUTE)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "the %s has no unordered access views of its own",
                            agpu_stage_name((enum agpu_stage)packet->stage));
    enum agpu_status status = find_uavs(execution, packet, wire->start_slot, wire->uav_count, &uavs);
    if (status == AGPU_OK)
        bind_uavs(execution->context, AGPU_STAGE_COMPUTE, &uavs);
    return status;
}

/* Whether a draw would write a subresource both as a target and as a view. */
static bool targets_overlap(const struct ag_target_slot *slots, uint32_t count,
                            const struct ag_target_slot *depth, const struct ag_texture_view *view)
{
    for (uint32_t i = 0; i < count; i++)
        if (ag_view_is_target(view, slots[i].view))
            return true;
    return ag_view_is_target(view, depth->view);
}

/* Render targets and unordered access views of the pixel stage share slots, and no subresource or buffer
 * may be in two of them (OMSetRenderTargetsAndUnorderedAccessViews). */
static enum agpu_status check_uavs(struct ag_execution *execution, const struct ag_target_slot *slots,
                                   uint32_t count, const struct ag_target_slot *depth,
                                   const struct uav_slots *uavs)
{
    for (uint32_t i = 0; i < uavs->count; i++) {
        const struct ag_view *view = uavs->slots[i].bound;
        if (view && !uavs->slots[i].buffer && targets_overlap(slots, count, depth, &view->texture))
            return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                                "unordered access slot %" PRIu32 " and a target are the same subresource",
                                uavs->start + i);
    }
    return AGPU_OK;
}

static void unbind_pixel_uavs(struct ag_context *context)
{
    struct ag_stage_bindings *pixel = &context->stages[AGPU_STAGE_PIXEL];
    AG_EACH_UAV(pixel, i)
    ag_stage_set_uav(pixel, i, (struct ag_buffer_slot){0});
}

static enum agpu_status find_targets(struct ag_execution *execution,
                                     const struct aerogpu_cmd_ext_set_render_targets *wire,
                                     struct ag_target_slot slots[AGPU_MAX_RENDER_TARGETS],
                                     struct ag_target_slot *depth)
{
    enum agpu_status status = AGPU_OK;
    for (uint32_t i = 0; status == AGPU_OK && i < wire->color_count; i++)
        status = resolve_target(execution, wire->colors[i], AEROGPU_EXT_VIEW_RENDER_TARGET, &slots[i]);
    return status == AGPU_OK
               ? resolve_target(execution, wire->depth_stencil, AEROGPU_EXT_VIEW_DEPTH_STENCIL, depth)
               : status;
}

enum agpu_status ag_on_ext_set_render_targets(struct ag_execution *execution,
                                              const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_render_targets *wire = AGPU_PACKET(packet, ext_set_render_targets);
    const uint32_t known = AEROGPU_EXT_KEEP_RENDER_TARGETS | AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS;
    const bool keeps_targets = (wire->flags & AEROGPU_EXT_KEEP_RENDER_TARGETS) != 0;
    const bool keeps_uavs = (wire->flags & AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS) != 0;
    struct ag_context *context = execution->context;
    struct ag_target_slot slots[AGPU_MAX_RENDER_TARGETS], depth = {0};
    struct uav_slots uavs = {0};
    if (wire->flags & ~known)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "unknown target flags 0x%" PRIx32,
                            wire->flags);
    if (wire->color_count > AGPU_MAX_RENDER_TARGETS)
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "%" PRIu32 " colour targets are more than %u", wire->color_count,
                            AGPU_MAX_RENDER_TARGETS);
    enum agpu_status status = keeps_targets ? AGPU_OK : find_targets(execution, wire, slots, &depth);
    if (status == AGPU_OK && !keeps_uavs)
        status = find_uavs(execution, packet, wire->uav_start_slot, wire->uav_count, &uavs);
    if (status == AGPU_OK && !keeps_targets)
        status = ag_target_set_check(execution, slots, wire->color_count, &depth);
    /* Targets that are kept are older bindings, which end where a new view has their subresource. */
    if (status == AGPU_OK && !keeps_uavs && !keeps_targets)
        status = check_uavs(execution, slots, wire->color_count, &depth, &uavs);
    if (status != AGPU_OK)
        return status;
    ag_context_use_extension(context);
    if (!keeps_targets)
        ag_target_set_bind(context, slots, wire->color_count, &depth);
    if (!keeps_uavs) {
        unbind_pixel_uavs(context);
        bind_uavs(context, AGPU_STAGE_PIXEL, &uavs);
    }
    return AGPU_OK;
}

/* ---- UAV counters ------------------------------------------------------------------------------------- */

enum agpu_status ag_on_ext_copy_structure_count(struct ag_execution *execution,
                                                const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_copy_structure_count *wire = AGPU_PACKET(packet, ext_copy_structure_count);
    const struct ag_view *view = ag_handle_any_view(execution->objects, wire->src_view);
    struct ag_buffer *buffer = ag_handle_buffer(execution->objects, wire->dst_buffer);
    if (!buffer)
        return ag_host_drop_handle(execution->host, AG_SPACE_RESOURCES, wire->dst_buffer,
                                   "handle %" PRIu32 " names no buffer", wire->dst_buffer);
    if (!view || view->kind != AEROGPU_EXT_VIEW_UNORDERED_ACCESS || !(view->buffer.flags & COUNTED))
        return ag_host_drop_handle(execution->host, AG_SPACE_RESOURCES, wire->src_view,
                                   "handle %" PRIu32 " names no view with a counter", wire->src_view);
    if (wire->dst_offset_bytes % 4 != 0 || !ag_range_fits(wire->dst_offset_bytes, 4, buffer->size))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_RANGE,
                            "a count at byte %" PRIu32 " is not a word of a buffer of %" PRIu64 " bytes",
                            wire->dst_offset_bytes, buffer->size);
    const bool write_back = (wire->flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
    uint64_t gpa = 0;
    enum agpu_status status = ag_copy_check_flags(execution->copier, wire->flags);
    if (status == AGPU_OK && write_back)
        status =
            ag_copy_check_write_back(execution->copier, &buffer->resource, wire->dst_offset_bytes, 4, &gpa);
    if (status != AGPU_OK)
        return status;
    if (!ag_buffer_use(execution->copier, buffer) ||
        !ag_uav_counter_copy(execution->binder, &view->counter, buffer->gpu, wire->dst_offset_bytes))
        return AGPU_REFUSED;
    ag_buffer_written(execution->host, buffer);
    return write_back ? ag_copy_read_buffer(execution->copier, buffer, wire->dst_offset_bytes, 4, gpa)
                      : AGPU_OK;
}
