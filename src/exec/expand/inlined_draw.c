/* SPDX-License-Identifier: MIT */
#include "exec/expand/inlined_draw.h"

#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/bind.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/index_scan.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/index.h"
#include "exec/draw/kept_draw.h"
#include "exec/draw/raster.h"
#include "exec/expand/expander.h"
#include "exec/expand/inlined_way.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/object/input_layout.h"
#include "exec/object/sample_count.h"
#include "exec/record/bind_group.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/record/resident_block.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "exec/transfer/buffer_upload.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "wgsl/binding.h"
#include "wgsl/expansion.h"
#include "wgsl/inlined.h"

/* ---- Bindings ----------------------------------------------------------------------------------------- */

/* Brings the vertex buffers up to date, which may end the open pass. */
static enum ag_outcome use_streams(struct ag_expander *expander, const struct ag_context *context,
                                   const struct ag_inlined_draw *inlined,
                                   struct ag_bind_item items[AG_EXPAND_BINDING_COUNT])
{
    for (uint32_t i = 0; i < inlined->stream_count; i++) {
        struct ag_buffer *buffer = context->vertex_buffers[inlined->slots[i]].buffer;
        if (!ag_buffer_use(expander->copier, buffer))
            return AG_STOPPED;
        items[AG_EXPAND_STREAM - AG_BINDING_INTERNAL + i] = (struct ag_bind_item){
            .id = buffer->id, .buffer = buffer->gpu, .size = ag_align_up(buffer->size, 4)};
    }
    return AG_DONE;
}

static void fill_block(const struct ag_context *context, const struct ag_draw *draw,
                       const struct ag_inlined_draw *inlined, const struct ag_assembly_indices *indices,
                       uint8_t *block)
{
    const bool is_instanced = draw->instance_count != 1;
    const uint32_t width = inlined->key.index_bytes;
    memset(block, 0, AG_INLINED_BLOCK_BYTES);
    ag_store_u32(block + AG_INLINED_FIRST, is_instanced ? draw->first : 0);
    ag_store_u32(block + AG_INLINED_INSTANCED, is_instanced);
    ag_store_u32(block + AG_INLINED_BASE, (uint32_t)draw->base_vertex);
    /* The block is for draws that begin at other indices, too. */
    ag_store_u32(block + AG_INLINED_INDEX_BASE, indices->base - draw->first * width);
    ag_store_u32(block + AG_INLINED_INDEX_LIMIT, indices->limit);
    for (uint32_t r = 0; r < AGPU_MAX_REGISTERS; r++) {
        if (!inlined->key.formats[r])
            continue;
        const struct ag_input_element *element = &context->input_layout->elements[inlined->elements[r]];
        const struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[element->slot];
        uint8_t *row = block + AG_INLINED_STREAM_TABLE + 16 * (size_t)r;
        ag_store_u32(row, slot->offset + element->offset);
        ag_store_u32(row + 4, slot->stride);
        ag_store_u32(row + 8, ag_buffer_bytes_behind(slot->buffer, slot->offset));
        ag_store_u32(row + 12, slot->offset);
    }
}

static enum ag_outcome find_items(struct ag_expander *expander, struct ag_context *context,
                                  const struct ag_draw *draw, const struct ag_inlined_draw *inlined,
                                  struct ag_bind_item items[AG_EXPAND_BINDING_COUNT])
{
    struct ag_assembly_indices indices;
    struct ag_buffer_range range;
    struct ag_upload_slice block;
    uint8_t bytes[AG_INLINED_BLOCK_BYTES];
    enum ag_outcome outcome = ag_indices_for_kernel(expander->drawer, context, draw, &indices, &range);
    if (outcome == AG_DONE)
        outcome = use_streams(expander, context, inlined, items);
    if (outcome != AG_DONE)
        return outcome;
    fill_block(context, draw, inlined, &indices, bytes);
    if (!ag_resident_block_use(expander->recorder, &expander->inlined_block, bytes, sizeof bytes, &block))
        return AG_OUT_OF_MEMORY;
    items[AG_EXPAND_INDICES - AG_BINDING_INTERNAL] =
        (struct ag_bind_item){.id = range.id, .buffer = range.buffer, .size = range.size};
    items[AG_EXPAND_ASSEMBLY - AG_BINDING_INTERNAL] = (struct ag_bind_item){
        .id = block.id, .buffer = block.gpu, .offset = block.offset, .size = AG_INLINED_BLOCK_BYTES};
    return AG_DONE;
}

