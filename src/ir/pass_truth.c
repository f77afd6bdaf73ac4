/* SPDX-License-Identifier: MIT
 *
 * Turns comparison masks into booleans.
 *
 * D3D comparisons give masks, 0 or ~0, that shaders combine with bitwise operations. A variable that never
 * holds anything but such masks becomes a boolean, which loses no bit. AND of a boolean with a value becomes
 * SELECT, so that `lt` followed by `and` with 1.0 reads select(0.0, 1.0, a < b).
 */
#include <string.h>

#include "ir/pass.h"

#define MAX_SWEEPS 32

struct truth {
    struct ag_ir_program *program;
    bool *candidate; /* by variable: every value assigned so far is a mask */
    bool *evident;   /* by variable: some assigned value comes from a comparison */
    bool changed;
    struct ag_ir_stmt **masks; /* see list_masks(), list_candidates() */
    size_t mask_count;
};

static bool has_boolean_result(const struct ag_ir_expr *expr)
{
    return ag_ir_op_infos[expr->op].types[0] == AG_IR_BOOL;
}

static bool all_args(const struct truth *truth, const struct ag_ir_expr *expr, uint32_t from,
                     bool (*test)(const struct truth *, const struct ag_ir_expr *))
{
    for (uint32_t i = from; i < expr->arg_count; i++)
        if (!test(truth, expr->args[i]))
            return false;
    return true;
}

static bool may_be_mask(const struct truth *truth, const struct ag_ir_expr *expr)
{
    if (has_boolean_result(expr))
        return true;
    switch (expr->op) {
    case AG_IR_CONST:
        for (uint32_t i = 0; i < expr->width; i++)
            if (expr->u.bits[i] != 0 && expr->u.bits[i] != UINT32_MAX)
                return false;
        return true;
    case AG_IR_READ:
        for (uint32_t i = 0; i < expr->width; i++)
            if (expr->u.id[i] != AG_IR_NONE && !truth->candidate[expr->u.id[i]])
                return false;
        return true;
    case AG_IR_SELECT:
        return all_args(truth, expr, 1, may_be_mask);
    case AG_IR_AND:
    case AG_IR_OR:
    case AG_IR_NOT:
    case AG_IR_SWIZZLE:
    case AG_IR_JOIN:
        return all_args(truth, expr, 0, may_be_mask);
    default:
        return false;
    }
}

/* Other operations than these never give a mask, whatever their operands are (may_be_mask()). */
static bool may_pass_masks(const struct ag_ir_expr *expr)
{
    return expr->op == AG_IR_READ || expr->op == AG_IR_SELECT || expr->op == AG_IR_AND ||
           expr->op == AG_IR_OR || expr->op == AG_IR_NOT || expr->op == AG_IR_SWIZZLE ||
           expr->op == AG_IR_JOIN;
}

static bool has_evidence(const struct truth *truth, const struct ag_ir_expr *expr)
{
    if (has_boolean_result(expr))
        return true;
    if (!may_pass_masks(expr))
        return false;
    if (expr->op == AG_IR_READ)
        for (uint32_t i = 0; i < expr->width; i++)
            if (expr->u.id[i] != AG_IR_NONE && truth->evident[expr->u.id[i]])
                return true;
    for (uint32_t i = expr->op == AG_IR_SELECT ? 1 : 0; i < expr->arg_count; i++)
        if (has_evidence(truth, expr->args[i]))
            return true;
    return false;
}

/* Lets callers skip a statement whose targets are all decided already: few statements need a second look. */
static bool any_target(const struct ag_ir_stmt *stmt, const bool *flags, bool flag)
{
    for (uint32_t i = 0; i < stmt->value->width; i++)
        if (stmt->target[i] != AG_IR_NONE && flags[stmt->target[i]] == flag)
            return true;
    return false;
}

static void exclude(struct truth *truth, const struct ag_ir_stmt *stmt)
{
    if (!any_target(stmt, truth->candidate, true) || may_be_mask(truth, stmt->value))
        return;
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        if (stmt->target[i] != AG_IR_NONE && truth->candidate[stmt->target[i]]) {
            truth->candidate[stmt->target[i]] = false;
            truth->changed = true;
        }
    }
}

static void collect_evidence(struct truth *truth, const struct ag_ir_stmt *stmt)
{
    if (!any_target(stmt, truth->evident, false) || !has_evidence(truth, stmt->value))
        return;
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        if (stmt->target[i] != AG_IR_NONE && !truth->evident[stmt->target[i]]) {
            truth->evident[stmt->target[i]] = true;
            truth->changed = true;
        }
    }
}

/* Lists the assignments to candidates in place of those: others have nothing to be excluded. */
static void list_candidates(struct truth *truth)
{
    const struct ag_ir_program *program = truth->program;
    truth->mask_count = 0;
    for (size_t i = 0; i < program->assigns.count; i++)
        if (any_target(program->assigns.data[i], truth->candidate, true))
            truth->masks[truth->mask_count++] = program->assigns.data[i];
}

