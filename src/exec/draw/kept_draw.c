/* SPDX-License-Identifier: MIT */
#include "exec/draw/kept_draw.h"

#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/index_scan.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/pipeline_memo.h"
#include "exec/bind/shader.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/kept_bindings.h"
#include "exec/draw/kept_vertices.h"
#include "exec/draw/plain_draw.h"
#include "exec/draw/raster.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/object/resource.h"
#include "exec/object/sample_count.h"
#include "exec/record/recorder.h"
#include "exec/state/state.h"
#include "exec/transfer/buffer_upload.h"
#include "gpu/webgpu.h"

#define BIT(state) AG_STATE_BIT(AG_STATE_##state)

/* What a kept draw takes in. What else changes ends the kept draw. */
#define TARGETS (BIT(COLOR_TARGETS) | BIT(DEPTH_STENCIL_TARGET))
#define BINDINGS (BIT(SHADER_RESOURCES) | BIT(SAMPLERS) | BIT(CONSTANT_BUFFERS))
#define DYNAMIC (BIT(VIEWPORTS) | BIT(SCISSORS))
#define FIXED                                                                                                \
    (BIT(SHADERS) | BIT(INPUT_LAYOUT) | BIT(TOPOLOGY) | BIT(BLEND) | BIT(DEPTH_STENCIL) | BIT(RASTERIZER))
#define TAKEN                                                                                                \
    (TARGETS | BINDINGS | DYNAMIC | FIXED | BIT(VERTEX_BUFFERS) | BIT(INDEX_BUFFER) | BIT(CONSTANTS) |       \
     BIT(UNORDERED_ACCESS) | AG_CHANGES_CONTENTS | INERT)
/* What meshes change. */
#define CONTENTS (AG_CHANGES_CONTENTS | BIT(VERTEX_BUFFERS) | BIT(INDEX_BUFFER))
/* What decides on vertices that are pulled. */
#define PULLED (BIT(VERTEX_BUFFERS) | BIT(INPUT_LAYOUT) | BIT(SHADERS))
/* What the draw block tells nothing of. */
#define OUTSIDE_BLOCK                                                                                        \
    (BIT(CONSTANT_BUFFERS) | BIT(CONSTANTS) | BIT(VERTEX_BUFFERS) | BIT(INDEX_BUFFER) | AG_CHANGES_CONTENTS)
/* What no draw of such shaders depends on. A draw that a predicate skips is not made at all. */
#define INERT (BIT(STREAM_OUTPUT_TARGETS) | BIT(PREDICATION) | BIT(D3D9))
/* What draws without preparation may follow: what is in nearly all frames' loops. */
#define FOLLOWED                                                                                             \
    (CONTENTS | DYNAMIC | BIT(SHADER_RESOURCES) | BIT(SAMPLERS) | BIT(SHADERS) | BIT(BLEND) |                \
     BIT(DEPTH_STENCIL) | BIT(RASTERIZER))

#define GROUP_STAGES (UINT32_C(1) << AGPU_STAGE_VERTEX | UINT32_C(1) << AGPU_STAGE_PIXEL)

void ag_kept_draw_drop(struct ag_drawer *drawer)
{
    drawer->kept->is_kept = drawer->kept->is_ready = false;
    ag_prepared_draw_release(&drawer->kept->prepared);
}

/* ---- Refreshing --------------------------------------------------------------------------------------- */

/* Whether the targets alone decide on the attachments: there is a pixel shader, of which no target blends a
 * second output, and no target needs to be clamped. */
static bool has_plain_attachments(const struct ag_drawer *drawer, const struct ag_context *context)
{
    return !ag_attachments_hold_norms(&drawer->kept->prepared.attachments) &&
           ag_stage_is_bound(drawer->binder, context, AGPU_STAGE_PIXEL) &&
           !ag_blend_uses_source1(&context->blend.targets[0]);
}

