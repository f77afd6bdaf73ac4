/* SPDX-License-Identifier: MIT
 *
 * Stages that hand on records: how long those are, and what the phases and emits of a program become.
 */
#include "../../support/shader_text.h"

#include "ir/ir.h"
#include "wgsl/options.h"

struct built {
    struct agpu_shader *shader;
    struct ag_arena arena;
    struct ag_ir_program program;
    struct first_error error;
    enum agpu_status status;
};

static void build(struct built *built, const char *text, const struct ag_translate_options *options)
{
    memset(built, 0, sizeof *built);
    const struct agpu_diag_sink sink = {keep_first_error, &built->error};
    built->shader = shader_from_text(text);
    ag_arena_init(&built->arena, 0);
    built->status = ag_ir_build(built->shader, options, &built->arena, &sink, &built->program);
}

static void drop(struct built *built)
{
    ag_ir_fini(&built->program);
    ag_arena_fini(&built->arena);
    agpu_shader_destroy(built->shader);
}

struct count {
    enum ag_ir_stmt_kind kind;
    unsigned found;
};

static void note(void *user, struct ag_ir_stmt *stmt)
{
    struct count *count = user;
    count->found += stmt->kind == count->kind;
}

static unsigned count_of(const struct built *built, enum ag_ir_stmt_kind kind)
{
    struct count count = {.kind = kind};
    ag_ir_walk(built->program.body, note, &count);
    return count.found;
}

/* ---- Sizes -------------------------------------------------------------------------------------------- */

static const char geometry[] =
    "gs_5_0\n.in A0 v1.xyzw float\n.out SV_Position0 o0.xyzw float position\n"
    ".out L0 o4.x uint rendertarget_array_index\n.out B0 o6.x float stream=1\n"
    "dcl_input v[6][1].xyzw\ndcl_gsinstances 5\ndcl_inputprimitive triangleadj\n"
    "dcl_stream m0\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\n"
    "dcl_output_siv o4.x, rendertarget_array_index\n"
    "dcl_stream m1\ndcl_outputtopology pointlist\ndcl_output o6.x\n"
    "dcl_maxout 7\nmov o0.xyzw, v[5][1].xyzw\nmov o4.x, l(1)\nemit_stream m0\n"
    "mov o6.x, l(1.0)\nemit_then_cut_stream m1\nret\n";

static void geometry_shaders_are_measured(void **state)
{
    struct built built;
    (void)state;
    build(&built, geometry, NULL);
    assert_int_equal(built.status, AGPU_OK);
    const struct agpu_expansion *expansion = &built.program.expansion;
    assert_int_equal(built.program.flavour, AGPU_FLAVOUR_GEOMETRY);
    assert_int_equal(expansion->input_registers, 2);
    assert_int_equal(expansion->record_registers, 7);
    assert_int_equal(expansion->vertices, 6);
    assert_int_equal(expansion->instances, 5);
    assert_int_equal(expansion->max_vertices, 7);
    assert_true(expansion->writes_layer);
    assert_false(expansion->writes_viewport);
    assert_int_equal(count_of(&built, AG_IR_EMIT), 2);
    assert_int_equal(count_of(&built, AG_IR_CUT), 1);
    drop(&built);
    const struct ag_translate_options options = {.input_registers = 9};
    build(&built, geometry, &options);
    assert_int_equal(built.program.expansion.input_registers, 9);
    drop(&built);
}

struct emits {
    const struct ag_ir_program *program;
    unsigned values[4];
};

static void note_emit(void *user, struct ag_ir_stmt *stmt)
{
    struct emits *emits = user;
    for (size_t i = 0; stmt->kind == AG_IR_EMIT && i < emits->program->outputs.count; i++) {
        if (stmt->outputs[i] == NULL)
            continue;
        assert_int_equal(emits->program->outputs.data[i].stream, stmt->stream);
        emits->values[stmt->stream]++;
    }
}

static void emits_look_at_their_stream(void **state)
{
    struct built built;
    (void)state;
    build(&built, geometry, NULL);
    struct emits emits = {.program = &built.program};
    ag_ir_walk(built.program.body, note_emit, &emits);
    assert_int_equal(emits.values[0], 2);
    assert_int_equal(emits.values[1], 1);
    drop(&built);
}

#define HULL_OF(points)                                                                                      \
    "hs_5_0\n.in A0 v0.xyzw float\n.out A0 o0.xyzw float\n.out B0 o2.xyzw float\nhs_decls\n"                 \
    "dcl_input_control_point_count 4\ndcl_output_control_point_count " points                                \
    "\ndcl_tessellator_domain domain_tri\n"                                                                  \
    "dcl_tessellator_partitioning partitioning_integer\ndcl_tessellator_output_primitive output_point\n"
#define HULL HULL_OF("5")
#define HULL_OF_4 HULL_OF("4")

#define POINTS                                                                                               \
    "hs_control_point_phase\ndcl_input v[4][3].xyzw\ndcl_output o0.xyzw\ndcl_output o2.xyzw\n"               \
    "dcl_indexableTemp x0[2], 4\nmov x0[0].xyzw, v[1][3].xyzw\nmov o0.xyzw, x0[0].xyzw\n"                    \
    "mov o2.xyzw, v[0][3].xyzw\nret\n"

