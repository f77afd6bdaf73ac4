/* SPDX-License-Identifier: MIT */
#include "exec/expand/inlined_way.h"

#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/index_scan.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/bind/target_copy.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/index.h"
#include "exec/draw/work_limits.h"
#include "exec/expand/expander.h"
#include "exec/expand/inlined_draw.h"
#include "exec/expand/stages.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/object/input_layout.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"
#include "format/format.h"
#include "kernel/assembly.h"
#include "kernel/emission.h"
#include "kernel/tessellator.h"
#include "wgsl/binding.h"
#include "wgsl/inlined.h"

/* Every vertex that WebGPU draws runs both shaders, so that the work grows with the square of these. */
#define MOST_VERTICES 8
/* Of a patch: each of its corners runs the vertex shader for all of them. */
#define MOST_CONTROL_POINTS 4
/* The most that the shaders may be estimated to take to compile. */
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

/* Whether the producer's outputs have a value that the vertex shader of the draw would need of other
 * corners. */
static bool has_cull_distances(const struct agpu_shader *producer)
{
    const struct agpu_program *program = &producer->program;
    for (uint32_t i = 0; i < program->instruction_count; i++)
        if (program->instructions[i].opcode == AGPU_OP_DCL_OUTPUT_SIV &&
            program->instructions[i].data_count > 0 &&
            program->instructions[i].data[0] == AGPU_NAME_CULL_DISTANCE)
            return true;
    return false;
}

/* Whether the geometry shader allows it. */
static bool has_few_vertices(const struct ag_expander *expander, const struct ag_context *context,
                             const struct ag_shader_program *geometry)
{
    return is_plain(geometry) && !geometry->stream_output && !geometry->passes_through &&
           geometry->facts.max_vertices <= MOST_VERTICES &&
           !ag_stage_is_bound(expander->binder, context, AGPU_STAGE_HULL) &&
           !has_cull_distances(geometry->shader);
}

/* Whether the draw has patches, in such a number that it had better not join others. */
static bool has_many_patches(const struct ag_expander *expander, const struct ag_context *context,
                             const struct ag_draw *draw)
{
    const struct ag_inlined_draw *inlined = &expander->inlined;
    const struct ag_shader_program *domain = inlined->programs[AGPU_STAGE_DOMAIN];
    const uint32_t least = inlined->least_patches ? inlined->least_patches : AG_INLINED_PATCHES;
    const uint32_t points = context->topology - AEROGPU_TOPOLOGY_PATCHLIST_1 + 1;
    return context->topology >= AEROGPU_TOPOLOGY_PATCHLIST_1 && points <= MOST_CONTROL_POINTS &&
           draw->count / points >= least &&
           !ag_stage_is_bound(expander->binder, context, AGPU_STAGE_GEOMETRY) &&
           is_plain(inlined->programs[AGPU_STAGE_HULL]) && is_plain(domain) &&
           !has_cull_distances(domain->shader);
}

/* Whether state and shaders allow it. */
static bool is_possible(struct ag_expander *expander, struct ag_context *context, const struct ag_draw *draw,
                        const struct ag_attachments *attachments, struct ag_inlined_draw *inlined)
{
    struct ag_binder *binder = expander->binder;
    const struct ag_shader_program *pixel = ag_shader_at(binder, context, AGPU_STAGE_PIXEL);
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++)
        inlined->programs[stage] = ag_shader_at(binder, context, (enum agpu_stage)stage);
    return !inlined->is_off && is_plain(inlined->programs[AGPU_STAGE_VERTEX]) &&
           (has_few_vertices(expander, context, inlined->programs[AGPU_STAGE_GEOMETRY]) ||
            has_many_patches(expander, context, draw)) &&
           (!pixel || is_plain(pixel)) && !attachments->early && !attachments->uncounted &&
           !is_counted(expander, draw) && (attachments->color_count || attachments->depth) &&
           context->rasterizer.fill != AEROGPU_EXT_FILL_WIREFRAME &&
           !ag_target_copies_needed(context, attachments);
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

