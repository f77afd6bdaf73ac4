/* SPDX-License-Identifier: MIT
 *
 * An expanded draw is recorded in parts of bounded memory. Each part has compute passes for input assembly,
 * the vertex shader, the hull shader, the tessellator, the domain shader and the geometry shader, and behind
 * them a draw of the primitives that they made. A "step" is a part, or a piece of a part when the geometry
 * shader makes too much of it.
 */
#include "exec/expand/expanded_draw.h"

#include <inttypes.h>
#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "base/vec.h"
#include "exec/bind/bind.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/bind/target_copy.h"
#include "exec/bind/uav.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer_life.h"
#include "exec/draw/index.h"
#include "exec/draw/raster.h"
#include "exec/draw/stream_output.h"
#include "exec/draw/vertex_pull.h"
#include "exec/expand/expander.h"
#include "exec/expand/pool.h"
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
#include "wgsl/expansion.h"

/* The most steps and render passes of a draw. Each takes memory of the host until the GPU is done. */
#define MOST_STEPS 2048
#define MOST_PASSES 16384

struct expanded_draw {
    struct ag_expander *expander;
    struct ag_context *context;
    const struct ag_draw *guest;
    struct ag_attachments attachments;
    struct ag_raster_area areas[AG_VIEWPORT_SLOTS];
    uint32_t visible; /* bit n: viewport n may be drawn to, and its area is not empty */
    struct ag_expand_stages stages;
    struct ag_expand_plan plan;
    bool reads_targets; /* every primitive is a pass of its own, behind a copy of the targets
                           (bind/target_copy.h) */
    bool is_split;      /* a part has several steps */
    bool alone;         /* the compute passes cannot go ahead of the open render pass */

    struct ag_assembly_indices indices;
    struct ag_buffer_range index_range;
    struct ag_vertex_records records;
    struct ag_upload_slice tessellation; /* the tessellator's uniform block */
    bool rasterizes;                     /* primitives are drawn, and not only written to buffers */

    WGPUBindGroup empty;
    struct {
        struct ag_bound_group own, lists; /* the group of the stage, and group 3 */
    } groups[AG_EXPAND_STAGE_COUNT];
    struct ag_pipeline *pipeline;
    struct ag_bound_group draw_groups[AG_VIEWPORT_SLOTS][4];
    AG_VEC(WGPUBindGroup) kept; /* references: a group of the cache is valid only until the next look-up */
};

/* ---- Preparation -------------------------------------------------------------------------------------- */

static enum ag_outcome prepare_vertices(struct expanded_draw *draw)
{
    struct ag_vertex_state state;
    uint8_t classes[AGPU_MAX_REGISTERS];
    const enum ag_outcome outcome =
        ag_vertex_state_init(draw->expander->binder, draw->context, draw->guest,
                             draw->stages.stages[AG_EXPAND_STAGE_VERTEX].program, &state, classes);
    if (outcome != AG_DONE)
        return outcome;
    return ag_vertex_records_init(draw->expander->drawer, draw->context, &state, draw->guest,
                                  draw->stages.shape.input_registers, &draw->records);
}

/* The most steps of the draw. */
static uint64_t steps_of(const struct expanded_draw *draw, uint64_t primitives_of_unit)
{
    const struct ag_expand_plan *plan = &draw->plan;
    const uint64_t together = plan->unit_count == 0 ? 1 : plan->part_units / plan->unit_count;
    const uint64_t parts = together > 0 ? plan->instances / together + 1
                                        : plan->instances * (plan->unit_count / plan->part_units + 1);
    const uint64_t splits =
        draw->is_split ? plan->part_units * primitives_of_unit / plan->geometry_limit + 1 : 1;
    return parts > UINT64_MAX / splits ? UINT64_MAX : parts * splits;
}

/* How many layers of the targets the draw may reach. */
static uint32_t layers_of(const struct expanded_draw *draw)
{
    const struct ag_attachments *attachments = &draw->attachments;
    uint32_t layers = attachments->depth ? attachments->depth->layer_count : UINT32_MAX;
    if (!draw->stages.drawn.layers)
        return 1;
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (attachments->colors[i] && attachments->colors[i]->layer_count < layers)
            layers = attachments->colors[i]->layer_count;
    return layers;
}

static uint32_t viewports_of(const struct expanded_draw *draw)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < AG_VIEWPORT_SLOTS; i++)
        count += draw->visible >> i & 1;
    return count;
}

/* The most render passes of the draw: one for each step, layer and viewport, or one for each primitive
 * when the targets are read. */
