/* SPDX-License-Identifier: MIT
 *
 * Infers the type of every variable from how its bits are made (its definitions) and how they
 * are looked at (its uses).
 *
 * float32: every definition is float arithmetic, or every use is. In both cases a float register preserves
 * the bits. Bits of unknown origin that are also copied or used as integers stay uint32, because drivers may
 * change NaN payloads and denormals in float registers.
 *
 * int32: only signed integer operations define and use the variable.
 *
 * uint32: all other variables.
 *
 * A copy passes the kinds of definitions forward, to the variable that is written, and the kinds of uses
 * backward, to the variable that is read. Both are computed by graph searches over the copies.
 */

#include "ir/pass.h"

enum value_kind {
    KIND_FLOAT = 1 << 0,
    KIND_INT = 1 << 1,
    KIND_UINT = 1 << 2,
    KIND_EITHER = 1 << 3, /* an integer of either signedness */
    KIND_BITS = 1 << 4,   /* copied, or of unknown origin */
};

struct edge {
    uint32_t from, to; /* variable `to` is a copy of variable `from` */
};

struct types {
    struct ag_ir_program *program;
    uint8_t *definitions, *uses; /* enum value_kind bits, by variable */
    AG_VEC(struct edge) edges;
    uint32_t *start[2], *target[2]; /* adjacency lists by direction, see sort_edges() */
    uint32_t *stack;
    const struct ag_ir_stmt *assign; /* the assignment whose value is being visited */
};

static uint8_t kind_of(enum ag_ir_type type)
{
    static const uint8_t kinds[] = {
        [AG_IR_ANY] = KIND_BITS, [AG_IR_F32] = KIND_FLOAT,  [AG_IR_I32] = KIND_INT,
        [AG_IR_U32] = KIND_UINT, [AG_IR_INT] = KIND_EITHER, [AG_IR_BOOL] = KIND_EITHER,
    };
    return kinds[type];
}

static void add_edges(struct types *types, uint32_t from)
{
    const struct ag_ir_stmt *stmt = types->assign;
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        if (stmt->target[i] == AG_IR_NONE || stmt->target[i] == from ||
            (i > 0 && stmt->target[i] == stmt->target[i - 1]))
            continue;
        if (!ag_vec_push(&types->edges, (struct edge){from, stmt->target[i]}))
            ag_ir_no_memory(types->program);
    }
}

static void note_read(struct types *types, const struct ag_ir_expr *read, enum ag_ir_type want, bool copied)
{
    for (uint32_t i = 0; i < read->width; i++) {
        if (read->u.id[i] == AG_IR_NONE || (i > 0 && read->u.id[i] == read->u.id[i - 1]))
            continue;
        if (copied)
            add_edges(types, read->u.id[i]);
        else
            types->uses[read->u.id[i]] |= kind_of(want);
    }
}

/* Records how an expression is used. `copied`: its bits reach the targets of types->assign unchanged. */
static void note_use(struct types *types, const struct ag_ir_expr *expr, enum ag_ir_type want, bool copied)
{
    if (expr->op == AG_IR_READ) {
        note_read(types, expr, want, copied);
        return;
    }
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        const struct ag_ir_expr *const arg = expr->args[i];
        if (arg->arg_count == 0 && arg->op != AG_IR_READ)
            continue;
        enum ag_ir_type type = ag_ir_arg_type(types->program, expr, i);
        const bool passes = type == AG_IR_ANY && expr->op != AG_IR_STORE;
        if (passes)
            type = want;
        if (arg->op == AG_IR_READ)
            note_read(types, arg, type, passes && copied);
        else
            note_use(types, arg, type, passes && copied);
    }
}

/* Floats preserve a constant that is zero or a normal number; any other constant counts as bits. */
static uint8_t kind_of_constant(const struct ag_ir_expr *expr)
{
    for (uint32_t i = 0; i < expr->width; i++) {
        uint32_t exponent = expr->u.bits[i] >> 23 & 0xff;
        if (exponent == 0xff || (exponent == 0 && (expr->u.bits[i] & 0x7fffffff) != 0))
            return KIND_BITS;
    }
    return 0;
}

static uint8_t kind_of_value(const struct types *types, const struct ag_ir_expr *expr)
{
    switch (expr->op) {
    case AG_IR_CONST:
        return kind_of_constant(expr);
    case AG_IR_READ:
        return 0; /* the copy edge passes on the kinds of the variable that is read */
    case AG_IR_ARRAY:
    case AG_IR_RECORD:
    case AG_IR_CBUFFER:
    case AG_IR_ICB:
    case AG_IR_INSTANCE:
    case AG_IR_LOAD:
        return KIND_BITS;
    case AG_IR_SWIZZLE:
    case AG_IR_JOIN:
    case AG_IR_SELECT: {
        uint8_t kind = 0;
        for (uint32_t i = expr->op == AG_IR_SELECT ? 1 : 0; i < expr->arg_count; i++)
            kind |= kind_of_value(types, expr->args[i]);
        return kind;
    }
    default:
        return kind_of(ag_ir_natural_type(types->program, expr));
    }
}

