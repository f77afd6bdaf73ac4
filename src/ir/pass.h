/* SPDX-License-Identifier: MIT
 *
 * The passes, in the order in which ag_ir_run_passes() runs them. Each takes a valid program to a valid
 * program; failures go to program->status.
 */
#ifndef AG_IR_PASS_H
#define AG_IR_PASS_H

#include "ir/ir.h"

/* Registers become one-lane variables: one for each web of definitions and the reads they reach. */
void ag_ir_pass_webs(struct ag_ir_program *program);

/* Lanes and statements whose values nobody reads go. */
void ag_ir_pass_dead(struct ag_ir_program *program);

/* Variables of one register that are written by the same statements become one vector. */
void ag_ir_pass_vectors(struct ag_ir_program *program);

/* Where the order of float operations matters, a sum keeps its summands apart (ops.h: KEEP). */
void ag_ir_pass_order(struct ag_ir_program *program);

/* Variables that only hold results of comparisons become truth values; masking with them becomes choice. */
void ag_ir_pass_truth(struct ag_ir_program *program);

/* The other variables become float32, int32 or uint32. */
void ag_ir_pass_types(struct ag_ir_program *program);

/* With a budget, loops that may not end count what they do. */
void ag_ir_pass_budget(struct ag_ir_program *program);

/* Conditions around barriers that nobody can prove uniform are decided by one thread. Compute only. */
void ag_ir_pass_uniform(struct ag_ir_program *program);

/* Where variables are declared, and which are constants. */
void ag_ir_pass_scopes(struct ag_ir_program *program);

#endif
