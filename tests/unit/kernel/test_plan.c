/* SPDX-License-Identifier: MIT
 *
 * The parts of a draw and their memory, in numbers worked out by hand.
 */
#include "../../support/test.h"

#include "kernel/plan.h"
#include "wgsl/expansion.h"

enum { TRIANGLE_LIST = 4, TRIANGLE_STRIP = 5, TRIANGLE_STRIP_ADJACENCY = 13, PATCH_LIST_3 = 35 };

#define UNBOUNDED (UINT64_C(1) << 40)

static struct ag_expand_shape shape_of(uint32_t topology, uint32_t vertices, uint32_t instances)
{
    struct ag_expand_shape shape = {.vertices = vertices, .instances = instances};
    assert_true(ag_assembly_init(&shape.assembly, topology, false));
    return shape;
}

static struct ag_expand_plan plan_of(const struct ag_expand_shape *shape, uint64_t budget, uint64_t binding)
{
    const struct ag_expand_limits limits = {.budget = budget, .binding = binding};
    struct ag_expand_plan plan;
    assert_true(ag_expand_plan_init(shape, &limits, &plan));
    return plan;
}

/* D3D11.3 8.10, 8.13: whole primitives only. */
static void counts_primitives(void **state)
{
    static const struct {
        uint32_t topology, vertices, primitives;
    } rows[] = {
        {1,  5,          5         },
        {2,  5,          2         },
        {3,  0,          0         },
        {3,  1,          0         },
        {3,  5,          4         },
        {4,  8,          2         },
        {5,  2,          0         },
        {5,  5,          3         },
        {6,  5,          3         },
        {10, 11,         2         },
        {11, 3,          0         },
        {11, 6,          3         },
        {12, 13,         2         },
        {13, 5,          0         },
        {13, 6,          1         },
        {13, 7,          1         },
        {13, 10,         3         },
        {33, 7,          7         },
        {64, 65,         2         },
        {1,  UINT32_MAX, UINT32_MAX},
    };
    struct ag_assembly assembly;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(ag_assembly_init(&assembly, rows[i].topology, false));
        assert_int_equal(ag_assembly_primitives(&assembly, rows[i].vertices), rows[i].primitives);
    }
    assert_false(ag_assembly_init(&assembly, 0, false));
    assert_false(ag_assembly_init(&assembly, 7, false));
    assert_false(ag_assembly_init(&assembly, 14, false));
    assert_false(ag_assembly_init(&assembly, 65, false));
}

static void expect_part(const struct ag_expand_plan *plan, struct ag_assembly_part *part, uint32_t first,
                        uint32_t primitives, uint32_t first_instance, uint32_t instances)
{
    assert_true(ag_expand_plan_next(plan, part));
    assert_int_equal(part->first, first);
    assert_int_equal(part->primitives, primitives);
    assert_int_equal(part->first_instance, first_instance);
    assert_int_equal(part->instances, instances);
}

/* A triangle takes 24 bytes of vertices, 16 of primitives, 96 of inputs and 144 of records: 280. */
static void cuts_an_instance(void **state)
{
    struct ag_expand_shape shape = shape_of(TRIANGLE_LIST, 9, 2);
    struct ag_assembly_part part = {0};
    (void)state;
    shape.input_registers = 2;
    shape.vertex_registers = 3;
    const struct ag_expand_plan plan = plan_of(&shape, 2 * 280 + 279, UNBOUNDED);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_VERTICES], 16 + 2 * 24);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_PRIMITIVES], 16 + 2 * 16);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_INPUTS], 2 * 96);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_VERTEX_RECORDS], 2 * 144);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_EMITS], 0);
    assert_int_equal(plan.output_vertices, 3);
    expect_part(&plan, &part, 0, 2, 0, 1);
    expect_part(&plan, &part, 2, 1, 0, 1);
    expect_part(&plan, &part, 0, 2, 1, 1);
    expect_part(&plan, &part, 2, 1, 1, 1);
    assert_false(ag_expand_plan_next(&plan, &part));
}

static void gathers_instances(void **state)
{
    struct ag_expand_shape shape = shape_of(TRIANGLE_LIST, 10, 5);
    struct ag_assembly_part part = {0};
    (void)state;
    const struct ag_expand_plan plan = plan_of(&shape, 7 * UINT64_C(40), UNBOUNDED);
    expect_part(&plan, &part, 0, 3, 0, 2);
    expect_part(&plan, &part, 0, 3, 2, 2);
    expect_part(&plan, &part, 0, 3, 4, 1);
    assert_false(ag_expand_plan_next(&plan, &part));
}