static void note_root(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr)
{
    struct types *types = user;
    enum ag_ir_type want = AG_IR_ANY;
    if (*expr == stmt->index || stmt->kind == AG_IR_SWITCH)
        want = AG_IR_INT;
    if (stmt->kind == AG_IR_IF)
        want = AG_IR_BOOL;
    if (stmt->kind == AG_IR_RETURN || stmt->kind == AG_IR_EMIT)
        want = (enum ag_ir_type)types->program->outputs.data[(size_t)(expr - stmt->outputs)].type;
    types->assign = stmt;
    note_use(types, *expr, want, stmt->kind == AG_IR_ASSIGN);
    if (stmt->kind != AG_IR_ASSIGN)
        return;
    uint8_t kind = kind_of_value(types, *expr);
    for (uint32_t i = 0; i < (*expr)->width; i++)
        if (stmt->target[i] != AG_IR_NONE)
            types->definitions[stmt->target[i]] |= kind;
}

static void note_statement(void *user, struct ag_ir_stmt *stmt)
{
    struct types *types = user;
    ag_ir_visit_roots(types->program, stmt, note_root, types);
}

/* Sorts the copies into adjacency lists (compressed sparse rows): the neighbours of variable v are
 * target[start[v]] to target[start[v + 1] - 1]. Forward lists lead from a variable to its copies. */
static bool sort_edges(struct types *types, bool forward)
{
    size_t count = types->program->variables.count, edges = types->edges.count;
    uint32_t *start = AG_ARENA_ARRAY(types->program->arena, uint32_t, count + 2);
    uint32_t *target = ag_arena_alloc_raw(types->program->arena, edges * sizeof *target, alignof(uint32_t));
    if (start == NULL || target == NULL)
        return false;
    for (size_t i = 0; i < edges; i++)
        start[(forward ? types->edges.data[i].from : types->edges.data[i].to) + 2]++;
    for (size_t i = 2; i < count + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < edges; i++) {
        const struct edge *edge = &types->edges.data[i];
        target[start[(forward ? edge->from : edge->to) + 1]++] = forward ? edge->to : edge->from;
    }
    types->start[forward] = start;
    types->target[forward] = target;
    return true;
}

enum reach { REACH_FLOAT = 1, REACH_OTHER = 2 };

/* What reaches each variable, over any number of copies: enum reach. */
static uint8_t *spread(struct types *types, const uint8_t *kinds, bool forward)
{
    const uint32_t *start = types->start[forward], *target = types->target[forward];
    const size_t count = types->program->variables.count;
    uint32_t *const stack = types->stack, depth = 0;
    uint8_t *reached = ag_arena_alloc_raw(types->program->arena, count, 1);
    if (reached == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        reached[i] =
            (uint8_t)((kinds[i] & KIND_FLOAT ? REACH_FLOAT : 0) | (kinds[i] & ~KIND_FLOAT ? REACH_OTHER : 0));
        if (reached[i] != 0 && start[i] != start[i + 1])
            stack[depth++] = i;
    }
    while (depth > 0) {
        const uint32_t at = stack[--depth];
        for (uint32_t i = start[at]; i < start[at + 1]; i++) {
            const uint32_t to = target[i];
            if ((reached[at] & ~reached[to]) == 0)
                continue;
            reached[to] |= reached[at];
            stack[depth++] = to;
        }
    }
    return reached;
}

static void decide(struct types *types)
{
    struct ag_ir_program *program = types->program;
    const size_t count = program->variables.count;
    /* A variable is there at first, and again whenever something new reaches it. */
    types->stack = ag_arena_alloc_raw(program->arena, count * 3 * sizeof(uint32_t), alignof(uint32_t));
    const bool good = types->stack != NULL && sort_edges(types, false) && sort_edges(types, true);
    const uint8_t *const defined = good ? spread(types, types->definitions, true) : NULL;
    const uint8_t *const used = good ? spread(types, types->uses, false) : NULL;
    if (defined == NULL || used == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct ag_ir_variable *variable = &program->variables.data[i];
        const uint8_t kinds = types->definitions[i] | types->uses[i];
        if (variable->type != AG_IR_ANY)
            continue;
        if (defined[i] == REACH_FLOAT || used[i] == REACH_FLOAT)
            variable->type = AG_IR_F32;
        else if ((kinds & KIND_INT) && !(kinds & (KIND_UINT | KIND_FLOAT)))
            variable->type = AG_IR_I32;
        else
            variable->type = AG_IR_U32;
    }
}

void ag_ir_pass_types(struct ag_ir_program *program)
{
    size_t count = program->variables.count;
    struct types types = {.program = program};
    types.definitions = AG_ARENA_ARRAY(program->arena, uint8_t, count);
    types.uses = AG_ARENA_ARRAY(program->arena, uint8_t, count);
    if (types.definitions == NULL || types.uses == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (program->variables.data[i].is_input || program->variables.data[i].type == AG_IR_BOOL)
            types.definitions[i] = kind_of((enum ag_ir_type)program->variables.data[i].type);
    ag_ir_walk(program->body, note_statement, &types);
    decide(&types);
    ag_vec_fini(&types.edges);
}
