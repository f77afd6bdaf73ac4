/* SPDX-License-Identifier: MIT
 *
 * Loops that may never end. With a budget, a loop whose number of iterations nobody can bound pays for each
 * of them, and is left when the budget is spent (decision D21). A loop that counts between constants ends by
 * itself: it pays nothing, but what it may cost at most is added to the price of an iteration of the loop
 * around it.
 *
 * A counter is a variable that only ever receives constants and, in one place, itself plus a constant. Its
 * loop ends when that place and, before it, the test that leaves the loop are part of every iteration.
 */
#include "ir/pass.h"

#define MOST_FREE (1u << 16) /* iterations that a loop may make without paying */
#define MOST_STARTS 4        /* assignments of constants that are remembered */
#define FARTHEST (1 << 30)   /* counters stay where no addition overflows */

struct counter {
    int64_t low, high; /* of the constants it receives */
    int64_t step;      /* 0: never incremented */
    const struct ag_ir_stmt *increment;
    const struct ag_ir_block *starts[MOST_STARTS]; /* where it receives them */
    uint32_t start_count;
    bool is_received; /* some constant was seen */
    bool is_wild;     /* receives something else */
    bool is_late;     /* tests come behind the increment */
};

struct budget {
    struct ag_ir_program *program;
    struct counter *counters; /* by variable and component */
};

/* ---- Counters ----------------------------------------------------------------------------------------- */

static struct counter *counter_of(const struct budget *budget, const struct ag_ir_expr *read, uint32_t lane)
{
    if (read->width == 1)
        lane = 0; /* one lane stands for all */
    if (read->op != AG_IR_READ || read->u.id[lane] == AG_IR_NONE)
        return NULL;
    return &budget->counters[read->u.id[lane] * 4 + read->component[lane]];
}

static bool constant_of(const struct ag_ir_expr *expr, uint32_t lane, int64_t *value)
{
    if (expr->op != AG_IR_CONST)
        return false;
    *value = (int32_t)expr->u.bits[expr->width == 1 ? 0 : lane];
    return *value > -FARTHEST && *value < FARTHEST;
}

static void receive(struct counter *counter, int64_t value)
{
    counter->low = !counter->is_received || value < counter->low ? value : counter->low;
    counter->high = !counter->is_received || value > counter->high ? value : counter->high;
    counter->is_received = true;
}