static uint64_t passes_of(const struct expanded_draw *draw, uint64_t steps)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    const uint64_t views = (uint64_t)layers_of(draw) * viewports_of(draw);
    const uint64_t factors[] = {
        draw->plan.instances,
        shape->tessellates ? shape->tessellated.primitives : 1,
        shape->has_geometry ? (uint64_t)ag_emission_primitives(&shape->emission) * shape->emission.instances
                            : 1,
        draw->stages.drawn.edges ? 3 : 1,
        views,
    };
    uint64_t primitives = draw->plan.unit_count;
    for (uint32_t i = 0; i < AG_COUNT_OF(factors); i++)
        primitives =
            factors[i] && primitives > UINT64_MAX / factors[i] ? UINT64_MAX : primitives * factors[i];
    return draw->reads_targets && primitives > steps * views ? primitives : steps * views;
}

/* Prepares viewport 0, and all viewports when the last shader selects one. */
static void prepare_viewports(struct expanded_draw *draw)
{
    const struct ag_attachments *attachments = &draw->attachments;
    uint32_t count = draw->stages.drawn.selects_viewport ? AG_VIEWPORT_SLOTS : 1;
    for (uint32_t i = 0; i < count; i++)
        if (ag_raster_area_init(draw->context, i, attachments->width, attachments->height,
                                draw->expander->host->limits.maxTextureDimension2D, &draw->areas[i]))
            draw->visible |= UINT32_C(1) << i;
}

/* The module of the pixel shader when it may write memory. Null when nothing is visible, since no bind
 * groups are made then. */
static const struct agpu_module *written_module(const struct expanded_draw *draw)
{
    return draw->pipeline && draw->visible ? ag_pipeline_writes(draw->pipeline) : NULL;
}

/* Whether the compute passes cannot go ahead of the open pass: the draw has several steps, or reads or
 * writes memory other than its targets. */
static bool is_alone(const struct expanded_draw *draw)
{
    const struct ag_expand_plan *plan = &draw->plan;
    return draw->is_split || plan->part_units < plan->unit_count * plan->instances ||
           draw->stages.stream_output || draw->reads_targets || written_module(draw) ||
           (!draw->guest->repeats && ag_queries_want(draw->expander->recorder, AG_QUERY_COUNTER_IA_VERTICES));
}

static enum ag_outcome prepare_plan(struct expanded_draw *draw)
{
    struct ag_expander *expander = draw->expander;
    const struct ag_expand_shape *shape = &draw->stages.shape;
    uint64_t binding = expander->host->limits.maxStorageBufferBindingSize;
    const struct ag_expand_limits limits = {
        .budget = AG_EXPAND_BUDGET,
        .binding =
            binding < expander->host->limits.maxBufferSize ? binding : expander->host->limits.maxBufferSize,
    };
    if (!ag_expand_plan_init(shape, &limits, &draw->plan))
        return ag_host_skip_refused(expander->host, AGPU_DIAG_GPU_LIMIT,
                                    "what one primitive of a draw may become is more than the device binds");
    uint64_t each = shape->tessellates ? shape->tessellated.primitives : 1;
    draw->is_split = shape->has_geometry && draw->plan.geometry_limit < draw->plan.part_units * each;
    const uint64_t steps = steps_of(draw, each);
    if (steps > MOST_STEPS || passes_of(draw, steps) > MOST_PASSES)
        return ag_host_skip_refused(
            expander->host, AGPU_DIAG_GPU_LIMIT,
            "a draw of %" PRIu32 " vertices and %" PRIu32 " instances is expanded in %" PRIu64
            " steps for %" PRIu32 " layers and %" PRIu32 " viewports: too many",
            draw->guest->count, draw->guest->instance_count, steps, layers_of(draw), viewports_of(draw));
    draw->alone = is_alone(draw);
    return ag_expand_pool_reserve(expander, &draw->plan, shape->tessellates, draw->alone);
}

static enum ag_outcome prepare_blocks(struct expanded_draw *draw)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    if (!shape->tessellates)
        return AG_DONE;
    if (!ag_upload_ring_alloc(draw->expander->recorder, AG_TESSELLATION_BLOCK_BYTES, &draw->tessellation))
        return AG_OUT_OF_MEMORY;
    ag_tessellation_block(&draw->stages.tessellation, draw->tessellation.bytes);
    return AG_DONE;
}

/* ---- Groups ------------------------------------------------------------------------------------------- */

