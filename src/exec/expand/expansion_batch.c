/* SPDX-License-Identifier: MIT */
#include "exec/expand/expansion_batch.h"

#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/vec.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/context.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/bind/target_copy.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/kept_draw.h"
#include "exec/draw/raster.h"
#include "exec/expand/batch_inputs.h"
#include "exec/expand/expanded_passes.h"
#include "exec/expand/expander.h"
#include "exec/expand/pool.h"
#include "exec/expand/stages.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/object/sample_count.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/plan.h"
#include "wgsl/expansion.h"

#define BIT(state) AG_STATE_BIT(AG_STATE_##state)

/* What draws of a batch may change. Targets and other outputs are none of it: packets that set them end a
 * batch. */
#define AREA (BIT(VIEWPORTS) | BIT(SCISSORS) | BIT(RASTERIZER))
#define FIXED (BIT(SHADERS) | BIT(BLEND) | BIT(DEPTH_STENCIL) | BIT(RASTERIZER))
/* What draws without stream output do not depend on. */
#define INERT (BIT(PREDICATION) | BIT(D3D9))
#define TAKEN                                                                                                \
    (AG_BATCH_BINDINGS | AREA | AG_BATCH_INPUTS | AG_BATCH_VALUES | FIXED | BIT(INDEX_BUFFER) | INERT)
/* What neither a pipeline nor a bind group depends on. */
#define OUTSIDE_GROUPS                                                                                       \
    (BIT(SCISSORS) | BIT(VERTEX_BUFFERS) | BIT(INPUT_LAYOUT) | BIT(TOPOLOGY) | BIT(INDEX_BUFFER) | INERT)

#define PIXEL_BIT (UINT32_C(1) << AGPU_STAGE_PIXEL)

/* ---- Pieces ------------------------------------------------------------------------------------------- */

/* The most primitives that so many of the guest become. */
static uint64_t most_made(const struct ag_prepared_expansion *draw, uint64_t units)
{
    const struct ag_expand_shape *shape = &draw->stages.shape;
    const uint64_t made = shape->tessellates ? units * shape->tessellated.primitives : units;
    return shape->has_geometry ? made * ag_emission_primitives(&shape->emission) * shape->emission.instances
                               : made;
}

/* Whether a list is drawn in pieces. */
static bool has_pieces(const struct ag_prepared_expansion *draw)
{
    return draw->stages.drawn.pieces || ag_expansion_has_known_count(draw);
}

/* The pass of the batch, which is open as a rule. */
static WGPURenderPassEncoder use_pass(struct ag_expander *expander)
{
    struct ag_recorder *recorder = expander->recorder;
    return recorder->pass.encoder && recorder->pass_number == expander->batch->pass_number &&
                   !recorder->queries.active.count
               ? recorder->pass.encoder
               : ag_pass_begin(recorder, &expander->batch->draw.attachments);
}

static void record_piece(struct ag_expander *expander)
{
    struct ag_expansion_batch *batch = expander->batch;
    struct ag_prepared_expansion *draw = &batch->draw;
    const uint32_t drawn = ag_prepared_drawn_vertices(draw), piece = batch->pieces.count;
    const bool is_known = ag_expansion_has_known_count(draw);
    const uint64_t vertices = most_made(draw, ag_batch_units(batch) - batch->piece_units) * drawn;
    WGPURenderPassEncoder encoder = use_pass(expander);
    ag_draw_set_pipeline(expander->drawer, draw->pipeline->gpu);
    ag_draw_set_area(expander->drawer, draw->pipeline, &draw->areas[0]);
    ag_draw_set_constants(expander->drawer, batch->blend_factor, batch->stencil_reference, draw->pipeline);
    if (batch->has_new_groups)
        ag_draw_set_groups(expander->drawer, draw->draw_groups[0], (1u << 4) - 1);
    batch->has_new_groups = false;
    ag_throttle_add_draw(expander->recorder, expander->drawer->texels, vertices);
    ag_throttle_add_threads(expander->recorder, vertices);
    if (ag_expansion_is_direct(draw, vertices))
        wgpuRenderPassEncoderDraw(encoder, (uint32_t)vertices, 1, is_known ? batch->piece_units * drawn : 0,
                                  draw->stages.drawn.pieces ? piece << AG_PIECE_SHIFT : 0);
    else
        wgpuRenderPassEncoderDrawIndirect(encoder, ag_prepared_range(draw, AG_EXPAND_BUFFER_ARGUMENTS).buffer,
                                          draw->stages.drawn.pieces ? piece * UINT64_C(4) * AG_PIECE_WORDS
                                                                    : 0);
    ag_targets_written(&draw->attachments);
}

