/* SPDX-License-Identifier: MIT */
#include "exec/expand/expanded_passes.h"

#include <string.h>

#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/draw/drawer_life.h"
#include "exec/draw/stream_output.h"
#include "exec/draw/vertex_pull.h"
#include "exec/expand/counted_draw.h"
#include "exec/expand/expander.h"
#include "exec/expand/expansion_batch.h"
#include "exec/expand/pool.h"
#include "exec/expand/preparation.h"
#include "exec/expand/stages.h"
#include "exec/host/host.h"
#include "exec/object/stream_output_declaration.h"
#include "exec/record/bind_group.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/emission.h"
#include "kernel/kernel.h"
#include "kernel/lists.h"
#include "kernel/plan.h"
#include "kernel/stream_output.h"
#include "kernel/tessellator.h"
#include "wgsl/binding.h"

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
    if (!draw->has_empty_groups) {
        wgpuComputePassEncoderSetBindGroup(pass, 1, draw->empty, 0, NULL);
        wgpuComputePassEncoderSetBindGroup(pass, 2, draw->empty, 0, NULL);
        draw->has_empty_groups = true;
    }
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

struct ag_buffer_range ag_prepared_range(const struct ag_prepared_expansion *draw,
                                         enum ag_expand_buffer buffer)
{
    return ag_expand_pool_range(draw->expander, buffer);
}

/* What the lists of the part are, which has this block. */
static struct ag_expand_lists_key key_of(const struct ag_prepared_expansion *draw,
                                         const uint8_t block[AG_ASSEMBLY_BLOCK_BYTES])
{
    struct ag_expand_lists_key key = {0};
    if (!draw->guest->indexed && !draw->stages.shape.restarts && !draw->expander->batch->is_off) {
        key.is_kept = true;
        key.context = draw->context->id;
        key.buffers_lost = draw->expander->recorder->buffers_lost;
        key.vertices = ag_prepared_range(draw, AG_EXPAND_BUFFER_VERTICES).id;
        key.primitives = ag_prepared_range(draw, AG_EXPAND_BUFFER_PRIMITIVES).id;
        memcpy(key.block, block, sizeof key.block);
    }
    return key;
}

static bool are_same(const struct ag_expand_lists_key *a, const struct ag_expand_lists_key *b)
{
    return a->is_kept && b->is_kept && a->context == b->context && a->buffers_lost == b->buffers_lost &&
           a->vertices == b->vertices && a->primitives == b->primitives &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
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
    const struct ag_expand_lists_key wanted = key_of(draw, bytes);
    if (are_same(&wanted, &present->key))
        return true;
    if (!ag_upload_ring_alloc(draw->expander->recorder, AG_ASSEMBLY_BLOCK_BYTES, &block))
        return false;
    memcpy(block.bytes, bytes, sizeof bytes);
    const struct ag_assembly_buffers buffers = {
        .block = slice_range(&block, AG_ASSEMBLY_BLOCK_BYTES),
        .indices = draw->index_range,
        .runs = ag_prepared_range(draw, AG_EXPAND_BUFFER_RUNS),
        .vertices = ag_prepared_range(draw, AG_EXPAND_BUFFER_VERTICES),
        .primitives = ag_prepared_range(draw, AG_EXPAND_BUFFER_PRIMITIVES),
    };
    /* The primitives of a later instance have the cut values of the first, which are found already. */
    bool known = part->first_instance > 0 && part->begin == 0 && part->end == shape->vertices;
    if (!ag_assembly_record(ag_drawer_assembly(draw->expander->drawer), pass, &buffers, part,
                            shape->restarts && !known))
        return false;
    present->key = wanted;
    present->inputs = 0;
    return true;
}

