/* SPDX-License-Identifier: MIT */
#include "exec/packet/clear.h"

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "exec/bind/context.h"
#include "exec/host/host.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/transfer/clear.h"

static enum agpu_status clear_colors(struct ag_execution *execution, const struct aerogpu_cmd_clear *clear)
{
    struct ag_context *context = execution->context;
    enum agpu_status status = AGPU_OK;
    for (uint32_t i = 0; status == AGPU_OK && i < context->target_count; i++) {
        struct ag_texture_view *view =
            ag_context_target(execution->objects, context, &context->targets[i], false);
        if (view)
            status = ag_clear_color(execution->copier, view, clear->color_rgba_f32, NULL, 0);
    }
    return status;
}

static enum agpu_status clear_depth_target(struct ag_execution *execution,
                                           const struct aerogpu_cmd_clear *clear)
{
    struct ag_context *context = execution->context;
    struct ag_texture_view *view =
        ag_context_target(execution->objects, context, &context->depth_target, true);
    const struct ag_depth_clear what = {
        .depth = (clear->flags & AEROGPU_CLEAR_DEPTH) != 0,
        .stencil = (clear->flags & AEROGPU_CLEAR_STENCIL) != 0,
        .depth_bits = clear->depth_f32,
        .stencil_value = clear->stencil,
    };
    return view ? ag_clear_depth_stencil(execution->copier, view, &what, NULL, 0) : AGPU_OK;
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
