/* SPDX-License-Identifier: MIT */
#include "exec/draw/kept_draw.h"

#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/constant_pack.h"
#include "exec/bind/constant_packing.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/index_scan.h"
#include "exec/bind/overflow_choice.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/pipeline_memo.h"
#include "exec/bind/shader.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/plain_draw.h"
#include "exec/draw/raster.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/object/input_layout.h"
#include "exec/object/resource.h"
#include "exec/object/sample_count.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/recorder.h"
#include "exec/state/state.h"
#include "exec/transfer/buffer_upload.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

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

static const enum agpu_stage group_stages[2] = {
    [AG_GROUP_VERTEX] = AGPU_STAGE_VERTEX,
    [AG_GROUP_PIXEL] = AGPU_STAGE_PIXEL,
};

#define GROUP_STAGES (UINT32_C(1) << AGPU_STAGE_VERTEX | UINT32_C(1) << AGPU_STAGE_PIXEL)

void ag_kept_draw_drop(struct ag_drawer *drawer)
{
    drawer->kept->is_kept = drawer->kept->is_ready = false;
    ag_prepared_draw_release(&drawer->kept->prepared);
}

static bool is_in_pass(const struct ag_drawer *drawer)
{
    return ag_kept_draw_is_in_pass(drawer->kept, drawer->recorder);
}

/* ---- Bounds ------------------------------------------------------------------------------------------- */

/* How many elements of a vertex buffer of so many bytes are whole. */
static uint64_t whole_elements(struct ag_kept_elements *known, uint64_t size,
                               const struct ag_vertex_buffer *buffer)
{
    if (known->size == size && known->stride == buffer->stride && known->last_bytes == buffer->last_bytes)
        return known->count;
    const uint64_t count = size < buffer->last_bytes ? 0
                           : buffer->stride          ? (size - buffer->last_bytes) / buffer->stride + 1
                                                     : UINT64_MAX;
    *known = (struct ag_kept_elements){size, buffer->stride, buffer->last_bytes, count};
    return count;
}

static bool is_pulled(const struct ag_kept_draw *kept)
{
    return kept->inputs.versions.is_pulled != 0;
}

/* Notes the contents of the buffer in a slot, of those that are `noted` not yet (bit n: slot n). */
static void note_contents(struct ag_kept_draw *kept, uint32_t slot, uint32_t *noted)
{
    const struct ag_buffer *buffer = kept->context->vertex_buffers[slot].buffer;
    if (!(*noted >> slot & 1))
        kept->vertex_contents[kept->vertex_contents_count++] =
            (struct ag_kept_contents){buffer, buffer->version};
    *noted |= UINT32_C(1) << slot;
}

/* Notes how much of the guest's vertex buffers draws may read, and their contents. */
static void note_buffers(struct ag_kept_draw *kept)
{
    const struct ag_vertex_state *state = &kept->prepared.pipeline->key.vertex;
    uint64_t most[2] = {UINT64_MAX, UINT64_MAX}; /* of vertices, of instances */
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer_slot *slot = &kept->context->vertex_buffers[state->buffers[i].slot];
        const struct ag_buffer *buffer = slot->buffer;
        const uint64_t size = slot->offset < buffer->size ? buffer->size - slot->offset : 0;
        const uint64_t whole = whole_elements(&kept->elements[i], size, &state->buffers[i]);
        const bool per_instance = state->buffers[i].per_instance != 0;
        most[per_instance] = whole < most[per_instance] ? whole : most[per_instance];
        kept->vertex_contents[i] = (struct ag_kept_contents){buffer, buffer->version};
    }
    kept->vertices = most[0];
    kept->instances = most[1];
    kept->vertex_contents_count = state->buffer_count;
}

/* Notes how much of the pulled vertices draws may read, and the contents of what they come from. */
static void note_pulled(struct ag_kept_draw *kept)
{
    const struct ag_context *context = kept->context;
    const struct ag_vertex_state *state = &kept->prepared.pipeline->key.vertex;
    const struct ag_pull_range *pulled = &kept->prepared.pulled;
    uint32_t noted = 0;
    kept->vertex_contents_count = 0;
    if (kept->reads_vertices) {
        kept->first_vertex = pulled->first_vertex;
        kept->vertices = pulled->vertex_count;
    }
    if (kept->reads_instances) {
        kept->first_instance = pulled->first_instance;
        kept->instances = pulled->instance_count;
    }
    for (uint32_t i = 0; i < state->attribute_count; i++)
        note_contents(
            kept,
            context->input_layout->elements[context->match.elements[state->attributes[i].location]].slot,
            &noted);
}

