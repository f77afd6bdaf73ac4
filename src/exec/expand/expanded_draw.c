/* SPDX-License-Identifier: MIT
 *
 * An expanded draw is recorded in parts of bounded memory. Each part has compute passes for input assembly,
 * the vertex shader, the hull shader, the tessellator, the domain shader and the geometry shader, and behind
 * them a draw of the primitives that they made. A "step" is a part, or a piece of a part: the tessellator and
 * what follows it take as many patches at a time as their buffers have room for, which the GPU finds out.
 * There are as many steps as there may have to be; those that are not needed draw nothing.
 */
#include "exec/expand/expanded_draw.h"

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
#include "exec/draw/drawer_life.h"
#include "exec/draw/plain_draw.h"
#include "exec/draw/stream_output.h"
#include "exec/draw/vertex_pull.h"
#include "exec/expand/counted_draw.h"
#include "exec/expand/expander.h"
#include "exec/expand/joined_draws.h"
#include "exec/expand/pool.h"
#include "exec/expand/preparation.h"
#include "exec/expand/stages.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/sample_count.h"
#include "exec/object/stream_output_declaration.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
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
#include "kernel/kernel.h"
#include "kernel/lists.h"
#include "kernel/plan.h"
#include "kernel/stream_output.h"
#include "kernel/tessellator.h"
#include "wgsl/binding.h"

/* ---- Compute passes ----------------------------------------------------------------------------------- */

static struct ag_buffer_range slice_range(const struct ag_upload_slice *slice, uint64_t size)
{
    return (struct ag_buffer_range){slice->gpu, slice->offset, size, slice->id};
}

static void set_stage(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                      enum ag_expand_stage stage)
{
    const struct ag_bound_group *own = &draw->groups[stage].own, *lists = &draw->groups[stage].lists;
    ag_throttle_add_binding(draw->expander->recorder, own->offset_count);
    ag_throttle_add_binding(draw->expander->recorder, lists->offset_count);
    wgpuComputePassEncoderSetPipeline(pass, draw->stages.stages[stage].gpu);
    wgpuComputePassEncoderSetBindGroup(pass, 0, own->gpu, own->offset_count, own->offsets);
    wgpuComputePassEncoderSetBindGroup(pass, 1, draw->empty, 0, NULL);
    wgpuComputePassEncoderSetBindGroup(pass, 2, draw->empty, 0, NULL);
    wgpuComputePassEncoderSetBindGroup(pass, AG_GROUP_INTERNAL, lists->gpu, lists->offset_count,
                                       lists->offsets);
}

static void run_stage(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                      enum ag_expand_stage stage, uint64_t invocations)
{
    uint32_t groups[2];
    ag_expand_workgroups(invocations, draw->expander->host->limits.maxComputeWorkgroupsPerDimension, groups);
    set_stage(draw, pass, stage);
    wgpuComputePassEncoderDispatchWorkgroups(pass, groups[0], groups[1], 1);
}

static struct ag_buffer_range range_of(const struct ag_prepared_expansion *draw, enum ag_expand_buffer buffer)
{
    return ag_expand_pool_range(draw->expander, buffer);
}

/* What the lists of the part are, which has this block. */
static struct ag_expand_lists lists_of(const struct ag_prepared_expansion *draw,
                                       const uint8_t block[AG_ASSEMBLY_BLOCK_BYTES])
{
    struct ag_expand_lists lists = {0};
    if (!draw->guest->indexed && !draw->stages.shape.restarts) {
        lists.encoder_number = draw->expander->recorder->encoder_number;
        lists.vertices = range_of(draw, AG_EXPAND_BUFFER_VERTICES).id;
        lists.primitives = range_of(draw, AG_EXPAND_BUFFER_PRIMITIVES).id;
        memcpy(lists.block, block, sizeof lists.block);
    }
    return lists;
}

static bool are_same(const struct ag_expand_lists *a, const struct ag_expand_lists *b)
{
    return a->encoder_number != 0 && a->encoder_number == b->encoder_number && a->vertices == b->vertices &&
           a->primitives == b->primitives && memcmp(a->block, b->block, sizeof a->block) == 0;
}

