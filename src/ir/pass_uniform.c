/* SPDX-License-Identifier: MIT
 *
 * Barriers in conditions. D3D wants barriers in uniform flow and believes the author; WGSL proves it and
 * refuses what it cannot prove. A condition that decides whether threads meet a barrier, and that is not
 * uniform for all we can see, is marked: the emitter lets one thread decide for the group. For programs that
 * obey D3D this changes nothing.
 */
#include "ir/pass.h"

#define MAX_SWEEPS 24

struct uniform {
    struct ag_ir_program *program;
    bool *varies; /* by variable: may differ between threads */
    bool changed;
    uint32_t order, last_barrier; /* statements in program order */
};

static void find_barriers(void *user, struct ag_ir_stmt *stmt)
{
    struct uniform *uniform = user;
    uniform->order++;
    if (stmt->kind == AG_IR_BARRIER && (stmt->sync & AGPU_SYNC_THREADS_IN_GROUP))
        uniform->last_barrier = uniform->order;
}

/* Operations on constants alone are written through a private variable: nobody can prove them uniform. */
static bool expr_varies(const struct uniform *uniform, const struct ag_ir_expr *expr)
{
    const struct ag_ir_program *program = uniform->program;
    if (expr->op == AG_IR_ARRAY || expr->op == AG_IR_ATOMIC || expr->op == AG_IR_COUNTER ||
        expr->op == AG_IR_LOAD_TEXEL || expr->op == AG_IR_SPEND || ag_ir_all_constant(expr))
        return true;
    if (expr->op == AG_IR_LOAD &&
        program->resources.data[expr->access->resource].space != AGPU_SPACE_RESOURCE)
        return true;
    for (uint32_t i = 0; expr->op == AG_IR_READ && i < expr->width; i++)
        if (expr->u.id[i] != AG_IR_NONE && uniform->varies[expr->u.id[i]])
            return true;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (expr_varies(uniform, expr->args[i]))
            return true;
    return false;
}

static bool block_jumps(const struct ag_ir_block *block, bool breaks, bool continues);

/* Whether a jump inside leads to where it matters: a return always, a break of what the statement is in, a
 * continue of the loop around it. */
static bool stmt_jumps(const struct ag_ir_stmt *stmt, bool breaks, bool continues)
{
    bool in_loop = stmt->kind == AG_IR_LOOP;
    if (stmt->body != NULL && block_jumps(stmt->body, breaks && !in_loop, continues && !in_loop))
        return true;
    if (stmt->otherwise != NULL && block_jumps(stmt->otherwise, breaks, continues))
        return true;
    for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        if (block_jumps(c->body, false, continues))
            return true;
    return false;
}

static bool block_jumps(const struct ag_ir_block *block, bool breaks, bool continues)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next)
        if (stmt->kind == AG_IR_RETURN || (stmt->kind == AG_IR_BREAK && breaks) ||
            (stmt->kind == AG_IR_CONTINUE && continues) || stmt_jumps(stmt, breaks, continues))
            return true;
    return false;
}

static bool has_barrier(const struct ag_ir_block *block)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        if (stmt->kind == AG_IR_BARRIER && (stmt->sync & AGPU_SYNC_THREADS_IN_GROUP))
            return true;
        if ((stmt->body != NULL && has_barrier(stmt->body)) ||
            (stmt->otherwise != NULL && has_barrier(stmt->otherwise)))
            return true;
        for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            if (has_barrier(c->body))
                return true;
    }
    return false;
}

/* ---- What varies -------------------------------------------------------------------------------------- */

static void walk_block(struct uniform *uniform, const struct ag_ir_block *block, bool varying);

/* A loop that threads leave at different times: everything it writes differs afterwards. `breaks`: a break in
 * `block` leaves the loop, not a switch in it. */
static bool loop_varies(const struct uniform *uniform, const struct ag_ir_block *block, bool breaks)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        bool decides = stmt->kind == AG_IR_IF || stmt->kind == AG_IR_SWITCH;
        if (decides && !stmt->is_uniform && expr_varies(uniform, stmt->value) &&
            stmt_jumps(stmt, breaks, true))
            return true;
        if (stmt->kind == AG_IR_LOOP)
            continue;
        if ((stmt->body != NULL && loop_varies(uniform, stmt->body, breaks)) ||
            (stmt->otherwise != NULL && loop_varies(uniform, stmt->otherwise, breaks)))
            return true;
        for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            if (loop_varies(uniform, c->body, false))
                return true;
    }
    return false;
}