/* Whether the draw has the attachments of the pass. */
static bool has_attachments(struct ag_drawer *drawer, struct ag_context *context)
{
    struct ag_attachments attachments;
    const bool is_plain = has_plain_attachments(drawer, context);
    if (drawer->kept->has_plain_attachments && is_plain && !(drawer->kept->changed & TARGETS))
        return ag_samples_host_mask(drawer->kept->prepared.attachments.sample_count, context->sample_mask);
    drawer->kept->has_plain_attachments = is_plain;
    return ag_attachments_init(drawer, context, &attachments) == AG_DONE &&
           memcmp(&attachments, &drawer->kept->prepared.attachments, sizeof attachments) == 0 &&
           ag_samples_host_mask(attachments.sample_count, context->sample_mask);
}

static uint32_t strip_format(const struct ag_context *context, const struct ag_draw *draw)
{
    if (!draw->indexed || !ag_topology_is_strip(context->topology))
        return WGPUIndexFormat_Undefined;
    return context->index_buffer.wide ? WGPUIndexFormat_Uint32 : WGPUIndexFormat_Uint16;
}

static bool reads_alike(const struct ag_vertex_state *a, const struct ag_vertex_state *b)
{
    return a->pulled == b->pulled && a->buffer_count == b->buffer_count &&
           memcmp(a->buffers, b->buffers, a->buffer_count * sizeof a->buffers[0]) == 0;
}

static void take_pipeline(struct ag_kept_draw *kept, struct ag_pipeline *pipeline, struct ag_kept_news *news)
{
    const struct ag_pipeline *before = kept->prepared.pipeline;
    if (pipeline == before)
        return;
    news->pipeline = true;
    news->layout = !reads_alike(&before->key.vertex, &pipeline->key.vertex);
    news->state |= before->blend_constants != pipeline->blend_constants;
    news->area |= before->key.depth_rounded != pipeline->key.depth_rounded;
    kept->prepared.pipeline = pipeline;
}

static bool refresh_pipeline(struct ag_drawer *drawer, struct ag_context *context, uint32_t strip,
                             struct ag_kept_news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    if (!ag_pipeline_inputs_update(drawer->binder, context, &kept->prepared.attachments, kept->changed,
                                   news->stages, &kept->inputs))
        return false;
    if (!kept->inputs.moved && kept->inputs.versions.strip_format == strip)
        return true;
    ag_pipeline_inputs_set_draw(&kept->inputs, strip, ag_kept_draw_is_pulled(kept));
    struct ag_pipeline *pipeline = ag_pipeline_memo_find(drawer->binder, &kept->inputs);
    if (!pipeline)
        return false;
    take_pipeline(kept, pipeline, news);
    return true;
}

static bool refresh_vertices(struct ag_drawer *drawer, struct ag_context *context, struct ag_kept_news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    const bool changed = (kept->changed & AG_CHANGES_CONTENTS) && ag_kept_vertices_changed(kept);
    if (ag_kept_draw_is_pulled(kept))
        return !changed;
    if (!news->layout && !(kept->changed & BIT(VERTEX_BUFFERS)) && !changed)
        return true;
    news->vertices = true;
    if (ag_vertex_sources_init(drawer->binder, context, &kept->prepared.pipeline->key.vertex,
                               kept->prepared.vertices) != AG_DONE)
        return false;
    ag_kept_vertices_note(kept);
    return true;
}

static bool refresh_indices(struct ag_drawer *drawer, struct ag_context *context)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_buffer *buffer = context->index_buffer.buffer;
    const uint64_t offset = context->index_buffer.offset, width = context->index_buffer.wide ? 4 : 2;
    if (kept->has_indices && buffer->version == kept->index_version)
        return true;
    kept->has_indices = false;
    if (!buffer || !buffer->shadow || offset % width != 0 || offset > buffer->size ||
        !ag_buffer_use(drawer->copier, buffer))
        return false;
    kept->prepared.indices = (struct ag_index_source){
        .buffer = buffer->gpu,
        .format = width == 4 ? WGPUIndexFormat_Uint32 : WGPUIndexFormat_Uint16,
        .offset = offset,
        .size = buffer->size - offset,
        .topology = context->topology,
    };
    kept->index_version = buffer->version;
    kept->has_indices = true;
    return true;
}

