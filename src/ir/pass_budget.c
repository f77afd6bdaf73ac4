/* SPDX-License-Identifier: MIT
 *
 * Makes loops that may never end pay for their iterations (decision D21).
 *
 * With a loop budget, each loop without a known bound on its trip count takes its cost from the budget in
 * every iteration and ends when the budget is spent. A loop whose induction variable counts between constants
 * ends by itself. It takes nothing, but the most that it may cost is added to the cost of an iteration of the
 * loop around it.
 *
 * An induction variable here is a variable component whose assignments are all of constants, except one that
 * adds a constant to it. The trip count of a loop is bounded if the addition and, before it, a comparison
 * that leaves the loop are part of every iteration.
 */
#include "ir/pass.h"

#define MAX_FREE_ITERATIONS (1u << 16) /* iterations that a loop may run without taking from the budget */
#define MAX_INITS 4                    /* assignments of constants that are remembered for one variable */
#define MAX_MAGNITUDE (1 << 30)        /* larger constants are ignored, so that no addition overflows */

struct induction {
    int64_t low, high; /* range of the constants that are assigned */
    int64_t step;      /* what the only addition adds; 0: there is no addition */
    const struct ag_ir_stmt *increment;
    const struct ag_ir_block *inits[MAX_INITS]; /* the blocks of the assignments of constants */
    uint32_t init_count;
    bool has_constant;   /* some constant is assigned */
    bool is_unknown;     /* something else is assigned: no induction variable */
    bool is_incremented; /* the loop's tests seen from here on stand behind the addition */
};

struct budget {
    struct ag_ir_program *program;
    struct induction *inductions; /* by variable and component */
};

/* ---- Counters ----------------------------------------------------------------------------------------- */

static struct induction *induction_of(const struct budget *budget, const struct ag_ir_expr *read,
                                      uint32_t lane)
{
    if (read->width == 1)
        lane = 0; /* one lane is broadcast to all */
    if (read->op != AG_IR_READ || read->u.id[lane] == AG_IR_NONE)
        return NULL;
    return &budget->inductions[read->u.id[lane] * 4 + read->component[lane]];
}

static bool constant_of(const struct ag_ir_expr *expr, uint32_t lane, int64_t *value)
{
    if (expr->op != AG_IR_CONST)
        return false;
    *value = (int32_t)expr->u.bits[expr->width == 1 ? 0 : lane];
    return *value > -MAX_MAGNITUDE && *value < MAX_MAGNITUDE;
}

static void note_constant(struct induction *induction, int64_t value)
{
    induction->low = !induction->has_constant || value < induction->low ? value : induction->low;
    induction->high = !induction->has_constant || value > induction->high ? value : induction->high;
    induction->has_constant = true;
}

static void note_write(struct budget *budget, const struct ag_ir_stmt *stmt, uint32_t lane)
{
    const struct ag_ir_expr *value = stmt->value;
    struct induction *induction = &budget->inductions[stmt->target[lane] * 4 + stmt->target_component[lane]];
    int64_t constant;
    if (constant_of(value, lane, &constant)) {
        note_constant(induction, constant);
        if (induction->init_count < MAX_INITS)
            induction->inits[induction->init_count++] = stmt->block;
        else
            induction->is_unknown = true;
        return;
    }
    bool adds = value->op == AG_IR_IADD && induction->step == 0 &&
                induction_of(budget, value->args[0], lane) == induction &&
                constant_of(value->args[1], lane, &constant) && constant != 0;
    induction->is_unknown = induction->is_unknown || !adds;
    if (!adds)
        return;
    induction->step = constant;
    induction->increment = stmt;
}

static void note_statement(void *user, struct ag_ir_stmt *stmt)
{
    struct budget *budget = user;
    for (uint32_t i = 0; stmt->kind == AG_IR_ASSIGN && i < stmt->value->width; i++)
        if (stmt->target[i] != AG_IR_NONE)
            note_write(budget, stmt, i);
}

/* ---- Tests -------------------------------------------------------------------------------------------- */

