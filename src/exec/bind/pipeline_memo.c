/* SPDX-License-Identifier: MIT */
#include "exec/bind/pipeline_memo.h"

#include <assert.h>
#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/host/recency.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/object/view.h"
#include "exec/record/recorder.h"
#include "exec/state/state.h"

/* ---- Versions ----------------------------------------------------------------------------------------- */

/* The version of some contents, new when the memo does not remember them. */
static uint64_t version_of(struct ag_binder *binder, const void *bytes, size_t size)
{
    struct ag_pipeline_memo *memo = &binder->pipeline_memo;
    struct ag_versioned_contents *set = memo->contents[ag_hash_bytes(bytes, size) % AG_VERSION_SETS];
    assert(size <= AG_VERSIONED_BYTES);
    for (uint32_t way = 0; way < AG_MEMO_WAYS; way++)
        if (set[way].version && set[way].size == size && memcmp(set[way].bytes, bytes, size) == 0)
            return set[way].version;
    struct ag_versioned_contents *entry = &set[memo->turn++ % AG_MEMO_WAYS];
    entry->version = ++memo->last_version;
    entry->size = (uint32_t)size;
    memcpy(entry->bytes, bytes, size);
    return entry->version;
}

/* What of the attachments a pipeline depends on. */
static uint64_t version_of_targets(struct ag_binder *binder, const struct ag_attachments *attachments)
{
    struct {
        uint8_t formats[AGPU_MAX_RENDER_TARGETS];
        uint8_t depth_format, depth_flags, count, early;
        uint32_t samples;
    } targets;
    memset(&targets, 0, sizeof targets);
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (attachments->colors[i])
            targets.formats[i] = (uint8_t)attachments->colors[i]->dxgi;
    if (attachments->depth) {
        targets.depth_format = (uint8_t)attachments->depth->dxgi;
        targets.depth_flags = attachments->depth->flags;
    }
    targets.count = (uint8_t)attachments->color_count;
    targets.early = attachments->early;
    targets.samples = attachments->sample_count;
    return version_of(binder, &targets, sizeof targets);
}

/* ---- Inputs ------------------------------------------------------------------------------------------- */

static inline void set(struct ag_pipeline_inputs *inputs, uint64_t *version, uint64_t value)
{
    if (*version == value)
        return;
    *version = value;
    inputs->moved = true;
    inputs->state = 0;
}

static inline void set_word(struct ag_pipeline_inputs *inputs, uint32_t *word, uint32_t value)
{
    if (*word == value)
        return;
    *word = value;
    inputs->moved = true;
    inputs->state = 0;
}

static const enum agpu_stage stages[2] = {AGPU_STAGE_VERTEX, AGPU_STAGE_PIXEL};

static bool take_programs(struct ag_binder *binder, const struct ag_context *context,
                          struct ag_pipeline_inputs *inputs)
{
    if (context->shaders[AGPU_STAGE_GEOMETRY] || context->shaders[AGPU_STAGE_HULL] ||
        context->shaders[AGPU_STAGE_DOMAIN])
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        inputs->programs[i] = ag_shader_at(binder, context, stages[i]);
        if (context->shaders[stages[i]] && !inputs->programs[i])
            return false;
        const uint64_t id = inputs->programs[i] ? inputs->programs[i]->id : 0;
        inputs->moved |= inputs->program_ids[i] != id;
        inputs->program_ids[i] = id;
    }
    return inputs->programs[0] != NULL;
}

static bool take_layout(const struct ag_context *context, struct ag_pipeline_inputs *inputs)
{
    const struct ag_input_layout_object *layout = context->input_layout;
    if (context->input_layout_handle && !layout)
        return false;
    set(inputs, &inputs->versions.layout_id, layout ? layout->id : 0);
    inputs->slots = 0;
    for (uint32_t i = 0; layout && i < layout->count; i++)
        inputs->slots |= UINT32_C(1) << layout->elements[i].slot;
    return true;
}

/* What the fixed function's vertex state depends on, apart from how many vertices there are. Most draws have
 * what the last one had, whose version stays. */
static bool take_vertices(struct ag_binder *binder, const struct ag_context *context,
                          struct ag_pipeline_inputs *inputs)
{
    uint32_t count = 0;
    bool same = inputs->versions.vertices != 0;
    for (uint32_t slot = 0; slot < AG_VERTEX_BUFFER_SLOTS && inputs->slots >> slot; slot++) {
        const struct ag_vertex_buffer_slot *bound = &context->vertex_buffers[slot];
        if (!(inputs->slots >> slot & 1))
            continue;
        if ((bound->handle && !bound->buffer) || count == AG_COUNT_OF(inputs->vertices))
            return false;
        struct ag_vertex_slot_facts *facts = &inputs->vertices[count++];
        const bool is_bound = bound->buffer != NULL;
        same &= facts->stride == bound->stride && facts->slot == slot && facts->is_bound == is_bound &&
                facts->misalignment == bound->offset % 4;
        *facts = (struct ag_vertex_slot_facts){bound->stride, (uint8_t)slot, is_bound, bound->offset % 4, 0};
    }
    same &= inputs->vertex_count == count;
    inputs->vertex_count = count;
    if (!same)
        set(inputs, &inputs->versions.vertices,
            version_of(binder, inputs->vertices, count * sizeof inputs->vertices[0]));
    return true;
}

/* Whether a program's variants depend on nothing that is bound. */
static bool samples_nothing(const struct ag_binder *binder, const struct ag_shader_program *program)
{
    return program && program->sampler_slots == 0 && program->texture_count == 0 && !program->has_uavs &&
           !program->has_indexed_registers && !(program->cbuffer_slots & (program->cbuffer_slots - 1u)) &&
           !binder->objects->has_level_floors;
}