/* Notes what the vertex buffers are and how much of them draws may read. */
static void note_vertices(struct ag_kept_draw *kept)
{
    const struct ag_vertex_state *state = &kept->prepared.pipeline->key.vertex;
    kept->vertices = kept->instances = UINT64_MAX;
    kept->first_vertex = kept->first_instance = 0;
    kept->reads_vertices = kept->reads_instances = kept->needs_first_instance_0 = false;
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer *buffer = &state->buffers[i];
        kept->reads_vertices |= !buffer->per_instance;
        kept->reads_instances |= buffer->per_instance != 0;
        /* Every instance reads the element of the first one (vertex_state.c). */
        kept->needs_first_instance_0 |= !state->pulled && buffer->per_instance && buffer->stride == 0;
    }
    if (state->pulled)
        note_pulled(kept);
    else
        note_buffers(kept);
}

static inline bool vertices_fit(const struct ag_kept_draw *kept, uint32_t first, uint64_t count)
{
    return (uint64_t)(first - kept->first_vertex) + count <= kept->vertices;
}

static bool indices_are_inside(const struct ag_kept_draw *kept, const struct ag_draw *draw,
                               const struct ag_index_bounds *bounds)
{
    const int64_t first = (int64_t)draw->base_vertex + bounds->first;
    /* Sums that wrap around are pulled. */
    return (is_pulled(kept) || (first >= 0 && first <= UINT32_MAX)) &&
           vertices_fit(kept, (uint32_t)first, (uint64_t)bounds->last - bounds->first + 1);
}

/* Whether the indices are in the index buffer, none of them is a cut value, and their vertices are in the
 * vertex buffers. */
static bool indices_fit(const struct ag_kept_draw *kept, const struct ag_draw *draw)
{
    const struct ag_context *context = kept->context;
    struct ag_buffer *buffer = context->index_buffer.buffer;
    const uint64_t width = context->index_buffer.wide ? 4 : 2;
    const bool is_strip = ag_topology_is_strip(context->topology);
    struct ag_index_bounds bounds;
    if (!ag_range_fits(context->index_buffer.offset + draw->first * width, draw->count * width, buffer->size))
        return false;
    const bool is_known = ag_index_buffer_is_known(buffer, context->index_buffer.wide, &bounds);
    if (!is_known && !is_strip && ag_indices_may_cut(context, draw))
        return false;
    if (!kept->reads_vertices)
        return true;
    if ((is_known || ag_index_bounds_guess(context, &bounds)) && indices_are_inside(kept, draw, &bounds))
        return true;
    return ag_index_bounds_find(context, draw, &bounds) && indices_are_inside(kept, draw, &bounds);
}

/* A kernel has pulled the elements of the instances from one first instance on. */
static inline bool instances_fit(const struct ag_kept_draw *kept, const struct ag_draw *draw)
{
    if (is_pulled(kept))
        return !kept->reads_instances ||
               (draw->first_instance == kept->first_instance && draw->instance_count <= kept->instances);
    return (uint64_t)draw->first_instance + draw->instance_count <= kept->instances &&
           (!kept->needs_first_instance_0 || !draw->first_instance);
}

static inline bool fits(const struct ag_kept_draw *kept, const struct ag_draw *draw)
{
    if (!instances_fit(kept, draw))
        return false;
    if (draw->indexed)
        return indices_fit(kept, draw);
    return vertices_fit(kept, draw->first, draw->count);
}

/* The draw as it is recorded: pulled vertices and instances are counted from the first ones. */
static struct ag_draw placed(const struct ag_kept_draw *kept, const struct ag_draw *draw)
{
    struct ag_draw placed = *draw;
    if (!is_pulled(kept))
        return placed;
    placed.first_instance = 0;
    if (draw->indexed)
        placed.base_vertex = (int32_t)((uint32_t)draw->base_vertex - kept->first_vertex);
    else
        placed.first -= kept->first_vertex;
    return placed;
}