static bool is_compare(const struct ag_ir_expr *expr)
{
    return expr->op == AG_IR_ILT || expr->op == AG_IR_IGE || expr->op == AG_IR_ULT || expr->op == AG_IR_UGE;
}

/* The comparison that decides `test`: its condition, or the value of the assignment `before` that directly
 * precedes the test. Null when there is none. */
static const struct ag_ir_expr *comparison_of(const struct ag_ir_stmt *test, const struct ag_ir_stmt *before,
                                              uint32_t *lane, bool *inverted)
{
    const struct ag_ir_expr *value = test->value;
    *lane = 0;
    *inverted = value->op == AG_IR_BOOL_NOT;
    if (*inverted)
        value = value->args[0];
    if (is_compare(value))
        return value;
    if (value->op != AG_IR_READ || before == NULL || before->kind != AG_IR_ASSIGN)
        return NULL;
    for (uint32_t i = 0; i < before->value->width; i++) {
        if (before->target[i] != value->u.id[0] || before->target_component[i] != value->component[0])
            continue;
        *lane = i;
        return is_compare(before->value) ? before->value : NULL;
    }
    return NULL;
}

/* A bound on the trip count of a loop that ends when the comparison of an induction variable with `limit` is
 * true (or false, if `inverted`). 0 means that there is no bound. */
static uint64_t trip_bound(const struct induction *induction, bool variable_first, enum ag_ir_op op,
                           bool inverted, int64_t limit)
{
    bool is_less = op == AG_IR_ILT || op == AG_IR_ULT;
    bool is_unsigned = op == AG_IR_ULT || op == AG_IR_UGE;
    bool leaves_above = (is_less != variable_first) != inverted; /* the loop ends at values above the limit */
    if (is_unsigned && (limit < 0 || induction->low < 0 || induction->step < 0))
        return 0;
    if (induction->step == 0 || leaves_above != (induction->step > 0))
        return 0;
    int64_t distance = leaves_above ? limit - induction->low : induction->high - limit;
    int64_t step = leaves_above ? induction->step : -induction->step;
    return distance < 0 ? 2
                        /* One iteration for the remainder, and one for the value `limit` itself. */
                        : (uint64_t)(distance / step) + 2;
}

static bool is_inside(const struct ag_ir_block *block, const struct ag_ir_block *outer)
{
    while (block != NULL && block->depth > outer->depth)
        block = block->parent;
    return block == outer;
}

/* Whether a variable only grows, or only shrinks, while the loop runs. */
static bool counts_in(const struct induction *induction, const struct ag_ir_stmt *loop)
{
    if (induction == NULL || induction->is_unknown || !induction->has_constant || induction->step == 0 ||
        induction->is_incremented || induction->increment->block != loop->body)
        return false;
    for (uint32_t i = 0; i < induction->init_count; i++)
        if (is_inside(induction->inits[i], loop->body))
            return false;
    return true;
}

static uint64_t trip_bound_by_test(const struct budget *budget, const struct ag_ir_stmt *loop,
                                   const struct ag_ir_stmt *test, const struct ag_ir_stmt *before)
{
    uint32_t lane;
    bool inverted;
    if (test->kind != AG_IR_IF || test->body->first == NULL || test->body->first->kind != AG_IR_BREAK)
        return 0;
    const struct ag_ir_expr *compare = comparison_of(test, before, &lane, &inverted);
    for (uint32_t i = 0; compare != NULL && i < 2; i++) {
        const struct induction *induction = induction_of(budget, compare->args[i], lane);
        int64_t limit;
        if (counts_in(induction, loop) && constant_of(compare->args[1 - i], lane, &limit))
            return trip_bound(induction, i == 0, (enum ag_ir_op)compare->op, inverted, limit);
    }
    return 0;
}

static void note_increments(struct budget *budget, const struct ag_ir_stmt *stmt)
{
    for (uint32_t i = 0; stmt->kind == AG_IR_ASSIGN && i < stmt->value->width; i++) {
        if (stmt->target[i] == AG_IR_NONE)
            continue;
        struct induction *induction = &budget->inductions[stmt->target[i] * 4 + stmt->target_component[i]];
        induction->is_incremented = induction->is_incremented || induction->increment == stmt;
    }
}

