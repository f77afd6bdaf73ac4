/* SPDX-License-Identifier: MIT */
#include "exec/expand/stages.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
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
#include "exec/draw/index.h"
#include "exec/draw/raster.h"
#include "exec/draw/stream_output.h"
#include "exec/draw/vertex_pull.h"
#include "exec/expand/expander.h"
#include "exec/expand/pool.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/stream_output_declaration.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"
#include "exec/state/state.h"
#include "kernel/assembly.h"
#include "kernel/emission.h"
#include "kernel/plan.h"
#include "kernel/tessellator.h"
#include "wgsl/expansion.h"

enum agpu_stage ag_expand_stage_of(enum ag_expand_stage stage)
{
    static const enum agpu_stage stages[AG_EXPAND_STAGE_COUNT] = {
        [AG_EXPAND_STAGE_VERTEX] = AGPU_STAGE_VERTEX,     [AG_EXPAND_STAGE_CONTROL_POINTS] = AGPU_STAGE_HULL,
        [AG_EXPAND_STAGE_PATCHES] = AGPU_STAGE_HULL,      [AG_EXPAND_STAGE_DOMAIN] = AGPU_STAGE_DOMAIN,
        [AG_EXPAND_STAGE_GEOMETRY] = AGPU_STAGE_GEOMETRY,
    };
    return stages[stage];
}

/* Of a point or primitive of the tessellator, at least. */
#define POINT_BYTES 16

static const struct agpu_expansion *expansion_of(const struct ag_expand_stages *stages,
                                                 enum ag_expand_stage stage)
{
    return &stages->stages[stage].variant->module->expansion;
}

/* ---- Translation -------------------------------------------------------------------------------------- */

static enum ag_outcome translate(struct ag_expander *expander, struct ag_context *context,
                                 struct ag_expand_stages *stages, enum ag_expand_stage stage,
                                 struct ag_shader_program *program, uint32_t input_registers,
                                 uint32_t patch_registers)
{
    static const uint8_t flavours[AG_EXPAND_STAGE_COUNT] = {
        [AG_EXPAND_STAGE_VERTEX] = AGPU_FLAVOUR_VERTEX_AS_COMPUTE,
        [AG_EXPAND_STAGE_CONTROL_POINTS] = AGPU_FLAVOUR_HULL_POINTS,
        [AG_EXPAND_STAGE_PATCHES] = AGPU_FLAVOUR_HULL_PATCH,
        [AG_EXPAND_STAGE_DOMAIN] = AGPU_FLAVOUR_DOMAIN,
        [AG_EXPAND_STAGE_GEOMETRY] = AGPU_FLAVOUR_GEOMETRY,
    };
    struct ag_variant_key key;
    memset(&key, 0, sizeof key);
    key.flavour = flavours[stage];
    key.input_registers = (uint8_t)input_registers;
    key.patch_registers = (uint8_t)patch_registers;
    ag_uavs_alias(context, AGPU_STAGE_PIXEL, program, &key.aliases);
    key.sampling = ag_sampling_of(expander->binder, context, ag_expand_stage_of(stage), program);
    key.has_constant_sets = stages->has_constant_sets && program->wants_constant_sets;
    stages->stages[stage].program = program;
    const enum ag_outcome outcome =
        ag_shader_variant(expander->binder, program, &key, &stages->stages[stage].variant, NULL);
    if (outcome != AG_DONE)
        return outcome;
    stages->last = stage;
    return ag_shader_variant_begin_compute(expander->binder, stages->stages[stage].variant);
}

/* Hull and domain shader; *registers of the records that come in become those of the records that go out. */
static enum ag_outcome translate_tessellation(struct ag_expander *expander, struct ag_context *context,
                                              struct ag_expand_stages *stages,
                                              struct ag_shader_program *const programs[AGPU_STAGE_COUNT],
                                              uint32_t *registers)
{
    struct ag_shader_program *hull = programs[AGPU_STAGE_HULL];
    enum ag_outcome outcome =
        translate(expander, context, stages, AG_EXPAND_STAGE_CONTROL_POINTS, hull, *registers, 0);
    if (outcome == AG_DONE)
        outcome = translate(expander, context, stages, AG_EXPAND_STAGE_PATCHES, hull, *registers, 0);
    if (outcome != AG_DONE)
        return outcome;
    uint32_t points = expansion_of(stages, AG_EXPAND_STAGE_CONTROL_POINTS)->record_registers;
    uint32_t constants = expansion_of(stages, AG_EXPAND_STAGE_PATCHES)->patch_registers;
    outcome = translate(expander, context, stages, AG_EXPAND_STAGE_DOMAIN, programs[AGPU_STAGE_DOMAIN],
                        points, constants);
    if (outcome == AG_DONE)
        *registers = expansion_of(stages, AG_EXPAND_STAGE_DOMAIN)->record_registers;
    return outcome;
}

