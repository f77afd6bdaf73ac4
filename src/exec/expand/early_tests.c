/* SPDX-License-Identifier: MIT */
#include "exec/expand/early_tests.h"

#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/bind/uav.h"
#include "exec/draw/index.h"
#include "exec/draw/raster.h"
#include "exec/draw/stream_output.h"
#include "exec/expand/expanded_draw.h"
#include "exec/expand/expander.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/pass.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"
#include "exec/state/state.h"
#include "format/format.h"
#include "gpu/webgpu.h"

/* ---- The decision ------------------------------------------------------------------------------------- */

static bool passes_always(uint8_t comparison)
{
    return comparison == AEROGPU_EXT_COMPARISON_ALWAYS;
}

static bool changes_stencil(const struct ag_stencil_face *face)
{
    return face->fail != AEROGPU_EXT_STENCIL_OP_KEEP || face->depth_fail != AEROGPU_EXT_STENCIL_OP_KEEP ||
           face->pass != AEROGPU_EXT_STENCIL_OP_KEEP;
}

/* What depth and stencil do in a draw. Where equal depth passes, what is written was there before. */
struct effects {
    bool tests, writes;
};

static struct effects effects_of(const struct ag_depth_stencil_desc *desc,
                                 const struct ag_host_format *format)
{
    struct effects effects = {0};
    if (desc->depth_enable) {
        effects.tests = !passes_always(desc->depth_comparison);
        effects.writes = desc->depth_write && desc->depth_comparison != AEROGPU_EXT_COMPARISON_EQUAL &&
                         desc->depth_comparison != AEROGPU_EXT_COMPARISON_NEVER;
    }
    if (desc->stencil_enable && ag_host_format_has(format, AG_FORMAT_STENCIL)) {
        effects.tests |= !passes_always(desc->front.comparison) || !passes_always(desc->back.comparison);
        effects.writes |= desc->write_mask && (changes_stencil(&desc->front) || changes_stencil(&desc->back));
    }
    return effects;
}

/* Whether the draw is one primitive, which does not hide itself. */
static bool is_one_primitive(const struct ag_context *context, const struct ag_draw *draw, bool expanded)
{
    return !expanded && draw->instance_count == 1 &&
           ag_topology_primitives(context->topology, draw->count) <= 1;
}

static enum ag_outcome refuse(struct ag_expander *expander, const char *what)
{
    return ag_host_skip_refused(expander->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                "early depth and stencil tests %s are not supported", what);
}

enum ag_outcome ag_early_tests_decide(struct ag_expander *expander, const struct ag_context *context,
                                      const struct ag_draw *draw, const struct ag_attachments *attachments,
                                      bool expanded, enum ag_early_way *way)
{
    const struct ag_shader_program *pixel = ag_shader_at(expander->binder, context, AGPU_STAGE_PIXEL);
    struct ag_depth_stencil_desc desc;
    *way = AG_EARLY_WAY_PLAIN;
    if (!pixel || pixel->refused || !pixel->tests_early)
        return AG_DONE;
    ag_depth_stencil_drawn(context, attachments, &desc);
    const struct effects effects =
        attachments->depth ? effects_of(&desc, attachments->depth->format) : (struct effects){0};
    const bool leaves_out = pixel->discards || pixel->writes_sample_mask || context->blend.alpha_to_coverage;
    const bool stores = pixel->has_uavs && effects.tests;
    const bool counts = leaves_out && ag_queries_want(expander->recorder, AG_QUERY_COUNTER_SAMPLES_PASSED);
    if (!stores && !counts && !(leaves_out && effects.writes))
        return AG_DONE;
    if (!ag_attachments_fit(expander->host, attachments))
        return refuse(expander, "with more colour targets than fit in one pass");
    if (stores && attachments->sample_count > 1)
        return refuse(expander, "of a pixel shader that stores, with several samples,");
    if (!effects.writes)
        *way = counts ? AG_EARLY_WAY_WHOLE : AG_EARLY_WAY_SHADES;
    else if (!effects.tests || is_one_primitive(context, draw, expanded))
        *way = AG_EARLY_WAY_WHOLE;
    else
        *way = AG_EARLY_WAY_BY_PRIMITIVE;
    /* Stages in front of the rasterizer that store run once for all passes. */
    if (*way == AG_EARLY_WAY_WHOLE && ag_uavs_used_early(expander->binder, context))
        *way = AG_EARLY_WAY_BY_PRIMITIVE;
    return AG_DONE;
}