/* What of the encoder's state is set again, and the work so far: the stages whose variant may be another one,
 * and the groups that are up to date. */
struct news {
    bool pipeline, area, state, vertices;
    bool layout;     /* the pipeline reads other slots of vertex buffers, or reads them in another way */
    bool rebound;    /* some stage's group was made anew, which may have changed the draw block */
    uint32_t groups; /* bit n: another group, or other offsets */
    uint32_t stages, recalled;
};

/* ---- Bindings ----------------------------------------------------------------------------------------- */

/* The variant of a stage whose group has bindings. */
static const struct ag_shader_variant *variant_of(const struct ag_pipeline *pipeline, uint32_t group)
{
    if (group == AG_GROUP_VERTEX)
        return pipeline->vertex;
    return pipeline->pixel_program ? pipeline->pixel : NULL;
}

static bool is_constants(const struct agpu_binding *binding)
{
    return binding->space == AGPU_SPACE_CBUFFER || ag_is_constant_pack(binding);
}

/* Notes the constant buffers that the stage's group was made with. False when the stage has bindings that a
 * kept draw cannot have. */
static bool note_stage(struct ag_drawer *drawer, struct ag_context *context, uint32_t group)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_kept_stage *stage = &kept->kept_stages[group];
    uint32_t uniforms = 0, offsets = 0;
    stage->variant = variant_of(kept->prepared.pipeline, group);
    stage->count = 0;
    stage->has_buffers = false;
    stage->moves_simply = true;
    if (!stage->variant)
        return true;
    const struct agpu_module *module = stage->variant->module;
    if (stage->variant->arena || module->overflow_count)
        return false;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        const bool is_pack = ag_is_constant_pack(binding);
        const bool is_uniform = binding->kind == AGPU_BIND_UNIFORM_BUFFER && !is_pack;
        if (binding->group == AG_GROUP_INTERNAL)
            continue;
        if (ag_overflow_owns(binding))
            return false;
        const bool is_dynamic =
            is_pack || (is_uniform && uniforms++ < stage->variant->layout->dynamic_uniforms);
        const uint8_t offset = (uint8_t)(is_dynamic ? offsets++ : UINT8_MAX);
        if (!is_constants(binding)) {
            stage->has_buffers |= binding->kind == AGPU_BIND_STORAGE_BUFFER_READ ||
                                  binding->kind == AGPU_BIND_STORAGE_BUFFER_READ_WRITE;
            continue;
        }
        if (stage->count == AG_COUNT_OF(stage->constants))
            return false;
        struct ag_group_constants *constants = &stage->constants[stage->count++];
        constants->binding = binding;
        constants->offset = offset;
        stage->moves_simply &= is_dynamic && (!is_pack || stage->variant->pack->epoch);
        if (!is_pack && ag_constants_find(drawer->binder, context, group_stages[group], binding,
                                          &constants->source) != AG_DONE)
            return false;
        stage->moves_simply &= is_pack || !constants->source.buffer || constants->source.bytes;
    }
    return true;
}

static bool rebind(struct ag_drawer *drawer, struct ag_context *context, uint32_t group, struct news *news)
{
    news->rebound = true;
    return ag_prepared_draw_bind(drawer, context, &drawer->kept->prepared, group) == AG_DONE &&
           note_stage(drawer, context, group);
}

/* Whether the group of a stage is one that its shader had with what is bound now. */
static bool recall(struct ag_drawer *drawer, struct ag_context *context, uint32_t group)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_kept_stage *stage = &kept->kept_stages[group];
    const struct ag_shader_variant *variant = variant_of(kept->prepared.pipeline, group);
    if (!variant)
        return false;
    ag_prepared_draw_let_go(&kept->prepared, group);
    if (!ag_group_recall(drawer->binder, context, group_stages[group], variant, stage->variant == variant,
                         stage->constants, &kept->prepared.groups[group]))
        return false;
    if (stage->variant == variant && stage->moves_simply && (!variant->pack || variant->pack->epoch))
        return true;
    stage->variant = variant;
    stage->count = variant->recipe->constants_count;
    stage->has_buffers = false;
    stage->moves_simply = true;
    for (uint32_t i = 0; i < stage->count; i++)
        stage->moves_simply &= !ag_is_constant_pack(stage->constants[i].binding) || variant->pack->epoch;
    return true;
}

