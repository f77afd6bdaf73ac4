/* SPDX-License-Identifier: MIT
 *
 * Runs all passes in order, and validates the program after each in debug builds, those of the fuzzers among
 * them.
 */
#include "base/bytes.h"
#include "ir/pass.h"

typedef void pass(struct ag_ir_program *program);

static pass *const passes[] = {
    ag_ir_pass_fences, ag_ir_pass_webs,       ag_ir_pass_dead,   ag_ir_pass_vectors, ag_ir_pass_order,
    ag_ir_pass_truth,  ag_ir_pass_types,      ag_ir_pass_budget, ag_ir_pass_uniform, ag_ir_pass_threads,
    ag_ir_pass_uses,   ag_ir_pass_substitute, ag_ir_pass_scopes, ag_ir_pass_factors,
};

static void drop_unused_outputs(void *user, struct ag_ir_stmt *stmt)
{
    const struct ag_ir_program *program = user;
    if (ag_ir_is_simple(stmt))
        return;
    for (size_t i = 0; stmt->outputs != NULL && i < program->outputs.count; i++)
        if (!program->outputs.data[i].used)
            stmt->outputs[i] = NULL;
}

static bool uses_all_outputs(const struct ag_ir_program *program)
{
    for (size_t i = 0; i < program->outputs.count; i++)
        if (!program->outputs.data[i].used)
            return false;
    return true;
}

enum agpu_status ag_ir_run_passes(struct ag_ir_program *program)
{
    if (!uses_all_outputs(program))
        ag_ir_walk(program->body, drop_unused_outputs, program);
    for (size_t i = 0; i < AG_COUNT_OF(passes) && program->status == AGPU_OK; i++) {
        passes[i](program);
#ifndef NDEBUG
        if (program->status == AGPU_OK)
            ag_ir_validate(program);
#endif
    }
    return program->status;
}