static enum ag_outcome translate_all(struct ag_expander *expander, struct ag_context *context,
                                     struct ag_expand_stages *stages,
                                     struct ag_shader_program *const programs[AGPU_STAGE_COUNT])
{
    enum ag_outcome outcome =
        translate(expander, context, stages, AG_EXPAND_STAGE_VERTEX, programs[AGPU_STAGE_VERTEX], 0, 0);
    if (outcome != AG_DONE)
        return outcome;
    uint32_t registers = expansion_of(stages, AG_EXPAND_STAGE_VERTEX)->record_registers;
    if (programs[AGPU_STAGE_HULL])
        outcome = translate_tessellation(expander, context, stages, programs, &registers);
    if (outcome == AG_DONE && programs[AGPU_STAGE_GEOMETRY])
        outcome = translate(expander, context, stages, AG_EXPAND_STAGE_GEOMETRY,
                            programs[AGPU_STAGE_GEOMETRY], registers, 0);
    return outcome;
}

/* ---- Records and primitives --------------------------------------------------------------------------- */

static enum ag_outcome skip_vertices(struct ag_expander *expander, const char *what, uint32_t takes,
                                     uint32_t gets)
{
    return ag_host_skip_undefined(expander->host,
                                  "the %s takes primitives of %" PRIu32 " vertices and gets those of %" PRIu32
                                  "; the draw is skipped",
                                  what, takes, gets);
}

/* Describes input assembly. A draw is skipped when its topology does not have the primitives that the hull or
 * geometry shader reads. */
static enum ag_outcome shape_assembly(struct ag_expander *expander, const struct ag_context *context,
                                      const struct ag_draw *draw, struct ag_expand_stages *stages)
{
    struct ag_expand_shape *shape = &stages->shape;
    bool hull = stages->stages[AG_EXPAND_STAGE_PATCHES].program != NULL;
    bool geometry = !hull && stages->stages[AG_EXPAND_STAGE_GEOMETRY].program != NULL;
    uint32_t takes = geometry ? expansion_of(stages, AG_EXPAND_STAGE_GEOMETRY)->vertices
                     : hull   ? expansion_of(stages, AG_EXPAND_STAGE_PATCHES)->vertices
                              : 0;
    if (!ag_assembly_init(&shape->assembly, context->topology, geometry && takes > 3))
        return ag_host_skip_undefined(
            expander->host, "topology %" PRIu32 " does not exist; the draw is skipped", context->topology);
    if (takes && takes != shape->assembly.corners)
        return skip_vertices(expander, geometry ? "geometry shader" : "hull shader", takes,
                             shape->assembly.corners);
    shape->vertices = draw->count;
    shape->instances = draw->instance_count;
    shape->restarts = ag_indices_may_cut(context, draw);
    shape->input_registers = expansion_of(stages, AG_EXPAND_STAGE_VERTEX)->input_registers;
    shape->vertex_registers = expansion_of(stages, AG_EXPAND_STAGE_VERTEX)->record_registers;
    return AG_DONE;
}

/* The least of what is declared and what the shader was seen to write; 0 for neither. */
static float most_factor(float declared, uint32_t written)
{
    return written > 0 && !(declared > 0 && declared < (float)written) ? (float)written : declared;
}