static bool record_lists(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                         const struct ag_assembly_part *part)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    struct ag_expand_pool *pool = &draw->expander->expand_pool;
    struct ag_expand_lists *present = &pool->lists_of[pool->set];
    uint8_t bytes[AG_ASSEMBLY_BLOCK_BYTES];
    struct ag_upload_slice block;
    ag_assembly_block(&shape->assembly, &draw->indices, shape->vertices, shape->restarts, part, bytes);
    const struct ag_expand_lists wanted = lists_of(draw, bytes);
    if (are_same(&wanted, present))
        return true;
    if (!ag_upload_ring_alloc(draw->expander->recorder, AG_ASSEMBLY_BLOCK_BYTES, &block))
        return false;
    memcpy(block.bytes, bytes, sizeof bytes);
    const struct ag_assembly_buffers buffers = {
        .block = slice_range(&block, AG_ASSEMBLY_BLOCK_BYTES),
        .indices = draw->index_range,
        .runs = range_of(draw, AG_EXPAND_BUFFER_RUNS),
        .vertices = range_of(draw, AG_EXPAND_BUFFER_VERTICES),
        .primitives = range_of(draw, AG_EXPAND_BUFFER_PRIMITIVES),
    };
    /* The primitives of a later instance have the cut values of the first, which are found already. */
    bool known = part->first_instance > 0 && part->begin == 0 && part->end == shape->vertices;
    if (!ag_assembly_record(ag_drawer_assembly(draw->expander->drawer), pass, &buffers, part,
                            shape->restarts && !known))
        return false;
    *present = wanted;
    return true;
}

static bool record_assembly(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                            const struct ag_assembly_part *part)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    if (!record_lists(draw, pass, part))
        return false;
    const struct ag_buffer_range lists = range_of(draw, AG_EXPAND_BUFFER_VERTICES);
    uint64_t vertices = (uint64_t)part->primitives * part->instances * shape->assembly.corners;
    const struct ag_buffer_range inputs = range_of(draw, AG_EXPAND_BUFFER_INPUTS);
    ag_vertex_records_pull(draw->expander->drawer, pass, &draw->records, &lists, &inputs, vertices);
    run_stage(draw, pass, AG_EXPAND_STAGE_VERTEX, vertices);
    return true;
}

/* A piece of a part that is drawn at a time. */
struct step {
    const struct ag_assembly_part *part;
    struct ag_tessellator_part patches; /* with tessellation */
    uint32_t number;                    /* of the tessellator's step */
    /* Of the primitives in the list that the tessellator wrote, or input assembly: the first, and the most.
     */
    uint64_t first, limit;
};

/* Whether the step is the first of its part, or the first of its patches. */
static bool begins_part(const struct step *step)
{
    return step->number == 0 && step->first == 0;
}

/* Enough to fill a GPU. They share the points between them, so that the dispatch, unlike an indirect one,
 * need not be checked by WebGPU. */
#define MOST_DOMAIN_WORKGROUPS 2048

static uint32_t domain_workgroups(uint64_t most_points)
{
    const uint64_t groups = (most_points + AG_EXPAND_WORKGROUP - 1) / AG_EXPAND_WORKGROUP;
    return groups < MOST_DOMAIN_WORKGROUPS ? (uint32_t)groups : MOST_DOMAIN_WORKGROUPS;
}

/* Records the hull shader for all patches of the part. */
static void record_hull(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass, uint64_t patches)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    if (shape->control_points && !shape->copies_points)
        run_stage(draw, pass, AG_EXPAND_STAGE_CONTROL_POINTS, patches * shape->control_points);
    run_stage(draw, pass, AG_EXPAND_STAGE_PATCHES, patches);
}

