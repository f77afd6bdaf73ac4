/* SPDX-License-Identifier: MIT
 *
 * All passes in order, each followed by validation in debug builds.
 */
#include "base/bytes.h"
#include "ir/pass.h"

typedef void pass(struct agpu_ir_program *program);

static pass *const passes[] = {
    agpu_ir_pass_webs,  agpu_ir_pass_dead,  agpu_ir_pass_vectors, agpu_ir_pass_order,
    agpu_ir_pass_truth, agpu_ir_pass_types, agpu_ir_pass_budget,  agpu_ir_pass_uniform,
    agpu_ir_pass_scopes,
};

static void drop_unused_outputs(void *user, struct agpu_ir_stmt *stmt)
{
    const struct agpu_ir_program *program = user;
    for (size_t i = 0; stmt->outputs != NULL && i < program->outputs.count; i++)
        if (!program->outputs.data[i].used)
            stmt->outputs[i] = NULL;
}

enum agpu_status agpu_ir_run_passes(struct agpu_ir_program *program)
{
    agpu_ir_walk(program->body, drop_unused_outputs, program);
    for (size_t i = 0; i < AGPU_COUNT_OF(passes) && program->status == AGPU_OK; i++) {
        passes[i](program);
#ifndef NDEBUG
        if (program->status == AGPU_OK)
            agpu_ir_validate(program);
#endif
    }
    return program->status == AGPU_OK ? agpu_ir_validate(program) : program->status;
}
