/* SPDX-License-Identifier: MIT */
#include "exec/expand/inlined_draw.h"

#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
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
#include "exec/bind/target_copy.h"
#include "exec/bind/uav.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/index.h"
#include "exec/draw/kept_draw.h"
#include "exec/draw/raster.h"
#include "exec/draw/stream_output.h"
#include "exec/draw/work_limits.h"
#include "exec/expand/expander.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/object/input_layout.h"
#include "exec/object/sample_count.h"
#include "exec/record/bind_group.h"
#include "exec/record/pass.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "exec/transfer/buffer_upload.h"
#include "format/format.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/emission.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/expansion.h"
#include "wgsl/inlined.h"

/* Every vertex that WebGPU draws runs both shaders, so that the work grows with the square of these. */
#define MOST_VERTICES 8
/* The most that both shaders may be estimated to take to compile. */
#define MOST_COMPILE_MS 100

/* ---- Whether a draw is inlined ------------------------------------------------------------------------ */

static bool is_plain(const struct ag_shader_program *program)
{
    return program && !program->refused && !program->has_uavs;
}

static bool is_counted(const struct ag_expander *expander, const struct ag_draw *draw)
{
    return draw->repeats || ag_queries_want(expander->recorder, AG_QUERY_COUNTER_IA_VERTICES);
}

/* Whether the geometry shader's outputs have a value that the vertex shader of the draw would need of other
 * corners. */
static bool has_cull_distances(const struct agpu_shader *geometry)
{
    const struct agpu_program *program = &geometry->program;
    for (uint32_t i = 0; i < program->instruction_count; i++)
        if (program->instructions[i].opcode == AGPU_OP_DCL_OUTPUT_SIV &&
            program->instructions[i].data_count > 0 &&
            program->instructions[i].data[0] == AGPU_NAME_CULL_DISTANCE)
            return true;
    return false;
}

/* Whether state and shaders allow it. */
static bool is_possible(struct ag_expander *expander, struct ag_context *context, const struct ag_draw *draw,
                        const struct ag_attachments *attachments, struct ag_inlined_draw *inlined)
{
    struct ag_binder *binder = expander->binder;
    struct ag_shader_program *vertex = ag_shader_at(binder, context, AGPU_STAGE_VERTEX);
    struct ag_shader_program *geometry = ag_shader_at(binder, context, AGPU_STAGE_GEOMETRY);
    const struct ag_shader_program *pixel = ag_shader_at(binder, context, AGPU_STAGE_PIXEL);
    inlined->programs[AGPU_STAGE_VERTEX] = vertex;
    inlined->programs[AGPU_STAGE_GEOMETRY] = geometry;
    return !inlined->is_off && is_plain(vertex) && is_plain(geometry) && !geometry->stream_output &&
           !geometry->passes_through && geometry->facts.max_vertices <= MOST_VERTICES &&
           !ag_stage_is_bound(binder, context, AGPU_STAGE_HULL) && (!pixel || is_plain(pixel)) &&
           !attachments->early && !attachments->uncounted && !is_counted(expander, draw) &&
           (attachments->color_count || attachments->depth) &&
           context->rasterizer.fill != AEROGPU_EXT_FILL_WIREFRAME &&
           !ag_target_copies_needed(context, attachments) && !has_cull_distances(geometry->shader);
}

static bool can_fetch(const struct ag_host_format *format)
{
    const uint32_t bits = format->component_bits;
    return format->vertex_bytes && (bits == 8 || bits == 16 || bits == 32) &&
           (format->number != AG_NUMBER_FLOAT || bits >= 16);
}

/* The stream of a slot's buffer; AG_INLINED_STREAMS: there are too many. */
static uint32_t stream_of(struct ag_inlined_draw *inlined, uint32_t slot)
{
    uint32_t i = 0;
    while (i < inlined->stream_count && inlined->slots[i] != slot)
        i++;
    if (i == inlined->stream_count && i < AG_INLINED_STREAMS)
        inlined->slots[inlined->stream_count++] = (uint8_t)slot;
    return i;
}

/* Notes how each register is fetched. False when some element cannot be. */
static bool note_elements(const struct ag_expander *expander, const struct ag_context *context,
                          const struct ag_vertex_state *state, struct ag_inlined_draw *inlined)
{
    inlined->key.is_aligned = 1;
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        const uint32_t r = state->attributes[i].location;
        const int8_t index = context->match.elements[r];
        const struct ag_input_element *element = &context->input_layout->elements[index];
        const struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[element->slot];
        const uint32_t stream = stream_of(inlined, element->slot);
        if (element->per_instance || !can_fetch(element->format) || stream == AG_INLINED_STREAMS ||
            !slot->buffer || slot->buffer->size > expander->host->limits.maxStorageBufferBindingSize)
            return false;
        inlined->key.formats[r] = (uint8_t)element->dxgi;
        inlined->key.streams[r] = (uint8_t)stream;
        inlined->key.is_aligned &= (slot->offset + element->offset) % 4 == 0 && slot->stride % 4 == 0;
        inlined->elements[r] = (uint8_t)index;
    }
    return true;
}