static enum ag_outcome keep(struct expanded_draw *draw, WGPUBindGroup group)
{
    if (!group)
        return AG_OUT_OF_MEMORY;
    if (!ag_vec_push(&draw->kept, group)) {
        ag_host_no_memory(draw->expander->host);
        return AG_OUT_OF_MEMORY;
    }
    wgpuBindGroupAddRef(group);
    return AG_DONE;
}

/* The list of primitives that the geometry shader reads. */
static enum ag_expand_buffer geometry_inputs(const struct expanded_draw *draw)
{
    return draw->is_split                   ? AG_EXPAND_BUFFER_GEOMETRY_INPUTS
           : draw->stages.shape.tessellates ? AG_EXPAND_BUFFER_TESSELLATED
                                            : AG_EXPAND_BUFFER_PRIMITIVES;
}

/* The list of primitives that the last stage made. */
static enum ag_expand_buffer made_primitives(const struct expanded_draw *draw)
{
    return draw->stages.shape.has_geometry  ? AG_EXPAND_BUFFER_EMITTED
           : draw->stages.shape.tessellates ? AG_EXPAND_BUFFER_TESSELLATED
                                            : AG_EXPAND_BUFFER_PRIMITIVES;
}

/* The records of the vertices that the last stage made. */
static enum ag_expand_buffer made_records(const struct expanded_draw *draw)
{
    static const enum ag_expand_buffer records[AG_EXPAND_STAGE_COUNT] = {
        [AG_EXPAND_STAGE_VERTEX] = AG_EXPAND_BUFFER_VERTEX_RECORDS,
        [AG_EXPAND_STAGE_DOMAIN] = AG_EXPAND_BUFFER_DOMAIN_RECORDS,
        [AG_EXPAND_STAGE_GEOMETRY] = AG_EXPAND_BUFFER_GEOMETRY_RECORDS,
    };
    return records[draw->stages.last];
}

/* How many vertices a primitive of the last stage has. */
static uint32_t vertices_made(const struct expanded_draw *draw)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    return shape->has_geometry  ? shape->emission.vertices
           : shape->tessellates ? shape->tessellated.vertices
                                : shape->assembly.corners;
}

static void fill_lists(const struct expanded_draw *draw, enum ag_expand_stage stage,
                       struct ag_bind_item items[AG_EXPAND_BINDING_COUNT])
{
    static const uint8_t buffers[AG_EXPAND_STAGE_COUNT][AG_EXPAND_BINDING_COUNT] = {
#define AT(binding) [(binding)-AG_BINDING_INTERNAL]
        [AG_EXPAND_STAGE_VERTEX] = {AT(AG_EXPAND_VERTICES) = AG_EXPAND_BUFFER_VERTICES,
                                    AT(AG_EXPAND_INPUTS) = AG_EXPAND_BUFFER_INPUTS,
                                    AT(AG_EXPAND_OUTPUTS) = AG_EXPAND_BUFFER_VERTEX_RECORDS                                          },
        [AG_EXPAND_STAGE_CONTROL_POINTS] = {AT(AG_EXPAND_PRIMITIVES) = AG_EXPAND_BUFFER_PRIMITIVES,
                                    AT(AG_EXPAND_INPUTS) = AG_EXPAND_BUFFER_VERTEX_RECORDS,
                                    AT(AG_EXPAND_OUTPUTS) = AG_EXPAND_BUFFER_CONTROL_POINTS                                          },
        [AG_EXPAND_STAGE_PATCHES] = {AT(AG_EXPAND_PRIMITIVES) = AG_EXPAND_BUFFER_PRIMITIVES,
                                    AT(AG_EXPAND_INPUTS) = AG_EXPAND_BUFFER_VERTEX_RECORDS,
                                    AT(AG_EXPAND_OUTPUTS) = AG_EXPAND_BUFFER_CONTROL_POINTS,
                                    AT(AG_EXPAND_PATCHES) = AG_EXPAND_BUFFER_PATCHES,
                                    AT(AG_EXPAND_FACTORS) = AG_EXPAND_BUFFER_FACTORS},
        [AG_EXPAND_STAGE_DOMAIN] = {AT(AG_EXPAND_POINTS) = AG_EXPAND_BUFFER_POINTS,
                                    AT(AG_EXPAND_INPUTS) = AG_EXPAND_BUFFER_CONTROL_POINTS,
                                    AT(AG_EXPAND_OUTPUTS) = AG_EXPAND_BUFFER_DOMAIN_RECORDS,
                                    AT(AG_EXPAND_PATCHES) = AG_EXPAND_BUFFER_PATCHES},
        [AG_EXPAND_STAGE_GEOMETRY] = {AT(AG_EXPAND_INPUTS) = AG_EXPAND_BUFFER_VERTEX_RECORDS,
                                    AT(AG_EXPAND_OUTPUTS) = AG_EXPAND_BUFFER_GEOMETRY_RECORDS,
                                    AT(AG_EXPAND_EMITS) = AG_EXPAND_BUFFER_EMITS                                               },
    };
    for (uint32_t i = 0; i < AG_EXPAND_BINDING_COUNT; i++)
        items[i] = ag_expand_pool_item(draw->expander, (enum ag_expand_buffer)buffers[stage][i]);
    if (stage != AG_EXPAND_STAGE_GEOMETRY)
        return;
    items AT(AG_EXPAND_PRIMITIVES) = ag_expand_pool_item(draw->expander, geometry_inputs(draw));
    if (draw->stages.shape.tessellates)
        items AT(AG_EXPAND_INPUTS) = ag_expand_pool_item(draw->expander, AG_EXPAND_BUFFER_DOMAIN_RECORDS);
}