/* ---- The passes --------------------------------------------------------------------------------------- */

static void open_textures(struct ag_binder *binder, const struct ag_texture_view *view)
{
    static const struct {
        WGPUTextureAspect aspect;
        enum ag_host_format_flag flag;
    } planes[] = {
        {WGPUTextureAspect_DepthOnly,   AG_FORMAT_DEPTH  },
        {WGPUTextureAspect_StencilOnly, AG_FORMAT_STENCIL},
    };
    for (uint32_t i = 0; i < 2; i++) {
        if (!ag_host_format_has(view->format, planes[i].flag))
            continue;
        binder->early_textures[i].view = ag_view_aspect(view, planes[i].aspect);
        binder->early_textures[i].id = ag_host_id(binder->host);
    }
}

static void close_textures(struct ag_binder *binder)
{
    for (uint32_t i = 0; i < 2; i++) {
        if (!binder->early_textures[i].view)
            continue;
        ag_bind_groups_forget(binder->recorder, binder->early_textures[i].id);
        ag_host_release_view(binder->host, binder->early_textures[i].view);
        binder->early_textures[i] = (struct ag_early_texture){0};
    }
}

/* A view of the depth target through which nothing is written. */
static void read_only_view(const struct ag_texture_view *view, struct ag_texture_view *own)
{
    *own = *view;
    memset(own->gpu_views, 0, sizeof own->gpu_views);
    own->flags = AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH;
    if (ag_host_format_has(view->format, AG_FORMAT_STENCIL))
        own->flags |= AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL;
}

/* Primitive by primitive. What goes to stream output goes there before, all at once: the passes share what
 * the stages made, and only the first of them would write it. */
static enum ag_outcome draw_by_primitive(struct ag_expander *expander, struct ag_context *context,
                                         const struct ag_draw *draw, const struct ag_attachments *shades,
                                         const struct ag_attachments *tests)
{
    struct ag_draw part = *draw;
    if (ag_stream_output_active(expander->drawer, context, draw)) {
        if (ag_uavs_used_early(expander->binder, context))
            return refuse(expander, "beside stages that store and stream output");
        part.streams_only = true;
        const enum ag_outcome outcome = ag_expanded_draw(expander, context, &part, shades, NULL);
        if (outcome != AG_DONE)
            return outcome;
        part.streams_only = false;
        part.repeats = true;
    }
    return ag_expanded_draw(expander, context, &part, shades, tests);
}

static enum ag_outcome draw_passes(struct ag_expander *expander, struct ag_context *context,
                                   const struct ag_draw *draw, const struct ag_attachments *shades,
                                   const struct ag_attachments *tests, bool expanded, enum ag_early_way way)
{
    if (way == AG_EARLY_WAY_BY_PRIMITIVE)
        return draw_by_primitive(expander, context, draw, shades, tests);
    enum ag_outcome outcome = ag_draw_once(expander, context, draw, expanded, shades);
    if (outcome != AG_DONE || way == AG_EARLY_WAY_SHADES)
        return outcome;
    struct ag_draw repeat = *draw;
    repeat.repeats = true;
    return ag_draw_once(expander, context, &repeat, expanded, tests);
}

enum ag_outcome ag_early_tests_draw(struct ag_expander *expander, struct ag_context *context,
                                    const struct ag_draw *draw, const struct ag_attachments *attachments,
                                    bool expanded, enum ag_early_way way)
{
    struct ag_attachments shades, tests;
    struct ag_texture_view view;
    memcpy(&shades, attachments, sizeof shades);
    memcpy(&tests, attachments, sizeof tests);
    memset(&view, 0, sizeof view);
    if (attachments->depth) {
        read_only_view(attachments->depth, &view);
        shades.depth = &view;
        memset(tests.colors, 0, sizeof tests.colors);
        tests.color_count = 0;
        open_textures(expander->binder, attachments->depth);
    }
    shades.early = AG_EARLY_SHADES;
    shades.uncounted = way != AG_EARLY_WAY_SHADES;
    tests.early = AG_EARLY_TESTS;
    const enum ag_outcome outcome = draw_passes(expander, context, draw, &shades, &tests, expanded, way);
    ag_pass_end(expander->recorder); /* the view ends here */
    close_textures(expander->binder);
    ag_view_release_attachments(&view);
    return outcome;
}
