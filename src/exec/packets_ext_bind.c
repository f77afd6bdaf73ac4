/* SPDX-License-Identifier: MIT
 *
 * The extension's packets that bind views.
 */
#include <inttypes.h>
#include <string.h>

#include "exec/exec.h"
#include "exec/packets.h"

/* The view of that kind, or of none in particular, that a handle names. Null when it was reported. */
static struct agpu_view *find_view(struct agpu_exec *exec, uint32_t handle, uint32_t kind, const char *what)
{
    struct agpu_view *view = agpu_handle_any_view(exec, handle);
    if (view && (view->kind == kind || view->kind == AGPU_VIEW_PLAIN))
        return view;
    agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no %s view", handle, what);
    return NULL;
}

static enum agpu_status bind_shader_resource(struct agpu_exec *exec, enum agpu_stream_stage stage,
                                             uint32_t index, uint32_t handle)
{
    struct agpu_resource_slot slot = {.handle = handle};
    if (handle) {
        struct agpu_view *view =
            find_view(exec, handle, AEROGPU_EXT_VIEW_SHADER_RESOURCE, "shader resource");
        if (!view)
            return AGPU_REFUSED;
        slot.bound = view;
        if (view->resource->kind == AGPU_RESOURCE_TEXTURE)
            slot.view = &view->texture;
        else
            slot.buffer = view->buffer.buffer;
    }
    agpu_context_bind_resource(exec->context, stage, index, slot);
    return AGPU_OK;
}

enum agpu_status agpu_on_ext_set_shader_resources(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_shader_resources *wire = AGPU_PACKET(packet, ext_set_shader_resources);
    enum agpu_status status = AGPU_OK;
    if (wire->start_slot > AGPU_RESOURCE_SLOTS || wire->view_count > AGPU_RESOURCE_SLOTS - wire->start_slot)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                              "shader resources %" PRIu32 " + %" PRIu32 " leave the %d slots",
                              wire->start_slot, wire->view_count, AGPU_RESOURCE_SLOTS);
    for (uint32_t i = 0; status == AGPU_OK && i < wire->view_count; i++)
        status = bind_shader_resource(exec, packet->stage, wire->start_slot + i, agpu_packet_word(packet, i));
    return status;
}

static enum agpu_status resolve_target(struct agpu_exec *exec, uint32_t handle, uint32_t kind, const char *what,
                                       struct agpu_target_slot *slot)
{
    *slot = (struct agpu_target_slot){.handle = handle};
    if (!handle)
        return AGPU_OK;
    struct agpu_view *view = find_view(exec, handle, kind, what);
    if (!view)
        return AGPU_REFUSED;
    slot->view = &view->texture;
    return AGPU_OK;
}

static void bind_targets(struct agpu_context *context, const struct agpu_target_slot *slots, uint32_t count,
                         struct agpu_target_slot depth)
{
    memset(context->targets, 0, sizeof context->targets);
    while (count && slots[count - 1].handle == 0)
        count--;
    context->target_count = count;
    for (uint32_t i = 0; i < count; i++) {
        context->targets[i] = slots[i];
        if (slots[i].view)
            agpu_context_bound_as_target(context, slots[i].view);
    }
    context->depth_target = depth;
    if (depth.view)
        agpu_context_bound_as_target(context, depth.view);
}

static void unbind_pixel_uavs(struct agpu_context *context)
{
    memset(context->stages[AGPU_STAGE_PIXEL].uavs, 0, sizeof context->stages[AGPU_STAGE_PIXEL].uavs);
}

enum agpu_status agpu_on_ext_set_render_targets(struct agpu_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_render_targets *wire = AGPU_PACKET(packet, ext_set_render_targets);
    const uint32_t known = AEROGPU_EXT_KEEP_RENDER_TARGETS | AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS;
    struct agpu_target_slot slots[AGPU_MAX_RENDER_TARGETS], depth = {0};
    enum agpu_status status = AGPU_OK;
    if (wire->flags & ~known)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "unknown target flags 0x%" PRIx32, wire->flags);
    if (wire->color_count > AGPU_MAX_RENDER_TARGETS)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "%" PRIu32 " colour targets are more than %u",
                              wire->color_count, AGPU_MAX_RENDER_TARGETS);
    if (wire->uav_count && !(wire->flags & AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                              "unordered access views beside render targets are not supported");
    if (!(wire->flags & AEROGPU_EXT_KEEP_RENDER_TARGETS)) {
        for (uint32_t i = 0; status == AGPU_OK && i < wire->color_count; i++)
            status = resolve_target(exec, wire->colors[i], AEROGPU_EXT_VIEW_RENDER_TARGET, "render target",
                                    &slots[i]);
        if (status == AGPU_OK)
            status = resolve_target(exec, wire->depth_stencil, AEROGPU_EXT_VIEW_DEPTH_STENCIL,
                                    "depth-stencil", &depth);
        if (status != AGPU_OK)
            return status;
        bind_targets(exec->context, slots, wire->color_count, depth);
    }
    if (!(wire->flags & AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS))
        unbind_pixel_uavs(exec->context);
    return AGPU_OK;
}