static enum ag_outcome find_elements(struct ag_expander *expander, struct ag_context *context,
                                     const struct ag_draw *draw, struct ag_inlined_draw *inlined, bool *can)
{
    struct ag_vertex_state state;
    uint8_t classes[AGPU_MAX_REGISTERS];
    const enum ag_outcome outcome = ag_vertex_state_init(
        expander->binder, context, draw, inlined->programs[AGPU_STAGE_VERTEX], &state, classes);
    if (outcome == AG_DONE)
        *can = note_elements(expander, context, &state, inlined);
    return outcome;
}

static enum ag_outcome translate_part(struct ag_expander *expander, struct ag_context *context,
                                      struct ag_shader_program *program, enum agpu_stage stage,
                                      const struct agpu_module *before, struct ag_shader_variant **part)
{
    struct ag_variant_key key;
    memset(&key, 0, sizeof key);
    key.flavour = stage == AGPU_STAGE_VERTEX ? AGPU_FLAVOUR_VERTEX_AS_COMPUTE : AGPU_FLAVOUR_GEOMETRY;
    key.is_inlined = 1;
    key.sampling = ag_sampling_of(expander->binder, context, stage, program);
    if (before) {
        key.input_registers = (uint8_t)before->expansion.record_registers;
        key.view_base = (uint8_t)before->view_count;
    }
    return ag_shader_variant(expander->binder, program, &key, part, NULL);
}

/* How many bindings of some kinds the vertex stage would have, with `own` for the draw. */
static bool fits(const struct ag_inlined_parts *parts, uint32_t kinds, uint32_t own, uint32_t limit)
{
    const struct agpu_module *modules[2] = {parts->vertex->module, parts->geometry->module};
    for (uint32_t m = 0; m < 2; m++)
        for (uint32_t i = 0; i < modules[m]->binding_count; i++)
            own += modules[m]->bindings[i].binding != AG_BINDING_DRAW_BLOCK &&
                   (kinds >> modules[m]->bindings[i].kind & 1);
    return own <= limit;
}

/* Whether the parts fit into one stage, and are worth while. */
static bool is_worthwhile(const struct ag_expander *expander, const struct ag_inlined_draw *inlined)
{
    const WGPULimits *limits = &expander->host->limits;
    const struct ag_inlined_parts *parts = &inlined->parts;
    const struct agpu_module *vertex = parts->vertex->module, *geometry = parts->geometry->module;
    const uint64_t cost = (uint64_t)vertex->compile_ms * geometry->expansion.vertices + geometry->compile_ms;
    return !parts->vertex->arena && !parts->geometry->arena && !geometry->expansion.writes_layer &&
           !geometry->expansion.writes_viewport && cost <= MOST_COMPILE_MS &&
           fits(parts, 1u << AGPU_BIND_STORAGE_BUFFER_READ, inlined->stream_count + inlined->is_indexed,
                limits->maxStorageBuffersPerShaderStage) &&
           fits(parts, 1u << AGPU_BIND_UNIFORM_BUFFER, 2, limits->maxUniformBuffersPerShaderStage) &&
           fits(parts, 1u << AGPU_BIND_SAMPLED_TEXTURE, 0, limits->maxSampledTexturesPerShaderStage) &&
           fits(parts, 1u << AGPU_BIND_SAMPLER | 1u << AGPU_BIND_COMPARISON_SAMPLER, 0,
                limits->maxSamplersPerShaderStage);
}

static enum ag_outcome translate_parts(struct ag_expander *expander, struct ag_context *context,
                                       struct ag_inlined_draw *inlined, bool *can)
{
    struct ag_inlined_parts *parts = &inlined->parts;
    enum ag_outcome outcome = translate_part(expander, context, inlined->programs[AGPU_STAGE_VERTEX],
                                             AGPU_STAGE_VERTEX, NULL, &parts->vertex);
    if (outcome == AG_DONE)
        outcome = translate_part(expander, context, inlined->programs[AGPU_STAGE_GEOMETRY],
                                 AGPU_STAGE_GEOMETRY, parts->vertex->module, &parts->geometry);
    if (outcome == AG_DONE)
        *can = is_worthwhile(expander, inlined);
    return outcome;
}

/* False: the draw does not fit one of WebGPU, or would be more work than the guest's draws may be. */
static bool vertex_count(const struct ag_expander *expander, const struct ag_draw *draw, uint32_t *count)
{
    const struct ag_inlined_draw *inlined = &expander->inlined;
    const uint64_t vertices =
        (uint64_t)ag_assembly_primitives(&inlined->assembly, draw->count) * inlined->vertices_made;
    *count = (uint32_t)vertices;
    return vertices <= UINT32_MAX && ag_work_limits_admit(expander->drawer, vertices * draw->instance_count);
}