#define FORKS                                                                                                \
    "hs_fork_phase\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_temps 1\n"                          \
    "dcl_indexableTemp x0[2], 4\nmov r0.x, l(1)\nmov x0[r0.x + 0].x, l(1.0)\nmov o0.x, x0[r0.x + "           \
    "0].x\nret\n"                                                                                            \
    "hs_fork_phase\ndcl_hs_fork_phase_instance_count 3\ndcl_input vForkInstanceID\ndcl_output o9.x\n"        \
    "dcl_temps 1\ndcl_indexableTemp x0[7], 4\nmov r0.x, vForkInstanceID.x\nmov x0[r0.x + 0].x, l(1.0)\n"     \
    "mov o9.x, x0[r0.x + 1].x\nret\n"

static void both_parts_of_a_hull_shader_agree(void **state)
{
    static const enum agpu_flavour flavours[] = {AGPU_FLAVOUR_HULL_POINTS, AGPU_FLAVOUR_HULL_PATCH};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const struct ag_translate_options options = {.flavour = flavours[i]};
        struct built built;
        build(&built, HULL POINTS FORKS, &options);
        assert_int_equal(built.status, AGPU_OK);
        assert_int_equal(built.program.expansion.input_registers, 4);
        assert_int_equal(built.program.expansion.record_registers, 3);
        assert_int_equal(built.program.expansion.patch_registers, 10);
        assert_int_equal(built.program.expansion.vertices, 4);
        assert_int_equal(built.program.expansion.output_points, 5);
        drop(&built);
        build(&built, HULL FORKS, &options); /* copies are as long as the output signature */
        assert_int_equal(built.program.expansion.input_registers, 3);
        assert_int_equal(built.program.expansion.record_registers, 3);
        drop(&built);
    }
}

static void phases_have_arrays_of_their_own(void **state)
{
    struct built built;
    (void)state;
    build(&built, HULL POINTS FORKS, NULL);
    assert_int_equal(built.program.flavour, AGPU_FLAVOUR_HULL_PATCH);
    assert_int_equal(built.program.arrays.count, 2);
    assert_int_not_equal(built.program.arrays.data[0].number, built.program.arrays.data[1].number);
    assert_int_equal(built.program.arrays.data[0].length, 2);
    assert_int_equal(built.program.arrays.data[1].length, 7);
    assert_int_equal(count_of(&built, AG_IR_LOOP),
                     2); /* for the three instances, and to clear x0 behind each */
    assert_int_equal(count_of(&built, AG_IR_RETURN), 1);
    drop(&built);
}

/* ---- Refusals ----------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum agpu_flavour flavour;
    enum agpu_diag_code code;
} refusals[] = {
  /* nobody says what a primitive is */
    {"gs_4_0\n.in A0 v0.x float\ndcl_input v[1][0].x\nret\n",                                                 AGPU_FLAVOUR_GEOMETRY,
     AGPU_DIAG_TRANSLATE_OPERAND                                                                                                                                },
    {"gs_4_0\n.in A0 v0.x float\n.out A0 o0.x float\ndcl_input v[1][0].x\ndcl_inputprimitive point\n"
     "dcl_outputtopology pointlist\ndcl_output o0.x\ndcl_maxout 1025\nmov o0.x, v[0][0].x\nemit\nret\n", AGPU_FLAVOUR_GEOMETRY,   AGPU_DIAG_TRANSLATE_LIMIT},
    {HULL "hs_fork_phase\ndcl_output o0.x\nif_nz l(1)\nhs_fork_phase\nendif\nmov o0.x, l(1.0)\nret\n",
     AGPU_FLAVOUR_HULL_POINTS,                                                                                                         AGPU_DIAG_TRANSLATE_FLOW },
    {HULL_OF_4 "hs_fork_phase\ndcl_hs_fork_phase_instance_count 129\nret\n"
               "hs_join_phase\ndcl_hs_join_phase_instance_count 129\nret\n",                             AGPU_FLAVOUR_HULL_PATCH, AGPU_DIAG_TRANSLATE_LIMIT},
};

static void says_what_cannot_be(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct ag_translate_options options = {.flavour = refusals[i].flavour};
        struct built built;
        build(&built, refusals[i].text, &options);
        assert_int_equal(built.status, AGPU_REFUSED);
        assert_int_equal(built.error.count, 1);
        assert_string_equal(agpu_diag_slug(built.error.code), agpu_diag_slug(refusals[i].code));
        drop(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometry_shaders_are_measured),
        cmocka_unit_test(emits_look_at_their_stream),
        cmocka_unit_test(both_parts_of_a_hull_shader_agree),
        cmocka_unit_test(phases_have_arrays_of_their_own),
        cmocka_unit_test(says_what_cannot_be),
    };
    return cmocka_run_group_tests_name("ir/expansion", tests, NULL, NULL);
}
