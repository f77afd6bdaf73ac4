/* SPDX-License-Identifier: MIT */
#include "exec/expand/preparation.h"

#include <inttypes.h>

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
#include "exec/draw/index.h"
#include "exec/draw/stream_output.h"
#include "exec/draw/vertex_pull.h"
#include "exec/expand/counted_draw.h"
#include "exec/expand/expander.h"
#include "exec/expand/pool.h"
#include "exec/expand/stages.h"
#include "exec/expand/viewports.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"
#include "gpu/webgpu.h"
#include "kernel/emission.h"
#include "kernel/plan.h"
#include "kernel/tessellator.h"
#include "wgsl/binding.h"
#include "wgsl/expansion.h"

/* The most steps and render passes of a draw. Each takes memory of the host until the GPU is done. */
#define MOST_STEPS 2048

#define MOST_PASSES 16384
/* Of draws to several layers, whose primitives go to viewports that overlap. */
#define MOST_LAYERED_OVERLAPS 1024

static enum ag_outcome prepare_vertices(struct ag_prepared_expansion *draw)
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

/* The most steps of the tessellator in a part. */
static uint64_t tessellations_of_part(const struct ag_prepared_expansion *draw)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    return shape->tessellates
               ? ag_expand_plan_tessellation(&draw->plan, &shape->tessellated, draw->plan.part_units).steps
               : 1;
}

/* The most steps of a part. */
static uint64_t steps_of_part(const struct ag_prepared_expansion *draw)
{
    const uint64_t primitives = draw->plan.step_patches * draw->stages.shape.tessellated.primitives;
    const uint64_t most = draw->plan.geometry_limit;
    const uint64_t steps =
        draw->counting == AG_COUNTING_DONE ? draw->counted.steps : tessellations_of_part(draw);
    return draw->is_split ? steps * ((primitives + most - 1) / most) : steps;
}

static bool has_one_part(const struct ag_prepared_expansion *draw)
{
    return draw->plan.part_units >= draw->plan.unit_count * draw->plan.instances;
}

/* The most steps of the draw. */
static uint64_t steps_of(const struct ag_prepared_expansion *draw)
{
    const struct ag_expand_plan *plan = &draw->plan;
    const uint64_t together = plan->unit_count == 0 ? 1 : plan->part_units / plan->unit_count;
    const uint64_t parts = together > 0 ? plan->instances / together + 1
                                        : plan->instances * (plan->unit_count / plan->part_units + 1);
    const uint64_t steps = steps_of_part(draw);
    if (has_one_part(draw))
        return steps;
    return parts > UINT64_MAX / steps ? UINT64_MAX : parts * steps;
}

/* How many layers of the targets the draw may reach. */
uint32_t ag_prepared_layers(const struct ag_prepared_expansion *draw)
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

static uint32_t viewports_of(const struct ag_prepared_expansion *draw)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < AG_VIEWPORT_SLOTS; i++)
        count += draw->visible >> i & 1;
    return count;
}

/* The most render passes of the draw: one for each step, layer and viewport, or one for each primitive
 * when the targets are read. */
static uint64_t passes_of(const struct ag_prepared_expansion *draw, uint64_t steps)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    const uint64_t views = (uint64_t)ag_prepared_layers(draw) * viewports_of(draw);
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
    return draw->by_primitive && primitives > steps * views ? primitives : steps * views;
}

/* Decides whether primitives go one by one to viewports that overlap. */
static void prepare_overlaps(struct ag_prepared_expansion *draw)
{
    draw->has_overlaps = !draw->by_primitive && ag_expanded_viewports_overlap(draw);
    draw->by_primitive |= draw->has_overlaps;
}

/* Very many primitives go to one viewport after the other. Of several layers, each has as a rule a viewport
 * of its own, so that there the order is worth less. */
static void bound_overlaps(struct ag_prepared_expansion *draw)
{
    const uint64_t most = ag_prepared_layers(draw) > 1 ? MOST_LAYERED_OVERLAPS : MOST_PASSES;
    if (!draw->has_overlaps || passes_of(draw, 1) <= most)
        return;
    draw->has_overlaps = draw->by_primitive = false;
    ag_host_warn_once(draw->expander->host, AG_WARNING_VIEWPORTS,
                      "very many primitives in viewports that overlap are drawn viewport by viewport");
}

/* The modules that may write memory: those in front of the rasterizer, and the pixel shader's where something
 * is visible, since no bind groups of it are made otherwise. */