/* Translates a stage for what the stages before it hand on. */
static enum ag_outcome translate_part(struct ag_expander *expander, struct ag_context *context,
                                      struct ag_inlined_draw *inlined, enum agpu_stage stage,
                                      struct ag_shader_variant **part)
{
    static const uint8_t flavours[AGPU_STAGE_COUNT] = {
        [AGPU_STAGE_VERTEX] = AGPU_FLAVOUR_VERTEX_AS_COMPUTE,
        [AGPU_STAGE_HULL] = AGPU_FLAVOUR_HULL_PATCH,
        [AGPU_STAGE_DOMAIN] = AGPU_FLAVOUR_DOMAIN,
        [AGPU_STAGE_GEOMETRY] = AGPU_FLAVOUR_GEOMETRY,
    };
    const struct ag_inlined_parts *before = &inlined->parts;
    struct ag_variant_key key;
    memset(&key, 0, sizeof key);
    key.flavour = flavours[stage];
    key.is_inlined = 1;
    key.sampling = ag_sampling_of(expander->binder, context, stage, inlined->programs[stage]);
    if (before->vertex) {
        key.input_registers = (uint8_t)before->vertex->module->expansion.record_registers;
        key.view_base = (uint8_t)before->vertex->module->view_count;
    }
    if (before->hull)
        key.patch_registers = (uint8_t)before->hull->module->expansion.patch_registers;
    return ag_shader_variant(expander->binder, inlined->programs[stage], &key, part, NULL);
}

/* How many bindings of some kinds the vertex stage would have, with `own` for the draw. */
static bool fits(const struct ag_inlined_parts *parts, uint32_t kinds, uint32_t own, uint32_t limit)
{
    const struct agpu_module *modules[2] = {parts->vertex->module, parts->producer->module};
    for (uint32_t m = 0; m < 2; m++)
        for (uint32_t i = 0; i < modules[m]->binding_count; i++)
            own += modules[m]->bindings[i].binding != AG_BINDING_DRAW_BLOCK &&
                   (kinds >> modules[m]->bindings[i].kind & 1);
    return own <= limit;
}

/* Whether a hull shader's part needs nothing that is bound, whose bindings would be the domain shader's. */
static bool is_unbound(const struct ag_shader_variant *hull)
{
    const struct agpu_module *module = hull->module;
    return !hull->arena && !module->binding_count && !module->unbound_count && !module->packed_count &&
           !module->view_count && !module->uses_draw_block;
}

/* Whether the parts fit into one stage, and are worth while. */
static bool is_worthwhile(const struct ag_expander *expander, const struct ag_inlined_draw *inlined)
{
    const WGPULimits *limits = &expander->host->limits;
    const struct ag_inlined_parts *parts = &inlined->parts;
    const struct agpu_module *vertex = parts->vertex->module, *producer = parts->producer->module;
    const struct agpu_module *first = parts->hull ? parts->hull->module : producer;
    const uint64_t cost = (uint64_t)vertex->compile_ms * first->expansion.vertices + producer->compile_ms +
                          (parts->hull ? first->compile_ms : 0);
    return !parts->vertex->arena && !parts->producer->arena && (!parts->hull || is_unbound(parts->hull)) &&
           !producer->expansion.writes_layer && !producer->expansion.writes_viewport &&
           cost <= MOST_COMPILE_MS &&
           fits(parts, 1u << AGPU_BIND_STORAGE_BUFFER_READ, inlined->stream_count + inlined->is_indexed,
                limits->maxStorageBuffersPerShaderStage) &&
           fits(parts, 1u << AGPU_BIND_UNIFORM_BUFFER, 2, limits->maxUniformBuffersPerShaderStage) &&
           fits(parts, 1u << AGPU_BIND_SAMPLED_TEXTURE, 0, limits->maxSampledTexturesPerShaderStage) &&
           fits(parts, 1u << AGPU_BIND_SAMPLER | 1u << AGPU_BIND_COMPARISON_SAMPLER, 0,
                limits->maxSamplersPerShaderStage);
}