/* Lists the assignments of booleans and of what passes masks on. Others tell nothing, or that their target is
 * no boolean. */
static bool list_masks(struct truth *truth)
{
    const struct ag_ir_program *program = truth->program;
    truth->masks = ag_arena_alloc_raw(program->arena, program->assigns.count * sizeof(struct ag_ir_stmt *),
                                      alignof(struct ag_ir_stmt *));
    for (size_t i = 0; truth->masks != NULL && i < program->assigns.count; i++) {
        struct ag_ir_stmt *const stmt = program->assigns.data[i];
        if (has_boolean_result(stmt->value) || may_pass_masks(stmt->value))
            truth->masks[truth->mask_count++] = stmt;
    }
    return truth->masks != NULL;
}

typedef void visit_assign(struct truth *truth, const struct ag_ir_stmt *stmt);

/* Goes through what is listed until nothing changes. False when that takes more than MAX_SWEEPS times. */
static bool run_to_fixpoint(struct truth *truth, visit_assign *visit)
{
    for (uint32_t i = 0; i < MAX_SWEEPS; i++) {
        truth->changed = false;
        for (size_t k = 0; k < truth->mask_count; k++)
            visit(truth, truth->masks[k]);
        if (!truth->changed)
            return true;
    }
    return false;
}

static bool is_boolean(const struct truth *truth, const struct ag_ir_expr *expr)
{
    if (has_boolean_result(expr))
        return true;
    if (expr->op != AG_IR_READ)
        return false;
    for (uint32_t i = 0; i < expr->width; i++)
        if (expr->u.id[i] == AG_IR_NONE || truth->program->variables.data[expr->u.id[i]].type != AG_IR_BOOL)
            return false;
    return true;
}

static void mask_to_select(struct truth *truth, struct ag_ir_expr **expr, struct ag_ir_expr *condition,
                           struct ag_ir_expr *value)
{
    struct ag_ir_expr *select = ag_ir_expr_new(truth->program, AG_IR_SELECT, (*expr)->width, 3);
    if (select == truth->program->poison)
        return;
    select->args[0] = condition;
    select->args[1] = value;
    select->args[2] = ag_ir_const(truth->program, (*expr)->width, 0);
    *expr = select;
}

static void rewrite(struct truth *truth, struct ag_ir_expr **expr)
{
    struct ag_ir_expr *e = *expr;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (e->args[i]->arg_count != 0)
            rewrite(truth, &e->args[i]);
    enum ag_ir_op logic = e->op == AG_IR_AND   ? AG_IR_BOOL_AND
                          : e->op == AG_IR_OR  ? AG_IR_BOOL_OR
                          : e->op == AG_IR_NOT ? AG_IR_BOOL_NOT
                                               : AG_IR_CONST;
    if (logic == AG_IR_CONST)
        return;
    if (all_args(truth, e, 0, is_boolean)) {
        e->op = (uint8_t)logic;
        e->type = AG_IR_BOOL;
    } else if (e->op == AG_IR_AND && is_boolean(truth, e->args[0])) {
        mask_to_select(truth, expr, e->args[0], e->args[1]);
    } else if (e->op == AG_IR_AND && is_boolean(truth, e->args[1])) {
        mask_to_select(truth, expr, e->args[1], e->args[0]);
    }
}

static void rewrite_root(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr)
{
    (void)stmt;
    if ((*expr)->arg_count != 0)
        rewrite(user, expr);
}

static void rewrite_statement(void *user, struct ag_ir_stmt *stmt)
{
    struct truth *truth = user;
    ag_ir_visit_roots(truth->program, stmt, rewrite_root, truth);
}

static bool reads_booleans(const struct ag_ir_program *program)
{
    for (size_t i = 0; i < program->inputs.count; i++)
        if (program->variables.data[program->inputs.data[i].variable].type == AG_IR_BOOL)
            return true;
    return false;
}

void ag_ir_pass_truth(struct ag_ir_program *program)
{
    size_t count = program->variables.count;
    struct truth truth = {.program = program};
    if (!program->makes_booleans && !reads_booleans(program))
        return;
    truth.candidate = AG_ARENA_ARRAY(program->arena, bool, count);
    truth.evident = AG_ARENA_ARRAY(program->arena, bool, count);
    if (truth.candidate == NULL || truth.evident == NULL || !list_masks(&truth)) {
        ag_ir_no_memory(program);
        return;
    }
    run_to_fixpoint(&truth, collect_evidence);
    memcpy(truth.candidate, truth.evident, count * sizeof *truth.candidate);
    for (size_t i = 0; i < program->inputs.count; i++) {
        const uint32_t id = program->inputs.data[i].variable;
        truth.candidate[id] = program->variables.data[id].type == AG_IR_BOOL;
    }
    list_candidates(&truth);
    bool converged = run_to_fixpoint(&truth, exclude);
    for (size_t i = 0; i < count; i++)
        if (converged && truth.candidate[i] && !program->variables.data[i].is_input)
            program->variables.data[i].type = AG_IR_BOOL;
    ag_ir_walk(program->body, rewrite_statement, &truth);
}