static void find_writers(struct ag_prepared_expansion *draw)
{
    draw->writers = (struct ag_uav_writers){.stage = AGPU_STAGE_PIXEL};
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++)
        if (draw->stages.stages[i].variant)
            ag_uav_writers_add(&draw->writers, draw->stages.stages[i].variant->module);
    draw->writes_early = draw->writers.count > 0;
    if (draw->pipeline && draw->visible)
        ag_uav_writers_add(&draw->writers, ag_pipeline_writes(draw->pipeline));
}

bool ag_prepared_is_counted(const struct ag_prepared_expansion *draw)
{
    return !draw->guest->repeats && ag_queries_want(draw->expander->recorder, AG_QUERY_COUNTER_IA_VERTICES);
}

/* Whether the compute passes cannot go ahead of the open pass: the draw has several steps, or reads or
 * writes memory other than its targets. */
static bool is_alone(const struct ag_prepared_expansion *draw)
{
    return tessellations_of_part(draw) > 1 || draw->is_split || !has_one_part(draw) ||
           draw->stages.stream_output || draw->by_primitive || draw->writers.count > 0 ||
           ag_prepared_is_counted(draw);
}

/* Whether the module reads a number that begins at 0 in each draw. */
static bool reads_numbers(const struct ag_shader_variant *variant)
{
    for (uint32_t i = 0; variant && i < variant->module->input_count; i++) {
        const uint8_t value = variant->module->inputs[i].system_value;
        if (value == AGPU_SV_PRIMITIVE_ID || value == AGPU_SV_VERTEX_ID)
            return true;
    }
    return false;
}

bool ag_prepared_reads_numbers(const struct ag_prepared_expansion *draw)
{
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++)
        if (reads_numbers(draw->stages.stages[i].variant))
            return true;
    return draw->pipeline && reads_numbers(draw->pipeline->pixel);
}

/* Whether nobody can tell this draw and others that follow from one draw of all their primitives. */
static bool may_join(const struct ag_prepared_expansion *draw)
{
    const struct ag_draw *guest = draw->guest;
    const uint32_t list_vertices = draw->stages.shape.assembly.list_vertices;
    const bool has_vertices = !guest->indexed || draw->context->index_buffer.buffer;
    return draw->joins && draw->rasterizes && has_vertices && !draw->stages.shape.restarts &&
           guest->instance_count == 1 && list_vertices && guest->count % list_vertices == 0 &&
           draw->writers.count == 0 && !draw->stages.stream_output && !draw->by_primitive &&
           !draw->is_split && !draw->stages.drawn.layers && !draw->stages.drawn.selects_viewport &&
           !ag_prepared_reads_numbers(draw) &&
           !ag_queries_want(draw->expander->recorder, AG_QUERY_COUNTER_IA_VERTICES);
}

/* A batch has room for so many draws like its first one, or for so many primitives. */
#define JOINED_DRAWS 64
#define JOINED_UNITS 4096
#define MOST_JOINED_VERTICES 65536

/* As many as few draws are, until the tessellator is made for more of them, so that nobody waits for that. */
static uint64_t most_joined_patches(const struct ag_prepared_expansion *draw)
{
    const struct ag_tessellator *tessellator = &draw->expander->expand_pool.tessellator;
    const bool may_be_few = draw->stages.shape.tessellates && !draw->stages.tessellation.has_fixed_places &&
                            draw->plan.unit_count <= AG_TESSELLATOR_FEW_PATCHES;
    return may_be_few && !ag_tessellator_is_ready(tessellator, AG_TESSELLATOR_ADDED)
               ? AG_TESSELLATOR_FEW_PATCHES
               : UINT64_MAX;
}

/* Makes room in the plan for draws that may join this one, as long as one step does them all, so that limits
 * of steps and passes are those of each draw. */
static void plan_joins(struct ag_prepared_expansion *draw, const struct ag_expand_limits *limits)
{
    struct ag_expand_plan *plan = &draw->plan;
    struct ag_expand_shape shape = draw->stages.shape;
    struct ag_expand_plan wide;
    uint64_t bytes = 0;
    const uint64_t units = plan->unit_count;
    draw->joins = may_join(draw) && units < plan->most_step_units;
    if (!draw->joins)
        return;
    for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
        bytes += plan->bytes[i];
    const uint64_t wanted = units * JOINED_DRAWS > JOINED_UNITS ? units * JOINED_DRAWS : JOINED_UNITS;
    const uint64_t room = ag_expand_pool_room(draw->expander, bytes) / (bytes / units + 1);
    const uint64_t most =
        ag_lesser(plan->most_step_units, MOST_JOINED_VERTICES / shape.assembly.list_vertices);
    draw->join_units =
        (uint32_t)ag_lesser(ag_lesser(ag_lesser(wanted, room), most), most_joined_patches(draw));
    shape.vertices = draw->join_units * shape.assembly.list_vertices;
    draw->joins = draw->join_units > units && ag_expand_plan_init(&shape, limits, &wide);
    if (draw->joins)
        *plan = wide;
}

