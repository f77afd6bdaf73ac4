/* SPDX-License-Identifier: MIT
 *
 * An expanded draw is recorded in parts of bounded memory. Each part has compute passes for input assembly,
 * the vertex shader, the hull shader, the tessellator, the domain shader and the geometry shader, and behind
 * them a draw of the primitives that they made. A "step" is a part, or a piece of a part: the tessellator and
 * what follows it take as many patches at a time as their buffers have room for, which the GPU finds out.
 * There are as many steps as there may have to be; those that are not needed draw nothing. Between two steps,
 * the stream may wait for the GPU, so that a draw is not one piece of work.
 */
#include "exec/expand/expanded_draw.h"

#include <stddef.h>
#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/vec.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/target_copy.h"
#include "exec/bind/uav.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/plain_draw.h"
#include "exec/draw/raster.h"
#include "exec/draw/stream_output.h"
#include "exec/expand/counted_draw.h"
#include "exec/expand/expanded_passes.h"
#include "exec/expand/expander.h"
#include "exec/expand/expansion_batch.h"
#include "exec/expand/pool.h"
#include "exec/expand/preparation.h"
#include "exec/expand/stages.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/sample_count.h"
#include "exec/object/view.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/record/query.h"
#include "exec/record/query_recording.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/emission.h"
#include "kernel/plan.h"
#include "kernel/tessellator.h"

/* ---- The draw ----------------------------------------------------------------------------------------- */

/* What the instance number tells the vertex shader (wgsl/expansion.h). */
static uint32_t selection_of(const struct ag_prepared_expansion *draw, uint32_t layer, uint32_t viewport)
{
    return layer | (draw->same_viewports[viewport] ^ UINT32_C(1)) << 16;
}

/* Records a draw of vertices [first, first + count), or an indirect draw of all when `count` is 0. */
static void record_vertices(struct ag_prepared_expansion *draw, const struct ag_attachments *attachments,
                            uint32_t layer, uint32_t viewport, uint32_t first, uint32_t count)
{
    struct ag_expander *expander = draw->expander;
    WGPURenderPassEncoder encoder = ag_pass_begin(expander->recorder, attachments);
    ag_draw_set_pipeline(expander->drawer, draw->pipeline->gpu);
    ag_draw_set_state(expander->drawer, draw->context, draw->pipeline, &draw->areas[viewport]);
    ag_draw_set_groups(expander->drawer, draw->draw_groups[viewport], (1u << 4) - 1);
    ag_throttle_add_draw(expander->recorder, expander->drawer->texels, count);
    if (count)
        wgpuRenderPassEncoderDraw(encoder, count, 1, first, selection_of(draw, layer, viewport));
    else
        wgpuRenderPassEncoderDrawIndirect(encoder, ag_prepared_range(draw, AG_EXPAND_BUFFER_ARGUMENTS).buffer,
                                          0);
    /* What the pixel shader of one draw stores has no order (D3D11.3 4.2), so that viewports that overlap
     * need no pass for each primitive. */
    if (ag_pipeline_writes(draw->pipeline) && !draw->has_overlaps)
        ag_pass_end(expander->recorder);
}

/* Records the passes of one primitive. */
static void record_primitive(struct ag_prepared_expansion *draw, const struct ag_attachments *attachments,
                             uint32_t layer, uint32_t viewport, uint32_t first, uint32_t count)
{
    if (draw->reads_targets)
        ag_target_copies_record(draw->expander->binder, attachments, draw->areas[viewport].scissor);
    record_vertices(draw, attachments, layer, viewport, first, count);
    if (draw->tests)
        record_vertices(draw->tests, &draw->tests->attachments, layer, viewport, first, count);
}

static void record_viewport(struct ag_prepared_expansion *draw, const struct ag_attachments *attachments,
                            uint32_t layer, uint32_t viewport, uint64_t most_vertices)
{
    /* The instance number tells layer and viewport; an indirect draw with a first instance is an optional
     * feature. */
    const bool direct =
        selection_of(draw, layer, viewport) != 0 || ag_expansion_is_direct(draw, most_vertices);
    record_vertices(draw, attachments, layer, viewport, 0, direct ? (uint32_t)most_vertices : 0);
}

/* Records primitive after primitive, each in all viewports, so that their order holds where viewports
 * overlap. */
static void record_primitives(struct ag_prepared_expansion *draw, const struct ag_attachments *attachments,
                              uint32_t layer, uint64_t most_vertices)
{
    const uint32_t each = draw->stages.drawn.edges ? 2 : draw->plan.output_vertices;
    for (uint32_t first = 0; first < most_vertices; first += each)
        for (uint32_t i = 0; i < AG_VIEWPORT_SLOTS; i++)
            if (draw->visible >> i & 1)
                record_primitive(draw, attachments, layer, i, first, each);
    if (draw->has_overlaps && ag_pipeline_writes(draw->pipeline))
        ag_pass_end(draw->expander->recorder);
}