bool ag_expand_tessellation(const struct ag_shader_program *hull, const struct ag_shader_program *domain,
                            uint32_t written, uint32_t control_points, struct ag_tessellation *tessellation)
{
    const struct agpu_shader_facts *facts = &hull->facts;
    *tessellation = (struct ag_tessellation){
        .domain = (enum ag_tessellator_domain)facts->domain,
        .partitioning = (enum ag_tessellator_partitioning)facts->partitioning,
        .output = (enum ag_tessellator_output)facts->output_primitive,
        .max_factor = most_factor(facts->max_tess_factor, written),
        .control_points = control_points,
    };
    return facts->domain >= AG_DOMAIN_ISOLINE && facts->domain <= AG_DOMAIN_QUAD &&
           facts->partitioning >= AG_PARTITIONING_INTEGER &&
           facts->partitioning <= AG_PARTITIONING_FRACTIONAL_EVEN &&
           facts->output_primitive >= AG_TESSELLATOR_POINT &&
           facts->output_primitive <= AG_TESSELLATOR_TRIANGLE_CCW && ag_tessellation_valid(tessellation) &&
           domain->facts.domain == facts->domain;
}

bool ag_expand_divides_nothing(const struct ag_tessellation *tessellation)
{
    const uint32_t sides = (uint32_t)tessellation->domain + 1;
    struct ag_tessellation_capacity capacity;
    ag_tessellation_capacity(tessellation, &capacity);
    return tessellation->domain != AG_DOMAIN_ISOLINE && tessellation->output != AG_TESSELLATOR_POINT &&
           capacity.primitives == sides - 2;
}

static enum ag_outcome shape_tessellation(struct ag_expander *expander, struct ag_expand_stages *stages)
{
    struct ag_expand_shape *shape = &stages->shape;
    const struct ag_shader_program *hull = stages->stages[AG_EXPAND_STAGE_PATCHES].program;
    if (!hull)
        return AG_DONE;
    const struct agpu_expansion *points = expansion_of(stages, AG_EXPAND_STAGE_CONTROL_POINTS);
    if (!ag_expand_tessellation(hull, stages->stages[AG_EXPAND_STAGE_DOMAIN].program,
                                expansion_of(stages, AG_EXPAND_STAGE_PATCHES)->most_factor,
                                shape->assembly.corners, &stages->tessellation))
        return ag_host_skip_undefined(
            expander->host,
            "hull and domain shader do not agree about what the tessellator does; the draw is "
            "skipped");
    shape->tessellates = true;
    shape->control_points = points->output_points;
    shape->copies_points = points->copies_points && points->output_points == shape->assembly.corners;
    shape->control_point_registers = points->record_registers;
    shape->patch_registers = expansion_of(stages, AG_EXPAND_STAGE_PATCHES)->patch_registers;
    shape->domain_registers = expansion_of(stages, AG_EXPAND_STAGE_DOMAIN)->record_registers;
    ag_tessellation_capacity(&stages->tessellation, &shape->tessellated);
    return AG_DONE;
}

static enum ag_outcome shape_geometry(struct ag_expander *expander, struct ag_expand_stages *stages)
{
    struct ag_expand_shape *shape = &stages->shape;
    if (!stages->stages[AG_EXPAND_STAGE_GEOMETRY].program)
        return AG_DONE;
    const struct agpu_expansion *expansion = expansion_of(stages, AG_EXPAND_STAGE_GEOMETRY);
    uint32_t gets = shape->tessellates ? shape->tessellated.vertices : shape->assembly.corners;
    if (expansion->vertices != gets)
        return skip_vertices(expander, "geometry shader", expansion->vertices, gets);
    shape->has_geometry = true;
    shape->geometry_registers = expansion->record_registers;
    shape->emission = (struct ag_emission){
        .max_vertices = expansion->max_vertices,
        .instances = expansion->instances,
        .vertices =
            ag_emission_vertices(stages->stages[AG_EXPAND_STAGE_GEOMETRY].program->facts.output_topology),
        .stream = shape->emission.stream,
    };
    if (shape->emission.vertices)
        return AG_DONE;
    return ag_host_skip_undefined(
        expander->host, "the geometry shader declares no topology for what it makes; the draw is skipped");
}

static enum ag_culled culled_faces(const struct ag_rasterizer_desc *rasterizer)
{
    const bool front = rasterizer->cull == AEROGPU_EXT_CULL_FRONT;
    if (rasterizer->cull == AEROGPU_EXT_CULL_NONE)
        return AG_CULLED_NONE;
    return front == (rasterizer->front_counter_clockwise != 0) ? AG_CULLED_COUNTER_CLOCKWISE
                                                               : AG_CULLED_CLOCKWISE;
}