/* Draws that may have very many steps are counted, if nothing but their patches is made before. */
static void choose_counting(struct ag_prepared_expansion *draw)
{
    draw->counted.steps = tessellations_of_part(draw);
    if (draw->stages.shape.tessellates && has_one_part(draw) && !draw->stages.stream_output &&
        draw->writers.count == 0 && !draw->by_primitive)
        draw->counting = ag_counted_draw_choose(draw->expander, draw->guest, &draw->counted);
}

static bool has_too_many_steps(const struct ag_prepared_expansion *draw)
{
    const uint64_t steps = steps_of(draw);
    return steps > MOST_STEPS || passes_of(draw, steps) > MOST_PASSES;
}

/* Whether the stream may wait between two steps, for which all is prepared anew: the packet has no more than
 * this draw, nothing that the steps read is written by them, and no part goes on with what those before it
 * know of cut values, which buffers that are lost have. */
static bool may_divide(const struct ag_prepared_expansion *draw)
{
    return draw->joins && !draw->stages.stream_output && draw->writers.count == 0 && !draw->by_primitive &&
           !draw->stages.shape.restarts &&
           (draw->expander->binder->may_pause || draw->expander->counted->place.goes_on);
}

static bool plan_with(struct ag_prepared_expansion *draw, const struct ag_expand_limits *limits)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    if (!ag_expand_plan_init(shape, limits, &draw->plan))
        return false;
    draw->is_split = shape->has_geometry && shape->tessellates &&
                     draw->plan.geometry_limit < draw->plan.step_patches * shape->tessellated.primitives;
    return true;
}

/* Plans the steps: by memory, and where a driver is slow by what is drawn, too, unless those were too many.
 * False when one primitive may become more than the device binds. */
static bool plan_steps(struct ag_prepared_expansion *draw, struct ag_expand_limits *limits)
{
    if (!plan_with(draw, limits))
        return false;
    bound_overlaps(draw);
    draw->divides = may_divide(draw);
    if (!draw->divides || has_too_many_steps(draw))
        return true;
    limits->vertices = draw->expander->recorder->throttle.step_vertices;
    while (limits->vertices && plan_with(draw, limits) && has_too_many_steps(draw))
        limits->vertices *= 2;
    return true;
}

static enum ag_outcome prepare_plan(struct ag_prepared_expansion *draw)
{
    struct ag_expander *expander = draw->expander;
    const struct ag_expand_shape *shape = &draw->stages.shape;
    const uint64_t binding = expander->host->limits.maxStorageBufferBindingSize;
    struct ag_expand_limits limits = {
        .budget = shape->tessellates ? AG_TESSELLATION_BUDGET : AG_EXPAND_BUDGET,
        .binding =
            binding < expander->host->limits.maxBufferSize ? binding : expander->host->limits.maxBufferSize,
    };
    if (!plan_steps(draw, &limits))
        return ag_host_skip_refused(expander->host, AGPU_DIAG_GPU_LIMIT,
                                    "what one primitive of a draw may become is more than the device binds");
    plan_joins(draw, &limits);
    choose_counting(draw);
    if (draw->counting != AG_COUNTING_BEGINS && has_too_many_steps(draw))
        return ag_host_skip_refused(expander->host, AGPU_DIAG_GPU_LIMIT,
                                    "a draw of %" PRIu32 " vertices and %" PRIu32
                                    " instances is expanded in %" PRIu64 " steps for %" PRIu32
                                    " layers and %" PRIu32 " viewports: too many",
                                    draw->guest->count, draw->guest->instance_count, steps_of(draw),
                                    ag_prepared_layers(draw), viewports_of(draw));
    draw->alone = is_alone(draw);
    return ag_expand_pool_reserve(expander, &draw->plan, draw->alone);
}

static enum ag_outcome keep(struct ag_prepared_expansion *draw, WGPUBindGroup group)
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

void ag_prepared_release(struct ag_prepared_expansion *draw)
{
    for (size_t i = 0; i < draw->kept.count; i++)
        wgpuBindGroupRelease(draw->kept.data[i]);
    draw->kept.count = 0;
    ag_vertex_records_release(&draw->records);
}

