/* SPDX-License-Identifier: MIT
 *
 * From registers to typed variables: how many there are, of what type, and where they live.
 */
#include "../../support/shader_text.h"

#include "ir/pass.h"

struct built {
    struct agpu_shader *shader;
    struct ag_arena arena;
    struct ag_ir_program program;
};

static void build_program(struct built *built, const char *text)
{
    built->shader = shader_from_text(text);
    ag_arena_init(&built->arena, 0);
    assert_int_equal(ag_ir_build(built->shader, NULL, &built->arena, NULL, &built->program), AGPU_OK);
}

static void build(struct built *built, const char *code)
{
    char text[2048];
    snprintf(text, sizeof text,
             "ps_4_0\n.in A0 v0.xyzw float\n.in B0 v1.xyzw uint\n.out SV_Target0 o0.xyzw float\n"
             "dcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[4], immediateIndexed\n"
             "dcl_input_ps linear v0.xyzw\ndcl_input_ps constant v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 4\n%s"
             "ret\n",
             code);
    build_program(built, text);
    for (size_t i = 0; i < built->program.inputs.count; i++)
        built->program.variables.data[built->program.inputs.data[i].variable].type =
            i == 0 ? AG_IR_F32 : AG_IR_U32;
    built->program.keeps_statements = true; /* so that there is a variable for each write */
    assert_int_equal(ag_ir_run_passes(&built->program), AGPU_OK);
}

static void drop(struct built *built)
{
    ag_ir_fini(&built->program);
    ag_arena_fini(&built->arena);
    agpu_shader_destroy(built->shader);
}

/* The n-th live variable of temporary `number` that has exactly these components ("xy"). */
static const struct ag_ir_variable *find(const struct built *built, uint32_t number, const char *components,
                                         unsigned n)
{
    for (size_t i = 0; i < built->program.variables.count; i++) {
        const struct ag_ir_variable *variable = &built->program.variables.data[i];
        if (variable->is_input || variable->home == NULL || variable->width != strlen(components))
            continue;
        const struct ag_ir_register *reg = &built->program.registers.data[variable->register_id];
        bool same = reg->kind == AG_IR_REGISTER_TEMP && reg->number == number;
        for (uint32_t c = 0; same && c < variable->width; c++)
            same = "xyzw"[variable->register_component[c]] == components[c];
        if (same && n-- == 0)
            return variable;
    }
    return NULL;
}

static void separate_uses_are_separate_variables(void **state)
{
    (void)state;
    struct built built;
    build(&built, "add r0.xy, v0.xyxx, v0.zwzz\nmul r1.xy, r0.xyxx, r0.yxyy\niadd r0.xy, v1.xyxx, v1.zwzz\n"
                  "utof r2.xy, r0.xyxx\nadd o0.xyzw, r1.xyxy, r2.xyxy\n");
    const struct ag_ir_variable *first = find(&built, 0, "xy", 0), *second = find(&built, 0, "xy", 1);
    assert_non_null(first);
    assert_non_null(second);
    assert_int_equal(first->type, AG_IR_F32);
    assert_int_equal(second->type, AG_IR_U32);
    assert_true(first->is_constant);
    assert_true(second->is_constant);
    drop(&built);
}

static void what_a_loop_carries_is_one_variable(void **state)
{
    (void)state;
    struct built built;
    build(&built, "mov r0.xy, l(0, 0, 0, 0)\nloop\nige r1.x, r0.y, l(4)\nbreakc_nz r1.x\n"
                  "add r0.x, r0.x, v0.x\niadd r0.y, r0.y, l(1)\nendloop\nmov o0.xyzw, r0.xxxx\n");
    const struct ag_ir_variable *sum = find(&built, 0, "x", 0), *counter = find(&built, 0, "y", 0);
    const struct ag_ir_variable *test = find(&built, 1, "x", 0);
    assert_non_null(sum);
    assert_non_null(counter);
    assert_non_null(test);
    assert_int_equal(sum->type, AG_IR_F32);
    assert_int_equal(sum->write_count, 2);
    assert_false(sum->is_constant);
    assert_false(sum->needs_zero);
    assert_ptr_equal(sum->home, built.program.body);
    assert_int_equal(counter->type, AG_IR_I32);
    assert_int_equal(test->type, AG_IR_BOOL);
    assert_true(test->is_constant);
    assert_int_equal(test->home->depth, 1);
    drop(&built);
}