/* Makes the block of a step. */
static bool tessellator_buffers(struct ag_prepared_expansion *draw, const struct step *step,
                                struct ag_tessellator_buffers *buffers)
{
    struct ag_upload_slice block;
    if (!ag_upload_ring_alloc(draw->expander->recorder, AG_TESSELLATION_BLOCK_BYTES, &block))
        return false;
    ag_tessellation_block(&draw->stages.tessellation, &step->patches, step->number,
                          ag_prepared_drawn_vertices(draw), block.bytes);
    *buffers = (struct ag_tessellator_buffers){
        .block = slice_range(&block, AG_TESSELLATION_BLOCK_BYTES),
        .patches = range_of(draw, AG_EXPAND_BUFFER_PRIMITIVES),
        .factors = range_of(draw, AG_EXPAND_BUFFER_FACTORS),
        .starts = range_of(draw, AG_EXPAND_BUFFER_STARTS),
        .points = range_of(draw, AG_EXPAND_BUFFER_POINTS),
        .primitives = range_of(draw, AG_EXPAND_BUFFER_TESSELLATED),
        .arguments = range_of(draw, AG_EXPAND_BUFFER_ARGUMENTS),
    };
    return true;
}

/* Records what a part begins with: its patches, and what they yield. */
static bool record_beginning(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                             const struct step *step)
{
    struct ag_tessellator_buffers buffers;
    if (!record_assembly(draw, pass, step->part))
        return false;
    if (!draw->stages.shape.tessellates)
        return true;
    if (!tessellator_buffers(draw, step, &buffers))
        return false;
    record_hull(draw, pass, step->patches.patches);
    ag_tessellator_record_counts(&draw->expander->expand_pool.tessellator, pass, &buffers, &step->patches);
    return true;
}

/* Records what the tessellator and the domain shader do in a step. */
static bool record_tessellation(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                                const struct step *step)
{
    struct ag_tessellator_buffers buffers;
    if (!draw->stages.shape.tessellates || step->first > 0)
        return true;
    if (!tessellator_buffers(draw, step, &buffers))
        return false;
    ag_tessellator_record_step(&draw->expander->expand_pool.tessellator, pass, &buffers, &step->patches);
    set_stage(draw, pass, AG_EXPAND_STAGE_DOMAIN);
    wgpuComputePassEncoderDispatchWorkgroups(pass, domain_workgroups(step->patches.points), 1, 1);
    return true;
}

static bool make_list_block(struct ag_prepared_expansion *draw, const struct ag_list_part *part,
                            struct ag_buffer_range *range)
{
    struct ag_upload_slice slice;
    if (!ag_upload_ring_alloc(draw->expander->recorder, AG_LIST_BLOCK_BYTES, &slice))
        return false;
    ag_list_block(part, slice.bytes);
    *range = slice_range(&slice, AG_LIST_BLOCK_BYTES);
    return true;
}

/* Records the geometry shader for the primitives of the step. */
static bool record_geometry(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                            const struct step *step)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    uint64_t invocations = step->limit * shape->emission.instances;
    if (!shape->has_geometry)
        return true;
    if (draw->is_split) {
        const struct ag_list_part part = {shape->tessellated.vertices, (uint32_t)step->first,
                                          (uint32_t)step->limit};
        struct ag_list_buffers copy = {
            .from = range_of(draw, AG_EXPAND_BUFFER_TESSELLATED),
            .to = range_of(draw, AG_EXPAND_BUFFER_GEOMETRY_INPUTS),
        };
        if (!make_list_block(draw, &part, &copy.block))
            return false;
        ag_list_record_copy(&draw->expander->expand_pool.lists, pass, &copy, &part);
    }
    run_stage(draw, pass, AG_EXPAND_STAGE_GEOMETRY, invocations);
    return true;
}

/* Vertices beyond the end of a list are drawn to no place. So few of them cost less than an indirect draw. */
#define FEW_VERTICES 1024

/* Whether the processor knows how many primitives a step makes. */
static bool has_known_count(const struct ag_prepared_expansion *draw)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    return !shape->has_geometry && !shape->tessellates && !shape->restarts;
}