/* The list of primitives that the geometry shader reads. */
enum ag_expand_buffer ag_prepared_geometry_inputs(const struct ag_prepared_expansion *draw)
{
    return draw->is_split                   ? AG_EXPAND_BUFFER_GEOMETRY_INPUTS
           : draw->stages.shape.tessellates ? AG_EXPAND_BUFFER_TESSELLATED
                                            : AG_EXPAND_BUFFER_PRIMITIVES;
}

/* The list of primitives that the last stage made. */
enum ag_expand_buffer ag_prepared_made_primitives(const struct ag_prepared_expansion *draw)
{
    return draw->stages.shape.has_geometry  ? AG_EXPAND_BUFFER_EMITTED
           : draw->stages.shape.tessellates ? AG_EXPAND_BUFFER_TESSELLATED
                                            : AG_EXPAND_BUFFER_PRIMITIVES;
}

/* The records of the vertices that the last stage made. */
enum ag_expand_buffer ag_prepared_made_records(const struct ag_prepared_expansion *draw)
{
    static const enum ag_expand_buffer records[AG_EXPAND_STAGE_COUNT] = {
        [AG_EXPAND_STAGE_VERTEX] = AG_EXPAND_BUFFER_VERTEX_RECORDS,
        [AG_EXPAND_STAGE_DOMAIN] = AG_EXPAND_BUFFER_DOMAIN_RECORDS,
        [AG_EXPAND_STAGE_GEOMETRY] = AG_EXPAND_BUFFER_GEOMETRY_RECORDS,
    };
    return records[draw->stages.last];
}

/* How many vertices a primitive of the last stage has. */
uint32_t ag_prepared_vertices_made(const struct ag_prepared_expansion *draw)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    return shape->has_geometry  ? shape->emission.vertices
           : shape->tessellates ? shape->tessellated.vertices
                                : shape->assembly.corners;
}

uint32_t ag_prepared_drawn_vertices(const struct ag_prepared_expansion *draw)
{
    return draw->stages.drawn.edges ? 6 : draw->plan.output_vertices;
}

static void fill_lists(const struct ag_prepared_expansion *draw, enum ag_expand_stage stage,
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
    for (uint32_t i = 0; i < AG_EXPAND_BINDING_COUNT; i++) {
        enum ag_expand_buffer buffer = (enum ag_expand_buffer)buffers[stage][i];
        if (buffer == AG_EXPAND_BUFFER_CONTROL_POINTS && draw->stages.shape.copies_points)
            buffer = AG_EXPAND_BUFFER_VERTEX_RECORDS;
        items[i] = ag_expand_pool_item(draw->expander, buffer);
    }
    if (stage != AG_EXPAND_STAGE_GEOMETRY)
        return;
    items AT(AG_EXPAND_PRIMITIVES) = ag_expand_pool_item(draw->expander, ag_prepared_geometry_inputs(draw));
    if (draw->stages.shape.tessellates)
        items AT(AG_EXPAND_INPUTS) = ag_expand_pool_item(draw->expander, AG_EXPAND_BUFFER_DOMAIN_RECORDS);
}

static void bind_nothing(const struct ag_prepared_expansion *draw, struct ag_bound_group *group)
{
    group->gpu = draw->empty;
    group->offset_count = 0;
}

static enum ag_outcome bind_compute(struct ag_prepared_expansion *draw, enum ag_expand_stage stage)
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
    ag_draw_block_begin(draw->guest, draw->context, &draw->areas[0], &draw->attachments, &block);
    bind_nothing(draw, own);
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

enum ag_outcome ag_prepared_bind_draw(struct ag_prepared_expansion *draw, uint32_t viewport)
{
    struct ag_bind_item items[AG_EXPAND_BINDING_COUNT] = {0};
    struct ag_draw_block block;
    const struct ag_pipeline *pipeline = draw->pipeline;
    struct ag_bound_group *groups = draw->draw_groups[viewport];
    enum ag_outcome outcome = AG_DONE;
    ag_draw_block_begin(draw->guest, draw->context, &draw->areas[viewport], &draw->attachments, &block);
    for (uint32_t i = 0; i < 3; i++)
        bind_nothing(draw, &groups[i]);
    if (pipeline->pixel_program) {
        outcome = ag_bind_stage(draw->expander->binder, draw->context, AGPU_STAGE_PIXEL, pipeline->pixel,
                                pipeline->pixel_program, &block, &groups[AG_GROUP_PIXEL]);
        if (outcome == AG_DONE)
            outcome = keep(draw, groups[AG_GROUP_PIXEL].gpu);
    }
    if (outcome != AG_DONE)
        return outcome;
    items AT(AG_EXPAND_PRIMITIVES) = ag_expand_pool_item(draw->expander, ag_prepared_made_primitives(draw));
    items AT(AG_EXPAND_INPUTS) = ag_expand_pool_item(draw->expander, ag_prepared_made_records(draw));
    items AT(AG_EXPAND_ARGUMENTS) = ag_expand_pool_item(draw->expander, AG_EXPAND_BUFFER_ARGUMENTS);
    outcome = ag_bind_expansion(draw->expander->binder, draw->context, AGPU_STAGE_VERTEX, pipeline->vertex,
                                pipeline->vertex_program, items, &block, &groups[AG_GROUP_INTERNAL]);
    return outcome == AG_DONE ? keep(draw, groups[AG_GROUP_INTERNAL].gpu) : outcome;
}