/* Records the fetch of the inputs, which the buffer may have already. */
static void record_inputs(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass, uint64_t vertices)
{
    const struct ag_vertex_records *records = &draw->records;
    struct ag_expand_pool *pool = &draw->expander->expand_pool;
    struct ag_expand_lists *lists = &pool->lists_of[pool->set];
    const uint64_t inputs = ag_prepared_range(draw, AG_EXPAND_BUFFER_INPUTS).id;
    const size_t bytes = records->registers * sizeof records->fetches[0];
    const bool is_kept = lists->key.is_kept && records->registers <= AG_EXPAND_KEPT_REGISTERS;
    if (is_kept && lists->inputs == inputs && lists->registers == records->registers &&
        memcmp(lists->fetches, records->fetches, bytes) == 0)
        return;
    ag_vertex_records_pull(draw->expander->drawer, pass, records, vertices);
    lists->inputs = is_kept ? inputs : 0;
    lists->registers = records->registers;
    if (is_kept)
        memcpy(lists->fetches, records->fetches, bytes);
}

static bool record_assembly(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                            const struct ag_assembly_part *part)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    if (!record_lists(draw, pass, part))
        return false;
    uint64_t vertices = (uint64_t)part->primitives * part->instances * shape->assembly.corners;
    record_inputs(draw, pass, vertices);
    run_stage(draw, pass, AG_EXPAND_STAGE_VERTEX, vertices);
    return true;
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
static bool tessellator_buffers(struct ag_prepared_expansion *draw, const struct ag_expansion_step *step,
                                struct ag_tessellator_buffers *buffers)
{
    struct ag_upload_slice block;
    if (!ag_upload_ring_alloc(draw->expander->recorder, AG_TESSELLATION_BLOCK_BYTES, &block))
        return false;
    ag_tessellation_block(&draw->stages.tessellation, &step->patches, step->number,
                          ag_prepared_drawn_vertices(draw), block.bytes);
    *buffers = (struct ag_tessellator_buffers){
        .block = slice_range(&block, AG_TESSELLATION_BLOCK_BYTES),
        .patches = ag_prepared_range(draw, AG_EXPAND_BUFFER_PRIMITIVES),
        .factors = ag_prepared_range(draw, AG_EXPAND_BUFFER_FACTORS),
        .starts = ag_prepared_range(draw, AG_EXPAND_BUFFER_STARTS),
        .points = ag_prepared_range(draw, AG_EXPAND_BUFFER_POINTS),
        .primitives = ag_prepared_range(draw, AG_EXPAND_BUFFER_TESSELLATED),
        .arguments = ag_prepared_range(draw, AG_EXPAND_BUFFER_ARGUMENTS),
    };
    return true;
}

/* Records what a part begins with: its patches, and what they yield. */
bool ag_expansion_record_beginning(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                                   const struct ag_expansion_step *step)
{
    struct ag_tessellator_buffers buffers;
    if (!record_assembly(draw, pass, step->part))
        return false;
    if (!draw->stages.shape.tessellates)
        return true;
    if (!tessellator_buffers(draw, step, &buffers))
        return false;
    record_hull(draw, pass, step->patches.patches);
    return ag_tessellator_record_counts(&draw->expander->expand_pool.tessellator, pass, &buffers,
                                        &draw->stages.tessellation, &step->patches);
}

/* Records what the tessellator and the domain shader do in a step. */
static bool record_tessellation(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                                const struct ag_expansion_step *step)
{
    struct ag_tessellator_buffers buffers;
    if (!draw->stages.shape.tessellates || step->first > 0)
        return true;
    if (!tessellator_buffers(draw, step, &buffers))
        return false;
    if (!ag_tessellator_record_step(&draw->expander->expand_pool.tessellator, pass, &buffers,
                                    &draw->stages.tessellation, &step->patches))
        return false;
    set_stage(draw, pass, AG_EXPAND_STAGE_DOMAIN);
    const bool is_counted = draw->counting == AG_COUNTING_DONE;
    const uint32_t points = is_counted && draw->counted.points < step->patches.points ? draw->counted.points
                                                                                      : step->patches.points;
    wgpuComputePassEncoderDispatchWorkgroups(pass, domain_workgroups(points), 1, 1);
    return true;
}