/* The draw block tells of most state, and of the draw itself. */
static bool refresh_block(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw,
                          struct ag_kept_news *news)
{
    struct ag_prepared_draw *prepared = &drawer->kept->prepared;
    const struct ag_draw *before = &prepared->draw;
    const uint32_t count = prepared->pipeline->uses_draw_block ? 4 : 2;
    const bool moved = draw->indexed != before->indexed || draw->first != before->first ||
                       draw->base_vertex != before->base_vertex ||
                       draw->first_instance != before->first_instance;
    if (count == 2 || (!moved && !(drawer->kept->changed & ~OUTSIDE_BLOCK) && !news->rebound &&
                       prepared->group_count == count)) {
        prepared->group_count = count;
        return true;
    }
    prepared->draw = *draw;
    prepared->group_count = count;
    news->groups |= 1u << 2 | 1u << 3;
    ag_draw_block_update(draw, context, &prepared->area, &prepared->attachments, &prepared->block);
    for (uint32_t group = 2; group < count; group++)
        if (ag_prepared_draw_bind(drawer, context, prepared, group) != AG_DONE)
            return false;
    return true;
}

static bool refresh_area(struct ag_drawer *drawer, struct ag_context *context, struct ag_kept_news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    const struct ag_attachments *attachments = &kept->prepared.attachments;
    if (!(kept->changed & (DYNAMIC | BIT(RASTERIZER))))
        return true;
    news->area = true;
    if (!(kept->changed & BIT(VIEWPORTS)))
        return ag_raster_scissor_init(context, 0, attachments->width, attachments->height,
                                      &kept->prepared.area);
    return ag_raster_area_init(context, 0, attachments->width, attachments->height,
                               drawer->host->limits.maxTextureDimension2D, &kept->prepared.area);
}

/* Prepares anew what other contents of buffers and other vertices and indices change. */
static bool refresh_contents(struct ag_drawer *drawer, struct ag_context *context, uint32_t strip,
                             struct ag_kept_news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    if (kept->changed & BIT(INDEX_BUFFER))
        kept->has_indices = false;
    if ((kept->changed & BIT(VERTEX_BUFFERS)) && !ag_pipeline_inputs_have_vertices(&kept->inputs, context) &&
        !refresh_pipeline(drawer, context, strip, news))
        return false;
    if (((kept->changed & BIT(VERTEX_BUFFERS)) || ag_kept_vertices_changed(kept)) &&
        !refresh_vertices(drawer, context, news))
        return false;
    for (uint32_t group = 0; group < AG_KEPT_GROUPS; group++) {
        const struct ag_kept_stage *stage = &kept->kept_stages[group];
        if (stage->moves_simply && !stage->has_buffers && !news->pipeline
                ? !ag_kept_constants_follow(drawer, group)
                : !ag_kept_group_refresh(drawer, context, group, news))
            return false;
    }
    return true;
}

/* Prepares anew what changed, in the order of a whole preparation. */
static bool refresh(struct ag_drawer *drawer, struct ag_context *context, uint32_t strip,
                    struct ag_kept_news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    const uint32_t changed = kept->changed;
    if (!(changed & ~CONTENTS) && !(ag_kept_draw_is_pulled(kept) && (changed & PULLED)))
        return refresh_contents(drawer, context, strip, news);
    news->stages = kept->stages;
    if ((changed & ~TAKEN) || context->stages[AGPU_STAGE_PIXEL].bound_uavs ||
        (ag_kept_draw_is_pulled(kept) && (changed & PULLED)))
        return false;
    if ((changed & (TARGETS | BIT(SHADERS) | BIT(BLEND) | BIT(DEPTH_STENCIL))) &&
        !has_attachments(drawer, context))
        return false;
    if (!refresh_area(drawer, context, news))
        return false;
    if (!(changed & BIT(SHADERS)))
        for (uint32_t group = 0; group < AG_KEPT_GROUPS; group++)
            ag_kept_group_recall(drawer, context, group, news);
    const bool samples_anew = (news->stages & GROUP_STAGES) && (changed & BINDINGS);
    if ((samples_anew || (changed & (TARGETS | FIXED | BIT(VERTEX_BUFFERS)))) &&
        !refresh_pipeline(drawer, context, strip, news))
        return false;
    if (!refresh_vertices(drawer, context, news))
        return false;
    if (changed & BIT(INDEX_BUFFER))
        kept->has_indices = false;
    for (uint32_t group = 0; group < AG_KEPT_GROUPS; group++)
        if (!ag_kept_group_refresh(drawer, context, group, news))
            return false;
    news->state |= (changed & (BIT(BLEND) | BIT(DEPTH_STENCIL))) != 0;
    return true;
}