static enum ag_outcome bind_compute(struct expanded_draw *draw, enum ag_expand_stage stage)
{
    struct ag_bind_item items[AG_EXPAND_BINDING_COUNT];
    struct ag_draw_block block;
    const struct ag_shader_program *program = draw->stages.stages[stage].program;
    const struct ag_shader_variant *variant = draw->stages.stages[stage].variant;
    enum agpu_stage bound = ag_expand_stage_of(stage);
    enum ag_outcome outcome = AG_DONE;
    if (!program)
        return AG_DONE;
    struct ag_bound_group *own = &draw->groups[stage].own, *lists = &draw->groups[stage].lists;
    ag_draw_block_begin(draw->guest, draw->context, &draw->areas[0], draw->attachments.sample_count, &block);
    own->gpu = draw->empty;
    if (stage == AG_EXPAND_STAGE_VERTEX) {
        outcome = ag_bind_stage(draw->expander->binder, draw->context, bound, variant, program, &block, own);
        if (outcome == AG_DONE)
            outcome = keep(draw, own->gpu);
    }
    if (outcome != AG_DONE)
        return outcome;
    fill_lists(draw, stage, items);
    outcome = ag_bind_expansion(draw->expander->binder, draw->context, bound, variant, program, items, &block,
                                lists);
    return outcome == AG_DONE ? keep(draw, lists->gpu) : outcome;
}

static enum ag_outcome bind_draw(struct expanded_draw *draw, uint32_t viewport)
{
    struct ag_bind_item items[AG_EXPAND_BINDING_COUNT] = {0};
    struct ag_draw_block block;
    const struct ag_pipeline *pipeline = draw->pipeline;
    struct ag_bound_group *groups = draw->draw_groups[viewport];
    enum ag_outcome outcome = AG_DONE;
    ag_draw_block_begin(draw->guest, draw->context, &draw->areas[viewport], draw->attachments.sample_count,
                        &block);
    for (uint32_t i = 0; i < 3; i++)
        groups[i].gpu = draw->empty;
    if (pipeline->pixel_program) {
        outcome = ag_bind_stage(draw->expander->binder, draw->context, AGPU_STAGE_PIXEL, pipeline->pixel,
                                pipeline->pixel_program, &block, &groups[AG_GROUP_PIXEL]);
        if (outcome == AG_DONE)
            outcome = keep(draw, groups[AG_GROUP_PIXEL].gpu);
    }
    if (outcome != AG_DONE)
        return outcome;
    items AT(AG_EXPAND_PRIMITIVES) = ag_expand_pool_item(draw->expander, made_primitives(draw));
    items AT(AG_EXPAND_INPUTS) = ag_expand_pool_item(draw->expander, made_records(draw));
    outcome = ag_bind_expansion(draw->expander->binder, draw->context, AGPU_STAGE_VERTEX, pipeline->vertex,
                                pipeline->vertex_program, items, &block, &groups[AG_GROUP_INTERNAL]);
    return outcome == AG_DONE ? keep(draw, groups[AG_GROUP_INTERNAL].gpu) : outcome;
}

#undef AT

static enum ag_outcome bind_all(struct expanded_draw *draw)
{
    draw->empty = ag_bind_group_empty(draw->expander->recorder);
    enum ag_outcome outcome = keep(draw, draw->empty);
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT && outcome == AG_DONE; i++)
        outcome = bind_compute(draw, (enum ag_expand_stage)i);
    for (uint32_t i = 0; i < AG_VIEWPORT_SLOTS && outcome == AG_DONE; i++)
        if (draw->visible >> i & 1)
            outcome = bind_draw(draw, i);
    return outcome;
}