static void walk_statement(struct uniform *uniform, const struct ag_ir_stmt *stmt, bool varying)
{
    if (stmt->kind == AG_IR_ASSIGN && (varying || expr_varies(uniform, stmt->value))) {
        for (uint32_t i = 0; i < stmt->value->width; i++) {
            if (stmt->target[i] == AG_IR_NONE || uniform->varies[stmt->target[i]])
                continue;
            uniform->varies[stmt->target[i]] = true;
            uniform->changed = true;
        }
    }
    bool inside = varying;
    if (stmt->kind == AG_IR_LOOP)
        inside = varying || loop_varies(uniform, stmt->body, true);
    else if (stmt->body != NULL || stmt->cases != NULL)
        inside = varying || (!stmt->is_uniform && expr_varies(uniform, stmt->value));
    if (stmt->body != NULL)
        walk_block(uniform, stmt->body, inside);
    if (stmt->otherwise != NULL)
        walk_block(uniform, stmt->otherwise, inside);
    for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        walk_block(uniform, c->body, inside);
}

static void walk_block(struct uniform *uniform, const struct ag_ir_block *block, bool varying)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next)
        walk_statement(uniform, stmt, varying);
}

static void find_varying(struct uniform *uniform)
{
    struct ag_ir_program *program = uniform->program;
    for (size_t i = 0; i < program->variables.count; i++) /* zeros come from a private variable as well */
        uniform->varies[i] = program->variables.data[i].is_input || program->variables.data[i].needs_zero;
    for (size_t i = 0; i < program->inputs.count; i++)
        if (program->inputs.data[i].kind == AG_IR_INPUT_GROUP_ID)
            uniform->varies[program->inputs.data[i].variable] = false;
    uniform->changed = true;
    for (uint32_t sweep = 0; uniform->changed && sweep < MAX_SWEEPS; sweep++) {
        uniform->changed = false;
        walk_block(uniform, program->body, false);
    }
    for (size_t i = 0; uniform->changed && i < program->variables.count; i++)
        uniform->varies[i] = true;
}

/* ---- Marking ------------------------------------------------------------------------------------------ */

static void mark_block(struct uniform *uniform, struct ag_ir_block *block, bool breaks, bool continues)
{
    for (struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        uniform->order++;
        bool decides = stmt->kind == AG_IR_IF || stmt->kind == AG_IR_SWITCH;
        bool matters = false, case_has_barrier = false;
        if (decides) {
            matters = (stmt->body != NULL && has_barrier(stmt->body)) ||
                      (stmt->otherwise != NULL && has_barrier(stmt->otherwise)) ||
                      ((breaks || continues) && stmt_jumps(stmt, breaks, continues)) ||
                      (uniform->order < uniform->last_barrier && stmt_jumps(stmt, false, false));
            for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
                case_has_barrier = case_has_barrier || has_barrier(c->body);
            matters = matters || case_has_barrier;
        }
        if (matters && !ag_ir_is_always(stmt) && expr_varies(uniform, stmt->value)) {
            stmt->is_uniform = true;
            uniform->program->shares_conditions = true;
        }
        bool is_loop = stmt->kind == AG_IR_LOOP, inner = is_loop && has_barrier(stmt->body);
        if (stmt->body != NULL)
            mark_block(uniform, stmt->body, is_loop ? inner : breaks, is_loop ? inner : continues);
        if (stmt->otherwise != NULL)
            mark_block(uniform, stmt->otherwise, breaks, continues);
        for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            mark_block(uniform, c->body, case_has_barrier, continues);
    }
}

void ag_ir_pass_uniform(struct ag_ir_program *program)
{
    struct uniform uniform = {.program = program};
    if (program->stage != AGPU_STAGE_COMPUTE)
        return;
    ag_ir_walk(program->body, find_barriers, &uniform);
    if (uniform.last_barrier == 0)
        return;
    uniform.varies = AG_ARENA_ARRAY(program->arena, bool, program->variables.count);
    if (uniform.varies == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    find_varying(&uniform);
    uniform.order = 0;
    mark_block(&uniform, program->body, false, false);
}
