/* SPDX-License-Identifier: MIT
 *
 * Forward substitution: a value that one expression reads once moves to where it is read, and the variable is
 * gone. A third of all instructions are written into others that way, which is less text and fewer
 * declarations for the compilers behind.
 *
 * What moves reads nothing that can change in between: variables with one write that comes before every read,
 * inputs, constants; and anything at all where every statement in between computes such a variable. Neither
 * the operations nor their number nor their order of evaluation change for anybody who looks at the results.
 * The reader is in the same block, so that nothing moves into a branch or a loop. Operations whose operands
 * the emitter may write more than once, those with resources above all, take nothing, and neither do depth
 * and coverage.
 */
#include "ir/pass.h"

/* Nodes of an expression that moves, so that lines stay short and expressions within parsers' nesting. */
#define MOST_NODES 12

struct substitution {
    struct ag_ir_program *program;
    bool any;
    /* Counts the statements that may change more than a variable with one write; AG_IR_NONE where outputs are
     * read, some of which are written more than once. */
    uint32_t segment;
};

/* Whether the variable has one value, wherever it is read. */
static bool is_fixed(const struct substitution *substitution, uint32_t id)
{
    const struct ag_ir_variable *variable = &substitution->program->variables.data[id];
    return variable->is_input || (variable->write_count == 1 && !variable->needs_zero);
}

static bool is_plain(const struct ag_ir_expr *expr)
{
    return (ag_ir_op_infos[expr->op].flags & AG_IR_LANES) != 0 || expr->op == AG_IR_SWIZZLE ||
           expr->op == AG_IR_JOIN || expr->op == AG_IR_DOT;
}

static bool takes_derivative(const struct ag_ir_expr *expr)
{
    return expr->op >= AG_IR_DDX && expr->op <= AG_IR_DDY_FINE;
}

/* Operations that give the same value, if nothing is written in between, and never are constant for WGSL. */
static bool is_load(const struct ag_ir_expr *expr)
{
    return (expr->op >= AG_IR_SAMPLE && expr->op <= AG_IR_SAMPLE_GRAD) || expr->op == AG_IR_TEXEL ||
           expr->op == AG_IR_LOAD;
}

struct mobility {
    bool is_near;        /* nothing is written in between */
    uint32_t room;       /* for so many more nodes */
    bool reads_anything; /* the value depends on more than constants */
};

/* Whether the value is the same where it is read. */
static bool may_move(const struct substitution *substitution, const struct ag_ir_expr *expr,
                     struct mobility *mobility)
{
    if (mobility->room-- == 0)
        return false;
    if (expr->op == AG_IR_READ) {
        for (uint32_t i = 0; i < expr->width; i++) {
            if (expr->u.id[i] == AG_IR_NONE)
                continue;
            if (!mobility->is_near && !is_fixed(substitution, expr->u.id[i]))
                return false;
            mobility->reads_anything = true;
        }
        return true;
    }
    if (expr->op == AG_IR_CONST)
        return true;
    mobility->reads_anything |= expr->op == AG_IR_CBUFFER;
    if (!is_plain(expr) && expr->op != AG_IR_CBUFFER && !(mobility->is_near && is_load(expr)))
        return false;
    if (takes_derivative(expr) && !mobility->is_near)
        return false;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (!may_move(substitution, expr->args[i], mobility))
            return false;
    return true;
}

/* Whether the value may move. WGSL computes and refuses constant expressions when it compiles: what is chosen
 * from constants stays in a variable, which it does not follow. */
static bool value_may_move(const struct substitution *substitution, const struct ag_ir_stmt *writer)
{
    struct mobility mobility = {.is_near = writer->segment == substitution->segment, .room = MOST_NODES};
    return may_move(substitution, writer->value, &mobility) && mobility.reads_anything;
}

/* Whether the statement does nothing but write all of the variable. */
static bool writes_all(const struct ag_ir_stmt *stmt, const struct ag_ir_variable *variable, uint32_t id)
{
    if (stmt->value->width != variable->width)
        return false;
    for (uint32_t i = 0; i < stmt->value->width; i++)
        if (stmt->target[i] != id || stmt->target_component[i] != i)
            return false;
    return true;
}

/* Whether the value of a variable may move to the one read of it. */
static bool is_movable(const struct substitution *substitution, uint32_t id)
{
    if (id == AG_IR_NONE)
        return false;
    const struct ag_ir_variable *const variable = &substitution->program->variables.data[id];
    const struct ag_ir_stmt *const writer = variable->first_write;
    return variable->read_count == 1 && writer != NULL && writer->block == variable->reader &&
           is_fixed(substitution, id) && writes_all(writer, variable, id) &&
           value_may_move(substitution, writer);
}

/* The lanes of the read from `first` on that read one variable: how many. */
static uint32_t lanes_of_one(const struct ag_ir_expr *read, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < read->width && read->u.id[end] == read->u.id[first])
        end++;
    return end - first;
}