/* Whether no patch is divided, and the control points are the vertices. */
static bool find_tessellation(struct ag_inlined_draw *inlined)
{
    const struct agpu_expansion *patch = &inlined->parts.hull->module->expansion;
    struct ag_tessellation tessellation;
    if (!patch->copies_points ||
        !ag_expand_tessellation(inlined->programs[AGPU_STAGE_HULL], inlined->programs[AGPU_STAGE_DOMAIN],
                                patch->most_factor, patch->vertices, &tessellation) ||
        !ag_expand_divides_nothing(&tessellation))
        return false;
    inlined->key.sides = (uint8_t)(tessellation.domain + 1);
    inlined->key.is_counter_clockwise = tessellation.output == AG_TESSELLATOR_TRIANGLE_CCW;
    return true;
}

static enum ag_outcome translate_parts(struct ag_expander *expander, struct ag_context *context,
                                       struct ag_inlined_draw *inlined, bool *can)
{
    struct ag_inlined_parts *parts = &inlined->parts;
    const bool has_patches = context->topology >= AEROGPU_TOPOLOGY_PATCHLIST_1 &&
                             ag_stage_is_bound(expander->binder, context, AGPU_STAGE_HULL);
    memset(parts, 0, sizeof *parts);
    enum ag_outcome outcome = translate_part(expander, context, inlined, AGPU_STAGE_VERTEX, &parts->vertex);
    if (outcome == AG_DONE && has_patches) {
        outcome = translate_part(expander, context, inlined, AGPU_STAGE_HULL, &parts->hull);
        *can = outcome == AG_DONE && find_tessellation(inlined);
    }
    if (outcome == AG_DONE && *can)
        outcome = translate_part(expander, context, inlined, ag_inlined_producer(inlined), &parts->producer);
    *can = outcome == AG_DONE && *can && is_worthwhile(expander, inlined);
    return outcome;
}

bool ag_inlined_way_vertices(const struct ag_expander *expander, const struct ag_draw *draw, uint32_t *count)
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
        return assembly->list_vertices == assembly->corners &&
               (topology < AEROGPU_TOPOLOGY_PATCHLIST_1 || inlined->parts.hull);
    return topology == AG_TOPOLOGY_LINE_STRIP || topology == AG_TOPOLOGY_TRIANGLE_STRIP;
}

/* Whether the first stage behind the vertex shader takes primitives of the topology, and no index is a cut
 * value. */
static bool find_assembly(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_inlined_draw *inlined)
{
    const struct ag_shader_variant *hull = inlined->parts.hull;
    const uint32_t corners = (hull ? hull : inlined->parts.producer)->module->expansion.vertices;
    if (!ag_assembly_init(&inlined->assembly, context->topology, !hull && corners > 3))
        return false;
    inlined->key.list_vertices = (uint8_t)inlined->assembly.list_vertices;
    return corners == inlined->assembly.corners && can_assemble(context, inlined) &&
           !ag_indices_may_cut(context, draw);
}

/* Whether the producer makes primitives, in a number that ag_inlined_way_vertices() lets pass. */
static bool find_made(struct ag_expander *expander, const struct ag_draw *draw)
{
    struct ag_inlined_draw *inlined = &expander->inlined;
    const struct agpu_module *producer = inlined->parts.producer->module;
    const bool has_patches = inlined->parts.hull != NULL;
    const uint32_t vertices =
        has_patches ? 3 : ag_emission_vertices(inlined->programs[AGPU_STAGE_GEOMETRY]->facts.output_topology);
    uint32_t count, made = 0;
    inlined->made = (struct ag_expanded_key){
        .vertices = (uint8_t)vertices,
        .record_registers = (uint8_t)producer->expansion.record_registers,
    };
    if (has_patches)
        made = inlined->key.sides - 2u;
    else if (vertices)
        made = ag_inlined_primitives(producer, vertices) * producer->expansion.instances;
    inlined->vertices_made = made * vertices;
    return inlined->vertices_made && ag_inlined_way_vertices(expander, draw, &count);
}

enum ag_outcome ag_inlined_way_find(struct ag_expander *expander, struct ag_context *context,
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