static void take_sampling(struct ag_binder *binder, struct ag_context *context, uint32_t index,
                          struct ag_pipeline_inputs *inputs)
{
    static const struct ag_sampling nothing;
    const bool is_nothing = samples_nothing(binder, inputs->programs[index]);
    if (is_nothing && inputs->samples_nothing[index])
        return;
    inputs->samples_nothing[index] = is_nothing;
    const struct ag_sampling sampling =
        is_nothing ? nothing : ag_sampling_of(binder, context, stages[index], inputs->programs[index]);
    if (inputs->versions.sampling[index] && memcmp(&sampling, &inputs->sampling[index], sizeof sampling) == 0)
        return;
    inputs->sampling[index] = sampling;
    set(inputs, &inputs->versions.sampling[index], version_of(binder, &sampling, sizeof sampling));
}

#define BIT(state) AG_STATE_BIT(AG_STATE_##state)

bool ag_pipeline_inputs_update(struct ag_binder *binder, struct ag_context *context,
                               const struct ag_attachments *attachments, uint32_t changed, uint32_t staged,
                               struct ag_pipeline_inputs *inputs)
{
    struct ag_state_versions *versions = &inputs->versions;
    const uint32_t bindings = BIT(SHADER_RESOURCES) | BIT(SAMPLERS) | BIT(CONSTANT_BUFFERS);
    const uint64_t vertex_id = inputs->program_ids[0], pixel_id = inputs->program_ids[1];
    inputs->moved = false;
    if ((changed & BIT(SHADERS)) && !take_programs(binder, context, inputs))
        return false;
    if ((changed & BIT(INPUT_LAYOUT)) && !take_layout(context, inputs))
        return false;
    if ((changed & (BIT(INPUT_LAYOUT) | BIT(VERTEX_BUFFERS))) && !take_vertices(binder, context, inputs))
        return false;
    if (changed & (BIT(COLOR_TARGETS) | BIT(DEPTH_STENCIL_TARGET)))
        set(inputs, &versions->targets, version_of_targets(binder, attachments));
    if (changed & BIT(BLEND)) {
        set(inputs, &versions->blend, version_of(binder, &context->blend, sizeof context->blend));
        set_word(inputs, &versions->sample_mask, context->sample_mask);
    }
    if (changed & BIT(DEPTH_STENCIL))
        set(inputs, &versions->depth_stencil,
            version_of(binder, &context->depth_stencil, sizeof context->depth_stencil));
    if (changed & BIT(RASTERIZER))
        set(inputs, &versions->rasterizer,
            version_of(binder, &context->rasterizer, sizeof context->rasterizer));
    set_word(inputs, &versions->topology, context->topology);
    const bool is_bound_anew = (changed & bindings) != 0;
    if (inputs->program_ids[0] != vertex_id || (is_bound_anew && (staged >> AGPU_STAGE_VERTEX & 1)))
        take_sampling(binder, context, 0, inputs);
    if (inputs->program_ids[1] != pixel_id || (is_bound_anew && (staged >> AGPU_STAGE_PIXEL & 1)))
        take_sampling(binder, context, 1, inputs);
    return true;
}

/* ---- Pipelines ---------------------------------------------------------------------------------------- */

static struct ag_remembered_pipeline *set_of(struct ag_binder *binder, struct ag_pipeline_inputs *inputs)
{
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    if (!inputs->state)
        inputs->state = version_of(binder, &inputs->versions, sizeof inputs->versions);
    const uint64_t mix =
        ((inputs->program_ids[0] * factor ^ inputs->program_ids[1]) * factor ^ inputs->state) * factor;
    return binder->pipeline_memo.pipelines[(mix >> 32) % AG_PIPELINE_SETS];
}

/* Whether an entry has the pipeline of these inputs, or had it before pipelines were destroyed. */
static inline bool is_of(const struct ag_remembered_pipeline *entry, const struct ag_pipeline_inputs *inputs)
{
    return entry->programs[0] == inputs->program_ids[0] && entry->programs[1] == inputs->program_ids[1] &&
           entry->state == inputs->state;
}

struct ag_pipeline *ag_pipeline_memo_find(struct ag_binder *binder, struct ag_pipeline_inputs *inputs)
{
    const struct ag_remembered_pipeline *set = set_of(binder, inputs);
    for (uint32_t way = 0; way < AG_MEMO_WAYS; way++) {
        if (!is_of(&set[way], inputs) || set[way].generation != binder->pipeline_memo.generation ||
            !set[way].pipeline)
            continue;
        ag_shared_cache_use(&binder->recent_pipelines, &set[way].pipeline->recent);
        return set[way].pipeline;
    }
    return NULL;
}

void ag_pipeline_memo_add(struct ag_binder *binder, struct ag_pipeline_inputs *inputs,
                          struct ag_pipeline *pipeline)
{
    struct ag_remembered_pipeline *set = set_of(binder, inputs);
    uint32_t way = binder->pipeline_memo.turn++ % AG_MEMO_WAYS;
    for (uint32_t i = 0; i < AG_MEMO_WAYS; i++)
        if (is_of(&set[i], inputs))
            way = i;
    set[way] = (struct ag_remembered_pipeline){
        {inputs->program_ids[0], inputs->program_ids[1]},
        inputs->state,
        binder->pipeline_memo.generation,
        pipeline
    };
}

void ag_pipeline_memo_clear(struct ag_binder *binder)
{
    binder->pipeline_memo.generation++;
}
