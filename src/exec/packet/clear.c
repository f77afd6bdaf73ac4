/* SPDX-License-Identifier: MIT */
#include "exec/packet/clear.h"

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "exec/bind/context.h"
#include "exec/host/host.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/transfer/clear.h"

/* Clears the colour targets from that of the progress's stage on; the stage behind them is the depth
 * target's. */
static enum agpu_status clear_colors(struct ag_execution *execution, const struct aerogpu_cmd_clear *clear)
{
    struct ag_context *context = execution->context;
    struct ag_progress *progress = &execution->progress;
    enum agpu_status status = AGPU_OK;
    while (status == AGPU_OK && progress->stage < context->target_count && !progress->more) {
        struct ag_texture_view *view =
            ag_context_target(execution->objects, context, &context->targets[progress->stage], false);
        if (view)
            status = ag_clear_color(execution->copier, view, clear->color_rgba_f32, NULL, 0, progress);
        progress->stage += !progress->more;
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
    if (!view)
        return AGPU_OK;
    return ag_clear_depth_stencil(execution->copier, view, &what, NULL, 0, &execution->progress);
}

enum agpu_status ag_clear(struct ag_execution *execution, const struct aerogpu_cmd_clear *clear)
{
    enum agpu_status status = AGPU_OK;
    if (clear->flags & AEROGPU_CLEAR_COLOR)
        status = clear_colors(execution, clear);
    if (status == AGPU_OK && !execution->progress.more &&
        clear->flags & (AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL))
        status = clear_depth_target(execution, clear);
    if (status == AGPU_OK && !execution->progress.more)
        execution->host->counts.clears++;
    return status;
}