/* ---- Drawing ------------------------------------------------------------------------------------------ */

/* Sets what is new. */
static void set_news(struct ag_drawer *drawer, const struct ag_context *context,
                     const struct ag_kept_news *news)
{
    const struct ag_prepared_draw *prepared = &drawer->kept->prepared;
    if (news->pipeline)
        ag_draw_set_pipeline(drawer, prepared->pipeline->gpu);
    if (news->area)
        ag_draw_set_area(drawer, prepared->pipeline, &prepared->area);
    if (news->state)
        ag_draw_set_constants(drawer, context->blend_factor, context->stencil_reference, prepared->pipeline);
    if (news->groups)
        ag_draw_set_groups(drawer, prepared->groups, news->groups & ((1u << prepared->group_count) - 1));
    if (news->vertices)
        ag_draw_set_vertices(drawer, prepared->vertices, prepared->pipeline->vertex_state.buffer_count);
}

static void record(struct ag_drawer *drawer, const struct ag_draw *draw)
{
    WGPURenderPassEncoder encoder = drawer->recorder->pass.encoder;
    ag_throttle_add_draw(drawer->recorder, drawer->texels, (uint64_t)draw->count * draw->instance_count);
    if (!draw->indexed) {
        wgpuRenderPassEncoderDraw(encoder, draw->count, draw->instance_count, draw->first,
                                  draw->first_instance);
        return;
    }
    ag_draw_set_indices(drawer, &drawer->kept->prepared.indices);
    wgpuRenderPassEncoderDrawIndexed(encoder, draw->count, draw->instance_count, draw->first,
                                     draw->base_vertex, draw->first_instance);
}

/* Prepares the draw, which *recorded is made of: the guest's, but for pulled vertices. */
static bool prepare(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw,
                    struct ag_kept_news *news, struct ag_draw *recorded)
{
    struct ag_kept_draw *kept = drawer->kept;
    if (!kept->is_kept || kept->context != context ||
        !ag_kept_draw_is_in_pass(drawer->kept, drawer->recorder))
        return false;
    const uint32_t strip = strip_format(context, draw);
    if (kept->inputs.versions.strip_format != strip)
        kept->changed |= BIT(TOPOLOGY);
    if (kept->changed && !refresh(drawer, context, strip, news))
        return false;
    if ((draw->indexed && !refresh_indices(drawer, context)) || !ag_kept_draw_fits(kept, draw))
        return false;
    *recorded = ag_kept_draw_placed(kept, draw);
    return refresh_block(drawer, context, recorded, news) &&
           ag_kept_draw_is_in_pass(drawer->kept, drawer->recorder);
}

/* What may be known of the indices without looking at them. */
static void note_indices(struct ag_kept_draw *kept)
{
    struct ag_index_bounds bounds;
    kept->known_indices = 0;
    if (!kept->is_ready || !kept->has_indices || ag_topology_is_strip(kept->context->topology))
        return;
    const struct ag_index_buffer_slot *slot = &kept->context->index_buffer;
    if (slot->buffer->version != kept->index_version || slot->offset > slot->buffer->size ||
        !ag_index_buffer_is_known(slot->buffer, slot->wide, &bounds))
        return;
    kept->known_indices = (slot->buffer->size - slot->offset) / (slot->wide ? 4 : 2);
    kept->last_index = bounds.last;
}