/* A unit is two positions, of which one may end a triangle: 8 + 24 + 16 bytes. */
static void cuts_by_position_where_restarts_may_be(void **state)
{
    struct ag_expand_shape shape = shape_of(TRIANGLE_STRIP_ADJACENCY, 11, 1);
    struct ag_assembly_part part = {0};
    (void)state;
    shape.restarts = true;
    const struct ag_expand_plan plan = plan_of(&shape, 4 * 48, UNBOUNDED);
    expect_part(&plan, &part, 0, 4, 0, 1);
    assert_int_equal(part.begin, 0);
    assert_int_equal(part.end, 8);
    expect_part(&plan, &part, 4, 2, 0, 1);
    assert_int_equal(part.begin, 8);
    assert_int_equal(part.end, 11);
    assert_false(ag_expand_plan_next(&plan, &part));
}

static void has_room_for_all_that_may_be_emitted(void **state)
{
    struct ag_expand_shape shape = shape_of(TRIANGLE_STRIP, 12, 1);
    (void)state;
    shape.has_geometry = true;
    shape.emission = (struct ag_emission){.max_vertices = 5, .instances = 4, .vertices = 3};
    shape.geometry_registers = 2;
    const struct ag_expand_plan plan = plan_of(&shape, UNBOUNDED, UNBOUNDED);
    assert_int_equal(plan.part_units, 10);
    assert_int_equal(plan.geometry_limit, 10);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_GEOMETRY_RECORDS], 10 * 4 * 5 * 2 * 16);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_EMITS], 10 * 4 * 5 * 4);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_COUNTS], 10 * 4 * AG_EMISSION_COUNT_BYTES);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_EMITTED], 16 + 10 * 4 * 3 * 16);
    assert_int_equal(plan.output_vertices, 3);
}

/* 100 primitives a patch and 1,000 bytes for each of them would be 200,000 for two patches. */
static void gives_a_patch_to_the_geometry_shader_in_steps(void **state)
{
    struct ag_expand_shape shape = shape_of(PATCH_LIST_3, 6, 1);
    (void)state;
    shape.tessellates = true;
    shape.tessellated = (struct ag_tessellation_capacity){.points = 66, .primitives = 100, .vertices = 3};
    shape.has_geometry = true;
    shape.emission = (struct ag_emission){.max_vertices = 10, .instances = 1, .vertices = 1};
    shape.geometry_registers = 5;
    /* Records 800, emits 40, counts 8, primitives 80, inputs 16: 944 bytes a step. */
    const struct ag_expand_plan plan = plan_of(&shape, 20000, UNBOUNDED);
    assert_int_equal(plan.part_units, 2);
    assert_int_equal(plan.geometry_limit, 10000 / 944);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_GEOMETRY_RECORDS], 10 * 800);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_TESSELLATED], 16 + 2 * 100 * 16);
}

/* A patch takes 32 bytes of factors, 24 of starts, 12 of vertices and patches each, and may become 66 points
 * of 16 and 32 bytes and 100 triangles of 16: 4,768 bytes. */
static void tessellates_as_many_patches_as_fit(void **state)
{
    struct ag_expand_shape shape = shape_of(PATCH_LIST_3, 30, 1);
    struct ag_assembly_part first = {0};
    (void)state;
    shape.tessellates = true;
    shape.domain_registers = 2;
    shape.tessellated = (struct ag_tessellation_capacity){.points = 66, .primitives = 100, .vertices = 3};
    const struct ag_expand_plan plan = plan_of(&shape, 4 * 4768 + 4767, UNBOUNDED);
    assert_int_equal(plan.part_units, 10);
    assert_int_equal(plan.step_patches, 4);
    assert_int_equal(plan.most_step_units, 4);
    assert_int_equal(plan.geometry_limit, 400);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_STARTS], 16 + 10 * 24);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_POINTS], 16 + 4 * 66 * 16);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_TESSELLATED], 16 + 4 * 100 * 16);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_DOMAIN_RECORDS], 4 * 66 * 32);
    expect_part(&plan, &first, 0, 10, 0, 1);
    const struct ag_tessellator_part part = ag_expand_plan_tessellation(&plan, &shape.tessellated, 10);
    assert_int_equal(part.patches, 10);
    assert_int_equal(part.steps, 3);
    assert_int_equal(part.points, 4 * 66);
    assert_int_equal(part.primitives, 4 * 100);
    /* A draw of one patch has one, and tells how many might be joined to it. */
    shape.vertices = 3;
    const struct ag_expand_plan one = plan_of(&shape, 4 * 4768 + 4767, UNBOUNDED);
    assert_int_equal(one.step_patches, 1);
    assert_int_equal(one.most_step_units, 4);
}