static void begin_piece(struct ag_expansion_batch *batch, uint32_t first_unit)
{
    const struct ag_context *context = batch->context;
    memcpy(batch->blend_factor, context->blend_factor, sizeof batch->blend_factor);
    batch->stencil_reference = context->stencil_reference;
    batch->piece_units = first_unit;
    batch->pieces.first_patches[batch->pieces.count++] = first_unit;
    batch->is_pending = true;
}

void ag_expansion_batch_settle(struct ag_expander *expander)
{
    if (!expander->batch->is_pending)
        return;
    expander->batch->is_pending = false;
    record_piece(expander);
}

/* ---- The compute passes ------------------------------------------------------------------------------- */

/* Records the kernel that finds the pieces. False when memory is exhausted (reported). */
static bool record_pieces(struct ag_expander *expander, WGPUComputePassEncoder pass)
{
    struct ag_expansion_batch *batch = expander->batch;
    struct ag_prepared_expansion *draw = &batch->draw;
    struct ag_upload_slice block;
    if (!draw->stages.drawn.pieces || batch->pieces.count == 1)
        return true;
    if (!ag_upload_ring_alloc(expander->recorder, AG_PIECES_BLOCK_BYTES, &block))
        return false;
    batch->pieces.vertices = ag_prepared_vertices_made(draw);
    batch->pieces.drawn = ag_prepared_drawn_vertices(draw);
    ag_pieces_block(&batch->pieces, block.bytes);
    const struct ag_piece_buffers buffers = {
        .block = {block.gpu, block.offset, AG_PIECES_BLOCK_BYTES, block.id},
        .list = ag_prepared_range(draw, AG_EXPAND_BUFFER_TESSELLATED),
        .arguments = ag_prepared_range(draw, AG_EXPAND_BUFFER_ARGUMENTS),
    };
    return ag_pieces_record(&expander->expand_pool.pieces, pass, &buffers, batch->pieces.count);
}

/* Empties the lists, since pieces are drawn already that would show older ones. */
static void record_nothing(struct ag_expander *expander)
{
    const struct ag_prepared_expansion *draw = &expander->batch->draw;
    const struct ag_buffer_range list = ag_prepared_range(draw, ag_prepared_made_primitives(draw));
    const struct ag_buffer_range arguments = ag_prepared_range(draw, AG_EXPAND_BUFFER_ARGUMENTS);
    WGPUCommandEncoder encoder = ag_recorder_ahead_encoder(expander->recorder);
    wgpuCommandEncoderClearBuffer(encoder, list.buffer, 0, UINT64_C(4) * AG_LIST_HEADER_WORDS);
    wgpuCommandEncoderClearBuffer(encoder, arguments.buffer, 0, arguments.size);
    ag_expand_pool_forget_lists(expander);
}

static void record(struct ag_expander *expander)
{
    struct ag_expansion_batch *batch = expander->batch;
    struct ag_prepared_expansion *draw = &batch->draw;
    struct ag_expand_shape *shape = &draw->stages.shape;
    const struct ag_tessellation_capacity *patch = &shape->tessellated;
    const uint32_t units = ag_batch_units(batch);
    /* No bind group is kept of contents that the guest's buffer does not have any more. */
    if (batch->indices.buffer && batch->indices.buffer->gpu != batch->indices.gpu)
        draw->index_range.id = 0;
    WGPUComputePassEncoder pass = ag_recorder_ahead_pass(expander->recorder, "primitives of draws");
    shape->vertices = batch->guest.count;
    const struct ag_assembly_part part = {.primitives = units, .instances = 1, .end = shape->vertices};
    struct ag_expansion_step step = {.part = &part, .limit = units};
    if (shape->tessellates) {
        step.limit = units * patch->primitives;
        step.patches = (struct ag_tessellator_part){
            .patches = units,
            .steps = 1,
            .points = (uint32_t)(units * patch->points),
            .primitives = (uint32_t)step.limit,
        };
    }
    if (!ag_expansion_record(draw, pass, &step, most_made(draw, units)) || !record_pieces(expander, pass))
        record_nothing(expander);
}