void ag_expand_stages_draw(const struct ag_context *context, struct ag_expand_stages *stages)
{
    struct ag_expand_shape *shape = &stages->shape;
    const struct agpu_expansion *expansion = expansion_of(stages, stages->last);
    uint32_t vertices = shape->has_geometry  ? shape->emission.vertices
                        : shape->tessellates ? shape->tessellated.vertices
                                             : shape->assembly.corners;
    const bool edges = vertices == 3 && context->rasterizer.fill == AEROGPU_EXT_FILL_WIREFRAME;
    stages->drawn = (struct ag_expanded_key){
        .vertices = (uint8_t)vertices,
        .edges = edges,
        .culled = edges ? (uint8_t)culled_faces(&context->rasterizer) : 0,
        .record_registers = (uint8_t)expansion->record_registers,
        .layers = expansion->writes_layer >> shape->emission.stream & 1,
        .selects_viewport = expansion->writes_viewport >> shape->emission.stream & 1,
        .stream = (uint8_t)shape->emission.stream,
    };
    stages->drawn.pieces = shape->tessellates && !shape->has_geometry && !stages->drawn.layers &&
                           !stages->drawn.selects_viewport;
}

/* Decides whether primitives go to buffers, to the rasterizer, or to both. */
static void choose_output(struct ag_expander *expander, struct ag_context *context,
                          const struct ag_draw *draw, const struct ag_shader_program *geometry,
                          struct ag_expand_stages *stages)
{
    stages->stream_output = ag_stream_output_active(expander->drawer, context, draw);
    stages->rasterizes = !ag_stream_output_only(expander->drawer, context);
    if (geometry && geometry->stream_output && stages->rasterizes)
        stages->shape.emission.stream = geometry->stream_output->rasterized_stream;
}

/* Of the stages in front of the pixel shader. */
static enum ag_outcome find_programs(struct ag_expander *expander, const struct ag_context *context,
                                     struct ag_shader_program *programs[AGPU_STAGE_COUNT])
{
    static const enum agpu_stage bound[] = {AGPU_STAGE_VERTEX, AGPU_STAGE_HULL, AGPU_STAGE_DOMAIN,
                                            AGPU_STAGE_GEOMETRY};
    for (uint32_t i = 0; i < sizeof bound / sizeof bound[0]; i++) {
        const enum ag_outcome outcome =
            ag_bound_program(expander->binder, context, bound[i], &programs[bound[i]]);
        if (outcome != AG_DONE)
            return outcome;
    }
    return AG_DONE;
}

/* Whether culled patches may have primitives without an area: nobody counts primitives, sees their edges or
 * runs for their vertices. */
static bool may_fix_places(const struct ag_expander *expander, const struct ag_expand_stages *stages)
{
    return ag_expand_divides_nothing(&stages->tessellation) && stages->rasterizes && !stages->stream_output &&
           !stages->shape.has_geometry && !stages->drawn.edges &&
           !stages->stages[AG_EXPAND_STAGE_DOMAIN].program->has_uavs &&
           !ag_queries_want(expander->recorder, AG_QUERY_COUNTER_IA_VERTICES);
}

/* The tessellator's mode that the draw will have, if one step is enough: otherwise what it needs is made when
 * it is recorded. */
static enum ag_tessellator_mode mode_of(const struct ag_draw *draw, const struct ag_expand_stages *stages)
{
    const struct ag_expand_shape *shape = &stages->shape;
    const uint64_t patches = (uint64_t)draw->count / shape->assembly.corners * draw->instance_count;
    const uint64_t bytes = shape->tessellated.points + shape->tessellated.primitives;
    return ag_tessellator_mode_of(&stages->tessellation, patches,
                                  bytes > AG_TESSELLATION_BUDGET / POINT_BYTES / (patches + 1) ? 2 : 1);
}

static enum ag_outcome wait_for_tessellator(struct ag_expander *expander, const struct ag_draw *draw,
                                            const struct ag_expand_stages *stages)
{
    struct ag_compilation *compilation =
        ag_tessellator_compilation(&expander->expand_pool.tessellator, mode_of(draw, stages));
    struct ag_refusal refusal = {0};
    if (!compilation)
        return AG_DONE;
    const enum ag_outcome outcome = ag_pipeline_wait(expander->binder, compilation, "tessellator", &refusal);
    return outcome == AG_DONE && refusal.code
               ? ag_host_skip_refused(expander->host, refusal.code, "%s", refusal.message)
               : outcome;
}