/* A draw of up to four times as many vertices as are drawn at a time has one step. */
static void draws_so_many_vertices_at_a_time(void **state)
{
    struct ag_expand_shape shape = shape_of(PATCH_LIST_3, 3 * 40, 1);
    const struct ag_expand_limits limits = {.budget = UNBOUNDED, .binding = UNBOUNDED, .vertices = 3099};
    struct ag_expand_plan plan;
    (void)state;
    shape.tessellates = true;
    shape.tessellated = (struct ag_tessellation_capacity){.points = 66, .primitives = 100, .vertices = 3};
    assert_true(ag_expand_plan_init(&shape, &limits, &plan));
    assert_int_equal(plan.step_patches, 40);
    assert_int_equal(plan.most_step_units, 41);
    shape.vertices = 3 * 42;
    assert_true(ag_expand_plan_init(&shape, &limits, &plan));
    assert_int_equal(plan.part_units, 42);
    assert_int_equal(plan.step_patches, 10);
    assert_int_equal(plan.bytes[AG_EXPAND_BUFFER_TESSELLATED], 16 + 10 * 100 * 16);
    /* A geometry shader gets less than a patch, if that becomes more. */
    shape.has_geometry = true;
    shape.emission = (struct ag_emission){.max_vertices = 99, .instances = 1, .vertices = 3};
    assert_true(ag_expand_plan_init(&shape, &limits, &plan));
    assert_int_equal(plan.step_patches, 1);
    assert_in_range(plan.geometry_limit, 10, 11);
    /* Without patches, a part is what a step is. */
    shape = shape_of(TRIANGLE_LIST, 3 * 5000, 1);
    assert_true(ag_expand_plan_init(&shape, &limits, &plan));
    assert_int_equal(plan.part_units, 1033);
    shape = shape_of(TRIANGLE_LIST, 3 * 4000, 1);
    assert_true(ag_expand_plan_init(&shape, &limits, &plan));
    assert_int_equal(plan.part_units, 4000);
}

/* All points of a part are counted in 32 bits. */
static void counts_the_points_of_a_part(void **state)
{
    struct ag_expand_shape shape = shape_of(PATCH_LIST_3, UINT32_MAX, 1);
    (void)state;
    shape.tessellates = true;
    shape.tessellated = (struct ag_tessellation_capacity){.points = 5000, .primitives = 8192, .vertices = 3};
    const struct ag_expand_plan plan = plan_of(&shape, UNBOUNDED, UNBOUNDED);
    assert_int_equal(plan.part_units, UINT32_MAX / 8192);
}

static void takes_one_at_least(void **state)
{
    struct ag_expand_shape shape = shape_of(TRIANGLE_LIST, 6, 1);
    const struct ag_expand_limits small = {.budget = 1, .binding = 1000},
                                  none = {.budget = 1, .binding = 100};
    struct ag_expand_plan plan;
    (void)state;
    shape.vertex_registers = 10; /* 480 bytes */
    assert_true(ag_expand_plan_init(&shape, &small, &plan));
    assert_int_equal(plan.part_units, 1);
    assert_false(ag_expand_plan_init(&shape, &none, &plan));
}

/* Sizes of guests are multiplied in 64 bits. */
static void stays_within_the_budget_whatever_is_asked(void **state)
{
    struct ag_expand_shape shape = shape_of(TRIANGLE_LIST, UINT32_MAX, UINT32_MAX);
    struct ag_assembly_part part = {0};
    uint64_t bytes = 0;
    (void)state;
    shape.input_registers = shape.vertex_registers = shape.geometry_registers = 32;
    shape.has_geometry = true;
    shape.emission = (struct ag_emission){.max_vertices = 1024, .instances = 32, .vertices = 3};
    const struct ag_expand_plan plan = plan_of(&shape, AG_EXPAND_BUDGET, AG_EXPAND_BUDGET);
    for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
        bytes += plan.bytes[i];
    assert_true(bytes <= AG_EXPAND_BUDGET + 16 * AG_EXPAND_BUFFER_COUNT);
    expect_part(&plan, &part, 0, plan.part_units, 0, 1);
    part.first = UINT32_MAX / 3 - 1;
    part.primitives = 1;
    part.first_instance = UINT32_MAX - 1;
    assert_false(ag_expand_plan_next(&plan, &part));
}

static void makes_nothing_of_too_few_vertices(void **state)
{
    const struct ag_expand_shape shape = shape_of(TRIANGLE_LIST, 2, 3);
    const struct ag_expand_plan plan = plan_of(&shape, 1000, 1000);
    struct ag_assembly_part part = {0};
    (void)state;
    assert_false(ag_expand_plan_next(&plan, &part));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_primitives),
        cmocka_unit_test(cuts_an_instance),
        cmocka_unit_test(gathers_instances),
        cmocka_unit_test(cuts_by_position_where_restarts_may_be),
        cmocka_unit_test(has_room_for_all_that_may_be_emitted),
        cmocka_unit_test(gives_a_patch_to_the_geometry_shader_in_steps),
        cmocka_unit_test(tessellates_as_many_patches_as_fit),
        cmocka_unit_test(draws_so_many_vertices_at_a_time),
        cmocka_unit_test(counts_the_points_of_a_part),
        cmocka_unit_test(takes_one_at_least),
        cmocka_unit_test(stays_within_the_budget_whatever_is_asked),
        cmocka_unit_test(makes_nothing_of_too_few_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