/* Takes the value out of the statement that computes it; unlink_moved() removes the statement. */
static struct ag_ir_expr *take_value(struct substitution *substitution, uint32_t id, uint32_t width,
                                     const uint8_t *components)
{
    struct ag_ir_variable *const variable = &substitution->program->variables.data[id];
    struct ag_ir_stmt *writer = variable->first_write;
    struct ag_ir_expr *value = ag_ir_swizzle(substitution->program, writer->value, width, components);
    writer->kind = AG_IR_EVALUATE;
    writer->value = NULL;
    for (uint32_t i = 0; i < 4; i++)
        writer->target[i] = AG_IR_NONE;
    variable->first_write = NULL;
    variable->home = NULL;
    substitution->any = true;
    return value;
}

/* A read of several variables, some of which move, becomes a JOIN of values and of reads. */
static void substitute_lanes(struct substitution *substitution, struct ag_ir_expr **expr)
{
    struct ag_ir_expr *read = *expr;
    uint32_t count = 0, movable = 0;
    for (uint32_t i = 0; i < read->width; i += lanes_of_one(read, i), count++)
        movable |= (uint32_t)is_movable(substitution, read->u.id[i]) << i;
    if (movable == 0)
        return;
    struct ag_ir_expr *joined = ag_ir_expr_new(substitution->program, AG_IR_JOIN, read->width, count);
    for (uint32_t i = 0, k = 0, lanes; k < count; i += lanes, k++) {
        lanes = lanes_of_one(read, i);
        if (movable >> i & 1) {
            joined->args[k] = take_value(substitution, read->u.id[i], lanes, &read->component[i]);
            continue;
        }
        joined->args[k] = ag_ir_read(substitution->program, read->u.id[i], lanes);
        for (uint32_t c = 0; c < lanes; c++)
            joined->args[k]->component[c] = read->component[i + c];
    }
    *expr = joined;
}

static void substitute(struct substitution *substitution, struct ag_ir_expr **expr)
{
    struct ag_ir_expr *read = *expr;
    if (read->op != AG_IR_READ) {
        for (uint32_t i = 0; is_plain(read) && i < read->arg_count; i++)
            substitute(substitution, &read->args[i]);
    } else if (lanes_of_one(read, 0) < read->width) {
        substitute_lanes(substitution, expr);
    } else if (is_movable(substitution, read->u.id[0])) {
        *expr = take_value(substitution, read->u.id[0], read->width, read->component);
    }
}

/* Whether the statement does nothing but give variables their only value. */
static bool is_calm(const struct substitution *substitution, const struct ag_ir_stmt *stmt)
{
    if (stmt->kind == AG_IR_EVALUATE && stmt->value == NULL)
        return true;
    if (stmt->kind != AG_IR_ASSIGN || ag_ir_has_effect(stmt->value))
        return false;
    for (uint32_t i = 0; i < stmt->value->width; i++)
        if (stmt->target[i] != AG_IR_NONE && !is_fixed(substitution, stmt->target[i]))
            return false;
    return true;
}

static void substitute_in_values(struct substitution *substitution, struct ag_ir_stmt *stmt)
{
    if (stmt->kind == AG_IR_ASSIGN || stmt->kind == AG_IR_IF || stmt->kind == AG_IR_SWITCH)
        substitute(substitution, &stmt->value);
    if (stmt->kind != AG_IR_RETURN || ag_ir_uses_records(substitution->program->flavour))
        return;
    for (size_t i = 0; stmt->outputs != NULL && i < substitution->program->outputs.count; i++) {
        const uint8_t kind = substitution->program->outputs.data[i].kind;
        if (stmt->outputs[i] != NULL && (kind == AG_IR_OUTPUT_REGISTER || kind == AG_IR_OUTPUT_POSITION))
            substitute(substitution, &stmt->outputs[i]);
    }
}

static void unlink_moved(struct ag_ir_block *block);

static void unlink_moved_inside(const struct ag_ir_stmt *stmt)
{
    if (stmt->body != NULL)
        unlink_moved(stmt->body);
    if (stmt->otherwise != NULL)
        unlink_moved(stmt->otherwise);
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        unlink_moved(c->body);
}

static void unlink_moved(struct ag_ir_block *block)
{
    struct ag_ir_stmt **link = &block->first;
    block->last = NULL;
    while (*link != NULL) {
        struct ag_ir_stmt *stmt = *link;
        if (!ag_ir_is_simple(stmt))
            unlink_moved_inside(stmt);
        if (stmt->kind == AG_IR_EVALUATE && stmt->value == NULL) {
            *link = stmt->next;
            continue;
        }
        block->last = stmt;
        link = &stmt->next;
    }
}

static void substitute_in_statement(void *user, struct ag_ir_stmt *stmt)
{
    struct substitution *const substitution = user;
    const uint32_t segment = substitution->segment;
    stmt->segment = segment;
    if (stmt->kind == AG_IR_RETURN)
        substitution->segment = AG_IR_NONE;
    substitute_in_values(substitution, stmt);
    substitution->segment = segment + !is_calm(substitution, stmt);
}

void ag_ir_pass_substitute(struct ag_ir_program *program)
{
    if (program->keeps_statements)
        return;
    struct substitution substitution = {.program = program};
    ag_ir_walk(program->body, substitute_in_statement, &substitution);
    if (substitution.any)
        unlink_moved(program->body);
}