/* The pipelines, which are all begun before the first is waited for. */
static enum ag_outcome take_pipelines(struct ag_expander *expander, const struct ag_draw *draw,
                                      struct ag_expand_stages *stages)
{
    enum ag_outcome outcome = AG_DONE;
    if (stages->shape.tessellates && !ag_expand_pool_begin_tessellator(expander, mode_of(draw, stages)))
        return AG_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT && outcome == AG_DONE; i++)
        if (stages->stages[i].variant)
            outcome = ag_shader_variant_compute(expander->binder, stages->stages[i].variant,
                                                &stages->stages[i].gpu);
    if (outcome == AG_DONE && stages->shape.tessellates)
        outcome = wait_for_tessellator(expander, draw, stages);
    return outcome;
}

enum ag_outcome ag_expand_stages_init(struct ag_expander *expander, struct ag_context *context,
                                      const struct ag_draw *draw, struct ag_expand_stages *stages)
{
    struct ag_shader_program *programs[AGPU_STAGE_COUNT] = {0};
    memset(stages, 0, sizeof *stages);
    enum ag_outcome outcome = find_programs(expander, context, programs);
    if (outcome != AG_DONE)
        return outcome;
    choose_output(expander, context, draw, programs[AGPU_STAGE_GEOMETRY], stages);
    if (programs[AGPU_STAGE_GEOMETRY] && programs[AGPU_STAGE_GEOMETRY]->passes_through)
        programs[AGPU_STAGE_GEOMETRY] = NULL;
    if (!programs[AGPU_STAGE_VERTEX])
        return ag_draw_needs_vertex_shader(expander->binder);
    stages->has_constant_sets = !programs[AGPU_STAGE_GEOMETRY];
    outcome = translate_all(expander, context, stages, programs);
    if (outcome == AG_DONE)
        outcome = shape_assembly(expander, context, draw, stages);
    if (outcome == AG_DONE)
        outcome = shape_tessellation(expander, stages);
    if (outcome == AG_DONE)
        outcome = shape_geometry(expander, stages);
    if (outcome != AG_DONE)
        return outcome;
    ag_expand_stages_draw(context, stages);
    stages->tessellation.has_fixed_places = stages->shape.tessellates && may_fix_places(expander, stages);
    return take_pipelines(expander, draw, stages);
}

/* ---- Whether a draw is expanded ----------------------------------------------------------------------- */

static uint32_t needs_of(struct ag_expander *expander, const struct ag_context *context,
                         enum agpu_stage stage)
{
    const struct ag_shader_program *program = ag_shader_at(expander->binder, context, stage);
    return program ? program->needs : 0;
}

/* Decides for draws whose indices or vertices no plain draw takes: expanded are draws with indices that only
 * the GPU knows, when these have to be rewritten or the vertices have to be pulled, draws that the CPU would
 * rewrite too long, and those that would pull too much. */
static enum ag_outcome decide_indices(struct ag_expander *expander, struct ag_context *context,
                                      const struct ag_draw *draw, bool *expanded)
{
    struct ag_vertex_state state;
    struct ag_shader_program *vertex;
    uint8_t classes[AGPU_MAX_REGISTERS];
    enum ag_outcome outcome = AG_DONE;
    if (*expanded)
        return AG_DONE;
    if (draw->indexed)
        outcome = ag_index_buffer_resolve(expander->drawer, context);
    if (outcome != AG_DONE)
        return outcome;
    const bool unknown = ag_indices_unknown(context, draw);
    *expanded = ag_indices_exceed_rewriting(context, draw) ||
                (unknown && ag_indices_need_rewriting(expander->drawer, context, draw));
    if (*expanded || (!unknown && !ag_vertex_pull_may_exceed(context, draw)))
        return AG_DONE;
    outcome = ag_bound_program(expander->binder, context, AGPU_STAGE_VERTEX, &vertex);
    if (outcome != AG_DONE || !vertex)
        return outcome;
    outcome = ag_vertex_state_init(expander->binder, context, draw, vertex, &state, classes);
    if (outcome == AG_DONE)
        *expanded =
            state.pulled && (unknown || ag_vertex_pull_exceeds(expander->drawer, context, &state, draw));
    return outcome;
}

