/* SPDX-License-Identifier: MIT
 *
 * Decides which constant buffers are declared as floats: those whose every use is float arithmetic. All
 * others are declared as u32 words, so that an integer never passes through a float, which could change its
 * bits.
 */
#include "wgsl/emit.h"

#include <assert.h>

static void visit_expr(struct ag_ir_program *program, const struct ag_ir_expr *expr, enum ag_ir_type want)
{
    if (expr->op == AG_IR_CBUFFER && want != AG_IR_F32)
        program->resources.data[expr->access->resource].holds_floats = false;
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        enum ag_ir_type type = ag_ir_arg_type(program, expr, i);
        bool passes = type == AG_IR_ANY && expr->op != AG_IR_STORE;
        visit_expr(program, expr->args[i], passes ? want : type);
    }
}

/* Float if every variable that the assignment writes is a float. */
static enum ag_ir_type type_of_targets(const struct ag_ir_program *program, const struct ag_ir_stmt *stmt)
{
    assert(stmt->value != NULL); /* of an assignment */
    for (uint32_t i = 0; i < stmt->value->width; i++)
        if (stmt->target[i] != AG_IR_NONE && program->variables.data[stmt->target[i]].type != AG_IR_F32)
            return AG_IR_U32;
    return AG_IR_F32;
}

static void visit_root(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr)
{
    struct ag_ir_program *program = user;
    enum ag_ir_type want = AG_IR_U32;
    if (stmt->kind == AG_IR_ASSIGN)
        want = type_of_targets(program, stmt);
    else if (stmt->kind == AG_IR_RETURN || stmt->kind == AG_IR_EMIT)
        want = (enum ag_ir_type)program->outputs.data[(size_t)(expr - stmt->outputs)].type;
    visit_expr(program, *expr, want);
}

static void visit_statement(void *user, struct ag_ir_stmt *stmt)
{
    ag_ir_visit_roots(user, stmt, visit_root, user);
}

void ag_wgsl_find_float_constants(struct ag_ir_program *program)
{
    bool any = false;
    for (size_t i = 0; i < program->resources.count; i++) {
        struct ag_ir_resource *resource = &program->resources.data[i];
        resource->holds_floats = resource->space == AGPU_SPACE_CBUFFER;
        any = any || resource->holds_floats;
    }
    if (any)
        ag_ir_walk(program->body, visit_statement, program);
}
