/* SPDX-License-Identifier: MIT */
#include "exec/packet/clear.h"

#include <inttypes.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "exec/bind/context.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/transfer/clear.h"
#include "format/format.h"

/* Whether the slot has a target to clear. The slot becomes empty when its handle names none. */
static bool resolve(struct ag_execution *execution, struct ag_target_slot *slot, bool depth)
{
    if (slot->handle == 0)
        return false;
    if (!slot->view)
        slot->view = ag_handle_view(execution->objects, slot->handle);
    if (slot->view && ag_host_renders(execution->host, slot->view->format) &&
        ag_host_format_has(slot->view->format, AG_FORMAT_DEPTH) == depth)
        return true;
    if (slot->view)
        ag_host_warn(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                     "a %s texture is no %s target: handle %" PRIu32 " is taken for 0",
                     slot->view->format->name, depth ? "depth" : "colour", slot->handle);
    else
        ag_host_warn_handle(execution->host, AG_SPACE_RESOURCES, slot->handle,
                            "render target handle %" PRIu32 " names no texture", slot->handle);
    *slot = (struct ag_target_slot){0};
    return false;
}

static enum agpu_status clear_colors(struct ag_execution *execution, const struct aerogpu_cmd_clear *clear)
{
    struct ag_context *context = execution->context;
    enum agpu_status status = AGPU_OK;
    for (uint32_t i = 0; status == AGPU_OK && i < context->target_count; i++) {
        struct ag_target_slot *slot = &context->targets[i];
        if (resolve(execution, slot, false))
            status = ag_clear_color(execution->copier, slot->view, clear->color_rgba_f32, NULL, 0);
    }
    return status;
}

static enum agpu_status clear_depth_target(struct ag_execution *execution,
                                           const struct aerogpu_cmd_clear *clear)
{
    struct ag_target_slot *slot = &execution->context->depth_target;
    const struct ag_depth_clear what = {
        .depth = (clear->flags & AEROGPU_CLEAR_DEPTH) != 0,
        .stencil = (clear->flags & AEROGPU_CLEAR_STENCIL) != 0,
        .depth_bits = clear->depth_f32,
        .stencil_value = clear->stencil,
    };
    return resolve(execution, slot, true)
               ? ag_clear_depth_stencil(execution->copier, slot->view, &what, NULL, 0)
               : AGPU_OK;
}

enum agpu_status ag_clear(struct ag_execution *execution, const struct aerogpu_cmd_clear *clear)
{
    enum agpu_status status = AGPU_OK;
    if (clear->flags & AEROGPU_CLEAR_COLOR)
        status = clear_colors(execution, clear);
    if (status == AGPU_OK && clear->flags & (AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL))
        status = clear_depth_target(execution, clear);
    if (status == AGPU_OK)
        execution->host->counts.clears++;
    return status;
}
