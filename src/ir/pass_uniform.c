/* SPDX-License-Identifier: MIT
 *
 * Makes control flow around barriers uniform.
 *
 * D3D requires barriers in uniform control flow and trusts the shader's author; WGSL requires a proof and
 * refuses a module without one. This pass finds the conditions that decide whether threads reach a barrier
 * and that no analysis can prove uniform, and marks them is_uniform: the emitter lets one thread evaluate
 * such a condition for its group. A program that obeys D3D's rule behaves the same.
 */
#include "ir/pass.h"

#define MAX_SWEEPS 24

struct uniform {
    struct ag_ir_program *program;
    bool *divergent; /* by variable: the value may differ between threads of a group */
    bool changed;
    uint32_t order, last_barrier; /* statements are numbered in program order */
};

static void find_barriers(void *user, struct ag_ir_stmt *stmt)
{
    struct uniform *uniform = user;
    uniform->order++;
    if (stmt->kind == AG_IR_BARRIER && (stmt->sync & AGPU_SYNC_THREADS_IN_GROUP))
        uniform->last_barrier = uniform->order;
}

/* Operations on constants alone count as divergent, because the emitter writes them with a private variable,
 * which WGSL does not trust to be uniform. */
static bool expr_is_divergent(const struct uniform *uniform, const struct ag_ir_expr *expr)
{
    const struct ag_ir_program *program = uniform->program;
    if (expr->op == AG_IR_ARRAY || expr->op == AG_IR_ATOMIC || expr->op == AG_IR_COUNTER ||
        expr->op == AG_IR_LOAD_TEXEL || expr->op == AG_IR_SPEND || ag_ir_all_constant(expr))
        return true;
    if (expr->op == AG_IR_LOAD &&
        program->resources.data[expr->access->resource].space != AGPU_SPACE_RESOURCE)
        return true;
    for (uint32_t i = 0; expr->op == AG_IR_READ && i < expr->width; i++)
        if (expr->u.id[i] != AG_IR_NONE && uniform->divergent[expr->u.id[i]])
            return true;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (expr_is_divergent(uniform, expr->args[i]))
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

/* ---- What divergent ----------------------------------------------------------------------------------- */

static void walk_block(struct uniform *uniform, const struct ag_ir_block *block, bool in_divergent_flow);

/* Whether threads may leave a loop in different iterations, which makes everything that the loop writes
 * divergent afterwards. `breaks`: a break in `block` leaves the loop rather than a switch inside the loop. */
static bool loop_is_divergent(const struct uniform *uniform, const struct ag_ir_block *block, bool breaks)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        bool decides = stmt->kind == AG_IR_IF || stmt->kind == AG_IR_SWITCH;
        if (decides && !stmt->is_uniform && expr_is_divergent(uniform, stmt->value) &&
            ag_ir_stmt_jumps(stmt, (struct ag_ir_jumps){breaks, true, true}))
            return true;
        if (stmt->kind == AG_IR_LOOP)
            continue;
        if ((stmt->body != NULL && loop_is_divergent(uniform, stmt->body, breaks)) ||
            (stmt->otherwise != NULL && loop_is_divergent(uniform, stmt->otherwise, breaks)))
            return true;
        for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            if (loop_is_divergent(uniform, c->body, false))
                return true;
    }
    return false;
}

/* Whether only some threads go on behind the statement. */
static bool walk_statement(struct uniform *uniform, const struct ag_ir_stmt *stmt, bool in_divergent_flow)
{
    if (stmt->kind == AG_IR_ASSIGN && (in_divergent_flow || expr_is_divergent(uniform, stmt->value))) {
        for (uint32_t i = 0; i < stmt->value->width; i++) {
            if (stmt->target[i] == AG_IR_NONE || uniform->divergent[stmt->target[i]])
                continue;
            uniform->divergent[stmt->target[i]] = true;
            uniform->changed = true;
        }
    }
    bool inside = in_divergent_flow;
    if (stmt->kind == AG_IR_LOOP)
        inside = in_divergent_flow || loop_is_divergent(uniform, stmt->body, true);
    else if (stmt->body != NULL || stmt->cases != NULL)
        inside = in_divergent_flow || (!stmt->is_uniform && expr_is_divergent(uniform, stmt->value));
    if (stmt->body != NULL)
        walk_block(uniform, stmt->body, inside);
    if (stmt->otherwise != NULL)
        walk_block(uniform, stmt->otherwise, inside);
    for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        walk_block(uniform, c->body, inside);
    return inside && ag_ir_stmt_jumps(stmt, (struct ag_ir_jumps){true, true, true});
}

