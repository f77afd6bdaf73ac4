/* SPDX-License-Identifier: MIT
 *
 * The passes that turn registers into typed variables, in the order in which ag_ir_run_passes() runs them.
 * Each pass takes a valid program and leaves a valid program; a failure goes to program->status.
 */
#ifndef AG_IR_PASS_H
#define AG_IR_PASS_H

#include "ir/ir.h"

/* Turns fences into barriers where all threads reach them; else, and in coherent views, accesses become
 * atomic. */
void ag_ir_pass_fences(struct ag_ir_program *program);

/* Renames registers: each web (definitions that share a read, hence one live range) becomes a one-lane
 * variable. */
void ag_ir_pass_webs(struct ag_ir_program *program);

/* Dead code elimination: removes lanes and statements whose values are never read. */
void ag_ir_pass_dead(struct ag_ir_program *program);

/* Vectorizes: variables of one register that the same statements write become one vector. */
void ag_ir_pass_vectors(struct ag_ir_program *program);

/* Keeps the order of float operations where reassociation or contraction would be visible (ops.h: KEEP). */
void ag_ir_pass_order(struct ag_ir_program *program);

/* Variables that hold nothing but comparison masks become booleans; AND with such a mask becomes SELECT. */
void ag_ir_pass_truth(struct ag_ir_program *program);

/* Infers float32, int32 or uint32 for every variable that is not a boolean. */
void ag_ir_pass_types(struct ag_ir_program *program);

/* Inserts a check of the loop budget into each loop whose number of iterations has no known bound. */
void ag_ir_pass_budget(struct ag_ir_program *program);

/* Compute shaders: marks divergent conditions around barriers, which one thread then decides for its group.
 */
void ag_ir_pass_uniform(struct ag_ir_program *program);

/* Compute shaders with barriers whose invocations stand for several threads: what lies between barriers
 * becomes loops over the threads (THREADS). */
void ag_ir_pass_threads(struct ag_ir_program *program);

/* Notes who writes and reads each variable, for the passes behind. */
void ag_ir_pass_uses(struct ag_ir_program *program);

/* Moves values that are read once to where they are read. */
void ag_ir_pass_substitute(struct ag_ir_program *program);

/* Finds where each variable is declared, and the variables that are never written again (WGSL `let`).
 */
void ag_ir_pass_scopes(struct ag_ir_program *program);

/* Hull shaders: finds a bound of the tessellation factors, expansion.most_factor. Behind the other passes. */
void ag_ir_pass_factors(struct ag_ir_program *program);

#endif
