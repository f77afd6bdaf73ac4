/* SPDX-License-Identifier: MIT
 *
 * Computes buffer sizes, and cuts draws into parts.
 */
#include "kernel/plan.h"

#include <string.h>

#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "wgsl/expansion.h"

#define HEADER_BYTES (AG_LIST_HEADER_WORDS * UINT64_C(4))
#define REGISTER_BYTES UINT64_C(16)

/* The bytes of each buffer for one unit, which is a primitive or patch of the draw, or a primitive that the
 * geometry shader takes. */
struct unit_bytes {
    uint64_t bytes[AG_EXPAND_BUFFER_COUNT];
};

static uint64_t primitive_bytes(uint32_t vertices)
{
    return 4 * (1 + (uint64_t)vertices);
}

static bool is_list(enum ag_expand_buffer buffer)
{
    return buffer == AG_EXPAND_BUFFER_RUNS || buffer == AG_EXPAND_BUFFER_VERTICES ||
           buffer == AG_EXPAND_BUFFER_PRIMITIVES || buffer == AG_EXPAND_BUFFER_STARTS ||
           buffer == AG_EXPAND_BUFFER_POINTS || buffer == AG_EXPAND_BUFFER_TESSELLATED ||
           buffer == AG_EXPAND_BUFFER_GEOMETRY_INPUTS || buffer == AG_EXPAND_BUFFER_EMITTED;
}

static void assembly_bytes(const struct ag_expand_shape *shape, uint64_t *bytes)
{
    const uint64_t corners = shape->assembly.corners;
    bytes[AG_EXPAND_BUFFER_RUNS] = shape->restarts ? AG_ASSEMBLY_RUN_BYTES : 0;
    bytes[AG_EXPAND_BUFFER_VERTICES] = 8 * corners;
    bytes[AG_EXPAND_BUFFER_PRIMITIVES] = primitive_bytes(shape->assembly.corners);
    bytes[AG_EXPAND_BUFFER_INPUTS] = REGISTER_BYTES * shape->input_registers * corners;
    bytes[AG_EXPAND_BUFFER_VERTEX_RECORDS] = REGISTER_BYTES * shape->vertex_registers * corners;
}

/* What the tessellator reads. */
static void patch_bytes(const struct ag_expand_shape *shape, uint64_t *bytes)
{
    if (!shape->tessellates)
        return;
    if (!shape->copies_points)
        bytes[AG_EXPAND_BUFFER_CONTROL_POINTS] =
            REGISTER_BYTES * shape->control_point_registers * shape->control_points;
    bytes[AG_EXPAND_BUFFER_PATCHES] = REGISTER_BYTES * shape->patch_registers;
    bytes[AG_EXPAND_BUFFER_FACTORS] = 32;
    bytes[AG_EXPAND_BUFFER_STARTS] = AG_TESSELLATOR_START_BYTES;
}

/* What a patch may become. */
static void tessellation_bytes(const struct ag_expand_shape *shape, uint64_t *bytes)
{
    if (!shape->tessellates)
        return;
    bytes[AG_EXPAND_BUFFER_POINTS] = 16 * shape->tessellated.points;
    bytes[AG_EXPAND_BUFFER_TESSELLATED] =
        primitive_bytes(shape->tessellated.vertices) * shape->tessellated.primitives;
    bytes[AG_EXPAND_BUFFER_DOMAIN_RECORDS] =
        REGISTER_BYTES * shape->domain_registers * shape->tessellated.points;
}

/* Adds the buffers that depend on the primitives the geometry shader takes at a time. */
static void geometry_bytes(const struct ag_expand_shape *shape, uint64_t *bytes)
{
    const struct ag_emission *emission = &shape->emission;
    const uint64_t vertices = (uint64_t)emission->max_vertices * emission->instances;
    const uint64_t primitives = (uint64_t)ag_emission_primitives(emission) * emission->instances;
    if (!shape->has_geometry)
        return;
    bytes[AG_EXPAND_BUFFER_GEOMETRY_RECORDS] = REGISTER_BYTES * shape->geometry_registers * vertices;
    bytes[AG_EXPAND_BUFFER_EMITS] = 4 * vertices;
    bytes[AG_EXPAND_BUFFER_COUNTS] = AG_EMISSION_COUNT_BYTES * (uint64_t)emission->instances;
    bytes[AG_EXPAND_BUFFER_EMITTED] = primitive_bytes(emission->vertices) * primitives;
    if (shape->tessellates)
        bytes[AG_EXPAND_BUFFER_GEOMETRY_INPUTS] = primitive_bytes(shape->tessellated.vertices);
}

