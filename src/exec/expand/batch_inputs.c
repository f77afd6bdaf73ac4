/* SPDX-License-Identifier: MIT */
#include "exec/expand/batch_inputs.h"

#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/constant_pack.h"
#include "exec/bind/constant_packing.h"
#include "exec/bind/context.h"
#include "exec/bind/index_scan.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/expand/expander.h"
#include "exec/expand/stages.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/object/input_layout.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

#define BIT(state) AG_STATE_BIT(AG_STATE_##state)

/* The stages whose compute passes the batch has. */
#define EARLY_BITS                                                                                           \
    (UINT32_C(1) << AGPU_STAGE_VERTEX | UINT32_C(1) << AGPU_STAGE_HULL | UINT32_C(1) << AGPU_STAGE_DOMAIN |  \
     UINT32_C(1) << AGPU_STAGE_GEOMETRY)

static void note_streams(struct ag_expansion_batch *batch, const struct ag_context *context)
{
    const struct ag_vertex_records *records = &batch->draw.records;
    batch->stream_count = 0;
    for (uint32_t r = 0; r < records->registers; r++) {
        if (!records->sources[r].buffer)
            continue;
        const uint32_t slot = context->input_layout->elements[context->match.elements[r]].slot;
        const struct ag_vertex_buffer_slot *bound = &context->vertex_buffers[slot];
        batch->streams[batch->stream_count++] = (struct ag_batch_stream){
            .slot = slot,
            .offset = bound->offset,
            .stride = bound->stride,
            .buffer = bound->buffer,
            .version = bound->buffer->version,
        };
    }
}

static void note_indices(struct ag_expansion_batch *batch, const struct ag_context *context)
{
    const struct ag_index_buffer_slot *bound = &context->index_buffer;
    if (!batch->guest.indexed)
        return;
    batch->indices = (struct ag_batch_indices){
        .offset = bound->offset,
        .wide = bound->wide,
        .buffer = bound->buffer,
        .version = bound->buffer->version,
        .gpu = batch->draw.index_range.buffer,
    };
    wgpuBufferAddRef(batch->indices.gpu);
}

/* Notes a constant buffer. False when its bytes are not known. */
static bool note_constants(struct ag_expander *expander, struct ag_context *context, enum agpu_stage stage,
                           const struct agpu_binding *binding)
{
    struct ag_expansion_batch *batch = expander->batch;
    if (batch->constant_count == AG_BATCH_CONSTANTS)
        return false;
    struct ag_batch_constants *constants = &batch->constants[batch->constant_count++];
    constants->stage = stage;
    constants->bound.binding = binding;
    return ag_constants_find(expander->binder, context, stage, binding, &constants->bound.source) ==
               AG_DONE &&
           (constants->bound.source.bytes || !constants->bound.source.buffer);
}

/* Notes the constant buffers of a binding, which is one or the pack of several. False when their bytes are
 * not known, or it is no such binding. */
static bool note_binding(struct ag_expander *expander, struct ag_context *context, enum agpu_stage stage,
                         const struct agpu_module *module, const struct agpu_binding *binding)
{
    bool knows = true;
    if (!ag_is_constant_pack(binding))
        return binding->space == AGPU_SPACE_CBUFFER && note_constants(expander, context, stage, binding);
    if (module->constant_sets) /* the pack knows */
        return true;
    for (uint32_t i = 0; i < module->packed_count && knows; i++)
        knows = note_constants(expander, context, stage, &module->packed[i]);
    return knows;
}

/* Notes what a stage reads. False when it reads other things than constants. */
static bool note_stage(struct ag_expander *expander, struct ag_context *context, enum ag_expand_stage stage)
{
    const struct ag_shader_variant *variant = expander->batch->draw.stages.stages[stage].variant;
    if (!variant)
        return true;
    const struct agpu_module *module = variant->module;
    bool knows = !variant->arena && !module->overflow_count;
    for (uint32_t i = 0; i < module->binding_count && knows; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (ag_is_constant_pack(binding) || binding->space != AGPU_SPACE_INTERNAL)
            knows = note_binding(expander, context, ag_expand_stage_of(stage), module, binding);
    }
    return knows;
}

void ag_batch_note_inputs(struct ag_expander *expander, struct ag_context *context)
{
    struct ag_expansion_batch *batch = expander->batch;
    batch->layout_id = context->input_layout ? context->input_layout->id : 0;
    batch->topology = context->topology;
    batch->constant_count = 0;
    batch->knows_contents = true;
    note_streams(batch, context);
    note_indices(batch, context);
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++)
        batch->knows_contents =
            batch->knows_contents && note_stage(expander, context, (enum ag_expand_stage)i);
}

static bool has_programs(struct ag_expander *expander, const struct ag_context *context)
{
    const struct ag_expand_stages *stages = &expander->batch->draw.stages;
    static const struct {
        enum agpu_stage bound;
        enum ag_expand_stage stage;
    } rows[] = {
        {AGPU_STAGE_VERTEX,   AG_EXPAND_STAGE_VERTEX  },
        {AGPU_STAGE_HULL,     AG_EXPAND_STAGE_PATCHES },
        {AGPU_STAGE_DOMAIN,   AG_EXPAND_STAGE_DOMAIN  },
        {AGPU_STAGE_GEOMETRY, AG_EXPAND_STAGE_GEOMETRY},
    };
    for (uint32_t i = 0; i < AG_COUNT_OF(rows); i++)
        if (ag_shader_at(expander->binder, context, rows[i].bound) != stages->stages[rows[i].stage].program)
            return false;
    return true;
}

