/* SPDX-License-Identifier: MIT
 *
 * Decides where each variable is declared: in its home, in front of the first write.
 *
 * A variable that may be read before its first write must start at zero. Its home is the body of the program,
 * because a declaration inside a loop would reset the variable to zero in every iteration. A variable whose
 * home lies outside of the loop over an invocation's threads has a value for each of them.
 */
#include "ir/pass.h"

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