/* Records the kernels that make the list of primitives that the geometry shader emitted into a stream. */
static bool record_emission(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass, uint32_t stream,
                            uint64_t limit)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    struct ag_emission emission = shape->emission;
    struct ag_upload_slice block;
    if (!shape->has_geometry)
        return true;
    if (!ag_upload_ring_alloc(draw->expander->recorder, AG_EMISSION_BLOCK_BYTES, &block))
        return false;
    emission.stream = stream;
    ag_emission_block(&emission, ag_prepared_drawn_vertices(draw), block.bytes);
    const struct ag_emission_buffers buffers = {
        .block = slice_range(&block, AG_EMISSION_BLOCK_BYTES),
        .inputs = range_of(draw, ag_prepared_geometry_inputs(draw)),
        .emits = range_of(draw, AG_EXPAND_BUFFER_EMITS),
        .counts = range_of(draw, AG_EXPAND_BUFFER_COUNTS),
        .primitives = range_of(draw, AG_EXPAND_BUFFER_EMITTED),
        .arguments = range_of(draw, AG_EXPAND_BUFFER_ARGUMENTS),
    };
    return ag_emission_record(&draw->expander->expand_pool.emission, pass, &buffers,
                              limit * shape->emission.instances);
}

static uint32_t registers_of(const struct ag_prepared_expansion *draw)
{
    return draw->stages.stages[draw->stages.last].variant->module->expansion.record_registers;
}

/* Records stream output: of each stream of a geometry shader, or of the primitives of the last stage. */
static bool record_streams(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass, uint64_t limit,
                           uint64_t most)
{
    const struct ag_stream_output_declaration *declaration = draw->stages.stream_output;
    const struct ag_buffer_range records = range_of(draw, ag_prepared_made_records(draw));
    const struct ag_buffer_range primitives = range_of(draw, ag_prepared_made_primitives(draw));
    for (uint32_t stream = 0; declaration && stream < AG_STREAM_OUTPUT_SLOTS; stream++) {
        if (!(declaration->streams >> stream & 1) || (stream > 0 && !draw->stages.shape.has_geometry))
            continue;
        if (!record_emission(draw, pass, stream, limit) ||
            !ag_stream_output_feed(draw->expander->drawer, draw->context, declaration, stream, pass,
                                   &primitives, &records, ag_prepared_vertices_made(draw), registers_of(draw),
                                   most))
            return false;
    }
    return true;
}

/* Records the kernel that writes the arguments of the indirect draw, which kernels that make lists write
 * themselves. */
static bool record_end(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass)
{
    if (draw->stages.shape.has_geometry || draw->stages.shape.tessellates || has_known_count(draw))
        return true;
    const struct ag_list_part drawn = {.vertices = ag_prepared_drawn_vertices(draw)};
    struct ag_list_buffers buffers = {
        .from = range_of(draw, ag_prepared_made_primitives(draw)),
        .to = range_of(draw, AG_EXPAND_BUFFER_ARGUMENTS),
    };
    if (!make_list_block(draw, &drawn, &buffers.block))
        return false;
    ag_list_record_arguments(&draw->expander->expand_pool.lists, pass, &buffers);
    return true;
}

/* ---- The draw ----------------------------------------------------------------------------------------- */

/* Records a draw of vertices [first, first + count), or an indirect draw of all when `count` is 0. */
static void record_vertices(struct ag_prepared_expansion *draw, const struct ag_attachments *attachments,
                            uint32_t layer, uint32_t viewport, uint32_t first, uint32_t count)
{
    struct ag_expander *expander = draw->expander;
    WGPURenderPassEncoder encoder = ag_pass_begin(expander->recorder, attachments);
    ag_draw_set_pipeline(expander->drawer, draw->pipeline->gpu);
    ag_draw_set_state(expander->drawer, draw->context, draw->pipeline, &draw->areas[viewport]);
    ag_draw_set_groups(expander->drawer, draw->draw_groups[viewport], (1u << 4) - 1);
    const uint32_t selection = layer | viewport << 16;
    ag_throttle_add_draw(expander->recorder, expander->drawer->texels, count);
    if (count)
        wgpuRenderPassEncoderDraw(encoder, count, 1, first, selection);
    else
        wgpuRenderPassEncoderDrawIndirect(encoder, range_of(draw, AG_EXPAND_BUFFER_ARGUMENTS).buffer, 0);
    if (ag_pipeline_writes(draw->pipeline))
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
    const uint32_t each = draw->stages.drawn.edges ? 2 : draw->plan.output_vertices;
    /* The instance number tells layer and viewport; an indirect draw with a first instance is an optional
     * feature. */
    const bool direct = layer || viewport || has_known_count(draw) || most_vertices <= FEW_VERTICES;
    if (!draw->by_primitive)
        record_vertices(draw, attachments, layer, viewport, 0, direct ? (uint32_t)most_vertices : 0);
    for (uint32_t first = 0; draw->by_primitive && first < most_vertices; first += each)
        record_primitive(draw, attachments, layer, viewport, first, each);
}