static void note_write(struct budget *budget, const struct ag_ir_stmt *stmt, uint32_t lane)
{
    const struct ag_ir_expr *value = stmt->value;
    struct counter *counter = &budget->counters[stmt->target[lane] * 4 + stmt->target_component[lane]];
    int64_t constant;
    if (constant_of(value, lane, &constant)) {
        receive(counter, constant);
        if (counter->start_count < MOST_STARTS)
            counter->starts[counter->start_count++] = stmt->block;
        else
            counter->is_wild = true;
        return;
    }
    bool adds = value->op == AG_IR_IADD && counter->step == 0 &&
                counter_of(budget, value->args[0], lane) == counter &&
                constant_of(value->args[1], lane, &constant) && constant != 0;
    counter->is_wild = counter->is_wild || !adds;
    if (!adds)
        return;
    counter->step = constant;
    counter->increment = stmt;
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

/* The comparison behind the condition of `test`, which stands right in front of it; null when there is none.
 */
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

/* How often a loop runs that is left when a comparison with a counter is true, or 0: for all we know, for
 * ever. */
static uint64_t trips_of(const struct counter *counter, bool counter_first, enum ag_ir_op op, bool inverted,
                         int64_t limit)
{
    bool is_less = op == AG_IR_ILT || op == AG_IR_ULT;
    bool is_unsigned = op == AG_IR_ULT || op == AG_IR_UGE;
    bool leaves_above = (is_less != counter_first) != inverted; /* at larger values */
    if (is_unsigned && (limit < 0 || counter->low < 0 || counter->step < 0))
        return 0;
    if (leaves_above != (counter->step > 0))
        return 0;
    int64_t distance = leaves_above ? limit - counter->low : counter->high - limit;
    int64_t step = leaves_above ? counter->step : -counter->step;
    return distance < 0 ? 2
                        : (uint64_t)(distance / step) + 2; /* one for the remainder, one for `limit` itself */
}

static bool is_inside(const struct ag_ir_block *block, const struct ag_ir_block *outer)
{
    while (block != NULL && block->depth > outer->depth)
        block = block->parent;
    return block == outer;
}

/* Whether the counter only grows, or only shrinks, as long as the loop runs. */
static bool counts_in(const struct counter *counter, const struct ag_ir_stmt *loop)
{
    if (counter == NULL || counter->is_wild || !counter->is_received || counter->step == 0 ||
        counter->is_late || counter->increment->block != loop->body)
        return false;
    for (uint32_t i = 0; i < counter->start_count; i++)
        if (is_inside(counter->starts[i], loop->body))
            return false;
    return true;
}

static uint64_t trips_by_test(const struct budget *budget, const struct ag_ir_stmt *loop,
                              const struct ag_ir_stmt *test, const struct ag_ir_stmt *before)
{
    uint32_t lane;
    bool inverted;
    if (test->kind != AG_IR_IF || test->body->first == NULL || test->body->first->kind != AG_IR_BREAK)
        return 0;
    const struct ag_ir_expr *compare = comparison_of(test, before, &lane, &inverted);
    for (uint32_t i = 0; compare != NULL && i < 2; i++) {
        const struct counter *counter = counter_of(budget, compare->args[i], lane);
        int64_t limit;
        if (counts_in(counter, loop) && constant_of(compare->args[1 - i], lane, &limit))
            return trips_of(counter, i == 0, (enum ag_ir_op)compare->op, inverted, limit);
    }
    return 0;
}

static void pass_increments(struct budget *budget, const struct ag_ir_stmt *stmt)
{
    for (uint32_t i = 0; stmt->kind == AG_IR_ASSIGN && i < stmt->value->width; i++) {
        if (stmt->target[i] == AG_IR_NONE)
            continue;
        struct counter *counter = &budget->counters[stmt->target[i] * 4 + stmt->target_component[i]];
        counter->is_late = counter->is_late || counter->increment == stmt;
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

static uint64_t price_of_block(struct budget *budget, struct ag_ir_block *block);

/* In front of the first statement of the loop: leave when the budget is spent. */
static void charge(struct budget *budget, struct ag_ir_stmt *loop, uint64_t price)
{
    struct ag_ir_program *program = budget->program;
    struct ag_ir_block scratch = {0};
    struct ag_ir_stmt *test = ag_ir_append(program, &scratch, AG_IR_IF, loop->offset);
    if (test == NULL)
        return;
    test->value = ag_ir_expr_new(program, AG_IR_SPEND, 1, 0);
    test->value->u.bits[0] = price < UINT32_MAX ? (uint32_t)price : UINT32_MAX;
    test->body = ag_ir_block_new(program, loop->body);
    ag_ir_append(program, test->body, AG_IR_BREAK, loop->offset);
    test->block = loop->body;
    test->next = loop->body->first;
    loop->body->first = test;
    if (loop->body->last == NULL)
        loop->body->last = test;
}

/* How often a loop can run, or 0. */
static uint64_t trips_of_loop(struct budget *budget, const struct ag_ir_stmt *loop)
{
    const struct ag_ir_stmt *last = loop->body->last, *before = NULL;
    if (continues(loop->body))
        return 0;
    if (last != NULL && (last->kind == AG_IR_BREAK || last->kind == AG_IR_RETURN))
        return 1; /* an inlined subroutine */
    for (const struct ag_ir_stmt *stmt = loop->body->first; stmt != NULL; stmt = stmt->next) {
        uint64_t trips = trips_by_test(budget, loop, stmt, before);
        if (trips > 0)
            return trips;
        pass_increments(budget, stmt);
        before = stmt;
    }
    return 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The most that a statement costs without paying, once the loops in it that must pay have been made to. */
static uint64_t price_of(struct budget *budget, struct ag_ir_stmt *stmt)
{
    uint64_t price = 0;
    if (stmt->body != NULL)
        price = price_of_block(budget, stmt->body);
    if (stmt->otherwise != NULL)
        price = larger(price, price_of_block(budget, stmt->otherwise));
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        price = larger(price, price_of_block(budget, c->body));
    if (stmt->kind != AG_IR_LOOP)
        return price;
    uint64_t trips = trips_of_loop(budget, stmt);
    price++;
    if (trips > 0 && trips <= MOST_FREE && trips * price <= MOST_FREE)
        return trips * price;
    charge(budget, stmt, price);
    return 0;
}

static uint64_t price_of_block(struct budget *budget, struct ag_ir_block *block)
{
    uint64_t price = 0;
    for (struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next)
        price += price_of(budget, stmt);
    return price < UINT32_MAX ? price : UINT32_MAX;
}

void ag_ir_pass_budget(struct ag_ir_program *program)
{
    struct budget budget = {.program = program};
    if (program->loop_budget == 0)
        return;
    budget.counters = AG_ARENA_ARRAY(program->arena, struct counter, program->variables.count * 4);
    if (budget.counters == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < program->variables.count; i++)
        for (uint32_t c = 0; c < 4; c++) {
            struct counter *counter = &budget.counters[i * 4 + c];
            counter->is_wild = program->variables.data[i].is_input;
            if (program->variables.data[i].needs_zero)
                receive(counter, 0);
        }
    ag_ir_walk(program->body, note_statement, &budget);
    price_of_block(&budget, program->body);
}