static enum ag_outcome prepare_targets(struct expanded_draw *draw)
{
    struct ag_expander *expander = draw->expander;
    draw->rasterizes = draw->stages.rasterizes && (draw->attachments.color_count || draw->attachments.depth);
    if (!draw->rasterizes)
        return AG_DONE;
    if (draw->stages.drawn.layers)
        draw->stages.drawn.layers = (uint16_t)layers_of(draw);
    enum ag_outcome outcome = ag_expanded_pipeline_get(expander->binder, draw->context, &draw->attachments,
                                                       draw->stages.stages[draw->stages.last].program,
                                                       &draw->stages.drawn, &draw->pipeline);
    if (outcome != AG_DONE)
        return outcome;
    prepare_viewports(draw);
    draw->reads_targets = ag_target_copies_needed(draw->context, &draw->attachments);
    if (draw->reads_targets)
        outcome = ag_target_copies_reserve(expander->binder, &draw->attachments);
    return outcome == AG_DONE ? ag_targets_pull(expander->drawer, &draw->attachments) : outcome;
}

/* The stages and what they draw into. */
static enum ag_outcome prepare_stages(struct expanded_draw *draw)
{
    struct ag_expander *expander = draw->expander;
    enum ag_outcome outcome = AG_DONE;
    if (draw->guest->indexed)
        outcome = ag_index_buffer_resolve(expander->drawer, draw->context);
    if (outcome == AG_DONE)
        outcome = ag_expand_stages_init(expander, draw->context, draw->guest, &draw->stages);
    return outcome == AG_DONE ? prepare_targets(draw) : outcome;
}

/* What the stages read. */
static enum ag_outcome prepare_inputs(struct expanded_draw *draw)
{
    enum ag_outcome outcome = ag_indices_for_kernel(draw->expander->drawer, draw->context, draw->guest,
                                                    &draw->indices, &draw->index_range);
    if (outcome == AG_DONE)
        outcome = prepare_vertices(draw);
    if (outcome == AG_DONE)
        outcome = prepare_plan(draw);
    if (outcome == AG_DONE)
        outcome = prepare_blocks(draw);
    return outcome == AG_DONE ? bind_all(draw) : outcome;
}

/* Prepares everything that may record copies, end the open pass or fail. */
static enum ag_outcome prepare(struct expanded_draw *draw)
{
    struct ag_expander *expander = draw->expander;
    enum ag_outcome outcome = prepare_stages(draw);
    if (outcome != AG_DONE)
        return outcome;
    const struct agpu_module *writes = written_module(draw);
    outcome = prepare_inputs(draw);
    if (outcome == AG_DONE && draw->stages.stream_output)
        outcome = ag_stream_output_begin(expander->drawer, draw->context, draw->stages.stream_output);
    if (outcome == AG_DONE && writes)
        outcome = ag_uavs_load(expander->binder, draw->context, AGPU_STAGE_PIXEL, writes);
    return outcome;
}

/* ---- Compute passes ----------------------------------------------------------------------------------- */

static struct ag_buffer_range slice_range(const struct ag_upload_slice *slice, uint64_t size)
{
    return (struct ag_buffer_range){slice->gpu, slice->offset, size, slice->id};
}

static void set_stage(struct expanded_draw *draw, WGPUComputePassEncoder pass, enum ag_expand_stage stage)
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

static void run_stage(struct expanded_draw *draw, WGPUComputePassEncoder pass, enum ag_expand_stage stage,
                      uint64_t invocations)
{
    uint32_t groups[2];
    ag_expand_workgroups(invocations, draw->expander->host->limits.maxComputeWorkgroupsPerDimension, groups);
    set_stage(draw, pass, stage);
    wgpuComputePassEncoderDispatchWorkgroups(pass, groups[0], groups[1], 1);
}

static struct ag_buffer_range range_of(const struct expanded_draw *draw, enum ag_expand_buffer buffer)
{
    return ag_expand_pool_range(draw->expander, buffer);
}