/* Decides for draws whose vertex shader may read more attributes than the device has: those that do are
 * expanded. */
static enum ag_outcome decide_inputs(struct ag_expander *expander, struct ag_context *context,
                                     const struct ag_draw *draw, bool *expanded)
{
    const uint32_t limit = expander->host->limits.maxVertexAttributes;
    struct ag_vertex_state state;
    struct ag_shader_program *vertex;
    uint8_t classes[AGPU_MAX_REGISTERS];
    enum ag_outcome outcome = ag_bound_program(expander->binder, context, AGPU_STAGE_VERTEX, &vertex);
    if (outcome != AG_DONE || !vertex)
        return outcome;
    if (vertex->input_count <= limit)
        return AG_DONE;
    outcome = ag_vertex_state_init(expander->binder, context, draw, vertex, &state, classes);
    if (outcome == AG_DONE)
        *expanded = state.attribute_count > limit;
    return outcome;
}

/* Whether patches that are not divided only go to stream output, and the rasterizer is off (D3D11.3 15.2). */
static bool are_only_streamed(struct ag_expander *expander, const struct ag_context *context)
{
    const struct ag_shader_program *program = ag_shader_at(expander->binder, context, AGPU_STAGE_GEOMETRY);
    return program && program->stream_output && !ag_draw_rasterizes(expander->drawer, context);
}

/* Shaders of another stage, which are none. */
static void warn_of_other_stages(struct ag_expander *expander, const struct ag_context *context)
{
    static const enum agpu_stage stages[] = {AGPU_STAGE_HULL, AGPU_STAGE_DOMAIN, AGPU_STAGE_GEOMETRY};
    struct ag_shader_program *program;
    for (uint32_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (context->shaders[stages[i]] && !ag_stage_is_bound(expander->binder, context, stages[i]))
            ag_bound_program(expander->binder, context, stages[i], &program);
}

enum ag_outcome ag_expanded_draw_decide(struct ag_expander *expander, struct ag_context *context,
                                        const struct ag_draw *draw, const struct ag_attachments *attachments,
                                        bool *expanded)
{
    const struct ag_binder *binder = expander->binder;
    const struct ag_shader_program *program = ag_shader_at(binder, context, AGPU_STAGE_GEOMETRY);
    bool hull = ag_stage_is_bound(binder, context, AGPU_STAGE_HULL);
    bool domain = ag_stage_is_bound(binder, context, AGPU_STAGE_DOMAIN);
    bool geometry =
        ag_stage_is_bound(binder, context, AGPU_STAGE_GEOMETRY) && !(program && program->passes_through);
    bool patches = context->topology >= AEROGPU_TOPOLOGY_PATCHLIST_1;
    warn_of_other_stages(expander, context);
    if (hull != domain)
        return ag_host_skip_undefined(
            expander->host, "a hull shader without a domain shader, or the reverse: the draw is skipped");
    if (hull && !patches)
        return ag_host_skip_undefined(
            expander->host, "a hull shader takes patches, the topology has none: the draw is skipped");
    if (patches && !hull && !geometry && !are_only_streamed(expander, context))
        return ag_host_skip_undefined(expander->host,
                                      "patches without a hull and a domain shader: the draw is skipped");
    *expanded = hull || geometry || ag_stream_output_active(expander->drawer, context, draw) ||
                ag_stream_output_only(expander->drawer, context) ||
                (needs_of(expander, context, AGPU_STAGE_PIXEL) & AGPU_NEED_PRIMITIVE_INDEX) != 0 ||
                (needs_of(expander, context, AGPU_STAGE_VERTEX) & AGPU_NEED_DRAW_EXPANSION) != 0 ||
                ag_uavs_used_early(expander->binder, context) ||
                ag_target_copies_needed(context, attachments) || ag_topology_is_wireframe(context);
    const enum ag_outcome outcome = decide_indices(expander, context, draw, expanded);
    return outcome == AG_DONE && !*expanded ? decide_inputs(expander, context, draw, expanded) : outcome;
}
