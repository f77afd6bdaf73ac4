/* SPDX-License-Identifier: MIT
 *
 * Dead code elimination: removes lanes and statements whose values are never read.
 *
 * One sweep from the end to the start removes chains of dead values. In a loop a read may stand in front of
 * the write that it sees, so that the write is found dead only in the next sweep; a few sweeps find nearly
 * all, and there is none if every value was found dead before the sweep came to its writes. A value whose
 * only reader is its own assignment is kept.
 */
#include "ir/pass.h"

#define MAX_SWEEPS 4

struct dead {
    struct ag_ir_program *program;
    uint32_t *reads; /* by variable: how many expressions read the variable */
    bool *kept;      /* by variable: some sweep has kept a write of it */
    bool changed;    /* some variable whose write was kept is read no more */
    bool unlinks;    /* some statement is to be taken out */
};

static void count_lanes(struct dead *dead, const struct ag_ir_expr *expr, uint32_t by)
{
    for (uint32_t i = 0; expr->op == AG_IR_READ && i < expr->width; i++) {
        const uint32_t id = expr->u.id[i];
        if (id == AG_IR_NONE)
            continue;
        dead->reads[id] += by;
        if (dead->reads[id] == 0 && dead->kept[id])
            dead->changed = true;
    }
}

static void count_reads(struct dead *dead, const struct ag_ir_expr *expr, uint32_t by)
{
    for (uint32_t i = 0; i < expr->arg_count; i++)
        count_reads(dead, expr->args[i], by);
    count_lanes(dead, expr, by);
}

static void trim_assign(struct dead *dead, struct ag_ir_stmt *stmt)
{
    struct ag_ir_expr *value = stmt->value;
    uint8_t live[4];
    uint32_t count = 0;
    for (uint32_t i = 0; i < value->width; i++) {
        if (stmt->target[i] == AG_IR_NONE || dead->reads[stmt->target[i]] == 0)
            continue;
        dead->kept[stmt->target[i]] = true;
        live[count++] = (uint8_t)i;
    }
    if (count == value->width)
        return;
    if (count == 0 && ag_ir_has_effect(value)) {
        stmt->kind = AG_IR_EVALUATE;
        return;
    }
    count_reads(dead, value, UINT32_MAX); /* adding UINT32_MAX subtracts one */
    if (count == 0) {
        stmt->kind = AG_IR_EVALUATE;
        stmt->value = NULL; /* unlink_dead() removes statements without a value */
        dead->unlinks = true;
        return;
    }
    stmt->value = ag_ir_narrow(dead->program, value, count, live);
    count_reads(dead, stmt->value, 1);
    for (uint32_t i = 0; i < count; i++) {
        stmt->target[i] = stmt->target[live[i]];
        stmt->target_component[i] = stmt->target_component[live[i]];
    }
    for (uint32_t i = count; i < 4; i++)
        stmt->target[i] = AG_IR_NONE;
}

static bool is_empty_if(const struct ag_ir_stmt *stmt)
{
    return stmt->kind == AG_IR_IF && (stmt->body == NULL || stmt->body->first == NULL) &&
           (stmt->otherwise == NULL || stmt->otherwise->first == NULL) && !ag_ir_has_effect(stmt->value);
}

static void unlink_dead(struct dead *dead, struct ag_ir_block *block);

static void unlink_dead_inside(struct dead *dead, const struct ag_ir_stmt *stmt)
{
    if (stmt->body != NULL)
        unlink_dead(dead, stmt->body);
    if (stmt->otherwise != NULL)
        unlink_dead(dead, stmt->otherwise);
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        unlink_dead(dead, c->body);
}

static void unlink_dead(struct dead *dead, struct ag_ir_block *block)
{
    struct ag_ir_stmt **link = &block->first;
    block->last = NULL;
    while (*link != NULL) {
        struct ag_ir_stmt *stmt = *link;
        if (!ag_ir_is_simple(stmt))
            unlink_dead_inside(dead, stmt);
        if (is_empty_if(stmt)) {
            count_reads(dead, stmt->value, UINT32_MAX);
            stmt->value = NULL;
            stmt->kind = AG_IR_EVALUATE;
        }
        if (stmt->kind == AG_IR_EVALUATE && stmt->value == NULL) {
            *link = stmt->next;
            continue;
        }
        block->last = stmt;
        link = &stmt->next;
    }
}

/* Leaves the statements that still are assignments in the program's list of them. */
static void keep_assigns(struct ag_ir_program *program)
{
    size_t count = 0;
    for (size_t i = 0; i < program->assigns.count; i++)
        if (program->assigns.data[i]->kind == AG_IR_ASSIGN)
            program->assigns.data[count++] = program->assigns.data[i];
    program->assigns.count = count;
}

void ag_ir_pass_dead(struct ag_ir_program *program)
{
    struct dead dead = {.program = program};
    const size_t count = program->variables.count + program->web_count;
    dead.reads = AG_ARENA_ARRAY(program->arena, uint32_t, count);
    dead.kept = AG_ARENA_ARRAY(program->arena, bool, count);
    if (dead.reads == NULL || dead.kept == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < program->reads.count; i++)
        count_lanes(&dead, program->reads.data[i], 1);
    dead.changed = true;
    dead.unlinks = program->block_count > 1; /* an IF may be empty from the start */
    for (uint32_t sweep = 0; dead.changed && sweep < MAX_SWEEPS; sweep++) {
        dead.changed = false;
        for (size_t i = program->assigns.count; i-- > 0;)
            trim_assign(&dead, program->assigns.data[i]);
        keep_assigns(program);
        if (dead.unlinks)
            unlink_dead(&dead, program->body);
        dead.unlinks = false;
    }
}