/* Notes whether draws may be repeated (ag_kept_draw_repeat()), and after what. */
static void note_ready(struct ag_kept_draw *kept)
{
    const struct ag_prepared_draw *prepared = &kept->prepared;
    kept->is_ready =
        kept->is_kept && kept->inputs.versions.strip_format == WGPUIndexFormat_Undefined &&
        prepared->group_count == (prepared->pipeline->uses_draw_block ? 4 : 2) &&
        !kept->needs_first_instance_0 &&
        !(ag_kept_draw_is_pulled(kept) && (kept->reads_instances || prepared->pipeline->uses_draw_block));
    kept->has_block = kept->is_ready && prepared->pipeline->uses_draw_block;
    kept->followed = kept->has_block ? FOLLOWED & OUTSIDE_BLOCK : FOLLOWED;
    note_indices(kept);
}

/* What is followed by itself, other than the indices. The rest is refreshed. */
#define SIMPLE (CONTENTS | DYNAMIC | BIT(SHADER_RESOURCES) | BIT(SAMPLERS))

/* False: the vertices are to be refreshed. */
static bool follow_vertices(struct ag_drawer *drawer, struct ag_context *context)
{
    struct ag_kept_draw *kept = drawer->kept;
    const struct ag_pipeline *pipeline = kept->prepared.pipeline;
    if (!(kept->changed & BIT(VERTEX_BUFFERS)))
        return !ag_kept_vertices_changed(kept);
    if (ag_kept_draw_is_pulled(kept) || !ag_pipeline_inputs_have_vertices(&kept->inputs, context) ||
        ag_vertex_sources_init(drawer->binder, context, &pipeline->key.vertex, kept->prepared.vertices) !=
            AG_DONE ||
        !ag_kept_draw_is_in_pass(drawer->kept, drawer->recorder))
        return false;
    ag_kept_buffers_note(kept); /* the rest is the pipeline's, which is the same */
    ag_draw_set_vertices(drawer, kept->prepared.vertices, pipeline->vertex_state.buffer_count);
    return true;
}

/* False: nothing is visible. */
static bool follow_area(struct ag_drawer *drawer, struct ag_context *context)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_kept_news unused;
    if (!(kept->changed & DYNAMIC))
        return true;
    kept->is_kept = refresh_area(drawer, context, &unused);
    if (kept->is_kept)
        ag_draw_set_area(drawer, kept->prepared.pipeline, &kept->prepared.area);
    return kept->is_kept;
}

/* Brings the indices up to date, of a draw with indices. */
static bool follow_indices(struct ag_drawer *drawer, struct ag_context *context, bool indexed)
{
    struct ag_kept_draw *kept = drawer->kept;
    if (kept->changed & BIT(INDEX_BUFFER))
        kept->has_indices = false;
    const bool is_current = kept->has_indices && context->index_buffer.buffer->version == kept->index_version;
    if (!is_current)
        kept->known_indices = 0;
    if (!indexed || is_current)
        return true;
    if (!refresh_indices(drawer, context) || !ag_kept_draw_is_in_pass(drawer->kept, drawer->recorder))
        return false;
    ag_draw_set_indices(drawer, &kept->prepared.indices);
    note_indices(kept);
    return true;
}