static bool has_streams(const struct ag_expansion_batch *batch, const struct ag_context *context)
{
    for (uint32_t i = 0; i < batch->stream_count; i++) {
        const struct ag_batch_stream *stream = &batch->streams[i];
        const struct ag_vertex_buffer_slot *bound = &context->vertex_buffers[stream->slot];
        if (bound->buffer != stream->buffer || bound->buffer->version != stream->version ||
            bound->offset != stream->offset || bound->stride != stream->stride)
            return false;
    }
    return true;
}

bool ag_batch_has_indices(const struct ag_expansion_batch *batch, const struct ag_context *context,
                          const struct ag_draw *draw)
{
    const struct ag_batch_indices *indices = &batch->indices;
    const struct ag_index_buffer_slot *bound = &context->index_buffer;
    const uint64_t end = (uint64_t)draw->first + draw->count;
    if (!draw->indexed || !indices->buffer)
        return !draw->indexed && !indices->buffer;
    return draw->base_vertex == batch->guest.base_vertex && bound->buffer == indices->buffer &&
           bound->buffer->version == indices->version && bound->offset == indices->offset &&
           bound->wide == indices->wide && indices->offset + end * (indices->wide ? 4 : 2) <= UINT32_MAX &&
           !ag_indices_may_cut(context, draw);
}

/* The compute passes whose translations have sets of constants, and may have more of them. */
static const struct ag_shader_variant *variant_with_sets(const struct ag_expansion_batch *batch,
                                                         uint32_t stage)
{
    const struct ag_shader_variant *variant = batch->draw.stages.stages[stage].variant;
    return variant && variant->pack && variant->pack->most_sets ? variant : NULL;
}

/* Adds sets of constants for draws that follow, if they have others. */
static bool add_constants(struct ag_expander *expander, struct ag_context *context)
{
    struct ag_expansion_batch *batch = expander->batch;
    const uint32_t corners = batch->draw.stages.shape.assembly.list_vertices;
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++) {
        const struct ag_shader_variant *variant = variant_with_sets(batch, i);
        const uint32_t number = ag_batch_units(batch) * (i == AG_EXPAND_STAGE_VERTEX ? corners : 1);
        if (variant &&
            !ag_constant_pack_add(expander->binder, context, ag_expand_stage_of((enum ag_expand_stage)i),
                                  variant->module, variant->pack, number))
            return false;
    }
    return true;
}

/* Batches that do not need sets before their translations are without any again. */
#define TRIES_OF_SETS 8

static bool has_sets(const struct ag_expansion_batch *batch)
{
    bool has = false;
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++)
        has = has || variant_with_sets(batch, i);
    return has;
}

/* Notes that draws share passes, or would have done so, had it not been for their constants. */
static void want_sets(const struct ag_expansion_batch *batch)
{
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++)
        if (batch->draw.stages.stages[i].program)
            batch->draw.stages.stages[i].program->wants_constant_sets = TRIES_OF_SETS;
}

void ag_batch_count_sets(const struct ag_expansion_batch *batch)
{
    bool needs = false;
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++)
        needs = needs || (variant_with_sets(batch, i) && variant_with_sets(batch, i)->pack->set_count > 1);
    if (needs) {
        want_sets(batch);
        return;
    }
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++)
        if (variant_with_sets(batch, i) && batch->draw.stages.stages[i].program->wants_constant_sets)
            batch->draw.stages.stages[i].program->wants_constant_sets--;
}

/* Whether the draw has the constants of the batch, or can have sets of its own. */
static bool has_constants(struct ag_expander *expander, struct ag_context *context)
{
    const struct ag_expansion_batch *batch = expander->batch;
    if (!batch->knows_contents)
        return false;
    for (uint32_t i = 0; i < batch->constant_count; i++) {
        const struct ag_batch_constants *constants = &batch->constants[i];
        struct ag_constant_source source;
        if (ag_constants_find(expander->binder, context, constants->stage, constants->bound.binding,
                              &source) != AG_DONE ||
            !ag_constants_same(&source, &constants->bound.source)) {
            if (!has_sets(batch))
                want_sets(batch);
            return false;
        }
    }
    return add_constants(expander, context);
}

/* Whether what is bound lets the stages have the translations of the batch. */
static bool has_variants(struct ag_expander *expander, struct ag_context *context)
{
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++) {
        const struct ag_shader_variant *variant = expander->batch->draw.stages.stages[i].variant;
        if (!variant)
            continue;
        const struct ag_sampling now =
            ag_sampling_of(expander->binder, context, ag_expand_stage_of((enum ag_expand_stage)i),
                           expander->batch->draw.stages.stages[i].program);
        if (memcmp(&now, &variant->key->sampling, sizeof now) != 0)
            return false;
    }
    return true;
}

bool ag_batch_has_inputs(struct ag_expander *expander, struct ag_context *context, uint32_t changed,
                         uint32_t stages)
{
    const struct ag_expansion_batch *batch = expander->batch;
    const bool is_bound = (changed & AG_BATCH_BINDINGS) && (stages & EARLY_BITS);
    if (is_bound &&
        ((changed & AG_BATCH_BINDINGS) != BIT(CONSTANT_BUFFERS) || !has_variants(expander, context)))
        return false;
    if ((changed & AG_BATCH_INPUTS) &&
        (context->topology != batch->topology || !context->input_layout ||
         context->input_layout->id != batch->layout_id || !has_programs(expander, context)))
        return false;
    if ((changed & (BIT(VERTEX_BUFFERS) | AG_CHANGES_CONTENTS)) && !has_streams(batch, context))
        return false;
    return !((changed & AG_BATCH_VALUES) || is_bound) || has_constants(expander, context);
}