/* Uploads the packed constant buffers, if one of them changed, and moves their dynamic offset. */
static bool move_pack(struct ag_drawer *drawer, struct ag_context *context, uint32_t group, uint8_t number,
                      struct news *news)
{
    const struct ag_shader_variant *variant = drawer->kept->kept_stages[group].variant;
    struct ag_bound_group *bound = &drawer->kept->prepared.groups[group];
    struct ag_bound_range range;
    if (ag_constant_pack_bind(drawer->binder, context, group_stages[group], variant->module, variant->pack,
                              &range) != AG_DONE)
        return false;
    if (range.offset == bound->offsets[number] && range.id == bound->buffers[number])
        return true;
    news->groups |= 1u << group;
    bound->offsets[number] = (uint32_t)range.offset;
    return range.id == bound->buffers[number] || rebind(drawer, context, group, news);
}

/* Brings the source of some constants up to date. *same: they have the contents that the group has. */
static enum ag_outcome find_constants(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                                      struct ag_group_constants *constants, bool *same)
{
    const enum agpu_stage stage = group_stages[group];
    const struct ag_buffer_slot *slot = &context->stages[stage].cbuffers[constants->binding->slot];
    struct ag_constant_source *known = &constants->source;
    struct ag_constant_source source;
    *same = false;
    if (ag_constants_are_in(slot, known)) {
        *same = known->version == known->buffer->version;
        known->version = known->buffer->version;
        return AG_DONE;
    }
    const enum ag_outcome outcome =
        ag_constants_find(drawer->binder, context, stage, constants->binding, &source);
    if (outcome != AG_DONE)
        return outcome;
    *same = ag_constants_same(&source, known);
    if (source.bound != known->bound) /* the group has to be made anew */
        source.bytes = NULL;
    *known = source;
    return AG_DONE;
}

/* Uploads the constant buffers that changed and moves the group's dynamic offsets. The group is bound anew
 * when the offset is not all that changes. */
static bool move_constants(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                           struct news *news)
{
    struct ag_kept_stage *stage = &drawer->kept->kept_stages[group];
    struct ag_bound_group *bound = &drawer->kept->prepared.groups[group];
    for (uint32_t i = 0; i < stage->count; i++) {
        struct ag_group_constants *constants = &stage->constants[i];
        const uint8_t offset = constants->offset;
        bool same;
        if (ag_is_constant_pack(constants->binding)) {
            if (!move_pack(drawer, context, group, offset, news))
                return false;
            continue;
        }
        if (find_constants(drawer, context, group, constants, &same) != AG_DONE)
            return false;
        if (same)
            continue;
        news->groups |= 1u << group;
        if (!constants->source.bytes || offset == UINT8_MAX)
            return rebind(drawer, context, group, news);
        const struct ag_bound_range *range =
            ag_constants_upload(drawer->binder, constants->binding, &constants->source);
        if (!range)
            return false;
        if (range->id != bound->buffers[offset])
            return rebind(drawer, context, group, news);
        bound->offsets[offset] = (uint32_t)range->offset;
    }
    return true;
}

/* The same for a stage that moves simply (struct ag_kept_stage), whose group is set at once. False also when
 * something else changed: the draw is prepared in whole then. */
static bool follow_constants(struct ag_drawer *drawer, uint32_t group)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_kept_stage *stage = &kept->kept_stages[group];
    struct ag_bound_group *bound = &kept->prepared.groups[group];
    const struct ag_buffer_slot *slots = kept->context->stages[group_stages[group]].cbuffers;
    const struct ag_group_constants *end = stage->constants + stage->count;
    bool moved = false;
    for (struct ag_group_constants *constants = stage->constants; constants < end; constants++) {
        struct ag_constant_source *source = &constants->source;
        const struct ag_bound_range *range;
        if (ag_is_constant_pack(constants->binding)) {
            range = ag_constant_pack_follow(drawer->binder, stage->variant->pack);
        } else {
            if (!source->buffer || source->version == source->buffer->version)
                continue;
            if (!ag_constants_are_in(&slots[constants->binding->slot], source))
                return false;
            source->version = source->buffer->version;
            range = ag_constants_upload(drawer->binder, constants->binding, source);
        }
        const uint8_t number = constants->offset;
        if (!range || range->id != bound->buffers[number])
            return false;
        moved |= bound->offsets[number] != (uint32_t)range->offset;
        bound->offsets[number] = (uint32_t)range->offset;
    }
    if (moved && !is_in_pass(drawer)) /* what was prepared before has ended the pass */
        return false;
    if (moved)
        ag_draw_set_group(drawer, group, bound);
    return true;
}