static void record_draw(struct ag_prepared_expansion *draw, const struct ag_attachments *attachments,
                        uint32_t layer, uint64_t most_vertices)
{
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
static void count_step(struct ag_prepared_expansion *draw, const struct step *step)
{
    struct ag_expander *expander = draw->expander;
    const struct ag_expand_shape *shape = &draw->stages.shape;
    if (draw->guest->repeats || !ag_queries_want(expander->recorder, AG_QUERY_COUNTER_IA_VERTICES))
        return;
    if (shape->tessellates && begins_part(step))
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_HS_INVOCATIONS, 1,
                            range_of(draw, AG_EXPAND_BUFFER_PRIMITIVES).buffer, 0);
    if (shape->tessellates && step->first == 0)
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_DS_INVOCATIONS, 1,
                            range_of(draw, AG_EXPAND_BUFFER_POINTS).buffer, 0);
    if (shape->has_geometry) {
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_GS_INVOCATIONS, shape->emission.instances,
                            range_of(draw, ag_prepared_geometry_inputs(draw)).buffer, 0);
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_GS_PRIMITIVES, 1,
                            range_of(draw, AG_EXPAND_BUFFER_EMITTED).buffer, 0);
    }
    if (!draw->rasterizes || (!shape->tessellates && !shape->has_geometry))
        return;
    ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_C_INVOCATIONS, 1,
                        range_of(draw, ag_prepared_made_primitives(draw)).buffer, 0);
    ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_C_PRIMITIVES, 1,
                        range_of(draw, ag_prepared_made_primitives(draw)).buffer, 0);
}

static bool record_step(struct ag_prepared_expansion *draw, const struct step *step)
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
    bool made =
        !begins_part(step) || draw->counting == AG_COUNTING_DONE || record_beginning(draw, pass, step);
    made = made && record_tessellation(draw, pass, step) && record_geometry(draw, pass, step) &&
           record_streams(draw, pass, step->limit, most) &&
           (!draw->rasterizes ||
            (record_emission(draw, pass, shape->emission.stream, step->limit) && record_end(draw, pass)));
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

/* Records steps for at most `count` primitives, of which the geometry shader may take less at a time. */
static bool record_steps(struct ag_prepared_expansion *draw, struct step *step, uint64_t count)
{
    const uint64_t each = draw->is_split ? draw->plan.geometry_limit : count;
    for (step->first = 0; step->first < count; step->first += each) {
        step->limit = count - step->first < each ? count - step->first : each;
        if (!record_step(draw, step))
            return false;
    }
    return true;
}

static bool record_part(struct ag_prepared_expansion *draw, const struct ag_assembly_part *part)
{
    const struct ag_tessellation_capacity *patch = &draw->stages.shape.tessellated;
    const uint64_t count = (uint64_t)part->primitives * part->instances;
    struct step step = {.part = part};
    if (!draw->stages.shape.tessellates)
        return record_steps(draw, &step, count);
    step.patches = ag_expand_plan_tessellation(&draw->plan, patch, (uint32_t)count);
    const uint64_t steps = draw->counting == AG_COUNTING_DONE ? draw->counted_steps : step.patches.steps;
    for (; step.number < steps; step.number++) {
        /* Each step before this one had so many patches at least. */
        const uint64_t left = count - (uint64_t)step.number * draw->plan.step_patches;
        const uint64_t most = left * patch->primitives;
        if (!record_steps(draw, &step, most < step.patches.primitives ? most : step.patches.primitives))
            return false;
    }
    return true;
}

