/* SPDX-License-Identifier: MIT */
#include "exec/expand/draw.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/bind/uav.h"
#include "exec/draw/drawer.h"
#include "exec/draw/kept_draw.h"
#include "exec/draw/plain_draw.h"
#include "exec/draw/raster.h"
#include "exec/draw/statistics.h"
#include "exec/draw/stream_output.h"
#include "exec/draw/work_limits.h"
#include "exec/expand/counted_draw.h"
#include "exec/expand/early_tests.h"
#include "exec/expand/expanded_draw.h"
#include "exec/expand/expander.h"
#include "exec/expand/expansion_batch.h"
#include "exec/expand/inlined_draw.h"
#include "exec/expand/stages.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"

/* Refuses shaders that store, since a draw in parts would store once for each part (reported). */
static enum ag_outcome check_stores(struct ag_expander *expander, const struct ag_context *context)
{
    const struct ag_shader_program *pixel = ag_shader_at(expander->binder, context, AGPU_STAGE_PIXEL);
    if ((!pixel || !pixel->has_uavs) && !ag_uavs_used_early(expander->binder, context))
        return AG_DONE;
    return ag_host_skip_refused(
        expander->host, AGPU_DIAG_EXEC_UNSUPPORTED,
        "a draw whose shaders write buffers has more colour targets than fit in one pass");
}

/* Draws once for each part of the targets. Each part needs depth as it was before the draw, of which
 * copies are made. */
static enum ag_outcome draw_in_parts(struct ag_expander *expander, struct ag_context *context,
                                     const struct ag_draw *draw, bool expanded,
                                     const struct ag_attachments *attachments)
{
    struct ag_attachments parts[AGPU_MAX_RENDER_TARGETS];
    struct ag_texture *depths[AGPU_MAX_RENDER_TARGETS] = {0};
    const uint32_t count = ag_attachments_split(expander->host, attachments, parts);
    enum ag_outcome outcome = check_stores(expander, context);
    for (uint32_t i = 1; i < count && outcome == AG_DONE && attachments->depth; i++) {
        outcome = ag_attachments_copy_depth(expander->drawer, attachments->depth, &depths[i]);
        if (outcome == AG_DONE)
            parts[i].depth = &depths[i]->whole;
    }
    for (uint32_t i = 0; i < count && outcome == AG_DONE; i++) {
        struct ag_draw part = *draw;
        part.repeats = parts[i].uncounted = i > 0;
        outcome = ag_draw_once(expander, context, &part, expanded, &parts[i]);
    }
    for (uint32_t i = 1; i < count; i++)
        ag_texture_destroy(expander->objects, depths[i]);
    return outcome;
}

static enum ag_outcome make_attachments(struct ag_expander *expander, struct ag_context *context,
                                        struct ag_attachments *attachments)
{
    memset(attachments, 0, sizeof *attachments);
    if (ag_stream_output_only(expander->drawer, context))
        return AG_DONE;
    return ag_attachments_init(expander->drawer, context, attachments);
}

static enum ag_outcome draw_all(struct ag_expander *expander, struct ag_context *context,
                                const struct ag_draw *draw)
{
    struct ag_attachments attachments;
    bool expanded = false;
    enum ag_outcome outcome = make_attachments(expander, context, &attachments);
    if (outcome == AG_DONE)
        outcome = ag_expanded_draw_decide(expander, context, draw, &attachments, &expanded);
    if (outcome != AG_DONE)
        return outcome;
    const bool counts = expanded && ag_queries_want(expander->recorder, AG_QUERY_COUNTER_IA_VERTICES);
    if (!attachments.color_count && !attachments.depth && !counts &&
        !ag_stream_output_active(expander->drawer, context, draw) &&
        !ag_uavs_used_early(expander->binder, context)) { /* the draw has no effect */
        struct ag_shader_program *vertex = NULL;
        outcome = ag_bound_program(expander->binder, context, AGPU_STAGE_VERTEX, &vertex);
        return outcome != AG_DONE || vertex ? outcome : ag_draw_needs_vertex_shader(expander->binder);
    }
    enum ag_early_way way;
    outcome = ag_early_tests_decide(expander, context, draw, &attachments, expanded, &way);
    if (outcome != AG_DONE)
        return outcome;
    if (way != AG_EARLY_WAY_PLAIN)
        return ag_early_tests_draw(expander, context, draw, &attachments, expanded, way);
    if (!ag_attachments_fit(expander->host, &attachments))
        return draw_in_parts(expander, context, draw, expanded, &attachments);
    bool done = false;
    if (expanded && !expander->counted->place.goes_on)
        outcome = ag_inlined_draw_make(expander, context, draw, &attachments, &done);
    if (outcome == AG_DONE && !done)
        outcome = expanded ? ag_joining_draw(expander, context, draw, &attachments)
                           : ag_plain_draw(expander->drawer, context, draw, &attachments);
    if (outcome == AG_DONE && !expanded)
        ag_kept_draw_keep(expander->drawer, context, draw);
    return outcome;
}

static enum ag_outcome check_topology(struct ag_expander *expander, const struct ag_context *context)
{
    const uint32_t topology = context->topology;
    if ((topology >= AEROGPU_TOPOLOGY_POINTLIST && topology <= AEROGPU_TOPOLOGY_TRIANGLEFAN) ||
        (topology >= AEROGPU_TOPOLOGY_LINELIST_ADJ && topology <= AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ) ||
        (topology >= AEROGPU_TOPOLOGY_PATCHLIST_1 && topology <= AEROGPU_TOPOLOGY_PATCHLIST_32))
        return AG_DONE;
    return ag_host_skip_undefined(expander->host, "topology %" PRIu32 " does not exist; the draw is skipped",
                                  topology);
}

enum ag_outcome ag_draw(struct ag_expander *expander, struct ag_context *context, const struct ag_draw *draw)
{
    if (draw->count == 0 || draw->instance_count == 0)
        return AG_DONE;
    expander->recorder->draw_number++;
    enum ag_outcome outcome = ag_work_limits_check_draw(expander->drawer, draw);
    if (outcome == AG_DONE && ag_expansion_batch_take(expander, context, draw)) {
        expander->host->counts.draws++;
        return AG_DONE;
    }
    ag_expansion_batch_settle(expander);
    if (outcome == AG_DONE &&
        (ag_kept_draw_use(expander->drawer, context, draw) || ag_inlined_draw_use(expander, context, draw))) {
        expander->host->counts.draws++;
        return AG_DONE;
    }
    if (outcome == AG_DONE)
        outcome = check_topology(expander, context);
    if (outcome == AG_DONE) {
        ag_uavs_resolve(expander->binder, context, AGPU_STAGE_PIXEL);
        outcome = draw_all(expander, context, draw);
    }
    if (outcome == AG_DONE) {
        expander->host->counts.draws++;
        ag_queries_count_draw(expander->drawer, context, draw);
    } else if (outcome != AG_PENDING) {
        expander->host->counts.draws_skipped++;
    }
    return outcome;
}
