/* SPDX-License-Identifier: MIT
 *
 * Decides where each variable is declared: in its home, the innermost block that contains all its writes and
 * reads, in front of the first write.
 *
 * A variable that may be read before its first write must start at zero. Its home is the body of the program,
 * because a declaration inside a loop would reset the variable to zero in every iteration. A variable whose
 * home lies outside of the loop over an invocation's threads has a value for each of them.
 */
#include "ir/pass.h"

struct scopes {
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

static void extend_home(struct scopes *scopes, uint32_t id, struct ag_ir_block *block)
{
    struct ag_ir_variable *variable = &scopes->program->variables.data[id];
    variable->home = variable->home == NULL ? block : common_ancestor(variable->home, block);
}

static void note_reads(struct scopes *scopes, const struct ag_ir_expr *expr)
{
    for (uint32_t i = 0; i < expr->arg_count; i++)
        note_reads(scopes, expr->args[i]);
    for (uint32_t i = 0; expr->op == AG_IR_READ && i < expr->width; i++)
        if (expr->u.id[i] != AG_IR_NONE)
            extend_home(scopes, expr->u.id[i], scopes->stmt->block);
}

static void note_root(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr)
{
    struct scopes *scopes = user;
    scopes->stmt = stmt;
    note_reads(scopes, *expr);
}

static void set_owner(struct ag_ir_block *block, struct ag_ir_stmt *owner)
{
    if (block != NULL)
        block->owner = owner;
}

static void visit_statement(void *user, struct ag_ir_stmt *stmt)
{
    struct scopes *scopes = user;
    ag_ir_visit_roots(scopes->program, stmt, note_root, scopes);
    set_owner(stmt->body, stmt);
    set_owner(stmt->otherwise, stmt);
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        set_owner(c->body, stmt);
    for (uint32_t i = 0; stmt->kind == AG_IR_ASSIGN && i < stmt->value->width; i++) {
        uint32_t id = stmt->target[i];
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again = again || stmt->target[k] == id;
        if (id == AG_IR_NONE || again)
            continue;
        struct ag_ir_variable *variable = &scopes->program->variables.data[id];
        extend_home(scopes, id, stmt->block);
        if (variable->first_write == NULL)
            variable->first_write = stmt;
        variable->write_count++;
    }
}

/* The statement of the variable's home that contains the first write; the declaration goes in front of it. */
static struct ag_ir_stmt *place_of(const struct ag_ir_variable *variable)
{
    struct ag_ir_stmt *stmt = variable->first_write;
    while (stmt->block != variable->home)
        stmt = stmt->block->owner;
    return stmt;
}

static bool is_in_threads(const struct ag_ir_block *block)
{
    for (; block->owner != NULL; block = block->parent)
        if (block->owner->kind == AG_IR_THREADS)
            return true;
    return false;
}

void ag_ir_pass_scopes(struct ag_ir_program *program)
{
    struct scopes scopes = {.program = program};
    ag_ir_walk(program->body, visit_statement, &scopes);
    for (size_t i = program->variables.count; i-- > 0;) {
        struct ag_ir_variable *variable = &program->variables.data[i];
        if (variable->is_input || variable->first_write == NULL)
            continue;
        if (variable->needs_zero)
            variable->home = program->body;
        variable->is_constant = variable->write_count == 1 && !variable->needs_zero &&
                                variable->home == variable->first_write->block;
        variable->by_thread = program->has_turn_loops && !is_in_threads(variable->home);
        struct ag_ir_stmt *place = variable->needs_zero ? program->body->first : place_of(variable);
        variable->next_declared = place->first_declared;
        place->first_declared = (uint32_t)i;
    }
}