static void walk_block(struct uniform *uniform, const struct ag_ir_block *block, bool in_divergent_flow)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next)
        in_divergent_flow = walk_statement(uniform, stmt, in_divergent_flow) || in_divergent_flow;
}

static void find_divergent(struct uniform *uniform)
{
    struct ag_ir_program *program = uniform->program;
    /* Zero initialisers come from a private variable too, which WGSL does not trust to be uniform. */
    for (size_t i = 0; i < program->variables.count; i++)
        uniform->divergent[i] = program->has_idle_turns || program->variables.data[i].is_input ||
                                program->variables.data[i].needs_zero;
    for (size_t i = 0; i < program->inputs.count; i++)
        if (program->inputs.data[i].kind == AG_IR_INPUT_GROUP_ID)
            uniform->divergent[program->inputs.data[i].variable] = false;
    uniform->changed = true;
    for (uint32_t sweep = 0; uniform->changed && sweep < MAX_SWEEPS; sweep++) {
        uniform->changed = false;
        walk_block(uniform, program->body, false);
    }
    for (size_t i = 0; uniform->changed && i < program->variables.count; i++)
        uniform->divergent[i] = true;
}

/* ---- Marking ------------------------------------------------------------------------------------------ */

/* Which jumps decide whether threads reach a barrier. */
struct flow {
    uint32_t last_break; /* those in front of this statement: the last barrier in a switch; in a loop, all */
    bool continues;
    bool returns; /* all, because a loop with barriers is around; else those in front of the last barrier */
};

static bool block_is_shared(const struct ag_ir_block *block, struct ag_ir_jumps jumps)
{
    return block != NULL && (has_barrier(block) || ag_ir_block_jumps(block, jumps));
}

/* The number of the last barrier in a switch, or 0. */
static uint32_t last_barrier_of(const struct uniform *uniform, const struct ag_ir_stmt *stmt)
{
    struct uniform inner = {.program = uniform->program, .order = uniform->order};
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        ag_ir_walk(c->body, find_barriers, &inner);
    return inner.last_barrier;
}

/* Whether all threads go through an IF, LOOP or SWITCH together. */
static bool is_shared(const struct uniform *uniform, const struct ag_ir_stmt *stmt, struct flow flow)
{
    const struct ag_ir_jumps jumps = {
        .breaks = stmt->kind == AG_IR_IF && uniform->order < flow.last_break,
        .continues = stmt->kind != AG_IR_LOOP && flow.continues,
        .returns = flow.returns || uniform->order < uniform->last_barrier,
    };
    bool shared = block_is_shared(stmt->body, jumps) || block_is_shared(stmt->otherwise, jumps);
    for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        shared = shared || block_is_shared(c->body, jumps);
    return shared;
}

static void mark_block(struct uniform *uniform, struct ag_ir_block *block, struct flow flow)
{
    for (struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        struct flow inner = flow;
        uniform->order++;
        stmt->is_shared = (stmt->body != NULL || stmt->cases != NULL) && is_shared(uniform, stmt, flow);
        if (stmt->is_shared && stmt->kind != AG_IR_LOOP && !ag_ir_is_always(stmt) &&
            expr_is_divergent(uniform, stmt->value)) {
            stmt->is_uniform = true;
            uniform->program->shares_conditions = true;
        }
        if (stmt->kind == AG_IR_LOOP)
            inner = (struct flow){stmt->is_shared ? UINT32_MAX : 0, stmt->is_shared, stmt->is_shared};
        else if (stmt->kind == AG_IR_SWITCH)
            inner.last_break = last_barrier_of(uniform, stmt);
        if (stmt->body != NULL)
            mark_block(uniform, stmt->body, inner);
        if (stmt->otherwise != NULL)
            mark_block(uniform, stmt->otherwise, inner);
        for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            mark_block(uniform, c->body, inner);
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
    uniform.divergent = AG_ARENA_ARRAY(program->arena, bool, program->variables.count);
    if (uniform.divergent == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    find_divergent(&uniform);
    uniform.order = 0;
    mark_block(&uniform, program->body, (struct flow){0, false, false});
}