static bool record_assembly(struct expanded_draw *draw, WGPUComputePassEncoder pass,
                            const struct ag_assembly_part *part)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    struct ag_upload_slice block;
    if (!ag_upload_ring_alloc(draw->expander->recorder, AG_ASSEMBLY_BLOCK_BYTES, &block))
        return false;
    ag_assembly_block(&shape->assembly, &draw->indices, shape->vertices, shape->restarts, part, block.bytes);
    const struct ag_assembly_buffers buffers = {
        .block = slice_range(&block, AG_ASSEMBLY_BLOCK_BYTES),
        .indices = draw->index_range,
        .runs = range_of(draw, AG_EXPAND_BUFFER_RUNS),
        .vertices = range_of(draw, AG_EXPAND_BUFFER_VERTICES),
        .primitives = range_of(draw, AG_EXPAND_BUFFER_PRIMITIVES),
    };
    /* The primitives of a later instance have the cut values of the first, which are found already. */
    bool known = part->first_instance > 0 && part->begin == 0 && part->end == shape->vertices;
    ag_assembly_record(ag_drawer_assembly(draw->expander->drawer), pass, &buffers, part,
                       shape->restarts && !known);
    uint64_t vertices = (uint64_t)part->primitives * part->instances * shape->assembly.corners;
    const struct ag_buffer_range inputs = range_of(draw, AG_EXPAND_BUFFER_INPUTS);
    ag_vertex_records_pull(draw->expander->drawer, pass, &draw->records, &buffers.vertices, &inputs,
                           vertices);
    run_stage(draw, pass, AG_EXPAND_STAGE_VERTEX, vertices);
    return true;
}

static void record_tessellation(struct expanded_draw *draw, WGPUComputePassEncoder pass, uint64_t patches)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    const struct ag_tessellator_buffers buffers = {
        .block = slice_range(&draw->tessellation, AG_TESSELLATION_BLOCK_BYTES),
        .patches = range_of(draw, AG_EXPAND_BUFFER_PRIMITIVES),
        .factors = range_of(draw, AG_EXPAND_BUFFER_FACTORS),
        .starts = range_of(draw, AG_EXPAND_BUFFER_STARTS),
        .points = range_of(draw, AG_EXPAND_BUFFER_POINTS),
        .primitives = range_of(draw, AG_EXPAND_BUFFER_TESSELLATED),
    };
    if (!shape->tessellates)
        return;
    if (shape->control_points)
        run_stage(draw, pass, AG_EXPAND_STAGE_CONTROL_POINTS, patches * shape->control_points);
    run_stage(draw, pass, AG_EXPAND_STAGE_PATCHES, patches);
    ag_tessellator_record(&draw->expander->expand_pool.tessellator, pass, &buffers, (uint32_t)patches);
    set_stage(draw, pass, AG_EXPAND_STAGE_DOMAIN);
    wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass, buffers.points.buffer, 4);
}

static bool make_list_block(struct expanded_draw *draw, const struct ag_list_part *part,
                            struct ag_buffer_range *range)
{
    struct ag_upload_slice slice;
    if (!ag_upload_ring_alloc(draw->expander->recorder, AG_LIST_BLOCK_BYTES, &slice))
        return false;
    ag_list_block(part, slice.bytes);
    *range = slice_range(&slice, AG_LIST_BLOCK_BYTES);
    return true;
}