/* Takes a reference to a group, which the cache holds only until the next look-up. */
static void take_group(struct ag_inlined_draw *inlined, uint32_t index, const struct ag_bound_group *group)
{
    wgpuBindGroupAddRef(group->gpu);
    if (inlined->groups[index].gpu)
        wgpuBindGroupRelease(inlined->groups[index].gpu);
    inlined->groups[index] = *group;
}

static enum ag_outcome take_empty(struct ag_expander *expander, struct ag_inlined_draw *inlined,
                                  uint32_t index)
{
    const struct ag_bound_group group = {.gpu = ag_bind_group_empty(expander->recorder)};
    if (!group.gpu)
        return AG_OUT_OF_MEMORY;
    take_group(inlined, index, &group);
    return AG_DONE;
}

static enum ag_outcome bind_stages(struct ag_expander *expander, struct ag_context *context,
                                   struct ag_inlined_draw *inlined, struct ag_draw_block *block)
{
    const struct ag_pipeline *pipeline = inlined->pipeline;
    struct ag_bound_group group = {0};
    enum ag_outcome outcome =
        ag_bind_stage(expander->binder, context, AGPU_STAGE_VERTEX, inlined->parts.vertex,
                      inlined->programs[AGPU_STAGE_VERTEX], block, &group);
    if (outcome != AG_DONE)
        return outcome;
    take_group(inlined, AG_GROUP_VERTEX, &group);
    if (!pipeline->pixel_program)
        return take_empty(expander, inlined, AG_GROUP_PIXEL);
    outcome = ag_bind_stage(expander->binder, context, AGPU_STAGE_PIXEL, pipeline->pixel,
                            pipeline->pixel_program, block, &group);
    if (outcome == AG_DONE)
        take_group(inlined, AG_GROUP_PIXEL, &group);
    return outcome;
}

static enum ag_outcome bind_all(struct ag_expander *expander, struct ag_context *context,
                                const struct ag_draw *draw, struct ag_inlined_draw *inlined)
{
    const enum agpu_stage producer = ag_inlined_producer(inlined);
    struct ag_bind_item items[AG_EXPAND_BINDING_COUNT] = {0};
    struct ag_draw_block block;
    struct ag_bound_group group = {0};
    inlined->groups_destroyed = expander->recorder->groups_destroyed;
    inlined->base_vertex = draw->base_vertex;
    ag_draw_block_begin(draw, context, &inlined->area, &inlined->attachments, &block);
    enum ag_outcome outcome = find_items(expander, context, draw, inlined, items);
    if (outcome == AG_DONE)
        outcome = bind_stages(expander, context, inlined, &block);
    if (outcome == AG_DONE)
        outcome = take_empty(expander, inlined, AG_GROUP_COMPUTE);
    if (outcome == AG_DONE)
        outcome = ag_bind_expansion(expander->binder, context, producer, inlined->pipeline->vertex,
                                    inlined->programs[producer], items, &block, &group);
    if (outcome == AG_DONE)
        take_group(inlined, AG_GROUP_INTERNAL, &group);
    return outcome;
}

/* ---- The draw ----------------------------------------------------------------------------------------- */

void ag_inlined_draw_drop(struct ag_expander *expander)
{
    struct ag_inlined_draw *inlined = &expander->inlined;
    for (uint32_t i = 0; i < AG_COUNT_OF(inlined->groups); i++) {
        if (inlined->groups[i].gpu)
            wgpuBindGroupRelease(inlined->groups[i].gpu);
        inlined->groups[i].gpu = NULL;
    }
    inlined->is_kept = false;
}