/* ---- Loops -------------------------------------------------------------------------------------------- */

static bool continues(const struct ag_ir_block *block)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        if (stmt->kind == AG_IR_CONTINUE)
            return true;
        if (stmt->kind == AG_IR_LOOP)
            continue;
        if ((stmt->body != NULL && continues(stmt->body)) ||
            (stmt->otherwise != NULL && continues(stmt->otherwise)))
            return true;
        for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            if (continues(c->body))
                return true;
    }
    return false;
}

static uint64_t cost_of_block(struct budget *budget, struct ag_ir_block *block);

/* Inserts at the head of a loop: if the budget does not cover `cost`, break. */
static void charge(struct budget *budget, struct ag_ir_stmt *loop, uint64_t cost)
{
    struct ag_ir_program *program = budget->program;
    struct ag_ir_block scratch = {0};
    struct ag_ir_stmt *test = ag_ir_append(program, &scratch, AG_IR_IF, loop->offset);
    if (test == NULL)
        return;
    test->value = ag_ir_expr_new(program, AG_IR_SPEND, 1, 0);
    test->value->u.bits[0] = cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;
    test->body = ag_ir_block_new(program, loop->body);
    ag_ir_append(program, test->body, AG_IR_BREAK, loop->offset);
    test->block = loop->body;
    test->next = loop->body->first;
    loop->body->first = test;
    if (loop->body->last == NULL)
        loop->body->last = test;
}

/* A bound on the trip count of a loop, or 0. */
static uint64_t trip_bound_of_loop(struct budget *budget, const struct ag_ir_stmt *loop)
{
    const struct ag_ir_stmt *last = loop->body->last, *before = NULL;
    if (continues(loop->body))
        return 0;
    if (last != NULL && (last->kind == AG_IR_BREAK || last->kind == AG_IR_RETURN))
        return 1; /* an inlined subroutine, which is a loop for the sake of `break` */
    for (const struct ag_ir_stmt *stmt = loop->body->first; stmt != NULL; stmt = stmt->next) {
        uint64_t trips = trip_bound_by_test(budget, loop, stmt, before);
        if (trips > 0)
            return trips;
        note_increments(budget, stmt);
        before = stmt;
    }
    return 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The most that a statement costs without taking from the budget. Loops inside that need a check of the
 * budget get one. */
static uint64_t cost_of(struct budget *budget, struct ag_ir_stmt *stmt)
{
    uint64_t cost = 0;
    if (stmt->body != NULL)
        cost = cost_of_block(budget, stmt->body);
    if (stmt->otherwise != NULL)
        cost = larger(cost, cost_of_block(budget, stmt->otherwise));
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        cost = larger(cost, cost_of_block(budget, c->body));
    if (stmt->kind != AG_IR_LOOP)
        return cost;
    uint64_t trips = trip_bound_of_loop(budget, stmt);
    cost++;
    if (trips > 0 && trips <= MAX_FREE_ITERATIONS && trips * cost <= MAX_FREE_ITERATIONS)
        return trips * cost;
    charge(budget, stmt, cost);
    return 0;
}

static uint64_t cost_of_block(struct budget *budget, struct ag_ir_block *block)
{
    uint64_t cost = 0;
    for (struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next)
        cost += cost_of(budget, stmt);
    return cost < UINT32_MAX ? cost : UINT32_MAX;
}

void ag_ir_pass_budget(struct ag_ir_program *program)
{
    struct budget budget = {.program = program};
    if (program->loop_budget == 0 || !program->has_loops)
        return;
    budget.inductions = AG_ARENA_ARRAY(program->arena, struct induction, program->variables.count * 4);
    if (budget.inductions == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < program->variables.count; i++)
        for (uint32_t c = 0; c < 4; c++) {
            struct induction *induction = &budget.inductions[i * 4 + c];
            induction->is_unknown = program->variables.data[i].is_input;
            if (program->variables.data[i].needs_zero)
                note_constant(induction, 0);
        }
    ag_ir_walk(program->body, note_statement, &budget);
    cost_of_block(&budget, program->body);
}