/* Records the geometry shader for at most `limit` primitives from `first` on. */
static bool record_geometry(struct expanded_draw *draw, WGPUComputePassEncoder pass, uint64_t first,
                            uint64_t limit)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    uint64_t invocations = limit * shape->emission.instances;
    if (!shape->has_geometry)
        return true;
    if (draw->is_split) {
        const struct ag_list_part part = {shape->tessellated.vertices, (uint32_t)first, (uint32_t)limit};
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

/* Records the kernel that makes the list of primitives that the geometry shader emitted into a stream. */
static bool record_emission(struct expanded_draw *draw, WGPUComputePassEncoder pass, uint32_t stream,
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
    ag_emission_block(&emission, block.bytes);
    const struct ag_emission_buffers buffers = {
        .block = slice_range(&block, AG_EMISSION_BLOCK_BYTES),
        .inputs = range_of(draw, geometry_inputs(draw)),
        .emits = range_of(draw, AG_EXPAND_BUFFER_EMITS),
        .counts = range_of(draw, AG_EXPAND_BUFFER_COUNTS),
        .primitives = range_of(draw, AG_EXPAND_BUFFER_EMITTED),
    };
    ag_emission_record(&draw->expander->expand_pool.emission, pass, &buffers,
                       limit * shape->emission.instances);
    return true;
}

static uint32_t registers_of(const struct expanded_draw *draw)
{
    return draw->stages.stages[draw->stages.last].variant->module->expansion.record_registers;
}

/* Records stream output: of each stream of a geometry shader, or of the primitives of the last stage. */
static bool record_streams(struct expanded_draw *draw, WGPUComputePassEncoder pass, uint64_t limit,
                           uint64_t most)
{
    const struct ag_stream_output_declaration *declaration = draw->stages.stream_output;
    const struct ag_buffer_range records = range_of(draw, made_records(draw));
    const struct ag_buffer_range primitives = range_of(draw, made_primitives(draw));
    for (uint32_t stream = 0; declaration && stream < AG_STREAM_OUTPUT_SLOTS; stream++) {
        if (!(declaration->streams >> stream & 1) || (stream > 0 && !draw->stages.shape.has_geometry))
            continue;
        if (!record_emission(draw, pass, stream, limit) ||
            !ag_stream_output_feed(draw->expander->drawer, draw->context, declaration, stream, pass,
                                   &primitives, &records, vertices_made(draw), registers_of(draw), most))
            return false;
    }
    return true;
}

/* How many vertices WebGPU draws for each primitive. */
static uint32_t drawn_vertices(const struct expanded_draw *draw)
{
    return draw->stages.drawn.edges ? 6 : draw->plan.output_vertices;
}

/* Records the kernel that writes the arguments of the indirect draw. */
static bool record_end(struct expanded_draw *draw, WGPUComputePassEncoder pass)
{
    const struct ag_list_part drawn = {.vertices = drawn_vertices(draw)};
    struct ag_list_buffers buffers = {
        .from = range_of(draw, made_primitives(draw)),
        .to = range_of(draw, AG_EXPAND_BUFFER_ARGUMENTS),
    };
    if (!make_list_block(draw, &drawn, &buffers.block))
        return false;
    ag_list_record_arguments(&draw->expander->expand_pool.lists, pass, &buffers);
    return true;
}

/* ---- The draw ----------------------------------------------------------------------------------------- */

/* Records a draw of vertices [first, first + count), or an indirect draw of all when `count` is 0. */
static void record_vertices(struct expanded_draw *draw, const struct ag_attachments *attachments,
                            uint32_t layer, uint32_t viewport, uint32_t first, uint32_t count)
{
    struct ag_expander *expander = draw->expander;
    WGPURenderPassEncoder encoder = ag_pass_begin(expander->recorder, attachments);
    ag_draw_set_pipeline(expander->drawer, draw->pipeline->gpu);
    ag_draw_set_state(expander->drawer, draw->context, &draw->areas[viewport]);
    ag_draw_set_groups(expander->drawer, draw->draw_groups[viewport], 4);
    const uint32_t selection = layer | viewport << 16;
    if (count)
        wgpuRenderPassEncoderDraw(encoder, count, 1, first, selection);
    else
        wgpuRenderPassEncoderDrawIndirect(encoder, range_of(draw, AG_EXPAND_BUFFER_ARGUMENTS).buffer, 0);
    if (ag_pipeline_writes(draw->pipeline))
        ag_pass_end(expander->recorder);
}

static void record_viewport(struct expanded_draw *draw, const struct ag_attachments *attachments,
                            uint32_t layer, uint32_t viewport, uint64_t most_vertices)
{
    const uint32_t each = draw->stages.drawn.edges ? 2 : draw->plan.output_vertices;
    /* The instance number tells layer and viewport; an indirect draw with a first instance is an optional
     * feature. */
    if (!draw->reads_targets)
        record_vertices(draw, attachments, layer, viewport, 0,
                        layer || viewport ? (uint32_t)most_vertices : 0);
    for (uint32_t first = 0; draw->reads_targets && first < most_vertices; first += each) {
        ag_target_copies_record(draw->expander->binder, attachments, draw->areas[viewport].scissor);
        record_vertices(draw, attachments, layer, viewport, first, each);
    }
}

static void record_draw(struct expanded_draw *draw, const struct ag_attachments *attachments, uint32_t layer,
                        uint64_t most_vertices)
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
static void record_layer(struct expanded_draw *draw, uint32_t layer, uint64_t most_vertices)
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
        if (views[i].gpu_views[AG_VIEW_DIMENSION_TARGET].gpu)
            wgpuTextureViewRelease(views[i].gpu_views[AG_VIEW_DIMENSION_TARGET].gpu);
}

/* Records the draws of a step whose compute passes made at most `most` primitives. */
static void record_targets(struct expanded_draw *draw, uint64_t most)
{
    const uint64_t vertices = most * drawn_vertices(draw);
    uint32_t layers = layers_of(draw);
    record_draw(draw, &draw->attachments, 0, vertices);
    for (uint32_t layer = 1; layer < layers; layer++)
        record_layer(draw, layer, vertices);
}