/* Recalls the group of a stage whose textures or samplers changed. Where these and the constant buffers
 * decide on the shader's variant, the stage has the same variant still. */
static void recall_group(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                         struct news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    const struct ag_shader_variant *variant = kept->kept_stages[group].variant;
    const uint32_t stage = UINT32_C(1) << group_stages[group];
    if (!(kept->stages & stage) || !variant || !ag_group_decides_variant(drawer->binder, variant))
        return;
    if (kept->changed & (BIT(SHADER_RESOURCES) | BIT(SAMPLERS))) {
        if (!recall(drawer, context, group))
            return;
        news->groups |= 1u << group;
        news->recalled |= 1u << group;
    }
    news->stages &= ~stage;
}

static bool refresh_group(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                          struct news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    const struct ag_kept_stage *stage = &kept->kept_stages[group];
    const bool staged = (kept->stages >> group_stages[group] & 1) != 0;
    if (stage->variant != variant_of(kept->prepared.pipeline, group) ||
        (staged && (kept->changed & (BIT(SHADER_RESOURCES) | BIT(SAMPLERS)))) ||
        (stage->has_buffers && (kept->changed & AG_CHANGES_CONTENTS))) {
        news->groups |= 1u << group;
        if (stage->variant == variant_of(kept->prepared.pipeline, group) && (news->recalled >> group & 1))
            return true;
        return recall(drawer, context, group) || rebind(drawer, context, group, news);
    }
    if (stage->moves_simply && !(kept->changed & (BIT(CONSTANT_BUFFERS) | BIT(CONSTANTS))) &&
        !(news->groups >> group & 1))
        return follow_constants(drawer, group);
    if ((staged && (kept->changed & BIT(CONSTANT_BUFFERS))) ||
        (kept->changed & (BIT(CONSTANTS) | AG_CHANGES_CONTENTS)))
        return move_constants(drawer, context, group, news);
    return true;
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

static void take_pipeline(struct ag_kept_draw *kept, struct ag_pipeline *pipeline, struct news *news)
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
                             struct news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    if (!ag_pipeline_inputs_update(drawer->binder, context, &kept->prepared.attachments, kept->changed,
                                   news->stages, &kept->inputs))
        return false;
    if (!kept->inputs.moved && kept->inputs.versions.strip_format == strip)
        return true;
    ag_pipeline_inputs_set_draw(&kept->inputs, strip, is_pulled(kept));
    struct ag_pipeline *pipeline = ag_pipeline_memo_find(drawer->binder, &kept->inputs);
    if (!pipeline)
        return false;
    take_pipeline(kept, pipeline, news);
    return true;
}

/* Whether a vertex buffer has other contents than the kept draw's. */
static inline bool vertices_changed(const struct ag_kept_draw *kept)
{
    for (uint32_t i = 0; i < kept->vertex_contents_count; i++)
        if (kept->vertex_contents[i].buffer->version != kept->vertex_contents[i].version)
            return true;
    return false;
}

static bool refresh_vertices(struct ag_drawer *drawer, struct ag_context *context, struct news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    const bool changed = (kept->changed & AG_CHANGES_CONTENTS) && vertices_changed(kept);
    if (is_pulled(kept))
        return !changed;
    if (!news->layout && !(kept->changed & BIT(VERTEX_BUFFERS)) && !changed)
        return true;
    news->vertices = true;
    if (ag_vertex_sources_init(drawer->binder, context, &kept->prepared.pipeline->key.vertex,
                               kept->prepared.vertices) != AG_DONE)
        return false;
    note_vertices(kept);
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
                          struct news *news)
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