/* Releases what was bound. */
static void let_go(struct ag_expansion_batch *batch)
{
    ag_prepared_release(&batch->draw);
    if (batch->indices.gpu)
        wgpuBufferRelease(batch->indices.gpu);
    batch->indices = (struct ag_batch_indices){0};
}

static void flush(void *user)
{
    ag_expansion_batch_flush(user);
}

void ag_expansion_batch_flush(struct ag_expander *expander)
{
    struct ag_expansion_batch *batch = expander->batch;
    batch->accepts = false;
    if (!batch->is_open)
        return;
    batch->is_open = false;
    ag_batch_count_sets(batch);
    record(expander); /* first, since drawing may begin another pass */
    ag_expansion_batch_settle(expander);
    let_go(batch);
}

void ag_expansion_batch_drop(struct ag_expander *expander)
{
    struct ag_expansion_batch *batch = expander->batch;
    batch->accepts = batch->is_open = batch->is_pending = false;
    let_go(batch);
    ag_vec_fini(&batch->draw.kept);
}

/* ---- Draws that join ---------------------------------------------------------------------------------- */

/* What packets changed from now on is changed since this draw. The kept plain draw, which notes it, is none.
 */
static void note_draw(struct ag_expander *expander)
{
    expander->drawer->kept->changed = expander->drawer->kept->stages = 0;
}

void ag_expansion_batch_open(struct ag_expander *expander)
{
    struct ag_expansion_batch *batch = expander->batch;
    struct ag_prepared_expansion *draw = &batch->draw;
    struct ag_recorder *recorder = expander->recorder;
    batch->guest = *draw->guest;
    draw->guest = &batch->guest;
    batch->context = draw->context;
    batch->pieces.count = 0;
    ag_batch_note_inputs(expander, draw->context);
    ag_recorder_want_front(recorder);
    ag_pass_begin(recorder, &draw->attachments); /* what the draw uses, it uses in this pass */
    recorder->pass_ends = flush;
    recorder->pass_ends_user = expander;
    batch->pass_number = recorder->pass_number;
    batch->groups_destroyed = recorder->groups_destroyed;
    batch->is_open = batch->has_new_groups = true;
    batch->accepts = !batch->is_off && !draw->attachments.exceeds_each;
    begin_piece(batch, 0);
    note_draw(expander);
}

/* Whether the vertices are those behind the batch's, and there is room for them. */
static bool follows(const struct ag_expansion_batch *batch, const struct ag_draw *draw)
{
    const struct ag_draw *guest = &batch->guest;
    const uint32_t each = batch->draw.stages.shape.assembly.list_vertices;
    return draw->instance_count == 1 && draw->first_instance == guest->first_instance &&
           draw->first >= guest->first && draw->first - guest->first == guest->count &&
           draw->count % each == 0 && draw->count / each <= batch->draw.join_units - ag_batch_units(batch);
}

/* Whether a pixel shader, or none, may draw pieces. */
static bool allows_pixel(struct ag_expander *expander, const struct ag_context *context)
{
    const struct ag_shader_program *pixel = ag_shader_at(expander->binder, context, AGPU_STAGE_PIXEL);
    return !context->stages[AGPU_STAGE_PIXEL].bound_uavs &&
           (!pixel || (!pixel->refused && !pixel->has_uavs && !pixel->tests_early));
}

static bool has_attachments(struct ag_expander *expander, struct ag_context *context)
{
    struct ag_attachments attachments;
    return ag_attachments_init(expander->drawer, context, &attachments) == AG_DONE &&
           memcmp(&attachments, &expander->batch->draw.attachments, sizeof attachments) == 0 &&
           ag_samples_host_mask(attachments.sample_count, context->sample_mask) &&
           !ag_target_copies_needed(context, &attachments);
}

/* Finds the pipeline of the piece, which draws the list in the same way. */
static bool refresh_pipeline(struct ag_expander *expander, struct ag_context *context)
{
    struct ag_prepared_expansion *draw = &expander->batch->draw;
    struct ag_expanded_key drawn = draw->stages.drawn;
    ag_expand_stages_draw(context, &draw->stages);
    const bool is_same = memcmp(&drawn, &draw->stages.drawn, sizeof drawn) == 0;
    draw->stages.drawn = drawn;
    struct ag_pipeline *pipeline;
    if (!is_same || ag_expanded_pipeline_get(expander->binder, context, &draw->attachments,
                                             draw->stages.stages[draw->stages.last].program, &drawn,
                                             &pipeline) != AG_DONE)
        return false;
    draw->pipeline = pipeline;
    return !ag_pipeline_writes(pipeline) && !ag_prepared_reads_numbers(draw);
}