/* Lists whose primitives are all of their vertices, and strips. */
static bool can_assemble(const struct ag_context *context, const struct ag_inlined_draw *inlined)
{
    const uint32_t topology = context->topology;
    const struct ag_assembly *assembly = &inlined->assembly;
    if (assembly->list_vertices)
        return assembly->list_vertices == assembly->corners && topology < AEROGPU_TOPOLOGY_PATCHLIST_1;
    return topology == AG_TOPOLOGY_LINE_STRIP || topology == AG_TOPOLOGY_TRIANGLE_STRIP;
}

/* Whether the geometry shader takes primitives of the topology, and no index is a cut value. */
static bool find_assembly(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_inlined_draw *inlined)
{
    const uint32_t corners = inlined->parts.geometry->module->expansion.vertices;
    if (!ag_assembly_init(&inlined->assembly, context->topology, corners > 3))
        return false;
    inlined->key.list_vertices = (uint8_t)inlined->assembly.list_vertices;
    return corners == inlined->assembly.corners && can_assemble(context, inlined) &&
           !ag_indices_may_cut(context, draw);
}

/* Whether the geometry shader makes primitives, in a number that vertex_count() lets pass. */
static bool find_made(struct ag_expander *expander, const struct ag_draw *draw)
{
    struct ag_inlined_draw *inlined = &expander->inlined;
    const struct agpu_module *geometry = inlined->parts.geometry->module;
    const uint32_t vertices =
        ag_emission_vertices(inlined->programs[AGPU_STAGE_GEOMETRY]->facts.output_topology);
    uint32_t count;
    inlined->made = (struct ag_expanded_key){
        .vertices = (uint8_t)vertices,
        .record_registers = (uint8_t)geometry->expansion.record_registers,
    };
    inlined->vertices_made =
        vertices ? ag_inlined_primitives(geometry, vertices) * vertices * geometry->expansion.instances : 0;
    return inlined->vertices_made && vertex_count(expander, draw, &count);
}

/* Finds out whether a draw can be inlined, and how. */
static enum ag_outcome find_way(struct ag_expander *expander, struct ag_context *context,
                                const struct ag_draw *draw, const struct ag_attachments *attachments,
                                bool *can)
{
    struct ag_inlined_draw *inlined = &expander->inlined;
    enum ag_outcome outcome = AG_DONE;
    *can = is_possible(expander, context, draw, attachments, inlined);
    inlined->is_indexed = draw->indexed;
    inlined->key.index_bytes = draw->indexed ? (context->index_buffer.wide ? 4 : 2) : 0;
    if (*can && draw->indexed)
        outcome = ag_index_buffer_resolve(expander->drawer, context);
    if (outcome == AG_DONE && *can)
        outcome = find_elements(expander, context, draw, inlined, can);
    if (outcome == AG_DONE && *can)
        outcome = translate_parts(expander, context, inlined, can);
    *can = outcome == AG_DONE && *can && find_assembly(context, draw, inlined) && find_made(expander, draw);
    return outcome;
}

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
        ag_store_u32(row + 8, slot->buffer->size > UINT32_MAX ? UINT32_MAX : (uint32_t)slot->buffer->size);
    }
}

static enum ag_outcome find_items(struct ag_expander *expander, struct ag_context *context,
                                  const struct ag_draw *draw, const struct ag_inlined_draw *inlined,
                                  struct ag_bind_item items[AG_EXPAND_BINDING_COUNT])
{
    struct ag_assembly_indices indices;
    struct ag_buffer_range range;
    struct ag_upload_slice block;
    enum ag_outcome outcome = ag_indices_for_kernel(expander->drawer, context, draw, &indices, &range);
    if (outcome == AG_DONE)
        outcome = use_streams(expander, context, inlined, items);
    if (outcome != AG_DONE)
        return outcome;
    if (!ag_upload_ring_alloc(expander->recorder, AG_INLINED_BLOCK_BYTES, &block))
        return AG_OUT_OF_MEMORY;
    fill_block(context, draw, inlined, &indices, block.bytes);
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
        outcome = ag_bind_expansion(expander->binder, context, AGPU_STAGE_GEOMETRY, inlined->pipeline->vertex,
                                    inlined->programs[AGPU_STAGE_GEOMETRY], items, &block, &group);
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
    if (outcome != AG_DONE || !vertex_count(expander, draw, &count) || !count ||
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
    const enum ag_outcome outcome = find_way(expander, context, draw, attachments, done);
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
    return has_sampling(expander, context, AGPU_STAGE_VERTEX, inlined->programs[AGPU_STAGE_VERTEX],
                        &inlined->parts.vertex->key->sampling) &&
           has_sampling(expander, context, AGPU_STAGE_GEOMETRY, inlined->programs[AGPU_STAGE_GEOMETRY],
                        &inlined->parts.geometry->key->sampling) &&
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
        (changed && !has_variants(expander, context)) || !vertex_count(expander, draw, &count) || !count) {
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