static enum ag_outcome bind_vertices(struct ag_prepared_expansion *draw)
{
    const struct ag_buffer_range list = ag_expand_pool_range(draw->expander, AG_EXPAND_BUFFER_VERTICES);
    const struct ag_buffer_range inputs = ag_expand_pool_range(draw->expander, AG_EXPAND_BUFFER_INPUTS);
    return ag_vertex_records_bind(draw->expander->drawer, &draw->records, &list, &inputs) ? AG_DONE
                                                                                          : AG_OUT_OF_MEMORY;
}

static enum ag_outcome bind_all(struct ag_prepared_expansion *draw)
{
    draw->empty = ag_bind_group_empty(draw->expander->recorder);
    enum ag_outcome outcome = keep(draw, draw->empty);
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT && outcome == AG_DONE; i++)
        outcome = bind_compute(draw, (enum ag_expand_stage)i);
    if (outcome == AG_DONE)
        outcome = bind_vertices(draw);
    for (uint32_t i = 0; i < AG_VIEWPORT_SLOTS && outcome == AG_DONE; i++)
        if (draw->visible >> i & 1)
            outcome = ag_prepared_bind_draw(draw, i);
    return outcome;
}

static enum ag_outcome prepare_targets(struct ag_prepared_expansion *draw)
{
    struct ag_expander *expander = draw->expander;
    draw->rasterizes = draw->stages.rasterizes && (draw->attachments.color_count || draw->attachments.depth);
    if (!draw->rasterizes)
        return AG_DONE;
    if (draw->stages.drawn.layers)
        draw->stages.drawn.layers = (uint16_t)ag_prepared_layers(draw);
    enum ag_outcome outcome = ag_expanded_pipeline_get(expander->binder, draw->context, &draw->attachments,
                                                       draw->stages.stages[draw->stages.last].program,
                                                       &draw->stages.drawn, &draw->pipeline);
    if (outcome != AG_DONE)
        return outcome;
    ag_expanded_viewports_init(draw);
    draw->reads_targets = ag_target_copies_needed(draw->context, &draw->attachments);
    draw->by_primitive |= draw->reads_targets;
    prepare_overlaps(draw);
    if (draw->reads_targets)
        outcome = ag_target_copies_reserve(expander->binder, &draw->attachments);
    return outcome == AG_DONE ? ag_targets_pull(expander->drawer, &draw->attachments) : outcome;
}

/* The stages and what they draw into. */
static enum ag_outcome prepare_stages(struct ag_prepared_expansion *draw)
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
static enum ag_outcome prepare_inputs(struct ag_prepared_expansion *draw)
{
    enum ag_outcome outcome = ag_indices_for_kernel(draw->expander->drawer, draw->context, draw->guest,
                                                    &draw->indices, &draw->index_range);
    if (outcome == AG_DONE)
        outcome = prepare_vertices(draw);
    if (outcome == AG_DONE)
        outcome = prepare_plan(draw);
    return outcome == AG_DONE ? bind_all(draw) : outcome;
}

/* Prepares everything that may record copies, end the open pass or fail. */
enum ag_outcome ag_expanded_draw_prepare(struct ag_prepared_expansion *draw)
{
    struct ag_expander *expander = draw->expander;
    enum ag_outcome outcome = prepare_stages(draw);
    if (outcome != AG_DONE)
        return outcome;
    find_writers(draw);
    outcome = prepare_inputs(draw);
    if (outcome == AG_DONE && draw->stages.stream_output)
        outcome = ag_stream_output_begin(expander->drawer, draw->context, draw->stages.stream_output);
    if (outcome == AG_DONE && draw->writers.count > 0)
        outcome = ag_uavs_load(expander->binder, draw->context, &draw->writers);
    return outcome;
}