/* The most units within the budget and the device's limit for bindings; 0: not even one fits a binding. */
static uint64_t most_units(const struct unit_bytes *unit, uint64_t budget, uint64_t binding)
{
    uint64_t total = 0, most = UINT64_MAX;
    for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++) {
        if (!unit->bytes[i])
            continue;
        uint64_t header = is_list((enum ag_expand_buffer)i) ? HEADER_BYTES : 0;
        uint64_t bound = binding > header ? (binding - header) / unit->bytes[i] : 0;
        most = bound < most ? bound : most;
        total += unit->bytes[i];
    }
    if (total && most > budget / total)
        most = budget / total > 0 ? budget / total : most > 0;
    return most;
}

static void add_bytes(const struct unit_bytes *unit, uint64_t units, struct ag_expand_plan *plan)
{
    for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
        if (unit->bytes[i])
            plan->bytes[i] = unit->bytes[i] * units + (is_list((enum ag_expand_buffer)i) ? HEADER_BYTES : 0);
}

static void count_units(const struct ag_expand_shape *shape, struct ag_expand_plan *plan)
{
    const struct ag_assembly *assembly = &shape->assembly;
    plan->vertices = shape->vertices;
    plan->instances = shape->instances;
    plan->unit_positions = assembly->list_vertices ? assembly->list_vertices : assembly->step;
    if (shape->restarts)
        plan->unit_count = ((uint64_t)shape->vertices + plan->unit_positions - 1) / plan->unit_positions;
    else
        plan->unit_count = ag_assembly_primitives(assembly, shape->vertices);
    plan->output_vertices = shape->has_geometry  ? shape->emission.vertices
                            : shape->tessellates ? shape->tessellated.vertices
                                                 : assembly->corners;
}

/* The vertices that are drawn of a primitive or patch of the draw at most. */
static uint64_t drawn_of_unit(const struct ag_expand_shape *shape, const struct ag_expand_plan *plan)
{
    const uint64_t patch = shape->tessellates ? shape->tessellated.primitives : 1;
    const uint64_t primitive =
        shape->has_geometry ? (uint64_t)ag_emission_primitives(&shape->emission) * shape->emission.instances
                            : 1;
    const uint64_t drawn = patch * primitive * plan->output_vertices;
    return drawn > 0 ? drawn : 1;
}

/* Lessens what is done at a time to what a driver does in a moment, and what draws may join to some of that.
 */
static uint64_t bound_work(const struct ag_expand_shape *shape, const struct ag_expand_limits *limits,
                           uint64_t most, struct ag_expand_plan *plan)
{
    const uint64_t each = drawn_of_unit(shape, plan);
    if (!limits->vertices || most == 0)
        return most;
    const uint64_t whole = AG_EXPAND_WHOLE * limits->vertices / each, piece = limits->vertices / each;
    const uint64_t bounded = ag_lesser(most, plan->unit_count * plan->instances <= whole ? whole : piece);
    plan->most_step_units =
        (uint32_t)ag_lesser(ag_lesser(most, plan->most_step_units), whole > 0 ? whole : 1);
    return bounded > 0 ? bounded : 1;
}

/* Decides how many patches of a part are tessellated at a time, and how many of their primitives the geometry
 * shader takes at a time. */