static void record_draw(struct ag_prepared_expansion *draw, const struct ag_attachments *attachments,
                        uint32_t layer, uint64_t most_vertices)
{
    if (draw->by_primitive) {
        record_primitives(draw, attachments, layer, most_vertices);
        return;
    }
    for (uint32_t i = 0; i < AG_VIEWPORT_SLOTS; i++)
        if (draw->visible >> i & 1)
            record_viewport(draw, attachments, layer, i, most_vertices);
}

static struct ag_texture_view *layer_view(const struct ag_texture_view *view, uint32_t layer,
                                          struct ag_texture_view *own)
{
    *own = *view;
    memset(own->gpu_views, 0, sizeof own->gpu_views);
    own->base_layer += layer;
    own->layer_count = 1;
    return own;
}

/* Records the passes that draw to one layer, with views of that layer alone. */
static void record_layer(struct ag_prepared_expansion *draw, uint32_t layer, uint64_t most_vertices)
{
    struct ag_attachments attachments = draw->attachments;
    struct ag_texture_view views[AGPU_MAX_RENDER_TARGETS + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < attachments.color_count; i++)
        if (attachments.colors[i]) {
            attachments.colors[i] = layer_view(attachments.colors[i], layer, &views[count]);
            count++;
        }
    if (attachments.depth) {
        attachments.depth = layer_view(attachments.depth, layer, &views[count]);
        count++;
    }
    record_draw(draw, &attachments, layer, most_vertices);
    ag_pass_end(draw->expander->recorder);
    for (uint32_t i = 0; i < count; i++)
        ag_view_release_attachments(&views[i]);
}

/* Records the draws of a step whose compute passes made at most `most` primitives. */
static void record_targets(struct ag_prepared_expansion *draw, uint64_t most)
{
    const uint64_t vertices = most * ag_prepared_drawn_vertices(draw);
    uint32_t layers = ag_prepared_layers(draw);
    record_draw(draw, &draw->attachments, 0, vertices);
    for (uint32_t layer = 1; layer < layers; layer++)
        record_layer(draw, layer, vertices);
}

/* Adds the pipeline statistics that the lists of a step have. */
static void count_step(struct ag_prepared_expansion *draw, const struct ag_expansion_step *step)
{
    struct ag_expander *expander = draw->expander;
    const struct ag_expand_shape *shape = &draw->stages.shape;
    if (!ag_prepared_is_counted(draw))
        return;
    if (shape->tessellates && ag_expansion_begins_part(step))
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_HS_INVOCATIONS, 1,
                            ag_prepared_range(draw, AG_EXPAND_BUFFER_PRIMITIVES).buffer, 0);
    if (shape->tessellates && step->first == 0)
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_DS_INVOCATIONS, 1,
                            ag_prepared_range(draw, AG_EXPAND_BUFFER_POINTS).buffer, 0);
    if (shape->has_geometry) {
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_GS_INVOCATIONS, shape->emission.instances,
                            ag_prepared_range(draw, ag_prepared_geometry_inputs(draw)).buffer, 0);
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_GS_PRIMITIVES, 1,
                            ag_prepared_range(draw, AG_EXPAND_BUFFER_EMITTED).buffer, 0);
    }
    if ((!shape->tessellates && !shape->has_geometry) || !ag_draw_rasterizes(expander->drawer, draw->context))
        return;
    ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_C_INVOCATIONS, 1,
                        ag_prepared_range(draw, ag_prepared_made_primitives(draw)).buffer, 0);
    ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_C_PRIMITIVES, 1,
                        ag_prepared_range(draw, ag_prepared_made_primitives(draw)).buffer, 0);
}

static bool record_step(struct ag_prepared_expansion *draw, const struct ag_expansion_step *step)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    WGPUComputePassEncoder shared =
        draw->alone ? NULL : ag_recorder_ahead_pass(draw->expander->recorder, "primitives of draws");
    WGPUComputePassEncoder pass =
        shared ? shared
               : ag_compute_pass_begin(ag_recorder_encoder(draw->expander->recorder), "primitives of a draw");
    uint64_t most = step->limit * (shape->has_geometry ? (uint64_t)ag_emission_primitives(&shape->emission) *
                                                             shape->emission.instances
                                                       : 1);
    const bool made = ag_expansion_record(draw, pass, step, most);
    if (!shared) {
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderRelease(pass);
    }
    if (made)
        count_step(draw, step);
    if (made && draw->rasterizes)
        record_targets(draw, most);
    ag_throttle_add_threads(draw->expander->recorder, most * ag_prepared_drawn_vertices(draw));
    return made;
}

