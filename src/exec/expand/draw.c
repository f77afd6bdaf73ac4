/* SPDX-License-Identifier: MIT */
#include "exec/expand/draw.h"

#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/bind/uav.h"
#include "exec/draw/plain_draw.h"
#include "exec/draw/raster.h"
#include "exec/draw/statistics.h"
#include "exec/draw/stream_output.h"
#include "exec/draw/work_limits.h"
#include "exec/expand/expanded_draw.h"
#include "exec/expand/expander.h"
#include "exec/expand/stages.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/record/recorder.h"

static bool draw_into(struct ag_expander *expander, struct ag_context *context, const struct ag_draw *draw,
                      bool expanded, const struct ag_attachments *attachments, bool *failed)
{
    return expanded ? ag_expanded_draw(expander, context, draw, attachments, failed)
                    : ag_plain_draw(expander->drawer, context, draw, attachments, failed);
}

/* Refuses a pixel shader that stores, since a draw in parts would store once for each part (reported). */
static bool stores_nothing(struct ag_expander *expander, const struct ag_context *context)
{
    const struct ag_shader_program *pixel = ag_shader_at(expander->binder, context, AGPU_STAGE_PIXEL);
    if (!pixel || !pixel->has_uavs)
        return true;
    ag_host_skip_refused(expander->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                         "a pixel shader that writes buffers has more colour targets than fit in one pass");
    return false;
}

/* Draws once for each part of the targets. Each part needs depth as it was before the draw, of which
 * copies are made. */
static bool draw_in_parts(struct ag_expander *expander, struct ag_context *context,
                          const struct ag_draw *draw, bool expanded, const struct ag_attachments *attachments,
                          bool *failed)
{
    struct ag_attachments parts[AGPU_MAX_RENDER_TARGETS];
    struct ag_texture *depths[AGPU_MAX_RENDER_TARGETS] = {0};
    uint32_t count =
        ag_attachments_split(attachments, expander->host->limits.maxColorAttachmentBytesPerSample, parts);
    bool drawn = stores_nothing(expander, context);
    for (uint32_t i = 1; i < count && drawn && attachments->depth; i++) {
        depths[i] = ag_attachments_copy_depth(expander->drawer, attachments->depth);
        drawn = depths[i] != NULL;
        if (drawn)
            parts[i].depth = &depths[i]->whole;
    }
    for (uint32_t i = 0; i < count && drawn; i++) {
        struct ag_draw part = *draw;
        part.repeats = parts[i].uncounted = i > 0;
        drawn = draw_into(expander, context, &part, expanded, &parts[i], failed);
    }
    for (uint32_t i = 1; i < count; i++)
        ag_texture_destroy(expander->objects, depths[i]);
    return drawn;
}

static bool check_vertex_shader(struct ag_expander *expander, const struct ag_context *context, bool *failed)
{
    if (ag_shader_at(expander->binder, context, AGPU_STAGE_VERTEX))
        return true;
    ag_draw_needs_vertex_shader(expander->binder, failed);
    return false;
}

static bool make_attachments(struct ag_expander *expander, struct ag_context *context,
                             struct ag_attachments *attachments, bool *failed)
{
    memset(attachments, 0, sizeof *attachments);
    return ag_stream_output_only(expander->drawer, context) ||
           ag_attachments_init(expander->drawer, context, attachments, failed);
}

enum agpu_status ag_draw(struct ag_expander *expander, struct ag_context *context, const struct ag_draw *draw)
{
    struct ag_attachments attachments;
    bool failed = false, drawn = false, expanded = false;
    if (draw->count == 0 || draw->instance_count == 0)
        return AGPU_OK;
    expander->recorder->draw_number++;
    if (!ag_work_limits_check_draw(expander->drawer, draw)) {
        expander->host->counts.draws_skipped++;
        return AGPU_OK;
    }
    ag_uavs_resolve(expander->binder, context, AGPU_STAGE_PIXEL);
    if (make_attachments(expander, context, &attachments, &failed) &&
        ag_expanded_draw_decide(expander, context, draw, &attachments, &expanded, &failed)) {
        bool fits =
            ag_attachments_bytes(&attachments) <= expander->host->limits.maxColorAttachmentBytesPerSample;
        if (!attachments.color_count && !attachments.depth &&
            !ag_stream_output_active(expander->drawer, context, draw))
            drawn =
                check_vertex_shader(expander, context, &failed); /* the draw has no effect that can be seen */
        else
            drawn = fits ? draw_into(expander, context, draw, expanded, &attachments, &failed)
                         : draw_in_parts(expander, context, draw, expanded, &attachments, &failed);
    }
    if (drawn) {
        expander->host->counts.draws++;
        ag_queries_count_draw(expander->drawer, context, draw);
    } else {
        expander->host->counts.draws_skipped++;
    }
    return failed ? AGPU_REFUSED : AGPU_OK;
}
