/* SPDX-License-Identifier: MIT
 *
 * Checks the invariants of the IR that passes preserve and emitters rely on.
 */
#include "ir/ir.h"

struct validation {
    struct ag_ir_program *program;
    const struct ag_ir_stmt *stmt;
    uint32_t errors;
};

static void broken(struct validation *validation, const char *rule)
{
    if (validation->errors++ > 8)
        return;
    struct ag_ir_program *program = validation->program;
    ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_INVALID_IR,
                 validation->stmt == NULL ? AG_IR_NONE : validation->stmt->offset, "broken rule: %s", rule);
    program->status = AGPU_INTERNAL;
}

static void check_lane(struct validation *validation, uint32_t id, uint32_t component)
{
    const struct ag_ir_program *program = validation->program;
    if (id == AG_IR_NONE)
        return;
    if (!program->has_variables) {
        if (id >= program->registers.count || component > 3)
            broken(validation, "a lane names a register that exists");
    } else if (id >= program->variables.count && id - program->variables.count < program->web_count) {
        if (component != 0)
            broken(validation, "a web has one lane");
    } else if (id >= program->variables.count || component >= program->variables.data[id].width) {
        broken(validation, "a lane names a variable that has it");
    }
}

static void check_components(struct validation *validation, const struct ag_ir_expr *expr, uint32_t width,
                             const char *rule)
{
    for (uint32_t i = 0; i < expr->width; i++)
        if (expr->component[i] >= width)
            broken(validation, rule);
}

static void check_leaf(struct validation *validation, const struct ag_ir_expr *expr)
{
    const struct ag_ir_program *program = validation->program;
    switch (expr->op) {
    case AG_IR_READ:
        for (uint32_t i = 0; i < expr->width; i++)
            check_lane(validation, expr->u.id[i], expr->component[i]);
        break;
    case AG_IR_SWIZZLE:
        check_components(validation, expr, expr->args[0]->width, "a swizzle picks lanes that exist");
        break;
    case AG_IR_ARRAY:
        if (expr->u.id[0] >= program->arrays.count)
            broken(validation, "an array exists");
        check_components(validation, expr, 4, "a register has four components");
        break;
    case AG_IR_RECORD:
        if (expr->u.id[0] >= AG_IR_RECORD_COUNT)
            broken(validation, "a record is of a known kind");
        check_components(validation, expr, 4, "a register has four components");
        break;
    case AG_IR_ICB:
    case AG_IR_CBUFFER:
    case AG_IR_INSTANCE:
        check_components(validation, expr, 4, "a register has four components");
        break;
    default:
        break;
    }
}

static void check_access(struct validation *validation, const struct ag_ir_expr *expr)
{
    const struct ag_ir_program *program = validation->program;
    const struct ag_ir_access *access = expr->access;
    bool may_lack =
        expr->op == AG_IR_SAMPLE_COUNT || expr->op == AG_IR_SAMPLE_POSITION || expr->op == AG_IR_CENTROID;
    if (access == NULL || (access->resource == AG_IR_NONE && !may_lack) ||
        (access->resource != AG_IR_NONE && access->resource >= program->resources.count) ||
        (access->sampler != AG_IR_NONE && access->sampler >= program->resources.count))
        broken(validation, "a resource operation names resources that exist");
}

static void check_expr(struct validation *validation, const struct ag_ir_expr *expr)
{
    if (expr == NULL || expr->op >= AG_IR_OP_COUNT || expr->width < 1 || expr->width > 4) {
        broken(validation, "an expression has an operation and one to four lanes");
        return;
    }
    const struct ag_ir_op_info *info = &ag_ir_op_infos[expr->op];
    if (info->flags & AG_IR_RESOURCE)
        check_access(validation, expr);
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        check_expr(validation, expr->args[i]);
        if ((info->flags & AG_IR_LANES) && expr->args[i] != NULL && expr->args[i]->width != expr->width &&
            expr->args[i]->width != 1)
            broken(validation, "arguments are as wide as the result");
    }
    check_leaf(validation, expr);
}

static void check_root(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr)
{
    struct validation *validation = user;
    validation->stmt = stmt;
    check_expr(validation, *expr);
}

static void check_targets(struct validation *validation, const struct ag_ir_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        check_lane(validation, stmt->target[i], stmt->target_component[i]);
        for (uint32_t k = 0; k < i; k++)
            if (stmt->target[i] != AG_IR_NONE && stmt->target[i] == stmt->target[k] &&
                stmt->target_component[i] == stmt->target_component[k])
                broken(validation, "an assignment writes a lane once");
    }
}

static void check_statement(void *user, struct ag_ir_stmt *stmt)
{
    struct validation *validation = user;
    validation->stmt = stmt;
    bool wants_value = stmt->kind == AG_IR_ASSIGN || stmt->kind == AG_IR_EVALUATE ||
                       stmt->kind == AG_IR_SET_ELEMENT || stmt->kind == AG_IR_IF ||
                       stmt->kind == AG_IR_SWITCH;
    if (wants_value && stmt->value == NULL) {
        broken(validation, "the statement has a value");
        return;
    }
    if ((stmt->kind == AG_IR_IF || stmt->kind == AG_IR_LOOP || stmt->kind == AG_IR_THREADS) &&
        stmt->body == NULL)
        broken(validation, "the statement has a body");
    if (stmt->kind == AG_IR_SET_ELEMENT && stmt->array >= validation->program->arrays.count)
        broken(validation, "an array exists");
    ag_ir_visit_roots(validation->program, stmt, check_root, validation);
    if (stmt->kind == AG_IR_ASSIGN)
        check_targets(validation, stmt);
    uint32_t defaults = 0;
    for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        defaults += c->is_default;
    if (stmt->kind == AG_IR_SWITCH && defaults != 1)
        broken(validation, "a switch has one default");
}

enum agpu_status ag_ir_validate(struct ag_ir_program *program)
{
    struct validation validation = {.program = program};
    ag_ir_walk(program->body, check_statement, &validation);
    return program->status;
}