/* The steps of the tessellator in the part. */
static uint64_t tessellations(const struct ag_prepared_expansion *draw, const struct ag_expansion_step *step)
{
    if (!draw->stages.shape.tessellates)
        return 1;
    return draw->counting == AG_COUNTING_DONE ? draw->counted.steps : step->patches.steps;
}

/* The most primitives that the tessellator makes in the step, or input assembly in the part. */
static uint64_t most_primitives(const struct ag_prepared_expansion *draw,
                                const struct ag_expansion_step *step)
{
    const uint64_t count = (uint64_t)step->part->primitives * step->part->instances;
    if (!draw->stages.shape.tessellates)
        return count;
    /* Each step before this one had so many patches at least. */
    const uint64_t left = count - (uint64_t)step->number * draw->plan.step_patches;
    const uint64_t most = draw->counting == AG_COUNTING_DONE
                              ? draw->counted.primitives + UINT64_C(1)
                              : left * draw->stages.shape.tessellated.primitives;
    return most < step->patches.primitives ? most : step->patches.primitives;
}

/* The step at a place. The geometry shader may take less primitives at a time than there are. */
static struct ag_expansion_step step_at(const struct ag_prepared_expansion *draw,
                                        const struct ag_draw_place *at)
{
    struct ag_expansion_step step = {.part = &at->part, .number = at->number, .first = at->first};
    if (draw->stages.shape.tessellates)
        step.patches = ag_expand_plan_tessellation(&draw->plan, &draw->stages.shape.tessellated,
                                                   at->part.primitives * at->part.instances);
    const uint64_t left = most_primitives(draw, &step) - step.first;
    step.limit = draw->is_split && draw->plan.geometry_limit < left ? draw->plan.geometry_limit : left;
    return step;
}

static bool find_first(const struct ag_prepared_expansion *draw, struct ag_draw_place *at)
{
    *at = (struct ag_draw_place){.counting = draw->counting, .counted = draw->counted};
    if (!ag_expand_plan_next(&draw->plan, &at->part))
        return false;
    const struct ag_expansion_step step = step_at(draw, at);
    return tessellations(draw, &step) > 0;
}

static bool find_next(const struct ag_prepared_expansion *draw, const struct ag_expansion_step *step,
                      struct ag_draw_place *at)
{
    at->first += step->limit;
    if (at->first < most_primitives(draw, step))
        return true;
    at->first = 0;
    if (++at->number < tessellations(draw, step))
        return true;
    at->number = 0;
    return ag_expand_plan_next(&draw->plan, &at->part);
}

/* Begins to count the steps of the draw, which has one part. */
static enum ag_outcome record_counting(struct ag_prepared_expansion *draw)
{
    struct ag_assembly_part part = {0};
    struct ag_expansion_step step = {.part = &part};
    if (!ag_expand_plan_next(&draw->plan, &part))
        return AG_DONE;
    step.patches = ag_expand_plan_tessellation(&draw->plan, &draw->stages.shape.tessellated,
                                               part.primitives * part.instances);
    WGPUComputePassEncoder pass =
        ag_compute_pass_begin(ag_recorder_encoder(draw->expander->recorder), "patches of a draw");
    const bool made = ag_expansion_record_beginning(draw, pass, &step);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return made ? ag_counted_draw_begin(draw->expander, draw->guest,
                                        ag_prepared_range(draw, AG_EXPAND_BUFFER_STARTS).buffer)
                : AG_OUT_OF_MEMORY;
}

/* Makes anew what the step goes on with. */
static bool record_lost(struct ag_prepared_expansion *draw, const struct ag_expansion_step *step)
{
    if (ag_expansion_begins_part(step) && draw->counting != AG_COUNTING_DONE)
        return true;
    WGPUComputePassEncoder pass =
        ag_compute_pass_begin(ag_recorder_encoder(draw->expander->recorder), "lost patches of a draw");
    const bool made = ag_expansion_record_lost(draw, pass, step);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return made;
}

static enum ag_outcome record_steps(struct ag_prepared_expansion *draw, struct ag_draw_place *at)
{
    bool more = at->goes_on || find_first(draw, at);
    at->goes_on = false;
    while (more) {
        const struct ag_expansion_step step = step_at(draw, at);
        if ((at->is_lost && !record_lost(draw, &step)) || !record_step(draw, &step))
            return AG_OUT_OF_MEMORY;
        at->is_lost = false;
        more = find_next(draw, &step, at);
        if (more && draw->divides && ag_throttle_open_is_full(draw->expander->recorder)) {
            at->goes_on = true;
            return AG_PENDING;
        }
    }
    return AG_DONE;
}