/* Begins to count the steps of the draw, which has one part. */
static enum ag_outcome record_counting(struct ag_prepared_expansion *draw)
{
    struct ag_assembly_part part = {0};
    struct step step = {.part = &part};
    if (!ag_expand_plan_next(&draw->plan, &part))
        return AG_DONE;
    step.patches = ag_expand_plan_tessellation(&draw->plan, &draw->stages.shape.tessellated,
                                               part.primitives * part.instances);
    WGPUComputePassEncoder pass =
        ag_compute_pass_begin(ag_recorder_encoder(draw->expander->recorder), "patches of a draw");
    const bool made = record_beginning(draw, pass, &step);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return made ? ag_counted_draw_begin(draw->expander, draw->guest,
                                        range_of(draw, AG_EXPAND_BUFFER_STARTS).buffer,
                                        AG_TESSELLATOR_STEPS_OFFSET)
                : AG_OUT_OF_MEMORY;
}

static enum ag_outcome record_all(struct ag_prepared_expansion *draw)
{
    struct ag_assembly_part part = {0};
    bool drawn = true;
    ag_pipeline_wait_forbid(draw->expander->binder);
    while (drawn && ag_expand_plan_next(&draw->plan, &part))
        drawn = record_part(draw, &part);
    if (draw->rasterizes)
        ag_targets_written(&draw->attachments);
    if (draw->stages.stream_output)
        ag_stream_output_end(draw->expander->drawer, draw->context, draw->stages.stream_output);
    if (draw->writers.count > 0)
        ag_uavs_store(draw->expander->binder, draw->context, &draw->writers);
    return drawn ? AG_DONE : AG_OUT_OF_MEMORY;
}

static void release(struct ag_prepared_expansion *draw)
{
    for (size_t i = 0; i < draw->kept.count; i++)
        wgpuBindGroupRelease(draw->kept.data[i]);
    ag_vec_fini(&draw->kept);
}

/* Prepares the second passes of primitives, which share the first ones' lists and records. */
static enum ag_outcome prepare_tests(struct ag_prepared_expansion *draw, const struct ag_attachments *tests,
                                     struct ag_draw *repeat, struct ag_prepared_expansion *second)
{
    if (ag_prepared_layers(draw) > 1 || draw->stages.stream_output)
        return ag_host_skip_refused(
            draw->expander->host, AGPU_DIAG_EXEC_UNSUPPORTED,
            "early depth and stencil tests of primitives that choose layers, or go to "
            "stream output, are not supported");
    *repeat = *draw->guest;
    repeat->repeats = true;
    second->expander = draw->expander;
    second->context = draw->context;
    second->guest = repeat;
    second->attachments = *tests;
    second->by_primitive = true;
    draw->tests = second;
    return ag_expanded_draw_prepare(second);
}

enum ag_outcome ag_expanded_draw(struct ag_expander *expander, struct ag_context *context,
                                 const struct ag_draw *guest, const struct ag_attachments *attachments,
                                 const struct ag_attachments *tests)
{
    struct ag_prepared_expansion draw, second;
    struct ag_draw repeat;
    memset(&draw, 0, sizeof draw);
    memset(&second, 0, sizeof second);
    draw.expander = expander;
    draw.context = context;
    draw.guest = guest;
    draw.attachments = *attachments;
    draw.by_primitive = tests != NULL;
    enum ag_outcome outcome = ag_expanded_draw_prepare(&draw);
    if (outcome == AG_DONE && tests)
        outcome = prepare_tests(&draw, tests, &repeat, &second);
    if (!draw.visible || !ag_samples_host_mask(attachments->sample_count, context->sample_mask))
        draw.rasterizes = false;
    if (outcome == AG_DONE && (draw.rasterizes || draw.stages.stream_output || draw.writes_early))
        outcome = draw.counting == AG_COUNTING_BEGINS ? record_counting(&draw) : record_all(&draw);
    if (outcome == AG_DONE && tests && draw.rasterizes)
        ag_targets_written(tests);
    if (outcome == AG_DONE)
        ag_joined_draws_note(&draw);
    release(&draw);
    release(&second);
    return outcome;
}

enum ag_outcome ag_draw_once(struct ag_expander *expander, struct ag_context *context,
                             const struct ag_draw *draw, bool expanded,
                             const struct ag_attachments *attachments)
{
    return expanded ? ag_expanded_draw(expander, context, draw, attachments, NULL)
                    : ag_plain_draw(expander->drawer, context, draw, attachments);
}