static bool refresh_area(struct ag_drawer *drawer, struct ag_context *context, struct news *news)
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
                             struct news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    if (kept->changed & BIT(INDEX_BUFFER))
        kept->has_indices = false;
    if ((kept->changed & BIT(VERTEX_BUFFERS)) && !ag_pipeline_inputs_have_vertices(&kept->inputs, context) &&
        !refresh_pipeline(drawer, context, strip, news))
        return false;
    if (((kept->changed & BIT(VERTEX_BUFFERS)) || vertices_changed(kept)) &&
        !refresh_vertices(drawer, context, news))
        return false;
    for (uint32_t group = 0; group < AG_COUNT_OF(group_stages); group++) {
        const struct ag_kept_stage *stage = &kept->kept_stages[group];
        if (stage->moves_simply && !stage->has_buffers && !news->pipeline
                ? !follow_constants(drawer, group)
                : !refresh_group(drawer, context, group, news))
            return false;
    }
    return true;
}

/* Prepares anew what changed, in the order of a whole preparation. */
static bool refresh(struct ag_drawer *drawer, struct ag_context *context, uint32_t strip, struct news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    const uint32_t changed = kept->changed;
    if (!(changed & ~CONTENTS) && !(is_pulled(kept) && (changed & PULLED)))
        return refresh_contents(drawer, context, strip, news);
    news->stages = kept->stages;
    if ((changed & ~TAKEN) || context->stages[AGPU_STAGE_PIXEL].bound_uavs ||
        (is_pulled(kept) && (changed & PULLED)))
        return false;
    if ((changed & (TARGETS | BIT(SHADERS) | BIT(BLEND) | BIT(DEPTH_STENCIL))) &&
        !has_attachments(drawer, context))
        return false;
    if (!refresh_area(drawer, context, news))
        return false;
    if (!(changed & BIT(SHADERS)))
        for (uint32_t group = 0; group < AG_COUNT_OF(group_stages); group++)
            recall_group(drawer, context, group, news);
    const bool samples_anew = (news->stages & GROUP_STAGES) && (changed & BINDINGS);
    if ((samples_anew || (changed & (TARGETS | FIXED | BIT(VERTEX_BUFFERS)))) &&
        !refresh_pipeline(drawer, context, strip, news))
        return false;
    if (!refresh_vertices(drawer, context, news))
        return false;
    if (changed & BIT(INDEX_BUFFER))
        kept->has_indices = false;
    for (uint32_t group = 0; group < AG_COUNT_OF(group_stages); group++)
        if (!refresh_group(drawer, context, group, news))
            return false;
    news->state |= (changed & (BIT(BLEND) | BIT(DEPTH_STENCIL))) != 0;
    return true;
}

/* ---- Drawing ------------------------------------------------------------------------------------------ */

/* Sets what is new. */
static void set_news(struct ag_drawer *drawer, const struct ag_context *context, const struct news *news)
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
                    struct news *news, struct ag_draw *recorded)
{
    struct ag_kept_draw *kept = drawer->kept;
    if (!kept->is_kept || kept->context != context || !is_in_pass(drawer))
        return false;
    const uint32_t strip = strip_format(context, draw);
    if (kept->inputs.versions.strip_format != strip)
        kept->changed |= BIT(TOPOLOGY);
    if (kept->changed && !refresh(drawer, context, strip, news))
        return false;
    if ((draw->indexed && !refresh_indices(drawer, context)) || !fits(kept, draw))
        return false;
    *recorded = placed(kept, draw);
    return refresh_block(drawer, context, recorded, news) && is_in_pass(drawer);
}

/* Whether a stage's group can be followed: whether other textures and samplers, if there are any, leave the
 * shader's variant as it is. */
static bool can_follow(const struct ag_drawer *drawer, uint32_t group, bool is_bound_anew)
{
    const struct ag_kept_stage *stage = &drawer->kept->kept_stages[group];
    return stage->moves_simply && !stage->has_buffers &&
           (!is_bound_anew || (stage->variant && ag_group_decides_variant(drawer->binder, stage->variant)));
}