/* Adds the pipeline statistics that the lists of a step have. */
static void count_step(struct expanded_draw *draw)
{
    struct ag_expander *expander = draw->expander;
    const struct ag_expand_shape *shape = &draw->stages.shape;
    if (draw->guest->repeats || !ag_queries_want(expander->recorder, AG_QUERY_COUNTER_IA_VERTICES))
        return;
    if (shape->tessellates) {
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_HS_INVOCATIONS, 1,
                            range_of(draw, AG_EXPAND_BUFFER_PRIMITIVES).buffer, 0);
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_DS_INVOCATIONS, 1,
                            range_of(draw, AG_EXPAND_BUFFER_POINTS).buffer, 0);
    }
    if (shape->has_geometry) {
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_GS_INVOCATIONS, shape->emission.instances,
                            range_of(draw, geometry_inputs(draw)).buffer, 0);
        ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_GS_PRIMITIVES, 1,
                            range_of(draw, AG_EXPAND_BUFFER_EMITTED).buffer, 0);
    }
    if (!draw->rasterizes || (!shape->tessellates && !shape->has_geometry))
        return;
    ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_C_INVOCATIONS, 1,
                        range_of(draw, made_primitives(draw)).buffer, 0);
    ag_queries_add_from(expander->recorder, AG_QUERY_COUNTER_C_PRIMITIVES, 1,
                        range_of(draw, made_primitives(draw)).buffer, 0);
}

/* Records a step: primitives [first, first + limit) for the geometry shader, or all primitives of the part
 * when there is no geometry shader. */
static bool record_step(struct expanded_draw *draw, const struct ag_assembly_part *part, uint64_t first,
                        uint64_t limit)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    WGPUCommandEncoder encoder = draw->alone ? ag_recorder_encoder(draw->expander->recorder)
                                             : ag_recorder_ahead_encoder(draw->expander->recorder);
    WGPUComputePassEncoder pass = ag_compute_pass_begin(encoder, "primitives of a draw");
    uint64_t most = limit * (shape->has_geometry ? (uint64_t)ag_emission_primitives(&shape->emission) *
                                                       shape->emission.instances
                                                 : 1);
    bool made = first > 0 || record_assembly(draw, pass, part);
    if (made && first == 0)
        record_tessellation(draw, pass, (uint64_t)part->primitives * part->instances);
    made = made && record_geometry(draw, pass, first, limit) && record_streams(draw, pass, limit, most) &&
           (!draw->rasterizes ||
            (record_emission(draw, pass, shape->emission.stream, limit) && record_end(draw, pass)));
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    if (made)
        count_step(draw);
    if (made && draw->rasterizes)
        record_targets(draw, most);
    return made;
}

static bool record_part(struct expanded_draw *draw, const struct ag_assembly_part *part)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    uint64_t count = (uint64_t)part->primitives * part->instances *
                     (shape->tessellates ? shape->tessellated.primitives : 1);
    uint64_t limit = draw->is_split ? draw->plan.geometry_limit : count;
    for (uint64_t first = 0; first < count; first += limit)
        if (!record_step(draw, part, first, count - first < limit ? count - first : limit))
            return false;
    return true;
}

static enum ag_outcome record_all(struct expanded_draw *draw)
{
    struct ag_assembly_part part = {0};
    const struct agpu_module *writes = written_module(draw);
    bool drawn = true;
    while (drawn && ag_expand_plan_next(&draw->plan, &part))
        drawn = record_part(draw, &part);
    if (draw->rasterizes)
        ag_targets_written(&draw->attachments);
    if (draw->stages.stream_output)
        ag_stream_output_end(draw->expander->drawer, draw->context, draw->stages.stream_output);
    if (writes)
        ag_uavs_store(draw->expander->binder, draw->context, AGPU_STAGE_PIXEL, writes);
    return drawn ? AG_DONE : AG_OUT_OF_MEMORY;
}

enum ag_outcome ag_expanded_draw(struct ag_expander *expander, struct ag_context *context,
                                 const struct ag_draw *guest, const struct ag_attachments *attachments)
{
    struct expanded_draw draw;
    memset(&draw, 0, sizeof draw);
    draw.expander = expander;
    draw.context = context;
    draw.guest = guest;
    draw.attachments = *attachments;
    enum ag_outcome outcome = prepare(&draw);
    if (!draw.visible || !ag_samples_host_mask(attachments->sample_count, context->sample_mask))
        draw.rasterizes = false;
    if (outcome == AG_DONE && (draw.rasterizes || draw.stages.stream_output))
        outcome = record_all(&draw);
    for (size_t i = 0; i < draw.kept.count; i++)
        wgpuBindGroupRelease(draw.kept.data[i]);
    ag_vec_fini(&draw.kept);
    return outcome;
}