static void record_vertices(struct ag_expander *expander, const struct ag_draw *draw, uint32_t count)
{
    ag_throttle_add_draw(expander->recorder, expander->drawer->texels,
                         (uint64_t)count * draw->instance_count);
    wgpuRenderPassEncoderDraw(expander->recorder->pass.encoder, count, draw->instance_count, 0,
                              draw->instance_count == 1 ? draw->first : 0);
}

static void record(struct ag_expander *expander, const struct ag_context *context, const struct ag_draw *draw,
                   uint32_t count)
{
    struct ag_inlined_draw *inlined = &expander->inlined;
    ag_pipeline_wait_forbid(expander->binder);
    ag_pass_begin(expander->recorder, &inlined->attachments);
    ag_draw_set_pipeline(expander->drawer, inlined->pipeline->gpu);
    ag_draw_set_state(expander->drawer, context, inlined->pipeline, &inlined->area);
    ag_draw_set_groups(expander->drawer, inlined->groups, (1u << AG_COUNT_OF(inlined->groups)) - 1);
    record_vertices(expander, draw, count);
    ag_targets_written(&inlined->attachments);
}

/* Keeps the draw that was recorded just now. The kept plain draw, which notes what packets change, is none at
 * this point. */
static void keep(struct ag_expander *expander, const struct ag_context *context, const struct ag_draw *draw)
{
    struct ag_inlined_draw *inlined = &expander->inlined;
    struct ag_kept_draw *plain = expander->drawer->kept;
    inlined->uses++;
    inlined->context = context;
    inlined->pass_number = expander->recorder->pass_number;
    inlined->is_kept = !plain->is_off && !inlined->attachments.exceeds_each && draw->instance_count == 1 &&
                       !expander->recorder->queries.active.count &&
                       expander->recorder->groups_destroyed == inlined->groups_destroyed;
    plain->changed = plain->stages = 0;
}

/* Records the draw, unless nothing of it is visible. */
static enum ag_outcome make(struct ag_expander *expander, struct ag_context *context,
                            const struct ag_draw *draw)
{
    struct ag_inlined_draw *inlined = &expander->inlined;
    const struct ag_attachments *attachments = &inlined->attachments;
    uint32_t count;
    enum ag_outcome outcome = ag_inlined_pipeline_get(expander->binder, context, attachments, &inlined->parts,
                                                      &inlined->made, &inlined->key, &inlined->pipeline);
    if (outcome != AG_DONE || !ag_inlined_way_vertices(expander, draw, &count) || !count ||
        !ag_raster_area_init(context, 0, attachments->width, attachments->height,
                             expander->host->limits.maxTextureDimension2D, &inlined->area) ||
        !ag_samples_host_mask(attachments->sample_count, context->sample_mask))
        return outcome;
    outcome = ag_targets_pull(expander->drawer, attachments);
    if (outcome == AG_DONE)
        outcome = bind_all(expander, context, draw, inlined);
    if (outcome != AG_DONE)
        return outcome;
    record(expander, context, draw, count);
    keep(expander, context, draw);
    return AG_DONE;
}

enum ag_outcome ag_inlined_draw_make(struct ag_expander *expander, struct ag_context *context,
                                     const struct ag_draw *draw, const struct ag_attachments *attachments,
                                     bool *done)
{
    struct ag_inlined_draw *inlined = &expander->inlined;
    ag_inlined_draw_drop(expander);
    memset(&inlined->key, 0, sizeof inlined->key);
    inlined->stream_count = 0;
    inlined->attachments = *attachments;
    const enum ag_outcome outcome = ag_inlined_way_find(expander, context, draw, attachments, done);
    return outcome == AG_DONE && *done ? make(expander, context, draw) : outcome;
}

/* ---- The kept draw ------------------------------------------------------------------------------------ */