static void plan_steps(const struct ag_expand_shape *shape, const struct ag_expand_limits *limits,
                       struct ag_expand_plan *plan)
{
    struct unit_bytes step = {{0}}, geometry = {{0}};
    const uint64_t budget = shape->has_geometry ? limits->budget / 2 : limits->budget;
    const uint64_t each = shape->tessellated.primitives;
    tessellation_bytes(shape, step.bytes);
    geometry_bytes(shape, geometry.bytes);
    uint64_t most = most_units(&step, budget, limits->binding), primitives = UINT64_MAX;
    if (shape->has_geometry) {
        primitives = most_units(&geometry, budget, limits->binding);
        if (limits->vertices && drawn_of_unit(shape, plan) > limits->vertices)
            primitives = ag_lesser(primitives, limits->vertices * each / drawn_of_unit(shape, plan) + 1);
        if (primitives >= each)
            most = ag_lesser(most, primitives / each);
    }
    const uint64_t patches = ag_lesser(bound_work(shape, limits, most, plan), plan->part_units);
    plan->geometry_limit = ag_lesser(patches * each, primitives);
    if (shape->has_geometry)
        add_bytes(&geometry, plan->geometry_limit, plan);
    plan->most_step_units = (uint32_t)ag_lesser(most, plan->most_step_units);
    plan->step_patches = (uint32_t)patches;
    add_bytes(&step, patches, plan);
}

/* The tessellator counts in 32 bits what all patches of a part yield. */
static uint64_t most_patches(const struct ag_tessellation_capacity *capacity)
{
    return UINT32_MAX / (capacity->points > capacity->primitives ? capacity->points : capacity->primitives);
}

bool ag_expand_plan_init(const struct ag_expand_shape *shape, const struct ag_expand_limits *limits,
                         struct ag_expand_plan *plan)
{
    struct unit_bytes part = {{0}};
    memset(plan, 0, sizeof *plan);
    count_units(shape, plan);
    assembly_bytes(shape, part.bytes);
    patch_bytes(shape, part.bytes);
    if (!shape->tessellates)
        geometry_bytes(shape, part.bytes);
    uint64_t most = ag_lesser(most_units(&part, limits->budget, limits->binding),
                              shape->tessellates ? most_patches(&shape->tessellated) : UINT32_MAX);
    const uint64_t wanted = plan->unit_count * plan->instances;
    /* At most what there is, but at least one, because sizes must not be 0. */
    plan->most_step_units = (uint32_t)most;
    if (!shape->tessellates)
        most = bound_work(shape, limits, most, plan);
    const uint64_t units = ag_lesser(most, wanted > 0 ? wanted : 1);
    plan->part_units = (uint32_t)units;
    plan->geometry_limit = units;
    add_bytes(&part, units, plan);
    if (shape->tessellates)
        plan_steps(shape, limits, plan);
    plan->bytes[AG_EXPAND_BUFFER_ARGUMENTS] =
        UINT64_C(4) * AG_PIECE_WORDS * (shape->tessellates ? 1 + AG_MOST_PIECES : 1);
    if (!plan->bytes[AG_EXPAND_BUFFER_RUNS])
        plan->bytes[AG_EXPAND_BUFFER_RUNS] = HEADER_BYTES;
    return units > 0 && plan->geometry_limit > 0;
}

struct ag_tessellator_part ag_expand_plan_tessellation(const struct ag_expand_plan *plan,
                                                       const struct ag_tessellation_capacity *capacity,
                                                       uint32_t patches)
{
    return (struct ag_tessellator_part){
        .patches = patches,
        .steps = (patches + plan->step_patches - 1) / plan->step_patches,
        .points = (uint32_t)(plan->step_patches * capacity->points),
        .primitives = (uint32_t)(plan->step_patches * capacity->primitives),
    };
}

bool ag_expand_plan_next(const struct ag_expand_plan *plan, struct ag_assembly_part *part)
{
    uint64_t first = 0, first_instance = 0;
    if (part->instances) {
        first = (uint64_t)part->first + part->primitives;
        first_instance = part->first_instance;
        if (first >= plan->unit_count) {
            first = 0;
            first_instance += part->instances;
        }
    }
    if (plan->unit_count == 0 || first_instance >= plan->instances)
        return false;
    uint64_t left = plan->unit_count - first, instances = plan->part_units / plan->unit_count;
    if (instances > plan->instances - first_instance)
        instances = plan->instances - first_instance;
    *part = (struct ag_assembly_part){
        .first = (uint32_t)first,
        .primitives = (uint32_t)(left < plan->part_units ? left : plan->part_units),
        .first_instance = (uint32_t)first_instance,
        .instances = instances > 0 ? (uint32_t)instances : 1,
    };
    uint64_t end = (first + part->primitives) * plan->unit_positions;
    part->begin = (uint32_t)(first * plan->unit_positions);
    part->end = end < plan->vertices ? (uint32_t)end : plan->vertices;
    return true;
}