/* Follows contents of constant buffers, and textures and samplers of stages (bit n of `bound`: stage n).
 * False: nothing was set, and the draw is as it was. */
static bool follow_bindings(struct ag_drawer *drawer, struct ag_context *context, uint32_t bound)
{
    struct ag_kept_draw *kept = drawer->kept;
    uint32_t recalled = 0;
    for (uint32_t group = 0; group < AG_COUNT_OF(group_stages); group++)
        if (!can_follow(drawer, group, (bound >> group_stages[group] & 1) != 0))
            return false;
    for (uint32_t group = 0; bound && group < AG_COUNT_OF(group_stages); group++) {
        if (!(bound >> group_stages[group] & 1))
            continue;
        if (!recall(drawer, context, group)) /* refresh() makes the group */
            return false;
        recalled |= 1u << group;
    }
    if (recalled && !is_in_pass(drawer)) /* a texture was a target of the pass */
        return false;
    for (uint32_t group = 0; group < AG_COUNT_OF(group_stages); group++) {
        if (recalled >> group & 1)
            ag_draw_change_group(drawer, group, &kept->prepared.groups[group]);
        if ((recalled >> group & 1) || !kept->kept_stages[group].count || follow_constants(drawer, group))
            continue;
        kept->is_kept = false; /* what was moved is not set */
        return false;
    }
    return true;
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
    kept->is_ready = kept->is_kept && kept->inputs.versions.strip_format == WGPUIndexFormat_Undefined &&
                     prepared->group_count == (prepared->pipeline->uses_draw_block ? 4 : 2) &&
                     !kept->needs_first_instance_0 &&
                     !(is_pulled(kept) && (kept->reads_instances || prepared->pipeline->uses_draw_block));
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
        return !vertices_changed(kept);
    if (is_pulled(kept) || !ag_pipeline_inputs_have_vertices(&kept->inputs, context) ||
        ag_vertex_sources_init(drawer->binder, context, &pipeline->key.vertex, kept->prepared.vertices) !=
            AG_DONE ||
        !is_in_pass(drawer))
        return false;
    note_buffers(kept); /* the rest is the pipeline's, which is the same */
    ag_draw_set_vertices(drawer, kept->prepared.vertices, pipeline->vertex_state.buffer_count);
    return true;
}

/* False: nothing is visible. */
static bool follow_area(struct ag_drawer *drawer, struct ag_context *context)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct news unused;
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
    if (!refresh_indices(drawer, context) || !is_in_pass(drawer))
        return false;
    ag_draw_set_indices(drawer, &kept->prepared.indices);
    note_indices(kept);
    return true;
}

void ag_kept_draw_follow(struct ag_drawer *drawer, struct ag_context *context, bool indexed)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct news news = {0};
    if (!is_in_pass(drawer) || (indexed && ag_topology_is_strip(context->topology)))
        return;
    const uint32_t bound = kept->changed & (BIT(SHADER_RESOURCES) | BIT(SAMPLERS)) ? kept->stages : 0;
    if ((kept->changed & ~SIMPLE) || !follow_vertices(drawer, context) || !follow_area(drawer, context) ||
        !follow_bindings(drawer, context, bound)) {
        if (kept->has_block && kept->is_kept) { /* groups that are made anew may change it */
            kept->is_ready = false;
            return;
        }
        kept->is_kept =
            kept->is_kept && refresh(drawer, context, WGPUIndexFormat_Undefined, &news) && is_in_pass(drawer);
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
    struct news news = {0};
    struct ag_draw recorded;
    kept->is_kept = prepare(drawer, context, draw, &news, &recorded);
    note_ready(kept);
    if (!kept->is_kept)
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
    note_vertices(kept);
    kept->has_plain_attachments = has_plain_attachments(drawer, context);
    for (uint32_t group = 0; group < AG_COUNT_OF(group_stages); group++)
        if (!note_stage(drawer, context, group))
            return;
    kept->has_indices = draw->indexed;
    kept->index_version = draw->indexed ? context->index_buffer.buffer->version : 0;
    kept->changed = kept->stages = 0;
    kept->is_kept = true;
    note_ready(kept);
    ag_pipeline_memo_add(drawer->binder, &kept->inputs, kept->prepared.pipeline);
}