void ag_kept_draw_follow(struct ag_drawer *drawer, struct ag_context *context, bool indexed)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_kept_news news = {0};
    if (!ag_kept_draw_is_in_pass(drawer->kept, drawer->recorder) ||
        (indexed && ag_topology_is_strip(context->topology)))
        return;
    const uint32_t bound = kept->changed & (BIT(SHADER_RESOURCES) | BIT(SAMPLERS)) ? kept->stages : 0;
    if ((kept->changed & ~SIMPLE) || !follow_vertices(drawer, context) || !follow_area(drawer, context) ||
        !ag_kept_bindings_follow(drawer, context, bound)) {
        if (kept->has_block && kept->is_kept) { /* groups that are made anew may change it */
            kept->is_ready = false;
            return;
        }
        kept->is_kept = kept->is_kept && refresh(drawer, context, WGPUIndexFormat_Undefined, &news) &&
                        ag_kept_draw_is_in_pass(drawer->kept, drawer->recorder);
        if (kept->is_kept)
            set_news(drawer, context, &news);
        note_ready(kept);
    }
    if (!kept->is_kept)
        return;
    if (!follow_indices(drawer, context, indexed))
        kept->is_kept = kept->is_ready = false;
    kept->changed = kept->stages = 0;
}

bool ag_kept_draw_use(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_kept_news news = {0};
    struct ag_draw recorded;
    const bool is_prepared = prepare(drawer, context, draw, &news, &recorded);
    kept->is_kept = is_prepared;
    note_ready(kept);
    if (!is_prepared)
        return false;
    set_news(drawer, context, &news);
    record(drawer, &recorded);
    kept->changed = kept->stages = 0;
    kept->uses++;
    drawer->host->counts.pipeline_hits++;
    return true;
}

/* ---- Keeping ------------------------------------------------------------------------------------------ */

/* Whether the indices of the draw are those of the guest's buffer, in place. */
static bool has_own_indices(const struct ag_context *context, const struct ag_draw *draw,
                            const struct ag_index_source *indices)
{
    if (context->topology > AG_TOPOLOGY_TRIANGLE_STRIP)
        return false;
    if (!draw->indexed)
        return indices->buffer == NULL;
    const struct ag_buffer *buffer = context->index_buffer.buffer;
    return buffer && buffer->shadow && indices->buffer == buffer->gpu && !indices->arguments &&
           indices->offset == context->index_buffer.offset;
}

static bool can_keep(const struct ag_drawer *drawer, const struct ag_context *context,
                     const struct ag_draw *draw)
{
    const struct ag_prepared_draw *prepared = &drawer->kept->prepared;
    const struct ag_recorder *recorder = drawer->recorder;
    const struct ag_shader_program *pixel =
        prepared->recorded ? ag_shader_at(drawer->binder, context, AGPU_STAGE_PIXEL) : NULL;
    return prepared->recorded && recorder->pass.encoder && !drawer->kept->is_off &&
           recorder->groups_destroyed == prepared->groups_destroyed && !recorder->queries.active.count &&
           !prepared->writers.count && !context->stages[AGPU_STAGE_PIXEL].bound_uavs &&
           !prepared->attachments.early && !prepared->attachments.uncounted &&
           !prepared->attachments.exceeds_each && !(pixel && pixel->tests_early) &&
           has_own_indices(context, draw, &prepared->indices);
}

void ag_kept_draw_keep(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw)
{
    struct ag_kept_draw *kept = drawer->kept;
    if (!can_keep(drawer, context, draw))
        return;
    kept->context = context;
    kept->pass_number = drawer->recorder->pass_number;
    memset(&kept->inputs, 0, sizeof kept->inputs);
    if (!ag_pipeline_inputs_update(drawer->binder, context, &kept->prepared.attachments, UINT32_MAX,
                                   UINT32_MAX, &kept->inputs))
        return;
    ag_pipeline_inputs_set_draw(&kept->inputs, strip_format(context, draw),
                                kept->prepared.pipeline->key.vertex.pulled);
    ag_kept_vertices_note(kept);
    kept->has_plain_attachments = has_plain_attachments(drawer, context);
    for (uint32_t group = 0; group < AG_KEPT_GROUPS; group++)
        if (!ag_kept_stage_note(drawer, context, group))
            return;
    kept->has_indices = draw->indexed;
    kept->index_version = draw->indexed ? context->index_buffer.buffer->version : 0;
    kept->changed = kept->stages = 0;
    kept->is_kept = true;
    note_ready(kept);
    ag_pipeline_memo_add(drawer->binder, &kept->inputs, kept->prepared.pipeline);
}