/* Records again what a step finds that others of its part have made. */
bool ag_expansion_record_lost(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                              const struct ag_expansion_step *step)
{
    struct ag_expansion_step first = *step;
    first.first = 0;
    return ag_expansion_record_beginning(draw, pass, step) &&
           (step->first == 0 || record_tessellation(draw, pass, &first));
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
                            const struct ag_expansion_step *step)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    uint64_t invocations = step->limit * shape->emission.instances;
    if (!shape->has_geometry)
        return true;
    if (draw->is_split) {
        const struct ag_list_part part = {shape->tessellated.vertices, (uint32_t)step->first,
                                          (uint32_t)step->limit};
        struct ag_list_buffers copy = {
            .from = ag_prepared_range(draw, AG_EXPAND_BUFFER_TESSELLATED),
            .to = ag_prepared_range(draw, AG_EXPAND_BUFFER_GEOMETRY_INPUTS),
        };
        if (!make_list_block(draw, &part, &copy.block) ||
            !ag_list_record_copy(&draw->expander->expand_pool.lists, pass, &copy, &part))
            return false;
    }
    run_stage(draw, pass, AG_EXPAND_STAGE_GEOMETRY, invocations);
    return true;
}

/* Whether the processor knows how many primitives a step makes. */
bool ag_expansion_has_known_count(const struct ag_prepared_expansion *draw)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    return !shape->has_geometry && !shape->tessellates && !shape->restarts;
}

/* Vertices beyond the end of a list are drawn to no place. So few of them, or of primitives that each patch
 * may become, cost less than an indirect draw, which WebGPU checks with a pass of its own. */
#define FEW_VERTICES 1024
#define FEW_PRIMITIVES 4

/* Whether the processor has read back how many primitives the tessellator made. */
static bool has_counted_primitives(const struct ag_prepared_expansion *draw)
{
    return draw->counting == AG_COUNTING_DONE && draw->counted.steps == 1;
}

bool ag_expansion_is_direct(const struct ag_prepared_expansion *draw, uint64_t vertices)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    return ag_expansion_has_known_count(draw) || vertices <= FEW_VERTICES ||
           (shape->tessellates && !shape->has_geometry && vertices <= UINT32_MAX &&
            (shape->tessellated.primitives <= FEW_PRIMITIVES || has_counted_primitives(draw)));
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
        .inputs = ag_prepared_range(draw, ag_prepared_geometry_inputs(draw)),
        .emits = ag_prepared_range(draw, AG_EXPAND_BUFFER_EMITS),
        .counts = ag_prepared_range(draw, AG_EXPAND_BUFFER_COUNTS),
        .primitives = ag_prepared_range(draw, AG_EXPAND_BUFFER_EMITTED),
        .arguments = ag_prepared_range(draw, AG_EXPAND_BUFFER_ARGUMENTS),
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
    const struct ag_buffer_range records = ag_prepared_range(draw, ag_prepared_made_records(draw));
    const struct ag_buffer_range primitives = ag_prepared_range(draw, ag_prepared_made_primitives(draw));
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
    if (draw->stages.shape.has_geometry || draw->stages.shape.tessellates ||
        ag_expansion_has_known_count(draw))
        return true;
    const struct ag_list_part drawn = {.vertices = ag_prepared_drawn_vertices(draw)};
    struct ag_list_buffers buffers = {
        .from = ag_prepared_range(draw, ag_prepared_made_primitives(draw)),
        .to = ag_prepared_range(draw, AG_EXPAND_BUFFER_ARGUMENTS),
    };
    return make_list_block(draw, &drawn, &buffers.block) &&
           ag_list_record_arguments(&draw->expander->expand_pool.lists, pass, &buffers);
}

/* Records what makes the list of primitives that are rasterized, or else at least counted. */
static bool record_primitives(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass, uint64_t limit)
{
    const uint32_t stream = draw->stages.shape.emission.stream;
    if (draw->rasterizes)
        return record_emission(draw, pass, stream, limit) && record_end(draw, pass);
    return draw->stages.stream_output || !ag_prepared_is_counted(draw) ||
           record_emission(draw, pass, stream, limit);
}

bool ag_expansion_record(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                         const struct ag_expansion_step *step, uint64_t most)
{
    draw->has_empty_groups = false;
    const bool made = ag_expansion_begins_part(step) && draw->counting != AG_COUNTING_DONE
                          ? ag_expansion_record_beginning(draw, pass, step)
                          : true;
    return made && record_tessellation(draw, pass, step) && record_geometry(draw, pass, step) &&
           record_streams(draw, pass, step->limit, most) && record_primitives(draw, pass, step->limit);
}