#define BIT(state) AG_STATE_BIT(AG_STATE_##state)

/* What a draw without stream output does not depend on. */
#define INERT (BIT(STREAM_OUTPUT_TARGETS) | BIT(PREDICATION) | BIT(D3D9))
/* What bind groups alone depend on. */
#define BOUND (BIT(CONSTANT_BUFFERS) | BIT(CONSTANTS) | AG_CHANGES_CONTENTS)

static bool is_in_pass(const struct ag_expander *expander)
{
    const struct ag_inlined_draw *inlined = &expander->inlined;
    const struct ag_recorder *recorder = expander->recorder;
    return recorder->pass.encoder && recorder->pass_number == inlined->pass_number &&
           recorder->groups_destroyed == inlined->groups_destroyed;
}

/* Whether the bytes of the draw's indices are counted in 32 bits, as the shader does. */
static bool reaches_indices(const struct ag_context *context, const struct ag_draw *draw)
{
    const uint64_t width = context->index_buffer.wide ? 4 : 2;
    return context->index_buffer.offset + ((uint64_t)draw->first + draw->count) * width <= UINT32_MAX;
}

static bool is_alike(const struct ag_inlined_draw *inlined, const struct ag_context *context,
                     const struct ag_draw *draw)
{
    return inlined->is_kept && inlined->context == context && draw->instance_count == 1 &&
           draw->indexed == inlined->is_indexed &&
           (!draw->indexed || (draw->base_vertex == inlined->base_vertex && reaches_indices(context, draw) &&
                               !ag_indices_may_cut(context, draw)));
}

static bool has_sampling(struct ag_expander *expander, struct ag_context *context, enum agpu_stage stage,
                         struct ag_shader_program *program, const struct ag_sampling *sampling)
{
    const struct ag_sampling now = ag_sampling_of(expander->binder, context, stage, program);
    return memcmp(&now, sampling, sizeof now) == 0;
}

/* Whether what is bound lets the shaders have the translations of the kept draw. */
static bool has_variants(struct ag_expander *expander, struct ag_context *context)
{
    const struct ag_inlined_draw *inlined = &expander->inlined;
    const struct ag_pipeline *pipeline = inlined->pipeline;
    const struct ag_shader_variant *hull = inlined->parts.hull;
    const enum agpu_stage producer = ag_inlined_producer(inlined);
    return has_sampling(expander, context, AGPU_STAGE_VERTEX, inlined->programs[AGPU_STAGE_VERTEX],
                        &inlined->parts.vertex->key->sampling) &&
           has_sampling(expander, context, producer, inlined->programs[producer],
                        &inlined->parts.producer->key->sampling) &&
           (!hull || has_sampling(expander, context, AGPU_STAGE_HULL, inlined->programs[AGPU_STAGE_HULL],
                                  &hull->key->sampling)) &&
           has_sampling(expander, context, AGPU_STAGE_PIXEL, pipeline->pixel_program,
                        &pipeline->key.pixel_sampling);
}

bool ag_inlined_draw_use(struct ag_expander *expander, struct ag_context *context, const struct ag_draw *draw)
{
    struct ag_inlined_draw *inlined = &expander->inlined;
    struct ag_kept_draw *plain = expander->drawer->kept;
    const uint32_t changed = plain->changed & ~INERT;
    uint32_t count;
    if (!is_alike(inlined, context, draw) || !is_in_pass(expander) || (changed & ~BOUND) ||
        (changed && !has_variants(expander, context)) || !ag_inlined_way_vertices(expander, draw, &count) ||
        !count) {
        inlined->is_kept = false;
        return false;
    }
    expander->host->counts.pipeline_hits++;
    if (!changed) {
        inlined->uses++;
        record_vertices(expander, draw, count);
        return true;
    }
    inlined->is_kept = false;
    if (bind_all(expander, context, draw, inlined) != AG_DONE || !is_in_pass(expander))
        return false;
    record(expander, context, draw, count);
    keep(expander, context, draw);
    return true;
}
