/* SPDX-License-Identifier: MIT
 *
 * Notes who writes and reads each variable, and its home: the innermost block that contains all its writes
 * and reads.
 */
#include "ir/pass.h"

struct uses {
    struct ag_ir_program *program;
    const struct ag_ir_stmt *stmt;
};

static struct ag_ir_block *common_ancestor(struct ag_ir_block *a, struct ag_ir_block *b)
{
    while (a != b) {
        if (a->depth >= b->depth)
            a = a->parent;
        else
            b = b->parent;
    }
    return a;
}

static void extend_home(struct ag_ir_variable *variable, struct ag_ir_block *block)
{
    if (variable->home != block)
        variable->home = variable->home == NULL ? block : common_ancestor(variable->home, block);
}

static void note_read(struct uses *uses, const struct ag_ir_expr *read)
{
    struct ag_ir_block *const block = uses->stmt->block;
    for (uint32_t i = 0; i < read->width; i++) {
        const uint32_t id = read->u.id[i];
        if (id == AG_IR_NONE || (i > 0 && id == read->u.id[i - 1]))
            continue;
        struct ag_ir_variable *const variable = &uses->program->variables.data[id];
        extend_home(variable, block);
        variable->read_count++;
        variable->reader = block;
    }
}

static void note_reads(struct uses *uses, const struct ag_ir_expr *expr)
{
    if (expr->op == AG_IR_READ)
        note_read(uses, expr);
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        const struct ag_ir_expr *const arg = expr->args[i];
        if (arg->op == AG_IR_READ)
            note_read(uses, arg);
        else if (arg->arg_count != 0)
            note_reads(uses, arg);
    }
}

static void note_root(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr)
{
    struct uses *uses = user;
    uses->stmt = stmt;
    note_reads(uses, *expr);
}

static void set_owner(struct ag_ir_block *block, struct ag_ir_stmt *owner)
{
    if (block != NULL)
        block->owner = owner;
}

static void own_blocks(struct ag_ir_stmt *stmt)
{
    set_owner(stmt->body, stmt);
    set_owner(stmt->otherwise, stmt);
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        set_owner(c->body, stmt);
}

static void visit_statement(void *user, struct ag_ir_stmt *stmt)
{
    struct uses *uses = user;
    ag_ir_visit_roots(uses->program, stmt, note_root, uses);
    if (!ag_ir_is_simple(stmt))
        own_blocks(stmt);
    for (uint32_t i = 0; stmt->kind == AG_IR_ASSIGN && i < stmt->value->width; i++) {
        uint32_t id = stmt->target[i];
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again = again || stmt->target[k] == id;
        if (id == AG_IR_NONE || again)
            continue;
        struct ag_ir_variable *variable = &uses->program->variables.data[id];
        extend_home(variable, stmt->block);
        if (variable->first_write == NULL)
            variable->first_write = stmt;
        variable->write_count++;
    }
}

void ag_ir_pass_uses(struct ag_ir_program *program)
{
    struct uses uses = {.program = program};
    ag_ir_walk(program->body, visit_statement, &uses);
}