/* Whether what a piece is drawn with may depend on contents of buffers and textures, or on which constants
 * are bound: the vertex shader reads lists alone. */
static bool reads_contents(const struct ag_pipeline *pipeline)
{
    const struct ag_shader_variant *pixel = pipeline->pixel_program ? pipeline->pixel : NULL;
    return pixel && (pixel->module->binding_count || pixel->module->unbound_count);
}

/* Prepares anew what a piece is drawn with, as far as it changed. */
static bool refresh(struct ag_expander *expander, struct ag_context *context, uint32_t changed,
                    uint32_t stages)
{
    struct ag_prepared_expansion *draw = &expander->batch->draw;
    const bool is_bound = (changed & AG_BATCH_BINDINGS) && (stages & PIXEL_BIT);
    if ((changed & FIXED) && (!allows_pixel(expander, context) || !has_attachments(expander, context)))
        return false;
    if ((changed & AREA) &&
        !ag_raster_area_init(context, 0, draw->attachments.width, draw->attachments.height,
                             expander->host->limits.maxTextureDimension2D, &draw->areas[0]))
        return false;
    if (((changed & FIXED) || is_bound) && !refresh_pipeline(expander, context))
        return false;
    if (!(changed & ~OUTSIDE_GROUPS))
        return true;
    if (!(changed & ~(OUTSIDE_GROUPS | AG_BATCH_VALUES | BIT(CONSTANT_BUFFERS))) &&
        !reads_contents(draw->pipeline))
        return true;
    expander->batch->has_new_groups = true;
    return ag_prepared_bind_draw(draw, 0) == AG_DONE;
}

/* Whether a draw with what changed since the last one may begin a piece, for which all is prepared then. */
static bool prepare_piece(struct ag_expander *expander, struct ag_context *context)
{
    struct ag_expansion_batch *batch = expander->batch;
    const struct ag_recorder *recorder = expander->recorder;
    const struct ag_kept_draw *noted = expander->drawer->kept;
    const uint32_t changed = noted->changed, stages = noted->stages;
    if (!has_pieces(&batch->draw) || batch->pieces.count == AG_MOST_PIECES || (changed & ~TAKEN) ||
        ag_queries_want(recorder, AG_QUERY_COUNTER_IA_VERTICES) ||
        !ag_batch_has_inputs(expander, context, changed, stages) ||
        !refresh(expander, context, changed, stages))
        return false;
    use_pass(expander);
    return batch->accepts && recorder->pass_number == batch->pass_number &&
           recorder->groups_destroyed == batch->groups_destroyed;
}

/* Lets the draw begin a piece. False when the batch has all of its draws. */
static bool add_piece(struct ag_expander *expander, struct ag_context *context)
{
    const uint32_t units = ag_batch_units(expander->batch);
    ag_expansion_batch_settle(expander);
    if (!prepare_piece(expander, context))
        return false;
    begin_piece(expander->batch, units);
    note_draw(expander);
    return true;
}

/* Begins to make the tessellator for more patches than batches have at first. */
static bool begin_for_more(struct ag_expander *expander)
{
    const struct ag_expand_stages *stages = &expander->batch->draw.stages;
    return !stages->shape.tessellates || stages->tessellation.has_fixed_places ||
           ag_expand_pool_begin_tessellator(expander, AG_TESSELLATOR_ADDED);
}

bool ag_expansion_batch_take(struct ag_expander *expander, struct ag_context *context,
                             const struct ag_draw *draw)
{
    struct ag_expansion_batch *batch = expander->batch;
    if (!batch->accepts)
        return false;
    batch->accepts =
        batch->context == context && follows(batch, draw) && ag_batch_has_indices(batch, context, draw);
    if (batch->accepts && !(batch->is_pending && expander->drawer->kept->changed == 0))
        batch->accepts = add_piece(expander, context);
    batch->accepts = batch->accepts && begin_for_more(expander);
    if (!batch->accepts)
        return false;
    batch->guest.count += draw->count;
    batch->uses++;
    return true;
}