static enum ag_outcome record_all(struct ag_prepared_expansion *draw)
{
    struct ag_counted_draw *counted = draw->expander->counted;
    struct ag_draw_place own = {0};
    ag_pipeline_wait_forbid(draw->expander->binder);
    const enum ag_outcome outcome = record_steps(draw, draw->divides ? &counted->place : &own);
    if (draw->divides)
        counted->pauses = outcome == AG_PENDING;
    if (draw->rasterizes)
        ag_targets_written(&draw->attachments);
    if (draw->stages.stream_output)
        ag_stream_output_end(draw->expander->drawer, draw->context, draw->stages.stream_output);
    if (draw->writers.count > 0)
        ag_uavs_store(draw->expander->binder, draw->context, &draw->writers);
    return outcome;
}

/* Begins to prepare a draw in place of an older one. */
static void begin(struct ag_prepared_expansion *draw, struct ag_expander *expander,
                  struct ag_context *context, const struct ag_draw *guest,
                  const struct ag_attachments *attachments)
{
    ag_prepared_release(draw);
    memset(draw, 0, offsetof(struct ag_prepared_expansion, records));
    draw->expander = expander;
    draw->context = context;
    draw->guest = guest;
    draw->attachments = *attachments;
    draw->areas[0] = (struct ag_raster_area){0}; /* the draw block has it, also where nothing is rasterized */
}

/* Prepares the second passes of primitives, which share the first ones' lists and records. */
static enum ag_outcome prepare_tests(struct ag_prepared_expansion *draw, const struct ag_attachments *tests,
                                     struct ag_draw *repeat, struct ag_prepared_expansion *second)
{
    if (ag_prepared_layers(draw) > 1)
        return ag_host_skip_refused(
            draw->expander->host, AGPU_DIAG_EXEC_UNSUPPORTED,
            "early depth and stencil tests of primitives that choose layers are not supported");
    *repeat = *draw->guest;
    repeat->repeats = true;
    begin(second, draw->expander, draw->context, repeat, tests);
    second->by_primitive = true;
    draw->tests = second;
    return ag_expanded_draw_prepare(second);
}

static enum ag_outcome record_draw_of(struct ag_prepared_expansion *draw)
{
    if (!draw->rasterizes && !draw->stages.stream_output && !draw->writes_early &&
        !ag_prepared_is_counted(draw))
        return AG_DONE;
    if (draw->joins) {
        ag_expansion_batch_open(draw->expander);
        return AG_DONE;
    }
    return draw->counting == AG_COUNTING_BEGINS ? record_counting(draw) : record_all(draw);
}

static enum ag_outcome draw_expanded(struct ag_expander *expander, struct ag_context *context,
                                     const struct ag_draw *guest, const struct ag_attachments *attachments,
                                     const struct ag_attachments *tests, bool joins)
{
    struct ag_prepared_expansion *draw = &expander->batch->draw, second;
    struct ag_draw repeat;
    ag_expansion_batch_flush(expander); /* its buffers may be needed */
    begin(draw, expander, context, guest, attachments);
    memset(&second.records, 0, sizeof second.records);
    memset(&second.kept, 0, sizeof second.kept);
    draw->joins = joins;
    draw->by_primitive = tests != NULL;
    enum ag_outcome outcome = ag_expanded_draw_prepare(draw);
    if (outcome == AG_DONE && tests)
        outcome = prepare_tests(draw, tests, &repeat, &second);
    if (guest->streams_only || !draw->visible ||
        !ag_samples_host_mask(attachments->sample_count, context->sample_mask))
        draw->rasterizes = false;
    if (outcome == AG_DONE)
        outcome = record_draw_of(draw);
    if (outcome == AG_DONE && tests && draw->rasterizes)
        ag_targets_written(tests);
    if (!expander->batch->is_open)
        ag_prepared_release(draw);
    ag_prepared_release(&second);
    ag_vec_fini(&second.kept);
    return outcome;
}

enum ag_outcome ag_expanded_draw(struct ag_expander *expander, struct ag_context *context,
                                 const struct ag_draw *draw, const struct ag_attachments *attachments,
                                 const struct ag_attachments *tests)
{
    return draw_expanded(expander, context, draw, attachments, tests, false);
}

enum ag_outcome ag_joining_draw(struct ag_expander *expander, struct ag_context *context,
                                const struct ag_draw *draw, const struct ag_attachments *attachments)
{
    return draw_expanded(expander, context, draw, attachments, NULL, true);
}

enum ag_outcome ag_draw_once(struct ag_expander *expander, struct ag_context *context,
                             const struct ag_draw *draw, bool expanded,
                             const struct ag_attachments *attachments)
{
    return expanded ? ag_expanded_draw(expander, context, draw, attachments, NULL)
                    : ag_plain_draw(expander->drawer, context, draw, attachments);
}