/* Unwritten registers read 0 (sheet 1.7), also when only some path writes them. */
static void a_path_without_a_write_starts_at_zero(void **state)
{
    (void)state;
    struct built built;
    build(&built, "if_nz v1.x\nmov r0.x, v0.x\nendif\nmov o0.xyzw, r0.xxxx\n");
    const struct ag_ir_variable *variable = find(&built, 0, "x", 0);
    assert_non_null(variable);
    assert_true(variable->needs_zero);
    assert_false(variable->is_constant);
    drop(&built);
}

static void a_value_made_in_a_loop_outlives_it(void **state)
{
    (void)state;
    struct built built;
    build(&built, "loop\nmul r0.x, v0.x, v0.y\nlt r1.x, r0.x, v0.z\nbreakc_nz r1.x\nendloop\n"
                  "mov o0.xyzw, r0.xxxx\n");
    const struct ag_ir_variable *variable = find(&built, 0, "x", 0);
    assert_non_null(variable);
    assert_int_equal(variable->write_count, 1);
    assert_false(variable->is_constant);
    assert_ptr_equal(variable->home, built.program.body);
    drop(&built);
}

static void bits_stay_bits(void **state)
{
    (void)state;
    struct built built;
    build(
        &built,
        "mov r0.x, cb0[0].x\nushr r1.x, r0.x, l(3)\nutof r1.x, r1.x\nmad o0.xyzw, r0.xxxx, r1.xxxx, v0.xyzw\n"
        "mov r2.x, cb0[1].x\nmul o0.x, r2.x, v0.x\n");
    assert_int_equal(find(&built, 0, "x", 0)->type, AG_IR_U32);
    assert_int_equal(find(&built, 2, "x", 0)->type, AG_IR_F32);
    drop(&built);
}

static void dead_lanes_are_not_computed(void **state)
{
    (void)state;
    struct built built;
    build(&built, "mul r0.xyzw, v0.xyzw, v0.xyzw\nmul r1.xyzw, r0.xyzw, v0.xyzw\nmov o0.xyzw, r0.yyyy\n");
    assert_non_null(find(&built, 0, "y", 0));
    assert_null(find(&built, 0, "xyzw", 0));
    assert_null(find(&built, 1, "xyzw", 0));
    drop(&built);
}

static void masking_with_truth_is_choice(void **state)
{
    (void)state;
    struct built built;
    build(&built,
          "lt r0.xy, v0.xyxx, v0.zwzz\nand r0.x, r0.y, r0.x\nand o0.xyzw, r0.xxxx, l(1.0, 1.0, 1.0, 1.0)\n");
    const struct ag_ir_stmt *last = NULL;
    for (const struct ag_ir_stmt *s = built.program.body->first; s != NULL; s = s->next)
        if (s->kind == AG_IR_ASSIGN)
            last = s;
    assert_non_null(last);
    assert_int_equal(last->value->op, AG_IR_SELECT);
    assert_int_equal(find(&built, 0, "xy", 0)->type, AG_IR_BOOL);
    assert_int_equal(find(&built, 0, "x", 0)->type, AG_IR_BOOL);
    drop(&built);
}

static void a_program_may_have_no_variables(void **state)
{
    (void)state;
    struct built built;
    build_program(&built, "ps_4_0\nret\n");
    assert_int_equal(ag_ir_run_passes(&built.program), AGPU_OK);
    assert_int_equal(built.program.variables.count, 0);
    drop(&built);
}

static void a_broken_program_is_caught(void **state)
{
    (void)state;
    struct built built;
    build(&built, "mul o0.xyzw, v0.xyzw, v0.xyzw\n");
    built.program.body->first->value->args[0]->component[0] = 9;
    assert_int_equal(ag_ir_validate(&built.program), AGPU_INTERNAL);
    drop(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_uses_are_separate_variables),
        cmocka_unit_test(what_a_loop_carries_is_one_variable),
        cmocka_unit_test(a_path_without_a_write_starts_at_zero),
        cmocka_unit_test(a_value_made_in_a_loop_outlives_it),
        cmocka_unit_test(bits_stay_bits),
        cmocka_unit_test(dead_lanes_are_not_computed),
        cmocka_unit_test(masking_with_truth_is_choice),
        cmocka_unit_test(a_program_may_have_no_variables),
        cmocka_unit_test(a_broken_program_is_caught),
    };
    return cmocka_run_group_tests_name("ir/passes", tests, NULL, NULL);
}
